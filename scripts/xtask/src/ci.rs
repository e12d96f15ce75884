//! Everything a change must pass, in the order that fails soonest.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use eyre::{Context, Result, ensure, eyre};

use crate::scratch::Scratch;
use crate::{repo, rust_tests, tidy};

/// What each part took, in the order in which they ended.
type Timings = Vec<(&'static str, Duration)>;

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

    fn command(&self) -> Command {
        let is_script = self.program.contains('/');
        let program = if is_script { repo::root().join(self.program) } else { repo::tool(self.program) };
        let mut command = Command::new(program);
        command.args(&self.arguments).envs(self.environment.iter().copied()).current_dir(repo::root());
        command
    }

    fn cannot_run(&self) -> String {
        format!("cannot run {}; run ./scripts/setup", self.program)
    }

    fn failed(&self) -> String {
        format!("{} failed: {} {}", self.name, self.program, self.arguments.join(" "))
    }
}

pub(crate) fn run(deep: bool) -> Result<()> {
    let begun = Instant::now();
    let mut timings = Timings::new();
    for step in rust_checks().into_iter().chain(page_checks()) {
        timings.push((step.name, execute(&step, &[])?));
    }
    let scratch = Scratch::take();
    let place: Vec<_> = scratch.environment().into_iter().collect();
    let draws: &[_] = if deep { &[("PROPTEST_CASES", "10000"), ("BARDO_DEEP", "1")] } else { &[] };
    let environment = [draws, place.as_slice()].concat();
    let (tell, built) = mpsc::channel();
    // The compiler of the contracts leaves all cores but one idle, and most of what comes behind it waits for blocks and for a
    // browser: beside them cargo has what it wants, and then the tests do.
    let (others, tests) = beside(
        move |has_failed| {
            let mut timings = quietly(&contract_steps(deep), &[], has_failed)?;
            timings.push(timed("tidy", tidy::run)?.1);
            // Nobody tells when the program did not build, and that is said there.
            if built.recv().is_ok() {
                timings.extend(quietly(&devnet_steps(deep), &place, has_failed)?);
            }
            Ok(timings)
        },
        move |has_failed| {
            let (binaries, building) = timed("building the rust tests", || rust_tests::build(&environment))?;
            // Whoever is not there any more has failed and said so.
            let _ = tell.send(());
            let ((), tests) = timed("rust tests", || rust_tests::run(binaries, &environment, has_failed))?;
            Ok([building, tests])
        },
    )?;
    timings.extend(others);
    timings.extend(tests);
    for step in if deep { deep_steps() } else { Vec::new() } {
        timings.push((step.name, execute(&step, &[])?));
    }
    println!("\nAll green in {:.0} s, some of it side by side:", begun.elapsed().as_secs_f64());
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
    let mut steps = vec![
        step("contract format", "forge fmt --check contracts test deploy"),
        step("contract tests, gas, sizes, losses", "./scripts/bench gas --check"),
    ];
    if deep {
        steps.push(step("contract tests, deep", "forge test").with("FOUNDRY_PROFILE", "deep"));
    }
    steps
}

/// What needs both halves: the contracts on the devnet that Rust builds.
fn devnet_steps(deep: bool) -> Vec<Step> {
    let page = step("the page in a browser", "./test/web/run");
    let steps = [
        step("whole lives on a fork of the devnet", "./scripts/test-fork"),
        if deep { page.with("BARDO_DEEP", "1") } else { page },
        step("deploy dry run", if deep { "deploy/dry-run --full" } else { "deploy/dry-run" }),
    ];
    steps.map(|step| step.with("BARDO_IS_BUILT", "1")).into()
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
fn timed<T>(name: &'static str, chore: impl FnOnce() -> Result<T>) -> Result<(T, (&'static str, Duration))> {
    announce(name);
    let begun = Instant::now();
    let done = chore()?;
    Ok((done, (name, begun.elapsed())))
}

fn execute(step: &Step, environment: &[(&str, &str)]) -> Result<Duration> {
    announce(step.name);
    let begun = Instant::now();
    let status = step.command().envs(environment.iter().copied()).status().wrap_err_with(|| step.cannot_run())?;
    ensure!(status.success(), step.failed());
    Ok(begun.elapsed())
}

/// Runs two chores side by side. A failure is said at once, and then neither begins anything more: both are told by what they are
/// given.
fn beside<A: Send, B>(
    one: impl FnOnce(&AtomicBool) -> Result<A> + Send,
    other: impl FnOnce(&AtomicBool) -> Result<B>,
) -> Result<(A, B)> {
    let has_failed = AtomicBool::new(false);
    let fail = |error: &eyre::Report| {
        if !has_failed.swap(true, Ordering::Relaxed) {
            println!("\n==> {error}; what has begun is waited for");
        }
    };
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(|| one(&has_failed).inspect_err(fail));
        let other = other(&has_failed).inspect_err(fail);
        (one.join(), other)
    });
    let one = one.map_err(|_| eyre!("a step of the tests panicked"))?;
    Ok((one?, other?))
}

/// Runs steps one after the other until something has failed; what each of them says is said at its end.
fn quietly(steps: &[Step], environment: &[(&str, &str)], has_failed: &AtomicBool) -> Result<Timings> {
    let begun = steps.iter().take_while(|_| !has_failed.load(Ordering::Relaxed));
    begun.map(|step| execute_quietly(step, environment)).collect()
}

fn execute_quietly(step: &Step, environment: &[(&str, &str)]) -> Result<(&'static str, Duration)> {
    let begun = Instant::now();
    let said = step.command().envs(environment.iter().copied()).output().wrap_err_with(|| step.cannot_run())?;
    let words = [said.stdout, said.stderr].concat();
    println!("\n==> {}\n{}", step.name, String::from_utf8_lossy(&words).trim_end());
    ensure!(said.status.success(), step.failed());
    Ok((step.name, begun.elapsed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(10);

    /// Waits until what runs beside it has failed.
    fn told(has_failed: &AtomicBool) -> Result<()> {
        let begun = Instant::now();
        while !has_failed.load(Ordering::Relaxed) {
            ensure!(begun.elapsed() < SOON, "nobody told");
            std::thread::yield_now();
        }
        Ok(())
    }

    #[test]
    fn what_fails_is_told_to_what_runs_beside_it_and_nothing_more_is_begun() {
        let steps = [step("a step", "false to all"), step("never begun", "no-such-program")];
        let error = beside(|has_failed| quietly(&steps, &[], has_failed), told).expect_err("a step failed");
        assert_eq!(error.to_string(), "a step failed: false to all");
        let after = |has_failed: &AtomicBool| told(has_failed).and_then(|()| quietly(&steps, &[], has_failed));
        let error = beside(after, |_| Err::<(), _>(eyre!("no build"))).expect_err("the chore failed");
        assert_eq!(error.to_string(), "no build");
    }
}
