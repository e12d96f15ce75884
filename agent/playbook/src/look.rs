//! One look at a pool.

use golem_primitives::Usdc;

/// What is seen of one pool at one block, or in one row of a file of prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Look {
    /// Seconds since 1970, UTC.
    pub time: u64,
    /// What one whole token costs.
    pub price: Usdc,
    /// What it cost on average over the vault's window; the price itself where nobody keeps one.
    pub twap: Usdc,
    /// What swapping the usual stake one way loses to the pool beside its fee, in millionths.
    pub impact_ppm: u32,
    pub fee_ppm: u32,
    /// USDC traded in the pool since the look before; nothing where nobody says.
    pub volume: Usdc,
    /// What the gas of one swap costs.
    pub gas: Usdc,
}
