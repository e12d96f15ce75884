//! A life that learns: its Curator, its rules, its PLAYBOOK, its vectors.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use golem_core::record::{Event, Forgone};
use golem_grimoire::curator::{CuratorInput, CuratorPass, Duty, curate};
use golem_grimoire::entry::Draft;
use golem_grimoire::episode::{EpisodeCircumstances, Recorded};
use golem_grimoire::id::Moment;
use golem_grimoire::ingest::Arrival;
use golem_grimoire::kind::{EntryBody, WarningSeverity};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::playbook::Playbook;
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_grimoire::share::INGEST_PER_SOURCE;
use golem_mortality::demurrage::KnowledgePressure;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::phase::Phase;
use golem_ports::drift::REFERENCE_TEXTS;
use golem_ports::{
    Arrived, Arriving, Cycle, Embedder, EmbedderError, EmbeddingModel, EmbeddingPurpose, Memory as _, SettledTestament,
    Shelf, Store as _,
};
use golem_primitives::{B256, EffectId, Ppm, Tick, UtcTime, keccak256};
use golem_runtime::Scribe;
use golem_store::SqliteStore;

use crate::departed::{die_within, testament};
use crate::fake::{BIRTH, FakeChain, Home, Lived, born, id, live, reopen, resume, swinging, told, venue};

/// G-116, G-139, G-195: every fifty ticks the Curator's cycle lands once, is told once, and the metrics show it.
#[tokio::test]
async fn g_139_the_curator_has_its_turn_every_fifty_ticks() {
    let (_home, mut runtime) = Home::on(swinging());
    let mut events = runtime.telemetry().listen();
    live(&mut runtime, 152).await;
    let cycles = runtime.store().reader().last_cycles(10).expect("read");
    let ticks: Vec<u64> = cycles.iter().map(|(at, _)| at.tick.get()).collect();
    assert_eq!(ticks, [150, 100, 50]);
    let curated = each!(told(&mut events), Event::Curated(cycle) => cycle);
    assert_eq!(curated, cycles.iter().rev().map(|(_, cycle)| cycle.clone()).collect::<Vec<_>>());
    let grimoire = runtime.store().reader().grimoire().expect("read");
    assert!(grimoire.active_count() > 0, "it has learned something");
    let metrics = runtime.telemetry().metrics().encode();
    for line in [
        "golem_grimoire_active{golem=\"ada\"}",
        "golem_episodes_total{golem=\"ada\"}",
        "golem_curator_seconds_count{golem=\"ada\"} 3",
    ] {
        assert!(metrics.contains(line), "{line} is missing in\n{metrics}");
    }
}

/// G-010: a life that is cut off after every tick lives, remembers and learns what an undisturbed one does.
#[tokio::test]
async fn g_010_a_life_cut_at_every_tick_learns_the_same() {
    let (whole_dir, cut_dir) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (whole_chain, cut_chain) = (swinging(), swinging());
    let mut whole = resume(whole_dir.path(), "ada", born(whole_dir.path(), "ada"), &whole_chain);
    live(&mut whole, 104).await;
    drop(born(cut_dir.path(), "ada"));
    for _ in 0..104 {
        let mut cut = resume(cut_dir.path(), "ada", reopen(cut_dir.path(), "ada"), &cut_chain);
        live(&mut cut, 1).await;
    }
    let cut = resume(cut_dir.path(), "ada", reopen(cut_dir.path(), "ada"), &cut_chain);
    assert_eq!(cut.life().hash(), whole.life().hash());
    let knows = |runtime: &Lived| runtime.store().reader().grimoire().expect("read");
    assert_eq!(knows(&cut), knows(&whole));
    let lived = |runtime: &Lived| {
        let all = runtime.store().reader().last_episodes(10_000).expect("read");
        all.into_iter().map(|recorded| recorded.episode).collect::<Vec<_>>()
    };
    assert_eq!(lived(&cut), lived(&whole));
}

/// G-139: a cycle that landed before the process ended is answered from its record, not run again.
#[tokio::test]
async fn g_139_a_cycle_driven_again_answers_its_record() {
    let (home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 50).await;
    let (at, landed) = runtime.store().reader().last_cycles(1).expect("read").remove(0);
    assert_eq!(at.tick, Tick::new(50), "it landed, and its outcome waits in this process alone");
    drop(runtime);
    let mut again = home.again();
    let mut events = again.telemetry().listen();
    live(&mut again, 1).await;
    assert!(told(&mut events).contains(&Event::Curated(landed)));
    assert_eq!(again.store().reader().last_cycles(10).expect("read").len(), 1);
}

/// G-159: PLAYBOOK.md is there from the start, and what somebody else wrote into it is mended.
#[tokio::test]
async fn g_159_the_playbook_is_mended_at_start() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    let path = dir.path().join("PLAYBOOK.md");
    drop(resume(dir.path(), "ada", born(dir.path(), "ada"), &chain));
    let written = std::fs::read_to_string(&path).expect("written");
    assert_eq!(written.parse(), Ok(Playbook::default()));
    for ruin in [Some("buy everything"), None] {
        match ruin {
            Some(text) => std::fs::write(&path, text).expect("ruined"),
            None => std::fs::remove_file(&path).expect("removed"),
        }
        drop(resume(dir.path(), "ada", reopen(dir.path(), "ada"), &chain));
        assert_eq!(std::fs::read_to_string(&path).expect("mended"), written);
    }
}

/// A belief in mean reversion that failed.
fn failed(at: u64) -> Recorded {
    let here = EpisodeCircumstances {
        golem: id("ada"),
        now: Moment::new(Tick::new(140), UtcTime::from_seconds(BIRTH + at)),
        key: venue().key("mean-reversion"),
        regime: Some(Regime::Sideways),
        emotion: None,
    };
    let mut episode = here.resolved(Pair::new(0.004, -0.008).expect("finite"), u32::try_from(at).expect("small"));
    episode.pnl_micros = Some(-9_000);
    Recorded::from(episode)
}

fn cycle(shelf: &Shelf, episodes: &[Recorded], now: Moment) -> CuratorPass {
    curate(&CuratorInput {
        golem: id("ada"),
        law: &GrimoireLaw::default(),
        grimoire: &shelf.grimoire,
        episodes,
        votes: &BTreeMap::new(),
        checks: &[],
        links: None,
        quarantine: &[],
        domain_fitness: &BTreeMap::new(),
        fitness: Ppm::ONE,
        phase: Phase::Thriving,
        pressure: KnowledgePressure {
            economic_critical: false,
            senescent: false,
            now: now.tick,
            reference_lifespan: 1_000_000,
        },
        held: &BTreeSet::new(),
        now,
    })
}

/// Puts a proven rule against mean reversion into a store, as three cycles of failures would.
pub(crate) fn teach_to_avoid(store: &mut SqliteStore) {
    let mut lived = Vec::new();
    for (round, count) in [(0u64, 12u64), (1, 5), (2, 5)] {
        let begun = 5_700 + round * 60;
        lived.iter_mut().for_each(|recorded: &mut Recorded| recorded.notes.is_consolidated = true);
        lived.extend((0..count).map(|nth| failed(begun + nth)));
        let now = Moment::new(Tick::new(150), UtcTime::from_seconds(BIRTH + begun + 50));
        let shelf = store.shelf().expect("read");
        let pass = cycle(&shelf, &lived, now);
        let effect = EffectId(B256::repeat_byte(u8::try_from(round).expect("small") + 1));
        store.land_cycle(&Cycle::new(effect, now, &shelf, &pass, None)).expect("landed");
    }
}

/// G-155, G-081, G-198: a rule in the store holds entries back from the first look on, is counted as used once a cycle,
/// and is refuted by the beliefs that are still said.
#[tokio::test]
async fn g_155_a_rule_steers_is_counted_and_is_refuted() {
    let (home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 151).await;
    let before = home.chain.driven("buy");
    assert!(before > 0, "it trades as long as nothing speaks against it");
    drop(runtime);
    let mut store = reopen(home.path(), "ada");
    teach_to_avoid(&mut store);
    let rule = |store: &SqliteStore| {
        let grimoire = store.reader().grimoire().expect("read");
        grimoire.active().map(|active| active.knowledge()).find(|entry| entry.is_avoidance()).cloned()
    };
    let taught = rule(&store).expect("active");
    let mut runtime = resume(home.path(), "ada", store, &home.chain);
    let mut events = runtime.telemetry().listen();
    live(&mut runtime, 45).await;
    assert_eq!(home.chain.driven("buy"), before, "held back");
    let said = told(&mut events);
    assert!(said.iter().any(|event| matches!(event, Event::TradeForgone { reason: Forgone::Counsel, .. })));
    assert!(said.iter().any(|event| matches!(event, Event::PredictionResolved { .. })), "still said and judged");
    live(&mut runtime, 10).await;
    let after = runtime.store().entry(taught.id).expect("read").expect("there");
    let after = after.knowledge().expect("not burned");
    assert_eq!(after.access_count, taught.access_count + 1, "once for the cycle, however often it spoke");
    assert!(after.confidence < taught.confidence, "{} after {}", after.confidence, taught.confidence);
    live(&mut runtime, 100).await;
    assert!(home.chain.driven("buy") > before, "tried again");
}

/// G-163, T-022: the last cycle is the death protocol's, and the testament names the PLAYBOOK it left.
#[tokio::test]
async fn g_163_the_last_cycle_is_the_death_protocols() {
    let (home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 60).await;
    die_within(&mut runtime, &home.chain, 20).await;
    let cycles = runtime.store().reader().last_cycles(10).expect("read");
    assert_eq!((cycles.len(), cycles[0].1.duty), (2, Duty::Housekeeping));
    let file = testament(home.path());
    let newest = runtime.store().playbook(None).expect("read").map(|newest| newest.text);
    assert_eq!(file.testament.playbook, newest.clone().unwrap_or_default());
    let noted = runtime.store().note("testament").expect("read").expect("noted");
    let noted: SettledTestament = serde_json::from_str(&noted).expect("a note");
    assert_eq!(noted.playbook_digest, newest.map(keccak256).unwrap_or_default());
}

/// G-168, G-163: the last PLAYBOOK says of itself whether it says too little of its own: one without a rule does, one
/// with a rule that was earned does not; death proceeds either way.
#[tokio::test]
async fn g_168_the_last_playbook_is_asked_what_it_says_of_its_own() {
    for is_taught in [false, true] {
        let (home, mut runtime) = Home::on(swinging());
        live(&mut runtime, 151).await;
        drop(runtime);
        let mut store = reopen(home.path(), "ada");
        if is_taught {
            teach_to_avoid(&mut store);
        }
        let mut runtime = resume(home.path(), "ada", store, &home.chain);
        die_within(&mut runtime, &home.chain, 20).await;
        let last = runtime.store().playbook(None).expect("read").expect("the mark is a version");
        assert_eq!(last.playbook.is_low_divergence(), !is_taught);
        assert_eq!(last.playbook.rules().count() > 0, is_taught);
        let file = std::fs::read_to_string(home.path().join("PLAYBOOK.md")).expect("written");
        assert_eq!(file, last.text, "and the file says so");
    }
}

/// G-003, G-004: one file holds episodes with their notes, entries and cycles; PLAYBOOK.md stands beside it.
#[tokio::test]
async fn g_004_one_file_and_a_playbook_beside_it() {
    let (home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 105).await;
    drop(runtime);
    let mut files: Vec<String> = std::fs::read_dir(home.path())
        .expect("a folder")
        .map(|file| file.expect("readable").file_name().into_string().expect("a name"))
        .filter(|name| !name.ends_with("-wal") && !name.ends_with("-shm") && !name.ends_with(".lock"))
        .collect();
    files.sort();
    assert_eq!(files, ["PLAYBOOK.md", "ada.jsonl", "ada.sqlite"]);
    let store = reopen(home.path(), "ada");
    let episodes = store.reader().last_episodes(9_999).expect("read");
    let is_noted = |recorded: &Recorded| recorded.notes.strength.as_f64() >= 1.0 && recorded.notes.arousal == Ppm::ZERO;
    assert!(episodes.len() >= 105 && episodes.iter().all(is_noted), "G-003: strength and arousal lie beside them");
    assert!(store.reader().grimoire().expect("read").entries().count() > 0);
}

pub(crate) fn employ(runtime: &mut Lived, toy: &Toy) {
    let hired = toy.clone();
    runtime.employ(Scribe::hire(async move { Some(hired) }));
}

/// An embedder by script.
#[derive(Debug, Clone)]
pub(crate) struct Toy {
    pub(crate) model: EmbeddingModel,
    fails: Arc<AtomicBool>,
    pub(crate) asked: Arc<AtomicUsize>,
    /// Whether it cannot read of gas.
    pub(crate) chokes: Arc<AtomicBool>,
    /// Whether it takes its time with entries.
    pub(crate) waits: Arc<AtomicBool>,
    /// Whether it was exchanged under its name.
    pub(crate) is_other: Arc<AtomicBool>,
    /// Whether it moves a little: each vector by 0.03.
    pub(crate) moves: Arc<AtomicBool>,
    /// What is nearest to every question.
    pub(crate) near: Option<String>,
}

impl Toy {
    pub(crate) fn new(name: &str) -> Self {
        let model =
            EmbeddingModel { name: name.to_owned(), version: "1".to_owned(), preprocessing: B256::ZERO, dimensions: 3 };
        Self {
            model,
            fails: Arc::default(),
            asked: Arc::default(),
            chokes: Arc::default(),
            waits: Arc::default(),
            is_other: Arc::default(),
            moves: Arc::default(),
            near: None,
        }
    }
}

impl Embedder for Toy {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], purpose: EmbeddingPurpose) -> Result<Vec<Vec<f32>>, EmbedderError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        while self.waits.load(Ordering::Relaxed) && texts.len() < REFERENCE_TEXTS.len() {
            tokio::task::yield_now().await;
        }
        if self.fails.load(Ordering::Relaxed) {
            return Err(EmbedderError::Local { why: "as the script says".to_owned() });
        }
        if let Some(index) = texts.iter().position(|text| text.contains("cost:"))
            && self.chokes.load(Ordering::Relaxed)
        {
            return Err(EmbedderError::NoDirection { index, why: "as the script says" });
        }
        if self.is_other.load(Ordering::Relaxed) {
            return Ok(vec![vec![0.0, 0.0, 1.0]; texts.len()]);
        }
        if self.moves.load(Ordering::Relaxed) {
            let aside = (1.0f32 - 0.97 * 0.97).sqrt();
            let turned = |text: &&str| {
                if text.len().is_multiple_of(2) { vec![0.97, 0.0, aside] } else { vec![0.0, 0.97, aside] }
            };
            return Ok(texts.iter().map(turned).collect());
        }
        if let Some(near) = &self.near {
            let is_near = |text: &&str| purpose == EmbeddingPurpose::Query || text.starts_with(near);
            let turned = |text: &&str| if is_near(text) { vec![0.0, 0.0, 1.0] } else { vec![1.0, 0.0, 0.0] };
            return Ok(texts.iter().map(turned).collect());
        }
        Ok(texts
            .iter()
            .map(|text| if text.len().is_multiple_of(2) { vec![1.0, 0.0, 0.0] } else { vec![0.0, 1.0, 0.0] })
            .collect())
    }
}

/// G-006, G-024: entries get their vectors beside the ticks; a failure is tried again after the next cycle, and another
/// model takes the place of the first when it is whole.
#[tokio::test]
async fn g_006_vectors_are_made_beside_the_ticks() {
    let (_home, mut runtime) = Home::on(swinging());
    let toy = Toy::new("toy");
    toy.fails.store(true, Ordering::Relaxed);
    employ(&mut runtime, &toy);
    live(&mut runtime, 40).await;
    assert_eq!(toy.asked.load(Ordering::Relaxed), 0, "a model is not looked at before there is something to embed");
    live(&mut runtime, 109).await;
    let asked = toy.asked.load(Ordering::Relaxed);
    assert!((1..=3).contains(&asked), "once a cycle and no more: {asked}");
    assert_eq!(runtime.store().embedding_state().expect("read").active, None);
    toy.fails.store(false, Ordering::Relaxed);
    live(&mut runtime, 10).await;
    let whole = |runtime: &Lived| runtime.store().embedding_state().expect("read").active.expect("a model");
    let state = whole(&runtime);
    assert!(state.done > 0 && state.done == state.total, "{state:?}");
    let other = Toy::new("other");
    employ(&mut runtime, &other);
    live(&mut runtime, 10).await;
    assert_eq!(whole(&runtime).model, other.model);
    let nobody: Option<Toy> = None;
    runtime.employ(Scribe::hire(async move { nobody }));
    live(&mut runtime, 2).await;
}

/// G-006: a text the model cannot read keeps no other from its vector, and is not asked for again and again.
#[tokio::test]
async fn g_006_one_bad_text_spoils_no_batch() {
    let (_home, mut runtime) = Home::on(swinging());
    let toy = Toy::new("toy");
    toy.chokes.store(true, Ordering::Relaxed);
    employ(&mut runtime, &toy);
    live(&mut runtime, 120).await;
    let wanting = runtime.store().unembedded(&toy.model, 99).expect("read");
    assert!(!wanting.is_empty() && wanting.iter().all(|(_, text)| text.contains("cost:")), "{wanting:?}");
    let state = runtime.store().embedding_state().expect("read").active.expect("a model");
    assert_eq!(state.done + wanting.len() as u64, state.total);
    let asked = toy.asked.load(Ordering::Relaxed);
    live(&mut runtime, 20).await;
    assert_eq!(toy.asked.load(Ordering::Relaxed), asked, "nobody asks again");
}

/// G-174: what an hour was too full for comes in with a cycle, without anybody importing again.
#[tokio::test]
async fn g_174_what_waits_comes_in_with_a_cycle() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut store = born(dir.path(), "ada");
    let (way, sender) = (Provenance::Clade, id("bea"));
    let at = Moment::new(Tick::new(0), UtcTime::from_seconds(BIRTH));
    let arriving = |nth: u32| {
        let text = format!("the pool number {nth} is deep in the morning");
        let draft = Draft::new(&text, EntryBody::Insight, Source::foreign(way, sender, 0), at.at);
        let arrival = Arrival { draft, way, sender, is_left: false, claimed_cosine: None, on_chain: None };
        Arriving { arrival, nearest: None }
    };
    let arrived = store.ingest((0..INGEST_PER_SOURCE + 1).map(arriving).collect(), at).expect("landed");
    assert_eq!(arrived.last(), Some(&Arrived::Waiting), "{:?}", arrived.last());
    let before = store.reader().grimoire_stats(Tick::new(0)).expect("read").waiting;
    let mut runtime = resume(dir.path(), "ada", store, &swinging());
    live(&mut runtime, 101).await;
    let after = runtime.store().reader().grimoire_stats(Tick::new(101)).expect("read").waiting;
    assert_eq!((before, after), (1, 0));
}

/// I-093, I-097: a warning comes in at once, however full the hour is, and takes nobody's place; a stranger's takes one.
#[test]
fn i_093_warnings_wait_for_no_hour_and_take_no_place() {
    let at = Moment::new(Tick::new(0), UtcTime::from_seconds(BIRTH));
    let arriving = |nth: u32, is_warning: bool, way: Provenance| {
        let sender = id("bea");
        let text = format!("the pool number {nth} is deep in the morning, and a warning of it is {is_warning}");
        let body = if is_warning {
            EntryBody::Warning { severity: WarningSeverity::High, ttl: None }
        } else {
            EntryBody::Insight
        };
        let draft = Draft::new(&text, body, Source::foreign(way, sender, 0), at.at);
        let arrival = Arrival { draft, way, sender, is_left: false, claimed_cosine: None, on_chain: None };
        Arriving { arrival, nearest: None }
    };
    for (way, waits) in [(Provenance::Clade, 0), (Provenance::Marketplace, INGEST_PER_SOURCE)] {
        let dir = tempfile::tempdir().expect("a folder");
        let mut store = born(dir.path(), "ada");
        let all = |is_warning| (0..INGEST_PER_SOURCE).map(move |nth| arriving(nth, is_warning, way)).collect();
        let arrived = [store.ingest(all(true), at), store.ingest(all(false), at), store.ingest(all(true), at)];
        let arrived: Vec<_> = arrived.into_iter().flat_map(|landed| landed.expect("landed")).collect();
        let waiting = arrived.iter().filter(|one| **one == Arrived::Waiting).count();
        assert_eq!(waiting, 2 * waits as usize, "{way:?}");
    }
}

/// G-006: a vector of words that a cycle has rewritten meanwhile is not kept for the new ones.
#[tokio::test]
async fn g_006_a_vector_of_old_words_is_not_kept_for_new_ones() {
    let (_home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 105).await;
    let toy = Toy::new("toy");
    toy.waits.store(true, Ordering::Relaxed);
    employ(&mut runtime, &toy);
    live(&mut runtime, 5).await;
    let sent = runtime.store().unembedded(&toy.model, 16).expect("read");
    live(&mut runtime, 45).await;
    let now = runtime.store().unembedded(&toy.model, 99).expect("read");
    let rewritten: Vec<_> =
        now.into_iter().filter(|(id, text)| sent.iter().any(|(old, was)| old == id && was != text)).collect();
    assert!(!rewritten.is_empty(), "the cycle counted on");
    toy.waits.store(false, Ordering::Relaxed);
    while runtime.store().embedding_state().expect("read").active.is_none() {
        live(&mut runtime, 1).await;
    }
    let wanting = runtime.store().unembedded(&toy.model, 99).expect("read");
    assert!(rewritten.iter().all(|one| wanting.contains(one)), "{rewritten:?} of {wanting:?}");
    live(&mut runtime, 5).await;
    assert_eq!(runtime.store().unembedded(&toy.model, 99).expect("read"), [], "embedded anew");
}

/// G-006: a week later the model is held against what it said first, also after a restart; one that was exchanged under
/// its name adds no vector any more.
#[tokio::test]
async fn g_006_a_model_that_drifted_writes_no_more() {
    let (home, mut runtime) = Home::on(swinging());
    let toy = Toy::new("toy");
    employ(&mut runtime, &toy);
    live(&mut runtime, 110).await;
    let state = |runtime: &Lived| runtime.store().embedding_state().expect("read").active.expect("a model");
    assert_eq!(state(&runtime).done, state(&runtime).total);
    drop(runtime);
    toy.is_other.store(true, Ordering::Relaxed);
    home.chain.blocks.fetch_add(7 * 24 * 3_600 / 20, Ordering::Relaxed);
    let mut runtime = home.again();
    employ(&mut runtime, &toy);
    live(&mut runtime, 3).await;
    let asked = toy.asked.load(Ordering::Relaxed);
    live(&mut runtime, 60).await;
    assert!(runtime.life().is_alive());
    let wanting = runtime.store().unembedded(&toy.model, 99).expect("read");
    assert!(!wanting.is_empty(), "what was rewritten has no vector");
    assert_eq!(toy.asked.load(Ordering::Relaxed), asked, "looked at once a week");
}
