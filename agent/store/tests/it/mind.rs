//! Entries, episodes and cycles to test with.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::Curated;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::curator::{CuratorInput, CuratorPass, CuratorReport, curate};
use golem_grimoire::entry::Draft;
use golem_grimoire::episode::{Episode, EpisodeCircumstances};
use golem_grimoire::finding::PatternKey;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::Arrival;
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::recall::Query;
use golem_grimoire::regime::{Regime, RegimeBelief};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::Candidate;
use golem_mortality::demurrage::KnowledgePressure;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::phase::Phase;
use golem_ports::{Arriving, Asked, Cycle, EmbeddingModel, Filter, Memory, Revised, SearchOrder, Shelf, StoreError};
use golem_primitives::{B256, EffectId, GolemId, Ppm, Tick, keccak256};
use golem_store::SqliteStore;

use crate::admitted::admitted;
use crate::drafts;
use crate::turn;
use crate::world::{golem, now};

pub(crate) fn at(tick: u64) -> Moment {
    Moment::new(Tick::new(tick), now(tick))
}

pub(crate) fn id(name: &str) -> EntryId {
    EntryId::derive(now(0), &golem(), name.as_bytes())
}

pub(crate) fn sibling() -> GolemId {
    GolemId::new("golem-0007").expect("a name")
}

pub(crate) fn body(kind: Kind) -> EntryBody {
    drafts::body(kind, id("parent"))
}

pub(crate) fn draft(content: &str, kind: Kind, provenance: Provenance) -> Draft {
    let source = Source::foreign(provenance, golem(), u32::from(!provenance.is_own()));
    let mut draft = Draft::new(content, body(kind), source, now(0));
    draft.original_confidence = Confidence::of(900_000);
    draft
}

pub(crate) fn candidate(name: &str, draft: Draft, now: Moment) -> Box<Candidate> {
    admitted(id(name), draft, now)
}

/// An own insight that joins and is active at once.
pub(crate) fn active(name: &str, content: &str) -> [Change; 2] {
    let joins = Change::Add(candidate(name, draft(content, Kind::Insight, Provenance::Own), at(1)));
    [joins, Change::Promote { id: id(name), fitness: Ppm::ONE }]
}

/// A pass of the Curator with these changes, which must be allowed.
pub(crate) fn pass(shelf: &Shelf, changes: &[Change], now: Moment) -> CuratorPass {
    let mut grimoire: Grimoire = shelf.grimoire.clone();
    for change in changes {
        grimoire.apply(change.clone(), now).expect("the law allows it");
    }
    let count =
        |what: fn(&Change) -> bool| u32::try_from(changes.iter().filter(|change| what(change)).count()).expect("few");
    let report = CuratorReport {
        added: count(|change| matches!(change, Change::Add(_))),
        promoted: count(|change| matches!(change, Change::Promote { .. })),
        archived: count(|change| matches!(change, Change::Archive { .. })),
        burned: count(|change| matches!(change, Change::Burn { .. })),
        ..CuratorReport::default()
    };
    let consolidated = shelf.episodes.iter().map(|recorded| recorded.episode.id).collect();
    let quarantine = shelf.quarantine.clone();
    CuratorPass { consolidated, quarantine, report, ..turn::pass(changes.to_vec(), grimoire) }
}

/// The effect that asks for the cycle of a tick.
pub(crate) fn curate_effect(tick: u64) -> EffectId {
    EffectId(keccak256([b"curate".as_slice(), &tick.to_be_bytes()].concat()))
}

/// Lands a cycle of these changes.
pub(crate) fn land_changes(
    store: &mut SqliteStore,
    tick: u64,
    changes: &[Change],
    revised: Option<&Revised>,
) -> Result<Curated, StoreError> {
    let shelf = store.shelf()?;
    let pass = pass(&shelf, changes, at(tick));
    store.land_cycle(&Cycle::new(curate_effect(tick), at(tick), &shelf, &pass, revised))
}

/// A cycle of the real Curator over what the store holds.
pub(crate) fn run_curator(shelf: &Shelf, tick: u64) -> CuratorPass {
    let (law, fitness) = (GrimoireLaw::default(), BTreeMap::new());
    let pressure = KnowledgePressure {
        economic_critical: false,
        senescent: false,
        now: Tick::new(tick),
        reference_lifespan: 1_000_000,
    };
    curate(&CuratorInput {
        golem: golem(),
        law: &law,
        grimoire: &shelf.grimoire,
        episodes: &shelf.episodes,
        votes: &shelf.votes,
        checks: &shelf.checks,
        links: None,
        quarantine: &shelf.quarantine,
        domain_fitness: &fitness,
        fitness: Ppm::ONE,
        phase: Phase::Thriving,
        pressure,
        held: &BTreeSet::new(),
        now: at(tick),
    })
}

/// Predictions of a pair resolved at a tick, each held or not.
pub(crate) fn lived(tick: u64, pair: &str, held: &[bool]) -> Vec<Episode> {
    let key = PatternKey { tool: "swap".into(), chain: 8453, pair: pair.into() };
    let circumstances =
        EpisodeCircumstances { golem: golem(), now: at(tick), key, regime: Some(Regime::Bull), emotion: None };
    let resolve = |(ordinal, held): (usize, &bool)| {
        let pair = Pair::new(0.01, if *held { 0.02 } else { -0.02 }).expect("finite");
        circumstances.resolved(pair, ordinal as u32)
    };
    held.iter().enumerate().map(resolve).collect()
}

pub(crate) fn arriving(content: &str, way: Provenance, sender: GolemId) -> Arriving {
    let mut draft = draft(content, Kind::Insight, way);
    draft.source = Source::foreign(way, sender, 0);
    let arrival = Arrival { draft, way, sender, is_left: false, claimed_cosine: None, on_chain: None };
    Arriving { arrival, nearest: None }
}

pub(crate) fn model(name: &str, dimensions: u16) -> EmbeddingModel {
    EmbeddingModel { name: name.into(), version: "1".into(), preprocessing: B256::repeat_byte(3), dimensions }
}

pub(crate) fn asked(text: &str, limit: usize) -> Asked {
    Asked {
        text: text.into(),
        vector: None,
        query: Query { limit, mood: None, belief: RegimeBelief::unknown(), tick: Tick::new(7) },
        now: now(7),
        law: GrimoireLaw::default(),
        filter: Filter::default(),
        order: SearchOrder::Canonical,
    }
}
