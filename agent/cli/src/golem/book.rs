//! P-009. The book a Golem is founded on: one that ships with the program, or the owner's own file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use eyre::{Result, WrapErr, bail};
use golem_core::trader::{BookName, Foundation};
use golem_playbook::promotion::Founding;
use golem_playbook::{Book, parse};
use golem_primitives::{AgentId, B256, PoolName, keccak256};

use super::home::Folder;

/// What an owner names: a founding book, or a file of his own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BookChoice {
    Shipped(&'static str),
    File(PathBuf),
}

impl FromStr for BookChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(name) = Book::founding_names().find(|name| *name == text) {
            return Ok(Self::Shipped(name));
        }
        if text.ends_with(".md") || text.contains('/') {
            return Ok(Self::File(PathBuf::from(text)));
        }
        let names: Vec<&str> = Book::founding_names().collect();
        Err(format!("there is no founding book {text:?}; name {}, or a file such as mine.md", names.join(", ")))
    }
}

impl fmt::Display for BookChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shipped(name) => f.pad(name),
            Self::File(path) => f.pad(&path.display().to_string()),
        }
    }
}

impl BookChoice {
    /// The book, with every mistake in it at once. A file is looked for beside `beside`.
    pub(crate) fn read(&self, beside: &Path) -> Result<BookText> {
        match self {
            Self::Shipped(name) => {
                let text = Book::founding_text(name).unwrap_or_default();
                BookText::parse(text.to_owned(), name)
            }
            Self::File(path) => BookText::read(&beside.join(path)),
        }
    }
}

/// A book with the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BookText {
    pub(crate) text: String,
    pub(crate) book: Book,
    pub(crate) name: BookName,
}

impl BookText {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = golem_edge::files::read_text(path, golem_playbook::parse::BYTES as u64)
            .wrap_err_with(|| format!("cannot read the book {}", path.display()))?;
        Self::parse(text, &path.display().to_string())
    }

    /// The book a text says; `from` is what it is called where it is wrong.
    pub(crate) fn parse(text: String, from: &str) -> Result<Self> {
        let book = match parse(&text) {
            Ok(document) => document.book,
            Err(mistakes) => {
                let told: Vec<String> = mistakes.0.iter().map(ToString::to_string).collect();
                bail!("{from} is no book:\n  {}\nwhat may be written is in docs/playbook.md", told.join("\n  "));
            }
        };
        let name = BookName::of_title(&book.title).wrap_err_with(|| format!("the title of {from} names no book"))?;
        Ok(Self { text, book, name })
    }

    pub(crate) fn of(folder: &Folder) -> Result<Self> {
        Self::read(&folder.founding())
    }

    pub(crate) fn foundation(self, founding: Founding) -> Foundation {
        Foundation::new(self.name, self.book, founding)
    }

    /// P-057. Refuses a book with rules that speak of a pool which is not there: they would never be tried. `named_by` is how a
    /// person names one.
    pub(crate) fn require_pools(&self, pools: &[PoolName], named_by: fn(PoolName) -> String) -> Result<()> {
        for rule in &self.book.rules {
            if let Some(pool) = rule.pool.filter(|pool| !pools.contains(pool)) {
                let there: Vec<&str> = pools.iter().map(PoolName::as_str).collect();
                bail!(
                    "the rule {} speaks of the pool {pool}, and this Golem trades in {}; name it with {}, or change the \
                     rule's `in`",
                    rule.name,
                    there.join(", "),
                    named_by(pool)
                );
            }
        }
        Ok(())
    }

    /// P-009. What the chain records of it. Name and predecessor belong to it, so that no two lives have the same.
    pub(crate) fn digest(&self, name: &str, predecessor: Option<AgentId>) -> B256 {
        let after = predecessor.map(|agent| format!(" after {agent}")).unwrap_or_default();
        keccak256(format!("{}\n{name}{after}\n", self.text))
    }
}
