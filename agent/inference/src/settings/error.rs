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
    PlainHttp { host: String },
    /// What was written there is not repeated: it may be the key itself.
    #[error("{key} is no name of an environment variable; write the variable's name there, never the key itself")]
    NotAName { key: &'static str },
    #[error("the environment variable {name} is not set; set it, or change what names it")]
    Unset { name: String },
    #[error("{host} needs a key; set key_env or key_file")]
    NoKey { host: String },
    #[error("key_env and key_file are both set; keep one")]
    TwoKeys,
    /// Empty or unprintable.
    #[error("what {origin} holds is no key: empty, too long or not printable")]
    NotAKey { origin: String },
    #[error("the sealed key cannot be read")]
    Sealed(#[from] SealedError),
    #[error("the price of {model:?} is not on the list; set input_price and output_price")]
    NoPrice { model: String },
    #[error("no client could be made for {host}: {why}")]
    Client { host: String, why: String },
}
