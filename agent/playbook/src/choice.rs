//! P-021, P-050 to P-052, P-055. Which share of the capital stands in the token, and why.

use arrayvec::ArrayVec;
use golem_primitives::{Ppm, Usdc};

use crate::account::ForgoneEntry;
use crate::cost::Stake;
use crate::look::Look;
use crate::promotion::Standing;
use crate::rule::Manner;

/// What is meant to stand since the last order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Stand {
    /// Of the capital a trade may use.
    pub share: Ppm,
    pub manner: Manner,
}

/// P-051. What takes away after the guards, in this order. Each is a share, so none can add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// The part of its risk the phase of life leaves.
    pub phase: Ppm,
    /// M-269. The part that is left while what is seen tells nothing any more.
    pub information: Ppm,
    /// The part mood and suffering leave.
    pub lean: Ppm,
    /// The part warnings leave.
    pub warnings: Ppm,
    /// The most of the capital the owner's policy lets stand in the token.
    pub vault: Ppm,
}

impl Limits {
    /// Nothing is taken away.
    pub const NONE: Self =
        Self { phase: Ppm::ONE, information: Ppm::ONE, lean: Ppm::ONE, warnings: Ppm::ONE, vault: Ppm::ONE };
}

/// What the hand must know beside the look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Circumstances {
    /// The capital a trade may use: what is held and what is not.
    pub capital: Usdc,
    /// What is put to use, at this look's price: what stands in the token, or all that is provided, both halves of it.
    pub held: Usdc,
    pub limits: Limits,
    /// P-021. How many times the cost of a round trip an entry must promise, in millionths; less than [`ONCE`](crate::cost::ONCE) counts as once.
    pub caution_ppm: u32,
}

/// A rule that was awake.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Voice {
    pub number: u64,
    /// Its place in the hand.
    pub place: usize,
    pub evidence: f64,
    pub standing: Standing,
    /// Its share at the stake it has earned.
    pub share: Ppm,
}

/// What took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Taker {
    /// The guard of this number.
    Guard(u64),
    Phase,
    /// M-269. What is seen, which tells nothing any more.
    Information,
    /// Mood and suffering.
    Lean,
    Warnings,
    /// The owner's policy.
    Vault,
}

/// One step down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Cut {
    pub by: Taker,
    pub to: Ppm,
}

/// P-052. A change that is not worth its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TooSmall {
    pub difference: Usdc,
    pub cost: Usdc,
}

/// P-055. Why a decision is what it is.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Why {
    /// When, in seconds since 1970.
    pub time: u64,
    /// All that were awake, with money or without, in the order of their numbers.
    pub awake: Vec<Voice>,
    /// The strongest of those that have earned money.
    pub leader: Option<Voice>,
    /// Its share before anything took away.
    pub wanted: Ppm,
    /// P-057. Its share before the budget was divided among several pools, where that left it less.
    pub divided: Option<Ppm>,
    pub cuts: ArrayVec<Cut, 7>,
    /// The guard that told one that holds to leave.
    pub tightened_by: Option<u64>,
    /// The guard that let no entry be made where the leader would change how capital is put to use.
    pub manner_kept_by: Option<u64>,
    /// An entry that could not pay for itself, and whose it was.
    pub forgone: Option<(u64, ForgoneEntry)>,
    pub too_small: Option<TooSmall>,
}

impl Why {
    pub(crate) fn begin(&mut self, time: u64) {
        self.time = time;
        self.awake.clear();
        self.leader = None;
        self.wanted = Ppm::ZERO;
        self.divided = None;
        self.cuts.clear();
        self.tightened_by = None;
        self.manner_kept_by = None;
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

/// What to do at the next look, in the manner of its [`Decision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HandOrder {
    /// The share that was meant to stand before.
    pub from: Ppm,
    /// The share of the capital that is to stand.
    pub to: Ppm,
}

/// What a look decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Decision {
    /// The share of the capital that is meant to stand.
    pub target: Ppm,
    /// How it stands; where nothing is to stand, how that stood which is left. An order into another manner than that which
    /// stands leaves the one and enters the other.
    pub manner: Manner,
    pub order: Option<HandOrder>,
}

/// The strictest of the guards that bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
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
    pub(crate) stands: Stand,
    pub(crate) bounds: Bounds,
}

impl Choice<'_> {
    /// P-050 to P-052. From the leader's share to an order.
    pub(crate) fn decide(&self, leader: Option<&Promise<'_>>, why: &mut Why) -> Decision {
        let target = self.taken_away(why);
        let manner = self.manner(leader, why);
        let stands = self.stands.share;
        if target > Ppm::ZERO && stands > Ppm::ZERO && manner != self.stands.manner {
            return self.change(Stand { share: target, manner }, leader, why);
        }
        // The price may have brought what is held beyond what is meant: what shall rise never sells, what shall fall never buys.
        let wanted = self.now.capital.share_down(target);
        if target > stands && self.now.held >= wanted {
            return Decision { target, manner, order: None };
        }
        if target < stands && target > Ppm::ZERO && self.now.held <= wanted {
            return Decision { target, manner: self.stands.manner, order: None };
        }
        if target > stands {
            return self.enter(Stand { share: target, manner }, leader, why);
        }
        let is_exit = target == Ppm::ZERO && !self.now.held.is_zero();
        if is_exit || (target < stands && self.is_worth_it(target, why)) {
            return self.order(Stand { share: target, ..self.stands });
        }
        self.stay()
    }

    /// How the target is to stand. A change of it is an entry, so who lets none be made keeps it.
    fn manner(&self, leader: Option<&Promise<'_>>, why: &mut Why) -> Manner {
        let wanted = leader.and_then(|leader| leader.rule.action.manner()).unwrap_or(self.stands.manner);
        match self.bounds.no_entries {
            Some(number) if self.stands.share > Ppm::ZERO && wanted != self.stands.manner => {
                why.manner_kept_by = Some(number);
                self.stands.manner
            }
            _ => wanted,
        }
    }

    const fn stay(&self) -> Decision {
        Decision { target: self.stands.share, manner: self.stands.manner, order: None }
    }

    const fn order(&self, to: Stand) -> Decision {
        let order = HandOrder { from: self.stands.share, to: to.share };
        Decision { target: to.share, manner: to.manner, order: Some(order) }
    }

    /// P-051. Guards, phase, information, lean, warnings, vault.
    fn taken_away(&self, why: &mut Why) -> Ppm {
        let mut target = why.wanted;
        if let Some(number) = self.bounds.no_entries {
            target = why.cut(Taker::Guard(number), target, self.stands.share);
        }
        if let Some((share, number)) = self.bounds.at_most {
            target = why.cut(Taker::Guard(number), target, share);
        }
        let limits = &self.now.limits;
        for (by, share) in [
            (Taker::Phase, limits.phase),
            (Taker::Information, limits.information),
            (Taker::Lean, limits.lean),
            (Taker::Warnings, limits.warnings),
        ] {
            target = why.cut(by, target, target.times_down(share));
        }
        why.cut(Taker::Vault, target, limits.vault)
    }

    fn enter(&self, to: Stand, leader: Option<&Promise<'_>>, why: &mut Why) -> Decision {
        let stake = self.stake(to, self.now.held);
        if self.pays(&stake, leader, why) { self.order(to) } else { self.stay() }
    }

    /// Leaves what stands for another manner. Who leads no longer wants what stands, so where the entry does not pay, it is
    /// left all the same (P-053).
    fn change(&self, to: Stand, leader: Option<&Promise<'_>>, why: &mut Why) -> Decision {
        let stake = self.stake(to, Usdc::ZERO);
        if self.pays(&stake, leader, why) {
            self.order(to)
        } else {
            self.order(Stand { share: Ppm::ZERO, ..self.stands })
        }
    }

    /// P-021, P-052. Whether an entry promises more than it costs, with the caution asked of it, and moves more than that.
    fn pays(&self, stake: &Stake, leader: Option<&Promise<'_>>, why: &mut Why) -> bool {
        let forgone = |leader: &Promise<'_>| {
            let forgone = ForgoneEntry::of(leader.rule, stake, self.look, self.now.caution_ppm)?;
            Some((leader.number, forgone))
        };
        if let Some(forgone) = leader.and_then(forgone) {
            why.forgone = Some(forgone);
            return false;
        }
        self.is_more_than_its_cost(stake, why)
    }

    /// P-052. Whether what would be taken off is worth more than taking it off costs. What a guard or a limit takes is not
    /// asked.
    fn is_worth_it(&self, target: Ppm, why: &mut Why) -> bool {
        let stake = self.stake(Stand { share: target, ..self.stands }, self.now.held);
        !why.cuts.is_empty() || self.is_more_than_its_cost(&stake, why)
    }

    fn is_more_than_its_cost(&self, stake: &Stake, why: &mut Why) -> bool {
        let cost = stake.cost(self.look).total();
        if stake.amount > cost {
            return true;
        }
        why.too_small = Some(TooSmall { difference: stake.amount, cost });
        false
    }

    /// What moves where so much is held and that is to stand.
    fn stake(&self, to: Stand, held: Usdc) -> Stake {
        let capital = self.now.capital;
        let wanted = capital.share_down(to.share);
        let amount = wanted.saturating_sub(held).max(held.saturating_sub(wanted));
        Stake { amount, capital, manner: to.manner }
    }
}

#[cfg(test)]
#[path = "tests/choice.rs"]
mod tests;
