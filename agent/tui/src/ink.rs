//! Colours, and the one way text gets onto the screen.

use golem_primitives::UtcTime;
use golem_view::words::harmless;
use golem_view::{Picture, Table};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Block;

/// How things are painted. Without colours everything is said in words, bold and dim alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ink {
    has_colours: bool,
}

impl Ink {
    /// For a terminal that wants colours, or does not (NO_COLOR).
    #[must_use]
    pub const fn new(has_colours: bool) -> Self {
        Self { has_colours }
    }

    const fn coloured(self, colour: Color) -> Style {
        if self.has_colours { Style::new().fg(colour) } else { Style::new() }
    }

    pub(crate) const fn plain(self) -> Style {
        Style::new()
    }

    pub(crate) const fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(crate) const fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(crate) const fn good(self) -> Style {
        self.coloured(Color::Green)
    }

    pub(crate) const fn bad(self) -> Style {
        self.coloured(Color::Red)
    }

    pub(crate) const fn warning(self) -> Style {
        self.coloured(Color::Yellow)
    }

    pub(crate) const fn accent(self) -> Style {
        self.coloured(Color::Cyan)
    }

    /// I-260: what is left of a life has lost its colours.
    pub(crate) const fn stone(self) -> Style {
        self.coloured(Color::DarkGray)
    }

    pub(crate) const fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A gain or a loss.
    pub(crate) const fn of_gain(self, micros: i64) -> Style {
        match micros {
            ..0 => self.bad(),
            0 => self.plain(),
            1.. => self.good(),
        }
    }

    /// M-124. By the name of a phase.
    pub(crate) fn of_phase(self, phase: &str) -> Style {
        match phase.to_ascii_lowercase().as_str() {
            "thriving" => self.good(),
            "stable" => self.accent(),
            "conservation" => self.warning(),
            _ => self.bad(),
        }
    }
}

/// Text as the screen shows it. Names, rules, tokens, models and peers wrote much of it: nothing they write can move the
/// cursor, change colours or turn the line around (G-053).
pub(crate) fn span(text: impl AsRef<str>, style: Style) -> Span<'static> {
    Span::styled(harmless(text.as_ref()), style)
}

/// A line of one style.
pub(crate) fn line(text: impl AsRef<str>, style: Style) -> Line<'static> {
    Line::from(span(text, style))
}

/// A frame with a title.
pub(crate) fn panel(title: impl AsRef<str>, ink: Ink) -> Block<'static> {
    Block::bordered().border_style(ink.dim()).title(span(title, ink.strong()))
}

/// Draws a frame, and answers the room in it.
pub(crate) fn framed(frame: &mut Frame<'_>, area: Rect, block: Block<'_>) -> Rect {
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// Columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// A text cut to so many columns.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let text = harmless(text);
    if width(&text) <= columns {
        return text;
    }
    let mut kept = String::new();
    for sign in text.chars() {
        if width(&kept) + width(sign.encode_utf8(&mut [0; 4])) + 1 > columns {
            break;
        }
        kept.push(sign);
    }
    if columns > 0 {
        kept.push('…');
    }
    kept
}

/// A text in lines of at most so many columns, broken between words where it can be.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut lines = vec![String::new()];
    for word in harmless(text).split(' ') {
        let mut word = word.to_owned();
        while width(&word) > columns {
            let head: String = word.chars().take(columns / 2).collect();
            word = word.chars().skip(columns / 2).collect();
            lines.push(head);
        }
        match lines.last_mut() {
            Some(last) if width(last) + 1 + width(&word) <= columns || last.is_empty() => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// A table under its heading, the names of its columns dim where it has them.
pub(crate) fn table(table: &Table, ink: Ink, columns: usize, has_names: bool) -> Vec<Line<'static>> {
    let mut lines = vec![line(&table.heading, ink.strong())];
    for (at, row) in table.lines().enumerate() {
        lines.push(line(cut(&row, columns), if at == 0 && has_names { ink.dim() } else { ink.plain() }));
    }
    lines
}

/// Sentences, each wrapped; it stays as far set in as it is, its later lines a little farther.
pub(crate) fn sentences<'a>(
    texts: impl IntoIterator<Item = &'a String>,
    style: Style,
    columns: usize,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for text in texts {
        let indent = text.len() - text.trim_start_matches(' ').len();
        for (at, part) in wrap(text, columns.saturating_sub(indent + 2)).into_iter().enumerate() {
            let indent = if at == 0 { indent } else { indent + 2 };
            lines.push(line(format!("{}{part}", " ".repeat(indent)), style));
        }
    }
    lines
}

/// A bar of so many cells, filled by a share in millionths, to an eighth of a cell; what is more than nothing is seen.
pub(crate) fn bar(parts: u32, cells: usize) -> String {
    const EIGHTHS: [char; 8] = ['▏', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let parts = u64::from(parts.min(1_000_000));
    let eighths = (parts * cells as u64 * 8 / 1_000_000).max(u64::from(parts > 0)) as usize;
    let sign = |cell: usize| match eighths.saturating_sub(cell * 8) {
        0 => '░',
        part @ 1..8 => EIGHTHS[part],
        _ => '█',
    };
    (0..cells).map(sign).collect()
}

/// A time as a screen has room for it: month, day, hour and minute.
pub(crate) fn minute(time: UtcTime) -> String {
    let told = time.to_string();
    told.get(5..16).map_or_else(|| told.clone(), |minute| minute.replace('T', " "))
}

/// What a picture says to people, cut to the screen.
pub(crate) fn told<P: Picture>(heading: &str, picture: &P, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    table(&picture.known(heading), ink, columns, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G-053: what others wrote is written out, and takes no more room than it was given.
    #[test]
    fn g_053_foreign_text_is_written_out_and_cut() {
        assert_eq!(span("a\u{1b}[2J\u{202e}b", Style::new()).content, "a\\u{1b}[2J\\u{202e}b");
        assert_eq!(cut("中文字符", 5), "中文…");
        assert_eq!(cut("short", 5), "short");
        assert_eq!(width(&cut("a\u{1b}b", 4)), 4);
    }

    #[test]
    fn o_010_text_is_broken_between_words() {
        assert_eq!(wrap("one two three four", 9), ["one two", "three", "four"]);
        assert!(wrap(&"x".repeat(40), 10).iter().all(|line| width(line) <= 10));
    }

    #[test]
    fn o_010_a_bar_shows_its_share() {
        let bars = [bar(0, 4), bar(500_000, 4), bar(1, 4), bar(860_000, 4), bar(2_000_000, 4)];
        assert_eq!(bars, ["░░░░", "██░░", "▏░░░", "███▍", "████"]);
    }
}
