//! Suffering: pressure that rises by itself and that only a changed world relieves.
//!
//! A [`stressor`] is raised by what is seen ([`facts`], [`predicate`]) or named by the agent ([`reply`]). It grows with
//! wall time alone, charged exactly once ([`severity`]); all of them together are a load in one of five [`band`]s. A
//! band closes goals at the [`gate`], which can only remove, and what protects, saves or ends a life never meets it
//! ([`action`]). In Crisis peers are told and a loop is broken ([`crisis`]). What was suffered is remembered
//! ([`history`]), warned of ([`anticipation`]) and passed on ([`legacy`]).
//!
//! | room | holds |
//! |---|---|
//! | [`suffering`] | one Golem's suffering as plain data, and the order of a cycle |
//! | [`severity`], [`band`], [`kind`], [`stressor`], [`history`] | how bad it is, what it is, what it leaves |
//! | [`facts`], [`attempt`], [`truth`], [`predicate`], [`condition`] | what is measured, and what follows from it; three-valued |
//! | [`reply`], [`prompt`] | what a model may say, and what it reads |
//! | [`action`], [`domain`], [`gate`], [`anticipation`], [`crisis`] | what is closed, cautioned, told, broken |
//! | [`export`], [`legacy`], [`law`], [`event`], [`text`] | the file, the heirs, the owner's numbers, what others are told, harmless words |
//!
//! Three worked numbers. A repeated failure raised at 0.20 stands at 0.2100833 after 21,780 seconds, however they were
//! spent. Five fresh stressors are a load of 1.00 and a crisis. One at 0.62 that the agent calls over and the world does
//! not is back at 0.6209259 after 2,000 seconds, and never at 0.20.
//!
//! Five principles hold as tests: talk alone lowers nothing, time and not activity raises, conditions are measured
//! states, above 0.35 every prompt that picks a goal carries the block, and every resolution leaves a trace.
//!
//! Nothing here reads a clock, a file, chance or a mood. Severities are integers, so that equal time gives equal
//! severity to the last unit. Functional state only: nothing here claims that anything is felt (S-145).

pub mod action;
pub mod anticipation;
mod assess;
pub mod attempt;
pub mod band;
pub mod condition;
pub mod crisis;
pub mod domain;
pub mod event;
pub mod export;
pub mod facts;
pub mod gate;
pub mod history;
pub mod kind;
pub mod law;
pub mod legacy;
pub mod predicate;
pub mod prompt;
pub mod reply;
pub mod severity;
pub mod stressor;
pub mod suffering;
pub mod text;
pub mod truth;

pub use band::Band;
pub use event::SufferingEvent;
pub use facts::Facts;
pub use law::{SufferingLaw, SufferingProfile};
pub use reply::SufferingReply;
pub use severity::Severity;
pub use suffering::Suffering;
