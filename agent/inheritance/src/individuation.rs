//! Whether a life became its own: five checks at death, one gate at birth (I-200 to I-212).

use golem_grimoire::playbook::Playbook;
use golem_grimoire::reflection::ReflectionLaw;
use golem_primitives::Ppm;
use golem_primitives::words;

use crate::novelty::Vector;

/// I-201. How far two PLAYBOOKs lie apart: one less their cosine, from 0 to 2.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Distance(f64);

/// C-04. Two numbers this near are the same number; a distance of exactly the threshold passes.
const SLACK: f64 = 1e-9;

impl Distance {
    /// A distance; `None` for what is no number from 0 to 2.
    #[must_use]
    pub fn new(distance: f64) -> Option<Self> {
        (-SLACK..=2.0 + SLACK).contains(&distance).then(|| Self(distance.clamp(0.0, 2.0)))
    }

    /// I-201. Between two texts, by the vectors of one model; `None` when they cannot be compared.
    #[must_use]
    pub fn between(own: &Vector, other: &Vector) -> Option<Self> {
        own.cosine(other).and_then(|cosine| Self::new(1.0 - cosine))
    }

    /// I-201. The other measure: the share of rules in which two PLAYBOOKs differ. It needs no model.
    #[must_use]
    pub fn by_rules(own: &Playbook, other: &Playbook) -> Self {
        Self(own.divergence(other).as_f64())
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The share, held at one, as records keep it.
    #[must_use]
    pub fn ppm(self) -> Ppm {
        Ppm::round(self.0)
    }

    /// One less the distance, held at zero.
    #[must_use]
    pub fn similarity(self) -> Ppm {
        Ppm::round(1.0 - self.0)
    }

    /// C-04. Whether it reaches a threshold, equality included.
    #[must_use]
    pub fn reaches(self, least: Ppm) -> bool {
        self.0 >= least.as_f64() - SLACK
    }
}

/// An inherited entry shown wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalidation {
    /// I-208. Why; without a reason it does not count.
    pub reasoning: String,
}

/// What a life leaves, as the five checks read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaving {
    pub generation: u32,
    /// I-205. The distance from the PLAYBOOK that was inherited and kept since boot; `None` when it could not be measured.
    pub distance: Option<Distance>,
    /// Entries its PLAYBOOK has and its predecessor's had not; of generation 0 all (I-206).
    pub novel: u32,
    pub inherited: u32,
    pub invalidated: Vec<Invalidation>,
    pub has_gaps: bool,
    pub questions: u32,
    pub entries: u32,
}

words! {
    /// What a check says.
    Check {
        Passed = "passed",
        Failed = "failed",
        /// I-206. There was nothing to compare with.
        NotApplicable = "not_applicable",
        /// I-212. Nobody could measure it.
        Unmeasured = "unmeasured",
    }
}

words! {
    /// I-204. What the checks say together.
    IndividuationVerdict {
        /// All hold: a life of its own.
        Individuated = "individuated",
        LowDivergence = "low_divergence",
        /// It says what it was told and questioned none of it.
        CargoCult = "cargo_cult",
    }
}

/// I-204. The results of all five, on record whatever they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Individuation {
    /// (a) PLAYBOOK.md moved far enough.
    pub distance: Check,
    /// (b) Enough of it is new.
    pub novel: Check,
    /// (c) Enough of what was inherited was shown wrong, with reasons.
    pub invalidated: Check,
    /// (d) Gaps are named.
    pub gaps: Check,
    /// (e) Enough is asked.
    pub questions: Check,
}

fn check(holds: bool) -> Check {
    if holds { Check::Passed } else { Check::Failed }
}

impl Leaving {
    /// I-200, I-202, I-206 to I-208. The five checks, in the Reflect phase before the last commit.
    #[must_use]
    pub fn checks(&self, law: &ReflectionLaw) -> Individuation {
        let is_first = self.generation == 0;
        let reasoned = self.invalidated.iter().filter(|one| !one.reasoning.trim().is_empty()).count();
        let needed = law.least_invalidated.min(self.inherited) as usize;
        let asked = u64::from(self.questions) * 1_000_000;
        let enough = u64::from(law.least_question_ratio.get()) * u64::from(self.entries);
        Individuation {
            distance: match self.distance {
                _ if is_first => Check::NotApplicable,
                None => Check::Unmeasured,
                Some(distance) => check(distance.reaches(law.least_divergence)),
            },
            novel: check(self.novel >= law.least_novel),
            invalidated: if is_first { Check::NotApplicable } else { check(reasoned >= needed) },
            gaps: check(self.has_gaps || !law.needs_gaps),
            questions: check(self.entries > 0 && asked >= enough),
        }
    }
}

impl Individuation {
    /// I-203, I-204. The flag that the last PLAYBOOK carries, and of which a successor is warned: only check (a) sets it.
    /// The commit happens either way; death is never blocked.
    #[must_use]
    pub const fn is_low_divergence(&self) -> bool {
        matches!(self.distance, Check::Failed)
    }

    /// I-203, I-204. The checks that failed, in the words of the catalogue: what a successor is warned of.
    #[must_use]
    pub fn failed(&self) -> Vec<&'static str> {
        let all = [
            (self.distance, "its PLAYBOOK moved too little"),
            (self.novel, "too few rules of its own"),
            (self.invalidated, "too little of what it inherited was shown wrong"),
            (self.gaps, "it names no gaps"),
            (self.questions, "it asks too little"),
        ];
        all.into_iter().filter(|(check, _)| *check == Check::Failed).map(|(_, words)| words).collect()
    }

    /// I-204. The verdict.
    #[must_use]
    pub fn verdict(&self) -> IndividuationVerdict {
        let all = [self.distance, self.novel, self.invalidated, self.gaps, self.questions];
        if all.iter().all(|one| matches!(one, Check::Passed | Check::NotApplicable)) {
            IndividuationVerdict::Individuated
        } else if self.distance == Check::Failed && self.invalidated == Check::Failed {
            IndividuationVerdict::CargoCult
        } else {
            IndividuationVerdict::LowDivergence
        }
    }
}

/// C-04, I-210. The distance no birth may stay below: `strategy_drift_allowed`, which is a minimum.
pub const MIN_PLAYBOOK_DISTANCE: Ppm = Ppm::of(150_000);

/// I-211. Who wants the birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Nobody is there: the automatic succession. It has no way to insist.
    Automatic,
    Manual {
        /// `--force-similarity`: the person insists. No configuration key has this.
        insists: bool,
    },
}

/// I-210, I-212, I-283. Why a successor is not born.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stillborn {
    #[error("the PLAYBOOKs are alike by {similarity}, and at least {least} must lie between them")]
    TooSimilar { similarity: Ppm, least: Ppm },
    /// I-212. Nobody can say whether it would.
    #[error("the PLAYBOOKs could not be compared")]
    Unmeasured,
}

/// I-210 to I-212, I-365. The gate of birth: the successor's PLAYBOOK must lie at least `configured` from its
/// predecessor's, and never nearer than 0.15. What cannot be measured does not pass. Only a person may insist.
///
/// # Errors
/// [`Stillborn`] halts the succession; everything exported stays.
pub fn birth_gate(distance: Option<Distance>, configured: Ppm, wish: Wish) -> Result<(), Stillborn> {
    if wish == (Wish::Manual { insists: true }) {
        return Ok(());
    }
    let least = configured.max(MIN_PLAYBOOK_DISTANCE);
    match distance {
        None => Err(Stillborn::Unmeasured),
        Some(distance) if distance.reaches(least) => Ok(()),
        Some(distance) => Err(Stillborn::TooSimilar { similarity: distance.similarity(), least }),
    }
}

#[cfg(test)]
mod tests;
