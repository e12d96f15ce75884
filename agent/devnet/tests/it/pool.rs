//! The pool: it moves as the seed says, remembers, and quotes what it pays.

use alloy::primitives::{U160, U256};
use alloy::sol_types::SolCall;
use golem_devnet::market::{MarketKind, MarketRegime, PoolDepth, Process};
use golem_devnet::{DevnetSettings, Erc20, IQuoterV2, ISwapRouter02, IUniswapV3Pool};
use golem_primitives::Usdc;

use crate::support::{send, still, up};

const FEE: u32 = 500;

#[tokio::test]
async fn r_014_the_pool_price_follows_the_seed_block_by_block() {
    //
    let mut net = up(|s: &mut DevnetSettings| (s.market, s.seed) = (MarketKind::Mixed, 7)).await.expect("up");
    let mut process = Process::new(7, None, Usdc::whole(3_000));
    for _ in 0..105 {
        process.step(20);
    }
    for _ in 0..30 {
        let expected = process.step(2);
        let block = net.devnet.advance().await.expect("a block");
        assert_eq!(block.price, expected.price, "block {}", block.number);
        assert_eq!(block.base_fee_wei, expected.base_fee_wei);
        assert_eq!((block.depth, block.regime), (expected.depth, expected.regime));
    }
}

#[tokio::test]
async fn a_history_in_a_file_is_traded_row_by_row() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("prices.csv");
    std::fs::write(&path, "price\n2500\n2600.25\n2400\n").expect("written");
    let mut net = up(|s| s.market = MarketKind::Csv(path)).await.expect("up");
    assert_eq!(net.devnet.price(), Usdc::whole(2_500), "the pool opens at the first row");
    let mut prices = Vec::new();
    for _ in 0..4 {
        prices.push(net.devnet.advance().await.expect("a block").price.to_string());
    }
    assert_eq!(prices, ["2500.00 USDC", "2600.25 USDC", "2400.00 USDC", "2400.00 USDC"]);
}

#[tokio::test]
async fn the_pool_remembers_half_an_hour_and_has_room_for_as_long_when_every_block_trades() {
    let mut net = up(|s| s.market = MarketKind::Only(MarketRegime::Range)).await.expect("up");
    net.devnet.advance().await.expect("a block");
    let pool = IUniswapV3Pool::new(net.devnet.world().pool, net.devnet.provider());
    let slot = pool.slot0().call().await.expect("answered");
    assert!(slot.observationCardinality > 1_800 / 2, "{}", slot.observationCardinality);
    let observed = pool.observe(vec![1_800, 0]).call().await.expect("thirty minutes are covered");
    let mean = (i64::try_from(observed.tickCumulatives[1] - observed.tickCumulatives[0]).expect("fits")) / 1_800;
    assert!((mean - i64::from(slot.tick.as_i32())).abs() < 500, "a half-hour mean near the price");
}

#[tokio::test]
async fn a_quote_equals_the_swap_in_an_otherwise_still_block() {
    let mut net = still().await;
    let net = &mut net.devnet;
    let world = net.world().clone();
    let stranger = net.accounts().strangers[0].clone();
    let amount = U256::from(25_000 * Usdc::UNIT);
    let approve = Erc20::approveCall { spender: world.swap_router_02, value: amount }.abi_encode();
    assert!(send(net, &stranger, world.usdc, approve).await.status());

    let quoter = IQuoterV2::new(world.quoter_v2, net.provider().clone());
    let quote = quoter
        .quoteExactInputSingle(IQuoterV2::QuoteExactInputSingleParams {
            tokenIn: world.usdc,
            tokenOut: world.weth,
            amountIn: amount,
            fee: FEE.try_into().expect("a tier"),
            sqrtPriceLimitX96: U160::ZERO,
        })
        .call()
        .await
        .expect("quoted");
    let swap = ISwapRouter02::exactInputSingleCall {
        params: ISwapRouter02::ExactInputSingleParams {
            tokenIn: world.usdc,
            tokenOut: world.weth,
            fee: FEE.try_into().expect("a tier"),
            recipient: stranger.address,
            amountIn: amount,
            amountOutMinimum: quote.amountOut,
            sqrtPriceLimitX96: U160::ZERO,
        },
    };
    let weth = Erc20::new(world.weth, net.provider().clone());
    let before = weth.balanceOf(stranger.address).call().await.expect("answered");
    assert!(send(net, &stranger, world.swap_router_02, swap.abi_encode()).await.status());
    let got = weth.balanceOf(stranger.address).call().await.expect("answered") - before;
    assert_eq!(got, quote.amountOut);
    assert!(net.price() > Usdc::whole(3_000), "buying WETH raised its price");
}

#[tokio::test]
async fn thin_liquidity_takes_nine_tenths_out_and_brings_them_back() {
    // A long step makes a spell of thin liquidity begin and end within a few blocks.
    let mut net = up(|s| (s.block_seconds, s.seed) = (3_600, 11)).await.expect("up");
    let pool_address = net.devnet.world().pool;
    let mut seen = [None, None];
    let mut prices_met = true;
    for _ in 0..400 {
        let block = net.devnet.advance().await.expect("a block");
        prices_met &= block.price == block.wanted;
        let pool = IUniswapV3Pool::new(pool_address, net.devnet.provider());
        let liquidity = pool.liquidity().call().await.expect("answered");
        seen[usize::from(block.depth == PoolDepth::Thin)] = Some(liquidity);
        let was_thin = seen[1].is_some();
        if was_thin && block.depth == PoolDepth::Deep {
            break;
        }
    }
    let [Some(deep), Some(thin)] = seen else { panic!("both depths within 400 hours: {seen:?}") };
    assert!(prices_met, "the price was met in deep and thin water");
    let share = thin as f64 / deep as f64;
    assert!((share - 0.1).abs() < 0.001, "{thin} of {deep}");
}
