//! Pleasure, arousal and dominance.

/// A-010, G-041. Pleasure, arousal and dominance, each in [-1, 1], held in millionths: no part can be a NaN, every
/// machine rounds alike, and the whole vector fits one 64-bit word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "[i32; 3]", into = "[i32; 3]")]
pub struct Pad {
    axes: [i32; 3],
}

/// Parts of one.
const ONE: i32 = 1_000_000;
/// Below this norm a vector has no direction (A-011, G-088).
const NO_DIRECTION: f64 = 1e-8;
/// Bits an axis takes: 2,000,001 values fit 21.
const AXIS_BITS: u32 = 21;
const AXIS_MASK: u64 = (1 << AXIS_BITS) - 1;

/// Three numbers that are no vector of affect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an axis of affect lies between -1000000 and 1000000 millionths, not at {parts}; drop the record it came from")]
pub struct OutOfRange {
    /// The first axis out of range.
    pub parts: i64,
}

impl Pad {
    /// Feeling nothing.
    pub const NEUTRAL: Self = Self { axes: [0; 3] };
    /// The nearest vector; a NaN is zero.
    #[must_use]
    pub fn round(pleasure: f64, arousal: f64, dominance: f64) -> Self {
        let axis = |value: f64| libm::round(value.clamp(-1.0, 1.0) * f64::from(ONE)) as i32;
        Self { axes: [axis(pleasure), axis(arousal), axis(dominance)] }
    }

    /// A vector for tables, in thousandths.
    ///
    /// # Panics
    /// Beyond one thousand on either side. In a constant this is a compile error.
    #[must_use]
    pub const fn thousandths(pleasure: i32, arousal: i32, dominance: i32) -> Self {
        assert!(pleasure.abs() <= 1_000 && arousal.abs() <= 1_000 && dominance.abs() <= 1_000, "an axis ends at one");
        Self { axes: [pleasure * 1_000, arousal * 1_000, dominance * 1_000] }
    }

    /// Pleasure, also called valence.
    #[must_use]
    pub fn pleasure(self) -> f64 {
        f64::from(self.axes[0]) / f64::from(ONE)
    }

    /// Arousal.
    #[must_use]
    pub fn arousal(self) -> f64 {
        f64::from(self.axes[1]) / f64::from(ONE)
    }

    /// Dominance.
    #[must_use]
    pub fn dominance(self) -> f64 {
        f64::from(self.axes[2]) / f64::from(ONE)
    }

    /// The three in order.
    #[must_use]
    pub fn axes(self) -> [f64; 3] {
        [self.pleasure(), self.arousal(), self.dominance()]
    }

    /// The three in millionths.
    #[must_use]
    pub const fn millionths(self) -> [i32; 3] {
        self.axes
    }

    fn dot(self, other: Self) -> f64 {
        self.pleasure() * other.pleasure() + self.arousal() * other.arousal() + self.dominance() * other.dominance()
    }

    /// Distance from feeling nothing.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        libm::sqrt(self.dot(self))
    }

    /// Euclidean distance.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let [p, a, d] = self.axes();
        let [q, b, e] = other.axes();
        libm::sqrt((p - q) * (p - q) + (a - b) * (a - b) + (d - e) * (d - e))
    }

    /// Cosine of the angle between both; zero when either has no direction.
    #[must_use]
    pub fn cosine(self, other: Self) -> f64 {
        let norms = (self.magnitude(), other.magnitude());
        if norms.0 < NO_DIRECTION || norms.1 < NO_DIRECTION {
            return 0.0;
        }
        (self.dot(other) / (norms.0 * norms.1)).clamp(-1.0, 1.0)
    }

    /// A-011, G-088. How alike two moods are: `(cosine + 1) / 2`, one half when either has no direction.
    #[must_use]
    pub fn congruence(self, other: Self) -> f64 {
        f64::midpoint(self.cosine(other), 1.0).clamp(0.0, 1.0)
    }

    /// G-095. Whether the other's valence has the opposite sign.
    #[must_use]
    pub const fn opposes(self, other: Self) -> bool {
        self.axes[0].signum() * other.axes[0].signum() < 0
    }

    /// What a contrarian looks for: pleasure and dominance turned, arousal kept.
    #[must_use]
    pub const fn contrary(self) -> Self {
        Self { axes: [-self.axes[0], self.axes[1], -self.axes[2]] }
    }

    /// One step of an exponential moving average toward `target`.
    #[must_use]
    pub fn toward(self, target: Self, alpha: f64) -> Self {
        let [p, a, d] = self.axes();
        let [q, b, e] = target.axes();
        let step = |from: f64, to: f64| (1.0 - alpha) * from + alpha * to;
        Self::round(step(p, q), step(a, b), step(d, e))
    }

    /// The sum, each axis held in range.
    #[must_use]
    pub fn plus(self, pleasure: f64, arousal: f64, dominance: f64) -> Self {
        Self::round(self.pleasure() + pleasure, self.arousal() + arousal, self.dominance() + dominance)
    }

    /// All three axes in one word, without loss.
    #[must_use]
    pub const fn pack(self) -> u64 {
        let [p, a, d] = self.axes;
        ((p + ONE) as u64) | (((a + ONE) as u64) << AXIS_BITS) | (((d + ONE) as u64) << (2 * AXIS_BITS))
    }

    /// The vector of a word, or `None` for a word nobody packed.
    #[must_use]
    pub const fn unpack(word: u64) -> Option<Self> {
        let limit = 2 * ONE as u64;
        let (p, a, d) = (word & AXIS_MASK, (word >> AXIS_BITS) & AXIS_MASK, word >> (2 * AXIS_BITS));
        if p > limit || a > limit || d > limit {
            return None;
        }
        Some(Self { axes: [p as i32 - ONE, a as i32 - ONE, d as i32 - ONE] })
    }
}

impl TryFrom<[i32; 3]> for Pad {
    type Error = OutOfRange;

    fn try_from(axes: [i32; 3]) -> Result<Self, OutOfRange> {
        match axes.iter().find(|axis| axis.unsigned_abs() > ONE as u32) {
            Some(axis) => Err(OutOfRange { parts: i64::from(*axis) }),
            None => Ok(Self { axes }),
        }
    }
}

impl From<Pad> for [i32; 3] {
    fn from(pad: Pad) -> Self {
        pad.axes
    }
}

impl std::fmt::Display for Pad {
    /// `P-0.50 A+0.70 D-0.30`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("P{:+.2} A{:+.2} D{:+.2}", self.pleasure(), self.arousal(), self.dominance()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A-010, G-041: what is no number is no feeling, and nothing leaves the range.
    #[test]
    fn a_010_axes_are_held_in_range() {
        assert_eq!(Pad::round(f64::NAN, 7.0, -7.0), Pad::thousandths(0, 1_000, -1_000));
        assert_eq!(Pad::default(), Pad::NEUTRAL);
        let (from, to) = (Pad::thousandths(500, -400, 0), Pad::thousandths(-500, 600, 1_000));
        assert_eq!(from.toward(to, 0.3), Pad::thousandths(200, -100, 300), "A-011");
        assert_eq!(Pad::try_from([0, 1_000_001, 0]), Err(OutOfRange { parts: 1_000_001 }));
        assert_eq!(Pad::try_from([0, i32::MIN, 0]), Err(OutOfRange { parts: i64::from(i32::MIN) }));
        assert_eq!(Pad::thousandths(-500, 700, -300).to_string(), "P-0.50 A+0.70 D-0.30");
    }

    /// W-22, the widest distance, and the average.
    #[test]
    fn a_011_congruence_distance_and_average() {
        let pad = Pad::round(-0.4, 0.5, -0.3);
        assert!((pad.congruence(Pad::round(-0.8, 1.0, -0.6)) - 1.0).abs() < 1e-9, "W-22 double");
        assert!(pad.congruence(Pad::round(0.4, -0.5, 0.3)).abs() < 1e-9, "W-22 negative");
        assert_eq!(pad.congruence(Pad::NEUTRAL), 0.5, "W-22 zero");
        assert_eq!(Pad::NEUTRAL.cosine(pad), 0.0);
        let corner = Pad::thousandths(1_000, 1_000, 1_000);
        let widest = corner.distance(Pad::thousandths(-1_000, -1_000, -1_000));
        assert!((widest - libm::sqrt(12.0)).abs() < 1e-12);
        assert_eq!(Pad::NEUTRAL.toward(corner, 0.1), Pad::thousandths(100, 100, 100));
    }

    /// A-102, G-095: the contrary keeps its arousal.
    #[test]
    fn a_102_the_contrary_turns_pleasure_and_dominance() {
        assert_eq!(Pad::thousandths(300, 200, -100).contrary(), Pad::thousandths(-300, 200, 100));
        assert!(Pad::round(0.1, 0.0, 0.0).opposes(Pad::round(-0.1, 0.0, 0.0)));
        assert!(!Pad::NEUTRAL.opposes(Pad::round(-0.1, 0.0, 0.0)));
    }

    proptest! {
        /// one word holds the vector whole, and no other word is one.
        #[test]
        fn a_016_one_word_holds_the_vector(axes in prop::array::uniform3(-1_000_000..=1_000_000i32), word: u64) {
            let pad = Pad::try_from(axes).expect("in range");
            prop_assert_eq!(Pad::unpack(pad.pack()), Some(pad));
            prop_assert!(Pad::unpack(word).is_none_or(|read| read.pack() == word));
        }

        /// A-011, G-088: symmetric and in range.
        #[test]
        fn a_011_congruence_is_a_share(a in any::<[f64; 3]>(), b in any::<[f64; 3]>()) {
            let (a, b) = (Pad::round(a[0], a[1], a[2]), Pad::round(b[0], b[1], b[2]));
            let score = a.congruence(b);
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert_eq!(score, b.congruence(a));
            prop_assert!(a.distance(b) <= libm::sqrt(12.0));
        }
    }
}
