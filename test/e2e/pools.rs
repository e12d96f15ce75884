//! P-057. A life on the local L2 that trades in the pool its rule names.

use golem_core::record::{Order, OutcomeResult};
use golem_store::SqliteStore;

use crate::world::{Ground, Nature, Town};

/// P-057: a book that speaks of the second token's pool buys and sells there, on chain, and nowhere else; its life is lived
/// again to the same hashes.
#[tokio::test(flavor = "multi_thread")]
async fn p_057_a_life_trades_in_the_pool_its_rule_names() {
    let town = Town::up(Ground::default()).await;
    let born = town.birth("ember", &Nature { book: "ember", everywhere: true, ..Nature::default() }).await;
    let life = town.live_to(&born, 60).await;
    let store = SqliteStore::open(&born.store(), Some(&born.id)).expect("its memory");
    let trades = store.reader().trades(0, 100).expect("read");
    let landed: Vec<Order> = trades
        .iter()
        .filter(|trade| matches!(&trade.outcome.result, OutcomeResult::Verified(record) if record.receipt.success))
        .map(|trade| trade.order)
        .collect();
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
    town.assert_sent_once(&born).await;
}
