//! What raises a successor is done by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};

use eyre::{Result, WrapErr, bail};
use golem_edge::files;

use super::home::Folder;

/// Held while somebody raises a successor of one dead Golem. The kernel holds it, so a killed process holds nothing.
#[derive(Debug)]
pub(crate) struct SuccessionLock(File);

impl SuccessionLock {
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

impl Drop for SuccessionLock {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golem::home::{Home, write_whole};

    /// L-005, I-289: two processes never raise a successor of one Golem; who ends, however, lets go.
    #[test]
    fn i_289_one_process_raises_a_successor() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = Home::at(dir.path()).new_folder("ada").expect("a name");
        std::fs::create_dir_all(folder.path()).expect("made");
        let held = SuccessionLock::of(&folder).expect("free");
        assert!(SuccessionLock::of(&folder).expect_err("held").to_string().contains("another process"));
        drop(held);
        SuccessionLock::of(&folder).expect("free again");
        write_whole(&folder.path().join("a.json"), b"{}").expect("written");
        assert_eq!(std::fs::read(folder.path().join("a.json")).expect("there"), b"{}");
    }
}
