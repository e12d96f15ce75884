//! Who answers.

use std::fmt;
use std::pin::Pin;
use std::str::FromStr;

use golem_view::{Shown, Value};

use crate::Question;

/// An answer: what a picture tells a program, and nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct Told(Value);

impl Told {
    /// Of a picture.
    #[must_use]
    pub fn of(picture: &impl Shown) -> Self {
        Self(picture.json())
    }

    /// For whoever writes it on a wire.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.0
    }

    pub(crate) fn text(&self) -> String {
        self.0.to_string()
    }
}

/// Why there is no answer, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// There is no such thing.
    Missing(String),
    /// What was asked cannot be done.
    Wrong(String),
    /// The chain does not answer.
    Away(String),
    /// Something here is broken.
    Failed(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Missing(words) | Self::Wrong(words) | Self::Away(words) | Self::Failed(words)) = self;
        f.write_str(words)
    }
}

/// How far somebody has heard a life: whose, and up to which stored pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    /// Whose. One that was raised anew under an old name is somebody else.
    pub of: String,
    pub pass: u64,
}

impl fmt::Display for Bookmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.of, self.pass)
    }
}

impl FromStr for Bookmark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (of, pass) = text.rsplit_once('.').ok_or(())?;
        Ok(Self { of: of.to_owned(), pass: pass.parse().map_err(|_| ())? })
    }
}

/// What came since a mark.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    Nothing,
    Since {
        mark: Bookmark,
        told: Told,
    },
    /// Too much, or of another life: everything has to be asked for again.
    Afresh {
        mark: Bookmark,
    },
}

/// An answer on its way.
pub type Answering = Pin<Box<dyn Future<Output = Result<Told, Refused>> + Send>>;
/// News on their way.
pub type Hearing = Pin<Box<dyn Future<Output = Result<News, Refused>> + Send>>;

/// Who knows the Golems of a machine. Nothing it does moves money: that takes a signature of the owner's own wallet.
pub trait GolemSource: Send + Sync + 'static {
    /// Answers.
    fn answer(&self, question: Question) -> Answering;

    /// What came of a Golem since a mark, or of all where none is named; without a mark, where it stands.
    fn news(&self, golem: Option<String>, since: Option<Bookmark>) -> Hearing;
}
