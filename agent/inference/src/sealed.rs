//! Keys at rest: the layout of Web3 Secret Storage, version 3, holding a provider's key instead of an account's.
//!
//! The same derivation and cipher protect a Golem's own key; only the length of what is sealed differs, so that an owner
//! has one kind of file to keep and one kind of password to remember.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use aes::Aes128;
use aes::cipher::{KeyIvInit, StreamCipher};
use golem_primitives::keccak256;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::secret::ProviderKey;

type Aes128Ctr = ctr::Ctr128BE<Aes128>;

const LARGEST_FILE: u64 = 64 * 1024;
/// The most memory a file may make us spend on it: 1 GiB.
const MOST_MEMORY: u64 = 1 << 30;
/// scrypt at n = 2^18, r = 8, p = 1: 256 MiB and about a second a guess.
const LOG_N: u8 = 18;

/// What can be wrong with a sealed key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealedError {
    #[error("{path} exists already, and a key file is never overwritten; choose another name")]
    Exists { path: PathBuf },
    #[error("{path} is no sealed key this can open ({why})")]
    NotSealed { path: PathBuf, why: &'static str },
    #[error("the password does not open {path}")]
    WrongPassword { path: PathBuf },
    /// An empty password protects nothing.
    #[error("an empty password protects nothing; choose another")]
    NoPassword,
    #[error("the operating system gives no randomness")]
    NoRandomness,
    #[error("{path} cannot be read or written")]
    File {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

#[derive(Serialize, Deserialize)]
struct File {
    crypto: Crypto,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Crypto {
    cipher: String,
    cipherparams: CipherParams,
    ciphertext: Hex,
    kdf: String,
    kdfparams: KdfParams,
    mac: Hex,
}

#[derive(Serialize, Deserialize)]
struct CipherParams {
    iv: Hex,
}

#[derive(Serialize, Deserialize)]
struct KdfParams {
    dklen: u32,
    n: u64,
    p: u32,
    r: u32,
    salt: Hex,
}

/// Bytes written in hex.
struct Hex(Vec<u8>);

impl Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&digits)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
        let bytes = if text.is_ascii() && text.len().is_multiple_of(2) {
            (0..text.len()).step_by(2).map(pair).collect::<Option<Vec<_>>>()
        } else {
            None
        };
        bytes.map(Self).ok_or_else(|| serde::de::Error::custom("no hex"))
    }
}

/// Seals a key into a new file that only its owner may read.
///
/// # Errors
/// [`SealedError::Exists`] when something is there, [`SealedError::NoPassword`], [`SealedError::File`].
pub fn seal(path: &Path, key: &ProviderKey, password: &Zeroizing<String>) -> Result<(), SealedError> {
    seal_with(path, key, password, LOG_N)
}

fn seal_with(path: &Path, key: &ProviderKey, password: &Zeroizing<String>, log_n: u8) -> Result<(), SealedError> {
    if password.is_empty() {
        return Err(SealedError::NoPassword);
    }
    let (mut salt, mut iv) = ([0_u8; 32], [0_u8; 16]);
    getrandom::fill(&mut salt).map_err(|_| SealedError::NoRandomness)?;
    getrandom::fill(&mut iv).map_err(|_| SealedError::NoRandomness)?;
    let kdf = KdfParams { dklen: 32, n: 1 << log_n, p: 1, r: 8, salt: Hex(salt.to_vec()) };
    let derived = derive(&kdf, password).expect("these numbers are possible");
    let mut text = key.to_bytes();
    Aes128Ctr::new(derived[..16].into(), &iv.into()).apply_keystream(&mut text);
    let mac = Hex(mac(&derived, &text));
    let crypto = Crypto {
        cipher: "aes-128-ctr".to_owned(),
        cipherparams: CipherParams { iv: Hex(iv.to_vec()) },
        ciphertext: Hex(text.to_vec()),
        kdf: "scrypt".to_owned(),
        kdfparams: kdf,
        mac,
    };
    let file = serde_json::to_vec_pretty(&File { crypto, version: 3 }).expect("plain data");
    let opened = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let written = opened.and_then(|mut to| to.write_all(&file).and_then(|()| to.sync_all()));
    written.map_err(|source| match source.kind() {
        std::io::ErrorKind::AlreadyExists => SealedError::Exists { path: path.to_owned() },
        _ => SealedError::File { path: path.to_owned(), source },
    })
}

/// Opens a sealed key. Takes about a second and 256 MiB: not for an async thread.
///
/// # Errors
/// [`SealedError::WrongPassword`], [`SealedError::NotSealed`], [`SealedError::File`].
pub fn open(path: &Path, password: &Zeroizing<String>) -> Result<ProviderKey, SealedError> {
    let not = |why| SealedError::NotSealed { path: path.to_owned(), why };
    let unread = |source| SealedError::File { path: path.to_owned(), source };
    let meta = fs::metadata(path).map_err(unread)?;
    if !meta.is_file() || meta.len() > LARGEST_FILE {
        return Err(not("it is no file, or far too large for one"));
    }
    let bytes = Zeroizing::new(fs::read(path).map_err(unread)?);
    // serde's words may repeat a piece of the file, which could be a key in plain text.
    let file: File = serde_json::from_slice(&bytes).map_err(|_| not("its fields are not those of one"))?;
    let Crypto { cipher, cipherparams, ciphertext, kdf, kdfparams, mac: expected } = file.crypto;
    if file.version != 3 || cipher != "aes-128-ctr" || kdf != "scrypt" {
        return Err(not("only version 3 with aes-128-ctr and scrypt is known"));
    }
    let iv: [u8; 16] = cipherparams.iv.0.try_into().map_err(|_| not("its iv has not 16 bytes"))?;
    let derived = derive(&kdfparams, password).ok_or_else(|| not("its scrypt numbers are impossible or too dear"))?;
    if mac(&derived, &ciphertext.0) != expected.0 {
        return Err(SealedError::WrongPassword { path: path.to_owned() });
    }
    let mut text = Zeroizing::new(ciphertext.0);
    Aes128Ctr::new(derived[..16].into(), &iv.into()).apply_keystream(&mut text);
    let key = std::str::from_utf8(&text).map_err(|_| not("what it holds is no key"))?;
    ProviderKey::new(key.to_owned(), "key_file").map_err(|_| not("what it holds is no key"))
}

fn derive(kdf: &KdfParams, password: &str) -> Option<Zeroizing<[u8; 32]>> {
    let memory = 128_u64.checked_mul(kdf.n)?.checked_mul(u64::from(kdf.r))?;
    let is_fair = kdf.n.is_power_of_two() && kdf.n >= 2 && kdf.dklen == 32 && (1..=64).contains(&kdf.p);
    if !is_fair || memory == 0 || memory > MOST_MEMORY {
        return None;
    }
    let log_n = u8::try_from(kdf.n.ilog2()).ok()?;
    let parameters = scrypt::Params::new(log_n, kdf.r, kdf.p, 32).ok()?;
    let mut derived = Zeroizing::new([0_u8; 32]);
    scrypt::scrypt(password.as_bytes(), &kdf.salt.0, &parameters, &mut *derived).ok()?;
    Some(derived)
}

fn mac(derived: &[u8; 32], ciphertext: &[u8]) -> Vec<u8> {
    let input = Zeroizing::new([&derived[16..], ciphertext].concat());
    keccak256(&*input).to_vec()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn password(text: &str) -> Zeroizing<String> {
        Zeroizing::new(text.to_owned())
    }

    /// a key is sealed privately, opens with its password alone, and is never overwritten.
    #[test]
    fn r_024_a_sealed_key_opens_with_its_password_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("anthropic.json");
        let key = ProviderKey::new("sk-canary-0123456789".to_owned(), "test").expect("a key");
        seal_with(&path, &key, &password("horse"), 4).expect("sealed");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert!(!key.is_in(&fs::read_to_string(&path).expect("text")), "the key is not in it");
        assert_eq!(open(&path, &password("horse")).expect("opened"), key);
        assert!(matches!(open(&path, &password("mule")), Err(SealedError::WrongPassword { .. })));
        assert!(matches!(seal_with(&path, &key, &password("x"), 4), Err(SealedError::Exists { .. })));
        assert!(matches!(seal(&folder.path().join("b"), &key, &password("")), Err(SealedError::NoPassword)));
    }

    /// what is no sealed key is refused without repeating it, and no file makes us spend its memory.
    #[test]
    fn r_024_what_is_no_sealed_key_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key.json");
        let key = ProviderKey::new("sk-canary-0123456789".to_owned(), "test").expect("a key");
        seal_with(&path, &key, &password("horse"), 4).expect("sealed");
        let good = fs::read_to_string(&path).expect("text");
        for text in [
            "sk-canary-0123456789".to_owned(),
            String::new(),
            good.replace("\"n\": 16", "\"n\": 1099511627776"),
            good.replace("\"n\": 16", "\"n\": 15"),
            good.replace("\"version\": 3", "\"version\": 4"),
            good.replace("aes-128-ctr", "none"),
            good.replace("\"ciphertext\": \"", "\"ciphertext\": \"é"),
        ] {
            fs::write(&path, &text).expect("written");
            let error = open(&path, &password("horse")).expect_err("refused");
            assert!(matches!(error, SealedError::NotSealed { .. }), "{text}: {error:?}");
            assert!(!key.is_in(&format!("{error} {error:?}")), "{error:?}");
        }
        assert!(matches!(open(&folder.path().join("none"), &password("x")), Err(SealedError::File { .. })));
    }
}
