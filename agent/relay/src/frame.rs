//! A word on the wire: a header that its sender's key signed, and the exact bytes it says.

use alloy::primitives::{Address, B256, Signature, keccak256};
use alloy::sol_types::{Eip712Domain, SolStruct as _, eip712_domain};
use golem_inheritance::guard::{MOST_FRAME_BYTES, check_frame};
use golem_ports::WordKind;
use golem_primitives::UtcTime;

/// What keys sign. Nothing here is ever a transaction.
pub mod statements {
    alloy::sol! {
        /// Once a connection: this vault speaks to this relay now, by the number the relay just chose.
        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        struct Hello { address vault; string relay; bytes32 nonce; uint64 at; }

        /// A word to siblings. The body is the hash of the exact bytes.
        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        struct Word { address vault; uint64 seq; uint64 at; uint8 kind; bytes32 body; }

        /// A request to the archive: method and path, and the hash of what is sent.
        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        struct Request { address vault; uint64 at; string what; bytes32 body; }
    }
}

/// One thing to be signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Who connects.
    Hello(statements::Hello),
    Word(statements::Word),
    /// What is laid into the archive, or taken from it.
    Request(statements::Request),
}

/// Where a signature counts: one chain and one suite of contracts. On another it is nobody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Realm {
    pub chain: u64,
    /// The lineage registry there.
    pub lineage: Address,
}

impl Realm {
    /// The domain of EIP-712.
    #[must_use]
    pub fn domain(&self) -> Eip712Domain {
        eip712_domain! { name: "Styx", version: "1", chain_id: self.chain, verifying_contract: self.lineage, }
    }

    /// What is hashed and signed.
    #[must_use]
    pub fn digest(&self, statement: &Statement) -> B256 {
        let domain = self.domain();
        match statement {
            Statement::Hello(hello) => hello.eip712_signing_hash(&domain),
            Statement::Word(word) => word.eip712_signing_hash(&domain),
            Statement::Request(request) => request.eip712_signing_hash(&domain),
        }
    }

    /// Whose key signed a statement; nobody's for bytes that are no signature, or one of the two that fit every message.
    #[must_use]
    pub fn signer(&self, statement: &Statement, signature: &[u8; SIGNATURE_BYTES]) -> Option<Address> {
        let signature = Signature::from_raw(signature).ok()?;
        // For every signature there is a twin; only the lower one is taken.
        if signature.normalize_s().is_some() {
            return None;
        }
        signature.recover_address_from_prehash(&self.digest(statement)).ok()
    }
}

/// Bytes of a signature.
pub const SIGNATURE_BYTES: usize = 65;
/// Version, vault, number, time, kind, signature.
pub const HEADER_BYTES: usize = 1 + 20 + 8 + 8 + 1 + SIGNATURE_BYTES;
/// Bytes a word can say.
pub const MOST_BODY_BYTES: usize = MOST_FRAME_BYTES - HEADER_BYTES;
/// The highest number: what a signed column of a database holds.
pub const MOST_SEQ: u64 = i64::MAX as u64;
/// The only version there is.
const VERSION: u8 = 1;

/// Why bytes are no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    #[error("{bytes} bytes are no frame: its header alone has {HEADER_BYTES}")]
    Short { bytes: usize },
    /// I-099.
    #[error("a frame has {bytes} bytes, more than {MOST_FRAME_BYTES}; split it")]
    TooLarge { bytes: usize },
    #[error("a frame of version {0} is not understood; only version {VERSION} is")]
    Version(u8),
    #[error("{0} is no kind of word")]
    Kind(u8),
    /// Beyond all calendars: it would be written otherwise than it was signed.
    #[error("the time {0} of a frame is none")]
    Time(u64),
    #[error("the number of a frame is from 1 to {MOST_SEQ}")]
    Number,
}

/// A word as it travels and as it is kept: nothing is written anew, so what was signed is what arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Whose word: the address of its vault.
    pub vault: Address,
    /// Which of its words, from 1 on, without gaps.
    pub seq: u64,
    /// When it was sent, by its sender's clock.
    pub at: UtcTime,
    pub kind: WordKind,
    /// Of the vault's key, over all of this.
    pub signature: [u8; SIGNATURE_BYTES],
    pub body: Vec<u8>,
}

impl Frame {
    /// What its sender signs.
    #[must_use]
    pub fn statement(&self) -> Statement {
        let (seq, at, kind) = (self.seq, self.at.seconds(), self.kind.code());
        Statement::Word(statements::Word { vault: self.vault, seq, at, kind, body: keccak256(&self.body) })
    }

    /// What makes two frames of one number the same word: kind and bytes, whenever they were signed.
    #[must_use]
    pub fn content(&self) -> B256 {
        keccak256([&[self.kind.code()], keccak256(&self.body).as_slice()].concat())
    }

    /// As it goes over the wire.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + self.body.len());
        bytes.push(VERSION);
        bytes.extend_from_slice(self.vault.as_slice());
        bytes.extend_from_slice(&self.seq.to_be_bytes());
        bytes.extend_from_slice(&self.at.seconds().to_be_bytes());
        bytes.push(self.kind.code());
        bytes.extend_from_slice(&self.signature);
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// Reads it.
    ///
    /// # Errors
    /// [`FrameError`]: what is wrong with the bytes. Whether somebody signed them is another question.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        if check_frame(bytes.len()).is_err() {
            return Err(FrameError::TooLarge { bytes: bytes.len() });
        }
        let short = FrameError::Short { bytes: bytes.len() };
        let (version, rest) = bytes.split_first().ok_or(short)?;
        let (vault, rest) = rest.split_first_chunk::<20>().ok_or(short)?;
        let (seq, rest) = rest.split_first_chunk::<8>().ok_or(short)?;
        let (at, rest) = rest.split_first_chunk::<8>().ok_or(short)?;
        let (kind, rest) = rest.split_first().ok_or(short)?;
        let (signature, body) = rest.split_first_chunk::<SIGNATURE_BYTES>().ok_or(short)?;
        if *version != VERSION {
            return Err(FrameError::Version(*version));
        }
        let seq = u64::from_be_bytes(*seq);
        if seq == 0 || seq > MOST_SEQ {
            return Err(FrameError::Number);
        }
        let seconds = u64::from_be_bytes(*at);
        let at = UtcTime::from_seconds(seconds);
        if at.seconds() != seconds {
            return Err(FrameError::Time(seconds));
        }
        Ok(Self {
            vault: Address::from(vault),
            seq,
            at,
            kind: WordKind::of_code(*kind).ok_or(FrameError::Kind(*kind))?,
            signature: *signature,
            body: body.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use alloy::signers::SignerSync as _;
    use alloy::signers::local::PrivateKeySigner;
    use proptest::prelude::*;

    use super::*;

    const REALM: Realm = Realm { chain: 31_337, lineage: Address::repeat_byte(9) };

    fn signed(key: &PrivateKeySigner, realm: Realm, mut frame: Frame) -> Frame {
        let signature = key.sign_hash_sync(&realm.digest(&frame.statement())).expect("signed");
        frame.signature = signature.as_bytes();
        frame
    }

    fn frame(seq: u64, kind: WordKind, body: Vec<u8>) -> Frame {
        let vault = Address::repeat_byte(7);
        Frame { vault, seq, at: UtcTime::from_seconds(1_000), kind, signature: [0; SIGNATURE_BYTES], body }
    }

    /// a signature is of every part of the frame, of one chain and of one suite.
    #[test]
    fn r_042_a_frame_is_its_signers_whole_or_not_at_all() {
        let key = PrivateKeySigner::random();
        let mine = signed(&key, REALM, frame(1, WordKind::Warning, b"pool drained".to_vec()));
        let signer = |realm: Realm, frame: &Frame| realm.signer(&frame.statement(), &frame.signature);
        assert_eq!(signer(REALM, &mine), Some(key.address()));
        let changed = [
            Frame { vault: Address::repeat_byte(8), ..mine.clone() },
            Frame { seq: 2, ..mine.clone() },
            Frame { at: UtcTime::from_seconds(1_001), ..mine.clone() },
            Frame { kind: WordKind::Dying, ..mine.clone() },
            Frame { body: b"pool drainee".to_vec(), ..mine.clone() },
        ];
        assert!(changed.iter().all(|frame| signer(REALM, frame) != Some(key.address())));
        for elsewhere in [Realm { chain: 1, ..REALM }, Realm { lineage: Address::ZERO, ..REALM }] {
            assert_ne!(signer(elsewhere, &mine), Some(key.address()));
        }
        // The twin with the high s recovers to the same key and is not taken.
        let order = alloy::primitives::uint!(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141_U256);
        let low = Signature::from_raw(&mine.signature).expect("a signature");
        let twin = Signature::new(low.r(), order - low.s(), !low.v());
        assert_eq!(signer(REALM, &Frame { signature: twin.as_bytes(), ..mine.clone() }), None);
        assert_eq!(signer(REALM, &Frame { signature: [0; SIGNATURE_BYTES], ..mine }), None);
    }

    /// I-099: one mebibyte with its header, and not a byte more.
    #[test]
    fn i_099_a_frame_has_a_mebibyte_at_most() {
        let largest = frame(1, WordKind::Batch, vec![7; MOST_BODY_BYTES]).encode();
        assert_eq!(largest.len(), 1 << 20);
        assert!(Frame::decode(&largest).is_ok());
        let larger = [largest.as_slice(), &[7]].concat();
        assert_eq!(Frame::decode(&larger), Err(FrameError::TooLarge { bytes: (1 << 20) + 1 }));
    }

    proptest! {
        /// whatever comes, it is refused with a reason or it is exactly those bytes.
        #[test]
        fn r_042_any_bytes_are_refused_or_kept_as_they_are(
            mut bytes in prop::collection::vec(any::<u8>(), 0..300),
            version in any::<bool>(),
            kind in 0_u8..10,
        ) {
            if version && let Some(first) = bytes.first_mut() { *first = VERSION; }
            if let Some(at) = bytes.get_mut(37) { *at = kind; }
            match Frame::decode(&bytes) {
                Ok(frame) => prop_assert_eq!(frame.encode(), bytes),
                Err(FrameError::Short { .. }) => prop_assert!(bytes.len() < HEADER_BYTES),
                Err(FrameError::Version(found)) => prop_assert_ne!(found, VERSION),
                Err(FrameError::Kind(found)) => prop_assert!(WordKind::of_code(found).is_none()),
                Err(FrameError::Number) => prop_assert!(bytes[21] >= 0x80 || bytes[21..29] == [0; 8]),
                Err(FrameError::Time(at)) => prop_assert!(UtcTime::from_seconds(at).seconds() < at),
                Err(other) => prop_assert!(false, "{other}"),
            }
        }

        /// what is written is read again, for every kind and length.
        #[test]
        fn r_042_what_is_written_is_read(seq in 1..=MOST_SEQ, at in any::<u64>(), kind in 0..WordKind::ALL.len(),
            body in prop::collection::vec(any::<u8>(), 0..2_000), cut in 1_usize..HEADER_BYTES) {
            let kind = WordKind::ALL[kind];
            let written = Frame { at: UtcTime::from_seconds(at), ..frame(seq, kind, body) };
            let bytes = written.encode();
            prop_assert_eq!(Frame::decode(&bytes), Ok(written));
            prop_assert!(Frame::decode(&bytes[..HEADER_BYTES - cut]).is_err());
        }
    }
}
