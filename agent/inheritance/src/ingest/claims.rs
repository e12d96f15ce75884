//! Layer 3: what an arrival says of the chain, against the chain (I-076).

/// What the chain says of something an arrival claims of it; the text itself is never believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainAnswer {
    True,
    False,
    Unknown,
}

/// I-076. What layer 3 says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// All claims hold, or there is none.
    Passed,
    /// One is provably false: out, without a vote.
    Lie {
        /// The first false one, by position.
        at: usize,
    },
    /// None is false, and some could not be read: the arrival waits.
    Unread,
}

/// I-076. Judges the claims of an arrival. One lie outweighs everything; no claim passes as it is.
#[must_use]
pub fn judge(answers: &[ChainAnswer]) -> ClaimVerdict {
    if let Some(at) = answers.iter().position(|answer| *answer == ChainAnswer::False) {
        return ClaimVerdict::Lie { at };
    }
    if answers.contains(&ChainAnswer::Unknown) { ClaimVerdict::Unread } else { ClaimVerdict::Passed }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-076.
    #[test]
    fn i_076_one_lie_is_enough_and_no_claim_is_none() {
        use ChainAnswer::{False, True, Unknown};
        for (answers, verdict) in [
            (vec![], ClaimVerdict::Passed),
            (vec![True, True], ClaimVerdict::Passed),
            (vec![True, Unknown], ClaimVerdict::Unread),
            (vec![Unknown, False], ClaimVerdict::Lie { at: 1 }),
        ] {
            assert_eq!(judge(&answers), verdict, "{answers:?}");
        }
    }
}
