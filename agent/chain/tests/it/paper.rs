//! A Golem on paper.

use alloy::providers::Provider;
use golem_chain::{OnPaper, PostingError};
use golem_core::record::{Order, OutcomeResult};
use golem_devnet::Devnet;
use golem_ports::{Act, Chain, Errand, Progress};
use golem_primitives::{EffectId, GolemId, Tick, Usdc};

use crate::support::{Ledger, deployment, endpoints, still};

async fn drive(paper: &OnPaper, ledger: &mut Ledger, act: Act) -> OutcomeResult {
    let golem = GolemId::new("paper").expect("a name");
    let effect = EffectId::derive(&golem, Tick::new(1), 0, 0);
    let errand = Errand { effect, tick: Tick::new(1), act, budget: Usdc::ZERO };
    match paper.drive(&errand, ledger).await.expect("driven") {
        Progress::Done(outcome) => {
            assert_eq!((outcome.effect, outcome.cost), (effect, None), "paper costs nothing");
            outcome.result
        }
        Progress::Pending => panic!("paper waits for nothing"),
    }
}

async fn count(net: &Devnet) -> u64 {
    net.provider()
        .get_block_transaction_count_by_number("pending".parse().expect("a block"))
        .await
        .expect("answered")
        .unwrap_or(0)
}

/// the market is seen, a trade is quoted, nothing is sent and nothing is signed.
#[tokio::test(flavor = "multi_thread")]
async fn r_013_paper_quotes_and_never_sends() {
    let net = still().await.devnet;
    let here = deployment(&net);
    let pool = net.world().pool;
    let paper = OnPaper::sit_down(endpoints(&net).await, here.clone(), pool).await.expect("seated");
    let sight = paper.sense().await.expect("seen");
    assert!(sight.vault.is_none() && sight.market.price == net.price() && sight.market.twap.is_some());
    assert_eq!(sight.market.fee_ppm, 500);
    let (number, _) = paper.roll_block(Tick::new(7)).await.expect("a block");
    assert_eq!(number, sight.block.number - 2);

    let mut ledger = Ledger::default();
    let bought = drive(&paper, &mut ledger, Act::Trade(Order::Buy { spend: Usdc::whole(300), least: 1 })).await;
    let OutcomeResult::Simulated(moved) = bought else { panic!("{bought:?}") };
    let (token, paid) = (moved.token, moved.usdc_micros);
    assert_eq!(paid, -300_000_000);
    let expected = 300_000_000i128 * 1_000_000_000_000_000_000 / i128::from(net.price().micros());
    assert!(token > expected * 998 / 1_000 && token < expected, "{token} of {expected}");
    let amount = u128::try_from(token).expect("positive");
    let sold = drive(&paper, &mut ledger, Act::Trade(Order::Sell { amount, least: Usdc::from_micros(1) })).await;
    let OutcomeResult::Simulated(moved) = sold else { panic!("{sold:?}") };
    let usdc_micros = moved.usdc_micros;
    assert!((299_000_000..300_000_000).contains(&usdc_micros), "the fee is paid on paper too: {usdc_micros}");
    let dear = drive(&paper, &mut ledger, Act::Trade(Order::Sell { amount, least: Usdc::whole(301) })).await;
    assert!(matches!(dear, OutcomeResult::Refused { .. }), "{dear:?}");

    let tick = sight.market.pool_tick.div_euclid(10) * 10;
    let order = Order::Provide { lower: tick - 600, upper: tick + 600, usdc: Usdc::whole(100), token: amount };
    let provided = drive(&paper, &mut ledger, Act::Trade(order)).await;
    let OutcomeResult::Simulated(moved) = provided else { panic!("{provided:?}") };
    let (usdc_micros, token) = (moved.usdc_micros, moved.token);
    assert!((-100_000_000..=-90_000_000).contains(&usdc_micros) && token < 0, "{usdc_micros} {token}");
    assert_eq!(drive(&paper, &mut ledger, Act::Harvest).await, OutcomeResult::Done);
    assert_eq!(paper.withdrawn(&mut ledger).await.expect("seen"), vec![]);
    assert!(ledger.attempts.is_empty());
    assert_eq!(count(&net).await, 0);

    let wrong = OnPaper::sit_down(endpoints(&net).await, here.clone(), here.usdc).await.expect_err("no pool");
    assert!(matches!(wrong, PostingError::NotThePool { .. }), "{wrong}");
}
