//! `[succession]` of golem.toml: what an owner lets happen after a death (I-280).

use golem_inheritance::succession::SuccessionLaw;
use golem_mortality::config::Config;
use golem_primitives::{Ppm, Usdc};

use super::settings::Reader;

/// Every key of `[succession]`: name, default, range, meaning. There is none that passes the similarity gate (I-211).
pub(crate) const KEYS: [(&str, &str, &str, &str); 5] = [
    ("succession.auto", "false", "true, false", "Whether a successor is born by itself; needs a mandate on chain."),
    ("succession.budget_usdc", "50", "1 to 1000000", "Credits a successor begins with."),
    (
        "succession.strategy_drift_allowed",
        "0.15",
        "0.15 to 1",
        "The least distance between the PLAYBOOKs of predecessor and successor; nearer is not born.",
    ),
    ("succession.inherit_grimoire", "true", "true, false", "Whether a successor takes the genome in, as candidates."),
    ("succession.measure", "rules", "rules, embedding", "How that distance is taken; embedding uses [embedder]."),
];

/// I-201. How the distance of two PLAYBOOKs is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// By the share of lines in which they differ.
    Rules,
    /// By the vectors of their texts.
    Embedding,
}

/// `[succession]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SuccessionChoice {
    /// Whether anything may be inherited at all.
    pub(crate) may_inherit: bool,
    pub(crate) law: SuccessionLaw,
    pub(crate) measure: Measure,
}

impl SuccessionChoice {
    /// M-296: where `[mortality.succession]` lets nobody inherit, nothing of this does.
    pub(super) fn read(reader: &mut Reader, life: &Config) -> Self {
        let may = life.succession.enabled;
        Self {
            may_inherit: may,
            law: SuccessionLaw {
                auto: reader.parse("succession.auto", |auto: &bool| Some(*auto && may)),
                budget: reader.parse("succession.budget_usdc", |usdc: &Usdc| {
                    (Usdc::whole(1)..=Usdc::whole(1_000_000)).contains(usdc).then_some(*usdc)
                }),
                min_playbook_distance: reader.parse("succession.strategy_drift_allowed", |share: &Ppm| {
                    (share.get() >= 150_000).then_some(*share)
                }),
                inherit_grimoire: reader.parse("succession.inherit_grimoire", |does: &bool| {
                    Some(*does && may && life.succession.inherit_predecessor)
                }),
            },
            measure: reader.parse("succession.measure", |word: &String| match word.as_str() {
                "rules" => Some(Measure::Rules),
                "embedding" => Some(Measure::Embedding),
                _ => None,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Ppm;

    use super::*;
    use crate::golem::Settings;

    /// M-296, I-209: what an owner says of inheritance under `[mortality.succession]` holds.
    #[test]
    fn m_296_the_keys_of_inheritance_are_followed() {
        let read = |text: &str| Settings::read(text, false).expect("valid");
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
            assert!(Settings::read(&text, false).is_err(), "I-209: {beyond}");
        }
    }

    /// I-280, I-211, C-05: nothing is automatic by default, the least distance cannot be lowered, and no key insists.
    #[test]
    fn i_280_succession_is_read_and_no_key_passes_the_gate() {
        let usual = Settings::read("", false).expect("defaults").succession;
        assert_eq!((usual.law, usual.measure), (SuccessionLaw::default(), Measure::Rules));
        let text = "[succession]\nauto = true\nbudget_usdc = 30\nstrategy_drift_allowed = 0.3\ninherit_grimoire = false\nmeasure = \"embedding\"\n";
        let chosen = Settings::read(text, false).expect("valid").succession;
        assert!(chosen.law.auto && !chosen.law.inherit_grimoire && chosen.measure == Measure::Embedding);
        assert_eq!((chosen.law.budget, chosen.law.min_playbook_distance), (Usdc::whole(30), Ppm::of(300_000)));
        for (text, told) in [
            ("[succession]\nstrategy_drift_allowed = 0.1\n", "0.15 to 1"),
            ("[succession]\nforce_similarity = true\n", "unknown key succession.force_similarity"),
        ] {
            let said = Settings::read(text, false).expect_err("a mistake").to_string();
            assert!(said.contains(told), "{said}");
        }
    }
}
