//! `[succession]` of golem.toml: what an owner lets happen after a death (I-280).

use golem_inheritance::succession::SuccessionLaw;
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
        "The least distance between the charters of predecessor and successor; nearer is not born.",
    ),
    ("succession.inherit_grimoire", "true", "true, false", "Whether a successor takes the genome in, as candidates."),
    ("succession.measure", "rules", "rules, embedding", "How that distance is taken; embedding uses [embedder]."),
];

/// I-201. How the distance of two charters is taken.
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
    pub(crate) law: SuccessionLaw,
    pub(crate) measure: Measure,
}

impl SuccessionChoice {
    pub(super) fn read(reader: &mut Reader) -> Self {
        Self {
            law: SuccessionLaw {
                auto: reader.parse("succession.auto", |auto: &bool| Some(*auto)),
                budget: reader.parse("succession.budget_usdc", |usdc: &Usdc| {
                    (Usdc::whole(1)..=Usdc::whole(1_000_000)).contains(usdc).then_some(*usdc)
                }),
                min_playbook_distance: reader.parse("succession.strategy_drift_allowed", |share: &Ppm| {
                    (share.get() >= 150_000).then_some(*share)
                }),
                inherit_grimoire: reader.parse("succession.inherit_grimoire", |does: &bool| Some(*does)),
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
