//! Names of things that outlive a process.

use std::fmt;
use std::str::FromStr;

use alloy_primitives::{Address, B256, U256, keccak256};

use crate::parse::{ParseError, Wanted, fixed_point};
use crate::tick::Tick;

/// A hash of a block.
pub type BlockHash = B256;

/// Longest name of a Golem in bytes.
const GOLEM_ID_BYTES: usize = 64;

/// The name whose bytes the death roll hashes (M-096, R-003): the vault address in lowercase 0x-hex on chain, any short
/// printable name in simulation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GolemId {
    bytes: [u8; GOLEM_ID_BYTES],
    length: u8,
}

/// Why a text names no Golem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdError {
    #[error("a Golem's name is empty; give its vault address or a short name")]
    Empty,
    #[error("a Golem's name has {length} bytes, more than {GOLEM_ID_BYTES}")]
    TooLong { length: usize },
    /// A character that a screen or a log could not show.
    #[error("a Golem's name holds a character that is not printable ASCII at byte {at}")]
    NotPrintable { at: usize },
}

impl GolemId {
    /// A name from text.
    ///
    /// # Errors
    /// [`IdError`] for an empty, long or unprintable name.
    pub fn new(name: &str) -> Result<Self, IdError> {
        if name.is_empty() {
            return Err(IdError::Empty);
        }
        if name.len() > GOLEM_ID_BYTES {
            return Err(IdError::TooLong { length: name.len() });
        }
        if let Some(at) = name.bytes().position(|b| !b.is_ascii_graphic()) {
            return Err(IdError::NotPrintable { at });
        }
        let mut bytes = [0; GOLEM_ID_BYTES];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        let length = u8::try_from(name.len()).expect("at most 64");
        Ok(Self { bytes, length })
    }

    /// The name of the Golem that lives in `vault`.
    #[must_use]
    pub fn from_vault(vault: Address) -> Self {
        Self::new(&format!("{vault:#x}")).expect("an address has 42 printable characters")
    }

    /// The bytes that are hashed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("checked to be ASCII when made")
    }
}

impl fmt::Debug for GolemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GolemId({})", self.as_str())
    }
}

impl fmt::Display for GolemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for GolemId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::new(text)
    }
}

impl serde::Serialize for GolemId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for GolemId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        Self::new(&name).map_err(serde::de::Error::custom)
    }
}

/// The ERC-8004 token of a Golem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct AgentId(pub U256);

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl FromStr for AgentId {
    type Err = ParseError;

    /// Reads a decimal token number.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wanted = Wanted { what: "an agent id", example: "17" };
        let text = text.trim();
        if text.is_empty() {
            return Err(ParseError::Empty { what: wanted.what, example: wanted.example });
        }
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParseError::NotANumber {
                text: crate::parse::quote(text),
                what: wanted.what,
                example: wanted.example,
            });
        }
        U256::from_str_radix(text, 10)
            .map(Self)
            .map_err(|_| ParseError::TooLarge { text: crate::parse::quote(text), what: wanted.what })
    }
}

/// A line of descent (L-020), minted by its first Golem and inherited by every successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct LineageId(pub u64);

impl fmt::Display for LineageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for LineageId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        fixed_point(text.trim(), 0, Wanted { what: "a lineage id", example: "3" }).map(Self)
    }
}

/// The one name of an effect for ever: the idempotency key on every wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct EffectId(pub B256);

impl EffectId {
    /// The name of the `ordinal`-th effect of a turn of a tick of a life. Two different places never share a name: the
    /// length of the Golem's name is hashed before it, so no two inputs run together to the same bytes.
    #[must_use]
    pub fn derive(golem: &GolemId, tick: Tick, turn: u8, ordinal: u32) -> Self {
        let mut bytes = [0; 1 + GOLEM_ID_BYTES + 8 + 1 + 4];
        let mut length = 0;
        let parts: [&[u8]; 5] =
            [&[golem.length], golem.as_bytes(), &tick.to_be_bytes(), &[turn], &ordinal.to_be_bytes()];
        for part in parts {
            bytes[length..length + part.len()].copy_from_slice(part);
            length += part.len();
        }
        Self(keccak256(&bytes[..length]))
    }
}

impl fmt::Display for EffectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn r_003_a_vaults_name_is_its_lowercase_address() {
        let vault: Address = "0xdAcD51A54883eb67D95FAEb2BBfdC4a9a6BD2a3B".parse().expect("an address");
        assert_eq!(GolemId::from_vault(vault).as_str(), "0xdacd51a54883eb67d95faeb2bbfdc4a9a6bd2a3b");
    }

    #[test]
    fn names_a_screen_cannot_show_are_refused() {
        assert_eq!(GolemId::new(""), Err(IdError::Empty));
        assert_eq!(GolemId::new(&"g".repeat(65)), Err(IdError::TooLong { length: 65 }));
        assert_eq!(GolemId::new("a b"), Err(IdError::NotPrintable { at: 1 }));
        assert_eq!(GolemId::new("a\u{1b}[31m"), Err(IdError::NotPrintable { at: 1 }));
        assert!(GolemId::new(&"g".repeat(64)).is_ok());
    }

    #[test]
    fn agent_ids_are_whole_decimal_numbers_of_256_bits() {
        assert_eq!("17".parse(), Ok(AgentId(U256::from(17))));
        assert_eq!(AgentId(U256::MAX).to_string().parse(), Ok(AgentId(U256::MAX)));
        for text in ["", "-1", "0x11", "1.0", &format!("{}0", U256::MAX)] {
            assert!(text.parse::<AgentId>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_place_has_its_own_effect_id(
            a in ("[a-z0-9]{1,64}", any::<u64>(), any::<u8>(), any::<u32>()),
            b in ("[a-z0-9]{1,64}", any::<u64>(), any::<u8>(), any::<u32>()),
        ) {
            let id = |(name, tick, turn, ordinal): &(String, u64, u8, u32)| {
                EffectId::derive(&GolemId::new(name).expect("printable"), Tick::new(*tick), *turn, *ordinal)
            };
            prop_assert_eq!(id(&a) == id(&b), a == b);
            prop_assert_eq!(id(&a), id(&a));
        }

        #[test]
        fn lineage_text_round_trips(number: u64) {
            prop_assert_eq!(LineageId(number).to_string().parse(), Ok(LineageId(number)));
        }
    }
}

#[cfg(test)]
mod record_tests {
    use super::*;
    use crate::{Ppm, Usdc};

    #[test]
    fn quantities_are_recorded_as_their_integers_and_read_back_checked() {
        assert_eq!(serde_json::to_string(&Usdc::whole(2)).expect("plain"), "2000000");
        assert!(serde_json::from_str::<Ppm>("1000001").is_err());
        assert!(serde_json::from_str::<GolemId>("\"a b\"").is_err());
        let id = GolemId::new("golem-1").expect("a name");
        assert_eq!(serde_json::from_str::<GolemId>("\"golem-1\"").expect("a name"), id);
    }
}
