//! The law of the Grimoire.

pub mod confidence;
pub mod curator;
pub mod distil;
pub mod emotion;
pub mod entry;
pub mod episode;
pub mod event;
pub mod finding;
pub mod gate;
pub mod id;
pub mod kind;
pub mod law;
pub mod playbook;
pub mod provenance;
pub mod quality;
pub mod recall;
pub mod reflection;
pub mod regime;
pub mod retention;
pub mod shelf;
pub mod status;
pub mod strength;
mod words;
