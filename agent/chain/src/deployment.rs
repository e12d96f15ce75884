//! Where the suite stands on a chain, and whether what stands there is the suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use alloy::primitives::{Address, Bytes, U256, address};
use alloy::sol_types::SolCall;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_primitives::PoolName;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bindings::identity::IIdentityRegistry;
use crate::bindings::lineage::ILineageRegistry;
use crate::bindings::suite::SuiteBound;
use crate::bindings::venue::IErc20;
use crate::endpoints::{EndpointError, Endpoints};
use crate::place::ListedPool;

/// Multicall3 stands here on every chain.
const MULTICALL3: Address = address!("0xcA11bde05977b3631167028862bE2a173976CA11");
/// Blocks after which an outcome is believed.
const CONFIRMATIONS: u64 = 2;

/// The addresses of one chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deployment {
    pub chain_id: u64,
    /// The first block that can have anything of the suite.
    pub from_block: u64,
    pub identity: Address,
    pub lineage: Address,
    pub birth: Address,
    pub succession: Address,
    /// The implementation behind every vault.
    pub vault: Address,
    pub vault_owner: Address,
    pub vault_trading: Address,
    pub vault_liquidity: Address,
    pub vault_death: Address,
    pub swap_adapter: Address,
    pub position_adapter: Address,
    /// Says in a dead Golem's registration file that it is dead.
    pub epitaph: Address,
    pub usdc: Address,
    pub weth: Address,
    pub uniswap_factory: Address,
    pub position_manager: Address,
    pub multicall3: Address,
    pub quoter: Option<Address>,
    /// The USDC/WETH pool to trade in, where one is known.
    pub pool: Option<Address>,
    /// P-057. Pools of USDC that are known here, by name.
    pub pools: BTreeMap<PoolName, Address>,
    /// Blocks that must have come after an outcome before it is believed.
    pub confirmations: u64,
}

/// `deploy/addresses/<chain id>.json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    chain_id: u64,
    block: u64,
    identity_registry: Address,
    lineage_registry: Address,
    birth: Address,
    succession: Address,
    vault: Address,
    vault_owner: Address,
    vault_trading: Address,
    vault_liquidity: Address,
    vault_death: Address,
    swap_adapter: Address,
    position_adapter: Address,
    epitaph: Address,
    usdc: Address,
    weth: Address,
    uniswap_factory: Address,
    position_manager: Address,
    #[serde(default)]
    quoter: Option<Address>,
    #[serde(default)]
    pool: Option<Address>,
    #[serde(default)]
    pools: BTreeMap<PoolName, Address>,
}

/// `chain.json` of a running devnet.
#[derive(Debug, Deserialize)]
struct Running {
    chain_id: u64,
    world: World,
}

#[derive(Debug, Deserialize)]
struct World {
    usdc: Address,
    weth: Address,
    v3_factory: Address,
    position_manager: Address,
    quoter_v2: Address,
    pool: Address,
    pools: Vec<ListedPool>,
    multicall3: Address,
    #[serde(default)]
    suite: Option<Suite>,
}

#[derive(Debug, Deserialize)]
struct Suite {
    identity_registry: Address,
    lineage_registry: Address,
    birth: Address,
    succession: Address,
    vault: Address,
    vault_owner: Address,
    vault_trading: Address,
    vault_liquidity: Address,
    vault_death: Address,
    swap_adapter: Address,
    position_adapter: Address,
    epitaph: Address,
}

impl Deployment {
    /// What kind of contract stands at an address, where two kinds have one word for different things.
    pub(crate) fn kind_of(&self, at: Address) -> Option<&'static str> {
        let kinds = [(self.usdc, "USDC"), (self.weth, "WETH"), (self.identity, "IdentityRegistry")];
        kinds.into_iter().find(|(known, _)| *known == at).map(|(_, kind)| kind)
    }

    /// P-057. What a pool is called here; one that nobody named is home to whoever trades in it.
    #[must_use]
    pub fn name_of(&self, pool: Address) -> PoolName {
        self.pools.iter().find(|(_, address)| **address == pool).map_or(PoolName::HOME, |(name, _)| *name)
    }

    /// Reads any kind of file: what the deploy script writes, what a running devnet says of itself, or this struct.
    pub fn load(path: &Path) -> Result<Self, DeploymentError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| DeploymentError::File { path: path.to_owned(), source })?;
        Self::from_json(&text).map_err(|error| match error {
            DeploymentError::Unreadable { detail, .. } => DeploymentError::Unreadable { path: path.to_owned(), detail },
            other => other,
        })
    }

    /// The same from text.
    pub fn from_json(text: &str) -> Result<Self, DeploymentError> {
        let unreadable = |error: serde_json::Error| DeploymentError::Unreadable {
            path: PathBuf::from("(text)"),
            detail: error.to_string(),
        };
        let value: serde_json::Value = serde_json::from_str(text).map_err(unreadable)?;
        if value.get("world").is_some() {
            return Self::of_devnet(serde_json::from_value(value).map_err(unreadable)?);
        }
        if value.get("lineage").is_some() {
            return serde_json::from_value(value).map_err(unreadable);
        }
        Ok(Self::of_written(serde_json::from_value(value).map_err(unreadable)?))
    }

    fn of_devnet(running: Running) -> Result<Self, DeploymentError> {
        let Running { chain_id, world } = running;
        let suite = world.suite.ok_or(DeploymentError::NoSuite { chain_id })?;
        Ok(Self {
            chain_id,
            from_block: 0,
            identity: suite.identity_registry,
            lineage: suite.lineage_registry,
            birth: suite.birth,
            succession: suite.succession,
            vault: suite.vault,
            vault_owner: suite.vault_owner,
            vault_trading: suite.vault_trading,
            vault_liquidity: suite.vault_liquidity,
            vault_death: suite.vault_death,
            swap_adapter: suite.swap_adapter,
            position_adapter: suite.position_adapter,
            epitaph: suite.epitaph,
            usdc: world.usdc,
            weth: world.weth,
            uniswap_factory: world.v3_factory,
            position_manager: world.position_manager,
            multicall3: world.multicall3,
            quoter: Some(world.quoter_v2),
            pool: Some(world.pool),
            pools: world.pools.into_iter().map(|pool| (pool.name, pool.address)).collect(),
            confirmations: CONFIRMATIONS,
        })
    }

    fn of_written(written: Written) -> Self {
        Self {
            chain_id: written.chain_id,
            from_block: written.block,
            identity: written.identity_registry,
            lineage: written.lineage_registry,
            birth: written.birth,
            succession: written.succession,
            vault: written.vault,
            vault_owner: written.vault_owner,
            vault_trading: written.vault_trading,
            vault_liquidity: written.vault_liquidity,
            vault_death: written.vault_death,
            swap_adapter: written.swap_adapter,
            position_adapter: written.position_adapter,
            epitaph: written.epitaph,
            usdc: written.usdc,
            weth: written.weth,
            uniswap_factory: written.uniswap_factory,
            position_manager: written.position_manager,
            multicall3: MULTICALL3,
            quoter: written.quoter.or_else(|| known_quoter(written.chain_id)),
            pool: written.pool,
            pools: written.pools,
            confirmations: CONFIRMATIONS,
        }
    }

    /// The parts that know their neighbours.
    const fn bound(&self) -> [(&'static str, Address); 11] {
        [
            ("LineageRegistry", self.lineage),
            ("Birth", self.birth),
            ("Succession", self.succession),
            ("Vault (implementation)", self.vault),
            ("VaultOwner", self.vault_owner),
            ("VaultTrading", self.vault_trading),
            ("VaultLiquidity", self.vault_liquidity),
            ("VaultDeath", self.vault_death),
            ("UniswapV3SwapAdapter", self.swap_adapter),
            ("UniswapV3PositionAdapter", self.position_adapter),
            ("Epitaph", self.epitaph),
        ]
    }

    /// Each part by name, for tables.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Address)> {
        let venue = [
            ("USDC", self.usdc),
            ("WETH9", self.weth),
            ("Uniswap V3 factory", self.uniswap_factory),
            ("Uniswap V3 positions", self.position_manager),
            ("Multicall3", self.multicall3),
        ];
        std::iter::once(("IdentityRegistry (ERC-8004)", self.identity))
            .chain(self.bound())
            .chain(venue)
            .chain(self.quoter.map(|quoter| ("Uniswap V3 QuoterV2", quoter)))
            .chain(self.pool.map(|pool| ("USDC/WETH pool", pool)))
    }

    /// Whether all of this stands on the chain, is wired to itself and answers as this version does.
    ///
    /// # Errors
    /// [`DeploymentError::WrongChain`], [`DeploymentError::Missing`], [`DeploymentError::OtherVersion`], or what keeps
    /// us from seeing.
    pub fn check<'a>(&'a self, endpoints: &'a Endpoints) -> BoxFuture<'a, Result<(), DeploymentError>> {
        async move {
            if endpoints.chain_id() != self.chain_id {
                return Err(DeploymentError::WrongChain { found: endpoints.chain_id(), expected: self.chain_id });
            }
            for (part, address) in self.parts() {
                let code: Bytes = endpoints.request("eth_getCode", (address, "latest")).await?;
                if code.is_empty() {
                    return Err(DeploymentError::Missing { part, address, chain_id: self.chain_id });
                }
            }
            self.check_wiring(endpoints).await?;
            self.check_answers(endpoints).await
        }
        .boxed()
    }

    async fn check_wiring(&self, endpoints: &Endpoints) -> Result<(), DeploymentError> {
        for (part, address) in self.bound() {
            let suite = self.ask(endpoints, part, address, SuiteBound::suiteCall {}).await?;
            let wiring = [
                ("identity registry", suite.identity, self.identity),
                ("lineage registry", suite.lineage, self.lineage),
                ("birth", suite.birth, self.birth),
                ("succession", suite.succession, self.succession),
                ("vault", suite.vault, self.vault),
                ("owner's module", suite.owning, self.vault_owner),
                ("trading module", suite.trading, self.vault_trading),
                ("liquidity module", suite.liquidity, self.vault_liquidity),
                ("death module", suite.death, self.vault_death),
                ("swap adapter", suite.swapAdapter, self.swap_adapter),
                ("position adapter", suite.positionAdapter, self.position_adapter),
                ("epitaph", suite.epitaph, self.epitaph),
                ("USDC", suite.usdc, self.usdc),
                ("WETH", suite.weth, self.weth),
                ("Uniswap factory", suite.uniswapFactory, self.uniswap_factory),
                ("position manager", suite.positionManager, self.position_manager),
            ];
            if let Some((what, has, says)) = wiring.into_iter().find(|(_, has, says)| has != says) {
                let detail = format!("it is wired to the {what} {has}, the file says {says}");
                return Err(DeploymentError::OtherVersion { part, address, detail });
            }
        }
        Ok(())
    }

    async fn check_answers(&self, endpoints: &Endpoints) -> Result<(), DeploymentError> {
        let differs = |part, address, detail: String| Err(DeploymentError::OtherVersion { part, address, detail });
        let unborn = ILineageRegistry::lifeOfCall { agentId: U256::MAX };
        let life = self.ask(endpoints, "LineageRegistry", self.lineage, unborn).await?;
        if life != "unborn" {
            return differs("LineageRegistry", self.lineage, format!("it calls an unknown id {life:?}"));
        }
        let identity = ("IdentityRegistry (ERC-8004)", self.identity);
        self.ask(endpoints, identity.0, identity.1, IIdentityRegistry::getVersionCall {}).await?;
        let decimals = self.ask(endpoints, "USDC", self.usdc, IErc20::decimalsCall {}).await?;
        if decimals != 6 {
            return differs("USDC", self.usdc, format!("it has {decimals} decimals instead of 6"));
        }
        Ok(())
    }

    async fn ask<C: SolCall>(
        &self,
        endpoints: &Endpoints,
        part: &'static str,
        address: Address,
        call: C,
    ) -> Result<C::Return, DeploymentError> {
        let differs = |detail: String| DeploymentError::OtherVersion { part, address, detail };
        let asked = json!([{ "to": address, "data": Bytes::from(call.abi_encode()) }, "latest"]);
        let answer: Bytes = endpoints.request("eth_call", asked).await.map_err(|error| match error {
            EndpointError::Reverted { .. } => differs(format!("it has no {}", C::SIGNATURE)),
            other => other.into(),
        })?;
        C::abi_decode_returns(&answer).map_err(|_| differs(format!("it answers {} in another form", C::SIGNATURE)))
    }
}

/// Uniswap's own deployments.
const fn known_quoter(chain_id: u64) -> Option<Address> {
    match chain_id {
        8453 => Some(address!("0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a")),
        84532 => Some(address!("0xC5290058841028F1614F3A6F0F5816cAd0df5E27")),
        _ => None,
    }
}

/// What is wrong with a deployment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeploymentError {
    #[error("the addresses in {path} cannot be read; deploy with `bardo chain deploy`, or start a devnet")]
    File {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{path} is neither an address file nor a devnet's: {detail}")]
    Unreadable { path: PathBuf, detail: String },
    #[error("the devnet {chain_id} has no suite; stop it and start one of this version with `bardo chain up`")]
    NoSuite { chain_id: u64 },
    #[error("the endpoints are on chain {found}, the addresses are of chain {expected}; use those of one chain")]
    WrongChain { found: u64, expected: u64 },
    #[error("chain {chain_id} has no {part} at {address}; deploy the suite there with `bardo chain deploy`")]
    Missing { part: &'static str, address: Address, chain_id: u64 },
    #[error("{part} at {address} is of another version: {detail}; use the addresses of this version or deploy it")]
    OtherVersion { part: &'static str, address: Address, detail: String },
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}
