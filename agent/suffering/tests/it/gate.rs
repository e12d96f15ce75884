use golem_primitives::Ppm;
use golem_suffering::action::{ActionEffect, Aim, Goal, GoalClass};
use golem_suffering::domain::WorkDomain;
use golem_suffering::event::SufferingEvent;
use golem_suffering::gate::{Closed, GoalVerdict};
use golem_suffering::kind::Canonical;
use golem_suffering::{Band, Suffering};
use proptest::prelude::*;

use crate::make::{DAY, HARDENED, key, pressing, uniswap, well};

/// Seconds after which these two stand in each band.
const TWO: &[Canonical] = &[Canonical::RepeatedFailure, Canonical::ExistentialThreat];

fn in_band(band: Band) -> Suffering {
    let seconds = match band {
        Band::Background => return Suffering::default(),
        Band::Present => 0,
        Band::Constrained => 2 * DAY,
        Band::Dominant => 4 * DAY,
        Band::Crisis => 5 * DAY,
    };
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, TWO), &HARDENED);
    suffering.feel(&pressing(seconds, TWO), &HARDENED);
    assert_eq!(suffering.band(), band, "{}", suffering.status(&HARDENED));
    suffering
}

fn elsewhere() -> WorkDomain {
    WorkDomain { protocol: Some(key("aave")), ..WorkDomain::default() }
}

fn aimed(class: GoalClass, stressor: &str, step: &str) -> Goal {
    Goal { aim: Aim::new(stressor, step), ..Goal::new(class, elsewhere()) }
}

/// S-021, S-030, S-129: the whole table of bands and classes.
#[test]
fn s_030_the_table_of_bands_and_classes() {
    use GoalClass::{Examine, Expand, Grow, Learn, Maintain, Peer};
    for (band, open) in [
        (Band::Background, vec![Examine, Peer, Learn, Maintain, Grow, Expand]),
        (Band::Present, vec![Examine, Peer, Learn, Maintain, Grow, Expand]),
        (Band::Constrained, vec![Examine, Peer, Learn, Maintain, Grow]),
        (Band::Dominant, vec![Examine, Peer]),
        (Band::Crisis, vec![Examine, Peer]),
    ] {
        let suffering = in_band(band);
        for class in GoalClass::ALL {
            let is_open = suffering.judge(&Goal::new(*class, elsewhere())).is_open();
            assert_eq!(is_open, open.contains(class), "{class} in {band}");
        }
    }
}

/// S-129: growing where it hurts, and working without an aim.
#[test]
fn s_129_growth_and_work_are_closed_where_it_hurts() {
    let constrained = in_band(Band::Constrained);
    let here = constrained.judge(&Goal::new(GoalClass::Grow, uniswap()));
    assert_eq!(here, GoalVerdict::Closed(Closed::Domain { stressor: key("existential_threat") }));
    let dominant = in_band(Band::Dominant);
    for (goal, open) in [
        (aimed(GoalClass::Learn, "repeated_failure", "failure_rate below 0.3"), true),
        (aimed(GoalClass::Maintain, "repeated_failure", "successful_attempts >= 3"), true),
        (aimed(GoalClass::Learn, "repeated_failure", "do better"), false),
        (aimed(GoalClass::Learn, "invisibility", "verdicts >= 1"), false),
        (aimed(GoalClass::Grow, "repeated_failure", "failure_rate below 0.3"), false),
    ] {
        assert_eq!(dominant.judge(&goal).is_open(), open, "{goal:?}");
    }
}

/// S-141: a dream is asked for as self-examination, so no band blocks it.
#[test]
fn s_141_no_band_blocks_a_dream() {
    let ask = ActionEffect { examines: true, ..ActionEffect::default() };
    for band in Band::ALL {
        assert!(in_band(*band).judge(&Goal::new(ask.class(), elsewhere())).is_open(), "{band}");
    }
}

/// S-081, S-083: old wounds caution from C6 on, and never block.
#[test]
fn s_081_warnings_never_block() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, &TWO[..1]), &HARDENED);
    suffering.feel(&pressing(10 * DAY, &TWO[..1]), &HARDENED);
    suffering.feel(&well(10 * DAY), &HARDENED);
    let judged = suffering.judge(&Goal::new(GoalClass::Expand, uniswap()));
    assert!(matches!(&judged, GoalVerdict::Open(Some(signal)) if signal.peak.ppm() == Ppm::of(600_000)), "{judged:?}");
    assert_eq!(suffering.judge(&Goal::new(GoalClass::Examine, uniswap())), GoalVerdict::Open(None));
    assert_eq!(suffering.judge(&Goal::new(GoalClass::Expand, elsewhere())), GoalVerdict::Open(None));
}

/// S-144, A-160: entering a band and being relieved reach affect once; leaving a band downward does not.
#[test]
fn s_144_affect_is_told_once() {
    let mut suffering = Suffering::default();
    let told = |events: Vec<SufferingEvent>| events.iter().filter_map(SufferingEvent::appraisal).count();
    assert_eq!(told(suffering.feel(&pressing(0, TWO), &HARDENED)), 0, "Present is not told");
    assert_eq!(told(suffering.feel(&pressing(2 * DAY, TWO), &HARDENED)), 1);
    assert_eq!(told(suffering.feel(&pressing(2 * DAY + 40, TWO), &HARDENED)), 0, "once");
    assert_eq!(told(suffering.feel(&well(2 * DAY + 80), &HARDENED)), 1, "one relief, and no strain on the way down");
}

proptest! {
    /// S-037, S-129: the gate can only remove, whatever the band.
    #[test]
    fn s_129_the_gate_can_only_remove(by_phase: bool, by_policy: bool, band in prop::sample::select(Band::ALL), class in prop::sample::select(GoalClass::ALL)) {
        let permitted = in_band(band).permits(&Goal::new(class, elsewhere()), by_phase, by_policy);
        prop_assert!(!permitted || (by_phase && by_policy));
        prop_assert!(permitted || class > GoalClass::Peer || !by_phase || !by_policy, "C4 and C5 are always open");
    }
}
