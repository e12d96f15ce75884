//! The hand (catalogue `P-`): rules that a person can read, tried on paper beside the life, and which of them may move
//! money.
//!
//! [`look`] is what is seen, [`observable`] the closed vocabulary computed from it, [`rule`] and [`book`] what is written in
//! that vocabulary. Everything is a pure function of looks: whole numbers where money and thresholds are compared, `f64` by
//! addition, multiplication, division and square root alone where a wealth or a mean is kept, so that the same looks give the
//! same digits on every machine.

pub mod account;
pub mod backtest;
pub mod book;
pub mod choice;
pub mod cost;
pub mod evidence;
pub mod guard;
pub mod hand;
pub mod look;
pub mod market;
pub mod observable;
pub mod prices;
pub mod promotion;
pub mod record;
pub mod rule;
pub mod search;
pub mod staging;
pub mod watch;

pub use book::Book;
pub use look::Look;
pub use observable::{Observable, Seen, Span, Unit};
pub use rule::{Action, Comparison, Condition, Expectation, Join, Relation, Rule};
pub use watch::Watch;

#[cfg(test)]
#[path = "tests/makers.rs"]
mod makers;
