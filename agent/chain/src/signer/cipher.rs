//! Web3 Secret Storage, version 3: what is inside the file.
//!
//! Written here on RustCrypto's primitives because the `eth-keystore` crate behind alloy fixes scrypt at n = 2^13, a
//! sixteenth of what OWASP asks for, and leaves the derived key in memory. What is written opens in geth, cast and clef.

use aes::Aes128;
use aes::cipher::{KeyIvInit, StreamCipher};
use alloy::primitives::{Address, B256, hex, keccak256};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::key::LocalKey;

type Aes128Ctr = ctr::Ctr128BE<Aes128>;

/// The most memory a file may make us spend on it: 1 GiB, four times geth's standard.
const MOST_MEMORY: u64 = 1 << 30;
const MOST_ROUNDS: u32 = 20_000_000;

/// How hard a password is to guess from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PasswordStrength {
    /// scrypt with n = 2^18, r = 8, p = 1, as geth: 256 MiB and about a second a guess.
    #[default]
    Standard,
    /// n = 2^17: OWASP's minimum, for small machines.
    Small,
    /// n = 2^12: for tests. Files with real money deserve better.
    Test,
}

impl PasswordStrength {
    const fn log_n(self) -> u8 {
        match self {
            Self::Standard => 18,
            Self::Small => 17,
            Self::Test => 12,
        }
    }
}

/// The whole file. Fields this code does not know are left alone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sealed {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    #[serde(alias = "Crypto")]
    crypto: Crypto,
    #[serde(default)]
    id: String,
    version: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Crypto {
    cipher: String,
    cipherparams: CipherParams,
    ciphertext: String,
    #[serde(flatten)]
    kdf: Kdf,
    mac: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct CipherParams {
    iv: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kdf", content = "kdfparams", rename_all = "lowercase")]
enum Kdf {
    Scrypt { dklen: u32, n: u64, p: u32, r: u32, salt: String },
    Pbkdf2 { c: u32, dklen: u32, prf: String, salt: String },
}

/// What may be wrong with what is inside.
#[derive(Debug)]
pub(super) enum Spoilt {
    NotAKeystore(String),
    WrongPassword,
    NoRandomness,
}

impl Sealed {
    pub(super) fn seal(key: &LocalKey, password: &str, strength: PasswordStrength) -> Result<Self, Spoilt> {
        let mut salt = [0_u8; 32];
        let mut iv = [0_u8; 16];
        let mut id = [0_u8; 16];
        for bytes in [&mut salt[..], &mut iv[..], &mut id[..]] {
            getrandom::fill(bytes).map_err(|_| Spoilt::NoRandomness)?;
        }
        let kdf = Kdf::Scrypt { dklen: 32, n: 1 << strength.log_n(), p: 1, r: 8, salt: hex::encode(salt) };
        let derived = kdf.derive(password)?;
        let mut text = *key.expose();
        apply_cipher(&derived, &iv, &mut text);
        // Now ciphertext: the key itself was in this buffer for the time of one XOR.
        let mac = mac(&derived, &text);
        Ok(Self {
            address: Some(hex::encode(key.address())),
            crypto: Crypto {
                cipher: "aes-128-ctr".to_owned(),
                cipherparams: CipherParams { iv: hex::encode(iv) },
                ciphertext: hex::encode(text),
                kdf,
                mac: hex::encode(mac),
            },
            id: uuid4(id),
            version: 3,
        })
    }

    /// The address the file says it is for.
    pub(super) fn says(&self) -> Option<Address> {
        let bytes = hex::decode(self.address.as_deref()?).ok()?;
        (bytes.len() == 20).then(|| Address::from_slice(&bytes))
    }

    /// Refuses what this code could not open whatever the password.
    pub(super) fn check(&self) -> Result<(), Spoilt> {
        let odd = |what: String| Err(Spoilt::NotAKeystore(what));
        if self.version != 3 {
            return odd(format!("version {} instead of 3", self.version));
        }
        if self.crypto.cipher != "aes-128-ctr" {
            return odd(format!("cipher {:?} instead of aes-128-ctr", self.crypto.cipher));
        }
        match &self.crypto.kdf {
            Kdf::Scrypt { dklen, n, p, r, .. } => {
                let memory = 128_u64.saturating_mul(*n).saturating_mul(u64::from(*r));
                if !n.is_power_of_two() || *n < 2 || *dklen != 32 || *r == 0 || *p == 0 || *p > 64 {
                    return odd(format!("scrypt with n {n}, r {r}, p {p}, dklen {dklen}"));
                }
                // RFC 7914 wants n below 2^(16 r); a few old tools wrote files beyond it.
                if u64::from(n.ilog2()) >= 16 * u64::from(*r) {
                    return odd(format!("scrypt with n {n} and r {r}, which RFC 7914 does not allow"));
                }
                if memory > MOST_MEMORY {
                    return odd(format!("scrypt that wants {} MiB of memory", memory >> 20));
                }
            }
            Kdf::Pbkdf2 { c, dklen, prf, .. } => {
                if prf != "hmac-sha256" || *dklen != 32 || *c == 0 || *c > MOST_ROUNDS {
                    return odd(format!("pbkdf2 with {prf}, {c} rounds, dklen {dklen}"));
                }
            }
        }
        self.parts().map(|_| ())
    }

    pub(super) fn open(&self, password: &str) -> Result<LocalKey, Spoilt> {
        self.check()?;
        let (iv, ciphertext, expected) = self.parts()?;
        let derived = self.crypto.kdf.derive(password)?;
        // Both are hashes of what an attacker does not know, so the time of comparing them tells nothing of use.
        if mac(&derived, &ciphertext) != expected {
            return Err(Spoilt::WrongPassword);
        }
        let mut key = Zeroizing::new(ciphertext);
        apply_cipher(&derived, &iv, &mut key);
        LocalKey::from_bytes(&key).map_err(|_| Spoilt::NotAKeystore("what it holds is no private key".to_owned()))
    }

    fn parts(&self) -> Result<([u8; 16], [u8; 32], B256), Spoilt> {
        let iv = fixed(&self.crypto.cipherparams.iv, "iv")?;
        let ciphertext = fixed(&self.crypto.ciphertext, "ciphertext")?;
        let mac: [u8; 32] = fixed(&self.crypto.mac, "mac")?;
        Ok((iv, ciphertext, mac.into()))
    }
}

impl Kdf {
    fn derive(&self, password: &str) -> Result<Zeroizing<[u8; 32]>, Spoilt> {
        let mut derived = Zeroizing::new([0_u8; 32]);
        match self {
            Self::Scrypt { n, p, r, salt, .. } => {
                let log_n = u8::try_from(n.ilog2()).expect("below 64");
                let parameters = scrypt::Params::new(log_n, *r, *p, 32)
                    .map_err(|_| Spoilt::NotAKeystore("scrypt with impossible numbers".to_owned()))?;
                scrypt::scrypt(password.as_bytes(), &salt_of(salt)?, &parameters, &mut *derived)
                    .expect("32 bytes is a length scrypt gives");
            }
            Self::Pbkdf2 { c, salt, .. } => {
                pbkdf2::pbkdf2_hmac::<Sha256>(password.as_bytes(), &salt_of(salt)?, *c, &mut *derived);
            }
        }
        Ok(derived)
    }
}

fn salt_of(text: &str) -> Result<Vec<u8>, Spoilt> {
    hex::decode(text).map_err(|_| Spoilt::NotAKeystore("its salt is no hex".to_owned()))
}

fn fixed<const N: usize>(text: &str, what: &str) -> Result<[u8; N], Spoilt> {
    let mut bytes = [0_u8; N];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| Spoilt::NotAKeystore(format!("its {what} is not {N} bytes")))?;
    Ok(bytes)
}

fn apply_cipher(derived: &[u8; 32], iv: &[u8; 16], text: &mut [u8; 32]) {
    Aes128Ctr::new(derived[..16].into(), iv.into()).apply_keystream(text);
}

fn mac(derived: &[u8; 32], ciphertext: &[u8; 32]) -> B256 {
    let mut input = Zeroizing::new([0_u8; 48]);
    input[..16].copy_from_slice(&derived[16..]);
    input[16..].copy_from_slice(ciphertext);
    keccak256(*input)
}

fn uuid4(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex::encode(bytes);
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From geth's tests, with the password "foobar".
    const SCRYPT: &str = r#"{"address":"7ef5a6135f1fd6a02593eedc869c6d41d934aef8","crypto":{"cipher":"aes-128-ctr","ciphertext":"1d0839166e7a15b9c1333fc865d69858b22df26815ccf601b28219b6192974e1","cipherparams":{"iv":"8df6caa7ff1b00c4e871f002cb7921ed"},"kdf":"scrypt","kdfparams":{"dklen":32,"n":8,"p":16,"r":8,"salt":"e5e6ef3f4ea695f496b643ebd3f75c0aa58ef4070e90c80c5d3fb0241bf1595c"},"mac":"6d16dfde774845e4585357f24bce530528bc69f4f84e1e22880d34fa45c273e5"},"id":"950077c7-71e3-4c44-a4a1-143919141ed4","version":3}"#;
    /// From the definition of Web3 Secret Storage, with the password "testpassword".
    const PBKDF2: &str = r#"{"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},"ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46","kdf":"pbkdf2","kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256","salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},"mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},"id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}"#;
    const PBKDF2_KEY: &str = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";

    #[test]
    fn r_024_files_of_others_open() {
        let sealed: Sealed = serde_json::from_str(SCRYPT).expect("a keystore");
        let key = sealed.open("foobar").expect("the right password");
        assert_eq!(Some(key.address()), sealed.says());
        let sealed: Sealed = serde_json::from_str(PBKDF2).expect("a keystore");
        let key = sealed.open("testpassword").expect("the right password");
        assert_eq!(hex::encode(*key.expose()), PBKDF2_KEY);
    }

    #[test]
    fn r_024_what_is_sealed_opens_with_its_password_only() {
        let key = LocalKey::random().expect("a key");
        let sealed = Sealed::seal(&key, "pässword", PasswordStrength::Test).expect("sealed");
        assert_eq!(sealed.says(), Some(key.address()));
        assert_eq!(sealed.open("pässword").expect("opened").address(), key.address());
        assert!(matches!(sealed.open("password"), Err(Spoilt::WrongPassword)));
        assert!(matches!(sealed.open(""), Err(Spoilt::WrongPassword)));
    }

    #[test]
    fn r_024_a_file_cannot_make_us_spend_all_memory() {
        for (from, to) in [
            (r#""n":8"#, r#""n":1099511627776"#),
            (r#""r":8"#, r#""r":4294967295"#),
            (r#""n":8"#, r#""n":9"#),
            (r#""n":8,"p":16,"r":8"#, r#""n":262144,"p":8,"r":1"#),
            (r#""dklen":32"#, r#""dklen":16"#),
        ] {
            let sealed: Sealed = serde_json::from_str(&SCRYPT.replace(from, to)).expect("still JSON");
            assert!(matches!(sealed.open("foobar"), Err(Spoilt::NotAKeystore(_))), "{to}");
        }
    }

    #[test]
    fn the_standard_strength_is_at_least_the_recommended_one() {
        assert!(PasswordStrength::default().log_n() >= 17 && PasswordStrength::Small.log_n() >= 17);
    }
}
