//! `[succession]` of golem.toml: what an owner lets happen after a death (I-280).

use golem_inheritance::succession::SuccessionLaw;
use golem_mortality::config::Config;

use super::settings::table::SuccessionKeys;
use super::settings::words::Measure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SuccessionChoice {
    /// Whether anything may be inherited at all.
    pub(crate) may_inherit: bool,
    pub(crate) law: SuccessionLaw,
    pub(crate) measure: Measure,
}

impl SuccessionChoice {
    /// M-296: where `[mortality.succession]` lets nobody inherit, nothing of this does.
    pub(super) fn of(keys: &SuccessionKeys, life: &Config) -> Self {
        let may = life.succession.enabled;
        Self {
            may_inherit: may,
            law: SuccessionLaw {
                auto: keys.auto && may,
                budget: keys.budget_usdc,
                min_playbook_distance: keys.strategy_drift_allowed,
                inherit_grimoire: keys.inherit_grimoire && may && life.succession.inherit_predecessor,
            },
            measure: Measure::from_name(&keys.measure).expect("the table admits these words"),
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::{Ppm, Usdc};

    use super::*;
    use crate::golem::settings::Settings;

    /// M-296, I-209: what an owner says of inheritance under `[mortality.succession]` holds.
    #[test]
    fn m_296_the_keys_of_inheritance_are_followed() {
        let read = |text: &str| Settings::read(text).expect("valid");
        let off = read("[succession]\nauto = true\n[mortality.succession]\nenabled = false\n").succession;
        assert!(!off.may_inherit && !off.law.auto && !off.law.inherit_grimoire);
        let alone = read("[succession]\nauto = true\n[mortality.succession]\ninherit_predecessor = false\n").succession;
        assert!(alone.may_inherit && alone.law.auto && !alone.law.inherit_grimoire);
        let text = "[mortality.succession]\ndivergence = 0.3\nnovel_minimum = 7\ninvalidated_minimum = 0\nquestion_ratio = 0.2\n";
        let asked = read(text).grimoire.reflection;
        assert_eq!((asked.least_divergence, asked.least_novel), (Ppm::of(300_000), 7));
        assert_eq!((asked.least_invalidated, asked.least_question_ratio), (0, Ppm::of(200_000)));
        assert_eq!(read("").grimoire.reflection, golem_grimoire::reflection::ReflectionLaw::default());
        for beyond in ["divergence = 0.51", "novel_minimum = 21", "invalidated_minimum = 11", "question_ratio = 0.31"] {
            let text = format!("[mortality.succession]\n{beyond}\n");
            assert!(Settings::read(&text).is_err(), "I-209: {beyond}");
        }
    }

    /// I-280, I-211, C-05: nothing is automatic by default, the least distance cannot be lowered, and no key insists.
    #[test]
    fn i_280_succession_is_read_and_no_key_passes_the_gate() {
        let usual = Settings::read("").expect("defaults").succession;
        assert_eq!((usual.law, usual.measure), (SuccessionLaw::default(), Measure::Rules));
        let text = "[succession]\nauto = true\nbudget_usdc = 30\nstrategy_drift_allowed = 0.3\ninherit_grimoire = false\nmeasure = \"embedding\"\n";
        let chosen = Settings::read(text).expect("valid").succession;
        assert!(chosen.law.auto && !chosen.law.inherit_grimoire && chosen.measure == Measure::Embedding);
        assert_eq!((chosen.law.budget, chosen.law.min_playbook_distance), (Usdc::whole(30), Ppm::of(300_000)));
        for (text, told) in [
            ("[succession]\nstrategy_drift_allowed = 0.1\n", "0.15 to 1"),
            ("[succession]\nforce_similarity = true\n", "no key `succession.force_similarity`"),
        ] {
            let said = Settings::read(text).expect_err("a mistake").to_string();
            assert!(said.contains(told), "{said}");
        }
    }
}
