//! A life as its store tells it, also while another process lives it.

use eyre::{Result, WrapErr, eyre};
use golem_core::life::Life;
use golem_core::record::{Observation, TickInput};
use golem_core::step::step;
use golem_ports::JournalEntry;
use golem_primitives::Tick;
use golem_store::{Reader, StoredEvent};
pub(crate) use golem_view::standing;
use golem_view::{Holding, SeenWorth};
use serde::Serialize;

use super::home::Folder;

/// Opens a memory only to look.
pub(crate) fn reader(folder: &Folder) -> Result<Reader> {
    Reader::open(&folder.store()).wrap_err_with(|| format!("the memory of {} cannot be read", folder.name()))
}

/// The life as of its last committed pass: the newest snapshot and the journal behind it.
pub(crate) fn life(reader: &Reader) -> Result<Life> {
    let (after, mut life) = reader.latest_snapshot()?.ok_or_else(|| {
        eyre!("{} begins with a life this version cannot read; use the version that wrote it", reader.path().display())
    })?;
    for entry in reader.journal(after + 1, usize::MAX)?.iter().filter(|entry| entry.hash.is_some()) {
        life = step(life, &entry.input).life;
    }
    Ok(life)
}

/// Which of several kinds something is, by the name that kind has in a record.
pub(crate) fn kind_words(one: &impl Serialize) -> String {
    let record = serde_json::to_value(one).unwrap_or_default();
    let name = record.as_str().or_else(|| Some(record.as_object()?.keys().next()?.as_str()));
    name.unwrap_or_default().replace('_', " ")
}

/// Everything that happened in a life, one by one.
pub(crate) fn each_event(reader: &Reader, mut hear: impl FnMut(&StoredEvent)) -> Result<()> {
    const AT_ONCE: usize = 1_000;
    let mut next = 1;
    loop {
        let page = reader.events(next, AT_ONCE)?;
        let Some(last) = page.last() else { return Ok(()) };
        next = last.id + 1;
        page.iter().for_each(&mut hear);
    }
}

/// Passes read at once.
const PAGE: usize = 64;

/// What holding the token would have made of its capital: the first look, the few passes that moved capital, and the last.
pub(crate) fn holding(reader: &Reader) -> Result<Holding> {
    let mut holding = Holding::default();
    let newest = reader.counts()?.committed;
    let mut seen = 0;
    while !holding.has_begun() && seen < newest {
        for entry in reader.journal(seen + 1, PAGE)? {
            seen = entry.seq;
            holding.see(&entry.input);
            if holding.has_begun() {
                break;
            }
        }
    }
    catch_up(reader, &mut holding, seen, newest, |_, _| ())?;
    Ok(holding)
}

/// Tells `holding` everything after a pass that may move it, up to another, and of a long way only some of the looks between;
/// what each showed is told on.
pub(crate) fn catch_up(
    reader: &Reader,
    holding: &mut Holding,
    after: u64,
    newest: u64,
    mut looked: impl FnMut(Tick, &SeenWorth),
) -> Result<()> {
    let mut take = |entry: &JournalEntry| {
        if let Some(seen) = holding.see(&entry.input) {
            looked(entry.input.tick, &seen);
        }
    };
    if newest.saturating_sub(after) <= SAMPLES {
        let near = reader.journal(after + 1, usize::try_from(newest - after.min(newest)).unwrap_or(usize::MAX))?;
        near.iter().filter(|entry| entry.seq <= newest).for_each(take);
        return Ok(());
    }
    // A tick has two passes and the first of them looks, so that of two neighbours one does.
    let apart = (newest - after).div_ceil(SAMPLES);
    let moves = reader.capital_moves(after)?;
    let mut moves = moves.iter().filter(|entry| entry.seq <= newest).peekable();
    for sample in (1..=SAMPLES).map(|at| (after + at * apart).min(newest)) {
        while let Some(moved) = moves.next_if(|moved| moved.seq < sample) {
            take(moved);
        }
        let pair = reader.journal(sample.saturating_sub(1).max(after + 1), 2)?;
        for entry in pair.iter().filter(|entry| entry.seq <= newest) {
            if moves.next_if(|moved| moved.seq == entry.seq).is_some() || is_quiet(&entry.input) {
                take(entry);
            }
        }
        if sample == newest {
            break;
        }
    }
    Ok(())
}

/// Looks of a long past that are read.
const SAMPLES: u64 = 512;

/// Whether the vault's log told of no capital that moved: such a look may be seen out of its turn.
fn is_quiet(input: &TickInput) -> bool {
    input.observations.iter().all(|observation| match observation {
        Observation::Inflows(log) => log.capital[0] == 0 && log.after.is_some(),
        _ => true,
    })
}

/// The process that lives a Golem now. A lock file outlives its process, so the process is looked for too.
pub(crate) fn holder(folder: &Folder) -> Option<u32> {
    let mut lock = folder.store().into_os_string();
    lock.push(".lock");
    let pid: i32 = golem_edge::files::read_text(lock.as_ref(), golem_edge::files::SMALL).ok()?.trim().parse().ok()?;
    let process = rustix::process::Pid::from_raw(pid)?;
    rustix::process::test_kill_process(process).ok()?;
    u32::try_from(pid).ok().filter(|pid| *pid != std::process::id())
}
