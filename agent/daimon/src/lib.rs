//! The Daimon: what happened moves a mood, and a mood moves numbers that exist anyway.
//!
//! An event of this tick with a metric behind it is a [`trigger`]; [`attention`] says whether it is worth an appraisal,
//! [`rules`] say what it feels like, and where a model was asked anyway, [`chain`] says when it is believed. A
//! [`feeling`] moves the [`mood`], which returns to what the Golem is like ([`personality`]), so that siblings differ.
//! Its own end ([`mortal`]), a sibling's ([`grief`]) and siblings' moods ([`contagion`]) move it too. [`modulation`]
//! is what a mood may do: within fixed limits, never beyond the law of mortality, and never an action.
//!
//! | room | holds |
//! |---|---|
//! | [`daimon`] | one Golem's affect as plain data, moved once a tick |
//! | [`pad`], [`emotion`], [`feeling`], [`mood`], [`personality`] | what is felt, its names and its three layers |
//! | [`trigger`], [`attention`], [`rules`], [`pulse`], [`mortal`], [`grief`], [`contagion`] | what moves it |
//! | [`chain`], [`evidence`], [`prompt`] | what a model may say, when it is believed, what it is told |
//! | [`modulation`], [`influence`], [`somatic`] | what it moves, and by how much at most |
//! | [`memory`], [`dream`] | what episodes and dreams get of it |
//! | [`law`], [`watch`], [`event`] | the owner's numbers, what goes wrong, what others are told |
//!
//! Three worked numbers. A loss of 8% feels like (-0.5, 0.7, -0.3) at 0.4, and moves a neutral mood to (-0.010, 0.014,
//! -0.006). Intense fear leaves 0.6 of the phase's risk, with an anxious mood 0.48, and no mood leaves more than the
//! phase gives. Off, every number is as if this crate did not exist.
//!
//! Nothing here reads a clock, a file or chance. Vectors are integers in millionths, moods in billionths; a score is
//! computed with a pinned `libm` and rounded once. Functional state only: nothing here claims that anything is felt.

pub mod attention;
pub mod chain;
pub mod contagion;
pub mod daimon;
pub mod dream;
pub mod emotion;
pub mod event;
pub mod evidence;
pub mod feeling;
pub mod grief;
pub mod influence;
pub mod law;
pub mod memory;
pub mod modulation;
pub mod mood;
pub mod mortal;
pub mod pad;
pub mod personality;
pub mod prompt;
pub mod pulse;
pub mod rules;
pub mod somatic;
pub mod trigger;
pub mod watch;

pub use daimon::{Daimon, Lived, MoodInput};
pub use emotion::{Emotion, MoodLabel};
pub use law::{AppraisalModel, DaimonLaw};
pub use pad::Pad;
pub use trigger::Trigger;
