//! Startup is recovery: the newest snapshot, the journal behind it, and every hash compared.

use golem_core::life::Life;
use golem_core::memory::Before;
use golem_core::record::{Chance, Events, Observation, Salt, TickInput};
use golem_core::step::{Step, step};
use golem_ports::{Committed, JournalEntry, Memory, Restored, Store};
use golem_primitives::{B256, Tick};

use crate::beat::{PACE_TICKS, Pace};
use crate::error::RuntimeError;
use crate::mind::Mind;

/// Where a replay ended.
#[derive(Debug)]
pub struct Replayed {
    pub life: Life,
    pub passes: u64,
    pub seq: u64,
    pub compared: u64,
}

#[derive(Debug)]
pub(crate) struct Again {
    pub(crate) seq: u64,
    pub(crate) tick: Tick,
    pub(crate) now: golem_primitives::UtcTime,
    pub(crate) events: Events,
}

pub(crate) struct Recovered {
    pub(crate) life: Life,
    pub(crate) lived: Vec<Again>,
    pub(crate) chain: ChainSeen,
}

/// What was seen of the chain and stands in no life: a process that begins knows it as the one before it did, or a report
/// would say something else because somebody was killed.
#[derive(Debug, Default)]
pub(crate) struct ChainSeen {
    /// Blocks a tick, for what reports announce.
    pub(crate) pace: Pace,
    /// The last block the roll can be drawn from, kept for ticks in which nobody answers.
    pub(crate) roll_block: Option<(u64, B256)>,
}

impl ChainSeen {
    /// Reads it from the journal, whose last pass is `upto`.
    fn recall<S: Store>(store: &S, mut upto: u64) -> Result<Self, RuntimeError> {
        const PAGE: u64 = 2 * PACE_TICKS as u64;
        let (mut newest_first, mut roll_block) = (Vec::with_capacity(PACE_TICKS), None);
        while upto > 0 && newest_first.len() < PACE_TICKS {
            let from = upto.saturating_sub(PAGE - 1).max(1);
            let page = store.journal(from, (PAGE as usize).min(upto as usize))?;
            for JournalEntry { input, .. } in page.iter().rev().filter(|entry| entry.seq <= upto) {
                let sight = input.observations.iter().rev().find_map(|seen| match seen {
                    Observation::Sight(sight) => Some((input.tick, sight.block.number)),
                    _ => None,
                });
                newest_first.extend(sight);
                if let (None, Some(number), Chance::Named(Salt::Block(hash))) =
                    (roll_block, input.roll_block, input.chance)
                {
                    roll_block = Some((number, hash));
                }
            }
            upto = from - 1;
        }
        let mut pace = Pace::default();
        for (tick, block) in newest_first.into_iter().take(PACE_TICKS).rev() {
            pace.note(tick, block);
        }
        Ok(Self { pace, roll_block })
    }
}

/// Brings a life to where it was, and its mind with it. A pass that was journaled and never committed is lived and
/// committed now.
pub(crate) fn recover<S: Memory>(store: &mut S, mind: &mut Mind) -> Result<Recovered, RuntimeError> {
    let Restored { snapshot, journal } = store.restore()?;
    let (seq, mut life) = snapshot.ok_or(RuntimeError::NoBirth)?;
    let chain = ChainSeen::recall(store, journal.last().map_or(seq, |entry| entry.seq))?;
    mind.recollect(store, seq, life.tick())?;
    let mut lived = Vec::with_capacity(journal.len());
    for entry in journal {
        let before = Before::of(&life);
        let next = step(life, &entry.input);
        match entry.hash {
            Some(recorded) => {
                compare(entry.seq, entry.input.tick, recorded, next.life.hash())?;
                mind.take(&entry.input);
            }
            None => {
                commit(store, mind, &before, entry.seq, &entry.input, &next, false)?;
            }
        }
        life = next.life;
        lived.push(Again { seq: entry.seq, tick: entry.input.tick, now: entry.input.now, events: next.events });
    }
    mind.study(store, &life)?;
    Ok(Recovered { life, lived, chain })
}

/// Lands a pass in one transaction; answers how many episodes it lived. Reinforced is before the commit: what is cut off
/// between the two is lived again, and reinforces nothing twice.
pub(crate) fn commit<S: Memory>(
    store: &mut S,
    mind: &mut Mind,
    before: &Before,
    seq: u64,
    input: &TickInput,
    next: &Step,
    keep_snapshot: bool,
) -> Result<usize, RuntimeError> {
    mind.take(input);
    let episodes = mind.lived(before, &next.life, input, &next.events);
    mind.reinforce(store, &next.life, input, &episodes)?;
    store.commit(Committed {
        seq,
        input,
        life: &next.life,
        hash: next.life.hash(),
        events: &next.events,
        effects: &next.effects,
        record: next.record.as_ref(),
        roll_block: input.roll_block,
        keep_snapshot,
        episodes: &episodes,
    })?;
    Ok(episodes.len())
}

fn compare(seq: u64, tick: Tick, recorded: B256, got: B256) -> Result<(), RuntimeError> {
    if recorded == got { Ok(()) } else { Err(RuntimeError::Diverged { seq, tick, recorded, got }) }
}

/// Lives a recorded life again from its birth and compares the hash of every pass.
pub fn replay<S: Store>(
    store: &S,
    birth: Life,
    mut progress: impl FnMut(u64, Tick, B256),
) -> Result<Replayed, RuntimeError> {
    const PAGE: usize = 512;
    let mut done = Replayed { life: birth, passes: 0, seq: 0, compared: 0 };
    loop {
        let page = store.journal(done.seq + 1, PAGE)?;
        if page.is_empty() {
            return Ok(done);
        }
        for entry in page {
            done.life = step(done.life, &entry.input).life;
            let hash = done.life.hash();
            if let Some(recorded) = entry.hash {
                compare(entry.seq, entry.input.tick, recorded, hash)?;
                done.compared += 1;
            }
            (done.seq, done.passes) = (entry.seq, done.passes + 1);
            progress(entry.seq, entry.input.tick, hash);
        }
    }
}
