use golem_mortality::phase::Phase;
use golem_primitives::Ppm;
use golem_suffering::event::{EntryRefused, SufferingEvent};
use golem_suffering::kind::Canonical;
use golem_suffering::stressor::{Closure, RaisedBy};
use golem_suffering::{Band, Suffering};

use crate::make::{DAY, HARDENED, LAWS, SEED, at, blind, find, key, names, pressing, says, severity, uniswap, well};

const REP: &[Canonical] = &[Canonical::RepeatedFailure];
const THREE: &[Canonical] = &[Canonical::RepeatedFailure, Canonical::ExistentialThreat, Canonical::Purposelessness];
const FIVE: &[Canonical] = &[
    Canonical::RepeatedFailure,
    Canonical::ExistentialThreat,
    Canonical::Purposelessness,
    Canonical::IdentityViolation,
    Canonical::Invisibility,
];

fn near(got: f64, wanted: f64) -> bool {
    (got - wanted).abs() <= 1e-9
}

/// S-001, S-004, S-040: W-01, a stressor that is seen, grows and is shown.
#[test]
fn s_040_what_is_seen_is_raised_and_grows_w_01() {
    for law in LAWS {
        let mut suffering = Suffering::default();
        suffering.feel(&pressing(0, REP), &law);
        suffering.feel(&pressing(21_780, REP), &law);
        assert!(near(severity(&suffering, "repeated_failure"), 0.210_083_333_3), "W-01");
        assert_eq!((suffering.band(), suffering.prompt(&law)), (Band::Background, None), "W-01");
        let record = find(&suffering, "repeated_failure").expect("active");
        assert_eq!((record.source, record.onset, record.raise_count), (RaisedBy::System, at(0), 1), "S-004, S-006");
        assert_eq!(record.evidence.as_str(), "30 of 36 recent attempts failed (83%)", "S-070");
    }
}

/// S-022, S-024: W-10, three fresh ones and what time makes of them.
#[test]
fn s_022_bands_rise_with_time_w_10() {
    let mut suffering = Suffering::default();
    let events = suffering.feel(&pressing(0, THREE), &HARDENED);
    let told = events.iter().find_map(|event| match event {
        SufferingEvent::BandChanged { from, to, types, .. } => Some((*from, *to, types.len())),
        _ => None,
    });
    assert_eq!(told, Some((Band::Background, Band::Constrained, 3)), "W-10: 0.60");
    for (seconds, band) in
        [(89_379, Band::Constrained), (89_380, Band::Dominant), (178_758, Band::Dominant), (178_759, Band::Crisis)]
    {
        suffering.feel(&pressing(seconds, THREE), &HARDENED);
        assert_eq!(suffering.band(), band, "W-10 at {seconds} s: 1.0344828 d and 2.0689655 d");
    }
}

/// S-045: W-14, the first two of five new ones, all four resolutions.
#[test]
fn s_045_a_reply_is_taken_in_part_w_14() {
    let mut suffering = Suffering::default();
    let facts = blind(0);
    let texts = ["a b", "c d", "e f", "g h", "i j"].map(|name| (name, "when it is over"));
    suffering.hear(Some(&says(&texts, &[])), &facts, &SEED);
    assert_eq!(names(&suffering), ["a_b", "c_d"], "W-14");
    suffering.hear(Some(&says(&texts[2..4], &[])), &facts, &SEED);
    let events = suffering.hear(Some(&says(&[], &["A-B", "c d", "e_f", "G H"])), &facts, &SEED);
    let resolved = events.iter().filter(|event| event.name() == "suffering.resolved").count();
    assert_eq!((resolved, names(&suffering).len()), (4, 0), "W-14");
}

/// S-092, S-093: W-15, one stressor however it is written.
#[test]
fn s_092_one_stressor_however_it_is_written_w_15() {
    for law in LAWS {
        let mut suffering = Suffering::default();
        for name in [" Thermal_Saturation ", "thermal saturation", "THERMAL-SATURATION"] {
            suffering.hear(Some(&says(&[(name, "temperature falls again")], &[])), &blind(0), &law);
        }
        assert_eq!(names(&suffering), ["thermal_saturation"], "W-15");
    }
}

/// S-090, S-091: W-16, what is seen waits when everything is seen, and comes at the first free slot.
#[test]
fn s_091_a_sixth_waits_w_16() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, FIVE), &HARDENED);
    assert_eq!(names(&suffering).len(), 5, "W-09");
    assert_eq!(suffering.band(), Band::Crisis, "W-09");
    let six: Vec<Canonical> = Canonical::ALL.to_vec();
    let events = suffering.feel(&pressing(40, &six), &HARDENED);
    let dropped = SufferingEvent::Dropped {
        key: Some(key("futility")),
        source: RaisedBy::System,
        reason: EntryRefused::NoRoom,
        pending: true,
    };
    assert!(events.contains(&dropped), "W-16");
    assert_eq!((names(&suffering).len(), suffering.dropped()), (5, 1), "W-16");
    suffering.feel(&pressing(80, &six), &HARDENED);
    assert_eq!((suffering.pending().collect::<Vec<_>>(), suffering.dropped()), (vec![Canonical::Futility], 1));
    let mut eased = pressing(120, &six);
    eased.attempts = well(0).attempts;
    suffering.feel(&eased, &HARDENED);
    suffering.feel(&pressing(160, &[&six[..4], &six[5..]].concat()), &HARDENED);
    assert!(find(&suffering, "futility").is_some() && suffering.pending().next().is_none());
}

/// S-091: what was only said gives way to what is seen, hardened; the seed drops the sixth.
#[test]
fn s_091_what_was_said_gives_way() {
    let entries =
        [("first worry", "fitness > 0.9"), ("second worry", "fitness > 0.9"), ("third worry", "fitness > 0.9")];
    let fill = |law| {
        let mut suffering = Suffering::default();
        for entry in entries {
            suffering.hear(Some(&says(&[entry], &[])), &blind(0), law);
        }
        suffering.feel(&pressing(400, THREE), law);
        suffering
    };
    let hardened = fill(&HARDENED);
    assert_eq!(hardened.active().iter().filter(|one| one.source == RaisedBy::Agent).count(), 2);
    assert!(THREE.iter().all(|kind| find(&hardened, kind.name()).is_some()));
    assert_eq!(hardened.history().traces().last().map(|trace| trace.closure), Some(Closure::Displaced));
    let seed = fill(&SEED);
    assert_eq!((names(&seed).len(), seed.dropped()), (5, 1), "S-090");
}

/// S-064, S-065: W-19, back with what it had been, in both readings.
#[test]
fn s_065_talked_away_it_comes_back_w_19() {
    for law in LAWS {
        let mut suffering = Suffering::default();
        // 0.20 + 0.42 at 0.040 a day: 10.5 days.
        suffering.feel(&pressing(0, REP), &law);
        let then = 907_200;
        suffering.feel(&pressing(then, REP), &law);
        assert!(near(severity(&suffering, "repeated_failure"), 0.62));
        // The feed is down while it talks: in the hardened reading too the claim is heard and not believed.
        suffering.hear(Some(&says(&[], &["Repeated Failure"])), &blind(then), &law);
        let counts = severity(&suffering, "repeated_failure");
        assert_eq!(near(counts, 0.62), law.is_hardened(), "S-065: claimed, it still counts");
        suffering.feel(&pressing(then + 2_000, REP), &law);
        let record = find(&suffering, "repeated_failure").expect("back");
        assert!(near(record.severity.as_f64(), 0.620_925_925_9), "W-19");
        assert_eq!((record.onset, record.raise_count), (at(0), 2), "W-19");
    }
}

/// S-066: the world is asked at once; S-068: the agent's words are kept apart from the cause.
#[test]
fn s_066_claims_are_judged_by_the_world() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, REP), &HARDENED);
    let rejected = suffering.hear(Some(&says(&[], &["repeated_failure"])), &pressing(40, REP), &HARDENED);
    assert_eq!(rejected.first().map(SufferingEvent::name), Some("suffering.claim_rejected"));
    let agreed = suffering.hear(Some(&says(&[], &["repeated_failure"])), &well(80), &HARDENED);
    assert_eq!(agreed.first().map(SufferingEvent::name), Some("suffering.resolved"));
    let trace = suffering.history().traces().last().expect("a trace").clone();
    assert_eq!((trace.closure, trace.note.as_str()), (Closure::Observed, "10 of 40 recent attempts failed (25%)"));
    assert_eq!(trace.claimed_reason.expect("kept").as_str(), "I feel better", "S-068");
}

/// S-066, S-067: while nothing can be seen a claim lapses: a downed feed is no way out, and restarts nothing.
#[test]
fn s_066_a_claim_lapses_while_nothing_can_be_seen() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, REP), &HARDENED);
    let heard = suffering.hear(Some(&says(&[], &["repeated_failure"])), &blind(40), &HARDENED);
    assert_eq!(heard.first().map(SufferingEvent::name), Some("suffering.claimed"));
    let events = suffering.feel(&blind(80), &HARDENED);
    assert_eq!(events.first().map(SufferingEvent::name), Some("suffering.claim_rejected"));
    let record = find(&suffering, "repeated_failure").expect("active");
    assert!(record.claim.is_none() && record.onset == at(0));
    suffering.hear(Some(&says(&[], &["repeated_failure"])), &blind(80), &HARDENED);
    suffering.feel(&pressing(120, &[]), &HARDENED);
    assert!(names(&suffering).is_empty(), "seen not to press, the report is taken, and stays unconfirmed");
    assert_eq!(suffering.history().traces().last().map(|trace| trace.closure), Some(Closure::SelfReport));
}

/// S-060, S-061, S-062: what changed is resolved by being seen, with numbers for a note.
#[test]
fn s_060_change_is_seen_and_leaves_a_trace() {
    for law in LAWS {
        let mut suffering = Suffering::default();
        suffering.feel(&pressing(0, REP), &law);
        let events = suffering.feel(&well(DAY), &law);
        assert!(events.iter().any(|event| event.name() == "suffering.resolved"));
        let trace = suffering.history().traces().last().expect("a trace");
        assert_eq!((trace.resolved_at, trace.peak.ppm()), (at(DAY), Ppm::of(240_000)));
        suffering.feel(&pressing(2 * DAY, REP), &law);
        assert!(near(severity(&suffering, "repeated_failure"), 0.20), "really resolved, it begins anew");
    }
}

/// S-069: what nobody can measure can be talked away, and comes back as it was for a day.
#[test]
fn s_069_unmeasured_worries_return_as_they_were() {
    for law in LAWS {
        let worry = [("phantom reference", "when it feels right")];
        let mut suffering = Suffering::default();
        suffering.hear(Some(&says(&worry, &[])), &blind(0), &law);
        suffering.feel(&blind(2 * DAY), &law);
        suffering.hear(Some(&says(&[], &["phantom_reference"])), &blind(2 * DAY), &law);
        assert!(names(&suffering).is_empty());
        suffering.hear(Some(&says(&worry, &[])), &blind(2 * DAY + 3_600), &law);
        assert!(near(severity(&suffering, "phantom_reference"), 0.26 + 0.03 / 24.0), "S-069");
        suffering.hear(Some(&says(&[], &["phantom_reference"])), &blind(2 * DAY + 3_600), &law);
        suffering.hear(Some(&says(&worry, &[])), &blind(4 * DAY), &law);
        assert!(near(severity(&suffering, "phantom_reference"), 0.20), "a day later it is new");
    }
}

/// S-047, S-048: what is only said counts 0.60 and holds three slots; unmeasured it stops at 0.35; bare states are
/// refused; the seed takes all of it.
#[test]
fn s_047_invention_is_bounded() {
    let invent = |law| {
        let mut suffering = Suffering::default();
        let mut refused = Vec::new();
        for name in ["one", "two", "three", "four"] {
            let events = suffering.hear(
                Some(&says(&[(format!("{name} worry").as_str(), "it gets better soon")], &[])),
                &blind(0),
                law,
            );
            refused.extend(events.into_iter().filter_map(|event| match event {
                SufferingEvent::Dropped { reason, .. } => Some(reason),
                _ => None,
            }));
        }
        suffering.feel(&blind(60 * DAY), law);
        (suffering, refused)
    };
    let (hardened, refused) = invent(&HARDENED);
    assert_eq!(refused, [EntryRefused::AgentSlots], "S-047");
    assert!(hardened.active().iter().all(|one| one.severity.ppm() == Ppm::of(350_000)), "S-048");
    assert_eq!((hardened.load(&HARDENED).load.ppm(), hardened.band()), (Ppm::of(600_000), Band::Constrained), "S-047");
    let (seed, refused) = invent(&SEED);
    assert!(refused.is_empty() && seed.band() == Band::Crisis);
    let mut bare = Suffering::default();
    let events = bare.hear(Some(&says(&[("thermal risk", "Critical")], &[])), &blind(0), &HARDENED);
    assert!(matches!(events[..], [SufferingEvent::Dropped { reason: EntryRefused::BareState, .. }]), "S-048");
}

/// S-048, S-061: a measured worry of the agent ends by its measure.
#[test]
fn s_048_measured_worries_end_by_their_measure() {
    let mut suffering = Suffering::default();
    suffering.hear(Some(&says(&[("slow learning", "fitness >= 50%")], &[])), &pressing(0, &[]), &HARDENED);
    assert_eq!(find(&suffering, "slow_learning").expect("active").condition.text.as_str(), "fitness at least 0.5");
    let events = suffering.hear(Some(&says(&[], &["slow learning"])), &pressing(40, &[]), &HARDENED);
    assert_eq!(events[0].name(), "suffering.claim_rejected", "fitness is 0.38");
    suffering.feel(&well(80), &HARDENED);
    assert!(find(&suffering, "slow_learning").is_none());
}

/// S-049: another name for a canonical type is that type, hardened.
#[test]
fn s_049_renaming_buys_nothing() {
    let named = says(&[("Existential Risk", "whenever")], &[]);
    let mut suffering = Suffering::default();
    suffering.hear(Some(&named), &blind(0), &HARDENED);
    suffering.feel(&blind(10 * DAY), &HARDENED);
    assert!(near(severity(&suffering, "existential_threat"), 0.90), "the canonical rate");
    let mut seed = Suffering::default();
    seed.hear(Some(&named), &blind(0), &SEED);
    assert!(find(&seed, "existential_risk").is_some());
}

/// S-013, S-014: W-20 and W-21.
#[test]
fn s_014_clocks_that_step_back_charge_nothing_w_20_w_21() {
    for law in LAWS {
        let mut suffering = Suffering::default();
        suffering.feel(&pressing(300, REP), &law);
        suffering.feel(&pressing(600, REP), &law);
        let charged = 0.20 + 0.04 * 300.0 / 86_400.0;
        assert!(near(severity(&suffering, "repeated_failure"), charged), "W-21: from its onset");
        suffering.feel(&pressing(0, REP), &law);
        assert!(near(severity(&suffering, "repeated_failure"), charged), "W-20");
        suffering.feel(&pressing(600, REP), &law);
        suffering.feel(&pressing(600, REP), &law);
        assert!(near(severity(&suffering, "repeated_failure"), charged), "S-013: charged once");
    }
}

/// S-015: W-22, downtime in one charge; the counter does not move; an owner may bound it.
#[test]
fn s_015_downtime_is_charged_once_w_22() {
    let ext = [Canonical::ExistentialThreat];
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, &ext), &HARDENED);
    suffering.feel(&pressing(3 * DAY, &ext), &HARDENED);
    assert!(near(severity(&suffering, "existential_threat"), 0.41), "W-22");
    assert_eq!((suffering.band(), suffering.crisis().cycles()), (Band::Present, 0), "W-22");
    let bounded = golem_suffering::SufferingLaw { max_gap_days: Some(1), ..HARDENED };
    let mut bound = Suffering::default();
    bound.feel(&pressing(0, &ext), &bounded);
    bound.feel(&pressing(3 * DAY, &ext), &bounded);
    assert!(near(severity(&bound, "existential_threat"), 0.27), "the optional knob");
}

/// S-080..S-084, S-124: W-23, and what was never resolved offers no cure.
#[test]
fn s_080_old_wounds_warn_w_23() {
    let scarred = |days: &[(u64, u64)]| {
        let mut suffering = Suffering::default();
        let mut clock = 0;
        for (day_parts, rest) in days {
            suffering.feel(&pressing(clock, REP), &HARDENED);
            clock += day_parts;
            suffering.feel(&pressing(clock, REP), &HARDENED);
            suffering.feel(&well(clock), &HARDENED);
            clock += rest;
        }
        suffering
    };
    // 0.04 a day is 0.0001 in 216 s: 7.5 days are 0.50.
    let half = 648_000;
    assert_eq!(scarred(&[(half, 10)]).anticipate(&uniswap()), None, "W-23: 0.50 is not above 0.50");
    let shown = scarred(&[(half + 216, 10)]).anticipate(&uniswap()).expect("W-23: 0.5001");
    let expected = "Anticipatory signal: a similar domain previously caused repeated_failure suffering (peak 0.50).\n\
                    It resolved when: 10 of 40 recent attempts failed (25%).";
    assert_eq!(shown.text(), expected, "S-080");
    let two = scarred(&[(885_600, 10), (1_144_800, 10)]);
    assert_eq!(two.anticipate(&uniswap()).expect("W-23").peak.to_string(), "0.73", "S-082: the highest");
    assert_eq!(two.anticipate(&Default::default()), None, "S-083: elsewhere");
    let mut talked = Suffering::default();
    talked.feel(&pressing(0, REP), &SEED);
    talked.feel(&pressing(1_144_800, REP), &SEED);
    talked.hear(Some(&says(&[], &["repeated_failure"])), &blind(1_144_800), &SEED);
    let signal = talked.anticipate(&uniswap()).expect("a scar");
    assert!(signal.cure.is_none() && signal.text().ends_with("It was never truly resolved."), "S-084");
}

/// S-133: W-30, with Terminal everything stands still.
#[test]
fn s_133_death_freezes_suffering_w_30() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, FIVE), &HARDENED);
    let before = suffering.load(&HARDENED);
    let mut dying = pressing(5 * DAY, FIVE);
    dying.phase = Phase::Terminal;
    let events = suffering.feel(&dying, &HARDENED);
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].name(), suffering.load(&HARDENED)), ("suffering.frozen", before), "W-30: no growth");
    let end = suffering.close_cycle(golem_primitives::Tick::new(50), at(5 * DAY), false, &HARDENED);
    assert!(end.message.is_none() && end.events.is_empty(), "W-30: no message, no reset");
    assert!(suffering.hear(Some(&says(&[("x y", "fitness > 1")], &[])), &dying, &HARDENED).is_empty());
    assert_eq!(suffering.prompt(&HARDENED), None, "S-106: absent from the death reflection");
    suffering.feel(&pressing(9 * DAY, FIVE), &HARDENED);
    assert_eq!(suffering.load(&HARDENED), before, "whatever comes");
    assert_eq!(suffering.export(at(9 * DAY), &HARDENED).stressors.len(), 5, "S-115: it goes into the testament");
}

/// S-140, S-142, S-143: a dreamer is charged at waking; nothing is assessed, heard or counted in a dream.
#[test]
fn s_140_dreams_neither_cure_nor_count() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, FIVE), &HARDENED);
    let mut dream = well(DAY);
    dream.is_dreaming = true;
    assert!(suffering.feel(&dream, &HARDENED).is_empty(), "S-142: what a dream sees resolves nothing");
    assert!(suffering.hear(Some(&says(&[], &["invisibility"])), &dream, &HARDENED).is_empty());
    assert_eq!(suffering.close_cycle(golem_primitives::Tick::new(50), at(DAY), true, &HARDENED), Default::default());
    assert_eq!(suffering.crisis().cycles(), 0);
    assert_eq!(suffering.replay_tags().len(), 5, "S-143: tags");
    suffering.feel(&pressing(DAY, FIVE), &HARDENED);
    assert!(near(severity(&suffering, "repeated_failure"), 0.24), "once, at waking");
}
