//! Which clocks hold for whom.

/// How a Golem is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// With a vault: all three clocks hold.
    #[default]
    Hosted,
    /// On paper without a vault: no economic clock (M-232).
    SelfHosted,
    /// The control: every clock is computed and none kills (M-233).
    Immortal,
}

impl Mode {
    /// Whether credits are counted.
    #[must_use]
    pub const fn counts_credits(self) -> bool {
        matches!(self, Self::Hosted)
    }

    /// Whether the clocks can kill.
    #[must_use]
    pub const fn is_mortal(self) -> bool {
        !matches!(self, Self::Immortal)
    }

    /// The word siblings see (M-234).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hosted => "hosted",
            Self::SelfHosted => "self_hosted",
            Self::Immortal => "immortal",
        }
    }
}
