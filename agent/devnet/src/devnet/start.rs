//! The three ways a devnet begins: built anew, loaded from what was saved, or forked from another chain.

use alloy::primitives::{Address, B256, U160, U256, keccak256};
use alloy::providers::{Provider, RootProvider};
use alloy::rpc::client::RpcClient;
use golem_primitives::{Usdc, UtcTime};

use super::beside::Beside;
use super::settings::{DevnetSettings, Fork, StartStage};
use super::{Devnet, START_PRICE};
use crate::accounts::Accounts;
use crate::artifacts::Artifacts;
use crate::bindings::IUniswapV3Pool;
use crate::blocks::Blocks;
use crate::deal::deal;
use crate::error::DevnetError;
use crate::lock::Lock;
use crate::market::{Market, MarketKind};
use crate::node::{Node, NodeSettings};
use crate::sender::Sender;
use crate::state::{Place, Saved};
use crate::suite::canonical_identity;
use crate::tools::{find_tool, project_root};
use crate::world::{
    Builder, HOME_POOL, MARKET_USDC, POOL_FEE, PURSE_USDC, World, WorldPool, build_recipe, find_pool, unreadable,
};

/// Steps of the market before the devnet is handed over, thirty-five minutes in all, and how long each is.
pub(super) const HISTORY_STEPS: u64 = 105;
pub(super) const HISTORY_STEP_SECONDS: u64 = 20;
/// Room for growing a pool's memory and for the largest deployment.
const GAS_LIMIT: u64 = 60_000_000;

impl Devnet {
    pub(super) async fn build(
        settings: DevnetSettings,
        lock: Lock,
        market: Market,
        fingerprint: B256,
        progress: &mut dyn FnMut(StartStage),
    ) -> Result<Self, DevnetError> {
        let artifacts = Artifacts::in_project(&project_root()?);
        let accounts = Accounts::default();
        progress(StartStage::Starting);
        let mut node = Node::start(&node_settings(&settings, settings.genesis, &[])).await?;
        let mut blocks = Blocks::take_over(&mut node).await?;
        progress(StartStage::Building);
        let chain_id = settings.chain_id;
        let block_seconds = settings.block_seconds;
        let mut builder = Builder { node: &mut node, blocks: &mut blocks, chain_id, block_seconds };
        let world = builder.build(&accounts, &artifacts, market.start(START_PRICE)).await?;
        let maker = builder.sender(&accounts.market).await?;
        let beside = Beside::all(&world, &settings);
        let mut net = Self {
            node,
            blocks,
            world,
            accounts,
            settings,
            fingerprint,
            market,
            maker,
            root_price: U160::ZERO,
            beside,
            thin: false,
            steps: 0,
            control: None,
            facilitator: None,
            _lock: lock,
        };
        net.read_prices().await?;
        progress(StartStage::Remembering);
        net.remember().await?;
        if net.settings.cache {
            let place = Place::cached(&net.settings.dir, net.fingerprint);
            net.save_to(&place).await?;
        }
        Ok(net)
    }

    pub(super) async fn load(
        settings: DevnetSettings,
        lock: Lock,
        mut market: Market,
        saved: Saved,
        place: &Place,
        progress: &mut dyn FnMut(StartStage),
    ) -> Result<Self, DevnetError> {
        progress(StartStage::Loading);
        let state = place.state(&saved).display().to_string();
        let arguments = ["--load-state".to_owned(), state];
        let mut node = Node::start(&node_settings(&settings, saved.genesis, &arguments)).await?;
        let blocks = Blocks::take_over(&mut node).await?;
        let accounts = Accounts::default();
        let maker = Sender::new(&node, &accounts.market, settings.chain_id).await?;
        // The process is a function of its seed and its steps, so its place is found by taking them again.
        let start = market.start(START_PRICE);
        let mut beside = Beside::all(&saved.world, &settings);
        for _ in 0..HISTORY_STEPS {
            let moment = market.step(HISTORY_STEP_SECONDS, false, start);
            beside.iter_mut().for_each(|one| one.pass(moment, HISTORY_STEP_SECONDS));
        }
        for _ in 0..saved.steps {
            let moment = market.step(settings.block_seconds, true, start);
            beside.iter_mut().for_each(|one| one.pass(moment, settings.block_seconds));
        }
        Ok(Self {
            node,
            blocks,
            world: saved.world,
            accounts,
            settings,
            fingerprint: saved.fingerprint,
            market,
            maker,
            root_price: U160::ZERO,
            beside,
            thin: saved.thin,
            steps: saved.steps,
            control: None,
            facilitator: None,
            _lock: lock,
        })
    }

    pub(super) async fn fork(
        settings: DevnetSettings,
        lock: Lock,
        fingerprint: B256,
        progress: &mut dyn FnMut(StartStage),
    ) -> Result<Self, DevnetError> {
        progress(StartStage::Forking);
        let fork = settings.fork.clone().expect("called for a fork");
        let (forked_id, mut world) = world_to_fork(&fork).await?;
        let mut arguments = vec!["--fork-url".to_owned(), fork.url.clone()];
        if let Some(block) = fork.block {
            arguments.extend(["--fork-block-number".to_owned(), block.to_string()]);
        }
        let mut node = Node::start(&NodeSettings {
            port: settings.port,
            chain_id: settings.chain_id,
            arguments,
            dir: settings.dir.clone(),
        })
        .await?;
        let mut blocks = Blocks::take_over(&mut node).await?;
        world.pool = find_pool(&node, &world).await?;
        if world.pool.is_zero() {
            let (what, address) = ("USDC/WETH 0.05% pool from the factory", world.v3_factory);
            return Err(DevnetError::NothingToFork { url: fork.url, what, address });
        }
        let name = HOME_POOL.parse().expect("a pool's name");
        world.pools = vec![WorldPool {
            name,
            address: world.pool,
            token: world.weth,
            decimals: golem_primitives::Decimals::ETHER,
            fee_ppm: POOL_FEE,
        }];
        let accounts = Accounts::default();
        for account in accounts.all() {
            let given = if account.role == accounts.market.role { MARKET_USDC } else { PURSE_USDC };
            deal(&mut node, world.usdc, account.address, U256::from(given.micros())).await?;
        }
        let (chain_id, block_seconds) = (settings.chain_id, settings.block_seconds);
        let mut builder = Builder { node: &mut node, blocks: &mut blocks, chain_id, block_seconds };
        builder.fund(&accounts).await?;
        let mut maker = builder.sender(&accounts.market).await?;
        builder.stock_market(&mut maker, &world).await?;
        let mut deployer = builder.sender(&accounts.deployer).await?;
        let artifacts = Artifacts::in_project(&project_root()?);
        let identity = canonical_identity(forked_id);
        world.suite = Some(builder.deploy_suite(&mut deployer, &artifacts, &world, identity).await?);
        let market = Market::open(&settings.market, settings.seed, price_of(&node, &world).await?)?;
        Ok(Self {
            node,
            blocks,
            world,
            accounts,
            settings,
            fingerprint,
            market,
            maker,
            root_price: U160::ZERO,
            beside: Vec::new(),
            thin: false,
            steps: 0,
            control: None,
            facilitator: None,
            _lock: lock,
        })
    }
}

fn node_settings(settings: &DevnetSettings, genesis: UtcTime, more: &[String]) -> NodeSettings {
    let mut arguments = vec![
        "--timestamp".to_owned(),
        genesis.seconds().to_string(),
        "--gas-limit".to_owned(),
        GAS_LIMIT.to_string(),
        // It would make the keys of its own accounts, which nobody asks for.
        "--accounts".to_owned(),
        "0".to_owned(),
    ];
    arguments.extend_from_slice(more);
    NodeSettings { port: settings.port, chain_id: settings.chain_id, arguments, dir: settings.dir.clone() }
}

/// A hash over everything that decides what a saved chain looks like.
pub(super) fn fingerprint(settings: &DevnetSettings) -> Result<B256, DevnetError> {
    let artifacts = Artifacts::in_project(&project_root()?);
    let anvil = find_tool("anvil")?.version;
    // Where a file of prices lies changes nothing.
    let market = match &settings.market {
        MarketKind::Csv(path) => {
            [b"csv:".to_vec(), std::fs::read(path).map_err(DevnetError::file("cannot read", path))?].concat()
        }
        other => other.to_string().into_bytes(),
    };
    let mut bytes = artifacts.fingerprint()?.to_vec();
    bytes.extend(artifacts.suite_fingerprint()?);
    bytes.extend(build_recipe());
    bytes.extend(keccak256(anvil));
    bytes.extend(keccak256(market));
    for number in [settings.chain_id, settings.seed, settings.block_seconds, settings.genesis.seconds()] {
        bytes.extend(number.to_be_bytes());
    }
    Ok(keccak256(bytes))
}

/// Which world the chain behind `fork` has, checked part by part.
async fn world_to_fork(fork: &Fork) -> Result<(u64, World), DevnetError> {
    let url = fork.url.parse().map_err(|error| DevnetError::Unreadable {
        what: format!("the fork's URL {}", fork.url),
        detail: format!("{error}"),
    })?;
    let other = RootProvider::<alloy::network::Ethereum>::new(RpcClient::new_http(url));
    let chain_id = other.get_chain_id().await.map_err(DevnetError::rpc("eth_chainId of the chain to fork"))?;
    let world = World::of_public_chain(chain_id).unwrap_or_else(|| World::of_devnet(Address::ZERO));
    for (what, address) in world.parts().filter(|(_, address)| !address.is_zero()) {
        let code = other.get_code_at(address).await.map_err(DevnetError::rpc("eth_getCode of the chain to fork"))?;
        if code.is_empty() {
            return Err(DevnetError::NothingToFork { url: fork.url.clone(), what, address });
        }
    }
    Ok((chain_id, world))
}

async fn price_of(node: &Node, world: &World) -> Result<Usdc, DevnetError> {
    let pool = IUniswapV3Pool::new(world.pool, node.provider());
    let slot = pool.slot0().call().await.map_err(unreadable("slot0"))?;
    Ok(world.weth_pairing().price(slot.sqrtPriceX96))
}
