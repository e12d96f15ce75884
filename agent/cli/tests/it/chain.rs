//! `bardo chain`.

use std::process::Command;

use golem_devnet::find_tool;

use crate::bardo::{Detached, announced, command, does, is_alive, run, signal, start, text, wait_end, wait_for};

#[test]
fn o_003_a_detached_chain_answers_is_described_and_goes_down() {
    // O-003.
    let dir = tempfile::tempdir().expect("a folder");
    let _net = Detached::up(dir.path(), &["--seed", "7", "--speed", "20"]);

    let shown = run(dir.path(), &["chain", "addresses", "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    let url = shown["chain"]["rpc_url"].as_str().expect("an address").to_owned();
    let anvil = shown["chain"]["anvil_pid"].as_u64().expect("a process");
    assert_eq!(shown["chain"]["chain_id"], 763_088);
    assert_eq!(shown["accounts"].as_array().expect("a list").len(), 10);
    let table = text(&run(dir.path(), &["chain", "addresses"]).stdout);
    assert!(table.contains("USDC/WETH 0.05% pool") && table.contains("guardian"), "{table}");

    // A stranger's tool works against it: a transfer is mined by the market's blocks.
    let cast = find_tool("cast").expect("set up").path;
    let key = shown["accounts"][5]["key"].as_str().expect("a key");
    let sent = Command::new(cast)
        .args(["send", "--rpc-url", &url, "--private-key", key, "--value", "1", "--json"])
        .arg(shown["accounts"][2]["address"].as_str().expect("an address"))
        .output()
        .expect("runs");
    let receipt: serde_json::Value = serde_json::from_slice(&sent.stdout).expect("a receipt");
    assert_eq!(receipt["status"], "0x1", "{}", text(&sent.stderr));

    let second = run(dir.path(), &["chain", "up", "--blocks", "1"]);
    assert_eq!(second.status.code(), Some(1));
    assert!(text(&second.stderr).contains(&url), "{}", text(&second.stderr));
    let other =
        run(dir.path(), &["chain", "up", "--detach", "--seed", "8", "--market", "still", "--block-seconds", "40"]);
    assert_eq!(other.status.code(), Some(1), "the one that runs is not taken for it");
    for differs in ["market mixed instead of still", "seed 7 instead of 8", "blocks of 2 s instead of 40 s"] {
        assert!(text(&other.stderr).contains(differs), "{}", text(&other.stderr));
    }

    assert!(is_alive(anvil));
    does(dir.path(), &["chain", "down"]);
    assert!(!is_alive(anvil), "anvil is gone when `down` returns");
    let again = run(dir.path(), &["chain", "down"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("bardo chain up"), "{}", text(&again.stderr));
}

#[test]
fn a_killed_bardo_takes_its_anvil_along_and_blocks_nobody() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut bardo = start(dir.path(), &["chain", "up", "--market", "still"]);
    let about = announced(dir.path());
    let anvil = about["anvil_pid"].as_u64().expect("a process");
    assert!(is_alive(anvil));
    bardo.0.kill().expect("killed");
    bardo.0.wait().expect("ended");
    wait_end("the orphaned anvil ends", anvil);
    let after = run(dir.path(), &["chain", "addresses"]);
    assert_eq!(after.status.code(), Some(1), "what it left behind is not taken for a running chain");
    does(dir.path(), &["chain", "up", "--market", "still", "--blocks", "1"]);
}

#[test]
fn ctrl_c_saves_the_chain_and_resume_goes_on_from_there() {
    let dir = tempfile::tempdir().expect("a folder");
    let arguments = ["chain", "up", "--market", "volatile", "--speed", "100"];
    let mut bardo = start(dir.path(), &arguments);
    let about = announced(dir.path());
    signal(about["pid"].as_u64().expect("a process"), "-INT");
    assert!(bardo.0.wait().expect("ended").success(), "Ctrl-C is how it ends");
    assert!(!is_alive(about["anvil_pid"].as_u64().expect("a process")));

    let saved: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join(".bardo/chain/last.json")).expect("saved"))
            .expect("JSON");
    let mut resume = arguments.to_vec();
    resume.extend(["--resume", "--blocks", "1", "--json"]);
    let resumed = does(dir.path(), &resume);
    let block: serde_json::Value = serde_json::from_slice(&resumed.stdout).expect("one block");
    let blocks_before_the_market =
        block["number"].as_u64().expect("a number") - saved["steps"].as_u64().expect("steps") - 1;

    let fresh = run(dir.path(), &["chain", "up", "--market", "volatile", "--blocks", "1", "--json"]);
    let first: serde_json::Value = serde_json::from_slice(&fresh.stdout).expect("one block");
    assert_eq!(first["number"].as_u64().expect("a number") - 1, blocks_before_the_market);
}

/// A chain that is killed outright goes on from where it saved itself, with its history.
#[test]
fn a_killed_chain_goes_on_from_where_it_was_saved_last() {
    let dir = tempfile::tempdir().expect("a folder");
    let arguments = ["chain", "up", "--market", "volatile", "--speed", "1000"];
    let mut bardo = start(dir.path(), &arguments);
    let about = announced(dir.path());
    let steps = || {
        let saved = std::fs::read(dir.path().join(".bardo/chain/last.json")).ok()?;
        serde_json::from_slice::<serde_json::Value>(&saved).ok()?["steps"].as_u64()
    };
    let early = wait_for("it saves itself", steps);
    let late = wait_for("and again", || steps().filter(|late| *late > early));
    bardo.0.kill().expect("killed");
    bardo.0.wait().expect("ended");
    wait_end("the orphaned anvil ends", about["anvil_pid"].as_u64().expect("a process"));
    let kept = std::fs::read_dir(dir.path().join(".bardo/chain")).expect("a folder");
    let states =
        kept.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("last-")));
    assert!(states.count() <= 2, "older ones are gone");
    let last = steps().expect("saved").max(late);
    let resumed = does(dir.path(), &[&arguments[..], &["--resume", "--blocks", "1", "--json"]].concat());
    let block: serde_json::Value = serde_json::from_slice(&resumed.stdout).expect("one block");
    let fresh = run(dir.path(), &["chain", "up", "--market", "volatile", "--blocks", "1", "--json"]);
    let first: serde_json::Value = serde_json::from_slice(&fresh.stdout).expect("one block");
    let number = |block: &serde_json::Value| block["number"].as_u64().expect("a number");
    assert_eq!(number(&block), number(&first) + last);
}

#[test]
fn wrong_arguments_and_missing_tools_say_what_to_do() {
    let dir = tempfile::tempdir().expect("a folder");
    // (arguments, exit code, a part of the message)
    let cases: [(&[&str], i32, &str); 7] = [
        (&["chain", "up", "--market", "bull"], 2, "trend-up"),
        (&["chain", "up", "--speed", "0"], 2, "0.01 to 100000"),
        (&["chain", "up", "--chain-id", "8453"], 1, "base"),
        (&["chain", "up", "--market", "csv:missing.csv"], 1, "missing.csv"),
        (&["chain", "up", "--resume"], 1, "without --resume"),
        (&["chain", "up", "--fork-block", "5"], 2, "--fork"),
        (&["chain", "up", "--genesis", "tomorrow"], 2, "2026-11-15T02:40:00Z"),
    ];
    for (arguments, code, says) in cases {
        let said = run(dir.path(), arguments);
        assert_eq!(said.status.code(), Some(code), "{arguments:?}: {}", text(&said.stderr));
        assert!(text(&said.stderr).contains(says), "{arguments:?}: {}", text(&said.stderr));
    }
    let missing = command(dir.path())
        .args(["chain", "up"])
        .env("BARDO_ANVIL", dir.path().join("no-anvil"))
        .output()
        .expect("runs");
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("./scripts/setup"), "{}", text(&missing.stderr));
}

#[test]
fn an_anvil_that_dies_ends_the_command_with_an_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut bardo = start(dir.path(), &["chain", "up", "--market", "still", "--speed", "10"]);
    let about = announced(dir.path());
    signal(about["anvil_pid"].as_u64().expect("a process"), "-KILL");
    let status = wait_for("bardo notices", || bardo.0.try_wait().expect("watched"));
    assert_eq!(status.code(), Some(1));
}
