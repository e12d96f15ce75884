//! What the environment may say; the variables are given, never read here.

use super::{Config, ConfigError, Hosting};

/// A variable of the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnvironmentVariable {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// M-309. The variables whose names are published; others exist in drafts without names.
pub const ENVIRONMENT: [EnvironmentVariable; 7] = [
    EnvironmentVariable { name: "BARDO_IMMORTAL", meaning: "true switches all clocks off; self-hosted only." },
    EnvironmentVariable { name: "BARDO_MORTALITY_ENABLED", meaning: "false is the same as BARDO_IMMORTAL=true." },
    EnvironmentVariable {
        name: "BARDO_MORTALITY_CONFIG_PATH",
        meaning: "Where golem.toml is, for the program that opens it.",
    },
    EnvironmentVariable {
        name: "BARDO_STOCHASTIC_SEED",
        meaning: "A whole number added to the roll's input, for tests.",
    },
    EnvironmentVariable {
        name: "BARDO_EXPERIMENT_ENABLED",
        meaning: "true records this life for the control experiment.",
    },
    EnvironmentVariable { name: "MORTALITY_EPISTEMIC_V2", meaning: "Must be true: only the R² fitness is built." },
    EnvironmentVariable {
        name: "MORTALITY_STOCHASTIC_GOMPERTZ",
        meaning: "Must be true: only the Gompertz-Makeham hazard is built.",
    },
];

impl Config {
    /// Lays the environment over what was read; variables of other names are not ours. The invariants are checked again.
    ///
    /// # Errors
    /// Every variable that says nothing, and every invariant the result would break.
    pub fn with_environment<'a>(
        mut self,
        hosting: Hosting,
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut errors = Vec::new();
        // In the order of the table, so that the order of the environment decides nothing.
        let given: Vec<(&str, &str)> = variables.into_iter().collect();
        for variable in &ENVIRONMENT {
            for (_, value) in given.iter().filter(|(name, _)| *name == variable.name) {
                if let Err(error) = self.take_variable(variable, value) {
                    errors.push(error);
                }
            }
        }
        errors.extend(self.broken_invariants(hosting));
        if errors.is_empty() { Ok(self) } else { Err(errors) }
    }

    fn take_variable(&mut self, variable: &EnvironmentVariable, value: &str) -> Result<(), ConfigError> {
        let refused = |expected: &str| ConfigError::Environment {
            name: variable.name,
            found: value.chars().take(40).collect(),
            expected: expected.to_owned(),
        };
        let flag = || value.trim().parse::<bool>().map_err(|_| refused("true or false"));
        match variable.name {
            "BARDO_IMMORTAL" => self.mortality.immortal = flag()?,
            "BARDO_MORTALITY_ENABLED" => self.mortality.immortal |= !flag()?,
            "BARDO_STOCHASTIC_SEED" => {
                self.stochastic.seed =
                    Some(value.trim().parse().map_err(|_| refused("a whole number of zero or more"))?);
            }
            "BARDO_EXPERIMENT_ENABLED" => self.mortality.experiment = flag()?,
            "MORTALITY_EPISTEMIC_V2" | "MORTALITY_STOCHASTIC_GOMPERTZ" if !flag()? => {
                return Err(refused("true; the older form is not built"));
            }
            _ => {}
        }
        Ok(())
    }
}
