//! `bardo demo`.

use crate::bardo::{command, run, signal, text, wait_end, wait_for};

#[test]
fn o_001_the_demo_ends_by_itself_and_a_seed_repeats_it_exactly() {
    // O-001, as far as the parts exist: the chain, its market, what stands where.
    let dir = tempfile::tempdir().expect("a folder");
    let last_block = || {
        let demo = run(dir.path(), &["demo", "--seed", "7", "--blocks", "20"]);
        assert!(demo.status.success(), "{}", text(&demo.stderr));
        let said = text(&demo.stdout);
        assert!(said.contains("USDC/WETH 0.05% pool") && said.contains("nothing was left running"), "{said}");
        said.lines().find(|line| line.contains("last block")).expect("shown").to_owned()
    };
    assert_eq!(last_block(), last_block());
}

#[test]
fn an_interrupted_demo_says_so_by_its_exit_code_and_leaves_no_process() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut demo = command(dir.path())
        .args(["demo", "--blocks", "100000", "--json"])
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
