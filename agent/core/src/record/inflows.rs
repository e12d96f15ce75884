//! What the vault's own log says of its credits.

use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

/// V-003. What others, or the vault by its own arithmetic, did to the credits: top-ups, harvests, and what was locked into
/// the reserve. What this life spent itself is not in it; the life knows that from its own outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inflows {
    /// The block of the look it belongs to.
    pub at: u64,
    /// The log behind this block was asked for; `None` for the first time.
    pub after: Option<u64>,
    /// Up to this block nothing is taken back any more.
    pub settled_to: u64,
    /// Changes of llm, gas, data and legacy up to there, in micro-USDC.
    pub settled: [i64; 4],
    /// And behind it.
    pub recent: [i64; 4],
    /// What owner and harvests did to the capital, settled and behind it, in micro-USDC. Trades are not among it.
    pub capital: [i64; 2],
    /// M-047. What of the settled part was given: top-ups from anyone.
    pub funded: Usdc,
    /// M-046. What of it was earned: realised profit that was made into credits (V-014). What is sold arrives as a
    /// top-up like any other, and nobody can tell one from the other.
    pub earned: Usdc,
    /// Whether the credits were split anew in either.
    pub is_resplit: [bool; 2],
    /// Whether the owner did something in the part that is settled: fed it himself, changed its policy, its lists or its
    /// guardian, or moved its capital. What a stranger can do is not among it.
    #[serde(default)]
    pub owner_spoke: bool,
}
