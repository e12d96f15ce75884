//! `bardo config`.

use crate::bardo::{run, text};

#[test]
fn o_003_config_lists_every_key_and_judges_a_file_with_the_nearest_key() {
    // O-003.
    let dir = tempfile::tempdir().expect("a folder");
    let listed = run(dir.path(), &["config", "keys", "--json"]);
    let keys: Vec<serde_json::Value> = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert!(keys.len() > 60 && keys.iter().all(|key| key["meaning"].as_str().is_some_and(|m| !m.is_empty())));

    let init = run(dir.path(), &["config", "init"]);
    std::fs::write(dir.path().join("golem.toml"), &init.stdout).expect("written");
    let same = run(dir.path(), &["config", "check", "golem.toml"]);
    assert!(same.status.success() && text(&same.stdout).contains("changes nothing"), "{}", text(&same.stdout));

    std::fs::write(dir.path().join("bad.toml"), "[mortality.economic]\nenabeld = true\nconservation_threshold = 0.9\n")
        .expect("written");
    let bad = run(dir.path(), &["config", "check", "bad.toml"]);
    assert_eq!(bad.status.code(), Some(1));
    let said = text(&bad.stderr);
    assert!(said.contains("2 mistake(s)") && said.contains("mortality.economic.enabled"), "{said}");
    assert!(said.contains("0.50") || said.contains("0.5"), "the bound is named: {said}");

    let missing = run(dir.path(), &["config", "check", "nowhere.toml"]);
    assert!(text(&missing.stderr).contains("nowhere.toml"));

    std::fs::write(dir.path().join("clock.toml"), "[mortality.economic]\nenabled = false\n").expect("written");
    assert_eq!(
        run(dir.path(), &["config", "check", "clock.toml"]).status.code(),
        Some(1),
        "a hosted Golem keeps its clocks"
    );
    assert!(run(dir.path(), &["config", "check", "clock.toml", "--self-hosted"]).status.success());
}
