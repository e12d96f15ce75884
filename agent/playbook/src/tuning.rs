//! P-073. What the Curator makes of trips that were counted. Of a rule's trips over the record: what separates those that paid
//! from those that did not (a split), another threshold, or what its one great loss was entered in (a guard). What the older
//! trips say, the newer ones must confirm. Nothing of it is evidence: what is found is tried as a candidate.

use crate::account::{Account, AccountSight};
use crate::observable::{Observable, Span, Stance, WordSet};
use crate::parse::NAME;
use crate::record::Row;
use crate::rule::{Action, COMPARISONS, Comparison, Condition, Join, Relation, Rule};
use crate::watch::Watch;

/// Trips from which something can be made.
pub const TRIPS: usize = 20;
/// The part of them that is older.
const OLDER_PERCENT: usize = 60;
/// Trips each side of a split must have in the older and in the newer part.
const OLDER_TRIPS: usize = 6;
const NEWER_TRIPS: usize = 3;
/// How sure the older trips must be that both sides differ, and the newer ones.
const OLDER_T: f64 = 2.5;
const NEWER_T: f64 = 1.0;
/// By how much another threshold must be surer in each part.
const SURER: f64 = 0.5;
/// A loss is great by so many usual trips.
const GREAT: f64 = 8.0;

/// What a split may ask, and what it is called in a name.
const CONTEXT: [(Observable, &str); 6] = [
    (Observable::Vol(Span::L64), "vol"),
    (Observable::Trend(Span::L64), "trend"),
    (Observable::Move(Span::L256), "move"),
    (Observable::Gap, "gap"),
    (Observable::Gas, "gas"),
    (Observable::Hour, "hour"),
];
/// What another threshold is of the one there is, in percent.
const OTHER_THRESHOLDS: [i64; 4] = [50, 75, 125, 150];

/// A trip over the record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Counted {
    pub(crate) net: f64,
    /// What the words of the context said when it was decided on.
    entered: [Option<i64>; CONTEXT.len()],
}

/// Trades a rule by itself over the record.
pub(crate) fn counted(rows: &[Row], rule: &Rule) -> Vec<Counted> {
    let Some(mut account) = Account::of(&rule.action) else { return Vec::new() };
    let context = CONTEXT.iter().map(|(word, _)| WordSet::of(*word)).fold(WordSet::NONE, WordSet::with);
    let mut watch = Watch::of(context.with(rule.words()));
    let (mut trips, mut entered) = (Vec::new(), [None; CONTEXT.len()]);
    for Row { look, capital } in rows {
        let seen = watch.look(look, *capital);
        let was_awake = account.is_awake();
        let turn = account.look(rule, &AccountSight { look, seen, capital: *capital });
        trips.extend(turn.trip.map(|trip| Counted { net: trip.observation.net, entered }));
        if account.is_awake() && !was_awake {
            entered = CONTEXT.map(|(word, _)| seen.get(word, &Stance::default()));
        }
    }
    trips
}

/// How many, their mean and the variance of that mean.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Mean {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    variance: f64,
}

impl Mean {
    pub(crate) fn of(nets: impl Iterator<Item = f64> + Clone) -> Self {
        let count = nets.clone().count();
        let mean = nets.clone().sum::<f64>() / count.max(1) as f64;
        let squares: f64 = nets.map(|net| (net - mean) * (net - mean)).sum();
        Self { count, mean, variance: squares / (count.max(2) - 1) as f64 / count.max(1) as f64 }
    }

    /// By its standard error.
    pub(crate) fn t(&self) -> f64 {
        if self.variance > 0.0 { self.mean / libm::sqrt(self.variance) } else { 0.0 }
    }

    /// How sure it is that this one is the larger.
    fn above(&self, other: &Self) -> f64 {
        let variance = self.variance + other.variance;
        if variance > 0.0 { (self.mean - other.mean) / libm::sqrt(variance) } else { 0.0 }
    }
}

/// The older and the newer trips.
fn parts(trips: &[Counted]) -> (&[Counted], &[Counted]) {
    trips.split_at(trips.len() * OLDER_PERCENT / 100)
}

/// What the older and the newer trips brought.
pub(crate) fn means(trips: &[Counted]) -> [Mean; 2] {
    let (older, newer) = parts(trips);
    [older, newer].map(|part| Mean::of(part.iter().map(|trip| trip.net)))
}

/// What separates the trips that paid.
fn split(rule: &Rule, trips: &[Counted]) -> Option<Rule> {
    if !rule.when.is_plain() || rule.when.parts.len() >= COMPARISONS {
        return None;
    }
    let (older, newer) = parts(trips);
    let mut best: Option<(f64, Comparison, &str)> = None;
    for (place, (word, name)) in CONTEXT.into_iter().enumerate() {
        let mut values: Vec<i64> = older.iter().filter_map(|trip| trip.entered[place]).collect();
        values.sort_unstable();
        for third in [1, 2] {
            let Some(threshold) = values.get(values.len() * third / 3).copied() else { continue };
            for relation in [Relation::AtLeast, Relation::Below] {
                let is_kept =
                    |trip: &&Counted| trip.entered[place].is_some_and(|value| relation.holds(value, threshold));
                let sides = |trips: &[Counted]| {
                    let kept = Mean::of(trips.iter().filter(is_kept).map(|trip| trip.net));
                    (kept, Mean::of(trips.iter().filter(|trip| !is_kept(trip)).map(|trip| trip.net)))
                };
                let ((kept, left), (kept_newer, left_newer)) = (sides(older), sides(newer));
                let is_counted =
                    kept.count.min(left.count) >= OLDER_TRIPS && kept_newer.count.min(left_newer.count) >= NEWER_TRIPS;
                let sure = kept.above(&left);
                let holds = sure > OLDER_T && kept_newer.above(&left_newer) > NEWER_T;
                let pays = kept.mean > 0.0 && kept_newer.mean > 0.0;
                if is_counted && holds && pays && best.is_none_or(|(most, ..)| sure > most) {
                    best = Some((sure, Comparison { word, relation, threshold }, name));
                }
            }
        }
    }
    let (_, comparison, word) = best?;
    let side = if comparison.relation == Relation::AtLeast { "hi" } else { "lo" };
    let mut when = rule.when.clone();
    when.parts.push((Join::And, comparison));
    let because =
        format!("of {} trips of {} those entered like this paid, and the others did not", trips.len(), rule.name);
    named(format!("{}-{side}-{word}", rule.name), Rule { when, ..rule.clone() }, because, ASKS)
}

/// Another number for the first thing it waits for, where that is surer in both parts.
fn threshold(rows: &[Row], rule: &Rule, trips: &[Counted]) -> Option<Rule> {
    let now = means(trips);
    let (_, first) = rule.when.parts.first()?;
    let others = OTHER_THRESHOLDS.iter().filter_map(|percent| {
        let comparison = Comparison { threshold: first.threshold.checked_mul(*percent)? / 100, ..*first };
        let mut when = rule.when.clone();
        when.parts[0].1 = comparison;
        let other = Rule { when, ..rule.clone() };
        let found = means(&counted(rows, &other));
        let is_counted = found[0].count >= OLDER_TRIPS && found[1].count >= NEWER_TRIPS;
        let is_surer = found.iter().zip(&now).all(|(found, now)| found.t() > now.t() + SURER && found.mean > 0.0);
        (is_counted && is_surer).then(|| (found[0].t(), *percent, other))
    });
    let (_, percent, other) = others.max_by(|left, right| left.0.total_cmp(&right.0))?;
    let because = format!("{} is surer of its older and of its newer trips with another number", rule.name);
    named(format!("{}-at-{percent}", rule.name), other, because, ASKS)
}

/// What its one great loss was entered in, if that was out of the ordinary.
fn guard(rule: &Rule, trips: &[Counted]) -> Option<Rule> {
    let mut sizes: Vec<f64> = trips.iter().map(|trip| trip.net.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let worst = trips.iter().min_by(|left, right| left.net.total_cmp(&right.net))?;
    if worst.net > -GREAT * sizes[sizes.len() / 2] {
        return None;
    }
    CONTEXT.into_iter().enumerate().find_map(|(place, (word, name))| {
        let value = worst.entered[place]?;
        let mut values: Vec<i64> = trips.iter().filter_map(|trip| trip.entered[place]).collect();
        values.sort_unstable();
        // With several words one in twenty is beyond some twentieth by chance.
        let (low, high) = (values[values.len() / 100], values[values.len() * 99 / 100]);
        let (relation, side) = match value {
            value if value > high => (Relation::AtLeast, "hi"),
            value if value < low => (Relation::AtMost, "lo"),
            _ => return None,
        };
        let usual = if relation == Relation::AtLeast { high } else { low };
        let when = Condition::of([(Join::And, Comparison { word, relation, threshold: usual.midpoint(value) })]);
        let because = format!(
            "{} lost {:.2}% of its stake in one trip that was entered like this",
            rule.name,
            -worst.net * 100.0
        );
        let guard = Rule { when, action: Action::NoEntries, until: None, expects: None, ..rule.clone() };
        named(format!("no-entry-{side}-{name}"), guard, because, ASKS)
    })
}

/// What is asked of a finding.
const ASKS: &str = "does it hold beyond the trips it was counted in?";

/// A rule made of others, where its name is one.
pub(crate) fn named(name: String, rule: Rule, because: String, asks: &str) -> Option<Rule> {
    (name.len() <= NAME).then(|| Rule { name, because: Some(because), asks: Some(asks.to_owned()), ..rule })
}

/// Everything the trips of a rule speak for, the surest kind of finding first.
pub fn findings(rows: &[Row], rule: &Rule) -> impl Iterator<Item = Rule> {
    let trips = counted(rows, rule);
    let found = if trips.len() < TRIPS {
        [None, None, None]
    } else {
        [split(rule, &trips), threshold(rows, rule, &trips), guard(rule, &trips)]
    };
    found.into_iter().flatten()
}

#[cfg(test)]
#[path = "tests/tuning.rs"]
mod tests;
