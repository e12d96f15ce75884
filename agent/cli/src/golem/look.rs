//! A life as its store tells it, also while another process lives it.

use eyre::{Result, WrapErr, eyre};
use golem_core::life::Life;
use golem_core::step::step;
use golem_store::Reader;
pub(crate) use golem_view::standing;

use super::Folder;

/// Opens a memory only to look.
pub(crate) fn reader(folder: &Folder) -> Result<Reader> {
    Reader::open(&folder.store()).wrap_err_with(|| format!("the memory of {} cannot be read", folder.name()))
}

/// The life as of its last committed pass: the newest snapshot and the journal behind it.
pub(crate) fn life(reader: &Reader) -> Result<Life> {
    let restored = reader.restore()?;
    let (_, mut life) = restored.snapshot.ok_or_else(|| {
        eyre!("{} begins with a life this version cannot read; use the version that wrote it", reader.path().display())
    })?;
    for entry in restored.journal.iter().filter(|entry| entry.hash.is_some()) {
        life = step(life, &entry.input).life;
    }
    Ok(life)
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
