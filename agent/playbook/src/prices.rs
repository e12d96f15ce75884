//! P-083. Looks from a file of prices.
//!
//! Columns are found by their header, times in several spellings are honoured, and what is wrong is named by its line.

mod time;

use std::cmp::Ordering;

use golem_primitives::{Usdc, UtcTime};

use self::time::read_time;
use crate::cost::held_u64;
use crate::look::Look;

/// What a file of prices does not say and a look must.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub fee_ppm: u32,
    /// What the gas of one swap costs where the file has no column of it.
    pub gas: Usdc,
    /// USDC on one side of the pool where the file has no column of it; nothing for a pool so deep that nothing moves it.
    pub liquidity: Usdc,
    /// The capital a trade may use, whose impact a look tells.
    pub capital: Usdc,
}

impl Terms {
    /// What swapping all the capital loses to a constant product with this on each side, in millionths.
    #[must_use]
    pub fn impact_ppm(&self, liquidity: Usdc) -> u32 {
        if liquidity.is_zero() {
            return 0;
        }
        let (capital, side) = (u128::from(self.capital.micros()), u128::from(liquidity.micros()));
        u32::try_from(held_u64(capital * 1_000_000 / (side + capital))).unwrap_or(1_000_000)
    }
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// The looks, the oldest first.
    pub looks: Vec<Look>,
    /// USDC on one side of the pool at each look; nothing for one so deep that nothing moves it.
    pub sides: Vec<Usdc>,
    /// What a reader should know: bad rows, gaps, the order of the file, columns that are missing.
    pub remarks: Vec<String>,
    pub has_volume: bool,
}

/// Why a file of prices cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PricesError {
    #[error(
        "no header names a price: the first line with commas should be like `time,price`; known are time, date, \
         timestamp, unix; price, close; volume, gas, liquidity"
    )]
    NoPrice,
    #[error("line {line} names a price and no time: add a column `time`, `date`, `timestamp` or `unix`")]
    NoTime { line: usize },
    #[error("{bad} of {rows} rows cannot be read, more than one in ten; the first: {first}")]
    TooBad { bad: usize, rows: usize, first: String },
    /// Time repeats or turns, and not only here and there.
    #[error("line {line}: {time} {how} on line {before}; each row must be later than the one before, or each earlier")]
    TimeTurns { line: usize, time: UtcTime, how: &'static str, before: usize },
    /// P-057. Several files have too few times in common.
    #[error(
        "these files have {times} time(s) in common, at least 2 are needed; a look is of all pools at once, so give files of \
         the same times"
    )]
    Apart { times: usize },
    #[error("{rows} row(s) with a price are too few; at least 2 are needed")]
    TooShort { rows: usize },
}

/// Bad rows that are named one by one.
const NAMED: usize = 5;

/// Reads a file of prices.
///
/// # Errors
/// [`PricesError`] says which line and what to do.
pub fn read(text: &str, terms: &Terms) -> Result<Prices, PricesError> {
    let mut lines = text.lines().enumerate().map(|(place, line)| (place + 1, line.trim_start_matches('\u{feff}')));
    let mut skipped = 0;
    let (columns, header) = loop {
        let (line, text) = lines.next().ok_or(PricesError::NoPrice)?;
        match Columns::of(text, line)? {
            Some(columns) => break (columns, line),
            None => skipped += usize::from(!text.trim().is_empty()),
        }
    };
    let mut remarks = Vec::new();
    if skipped > 0 {
        remarks.push(format!("{skipped} line(s) before the header on line {header} were passed over"));
    }
    let mut rows = read_rows(lines, &columns, &mut remarks)?;
    put_in_order(&mut rows, &mut remarks)?;
    name_gaps(&rows, &mut remarks);
    columns.name_missing(terms, &mut remarks);
    let looks = rows.iter().map(|row| row.look(terms)).collect();
    let sides = rows.iter().map(|row| row.side(terms)).collect();
    Ok(Prices { looks, sides, remarks, has_volume: columns.volume.is_some() })
}

/// P-057. Keeps of several files the times that all of them have: a look reads every pool at once. What was traded at a time that
/// is left out counts at the next that is kept.
///
/// # Errors
/// [`PricesError::Apart`] where that leaves too little.
pub fn align(pools: &mut [Prices]) -> Result<(), PricesError> {
    let Some((first, others)) = pools.split_first() else { return Ok(()) };
    let has = |prices: &Prices, time: u64| prices.looks.binary_search_by_key(&time, |look| look.time).is_ok();
    let times = first.looks.iter().map(|look| look.time).filter(|time| others.iter().all(|other| has(other, *time)));
    let times: Vec<u64> = times.collect();
    if times.len() < 2 {
        return Err(PricesError::Apart { times: times.len() });
    }
    pools.iter_mut().for_each(|prices| prices.keep(&times));
    Ok(())
}

impl Prices {
    /// Keeps the looks of these times, which it has in this order.
    fn keep(&mut self, times: &[u64]) {
        let before = self.looks.len();
        let (mut wanted, mut volume) = (times.iter().copied().peekable(), Usdc::ZERO);
        let mut sides = std::mem::take(&mut self.sides).into_iter();
        let mut kept = Vec::with_capacity(times.len());
        self.looks.retain_mut(|look| {
            volume = volume.saturating_add(look.volume);
            let side = sides.next().unwrap_or_default();
            let is_kept = wanted.next_if_eq(&look.time).is_some();
            if is_kept {
                look.volume = std::mem::take(&mut volume);
                kept.push(side);
            }
            is_kept
        });
        self.sides = kept;
        let left_out = before - self.looks.len();
        if left_out > 0 {
            self.remarks.push(format!("{left_out} row(s) of times that another file does not have are left out"));
        }
    }
}

/// Where each column stands.
#[derive(Debug, Clone, Copy)]
struct Columns {
    separator: char,
    time: usize,
    price: usize,
    volume: Option<usize>,
    gas: Option<usize>,
    liquidity: Option<usize>,
}

impl Columns {
    fn of(text: &str, line: usize) -> Result<Option<Self>, PricesError> {
        let separator = [',', ';', '\t'].into_iter().max_by_key(|sign| text.matches(*sign).count()).unwrap_or(',');
        let names: Vec<String> = text.split(separator).map(plain).collect();
        let find = |wanted: &[&str]| wanted.iter().find_map(|word| names.iter().position(|name| name == word));
        let Some(price) = find(&["price", "close", "close_price", "price_usd", "price_usdc"]) else { return Ok(None) };
        let times = ["unix", "timestamp", "unix_timestamp", "open_time", "time", "datetime", "date", "snapped_at"];
        let time = find(&times).ok_or(PricesError::NoTime { line })?;
        let volume = find(&["volume_usdc", "volume_usd", "volume_usdt", "quote_asset_volume", "volume"]);
        let (gas, liquidity) = (find(&["gas", "gas_usdc"]), find(&["liquidity", "liquidity_usdc"]));
        Ok(Some(Self { separator, time, price, volume, gas, liquidity }))
    }

    fn name_missing(&self, terms: &Terms, remarks: &mut Vec<String>) {
        if self.volume.is_none() {
            remarks.push("no column of volume: fees to liquidity are unknown".to_owned());
        }
        if self.gas.is_none() {
            remarks.push(format!("no column of gas: each swap pays {}", terms.gas));
        }
        if self.liquidity.is_none() && terms.liquidity.is_zero() {
            remarks.push("no column of liquidity and none given: no order moves the price".to_owned());
        }
    }
}

/// A name as headers are compared: `Volume USDT` and `volume_usdt` are one.
fn plain(name: &str) -> String {
    let name = name.trim().trim_matches('"').trim().to_lowercase();
    name.chars().map(|sign| if sign.is_alphanumeric() { sign } else { '_' }).collect()
}

#[derive(Debug, Clone, Copy)]
struct Row {
    line: usize,
    time: u64,
    price: Usdc,
    volume: Usdc,
    gas: Option<Usdc>,
    liquidity: Option<Usdc>,
}

impl Row {
    fn read(text: &str, line: usize, columns: &Columns) -> Result<Self, String> {
        let cells: Vec<&str> = text.split(columns.separator).map(|cell| cell.trim().trim_matches('"').trim()).collect();
        let cell = |place: usize, what: &str| {
            let found = cells.get(place).copied().filter(|cell| !cell.is_empty());
            found.ok_or_else(|| format!("line {line} has no {what}"))
        };
        let time = cell(columns.time, "time")?;
        let time = read_time(time).ok_or_else(|| format!("line {line}: `{}` is no time", short(time)))?;
        let amount = |place: usize, what: &str| {
            let text = cell(place, what)?;
            read_amount(text).ok_or_else(|| format!("line {line}: `{}` is no {what}", short(text)))
        };
        let optional = |place: Option<usize>, what: &str| place.map(|place| amount(place, what)).transpose();
        let price = amount(columns.price, "price")?;
        if price.is_zero() {
            return Err(format!("line {line}: the price is nothing"));
        }
        Ok(Self {
            line,
            time,
            price,
            volume: optional(columns.volume, "volume")?.unwrap_or_default(),
            gas: optional(columns.gas, "gas")?,
            liquidity: optional(columns.liquidity, "liquidity")?,
        })
    }

    fn side(&self, terms: &Terms) -> Usdc {
        self.liquidity.unwrap_or(terms.liquidity)
    }

    fn look(&self, terms: &Terms) -> Look {
        Look {
            time: self.time,
            price: self.price,
            twap: self.price,
            impact_ppm: terms.impact_ppm(self.side(terms)),
            fee_ppm: terms.fee_ppm,
            volume: self.volume,
            gas: self.gas.unwrap_or(terms.gas),
        }
    }
}

/// The most of a cell that an error repeats.
fn short(cell: &str) -> String {
    cell.chars().filter(|sign| !sign.is_control()).take(30).collect()
}

fn read_rows<'text>(
    lines: impl Iterator<Item = (usize, &'text str)>,
    columns: &Columns,
    remarks: &mut Vec<String>,
) -> Result<Vec<Row>, PricesError> {
    let (mut rows, mut bad) = (Vec::new(), Vec::new());
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#')) {
        match Row::read(text, line, columns) {
            Ok(row) => rows.push(row),
            Err(what) => bad.push(what),
        }
    }
    if bad.len() * 10 > bad.len() + rows.len() {
        let all = bad.len() + rows.len();
        return Err(PricesError::TooBad { bad: bad.len(), rows: all, first: bad.swap_remove(0) });
    }
    if rows.len() < 2 {
        return Err(PricesError::TooShort { rows: rows.len() });
    }
    let more = bad.len().saturating_sub(NAMED);
    remarks.extend(bad.into_iter().take(NAMED).map(|what| format!("{what}; the row is left out")));
    if more > 0 {
        remarks.push(format!("{more} more row(s) cannot be read and are left out"));
    }
    Ok(rows)
}

/// Newest first or oldest first is what the first and the last row say. Files of exchanges have a few rows in the wrong place or
/// twice: those are put right and named; more than one in a hundred, and the file is not believed.
fn put_in_order(rows: &mut Vec<Row>, remarks: &mut Vec<String>) -> Result<(), PricesError> {
    if rows.first().map(|row| row.time) > rows.last().map(|row| row.time) {
        rows.reverse();
        remarks.push("the file has the newest row first; it was turned".to_owned());
    }
    let turned = misplaced(rows, Ordering::Less, "comes after a later time")?;
    if let Some(named) = turned {
        rows.sort_by_key(|row| row.time);
        remarks.push(format!("{named}; the rows were put in order"));
    }
    let repeated = misplaced(rows, Ordering::Equal, "stands also")?;
    if let Some(named) = repeated {
        rows.dedup_by_key(|row| row.time);
        remarks.push(format!("{named}; the first of each time was kept"));
    }
    Ok(())
}

/// The rows that stand so to the row before, in words; refused where they are many.
fn misplaced(rows: &[Row], wrong: Ordering, how: &'static str) -> Result<Option<String>, PricesError> {
    let found: Vec<&[Row]> = rows.windows(2).filter(|pair| pair[1].time.cmp(&pair[0].time) == wrong).collect();
    let Some([before, row]) = found.first() else { return Ok(None) };
    let time = UtcTime::from_seconds(row.time);
    if found.len() * 100 > rows.len() {
        return Err(PricesError::TimeTurns { line: row.line, time, how, before: before.line });
    }
    let more = match found.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Ok(Some(format!("line {}: {time} {how} on line {}{more}", row.line, before.line)))
}

/// Gaps are said and not filled.
fn name_gaps(rows: &[Row], remarks: &mut Vec<String>) {
    let mut steps: Vec<u64> = rows.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    let middle = steps.len() / 2;
    let usual = *steps.select_nth_unstable(middle).1;
    let is_gap = |pair: &&[Row]| pair[1].time - pair[0].time > usual + usual / 2;
    let gaps = rows.windows(2).filter(is_gap);
    let Some(widest) = gaps.clone().max_by_key(|pair| pair[1].time - pair[0].time) else { return };
    let seconds = widest[1].time - widest[0].time;
    remarks.push(format!(
        "{} gap(s) longer than the usual {usual} s; the widest is {seconds} s, from {} to {}; nothing was filled in",
        gaps.count(),
        UtcTime::from_seconds(widest[0].time),
        UtcTime::from_seconds(widest[1].time),
    ));
}

/// An amount as files have it: `1234.5678901`, `1.5e3`, `"1234"`; finer than a millionth is rounded down.
fn read_amount(text: &str) -> Option<Usdc> {
    let text = text.strip_prefix('$').unwrap_or(text);
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.len() + fraction.len() == 0 || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let places = usize::try_from(i32::try_from(whole.len()).ok()?.checked_add(exponent)?.checked_add(6)?).unwrap_or(0);
    let digits = whole.bytes().chain(fraction.bytes()).chain(std::iter::repeat(b'0')).take(places.min(60));
    let mut micros: u64 = 0;
    for digit in digits {
        micros = micros.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    Some(Usdc::from_micros(micros))
}

#[cfg(test)]
#[path = "tests/prices.rs"]
mod tests;
