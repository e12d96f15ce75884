//! Populations.

mod survival;
mod traces;
mod world;
