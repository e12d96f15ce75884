//! P-005. What is wrong with a file, and where.

use std::fmt;

/// One mistake and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {problem}")]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The sign in the line, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    #[source]
    pub problem: Problem,
}

/// Every mistake of a file, in the order of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Mistakes {}

/// What can be wrong. Each says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// More bytes than a book may have.
    #[error("the file is longer than {most} bytes, the most a book may have")]
    TooLong { most: usize },
    #[error("the line has {signs} signs; a line has at most {most}")]
    LongLine { signs: usize, most: usize },
    #[error("{sign} is a control character; take it out")]
    Control {
        /// Its code point.
        sign: String,
    },
    #[error("a book begins with its title; write `# My book` on the first line")]
    NoTitle,
    #[error("there is no rule; write `### a-name` and below it `- when:`, `- do:` and `- until:`")]
    NoRule,
    #[error("this is rule {number}; a book has at most {most}")]
    TooManyRules { number: usize, most: usize },
    /// A name that is none.
    #[error("{name} is no name; a name has small letters, digits and dashes, at most {most}{hint}")]
    BadName { name: String, most: usize, hint: Hint },
    /// P-057. A pool's name that is none.
    #[error(transparent)]
    BadPool(#[from] golem_primitives::PoolNameError),
    #[error("there is a rule `{name}` already in line {line}; give this one another name")]
    SameName { name: String, line: usize },
    #[error("`{field}` stands outside every rule; write `### a-name` above it")]
    Outside { field: String },
    #[error("{field} is no part of a rule; a rule has in, when, do, until, expects, because and asks{hint}")]
    UnknownField { field: String, hint: Hint },
    #[error("a part of a rule is written `- {field}: ...`")]
    NotAField {
        /// The field it seems to be.
        field: String,
    },
    #[error("`{field}` stands in line {line} already; a rule has one")]
    Twice { field: &'static str, line: usize },
    #[error("`{field}` says nothing; write for example `- {field}: {example}`")]
    Empty { field: &'static str, example: &'static str },
    #[error("rule `{rule}` has no `{field}`{why}; write for example `- {field}: {example}`")]
    Missing { rule: String, field: &'static str, why: &'static str, example: &'static str },
    #[error("{found} stands where {wanted} should{hint}")]
    Unexpected { found: String, wanted: &'static str, hint: Hint },
    #[error("there is no word {word}; `bardo playbook words` lists them{hint}")]
    UnknownWord { word: String, hint: Hint },
    #[error("{span} is no span; there are 16, 32, 64, 128, 256, 512 and 1024{hint}")]
    UnknownSpan { span: String, hint: Hint },
    /// A word that needs a span has none.
    #[error("`{word}` looks back over a span; write for example `{word}(64)`")]
    NoSpan { word: &'static str },
    #[error("`{word}` has no span; write `{word}`")]
    SpanTooMuch { word: &'static str },
    #[error("{what} is written {unit}{hint}")]
    WrongUnit {
        /// What the number is for.
        what: String,
        unit: &'static str,
        /// The same number written so.
        hint: Hint,
    },
    /// A number that is none, or finer than what is kept.
    #[error("{written} is no number here; {how}")]
    NotANumber { written: String, how: &'static str },
    #[error("{written} is out of range: {what} lies between {least} and {most}")]
    OutOfRange {
        written: String,
        /// What the number is for.
        what: String,
        least: String,
        most: String,
    },
    #[error("a condition has at most {most} comparisons; make two rules of it")]
    TooManyComparisons { most: usize },
    #[error(
        "{found} is nothing a rule can do; it can `hold 60%`, `provide 4% 50%`, `at most 30%`, `wait 20`, `no entries` or \
         `tighten until gain <= -0.5%`{hint}"
    )]
    UnknownAction { found: String, hint: Hint },
    /// A rule that puts money in and expects nothing back.
    #[error("an entry that expects no gain is never worth its cost; write for example `+0.7% within 200`")]
    NoGain,
    /// P-006. Two guards that cannot both be meant, or a guard that makes an entry impossible.
    #[error("`{rule}` and `{other}` (line {line}) contradict each other: {why}")]
    Contradiction { rule: String, other: String, line: usize, why: &'static str },
    #[error("this {what} has no end; close it with `{end}`")]
    Unclosed { what: &'static str, end: &'static str },
}

/// What was probably meant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hint(pub Option<String>);

impl Hint {
    /// A hint, or none.
    pub(crate) fn of(word: Option<impl Into<String>>) -> Self {
        Self(word.map(Into::into))
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(word) => write!(f, "; did you mean `{word}`?"),
            None => Ok(()),
        }
    }
}

/// Longest piece of foreign text an error repeats.
const QUOTED: usize = 40;

/// Foreign text in quotes, cut to a readable length, without what a terminal would obey.
pub(crate) fn quote(text: &str) -> String {
    let harmless = |sign: char| if is_control(sign) { '\u{fffd}' } else { sign };
    let mut shown: String = text.chars().take(QUOTED).map(harmless).collect();
    if text.chars().nth(QUOTED).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// What no line of a book may hold: what moves a cursor, and what turns a line around so that it reads as something else.
pub(crate) fn is_control(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// P-007. What is no mistake and worth a word.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Remark {
    /// The line of the rule, from 1.
    pub line: usize,
    pub rule: String,
    pub kind: RemarkKind,
}

/// What can be remarked of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    NoReason,
    NeverWakes,
    NeverEnds,
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoReason => "says neither why (`because`) nor what is open (`asks`)",
            Self::NeverWakes => "never wakes: no look can satisfy its `when`",
            Self::NeverEnds => "never ends: no look can satisfy its `until`",
        })
    }
}
