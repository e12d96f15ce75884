//! Why something was refused, as a class beside the adapter's words.

/// S-041. Who refused an effect, and when. Only what was broadcast is an attempt: what a preview, a permit or the agent
/// itself refuses before that is none.
///
/// A refusal is journaled in words. Their beginnings are fixed here and are the adapter's own; what a contract says
/// stands behind them or between quotation marks, so that no contract can choose its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalClass {
    Reverted,
    /// It was signed, did not land in its time, and its nonce was used up with nothing.
    Dropped,
    /// Anything that happened before it was sent: a simulation that says no, a bound, an absence.
    Unsent,
}

impl RefusalClass {
    /// Those that are told by how their words begin.
    const NAMED: [(Self, &'static str); 2] =
        [(Self::Reverted, "it reverted on chain: "), (Self::Dropped, "it did not land: ")];

    /// The words of a refusal of this class.
    #[must_use]
    pub fn say(self, why: &str) -> String {
        let named = Self::NAMED.into_iter().find(|(class, _)| *class == self);
        named.map_or_else(|| why.to_owned(), |(_, begins)| format!("{begins}{why}"))
    }

    /// The class of a refusal's words.
    #[must_use]
    pub fn of(reason: &str) -> Self {
        let named = Self::NAMED.into_iter().find(|(_, begins)| reason.starts_with(begins));
        named.map_or(Self::Unsent, |(class, _)| class)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// S-041: whatever a contract says, the class is the adapter's.
        #[test]
        fn s_041_words_of_a_contract_choose_no_class(why in ".{0,80}", at in 0usize..2) {
            let (class, _) = RefusalClass::NAMED[at];
            prop_assert_eq!(RefusalClass::of(&class.say(&why)), class);
            prop_assert_eq!(RefusalClass::of(&class.say(&RefusalClass::Reverted.say(&why))), class);
        }
    }
}
