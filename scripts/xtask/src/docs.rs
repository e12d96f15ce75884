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
        let found = bare(&text);
        problems.extend(found.map(|line| format!("{path}:{line} offers something and says nothing of it")));
    }
    Ok(problems)
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
}
