//! The five behavioural phases, in order of health.

use golem_primitives::Ppm;

/// How a Golem behaves, by its composite vitality (M-124). The order is that of health: Terminal is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Below 0.1.
    Terminal,
    /// From 0.1.
    Declining,
    /// From 0.3.
    Conservation,
    /// From 0.5.
    Stable,
    /// From 0.7.
    Thriving,
}

impl Phase {
    /// Every phase, worst first.
    pub const ALL: [Self; 5] = [Self::Terminal, Self::Declining, Self::Conservation, Self::Stable, Self::Thriving];

    /// The lowest composite of this phase; zero for Terminal.
    #[must_use]
    pub fn floor(self) -> Ppm {
        [Ppm::ZERO, Ppm::of(100_000), Ppm::of(300_000), Ppm::of(500_000), Ppm::of(700_000)][self as usize]
    }

    /// The phase of a composite without history (M-124).
    #[must_use]
    pub fn raw(composite: Ppm) -> Self {
        Self::ALL.into_iter().rfind(|phase| composite >= phase.floor()).unwrap_or(Self::Terminal)
    }
}
