//! What SQLite and the disk say, in the words a caller can act on.

use std::io;
use std::path::{Path, PathBuf};

use golem_ports::StoreError;
use golem_primitives::GolemId;
use rusqlite::ErrorCode;

/// Names the file in what went wrong with it.
pub(crate) trait At<T> {
    /// The same, as a [`StoreError`] about `path`.
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> At<T> for rusqlite::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|error| said(path, &error))
    }
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|error| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull { path: path.into() },
            io::ErrorKind::NotFound => StoreError::Missing { path: path.into() },
            io::ErrorKind::AlreadyExists => StoreError::Exists { path: path.into() },
            _ => failed(path, error.to_string()),
        })
    }
}

/// What SQLite says where there is no room and the system calls it otherwise: a quota that is used up, or a disk that was
/// found full only when it was to be synced, cut or shared. What is on disk is whole then too, and room may come.
const NO_ROOM: [i32; 4] = [
    rusqlite::ffi::SQLITE_IOERR_WRITE,
    rusqlite::ffi::SQLITE_IOERR_FSYNC,
    rusqlite::ffi::SQLITE_IOERR_TRUNCATE,
    rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
];

fn said(path: &Path, error: &rusqlite::Error) -> StoreError {
    use rusqlite::Error as Said;
    match error {
        Said::SqliteFailure(code, _) => match code.code {
            ErrorCode::DiskFull => StoreError::DiskFull { path: path.into() },
            _ if NO_ROOM.contains(&code.extended_code) => StoreError::DiskFull { path: path.into() },
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => corrupt(path, error.to_string()),
            _ => failed(path, error.to_string()),
        },
        // What we wrote reads back; what does not was not written by us.
        Said::FromSqlConversionFailure(..)
        | Said::InvalidColumnType(..)
        | Said::IntegralValueOutOfRange(..)
        | Said::Utf8Error(..) => corrupt(path, error.to_string()),
        _ => failed(path, error.to_string()),
    }
}

/// A damaged file.
pub(crate) fn corrupt(path: &Path, detail: impl Into<String>) -> StoreError {
    StoreError::Corrupt { path: PathBuf::from(path), detail: detail.into() }
}

/// Anything else.
pub(crate) fn failed(path: &Path, detail: impl Into<String>) -> StoreError {
    StoreError::Failed { path: PathBuf::from(path), detail: detail.into() }
}

/// Another Golem's file.
pub(crate) fn foreign(path: &Path, found: &GolemId, wanted: &GolemId) -> StoreError {
    StoreError::Foreign { path: PathBuf::from(path), found: Box::new(*found), wanted: Box::new(*wanted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a quota and a disk found full late are full disks, which are outlived; a file that cannot be read is not.
    #[test]
    fn r_021_a_quota_is_a_full_disk() {
        let of = |code: i32| {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            matches!(said(Path::new("life.sqlite"), &error), StoreError::DiskFull { .. })
        };
        for code in NO_ROOM.into_iter().chain([rusqlite::ffi::SQLITE_FULL]) {
            assert!(of(code), "{code}");
        }
        for code in [rusqlite::ffi::SQLITE_IOERR_READ, rusqlite::ffi::SQLITE_CORRUPT, rusqlite::ffi::SQLITE_BUSY] {
            assert!(!of(code), "{code}");
        }
    }
}
