//! The law of inheritance: what crosses from a dead Golem to the living, and how it must prove itself there.

pub mod attribution;
pub mod baldwin;
pub mod bottleneck;
pub mod guard;
pub mod negentropy;
pub mod novelty;
pub mod push;
pub mod ratchet;
pub mod weismann;
pub mod window;
