//! What a dream cannot do, read from the crate itself.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push((path.clone(), fs::read_to_string(&path).expect("text")));
        }
    }
}

fn crate_root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// D-164, D-181, D-182, D-220: no line of this law names the document's pen, a wish to act, a tool that acts, a permit or a
/// wire. What is written in comments is no power.
#[test]
fn d_164_no_line_of_this_law_could_write_or_act() {
    let mut all = Vec::new();
    sources(&crate_root().join("src"), &mut all);
    assert!(all.len() > 30, "the crate was read");
    for (path, text) in all {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for word in [
                "grimoire::playbook",
                "Pen<",
                "&mut Playbook",
                "EffectKind",
                "ActionPermit",
                "preview_action",
                "commit_action",
                "emergency_halt",
                "std::fs",
                "std::net",
                "std::process",
            ] {
                assert!(!line.contains(word), "{}: {line}", path.display());
            }
        }
    }
}

/// D-214, D-215: nothing below dreams leans on dreams, so that a Golem without them is the same Golem.
#[test]
fn d_214_nothing_below_depends_on_dreams() {
    for room in ["primitives", "mortality", "daimon", "suffering", "grimoire"] {
        let manifest = crate_root().join("..").join(room).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("a manifest");
        assert!(!text.contains("golem-dreams"), "{room}");
    }
    let own = fs::read_to_string(crate_root().join("Cargo.toml")).expect("a manifest");
    for foreign in ["tokio", "rusqlite", "reqwest", "golem-core", "golem-ports"] {
        let shipped = own.split("[dev-dependencies]").next().expect("a part");
        assert!(!shipped.contains(foreign), "{foreign}");
    }
}
