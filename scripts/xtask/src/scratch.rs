//! Where tests keep their folders.
//!
//! A life is on the disk before each next pass, so tests that live wait for the disk more than for anything else. What a
//! power cut would take is not what they are about: a killed process leaves all it wrote, in memory as on a disk.

use std::fs::File;
use std::path::{Path, PathBuf};

/// Where Linux keeps files in memory.
const IN_MEMORY: &str = "/dev/shm";
const PREFIX: &str = "bardo-tests-";
/// The least room there: all folders of a run, several chains and lives at a time, and what `bardo doctor` wants free.
const LEAST_BYTES: u64 = 8 << 30;

/// A folder in memory, gone with its value; none where the system offers no room for one.
#[derive(Debug)]
pub(crate) struct Scratch(Option<Held>);

/// A folder whose lock says that somebody lives in it, whatever number the process has where it is looked at from.
#[derive(Debug)]
struct Held {
    folder: PathBuf,
    _lock: File,
}

impl Scratch {
    pub(crate) fn take() -> Self {
        let place = Path::new(IN_MEMORY);
        clear(place);
        let room = rustix::fs::statvfs(place).map_or(0, |told| told.f_bavail.saturating_mul(told.f_frsize));
        Self((room >= LEAST_BYTES).then(|| hold(place)).flatten())
    }

    /// What tests are told by; nothing where they keep to the usual place.
    pub(crate) fn environment(&self) -> Option<(&'static str, &str)> {
        Some(("TMPDIR", self.0.as_ref()?.folder.to_str()?))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(held) = &self.0 {
            // What is left is cleared by the next run.
            let _ = std::fs::remove_dir_all(&held.folder);
        }
    }
}

/// A new folder there; none if another run has just made it or takes it for left behind.
fn hold(place: &Path) -> Option<Held> {
    let folder = place.join(format!("{PREFIX}{}", std::process::id()));
    std::fs::create_dir(&folder).ok()?;
    let lock = locked(&folder)?;
    folder.exists().then_some(Held { folder, _lock: lock })
}

/// The folder's lock, if nobody holds it.
fn locked(folder: &Path) -> Option<File> {
    let opened = File::open(folder).ok()?;
    opened.try_lock().ok()?;
    Some(opened)
}

/// Removes what runs that were cut off left behind.
fn clear(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && locked(&entry.path()).is_some() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dead_run_left_is_cleared_and_what_a_living_one_holds_is_not() {
        let place = std::env::temp_dir().join(format!("scratch-{}", std::process::id()));
        let (left, other) = (place.join(format!("{PREFIX}0")), place.join("something"));
        for folder in [&left, &other] {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        let held = hold(&place).expect("a folder of this run");
        clear(&place);
        assert!(held.folder.exists() && other.exists() && !left.exists());
        assert!(hold(&place).is_none(), "a second run of the same number keeps to the usual place");
        drop(Scratch(Some(held)));
        assert!(!place.join(format!("{PREFIX}{}", std::process::id())).exists());
        std::fs::remove_dir_all(place).expect("removed");
    }
}
