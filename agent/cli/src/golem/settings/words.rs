//! Words of golem.toml that are more than a number or a name.

use golem_playbook::promotion::Founding;
use golem_primitives::Usdc;
use golem_settings::{RawValue, Setting};
use golem_x402::PriceList;

/// The least and the most a feed may be; none takes none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) struct FeedRange(pub(crate) Option<(Usdc, Usdc)>);

impl Default for FeedRange {
    fn default() -> Self {
        Self(PriceList::default().feed)
    }
}

impl Setting for FeedRange {
    const KIND: &'static str = "[least, most] in USDC, such as [0.1, 1000], or []";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        match raw {
            RawValue::List([]) => Some(Self(None)),
            RawValue::List([least, most]) => Some(Self(Some((least.parse().ok()?, most.parse().ok()?)))),
            _ => None,
        }
    }

    fn show(&self) -> String {
        let plain = |usdc: Usdc| usdc.to_string().trim_end_matches(" USDC").to_owned();
        self.0.map_or_else(|| "[]".to_owned(), |(least, most)| format!("[{}, {}]", plain(least), plain(most)))
    }
}

/// I-201. How the distance of two PLAYBOOKs is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// By the share of lines in which they differ.
    Rules,
    /// By the vectors of their texts.
    Embedding,
}

impl Measure {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "rules" => Some(Self::Rules),
            "embedding" => Some(Self::Embedding),
            _ => None,
        }
    }
}

/// P-047. What the rules of a book may move at first.
pub(super) fn founding_of(word: &str) -> Option<Founding> {
    match word {
        "trial" => Some(Founding::Trial),
        "paper" => Some(Founding::Paper),
        "trust" => Some(Founding::Trust),
        _ => None,
    }
}
