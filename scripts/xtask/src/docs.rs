//! What a room offers says what it is: public types, traits, functions and constants have a line of documentation.
//!
//! The compiler's own lint asks for one above every field and variant too, and what it gets there repeats their names.

use eyre::Result;

use crate::names::InWords;
use crate::repo;

pub(crate) fn problems() -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in repo::files()? {
        let is_source = path.starts_with("agent/") && path.contains("/src/") && path.ends_with(".rs");
        let Some(text) = repo::text(&path).filter(|_| is_source && !path.contains("/tests/")) else { continue };
        if has_example(&text)
            && repo::text(&manifest(&path)).is_some_and(|manifest| manifest.contains("doctest = false"))
        {
            problems.push(format!("{path} has an example that is never run: its Cargo.toml turns examples off"));
        }
        let found = bare(&text);
        problems.extend(found.map(|line| format!("{path}:{line} offers something and says nothing of it")));
    }
    Ok(problems)
}

/// The manifest of the crate that a source file belongs to.
fn manifest(path: &str) -> String {
    let folder = path.split("/src/").next().unwrap_or_default();
    format!("{folder}/Cargo.toml")
}

/// Whether the documentation shows code. Looking for examples takes a second a crate, and most have none.
fn has_example(text: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| line.starts_with("/// ```") || line.starts_with("//! ```"))
}

/// The lines, counted from one, at which a file offers something that nothing is said of.
fn bare(text: &str) -> impl Iterator<Item = usize> {
    let mut is_told = false;
    let mut in_words = InWords::default();
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let is_words = in_words.name(line).is_some();
        let line = line.trim();
        let is_bare = (is_words || is_offer(line)) && !is_told;
        // A macro passes on what is said where it is called.
        if line.starts_with("///") || line.starts_with("#[doc") || line.starts_with("$(#[") {
            is_told = true;
        } else if line.ends_with(['{', ';', '}']) || line.is_empty() {
            is_told = false;
        }
        is_bare.then_some(number)
    })
}

/// Whether a type, a trait, a function or a constant for everybody is defined here.
fn is_offer(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("pub ") else { return false };
    let kind = rest.split(' ').find(|word| *word != "async");
    matches!(kind, Some("struct" | "enum" | "trait" | "type" | "fn" | "const" | "static"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_needs_a_word_and_its_fields_do_not() {
        let text = "\
/// A room.
#[derive(Debug)]
pub struct Room {
    pub size: u32,
}
#[derive(
    Debug,
)]
pub enum Bare {
    One,
}
impl Room {
    /// Its door.
    pub const fn door(
        &self,
    ) -> u8 {
        1
    }
    pub async fn open(&self) {}
    fn own(&self) {}
}
pub(crate) struct Ours;
pub const LIMIT: usize = 1;
words! {
    Tone {
        Low = \"low\",
    }
}
";
        assert_eq!(bare(text).collect::<Vec<_>>(), [9, 19, 23, 25]);
    }

    #[test]
    fn an_example_is_found_in_the_documentation_alone() {
        assert!(has_example("//! A room.\n//!\n//! ```no_run\n//! open();\n//! ```\n"));
        assert!(has_example("impl Room {\n    /// ```\n    /// open();\n    /// ```\n}\n"));
        assert!(!has_example("/// A room.\nlet fence = \"```\"; // ```\n"));
        assert_eq!(manifest("agent/core/src/death/begin.rs"), "agent/core/Cargo.toml");
    }
}
