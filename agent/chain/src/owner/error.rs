//! Why the desk could not do it, and what to do next.

use alloy::primitives::{Address, TxHash};
use golem_primitives::{AgentId, Units, Usdc};

use crate::endpoints::EndpointError;
use crate::revert::ContractRefusal;
use crate::signer::SignerError;

/// An act of the desk that did not happen, or of which nothing is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    #[error("the endpoints are on chain {found}, the addresses are of chain {expected}; use those of one chain")]
    OtherChain { found: u64, expected: u64 },
    #[error("no Golem has the id {agent} on this chain; `bardo golem list` shows those you own")]
    Unborn { agent: AgentId },
    /// Nothing stands at an address: it would take every call and do nothing. Nothing was signed.
    #[error("{at} has no code on chain {chain_id}, so {act} would reach nobody; check the address and the chain")]
    NoCode { act: &'static str, at: Address, chain_id: u64 },
    /// What stands at an address is no vault the registry knows. Nothing was signed.
    #[error("{at} is no Golem's vault on chain {chain_id}; check the address, `bardo golem list` shows those you own")]
    NotAVault { at: Address, chain_id: u64 },
    /// A contract would refuse; nothing was sent.
    #[error("{act} is refused: {}", because(refusal))]
    Refused { act: &'static str, refusal: ContractRefusal },
    #[error("{act} was sent and refused in {tx}: {}", because(refusal))]
    Reverted { act: &'static str, tx: TxHash, refusal: ContractRefusal },
    #[error("{account} has {has} but {act} needs {needs}; send {missing} more to it", missing = needs.saturating_sub(*has))]
    NotEnoughUsdc { act: &'static str, account: Address, has: Usdc, needs: Usdc },
    #[error(
        "{account} has {} ETH but {act} needs {} ETH for gas and value; send it {} ETH",
        Units::wei(*has_wei), Units::wei(*needs_wei), Units::wei(needs_wei.saturating_sub(*has_wei))
    )]
    NotEnoughGas { act: &'static str, account: Address, has_wei: u128, needs_wei: u128 },
    #[error("{act} was sent as {tx} but did not land within {seconds} s; it may still, so look before trying again")]
    NotLanded { act: &'static str, tx: TxHash, seconds: u64 },
    #[error(
        "another transaction of this wallet took the place of {act}; look whether it is still needed and try again"
    )]
    Displaced { act: &'static str },
    /// It landed, but its logs do not say what they should.
    #[error(
        "{act} landed in {tx}, but no log of it says {event} with what was wanted; look at the chain before trying again"
    )]
    NoEvent { act: &'static str, tx: TxHash, event: &'static str },
    #[error("{act} landed in {tx}, but {asked} of {at} does not show it; look at the chain before trying again")]
    NoEffect { act: &'static str, tx: TxHash, asked: &'static str, at: Address },
    #[error("{at} answered {what} in a form this version does not know; check the addresses")]
    Unreadable { what: &'static str, at: Address },
    #[error("{0}")]
    Impossible(String),
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    #[error(transparent)]
    Signer(#[from] SignerError),
}

impl DeskError {
    /// Whether trying again, with nothing changed, may succeed.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::Endpoint(error) => error.may_retry(),
            Self::Signer(error) => error.may_retry(),
            _ => false,
        }
    }

    /// A contract's refusal, if that is what it was.
    #[must_use]
    pub const fn refusal(&self) -> Option<&ContractRefusal> {
        match self {
            Self::Refused { refusal, .. } | Self::Reverted { refusal, .. } => Some(refusal),
            _ => None,
        }
    }
}

/// What the owner does about a refusal.
const NEXT_STEPS: [(&str, &str); 56] = [
    ("NotOwner", "use the wallet that owns the identity token now"),
    ("NotKeyOrOwner", "use the owner's wallet"),
    ("OwnerUnknown", "the identity registry does not answer; wait until it does"),
    ("OwnerChanged", "the token changed hands; take the Golem over with `bardo owner accept` first"),
    ("Hibernating", "wake it first with `bardo owner wake`"),
    ("Locked", "the owner locked it; wait until then"),
    ("LockOutOfRange", "choose an end after the lock that stands, at most 30 days from now; a lock only ever grows"),
    ("PolicyMismatch", "the policy is not the one you read; look at it again with `bardo owner policy show`"),
    ("ReserveBeyondDue", "the key locks away no more than the law asks for; the owner may lock more"),
    ("TickTooFar", "a Golem ticks at most once a second; wait until that time has passed"),
    ("DeadlinePassed", "the order came too late; try again"),
    ("DepthTooLow", "the pool that prices the token is too thin; list a deeper one, or lower min_depth"),
    ("WindowNotCovered", "the pool's memory is too short; raise its observation cardinality and wait one window"),
    ("ZeroAmount", "give an amount above zero"),
    ("BelowMinimum", "give at least 1 USDC"),
    ("CapitalExceeded", "withdraw at most the USDC capital; what is in tokens has to be sold first"),
    ("HibernationOutOfRange", "choose an end in the future, within 90 days"),
    ("PolicyOutOfRange", "change that field to lie within its bounds"),
    ("ListFull", "remove lines from the list first; it has room for 64"),
    ("NotGuardian", "use the guardian's wallet"),
    ("ReasonTooLong", "shorten it to 256 bytes"),
    ("NotSilent", "the Golem still beats; wait until its silence limit has passed"),
    ("NoticeStands", "notice was given already; 24 hours after it anyone may end the silence"),
    ("NoNotice", "give notice first, then wait 24 hours"),
    ("TooEarly", "wait until then"),
    ("TooLittleGas", "send it with more gas, or in parts"),
    ("WrongLife", "this is for another stage of life; `bardo golem status` shows the present one"),
    ("TestamentExists", "the testament is on record; it is given once"),
    ("TestamentMissing", "give the hash of the testament's bytes"),
    ("AlreadySucceeded", "the dead have one successor each; continue the line from that one"),
    ("PlaybookNotDiverged", "change the successor's playbook; it must differ from its predecessor's"),
    ("NotFunder", "sign with the funder's wallet"),
    ("NotPredecessorOwner", "a successor is born to the owner of its predecessor, by his own wallet"),
    ("ZeroParty", "owner, funder and key must all be given"),
    ("TooManyPolicies", "give one policy, or none for the default"),
    ("AlreadyBorn", "this very order was born already; choose another nonce"),
    ("PredecessorUnknown", "check the predecessor's id"),
    ("CreditsTooLow", "give at least 1 USDC of credits"),
    ("UnknownMandate", "check the mandate's id, and that this wallet made it"),
    ("MandateExists", "this mandate stands already; add escrow to it, or choose another nonce"),
    ("MandateOutOfRange", "change that term of the mandate"),
    ("NotCommitter", "use the wallet that made the mandate"),
    ("NotExecutor", "use the mandate's executor"),
    ("ExecutorIsKey", "choose an executor that is no Golem's key"),
    ("MandateExpired", "make a new mandate"),
    ("MandateSpent", "make a new mandate for further successors"),
    ("PredecessorNotDead", "wait for its death to be settled"),
    ("TooSoon", "wait until then"),
    ("LivedTooShort", "give birth by your own hand; mandates need a day of life"),
    ("EscrowTooLow", "add escrow to the mandate"),
    ("NoProfit", "there is nothing to harvest until capital in USDC exceeds the high-water mark"),
    ("LegacyProtected", "take it from llm, gas or data; legacy is never a donor"),
    ("PartitionExceeded", "take at most what the partition holds"),
    (
        "ResplitRefused",
        "they are cut as at birth already, or its newest beat says Declining or worse; wait for a better one",
    ),
    ("DeadlineTooFar", "the chain's clock and the proof's differ; try again"),
    ("NotAuthorized", "use the wallet that owns the identity token now"),
];

fn next_step(word: &str) -> &'static str {
    NEXT_STEPS.iter().find(|(name, _)| *name == word).map_or("", |(_, next)| next)
}

/// What to do stands first: a person reads that, a contract's own word helps whoever asks for help.
fn because(refusal: &ContractRefusal) -> String {
    let next = next_step(refusal.word());
    if next.is_empty() { refusal.to_string() } else { format!("{next} (the contract says {refusal})") }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::bindings::{IBirth, ILineageRegistry, ISuccession, IVault};

    #[test]
    fn every_next_step_is_for_an_error_that_exists() {
        let known: BTreeSet<&str> = IVault::IVaultErrors::VARIANT_NAMES
            .iter()
            .chain(IBirth::IBirthErrors::VARIANT_NAMES)
            .chain(ILineageRegistry::ILineageRegistryErrors::VARIANT_NAMES)
            .chain(ISuccession::ISuccessionErrors::VARIANT_NAMES)
            .chain(crate::bindings::IIdentityRegistry::IIdentityRegistryErrors::VARIANT_NAMES)
            .copied()
            .collect();
        for (word, _) in NEXT_STEPS {
            assert!(known.contains(word), "{word}");
        }
    }
}
