//! P-057. A life on the local L2 that trades in the pool its rule names.

use golem_core::record::{Order, OutcomeResult};
use golem_core::trade::TokenPrice;

use crate::world::{Born, Ground, Nature, Town};

/// P-057: a book that speaks of the second token's pool buys and sells there, on chain, and nowhere else. At its owner's word
/// the living Golem leaves that pool, and takes it up again; its life is lived again to the same hashes.
#[tokio::test(flavor = "multi_thread")]
async fn p_057_a_life_trades_in_the_pool_its_rule_names() {
    let (town, born) =
        Town::with(Ground::default(), "ember", &Nature { book: "ember", everywhere: true, ..Nature::default() }).await;
    let life = town.live_to(&born, 60).await;
    let store = born.memory();
    let trades = store.reader().trades(0, 100).expect("read");
    let verified = trades.iter().map(|trade| (trade.order, &trade.outcome.result));
    let landed = each!(verified, (order, OutcomeResult::Verified(record)) if record.receipt.success => (order, record.receipt.moved));
    // The second token has eight decimals: what moved is worth what was paid for it, less the fee and the impact.
    for (order, moved) in &landed {
        assert_eq!((moved.denomination.symbol.as_str(), moved.denomination.decimals.get()), ("EMBR", 8), "{order:?}");
        let price = TokenPrice { whole: moved.price, decimals: moved.denomination.decimals };
        let (worth, paid) = (price.worth(moved.token.unsigned_abs()).micros(), moved.usdc_micros.unsigned_abs());
        assert!(worth.abs_diff(paid) < paid / 50, "{order:?}: {worth} for {paid} micro-USDC");
    }
    let landed: Vec<Order> = landed.into_iter().map(|(order, _)| order).collect();
    assert!(landed.len() >= 4, "{trades:#?}");
    assert!(landed.iter().all(|order| order.pool().as_str() == "ember-3000"), "{landed:?}");
    for raises in [true, false] {
        assert!(landed.iter().any(|order| order.raises_exposure() == raises), "{landed:?}");
    }
    let trader = life.trader().expect("a hand");
    let names: Vec<String> = trader.pool_names().map(|pool| pool.to_string()).collect();
    assert_eq!(names, ["weth-500", "weth-3000", "ember-3000"]);
    assert!(trader.ledger().earned().closed > 0, "its round trips are booked");
    let sight = trader.sight().expect("seen");
    assert_eq!(sight.vault.as_ref().expect("a vault").held, 0, "nothing of the home pool's token");
    drop(store);

    // Its owner lets it leave the pool, and takes it off its vault's list when nothing is held there.
    let pool = "ember-3000";
    let says = async |word: &str, more: &[&str]| {
        let (is_well, complaint) = town.says(&[&["owner", "pools", word, "ember", pool], more].concat()).await;
        assert!(is_well, "{word}: {complaint}");
    };
    says("leave", &[]).await;
    let life = town.live_to(&born, 72).await;
    let trader = life.trader().expect("a hand");
    assert!(trader.pool_names().all(|known| known.as_str() != pool), "left");
    assert_eq!(trader.sight().and_then(|sight| sight.vault.as_ref()).expect("seen").others[0].held, 0, "and sold");
    says("remove", &["--yes"]).await;
    let before = landed_in(&born, pool);
    let life = town.live_to(&born, 80).await;
    assert_eq!(landed_in(&born, pool), before, "nothing is traded there");
    assert!(life.trader().expect("a hand").pool_names().all(|known| known.as_str() != pool));
    // And back again: it trades there once more, by the same rule.
    says("add", &["--yes"]).await;
    let life = town.live_to(&born, 100).await;
    assert!(life.trader().expect("a hand").pool_names().any(|known| known.as_str() == pool), "taken up");
    assert!(landed_in(&born, pool) > before, "and traded in");
    assert_eq!(born.replayed().hash(), life.hash(), "the same journal gives the same life");
    town.assert_sent_once(&born).await;
}

/// How many trades landed in a pool.
fn landed_in(born: &Born, pool: &str) -> usize {
    let store = born.memory();
    let trades = store.reader().trades(0, 1_000).expect("read");
    let landed = trades.iter().filter(|trade| {
        let is_landed = matches!(&trade.outcome.result, OutcomeResult::Verified(record) if record.receipt.success);
        is_landed && trade.order.pool().as_str() == pool
    });
    landed.count()
}
