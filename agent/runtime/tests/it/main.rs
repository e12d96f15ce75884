//! The loop with a real store and a chain by script.

#[macro_use]
#[path = "../../../../test/shared/each.rs"]
mod each;

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
#[path = "../../../../test/shared/passed.rs"]
mod passed;
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
#[path = "../../../../test/shared/turn.rs"]
mod turn;
mod withdrawals;
mod words;
