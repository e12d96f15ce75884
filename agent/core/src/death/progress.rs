//! How far a death is: the part of it that lives on between two passes.

use std::time::Duration;

use golem_primitives::{Tick, UtcTime};
use serde::{Deserialize, Serialize};

use crate::pass::Pass;
use crate::record::{CauseKind, DyingStage, EffectKind, Event};

/// M-180. Work after which the end is not put off any longer, inside the hour of grace; what is still unsold then may use
/// the rest of that hour.
const LIMIT: Duration = Duration::from_secs(30 * 60);
/// Words of a refusal that are kept.
const WHY_CHARS: usize = 240;
/// Passes to wait before the chain is asked again for what cannot be left behind.
const PAUSE: u64 = 5;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dying {
    pub(super) stage: DyingStage,
    pub(super) cause: CauseKind,
    pub(crate) began: UtcTime,
    /// The last pass; passes go on being counted, ticks lived do not.
    pub(crate) pass: Tick,
    pub(super) refusals: u8,
    pub(super) waits_until: Tick,
    /// Declarations that have ended.
    pub(super) asked: u8,
    pub(super) written: bool,
    pub(super) settled: bool,
    /// When a trade was last asked for: what was refused is asked for again, later each time.
    pub(super) sold_at: UtcTime,
    /// M-191. Why the last trade of the settlement was refused.
    pub(crate) why: Option<String>,
}

impl Dying {
    pub(crate) fn begin(cause: CauseKind, began: UtcTime, tick: Tick) -> Self {
        Self {
            stage: DyingStage::Acceptance,
            cause,
            began,
            pass: tick,
            refusals: 0,
            waits_until: tick,
            asked: 0,
            written: false,
            settled: false,
            sold_at: began,
            why: None,
        }
    }

    /// M-180. Whether the end is not put off any longer.
    pub(super) fn is_late(&self, now: UtcTime) -> bool {
        now.since(self.began) >= LIMIT
    }

    /// An effect of the protocol ended; in words when it failed.
    pub(crate) fn land(&mut self, kind: EffectKind, failed: Option<&str>) {
        let refused = failed.is_some();
        let is_of_it = matches!(
            kind,
            EffectKind::Declare { .. } | EffectKind::Trade(_) | EffectKind::WriteTestament | EffectKind::Settle
        );
        if !is_of_it {
            return;
        }
        self.refusals = if refused { self.refusals.saturating_add(1) } else { 0 };
        match kind {
            // Only the chain says whether it knows; a declaration it does not show was refused by it, whoever says done.
            EffectKind::Declare { .. } => {
                self.asked = self.asked.saturating_add(1);
                self.waits_until = self.pass.checked_add(1).unwrap_or(self.pass);
            }
            // What could not be written is not written; the chain still has to be told (M-182).
            EffectKind::WriteTestament => self.written = true,
            EffectKind::Settle => self.settled = !refused,
            EffectKind::Trade(_) => self.why = failed.map(|why| why.chars().take(WHY_CHARS).collect()),
            _ => {}
        }
        if refused {
            self.waits_until = self.pass.checked_add(PAUSE).unwrap_or(self.pass);
        }
    }

    pub(super) fn enter(&mut self, stage: DyingStage, pass: &mut Pass<'_>) {
        self.stage = stage;
        self.refusals = 0;
        self.waits_until = self.pass;
        pass.say(Event::DyingStage(stage));
    }
}
