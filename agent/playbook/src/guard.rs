//! P-034. A guard's account on paper: what obeying it saved, net of what obeying cost.

use golem_primitives::{Ppm, Usdc};

use crate::account::{AccountSight, ratio};
use crate::cost::Swap;
use crate::observable::Stance;
use crate::rule::{Action, Rule};

/// What the book wants at a look before any guard, and what it wanted at the look before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Share of the capital.
    pub now: Ppm,
    pub before: Ppm,
    /// Whether the end this guard asks for has come for whoever holds.
    pub is_tightened: bool,
}

/// A stretch in which obeying would hold less than the book wants.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
enum Bite {
    #[default]
    None,
    /// Decided, to be filled at the next look.
    Begins {
        share: Ppm,
        was_held: bool,
    },
    Lasts(Bitten),
    /// Decided to be over, to be filled at the next look.
    Ends {
        bitten: Bitten,
        is_restored: bool,
    },
}

/// What a guard took away: the share, since what price, and what obeying cost so far.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
struct Bitten {
    /// Every side of it costs what this share costs, also when the book wants nothing any more.
    share: Ppm,
    price: Usdc,
    cost: f64,
}

/// The account of a guard; by default of one that has not woken yet.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct GuardAccount {
    is_awake: bool,
    left: u16,
    bite: Bite,
}

impl GuardAccount {
    /// Whether it binds after this look. `own` is the stance of who leads the book.
    pub fn look(&mut self, rule: &Rule, sight: &AccountSight<'_>, own: &Stance) -> bool {
        self.left = self.left.saturating_sub(1);
        if !self.is_awake && rule.when.holds(sight.seen, own) {
            self.is_awake = true;
            if let Action::Wait { looks } = rule.action {
                self.left = looks;
            }
        } else if self.is_awake {
            self.is_awake = match &rule.until {
                Some(until) => !until.holds(sight.seen, own),
                None => rule.when.holds(sight.seen, own),
            };
        }
        self.binds(rule)
    }

    /// Whether it binds now: a `wait` for as long as it says, the others while they are awake.
    #[must_use]
    pub const fn binds(&self, rule: &Rule) -> bool {
        if matches!(rule.action, Action::Wait { .. }) { self.left > 0 } else { self.is_awake }
    }

    /// Follows what obeying would have done, and gives the observation when a stretch is over.
    pub fn follow(&mut self, rule: &Rule, sight: &AccountSight<'_>, wanted: &Wanted) -> Option<f64> {
        let look = sight.look;
        let side = |share: Ppm| {
            let swap = Swap { amount: sight.capital.share_down(share), capital: sight.capital };
            1.0 - swap.kept(look) + look.gas.micros() as f64 / swap.amount.micros().max(1) as f64
        };
        let mut saved = None;
        match self.bite {
            Bite::Begins { share, was_held } => {
                // Who is out sells early; who is kept out does not buy.
                let cost = if was_held { side(share) } else { -side(share) };
                self.bite = Bite::Lasts(Bitten { share, price: look.price, cost });
            }
            Bite::Ends { bitten: Bitten { share, price, cost }, is_restored } => {
                let cost = cost + if is_restored { side(share) } else { -side(share) };
                saved = Some(1.0 - ratio(look.price, price) - cost);
                self.bite = Bite::None;
            }
            Bite::None | Bite::Lasts(_) => {}
        }
        match self.bite {
            Bite::None if self.bites(rule, wanted) => {
                let (share, was_held) = (wanted.now.max(wanted.before), wanted.before > Ppm::ZERO);
                self.bite = Bite::Begins { share, was_held };
            }
            Bite::Lasts(bitten) if self.is_over(rule, wanted) => {
                self.bite = Bite::Ends { bitten, is_restored: wanted.now > Ppm::ZERO };
            }
            _ => {}
        }
        saved
    }

    /// Who was told to leave stays out until its own end; the other guards let go when they sleep.
    fn is_over(&self, rule: &Rule, wanted: &Wanted) -> bool {
        let lets_go = !matches!(rule.action, Action::Tighten { .. }) && !self.binds(rule);
        wanted.now == Ppm::ZERO || lets_go
    }

    fn bites(&self, rule: &Rule, wanted: &Wanted) -> bool {
        if !self.binds(rule) {
            return false;
        }
        match &rule.action {
            Action::AtMost { share } => wanted.now > *share,
            Action::Wait { .. } | Action::NoEntries => wanted.now > wanted.before,
            Action::Tighten { .. } => wanted.is_tightened,
            Action::Hold { .. } | Action::Provide { .. } => false,
        }
    }
}

#[cfg(test)]
#[path = "tests/guard.rs"]
mod tests;
