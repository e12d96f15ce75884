//! P-060 to P-066. What a Golem claims of its market, look by look, and how well it knew.
//!
//! Nobody predicts a price, so a life is judged by what can be known: how far the price moves, how much is traded, what an act
//! costs. Of each it believes a usual level, says every sixteen looks what the next ones will bring, and corrects its belief
//! when they came. What was said and what came goes, in deviations, to the epistemic clock of mortality (M-052 to M-071).

mod belief;
mod question;
mod scale;
mod trail;

use arrayvec::ArrayVec;
use golem_mortality::epistemic::window::Pair;

pub use belief::{Belief, Slope};
pub use question::{MarketDomain, MarketQuestion, Size};
pub use scale::Scale;
pub use trail::{Sighting, Trail};

/// P-061. Looks between two claims of one domain.
pub const CLAIM_EVERY: u64 = 16;
/// P-063. Looks between two pairs about the price.
pub const PRICE_EVERY: u64 = 48;
/// P-063. Pairs of the newest [`NEWEST`] that may be about executions.
pub const EXECUTIONS: u32 = 5;
/// P-060. Pairs that fitness is measured over.
pub const NEWEST: u32 = 100;
/// Claims that can be open at once; the longest is due after four more of its domain.
const OPEN: usize = 16;
/// Claims that can come due in one look: of each domain at most one of each size.
const DUE: usize = 6;

/// P-062. What a Golem has learnt of its market: what is shown, and what crosses a death.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Learnt {
    /// By domain, in the order of [`MarketDomain::ALL`]; `None` of one that was never founded.
    pub beliefs: [Option<Belief>; 3],
    /// How much of what it expects of the price has come so far.
    pub price: Slope,
}

impl Learnt {
    /// Whether every number in it is one that learning can reach. Whoever takes over a stranger's asks this first.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.price.is_sound() && self.beliefs.iter().flatten().all(Belief::is_sound)
    }

    /// Whether nothing was learnt yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.beliefs.iter().all(Option::is_none)
    }
}

/// One claim about the looks to come. Nothing changes it: its look judges it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MarketClaim {
    pub question: MarketQuestion,
    /// The look that judges it.
    pub due: u64,
    /// What was said, as a natural logarithm.
    pub said: f64,
    /// How the newest looks stood to the usual ones when it was said.
    pub state: f64,
}

/// A claim and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Judged {
    pub claim: MarketClaim,
    /// What came, as a natural logarithm.
    pub came: f64,
    /// P-064. Both in deviations; `None` while the domain does not count yet.
    pub pair: Option<Pair>,
}

/// What one look brought.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Looked {
    /// The claims that came due, in the order they were made.
    pub judged: ArrayVec<Judged, DUE>,
    /// The claim that was made; phases keep the domains apart, so there is at most one.
    pub said: Option<MarketClaim>,
}

/// What a Golem understands. Bounded, and a function of the looks alone.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Understanding {
    looks: u64,
    trail: Trail,
    learnt: Learnt,
    scales: [Scale; 3],
    price_scale: Scale,
    execution_scale: Scale,
    claims: ArrayVec<MarketClaim, OPEN>,
    /// The newest judged claim of each question, by domain and size.
    newest: [[Option<Judged>; 2]; 3],
    price_at: Option<u64>,
    /// Which of the newest pairs were executions, the newest in the lowest bit.
    sources: u128,
}

impl Understanding {
    /// One look: what was claimed and is due is judged and learnt from, and where it is a domain's turn a claim is made.
    pub fn look(&mut self, seen: &Sighting) -> Looked {
        self.watch(seen, true)
    }

    /// One look of who sleeps: what is due is judged, nothing is said.
    pub fn look_asleep(&mut self, seen: &Sighting) -> Looked {
        self.watch(seen, false)
    }

    fn watch(&mut self, seen: &Sighting, speaks: bool) -> Looked {
        self.looks = self.looks.saturating_add(1);
        self.trail.push(seen);
        let mut looked = Looked::default();
        while let Some(at) = self.claims.iter().position(|claim| claim.due <= self.looks) {
            let claim = self.claims.remove(at);
            if let Some(judged) = self.judge(claim) {
                let _ = looked.judged.try_push(judged);
            }
        }
        looked.said = if speaks { self.claim() } else { None };
        looked
    }

    /// What came of a claim; what is wrong of it is learnt.
    fn judge(&mut self, claim: MarketClaim) -> Option<Judged> {
        let MarketQuestion { domain, size } = claim.question;
        let came = self.trail.answer(claim.question)?;
        let pair = self.scales[domain as usize].pair(claim.said, came);
        if pair.is_some() {
            self.count(false);
        }
        if let Some(belief) = &mut self.learnt.beliefs[domain as usize] {
            belief.learn(&claim, came);
        }
        let judged = Judged { claim, came, pair };
        self.newest[domain as usize][size as usize] = Some(judged);
        Some(judged)
    }

    /// P-061. The claim of the domain whose turn this look is. The first look of a full record founds what nobody inherited.
    fn claim(&mut self) -> Option<MarketClaim> {
        let domain = MarketDomain::ALL.iter().copied().find(|domain| self.looks % CLAIM_EVERY == domain.phase())?;
        let (state, usual) = self.trail.state(domain)?;
        let size = if (self.looks / CLAIM_EVERY).is_multiple_of(2) { Size::Small } else { Size::Large };
        let question = MarketQuestion { domain, size };
        let belief = self.learnt.beliefs[domain as usize].get_or_insert_with(|| Belief::founding(domain, usual));
        let claim = MarketClaim { question, due: self.looks + question.looks(), said: belief.say(size, state), state };
        self.claims.try_push(claim).ok().map(|()| claim)
    }

    /// P-063. A belief about the price that was judged, as returns over `looks` of holding. `None` when a pair about the price
    /// was taken within the last 48 looks, or too little is known yet.
    ///
    /// Both are taken in deviations of that many looks, and what was said is shrunk to the share of it that came so far.
    pub fn price(&mut self, said: f64, came: f64, looks: u64) -> Option<Pair> {
        let is_early = self.price_at.is_some_and(|at| self.looks - at < PRICE_EVERY);
        let deviation = self.trail.deviation()? * libm::sqrt(looks.max(1) as f64);
        if is_early {
            return None;
        }
        self.price_at = Some(self.looks);
        let (said, came) = (held(said / deviation), held(came / deviation));
        let shrunk = self.learnt.price.value() * said;
        let pair = self.price_scale.pair(shrunk, came);
        self.learnt.price.learn(said, came);
        if pair.is_some() {
            self.count(false);
        }
        pair
    }

    /// P-063. What a trade was simulated to bring and what it brought. `None` when five of the newest hundred pairs are such.
    pub fn execution(&mut self, said: f64, came: f64) -> Option<Pair> {
        let newest = self.sources & ((1 << (NEWEST - 1)) - 1);
        if newest.count_ones() >= EXECUTIONS {
            return None;
        }
        let pair = self.execution_scale.pair(held(said), held(came));
        if pair.is_some() {
            self.count(true);
        }
        pair
    }

    fn count(&mut self, is_execution: bool) {
        self.sources = (self.sources << 1) | u128::from(is_execution);
    }

    /// What was learnt so far.
    #[must_use]
    pub const fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// The same in the midst of a life. Answers whether it was taken.
    pub fn take_up(&mut self, learnt: &Learnt) -> bool {
        let is_sound = learnt.is_sound();
        if is_sound {
            self.learnt = *learnt;
        }
        is_sound
    }

    /// Looks taken in.
    #[must_use]
    pub const fn looks(&self) -> u64 {
        self.looks
    }

    /// What was last claimed of a question and what came of it.
    #[must_use]
    pub const fn newest(&self, question: MarketQuestion) -> Option<&Judged> {
        self.newest[question.domain as usize][question.size as usize].as_ref()
    }
}

/// A return that no market makes is held at a bound, so that it does not drown all others in a running mean.
fn held(value: f64) -> f64 {
    if value.is_finite() { value.clamp(-100.0, 100.0) } else { 0.0 }
}

#[cfg(test)]
#[path = "understanding/tests/mod.rs"]
mod tests;
