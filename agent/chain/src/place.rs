//! Where a Golem works: its vault, its pools, its host. Read from the chain when it takes its place, and again when its owner
//! names other pools; nothing else of it changes.

use std::path::PathBuf;

use alloy::primitives::{Address, U256};
use golem_core::record::{ELSEWHERE, EVER_ELSEWHERE};
use golem_ports::Blindness;
use golem_primitives::{Decimals, DecimalsError, Denomination, PoolName, TokenSymbol};
use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::bindings::{IErc20, ILineageRegistry, IUniswapV3Pool, IVault};
use crate::deployment::Deployment;
use crate::node::{At, Node};
use crate::price::Quote;
use crate::roster::{PoolBeside, PoolStay, Roster};

/// Symbols that say which token is meant, so that no other may be shown by them.
const KNOWN_SYMBOLS: [&str; 3] = ["USDC", "WETH", "ETH"];

/// P-057. A pool by the name that rules and orders say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPool {
    pub name: PoolName,
    pub address: Address,
}

/// What the owner chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    pub vault: Address,
    /// The home pool it trades in: USDC and one token.
    pub pool: Address,
    /// P-057. What that is called.
    pub home: PoolName,
    /// P-057. The other pools it trades or traded in, each of USDC and one token.
    pub elsewhere: Roster,
    /// P-057. Where its owner's later word about them is kept; it is read at every look.
    pub roster: Option<PathBuf>,
    /// The pool of USDC and wrapped native coin that prices gas and refuels the key; `None` when it is `pool`.
    pub gas_pool: Option<Address>,
    /// V-006. Whom the host's bill is paid to, as the owner listed him.
    pub host: Option<Address>,
}

/// Why a Golem cannot be at work there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PostingError {
    #[error(transparent)]
    Blind(#[from] Blindness),
    #[error(
        "{vault} is not the vault of any Golem of this suite (registry {registry}); check the address and the chain"
    )]
    NotAVault { vault: Address, registry: Address },
    #[error("{pool} is no pool of USDC ({usdc}) and {wanted}; name a pool of these two")]
    NotThePool { pool: Address, usdc: Address, wanted: &'static str },
    #[error("{why}; name at most {} pools beside the home pool, each once and by a name of its own", ELSEWHERE)]
    Pools { why: String },
    #[error("the token {token} of {pool} cannot be traded; name another pool")]
    Decimals { pool: Address, token: Address, source: DecimalsError },
}

/// A pool of USDC and a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pool {
    pub(crate) name: PoolName,
    /// Which of the tokens of its place it trades.
    pub(crate) token_place: u8,
    pub(crate) address: Address,
    pub(crate) token: Address,
    pub(crate) quote: Quote,
    pub(crate) symbol: TokenSymbol,
    pub(crate) fee_ppm: u32,
    pub(crate) tick_spacing: i32,
    /// P-057. For how long it is traded in.
    pub(crate) stay: PoolStay,
}

impl Pool {
    /// P-057. How its token is counted and called.
    pub(crate) const fn denomination(&self) -> Denomination {
        Denomination { symbol: self.symbol, decimals: self.quote.decimals }
    }
}

/// A Golem's place, as the chain confirmed it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) deployment: Deployment,
    pub(crate) vault: Address,
    pub(crate) agent: U256,
    pub(crate) pool: Pool,
    /// P-057. The pools beside it, also those that are left: a token keeps its place, and what was done there can be read.
    pub(crate) elsewhere: Vec<Pool>,
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
        let elsewhere = others(node, &deployment, &posting.elsewhere, &pool, at).await?;
        let (vault, host) = (posting.vault, posting.host);
        Ok(Self { deployment, vault, agent, pool, elsewhere, gas_pool, host, order_seconds })
    }

    /// P-057. Every pool, the home pool first.
    pub(crate) fn pools(&self) -> impl Iterator<Item = &Pool> {
        std::iter::once(&self.pool).chain(&self.elsewhere)
    }

    /// P-057. The pool of a name; nothing where it is not listed.
    pub(crate) fn pool_of(&self, name: PoolName) -> Option<&Pool> {
        self.pools().find(|pool| pool.name == name)
    }

    /// P-057. The tokens that are traded, the home pool's first, each once and in its place.
    pub(crate) fn tokens(&self) -> Vec<Address> {
        let mut tokens = Vec::new();
        for pool in self.pools() {
            if !tokens.contains(&pool.token) {
                tokens.push(pool.token);
            }
        }
        tokens
    }
}

/// P-057. The pools beside the home pool that a roster has, each with its stay.
pub(crate) async fn others(
    node: &Node,
    deployment: &Deployment,
    roster: &Roster,
    home: &Pool,
    at: &At,
) -> Result<Vec<Pool>, PostingError> {
    let current = roster.current().count();
    if current > ELSEWHERE || roster.pools.len() > EVER_ELSEWHERE {
        return Err(PostingError::Pools { why: format!("{current} pools are named") });
    }
    let listed =
        roster.pools.iter().map(|PoolBeside { name, address, .. }| ListedPool { name: *name, address: *address });
    let listed: Vec<ListedPool> = listed.collect();
    let mut found = find_beside(node, deployment, &listed, home, at).await?;
    for (pool, beside) in found.iter_mut().zip(&roster.pools) {
        pool.stay = beside.stay;
    }
    Ok(found)
}

/// P-057. Pools beside the home pool, with their tokens counted.
pub(crate) async fn find_beside(
    node: &Node,
    deployment: &Deployment,
    listed: &[ListedPool],
    home: &Pool,
    at: &At,
) -> Result<Vec<Pool>, PostingError> {
    let mut tokens = vec![home.token];
    let mut found: Vec<Pool> = Vec::new();
    for ListedPool { name, address } in listed.iter().copied() {
        let is_taken = |known: &Pool| known.name == name || known.address == address;
        if is_taken(home) || found.iter().any(is_taken) {
            return Err(PostingError::Pools { why: format!("the pool {name} is there already") });
        }
        let mut pool = find_pool(node, deployment, ListedPool { name, address }, at).await?;
        let place = tokens.iter().position(|token| *token == pool.token).unwrap_or(tokens.len());
        if place == tokens.len() {
            tokens.push(pool.token);
        }
        pool.token_place = u8::try_from(place).unwrap_or(u8::MAX);
        found.push(pool);
    }
    Ok(found)
}

/// The two pools, which are mostly one.
async fn pools(node: &Node, deployment: &Deployment, posting: &Posting, at: &At) -> Result<(Pool, Pool), PostingError> {
    let home = ListedPool { name: posting.home, address: posting.pool };
    let pool = find_pool(node, deployment, home, at).await?;
    let gas_pool = match posting.gas_pool {
        Some(address) if address != posting.pool => {
            find_pool(node, deployment, ListedPool { name: deployment.name_of(address), address }, at).await?
        }
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
    listed: ListedPool,
    at: &At,
) -> Result<Pool, PostingError> {
    let ListedPool { name, address: pool } = listed;
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
    let symbol = batch.add(token, &IErc20::symbolCall {});
    let of_token = batch.ask(node, deployment.multicall3, at).await?;
    let refused = |source| PostingError::Decimals { pool, token, source };
    let decimals = Decimals::new(of_token.get(decimals)?).map_err(refused)?;
    // Some tokens have none, or one in a form of their own.
    let symbol = symbol_of(of_token.get(symbol).ok().as_deref(), token == deployment.weth);
    Ok(Pool {
        name,
        token_place: 0,
        address: pool,
        token,
        quote: Quote { token_is_first: first == token, decimals },
        symbol,
        fee_ppm: said.get(fee)?.to(),
        tick_spacing: said.get(spacing)?.as_i32(),
        stay: PoolStay::Stays,
    })
}

/// What a token is called on a screen: its maker's word, if it is plain and is not the word for another.
fn symbol_of(said: Option<&str>, is_weth: bool) -> TokenSymbol {
    let is_taken = |symbol: &TokenSymbol| KNOWN_SYMBOLS.iter().any(|known| known.eq_ignore_ascii_case(symbol.as_str()));
    let symbol = said.and_then(|said| said.parse().ok());
    symbol.filter(|symbol| is_weth || !is_taken(symbol)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-057, G-053: a maker's word for his token is shown unless it paints, or would pass it off for another.
    #[test]
    fn p_057_a_token_is_not_shown_by_the_name_of_another() {
        let shown = |said, is_weth| symbol_of(said, is_weth).to_string();
        assert_eq!([shown(Some("EMBR"), false), shown(Some("WETH"), true)], ["EMBR", "WETH"]);
        for said in
            [None, Some(""), Some("usdc"), Some("WETH"), Some("Eth"), Some("\u{1b}[2J"), Some("A very long one")]
        {
            assert_eq!(shown(said, false), "token", "{said:?}");
        }
    }
}
