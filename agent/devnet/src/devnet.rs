//! The devnet itself: up, one block after another, down.

use std::net::SocketAddr;

use alloy::primitives::{Address, B256, U160, U256};
use alloy::providers::RootProvider;
use alloy::sol_types::SolCall;
use golem_primitives::{Usdc, UtcTime};
use serde::Serialize;

use crate::accounts::Accounts;
use crate::bindings::{ISwapRouter02, IUniswapV3Pool};
use crate::blocks::{Blocks, Mined, head};
use crate::control::HeadAnswer;
use crate::error::DevnetError;
use crate::lock::{Lock, Running, is_free};
use crate::market::{Market, MarketMoment, MarketRegime, PoolDepth};
use crate::node::Node;
use crate::price::amounts_of_liquidity;
use crate::sender::{Call, Sender};
use crate::state::{Place, Saved};
use crate::world::{POOL_FEE, World, restore_liquidity, unreadable, withdraw_liquidity};
use beside::Beside;
use start::fingerprint;

mod beside;
mod settings;
mod start;

pub use settings::{DevnetSettings, Fork, StartStage, check_chain_id};

/// What WETH costs when the pool opens.
const START_PRICE: Usdc = Usdc::whole(3_000);

/// A produced block.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Block {
    pub number: u64,
    pub hash: B256,
    pub time: UtcTime,
    pub base_fee_wei: u64,
    pub gas_used: u64,
    pub transactions: usize,
    /// What one WETH costs in the pool after it.
    pub price: Usdc,
    /// What the market wanted it to cost.
    pub wanted: Usdc,
    /// How deep the pool is.
    pub depth: PoolDepth,
    pub regime: Option<MarketRegime>,
}

/// A running local L2.
#[derive(Debug)]
pub struct Devnet {
    node: Node,
    blocks: Blocks,
    world: World,
    accounts: Accounts,
    settings: DevnetSettings,
    fingerprint: B256,
    market: Market,
    maker: Sender,
    root_price: U160,
    /// P-057. The pools beside the first, and what moves them.
    beside: Vec<Beside>,
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
    pub async fn up(settings: DevnetSettings, progress: &mut dyn FnMut(StartStage)) -> Result<Self, DevnetError> {
        check_chain_id(settings.chain_id)?;
        is_free(&settings)?;
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
        net.read_prices().await?;
        net._lock.announce(&net.running())?;
        progress(StartStage::Ready);
        Ok(net)
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
    pub async fn mine_still(&mut self, seconds: u64) -> Result<Block, DevnetError> {
        let base_fee_wei = head(&mut self.node).await?.base_fee_wei;
        let price = self.price();
        let moment = MarketMoment { price, base_fee_wei, depth: self.depth(), regime: None };
        let mined = self.blocks.mine(&mut self.node, seconds, base_fee_wei).await?;
        self.read_prices().await?;
        Ok(self.describe(mined, moment))
    }

    async fn produce(&mut self, seconds: u64, live: bool) -> Result<Block, DevnetError> {
        let price = self.price();
        let moment = self.market.step(seconds, live, price);
        let mut calls = self.trades(moment);
        calls.extend(self.trades_beside(moment, seconds));
        for call in calls {
            self.maker.submit(&mut self.node, &call).await?;
        }
        let mined = self.blocks.mine(&mut self.node, seconds, moment.base_fee_wei).await?;
        self.read_prices().await?;
        Ok(self.describe(mined, moment))
    }

    /// What the market does to bring the pool where `moment` wants it.
    fn trades(&mut self, moment: MarketMoment) -> Vec<Call> {
        let mut calls = Vec::with_capacity(2);
        let wants_thin = moment.depth == PoolDepth::Thin;
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
        let target = self.world.weth_pairing().root_price(moment.price);
        if matches!(self.market, Market::Still { .. }) || target == self.root_price {
            return calls;
        }
        let data = self.swap_to(self.world.weth, POOL_FEE, self.root_price, target);
        calls.push(Call::to("moving the price", self.world.swap_router_02, data));
        calls
    }

    /// P-057. What the market does in the pools beside: another tier of the pair follows its price once that is worth the
    /// tier's fee, and the second token has a price of its own.
    fn trades_beside(&mut self, moment: MarketMoment, seconds: u64) -> Vec<Call> {
        if matches!(self.market, Market::Still { .. }) {
            return Vec::new();
        }
        let wanted: Vec<Option<Usdc>> = self.beside.iter_mut().map(|beside| beside.wanted(moment, seconds)).collect();
        let mut calls = Vec::new();
        for (beside, wanted) in self.beside.iter().zip(wanted) {
            let Some(target) = wanted.and_then(|wanted| beside.target(wanted, &self.world)) else { continue };
            let data = self.swap_to(beside.pool.token, beside.pool.fee_ppm, beside.root_price, target);
            calls.push(Call::to("moving the price beside", self.world.swap_router_02, data));
        }
        calls
    }

    /// A swap that stops when the pool of a token reaches `target`.
    fn swap_to(&self, token: Address, fee: u32, root_price: U160, target: U160) -> Vec<u8> {
        let usdc = self.world.usdc;
        // Token0 in lowers the price, token1 in raises it.
        let raises = target > root_price;
        let is_sold = raises != (token < usdc);
        let (token_in, token_out) = if is_sold { (token, usdc) } else { (usdc, token) };
        ISwapRouter02::exactInputSingleCall {
            params: ISwapRouter02::ExactInputSingleParams {
                tokenIn: token_in,
                tokenOut: token_out,
                fee: fee.try_into().expect("a fee tier"),
                recipient: self.maker.address(),
                // The limit price ends the swap long before this; the router takes only what the pool asks.
                amountIn: U256::from(u128::MAX),
                amountOutMinimum: U256::ZERO,
                sqrtPriceLimitX96: target,
            },
        }
        .abi_encode()
    }

    fn describe(&self, mined: Mined, moment: MarketMoment) -> Block {
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

    /// Where every pool stands.
    async fn read_prices(&mut self) -> Result<(), DevnetError> {
        self.root_price = self.read_root_price(self.world.pool).await?;
        for at in 0..self.beside.len() {
            self.beside[at].root_price = self.read_root_price(self.beside[at].pool.address).await?;
        }
        Ok(())
    }

    async fn read_root_price(&mut self, pool: Address) -> Result<U160, DevnetError> {
        let pool = IUniswapV3Pool::new(pool, self.node.provider());
        match pool.slot0().call().await {
            Ok(slot) => Ok(slot.sqrtPriceX96),
            Err(error) => Err(self.node.explain(unreadable("slot0")(error)).await),
        }
    }

    const fn depth(&self) -> PoolDepth {
        if self.thin { PoolDepth::Thin } else { PoolDepth::Deep }
    }

    /// What one WETH costs in the pool.
    #[must_use]
    pub fn price(&self) -> Usdc {
        self.world.weth_pairing().price(self.root_price)
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
    pub(crate) async fn head(&mut self) -> Result<HeadAnswer, DevnetError> {
        let Mined { number, hash, time, .. } = head(&mut self.node).await?;
        Ok(HeadAnswer { number, hash, time })
    }

    /// Saves the chain so that [`DevnetSettings::resume`] goes on from here.
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
    pub async fn stop(self) -> Result<(), DevnetError> {
        self.node.stop().await
    }
}
