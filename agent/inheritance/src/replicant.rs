//! Replicants: copies with a difference, sent out with one hypothesis and a short life (I-190 to I-197, M-216).
//!
//! What a probe of a day is and how its deaths are read belongs to mortality ([`golem_mortality::fractal`]); what its
//! report is worth to the Grimoire is here: the same for both.

use std::collections::BTreeMap;

use golem_grimoire::entry::Draft;
use golem_grimoire::provenance::{Provenance, ReplicantReport, Source};
use golem_grimoire::regime::Regime;
use golem_mortality::behaviour::Behaviour;
use golem_mortality::fractal::FailureTally;
use golem_mortality::phase::Phase;
use golem_primitives::words;
use golem_primitives::{GolemId, Ppm, Tick, Usdc, UtcTime};

use crate::individuation::{Distance, MIN_PLAYBOOK_DISTANCE};

pub mod answer;

/// I-192, I-193. How replicants are spawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicantLaw {
    /// Whether the owner wants them.
    pub is_enabled: bool,
    /// At a time, of one parent.
    pub of_parent: u32,
    /// At a time, of a Clade.
    pub of_clade: u32,
    /// I-193. Ticks one lives, never more after it was spawned.
    pub ticks: u64,
    share: Ppm,
}

/// I-192. The most of a parent's credits an owner may let a replicant have.
pub const MOST_SHARE: Ppm = Ppm::of(500_000);
/// I-192. Seconds between two spawns.
const SPAWN_SECONDS: u64 = 3_600;

impl Default for ReplicantLaw {
    fn default() -> Self {
        Self { is_enabled: false, of_parent: 5, of_clade: 20, ticks: 1_440, share: Ppm::of(200_000) }
    }
}

impl ReplicantLaw {
    /// The same with another share of credits, held at one half.
    #[must_use]
    pub fn with_share(self, share: Ppm) -> Self {
        Self { share: share.min(MOST_SHARE), ..self }
    }

    /// I-192. What a replicant may be given.
    #[must_use]
    pub const fn allowance(&self, credits: Usdc) -> Usdc {
        credits.share_down(self.share)
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpawnRequest {
    /// The parent's phase.
    pub phase: Phase,
    /// Whether the parent is itself a replicant.
    pub is_replicant: bool,
    /// Replicants it has now.
    pub of_parent: u32,
    /// Replicants its Clade has now.
    pub of_clade: u32,
    /// When it last spawned.
    pub last: Option<UtcTime>,
    /// What it would give.
    pub funding: Usdc,
    /// What it has.
    pub credits: Usdc,
    /// I-197. How far the mutated PLAYBOOK lies from its own; `None` when it could not be measured.
    pub distance: Option<Distance>,
}

/// Why no replicant is spawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSpawn {
    /// I-192. The owner has not asked for them.
    #[error("replicants are off; the owner turns them on")]
    Off,
    /// I-192. A replicant spawns none.
    #[error("a replicant spawns no replicants")]
    Recursive,
    /// M-127. The phase allows none.
    #[error("a Golem in {phase} spawns no replicants; wait until it thrives")]
    Phase {
        /// The phase.
        phase: Phase,
    },
    /// I-192. There are enough.
    #[error("{count} replicants live already; wait for one to end")]
    Enough {
        /// How many.
        count: u32,
    },
    /// I-192. Too soon.
    #[error("one replicant an hour; wait")]
    TooSoon,
    /// I-192. Too much.
    #[error("a replicant may have {most} of the parent's credits, not {asked}")]
    TooDear {
        /// What it may have.
        most: Usdc,
        /// What was asked.
        asked: Usdc,
    },
    /// I-197. The same again, or nobody knows.
    #[error("a copy without a difference teaches nothing; mutate it")]
    NoDifference,
}

impl NoSpawn {
    /// Whether the same request may pass later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::Phase { .. } | Self::Enough { .. } | Self::TooSoon)
    }
}

impl ReplicantLaw {
    /// I-192, I-197. Whether a replicant may be spawned.
    ///
    /// # Errors
    /// [`NoSpawn`] names the first reason.
    pub fn may_spawn(&self, request: &SpawnRequest, now: UtcTime) -> Result<(), NoSpawn> {
        if !self.is_enabled {
            return Err(NoSpawn::Off);
        }
        if request.is_replicant {
            return Err(NoSpawn::Recursive);
        }
        if !Behaviour::of(request.phase).may_spawn_replicants {
            return Err(NoSpawn::Phase { phase: request.phase });
        }
        if request.of_parent >= self.of_parent || request.of_clade >= self.of_clade {
            return Err(NoSpawn::Enough { count: request.of_parent.max(request.of_clade) });
        }
        if request.last.is_some_and(|last| now.since(last).as_secs() < SPAWN_SECONDS) {
            return Err(NoSpawn::TooSoon);
        }
        let most = self.allowance(request.credits);
        if request.funding > most {
            return Err(NoSpawn::TooDear { most, asked: request.funding });
        }
        match request.distance {
            Some(distance) if distance.reaches(MIN_PLAYBOOK_DISTANCE) => Ok(()),
            _ => Err(NoSpawn::NoDifference),
        }
    }

    /// I-193. Whether a replicant born at `born` is over.
    #[must_use]
    pub const fn is_over(&self, born: Tick, now: Tick) -> bool {
        now.since(born) >= self.ticks
    }
}

words! {
    /// I-194. What a replicant recommends.
    Advice {
        /// Take it over.
        Adopt = "adopt",
        /// Take a part of it over.
        Partial = "partial",
        /// Forget it.
        Discard = "discard",
    }
}

/// I-194. Samples of the same regime below which a report is of low confidence.
const LEAST_SAMPLES: u32 = 50;

/// I-191, I-194. The report of a replicant or a probe. It goes to the parent alone (I-195).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Who reports, to whom, about what.
    pub about: ReplicantReport,
    /// How it differed from its parent.
    pub mutation: String,
    /// How it fared.
    pub fitness: Ppm,
    /// How its parent fared meanwhile.
    pub baseline: Ppm,
    /// What it would change of the strategy.
    pub strategy_delta: String,
    /// What it learned.
    pub insights: Vec<Draft>,
    /// What it recommends.
    pub advice: Advice,
    /// How sure it is.
    pub confidence: Ppm,
    /// The regime in which most of it happened.
    pub regime: Option<Regime>,
    /// Samples in that regime.
    pub samples: u32,
    /// Why its hypothesis fell, if it did.
    pub failure: Option<String>,
}

impl Report {
    /// I-194. Whether it rests on too little.
    #[must_use]
    pub const fn is_low_confidence(&self) -> bool {
        self.samples < LEAST_SAMPLES
    }

    /// I-190, I-191. What it learned, as drafts for the parent's pipeline: each says by whom, for whom and why.
    pub fn drafts(&self) -> impl Iterator<Item = Draft> + '_ {
        self.insights.iter().map(|draft| {
            let mut draft = draft.clone();
            let mut source = Source::foreign(Provenance::Replicant, self.about.replicant, 0);
            source.replicant = Some(self.about.clone());
            draft.source = source;
            if self.is_low_confidence() {
                draft.tags.insert(LOW_CONFIDENCE_TAG.to_owned());
            }
            draft
        })
    }

    /// I-195. Who receives it: the parent and nobody else.
    #[must_use]
    pub const fn receiver(&self) -> GolemId {
        self.about.parent
    }

    /// M-244. How it counts among the parent's probes.
    pub fn record(&self, tally: &mut FailureTally) {
        match &self.failure {
            Some(cause) => tally.record_death(cause),
            None => tally.record_survival(),
        }
    }
}

/// The tag of what rests on too little.
pub const LOW_CONFIDENCE_TAG: &str = "low_confidence";

/// I-195, I-196. What a replicant may do that its parent may: it pays nobody but the parent, and does not dream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leash {
    /// Whom it may pay.
    pub payee: GolemId,
}

impl Leash {
    /// I-195. Whether a payment is allowed.
    #[must_use]
    pub fn may_pay(&self, to: &GolemId) -> bool {
        self.payee == *to
    }

    /// I-196. Replicants do not dream.
    pub const DREAMS: bool = false;
}

/// Confidence of entries moved by probes: how often each hypothesis held and fell (M-252, G-084).
#[must_use]
pub fn votes(reports: &[Report]) -> BTreeMap<String, golem_grimoire::confidence::Votes> {
    let mut votes: BTreeMap<String, golem_grimoire::confidence::Votes> = BTreeMap::new();
    for report in reports {
        let one = match report.failure {
            Some(_) => golem_grimoire::confidence::Votes::DOWN,
            None => golem_grimoire::confidence::Votes::UP,
        };
        let of = votes.entry(report.about.hypothesis.clone()).or_default();
        *of = of.plus(one);
    }
    votes
}

#[cfg(test)]
mod tests {
    use golem_grimoire::kind::Body;

    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    pub(super) fn report(failure: Option<&str>, samples: u32) -> Report {
        let about =
            ReplicantReport { replicant: golem("r"), parent: golem("p"), hypothesis: "wider ranges earn more".into() };
        let source = Source::own(golem("r"));
        Report {
            about,
            mutation: "range x 2".into(),
            fitness: Ppm::of(600_000),
            baseline: Ppm::of(500_000),
            strategy_delta: "range 10% -> 20%".into(),
            insights: vec![Draft::new("ranges of 20% earn more", Body::Insight, source, UtcTime::EPOCH)],
            advice: Advice::Adopt,
            confidence: Ppm::of(700_000),
            regime: Some(Regime::Sideways),
            samples,
            failure: failure.map(str::to_owned),
        }
    }

    fn request() -> SpawnRequest {
        SpawnRequest {
            phase: Phase::Thriving,
            is_replicant: false,
            of_parent: 4,
            of_clade: 19,
            last: Some(UtcTime::from_seconds(0)),
            funding: Usdc::whole(2),
            credits: Usdc::whole(10),
            distance: Distance::new(0.15),
        }
    }

    /// I-192, I-197: off by default, then each limit.
    #[test]
    fn i_192_replicants_are_few_rare_poor_and_different() {
        let now = UtcTime::from_seconds(3_600);
        assert_eq!(ReplicantLaw::default().may_spawn(&request(), now), Err(NoSpawn::Off));
        let law = ReplicantLaw { is_enabled: true, ..ReplicantLaw::default() };
        assert_eq!(law.may_spawn(&request(), now), Ok(()));
        let most = Usdc::whole(2);
        for (asked, refusal) in [
            (SpawnRequest { is_replicant: true, ..request() }, NoSpawn::Recursive),
            (SpawnRequest { phase: Phase::Stable, ..request() }, NoSpawn::Phase { phase: Phase::Stable }),
            (SpawnRequest { of_parent: 5, ..request() }, NoSpawn::Enough { count: 19 }),
            (SpawnRequest { of_clade: 20, ..request() }, NoSpawn::Enough { count: 20 }),
            (SpawnRequest { last: Some(UtcTime::from_seconds(1)), ..request() }, NoSpawn::TooSoon),
            (
                SpawnRequest { funding: Usdc::from_micros(2_000_001), ..request() },
                NoSpawn::TooDear { most, asked: Usdc::from_micros(2_000_001) },
            ),
            (SpawnRequest { distance: Distance::new(0.149), ..request() }, NoSpawn::NoDifference),
            (SpawnRequest { distance: None, ..request() }, NoSpawn::NoDifference),
        ] {
            assert_eq!(law.may_spawn(&asked, now), Err(refusal), "I-197 {refusal}");
        }
        assert!(NoSpawn::TooSoon.may_retry() && !NoSpawn::Recursive.may_retry());
        assert_eq!(law.with_share(Ppm::ONE).allowance(Usdc::whole(10)), Usdc::whole(5), "at most one half");
    }

    /// I-193.
    #[test]
    fn i_193_a_replicant_lives_1440_ticks_and_no_more() {
        let law = ReplicantLaw::default();
        assert!(!law.is_over(Tick::new(5), Tick::new(1_444)) && law.is_over(Tick::new(5), Tick::new(1_445)));
    }

    /// I-190, I-191, I-194, I-195, I-196.
    #[test]
    fn i_191_a_report_says_by_whom_for_whom_and_why() {
        let few = report(None, 49);
        let draft = few.drafts().next().expect("one");
        assert_eq!(draft.source.provenance, Provenance::Replicant);
        let about = draft.source.replicant.expect("tagged");
        assert_eq!((about.replicant, about.parent), (golem("r"), golem("p")));
        assert_eq!(about.hypothesis, "wider ranges earn more");
        assert!(draft.tags.contains(LOW_CONFIDENCE_TAG) && few.is_low_confidence(), "I-194");
        assert!(!report(None, 50).is_low_confidence());
        assert_eq!(few.receiver(), golem("p"), "I-195");
        let leash = Leash { payee: golem("p") };
        assert!(leash.may_pay(&golem("p")) && !leash.may_pay(&golem("x")), "I-195");
        const { assert!(!Leash::DREAMS, "I-196") };
        let worth = crate::arrival::arrival_confidence(Provenance::Replicant, None, 0);
        assert_eq!(worth.get(), Ppm::of(300_000), "I-190");
    }

    /// M-244, M-252: reports move hypotheses and warn early.
    #[test]
    fn m_252_reports_move_what_they_tested() {
        let reports = [report(None, 60), report(Some("regime"), 60), report(Some("regime"), 60)];
        let mut tally = FailureTally::default();
        reports.iter().for_each(|report| report.record(&mut tally));
        let votes = votes(&reports);
        let counted = votes["wider ranges earn more"];
        assert_eq!((counted.up, counted.down), (1, 2));
        assert_eq!(tally.diversity(), 0.0);
    }
}
