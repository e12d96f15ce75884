//! What happened, line by line.

use golem_view::LoggedLine;
use ratatui::text::Line;

use crate::ink::{Ink, cut, line, minute, span, width};

/// Oldest first, a line each.
pub(crate) fn lines<'a>(log: impl Iterator<Item = &'a LoggedLine>, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let lines: Vec<Line<'static>> = log
        .map(|one| {
            let when = format!(" {}  {:>7}  ", minute(one.time), one.tick.get());
            let room = columns.saturating_sub(width(&when));
            Line::from(vec![span(when, ink.dim()), span(cut(&one.words, room), ink.plain())])
        })
        .collect();
    if lines.is_empty() { vec![line(" nothing has happened yet that is worth a line", ink.dim())] } else { lines }
}
