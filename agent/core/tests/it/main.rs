//! Whole lives through `step`.

mod absurd;
mod chronicle;
mod curated;
mod records;
mod replay;
mod total;
mod trading;
mod venue;
mod world;
