//! What an owner sets.

use golem_mortality::config::Affect;
use golem_mortality::mode::Mode;

use crate::mood::DECAY;

/// How affect judges what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AppraisalModel {
    /// By a chain of reasoned emotions.
    ChainOfEmotion,
    RuleBased,
    Disabled,
}

/// The numbers of affect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DaimonLaw {
    pub enabled: bool,
    pub model: AppraisalModel,
    /// What is left of a mood after an appraisal, 0.80 to 0.99.
    pub mood_decay: f64,
    /// Whether one's own end moves.
    pub mortality_aware: bool,
    /// Ticks of grief, 10 to 500.
    pub grief_ticks: u64,
    /// Whether memories are tagged.
    pub record_context: bool,
}

impl Default for DaimonLaw {
    fn default() -> Self {
        Self {
            enabled: true,
            model: AppraisalModel::ChainOfEmotion,
            mood_decay: DECAY,
            mortality_aware: true,
            grief_ticks: 100,
            record_context: true,
        }
    }
}

impl DaimonLaw {
    /// As configured; an immortal is not moved by an end it does not have (M-237). Numbers outside their
    /// range are held at its edge, though a configuration that was read has none.
    #[must_use]
    pub fn from_config(affect: &Affect, mode: Mode) -> Self {
        let aware = affect.mortality_aware && mode.is_mortal();
        Self {
            enabled: affect.enabled,
            mood_decay: affect.mood_decay_rate.clamp(0.80, 0.99),
            mortality_aware: aware,
            grief_ticks: affect.grief_ticks.clamp(10, 500),
            ..Self::default()
        }
    }

    /// Whether anything is felt at all.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.enabled && !matches!(self.model, AppraisalModel::Disabled)
    }
}

#[cfg(test)]
mod tests {
    use golem_mortality::config::Config;
    use golem_mortality::config::Hosting;

    use super::*;

    fn law(text: &str, mode: Mode) -> DaimonLaw {
        let config = Config::read(text, Hosting::SelfHosted).expect("a valid configuration");
        DaimonLaw::from_config(&config.affect, mode)
    }

    /// the defaults are the configuration's; immortals are spared their end.
    #[test]
    fn a_003_defaults_and_immortals() {
        assert_eq!(law("", Mode::Hosted), DaimonLaw::default());
        let default = DaimonLaw::default();
        assert_eq!((default.mood_decay, default.grief_ticks), (0.95, 100), "A-002");
        assert_eq!(default.model, AppraisalModel::ChainOfEmotion);
        assert!(!law("", Mode::Immortal).mortality_aware && law("", Mode::Immortal).is_on());
        assert_eq!(law("[mortality.affect]\nmood_decay_rate = 0.8\n", Mode::Hosted).mood_decay, 0.8);
        assert_eq!(law("[mortality.affect]\ngrief_ticks = 77\n", Mode::Hosted).grief_ticks, 77);
        assert!(!law("[mortality.affect]\nenabled = false\n", Mode::Hosted).is_on());
    }
}
