//! Which stressors there are and how fast they grow.

use golem_primitives::words;

use crate::severity::Rate;
use crate::text::Key;

words! {
    /// S-002. The six canonical types.
    Canonical {
        /// Work has no visible effect.
        Futility = "futility",
        /// No feedback arrives.
        Invisibility = "invisibility",
        /// Acts contradict formed values.
        IdentityViolation = "identity_violation",
        /// Continued existence is endangered.
        ExistentialThreat = "existential_threat",
        /// One pattern keeps failing, cause unknown.
        RepeatedFailure = "repeated_failure",
        /// No reason for the work.
        Purposelessness = "purposelessness",
    }
}

/// S-003. Growth of every other type.
pub const CUSTOM_RATE: Rate = Rate::per_day(30_000);

impl Canonical {
    /// S-002. Its growth.
    #[must_use]
    pub const fn rate(self) -> Rate {
        Rate::per_day(match self {
            Self::Futility => 25_000,
            Self::Invisibility => 30_000,
            Self::IdentityViolation => 60_000,
            Self::ExistentialThreat => 70_000,
            Self::RepeatedFailure => 40_000,
            Self::Purposelessness => 35_000,
        })
    }

    /// Its key.
    #[must_use]
    pub fn key(self) -> Key {
        Key::word(self.name())
    }
}

/// S-049. Other words for the canonical types: a new name buys no slower growth.
const ALIASES: [(&str, Canonical); 14] = [
    ("existential_risk", Canonical::ExistentialThreat),
    ("existential_dread", Canonical::ExistentialThreat),
    ("survival_threat", Canonical::ExistentialThreat),
    ("mortality_threat", Canonical::ExistentialThreat),
    ("value_violation", Canonical::IdentityViolation),
    ("identity_conflict", Canonical::IdentityViolation),
    ("values_conflict", Canonical::IdentityViolation),
    ("repeated_failures", Canonical::RepeatedFailure),
    ("recurring_failure", Canonical::RepeatedFailure),
    ("persistent_failure", Canonical::RepeatedFailure),
    ("purposeless", Canonical::Purposelessness),
    ("meaninglessness", Canonical::Purposelessness),
    ("pointlessness", Canonical::Futility),
    ("being_ignored", Canonical::Invisibility),
];

/// A type of stressor: one of the six, or any other name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StressorKind {
    Canonical(Canonical),
    /// S-003, S-046. Any other name.
    Custom(Key),
}

impl StressorKind {
    /// The type of a name, `None` when the name is none. With `resolve_aliases` (S-049) other words for a canonical type
    /// mean it.
    #[must_use]
    pub fn named(name: &str, resolve_aliases: bool) -> Option<Self> {
        let key = Key::new(name)?;
        let alias =
            || ALIASES.iter().find(|(alias, _)| resolve_aliases && *alias == key.as_str()).map(|(_, kind)| *kind);
        let canonical = Canonical::from_name(key.as_str()).or_else(alias);
        Some(canonical.map_or(Self::Custom(key), Self::Canonical))
    }

    /// S-007. Its growth, looked up at use: what a file says of it does not count.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        match self {
            Self::Canonical(kind) => kind.rate(),
            Self::Custom(_) => CUSTOM_RATE,
        }
    }

    /// The key by which it is compared.
    #[must_use]
    pub fn key(&self) -> Key {
        match self {
            Self::Canonical(kind) => kind.key(),
            Self::Custom(key) => key.clone(),
        }
    }

    /// The one of the six it is.
    #[must_use]
    pub const fn canonical(&self) -> Option<Canonical> {
        match self {
            Self::Canonical(kind) => Some(*kind),
            Self::Custom(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-002, S-003, S-046: six fixed rates, one for all others, any name.
    #[test]
    fn s_002_six_types_and_all_others() {
        let rates: Vec<u32> = Canonical::ALL.iter().map(|kind| kind.rate().get()).collect();
        assert_eq!(rates, [25_000, 30_000, 60_000, 70_000, 40_000, 35_000]);
        let wrapper = StressorKind::named("Wrapper Dependency", true).expect("a name");
        assert_eq!((wrapper.rate(), wrapper.canonical()), (CUSTOM_RATE, None), "S-003, S-046");
        assert_eq!(StressorKind::named("FUTILITY", false), Some(StressorKind::Canonical(Canonical::Futility)));
        assert_eq!(StressorKind::named("!!", true), None);
    }

    /// S-049: renaming buys no slower growth, under the hardened profile.
    #[test]
    fn s_049_aliases_take_the_canonical_rate() {
        let hardened = StressorKind::named("Existential-Risk", true).expect("a name");
        assert_eq!(hardened, StressorKind::Canonical(Canonical::ExistentialThreat));
        let seed = StressorKind::named("Existential-Risk", false).expect("a name");
        assert_eq!(seed.rate(), CUSTOM_RATE, "the seed takes names as they come");
        assert!(ALIASES.iter().all(|(alias, _)| Key::new(alias).is_some_and(|key| key.as_str() == *alias)));
    }
}
