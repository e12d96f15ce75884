//! Many Golems in one process, some of which cannot begin.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use crate::bardo::text;
use crate::town::Town;

/// a sealed key that cannot be read, or settings with mistakes, keep one Golem from living and no other.
#[test]
fn r_004_who_cannot_begin_is_told_and_the_others_live() {
    let town = Town::build("40");
    for name in ["ada", "bob", "eve"] {
        town.json(&["golem", "create", name, "--credits", "50", "--gas", "0.01"]);
    }
    std::fs::write(town.path(".bardo/golems/ada/golem.toml"), "[golem]\nstrategy = 7\n").expect("written");
    std::fs::write(town.path(".bardo/golems/eve/key.json"), "{}").expect("written");
    let said = town.run(&["golem", "run", "--all", "--speed", "1000000", "--ticks", "3"]);
    let (told, complaints) = (text(&said.stdout), text(&said.stderr));
    assert_eq!(said.status.code(), Some(1), "{told}{complaints}");
    for words in ["ada cannot begin", "eve cannot begin", "2 of 3 could not begin"] {
        assert!(complaints.contains(words), "{words}: {complaints}");
    }
    assert_eq!(town.json(&["golem", "status", "bob"])["memory"]["tick"], 3, "{complaints}");
    town.refuses(&["golem", "run", "ada", "eve", "--ticks", "3"], &["none of 2 could begin"]);
}

/// whatever this program makes in a home is its owner's alone, what an older one left open is closed at the next
/// start, and nothing is read or written through a link.
#[test]
fn r_024_a_home_is_its_owners_alone() {
    let town = Town::build("40");
    town.json(&["golem", "create", "ada", "--credits", "50", "--gas", "0.01"]);
    let live = |ticks: &str| town.run(&["golem", "run", "ada", "--speed", "1000000", "--ticks", ticks]);
    let lived = live("3");
    assert!(lived.status.success(), "{}", text(&lived.stderr));
    let open = open_to_others(&town.path(".bardo"));
    assert!(open.is_empty(), "{open:?}");
    let limits = fs::read_to_string(format!("/proc/{}/limits", town.chain()["pid"])).expect("it runs");
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).expect("a limit");
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{core}");

    let folder = town.path(".bardo/golems/ada");
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).expect("opened");
    fs::set_permissions(folder.join("events.jsonl"), Permissions::from_mode(0o644)).expect("opened");
    assert!(live("4").status.success());
    let open = open_to_others(&town.path(".bardo"));
    assert!(open.is_empty(), "{open:?}");

    let elsewhere = town.path("elsewhere");
    fs::rename(folder.join("events.jsonl"), &elsewhere).expect("moved");
    symlink(&elsewhere, folder.join("events.jsonl")).expect("linked");
    let before = fs::read(&elsewhere).expect("read");
    town.refuses(&["golem", "run", "ada", "--ticks", "5"], &["events.jsonl is a symbolic link"]);
    assert_eq!(fs::read(&elsewhere).expect("read"), before);
}

/// What others than the owner may read, write or enter.
fn open_to_others(path: &Path) -> Vec<PathBuf> {
    let about = fs::symlink_metadata(path).expect("there");
    let mut open = Vec::new();
    if about.permissions().mode() & 0o077 != 0 {
        open.push(path.to_owned());
    }
    if about.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            open.extend(open_to_others(&entry.expect("an entry").path()));
        }
    }
    open
}
