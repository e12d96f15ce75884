//! The five behavioural phases, in order of health.

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
