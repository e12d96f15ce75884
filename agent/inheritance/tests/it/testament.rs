//! I-300 to I-307, M-218 to M-226: a testament from records, by rule.

use std::collections::BTreeMap;

use golem_grimoire::confidence::Votes;
use golem_grimoire::emotion::Pad;
use golem_grimoire::entry::EntryQuestion;
use golem_grimoire::gate::Admission;
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::playbook::Playbook;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::RetentionLaw;
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::arrival::SectionWeighing;
use golem_inheritance::bottleneck::BottleneckLaw;
use golem_inheritance::death_bundle::{DeathBundle, top_entries};
use golem_inheritance::genome::{Afterword, bequeath};
use golem_inheritance::ingest::immune::ImmuneMemory;
use golem_inheritance::ratchet::RatchetScore;
use golem_inheritance::summon::{Memorial, Obituary};
use golem_inheritance::testament::advise::{narrate, recommend};
use golem_inheritance::testament::affect::{Arc, EmotionalTopology, arc};
use golem_inheritance::testament::fill::{Records, Refutation, StrategyRecord, fill};
use golem_inheritance::testament::heirloom::{SECTION_TAG, adopt, heirlooms};
use golem_inheritance::testament::section::{AdviceUrgency, HypothesisStrength, InsightSource, Section};
use golem_inheritance::testament::{
    Bearing, DeathNotice, GrimoireSummary, Header, LifeStats, Seal, SettlementAction, SettlementRecord, Testament,
    VERSION, Verb,
};
use golem_mortality::cause::{CauseKind, Death, DeathCause, Reason};
use golem_mortality::mode::Mode;
use golem_primitives::{Address, LineageId, Ppm, Tick, Usdc};

use crate::make::{GOOD, add, add_active, death, draft, foreign, golem, hold, id, moment, starved};

fn strategy(name: &str, won: u32, trades: u32, net_micros: i64) -> StrategyRecord {
    let regime = Some(Regime::Bear);
    StrategyRecord { name: name.into(), trades, won, net_micros, worst_micros: -90_000, last: Tick::new(8_999), regime }
}

/// What ash knew at the end.
fn known() -> Grimoire {
    let mut grimoire = Grimoire::default();
    hold(&mut grimoire, 1, Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", 2);
    add(&mut grimoire, 2, draft(Kind::Insight, "Volume leads price by 5 ticks."), Votes { up: 1, down: 3 });
    add(&mut grimoire, 3, draft(Kind::Insight, "Spread closes after 9 blocks."), Votes { up: 2, down: 2 });
    add(&mut grimoire, 4, draft(Kind::Insight, "A pool of 3 tokens earns more."), Votes::default());
    add(&mut grimoire, 5, draft(Kind::CausalLink, "Gas comes 2 ticks before spread."), Votes { up: 1, down: 0 });
    hold(&mut grimoire, 6, Kind::Heuristic, "Wait 3 ticks when gas is above 40 gwei.", 1);
    let mut question = draft(Kind::Insight, "Why does gas fall at 3 in the night?");
    question.question = Some(EntryQuestion::Open { requires_investigation: true });
    add(&mut grimoire, 7, question, Votes::default());
    let dreamt = foreign(Kind::Insight, "A range of 30% would survive a crash at block 9.", Provenance::Dream, 300_000);
    add(&mut grimoire, 8, dreamt, Votes::default());
    add(&mut grimoire, 9, draft(Kind::Warning, "Pools drain when gas is above 90 gwei."), Votes::default());
    add_active(&mut grimoire, 10, draft(Kind::Insight, "Depth halves above 70 gwei."), Votes { up: 1, down: 1 });
    grimoire
}

fn stats() -> LifeStats {
    LifeStats {
        ticks: 9_000,
        hours: 100,
        funded: Usdc::whole(50),
        earned: Usdc::whole(3),
        spent: Usdc::whole(5),
        trades: 30,
        final_fitness: Ppm::of(300_000),
        peak_fitness: Ppm::of(700_000),
        ..LifeStats::default()
    }
}

fn testament_of(grimoire: &Grimoire, death: Death, strategies: &[StrategyRecord]) -> Testament {
    let refuted = BTreeMap::from([(id(2), Refutation { at: Tick::new(7_000), cost: Usdc::from_micros(120_000) })]);
    let retention = RetentionLaw::default();
    // Half a year later the heuristic is long stale.
    let records = Records {
        grimoire,
        retention: &retention,
        strategies,
        refuted: &refuted,
        death: &death,
        regime: Some(Regime::Bear),
        now: moment(400_000),
    };
    let sections = fill(&records, EmotionalTopology::default());
    let (narrative, last_words) = narrate(&sections, &stats());
    let recommendation = Some(recommend(&records, &sections, &stats()));
    Testament {
        header: Header { golem: golem("ash"), owner: Address::repeat_byte(1), lineage: LineageId(7), generation: 2 },
        mode: death.mode,
        death: DeathNotice {
            death,
            at: moment(9_000).at,
            trigger_tick: Tick::new(9_000),
            final_tick: Tick::new(9_004),
        },
        stats: stats(),
        sections,
        narrative,
        last_words,
        arc: arc(&[Pad::NEUTRAL; 40]),
        settlement: SettlementRecord::default(),
        grimoire: GrimoireSummary::of(grimoire),
        playbook: Playbook::default().to_string(),
        low_divergence: false,
        emotion: None,
        recommendation,
    }
}

pub(crate) fn testament() -> Testament {
    testament_of(&known(), starved(), &[strategy("momentum", 4, 20, -800_000), strategy("range", 8, 10, 300_000)])
}

/// I-301, M-221, M-222: each section from what was recorded, with its numbers.
#[test]
fn i_301_nine_sections_from_records() {
    assert_eq!(Section::ALL.len(), 9, "M-221");
    let sections = testament().sections;
    assert_eq!(sections.worked[0].statement, "range: 8 of 10 round trips won in bear, net +0.30 USDC");
    assert_eq!(sections.worked[0].evidence, 10);
    let insight = &sections.worked[1];
    assert_eq!((insight.entry, insight.evidence, insight.source), (Some(id(1)), 2, InsightSource::Novel), "M-222");
    assert!(insight.context.contains("held 2 times"));
    assert!(!sections.worked.iter().any(|item| item.entry == Some(id(10))), "held no more often than it failed");

    assert_eq!(sections.failed[0].cost, Usdc::from_micros(800_000), "the dearest first");
    let misconception = sections.failed.iter().find(|item| item.entry == Some(id(2))).expect("refuted");
    assert_eq!((misconception.realised, misconception.cost), (Some(Tick::new(7_000)), Usdc::from_micros(120_000)));

    assert_eq!(sections.confused[0].entries, [id(3)]);
    assert_eq!(sections.confused[0].signals, ["held 2 times", "failed 2 times"]);
    let untested: Vec<_> = sections.untested.iter().map(|item| item.entry).collect();
    assert!(untested.contains(&Some(id(4))) && untested.contains(&Some(id(8))) && !untested.contains(&Some(id(7))));
    let dreamt = sections.untested.iter().find(|item| item.entry == Some(id(8))).expect("dreamt");
    assert!(dreamt.is_dreamt && dreamt.strength == HypothesisStrength::Moderate, "M-222");

    assert_eq!(sections.killed.primary, CauseKind::Economic);
    assert!(sections.killed.factors[0].contains("0.09 USDC left after 9000 ticks"), "{:?}", sections.killed.factors);
    assert!(sections.killed.preventable && sections.killed.market == Some(Regime::Bear), "I-027");
    assert!(sections.killed.fatal_strategies[0].starts_with("momentum"), "I-027");
    assert_eq!(sections.killed.wrong_assumptions, ["Volume leads price by 5 ticks."], "I-027");

    assert_eq!(sections.would_change[0].urgency, AdviceUrgency::Critical);
    let suspected: Vec<_> = sections.suspects.iter().filter_map(|item| item.entry).collect();
    assert!(suspected.contains(&id(7)) && suspected.contains(&id(5)), "open questions and links only seen together");
    assert_eq!((sections.causal_edges.len(), sections.causal_edges[0].evidence), (1, 3));
    assert_eq!(sections.told().get(&id(2)), Some(&Section::Failed), "I-025");
}

/// I-300, I-304, I-272, M-202: change what lost, keep what earned, investigate what is open or stale; the market, settings
/// and funding are advised beside it.
#[test]
fn i_304_recommendations_follow_the_records() {
    let testament = testament();
    let advice = testament.recommendation.clone().expect("mortal");
    let verb = |name: &str| advice.adjustments.iter().find(|one| one.what == name).map(|one| one.verb);
    assert_eq!((verb("momentum"), verb("range")), (Some(Verb::Change), Some(Verb::Keep)));
    let stale: Vec<_> = advice.adjustments.iter().filter(|one| one.is_stale).collect();
    assert_eq!(stale.iter().map(|one| one.entries.clone()).collect::<Vec<_>>(), [vec![id(6)]], "I-300: stale");
    assert_eq!(stale[0].verb, Verb::Investigate);
    assert!(advice.investigations.iter().any(|text| text.starts_with("Why does gas fall")));
    assert!(advice.investigations.iter().any(|text| text.contains("30%")), "M-200: dreams are bequeathed");
    assert!(advice.self_assessment.contains("net -2.00 USDC") && advice.outlook.contains("bear"));
    assert_eq!(advice.config_hints, [("strategy.momentum.enabled".to_owned(), "false".to_owned())], "I-304");
    assert_eq!(advice.funding, Usdc::whole(50));
    assert!(testament.narrative.contains("9000 ticks") && !testament.last_words.is_empty(), "I-300");
    let told = Obituary::of(&testament, RatchetScore::round(0.2));
    assert_eq!((told.cause, told.recommendation.is_some()), (CauseKind::Economic, true), "I-272");
}

/// M-218, M-219, M-220, M-223, M-225, I-302, I-303, I-305: the envelope.
#[test]
fn i_302_the_envelope_is_whole() {
    let testament = testament();
    assert_eq!((VERSION, testament.header.generation), ("4.0", 2), "M-218");
    assert_eq!(testament.death.at.to_string(), "2026-11-19T04:00:00Z", "M-219");
    assert_eq!(testament.stats.net_micros(), -2_000_000, "M-220");
    assert_eq!((testament.arc.arc, testament.arc.confidence), (Arc::Stable, Ppm::of(500_000)), "I-303");
    let summary = &testament.grimoire;
    assert_eq!((summary.total, summary.active, summary.archived, summary.burned), (10, 3, 0, 0), "M-223");
    assert_eq!(summary.open_questions, ["Why does gas fall at 3 in the night?"], "M-223");
    assert!(
        testament.playbook.parse().is_ok_and(|read: Playbook| read == Playbook::default()),
        "M-223: raw and readable"
    );
    assert!(!testament.is_of_the_control_group(), "M-225");
    let mut immortal = starved();
    immortal.mode = Mode::Immortal;
    assert!(testament_of(&known(), immortal, &[]).is_of_the_control_group(), "I-305, M-225");

    let action = |recovered, failure: Option<&str>| SettlementAction {
        what: "close LP".into(),
        tx: None,
        recovered: Usdc::from_micros(recovered),
        gas: Usdc::from_micros(10),
        failure: failure.map(str::to_owned),
        pnl_micros: 0,
        bearing: Bearing::default(),
    };
    let value = Usdc::from_micros(1_000);
    for (has_failed, pnl, bearing) in [
        (true, 500, Bearing::Frustration),
        (false, 1, Bearing::Satisfaction),
        (false, 0, Bearing::Neutral),
        (false, -100, Bearing::Neutral),
        (false, -101, Bearing::Resignation),
    ] {
        assert_eq!(Bearing::of(has_failed, pnl, value), bearing, "M-193: {pnl}");
    }
    let settlement = SettlementRecord { actions: vec![action(500, None), action(70, Some("paused"))] };
    assert_eq!((settlement.recovered().micros(), settlement.gas().micros()), (500, 20), "M-223");
    assert_eq!(settlement.failures().count(), 1);
    let seal = Seal::of(b"{}");
    assert!(seal.holds(b"{}") && !seal.holds(b"{ }"), "M-223: the checksum");
}

/// M-219, I-300: every cause says what led there.
#[test]
fn m_219_each_cause_has_its_analysis() {
    let reason = || Reason::new("teardown").expect("short");
    for (cause, says, preventable) in [
        (DeathCause::OwnerKill { reason: reason() }, "ended by the owner: teardown", false),
        (DeathCause::KillSwitch { trigger: reason() }, "stopped by teardown", true),
        (
            DeathCause::EpistemicSenescence {
                final_fitness: golem_mortality::score::Score::ZERO,
                fitness_at_peak: golem_mortality::score::Score::ONE,
                ticks_in_senescence: 700,
                failing_domains: [true, false, false, false, false],
                last_successful_prediction: None,
            },
            "fitness fell from 1.00 to 0.00 and stayed low for 700 ticks",
            true,
        ),
    ] {
        let killed = testament_of(&Grimoire::default(), death(cause), &[]).sections.killed;
        assert_eq!((killed.factors[0].as_str(), killed.preventable), (says, preventable));
    }
    // M-160: what is said of domains and of the last prediction does not speak against the cause.
    for (failing_domains, last, says) in [
        (
            [false; 5],
            Some(Tick::new(41)),
            ["still read right; the returns it predicted were not", "right came at tick 41"],
        ),
        ([true, false, false, false, false], None, ["failing domains: price", "no return came as it was foretold"]),
    ] {
        let cause = DeathCause::EpistemicSenescence {
            final_fitness: golem_mortality::score::Score::ZERO,
            fitness_at_peak: golem_mortality::score::Score::ONE,
            ticks_in_senescence: 700,
            failing_domains,
            last_successful_prediction: last,
        };
        let told = testament_of(&Grimoire::default(), death(cause), &[]).sections.killed.factors;
        assert!(told[1].contains(says[0]) && told[2].contains(says[1]), "{told:?}");
    }
    let empty = testament_of(&Grimoire::default(), starved(), &[]);
    assert!(empty.sections.worked.is_empty() && !empty.last_words.is_empty(), "a short life still speaks");
}

/// I-027, I-056, I-025, M-226: what an heir is told beside the genome.
#[test]
fn i_056_suspicions_come_first_and_what_killed_is_a_warning() {
    let told = heirlooms(&testament(), SectionWeighing::Flat);
    let of = |section| told.iter().filter(move |one| one.section == section);
    assert!(of(Section::Suspects).count() > 0 && of(Section::Suspects).all(|one| one.is_priority), "I-056");
    for one in of(Section::Suspects) {
        assert_eq!(one.draft.question, Some(EntryQuestion::Open { requires_investigation: true }));
    }
    let dreamt = of(Section::Untested).next().expect("a dream");
    assert!(matches!(dreamt.draft.body, EntryBody::StrategyFragment { .. }), "I-056");
    let fatal: Vec<_> = of(Section::Killed).collect();
    assert_eq!(fatal.len(), 2, "I-027: a strategy and an assumption");
    assert!(fatal.iter().all(|one| one.draft.source.is_bloodstain() && one.draft.body.kind() == Kind::Warning));
    assert!(told.iter().all(|one| one.draft.original_confidence.get() == Ppm::of(400_000)), "I-032");
    assert!(told.iter().all(|one| one.draft.tags.iter().any(|tag| tag.starts_with(SECTION_TAG))), "I-025");
    let weighed = heirlooms(&testament(), SectionWeighing::BySection);
    let suspect = weighed.iter().find(|one| one.section == Section::Suspects).expect("one");
    assert_eq!(suspect.draft.original_confidence.get(), Ppm::of(350_000), "M-226");
    for (one, parts) in [(suspect, 350_000), (&told[0], 400_000)] {
        let Admission::Admitted(candidate) = adopt(id(70), one, &GOOD, moment(1)) else { panic!("in") };
        assert_eq!(candidate.knowledge().confidence.get(), Ppm::of(parts), "I-030, I-032, M-226");
        assert!(candidate.promote(Ppm::ONE, moment(9)).is_err(), "I-020");
    }
}

/// M-210, I-001, I-116: the bundle holds the three artefacts and what readers want.
#[test]
fn m_210_the_bundle_is_gathered() {
    let grimoire = known();
    let testament = testament();
    let afterword = Afterword { told: testament.sections.told(), ..Afterword::default() };
    let bequest = bequeath(&grimoire, &BottleneckLaw::default(), &afterword);
    let novelty = BTreeMap::from([(id(1), Ppm::of(10_000))]);
    let bundle = DeathBundle::gather(testament, bequest, &grimoire, &novelty, ImmuneMemory::default(), None);
    assert_eq!(bundle.bequest.entries.len(), 10, "I-001: the genome");
    assert_eq!(bundle.warnings.iter().map(|entry| entry.id).collect::<Vec<_>>(), [id(9)]);
    assert_eq!(bundle.causal_graph.len(), 1);
    assert_eq!(top_entries(&grimoire, &novelty).last().map(|entry| entry.id), Some(id(1)), "sure but not new");
    let explained = bundle.bequest.entries.iter().find(|entry| entry.id == id(2)).expect("handed down");
    assert_eq!(explained.told_in, Some(Section::Failed), "I-025");
}

/// I-260, I-262: the stone and the reflection.
#[test]
fn i_260_the_stone_says_of_what_it_died() {
    let ash = testament();
    let memorial = Memorial::of(&ash);
    assert_eq!((memorial.cause.as_str(), &memorial.last_words), ("It ran out of money.", &ash.last_words));
    assert!(ash.sections.suspects.iter().any(|item| item.entry == Some(id(7))), "I-262: suspicions can be read");
}
