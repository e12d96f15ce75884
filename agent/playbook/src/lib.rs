//! The hand (catalogue `P-`): rules that a person can read, tried on paper beside the life, and which of them may move
//! money.
//!
//! [`look`] is what is seen, [`watch`] computes the closed [`vocabulary`] from it ([`observable`]), [`rule`] and [`book`] are
//! what is written in that vocabulary; [`parse()`] reads a file and tells every mistake, [`mod@print`] writes it, [`say`] puts it
//! in words, [`distance`] compares two books.
//!
//! A [`hand`] tries every rule on paper ([`account`], [`guard`]), keeps what each has shown ([`evidence`]) and what it may
//! move ([`confidence`], [`staging`], [`promotion`]), and chooses ([`choice`]) within one [`budget`] for all pools, for reasons [`why`] puts in words; [`search`] finds rules in the [`mod@record`] and [`threats`] a guard for them, [`tuning`] makes more of what was counted, [`phages`] try one change of a rule each, [`stains`] are the markets a line died of, [`backtest`] lives
//! through [`prices`] that are past or a [`market`] that never was. [`understanding`] is what is claimed of the market itself
//! and judged.
//!
//! Everything is a pure function of looks: whole numbers where money and thresholds are compared, `f64` by addition,
//! multiplication, division, square root and pinned functions alone where a wealth or a mean is kept, so that the same looks
//! give the same digits on every machine.

pub mod account;
pub mod backtest;
pub mod book;
pub mod budget;
mod check;
pub mod choice;
pub mod confidence;
pub mod cost;
pub mod distance;
pub mod error;
pub mod evidence;
pub mod guard;
pub mod hand;
pub mod information;
pub mod links;
pub mod look;
pub mod market;
mod meaning;
pub mod observable;
pub mod parse;
pub mod phages;
pub mod prices;
pub mod print;
pub mod promotion;
mod range;
pub mod record;
pub mod rewriting;
pub mod rule;
pub mod say;
pub mod search;
pub mod staging;
pub mod stains;
pub mod threats;
pub mod tuning;
pub mod understanding;
pub mod vocabulary;
pub mod watch;
pub mod why;

pub use book::Book;
pub use distance::Difference;
pub use error::{Mistake, Mistakes, Problem, Remark};
pub use look::Look;
pub use observable::{Observable, Seen, Span, Unit};
pub use parse::{Document, parse};
pub use rule::{Action, Comparison, Condition, Expectation, Join, Relation, Rule};
pub use vocabulary::{WORDS, Word};
pub use watch::Watch;

#[cfg(test)]
#[path = "tests/books.rs"]
mod books;
#[cfg(test)]
#[path = "tests/makers.rs"]
mod makers;
