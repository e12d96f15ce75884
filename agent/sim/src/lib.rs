//! Many lives under one seed: virtual time, a market that changes its mind, and two populations side by side.
//!
//! [`run`] lives them through the same [`step`](golem_core::step::step) as a real Golem and returns a [`Report`]: plain
//! data with a table and a plot. Same settings, same report, on every machine.
//!
//! ```
//! use golem_sim::{SimulationSettings, run};
//!
//! let settings = SimulationSettings { golems: 4, ticks: 200, cohort: 100, ..SimulationSettings::default() };
//! let report = run(&settings, |_| ()).expect("sound settings");
//! assert_eq!(report, run(&settings, |_| ()).expect("sound settings"));
//! assert!(report.table().contains("fitness") && report.svg().starts_with("<svg"));
//! ```
//!
//! [`programme`] has experiments that are registered before they are run: populations of [`lines`] on the markets of [`world`], judged
//! by [`paired`] differences; [`toys`] are two published results that it reproduces.

pub mod cohort;
mod draw;
pub mod effect;
pub mod experiment;
pub mod lines;
pub mod market;
mod mind;
pub mod paired;
mod plot;
mod population;
pub mod programme;
pub mod report;
pub mod settings;
pub mod stats;
mod table;
pub mod toys;
pub mod world;

pub use population::run;
pub use report::Report;
pub use settings::{SimulationProgress, SimulationSettings, SimulationSettingsError, TooLarge};
