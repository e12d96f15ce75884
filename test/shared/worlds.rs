//! Worlds of the local L2, each built once for all tests.

use std::fs::DirBuilder;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// Gives a chain's folder the world that some test has built before, as wished for by these words.
pub(crate) fn borrow(wish: &[&str], dir: &Path) {
    copy_worlds(&shared(wish), dir);
}

/// Keeps a new world for whoever wishes for the same.
pub(crate) fn lend(wish: &[&str], dir: &Path) {
    copy_worlds(dir, &shared(wish));
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

/// Copies saved worlds that are not there yet; each file appears whole or not at all, a state before its description.
fn copy_worlds(from: &Path, to: &Path) {
    DirBuilder::new().recursive(true).mode(0o700).create(to).expect("a folder");
    let there = std::fs::read_dir(from).into_iter().flatten().flatten();
    let mut names: Vec<String> = there.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.starts_with("world-") && name.ends_with(".json") && !to.join(name).exists());
    names.sort_by_key(|name| !name.ends_with(".state.json"));
    for name in names {
        let part = to.join(format!(".{name}.{}.{:p}", std::process::id(), &name));
        std::fs::copy(from.join(&name), &part).expect("copied");
        std::fs::rename(&part, to.join(&name)).expect("renamed");
    }
}
