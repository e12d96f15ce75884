//! Populations.

mod survival;
mod traces;
mod trials;
mod world;
