//! The loop with a real store and a chain by script.

mod advising;
mod dreaming;
mod elder;
mod embedding;
mod fake;
mod fleet;
mod foreign;
mod legacy;
mod mind;
#[path = "../../../../test/shared/readings.rs"]
mod readings;
mod recovery;
mod shopping;
mod studying;
mod telemetry;
mod tending;
