//! Many Golems in one process, some of which cannot begin.

use std::fs::{self, File, Permissions};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::bardo::{Beside, text, wait_for};
use crate::town::Town;

/// a sealed key that cannot be read, or settings with mistakes, keep one Golem from living and no other.
#[test]
fn r_004_who_cannot_begin_is_told_and_the_others_live() {
    let town = Town::build("40");
    for name in ["ada", "bob", "eve"] {
        town.json(&["golem", "create", name, "--credits", "50", "--gas", "0.01"]);
    }
    std::fs::write(town.path(".bardo/golems/ada/golem.toml"), "[golem]\nplaybook = 7\n").expect("written");
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

/// endpoints that do not answer, a port that is taken and a pipe in place of a file keep nobody else from living;
/// who waited for its endpoints is taken up by the same process when they answer.
#[test]
fn r_004_what_is_wrong_with_one_disturbs_no_other_and_who_can_begins_later() {
    let town = Town::build("40");
    for name in ["ada", "bob", "eve"] {
        town.json(&["golem", "create", name, "--credits", "50", "--gas", "0.01"]);
    }
    let config = |name: &str| town.path(&format!(".bardo/golems/{name}/golem.toml"));
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken_at = taken.local_addr().expect("bound");
    let silent = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let plain = "[embedder]\nkind = \"none\"\n";
    fs::write(config("ada"), format!("{plain}[chain]\nrpc = [\"http://{silent}\"]\n")).expect("written");
    fs::write(config("bob"), format!("{plain}[chain]\nmetrics = \"{taken_at}\"\n")).expect("written");
    fs::remove_file(config("eve")).expect("gone");
    assert!(Command::new("mkfifo").arg(config("eve")).status().expect("ran").success());
    let told = |name: &str| fs::read_to_string(town.path(name)).unwrap_or_default();
    let file = |name: &str| Stdio::from(File::create(town.path(name)).expect("a file"));
    let mut fleet = town.bardo(&["golem", "run", "--all", "--speed", "1000000", "--ticks", "3"]);
    let mut fleet = Beside(fleet.stdout(file("said")).stderr(file("told")).spawn().expect("starts"));
    wait_for("bob lives to his last tick", || told("said").contains("at tick 3: stopped").then_some(()));
    for words in ["eve cannot begin", "is no plain file", "ada cannot begin yet", "metrics cannot be served at"] {
        assert!(told("told").contains(words), "{words}: {}", told("told"));
    }
    assert!(fleet.0.try_wait().expect("watched").is_none(), "ada is waited for");
    forward(silent, town.url().trim_start_matches("http://").to_owned());
    let ended = wait_for("ada is taken up", || fleet.0.try_wait().expect("watched"));
    assert_eq!(ended.code(), Some(1), "{}", told("told"));
    assert_eq!(town.json(&["golem", "status", "ada"])["memory"]["tick"], 3, "{}", told("told"));
    assert!(told("told").contains("1 of 3 could not begin"), "{}", told("told"));
    drop(taken);
}

/// Leads everybody who comes to an address on to another one, for as long as the test runs.
fn forward(from: SocketAddr, to: String) {
    let listener = TcpListener::bind(from).expect("the port is still free");
    std::thread::spawn(move || {
        for here in listener.incoming().flatten() {
            let Ok(there) = TcpStream::connect(&to) else { continue };
            for (mut from, mut to) in [(&here, &there), (&there, &here)].map(|(a, b)| (dup(a), dup(b))) {
                std::thread::spawn(move || io::copy(&mut from, &mut to));
            }
        }
    });
}

fn dup(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("one more handle")
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
