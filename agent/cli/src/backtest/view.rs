//! A backtest as a table and as JSON.

use golem_playbook::backtest::{Kind, Run};
use golem_playbook::prices::Prices;
use golem_playbook::promotion::{Change, Event};
use golem_playbook::why;
use golem_primitives::{Usdc, UtcTime};
use serde::Serialize;

use crate::screen;

/// The report as JSON: every key names its unit.
#[derive(Debug, Serialize)]
pub(super) struct Report<'run> {
    looks: usize,
    from_utc: String,
    to_utc: String,
    capital_usdc_micros: u64,
    remarks: &'run [String],
    runs: Vec<RunReport<'run>>,
}

#[derive(Debug, Serialize)]
struct RunReport<'run> {
    name: &'run str,
    is_book: bool,
    end_usdc_micros: u64,
    return_ppm: i64,
    return_low_ppm: Option<i64>,
    return_high_ppm: Option<i64>,
    block_looks: Option<usize>,
    deepest_fall_ppm: i64,
    mean_exposure_ppm: u32,
    turnover_ppm: u64,
    trips: u64,
    fee_usdc_micros: u64,
    impact_usdc_micros: u64,
    gas_usdc_micros: u64,
    rent_usdc_micros: u64,
    forgone_looks: u64,
    staged_rules: u64,
    folds: Vec<FoldReport>,
    rules: Vec<RuleReport<'run>>,
    events: Vec<EventReport>,
}

#[derive(Debug, Serialize)]
struct FoldReport {
    first_look: usize,
    looks: usize,
    return_ppm: i64,
    deepest_fall_ppm: i64,
}

#[derive(Debug, Serialize)]
struct RuleReport<'run> {
    number: u64,
    name: &'run str,
    standing: &'static str,
    evidence: f64,
    trips: u64,
    newest_trips_mean_return: f64,
}

#[derive(Debug, Serialize)]
struct EventReport {
    time_utc: String,
    rule_number: u64,
    what: String,
}

impl<'run> Report<'run> {
    pub(super) fn new(prices: &'run Prices, runs: &'run [Run], capital: Usdc) -> Self {
        let time = |look: Option<&golem_playbook::Look>| look.map_or_else(String::new, |look| utc(look.time));
        Self {
            looks: prices.looks.len(),
            from_utc: time(prices.looks.first()),
            to_utc: time(prices.looks.last()),
            capital_usdc_micros: capital.micros(),
            remarks: &prices.remarks,
            runs: runs.iter().map(RunReport::new).collect(),
        }
    }
}

impl<'run> RunReport<'run> {
    fn new(run: &'run Run) -> Self {
        Self {
            name: &run.name,
            is_book: run.kind == Kind::Book,
            end_usdc_micros: run.end.micros(),
            return_ppm: run.return_ppm,
            return_low_ppm: run.interval.map(|interval| interval.low_ppm),
            return_high_ppm: run.interval.map(|interval| interval.high_ppm),
            block_looks: run.interval.map(|interval| interval.block),
            deepest_fall_ppm: run.deepest_fall_ppm,
            mean_exposure_ppm: run.exposure.get(),
            turnover_ppm: run.turnover_ppm,
            trips: run.trips,
            fee_usdc_micros: run.cost.fee.micros(),
            impact_usdc_micros: run.cost.impact.micros(),
            gas_usdc_micros: run.cost.gas.micros(),
            rent_usdc_micros: run.rent.micros(),
            forgone_looks: run.forgone,
            staged_rules: run.staged,
            folds: run.folds.iter().map(FoldReport::new).collect(),
            rules: run.rules.iter().map(RuleReport::new).collect(),
            events: run.events.iter().map(EventReport::new).collect(),
        }
    }
}

impl FoldReport {
    const fn new(fold: &golem_playbook::backtest::Fold) -> Self {
        Self {
            first_look: fold.from,
            looks: fold.looks,
            return_ppm: fold.return_ppm,
            deepest_fall_ppm: fold.deepest_fall_ppm,
        }
    }
}

impl<'run> RuleReport<'run> {
    fn new(rule: &'run golem_playbook::backtest::RuleEnd) -> Self {
        Self {
            number: rule.number,
            name: &rule.name,
            standing: rule.standing.in_words(),
            evidence: rule.evidence,
            trips: rule.trips,
            newest_trips_mean_return: rule.recent_mean,
        }
    }
}

impl EventReport {
    fn new(event: &Event) -> Self {
        Self { time_utc: utc(event.time), rule_number: event.number, what: event.change.in_words() }
    }
}

/// Prints the report as tables.
pub(super) fn print(prices: &Prices, runs: &[Run], capital: Usdc) {
    let (first, last) = (prices.looks.first(), prices.looks.last());
    if let (Some(first), Some(last)) = (first, last) {
        let (from, to) = (utc(first.time), utc(last.time));
        println!("{} looks from {from} to {to}, {capital} each", prices.looks.len());
    }
    for remark in &prices.remarks {
        println!("  {}", screen::harmless(remark));
    }
    screen::table("What came of it", &outcome(runs));
    screen::table("What it paid", &paid(runs));
    screen::table("In parts of the time, each lived by what was known before it", &parts(runs));
    for run in runs.iter().filter(|run| run.kind == Kind::Book) {
        print_rules(run);
    }
}

fn outcome(runs: &[Run]) -> Vec<Vec<String>> {
    let head = ["", "end", "return", "nine in ten", "deepest fall", "exposure", "turnover", "trips"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(runs.iter().map(|run| {
        let interval = run.interval.map_or_else(
            || "-".to_owned(),
            |interval| format!("{} to {}", percent(interval.low_ppm), percent(interval.high_ppm)),
        );
        vec![
            screen::harmless(&run.name),
            cents(run.end),
            percent(run.return_ppm),
            interval,
            percent(-run.deepest_fall_ppm),
            percent(i64::from(run.exposure.get())),
            format!("{}.{:02}x", run.turnover_ppm / 1_000_000, run.turnover_ppm / 10_000 % 100),
            run.trips.to_string(),
        ]
    }));
    rows
}

fn paid(runs: &[Run]) -> Vec<Vec<String>> {
    let mut rows =
        vec![["", "fees", "impact", "gas", "rent", "entries that could not pay"].map(str::to_owned).to_vec()];
    rows.extend(runs.iter().map(|run| {
        let cost = &run.cost;
        let forgone = if run.kind == Kind::Book { run.forgone.to_string() } else { "-".to_owned() };
        let name = screen::harmless(&run.name);
        vec![name, cents(cost.fee), cents(cost.impact), cents(cost.gas), cents(run.rent), forgone]
    }));
    rows
}

fn parts(runs: &[Run]) -> Vec<Vec<String>> {
    let row = |run: &Run| {
        let parts = run.folds.iter().map(|fold| percent(fold.return_ppm));
        std::iter::once(screen::harmless(&run.name)).chain(parts).collect()
    };
    runs.iter().map(row).collect()
}

/// Rules a table shows.
const TOLD: usize = 12;

/// The rules that may move most and have shown most; of a search's many others only how many there are.
fn print_rules(run: &Run) {
    let mut told: Vec<_> = run.rules.iter().collect();
    if told.len() > TOLD {
        told.sort_by(|left, right| right.standing.cmp(&left.standing).then(right.evidence.total_cmp(&left.evidence)));
        told.truncate(TOLD);
    }
    let mut rows = vec![["rule", "moves", "evidence", "trips", "newest trips bring"].map(str::to_owned).to_vec()];
    rows.extend(told.iter().map(|rule| {
        let mean = percent((rule.recent_mean * 1e6) as i64);
        let (standing, evidence) = (rule.standing.in_words().to_owned(), why::evidence(rule.evidence));
        vec![screen::harmless(&rule.name), standing, evidence, rule.trips.to_string(), mean]
    }));
    if rows.len() > 1 {
        screen::table(&format!("Rules of {}", screen::harmless(&run.name)), &rows);
    }
    let silent = run.rules.len() - told.len();
    if silent > 0 {
        println!("  and {silent} more; all of them with --json");
    }
    let changes = run.events.iter().filter(|event| !matches!(event.change, Change::Staged { .. }));
    let rows: Vec<Vec<String>> = changes
        .take(20)
        .map(|event| vec![utc(event.time), called(run, event.number), event.change.in_words()])
        .collect();
    if !rows.is_empty() {
        screen::table("What changed for rules", &rows);
    }
}

/// The name of a rule by its number; one that made room since has its number alone.
fn called(run: &Run, number: u64) -> String {
    let known = run.rules.iter().find(|rule| rule.number == number);
    known.map_or_else(|| format!("rule {number}"), |rule| screen::harmless(&rule.name))
}

pub(super) fn utc(time: u64) -> String {
    UtcTime::from_seconds(time).to_string()
}

/// Millionths as a person reads them.
pub(super) fn percent(ppm: i64) -> String {
    let sign = if ppm < 0 { "-" } else { "" };
    let hundredths = (ppm.unsigned_abs() + 50) / 100;
    format!("{sign}{}.{:02}%", hundredths / 100, hundredths % 100)
}

pub(super) fn cents(amount: Usdc) -> String {
    let cents = (amount.micros() + 5_000) / 10_000;
    format!("{}.{:02} USDC", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_amounts_are_rounded_as_a_person_would() {
        assert_eq!(percent(-12_345), "-1.23%");
        assert_eq!(percent(1_999_960), "200.00%");
        assert_eq!(cents(Usdc::from_micros(1_005_000)), "1.01 USDC");
    }
}
