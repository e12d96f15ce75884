//! A successor by hand: what is shown, what is asked, what it would inherit (I-260 to I-272).

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Domain;
use golem_grimoire::status::Candidate;
use golem_mortality::cause::CauseKind;
use golem_primitives::words;
use golem_primitives::{GolemId, Usdc};

use crate::individuation::Wish;
use crate::ratchet::RatchetScore;
use crate::succession::SuccessionLaw;
use crate::testament::{Adjustment, LifeStats, Recommendation, Testament, Verb};
use crate::weismann::percent_left;

words! {
    /// I-261, M-006, M-277. What a memorial offers: these four, and nothing by itself.
    Choice {
        SummonSuccessor = "summon_successor",
        /// I-262. The whole testament.
        ViewDeathReflection = "view_death_reflection",
        /// I-263. All the dead of the line.
        BrowseGraveyard = "browse_graveyard",
        /// I-264. A new line.
        StartFresh = "start_fresh",
    }
}

/// I-260. What stands on the stone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memorial {
    pub golem: GolemId,
    pub stats: LifeStats,
    pub cause: String,
    pub last_words: String,
}

const fn plain(cause: CauseKind) -> &'static str {
    match cause {
        CauseKind::Economic => "It ran out of money.",
        CauseKind::EpistemicSenescence => "It no longer understood its market.",
        CauseKind::Stochastic => "Chance ended it.",
        CauseKind::OwnerKill => "Its owner ended it.",
        CauseKind::KillSwitch => "A safety stop ended it.",
    }
}

impl Memorial {
    /// I-260. The memorial of a testament.
    #[must_use]
    pub fn of(testament: &Testament) -> Self {
        Self {
            golem: testament.header.golem,
            stats: testament.stats,
            cause: plain(testament.death.death.cause.kind()).to_owned(),
            last_words: testament.last_words.clone(),
        }
    }
}

/// Bars of a histogram of confidence.
pub const BARS: usize = 10;

/// I-267. What an heir would receive, counted by what ingestion then does (I-271).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeirPreview {
    pub entries: usize,
    /// What is left of their confidence, in percent.
    pub percent_left: u8,
    /// Entries by tenth of confidence before the barrier.
    pub before: [u32; BARS],
    pub after: [u32; BARS],
    pub domains: BTreeMap<Domain, u32>,
    /// Bloodstains of the dead itself.
    pub own_bloodstains: u32,
    /// Bloodstains of those before it.
    pub older_bloodstains: u32,
}

fn bar(parts: u32) -> usize {
    (parts as usize * BARS / 1_000_000).min(BARS - 1)
}

/// I-267, I-271. The preview of an inheritance that was made and is not kept: what would arrive, by the very law of
/// adoption, with what the dead held of each entry before.
#[must_use]
pub fn preview(
    arriving: &[Candidate],
    bequeathed: &BTreeMap<EntryId, Confidence>,
    dead: &GolemId,
    heir_generation: u32,
) -> HeirPreview {
    let mut preview =
        HeirPreview { entries: arriving.len(), percent_left: percent_left(heir_generation), ..HeirPreview::default() };
    for candidate in arriving {
        let entry = candidate.knowledge();
        let before = bequeathed.get(&entry.id).copied().unwrap_or(entry.draft.original_confidence);
        preview.before[bar(before.get().get())] += 1;
        preview.after[bar(entry.confidence.get().get())] += 1;
        *preview.domains.entry(entry.draft.domain).or_default() += 1;
        let source = &entry.draft.source;
        if source.is_bloodstain() {
            // It was inherited once more on its way here.
            let of = if source.origin == *dead && source.generation <= 1 {
                &mut preview.own_bloodstains
            } else {
                &mut preview.older_bloodstains
            };
            *of += 1;
        }
    }
    preview
}

/// I-266, I-268. A wizard filled in from the dead: the owner changes what they like, then confirms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wizard {
    pub strategy: String,
    pub budget: Usdc,
    pub change: Vec<Adjustment>,
    pub keep: Vec<Adjustment>,
    pub investigate: Vec<Adjustment>,
}

impl Wizard {
    /// I-266. Filled in from the dead's configuration and advice.
    #[must_use]
    pub fn filled(strategy: &str, law: &SuccessionLaw, advice: Option<&Recommendation>) -> Self {
        let of = |verb| {
            let all = advice.into_iter().flat_map(|advice| &advice.adjustments);
            all.filter(|one| one.verb == verb).cloned().collect()
        };
        Self {
            strategy: strategy.to_owned(),
            budget: law.budget,
            change: of(Verb::Change),
            keep: of(Verb::Keep),
            investigate: of(Verb::Investigate),
        }
    }
}

/// I-269. What was typed after `bardo line successor <dead-golem-id>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    pub budget: Option<Usdc>,
    pub inherit_grimoire: bool,
    /// `--no-inherit`: the configuration alone.
    pub no_inherit: bool,
    pub force_similarity: bool,
}

words! {
    /// What is known of the Golem that was named.
    Known {
        Dead = "dead",
        Alive = "alive",
        Unknown = "unknown",
    }
}

/// I-270. Why a summons is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UsageError {
    #[error("--inherit-grimoire and --no-inherit exclude each other; give one of them")]
    Both,
    #[error("no Golem of that id; `bardo golem list` shows them")]
    Unknown,
    #[error(
        "that Golem is not dead; a successor follows a dead one: `bardo golem kill` ends a life, and `bardo golem run` lets a \
         dying one settle"
    )]
    Alive,
}

/// I-269, I-270. What a summons comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summons {
    pub budget: Usdc,
    pub inherit_grimoire: bool,
    /// I-211. Whether the person insists at the gate.
    pub wish: Wish,
}

impl Flags {
    /// I-269, I-270. The summons of these flags; what is not said is the predecessor's.
    ///
    /// # Errors
    /// [`UsageError`] for flags that exclude each other and for a Golem that is not dead.
    pub const fn resolve(&self, predecessor: &SuccessionLaw, known: Known) -> Result<Summons, UsageError> {
        match known {
            Known::Unknown => return Err(UsageError::Unknown),
            Known::Alive => return Err(UsageError::Alive),
            Known::Dead => {}
        }
        let inherit_grimoire = match (self.inherit_grimoire, self.no_inherit) {
            (true, true) => return Err(UsageError::Both),
            (true, false) => true,
            (false, true) => false,
            (false, false) => predecessor.inherit_grimoire,
        };
        let budget = match self.budget {
            Some(budget) => budget,
            None => predecessor.budget,
        };
        Ok(Summons { budget, inherit_grimoire, wish: Wish::Manual { insists: self.force_similarity } })
    }
}

/// I-272. What the owner is told of a death. The advice binds nobody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obituary {
    pub golem: GolemId,
    pub cause: CauseKind,
    pub lineage_score: RatchetScore,
    pub recommendation: Option<Recommendation>,
}

impl Obituary {
    /// I-272. Of a testament and its line.
    #[must_use]
    pub fn of(testament: &Testament, lineage_score: RatchetScore) -> Self {
        Self {
            golem: testament.header.golem,
            cause: testament.death.death.cause.kind(),
            lineage_score,
            recommendation: testament.recommendation.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Ppm;

    use super::*;

    /// I-261.
    #[test]
    fn i_261_four_choices() {
        let words: Vec<&str> = Choice::ALL.iter().map(|choice| choice.name()).collect();
        assert_eq!(words, ["summon_successor", "view_death_reflection", "browse_graveyard", "start_fresh"]);
    }

    /// I-266, I-268: filled in, sorted by verb, and open to change.
    #[test]
    fn i_266_the_wizard_is_filled_in() {
        let one = |verb| Adjustment {
            verb,
            what: "momentum".into(),
            rationale: "it lost".into(),
            confidence: Ppm::ONE,
            entries: Vec::new(),
            is_stale: false,
        };
        let advice = Recommendation {
            adjustments: vec![one(Verb::Change), one(Verb::Keep), one(Verb::Investigate), one(Verb::Change)],
            ..Recommendation::default()
        };
        let mut wizard = Wizard::filled("buy low", &SuccessionLaw::default(), Some(&advice));
        assert_eq!((wizard.change.len(), wizard.keep.len(), wizard.investigate.len()), (2, 1, 1));
        assert_eq!(wizard.budget, Usdc::whole(50));
        wizard.budget = Usdc::whole(20);
        assert_eq!(wizard.budget, Usdc::whole(20), "I-268");
    }

    /// I-269, I-270, I-211.
    #[test]
    fn i_270_flags_are_read_and_contradictions_refused() {
        let law = SuccessionLaw { inherit_grimoire: false, ..SuccessionLaw::default() };
        let flags = Flags::default();
        let plain = flags.resolve(&law, Known::Dead).expect("plain");
        assert_eq!((plain.budget, plain.inherit_grimoire), (Usdc::whole(50), false), "the predecessor's");
        assert_eq!(plain.wish, Wish::Manual { insists: false });
        let said = Flags { budget: Some(Usdc::whole(7)), inherit_grimoire: true, force_similarity: true, ..flags };
        let summons = said.resolve(&law, Known::Dead).expect("said");
        assert_eq!((summons.budget, summons.inherit_grimoire), (Usdc::whole(7), true), "I-269");
        assert_eq!(summons.wish, Wish::Manual { insists: true }, "I-211");
        let config_only = Flags { no_inherit: true, ..flags }.resolve(&SuccessionLaw::default(), Known::Dead);
        assert!(config_only.is_ok_and(|summons| !summons.inherit_grimoire));
        let both = Flags { inherit_grimoire: true, no_inherit: true, ..flags };
        assert_eq!(both.resolve(&law, Known::Dead), Err(UsageError::Both));
        assert_eq!(flags.resolve(&law, Known::Unknown), Err(UsageError::Unknown));
        assert_eq!(flags.resolve(&law, Known::Alive), Err(UsageError::Alive));
    }
}
