//! What presses on a Golem, on a real chain: reverts raise it, days make it grow, its gate closes entries and never a way
//! out, and what the chain shows of it relieves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use alloy::primitives::Address;
use alloy::providers::{Provider, RootProvider};
use alloy::sol_types::SolCall;
use golem_chain::bindings::IVault;
use golem_core::record::{
    AffectTemper, Band, EffectKind, Event, Forgone, Order, OutcomeResult, SufferingEvent, Temper,
};
use golem_daimon::personality::Personality;
use golem_devnet::Control;
use golem_devnet::market::{MarketKind, MarketRegime};
use golem_primitives::{GolemId, UtcTime};
use golem_runtime::{PacedClock, RuntimeSettings};
use golem_suffering::domain::WorkDomain;
use golem_suffering::export::Export;
use golem_suffering::law::SufferingProfile;
use golem_suffering::stressor::Closure;
use golem_suffering::text::Key;
use serde_json::{Value, json};

use crate::world::{Born, Ground, Living, Nature, Town, number};

/// An owner who, while he is armed, puts the vault to sleep in front of every entry and wakes it behind: what was
/// simulated to succeed lands and reverts.
struct Saboteur {
    node: RootProvider,
    control: Control,
    owner: Address,
    born: Born,
    armed: Arc<AtomicBool>,
}

impl Saboteur {
    async fn rpc(&self, method: &'static str, params: Value) -> Value {
        self.node.raw_request(method.into(), params).await.expect(method)
    }

    /// Whether a trade of the key waits for a block.
    async fn waits(&self) -> bool {
        let pool = self.rpc("txpool_content", json!([])).await;
        let selector = format!("0x{}", alloy::hex::encode(IVault::swapCall::SELECTOR));
        let pending = pool["pending"].as_object().cloned().unwrap_or_default();
        let of_key = pending.iter().find(|(from, _)| from.eq_ignore_ascii_case(&self.born.key.address().to_string()));
        of_key.and_then(|(_, by_nonce)| by_nonce.as_object().cloned()).is_some_and(|by_nonce| {
            by_nonce.values().any(|tx| tx["input"].as_str().is_some_and(|input| input.starts_with(&selector)))
        })
    }

    /// A call of the owner's that nobody outbids.
    async fn order(&self, data: Vec<u8>) {
        self.rpc("anvil_impersonateAccount", json!([self.owner])).await;
        let tx = json!([{
            "from": self.owner, "to": self.born.vault, "data": format!("0x{}", alloy::hex::encode(data)), "gas": "0x7a120",
            "maxFeePerGas": "0x174876e8000", "maxPriorityFeePerGas": "0x174876e8000",
        }]);
        self.rpc("eth_sendTransaction", tx).await;
    }

    async fn past(&self, past: UtcTime) -> UtcTime {
        if past == UtcTime::EPOCH || !self.armed.load(Ordering::SeqCst) || !self.waits().await {
            return self.control.advance_past(past).await.expect("a block").time;
        }
        let until = alloy::primitives::U256::from(past.seconds() + 86_400);
        self.order(IVault::hibernateCall { until }.abi_encode()).await;
        self.control.advance_past(past).await.expect("a block");
        self.order(IVault::wakeCall {}.abi_encode()).await;
        let latest = self.rpc("eth_getBlockByNumber", json!(["latest", false])).await;
        let time = number(&latest["timestamp"]) + 1;
        self.rpc("evm_setNextBlockTimestamp", json!([time])).await;
        self.rpc("evm_mine", json!([])).await;
        UtcTime::from_seconds(time)
    }
}

pub(crate) fn temper(name: &str) -> Temper {
    let personality = Personality::born(&GolemId::new(name).expect("a name"), None);
    let place = WorkDomain { protocol: Key::new("uniswap_v3"), pair: Key::new("WETH/USDC"), ..WorkDomain::default() };
    Temper { affect: Some(AffectTemper::of(personality)), suffering: Some(SufferingProfile::Hardened), place }
}

pub(crate) async fn sabotaged(town: &Town, born: &Born, temper: Temper) -> (Living, Arc<AtomicBool>) {
    let armed = Arc::new(AtomicBool::new(true));
    let saboteur = Arc::new(Saboteur {
        node: town.node.clone(),
        control: town.control.clone(),
        owner: town.owner().address,
        born: born.clone(),
        armed: armed.clone(),
    });
    let pace = PacedClock::new(Box::new(move |past| {
        let saboteur = saboteur.clone();
        Box::pin(async move { Ok(saboteur.past(past).await) })
    }));
    (town.take_up_so(born, pace, RuntimeSettings { temper, ..born.runtime() }).await, armed)
}

fn band(living: &Living) -> Band {
    living.life().pressure().map_or(Band::Background, |pressure| pressure.suffering.band())
}

pub(crate) fn is_pressed(living: &Living, key: &str) -> bool {
    let pressure = living.life().pressure();
    pressure.is_some_and(|pressure| pressure.suffering.active().iter().any(|one| one.key().as_str() == key))
}

/// Trades that landed and reverted, as the journal has them.
fn reverted(born: &Born) -> usize {
    let outcomes = born.outcomes().into_iter();
    outcomes.filter(|one| matches!(&one.result, OutcomeResult::Verified(record) if !record.receipt.success)).count()
}

async fn until(living: &mut Living, most: u64, what: &str, is_so: impl Fn(&Living) -> bool) {
    let last = living.lived().get() + most;
    while !is_so(living) {
        assert!(living.lived().get() < last, "{what}: not within {most} ticks, band {:?}", band(living));
        living.tick().await.expect("it goes on");
    }
}

fn holds(living: &Living) -> bool {
    let vault = living.life().trader().and_then(|trader| trader.vault());
    vault.is_some_and(|vault| vault.held > 1_000_000_000)
}

fn flies(living: &Living, like: impl Fn(&Order) -> bool) -> bool {
    living.open_effects().iter().any(|open| matches!(&open.effect.kind, EffectKind::Trade(order) if like(order)))
}

/// A life in a market that swings, pressed by four forced reverts.
async fn four_times_reverted() -> (Town, Born, Living, Arc<AtomicBool>) {
    let ground = Ground { market: MarketKind::Only(MarketRegime::Range), ..Ground::default() };
    let (town, born) = Town::with(ground, "ada", &Nature::lasting()).await;
    let (mut living, armed) = sabotaged(&town, &born, temper("ada")).await;
    until(&mut living, 600, "four reverts", |living| is_pressed(living, "repeated_failure")).await;
    (town, born, living, armed)
}

/// S-041, S-062, S-071, S-128, W-29: four forced reverts raise a stressor, eighteen days make a crisis of it, a way out is
/// taken in it while entries are closed, and what the chain confirms relieves it.
#[tokio::test(flavor = "multi_thread")]
async fn s_128_reverts_press_a_crisis_closes_entries_and_exits_stay_open() {
    let (town, born, mut living, armed) = four_times_reverted().await;
    assert!(reverted(&born) >= 4, "S-041: {}", reverted(&born));
    assert!(band(&living) < Band::Constrained, "S-024: one alone closes nothing");
    armed.store(false, Ordering::SeqCst);
    until(&mut living, 600, "an entry", |living| holds(living) && living.open_effects().is_empty()).await;
    assert!(is_pressed(&living, "repeated_failure"), "one success does not relieve it");
    // Eighteen days: 0.92 of failure alone.
    town.pass(18 * 86_400).await;
    until(&mut living, 5, "a crisis", |living| band(living) == Band::Crisis).await;
    // It holds what it bought; the way out is taken in Crisis.
    until(&mut living, 400, "a way out", |living| flies(living, |order| !order.raises_exposure())).await;
    assert_eq!(band(&living), Band::Crisis, "S-128");
    let closed = |event: &Event| matches!(event, Event::TradeForgone { order, reason: Forgone::Suffering(Band::Crisis) } if order.raises_exposure());
    until(&mut living, 600, "an entry is refused, or the crisis is over", |living| {
        born.told(closed) > 0 || band(living) != Band::Crisis
    })
    .await;
    assert!(born.told(closed) > 0, "W-29: the entry was refused");
    let lowering = |event: &Event| matches!(event, Event::TradeForgone { order, reason: Forgone::Suffering(_) } if !order.raises_exposure());
    assert_eq!(born.told(lowering), 0, "S-128: what lowers exposure is never asked about");
    until(&mut living, 1_500, "relief", |living| !is_pressed(living, "repeated_failure")).await;
    let relieved = |event: &Event| matches!(event, Event::Suffering(told) if matches!(&**told, SufferingEvent::Resolved { key, closure: Closure::Observed, .. } if key.as_str() == "repeated_failure"));
    assert_eq!(born.told(relieved), 1, "S-062: by what the chain shows, and not by a reset");
    assert!(born.told(|event| event.telemetry_name() == "daimon.appraisal") > 0, "A-052");
    let hash = living.life().hash();
    drop(living);
    // S-110, A-152. What its owner sees of it, and the file with its checksum.
    let file = town.path().join("suffering.json");
    let path = file.to_str().expect("a path");
    for arguments in [
        &["mind", "mood", "ada", "--json"][..],
        &["mind", "suffering", "ada"][..],
        &["mind", "suffering", "ada", "--export", path][..],
    ] {
        town.does(arguments).await;
    }
    let written = std::fs::read_to_string(&file).expect("written");
    let export: Export = serde_json::from_str(&written).expect("an export");
    assert_eq!(export.digest(), export.checksum, "S-111");
    assert!(export.resolved_history.iter().any(|row| row.name == "repeated_failure"), "S-124");
    assert_eq!(born.replayed().hash(), hash, "R-002");
    town.assert_sent_once(&born).await;
}

/// S-021, S-129: with the days the bands rise, and what is open narrows: entries are sent up to Present, and refused with
/// the band from Constrained on, while everything still fails in the same place.
#[tokio::test(flavor = "multi_thread")]
async fn s_129_trading_narrows_by_band() {
    let (town, born, mut living, _armed) = four_times_reverted().await;
    let closed = |in_band: Band| move |event: &Event| matches!(event, Event::TradeForgone { order, reason: Forgone::Suffering(band) } if *band == in_band && order.raises_exposure());
    let mut open = std::collections::BTreeSet::new();
    let mut shut = std::collections::BTreeSet::new();
    for _ in 0..14 {
        town.pass(86_400).await;
        living.tick().await.expect("it goes on");
        let now = band(&living);
        if open.contains(&now) || shut.contains(&now) {
            continue;
        }
        let (before, refused) = (reverted(&born), born.told(closed(now)));
        let last = living.lived().get() + 300;
        while band(&living) == now && reverted(&born) == before && born.told(closed(now)) == refused {
            assert!(living.lived().get() < last, "neither sent nor refused in {now:?}");
            living.tick().await.expect("it goes on");
        }
        if born.told(closed(now)) > refused {
            shut.insert(now);
        } else if reverted(&born) > before {
            open.insert(now);
        }
    }
    assert!(open.iter().all(|band| *band <= Band::Present) && open.contains(&Band::Present), "{open:?} {shut:?}");
    assert!(shut.iter().all(|band| *band >= Band::Constrained) && shut.len() >= 2, "{open:?} {shut:?}");
    town.assert_sent_once(&born).await;
}
