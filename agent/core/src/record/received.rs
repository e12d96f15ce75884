//! What an owner received of a dead Golem, as the chain tells it.

use golem_primitives::{Address, Units, Usdc};
use serde::{Deserialize, Serialize};

/// Something that reached the owner as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InKind {
    /// The token, or the contract of the position.
    pub asset: Address,
    /// The position; 0 for a token.
    pub id: u64,
    /// How much, in its smallest unit.
    pub amount: u128,
}

impl InKind {
    fn told(&self) -> String {
        match self.id {
            0 => format!("{} units of {} in kind", self.amount, self.asset),
            id => format!("position {id} of {} in kind", self.asset),
        }
    }
}

/// T-004, M-191. The account of a death: what the sweep sent, to whom, and what still waits for him.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Received {
    /// Who received it; nobody, of one that died on paper.
    pub owner: Address,
    pub usdc: Usdc,
    /// The native coin.
    pub wei: u128,
    /// Tokens and positions that were not sold.
    pub in_kind: Vec<InKind>,
    /// What could not be sent and waits for his claim.
    pub waiting: Vec<InKind>,
    /// Whether the sweep was over; what is left of it anybody may finish.
    pub is_whole: bool,
    /// Why something was left in kind, in the words of the last refusal.
    pub why_in_kind: Option<String>,
}

impl Received {
    /// Whether something was not sold.
    #[must_use]
    pub fn is_in_kind(&self) -> bool {
        self.in_kind.iter().chain(&self.waiting).any(|one| one.amount > 0)
    }

    /// In a line, for the owner.
    #[must_use]
    pub fn told(&self) -> String {
        // On paper nobody received anything.
        let mut told = match self.owner.is_zero() {
            true => format!("its owner would have received {}", self.usdc),
            false => format!("{} received {}", self.owner, self.usdc),
        };
        if self.wei > 0 {
            told.push_str(&format!(", {:.6} ether", Units::wei(self.wei)));
        }
        for one in &self.in_kind {
            told.push_str(&format!(", {}", one.told()));
        }
        for one in self.waiting.iter().filter(|one| one.amount > 0) {
            told.push_str(&format!("; {} waits for his claim", one.told()));
        }
        if !self.is_whole {
            told.push_str("; the sweep is not over, `bardo grave finalise` goes on with it");
        }
        if self.is_in_kind() {
            let why =
                self.why_in_kind.as_deref().unwrap_or("nothing was refused; it was too little to sell, or came later");
            told.push_str(&format!(". Why in kind: {why}"));
        }
        told
    }
}
