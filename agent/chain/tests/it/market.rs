//! A pool that others move.

use golem_core::record::{Order, OutcomeResult};
use golem_devnet::market::MarketKind;
use golem_ports::{Act, Chain, Progress};
use golem_primitives::{Bps, PoolName, Usdc};

use crate::support::{CAPITAL, Golem, up};

/// R-011, M-072, M-076: the market trades first in every block, so nothing lands exactly as it was simulated; what is
/// recorded is what the vault has.
#[tokio::test(flavor = "multi_thread")]
async fn r_011_records_hold_on_a_pool_that_moves() {
    let net = up(|settings| settings.market = MarketKind::Mixed).await;
    let mut golem = Golem::born_on(net, |_| {}).await;
    let (mut records, mut refused) = (Vec::new(), 0);
    for round in 0..24u32 {
        let sight = golem.chain.sense().await.expect("seen");
        let (market, vault) = (sight.market, sight.vault.expect("a vault"));
        let buys = vault.held == 0 || round % 3 == 0;
        let order = if buys {
            let fair = u128::from(Usdc::whole(10).micros()) * 10u128.pow(18) / u128::from(market.price.micros());
            Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(10), least: fair * 99 / 100 }
        } else {
            Order::Sell { pool: PoolName::HOME, amount: vault.held / 2, least: Usdc::from_micros(1) }
        };
        let errand = golem.errand(Act::Trade(order));
        let outcome = loop {
            match golem.step(&errand).await {
                Progress::Done(outcome) => break *outcome,
                Progress::Pending => {
                    golem.net.devnet.advance().await.expect("mined");
                }
            }
        };
        match outcome.result {
            OutcomeResult::Verified(record) => records.push((order, *record)),
            OutcomeResult::Refused { .. } => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(records.len() >= 20 && refused <= 4, "{} landed, {refused} refused", records.len());
    for (order, record) in &records {
        assert!(record.receipt.success && record.invariants.iter().all(|check| check.passed), "{record:#?}");
        assert!(record.deviations.unexpected_logs.is_empty() && record.deviations.missing_expected_logs.is_empty());
        // What moved is within 50 bps of what was foreseen, whatever the little that was gained or lost is.
        let moved = record.deviations.balance_change_bps.values();
        assert!(moved.clone().count() == 2 && moved.clone().all(|bps| is_hit(*bps)), "{order:?}: {record:#?}");
    }
    // What the sales realised is what the books moved by, to the last micro-USDC.
    let sales = records.iter().filter(|(order, _)| matches!(order, Order::Sell { .. }));
    let realised: i64 = sales.map(|(_, record)| record.receipt.realised_return_micros).sum();
    let vault = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    let booked = vault.idle.saturating_add(vault.held_cost).micros();
    assert_eq!(i64::try_from(booked).expect("small") - i64::try_from(CAPITAL.micros()).expect("small"), realised);
}

/// M-076.
fn is_hit(deviation: Bps) -> bool {
    deviation.is_within(Bps::from(50))
}
