//! P-070. The replay of a dream: a lattice of 5,040 rules over the record, the best of its older part confirmed on its newer
//! part, overlaps dropped, at most three staged. Nothing of it counts as evidence: that comes with the looks that follow.

mod lattice;
mod replay;

use std::ops::Range;

pub(crate) use self::lattice::FOUND_SHARE;
use self::lattice::{Entry, Learnt, Point};
use self::replay::{Columns, Trips, jaccard};
use crate::record::{RECORD, Row};
use crate::rule::Rule;

/// Looks from one search to the next.
pub const EVERY: u64 = 1_000;
/// The shortest record a search looks at.
pub const SHORTEST: usize = 2_000;
/// What a rule must show in the older part.
const OLDER_TRIPS: usize = 8;
const OLDER_T: f64 = 1.5;
/// How many of the older part's best are confirmed.
const BEST: usize = 64;
/// What each must show in the newer part.
const NEWER_TRIPS: usize = 5;
const NEWER_T: f64 = 1.0;
/// Rules that hold at the same looks are one rule.
const OVERLAP: f64 = 0.6;
/// How many are staged at once.
pub const STAGED: usize = 3;
/// Looks for which a staged rule keeps its like away.
const REMEMBERED: u64 = RECORD as u64 / 2;

/// What searches staged lately, so that the next does not stage the same again. It crosses a death with the record.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Searches {
    staged: Vec<Found>,
    last: Option<u64>,
    /// P-073. The look at which counted trips were last gone over.
    tuned: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Found {
    look: u64,
    point: Point,
}

/// A rule that stood out in the older part.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    point: Point,
    older: Trips,
    t: f64,
}

impl Searches {
    /// Looks since the last one; before the first as many as there can be.
    #[must_use]
    pub fn looks_since(&self, look: u64) -> u64 {
        self.last.map_or(u64::MAX, |last| look.saturating_sub(last))
    }

    /// P-073. Looks since counted trips were last gone over.
    #[must_use]
    pub fn looks_since_tuning(&self, look: u64) -> u64 {
        self.tuned.map_or(u64::MAX, |tuned| look.saturating_sub(tuned))
    }

    /// P-073. Counted trips are gone over at this look.
    pub const fn tune(&mut self, look: u64) {
        self.tuned = Some(look);
    }

    /// M-270. They are gone over as soon as the Curator comes.
    pub const fn tune_at_once(&mut self) {
        self.tuned = None;
    }

    /// Searches a record, the oldest look first, at the look of this number; then its newest half by itself, for what is left
    /// of `most`. In the whole record something that began lately is thin in the part that is older, and was found some
    /// thousands of looks late.
    pub fn search(&mut self, rows: &[Row], look: u64, most: usize) -> Vec<Rule> {
        if rows.len() < SHORTEST {
            return Vec::new();
        }
        self.last = Some(look);
        self.staged.retain(|found| found.look + REMEMBERED > look);
        let mut rules = self.search_part(rows, look, most);
        let (newest, left) = (&rows[rows.len() / 2..], most.saturating_sub(rules.len()));
        if newest.len() >= SHORTEST && left > 0 {
            rules.extend(self.search_part(newest, look, left));
        }
        rules
    }

    /// The best of the older part that the newer part confirms, `most` of them.
    fn search_part(&mut self, rows: &[Row], look: u64, most: usize) -> Vec<Rule> {
        let cut = rows.len() * 6 / 10;
        let columns = Columns::new(rows, cut);
        let best = best_of_older(&columns, cut);
        let confirmed = confirmed_by_newer(&columns, cut..rows.len(), &best);
        self.choose(&columns, &confirmed, look, most)
    }

    /// The first that hold at other looks than what was staged lately.
    fn choose(&mut self, columns: &Columns, confirmed: &[(Point, Trips)], look: u64, most: usize) -> Vec<Rule> {
        let held = |point: Point| columns.held(point, &columns.entries(point.entry));
        let mut known: Vec<Vec<u64>> = self.staged.iter().map(|found| held(found.point)).collect();
        let mut rules = Vec::new();
        for (point, trips) in confirmed {
            if rules.len() == most {
                break;
            }
            let looks = held(*point);
            if known.iter().any(|other| jaccard(&looks, other) > OVERLAP) {
                continue;
            }
            known.push(looks);
            self.staged.push(Found { look, point: *point });
            let learnt = Learnt { trips: trips.count, gains: trips.gains, gross: trips.gross_mean() };
            rules.push(point.rule(&columns.words, &learnt));
        }
        rules
    }
}

fn best_of_older(columns: &Columns, cut: usize) -> Vec<Candidate> {
    let mut best = Vec::new();
    for entry in Entry::all() {
        let entries = columns.entries(entry);
        for point in entry.points() {
            let older = columns.trips(point, &entries, 0..cut, |_| {});
            let t = older.t();
            if older.count >= OLDER_TRIPS && t > OLDER_T {
                best.push(Candidate { point, older, t });
            }
        }
    }
    best.sort_by(|left, right| right.t.total_cmp(&left.t).then(left.point.cmp(&right.point)));
    best.truncate(BEST);
    best
}

/// Those that hold in the newer part too, the surest over both first.
fn confirmed_by_newer(columns: &Columns, newer: Range<usize>, best: &[Candidate]) -> Vec<(Point, Trips)> {
    let confirm = |candidate: &Candidate| {
        let entries = columns.entries(candidate.point.entry);
        let newer = columns.trips(candidate.point, &entries, newer.clone(), |_| {});
        let holds = newer.count >= NEWER_TRIPS && newer.t() > NEWER_T;
        holds.then(|| (candidate.point, candidate.older.with(&newer)))
    };
    let mut confirmed: Vec<(Point, Trips)> = best.iter().filter_map(confirm).collect();
    confirmed.sort_by(|left, right| right.1.t().total_cmp(&left.1.t()).then(left.0.cmp(&right.0)));
    confirmed
}

#[cfg(test)]
#[path = "tests/search.rs"]
mod tests;
