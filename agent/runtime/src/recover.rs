//! Startup is recovery: the newest snapshot, the journal behind it, and every hash compared.

use golem_core::life::Life;
use golem_core::record::{Effects, Events, TickRecord};
use golem_core::step::step;
use golem_ports::{Committed, Restored, Store};
use golem_primitives::{B256, Tick};

use crate::error::RuntimeError;

/// Where a replay ended.
#[derive(Debug)]
pub struct Replayed {
    /// The life.
    pub life: Life,
    /// Passes lived again.
    pub passes: u64,
    /// The place of the last one.
    pub seq: u64,
    /// Passes whose hash was compared.
    pub compared: u64,
}

/// A pass lived again.
#[derive(Debug)]
pub(crate) struct Again {
    pub(crate) seq: u64,
    pub(crate) tick: Tick,
    pub(crate) now: golem_primitives::UtcTime,
    pub(crate) events: Events,
}

/// Brings a life to where it was. A pass that was journaled and never committed is lived and committed now.
pub(crate) fn recover<S: Store>(store: &mut S) -> Result<(Life, Vec<Again>), RuntimeError> {
    let Restored { snapshot, journal } = store.restore()?;
    let (_, mut life) = snapshot.ok_or(RuntimeError::NoBirth)?;
    let mut lived = Vec::with_capacity(journal.len());
    for entry in journal {
        let next = step(life, &entry.input);
        life = next.life;
        let hash = life.hash();
        match entry.hash {
            Some(recorded) => compare(entry.seq, entry.input.tick, recorded, hash)?,
            None => commit(store, entry.seq, &entry.input, &life, hash, (&next.events, &next.effects, next.record))?,
        }
        lived.push(Again { seq: entry.seq, tick: entry.input.tick, now: entry.input.now, events: next.events });
    }
    Ok((life, lived))
}

fn compare(seq: u64, tick: Tick, recorded: B256, got: B256) -> Result<(), RuntimeError> {
    if recorded == got { Ok(()) } else { Err(RuntimeError::Diverged { seq, tick, recorded, got }) }
}

fn commit<S: Store>(
    store: &mut S,
    seq: u64,
    input: &golem_core::record::TickInput,
    life: &Life,
    hash: B256,
    (events, effects, record): (&Events, &Effects, Option<TickRecord>),
) -> Result<(), RuntimeError> {
    store.commit(Committed {
        seq,
        input,
        life,
        hash,
        events,
        effects,
        record: record.as_ref(),
        roll_block: input.roll_block,
        keep_snapshot: false,
        episodes: &[],
    })?;
    Ok(())
}

/// Lives a recorded life again from its birth and compares the hash of every pass.
///
/// # Errors
/// [`RuntimeError::Diverged`] at the first pass that comes out otherwise.
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
