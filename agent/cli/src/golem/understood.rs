//! P-062. What a Golem believes of its market, what it last claimed, and what came.

use golem_core::life::Life;
use golem_playbook::understanding::{Domain, Question};
use serde_json::{Value, json};

use crate::screen;

/// One row a question; nothing before the first claim.
pub(super) fn picture(life: &Life) -> Option<Value> {
    let understanding = life.trader()?.understanding();
    let row = |question: Question| {
        let belief = understanding.learnt().beliefs[question.domain as usize]?;
        let newest = understanding.newest(question);
        let (unit, one) = measure(question.domain);
        let number = |logarithm: f64| logarithm.exp() / one;
        Some(json!({
            "domain": question.domain.name(),
            "of": question.words(),
            "unit": unit,
            "believes": number(belief.say(question.size, 0.0)),
            "lasts": belief.slope().value(),
            "said": newest.map(|judged| number(judged.claim.said)),
            "came": newest.map(|judged| number(judged.came)),
        }))
    };
    let rows: Vec<Value> = Question::ALL.into_iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| json!(rows))
}

/// The unit a domain is shown in, and how much of the law's it is.
const fn measure(domain: Domain) -> (&'static str, f64) {
    match domain {
        Domain::Moves => ("%", 0.01),
        Domain::Fees => ("USDC", 1.0),
        Domain::Cost => ("gwei", 1e9),
    }
}

/// The same as a table.
pub(super) fn table(picture: &Value) {
    let Some(rows) = picture.as_array() else { return };
    let mut lines = vec![["domain", "what", "believed usual", "last said", "came"].map(str::to_owned).to_vec()];
    for row in rows {
        let text = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
        let number = |key: &str| row[key].as_f64().map_or("-".to_owned(), |value| amount(value, &text("unit")));
        lines.push(vec![text("domain"), text("of"), number("believes"), number("said"), number("came")]);
    }
    screen::table("What it understands of its market", &lines);
}

/// A number with as many digits as it deserves.
fn amount(value: f64, unit: &str) -> String {
    let digits = if value >= 100.0 { 0 } else { 3 };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_digits_they_deserve() {
        for (value, unit, words) in [(0.052_34, "%", "0.052 %"), (12_345.6, "USDC", "12346 USDC")] {
            assert_eq!(amount(value, unit), words);
        }
    }
}
