//! What a Golem as `create` raises it costs its machine: memory in a fleet of one process beside the embedding model that
//! all of them share, ticks a second, and a tick's own time beside the chain's.
//! `cargo bench -p golem-cli --bench fleet`; `BARDO_FLEET=N` for another size.
#![allow(unreachable_pub, dead_code, clippy::print_stdout)]

#[path = "../../../test/e2e/world.rs"]
mod world;

use std::sync::Arc;
use std::time::Instant;

use golem_core::record::{AffectTemper, Temper};
use golem_daimon::personality::Personality;
use golem_inference::embedder::{AnyEmbedder, EmbedderSettings};
use golem_primitives::{Tick, Usdc};
use golem_runtime::{Metrics, Runtime, RuntimeSettings, Scribe, Telemetry, run_fleet};
use golem_store::SqliteStore;
use golem_suffering::domain::WorkDomain;
use golem_suffering::law::SufferingProfile;
use golem_suffering::text::Key;
use tokio::sync::watch;

use world::{Born, Ground, Living, Nature, Town};

/// Ticks each lives: past the first Curator's cycle, after which entries are embedded.
const TICKS: u64 = 60;
/// What a Golem may take beside the model.
const MOST_MIB: f64 = 4.0;

#[tokio::main]
async fn main() {
    // `cargo test --benches` only asks whether it runs.
    let size = if std::env::args().any(|argument| argument == "--test") {
        2
    } else {
        std::env::var("BARDO_FLEET").ok().and_then(|size| size.parse().ok()).unwrap_or(200)
    };
    let town = Town::up(Ground::default()).await;
    let nature = Nature { credits: Usdc::whole(25), capital: Usdc::whole(100), ..Nature::default() };
    let lone = town.birth("lone", &nature).await;
    let (own, chain, seconds) = live(&town, &[lone], 5 * TICKS).await.1;
    println!(
        "one Golem: {} ticks in {seconds:.1} s; its own time {:.2} ms a tick, the chain's {:.2} ms: overhead {:.1} %",
        5 * TICKS,
        1e3 * own / (5 * TICKS) as f64,
        1e3 * chain / (5 * TICKS) as f64,
        100.0 * own / chain
    );
    let mut golems = Vec::with_capacity(size);
    for number in 0..size {
        golems.push(town.birth(&format!("golem-{number}"), &nature).await);
    }
    // Held, as a Golem that lives before the others holds it: what is measured is what each brings.
    let alone = resident();
    let model = embedder().await.expect("`./scripts/model` fetches the embedding model");
    let before = resident();
    println!("the embedding model: {} MiB, once", (before.saturating_sub(alone)) / 1024);
    // A tick's own time says little here: it is spent waiting for a core that the neighbours have.
    let (after, (_, _, seconds)) = live(&town, &golems, TICKS).await;
    let ticks = TICKS as f64 * size as f64;
    let each = after.saturating_sub(before) as f64 / 1024.0 / size as f64;
    println!(
        "{size} Golems: {each:.2} MiB resident each ({before} KiB before, {after} KiB after), at most {MOST_MIB} MiB: {}; \
         {:.0} ticks a second",
        if each <= MOST_MIB { "met" } else { "missed" },
        ticks / seconds
    );
    drop(model);
}

async fn embedder() -> Option<AnyEmbedder> {
    AnyEmbedder::open(&EmbedderSettings::MiniLm(None)).await.ok().flatten()
}

/// As `create` writes it into a new Golem's golem.toml: moods by rules, suffering hardened, vectors by the local model.
fn newborn(born: &Born) -> RuntimeSettings {
    let place = WorkDomain { protocol: Key::new("uniswap_v3"), pair: Key::new("WETH/USDC"), ..WorkDomain::default() };
    let affect = Some(AffectTemper::of(Personality::born(&born.id, None)));
    RuntimeSettings { temper: Temper { affect, suffering: Some(SufferingProfile::Hardened), place }, ..born.runtime() }
}

/// Lives them all; answers resident memory while they live, and (own, chain, wall) seconds.
async fn live(town: &Town, golems: &[Born], ticks: u64) -> (u64, (f64, f64, f64)) {
    let metrics = Arc::new(Metrics::default());
    let endpoints = town.endpoints(&town.running.rpc_url).await;
    let mut fleet: Vec<Living> = Vec::with_capacity(golems.len());
    for born in golems {
        let store = SqliteStore::open(&born.store(), Some(&born.id)).expect("its memory");
        let hand = town.hand_on(born, endpoints.clone()).await;
        let telemetry = Telemetry::new(metrics.clone()).with_file(&born.folder.join("events.jsonl")).expect("a file");
        let mut runtime = Runtime::resume(hand, store, town.pace(), newborn(born), telemetry).expect("resumed");
        runtime.employ(Scribe::hire(embedder()));
        runtime.stop_after(Tick::new(ticks));
        fleet.push(runtime);
    }
    let (_stop, stopped) = watch::channel(false);
    let (since, mut most) = (Instant::now(), 0);
    let ends = run_fleet(fleet, stopped, |_| most = most.max(resident())).await;
    let seconds = since.elapsed().as_secs_f64();
    assert!(ends.iter().all(|ended| ended.end.is_ok()), "a life failed");
    let text = metrics.encode();
    let sum = |name: &str| -> f64 {
        let of_each = text.lines().filter(|line| line.starts_with(name));
        of_each.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
    };
    (most, (sum("golem_tick_own_seconds_sum"), sum("golem_tick_chain_seconds_sum"), seconds))
}

/// This process's resident memory in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}
