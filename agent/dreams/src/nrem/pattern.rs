//! What episodes say together: counted, with an interval, and said only when chance is excluded.

use std::collections::BTreeMap;

use golem_grimoire::distil::LEAST_TRIALS;
use golem_grimoire::finding::{Finding, PatternKey, mean_interval};
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::regime::Regime;
use golem_primitives::UtcTime;

use crate::inputs::{Known, Trace};
use crate::number::count;

/// The quarter of a UTC day, 0 to 3.
pub type DayQuarter = u8;

/// The quarter of the day of a moment.
#[must_use]
pub fn day_quarter(at: UtcTime) -> DayQuarter {
    u8::try_from(at.seconds() % UtcTime::DAY_SECONDS / 21_600).expect("below four")
}

/// What a group of episodes is alike in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternId {
    /// Tool, chain and pair.
    pub key: PatternKey,
    /// The regime.
    pub regime: Option<Regime>,
    /// The quarter of the day.
    pub quarter: DayQuarter,
}

impl PatternId {
    /// What an episode is counted under.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        let episode = &trace.recorded.episode;
        Self { key: episode.key.clone(), regime: episode.regime, quarter: day_quarter(episode.happened.at) }
    }
}

/// A pattern that excludes chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// What is alike.
    pub id: PatternId,
    /// What was counted.
    pub finding: Finding,
    /// The episodes, oldest first.
    pub episodes: Vec<EpisodeId>,
}

/// What a pattern is to what is known already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing says it yet.
    Novel,
    /// An entry says the same.
    Confirms(EntryId),
    /// An entry says the opposite.
    Contradicts(EntryId),
}

/// D-087. Groups episodes by tool, pair, regime and quarter of the day; a group of three or more whose interval excludes
/// zero is a pattern, and nothing else is.
#[must_use]
pub fn patterns(traces: &[&Trace]) -> Vec<Pattern> {
    let mut groups: BTreeMap<PatternId, Vec<&Trace>> = BTreeMap::new();
    for trace in traces.iter().filter(|trace| trace.sign() != 0) {
        groups.entry(PatternId::of(trace)).or_default().push(trace);
    }
    groups.into_iter().filter_map(|(id, group)| pattern(id, group)).collect()
}

fn pattern(id: PatternId, mut group: Vec<&Trace>) -> Option<Pattern> {
    let trials = count(group.len());
    if trials < LEAST_TRIALS {
        return None;
    }
    group.sort_by_key(|trace| trace.id());
    let held = count(group.iter().filter(|trace| trace.sign() > 0).count());
    let earned: Option<Vec<i64>> = group.iter().map(|trace| trace.recorded.episode.pnl_micros).collect();
    let earned = earned.and_then(|earned| mean_interval(&earned));
    let finding = Finding { key: id.key.clone(), regime: id.regime, trials, held, earned };
    (finding.sign() != 0).then(|| Pattern { id, finding, episodes: group.iter().map(|trace| trace.id()).collect() })
}

impl Pattern {
    /// What it is to what is known: the first entry, by name, that was counted under the same key and regime.
    #[must_use]
    pub fn standing(&self, known: &[Known]) -> Standing {
        let mut about: Vec<(&Known, &Finding)> = known
            .iter()
            .filter_map(|known| known.finding.as_ref().map(|finding| (known, finding)))
            .filter(|(_, finding)| finding.is_about(&self.finding) && finding.sign() != 0)
            .collect();
        about.sort_by_key(|(known, _)| known.id);
        match about.first() {
            None => Standing::Novel,
            Some((known, finding)) if finding.sign() == self.finding.sign() => Standing::Confirms(known.id),
            Some((known, _)) => Standing::Contradicts(known.id),
        }
    }

    /// A sentence with its numbers; a template and no thought.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Finding { key, trials, held, earned, .. } = &self.finding;
        let regime = self.finding.regime.map_or("any market", Regime::name);
        let hours = (u32::from(self.id.quarter) * 6, u32::from(self.id.quarter) * 6 + 6);
        let earned = earned.map_or_else(String::new, |earned| {
            format!(", mean {} micro-USDC between {} and {}", earned.mean_micros, earned.low_micros, earned.high_micros)
        });
        format!(
            "{key} in {regime} from {:02}:00 to {:02}:00 UTC held {held} of {trials} times{earned}.",
            hours.0, hours.1
        )
    }
}
