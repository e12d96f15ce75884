//! The book it acts by: who is awake, what each rule has shown, and why it decided.

use golem_view::{TriedRule, columns_of};
use ratatui::text::Line;

use crate::ink::{Ink, line, sentences, table};
use crate::scene::Portrait;

pub(crate) fn lines(portrait: &Portrait, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for why in &portrait.why {
        lines.push(line(format!(" why, at tick {} in {}", portrait.life.tick, why.pool), ink.strong()));
        lines.extend(set_in(sentences(&why.words, ink.accent(), columns.saturating_sub(2))));
        lines.push(line("", ink.plain()));
    }
    if portrait.rules.is_empty() {
        lines.push(line(" it has not looked at its market with capital yet, so that no rule is tried", ink.dim()));
        return lines;
    }
    let mut rules: Vec<TriedRule> = portrait.rules.clone();
    // Who is awake stands first; among those as its book has them.
    rules.sort_by_key(|rule| !rule.awake);
    let awake = rules.iter().filter(|rule| rule.awake).count();
    let book = portrait.life.hand.as_ref().map_or_else(String::new, |hand| format!(" of {}", hand.book));
    let count = if rules.len() == 1 { "one rule".to_owned() } else { format!("{} rules", rules.len()) };
    let heading = format!(" {count}{book}, {awake} awake");
    let several = rules.iter().any(|rule| rule.pool != rules[0].pool);
    let mut names = vec!["rule", "awake", "may move", "evidence", "trips", "mean", "from"];
    if several {
        names.insert(1, "pool");
    }
    lines.extend(table(&columns_of(&heading, &rules, &names), ink, columns, true));
    lines.push(line("", ink.plain()));
    let mut said: Vec<String> = Vec::new();
    for rule in &rules {
        let words = format!("{}: {}", rule.name, rule.says);
        // A rule that speaks of all pools is tried in each, and said once.
        if !said.contains(&words) {
            said.push(words);
        }
    }
    lines.extend(set_in(sentences(&said, ink.plain(), columns.saturating_sub(2))));
    lines
}

fn set_in(lines: Vec<Line<'static>>) -> impl Iterator<Item = Line<'static>> {
    lines.into_iter().map(|mut line| {
        line.spans.insert(0, "  ".into());
        line
    })
}
