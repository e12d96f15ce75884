//! What a person sees: tables, one changing line, errors with their causes.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use eyre::Report;
use golem_devnet::{Block, Stage};
use indicatif::{ProgressBar, ProgressStyle};

/// Prints an error and its causes, once, at the top.
pub(crate) fn complain(error: &Report) {
    eprintln!("{} {error}", paint_err("error:", "31;1"));
    for cause in error.chain().skip(1) {
        eprintln!("  because: {cause}");
    }
}

/// Colours text when the standard output is a terminal that wants colours.
pub(crate) fn paint(text: &str, code: &str) -> String {
    paint_when(std::io::stdout().is_terminal(), text, code)
}

fn paint_err(text: &str, code: &str) -> String {
    paint_when(std::io::stderr().is_terminal(), text, code)
}

fn paint_when(terminal: bool, text: &str, code: &str) -> String {
    let wanted = terminal && std::env::var_os("NO_COLOR").is_none();
    if wanted { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// Prints rows in aligned columns under a heading.
pub(crate) fn table(heading: &str, rows: &[Vec<String>]) {
    println!("\n{}", paint(heading, "1"));
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        println!("  {}", cells.join("  ").trim_end());
    }
}

/// The stages of a start: a turning wheel on a terminal, a line each elsewhere.
pub(crate) struct Progress {
    wheel: Option<ProgressBar>,
    quiet: bool,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let wheel = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let wheel = ProgressBar::new_spinner();
            wheel.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a fixed template"));
            wheel.enable_steady_tick(Duration::from_millis(80));
            wheel
        });
        Self { wheel, quiet }
    }

    pub(crate) fn show(&self, stage: Stage) {
        match &self.wheel {
            Some(wheel) if stage == Stage::Ready => wheel.finish_and_clear(),
            Some(wheel) => wheel.set_message(stage.to_string()),
            None if !self.quiet && stage != Stage::Ready => eprintln!("{stage}"),
            None => {}
        }
    }
}

/// One line for a block.
pub(crate) fn block_line(block: &Block) -> String {
    let gwei = block.base_fee_wei as f64 / 1e9;
    let regime = block.regime.map_or_else(|| "-".to_owned(), |regime| regime.to_string());
    // The price as a trader reads it; the exact one is in --json.
    let cents = block.price.micros().div_ceil(10_000);
    format!(
        "block {:<7} {}  WETH {:>8}.{:02} USDC  {:<10}  {:<4}  gas {gwei:>8.4} gwei",
        block.number,
        block.time,
        cents / 100,
        cents % 100,
        regime,
        block.depth.to_string(),
    )
}

/// Draws over the same line on a terminal; elsewhere stays silent.
pub(crate) fn redraw(line: &str) {
    if std::io::stdout().is_terminal() {
        print!("\r\u{1b}[2K{line}");
        let _ = std::io::stdout().flush();
    }
}

/// Ends a redrawn line.
pub(crate) fn end_line() {
    if std::io::stdout().is_terminal() {
        println!();
    }
}
