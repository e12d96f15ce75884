use proptest::prelude::*;

use super::*;
use crate::makers::{holds_for, in_hour};

const BOUND: f64 = 0.02;

fn staged(founding: Option<Founding>, blocks: &mut Blocks) -> Tried {
    let rule = holds_for("dawn", in_hour(0), 60, 10);
    let origin = founding.map_or(Origin::Candidate, Origin::Founding);
    let paper = Paper::Holds(Account::new(Ppm::of(600_000), crate::rule::Manner::Hold));
    let confidence = founding.is_none().then_some(RuleConfidence::PROPOSED);
    Tried::stage(Staged { rule, paper, origin, confidence, bound_of_a_loss: BOUND, cost: 0.001 }, blocks)
}

fn trip(net: f64) -> TripObservation {
    TripObservation { net, passive: 0.0, exposure: 1.0 }
}

/// Trips of `net` until something changes.
fn until_changed(tried: &mut Tried, blocks: &mut Blocks, net: f64) -> RuleChange {
    (0..10_000).find_map(|_| tried.observe(trip(net), blocks)).expect("it changes within 10,000 trips")
}

/// P-041, P-042, P-044, P-045, P-048.
#[test]
fn p_041_p_042_p_044_p_045_p_048_a_rule_is_tried_promoted_rested_and_woken_with_the_numbers_that_decided() {
    let mut blocks = Blocks::default();
    let mut tried = staged(None, &mut blocks);
    assert_eq!(tried.standing().stake(), Ppm::ZERO);
    let RuleChange::OnTrial { evidence } = until_changed(&mut tried, &mut blocks, 0.006) else { panic!("no trial") };
    assert!((20.0..30.0).contains(&evidence), "{evidence}");
    assert_eq!(tried.standing().stake(), Ppm::of(250_000));

    let change = until_changed(&mut tried, &mut blocks, 0.006);
    let RuleChange::Promoted { evidence, bound, block: 0, promoted: 1 } = change else { panic!("{change:?}") };
    assert!(bound == 320.0 && (320.0..420.0).contains(&evidence), "{evidence}");
    assert_eq!(tried.standing().stake(), Ppm::ONE);

    // Held to half of what it brought; less than that for long enough is the end of it, though it loses nothing.
    let RuleChange::Rested { detector, wanted, .. } = until_changed(&mut tried, &mut blocks, 0.0) else {
        panic!("no rest")
    };
    assert!((wanted - 0.003).abs() < 1e-12 && detector >= 20.0);
    assert_eq!((tried.standing(), tried.evidence()), (Standing::Rest, 1.0));
    let bet = [tried.proof.cash, tried.proof.passive].map(|account| account.wealths.each[0]);
    assert_eq!(bet, [0.5; 2], "half of it waits");

    assert!(
        matches!(until_changed(&mut tried, &mut blocks, 0.006), RuleChange::Woken { evidence } if evidence >= 20.0)
    );
    assert_eq!(tried.standing(), Standing::Trial);
    // Promoted again, and counted once.
    until_changed(&mut tried, &mut blocks, 0.006);
    assert_eq!((tried.standing(), blocks.promoted(0)), (Standing::Whole, 1));
}

#[test]
fn p_040_evidence_alone_moves_no_money_before_the_gate() {
    let mut blocks = Blocks::default();
    let mut tried = staged(None, &mut blocks);
    let mut changes: Vec<Option<RuleChange>> = (0..4).map(|_| tried.observe(trip(0.1), &mut blocks)).collect();
    assert!(tried.evidence() >= 20.0, "{}", tried.evidence());
    assert!(changes.iter().all(Option::is_none) && tried.standing() == Standing::Paper, "0.6 is not 0.7");
    changes.push(tried.observe(trip(0.1), &mut blocks));
    assert!(tried.standing() > Standing::Paper && changes[4].is_some());

    // The owner's word needs no gate, also where his line only supposed the rule.
    let mut tried = staged(None, &mut blocks);
    tried.found(Founding::Paper);
    assert_eq!(tried.confidence(), None);
    assert!(until_changed(&mut tried, &mut blocks, 0.1) != RuleChange::Refused { tried: 0 } && tried.trips() < 5);
}

#[test]
fn p_040_p_048_a_candidate_whose_trips_speak_against_it_is_refuted_with_the_numbers_that_decided() {
    let mut blocks = Blocks::default();
    let mut tried = staged(None, &mut blocks);
    let change = until_changed(&mut tried, &mut blocks, -0.001);
    assert!(
        matches!(change, RuleChange::Refuted { confidence: 5, trips: 3, evidence } if evidence < 1.0),
        "{change:?}"
    );
    assert!(tried.is_refuted());
    // Who was admitted and then loses rests, and is not forgotten.
    let mut tried = staged(None, &mut blocks);
    while tried.standing() != Standing::Whole {
        tried.observe(trip(0.006), &mut blocks);
    }
    assert!(matches!(until_changed(&mut tried, &mut blocks, -0.01), RuleChange::Rested { .. }));
    assert!(!tried.is_refuted());
}

/// D-136, P-048: a guard that is obeyed and alarms for nothing more than three times in ten is withdrawn with both numbers; three
/// in ten it may, the owner's own is obeyed whatever it saves, and what holds is held to what it brings alone.
#[test]
fn d_136_a_guard_that_cries_wolf_is_withdrawn() {
    let is_guard = |tried: &mut Tried| {
        tried.rule.action = crate::rule::Action::NoEntries;
        tried.paper = Paper::Guards(GuardAccount::default());
    };
    // Saves much, and so often nothing.
    let alarm = |at: usize, wolves: usize| trip(if at % 10 >= 10 - wolves { -0.0001 } else { 0.006 });
    let first_change = |tried: &mut Tried, blocks: &mut Blocks, wolves: usize| {
        (0..200).find_map(|at| {
            tried.observe(alarm(at, wolves), blocks).filter(|change| !matches!(change, RuleChange::Promoted { .. }))
        })
    };
    for (wolves, withdrawn) in [(3, None), (4, Some(RuleChange::Withdrawn { alarms: 10, false_alarms: 4 }))] {
        let mut blocks = Blocks::default();
        let mut tried = staged(None, &mut blocks);
        is_guard(&mut tried);
        tried.confidence = None;
        tried.move_money(Standing::Whole);
        let change = first_change(&mut tried, &mut blocks, wolves);
        assert_eq!(change, withdrawn, "{wolves} in ten");
        assert_eq!(tried.standing() == Standing::Rest, withdrawn.is_some());
        let mut owners = staged(Some(Founding::Trust), &mut blocks);
        is_guard(&mut owners);
        assert_eq!((first_change(&mut owners, &mut blocks, 9), owners.standing()), (None, Standing::Whole));
    }
}

#[test]
fn p_047_founding_rules_move_what_the_owner_said_and_are_rested_like_others() {
    for (founding, stake) in [(Founding::Trial, 250_000), (Founding::Paper, 0), (Founding::Trust, 1_000_000)] {
        let mut blocks = Blocks::default();
        let mut tried = staged(Some(founding), &mut blocks);
        assert_eq!(tried.standing().stake(), Ppm::of(stake), "{founding:?}");
        if stake > 0 {
            let change = until_changed(&mut tried, &mut blocks, -0.002);
            // It promised 0.5%, of which 0.1% is cost.
            assert!(
                matches!(change, RuleChange::Rested { wanted, .. } if (wanted - 0.002).abs() < 1e-12),
                "{change:?}"
            );
        }
    }
    let mut blocks = Blocks::default();
    let mut trial = staged(Some(Founding::Trial), &mut blocks);
    let change = until_changed(&mut trial, &mut blocks, 0.006);
    assert!(matches!(change, RuleChange::Promoted { evidence, .. } if evidence >= 320.0), "{change:?}");
}

#[test]
fn p_045_p_046_an_heir_moves_nothing_before_its_own_trips_and_what_rested_stays_dormant() {
    let mut blocks = Blocks::default();
    let mut tried = staged(None, &mut blocks);
    while tried.standing() != Standing::Whole {
        tried.observe(trip(0.006), &mut blocks);
    }
    let mut heir = tried.inherited();
    assert!((heir.evidence() - (1.0 + tried.evidence()) / 2.0).abs() < 1e-9);
    assert_eq!((heir.standing(), heir.number(), heir.trips()), (Standing::Paper, tried.number(), 0));
    assert!(heir.evidence() >= 20.0, "the line's evidence alone would be enough");
    heir.observe(trip(0.006), &mut blocks);
    assert!(heir.standing() > Standing::Paper);

    until_changed(&mut tried, &mut blocks, -0.01);
    assert_eq!(tried.inherited().standing(), Standing::Rest);
}

proptest! {
    /// P-042. Whatever the trips and whoever is promoted before: no candidate has a whole stake without having reached the
    /// bound of its block at that moment, and a block's count is the number of its rules that did.
    #[test]
    fn p_042_no_candidate_moves_its_whole_stake_below_its_bound(
        trips in prop::collection::vec((0_usize..40, -0.05_f64..0.08), 0..2_000),
    ) {
        let mut blocks = Blocks::default();
        let mut rules: Vec<Tried> = (0..40).map(|_| staged(None, &mut blocks)).collect();
        let mut ever = [false; 40];
        for (which, net) in trips {
            let bound = blocks.bound(rules[which].number());
            let before = rules[which].standing();
            rules[which].observe(trip(net), &mut blocks);
            if rules[which].standing() == Standing::Whole && before != Standing::Whole {
                prop_assert!(rules[which].evidence() >= bound);
                ever[which] = true;
            }
            if rules[which].standing() == Standing::Trial && before != Standing::Trial {
                prop_assert!(rules[which].evidence() >= 20.0);
            }
        }
        let count = |range: std::ops::Range<usize>| ever[range].iter().filter(|ever| **ever).count() as u32;
        prop_assert_eq!((blocks.promoted(0), blocks.promoted(32)), (count(0..32), count(32..40)));
    }
}
