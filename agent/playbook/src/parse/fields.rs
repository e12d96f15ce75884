//! The parts of a rule.

use golem_primitives::PoolName;

use super::phrase::Phrase;
use crate::error::{Mistake, Problem};
use crate::rule::Rule;

/// A part of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    In,
    When,
    Do,
    Until,
    Expects,
    Because,
    Asks,
}

/// What is known of a part.
#[derive(Debug)]
pub(super) struct FieldRow {
    pub(super) name: &'static str,
    field: Field,
    example: &'static str,
    /// What people write for it elsewhere.
    pub(super) also: &'static [&'static str],
}

/// Every part, in the order it is printed.
pub(super) const FIELDS: [FieldRow; 7] = [
    FieldRow { name: "in", field: Field::In, example: "weth-500", also: &["pool", "market", "where"] },
    FieldRow { name: "when", field: Field::When, example: "z(64) <= -1.25", also: &["if", "entry", "enter", "buy"] },
    FieldRow { name: "do", field: Field::Do, example: "hold 60%", also: &["then", "action", "act"] },
    FieldRow {
        name: "until",
        field: Field::Until,
        example: "z(64) >= 0 or gain <= -1.5%",
        also: &["exit", "sell", "stop"],
    },
    FieldRow { name: "expects", field: Field::Expects, example: "+0.7% within 200", also: &["expected", "target"] },
    FieldRow { name: "because", field: Field::Because, example: "what fell fast came back", also: &["why", "reason"] },
    FieldRow {
        name: "asks",
        field: Field::Asks,
        example: "does it hold when gas is high?",
        also: &["question", "open"],
    },
];

impl Field {
    pub(super) fn of(name: &str) -> Option<Self> {
        FIELDS.iter().find(|row| row.name == name).map(|row| row.field)
    }

    pub(super) fn row(self) -> &'static FieldRow {
        &FIELDS[self as usize]
    }
}

/// A value and its place.
#[derive(Debug, Clone)]
struct Value {
    text: String,
    line: usize,
    column: usize,
}

/// A rule while it is read.
#[derive(Debug)]
pub(super) struct Partial {
    name: String,
    pub(super) line: usize,
    values: [Option<Value>; FIELDS.len()],
}

impl Partial {
    pub(super) fn new(name: &str, line: usize) -> Self {
        Self { name: name.to_owned(), line, values: [const { None }; FIELDS.len()] }
    }

    pub(super) fn set(&mut self, field: Field, line: usize, column: usize, text: &str) -> Result<(), Problem> {
        let row = field.row();
        if let Some(first) = &self.values[field as usize] {
            return Err(Problem::Twice { field: row.name, line: first.line });
        }
        self.values[field as usize] = Some(Value { text: text.to_owned(), line, column });
        if text.is_empty() {
            return Err(Problem::Empty { field: row.name, example: row.example });
        }
        Ok(())
    }

    /// The rule, if it has no mistake; what is wrong goes to `mistakes`.
    pub(super) fn finish(mut self, mistakes: &mut Vec<Mistake>) -> Option<Rule> {
        let pool = self.pool(mistakes);
        let when = self.read(Field::When, mistakes, |phrase| phrase.whole_condition());
        let action = self.read(Field::Do, mistakes, |phrase| phrase.whole_action());
        let until = self.read(Field::Until, mistakes, |phrase| phrase.whole_condition());
        let is_entry = self.is_entry();
        let expects = self.read(Field::Expects, mistakes, |phrase| phrase.whole_expectation(is_entry));
        self.require(Field::When, "", mistakes);
        self.require(Field::Do, "", mistakes);
        if is_entry {
            self.require(Field::Until, " and would never leave", mistakes);
            self.require(Field::Expects, ", so nobody can say whether it pays its costs", mistakes);
        }
        let [.., because, asks] = self.values.map(|value| value.map(|value| value.text));
        Some(Rule { name: self.name, pool: pool?, when: when?, action: action?, until, expects, because, asks })
    }

    /// P-057. The pool it names, if any; nothing where what stands there is no name.
    fn pool(&self, mistakes: &mut Vec<Mistake>) -> Option<Option<PoolName>> {
        let Some(value) = self.values[Field::In as usize].as_ref().filter(|value| !value.text.is_empty()) else {
            return Some(None);
        };
        match value.text.parse() {
            Ok(pool) => Some(Some(pool)),
            Err(error) => {
                mistakes.push(Mistake { line: value.line, column: value.column, problem: Problem::BadPool(error) });
                None
            }
        }
    }

    /// Whether it puts money in, judged by its first word, so that what an entry needs is told beside a slip in its numbers.
    fn is_entry(&self) -> bool {
        let action = self.values[Field::Do as usize].as_ref();
        action
            .and_then(|value| value.text.split_whitespace().next())
            .is_some_and(|first| ["hold", "provide"].contains(&first))
    }

    fn read<T>(
        &mut self,
        field: Field,
        mistakes: &mut Vec<Mistake>,
        reads: impl FnOnce(&mut Phrase<'_>) -> Option<T>,
    ) -> Option<T> {
        let value = self.values[field as usize].as_ref().filter(|value| !value.text.is_empty())?;
        reads(&mut Phrase::new(&value.text, value.line, value.column, mistakes))
    }

    fn require(&self, field: Field, why: &'static str, mistakes: &mut Vec<Mistake>) {
        if self.values[field as usize].is_none() {
            let row = field.row();
            let problem = Problem::Missing { rule: self.name.clone(), field: row.name, why, example: row.example };
            mistakes.push(Mistake { line: self.line, column: 1, problem });
        }
    }
}
