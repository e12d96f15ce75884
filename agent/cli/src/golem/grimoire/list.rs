//! `bardo mind grimoire list`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::regime::Regime;
use golem_grimoire::status::{Entry, Status};
use golem_ports::Filter;
use golem_store::Reader;
use golem_view::{EntriesPage, EntryLine, Shown as _, columns_of};

use super::whose::{Whose, standing};
use crate::golem::home::Folder;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    whose: Whose,
    #[command(flatten)]
    sieve: Sieve,
    /// Show at most this many.
    #[arg(long, default_value_t = 50, value_name = "N")]
    limit: usize,
    /// Leave this many out first, for the next page.
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// Which entries are meant.
#[derive(Debug, Default, Args)]
pub(crate) struct Sieve {
    /// Only these types: insight, heuristic, warning, causal_link, strategy_fragment.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    pub(super) kind: Vec<Kind>,
    /// Only these states: active, candidate, archived, burned.
    #[arg(long, value_name = "STATES", value_delimiter = ',', value_parser = status)]
    pub(crate) status: Vec<Status>,
    /// Only this domain, such as market_structure or gas_mev.
    #[arg(long, value_parser = domain)]
    pub(super) domain: Option<Domain>,
    /// Only what holds in this regime: bull, bear, sideways, high_vol, low_vol, crisis.
    #[arg(long, value_parser = regime)]
    pub(super) regime: Option<Regime>,
    /// Only entries that carry this tag; may be given several times, and all must be there.
    #[arg(long, value_name = "TAG")]
    pub(super) tag: Vec<String>,
    /// Only open questions.
    #[arg(long)]
    pub(super) questions: bool,
}

macro_rules! by_name {
    ($name:ident, $type:ident) => {
        fn $name(word: &str) -> Result<$type, String> {
            let known: Vec<&str> = $type::ALL.iter().map(|one| one.name()).collect();
            $type::from_name(word).ok_or_else(|| format!("{word:?} is none of {}", known.join(", ")))
        }
    };
}
by_name!(kind, Kind);
by_name!(domain, Domain);
by_name!(regime, Regime);

pub(crate) fn status(word: &str) -> Result<Status, String> {
    let all = [Status::Candidate, Status::Active, Status::Archived, Status::Burned];
    let known = all.iter().find(|status| status.name() == word);
    known.copied().ok_or_else(|| format!("{word:?} is none of candidate, active, archived, burned"))
}

impl Sieve {
    /// What of it the store knows how to ask.
    pub(super) fn filter(&self) -> Filter {
        Filter {
            kinds: self.kind.iter().copied().collect(),
            statuses: self.status.iter().copied().collect(),
            tags: self.tag.iter().cloned().collect(),
            domain: self.domain,
            known_at: None,
        }
    }

    /// How many answers to ask for so that so many are left: regime and open questions are sieved after the search.
    pub(super) const fn enough(&self, limit: usize) -> usize {
        const MANY: usize = 2_000;
        if self.regime.is_some() || self.questions { MANY } else { limit }
    }

    pub(super) fn keeps(&self, entry: &Entry) -> bool {
        let kind = match entry {
            Entry::Burned(ashes) => Some(ashes.kind),
            other => other.knowledge().map(|known| known.kind()),
        };
        let known = entry.knowledge();
        let by_knowledge =
            |wanted: bool, test: &dyn Fn(&golem_grimoire::entry::Knowledge) -> bool| !wanted || known.is_some_and(test);
        (self.kind.is_empty() || kind.is_some_and(|kind| self.kind.contains(&kind)))
            && (self.status.is_empty() || self.status.contains(&entry.status()))
            && by_knowledge(self.domain.is_some(), &|known| Some(known.draft.domain) == self.domain)
            && by_knowledge(self.regime.is_some(), &|known| known.draft.regime == self.regime)
            && by_knowledge(!self.tag.is_empty(), &|known| self.tag.iter().all(|tag| known.draft.tags.contains(tag)))
            && by_knowledge(self.questions, &|known| known.is_open_question())
    }
}

/// The entries a sieve keeps, newest first, a page of them.
pub(crate) fn page_of(
    folder: &Folder,
    reader: &Reader,
    sieve: &Sieve,
    skip: usize,
    limit: usize,
) -> Result<EntriesPage> {
    let (now, _) = standing(reader)?;
    let settings = folder.settings()?;
    let grimoire = reader.grimoire()?;
    let mut kept: Vec<&Entry> = grimoire.entries().filter(|entry| sieve.keeps(entry)).collect();
    kept.reverse();
    let law = &settings.grimoire.retention;
    Ok(EntriesPage {
        golem: folder.name().to_owned(),
        tick: now.tick,
        total: kept.len(),
        skipped: skip,
        entries: kept.iter().skip(skip).take(limit).map(|entry| EntryLine::of(entry, law, now.at)).collect(),
    })
}

impl ListArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let page = page_of(&folder, &reader, &self.sieve, self.skip, self.limit)?;
        if self.json {
            screen::tell(&page.json());
            return Ok(ExitCode::SUCCESS);
        }
        if page.total == 0 {
            println!("{}", self.nothing(folder.name(), reader.grimoire()?.entries().count()));
            return Ok(ExitCode::SUCCESS);
        }
        let heading = format!("What {} knows at tick {}", folder.name(), page.tick);
        screen::show(&columns_of(&heading, &page.entries, &EntryLine::LISTED).narrowed(80));
        let seen = self.skip + page.entries.len();
        if seen < page.total {
            println!("\n{} of {}; the next page with --skip {seen}", page.entries.len(), page.total);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn nothing(&self, name: &str, all: usize) -> String {
        match all {
            0 => {
                format!("{name} knows nothing yet; the Curator works every 50 ticks, once there are episodes to count.")
            }
            _ => format!("None of its {all} entries is such a one; leave a filter out."),
        }
    }
}
