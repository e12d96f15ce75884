//! Requirement ids: which the catalogues have, which the tests name.

use std::collections::{BTreeMap, BTreeSet};

use eyre::Result;

use crate::repo;

/// The catalogues' letters.
const LETTERS: &[u8] = b"MDGISALVTRO";

/// Every id a text names: a letter of a catalogue, a dash, three digits, standing alone.
pub(crate) fn ids(text: &str) -> BTreeSet<String> {
    let bytes = text.as_bytes();
    let is_word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut found = BTreeSet::new();
    for at in 0..bytes.len().saturating_sub(4) {
        let is_id = LETTERS.contains(&bytes[at])
            && bytes[at + 1] == b'-'
            && bytes[at + 2..at + 5].iter().all(u8::is_ascii_digit);
        if is_id && !is_word(at.checked_sub(1)) && !is_word(Some(at + 5)) {
            found.insert(text[at..at + 5].to_owned());
        }
    }
    found
}

/// The part of a file that is test: all of a test file, a Rust file from its first test module on.
pub(crate) fn test_part<'a>(path: &str, text: &'a str) -> &'a str {
    let in_test_room = path.split('/').any(|part| part == "test" || part == "tests");
    let named_test = [".t.sol", ".test.ts", ".test.mjs", ".spec.ts"].iter().any(|end| path.ends_with(end));
    if in_test_room || named_test {
        return text;
    }
    match text.find("#[cfg(test)]") {
        Some(start) if path.ends_with(".rs") => &text[start..],
        _ => "",
    }
}

/// Every requirement with its first words.
pub(crate) fn catalogue() -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for path in repo::files()?.iter().filter(|path| path.starts_with("docs/spec/")) {
        let text = repo::text(path).unwrap_or_default();
        for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("- ")) {
            let id = line.get(..5).unwrap_or_default();
            if ids(id).len() == 1 {
                all.insert(id.to_owned(), line[5..].trim().chars().take(100).collect());
            }
        }
    }
    Ok(all)
}

/// Every id a test names, with a file that does.
pub(crate) fn named_in_tests() -> Result<BTreeMap<String, String>> {
    let mut named = BTreeMap::new();
    let sources = [".rs", ".sol", ".ts", ".mjs", ".py"];
    for path in repo::files()?.iter().filter(|path| sources.iter().any(|end| path.ends_with(end))) {
        let text = repo::text(path).unwrap_or_default();
        for id in ids(test_part(path, &text)) {
            named.entry(id).or_insert_with(|| path.clone());
        }
    }
    Ok(named)
}

pub(crate) fn print_missing(prefix: &str) -> Result<()> {
    let (all, named) = (catalogue()?, named_in_tests()?);
    let missing: Vec<_> = all.iter().filter(|(id, _)| id.starts_with(prefix) && !named.contains_key(*id)).collect();
    for (id, words) in &missing {
        println!("{id} {words}");
    }
    println!(
        "{} of {} requirements are named by no test",
        missing.len(),
        all.keys().filter(|id| id.starts_with(prefix)).count()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stand_alone_and_have_three_digits() {
        // Assembled here, so that this file names no requirement.
        let id = |letter: char, digits: &str| format!("{letter}-{digits}");
        let text = format!(
            "see {} and ({}), not X{} nor {}4 nor {}",
            id('M', "001"),
            id('V', "030"),
            id('M', "002"),
            id('M', "003"),
            id('Z', "001")
        );
        assert_eq!(ids(&text).into_iter().collect::<Vec<_>>(), [id('M', "001"), id('V', "030")]);
    }

    #[test]
    fn only_the_test_part_of_a_file_counts() {
        let source = "code\n#[cfg(test)]\nmod tests";
        assert_eq!(test_part("agent/x/src/a.rs", source), "#[cfg(test)]\nmod tests");
        assert_eq!(test_part("agent/x/src/a.rs", "code"), "");
        assert_eq!(test_part("agent/x/tests/it/a.rs", "code"), "code");
        assert_eq!(test_part("test/unit/A.t.sol", "code"), "code");
        assert_eq!(test_part("contracts/A.sol", "code"), "");
    }
}
