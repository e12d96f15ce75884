//! What SQLite and the disk say, in the words a caller can act on.

use std::io;
use std::path::{Path, PathBuf};

use golem_ports::{Refusal, StoreError};
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
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => unwritable(path, &error),
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
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { path: path.into() },
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => unwritable(path, error),
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

/// A file or a folder that nobody lets us write.
fn unwritable(path: &Path, error: &dyn std::error::Error) -> StoreError {
    StoreError::Unwritable { path: PathBuf::from(path), detail: error.to_string() }
}

/// Anything else.
pub(crate) fn failed(path: &Path, detail: impl Into<String>) -> StoreError {
    StoreError::Failed { path: PathBuf::from(path), detail: detail.into() }
}

/// Another Golem's file.
pub(crate) fn foreign(path: &Path, found: &GolemId, wanted: &GolemId) -> StoreError {
    StoreError::Foreign { path: PathBuf::from(path), found: Box::new(*found), wanted: Box::new(*wanted) }
}

/// Something the Grimoire does not take.
pub(crate) fn refused(path: &Path, reason: Refusal) -> StoreError {
    StoreError::Refused { path: path.into(), reason: Box::new(reason) }
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

    /// who else holds the file lets go of it some time, so that is waited for; nothing was written meanwhile.
    #[test]
    fn r_021_a_file_that_another_holds_is_waited_for() {
        for code in [rusqlite::ffi::SQLITE_BUSY, rusqlite::ffi::SQLITE_BUSY_SNAPSHOT, rusqlite::ffi::SQLITE_LOCKED] {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            let error = said(Path::new("life.sqlite"), &error);
            assert!(matches!(error, StoreError::Busy { .. }) && error.may_retry(), "{error}");
        }
    }

    /// what may not be written is said as that, with what to do; nobody waits for it as for a full disk.
    #[test]
    fn r_021_what_may_not_be_written_is_not_waited_for() {
        let path = Path::new("life.sqlite");
        let codes = [
            rusqlite::ffi::SQLITE_READONLY,
            rusqlite::ffi::SQLITE_READONLY_DIRECTORY,
            rusqlite::ffi::SQLITE_READONLY_CANTINIT,
            rusqlite::ffi::SQLITE_PERM,
        ];
        let database = codes.map(|code| rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None));
        let system = [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem];
        let told = database.into_iter().map(|error| said(path, &error));
        let told = told.chain(system.map(|kind| Err::<(), _>(io::Error::from(kind)).at(path).expect_err("an error")));
        for error in told {
            assert!(matches!(error, StoreError::Unwritable { .. }) && !error.may_retry(), "{error}");
            assert!(error.to_string().starts_with("life.sqlite cannot be written: "), "{error}");
        }
    }
}
