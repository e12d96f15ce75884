//! Books over prices that are past, beside what anybody could have done (P-080 to P-084).

use golem_playbook::Look;
use golem_playbook::backtest::{EventIn, Fold, Interval, RuleEnd, Run, RunKind};
use golem_playbook::prices::Prices;
use golem_playbook::promotion::RuleChange;
use golem_primitives::{PoolName, Ppm, Usdc, UtcTime};

use crate::shown::shown;
use crate::{Number, ReturnPpm, Shown as _, Table, columns_of, picture, table_of};

/// What was swapped, in parts per million of the capital.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnoverPpm(pub u64);

shown! {
    // In times the capital.
    TurnoverPpm as turnover: format!("{}.{:02}x", turnover.0 / 1_000_000, turnover.0 / 10_000 % 100) => turnover.0, Ppm::UNIT;
}

picture! {
    /// P-082. The returns between which nine in ten paths of shuffled blocks lie.
    pub struct IntervalPicture { low: ReturnPpm = "from", high: ReturnPpm = "to", block_looks: u64 }

    /// P-082. One part of the time.
    pub struct FoldPicture { first_look: u64, looks: u64, r#return: ReturnPpm, deepest_fall: Ppm }

    /// A rule at the end of a run.
    pub struct RuleEndPicture {
        /// P-057. In which pool of several it was tried.
        pool: Option<String>,
        number: u64,
        name: String = "rule",
        standing: &'static str = "moves",
        /// Imaginary wealth that began at 1.
        evidence: Number = "evidence",
        trips: u64 = "trips",
        mean_return_recent: ReturnPpm = "newest trips bring",
    }

    /// P-048. What happened to a rule.
    pub struct RuleEvent {
        time: UtcTime = "when",
        pool: Option<String>,
        rule_number: u64,
        rule: String = "rule",
        what: String = "what",
        /// A search stages many; a person is told what became of them.
        is_staging: bool,
    }

    /// P-081, P-082. What came of a book, or of what anybody could have done, and what it paid.
    pub struct RunPicture {
        name: String = "what",
        is_book: bool,
        end: Usdc = "end",
        r#return: ReturnPpm = "return",
        interval: Option<IntervalPicture> = "nine in ten",
        deepest_fall: Ppm = "deepest fall",
        mean_exposure: Ppm = "exposure",
        turnover: TurnoverPpm = "turnover",
        trips: u64 = "trips",
        fee: Usdc = "fees",
        impact: Usdc = "impact",
        gas: Usdc = "gas",
        rent: Usdc = "rent",
        /// Of what no book decides there are none.
        forgone_looks: Option<u64> = "entries that could not pay",
        staged_rules: u64,
        folds: Vec<FoldPicture>,
        rules: Vec<RuleEndPicture>,
        events: Vec<RuleEvent>,
    }

    /// P-083. A whole backtest.
    pub struct BacktestPicture {
        looks: u64,
        from: Option<UtcTime>,
        to: Option<UtcTime>,
        capital: Usdc,
        remarks: Vec<String>,
        runs: Vec<RunPicture>,
    }
}

/// Rules of a run that are told to a person.
const TOLD_RULES: usize = 12;
/// Events of a run that are told to a person.
const TOLD_EVENTS: usize = 20;

impl BacktestPicture {
    /// What those runs over these prices came to.
    #[must_use]
    pub fn of(prices: &Prices, runs: &[Run], capital: Usdc) -> Self {
        let time = |look: Option<&Look>| look.map(|look| UtcTime::from_seconds(look.time));
        Self {
            looks: prices.looks.len() as u64,
            from: time(prices.looks.first()),
            to: time(prices.looks.last()),
            capital,
            remarks: prices.remarks.clone(),
            runs: runs.iter().map(RunPicture::from).collect(),
        }
    }

    /// What a person is told: what came of it, what it paid, and how it went in parts of the time.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let outcome = ["what", "end", "return", "nine in ten", "deepest fall", "exposure", "turnover", "trips"];
        let paid = ["what", "fees", "impact", "gas", "rent", "entries that could not pay"];
        let parts = |run: &RunPicture| {
            let folds = run.folds.iter().map(|fold| fold.r#return.words());
            std::iter::once(run.name.words()).chain(folds).collect()
        };
        let heading = "In parts of the time, each lived by what was known before it";
        let mut tables = vec![
            columns_of("What came of it", &self.runs, &outcome),
            columns_of("What it paid", &self.runs, &paid),
            Table::new(heading, self.runs.iter().map(parts).collect()),
        ];
        tables.extend(self.runs.iter().flat_map(RunPicture::tables));
        tables
    }
}

impl RunPicture {
    /// The rules that may move most and have shown most, and what changed for rules.
    fn tables(&self) -> Vec<Table> {
        let told: Vec<_> = self.rules.iter().take(TOLD_RULES).cloned().collect();
        let more = self.rules.len() - told.len();
        let rest = if more == 0 { String::new() } else { format!(" (and {more} more, with --json)") };
        let events: Vec<_> = self.events.iter().filter(|event| !event.is_staging).take(TOLD_EVENTS).cloned().collect();
        let mut tables = Vec::new();
        if !told.is_empty() {
            tables.push(table_of(&format!("Rules of {}{rest}", self.name.words()), &told));
        }
        if !events.is_empty() {
            tables.push(table_of("What changed for rules", &events));
        }
        tables
    }
}

impl From<&Run> for RunPicture {
    fn from(run: &Run) -> Self {
        let is_book = run.kind == RunKind::Book;
        let mut rules: Vec<&RuleEnd> = run.rules.iter().collect();
        rules.sort_by(|left, right| right.standing.cmp(&left.standing).then(right.evidence.total_cmp(&left.evidence)));
        Self {
            name: run.name.clone(),
            is_book,
            end: run.end,
            r#return: ReturnPpm(run.return_ppm),
            interval: run.interval.map(IntervalPicture::from),
            deepest_fall: fall(run.deepest_fall_ppm),
            mean_exposure: run.exposure,
            turnover: TurnoverPpm(run.turnover_ppm),
            trips: run.trips,
            fee: run.cost.fee,
            impact: run.cost.impact,
            gas: run.cost.gas,
            rent: run.rent,
            forgone_looks: is_book.then_some(run.forgone),
            staged_rules: run.staged,
            folds: run.folds.iter().map(FoldPicture::from).collect(),
            rules: rules.into_iter().map(RuleEndPicture::from).collect(),
            events: run.events.iter().map(|event| RuleEvent::of(event, run)).collect(),
        }
    }
}

/// A fall is never more than all there was.
fn fall(ppm: i64) -> Ppm {
    Ppm::round(ppm as f64 / 1e6)
}

impl From<Interval> for IntervalPicture {
    fn from(interval: Interval) -> Self {
        Self {
            low: ReturnPpm(interval.low_ppm),
            high: ReturnPpm(interval.high_ppm),
            block_looks: interval.block as u64,
        }
    }
}

impl From<&Fold> for FoldPicture {
    fn from(fold: &Fold) -> Self {
        Self {
            first_look: fold.from as u64,
            looks: fold.looks as u64,
            r#return: ReturnPpm(fold.return_ppm),
            deepest_fall: fall(fold.deepest_fall_ppm),
        }
    }
}

impl From<&RuleEnd> for RuleEndPicture {
    fn from(rule: &RuleEnd) -> Self {
        Self {
            pool: rule.pool.map(|pool| pool.to_string()),
            number: rule.number,
            name: in_pool(&rule.name, rule.pool),
            standing: rule.standing.in_words(),
            evidence: Number(rule.evidence),
            trips: rule.trips,
            mean_return_recent: ReturnPpm::of(rule.recent_mean),
        }
    }
}

impl RuleEvent {
    /// One that made room since has its number for a name.
    fn of(told: &EventIn, run: &Run) -> Self {
        let EventIn { pool, event } = told;
        let known = run.rules.iter().find(|rule| rule.pool == *pool && rule.number == event.number);
        let name = known.map_or_else(|| format!("rule {}", event.number), |rule| rule.name.clone());
        Self {
            time: UtcTime::from_seconds(event.time),
            pool: pool.map(|pool| pool.to_string()),
            rule_number: event.number,
            rule: in_pool(&name, *pool),
            what: event.change.in_words(),
            is_staging: matches!(event.change, RuleChange::Staged { .. }),
        }
    }
}

/// P-057. A rule, and in which pool of several.
fn in_pool(name: &str, pool: Option<PoolName>) -> String {
    pool.map_or_else(|| name.to_owned(), |pool| format!("{name} in {pool}"))
}
