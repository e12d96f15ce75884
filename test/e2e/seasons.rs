//! P-044, P-045, P-048, P-077. A rule whose market comes, ends and returns, on the local L2: what it may move, and what it moved.

use std::path::PathBuf;

use golem_chain::bindings::IVault;
use golem_core::record::{Event, Order, OutcomeResult, RuleChange, RuleChanged};
use golem_core::trader::TraderSettings;
use golem_devnet::market::MarketKind;
use golem_primitives::{Ppm, Tick, Usdc};
use golem_store::StoredEvent;

use crate::world::{Born, Ground, Nature, Town};

/// Seconds of a block and of a tick: three of them are the vault's mean price.
const LOOK_SECONDS: u64 = 600;
/// Looks in which the market stands still before anything happens; the birth takes some.
const QUIET: usize = 16;
/// A push is followed by a rise above where it began, for as long as the rule holds; then all is as before.
const PAYS: [u64; 11] = [3_000, 3_000, 3_000, 3_000, 3_000, 2_988, 2_988, 3_072, 3_072, 3_072, 3_072];
/// A push is followed by a fall that ends the rule's patience.
const COSTS: [u64; 9] = [3_000, 3_000, 3_000, 3_000, 3_000, 2_988, 2_988, 2_958, 2_958];
/// Pushes that pay, that cost, and that pay again.
const SEASONS: [usize; 3] = [6, 3, 6];

/// The edge comes, ends and returns.
fn market() -> MarketKind {
    let [first, second, third] = SEASONS;
    let seasons = [PAYS.repeat(first), COSTS.repeat(second), PAYS.repeat(third)].concat();
    let prices = std::iter::repeat_n(3_000, QUIET).chain(seasons);
    recorded("seasons", prices.map(|price| price as f64))
}

/// A market that goes as this record does; its file appears whole.
pub(crate) fn recorded(name: &str, prices: impl Iterator<Item = f64>) -> MarketKind {
    let rows: String = prices.map(|price| format!("{price:.3}\n")).collect();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.csv"));
    let part = path.with_extension(format!("{}", std::process::id()));
    std::fs::write(&part, format!("price\n{rows}")).expect("written");
    std::fs::rename(&part, &path).expect("renamed");
    MarketKind::Csv(path)
}

/// What changed for the rule, and when.
fn changes(born: &Born) -> Vec<(Tick, RuleChange)> {
    let changed = each!(born.events(), StoredEvent { tick, event: Event::Rule(changed), .. } => (tick, changed));
    let is_it = |(_, changed): &(Tick, Box<RuleChanged>)| (changed.rule.as_str(), changed.number) == ("small-push", 0);
    assert!(changed.iter().all(is_it), "P-048: {changed:?}");
    changed.into_iter().map(|(tick, changed)| (tick, changed.change)).collect()
}

/// A purchase that landed.
struct Bought {
    /// The tick that wanted it.
    tick: Tick,
    spent: u64,
}

fn bought(born: &Born) -> Vec<Bought> {
    let trades = born.reader().trades(0, 1_000).expect("trades");
    let landed = trades.into_iter().filter_map(|trade| match (&trade.outcome.result, trade.order) {
        (OutcomeResult::Verified(record), Order::Buy { spend, .. }) if record.receipt.success => {
            Some(Bought { tick: trade.tick, spent: spend.micros() })
        }
        _ => None,
    });
    landed.collect()
}

/// P-044, P-045, P-048, P-077: an owner's rule begins at a quarter of its stake and earns the whole; when its market ends it rests
/// and not a unit of the vault moves by it; when the market returns it wakes on paper and moves a quarter again, and the whole once it earned
/// that anew. Each from the life's own log, from what the program tells of it and from the vault's events on chain.
#[tokio::test(flavor = "multi_thread")]
async fn p_077_a_rule_is_promoted_rests_when_its_market_ends_and_wakes_when_it_returns() {
    let town = Town::up(Ground { market: market(), block_seconds: LOOK_SECONDS, ..Ground::default() }).await;
    let trader = TraderSettings { stake: Ppm::of(25_000), host_per_tick: Usdc::from_micros(500) };
    let nature = Nature { trader, book: "seasons", tick_seconds: LOOK_SECONDS, ..Nature::default() };
    let born = town.birth("farmer", &Nature { capital: Usdc::whole(4_000), ..nature }).await;
    let [first, second, third] = SEASONS;
    let looks = QUIET + PAYS.len() * (first + third) + COSTS.len() * second;
    town.live_to(&born, looks as u64).await;

    let changes = changes(&born);
    let at = |is_it: fn(&RuleChange) -> bool| {
        let found = changes.iter().find(|(_, change)| is_it(change));
        found.unwrap_or_else(|| panic!("{changes:#?}")).0
    };
    let promoted = at(|change| matches!(change, RuleChange::Promoted { evidence, bound, .. } if evidence >= bound));
    let rested = at(|change| matches!(change, RuleChange::Rested { detector, .. } if *detector >= 20.0));
    let woken = at(|change| matches!(change, RuleChange::Woken { evidence } if *evidence >= 20.0));
    assert!(promoted < rested && rested < woken, "{changes:#?}");

    let bought = bought(&born);
    let spent = |from: Tick, to: Tick| -> Vec<u64> {
        bought.iter().filter(|one| from <= one.tick && one.tick < to).map(|one| one.spent).collect()
    };
    let (begin, end) = (Tick::new(0), Tick::new(u64::MAX));
    let (trial, whole, again) = (spent(begin, promoted), spent(promoted, rested), spent(woken, end));
    assert!(trial.len() >= 3 && whole.len() >= 3, "{trial:?}, {whole:?}, {again:?}");
    let [woke, earned_again] = again[..] else { panic!("{again:?}") };
    assert_eq!(spent(rested, woken), [0; 0], "what rests moves nothing");
    for quarter in trial.iter().chain([&woke]) {
        let is_four_times = |whole: &u64| (39..=41).contains(&(whole * 10 / quarter));
        assert!(whole.iter().chain([&earned_again]).all(is_four_times), "{trial:?}, {whole:?}, {again:?}");
    }

    let usdc = town.deployment.usdc;
    let swaps = town.logs::<IVault::Swapped>(born.vault).await;
    let on_chain: Vec<u64> =
        swaps.iter().filter(|swap| swap.tokenIn == usdc).map(|swap| swap.amountIn.to::<u64>()).collect();
    let in_log: Vec<u64> = bought.iter().map(|one| one.spent).collect();
    assert_eq!(on_chain, in_log, "the vault saw what the log tells, and nothing else");
    assert_eq!(swaps.len(), 2 * on_chain.len(), "each was sold again");

    // Two looks before the trip ended that woke it, it was in that trip on paper.
    let asleep = (woken.get() - 2).to_string();
    let why = town.prints(&["golem", "why", "farmer", &asleep]);
    assert!(why.contains("small-push (evidence") && why.contains("Nobody led"), "{why}");
    let shown = town.prints(&["golem", "playbook", "show", "farmer", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(shown["rules"][0]["standing"], "whole", "{shown}");
    let _ = born.replayed();
    town.assert_sent_once(&born).await;
}
