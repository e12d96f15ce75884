//! What a link and a relay say to each other besides frames: short JSON texts. Frames themselves go as bytes: up as they
//! are, down with their place in the log before them.

use alloy::primitives::{Address, B256, Bytes};
use golem_primitives::words;
use serde::{Deserialize, Serialize};

use crate::frame::{Frame, FrameError};

/// The longest text that is read.
pub(crate) const MOST_TEXT_BYTES: usize = 4 * 1024;
/// I-112. Frames of one page at most.
pub const PAGE: u16 = 1_000;
/// Bytes of a page, the last frame beyond it included: a page of the largest frames must not be a gibibyte.
pub(crate) const PAGE_BYTES: usize = 4 << 20;

words! {
    /// Why a relay does not take what was sent.
    RefusalReason {
        /// No vault of this suite, or one that is not born.
        Unknown = "unknown",
        /// Signed by another key than the vault's.
        NotKey = "not_key",
        /// The token was sold, and its new owner has not taken the vault over; or he has, and this link is of before.
        OwnerChanged = "owner_changed",
        Dead = "dead",
        /// I-343. It leaves what the dead leave, and lives.
        NotDying = "not_dying",
        /// The sender's clock differs by more than five minutes.
        StaleClock = "stale_clock",
        /// A number that was used long ago.
        Replayed = "replayed",
        /// A number under which something else was said.
        Forked = "forked",
        /// I-099. More than a mebibyte.
        TooLarge = "too_large",
        /// I-099. More than the rate allows.
        TooMany = "too_many",
        /// The owner's room in the relay is used up.
        Full = "full",
        /// The relay cannot see the chain or reach its log.
        Blind = "blind",
        /// Not what this protocol says.
        Malformed = "malformed",
        /// A newer link of the same vault took the place of this one.
        Replaced = "replaced",
    }
}

impl RefusalReason {
    /// Whether the same frame may be taken later.
    #[must_use]
    pub const fn may_retry(self) -> bool {
        matches!(
            self,
            Self::TooMany | Self::Full | Self::Blind | Self::StaleClock | Self::OwnerChanged | Self::Replaced
        )
    }
}

/// A refusal as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}: {words}")]
pub struct RelayRefusal {
    pub reason: RefusalReason,
    /// Of which frame; 0 when of none.
    #[serde(default)]
    pub seq: u64,
    /// I-099. Seconds until it is worth to ask again.
    #[serde(default)]
    pub retry_after: u64,
    /// For a person.
    pub words: String,
}

impl RelayRefusal {
    /// A refusal in words.
    pub(crate) fn new(reason: RefusalReason, words: impl Into<String>) -> Self {
        Self { reason, seq: 0, retry_after: 0, words: words.into() }
    }

    pub(crate) fn of(self, seq: u64) -> Self {
        Self { seq, ..self }
    }
}

/// What a link says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Said {
    /// Who it is.
    Hello { vault: Address, at: u64, signature: Bytes },
    /// Wants what was stored behind a place.
    Pull { after: u64, most: u16 },
    /// I-323. Leaves a sign.
    Leave { class: String, intensity_ppm: u32, domain: String, regime: Option<String> },
    /// I-326. Asks what is in the air.
    Sense { domains: Vec<String>, regime: Option<String> },
}

/// I-326. What is sensed of one sign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sensed {
    pub(crate) domain: String,
    pub(crate) class: String,
    pub(crate) intensity_ppm: u32,
    pub(crate) confirmations: u32,
}

/// What a relay answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Told {
    /// The first word: a number that was never used, and the relay's own name.
    Challenge { nonce: B256, relay: String },
    /// The link stands. `log` names the log: places of another mean nothing here.
    Ready { log: String, last_place: u64, last_seq: u64, siblings: u32 },
    /// On disk.
    Stored { seq: u64, place: u64 },
    /// Not taken.
    Refused(RelayRefusal),
    /// The end of a page: everything up to here was sent; `more` when there is more.
    Page { through: u64, more: bool },
    /// Something was stored that this link was too slow to be sent: pull.
    Behind,
    /// How many siblings are linked.
    Siblings { count: u32 },
    /// I-323. The sign is in the air.
    Left,
    /// I-326.
    Scents { scents: Vec<Sensed> },
}

impl Said {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    pub(crate) fn read(text: &str) -> Result<Self, RelayRefusal> {
        if text.len() > MOST_TEXT_BYTES {
            return Err(RelayRefusal::new(
                RefusalReason::TooLarge,
                format!("a text has {MOST_TEXT_BYTES} bytes at most"),
            ));
        }
        serde_json::from_str(text)
            .map_err(|error| RelayRefusal::new(RefusalReason::Malformed, format!("not understood: {error}")))
    }
}

impl Told {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    pub(crate) fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// A frame on its way down: where it stands, then its bytes.
pub(crate) fn delivery(place: u64, frame: &[u8]) -> Vec<u8> {
    [&place.to_be_bytes(), frame].concat()
}

/// Reads one.
pub(crate) fn read_delivery(bytes: &[u8]) -> Result<(u64, Frame), FrameError> {
    let (place, frame) = bytes.split_first_chunk::<8>().ok_or(FrameError::Short { bytes: bytes.len() })?;
    Ok((u64::from_be_bytes(*place), Frame::decode(frame)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// no text makes a relay or a link fall over.
        #[test]
        fn r_042_any_text_is_read_or_refused(text in ".{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Said::read(&text);
            let _ = Told::read(&text);
            let _ = read_delivery(&bytes);
        }
    }

    /// what one side writes the other reads, and a text that goes on for ever is refused.
    #[test]
    fn r_042_messages_are_understood_on_the_other_side() {
        let refused =
            RelayRefusal { reason: RefusalReason::TooMany, seq: 7, retry_after: 3, words: "slower".to_owned() };
        for told in [
            Told::Challenge { nonce: B256::repeat_byte(1), relay: "127.0.0.1:1".to_owned() },
            Told::Refused(refused),
            Told::Behind,
            Told::Page { through: 9, more: true },
        ] {
            assert_eq!(Told::read(&told.text()).expect("read"), told);
        }
        let hello = Said::Hello { vault: Address::repeat_byte(2), at: 5, signature: vec![1, 2].into() };
        assert_eq!(Said::read(&hello.text()), Ok(hello));
        let endless = format!("{{\"pull\":{}", "9".repeat(MOST_TEXT_BYTES));
        assert_eq!(Said::read(&endless).expect_err("long").reason, RefusalReason::TooLarge);
    }
}
