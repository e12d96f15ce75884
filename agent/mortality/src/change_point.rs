//! Whether the world has changed: the two-sample Kolmogorov-Smirnov test, rolling.
//!
//! Written here because the statistics crates on the registry use the platform's `exp` (the same life must be lived on
//! every machine) and the plain asymptotic distribution. MG-13 asks for Stephens's small-sample correction, M. A.
//! Stephens, "Use of the Kolmogorov-Smirnov, Cramér-von Mises and related statistics without extensive tables", Journal
//! of the Royal Statistical Society B 32 (1970): λ = D (√n + 0.12 + 0.11/√n) with n = mn/(m+n).

use std::collections::VecDeque;

/// The result of comparing two samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KsTest {
    /// The largest distance between both empirical distributions, in [0, 1].
    pub statistic: f64,
    /// How likely at least that distance is when nothing changed.
    pub p_value: f64,
}

/// Why two samples cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangePointError {
    /// A sample has no values.
    #[error("a sample without values has no distribution")]
    Empty,
    /// A value is NaN or infinite.
    #[error("a value that is not a finite number has no place in a distribution")]
    NotFinite,
    /// A window of no ticks.
    #[error("a window must hold at least one value")]
    NoWindow,
}

impl KsTest {
    /// Compares two samples. Equal values step both distributions together.
    ///
    /// # Errors
    /// [`ChangePointError`] for an empty sample or a value that is not finite.
    pub fn compare(first: &[f64], second: &[f64]) -> Result<Self, ChangePointError> {
        if first.iter().chain(second).any(|v| !v.is_finite()) {
            return Err(ChangePointError::NotFinite);
        }
        if first.is_empty() || second.is_empty() {
            return Err(ChangePointError::Empty);
        }
        let (mut first, mut second) = (first.to_vec(), second.to_vec());
        first.sort_by(f64::total_cmp);
        second.sort_by(f64::total_cmp);
        Ok(Self::of_sorted(&first, &second))
    }

    fn of_sorted(first: &[f64], second: &[f64]) -> Self {
        let (m, n) = (first.len() as f64, second.len() as f64);
        let (mut i, mut j) = (0, 0);
        let mut statistic: f64 = 0.0;
        while i < first.len() && j < second.len() {
            let value = first[i].min(second[j]);
            while i < first.len() && first[i] <= value {
                i += 1;
            }
            while j < second.len() && second[j] <= value {
                j += 1;
            }
            statistic = statistic.max((i as f64 / m - j as f64 / n).abs());
        }
        let root = libm::sqrt(m * n / (m + n));
        Self { statistic, p_value: kolmogorov_tail(statistic * (root + 0.12 + 0.11 / root)) }
    }
}

/// The chance that Kolmogorov's limit exceeds λ. Of its two series each is used where it converges in a few terms.
fn kolmogorov_tail(lambda: f64) -> f64 {
    use std::f64::consts::PI;
    if lambda < 0.2 {
        // Below this the tail differs from one by less than an f64 can say.
        return 1.0;
    }
    if lambda < 1.18 {
        let step = libm::exp(-PI * PI / (8.0 * lambda * lambda));
        let odd = [1, 9, 25, 49].map(|square| libm::pow(step, f64::from(square))).iter().sum::<f64>();
        return 1.0 - libm::sqrt(2.0 * PI) / lambda * odd;
    }
    let step = libm::exp(-2.0 * lambda * lambda);
    let sum = step - libm::pow(step, 4.0) + libm::pow(step, 9.0) - libm::pow(step, 16.0);
    (2.0 * sum).clamp(0.0, 1.0)
}

/// What a new value told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// Both windows are not full yet.
    Filling,
    /// No change can be told.
    None(KsTest),
    /// The world changed: the regime is to be classified anew. Measurement has restarted.
    Found(KsTest),
}

/// M-089. Compares the newest window of a series with the window before it, value by value.
///
/// The series is the cumulative profit and loss. A change empties both windows, so that it is reported once and what
/// comes after it is measured against itself. Note that a level that drifts steadily is a change for this test.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangePoint {
    window: usize,
    significance: f64,
    values: VecDeque<f64>,
    /// The same values sorted, older window and newer window, kept so that a tick costs no sort.
    sorted: (Vec<f64>, Vec<f64>),
}

impl ChangePoint {
    /// Values in each window (MG-13).
    pub const WINDOW: usize = 50;
    /// The p-value below which a change is believed (M-089).
    pub const SIGNIFICANCE: f64 = 0.05;

    /// Two windows of `window` values, with the p-value below which a change is believed.
    ///
    /// # Errors
    /// [`ChangePointError`] for an empty window or a significance that is not finite.
    pub fn new(window: usize, significance: f64) -> Result<Self, ChangePointError> {
        if window == 0 {
            return Err(ChangePointError::NoWindow);
        }
        if !significance.is_finite() {
            return Err(ChangePointError::NotFinite);
        }
        let values = VecDeque::with_capacity(2 * window + 1);
        Ok(Self { window, significance, values, sorted: (Vec::with_capacity(window), Vec::with_capacity(window)) })
    }

    /// Takes the newest value.
    ///
    /// # Errors
    /// [`ChangePointError::NotFinite`]; the value is not remembered.
    pub fn push(&mut self, value: f64) -> Result<Change, ChangePointError> {
        if !value.is_finite() {
            return Err(ChangePointError::NotFinite);
        }
        self.values.push_back(value);
        insert_sorted(&mut self.sorted.1, value);
        if self.sorted.1.len() > self.window {
            let crossing = self.values[self.values.len() - 1 - self.window];
            remove_sorted(&mut self.sorted.1, crossing);
            insert_sorted(&mut self.sorted.0, crossing);
        }
        if self.sorted.0.len() > self.window {
            let oldest = self.values.pop_front().expect("both windows are full");
            remove_sorted(&mut self.sorted.0, oldest);
        }
        if self.sorted.0.len() < self.window {
            return Ok(Change::Filling);
        }
        let test = KsTest::of_sorted(&self.sorted.0, &self.sorted.1);
        if test.p_value >= self.significance {
            return Ok(Change::None(test));
        }
        self.values.clear();
        self.sorted.0.clear();
        self.sorted.1.clear();
        Ok(Change::Found(test))
    }
}

impl Default for ChangePoint {
    fn default() -> Self {
        Self::new(Self::WINDOW, Self::SIGNIFICANCE).expect("fifty values and a finite significance")
    }
}

fn insert_sorted(values: &mut Vec<f64>, value: f64) {
    let at = values.partition_point(|v| v.total_cmp(&value).is_lt());
    values.insert(at, value);
}

fn remove_sorted(values: &mut Vec<f64>, value: f64) {
    let at = values.partition_point(|v| v.total_cmp(&value).is_lt());
    values.remove(at);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ramp(shift: f64) -> Vec<f64> {
        (0..50).map(|i| f64::from(i) + shift).collect()
    }

    #[test]
    fn w_98_the_worked_shifts() {
        // M-089, MG-13, W-98.
        for (shift, statistic, p_value) in [(15.0, 0.30, 0.017_144), (10.0, 0.20, 0.240_792)] {
            let test = KsTest::compare(&ramp(0.0), &ramp(shift)).expect("finite");
            assert!((test.statistic - statistic).abs() < 1e-12, "{test:?}");
            assert!((test.p_value - p_value).abs() < 1e-6, "{test:?}");
        }
        // The plain 5% critical distance at 50 and 50 is 1.3581 times the root of (1/50 + 1/50).
        assert!((1.358_099 * libm::sqrt(2.0 / 50.0) - 0.271_620f64).abs() < 1e-6);
        assert!((kolmogorov_tail(1.358_099) - 0.05).abs() < 1e-6);
    }

    #[test]
    fn both_series_of_the_limit_meet() {
        assert!((kolmogorov_tail(1.179_999_999) - kolmogorov_tail(1.180_000_001)).abs() < 1e-8);
        assert!((kolmogorov_tail(0.200_000_001) - 1.0).abs() < 1e-11);
        assert_eq!(kolmogorov_tail(0.0), 1.0);
        assert_eq!(kolmogorov_tail(f64::INFINITY), 0.0);
    }

    #[test]
    fn m_089_a_break_in_cumulative_pnl_is_found_once_and_restarts_the_measurement() {
        // M-089: a sideways account that starts to lose.
        let mut detector = ChangePoint::default();
        let sideways = |i: u32| f64::from((i * 37) % 20);
        let mut found = Vec::new();
        for i in 0..400u32 {
            let level = if i < 200 { 0.0 } else { -15.0 };
            if let Change::Found(test) = detector.push(sideways(i) + level).expect("finite") {
                assert!(test.p_value < 0.05);
                found.push(i);
            }
        }
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((200..250).contains(&found[0]), "{found:?}");
    }

    #[test]
    fn m_089_nothing_is_said_before_both_windows_are_full_nor_after_a_change() {
        // M-089, MG-13: 50 and 50.
        let mut detector = ChangePoint::default();
        for i in 0..99 {
            assert_eq!(detector.push(f64::from(i % 10)), Ok(Change::Filling), "{i}");
        }
        assert!(matches!(detector.push(9.0), Ok(Change::None(_))));
        while !matches!(detector.push(100.0), Ok(Change::Found(_))) {}
        assert_eq!(detector.push(100.0), Ok(Change::Filling));
    }

    #[test]
    fn bad_samples_are_refused() {
        assert_eq!(KsTest::compare(&[], &[1.0]), Err(ChangePointError::Empty));
        assert_eq!(KsTest::compare(&[1.0], &[f64::NAN]), Err(ChangePointError::NotFinite));
        assert_eq!(ChangePoint::new(0, 0.05), Err(ChangePointError::NoWindow));
        assert_eq!(ChangePoint::new(5, f64::NAN), Err(ChangePointError::NotFinite));
        let mut detector = ChangePoint::default();
        assert_eq!(detector.push(f64::INFINITY), Err(ChangePointError::NotFinite));
        assert_eq!(detector, ChangePoint::default());
    }

    proptest! {
        #[test]
        fn the_statistic_is_the_largest_gap_of_both_distributions(
            first in proptest::collection::vec((-5i32..5).prop_map(f64::from), 1..40),
            second in proptest::collection::vec((-5i32..5).prop_map(f64::from), 1..40),
        ) {
            let share = |of: &[f64], x: f64| of.iter().filter(|v| **v <= x).count() as f64 / of.len() as f64;
            let gap = first.iter().chain(&second).map(|x| (share(&first, *x) - share(&second, *x)).abs()).fold(0.0, f64::max);
            let test = KsTest::compare(&first, &second).expect("finite");
            prop_assert!((test.statistic - gap).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&test.p_value));
            prop_assert_eq!(KsTest::compare(&second, &first), Ok(test));
        }

        #[test]
        fn rolling_is_comparing_the_last_two_windows(
            values in proptest::collection::vec((-3i32..3).prop_map(f64::from), 10..80),
        ) {
            // A significance of zero never restarts.
            let mut detector = ChangePoint::new(5, 0.0).expect("a window");
            for (i, value) in values.iter().enumerate() {
                let change = detector.push(*value).expect("finite");
                if i >= 9 {
                    let fresh = KsTest::compare(&values[i - 9..i - 4], &values[i - 4..=i]).expect("finite");
                    prop_assert_eq!(change, Change::None(fresh));
                }
            }
        }
    }
}
