//! What is wrong with a configuration, in words an owner can act on.

use golem_settings::SettingError;

use crate::error_code::ErrorCode;

/// One thing to put right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    #[error(transparent)]
    Written(#[from] SettingError),
    #[error("{code}: {explanation}")]
    Forbidden { code: ErrorCode, explanation: String },
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
            Self::Written(SettingError::NotAllowed { key, .. }) => {
                CODES.iter().find(|(of, _)| of == key).map(|(_, code)| *code)
            }
            Self::Written(_) => None,
        }
    }
}
