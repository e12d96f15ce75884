//! From a `golem.toml` to a configuration, or to everything that is wrong with it.

use golem_settings::SettingsFile;

use super::{Config, ConfigError, Hosting, Profile};

/// M-299. Short names directly under `[mortality]`.
const ALIASES: [(&str, &str); 3] = [
    ("mortality.death_reserve_usdc", "mortality.economic.death_reserve_floor_usdc"),
    ("mortality.staleness_threshold", "mortality.epistemic.senescence_threshold"),
    ("mortality.staleness_window", "mortality.epistemic.recovery_grace_period"),
];

/// Keys of older drafts that people will try, with why they are gone.
const RETIRED: [(&str, &str); 8] = [
    ("mortality.max_age", "no Golem has a fixed greatest age; fitness and hazard age it"),
    ("mortality.hayflick_limit", "no Golem has a fixed greatest age; fitness and hazard age it"),
    ("mortality.demurrage.interval", "retention is computed when knowledge is read, not at intervals"),
    ("mortality.demurrage.rate", "retention is computed from half-lives when knowledge is read"),
    ("mortality.policy_cage", "neither phase nor owner loosens the PolicyCage; it is law on chain"),
    (
        "mortality.stochastic.roll_inputs",
        "the roll is made of the Golem's name, the tick and a block, for everybody to check",
    ),
    ("mortality.thanatopsis.cancellable", "a death that has begun cannot be stopped"),
    ("mortality.economic.auto_feed", "nobody feeds a Golem automatically"),
];

impl Config {
    /// Reads a text that says nothing but this.
    ///
    /// # Errors
    /// Every [`ConfigError`] of the text in the order of the file, and every invariant the result would break.
    pub fn read(text: &str, hosting: Hosting) -> Result<Self, Vec<ConfigError>> {
        let mut file = SettingsFile::parse(text).map_err(|error| vec![error.into()])?;
        let config = Self::take(&mut file, hosting);
        let written = file.finish().into_iter().map(ConfigError::from);
        let errors: Vec<_> = written.chain(config.broken_invariants(hosting)).collect();
        if errors.is_empty() { Ok(config) } else { Err(errors) }
    }

    /// Takes its keys out of a file, over the defaults of the profile that is named there.
    pub fn take(file: &mut SettingsFile, hosting: Hosting) -> Self {
        file.accept(&ALIASES, &RETIRED);
        let mut config = Self::default_for(hosting);
        if let Some(profile) = file.peek::<Profile>("mortality.profile") {
            profile.apply(&mut config);
        }
        file.fill(&mut config);
        config
    }
}
