//! One devnet a folder: who holds it, and asking the holder to stop.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

use crate::devnet::DevnetSettings;
use crate::error::DevnetError;
use crate::world::World;

/// How long a devnet may take to save itself and stop.
const STOP_LIMIT: Duration = Duration::from_secs(20);

/// What a running devnet says of itself in `chain.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Running {
    /// The process that produces the blocks.
    pub pid: u32,
    pub anvil_pid: u32,
    /// Where the chain answers.
    pub rpc_url: String,
    pub chain_id: u64,
    /// The seed of its market.
    pub seed: u64,
    pub market: String,
    /// Seconds between blocks, in chain time.
    pub block_seconds: u64,
    /// Where blocks can be asked for; nobody answers while the chain only follows the wall clock.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub control: Option<std::net::SocketAddr>,
    /// Where a facilitator for HTTP 402 answers, when there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub facilitator: Option<String>,
    /// Where everything stands.
    pub world: World,
}

/// Holds a folder for this process. The operating system lets go of it however the process ends, so that a crash
/// leaves nothing to clean up by hand.
#[derive(Debug)]
pub(crate) struct Lock {
    dir: PathBuf,
    _file: File,
}

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Self, DevnetError> {
        std::fs::create_dir_all(dir).map_err(DevnetError::file("cannot make the folder", dir))?;
        let path = lock_path(dir);
        let mut file = open(&path)?;
        match try_lock_patiently(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let known = read_running(dir);
                return Err(DevnetError::AlreadyRunning {
                    dir: dir.to_path_buf(),
                    pid: known.as_ref().map_or_else(|| holder(&mut file), |running| running.pid),
                    rpc_url: known.map_or_else(|| "still starting".to_owned(), |running| running.rpc_url),
                    differs: String::new(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(DevnetError::file("cannot lock", &path)(error)),
        }
        // What an earlier process left behind describes a chain that is gone.
        let _ = std::fs::remove_file(running_path(dir));
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()))
            .map_err(DevnetError::file("cannot write", &path))?;
        Ok(Self { dir: dir.to_path_buf(), _file: file })
    }

    /// Says where the chain answers.
    pub(crate) fn announce(&self, running: &Running) -> Result<(), DevnetError> {
        let path = running_path(&self.dir);
        let text = serde_json::to_string_pretty(running).expect("plain data");
        write_whole(&path, text.as_bytes())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(running_path(&self.dir));
    }
}

/// The devnet that runs from `dir`.
///
/// # Errors
/// [`DevnetError::NotRunning`] when none does.
pub fn running(dir: &Path) -> Result<Running, DevnetError> {
    let not_running = || DevnetError::NotRunning { dir: dir.to_path_buf() };
    if holding_process(dir)?.is_none() {
        return Err(not_running());
    }
    read_running(dir).ok_or_else(not_running)
}

/// Whether no devnet runs from the folder of these settings yet.
///
/// # Errors
/// [`DevnetError::AlreadyRunning`] with what of the one that does is not as these settings want it.
pub fn is_free(settings: &DevnetSettings) -> Result<(), DevnetError> {
    let Ok(running) = running(&settings.dir) else { return Ok(()) };
    let port = settings.port.filter(|port| !running.rpc_url.ends_with(&format!(":{port}")));
    let differs = [
        (running.market != settings.market.to_string())
            .then(|| format!("market {} instead of {}", running.market, settings.market)),
        (running.seed != settings.seed).then(|| format!("seed {} instead of {}", running.seed, settings.seed)),
        (running.block_seconds != settings.block_seconds)
            .then(|| format!("blocks of {} s instead of {} s", running.block_seconds, settings.block_seconds)),
        (running.chain_id != settings.chain_id)
            .then(|| format!("chain id {} instead of {}", running.chain_id, settings.chain_id)),
        port.map(|port| format!("another port than {port}")),
    ];
    let differs: Vec<String> = differs.into_iter().flatten().collect();
    let differs = if differs.is_empty() { String::new() } else { format!("; it has {}", differs.join(", ")) };
    let Running { pid, rpc_url, .. } = running;
    Err(DevnetError::AlreadyRunning { dir: settings.dir.clone(), pid, rpc_url, differs })
}

/// Asks the devnet that runs from `dir` to stop and waits until it has.
///
/// # Errors
/// [`DevnetError::NotRunning`] or [`DevnetError::WontStop`].
pub async fn stop_running(dir: &Path) -> Result<u32, DevnetError> {
    let pid = holding_process(dir)?.ok_or_else(|| DevnetError::NotRunning { dir: dir.to_path_buf() })?;
    if let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(process, Signal::TERM);
    }
    let deadline = tokio::time::Instant::now() + STOP_LIMIT;
    while holding_process(dir)?.is_some() {
        if tokio::time::Instant::now() > deadline {
            return Err(DevnetError::WontStop { pid, seconds: STOP_LIMIT.as_secs() });
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    Ok(pid)
}

/// Takes the lock, waiting out those who only look whether it is held: they hold it for an instant themselves.
fn try_lock_patiently(file: &File) -> Result<(), TryLockError> {
    const LOOKS: u32 = 20;
    for _ in 0..LOOKS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            answer => return answer,
        }
    }
    file.try_lock()
}

/// The process that holds the folder, if any does. A number left in the file by a dead process is no holder.
fn holding_process(dir: &Path) -> Result<Option<u32>, DevnetError> {
    let path = lock_path(dir);
    if !path.exists() {
        return Ok(None);
    }
    let mut file = open(&path)?;
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Ok(Some(holder(&mut file))),
        Err(TryLockError::Error(error)) => Err(DevnetError::file("cannot lock", &path)(error)),
    }
}

fn holder(file: &mut File) -> u32 {
    let mut text = String::new();
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut text));
    text.trim().parse().unwrap_or_default()
}

fn open(path: &Path) -> Result<File, DevnetError> {
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(DevnetError::file("cannot open", path))
}

fn read_running(dir: &Path) -> Option<Running> {
    serde_json::from_slice(&std::fs::read(running_path(dir)).ok()?).ok()
}

fn lock_path(dir: &Path) -> PathBuf {
    dir.join("lock")
}

fn running_path(dir: &Path) -> PathBuf {
    dir.join("chain.json")
}

/// Writes a file so that a reader sees the old one or the new one, never half of it.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), DevnetError> {
    let scratch = path.with_extension("part");
    let mut file = File::create(&scratch).map_err(DevnetError::file("cannot write", &scratch))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(DevnetError::file("cannot write", &scratch))?;
    std::fs::rename(&scratch, path).map_err(DevnetError::file("cannot write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_once_and_let_go() {
        let dir = tempfile::tempdir().expect("a folder");
        let lock = Lock::take(dir.path()).expect("free");
        let error = Lock::take(dir.path()).expect_err("held").to_string();
        assert!(error.contains("already runs") && error.contains("bardo chain down"), "{error}");
        drop(lock);
        Lock::take(dir.path()).expect("free again");
    }

    #[test]
    fn looking_whether_a_folder_is_held_never_keeps_anyone_from_holding_it() {
        let dir = tempfile::tempdir().expect("a folder");
        drop(Lock::take(dir.path()).expect("free"));
        let looking = std::sync::atomic::AtomicBool::new(true);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while looking.load(std::sync::atomic::Ordering::Relaxed) {
                    let _ = running(dir.path());
                }
            });
            let taken = (0..200).filter(|_| Lock::take(dir.path()).is_ok()).count();
            looking.store(false, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(taken, 200, "nobody else holds it");
        });
    }

    #[test]
    fn what_a_dead_process_left_is_no_running_devnet() {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(lock_path(dir.path()), "4194303").expect("written");
        std::fs::write(running_path(dir.path()), "{}").expect("written");
        let error = running(dir.path()).expect_err("stale").to_string();
        assert!(error.contains("bardo chain up"), "{error}");
        Lock::take(dir.path()).expect("a stale lock holds nothing");
        assert!(!running_path(dir.path()).exists(), "the stale description is gone");
    }
}
