use golem_primitives::PoolName;
use proptest::prelude::*;

use super::*;
use crate::means::call_budget;
use crate::record::{Course, Forgone, Order, Overruled};

fn means(ceiling: Tier, left: u64) -> Means {
    Means { ceiling, left: Usdc::from_micros(left), token_limit: None }
}

/// A healthy Golem surprised by the market, with enough at stake for a large model.
fn occasion() -> Occasion {
    Occasion {
        surprise: Ppm::of(700_000),
        uncertainty: Ppm::of(500_000),
        stakes: Ppm::of(900_000),
        vitality: Ppm::of(900_000),
        arousal: Ppm::of(100_000),
        phase: Phase::Thriving,
        phase_change_imminent: false,
        is_sustainable: true,
        means: means(Tier::T2, 5_000_000),
        quotes: [None, Some(Usdc::from_micros(6_000)), Some(Usdc::from_micros(90_000)), None],
        bias: Bias::default(),
    }
}

fn answer(occasion: Occasion) -> (Tier, Grounds) {
    let deliberation = occasion.deliberate();
    (deliberation.tier, deliberation.grounds)
}

/// M-139, W-96: at vitality 0.9, arousal 0.1, confidence 0.8 the threshold is 0.399252, and it is inclusive.
#[test]
fn m_139_surprise_must_reach_the_threshold() {
    let at = |surprise| Occasion { surprise: Ppm::of(surprise), uncertainty: Ppm::of(200_000), ..occasion() };
    assert_eq!(answer(at(399_251)), (Tier::T0, Grounds::Familiar));
    assert_eq!(answer(at(399_252)), (Tier::T2, Grounds::Worth));
    let unsure = Occasion { uncertainty: Ppm::ONE, ..at(399_251) };
    assert_eq!(answer(unsure), (Tier::T2, Grounds::Worth), "the less it trusts itself, the sooner it asks");
}

/// an uneasy mood asks sooner and never later, a depleted one leaves the large model alone unless
/// there is an anomaly, and a bad mark asks it; what phase and purse forbid stays forbidden.
#[test]
fn a_074_moods_and_marks_bend_whom_to_ask() {
    let base = occasion();
    let uneasy = Bias { ease: [Ppm::of(75_000), Ppm::of(50_000)], ..Bias::default() };
    let depleted = Bias { is_depleted: true, ..Bias::default() };
    let marked = Bias { wants_second_thought: true, ..Bias::default() };
    let calm = Occasion { surprise: Ppm::ZERO, stakes: Ppm::ZERO, ..base };
    for (what, occasion, expected) in [
        ("just below T1", Occasion { stakes: Ppm::of(350_000), ..base }, (Tier::T0, Grounds::Minor)),
        ("and uneasy", Occasion { stakes: Ppm::of(350_000), bias: uneasy, ..base }, (Tier::T1, Grounds::Worth)),
        ("just below T2", Occasion { stakes: Ppm::of(760_000), ..base }, (Tier::T1, Grounds::Worth)),
        ("and uneasy", Occasion { stakes: Ppm::of(760_000), bias: uneasy, ..base }, (Tier::T2, Grounds::Worth)),
        (
            "T2's shift is its own",
            Occasion { stakes: Ppm::of(740_000), bias: uneasy, ..base },
            (Tier::T1, Grounds::Worth),
        ),
        ("depleted", Occasion { bias: depleted, ..base }, (Tier::T1, Grounds::Worth)),
        ("and an anomaly", Occasion { surprise: Ppm::ONE, bias: depleted, ..base }, (Tier::T2, Grounds::Worth)),
        ("a bad mark", Occasion { bias: marked, ..calm }, (Tier::T2, Grounds::Worth)),
        (
            "a bad mark in Conservation",
            Occasion { bias: marked, phase: Phase::Conservation, means: means(Tier::T1, 5_000_000), ..calm },
            (Tier::T1, Grounds::Worth),
        ),
        (
            "a bad mark in Terminal",
            Occasion { bias: marked, phase: Phase::Terminal, means: means(Tier::T0, 5_000_000), ..calm },
            (Tier::T0, Grounds::Forbidden),
        ),
        (
            "a bad mark and no money",
            Occasion { bias: marked, means: means(Tier::T2, 5), ..calm },
            (Tier::T0, Grounds::Unaffordable),
        ),
    ] {
        assert_eq!(answer(occasion), expected, "{what}");
    }
}

/// M-049, M-139, A-074, M-130, M-132, M-036, R-030, R-031: what raises the tier and what lowers it.
#[test]
fn m_049_each_ground_has_its_row() {
    let base = occasion();
    let imminent = Occasion { phase_change_imminent: true, surprise: Ppm::ZERO, stakes: Ppm::ZERO, ..base };
    for (what, occasion, expected) in [
        ("much at stake", base, (Tier::T2, Grounds::Worth)),
        ("some at stake", Occasion { stakes: Ppm::of(500_000), ..base }, (Tier::T1, Grounds::Worth)),
        ("little at stake", Occasion { stakes: Ppm::of(400_000), ..base }, (Tier::T0, Grounds::Minor)),
        (
            "an anomaly with little at stake",
            Occasion { surprise: Ppm::ONE, stakes: Ppm::ZERO, ..base },
            (Tier::T1, Grounds::Worth),
        ),
        ("losing money", Occasion { is_sustainable: false, ..base }, (Tier::T1, Grounds::Worth)),
        ("a change of phase", imminent, (Tier::T2, Grounds::Worth)),
        (
            "a change of phase in Conservation",
            Occasion { phase: Phase::Conservation, means: means(Tier::T1, 5_000_000), ..imminent },
            (Tier::T1, Grounds::Worth),
        ),
        (
            "the phase binds whatever the means say",
            Occasion { phase: Phase::Conservation, ..base },
            (Tier::T1, Grounds::Worth),
        ),
        ("Terminal", Occasion { phase: Phase::Terminal, ..base }, (Tier::T0, Grounds::Forbidden)),
        ("a dear day", Occasion { means: means(Tier::T1, 5_000_000), ..base }, (Tier::T1, Grounds::Worth)),
        ("a day that is spent", Occasion { means: means(Tier::T0, 0), ..base }, (Tier::T0, Grounds::Forbidden)),
        (
            "only the small model can be paid",
            Occasion { means: means(Tier::T2, 80_000), ..base },
            (Tier::T1, Grounds::Worth),
        ),
        ("none can be paid", Occasion { means: means(Tier::T2, 5_999), ..base }, (Tier::T0, Grounds::Unaffordable)),
        (
            "a place where much was suffered",
            Occasion {
                surprise: Ppm::ZERO,
                stakes: Ppm::ZERO,
                bias: Bias { is_warned: true, ..Bias::default() },
                ..base
            },
            (Tier::T1, Grounds::Worth),
        ),
        ("nobody serves", Occasion { quotes: [None; 4], ..base }, (Tier::T0, Grounds::Unserved)),
    ] {
        assert_eq!(answer(occasion), expected, "{what}");
    }
}

/// Surprise is whole at three standard deviations; stakes are whole at the most a vault lets one trade move.
#[test]
fn a_074_surprise_and_stakes_read_what_is_known() {
    let shape = |z| PriceShape { mean: 1.0, spread: 0.1, z, pull: 0.0, drift: 0.0, volatility: 0.0 };
    for (z, expected) in [(0.0, 0), (1.5, 500_000), (-3.0, 1_000_000), (9.0, 1_000_000), (f64::NAN, 0)] {
        assert_eq!(surprise(&shape(z)), Ppm::of(expected), "{z}");
    }
    assert_eq!(stakes(Usdc::whole(5), Usdc::whole(100)), Ppm::of(500_000));
    assert_eq!(stakes(Usdc::whole(50), Usdc::whole(100)), Ppm::ONE);
    assert_eq!(stakes(Usdc::whole(5), Usdc::ZERO), Ppm::ZERO);
}

/// M-139, M-125: a fall is imminent just above a floor, not after a rise, and never from Terminal.
#[test]
fn m_139_a_fall_is_imminent_near_the_floor() {
    for (phase, composite, expected) in [
        (Phase::Stable, 519_999, true),
        (Phase::Stable, 520_000, false),
        (Phase::Stable, 480_000, true),
        (Phase::Stable, 550_000, false),
        (Phase::Declining, 119_999, true),
        (Phase::Terminal, 0, false),
    ] {
        assert_eq!(is_fall_imminent(phase, Ppm::of(composite)), expected, "{phase:?} {composite}");
    }
}

fn candidate(order: Order) -> PreviewedOrder {
    PreviewedOrder { order, preview: Preview { value_micros: 10, gas: Usdc::from_micros(1), would_revert: false } }
}

fn buy(spend: u32) -> Order {
    Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(spend), least: 1 }
}

fn offered() -> Choices {
    let sell = Order::Sell { pool: PoolName::HOME, amount: 5, least: Usdc::whole(1) };
    Choices::permitted(&[candidate(buy(5)), candidate(sell), candidate(buy(2))], Phase::Stable)
}

fn advice(choices: &Choices, index: u8) -> ModelAdvice {
    ModelAdvice { about: choices.digest(), index, rationale: "so".into() }
}

/// M-136, R-032: only what the phase permits and the preview bears is offered, once each, and never too much.
#[test]
fn r_032_only_permitted_actions_are_offered() {
    let sell = candidate(Order::Sell { pool: PoolName::HOME, amount: 5, least: Usdc::whole(1) });
    let reverts = PreviewedOrder { preview: Preview { would_revert: true, ..sell.preview }, ..candidate(buy(9)) };
    let all = [candidate(buy(5)), reverts, sell, sell];
    assert_eq!(Choices::permitted(&all, Phase::Stable).candidates(), [candidate(buy(5)), sell]);
    assert_eq!(Choices::permitted(&all, Phase::Declining).candidates(), [sell], "M-136");
    assert!(Choices::permitted(&[], Phase::Stable).is_trivial());
    let many: Vec<_> = (1..40).map(|spend| candidate(buy(spend))).collect();
    assert_eq!(Choices::permitted(&many, Phase::Stable).count(), 8);
}

/// an index picks what was offered; anything else is staying.
#[test]
fn r_032_an_answer_picks_what_was_offered_or_nothing() {
    let choices = offered();
    for (index, expected) in [
        (0, Course::Stay),
        (1, Course::Act(buy(5))),
        (2, Course::Act(Order::Sell { pool: PoolName::HOME, amount: 5, least: Usdc::whole(1) })),
        (4, Course::Rules(Overruled::NoSuchChoice)),
        (255, Course::Rules(Overruled::NoSuchChoice)),
    ] {
        assert_eq!(choose(&choices, &advice(&choices, index), Phase::Stable), expected, "{index}");
    }
    assert_eq!(
        choose(&choices, &advice(&choices, 1), Phase::Declining),
        Course::Rules(Overruled::Forbidden(Forgone::Phase))
    );
    let other = Choices::permitted(&[candidate(buy(6))], Phase::Stable);
    assert_eq!(choose(&other, &advice(&choices, 1), Phase::Stable), Course::Rules(Overruled::Elsewhere));
}

/// a reason is printable and bounded, also when it is read back from a record.
#[test]
fn r_032_reasons_are_stripped_and_bounded() {
    let long = format!("a\u{1b}[31m\n{}", "b".repeat(1_000));
    let reason = Rationale::from(long.as_str());
    assert!(reason.as_str().starts_with("a[31mb") && reason.as_str().chars().count() == RATIONALE_CHARS);
    let read: Rationale = serde_json::from_str(&serde_json::to_string(&long).expect("text")).expect("text");
    assert_eq!(read, reason);
}

fn ppm() -> impl Strategy<Value = Ppm> {
    (0u32..=1_000_000).prop_map(Ppm::of)
}

fn phase() -> impl Strategy<Value = Phase> {
    prop::sample::select(vec![Phase::Terminal, Phase::Declining, Phase::Conservation, Phase::Stable, Phase::Thriving])
}

proptest! {
    /// R-031, M-130, M-132: whatever the occasion, no ceiling is passed, a quote always fits its budget, T3 is never asked.
    #[test]
    fn no_occasion_passes_a_ceiling_or_a_budget(
        (surprise, uncertainty, stakes, vitality, arousal) in (ppm(), ppm(), ppm(), ppm(), ppm()),
        phase in phase(),
        (phase_change_imminent, is_sustainable) in any::<(bool, bool)>(),
        (ceiling, left) in (prop::sample::select(Tier::ALL.to_vec()), 0u64..400_000),
        quotes in prop::array::uniform4(prop::option::of(0u64..400_000)),
        (first, second) in (ppm(), ppm()),
        (is_depleted, wants_second_thought, is_warned) in any::<(bool, bool, bool)>(),
    ) {
        let quotes = quotes.map(|quote| quote.map(Usdc::from_micros));
        let occasion = Occasion {
            surprise, uncertainty, stakes, vitality, arousal, phase, phase_change_imminent, is_sustainable,
            means: means(ceiling, left), quotes,
            bias: Bias { ease: [first, second], is_depleted, wants_second_thought, is_warned },
        };
        let Deliberation { tier, budget, grounds } = occasion.deliberate();
        prop_assert!(tier <= ceiling && tier <= Tier::T2);
        prop_assert!(tier <= golem_mortality::behaviour::Behaviour::of(phase).ceiling);
        prop_assert!(budget <= Usdc::from_micros(left) && budget <= call_budget(tier));
        prop_assert_eq!(tier == Tier::T0, grounds != Grounds::Worth);
        if tier > Tier::T0 {
            prop_assert!(quotes[tier as usize].is_some_and(|quote| quote <= budget));
        }
    }

    /// whatever index comes, what is done was offered.
    #[test]
    fn r_032_what_is_done_was_offered(index: u8, phase in phase()) {
        let choices = offered();
        if let Course::Act(order) = choose(&choices, &advice(&choices, index), phase) {
            prop_assert!(choices.candidates().iter().any(|candidate| candidate.order == order));
        }
    }
}
