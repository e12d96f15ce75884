//! The law of dreams: when a Golem dreams, what it dreams, and why nothing dreamt acts.
//!
//! One function opens a dream ([`schedule`]), for three reasons and against four preconditions ([`gate`], [`urgency`],
//! [`window`]), within the owner's money ([`budget`]) and what the clocks leave of a life ([`clocks`]). A [`dream`] is a
//! machine: from what was [frozen](inputs) it goes through [`onset`], [`nrem`], [`rem`], [`integration`] and the way back,
//! asks a model where there is one, computes where there is none, and ends in a [`report`]. What it makes of rules the book
//! searches, rehearses and tries by itself (P-070 to P-074). Between dreams there is a glance ([`micro`]); what wakes is in [`mod@wake`].
//!
//! | room | holds |
//! |---|---|
//! | [`schedule`], [`gate`], [`urgency`], [`window`], [`budget`], [`clocks`], [`state`] | when, and for how much |
//! | [`inputs`], [`market`], [`pool`], [`vector`], [`chance`] | what it is dreamt from |
//! | [`onset`], [`nrem`], [`rem`], [`integration`] | the work of the phases, each a pure function |
//! | [`dream`], [`report`], [`event`] | the machine, and what leaves it |
//! | [`micro`], [`mod@wake`], [`heritage`], [`law`], [`words`], [`number`] | the rest |
//!
//! Two worked numbers. A surprise of 0.8 that lost 23 of 1,000 with a regret of 0.5 gains 0.4769; in the same regime 500
//! ticks later it is needed with 0.89, and worth 0.43 to a replay. Half a dollar in Thriving is 0.05, 0.17, 0.15, 0.105 and 0.025.
//!
//! A dream has no power. There is no type here that could do anything, and a report has nothing to carry out:
//!
//! ```compile_fail
//! fn act(report: &golem_dreams::report::DreamReport) {
//!     for effect in &report.effects {}
//! }
//! ```
//!
//! The pen of PLAYBOOK.md cannot be made here, nor anywhere but by the document itself (D-164):
//!
//! ```compile_fail,E0451
//! use golem_grimoire::playbook::{Holder, Pen, Playbook};
//! fn write(playbook: &mut Playbook) -> Pen<'_> {
//!     Pen { playbook, holder: Holder::Integration }
//! }
//! ```
//!
//! Nothing here reads a clock, a file or chance. The same frozen world and the same answers are the same dream to the last
//! bit. Where no model answers, rules do what can be done honestly, and say zero where they cannot.

pub mod budget;
pub mod chance;
pub mod clocks;
pub mod dream;
pub mod event;
pub mod gate;
pub mod heritage;
pub mod inputs;
pub mod integration;
pub mod law;
pub mod market;
pub mod micro;
pub mod nrem;
pub mod number;
pub mod onset;
pub mod pool;
pub mod rem;
pub mod report;
pub mod schedule;
pub mod state;
pub mod urgency;
pub mod vector;
pub mod wake;
pub mod window;
pub mod words;

pub use dream::{Dream, DreamStep};
pub use inputs::{CycleId, Frozen};
pub use law::DreamLaw;
pub use report::DreamReport;
pub use schedule::should_dream;
pub use state::DreamState;
