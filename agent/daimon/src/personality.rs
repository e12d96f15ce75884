//! What a Golem is like before anything happened to it.

use golem_primitives::{GolemId, keccak256, words};

use crate::pad::Pad;

words! {
    /// How a Golem leans, fixed at birth.
    Disposition {
        /// Toward life: glad, awake, in command.
        Eros = "eros",
        Balanced = "balanced",
        /// Toward death: sober, quiet.
        Thanatos = "thanatos",
    }
}

/// How far a sibling's baseline may lie from its disposition's, on each axis.
pub const NUANCE: f64 = 0.05;

impl Disposition {
    /// Where a mood of that disposition comes to rest.
    #[must_use]
    pub const fn baseline(self) -> Pad {
        match self {
            Self::Eros => Pad::thousandths(200, 100, 300),
            Self::Balanced => Pad::thousandths(100, -100, 200),
            Self::Thanatos => Pad::thousandths(-100, -100, 100),
        }
    }
}

/// The attractor of a mood. Two siblings of one disposition still differ by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Personality {
    disposition: Disposition,
    baseline: Pad,
}

impl Personality {
    /// Exactly the disposition, without a nuance.
    #[must_use]
    pub const fn plain(disposition: Disposition) -> Self {
        Self { disposition, baseline: disposition.baseline() }
    }

    /// A-001, M-004. The personality of a name: the owner's disposition, or one drawn by the name, with a nuance of at
    /// most [`NUANCE`] an axis. A function of the name alone, so that anybody can recompute it.
    #[must_use]
    pub fn born(id: &GolemId, disposition: Option<Disposition>) -> Self {
        let hash = keccak256([id.as_bytes(), b"/personality"].concat());
        let drawn = Disposition::ALL[usize::from(hash[0]) % Disposition::ALL.len()];
        let disposition = disposition.unwrap_or(drawn);
        let nuance = |at: usize| {
            let draw = u16::from_be_bytes([hash[at], hash[at + 1]]);
            (f64::from(draw) / f64::from(u16::MAX) * 2.0 - 1.0) * NUANCE
        };
        let baseline = disposition.baseline().plus(nuance(1), nuance(3), nuance(5));
        Self { disposition, baseline }
    }

    /// How it leans.
    #[must_use]
    pub const fn disposition(&self) -> Disposition {
        self.disposition
    }

    /// Where its mood comes to rest.
    #[must_use]
    pub const fn baseline(&self) -> Pad {
        self.baseline
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    /// three baselines.
    #[test]
    fn a_021_three_dispositions() {
        let rest: Vec<[f64; 3]> = Disposition::ALL.iter().map(|one| one.baseline().axes()).collect();
        assert_eq!(rest, [[0.2, 0.1, 0.3], [0.1, -0.1, 0.2], [-0.1, -0.1, 0.1]]);
        assert_eq!(Personality::plain(Disposition::Eros).baseline(), Disposition::Eros.baseline());
    }

    /// siblings differ by name, also under one disposition.
    #[test]
    fn a_001_siblings_differ() {
        let names: Vec<GolemId> = (0..30).map(|number| id(&format!("golem-{number}"))).collect();
        let mut rests: Vec<Pad> =
            names.iter().map(|id| Personality::born(id, Some(Disposition::Eros)).baseline()).collect();
        rests.sort_unstable();
        rests.dedup();
        assert_eq!(rests.len(), 30, "one disposition, thirty baselines");
        let leans = Disposition::ALL
            .iter()
            .all(|wanted| names.iter().any(|id| Personality::born(id, None).disposition() == *wanted));
        assert!(leans, "names lean every way");
    }

    proptest! {
        /// fixed by the name, and never far from the disposition.
        #[test]
        fn a_020_a_personality_is_fixed_at_birth(name in "[a-z0-9-]{1,24}") {
            let one = Personality::born(&id(&name), None);
            prop_assert_eq!(one, Personality::born(&id(&name), None));
            let (rest, plain) = (one.baseline().axes(), one.disposition().baseline().axes());
            for axis in 0..3 {
                prop_assert!((rest[axis] - plain[axis]).abs() <= NUANCE + 1e-6);
            }
        }
    }
}
