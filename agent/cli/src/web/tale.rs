//! What happened in a life that a page draws: claims that were judged, changes of rules, deaths that were recalled,
//! signs that were sensed.

use std::collections::VecDeque;

use eyre::Result;
use golem_core::record::{Event, RuleChange, Scent};
use golem_primitives::UtcTime;
use golem_store::Reader;
use golem_view::{ClaimPicture, Number, RecalledMark, RuleStep, SensedMark};

/// Events read at once, and the most that are gone back for a long life.
const PAGE: usize = 4_096;
const MOST_EVENTS: u64 = 400_000;
/// Most that is kept of each.
const MOST_CLAIMS: usize = 2_000;
const MOST_STEPS: usize = 500;

/// What was heard so far.
#[derive(Default)]
pub(super) struct Tale {
    /// The next event to read.
    next: u64,
    pub(super) claims: VecDeque<ClaimPicture>,
    pub(super) steps: VecDeque<RuleStep>,
    pub(super) recalled: VecDeque<RecalledMark>,
    pub(super) sensed: VecDeque<SensedMark>,
}

impl Tale {
    /// Reads what is new.
    pub(super) fn hear(&mut self, reader: &Reader) -> Result<()> {
        if self.next == 0 {
            let newest = reader.events_before(u64::MAX, 1)?.last().map_or(0, |event| event.id);
            self.next = newest.saturating_sub(MOST_EVENTS).max(1);
        }
        loop {
            let page = reader.events(self.next, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            self.next = last.id + 1;
            for stored in &page {
                match &stored.event {
                    Event::PredictionResolved { prediction, verdict } => {
                        keep(&mut self.claims, ClaimPicture::of(prediction, *verdict, stored.tick), MOST_CLAIMS);
                    }
                    Event::Rule(changed) => {
                        let step = RuleStep {
                            tick: stored.tick,
                            pool: changed.pool.to_string(),
                            rule: changed.rule.clone(),
                            number: changed.number,
                            change: changed.change.in_words(),
                            evidence: evidence(&changed.change).map(Number),
                        };
                        keep(&mut self.steps, step, MOST_STEPS);
                    }
                    Event::DeathRecalled { pool, stain } => {
                        let mark = RecalledMark {
                            tick: stored.tick,
                            pool: pool.to_string(),
                            died_of: stain.died_of.name(),
                            died: UtcTime::from_seconds(stain.time),
                        };
                        keep(&mut self.recalled, mark, MOST_STEPS);
                    }
                    Event::SignSensed(scent) => {
                        let Scent { domain, class, intensity, confirmations } = *scent;
                        let (class, domain) = (class.name(), domain.name());
                        let mark = SensedMark { tick: stored.tick, class, domain, intensity, confirmations };
                        keep(&mut self.sensed, mark, MOST_STEPS);
                    }
                    _ => {}
                }
            }
        }
    }
}

fn keep<T>(kept: &mut VecDeque<T>, one: T, most: usize) {
    if kept.len() == most {
        kept.pop_front();
    }
    kept.push_back(one);
}

/// The number that decided, where one did.
const fn evidence(change: &RuleChange) -> Option<f64> {
    match change {
        RuleChange::OnTrial { evidence }
        | RuleChange::Promoted { evidence, .. }
        | RuleChange::Rested { evidence, .. }
        | RuleChange::Woken { evidence }
        | RuleChange::MadeRoom { evidence }
        | RuleChange::Refuted { evidence, .. } => Some(*evidence),
        RuleChange::Staged { .. }
        | RuleChange::Withdrawn { .. }
        | RuleChange::Refused { .. }
        | RuleChange::Approved
        | RuleChange::Rejected => None,
    }
}
