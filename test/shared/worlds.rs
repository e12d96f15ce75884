//! Worlds of the local L2, each built once for all tests.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// Gives a chain's folder the worlds that some test has built before.
pub(crate) fn borrow(dir: &Path) {
    copy_worlds(&shared(), dir);
}

/// Keeps a new world for the next.
pub(crate) fn lend(dir: &Path) {
    copy_worlds(dir, &shared());
}

fn shared() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("worlds")
}

/// Copies saved worlds that are not there yet; each file appears whole or not at all.
fn copy_worlds(from: &Path, to: &Path) {
    DirBuilder::new().recursive(true).mode(0o700).create(to).expect("a folder");
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with("world-") || !name.ends_with(".json") || to.join(&name).exists() {
            continue;
        }
        let part = to.join(format!(".{name}.{}.{:p}", std::process::id(), &name));
        std::fs::copy(entry.path(), &part).expect("copied");
        std::fs::rename(&part, to.join(&name)).expect("renamed");
    }
}
