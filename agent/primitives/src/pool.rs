//! The name of a pool, as rules, orders and screens say it.

use std::fmt;
use std::str::FromStr;

/// Letters a pool's name may have.
const LETTERS: usize = 24;

/// What a pool is called where it is spoken of: small letters, digits and dashes, a letter first. Its owner's word and no
/// token's symbol, which its maker chose; the adapter alone knows the address behind it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolName {
    bytes: [u8; LETTERS],
    length: u8,
}

/// Not a name of a pool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} cannot name a pool; use 1 to {LETTERS} small letters, digits and dashes, a letter first")]
pub struct PoolNameError(pub String);

impl PoolName {
    /// What the only pool of a life is called that nobody named.
    pub const HOME: Self = {
        let mut bytes = [0; LETTERS];
        [bytes[0], bytes[1], bytes[2], bytes[3]] = *b"home";
        Self { bytes, length: 4 }
    };

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length)).unwrap_or_default();
        str::from_utf8(bytes).unwrap_or_default()
    }
}

impl Default for PoolName {
    fn default() -> Self {
        Self::HOME
    }
}

impl FromStr for PoolName {
    type Err = PoolNameError;

    fn from_str(text: &str) -> Result<Self, PoolNameError> {
        let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_name = text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.len() <= LETTERS
            && text.bytes().all(is_sign);
        if !is_name {
            return Err(PoolNameError(text.to_owned()));
        }
        let mut bytes = [0; LETTERS];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self { bytes, length: u8::try_from(text.len()).unwrap_or_default() })
    }
}

impl fmt::Display for PoolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for PoolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for PoolName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for PoolName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Reads a name where it lies: a look is journaled at every tick.
        struct Name;

        impl serde::de::Visitor<'_> for Name {
            type Value = PoolName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a pool")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<PoolName, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-057: a name is what a rule can write; whatever else is given is refused with what would be right.
    #[test]
    fn p_057_a_pool_has_a_plain_name() {
        for name in ["home", "weth-500", "a", "abcdefghijklmnopqrstuvwx"] {
            assert_eq!(name.parse::<PoolName>().expect(name).to_string(), name);
        }
        for name in ["", "Weth", "500-weth", "-a", "weth/usdc", "abcdefghijklmnopqrstuvwxy", "é"] {
            let error = name.parse::<PoolName>().expect_err(name);
            assert!(error.to_string().contains("1 to 24"), "{error}");
        }
        assert_eq!(PoolName::HOME.as_str(), "home");
        assert_eq!("home".parse(), Ok(PoolName::HOME));
    }
}
