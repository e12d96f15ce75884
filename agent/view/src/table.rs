//! The one way to print a table.

use std::fmt;

use crate::words::harmless;

/// Rows in columns under a heading.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What it is of; nothing is printed above the rows where it is empty.
    pub heading: String,
    /// Cells, row by row; rows may be of different lengths.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Rows under a heading.
    #[must_use]
    pub fn new(heading: impl Into<String>, rows: Vec<Vec<String>>) -> Self {
        Self { heading: heading.into(), rows }
    }

    /// The same with no cell longer than so many letters: a list is to be looked over, not read.
    #[must_use]
    pub fn narrowed(mut self, letters: usize) -> Self {
        for cell in self.rows.iter_mut().flatten().filter(|cell| cell.chars().count() > letters) {
            *cell = cell.chars().take(letters.saturating_sub(1)).chain(['…']).collect();
        }
        self
    }

    /// The rows as lines, their columns aligned. Whoever wrote what stands in a cell, it cannot repaint the screen.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(|cell| harmless(cell)).collect()).collect();
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        rows.into_iter().map(move |row| {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            format!("  {}", cells.join("  ").trim_end())
        })
    }

    /// The same as Markdown, under a heading of the second rank. What stands in a cell is text there too.
    #[must_use]
    pub fn markdown(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let mut text = if self.heading.is_empty() { String::new() } else { format!("## {}\n\n", plain(&self.heading)) };
        if columns == 0 {
            return text;
        }
        text += &format!("|{}\n|{}\n", "   |".repeat(columns), "---|".repeat(columns));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
            text += &format!("| {} |\n", cells.join(" | "));
        }
        text + "\n"
    }
}

/// Text as Markdown has it: nothing in it is taken for more than words.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in harmless(text).chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '!' => safe.extend(['\\', sign]),
            _ => safe.push(sign),
        }
    }
    safe
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.heading.is_empty() {
            writeln!(f, "{}", self.heading)?;
        }
        self.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        let table = Table::new("Of", vec![row(&["a", "long", "x"]), row(&["wide é", "b"])]);
        assert_eq!(table.to_string(), "Of\n  a       long  x\n  wide é  b\n");
        assert_eq!(table.narrowed(5).to_string(), "Of\n  a      long  x\n  wide…  b\n");
    }

    /// O-015: as Markdown a cell that others wrote stays one cell, and is no markup.
    #[test]
    fn o_015_a_cell_of_markdown_is_text() {
        let row = vec!["why | <img src=x>".to_owned(), "[a](javascript:1)\n# b".to_owned()];
        let text = Table::new("Of *it*", vec![row]).markdown();
        let last = text.trim_end().lines().last().expect("a row");
        assert!(text.starts_with("## Of \\*it\\*\n\n|   |   |\n|---|---|\n"), "{text}");
        assert!(
            last.contains("why \\| &lt;img") && last.contains("\\[a\\](javascript:1)") && !text.contains("\n# b"),
            "{text}"
        );
    }

    /// G-053: a cell that others wrote stays one cell of one line.
    #[test]
    fn g_053_a_cell_cannot_leave_its_line() {
        let table = Table::new("", vec![vec!["a\n\u{1b}[2J".to_owned(), "b".to_owned()]]);
        assert_eq!(table.to_string(), "  a\\u{a}\\u{1b}[2J  b\n");
    }
}
