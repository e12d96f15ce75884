//! P-071. What was rehearsed, on the local L2: a guard that a crash is cheaper with.

use std::path::PathBuf;

use golem_core::trader::{TraderSettings, TriedIn};
use golem_devnet::market::Kind;
use golem_mortality::cause::CauseKind;
use golem_playbook::choice::{Circumstances, Limits, ONCE};
use golem_playbook::hand::Hand;
use golem_playbook::look::Look;
use golem_playbook::promotion::{Founding, Standing};
use golem_primitives::{PoolName, Ppm, Usdc};

use crate::seasons::write_whole;
use crate::world::{Ground, Nature, Town, brisk, live_to};

/// Seconds of a block and of a tick.
const LOOK_SECONDS: u64 = 600;
/// Rows from one crash to the next, of one crash, and of the way back.
const CYCLE: usize = 150;
const CRASH: usize = 24;
const BACK: usize = 80;
/// The crash the lives are compared in: the second they live through.
const COMPARED: usize = CYCLE + 50 + CRASH;
const CAPITAL: Usdc = Usdc::whole(4_000);

/// It wavers; fifty looks into every cycle it falls by some five percent within twenty-four looks, never so fast that a vault would
/// take it for a false price, and comes back slowly.
fn price(row: usize) -> f64 {
    let noise = (row as u64).wrapping_mul(2_654_435_761) % 1_000;
    let fallen = match (row % CYCLE).saturating_sub(50) {
        at @ 0..=CRASH => at as f64 / CRASH as f64,
        at => 1.0 - (at - CRASH).min(BACK) as f64 / BACK as f64,
    };
    3_000.0 + noise as f64 / 500.0 - 150.0 * fallen
}

fn look(row: usize, before: usize) -> Look {
    let micros = |price: f64| Usdc::from_micros((price * 1e6) as u64);
    Look {
        time: 1_767_225_600 - LOOK_SECONDS * (before - row) as u64,
        price: micros(price(row)),
        twap: micros((row - 3..row).map(price).sum::<f64>() / 3.0),
        impact_ppm: 100,
        fee_ppm: 500,
        volume: Usdc::ZERO,
        gas: Usdc::from_micros(1_000),
    }
}

/// What a line saw of such a market, whole cycles of it. One that dreamt rehearsed its crashes early, and later ones spoke for the
/// guard that this staged.
fn line(dreamt: bool) -> Vec<TriedIn> {
    const ROWS: usize = 60 * CYCLE;
    let foundation = brisk::foundation("stubborn");
    let mut hand = Hand::found(&foundation.book, Founding::Trust, &look(3, ROWS), CAPITAL).expect("a book");
    for row in 3..ROWS {
        let now = Circumstances { capital: CAPITAL, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE };
        hand.look(&look(row, ROWS), &now);
        if dreamt && row == 2_100 {
            assert!(hand.rehearse(&look(row, ROWS), CAPITAL, None), "a guard is worth its price");
        }
    }
    if dreamt {
        let guard = hand.tried().iter().find(|tried| tried.rule.action.is_guard()).expect("tried");
        assert!(guard.standing() > Standing::Paper && guard.evidence() > 40.0, "{guard:?}");
    }
    vec![TriedIn { pool: PoolName::HOME, hand, died_of: CauseKind::OwnerKill }]
}

/// What the vault of a life holds at the bottom of the crash, in USDC; and whether a guard was in force by then.
async fn lived(dreamt: bool) -> (u64, bool) {
    let rows: String = (0..COMPARED + 20).map(|row| format!("{:.3}\n", price(60 * CYCLE + row))).collect();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("crash-{dreamt}.csv"));
    write_whole(&path, &format!("price\n{rows}"));
    let ground = Ground { market: Kind::Csv(path), block_seconds: LOOK_SECONDS, ..Ground::default() };
    let town = Town::up(ground).await;
    let trader = TraderSettings { stake: Ppm::of(100_000), host_per_tick: Usdc::from_micros(500) };
    let law = "[mortality.epistemic]\nrecovery_grace_period = 2000\n[mortality.vitality]\nepistemic_centre = 0.01\n\
               epistemic_steepness = 50.0\n[mortality.phage]\ndaily_spawn_rate = 0\n"
        .to_owned();
    let nature =
        Nature { trader, book: "stubborn", line: line(dreamt), tick_seconds: LOOK_SECONDS, law, ..Nature::default() };
    let born = town.birth("holder", &Nature { capital: CAPITAL, ..nature }).await;
    let mut living = town.take_up(&born, &town.running.rpc_url).await;
    live_to(&mut living, COMPARED as u64).await;
    let trader = living.life().trader().expect("a hand");
    let is_guarded = |hand: &Hand| {
        hand.tried().iter().any(|tried| tried.rule.action.is_guard() && tried.standing() > Standing::Paper)
    };
    let guarded = trader.hands().any(|(_, hand)| is_guarded(hand));
    let deployment = &town.deployment;
    let usdc = town.balance(deployment.usdc, born.vault).await;
    let token = town.balance(deployment.weth, born.vault).await;
    let worth = usdc + token * (price(60 * CYCLE + COMPARED) * 1e6) as u128 / 1_000_000_000_000_000_000;
    drop(living);
    town.assert_sent_once(&born).await;
    (u64::try_from(worth).expect("fits"), guarded)
}

/// P-071, D-134, D-136: a crash that a dream of its line rehearsed costs a life with the guard less than one without, in the same
/// market, by what the vaults hold.
#[tokio::test(flavor = "multi_thread")]
async fn p_071_a_rehearsed_crash_costs_less() {
    let (with, is_guarded) = lived(true).await;
    let (without, is_bare) = lived(false).await;
    assert!(is_guarded && !is_bare, "waking looks put the guard in force, in one life");
    assert!(with > without, "{with} against {without}");
}
