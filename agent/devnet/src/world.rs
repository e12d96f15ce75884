//! Everything that stands on the devnet, deployed from published artifacts in a fixed order.

use alloy::primitives::{Address, address};
use golem_primitives::{Decimals, PoolName, Usdc};
use serde::{Deserialize, Serialize};

use crate::accounts::Accounts;
use crate::price::Pairing;
use crate::suite::Suite;

mod build;
mod position;

pub(crate) use build::{Builder, EMBER_PRICE, build_recipe};
pub(crate) use position::{find_pool, restore_liquidity, unreadable, withdraw_liquidity};

/// Multicall3 stands here on every chain.
const MULTICALL3: Address = address!("0xcA11bde05977b3631167028862bE2a173976CA11");
/// The deterministic deployer stands here on every chain; anvil brings it.
const CREATE2_DEPLOYER: Address = address!("0x4e59b44847b379578588920cA78FbF26c0B4956C");
/// The fee tier of the pool the market lives in: 0.05%.
pub(crate) const POOL_FEE: u32 = 500;
/// P-057. What the pools of a devnet are called: the one it is about, another fee tier of its pair, and a second token's.
pub(crate) const HOME_POOL: &str = "weth-500";
pub(crate) const TIER_POOL: &str = "weth-3000";
pub(crate) const EMBER_POOL: &str = "ember-3000";
/// The fee tier of both: 0.3%.
pub(crate) const TIER_FEE: u32 = 3_000;
/// The market's own stock, far beyond any trade.
pub(crate) const MARKET_USDC: Usdc = Usdc::from_micros(100_000_000_000 * Usdc::UNIT);
/// What everyone else gets.
pub(crate) const PURSE_USDC: Usdc = Usdc::whole(1_000_000);

/// Where everything stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// Circle's USDC (the proxy).
    pub usdc: Address,
    pub weth: Address,
    /// Uniswap V3's factory.
    pub v3_factory: Address,
    pub position_manager: Address,
    /// Its first router; not every public chain has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub swap_router: Option<Address>,
    /// Its second router.
    pub swap_router_02: Address,
    pub quoter_v2: Address,
    /// The USDC/WETH pool of the 0.05% tier.
    pub pool: Address,
    /// P-057. Every pool that stands here by name, that one first.
    pub pools: Vec<WorldPool>,
    /// Multicall3.
    pub multicall3: Address,
    /// The CREATE2 deployer.
    pub create2_deployer: Address,
    /// The contract suite.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub suite: Option<Suite>,
    /// The maker's position that leaves when liquidity turns thin; none on a fork of a public chain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub maker: Option<Maker>,
}

/// P-057. A pool of USDC and a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldPool {
    pub name: PoolName,
    pub address: Address,
    /// What it has beside USDC.
    pub token: Address,
    /// That token's decimals.
    pub decimals: Decimals,
    /// Its fee in millionths.
    pub fee_ppm: u32,
}

impl WorldPool {
    /// How its token stands to USDC.
    #[must_use]
    pub fn pairing(&self, world: &World) -> Pairing {
        Pairing { token_is_first: self.token < world.usdc, decimals: self.decimals }
    }
}

/// The position that comes and goes with the depth of the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Maker {
    pub token_id: u64,
    pub liquidity: u128,
}

/// A pool beside the first, in tables.
fn named(pool: PoolName) -> &'static str {
    match pool.as_str() {
        TIER_POOL => "USDC/WETH 0.3% pool",
        EMBER_POOL => "USDC/EMBR 0.3% pool",
        _ => "another pool",
    }
}

impl World {
    /// The pool of a name.
    #[must_use]
    pub fn pool_of(&self, name: &str) -> Option<&WorldPool> {
        self.pools.iter().find(|pool| pool.name.as_str() == name)
    }

    /// Whether WETH is the pool's first token.
    #[must_use]
    pub fn weth_is_token0(&self) -> bool {
        self.weth < self.usdc
    }

    /// How WETH stands to USDC.
    pub(crate) fn weth_pairing(&self) -> Pairing {
        Pairing { token_is_first: self.weth_is_token0(), decimals: Decimals::ETHER }
    }

    /// Each part by name, for tables.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Address)> {
        let router = self.swap_router.map(|address| ("Uniswap V3 SwapRouter", address));
        [
            ("USDC", self.usdc),
            ("WETH9", self.weth),
            ("Uniswap V3 factory", self.v3_factory),
            ("Uniswap V3 positions", self.position_manager),
            ("Uniswap V3 SwapRouter02", self.swap_router_02),
            ("Uniswap V3 QuoterV2", self.quoter_v2),
            ("USDC/WETH 0.05% pool", self.pool),
            ("Multicall3", self.multicall3),
            ("CREATE2 deployer", self.create2_deployer),
        ]
        .into_iter()
        .chain(router)
        .chain(self.pools.iter().skip(1).map(|pool| (named(pool.name), pool.address)))
        .chain(self.suite.into_iter().flat_map(|suite| suite.parts().collect::<Vec<_>>()))
    }

    /// Where a devnet's world stands: the deployer's nonces decide it, so it is the same on every devnet.
    #[must_use]
    pub fn of_devnet(pool: Address) -> Self {
        let deployer = Accounts::default().deployer.address;
        let at = |nonce| deployer.create(nonce);
        Self {
            weth: at(0),
            usdc: at(3),
            v3_factory: at(4),
            position_manager: at(7),
            swap_router: Some(at(8)),
            swap_router_02: at(9),
            quoter_v2: at(10),
            pool,
            pools: Vec::new(),
            multicall3: MULTICALL3,
            create2_deployer: CREATE2_DEPLOYER,
            suite: None,
            maker: None,
        }
    }

    /// What stands on a public chain, from the published deployments of Circle and Uniswap; the pool is asked for.
    #[must_use]
    pub fn of_public_chain(chain_id: u64) -> Option<Self> {
        let base = Self {
            usdc: address!("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
            weth: address!("0x4200000000000000000000000000000000000006"),
            v3_factory: address!("0x33128a8fC17869897dcE68Ed026d694621f6FDfD"),
            position_manager: address!("0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1"),
            swap_router: None,
            swap_router_02: address!("0x2626664c2603336E57B271c5C0b26F421741e481"),
            quoter_v2: address!("0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a"),
            pool: Address::ZERO,
            pools: Vec::new(),
            multicall3: MULTICALL3,
            create2_deployer: CREATE2_DEPLOYER,
            suite: None,
            maker: None,
        };
        match chain_id {
            8453 => Some(base),
            84532 => Some(Self {
                usdc: address!("0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
                v3_factory: address!("0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24"),
                position_manager: address!("0x27F971cb582BF9E50F397e4d29a5C7A34f11faA2"),
                swap_router_02: address!("0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4"),
                quoter_v2: address!("0xC5290058841028F1614F3A6F0F5816cAd0df5E27"),
                ..base
            }),
            _ => None,
        }
    }
}
