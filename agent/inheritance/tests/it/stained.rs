//! The mark of a death, and what the dying leave with their Clade.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::emotion::{Emotion, EmotionalTag, Pad};
use golem_grimoire::entry::DreamMark;
use golem_grimoire::kind::{CausalBasis, Domain, Kind};
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::bloodstain::landscape::{MOST_PATCHES, Patch};
use golem_inheritance::bloodstain::{Bloodstain, MOST_SCARS, MOST_WARNINGS, Mark, Traces};
use golem_inheritance::bottleneck::Selection;
use golem_inheritance::clade::farewell::{DyingNotice, parting};
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::testament::acceptance::Acceptance;
use golem_inheritance::testament::section::CausalEdge;
use golem_mortality::economic::death_budget::DeathBudget;
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_primitives::{B256, Ppm, Usdc, UtcTime, keccak256};

use crate::make::{add, draft, foreign, golem, id, moment, starved};
use crate::testament::testament;

const FELT: EmotionalTag = EmotionalTag {
    primary: Emotion::Fear,
    pad: Pad::thousandths(-300, 400, -200),
    mood: Pad::NEUTRAL,
    intensity: Ppm::of(600_000),
    phase: Phase::Declining,
    reactivations: 0,
    since: UtcTime::EPOCH,
};

fn edge(n: u32) -> CausalEdge {
    CausalEdge {
        from: "gas".into(),
        to: format!("spread {n}"),
        is_alike: true,
        weight: Ppm::ONE,
        confidence: Confidence::CERTAIN,
        evidence: n,
        domain: Domain::GasMev,
        basis: CausalBasis::Associational,
        entry: id(1),
    }
}

fn traces() -> Traces {
    let mut grimoire = Grimoire::default();
    (0..60)
        .for_each(|n| add(&mut grimoire, n, draft(Kind::Warning, &format!("Pool {n} is drained.")), Votes::default()));
    let scar = |n: u32| Mark { what: format!("drawdown {n}"), severity: Ppm::of(500_000 + n) };
    let patch = |n: i64| Patch { setting: format!("{n}% of capital"), wins: 0, tries: 3, pnl_ppm: -n };
    Traces {
        block: 9,
        scars: (0..9).map(scar).collect(),
        votes: Votes { up: 7, down: 3 },
        warnings: grimoire.living().map(|known| GenomeEntry::of(known, Selection::Priority)).collect(),
        edges: (0..60).map(edge).collect(),
        somatic: None,
        landscape: (0..20).map(patch).collect(),
    }
}

/// M-207, I-340, I-341, A-124: who, whose, of what, how alive, how long, the five worst scars, the votes and both hashes;
/// the scene, fifty edges and warnings and eight places of the landscape at most. A successor is not known yet.
#[test]
fn m_207_a_bloodstain_says_who_died_of_what_and_what_it_left() {
    let (will, hashes) = (testament(), (keccak256(b"testament"), keccak256(b"genome")));
    let stain = Bloodstain::of(&will, hashes.0, hashes.1, traces());
    let death = &will.death.death;
    assert_eq!((stain.golem, stain.owner), (will.header.golem, will.header.owner));
    assert_eq!((stain.cause, stain.vitality, stain.ticks), (death.cause.kind(), death.composite, death.ticks_alive));
    assert_eq!((stain.scars.len(), stain.scars[0].what.as_str()), (MOST_SCARS, "drawdown 8"), "worst first");
    assert_eq!((stain.votes, stain.testament, stain.priors), (Votes { up: 7, down: 3 }, hashes.0, hashes.1));
    assert_eq!((stain.successor, stain.scene.block), (None, 9));
    assert_eq!(stain.scene.regime, will.sections.killed.market, "I-340");
    assert_eq!((stain.edges.len(), stain.edges[0].evidence, stain.warnings.len()), (50, 0, MOST_WARNINGS), "I-341");
    assert_eq!((stain.landscape.len(), stain.landscape[0].pnl_ppm), (MOST_PATCHES, -19), "A-124");
    assert!(will.last_words.starts_with(&stain.excerpt) && !stain.excerpt.is_empty());
    assert_eq!(stain.flaw(&will, hashes.0, hashes.1), None);
}

/// M-207, I-344: a bloodstain of another death, with other hashes or stuffed is refused, and says why.
#[test]
fn i_344_a_bloodstain_that_is_not_of_its_death_has_a_flaw() {
    let will = testament();
    let whole = Bloodstain::of(&will, B256::ZERO, B256::ZERO, traces());
    let flaw = |stain: Bloodstain| stain.flaw(&will, B256::ZERO, B256::ZERO).unwrap_or("none");
    for (stain, why) in [
        (Bloodstain { golem: golem("elm"), ..whole.clone() }, "another death"),
        (Bloodstain { ticks: whole.ticks + 1, ..whole.clone() }, "another death"),
        (Bloodstain { vitality: Ppm::ONE, ..whole.clone() }, "another death"),
        (Bloodstain { priors: keccak256(b"x"), ..whole.clone() }, "another testament or genome"),
        (Bloodstain { testament: keccak256(b"x"), ..whole.clone() }, "another testament or genome"),
        (Bloodstain { edges: (0..51).map(edge).collect(), ..whole.clone() }, "more than any"),
        (Bloodstain { scars: [whole.scars.clone(), whole.scars.clone()].concat(), ..whole.clone() }, "more than any"),
    ] {
        assert!(flaw(stain.clone()).contains(why), "{}", flaw(stain));
    }
}

/// M-205, I-065, I-066, I-067, C-32: all from 0.1 on goes, warnings first and at any confidence; nothing is worth more than
/// it is, what was felt goes along, and what was only dreamt stays. An immortal's gates are the usual ones (I-351).
#[test]
fn m_205_the_dying_push_all_from_a_tenth_on() {
    let mut grimoire = Grimoire::default();
    let entry = |kind, text: &str, worth| {
        let mut draft = foreign(kind, text, golem_grimoire::provenance::Provenance::Testament, worth);
        draft.emotion = Some(FELT);
        draft
    };
    for (number, kind) in (1..).zip([Kind::Insight, Kind::Heuristic, Kind::CausalLink, Kind::StrategyFragment]) {
        add(&mut grimoire, number, entry(kind, &format!("Pool {number} earns 3% a day."), 400_000), Votes::default());
    }
    add(&mut grimoire, 5, entry(Kind::Warning, "Pool 5 is drained at 3.", 400_000), Votes { up: 0, down: 9 });
    add(&mut grimoire, 6, entry(Kind::Insight, "Pool 6 earns 9% a day.", 400_000), Votes { up: 0, down: 9 });
    let mut dreamt = entry(Kind::Insight, "Pool 7 would earn 9% a day.", 400_000);
    dreamt.dream = Some(DreamMark::default());
    add(&mut grimoire, 7, dreamt, Votes::default());
    let pushed = parting(&grimoire, Mode::Hosted);
    let ids: Vec<_> = pushed.iter().map(|one| one.id).collect();
    assert_eq!(ids, [5, 1, 2, 3, 4].map(id), "a warning first, and neither the refuted nor the dreamt");
    for one in &pushed {
        let known = grimoire.get(one.id).and_then(|entry| entry.knowledge()).expect("known");
        assert_eq!((one.bequeathed, one.emotion), (known.confidence, known.draft.emotion), "I-067, C-32");
    }
    let immortal: Vec<_> = parting(&grimoire, Mode::Immortal).iter().map(|one| one.id).collect();
    assert_eq!(immortal, [id(5)], "I-351");
}

/// M-186: cause, duration, vitality, budget and how much will follow.
#[test]
fn m_186_siblings_are_told_how_a_death_begins() {
    let death = starved();
    let accepted = Acceptance::of(&death, moment(9_000).at, None, DeathBudget::of(Usdc::whole(10), 3));
    let notice = DyingNotice::of(&accepted, 42);
    assert_eq!((notice.cause, notice.since), (death.cause.kind(), moment(9_000).at));
    assert_eq!((notice.vitality, notice.entries), (death.composite, 42));
    assert_eq!((notice.legacy_budget, notice.estimated_seconds), ("2.5".parse().expect("an amount"), 420));
}
