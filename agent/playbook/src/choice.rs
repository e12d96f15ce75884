//! P-021, P-050 to P-052, P-055. Which share of the capital stands in the token, and why.

use arrayvec::ArrayVec;
use golem_primitives::{Ppm, Usdc};

use crate::account::Forgone;
use crate::cost::Swap;
use crate::look::Look;
use crate::promotion::Standing;

/// P-051. What takes away after the guards, in this order. Each is a share, so none can add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The part of its risk the phase of life leaves.
    pub phase: Ppm,
    /// The part mood and suffering leave.
    pub lean: Ppm,
    /// The part warnings leave.
    pub warnings: Ppm,
    /// The most of the capital the owner's policy lets stand in the token.
    pub vault: Ppm,
}

impl Limits {
    /// Nothing is taken away.
    pub const NONE: Self = Self { phase: Ppm::ONE, lean: Ppm::ONE, warnings: Ppm::ONE, vault: Ppm::ONE };
}

/// What the hand must know beside the look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circumstances {
    /// The capital a trade may use: what is held and what is not.
    pub capital: Usdc,
    /// What stands in the token, at this look's price.
    pub held: Usdc,
    /// What takes away.
    pub limits: Limits,
}

/// A rule that was awake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voice {
    /// Its number as it was staged.
    pub number: u64,
    /// Its place in the hand.
    pub place: usize,
    /// E.
    pub evidence: f64,
    /// What it may move.
    pub standing: Standing,
    /// Its share at the stake it has earned.
    pub share: Ppm,
}

/// What took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taker {
    /// The guard of this number.
    Guard(u64),
    /// The phase of life.
    Phase,
    /// Mood and suffering.
    Lean,
    /// Warnings.
    Warnings,
    /// The owner's policy.
    Vault,
}

/// One step down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// By whom.
    pub by: Taker,
    /// To which share.
    pub to: Ppm,
}

/// P-052. A change that is not worth its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooSmall {
    /// What it would move.
    pub difference: Usdc,
    /// What moving it costs.
    pub cost: Usdc,
}

/// P-055. Why a decision is what it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Why {
    /// When, in seconds since 1970.
    pub time: u64,
    /// All that were awake, with money or without, in the order of their numbers.
    pub awake: Vec<Voice>,
    /// The strongest of those that have earned money.
    pub leader: Option<Voice>,
    /// Its share before anything took away.
    pub wanted: Ppm,
    /// What took away, in order.
    pub cuts: ArrayVec<Cut, 5>,
    /// An entry that could not pay for itself, and whose it was.
    pub forgone: Option<(u64, Forgone)>,
    /// A change that was too small to make.
    pub too_small: Option<TooSmall>,
}

impl Why {
    pub(crate) fn begin(&mut self, time: u64) {
        self.time = time;
        self.awake.clear();
        self.leader = None;
        self.wanted = Ppm::ZERO;
        self.cuts.clear();
        self.forgone = None;
        self.too_small = None;
    }

    fn cut(&mut self, by: Taker, target: Ppm, to: Ppm) -> Ppm {
        if to < target {
            self.cuts.push(Cut { by, to });
        }
        to.min(target)
    }
}

/// What to do at the next look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// The share that was meant to stand before.
    pub from: Ppm,
    /// The share of the capital that is to stand in the token.
    pub to: Ppm,
}

/// What a look decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The share of the capital that is meant to stand in the token.
    pub target: Ppm,
    /// The order that leads there.
    pub order: Option<Order>,
}

/// The strictest of the guards that bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The most exposure, and by which guard.
    pub at_most: Option<(Ppm, u64)>,
    /// No more than stands already, and by which guard.
    pub no_entries: Option<u64>,
}

impl Bounds {
    /// Takes in one more cap.
    pub fn cap(&mut self, share: Ppm, number: u64) {
        if self.at_most.is_none_or(|(least, _)| share < least) {
            self.at_most = Some((share, number));
        }
    }
}

/// P-050. The strongest of those that have earned money: by evidence, then the older, then by name.
pub(crate) fn strongest<'hand>(
    awake: impl Iterator<Item = &'hand Voice>,
    name: impl Fn(usize) -> &'hand str,
) -> Option<Voice> {
    let with_money = awake.filter(|voice| voice.share > Ppm::ZERO);
    let order = |left: &&Voice, right: &&Voice| {
        let by_age = right.number.cmp(&left.number);
        let by_name = || name(right.place).cmp(name(left.place));
        left.evidence.total_cmp(&right.evidence).then(by_age).then_with(by_name)
    };
    with_money.max_by(order).copied()
}

/// What an entry is held to.
pub(crate) struct Promise<'rule> {
    pub(crate) rule: &'rule crate::rule::Rule,
    pub(crate) number: u64,
}

/// One decision in the making.
pub(crate) struct Choice<'look> {
    pub(crate) look: &'look Look,
    pub(crate) now: &'look Circumstances,
    /// The share that is meant to stand since the last order.
    pub(crate) stands: Ppm,
    pub(crate) bounds: Bounds,
}

impl Choice<'_> {
    /// P-050 to P-052. From the leader's share to an order.
    pub(crate) fn decide(&self, leader: Option<&Promise<'_>>, why: &mut Why) -> Decision {
        let target = self.taken_away(why);
        if target > self.stands {
            return self.enter(target, leader, why);
        }
        let is_exit = target == Ppm::ZERO && !self.now.held.is_zero();
        if is_exit || (target < self.stands && self.is_worth_it(target, why)) {
            return Decision { target, order: Some(Order { from: self.stands, to: target }) };
        }
        Decision { target: self.stands, order: None }
    }

    /// P-051. Guards, phase, lean, warnings, vault.
    fn taken_away(&self, why: &mut Why) -> Ppm {
        let mut target = why.wanted;
        if let Some(number) = self.bounds.no_entries {
            target = why.cut(Taker::Guard(number), target, self.stands);
        }
        if let Some((share, number)) = self.bounds.at_most {
            target = why.cut(Taker::Guard(number), target, share);
        }
        let limits = &self.now.limits;
        for (by, share) in
            [(Taker::Phase, limits.phase), (Taker::Lean, limits.lean), (Taker::Warnings, limits.warnings)]
        {
            target = why.cut(by, target, target.times_down(share));
        }
        why.cut(Taker::Vault, target, limits.vault)
    }

    fn enter(&self, target: Ppm, leader: Option<&Promise<'_>>, why: &mut Why) -> Decision {
        let stay = Decision { target: self.stands, order: None };
        let swap = self.swap(target);
        let forgone = leader.and_then(|leader| Some((leader.number, Forgone::of(leader.rule, &swap, self.look)?)));
        if forgone.is_some() {
            why.forgone = forgone;
            return stay;
        }
        if !self.is_worth_it(target, why) {
            return stay;
        }
        Decision { target, order: Some(Order { from: self.stands, to: target }) }
    }

    /// P-052. Whether what would move is worth more than moving it costs. What a guard or a limit takes is not asked.
    fn is_worth_it(&self, target: Ppm, why: &mut Why) -> bool {
        let swap = self.swap(target);
        let cost = swap.cost(self.look).total();
        let is_taken = !why.cuts.is_empty() && target < self.stands;
        if is_taken || swap.amount > cost {
            return true;
        }
        why.too_small = Some(TooSmall { difference: swap.amount, cost });
        false
    }

    fn swap(&self, target: Ppm) -> Swap {
        let capital = self.now.capital;
        let wanted = capital.share_down(target);
        let amount = wanted.saturating_sub(self.now.held).max(self.now.held.saturating_sub(wanted));
        Swap { amount, capital }
    }
}

#[cfg(test)]
#[path = "tests/choice.rs"]
mod tests;
