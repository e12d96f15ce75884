//! What was seen already: version vectors, and a filter for what is not worth asking for (I-110, I-111).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use golem_primitives::{GolemId, keccak256};

/// I-110. The name of an entry on the wire: who wrote it, and as how manyth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WireId {
    /// Who.
    pub golem: GolemId,
    /// Which of its entries, from 1 on.
    pub sequence: u64,
}

/// Why a text is no name of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an entry's name on the wire is `<golem>:<number>` with a number from 1 on")]
pub struct NoWireId;

impl NoWireId {
    /// The same text will never be one.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        false
    }
}

impl fmt::Display for WireId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.golem, self.sequence))
    }
}

impl FromStr for WireId {
    type Err = NoWireId;

    fn from_str(text: &str) -> Result<Self, NoWireId> {
        let (golem, number) = text.rsplit_once(':').ok_or(NoWireId)?;
        let golem = GolemId::new(golem).map_err(|_| NoWireId)?;
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
        let sequence = number.parse().ok().filter(|_| is_plain).ok_or(NoWireId)?;
        Ok(Self { golem, sequence })
    }
}

/// I-110. The highest number seen of each Golem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VersionVector {
    seen: BTreeMap<GolemId, u64>,
}

impl VersionVector {
    /// I-110. Whether an entry is new; if so it counts as seen. Deltas come in order, so a lower number is a repetition.
    pub fn observe(&mut self, id: WireId) -> bool {
        let highest = self.seen.entry(id.golem).or_default();
        let is_new = id.sequence > *highest;
        *highest = (*highest).max(id.sequence);
        is_new
    }

    /// The highest number seen of a Golem; zero before the first.
    #[must_use]
    pub fn highest(&self, golem: &GolemId) -> u64 {
        self.seen.get(golem).copied().unwrap_or(0)
    }

    /// What `other` has seen and this one has not: from which number on to ask each Golem.
    #[must_use]
    pub fn gaps(&self, other: &Self) -> BTreeMap<GolemId, u64> {
        let behind = other.seen.iter().filter(|(golem, highest)| self.highest(golem) < **highest);
        behind.map(|(golem, _)| (*golem, self.highest(golem) + 1)).collect()
    }

    /// The same after both.
    #[must_use]
    pub fn joined(mut self, other: &Self) -> Self {
        for (golem, highest) in &other.seen {
            let own = self.seen.entry(*golem).or_default();
            *own = (*own).max(*highest);
        }
        self
    }
}

/// Bits and hashes of the filter: about one false answer in a hundred at 10,000 entries.
const BITS: usize = 1 << 17;
const HASHES: usize = 7;

/// I-111. A Bloom filter of entries seen: "no" is certain, "yes" is likely.
#[derive(Clone, PartialEq, Eq)]
pub struct Bloom {
    words: Vec<u64>,
}

impl Default for Bloom {
    fn default() -> Self {
        Self { words: vec![0; BITS / 64] }
    }
}

impl fmt::Debug for Bloom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set: u32 = self.words.iter().map(|word| word.count_ones()).sum();
        write!(f, "Bloom({set} of {BITS} bits)")
    }
}

impl Bloom {
    fn places(id: WireId) -> [usize; HASHES] {
        let hash = keccak256(id.to_string());
        std::array::from_fn(|at| {
            let bytes = hash[at * 4..at * 4 + 4].try_into().expect("seven words fit into a hash");
            u32::from_be_bytes(bytes) as usize % BITS
        })
    }

    /// Remembers an entry.
    pub fn insert(&mut self, id: WireId) {
        for at in Self::places(id) {
            self.words[at / 64] |= 1 << (at % 64);
        }
    }

    /// Whether an entry may have been seen.
    #[must_use]
    pub fn may_hold(&self, id: WireId) -> bool {
        Self::places(id).into_iter().all(|at| self.words[at / 64] & (1 << (at % 64)) != 0)
    }
}

/// I-111. Where a successor goes on in the Clade, as the testament hands it down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Resume {
    /// What the dead had seen.
    pub versions: VersionVector,
    /// The same as a filter; it follows from the versions and is not written.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub bloom: Bloom,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wire(name: &str, sequence: u64) -> WireId {
        WireId { golem: GolemId::new(name).expect("a name"), sequence }
    }

    /// I-110: the second time is nothing.
    #[test]
    fn i_110_an_entry_is_processed_once() {
        let mut versions = VersionVector::default();
        assert!(versions.observe(wire("a", 1)) && versions.observe(wire("a", 2)) && versions.observe(wire("b", 1)));
        assert!(!versions.observe(wire("a", 2)) && !versions.observe(wire("a", 1)), "a duplicate is no-op");
        assert_eq!(versions.highest(&wire("a", 1).golem), 2);
        for text in ["", "a", "a:", "a:0", "a:01", "a:+1", ":1", "a b:1", "a:99999999999999999999"] {
            assert_eq!(text.parse::<WireId>(), Err(NoWireId), "{text}");
        }
        let address = "0xdacd51a54883eb67d95faeb2bbfdc4a9a6bd2a3b:17";
        assert_eq!(address.parse::<WireId>().map(|id| id.to_string()).as_deref(), Ok(address));
    }

    /// I-111, I-112: a successor asks for what its predecessor had not seen.
    #[test]
    fn i_111_a_successor_resumes_where_the_dead_stopped() {
        let mut dead = VersionVector::default();
        dead.observe(wire("a", 5));
        let mut clade = dead.clone();
        clade.observe(wire("a", 9));
        clade.observe(wire("b", 3));
        let gaps = dead.gaps(&clade);
        assert_eq!(gaps.into_values().collect::<Vec<_>>(), [6, 1]);
        assert!(dead.joined(&clade).gaps(&clade).is_empty());
        let resume = Resume::default();
        assert!(!resume.bloom.may_hold(wire("a", 1)));
    }

    proptest! {
        /// I-111: the filter never forgets, and is seldom wrong.
        #[test]
        fn i_111_a_filter_never_forgets(numbers in prop::collection::btree_set(1u64..1_000_000, 0..500)) {
            let mut bloom = Bloom::default();
            for number in &numbers { bloom.insert(wire("a", *number)); }
            prop_assert!(numbers.iter().all(|number| bloom.may_hold(wire("a", *number))));
            let strangers = (2_000_000..2_001_000u64).filter(|number| bloom.may_hold(wire("a", *number))).count();
            prop_assert!(strangers <= 10);
        }
    }
}
