//! P-040 to P-048. What a rule may move: nothing, a quarter of its stake, the whole of it.

use arrayvec::ArrayVec;
use golem_primitives::Ppm;

use crate::account::Account;
use crate::confidence::RuleConfidence;
use crate::evidence::{Detector, Proof, TripObservation};
use crate::guard::GuardAccount;
use crate::rule::Rule;
use crate::staging::{BLOCK, Blocks, RECENT, REST, TRIAL};

/// D-136. Fewer alarms than these say nothing of how many are false.
const ALARMS: usize = 10;

/// P-047. What the owner said about the rules he founded a Golem on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Founding {
    /// A quarter of their stake from the first look.
    #[default]
    Trial,
    /// They wait for evidence as a candidate does.
    Paper,
    /// The whole from the first look, at his own risk.
    Trust,
}

impl Founding {
    /// What a rule of the owner's may move at first. What he forbids is obeyed at once, whatever he said of the rest.
    const fn standing(self, rule: &Rule) -> Standing {
        match self {
            _ if rule.action.is_guard() => Standing::Whole,
            Self::Trust => Standing::Whole,
            Self::Trial => Standing::Trial,
            Self::Paper => Standing::Paper,
        }
    }
}

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Origin {
    Founding(Founding),
    /// A candidate: a search, a dream, a stranger.
    Candidate,
}

/// What a rule may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Standing {
    /// Nothing; it was promoted once and stopped working.
    Rest,
    /// Nothing yet.
    Paper,
    /// A quarter of its stake.
    Trial,
    Whole,
}

impl Standing {
    /// The part of its stake a rule has earned.
    #[must_use]
    pub const fn stake(self) -> Ppm {
        match self {
            Self::Rest | Self::Paper => Ppm::ZERO,
            Self::Trial => Ppm::of(250_000),
            Self::Whole => Ppm::ONE,
        }
    }
}

/// P-048. What changed for a rule, with the numbers that decided.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum RuleChange {
    /// It has a number and an account.
    Staged {
        block: u64,
        /// B, what one trip can lose as a share of the stake.
        bound_of_a_loss: f64,
        /// What it may move from the start.
        standing: Standing,
    },
    /// It moves a quarter of its stake.
    OnTrial {
        /// E, at least 20.
        evidence: f64,
    },
    /// It moves the whole.
    Promoted {
        evidence: f64,
        /// What its block asked.
        bound: f64,
        block: u64,
        /// Promoted in its block, itself included.
        promoted: u32,
    },
    /// It moves nothing any more and has a new account.
    Rested {
        /// M, at least 20.
        detector: f64,
        /// What its trips should have brought.
        wanted: f64,
        /// E when it stopped.
        evidence: f64,
    },
    /// D-136. A guard cried wolf too often; it is obeyed no more and has a new account.
    Withdrawn {
        /// The newest times it bit, at most 60.
        alarms: usize,
        /// Of them those that saved nothing, more than three in ten.
        false_alarms: usize,
    },
    /// What rested moves money again.
    Woken {
        /// E of the new account, at least 20.
        evidence: f64,
    },
    /// The least promising candidate made room for another.
    MadeRoom { evidence: f64 },
    /// There was no room and nobody to make any.
    Refused { tried: usize },
    /// D-162. Its owner let a candidate through the gate: evidence alone decides from here on.
    Approved,
    /// D-162. Its owner did not want a candidate; it leaves.
    Rejected,
    /// Its trips spoke against a candidate; it leaves.
    Refuted {
        /// How far it was still believed, in hundredths; below 10.
        confidence: u8,
        trips: u64,
        evidence: f64,
    },
}

/// P-048. One change of one rule.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DatedChange {
    /// When, in seconds since 1970.
    pub time: u64,
    pub number: u64,
    pub change: RuleChange,
}

/// How a rule is tried.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Paper {
    /// It holds or provides.
    Holds(Account),
    /// It only takes away.
    Guards(GuardAccount),
}

/// A rule with what it has shown.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tried {
    pub paper: Paper,
    /// A guard told it to leave; it waits for its own end.
    pub is_tightened: bool,
    standing: Standing,
    number: u64,
    pub rule: Rule,
    origin: Origin,
    /// Of a candidate; an owner's word needs none.
    confidence: Option<RuleConfidence>,
    /// D-171. Whether a dream of this life staged it.
    is_dreamt: bool,
    is_counted: bool,
    bound_of_a_loss: f64,
    proof: Proof,
    detector: Option<Detector>,
    trips: u64,
    recent: ArrayVec<f64, RECENT>,
}

/// What a rule is staged with.
#[derive(Debug, Clone)]
pub struct Staged {
    pub rule: Rule,
    pub paper: Paper,
    pub origin: Origin,
    /// P-040. How far it is believed, if it is a candidate.
    pub confidence: Option<RuleConfidence>,
    pub bound_of_a_loss: f64,
    /// What a round trip costs now, as a share.
    pub cost: f64,
}

impl Tried {
    /// Gives a rule its number. A founding rule that moves money at once is watched against half of what it promises after
    /// costs, since it has no trips to be held to.
    #[must_use]
    pub fn stage(staged: Staged, blocks: &mut Blocks) -> Self {
        let Staged { rule, paper, origin, confidence, bound_of_a_loss, cost } = staged;
        let standing = match origin {
            Origin::Founding(founding) => founding.standing(&rule),
            Origin::Candidate => Standing::Paper,
        };
        let promised = rule.expects.map_or(0.0, |expects| expects.return_ppm as f64 / 1e6 - cost);
        let detector = Detector::new(bound_of_a_loss, promised.max(0.0) / 2.0);
        Self {
            paper,
            is_tightened: false,
            standing,
            number: blocks.stage(),
            rule,
            origin,
            confidence,
            is_dreamt: false,
            is_counted: false,
            bound_of_a_loss,
            proof: Proof::new(bound_of_a_loss),
            detector: (standing > Standing::Paper).then_some(detector),
            trips: 0,
            recent: ArrayVec::new(),
        }
    }

    /// P-047. Gives a rule that its line tried the owner's word; what he trusts or tries moves money at once.
    pub fn found(&mut self, founding: Founding) {
        let by_word = founding.standing(&self.rule);
        self.origin = Origin::Founding(founding);
        self.confidence = None;
        if by_word > Standing::Paper && self.standing < by_word {
            self.move_money(by_word);
        }
    }

    /// P-046. What an heir begins with: the rule, its number, half of the evidence, and no money before its own trips.
    #[must_use]
    pub fn inherited(&self) -> Self {
        let obeyed = self.rule.action.is_guard() && matches!(self.origin, Origin::Founding(_));
        Self {
            paper: self.paper.fresh(),
            is_tightened: false,
            is_dreamt: false,
            standing: if obeyed { self.standing } else { self.standing.min(Standing::Paper) },
            proof: self.proof.inherited(),
            detector: None,
            trips: 0,
            recent: ArrayVec::new(),
            ..self.clone()
        }
    }

    /// D-171. Says that a dream of this life staged it.
    pub(crate) const fn mark_dreamt(&mut self) {
        self.is_dreamt = true;
    }

    /// D-171. Whether a dream of this life staged it.
    #[must_use]
    pub const fn is_dreamt(&self) -> bool {
        self.is_dreamt
    }

    /// D-162. A candidate's owner lets it through the gate; whether that changed anything.
    pub(crate) fn approve(&mut self) -> bool {
        let Some(confidence) = self.confidence.as_mut().filter(|one| !one.is_admitted()) else { return false };
        confidence.approve();
        true
    }

    /// D-162. A candidate's owner does not want it: it moves nothing any more and leaves at the next look. Whether it is one.
    pub(crate) fn reject(&mut self) -> bool {
        let is_candidate = self.confidence.is_some();
        if is_candidate {
            self.confidence = Some(RuleConfidence::REJECTED);
            self.standing = Standing::Paper;
        }
        is_candidate
    }

    /// What it may move.
    #[must_use]
    pub const fn standing(&self) -> Standing {
        self.standing
    }

    /// Its number as it was staged.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Where it comes from.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// P-040. How far it is believed, if it is a candidate.
    #[must_use]
    pub const fn confidence(&self) -> Option<RuleConfidence> {
        self.confidence
    }

    /// P-040. Whether its trips spoke against it before it was admitted.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.confidence.is_some_and(|confidence| confidence.is_refuted())
    }

    /// E: the smaller of its two accounts.
    #[must_use]
    pub fn evidence(&self) -> f64 {
        self.proof.value()
    }

    /// B.
    #[must_use]
    pub const fn bound_of_a_loss(&self) -> f64 {
        self.bound_of_a_loss
    }

    /// Trips finished by itself.
    #[must_use]
    pub const fn trips(&self) -> u64 {
        self.trips
    }

    /// Mean net return of its newest trips, at most 60.
    #[must_use]
    pub fn recent_mean(&self) -> f64 {
        self.recent.iter().sum::<f64>() / self.recent.len().max(1) as f64
    }

    /// Counts a finished trip, and says what it changed.
    pub fn observe(&mut self, seen: TripObservation, blocks: &mut Blocks) -> Option<RuleChange> {
        self.proof.observe(seen);
        self.trips += 1;
        if self.recent.is_full() {
            self.recent.remove(0);
        }
        self.recent.push(seen.net);
        if let Some(confidence) = &mut self.confidence {
            confidence.hear(seen.net > 0.0);
            if confidence.is_refuted() {
                let (confidence, evidence) = (confidence.hundredths(), self.evidence());
                return Some(RuleChange::Refuted { confidence, trips: self.trips, evidence });
            }
            if !confidence.is_admitted() {
                return None;
            }
        }
        let is_held_to_it = !self.is_the_owners_guard();
        if let Some(detector) = self.detector.as_mut().filter(|_| is_held_to_it) {
            detector.observe(seen.net);
            if detector.value() >= REST {
                return Some(self.rest());
            }
            if let Some(withdrawn) = self.cries_wolf() {
                self.rest();
                self.recent.clear();
                return Some(withdrawn);
            }
        }
        self.rise(blocks)
    }

    /// P-047. What the owner forbids is obeyed whatever it earned.
    fn is_the_owners_guard(&self) -> bool {
        self.rule.action.is_guard() && matches!(self.origin, Origin::Founding(_))
    }

    /// D-136. Whether a guard that is obeyed alarms for nothing more than three times in ten.
    fn cries_wolf(&self) -> Option<RuleChange> {
        let alarms = self.recent.len();
        let false_alarms = self.recent.iter().filter(|saved| **saved <= 0.0).count();
        let is_tired = self.rule.action.is_guard() && alarms >= ALARMS && 10 * false_alarms > 3 * alarms;
        is_tired.then_some(RuleChange::Withdrawn { alarms, false_alarms })
    }

    fn rest(&mut self) -> RuleChange {
        let evidence = self.evidence();
        let (detector, wanted) = self.detector.map_or((0.0, 0.0), |detector| (detector.value(), detector.wanted()));
        self.standing = Standing::Rest;
        self.detector = None;
        self.proof = Proof::resting(self.bound_of_a_loss);
        RuleChange::Rested { detector, wanted, evidence }
    }

    fn rise(&mut self, blocks: &mut Blocks) -> Option<RuleChange> {
        let (evidence, bound) = (self.evidence(), blocks.bound(self.number));
        match self.standing {
            Standing::Whole => None,
            Standing::Rest if evidence >= TRIAL => {
                self.move_money(Standing::Trial);
                Some(RuleChange::Woken { evidence })
            }
            _ if evidence >= bound.max(TRIAL) && self.standing != Standing::Rest => {
                self.move_money(Standing::Whole);
                // A rule that was promoted, rested and woke is counted once.
                if !self.is_counted {
                    self.is_counted = true;
                    blocks.promote(self.number);
                }
                let promoted = blocks.promoted(self.number);
                Some(RuleChange::Promoted { evidence, bound, block: self.number / BLOCK, promoted })
            }
            Standing::Paper if evidence >= TRIAL => {
                self.move_money(Standing::Trial);
                Some(RuleChange::OnTrial { evidence })
            }
            _ => None,
        }
    }

    /// From here on it is held to half of what its newest trips brought.
    fn move_money(&mut self, standing: Standing) {
        self.standing = standing;
        self.detector = Some(Detector::new(self.bound_of_a_loss, self.recent_mean().max(0.0) / 2.0));
    }
}

impl Paper {
    /// The same kind of account, as if nothing had happened yet.
    #[must_use]
    pub fn fresh(&self) -> Self {
        match self {
            Self::Holds(account) => Self::Holds(account.fresh()),
            Self::Guards(_) => Self::Guards(GuardAccount::default()),
        }
    }
}

#[cfg(test)]
#[path = "tests/promotion.rs"]
mod tests;
