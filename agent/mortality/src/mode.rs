//! Which clocks hold for whom.

/// How a Golem is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// With a vault: all three clocks hold.
    #[default]
    Hosted,
    /// M-232. On paper without a vault: no economic clock, its score pinned to one (M-016).
    SelfHosted,
    /// M-233. The control group (M-007): every clock is computed and none kills.
    Immortal,
}

impl Mode {
    /// M-016, M-232. Whether credits are counted.
    #[must_use]
    pub const fn counts_credits(self) -> bool {
        matches!(self, Self::Hosted)
    }

    /// M-071, M-233, M-305. Whether the clocks can kill: all of them or none, never one by one.
    #[must_use]
    pub const fn is_mortal(self) -> bool {
        !matches!(self, Self::Immortal)
    }

    /// M-234. The word siblings see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hosted => "hosted",
            Self::SelfHosted => "self_hosted",
            Self::Immortal => "immortal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-234, M-305: the clocks hold together or not at all; only the economic one can be absent, and only self-hosted.
    #[test]
    fn m_305_clocks_hold_together() {
        let modes = [Mode::Hosted, Mode::SelfHosted, Mode::Immortal];
        assert_eq!(modes.map(Mode::counts_credits), [true, false, false]);
        assert_eq!(modes.map(Mode::is_mortal), [true, true, false]);
        assert_eq!(modes.map(Mode::name), ["hosted", "self_hosted", "immortal"], "M-234");
    }
}
