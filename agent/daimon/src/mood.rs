//! A mood: what appraisals leave, drawn back to what one is like.

use golem_mortality::ring::Ring;

use crate::feeling::Feeling;
use crate::pad::{OutOfRange, Pad};

/// What is left of a mood after an appraisal.
pub const DECAY: f64 = 0.95;
/// How far a mood comes back to its baseline every [`SAMPLE_TICKS`].
const RETURN: f64 = 0.05;
/// Ticks between two samples, and between two steps back.
pub const SAMPLE_TICKS: u64 = 10;
/// Samples before a mood is read.
pub const SAMPLES_NEEDED: u32 = 10;
/// Samples in six hours of nominal ticks.
pub const WINDOW: usize = 54;
/// How far a mood must have moved to be told.
pub const NOTABLE: f64 = 0.15;

/// Parts of one: a thousand times finer than a [`Pad`], so that fifty small steps do not round away (W-02).
const ONE: f64 = 1e9;

/// The mood itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "[i64; 3]", into = "[i64; 3]")]
pub struct Mood {
    billionths: [i64; 3],
}

impl Mood {
    fn round(axes: [f64; 3]) -> Self {
        Self { billionths: axes.map(|axis| libm::round(axis.clamp(-1.0, 1.0) * ONE) as i64) }
    }

    fn axes(self) -> [f64; 3] {
        self.billionths.map(|axis| axis as f64 / ONE)
    }

    /// The mood as others see it.
    #[must_use]
    pub fn pad(self) -> Pad {
        let [p, a, d] = self.axes();
        Pad::round(p, a, d)
    }

    /// The mood after an appraisal: `decay` of it and the rest of what was felt, by its intensity.
    #[must_use]
    pub fn moved(self, feeling: &Feeling, decay: f64) -> Self {
        let decay = if (0.0..=1.0).contains(&decay) { decay } else { DECAY };
        let (now, felt, intensity) = (self.axes(), feeling.pad.axes(), feeling.intensity.as_f64());
        let step = |axis: usize| decay * now[axis] + (1.0 - decay) * felt[axis] * intensity;
        Self::round([step(0), step(1), step(2)])
    }

    /// The mood as it were had an event been felt so and not otherwise.
    #[must_use]
    pub fn corrected(self, was: &Feeling, is: &Feeling, decay: f64) -> Self {
        let decay = if (0.0..=1.0).contains(&decay) { decay } else { DECAY };
        let felt = |feeling: &Feeling, axis: usize| feeling.pad.axes()[axis] * feeling.intensity.as_f64();
        let step = |axis: usize| self.axes()[axis] + (1.0 - decay) * (felt(is, axis) - felt(was, axis));
        Self::round([step(0), step(1), step(2)])
    }

    /// One step back to the baseline; no mood is for ever.
    #[must_use]
    pub fn returning(self, baseline: Pad) -> Self {
        let (now, rest) = (self.axes(), baseline.axes());
        let step = |axis: usize| now[axis] + RETURN * (rest[axis] - now[axis]);
        Self::round([step(0), step(1), step(2)])
    }
}

impl From<Pad> for Mood {
    fn from(pad: Pad) -> Self {
        Self::round(pad.axes())
    }
}

impl TryFrom<[i64; 3]> for Mood {
    type Error = OutOfRange;

    fn try_from(billionths: [i64; 3]) -> Result<Self, OutOfRange> {
        match billionths.iter().find(|axis| axis.unsigned_abs() > ONE as u64) {
            Some(axis) => Err(OutOfRange { parts: axis / 1_000 }),
            None => Ok(Self { billionths }),
        }
    }
}

impl From<Mood> for [i64; 3] {
    fn from(mood: Mood) -> Self {
        mood.billionths
    }
}

/// The moods of the last six hours.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct MoodWindow {
    samples: Ring<Pad, WINDOW>,
    taken: u32,
}

impl MoodWindow {
    /// Takes a sample.
    pub fn sample(&mut self, mood: Pad) {
        self.samples.push(mood);
        self.taken = self.taken.saturating_add(1);
    }

    /// Whether there are enough for a mood to be read.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.taken >= SAMPLES_NEEDED
    }

    /// The samples, oldest first.
    pub fn samples(&self) -> impl Iterator<Item = Pad> + '_ {
        self.samples.iter().copied()
    }

    /// The mean of the window; nothing when it is empty.
    #[must_use]
    pub fn mean(&self) -> Option<Pad> {
        let count = self.samples.len() as f64;
        let sum = self.samples().fold([0.0; 3], |sum, pad| {
            let [p, a, d] = pad.axes();
            [sum[0] + p, sum[1] + a, sum[2] + d]
        });
        (count > 0.0).then(|| Pad::round(sum[0] / count, sum[1] / count, sum[2] / count))
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Ppm;
    use proptest::prelude::*;

    use super::*;
    use crate::emotion::Emotion;

    fn feeling(pad: Pad, intensity: f64) -> Feeling {
        Feeling::new(Emotion::Fear, pad, intensity, 0.9)
    }

    fn near(mood: Mood, expected: [f64; 3]) -> bool {
        mood.axes().iter().zip(expected).all(|(got, wanted)| (got - wanted).abs() <= 1e-6)
    }

    fn after(count: usize, loss: &Feeling) -> Mood {
        (0..count).fold(Mood::default(), |mood, _| mood.moved(loss, DECAY))
    }

    /// W-01 and W-02.
    #[test]
    fn a_050_moods_meet_w_01_and_w_02() {
        let loss = feeling(Pad::thousandths(-500, 700, -300), 0.4);
        assert!(near(after(1, &loss), [-0.010, 0.014, -0.006]), "W-01");
        assert!(near(after(10, &loss), [-0.080_252_6, 0.112_353_7, -0.048_151_6]), "W-02");
        assert!(near(after(50, &loss), [-0.184_611_0, 0.258_455_4, -0.110_766_6]), "W-02");
        assert!(near(after(2_000, &loss), [-0.20, 0.28, -0.12]), "W-02 limit");
    }

    /// the mean is that of the samples, one by one; a record beyond the range is none, its edge is one.
    #[test]
    fn a_020_the_mean_is_that_of_the_samples() {
        let mut window = MoodWindow::default();
        assert_eq!(window.mean(), None);
        window.sample(Pad::thousandths(200, -600, 100));
        window.sample(Pad::thousandths(-400, 200, 300));
        assert_eq!(window.mean(), Some(Pad::thousandths(-100, -200, 200)));
        let edge = ONE as i64;
        assert!(Mood::try_from([edge, 0, -edge]).is_ok());
        for beyond in [edge + 1, 2 * edge, -edge - 1] {
            assert_eq!(Mood::try_from([0, beyond, 0]), Err(OutOfRange { parts: beyond / 1_000 }));
        }
    }

    /// W-03 and the half-life of 13.51 appraisals; W-20.
    #[test]
    fn a_050_old_moods_fade_as_w_03_says() {
        let nothing = feeling(Pad::NEUTRAL, 0.0);
        let start = Mood::from(Pad::thousandths(1_000, 0, 0));
        for (count, left) in [(10, 0.598_736_9), (14, 0.487_675_0), (50, 0.076_945_0)] {
            let mood = (0..count).fold(start, |mood, _| mood.moved(&nothing, DECAY));
            assert!(near(mood, [left, 0.0, 0.0]), "W-03 after {count}");
        }
        assert!((libm::log(0.5) / libm::log(DECAY) - 13.51).abs() < 0.01);
        let grieved =
            Mood::from(Pad::round(0.1, 0.0, 0.2)).moved(&feeling(Pad::thousandths(-400, 300, -200), 0.6), DECAY);
        assert!(near(grieved, [0.083, 0.009, 0.184]), "W-20");
    }

    /// W-04; half of the way back takes 13.51 steps, some 135 ticks.
    #[test]
    fn a_051_moods_return_as_w_04_says() {
        let baseline = Pad::round(0.1, 0.0, 0.0);
        let mut mood = Mood::from(Pad::round(-0.4, 0.0, 0.0));
        for expected in [-0.375, -0.351_25, -0.328_687_5] {
            mood = mood.returning(baseline);
            assert!(near(mood, [expected, 0.0, 0.0]), "W-04");
        }
        let ticks = libm::log(0.5) / libm::log(1.0 - RETURN) * SAMPLE_TICKS as f64;
        assert!((ticks - 135.1).abs() < 0.1);
    }

    /// ten samples make a mood; the window forgets the oldest.
    #[test]
    fn a_022_a_mood_is_read_after_ten_samples() {
        let mut window = MoodWindow::default();
        assert_eq!(window.mean(), None);
        for taken in 0..100u32 {
            assert_eq!(window.is_settled(), taken >= 10, "{taken}");
            window.sample(if taken < 46 { Pad::NEUTRAL } else { Pad::thousandths(300, 0, 0) });
        }
        assert_eq!(window.mean(), Some(Pad::thousandths(300, 0, 0)), "A-020: six hours are 54 samples");
    }

    proptest! {
        /// in range after any sequence; a step is at most 0.10, and 0.05 from neutral.
        #[test]
        fn a_154_one_appraisal_moves_a_mood_a_little(
            start in any::<[f64; 3]>(),
            steps in prop::collection::vec((any::<[f64; 3]>(), 0u32..=1_000_000), 1..40),
        ) {
            let mut mood = Mood::from(Pad::round(start[0], start[1], start[2]));
            for (axes, intensity) in steps {
                let felt = feeling(Pad::round(axes[0], axes[1], axes[2]), Ppm::of(intensity).as_f64());
                let next = mood.moved(&felt, DECAY);
                for (before, after) in mood.axes().into_iter().zip(next.axes()) {
                    prop_assert!((before - after).abs() <= 0.10 + 1e-9 && after.abs() <= 1.0);
                }
                let fresh = Mood::default().moved(&felt, DECAY);
                prop_assert!(fresh.axes().iter().all(|axis| axis.abs() <= 0.05 + 1e-9));
                mood = next;
            }
        }

        /// without events every mood comes to its baseline.
        #[test]
        fn a_154_quiet_moods_come_to_rest(start in any::<[f64; 3]>(), rest in any::<[f64; 3]>()) {
            let baseline = Pad::round(rest[0], rest[1], rest[2]);
            let start = Mood::from(Pad::round(start[0], start[1], start[2]));
            let mood = (0..500).fold(start, |mood, _| mood.returning(baseline));
            prop_assert!(mood.pad().distance(baseline) < 1e-5);
        }
    }
}
