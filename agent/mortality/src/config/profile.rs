//! Named sets of defaults.

use golem_primitives::Ppm;
use golem_settings::{RawValue, Setting};

use super::table::Config;

golem_primitives::words! {
    /// M-298. Where an owner starts from. The catalogue names five and gives the figures of one, `dev`; the others are
    /// ours and stay within every range.
    Profile {
        /// The catalogue's defaults.
        Standard = "standard",
        /// A life in an afternoon: windows a tenth, hazard a hundredfold.
        Dev = "dev",
        /// Keeps more for dying and watches earlier.
        Conservative = "conservative",
        /// Keeps less for dying and watches later.
        Aggressive = "aggressive",
        /// Demands more predictions before it judges.
        Research = "research",
    }
}

impl Profile {
    /// Lays the profile over defaults.
    pub(super) fn apply(self, config: &mut Config) {
        config.mortality.profile = self;
        match self {
            Self::Standard => {}
            Self::Dev => apply_dev(config),
            Self::Conservative => {
                config.economic.death_reserve_proportional = Ppm::of(50_000);
                config.economic.conservation_threshold = Ppm::of(400_000);
            }
            Self::Aggressive => {
                config.economic.death_reserve_proportional = Ppm::of(10_000);
                config.economic.conservation_threshold = Ppm::of(200_000);
            }
            Self::Research => {
                config.epistemic.minimum_predictions = 50;
            }
        }
    }
}

fn apply_dev(config: &mut Config) {
    config.epistemic.fitness_window /= 10;
    config.epistemic.recovery_grace_period /= 10;
    config.stochastic.base_hazard_rate *= 100.0;
    config.stochastic.age_hazard_coefficient *= 100.0;
    // A hundredfold cap would be 0.1; M-300 stops at 0.01.
    config.stochastic.max_hazard_rate = 1e-2;
}

impl Setting for Profile {
    const KIND: &'static str = "\"standard\", \"dev\", \"conservative\", \"aggressive\" or \"research\"";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        if let RawValue::Text(name) = raw { Self::from_name(name) } else { None }
    }

    fn show(&self) -> String {
        self.name().to_owned()
    }
}
