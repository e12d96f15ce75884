//! Owns the loop: sense, journal, step, commit, dispatch; holds no opinions.
//!
//! A tick has two journaled passes. What was sensed goes into the first, in which the law decides; what came of it goes
//! into the second, behind which the clocks run. Acting and reflecting happen between the two, in the adapters, and
//! nothing acts on what it hears there: it waits for its pass. Start and crash recovery are one path ([`Runtime::resume`]).

mod adviser;
mod beat;
mod clade;
mod clock;
mod customs;
mod death;
mod defaults;
mod dreamer;
mod errand;
mod error;
mod files;
mod fleet;
mod heritage;
mod kin;
mod metrics;
mod mind;
mod notes;
mod passes;
mod playbook;
mod recover;
mod scribe;
mod shopper;
mod suppositions;
mod telemetry;
mod trial;
mod vouch;
mod words;

pub use adviser::Adviser;
pub use beat::{BeatContent, beat_contents, leaf};
pub use clade::{CladeChoice, House, Member, SHARED_NOTE, SiblingHeard, SiblingsHeard, shared_with_siblings};
pub use clock::{NewestBlockTime, NextBlock, PacedClock, WallClock};
pub use customs::{poisoned, transactions_named};
pub use death::bloodstain::BLOODSTAIN_FILE;
pub use death::emergency::Emergency;
pub use death::farewell::{ArchiveCard, ArchivedPart, CARD_FILE};
pub use death::legacy::{BUNDLE_FILE, LegacyBundle, LegacyError, MOST_BYTES, Sealed};
pub use death::testament::compose;
pub use death::testament::file::{ActionLine, Earned, Estate, Measured, TESTAMENT_NOTE, TestamentFile};
pub use defaults::{DEFAULTS_NOTE, Defaults};
pub use dreamer::DreamChoice;
pub use errand::ABSENT;
pub use error::{Remedy, RuntimeError};
pub use fleet::{Ended, Fleet, begin_with_room, run_fleet};
pub use heritage::{HERITAGE_NOTE, Handed, Heritage, Rank, inherit, inherit_in, texts_of};
pub use kin::Kin;
pub use metrics::{GolemStanding, METRICS_MEDIA, Metrics};
pub use passes::{LifeStage, LivedTick, Runtime, RuntimeSettings};
pub use recover::{Replayed, replay};
pub use scribe::Scribe;
pub use shopper::Shopper;
pub use telemetry::{EventLine, Telemetry};
pub use trial::{BEGUN_A_CYCLE, TRIAL_NOTE, Trials, belief};
pub use vouch::{DriftFound, known_health, recompute, vouch};
pub use words::OwnerWord;
