//! What a life does with its Grimoire: it writes down what it lived, asks before it decides, and lets the Curator work.
//! What any of that means is the law's; this only carries it to the store and back.

use std::collections::BTreeSet;

use golem_core::counsel::Counsellor;
use golem_core::curation::{Curation, CurationSources, audit, cycle, last_cycle};
use golem_core::life::Life;
use golem_core::memory::{Before, Past, Venue, Voices, episodes};
use golem_core::record::{Curated, Due, EntryAdvice, Event, Observation, Sight, TickInput};
use golem_core::tending::due;
use golem_core::trader::{BookName, Trader};
use golem_grimoire::entry::Knowledge;
use golem_grimoire::episode::Episode;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_grimoire::strength::Reinforcement;
use golem_ports::{Cycle, Memory, Revised, Shelf};
use golem_primitives::{EffectId, Tick, keccak256};

use crate::defaults::{DEFAULTS_NOTE, Defaults};
use crate::error::RuntimeError;
use crate::{notes, suppositions, trial};

/// The mind of one life in this process. Everything in it follows from journal and store, so a restart loses nothing.
#[derive(Debug)]
pub(crate) struct Mind {
    pub(crate) venue: Venue,
    pub(crate) law: GrimoireLaw,
    past: Past,
    counsellor: Counsellor,
    voices: Voices,
}

impl Mind {
    pub(crate) fn new(venue: Venue, law: GrimoireLaw) -> Self {
        Self { venue, law, past: Past::default(), counsellor: Counsellor::default(), voices: Voices::default() }
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
        self.voices.take(input);
    }

    /// Keeps at hand what may speak.
    pub(crate) fn study<S: Memory>(&mut self, store: &S, life: &Life) -> Result<(), RuntimeError> {
        let (grimoire, last_cycle) = store.at_hand()?;
        // What spoke before the last cycle was counted by it.
        if let Some(last) = last_cycle {
            self.voices.count_until(last.tick);
        }
        self.keep_at_hand(&grimoire, life, &Defaults::read(store)?);
        Ok(())
    }

    fn keep_at_hand(&mut self, grimoire: &Grimoire, life: &Life, defaults: &Defaults) {
        let here = |book: BookName| {
            let counsellor = Counsellor::of(grimoire, &self.venue, book.as_str());
            counsellor.with_defaults(grimoire, &self.venue, book.as_str(), &defaults.in_force())
        };
        self.counsellor = life.trader().map(Trader::book_name).map(here).unwrap_or_default();
    }

    /// What the Grimoire says about what is seen.
    pub(crate) fn counsel(&self, sight: &Sight) -> Vec<EntryAdvice> {
        let regime = self.past.regime_with(sight.market.price);
        self.counsellor.speak(regime, sight.block.time, &self.law.retention)
    }

    /// G-143, C32. Whether the Grimoire wants its Curator in this tick beside its turns.
    pub(crate) fn due<S: Memory>(&self, store: &S, life: &Life) -> Result<Option<Observation>, RuntimeError> {
        let why = due(life, life.next_pass().0);
        Ok(match why {
            Some(Due::Episodes) if !store.is_ripe()? => None,
            Some(why) => Some(Observation::CuratorDue { why }),
            None => None,
        })
    }

    /// What a pass lived; the input is taken in.
    pub(crate) fn lived(&self, before: &Before, life: &Life, input: &TickInput, events: &[Event]) -> Vec<Episode> {
        episodes(&self.venue, &self.past, before, life, input, events)
    }

    /// G-079. What spoke when a trade was ordered that went well is reinforced: once for each trade that came out, and told
    /// again after a crash not once more. Who spoke against it has no part in its profit.
    pub(crate) fn reinforce<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        input: &TickInput,
        lived: &[Episode],
    ) -> Result<(), RuntimeError> {
        let mut is_changed = false;
        for (trade, entry, result) in self.voices.owed(life.id(), input, lived) {
            let cause = keccak256([trade.to_be_bytes(), entry.to_be_bytes()].concat());
            if store.entry(entry)?.is_some() {
                store.reinforce(cause, entry, Reinforcement::Live(result))?;
                is_changed = true;
            }
        }
        if is_changed { self.study(store, life) } else { Ok(()) }
    }

    /// G-081. What spoke since the last cycle counts as retrieved, once; an entry that knows of this tick was marked
    /// before a crash.
    fn mark<S: Memory>(&mut self, store: &mut S, now: Tick) -> Result<(), RuntimeError> {
        let mut unmarked = Vec::new();
        for entry in self.voices.spoke() {
            let known = store.entry(entry)?;
            let is_marked = |known: &Knowledge| known.last_accessed >= now;
            if known.as_ref().and_then(Entry::knowledge).is_some_and(|known| !is_marked(known)) {
                unmarked.push(entry);
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
        effect: EffectId,
        tick: Tick,
    ) -> Result<Curated, RuntimeError> {
        if store.curated(effect)?.is_none() {
            // G-174. What an hour was too full for comes in with the cycle; what is in already does not come again.
            store.ingest(Vec::new(), moment_of(life, tick))?;
            suppositions::count(store)?;
        }
        self.turn(store, life, effect, tick, cycle)
    }

    /// M-067. A turn out of turn: what was lived is distilled and PLAYBOOK.md audited at once.
    pub(crate) fn reflect<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        effect: EffectId,
        tick: Tick,
    ) -> Result<Curated, RuntimeError> {
        if store.curated(effect)?.is_none() {
            // What this turn takes in is fresh to no later one.
            suppositions::count(store)?;
        }
        self.turn(store, life, effect, tick, audit)
    }

    /// G-163. The last turn, by the death protocol's pen.
    pub(crate) fn conclude<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        effect: EffectId,
        tick: Tick,
    ) -> Result<Curated, RuntimeError> {
        self.turn(store, life, effect, tick, last_cycle)
    }

    fn turn<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        effect: EffectId,
        tick: Tick,
        curator: fn(&Life, &GrimoireLaw, Moment, &CurationSources<'_>) -> Curation,
    ) -> Result<Curated, RuntimeError> {
        if let Some(recorded) = store.curated(effect)? {
            self.study(store, life)?;
            return Ok(recorded);
        }
        let now = moment_of(life, tick);
        self.mark(store, tick)?;
        let shelf = store.shelf()?;
        let held = trial::held(store, life, &shelf.grimoire, tick)?;
        let made = curator(life, &self.law, now, &sources(&shelf, &held));
        let revised = made.written.map(|written| Revised {
            playbook: written.playbook,
            cycle: written.cycle,
            event: written.event,
        });
        let done = store.land_cycle(&Cycle::new(effect, now, &shelf, &made.pass, revised.as_ref()))?;
        self.voices.count_all();
        let mut defaults = Defaults::read(store)?;
        if defaults.review(&made.pass.grimoire, now) {
            notes::keep(store, DEFAULTS_NOTE, &defaults)?;
        }
        self.keep_at_hand(&made.pass.grimoire, life, &defaults);
        Ok(done)
    }
}

/// The time of the pass that asked, not of the machine that answers: driven again it makes the same.
fn moment_of(life: &Life, tick: Tick) -> Moment {
    Moment::new(tick, life.vitals().vitality().last_computed)
}

fn is_sight(seen: &Observation) -> bool {
    matches!(seen, Observation::Sight(_))
}

fn sources<'a>(shelf: &'a Shelf, held: &'a BTreeSet<EntryId>) -> CurationSources<'a> {
    CurationSources {
        grimoire: &shelf.grimoire,
        episodes: &shelf.episodes,
        votes: &shelf.votes,
        checks: &shelf.checks,
        quarantine: &shelf.quarantine,
        playbook: &shelf.playbook,
        held,
    }
}
