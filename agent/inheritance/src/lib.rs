//! The law of inheritance: what crosses from a dead Golem to the living, and how it must prove itself there.

pub mod arrival;
pub mod attribution;
pub mod baldwin;
pub mod bottleneck;
pub mod clade;
pub mod genome;
pub mod guard;
pub mod heir;
pub mod individuation;
pub mod lineage;
pub mod negentropy;
pub mod novelty;
pub mod push;
pub mod ratchet;
mod row;
pub mod succession;
pub mod summon;
pub mod testament;
pub mod toxic;
pub mod weismann;
pub mod window;
