//! Plain data in the notes of a store, as JSON.

use golem_ports::{Store, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a note holds; `None` where there is none, or none that can be read.
pub(crate) fn read<S: Store + ?Sized, T: DeserializeOwned>(store: &S, name: &str) -> Result<Option<T>, StoreError> {
    Ok(store.note(name)?.and_then(|text| serde_json::from_str(&text).ok()))
}

pub(crate) fn keep<S: Store + ?Sized>(store: &mut S, name: &str, data: &impl Serialize) -> Result<(), StoreError> {
    store.set_note(name, &serde_json::to_string(data).expect("plain data with text keys"))
}
