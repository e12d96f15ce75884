//! What becomes of a memory in the hands of people: copied, deleted under a running process, damaged.

use std::process::Stdio;

use serde_json::Value;

use crate::bardo::{text, wait_for};
use crate::town::Town;

const RUN: [&str; 5] = ["golem", "run", "ada", "--speed", "1000000"];

fn lived(town: &Town, ticks: &str) {
    town.does(&[&RUN[..], &["--ticks", ticks]].concat());
}

/// What `audit` finds wrong.
fn wrong(town: &Town) -> Vec<Value> {
    let said = town.run(&["memory", "audit", "ada", "--json"]);
    let told: Value = serde_json::from_slice(&said.stdout).expect("JSON");
    assert_eq!(said.status.code(), Some(if told["sound"] == true { 0 } else { 1 }), "{told}");
    let found = told["found"].as_array().expect("a list");
    assert!(found.len() >= 6, "{told}");
    found.iter().filter(|one| one["ok"] == false).cloned().collect()
}

/// a copied home is not lived beside its original; a memory that is deleted under its process stops it with
/// everything kept; a flipped byte is named with what to do about it, and the life goes on from a copy.
#[test]
fn r_021_a_memory_that_is_copied_deleted_or_damaged_is_noticed_and_its_owner_told() {
    let town = Town::build("40");
    // A book that trades at once, so that the chain knows more than an old memory.
    std::fs::write(town.path("mine.md"), crate::hand::BOOK).expect("written");
    let create = ["golem", "create", "ada", "--credits", "50", "--capital", "1000", "--gas", "0.01"];
    town.json(&[&create[..], &["--playbook", "mine.md"]].concat());
    let (hook, hooked) = (town.path("hook"), town.path("hooked"));
    std::fs::write(&hook, format!("#!/bin/sh\ncat >> {}\necho >> {0}\n", hooked.display())).expect("written");
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    let toml = format!("[alerts]\ncommand = \"{}\"\n", hook.display());
    std::fs::write(town.path(".bardo/golems/ada/golem.toml"), toml).expect("written");
    lived(&town, "20");
    assert_eq!(wrong(&town), [Value::Null; 0]);
    let (home, store) = (town.path(".bardo/golems/ada"), town.path(".bardo/golems/ada/life.sqlite"));

    let copied = town.path("copied/golems/ada");
    std::fs::create_dir_all(&copied).expect("a folder");
    for entry in std::fs::read_dir(&home).expect("a folder") {
        let entry = entry.expect("readable");
        if entry.path().is_file() {
            std::fs::copy(entry.path(), copied.join(entry.file_name())).expect("copied");
        }
    }
    let elsewhere = [&RUN[..], &["--ticks", "130", "--home", "copied"]].concat();
    let here = [&RUN[..], &["--ticks", "121"]].concat();
    town.refuses(&elsewhere, &["is a copy of another file", "restore GOLEM --as-is"]);
    lived(&town, "120");
    town.json(&["memory", "restore", "ada", "--as-is", "--home", "copied"]);
    let run = town.does(&elsewhere);
    assert!(text(&run.stderr).contains("goes on from an older memory"), "{}", text(&run.stderr));
    town.refuses(&here, &["another process lives this life", "restore GOLEM --as-is"]);
    town.json(&["memory", "restore", "ada", "--as-is"]);

    let life = town.bardo(&RUN).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts");
    let tick = || town.json(&["golem", "status", "ada"])["memory"]["tick"].as_u64();
    wait_for("it has lived some ticks", || (tick()? >= 125).then_some(()));
    std::fs::remove_file(&store).expect("deleted");
    let ended = life.wait_with_output().expect("ended");
    assert_eq!(ended.status.code(), Some(1), "{}", text(&ended.stderr));
    assert!(text(&ended.stderr).contains("was removed, moved or replaced"), "{}", text(&ended.stderr));
    let told = std::fs::read_to_string(&hooked).expect("the owner was told");
    for word in ["is a copy of another file", "another process lives this life", "was removed, moved or replaced"] {
        let stops = |line: &str| line.contains("\"kind\":\"stopped\"") && line.contains(word);
        assert!(told.lines().any(stops), "{word}: {told}");
    }
    let restored = town.json(&["memory", "restore", "ada"]);
    assert!(restored["from"].as_str().is_some_and(|from| from.contains("rescued-")), "{restored}");
    assert!(restored["tick"].as_u64().is_some_and(|tick| tick >= 125), "{restored}");
    assert_eq!(wrong(&town), [Value::Null; 0]);

    let mut bytes = std::fs::read(&store).expect("there");
    let word = b"\"phase\"";
    let is_word = |place: &usize| bytes[*place..].starts_with(word);
    // Some of it lies in pages that nobody reads any more.
    let places: Vec<usize> = (0..bytes.len()).filter(is_word).collect();
    places.iter().for_each(|place| bytes[place + 1] ^= 1);
    std::fs::write(&store, &bytes).expect("damaged");
    let found = wrong(&town);
    let row = found.iter().find(|one| one["what"] == "rows").unwrap_or_else(|| panic!("{found:?}"));
    assert!(row["remedy"].as_str().is_some_and(|remedy| remedy.contains("bardo memory restore ada")), "{row}");
    town.refuses(&here, &["are not what was written", "bardo memory restore"]);
    town.json(&["memory", "restore", "ada"]);
    assert_eq!(wrong(&town), [Value::Null; 0]);
    lived(&town, "127");
}
