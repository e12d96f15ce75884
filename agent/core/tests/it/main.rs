//! Whole lives through `step`.

mod absurd;
mod chronicle;
mod counsel;
mod curated;
mod deliberating;
mod memory;
mod mind;
#[path = "../../../../test/shared/readings.rs"]
mod readings;
mod records;
mod replay;
mod suffering;
mod temper;
mod total;
mod trading;
mod venue;
mod world;
