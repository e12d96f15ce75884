//! Conditions, actions and expectations.

use arrayvec::ArrayVec;
use golem_primitives::Ppm;

use super::tokens::{Kind, Token, tokens};
use crate::error::{Hint, Mistake, Problem, quote};
use crate::observable::{Observable, Span, Unit};
use crate::print;
use crate::rule::{Action, COMPARISONS, Comparison, Condition, Expectation, Join, Relation};
use crate::vocabulary::{Make, Word, meant, nearest};

/// The most looks a rule may speak of.
const LOOKS: i64 = 1_000_000;
const ONE: i64 = 1_000_000;

/// What a number is for, and how it is written.
#[derive(Debug, Clone, Copy)]
struct Quantity {
    what: &'static str,
    unit: Unit,
    least: i64,
    most: i64,
}

const SHARE: Quantity = Quantity { what: "a share", unit: Unit::Percent, least: 1, most: ONE };
const CAP: Quantity = Quantity { least: 0, ..SHARE };
const WIDTH: Quantity = Quantity { what: "a width", ..SHARE };
const WAIT: Quantity = Quantity { what: "a wait", unit: Unit::Count, least: 1, most: u16::MAX as i64 };
const RETURN: Quantity = Quantity { what: "an expected return", unit: Unit::Percent, least: -ONE, most: 10 * ONE };
const WITHIN: Quantity = Quantity { what: "a time", unit: Unit::Count, least: 1, most: LOOKS };

/// A value of a field, read from left to right.
#[derive(Debug)]
pub(super) struct Phrase<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    line: usize,
    column: usize,
    signs: usize,
    mistakes: &'a mut Vec<Mistake>,
}

impl<'a> Phrase<'a> {
    pub(super) fn new(text: &'a str, line: usize, column: usize, mistakes: &'a mut Vec<Mistake>) -> Self {
        Self { tokens: tokens(text), at: 0, line, column, signs: text.chars().count(), mistakes }
    }

    pub(super) fn whole_condition(&mut self) -> Option<Condition> {
        let condition = self.condition();
        self.end().and(condition)
    }

    pub(super) fn whole_action(&mut self) -> Option<Action> {
        let action = self.action()?;
        self.end().map(|()| action)
    }

    pub(super) fn whole_expectation(&mut self, is_entry: bool) -> Option<Expectation> {
        let first = self.peek().map_or(0, |token| token.place);
        let return_ppm = self.quantity(RETURN);
        let keyword = self.keyword("within");
        let within = keyword.and_then(|()| self.quantity(WITHIN));
        self.end()?;
        let (return_ppm, within) = (return_ppm?, u32::try_from(within?).ok()?);
        if is_entry && return_ppm <= 0 {
            self.refuse(first, Problem::NoGain);
            return None;
        }
        Some(Expectation { return_ppm, within })
    }

    fn refuse(&mut self, place: usize, problem: Problem) {
        self.mistakes.push(Mistake { line: self.line, column: self.column + place, problem });
    }

    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn take(&mut self, kind: Kind) -> Option<Token<'a>> {
        let token = self.peek().filter(|token| token.kind == kind)?;
        self.at += 1;
        Some(token)
    }

    /// Says that something else should stand here.
    fn unexpected(&mut self, wanted: &'static str, hint: Option<&str>) {
        let (place, found) = match self.peek() {
            Some(token) => (token.place, quote(token.text)),
            None => (self.signs, "nothing".to_owned()),
        };
        self.refuse(place, Problem::Unexpected { found, wanted, hint: Hint::of(hint) });
    }

    /// Nothing may be left.
    fn end(&mut self) -> Option<()> {
        if self.at < self.tokens.len() {
            self.unexpected("the end of the line", None);
            return None;
        }
        Some(())
    }

    fn keyword(&mut self, word: &'static str) -> Option<()> {
        match self.peek() {
            Some(token) if token.text == word => {
                self.at += 1;
                Some(())
            }
            _ => {
                self.unexpected("another word", Some(word));
                // What follows cannot be read in its place.
                self.at = self.tokens.len();
                None
            }
        }
    }

    /// Comparisons up to the end. After a mistake it goes on at the next `and` or `or`, so that all are told.
    fn condition(&mut self) -> Option<Condition> {
        let mut parts = ArrayVec::new();
        let (mut join, mut count, mut is_whole) = (Join::And, 0, true);
        loop {
            let place = self.peek().map_or(self.signs, |token| token.place);
            let comparison = self.comparison();
            count += 1;
            is_whole &= comparison.is_some();
            if count == COMPARISONS + 1 {
                self.refuse(place, Problem::TooManyComparisons { most: COMPARISONS });
                is_whole = false;
            }
            if let Some(comparison) = comparison.filter(|_| !parts.is_full()) {
                parts.push((join, comparison));
            }
            if self.peek().is_some() && comparison.is_some() && self.join_here().is_none() {
                self.unexpected("`and` or `or`", self.peek().and_then(|token| meant_join(token.text)));
                is_whole = false;
            }
            while self.peek().is_some() && self.join_here().is_none() {
                self.at += 1;
            }
            match self.join_here() {
                Some(next) => join = next,
                None => break,
            }
            self.at += 1;
        }
        is_whole.then_some(Condition { parts })
    }

    fn join_here(&self) -> Option<Join> {
        match self.peek()?.text {
            "and" => Some(Join::And),
            "or" => Some(Join::Or),
            _ => None,
        }
    }

    fn comparison(&mut self) -> Option<Comparison> {
        if self.join_here().is_some() || self.peek().is_none_or(|token| token.kind != Kind::Word) {
            self.unexpected("a word such as `z(64)`", None);
            return None;
        }
        let token = self.take(Kind::Word)?;
        let Some(row) = Word::of(token.text) else {
            let hint = Hint::of(meant(token.text).map(with_span));
            self.refuse(token.place, Problem::UnknownWord { word: quote(token.text), hint });
            return None;
        };
        let word = self.span_of(row, token.place);
        let relation = self.relation()?;
        let quantity = Quantity { what: row.name, unit: row.unit, least: row.least, most: row.most };
        let threshold = self.quantity(quantity)?;
        Some(Comparison { word: word?, relation, threshold })
    }

    /// The word of a row with the span that follows.
    fn span_of(&mut self, row: &'static Word, place: usize) -> Option<Observable> {
        let span = if self.take(Kind::Open).is_some() {
            let written = self.peek().filter(|token| token.kind != Kind::Close);
            self.at += usize::from(written.is_some());
            if self.take(Kind::Close).is_none() {
                self.unexpected("`)`", None);
                return None;
            }
            Some(written)
        } else {
            None
        };
        match (row.make, span) {
            (Make::Plain(word), None) => Some(word),
            (Make::Plain(_), Some(_)) => {
                self.refuse(place, Problem::SpanTooMuch { word: row.name });
                None
            }
            (Make::Over(_), None | Some(None)) => {
                self.refuse(place, Problem::NoSpan { word: row.name });
                None
            }
            (Make::Over(make), Some(Some(written))) => match span_from(written.text) {
                Ok(span) => Some(make(span)),
                Err(near) => {
                    let hint = Hint::of(near.map(|span| format!("{}({})", row.name, span.looks())));
                    self.refuse(written.place, Problem::UnknownSpan { span: quote(written.text), hint });
                    None
                }
            },
        }
    }

    fn relation(&mut self) -> Option<Relation> {
        let text = self.peek().map_or("", |token| token.text);
        let relation = match text {
            "<=" => Relation::AtMost,
            ">=" => Relation::AtLeast,
            "<" => Relation::Below,
            ">" => Relation::Above,
            _ => {
                let hint = match text {
                    "=<" | "≤" => Some("<="),
                    "=>" | "≥" => Some(">="),
                    "below" | "under" | "less" => Some("<"),
                    "above" | "over" | "more" | "greater" => Some(">"),
                    _ => None,
                };
                self.unexpected("`<=`, `>=`, `<` or `>`", hint);
                return None;
            }
        };
        self.at += 1;
        Some(relation)
    }

    /// A number in its unit and range.
    fn quantity(&mut self, quantity: Quantity) -> Option<i64> {
        let Some(token) = self.take(Kind::Number) else {
            self.unexpected(example_of(quantity.unit), None);
            return None;
        };
        match read(token.text, quantity) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.refuse(token.place, problem);
                None
            }
        }
    }

    fn share(&mut self, quantity: Quantity) -> Option<Ppm> {
        self.quantity(quantity).and_then(|parts| u32::try_from(parts).ok()).and_then(Ppm::new)
    }

    fn action(&mut self) -> Option<Action> {
        let first = self.peek().map_or("", |token| token.text);
        let second = self.tokens.get(self.at + 1).map_or("", |token| token.text);
        let words = match (first, second) {
            ("hold" | "provide" | "wait", _) => 1,
            ("at", "most") | ("no", "entries") | ("tighten", "until") => 2,
            _ => {
                self.unknown_action(first);
                return None;
            }
        };
        self.at += words;
        match first {
            "hold" => Some(Action::Hold { share: self.share(SHARE)? }),
            "provide" => {
                let (width, share) = (self.share(WIDTH), self.share(SHARE));
                Some(Action::Provide { width: width?, share: share? })
            }
            "at" => Some(Action::AtMost { share: self.share(CAP)? }),
            "wait" => Some(Action::Wait { looks: u16::try_from(self.quantity(WAIT)?).ok()? }),
            "no" => Some(Action::NoEntries),
            _ => Some(Action::Tighten { until: self.condition()? }),
        }
    }

    fn unknown_action(&mut self, first: &str) {
        const OTHERS: [(&str, &str); 9] = [
            ("buy", "hold 60%"),
            ("long", "hold 60%"),
            ("enter", "hold 60%"),
            ("liquidity", "provide 4% 50%"),
            ("max", "at most 30%"),
            ("limit", "at most 30%"),
            ("pause", "wait 20"),
            ("block", "no entries"),
            ("stop", "no entries"),
        ];
        const FIRST: [(&str, &str); 6] = [
            ("hold", "hold 60%"),
            ("provide", "provide 4% 50%"),
            ("at", "at most 30%"),
            ("wait", "wait 20"),
            ("no", "no entries"),
            ("tighten", "tighten until gain <= -0.5%"),
        ];
        let lower = first.to_lowercase();
        let hint = OTHERS.iter().find(|(name, _)| *name == lower).map(|(_, action)| *action).or_else(|| {
            let near = nearest(first, FIRST.iter().map(|(name, _)| *name))?;
            FIRST.iter().find(|(name, _)| *name == near).map(|(_, action)| *action)
        });
        let place = self.peek().map_or(0, |token| token.place);
        self.refuse(place, Problem::UnknownAction { found: quote(first), hint: Hint::of(hint) });
    }
}

fn with_span(name: &str) -> String {
    match Word::of(name) {
        Some(row) if row.has_span() => format!("{name}(64)"),
        _ => name.to_owned(),
    }
}

fn meant_join(written: &str) -> Option<&'static str> {
    match written.to_lowercase().as_str() {
        "&" | "&&" | "," | "and" | "plus" => Some("and"),
        "|" | "||" | "/" | "or" => Some("or"),
        _ => None,
    }
}

/// The span of so many looks, or the nearest.
fn span_from(written: &str) -> Result<Span, Option<Span>> {
    let Ok(looks) = written.parse::<usize>() else { return Err(None) };
    let near = Span::ALL.into_iter().min_by_key(|span| span.looks().abs_diff(looks));
    near.filter(|span| span.looks() == looks).ok_or(near)
}

const fn example_of(unit: Unit) -> &'static str {
    match unit {
        Unit::Deviations => "a number such as `-1.25`",
        Unit::Percent => "a percentage such as `0.5%`",
        Unit::Ratio => "a number such as `0.5`",
        Unit::Count => "a whole number such as `200`",
    }
}

/// A number as it is written in its unit, exactly.
fn read(written: &str, quantity: Quantity) -> Result<i64, Problem> {
    let Quantity { what, unit, least, most } = quantity;
    let (digits, has_percent) = written.strip_suffix('%').map_or((written, false), |digits| (digits, true));
    let decimals = match unit {
        Unit::Percent => 4,
        Unit::Deviations | Unit::Ratio => 6,
        Unit::Count => 0,
    };
    let how = match unit {
        Unit::Percent => "write a percentage with at most four decimals, such as `0.5%`",
        Unit::Deviations | Unit::Ratio => "write a number with at most six decimals, such as `-1.25`",
        Unit::Count => "write a whole number, such as `200`",
    };
    let value = exact(digits, decimals).ok_or_else(|| Problem::NotANumber { written: quote(written), how });
    if has_percent != (unit == Unit::Percent) {
        let (told, hint) = match unit {
            Unit::Percent => ("in percent", format!("{digits}%")),
            Unit::Deviations => ("in deviations, without %", digits.to_owned()),
            Unit::Ratio => ("as a plain number, without %", digits.to_owned()),
            Unit::Count => ("as a whole number, without %", digits.to_owned()),
        };
        let hint = Hint::of(value.is_ok().then_some(hint));
        return Err(Problem::WrongUnit { what: what.to_owned(), unit: told, hint });
    }
    let value = value?;
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(Problem::OutOfRange {
        written: quote(written),
        what: what.to_owned(),
        least: print::number(unit, least),
        most: print::number(unit, most),
    })
}

/// A plain decimal as a whole number of its last place. `None` where it is none or finer than that; what is too large is
/// held at the largest number, which is out of every range.
fn exact(text: &str, decimals: usize) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let part = part.trim_end_matches('0');
    if !is_plain(whole) || !(part.is_empty() || is_plain(part)) || part.len() > decimals || digits.ends_with('.') {
        return None;
    }
    let value = format!("{whole}{part:0<decimals$}").parse::<i64>().unwrap_or(i64::MAX);
    Some(if is_negative { -value } else { value })
}
