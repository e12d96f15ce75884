//! The law of mortality.

pub mod change_point;
pub mod config;
pub mod effect;
pub mod error_code;
pub mod information;
mod kd_tree;
pub mod ksg;
pub mod phase;
pub mod regime;
pub mod tier;
