//! P-006, P-007. What a book must not say, and what it should.

use golem_primitives::Ppm;

use crate::error::{Mistake, Problem, Remark, RemarkKind};
use crate::parse::Placed;
use crate::rule::{Action, Rule};

/// P-006. Guards that cannot both be meant. Two contradict each other when they wake at the same `when` and allow different
/// shares or waits; a guard that forbids all entries contradicts an entry that never wakes without it.
pub(crate) fn contradictions(rules: &[Placed]) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for (place, later) in rules.iter().enumerate() {
        for earlier in &rules[..place] {
            if let Some(why) = contradiction(&earlier.rule, &later.rule) {
                let (rule, other) = (later.rule.name.clone(), earlier.rule.name.clone());
                let problem = Problem::Contradiction { rule, other, line: earlier.line, why };
                mistakes.push(Mistake { line: later.line, column: 1, problem });
            }
        }
    }
    mistakes
}

fn contradiction(one: &Rule, other: &Rule) -> Option<&'static str> {
    let is_same_when =
        || one.pool == other.pool && one.when.alternatives() == other.when.alternatives() && one.until == other.until;
    // P-057. An entry into all pools is free in those that the guard does not speak of.
    let covers = |guard: &Rule, entry: &Rule| guard.pool.is_none() || guard.pool == entry.pool;
    match (&one.action, &other.action) {
        (Action::AtMost { share: a }, Action::AtMost { share: b }) if a != b && is_same_when() => {
            Some("they wake together and allow different shares; keep one")
        }
        (Action::Wait { looks: a }, Action::Wait { looks: b }) if a != b && is_same_when() => {
            Some("they wake together and wait for different times; keep one")
        }
        (guard, entry) if forbids(guard) && !entry.is_guard() && covers(one, other) => {
            other.when.implies(&one.when).then_some(FORBIDDEN)
        }
        (entry, guard) if forbids(guard) && !entry.is_guard() && covers(other, one) => {
            one.when.implies(&other.when).then_some(FORBIDDEN)
        }
        _ => None,
    }
}

const FORBIDDEN: &str = "the guard is awake whenever the entry wakes, and forbids it";

/// Whether no entry is possible beside it.
fn forbids(action: &Action) -> bool {
    matches!(action, Action::NoEntries | Action::AtMost { share: Ppm::ZERO })
}

/// P-007. What is worth a word.
pub(crate) fn remarks(rules: &[Placed]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for Placed { line, rule } in rules {
        let mut remark = |kind| remarks.push(Remark { line: *line, rule: rule.name.clone(), kind });
        if rule.because.is_none() && rule.asks.is_none() {
            remark(RemarkKind::NoReason);
        }
        if !rule.when.can_hold() {
            remark(RemarkKind::NeverWakes);
        }
        if rule.until.as_ref().is_some_and(|until| !until.can_hold()) {
            remark(RemarkKind::NeverEnds);
        }
    }
    remarks
}
