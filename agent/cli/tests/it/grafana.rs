//! The dashboard and the alert rules before a real scrape.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::Value;

use crate::bardo::wait_for;
use crate::town::Town;

const DASHBOARD: &str = include_str!("../../../../deploy/grafana/golems.json");
const RULES: &str = include_str!("../../../../deploy/grafana/rules.yml");
const EVENTS: &str = include_str!("../../../core/src/record/event.rs");

fn scrape(at: &str) -> Option<String> {
    let mut stream = TcpStream::connect(at).ok()?;
    write!(stream, "GET /metrics HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// A series that is asked for: its name, and the labels it is told apart by with what they must be.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    name: String,
    labels: Vec<String>,
}

/// The series of an expression.
fn wanted(expression: &str) -> Vec<Wanted> {
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let starts = expression.match_indices("golem_").map(|(at, _)| at);
    let starts = starts.filter(|at| !expression[..*at].ends_with(is_word));
    let read = |at: usize| {
        let rest = &expression[at..];
        let end = rest.find(|sign| !is_word(sign)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let inner = behind.strip_prefix('{').and_then(|inner| inner.split_once('}')).map_or("", |(inner, _)| inner);
        let label = |part: &str| part.split(['=', '!']).next().unwrap_or_default().trim().to_owned();
        let labels = inner.split(',').filter(|part| part.contains('=')).map(label).collect();
        Wanted { name: name.to_owned(), labels }
    };
    starts.map(read).collect()
}

/// Every expression of both files, with the labels that its legend or its words name.
fn expressions() -> Vec<(String, Vec<String>)> {
    let named = |text: &str, before: &str| -> Vec<String> {
        let parts = text.split(before).skip(1);
        parts
            .map(|part| part.chars().take_while(|sign| sign.is_ascii_alphanumeric() || *sign == '_').collect())
            .collect()
    };
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    let targets = dashboard["panels"].as_array().expect("panels").iter().flat_map(|panel| {
        assert!(panel["title"].as_str().is_some_and(|title| !title.is_empty()), "{panel}");
        panel["targets"].as_array().cloned().unwrap_or_default()
    });
    let mut all: Vec<(String, Vec<String>)> = targets
        .map(|target| {
            let (expression, legend) = (&target["expr"], target["legendFormat"].as_str().expect("a legend"));
            (expression.as_str().expect("an expression").to_owned(), named(legend, "{{"))
        })
        .collect();
    all.push(("golem_info".to_owned(), vec!["golem".to_owned()]));
    for rule in RULES.split("- alert: ").skip(1) {
        let expression = rule.lines().find_map(|line| line.trim().strip_prefix("expr: ")).expect("an expression");
        all.push((expression.to_owned(), named(rule, "{{ $labels.")));
    }
    all
}

/// O-016: every series and every label that the dashboard and the rules name is exported by a life, and every event they ask for
/// by its name exists.
#[test]
fn o_016_what_dashboard_and_rules_ask_for_is_exported() {
    let town = Town::build("40");
    town.json(&["golem", "create", "ada", "--credits", "50", "--capital", "500", "--gas", "0.02"]);
    let run = ["golem", "run", "ada", "--speed", "1000", "--json", "--metrics", "127.0.0.1:0"];
    let mut life = town.bardo(&run).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut said = BufReader::new(life.stderr.take().expect("piped")).lines();
    let at =
        said.find_map(|line| line.ok()?.strip_prefix("metrics at http://").map(str::to_owned)).expect("an address");
    let at = at.trim_end_matches("/metrics").to_owned();
    // What it knows is told after its first Curator cycle, and everything else before.
    let told = wait_for("a life behind its first Curator cycle is scraped", || {
        scrape(&at).filter(|told| told.contains("golem_playbook_rules{"))
    });
    life.kill().expect("killed");
    life.wait().expect("ended");

    let mut missing = BTreeSet::new();
    for (expression, more) in expressions() {
        let all = wanted(&expression);
        assert!(!all.is_empty(), "{expression} asks for nothing of a Golem's");
        for (place, Wanted { name, labels }) in all.iter().enumerate() {
            let of_it = told.lines().filter(|line| line.starts_with(&format!("{name}{{")));
            // What words and legends name belongs to what is asked for first.
            let labels = labels.iter().chain(more.iter().filter(|_| place == 0));
            let is_told = |line: &str| labels.clone().all(|label| line.contains(&format!("{label}=\"")));
            if !of_it.clone().any(is_told) {
                missing.insert(format!("{name} with {labels:?}", labels = labels.collect::<Vec<_>>()));
            }
        }
        for event in expression.split("name=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(EVENTS.contains(&format!("\"{event}\"")), "there is no event {event}");
        }
    }
    assert!(missing.is_empty(), "asked for and not exported: {missing:#?}");
}
