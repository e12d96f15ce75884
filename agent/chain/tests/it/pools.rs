//! P-057. A Golem with several pools of the local L2: one look, one vault, orders that name their pool.

use alloy::primitives::Address;
use golem_chain::bindings::IVault;
use golem_chain::{HandSettings, PoolBeside, PoolStay, Roster};
use golem_core::record::{MarketReading, Order, PoolAccess, Sight};
use golem_ports::{Act, Chain};
use golem_primitives::{PoolName, Usdc};

use crate::support::{CAPITAL, Golem, hand, still};

/// A Golem whose owner listed every pool of the devnet.
pub(crate) async fn born() -> Golem {
    let net = still().await;
    let pools = net.devnet.world().pools.clone();
    let mut golem = Golem::born_on(net, |order| {
        let listing = |subject, uses, priced_by| golem_chain::bindings::birth::IBirth::Listing {
            subject,
            uses,
            pricedBy: priced_by,
        };
        let weth = pools[0].token;
        for pool in &pools[1..] {
            order.listings.push(listing(pool.address, 16, Address::ZERO));
            if pool.token != weth {
                order.listings.push(listing(pool.token, 32, pool.address));
            }
        }
    })
    .await;
    golem.posting.home = pools[0].name;
    let beside = |pool: &golem_devnet::WorldPool| PoolBeside {
        name: pool.name,
        address: pool.address,
        token: pool.token,
        stay: PoolStay::Stays,
    };
    golem.posting.elsewhere = Roster { pools: pools[1..].iter().map(beside).collect() };
    golem.chain = hand(&golem.net.devnet, &golem.posting, HandSettings::default()).await;
    golem
}

/// P-057: what its owner says of its pools is followed at the next look: one that is opened is shown, with its token behind those
/// that were there; one that is to be left is shown as such; one that the vault does not list any more is closed, and its
/// vault refuses to swap there. What was said before the process began counts too.
#[tokio::test(flavor = "multi_thread")]
async fn p_057_a_look_follows_what_the_owner_says_of_pools() {
    let mut golem = born().await;
    let all = std::mem::take(&mut golem.posting.elsewhere);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pools.json");
    golem.posting.elsewhere = Roster { pools: all.pools[..1].to_vec() };
    golem.posting.roster = Some(path.clone());
    golem.chain = hand(&golem.net.devnet, &golem.posting, HandSettings::default()).await;
    let seen = |sight: &Sight| -> Vec<_> {
        sight.elsewhere.iter().map(|market| (market.pool.to_string(), market.token, market.access)).collect()
    };
    let (tier, ember) = ("weth-3000".to_owned(), "ember-3000".to_owned());
    let sight = golem.chain.sense().await.expect("seen");
    assert_eq!(seen(&sight), [(tier.clone(), 0, PoolAccess::Open)]);

    let mut roster = golem.posting.elsewhere.clone();
    roster.open(all.pools[1], |_| true).expect("room");
    roster.keep(&path).expect("said");
    let sight = golem.chain.sense().await.expect("seen");
    assert_eq!(seen(&sight), [(tier.clone(), 0, PoolAccess::Open), (ember.clone(), 1, PoolAccess::Open)]);
    let buy = Act::Trade(Order::Buy { pool: name(&ember), spend: Usdc::whole(20), least: 1 });
    assert!(golem.verified(buy.clone()).await.receipt.success);

    assert!(roster.leave(name(&tier)) && roster.leave(name(&ember)));
    roster.keep(&path).expect("said");
    let sight = golem.chain.sense().await.expect("seen");
    assert_eq!(seen(&sight), [(tier.clone(), 0, PoolAccess::Leaving), (ember.clone(), 1, PoolAccess::Leaving)]);

    let delisted = IVault::setListingsCall {
        listings: vec![IVault::Listing { subject: all.pools[1].address, uses: 0, pricedBy: Address::ZERO }],
    };
    golem.as_owner(&delisted).await;
    let sight = golem.chain.sense().await.expect("seen");
    assert_eq!(seen(&sight)[1], (ember.clone(), 1, PoolAccess::Closed));
    let held = sight.vault.expect("a vault").others[0].held;
    assert!(held > 0, "and what was bought there is still seen");
    let sell = Act::Trade(Order::Sell { pool: name(&ember), amount: held, least: Usdc::from_micros(1) });
    let reason = golem.refused(sell).await;
    assert!(reason.contains("NotListed"), "{reason}");

    std::fs::write(&path, "nonsense").expect("written");
    assert_eq!(seen(&golem.chain.sense().await.expect("seen")).len(), 2, "it goes on in the pools it has");
    roster.pools[0].stay = PoolStay::Left;
    roster.keep(&path).expect("said");
    golem.chain = hand(&golem.net.devnet, &golem.posting, HandSettings::default()).await;
    let sight = golem.chain.sense().await.expect("seen");
    assert_eq!(
        seen(&sight),
        [(ember, 1, PoolAccess::Closed)],
        "one that is left is not shown, and a token keeps its place"
    );
}

fn name(text: &str) -> PoolName {
    text.parse().expect("a name")
}

/// P-057: a look shows every listed pool at one block, each with its own price and fee, and which of the vault's tokens it
/// trades; an order moves the pool it names and no other.
#[tokio::test(flavor = "multi_thread")]
async fn p_057_a_look_reads_every_pool_at_one_block() {
    let mut golem = born().await;
    let sight = golem.chain.sense().await.expect("seen");
    let seen: Vec<_> = sight.markets().map(|market| (market.pool, market.token, market.fee_ppm)).collect();
    assert_eq!(seen, [(name("weth-500"), 0, 500), (name("weth-3000"), 0, 3_000), (name("ember-3000"), 1, 3_000)]);
    assert!(sight.markets().all(|market| market.twap.is_some() && market.liquidity > 0), "all of them are remembered");
    let [tier, ember] = [sight.elsewhere[0], sight.elsewhere[1]];
    let apart = tier.price.micros().abs_diff(sight.market.price.micros());
    assert!(apart * 100 < sight.market.price.micros(), "{} and {} are one pair", tier.price, sight.market.price);
    assert!(ember.price > Usdc::whole(100) && ember.price < Usdc::whole(400), "{}", ember.price);
    // Each token is counted and called as its own contract says.
    let told = |market: &MarketReading| (market.denomination.symbol.to_string(), market.denomination.decimals.get());
    assert_eq!([told(&tier), told(&ember)], [("WETH".to_owned(), 18), ("EMBR".to_owned(), 8)]);

    let buy = |pool: &str, usdc| Act::Trade(Order::Buy { pool: name(pool), spend: Usdc::whole(usdc), least: 1 });
    let record = golem.verified(buy("ember-3000", 40)).await;
    assert!(record.receipt.success && record.is_hit() && record.receipt.moved.token > 0, "{record:#?}");
    let record = golem.verified(buy("weth-3000", 30)).await;
    assert!(record.receipt.success && record.is_hit(), "{record:#?}");

    let sight = golem.chain.sense().await.expect("seen");
    let vault = sight.vault.as_ref().expect("a vault");
    assert_eq!(vault.idle, CAPITAL.saturating_sub(Usdc::whole(70)));
    assert_eq!((vault.held_cost, vault.others[0].cost), (Usdc::whole(30), Usdc::whole(40)));
    let worth = [sight.market.token_price().worth(vault.held), ember.token_price().worth(vault.others[0].held)];
    assert!(worth[0] > Usdc::whole(29) && worth[1] > Usdc::whole(39), "{worth:?} were bought for 30 and 40 USDC");
    assert!(worth[0] <= Usdc::whole(30) && worth[1] <= Usdc::whole(40), "{worth:?}");
    assert!(sight.elsewhere[1].price > ember.price, "what was bought there moved that pool");

    let sold = Order::Sell { pool: name("ember-3000"), amount: vault.others[0].held, least: Usdc::from_micros(1) };
    let record = golem.verified(Act::Trade(sold)).await;
    let lost = -record.receipt.realised_return_micros;
    assert!(record.is_hit() && (200_000..400_000).contains(&lost), "twice 0.3% of 40 USDC: {lost}");
    let after = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!((after.others[0].held, after.others[0].cost), (0, Usdc::ZERO));
    assert_eq!((after.held, after.held_cost), (vault.held, vault.held_cost), "the other token is as it was");

    let reason = golem.refused(Act::Trade(Order::Buy { pool: name("nowhere"), spend: Usdc::whole(5), least: 1 })).await;
    assert!(reason.contains("no pool nowhere"), "{reason}");
}
