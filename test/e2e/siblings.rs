//! I-100 to I-121, P-075. Three Golems of one owner and one of another on the local L2, with a relay between them whose time is the
//! chain's.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use golem_chain::bindings::IVault;
use golem_chain::{OnChainRegister, Signer};
use golem_core::record::{CladeNews, Event, Observation, RuleChange};
use golem_core::trader::TraderSettings;
use golem_devnet::market::MarketKind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::status::Status;
use golem_mortality::cause::CauseKind;
use golem_ports::{Clade as _, HeardWord};
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};
use golem_relay::{
    CladeLink, FolderArchive, Gate, LinkSettings, Realm, Relay, RelayClock, RelaySettings, SqliteLog, link,
};
use golem_runtime::LivedTick;
use golem_store::Reader;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::found::{LOOK_SECONDS, UNDERSTANDS_LITTLE, bought, dreamer, events, lately, onlooker};
use crate::seasons::recorded;
use crate::words::Key;
use crate::world::{Born, Ground, Living, Nature, Town, number};

/// Rows that their line saw before them: a dream finds nothing in less than two thousand.
const SEEN: usize = 1_960;
/// Looks from one slide of the price to the next.
const CYCLE: usize = 24;
const ROWS: usize = 5_000;
const CAPITAL: Usdc = Usdc::whole(4_000);
const DAY: u64 = 86_400;
/// The most ticks that anything here takes.
const MOST_TICKS: u64 = 700;

/// The price of a row: it wavers, and every twenty-four looks it slides down a hundredth and comes back.
fn price(row: usize) -> f64 {
    let noise = (row as u64).wrapping_mul(2_654_435_761) % 1_000;
    let slid = match row % CYCLE {
        at @ 10..=16 => 5 * (at - 9),
        17..=19 => 35,
        at @ 20.. => 35 - 9 * (at - 19).min(3),
        _ => 0,
    };
    3_000.0 + noise as f64 / 500.0 - slid as f64
}

fn market() -> MarketKind {
    recorded("siblings", (SEEN..ROWS).map(price))
}

/// A relay on the local L2, and the time as everybody on it has it: the newest block's.
struct Wire<'a> {
    town: &'a Town,
    seconds: Arc<AtomicU64>,
    name: String,
    relay: JoinHandle<()>,
}

impl Drop for Wire<'_> {
    fn drop(&mut self) {
        self.relay.abort();
    }
}

impl<'a> Wire<'a> {
    async fn up(town: &'a Town) -> Self {
        let folder = town.path().join("relay");
        let log = SqliteLog::open(&folder).expect("a log");
        let archive = FolderArchive::open(&folder.join("archive")).expect("an archive");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let name = listener.local_addr().expect("an address").to_string();
        let seconds = Arc::new(AtomicU64::new(0));
        let settings = RelaySettings { clock: clock(&seconds), ..RelaySettings::new(name.clone()) };
        let gate = gate(town).await;
        let relay = Relay::new(Arc::new(log), Arc::new(archive), gate, settings).await.expect("a relay");
        let wire = Self { town, seconds, name, relay: tokio::spawn(relay.run(listener)) };
        wire.follow().await;
        wire
    }

    /// Sets the time to the newest block's.
    async fn follow(&self) {
        let head = self.town.rpc("eth_getBlockByNumber", json!(["latest", false])).await;
        self.seconds.store(number(&head["timestamp"]), Ordering::Relaxed);
    }

    /// A Golem's link; it is in reach when this returns.
    async fn link(&self, born: &Born, through: u64) -> CladeLink {
        let settings = LinkSettings {
            vault: born.vault,
            relay: Some(format!("ws://{}", self.name)),
            ca: None,
            file: words_of(born),
            through,
            clock: clock(&self.seconds),
        };
        let key = Key { signer: Signer::Local(born.key.clone()), realm: realm(self.town) };
        let link = link(settings, Arc::new(gate(self.town).await), Arc::new(key)).expect("linked");
        until("the relay lets it in", || link.siblings().is_some()).await;
        link
    }

    /// Takes a life up and links it.
    async fn join(&self, born: &Born, mut living: Living) -> Living {
        let through = living.life().kinship().map_or(0, |kinship| kinship.through);
        living.join(Box::new(self.link(born, through).await));
        living
    }

    /// One tick, after which everything it said has left and the time is the chain's again.
    async fn tick(&self, born: &Born, living: &mut Living) -> LivedTick {
        let lived = living.tick().await.expect("it goes on");
        let words = Connection::open_with_flags(words_of(born), OpenFlags::SQLITE_OPEN_READ_ONLY).expect("its words");
        let waiting = || words.query_one("SELECT count(*) FROM outbox", (), |row| row.get::<_, i64>(0));
        // The dead may not speak: a word that the last act overtook stays.
        until("its words have left", || lived == LivedTick::Dead || waiting().is_ok_and(|waiting| waiting == 0)).await;
        self.follow().await;
        lived
    }
}

fn words_of(born: &Born) -> PathBuf {
    born.folder.join("clade.sqlite")
}

fn clock(seconds: &Arc<AtomicU64>) -> RelayClock {
    let seconds = Arc::clone(seconds);
    Arc::new(move || UtcTime::from_seconds(seconds.load(Ordering::Relaxed)))
}

fn realm(town: &Town) -> Realm {
    Realm { chain: town.deployment.chain_id, lineage: town.deployment.lineage }
}

async fn gate(town: &Town) -> Gate {
    let register = OnChainRegister::new(town.endpoints(&town.running.rpc_url).await, town.deployment.clone());
    Gate::new(Arc::new(register), realm(town), Duration::ZERO)
}

/// Waits until something is so; a minute is for ever.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "never: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// What waits for a life that is not lived yet.
async fn waiting(link: &mut CladeLink, from: &Born) -> Vec<HeardWord> {
    let mut heard = Vec::new();
    until("its sibling is heard", || {
        heard = link.heard(1_000).expect("its words");
        heard.iter().any(|word| word.from == from.id)
    })
    .await;
    heard
}

/// Everything of siblings that a life wrote into its journal.
fn news(store: &Path) -> Vec<CladeNews> {
    let journal = Reader::open(store).expect("its memory").journal(1, usize::MAX >> 1).expect("a journal");
    let seen = journal.into_iter().flat_map(|entry| entry.input.observations);
    each!(seen, Observation::Clade(news) => *news)
}

/// When a rule came to move money, and which.
fn earned(store: &Path) -> Option<(Tick, String)> {
    events(store).into_iter().find_map(|stored| match stored.event {
        Event::Rule(changed) if matches!(changed.change, RuleChange::OnTrial { evidence } if evidence >= 20.0) => {
            Some((stored.tick, changed.rule))
        }
        _ => None,
    })
}

/// I-100 to I-115, I-121, I-342, P-075, M-186: what one finds in a dream its sibling, six days away, hears of when it is back, tries on paper,
/// confirms and trades; one that was away for eight days hears nothing of it; a death is heard in the very next tick of whoever
/// lives, with its cause and its bloodstain; and a stranger's Golem hears nothing at all.
#[tokio::test(flavor = "multi_thread")]
async fn p_075_a_rule_that_one_found_is_confirmed_by_another_and_acted_on() {
    let town = Town::up(Ground { market: market(), block_seconds: LOOK_SECONDS, ..Ground::default() }).await;
    let trader = TraderSettings { stake: Ppm::of(100_000), host_per_tick: Usdc::from_micros(500) };
    let (law, line) = (UNDERSTANDS_LITTLE.to_owned(), onlooker(price, SEEN, CAPITAL));
    let nature = Nature { trader, book: "never", line, tick_seconds: LOOK_SECONDS, law, ..Nature::default() };
    let nature = Nature { capital: CAPITAL, ..nature };
    let ada = town.birth("ada", &nature).await;
    let bob = town.birth("bob", &nature).await;
    let cyd = town.birth("cyd", &nature).await;
    let zoe = town.birth_for(&town.accounts.strangers[1], "zoe", &nature).await;
    let wire = Wire::up(&town).await;

    // Ada finds an edge, trades it and tells of it after the Curator's turn; nobody is there to hear.
    let mut finder = wire.join(&ada, dreamer(&town, &ada).await).await;
    let told = || {
        let note = Reader::open(&ada.store()).expect("its memory").note("clade.ledger").expect("read");
        let ledger: Value = serde_json::from_str(&note.unwrap_or_default()).unwrap_or_default();
        ledger["rules"].as_object().is_some_and(|rules| !rules.is_empty())
    };
    while !told() {
        wire.tick(&ada, &mut finder).await;
        assert!(finder.lived().get() < MOST_TICKS, "{}", lately(&events(&ada.store())));
    }
    assert!(!bought(&ada.store()).is_empty() || earned(&ada.store()).is_some(), "it tells what it acts by");

    // Bob was away for six days of the chain's time.
    town.pass(6 * DAY).await;
    wire.follow().await;
    let mut away = wire.link(&bob, 0).await;
    assert!(!waiting(&mut away, &ada).await.is_empty(), "I-108: six days are kept");
    drop(away);
    let mut learner = wire.join(&bob, town.take_up(&bob, &town.running.rpc_url).await).await;
    let told = || -> Vec<String> {
        news(&bob.store()).iter().flat_map(|news| &news.rules).map(|rule| rule.rule.name.to_string()).collect()
    };
    // Six days of words are read by the dozen.
    while told().is_empty() {
        wire.tick(&bob, &mut learner).await;
        assert!(learner.lived().get() < 20, "{:?}", news(&bob.store()));
    }
    let heard = told();
    assert!(earned(&bob.store()).is_none(), "P-075: on paper first");
    let grimoire = learner.store().reader().grimoire().expect("readable");
    let theirs = grimoire.entries().filter_map(|entry| Some((entry.status(), entry.knowledge()?)));
    let theirs = theirs.filter(|(_, known)| known.draft.source.provenance == Provenance::Clade);
    let theirs: Vec<_> = theirs.map(|(status, known)| (status, known.confidence.get())).collect();
    let is_bounded = |(status, worth): &(Status, Ppm)| *status == Status::Candidate && *worth <= Ppm::of(400_000);
    assert!(!theirs.is_empty() && theirs.iter().all(is_bounded), "I-030: {theirs:?}");
    while bought(&bob.store()).is_empty() {
        wire.tick(&bob, &mut learner).await;
        assert!(learner.lived().get() < MOST_TICKS, "{}", lately(&events(&bob.store())));
    }
    let (trial, rule) = earned(&bob.store()).expect("it earned it");
    assert!(heard.contains(&rule), "it acts by what its sibling told: {rule} of {heard:?}");
    assert!(trial <= bought(&bob.store())[0]);
    let swaps = town.logs::<IVault::Swapped>(bob.vault).await;
    assert!(swaps.iter().any(|swap| swap.tokenIn == town.deployment.usdc), "its vault moved");

    // Who told it hears that it was found true.
    wire.tick(&ada, &mut finder).await;
    let answers = news(&ada.store()).into_iter().flat_map(|news| news.acknowledged);
    let answers: Vec<_> = answers.filter(|answer| answer.golem == bob.id).collect();
    assert!(answers.iter().any(|answer| answer.is_upheld && rule.ends_with(&answer.what)), "I-086: {answers:?}");

    // Cyd is away for eight days from the last that Ada told, and hears nothing of it.
    town.pass(8 * DAY).await;
    wire.follow().await;
    let mut last = wire.join(&cyd, town.take_up(&cyd, &town.running.rpc_url).await).await;
    let mut stranger = wire.join(&zoe, town.take_up(&zoe, &town.running.rpc_url).await).await;
    for _ in 0..3 {
        wire.tick(&cyd, &mut last).await;
    }
    assert!(news(&cyd.store()).iter().all(|news| news.rules.is_empty()), "I-108: eight days are not kept");

    // Ada dies by her owner's word; both hear of it in their next tick.
    town.does(&["golem", "kill", "ada", "--reason", "the drill", "--yes"]).await;
    let is_dying = |living: &Living| living.life().death().is_some();
    while !is_dying(&finder) {
        wire.tick(&ada, &mut finder).await;
    }
    let deaths = |born: &Born| {
        let heard = news(&born.store()).into_iter().flat_map(|news| news.deaths);
        heard.map(|death| (death.golem, death.cause)).collect::<Vec<_>>()
    };
    for (born, living) in [(&bob, &mut learner), (&cyd, &mut last)] {
        wire.tick(born, living).await;
        assert_eq!(deaths(born), [(ada.id, CauseKind::OwnerKill)], "M-186: {} hears it at once", born.name);
    }
    while wire.tick(&ada, &mut finder).await != LivedTick::Dead {
        assert!(finder.lived().get() < 2 * MOST_TICKS, "it settles");
    }
    for (born, living) in [(&bob, &mut learner), (&cyd, &mut last)] {
        wire.tick(born, living).await;
        let stain = born.folder.join(format!("siblings/{}.bloodstain.json", ada.id));
        let stain: Value = serde_json::from_slice(&std::fs::read(&stain).expect("its bloodstain")).expect("JSON");
        assert!(stain.to_string().contains("owner"), "I-341: {stain}");
    }
    for _ in 0..3 {
        wire.tick(&zoe, &mut stranger).await;
    }
    assert!(news(&zoe.store()).iter().all(|news| news.rules.is_empty() && news.deaths.is_empty()), "I-103");
    drop((finder, learner, last, stranger));
    for born in [&ada, &bob, &cyd, &zoe] {
        born.replayed();
        town.assert_sent_once(born).await;
    }
}
