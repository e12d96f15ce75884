//! A town for Golems: a local L2 of its own, births on it, lives in this process or in another, and what the chain says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::{Provider, RootProvider};
use alloy::rpc::client::RpcClient;
use alloy::rpc::types::{Filter, TransactionRequest};
use alloy::sol_types::{SolCall, SolEvent};
use golem_chain::bindings::IErc20;
use golem_chain::{
    BirthPlan, Deployment, DeskPatience, EndpointSettings, Endpoints, HandSettings, Keystore, Listing, LocalKey,
    OnChain, OwnerDesk, PasswordStrength, Policy, PoolBeside, PoolStay, Posting, Roster, Secret, Signer, Uses,
};
use golem_core::life::Life;
use golem_core::memory::Venue;
use golem_core::record::{Event, Outcome};
use golem_core::trader::{Foundation, TraderSettings, TriedIn};
use golem_devnet::market::MarketKind;
use golem_devnet::{Accounts, Control, DevnetSettings, Fork, FundedAccount, Keeper, Running};
use golem_mortality::config::{Config, Hosting};
use golem_ports::{Attempt, AttemptState, JournalEntry, Store};
use golem_primitives::{AgentId, GolemId, PoolName, Ppm, Tick, Usdc, UtcTime, keccak256};
use golem_runtime::{LivedTick, Metrics, PacedClock, Runtime, RuntimeSettings, Telemetry, replay};
use golem_settings::SettingsFile;
use golem_store::{Reader, SqliteStore, StoredEvent};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

#[path = "../shared/brisk.rs"]
pub(crate) mod brisk;
#[path = "../shared/raised.rs"]
mod raised;
#[path = "../shared/worlds.rs"]
mod worlds;

/// The password of every key here.
const PASSWORD: &str = "of a test";
/// Gas each key is given.
const GAS_WEI: u128 = 50_000_000_000_000_000;

/// How a chain of a test is.
pub(crate) struct Ground {
    pub(crate) seed: u64,
    pub(crate) market: MarketKind,
    pub(crate) block_seconds: u64,
    pub(crate) fork: Option<String>,
}

impl Default for Ground {
    fn default() -> Self {
        Self { seed: 7, market: MarketKind::Mixed, block_seconds: 60, fork: None }
    }
}

/// A chain, and who answers its requests for blocks.
pub(crate) struct Town {
    pub(crate) running: Running,
    pub(crate) deployment: Deployment,
    pub(crate) accounts: Accounts,
    pub(crate) control: Control,
    pub(crate) node: RootProvider,
    still: mpsc::Sender<(u64, oneshot::Sender<()>)>,
    keeper: JoinHandle<()>,
    dir: TempDir,
}

impl Drop for Town {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

/// Rolls are real here, and no test wants its Golem to die by one unless it says so.
const SAFE: &str = "[mortality.stochastic]\nbase_hazard_rate = 0.00000001\nage_hazard_coefficient = 0.0\n\
                    epistemic_hazard_multiplier = 1.0\n";

/// What a Golem of a test is given.
#[derive(Clone)]
pub(crate) struct Nature {
    pub(crate) credits: Usdc,
    pub(crate) capital: Usdc,
    pub(crate) policy: Option<Policy>,
    pub(crate) trader: TraderSettings,
    /// The founding book, in its brisk form.
    pub(crate) book: &'static str,
    /// P-046. What its line tried and saw before it.
    pub(crate) line: Vec<TriedIn>,
    /// P-057. Whether it trades in every pool of the local L2, and not in its home pool alone.
    pub(crate) everywhere: bool,
    pub(crate) tick_seconds: u64,
    /// `[mortality...]` tables.
    pub(crate) law: String,
}

impl Default for Nature {
    fn default() -> Self {
        Self {
            credits: Usdc::whole(50),
            capital: Usdc::whole(2_000),
            policy: None,
            trader: TraderSettings { host_per_tick: Usdc::from_micros(20_000), ..TraderSettings::default() },
            book: "mean-reversion",
            line: Vec::new(),
            everywhere: false,
            tick_seconds: 120,
            law: String::new(),
        }
    }
}

/// A Golem that was born.
#[derive(Clone)]
pub(crate) struct Born {
    pub(crate) name: String,
    pub(crate) agent: AgentId,
    pub(crate) vault: Address,
    pub(crate) id: GolemId,
    pub(crate) key: LocalKey,
    pub(crate) folder: PathBuf,
    posting: Posting,
    tick: Duration,
    chain: u64,
}

/// A life in this process.
pub(crate) type Living = Runtime<OnChain, SqliteStore, PacedClock>;

impl Town {
    pub(crate) async fn up(ground: Ground) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let mut settings = DevnetSettings::new(dir.path());
        (settings.seed, settings.market, settings.block_seconds) = (ground.seed, ground.market, ground.block_seconds);
        settings.fork = ground.fork.map(|url| Fork { url, block: None });
        let net = raised::raise(settings).await;
        let mut keeper = Keeper::open(net).await.expect("a control port");
        let running = keeper.net().running();
        let deployment = Deployment::from_json(&serde_json::to_string(&running).expect("plain data")).expect("a suite");
        let (control, (still, mut asked)) = (keeper.control(), mpsc::channel::<(u64, oneshot::Sender<()>)>(1));
        let keeper = tokio::spawn(async move {
            loop {
                tokio::select! {
                    biased;
                    Some((seconds, done)) = asked.recv() => {
                        keeper.net().mine_still(seconds).await.expect("mined");
                        let _ = done.send(());
                    }
                    request = keeper.next() => { keeper.answer(request).await.expect("mined"); }
                }
            }
        });
        let node = RootProvider::new(RpcClient::new_http(running.rpc_url.parse().expect("a URL")));
        Self { running, deployment, accounts: Accounts::default(), control, node, still, keeper, dir }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn owner(&self) -> &FundedAccount {
        &self.accounts.owner
    }

    /// Lets time pass in one block in which nobody trades.
    pub(crate) async fn pass(&self, seconds: u64) {
        let (done, heard) = oneshot::channel();
        self.still.send((seconds, done)).await.expect("a keeper");
        heard.await.expect("mined");
    }

    /// Brings one block, the market's trades in it.
    pub(crate) async fn block(&self) {
        let head = self.control.advance_past(UtcTime::EPOCH).await.expect("a head");
        self.control.advance_past(head.time).await.expect("a block");
    }

    pub(crate) async fn rpc(&self, method: &'static str, params: Value) -> Value {
        self.node.raw_request(method.into(), params).await.expect(method)
    }

    pub(crate) async fn endpoints(&self, url: &str) -> Endpoints {
        let settings = EndpointSettings {
            chain_id: Some(self.running.chain_id),
            backoff: Duration::from_millis(5),
            penalty: Duration::from_millis(20),
            ..EndpointSettings::devnet()
        };
        Endpoints::connect(&[url.to_owned()], settings).await.expect("connected")
    }

    /// Somebody's desk, his transactions waiting for [`Town::bringing`].
    pub(crate) async fn desk(&self, of: &FundedAccount) -> OwnerDesk {
        let key = LocalKey::from_bytes(&of.key.0).expect("a key");
        OwnerDesk::new(self.endpoints(&self.running.rpc_url).await, Signer::Local(key), self.deployment.clone())
            .expect("a desk")
            .with_patience(DeskPatience { poll: Duration::from_millis(10), ..DeskPatience::default() })
    }

    /// Brings a block whenever a transaction waits, and two behind it, until `wanted` is there. How many there are
    /// follows from the transactions, so that the same acts give the same chain.
    pub(crate) async fn bringing<T>(&self, wanted: impl Future<Output = T>) -> T {
        let is_there = std::cell::Cell::new(false);
        let bring = async {
            let mut behind = 0;
            // A block that was begun is waited for: whoever counts what waits while one is made counts it twice.
            while !is_there.get() {
                let pool = self.rpc("txpool_status", json!([])).await;
                let waits = pool["pending"] != "0x0";
                if waits || behind > 0 {
                    self.block().await;
                    behind = if waits { 2 } else { behind - 1 };
                } else {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        };
        let wanted = async {
            let done = wanted.await;
            is_there.set(true);
            done
        };
        let (done, ()) = tokio::join!(wanted, bring);
        done
    }

    /// A birth as `bardo golem create` gives it: the folder can be lived by this process and by `bardo golem run`.
    pub(crate) async fn birth(&self, name: &str, nature: &Nature) -> Born {
        self.birth_for(self.owner(), name, nature).await
    }

    /// The same, of any owner.
    pub(crate) async fn birth_for(&self, owner: &FundedAccount, name: &str, nature: &Nature) -> Born {
        let folder = self.path().join("golems").join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let key = LocalKey::from_bytes(&keccak256(name).0).expect("a key");
        let sealed = Secret::new(PASSWORD.to_owned());
        Keystore::store(&folder.join("key.json"), &key, &sealed, PasswordStrength::Test).expect("sealed");
        let desk = self.desk(owner).await;
        let pool = self.deployment.pool.expect("a pool");
        let host = self.accounts.strangers[0].address;
        let payee = Uses::PAYEE_LLM.and(Uses::PAYEE_GAS).and(Uses::PAYEE_DATA).and(Uses::PAYEE_LEGACY);
        let all = &self.running.world.pools;
        let beside = if nature.everywhere { &all[1..] } else { &[] };
        let mut listings =
            vec![Listing::pool(pool), Listing::token(self.deployment.weth, pool), Listing::payee(host, payee)];
        for one in beside {
            listings.push(Listing::pool(one.address));
            if one.token != self.deployment.weth {
                listings.push(Listing::token(one.token, one.address));
            }
        }
        let posted = |one: &golem_devnet::WorldPool| PoolBeside {
            name: one.name,
            address: one.address,
            token: one.token,
            stay: PoolStay::Stays,
        };
        let roster = Roster { pools: beside.iter().map(posted).collect() };
        let home = if nature.everywhere { all[0].name } else { PoolName::HOME };
        let plan = BirthPlan {
            guardian: Some(self.accounts.guardian.address),
            policy: nature.policy.clone(),
            listings,
            capital: nature.capital,
            ..BirthPlan::new(owner.address, key.address(), name, nature.credits)
        };
        let born = self
            .bringing(async {
                let born = desk.birth(&plan, &mut |_| {}).await.expect("born");
                desk.send_gas(key.address(), GAS_WEI, &mut |_| {}).await.expect("gas");
                born
            })
            .await;
        let block = self.rpc("eth_getBlockByNumber", json!([format!("{:#x}", born.receipt.block), false])).await;
        let time = UtcTime::from_seconds(number(&block["timestamp"]));
        let posting = Posting {
            vault: born.vault,
            pool,
            home,
            elsewhere: roster.clone(),
            roster: Some(folder.join("pools.json")),
            gas_pool: None,
            host: Some(host),
        };
        let id = GolemId::from_vault(born.vault);
        let config = nature.config();
        let mut file = SettingsFile::parse(&config).expect("TOML");
        let law = Config::take(&mut file, Hosting::Hosted);
        let law = law.law(Hosting::Hosted).expect("a law").on_chain();
        let elsewhere = beside.iter().map(|one| one.name).collect();
        let foundation = Foundation { home, elsewhere, line: nature.line.clone(), ..brisk::foundation(nature.book) };
        let life =
            Life::birth(id, law, nature.credits, 0, time).expect("a life").with_trader(nature.trader, foundation);
        SqliteStore::create(&folder.join("life.sqlite"), &id, &life).expect("a memory");
        std::fs::write(folder.join("golem.toml"), config).expect("written");
        let book = brisk::foundation(nature.book).book.to_string();
        std::fs::write(folder.join("founding.md"), book).expect("written");
        let certificate = json!({
            "name": name, "agent": born.agent, "lineage": born.lineage, "generation": born.generation,
            "vault": born.vault, "key": key.address(), "owner": owner.address, "pool": pool,
            "home_pool": home, "elsewhere": roster, "host": host,
            "born": time, "block": born.receipt.block, "credits": nature.credits, "capital": nature.capital,
            "deployment": self.deployment,
        });
        std::fs::write(folder.join("birth.json"), certificate.to_string()).expect("written");
        let tick = Duration::from_secs(nature.tick_seconds);
        let chain = self.deployment.chain_id;
        Born { name: name.to_owned(), agent: born.agent, vault: born.vault, id, key, folder, posting, tick, chain }
    }

    /// Takes a life up in this process, on the chain as `url` shows it.
    pub(crate) async fn take_up(&self, born: &Born, url: &str) -> Living {
        resume(self.hand(born, url).await, born.memory(), self.pace(), born.runtime())
    }

    /// The same at another pace, or as its owner arranged it.
    pub(crate) async fn take_up_so(&self, born: &Born, pace: PacedClock, settings: RuntimeSettings) -> Living {
        resume(self.hand(born, &self.running.rpc_url).await, born.memory(), pace, settings)
    }

    /// A chain of a test, and a life born on it.
    pub(crate) async fn with(ground: Ground, name: &str, nature: &Nature) -> (Self, Born) {
        let town = Self::up(ground).await;
        let born = town.birth(name, nature).await;
        (town, born)
    }

    pub(crate) async fn hand(&self, born: &Born, url: &str) -> OnChain {
        self.hand_on(born, self.endpoints(url).await).await
    }

    pub(crate) async fn hand_on(&self, born: &Born, endpoints: Endpoints) -> OnChain {
        let usual = HandSettings::default();
        let permit_seconds = usual.permit_seconds.max(4 * self.running.block_seconds);
        let order_seconds = usual.order_seconds.max(4 * self.running.block_seconds);
        let settings = HandSettings { permit_seconds, order_seconds, ..usual };
        let signer = Signer::Local(born.key.clone());
        OnChain::take_up(endpoints, signer, self.deployment.clone(), &born.posting, settings)
            .await
            .expect("at its place")
    }

    /// Ticks as fast as the chain brings blocks.
    pub(crate) fn pace(&self) -> PacedClock {
        let control = self.control.clone();
        PacedClock::new(Box::new(move |past| {
            let control = control.clone();
            Box::pin(async move {
                control.advance_past(past).await.map(|head| head.time).map_err(|error| error.to_string())
            })
        }))
    }

    /// Lives in this process up to a tick.
    pub(crate) async fn live_to(&self, born: &Born, tick: u64) -> Life {
        let mut living = self.take_up(born, &self.running.rpc_url).await;
        live_to(&mut living, tick).await;
        living.into_life()
    }

    /// Lives in this process until it is dead.
    pub(crate) async fn live_out(&self, born: &Born, most: u64) -> Life {
        let mut living = self.take_up(born, &self.running.rpc_url).await;
        live_out(&mut living, most).await;
        living.into_life()
    }

    /// The `bardo` program, in this town.
    pub(crate) fn bardo(&self, arguments: &[&str]) -> Command {
        let password = self.path().join("password");
        std::fs::write(&password, PASSWORD).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_bardo"));
        command
            .args(arguments)
            .env("BARDO_HOME", self.path())
            .env("BARDO_CHAIN_DIR", self.path())
            .env("BARDO_KEY_PASSWORD_FILE", password)
            .env_remove("BARDO_RPC")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Runs `bardo` to its end, blocks coming as it needs them; answers whether it went well and what it complained of.
    pub(crate) async fn says(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = self.bardo(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let ended = tokio::process::Command::from(command).kill_on_drop(true).output().await.expect("bardo runs");
        (ended.status.success(), String::from_utf8_lossy(&ended.stderr).into_owned())
    }

    /// The same, where it has to go well.
    pub(crate) async fn does(&self, arguments: &[&str]) {
        let (went_well, said) = self.says(arguments).await;
        assert!(went_well, "{arguments:?}: {said}");
    }

    /// What `bardo` prints.
    pub(crate) fn prints(&self, arguments: &[&str]) -> String {
        let said = self.bardo(arguments).stdout(Stdio::piped()).output().expect("bardo runs");
        assert!(said.status.success(), "{arguments:?}");
        String::from_utf8(said.stdout).expect("text")
    }

    /// A plain transaction of anybody's by foundry's `cast`: what an owner has when he has nothing of ours.
    pub(crate) async fn cast(&self, from: &FundedAccount, to: Address, signature: &str, words: &str) {
        let cast = golem_devnet::find_tool("cast").expect("cast");
        let mut command = tokio::process::Command::new(cast.path);
        command
            .args(["send", &to.to_string(), signature, words, "--rpc-url", &self.running.rpc_url])
            .args(["--private-key", &from.key.to_string()])
            .kill_on_drop(true);
        let sent = self.bringing(command.output()).await.expect("cast runs");
        assert!(sent.status.success(), "{}", String::from_utf8_lossy(&sent.stderr));
    }

    pub(crate) async fn balance(&self, token: Address, account: Address) -> u128 {
        let call = TransactionRequest::default().to(token).input(IErc20::balanceOfCall { account }.abi_encode().into());
        let said: Bytes = self.node.call(call).await.expect("answered");
        U256::from_be_slice(&said).to()
    }

    /// Every event of a kind that a contract emitted.
    pub(crate) async fn logs<E: SolEvent>(&self, of: Address) -> Vec<E> {
        let filter = Filter::new().address(of).event_signature(E::SIGNATURE_HASH).from_block(0);
        let logs = self.node.get_logs(&filter).await.expect("logs");
        logs.iter().map(|log| log.log_decode::<E>().expect("its event").inner.data).collect()
    }

    /// Everything that must be so after a death: the chain says it and its cause, the testament is the one on chain, the
    /// vault is empty, the journal leads to the recorded state, and nothing was sent twice.
    pub(crate) async fn assert_buried(&self, born: &Born, cause: &str) -> Life {
        let desk = self.desk(self.owner()).await;
        let view = desk.golem(born.agent).await.expect("seen");
        let plain = |text: &str| text.to_lowercase().replace(['_', ' ', '-'], "");
        assert_eq!(plain(&view.life), "dead", "{}", born.name);
        assert_eq!(plain(&view.cause), plain(cause), "{}", born.name);
        let testament = std::fs::read(born.folder.join("testament.json")).expect("a testament");
        assert_eq!(view.testamentHash, keccak256(&testament), "T-007 {}: the file is the one on chain", born.name);
        for token in [self.deployment.usdc, self.deployment.weth] {
            assert_eq!(self.balance(token, born.vault).await, 0, "T-004 {}: the vault is empty", born.name);
        }
        let life = born.replayed();
        let death = life.death().expect("it is dead");
        assert_eq!(plain(death.cause.kind().name()), plain(cause), "{}", born.name);
        assert_eq!(view.ticks.to_string(), death.ticks_alive.to_string(), "{}: ticks", born.name);
        let sent = self.assert_sent_once(born).await;
        let open = born.reader().open_effects();
        assert_eq!(sent.open, 0, "{}: nothing of a dead one is open: {open:?}", born.name);
        life
    }

    /// What the chain has of this key is what was recorded, and of each effect at most one. V-003: no life
    /// that was lived with one key ever alarms.
    pub(crate) async fn assert_sent_once(&self, born: &Born) -> Sent {
        let alarms = born.told(|event| matches!(event, Event::LedgerDiffers { .. }));
        assert_eq!(alarms, 0, "{}: its books differ from the vault's", born.name);
        let reader = born.reader();
        let mut known: Vec<Attempt> = reader.landed_since(0).expect("attempts");
        let landed = known.len();
        let open = reader.open_effects().expect("effects");
        for effect in &open {
            let of = reader.attempts_of(effect.effect.id).expect("attempts");
            known.extend(of.into_iter().filter(|attempt| !matches!(attempt.state, AttemptState::Landed { .. })));
        }
        let mut mined = std::collections::BTreeMap::new();
        for attempt in &known {
            let Some(receipt) = self.node.get_transaction_receipt(attempt.hash).await.expect("answered") else {
                let landed = matches!(attempt.state, AttemptState::Landed { .. });
                assert!(!landed, "{}: recorded as landed, and not on chain: {attempt:?}", born.name);
                continue;
            };
            if let AttemptState::Landed { block, hash } = attempt.state {
                assert_eq!((receipt.block_number, receipt.block_hash), (Some(block), Some(hash)), "{}", born.name);
            }
            let twice = mined.insert(attempt.effect, attempt.hash);
            assert_eq!(twice, None, "{}: an effect landed twice", born.name);
        }
        let nonce = self.node.get_transaction_count(born.key.address()).await.expect("a nonce");
        assert_eq!(nonce, mined.len() as u64, "{}: the key's transactions are the recorded ones", born.name);
        Sent { transactions: nonce, landed, open: open.len() }
    }
}

pub(crate) fn resume(hand: OnChain, store: SqliteStore, pace: PacedClock, settings: RuntimeSettings) -> Living {
    let telemetry = Telemetry::new(Arc::new(Metrics::default()));
    Runtime::resume(hand, store, pace, settings, telemetry).expect("resumed")
}

/// What a key has sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) transactions: u64,
    pub(crate) landed: usize,
    pub(crate) open: usize,
}

pub(crate) async fn live_to(living: &mut Living, tick: u64) {
    while living.lived() < Tick::new(tick) {
        assert_eq!(living.tick().await.expect("it goes on"), LivedTick::Alive, "tick {}", living.lived());
    }
}

pub(crate) async fn live_out(living: &mut Living, most: u64) {
    while living.tick().await.expect("it goes on") != LivedTick::Dead {
        assert!(living.lived() < Tick::new(most), "still alive at {}", living.lived());
    }
}

impl Nature {
    pub(crate) fn acting_by(book: &'static str) -> Self {
        Self { book, ..Self::default() }
    }

    /// On a cheap machine: credits for weeks, so that nothing but what is done to it presses.
    pub(crate) fn lasting() -> Self {
        let usual = Self::default();
        Self { trader: TraderSettings { host_per_tick: Usdc::from_micros(500), ..usual.trader }, ..usual }
    }

    fn config(&self) -> String {
        let trader = &self.trader;
        let hazard = if self.law.contains("[mortality.stochastic]") { "" } else { SAFE };
        format!(
            "[golem]\nplaybook = \"founding.md\"\nstake = {}\nhost_usdc_per_tick = {}\ntick_seconds = {}\n[embedder]\nkind = \"none\"\n{hazard}{}",
            ppm(trader.stake),
            usdc(trader.host_per_tick),
            self.tick_seconds,
            self.law
        )
    }
}

impl Born {
    pub(crate) fn store(&self) -> PathBuf {
        self.folder.join("life.sqlite")
    }

    /// Its memory, for whoever lives it.
    pub(crate) fn memory(&self) -> SqliteStore {
        SqliteStore::open(&self.store(), Some(&self.id)).expect("its memory")
    }

    /// Its memory, for whoever looks on.
    pub(crate) fn reader(&self) -> Reader {
        Reader::open(&self.store()).expect("its memory")
    }

    pub(crate) fn journal(&self) -> Vec<JournalEntry> {
        self.reader().journal(1, usize::MAX >> 1).expect("a journal")
    }

    pub(crate) fn events(&self) -> Vec<StoredEvent> {
        self.reader().events(1, usize::MAX >> 1).expect("events")
    }

    /// All that came of its effects.
    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.journal().into_iter().flat_map(|entry| entry.input.outcomes).collect()
    }

    pub(crate) fn runtime(&self) -> RuntimeSettings {
        // As `bardo golem run` names the suite's own pool, so that both live the same life.
        let venue = Venue { chain: self.chain, pair: "WETH/USDC".to_owned() };
        RuntimeSettings { tick: self.tick, ..RuntimeSettings::new(&self.folder, venue) }
    }

    /// The life its journal leads to, every hash compared.
    pub(crate) fn replayed(&self) -> Life {
        let store = self.memory();
        let birth = store.reader().birth().expect("read").expect("a birth");
        let again = replay(&store, birth, |_, _, _| {}).expect("replayed");
        assert_eq!(again.compared, again.passes, "{}: every pass has its hash", self.name);
        let restored = store.restore().expect("read").snapshot.expect("a snapshot").1;
        if !restored.is_alive() {
            assert_eq!(restored.hash(), again.life.hash(), "{}: the snapshot is where the journal leads", self.name);
        }
        again.life
    }

    /// The hash after each pass.
    pub(crate) fn hashes(&self) -> Vec<(u64, Option<B256>)> {
        self.journal().into_iter().map(|entry| (entry.seq, entry.hash)).collect()
    }

    /// How often an event of this name happened.
    pub(crate) fn told(&self, is_it: impl Fn(&Event) -> bool) -> usize {
        self.events().iter().filter(|stored| is_it(&stored.event)).count()
    }

    /// Effects ever wanted.
    pub(crate) fn wanted(&self) -> u64 {
        self.reader().counts().expect("counted").effects
    }
}

fn usdc(amount: Usdc) -> String {
    format!("{}.{:06}", amount.micros() / 1_000_000, amount.micros() % 1_000_000)
}

fn ppm(share: Ppm) -> String {
    format!("{}.{:06}", share.get() / 1_000_000, share.get() % 1_000_000)
}

/// A number as nodes write it.
pub(crate) fn number(value: &Value) -> u64 {
    let text = value.as_str().expect("a number in hex");
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number in hex")
}
