//! What a Golem is like: `[daimon]` and `[suffering]` of golem.toml.

use golem_core::memory::Venue;
use golem_core::record::{AffectTemper, Temper};
use golem_daimon::personality::{Disposition, Personality};
use golem_mortality::config::Config;
use golem_primitives::{GolemId, Ppm};
use golem_suffering::domain::WorkDomain;
use golem_suffering::law::SufferingProfile;
use golem_suffering::text::Key;

use super::settings::table::{DaimonKeys, SufferingKeys};

/// What `create` and `paper` write for a new Golem.
pub(super) const NEWBORN: &str = "\n[daimon]\nmode = \"rules\"\n\n[suffering]\nprofile = \"hardened\"\n";

/// Where every Golem of this program trades, as what it suffers is remembered by place.
const PROTOCOL: &str = "uniswap_v3";

/// `[daimon]` and `[suffering]`.
#[derive(Debug, Clone)]
pub(crate) struct TemperChoice {
    /// `None` when affect is off, else whether a model may appraise.
    asks_model: Option<bool>,
    disposition: Option<Disposition>,
    seed: Option<GolemId>,
    profile: Option<SufferingProfile>,
}

impl TemperChoice {
    pub(super) fn of(daimon: &DaimonKeys, suffering: &SufferingKeys) -> Self {
        Self {
            asks_model: match daimon.mode.as_str() {
                "rules" => Some(false),
                "model" => Some(true),
                _ => None,
            },
            disposition: Disposition::from_name(&daimon.personality),
            seed: GolemId::new(&daimon.seed).ok(),
            profile: SufferingProfile::from_name(&suffering.profile),
        }
    }

    /// What this Golem is told of itself.
    pub(crate) fn temper(&self, golem: &GolemId, law: &Config, venue: &Venue) -> Temper {
        let affect = &law.affect;
        let personality = Personality::born(self.seed.as_ref().unwrap_or(golem), self.disposition);
        let told = |asks_model: bool| AffectTemper {
            personality,
            asks_model,
            mood_decay: Ppm::round(affect.mood_decay_rate),
            grief_ticks: u32::try_from(affect.grief_ticks).unwrap_or(u32::MAX),
            mortality_aware: affect.mortality_aware,
        };
        let place = WorkDomain { protocol: Key::new(PROTOCOL), pair: Key::new(&venue.pair), ..WorkDomain::default() };
        Temper { affect: self.asks_model.filter(|_| affect.enabled).map(told), suffering: self.profile, place }
    }

    /// Whether its mood is appraised by a model, which needs one.
    pub(crate) const fn wants_model(&self) -> bool {
        matches!(self.asks_model, Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Settings;
    use super::*;

    fn temper(text: &str, id: &str) -> Temper {
        let settings = Settings::read(text).expect("valid");
        let venue = Venue { chain: 1, pair: "WETH/USDC".to_owned() };
        settings.temper.temper(&GolemId::new(id).expect("a name"), &settings.law, &venue)
    }

    /// what its owner wrote of moods, grief and its end.
    #[test]
    fn a_003_grief_and_moods_are_as_written() {
        let felt = |text: &str| temper(&format!("[daimon]\nmode = \"rules\"\n{text}"), "0xa1").affect.expect("on");
        let default = felt("");
        assert_eq!((default.mood_decay, default.grief_ticks, default.mortality_aware), (Ppm::round(0.95), 100, true));
        let written = felt("[mortality.affect]\nmood_decay_rate = 0.8\ngrief_ticks = 77\n");
        assert_eq!((written.mood_decay, written.grief_ticks), (Ppm::round(0.8), 77));
        assert!(!felt("[mortality.affect]\nmortality_aware = false\n").mortality_aware);
    }

    /// S-008: off where nobody wrote it, on in what a newborn is given, hardened; every mistake is told.
    #[test]
    fn a_002_s_008_tables_turn_affect_and_suffering_on() {
        let silent = temper("", "0xa1");
        assert_eq!((silent.affect, silent.suffering), (None, None));
        let newborn = temper(NEWBORN, "0xa1");
        assert_eq!(newborn.suffering, Some(SufferingProfile::Hardened));
        assert!(newborn.affect.is_some_and(|affect| !affect.asks_model));
        assert_eq!(newborn.place.path(), "uniswap_v3/-/weth_usdc/-");
        let chosen = temper("[daimon]\nmode = \"model\"\npersonality = \"thanatos\"\n", "0xa1");
        let affect = chosen.affect.expect("on");
        assert!(affect.asks_model && affect.personality.disposition() == Disposition::Thanatos);
        assert_eq!(temper("[daimon]\nmode = \"rules\"\n[mortality.affect]\nenabled = false\n", "0xa1").affect, None);
        for text in ["[daimon]\nmode = \"moody\"\n", "[daimon]\npersonality = \"sour\"\n", "[suffering]\nprofile = 1\n"]
        {
            assert!(Settings::read(text).is_err(), "{text}");
        }
    }

    /// siblings differ by their names, and a seed makes anybody like somebody else again.
    #[test]
    fn a_001_personality_follows_the_seed() {
        let of = |text: &str, id: &str| temper(text, id).affect.expect("on").personality;
        assert_ne!(of(NEWBORN, "0xa1"), of(NEWBORN, "0xa2"));
        let seeded = "[daimon]\nmode = \"rules\"\nseed = \"ada\"\n";
        assert_eq!(of(seeded, "0xa1"), of(seeded, "0xa2"));
        assert_eq!(of(seeded, "0xa1"), of(NEWBORN, "ada"));
    }
}
