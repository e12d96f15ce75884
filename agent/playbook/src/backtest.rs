//! P-080 to P-084. Books over looks that are past: the same hand and the same accounts as a life, filled on paper.

mod beside;
mod measure;
mod purse;

use golem_primitives::{Ppm, Usdc};

pub use self::measure::{Fold, Interval};
use self::purse::Purse;
use crate::book::Book;
use crate::choice::{Circumstances, Decision, Limits, ONCE};
use crate::cost::Cost;
use crate::hand::{Hand, HandError};
use crate::look::Look;
use crate::promotion::{Event, Founding, Standing};
use crate::search::EVERY;

/// How books are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What each begins with.
    pub capital: Usdc,
    /// What living costs a day.
    pub rent_a_day: Usdc,
    /// What the founding rules may move.
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
pub enum Kind {
    /// A book.
    Book,
    /// Doing nothing.
    Cash,
    /// Holding the token.
    Token,
    /// Half in the token, put right when it drifts by five points.
    HalfAndHalf,
    /// Liquidity over all prices.
    FullRange,
}

/// What a run left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Of what.
    pub kind: Kind,
    /// The book's title, or what anybody could have done.
    pub name: String,
    /// What there was at the end, at the last price.
    pub end: Usdc,
    /// Millionths of the capital.
    pub return_ppm: i64,
    /// Nine in ten paths of shuffled blocks lie in it.
    pub interval: Option<Interval>,
    /// The deepest fall from a height before it.
    pub deepest_fall_ppm: i64,
    /// Mean share in the token.
    pub exposure: Ppm,
    /// What was swapped, in millionths of the capital.
    pub turnover_ppm: u64,
    /// Round trips.
    pub trips: u64,
    /// Paid to pool and chain.
    pub cost: Cost,
    /// Paid for living.
    pub rent: Usdc,
    /// The time in parts.
    pub folds: Vec<Fold>,
    /// Wealth at some looks, evenly, the first and the last among them.
    pub curve: Vec<Usdc>,
    /// Its rules at the end.
    pub rules: Vec<RuleEnd>,
    /// What happened to rules.
    pub events: Vec<Event>,
    /// Looks at which an entry was wanted and could not pay.
    pub forgone: u64,
    /// How many rules were staged.
    pub staged: u64,
}

/// A rule at the end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleEnd {
    /// Its number as it was staged.
    pub number: u64,
    /// Its name.
    pub name: String,
    /// What it may move.
    pub standing: Standing,
    /// E.
    pub evidence: f64,
    /// Trips of its account.
    pub trips: u64,
    /// Mean net return of its newest trips, as a share.
    pub recent_mean: f64,
}

/// Points of a curve.
const CURVE: usize = 400;

/// A path in the making.
struct Path {
    values: Vec<Usdc>,
    exposure: u64,
    purse: Purse,
}

impl Path {
    fn with_room(looks: usize) -> Self {
        Self { values: Vec::with_capacity(looks), exposure: 0, purse: Purse::default() }
    }

    fn push(&mut self, value: Usdc, held: Usdc) {
        self.values.push(value);
        self.exposure += u64::from(held.ratio_of(value).get());
    }

    fn finish(mut self, purse: &Purse) -> Self {
        self.purse = *purse;
        self
    }

    fn measure(&self, kind: Kind, name: &str, settings: &Settings) -> Run {
        let (values, purse) = (&self.values, &self.purse);
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
pub fn beside(looks: &[Look], settings: &Settings) -> Vec<Run> {
    let kinds = [
        (Kind::Cash, "cash"),
        (Kind::Token, "the token"),
        (Kind::HalfAndHalf, "half and half"),
        (Kind::FullRange, "full-range liquidity"),
    ];
    let run = |(kind, name)| beside::run(kind, looks, settings.capital).measure(kind, name, settings);
    kinds.into_iter().map(run).collect()
}

/// P-080. One book over these looks.
///
/// # Errors
/// [`HandError`] for a book that cannot be tried.
pub fn run(book: &Book, looks: &[Look], settings: &Settings) -> Result<Run, HandError> {
    let mut rehearsal = Rehearsal::begin(book, looks, settings)?;
    for (at, look) in looks.iter().enumerate() {
        rehearsal.look(at as u64, look);
    }
    Ok(rehearsal.end(&book.title))
}

/// A hand that lives through the past.
struct Rehearsal<'settings> {
    hand: Hand,
    purse: Purse,
    path: Path,
    pending: Option<Decision>,
    events: Vec<Event>,
    forgone: u64,
    time: u64,
    settings: &'settings Settings,
}

impl<'settings> Rehearsal<'settings> {
    fn begin(book: &Book, looks: &[Look], settings: &'settings Settings) -> Result<Self, HandError> {
        let first = looks.first().copied().ok_or(HandError::NoLooks)?;
        Ok(Self {
            hand: Hand::found(book, settings.founding, &first, settings.capital)?,
            purse: Purse::new(settings.capital),
            path: Path::with_room(looks.len()),
            pending: None,
            events: Vec::new(),
            forgone: 0,
            time: first.time,
            settings,
        })
    }

    fn look(&mut self, at: u64, look: &Look) {
        self.purse.live(self.settings.rent_a_day, look.time.saturating_sub(self.time));
        self.time = look.time;
        self.purse.look(self.pending.take(), look);
        let (value, held) = (self.purse.value(look.price), self.purse.held(look.price));
        self.path.push(value, self.purse.exposed(look.price));
        self.change_hands(at, look, value);
        let now = Circumstances { capital: value, held, limits: Limits::NONE, caution_ppm: ONCE };
        self.pending = Some(self.hand.look(look, &now));
        self.forgone += u64::from(self.hand.why().forgone.is_some());
        self.events.extend(self.hand.events());
    }

    fn change_hands(&mut self, at: u64, look: &Look, capital: Usdc) {
        if at == 0 {
            return;
        }
        if self.settings.life.is_some_and(|life| at.is_multiple_of(life.max(1))) {
            self.hand = self.hand.heir();
        }
        if self.settings.search && at.is_multiple_of(EVERY) {
            self.hand.search(look, capital, None);
        }
    }

    fn end(mut self, title: &str) -> Run {
        let path = std::mem::replace(&mut self.path, Path::with_room(0)).finish(&self.purse);
        let rules = self.hand.tried().iter().map(|tried| RuleEnd {
            number: tried.number(),
            name: tried.rule.name.clone(),
            standing: tried.standing(),
            evidence: tried.evidence(),
            trips: tried.trips(),
            recent_mean: tried.recent_mean(),
        });
        Run {
            rules: rules.collect(),
            events: self.events,
            forgone: self.forgone,
            staged: self.hand.blocks().staged(),
            ..path.measure(Kind::Book, title, self.settings)
        }
    }
}

#[cfg(test)]
#[path = "tests/backtest.rs"]
mod tests;
