//! I-100 to I-122: lives that tell each other what they know, and what one does with a sibling that lies.

use std::collections::BTreeMap;

use golem_core::record::{AffectTemper, Observation, RuleShown, Scent, Sign, Temper};
use golem_core::trader::Trader;
use golem_daimon::personality::Personality;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::curator::{CuratorPass, CuratorReport};
use golem_grimoire::entry::{Draft, Knowledge};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{Domain, EntryBody, Kind, WarningSeverity};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::Change;
use golem_grimoire::status::{Entry, Status};
use golem_ports::{Clade, CladeError, Cycle, HeardWord, Memory as _, Store as _, WordKind};
use golem_primitives::{Address, B256, EffectId, GolemId, Ppm, Tick, UtcTime};
use golem_runtime::{CladeChoice, House, Member, RuntimeSettings};
use golem_store::SqliteStore;
use serde_json::{Value, json};

use crate::admitted::admitted;
use crate::departed::{die, testament};
use crate::fake::{
    BIRTH, FakeChain, Home, Lived, arranged, born, id, live, relived, reopen, resume, swinging, tempered, venue,
};
use crate::mind::{Toy, employ};
use crate::turn;

const OWNER: Address = Address::repeat_byte(1);
const STRANGER: Address = Address::repeat_byte(2);

fn now() -> UtcTime {
    UtcTime::from_seconds(BIRTH)
}

fn joined(dir: &std::path::Path, name: &str, chain: &FakeChain, house: &House, owner: Address) -> Lived {
    let mut runtime = resume(dir, name, born(dir, name), chain);
    runtime.join(Box::new(house.take_in(id(name), owner, 0)));
    runtime
}

/// What it has from a sibling, by what it says: status and worth.
fn from_siblings(runtime: &Lived) -> Vec<(String, Status, u32)> {
    let grimoire = runtime.store().reader().grimoire().expect("readable");
    let theirs = grimoire.entries().filter_map(|entry| Some((entry.status(), entry.knowledge()?)));
    let theirs = theirs.filter(|(_, known)| known.draft.source.provenance == Provenance::Clade);
    theirs.map(|(status, known)| (known.draft.content.clone(), status, known.confidence.get().get())).collect()
}

fn said_by_siblings(runtime: &Lived) -> Vec<String> {
    from_siblings(runtime).into_iter().map(|(content, ..)| content).collect()
}

fn events(dir: &std::path::Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(dir.join(format!("{name}.jsonl"))).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
}

fn told(dir: &std::path::Path, name: &str, event: &str) -> usize {
    events(dir, name).iter().filter(|line| line["name"] == event).count()
}

/// An entry as a sibling writes it.
fn shared(number: u128, content: &str, body: EntryBody, worth: u32) -> Value {
    let mut draft = Draft::new(content, body, Source::own(id("sib")), now());
    draft.original_confidence = Confidence::of(worth);
    let entry = EntryId::derive(now(), &id("sib"), &number.to_be_bytes());
    json!({ "id": entry, "draft": draft })
}

fn batch(entries: &[Value], rules: &[Value]) -> Vec<u8> {
    serde_json::to_vec(&json!({ "entries": entries, "rules": rules, "mood": null })).expect("plain data")
}

/// What one shared with its siblings, of all that was heard.
fn batches(heard: &[HeardWord], from: &str) -> Vec<Value> {
    let theirs = heard.iter().filter(|word| word.kind == WordKind::Batch && word.from == id(from));
    theirs.map(|word| serde_json::from_slice(&word.body).expect("its words")).collect()
}

fn say(member: &mut Member, kind: WordKind, body: &[u8]) {
    member.say(kind, body, now()).expect("kept");
}

/// I-100, I-103, I-104, I-105, I-106, I-060, I-030: what one learned its siblings have after the Curator's turn, as candidates worth
/// min(0.4, 0.8c), once; nobody of another owner has it, and nobody tells on what he was told.
#[tokio::test]
async fn i_104_what_one_learned_goes_to_its_siblings_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let mut ada = joined(dir.path(), "ada", &swinging(), &house, OWNER);
    let quiet = FakeChain::default();
    let mut others = ["bob", "eve"].map(|name| joined(dir.path(), name, &FakeChain::default(), &house, OWNER));
    let mut zoe = joined(dir.path(), "zoe", &quiet, &house, STRANGER);
    let mut listener = house.take_in(id("ear"), OWNER, 0);
    live(&mut ada, 152).await;
    let said = batches(&listener.heard(1_000).expect("heard"), "ada");
    let entries: Vec<&Value> = said.iter().flat_map(|batch| batch["entries"].as_array().expect("entries")).collect();
    let worth = |content: &str| {
        let entry = entries.iter().find(|entry| entry["draft"]["content"] == content).expect("its author said so");
        entry["draft"]["original_confidence"].as_u64().expect("parts")
    };
    for other in &mut others {
        live(other, 3).await;
        let theirs = from_siblings(other);
        assert!(!theirs.is_empty(), "{}", other.life().id());
        for (content, status, confidence) in &theirs {
            let most = (worth(content) * 8 / 10).min(400_000);
            assert!(*status == Status::Candidate && u64::from(*confidence) <= most + 1, "{content}: {confidence}");
        }
        live(other, 60).await;
        assert_eq!(from_siblings(other).len(), theirs.len(), "told once");
    }
    live(&mut zoe, 60).await;
    assert!(from_siblings(&zoe).is_empty() && zoe.life().kinship().is_none(), "I-103");
    assert!(from_siblings(&ada).is_empty(), "I-103: nothing comes back");
    let heard = listener.heard(1_000).expect("heard");
    for name in ["bob", "eve"] {
        assert!(batches(&heard, name).is_empty(), "what came from a sibling is not told on");
    }
    let journal = ada.store().journal(1, 10_000).expect("a journal");
    let seen = journal.into_iter().flat_map(|entry| entry.input.observations);
    let shares = each!(seen, Observation::Clade(news) => news.shared);
    assert!(shares.iter().any(|shared| *shared > 0), "its own journal knows that it shared");
    drop((ada, others, zoe));
    for name in ["ada", "bob"] {
        // R-002: the journal leads there again.
        relived(&reopen(dir.path(), name));
    }
}

/// I-061, G-120: of what a life saw a shift of the regime alone goes out by itself, each at once; no other episode has a place in a word.
#[tokio::test]
async fn i_061_a_shift_of_the_regime_is_the_one_episode_that_goes_out() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let chain = FakeChain::default();
    let mut ada = joined(dir.path(), "ada", &chain, &house, OWNER);
    let mut ear = house.take_in(id("ear"), OWNER, 0);
    let mut regimes = Vec::new();
    for tick in 0..240 {
        chain.set(|script| (script.swings, script.hurries) = (tick >= 120, tick >= 120));
        live(&mut ada, 1).await;
        let regime = ada.life().trader().filter(|trader| !trader.is_blind()).map(Trader::regime_name);
        regimes.extend(regime.filter(|name| golem_core::window::regime_of(name).is_some()));
    }
    let shifts: Vec<&str> = regimes.windows(2).filter(|pair| pair[0] != pair[1]).map(|pair| pair[1]).collect();
    assert!(!shifts.is_empty(), "{regimes:?}");
    let heard = ear.heard(1_000).expect("heard");
    let bodies: Vec<Value> = heard.iter().map(|word| serde_json::from_slice(&word.body).expect("its words")).collect();
    let told: Vec<&str> = bodies.iter().filter_map(|body| body["regime"].as_str()).collect();
    assert_eq!(told, shifts, "each, once");
    let lived = ada.store().reader().last_episodes(10_000).expect("read");
    assert!(!lived.is_empty(), "there was more to tell");
    let places = ["entries", "mood", "regime", "rules", "warnings"];
    for body in bodies.iter().filter_map(Value::as_object) {
        assert!(body.keys().all(|key| places.contains(&key.as_str())), "{body:?}");
    }
}

/// I-093, I-106, I-107: a sibling's warning stands in the Grimoire at the next tick and rouses; what it claims of the chain is asked there,
/// and a lie is refused (I-076).
#[tokio::test]
async fn i_107_a_warning_is_there_at_the_next_tick() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let chain = FakeChain::default();
    chain.set(|script| script.transactions = Some(false));
    let affect = Some(AffectTemper::of(Personality::born(&id("ada"), None)));
    let mut ada = tempered(dir.path(), "ada", born(dir.path(), "ada"), &chain, Temper { affect, ..Temper::NONE });
    ada.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
    let mut sib = house.take_in(id("sib"), OWNER, 0);
    live(&mut ada, 12).await;
    let arousal =
        |ada: &Lived| ada.life().affect().expect("a mood").mood(ada.life().vitals().vitality().last_computed).arousal();
    let calm = arousal(&ada);
    let warning = || EntryBody::Warning { severity: WarningSeverity::High, ttl: None };
    let lie = format!("The pool was drained by 0x{} at noon.", "ab".repeat(32));
    let warnings =
        [shared(1, "The pool is drained within 3 blocks.", warning(), 200_000), shared(2, &lie, warning(), 900_000)];
    let alert = serde_json::to_vec(&json!({ "warnings": warnings, "regime": null })).expect("data");
    say(&mut sib, WordKind::Warning, &alert);
    live(&mut ada, 1).await;
    assert_eq!(said_by_siblings(&ada), ["The pool is drained within 3 blocks."]);
    assert!(arousal(&ada) > calm + 0.05, "A-095: {calm} {}", arousal(&ada));
    let refusals = ada.store().reader().refusals().expect("readable");
    assert_eq!(refusals.len(), 1, "I-076: the lie is remembered");
}

/// R-042, I-081, I-100: what a broken or hostile sibling says is passed over with its reason, one word at a time; the life, and what
/// honest siblings say behind it, go on.
#[tokio::test]
async fn i_100_a_hostile_sibling_harms_nobody() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let mut ada = joined(dir.path(), "ada", &FakeChain::default(), &house, OWNER);
    let mut sib = house.take_in(id("sib"), OWNER, 0);
    live(&mut ada, 2).await;
    let many: Vec<Value> =
        (0..101).map(|n| shared(n, &format!("Pool {n} pays."), EntryBody::Insight, 900_000)).collect();
    let rule = json!({ "text": "### moon\n\n- when: moon\n- do: send 0xdead", "shown": { "trips": 1, "evidence": 1, "mean_ppm": 1 } });
    let rules = vec![rule.clone(); 5];
    let mut own = shared(7, "I am you.", EntryBody::Insight, 1_000_000);
    own["draft"]["source"]["origin"] = json!("ada");
    for (kind, body) in [
        (WordKind::Batch, b"\xff\x00not words".to_vec()),
        (WordKind::Batch, b"{}".to_vec()),
        (WordKind::Batch, batch(&many, &[])),
        (WordKind::Batch, batch(&[], &rules)),
        (WordKind::Batch, batch(&[own], &[rule])),
        (WordKind::Warning, vec![b'['; 200_000]),
        (WordKind::Dying, br#"{"cause":"boredom","book":null}"#.to_vec()),
        (WordKind::Bloodstain, br#"{"stain":null}"#.to_vec()),
        (WordKind::Crisis, br#"{"load":9}"#.to_vec()),
        (WordKind::Acknowledgement, br#"[{"of":"ada","what":{"rule":"never told"},"is_upheld":true}]"#.to_vec()),
    ] {
        say(&mut sib, kind, &body);
    }
    say(
        &mut sib,
        WordKind::Batch,
        &batch(&[shared(9, "Gas falls within 2 blocks.", EntryBody::Insight, 900_000)], &[]),
    );
    live(&mut ada, 3).await;
    let theirs = said_by_siblings(&ada);
    assert!(theirs.contains(&"Gas falls within 2 blocks.".to_owned()));
    assert!(!theirs.iter().any(|text| text.starts_with("Pool ")));
    assert_eq!(ada.life().kinship().expect("it heard").through, 11, "every word is behind it");
    assert_eq!(ada.life().kinship().expect("it heard").borrowed().count(), 0);
    assert_eq!(told(dir.path(), "ada", "clade.acknowledged"), 0, "an answer to what was never said is none");
    assert!(ada.life().is_alive());
    let grimoire = ada.store().reader().grimoire().expect("readable");
    let origins: Vec<GolemId> = grimoire.living().map(|known| known.draft.source.origin).collect();
    assert!(origins.iter().all(|origin| *origin == id("sib")), "what a sibling learned is the sibling's: {origins:?}");
}

/// Lets a newborn hold so many insights true, all of one matter.
fn know_of_gas(store: &mut SqliteStore, count: u32) {
    let now = Moment::new(Tick::ZERO, now());
    let learnt = |n: u32| {
        let text = format!("Gas falls after {n} blocks");
        let mut draft = Draft::new(&text, EntryBody::Insight, Source::own(id("ada")), now.at);
        draft.original_confidence = Confidence::of(900_000);
        let entry = EntryId::derive(now.at, &id("ada"), &n.to_be_bytes());
        [Change::Add(admitted(entry, draft, now)), Change::Promote { id: entry, fitness: Ppm::ONE }]
    };
    let changes: Vec<Change> = (0..count).flat_map(learnt).collect();
    let shelf = store.shelf().expect("read");
    let mut grimoire = shelf.grimoire.clone();
    for change in &changes {
        grimoire.apply(change.clone(), now).expect("the law allows it");
    }
    let report = CuratorReport { added: count, promoted: count, ..CuratorReport::default() };
    let pass = CuratorPass { report, ..turn::pass(changes, grimoire) };
    let effect = EffectId(B256::repeat_byte(7));
    store.land_cycle(&Cycle::new(effect, now, &shelf, &pass, None)).expect("landed");
}

/// I-071, I-072: what a sibling sends and what lies far from everything that is held true here is put away once its vector is made, and
/// is not lost; what lies among it stays a candidate, and what is held true stays so.
#[tokio::test]
async fn i_071_what_a_sibling_sends_from_far_outside_is_put_away() {
    const KNOWN: u32 = 60;
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let mut store = born(dir.path(), "ada");
    know_of_gas(&mut store, KNOWN);
    let mut ada = resume(dir.path(), "ada", store, &FakeChain::default());
    ada.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
    let mut sib = house.take_in(id("sib"), OWNER, 0);
    // To this model everything about these pools is of another world, and all else is alike.
    let mut toy = Toy::new("toy");
    toy.near = Some("Strange pools".to_owned());
    employ(&mut ada, &toy);
    live(&mut ada, 12).await;
    let state = ada.store().embedding_state().expect("read").active.expect("a model");
    assert_eq!((state.done, state.total), (u64::from(KNOWN), u64::from(KNOWN)));

    let far = shared(1, "Strange pools pay 3 bps.", EntryBody::Insight, 900_000);
    let near = shared(2, "Gas falls within 2 blocks.", EntryBody::Insight, 900_000);
    say(&mut sib, WordKind::Batch, &batch(&[far, near], &[]));
    live(&mut ada, 2).await;
    let stands = |ada: &Lived| -> BTreeMap<String, Status> {
        from_siblings(ada).into_iter().map(|(content, status, _)| (content, status)).collect()
    };
    assert!(stands(&ada).len() == 2 && stands(&ada).values().all(|status| *status == Status::Candidate));
    // Whoever embeds comes back, as after a restart, and finds two entries without a vector.
    employ(&mut ada, &toy);
    live(&mut ada, 6).await;
    assert_eq!(ada.store().unembedded(&toy.model, 9).expect("read"), []);
    let after = stands(&ada);
    assert_eq!(after["Strange pools pay 3 bps."], Status::Archived, "I-071: put away, not lost");
    assert_eq!(after["Gas falls within 2 blocks."], Status::Candidate);
    let active = ada.store().reader().grimoire().expect("readable").active_count();
    assert_eq!(active, KNOWN as usize);
}

/// I-092, I-093: a sibling that floods a full queue loses its own words, and neither a warning nor what another says.
#[tokio::test]
async fn i_092_a_flood_takes_nobody_elses_words_along() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let mut ada = joined(dir.path(), "ada", &FakeChain::default(), &house, OWNER);
    let mut sib = house.take_in(id("sib"), OWNER, 0);
    let mut kin = house.take_in(id("kin"), OWNER, 0);
    for word in 0..103u128 {
        let entries: Vec<Value> = (0..100)
            .map(|n| shared(word * 100 + n, &format!("Pool {word}-{n} pays 3 bps."), EntryBody::Insight, 900_000))
            .collect();
        say(&mut sib, WordKind::Batch, &batch(&entries, &[]));
        if word % 50 == 49 {
            live(&mut ada, 1).await;
        }
    }
    let body = EntryBody::Warning { severity: WarningSeverity::High, ttl: None };
    let warning = shared(999_999, "The pool is drained within 3 blocks.", body, 200_000);
    let alert = serde_json::to_vec(&json!({ "warnings": [warning], "regime": null })).expect("data");
    say(&mut sib, WordKind::Warning, &alert);
    say(
        &mut kin,
        WordKind::Batch,
        &batch(&[shared(2, "Gas falls within 2 blocks.", EntryBody::Insight, 900_000)], &[]),
    );
    live(&mut ada, 2).await;
    let theirs = said_by_siblings(&ada);
    for honest in ["The pool is drained within 3 blocks.", "Gas falls within 2 blocks."] {
        assert!(theirs.iter().any(|text| text == honest), "{honest}: {} of them", theirs.len());
    }
    assert_eq!(theirs.iter().filter(|text| text.starts_with("Pool ")).count(), 100, "I-091");
}

/// I-122: one whom the owner excludes is not heard, however it speaks; of one whose claims the chain keeps denying he is told once.
#[tokio::test]
async fn i_122_the_excluded_are_not_heard_and_liars_are_told_of() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let chain = FakeChain::default();
    chain.set(|script| script.transactions = Some(false));
    let store = born(dir.path(), "ada");
    let clade = CladeChoice { excluded: [id("sib")].into(), ..CladeChoice::default() };
    let settings = RuntimeSettings { clade, ..RuntimeSettings::new(dir.path(), venue()) };
    let mut ada = arranged("ada", store, &chain, settings);
    ada.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
    let [mut sib, mut liar] = ["sib", "liar"].map(|name| house.take_in(id(name), OWNER, 0));
    live(&mut ada, 2).await;
    let lie = |n: u8| format!("Pool {n} was drained by 0x{} at noon.", format!("{n:02x}").repeat(32));
    let lies: Vec<Value> = (0..10).map(|n| shared(u128::from(n), &lie(n), EntryBody::Insight, 900_000)).collect();
    say(
        &mut sib,
        WordKind::Batch,
        &batch(&[shared(90, "Gas falls within 2 blocks.", EntryBody::Insight, 900_000)], &[]),
    );
    say(&mut sib, WordKind::Batch, &batch(&lies, &[]));
    say(
        &mut liar,
        WordKind::Batch,
        &batch(&[shared(91, "Gas falls within 4 blocks.", EntryBody::Insight, 900_000)], &[]),
    );
    say(&mut liar, WordKind::Batch, &batch(&lies, &[]));
    live(&mut ada, 3).await;
    let theirs = said_by_siblings(&ada);
    assert_eq!(theirs, ["Gas falls within 4 blocks."]);
    assert_eq!(told(dir.path(), "ada", "clade.sibling_diverges"), 1);
    let heard = ada.life().kinship().expect("heard");
    assert_eq!((heard.agreement(&id("liar")).refuted, heard.agreement(&id("sib")).checks()), (10, 0));
    drop(ada);
    // R-002: the journal leads there again.
    relived(&reopen(dir.path(), "ada"));
}

/// G-079, I-086: a sibling that confirms what one told strengthens it, once, and one is told who it was.
#[tokio::test]
async fn g_079_who_confirms_what_it_was_told_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let mut ada = joined(dir.path(), "ada", &swinging(), &house, OWNER);
    let mut sib = house.take_in(id("sib"), OWNER, 0);
    live(&mut ada, 152).await;
    let words = batches(&sib.heard(1_000).expect("heard"), "ada");
    let entry: EntryId = serde_json::from_value(words[0]["entries"][0]["id"].clone()).expect("an entry");
    let strength = |ada: &Lived| {
        let grimoire = ada.store().reader().grimoire().expect("readable");
        grimoire.get(entry).and_then(Entry::knowledge).expect("alive").strength.hundredths()
    };
    let before = strength(&ada);
    let answer =
        serde_json::to_vec(&json!([{ "of": "ada", "what": { "entry": entry }, "is_upheld": true }])).expect("plain");
    for _ in 0..3 {
        say(&mut sib, WordKind::Acknowledgement, &answer);
        live(&mut ada, 1).await;
    }
    assert_eq!(strength(&ada), before + 75, "G-079: once for each sibling");
    assert_eq!(told(dir.path(), "ada", "clade.acknowledged"), 3);
}

/// M-008, M-186, I-121, I-340, I-343: siblings hear that a death has begun, of what, and then what the dead leave: the bloodstain first, as a
/// file for people, then what it knew.
#[tokio::test]
async fn i_121_the_dying_tell_their_siblings_what_they_leave() {
    let dirs = ["ada", "bob"].map(|_| tempfile::tempdir().expect("a folder"));
    let house = House::default();
    let chain = swinging();
    let mut ada = joined(dirs[0].path(), "ada", &chain, &house, OWNER);
    let mut bob = joined(dirs[1].path(), "bob", &FakeChain::default(), &house, OWNER);
    let mut ear = house.take_in(id("ear"), OWNER, 0);
    live(&mut ada, 120).await;
    live(&mut bob, 2).await;
    ear.heard(1_000).expect("heard");
    ear.taken(u64::MAX).expect("forgotten");
    die(&mut ada, &chain).await;
    live(&mut bob, 4).await;
    assert_eq!(told(dirs[1].path(), "bob", "golem.sibling_death"), 1);
    let stain = std::fs::read(dirs[1].path().join("siblings").join("ada.bloodstain.json")).expect("its mark");
    let stain: Value = serde_json::from_slice(&stain).expect("JSON");
    assert_eq!(stain["golem"].as_str(), Some("ada"));
    assert!(!from_siblings(&bob).is_empty(), "M-205");
    let words = ear.heard(1_000).expect("heard");
    let kinds: Vec<WordKind> = words.iter().map(|word| word.kind).collect();
    let of = |kind| kinds.iter().filter(|one| **one == kind).count();
    assert_eq!((of(WordKind::Dying), of(WordKind::Bloodstain)), (1, 1), "each once: {kinds:?}");
    let at = |kind| kinds.iter().position(|one| *one == kind).expect("said");
    assert!(at(WordKind::Dying) < at(WordKind::Bloodstain), "{kinds:?}");
    let said = |kind| -> Value { serde_json::from_slice(&words[at(kind)].body).expect("its words") };
    let file = testament(dirs[0].path());
    let accepted = file.acceptance.expect("accepted");
    assert!(accepted.clade_notified, "M-187");
    assert!(file.testament.stats.clade_contributions > 0, "it shared while it lived");
    let notice = &said(WordKind::Dying)["notice"];
    assert_eq!(notice["cause"], serde_json::to_value(accepted.cause).expect("JSON"));
    assert_eq!(notice["estimated_seconds"], accepted.estimated_seconds);
    assert_eq!(notice["legacy_budget"], serde_json::to_value(accepted.budget.legacy).expect("JSON"));
    let left = &words[at(WordKind::Bloodstain) + 1..];
    assert!(!left.is_empty() && left.iter().all(|word| word.kind == WordKind::Batch), "I-121: {kinds:?}");
    let left = left.iter().map(|word| serde_json::from_slice::<Value>(&word.body).expect("its words"));
    let left: usize = left.map(|batch| batch["entries"].as_array().expect("entries").len()).sum();
    let grimoire = ada.store().reader().grimoire().expect("readable");
    let goes = |known: &&Knowledge| known.kind() != Kind::Warning && known.confidence.get().get() >= 100_000;
    assert_eq!(left, grimoire.living().filter(goes).count(), "M-205, I-065");
    ear.taken(u64::MAX).expect("forgotten");
    drop(ada);
    let mut again = resume(dirs[0].path(), "ada", reopen(dirs[0].path(), "ada"), &chain);
    again.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
    again.tick().await.expect("dead");
    assert!(ear.heard(1_000).expect("heard").is_empty(), "what was said is not said again");
}

/// I-114, S-127: who lives alone in its process tells nobody, so that what it knows still counts as untold when a sibling comes, and is
/// written as if there were no Clade.
#[tokio::test]
async fn i_114_who_lives_alone_tells_nobody_and_whoever_comes_later_hears_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let mut ada = joined(dir.path(), "ada", &swinging(), &house, OWNER);
    live(&mut ada, 102).await;
    assert!(ada.life().kinship().is_none());
    let mut late = house.take_in(id("late"), OWNER, 0);
    live(&mut ada, 50).await;
    let heard = late.heard(1_000).expect("heard");
    let entries: usize =
        batches(&heard, "ada").iter().map(|batch| batch["entries"].as_array().expect("entries").len()).sum();
    assert!(entries > 0, "{heard:?}");
}

/// A wire that keeps nothing.
#[derive(Debug)]
struct Broken;

impl Clade for Broken {
    fn say(&mut self, _: WordKind, _: &[u8], _: UtcTime) -> Result<(), CladeError> {
        Err(CladeError::Broken { reason: "as the test says".to_owned() })
    }

    fn heard(&mut self, _: usize) -> Result<Vec<HeardWord>, CladeError> {
        Err(CladeError::Broken { reason: "as the test says".to_owned() })
    }

    fn taken(&mut self, _: u64) -> Result<(), CladeError> {
        Err(CladeError::Broken { reason: "as the test says".to_owned() })
    }

    fn leave(&mut self, _: &Sign, _: UtcTime) -> Result<(), CladeError> {
        Err(CladeError::Broken { reason: "as the test says".to_owned() })
    }

    fn sense(&mut self, _: &[Domain], _: Option<Regime>, _: UtcTime) -> Vec<Scent> {
        Vec::new()
    }

    fn siblings(&self) -> Option<u32> {
        None
    }
}

/// I-114, M-182: a wire that fails holds up neither a life nor a death; the testament says that nobody was told, and with the next
/// start it is tried again.
#[tokio::test]
async fn i_114_a_broken_wire_holds_up_neither_life_nor_death() {
    let (home, mut ada) = Home::on(swinging());
    ada.join(Box::new(Broken));
    live(&mut ada, 60).await;
    assert!(ada.life().kinship().is_none(), "it is written as if there were no Clade");
    die(&mut ada, &home.chain).await;
    assert!(!testament(home.path()).acceptance.expect("accepted").clade_notified);
    drop(ada);
    let house = House::default();
    let mut ear = house.take_in(id("ear"), OWNER, 0);
    let mut again = home.again();
    again.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
    again.tick().await.expect("dead");
    let kinds: Vec<WordKind> = ear.heard(1_000).expect("heard").into_iter().map(|word| word.kind).collect();
    assert!(kinds.contains(&WordKind::Dying) && kinds.contains(&WordKind::Bloodstain), "{kinds:?}");
}

/// P-075, I-340: a rule and the market of a death come over the wire and are taken up; a word that was taken in is not heard again
/// after a restart, and one that was not is.
#[tokio::test]
async fn p_075_rules_and_markets_come_over_the_wire_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let chain = FakeChain::default();
    let mut ada = joined(dir.path(), "ada", &chain, &house, OWNER);
    let mut sib = house.take_in(id("sib"), OWNER, 0);
    live(&mut ada, 3).await;
    let text = "### dip\n\n- when: z(64) <= -1.5\n- do: hold 40%\n- until: since >= 30\n- expects: +0.8% within 100";
    let shown = RuleShown { trips: 40, evidence: 30, mean_ppm: 800 };
    say(&mut sib, WordKind::Batch, &batch(&[], &[json!({ "text": text, "shown": shown })]));
    live(&mut ada, 2).await;
    let tried = |ada: &Lived| {
        let hands = ada.life().trader().expect("a hand").hands();
        hands.flat_map(|(_, hand)| hand.tried()).filter(|tried| tried.rule.name == "kin-sib-dip").count()
    };
    assert_eq!((tried(&ada), told(dir.path(), "ada", "clade.rule_heard")), (1, 1));
    let through = ada.life().kinship().expect("it heard").through;
    drop(ada);
    let mut ada = resume(dir.path(), "ada", reopen(dir.path(), "ada"), &chain);
    ada.join(Box::new(house.take_in(id("ada"), OWNER, through)));
    live(&mut ada, 2).await;
    assert_eq!((tried(&ada), told(dir.path(), "ada", "clade.rule_heard")), (1, 1), "I-110");
}
