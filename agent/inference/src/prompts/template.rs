//! A prompt with slots. What goes into a slot is either our own words or foreign text; the second is always fenced.

use golem_ports::{Prompt, PromptId};

use crate::text;

/// Where foreign text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextSource {
    /// Market data.
    Market,
    /// The chain: revert texts, token names, logs.
    Chain,
    /// Another Golem.
    Peer,
    /// A model, this Golem's own memories and playbook among them: a model wrote those once.
    Model,
}

impl TextSource {
    const fn name(self) -> &'static str {
        match self {
            Self::Market => "market",
            Self::Chain => "chain",
            Self::Peer => "peer",
            Self::Model => "model",
        }
    }

    /// Characters of one piece that are kept. Strangers get the least.
    const fn most_chars(self) -> usize {
        match self {
            Self::Market => 2_000,
            Self::Chain => 1_000,
            Self::Peer => 500,
            Self::Model => 4_000,
        }
    }
}

/// Pieces of foreign text a slot takes.
const MOST_PIECES: usize = 20;

/// Text somebody else wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign<'a> {
    pub source: TextSource,
    pub text: &'a str,
}

impl<'a> Foreign<'a> {
    /// Text from there.
    #[must_use]
    pub const fn new(source: TextSource, text: &'a str) -> Self {
        Self { source, text }
    }

    /// Between fences it cannot close: what could be a tag is written as characters.
    fn fenced(&self, label: Option<usize>) -> String {
        let (kept, was_cut) = text::lines(self.text, self.source.most_chars());
        let body = kept.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let number = label.map_or_else(String::new, |label| format!(" number=\"{label}\""));
        let cut = if was_cut { "\n[cut here]" } else { "" };
        format!("<data source=\"{}\"{number}>\n{}{cut}\n</data>", self.source.name(), body.trim())
    }
}

/// What fills a slot.
#[derive(Debug, Clone)]
pub(super) enum Slot {
    /// Numbers and words of our own.
    Own(String),
    Fenced(String),
}

impl Slot {
    pub(super) fn own(value: impl ToString) -> Self {
        Self::Own(value.to_string())
    }

    pub(super) fn foreign(pieces: &[Foreign<'_>]) -> Self {
        Self::fence(pieces, false)
    }

    /// Each piece under its number from 0, for answers that name them.
    pub(super) fn numbered(pieces: &[Foreign<'_>]) -> Self {
        Self::fence(pieces, true)
    }

    fn fence(pieces: &[Foreign<'_>], is_numbered: bool) -> Self {
        if pieces.is_empty() {
            return Self::own("(nothing)");
        }
        let kept = pieces.iter().take(MOST_PIECES).enumerate();
        let fenced: Vec<_> = kept.map(|(number, piece)| piece.fenced(is_numbered.then_some(number))).collect();
        Self::Fenced(fenced.join("\n"))
    }

    fn as_str(&self) -> &str {
        match self {
            Self::Own(text) | Self::Fenced(text) => text,
        }
    }
}

/// How many pieces of so many a slot shows.
pub(super) fn shown(pieces: usize) -> u8 {
    u8::try_from(pieces.min(MOST_PIECES)).expect("at most twenty")
}

/// A file of the prompts.
pub(super) struct Template {
    pub(super) id: PromptId,
    pub(super) file: &'static str,
}

impl Template {
    /// Fills the slots in one pass: what a slot brings is never looked at for slots again.
    ///
    /// # Panics
    /// When file and slots do not name the same; the snapshots of every prompt keep that from shipping.
    pub(super) fn render(&self, slots: &[(&str, Slot)]) -> Prompt {
        let (system, user) = self
            .file
            .strip_prefix("# System\n")
            .and_then(|rest| rest.split_once("\n# User\n"))
            .expect("a prompt has a part for the system and one for the user");
        assert!(!system.contains("{{"), "{}: nothing foreign stands in the system's part", self.id);
        Prompt { id: self.id, system: system.trim().to_owned(), user: self.fill(user.trim(), slots) }
    }

    fn fill(&self, text: &str, slots: &[(&str, Slot)]) -> String {
        let mut filled = String::new();
        let mut used = 0;
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, behind) = after.split_once("}}").expect("a slot that opens closes");
            let (_, slot) = slots.iter().find(|(known, _)| *known == name).expect("every slot of a file is filled");
            filled.push_str(before);
            filled.push_str(slot.as_str());
            (used, rest) = (used + 1, behind);
        }
        assert_eq!(used, slots.len(), "{}: every value has its slot", self.id);
        filled.push_str(rest);
        filled
    }
}
