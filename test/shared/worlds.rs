//! Worlds of the local L2, each built once for all tests.

use std::fs::DirBuilder;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// Gives a chain's folder the world that some test has built before, as wished for by these words.
pub(crate) fn borrow(wish: &[&str], dir: &Path) {
    copy_worlds(&shared(wish), dir);
}

/// Keeps a new world for whoever wishes for the same, in place of those of older contracts.
pub(crate) fn lend(wish: &[&str], dir: &Path) {
    let shared = shared(wish);
    let fingerprint = |name: &str| name.split(['-', '.']).nth(1).map(str::to_owned);
    let there = worlds_in(&shared);
    let new: Vec<_> = worlds_in(dir).into_iter().filter(|name| !there.contains(name)).collect();
    let of_today: Vec<_> = new.iter().map(|name| fingerprint(name)).collect();
    copy_worlds(dir, &shared);
    if new.is_empty() {
        return;
    }
    for name in there.iter().rev().filter(|name| !of_today.contains(&fingerprint(name))) {
        // Another test may have removed it already.
        let _ = std::fs::remove_file(shared.join(name));
    }
}

/// A market that is a file is what the file says, wherever it lies.
fn shared(wish: &[&str]) -> PathBuf {
    let mut named = DefaultHasher::new();
    for word in wish {
        let prices = word.strip_prefix("csv:").and_then(|path| std::fs::read_to_string(path).ok());
        prices.as_deref().unwrap_or(word).hash(&mut named);
    }
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("worlds").join(format!("{:016x}", named.finish()))
}

/// The files of saved worlds, each state before the description that names it: what is there by its description is whole.
fn worlds_in(dir: &Path) -> Vec<String> {
    let there = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<String> = there.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.starts_with("world-") && name.ends_with(".json"));
    names.sort_by_key(|name| !name.ends_with(".state.json"));
    names
}

/// Copies what is not there yet; each file appears whole or not at all.
fn copy_worlds(from: &Path, to: &Path) {
    DirBuilder::new().recursive(true).mode(0o700).create(to).expect("a folder");
    for name in worlds_in(from).into_iter().filter(|name| !to.join(name).exists()) {
        let part = to.join(format!(".{name}.{}.{:p}", std::process::id(), &name));
        match std::fs::copy(from.join(&name), &part) {
            Ok(_) => std::fs::rename(&part, to.join(&name)).expect("renamed"),
            // One of older contracts may be removed meanwhile, its description first.
            Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{error}"),
        }
    }
}
