//! Where a Golem works: its vault, its pool, its host. Read from the chain once, because none of it changes.

use alloy::primitives::{Address, U256};
use golem_ports::Blindness;

use crate::batch::Batch;
use crate::bindings::{IErc20, ILineageRegistry, IUniswapV3Pool, IVault};
use crate::deployment::Deployment;
use crate::node::{At, Node};
use crate::price::Quote;

/// What the owner chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The Golem's vault.
    pub vault: Address,
    /// The pool it trades in: USDC and one token.
    pub pool: Address,
    /// The pool of USDC and wrapped native coin that prices gas and refuels the key; `None` when it is `pool`.
    pub gas_pool: Option<Address>,
    /// V-006. Whom the host's bill is paid to, as the owner listed him.
    pub host: Option<Address>,
}

/// Why a Golem cannot be at work there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PostingError {
    /// The chain cannot be seen.
    #[error(transparent)]
    Blind(#[from] Blindness),
    /// The address is no vault of this suite.
    #[error(
        "{vault} is not the vault of any Golem of this suite (registry {registry}); check the address and the chain"
    )]
    NotAVault {
        /// The address.
        vault: Address,
        /// The lineage registry that was asked.
        registry: Address,
    },
    /// The pool does not hold USDC.
    #[error("{pool} is no pool of USDC ({usdc}) and {wanted}; name a pool of these two")]
    NotThePool {
        /// The pool.
        pool: Address,
        /// USDC here.
        usdc: Address,
        /// What the other token has to be.
        wanted: &'static str,
    },
}

/// A pool of USDC and a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pool {
    pub(crate) address: Address,
    pub(crate) token: Address,
    pub(crate) quote: Quote,
    pub(crate) fee_ppm: u32,
    pub(crate) tick_spacing: i32,
}

/// A Golem's place, as the chain confirmed it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) deployment: Deployment,
    pub(crate) vault: Address,
    pub(crate) agent: U256,
    pub(crate) pool: Pool,
    pub(crate) gas_pool: Pool,
    pub(crate) host: Option<Address>,
    /// V-011. Seconds of chain time that an order counts from the look it was made from.
    pub(crate) order_seconds: u64,
}

impl Place {
    pub(crate) async fn find(
        node: &Node,
        deployment: Deployment,
        posting: &Posting,
        order_seconds: u64,
        at: &At,
    ) -> Result<Self, PostingError> {
        let (multicall, registry) = (deployment.multicall3, deployment.lineage);
        let mut batch = Batch::default();
        let agent = batch.add(posting.vault, &IVault::agentIdCall {});
        let said = batch.ask(node, multicall, at).await?;
        let stranger = PostingError::NotAVault { vault: posting.vault, registry };
        // An address without code answers with nothing, and a stranger with anything.
        let agent = said.get(agent).map_err(|_| stranger.clone())?;
        let mut batch = Batch::default();
        let vault = batch.add(registry, &ILineageRegistry::vaultOfCall { agentId: agent });
        if batch.ask(node, multicall, at).await?.get(vault)? != posting.vault {
            return Err(stranger);
        }
        let (pool, gas_pool) = pools(node, &deployment, posting, at).await?;
        Ok(Self { deployment, vault: posting.vault, agent, pool, gas_pool, host: posting.host, order_seconds })
    }
}

/// The two pools, which are mostly one.
async fn pools(node: &Node, deployment: &Deployment, posting: &Posting, at: &At) -> Result<(Pool, Pool), PostingError> {
    let pool = find_pool(node, deployment, posting.pool, at).await?;
    let gas_pool = match posting.gas_pool {
        Some(address) if address != posting.pool => find_pool(node, deployment, address, at).await?,
        _ => pool,
    };
    if gas_pool.token != deployment.weth {
        let (pool, usdc) = (gas_pool.address, deployment.usdc);
        return Err(PostingError::NotThePool { pool, usdc, wanted: "wrapped native coin, to price gas by" });
    }
    Ok((pool, gas_pool))
}

/// A pool of USDC and one token, as the chain describes it.
pub(crate) async fn find_pool(
    node: &Node,
    deployment: &Deployment,
    pool: Address,
    at: &At,
) -> Result<Pool, PostingError> {
    let usdc = deployment.usdc;
    let mut batch = Batch::default();
    let first = batch.add(pool, &IUniswapV3Pool::token0Call {});
    let second = batch.add(pool, &IUniswapV3Pool::token1Call {});
    let fee = batch.add(pool, &IUniswapV3Pool::feeCall {});
    let spacing = batch.add(pool, &IUniswapV3Pool::tickSpacingCall {});
    let said = batch.ask(node, deployment.multicall3, at).await?;
    let wrong = PostingError::NotThePool { pool, usdc, wanted: "one token" };
    let (Ok(first), Ok(second)) = (said.get(first), said.get(second)) else { return Err(wrong) };
    let token = match (first == usdc, second == usdc) {
        (true, false) => second,
        (false, true) => first,
        _ => return Err(wrong),
    };
    let mut batch = Batch::default();
    let decimals = batch.add(token, &IErc20::decimalsCall {});
    let decimals = batch.ask(node, deployment.multicall3, at).await?.get(decimals)?;
    // Beyond 10^57 a price leaves 512 bits; no token comes near.
    let quote = Quote { token_is_first: first == token, decimals: decimals.min(57) };
    Ok(Pool { address: pool, token, quote, fee_ppm: said.get(fee)?.to(), tick_spacing: said.get(spacing)?.as_i32() })
}
