//! What can be wrong with the settings, without repeating what may be a secret.

use crate::sealed::SealedError;

/// What can be wrong with a tier's table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    #[error("base_url or proxy is no http address; write it like https://api.example.org/v1")]
    NotAUrl,
    /// A password in an address ends up in logs.
    #[error("an address has a user, a password or a query in it; put the key into the variable key_env names")]
    SecretInUrl,
    #[error("{host} would be asked over plain http; use https, or set allow_http = true if you mean it")]
    PlainHttp {
        /// Who.
        host: String,
    },
    /// Perhaps the key itself; it is not repeated.
    #[error("{key} is no name of an environment variable; write the variable's name there, never the key itself")]
    NotAName {
        /// Which.
        key: &'static str,
    },
    /// The variable is not set.
    #[error("the environment variable {name} is not set; set it, or change what names it")]
    Unset {
        /// Its name.
        name: String,
    },
    /// A provider elsewhere wants a key.
    #[error("{host} needs a key; set key_env or key_file")]
    NoKey {
        /// Who.
        host: String,
    },
    /// Both ways to a key.
    #[error("key_env and key_file are both set; keep one")]
    TwoKeys,
    /// Empty or unprintable.
    #[error("what {origin} holds is no key: empty, too long or not printable")]
    NotAKey {
        /// Where it was read.
        origin: String,
    },
    /// The sealed file.
    #[error("the sealed key cannot be read")]
    Sealed(#[from] SealedError),
    #[error("the price of {model:?} is not on the list; set input_price and output_price")]
    NoPrice {
        /// The model.
        model: String,
    },
    /// The client could not be made.
    #[error("no client could be made for {host}: {why}")]
    Client {
        /// For whom.
        host: String,
        /// Why.
        why: String,
    },
}
