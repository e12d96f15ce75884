//! P-048, P-055. Decisions and changes in plain English, with the numbers that decided.

use crate::account::ForgoneEntry;
use crate::choice::{Cut, Taker, TooSmall, Voice, Why};
use crate::cost::ONCE;
use crate::observable::Unit;
use crate::print::{decimal, number, percent};
use crate::promotion::{DatedChange, RuleChange, Standing, Tried};
use crate::rule::Action;

/// P-055. The reasons of a decision, a sentence each: who was awake, who led, what cut it, what was forgone or too small.
/// `tried` names the rules; one that has left since is told by its number.
#[must_use]
pub fn say(why: &Why, tried: &[Tried]) -> Vec<String> {
    let mut said = vec![awake(why, tried), led(why, tried)];
    said.extend(why.divided.map(|wanted| {
        format!("It wanted {}, and the budget is divided among the pools by evidence.", percent(wanted))
    }));
    said.extend(why.cuts.iter().map(|cut| cut_down(cut, tried)));
    said.extend(why.manner_kept_by.map(|guard| {
        format!("The guard {} lets nothing be entered, so what stands stays as it is.", name(guard, tried))
    }));
    said.extend(why.forgone.map(|(of, entry)| forgone(&name(of, tried), &entry)));
    said.extend(why.too_small.map(|TooSmall { difference, cost }| {
        format!("The change was not made: it would move {difference} and moving it costs {cost}.")
    }));
    said
}

fn awake(why: &Why, tried: &[Tried]) -> String {
    let voice = |voice: &Voice| {
        let (evidence, moves) = (evidence(voice.evidence), voice.standing.in_words());
        format!("{} (evidence {evidence}, moves {moves})", name(voice.number, tried))
    };
    let voices: Vec<String> = why.awake.iter().map(voice).collect();
    match voices.as_slice() {
        [] => "No rule was awake.".to_owned(),
        [one] => format!("One rule was awake: {one}."),
        [first @ .., last] => format!("{} rules were awake: {} and {last}.", voices.len(), first.join(", ")),
    }
}

fn led(why: &Why, tried: &[Tried]) -> String {
    let Some(leader) = why.leader else { return "Nobody led, so nothing is to stand.".to_owned() };
    let known = tried.iter().find(|tried| tried.number() == leader.number);
    let (leader, share) = (name(leader.number, tried), percent(why.wanted));
    match known.map(|tried| &tried.rule.action) {
        Some(Action::Provide { width, .. }) => {
            let width = percent(*width);
            format!("{leader} led and wanted {share} of the capital provided {width} either side of the price.")
        }
        _ => format!("{leader} led and wanted {share} of the capital in the token."),
    }
}

fn cut_down(cut: &Cut, tried: &[Tried]) -> String {
    let by = match cut.by {
        Taker::Guard(number) => format!("The guard {}", name(number, tried)),
        Taker::Phase => "The phase of life".to_owned(),
        Taker::Information => "What is seen, which tells nothing any more,".to_owned(),
        Taker::Lean => "Mood and suffering".to_owned(),
        Taker::Warnings => "Warnings".to_owned(),
        Taker::Vault => "The owner's policy".to_owned(),
    };
    format!("{by} cut that to {}.", percent(cut.to))
}

fn forgone(rule: &str, entry: &ForgoneEntry) -> String {
    let ForgoneEntry { expected_ppm, cost_ppm, caution_ppm } = *entry;
    if cost_ppm == i64::MAX {
        return format!("An entry of {rule} was forgone: there is nothing to enter with.");
    }
    let (expected, cost) = (number(Unit::Percent, expected_ppm), number(Unit::Percent, cost_ppm));
    let asked = if caution_ppm > ONCE {
        format!(", of which it must promise {} times", decimal(i64::from(caution_ppm), 6))
    } else {
        String::new()
    };
    format!("An entry of {rule} was forgone: it expects {expected} and going in and out again costs {cost}{asked}.")
}

impl DatedChange {
    /// P-048. What happened to which rule, as a sentence.
    #[must_use]
    pub fn in_words(&self, tried: &[Tried]) -> String {
        format!("{} {}.", name(self.number, tried), self.change.in_words())
    }
}

impl RuleChange {
    /// What a rule did or what was done to it, with the numbers that decided; the name of the rule goes before it.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Staged { block, bound_of_a_loss, standing } => {
                let (lost, moves) = (bound_of_a_loss * 100.0, standing.in_words());
                format!("was staged in block {block}: a trip can lose {lost:.2}%, it moves {moves}")
            }
            Self::OnTrial { evidence: shown } => format!("moves a quarter: evidence {} of 20", evidence(*shown)),
            Self::Promoted { evidence: shown, bound, block, promoted } => {
                let shown = evidence(*shown);
                format!("moves its whole stake: evidence {shown} of {bound:.1}, number {promoted} of block {block}")
            }
            Self::Rested { detector, wanted, evidence: shown } => {
                let (detector, wanted, shown) = (evidence(*detector), wanted * 100.0, evidence(*shown));
                format!("rests: detector {detector} of 20 against {wanted:.3}% a trip, evidence was {shown}")
            }
            Self::Approved => "is let through the gate by its owner".to_owned(),
            Self::Rejected => "leaves: its owner does not want it".to_owned(),
            Self::Withdrawn { alarms, false_alarms } => {
                format!("is obeyed no more: {false_alarms} of its last {alarms} alarms saved nothing")
            }
            Self::Woken { evidence: shown } => format!("wakes to a quarter: evidence {} of 20", evidence(*shown)),
            Self::MadeRoom { evidence: shown } => format!("made room for another: evidence {}", evidence(*shown)),
            Self::Refused { tried } => format!("was refused: {tried} rules are tried and none may go"),
            Self::Refuted { confidence, trips, evidence: shown } => {
                let shown = evidence(*shown);
                format!("is refuted: believed to {confidence} in 100 after {trips} trips, evidence {shown}; it leaves")
            }
        }
    }
}

impl Standing {
    /// What it lets a rule move.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Rest => "nothing (rests)",
            Self::Paper => "nothing (on paper)",
            Self::Trial => "a quarter (trial)",
            Self::Whole => "its whole stake",
        }
    }
}

/// Evidence as a person reads it.
#[must_use]
pub fn evidence(value: f64) -> String {
    if value >= 1e6 { format!("{value:.0e}") } else { format!("{value:.2}") }
}

fn name(number: u64, tried: &[Tried]) -> String {
    let known = tried.iter().find(|tried| tried.number() == number);
    known.map_or_else(|| format!("rule {number}"), |tried| tried.rule.name.clone())
}

#[cfg(test)]
#[path = "tests/why.rs"]
mod tests;
