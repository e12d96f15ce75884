//! P-072. Creative modes as rewrites of rules: two put together, one pushed to its limits, one turned round. Every rewrite is a rule
//! of this language, so looks decide it; over the record each is traded once, the surest that its newer part confirms is tried.

use golem_primitives::words;

use crate::observable::{Observable, Span};
use crate::record::Row;
use crate::rule::{COMPARISONS, Comparison, Condition, Join, Relation, Rule};
use crate::tuning::{self, counted, means};

words! {
    /// D-115. The three ways.
    Rewrite {
        /// The entry of one with the end of another, or the entries of both at once.
        Combinational = "combinational",
        /// A number or a stretch of one far beyond what it is.
        Exploratory = "exploratory",
        /// The opposite of what one waits for.
        Transformational = "transformational",
    }
}

/// What the older trips of a rewrite must show, and the newer: some eighty are tried in a dream.
const OLDER_TRIPS: usize = 8;
const OLDER_T: f64 = 3.0;
const NEWER_TRIPS: usize = 4;
const NEWER_T: f64 = 1.0;
/// Of the threshold there is, in percent.
const FAR: [i64; 2] = [200, 300];

/// The surest rewrite of these rules in one of these ways that is tried nowhere yet and that both parts of the record speak for.
pub(crate) fn imagined(rows: &[Row], rules: &[Rule], ways: &[Rewrite], is_new: impl Fn(&Rule) -> bool) -> Option<Rule> {
    let mut best: Option<(f64, Rule)> = None;
    for rewrite in ways.iter().flat_map(|way| rewrites(rules, *way)).filter(is_new) {
        let [older, newer] = means(&counted(rows, &rewrite));
        let is_counted = older.count >= OLDER_TRIPS && newer.count >= NEWER_TRIPS;
        if is_counted && older.t() > OLDER_T && newer.t() > NEWER_T && best.as_ref().is_none_or(|(t, _)| older.t() > *t)
        {
            best = Some((older.t(), rewrite));
        }
    }
    best.map(|(_, rule)| rule)
}

/// All rewrites of these rules in one way.
fn rewrites(rules: &[Rule], way: Rewrite) -> Vec<Rule> {
    rules.iter().flat_map(|rule| rewrites_of(rule, rules, way)).collect()
}

/// Those of one of these rules.
pub(crate) fn rewrites_of(rule: &Rule, rules: &[Rule], way: Rewrite) -> Vec<Rule> {
    match way {
        Rewrite::Combinational => rules.iter().flat_map(|other| together(rule, other)).collect(),
        Rewrite::Exploratory => pushed(rule),
        Rewrite::Transformational => turned(rule).into_iter().collect(),
    }
}

fn named(name: String, rule: Rule, because: String) -> Option<Rule> {
    tuning::named(name, rule, because, "does it hold beyond the looks it was imagined over?")
}

/// The entry of one with the end of the other, and where both wait for at once.
fn together(rule: &Rule, other: &Rule) -> Vec<Rule> {
    if rule.name == other.name {
        return Vec::new();
    }
    let because = |how: &str| format!("{} and {} put together: {how}", rule.name, other.name);
    let end = (rule.until != other.until).then(|| {
        let mixed = Rule { until: other.until.clone(), ..rule.clone() };
        named(format!("{}-to-{}", rule.name, other.name), mixed, because("the entry of the one, the end of the other"))
    });
    let fits = rule.when.parts.len() + other.when.parts.len() <= COMPARISONS;
    // Both ways round it is the same rule.
    let both = (rule.name < other.name && fits && rule.when.is_plain() && other.when.is_plain()).then(|| {
        let mut when = rule.when.clone();
        when.parts.extend(other.when.parts.iter().map(|(_, comparison)| (Join::And, *comparison)));
        let narrowed = Rule { when, ..rule.clone() };
        named(format!("{}-and-{}", rule.name, other.name), narrowed, because("both entries at once"))
    });
    [end, both].into_iter().flatten().flatten().collect()
}

/// Its first comparison far beyond what it is, in its number and in its stretch.
fn pushed(rule: &Rule) -> Vec<Rule> {
    let Some((_, first)) = rule.when.parts.first() else { return Vec::new() };
    let with = |comparison: Comparison| {
        let mut when = rule.when.clone();
        when.parts[0].1 = comparison;
        Rule { when, ..rule.clone() }
    };
    let far = FAR.iter().filter_map(|percent| {
        let threshold = first.threshold.checked_mul(*percent)? / 100;
        let because = format!("{} with what it waits for at {percent}%", rule.name);
        let is_another = threshold != first.threshold;
        is_another
            .then(|| named(format!("{}-far-{percent}", rule.name), with(Comparison { threshold, ..*first }), because))?
    });
    let long = stretched(first.word).filter_map(|(word, looks)| {
        let because = format!("{} over {looks} looks", rule.name);
        named(format!("{}-over-{looks}", rule.name), with(Comparison { word, ..*first }), because)
    });
    far.chain(long).collect()
}

/// The word over a quarter and over four times the looks.
fn stretched(word: Observable) -> impl Iterator<Item = (Observable, usize)> {
    let place = word.span().map(|span| span as usize);
    let places = [place.and_then(|place| place.checked_sub(2)), place.map(|place| place + 2)];
    let spans = places.into_iter().flatten().filter_map(|place| Span::ALL.get(place));
    spans.map(move |span| (word.over(*span), span.looks()))
}

/// What it waits for, the other way: a rise for a fall. Of words that have no other side, such as a size, none.
fn turned(rule: &Rule) -> Option<Rule> {
    let opposite = |comparison: &Comparison| {
        let has_sides =
            matches!(comparison.word, Observable::Z(_) | Observable::Move(_) | Observable::Trend(_) | Observable::Gap);
        let relation = match comparison.relation {
            Relation::AtMost => Relation::AtLeast,
            Relation::AtLeast => Relation::AtMost,
            Relation::Below => Relation::Above,
            Relation::Above => Relation::Below,
        };
        if has_sides { Comparison { relation, threshold: -comparison.threshold, ..*comparison } } else { *comparison }
    };
    let all = |condition: &Condition| Condition {
        parts: condition.parts.iter().map(|(join, comparison)| (*join, opposite(comparison))).collect(),
    };
    let (when, until) = (all(&rule.when), rule.until.as_ref().map(all));
    if when == rule.when {
        return None;
    }
    named(format!("{}-turned", rule.name), Rule { when, until, ..rule.clone() }, format!("{} the other way", rule.name))
}

#[cfg(test)]
#[path = "tests/rewriting.rs"]
mod tests;
