use golem_primitives::Usdc;

use super::*;
use crate::choice::{Circumstances, Limits};
use crate::cost::ONCE;
use crate::hand::Hand;
use crate::look::Look;
use crate::makers::{CAPITAL, any, holds_for, is, look};
use crate::market::Market;
use crate::prices::Terms;
use crate::promotion::{Founding, Origin, RuleChange, Standing};

const TERMS: PhageTerms = PhageTerms {
    law: PhageLaw { lifetime: 50, daily_rate: 2, replicants: false },
    allowed: 3,
    elsewhere: 0,
    may_replicate: false,
};

/// Rises for thirty looks and falls for thirty, a thousandth a look, and wavers a little.
fn waves(at: u64) -> Look {
    let way = if at % 60 < 30 { at % 60 } else { 60 - at % 60 };
    let noise = (at.wrapping_mul(2_654_435_761) % 1_000) as f64 / 1e7;
    look(at, 1_000.0 * libm::pow(1.001, way as f64) * (1.0 + noise))
}

/// Enters when the price has risen for a while and leaves after `holding`.
fn rises(holding: i64) -> Rule {
    let rise = is(Observable::Move(Span::L16), Relation::AtLeast, 8_500);
    Rule { expects: None, ..holds_for("rises", rise, 50, holding) }
}

fn founded(rule: &Rule) -> Hand {
    let mut hand = Hand::new();
    hand.stage(rule.clone(), Origin::Founding(Founding::Paper), &waves(0), CAPITAL);
    hand
}

/// Lives through looks with phages; what they answered.
fn live(hand: &mut Hand, looks: impl IntoIterator<Item = Look>, terms: &PhageTerms) -> Vec<PhageReport> {
    let mut reports = Vec::new();
    for look in looks {
        let now = Circumstances { capital: CAPITAL, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE };
        hand.look(&look, &now);
        reports.extend(hand.tend_phages(&look, CAPITAL, None, terms));
    }
    reports
}

/// P-079, M-243, M-244, G-164: a rule leaves a wave that goes on and pays to enter it again. Phages try changes of it, a life each; that it
/// should hold twice as long is confirmed by two lives and tried as a candidate, which moves nothing.
#[test]
fn p_079_what_two_phages_confirm_is_tried_as_a_candidate() {
    let mut hand = founded(&rises(2));
    let terms = PhageTerms { law: PhageLaw { lifetime: 200, ..TERMS.law }, ..TERMS };
    let reports = live(&mut hand, (0..14_000).map(waves), &terms);
    assert!(reports.iter().all(|report| report.looks == 200), "M-243");
    let is_of_it =
        |report: &&PhageReport| report.hypothesis == "rises-hold-twice" && report.answer == PhageAnswer::Confirmed;
    let confirmed: Vec<_> = reports.iter().filter(is_of_it).collect();
    let [first, second] = &confirmed[..] else { panic!("{reports:#?}") };
    assert!(!first.is_staged, "one life is chance: {first:?}");
    assert!(second.is_staged, "{second:?}");
    assert!(second.brought_ppm > second.rule_brought_ppm, "{second:?}");
    assert!(second.in_words().ends_with("it is tried as a candidate"), "{}", second.in_words());
    let tried = hand.tried().iter().find(|tried| tried.rule.name == "rises-hold-twice").expect("tried");
    let number = tried.number();
    assert_eq!(tried.origin(), Origin::Candidate, "what it moves it earns by trips of its own");
    let staged = hand.events().find(|event| event.number == number).expect("told").change;
    assert!(matches!(staged, RuleChange::Staged { standing: Standing::Paper, .. }), "{staged:?}");
    let half: Vec<_> = reports.iter().filter(|report| report.hypothesis == "rises-hold-half").collect();
    assert!(half.iter().all(|report| report.answer != PhageAnswer::Confirmed), "{half:?}");
    let decided = reports.iter().filter(|report| report.answer != PhageAnswer::Open).count() as u64;
    assert!(decided >= 3 && decided <= hand.phages().sent(), "{:?}", hand.phages());
}

/// M-248, M-249: no more a day than are allowed, in all pools together; none where none is.
#[test]
fn m_248_a_day_has_its_number_of_phages() {
    let sent = |allowed, elsewhere| {
        let mut hand = founded(&rises(6));
        let terms = PhageTerms { allowed, elsewhere, ..TERMS };
        live(&mut hand, (0..1_440 * 4).map(waves), &terms);
        hand.phages().sent()
    };
    let days = (1_700_000_000 + 60 * 1_440 * 4) / 86_400 - 1_700_000_000 / 86_400 + 1;
    assert_eq!(sent(0, 0), 0);
    assert_eq!(sent(3, 3), 0, "others have sent them all");
    for allowed in [1, 3] {
        let all = sent(allowed, 0);
        // Before there are enough looks nothing is sent.
        assert!(all <= days * u64::from(allowed) && all >= (days - 2) * u64::from(allowed), "{all} of {allowed}");
    }
}

/// P-079: where nothing can be found, two phages agree on next to nothing.
#[test]
fn p_079_chance_confirms_little_twice() {
    let terms = Terms { fee_ppm: 100, gas: Usdc::ZERO, liquidity: Usdc::ZERO, capital: CAPITAL };
    let dips =
        Rule { expects: None, ..holds_for("dips", is(Observable::Z(Span::L32), Relation::AtMost, -1_500_000), 50, 20) };
    let (mut ended, mut staged) = (0, Vec::new());
    for seed in 300..330 {
        let market = Market { seed, looks: 8_000, edge: None };
        let reports = live(&mut founded(&dips), market.looks(&terms), &PhageTerms { allowed: 10, ..TERMS });
        ended += reports.len();
        staged.extend(reports.into_iter().filter(|report| report.is_staged).map(|report| report.hypothesis));
    }
    assert!(ended > 1_000, "{ended}");
    assert!(staged.len() * 30 <= ended, "{} of {ended}: {staged:?}", staged.len());
}

/// M-245: a hypothesis falls by what it paid, by the price, or by not being there.
#[test]
fn m_245_a_hypothesis_falls_by_a_cause() {
    let came = |grown: f64, gross: f64, held: u32| Came { grown, gross, held };
    let fell = |rule: Came, other: Came| {
        let differences = (0..50).map(|at| (other.grown - rule.grown) / 50.0 * (1.0 + f64::from(at % 2))).collect();
        Outcome { rule, other, differences }.judged()
    };
    let base = came(1.01, 1.012, 20);
    for (other, judged) in [
        (came(1.005, 1.02, 20), (PhageAnswer::Falsified, Some(FellBy::Costs))),
        (came(0.99, 0.995, 25), (PhageAnswer::Falsified, Some(FellBy::Direction))),
        (came(1.0, 1.0, 0), (PhageAnswer::Falsified, Some(FellBy::Absence))),
        (came(1.02, 1.02, 20), (PhageAnswer::Confirmed, None)),
        (base, (PhageAnswer::Open, None)),
    ] {
        assert_eq!(fell(base, other), judged, "{other:?}");
    }
}

/// M-245, M-246: where nearly all fall by the same, that is told once and counted trips are gone over at once.
#[test]
fn m_246_many_that_fall_by_the_same_alarm() {
    // The market rises and wavers: who waits for calm or for wildness is away while it does.
    let rises = |at: u64| {
        let noise = ((at.wrapping_mul(2_654_435_761) >> 9) % 1_000) as f64 / 1e6 * (1.0 + (at / 40 % 3) as f64);
        Look { fee_ppm: 20, ..look(at, 100.0 * libm::pow(1.000_2, at as f64) * (1.0 + noise)) }
    };
    let always = Rule { expects: None, ..holds_for("always", is(Observable::Weekday, Relation::AtLeast, 1), 50, 200) };
    let mut hand = founded(&always);
    let mut alarms = 0;
    for at in 0..30_000_u64 {
        let reports = live(&mut hand, std::iter::once(rises(at)), &PhageTerms { allowed: 10, ..TERMS });
        let alarming = reports.iter().filter(|report| report.is_alarming).count();
        if alarming > 0 {
            assert_eq!(hand.looks_since_tuning(), u64::MAX, "M-246: the Curator goes over them when it comes");
            assert_eq!(hand.phages().health, PhageHealth::SystemicFailure);
        }
        alarms += alarming;
        if at % 1_000 == 999 {
            hand.tune(&rises(at), CAPITAL, None);
        }
    }
    assert_eq!(alarms, 1, "{:?}", hand.phages());
}

/// M-244, I-197: what is supposed of a rule always means something else, and every kind of change is supposed of some rule.
#[test]
fn i_197_a_copy_without_a_difference_is_not_sent() {
    let stop = is(Observable::Gain, Relation::AtMost, -10_000);
    let held = Rule { until: Some(any(&[stop, is(Observable::Since, Relation::AtLeast, 40)])), ..rises(40) };
    let provided = Rule {
        action: Action::Provide { width: golem_primitives::Ppm::of(40_000), share: golem_primitives::Ppm::of(500_000) },
        ..held.clone()
    };
    let mut kinds: Vec<Changed> = Vec::new();
    for rule in [&held, &provided] {
        let supposed = hypotheses(rule, Some(900));
        assert!(
            supposed
                .iter()
                .all(|phage| !phage.other.means(rule) && phage.other.action.is_guard() == rule.action.is_guard())
        );
        kinds.extend(supposed.iter().map(|phage| phage.changed));
    }
    let endless = Rule { until: None, ..held.clone() };
    assert!(hypotheses(&endless, None).iter().all(|phage| phage.changed == Changed::Number), "nothing else to change");
    for changed in Changed::ALL.iter().filter(|changed| **changed != Changed::Rewritten) {
        assert!(kinds.contains(changed), "{changed}");
    }
}

/// I-192, I-193: replicants are sent where the owner wants them and the phase lets them, one an hour, five at a time, for 1,440
/// looks; a phage keeps its own number a day beside them.
#[test]
fn i_192_replicants_are_few_and_live_longer() {
    let falls = Rule {
        name: "falls".to_owned(),
        when: any(&[is(Observable::Move(Span::L16), Relation::AtMost, -8_500)]),
        ..rises(8)
    };
    let mut hand = founded(&rises(6));
    hand.stage(falls, Origin::Founding(Founding::Paper), &waves(0), CAPITAL);
    live(&mut hand, (0..2_000).map(waves), &PhageTerms { allowed: 0, ..TERMS });
    assert_eq!(hand.phages().sent(), 0, "the owner did not ask for them");
    let wanted = PhageTerms { allowed: 0, may_replicate: true, ..TERMS };
    live(&mut hand, (2_000..2_130).map(waves), &wanted);
    assert_eq!(hand.phages().living().len(), 3, "one an hour");
    live(&mut hand, (2_130..2_900).map(waves), &wanted);
    assert_eq!(hand.phages().living().len(), PhageLaw::REPLICANTS);
    let reports = live(&mut hand, (2_900..3_500).map(waves), &wanted);
    assert!(!reports.is_empty() && reports.iter().all(|report| report.looks == 1_440), "{reports:?}");
    assert!(reports.iter().all(|report| report.changed == Changed::Rewritten));
}
