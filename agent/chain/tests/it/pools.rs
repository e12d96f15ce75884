//! P-057. A Golem with several pools of the local L2: one look, one vault, orders that name their pool.

use alloy::primitives::Address;
use golem_chain::{HandSettings, ListedPool};
use golem_core::record::Order;
use golem_ports::{Act, Chain};
use golem_primitives::{PoolName, Usdc};

use crate::support::{CAPITAL, Golem, hand, still};

/// A Golem whose owner listed every pool of the devnet.
async fn born() -> Golem {
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
    golem.posting.elsewhere =
        pools[1..].iter().map(|pool| ListedPool { name: pool.name, address: pool.address }).collect();
    golem.chain = hand(&golem.net.devnet, &golem.posting, HandSettings::default()).await;
    golem
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

    let buy = |pool: &str, usdc| Act::Trade(Order::Buy { pool: name(pool), spend: Usdc::whole(usdc), least: 1 });
    let record = golem.verified(buy("ember-3000", 40)).await;
    assert!(record.receipt.success && record.is_hit() && record.receipt.moved.token > 0, "{record:#?}");
    let record = golem.verified(buy("weth-3000", 30)).await;
    assert!(record.receipt.success && record.is_hit(), "{record:#?}");

    let sight = golem.chain.sense().await.expect("seen");
    let vault = sight.vault.as_ref().expect("a vault");
    assert_eq!(vault.idle, CAPITAL.saturating_sub(Usdc::whole(70)));
    assert_eq!((vault.held_cost, vault.others[0].cost), (Usdc::whole(30), Usdc::whole(40)));
    assert!(vault.held > 0 && vault.others[0].held > 0);
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
