//! One process, one life. The kernel holds the lock, so a killed process holds nothing.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use golem_ports::StoreError;

use crate::error::At;

/// Held as long as it lives. The file beside the store stays: to delete it would let two processes lock two files.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Let go by word, not only by closing: a child that is just being started shares the open file until it is its own
    /// program, and would hold the lock for us.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the lock of the store at `path`.
    pub(crate) fn take(path: &Path) -> Result<Self, StoreError> {
        let place = beside(path, ".lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&place)
            .at(&place)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // Who it is helps a person; that someone is there is already certain, so 0 stands for a name unread.
                let _ = file.read_to_string(&mut text);
                return Err(StoreError::InUse { path: path.into(), pid: text.trim().parse().unwrap_or(0) });
            }
            Err(TryLockError::Error(error)) => return Err(error).at(&place),
        }
        file.set_len(0).at(&place)?;
        writeln!(file, "{}", std::process::id()).at(&place)?;
        Ok(Self { file })
    }
}

/// A file beside another: its name with something behind it, as SQLite does with its log.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
