//! Where tests keep their folders.
//!
//! A life is on the disk before each next pass, so tests that live wait for the disk more than for anything else. What a
//! power cut would take is not what they are about: a killed process leaves all it wrote, in memory as on a disk.

use std::path::{Path, PathBuf};

/// Where Linux keeps files in memory.
const IN_MEMORY: &str = "/dev/shm";
const PREFIX: &str = "bardo-tests-";
/// The least room there: all folders of a run, several chains and lives at a time, and what `bardo doctor` wants free.
const LEAST_BYTES: u64 = 8 << 30;

/// A folder in memory, gone with its value; none where the system offers no room for one.
#[derive(Debug)]
pub(crate) struct Scratch(Option<PathBuf>);

impl Scratch {
    pub(crate) fn take() -> Self {
        clear(Path::new(IN_MEMORY));
        let folder = Path::new(IN_MEMORY).join(format!("{PREFIX}{}", std::process::id()));
        let room = rustix::fs::statvfs(IN_MEMORY).map_or(0, |told| told.f_bavail.saturating_mul(told.f_frsize));
        Self((room >= LEAST_BYTES && std::fs::create_dir(&folder).is_ok()).then_some(folder))
    }

    /// What tests are told by; nothing where they keep to the usual place.
    pub(crate) fn environment(&self) -> Option<(&'static str, &str)> {
        Some(("TMPDIR", self.0.as_deref()?.to_str()?))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            // What is left is cleared by the next run.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Removes what runs that were cut off left behind.
fn clear(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if owner.is_some_and(|owner| !Path::new("/proc").join(owner).exists()) {
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
        let (mine, dead, other) =
            (format!("{PREFIX}{}", std::process::id()), format!("{PREFIX}0"), "something".to_owned());
        for name in [&mine, &dead, &other] {
            std::fs::create_dir_all(place.join(name)).expect("a folder");
        }
        clear(&place);
        let is_there = |name: &String| place.join(name).exists();
        assert!(is_there(&mine) && is_there(&other) && !is_there(&dead));
        std::fs::remove_dir_all(place).expect("removed");
    }
}
