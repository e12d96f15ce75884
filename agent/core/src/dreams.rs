//! The dreaming of a life: when it dreams, what for, and that a dream never stands between it and what protects it.
//!
//! A life does not dream until it is told by which numbers (D-240); without that, or with dreams off, nothing differs from
//! a life that never heard of them (D-215). One function opens a dream ([`golem_dreams::should_dream`]), at the end of a
//! tick, when memory is written (D-039, D-213). In a full cycle the body dreams: nothing is predicted, asked, bought or
//! entered, but every look is taken, and whatever lowers exposure, reports, pays or dies goes on (D-017, D-190). A
//! lightweight one runs behind a waking body and suspends nothing (D-011).
//!
//! Who shall wake it is told by a [`Wake`] in the life itself: whoever dreams for it reads that there, so that a process
//! that is killed and begins again reads the same.

pub(crate) mod attend;
pub(crate) mod readings;
pub(crate) mod rest;

use golem_dreams::inputs::CycleId;
use golem_dreams::integration::journal::Yield;
use golem_dreams::integration::quality::checked;
use golem_dreams::law::DreamLaw;
use golem_dreams::micro;
use golem_dreams::schedule::Opening;
use golem_dreams::state::DreamState;
use golem_dreams::wake::Wake;
use golem_dreams::words::{DreamTier, DreamTrigger};
use golem_primitives::{EffectId, Ppm, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::record::{Command, DreamTerms, Event, Recollection, RuleChange};

/// D-171. What dreams that could not assess themselves are taken to be worth before waking looks judged them.
const UNKNOWN: Ppm = Ppm::of(500_000);

/// One life's dreaming.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LifeDreams {
    pub terms: DreamTerms,
    /// D-188. What is known of its dreaming, for screens.
    pub state: DreamState,
    pub recalled: Recollection,
    sleeper: Option<Sleeper>,
    /// D-019. The owner asked for a dream and was not answered yet.
    is_directed: bool,
    /// D-020. Terminal was entered and its one dream is not dreamt.
    owes_last: bool,
    /// D-024. What was left of the LLM partition, as a share, before Terminal took it all.
    credit: Ppm,
    /// DG-3. What trades lost, by tick, as far back as it counts.
    losses: Vec<(Tick, Usdc)>,
    /// D-196. The prices of the last minutes, for the one probe that does not sleep.
    prices: Vec<(UtcTime, u64)>,
    /// D-216. When the last glance was taken.
    glanced: Option<UtcTime>,
    /// D-038. When the last whole dream ended: what was felt before weighs less.
    pub relieved: Option<Tick>,
    /// D-171. What its dreams came to: their own assessment, and what waking looks made of what they had tried.
    pub quality: Option<Ppm>,
    /// D-172. What became of the rules they had tried.
    pub came_to: Yield,
    /// DG-23. The refusal that was told last; the same is not told again at every tick.
    refused: Option<(DreamTrigger, u8)>,
}

/// A dream that is dreamt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sleeper {
    pub effect: EffectId,
    pub cycle: CycleId,
    pub opening: Opening,
    pub tick: Tick,
    pub at: UtcTime,
    /// D-067. Price and liquidity when it fell asleep.
    pub(crate) scene: Option<(u64, u128)>,
    /// D-193. Who wakes it; whoever dreams for it ends at once.
    pub wake: Option<Wake>,
}

impl LifeDreams {
    /// A life that is told of dreams.
    pub(crate) fn born(terms: DreamTerms) -> Self {
        Self {
            state: DreamState::new(terms.law.tier),
            terms,
            recalled: Recollection::default(),
            sleeper: None,
            is_directed: false,
            owes_last: false,
            credit: Ppm::ZERO,
            losses: Vec::new(),
            prices: Vec::new(),
            glanced: None,
            relieved: None,
            quality: None,
            came_to: Yield::default(),
            refused: None,
        }
    }

    /// The numbers of its dreaming; without windows, whose state is told (D-016).
    #[must_use]
    pub const fn law(&self) -> &DreamLaw {
        &self.terms.law
    }

    /// D-215. Whether it dreams at all.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.terms.law.enabled
    }

    /// The dream that is dreamt.
    #[must_use]
    pub const fn sleeper(&self) -> Option<&Sleeper> {
        self.sleeper.as_ref()
    }

    /// D-193. Whether and why whoever dreams this effect shall end now. The same after every restart: it follows from the
    /// journal.
    #[must_use]
    pub fn wake_of(&self, effect: EffectId) -> Option<&Wake> {
        self.sleeper.as_ref().filter(|sleeper| sleeper.effect == effect)?.wake.as_ref()
    }

    /// D-171, D-172. Hears of this pass what became of rules that dreams had tried.
    fn hear_of_rules(&mut self, events: &[Event]) {
        for told in events.iter().filter_map(|event| if let Event::Rule(told) = event { Some(told) } else { None }) {
            if told.is_dreamt && matches!(told.change, RuleChange::Staged { .. }) {
                self.came_to.staged = self.came_to.staged.saturating_add(1);
            }
            let Some(validated) = told.dream_outcome() else { continue };
            let count = if validated { &mut self.came_to.validated } else { &mut self.came_to.refuted };
            *count = count.saturating_add(1);
            self.quality = Some(checked(self.quality.unwrap_or(UNKNOWN), u32::from(validated), u32::from(!validated)));
        }
    }

    /// D-216. Whether a glance between dreams is due.
    #[must_use]
    pub fn is_glance_due(&self, now: UtcTime) -> bool {
        self.is_on() && self.sleeper.is_none() && micro::is_due(self.glanced, now)
    }

    /// D-017, D-192. Whether probes, escalations and entries rest: in a full cycle, until it ends or somebody wakes it.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.is_on()
            && self
                .sleeper
                .as_ref()
                .is_some_and(|sleeper| sleeper.opening.tier == DreamTier::Hardened && sleeper.wake.is_none())
    }

    /// D-193. Wakes it, once; what came first is the reason.
    pub(crate) fn rouse(&mut self, wake: Wake) -> bool {
        const REASON_CHARS: usize = 160;
        let Some(sleeper) = self.sleeper.as_mut().filter(|sleeper| sleeper.wake.is_none()) else { return false };
        let reason = wake.reason.chars().take(REASON_CHARS).collect();
        sleeper.wake = Some(Wake { reason, ..wake });
        true
    }
}

/// D-015, D-019. Whether a command is a word about dreams, which a life that dreams by its law takes as one: no command
/// puts it to sleep past the gate.
pub(crate) const fn is_about_dreams(command: &Command) -> bool {
    matches!(command, Command::Sleep | Command::Wake)
}
