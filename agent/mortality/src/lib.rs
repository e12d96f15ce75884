//! The law of mortality.

pub mod change_point;
pub mod config;
pub mod control;
pub mod demurrage;
pub mod dream_modulation;
pub mod economic;
pub mod effect;
pub mod error_code;
pub mod fractal;
pub mod information;
mod kd_tree;
pub mod ksg;
pub mod mode;
pub mod phase;
pub mod privacy;
pub mod regime;
pub mod snapshot;
pub mod states;
