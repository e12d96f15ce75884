//! What a life does with its Grimoire: it writes down what it lived, asks before it decides, and lets the Curator work.
//! What any of that means is the law's; this only carries it to the store and back.

use std::collections::BTreeMap;

use golem_core::counsel::{Counsellor, heard};
use golem_core::curation::{Curation, Sources, cycle, last_cycle};
use golem_core::life::Life;
use golem_core::memory::{Before, Past, Venue, episodes};
use golem_core::record::{Advice, Curated, Event, Sight, TickInput, Turn};
use golem_grimoire::entry::Knowledge;
use golem_grimoire::episode::{Episode, EpisodeKind};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_grimoire::strength::{LiveResult, Reinforcement};
use golem_ports::{Cycle, Memory, Revised, Shelf};
use golem_primitives::{EffectId, Tick, keccak256};

use crate::error::RuntimeError;

/// The mind of one life in this process. Everything in it follows from journal and store, so a restart loses nothing.
#[derive(Debug)]
pub(crate) struct Mind {
    venue: Venue,
    law: GrimoireLaw,
    past: Past,
    counsellor: Counsellor,
    /// Entries that spoke, and when last.
    spoke: BTreeMap<EntryId, Tick>,
    /// Those that spoke in this tick.
    speaking: Vec<EntryId>,
}

impl Mind {
    pub(crate) fn new(venue: Venue, law: GrimoireLaw) -> Self {
        Self {
            venue,
            law,
            past: Past::new(),
            counsellor: Counsellor::default(),
            spoke: BTreeMap::new(),
            speaking: Vec::new(),
        }
    }

    /// Reads back what a life that stands behind the pass `seq` must still know of its past.
    pub(crate) fn recollect<S: Memory>(&mut self, store: &S, seq: u64, tick: Tick) -> Result<(), RuntimeError> {
        const PAGE: u64 = 256;
        let oldest = Tick::new(tick.get().saturating_sub(Past::TICKS));
        let (mut from, mut pages) = (seq + 1, Vec::new());
        let mut looks = 0;
        // The regime of a tick needs the looks before it, and blind ticks have none: back as far as it takes.
        while from > 1 && looks < Past::LOOKS {
            let start = from.saturating_sub(PAGE).max(1);
            let page = store.journal(start, usize::try_from(from - start).unwrap_or(usize::MAX))?;
            let is_look = |input: &TickInput| input.tick < oldest && input.observations.iter().any(is_sight);
            looks += page.iter().filter(|entry| is_look(&entry.input)).count();
            pages.push(page);
            from = start;
        }
        for entry in pages.into_iter().rev().flatten() {
            self.take(&entry.input);
        }
        Ok(())
    }

    /// Takes an input in, oldest first.
    pub(crate) fn take(&mut self, input: &TickInput) {
        self.past.take(input);
        if input.turn == Turn::Deciding {
            self.speaking = heard(input).map(|advice| advice.entry).collect();
            self.spoke.extend(self.speaking.iter().map(|entry| (*entry, input.tick)));
        }
    }

    /// Keeps at hand what may speak.
    pub(crate) fn study<S: Memory>(&mut self, store: &S, life: &Life) -> Result<(), RuntimeError> {
        let shelf = store.shelf()?;
        // What spoke before the last cycle was counted by it.
        self.spoke.retain(|_, when| shelf.last_cycle.is_none_or(|last| *when > last.tick));
        self.keep_at_hand(&shelf.grimoire, life);
        Ok(())
    }

    fn keep_at_hand(&mut self, grimoire: &Grimoire, life: &Life) {
        let strategy = life.trader().map(|trader| trader.settings().strategy);
        self.counsellor = strategy.map(|strategy| Counsellor::of(grimoire, &self.venue, strategy)).unwrap_or_default();
    }

    /// What the Grimoire says about what is seen.
    pub(crate) fn counsel(&self, sight: &Sight) -> Vec<Advice> {
        let regime = self.past.regime_with(sight.market.price);
        self.counsellor.speak(regime, sight.block.time, &self.law.retention)
    }

    /// What a pass lived; the input is taken in.
    pub(crate) fn lived(&self, before: &Before, life: &Life, input: &TickInput, events: &[Event]) -> Vec<Episode> {
        episodes(&self.venue, &self.past, before, life, input, events)
    }

    /// G-079. What spoke in a tick that went well is reinforced: once for each trade that came out, and told again after a
    /// crash not once more.
    pub(crate) fn reinforce<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        lived: &[Episode],
    ) -> Result<(), RuntimeError> {
        let trades = lived.iter().filter(|episode| episode.kind == EpisodeKind::Action && episode.held().is_some());
        let mut is_changed = false;
        for trade in trades {
            let result = LiveResult { pnl_micros: trade.pnl_micros.unwrap_or(0), risk_improved: false };
            for entry in self.speaking.iter().filter(|_| result.is_positive()) {
                let cause = keccak256([trade.id.to_be_bytes(), entry.to_be_bytes()].concat());
                if store.entry(*entry)?.is_some() {
                    store.reinforce(cause, *entry, Reinforcement::Live(result))?;
                    is_changed = true;
                }
            }
        }
        if is_changed { self.study(store, life) } else { Ok(()) }
    }

    /// G-081. What spoke since the last cycle counts as retrieved, once; an entry that knows of this tick was marked
    /// before a crash.
    fn mark<S: Memory>(&mut self, store: &mut S, now: Tick) -> Result<(), RuntimeError> {
        let mut unmarked = Vec::new();
        for entry in self.spoke.keys() {
            let known = store.entry(*entry)?;
            let is_marked = |known: &Knowledge| known.last_accessed >= now;
            if known.as_ref().and_then(Entry::knowledge).is_some_and(|known| !is_marked(known)) {
                unmarked.push(*entry);
            }
        }
        if !unmarked.is_empty() {
            store.mark_accessed(&unmarked, now)?;
        }
        Ok(())
    }

    /// G-139. The Curator's turn, once for each effect: driven again it answers what was recorded.
    pub(crate) fn curate<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        (effect, tick): (EffectId, Tick),
    ) -> Result<Curated, RuntimeError> {
        self.turn(store, life, (effect, tick), cycle)
    }

    /// G-163. The last turn, by the death protocol's pen.
    pub(crate) fn conclude<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        (effect, tick): (EffectId, Tick),
    ) -> Result<Curated, RuntimeError> {
        self.turn(store, life, (effect, tick), last_cycle)
    }

    fn turn<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        (effect, tick): (EffectId, Tick),
        curator: fn(&Life, &GrimoireLaw, Moment, &Sources<'_>) -> Curation,
    ) -> Result<Curated, RuntimeError> {
        if let Some(recorded) = store.curated(effect)? {
            self.study(store, life)?;
            return Ok(recorded);
        }
        // The time of the pass that asked for it, not of the machine that answers: driven again it makes the same.
        let now = Moment::new(tick, life.vitals().vitality().last_computed);
        self.mark(store, tick)?;
        let shelf = store.shelf()?;
        let made = curator(life, &self.law, now, &sources(&shelf));
        let revised = made.written.map(|written| Revised {
            playbook: written.playbook,
            cycle: written.cycle,
            event: written.event,
        });
        let done = store.land_cycle(&Cycle::new(effect, now, &shelf, &made.pass, revised.as_ref()))?;
        self.spoke.clear();
        self.keep_at_hand(&made.pass.grimoire, life);
        Ok(done)
    }
}

fn is_sight(seen: &golem_core::record::Observation) -> bool {
    matches!(seen, golem_core::record::Observation::Sight(_))
}

fn sources(shelf: &Shelf) -> Sources<'_> {
    Sources {
        grimoire: &shelf.grimoire,
        episodes: &shelf.episodes,
        votes: &shelf.votes,
        checks: &shelf.checks,
        quarantine: &shelf.quarantine,
        playbook: &shelf.playbook,
    }
}
