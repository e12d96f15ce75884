//! What is wrong with a configuration, in words an owner can act on.

use crate::error_code::ErrorCode;

/// One thing to put right. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The text is no TOML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where.
        line: usize,
        /// What the parser says.
        message: String,
    },
    /// A key nobody reads.
    #[error("line {line}: there is no key `{key}`{}", did_you_mean(nearest.as_deref()))]
    UnknownKey {
        /// Where.
        line: usize,
        /// As written.
        key: String,
        /// The valid key it is most like.
        nearest: Option<String>,
    },
    /// A key that once was.
    #[error("line {line}: `{key}` is not a setting: {reason}")]
    Retired {
        /// Where.
        line: usize,
        /// As written.
        key: String,
        /// Why it is gone.
        reason: &'static str,
    },
    /// A value of another kind.
    #[error("line {line}: `{key}` is {found}; write {expected}")]
    WrongKind {
        /// Where.
        line: usize,
        /// Its key.
        key: String,
        /// What was written.
        found: String,
        /// What to write.
        expected: &'static str,
    },
    /// A value outside its range.
    #[error("line {line}: `{key}` is {found}; it must be {bounds}")]
    OutOfRange {
        /// Where.
        line: usize,
        /// Its key.
        key: String,
        /// What was written.
        found: String,
        /// What is allowed.
        bounds: String,
    },
    /// An alias and the key it stands for, both written.
    #[error("line {line}: `{alias}` is another name of `{key}`; write only one of them")]
    Twice {
        /// Where the alias stands.
        line: usize,
        /// The short name.
        alias: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A combination the protocol forbids.
    #[error("{code}: {explanation}")]
    Forbidden {
        /// Which rule.
        code: ErrorCode,
        /// What to change.
        explanation: String,
    },
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(|| "; `bardo config` lists them all".to_owned(), |key| format!("; did you mean `{key}`?"))
}

/// Keys whose range is a rule with a code of its own.
const CODES: [(&str, ErrorCode); 4] = [
    ("mortality.economic.death_reserve_proportional", ErrorCode::CfgReserveRate),
    ("mortality.economic.conservation_threshold", ErrorCode::CfgConservationRange),
    ("mortality.stochastic.max_hazard_rate", ErrorCode::CfgMaxHazard),
    ("mortality.stochastic.base_hazard_rate", ErrorCode::CfgBaseHazard),
];

impl ConfigError {
    /// The code of the rule that was broken (MG-09); mistakes of writing have none.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Forbidden { code, .. } => Some(*code),
            Self::OutOfRange { key, .. } => CODES.iter().find(|(of, _)| of == key).map(|(_, code)| *code),
            _ => None,
        }
    }
}
