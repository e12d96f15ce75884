use golem_primitives::LineageId;
use proptest::prelude::*;

use super::*;

fn course() -> SuccessionTerms {
    let law = SuccessionLaw { auto: true, ..SuccessionLaw::default() };
    SuccessionTerms { law, heir: Descent { lineage: LineageId(7), generation: 3 } }
}

fn golem() -> GolemId {
    GolemId::new("elm").expect("a name")
}

fn at(seconds: u64) -> UtcTime {
    UtcTime::from_seconds(seconds)
}

fn apart(distance: f64) -> SuccessionOutcome {
    SuccessionOutcome::Compared(Distance::new(distance))
}

/// Runs outcomes from the beginning.
fn run(outcomes: &[SuccessionOutcome]) -> (State, Vec<Want>) {
    outcomes.iter().fold((State::BEGIN, Vec::new()), |(state, _), outcome| next(state, *outcome, &course(), at(0)))
}

const TO_COMPARE: [SuccessionOutcome; 2] = [SuccessionOutcome::Succeeded, SuccessionOutcome::Succeeded];

fn to_provision() -> Vec<SuccessionOutcome> {
    vec![
        SuccessionOutcome::Succeeded,
        SuccessionOutcome::Succeeded,
        apart(0.2),
        SuccessionOutcome::FundsMissing(Usdc::ZERO),
    ]
}

/// I-282, I-288: the whole way, each step wanted once and in order.
#[test]
fn i_282_seven_steps_in_order() {
    let mut outcomes = to_provision();
    outcomes.extend([SuccessionOutcome::Succeeded, SuccessionOutcome::Succeeded, SuccessionOutcome::Succeeded]);
    outcomes.push(SuccessionOutcome::Born { successor: golem() });
    let (mut state, mut wants) = (State::BEGIN, State::BEGIN.resume(&course()));
    for outcome in &outcomes {
        let (after, wanted) = next(state, *outcome, &course(), at(0));
        state = after;
        wants.extend(wanted);
    }
    let expected = [
        Want::Run(SuccessionStep::Export),
        Want::Run(SuccessionStep::Compile),
        Want::Run(SuccessionStep::Compare),
        Want::Run(SuccessionStep::CheckFunds),
        Want::Run(SuccessionStep::Provision),
        Want::Fund(Usdc::whole(50)),
        Want::Register(course().heir),
        Want::Boot { ingest: true },
    ];
    assert_eq!(wants, expected, "I-288: the funds are looked at before compute");
    assert_eq!(state, State::Done { successor: golem() });
}

/// I-283, I-211, I-212, I-292: too alike or unmeasured, it halts and offers the manual way; nothing is deleted.
#[test]
fn i_283_a_copy_is_not_born() {
    for (distance, similarity) in [(Distance::new(0.04), Some(Ppm::of(960_000))), (None, None)] {
        let (state, _) = run(&TO_COMPARE);
        let (state, wants) = next(state, SuccessionOutcome::Compared(distance), &course(), at(0));
        assert!(matches!(state, State::Halted { step: SuccessionStep::Compare, why: Halt::Gate(_) }));
        assert_eq!(wants[0], Want::OfferManual { similarity });
        assert!(matches!(wants[1], Want::NotifyOwner(_)) && wants.len() == 2, "I-292: what was exported stays");
    }
}

/// I-284, I-288: broke before compute, nothing was rented; broke after, it is released.
#[test]
fn i_288_a_broke_owner_rents_nothing() {
    let missing = Usdc::whole(3);
    let (state, wants) = run(&[
        SuccessionOutcome::Succeeded,
        SuccessionOutcome::Succeeded,
        apart(0.2),
        SuccessionOutcome::FundsMissing(missing),
    ]);
    let halt = Halt::Unfunded { missing };
    assert_eq!(state, State::Halted { step: SuccessionStep::CheckFunds, why: halt });
    assert_eq!(wants, [Want::NotifyOwner(halt)], "I-284");
    let mut outcomes = to_provision();
    outcomes.extend([SuccessionOutcome::Succeeded, SuccessionOutcome::FundsMissing(missing)]);
    let (_, wants) = run(&outcomes);
    assert_eq!(wants, [Want::ReleaseCompute, Want::NotifyOwner(halt)], "I-288");
}

/// I-285, I-287: failed provisioning waits 30, 120, 480 s, then an hour, and so on.
#[test]
fn i_285_provisioning_is_tried_again() {
    let (mut state, _) = run(&to_provision());
    let mut now = at(1_000);
    let mut waits = Vec::new();
    for _ in 0..5 {
        let (waiting, wants) = next(state, SuccessionOutcome::FailedForNow, &course(), now);
        let State::Waiting { until, .. } = waiting else { panic!("it waits") };
        assert_eq!(wants, [Want::WakeAt(until)]);
        assert_eq!(next(waiting, SuccessionOutcome::Woke, &course(), now).0, waiting, "not before its time");
        waits.push(until.seconds() - now.seconds());
        now = until;
        state = next(waiting, SuccessionOutcome::Woke, &course(), now).0;
    }
    assert_eq!(waits, [30, 120, 480, 3_600, 30]);
    let done = next(state, SuccessionOutcome::Succeeded, &course(), now).0;
    assert_eq!(done, State::Running { step: SuccessionStep::Fund, attempt: CycleAttempt::FIRST });
}

/// I-286 as decided (L-005), I-291: without an identity nobody is born; it is tried again.
#[test]
fn i_286_no_identity_no_birth() {
    let mut outcomes = to_provision();
    outcomes.extend([SuccessionOutcome::Succeeded, SuccessionOutcome::Succeeded, SuccessionOutcome::FailedForNow]);
    let (state, _) = run(&outcomes);
    assert!(
        matches!(state, State::Waiting { step: SuccessionStep::Register, .. }),
        "I-291: nothing boots unregistered"
    );
    let (state, wants) = next(state, SuccessionOutcome::Woke, &course(), at(30));
    assert_eq!(wants, [Want::Register(course().heir)]);
    assert!(matches!(state, State::Running { step: SuccessionStep::Register, .. }));
}

/// I-289: by hand or by the owner it ends, and compute is given back.
#[test]
fn i_289_a_summons_by_hand_ends_it() {
    let mut outcomes = to_provision();
    outcomes.extend([SuccessionOutcome::FailedForNow]);
    let (waiting, _) = run(&outcomes);
    let (state, wants) = next(waiting, SuccessionOutcome::Summoned { successor: golem() }, &course(), at(0));
    assert_eq!((state, wants.len()), (State::Cancelled(EndedBy::Manually { successor: golem() }), 0));
    outcomes.pop();
    outcomes.extend([SuccessionOutcome::Succeeded, SuccessionOutcome::CancelledByOwner]);
    let (state, wants) = run(&outcomes);
    assert_eq!((state, wants), (State::Cancelled(EndedBy::ByOwner), vec![Want::ReleaseCompute]));
    let (halted, _) = run(&[SuccessionOutcome::FailedForGood]);
    assert_eq!(halted, State::Halted { step: SuccessionStep::Export, why: Halt::Broken(SuccessionStep::Export) });
    let after = next(halted, SuccessionOutcome::Summoned { successor: golem() }, &course(), at(0)).0;
    assert!(after.is_over(), "I-292: by hand it can always go on");
}

/// I-290: without the Grimoire the other steps stay.
#[test]
fn i_290_an_heir_may_be_born_without_the_genome() {
    let law = SuccessionLaw { inherit_grimoire: false, ..course().law };
    let course = SuccessionTerms { law, ..course() };
    let (mut state, mut wants) = (State::BEGIN, State::BEGIN.resume(&course));
    for outcome in to_provision().into_iter().chain([SuccessionOutcome::Succeeded; 3]) {
        let (after, wanted) = next(state, outcome, &course, at(0));
        state = after;
        wants.extend(wanted);
    }
    assert_eq!(wants.last(), Some(&Want::Boot { ingest: false }));
    assert!(wants.contains(&Want::Run(SuccessionStep::Compare)) && wants.contains(&Want::Register(course.heir)));
}

fn any_outcome() -> impl Strategy<Value = SuccessionOutcome> {
    prop_oneof![
        4 => Just(SuccessionOutcome::Succeeded),
        3 => (0.0f64..2.0).prop_map(|d| SuccessionOutcome::Compared(Distance::new(d))),
        3 => (0u64..2).prop_map(|m| SuccessionOutcome::FundsMissing(Usdc::from_micros(m))),
        2 => Just(SuccessionOutcome::Born { successor: golem() }),
        1 => Just(SuccessionOutcome::FailedForNow),
        1 => Just(SuccessionOutcome::FailedForGood),
        2 => Just(SuccessionOutcome::Woke),
        1 => Just(SuccessionOutcome::Summoned { successor: golem() }),
        1 => Just(SuccessionOutcome::CancelledByOwner),
    ]
}

/// I-285, I-287, I-289, I-211: what was halted for a reason that may be gone is tried again from its step; one that would
/// be the same again stays halted, and so does what is over.
#[test]
fn i_287_a_halt_is_tried_again_when_its_reason_may_be_gone() {
    let running = |step| State::Running { step, attempt: CycleAttempt::FIRST };
    let similar = Stillborn::TooSimilar { similarity: Ppm::of(900_000), least: Ppm::of(150_000) };
    let over = State::Cancelled(EndedBy::ByOwner);
    for (step, why, again) in [
        (SuccessionStep::CheckFunds, Halt::Unfunded { missing: Usdc::whole(1) }, Some(SuccessionStep::CheckFunds)),
        (SuccessionStep::Compare, Halt::Gate(Stillborn::Unmeasured), Some(SuccessionStep::Compare)),
        (SuccessionStep::Export, Halt::Broken(SuccessionStep::Export), Some(SuccessionStep::Export)),
        (SuccessionStep::Register, Halt::Broken(SuccessionStep::Register), Some(SuccessionStep::Register)),
        (SuccessionStep::Compare, Halt::Gate(similar), None),
    ] {
        let state = State::Halted { step, why };
        assert_eq!(state.again(), again.map_or(state, running), "{why:?}");
    }
    assert_eq!((over.again(), running(SuccessionStep::Boot).again()), (over, running(SuccessionStep::Boot)));
}

proptest! {
    /// I-289, I-365: whatever comes in whatever order, a step never goes back, what is over stays over, taking it up
    /// anew wants what was wanted, and nobody is born whose PLAYBOOK was not far enough.
    #[test]
    fn i_289_any_history_resumes_and_never_goes_back(outcomes in prop::collection::vec(any_outcome(), 0..60)) {
        let (mut state, mut far_enough, mut now) = (State::BEGIN, false, 0u64);
        for outcome in outcomes {
            now += 4_000;
            let before = state;
            let (after, wants) = next(state, outcome, &course(), at(now));
            if let (State::Running { step: SuccessionStep::Compare, .. }, SuccessionOutcome::Compared(Some(d))) = (before, outcome) {
                far_enough |= d.reaches(Ppm::of(150_000));
            }
            if before.is_over() { prop_assert_eq!(after, before); }
            if let State::Running { .. } = after && after != before {
                prop_assert_eq!(after.resume(&course()), wants);
            }
            let step = |state| match state {
                State::Running { step, .. } | State::Waiting { step, .. } | State::Halted { step, .. } => step,
                State::Done { .. } | State::Cancelled(_) => SuccessionStep::Boot,
            };
            prop_assert!(step(after) >= step(before));
            if let State::Done { .. } = after { prop_assert!(far_enough, "I-365"); }
            state = after;
        }
    }
}
