//! The loop with a real store and a chain by script.

mod fake;
mod fleet;
mod mind;
mod recovery;
mod telemetry;
