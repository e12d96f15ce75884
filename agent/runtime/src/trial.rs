//! The trials of an heir: what it inherited is tried in the order of the queue, a batch a Curator's cycle (I-040, I-051,
//! I-098).

use std::collections::BTreeSet;

use golem_core::life::Life;
use golem_core::trader::Trader;
use golem_grimoire::id::EntryId;
use golem_grimoire::regime::RegimeBelief;
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::novelty::ValidationQueue;
use golem_ports::Memory;
use golem_primitives::Tick;
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::heritage::Heritage;
use crate::notes;

/// The note under which the store keeps whose trial has begun.
pub const TRIAL_NOTE: &str = "trial";

/// I-098. Trials that begin with one cycle. Ours to choose: a whole genome is tried within sixteen cycles, which is no
/// slower than siblings may send.
pub const BEGUN_A_CYCLE: usize = 128;

/// Whose trial has begun.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Trials {
    /// The cycle that last began some.
    pub tick: Tick,
    /// Everything inherited whose turn has come.
    pub begun: BTreeSet<EntryId>,
}

impl Trials {
    /// Of a note; nobody's turn has come where there is none.
    #[must_use]
    pub fn of(note: Option<&str>) -> Self {
        note.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// I-005, I-051. Begins the next batch of a queue; what was put off comes when nothing else waits.
    fn begin(&mut self, mut queue: ValidationQueue, tick: Tick) {
        for _ in 0..BEGUN_A_CYCLE {
            let next = queue.take().or_else(|| {
                queue.revisit();
                queue.take()
            });
            let Some(next) = next else { break };
            self.begun.insert(next.id);
        }
        self.tick = tick;
    }
}

/// What this market is, as far as a life can tell.
#[must_use]
pub fn belief(life: &Life) -> RegimeBelief {
    life.trader().and_then(Trader::regime).map_or_else(RegimeBelief::unknown, RegimeBelief::certain)
}

/// I-051, I-098. Begins the trials of a cycle and answers what must still wait for its turn. Of a tick that has begun its
/// own nothing more begins, so a cycle that was cut off and is driven again tries the same.
pub(crate) fn held<S: Memory>(
    store: &mut S,
    life: &Life,
    grimoire: &Grimoire,
    tick: Tick,
) -> Result<BTreeSet<EntryId>, RuntimeError> {
    let Some(heritage) = Heritage::read(store)? else { return Ok(BTreeSet::new()) };
    let mut trials: Trials = notes::read(store, TRIAL_NOTE)?.unwrap_or_default();
    let queue = |trials: &Trials| heritage.queue(grimoire, &belief(life), &trials.begun);
    if trials.tick < tick {
        trials.begin(queue(&trials), tick);
        notes::keep(store, TRIAL_NOTE, &trials)?;
    }
    let queue = queue(&trials);
    Ok(queue.waiting().chain(queue.deferred()).map(|one| one.id).collect())
}
