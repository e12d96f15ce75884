//! A rule in plain English, for those who do not read signs.

use crate::print::{number, percent};
use crate::rule::{Action, Comparison, Condition, Join, Relation, Rule};
use crate::vocabulary::{Saying, Word};

impl Rule {
    /// The whole rule as a sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let end = match &self.until {
            Some(until) => format!(", until {}", until.in_words()),
            None => ", as long as that is so".to_owned(),
        };
        let expects = self.expects.map_or_else(String::new, |expects| format!("; it expects {expects} looks"));
        let place = self.pool.map_or_else(|| "When".to_owned(), |pool| format!("In {pool}, when"));
        format!("{place} {}, {}{end}{expects}.", self.when.in_words(), self.action.in_words())
    }
}

impl Condition {
    /// All comparisons in words; where `and` and `or` meet, what belongs together stands between commas.
    #[must_use]
    pub fn in_words(&self) -> String {
        let has = |wanted| self.parts.iter().skip(1).any(|(join, _)| *join == wanted);
        let or = if has(Join::And) && has(Join::Or) { ", or " } else { " or " };
        let mut words = String::new();
        for (place, (join, comparison)) in self.parts.iter().enumerate() {
            words.push_str(match join {
                _ if place == 0 => "",
                Join::And => " and ",
                Join::Or => or,
            });
            words.push_str(&comparison.in_words());
        }
        words
    }
}

impl Action {
    /// What it does, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Hold { share } => {
                format!("hold {} of the capital a trade may use in the token", percent(*share))
            }
            Self::Provide { width, share } => format!(
                "provide liquidity {} either side of the price with {} of the capital a trade may use",
                percent(*width),
                percent(*share)
            ),
            Self::AtMost { share } => format!("hold at most {} of the capital a trade may use", percent(*share)),
            Self::Wait { looks } => format!("enter nothing for {}", counted(&looks.to_string(), "looks")),
            Self::NoEntries => "enter nothing".to_owned(),
            Self::Tighten { until } => format!("leave already when {}", until.in_words()),
        }
    }
}

impl Comparison {
    /// What is compared, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let (row, span) = self.word.row();
        let looks = span.map_or_else(String::new, |span| span.looks().to_string());
        let said = match row.saying {
            Saying::Is(noun) => {
                let relation = match self.relation {
                    Relation::AtMost => "is at most",
                    Relation::AtLeast => "is at least",
                    Relation::Below => "is below",
                    Relation::Above => "is above",
                };
                format!("{noun} {relation} {}", amount(row, self.threshold))
            }
            Saying::Stands { subject, mark } => format!("{subject} {}", stands(self, row, mark)),
        };
        said.replace("{w}", &looks)
    }
}

/// So much above or below a mark.
fn stands(comparison: &Comparison, row: &Word, mark: &str) -> String {
    let at = comparison.threshold;
    let side = if at < 0 { "below" } else { "above" };
    let wants_more = matches!(comparison.relation, Relation::AtLeast | Relation::Above);
    let is_strict = matches!(comparison.relation, Relation::Below | Relation::Above);
    if at == 0 {
        let side = if wants_more { "above" } else { "below" };
        return if is_strict { format!("{side} {mark}") } else { format!("at or {side} {mark}") };
    }
    let how = match (wants_more == (at > 0), is_strict) {
        (true, false) => "at least",
        (true, true) => "more than",
        (false, false) => "no more than",
        (false, true) => "less than",
    };
    format!("{how} {} {side} {mark}", amount(row, at.saturating_abs()))
}

/// A number with what it counts.
fn amount(row: &Word, value: i64) -> String {
    counted(&number(row.unit, value), row.counted)
}

fn counted(number: &str, unit: &str) -> String {
    match (number, unit) {
        (_, "") => number.to_owned(),
        ("1" | "-1", plural) => format!("{number} {}", plural.strip_suffix('s').unwrap_or(plural)),
        (_, plural) => format!("{number} {plural}"),
    }
}

#[cfg(test)]
#[path = "tests/say.rs"]
mod tests;
