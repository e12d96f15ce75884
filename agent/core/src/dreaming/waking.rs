//! What waking ticks do with dreams: they count what presses for one, decide what one staged, and glance back.

use std::collections::BTreeMap;

use golem_daimon::dream::DreamTrace;
use golem_dreams::inputs::Trace;
use golem_dreams::integration::staging::{Evidence, RevisionType, RowStatus, Staged, Staging};
use golem_dreams::micro::{self, Glance};
use golem_dreams::nrem::pattern::PatternId;
use golem_dreams::rem::creative::judged_outside;
use golem_dreams::rem::hypothesis::Origin;
use golem_dreams::rem::threat::Guard;
use golem_dreams::urgency::{SURPRISES, relieved};
use golem_grimoire::episode::Recorded;
use golem_grimoire::finding::{Finding, PatternKey, mean_interval};
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::regime::Regime;
use golem_primitives::{Bps, Ppm, Tick};

use super::freeze::known;
use super::{Seen, Sources, arousal_of, surprise_of};
use crate::dreams::Dreams;
use crate::record::Recollection;

/// D-038. Episodes over which a load is felt.
const LOAD_EPISODES: usize = 50;
/// D-093. Ticks after which a fall has shown what leaving would have saved.
const FALL_TICKS: u64 = 50;
/// Seconds within which a guard's fall happens.
const FALL_SECS: u64 = 300;

/// What memory counts at the end of a tick.
#[derive(Debug, Clone, Copy)]
pub struct Lately<'a> {
    /// Episodes lived.
    pub episodes: u64,
    /// Of them those no dream has replayed.
    pub unreplayed: u64,
    /// The newest fifty or more, in any order.
    pub newest: &'a [Recorded],
    /// What dreams did to their feelings.
    pub feelings: &'a BTreeMap<EpisodeId, DreamTrace>,
    /// D-016. Whether a configured window is open.
    pub is_window_open: bool,
    /// D-219. Whether a glance that was just taken left something unresolved.
    pub glance: Option<bool>,
    /// D-229. Rows that a sweep just validated, and those it refuted.
    pub decided: (u16, u16),
}

/// D-038, D-039, DG-3. What a life is told of its memory. What was felt before the last whole dream weighs three tenths.
#[must_use]
pub fn recollect(dreams: &Dreams, lately: &Lately<'_>) -> Recollection {
    let mut newest: Vec<&Recorded> = lately.newest.iter().collect();
    newest.sort_by_key(|recorded| std::cmp::Reverse((recorded.episode.happened, recorded.episode.id)));
    let load = |recorded: &&Recorded| {
        let arousal = arousal_of(recorded, lately.feelings);
        let was_dreamt = dreams.relieved().is_some_and(|last| recorded.episode.happened.tick <= last);
        u64::from(if was_dreamt { relieved(arousal) } else { arousal }.get())
    };
    let felt: Vec<u64> = newest.iter().take(LOAD_EPISODES).map(load).collect();
    let mean = felt.iter().sum::<u64>().checked_div(felt.len() as u64).unwrap_or(0);
    let said = newest.iter().filter_map(|recorded| surprise_of(recorded));
    let mut surprises: Vec<Ppm> = said.take(SURPRISES).collect();
    surprises.reverse();
    Recollection {
        episodes: lately.episodes,
        unreplayed: lately.unreplayed,
        arousal: Ppm::saturating(mean),
        surprises,
        is_window_open: lately.is_window_open,
        glance: lately.glance,
        validated: lately.decided.0,
        refuted: lately.decided.1,
    }
}

/// D-216 to D-220. One glance between dreams: strengths and tags, and nothing else.
#[must_use]
pub fn glance(sources: &Sources<'_>, now: Moment) -> Glance {
    let mut newest: Vec<&Recorded> = sources.episodes.iter().collect();
    newest.sort_by_key(|recorded| std::cmp::Reverse((recorded.episode.happened, recorded.episode.id)));
    let vectors = &sources.shelf.episode_vectors;
    let of = |recorded: &&Recorded| Trace {
        vector: vectors.get(&recorded.episode.id).cloned(),
        ..Trace::from((*recorded).clone())
    };
    let traces: Vec<Trace> = newest.iter().take(micro::EPISODES).map(of).collect();
    micro::glance(&traces, &known(sources, now))
}

/// D-154, D-159. What a sweep changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Swept {
    /// Rows that are not as they were, as they are now.
    pub rows: Vec<Staged>,
    /// Of them those that may stand at the gate now.
    pub validated: u16,
    /// And those shown wrong.
    pub refuted: u16,
}

/// D-154 to D-156, D-159. Holds every open row against what was lived since it was staged: each episode speaks once, and
/// only of what the row says in the words this code gives it. A row in a model's own words is decided by its owner, or
/// expires: nobody can have one thing confirmed and another thing said.
#[must_use]
pub fn sweep(sources: &Sources<'_>, now: Moment) -> Swept {
    let before = &sources.shelf.staging;
    let mut table: Staging = before.clone();
    let mut met: Vec<(EntryId, Evidence)> = Vec::new();
    for row in before.live() {
        met.extend(evidence(row, sources).into_iter().map(|evidence| (row.id, evidence)));
    }
    table.sweep(&met);
    table.expire(now.tick);
    let mut swept = Swept::default();
    for (was, is) in before.rows().iter().zip(table.rows()) {
        if was == is {
            continue;
        }
        swept.validated += u16::from(is.status == RowStatus::Validated && was.status != RowStatus::Validated);
        swept.refuted += u16::from(is.status == RowStatus::Refuted && was.status != RowStatus::Refuted);
        swept.rows.push(is.clone());
    }
    swept
}

/// What was lived that meets a row's criterion, oldest first.
fn evidence(row: &Staged, sources: &Sources<'_>) -> Vec<Evidence> {
    let mut lived: Vec<&Recorded> =
        sources.episodes.iter().filter(|recorded| recorded.episode.happened.tick > row.staged_at).collect();
    lived.sort_by_key(|recorded| (recorded.episode.happened, recorded.episode.id));
    let judged = |speaks: &dyn Fn(&Recorded) -> Option<bool>| {
        let heard = lived.iter().filter_map(|recorded| Some((recorded.episode.id, speaks(recorded)?)));
        heard.map(|(episode, agrees)| Evidence { episode, agrees }).collect()
    };
    match row.revision {
        RevisionType::AddHeuristic => match pattern_of(row, sources) {
            Some((id, sign)) => judged(&|recorded| {
                let is_about = PatternId::of(&Trace::from(recorded.clone())) == id;
                recorded.episode.held().filter(|_| is_about).map(|held| held == (sign > 0))
            }),
            None => Vec::new(),
        },
        RevisionType::ModifyHeuristic => match weighed_down(row, sources) {
            Some(rule) => judged(&|recorded| {
                let episode = &recorded.episode;
                let is_about =
                    episode.key == rule.key && rule.regime.is_none_or(|regime| episode.regime == Some(regime));
                episode.held().filter(|_| is_about).map(|held| held != (rule.sign() > 0))
            }),
            None => Vec::new(),
        },
        RevisionType::AddGuard => {
            guard_of(row).map(|guard| falls(&guard, row.staged_at, sources, &lived)).unwrap_or_default()
        }
        RevisionType::Hypothesis => match turned(row, sources) {
            Some((key, regime, sign)) => judged(&|recorded| {
                let episode = &recorded.episode;
                let is_about = episode.key == key && episode.regime.is_some_and(|other| other != regime);
                episode.held().filter(|_| is_about).map(|held| held == (sign > 0))
            }),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The episodes a row names, each once; `None` when one of them is not known any more.
fn behind(row: &Staged, sources: &Sources<'_>) -> Option<Vec<Trace>> {
    let all = sources.episodes.iter().chain(&sources.shelf.behind);
    let named = all.filter(|recorded| row.evidence.contains(&recorded.episode.id));
    let found: BTreeMap<EpisodeId, &Recorded> = named.map(|recorded| (recorded.episode.id, recorded)).collect();
    (found.len() == row.evidence.len()).then(|| found.into_values().map(|one| Trace::from(one.clone())).collect())
}

/// D-115, D-154. The rule with its condition turned round that a row supposes, and which way it points outside the regime:
/// counted again from the episodes it names, and only if the row says it in our words.
fn turned(row: &Staged, sources: &Sources<'_>) -> Option<(PatternKey, Regime, i8)> {
    if row.origin != Origin::Creative {
        return None;
    }
    let behind = behind(row, sources)?;
    let key = behind.first()?.recorded.episode.key.clone();
    let regime = *Regime::ALL.iter().find(|regime| row.criterion == judged_outside(&key, **regime))?;
    let is_outside = |trace: &Trace| trace.recorded.episode.regime.is_some_and(|other| other != regime);
    let is_alike = behind.iter().all(|trace| trace.recorded.episode.key == key && is_outside(trace));
    let sign = counted(key.clone(), None, &behind).sign();
    (is_alike && sign != 0).then_some((key, regime, sign))
}

/// What episodes come to.
fn counted(key: PatternKey, regime: Option<Regime>, behind: &[Trace]) -> Finding {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let earned: Option<Vec<i64>> = behind.iter().map(|trace| trace.recorded.episode.pnl_micros).collect();
    Finding {
        key,
        regime,
        trials: count(behind.len()),
        held: count(behind.iter().filter(|trace| trace.sign() > 0).count()),
        earned: earned.and_then(|earned| mean_interval(&earned)),
    }
}

/// The pattern a row was made of, and which way it points: counted again from the episodes it names, and only if the row
/// says in our words what they say.
fn pattern_of(row: &Staged, sources: &Sources<'_>) -> Option<(PatternId, i8)> {
    if row.origin != Origin::Replay {
        return None;
    }
    let behind = behind(row, sources)?;
    let id = PatternId::of(behind.first()?);
    let finding = counted(id.key.clone(), id.regime, &behind);
    let hours = (u32::from(id.quarter) * 6, u32::from(id.quarter) * 6 + 6);
    let regime = id.regime.map_or("any market", Regime::name);
    let says = format!("{} in {regime} from {:02}:00 to {:02}:00 UTC held ", id.key, hours.0, hours.1);
    let is_alike = behind.iter().all(|trace| PatternId::of(trace) == id);
    let is_said = row.proposed.starts_with(&says) && row.criterion.starts_with(&id.key.to_string());
    (is_alike && is_said && finding.sign() != 0).then(|| (id, finding.sign()))
}

/// The rule a row would lower, if it says in our words which.
fn weighed_down<'a>(row: &Staged, sources: &'a Sources<'_>) -> Option<&'a Finding> {
    let named = row.current.as_deref()?;
    let entry = sources.grimoire.living().find(|entry| entry.id.to_string() == named)?;
    let is_said = row.criterion == format!("{named} is tried again and fails");
    entry.draft.counted().filter(|rule| is_said && rule.sign() != 0)
}

/// D-134. The guard a row proposes, if it proposes one in our words.
pub(super) fn guard_of(row: &Staged) -> Option<Guard> {
    if row.revision != RevisionType::AddGuard || row.origin != Origin::Threat {
        return None;
    }
    let (asset, fall) = row.criterion.strip_suffix(" bps or more")?.split_once(" falls by ")?;
    Some(Guard { asset: asset.to_owned(), threshold: Bps::saturating(fall.parse().ok()?) })
}

/// D-152. Falls a guard would have spoken at, each with whether leaving there would have saved anything.
fn falls(guard: &Guard, since: Tick, sources: &Sources<'_>, lived: &[&Recorded]) -> Vec<Evidence> {
    let looks = &sources.shelf.looks;
    let is_fall = |at: usize| {
        let now = &looks[at];
        let recent = looks[..at].iter().rev().take_while(|seen| now.at.since(seen.at).as_secs() <= FALL_SECS);
        recent.map(|seen| seen.price).max().is_some_and(|peak| fell(peak.micros(), now.price.micros(), guard.threshold))
    };
    let (mut spoken, mut met) = (since, Vec::new());
    for (at, now) in looks.iter().enumerate().filter(|(_, seen)| seen.tick > since) {
        if now.tick <= spoken || !is_fall(at) {
            continue;
        }
        let Some(due) = now.tick.checked_add(FALL_TICKS) else { break };
        let Some(after) = looks[at..].iter().find(|seen: &&Seen| seen.tick >= due) else { break };
        spoken = due;
        let told = lived.iter().find(|recorded| recorded.episode.happened.tick == now.tick);
        met.extend(told.map(|recorded| Evidence { episode: recorded.episode.id, agrees: after.price < now.price }));
    }
    met
}

/// Whether a price fell by so many basis points or more.
fn fell(from: u64, to: u64, by: Bps) -> bool {
    let fall = u128::from(from.saturating_sub(to)) * 10_000;
    fall > 0 && fall >= u128::from(from) * u128::from(by.get().unsigned_abs())
}
