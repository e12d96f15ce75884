//! The law of the Grimoire: knowledge that decays unless it proves itself.
//!
//! What happened is an [`episode`]; what it taught is an [`entry`], of one of five [`kind`]s. A draft from anywhere
//! stands at the [`gate`], becomes a candidate, and is used only once it has earned it ([`status`]); there is no other
//! way in, and the types say so. [`confidence`] moves by evidence alone, while [`retention`] takes from the reading what
//! time took from the knowledge. [`recall`] answers a moment and explains each score by part. Every fifty ticks the
//! [`curator`] counts evidence ([`distil`]), gives places, and lets go; [`playbook`] is what a Golem acts by, written
//! with one pen.
//!
//! | room | holds |
//! |---|---|
//! | [`confidence`], [`strength`], [`retention`], [`quality`] | what an entry is worth, and how that changes |
//! | [`provenance`], [`regime`], [`emotion`], [`finding`] | where it comes from, when it holds, what it felt like, what was counted |
//! | [`entry`], [`kind`], [`id`], [`status`], [`shelf`] | an entry, its states, and all of them together |
//! | [`gate`], [`ingest`], [`share`] | what comes in and goes out |
//! | [`episode`], [`distil`], [`curator`] | from experience to knowledge, and out of it again |
//! | [`recall`], [`cache`] | what answers a moment |
//! | [`playbook`], [`reflection`], [`for_dreams`], [`insurance`] | what is written, asked, dreamt and saved |
//! | [`law`], [`pruning`], [`health`], [`event`] | the owner's numbers, and what others are told |
//!
//! Nothing here reads a clock, a file or chance: times and ticks are given, ids are hashes of names, and a score is
//! computed with a pinned `libm` and rounded once to parts per million before anything is decided by it. Vectors, full
//! text and SQL belong to a store, which hands its numbers in.

pub mod cache;
pub mod confidence;
pub mod curator;
pub mod distil;
pub mod emotion;
pub mod entry;
pub mod episode;
pub mod event;
pub mod finding;
pub mod for_dreams;
pub mod gate;
pub mod health;
pub mod id;
pub mod ingest;
pub mod insurance;
pub mod kind;
pub mod law;
pub mod playbook;
pub mod provenance;
pub mod pruning;
pub mod quality;
pub mod recall;
pub mod reflection;
pub mod regime;
pub mod retention;
pub mod shape;
pub mod share;
pub mod shelf;
pub mod status;
pub mod strength;
pub mod thesis;
