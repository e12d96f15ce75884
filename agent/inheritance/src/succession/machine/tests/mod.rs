use golem_primitives::LineageId;
use proptest::prelude::*;

use super::*;

fn course() -> Course {
    let law = SuccessionLaw { auto: true, ..SuccessionLaw::default() };
    Course { law, heir: Descent { lineage: LineageId(7), generation: 3 } }
}

fn golem() -> GolemId {
    GolemId::new("elm").expect("a name")
}

fn at(seconds: u64) -> UtcTime {
    UtcTime::from_seconds(seconds)
}

fn apart(distance: f64) -> Outcome {
    Outcome::Compared(Distance::new(distance))
}

/// Runs outcomes from the beginning.
fn run(outcomes: &[Outcome]) -> (State, Vec<Want>) {
    outcomes.iter().fold((State::BEGIN, Vec::new()), |(state, _), outcome| next(state, *outcome, &course(), at(0)))
}

const TO_COMPARE: [Outcome; 2] = [Outcome::Succeeded, Outcome::Succeeded];

fn to_provision() -> Vec<Outcome> {
    vec![Outcome::Succeeded, Outcome::Succeeded, apart(0.2), Outcome::FundsMissing(Usdc::ZERO)]
}

/// I-282, I-288: the whole way, each step wanted once and in order.
#[test]
fn i_282_seven_steps_in_order() {
    let mut outcomes = to_provision();
    outcomes.extend([Outcome::Succeeded, Outcome::Succeeded, Outcome::Succeeded]);
    outcomes.push(Outcome::Born { successor: golem() });
    let (mut state, mut wants) = (State::BEGIN, State::BEGIN.resume(&course()));
    for outcome in &outcomes {
        let (after, wanted) = next(state, *outcome, &course(), at(0));
        state = after;
        wants.extend(wanted);
    }
    let expected = [
        Want::Run(Step::Export),
        Want::Run(Step::Compile),
        Want::Run(Step::Compare),
        Want::Run(Step::CheckFunds),
        Want::Run(Step::Provision),
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
        let (state, wants) = next(state, Outcome::Compared(distance), &course(), at(0));
        assert!(matches!(state, State::Halted { step: Step::Compare, why: Halt::Gate(_) }));
        assert_eq!(wants[0], Want::OfferManual { similarity });
        assert!(matches!(wants[1], Want::NotifyOwner(_)) && wants.len() == 2, "I-292: what was exported stays");
    }
}

/// I-284, I-288: broke before compute, nothing was rented; broke after, it is released.
#[test]
fn i_288_a_broke_owner_rents_nothing() {
    let missing = Usdc::whole(3);
    let (state, wants) = run(&[Outcome::Succeeded, Outcome::Succeeded, apart(0.2), Outcome::FundsMissing(missing)]);
    let halt = Halt::Unfunded { missing };
    assert_eq!(state, State::Halted { step: Step::CheckFunds, why: halt });
    assert_eq!(wants, [Want::NotifyOwner(halt)], "I-284");
    let mut outcomes = to_provision();
    outcomes.extend([Outcome::Succeeded, Outcome::FundsMissing(missing)]);
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
        let (waiting, wants) = next(state, Outcome::FailedForNow, &course(), now);
        let State::Waiting { until, .. } = waiting else { panic!("it waits") };
        assert_eq!(wants, [Want::WakeAt(until)]);
        assert_eq!(next(waiting, Outcome::Woke, &course(), now).0, waiting, "not before its time");
        waits.push(until.seconds() - now.seconds());
        now = until;
        state = next(waiting, Outcome::Woke, &course(), now).0;
    }
    assert_eq!(waits, [30, 120, 480, 3_600, 30]);
    let done = next(state, Outcome::Succeeded, &course(), now).0;
    assert_eq!(done, State::Running { step: Step::Fund, attempt: Attempt::FIRST });
}

/// I-286 as decided (L-005), I-291: without an identity nobody is born; it is tried again.
#[test]
fn i_286_no_identity_no_birth() {
    let mut outcomes = to_provision();
    outcomes.extend([Outcome::Succeeded, Outcome::Succeeded, Outcome::FailedForNow]);
    let (state, _) = run(&outcomes);
    assert!(matches!(state, State::Waiting { step: Step::Register, .. }), "I-291: nothing boots unregistered");
    let (state, wants) = next(state, Outcome::Woke, &course(), at(30));
    assert_eq!(wants, [Want::Register(course().heir)]);
    assert!(matches!(state, State::Running { step: Step::Register, .. }));
}

/// I-289: by hand or by the owner it ends, and compute is given back.
#[test]
fn i_289_a_summons_by_hand_ends_it() {
    let mut outcomes = to_provision();
    outcomes.extend([Outcome::FailedForNow]);
    let (waiting, _) = run(&outcomes);
    let (state, wants) = next(waiting, Outcome::Summoned { successor: golem() }, &course(), at(0));
    assert_eq!((state, wants.len()), (State::Cancelled(Ended::Manually { successor: golem() }), 0));
    outcomes.pop();
    outcomes.extend([Outcome::Succeeded, Outcome::CancelledByOwner]);
    let (state, wants) = run(&outcomes);
    assert_eq!((state, wants), (State::Cancelled(Ended::ByOwner), vec![Want::ReleaseCompute]));
    let (halted, _) = run(&[Outcome::FailedForGood]);
    assert_eq!(halted, State::Halted { step: Step::Export, why: Halt::Broken(Step::Export) });
    let after = next(halted, Outcome::Summoned { successor: golem() }, &course(), at(0)).0;
    assert!(after.is_over(), "I-292: by hand it can always go on");
}

/// I-290: without the Grimoire the other steps stay.
#[test]
fn i_290_an_heir_may_be_born_without_the_genome() {
    let law = SuccessionLaw { inherit_grimoire: false, ..course().law };
    let course = Course { law, ..course() };
    let (mut state, mut wants) = (State::BEGIN, State::BEGIN.resume(&course));
    for outcome in to_provision().into_iter().chain([Outcome::Succeeded; 3]) {
        let (after, wanted) = next(state, outcome, &course, at(0));
        state = after;
        wants.extend(wanted);
    }
    assert_eq!(wants.last(), Some(&Want::Boot { ingest: false }));
    assert!(wants.contains(&Want::Run(Step::Compare)) && wants.contains(&Want::Register(course.heir)));
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => Just(Outcome::Succeeded),
        3 => (0.0f64..2.0).prop_map(|d| Outcome::Compared(Distance::new(d))),
        3 => (0u64..2).prop_map(|m| Outcome::FundsMissing(Usdc::from_micros(m))),
        2 => Just(Outcome::Born { successor: golem() }),
        1 => Just(Outcome::FailedForNow),
        1 => Just(Outcome::FailedForGood),
        2 => Just(Outcome::Woke),
        1 => Just(Outcome::Summoned { successor: golem() }),
        1 => Just(Outcome::CancelledByOwner),
    ]
}

/// I-285, I-287, I-289, I-211: what was halted for a reason that may be gone is tried again from its step; one that would
/// be the same again stays halted, and so does what is over.
#[test]
fn i_287_a_halt_is_tried_again_when_its_reason_may_be_gone() {
    let running = |step| State::Running { step, attempt: Attempt::FIRST };
    let similar = Stillborn::TooSimilar { similarity: Ppm::of(900_000), least: Ppm::of(150_000) };
    let over = State::Cancelled(Ended::ByOwner);
    for (step, why, again) in [
        (Step::CheckFunds, Halt::Unfunded { missing: Usdc::whole(1) }, Some(Step::CheckFunds)),
        (Step::Compare, Halt::Gate(Stillborn::Unmeasured), Some(Step::Compare)),
        (Step::Export, Halt::Broken(Step::Export), Some(Step::Export)),
        (Step::Register, Halt::Broken(Step::Register), Some(Step::Register)),
        (Step::Compare, Halt::Gate(similar), None),
    ] {
        let state = State::Halted { step, why };
        assert_eq!(state.again(), again.map_or(state, running), "{why:?}");
    }
    assert_eq!((over.again(), running(Step::Boot).again()), (over, running(Step::Boot)));
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
            if let (State::Running { step: Step::Compare, .. }, Outcome::Compared(Some(d))) = (before, outcome) {
                far_enough |= d.reaches(Ppm::of(150_000));
            }
            if before.is_over() { prop_assert_eq!(after, before); }
            if let State::Running { .. } = after && after != before {
                prop_assert_eq!(after.resume(&course()), wants);
            }
            let step = |state| match state {
                State::Running { step, .. } | State::Waiting { step, .. } | State::Halted { step, .. } => step,
                State::Done { .. } | State::Cancelled(_) => Step::Boot,
            };
            prop_assert!(step(after) >= step(before));
            if let State::Done { .. } = after { prop_assert!(far_enough, "I-365"); }
            state = after;
        }
    }
}
