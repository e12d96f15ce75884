//! The Rust tests, several processes at a time.
//!
//! Tests that live on a local L2 mostly wait: for blocks, for processes, for each other. `cargo test` runs one binary after the other
//! with a thread a core, and the cores idle. Here the tests are cut into pieces that run side by side, a few more than there are
//! cores, and those that took longest the last time are begun first, so that nothing waits for a long one at the end.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use eyre::{Result, WrapErr, bail, ensure, eyre};
use serde_json::Value;

use crate::repo;

/// Binaries whose tests wait more than they compute: each of their modules is a piece, whose tests run one after the other.
const WAITING: [(&str, &str); 2] = [("golem-cli", "it"), ("golem-cli", "e2e")];
/// Pieces at once beyond the number of cores. The contracts, the page and what is deployed run beside them; with more of it a browser and
/// whoever waits for a block are kept waiting for so long that what they asked for expires.
const MORE_THAN_CORES: usize = 1;
/// What each piece took the last time, in seconds.
const LAST_TIME: &str = "target/xtask/test-seconds.json";

/// A binary of tests.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    package: String,
    target: String,
    program: PathBuf,
    folder: PathBuf,
}

/// What runs as one process: a binary, or the tests of one of its modules.
#[derive(Debug)]
struct Piece {
    name: String,
    binary: Binary,
    only: Vec<String>,
}

impl Binary {
    fn name(&self) -> String {
        format!("{} {}", self.package, self.target)
    }

    fn waits(&self) -> bool {
        WAITING.contains(&(&self.package, &self.target))
    }

    fn command(&self, environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new(&self.program);
        command.envs(environment.iter().copied()).current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }

    /// The pieces in which it runs.
    fn pieces(self, environment: &[(&str, &str)]) -> Result<Vec<Piece>> {
        if !self.waits() {
            return Ok(vec![Piece { name: self.name(), binary: self, only: Vec::new() }]);
        }
        let said = self.command(environment).args(["--list", "--format", "terse"]).output();
        let said = said.wrap_err_with(|| format!("cannot run {}", self.program.display()))?;
        let modules = modules(&String::from_utf8_lossy(&said.stdout));
        ensure!(!modules.is_empty(), "{} lists no test", self.name());
        let piece = |(module, only)| Piece { name: format!("{} {module}", self.name()), binary: self.clone(), only };
        Ok(modules.into_iter().map(piece).collect())
    }
}

/// The tests of a list by the module they begin with.
fn modules(listed: &str) -> BTreeMap<String, Vec<String>> {
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for test in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
        let module = test.split("::").next().unwrap_or(test);
        modules.entry(module.to_owned()).or_default().push(test.to_owned());
    }
    modules
}

/// What one piece came to.
#[derive(Debug)]
struct Ran {
    name: String,
    said: String,
    took: Duration,
    passed: u64,
    failed: u64,
    is_green: bool,
}

/// Runs all tests that were built, the examples in the documentation beside them. Once what else runs beside has failed, nothing more
/// is begun.
pub(crate) fn run(built: Vec<Binary>, environment: &[(&str, &str)], has_failed: &AtomicBool) -> Result<()> {
    let mut seconds = last_time();
    let pieces = built.into_iter().map(|binary| binary.pieces(environment)).collect::<Result<Vec<_>>>()?;
    let mut pieces: Vec<Piece> = pieces.into_iter().flatten().collect();
    // From the end of the list, the longest are taken first, and before them what nobody knows yet.
    pieces.sort_by(|a, b| taken(&seconds, a).total_cmp(&taken(&seconds, b)));
    let queue = Mutex::new(pieces);
    let workers = available_parallelism().map_or(1, usize::from) + MORE_THAN_CORES;
    let (ran, examples) = std::thread::scope(|scope| {
        let examples = scope.spawn(|| doctests(environment));
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(|| work(&queue, environment, has_failed))).collect();
        let mut ran = Vec::new();
        for worker in workers {
            ran.extend(worker.join().map_err(|_| eyre!("a worker of the tests panicked"))??);
        }
        Ok::<_, eyre::Report>((ran, examples.join().map_err(|_| eyre!("a worker of the tests panicked"))??))
    })?;
    seconds.extend(ran.iter().map(|ran| (ran.name.clone(), ran.took.as_secs_f64())));
    remember(&seconds);
    let red: Vec<&str> = ran.iter().filter(|ran| !ran.is_green).map(|ran| ran.name.as_str()).collect();
    let sum = |of: fn(&Ran) -> u64| ran.iter().map(of).sum::<u64>();
    println!("{} passed, {} failed", sum(|ran| ran.passed), sum(|ran| ran.failed));
    ensure!(red.is_empty(), "tests failed in {}", red.join(", "));
    ensure!(examples.status.success(), "the examples in the documentation failed:\n{}", words(&examples));
    ensure!(!has_failed.load(Ordering::Relaxed), "what runs beside the tests failed; the rest of them was not begun");
    Ok(())
}

/// What pieces took the last time. Nothing depends on it but the order in which they are begun.
fn last_time() -> BTreeMap<String, f64> {
    let text = std::fs::read_to_string(repo::root().join(LAST_TIME)).unwrap_or_default();
    let told: Value = serde_json::from_str(&text).unwrap_or_default();
    let entries = told.as_object().into_iter().flatten();
    entries.filter_map(|(name, seconds)| Some((name.clone(), seconds.as_f64()?))).collect()
}

fn taken(seconds: &BTreeMap<String, f64>, piece: &Piece) -> f64 {
    seconds.get(&piece.name).copied().unwrap_or(f64::INFINITY)
}

fn remember(seconds: &BTreeMap<String, f64>) {
    let file = repo::root().join(LAST_TIME);
    let _ = file.parent().map(std::fs::create_dir_all);
    // Without it the next run only begins in another order.
    let _ = std::fs::write(file, serde_json::json!(seconds).to_string());
}

fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The binaries, built.
pub(crate) fn build(environment: &[(&str, &str)]) -> Result<Vec<Binary>> {
    let said = Command::new("cargo")
        .args(["test", "--workspace", "--all-features", "--locked", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .envs(environment.iter().copied())
        .current_dir(repo::root())
        .stderr(Stdio::inherit())
        .output()
        .wrap_err("cannot run cargo")?;
    ensure!(said.status.success(), "the tests do not build");
    let built = String::from_utf8_lossy(&said.stdout);
    let binaries: Vec<Binary> = built.lines().filter_map(binary).collect();
    if binaries.is_empty() {
        bail!("cargo built no test");
    }
    Ok(binaries)
}

/// The binary that a line of cargo tells of.
fn binary(line: &str) -> Option<Binary> {
    let told: Value = serde_json::from_str(line).ok()?;
    if told["reason"] != "compiler-artifact" || told["profile"]["test"] != true {
        return None;
    }
    let manifest = PathBuf::from(told["manifest_path"].as_str()?);
    let folder = manifest.parent()?.to_path_buf();
    let package = told["package_id"].as_str()?.rsplit('#').next()?.split('@').next()?.to_owned();
    Some(Binary {
        // A package that is named as its folder has only its version behind the sign.
        package: if package.starts_with(|sign: char| sign.is_ascii_digit()) {
            folder.file_name()?.to_str()?.to_owned()
        } else {
            package
        },
        target: told["target"]["name"].as_str()?.to_owned(),
        program: PathBuf::from(told["executable"].as_str()?),
        folder,
    })
}

/// Runs pieces until none is left, or none is to be begun any more.
fn work(queue: &Mutex<Vec<Piece>>, environment: &[(&str, &str)], has_failed: &AtomicBool) -> Result<Vec<Ran>> {
    let mut all = Vec::new();
    loop {
        if has_failed.load(Ordering::Relaxed) {
            return Ok(all);
        }
        let next = queue.lock().map_err(|_| eyre!("a worker of the tests panicked"))?.pop();
        let Some(piece) = next else { return Ok(all) };
        let ran = run_one(piece, environment)?;
        let word = if ran.is_green { "ok" } else { "FAILED" };
        println!("  {:<34} {:>5} tests {:>7.1} s  {word}", ran.name, ran.passed + ran.failed, ran.took.as_secs_f64());
        if !ran.is_green {
            println!("{}", ran.said);
        }
        all.push(ran);
    }
}

fn run_one(piece: Piece, environment: &[(&str, &str)]) -> Result<Ran> {
    let begun = Instant::now();
    let mut command = piece.binary.command(environment);
    if !piece.only.is_empty() {
        command.args(["--test-threads", "1", "--exact"]).args(&piece.only);
    }
    let done = command.output().wrap_err_with(|| format!("cannot run {}", piece.binary.program.display()))?;
    let said = words(&done);
    let counts = counts(&said);
    Ok(Ran {
        name: piece.name,
        took: begun.elapsed(),
        passed: counts.get("passed").copied().unwrap_or(0),
        failed: counts.get("failed").copied().unwrap_or(0),
        is_green: done.status.success(),
        said,
    })
}

/// The numbers of a line like `test result: ok. 3 passed; 0 failed; ...`, summed over all such lines.
fn counts(said: &str) -> BTreeMap<&str, u64> {
    let mut counts = BTreeMap::new();
    for line in said.lines().filter_map(|line| line.strip_prefix("test result: ")) {
        for part in line.split(['.', ';']) {
            let mut words = part.split_whitespace();
            if let (Some(Ok(number)), Some(word)) = (words.next().map(str::parse::<u64>), words.next()) {
                *counts.entry(word).or_default() += number;
            }
        }
    }
    counts
}

fn doctests(environment: &[(&str, &str)]) -> Result<Output> {
    Command::new("cargo")
        .args(["test", "--workspace", "--all-features", "--locked", "--doc", "--quiet"])
        // They are run from the folder they are built in, and files in memory may be barred from that.
        .envs(environment.iter().copied().filter(|(key, _)| *key != "TMPDIR"))
        .current_dir(repo::root())
        .output()
        .wrap_err("cannot run cargo")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_a_binary_are_counted() {
        let said = "running 3 tests\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; finished in 0.01s\n";
        let counts = counts(said);
        assert_eq!((counts.get("passed"), counts.get("failed")), (Some(&2), Some(&1)));
    }

    #[test]
    fn a_binary_is_known_by_its_package_and_target() {
        let line = r#"{"reason":"compiler-artifact","profile":{"test":true},"manifest_path":"/r/agent/cli/Cargo.toml",
            "package_id":"path+file:///r/agent/cli#golem-cli@0.1.0","target":{"name":"it"},"executable":"/r/it-1"}"#;
        let found = binary(&line.replace('\n', "")).expect("a binary of tests");
        assert!(found.waits());
        assert_eq!(found.name(), "golem-cli it");
        let alike = line.replace("#golem-cli@0.1.0", "#0.1.0").replace('\n', "");
        let alike = binary(&alike).expect("named as its folder");
        assert_eq!((alike.package.as_str(), alike.waits()), ("cli", false));
        assert!(binary(r#"{"reason":"build-finished","success":true}"#).is_none());
    }

    #[test]
    fn tests_are_cut_by_the_module_they_begin_with() {
        let modules = modules(
            "line::a: test\nline::deep::b: test\nalone: test\nline::bench: benchmark\n\n4 tests, 1 benchmark\n",
        );
        assert_eq!(modules["line"], ["line::a", "line::deep::b"]);
        assert_eq!(modules["alone"], ["alone"]);
        assert_eq!(modules.len(), 2);
    }
}
