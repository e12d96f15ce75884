//! What is wrong with a file, in words an owner can act on.

/// One thing to put right. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The text is no TOML.
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("line {line}: there is no key `{key}`{}", did_you_mean(nearest.as_deref()))]
    UnknownKey {
        line: usize,
        key: String,
        /// The valid key it is most like.
        nearest: Option<String>,
    },
    /// A key that once was.
    #[error("line {line}: `{key}` is not a setting: {reason}")]
    Retired { line: usize, key: String, reason: &'static str },
    #[error("line {line}: `{key}` is {found}; write {expected}")]
    WrongKind { line: usize, key: String, found: String, expected: &'static str },
    #[error("line {line}: `{key}` is {found}; it must be {allowed}")]
    NotAllowed { line: usize, key: String, found: String, allowed: String },
    /// An alias and the key it stands for, both written.
    #[error("line {line}: `{alias}` is another name of `{key}`; write only one of them")]
    Twice { line: usize, alias: &'static str, key: &'static str },
}

impl SettingError {
    /// Where it stands.
    #[must_use]
    pub const fn line(&self) -> usize {
        match self {
            Self::Syntax { line, .. }
            | Self::UnknownKey { line, .. }
            | Self::Retired { line, .. }
            | Self::WrongKind { line, .. }
            | Self::NotAllowed { line, .. }
            | Self::Twice { line, .. } => *line,
        }
    }
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(|| "; `bardo config keys` lists them all".to_owned(), |key| format!("; did you mean `{key}`?"))
}
