//! What is offered for money, and what came of buying it.

use std::fmt;

use arrayvec::{ArrayString, ArrayVec};
use golem_primitives::{B256, Usdc, UtcTime, words};
use golem_suffering::Band;
use serde::{Deserialize, Deserializer, Serialize};

use super::foreign_words::ForeignWords;

/// Sources a life is offered at most.
pub const SOURCES: usize = 8;
/// Bytes of a source's name at most.
const SOURCE_NAME_BYTES: usize = 24;
/// Characters of a bought answer that come into a life; the whole of it stays with the payment.
const EXCERPT_CHARS: usize = 600;

/// The owner's name for a source: small letters, digits and hyphens. An effect carries it instead of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SourceName(ArrayString<SOURCE_NAME_BYTES>);

/// A text that names no source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a source is named by 1 to {SOURCE_NAME_BYTES} small letters, digits and hyphens")]
pub struct SourceNameError;

impl SourceName {
    /// Reads a name.
    pub fn new(name: &str) -> Result<Self, SourceNameError> {
        let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        match ArrayString::from(name) {
            Ok(text) if is_plain && !name.is_empty() => Ok(Self(text)),
            _ => Err(SourceNameError),
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for SourceName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

words! {
    /// What a source tells.
    SourceKind {
        /// Words, which are remembered as somebody else's and nothing more.
        Text = "text",
        /// What one whole token costs in USDC, which is compared with what the pool says.
        Price = "price",
    }
}

words! {
    /// When a source is worth its price.
    PurchaseOccasion {
        /// Whenever its time has come.
        Always = "always",
        /// Only while something is held that could be lost.
        Exposed = "exposed",
        /// Only in a volatile market.
        Volatile = "volatile",
    }
}

/// One source as a life is offered it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    pub name: SourceName,
    pub kind: SourceKind,
    /// Who sells it, as `host:port`: what cheats once is left alone for the day, whatever else it sells.
    pub host: String,
    /// The most one purchase may cost.
    pub at_most: Usdc,
    /// Seconds between two purchases of a thriving Golem; a poorer one waits longer.
    pub every_seconds: u64,
    /// When it is worth it at all.
    pub when: PurchaseOccasion,
}

/// R-033, V-006. What may be bought, and within which bounds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offers {
    /// The sources, in the owner's order.
    pub sources: ArrayVec<Offered, SOURCES>,
    /// The most a UTC day may cost.
    pub per_day: Usdc,
    /// The most the vault pays out at once.
    pub call_cap: Usdc,
    /// The most the key's wallet may hold.
    pub float_cap: Usdc,
}

/// What a seller's answer begins with.
pub type Excerpt = ForeignWords<EXCERPT_CHARS>;

/// What was bought: all of it that comes into a life. It is data of a stranger, never a target, an amount or a
/// limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bought {
    pub source: SourceName,
    pub host: String,
    pub bytes: u32,
    /// keccak of the whole answer.
    pub digest: B256,
    pub excerpt: Excerpt,
    /// The number in it, where the source tells a price and a price stands there.
    pub reading: Option<Usdc>,
    /// The transaction that paid, as the seller says; the chain was asked whether anything was.
    pub receipt: Option<B256>,
}

/// Why a purchase brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unbought {
    /// The host took the money and served nothing; it is left alone until this moment.
    Cheated { until: UtcTime },
    /// The host cheated before, and is left alone until this moment.
    Barred { until: UtcTime },
    /// V-006. The wallet holds less than this life drew and did not spend.
    FloatShort { short: Usdc },
    /// Nobody can tell any more whether it was paid: what it may have cost is booked.
    Unknown,
    /// It was not to be had: too dear, unreachable, not listed. Nothing was paid.
    Refused,
    /// The vault's bounds do not let the float cover it. Nothing was asked.
    Unaffordable,
    /// S-129. What the Golem suffers closes it. Nothing was asked.
    Suffering(Band),
}

/// What a purchase came to, told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseMade {
    pub bought: Bought,
    pub cost: Usdc,
    /// What the pool said when a source told a price.
    pub own: Option<Usdc>,
}

/// A purchase that brought nothing, told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    pub source: SourceName,
    pub host: String,
    /// What it cost all the same.
    pub cost: Usdc,
    pub why: Unbought,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// names are plain, words are bounded and printable, also when they are read back.
    #[test]
    fn r_032_names_and_words_of_strangers_are_bounded() {
        for (name, is_one) in
            [("gas-1", true), ("", false), ("Gas", false), ("a b", false), ("../x", false), (&"a".repeat(25), false)]
        {
            assert_eq!(SourceName::new(name).is_ok(), is_one, "{name}");
            let written = postcard::to_stdvec(name).expect("a text");
            assert_eq!(postcard::from_bytes::<SourceName>(&written).is_ok(), is_one, "{name}");
        }
        let long = format!("\u{1b}[2J{}", "é".repeat(2_000));
        let written = postcard::to_stdvec(&long).expect("a text");
        let read: Excerpt = postcard::from_bytes(&written).expect("cut");
        assert_eq!((read.as_str().chars().count(), read.as_str().contains('\u{1b}')), (EXCERPT_CHARS, false));
    }
}
