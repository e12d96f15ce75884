//! What no compiler checks.

use eyre::{Result, bail};

use crate::{abi, arrows, docs, features, names, repo, spec, unreached};

/// Longest file without a reason; a reason is a line `Long file: why` within its first lines.
const LONGEST: usize = 800;
const REASON_WITHIN: usize = 30;
/// What unfinished code looks like. Written apart, so that this file does not complain of itself.
const UNFINISHED: [&str; 6] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[ig", "nore"),
    concat!("vm.", "skip("),
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
];
/// Paths of one machine, and addresses of registries: neither belongs into a committed file.
const FOREIGN: [&str; 5] = [
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("/home", "/"),
    concat!("registry.npm", "js.org"),
    concat!("static.crates", ".io"),
];
const SOURCES: [&str; 7] = [".rs", ".sol", ".mjs", ".js", ".ts", ".sh", ".py"];

pub(crate) fn run() -> Result<()> {
    let mut problems = arrows::problems()?;
    problems.extend(unknown_ids()?);
    problems.extend(features::problems()?);
    problems.extend(names::problems()?);
    problems.extend(docs::problems()?);
    problems.extend(unreached::problems()?);
    for path in repo::files()? {
        let Some(text) = repo::text(&path) else { continue };
        problems.extend(file_problems(&path, &text));
    }
    problems.extend(abi::stale()?);
    if problems.is_empty() {
        println!("tidy: nothing to complain of");
        return Ok(());
    }
    for problem in &problems {
        eprintln!("tidy: {problem}");
    }
    bail!("{} thing(s) to tidy", problems.len())
}

fn unknown_ids() -> Result<Vec<String>> {
    let known = spec::catalogue()?;
    let named = spec::named_in_tests()?;
    let unknown = named.iter().filter(|(id, _)| !known.contains_key(*id));
    Ok(unknown.map(|(id, path)| format!("{path} names {id}, which no catalogue in docs/spec has")).collect())
}

fn file_problems(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let is_source = SOURCES.iter().any(|end| path.ends_with(end)) || text.starts_with("#!");
    let is_lock = path.ends_with(".lock") || path.ends_with("package-lock.json");
    if is_source && text.lines().count() > LONGEST {
        let reasoned = text.lines().take(REASON_WITHIN).any(|line| line.contains("Long file: "));
        if !reasoned {
            problems.push(format!("{path} has more than {LONGEST} lines and no `Long file: why` near its top"));
        }
    }
    for (number, line) in text.lines().enumerate() {
        let place = format!("{path}:{}", number + 1);
        if is_source {
            let found = UNFINISHED.iter().filter(|word| line.contains(**word));
            problems.extend(found.map(|word| format!("{place} is unfinished: `{word}`")));
        }
        // The lock files name registries by their canonical ids; only their own addresses are foreign there.
        let foreign = FOREIGN.iter().filter(|word| line.contains(**word) && !(is_lock && word.starts_with('/')));
        problems.extend(foreign.map(|word| format!("{place} holds `{word}`, which is of one machine or one mirror")));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_long_and_foreign_lines_are_found() {
        let long = "line\n".repeat(LONGEST + 1);
        let excused = format!("// Long file: one table.\n{long}");
        // (path, text, complaints)
        for (path, text, complaints) in [
            ("a.rs", "fn a() {}", 0),
            ("a.rs", concat!("fn a() { to", "do!() }"), 1),
            ("a.sol", concat!("// TO", "DO later"), 1),
            ("a.md", concat!("a TO", "DO in prose is no code"), 0),
            ("a.rs", long.as_str(), 1),
            ("a.rs", excused.as_str(), 0),
            ("a.md", long.as_str(), 0),
            ("a.toml", concat!("path = \"/ho", "me/me/x\""), 1),
            ("package-lock.json", concat!("\"resolved\": \"https://registry.npm", "js.org/x\""), 1),
        ] {
            let found = file_problems(path, text);
            assert_eq!(found.len(), complaints, "{path}: {found:?}");
        }
    }
}
