//! The screen, drawn for real lives on terminals that remember what was drawn.

#[path = "../../../../test/shared/brisk.rs"]
#[allow(dead_code)]
mod brisk;
#[path = "../../../../test/shared/cycle.rs"]
mod cycle;
mod dead;
mod keys;
#[path = "../../../core/tests/it/mind.rs"]
#[allow(dead_code)]
mod mind;
mod money;
mod pages;
#[path = "../../../../test/shared/readings.rs"]
#[allow(dead_code)]
mod readings;
mod scenes;
#[path = "../../../core/tests/it/venue.rs"]
#[allow(dead_code)]
mod venue;
