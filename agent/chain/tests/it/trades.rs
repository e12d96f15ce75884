//! Trades of a living Golem on a real pool.

use golem_core::record::Order;
use golem_ports::{Act, Chain};
use golem_primitives::Usdc;

use crate::support::{CAPITAL, Golem};

/// what is seen is what was born, and a purchase is previewed, permitted, sent and verified.
#[tokio::test(flavor = "multi_thread")]
async fn r_010_a_purchase_lands_as_it_was_simulated() {
    let mut golem = Golem::born().await;
    let sight = golem.chain.sense().await.expect("seen");
    let vault = sight.vault.as_ref().expect("a vault");
    assert_eq!(vault.idle, CAPITAL);
    assert!(sight.market.price > Usdc::whole(2_900) && sight.market.twap.is_some());

    let spend = Usdc::whole(50);
    let record = golem.verified(Act::Trade(Order::Buy { spend, least: 1 })).await;
    assert!(record.receipt.success && record.is_hit(), "{record:#?}");
    assert_eq!(record.prediction.notional, spend);
    assert!(record.invariants.iter().all(|check| check.passed), "{:#?}", record.invariants);
    assert!(record.deviations.unexpected_logs.is_empty() && record.deviations.missing_expected_logs.is_empty());

    let after = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!(after.idle, CAPITAL.saturating_sub(spend));
    assert_eq!(after.held_cost, spend);
    assert!(after.held > 0);
}
