//! What a life does with its Grimoire: it writes down what it lived, asks before it decides, and lets the Curator work.
//! What any of that means is the law's; this only carries it to the store and back.

use std::collections::BTreeMap;

use golem_core::counsel::{Counsellor, heard};
use golem_core::curation::{Curation, Sources, audit, cycle, last_cycle};
use golem_core::life::Life;
use golem_core::memory::{Before, Past, Venue, episodes, wanted_at};
use golem_core::record::{Advice, Curated, Due, Event, Observation, OutcomeResult, Says, Sight, TickInput, Turn};
use golem_core::tending::due;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::episode::{Circumstances, Episode};
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_grimoire::strength::{LiveResult, Reinforcement};
use golem_ports::{Cycle, Memory, Revised, Shelf};
use golem_primitives::{EffectId, GolemId, Tick, keccak256};

use crate::error::RuntimeError;
use crate::suppositions;

/// The mind of one life in this process. Everything in it follows from journal and store, so a restart loses nothing.
#[derive(Debug)]
pub(crate) struct Mind {
    venue: Venue,
    law: GrimoireLaw,
    past: Past,
    counsellor: Counsellor,
    /// Entries that spoke, and when last.
    spoke: BTreeMap<EntryId, Tick>,
    /// Those that spoke for something, by tick, as far back as an outcome may come from.
    urging: BTreeMap<Tick, Vec<EntryId>>,
}

impl Mind {
    pub(crate) fn new(venue: Venue, law: GrimoireLaw) -> Self {
        Self {
            venue,
            law,
            past: Past::new(),
            counsellor: Counsellor::default(),
            spoke: BTreeMap::new(),
            urging: BTreeMap::new(),
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
            self.spoke.extend(heard(input).map(|advice| (advice.entry, input.tick)));
            let urging = heard(input).filter(|advice| advice.says == Says::Use).map(|advice| advice.entry).collect();
            self.urging.insert(input.tick, urging);
            self.urging.retain(|tick, _| input.tick.since(*tick) <= Past::TICKS);
        }
    }

    /// Keeps at hand what may speak.
    pub(crate) fn study<S: Memory>(&mut self, store: &S, life: &Life) -> Result<(), RuntimeError> {
        let (grimoire, last_cycle) = store.at_hand()?;
        // What spoke before the last cycle was counted by it.
        self.spoke.retain(|_, when| last_cycle.is_none_or(|last| *when > last.tick));
        self.keep_at_hand(&grimoire, life);
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
        for (trade, entry, result) in self.credits(life.id(), input, lived) {
            let cause = keccak256([trade.to_be_bytes(), entry.to_be_bytes()].concat());
            if store.entry(entry)?.is_some() {
                store.reinforce(cause, entry, Reinforcement::Live(result))?;
                is_changed = true;
            }
        }
        if is_changed { self.study(store, life) } else { Ok(()) }
    }

    /// Whom a profit is owed to: who spoke for it in the tick that ordered the trade, not in the one that heard of it.
    fn credits(&self, golem: &GolemId, input: &TickInput, lived: &[Episode]) -> Vec<(EpisodeId, EntryId, LiveResult)> {
        let mut owed = Vec::new();
        for outcome in &input.outcomes {
            let [name, _] = Circumstances::names_of(outcome.effect);
            let id = EpisodeId::derive(input.now, golem, &name);
            let trade = lived.iter().find(|episode| episode.id == id && episode.held().is_some());
            let ordered = match &outcome.result {
                OutcomeResult::Verified(record) => Some(record.tick),
                _ => wanted_at(golem, outcome.effect, input.tick),
            };
            let (Some(trade), Some(ordered)) = (trade, ordered) else { continue };
            let result = LiveResult { pnl_micros: trade.pnl_micros.unwrap_or(0), risk_improved: false };
            if result.is_positive() {
                let urging = self.urging.get(&ordered).into_iter().flatten();
                owed.extend(urging.map(|entry| (id, *entry, result)));
            }
        }
        owed
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
        if store.curated(effect)?.is_none() {
            // G-174. What an hour was too full for comes in with the cycle; what is in already does not come again.
            store.ingest(Vec::new(), moment_of(life, tick))?;
            suppositions::count(store)?;
        }
        self.turn(store, life, (effect, tick), cycle)
    }

    /// M-067. A turn out of turn: what was lived is distilled and PLAYBOOK.md audited at once.
    pub(crate) fn reflect<S: Memory>(
        &mut self,
        store: &mut S,
        life: &Life,
        (effect, tick): (EffectId, Tick),
    ) -> Result<Curated, RuntimeError> {
        if store.curated(effect)?.is_none() {
            // What this turn takes in is fresh to no later one.
            suppositions::count(store)?;
        }
        self.turn(store, life, (effect, tick), audit)
    }

    /// Where it trades.
    pub(crate) const fn venue(&self) -> &Venue {
        &self.venue
    }

    /// The numbers of its Grimoire.
    pub(crate) const fn law(&self) -> &GrimoireLaw {
        &self.law
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
        let now = moment_of(life, tick);
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

/// The time of the pass that asked, not of the machine that answers: driven again it makes the same.
fn moment_of(life: &Life, tick: Tick) -> Moment {
    Moment::new(tick, life.vitals().vitality().last_computed)
}

fn is_sight(seen: &Observation) -> bool {
    matches!(seen, Observation::Sight(_))
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

#[cfg(test)]
mod tests {
    use golem_core::record::{Chance, Outcome};
    use golem_grimoire::episode::EpisodeOutcome;
    use golem_primitives::{Ppm, UtcTime};

    use super::*;

    /// G-079: the profit of a trade is owed to who spoke for it when it was ordered; not to who spoke when it came, and
    /// never to a rule that forbids it.
    #[test]
    fn g_079_a_profit_is_owed_to_who_spoke_for_it() {
        let golem = GolemId::new("ada").expect("a name");
        let now = UtcTime::from_seconds(1_767_225_600);
        let entry = |name: &[u8]| EntryId::derive(now, &golem, name);
        let said = |name: &[u8], says| Advice {
            entry: entry(name),
            says,
            tool: "mean-reversion".to_owned(),
            regime: None,
            confidence: Ppm::of(900_000),
        };
        let venue = Venue { chain: 1, pair: "WETH/USDC".to_owned() };
        let mut mind = Mind::new(venue.clone(), GrimoireLaw::default());
        let tick = |tick: u64, advice: Vec<Advice>| TickInput {
            turn: Turn::Deciding,
            observations: vec![Observation::Counsel { advice }],
            ..TickInput::quiet(Tick::new(tick), now, Chance::default())
        };
        mind.take(&tick(5, vec![said(b"for", Says::Use), said(b"against", Says::Avoid)]));
        mind.take(&tick(6, vec![said(b"later", Says::Use)]));
        let effect = EffectId::derive(&golem, Tick::new(5), Turn::Deciding as u8, 3);
        let result = OutcomeResult::Simulated { usdc_micros: 9, token: 0 };
        let outcomes = vec![Outcome { effect, cost: None, result }];
        let input = TickInput { outcomes, ..tick(7, Vec::new()) };
        mind.take(&input);
        let key = venue.key("mean-reversion/sell");
        let here = Circumstances { golem, now: Moment::new(Tick::new(7), now), key, regime: None, emotion: None };
        let [name, _] = Circumstances::names_of(effect);
        let id = EpisodeId::derive(now, &golem, &name);
        let mut sold = Episode { id, outcome: EpisodeOutcome::Positive, pnl_micros: Some(9), ..here.observed("sold") };
        let owed: Vec<EntryId> =
            mind.credits(&golem, &input, std::slice::from_ref(&sold)).into_iter().map(|owed| owed.1).collect();
        assert_eq!(owed, [entry(b"for")]);
        (sold.outcome, sold.pnl_micros) = (EpisodeOutcome::Negative, Some(-9));
        assert_eq!(mind.credits(&golem, &input, &[sold]), []);
    }
}
