//! PLAYBOOK.md in the Golem's folder: what its owner reads. The store has every version; this is a copy of the newest.

use std::path::{Path, PathBuf};

use golem_grimoire::playbook::Playbook;
use golem_ports::Memory;

use crate::error::RuntimeError;
use crate::files::write_whole;

/// G-159. The file and the only hand that writes it: there is one to a life, it cannot be copied, and nothing else in this
/// program opens the file to write.
#[derive(Debug)]
pub(crate) struct PlaybookFile {
    path: PathBuf,
}

impl PlaybookFile {
    pub(crate) fn in_folder(dir: &Path) -> Self {
        Self { path: dir.join("PLAYBOOK.md") }
    }

    /// Writes the newest version unless it stands there already, byte for byte. Whole or not at all.
    pub(crate) fn mend<S: Memory>(&mut self, store: &S) -> Result<(), RuntimeError> {
        let text = store.playbook(None)?.map_or_else(|| Playbook::default().to_string(), |newest| newest.text);
        if std::fs::read(&self.path).is_ok_and(|known| known == text.as_bytes()) {
            return Ok(());
        }
        write_whole(&self.path, text.as_bytes())
    }
}
