//! Which clocks hold for whom.

golem_primitives::words! {
    /// How a Golem is run. M-234: siblings see the word.
    #[derive(Default)]
    Mode {
        /// With a vault: all three clocks hold.
        #[default]
        Hosted = "hosted",
        /// M-232. On paper without a vault: no economic clock, its score pinned to one (M-016).
        SelfHosted = "self_hosted",
        /// M-233. The control group (M-007): every clock is computed and none kills.
        Immortal = "immortal",
    }
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
