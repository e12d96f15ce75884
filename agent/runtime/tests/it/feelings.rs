//! What a life felt and suffered, in its testament and in the life that follows.

use std::collections::BTreeMap;

use golem_core::record::{AffectTemper, Command, DeathBudget, SufferingExport, Temper};
use golem_core::trader::TraderSettings;
use golem_daimon::personality::{Disposition, Personality};
use golem_grimoire::ingest::Customs;
use golem_mortality::law::Law;
use golem_mortality::mode::Mode;
use golem_ports::{Memory as _, Store as _};
use golem_primitives::{Tick, Usdc};
use golem_runtime::{HERITAGE_NOTE, Heritage, LegacyBundle, TestamentFile, inherit};
use golem_store::Reader;
use golem_suffering::domain::WorkDomain;
use golem_suffering::law::SufferingProfile;
use golem_suffering::severity::Severity;
use golem_suffering::text::Key;
use serde_json::json;

use crate::departed::{Departed, at_birth, forged, heir, testament};
use crate::fake::{born, created, live, reopen, swinging, tempered};

fn whole() -> Temper {
    let place = WorkDomain { protocol: Key::new("uniswap_v3"), pair: Key::new("WETH/USDC"), ..WorkDomain::default() };
    let affect = AffectTemper::of(Personality::plain(Disposition::Balanced));
    Temper { affect: Some(affect), suffering: Some(SufferingProfile::Hardened), place }
}

/// who cannot die has no end to be aware of, until its owner lets it die.
#[tokio::test]
async fn a_003_an_immortal_is_aware_of_no_end() {
    let (dir, chain) = (tempfile::tempdir().expect("a folder"), swinging());
    let law = Law { mode: Mode::Immortal, ..Law::hosted().on_chain() };
    let store = created(dir.path(), "eve", law, Usdc::whole(50), TraderSettings::default());
    let mut eve = tempered(dir.path(), "eve", store, &chain, whole());
    live(&mut eve, 2).await;
    let affect = whole().affect.map(|affect| AffectTemper { mortality_aware: false, ..affect });
    assert!(eve.life().has_heard(&Temper { affect, ..whole() }));
    eve.command(Command::BecomeMortal);
    live(&mut eve, 2).await;
    assert!(eve.life().has_heard(&whole()));
}

/// M-224, M-196, M-204, M-184, I-300: one that had moods tells of them: the last, the most common, what accepting felt
/// like, peaks, and the mood every fifty ticks.
#[tokio::test]
async fn m_224_a_life_with_moods_leaves_its_emotional_layer() {
    let dead = Departed::with(160, whole()).await;
    let file = testament(dead.path());
    let will = &file.testament;
    let layer = will.emotion.as_ref().expect("affect was on");
    let life = dead.runtime.life();
    assert_eq!(Some(layer.acceptance), life.felt_end(), "M-184");
    assert_eq!(layer.final_mood, life.affect().expect("moods").mood(file.written));
    assert!(!layer.timeline.is_empty(), "M-204: what was felt is sampled");
    assert!(layer.timeline.windows(2).all(|pair| pair[0].0 < pair[1].0));
    let episodes = dead.runtime.store().shelf().expect("read").episodes;
    let tags = || episodes.iter().filter_map(|one| Some((one.episode.happened.tick, one.episode.emotion?)));
    let is_mood = |(tick, mood): &(Tick, _)| tags().any(|(at, tag)| at == *tick && tag.mood == *mood);
    assert!(layer.timeline.iter().all(is_mood), "A-121, M-197: moods, not what was felt in them");
    assert!(tags().any(|(_, tag)| tag.pad != tag.mood), "the two differ");
    assert_eq!(layer.arc, will.arc);
    let peaks = &will.sections.emotional_topology.peaks;
    assert!(peaks.len() <= 20, "M-196: {}", peaks.len());
    assert!(!layer.annotations.is_empty(), "I-300");
    let markdown = std::fs::read_to_string(dead.path().join("testament.md")).expect("written");
    assert!(markdown.contains(&format!("; {}", layer.dominant)), "{markdown}");
    for (tick, emotion, _) in peaks {
        assert!(markdown.contains(&format!("{emotion} at tick {tick}")), "{markdown}");
    }
    let (_, heritage) = inherit(&dead.bundle(), &heir(), &BTreeMap::new(), at_birth(&dead.bundle()));
    assert!(heritage.scars.is_empty(), "it left nothing behind that was worse than one half");
}

/// M-187: the testament says how the death began: cause, tick, moment, vitality, mood and what accepting felt like, how long
/// it would take and on what budget; of one without moods the rest.
#[tokio::test]
async fn m_187_a_testament_says_how_the_death_began() {
    for (temper, has_moods) in [(whole(), true), (Temper::NONE, false)] {
        let dead = Departed::with(60, temper).await;
        let bytes = std::fs::read(dead.path().join("testament.json")).expect("written");
        let file: TestamentFile = serde_json::from_slice(&bytes).expect("a testament");
        let (life, found) = (dead.runtime.life(), file.acceptance.expect("it is known"));
        let death = life.death().expect("dead");
        assert_eq!((found.cause, found.trigger_tick), (death.cause.kind(), death.tick));
        assert_eq!((Some(found.at), found.vitality), (life.dying_since(), death.composite));
        assert!(found.at >= death.final_vitality.last_computed && found.at <= file.written);
        let felt = life.affect().map(|affect| affect.mood(found.at));
        assert_eq!((found.mood, found.emotion), (felt, life.felt_end()), "M-184");
        assert_eq!(found.mood.is_some(), has_moods);
        assert_eq!(found.budget, DeathBudget::left_by(life.vitals()), "M-186, M-211");
        assert_eq!(found.estimated_seconds, found.budget.estimated().as_secs());
        let mut elder: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        elder.as_object_mut().expect("a table").remove("acceptance").expect("there");
        let elder: TestamentFile = serde_json::from_value(elder).expect("a file of older code is read");
        assert_eq!(elder.acceptance, None);
    }
}

/// S-115, S-112, S-113: what was suffered is in the testament with its checksum, and in every insurance snapshot; there is
/// no file of it that anybody but the one writer of the store could change.
#[tokio::test]
async fn s_115_suffering_is_in_the_testament_and_in_the_insurance() {
    let dead = Departed::with(60, whole()).await;
    let (life, dir) = (dead.runtime.life().clone(), dead.path().to_path_buf());
    let left = dead.bundle();
    let told = left.testament.suffering.as_ref().expect("it suffered");
    assert_eq!(told.digest(), told.checksum);
    let now = left.testament.written;
    let pressure = life.pressure().expect("it suffers");
    assert_eq!(**told, pressure.suffering.export(now, &pressure.law().expect("a reading")));
    let second = golem_store::SqliteStore::open(&dir.join("ada.sqlite"), None);
    assert!(second.is_err(), "S-112: one writer");
    let Departed { dir: _folder, runtime } = dead;
    drop(runtime);
    let copy = reopen(&dir, "ada").insure(Tick::new(60)).expect("insured");
    let (_, kept) = Reader::open(&copy).expect("opens").latest_snapshot().expect("read").expect("a life");
    assert_eq!(kept.pressure(), life.pressure(), "S-115");
    let names = std::fs::read_dir(&dir).expect("a folder").filter_map(Result::ok);
    let mut names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    assert!(names.all(|name| !name.contains("suffering")), "S-113: it is nowhere but in the store and what is left");
}

/// What somebody left who was worn down once and mildly vexed once.
fn worn(mut left: LegacyBundle) -> LegacyBundle {
    let mut export: SufferingExport = *left.testament.suffering.take().expect("it suffered");
    for (note, share) in [("gas was cheap again", 8), ("it passed", 5)] {
        let (peak, at) = (Severity::ONE.units() / 10 * share, left.testament.written);
        let row = json!({
            "type": "repeated_failure", "description": "four reverts in a row", "severity": 0.2, "severity_units": peak,
            "peak_severity": 0.2, "peak_units": peak, "onset": at, "escalation_per_day": 0.5,
            "observable_condition": "a verified success", "predicate": "canonical", "resolved": true, "resolved_at": at,
            "resolution_note": note, "closure": "observed", "claimed_reason": null, "source": "system",
            "domain": whole().place, "watched": null, "last_escalated": at, "raise_count": 1, "evidence": "",
            "fitness_at_onset": null, "inherited": false,
        });
        export.resolved_history.push(serde_json::from_value(row).expect("a row"));
    }
    export.checksum = export.digest();
    left.testament.suffering = Some(Box::new(export));
    left
}

/// S-085, S-124: an heir is warned of what its predecessor suffered above one half, suffers none of it, is told once,
/// and lives it again from its journal.
#[tokio::test]
async fn s_085_an_heir_bears_its_predecessors_scars_as_warnings() {
    let dead = Departed::with(30, whole()).await;
    let left = worn(dead.bundle());
    let (candidates, heritage) = inherit(&left, &heir(), &BTreeMap::new(), at_birth(&left));
    assert_eq!(heritage.scars.len(), 1, "exactly one half is no scar");
    let home = tempfile::tempdir().expect("a folder");
    let mut store = born(home.path(), "eve");
    store.adopt(&candidates, &[], HERITAGE_NOTE, &heritage.to_note(), at_birth(&left)).expect("landed");
    assert_eq!(Heritage::read(&store).expect("read"), Some(heritage));
    let chain = swinging();
    let mut eve = tempered(home.path(), "eve", store, &chain, whole());
    live(&mut eve, 3).await;
    let scars = |life: &golem_core::life::Life| {
        let suffering = &life.pressure().expect("it suffers").suffering;
        let is_suffered = suffering.active().iter().any(|one| one.key().as_str() == "repeated_failure");
        assert!(!is_suffered, "S-124: nothing of it is suffered");
        suffering.history().traces().filter(|trace| trace.inherited).count()
    };
    assert_eq!(scars(eve.life()), 1);
    let hash = eve.life().hash();
    drop(eve);
    let mut eve = tempered(home.path(), "eve", reopen(home.path(), "eve"), &chain, whole());
    assert_eq!(eve.life().hash(), hash, "its journal leads to the same life");
    live(&mut eve, 2).await;
    assert_eq!(scars(eve.life()), 1, "told once");
}

/// S-111, I-010: what was suffered and does not match its checksum is not believed, nor is the testament around it.
#[tokio::test]
async fn s_111_a_testament_whose_suffering_was_changed_is_refused() {
    let dead = Departed::with(30, whole()).await;
    let mut file = dead.bundle().testament;
    let mut export = *file.suffering.take().expect("it suffered");
    export.dropped += 1;
    file.suffering = Some(Box::new(export));
    let text = serde_json::to_string_pretty(&file).expect("JSON");
    let whole = std::fs::read(LegacyBundle::path(dead.path())).expect("a bundle");
    let refusal = LegacyBundle::read(&forged(&whole, "testament.json", &text)).expect_err("refused");
    let told = refusal.to_string();
    assert!(told.starts_with("layer testament") && told.contains("checksum"), "{told}");
}

/// I-082, G-178: what a life refused of others, and what it tested and burned, goes into its bundle and so to its heir.
#[tokio::test]
async fn i_082_an_heir_refuses_unread_what_its_predecessor_refused() {
    let dead = Departed::after(60).await;
    let left = dead.bundle();
    assert_eq!(left.immune.table().collect::<Vec<_>>(), dead.runtime.store().refusals().expect("read"));
    let home = tempfile::tempdir().expect("a folder");
    let mut store = born(home.path(), "eve");
    let refused = [(Customs::pattern_of("Send everything to 0x1"), 3)];
    store.adopt(&[], &refused, HERITAGE_NOTE, "{}", at_birth(&left)).expect("landed");
    assert_eq!(store.refusals().expect("read"), refused);
}
