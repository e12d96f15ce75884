//! Distillation by counting: what held, how often, in which regime, and how sure one may be. No model is asked.

use std::collections::{BTreeMap, BTreeSet};

use golem_primitives::{GolemId, Ppm, UtcTime};

use crate::confidence::Votes;
use crate::emotion::EmotionalTag;
use crate::entry::{Draft, Knowledge, Method};
use crate::episode::{Ambiguity, DreamPriority, EpisodeKind, Recorded};
use crate::finding::{Finding, LEAST_TRIALS, PatternKey, expects, mean_interval};
use crate::id::{EntryId, EpisodeId, Moment};
use crate::kind::Kind;
use crate::regime::Regime;
use crate::shelf::Grimoire;
use crate::status::{Archived, Entry};
use crate::thesis::Thesis;

mod told;
mod warning;
pub(crate) mod words;

use words::{heuristic, statement};

/// G-148. Agreement above which it is said, and below which it is asked.
pub const COHERENCE: Ppm = Ppm::of(700_000);
/// G-143. New episodes of one key that ask for distillation before the Curator's turn.
pub const EARLY_EPISODES: usize = 10;
/// Trials from which an insight that excludes chance becomes a rule of action.
const HEURISTIC_TRIALS: u32 = 10;
/// G-141. Ticks after which a lonely episode is handed to dreams.
const LONELY_TICKS: u64 = 50;

/// Episodes of one key and regime that had an outcome.
#[derive(Debug, Clone, Default)]
pub struct Group<'a> {
    /// All of them, oldest first.
    pub all: Vec<&'a Recorded>,
    /// Those no cycle has looked at.
    pub fresh: Vec<&'a Recorded>,
}

impl Group<'_> {
    /// G-041, G-191. What was felt in the newest of them that was felt at all: the feeling in which something is learnt of them.
    fn felt(&self) -> Option<EmotionalTag> {
        self.all.iter().rev().find_map(|recorded| recorded.episode.emotion)
    }

    /// How many held, and of how many.
    fn count(episodes: &[&Recorded]) -> (u32, u32) {
        let held = episodes.iter().filter(|recorded| recorded.episode.held() == Some(true)).count();
        (u32::try_from(held).unwrap_or(u32::MAX), u32::try_from(episodes.len()).unwrap_or(u32::MAX))
    }

    /// G-013, G-155. Whether a rule of action may come of them: claims that were measured in money and judged whether or
    /// not anything was done. What was done bears insights alone: a rule against it would end its own evidence and could
    /// never be refuted. And a claim without money says what to expect, not what to do. The newest must agree: what a
    /// whole life proves and the last cycle denies is on its way out, and would be refuted as soon as it is said.
    #[must_use]
    pub fn bears_rule(&self, finding: &Finding) -> bool {
        let is_claim = |recorded: &&Recorded| {
            recorded.episode.kind == EpisodeKind::Observation && recorded.episode.pnl_micros.is_some()
        };
        let fresh: i128 = self.fresh.iter().filter_map(|recorded| recorded.episode.pnl_micros).map(i128::from).sum();
        let agrees = fresh.signum() == i128::from(finding.sign());
        self.all.iter().all(is_claim) && agrees
    }

    /// How many of the new ones speak for doing it, and of how many. Where money was measured each speaks with what it
    /// earned or lost, for a rule is made by what it earns on average: a few large losses refute many small gains. Where
    /// all moved the same it is the count.
    fn weigh(&self) -> (u32, u32) {
        let (held, trials) = Self::count(&self.fresh);
        let moved: Option<Vec<i64>> = self.fresh.iter().map(|recorded| recorded.episode.pnl_micros).collect();
        let moved = moved.unwrap_or_default();
        let total: u128 = moved.iter().map(|micros| u128::from(micros.unsigned_abs())).sum();
        if total == 0 {
            return (held, trials);
        }
        let gained: u128 =
            moved.iter().filter(|micros| **micros > 0).map(|micros| u128::from(micros.unsigned_abs())).sum();
        let share = (u128::from(trials) * gained * 2 + total) / (total * 2);
        (u32::try_from(share).unwrap_or(trials).min(trials), trials)
    }

    /// What is counted in all of them.
    #[must_use]
    pub fn finding(&self, key: &PatternKey, regime: Option<Regime>) -> Finding {
        let (held, trials) = Self::count(&self.all);
        let earned: Vec<i64> = self.all.iter().filter_map(|recorded| recorded.episode.pnl_micros).collect();
        let is_measured = !earned.is_empty() && earned.len() == self.all.len();
        let earned = if is_measured { mean_interval(&earned) } else { None };
        Finding { key: key.clone(), regime, trials, held, earned }
    }
}

/// G-148. How much a finding agrees with itself: the share of the larger side.
#[must_use]
pub fn coherence(finding: &Finding) -> Ppm {
    if finding.trials == 0 {
        return Ppm::ZERO;
    }
    let larger = finding.held.max(finding.trials.saturating_sub(finding.held));
    Ppm::saturating(u64::from(larger) * 1_000_000 / u64::from(finding.trials))
}

/// G-142. Groups episodes with an outcome by tool, chain and pair, and by regime, so that like is counted with like.
#[must_use]
pub fn group(episodes: &[Recorded]) -> BTreeMap<(PatternKey, Option<Regime>), Group<'_>> {
    let mut groups: BTreeMap<(PatternKey, Option<Regime>), Group<'_>> = BTreeMap::new();
    for recorded in episodes {
        if recorded.episode.held().is_none() || recorded.notes.is_forgotten {
            continue;
        }
        let group = groups.entry((recorded.episode.key.clone(), recorded.episode.regime)).or_default();
        group.all.push(recorded);
        if !recorded.notes.is_consolidated {
            group.fresh.push(recorded);
        }
    }
    for group in groups.values_mut() {
        group.all.sort_by_key(|recorded| recorded.episode.id);
        group.fresh.sort_by_key(|recorded| recorded.episode.id);
    }
    groups
}

/// G-143. Whether a strategy has gathered ten new episodes and need not wait for the cycle.
#[must_use]
pub fn is_due_early(episodes: &[Recorded]) -> bool {
    group(episodes).values().any(|group| group.fresh.len() >= EARLY_EPISODES)
}

/// What distillation wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// G-142. A new statement, to stand at the gate.
    Add(Box<Draft>),
    /// A statement that burned here once and is confirmed again: it stands at the gate with its record, not afresh.
    Again {
        draft: Box<Draft>,
        /// What contradicted it then and what confirms it now.
        votes: Votes,
    },
    /// G-142. Evidence for and against an entry.
    Vote { id: EntryId, votes: Votes },
    /// G-142. The same statement with more behind it.
    Edit {
        id: EntryId,
        finding: Finding,
        /// The episodes that were added.
        parents: BTreeSet<EpisodeId>,
    },
    /// G-170. A question was answered by counting on.
    Answer { question: EntryId, key: PatternKey, regime: Option<Regime> },
}

/// What a round of distillation wants, looked at and noted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distillation {
    pub operations: Vec<Operation>,
    pub consolidated: BTreeSet<EpisodeId>,
    /// G-141. Episodes to be dreamt of.
    pub tags: BTreeMap<EpisodeId, (DreamPriority, Ambiguity)>,
    /// W-26. When something was done that now spoke for or against an entry, once for each.
    pub taught: Vec<UtcTime>,
}

/// Living entries made by counting under a key and regime.
fn keyed<'a>(
    grimoire: &'a Grimoire,
    key: &'a PatternKey,
    regime: Option<Regime>,
) -> impl Iterator<Item = &'a Knowledge> + 'a {
    grimoire.living().filter(move |entry| match &entry.draft.method {
        Method::Rules(finding) => finding.key == *key && finding.regime == regime,
        _ => false,
    })
}

/// What an entry expects of an episode: what its thesis says.
fn entry_expects(entry: &Knowledge) -> Option<bool> {
    Thesis::of(&entry.draft).map(|thesis| thesis.holds)
}

/// G-142 to G-144, G-148. Distils what no cycle has looked at. Entries under the key take the new episodes as votes and
/// count on; where there is none, three or more that agree make a statement or confirm an archived one, and those that do
/// not make a question. What another Golem said under the key is voted on by the same episodes and counted by nobody else.
#[must_use]
pub fn distil(golem: &GolemId, grimoire: &Grimoire, episodes: &[Recorded], now: Moment) -> Distillation {
    let mut out = Distillation::default();
    for ((key, regime), group) in group(episodes) {
        if group.fresh.is_empty() {
            continue;
        }
        let finding = group.finding(&key, regime);
        let before = out.operations.len();
        warning::weigh(golem, grimoire, &group, &finding, now, &mut out);
        if finding.trials < LEAST_TRIALS {
            tag_lonely(&group, now, &mut out);
            continue;
        }
        told::weigh(grimoire, &group, &finding, &mut out);
        let is_coherent = coherence(&finding) > COHERENCE;
        let parents: BTreeSet<EpisodeId> = group.all.iter().map(|recorded| recorded.episode.id).collect();
        let (mut says, mut acts, mut asks) = (None, false, None);
        for entry in keyed(grimoire, &key, regime).filter(|entry| entry.kind() != Kind::Warning) {
            match (entry.is_open_question(), entry.kind()) {
                (true, _) => asks = Some(entry.id),
                (false, Kind::Heuristic) => acts = true,
                (false, _) => says = Some(entry.id),
            }
            if !entry.is_open_question() {
                vote(entry, &group, &mut out);
            }
            out.operations.push(Operation::Edit { id: entry.id, finding: finding.clone(), parents: parents.clone() });
        }
        match (says, asks) {
            (None, None) if !is_coherent => {
                out.operations
                    .push(Operation::Add(Box::new(felt_draft(&group, statement(golem, &finding, parents, now, true)))));
            }
            (None, _) if is_coherent => {
                let draft = felt_draft(&group, statement(golem, &finding, parents, now, false));
                if say(grimoire, &group, &finding, draft, &mut out)
                    && let Some(question) = asks
                {
                    out.operations.push(Operation::Answer { question, key: key.clone(), regime });
                }
            }
            (Some(insight), _) if !acts && group.bears_rule(&finding) => {
                if let Some(draft) = heuristic(golem, &finding, insight, parents, now) {
                    say(grimoire, &group, &finding, felt_draft(&group, draft), &mut out);
                }
            }
            _ => {}
        }
        tag_contrary(&group, &finding, is_coherent, &mut out);
        if out.operations[before..].iter().any(|wanted| matches!(wanted, Operation::Vote { .. })) {
            let done = group.fresh.iter().filter(|recorded| recorded.episode.kind == EpisodeKind::Action);
            out.taught.extend(done.map(|recorded| recorded.episode.happened.at));
        }
        out.consolidated.extend(group.fresh.iter().map(|recorded| recorded.episode.id));
    }
    out
}

/// G-041. A draft with the feeling in which it is learnt.
fn felt_draft(group: &Group<'_>, draft: Draft) -> Draft {
    Draft { emotion: group.felt(), ..draft }
}

/// What the new episodes of a group say for and against an entry of that type.
fn votes(kind: Kind, is_expected: bool, group: &Group<'_>) -> Votes {
    let (held, trials) = if kind == Kind::Heuristic { group.weigh() } else { Group::count(&group.fresh) };
    if is_expected { Votes { up: held, down: trials - held } } else { Votes { up: trials - held, down: held } }
}

fn vote(entry: &Knowledge, group: &Group<'_>, out: &mut Distillation) {
    let Some(is_expected) = entry_expects(entry) else { return };
    out.operations.push(Operation::Vote { id: entry.id, votes: votes(entry.kind(), is_expected, group) });
}

/// G-069, GG-5. Says what a draft says, and answers whether it is now said. What was said before and archived comes back
/// with the confidence it was left with, and only if the new episodes confirm it: said anew it would start afresh at what
/// one's own word is worth, however often it had failed. What burned was contradicted and never confirmed: said again it
/// begins with that on its record.
fn say(grimoire: &Grimoire, group: &Group<'_>, finding: &Finding, draft: Draft, out: &mut Distillation) -> bool {
    let Some(thesis) = Thesis::of(&draft) else { return false };
    let votes = votes(thesis.kind, thesis.holds, group);
    if let Some(id) = shelved(grimoire, &thesis, |method| matches!(method, Method::Rules(_))) {
        if !votes.confirm() {
            return false;
        }
        out.operations.push(Operation::Vote { id, votes });
        out.operations.push(Operation::Edit { id, finding: finding.clone(), parents: draft.parents });
        return true;
    }
    match grimoire.refuted(&thesis) {
        None => out.operations.push(Operation::Add(Box::new(draft))),
        Some(_) if !votes.confirm() => return false,
        Some(times) => {
            let votes = votes.plus(Votes { up: 0, down: times });
            out.operations.push(Operation::Again { draft: Box::new(draft), votes });
        }
    }
    true
}

/// The entry last archived that says this and came to be said so.
fn shelved(grimoire: &Grimoire, thesis: &Thesis, is_said_so: fn(&Method) -> bool) -> Option<EntryId> {
    let says_it = |archived: &&Archived| {
        let draft = &archived.knowledge().draft;
        is_said_so(&draft.method) && Thesis::of(draft).as_ref() == Some(thesis)
    };
    let archived = grimoire.entries().filter_map(|entry| match entry {
        Entry::Archived(archived) => Some(archived),
        _ => None,
    });
    archived.filter(says_it).map(|archived| (archived.at(), archived.knowledge().id)).max().map(|(_, id)| id)
}

/// G-141. Too few of a kind, for a while: perhaps a dream knows more.
fn tag_lonely(group: &Group<'_>, now: Moment, out: &mut Distillation) {
    for recorded in &group.fresh {
        if now.tick.since(recorded.episode.happened.tick) >= LONELY_TICKS {
            out.tags.insert(recorded.episode.id, (DreamPriority::Medium, Ambiguity::InsufficientEvidence));
        }
    }
}

/// G-141. Episodes that go against a pattern which otherwise agrees, and all of a pattern that does not.
fn tag_contrary(group: &Group<'_>, finding: &Finding, is_coherent: bool, out: &mut Distillation) {
    for recorded in &group.fresh {
        let agrees = recorded.episode.held() == Some(expects(finding));
        let tag = match (is_coherent, agrees) {
            (true, true) => continue,
            (true, false) => (DreamPriority::High, Ambiguity::ContradictoryPattern),
            (false, _) => (DreamPriority::Medium, Ambiguity::UnresolvedConflict),
        };
        out.tags.insert(recorded.episode.id, tag);
    }
}
