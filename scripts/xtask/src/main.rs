//! The repository's own chores: `cargo xtask ci|tests|tidy|abi`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore reports to the terminal")]

mod abi;
mod arrows;
mod ci;
mod docs;
mod features;
mod names;
mod repo;
mod rust_tests;
mod scratch;
mod spec;
mod tidy;
mod unreached;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use eyre::{Result, bail};

const HELP: &str = "\
cargo xtask <chore>

  ci [--deep]     everything ./scripts/test runs: format, lints, docs, tidy, contracts, Rust
  tests           the Rust tests alone, several binaries at a time
  tidy            wrong arrows, crates built twice, names defined twice, public things without a word, law that no life reaches, stale ABI, unknown spec ids, unfinished code, long files, foreign paths
  abi [--check]   write contracts/abi from the compiled contracts, or only compare
  spec [PREFIX]   requirements that no test names";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ci"] => ci::run(false),
        ["ci", "--deep"] => ci::run(true),
        ["tests"] => {
            let scratch = scratch::Scratch::take();
            let environment = scratch.environment();
            rust_tests::run(rust_tests::build(environment.as_slice())?, environment.as_slice(), &AtomicBool::new(false))
        }
        ["tidy"] => tidy::run(),
        ["abi"] => abi::write(),
        ["abi", "--check"] => abi::check(),
        ["spec"] => spec::print_missing(""),
        ["spec", prefix] => spec::print_missing(prefix),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        other => bail!("no chore `{}`\n\n{HELP}", other.join(" ")),
    }
}
