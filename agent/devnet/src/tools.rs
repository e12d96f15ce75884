//! Finding foundry: on PATH when its version fits, else the pinned one from npm, never a download.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The pinned foundry release. Another release of the same minor version fits.
pub const FOUNDRY: &str = "1.7.1";

/// A program found, and what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    pub path: PathBuf,
    pub version: String,
}

/// A program or package that is not there.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    #[error("{name} {FOUNDRY} was found neither on PATH nor under {}; run ./scripts/setup", searched(.root))]
    Missing {
        name: String,
        /// The project it was looked for in, when one was found.
        root: Option<PathBuf>,
    },
    #[error(
        "no node_modules with the published artifacts was found above {from}; run ./scripts/setup in the repository, or set BARDO_ROOT to it"
    )]
    NoProject {
        /// Where the search began.
        from: PathBuf,
    },
}

fn searched(root: &Option<PathBuf>) -> String {
    root.as_ref().map_or_else(|| "any node_modules".to_owned(), |r| r.join("node_modules").display().to_string())
}

/// The repository whose node_modules serves: `BARDO_ROOT`, else the nearest one above the working folder, else the one
/// this binary was built from.
///
/// # Errors
/// [`ToolError::NoProject`] when none has the artifacts installed.
pub fn project_root() -> Result<PathBuf, ToolError> {
    let has_artifacts = |dir: &Path| dir.join("node_modules/@uniswap/v3-core").is_dir();
    let from = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    if let Some(root) = std::env::var_os("BARDO_ROOT").map(PathBuf::from) {
        return if has_artifacts(&root) { Ok(root) } else { Err(ToolError::NoProject { from: root }) };
    }
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR"));
    from.ancestors()
        .chain(built_from.ancestors())
        .find(|dir| has_artifacts(dir))
        .map(Path::to_path_buf)
        .ok_or(ToolError::NoProject { from })
}

/// Finds `anvil`, `forge` or `cast`. `BARDO_ANVIL` (and so on) names one outright.
///
/// # Errors
/// [`ToolError::Missing`] when none fits.
pub fn find_tool(name: &str) -> Result<Tool, ToolError> {
    let named = std::env::var_os(format!("BARDO_{}", name.to_uppercase())).map(PathBuf::from);
    if let Some(path) = named {
        return match version_of(&path) {
            Some(version) => Ok(Tool { path, version }),
            None => Err(ToolError::Missing { name: format!("{name} as {}", path.display()), root: None }),
        };
    }
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let native = std::env::split_paths(&on_path).map(|dir| dir.join(name)).filter(|path| is_native(path));
    let root = project_root().ok();
    let pinned = root.iter().map(|root| npm_binary(root, name));
    for path in native.chain(pinned) {
        if let Some(version) = version_of(&path).filter(|version| fits(version)) {
            return Ok(Tool { path, version });
        }
    }
    Err(ToolError::Missing { name: name.to_owned(), root })
}

/// npm's launcher in `.bin` is a node script: killing it leaves the real program running, so only the binary serves.
fn is_native(path: &Path) -> bool {
    path.is_file() && !path.components().any(|part| part.as_os_str() == "node_modules")
}

fn npm_binary(root: &Path, name: &str) -> PathBuf {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    root.join(format!("node_modules/@foundry-rs/{name}-{system}-{machine}/bin/{name}"))
}

/// `anvil Version: 1.7.1-stable` gives `1.7.1`.
fn version_of(path: &Path) -> Option<String> {
    let said = Command::new(path).arg("--version").output().ok().filter(|said| said.status.success())?;
    let text = String::from_utf8_lossy(&said.stdout);
    let (_, version) = text.split_once("Version:")?;
    let version: String = version.trim_start().chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    (!version.is_empty()).then_some(version)
}

fn fits(version: &str) -> bool {
    let minor = |v: &str| v.rsplit_once('.').map(|(minor, _)| minor.to_owned());
    minor(version) == minor(FOUNDRY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_patch_release_fits_and_another_minor_does_not() {
        assert!(fits("1.7.1") && fits("1.7.9"));
        assert!(!fits("1.6.1") && !fits("1.70.1") && !fits("0.3.0") && !fits(""));
    }

    #[test]
    fn a_missing_tool_says_what_to_run() {
        let error = find_tool("no-such-tool").expect_err("missing").to_string();
        assert!(error.contains("no-such-tool") && error.contains("./scripts/setup"), "{error}");
    }

    #[test]
    fn a_launcher_script_of_npm_is_passed_over() {
        assert!(!is_native(Path::new("/somewhere/node_modules/.bin/anvil")));
    }
}
