use std::time::Duration;

use golem_dreams::heritage::{
    bequeathed, confirmed, inherited_confidence, is_special, may_share, shared_weight, untested,
};
use golem_dreams::integration::journal::{Yield, YieldAdvice, YieldHealth};
use golem_dreams::integration::staging::{RevisionType, RowStatus, Staged, Staging};
use golem_dreams::words::Tier;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::retention::{DecayClass, Pace, RetentionLaw};
use golem_primitives::{Ppm, UtcTime};

use crate::make::{dream, law, lived, ppm, staged};

/// D-121, D-172, D-173: what all cycles came to.
#[test]
fn d_173_yields_are_judged() {
    let of = |validated| Yield { staged: 100, validated, ..Yield::default() };
    let health = [4, 5, 9, 10, 30, 31, 50, 51].map(|validated| of(validated).health());
    use YieldHealth::{Alarm, Healthy, Watch};
    assert_eq!(health, [Alarm, Watch, Watch, Healthy, Healthy, Watch, Watch, Alarm]);
    assert_eq!(Yield::default().health(), YieldHealth::Unknown);
    let advice = [19, 20, 40, 41].map(|validated| of(validated).advice());
    assert_eq!(advice, [YieldAdvice::Review, YieldAdvice::Keep, YieldAdvice::Keep, YieldAdvice::More], "D-121");
    let journal = dream(lived(Tier::Hardened), &law(Tier::Hardened)).report.journal;
    let sum = Yield::default().plus(&journal).plus(&journal);
    assert_eq!((sum.cycles, sum.rehearsed), (2, 2 * journal.rem.threats), "D-172");
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

/// D-246: shared from 0.5, after confirmation, and special for fourteen days.
#[test]
fn d_246_only_confirmed_dreams_are_shared() {
    let half = Confidence::of(500_000);
    assert!(may_share(true, half) && !may_share(false, Confidence::CERTAIN));
    assert!(!may_share(true, Confidence::of(499_999)));
    let at = |days: u64| UtcTime::from_seconds(days * 86_400);
    assert!(is_special(at(0), at(13)) && !is_special(at(0), at(14)));
}

/// D-206, D-247: what nobody tried goes into the testament, and enters the next life at 0.15.
#[test]
fn d_247_untested_hypotheses_are_passed_on() {
    let tried = Staged { status: RowStatus::PartiallyValidated, ..staged("tried", 30) };
    let rule = Staged { revision: RevisionType::AddGuard, ..staged("guard", 30) };
    let better = Staged { utility: ppm(0.9), ..staged("better", 20) };
    let table = Staging::from_rows(vec![staged("plain", 20), tried, rule, better]);
    let texts: Vec<String> = untested(&table).into_iter().map(|one| one.text).collect();
    assert_eq!(texts, ["better", "plain"]);
    assert_eq!(inherited_confidence().get(), 15);
}

/// D-020, D-247: the lines of the last dream come before what was staged and nobody tried, and nothing is said twice.
#[test]
fn d_020_the_last_dream_speaks_first_and_nothing_twice() {
    let table = Staging::from_rows(vec![staged("plain", 20), staged("gas leads", 20)]);
    let left = bequeathed(["gas leads", "calm ends", "calm ends"].map(str::to_owned).to_vec(), &table);
    let texts: Vec<&str> = left.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["gas leads", "calm ends", "plain"]);
    assert!(left.iter().all(|one| !one.criterion.trim().is_empty()), "each can be staged again (D-156)");
}

/// D-250: what a dream weighs among others, and what it is after confirmation.
#[test]
fn d_250_dreams_weigh_less_until_they_are_ones_own() {
    let of = [Provenance::Own, Provenance::Clade, Provenance::Dream, Provenance::Inheritance].map(shared_weight);
    assert_eq!(of, [1_000_000, 800_000, 600_000, 400_000].map(Ppm::of));
    let draft = dream(lived(Tier::Core), &law(Tier::Core)).report.insights.remove(0);
    let own = confirmed(&draft);
    assert_eq!(own.source.provenance, Provenance::Own);
    assert!(own.dream.is_some_and(|mark| mark.is_validated) && draft.source.provenance == Provenance::Dream);
}
