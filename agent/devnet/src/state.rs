//! Saving a chain and taking it up again.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use alloy::primitives::{B256, Bytes};
use flate2::read::GzDecoder;
use golem_primitives::UtcTime;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::artifacts::digest_of;
use crate::error::DevnetError;
use crate::lock::write_whole;
use crate::node::Node;
use crate::world::World;

/// How the name of a state ends.
const STATE: &str = ".state.json";

/// What is needed beside anvil's own state to go on producing the same blocks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// Which settings, artifacts and version made it.
    pub(crate) fingerprint: B256,
    /// Hash of anvil's state, so that a torn file is noticed.
    pub(crate) state_hash: B256,
    pub(crate) world: World,
    pub(crate) genesis: UtcTime,
    /// Live blocks the market has produced.
    pub(crate) steps: u64,
    /// Whether the maker's second position is out of the pool.
    pub(crate) thin: bool,
}

/// The two files of a saved chain: anvil's state, named by its hash, and what we know about it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    dir: PathBuf,
    name: String,
    /// Whether it is loaded at every beginning: then what nobody asks for is left out of it.
    is_world: bool,
}

impl Place {
    /// Where a freshly built world is kept, one for each fingerprint.
    pub(crate) fn cached(dir: &Path, fingerprint: B256) -> Self {
        let name = format!("world-{}", &format!("{fingerprint:x}")[..12]);
        Self { dir: dir.to_path_buf(), name, is_world: true }
    }

    /// Where the last devnet of this folder is kept.
    pub(crate) fn last(dir: &Path) -> Self {
        Self { dir: dir.to_path_buf(), name: "last".to_owned(), is_world: false }
    }

    fn about(&self) -> PathBuf {
        self.dir.join(format!("{}.json", self.name))
    }

    pub(crate) fn state(&self, saved: &Saved) -> PathBuf {
        self.dir.join(format!("{}-{}{STATE}", self.name, &format!("{:x}", saved.state_hash)[..12]))
    }

    /// Writes the chain. The description comes last and the state before it has another name, so that whoever is killed
    /// between the two leaves the chain that was saved before.
    pub(crate) async fn save(&self, node: &mut Node, mut saved: Saved) -> Result<(), DevnetError> {
        let packed: Bytes = node.request("anvil_dumpState", ()).await?;
        let mut state = Vec::new();
        GzDecoder::new(packed.as_ref()).read_to_end(&mut state).map_err(|error| unreadable(&error))?;
        if self.is_world {
            state = without_traces(&state).map_err(|error| unreadable(&error))?;
        }
        saved.state_hash = digest_of(&state);
        let kept = self.state(&saved);
        write_whole(&kept, &state)?;
        write_whole(&self.about(), serde_json::to_string_pretty(&saved).expect("plain data").as_bytes())?;
        self.clear(&kept);
        Ok(())
    }

    /// Removes the states that nothing describes any more. One that stays takes room and does no harm.
    fn clear(&self, kept: &Path) {
        let is_old = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let rest = name.strip_prefix(&self.name).and_then(|rest| rest.strip_suffix(STATE));
            path != kept && rest.is_some_and(|rest| rest.starts_with('-') && rest.len() == 13)
        };
        let found = std::fs::read_dir(&self.dir).into_iter().flatten().flatten().map(|entry| entry.path());
        found.filter(is_old).for_each(|old| drop(std::fs::remove_file(old)));
    }

    /// Reads the description and checks it against the state and against what is wanted.
    pub(crate) fn load(&self, fingerprint: B256) -> Result<Saved, DevnetError> {
        let stale = |detail: String| DevnetError::StaleState { path: self.about(), detail };
        let about = std::fs::read(self.about()).map_err(|error| stale(error.to_string()))?;
        let saved: Saved = serde_json::from_slice(&about).map_err(|error| stale(error.to_string()))?;
        if saved.fingerprint != fingerprint {
            return Err(stale("it was made with other settings or by another version".to_owned()));
        }
        let state = std::fs::read(self.state(&saved)).map_err(|error| stale(error.to_string()))?;
        if digest_of(&state) != saved.state_hash {
            return Err(stale("its state file is torn or was changed".to_owned()));
        }
        Ok(saved)
    }
}

/// The steps of the transactions that built the world are two thirds of what anvil writes down of it.
fn without_traces(state: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    type Fields = BTreeMap<String, Box<RawValue>>;
    let mut all: Fields = serde_json::from_slice(state)?;
    if let Some(transactions) = all.get_mut("transactions") {
        let mut told: Vec<Fields> = serde_json::from_str(transactions.get())?;
        for info in told.iter_mut().filter_map(|transaction| transaction.get_mut("info")) {
            let mut fields: Fields = serde_json::from_str(info.get())?;
            fields.insert("traces".to_owned(), to_raw_value(&[(); 0])?);
            *info = to_raw_value(&fields)?;
        }
        *transactions = to_raw_value(&told)?;
    }
    serde_json::to_vec(&all)
}

fn unreadable(error: &dyn std::error::Error) -> DevnetError {
    DevnetError::Unreadable { what: "anvil_dumpState".to_owned(), detail: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_kept_without_the_steps_of_its_building_and_with_all_else() {
        let state = r#"{"accounts":{"0x1":{"nonce":18446744073709551615}},"transactions":[{"info":{"nonce":1,"traces":[{"arena":7}]},"receipt":{}}]}"#;
        let kept = without_traces(state.as_bytes()).expect("JSON");
        assert_eq!(String::from_utf8(kept).expect("text"), state.replace(r#"{"arena":7}"#, ""));
        assert!(without_traces(b"{\"transactions\":3}").is_err());
    }
}
