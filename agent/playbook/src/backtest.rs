//! P-080 to P-084. Books over looks that are past: the same hand and the same accounts as a life, filled on paper.

mod beside;
mod measure;
mod purse;

use arrayvec::ArrayVec;
use golem_primitives::{PoolName, Ppm, Usdc};

pub use self::measure::{Fold, Interval};
use self::purse::Purse;
use crate::book::Book;
use crate::budget::{POOLS, divide};
use crate::choice::{Circumstances, Decision, Limits};
use crate::cost::{Cost, ONCE};
use crate::hand::{Hand, HandError, HeardRules};
use crate::look::Look;
use crate::promotion::{DatedChange, Founding, Standing};
use crate::search::{EVERY, STAGED};

/// How books are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BacktestSettings {
    pub capital: Usdc,
    pub rent_a_day: Usdc,
    pub founding: Founding,
    /// Whether a search adds candidates as it goes.
    pub search: bool,
    /// P-046. An heir takes over after so many looks.
    pub life: Option<u64>,
    /// Parts the time is shown in.
    pub folds: usize,
}

/// What a run is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    Book,
    /// Doing nothing.
    Cash,
    Token,
    /// Half in the token, put right when it drifts by five points.
    HalfAndHalf,
    /// Liquidity over all prices.
    FullRange,
}

/// What a run left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub kind: RunKind,
    /// The book's title, or what anybody could have done.
    pub name: String,
    /// What there was at the end, at the last price.
    pub end: Usdc,
    pub return_ppm: i64,
    /// Nine in ten paths of shuffled blocks lie in it.
    pub interval: Option<Interval>,
    pub deepest_fall_ppm: i64,
    /// Mean share in the token.
    pub exposure: Ppm,
    /// What was swapped, in millionths of the capital.
    pub turnover_ppm: u64,
    pub trips: u64,
    /// Paid to pool and chain.
    pub cost: Cost,
    pub rent: Usdc,
    pub folds: Vec<Fold>,
    /// Wealth at some looks, evenly, the first and the last among them.
    pub curve: Vec<Usdc>,
    pub rules: Vec<RuleEnd>,
    pub events: Vec<EventIn>,
    /// Looks at which an entry was wanted and could not pay.
    pub forgone: u64,
    pub staged: u64,
}

/// What happened to a rule, and in which pool of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventIn {
    /// P-057. Where; nothing where there is one pool.
    pub pool: Option<PoolName>,
    pub event: DatedChange,
}

/// A rule at the end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleEnd {
    /// P-057. In which pool of several it was tried.
    pub pool: Option<PoolName>,
    pub number: u64,
    pub name: String,
    pub standing: Standing,
    pub evidence: f64,
    pub trips: u64,
    /// Mean net return of its newest trips, as a share.
    pub recent_mean: f64,
}

const CURVE: usize = 400;

struct Path {
    values: Vec<Usdc>,
    exposure: u64,
}

impl Path {
    fn with_room(looks: usize) -> Self {
        Self { values: Vec::with_capacity(looks), exposure: 0 }
    }

    fn push(&mut self, value: Usdc, held: Usdc) {
        self.values.push(value);
        self.exposure += u64::from(held.ratio_of(value).get());
    }

    fn measure(&self, purse: &Purse, kind: RunKind, name: &str, settings: &BacktestSettings) -> Run {
        let values = &self.values;
        let looks = values.len().max(1);
        let capital = u128::from(settings.capital.micros().max(1));
        let turnover = u128::from(purse.swapped.micros()) * 1_000_000 / capital;
        let points = CURVE.min(values.len());
        let curve = (0..points).map(|at| values[at * (values.len() - 1) / (points - 1).max(1)]).collect();
        Run {
            kind,
            name: name.to_owned(),
            end: values.last().copied().unwrap_or(settings.capital),
            return_ppm: measure::return_ppm(values),
            interval: measure::interval(values, values.len() as u64),
            deepest_fall_ppm: measure::deepest_fall_ppm(values),
            exposure: Ppm::saturating(self.exposure / looks as u64),
            turnover_ppm: u64::try_from(turnover).unwrap_or(u64::MAX),
            trips: purse.trips,
            cost: purse.cost,
            rent: purse.rent,
            folds: measure::folds(values, settings.folds),
            curve,
            rules: Vec::new(),
            events: Vec::new(),
            forgone: 0,
            staged: 0,
        }
    }
}

/// P-081. What anybody could have done over these looks.
#[must_use]
pub fn beside(looks: &[Look], settings: &BacktestSettings) -> Vec<Run> {
    let runs = beside::all(looks, settings.capital).into_iter();
    runs.map(|(kind, name, (path, purse))| path.measure(&purse, kind, name, settings)).collect()
}

/// P-057. A pool and its looks. Those of several pools are of the same times.
#[derive(Debug, Clone, Copy)]
pub struct PoolPast<'looks> {
    pub pool: PoolName,
    pub looks: &'looks [Look],
}

/// P-080. One book over these looks, in the only pool there is.
///
/// # Errors
/// [`HandError`] for a book that cannot be tried.
pub fn run(book: &Book, looks: &[Look], settings: &BacktestSettings) -> Result<Run, HandError> {
    Ok(PastLife::alone(book, looks, settings)?.live_through(&book.title))
}

/// What is left of the capital at the last look, and nothing else of a run: a dream asks it again and again.
pub(crate) fn worth(book: &Book, looks: &[Look], settings: &BacktestSettings) -> Result<Usdc, HandError> {
    let mut past = PastLife::alone(book, looks, settings)?;
    (0..looks.len()).for_each(|at| past.look(at));
    Ok(past.purse.value())
}

/// P-057, P-080. One book over several pools with one capital: each pool has a hand of its own, founded on the rules that name
/// it or none, and the capital is divided among those that lead by evidence, as in a life.
///
/// # Errors
/// [`HandError`] for a book that cannot be tried, for more pools than a life may have, and for looks of other times.
pub fn run_in(book: &Book, pools: &[PoolPast<'_>], settings: &BacktestSettings) -> Result<Run, HandError> {
    let home = pools.first().ok_or(HandError::NoLooks)?;
    let first = home.looks.first().ok_or(HandError::NoLooks)?;
    if pools.len() > POOLS {
        return Err(HandError::TooManyPools { pools: pools.len() });
    }
    let mut seats = Vec::with_capacity(pools.len());
    for PoolPast { pool, looks } in pools {
        let is_aligned = looks.len() == home.looks.len()
            && looks.iter().zip(home.looks).all(|(look, other)| look.time == other.time);
        let Some(first) = looks.first().filter(|_| is_aligned) else {
            return Err(HandError::Unaligned { pool: *pool });
        };
        let rules = book.rules.iter().filter(|rule| rule.speaks_of(*pool)).cloned().collect();
        let own = Book { title: book.title.clone(), rules };
        let hand = Hand::found(&own, settings.founding, first, settings.capital)?;
        seats.push(Seat { pool: Some(*pool), looks, hand, pending: None });
    }
    Ok(PastLife::begin(seats, first.time, settings).live_through(&book.title))
}

/// One pool of the past, and the hand that is fed with it.
struct Seat<'looks> {
    pool: Option<PoolName>,
    looks: &'looks [Look],
    hand: Hand,
    pending: Option<Decision>,
}

/// Hands that live through the past with one purse.
struct PastLife<'past> {
    seats: Vec<Seat<'past>>,
    purse: Purse,
    path: Path,
    events: Vec<EventIn>,
    forgone: u64,
    time: u64,
    settings: &'past BacktestSettings,
}

impl<'past> PastLife<'past> {
    fn alone(book: &Book, looks: &'past [Look], settings: &'past BacktestSettings) -> Result<Self, HandError> {
        let first = looks.first().ok_or(HandError::NoLooks)?;
        let hand = Hand::found(book, settings.founding, first, settings.capital)?;
        let seat = Seat { pool: None, looks, hand, pending: None };
        Ok(Self::begin(vec![seat], first.time, settings))
    }

    fn begin(seats: Vec<Seat<'past>>, time: u64, settings: &'past BacktestSettings) -> Self {
        let looks = seats.first().map_or(0, |seat| seat.looks.len());
        Self {
            purse: Purse::new(settings.capital, seats.len()),
            seats,
            path: Path::with_room(looks),
            events: Vec::new(),
            forgone: 0,
            time,
            settings,
        }
    }

    fn live_through(mut self, title: &str) -> Run {
        let looks = self.seats.first().map_or(0, |seat| seat.looks.len());
        for at in 0..looks {
            self.look(at);
        }
        self.end(title)
    }

    fn look(&mut self, at: usize) {
        let time = self.seats[0].looks[at].time;
        self.purse.live(self.settings.rent_a_day, time.saturating_sub(self.time));
        self.time = time;
        self.fill(at);
        let value = self.purse.value();
        self.path.push(value, self.purse.exposed());
        self.change_hands(at, value);
        self.decide(at, value);
        for Seat { pool, hand, .. } in &mut self.seats {
            self.forgone += u64::from(hand.why().forgone.is_some());
            self.events.extend(hand.events().map(|event| EventIn { pool: *pool, event }));
        }
    }

    /// P-022, P-053. What was decided at the look before: first what gets out, so that an entry elsewhere may use what it
    /// brings.
    fn fill(&mut self, at: usize) {
        for (place, seat) in self.seats.iter().enumerate() {
            self.purse.see(place, seat.looks[at].price);
        }
        let is_alone = self.seats.len() == 1;
        let mut later: ArrayVec<usize, POOLS> = ArrayVec::new();
        for (place, seat) in self.seats.iter_mut().enumerate() {
            let order = seat.pending.and_then(|decided| decided.order);
            if !is_alone && order.is_some_and(|order| order.to > order.from) {
                later.push(place);
            } else {
                self.purse.look(place, seat.pending.take(), &seat.looks[at]);
            }
        }
        for place in later {
            let seat = &mut self.seats[place];
            self.purse.look(place, seat.pending.take(), &seat.looks[at]);
        }
    }

    fn decide(&mut self, at: usize, capital: Usdc) {
        let purse = &self.purse;
        let now =
            |place: usize| Circumstances { capital, held: purse.held(place), limits: Limits::NONE, caution_ppm: ONCE };
        if let [seat] = self.seats.as_mut_slice() {
            seat.pending = Some(seat.hand.look(&seat.looks[at], &now(0)));
            return;
        }
        let heard = self.seats.iter_mut().enumerate().map(|(place, seat)| seat.hand.hear(&seat.looks[at], &now(place)));
        let heard: ArrayVec<HeardRules, POOLS> = heard.collect();
        let claims: ArrayVec<_, POOLS> = heard.iter().map(|heard| heard.claim).collect();
        for (place, (seat, part)) in self.seats.iter_mut().zip(divide(&claims)).enumerate() {
            seat.pending = Some(seat.hand.choose(&heard[place], &seat.looks[at], &now(place), part));
        }
    }

    fn change_hands(&mut self, at: usize, capital: Usdc) {
        let looks = at as u64;
        if looks == 0 {
            return;
        }
        let (life, search) = (self.settings.life, self.settings.search);
        for seat in &mut self.seats {
            if life.is_some_and(|life| looks.is_multiple_of(life.max(1))) {
                seat.hand = seat.hand.heir();
            }
            if search && looks.is_multiple_of(EVERY) {
                seat.hand.search(&seat.looks[at], capital, seat.pool, STAGED);
            }
        }
    }

    fn end(self, title: &str) -> Run {
        let rules = self.seats.iter().flat_map(|seat| {
            seat.hand.tried().iter().map(|tried| RuleEnd {
                pool: seat.pool,
                number: tried.number(),
                name: tried.rule.name.clone(),
                standing: tried.standing(),
                evidence: tried.evidence(),
                trips: tried.trips(),
                recent_mean: tried.recent_mean(),
            })
        });
        Run {
            rules: rules.collect(),
            events: self.events,
            forgone: self.forgone,
            staged: self.seats.iter().map(|seat| seat.hand.blocks().staged()).sum(),
            ..self.path.measure(&self.purse, RunKind::Book, title, self.settings)
        }
    }
}

#[cfg(test)]
#[path = "tests/backtest.rs"]
mod tests;
