//! Running the binary.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bardo"));
    command.current_dir(dir).env("BARDO_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    // Rolls are real here, and no test wants its Golem to die by one.
    command.env("BARDO_GOLEM_CONFIG", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/least-hazard.toml"));
    command
}

/// Runs to its end.
pub(crate) fn run(dir: &Path, arguments: &[&str]) -> Output {
    command(dir).args(arguments).output().expect("runs")
}

/// Runs to its end, which has to be a good one.
pub(crate) fn does(dir: &Path, arguments: &[&str]) -> Output {
    went_well(arguments, run(dir, arguments))
}

pub(crate) fn went_well(arguments: &[&str], said: Output) -> Output {
    assert!(said.status.success(), "{arguments:?}: {}{}", text(&said.stdout), text(&said.stderr));
    said
}

/// The words of a line.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Another process, which ends with the test, also with a failing one.
pub(crate) struct Beside(pub(crate) Child);

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A devnet in the foreground of another process.
pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Beside {
    let mut bardo = command(dir);
    bardo.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Beside(bardo.spawn().expect("starts"))
}

/// What the devnet of `dir` says of itself, once it does.
pub(crate) fn announced(dir: &Path) -> serde_json::Value {
    let path = dir.join(".bardo/chain/chain.json");
    wait_for("the devnet answers", || serde_json::from_slice(&std::fs::read(&path).ok()?).ok())
}

pub(crate) fn signal(pid: u64, name: &str) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().expect("ran").success());
}

/// Whether a process lives (a zombie does not).
pub(crate) fn is_alive(pid: u64) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z')))
}

/// Waits for something that must come, failing loudly when it does not.
pub(crate) fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(Instant::now() < deadline, "{what} within a minute");
        // Whoever is waited for needs the core.
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn wait_end(what: &str, pid: u64) {
    wait_for(what, || (!is_alive(pid)).then_some(()));
}

/// A devnet in the background that goes down with the test, also with a failing one.
pub(crate) struct Detached<'a>(&'a Path);

impl<'a> Detached<'a> {
    pub(crate) fn up(dir: &'a Path, arguments: &[&str]) -> Self {
        let up = does(dir, &[&["chain", "up", "--detach"], arguments].concat());
        assert!(text(&up.stdout).contains("bardo chain down"), "{}", text(&up.stdout));
        Self(dir)
    }
}

impl Drop for Detached<'_> {
    fn drop(&mut self) {
        run(self.0, &["chain", "down"]);
    }
}
