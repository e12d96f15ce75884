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

    // Mistakes of the owner's tables and of the law are told together.
    std::fs::write(
        dir.path().join("both.toml"),
        "[golem]\nplaybok = \"momentum\"\n[mortality.economic]\nenabeld = true\n",
    )
    .expect("written");
    let both = run(dir.path(), &["config", "check", "both.toml"]);
    assert_eq!(both.status.code(), Some(1));
    let said = text(&both.stderr);
    assert!(said.contains("2 mistake(s)") && said.contains("golem.playbook"), "{said}");
    std::fs::write(dir.path().join("own.toml"), "[golem]\nplaybook = \"momentum\"\n[alerts]\nlow_gas_beats = 90\n")
        .expect("written");
    let own = run(dir.path(), &["config", "check", "own.toml", "--json"]);
    let own: serde_json::Value = serde_json::from_slice(&own.stdout).expect("JSON");
    let changed: Vec<_> =
        own["changed"].as_array().expect("a list").iter().map(|one| (&one["key"], &one["value"])).collect();
    assert_eq!(
        serde_json::json!(changed),
        serde_json::json!([["golem.playbook", "momentum"], ["alerts.low_gas_beats", "90"]])
    );

    // A key that no life follows is no key.
    let idle = "[mortality.thanatopsis]\nmax_tokens = 4000\n[mortality.succession]\nnovel_minimum = 7\n";
    std::fs::write(dir.path().join("idle.toml"), idle).expect("written");
    let refused = run(dir.path(), &["config", "check", "idle.toml"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(said.contains("1 mistake(s)") && said.contains("no key `mortality.thanatopsis.max_tokens`"), "{said}");

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
