//! Whole lives through `step`.

#[macro_use]
#[path = "../../../../test/shared/each.rs"]
mod each;

mod absurd;
mod air;
mod anticipating;
mod books;
#[path = "../../../../test/shared/brisk.rs"]
mod brisk;
mod brooding;
mod chronicle;
mod counsel;
mod curated;
#[path = "../../../../test/shared/cycle.rs"]
mod cycle;
mod data_purchases;
mod deliberating;
mod drawn;
mod dreaming;
mod dreams;
mod dreamt_rules;
mod hand;
mod information;
mod kinship;
mod late;
mod memory;
mod mind;
mod phages;
mod pools;
mod precedents;
#[path = "../../../../test/shared/readings.rs"]
mod readings;
mod records;
mod replay;
mod studying;
mod suffering;
mod temper;
mod total;
mod trading;
mod venue;
mod world;
