//! What follows what: one variable of a pool leans a way, and within so many looks another does. Counted over the record, earned
//! where chance is excluded in its older half and in its newer, doubted by looks that came later. Seen together is not yet
//! caused: a link says what came after what, and nothing of why.

use golem_primitives::words;

use crate::cost::Stake;
use crate::observable::{Observable, Span, Stance, WordSet};
use crate::record::Row;
use crate::rule::{Action, Comparison, Condition, Expectation, Join, Manner, Relation, Rule};
use crate::search::FOUND_SHARE;
use crate::watch::{Watch, rounded};

/// Looks from one count of what is known to the next; a count is of as many looks, so that none is counted twice.
pub const COUNTED_EVERY: u64 = 250;
/// Looks from one search for new links to the next.
const FOUND_EVERY: u64 = 1_000;
/// The shortest record that is counted.
const SHORTEST: usize = 4_000;
/// Looks over which the usual of a variable is taken, and those over which a variable leans one way or the other.
const USUAL: usize = 256;
const LEANING: usize = 16;
/// Within how many looks an effect is looked for.
const WITHIN: [usize; 3] = [4, 16, 64];
/// Looks of a block, at least; neighbours within one are alike, blocks are not.
const BLOCK: usize = 128;
/// Blocks a record must have for a stretch: with fewer chance alone is many standard errors away.
const BLOCKS: usize = 24;
/// How many standard errors by blocks the record must be from chance, since sixty pairs and stretches are tried; and each of its
/// halves, the same way.
const SURE: f64 = 5.0;
const HALF_SURE: f64 = 2.0;
/// Looks in which both leaned that a count must have to say anything.
const LEAST_MOVES: u32 = 30;
/// What a count that speaks against a link adds to its doubt, and from how much it is contradicted: a link that holds in four
/// counts of five stands for a hundred counts, and one that has become chance goes within some fifteen.
const MISSED: u8 = 2;
const CONTRADICTED: u8 = 7;

/// What a rule made of a link may lose, in millionths.
const STOP: i64 = 15_000;

words! {
    /// What a link is about.
    Variable {
        Price = "price",
        /// How far it goes in a look, either way.
        Moves = "moves",
        Volume = "volume",
        Gas = "gas",
        /// What a trade loses to the pool.
        Depth = "depth",
    }
}

impl Variable {
    /// The word of a rule that asks it.
    const fn word(self) -> Observable {
        match self {
            Self::Price => Observable::Move(Span::L16),
            Self::Moves => Observable::Vol(Span::L16),
            Self::Volume => Observable::Fees(Span::L16),
            Self::Gas => Observable::Gas,
            Self::Depth => Observable::Depth,
        }
    }
}

/// A link: who leans first, and who leans after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Link {
    pub cause: Variable,
    pub effect: Variable,
    pub within: u32,
    /// Whether it leans the same way.
    pub is_alike: bool,
    /// Looks in which both leaned.
    pub moves: u32,
    /// Of them those in which they leaned as the link says.
    pub held: u32,
    /// Counts of later looks that spoke for it.
    pub upheld: u32,
    /// And against it.
    pub missed: u32,
    /// The last look after which both leaned as it says.
    pub fired: u64,
    doubt: u8,
}

impl Link {
    /// For a person.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { cause, effect, within, held, moves, .. } = self;
        let way = if self.is_alike { "the same way" } else { "the other way" };
        format!("where {cause} goes, {effect} goes {way} within {within} looks ({held} of {moves} looks)")
    }

    fn is_about(&self, other: &Self) -> bool {
        (self.cause, self.effect) == (other.cause, other.effect)
    }

    fn says_the_same(&self, other: &Self) -> bool {
        self.is_about(other) && (self.within, self.is_alike) == (other.within, other.is_alike)
    }

    /// The same after a count of later looks that says something, and the look at which that began.
    fn after(self, later: &Measure, first: u64) -> Self {
        let held = if self.is_alike { later.alike } else { later.moves - later.alike };
        // Where both lean together the effect's own past can hide which of them leads: what went the other way more often than not
        // is not upheld by what is left.
        let is_held = (later.mean > 0.0) == self.is_alike && 2 * held >= later.moves;
        Self {
            moves: self.moves.saturating_add(later.moves),
            held: self.held.saturating_add(held),
            upheld: self.upheld.saturating_add(u32::from(is_held)),
            missed: self.missed.saturating_add(u32::from(!is_held)),
            fired: later.last(self.is_alike).map_or(self.fired, |at| first + at as u64),
            doubt: if is_held { self.doubt.saturating_sub(1) } else { self.doubt.saturating_add(MISSED) },
            ..self
        }
    }
}

/// What became of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkChange {
    /// The record shows it.
    Learnt(Link),
    /// Later looks spoke against it; it is known no longer.
    Contradicted(Link),
}

/// The links a hand knows, at most one of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Links {
    known: Vec<Link>,
    /// G-031. Those that were contradicted, each as it was last: what they counted goes on when they are learnt again.
    rested: Vec<Link>,
    counted: Option<u64>,
    found: Option<u64>,
}

impl Links {
    /// What is known.
    #[must_use]
    pub fn known(&self) -> &[Link] {
        &self.known
    }

    /// G-134. Those an heir begins with: what the line counted is a claim to it, so its own counts begin at none.
    #[must_use]
    pub fn inherited(&self) -> Self {
        let uncounted = |link: &Link| Link { moves: 0, held: 0, upheld: 0, missed: 0, doubt: 0, ..*link };
        let anew = |links: &[Link]| links.iter().map(uncounted).collect();
        Self { known: anew(&self.known), rested: anew(&self.rested), ..*self }
    }

    /// Whether enough was seen since the last count.
    #[must_use]
    pub fn is_due(&self, look: u64) -> bool {
        self.counted.is_none_or(|counted| look.saturating_sub(counted) >= COUNTED_EVERY)
    }

    /// Counts what came since the last count, the oldest look first; then, where it is time, searches the record for links of
    /// pairs of which none is known.
    pub fn count(&mut self, rows: &[Row], look: u64) -> Vec<LinkChange> {
        let mut changes = Vec::new();
        if rows.len() < SHORTEST {
            return changes;
        }
        let since = self.counted.map_or(0, |counted| look.saturating_sub(counted));
        self.counted = Some(look);
        let leans = Leans::of(rows);
        let newest = rows.len().saturating_sub(usize::try_from(since).unwrap_or(usize::MAX));
        for link in &mut self.known {
            // What is counted is where the effect could be seen since; the cause leant before.
            let within = link.within as usize;
            let from = newest.saturating_sub(within);
            let later = leans.measure(link.cause, link.effect, within, from..rows.len());
            // Where one of both leaned one way throughout, nothing is said of either.
            if later.moves >= LEAST_MOVES && later.mean != 0.0 {
                *link = link.after(&later, look - rows.len() as u64);
            }
        }
        let (gone, known): (Vec<Link>, Vec<Link>) = self.known.iter().partition(|link| link.doubt >= CONTRADICTED);
        self.known = known;
        self.rested.extend(&gone);
        changes.extend(gone.iter().map(|link| LinkChange::Contradicted(*link)));
        if self.found.is_none_or(|found| look.saturating_sub(found) >= FOUND_EVERY) {
            self.found = Some(look);
            let is_known = |link: &Link| self.known.iter().chain(&gone).any(|known| known.is_about(link));
            let as_before = |link: Link| match self.rested.iter().find(|rested| rested.says_the_same(&link)) {
                Some(&Link { upheld, missed, .. }) => Link { upheld, missed, ..link },
                None => link,
            };
            let new: Vec<Link> = leans.links(look).filter(|link| !is_known(link)).map(as_before).collect();
            self.rested.retain(|rested| !new.iter().any(|link| link.says_the_same(rested)));
            changes.extend(new.iter().map(|link| LinkChange::Learnt(*link)));
            self.known.extend(new);
        }
        changes
    }
}

/// What a stretch of looks says of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measure {
    /// Looks in which both leaned, and those in which they leaned the same way.
    moves: u32,
    alike: u32,
    /// How alike they leaned beyond what the effect's own past tells, and by how many standard errors.
    mean: f64,
    t: f64,
    blocks: usize,
    /// The last rows at which they leaned the same way, and at which they did not.
    last_alike: Option<usize>,
    last_apart: Option<usize>,
}

impl Measure {
    const fn last(&self, is_alike: bool) -> Option<usize> {
        if is_alike { self.last_alike } else { self.last_apart }
    }
}

/// Which way every variable leaned at every look, and which way it went after.
pub(crate) struct Leans {
    /// By variable, then by look: the sum of all values up to it, for means over any stretch.
    sums: Vec<Vec<f64>>,
    looks: usize,
}

impl Leans {
    pub(crate) fn of(rows: &[Row]) -> Self {
        let logs: Vec<f64> = rows.iter().map(|row| libm::log(row.look.price.micros().max(1) as f64)).collect();
        let moved = |at: usize| if at == 0 { 0.0 } else { logs[at] - logs[at - 1] };
        let value = |variable: Variable, at: usize| {
            let look = &rows[at].look;
            match variable {
                Variable::Price => moved(at),
                Variable::Moves => moved(at).abs(),
                // A few great values would be the mean of many; their logarithms are not.
                Variable::Volume => libm::log1p(look.volume.micros() as f64),
                Variable::Gas => libm::log1p(look.gas.micros() as f64),
                Variable::Depth => libm::log1p(f64::from(look.impact_ppm)),
            }
        };
        let sums = Variable::ALL.iter().map(|variable| {
            let mut sum = 0.0;
            let add = |at| {
                sum += value(*variable, at);
                sum
            };
            std::iter::once(0.0).chain((0..rows.len()).map(add)).collect()
        });
        Self { sums: sums.collect(), looks: rows.len() }
    }

    pub(crate) fn mean(&self, variable: Variable, looks: std::ops::Range<usize>) -> f64 {
        let sums = &self.sums[variable as usize];
        (sums[looks.end] - sums[looks.start]) / looks.len().max(1) as f64
    }

    /// Which way a variable leans over a stretch, by what is usual before `at`. The price's usual is to stand.
    fn lean(&self, variable: Variable, looks: std::ops::Range<usize>, at: usize) -> f64 {
        let usual = if variable == Variable::Price { 0.0 } else { self.mean(variable, at - USUAL..at) };
        let difference = self.mean(variable, looks) - usual;
        // What differs by no more than adding up does is the same.
        if difference.abs() <= 1e-12 * (1.0 + usual.abs()) { 0.0 } else { libm::copysign(1.0, difference) }
    }

    /// How one leans after another, where cause and effect both lie in these looks. What the effect's own leaning tells of what
    /// it does next is taken off first: two that wander slowly lean alike for long, whoever leads.
    fn measure(&self, cause: Variable, effect: Variable, within: usize, looks: std::ops::Range<usize>) -> Measure {
        let first = looks.start.max(USUAL + LEANING);
        let points = (first..looks.end.saturating_sub(within)).filter_map(|at| {
            let before = self.lean(cause, at + 1 - LEANING..at + 1, at + 1);
            let after = self.lean(effect, at + 1..at + 1 + within, at + 1);
            let own = self.lean(effect, at + 1 - within.max(LEANING)..at + 1, at + 1);
            (before != 0.0 && after != 0.0).then_some((at, before, after, own))
        });
        let points: Vec<(usize, f64, f64, f64)> = points.collect();
        let stratum = |own: f64| (own + 1.0) as usize;
        let mut means = [(0.0, 0.0, 0.0); 3];
        for (_, before, after, own) in &points {
            let mean = &mut means[stratum(*own)];
            *mean = (mean.0 + before, mean.1 + after, mean.2 + 1.0);
        }
        let block = BLOCK.max(4 * within);
        let mut sums = vec![0.0; looks.end.saturating_sub(first) / block + 1];
        let (mut alike, mut sum) = (0_u32, 0.0);
        for (at, before, after, own) in &points {
            let (befores, afters, count) = means[stratum(*own)];
            let common = (before - befores / count) * (after - afters / count);
            sums[(at - first) / block] += common;
            sum += common;
            alike += u32::from(before == after);
        }
        sums.pop();
        let blocks = sums.len();
        let mean_block = sums.iter().sum::<f64>() / blocks.max(1) as f64;
        let squares: f64 = sums.iter().map(|sum| (sum - mean_block) * (sum - mean_block)).sum();
        let error = libm::sqrt(squares / (blocks.max(2) - 1) as f64 / blocks.max(1) as f64);
        let moves = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let t = if error > 0.0 { mean_block / error } else { 0.0 };
        let last = |is_alike: bool| {
            let at = |(at, before, after, _): &(usize, f64, f64, f64)| ((before == after) == is_alike).then_some(*at);
            points.iter().rev().find_map(at)
        };
        let (last_alike, last_apart) = (last(true), last(false));
        Measure { moves, alike, mean: sum / f64::from(moves.max(1)), t, blocks, last_alike, last_apart }
    }

    fn sequel(&self, link: &Link) -> Option<f64> {
        let within = link.within as usize;
        let cause_at = |at: usize| self.lean(link.cause, at + 1 - LEANING..at + 1, at + 1);
        let now = cause_at(self.looks - 1);
        let went = |at: usize| {
            let after = self.mean(link.effect, at + 1..at + 1 + within);
            let usual = self.mean(link.effect, at + 1 - USUAL..at + 1);
            match link.effect {
                Variable::Price => after * within as f64,
                Variable::Moves => (after - usual) / usual,
                // These are logarithms.
                Variable::Volume | Variable::Gas | Variable::Depth => libm::expm1(after - usual),
            }
        };
        // Where nothing moved for long there is no usual size to have been exceeded.
        let has_usual =
            |at: usize| link.effect != Variable::Moves || self.mean(link.effect, at + 1 - USUAL..at + 1) > 0.0;
        let alike =
            (USUAL + LEANING..self.looks - within).filter(|at| now != 0.0 && cause_at(*at) == now && has_usual(*at));
        let (mut sum, mut count) = (0.0, 0_u32);
        for at in alike {
            (sum, count) = (sum + went(at), count + 1);
        }
        let mean = sum / f64::from(count);
        mean.is_finite().then_some(mean)
    }

    /// What the record shows: of each pair the stretch that is surest.
    fn links(&self, look: u64) -> impl Iterator<Item = Link> {
        let pairs = Variable::ALL.iter().flat_map(|cause| Variable::ALL.iter().map(move |effect| (*cause, *effect)));
        let pairs = pairs.filter(|(cause, effect)| cause != effect);
        pairs.filter_map(move |(cause, effect)| {
            let stretches = WITHIN.iter().filter_map(|within| Some((*within, self.sure(cause, effect, *within)?)));
            let (within, seen) =
                stretches.reduce(|best, next| if next.1.t.abs() > best.1.t.abs() { next } else { best })?;
            let is_alike = seen.t > 0.0;
            Some(Link {
                cause,
                effect,
                within: u32::try_from(within).unwrap_or(u32::MAX),
                is_alike,
                moves: seen.moves,
                held: if is_alike { seen.alike } else { seen.moves - seen.alike },
                upheld: 0,
                missed: 0,
                fired: seen.last(is_alike).map_or(look, |at| look - self.looks as u64 + at as u64),
                doubt: 0,
            })
        })
    }

    /// What the record says of a pair, where chance is excluded and both its halves say the same.
    fn sure(&self, cause: Variable, effect: Variable, within: usize) -> Option<Measure> {
        let whole = self.measure(cause, effect, within, 0..self.looks);
        let is_sure = || whole.blocks >= BLOCKS && whole.t.abs() > SURE;
        let middle = self.looks / 2;
        let holds = |looks| self.measure(cause, effect, within, looks).t * libm::copysign(1.0, whole.t) > HALF_SURE;
        (is_sure() && holds(0..middle) && holds(middle..self.looks)).then_some(whole)
    }
}

/// D-101. By what share each effect went on average within its stretch after its cause leant as it does now; nothing where the cause
/// leans no way, or nothing was seen after.
#[must_use]
pub fn sequels(rows: &[Row], links: &[Link]) -> Vec<Option<f64>> {
    if rows.len() < SHORTEST {
        return vec![None; links.len()];
    }
    let leans = Leans::of(rows);
    links.iter().map(|link| leans.sequel(link)).collect()
}

/// One side of what leads the price: where it stands high, or low.
#[derive(Debug, Clone, Copy)]
struct Side {
    asks: Comparison,
    /// For a person, and in a name.
    called: &'static str,
    short: &'static str,
}

/// What came after a side.
#[derive(Debug, Clone, Copy)]
struct Sequel {
    within: usize,
    mean_ppm: f64,
}

/// P-073. What a link is worth trying for: to hold while what leads the price up leans that way, and to enter nothing while what
/// leads it down does; whichever the record says would have paid a round trip. Of links that lead something else than the price no
/// rule can speak, and of what a line says not before it was seen here (G-134).
pub(crate) fn rule_of(link: &Link, rows: &[Row]) -> Option<Rule> {
    if link.effect != Variable::Price || link.moves == 0 {
        return None;
    }
    let word = link.cause.word();
    let mut watch = Watch::of(WordSet::of(word));
    let said: Vec<Option<i64>> =
        rows.iter().map(|row| watch.look(&row.look, row.capital).get(word, &Stance::default())).collect();
    let mut values: Vec<i64> = said.iter().copied().flatten().collect();
    values.sort_unstable();
    let third = |of: usize| values.get(values.len() * of / 3).copied();
    let side =
        |relation, threshold, called, short| Side { asks: Comparison { word, relation, threshold }, called, short };
    let high = side(Relation::AtLeast, third(2)?, "high", "hi");
    let low = side(Relation::AtMost, third(1)?, "low", "lo");
    let (rises, falls) = if link.is_alike { (high, low) } else { (low, high) };
    let newest = rows.last()?;
    let stake = Stake { amount: newest.capital, capital: newest.capital, manner: Manner::default() };
    let cost = stake.round_trip_ppm(&newest.look) as f64;
    // What leads goes on leading while it leans: the stretch after which most had come, and none shorter than the link's.
    let after = |side: Side, way: f64| {
        let stretches = WITHIN.into_iter().filter(|within| *within >= link.within as usize);
        let sequels = stretches.filter_map(|within| mean_after(rows, &said, within, side.asks));
        sequels.max_by(|left, right| (way * left.mean_ppm).total_cmp(&(way * right.mean_ppm)))
    };
    let rule = |side: Side, name: &str, went: Sequel| Rule {
        name: format!("{name}-{}-{}", side.short, link.cause),
        pool: None,
        when: Condition::of([(Join::And, side.asks)]),
        action: Action::NoEntries,
        until: None,
        expects: None,
        because: Some(format!(
            "where {} was {} the price went {:.2}% in {} looks; {} of {} looks went as it leads",
            link.cause,
            side.called,
            went.mean_ppm / 1e4,
            went.within,
            link.held,
            link.moves
        )),
        asks: Some("does what followed go on following, and does it pay?".to_owned()),
    };
    let (up, down) = (after(rises, 1.0)?, after(falls, -1.0)?);
    if up.mean_ppm > cost {
        let within = u32::try_from(up.within).unwrap_or(u32::MAX);
        let end = |word, relation, threshold| (Join::Or, Comparison { word, relation, threshold });
        let until = Condition::of([
            end(Observable::Since, Relation::AtLeast, i64::from(within)),
            end(Observable::Gain, Relation::AtMost, -STOP),
        ]);
        return Some(Rule {
            action: Action::Hold { share: FOUND_SHARE },
            until: Some(until),
            expects: Some(Expectation { return_ppm: rounded(up.mean_ppm), within }),
            ..rule(rises, "follow", up)
        });
    }
    (down.mean_ppm < -cost).then(|| rule(falls, "no-entry", down))
}

/// Where the price went on average within so many looks after those at which a word stood so.
fn mean_after(rows: &[Row], said: &[Option<i64>], within: usize, asks: Comparison) -> Option<Sequel> {
    let (mut sum, mut count) = (0.0, 0_u32);
    for (at, value) in said.iter().enumerate().take(rows.len().saturating_sub(within)) {
        if value.is_some_and(|value| asks.relation.holds(value, asks.threshold)) {
            let [before, after] = [at, at + within].map(|at| rows[at].look.price.micros().max(1) as f64);
            sum += after / before - 1.0;
            count += 1;
        }
    }
    (count >= LEAST_MOVES).then(|| Sequel { within, mean_ppm: sum * 1e6 / f64::from(count) })
}

#[cfg(test)]
#[path = "tests/links.rs"]
mod tests;
