//! P-070, P-046, P-045, P-077. What a dream finds in the record, on the local L2: tried by waking ticks, traded, inherited, at rest.

use golem_chain::bindings::IVault;
use golem_core::record::{DreamTier, Event, Order, OutcomeResult, RuleChange, Searcher};
use golem_core::trader::{TraderSettings, TriedIn};
use golem_devnet::market::MarketKind;
use golem_dreams::DreamLaw;
use golem_mortality::cause::CauseKind;
use golem_playbook::choice::{Circumstances, Limits};
use golem_playbook::cost::ONCE;
use golem_playbook::hand::Hand;
use golem_playbook::look::Look;
use golem_primitives::{PoolName, Ppm, Tick, Usdc};
use golem_runtime::{DreamChoice, RuntimeSettings};
use golem_store::{Reader, StoredEvent};
use serde_json::Value;

use crate::seasons::recorded;
use crate::world::{Born, Ground, Living, Nature, Town};

/// Seconds of a block and of a tick.
pub(crate) const LOOK_SECONDS: u64 = 600;
/// Rows that its line saw before it: a dream finds nothing in less than two thousand.
const SEEN: usize = 1_960;
/// Nothing of a market has to be understood for as long as a test lasts.
pub(crate) const UNDERSTANDS_LITTLE: &str = "[mortality.epistemic]\nrecovery_grace_period = 2000\n\
    [mortality.vitality]\nepistemic_centre = 0.01\nepistemic_steepness = 50.0\n";
/// Looks from one slide to the next.
const CYCLE: usize = 24;
/// Until this row what slid comes back; from then on it slides as far again and stays there.
const ENDS: usize = 2_640;
const ROWS: usize = 3_400;
const CAPITAL: Usdc = Usdc::whole(4_000);

/// The price of a row: it wavers, and every twenty-four looks it slides down a hundredth and back again, never so fast that a vault
/// would take it for a false price.
fn price(row: usize) -> f64 {
    let noise = (row as u64).wrapping_mul(2_654_435_761) % 1_000;
    let ended = row.saturating_sub(ENDS) / CYCLE;
    let usual = 3_000.0 + noise as f64 / 500.0 - 71.0 * ended as f64;
    let slid = match (row % CYCLE, row < ENDS) {
        (at @ 10..=16, _) => 5 * (at - 9),
        (17..=19, _) => 35,
        (at @ 20.., true) => 35 - 9 * (at - 19).min(3),
        (at @ 20.., false) => 35 + 9 * (at - 19),
        _ => 0,
    };
    usual - slid as f64
}

fn market() -> MarketKind {
    recorded("found", (SEEN..ROWS).map(price))
}

/// A look of a line before its heir was born: a row, at so many rows before the market's first.
pub(crate) fn look_before(price: impl Fn(usize) -> f64, row: usize, first: usize) -> Look {
    let micros = |price: f64| Usdc::from_micros((price * 1e6) as u64);
    Look {
        time: 1_767_225_600 - LOOK_SECONDS * (first - row) as u64,
        price: micros(price(row)),
        twap: micros((row - 3..row).map(&price).sum::<f64>() / 3.0),
        impact_ppm: 100,
        fee_ppm: 500,
        volume: Usdc::ZERO,
        gas: Usdc::from_micros(1_000),
    }
}

/// What one that only looks on with this capital knows of itself.
pub(crate) const fn looking_on(capital: Usdc) -> Circumstances {
    Circumstances { capital, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE }
}

/// A line whose hand tried nothing and saw the rows before the market's first.
pub(crate) fn onlooker(price: impl Fn(usize) -> f64, first: usize, capital: Usdc) -> Vec<TriedIn> {
    let mut hand = Hand::new();
    for row in 3..first {
        hand.look(&look_before(&price, row, first), &looking_on(capital));
    }
    vec![TriedIn { pool: PoolName::HOME, hand, died_of: CauseKind::OwnerKill }]
}

pub(crate) async fn dreamer(town: &Town, born: &Born) -> Living {
    let mut law = DreamLaw { enabled: true, tier: DreamTier::Core, ..DreamLaw::default() };
    law.schedule.cycle_interval_ticks = 50;
    let settings = RuntimeSettings { dreams: DreamChoice { law, ..DreamChoice::default() }, ..born.runtime() };
    town.take_up_so(born, town.pace(), settings).await
}

pub(crate) fn events(store: &std::path::Path) -> Vec<StoredEvent> {
    Reader::open(store).expect("its memory").events(1, usize::MAX >> 1).expect("events")
}

/// When something first changed for a rule that is not its owner's.
fn first(events: &[StoredEvent], is_it: impl Fn(&RuleChange) -> bool) -> Option<(Tick, String)> {
    events.iter().find_map(|stored| match &stored.event {
        Event::Rule(changed) if changed.rule != "never" && is_it(&changed.change) => {
            Some((stored.tick, changed.rule.clone()))
        }
        _ => None,
    })
}

/// What happened to rules and trades, for whoever has to find out why nothing was bought.
pub(crate) fn lately(events: &[StoredEvent]) -> String {
    let told = events.iter().filter(|stored| {
        let name = stored.event.telemetry_name();
        ["rule", "book", "trade", "entry", "effect_failed", "phase"].iter().any(|part| name.contains(part))
    });
    told.take(60).map(|stored| format!("{} {:?}\n", stored.tick, stored.event)).collect()
}

/// The ticks that wanted a purchase which landed.
pub(crate) fn bought(store: &std::path::Path) -> Vec<Tick> {
    let trades = Reader::open(store).expect("its memory").trades(0, 1_000).expect("trades");
    let landed = trades.into_iter().filter(|trade| match (&trade.outcome.result, trade.order) {
        (OutcomeResult::Verified(record), Order::Buy { .. }) => record.receipt.success,
        _ => false,
    });
    landed.map(|trade| trade.tick).collect()
}

/// P-070, P-040, P-041, P-043, P-045, P-046, P-077: a Golem founded on a book that never acts, whose line saw much and found nothing,
/// dreams, finds the edge in its record, confirms it awake and trades it; its heir has the rule with the line's evidence from its first look and trades it without
/// finding it again; when the edge ends it rests. From the lives' logs and the vault's events.
#[tokio::test(flavor = "multi_thread")]
async fn p_077_a_dream_finds_an_edge_and_an_heir_inherits_it() {
    let town = Town::up(Ground { market: market(), block_seconds: LOOK_SECONDS, ..Ground::default() }).await;
    let trader = TraderSettings { stake: Ppm::of(100_000), host_per_tick: Usdc::from_micros(500) };
    let (law, line) = (UNDERSTANDS_LITTLE.to_owned(), onlooker(price, SEEN, CAPITAL));
    let nature = Nature { trader, book: "never", line, tick_seconds: LOOK_SECONDS, law, ..Nature::default() };
    let born = town.birth("dreamer", &Nature { capital: CAPITAL, ..nature }).await;
    let mut living = dreamer(&town, &born).await;
    while bought(&born.store()).len() < 3 {
        for _ in 0..10 {
            living.tick().await.expect("it goes on");
        }
        assert!(living.lived().get() < 600, "{}", lately(&events(&born.store())));
    }
    drop(living);
    let told = events(&born.store());
    let found =
        told.iter().find(|stored| matches!(stored.event, Event::BookSearched { by: Searcher::Dream, staged: 1.. }));
    let found = found.expect("a dream found it").tick;
    let (trial, rule) =
        first(&told, |change| matches!(change, RuleChange::OnTrial { evidence } if *evidence >= 20.0)).expect("earned");
    let buys = bought(&born.store());
    assert!(found.get() >= 40 && found < trial && trial <= buys[0], "{found} {trial} {buys:?}");
    let swaps = town.logs::<IVault::Swapped>(born.vault).await;
    let on_chain = swaps.iter().filter(|swap| swap.tokenIn == town.deployment.usdc).count();
    assert_eq!(on_chain, buys.len(), "the vault moved for what it found, and for nothing else");

    town.does(&["golem", "kill", "dreamer", "--reason", "its heir waits", "--yes"]).await;
    town.does(&["golem", "run", "dreamer", "--speed", "1000000"]).await;
    let book = town.path().join("heir.md");
    std::fs::write(
        &book,
        "# Heir\n\n### never-more\n- when: hour < 0\n- do: hold 10%\n- until: since >= 1\n- expects: +9% within 9\n",
    )
    .expect("written");
    let succeed =
        ["line", "successor", "dreamer", "--budget", "50", "--capital", "4000", "--gas", "0.02", "--inherit-grimoire"];
    let book = book.to_str().expect("text");
    town.does(&[&succeed[..], &["--playbook", book, "--yes"]].concat()).await;
    let store = town.path().join("golems/dreamer-1/life.sqlite");
    let mut lived = 0;
    while first(&events(&store), |change| matches!(change, RuleChange::Rested { .. })).is_none() {
        lived += 60;
        assert!(lived < 600, "it never rests");
        town.does(&["golem", "run", "dreamer-1", "--speed", "1000000", "--ticks", &lived.to_string()]).await;
    }
    let told = events(&store);
    assert!(!told.iter().any(|stored| matches!(stored.event, Event::BookSearched { .. })), "it did not find it again");
    let (rested, by) =
        first(&told, |change| matches!(change, RuleChange::Rested { detector, .. } if *detector >= 20.0))
            .expect("at rest");
    let heirs = bought(&store);
    assert!(!heirs.is_empty() && heirs.iter().any(|tick| *tick < rested), "{heirs:?} {rested}");
    assert!(
        told.iter().any(|stored| matches!(&stored.event, Event::Rule(changed) if changed.rule == rule)),
        "{rule} {by}"
    );
    let page: Value = serde_json::from_str(&town.prints(&["golem", "life", "dreamer-1", "--json"])).expect("JSON");
    assert!(page["wrong"]["stopped_paying"].as_array().is_some_and(|names| names.contains(&by.into())), "{page}");
    town.assert_sent_once(&born).await;
}
