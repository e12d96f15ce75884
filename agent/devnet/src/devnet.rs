//! The devnet itself: up, one block after another, down.

use std::net::SocketAddr;

use alloy::primitives::{Address, B256, U160, U256};
use alloy::providers::RootProvider;
use alloy::sol_types::SolCall;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, LocalBoxFuture};
use golem_primitives::{Usdc, UtcTime};
use serde::Serialize;

use crate::accounts::Accounts;
use crate::bindings::{IMulticall3, ISwapRouter02, IUniswapV3Pool};
use crate::blocks::{Blocks, Mined};
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
use start::{HISTORY_STEP_SECONDS, HISTORY_STEPS, fingerprint};

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

/// Where the market wants its pools.
#[derive(Debug)]
struct Wish {
    moment: MarketMoment,
    beside: Vec<Option<Usdc>>,
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
    pub fn up(
        settings: DevnetSettings,
        progress: &mut dyn FnMut(StartStage),
    ) -> LocalBoxFuture<'_, Result<Self, DevnetError>> {
        async move {
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
        .boxed_local()
    }

    /// Produces the next block, the market's trade first in it.
    ///
    /// # Errors
    /// [`DevnetError::NodeDied`] when anvil has ended; other failures of the node.
    pub fn advance(&mut self) -> BoxFuture<'_, Result<Block, DevnetError>> {
        async move {
            self.steps += 1;
            self.produce(self.settings.block_seconds, true).await
        }
        .boxed()
    }

    /// Produces one empty-handed block: time passes, the market does not trade.
    pub fn mine_still(&mut self, seconds: u64) -> BoxFuture<'_, Result<Block, DevnetError>> {
        async move {
            self.blocks.follow(&mut self.node).await?;
            let base_fee_wei = self.blocks.head().base_fee_wei;
            let price = self.price();
            let moment = MarketMoment { price, base_fee_wei, depth: self.depth(), regime: None };
            let mined = self.blocks.mine(&mut self.node, seconds, base_fee_wei).await?;
            self.read_prices().await?;
            Ok(self.describe(mined, moment))
        }
        .boxed()
    }

    async fn produce(&mut self, seconds: u64, live: bool) -> Result<Block, DevnetError> {
        let wish = self.wish(seconds, live);
        self.fulfil(&wish, seconds).await
    }

    /// The pools' past, as dense as blocks will come. The market takes the same steps whatever that is, so that it goes on the same
    /// way on chains of all paces.
    async fn remember(&mut self) -> Result<(), DevnetError> {
        let apart = self.settings.block_seconds.div_ceil(HISTORY_STEP_SECONDS).max(1);
        let mut waited = 0;
        for step in 1..=HISTORY_STEPS {
            waited += HISTORY_STEP_SECONDS;
            let wish = self.wish(HISTORY_STEP_SECONDS, false);
            if step.is_multiple_of(apart) || step == HISTORY_STEPS {
                self.fulfil(&wish, std::mem::take(&mut waited)).await?;
            }
        }
        Ok(())
    }

    /// What the market wants after `seconds` more.
    fn wish(&mut self, seconds: u64, live: bool) -> Wish {
        let price = self.price();
        let moment = self.market.step(seconds, live, price);
        let beside = self.beside.iter_mut().map(|beside| beside.wanted(moment, seconds)).collect();
        Wish { moment, beside }
    }

    /// Trades for it in one block.
    async fn fulfil(&mut self, wish: &Wish, seconds: u64) -> Result<Block, DevnetError> {
        let moment = wish.moment;
        let mut calls = self.trades(moment);
        calls.extend(self.trades_beside(&wish.beside));
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
    fn trades_beside(&self, wanted: &[Option<Usdc>]) -> Vec<Call> {
        if matches!(self.market, Market::Still { .. }) {
            return Vec::new();
        }
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
        let pools = [self.world.pool].into_iter().chain(self.beside.iter().map(|beside| beside.pool.address));
        let slot0 = |target| IMulticall3::Call3 {
            target,
            allowFailure: false,
            callData: IUniswapV3Pool::slot0Call {}.abi_encode().into(),
        };
        let multicall = IMulticall3::new(self.world.multicall3, self.node.provider());
        let said = match multicall.aggregate3(pools.map(slot0).collect()).call().await {
            Ok(said) => said,
            Err(error) => return Err(self.node.explain(unreadable("slot0")(error)).await),
        };
        let prices = said.iter().map(|one| IUniswapV3Pool::slot0Call::abi_decode_returns(&one.returnData));
        let prices: Result<Vec<U160>, _> = prices.map(|slot| slot.map(|slot| slot.sqrtPriceX96)).collect();
        let prices = prices.map_err(|error| DevnetError::Unreadable {
            what: "slot0 of every pool".to_owned(),
            detail: error.to_string(),
        })?;
        let all = [&mut self.root_price].into_iter().chain(self.beside.iter_mut().map(|beside| &mut beside.root_price));
        all.zip(prices).for_each(|(root_price, now)| *root_price = now);
        Ok(())
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
        self.blocks.head().time
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
        if time > self.now() {
            self.mine_still(time.since(self.now()).as_secs()).await?;
        }
        Ok(self.now())
    }

    /// The newest block, also where somebody mined it by hand.
    pub(crate) async fn newest(&mut self) -> Result<HeadAnswer, DevnetError> {
        self.blocks.follow(&mut self.node).await?;
        let Mined { number, hash, time, .. } = self.blocks.head();
        Ok(HeadAnswer { number, hash, time })
    }

    /// Saves the chain so that [`DevnetSettings::resume`] goes on from here.
    pub fn save(&mut self) -> BoxFuture<'_, Result<(), DevnetError>> {
        async move {
            let place = Place::last(&self.settings.dir);
            self.save_to(&place).await
        }
        .boxed()
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
    pub fn stop(self) -> BoxFuture<'static, Result<(), DevnetError>> {
        async move {
            // Named, or only the node would be taken along and the folder be let go before anvil has ended.
            let Self { node, _lock: lock, .. } = self;
            let ended = node.stop().await;
            drop(lock);
            ended
        }
        .boxed()
    }
}
