//! Names of entries and episodes, and moments in both times.

use std::fmt;
use std::str::FromStr;

use golem_primitives::{GolemId, Tick, UtcTime, keccak256};

/// A moment of a life: its tick, and the wall time by which retention counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Moment {
    pub at: UtcTime,
    pub tick: Tick,
}

impl Moment {
    /// The moment of that tick and time.
    #[must_use]
    pub const fn new(tick: Tick, at: UtcTime) -> Self {
        Self { at, tick }
    }
}

/// Why a text names no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryIdError {
    /// Not 32 hexadecimal digits in the groups of a UUID.
    #[error("an id is a UUID such as 0192f0c1-5b00-7abc-8def-0123456789ab")]
    NotAUuid,
    /// A UUID of another version than 7, which does not order by time.
    #[error("an id is a UUID of version 7, not {version}")]
    WrongVersion { version: u8 },
}

/// The bytes of a UUIDv7: 48 bits of milliseconds, then a hash of names instead of chance, so that the same life gives
/// its knowledge the same ids on every machine.
fn derive(at: UtcTime, golem: &GolemId, purpose: &str, name: &[u8]) -> u128 {
    let mut bytes = Vec::with_capacity(160);
    for part in [golem.as_bytes(), purpose.as_bytes(), name] {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    bytes.extend_from_slice(&at.seconds().to_be_bytes());
    let hash = keccak256(bytes);
    let chance = u128::from_be_bytes(hash[..16].try_into().expect("a hash has 32 bytes"));
    let millis = u128::from(at.seconds()) * 1_000;
    let with_time = (chance & ((1 << 80) - 1)) | ((millis & ((1 << 48) - 1)) << 80);
    let with_version = (with_time & !(0xf << 76)) | (0x7 << 76);
    (with_version & !(0b11 << 62)) | (0b10 << 62)
}

fn write(id: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let digits = format!("{id:032x}");
    f.pad(&format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]))
}

fn read(text: &str) -> Result<u128, EntryIdError> {
    let is_uuid = text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if !is_uuid {
        return Err(EntryIdError::NotAUuid);
    }
    let id = u128::from_str_radix(&text.replace('-', ""), 16).map_err(|_| EntryIdError::NotAUuid)?;
    match (id >> 76) as u8 & 0xf {
        7 => Ok(id),
        version => Err(EntryIdError::WrongVersion { version }),
    }
}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $purpose:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// The id of what `golem` names `name` at that time. Different names never share an id.
            #[must_use]
            pub fn derive(at: UtcTime, golem: &GolemId, name: &[u8]) -> Self {
                Self(derive(at, golem, $purpose, name))
            }

            /// The id of 128 bits that a store kept.
            ///
            /// # Errors
            /// [`EntryIdError`] for bits that are no UUID of version 7.
            pub const fn from_be_bytes(bytes: [u8; 16]) -> Result<Self, EntryIdError> {
                let id = u128::from_be_bytes(bytes);
                match (id >> 76) as u8 & 0xf {
                    7 => Ok(Self(id)),
                    version => Err(EntryIdError::WrongVersion { version }),
                }
            }

            /// Its 128 bits, as a store keeps them.
            #[must_use]
            pub const fn to_be_bytes(self) -> [u8; 16] {
                self.0.to_be_bytes()
            }

            /// Wall time in it, in whole seconds.
            #[must_use]
            pub const fn at(self) -> UtcTime {
                UtcTime::from_seconds((self.0 >> 80) as u64 / 1_000)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(self.0, f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = EntryIdError;

            fn from_str(text: &str) -> Result<Self, EntryIdError> {
                read(text).map(Self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// G-021. The name of an entry for ever: a UUIDv7, so that ids order by time.
    EntryId,
    "entry"
);
id!(
    /// The name of an episode for ever, a UUIDv7.
    EpisodeId,
    "episode"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// G-021: time-ordered, of version 7, and nothing else is read.
    #[test]
    fn g_021_ids_are_uuids_of_version_7() {
        let golem = GolemId::new("g").expect("a name");
        let at = UtcTime::from_seconds(1_794_700_800);
        let id = EntryId::derive(at, &golem, b"a");
        assert_eq!(id.to_string().as_bytes()[14], b'7');
        assert!(b"89ab".contains(&id.to_string().as_bytes()[19]), "the variant of RFC 9562");
        assert_eq!(id.at(), at);
        assert_ne!(id.to_be_bytes(), EpisodeId::derive(at, &golem, b"a").to_be_bytes());
        assert_eq!("".parse::<EntryId>(), Err(EntryIdError::NotAUuid));
        assert_eq!(
            "0192f0c1-5b00-4abc-8def-0123456789ab".parse::<EntryId>(),
            Err(EntryIdError::WrongVersion { version: 4 })
        );
    }

    proptest! {
        /// G-021: text round-trips, ids order as time does, names keep ids apart.
        #[test]
        fn g_021_ids_order_by_time(a in 0u64..10_000_000_000, b in 0u64..10_000_000_000, x: [u8; 4], y: [u8; 4]) {
            let golem = GolemId::new("g").expect("a name");
            let id = |seconds, name: &[u8]| EntryId::derive(UtcTime::from_seconds(seconds), &golem, name);
            prop_assert_eq!(id(a, &x).to_string().parse(), Ok(id(a, &x)));
            if a < b { prop_assert!(id(a, &x) < id(b, &y)); }
            prop_assert_eq!(id(a, &x) == id(a, &y), x == y);
        }
    }
}
