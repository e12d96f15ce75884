//! The mark of a death where it happened (I-340 to I-346).

use std::time::Duration;

use golem_grimoire::emotion::EmotionalTag;
use golem_grimoire::entry::Draft;
use golem_grimoire::recall::RecallLaw;
use golem_grimoire::regime::Regime;
use golem_mortality::cause::CauseKind;
use golem_primitives::words;
use golem_primitives::{B256, GolemId, Ppm, UtcTime};

use crate::ingest::pipeline::Signature;
use crate::testament::fill::MOST_EDGES;
use crate::testament::section::CausalEdge;

/// I-340. The market in which a Golem died.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeathScene {
    /// The regime, if one was recognised.
    pub regime: Option<Regime>,
    /// What was lost, in micro-USDC; negative is a loss.
    pub net_micros: i64,
    /// The block of the death.
    pub block: u64,
}

/// I-341. A bloodstain. Its author is dead and gains nothing by it, which is why it is trusted more (I-340).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bloodstain {
    /// Who died.
    pub golem: GolemId,
    /// Of which generation.
    pub generation: u32,
    /// Of what.
    pub cause: CauseKind,
    /// Where.
    pub scene: DeathScene,
    /// What it warns of.
    pub warnings: Vec<Draft>,
    edges: Vec<CausalEdge>,
    /// What it felt at the end.
    pub somatic: Option<EmotionalTag>,
    /// A piece of its testament.
    pub excerpt: String,
    /// When.
    pub at: UtcTime,
}

impl Bloodstain {
    /// A bloodstain without edges.
    #[must_use]
    pub const fn new(golem: GolemId, generation: u32, cause: CauseKind, scene: DeathScene, at: UtcTime) -> Self {
        Self {
            golem,
            generation,
            cause,
            scene,
            warnings: Vec::new(),
            edges: Vec::new(),
            somatic: None,
            excerpt: String::new(),
            at,
        }
    }

    /// I-341. The same with edges, strongest first, fifty at most.
    #[must_use]
    pub fn with_edges(mut self, mut edges: Vec<CausalEdge>) -> Self {
        edges.truncate(MOST_EDGES);
        self.edges = edges;
        self
    }

    /// Its edges.
    #[must_use]
    pub fn edges(&self) -> &[CausalEdge] {
        &self.edges
    }
}

words! {
    /// I-342. Who looks.
    Audience {
        /// Anyone.
        Everyone = "everyone",
        /// Readers of the commons.
        Commons = "commons",
        /// Golems of the same owner.
        Siblings = "siblings",
    }
}

words! {
    /// I-342. A part of a bloodstain.
    Part {
        /// Of what it died.
        Cause = "cause",
        /// The scene.
        Context = "context",
        /// What it warns of.
        Warnings = "warnings",
        /// Its causal edges.
        CausalEdges = "causal_edges",
        /// What it felt.
        EmotionalTopology = "emotional_topology",
        /// The signature.
        Signature = "signature",
    }
}

impl Part {
    /// I-342. Whether an audience sees it.
    #[must_use]
    pub const fn is_seen_by(self, audience: Audience) -> bool {
        match self {
            Self::Cause | Self::Signature => true,
            Self::Context | Self::Warnings => matches!(audience, Audience::Commons | Audience::Siblings),
            Self::CausalEdges | Self::EmotionalTopology => matches!(audience, Audience::Siblings),
        }
    }
}

/// I-343. What a relay does with an uploaded bloodstain, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadStep {
    /// Leave pheromones.
    DepositPheromones,
    /// Index the warnings for the Clade with the mark of the dead.
    IndexWarnings,
    /// Publish without names after a delay.
    PublishAnonymously {
        /// How long to wait.
        after: Duration,
    },
    /// Tell it.
    Emit,
}

/// I-344. A bundle that nobody known has signed; nothing of it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bloodstain is not signed by the identity of {golem}; nothing of it is used")]
pub struct Forged {
    /// Whose it claims to be.
    pub golem: GolemId,
}

impl Forged {
    /// The same bundle stays forged.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        false
    }
}

/// I-343. The delay before a bloodstain is published without names: from one to six hours, by chance handed in.
#[must_use]
pub fn publish_delay(chance: B256) -> Duration {
    let draw = u64::from_be_bytes(chance[..8].try_into().expect("a hash has 32 bytes"));
    Duration::from_secs(3_600 + draw % (5 * 3_600 + 1))
}

/// I-343, I-344. What follows an upload.
///
/// # Errors
/// [`Forged`] for a signature that is missing or wrong: the whole bundle is refused.
pub fn upload(
    stain: &Bloodstain,
    signature: Signature,
    is_commons_on: bool,
    chance: B256,
) -> Result<Vec<UploadStep>, Forged> {
    if signature != Signature::Valid {
        return Err(Forged { golem: stain.golem });
    }
    let mut steps = vec![UploadStep::DepositPheromones, UploadStep::IndexWarnings];
    if is_commons_on {
        steps.push(UploadStep::PublishAnonymously { after: publish_delay(chance) });
    }
    steps.push(UploadStep::Emit);
    Ok(steps)
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

/// I-346. How strongly a dead generation still shows on a screen, `generations` ago; it stays findable all the same.
#[must_use]
pub fn fading(generations: u32) -> Ppm {
    const LEAST: Ppm = Ppm::of(200_000);
    Ppm::round(libm::pow(0.85, f64::from(generations))).max(LEAST)
}

#[cfg(test)]
mod tests {
    use golem_grimoire::confidence::Confidence;
    use golem_grimoire::kind::{CausalBasis, Domain};
    use golem_grimoire::retention::{DecayClass, Pace, RetentionLaw};
    use golem_primitives::keccak256;

    use super::*;

    fn stain() -> Bloodstain {
        let golem = GolemId::new("ash").expect("a name");
        let scene = DeathScene { regime: Some(Regime::Crisis), net_micros: -7, block: 9 };
        Bloodstain::new(golem, 2, CauseKind::Economic, scene, UtcTime::EPOCH)
    }

    fn edge(n: u32) -> CausalEdge {
        CausalEdge {
            from: "gas".into(),
            to: format!("spread {n}"),
            weight: Ppm::ONE,
            confidence: Confidence::CERTAIN,
            evidence: n,
            domain: Domain::GasMev,
            basis: CausalBasis::Associational,
            entry: "00000000-0000-7000-8000-000000000000".parse().expect("a UUID"),
        }
    }

    /// I-340, I-341: the scene, and fifty edges at most.
    #[test]
    fn i_341_a_bloodstain_holds_fifty_edges() {
        let stained = stain().with_edges((0..60).map(edge).collect());
        assert_eq!((stained.edges().len(), stained.edges()[0].evidence), (50, 0));
        assert_eq!(stained.scene.regime, Some(Regime::Crisis), "I-340: where it died");
    }

    /// I-342.
    #[test]
    fn i_342_each_part_has_its_audience() {
        let seen = |audience| Part::ALL.iter().map(|part| part.is_seen_by(audience)).collect::<Vec<_>>();
        assert_eq!(seen(Audience::Everyone), [true, false, false, false, false, true]);
        assert_eq!(seen(Audience::Commons), [true, true, true, false, false, true]);
        assert_eq!(seen(Audience::Siblings), [true; 6]);
    }

    /// I-343, I-344.
    #[test]
    fn i_344_an_unsigned_bloodstain_is_refused_whole() {
        let chance = keccak256(b"ash");
        for bad in [Signature::Missing, Signature::Invalid] {
            assert!(upload(&stain(), bad, true, chance).is_err_and(|forged| !forged.may_retry()), "I-344");
        }
        let steps = upload(&stain(), Signature::Valid, true, chance).expect("signed");
        assert_eq!(steps.len(), 4, "I-343");
        assert!(matches!(steps[2], UploadStep::PublishAnonymously { .. }) && steps[3] == UploadStep::Emit);
        assert_eq!(upload(&stain(), Signature::Valid, false, chance).expect("signed").len(), 3);
        for n in 0u64..200 {
            let delay = publish_delay(keccak256(n.to_be_bytes())).as_secs();
            assert!((3_600..=6 * 3_600).contains(&delay), "one to six hours");
        }
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
        assert_eq!(dagger(&stain().golem), "† ash", "I-346");
        assert!(fading(0) == Ppm::ONE && fading(3) < fading(1) && fading(100) == Ppm::of(200_000), "I-346");
    }
}
