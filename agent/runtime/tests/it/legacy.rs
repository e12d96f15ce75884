//! What a life leaves: a testament whose every section is counted, and a bundle that proves itself.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::CauseKind;
use golem_core::trader::TraderSettings;
use golem_grimoire::entry::Method;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::reflection::ReflectionLaw;
use golem_inheritance::death_bundle::File;
use golem_inheritance::individuation::Check;
use golem_inheritance::testament::Section;
use golem_mortality::law::Law;
use golem_mortality::stochastic::hazard::{HazardLaw, HazardNumbers};
use golem_ports::{SettledTestament, Store as _};
use golem_primitives::{Usdc, UtcTime, keccak256};
use golem_runtime::{Emergency, HERITAGE_NOTE, Heritage, Kin, LegacyBundle, LegacyError, LivedTick, compose, inherit};
use serde_json::{Value, json};

use crate::departed::{Departed, at_birth, bundle, die, die_within, heir, testament};
use crate::fake::{BIRTH, Home, born, created, live, reopen, resume, swinging};

/// M-218 to M-223, M-225, I-300 to I-305: a life without a model leaves all nine sections, its numbers, its mode and its
/// advice; the Markdown says the same section by section.
#[tokio::test]
async fn m_221_a_life_without_a_model_leaves_a_whole_testament() {
    let dead = Departed::after(160).await;
    let file = testament(dead.path());
    let will = &file.testament;
    assert_eq!((file.version.as_str(), will.header.golem), ("4.0", *dead.runtime.life().id()), "M-218");
    assert_eq!(will.stats.ticks, dead.runtime.life().death().expect("dead").ticks_alive, "M-220");
    let grimoire = dead.runtime.store().reader().grimoire().expect("read");
    assert_eq!(will.grimoire.active as usize, grimoire.active_count(), "M-223");
    assert!(!will.sections.killed.factors.is_empty() && !will.sections.would_change.is_empty(), "I-300");
    let told = will.sections.worked.len() + will.sections.failed.len() + will.sections.confused.len();
    let open = will.sections.untested.len() + will.sections.suspects.len();
    assert!(told + open > 0, "what it counted is told");
    for insight in will.sections.worked.iter().filter_map(|one| one.entry) {
        let entry =
            grimoire.get(insight).and_then(|entry| entry.knowledge()).expect("a section tells of what is known");
        assert!(entry.validated > entry.contradicted, "M-222: it held");
    }
    assert!(!will.narrative.is_empty() && !will.last_words.is_empty(), "I-300");
    assert!(will.mode.is_mortal() && will.recommendation.is_some(), "M-225, I-304, I-305");
    assert_eq!((will.arc.confidence.get(), will.emotion.is_none()), (300_000, true), "I-303: affect was off");
    let written = std::fs::read(dead.path().join("testament.json")).expect("written");
    let json: Value = serde_json::from_slice(&written).expect("JSON");
    assert_eq!(json["testament"]["sections"].as_object().expect("sections").len(), Section::ALL.len(), "M-221");
    let markdown = std::fs::read_to_string(dead.path().join("testament.md")).expect("written");
    assert_eq!(markdown.matches("\n## ").count(), Section::ALL.len() + 1, "nine sections and the advice:\n{markdown}");
}

/// I-200, I-204, I-209: by what an owner asks of a life, the same life passes the checks of its testament or does not.
#[tokio::test]
async fn i_209_the_checks_of_a_testament_are_the_owners() {
    let dead = Departed::after(160).await;
    let (life, store) = (dead.runtime.life(), dead.runtime.store());
    let checked = |least_novel| {
        let reflection = ReflectionLaw { least_novel, ..ReflectionLaw::default() };
        let law = GrimoireLaw { reflection, ..GrimoireLaw::default() };
        compose(life, store, &Kin::default(), &law, UtcTime::from_seconds(BIRTH)).expect("composed").individuation.novel
    };
    let rules = dead.runtime.store().reader().grimoire().expect("read").active_count();
    assert_eq!((checked(0), checked(u32::MAX)), (Check::Passed, Check::Failed), "{rules} entries were active");
}

/// M-210, M-208, I-130: the bundle holds testament, PLAYBOOK and genome byte for byte, its hashes are those the chain is
/// told, and read back it is the same.
#[tokio::test]
async fn m_210_the_bundle_is_what_the_chain_was_told() {
    let dead = Departed::after(160).await;
    let left = dead.bundle();
    let noted = dead.runtime.store().note("testament").expect("read").expect("noted");
    let noted: SettledTestament = serde_json::from_str(&noted).expect("a note");
    assert_eq!((left.sealed().testament, left.genome_root()), (noted.hash, noted.genome_root));
    let testament = std::fs::read(dead.path().join("testament.json")).expect("written");
    assert_eq!(left.file(File::Testament), Some(testament.as_slice()));
    let living = dead.runtime.store().reader().grimoire().expect("read").living().count();
    assert_eq!(left.bequest.entries.len(), living, "below 2,048 everything passes");
    assert!(left.bequest.entries.iter().any(|entry| entry.claim.is_some()), "what was counted is claimed");
    assert_eq!(LegacyBundle::read(&left.to_bytes()).expect("whole"), left);
}

/// M-182, T-004, R-021: cut off before every pass of a death, a life leaves the same files and settles once.
#[tokio::test]
async fn m_182_a_death_cut_at_every_pass_leaves_one_bundle_and_settles_once() {
    let (home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 60).await;
    drop(runtime);
    home.chain.set(|script| script.is_dying = true);
    let (mut files, mut passes) = (Vec::new(), 0);
    loop {
        let mut cut = home.again();
        let lived = cut.tick().await.expect("dies");
        let known =
            ["testament.json", "legacy.bardo"].map(|name| std::fs::read(home.path().join(name)).ok().map(keccak256));
        files.push(known);
        passes += 1;
        if lived == LivedTick::Dead {
            break;
        }
        assert!(passes < 40, "it takes too long");
    }
    for at in 0..2 {
        let mut seen: Vec<_> = files.iter().filter_map(|known| known[at]).collect();
        seen.dedup();
        assert_eq!(seen.len(), 1, "a file is written once");
    }
    // Driven again after a cut, it is the same effect: a chain lands an effect once.
    let script = home.chain.script.lock().expect("free");
    let settled: BTreeSet<_> = script.driven.iter().filter(|(_, name)| *name == "settle").map(|(id, _)| *id).collect();
    assert_eq!(settled.len(), 1);
    drop(script);
    bundle(home.path());
}

/// M-210: a bundle that is gone is left again by the dead, the same to the last byte.
#[tokio::test]
async fn m_210_a_lost_bundle_is_left_again() {
    let mut dead = Departed::after(60).await;
    let path = LegacyBundle::path(dead.path());
    let before = std::fs::read(&path).expect("a bundle");
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(dead.runtime.tick().await.expect("dead"), LivedTick::Dead);
    assert_eq!(std::fs::read(&path).expect("a bundle"), before);
}

/// I-010, M-182: a signer that is away holds up no death, and when it is back the bundle it left unsigned is signed.
#[tokio::test]
async fn i_010_a_bundle_nobody_could_sign_is_signed_later() {
    let chain = swinging();
    chain.set(|script| (script.has_key, script.is_signer_away) = (true, true));
    let (home, mut runtime) = Home::on(chain);
    live(&mut runtime, 30).await;
    die(&mut runtime, &home.chain).await;
    assert_eq!(runtime.tick().await.expect("dead"), LivedTick::Dead);
    assert_eq!(bundle(home.path()).signature, None);
    home.chain.set(|script| script.is_signer_away = false);
    assert_eq!(runtime.tick().await.expect("dead"), LivedTick::Dead);
    let signed = bundle(home.path());
    assert_eq!(signed.signature.as_deref(), Some(signed.sealed().testament.as_slice()));
}

/// M-210: the genome's bytes are kept beside the testament, so that the bundle does not hang on making them again.
#[tokio::test]
async fn m_210_the_genome_is_kept_as_its_hash_was_noted() {
    let mut dead = Departed::after(60).await;
    let path = dead.path().join("genome.json");
    let kept = std::fs::read(&path).expect("kept");
    assert_eq!(keccak256(&kept), dead.bundle().genome_root());
    std::fs::write(&path, b"{}").expect("written");
    std::fs::remove_file(LegacyBundle::path(dead.path())).expect("removed");
    assert_eq!(dead.runtime.tick().await.expect("dead"), LivedTick::Dead);
    assert_eq!(dead.bundle().file(File::Genome), Some(kept.as_slice()), "what is not what was noted is not used");
}

/// I-010, I-360: a bundle that is cut off, changed, swollen or stuffed is refused at the layer that sees it.
#[tokio::test]
async fn i_010_a_bundle_that_does_not_prove_itself_is_refused_by_layer() {
    let dead = Departed::after(160).await;
    let bytes = std::fs::read(LegacyBundle::path(dead.path())).expect("a bundle");
    let whole: Value = serde_json::from_slice(&bytes).expect("JSON");
    let refusal = |bytes: &[u8]| LegacyBundle::read(bytes).expect_err("refused").to_string();
    assert!(refusal(&bytes[..bytes.len() / 2]).starts_with("layer format: it ends too early"));
    assert!(refusal(b"{}").starts_with("layer format"));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut value = whole.clone();
        change(&mut value);
        refusal(&serde_json::to_vec(&value).expect("JSON"))
    };
    assert!(changed(&|value| value["version"] = json!(2)).contains("newer program"));
    let tampered = changed(&|value| {
        let text = value["files"]["testament.json"].as_str().expect("text").replace("\"spent\": ", "\"spent\": 9");
        value["files"]["testament.json"] = json!(text);
    });
    assert!(tampered.starts_with("layer manifest") && tampered.contains("testament.json"), "{tampered}");
    // Whoever changes a file and its seal still has to fit the genome's own law.
    let resealed = |file: &str, text: String, value: &mut Value| {
        let seal = golem_inheritance::testament::Seal::of(text.as_bytes());
        let hash = golem_primitives::B256::from(seal.sha256);
        value["manifest"]["files"][file] = json!({ "keccak256": seal.keccak, "sha256": hash, "bytes": seal.bytes });
        value["files"][file] = json!(text);
    };
    let cut = changed(&|value| {
        let mut genome: Value =
            serde_json::from_str(value["files"]["genome.json"].as_str().expect("text")).expect("JSON");
        genome["entries"].as_array_mut().expect("entries").pop();
        resealed("genome.json", genome.to_string(), value);
    });
    assert!(cut.starts_with("layer format: the manifest's own hash"), "{cut}");
    let error = LegacyBundle::read(&bytes[..40]).expect_err("cut");
    assert!(matches!(error, LegacyError::Format(_)) && error.may_retry());
}

/// I-005, I-008, I-160, I-162, I-362, I-026, M-280: an heir takes over candidates alone, each at what the barrier leaves, without what was
/// found to lie; once, however often its birth is finished; and it can say where everything comes from.
#[tokio::test]
async fn i_005_an_heir_takes_over_candidates_once() {
    let dead = Departed::after(160).await;
    let left = dead.bundle();
    let (heir, now) = (heir(), at_birth(&left));
    let liar = left.bequest.entries[0].id;
    let excluded = BTreeMap::from([(liar, "layer on_chain: it lies".to_owned())]);
    let (candidates, heritage) = inherit(&left, &heir, &excluded, now);
    assert!(!candidates.is_empty() && candidates.iter().all(|one| one.knowledge().id != liar));
    let lied = heritage.entries.iter().find(|handed| handed.id == liar).expect("on record");
    assert_eq!((lied.arrived, lied.fate.as_str()), (None, "layer on_chain: it lies"));
    for handed in heritage.entries.iter().filter(|handed| handed.fate == "candidate") {
        let most = handed.bequeathed.inherited(1);
        assert!(handed.arrived.is_some_and(|arrived| arrived <= most), "I-160: {handed:?}");
    }
    let home = tempfile::tempdir().expect("a folder");
    let mut store = born(home.path(), "eve");
    let note = heritage.to_note();
    assert!(store.adopt(&candidates, &[], HERITAGE_NOTE, &note, now).expect("landed"));
    assert!(!store.adopt(&candidates, &[], HERITAGE_NOTE, &note, now).expect("known"), "once");
    let own = store.reader().playbook(None).expect("read");
    assert!(
        !heritage.playbook.is_empty() && own.is_none(),
        "I-008, M-280: the book of the dead is read and not followed"
    );
    let grimoire = store.reader().grimoire().expect("read");
    assert_eq!((grimoire.candidates().count(), grimoire.active_count()), (candidates.len(), 0), "I-362");
    assert!(grimoire.candidates().any(|one| matches!(one.knowledge().draft.method, Method::Told(_))), "G-175");
    assert_eq!(Heritage::read(&store).expect("read"), Some(heritage));
    let bare = Heritage::without_genome(&left, &heir);
    assert!(bare.entries.is_empty() && bare.playbook == left.testament.testament.playbook, "I-290");
}

/// P-062: what a life had learnt of its market stands in its testament, and its heir begins with it: told before its first look,
/// once, and lived again from its journal. Who takes no genome, and who is handed numbers that no learning reaches, begins new.
#[tokio::test]
async fn p_062_an_heir_begins_with_what_was_learnt_of_the_market() {
    let dead = Departed::after(300).await;
    let left = dead.bundle();
    let learnt = left.testament.understanding.expect("it saw enough");
    assert_eq!(Some(&learnt), dead.runtime.life().trader().map(|trader| trader.understanding.learnt()));
    let (heir, now) = (heir(), at_birth(&left));
    let taken = |left: &LegacyBundle| inherit(left, &heir, &BTreeMap::new(), now).1.learnt;
    assert_eq!((taken(&left), Heritage::without_genome(&left, &heir).learnt), (Some(learnt), None));
    let mut told: Value = serde_json::to_value(learnt).expect("plain data");
    told["beliefs"][0]["level"] = json!(1e9);
    let mut absurd = left.clone();
    absurd.testament.understanding = serde_json::from_value(told).expect("numbers");
    assert_eq!(taken(&absurd), None, "a bundle comes from outside");

    let home = tempfile::tempdir().expect("a folder");
    let mut store = born(home.path(), "eve");
    let (candidates, heritage) = inherit(&left, &heir, &BTreeMap::new(), now);
    store.adopt(&candidates, &[], HERITAGE_NOTE, &heritage.to_note(), now).expect("landed");
    let chain = swinging();
    let mut eve = resume(home.path(), "eve", store, &chain);
    live(&mut eve, 3).await;
    assert_eq!(eve.life().trader().map(|trader| *trader.understanding.learnt()), Some(learnt));
    let hash = eve.life().hash();
    drop(eve);
    let eve = resume(home.path(), "eve", reopen(home.path(), "eve"), &chain);
    assert_eq!(eve.life().hash(), hash, "its journal leads to the same life");
}

/// M-188: chance is met with a snapshot before anything else, and it is in the bundle.
#[tokio::test]
async fn m_188_a_death_by_chance_leaves_an_emergency_snapshot() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = swinging();
    let mut law = Law::hosted().on_chain();
    let deadly =
        HazardNumbers { base: 1e-3, age_coefficient: 1e-3, aging_rate: 0.01, epistemic_multiplier: 10.0, cap: 0.01 };
    law.hazard = HazardLaw::new(deadly).expect("the deadliest law there is");
    let store = created(dir.path(), "ada", law, Usdc::whole(50), TraderSettings::default());
    let mut runtime = resume(dir.path(), "ada", store, &chain);
    for _ in 0..2_000 {
        if runtime.tick().await.expect("lives or dies") == LivedTick::Dead {
            break;
        }
    }
    assert_eq!(runtime.life().death().expect("dead").cause.kind(), CauseKind::Stochastic);
    let text = std::fs::read(dir.path().join("emergency.json")).expect("saved first");
    let saved: Emergency = serde_json::from_slice(&text).expect("a snapshot");
    assert_eq!(saved.tick, runtime.life().tick());
    let left = bundle(dir.path());
    let snapshot: Value = serde_json::from_slice(left.file(File::Snapshot).expect("listed")).expect("JSON");
    assert_eq!(snapshot["emergency"]["tick"], json!(saved.tick));
}

/// M-182, R-021: a testament that cannot be written waits until it can, pass by pass, and the line goes on; it holds up no
/// death beyond its deadline.
#[tokio::test]
async fn m_182_a_testament_waits_until_it_can_be_written() {
    let (home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 30).await;
    let draft = home.path().join("testament.json.draft");
    std::fs::create_dir(&draft).expect("something in its place");
    home.chain.set(|script| script.is_dying = true);
    for _ in 0..8 {
        assert_ne!(runtime.tick().await.expect("dies"), LivedTick::Dead, "it waits");
    }
    std::fs::remove_dir(&draft).expect("out of the way");
    die(&mut runtime, &home.chain).await;
    let left = bundle(home.path());
    let testament = std::fs::read(home.path().join("testament.json")).expect("it is left after all");
    assert_eq!(left.file(File::Testament), Some(testament.as_slice()));
    // What stays in its place ends nothing but the testament.
    let (other, mut runtime) = Home::on(swinging());
    live(&mut runtime, 30).await;
    std::fs::create_dir(other.path().join("testament.json.draft")).expect("something in its place");
    die_within(&mut runtime, &other.chain, 400).await;
    assert!(!other.path().join("testament.json").exists());
}
