//! The law of mortality.

mod kd_tree;
pub mod ksg;
pub mod phase;
