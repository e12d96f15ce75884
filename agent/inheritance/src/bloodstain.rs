//! The mark of a death where it happened (I-340 to I-346, M-207).

use golem_grimoire::confidence::Votes;
use golem_grimoire::emotion::{Emotion, Pad};
use golem_grimoire::recall::RecallLaw;
use golem_grimoire::regime::Regime;
use golem_mortality::cause::CauseKind;
use golem_primitives::{Address, AgentId, B256, GolemId, Ppm, UtcTime};

use crate::genome::GenomeEntry;
use crate::testament::Testament;
use crate::testament::fill::MOST_EDGES;
use crate::testament::section::CausalEdge;

pub mod landscape;

use landscape::{MOST_PATCHES, Patch, fragment};

/// I-340. The market in which a Golem died.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DeathScene {
    pub regime: Option<Regime>,
    /// What was lost, in micro-USDC; negative is a loss.
    pub net_micros: i64,
    pub block: u64,
}

/// M-207. Scars a bloodstain shows.
pub const MOST_SCARS: usize = 5;
/// Warnings a bloodstain carries: as many as edges.
pub const MOST_WARNINGS: usize = MOST_EDGES;
/// Letters of the testament it quotes.
const EXCERPT: usize = 280;

/// M-207. Something it suffered badly.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mark {
    pub what: String,
    pub severity: Ppm,
}

/// What was felt at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FeltEnding {
    /// What accepting the end felt like.
    pub emotion: Emotion,
    pub mood: Pad,
}

/// I-341, M-207. A bloodstain. Its author is dead and gains nothing by it, which is why it is trusted more (I-340).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bloodstain {
    pub golem: GolemId,
    pub owner: Address,
    pub generation: u32,
    pub cause: CauseKind,
    pub vitality: Ppm,
    pub ticks: u64,
    pub scene: DeathScene,
    /// What it suffered worst, worst first.
    pub scars: Vec<Mark>,
    /// How often what it knew was confirmed and contradicted while it lived. The sources only say votes.
    pub votes: Votes,
    /// The hash of its testament, as the chain records it.
    pub testament: B256,
    /// The hash of what an heir begins with: its genome, as the chain records it.
    pub priors: B256,
    /// Who came after it; `None` in what the dead themselves leave.
    pub successor: Option<AgentId>,
    /// What it warns of, surest first.
    pub warnings: Vec<GenomeEntry>,
    /// Its causal edges, strongest first.
    pub edges: Vec<CausalEdge>,
    pub somatic: Option<FeltEnding>,
    /// Where its entries went worst.
    pub landscape: Vec<Patch>,
    pub excerpt: String,
    pub at: UtcTime,
}

/// What a testament does not say of a death and its bloodstain does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traces {
    pub block: u64,
    pub scars: Vec<Mark>,
    pub votes: Votes,
    pub warnings: Vec<GenomeEntry>,
    pub edges: Vec<CausalEdge>,
    pub somatic: Option<FeltEnding>,
    /// The landscape it felt its way through.
    pub landscape: Vec<Patch>,
}

impl Bloodstain {
    /// M-207, I-341. The mark of a death that left this testament and this genome, by the hashes the chain knows them by.
    /// Of what there is more of than it has room for, it has the worst, the surest and the strongest.
    #[must_use]
    pub fn of(will: &Testament, testament: B256, priors: B256, traces: Traces) -> Self {
        let Traces { block, mut scars, votes, mut warnings, mut edges, somatic, landscape } = traces;
        scars.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.what.cmp(&b.what)));
        scars.truncate(MOST_SCARS);
        warnings.sort_by(|a, b| b.bequeathed.cmp(&a.bequeathed).then(a.id.cmp(&b.id)));
        warnings.truncate(MOST_WARNINGS);
        edges.truncate(MOST_EDGES);
        let death = &will.death.death;
        let net_micros = i64::try_from(will.stats.net_micros()).unwrap_or(i64::MIN);
        Self {
            golem: will.header.golem,
            owner: will.header.owner,
            generation: will.header.generation,
            cause: death.cause.kind(),
            vitality: death.composite,
            ticks: death.ticks_alive,
            scene: DeathScene { regime: will.sections.killed.market, net_micros, block },
            scars,
            votes,
            testament,
            priors,
            successor: None,
            warnings,
            edges,
            somatic,
            landscape: fragment(landscape),
            excerpt: will.last_words.chars().take(EXCERPT).collect(),
            at: will.death.at,
        }
    }

    /// I-344. What is wrong with a bloodstain that came with this testament and these hashes; `None` when it is the mark of
    /// that death, within its bounds.
    #[must_use]
    pub fn flaw(&self, will: &Testament, testament: B256, priors: B256) -> Option<&'static str> {
        let death = &will.death.death;
        let is_of_it = (self.golem, self.owner) == (will.header.golem, will.header.owner)
            && (self.generation, self.ticks) == (will.header.generation, death.ticks_alive)
            && (self.cause, self.vitality) == (death.cause.kind(), death.composite);
        let is_full = self.scars.len() > MOST_SCARS
            || self.warnings.len() > MOST_WARNINGS
            || self.edges.len() > MOST_EDGES
            || self.landscape.len() > MOST_PATCHES;
        if !is_of_it {
            Some("it is of another death than the testament")
        } else if (self.testament, self.priors) != (testament, priors) {
            Some("it names another testament or genome")
        } else if is_full {
            Some("it carries more than any bloodstain has room for")
        } else {
            None
        }
    }
}

/// I-247, I-345. The score of a bloodstain in retrieval; it may exceed one, as the Grimoire's own scores may.
#[must_use]
pub fn boosted(score: f64, law: &RecallLaw) -> f64 {
    score * law.bloodstain_boost
}

/// I-346. How the name of the dead is written everywhere.
#[must_use]
pub fn dagger(golem: &GolemId) -> String {
    format!("† {golem}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use golem_grimoire::confidence::Confidence;
    use golem_grimoire::retention::{DecayClass, Pace, RetentionLaw};

    use super::*;

    fn ash() -> GolemId {
        GolemId::new("ash").expect("a name")
    }

    /// I-171, I-172, I-345: W-40, W-41. The dead decay three times slower.
    #[test]
    fn i_172_w_40_w_41_bloodstains_decay_three_times_slower() {
        let law = RetentionLaw::default();
        let left = |class, worth, hours: u64, is_bloodstain| {
            let pace = Pace { is_bloodstain, ..Pace::of(class) };
            pace.remaining(&law, Confidence::of(worth), Duration::from_secs(hours * 3_600)).get()
        };
        assert_eq!(left(DecayClass::Tactical, 800_000, 7 * 24, false), 400_000, "W-40");
        assert_eq!(left(DecayClass::Tactical, 800_000, 7 * 24, true), 634_960, "W-40");
        assert_eq!(left(DecayClass::Tactical, 800_000, 21 * 24, true), 400_000, "W-40");
        assert_eq!(left(DecayClass::Ephemeral, 900_000, 36, false), 318_198, "W-41");
        assert_eq!(left(DecayClass::Ephemeral, 900_000, 36, true), 636_396, "W-41");
        assert_eq!(left(DecayClass::RegimeConditional, 800_000, 14 * 24, false), 400_000, "I-171");
        assert_eq!(left(DecayClass::Structural, 800_000, 1_000_000, false), 800_000, "I-171");
    }

    /// I-247, I-345, I-346: W-42.
    #[test]
    fn i_247_w_42_the_dead_are_heard_first() {
        assert!((boosted(0.5, &RecallLaw::default()) - 0.60).abs() < 1e-12, "W-42");
        assert_eq!(dagger(&ash()), "† ash", "I-346");
    }
}
