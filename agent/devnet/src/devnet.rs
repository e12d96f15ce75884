//! The devnet itself: up, one block after another, down.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use alloy::primitives::{Address, B256, U160, U256, keccak256};
use alloy::providers::{Provider, RootProvider};
use alloy::rpc::client::RpcClient;
use alloy::sol_types::SolCall;
use alloy_chains::NamedChain;
use golem_primitives::{Usdc, UtcTime};
use serde::Serialize;

use crate::accounts::Accounts;
use crate::artifacts::Artifacts;
use crate::bindings::{ISwapRouter02, IUniswapV3Pool};
use crate::blocks::{Blocks, Mined, head};
use crate::control::Head;
use crate::deal::deal;
use crate::error::DevnetError;
use crate::lock::{Lock, Running};
use crate::market::{Depth, Kind, Market, Moment, Regime};
use crate::node::{Node, NodeSettings};
use crate::price::{amounts_of_liquidity, sqrt_price_x96, usdc_per_weth};
use crate::sender::{Call, Sender};
use crate::state::{Place, Saved};
use crate::suite::canonical_identity;
use crate::tools::{find_tool, project_root};
use crate::world::{
    Builder, MARKET_USDC, POOL_FEE, PURSE_USDC, World, build_recipe, find_pool, restore_liquidity, unreadable,
    withdraw_liquidity,
};

/// The devnet's own chain id; no public chain has it.
const CHAIN_ID: u64 = 763_088;
/// What WETH costs when the pool opens.
const START_PRICE: Usdc = Usdc::whole(3_000);
/// The first block's time, 2026-01-01: fixed, because equal seeds shall give equal hashes.
const GENESIS: UtcTime = UtcTime::from_seconds(1_767_225_600);
/// The pool's past when the devnet is handed over, and the step it is written in.
const HISTORY_SECONDS: u64 = 2_100;
const HISTORY_STEP_SECONDS: u64 = 20;
/// Room for growing a pool's memory and for the largest deployment.
const GAS_LIMIT: u64 = 60_000_000;

/// What a devnet is started with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Folder for the lock, the log and saved chains.
    pub dir: PathBuf,
    /// A port, or any free one.
    pub port: Option<u16>,
    /// The chain id.
    pub chain_id: u64,
    /// The seed of the market.
    pub seed: u64,
    /// The market.
    pub market: Kind,
    /// Seconds between blocks, in chain time.
    pub block_seconds: u64,
    /// Time of the first block.
    pub genesis: UtcTime,
    /// Start as a fork of another chain.
    pub fork: Option<Fork>,
    /// Use and fill the cache of built worlds.
    pub cache: bool,
    /// Go on where the last devnet of this folder stopped.
    pub resume: bool,
}

impl Settings {
    /// The defaults, kept in `dir`.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            port: None,
            chain_id: CHAIN_ID,
            seed: 1,
            market: Kind::Mixed,
            block_seconds: 2,
            genesis: GENESIS,
            fork: None,
            cache: true,
            resume: false,
        }
    }
}

/// A chain to fork.
#[derive(Debug, Clone)]
pub struct Fork {
    /// Its endpoint.
    pub url: String,
    /// A block, or the newest.
    pub block: Option<u64>,
}

/// How far the start has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// anvil is starting.
    Starting,
    /// Contracts are being deployed.
    Building,
    /// The pool's past is being traded.
    Remembering,
    /// A saved chain is being loaded.
    Loading,
    /// Another chain is being forked.
    Forking,
    /// Blocks can be produced.
    Ready,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Starting => "starting anvil",
            Self::Building => {
                "deploying USDC, WETH9, Uniswap V3 and Multicall3 from their published artifacts, and the suite"
            }
            Self::Remembering => "trading half an hour of history into the pool",
            Self::Loading => "loading the saved chain",
            Self::Forking => "forking the other chain and dealing USDC",
            Self::Ready => "ready",
        })
    }
}

/// A produced block.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Block {
    /// Its number.
    pub number: u64,
    /// Its hash.
    pub hash: B256,
    /// Its time.
    pub time: UtcTime,
    /// Its base fee.
    pub base_fee_wei: u64,
    /// Gas used in it.
    pub gas_used: u64,
    /// Transactions in it.
    pub transactions: usize,
    /// What one WETH costs in the pool after it.
    pub price: Usdc,
    /// What the market wanted it to cost.
    pub wanted: Usdc,
    /// How deep the pool is.
    pub depth: Depth,
    /// The market's regime.
    pub regime: Option<Regime>,
}

/// Refuses the id of a public chain; the two that every local node uses are nobody's.
///
/// # Errors
/// [`DevnetError::PublicChainId`] naming the chain.
pub fn check_chain_id(chain_id: u64) -> Result<(), DevnetError> {
    match NamedChain::try_from(chain_id) {
        Ok(NamedChain::Dev | NamedChain::AnvilHardhat) | Err(_) => Ok(()),
        Ok(public) => Err(DevnetError::PublicChainId { chain_id, name: public.to_string(), default: CHAIN_ID }),
    }
}

/// A running local L2.
#[derive(Debug)]
pub struct Devnet {
    node: Node,
    blocks: Blocks,
    world: World,
    accounts: Accounts,
    settings: Settings,
    fingerprint: B256,
    market: Market,
    maker: Sender,
    root_price: U160,
    thin: bool,
    steps: u64,
    control: Option<SocketAddr>,
    facilitator: Option<String>,
    // Declared last: the folder is let go after anvil has ended.
    _lock: Lock,
}

impl Devnet {
    /// Starts a devnet: from the cache when there is one, else building the world; or as a fork, or resuming.
    ///
    /// # Errors
    /// [`DevnetError`] with what to do; no process is left behind.
    pub async fn up(settings: Settings, progress: &mut dyn FnMut(Stage)) -> Result<Self, DevnetError> {
        check_chain_id(settings.chain_id)?;
        let lock = Lock::take(&settings.dir)?;
        let fingerprint = fingerprint(&settings)?;
        let market = Market::open(&settings.market, settings.seed, START_PRICE)?;
        let mut net = if settings.fork.is_some() {
            Self::fork(settings, lock, fingerprint, progress).await?
        } else if settings.resume {
            let place = Place::last(&settings.dir);
            let saved = place.load(fingerprint)?;
            Self::load(settings, lock, market, saved, &place, progress).await?
        } else {
            let place = Place::cached(&settings.dir, fingerprint);
            match place.load(fingerprint) {
                Ok(saved) if settings.cache => Self::load(settings, lock, market, saved, &place, progress).await?,
                _ => Self::build(settings, lock, market, fingerprint, progress).await?,
            }
        };
        net.root_price = net.read_root_price().await?;
        net._lock.announce(&net.running())?;
        progress(Stage::Ready);
        Ok(net)
    }

    async fn build(
        settings: Settings,
        lock: Lock,
        market: Market,
        fingerprint: B256,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self, DevnetError> {
        let artifacts = Artifacts::in_project(&project_root()?);
        let accounts = Accounts::default();
        progress(Stage::Starting);
        let mut node = Node::start(&node_settings(&settings, settings.genesis, &[])).await?;
        let mut blocks = Blocks::take_over(&mut node).await?;
        progress(Stage::Building);
        let chain_id = settings.chain_id;
        let mut builder = Builder { node: &mut node, blocks: &mut blocks, chain_id };
        let world = builder.build(&accounts, &artifacts, market.start(START_PRICE)).await?;
        let maker = builder.sender(&accounts.market).await?;
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
            thin: false,
            steps: 0,
            control: None,
            facilitator: None,
            _lock: lock,
        };
        net.root_price = net.read_root_price().await?;
        progress(Stage::Remembering);
        for _ in 0..HISTORY_SECONDS / HISTORY_STEP_SECONDS {
            net.produce(HISTORY_STEP_SECONDS, false).await?;
        }
        if net.settings.cache {
            let place = Place::cached(&net.settings.dir, net.fingerprint);
            net.save_to(&place).await?;
        }
        Ok(net)
    }

    async fn load(
        settings: Settings,
        lock: Lock,
        mut market: Market,
        saved: Saved,
        place: &Place,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self, DevnetError> {
        progress(Stage::Loading);
        let state = place.state().display().to_string();
        let arguments = ["--load-state".to_owned(), state];
        let mut node = Node::start(&node_settings(&settings, saved.genesis, &arguments)).await?;
        let blocks = Blocks::take_over(&mut node).await?;
        let accounts = Accounts::default();
        let maker = Sender::new(&node, &accounts.market, settings.chain_id).await?;
        // The process is a function of its seed and its steps, so its place is found by taking them again.
        let start = market.start(START_PRICE);
        for _ in 0..HISTORY_SECONDS / HISTORY_STEP_SECONDS {
            market.step(HISTORY_STEP_SECONDS, false, start);
        }
        for _ in 0..saved.steps {
            market.step(settings.block_seconds, true, start);
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
            thin: saved.thin,
            steps: saved.steps,
            control: None,
            facilitator: None,
            _lock: lock,
        })
    }

    async fn fork(
        settings: Settings,
        lock: Lock,
        fingerprint: B256,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self, DevnetError> {
        progress(Stage::Forking);
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
        let accounts = Accounts::default();
        for account in accounts.all() {
            let given = if account.role == accounts.market.role { MARKET_USDC } else { PURSE_USDC };
            deal(&mut node, world.usdc, account.address, U256::from(given.micros())).await?;
        }
        let mut builder = Builder { node: &mut node, blocks: &mut blocks, chain_id: settings.chain_id };
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
            thin: false,
            steps: 0,
            control: None,
            facilitator: None,
            _lock: lock,
        })
    }

    /// Produces the next block, the market's trade first in it.
    ///
    /// # Errors
    /// [`DevnetError::NodeDied`] when anvil has ended; other failures of the node.
    pub async fn advance(&mut self) -> Result<Block, DevnetError> {
        self.steps += 1;
        self.produce(self.settings.block_seconds, true).await
    }

    /// Produces one empty-handed block: time passes, the market does not trade.
    ///
    /// # Errors
    /// As [`Devnet::advance`].
    pub async fn mine_still(&mut self, seconds: u64) -> Result<Block, DevnetError> {
        let base_fee_wei = head(&mut self.node).await?.base_fee_wei;
        let price = self.price();
        let moment = Moment { price, base_fee_wei, depth: self.depth(), regime: None };
        let mined = self.blocks.mine(&mut self.node, seconds, base_fee_wei).await?;
        self.root_price = self.read_root_price().await?;
        Ok(self.describe(mined, moment))
    }

    async fn produce(&mut self, seconds: u64, live: bool) -> Result<Block, DevnetError> {
        let price = self.price();
        let moment = self.market.step(seconds, live, price);
        for call in self.trades(moment) {
            self.maker.submit(&mut self.node, &call).await?;
        }
        let mined = self.blocks.mine(&mut self.node, seconds, moment.base_fee_wei).await?;
        self.root_price = self.read_root_price().await?;
        Ok(self.describe(mined, moment))
    }

    /// What the market does to bring the pool where `moment` wants it.
    fn trades(&mut self, moment: Moment) -> Vec<Call> {
        let mut calls = Vec::with_capacity(2);
        let wants_thin = moment.depth == Depth::Thin;
        if let Some(maker) = self.world.maker.filter(|_| wants_thin != self.thin) {
            let manager = self.world.position_manager;
            calls.push(if wants_thin {
                let data = withdraw_liquidity(maker, self.maker.address());
                Call::to("taking liquidity out", manager, data)
            } else {
                let (amount0, amount1) = amounts_of_liquidity(maker.liquidity, self.root_price);
                Call::to("putting liquidity back", manager, restore_liquidity(maker, amount0, amount1))
            });
            self.thin = wants_thin;
        }
        let target = sqrt_price_x96(moment.price, self.world.weth_is_token0());
        if matches!(self.market, Market::Still { .. }) || target == self.root_price {
            return calls;
        }
        calls.push(Call::to("moving the price", self.world.swap_router_02, self.swap_to(target)));
        calls
    }

    /// A swap that stops when the pool reaches `target`.
    fn swap_to(&self, target: U160) -> Vec<u8> {
        let (usdc, weth) = (self.world.usdc, self.world.weth);
        // Token0 in lowers the price, token1 in raises it.
        let raises = target > self.root_price;
        let weth_in = raises != self.world.weth_is_token0();
        let (token_in, token_out) = if weth_in { (weth, usdc) } else { (usdc, weth) };
        ISwapRouter02::exactInputSingleCall {
            params: ISwapRouter02::ExactInputSingleParams {
                tokenIn: token_in,
                tokenOut: token_out,
                fee: POOL_FEE.try_into().expect("a fee tier"),
                recipient: self.maker.address(),
                // The limit price ends the swap long before this; the router takes only what the pool asks.
                amountIn: U256::from(u128::MAX),
                amountOutMinimum: U256::ZERO,
                sqrtPriceLimitX96: target,
            },
        }
        .abi_encode()
    }

    fn describe(&self, mined: Mined, moment: Moment) -> Block {
        Block {
            number: mined.number,
            hash: mined.hash,
            time: mined.time,
            base_fee_wei: mined.base_fee_wei,
            gas_used: mined.gas_used,
            transactions: mined.transactions,
            price: self.price(),
            wanted: moment.price,
            depth: moment.depth,
            regime: moment.regime,
        }
    }

    async fn read_root_price(&mut self) -> Result<U160, DevnetError> {
        let pool = IUniswapV3Pool::new(self.world.pool, self.node.provider());
        match pool.slot0().call().await {
            Ok(slot) => Ok(slot.sqrtPriceX96),
            Err(error) => Err(self.node.explain(unreadable("slot0")(error)).await),
        }
    }

    const fn depth(&self) -> Depth {
        if self.thin { Depth::Thin } else { Depth::Deep }
    }

    /// What one WETH costs in the pool.
    #[must_use]
    pub fn price(&self) -> Usdc {
        usdc_per_weth(self.root_price, self.world.weth_is_token0())
    }

    /// Where everything stands.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Who lives here.
    #[must_use]
    pub const fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// The chain's time.
    #[must_use]
    pub const fn now(&self) -> UtcTime {
        self.blocks.now()
    }

    /// Where the chain answers.
    #[must_use]
    pub fn rpc_url(&self) -> &str {
        self.node.url()
    }

    /// anvil's process.
    #[must_use]
    pub const fn anvil_pid(&self) -> u32 {
        self.node.pid()
    }

    /// A connection for reading.
    #[must_use]
    pub const fn provider(&self) -> &RootProvider {
        self.node.provider()
    }

    /// What others are told of this devnet.
    #[must_use]
    pub fn running(&self) -> Running {
        Running {
            pid: std::process::id(),
            anvil_pid: self.anvil_pid(),
            rpc_url: self.rpc_url().to_owned(),
            chain_id: self.settings.chain_id,
            seed: self.settings.seed,
            market: self.settings.market.to_string(),
            block_seconds: self.settings.block_seconds,
            control: self.control,
            facilitator: self.facilitator.clone(),
            world: self.world.clone(),
        }
    }

    /// Says where blocks can be asked for.
    pub(crate) fn announce_control(&mut self, address: SocketAddr) -> Result<(), DevnetError> {
        self.control = Some(address);
        self._lock.announce(&self.running())
    }

    /// Says where a facilitator answers, to whoever looks for this devnet.
    ///
    /// # Errors
    /// The disk's.
    pub fn announce_facilitator(&mut self, url: String) -> Result<(), DevnetError> {
        self.facilitator = Some(url);
        self._lock.announce(&self.running())
    }

    /// Brings the chain's time up to `time` in one block in which nobody trades; a chain that is later stays as it is.
    /// Answers the time of the newest block.
    ///
    /// # Errors
    /// [`DevnetError::NodeDied`] when anvil has ended; other failures of the node.
    pub async fn catch_up(&mut self, time: UtcTime) -> Result<UtcTime, DevnetError> {
        let head = self.head().await?.time;
        match time.since(head).as_secs() {
            0 => Ok(head),
            seconds => {
                self.mine_still(seconds).await?;
                Ok(self.head().await?.time)
            }
        }
    }

    /// The newest block.
    pub(crate) async fn head(&mut self) -> Result<Head, DevnetError> {
        let Mined { number, hash, time, .. } = head(&mut self.node).await?;
        Ok(Head { number, hash, time })
    }

    /// Saves the chain so that [`Settings::resume`] goes on from here.
    ///
    /// # Errors
    /// The node's or the disk's.
    pub async fn save(&mut self) -> Result<(), DevnetError> {
        let place = Place::last(&self.settings.dir);
        self.save_to(&place).await
    }

    async fn save_to(&mut self, place: &Place) -> Result<(), DevnetError> {
        let saved = Saved {
            fingerprint: self.fingerprint,
            state_hash: B256::ZERO,
            world: self.world.clone(),
            genesis: self.settings.genesis,
            steps: self.steps,
            thin: self.thin,
        };
        place.save(&mut self.node, saved).await
    }

    /// Ends anvil and lets the folder go.
    ///
    /// # Errors
    /// [`DevnetError::WontStop`] when anvil does not end.
    pub async fn stop(self) -> Result<(), DevnetError> {
        self.node.stop().await
    }
}

fn node_settings(settings: &Settings, genesis: UtcTime, more: &[String]) -> NodeSettings {
    let mut arguments = vec![
        "--timestamp".to_owned(),
        genesis.seconds().to_string(),
        "--gas-limit".to_owned(),
        GAS_LIMIT.to_string(),
        "--accounts".to_owned(),
        "1".to_owned(),
    ];
    arguments.extend_from_slice(more);
    NodeSettings { port: settings.port, chain_id: settings.chain_id, arguments, dir: settings.dir.clone() }
}

/// A hash over everything that decides what a saved chain looks like.
fn fingerprint(settings: &Settings) -> Result<B256, DevnetError> {
    let artifacts = Artifacts::in_project(&project_root()?);
    let anvil = find_tool("anvil")?.version;
    let mut market = settings.market.to_string().into_bytes();
    if let Kind::Csv(path) = &settings.market {
        market.extend(std::fs::read(path).map_err(DevnetError::file("cannot read", path))?);
    }
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
    Ok(usdc_per_weth(slot.sqrtPriceX96, world.weth_is_token0()))
}
