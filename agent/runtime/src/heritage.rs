//! What was handed down to a life at its birth, kept in its store: to measure itself against, and to prove where it came
//! from (I-005, I-205).

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::{Learnt, Scar};
use golem_dreams::inputs::InheritedHypothesis;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::gate::{Admission, GateExcuse, GateReading, KeyRecord, rule_recency, rule_utility};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::regime::RegimeBelief;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::{Candidate, Entry};
use golem_inheritance::arrival::SectionWeighing;
use golem_inheritance::birth::{adopt_all, is_uncertain};
use golem_inheritance::heir::{Adoption, Heir};
use golem_inheritance::novelty::{Inherited, NoveltyBand, Ranked, Space, ValidationQueue, rank};
use golem_inheritance::testament::heirloom;
use golem_inheritance::weismann::WeismannLaw;
use golem_ports::{FIRST_SUPPOSED_NOTE, Store};
use golem_primitives::{AgentId, B256, GolemId, Ppm};
use serde::{Deserialize, Serialize};

use crate::death::legacy::LegacyBundle;
use crate::error::RuntimeError;
use crate::notes;

/// The note under which the store keeps it.
pub const HERITAGE_NOTE: &str = "heritage";

/// What was handed down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heritage {
    pub predecessor: GolemId,
    /// The predecessor's identity on chain.
    pub agent: Option<AgentId>,
    /// I-161. The heir's own generation.
    pub generation: u32,
    /// The hash of the testament it read, as the chain records it.
    pub testament: B256,
    /// The SHA-256 of the bundle it took the entries from; zero when it took none.
    pub bundle: B256,
    /// I-205. The predecessor's last PLAYBOOK.md, to read and to measure against.
    pub playbook: String,
    /// Every entry that was offered, in the order of validation.
    pub entries: Vec<Handed>,
    /// S-085. What the predecessor suffered above one half, as warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scars: Vec<Scar>,
    /// D-206, D-247. What the predecessor supposed and could not try, for the heir's first dreams.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<InheritedHypothesis>,
    /// P-062. What the predecessor had learnt of its market.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learnt: Option<Learnt>,
}

/// One entry that was offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// Which; the name is the predecessor's.
    pub id: EntryId,
    /// I-162. What it was worth before the barrier.
    pub bequeathed: Confidence,
    /// What it was worth on arrival; `None` when it was not let in.
    pub arrived: Option<Confidence>,
    /// What became of it: `candidate`, or why not.
    pub fate: String,
    /// I-051. How it stands in the queue of validation; absent of one that was handed down before that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Rank>,
}

/// I-051 to I-056. How surprising an entry was to its heir at birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rank {
    /// I-052. How far it lay from what the heir began with.
    pub novelty: Ppm,
    /// I-055. Whether it waits or is put off as nearly known.
    pub band: NoveltyBand,
    /// I-056. Whether it is a suspicion to be looked into first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_priority: bool,
}

impl Handed {
    /// What the queue of validation reads of it; `None` for what was not let in. Nothing measured is new.
    fn ranked(&self) -> Option<Ranked> {
        let rank = self.rank.unwrap_or(Rank { novelty: Ppm::ONE, band: NoveltyBand::Queue, is_priority: false });
        Some(Ranked { id: self.id, novelty: rank.novelty, band: rank.band, confidence: self.arrived? })
    }
}

impl Heritage {
    /// I-290. The record alone, of an heir that takes no genome over and can still measure itself.
    #[must_use]
    pub fn without_genome(left: &LegacyBundle, heir: &Heir) -> Self {
        Self {
            predecessor: left.golem,
            agent: left.kin.agent,
            generation: heir.generation,
            testament: left.sealed().testament,
            bundle: B256::ZERO,
            playbook: left.testament.testament.playbook.clone(),
            entries: Vec::new(),
            scars: left.scars(),
            hypotheses: Vec::new(),
            learnt: None,
        }
    }

    /// What a store says of its life's descent; `None` for a first generation.
    pub fn read<S: Store>(store: &S) -> Result<Option<Self>, RuntimeError> {
        Ok(notes::read(store, HERITAGE_NOTE)?)
    }

    /// D-206. What an heir's next dream is to take up first: all that was handed down, until a dream took it.
    pub(crate) fn to_suppose<S: Store>(store: &S) -> Result<Vec<InheritedHypothesis>, RuntimeError> {
        if store.note(FIRST_SUPPOSED_NOTE)?.is_some() {
            return Ok(Vec::new());
        }
        Ok(Self::read(store)?.map(|heritage| heritage.hypotheses).unwrap_or_default())
    }

    /// I-005, I-024, I-040, I-051. The queue of validation as it stands: what is still a candidate and whose trial has not
    /// `begun`, suspicions first, then by surprise and market; near doubles put off; what burned here is refused.
    #[must_use]
    pub fn queue(&self, grimoire: &Grimoire, belief: &RegimeBelief, begun: &BTreeSet<EntryId>) -> ValidationQueue {
        let came = || self.entries.iter().filter_map(|handed| Some((handed, handed.ranked()?)));
        let is_first = |handed: &Handed| handed.rank.is_some_and(|rank| rank.is_priority);
        let waits = |handed: &Handed, wanted: bool| {
            let is_candidate = matches!(grimoire.get(handed.id), Some(Entry::Candidate(_)));
            is_candidate && !begun.contains(&handed.id) && is_first(handed) == wanted
        };
        let regime = |id| grimoire.get(id).and_then(Entry::knowledge).and_then(|known| known.draft.regime);
        let of = |wanted: bool| {
            let waiting = came().filter(move |(handed, _)| waits(handed, wanted));
            ValidationQueue::weighed(waiting.map(|(_, one)| (one, regime(one.id))), belief)
        };
        let mut queue = of(true).followed_by(of(false));
        for (_, one) in came().filter(|(handed, _)| matches!(grimoire.get(handed.id), Some(Entry::Burned(_)))) {
            queue.reject(one);
        }
        queue
    }

    /// I-051, I-271. The queue of one that is not born yet, in a market nobody knows.
    #[must_use]
    pub fn newborn(&self, candidates: &[Candidate]) -> ValidationQueue {
        let entries = candidates.iter().cloned().map(Entry::Candidate);
        self.queue(&Grimoire::from_entries(entries), &RegimeBelief::unknown(), &BTreeSet::new())
    }

    /// The note.
    #[must_use]
    pub fn to_note(&self) -> String {
        serde_json::to_string(self).expect("plain data with text keys")
    }
}

/// I-005, I-020, I-051, I-362. What a newborn takes over of a bundle: candidates alone, discounted by the barrier once,
/// in the order in which it shall validate them; and the record of it. `excluded` are entries that were found to lie
/// before they came here.
#[must_use]
pub fn inherit(
    left: &LegacyBundle,
    heir: &Heir,
    excluded: &BTreeMap<EntryId, String>,
    now: Moment,
) -> (Vec<Candidate>, Heritage) {
    inherit_in(&Space::default(), left, heir, excluded, now)
}

/// I-050 to I-053. The same, ranked in the heir's own space by what it begins with.
#[must_use]
pub fn inherit_in(
    space: &Space,
    left: &LegacyBundle,
    heir: &Heir,
    excluded: &BTreeMap<EntryId, String>,
    now: Moment,
) -> (Vec<Candidate>, Heritage) {
    let (mut candidates, mut entries) = (Vec::new(), Vec::new());
    for (entry, ranked, adoption) in adopt_all(&left.bequest.entries, heir, &WeismannLaw::default(), space, now) {
        let rank = Some(Rank { novelty: ranked.novelty, band: ranked.band, is_priority: false });
        let handed = |arrived, fate: String| Handed { id: entry.id, bequeathed: entry.bequeathed, arrived, fate, rank };
        if let Some(why) = excluded.get(&entry.id) {
            entries.push(handed(None, why.clone()));
            continue;
        }
        match adoption {
            Adoption::Excluded(_) => entries.push(handed(None, "the autopsy says to leave it out".to_owned())),
            Adoption::Judged(Admission::Admitted(candidate)) => {
                entries.push(handed(Some(candidate.knowledge().confidence), "candidate".to_owned()));
                candidates.push(*candidate);
            }
            Adoption::Judged(other) => entries.push(handed(None, refusal(&other))),
        }
    }
    let told = told(left, heir, space, now);
    entries.extend(told.iter().map(|(candidate, rank)| {
        let known = candidate.knowledge();
        let (id, worth) = (known.id, known.confidence);
        let bequeathed = known.draft.original_confidence;
        Handed { id, bequeathed, arrived: Some(worth), fate: "told".to_owned(), rank: Some(*rank) }
    }));
    candidates.extend(told.into_iter().map(|(candidate, _)| candidate));
    let heritage = Heritage {
        bundle: left.sealed().bundle,
        entries,
        hypotheses: hypotheses(left),
        // A bundle comes from outside: numbers that no learning reaches are not taken.
        learnt: left.testament.understanding.filter(|learnt| learnt.is_sound()),
        ..Heritage::without_genome(left, heir)
    };
    (candidates, heritage)
}

/// Hypotheses a predecessor hands down at most.
const MOST_HYPOTHESES: usize = 10;
/// Letters of one that are read: a bundle comes from outside.
const MOST_LETTERS: usize = 400;

/// D-206, D-247. What the dead dreamt and could not try, then what they suspected; one that names no condition is
/// left out.
fn hypotheses(left: &LegacyBundle) -> Vec<InheritedHypothesis> {
    let sections = &left.testament.testament.sections;
    let dreamt = sections.untested.iter().filter(|one| one.is_dreamt);
    let cut = |text: &str| -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ").chars().take(MOST_LETTERS).collect()
    };
    let all = dreamt.chain(&sections.suspects);
    let all = all.map(|one| InheritedHypothesis { text: cut(&one.statement), criterion: cut(&one.validation) });
    all.filter(|one| !one.text.is_empty() && !one.criterion.is_empty()).take(MOST_HYPOTHESES).collect()
}

/// I-027, I-056, A-124. Statements of the testament, and of the bloodstain, that the genome does not carry as entries already.
fn told(left: &LegacyBundle, heir: &Heir, space: &Space, now: Moment) -> Vec<(Candidate, Rank)> {
    let mut said: BTreeSet<&str> = left.bequest.entries.iter().map(|entry| entry.content.as_str()).collect();
    let (will, landscape) = (&left.testament.testament, left.bloodstain.iter().flat_map(|stain| &stain.landscape));
    let mut all = heirloom::heirlooms(will, SectionWeighing::Flat);
    all.extend(heirloom::of_landscape(will, &landscape.cloned().collect::<Vec<_>>(), SectionWeighing::Flat));
    let fresh = all.iter().filter(|one| said.insert(one.draft.content.as_str()));
    let taken = fresh.filter_map(|one| {
        let id = EntryId::derive(now.at, &heir.golem, &[b"testament", one.draft.content.as_bytes()].concat());
        let reading = GateReading {
            utility: rule_utility(one.draft.body.kind(), KeyRecord::default()),
            factual: one.draft.original_confidence.get(),
            recency: rule_recency(one.draft.valid_from, now.at),
            nearest: None,
            known: 0,
            contradicts: None,
            occasion: GateExcuse::DeathReflection,
        };
        match heirloom::adopt(id, one, &reading, now) {
            Admission::Admitted(candidate) => {
                let rank = rank_of(one, &candidate, space);
                Some((*candidate, rank))
            }
            _ => None,
        }
    });
    taken.collect()
}

/// I-052, I-056. How a statement of the testament stands in the queue.
fn rank_of(one: &heirloom::Heirloom, candidate: &Candidate, space: &Space) -> Rank {
    let known = candidate.knowledge();
    let inherited = Inherited {
        id: known.id,
        vector: space.vector(&known.draft.content).cloned(),
        confidence: known.confidence,
        last_validated: known.last_validated,
        is_uncertain: is_uncertain(one.section),
    };
    let ranked = rank(&[inherited], space.baseline(), true);
    let (novelty, band) = ranked.first().map_or((Ppm::ONE, NoveltyBand::Queue), |ranked| (ranked.novelty, ranked.band));
    Rank { novelty, band, is_priority: one.is_priority }
}

/// Every text a bundle hands down, to be placed in its heir's space.
#[must_use]
pub fn texts_of(left: &LegacyBundle) -> BTreeSet<String> {
    let told = heirloom::heirlooms(&left.testament.testament, SectionWeighing::Flat);
    let entries = left.bequest.entries.iter().map(|entry| entry.content.clone());
    entries.chain(told.into_iter().map(|one| one.draft.content)).collect()
}

fn refusal(admission: &Admission) -> String {
    match admission {
        Admission::Rejected(why) => match std::error::Error::source(why) {
            Some(cause) => format!("layer gate: {why}: {cause}"),
            None => format!("layer gate: {why}"),
        },
        Admission::Merged(id) | Admission::Known(id) => format!("{id} says it already"),
        Admission::Quarantined(_) => "it contradicts what is well known".to_owned(),
        Admission::Admitted(_) => "candidate".to_owned(),
    }
}
