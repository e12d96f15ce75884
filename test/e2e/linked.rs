//! G-015, G-132, P-073. What follows what, on the local L2: learnt from the record, tried as a rule, and given up when later looks
//! speak against it.

use golem_core::record::{Event, LinkChange, Searcher};
use golem_core::trader::TraderSettings;
use golem_playbook::links::Variable;
use golem_primitives::Usdc;
use serde_json::Value;

use crate::found::{LOOK_SECONDS, UNDERSTANDS_LITTLE, onlooker};
use crate::seasons::recorded;
use crate::world::{Ground, Nature, Town, live_to};

/// Rows that its line saw; a shorter record says nothing of what follows what.
const SEEN: usize = 4_200;
/// Looks in which the price wavers much, and then as many in which it does not.
const STRETCH: usize = 40;
/// Until this row the price rises while it wavers and falls while it rests; from then on the other way round.
const ENDS: usize = SEEN + 100;
const ROWS: usize = ENDS + 1_700;
const CAPITAL: Usdc = Usdc::whole(4_000);

fn prices() -> Vec<f64> {
    let mut price = 3_000.0;
    let one = |row: usize| {
        let hashed =
            (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let noise = ((hashed >> 32) % 2_001) as f64 / 1_000.0 - 1.0;
        let (size, way) = if (row / STRETCH).is_multiple_of(2) { (0.003, 1.0) } else { (0.001, -1.0) };
        let led = if row < ENDS { way } else { -way };
        price *= 1.0 + 0.000_8 * led + size * noise;
        price
    };
    (0..ROWS).map(one).collect()
}

/// G-015, G-132, P-073, D-101: a life learns that the price rises while it wavers, has a rule of it tried, and its page says so; in
/// the long run it no longer believes it once its looks say otherwise, and that is told too.
#[tokio::test(flavor = "multi_thread")]
async fn g_132_a_link_is_learnt_tried_and_contradicted() {
    let is_deep = std::env::var_os("BARDO_DEEP").is_some_and(|value| value != "0");
    let prices = prices();
    let market = recorded("linked", prices[SEEN..].iter().copied());
    let town = Town::up(Ground { market, block_seconds: LOOK_SECONDS, ..Ground::default() }).await;
    let trader = TraderSettings { host_per_tick: Usdc::from_micros(500), ..TraderSettings::default() };
    let nature = Nature {
        trader,
        book: "never",
        line: onlooker(|row| prices[row], SEEN, CAPITAL),
        tick_seconds: LOOK_SECONDS,
        law: UNDERSTANDS_LITTLE.to_owned(),
        ..Nature::default()
    };
    let born = town.birth("reader", &Nature { capital: CAPITAL, ..nature }).await;
    let mut living = town.take_up(&born, &town.running.rpc_url).await;
    let learnt = |event: &Event| {
        matches!(event, Event::LinkCounted { change: LinkChange::Learnt(link), .. }
            if (link.cause, link.effect, link.is_alike) == (Variable::Moves, Variable::Price, true))
    };
    let contradicted = |event: &Event| {
        matches!(event, Event::LinkCounted { change: LinkChange::Contradicted(link), .. }
            if (link.cause, link.effect) == (Variable::Moves, Variable::Price))
    };
    live_to(&mut living, 80).await;
    assert_eq!(born.told(learnt), 1, "the Curator's first cycle counts the record");
    let tried = |event: &Event| matches!(event, Event::BookSearched { by: Searcher::Curator, staged: 1.. });
    assert!(born.told(tried) >= 1, "a rule of it is tried on paper");
    let page: Value = serde_json::from_str(&town.prints(&["golem", "life", "reader", "--json"])).expect("JSON");
    let told = page["learnt"]["links"].to_string();
    assert!(told.contains("where moves goes, price goes"), "{page}");
    let mut tick = 80;
    while is_deep && born.told(contradicted) == 0 {
        tick += 50;
        assert!(tick < 1_700, "it is believed for ever");
        live_to(&mut living, tick).await;
    }
    drop(living);
    town.assert_sent_once(&born).await;
}
