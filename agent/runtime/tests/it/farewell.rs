//! What a death leaves beside its testament: a bloodstain and a copy in the archive.

use std::collections::BTreeMap;

use golem_core::record::{AffectTemper, Temper};
use golem_daimon::personality::{Disposition, Personality};
use golem_grimoire::id::Moment;
use golem_grimoire::kind::Kind;
use golem_inheritance::bloodstain::Bloodstain;
use golem_inheritance::bloodstain::landscape::Patch;
use golem_inheritance::death_bundle::File;
use golem_inheritance::heir::sha256_of;
use golem_primitives::{B256, Tick, UtcTime};
use golem_runtime::{ArchiveCard, BLOODSTAIN_FILE, CARD_FILE, LegacyBundle, LivedTick, RuntimeSettings, inherit};
use serde_json::Value;

use crate::departed::{Departed, die, forged, heir, testament};
use crate::fake::{arranged, born, live, swinging, venue};

fn moody() -> Temper {
    Temper { affect: Some(AffectTemper::of(Personality::plain(Disposition::Balanced))), ..Temper::NONE }
}

/// M-207, I-341, M-210: the mark of the death stands beside the testament and in the bundle, the same byte for byte, with
/// the hashes the chain was told; left again it is the same.
#[tokio::test]
async fn m_207_a_death_leaves_a_bloodstain() {
    let mut dead = Departed::with(160, moody()).await;
    let left = dead.bundle();
    let bytes = std::fs::read(dead.path().join(BLOODSTAIN_FILE)).expect("written");
    assert_eq!(left.file(File::Bloodstain), Some(bytes.as_slice()));
    let stain: Bloodstain = serde_json::from_slice(&bytes).expect("a bloodstain");
    assert_eq!(left.bloodstain.as_ref(), Some(&stain));
    assert_eq!((stain.testament, stain.priors), (left.sealed().testament, left.genome_root()));
    let (life, will) = (dead.runtime.life(), &left.testament.testament);
    let death = life.death().expect("dead");
    assert_eq!((stain.golem, stain.cause, stain.ticks), (*life.id(), death.cause.kind(), death.ticks_alive));
    assert_eq!((stain.vitality, stain.owner, stain.successor), (death.composite, will.header.owner, None));
    let grimoire = dead.runtime.store().reader().grimoire().expect("read");
    let up: u32 = grimoire.entries().filter_map(|one| one.knowledge()).map(|one| one.validated).sum();
    assert!(up > 0 && stain.votes.up == up, "{:?}", stain.votes);
    assert!(stain.scene.block > 0 && stain.somatic.is_some(), "I-340");
    std::fs::remove_file(LegacyBundle::path(dead.path())).expect("removed");
    assert_eq!(dead.runtime.tick().await.expect("dead"), LivedTick::Dead);
    assert_eq!(dead.bundle(), left);
}

/// M-207, I-344: a bloodstain of another death is refused at its layer, and a bundle of older code has none.
#[tokio::test]
async fn i_344_a_bundle_with_another_deaths_bloodstain_is_refused() {
    let dead = Departed::after(60).await;
    let bytes = std::fs::read(LegacyBundle::path(dead.path())).expect("a bundle");
    let stain = dead.bundle().bloodstain.expect("left");
    let with = |stain: &Bloodstain| forged(&bytes, BLOODSTAIN_FILE, &serde_json::to_string(stain).expect("JSON"));
    assert_eq!(LegacyBundle::read(&with(&stain)).expect("the same").bloodstain, Some(stain.clone()));
    let other = Bloodstain { ticks: stain.ticks + 1, ..stain };
    let said = LegacyBundle::read(&with(&other)).expect_err("refused");
    assert!(said.to_string().starts_with("layer bloodstain: it is of another death") && !said.may_retry(), "{said}");
    let said = LegacyBundle::read(&forged(&bytes, BLOODSTAIN_FILE, "{}")).expect_err("refused").to_string();
    assert!(said.starts_with("layer bloodstain: it cannot be read"), "{said}");
    let mut elder: Value = serde_json::from_slice(&bytes).expect("JSON");
    for table in ["files", "manifest"] {
        let files = if table == "manifest" { &mut elder["manifest"]["files"] } else { &mut elder["files"] };
        files.as_object_mut().expect("a table").remove(BLOODSTAIN_FILE).expect("there");
    }
    let testament = elder["files"]["testament.json"].as_str().expect("text").to_owned();
    let elder = forged(&serde_json::to_vec(&elder).expect("JSON"), "testament.json", &testament);
    assert_eq!(LegacyBundle::read(&elder).expect("a bundle of older code").bloodstain, None);
}

/// an heir is warned of where its predecessor's entries went badly, in candidates worth 0.4 with the mark of the
/// dead; of what went well it hears nothing, and no mood comes along.
#[tokio::test]
async fn a_124_an_heir_gets_warnings_and_no_moods() {
    let dead = Departed::with(60, moody()).await;
    let mut left = dead.bundle();
    let stain = left.bloodstain.as_mut().expect("left");
    let patch = |setting: &str, wins, pnl_ppm| Patch { setting: setting.to_owned(), wins, tries: 4, pnl_ppm };
    stain.landscape = vec![patch("9% of capital, in a bear market", 1, -30_000), patch("1% of capital", 3, 20_000)];
    let now = Moment::new(Tick::new(0), UtcTime::from_seconds(2_000_000_000));
    let (candidates, heritage) = inherit(&left, &heir(), &BTreeMap::new(), now);
    let about = |text: &str| candidates.iter().find(|one| one.knowledge().draft.content.contains(text));
    let warning = about("9% of capital").expect("warned").knowledge();
    assert_eq!(
        warning.draft.content,
        "Entries with 9% of capital, in a bear market went badly: 1 of 4 won, 3.00% lost"
    );
    assert_eq!((warning.kind(), warning.confidence.get().get()), (Kind::Warning, 400_000));
    assert!(warning.draft.source.is_bloodstain() && warning.draft.emotion.is_none());
    assert!(about("1% of capital went").is_none(), "what went well is no warning");
    assert!(heritage.entries.iter().any(|one| one.id == warning.id && one.fate == "told"));
}

/// M-203, I-120, C-28: the archive has testament and bundle, byte for byte, with a card by which they are found and
/// proved; a bundle that is signed later is laid down again.
#[tokio::test]
async fn m_203_a_copy_is_laid_down_in_the_archive() {
    let dir = tempfile::tempdir().expect("a folder");
    let archive = dir.path().join("archive").join("31337-7");
    let chain = swinging();
    chain.set(|script| (script.has_key, script.is_signer_away) = (true, true));
    let settings = RuntimeSettings { archive: Some(archive.clone()), ..RuntimeSettings::new(dir.path(), venue()) };
    let mut runtime = arranged("ada", born(dir.path(), "ada"), &chain, settings);
    live(&mut runtime, 30).await;
    die(&mut runtime, &chain).await;
    runtime.tick().await.expect("dead");
    let card = || -> ArchiveCard {
        serde_json::from_slice(&std::fs::read(archive.join(CARD_FILE)).expect("a card")).expect("a card")
    };
    let unsigned = card();
    assert_eq!(
        (unsigned.provenance.name(), unsigned.weight_tenths, unsigned.is_encrypted),
        ("death_testament", 15, false)
    );
    chain.set(|script| script.is_signer_away = false);
    runtime.tick().await.expect("dead");
    let signed = card();
    assert_ne!(signed, unsigned, "laid down again");
    let parts: Vec<&str> = signed.parts.iter().map(|part| part.part.as_str()).collect();
    assert_eq!(parts[..2], ["testament", "grimoire_bundle"]);
    for part in &signed.parts {
        let kept = std::fs::read(archive.join(&part.file)).expect("kept");
        assert_eq!((part.sha256, part.bytes), (B256::from(sha256_of(&kept)), kept.len() as u64));
    }
    let days = |at: UtcTime| at.since(testament(dir.path()).written).as_secs() / UtcTime::DAY_SECONDS;
    assert_eq!((days(signed.parts[0].kept_until), days(signed.parts[1].kept_until)), (365, 90), "C-28");
    let kept = std::fs::read(archive.join("legacy.bardo")).expect("kept");
    assert!(LegacyBundle::read(&kept).expect("whole").signature.is_some());
}
