//! What raises a successor is done by one process at a time, and what it writes is written whole.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use eyre::{Result, WrapErr, bail};
use golem_edge::files;

use super::Folder;

/// Held while somebody raises a successor of one dead Golem. The kernel holds it, so a killed process holds nothing.
#[derive(Debug)]
pub(crate) struct Sole(File);

impl Sole {
    /// Takes it; refused while another has it.
    pub(crate) fn of(dead: &Folder) -> Result<Self> {
        let path = dead.path().join("succession.lock");
        let file = files::open(&path, OpenOptions::new().write(true).create(true).truncate(false))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => bail!(
                "another process raises a successor of {} just now; wait for it (`bardo line succession status {0}`)",
                dead.name()
            ),
            Err(TryLockError::Error(error)) => Err(error).wrap_err_with(|| format!("cannot lock {}", path.display())),
        }
    }
}

impl Drop for Sole {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Writes a file whole or not at all, on disk before this returns.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(files::write_whole(path, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golem::Home;

    /// L-005, I-289: two processes never raise a successor of one Golem; who ends, however, lets go.
    #[test]
    fn i_289_one_process_raises_a_successor() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = Home::at(dir.path()).new_folder("ada").expect("a name");
        std::fs::create_dir_all(folder.path()).expect("made");
        let held = Sole::of(&folder).expect("free");
        assert!(Sole::of(&folder).expect_err("held").to_string().contains("another process"));
        drop(held);
        Sole::of(&folder).expect("free again");
        write_whole(&folder.path().join("a.json"), b"{}").expect("written");
        assert_eq!(std::fs::read(folder.path().join("a.json")).expect("there"), b"{}");
    }
}
