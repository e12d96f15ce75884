//! Files in a Golem's folder: read, or written whole, with their path in what is told when that fails.

use std::path::Path;

use golem_edge::files::{self, FileError};
use serde::Serialize;

use crate::error::RuntimeError;

/// Writes a file whole or not at all, its name on disk before this returns.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RuntimeError> {
    let failed = |error: FileError| RuntimeError::File { what: path.display().to_string(), source: error.into() };
    files::write_whole(path, bytes).map_err(failed)
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, RuntimeError> {
    std::fs::read(path).map_err(|source| RuntimeError::File { what: path.display().to_string(), source })
}

/// Plain data as a file for people and programs.
pub(crate) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec_pretty(value).expect("plain data with text keys")
}
