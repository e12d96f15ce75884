//! Golems of two owners on a real chain, and relays between them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::Provider as _;
use alloy::sol_types::SolCall;
use golem_chain::bindings::{IBirth, IErc20, ILineageRegistry};
use golem_chain::{Deployment, EndpointSettings, Endpoints, LocalKey, OnChainRegister, Signer};
use golem_devnet::market::MarketKind;
use golem_devnet::{Devnet, DevnetSettings, FundedAccount};
use golem_ports::{Clade as _, HeardWord, Register};
use golem_primitives::{GolemId, UtcTime};
use golem_relay::{
    Archive, CladeLink, FolderArchive, Gate, LinkSettings, Log, Realm, Relay, RelayClock, RelaySettings, SqliteLog,
    VaultKey, link,
};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::people::submit;
use crate::raised::raise;
use crate::words::Key;

/// A Golem, as far as words go.
#[derive(Clone)]
pub(crate) struct Golem {
    pub(crate) vault: Address,
    pub(crate) agent: U256,
    pub(crate) owner: FundedAccount,
    pub(crate) key: Arc<Key>,
}

impl Golem {
    pub(crate) fn id(&self) -> GolemId {
        GolemId::from_vault(self.vault)
    }
}

/// A chain with a suite, and the time as these tests give it.
pub(crate) struct World {
    pub(crate) net: Devnet,
    pub(crate) here: Deployment,
    pub(crate) realm: Realm,
    pub(crate) endpoints: Endpoints,
    seconds: Arc<AtomicU64>,
    births: u64,
    pub(crate) dir: TempDir,
}

pub(crate) const DAY: u64 = 86_400;
/// When these tests play.
pub(crate) const START: u64 = 1_800_000_000;

impl World {
    pub(crate) async fn up() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let mut settings = DevnetSettings::new(dir.path());
        settings.market = MarketKind::Still;
        let mut net = raise(settings).await;
        let running = serde_json::to_string(&net.running()).expect("plain data");
        let here = Deployment::from_json(&running).expect("a devnet's own words");
        let urls = [net.rpc_url().to_owned()];
        let endpoints = Endpoints::connect(&urls, EndpointSettings::devnet()).await.expect("connected");
        let owner = net.accounts().owner.clone();
        let approve = IErc20::approveCall { spender: here.birth, value: U256::from(10_000_000_000_u64) };
        send(&mut net, &owner, here.usdc, &approve).await;
        let realm = Realm { chain: here.chain_id, lineage: here.lineage };
        Self { net, here, realm, endpoints, seconds: Arc::new(AtomicU64::new(START)), births: 0, dir }
    }

    /// Three of one owner and one of another.
    pub(crate) async fn with_clade() -> (Self, [Golem; 3], Golem) {
        let mut world = Self::up().await;
        let (ann, ben) = (world.net.accounts().owner.clone(), world.net.accounts().strangers[1].clone());
        let clade = [world.born(&ann).await, world.born(&ann).await, world.born(&ann).await];
        let stranger = world.born(&ben).await;
        (world, clade, stranger)
    }

    pub(crate) async fn born(&mut self, owner: &FundedAccount) -> Golem {
        self.births += 1;
        let key = LocalKey::random().expect("a key");
        let funder = self.net.accounts().owner.clone();
        let order = IBirth::Order {
            owner: owner.address,
            funder: funder.address,
            key: key.address(),
            guardian: Address::ZERO,
            policy: vec![],
            listings: vec![],
            predecessor: U256::MAX,
            nonce: U256::from(self.births),
            credits: U256::from(100_000_000),
            capital: U256::ZERO,
            playbookDigest: B256::ZERO,
            name: "Ada".to_owned(),
            agentURI: String::new(),
        };
        let funding =
            IBirth::Funding { kind: 0, validAfter: U256::ZERO, validBefore: U256::ZERO, signature: Bytes::new() };
        let birth = self.here.birth;
        let receipt = send(&mut self.net, &funder, birth, &IBirth::birthCall { order, funding }).await;
        let born = receipt.logs().iter().find_map(|log| log.log_decode::<ILineageRegistry::Born>().ok());
        let born = born.expect("a birth is told").inner.data;
        let key = Arc::new(Key { signer: Signer::Local(key), realm: self.realm });
        Golem { vault: born.vault, agent: born.agentId, owner: owner.clone(), key }
    }

    pub(crate) async fn send<C: SolCall>(&mut self, from: &FundedAccount, to: Address, call: &C) {
        send(&mut self.net, from, to, call).await;
    }

    pub(crate) fn register(&self) -> Arc<dyn Register> {
        Arc::new(OnChainRegister::new(self.endpoints.clone(), self.here.clone()))
    }

    /// A gate that asks the chain each time.
    pub(crate) fn gate(&self) -> Gate {
        Gate::new(self.register(), self.realm, Duration::ZERO)
    }

    pub(crate) fn clock(&self) -> RelayClock {
        let seconds = Arc::clone(&self.seconds);
        Arc::new(move || UtcTime::from_seconds(seconds.load(Ordering::Relaxed)))
    }

    pub(crate) fn now(&self) -> UtcTime {
        (self.clock())()
    }

    /// Lets time pass for relays and links.
    pub(crate) fn pass(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }

    /// A relay on a folder.
    pub(crate) async fn relay(&self) -> Running {
        let log = SqliteLog::open(&self.dir.path().join("relay")).expect("opened");
        let archive = FolderArchive::open(&self.dir.path().join("relay/archive")).expect("opened");
        self.relay_on(Arc::new(log), Arc::new(archive)).await
    }

    pub(crate) async fn relay_on(&self, log: Arc<dyn Log>, archive: Arc<dyn Archive>) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let name = listener.local_addr().expect("an address").to_string();
        let settings = RelaySettings { clock: self.clock(), ..RelaySettings::new(name.clone()) };
        let relay = Relay::new(log, archive, self.gate(), settings).await.expect("ready");
        Running { task: tokio::spawn(relay.run(listener)), name }
    }

    pub(crate) fn file(&self, golem: &Golem) -> PathBuf {
        self.dir.path().join(format!("{:x}.sqlite", golem.vault))
    }

    /// A Golem's link to a relay.
    pub(crate) fn link(&self, golem: &Golem, relay: Option<&str>) -> CladeLink {
        let settings = LinkSettings {
            vault: golem.vault,
            relay: relay.map(|name| format!("ws://{name}")),
            ca: None,
            file: self.file(golem),
            through: 0,
            clock: self.clock(),
        };
        let key: Arc<dyn VaultKey> = golem.key.clone();
        link(settings, Arc::new(self.gate()), key).expect("linked")
    }
}

/// A relay that runs until it is dropped.
pub(crate) struct Running {
    task: JoinHandle<()>,
    pub(crate) name: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Sends, mines one still block and returns the receipt.
async fn send<C: SolCall>(
    net: &mut Devnet,
    from: &FundedAccount,
    to: Address,
    call: &C,
) -> alloy::rpc::types::TransactionReceipt {
    let hash = submit(net, from, to, call.abi_encode(), U256::ZERO).await;
    net.mine_still(2).await.expect("mined");
    let receipt = net.provider().get_transaction_receipt(hash).await.expect("answered").expect("mined");
    assert!(receipt.status(), "{} reverted", C::SIGNATURE);
    receipt
}

/// Waits until something is so; a minute is for ever.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "never: {what}");
        sleep(Duration::from_millis(2)).await;
    }
}

/// Waits for so many words.
pub(crate) async fn hear(link: &mut CladeLink, count: usize) -> Vec<HeardWord> {
    let mut heard = Vec::new();
    until(&format!("{count} words"), || {
        heard = link.heard(10_000).expect("read");
        heard.len() >= count
    })
    .await;
    heard
}
