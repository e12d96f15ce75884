//! What one life needs to dream: the numbers it is told, and what a store would keep for its dreams.
//!
//! Dreams are dreamt by rules alone, between two passes, and land at once: nobody serves a model here, and nothing in this
//! market happens within a tick. Vectors are of an embedder and there is none, so a glance between dreams finds nothing
//! and is not taken.

use golem_core::dreaming::{DreamShelf, Landing, Lately, Seen, Sources, freeze, land, recollect};
use golem_core::life::Life;
use golem_core::memory::Venue;
use golem_core::record::{DreamTerms, Effect, Fill, Moved, Observation, Order, OutcomeResult, Recollection};
use golem_dreams::dream::Step;
use golem_dreams::law::{DreamLaw, ImaginationLaw};
use golem_grimoire::id::Moment;
use golem_grimoire::law::GrimoireLaw;
use golem_primitives::{Tick, Usdc, UtcTime};

use super::library::{Library, Turned};

/// Looks that are kept for dreams.
const MOST_LOOKS: usize = 512;
/// Trades that are kept for dreams.
const MOST_FILLS: usize = 500;
/// Episodes over which memory says what it is like.
const NEWEST: usize = 64;
/// What thresholds call the token.
const ASSET: &str = "ETH";

/// D-004, D-210. A lightweight dream every fifty ticks, by rules.
pub(crate) fn core_law() -> DreamLaw {
    DreamLaw { enabled: true, ..DreamLaw::default() }
}

/// D-014. The same with nothing to imagine: REM has no work.
pub(crate) fn law_without_rem() -> DreamLaw {
    let law = core_law();
    let imagination = ImaginationLaw {
        counterfactual_depth: 0,
        creative_sessions: 0,
        threat_scenarios: 0,
        adversarial: false,
        ..law.imagination
    };
    DreamLaw { imagination, ..law }
}

/// A life's dreams, as far as they are not in the life.
#[derive(Debug, Clone)]
pub(crate) struct Dreamer {
    terms: DreamTerms,
    shelf: DreamShelf,
    /// Trades whose outcome is on its way.
    fills: Vec<Fill>,
}

/// What a dream came to that the trials count.
#[derive(Debug, Clone, Default)]
pub(crate) struct DreamTally {
    /// Dreams dreamt to their end.
    pub(crate) dreams: u32,
    /// What REM imagined.
    pub(crate) imagined: u32,
    /// Dreamt claims that stand as candidates or better.
    pub(crate) admitted: u32,
    /// What happened to entries.
    pub(crate) turned: Vec<Turned>,
}

/// Where and when a dream is dreamt, and by which numbers of the Grimoire.
#[derive(Clone, Copy)]
pub(crate) struct DreamPlace<'a> {
    pub(crate) venue: &'a Venue,
    pub(crate) law: &'a GrimoireLaw,
    pub(crate) now: Moment,
}

impl Dreamer {
    pub(crate) fn new(law: &DreamLaw) -> Self {
        Self { terms: DreamTerms::new(law, [None; 3], ASSET), shelf: DreamShelf::default(), fills: Vec::new() }
    }

    /// D-240. What a life has not heard yet.
    pub(crate) fn terms(&self, life: &Life) -> Option<Observation> {
        (!life.has_heard_of_dreams(&self.terms)).then(|| Observation::Dreams(Box::new(self.terms.clone())))
    }

    /// A price that was seen.
    pub(crate) fn look(&mut self, tick: Tick, at: UtcTime, price: Usdc, liquidity: u128) {
        if self.shelf.looks.len() >= 2 * MOST_LOOKS {
            self.shelf.looks.drain(..MOST_LOOKS);
        }
        // What a block costs never moves here.
        let base_fee_wei = 0;
        self.shelf.looks.push(Seen { tick, at, price, liquidity, base_fee_wei });
    }

    /// D-110. A trade that was made; told with its outcome.
    pub(crate) fn filled(&mut self, effect: &Effect, order: Order, moved: &Moved, at: (Tick, UtcTime, Usdc)) {
        let Moved { usdc_micros, token, denomination, .. } = *moved;
        let (tick, at, price) = at;
        let fill = Fill {
            effect: effect.id,
            order,
            tick,
            block: tick.get(),
            at,
            usdc_micros,
            token,
            decimals: denomination.decimals,
            price,
            gas: None,
            pool: None,
        };
        self.fills.push(fill);
    }

    /// The trades whose outcomes the next pass carries.
    pub(crate) fn fills(&mut self, life: &Life) -> Vec<Observation> {
        let fills = std::mem::take(&mut self.fills);
        if !life.dreams().is_some_and(golem_core::dreams::Dreams::is_on) {
            return Vec::new();
        }
        if self.shelf.fills.len() >= 2 * MOST_FILLS {
            self.shelf.fills.drain(..MOST_FILLS);
        }
        self.shelf.fills.extend(fills.iter().cloned());
        fills.into_iter().map(|fill| Observation::Filled(Box::new(fill))).collect()
    }

    /// D-039. What memory says at the end of a tick, when that is news.
    pub(crate) fn recalled(&self, life: &Life, library: &Library) -> Option<Observation> {
        let dreams = life.dreams().filter(|dreams| dreams.is_on())?;
        let episodes = library.episodes();
        let lately = Lately {
            episodes: library.lived(),
            unreplayed: library.unreplayed(),
            newest: &episodes[episodes.len().saturating_sub(NEWEST)..],
            feelings: &self.shelf.feelings,
            is_window_open: false,
            glance: None,
        };
        let recollection: Recollection = recollect(dreams, &lately);
        (!life.has_recalled(&recollection)).then(|| Observation::Recalled(Box::new(recollection)))
    }

    /// Dreams what a life wants dreamt, and lands it. What waking ticks have decided of earlier dreams is counted first.
    pub(crate) fn dream(
        &mut self,
        life: &Life,
        effect: &Effect,
        library: &mut Library,
        place: DreamPlace<'_>,
        tally: &mut DreamTally,
    ) -> OutcomeResult {
        let DreamPlace { venue, law, now } = place;
        let refused = |reason: &str| OutcomeResult::Refused { reason: reason.to_owned() };
        let Some(slumber) = freeze(life, effect.id, &sources(library, &self.shelf, venue, law)) else {
            return refused("this life does not dream it; ask again at the next turn");
        };
        let Ok(mut dream) = slumber.resume([]) else { return refused("its numbers are no law of dreams; set others") };
        let report = loop {
            match dream.step() {
                Step::Finished(report) => break *report,
                Step::Phase(_) => {}
                // Nobody serves a model here, and by rules nobody is asked.
                Step::Ask(_) => break dream.exhaust(),
            }
        };
        let landing = land(life, report, &sources(library, &self.shelf, venue, law), now);
        self.wake(landing, library, tally)
    }

    fn wake(&mut self, landing: Landing, library: &mut Library, tally: &mut DreamTally) -> OutcomeResult {
        let Landing { delivered, written, notes, feelings, rehearsals, held, dreamt, .. } = landing;
        tally.dreams += u32::from(dreamt.is_complete());
        tally.imagined += dreamt.counts.counterfactuals + dreamt.counts.hypotheses + dreamt.counts.threats;
        tally.admitted += dreamt.counts.admitted;
        self.shelf.feelings.extend(feelings);
        (self.shelf.rehearsals, self.shelf.held) = (rehearsals, held);
        library.renote(notes);
        tally.turned.extend(library.take_delivery(delivered.map(|delivered| delivered.pass), written));
        OutcomeResult::Dreamt(Box::new(dreamt))
    }
}

fn sources<'a>(library: &'a Library, shelf: &'a DreamShelf, venue: &'a Venue, law: &'a GrimoireLaw) -> Sources<'a> {
    let curator = library.sources();
    Sources {
        grimoire: curator.grimoire,
        law,
        episodes: curator.episodes,
        quarantine: curator.quarantine,
        playbook: curator.playbook,
        venue,
        shelf,
    }
}
