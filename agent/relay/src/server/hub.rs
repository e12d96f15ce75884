//! Which links stand, by owner, and how they are told at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alloy::primitives::Address;
use axum::extract::ws::Message;
use tokio::sync::{Notify, mpsc};

use crate::log::LogEntry;
use crate::message::{RefusalReason, RelayRefusal, Told, delivery};

/// Where a link hears.
#[derive(Clone)]
pub(super) struct Ear {
    pub(super) out: mpsc::Sender<Message>,
    /// Something was stored that had no room in the queue.
    pub(super) behind: Arc<AtomicBool>,
    /// A newer link took its place.
    pub(super) replaced: Arc<Notify>,
}

struct Seat {
    number: u64,
    ear: Ear,
}

/// Every link of this relay.
pub(crate) struct Hub {
    owners: Mutex<HashMap<Address, HashMap<Address, Seat>>>,
    numbers: AtomicU64,
    links_per_owner: usize,
}

impl Hub {
    pub(super) fn new(links_per_owner: usize) -> Self {
        Self { owners: Mutex::default(), numbers: AtomicU64::new(1), links_per_owner }
    }

    fn owners(&self) -> MutexGuard<'_, HashMap<Address, HashMap<Address, Seat>>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a link in. A vault has one: the newer wins, since the older may be a connection that nobody noticed is dead.
    pub(super) fn join(&self, owner: Address, vault: Address, ear: Ear) -> Result<u64, RelayRefusal> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let mut owners = self.owners();
        let seats = owners.entry(owner).or_default();
        if seats.len() >= self.links_per_owner && !seats.contains_key(&vault) {
            let words = format!("an owner has {} links at most", self.links_per_owner);
            return Err(RelayRefusal { retry_after: 60, ..RelayRefusal::new(RefusalReason::TooMany, words) });
        }
        if let Some(older) = seats.insert(vault, Seat { number, ear }) {
            older.ear.replaced.notify_one();
        }
        tell_count(seats);
        Ok(number)
    }

    /// Lets a link go, unless a newer one has its seat.
    pub(super) fn leave(&self, owner: Address, vault: Address, number: u64) {
        let mut owners = self.owners();
        let Some(seats) = owners.get_mut(&owner) else { return };
        if seats.get(&vault).is_some_and(|seat| seat.number == number) {
            seats.remove(&vault);
            tell_count(seats);
        }
        if seats.is_empty() {
            owners.remove(&owner);
        }
    }

    pub(super) fn siblings(&self, owner: Address) -> u32 {
        self.owners().get(&owner).map_or(0, count)
    }

    /// I-103. To every other link of that owner, and to nobody else. Who is too slow is told to pull.
    pub(super) fn deliver(&self, owner: Address, entry: &LogEntry) {
        let owners = self.owners();
        let Some(seats) = owners.get(&owner) else { return };
        let mut bytes = None;
        for (_, seat) in seats.iter().filter(|(vault, _)| **vault != entry.vault) {
            let bytes = bytes.get_or_insert_with(|| axum::body::Bytes::from(delivery(entry.place, &entry.frame)));
            if seat.ear.out.try_send(Message::Binary(bytes.clone())).is_err() {
                seat.ear.behind.store(true, Ordering::Release);
            }
        }
    }
}

/// How many siblings each has.
fn count(seats: &HashMap<Address, Seat>) -> u32 {
    u32::try_from(seats.len().saturating_sub(1)).unwrap_or(u32::MAX)
}

fn tell_count(seats: &HashMap<Address, Seat>) {
    let text = Told::Siblings { count: count(seats) }.text();
    for seat in seats.values() {
        // Who has no room learns it the next time.
        let _ = seat.ear.out.try_send(Message::Text(text.clone().into()));
    }
}
