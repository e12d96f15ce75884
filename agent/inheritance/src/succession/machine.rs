//! The seven steps as a state machine: `next(state, outcome)`.

use golem_primitives::words;
use golem_primitives::{GolemId, Ppm, Usdc, UtcTime};

use super::SuccessionLaw;
use super::schedule::{CycleAttempt, retry_at};
use crate::individuation::{Distance, Stillborn, Wish, birth_gate};
use crate::lineage::Descent;

words! {
    /// I-282. The steps, in order. Between the third and the fourth lies a look at the funds (I-288).
    SuccessionStep {
        /// 1. Export the Grimoire through the backup and compress it.
        Export = "export",
        /// 2. Compile the successor's golem.toml.
        Compile = "compile",
        /// 3. Compare the PLAYBOOKs.
        Compare = "compare",
        /// Before 4: whether the funds are there.
        CheckFunds = "check_funds",
        /// 4. Provision compute of the same tier, region and size.
        Provision = "provision",
        /// 5. Fund it.
        Fund = "fund",
        /// 6. Register a new identity.
        Register = "register",
        /// 7. Boot, and take the genome in.
        Boot = "boot",
    }
}

impl SuccessionStep {
    /// The one after it.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }

    /// Whether compute runs while this step does.
    const fn has_compute(self) -> bool {
        matches!(self, Self::Fund | Self::Register | Self::Boot)
    }
}

/// I-283, I-284. Why it stopped; what was exported stays (I-292), and by hand it can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Halt {
    /// I-283. The successor would be the same again, or nobody can tell.
    Gate(Stillborn),
    /// I-284. The credit does not reach, and nothing pays by itself.
    Unfunded { missing: Usdc },
    /// A step failed in a way that trying again does not mend.
    Broken(SuccessionStep),
}

/// I-289. Who ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    Manually { successor: GolemId },
    ByOwner,
}

/// I-289. Where a succession stands: plain data, kept after each step; going on from it is starting again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Running {
        step: SuccessionStep,
        attempt: CycleAttempt,
    },
    Waiting {
        step: SuccessionStep,
        attempt: CycleAttempt,
        until: UtcTime,
    },
    /// It stopped; by hand it can go on.
    Halted {
        step: SuccessionStep,
        why: Halt,
    },
    Done {
        successor: GolemId,
    },
    Cancelled(EndedBy),
}

/// What came of what was wanted, or of somebody's decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SuccessionOutcome {
    /// The running step succeeded; booting names the successor with [`SuccessionOutcome::Born`] instead.
    Succeeded,
    /// I-283. Step 3: the distance, or that nobody could measure it.
    Compared(Option<Distance>),
    /// I-288, I-284. What funding would take beyond what is there; nothing when it reaches or auto-pay is on.
    FundsMissing(Usdc),
    /// Step 7: the heartbeat of the successor.
    Born {
        successor: GolemId,
    },
    FailedForNow,
    FailedForGood,
    Woke,
    /// I-289. A successor was summoned by hand.
    Summoned {
        successor: GolemId,
    },
    CancelledByOwner,
}

/// What is wanted of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    Run(SuccessionStep),
    /// Run step 5 with that much.
    Fund(Usdc),
    /// Run step 6 for that place in the line.
    Register(Descent),
    /// Run step 7, and let the heir take the genome in or not (I-290).
    Boot {
        ingest: bool,
    },
    WakeAt(UtcTime),
    /// I-288. Release the compute that was provisioned.
    ReleaseCompute,
    /// I-283. Show how alike both are, what differs, and a wizard filled in.
    OfferManual {
        /// How alike; `None` when nobody could measure it.
        similarity: Option<Ppm>,
    },
    /// I-284. Tell the owner on every channel.
    NotifyOwner(Halt),
}

/// What does not change during a succession.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuccessionTerms {
    pub law: SuccessionLaw,
    pub heir: Descent,
}

impl State {
    /// Where every succession begins.
    pub const BEGIN: Self = Self::Running { step: SuccessionStep::Export, attempt: CycleAttempt::FIRST };

    /// Whether nothing more happens.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Done { .. } | Self::Cancelled(_))
    }

    /// I-285, I-287, I-289. From where a succession that was halted is tried again when somebody asks for it: what was
    /// unfunded may be funded, what could not be measured or done may be now. One that would be the same again stays
    /// halted, so that nobody passes the gate by asking often (I-211).
    #[must_use]
    pub const fn again(self) -> Self {
        match self {
            Self::Halted { step, why: Halt::Unfunded { .. } | Halt::Broken(_) | Halt::Gate(Stillborn::Unmeasured) } => {
                Self::Running { step, attempt: CycleAttempt::FIRST }
            }
            other => other,
        }
    }

    /// I-289. What to want when a succession is taken up, at its beginning or after a crash: the step that was running,
    /// again. Each step is safe to repeat under the name of the dead.
    #[must_use]
    pub fn resume(&self, course: &SuccessionTerms) -> Vec<Want> {
        match self {
            Self::Running { step, .. } => vec![want(*step, course)],
            Self::Waiting { until, .. } => vec![Want::WakeAt(*until)],
            Self::Halted { .. } | Self::Done { .. } | Self::Cancelled(_) => Vec::new(),
        }
    }
}

const fn want(step: SuccessionStep, course: &SuccessionTerms) -> Want {
    match step {
        SuccessionStep::Fund => Want::Fund(course.law.budget),
        SuccessionStep::Register => Want::Register(course.heir),
        SuccessionStep::Boot => Want::Boot { ingest: course.law.inherit_grimoire },
        step => Want::Run(step),
    }
}

fn running(step: SuccessionStep, attempt: CycleAttempt, course: &SuccessionTerms) -> (State, Vec<Want>) {
    (State::Running { step, attempt }, vec![want(step, course)])
}

fn halted(step: SuccessionStep, why: Halt) -> (State, Vec<Want>) {
    let mut wants = Vec::new();
    if step.has_compute() {
        wants.push(Want::ReleaseCompute);
    }
    if let Halt::Gate(stillborn) = why {
        let similarity = match stillborn {
            Stillborn::TooSimilar { similarity, .. } => Some(similarity),
            Stillborn::Unmeasured => None,
        };
        wants.push(Want::OfferManual { similarity });
    }
    wants.push(Want::NotifyOwner(why));
    (State::Halted { step, why }, wants)
}

/// I-282 to I-292, L-005. The next state and what is wanted. An outcome that does not belong to a state changes nothing,
/// so a late or repeated one does no harm.
#[must_use]
pub fn next(state: State, outcome: SuccessionOutcome, course: &SuccessionTerms, now: UtcTime) -> (State, Vec<Want>) {
    if state.is_over() {
        return (state, Vec::new());
    }
    match outcome {
        SuccessionOutcome::Summoned { successor } => return end(state, EndedBy::Manually { successor }),
        SuccessionOutcome::CancelledByOwner => return end(state, EndedBy::ByOwner),
        _ => {}
    }
    match state {
        State::Running { step, attempt } => advance(step, attempt, outcome, course, now),
        State::Waiting { step, attempt, until } if outcome == SuccessionOutcome::Woke && now >= until => {
            running(step, attempt, course)
        }
        _ => (state, Vec::new()),
    }
}

fn end(state: State, by: EndedBy) -> (State, Vec<Want>) {
    let has_compute = match state {
        State::Running { step, .. } | State::Waiting { step, .. } => step.has_compute(),
        _ => false,
    };
    (State::Cancelled(by), if has_compute { vec![Want::ReleaseCompute] } else { Vec::new() })
}

fn advance(
    step: SuccessionStep,
    attempt: CycleAttempt,
    outcome: SuccessionOutcome,
    course: &SuccessionTerms,
    now: UtcTime,
) -> (State, Vec<Want>) {
    let stay = (State::Running { step, attempt }, Vec::new());
    match (step, outcome) {
        (SuccessionStep::Compare, SuccessionOutcome::Compared(distance)) => {
            // I-211: there is no way to insist here.
            match birth_gate(distance, course.law.min_playbook_distance, Wish::Automatic) {
                Ok(()) => running(SuccessionStep::CheckFunds, CycleAttempt::FIRST, course),
                Err(stillborn) => halted(step, Halt::Gate(stillborn)),
            }
        }
        (SuccessionStep::CheckFunds | SuccessionStep::Fund, SuccessionOutcome::FundsMissing(missing))
            if !missing.is_zero() =>
        {
            halted(step, Halt::Unfunded { missing })
        }
        (SuccessionStep::CheckFunds, SuccessionOutcome::FundsMissing(_)) => {
            running(SuccessionStep::Provision, CycleAttempt::FIRST, course)
        }
        (SuccessionStep::Boot, SuccessionOutcome::Born { successor }) => (State::Done { successor }, Vec::new()),
        // Only what says how it ended moves these on.
        (SuccessionStep::Compare | SuccessionStep::CheckFunds | SuccessionStep::Boot, SuccessionOutcome::Succeeded) => {
            stay
        }
        (step, SuccessionOutcome::Succeeded) => match step.next() {
            Some(next) => running(next, CycleAttempt::FIRST, course),
            None => stay,
        },
        // I-285, and L-005 for the identity: no identity, no birth, again later.
        (_, SuccessionOutcome::FailedForNow) => {
            let (attempt, until) = retry_at(attempt, now);
            (State::Waiting { step, attempt, until }, vec![Want::WakeAt(until)])
        }
        (_, SuccessionOutcome::FailedForGood) => halted(step, Halt::Broken(step)),
        _ => stay,
    }
}

#[cfg(test)]
mod tests;
