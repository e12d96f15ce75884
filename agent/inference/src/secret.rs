//! Keys: read once, shown never, wiped when dropped.

use std::fmt;

use reqwest::header::HeaderValue;
use zeroize::Zeroizing;

use crate::settings::SettingsError;

/// Longer than any key.
const LONGEST: usize = 4_096;
/// Pieces of a key this long are recognised in others' words.
const TELLING: usize = 8;

/// A key to a provider. It has no `Display`, and its `Debug` says only that it is there.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderKey(Zeroizing<String>);

impl fmt::Debug for ProviderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderKey(***)")
    }
}

impl ProviderKey {
    /// A key from text; `origin` is named when it is none.
    ///
    /// # Errors
    /// [`SettingsError::NotAKey`] for what cannot stand in a header. The text itself is in no message.
    pub fn new(text: String, origin: &str) -> Result<Self, SettingsError> {
        let text = Zeroizing::new(text);
        let key = Zeroizing::new(text.trim().to_owned());
        let is_key = !key.is_empty() && key.len() <= LONGEST && key.bytes().all(|b| b.is_ascii_graphic());
        if is_key { Ok(Self(key)) } else { Err(SettingsError::NotAKey { origin: origin.to_owned() }) }
    }

    /// As a header that no log shows.
    pub(crate) fn header(&self, prefix: &str) -> HeaderValue {
        let line = Zeroizing::new(format!("{prefix}{}", self.0.as_str()));
        let mut value = HeaderValue::from_str(&line).expect("checked to be printable ASCII when made");
        value.set_sensitive(true);
        value
    }

    /// Whether a text holds a telling piece of the key.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let key = self.0.as_bytes();
        let piece = key.len().min(TELLING);
        key.windows(piece).any(|piece| text.as_bytes().windows(piece.len()).any(|other| other == piece))
    }

    /// Its bytes, to be sealed.
    pub(crate) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.0.as_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// neither `Debug` nor an error repeats a key, and a piece of it is recognised.
    #[test]
    fn r_024_a_key_is_never_shown() {
        let key = ProviderKey::new(" sk-canary-0123456789\n".to_owned(), "KEY").expect("a key");
        assert_eq!(format!("{key:?} {:?}", key.header("Bearer ")), "ProviderKey(***) Sensitive");
        assert!(key.is_in("wrong key sk-canary"));
        assert!(!key.is_in("…3456789 is wrong"), "seven characters tell little");
        assert!(key.is_in("ends in 23456789") && !key.is_in("nothing of it"));
        for text in ["", " \n", "sk canary", "sk-\u{1b}[31m", "schlüssel", &"k".repeat(5_000)] {
            let error = ProviderKey::new(text.to_owned(), "MY_KEY").expect_err("no key");
            assert!(error.to_string().contains("MY_KEY"), "{error}");
            assert!(text.trim().is_empty() || !format!("{error} {error:?}").contains(text.trim()), "{error}");
        }
    }
}
