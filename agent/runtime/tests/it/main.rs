//! The loop with a real store and a chain by script.

#[path = "../../../../test/shared/admitted.rs"]
mod admitted;
mod advising;
mod air;
#[path = "../../../../test/shared/brisk.rs"]
mod brisk;
mod clade;
mod departed;
mod dreaming;
mod embedding;
mod fake;
mod farewell;
mod feelings;
mod fleet;
mod foreign;
mod heirs;
mod legacy;
mod mind;
mod poison;
#[path = "../../../../test/shared/readings.rs"]
mod readings;
mod recovery;
mod roused;
mod shopping;
mod studying;
mod supposing;
mod telemetry;
mod tending;
mod withdrawals;
mod words;
