//! I-117. An archive is sealed before it leaves the machine: a file of `age` version 1 to an X25519 recipient, which every
//! program that knows that format opens. The relay keeps what it cannot read.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::hmac;
use data_encoding::BASE64_NOPAD;
use zeroize::Zeroizing;

/// The first line of every file.
const VERSION: &str = "age-encryption.org/v1";
const RECIPIENT: &str = "age-encryption.org/v1/X25519";
/// Bytes of a piece, and of the tag behind it.
const CHUNK: usize = 64 * 1024;
const TAG: usize = 16;
/// Bytes of the key of a file, and of the number that its pieces begin with.
const FILE_KEY: usize = 16;
const NONCE: usize = 16;
/// A header is two lines a recipient; nobody needs more than this.
const MOST_HEADER: usize = 16 * 1024;

/// Why something cannot be sealed or opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    #[error("this is no {0}; it begins with {1}")]
    NoKey(&'static str, &'static str),
    #[error("this is no file of age version 1, or it was cut or changed")]
    Damaged,
    #[error("this file was sealed for another key")]
    NotForUs,
    #[error("the operating system gave no randomness")]
    NoRandomness,
    #[error("a file is sealed for somebody; name a recipient")]
    NoRecipient,
}

/// The public half: who may open. Written `age1...`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArchiveRecipient([u8; 32]);

/// The secret half. It shows itself only when it is asked to, and is wiped when dropped.
pub struct ArchiveIdentity(Zeroizing<[u8; 32]>);

impl fmt::Debug for ArchiveIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ArchiveIdentity").field(&self.recipient()).finish()
    }
}

impl fmt::Display for ArchiveRecipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&bech32("age", &self.0))
    }
}

impl FromStr for ArchiveRecipient {
    type Err = SealError;

    fn from_str(text: &str) -> Result<Self, SealError> {
        unbech32("age", text).map(|bytes| Self(*bytes)).ok_or(SealError::NoKey("recipient of an archive", "age1"))
    }
}

impl FromStr for ArchiveIdentity {
    type Err = SealError;

    fn from_str(text: &str) -> Result<Self, SealError> {
        let no_key = SealError::NoKey("key of an archive", "AGE-SECRET-KEY-1");
        unbech32("age-secret-key-", text.trim()).map(Self).ok_or(no_key)
    }
}

impl ArchiveIdentity {
    /// A new one from the operating system's randomness.
    pub fn random() -> Result<Self, SealError> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *bytes).map_err(|_| SealError::NoRandomness)?;
        Ok(Self(bytes))
    }

    /// Its public half.
    #[must_use]
    pub fn recipient(&self) -> ArchiveRecipient {
        ArchiveRecipient(public(&self.0))
    }

    /// The secret itself, as `age` writes it.
    #[must_use]
    pub fn expose(&self) -> Zeroizing<String> {
        Zeroizing::new(bech32("age-secret-key-", &self.0).to_ascii_uppercase())
    }
}

fn private(secret: &[u8; 32]) -> PrivateKey {
    PrivateKey::from_private_key(&X25519, secret).expect("every 32 bytes are a key of X25519")
}

fn public(secret: &[u8; 32]) -> [u8; 32] {
    let key = private(secret).compute_public_key().expect("every key has one");
    key.as_ref().try_into().expect("32 bytes")
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive(secret: &[u8], salt: &[u8], info: &str) -> Zeroizing<[u8; 32]> {
    let mut key = Zeroizing::new([0; 32]);
    let extracted = Salt::new(HKDF_SHA256, salt).extract(secret);
    let info = [info.as_bytes()];
    let expanded = extracted.expand(&info, Length(32)).expect("32 bytes are few");
    expanded.fill(&mut *key).expect("as long as was asked for");
    key
}

fn cipher(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key).expect("32 bytes"))
}

/// The key under which the key of a file is wrapped for one recipient.
fn wrapping(secret: &[u8; 32], peer: &[u8; 32], share: &[u8; 32], recipient: &[u8; 32]) -> Option<LessSafeKey> {
    let salt = [share.as_slice(), recipient].concat();
    let derived = |shared: &[u8]| Ok(derive(shared, &salt, RECIPIENT));
    let key = agree(&private(secret), UnparsedPublicKey::new(&X25519, peer.as_slice()), (), derived).ok()?;
    Some(cipher(&key))
}

fn mac(file_key: &[u8], header: &str) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, derive(file_key, &[], "header").as_slice()), header.as_bytes())
}

/// The number of a piece, and whether it is the last.
fn piece(number: u64, is_last: bool) -> Nonce {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = u8::from(is_last);
    Nonce::assume_unique_for_key(nonce)
}

/// Seals bytes for everyone named: each of them alone can open.
///
/// # Errors
/// [`SealError::NoRecipient`] or [`SealError::NoRandomness`].
pub fn seal(recipients: &[ArchiveRecipient], plain: &[u8]) -> Result<Vec<u8>, SealError> {
    if recipients.is_empty() {
        return Err(SealError::NoRecipient);
    }
    let mut file_key = Zeroizing::new([0; FILE_KEY]);
    getrandom::fill(&mut *file_key).map_err(|_| SealError::NoRandomness)?;
    let mut header = format!("{VERSION}\n");
    for recipient in recipients {
        let once = ArchiveIdentity::random()?;
        let share = public(&once.0);
        let key = wrapping(&once.0, &recipient.0, &share, &recipient.0);
        let key = key.ok_or(SealError::NoKey("recipient of an archive", "age1"))?;
        let mut wrapped = file_key.to_vec();
        key.seal_in_place_append_tag(piece(0, false), Aad::empty(), &mut wrapped).expect("16 bytes are few");
        let (share, wrapped) = (BASE64_NOPAD.encode(&share), BASE64_NOPAD.encode(&wrapped));
        header.push_str(&format!("-> X25519 {share}\n{wrapped}\n"));
    }
    header.push_str("---");
    let tag = mac(&*file_key, &header);
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce).map_err(|_| SealError::NoRandomness)?;
    let key = cipher(&derive(&*file_key, &nonce, "payload"));
    let pieces = plain.len().div_ceil(CHUNK).max(1);
    let mut sealed = Vec::with_capacity(header.len() + 64 + plain.len() + pieces * TAG);
    sealed.extend_from_slice(header.as_bytes());
    sealed.extend_from_slice(format!(" {}\n", BASE64_NOPAD.encode(tag.as_ref())).as_bytes());
    sealed.extend_from_slice(&nonce);
    for number in 0..pieces {
        let chunk = &plain[number * CHUNK..plain.len().min((number + 1) * CHUNK)];
        let begin = sealed.len();
        sealed.extend_from_slice(chunk);
        let nonce = piece(number as u64, number + 1 == pieces);
        let tag = key.seal_in_place_separate_tag(nonce, Aad::empty(), &mut sealed[begin..]).expect("64 KiB are few");
        sealed.extend_from_slice(tag.as_ref());
    }
    Ok(sealed)
}

/// Opens what was sealed for this key.
///
/// # Errors
/// [`SealError::Damaged`] for anything that is not whole, [`SealError::NotForUs`] when others were meant.
pub fn unseal(identity: &ArchiveIdentity, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
    let damaged = SealError::Damaged;
    let head = &sealed[..sealed.len().min(MOST_HEADER)];
    let end = head.windows(5).position(|window| window == b"\n--- ").ok_or(damaged)?;
    let header = std::str::from_utf8(&sealed[..end + 4]).map_err(|_| damaged)?;
    let rest = &sealed[end + 5..];
    let line = rest.iter().take(64).position(|byte| *byte == b'\n').ok_or(damaged)?;
    let tag = BASE64_NOPAD.decode(&rest[..line]).map_err(|_| damaged)?;
    let body = &rest[line + 1..];
    let mut lines = header.lines();
    if lines.next() != Some(VERSION) {
        return Err(damaged);
    }
    let lines: Vec<&str> = lines.collect();
    let file_key = lines.windows(2).find_map(|pair| unwrap(identity, pair[0], pair[1])).ok_or(SealError::NotForUs)?;
    let key = hmac::Key::new(hmac::HMAC_SHA256, derive(&file_key, &[], "header").as_slice());
    hmac::verify(&key, header.as_bytes(), &tag).map_err(|_| damaged)?;
    let (nonce, body) = body.split_first_chunk::<NONCE>().ok_or(damaged)?;
    let key = cipher(&derive(&file_key, nonce, "payload"));
    let mut plain = Zeroizing::new(Vec::with_capacity(body.len()));
    let pieces = body.len().div_ceil(CHUNK + TAG);
    if pieces == 0 {
        return Err(damaged);
    }
    for (number, chunk) in body.chunks(CHUNK + TAG).enumerate() {
        let is_last = number + 1 == pieces;
        // Only a file of nothing has an empty piece.
        if chunk.len() < TAG || (chunk.len() == TAG && number > 0) {
            return Err(damaged);
        }
        let mut chunk = Zeroizing::new(chunk.to_vec());
        let opened = key.open_in_place(piece(number as u64, is_last), Aad::empty(), &mut chunk);
        plain.extend_from_slice(opened.map_err(|_| damaged)?);
    }
    Ok(plain)
}

/// The key of a file, when these two lines hold it for us.
fn unwrap(identity: &ArchiveIdentity, line: &str, body: &str) -> Option<Zeroizing<Vec<u8>>> {
    let share = BASE64_NOPAD.decode(line.strip_prefix("-> X25519 ")?.as_bytes()).ok()?;
    let share: [u8; 32] = share.try_into().ok()?;
    let mut wrapped = Zeroizing::new(BASE64_NOPAD.decode(body.as_bytes()).ok()?);
    if wrapped.len() != FILE_KEY + TAG {
        return None;
    }
    let key = wrapping(&identity.0, &share, &share, &identity.recipient().0)?;
    let opened = key.open_in_place(piece(0, false), Aad::empty(), &mut wrapped).ok()?;
    Some(Zeroizing::new(opened.to_vec()))
}

/// The letters of Bech32.
const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// Letters at the end by which a slip of the pen is found.
const CHECK: usize = 6;

fn polymod(values: impl Iterator<Item = u8>) -> u32 {
    const TAPS: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    values.fold(1, |sum, value| {
        let top = sum >> 25;
        let sum = ((sum & 0x01ff_ffff) << 5) ^ u32::from(value);
        TAPS.iter().enumerate().fold(sum, |sum, (bit, tap)| if top >> bit & 1 == 1 { sum ^ tap } else { sum })
    })
}

/// The word before the one, as it counts towards the check.
fn expanded(word: &str) -> impl Iterator<Item = u8> {
    word.bytes().map(|byte| byte >> 5).chain([0]).chain(word.bytes().map(|byte| byte & 31))
}

/// Bits in groups of one size as groups of another; `None` when what is left over is not nothing.
fn regroup(groups: &[u8], from: u32, to: u32, pad: bool) -> Option<Zeroizing<Vec<u8>>> {
    let (mut held, mut bits, mut out) = (0_u32, 0, Zeroizing::new(Vec::with_capacity(64)));
    for group in groups {
        held = (held << from | u32::from(*group)) & 0xfff;
        bits += from;
        while bits >= to {
            bits -= to;
            out.push((held >> bits & ((1 << to) - 1)) as u8);
        }
    }
    let left = held & ((1 << bits) - 1);
    if pad && bits > 0 {
        out.push((left << (to - bits)) as u8);
    } else if !pad && (bits >= from || left != 0) {
        return None;
    }
    Some(out)
}

fn bech32(word: &str, bytes: &[u8; 32]) -> String {
    let groups = regroup(bytes, 8, 5, true).expect("padded");
    let sum = polymod(expanded(word).chain(groups.iter().copied()).chain([0; CHECK])) ^ 1;
    let check = (0..CHECK).map(|at| (sum >> (5 * (CHECK - 1 - at)) & 31) as u8);
    let letters = groups.iter().copied().chain(check).map(|group| char::from(LETTERS[usize::from(group)]));
    format!("{word}1{}", letters.collect::<String>())
}

fn unbech32(word: &str, text: &str) -> Option<Zeroizing<[u8; 32]>> {
    // One case, as the format has it: a text of both was mistyped.
    if text.bytes().any(|byte| byte.is_ascii_lowercase()) && text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let text = Zeroizing::new(text.to_ascii_lowercase());
    let letters = text.strip_prefix(word)?.strip_prefix('1')?;
    let group = |byte: u8| LETTERS.iter().position(|letter| *letter == byte).and_then(|at| u8::try_from(at).ok());
    let groups = Zeroizing::new(letters.bytes().map(group).collect::<Option<Vec<u8>>>()?);
    if groups.len() <= CHECK || polymod(expanded(word).chain(groups.iter().copied())) != 1 {
        return None;
    }
    let bytes = regroup(&groups[..groups.len() - CHECK], 5, 8, false)?;
    Some(Zeroizing::new(bytes.as_slice().try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// I-117: whatever its size, what was sealed is opened by its key, and by that alone.
    #[test]
    fn i_117_a_sealed_file_is_opened_by_its_key_alone() {
        let (ann, ben, eve) = (ArchiveIdentity::random(), ArchiveIdentity::random(), ArchiveIdentity::random());
        let (ann, ben, eve) = (ann.expect("a key"), ben.expect("a key"), eve.expect("a key"));
        for size in [0, 1, 65_535, 65_536, 65_537, 131_072, 3_000_000] {
            let plain: Vec<u8> = (0..size).map(|n: u32| (n * 31) as u8).collect();
            let sealed = seal(&[ben.recipient(), ann.recipient()], &plain).expect("sealed");
            assert_eq!(unseal(&ann, &sealed).as_deref(), Ok(&plain), "{size}");
            assert_eq!(unseal(&ben, &sealed).as_deref(), Ok(&plain), "{size}");
            assert_eq!(unseal(&eve, &sealed), Err(SealError::NotForUs), "{size}");
            for cut in [0, 20, sealed.len() / 2, sealed.len() - 1, sealed.len() - TAG] {
                assert!(unseal(&ann, &sealed[..cut]).is_err(), "{size} cut to {cut}");
            }
            // Whole pieces off the end, and one more behind it.
            let longer = [sealed.as_slice(), &[0; TAG]].concat();
            assert_eq!(unseal(&ann, &longer), Err(SealError::Damaged), "{size}");
        }
        assert_eq!(seal(&[], b"for nobody"), Err(SealError::NoRecipient));
        let zero = ArchiveRecipient([0; 32]);
        assert!(seal(&[zero], b"to a key that everyone has").is_err());
    }

    /// I-117: keys are written as `age` writes them.
    #[test]
    fn i_117_keys_are_written_as_age_writes_them() {
        // The example of the format itself: a secret of 32 bytes 0x42.
        let secret = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
        let identity: ArchiveIdentity = secret.parse().expect("a key");
        assert_eq!(*identity.0, [0x42; 32]);
        assert_eq!(identity.expose().as_str(), secret);
        let recipient = identity.recipient();
        assert_eq!(recipient.to_string(), "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj");
        assert_eq!(recipient.to_string().parse(), Ok(recipient));
        assert!(!format!("{identity:?}").contains("AGE-SECRET"), "R-024");
        let mistyped = secret.replace("GFPQ4", "GFPQ5");
        for wrong in ["", "age1", "AGE-SECRET-KEY-1", &secret[..40], &mistyped, &recipient.to_string()] {
            assert!(wrong.parse::<ArchiveIdentity>().is_err(), "{wrong}");
        }
    }

    proptest! {
        /// I-117: one bit changed anywhere, and nothing comes out.
        #[test]
        fn i_117_a_changed_file_is_not_opened(size in 0_usize..70_000, at in any::<prop::sample::Index>(), bit in 0_u8..8) {
            let identity = ArchiveIdentity(Zeroizing::new([7; 32]));
            let mut sealed = seal(&[identity.recipient()], &vec![9; size]).expect("sealed");
            let at = at.index(sealed.len());
            sealed[at] ^= 1 << bit;
            prop_assert!(unseal(&identity, &sealed).is_err());
        }

        /// I-117: no bytes make opening fall over.
        #[test]
        fn i_117_any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), text in "[ -~\n]{0,200}") {
            let identity = ArchiveIdentity(Zeroizing::new([7; 32]));
            let header = format!("{VERSION}\n{text}\n--- {text}\n");
            prop_assert!(unseal(&identity, &bytes).is_err());
            prop_assert!(unseal(&identity, header.as_bytes()).is_err());
        }
    }
}
