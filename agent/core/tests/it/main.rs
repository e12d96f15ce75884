//! Whole lives through `step`.

mod absurd;
mod chronicle;
#[path = "../../../../test/shared/readings.rs"]
mod readings;
mod records;
mod replay;
mod total;
mod trading;
mod venue;
mod world;
