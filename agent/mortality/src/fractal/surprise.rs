//! How much a death at a smaller scale changes what is believed.

/// A number that no belief or threshold has.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{value} is no finite number of zero or more")]
pub struct SurpriseError {
    /// What was given.
    pub value: f64,
}

fn finite(value: f64) -> Result<f64, SurpriseError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(SurpriseError { value }) }
}

/// How often a probe's test says the truth, both ways (M-253).
const TEST_TRUTH: f64 = 0.9;

/// M-253. A belief after a probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Belief {
    /// Confidence after the probe.
    pub posterior: f64,
    /// Nats by which the belief moved: KL(posterior || prior).
    pub surprise: f64,
}

impl Belief {
    /// Updates a prior, held in [0.01, 0.99], by a probe that confirmed or refuted it.
    ///
    /// # Errors
    /// [`SurpriseError`] for a prior that is negative or not finite.
    pub fn update(prior: f64, confirmed: bool) -> Result<Self, SurpriseError> {
        let prior = finite(prior)?.clamp(0.01, 0.99);
        let truth = if confirmed { TEST_TRUTH } else { 1.0 - TEST_TRUTH };
        let posterior = prior * truth / (prior * truth + (1.0 - prior) * (1.0 - truth));
        let term = |p: f64, q: f64| p * libm::log(p / q);
        Ok(Self { posterior, surprise: term(posterior, prior) + term(1.0 - posterior, 1.0 - prior) })
    }
}

/// Bins of a histogram of confidence (M-254).
const BINS: usize = 20;
/// Added to every bin, so that none is empty (M-254).
const SMOOTHING: f64 = 1e-10;

/// M-254. KL of the histograms of confidence after and before pruning, in nats. Without entries on a side its histogram
/// is flat by the smoothing alone.
///
/// # Errors
/// [`SurpriseError`] for a confidence that is negative or not finite; above one counts as one.
pub fn confidence_surprise(after: &[f64], before: &[f64]) -> Result<f64, SurpriseError> {
    let (after, before) = (histogram(after)?, histogram(before)?);
    Ok(after.iter().zip(before).map(|(p, q)| p * libm::log(p / q)).sum::<f64>().max(0.0))
}

fn histogram(confidences: &[f64]) -> Result<[f64; BINS], SurpriseError> {
    let mut bins = [SMOOTHING; BINS];
    for confidence in confidences {
        // `as` truncates; one belongs to the last bin.
        let bin = (finite(*confidence)? * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 1.0;
    }
    let total: f64 = bins.iter().sum();
    Ok(bins.map(|count| count / total))
}

/// M-254. Surprise carried to the next scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Escalation {
    /// Nats that had gathered.
    pub nats: f64,
}

/// M-254. Gathers surprise until it exceeds its threshold, then escalates and begins again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurpriseAccumulator {
    nats: f64,
    threshold: f64,
}

impl SurpriseAccumulator {
    /// Threshold of probes in nats (MG-16).
    pub const MICRO_NATS: f64 = 1.0;
    /// Threshold of pruning in nats (MG-16).
    pub const MESO_NATS: f64 = 0.5;

    /// An empty accumulator.
    ///
    /// # Errors
    /// [`SurpriseError`] for a threshold that is negative or not finite.
    pub fn new(threshold: f64) -> Result<Self, SurpriseError> {
        Ok(Self { nats: 0.0, threshold: finite(threshold)? })
    }

    /// Adds surprise.
    ///
    /// # Errors
    /// [`SurpriseError`] for surprise that is negative or not finite; nothing is added.
    pub fn add(&mut self, surprise: f64) -> Result<Option<Escalation>, SurpriseError> {
        let nats = self.nats + finite(surprise)?;
        if nats > self.threshold {
            self.nats = 0.0;
            return Ok(Some(Escalation { nats }));
        }
        self.nats = nats;
        Ok(None)
    }

    /// Nats gathered since the last escalation.
    #[must_use]
    pub const fn nats(&self) -> f64 {
        self.nats
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn m_253_w_99_the_worked_beliefs() {
        // M-253, W-99.
        for (prior, confirmed, posterior, surprise) in
            [(0.5, true, 0.9, 0.368_064_207), (0.9, false, 0.5, 0.510_825_624), (0.9, true, 0.987_805, 0.066_295_001)]
        {
            let belief = Belief::update(prior, confirmed).expect("finite");
            assert!((belief.posterior - posterior).abs() < 1e-6, "{belief:?}");
            assert!((belief.surprise - surprise).abs() < 1e-9, "{belief:?}");
        }
        assert_eq!(Belief::update(0.0, true), Belief::update(0.01, true), "no belief is certain");
        assert_eq!(Belief::update(5.0, true), Belief::update(0.99, true));
        assert!(Belief::update(f64::NAN, true).is_err() && Belief::update(-0.1, true).is_err());
    }

    #[test]
    fn m_254_pruning_surprises_by_the_change_of_its_histogram() {
        // M-254: half of the entries leave the lowest of two bins.
        let before = [0.01, 0.01, 0.52, 0.52];
        assert!(confidence_surprise(&before, &before).expect("finite") < 1e-9);
        let surprise = confidence_surprise(&[0.52, 0.52], &before).expect("finite");
        assert!((surprise - std::f64::consts::LN_2).abs() < 1e-6, "{surprise}");
        // 20 bins: 0.04 and 0.06 are in different ones, 0.06 and 0.09 in one, and 1.0 is in the last.
        assert!(confidence_surprise(&[0.04], &[0.06]).expect("finite") > 1.0);
        assert!(confidence_surprise(&[0.06], &[0.09]).expect("finite") < 1e-9);
        assert!(confidence_surprise(&[1.0], &[0.96]).expect("finite") < 1e-9);
        assert!(confidence_surprise(&[], &[]).expect("flat") < 1e-9);
        assert!(confidence_surprise(&[f64::NAN], &[]).is_err());
    }

    #[test]
    fn m_254_surprise_escalates_above_its_threshold_and_begins_again() {
        // M-254, MG-16.
        let mut micro = SurpriseAccumulator::new(SurpriseAccumulator::MICRO_NATS).expect("finite");
        assert_eq!(micro.add(0.5), Ok(None));
        assert_eq!(micro.add(0.5), Ok(None), "at the threshold is not above it");
        assert!(micro.add(f64::INFINITY).is_err() && micro.add(-1.0).is_err());
        assert_eq!(micro.add(0.25), Ok(Some(Escalation { nats: 1.25 })));
        assert_eq!(micro.nats(), 0.0);
        assert_eq!((SurpriseAccumulator::MICRO_NATS, SurpriseAccumulator::MESO_NATS), (1.0, 0.5));
        assert!(SurpriseAccumulator::new(f64::NAN).is_err());
    }

    proptest! {
        #[test]
        fn m_253_a_probe_moves_a_belief_its_way_and_surprise_is_never_negative(prior in 0.0..=1.0f64, confirmed: bool) {
            // M-253.
            let belief = Belief::update(prior, confirmed).expect("finite");
            let held = prior.clamp(0.01, 0.99);
            prop_assert_eq!(belief.posterior > held, confirmed);
            prop_assert!(belief.surprise >= 0.0 && belief.posterior > 0.0 && belief.posterior < 1.0);
        }

        #[test]
        fn m_254_histograms_never_surprise_negatively(
            after in proptest::collection::vec(0.0..=1.0f64, 0..50),
            before in proptest::collection::vec(0.0..=1.0f64, 0..50),
        ) {
            // M-254.
            prop_assert!(confidence_surprise(&after, &before).expect("finite") >= 0.0);
        }
    }
}
