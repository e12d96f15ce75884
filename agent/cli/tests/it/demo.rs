//! `bardo demo`.

use crate::bardo::{command, does, signal, text, wait_end, wait_for};

/// O-001: a life from birth to a tombstone the chain confirms, and a successor raised from its bundle with its line
/// proved; the seed repeats it to the last hash.
#[test]
fn o_001_the_demo_ends_in_a_verified_tombstone_and_a_seed_repeats_it_exactly() {
    let dir = tempfile::tempdir().expect("a folder");
    let tombstone = || {
        let demo = does(dir.path(), &["demo", "--seed", "7", "--ticks", "40", "--json"]);
        let said = text(&demo.stdout);
        let last = said.lines().last().expect("a tombstone");
        let value: serde_json::Value = serde_json::from_str(last).expect("JSON");
        let tombstone = value["tombstone"].clone();
        assert_eq!(tombstone["cause"], "owner_kill", "{tombstone}");
        let checks = tombstone["checks"].as_array().expect("checks");
        assert!(checks.len() >= 10 && checks.iter().all(|check| check["ok"] == true), "{tombstone}");
        assert_eq!(tombstone["successor"]["generation"], 1, "a successor is raised from its bundle");
        assert!(said.contains("golem.vitality_update") && said.contains("golem.death_complete"));
        tombstone["state_hash"].as_str().expect("a hash").to_owned()
    };
    assert_eq!(tombstone(), tombstone());
}

#[test]
fn an_interrupted_demo_says_so_by_its_exit_code_and_leaves_no_process() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut demo = command(dir.path())
        .args(["demo", "--ticks", "100000", "--json"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("starts");
    let path = dir.path().join(".bardo/demo/chain.json");
    let about: serde_json::Value =
        wait_for("the demo's chain answers", || serde_json::from_slice(&std::fs::read(&path).ok()?).ok());
    signal(u64::from(demo.id()), "-INT");
    assert_eq!(demo.wait().expect("ended").code(), Some(130));
    wait_end("anvil ends", about["anvil_pid"].as_u64().expect("a process"));
}
