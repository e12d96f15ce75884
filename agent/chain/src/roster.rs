//! P-057. The pools beside the home pool that an owner lets a Golem trade in, as his latest word has them.

use std::path::Path;

use golem_core::record::{ELSEWHERE, EVER_ELSEWHERE};
use golem_edge::files;
use golem_primitives::{Address, PoolName};
use serde::{Deserialize, Serialize};

use crate::place::PostingError;

/// How long a pool is traded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolStay {
    /// Until its owner says otherwise.
    #[default]
    Stays,
    /// Until what is held there is sold.
    Leaves,
    Left,
}

/// A pool beside the home pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolBeside {
    pub name: PoolName,
    pub address: Address,
    /// What it has beside USDC.
    pub token: Address,
    pub stay: PoolStay,
}

/// P-057. All pools beside the home pool that a life ever traded in. A line is never taken away: a token keeps its place in the
/// books by it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Roster {
    pub pools: Vec<PoolBeside>,
}

impl Roster {
    /// Reads what an owner's commands wrote; nothing where nobody changed anything since the birth.
    pub fn read(path: &Path) -> Result<Option<Self>, PostingError> {
        if !path.exists() {
            return Ok(None);
        }
        let wrong = |why: String| PostingError::Pools { why: format!("{} cannot be read: {why}", path.display()) };
        let text = files::read_text(path, files::SMALL).map_err(|error| wrong(error.to_string()))?;
        serde_json::from_str(&text).map(Some).map_err(|error| wrong(error.to_string()))
    }

    /// Writes it, whole or not at all; whoever lives by it hears of it at the next look.
    pub fn keep(&self, path: &Path) -> Result<(), files::FileError> {
        files::write_whole(path, &serde_json::to_vec_pretty(self).expect("plain data"))
    }

    /// Those that are not left.
    pub fn current(&self) -> impl Iterator<Item = &PoolBeside> {
        self.pools.iter().filter(|pool| pool.stay != PoolStay::Left)
    }

    /// A pool by its name or its address.
    #[must_use]
    pub fn find(&self, name: PoolName, address: Address) -> Option<&PoolBeside> {
        self.pools.iter().find(|pool| pool.name == name || pool.address == address)
    }

    /// Lets a pool be traded in, again or for the first time. Where there is no room, pools that are being left and of which
    /// `holds` says that nothing is held any more make it.
    ///
    /// # Errors
    /// [`PostingError::Pools`] for one pool under two names, and where there is no room.
    pub fn open(&mut self, new: PoolBeside, holds: impl Fn(&PoolBeside) -> bool) -> Result<(), PostingError> {
        let wrong = |why: String| Err(PostingError::Pools { why });
        let known = self.find(new.name, new.address).copied();
        if let Some(known) = known.filter(|known| (known.name, known.address) != (new.name, new.address)) {
            return wrong(format!("{} at {} is there already", known.name, known.address));
        }
        if known.is_none() && self.pools.len() >= EVER_ELSEWHERE {
            return wrong(format!("this life has traded in {EVER_ELSEWHERE} other pools, and its books have no room"));
        }
        let is_other = |pool: &PoolBeside| pool.name != new.name;
        if self.current().filter(|pool| is_other(pool)).count() >= ELSEWHERE {
            let over = |pool: &&mut PoolBeside| is_other(pool) && pool.stay == PoolStay::Leaves && !holds(pool);
            let Some(over) = self.pools.iter_mut().find(over) else {
                let names: Vec<&str> = self.current().map(|pool| pool.name.as_str()).collect();
                return wrong(format!("it trades in {} already, and none of them is left", names.join(", ")));
            };
            over.stay = PoolStay::Left;
        }
        match self.pools.iter_mut().find(|pool| pool.name == new.name) {
            Some(known) => known.stay = PoolStay::Stays,
            None => self.pools.push(PoolBeside { stay: PoolStay::Stays, ..new }),
        }
        Ok(())
    }

    /// Lets a pool be left. Answers whether it is one of those that are traded in.
    pub fn leave(&mut self, name: PoolName) -> bool {
        let known = self.pools.iter_mut().find(|pool| pool.name == name && pool.stay != PoolStay::Left);
        known.map(|pool| pool.stay = PoolStay::Leaves).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(at: u8) -> PoolBeside {
        let name = format!("pool-{at}").parse().expect("a name");
        PoolBeside {
            name,
            address: Address::repeat_byte(at),
            token: Address::repeat_byte(100 + at),
            stay: PoolStay::Stays,
        }
    }

    fn states(roster: &Roster) -> Vec<PoolStay> {
        roster.pools.iter().map(|pool| pool.stay).collect()
    }

    /// P-057: at most three beside the home pool at once; one that is being left and holds nothing makes room, its line stays,
    /// and it can be opened again. A life has room for seven of them in all.
    #[test]
    fn p_057_a_roster_has_three_pools_at_once_and_seven_in_a_life() {
        let mut roster = Roster::default();
        for at in 1..=3 {
            roster.open(pool(at), |_| true).expect("room");
        }
        let error = roster.open(pool(4), |_| false).expect_err("three stay");
        assert!(error.to_string().contains("pool-1, pool-2, pool-3"), "{error}");
        assert!(roster.leave(pool(2).name) && !roster.leave(pool(9).name));
        roster.open(pool(4), |_| true).expect_err("it still holds something");
        roster.open(pool(4), |_| false).expect("room");
        assert_eq!(states(&roster), [PoolStay::Stays, PoolStay::Left, PoolStay::Stays, PoolStay::Stays]);
        assert!(!roster.leave(pool(2).name), "it is left already");
        assert!(roster.leave(pool(1).name));
        roster.open(pool(2), |_| false).expect("again");
        assert_eq!(states(&roster), [PoolStay::Left, PoolStay::Stays, PoolStay::Stays, PoolStay::Stays]);
        let other = PoolBeside { address: Address::repeat_byte(9), ..pool(2) };
        roster.open(other, |_| false).expect_err("one name for two pools");
        for at in 5..=7 {
            assert!(roster.leave(pool(at - 2).name));
            roster.open(pool(at), |_| false).expect("room");
        }
        assert!(roster.leave(pool(7).name));
        let error = roster.open(pool(8), |_| false).expect_err("an eighth");
        assert!(error.to_string().contains("no room"), "{error}");
    }

    /// P-057: what is written is read back, a file that is none is told, and without a file nothing was changed.
    #[test]
    fn p_057_a_roster_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pools.json");
        assert_eq!(Roster::read(&path).expect("nothing"), None);
        let roster = Roster { pools: vec![pool(1), PoolBeside { stay: PoolStay::Leaves, ..pool(2) }] };
        roster.keep(&path).expect("written");
        assert_eq!(Roster::read(&path).expect("read"), Some(roster));
        std::fs::write(&path, "nonsense").expect("written");
        assert!(Roster::read(&path).expect_err("no roster").to_string().contains("pools.json"));
    }
}
