//! The law of inheritance from outside.

mod bottleneck;
mod make;
