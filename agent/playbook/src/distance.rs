//! P-010. How far two books are from each other.

use golem_primitives::Ppm;

use crate::book::Book;
use crate::rule::{Action, Comparison, Condition, Expectation, Relation, Rule};

/// Which rules of two books say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference<'a> {
    /// Rules of the one and of the other that say the same.
    pub same: Vec<(&'a Rule, &'a Rule)>,
    pub only_first: Vec<&'a Rule>,
    pub only_second: Vec<&'a Rule>,
}

impl<'a> Difference<'a> {
    /// Pairs as many rules as can be. The number does not depend on which book is named first.
    #[must_use]
    pub fn between(first: &'a Book, second: &'a Book) -> Self {
        let partners = Pairing::of(&first.rules, &second.rules).partner_of_second;
        let mut difference = Self { same: Vec::new(), only_first: Vec::new(), only_second: Vec::new() };
        for (place, rule) in first.rules.iter().enumerate() {
            match partners.iter().position(|partner| *partner == Some(place)) {
                Some(other) => difference.same.push((rule, &second.rules[other])),
                None => difference.only_first.push(rule),
            }
        }
        let alone = second.rules.iter().zip(&partners).filter(|(_, partner)| partner.is_none());
        difference.only_second.extend(alone.map(|(rule, _)| rule));
        difference
    }

    /// The share of all rules of both that only one has; two empty books are the same.
    #[must_use]
    pub fn distance(&self) -> Ppm {
        let alone = self.only_first.len() + self.only_second.len();
        match alone + self.same.len() {
            0 => Ppm::ZERO,
            all => Ppm::saturating((alone * 1_000_000 / all) as u64),
        }
    }
}

/// A largest set of pairs: whoever finds his only partner taken asks that one's partner to move.
struct Pairing<'a> {
    first: &'a [Rule],
    second: &'a [Rule],
    partner_of_second: Vec<Option<usize>>,
}

impl<'a> Pairing<'a> {
    fn of(first: &'a [Rule], second: &'a [Rule]) -> Self {
        let mut pairing = Self { first, second, partner_of_second: vec![None; second.len()] };
        for place in 0..first.len() {
            pairing.place(place, &mut vec![false; second.len()]);
        }
        pairing
    }

    fn place(&mut self, one: usize, asked: &mut [bool]) -> bool {
        for other in 0..self.second.len() {
            if asked[other] || !self.first[one].means(&self.second[other]) {
                continue;
            }
            asked[other] = true;
            if self.partner_of_second[other].is_none_or(|partner| self.place(partner, asked)) {
                self.partner_of_second[other] = Some(one);
                return true;
            }
        }
        false
    }
}

impl Rule {
    /// Whether another says the same: numbers within a tenth are the same, `<=` and `<` too; names, reasons and questions
    /// do not count.
    #[must_use]
    pub fn means(&self, other: &Self) -> bool {
        let both = |one: &Option<Condition>, other: &Option<Condition>| match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => same_condition(one, other),
            _ => false,
        };
        self.pool == other.pool
            && same_condition(&self.when, &other.when)
            && same_action(&self.action, &other.action)
            && both(&self.until, &other.until)
            && same_expectation(self.expects, other.expects)
    }
}

/// Within a tenth of the larger.
const fn near(one: i64, other: i64) -> bool {
    let (a, b) = (one.unsigned_abs(), other.unsigned_abs());
    let larger = if a > b { a } else { b };
    one.abs_diff(other) <= larger / 10
}

fn same_condition(one: &Condition, other: &Condition) -> bool {
    let same =
        |a: &Comparison, b: &Comparison| a.word == b.word && a.relation == b.relation && near(a.threshold, b.threshold);
    let (one, other) = (without_strictness(one), without_strictness(other));
    let all = |a: &Vec<Comparison>, b: &Vec<Comparison>| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| all(a, b))
}

/// The alternatives of a condition with `<` read as `<=`: a threshold itself is well within a tenth.
fn without_strictness(condition: &Condition) -> Vec<Vec<Comparison>> {
    let mut loose = condition.clone();
    for (_, comparison) in &mut loose.parts {
        comparison.relation = match comparison.relation {
            Relation::Below | Relation::AtMost => Relation::AtMost,
            Relation::Above | Relation::AtLeast => Relation::AtLeast,
        };
    }
    loose.alternatives()
}

fn same_action(one: &Action, other: &Action) -> bool {
    let parts = |a: Ppm, b: Ppm| near(i64::from(a.get()), i64::from(b.get()));
    match (one, other) {
        (Action::Hold { share: a }, Action::Hold { share: b })
        | (Action::AtMost { share: a }, Action::AtMost { share: b }) => parts(*a, *b),
        (Action::Provide { width: a, share: b }, Action::Provide { width: c, share: d }) => {
            parts(*a, *c) && parts(*b, *d)
        }
        (Action::Wait { looks: a }, Action::Wait { looks: b }) => near(i64::from(*a), i64::from(*b)),
        (Action::NoEntries, Action::NoEntries) => true,
        (Action::Tighten { until: a }, Action::Tighten { until: b }) => same_condition(a, b),
        _ => false,
    }
}

fn same_expectation(one: Option<Expectation>, other: Option<Expectation>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => {
            near(one.return_ppm, other.return_ppm) && near(i64::from(one.within), i64::from(other.within))
        }
        _ => false,
    }
}

#[cfg(test)]
#[path = "tests/distance.rs"]
mod tests;
