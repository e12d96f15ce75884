//! A Grimoire in memory, so that whole learning lives can be lived in a test.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::counsel::Counsellor;
use golem_core::curation::{CurationSources, cycle};
use golem_core::life::Life;
use golem_core::memory::{Before, Past, Venue, episodes};
use golem_core::record::{Curated, EntryAdvice, Event, OutcomeResult, Sight, TickInput};
use golem_grimoire::episode::{Episode, Recorded};
use golem_grimoire::id::Moment;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::playbook::Playbook;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::Tick;

pub(crate) fn place() -> Venue {
    Venue { chain: 31_337, pair: "WETH/USDC".to_owned() }
}

/// What a Golem remembers.
#[derive(Default)]
pub(crate) struct Mind {
    pub(crate) past: Past,
    pub(crate) lived: Vec<Recorded>,
    pub(crate) grimoire: Grimoire,
    pub(crate) playbook: Playbook,
    pub(crate) cycles: Vec<Curated>,
    counsellor: Counsellor,
}

impl Mind {
    pub(crate) fn episodes(&self) -> impl Iterator<Item = &Episode> {
        self.lived.iter().map(|recorded| &recorded.episode)
    }

    pub(crate) fn live(&mut self, before: &Before, life: &Life, input: &TickInput, events: &[Event]) {
        self.past.take(input);
        let lived = episodes(&place(), &self.past, before, life, input, events);
        self.lived.extend(lived.into_iter().map(Recorded::from));
    }

    pub(crate) fn counsel(&self, sight: &Sight) -> Vec<EntryAdvice> {
        let regime = self.past.regime_with(sight.market.price);
        self.counsellor.speak(regime, sight.block.time, &GrimoireLaw::default().retention)
    }

    pub(crate) fn curate(&mut self, life: &Life, tick: Tick) -> OutcomeResult {
        let now = Moment::new(tick, life.vitals().vitality().last_computed);
        let sources = CurationSources {
            grimoire: &self.grimoire,
            episodes: &self.lived,
            votes: &BTreeMap::new(),
            checks: &[],
            quarantine: &[],
            playbook: &self.playbook,
            held: &BTreeSet::new(),
        };
        let made = cycle(life, &GrimoireLaw::default(), now, &sources);
        for recorded in &mut self.lived {
            recorded.notes.is_consolidated |= made.pass.consolidated.contains(&recorded.episode.id);
        }
        let report = made.pass.report;
        self.grimoire = made.pass.grimoire;
        if let Some(written) = made.written {
            self.playbook = written.playbook;
        }
        let book = life.trader().expect("a hand").book_name();
        self.counsellor = Counsellor::of(&self.grimoire, &place(), book.as_str());
        let count = |number: usize| u32::try_from(number).expect("few");
        let curated = Curated {
            duty: made.pass.duty,
            added: report.added,
            promoted: report.promoted,
            demoted: report.demoted,
            archived: report.archived,
            restored: report.restored,
            burned: report.burned,
            archived_recently: 0,
            active_at_start: 0,
            active: count(self.grimoire.active_count()),
            candidates: count(self.grimoire.candidates().count()),
            rules: count(self.playbook.rules().count()),
            playbook_version: self.playbook.version(),
            mean_before: report.mean_before,
            mean_after: report.mean_after,
            taught: made.pass.taught.clone(),
        };
        self.cycles.push(curated.clone());
        OutcomeResult::Curated(curated)
    }
}
