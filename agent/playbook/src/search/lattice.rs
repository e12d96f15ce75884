//! The rules a search tries: every combination of a few numbers.

use arrayvec::ArrayVec;
use golem_primitives::Ppm;

use crate::observable::{Observable, Seen, Span, Stance, WordSet};
use crate::record::Row;
use crate::rule::{Action, Comparison, Condition, Expectation, Join, Relation, Rule};
use crate::watch::Watch;

/// Spans of `z` a search looks over.
pub(super) const Z_SPANS: [Span; 5] = [Span::L16, Span::L32, Span::L64, Span::L128, Span::L256];
/// Spans of `vol` a search filters by.
const VOL_SPANS: [Span; 2] = [Span::L64, Span::L256];
/// What stands where a word had no value.
pub(super) const NOTHING: i32 = i32::MIN;

/// How far from its mean the price must stand, in millionths of a deviation.
pub(super) const DEPTHS: [i32; 6] = [1_000_000, 1_250_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000];
/// Where the price must come back to: its mean, a deviation beyond, or wherever time leaves it.
pub(super) const EXITS: [Option<i32>; 3] = [Some(0), Some(1_000_000), None];
/// Stops, in millionths.
pub(super) const STOPS: [i64; 2] = [8_000, 15_000];
/// Holding times, in looks.
pub(super) const HOLDINGS: [usize; 4] = [30, 60, 120, 240];
/// Which volatility: any, or `vol` over a span below or above what it was in that share of the older part.
const FILTERS: [Option<Filter>; 6] = [
    None,
    Some(Filter { span: 0, relation: Relation::AtMost, percent: 50 }),
    Some(Filter { span: 0, relation: Relation::AtLeast, percent: 50 }),
    Some(Filter { span: 1, relation: Relation::AtMost, percent: 50 }),
    Some(Filter { span: 1, relation: Relation::AtLeast, percent: 50 }),
    Some(Filter { span: 0, relation: Relation::AtMost, percent: 25 }),
];
/// The share a found rule holds.
pub(crate) const FOUND_SHARE: Ppm = Ppm::of(600_000);

/// A bound on `vol`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Filter {
    span: usize,
    relation: Relation,
    percent: usize,
}

/// What an entry waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(super) struct Entry {
    pub(super) is_rise: bool,
    pub(super) window: usize,
    depth: usize,
    filter: usize,
}

/// One rule of the lattice, by the places of its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(super) struct Point {
    pub(super) entry: Entry,
    pub(super) exit: usize,
    pub(super) stop: usize,
    pub(super) holding: usize,
}

impl Entry {
    /// 180 for falls, 30 for rises.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let filters = |is_rise: bool| if is_rise { 1 } else { FILTERS.len() };
        [false, true].into_iter().flat_map(move |is_rise| {
            (0..Z_SPANS.len()).flat_map(move |window| {
                (0..DEPTHS.len()).flat_map(move |depth| {
                    (0..filters(is_rise)).map(move |filter| Self { is_rise, window, depth, filter })
                })
            })
        })
    }

    /// The 24 rules that enter here.
    pub(super) fn points(self) -> impl Iterator<Item = Point> {
        (0..EXITS.len()).flat_map(move |exit| {
            (0..STOPS.len()).flat_map(move |stop| {
                (0..HOLDINGS.len()).map(move |holding| Point { entry: self, exit, stop, holding })
            })
        })
    }

    /// Whether each look is an entry. What has no value yet is none.
    pub(super) fn looks(self, words: &Words) -> Vec<bool> {
        let depth = DEPTHS[self.depth];
        let z = words.z[self.window].iter();
        let is_far = z.map(|z| if self.is_rise { *z >= depth } else { *z <= -depth && *z != NOTHING });
        match FILTERS[self.filter] {
            None => is_far.collect(),
            Some(filter) => {
                let level = words.level(filter);
                let vol = words.vol[filter.span].iter();
                is_far.zip(vol).map(|(is_far, vol)| is_far && filter.holds(*vol, level)).collect()
            }
        }
    }
}

impl Filter {
    fn holds(self, vol: i32, level: i32) -> bool {
        let is_within = if self.relation == Relation::AtMost { vol <= level } else { vol >= level };
        is_within && vol != NOTHING
    }
}

/// The words of a record, a column each.
pub(super) struct Words {
    pub(super) z: [Vec<i32>; Z_SPANS.len()],
    vol: [Vec<i32>; VOL_SPANS.len()],
    /// The values of `vol` in the older part, the least first.
    sorted: [Vec<i32>; VOL_SPANS.len()],
}

impl Words {
    /// Sees the rows again by a watch that knows nothing of what came before them, so that a search is a function of its
    /// record alone. A word has no value until its span is full, the longest for the first 255 rows.
    pub(super) fn new(rows: &[Row], older: usize) -> Self {
        let mut z = Z_SPANS.map(|_| Vec::with_capacity(rows.len()));
        let mut vol = VOL_SPANS.map(|_| Vec::with_capacity(rows.len()));
        let asked = Z_SPANS.map(Observable::Z).into_iter().chain(VOL_SPANS.map(Observable::Vol));
        let mut watch = Watch::of(asked.map(WordSet::of).fold(WordSet::NONE, WordSet::with));
        for row in rows {
            let seen = watch.look(&row.look, row.capital);
            for (column, span) in z.iter_mut().zip(Z_SPANS) {
                column.push(held(seen, Observable::Z(span)));
            }
            for (column, span) in vol.iter_mut().zip(VOL_SPANS) {
                column.push(held(seen, Observable::Vol(span)));
            }
        }
        let sorted = std::array::from_fn(|span| {
            let vol: &Vec<i32> = &vol[span];
            let known = vol.iter().take(older).filter(|vol| **vol != NOTHING);
            let mut known: Vec<i32> = known.copied().collect();
            known.sort_unstable();
            known
        });
        Self { z, vol, sorted }
    }

    fn level(&self, filter: Filter) -> i32 {
        let sorted = &self.sorted[filter.span];
        sorted.get(sorted.len() * filter.percent / 100).copied().unwrap_or(NOTHING)
    }
}

/// What a search learnt of a rule in the record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Learnt {
    pub(super) trips: usize,
    pub(super) gains: usize,
    /// Mean return before costs, as a share.
    pub(super) gross: f64,
}

impl Point {
    /// The point in the language of a book.
    pub(super) fn rule(self, words: &Words, learnt: &Learnt) -> Rule {
        let Entry { is_rise, window, depth, filter } = self.entry;
        let span: Span = Z_SPANS[window];
        let z = |relation, threshold: i32| comparison(Observable::Z(span), relation, i64::from(threshold));
        let (from, back) =
            if is_rise { (Relation::AtLeast, Relation::AtMost) } else { (Relation::AtMost, Relation::AtLeast) };
        let sign = if is_rise { 1 } else { -1 };
        let mut when = ArrayVec::new();
        when.push((Join::And, z(from, sign * DEPTHS[depth])));
        when.extend(FILTERS[filter].map(|filter| {
            let word = Observable::Vol(VOL_SPANS[filter.span]);
            (Join::And, comparison(word, filter.relation, i64::from(words.level(filter))))
        }));
        let mut until = ArrayVec::new();
        until.extend(EXITS[self.exit].map(|level| (Join::Or, z(back, -sign * level))));
        until.push((Join::Or, comparison(Observable::Gain, Relation::AtMost, -STOPS[self.stop])));
        let longest = HOLDINGS[self.holding];
        until.push((Join::Or, comparison(Observable::Since, Relation::AtLeast, longest as i64)));
        let within = u32::try_from(longest).unwrap_or(u32::MAX);
        Rule {
            name: self.name(),
            pool: None,
            when: Condition { parts: when },
            action: Action::Hold { share: FOUND_SHARE },
            until: Some(Condition { parts: until }),
            expects: Some(Expectation { return_ppm: crate::watch::rounded(learnt.gross * 1e6), within }),
            because: Some(format!("{} of {} such trips in the record paid for themselves", learnt.gains, learnt.trips)),
            asks: Some("does it hold beyond the looks it was found in?".to_owned()),
        }
    }

    /// Its numbers, so that the same rule always has the same name.
    pub(super) fn name(self) -> String {
        let Entry { is_rise, window, depth, filter } = self.entry;
        let kind = if is_rise { "rise" } else { "fall" };
        let (span, depth) = (Z_SPANS[window].looks(), DEPTHS[depth] / 10_000);
        let (stop, holding) = (STOPS[self.stop] / 100, HOLDINGS[self.holding]);
        format!("{kind}-{span}-{depth}-vol{filter}-exit{}-stop{stop}-for{holding}", self.exit)
    }
}

/// The value of a word in half its width: columns that are read again and again are short that way.
fn held(seen: &Seen, word: Observable) -> i32 {
    seen.get(word, &Stance::default()).map_or(NOTHING, |value| {
        let within = value.clamp(i64::from(NOTHING) + 1, i64::from(i32::MAX));
        i32::try_from(within).unwrap_or(NOTHING)
    })
}

fn comparison(word: Observable, relation: Relation, threshold: i64) -> Comparison {
    Comparison { word, relation, threshold }
}
