//! The law of inheritance: what crosses from a dead Golem to the living, and how it must prove itself there.

pub mod baldwin;
pub mod bottleneck;
pub mod weismann;
