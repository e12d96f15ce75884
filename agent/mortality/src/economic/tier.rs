//! The ladder of inference.

/// A ceiling on inference: T0 rules, T1 a small model, T2 a large one, T3 the death reflection only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Rules, free.
    T0,
    /// A small model.
    T1,
    /// A large model.
    T2,
    /// The death reflection.
    T3,
}
