//! How well a statement is made, and how well it did when tested.

use golem_primitives::Ppm;

use crate::confidence::Confidence;
use golem_primitives::words;

/// G-111. Five dimensions of a statement. `consistency` needs a model to say the statement again; without one it is
/// `None` and the other weights are rescaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dimensions {
    /// Numbers, addresses and times, rather than hedges.
    pub specificity: Ppm,
    pub actionability: Ppm,
    /// Unlike what is known.
    pub novelty: Ppm,
    /// Can be checked on chain.
    pub verifiability: Ppm,
    /// Said again, it says the same.
    pub consistency: Option<Ppm>,
}

words! {
    /// G-111, G-113. Which weights judge a statement.
    WeightProfile {
        /// Made awake.
        Standard = "standard",
        Dream = "dream",
        /// A dream's threat response or guard.
        DreamSafety = "dream_safety",
    }
}

impl WeightProfile {
    /// G-111, G-113. Weights in hundredths: specificity, actionability, novelty, verifiability, consistency. Those of
    /// the safety case sum to 115 and are rescaled (GG-12).
    const fn weights(self) -> [u32; 5] {
        match self {
            Self::Standard => [25, 25, 20, 15, 15],
            Self::Dream => [10, 25, 20, 20, 25],
            Self::DreamSafety => [25, 25, 20, 20, 25],
        }
    }
}

words! {
    /// G-111, G-115. What costs a statement a tenth.
    RedFlag {
        /// Sounds like something and says nothing.
        EmptyRhetoric = "empty_rhetoric",
        WeaselWords = "weasel_words",
        /// Because, without evidence.
        UnverifiedCausation = "unverified_causation",
        /// Praises its maker.
        SelfPraise = "self_praise",
        /// True whatever happens.
        Tautology = "tautology",
        /// G-115. No observation could refute it.
        Unfalsifiable = "unfalsifiable",
        /// G-115. A dream without an episode.
        NoExampleEpisode = "no_example_episode",
        /// G-115. A response that no chain state shows.
        NotCheckable = "not_checkable",
    }
}

/// G-111. The composite, a tenth less for each red flag.
#[must_use]
pub fn quality(dimensions: &Dimensions, profile: WeightProfile, red_flags: &[RedFlag]) -> Ppm {
    let weights = profile.weights();
    let values = [
        Some(dimensions.specificity),
        Some(dimensions.actionability),
        Some(dimensions.novelty),
        Some(dimensions.verifiability),
        dimensions.consistency,
    ];
    let known = || values.iter().zip(weights).filter_map(|(value, weight)| value.map(|value| (value, weight)));
    let whole: u32 = known().map(|(_, weight)| weight).sum();
    let sum: f64 = known().map(|(value, weight)| value.as_f64() * f64::from(weight)).sum();
    Ppm::round(sum / f64::from(whole) - 0.1 * red_flags.len() as f64)
}

/// Words that take a statement back.
const HEDGES: [&str; 10] =
    ["maybe", "perhaps", "might", "could", "possibly", "somewhat", "generally", "often", "usually", "seems"];
const RHETORIC: [&str; 4] = ["paradigm", "synergy", "leverage the power", "game changer"];
const PRAISE: [&str; 4] = ["brilliant", "i excel", "my superior", "masterful"];
const TAUTOLOGIES: [&str; 3] = ["unless it does not", "goes up or down", "will or will not"];
const ACTIONS: [&str; 10] = ["buy", "sell", "swap", "wait", "hold", "exit", "enter", "reduce", "withdraw", "avoid"];
const ON_CHAIN: [&str; 10] = ["block", "pool", "gas", "tx", "wei", "usdc", "receipt", "balance", "swap", "liquidity"];

fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_')
        .map(|word| word.trim_matches('.').to_lowercase())
        .filter(|word| !word.is_empty())
}

fn count_in(text: &str, list: &[&str]) -> u32 {
    u32::try_from(words_of(text).filter(|word| list.contains(&word.as_str())).count()).unwrap_or(u32::MAX)
}

/// G-112. Scores three dimensions by rule: counts of numbers, hedges, conditions and on-chain words. Novelty comes from
/// the vector search, consistency from nowhere without a model.
#[must_use]
pub fn measure(text: &str, novelty: Ppm) -> Dimensions {
    let numbers = words_of(text).filter(|word| word.bytes().any(|byte| byte.is_ascii_digit())).count().min(4) as f64;
    let hedges = f64::from(count_in(text, &HEDGES));
    let has_condition = words_of(text).any(|word| matches!(word.as_str(), "when" | "if" | "while" | "after"));
    let has_action = count_in(text, &ACTIONS) > 0;
    let on_chain = f64::from(count_in(text, &ON_CHAIN).min(3));
    Dimensions {
        specificity: Ppm::round(0.2 + 0.2 * numbers - 0.2 * hedges),
        actionability: Ppm::round(
            0.2 + 0.4 * f64::from(u8::from(has_condition)) + 0.4 * f64::from(u8::from(has_action)),
        ),
        novelty,
        verifiability: Ppm::round(0.1 + 0.3 * on_chain),
        consistency: None,
    }
}

/// G-111, G-115. The red flags a rule can see. `episodes` is how many stand behind the statement.
#[must_use]
pub fn red_flags(text: &str, episodes: usize, is_dream: bool) -> Vec<RedFlag> {
    let lower = text.to_lowercase();
    let says = |list: &[&str]| list.iter().any(|phrase| lower.contains(phrase));
    let is_causal = words_of(text).any(|word| word == "because" || word == "causes");
    let is_checkable = count_in(text, &ON_CHAIN) > 0 || lower.bytes().any(|byte| byte.is_ascii_digit());
    let all = [
        (says(&RHETORIC), RedFlag::EmptyRhetoric),
        (count_in(text, &HEDGES) >= 2, RedFlag::WeaselWords),
        (is_causal && episodes == 0, RedFlag::UnverifiedCausation),
        (says(&PRAISE), RedFlag::SelfPraise),
        (says(&TAUTOLOGIES), RedFlag::Tautology),
        (is_dream && says(&["always works", "in some way", "eventually"]), RedFlag::Unfalsifiable),
        (is_dream && episodes == 0, RedFlag::NoExampleEpisode),
        (is_dream && !is_checkable, RedFlag::NotCheckable),
    ];
    all.into_iter().filter_map(|(raised, flag)| raised.then_some(flag)).collect()
}

/// G-114. How well an entry did when tested: `confidence * validated / (validated + contradicted + 1)`.
#[must_use]
pub fn validation_quality(confidence: Confidence, validated: u32, contradicted: u32) -> Ppm {
    let tests = f64::from(validated) + f64::from(contradicted) + 1.0;
    Ppm::round(confidence.as_f64() * f64::from(validated) / tests)
}

/// G-114. Quality when tested below which an entry nobody reads is pruned.
pub const PRUNE_BELOW: Ppm = Ppm::of(50_000);
/// G-114. Retrievals from which an entry counts as read.
pub const READ_FROM: u32 = 2;
/// C14. Curator cycles an entry lives before it can be pruned; a new one has been tested by nobody.
pub const GRACE_CYCLES: u32 = 3;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dims(consistency: Option<u32>) -> Dimensions {
        Dimensions {
            specificity: Ppm::of(400_000),
            actionability: Ppm::of(800_000),
            novelty: Ppm::of(700_000),
            verifiability: Ppm::of(600_000),
            consistency: consistency.map(Ppm::of),
        }
    }

    /// G-026, G-111, G-113: W28, W29.
    #[test]
    fn g_111_composites_meet_w28_and_w29() {
        let whole = dims(Some(900_000));
        assert_eq!(quality(&whole, WeightProfile::Standard, &[]), Ppm::of(665_000), "W28");
        assert_eq!(quality(&whole, WeightProfile::Dream, &[]), Ppm::of(725_000), "W28");
        assert_eq!(quality(&whole, WeightProfile::DreamSafety, &[]), Ppm::of(682_609), "W28");
        let flags = [RedFlag::Tautology, RedFlag::SelfPraise];
        assert_eq!(quality(&whole, WeightProfile::Standard, &flags), Ppm::of(465_000), "W29");
        assert_eq!(quality(&Dimensions::default(), WeightProfile::Standard, RedFlag::ALL), Ppm::ZERO);
    }

    /// G-112: without a model consistency is left out and the rest rescaled.
    #[test]
    fn g_112_without_a_model_the_weights_are_rescaled() {
        let expected = (0.25 * 0.4 + 0.25 * 0.8 + 0.20 * 0.7 + 0.15 * 0.6) / 0.85;
        assert_eq!(quality(&dims(None), WeightProfile::Standard, &[]), Ppm::round(expected));
    }

    /// G-112: rules prefer numbers to hedges.
    #[test]
    fn g_112_rules_prefer_numbers_to_hedges() {
        let sharp = measure("When gas is above 40 gwei for 20 blocks, wait 3 ticks.", Ppm::ONE);
        let vague = measure("Maybe the market could possibly move.", Ppm::ONE);
        assert!(sharp.specificity > vague.specificity && sharp.actionability > vague.actionability);
        assert!(sharp.verifiability > vague.verifiability);
        assert_eq!(vague.specificity, Ppm::ZERO);
        assert_eq!(measure("", Ppm::ZERO).consistency, None);
    }

    /// G-111, G-115: each flag has a text that raises it, and a plain statement raises none.
    #[test]
    fn g_115_red_flags_are_raised_by_rule() {
        for (text, episodes, dream, flag) in [
            ("a paradigm shift at block 3", 1, false, RedFlag::EmptyRhetoric),
            ("gas might perhaps fall", 1, false, RedFlag::WeaselWords),
            ("gas falls because it is night", 0, false, RedFlag::UnverifiedCausation),
            ("my superior timing of gas", 1, false, RedFlag::SelfPraise),
            ("price goes up or down by 3", 1, false, RedFlag::Tautology),
            ("gas eventually falls", 1, true, RedFlag::Unfalsifiable),
            ("gas falls to 3", 0, true, RedFlag::NoExampleEpisode),
            ("be careful", 1, true, RedFlag::NotCheckable),
        ] {
            assert_eq!(red_flags(text, episodes, dream), [flag], "{text}");
        }
        assert!(red_flags("swap held 8 of 10 times", 8, false).is_empty());
    }

    /// G-114: W30.
    #[test]
    fn g_114_validation_quality_meets_w30() {
        for (confidence, up, down, parts) in
            [(800_000, 9, 1, 654_545), (700_000, 0, 0, 0), (700_000, 1, 0, 350_000), (500_000, 3, 4, 187_500)]
        {
            let got = validation_quality(Confidence::of(confidence), up, down);
            assert_eq!(got, Ppm::of(parts), "W30 {confidence} {up} {down}");
        }
    }

    proptest! {
        /// G-114: never more than confidence, more with confirmations, less with contradictions.
        #[test]
        fn g_114_tests_move_quality_their_way(c in 0u32..=1_000_000, up in 0u32..1_000, down in 0u32..1_000) {
            let of = |up, down| validation_quality(Confidence::of(c), up, down);
            prop_assert!(of(up, down) <= Ppm::of(c));
            prop_assert!(of(up + 1, down) >= of(up, down) && of(up, down + 1) <= of(up, down));
        }
    }
}
