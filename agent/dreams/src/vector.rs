//! Vectors of meaning, and when two of them may be compared.

/// A vector with the model that made it. Vectors of different models are never compared; a deterministic feature hash is
/// a model like any other and says so in its name.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vector {
    /// Which model made it, with its version.
    pub model: String,
    /// Its parts.
    pub parts: Vec<f32>,
}

impl Vector {
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
