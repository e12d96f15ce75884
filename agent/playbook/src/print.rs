//! P-005. A book as the text it is read from.

use std::fmt;

use golem_primitives::Ppm;

use crate::book::Book;
use crate::observable::{Observable, Unit};
use crate::rule::{Action, Comparison, Condition, Expectation, Join, Relation, Rule};

/// A whole number of millionths as a decimal with as many digits as it needs.
pub(crate) fn decimal(value: i64, decimals: u32) -> String {
    let unit = 10_u64.pow(decimals);
    let (whole, part) = (value.unsigned_abs() / unit, value.unsigned_abs() % unit);
    let sign = if value < 0 { "-" } else { "" };
    if part == 0 {
        return format!("{sign}{whole}");
    }
    let digits = format!("{part:0width$}", width = decimals as usize);
    format!("{sign}{whole}.{}", digits.trim_end_matches('0'))
}

/// A value as a threshold is written.
#[must_use]
pub fn number(unit: Unit, value: i64) -> String {
    match unit {
        Unit::Deviations | Unit::Ratio => decimal(value, 6),
        Unit::Percent => format!("{}%", decimal(value, 4)),
        Unit::Count => value.to_string(),
    }
}

pub(crate) fn percent(share: Ppm) -> String {
    number(Unit::Percent, i64::from(share.get()))
}

impl fmt::Display for Observable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row() {
            (row, Some(span)) => write!(f, "{}({})", row.name, span.looks()),
            (row, None) => f.write_str(row.name),
        }
    }
}

impl Relation {
    /// As it is written.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Below => "<",
            Self::Above => ">",
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.word, self.relation.sign(), number(self.word.row().0.unit, self.threshold))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (join, comparison)) in self.parts.iter().enumerate() {
            match join {
                _ if place == 0 => {}
                Join::And => f.write_str(" and ")?,
                Join::Or => f.write_str(" or ")?,
            }
            comparison.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hold { share } => write!(f, "hold {}", percent(*share)),
            Self::Provide { width, share } => write!(f, "provide {} {}", percent(*width), percent(*share)),
            Self::AtMost { share } => write!(f, "at most {}", percent(*share)),
            Self::Wait { looks } => write!(f, "wait {looks}"),
            Self::NoEntries => f.write_str("no entries"),
            Self::Tighten { until } => write!(f, "tighten until {until}"),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.return_ppm >= 0 { "+" } else { "" };
        write!(f, "{sign}{} within {}", number(Unit::Percent, self.return_ppm), self.within)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "### {}", self.name)?;
        if let Some(pool) = self.pool {
            writeln!(f, "- in: {pool}")?;
        }
        writeln!(f, "- when: {}", self.when)?;
        writeln!(f, "- do: {}", self.action)?;
        if let Some(until) = &self.until {
            writeln!(f, "- until: {until}")?;
        }
        if let Some(expects) = &self.expects {
            writeln!(f, "- expects: {expects}")?;
        }
        if let Some(because) = &self.because {
            writeln!(f, "- because: {because}")?;
        }
        if let Some(asks) = &self.asks {
            writeln!(f, "- asks: {asks}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Book {
    /// The canonical form: the title, then every rule, a blank line between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# {}", self.title)?;
        self.rules.iter().try_for_each(|rule| write!(f, "\n{rule}"))
    }
}
