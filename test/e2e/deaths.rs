//! Every cause of death, each the whole way: from the clock, the owner or the silence to an empty vault.

use golem_chain::Policy;
use golem_chain::bindings::IVault;
use golem_core::trader::TraderSettings;
use golem_primitives::{Tick, Usdc};

use crate::world::{Ground, Nature, Town, live_out, live_to};

/// T-001, T-004, M-005, M-149: who cannot pay for its machine starves, and what is left goes home.
#[tokio::test(flavor = "multi_thread")]
async fn m_149_burned_credits_end_in_an_economic_death() {
    let town = Town::up(Ground { block_seconds: 900, ..Ground::default() }).await;
    let nature = Nature {
        credits: Usdc::whole(25),
        capital: Usdc::whole(500),
        // A vault that lets a machine take all of a day's credits, or dying would take weeks.
        policy: Some(Policy { llm_day_bps: 10_000, gas_day_bps: 10_000, data_day_bps: 10_000, ..Policy::default() }),
        trader: TraderSettings { host_per_tick: Usdc::whole(1), ..TraderSettings::default() },
        book: "mean-reversion",
        tick_seconds: 3_600,
        law: String::new(),
        line: Vec::new(),
        everywhere: false,
    };
    let golem = town.birth("starved", &nature).await;
    let owner = town.balance(town.deployment.usdc, town.owner().address).await;
    town.live_out(&golem, 400).await;
    town.assert_buried(&golem, "economic").await;
    let back = town.balance(town.deployment.usdc, town.owner().address).await - owner;
    assert!(back > 450_000_000, "the capital comes home: {back}");
}

/// T-001, M-005, M-150: who understands less than its law asks for grows senescent. Whoever learns understands its market in
/// time (P-065), so the law asks for more than a newborn has: three fifths, and all its vitality for less than nine tenths.
#[tokio::test(flavor = "multi_thread")]
async fn m_150_a_regime_it_cannot_read_ends_in_an_epistemic_death() {
    let town =
        Town::up(Ground { market: "volatile".parse().expect("a market"), block_seconds: 120, ..Ground::default() })
            .await;
    let nature = Nature {
        law: "[mortality.epistemic]\nrecovery_grace_period = 100\nsenescence_threshold = 0.60\n\
              [mortality.vitality]\nepistemic_centre = 0.9\nepistemic_steepness = 50.0\n"
            .to_owned(),
        ..Nature::acting_by("mean-reversion")
    };
    let golem = town.birth("senile", &nature).await;
    town.live_out(&golem, 1_000).await;
    let life = town.assert_buried(&golem, "epistemic_senescence").await;
    assert!(life.death().expect("dead").ticks_alive >= 100);
}

/// T-002, R-003, M-005, M-151: who loses the roll of its age dies of it, and the chain recomputes the roll.
#[tokio::test(flavor = "multi_thread")]
async fn m_151_a_lost_roll_ends_in_a_stochastic_death_the_chain_recomputes() {
    let town = Town::up(Ground::default()).await;
    let nature = Nature {
        policy: Some(Policy { hazard_max: u64::MAX / 20, ..Policy::default() }),
        law: "[mortality.stochastic]\nbase_hazard_rate = 0.0001\nmax_hazard_rate = 0.01\nage_hazard_coefficient = 0.001\n\
              aging_rate = 0.01\nepistemic_hazard_multiplier = 10.0\n"
            .to_owned(),
        ..Nature::default()
    };
    let golem = town.birth("old", &nature).await;
    town.live_out(&golem, 1_500).await;
    let life = town.assert_buried(&golem, "stochastic").await;
    let rolls = town.logs::<IVault::RollRecorded>(golem.vault).await;
    let lost = rolls.iter().find(|roll| roll.tick.to::<u64>() == life.death().expect("dead").tick.get());
    let lost = lost.expect("the roll is on chain");
    // Here a tick is a block, so an announced block is never deep enough in time: the roll is recomputed, and not verified.
    assert!(lost.roll < lost.hazard, "{lost:?}");
}

/// T-001, T-002, T-003, M-005, O-001: an owner's one transaction and a guardian's switch, both by a plain wallet, and a silence
/// that strangers end: for one that comes back in time, and for one that does not.
#[tokio::test(flavor = "multi_thread")]
async fn t_001_owner_guardian_and_silence_end_lives_on_chain() {
    let town = Town::up(Ground { block_seconds: 60, ..Ground::default() }).await;
    let mut golems = Vec::new();
    for name in ["killed", "ended", "tripped", "silent", "gone"] {
        golems.push(town.birth(name, &Nature::default()).await);
    }
    let [killed, ended, tripped, silent, gone] = &golems[..] else { unreachable!("five") };
    for golem in [silent, gone] {
        town.live_to(golem, 2).await;
    }

    let mut living = town.take_up(killed, &town.running.rpc_url).await;
    live_to(&mut living, 30).await;
    town.cast(town.owner(), killed.vault, "kill(string)", "enough").await;
    live_out(&mut living, 60).await;
    drop(living);
    let life = town.assert_buried(killed, "owner_kill").await;
    assert!(life.death().expect("dead").tick <= Tick::new(33), "at the next tick: {}", life.tick());

    // The same by the program alone: the owner's command, and `bardo golem run` from the first tick to the tombstone.
    let run = ["golem", "run", "ended", "--speed", "1000000000"];
    let lived = town.says(&[&run[..], &["--ticks", "12"]].concat()).await;
    assert!(lived.0, "{}", lived.1);
    let killed = town.says(&["golem", "kill", "ended", "--reason", "enough", "--yes"]).await;
    assert!(killed.0, "{}", killed.1);
    let settled = town.says(&run).await;
    assert!(settled.0, "{}", settled.1);
    town.assert_buried(ended, "owner_kill").await;

    let mut living = town.take_up(tripped, &town.running.rpc_url).await;
    live_to(&mut living, 30).await;
    town.cast(&town.accounts.guardian, tripped.vault, "trip(string)", "breaker").await;
    live_out(&mut living, 60).await;
    drop(living);
    town.assert_buried(tripped, "kill_switch").await;

    // Nobody runs these two. After a week anybody may say so, and after the notice end them.
    let stranger = town.desk(&town.accounts.strangers[3]).await;
    town.pass(8 * 86_400).await;
    for golem in [silent, gone] {
        town.bringing(stranger.notice(golem.vault, &mut |_| {})).await.expect("noticed");
    }
    town.pass(8 * 86_400).await;
    town.bringing(stranger.kill_silent(silent.vault, &mut |_| {})).await.expect("ended");
    town.live_out(silent, 60).await;
    town.assert_buried(silent, "kill_switch").await;

    town.bringing(stranger.kill_silent(gone.vault, &mut |_| {})).await.expect("ended");
    town.pass(2 * 3_600).await;
    town.bringing(stranger.finalise(gone.vault, &mut |_| {})).await.expect("finalised");
    let life = town.live_out(gone, 60).await;
    assert!(life.death().is_some() && town.balance(town.deployment.usdc, gone.vault).await == 0);
    town.assert_sent_once(gone).await;
}

/// T-001, T-004: the whole of it on a chain that is a fork of another.
#[tokio::test(flavor = "multi_thread")]
async fn t_004_a_life_on_a_fork_ends_as_it_would_elsewhere() {
    let base = Town::up(Ground::default()).await;
    let fork = Some(base.running.rpc_url.clone());
    let town = Town::up(Ground { fork, seed: 11, ..Ground::default() }).await;
    let golem = town.birth("forked", &Nature::default()).await;
    let mut living = town.take_up(&golem, &town.running.rpc_url).await;
    live_to(&mut living, 20).await;
    town.cast(town.owner(), golem.vault, "kill(string)", "enough").await;
    live_out(&mut living, 60).await;
    drop(living);
    town.assert_buried(&golem, "owner_kill").await;
}
