//! A recorded history: one price a row, one row a block; the last price stays.

use std::path::{Path, PathBuf};

use golem_primitives::Usdc;

/// Longest history read, so that a wrong file is refused and not swallowed.
const MAX_ROWS: usize = 10_000_000;
/// Prices the pool can be moved to without leaving its useful range.
const RANGE: (Usdc, Usdc) = (Usdc::whole(1), Usdc::whole(1_000_000));

/// Why a history cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CsvError {
    #[error("cannot read the price history {path}")]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("the price history {path} holds no prices; write a header `price` and one price in USDC a line")]
    Empty { path: PathBuf },
    #[error("the price history {path} has no column `price`; its columns are: {columns}")]
    NoPriceColumn { path: PathBuf, columns: String },
    #[error("line {line} of the price history {path}: {detail}")]
    BadRow {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        detail: String,
    },
}

/// A history and where it stands.
#[derive(Debug, Clone)]
pub struct Replay {
    prices: Vec<Usdc>,
    next: usize,
}

impl Replay {
    /// Reads a file with a header line; the column `price` holds USDC for one WETH, other columns are passed over.
    pub fn read(path: &Path) -> Result<Self, CsvError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| CsvError::Unreadable { path: path.to_path_buf(), source })?;
        Self::parse(&text, path)
    }

    // Prices and times need no quoting, so a line is its cells between commas; a quoted cell is refused as no price.
    fn parse(text: &str, path: &Path) -> Result<Self, CsvError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, header) = lines.next().ok_or_else(|| CsvError::Empty { path: path.to_path_buf() })?;
        let columns: Vec<&str> = header.trim_start_matches('\u{feff}').split(',').map(str::trim).collect();
        let column = columns.iter().position(|name| name.eq_ignore_ascii_case("price")).ok_or_else(|| {
            CsvError::NoPriceColumn {
                path: path.to_path_buf(),
                columns: columns.join(", ").chars().take(120).collect(),
            }
        })?;
        let mut prices = Vec::new();
        for (index, line) in lines {
            let bad = |detail: String| CsvError::BadRow { path: path.to_path_buf(), line: index + 1, detail };
            let cell = line.split(',').nth(column).ok_or_else(|| bad("it has no price column".to_owned()))?;
            let price: Usdc =
                cell.trim().parse().map_err(|error: golem_primitives::ParseError| bad(error.to_string()))?;
            if price < RANGE.0 || price > RANGE.1 {
                return Err(bad(format!("{price} is not between {} and {}", RANGE.0, RANGE.1)));
            }
            if prices.len() == MAX_ROWS {
                return Err(bad(format!("more than {MAX_ROWS} prices")));
            }
            prices.push(price);
        }
        if prices.is_empty() {
            return Err(CsvError::Empty { path: path.to_path_buf() });
        }
        Ok(Self { prices, next: 0 })
    }

    /// The price that stands now.
    #[must_use]
    pub fn current(&self) -> Usdc {
        self.prices[self.next.saturating_sub(1).min(self.prices.len() - 1)]
    }

    /// The next price; after the last one it stays.
    pub fn next_price(&mut self) -> Usdc {
        self.next = (self.next + 1).min(self.prices.len());
        self.current()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<Replay, CsvError> {
        Replay::parse(text, Path::new("prices.csv"))
    }

    #[test]
    fn r_014_a_history_is_replayed_row_by_row_and_its_end_stays() {
        //
        let mut replay = parse("time,Price\n1,3000\n2,3001.5\n\n3,2999.000001\n").expect("good");
        assert_eq!(replay.current(), Usdc::whole(3000));
        let prices: Vec<u64> = (0..5).map(|_| replay.next_price().micros()).collect();
        assert_eq!(prices, [3_000_000_000, 3_001_500_000, 2_999_000_001, 2_999_000_001, 2_999_000_001]);
    }

    #[test]
    fn histories_that_are_none_say_which_line() {
        for (text, says) in [
            ("", "no prices"),
            ("price\n", "no prices"),
            ("time,close\n1,2\n", "time, close"),
            ("price\n3000\nabc\n", "line 3"),
            ("price\n-5\n", "line 2"),
            ("price\n0.5\n", "between"),
            ("price\n1e9\n", "line 2"),
            ("time,price\n5\n", "no price column"),
            ("price\n\"3000\"\n", "line 2"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let missing = Replay::read(Path::new("no/such.csv")).expect_err("missing").to_string();
        assert!(missing.contains("no/such.csv"), "{missing}");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(?s).{0,200}") {
            let _ = parse(&text).is_ok();
            let _ = parse(&format!("price\n{text}")).is_ok();
        }
    }
}
