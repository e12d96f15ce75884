//! The actions a model may choose among. Each was permitted and previewed before anybody was asked; the answer picks one
//! by its number.

use arrayvec::ArrayVec;
use golem_mortality::behaviour::{ActionKind, Behaviour};
use golem_mortality::phase::Phase;
use golem_primitives::{B256, Usdc, keccak256};
use serde::{Deserialize, Serialize};

use crate::record::{Course, ForeignWords, Forgone, Order, Overruled};

/// Actions offered beside staying.
pub const MOST_CANDIDATES: usize = 7;
/// Characters of a reason that are kept.
pub const RATIONALE_CHARS: usize = 400;

/// What a simulation says an order would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Change of what is owned, valued in micro-USDC.
    pub value_micros: i64,
    pub gas: Usdc,
    pub would_revert: bool,
}

/// An order with its preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewedOrder {
    /// The order, whole: its limits are in it before a model hears of it.
    pub order: Order,
    pub preview: Preview,
}

/// What can be chosen: nothing, under index 0, or one of the candidates from 1 on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    open: ArrayVec<PreviewedOrder, MOST_CANDIDATES>,
}

impl Choices {
    /// M-136. The candidates this phase permits and whose preview succeeds, without repetition, in their order; what does
    /// not fit is left out.
    #[must_use]
    pub fn permitted(candidates: &[PreviewedOrder], phase: Phase) -> Self {
        let mut open = ArrayVec::new();
        for candidate in candidates {
            let is_new = !open.iter().any(|known: &PreviewedOrder| known.order == candidate.order);
            if is_new && !candidate.preview.would_revert && permits(phase, &candidate.order) {
                // A full list takes no more; the first are those the strategy wanted most.
                let _ = open.try_push(*candidate);
            }
        }
        Self { open }
    }

    /// How many indices there are; staying is one of them.
    #[must_use]
    pub fn count(&self) -> u8 {
        u8::try_from(self.open.len() + 1).expect("at most eight")
    }

    /// Whether there is nothing to choose, and so nobody to ask.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.open.is_empty()
    }

    /// The candidates, in the order of their indices from 1.
    #[must_use]
    pub fn candidates(&self) -> &[PreviewedOrder] {
        &self.open
    }

    /// The name of exactly this list: an answer to another one picks nothing here.
    #[must_use]
    pub fn digest(&self) -> B256 {
        keccak256(postcard::to_stdvec(self).expect("plain data"))
    }
}

fn permits(phase: Phase, order: &Order) -> bool {
    let kind = if order.raises_exposure() { ActionKind::RaiseExposure } else { ActionKind::LowerExposure };
    Behaviour::of(phase).permits(kind)
}

/// Why a model chose so, for people.
pub type Rationale = ForeignWords<RATIONALE_CHARS>;

/// All that is left of a model's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelAdvice {
    /// The digest of the list it was asked about.
    pub about: B256,
    pub index: u8,
    pub rationale: Rationale,
}

/// One of the permitted orders, exactly as it was offered, or nothing. The phase is asked again (M-136): the answer
/// comes in a later pass than the question. Preview, permit and vault still stand before an order.
#[must_use]
pub fn choose(choices: &Choices, advice: &ModelAdvice, phase: Phase) -> Course {
    if advice.about != choices.digest() {
        return Course::Rules(Overruled::Elsewhere);
    }
    let Some(place) = usize::from(advice.index).checked_sub(1) else { return Course::Stay };
    match choices.open.get(place) {
        None => Course::Rules(Overruled::NoSuchChoice),
        Some(candidate) if !permits(phase, &candidate.order) => Course::Rules(Overruled::Forbidden(Forgone::Phase)),
        Some(candidate) => Course::Act(candidate.order),
    }
}
