//! Everything that can happen to a transaction, in any order: each errand ends in one outcome, and money moves once.

use golem_core::record::{Order, Outcome, OutcomeResult};
use golem_ports::{Act, Chain, ChainError, Errand, Progress};
use golem_primitives::{PoolName, Usdc};
use serde_json::json;

use crate::support::{CAPITAL, Golem};

const SPEND: Usdc = Usdc::whole(10);
/// Far below, and far above, what an offer of a moment ago can pay.
const BASE_FEES: [u64; 2] = [10_000_000, 60_000_000];

/// SplitMix64: equal seeds, equal misfortunes.
struct Fate(u64);

impl Fate {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// One errand under misfortune, as a runtime would see it through.
struct Trial {
    errand: Errand,
    told: Option<Outcome>,
}

impl Trial {
    async fn step(&mut self, golem: &mut Golem) {
        if self.told.is_some() {
            return;
        }
        match golem.chain.drive(&self.errand, &mut golem.ledger).await {
            Ok(Progress::Done(outcome)) => self.told = Some(*outcome),
            Ok(Progress::Pending) => {}
            Err(ChainError::Store(_)) => {
                // Killed right after the record; the next process goes on.
                golem.ledger.crash = false;
                golem.restart().await;
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// What a reorganisation took back is open again.
async fn look_back(golem: &mut Golem, trials: &mut [Trial]) {
    let withdrawn = golem.withdrawn().await;
    for trial in trials.iter_mut().filter(|trial| withdrawn.contains(&trial.errand.effect)) {
        trial.told = None;
    }
}

async fn misfortune(fate: &mut Fate, golem: &mut Golem) {
    match fate.below(8) {
        0 => golem.restart().await,
        1 => golem.ledger.crash = true,
        2 => {
            if let Some(attempt) = golem.ledger.attempts.last() {
                let hash = attempt.hash;
                golem.rpc("anvil_dropTransaction", json!([hash])).await;
            }
        }
        3 => {
            let depth = 1 + fate.below(3);
            golem.rpc("anvil_reorg", json!([depth, []])).await;
        }
        4 => golem.set_base_fee(BASE_FEES[fate.below(2) as usize]).await,
        5 => {
            golem.net.devnet.mine_still(40).await.expect("mined");
        }
        _ => golem.mine(1).await,
    }
}

async fn live(seed: u64) {
    let mut fate = Fate(seed);
    let mut golem = Golem::born().await;
    golem.mine(8).await;
    let mut trials: Vec<Trial> = Vec::new();
    for _ in 0..6 {
        let errand = golem.errand(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: SPEND, least: 1 }));
        trials.push(Trial { errand, told: None });
    }
    for _ in 0..40 {
        for trial in &mut trials {
            trial.step(&mut golem).await;
        }
        for _ in 0..=fate.below(3) {
            misfortune(&mut fate, &mut golem).await;
        }
        look_back(&mut golem, &mut trials).await;
    }
    // Calm again: everything comes to its end.
    golem.ledger.crash = false;
    for _ in 0..60 {
        for trial in &mut trials {
            trial.step(&mut golem).await;
        }
        golem.mine(1).await;
        let open = trials.iter().filter(|trial| trial.told.is_none()).count();
        if open == 0 {
            break;
        }
    }
    let told: Vec<&Outcome> = trials.iter().map(|trial| trial.told.as_ref().expect("an end")).collect();
    let bought =
        told.iter().filter(|outcome| matches!(&outcome.result, OutcomeResult::Verified(r) if r.receipt.success));
    let bought = u64::try_from(bought.count()).expect("six");
    let idle = golem.chain.sense().await.expect("seen").vault.expect("a vault").idle;
    assert_eq!(CAPITAL.micros() - idle.micros(), bought * SPEND.micros(), "seed {seed}: {told:#?}");
    // At most one of a nonce's attempts landed.
    let mut nonces: Vec<u64> = golem
        .ledger
        .attempts
        .iter()
        .filter(|attempt| matches!(attempt.state, golem_ports::AttemptState::Landed { .. }))
        .map(|attempt| attempt.nonce)
        .collect();
    let landed = nonces.len();
    nonces.sort_unstable();
    nonces.dedup();
    assert_eq!(landed, nonces.len(), "seed {seed}");
}

///
#[tokio::test(flavor = "multi_thread")]
async fn r_021_no_order_of_misfortunes_spends_twice() {
    for seed in [1, 216, 220, 235] {
        live(seed).await;
    }
}
