//! Conditions a model may name: measures of the world, compared with numbers. Nothing else compiles.

use golem_primitives::{Ppm, words};

use crate::facts::Facts;
use crate::text::{Key, Line};
use crate::truth::{Truth, all};

words! {
    /// S-048. The registry of what is measured.
    Measure {
        /// Share of the last attempts that failed.
        FailureRate = "failure_rate",
        SuccessfulAttempts = "successful_attempts",
        /// Share of a day's actions with an effect.
        EffectiveShare = "effective_share",
        /// A day's actions with an effect.
        EffectiveActions = "effective_actions",
        /// Net profit of a day, in USDC.
        NetPnl = "net_pnl",
        /// Goals completed of late.
        GoalsCompleted = "goals_completed",
        /// Goals that stalled of late.
        GoalsStalled = "goals_stalled",
        /// Verdicts of siblings in 72 hours.
        Verdicts = "verdicts",
        /// Entries shared in 72 hours.
        Shares = "shares",
        ProjectedLifeHours = "projected_life_hours",
        Fitness = "fitness",
        Vitality = "vitality",
        /// Predictions open that can fail.
        OpenPredictions = "open_predictions",
        /// Outcomes verified in a day.
        VerifiedOutcomes = "verified_outcomes",
    }
}

fn whole(count: u32) -> i64 {
    i64::from(count) * 1_000_000
}

fn share(share: Ppm) -> i64 {
    i64::from(share.get())
}

impl Measure {
    /// Its value in millionths, when it can be seen.
    #[must_use]
    pub fn read(self, facts: &Facts) -> Option<i64> {
        let actions = facts.actions.as_ref();
        Some(match self {
            Self::FailureRate => share(facts.attempts.as_ref().filter(|all| all.all() >= 4)?.failure_rate()),
            Self::SuccessfulAttempts => whole(facts.attempts.as_ref()?.completed),
            Self::EffectiveShare => {
                let actions = actions.filter(|all| all.count >= 10)?;
                whole(actions.effective) / i64::from(actions.count)
            }
            Self::EffectiveActions => whole(actions?.effective),
            Self::NetPnl => actions?.net_pnl_micros,
            Self::GoalsCompleted => whole(facts.goals?.completed),
            Self::GoalsStalled => whole(facts.goals?.stalled),
            Self::Verdicts => whole(facts.sharing?.acks),
            Self::Shares => whole(facts.sharing?.shares),
            Self::ProjectedLifeHours => {
                let seconds = facts.survival.life_seconds.known()?;
                i64::try_from(u128::from(seconds) * 1_000_000 / 3_600).unwrap_or(i64::MAX)
            }
            Self::Fitness => share(facts.survival.fitness.known()?),
            Self::Vitality => share(facts.survival.composite.known()?),
            Self::OpenPredictions => whole(facts.purpose?.predictions),
            Self::VerifiedOutcomes => whole(facts.purpose?.verified),
        })
    }
}

words! {
    /// How a measure is compared.
    Comparator {
        Below = "below",
        AtMost = "at most",
        Above = "above",
        AtLeast = "at least",
    }
}

/// One comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Bound {
    pub measure: Measure,
    pub comparison: Comparator,
    pub millionths: i64,
}

impl Bound {
    fn test(&self, facts: &Facts) -> Truth {
        self.measure.read(facts).map_or(Truth::Unknown, |value| {
            Truth::from(match self.comparison {
                Comparator::Below => value < self.millionths,
                Comparator::AtMost => value <= self.millionths,
                Comparator::Above => value > self.millionths,
                Comparator::AtLeast => value >= self.millionths,
            })
        })
    }
}

/// S-006, S-048. By what a stressor is over.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// The canonical one of its type.
    Canonical,
    Measured(Vec<Bound>),
    /// None: only talk ends it.
    None,
}

/// Comparisons in one condition.
const MOST_BOUNDS: usize = 4;
/// Characters of a condition.
pub const CONDITION_CHARACTERS: usize = 140;

/// S-048. The comparisons of a text such as `failure_rate < 30% and successful_attempts >= 3`, or `None` when any part
/// of it is something else.
#[must_use]
pub fn compile(text: &str) -> Option<Vec<Bound>> {
    let text: String = text.chars().take(4 * CONDITION_CHARACTERS).collect::<String>().to_lowercase();
    let bounds: Option<Vec<Bound>> = text.replace(" and ", "&").split('&').map(compile_one).collect();
    bounds.filter(|bounds| (1..=MOST_BOUNDS).contains(&bounds.len()))
}

fn compile_one(text: &str) -> Option<Bound> {
    let signs = [
        ("<=", Comparator::AtMost),
        (">=", Comparator::AtLeast),
        ("<", Comparator::Below),
        (">", Comparator::Above),
        (" below ", Comparator::Below),
        (" above ", Comparator::Above),
        (" at least ", Comparator::AtLeast),
        (" at most ", Comparator::AtMost),
    ];
    let (sign, comparison) = signs.into_iter().find(|(sign, _)| text.contains(sign))?;
    let (name, number) = text.split_once(sign)?;
    let measure = Measure::from_name(Key::new(name)?.as_str())?;
    Some(Bound { measure, comparison, millionths: millionths(number.trim())? })
}

/// A plain decimal number with at most six decimals, or a percentage.
fn millionths(text: &str) -> Option<i64> {
    let (text, scale) = text.strip_suffix('%').map_or((text, 1_000_000), |number| (number.trim_end(), 10_000));
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits_only = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 9 || fraction.len() > 6 || !digits_only(whole) || !digits_only(fraction) {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    let value = whole.parse::<i64>().ok()? * scale + fraction * scale / 1_000_000;
    Some(if negative { -value } else { value })
}

/// A condition and what it compiled to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct CompiledCondition {
    pub text: Line,
    pub predicate: Predicate,
}

impl CompiledCondition {
    /// The condition a model named. What compiles is shown in the registry's own words.
    #[must_use]
    pub fn named(text: &str, compiles: bool) -> Self {
        match compile(text).filter(|_| compiles) {
            Some(bounds) => {
                let said: Vec<String> = bounds.iter().map(say).collect();
                Self {
                    text: Line::cut(&said.join(" and "), CONDITION_CHARACTERS),
                    predicate: Predicate::Measured(bounds),
                }
            }
            None => Self { text: Line::cut(text, CONDITION_CHARACTERS), predicate: Predicate::None },
        }
    }

    /// What the world says of a measured condition; `None` for one that is not measured here.
    #[must_use]
    pub fn test(&self, facts: &Facts) -> Option<Truth> {
        match &self.predicate {
            Predicate::Measured(bounds) => Some(
                bounds
                    .iter()
                    .map(|bound| bound.test(facts))
                    .fold(Truth::True, |so_far, one| all([Some(so_far), Some(one)])),
            ),
            Predicate::Canonical | Predicate::None => None,
        }
    }
}

fn say(bound: &Bound) -> String {
    let sign = if bound.millionths < 0 { "-" } else { "" };
    let size = bound.millionths.unsigned_abs();
    let decimals = format!("{:06}", size % 1_000_000);
    let decimals = decimals.trim_end_matches('0');
    let dot = if decimals.is_empty() { "" } else { "." };
    format!("{} {} {sign}{}{dot}{decimals}", bound.measure, bound.comparison, size / 1_000_000)
}

/// S-048. Whether a condition is a bare state such as "Critical", which nobody can check.
#[must_use]
pub fn is_bare_state(text: &str) -> bool {
    Key::new(text).is_none_or(|key| !key.as_str().contains('_'))
}

#[cfg(test)]
mod tests {
    use golem_mortality::phase::Phase;
    use golem_primitives::{Tick, Usdc, UtcTime};
    use proptest::prelude::*;

    use super::*;
    use crate::attempt::{ActionFacts, AttemptFacts};
    use crate::facts::{GoalFacts, PurposeFacts, SharingFacts, SurvivalFacts};
    use crate::truth::Reading;

    fn facts(failed: u32, completed: u32) -> Facts {
        let mut facts = Facts::blind(Tick::new(1), UtcTime::EPOCH, Phase::Stable);
        facts.attempts = Some(AttemptFacts { failed, completed, streaks: Vec::new() });
        facts
    }

    /// S-048: measures compile, prose does not.
    #[test]
    fn s_048_only_measures_compile() {
        let condition = CompiledCondition::named("Failure-Rate < 30% AND successful attempts >= 3", true);
        assert_eq!(condition.text.as_str(), "failure_rate below 0.3 and successful_attempts at least 3");
        for (failed, completed, truth) in
            [(1, 4, Truth::True), (3, 7, Truth::False), (0, 3, Truth::Unknown), (2, 4, Truth::False)]
        {
            assert_eq!(condition.test(&facts(failed, completed)), Some(truth), "{failed}/{completed}");
        }
        for prose in [
            "I feel better",
            "Critical",
            "failure_rate",
            "failure_rate < soon",
            "mood > 0",
            "fitness > 0.5 and hope",
            "",
        ] {
            assert_eq!(CompiledCondition::named(prose, true).predicate, Predicate::None, "{prose}");
        }
        assert_eq!(
            CompiledCondition::named("fitness > 0.5", false).predicate,
            Predicate::None,
            "the seed compiles nothing"
        );
        assert_eq!(compile(&["fitness > 1"; 5].join(" and ")), None, "four at most");
    }

    /// S-048: each measure reads its own fact, in millionths, and nothing where there are too few.
    #[test]
    fn s_048_each_measure_reads_its_own_fact() {
        let mut facts = facts(3, 5);
        for measure in Measure::ALL {
            let is_of_attempts = matches!(measure, Measure::FailureRate | Measure::SuccessfulAttempts);
            assert_eq!(measure.read(&facts).is_some(), is_of_attempts, "{measure}: nothing else can be seen");
        }
        let costs = Usdc::ZERO;
        let actions = ActionFacts { count: 16, effective: 4, net_pnl_micros: -7, costs, fitness_change_ppm: 0 };
        facts.actions = Some(actions);
        facts.goals = Some(GoalFacts { stalled: 6, completed: 7, deployed: 8, called: 9 });
        facts.sharing = Some(SharingFacts {
            shares: 11,
            acks: 12,
            acked_share_at: None,
            owner_at: None,
            born_at: UtcTime::EPOCH,
            siblings: Reading::Off,
        });
        facts.survival = SurvivalFacts {
            life_seconds: Reading::Known(5_400),
            fitness: Reading::Known(Ppm::of(14)),
            composite: Reading::Known(Ppm::of(15)),
        };
        facts.purpose = Some(PurposeFacts {
            idle_since: None,
            ruleless_since: None,
            strategy_active: true,
            predictions: 16,
            goals_completed: 17,
            verified: 18,
        });
        let read: Vec<(&str, Option<i64>)> = Measure::ALL.iter().map(|one| (one.name(), one.read(&facts))).collect();
        let wanted = [
            ("failure_rate", 375_000),
            ("successful_attempts", 5_000_000),
            ("effective_share", 250_000),
            ("effective_actions", 4_000_000),
            ("net_pnl", -7),
            ("goals_completed", 7_000_000),
            ("goals_stalled", 6_000_000),
            ("verdicts", 12_000_000),
            ("shares", 11_000_000),
            ("projected_life_hours", 1_500_000),
            ("fitness", 14),
            ("vitality", 15),
            ("open_predictions", 16_000_000),
            ("verified_outcomes", 18_000_000),
        ];
        assert_eq!(read, wanted.map(|(name, value)| (name, Some(value))));

        for (count, is_read) in [(9, false), (10, true)] {
            facts.actions = Some(ActionFacts { count, ..actions });
            assert_eq!(Measure::EffectiveShare.read(&facts).is_some(), is_read, "{count} actions");
        }
        for (failed, is_read) in [(2, false), (3, true)] {
            facts.attempts = Some(AttemptFacts { failed, completed: 1, streaks: Vec::new() });
            assert_eq!(Measure::FailureRate.read(&facts).is_some(), is_read, "{failed} and one attempts");
        }
        facts.survival.life_seconds = Reading::Known(u64::MAX);
        assert_eq!(Measure::ProjectedLifeHours.read(&facts), Some(i64::MAX), "for ever is a number too");
    }

    /// S-048: the four comparisons at their edge, in signs and in words.
    #[test]
    fn s_048_comparisons_mean_what_they_say() {
        for (signs, below, at, above) in [
            (["<", " below "], true, false, false),
            (["<=", " at most "], true, true, false),
            ([">", " above "], false, false, true),
            ([">=", " at least "], false, true, true),
        ] {
            for sign in signs {
                let condition = CompiledCondition::named(&format!("successful_attempts{sign}3"), true);
                let holds = [2, 3, 4].map(|completed| condition.test(&facts(0, completed)));
                assert_eq!(holds, [below, at, above].map(|holds| Some(Truth::from(holds))), "{sign}");
            }
        }
        for (text, said) in [
            ("net_pnl > -2.5", "net_pnl above -2.5"),
            ("net_pnl >= 0", "net_pnl at least 0"),
            ("net_pnl < 1.000001", "net_pnl below 1.000001"),
        ] {
            assert_eq!(CompiledCondition::named(text, true).text.as_str(), said);
        }
        assert!(compile(&["fitness > 1"; 4].join(" and ")).is_some(), "four");
        assert_eq!(CompiledCondition::named("rest", true).test(&facts(0, 3)), None, "not measured here");
    }

    /// S-048: one-word states are recognised (evidence B-13).
    #[test]
    fn s_048_bare_states_are_recognised() {
        for text in ["Critical", " Imminent! ", "active", "unknown", ""] {
            assert!(is_bare_state(text), "{text}");
        }
        assert!(!is_bare_state("when tests pass") && !is_bare_state("fitness > 0.5"));
    }

    /// S-048: numbers are exact.
    #[test]
    fn s_048_numbers_are_exact() {
        for (text, value) in [
            ("30%", Some(300_000)),
            ("0.3", Some(300_000)),
            ("-2.5", Some(-2_500_000)),
            ("3", Some(3_000_000)),
            ("0.5%", Some(5_000)),
            ("1e3", None),
            ("0.1234567", None),
            ("999999999", Some(999_999_999_000_000)),
            ("9999999999", None),
            ("0.123456", Some(123_456)),
            ("1.5%", Some(15_000)),
            ("3.", Some(3_000_000)),
            ("3.x", None),
            ("x.3", None),
            (".5", None),
        ] {
            assert_eq!(millionths(text), value, "{text}");
        }
    }

    proptest! {
        /// S-048, S-050: whatever a model writes, it compiles to comparisons or to nothing, and never fails.
        #[test]
        fn s_048_any_text_is_survived(text in ".{0,300}") {
            let condition = CompiledCondition::named(&text, true);
            prop_assert!(condition.text.as_str().chars().count() <= CONDITION_CHARACTERS);
        }
    }
}
