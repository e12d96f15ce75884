//! Without a chain, and beside one that fails.

use golem_chain::Policy;
use golem_core::record::Event;
use golem_core::trader::TraderSettings;
use golem_primitives::{Tick, Usdc};
use golem_runtime::run_fleet;
use tokio::sync::watch;

use crate::proxy::{Proxy, Rates};
use crate::world::{Ground, Nature, Town, live_out, live_to, resume};

/// who sees nothing trades nothing and does not starve of what it cannot see; it says so, and sees again.
#[tokio::test(flavor = "multi_thread")]
async fn r_023_a_blind_golem_waits_says_so_and_recovers() {
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
    let proxy = Proxy::before(&town.node, 1, Rates::default()).await;
    let mut living = town.take_up(&born, &proxy.url()).await;
    live_to(&mut living, 20).await;
    let wanted = born.wanted();
    proxy.close(true);
    live_to(&mut living, 26).await;
    assert!(living.life().trader().is_some_and(|trader| trader.is_blind()));
    assert_eq!(born.wanted(), wanted, "nothing was wanted of a chain that cannot be seen");
    assert_eq!(born.told(|event| matches!(event, Event::WentBlind)), 1);
    proxy.close(false);
    live_to(&mut living, 40).await;
    drop(living);
    assert_eq!(born.told(|event| matches!(event, Event::SawAgain)), 1);
    assert!(born.wanted() > wanted, "it acts again");
    town.assert_sent_once(&born).await;
    born.replayed();
}

/// R-023, M-149: rent beyond its last credit does not kill one that cannot see whether it was fed; seeing it does.
#[tokio::test(flavor = "multi_thread")]
async fn r_023_a_blind_golem_does_not_starve_of_what_it_cannot_see() {
    let town = Town::up(Ground::default()).await;
    let all = 10_000;
    let nature = Nature {
        credits: Usdc::whole(25),
        policy: Some(Policy { llm_day_bps: all, gas_day_bps: all, data_day_bps: all, ..Policy::default() }),
        trader: TraderSettings { host_per_tick: Usdc::whole(1), ..TraderSettings::default() },
        ..Nature::default()
    };
    let born = town.birth("ada", &nature).await;
    let proxy = Proxy::before(&town.node, 1, Rates::default()).await;
    let mut living = town.take_up(&born, &proxy.url()).await;
    live_to(&mut living, 10).await;
    proxy.close(true);
    live_to(&mut living, 40).await;
    proxy.close(false);
    live_out(&mut living, 80).await;
    drop(living);
    town.assert_buried(&born, "economic").await;
}

/// of three in one process one cannot write any more; it waits for room, and the others do not notice.
#[tokio::test(flavor = "multi_thread")]
async fn r_004_one_of_a_fleet_fails_and_the_others_go_on() {
    const TICKS: u64 = 25;
    let town = Town::up(Ground::default()).await;
    let mut fleet = Vec::new();
    let mut golems = Vec::new();
    for name in ["one", "two", "three"] {
        let born = town.birth(name, &Nature::default()).await;
        let mut store = born.memory();
        if name == "two" {
            // A disk with room for a few ticks more.
            let size = std::fs::metadata(born.store()).expect("a file").len();
            store.limit(size + 32 * 1024).expect("limited");
        }
        let hand = town.hand(&born, &town.running.rpc_url).await;
        let mut runtime = resume(hand, store, town.pace(), born.runtime());
        runtime.stop_after(Tick::new(TICKS));
        fleet.push(runtime);
        golems.push(born);
    }
    let (stop, stopped) = watch::channel(false);
    let mut told = 0;
    let ends = run_fleet(fleet, stopped, |_| {
        told += 1;
        // The one that waits would wait on.
        if told == 2 {
            stop.send(true).expect("it listens");
        }
    })
    .await;
    for (born, name) in golems.iter().zip(["one", "two", "three"]) {
        let ended = ends.iter().find(|ended| ended.golem == born.id).expect("each ends");
        let life = ended.end.as_ref().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(life.tick() == Tick::new(TICKS), name != "two", "{name} at {}", life.tick());
        town.assert_sent_once(born).await;
    }
    drop(ends);
    // With room again it goes on where it was: nothing was lost.
    town.live_to(&golems[1], TICKS).await;
    golems[1].replayed();
}
