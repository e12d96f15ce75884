//! Everything a change must pass, in the order that fails soonest.

use std::process::Command;
use std::time::{Duration, Instant};

use eyre::{Context, Result, bail};

use crate::{repo, tidy};

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
    for step in rust_checks() {
        timings.push((step.name, execute(&step)?));
    }
    if repo::has_contracts()? {
        for step in contract_steps(deep) {
            timings.push((step.name, execute(&step)?));
        }
    }
    let begun = Instant::now();
    announce("tidy");
    tidy::run()?;
    timings.push(("tidy", begun.elapsed()));
    for step in rust_tests(deep) {
        timings.push((step.name, execute(&step)?));
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

fn rust_tests(deep: bool) -> Vec<Step> {
    let tests = step("rust tests", "cargo test --workspace --all-features --locked");
    let tests = if deep { tests.with("PROPTEST_CASES", "10000").with("BARDO_DEEP", "1") } else { tests };
    vec![tests]
}

fn contract_steps(deep: bool) -> Vec<Step> {
    let mut steps = vec![
        step("contract format", "forge fmt --check contracts test deploy"),
        step("contract build and sizes", "forge build --sizes --skip test --skip deploy"),
    ];
    steps.push(if deep {
        step("contract tests, deep", "forge test").with("FOUNDRY_PROFILE", "deep")
    } else {
        step("contract tests", "forge test")
    });
    steps
}

fn announce(name: &str) {
    println!("\n\u{1b}[1m==> {name}\u{1b}[0m");
}

fn execute(step: &Step) -> Result<Duration> {
    announce(step.name);
    let begun = Instant::now();
    let program = if step.program == "cargo" { "cargo".into() } else { repo::tool(step.program) };
    let mut command = Command::new(program);
    command.args(&step.arguments).envs(step.environment.iter().copied()).current_dir(repo::root());
    let status = command.status().wrap_err_with(|| format!("cannot run {}; run ./scripts/setup", step.program))?;
    if !status.success() {
        bail!("{} failed: {} {}", step.name, step.program, step.arguments.join(" "));
    }
    Ok(begun.elapsed())
}
