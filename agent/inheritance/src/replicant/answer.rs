//! M-216. What a replicant leaves when it dies: no testament, but the answer to its hypothesis, for its parent alone.

use golem_mortality::economic::tier::Tier;
use golem_primitives::{GolemId, Ppm, words};

use super::Report;

/// M-216. The largest model a dying replicant may ask to word its answer.
pub const ANSWER_CEILING: Tier = Tier::T1;
/// Letters of a reason.
const REASON: usize = 280;

words! {
    /// M-244. What became of a hypothesis.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Verdict {
        /// It held.
        Confirmed = "confirmed",
        /// It fell.
        Falsified = "falsified",
        /// Too little was seen to say.
        Open = "open",
    }
}

/// M-216. The answer, whole: what is written as JSON has these keys and no others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Answer {
    /// Who answers.
    pub replicant: GolemId,
    /// I-195. To whom, and to nobody else.
    pub parent: GolemId,
    /// What was asked.
    pub hypothesis: String,
    /// What became of it.
    pub verdict: Verdict,
    /// How sure that is.
    pub confidence: Ppm,
    /// Why.
    pub because: String,
}

impl Report {
    /// M-216, I-194. The answer, from what was counted. The verdict is never a model's: one that was asked may word the
    /// reason, and no more.
    #[must_use]
    pub fn answer(&self, worded: Option<&str>) -> Answer {
        let (verdict, counted) = match &self.failure {
            _ if self.is_low_confidence() => {
                (Verdict::Open, format!("{} samples of one regime are too few", self.samples))
            }
            Some(cause) => (Verdict::Falsified, format!("it fell by {cause} over {} samples", self.samples)),
            None => {
                let fared = format!("fitness {} against its parent's {}", self.fitness, self.baseline);
                (Verdict::Confirmed, format!("it held over {} samples, {fared}", self.samples))
            }
        };
        let worded = worded.map(str::trim).filter(|words| !words.is_empty());
        Answer {
            replicant: self.about.replicant,
            parent: self.receiver(),
            hypothesis: self.about.hypothesis.clone(),
            verdict,
            confidence: self.confidence,
            because: worded.unwrap_or(&counted).chars().take(REASON).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    /// M-216, I-195, R-032: a dying replicant answers its hypothesis to its parent and to nobody else, by what was counted;
    /// a small model may word why and changes nothing else.
    #[test]
    fn m_216_a_dying_replicant_answers_its_hypothesis_to_its_parent() {
        for (failure, samples, verdict, because) in [
            (None, 50, Verdict::Confirmed, "it held over 50 samples, fitness 0.60 against its parent's 0.50"),
            (Some("gas"), 50, Verdict::Falsified, "it fell by gas over 50 samples"),
            (Some("gas"), 49, Verdict::Open, "49 samples of one regime are too few"),
            (None, 49, Verdict::Open, "49 samples of one regime are too few"),
        ] {
            let report = report(failure, samples);
            let (plain, worded) = (report.answer(None), report.answer(Some(&"x".repeat(999))));
            assert_eq!((plain.verdict, plain.because.as_str()), (verdict, because));
            assert_eq!((plain.parent, plain.hypothesis.as_str()), (report.receiver(), "wider ranges earn more"));
            assert_eq!(worded.because.len(), REASON);
            assert_eq!(Answer { because: plain.because.clone(), ..worded }, plain, "only the reason is a model's");
            assert_eq!(report.answer(Some("  ")), plain);
        }
        assert_eq!(ANSWER_CEILING, Tier::T1);
    }
}
