use std::time::Duration;

use golem_dreams::heritage::bequeathed;
use golem_dreams::integration::journal::{Yield, YieldHealth};
use golem_dreams::rem::hypothesis::{DreamOrigin, Hypothesis};
use golem_grimoire::retention::{DecayClass, Pace, RetentionLaw};
use golem_primitives::Ppm;

/// D-172, D-173: what became of the rules that dreams had tried.
#[test]
fn d_173_yields_are_judged() {
    let of = |validated| Yield { staged: 100, validated, refuted: 0 };
    let health = [4, 5, 9, 10, 30, 31, 50, 51].map(|validated| of(validated).health());
    use YieldHealth::{Alarm, Healthy, Watch};
    assert_eq!(health, [Alarm, Watch, Watch, Healthy, Healthy, Watch, Watch, Alarm]);
    assert_eq!((of(20).rate(), Yield::default().rate()), (Some(Ppm::of(200_000)), None), "D-172");
    assert_eq!(Yield::default().health(), YieldHealth::Unknown);
}

/// D-245: what a dream taught and waking ticks confirmed decays half as fast.
#[test]
fn d_245_confirmed_dreams_decay_half_as_fast() {
    let law = RetentionLaw::default();
    let plain = Pace::of(DecayClass::Tactical);
    let dreamt = Pace { is_dream_validated: true, ..plain };
    let week = Duration::from_secs(7 * 86_400);
    assert!((dreamt.retention(&law, week * 2) - plain.retention(&law, week)).abs() < 1e-9);
}

/// D-020, D-206, D-247: the lines of the last dream come before what was supposed, and nothing is said twice.
#[test]
fn d_020_the_last_dream_speaks_first_and_nothing_twice() {
    let supposed = ["plain", "gas leads"].map(|text| Hypothesis {
        source: DreamOrigin::Replay,
        mode: None,
        description: text.into(),
        rationale: String::new(),
        failure_conditions: String::new(),
        minimum_test: "wait for it".into(),
        vector: None,
    });
    let left = bequeathed(["gas leads", "calm ends", "calm ends"].map(str::to_owned).to_vec(), &supposed);
    let texts: Vec<&str> = left.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["gas leads", "calm ends", "plain"]);
    assert_eq!(left[2].criterion, "wait for it");
}
