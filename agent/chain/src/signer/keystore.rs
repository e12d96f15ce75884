//! Keystore files: made once, never overwritten, readable by their owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use alloy::primitives::Address;

use super::cipher::{PasswordStrength, Sealed, Spoilt};
use super::error::SignerError;
use super::key::{LocalKey, Secret};

/// Keystores are below one kilobyte; what is larger is something else.
const LARGEST_FILE: u64 = 64 * 1024;

/// An encrypted key in a file, still locked.
#[derive(Debug, Clone)]
pub struct Keystore {
    path: PathBuf,
    sealed: Sealed,
    mode: u32,
}

impl Keystore {
    /// Makes a new key and writes it, encrypted, to `path`.
    ///
    /// # Errors
    /// [`KeyFileError::Exists`] when something is there: a key file is never overwritten.
    pub fn create(
        path: &Path,
        password: &Secret,
        strength: PasswordStrength,
    ) -> Result<(Self, LocalKey), KeyFileError> {
        let key = LocalKey::random()?;
        Ok((Self::store(path, &key, password, strength)?, key))
    }

    /// Writes `key`, encrypted, to `path`.
    pub fn store(
        path: &Path,
        key: &LocalKey,
        password: &Secret,
        strength: PasswordStrength,
    ) -> Result<Self, KeyFileError> {
        if password.is_empty() {
            return Err(KeyFileError::NoPassword);
        }
        if fs::symlink_metadata(path).is_ok() {
            return Err(KeyFileError::Exists { path: path.to_owned() });
        }
        let sealed = Sealed::seal(key, password, strength).map_err(|_| SignerError::NoRandomness)?;
        let text = serde_json::to_vec_pretty(&sealed).expect("plain data");
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(KeyFileError::file("cannot make the folder", folder))?;
        }
        write_new(path, &text)?;
        Ok(Self { path: path.to_owned(), sealed, mode: 0o600 })
    }

    /// Reads the file without unlocking it.
    pub fn open(path: &Path) -> Result<Self, KeyFileError> {
        let meta = fs::metadata(path).map_err(KeyFileError::file("cannot read the key file", path))?;
        let not = |detail: &str| KeyFileError::NotAKeystore { path: path.to_owned(), detail: detail.to_owned() };
        if !meta.is_file() {
            return Err(not("it is no file"));
        }
        if meta.len() > LARGEST_FILE {
            return Err(not("it is far too large for one"));
        }
        let text = fs::read(path).map_err(KeyFileError::file("cannot read the key file", path))?;
        if text.trim_ascii().is_empty() {
            return Err(KeyFileError::Empty { path: path.to_owned() });
        }
        // serde's words may repeat a piece of the file, which could be a key in plain text.
        let sealed: Sealed = serde_json::from_slice(&text).map_err(|_| not("its fields are not those of one"))?;
        sealed.check().map_err(|spoilt| spoilt_file(path, spoilt))?;
        Ok(Self { path: path.to_owned(), sealed, mode: meta.permissions().mode() & 0o777 })
    }

    /// Decrypts the key. Takes about a second and 256 MiB at [`PasswordStrength::Standard`]: not for an async thread.
    ///
    /// # Errors
    /// [`KeyFileError::WrongPassword`]; [`KeyFileError::AnotherKey`] when the file says one address and holds another's
    /// key.
    pub fn unlock(&self, password: &Secret) -> Result<LocalKey, KeyFileError> {
        let key = self.sealed.open(password).map_err(|spoilt| spoilt_file(&self.path, spoilt))?;
        match self.address() {
            Some(says) if says != key.address() => {
                Err(KeyFileError::AnotherKey { path: self.path.clone(), says, holds: key.address() })
            }
            _ => Ok(key),
        }
    }

    /// Whose key the file says it holds; some tools leave it out.
    #[must_use]
    pub fn address(&self) -> Option<Address> {
        self.sealed.says()
    }

    /// The file's mode, when others than its owner may read or write it: worth a warning and a `chmod 600`.
    #[must_use]
    pub const fn loose_mode(&self) -> Option<u32> {
        if self.mode & 0o077 == 0 { None } else { Some(self.mode) }
    }
}

/// Whole or not at all: written beside, synced, then linked to its name, which fails when the name is taken.
fn write_new(path: &Path, text: &[u8]) -> Result<(), KeyFileError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside)
        .and_then(|mut file| file.write_all(text).and_then(|()| file.sync_all()))
        .and_then(|()| fs::hard_link(&beside, path));
    let _ = fs::remove_file(&beside);
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(KeyFileError::Exists { path: path.to_owned() })
        }
        Err(error) => Err(KeyFileError::file("cannot write the key file", path)(error)),
        Ok(()) => {
            if let Some(folder) = path.parent() {
                let _ = File::open(folder).and_then(|folder| folder.sync_all());
            }
            Ok(())
        }
    }
}

fn spoilt_file(path: &Path, spoilt: Spoilt) -> KeyFileError {
    match spoilt {
        Spoilt::NotAKeystore(detail) => KeyFileError::NotAKeystore { path: path.to_owned(), detail },
        Spoilt::WrongPassword => KeyFileError::WrongPassword { path: path.to_owned() },
        Spoilt::NoRandomness => SignerError::NoRandomness.into(),
    }
}

/// What can be wrong with a key file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    #[error("{path} exists already, and a key file is never overwritten; choose another name or move it away")]
    Exists { path: PathBuf },
    #[error("{path} is empty; restore it from a backup, or remove it and create a new key")]
    Empty { path: PathBuf },
    /// It is no Web3 Secret Storage file of version 3.
    #[error("{path} is not a keystore this can open ({detail}); expected is a Web3 Secret Storage file, version 3")]
    NotAKeystore { path: PathBuf, detail: String },
    #[error("the password does not open {path}; try again, or restore the file from a backup if it was damaged")]
    WrongPassword { path: PathBuf },
    #[error("an empty password protects nothing; choose another")]
    NoPassword,
    #[error("{path} says it is the key of {says}, but it holds the key of {holds}")]
    AnotherKey { path: PathBuf, says: Address, holds: Address },
    #[error("{what} {path}")]
    File {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error(transparent)]
    Key(#[from] SignerError),
}

impl KeyFileError {
    fn file(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::File { what, path: path.to_owned(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned())
    }

    #[test]
    fn r_024_a_key_file_is_private_and_opens_with_its_password() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("keys/golem.json");
        let (made, key) = Keystore::create(&path, &secret("correct horse"), PasswordStrength::Test).expect("made");
        assert_eq!((made.address(), made.loose_mode()), (Some(key.address()), None));
        let mode = fs::metadata(&path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
        let again = Keystore::open(&path).expect("a keystore");
        assert_eq!(again.unlock(&secret("correct horse")).expect("opened").address(), key.address());
        assert!(matches!(again.unlock(&secret("wrong")), Err(KeyFileError::WrongPassword { .. })));
        assert_eq!(fs::read_dir(dir.path().join("keys")).expect("a folder").count(), 1, "no half-written file stays");
        let text = fs::read_to_string(&path).expect("text");
        assert!(!text.contains(&alloy::hex::encode(*key.expose())), "the key is not in it");
    }

    #[test]
    fn r_024_a_key_file_is_never_overwritten() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("golem.json");
        Keystore::create(&path, &secret("one"), PasswordStrength::Test).expect("made");
        let before = fs::read(&path).expect("text");
        let error = Keystore::create(&path, &secret("two"), PasswordStrength::Test).expect_err("refused");
        assert!(matches!(error, KeyFileError::Exists { .. }));
        assert_eq!(fs::read(&path).expect("text"), before);
        let error = Keystore::create(&dir.path().join("b"), &secret(""), PasswordStrength::Test).expect_err("refused");
        assert!(matches!(error, KeyFileError::NoPassword));
    }

    #[test]
    fn r_024_what_is_no_keystore_is_said_without_repeating_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("golem.json");
        let plain_key = "4c".repeat(32);
        for (text, empty) in [
            (String::new(), true),
            (" \n".to_owned(), true),
            (plain_key.clone(), false),
            (format!(r#"{{"key":"{plain_key}"}}"#), false),
            (format!(r#"{{"version":"{plain_key}"}}"#), false),
            ("[]".to_owned(), false),
        ] {
            fs::write(&path, &text).expect("written");
            let error = Keystore::open(&path).expect_err("refused");
            assert_eq!(matches!(error, KeyFileError::Empty { .. }), empty, "{text}: {error}");
            assert_eq!(matches!(error, KeyFileError::NotAKeystore { .. }), !empty, "{text}: {error}");
            assert!(!format!("{error} {error:?}").contains(&plain_key), "{error:?}");
        }
        assert!(matches!(Keystore::open(dir.path()), Err(KeyFileError::NotAKeystore { .. })));
        let missing = Keystore::open(&dir.path().join("none")).expect_err("missing");
        assert!(matches!(missing, KeyFileError::File { .. }));
    }

    #[test]
    fn r_024_a_file_others_may_read_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("golem.json");
        Keystore::create(&path, &secret("one"), PasswordStrength::Test).expect("made");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("changed");
        assert_eq!(Keystore::open(&path).expect("a keystore").loose_mode(), Some(0o644));
    }

    #[test]
    fn r_024_a_file_with_anothers_label_is_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("golem.json");
        let (_, key) = Keystore::create(&path, &secret("one"), PasswordStrength::Test).expect("made");
        let text = fs::read_to_string(&path).expect("text");
        let label = alloy::hex::encode(key.address());
        fs::write(&path, text.replace(&label, &"11".repeat(20))).expect("written");
        let error = Keystore::open(&path).expect("a keystore").unlock(&secret("one")).expect_err("another");
        assert!(matches!(error, KeyFileError::AnotherKey { holds, .. } if holds == key.address()));
    }
}
