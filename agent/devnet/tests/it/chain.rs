//! Determinism, saving, forking.

use alloy::primitives::{Address, U256, b256, keccak256};
use alloy::providers::Provider;
use golem_devnet::market::{MarketKind, MarketRegime};
use golem_devnet::{Devnet, DevnetSettings, Erc20, Fork, IMulticall3, World, is_free};

use crate::support::{still, up};

async fn hashes(net: &mut Devnet, count: usize) -> Vec<String> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(net.advance().await.expect("a block").hash.to_string());
    }
    all
}

#[tokio::test]
async fn equal_seeds_give_equal_block_hashes_and_other_seeds_do_not() {
    let volatile =
        |seed| move |s: &mut DevnetSettings| (s.market, s.seed) = (MarketKind::Only(MarketRegime::Volatile), seed);
    let mut first = up(volatile(7)).await.expect("up");
    let mut again = up(volatile(7)).await.expect("up");
    let mut other = up(volatile(8)).await.expect("up");
    let one = hashes(&mut first.devnet, 20).await;
    assert_eq!(one, hashes(&mut again.devnet, 20).await);
    assert_ne!(one, hashes(&mut other.devnet, 20).await);
}

#[tokio::test]
async fn a_cached_world_goes_on_exactly_like_the_one_it_was_saved_from() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut stages = Vec::new();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let mut net =
            Devnet::up(DevnetSettings::new(dir.path()), &mut |s| stages.push(s.to_string())).await.expect("up");
        runs.push(hashes(&mut net, 5).await);
        net.stop().await.expect("stopped");
    }
    assert_eq!(runs[0], runs[1]);
    assert_eq!(stages.iter().filter(|s| s.contains("deploying")).count(), 1, "built once: {stages:?}");
    assert_eq!(stages.iter().filter(|s| s.contains("loading")).count(), 1, "loaded once: {stages:?}");
}

#[tokio::test]
async fn a_resumed_chain_equals_one_that_never_stopped() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut settings = DevnetSettings::new(dir.path());
    settings.market = MarketKind::Only(MarketRegime::Volatile);
    let mut net = Devnet::up(settings.clone(), &mut |_| {}).await.expect("up");
    hashes(&mut net, 3).await;
    net.save().await.expect("saved");
    let unbroken = hashes(&mut net, 5).await;
    let stopping = net.stop();
    assert!(is_free(&settings).is_err(), "the folder is held until anvil has ended");
    stopping.await.expect("stopped");
    is_free(&settings).expect("and then let go");

    settings.resume = true;
    let mut net = Devnet::up(settings, &mut |_| {}).await.expect("resumed");
    assert_eq!(hashes(&mut net, 5).await, unbroken);
}

#[tokio::test]
async fn the_world_stands_where_every_devnet_has_it_with_the_canonical_parts() {
    let net = still().await;
    let world = net.devnet.world();
    let (maker, suite, pools) = (world.maker, world.suite, world.pools.clone());
    let predicted = World { maker, suite, pools, ..World::of_devnet(world.pool) };
    assert_eq!(*world, predicted);
    let provider = net.devnet.provider();
    for (what, address) in world.parts() {
        assert!(!provider.get_code_at(address).await.expect("answered").is_empty(), "{what} at {address}");
    }
    let create2 = keccak256(provider.get_code_at(world.create2_deployer).await.expect("answered"));
    assert_eq!(create2, b256!("0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989"));
    let multicall = IMulticall3::new(world.multicall3, provider);
    let head = provider.get_block_number().await.expect("answered");
    assert_eq!(multicall.getBlockNumber().call().await.expect("answered"), U256::from(head));
    assert_eq!(net.devnet.running().chain_id, provider.get_chain_id().await.expect("answered"));
}

#[tokio::test]
async fn a_fork_of_a_devnet_and_a_fork_of_that_fork_live_on_their_own() {
    let mut origin = still().await;
    let fork_of = |url: String| {
        move |s: &mut DevnetSettings| {
            s.market = MarketKind::Only(MarketRegime::TrendUp);
            s.fork = Some(Fork { url, block: None });
        }
    };
    let mut fork = up(fork_of(origin.devnet.rpc_url().to_owned())).await.expect("a fork");
    let mut second = up(fork_of(fork.devnet.rpc_url().to_owned())).await.expect("a fork of a fork");

    let before = origin.devnet.price();
    assert_eq!(fork.devnet.price(), before);
    let mut last = None;
    for _ in 0..10 {
        last = Some(second.devnet.advance().await.expect("a block"));
        fork.devnet.advance().await.expect("a block");
    }
    let last = last.expect("ten blocks");
    assert_eq!(last.price, last.wanted, "the market moves the forked pool");
    assert_ne!(second.devnet.price(), before);
    assert_eq!(origin.devnet.mine_still(2).await.expect("a block").price, before, "the origin is untouched");

    let owner = second.devnet.accounts().owner.address;
    let usdc = Erc20::new(second.devnet.world().usdc, second.devnet.provider());
    let dealt = usdc.balanceOf(owner).call().await.expect("answered");
    assert_eq!(dealt, U256::from(1_000_000_000_000_u64), "dealt by storage write");
    assert_eq!(usdc.balanceOf(Address::repeat_byte(9)).call().await.expect("answered"), U256::ZERO);
}
