//! `bardo memory replay`: a recorded life lived again, every hash compared.

use std::process::ExitCode;
use std::time::Instant;

use eyre::{Result, eyre};
use golem_core::life::Life;
use golem_core::step::step;
use golem_primitives::{B256, Tick};
use golem_store::Reader;
use golem_view::{DivergedPicture, FindingPicture, Number, RelivedPicture, ShortcutPicture, Shown as _, table_of};

use super::grimoire::TableArguments;
use crate::screen;

/// Passes read at once.
const PAGE: usize = 512;

#[derive(Debug)]
pub(crate) struct Relived {
    pub(crate) life: Life,
    pub(crate) passes: u64,
    pub(crate) compared: u64,
    /// The first pass that came out otherwise.
    pub(crate) diverged: Option<Divergence>,
}

/// A pass that came out otherwise than it was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Divergence {
    pub(crate) pass: u64,
    pub(crate) tick: Tick,
    pub(crate) recorded: B256,
    pub(crate) got: B256,
}

pub(super) fn run(arguments: &TableArguments) -> Result<ExitCode> {
    let (folder, reader) = arguments.whose.reader()?;
    let total = reader.counts()?.passes;
    let bar = screen::bar(total, arguments.json, screen::WIDE_BAR, "living it again");
    let started = Instant::now();
    let whole = relive_from_birth(&reader, |seq| bar.set_position(seq))?;
    let seconds = started.elapsed().as_secs_f64();
    let (from, snapshot) = reader.latest_snapshot()?.ok_or_else(|| eyre!("there is no snapshot to begin from"))?;
    let short = relive(&reader, snapshot, from, |_| {})?;
    bar.finish_and_clear();
    let agree = whole.life.hash() == short.life.hash();
    let holds = whole.diverged.is_none() && short.diverged.is_none() && agree;
    let diverged = whole.diverged.or(short.diverged);
    let picture = RelivedPicture {
        golem: folder.name().to_owned(),
        holds,
        passes: whole.passes,
        compared: whole.compared,
        tick: whole.life.tick(),
        hash: whole.life.hash(),
        snapshot: ShortcutPicture { from, passes: short.passes, hash: short.life.hash(), agrees: agree },
        diverged: diverged.map(|Divergence { pass, tick, recorded, got }| DivergedPicture {
            pass,
            tick,
            recorded,
            got,
        }),
        took_seconds: Number(seconds),
    };
    if arguments.json {
        screen::tell(&picture.json());
        return Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let RelivedPicture { golem, passes, compared, tick, hash, .. } = &picture;
    let speed = *passes as f64 / seconds.max(1e-9);
    let whole_words = format!("{passes} passes, {compared} hashes compared, {seconds:.2} s ({speed:.0}/s)");
    let short_words = format!("after pass {from}, {} passes", short.passes);
    let rows = [
        FindingPicture::new("from birth", whole.diverged.is_none(), whole_words, ""),
        FindingPicture::new("from the newest snapshot", short.diverged.is_none(), short_words, ""),
        FindingPicture::new("both end in one life", agree, format!("tick {tick}, {hash}"), ""),
    ];
    screen::show(&table_of(&format!("{golem} lived again"), &rows));
    if let Some(DivergedPicture { pass, tick, recorded, got }) = picture.diverged {
        println!("\nPass {pass} (tick {tick}) came out as {got}, recorded is {recorded}.");
        println!(
            "Either this program lives by another law than the one that wrote it, or the file was changed: bardo memory restore {}",
            folder.name()
        );
    }
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Lives a whole life again, from its birth.
fn relive_from_birth(reader: &Reader, progress: impl FnMut(u64)) -> Result<Relived> {
    let birth =
        reader.birth()?.ok_or_else(|| eyre!("the life it began with was written by another version; use that one"))?;
    relive(reader, birth, 0, progress)
}

/// The same as one finding: whether every hash came out again, and in words how far.
pub(crate) fn lived_again(reader: &Reader) -> Result<(bool, String)> {
    let again = relive_from_birth(reader, |_| {})?;
    Ok(match again.diverged {
        None => (true, format!("{} passes from birth, every hash the same", again.compared)),
        Some(Divergence { pass, tick, .. }) => (false, format!("pass {pass} (tick {tick}) comes out otherwise")),
    })
}

/// Lives every pass after a place again; stops at the first that comes out otherwise.
pub(crate) fn relive(reader: &Reader, life: Life, after: u64, mut progress: impl FnMut(u64)) -> Result<Relived> {
    let mut done = Relived { life, passes: 0, compared: 0, diverged: None };
    let mut next = after + 1;
    loop {
        let page = reader.journal(next, PAGE)?;
        let Some(last) = page.last() else { return Ok(done) };
        next = last.seq + 1;
        for entry in page {
            // Journaled and never committed: nothing stands against it, and the next start will live it.
            let Some(recorded) = entry.hash else { return Ok(done) };
            done.life = step(done.life, &entry.input).life;
            done.passes += 1;
            let got = done.life.hash();
            if got != recorded {
                done.diverged = Some(Divergence { pass: entry.seq, tick: entry.input.tick, recorded, got });
                return Ok(done);
            }
            done.compared += 1;
            progress(entry.seq);
        }
    }
}
