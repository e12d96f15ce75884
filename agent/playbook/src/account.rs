//! P-022, P-030. A rule's account on paper: it trades the rule by itself, at the looks, with all costs.
//!
//! What a look decides is filled at the next one, at that look's price, fee, impact and gas.

mod provide;

use golem_primitives::{Ppm, Usdc};

use self::provide::Placed;
use crate::cost::{ONCE, Stake, Swap};
use crate::evidence::TripObservation;
use crate::look::Look;
use crate::observable::{Seen, Stance};
use crate::rule::{Action, Manner, Rule};

/// What a look brings to every account.
#[derive(Debug, Clone, Copy)]
pub struct AccountSight<'look> {
    pub look: &'look Look,
    pub seen: &'look Seen,
    pub capital: Usdc,
}

/// P-021. An entry that was not made because it cannot pay for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ForgoneEntry {
    /// What the rule expects, in millionths of the stake.
    pub expected_ppm: i64,
    /// What going in and out again costs, in the same.
    pub cost_ppm: i64,
    /// How many times that it had to expect, in millionths.
    pub caution_ppm: u32,
}

impl ForgoneEntry {
    /// Whether an entry with this stake is forgone, where it must promise `caution_ppm` millionths of its cost and never less
    /// than once; a rule that promises nothing is not held to it.
    #[must_use]
    pub fn of(rule: &Rule, stake: &Stake, look: &Look, caution_ppm: u32) -> Option<Self> {
        let expected_ppm = rule.expects?.return_ppm;
        let (cost_ppm, caution_ppm) = (stake.round_trip_ppm(look), caution_ppm.max(ONCE));
        let asked = i128::from(cost_ppm) * i128::from(caution_ppm) / i128::from(ONCE);
        (i128::from(expected_ppm) <= asked).then_some(Self { expected_ppm, cost_ppm, caution_ppm })
    }
}

/// One finished round trip on paper.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trip {
    pub observation: TripObservation,
    /// Return between the fills before their costs: of the price, or of what was placed.
    pub gross: f64,
    /// Looks from fill to fill.
    pub looks: u32,
}

/// What a look did to an account.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AccountTurn {
    pub trip: Option<Trip>,
    /// The entry that was wanted and could not pay.
    pub forgone: Option<ForgoneEntry>,
}

#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
struct Position {
    /// What `gain` is counted from: the price, or the worth of what was placed.
    entry: Usdc,
    best: Usdc,
    since: u32,
    way: Way,
}

/// How a position stands.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
enum Way {
    /// In the token; what of the stake arrived, and the gas of the entry by the stake.
    Held {
        kept: f64,
        gas: f64,
    },
    Placed(Placed),
}

impl Position {
    #[inline]
    fn look(&mut self, sight: &AccountSight<'_>) {
        self.since = self.since.saturating_add(1);
        if let Way::Placed(placed) = &mut self.way {
            placed.look(sight);
        }
        self.best = self.best.max(self.worth(sight.look.price));
    }

    /// What is compared with `entry` and `best`.
    fn worth(&self, price: Usdc) -> Usdc {
        match &self.way {
            Way::Held { .. } => price,
            Way::Placed(placed) => placed.worth(price),
        }
    }

    /// The part of it that stands in the token.
    fn token_share(&self, price: Usdc) -> f64 {
        match &self.way {
            Way::Held { .. } => 1.0,
            Way::Placed(placed) => placed.token_share(price),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
enum State {
    Out,
    Entering,
    In(Position),
    Leaving(Position),
}

/// The looks of an account and what of its stake stood in the token at each, for its mean exposure.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
struct Exposure {
    looks: u64,
    held: f64,
    /// As it was when the last trip ended: what a stander would have chosen then, before the next return was known.
    mean: f64,
    /// The price at that end.
    price: Usdc,
}

/// The account of a rule that holds or provides.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Account {
    share: Ppm,
    manner: Manner,
    state: State,
    exposure: Exposure,
}

impl Account {
    /// An account that puts this share of the capital to use in this manner while its rule is awake.
    #[must_use]
    pub const fn new(share: Ppm, manner: Manner) -> Self {
        let exposure = Exposure { looks: 0, held: 0.0, mean: 0.0, price: Usdc::ZERO };
        Self { share, manner, state: State::Out, exposure }
    }

    /// The account of what an action wants; a guard wants nothing.
    #[must_use]
    pub fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Hold { share } => Some(Self::new(*share, Manner::Hold)),
            Action::Provide { width, share } => Some(Self::new(*share, Manner::Provide { width: *width })),
            _ => None,
        }
    }

    /// The same account, as if nothing had happened yet.
    #[must_use]
    pub const fn fresh(&self) -> Self {
        Self::new(self.share, self.manner)
    }

    /// Whether the rule wants to hold after the look that was last.
    #[must_use]
    pub const fn is_awake(&self) -> bool {
        matches!(self.state, State::Entering | State::In(_))
    }

    /// The share it puts to use while awake.
    #[must_use]
    pub const fn share(&self) -> Ppm {
        self.share
    }

    /// How it is put to use.
    #[must_use]
    pub const fn manner(&self) -> Manner {
        self.manner
    }

    /// What of its stake stood in the token on average over its looks, 0 to 1.
    #[must_use]
    pub fn mean_exposure(&self) -> f64 {
        self.exposure.held / self.exposure.looks.max(1) as f64
    }

    /// What the words of the account say at a price.
    #[must_use]
    pub fn stance(&self, price: Usdc) -> Stance {
        let (State::In(position) | State::Leaving(position)) = &self.state else { return Stance::default() };
        let worth = position.worth(price);
        Stance {
            held: i64::from(self.share.get()),
            since: i64::from(position.since),
            gain: change_ppm(position.entry, worth),
            fall: change_ppm(position.best, worth).min(0),
        }
    }

    /// What ending at this look would bring of the stake, all costs paid; nothing while it stands out.
    #[must_use]
    pub(crate) fn if_ended(&self, sight: &AccountSight<'_>) -> f64 {
        match &self.state {
            State::In(position) | State::Leaving(position) => {
                let mut ended = *self;
                ended.end(position, sight).observation.net
            }
            State::Out | State::Entering => 0.0,
        }
    }

    /// Lives through one look: fills what the look before decided, then decides. Nearly every look finds nearly every rule
    /// where it stays, so those two ways are short and the others stand apart.
    #[inline]
    pub fn look(&mut self, rule: &Rule, sight: &AccountSight<'_>) -> AccountTurn {
        match &mut self.state {
            State::Out if !rule.when.holds(sight.seen, &Stance::default()) => self.count(sight.look),
            State::In(position) => {
                position.look(sight);
                self.count(sight.look);
                self.leave_at_its_end(rule, sight);
            }
            _ => return self.turn(rule, sight),
        }
        AccountTurn::default()
    }

    /// A look at which something is filled, or an entry is wanted.
    #[inline(never)]
    fn turn(&mut self, rule: &Rule, sight: &AccountSight<'_>) -> AccountTurn {
        let mut turn = AccountTurn { trip: self.fill(sight), forgone: None };
        self.count(sight.look);
        match self.state {
            State::Out if rule.when.holds(sight.seen, &Stance::default()) => turn.forgone = self.wake(rule, sight),
            State::In(_) => self.leave_at_its_end(rule, sight),
            _ => {}
        }
        turn
    }

    fn leave_at_its_end(&mut self, rule: &Rule, sight: &AccountSight<'_>) {
        if let State::In(position) = &self.state
            && self.has_ended(rule, sight)
        {
            self.state = State::Leaving(*position);
        }
    }

    /// Enters at the next look, unless that cannot pay.
    fn wake(&mut self, rule: &Rule, sight: &AccountSight<'_>) -> Option<ForgoneEntry> {
        let forgone = ForgoneEntry::of(rule, &self.stake(sight), sight.look, ONCE);
        if forgone.is_none() {
            self.state = State::Entering;
        }
        forgone
    }

    #[inline]
    fn has_ended(&self, rule: &Rule, sight: &AccountSight<'_>) -> bool {
        let stance = self.stance(sight.look.price);
        match &rule.until {
            Some(until) => until.holds(sight.seen, &stance),
            None => !rule.when.holds(sight.seen, &stance),
        }
    }

    fn stake(&self, sight: &AccountSight<'_>) -> Stake {
        Stake { amount: sight.capital.share_down(self.share), capital: sight.capital, manner: self.manner }
    }

    /// Carries out what the look before decided.
    fn fill(&mut self, sight: &AccountSight<'_>) -> Option<Trip> {
        match self.state {
            State::Entering => {
                self.state = State::In(self.enter(sight));
                None
            }
            State::Leaving(position) => {
                self.state = State::Out;
                Some(self.end(&position, sight))
            }
            State::Out | State::In(_) => None,
        }
    }

    fn enter(&self, sight: &AccountSight<'_>) -> Position {
        let (look, stake) = (sight.look, self.stake(sight));
        let (entry, way) = match self.manner {
            Manner::Hold => {
                let swap = stake.swap();
                (look.price, Way::Held { kept: swap.kept(look), gas: gas_share(look, &swap) })
            }
            Manner::Provide { width } => {
                let placed = Placed::enter(stake.amount, width, sight);
                (placed.worth(look.price), Way::Placed(placed))
            }
        };
        Position { entry, best: entry, since: 0, way }
    }

    fn end(&mut self, position: &Position, sight: &AccountSight<'_>) -> Trip {
        let look = sight.look;
        let growth = ratio(position.worth(look.price), position.entry);
        let net = match &position.way {
            Way::Held { kept, gas } => {
                let swap = self.stake(sight).swap();
                growth * kept * swap.kept(look) - 1.0 - gas - gas_share(look, &swap)
            }
            Way::Placed(placed) => placed.end(sight),
        };
        let exposure = self.exposure.mean;
        let passive = exposure * (ratio(look.price, self.exposure.price) - 1.0);
        self.exposure.mean = self.mean_exposure();
        self.exposure.price = look.price;
        Trip {
            observation: TripObservation { net, passive, exposure },
            gross: growth - 1.0,
            looks: position.since.saturating_add(1),
        }
    }

    #[inline]
    fn count(&mut self, look: &Look) {
        self.exposure.looks += 1;
        if let State::In(position) = &self.state {
            self.exposure.held += position.token_share(look.price);
        }
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

/// The change in millionths, rounded towards nothing. Whole prices of this world fit the short way.
fn change_ppm(from: Usdc, to: Usdc) -> i64 {
    let from = from.micros().max(1);
    let scaled = to.micros().checked_signed_diff(from).and_then(|change| change.checked_mul(1_000_000));
    if let (Some(scaled), Ok(from)) = (scaled, i64::try_from(from)) {
        return scaled / from;
    }
    let from = i128::from(from);
    let change = (i128::from(to.micros()) - from) * 1_000_000 / from;
    i64::try_from(change).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "tests/account.rs"]
mod tests;
