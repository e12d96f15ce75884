//! P-071. What a dream rehearses. Histories are made of shuffled blocks of the record; into each comes a threat as large as the
//! record's own tail lets one expect once in ten records. The book lives through them with each of a few guards and without:
//! the guard that keeps the most, by what ten calm records with it cost, is staged with both numbers in its words. Nothing of it
//! is evidence: what a guard saves it has to show on waking looks (P-034).

use arrayvec::ArrayVec;
use golem_primitives::{Ppm, Usdc};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::backtest::{BacktestSettings, worth};
use crate::book::Book;
use crate::look::Look;
use crate::observable::{Observable, Span, Stance, WordSet};
use crate::promotion::Founding;
use crate::record::{RECORD, Row};
use crate::rule::{Action, Comparison, Condition, Join, Relation, Rule};
use crate::search::SHORTEST;
use crate::watch::{Watch, rounded};

/// Histories, each with every kind of threat in its turn and once in calm.
const HISTORIES: usize = 8;
/// Looks of one.
const LOOKS: usize = 1_024;
/// Looks of a block: what hangs together stays together.
const BLOCK: usize = 128;
/// Where a threat comes, behind what the words of most rules look back over.
const COMES: usize = 640;
/// Looks a price takes to fall, and to be pushed away and back.
const FALL: usize = 8;
/// Looks for which gas or depth stay bad.
const LASTS: usize = 128;
/// A threat is as large as comes once in so many records.
const RECORDS: f64 = 10.0;
/// What a guard must keep of the capital for each threat, or it is not worth a place.
const LEAST_KEPT: f64 = 0.001;
/// Most that a price falls, that gas or impact grows.
const DEEPEST: f64 = 0.9;
const LARGEST: f64 = 100.0;

/// D-128, D-129. The threats a look can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Threat {
    /// A flash crash that stays.
    Crash,
    /// A price that is pushed down and comes back: an oracle, a sandwich, a cascade.
    Push,
    /// A fall while gas is dear.
    GasWar,
    /// A fall while there is little to trade against.
    Drain,
}

impl Threat {
    const ALL: [Self; 4] = [Self::Crash, Self::Push, Self::GasWar, Self::Drain];
}

/// How bad it gets, from the record's own tail.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tails {
    /// Share of the price that is lost within a few looks.
    fall: f64,
    /// Gas by its median.
    gas: f64,
    /// Impact by its median.
    impact: f64,
    /// The largest `vol(16)` that was seen, in millionths.
    vol_ppm: i64,
}

impl Tails {
    fn of(rows: &[Row]) -> Self {
        let price = |at: usize| rows[at].look.price.micros().max(1) as f64;
        let falls = (0..rows.len() - FALL).step_by(FALL).map(|at| 1.0 - price(at + FALL) / price(at));
        let mut watch = Watch::of(WordSet::of(Observable::Vol(Span::L16)));
        let vols = rows
            .iter()
            .filter_map(|row| watch.look(&row.look, row.capital).get(Observable::Vol(Span::L16), &Stance::default()));
        Self {
            fall: beyond(falls.filter(|fall| *fall > 0.0).collect()).min(DEEPEST),
            gas: by_median(rows, |look| look.gas.micros()),
            impact: by_median(rows, |look| u64::from(look.impact_ppm)),
            vol_ppm: vols.max().unwrap_or(0),
        }
    }
}

/// What comes once in ten records, by the tail of what came in one (Hill): never less than the worst of it.
fn beyond(mut sizes: Vec<f64>) -> f64 {
    sizes.sort_by(|left, right| right.total_cmp(left));
    let tail = (sizes.len() / 50).max(10);
    let (Some(worst), Some(end)) = (sizes.first(), sizes.get(tail)) else { return 0.0 };
    let spread = sizes[..tail].iter().map(|size| libm::log(size / end)).sum::<f64>() / tail as f64;
    // Tails thinner than the tenth power or fatter than its root are an accident of few numbers.
    let spread = spread.clamp(0.1, 0.5);
    worst.max(end * libm::pow(RECORDS * tail as f64, spread))
}

/// How many times its median something may become.
fn by_median(rows: &[Row], read: impl Fn(&Look) -> u64) -> f64 {
    let mut values: Vec<u64> = rows.iter().map(|row| read(&row.look)).collect();
    values.sort_unstable();
    let median = values[values.len() / 2] as f64;
    if median <= 0.0 {
        return 1.0;
    }
    beyond(values.iter().map(|value| *value as f64 / median).filter(|times| *times > 1.0).collect()).clamp(1.0, LARGEST)
}

/// Shuffled blocks of the record, joined by what happened in each: a calm history.
fn shuffled(rows: &[Row], chance: &mut ChaCha12Rng) -> Vec<Look> {
    let mut below = |limit: usize| ((u128::from(chance.next_u64()) * limit as u128) >> 64) as usize;
    let newest = &rows[rows.len() - 1].look;
    let (mut price, mut looks) = (newest.price.micros() as f64, Vec::with_capacity(LOOKS));
    while looks.len() < LOOKS {
        let from = 1 + below(rows.len() - BLOCK);
        for at in from..from + BLOCK {
            let (before, look) = (&rows[at - 1].look, &rows[at].look);
            price *= look.price.micros() as f64 / before.price.micros().max(1) as f64;
            let gap = look.twap.micros() as f64 / look.price.micros().max(1) as f64;
            let time = newest.time + (looks.len() as u64 + 1) * seconds_between(rows);
            looks.push(Look { time, price: micros(price), twap: micros(price * gap), ..*look });
        }
    }
    looks.truncate(LOOKS);
    looks
}

fn seconds_between(rows: &[Row]) -> u64 {
    let (first, last) = (rows[0].look.time, rows[rows.len() - 1].look.time);
    (last.saturating_sub(first) / rows.len() as u64).max(1)
}

fn micros(value: f64) -> Usdc {
    Usdc::from_micros(value.clamp(1.0, 1e18) as u64)
}

/// The same history with a threat in it. The vault's mean price comes after, as it does: by a quarter of the way a look.
fn threatened(calm: &[Look], threat: Threat, tails: &Tails) -> Vec<Look> {
    let mut looks = calm.to_vec();
    let mut lag = 1.0;
    for (after, look) in looks[COMES..].iter_mut().enumerate() {
        let fallen = (after + 1).min(FALL) as f64 / FALL as f64;
        let back = if threat == Threat::Push { after.saturating_sub(FALL).min(FALL) as f64 / FALL as f64 } else { 0.0 };
        let left = 1.0 - tails.fall * (fallen - back);
        let is_bad = after < LASTS;
        lag += (left - lag) / 4.0;
        look.price = micros(look.price.micros() as f64 * left);
        look.twap = micros(look.twap.micros() as f64 * lag);
        if threat == Threat::GasWar && is_bad {
            look.gas = micros(look.gas.micros() as f64 * tails.gas);
        }
        if threat == Threat::Drain && is_bad {
            look.impact_ppm = (f64::from(look.impact_ppm) * tails.impact).min(1e6) as u32;
        }
    }
    looks
}

/// A guard that is tried.
struct Guard {
    name: &'static str,
    word: Observable,
    relation: Relation,
    threshold: i64,
    action: Action,
}

impl Guard {
    /// What may be cut by: a fall, a storm, a gap to the vault's mean price, dear gas; and how: out, or no way in.
    fn all(tails: &Tails) -> ArrayVec<Self, 24> {
        let fall = |part: f64| -rounded(tails.fall * part * 1e6);
        let out = || Action::AtMost { share: Ppm::ZERO };
        let mut guards = ArrayVec::new();
        let mut add = |names: [&'static str; 2], word, relation, threshold| {
            for (name, action) in names.into_iter().zip([out(), Action::NoEntries]) {
                guards.push(Self { name, word, relation, threshold, action });
            }
        };
        let (down, up) = (Relation::AtMost, Relation::AtLeast);
        let moved = Observable::Move(Span::L16);
        add(["out-in-a-third-of-a-crash", "no-way-in-in-a-third-of-a-crash"], moved, down, fall(0.33));
        add(["out-in-half-a-crash", "no-way-in-in-half-a-crash"], moved, down, fall(0.5));
        let vol = Observable::Vol(Span::L16);
        add(["out-in-a-storm", "no-way-in-in-a-storm"], vol, up, tails.vol_ppm);
        add(["out-in-a-great-storm", "no-way-in-in-a-great-storm"], vol, up, tails.vol_ppm.saturating_mul(3) / 2);
        add(["out-below-the-mean", "no-way-in-below-the-mean"], Observable::Gap, down, fall(0.33));
        if tails.gas > 1.0 {
            add(["out-in-dear-gas", "no-way-in-in-dear-gas"], Observable::Gas, up, rounded(tails.gas * 0.5e6));
        }
        guards
    }

    fn rule(&self, kept: f64, price: f64, tails: &Tails) -> Rule {
        let asks = Comparison { word: self.word, relation: self.relation, threshold: self.threshold };
        let percent = |share: f64| format!("{:.2}%", share * 100.0);
        Rule {
            name: self.name.to_owned(),
            pool: None,
            when: Condition::of([(Join::And, asks)]),
            action: self.action.clone(),
            until: None,
            expects: None,
            because: Some(format!(
                "in rehearsed falls of {} it kept {} of the capital each time",
                percent(tails.fall),
                percent(kept)
            )),
            asks: Some(format!("does it cost more than {} of the capital in {RECORD} calm looks?", percent(price))),
        }
    }
}

/// What the book is worth at the end of every history.
fn ends(book: &Book, histories: &[Vec<Look>], capital: Usdc) -> Vec<f64> {
    let settings = BacktestSettings {
        capital,
        rent_a_day: Usdc::ZERO,
        founding: Founding::Trust,
        search: false,
        life: None,
        folds: 0,
    };
    let end = |looks: &Vec<Look>| worth(book, looks, &settings).map_or(0.0, |end| end.micros() as f64);
    histories.iter().map(end).collect()
}

/// The mean of what the second has more than the first, as a share of the capital.
fn more(without: &[f64], with: &[f64], capital: Usdc) -> f64 {
    let sum: f64 = with.iter().zip(without).map(|(with, without)| with - without).sum();
    sum / without.len().max(1) as f64 / capital.micros().max(1) as f64
}

/// The guard that rules which move money lack most, if any is worth its price. The same record and the same number give the same
/// guard.
#[must_use]
pub fn rehearse(rows: &[Row], rules: &[Rule], number: u64) -> Option<Rule> {
    let capital = rows.last()?.capital;
    let holds = rules.iter().any(|rule| !rule.action.is_guard());
    if rows.len() < SHORTEST || capital.is_zero() || !holds {
        return None;
    }
    let tails = Tails::of(rows);
    let mut chance = ChaCha12Rng::seed_from_u64(number);
    let calm: Vec<Vec<Look>> = (0..HISTORIES).map(|_| shuffled(rows, &mut chance)).collect();
    let kinds = Threat::ALL.into_iter().cycle();
    let bad: Vec<Vec<Look>> = calm.iter().zip(kinds).map(|(calm, kind)| threatened(calm, kind, &tails)).collect();
    let book = |guard: Option<Rule>| Book {
        title: "Rehearsed".to_owned(),
        rules: rules.iter().cloned().chain(guard).collect(),
    };
    let (calm_without, bad_without) = (ends(&book(None), &calm, capital), ends(&book(None), &bad, capital));
    let tried = Guard::all(&tails).into_iter().map(|guard| {
        let with = book(Some(guard.rule(0.0, 0.0, &tails)));
        let kept = more(&bad_without, &ends(&with, &bad, capital), capital);
        let price = more(&ends(&with, &calm, capital), &calm_without, capital) * RECORD as f64 / LOOKS as f64;
        Priced { guard, kept, price }
    });
    let worth_it = tried.filter(|priced| priced.kept >= LEAST_KEPT && priced.net() > 0.0);
    let best = worth_it.max_by(|left, right| left.net().total_cmp(&right.net()))?;
    Some(best.guard.rule(best.kept, best.price.max(0.0), &tails))
}

/// A guard with what it keeps of the capital for each threat, and costs in a calm record.
struct Priced {
    guard: Guard,
    kept: f64,
    price: f64,
}

impl Priced {
    /// A threat of this size comes once in ten records.
    fn net(&self) -> f64 {
        self.kept - RECORDS * self.price.max(0.0)
    }
}

#[cfg(test)]
#[path = "tests/threats.rs"]
mod tests;
