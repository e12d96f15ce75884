//! One word per thing: a public type's name is defined once in the workspace.
//!
//! What may be defined twice stands in `scripts/xtask/names.txt`, each with the reason why. That list may only shrink: a name
//! that is not on it and is defined a second time is a complaint, and so is one on it that is no longer, or without a reason.

use std::collections::BTreeMap;

use eyre::Result;

use crate::repo;

const LIST: &str = "scripts/xtask/names.txt";

pub(crate) fn problems() -> Result<Vec<String>> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in repo::files()? {
        let is_source = path.starts_with("agent/") && path.contains("/src/") && path.ends_with(".rs");
        let Some(text) = repo::text(&path).filter(|_| is_source && !path.contains("/tests/")) else { continue };
        for name in defined(&text) {
            places.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    places.retain(|_, places| places.len() > 1);
    let listed = repo::text(LIST).unwrap_or_default();
    Ok(compare(&places, &reasons(&listed)))
}

/// The names of the list with their reasons: a line of it is `Name: reason`.
fn reasons(list: &str) -> BTreeMap<&str, &str> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(':').unwrap_or((line, ""))).map(|(name, why)| (name.trim(), why.trim())).collect()
}

/// The names of the public types of a file, with those that `words!` makes.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    let mut in_words = InWords::default();
    text.lines().filter_map(move |line| {
        if let Some(name) = in_words.name(line) {
            return Some(name);
        }
        let rest = line.trim_start().strip_prefix("pub ")?;
        let (kind, rest) = rest.split_once(' ')?;
        let is_type = matches!(kind, "struct" | "enum" | "trait" | "type");
        let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
        (is_type && end > 0).then(|| &rest[..end])
    })
}

/// Reads a file line by line for the types that `words!` makes, which no `pub` stands before.
#[derive(Default)]
pub(crate) struct InWords(bool);

impl InWords {
    /// The type that begins at this line.
    pub(crate) fn name<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        if line.ends_with("words! {") {
            self.0 = true;
        } else if line.starts_with('}') {
            self.0 = false;
        }
        let name = line.strip_prefix("    ")?.strip_suffix(" {")?;
        (self.0 && name.chars().all(char::is_alphanumeric)).then_some(name)
    }
}

fn compare(places: &BTreeMap<String, Vec<String>>, listed: &BTreeMap<&str, &str>) -> Vec<String> {
    let fresh = places.iter().filter(|(name, _)| !listed.contains_key(name.as_str()));
    let fresh = fresh.map(|(name, places)| {
        format!("`{name}` is defined in {}: give one of them a name of its own (GLOSSARY.md)", places.join(" and "))
    });
    let gone = listed.keys().filter(|name| !places.contains_key(**name));
    let gone = gone.map(|name| format!("`{name}` is defined once now: take it out of {LIST}"));
    let bare = listed.iter().filter(|(_, why)| why.is_empty());
    let bare = bare.map(|(name, _)| format!("`{name}` has no reason in {LIST}: write `{name}: why both keep it`"));
    fresh.chain(gone).chain(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_defined_twice_only_while_it_is_listed() {
        let text = "pub struct Line {\n    pub enum Stage<T> {\npub fn line() {}\npub(crate) struct Own;\npub type Way = u8;\n\
             words! {\n    /// Words.\n    Tone {\n        Low = \"low\",\n    }\n}";
        assert_eq!(defined(text).collect::<Vec<_>>(), ["Line", "Stage", "Way", "Tone"]);
        let twice = |name: &str| (name.to_owned(), vec!["a.rs".to_owned(), "b.rs".to_owned()]);
        let places = BTreeMap::from([twice("Line"), twice("Stage")]);
        let told = |list: &str| compare(&places, &reasons(list));
        assert!(told("# Doubles.\nLine: of text, and of a log\nStage: each of its own room").is_empty());
        let fresh = told("Line: of text, and of a log");
        assert_eq!(fresh.len(), 1, "a new pair");
        assert!(fresh[0].contains("`Stage`") && fresh[0].contains("a.rs and b.rs"), "{fresh:?}");
        assert_eq!(told("Line: a\nStage: b\nWay: c").len(), 1, "the list shrinks");
        for bare in ["Line", "Line:", "Line: "] {
            let told = told(&format!("{bare}\nStage: each of its own room"));
            assert!(told.len() == 1 && told[0].contains("`Line` has no reason"), "{told:?}");
        }
    }
}
