//! P-022, P-030. A rule's account on paper: it trades the rule by itself, at the looks, with all costs.
//!
//! What a look decides is filled at the next one, at that look's price, fee, impact and gas.

use golem_primitives::{Ppm, Usdc};

use crate::cost::Swap;
use crate::evidence::Observation;
use crate::look::Look;
use crate::observable::{Seen, Stance};
use crate::rule::Rule;

/// What a look brings to every account.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'look> {
    /// The look.
    pub look: &'look Look,
    /// What the words say at it.
    pub seen: &'look Seen,
    /// The capital a trade may use.
    pub capital: Usdc,
}

/// P-021. An entry that was not made because it cannot pay for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Forgone {
    /// What the rule expects, in millionths of the stake.
    pub expected_ppm: i64,
    /// What going in and out again costs, in the same.
    pub cost_ppm: i64,
}

impl Forgone {
    /// Whether an entry of this swap is forgone; a rule that promises nothing is not held to it.
    #[must_use]
    pub fn of(rule: &Rule, swap: &Swap, look: &Look) -> Option<Self> {
        let expected_ppm = rule.expects?.return_ppm;
        let cost_ppm = swap.round_trip_ppm(look);
        (expected_ppm <= cost_ppm).then_some(Self { expected_ppm, cost_ppm })
    }
}

/// One finished round trip on paper.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trip {
    /// What it says to the evidence.
    pub observation: Observation,
    /// Return of the price between the fills.
    pub gross: f64,
    /// Looks from fill to fill.
    pub looks: u32,
}

/// What a look did to an account.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Turn {
    /// The trip that ended at this look.
    pub trip: Option<Trip>,
    /// The entry that was wanted and could not pay.
    pub forgone: Option<Forgone>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Position {
    entry: Usdc,
    best: Usdc,
    since: u32,
    kept: f64,
    gas: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum State {
    Out,
    Entering,
    In(Position),
    Leaving(Position),
}

/// The looks of an account and those at which it was in, for its mean exposure.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Exposure {
    looks: u64,
    held: u64,
    /// As it was when the last trip ended: what a stander would have chosen then, before the next return was known.
    mean: f64,
    /// The price at that end.
    price: Usdc,
}

/// The account of a rule that holds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Account {
    share: Ppm,
    state: State,
    exposure: Exposure,
}

impl Account {
    /// An account that holds this share of the capital while its rule is awake.
    #[must_use]
    pub const fn new(share: Ppm) -> Self {
        let exposure = Exposure { looks: 0, held: 0, mean: 0.0, price: Usdc::ZERO };
        Self { share, state: State::Out, exposure }
    }

    /// Whether the rule wants to hold after the look that was last.
    #[must_use]
    pub const fn is_awake(&self) -> bool {
        matches!(self.state, State::Entering | State::In(_))
    }

    /// The share it holds while awake.
    #[must_use]
    pub const fn share(&self) -> Ppm {
        self.share
    }

    /// Share of its looks at which it held, 0 to 1.
    #[must_use]
    pub fn mean_exposure(&self) -> f64 {
        self.exposure.held as f64 / self.exposure.looks.max(1) as f64
    }

    /// What the words of the account say at a price.
    #[must_use]
    pub fn stance(&self, price: Usdc) -> Stance {
        let (State::In(position) | State::Leaving(position)) = &self.state else { return Stance::default() };
        Stance {
            held: i64::from(self.share.get()),
            since: i64::from(position.since),
            gain: change_ppm(position.entry, price),
            fall: change_ppm(position.best, price).min(0),
        }
    }

    /// Lives through one look: fills what the look before decided, then decides.
    pub fn look(&mut self, rule: &Rule, sight: &Sight<'_>) -> Turn {
        let mut turn = Turn { trip: self.fill(sight), forgone: None };
        self.count(sight.look);
        match self.state {
            State::Out if rule.when.holds(sight.seen, &Stance::default()) => {
                turn.forgone = Forgone::of(rule, &self.swap(sight), sight.look);
                if turn.forgone.is_none() {
                    self.state = State::Entering;
                }
            }
            State::In(position) if self.has_ended(rule, sight) => self.state = State::Leaving(position),
            _ => {}
        }
        turn
    }

    fn has_ended(&self, rule: &Rule, sight: &Sight<'_>) -> bool {
        let stance = self.stance(sight.look.price);
        match &rule.until {
            Some(until) => until.holds(sight.seen, &stance),
            None => !rule.when.holds(sight.seen, &stance),
        }
    }

    fn swap(&self, sight: &Sight<'_>) -> Swap {
        Swap::of(sight.capital, self.share)
    }

    fn fill(&mut self, sight: &Sight<'_>) -> Option<Trip> {
        let look = sight.look;
        match &mut self.state {
            State::Out => None,
            State::Entering => {
                let swap = self.swap(sight);
                self.state = State::In(Position {
                    entry: look.price,
                    best: look.price,
                    since: 0,
                    kept: swap.kept(look),
                    gas: gas_share(look, &swap),
                });
                None
            }
            State::In(position) => {
                position.since = position.since.saturating_add(1);
                position.best = position.best.max(look.price);
                None
            }
            State::Leaving(position) => {
                let position = *position;
                self.state = State::Out;
                Some(self.end(&position, sight))
            }
        }
    }

    fn end(&mut self, position: &Position, sight: &Sight<'_>) -> Trip {
        let (look, swap) = (sight.look, self.swap(sight));
        let growth = ratio(look.price, position.entry);
        let net = growth * position.kept * swap.kept(look) - 1.0 - position.gas - gas_share(look, &swap);
        let passive = self.exposure.mean * (ratio(look.price, self.exposure.price) - 1.0);
        self.exposure.mean = self.mean_exposure();
        self.exposure.price = look.price;
        Trip { observation: Observation { net, passive }, gross: growth - 1.0, looks: position.since.saturating_add(1) }
    }

    fn count(&mut self, look: &Look) {
        self.exposure.looks += 1;
        self.exposure.held += u64::from(matches!(self.state, State::In(_)));
        if self.exposure.price.is_zero() {
            self.exposure.price = look.price;
        }
    }
}

fn gas_share(look: &Look, swap: &Swap) -> f64 {
    look.gas.micros() as f64 / swap.amount.micros().max(1) as f64
}

/// How many times `to` is `from`; of a price of nothing, once.
pub(crate) fn ratio(to: Usdc, from: Usdc) -> f64 {
    if from.is_zero() { 1.0 } else { to.micros() as f64 / from.micros() as f64 }
}

fn change_ppm(from: Usdc, to: Usdc) -> i64 {
    let from = i128::from(from.micros().max(1));
    let change = (i128::from(to.micros()) - from) * 1_000_000 / from;
    i64::try_from(change).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "tests/account.rs"]
mod tests;
