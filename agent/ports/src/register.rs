//! Who is who on chain, as whoever carries words between Golems asks for it.

use std::future::Future;
use std::pin::Pin;

use golem_primitives::{Address, AgentId};

use crate::Blindness;

/// How a Golem stands with life, as the lineage registry says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vital {
    Alive,
    Dying,
    Dead,
}

/// I-102. What the chain says of a vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enrolled {
    pub agent: AgentId,
    /// Who owns the token now: his Golems are siblings.
    pub owner: Address,
    /// To whom key and lists are bound; zero until an owner has spoken for the vault.
    pub bound_owner: Address,
    /// The key it signs with; zero when it has none.
    pub key: Address,
    pub vital: Vital,
}

/// An answer of the chain that takes a while.
pub type RegisterAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Blindness>> + Send + 'a>>;

/// The registers of one chain, at its newest block.
pub trait Register: Send + Sync + 'static {
    /// The newest block's number. What was read at a block holds until the next.
    fn block(&self) -> RegisterAnswer<'_, u64>;

    /// What stands there of a vault; `None` for an address that is no vault of the suite, whatever it says of itself.
    fn enrolled(&self, vault: Address) -> RegisterAnswer<'_, Option<Enrolled>>;
}
