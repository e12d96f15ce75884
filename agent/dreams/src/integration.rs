//! Integration: every output is classified, and nothing of it is operational before waking ticks confirmed it.

pub mod class;
pub mod journal;
pub mod quality;
pub mod review;
pub mod staging;
