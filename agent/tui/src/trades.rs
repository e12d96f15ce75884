//! What it holds, what it made, and every trade.

use golem_view::{TradeLine, columns_of, table_of};
use ratatui::text::Line;

use crate::ink::{Ink, line, sentences, table};
use crate::overview::{holdings, money_lines};
use crate::scene::Portrait;

/// Columns of a trade that a screen has room for.
const COLUMNS: [&str; 7] = ["tick", "order", "result", "USDC", "token", "gas", "net"];

pub(crate) fn lines(portrait: &Portrait, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let mut lines = vec![line(" what it made, USDC", ink.strong())];
    lines.extend(money_lines(&portrait.life, ink, columns.min(48)));
    if let Some(hand) = &portrait.life.hand {
        lines.extend(sentences([&format!(" {}", hand.profit.told)], ink.dim(), columns));
        lines.push(line("", ink.plain()));
        lines.push(line(" what it holds", ink.strong()));
        lines.extend(holdings(portrait).iter().map(|held| line(format!("  {held}"), ink.plain())));
        if hand.pools.len() > 1 {
            lines.push(line("", ink.plain()));
            lines.extend(table(&table_of(" its pools", &hand.pools), ink, columns, true));
        }
        if !hand.positions.is_empty() {
            lines.push(line("", ink.plain()));
            lines.extend(table(&table_of(" its liquidity", &hand.positions), ink, columns, true));
        }
    }
    if !portrait.life.open_effects.is_empty() {
        lines.push(line("", ink.plain()));
        lines.extend(table(&table_of(" on their way", &portrait.life.open_effects), ink, columns, true));
    }
    lines.push(line("", ink.plain()));
    if portrait.trades.is_empty() {
        lines.push(line(" it has not traded yet", ink.dim()));
        return lines;
    }
    let heading = format!(" its last {} trades, newest first", portrait.trades.len());
    lines.extend(table(
        &columns_of::<TradeLine>(&heading, &portrait.trades, &COLUMNS).narrowed(22),
        ink,
        columns,
        true,
    ));
    lines
}
