//! What a chain does to a transaction: takes it back, leaves it lying, or hides behind bad nodes.

use std::sync::Arc;

use alloy::primitives::{Address, B256};
use alloy::providers::{Provider, RootProvider};
use golem_core::record::{EffectKind, Event};
use golem_devnet::Control;
use golem_ports::AttemptState;
use golem_primitives::UtcTime;
use golem_runtime::PacedClock;
use serde_json::{Value, json};

use crate::proxy::{Proxy, Rates};
use crate::world::{Born, Ground, Living, Nature, Town, live_to, number};

/// What happens to the chain after a block, for as long as it is wanted.
#[derive(Debug)]
struct Weather {
    node: RootProvider,
    control: Control,
    key: Address,
    kind: Kind,
    /// Transactions of the key it has struck, with the block they had been in.
    struck: Vec<(B256, u64)>,
    /// The newest of the key's that is not struck yet.
    seen: Option<(B256, u64)>,
    /// How often a call was taken back, by its selector: rent comes often and must not take every turn.
    turns: std::collections::BTreeMap<String, usize>,
}

/// How often the same call is taken back.
const TURNS: usize = 3;

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Takes each transaction of the key back once, when it has so many blocks on top, for so many times.
    Reorg { confirmations: u64, most: usize },
    /// Lets the base fee jump when a trade of the key waits, until it is replaced.
    DearGas,
}

impl Weather {
    async fn rpc(&self, method: &'static str, params: Value) -> Value {
        self.node.raw_request(method.into(), params).await.expect(method)
    }

    /// Brings the chain past a moment, as a keeper does, and lets the weather have it.
    async fn past(&mut self, past: UtcTime) -> UtcTime {
        if past == UtcTime::EPOCH {
            return self.control.advance_past(past).await.expect("a head").time;
        }
        if matches!(self.kind, Kind::DearGas)
            && let Some(time) = self.withhold(past).await
        {
            return time;
        }
        let head = self.control.advance_past(past).await.expect("a block");
        if let Kind::Reorg { confirmations, most } = self.kind {
            self.strike(head.number, confirmations, most).await;
        }
        head.time
    }

    async fn strike(&mut self, head: u64, confirmations: u64, most: usize) {
        if self.struck.len() >= most {
            return;
        }
        let block = self.rpc("eth_getBlockByNumber", json!([format!("{head:#x}"), true])).await;
        let selector = |tx: &Value| tx["input"].as_str().unwrap_or_default().chars().take(10).collect::<String>();
        let is_ours = |tx: &&Value| {
            tx["from"].as_str() == Some(&format!("{:#x}", self.key))
                && self.turns.get(&selector(tx)).is_none_or(|turns| *turns < TURNS)
        };
        if self.seen.is_none()
            && let Some(tx) = block["transactions"].as_array().expect("transactions").iter().find(is_ours)
        {
            let hash: B256 = tx["hash"].as_str().expect("a hash").parse().expect("a hash");
            self.seen = Some((hash, head)).filter(|_| self.struck.iter().all(|(struck, _)| *struck != hash));
            *self.turns.entry(selector(tx)).or_default() += usize::from(self.seen.is_some());
        }
        let Some((hash, at)) = self.seen.filter(|(_, at)| head - at >= confirmations) else { return };
        // Everybody else's transactions come again, in the same order; the key's do not.
        let (depth, mut again) = (head - at + 1, Vec::new());
        for offset in 0..depth {
            let block = self.rpc("eth_getBlockByNumber", json!([format!("{:#x}", at + offset), true])).await;
            for tx in block["transactions"].as_array().expect("transactions") {
                if tx["from"].as_str() != Some(&format!("{:#x}", self.key)) {
                    let raw = self.rpc("eth_getRawTransactionByHash", json!([tx["hash"]])).await;
                    again.push(json!([raw, offset]));
                }
            }
        }
        self.rpc("anvil_reorg", json!([depth, again])).await;
        assert!(self.node.get_transaction_receipt(hash).await.expect("answered").is_none(), "it is gone");
        self.struck.push((hash, at));
        self.seen = None;
    }

    /// A block too dear for what the key has sent, a second after the last.
    async fn withhold(&mut self, past: UtcTime) -> Option<UtcTime> {
        const BLOCKS: usize = 8;
        let pool = self.rpc("txpool_content", json!([])).await;
        let of_key = pool["pending"]
            .as_object()?
            .iter()
            .find(|(from, _)| from.eq_ignore_ascii_case(&self.key.to_string()))
            .map(|(_, by_nonce)| by_nonce.clone())?;
        let waiting = of_key.as_object()?.values().next()?.clone();
        let hash: B256 = waiting["hash"].as_str()?.parse().ok()?;
        let (first, _) = *self.struck.first().unwrap_or(&(hash, 0));
        // The first one is held back until another takes its place; that one may land.
        if hash != first || self.struck.len() > BLOCKS {
            return None;
        }
        let head = self.control.advance_past(UtcTime::EPOCH).await.expect("a head");
        let latest = self.rpc("eth_getBlockByNumber", json!(["latest", false])).await;
        let time = head.time.seconds().max(past.seconds()).max(number(&latest["timestamp"])) + 1;
        let fee = number(&waiting["maxFeePerGas"]) + number(&waiting["maxFeePerGas"]) / 2;
        self.rpc("evm_setNextBlockTimestamp", json!([time])).await;
        self.rpc("anvil_setNextBlockBaseFeePerGas", json!([format!("{fee:#x}")])).await;
        self.rpc("evm_mine", json!([])).await;
        self.struck.push((hash, 0));
        Some(UtcTime::from_seconds(time))
    }
}

/// A life under a weather.
async fn under(town: &Town, born: &Born, kind: Kind) -> (Living, Arc<tokio::sync::Mutex<Weather>>) {
    let weather = Arc::new(tokio::sync::Mutex::new(Weather {
        node: town.node.clone(),
        control: town.control.clone(),
        key: born.key.address(),
        kind,
        struck: Vec::new(),
        seen: None,
        turns: std::collections::BTreeMap::new(),
    }));
    let shared = weather.clone();
    let pace = PacedClock::new(Box::new(move |past| {
        let weather = shared.clone();
        Box::pin(async move { Ok(weather.lock().await.past(past).await) })
    }));
    (town.take_up_so(born, pace, born.runtime()).await, weather)
}

/// The kind of effect a transaction was sent for, its attempts' nonces, and how many of them landed.
fn history(born: &Born, hash: B256) -> (EffectKind, Vec<u64>, usize) {
    let reader = born.reader();
    let attempt = (reader.landed_since(0).expect("attempts").into_iter())
        .find(|attempt| {
            attempt.hash == hash
                || reader.attempts_of(attempt.effect).is_ok_and(|all| all.iter().any(|a| a.hash == hash))
        })
        .expect("what was struck landed in the end, or what replaced it did");
    let all = reader.attempts_of(attempt.effect).expect("attempts");
    let landed = all.iter().filter(|attempt| matches!(attempt.state, AttemptState::Landed { .. })).count();
    let kind = reader.effect(attempt.effect).expect("read").expect("an effect").effect.kind;
    (kind, all.iter().map(|attempt| attempt.nonce).collect(), landed)
}

/// Lives under reorganisations; answers how many outcomes were withdrawn.
async fn assert_landed_once_after_reorgs(confirmations: u64) -> usize {
    const TICKS: u64 = 120;
    let (town, born) = Town::with(Ground { seed: 11, ..Ground::default() }, "ada", &Nature::default()).await;
    let (mut living, weather) = under(&town, &born, Kind::Reorg { confirmations, most: 10 }).await;
    live_to(&mut living, TICKS).await;
    drop(living);
    // What was taken back last comes to its end when the weather is fair.
    town.live_to(&born, TICKS + 6).await;
    let struck = weather.lock().await.struck.clone();
    assert!(struck.len() >= 4, "{struck:?}");
    let mut kinds = Vec::new();
    for (hash, _) in &struck {
        let (kind, nonces, landed) = history(&born, *hash);
        assert_eq!(landed, 1, "{kind:?}");
        assert!(nonces.iter().all(|nonce| *nonce == nonces[0]), "one nonce for ever: {nonces:?}");
        kinds.push(kind);
    }
    let trades = kinds.iter().filter(|kind| matches!(kind, EffectKind::Trade(_))).count();
    assert!(trades > 0, "a trade was among what was taken back: {kinds:?}");
    town.assert_sent_once(&born).await;
    born.replayed();
    born.told(|event| matches!(event, Event::OutcomeWithdrawn { .. }))
}

/// what a reorganisation takes back before it is confirmed lands again, once, and the records say where.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_reorg_before_confirmation_leaves_a_trade_landed_once() {
    assert_eq!(assert_landed_once_after_reorgs(2).await, 0, "nothing was told too early");
}

/// what was confirmed and is taken back is withdrawn from the records, and lands again, once.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_reorg_after_confirmation_withdraws_the_outcome_and_lands_it_once() {
    assert!(assert_landed_once_after_reorgs(3).await > 0, "it says so");
}

/// a transaction too cheap for the blocks that come is replaced under its nonce, and one of the two lands.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_stuck_transaction_is_replaced_and_lands_once() {
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
    let (mut living, weather) = under(&town, &born, Kind::DearGas).await;
    live_to(&mut living, 20).await;
    drop(living);
    let struck = weather.lock().await.struck.clone();
    assert!(!struck.is_empty(), "it was held back");
    let (kind, nonces, landed) = history(&born, struck[0].0);
    assert!(nonces.len() >= 2, "{kind:?} was replaced: {nonces:?}");
    assert!(nonces.iter().all(|nonce| *nonce == nonces[0]), "{nonces:?}");
    assert_eq!(landed, 1);
    town.assert_sent_once(&born).await;
}

/// through nodes that drop, delay, repeat, limit and lie, nothing is sent twice and nothing breaks.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_life_behind_bad_nodes_sends_nothing_twice() {
    const TICKS: u64 = 60;
    let rates = Rates { dropped: 40, delayed: 40, doubled: 60, limited: 20, lied: 60 };
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
    let proxy = Proxy::before(&town.node, 21, rates).await;
    let mut living = town.take_up(&born, &proxy.url()).await;
    live_to(&mut living, TICKS).await;
    drop(living);
    assert!(proxy.faults() > 100, "{} faults", proxy.faults());
    // What is still on its way comes to its end when the weather is fair.
    town.live_to(&born, TICKS + 6).await;
    let sent = town.assert_sent_once(&born).await;
    assert!(sent.transactions > 5, "{sent:?}");
    born.replayed();
}
