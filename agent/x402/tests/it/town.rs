//! A devnet that mines by itself, a facilitator on it, a Golem's key with its memory, and a vault.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alloy::network::{EthereumWallet, NetworkTransactionBuilder, TransactionBuilder};
use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::Provider;
use alloy::rpc::types::{TransactionReceipt, TransactionRequest};
use alloy::sol_types::SolCall;
use golem_chain::bindings::{IBirth, IErc20, ILineageRegistry};
use golem_chain::{Deployment, EndpointSettings, Endpoints, KeyFloat, LocalKey, Signer};
use golem_core::life::Life;
use golem_core::record::Partition;
use golem_devnet::market::MarketKind;
use golem_devnet::{Devnet, DevnetSettings, Facilitator, FundedAccount};
use golem_ports::{Float, Payments};
use golem_primitives::{EffectId, GolemId, Tick, Usdc, UtcTime};
use golem_store::SqliteStore;
use golem_x402::{Counter, Listed, Payer, PayerSettings, Purchase, PurchaseRequest};
use tempfile::TempDir;

use crate::raised::raise;

/// The devnet's own chain, which version 1 has no name for.
pub(crate) const UNNAMED: u64 = 763_088;
/// One it has a name for. Its list is longer than the devnet's list of ids it refuses; nothing here leaves this machine.
pub(crate) const NAMED: u64 = 1_440_000;

pub(crate) struct Town {
    pub(crate) devnet: Devnet,
    pub(crate) facilitator: Facilitator,
    dir: TempDir,
}

impl Town {
    pub(crate) async fn up() -> Self {
        Self::on(UNNAMED).await
    }

    /// A devnet whose time is brought to this machine's, because facilitators and strangers read theirs.
    pub(crate) async fn on(chain_id: u64) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let mut settings = DevnetSettings::new(dir.path());
        settings.market = MarketKind::Still;
        settings.chain_id = chain_id;
        let devnet = raise(settings).await;
        let town = Self { facilitator: Facilitator::open(devnet.rpc_url()).await.expect("a facilitator"), devnet, dir };
        town.rpc("evm_setAutomine", serde_json::json!([true])).await;
        town.set_time(clock()).await;
        town
    }

    pub(crate) async fn rpc(&self, method: &'static str, params: serde_json::Value) -> serde_json::Value {
        self.devnet.provider().raw_request(method.into(), params).await.expect(method)
    }

    /// Mines two blocks from this moment on, so that it lies at confirmation depth.
    pub(crate) async fn set_time(&self, time: UtcTime) {
        for second in 0..3 {
            self.rpc("evm_setNextBlockTimestamp", serde_json::json!([time.seconds() + second])).await;
            self.rpc("evm_mine", serde_json::json!([])).await;
        }
    }

    pub(crate) fn deployment(&self) -> Deployment {
        let running = serde_json::to_string(&self.devnet.running()).expect("plain data");
        Deployment::from_json(&running).expect("a devnet's own words")
    }

    pub(crate) fn stranger(&self, index: usize) -> FundedAccount {
        self.devnet.accounts().strangers[index].clone()
    }

    pub(crate) async fn float(&self) -> KeyFloat {
        let key = LocalKey::from_bytes(&self.stranger(0).key.0).expect("a key");
        let endpoints = Endpoints::connect(&[self.devnet.rpc_url().to_owned()], EndpointSettings::devnet()).await;
        KeyFloat::open(endpoints.expect("connected"), Signer::Local(key), &self.deployment()).await.expect("a float")
    }

    pub(crate) async fn usdc_of(&self, account: Address) -> Usdc {
        let call = IErc20::balanceOfCall { account };
        let request = TransactionRequest::default().with_to(self.devnet.world().usdc).with_input(call.abi_encode());
        let said = self.devnet.provider().call(request).await.expect("answered");
        Usdc::from_micros(IErc20::balanceOfCall::abi_decode_returns(&said).expect("a number").to())
    }

    /// Sends from an account and waits for its block.
    pub(crate) async fn send<C: SolCall>(&self, from: &FundedAccount, to: Address, call: &C) -> TransactionReceipt {
        let provider = self.devnet.provider();
        let nonce = provider.get_transaction_count(from.address).await.expect("a nonce");
        let request = TransactionRequest::default()
            .with_to(to)
            .with_input(Bytes::from(call.abi_encode()))
            .with_nonce(nonce)
            .with_chain_id(self.devnet.running().chain_id)
            .with_gas_limit(3_000_000)
            .with_max_fee_per_gas(100_000_000_000)
            .with_max_priority_fee_per_gas(1_000_000_000);
        let envelope = request.build(&EthereumWallet::from(from.signer())).await.expect("signed");
        let pending = provider.send_tx_envelope(envelope).await.expect("taken");
        let receipt = pending.get_receipt().await.expect("mined");
        assert!(receipt.status(), "{} reverted", C::SIGNATURE);
        receipt
    }

    /// A vault of a Golem whose key is the first stranger's.
    pub(crate) async fn vault(&self) -> Address {
        let here = self.deployment();
        let owner = self.devnet.accounts().owner.clone();
        let approve = IErc20::approveCall { spender: here.birth, value: U256::from(10_000_000_000u64) };
        self.send(&owner, here.usdc, &approve).await;
        let order = IBirth::Order {
            owner: owner.address,
            funder: owner.address,
            key: self.stranger(0).address,
            guardian: self.devnet.accounts().guardian.address,
            policy: vec![],
            listings: vec![],
            predecessor: U256::MAX,
            nonce: U256::from(1),
            credits: U256::from(100_000_000u64),
            capital: U256::ZERO,
            playbookDigest: B256::ZERO,
            name: "Ada".to_owned(),
            agentURI: String::new(),
        };
        let funding =
            IBirth::Funding { kind: 0, validAfter: U256::ZERO, validBefore: U256::ZERO, signature: Bytes::new() };
        let receipt = self.send(&owner, here.birth, &IBirth::birthCall { order, funding }).await;
        let born = receipt.logs().iter().find_map(|log| log.log_decode::<ILineageRegistry::Born>().ok());
        born.expect("a birth is told").inner.data.vault
    }

    pub(crate) async fn counter(&self, vault: Address) -> Counter {
        Counter::of(self.float().await.place(), vault)
    }

    /// The memory of the Golem, opened again where it was before. It has drawn 2 USDC for data.
    pub(crate) fn memory(&self) -> SqliteStore {
        let mut store = self.bare_memory();
        // What an act on chain would have drawn: the stranger's purse is full from the beginning.
        store.drew(effect(1_000), Partition::Data, Usdc::whole(2)).expect("on disk");
        store
    }

    /// The same before anything was drawn.
    pub(crate) fn bare_memory(&self) -> SqliteStore {
        let path = self.dir.path().join("golem.sqlite");
        if path.exists() {
            return SqliteStore::open(&path, None).expect("a memory");
        }
        let golem = GolemId::new("golem-0402").expect("a name");
        let law = golem_mortality::law::Law::hosted();
        let birth = Life::birth(golem, law, Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
        SqliteStore::create(&path, &golem, &birth).expect("a memory")
    }

    /// A payer that may buy from these servers.
    pub(crate) async fn payer(&self, hosts: &[&str]) -> Payer<KeyFloat> {
        self.payer_with(hosts, |_| {}).await
    }

    pub(crate) async fn payer_with(&self, hosts: &[&str], change: impl FnOnce(&mut PayerSettings)) -> Payer<KeyFloat> {
        let listed = |host: &&str| Listed { host: host.parse().expect("a host"), payee: None };
        let mut settings = PayerSettings {
            hosts: hosts.iter().map(listed).collect(),
            patience: Duration::from_secs(30),
            ..PayerSettings::default()
        };
        change(&mut settings);
        Payer::new(self.float().await, settings).expect("a payer")
    }
}

pub(crate) fn effect(number: u32) -> EffectId {
    EffectId::derive(&GolemId::new("golem-0402").expect("a name"), Tick::new(7), 0, number)
}

/// A purchase under a name that no other has.
pub(crate) fn purchase(url: &str) -> Purchase {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    Purchase {
        effect: effect(NEXT.fetch_add(1, Ordering::Relaxed)),
        partition: Partition::Data,
        url: url.to_owned(),
        request: PurchaseRequest::Get,
        at_most: Usdc::from_micros(20_000),
        now: clock(),
    }
}

pub(crate) fn clock() -> UtcTime {
    UtcTime::from_seconds(SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs())
}
