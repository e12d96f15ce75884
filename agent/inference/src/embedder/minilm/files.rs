//! The model's files on this machine: where they are, and whether they are the ones that are meant.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use golem_primitives::B256;

/// Fetches the files; in a checkout of the repository.
pub const FETCH_COMMAND: &str = "./scripts/model";
/// A file and the digest it must have.
#[derive(Debug)]
pub(super) struct Pinned {
    pub(super) name: &'static str,
    pub(super) sha256: &'static str,
    bytes: u64,
}

pub(super) const WEIGHTS: Pinned = Pinned {
    name: "model.safetensors",
    sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    bytes: 90_868_376,
};
pub(super) const TOKENIZER: Pinned = Pinned {
    name: "tokenizer.json",
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    bytes: 466_247,
};

/// Why the model on this machine cannot be used. Nothing of it is loaded then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    #[error(
        "the embedding model is not in {}; fetch it once (83 MB) with `{FETCH_COMMAND}`. Until then what is known is \
         searched by words alone, not by meaning",
        .folder.display()
    )]
    Absent {
        /// Where it was looked for.
        folder: PathBuf,
    },
    #[error("{} {why}; nothing of it was loaded. Fetch it again with `{FETCH_COMMAND}`", .file.display())]
    Damaged { file: PathBuf, why: String },
    #[error("{} cannot be read; check its permissions, or fetch it again with `{FETCH_COMMAND}`", .file.display())]
    Unreadable {
        file: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

impl ModelError {
    /// Whether opening it again, without fetching it first, may help.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::Unreadable { .. })
    }
}

/// What is in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    /// The pinned files, whole.
    Present,
    /// None of them, or not all.
    Absent,
    /// Something else in their place.
    Damaged { file: PathBuf, why: String },
}

/// Where [`FETCH_COMMAND`] puts the model, as the environment says; `None` without a home.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    folder_from(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"))
}

fn folder_from(cache: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let named = |value: Option<OsString>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = named(cache).or_else(|| named(home).map(|home| home.join(".cache")))?;
    Some(cache.join("bardo/models/all-MiniLM-L6-v2"))
}

/// Reads every file whole and compares its digest; takes about a tenth of a second.
#[must_use]
pub fn look(folder: &Path) -> Presence {
    let found = [WEIGHTS, TOKENIZER].iter().try_for_each(|pinned| read(folder, pinned).map(drop));
    match found {
        Ok(()) => Presence::Present,
        Err(ModelError::Absent { .. }) => Presence::Absent,
        Err(ModelError::Damaged { file, why }) => Presence::Damaged { file, why },
        Err(ModelError::Unreadable { file, source }) => Presence::Damaged { file, why: source.to_string() },
    }
}

/// Whether every pinned file is there with its size; what they hold is not read.
pub(super) fn find(folder: &Path) -> Result<(), ModelError> {
    [WEIGHTS, TOKENIZER].iter().try_for_each(|pinned| find_one(folder, pinned).map(drop))
}

/// Where a file of that name and size lies.
fn find_one(folder: &Path, pinned: &Pinned) -> Result<PathBuf, ModelError> {
    let file = folder.join(pinned.name);
    let found = fs::metadata(&file).map_err(|source| unreadable(folder, &file, source))?.len();
    if found != pinned.bytes {
        return Err(ModelError::Damaged { file, why: format!("has {found} bytes and should have {}", pinned.bytes) });
    }
    Ok(file)
}

fn unreadable(folder: &Path, file: &Path, source: std::io::Error) -> ModelError {
    match source.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ModelError::Absent { folder: folder.to_owned() },
        _ => ModelError::Unreadable { file: file.to_owned(), source },
    }
}

/// The bytes of a pinned file; no others.
pub(super) fn read(folder: &Path, pinned: &Pinned) -> Result<Vec<u8>, ModelError> {
    // The size first: whatever lies there instead is not read into memory.
    let file = find_one(folder, pinned)?;
    let bytes = fs::read(&file).map_err(|source| unreadable(folder, &file, source))?;
    let found = format!("{:x}", B256::from_slice(digest(&SHA256, &bytes).as_ref()));
    if found != pinned.sha256 {
        return Err(ModelError::Damaged {
            file,
            why: format!("has the SHA-256 {found} and should have {}", pinned.sha256),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_fetches_what_is_pinned_here_to_where_it_is_looked_for() {
        let script = include_str!("../../../../../scripts/model");
        for pinned in [WEIGHTS, TOKENIZER] {
            assert!(script.contains(&format!("{}  {}", pinned.sha256, pinned.name)), "{pinned:?}");
        }
        assert!(script.contains("${XDG_CACHE_HOME:-$HOME/.cache}/bardo/models/all-MiniLM-L6-v2"));
    }

    #[test]
    fn the_folder_is_the_caches_or_the_homes() {
        let some = |text: &str| Some(OsString::from(text));
        for (cache, home, folder) in [
            (some("/c"), some("/h"), Some("/c/bardo/models/all-MiniLM-L6-v2")),
            (None, some("/h"), Some("/h/.cache/bardo/models/all-MiniLM-L6-v2")),
            (some(""), some("/h"), Some("/h/.cache/bardo/models/all-MiniLM-L6-v2")),
            (None, None, None),
        ] {
            assert_eq!(folder_from(cache, home), folder.map(PathBuf::from));
        }
    }
}
