//! Siblings of one process: where no relay carries their words, those who live under one roof hear each other.
//!
//! A house keeps nothing: who is not there does not hear, and a process that ends forgets what was not taken in.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use golem_core::record::{Scent, Sign};
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::pheromone::{Field, SourceHash, TooManySigns};
use golem_ports::{Clade, CladeError, HeardWord, WordKind};
use golem_primitives::{Address, GolemId, UtcTime};
use tokio::sync::broadcast;

/// Words a slow listener may lag behind.
const WORDS: usize = 256;
/// Bytes of a word: as many as a relay carries.
const MOST_BYTES: usize = 1 << 20;

#[derive(Debug, Clone)]
struct Spoken {
    golem: GolemId,
    owner: Address,
    at: UtcTime,
    kind: WordKind,
    body: Arc<[u8]>,
}

/// A roof under which lives of one owner hear each other.
#[derive(Debug, Clone)]
pub struct House {
    words: broadcast::Sender<Spoken>,
    members: Arc<Mutex<BTreeMap<GolemId, Address>>>,
    /// I-320. What is in the air, by whose siblings breathe it.
    air: Arc<Mutex<BTreeMap<Address, Field>>>,
}

impl Default for House {
    fn default() -> Self {
        Self { words: broadcast::channel(WORDS).0, members: Arc::default(), air: Arc::default() }
    }
}

impl House {
    /// A place for one of that owner, who heard everything up to `through` elsewhere: from now on it hears and is heard.
    #[must_use]
    pub fn take_in(&self, golem: GolemId, owner: Address, through: u64) -> Member {
        self.members.lock().unwrap_or_else(PoisonError::into_inner).insert(golem, owner);
        let hears = self.words.subscribe();
        Member { house: self.clone(), golem, owner, hears, waiting: VecDeque::new(), place: through }
    }
}

/// One life's place in a house.
#[derive(Debug)]
pub struct Member {
    house: House,
    golem: GolemId,
    owner: Address,
    hears: broadcast::Receiver<Spoken>,
    waiting: VecDeque<HeardWord>,
    place: u64,
}

impl Member {
    /// I-323. Whose its signs are. No salt: the hash stays in this process, and nobody is told it.
    fn source(&self) -> SourceHash {
        SourceHash::of(&self.golem, b"")
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.house.members.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.golem);
    }
}

impl Clade for Member {
    fn say(&mut self, kind: WordKind, body: &[u8], now: UtcTime) -> Result<(), CladeError> {
        if body.len() > MOST_BYTES {
            return Err(CladeError::TooLong { bytes: body.len(), most: MOST_BYTES });
        }
        let spoken = Spoken { golem: self.golem, owner: self.owner, at: now, kind, body: body.into() };
        // Nobody may be there to hear it.
        let _ = self.house.words.send(spoken);
        Ok(())
    }

    fn heard(&mut self, most: usize) -> Result<Vec<HeardWord>, CladeError> {
        loop {
            let spoken = match self.hears.try_recv() {
                Ok(spoken) => spoken,
                Err(broadcast::error::TryRecvError::Lagged(_)) => continue,
                Err(_) => break,
            };
            // I-103. Never back to who said it, never across owners.
            if spoken.golem == self.golem || spoken.owner != self.owner || self.waiting.len() >= WORDS {
                continue;
            }
            self.place += 1;
            let Spoken { golem, at, kind, body, .. } = spoken;
            self.waiting.push_back(HeardWord { place: self.place, from: golem, at, kind, body: body.to_vec() });
        }
        Ok(self.waiting.iter().take(most).cloned().collect())
    }

    fn taken(&mut self, through: u64) -> Result<(), CladeError> {
        self.waiting.retain(|heard| heard.place > through);
        Ok(())
    }

    fn leave(&mut self, sign: &Sign, now: UtcTime) -> Result<(), CladeError> {
        let source = self.source();
        let mut air = self.house.air.lock().unwrap_or_else(PoisonError::into_inner);
        let left = air.entry(self.owner).or_default().deposit(*sign, source, now);
        left.map_err(|TooManySigns| CladeError::TooManySigns)
    }

    fn sense(&mut self, domains: &[Domain], regime: Option<Regime>, now: UtcTime) -> Vec<Scent> {
        let air = self.house.air.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(field) = air.get(&self.owner) else { return Vec::new() };
        domains.iter().flat_map(|domain| field.sense(*domain, regime, self.source(), now)).collect()
    }

    fn keeps(&self) -> bool {
        false
    }

    fn siblings(&self) -> Option<u32> {
        let members = self.house.members.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = members.iter().filter(|(golem, owner)| **golem != self.golem && **owner == self.owner);
        Some(u32::try_from(theirs.count()).unwrap_or(u32::MAX))
    }
}
