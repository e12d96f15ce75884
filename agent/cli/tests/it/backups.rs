//! I-117, I-118. A backup from the life that lays it down to the life that goes on from it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::bardo::{Beside, text, wait_for};
use crate::town::Town;

/// A relay, and the name it goes by.
fn relay(town: &Town) -> (Beside, String) {
    let mut relay = town.bardo(&["relay", "--listen", "127.0.0.1:0", "--data", "relay"]);
    let mut relay = relay.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("starts");
    let mut line = String::new();
    BufReader::new(relay.stdout.take().expect("piped")).read_line(&mut line).expect("it says where it is");
    let name = line.strip_prefix("the relay ").and_then(|rest| rest.split(' ').next()).expect(&line).to_owned();
    (Beside(relay), name)
}

/// The public half of a new key.
fn archive_key(town: &Town, file: &str) -> String {
    let made = text(&town.run(&["relay", "key", file]).stdout);
    let line = made.lines().find_map(|line| line.strip_prefix("archive = ")).expect(&made);
    line.trim_matches('"').to_owned()
}

fn live(town: &Town, name: &str, ticks: &str) {
    town.does(&["golem", "run", name, "--speed", "1000000", "--ticks", ticks, "--json"]);
}

fn tick(town: &Town, name: &str) -> Value {
    town.json(&["golem", "status", name])["memory"]["tick"].clone()
}

/// I-117, I-118, G-197: a life lays its memory down at the relay by itself, sealed for its owner alone. He fetches it by command, the
/// newest of the Clade or that of one Golem, no other key opens it, and a Golem that lost everything lives on from it.
#[test]
fn i_117_a_lost_memory_comes_back_from_the_relay() {
    let town = Town::build("40");
    let (_relay, name) = relay(&town);
    let recipient = archive_key(&town, "archive.key");
    assert!(recipient.starts_with("age1"), "{recipient}");
    for golem in ["ada", "bob"] {
        town.json(&["golem", "create", golem, "--credits", "50", "--gas", "0.01"]);
        let toml =
            format!("[embedder]\nkind = \"none\"\n[clade]\nrelay = \"ws://{name}\"\narchive = \"{recipient}\"\n");
        fs::write(town.path(&format!(".bardo/golems/{golem}/golem.toml")), toml).expect("written");
    }
    let fetch = |key: &str, more: &[&str], out: &str| {
        town.run(&[&["relay", "fetch", "ada", "--key", key, "--out", out], more].concat())
    };
    let empty = fetch("archive.key", &[], "nothing.sqlite");
    assert!(text(&empty.stderr).contains("no backup of this Clade"), "{}", text(&empty.stderr));

    live(&town, "ada", "12");
    let insured = town.json(&["memory", "snapshot", "ada"]);
    assert_eq!(insured["tick"], 12, "{insured}");
    // It lives on, and lays down what is insured without being asked.
    let mut life = town.bardo(&["golem", "run", "ada", "--speed", "1000000", "--json"]);
    let life = Beside(life.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts"));
    let told = wait_for("its backup is kept", || {
        let said = fetch("archive.key", &[], "ada.sqlite");
        said.status.success().then(|| text(&said.stdout))
    });
    drop(life);
    assert!(told.contains("at tick 12") && told.contains("bardo memory restore"), "{told}");
    let insured = fs::read(town.path(insured["file"].as_str().expect("a file"))).expect("insured");
    assert!(fs::read(town.path("ada.sqlite")).expect("fetched") == insured, "byte for byte");

    // A sibling's is newer, and further where both came within a second; whoever asks for ada's gets hers.
    live(&town, "bob", "14");
    town.json(&["memory", "snapshot", "bob"]);
    let kept = town.run(&["relay", "keep", "bob"]);
    assert!(text(&kept.stdout).contains("laid down its memory of tick 14"), "{}", text(&kept.stderr));
    let newest = fetch("archive.key", &[], "newest.sqlite");
    assert!(text(&newest.stdout).contains("at tick 14 "), "I-118: {}{}", text(&newest.stdout), text(&newest.stderr));
    let own = fetch("archive.key", &["--of", "ada"], "own.sqlite");
    assert!(text(&own.stdout).contains("at tick 12 "), "{}{}", text(&own.stdout), text(&own.stderr));
    archive_key(&town, "other.key");
    let refused = fetch("other.key", &[], "opened.sqlite");
    assert!(text(&refused.stderr).contains("sealed for another key"), "{}", text(&refused.stderr));
    assert!(!town.path("opened.sqlite").exists());
    let again = fetch("archive.key", &[], "own.sqlite");
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));

    let folder = town.path(".bardo/golems/ada");
    for lost in ["life.sqlite", "life.sqlite-wal", "life.sqlite-shm"] {
        let _ = fs::remove_file(folder.join(lost));
    }
    fs::remove_dir_all(folder.join("insurance")).expect("lost");
    let back = town.json(&["memory", "restore", "ada", "--from", "own.sqlite"]);
    assert_eq!((&back["tick"], tick(&town, "ada")), (&Value::from(12), Value::from(12)), "{back}");
    live(&town, "ada", "15");
    assert_eq!(tick(&town, "ada"), 15, "it lives on from there");
}
