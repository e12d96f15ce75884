//! Genes, entries and Grimoires to test with.

use std::collections::BTreeSet;

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::entry::Draft;
use golem_grimoire::gate::Admission;
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::Candidate;
use golem_inheritance::bottleneck::{BottleneckLaw, Gene};
use golem_inheritance::genome::{Afterword, Bequest, bequeath};
use golem_inheritance::heir::{Adoption, Heir, adopt};
use golem_inheritance::weismann::WeismannLaw;
use golem_mortality::cause::{Death, DeathCause};
use golem_mortality::economic::burn::BurnRate;
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_mortality::score::Score;
use golem_mortality::vitality::{Vitality, VitalityLaw};
use golem_primitives::{GolemId, LineageId, Ppm, Tick, Usdc, UtcTime};

pub(crate) use crate::admitted::{GOOD, admitted};
use crate::drafts;

/// The entry of that number; numbers order as ids do.
pub(crate) fn id(number: u64) -> EntryId {
    format!("00000000-0000-7000-8000-{number:012x}").parse().expect("a UUID of version 7")
}

pub(crate) fn golem(name: &str) -> GolemId {
    GolemId::new(name).expect("a name")
}

pub(crate) fn moment(tick: u64) -> Moment {
    Moment::new(Tick::new(tick), UtcTime::from_seconds(1_794_700_800 + tick * 40))
}

/// An ordinary gene.
pub(crate) fn gene(number: u64, domain: &str, quality: u32, validated: u64) -> Gene<'_> {
    Gene {
        id: id(number),
        domain: Some(domain),
        quality: Ppm::of(quality),
        last_validated: Some(moment(validated)),
        confidence: Confidence::of(500_000),
        generation: 0,
        is_bloodstain: false,
        kind: Kind::Insight,
    }
}

pub(crate) fn episode(number: u64) -> EpisodeId {
    EpisodeId::derive(moment(number).at, &golem("ash"), &number.to_be_bytes())
}

/// A draft of ash's own.
pub(crate) fn draft(kind: Kind, text: &str) -> Draft {
    let mut draft = Draft::new(text, drafts::body(kind, id(9_999)), Source::own(golem("ash")), moment(0).at);
    draft.regime = Some(Regime::Bull);
    draft.parents = BTreeSet::from([episode(1), episode(2)]);
    draft
}

/// Adds a draft as a candidate with that evidence.
pub(crate) fn add(grimoire: &mut Grimoire, number: u64, draft: Draft, votes: Votes) {
    let candidate = admitted(id(number), draft, moment(1));
    grimoire.apply(Change::Add(candidate), moment(1)).expect("new");
    if !votes.is_empty() {
        grimoire.apply(Change::Vote { id: id(number), votes }, moment(2)).expect("alive");
    }
}

/// The same, and active.
pub(crate) fn add_active(grimoire: &mut Grimoire, number: u64, draft: Draft, votes: Votes) {
    add(grimoire, number, draft, votes);
    grimoire.apply(Change::Promote { id: id(number), fitness: Ppm::ONE }, moment(3)).expect("earned");
}

/// The same of what was confirmed so often and never denied.
pub(crate) fn hold(grimoire: &mut Grimoire, number: u64, kind: Kind, content: &str, up: u32) {
    add_active(grimoire, number, draft(kind, content), Votes { up, down: 0 });
}

pub(crate) fn heir(generation: u32) -> Heir {
    Heir { golem: golem(&format!("heir-{generation}")), lineage: LineageId(7), generation }
}

pub(crate) fn foreign(kind: Kind, text: &str, way: Provenance, confidence: u32) -> Draft {
    let mut draft = draft(kind, text);
    draft.source = Source::foreign(way, golem("elm"), 0);
    draft.original_confidence = Confidence::of(confidence);
    draft
}

/// A death of that cause.
pub(crate) fn death(cause: DeathCause) -> Death {
    let law = VitalityLaw::DEFAULT;
    Death {
        cause,
        tick: Tick::new(9_000),
        ticks_alive: 9_000,
        final_vitality: Vitality::birth(&law, Score::HALF, Score::HALF, Tick::new(9_000), moment(9_000).at),
        phase: Phase::Declining,
        cumulative_survival: 0.9,
        had_open_positions: true,
        seconds_since_snapshot: Some(60),
        peak_tick: Tick::new(4_000),
        domain_fitness: [Score::HALF; 5],
        archived_in_senescence: 0,
        reflections_attempted: 0,
        reflection_improved: false,
        mode: Mode::Hosted,
        composite: Ppm::of(200_000),
    }
}

pub(crate) fn starved() -> Death {
    death(DeathCause::Economic {
        balance: Usdc::from_micros(90_000),
        burn_rate: BurnRate::per_tick(Usdc::from_micros(100)),
        ticks_alive: 9_000,
    })
}

/// The seed's barrier.
pub(crate) const LAW: WeismannLaw = WeismannLaw { floor: None, emotional_bonus: false };

/// What a Grimoire hands down.
pub(crate) fn left(grimoire: &Grimoire) -> Bequest {
    bequeath(grimoire, &BottleneckLaw::default(), &Afterword::default())
}

/// What was taken in.
pub(crate) fn candidate(adoption: Adoption) -> Candidate {
    match adoption {
        Adoption::Judged(Admission::Admitted(candidate)) => *candidate,
        other => panic!("not taken in: {other:?}"),
    }
}

/// The heir's Grimoire with what passed the gate.
pub(crate) fn inherit(bequest: &Bequest, generation: u32, now: Moment) -> Grimoire {
    let mut grimoire = Grimoire::default();
    for entry in &bequest.entries {
        let candidate = candidate(adopt(entry, &heir(generation), &LAW, &GOOD, now));
        grimoire.apply(Change::Add(Box::new(candidate)), now).expect("new");
    }
    grimoire
}
