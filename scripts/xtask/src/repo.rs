//! Where the repository is and what it holds.

use std::path::{Path, PathBuf};
use std::process::Command;

use eyre::{Context, Result, ensure};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("this crate lies in the repository")
}

/// Every file git tracks or would track, by its path from the root.
pub(crate) fn files() -> Result<Vec<String>> {
    let listed = output(Command::new("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let mut files: Vec<String> = listed.lines().map(str::to_owned).filter(|path| root().join(path).is_file()).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// The text of a file, or `None` for one that is no text.
pub(crate) fn text(path: &str) -> Option<String> {
    String::from_utf8(std::fs::read(root().join(path)).ok()?).ok()
}

/// What a command prints, run at the root.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let said = command.current_dir(root()).output().wrap_err_with(|| format!("cannot run {command:?}"))?;
    ensure!(said.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&said.stderr).trim());
    Ok(String::from_utf8_lossy(&said.stdout).into_owned())
}

/// The program of that name: the one ./scripts/setup chose when it exported it, else the pinned one from npm, else PATH.
pub(crate) fn tool(name: &str) -> PathBuf {
    if let Some(chosen) = std::env::var_os(format!("BARDO_{}", name.to_uppercase())) {
        return PathBuf::from(chosen);
    }
    let pinned = root().join(format!("node_modules/@foundry-rs/{name}-linux-amd64/bin/{name}"));
    if pinned.is_file() { pinned } else { PathBuf::from(name) }
}
