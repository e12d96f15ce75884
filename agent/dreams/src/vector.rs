//! Vectors of meaning, and when two of them may be compared.

/// A vector with the model that made it. Vectors of different models are never compared; a deterministic feature hash is
/// a model like any other and says so in its name.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Vector {
    /// Which model made it, with its version.
    pub model: String,
    pub parts: Vec<f32>,
}

/// The name of the feature hash, with its version: its vectors are compared with each other and with nothing else.
pub const FEATURES: &str = "word-features 1";
/// Parts of such a vector.
const PARTS: usize = 64;

impl Vector {
    /// Words counted by their hash: what rules can say of how alike two texts are. Numbers and signs do not count.
    #[must_use]
    pub fn features(text: &str) -> Self {
        let mut parts = vec![0.0_f32; PARTS];
        let lower = text.to_lowercase();
        for word in lower.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1) {
            // FNV-1a: the same on every machine.
            let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
            let at = usize::try_from(hash >> 58).expect("six bits");
            parts[at] += if hash & 1 == 0 { 1.0 } else { -1.0 };
        }
        Self { model: FEATURES.to_owned(), parts }
    }

    /// The cosine of the angle between both, or `None` where it says nothing: other models, other lengths, or a vector
    /// without direction.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> Option<f64> {
        if self.model != other.model || self.parts.len() != other.parts.len() {
            return None;
        }
        let pairs = || self.parts.iter().zip(&other.parts).map(|(a, b)| (f64::from(*a), f64::from(*b)));
        let (dot, left, right) =
            pairs().fold((0.0, 0.0, 0.0), |(dot, left, right), (a, b)| (dot + a * b, left + a * a, right + b * b));
        let norms = libm::sqrt(left) * libm::sqrt(right);
        (norms.is_finite() && norms > 1e-12).then(|| (dot / norms).clamp(-1.0, 1.0))
    }

    /// DG-7. The same with what points away counted as nothing.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> Option<f64> {
        self.cosine(other).map(|cosine| cosine.max(0.0))
    }

    /// The largest cosine to any of them (C27: the nearest one decides), or `None` when none can be compared.
    #[must_use]
    pub fn nearest<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Option<f64> {
        others.into_iter().filter_map(|other| self.likeness(other)).reduce(f64::max)
    }
}

/// D-118, D-158. Cosine above which two texts say the same.
pub const DUPLICATE: f64 = 0.85;

#[cfg(test)]
mod tests {
    use super::*;

    /// D-118: the same words are the same direction whatever their numbers, other words are another, and no words none.
    #[test]
    fn d_118_features_tell_texts_apart() {
        let of = Vector::features;
        let said = of("Gas doubles before the price falls.");
        assert!(said.cosine(&of("gas doubles before THE price falls 17 times")).is_some_and(|cosine| cosine > 0.85));
        assert!(said.cosine(&of("Liquidity leaves a quiet pool overnight")).is_some_and(|cosine| cosine < 0.5));
        assert_eq!(said.cosine(&of("12 34 !")), None);
        let other = Vector { model: "minilm".to_owned(), ..said.clone() };
        assert_eq!(said.cosine(&other), None, "never compared with another model's");
    }
}
