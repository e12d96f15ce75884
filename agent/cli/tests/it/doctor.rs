//! `bardo doctor`.

use crate::bardo::{command, run, text};

#[test]
fn o_003_doctor_is_content_here_and_says_what_to_do_elsewhere() {
    // O-003.
    let dir = tempfile::tempdir().expect("a folder");
    let healthy = run(dir.path(), &["doctor"]);
    assert!(healthy.status.success(), "{}", text(&healthy.stdout));

    let sick = command(dir.path()).args(["doctor", "--json"]).env("BARDO_ANVIL", "/no/anvil").output().expect("runs");
    assert_eq!(sick.status.code(), Some(1));
    let findings: Vec<serde_json::Value> = serde_json::from_slice(&sick.stdout).expect("JSON");
    let anvil = findings.iter().find(|finding| finding["what"] == "anvil").expect("looked at");
    assert_eq!(anvil["ok"], false);
    assert!(anvil["remedy"].as_str().expect("a remedy").contains("./scripts/setup"));
    for subject in ["forge", "cast", "solc", "artifacts", "node", "ports", "disk", "clock"] {
        assert!(findings.iter().any(|finding| finding["what"] == subject), "{subject}");
    }
}
