//! Everything a change must pass, in the order that fails soonest.

use std::process::Command;
use std::time::{Duration, Instant};

use eyre::{Context, Result, bail};

use crate::scratch::Scratch;
use crate::{repo, rust_tests, tidy};

/// One named command.
struct Step {
    name: &'static str,
    program: &'static str,
    arguments: Vec<&'static str>,
    environment: Vec<(&'static str, &'static str)>,
}

fn step(name: &'static str, line: &'static str) -> Step {
    let mut words = line.split_whitespace();
    let program = words.next().expect("a command has a name");
    Step { name, program, arguments: words.collect(), environment: Vec::new() }
}

impl Step {
    fn with(mut self, key: &'static str, value: &'static str) -> Self {
        self.environment.push((key, value));
        self
    }
}

pub(crate) fn run(deep: bool) -> Result<()> {
    let mut timings: Vec<(&str, Duration)> = Vec::new();
    for step in rust_checks().into_iter().chain(page_checks()).chain(contract_steps(deep)) {
        timings.push((step.name, execute(&step, &[])?));
    }
    timings.push(timed("tidy", tidy::run)?);
    let scratch = Scratch::take();
    let place: Vec<_> = scratch.environment().into_iter().collect();
    let draws: &[_] = if deep { &[("PROPTEST_CASES", "10000"), ("BARDO_DEEP", "1")] } else { &[] };
    timings.push(timed("rust tests", || rust_tests::run(&[draws, place.as_slice()].concat()))?);
    for step in devnet_steps(deep) {
        timings.push((step.name, execute(&step, &place)?));
    }
    for step in if deep { deep_steps() } else { Vec::new() } {
        timings.push((step.name, execute(&step, &[])?));
    }
    println!("\nAll green:");
    for (name, took) in &timings {
        println!("  {name:<34} {:>7.1} s", took.as_secs_f64());
    }
    Ok(())
}

fn rust_checks() -> Vec<Step> {
    vec![
        step("rust format", "cargo fmt --all --check"),
        step("rust lints", "cargo clippy --workspace --all-targets --all-features --locked --quiet -- -D warnings"),
        step("rust docs", "cargo doc --workspace --no-deps --locked --quiet").with("RUSTDOCFLAGS", "-D warnings"),
    ]
}

/// What the page is written in; its packages are there when it was built.
fn page_checks() -> Vec<Step> {
    vec![step("page types", "npm --prefix web run --silent check")]
}

fn contract_steps(deep: bool) -> Vec<Step> {
    let tests = if deep {
        step("contract tests, deep", "forge test").with("FOUNDRY_PROFILE", "deep")
    } else {
        step("contract tests", "forge test")
    };
    vec![
        step("contract format", "forge fmt --check contracts test deploy"),
        tests,
        step("gas, sizes and losses as committed", "./scripts/bench gas --check"),
    ]
}

/// What needs both halves: the contracts on the devnet that Rust builds.
fn devnet_steps(deep: bool) -> Vec<Step> {
    vec![
        step("whole lives on a fork of the devnet", "./scripts/test-fork").with("BARDO_IS_BUILT", "1"),
        step("the page in a browser", "./test/web/run").with("BARDO_IS_BUILT", "1"),
        step("deploy dry run", if deep { "deploy/dry-run --full" } else { "deploy/dry-run" })
            .with("BARDO_IS_BUILT", "1"),
    ]
}

/// The long ones, each also a command of its own.
fn deep_steps() -> Vec<Step> {
    vec![
        step("a first deployment, rehearsed", "deploy/rehearse").with("BARDO_IS_BUILT", "1"),
        step("proofs (halmos)", "./scripts/prove"),
        step("static analysis (slither)", "./scripts/analyse"),
        step("coverage of the contracts", "./scripts/coverage"),
        step("mutants", "./scripts/mutate"),
        step("licences and sources", "./scripts/licences"),
    ]
}

fn announce(name: &str) {
    println!("\n\u{1b}[1m==> {name}\u{1b}[0m");
}

/// A chore of this program's own, and what it took.
fn timed(name: &'static str, chore: impl FnOnce() -> Result<()>) -> Result<(&'static str, Duration)> {
    announce(name);
    let begun = Instant::now();
    chore()?;
    Ok((name, begun.elapsed()))
}

fn execute(step: &Step, environment: &[(&str, &str)]) -> Result<Duration> {
    announce(step.name);
    let begun = Instant::now();
    let is_script = step.program.contains('/');
    let program = if is_script { repo::root().join(step.program) } else { repo::tool(step.program) };
    let mut command = Command::new(program);
    command.args(&step.arguments).current_dir(repo::root());
    command.envs(step.environment.iter().chain(environment).copied());
    let status = command.status().wrap_err_with(|| format!("cannot run {}; run ./scripts/setup", step.program))?;
    if !status.success() {
        bail!("{} failed: {} {}", step.name, step.program, step.arguments.join(" "));
    }
    Ok(begun.elapsed())
}
