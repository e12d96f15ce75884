//! A devnet of one's own, a Golem born on it, and the hand that acts for it.

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::Provider;
use alloy::rpc::types::TransactionReceipt;
use alloy::sol_types::SolCall;
use golem_chain::bindings::{IBirth, IErc20, ILineageRegistry, birth};
use golem_chain::{Deployment, EndpointSettings, Endpoints, HandSettings, LocalKey, OnChain, Posting, Roster, Signer};
use golem_core::record::{Outcome, OutcomeResult, OutcomeVerification};
use golem_devnet::market::MarketKind;
use golem_devnet::{Devnet, DevnetSettings, FundedAccount};
use golem_ports::{Act, Attempt, AttemptState, Attempts, Chain, ChainError, Errand, Progress, StoreError};
use golem_primitives::{EffectId, GolemId, PoolName, Tick, Usdc};
use tempfile::TempDir;

pub(crate) use crate::people::submit;
use crate::proxy::Proxy;
use crate::raised::raise;

/// A devnet whose folder lives as long as it does.
pub(crate) struct Net {
    pub(crate) devnet: Devnet,
    _dir: TempDir,
}

/// A devnet in which nothing moves by itself, from a world that is built once.
pub(crate) async fn still() -> Net {
    up(|settings| settings.market = MarketKind::Still).await
}

pub(crate) async fn up(change: impl FnOnce(&mut DevnetSettings)) -> Net {
    let dir = tempfile::tempdir().expect("a folder");
    let mut settings = DevnetSettings::new(dir.path());
    change(&mut settings);
    Net { devnet: raise(settings).await, _dir: dir }
}

/// Where the suite stands on a devnet.
pub(crate) fn deployment(net: &Devnet) -> Deployment {
    let running = serde_json::to_string(&net.running()).expect("plain data");
    Deployment::from_json(&running).expect("a devnet's own words")
}

pub(crate) async fn endpoints(net: &Devnet) -> Endpoints {
    Endpoints::connect(&[net.rpc_url().to_owned()], EndpointSettings::devnet()).await.expect("connected")
}

/// Sends from `account`, mines one still block and returns the receipt.
pub(crate) async fn send<C: SolCall>(
    net: &mut Devnet,
    from: &FundedAccount,
    to: Address,
    call: &C,
) -> TransactionReceipt {
    let hash = submit(net, from, to, call.abi_encode(), U256::ZERO).await;
    net.mine_still(2).await.expect("mined");
    let receipt = net.provider().get_transaction_receipt(hash).await.expect("answered").expect("mined");
    assert!(receipt.status(), "{} reverted", C::SIGNATURE);
    receipt
}

/// Attempts in memory, as a store keeps them on disk.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    pub(crate) attempts: Vec<Attempt>,
    /// Fails the next record, as a full disk would.
    pub(crate) full: bool,
    /// The process ends right after the next record is on disk.
    pub(crate) crash: bool,
}

impl Attempts for Ledger {
    fn record(&mut self, attempt: &Attempt) -> Result<(), StoreError> {
        if self.full {
            return Err(StoreError::DiskFull { path: "memory".into() });
        }
        self.attempts.push(attempt.clone());
        if self.crash {
            return Err(StoreError::Failed { path: "memory".into(), detail: "killed".to_owned() });
        }
        Ok(())
    }

    fn mark(&mut self, hash: B256, state: AttemptState) -> Result<(), StoreError> {
        let attempt = self.attempts.iter_mut().find(|attempt| attempt.hash == hash).expect("recorded before");
        attempt.state = state;
        Ok(())
    }

    fn of(&self, effect: EffectId) -> Result<Vec<Attempt>, StoreError> {
        Ok(self.attempts.iter().filter(|attempt| attempt.effect == effect).cloned().collect())
    }

    fn highest_nonce(&self, key: Address) -> Result<Option<u64>, StoreError> {
        let counts = |attempt: &&Attempt| attempt.key == key && attempt.state != AttemptState::Lost;
        Ok(self.attempts.iter().filter(counts).map(|attempt| attempt.nonce).max())
    }

    fn landed_since(&self, since: u64) -> Result<Vec<Attempt>, StoreError> {
        let landed = |attempt: &&Attempt| attempt.state.rests_on().is_some_and(|(block, _)| block >= since);
        Ok(self.attempts.iter().filter(landed).cloned().collect())
    }
}

/// A Golem that lives on a devnet.
pub(crate) struct Golem {
    pub(crate) net: Net,
    pub(crate) chain: OnChain,
    pub(crate) ledger: Ledger,
    pub(crate) vault: Address,
    pub(crate) agent: U256,
    pub(crate) id: GolemId,
    pub(crate) posting: Posting,
    errands: u32,
}

/// Credits and capital a Golem of these tests is born with.
pub(crate) const CREDITS: Usdc = Usdc::whole(100);
pub(crate) const CAPITAL: Usdc = Usdc::whole(1_000);

impl Golem {
    /// Born to the owner, its key a stranger's, its pool, token and host listed.
    pub(crate) async fn born() -> Self {
        Self::born_on(still().await, |_| {}).await
    }

    pub(crate) async fn born_on(mut net: Net, change: impl FnOnce(&mut IBirth::Order)) -> Self {
        let here = deployment(&net.devnet);
        let (owner, key, host) = {
            let accounts = net.devnet.accounts();
            (accounts.owner.clone(), accounts.strangers[0].clone(), accounts.strangers[4].address)
        };
        let pool = net.devnet.world().pool;
        let listing = |subject, uses, priced_by| birth::IBirth::Listing { subject, uses, pricedBy: priced_by };
        let mut order = IBirth::Order {
            owner: owner.address,
            funder: owner.address,
            key: key.address,
            guardian: net.devnet.accounts().guardian.address,
            policy: vec![],
            listings: vec![
                listing(pool, 16, Address::ZERO),
                listing(here.weth, 32, pool),
                listing(host, 15, Address::ZERO),
            ],
            predecessor: U256::MAX,
            nonce: U256::from(1),
            credits: U256::from(CREDITS.micros()),
            capital: U256::from(CAPITAL.micros()),
            playbookDigest: B256::ZERO,
            name: "Ada".to_owned(),
            agentURI: String::new(),
        };
        change(&mut order);
        let approve = IErc20::approveCall { spender: here.birth, value: U256::from(10_000_000_000u64) };
        send(&mut net.devnet, &owner, here.usdc, &approve).await;
        let funding =
            IBirth::Funding { kind: 0, validAfter: U256::ZERO, validBefore: U256::ZERO, signature: Bytes::new() };
        let receipt = send(&mut net.devnet, &owner, here.birth, &IBirth::birthCall { order, funding }).await;
        let born = receipt.logs().iter().find_map(|log| log.log_decode::<ILineageRegistry::Born>().ok());
        let born = born.expect("a birth is told").inner.data;
        let posting = Posting {
            vault: born.vault,
            pool,
            home: PoolName::HOME,
            elsewhere: Roster::default(),
            roster: None,
            gas_pool: None,
            host: Some(host),
        };
        let chain = hand(&net.devnet, &posting, HandSettings::default()).await;
        let mut golem = Self {
            id: GolemId::from_vault(born.vault),
            vault: born.vault,
            agent: born.agentId,
            chain,
            posting,
            net,
            ledger: Ledger::default(),
            errands: 0,
        };
        // L-025: a tick takes a second at least, and these tests are about ticks up to the tenth.
        golem.mine(5).await;
        golem
    }

    /// An errand with a name of its own.
    pub(crate) fn errand(&mut self, act: Act) -> Errand {
        self.errands += 1;
        let tick = Tick::new(7);
        let effect = EffectId::derive(&self.id, tick, 0, self.errands);
        Errand { effect, tick, act, budget: Usdc::ZERO }
    }

    pub(crate) async fn step(&mut self, errand: &Errand) -> Progress {
        self.chain.drive(errand, &mut self.ledger).await.expect("driven")
    }

    /// Drives to the end, a block after each step.
    pub(crate) async fn finish(&mut self, errand: &Errand) -> Outcome {
        for _ in 0..60 {
            match self.step(errand).await {
                Progress::Done(outcome) => return *outcome,
                Progress::Pending => self.mine(1).await,
            }
        }
        panic!("{} does not end: {:#?}", errand.act.name(), self.ledger.attempts);
    }

    pub(crate) async fn act(&mut self, act: Act) -> Outcome {
        let errand = self.errand(act);
        self.finish(&errand).await
    }

    /// An act that has to be done.
    pub(crate) async fn done(&mut self, act: Act) {
        let name = act.name();
        let outcome = self.act(act).await;
        let is_done = matches!(outcome.result, OutcomeResult::Done | OutcomeResult::Settled(_));
        assert!(is_done, "{name}: {:?}", outcome.result);
    }

    /// A trade that has to be verified.
    pub(crate) async fn verified(&mut self, act: Act) -> OutcomeVerification {
        let name = act.name();
        match self.act(act).await.result {
            OutcomeResult::Verified(record) => *record,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// Why an act is refused.
    pub(crate) async fn refused(&mut self, act: Act) -> String {
        let name = act.name();
        match self.act(act).await.result {
            OutcomeResult::Refused { reason } => reason,
            other => panic!("{name}: {other:?}"),
        }
    }

    pub(crate) async fn mine(&mut self, blocks: u32) {
        for _ in 0..blocks {
            self.net.devnet.mine_still(2).await.expect("mined");
        }
    }

    /// From now on a unit of gas costs this; what offers less waits.
    pub(crate) async fn set_base_fee(&mut self, wei: u64) {
        let time = self.net.devnet.now().seconds() + 1;
        self.rpc("evm_setNextBlockTimestamp", serde_json::json!([time])).await;
        self.rpc("anvil_setNextBlockBaseFeePerGas", serde_json::json!([format!("{wei:#x}")])).await;
        self.rpc("evm_mine", serde_json::json!([])).await;
    }

    /// The process ends between the record of this errand's transaction and its sending.
    pub(crate) async fn dies_before_it_sends(&mut self, errand: &Errand) {
        self.ledger.crash = true;
        let ended = self.chain.drive(errand, &mut self.ledger).await.expect_err("killed");
        assert!(matches!(ended, ChainError::Store(_)), "{ended}");
        self.ledger.crash = false;
    }

    /// What a reorganisation took back, as far as it was not told.
    pub(crate) async fn withdrawn(&mut self) -> Vec<EffectId> {
        self.chain.withdrawn(&mut self.ledger).await.expect("seen")
    }

    /// Another of the key's transactions comes in under the nonce that is next.
    pub(crate) async fn nonce_is_taken(&self) {
        let key = self.net.devnet.accounts().strangers[0].clone();
        submit(&self.net.devnet, &key, key.address, vec![], U256::ZERO).await;
    }

    /// From now on it sees the chain through these.
    pub(crate) async fn look_through(&mut self, proxies: &[&Proxy]) {
        let urls: Vec<String> = proxies.iter().map(|proxy| proxy.url()).collect();
        let settings = EndpointSettings { rounds: 1, ..EndpointSettings::devnet() };
        let endpoints = Endpoints::connect(&urls, settings).await.expect("connected");
        self.begin_with(key_of(&self.net.devnet), endpoints).await;
    }

    /// Another process, with that key.
    pub(crate) async fn begin_with(&mut self, key: LocalKey, endpoints: Endpoints) {
        let (here, settings) = (deployment(&self.net.devnet), HandSettings::default());
        let chain = OnChain::take_up(endpoints, Signer::Local(key), here, &self.posting, settings).await;
        self.chain = chain.expect("at its place");
    }

    /// Transactions the key has had mined.
    pub(crate) async fn nonce(&self) -> u64 {
        self.net.devnet.provider().get_transaction_count(self.chain.key()).await.expect("a nonce")
    }

    pub(crate) fn owner(&self) -> FundedAccount {
        self.net.devnet.accounts().owner.clone()
    }

    /// A call of the owner's on the vault.
    pub(crate) async fn as_owner<C: SolCall>(&mut self, call: &C) {
        let (owner, vault) = (self.owner(), self.vault);
        send(&mut self.net.devnet, &owner, vault, call).await;
    }

    /// The process ends and another takes its place: all that is kept is what was recorded.
    pub(crate) async fn restart(&mut self) {
        self.chain = hand(&self.net.devnet, &self.posting, HandSettings::default()).await;
    }

    pub(crate) async fn rpc(&self, method: &'static str, params: serde_json::Value) -> serde_json::Value {
        self.net.devnet.provider().raw_request(method.into(), params).await.expect(method)
    }
}

pub(crate) async fn hand(net: &Devnet, posting: &Posting, settings: HandSettings) -> OnChain {
    OnChain::take_up(endpoints(net).await, Signer::Local(key_of(net)), deployment(net), posting, settings)
        .await
        .expect("at its place")
}

/// The Golems' key.
pub(crate) fn key_of(net: &Devnet) -> LocalKey {
    LocalKey::from_bytes(&net.accounts().strangers[0].key.0).expect("a key")
}

/// Why an outcome is a refusal; nothing where it is none.
pub(crate) fn reason(outcome: &Outcome) -> &str {
    match &outcome.result {
        OutcomeResult::Refused { reason } => reason,
        _ => "",
    }
}
