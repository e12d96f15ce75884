//! The tick: given a life and a tick's input, the next life, the effects wanted and the events that happened.
//!
//! [`step`](step::step) is total: for every input it answers, without failing or waiting. What it refuses is an event.
//! It reads no clock, draws no chance and knows no adapter; what it wants of the world are effects, and what the world
//! answers are outcomes of a later input. The same inputs give the same [`Life::hash`](life::Life::hash) at every tick.

pub mod affect;
pub mod air;
mod body;
pub mod books;
pub mod budget;
pub mod counsel;
pub mod curation;
pub mod data_purchases;
mod death;
pub mod deliberation;
mod desk;
pub mod dreaming;
pub mod dreams;
mod duty;
pub mod held_assets;
mod influence;
pub mod kinship;
pub mod ledger;
pub mod life;
pub mod means;
pub mod memory;
pub mod mind;
pub mod outcome_tree;
mod pass;
pub mod precedents;
pub mod pressure;
pub mod record;
mod rooms;
pub mod sharing;
pub mod step;
pub mod study;
pub mod tending;
pub mod trade;
pub mod trader;
pub mod window;
