//! P-005. Reads a book from Markdown and tells every mistake at once.
//!
//! A book begins with `# title`. A rule begins with `### name` and ends at the next heading; its parts are list items. Any
//! other text is prose and stays as it is; comments and blocks of code are prose whatever they hold, so a rule that is
//! commented out is out. Inside a rule a list item that is no part of it is a mistake, never prose: a part with a slip of
//! the pen must not silently be left away.

mod fields;
mod phrase;
mod tokens;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use self::fields::{FIELDS, Field, Partial};
use crate::book::{Book, RULES};
use crate::check;
use crate::error::{Hint, Mistake, Mistakes, Problem, Remark, is_control, quote};
use crate::rule::Rule;
use crate::vocabulary::{LONG, nearest};

/// Bytes a book may have.
pub const BYTES: usize = 256 * 1024;
/// Signs a line may have.
pub const LINE: usize = 1_000;
/// Signs a name may have.
pub const NAME: usize = 48;

/// A file as it was written, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    text: String,
    pub book: Book,
    /// P-007. What is no mistake and worth a word.
    pub remarks: Vec<Remark>,
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Book {
    type Err = Mistakes;

    fn from_str(text: &str) -> Result<Self, Mistakes> {
        parse(text).map(|document| document.book)
    }
}

/// A rule and the line it begins in.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) line: usize,
    pub(crate) rule: Rule,
}

/// Reads a file.
///
/// # Errors
/// Every mistake in it, in the order of their places.
pub fn parse(text: &str) -> Result<Document, Mistakes> {
    if text.len() > BYTES {
        let problem = Problem::TooLong { most: BYTES };
        return Err(Mistakes(vec![Mistake { line: 1, column: 1, problem }]));
    }
    let mut reader = Reader::default();
    // Some editors put a mark before the first sign.
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text).split('\n');
    for (at, line) in lines.enumerate() {
        reader.line(at + 1, line.strip_suffix('\r').unwrap_or(line));
    }
    let (title, rules, mut mistakes) = reader.finish();
    mistakes.extend(check::contradictions(&rules));
    if !mistakes.is_empty() {
        mistakes.sort_by_key(|mistake| (mistake.line, mistake.column));
        return Err(Mistakes(mistakes));
    }
    let remarks = check::remarks(&rules);
    let rules = rules.into_iter().map(|placed| placed.rule).collect();
    Ok(Document { text: text.to_owned(), book: Book { title, rules }, remarks })
}

/// What a line stands in besides rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Comment { since: usize },
    Code { since: usize, fence: &'static str },
}

/// Goes through the lines.
#[derive(Debug, Default)]
struct Reader {
    title: Option<String>,
    has_begun: bool,
    inside: Option<Inside>,
    current: Option<Partial>,
    names: BTreeMap<String, usize>,
    /// Headings of rules, the refused ones too.
    count: usize,
    rules: Vec<Placed>,
    mistakes: Vec<Mistake>,
}

impl Reader {
    fn refuse(&mut self, line: usize, column: usize, problem: Problem) {
        self.mistakes.push(Mistake { line, column, problem });
    }

    fn line(&mut self, at: usize, line: &str) {
        self.signs(at, line);
        let text = line.trim();
        if self.is_apart(at, text) || text.is_empty() {
            return;
        }
        let column = column_of(line, text);
        if !std::mem::replace(&mut self.has_begun, true) && !text.starts_with("# ") {
            self.refuse(at, column, Problem::NoTitle);
            self.title = Some(String::new());
        }
        match text.bytes().take_while(|byte| *byte == b'#').count() {
            1 if text.starts_with("# ") => self.heading(text[2..].trim()),
            2 => self.end_rule(),
            3 => self.begin_rule(at, column, text),
            _ => self.part(at, line, text),
        }
    }

    /// Length and signs of a line, whatever it holds.
    fn signs(&mut self, at: usize, line: &str) {
        let signs = line.chars().count();
        if signs > LINE {
            self.refuse(at, LINE + 1, Problem::LongLine { signs, most: LINE });
        }
        for (place, sign) in line.chars().enumerate() {
            if is_control(sign) && sign != '\t' {
                let sign = format!("U+{:04X}", u32::from(sign));
                self.refuse(at, place + 1, Problem::Control { sign });
            }
        }
    }

    /// Whether a line belongs to a comment or to a block of code.
    fn is_apart(&mut self, at: usize, text: &str) -> bool {
        match self.inside {
            Some(Inside::Comment { .. }) => {
                if text.contains("-->") {
                    self.inside = None;
                }
                return true;
            }
            Some(Inside::Code { fence, .. }) => {
                if text.starts_with(fence) {
                    self.inside = None;
                }
                return true;
            }
            None => {}
        }
        if let Some(comment) = text.strip_prefix("<!--") {
            if !comment.contains("-->") {
                self.inside = Some(Inside::Comment { since: at });
            }
            return true;
        }
        let Some(fence) = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence)) else { return false };
        self.inside = Some(Inside::Code { since: at, fence });
        true
    }

    /// The first heading is the title; a later one ends a rule.
    fn heading(&mut self, title: &str) {
        self.end_rule();
        if self.title.is_none() {
            self.title = Some(title.to_owned());
        }
    }

    fn begin_rule(&mut self, at: usize, column: usize, text: &str) {
        self.end_rule();
        let name = text[3..].trim();
        self.count += 1;
        if self.count > RULES {
            self.refuse(at, column, Problem::TooManyRules { number: self.count, most: RULES });
        }
        if !text[3..].starts_with([' ', '\t']) || !is_name(name) {
            let hint = Hint::of(name_from(name).map(|name| format!("### {name}")));
            self.refuse(at, column + 4, Problem::BadName { name: quote(name), most: NAME, hint });
        } else if let Some(line) = self.names.get(name).copied() {
            self.refuse(at, column + 4, Problem::SameName { name: name.to_owned(), line });
        } else {
            self.names.insert(name.to_owned(), at);
        }
        self.current = Some(Partial::new(name, at));
    }

    fn end_rule(&mut self) {
        if let Some(partial) = self.current.take() {
            let line = partial.line;
            if let Some(rule) = partial.finish(&mut self.mistakes) {
                self.rules.push(Placed { line, rule });
            }
        }
    }

    /// A line that is no heading: a part of a rule, or prose.
    fn part(&mut self, at: usize, line: &str, text: &str) {
        let is_item = text.starts_with('-') && !text.starts_with("--")
            || text.starts_with(['*', '+']) && text[1..].starts_with(' ');
        let body = text.strip_prefix(['-', '*', '+']).unwrap_or(text).trim_start();
        let (key, value) = body.split_once(':').map_or((body, None), |(key, value)| (key.trim_end(), Some(value)));
        let column = column_of(line, body);
        let known = Field::of(key).filter(|_| value.is_some());
        let Some(partial) = self.current.as_mut() else {
            if known.is_some() {
                self.refuse(at, column, Problem::Outside { field: key.to_owned() });
            }
            return;
        };
        match (known, value) {
            (Some(field), Some(value)) if text.starts_with("- ") => {
                let value_column = column_of(line, value.trim());
                if let Err(problem) = partial.set(field, at, value_column, value.trim()) {
                    self.refuse(at, column, problem);
                }
            }
            (Some(field), _) => self.refuse(at, column, Problem::NotAField { field: field.row().name.to_owned() }),
            (None, _) if is_item => {
                let first = key.split_whitespace().next().unwrap_or_default();
                let hint = Hint::of(meant_field(first).map(|name| format!("- {name}:")));
                self.refuse(at, column, Problem::UnknownField { field: quote(key), hint });
            }
            (None, Some(_)) if seems_field(key) => {
                let field = meant_field(key).unwrap_or("when").to_owned();
                self.refuse(at, column, Problem::NotAField { field });
            }
            (None, _) => {}
        }
    }

    fn finish(mut self) -> (String, Vec<Placed>, Vec<Mistake>) {
        self.end_rule();
        match self.inside {
            Some(Inside::Comment { since }) => {
                self.refuse(since, 1, Problem::Unclosed { what: "comment", end: "-->" });
            }
            Some(Inside::Code { since, fence }) => {
                self.refuse(since, 1, Problem::Unclosed { what: "block of code", end: fence });
            }
            None => {}
        }
        if !self.has_begun || self.title.as_deref() == Some("") && self.mistakes.is_empty() {
            self.refuse(1, 1, Problem::NoTitle);
        } else if self.count == 0 {
            self.refuse(1, 1, Problem::NoRule);
        }
        (self.title.unwrap_or_default(), self.rules, self.mistakes)
    }
}

/// The sign at which a part of a line begins, from 1.
fn column_of(line: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    line.get(..offset).map_or(1, |before| before.chars().count() + 1)
}

/// Whether a text names a rule.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    text.starts_with(|sign: char| sign.is_ascii_lowercase()) && text.len() <= NAME && text.chars().all(is_sign)
}

/// The name a text would have.
fn name_from(text: &str) -> Option<String> {
    let is_sign = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit();
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|sign| !is_sign(sign)).filter(|word| !word.is_empty()).collect();
    let name: String = words.join("-").chars().take(NAME).collect();
    Some(name.trim_end_matches('-').to_owned()).filter(|name| is_name(name))
}

/// Whether a word before a colon is a field with a slip of the pen.
fn seems_field(key: &str) -> bool {
    if key.len() > LONG {
        return false;
    }
    let lower = key.to_lowercase();
    let is_near = |name: &str| lower == name || name.len() > 3 && strsim::damerau_levenshtein(&lower, name) <= 1;
    FIELDS.iter().any(|row| is_near(row.name))
}

/// The field a person meant.
fn meant_field(written: &str) -> Option<&'static str> {
    let lower = written.to_lowercase();
    let by_other_name = FIELDS.iter().find(|row| row.also.contains(&lower.as_str())).map(|row| row.name);
    by_other_name.or_else(|| nearest(written, FIELDS.iter().map(|row| row.name)))
}

#[cfg(test)]
#[path = "tests/parse.rs"]
mod tests;
