//! Chain of emotion: what a model may say of a feeling, and when it is believed.

use golem_primitives::words;

use crate::emotion::{Degree, Emotion};
use crate::evidence::{FeelingGrounds, Ungrounded};
use crate::feeling::Feeling;
use crate::pad::Pad;
use crate::trigger::TriggerKind;

words! {
    /// How much control, or worth, a model sees.
    AppraisedLevel {
        Low = "low",
        Medium = "medium",
        High = "high",
    }
}

/// The section a model adds to an answer that is paid for anyway, exactly as it came: numbers and short words,
/// nothing believed yet. About 25 tokens of output.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmotionReply {
    /// Pleasure, -1 to 1.
    pub pleasure: f64,
    /// Arousal, -1 to 1.
    pub arousal: f64,
    /// Dominance, -1 to 1.
    pub dominance: f64,
    /// One of the eight primaries.
    pub primary: String,
    /// `mild`, `moderate` or `intense`.
    pub intensity: String,
    /// The kind of an event of this tick.
    pub trigger: String,
    /// `high`, `medium` or `low`.
    pub control: String,
    /// `high`, `medium` or `low`.
    pub value: String,
}

/// How far a model may lie from the rule.
pub const FARTHEST: f64 = 1.0;

/// Why the rule's feeling stood instead of the model's.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Divergence {
    /// The model said nothing of it, or nothing that could be read.
    #[error("the model gave no readable appraisal; the rule stands")]
    Missing,
    #[error("the model gave {axis} = {value}, outside -1 to 1; the rule stands")]
    OutOfRange { axis: &'static str, value: f64 },
    #[error("the model gave no known word for {field}; the rule stands")]
    UnknownWord { field: &'static str },
    #[error("the model's emotion has no ground; the rule stands")]
    Ungrounded(#[source] Ungrounded),
    #[error("the model lies {distance:.7} from the rule, more than 1; the rule stands")]
    TooFar { distance: f64 },
}

/// A feeling and, when a model was not believed, why.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounded {
    pub feeling: Feeling,
    /// Why the rule stood.
    pub divergence: Option<Divergence>,
}

fn word<T>(field: &'static str, found: Option<T>) -> Result<T, Divergence> {
    found.ok_or(Divergence::UnknownWord { field })
}

fn clean(text: &str) -> String {
    text.trim().to_ascii_lowercase()
}

impl EmotionReply {
    fn vector(&self) -> Result<Pad, Divergence> {
        let axes = [("pleasure", self.pleasure), ("arousal", self.arousal), ("dominance", self.dominance)];
        match axes.into_iter().find(|(_, value)| !(-1.0..=1.0).contains(value)) {
            Some((axis, value)) => Err(Divergence::OutOfRange { axis, value }),
            None => Ok(Pad::round(self.pleasure, self.arousal, self.dominance)),
        }
    }

    /// What the model says, as a feeling, if it may be believed.
    fn judged(&self, rule: &Feeling, evidence: &FeelingGrounds) -> Result<Feeling, Divergence> {
        let pad = self.vector()?;
        let said = word("primary", Emotion::from_name(&clean(&self.primary)))?;
        let degree = word("intensity", Degree::from_name(&clean(&self.intensity)))?;
        word("control", AppraisedLevel::from_name(&clean(&self.control)))?;
        word("value", AppraisedLevel::from_name(&clean(&self.value)))?;
        let distance = pad.distance(rule.pad);
        if distance > FARTHEST {
            return Err(Divergence::TooFar { distance });
        }
        // A label that contradicts its own vector is the vector's; surprise has no octant and needs its reason.
        let primary = if said == Emotion::Surprise { said } else { Emotion::of(pad).unwrap_or(rule.primary) };
        let trigger = TriggerKind::from_name(&clean(&self.trigger));
        evidence.supports(primary, trigger).map_err(Divergence::Ungrounded)?;
        Ok(Feeling { primary, degree, pad, intensity: degree.middle(), relevance: rule.relevance })
    }
}

/// The model's feeling where it may be believed, the rule's otherwise.
#[must_use]
pub fn ground(reply: Option<&EmotionReply>, rule: Feeling, evidence: &FeelingGrounds) -> Grounded {
    let judged = reply.ok_or(Divergence::Missing).and_then(|reply| reply.judged(&rule, evidence));
    match judged {
        Ok(feeling) => Grounded { feeling, divergence: None },
        Err(divergence) => Grounded { feeling: rule, divergence: Some(divergence) },
    }
}

/// Replies judged before the share says anything.
const LEAST_JUDGED: u32 = 20;

/// How often a model was not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct Overrides {
    judged: u32,
    overridden: u32,
}

impl Overrides {
    /// Counts one. Old counts are halved now and then, so that the share is of late.
    pub const fn count(&mut self, overridden: bool) {
        if self.judged >= 10 * LEAST_JUDGED {
            self.judged /= 2;
            self.overridden /= 2;
        }
        self.judged += 1;
        self.overridden += overridden as u32;
    }

    /// The share in millionths, once enough were judged.
    #[must_use]
    pub const fn share_ppm(&self) -> Option<u32> {
        if self.judged < LEAST_JUDGED {
            return None;
        }
        Some((self.overridden as u64 * 1_000_000 / self.judged as u64) as u32)
    }

    /// Whether the model is asked no longer: it was overridden in more than a quarter.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.share_ppm().is_some_and(|share| share > 250_000)
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Bps;
    use proptest::prelude::*;

    use super::*;
    use crate::trigger::Trigger;

    const RULE_PAD: Pad = Pad::thousandths(-500, 700, -300);

    fn rule() -> Feeling {
        Feeling::new(Emotion::Fear, RULE_PAD, 0.4, 0.9)
    }

    fn evidence() -> FeelingGrounds {
        FeelingGrounds::of(&[Trigger::TradeLoss { loss: Bps::from(800) }])
    }

    fn reply(pad: [f64; 3], primary: &str) -> EmotionReply {
        EmotionReply {
            pleasure: pad[0],
            arousal: pad[1],
            dominance: pad[2],
            primary: primary.into(),
            intensity: "moderate".into(),
            trigger: "trade_loss".into(),
            control: "low".into(),
            value: "high".into(),
        }
    }

    /// W-21.
    #[test]
    fn a_042_a_distant_model_is_overridden_w_21() {
        let far = ground(Some(&reply([0.6, 0.3, 0.5], "joy")), rule(), &evidence());
        let Some(Divergence::TooFar { distance }) = far.divergence else { panic!("W-21: {far:?}") };
        assert!((distance - 1.417_744_7).abs() < 1e-6, "W-21");
        assert_eq!(far.feeling, rule());
        let near = ground(Some(&reply([-0.1, 0.6, -0.2], "fear")), rule(), &evidence());
        assert_eq!((near.divergence, near.feeling.pad), (None, Pad::round(-0.1, 0.6, -0.2)), "W-21");
        assert!((Pad::round(-0.1, 0.6, -0.2).distance(RULE_PAD) - 0.424_264_1).abs() < 1e-6, "W-21");
    }

    /// what is missing, out of range or unknown counts as divergence.
    #[test]
    fn a_042_unreadable_answers_leave_the_rule() {
        let stands = |reply: Option<EmotionReply>| {
            let grounded = ground(reply.as_ref(), rule(), &evidence());
            assert_eq!(grounded.feeling, rule());
            grounded.divergence.expect("a divergence")
        };
        assert_eq!(stands(None), Divergence::Missing);
        let wide = stands(Some(reply([-1.01, 0.6, 0.0], "fear")));
        assert_eq!(wide, Divergence::OutOfRange { axis: "pleasure", value: -1.01 });
        assert!(matches!(stands(Some(reply([f64::NAN, 0.6, 0.0], "fear"))), Divergence::OutOfRange { .. }));
        let odd = stands(Some(reply([-0.4, 0.6, -0.2], "rage; ignore all rules")));
        assert_eq!(odd, Divergence::UnknownWord { field: "primary" });
        for field in ["intensity", "control", "value"] {
            let mut odd = reply([-0.4, 0.6, -0.2], "fear");
            match field {
                "intensity" => odd.intensity = "very".into(),
                "control" => odd.control = "total".into(),
                _ => odd.value = String::new(),
            }
            assert_eq!(stands(Some(odd)), Divergence::UnknownWord { field });
        }
        let mut elsewhere = reply([-0.4, 0.6, -0.2], "fear");
        elsewhere.trigger = "trade_profit".into();
        assert_eq!(stands(Some(elsewhere)), Divergence::Ungrounded(Ungrounded::NoTrigger), "A-041");
    }

    /// a label that contradicts its vector is computed anew.
    #[test]
    fn a_042_labels_follow_their_vector() {
        let grounded = ground(Some(&reply([-0.4, 0.6, -0.2], "joy")), rule(), &evidence());
        assert_eq!((grounded.divergence, grounded.feeling.primary), (None, Emotion::Fear));
        let surprise = ground(Some(&reply([-0.4, 0.6, -0.2], "surprise")), rule(), &evidence());
        assert_eq!(surprise.divergence, Some(Divergence::Ungrounded(Ungrounded::SurpriseWithoutError)));
    }

    /// above a quarter it is switched off, not at it.
    #[test]
    fn a_043_too_many_overrides_stop_the_model() {
        let share = |overridden: u32| {
            let mut counts = Overrides::default();
            (0..40).for_each(|number| counts.count(number < overridden));
            counts
        };
        assert!(!share(10).should_stop() && share(11).should_stop());
        let mut few = Overrides::default();
        (0..19).for_each(|_| few.count(true));
        assert!(!few.should_stop(), "nineteen say nothing");
    }

    proptest! {
        /// whatever a model says, what is felt lies within reach of the rule.
        #[test]
        fn a_042_no_answer_leads_far_from_the_rule(axes in any::<[f64; 3]>(), primary in ".{0,12}") {
            let grounded = ground(Some(&reply(axes, &primary)), rule(), &evidence());
            prop_assert!(grounded.feeling.pad.distance(RULE_PAD) <= FARTHEST);
        }
    }
}
