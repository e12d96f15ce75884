//! Golems of one home that speak through a relay in their process.

use std::fs::{self, File};
use std::process::Stdio;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use crate::bardo::{Beside, text, wait_for};
use crate::town::Town;

/// Whether a Golem's words are carried: it knows the log of its relay.
fn is_linked(town: &Town, name: &str) -> Option<()> {
    let file = town.path(&format!(".bardo/golems/{name}/clade.sqlite"));
    let words = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    let log: String = words.query_one("SELECT log FROM place", (), |row| row.get(0)).ok()?;
    (!log.is_empty()).then_some(())
}

/// I-102, I-103, M-186: lives of one owner are linked by the relay of their process; when one is killed by its owner's
/// transaction the other hears of it, signed by the key the chain names, and a stranger's Golem beside them hears nothing.
#[test]
fn r_040_siblings_hear_of_a_death_through_the_relay_and_a_stranger_does_not() {
    let town = Town::build("40");
    for name in ["ada", "bob"] {
        town.json(&["golem", "create", name, "--credits", "50", "--gas", "0.01"]);
    }
    town.json(&["golem", "create", "zoe", "--credits", "50", "--gas", "0.01", "--devnet-account", "stranger 1"]);
    let file = |name: &str| Stdio::from(File::create(town.path(name)).expect("a file"));
    let mut fleet = town.bardo(&["golem", "run", "--all", "--relay", "127.0.0.1:0", "--speed", "1000000", "--json"]);
    let fleet = Beside(fleet.stdout(file("said")).stderr(file("told")).spawn().expect("starts"));
    for name in ["ada", "bob", "zoe"] {
        wait_for("its relay knows it", || is_linked(&town, name));
    }
    town.json(&["golem", "kill", "bob", "--reason", "the drill", "--yes"]);
    let events = |name: &str| {
        let text = fs::read_to_string(town.path(&format!(".bardo/golems/{name}/events.jsonl"))).unwrap_or_default();
        // The last line may be on its way.
        text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).collect::<Vec<_>>()
    };
    let deaths = |name: &str| events(name).into_iter().filter(|event| event["name"] == "golem.sibling_death").count();
    wait_for("ada hears of the death", || (deaths("ada") > 0).then_some(()));
    wait_for("bob is dead", || {
        let status = town.json(&["golem", "status", "bob"]);
        (status["memory"]["body"] == "dead"
            || events("bob").iter().any(|event| event["name"] == "golem.death_complete"))
        .then_some(())
    });
    assert_eq!((deaths("ada"), deaths("zoe"), deaths("bob")), (1, 0, 0), "I-103");
    // O-011. Whoever looks sees who was heard and how the line stands; a stranger's Clade is its own.
    let clade = town.json(&["golem", "clade", "ada"]);
    let siblings = clade["siblings"].as_array().expect("siblings");
    assert_eq!(siblings.len(), 1, "{clade}");
    let of = |key: &str| siblings[0][key].as_str().unwrap_or_default().to_owned();
    assert_eq!(["who", "life", "mode", "died_of"].map(of), ["bob", "dead", "hosted", "owner_kill"]);
    assert!(siblings[0]["last"].is_string(), "{clade}");
    assert_eq!((clade["wire"]["breaker"].as_str(), clade["wire"]["trouble"].as_str()), (Some("closed"), None));
    assert!(town.json(&["golem", "clade", "bob"])["wire"]["sent"].as_u64().expect("a count") > 0);
    assert_eq!(town.json(&["golem", "clade", "zoe"])["siblings"], Value::Array(Vec::new()), "I-103");
    let told = town.run(&["golem", "clade", "ada"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("bob") && told.contains("nothing is in the air"), "{told}");
    drop(fleet);
}

/// I-122: a sibling whose words are not to be heard may be gone from this machine; its name is told at the start and the life goes on.
/// What is no name and no address is a mistake in golem.toml, and nothing begins with one.
#[test]
fn i_122_an_excluded_sibling_that_is_gone_keeps_nobody_from_living() {
    let town = Town::build("40");
    for name in ["ada", "bob"] {
        town.json(&["golem", "create", name, "--credits", "50", "--gas", "0.01"]);
    }
    let exclude = |whom: &str| {
        let toml = format!("[embedder]\nkind = \"none\"\n[clade]\nexclude = [\"{whom}\"]\n");
        fs::write(town.path(".bardo/golems/ada/golem.toml"), toml).expect("written");
    };
    let live = |ticks: &str| {
        let lived = town.does(&["golem", "run", "ada", "--speed", "1000000", "--ticks", ticks]);
        text(&lived.stderr)
    };
    exclude("bob");
    assert!(!live("1").contains("exclude"), "bob is there");
    fs::rename(town.path(".bardo/golems/bob"), town.path("bob-elsewhere")).expect("moved");
    let told = live("2");
    for part in ["`exclude` of [clade] names bob", "there is no Golem \"bob\" here", "the address of its vault"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(town.json(&["golem", "status", "ada"])["memory"]["tick"], 2, "it lived on");
    exclude("0xbob");
    town.refuses(&["golem", "run", "ada", "--speed", "1000000", "--ticks", "3"], &["exclude", "addresses of vaults"]);
}
