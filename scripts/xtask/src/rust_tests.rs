//! The Rust tests, several binaries at a time.
//!
//! Tests that live on a local L2 mostly wait: for blocks, for processes, for each other. `cargo test` runs one binary
//! after the other with a thread a core, and the cores idle. Here those run with more threads than there are cores, and
//! the binaries that compute run beside them.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use eyre::{Result, WrapErr, bail, ensure, eyre};
use serde_json::Value;

use crate::repo;

/// Binaries whose tests wait more than they compute, in the order in which they are begun, each with the tests that make up the
/// longer half of it: the halves run side by side, or everything waits for one binary at the end.
const WAITING: [Waiting; 2] = [
    Waiting { package: "golem-cli", target: "it", long: &["line::", "heirs::"] },
    Waiting { package: "golem-cli", target: "e2e", long: &["crash::", "dreaming::", "interrupted::", "siblings::"] },
];
/// Tests at once in a binary that waits.
const THREADS: usize = 2;

/// A binary that is known by name.
struct Waiting {
    package: &'static str,
    target: &'static str,
    long: &'static [&'static str],
}

/// A binary of tests.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    package: String,
    target: String,
    program: PathBuf,
    folder: PathBuf,
    part: Part,
}

/// Which tests of a binary run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Long,
    Others,
    All,
}

impl Binary {
    /// Its place in [`WAITING`]; those that compute come after.
    fn place(&self) -> usize {
        let waits = |one: &Waiting| one.package == self.package && one.target == self.target;
        WAITING.iter().position(waits).unwrap_or(WAITING.len())
    }

    fn name(&self) -> String {
        let part = match self.part {
            Part::Long => ", long",
            Part::Others => ", others",
            Part::All => "",
        };
        format!("{} {}{part}", self.package, self.target)
    }

    /// The binary in the parts in which it runs.
    fn parts(self) -> Vec<Self> {
        if self.place() == WAITING.len() {
            return vec![self];
        }
        [Part::Long, Part::Others].map(|part| Self { part, ..self.clone() }).into()
    }
}

/// What one binary came to.
#[derive(Debug)]
struct Ran {
    name: String,
    said: String,
    took: Duration,
    passed: u64,
    failed: u64,
    is_green: bool,
}

/// Runs all tests that were built, then the examples in the documentation. Once what runs beside has failed, nothing more is
/// begun.
pub(crate) fn run(built: Vec<Binary>, environment: &[(&str, &str)], has_failed: &AtomicBool) -> Result<()> {
    let mut binaries: Vec<Binary> = built.into_iter().flat_map(Binary::parts).collect();
    binaries.sort_by_key(|binary| (binary.place(), binary.part, binary.name()));
    let queue = Mutex::new(VecDeque::from(binaries));
    let ran = std::thread::scope(|scope| {
        let waiting = [(); 2].map(|()| scope.spawn(|| work(&queue, VecDeque::pop_front, environment, has_failed)));
        let mut ran = work(&queue, VecDeque::pop_back, environment, has_failed)?;
        for one in waiting {
            ran.extend(one.join().map_err(|_| eyre!("a worker of the tests panicked"))??);
        }
        Ok::<_, eyre::Report>(ran)
    })?;
    let red: Vec<&str> = ran.iter().filter(|ran| !ran.is_green).map(|ran| ran.name.as_str()).collect();
    let sum = |of: fn(&Ran) -> u64| ran.iter().map(of).sum::<u64>();
    println!("{} passed, {} failed", sum(|ran| ran.passed), sum(|ran| ran.failed));
    ensure!(red.is_empty(), "tests failed in {}", red.join(", "));
    ensure!(!has_failed.load(Ordering::Relaxed), "what runs beside the tests failed; the rest of them was not begun");
    doctests(environment)
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
        part: Part::All,
    })
}

/// Runs binaries from one end of the queue until none is left, or none is to be begun any more.
fn work(
    queue: &Mutex<VecDeque<Binary>>,
    take: fn(&mut VecDeque<Binary>) -> Option<Binary>,
    environment: &[(&str, &str)],
    has_failed: &AtomicBool,
) -> Result<Vec<Ran>> {
    let mut all = Vec::new();
    loop {
        if has_failed.load(Ordering::Relaxed) {
            return Ok(all);
        }
        let next = take(&mut *queue.lock().map_err(|_| eyre!("a worker of the tests panicked"))?);
        let Some(binary) = next else { return Ok(all) };
        let ran = run_one(&binary, environment)?;
        let word = if ran.is_green { "ok" } else { "FAILED" };
        println!("  {:<34} {:>5} tests {:>7.1} s  {word}", ran.name, ran.passed + ran.failed, ran.took.as_secs_f64());
        if !ran.is_green {
            println!("{}", ran.said);
        }
        all.push(ran);
    }
}

fn run_one(binary: &Binary, environment: &[(&str, &str)]) -> Result<Ran> {
    let begun = Instant::now();
    let mut command = Command::new(&binary.program);
    command.envs(environment.iter().copied()).current_dir(&binary.folder).env("CARGO_MANIFEST_DIR", &binary.folder);
    if let Some(Waiting { long, .. }) = WAITING.get(binary.place()) {
        command.env("RUST_TEST_THREADS", THREADS.to_string());
        match binary.part {
            Part::Long => command.args(*long),
            Part::Others => command.args(long.iter().flat_map(|long| ["--skip", long])),
            Part::All => &mut command,
        };
    }
    let done = command.output().wrap_err_with(|| format!("cannot run {}", binary.program.display()))?;
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    let counts = counts(&said);
    Ok(Ran {
        name: binary.name(),
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

fn doctests(environment: &[(&str, &str)]) -> Result<()> {
    let status = Command::new("cargo")
        .args(["test", "--workspace", "--all-features", "--locked", "--doc", "--quiet"])
        // They are run from the folder they are built in, and files in memory may be barred from that.
        .envs(environment.iter().copied().filter(|(key, _)| *key != "TMPDIR"))
        .current_dir(repo::root())
        .status()
        .wrap_err("cannot run cargo")?;
    ensure!(status.success(), "the examples in the documentation failed");
    Ok(())
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
        assert_eq!((found.name().as_str(), found.place()), ("golem-cli it", 0));
        let parts: Vec<String> = found.parts().iter().map(Binary::name).collect();
        assert_eq!(parts, ["golem-cli it, long", "golem-cli it, others"]);
        let alike = line.replace("#golem-cli@0.1.0", "#0.1.0").replace('\n', "");
        let alike = binary(&alike).expect("named as its folder");
        assert_eq!((alike.package.as_str(), alike.clone().parts().len()), ("cli", 1));
        assert!(binary(r#"{"reason":"build-finished","success":true}"#).is_none());
    }
}
