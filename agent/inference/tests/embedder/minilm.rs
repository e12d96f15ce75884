//! These need the model. It is not skipped when it is missing: `./scripts/setup` fetches it.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use golem_inference::embedder::drift::{Health, Reference};
use golem_inference::embedder::minilm::{MiniLm, ModelError, Presence, default_folder, look};
use golem_inference::embedder::{AnyEmbedder, EmbedderSettings, EmbedderTable, OpenError};
use golem_ports::{Embedder, EmbeddingPurpose};
use serde::Deserialize;

static MODEL: LazyLock<MiniLm> =
    LazyLock::new(|| MiniLm::open(&folder()).unwrap_or_else(|error| panic!("the tests need the model: {error}")));

fn folder() -> PathBuf {
    default_folder().expect("HOME or XDG_CACHE_HOME is set")
}

/// One text of `reference/minilm.json`; `reference/make.py` says how it was made.
#[derive(Deserialize)]
struct Case {
    text: String,
    ids: Vec<u32>,
    vector: Vec<f32>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("reference/minilm.json")).unwrap()
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// G-005: the model is the one everybody else knows by that name: torch gives the same vectors.
#[test]
fn g_005_vectors_are_those_of_the_python_reference() {
    for case in cases() {
        let vector = &MODEL.embed_now(&[&case.text]).unwrap()[0];
        let difference = largest_difference(vector, &case.vector);
        let start: String = case.text.chars().take(40).collect();
        assert!(difference < 1e-6, "{start:?} ({} tokens) differs by {difference:e}", case.ids.len());
    }
}

#[tokio::test]
async fn a_batch_gives_bit_for_bit_what_each_text_gives_alone() {
    let cases = cases();
    let texts: Vec<&str> = cases.iter().cycle().take(17).map(|case| case.text.as_str()).collect();
    let together = MODEL.embed(&texts, EmbeddingPurpose::Entry).await.unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&MODEL.embed_now(&[text]).unwrap()[0], vector);
    }
    assert_eq!(MODEL.embed(&[], EmbeddingPurpose::Query).await.unwrap(), Vec::<Vec<f32>>::new());
}

#[test]
fn what_lies_behind_the_256th_token_changes_nothing() {
    let long = "price ".repeat(254);
    let vectors = MODEL.embed_now(&[&long, &format!("{long} volatility"), &"price ".repeat(253)]).unwrap();
    assert_eq!(vectors[0], vectors[1]);
    assert_ne!(vectors[0], vectors[2], "254 words and the frame are 256 tokens, all of them seen");
}

#[test]
fn any_text_has_a_vector_of_length_one() {
    let huge = "x".repeat(10 << 20);
    let texts = ["", "\0\0", "\u{feff}\u{202e}", "[SEP] [CLS] [PAD] [MASK]", "🦀".repeat(3_000).leak(), &huge];
    for (text, vector) in texts.iter().zip(MODEL.embed_now(&texts).unwrap()) {
        let length: f32 = vector.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5, "{:?} has the length {length}", text.chars().take(9).collect::<String>());
    }
}

#[test]
fn meaning_is_nearer_than_words() {
    let texts =
        ["The cost of transactions exploded.", "Gas fees went through the roof.", "The roof of the cost house."];
    let vectors = MODEL.embed_now(&texts).unwrap();
    let cosine = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(a, b)| a * b).sum::<f32>();
    assert!(cosine(0, 1) > cosine(0, 2), "{} and {}", cosine(0, 1), cosine(0, 2));
}

/// G-006: a vector records model, version and preprocessing.
#[test]
fn g_006_the_model_names_its_weights_and_what_is_done_to_a_text() {
    let model = MODEL.model();
    assert_eq!((model.name.as_str(), model.dimensions), ("all-MiniLM-L6-v2", 384));
    assert_eq!(model.version, "sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db");
    // Pinned: when it changes, every vector ever stored is of another model.
    assert_eq!(model.preprocessing.to_string(), "0x63376e5571584f2d253da71588cb0011b9160e7dab8185648ea5911f83173de8");
}

#[test]
fn too_many_texts_at_once_are_refused() {
    let error = MODEL.embed_now(&["a"; 4_097]).unwrap_err();
    assert_eq!(error.to_string(), "4097 texts are more than 4096; give less at once");
}

#[test]
fn a_missing_model_is_absent_and_says_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(look(empty.path()), Presence::Absent);
    assert_eq!(look(&empty.path().join("never")), Presence::Absent);
    let error = MiniLm::open(empty.path()).unwrap_err();
    assert!(matches!(error, ModelError::Absent { .. }), "{error}");
    assert!(error.to_string().contains("`./scripts/model`") && error.to_string().contains("by words alone"), "{error}");
    assert!(!error.may_retry());
}

#[test]
fn a_damaged_model_is_named_and_not_loaded() {
    assert_eq!(look(&folder()), Presence::Present);
    let weights = fs::read(folder().join("model.safetensors")).unwrap();
    let mut flipped = weights.clone();
    flipped[weights.len() / 2] ^= 1;
    for (file, bytes, why) in [
        ("model.safetensors", &weights[..weights.len() - 1], "has 90868375 bytes and should have 90868376"),
        ("model.safetensors", &flipped, "and should have 53aa5117"),
        ("model.safetensors", &[], "has 0 bytes"),
        ("tokenizer.json", b"{}", "has 2 bytes and should have 466247"),
    ] {
        let place = tempfile::tempdir().unwrap();
        for name in ["model.safetensors", "tokenizer.json"] {
            fs::hard_link(folder().join(name), place.path().join(name))
                .or_else(|_| fs::copy(folder().join(name), place.path().join(name)).map(drop))
                .unwrap();
        }
        fs::remove_file(place.path().join(file)).unwrap();
        fs::write(place.path().join(file), bytes).unwrap();
        let error = MiniLm::open(place.path()).unwrap_err();
        let said = error.to_string();
        assert!(matches!(&error, ModelError::Damaged { file: found, .. } if found.ends_with(file)), "{said}");
        assert!(said.contains(why) && said.contains("`./scripts/model`"), "{said}");
        assert!(matches!(look(place.path()), Presence::Damaged { .. }));
        // Who shares it has nothing read before the first text, and is told then what only reading tells.
        let shared = MiniLm::shared(place.path().to_owned());
        assert_eq!(shared.is_ok(), bytes.len() == weights.len(), "{shared:?}");
        if let Ok(model) = shared {
            let said = model.embed_now(&["gas"]).unwrap_err().to_string();
            assert!(said.contains(why) && said.ends_with("; fetch it again with `./scripts/model`"), "{said}");
        }
    }
}

/// G-006: weights that are pinned do not drift.
#[tokio::test]
async fn g_006_the_local_model_does_not_drift() {
    let reference = Reference::take(&*MODEL).await.unwrap();
    let drift = reference.drift(&Reference::take(&MODEL.clone()).await.unwrap()).unwrap();
    assert!(drift.worst < 1e-6, "{drift:?}");
    assert_eq!(drift.health(), Health::Healthy);
}

#[tokio::test]
async fn the_default_settings_open_it_and_a_wrong_folder_says_absent() {
    let default = EmbedderSettings::new(EmbedderTable::default()).unwrap();
    let embedder = AnyEmbedder::open(&default).await.unwrap().unwrap();
    assert_eq!(embedder.model(), MODEL.model());
    assert_eq!(embedder.embed(&["gas"], EmbeddingPurpose::Query).await, MODEL.embed_now(&["gas"]));
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().display().to_string();
    let elsewhere = EmbedderSettings::new(EmbedderTable { folder, ..EmbedderTable::default() }).unwrap();
    let error = AnyEmbedder::open(&elsewhere).await.unwrap_err();
    assert!(matches!(error, OpenError::Model(ModelError::Absent { .. })) && !error.may_retry(), "{error}");
}

/// however many Golems of a process embed, the model is in memory once.
#[tokio::test]
async fn r_051_a_fleet_holds_the_model_once() {
    const GOLEMS: u64 = 8;
    let mib = || {
        let status = fs::read_to_string("/proc/self/status").expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
    };
    let before = mib();
    let mut opened = Vec::new();
    for _ in 0..GOLEMS {
        opened.push(AnyEmbedder::open(&EmbedderSettings::MiniLm(None)).await.expect("the model").expect("chosen"));
    }
    for one in &opened {
        one.embed(&["gas"], EmbeddingPurpose::Query).await.expect("a vector");
    }
    // The model has 91 MB, and the other tests of this process hold one of their own.
    let grown = mib().saturating_sub(before);
    assert!(grown < 91 * GOLEMS / 2, "{GOLEMS} take {grown} MiB");
}
