//! The law of the Grimoire.

pub mod confidence;
pub mod emotion;
pub mod id;
pub mod kind;
pub mod provenance;
pub mod regime;
pub mod retention;
pub mod strength;
mod words;
