//! P-071, P-074. What was rehearsed and what a model said, on the local L2: a guard that a crash is cheaper with, and a rule that its
//! own trips refuse.

use golem_core::record::{Event, RuleChange, Searcher};
use golem_core::trader::{TraderSettings, TriedIn};
use golem_inference::{Deliberator, Duties};
use golem_mortality::cause::CauseKind;
use golem_playbook::hand::Hand;
use golem_playbook::promotion::{Founding, Standing};
use golem_primitives::{PoolName, Ppm, Usdc};
use golem_runtime::Adviser;
use serde_json::json;

use crate::found::{LOOK_SECONDS, UNDERSTANDS_LITTLE, look_before, looking_on};
use crate::models::Server;
use crate::seasons::recorded;
use crate::thinking::{message, models, tier};
use crate::world::{Ground, Nature, Town, brisk, live_to};

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

/// What a line saw of such a market, whole cycles of it. One that dreamt rehearsed its crashes early, and later ones spoke for the
/// guard that this staged.
fn line(dreamt: bool) -> Vec<TriedIn> {
    const ROWS: usize = 60 * CYCLE;
    let look = |row: usize| look_before(price, row, ROWS);
    let foundation = brisk::foundation("stubborn");
    let mut hand = Hand::found(&foundation.book, Founding::Trust, &look(3), CAPITAL).expect("a book");
    for row in 3..ROWS {
        hand.look(&look(row), &looking_on(CAPITAL));
        if dreamt && row == 2_100 {
            assert!(hand.rehearse(&look(row), CAPITAL, None), "a guard is worth its price");
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
    let market = recorded(&format!("crash-{dreamt}"), (0..COMPARED + 20).map(|row| price(60 * CYCLE + row)));
    let ground = Ground { market, block_seconds: LOOK_SECONDS, ..Ground::default() };
    let town = Town::up(ground).await;
    let trader = TraderSettings { stake: Ppm::of(100_000), host_per_tick: Usdc::from_micros(500) };
    let law = format!("{UNDERSTANDS_LITTLE}[mortality.phage]\ndaily_spawn_rate = 0\n");
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

/// P-074, P-040, R-032: what a model proposes when it looks back at misses is tried on paper; where the price goes nowhere its own trips
/// refuse it, and the vault never moved by it.
#[tokio::test(flavor = "multi_thread")]
async fn p_074_a_models_rule_is_tried_and_refused() {
    let said = json!({
        "cause": "bad_rule", "certainty": 70, "lessons": ["Buy at once."],
        "rules": [{ "name": "at-once", "when": "hour >= 0", "do": "hold 100%", "until": "since >= 1",
            "expects": "+5% within 9", "because": "prices rise" }]
    });
    let turn = message("reflect", &said, [900, 60]);
    let server = Server::playing(std::iter::repeat_n(turn, 40)).await;
    let models = models(tier(&server, [1_000_000, 5_000_000]), "sk-e2e");
    let market = recorded("still", (0..600).map(|row: u64| 3_000.0 + (row % 7) as f64 / 10.0));
    // Any life understands less than this at its birth, so that it is warned at once.
    let law = "[mortality.epistemic]\nsenescence_threshold = 0.6\nrecovery_grace_period = 2000\n\
               [mortality.vitality]\nepistemic_centre = 0.01\nepistemic_steepness = 50.0\n"
        .to_owned();
    let nature = Nature { law, ..Nature::acting_by("never") };
    let (town, born) = Town::with(Ground { market, ..Ground::default() }, "listener", &nature).await;
    let mut living = town.take_up(&born, &town.running.rpc_url).await;
    let duties = Duties { reflect: true, ..Duties::default() };
    living.consult(Adviser::hire(Deliberator::new(models).with_duties(duties)));
    let tried = |event: &Event| matches!(event, Event::BookSearched { by: Searcher::Model, staged: 1 });
    let refused = |event: &Event| {
        matches!(event, Event::Rule(changed)
            if changed.rule == "model-at-once" && matches!(changed.change, RuleChange::Refuted { .. }))
    };
    let mut tick = 0;
    while born.told(refused) == 0 {
        tick += 20;
        assert!(tick < 400, "{} asked, {} tried in {tick} ticks", server.asked().len(), born.told(tried));
        live_to(&mut living, tick).await;
    }
    drop(living);
    assert_eq!(born.told(tried), 1);
    assert_eq!(born.told(|event| matches!(event, Event::Traded { .. })), 0, "nothing was traded by it");
    town.assert_sent_once(&born).await;
}
