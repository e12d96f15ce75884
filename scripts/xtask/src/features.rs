//! The program and its tests ask the same of crates of others, so that what one of them built serves the other.

use std::collections::BTreeSet;
use std::process::Command;

use eyre::Result;

use crate::repo;

/// What `cargo bardo` builds.
const PROGRAM: [&str; 5] =
    ["--package=golem-cli", "--package=same-features", "--edges=normal,build", "--locked", "--offline"];
/// What the tests are built from.
const TESTS: [&str; 5] = ["--workspace", "--all-features", "--edges=normal,build,dev", "--locked", "--offline"];

pub(crate) fn problems() -> Result<Vec<String>> {
    Ok(apart(&asked(&PROGRAM)?, &asked(&TESTS)?))
}

/// Each crate that is built, with its version and what is asked of it.
fn asked(of: &[&str]) -> Result<String> {
    repo::output(Command::new("cargo").arg("tree").args(of).args(["--prefix=none", "--format={p} {f}"]))
}

fn apart(program: &str, tests: &str) -> Vec<String> {
    // A crate that was listed before has a sign behind it.
    let lines = |said| str::lines(said).map(|line| line.trim_end_matches(" (*)")).collect::<BTreeSet<_>>();
    let tests = lines(tests);
    let alone = lines(program).into_iter().filter(|line| !line.is_empty() && !tests.contains(line));
    let complaint = "is built once more for the tests: ask for what they ask of it in test/same-features/Cargo.toml";
    alone.map(|line| format!("`{line}` {complaint}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_of_which_the_tests_ask_more_is_built_twice() {
        let tests = "a v1.0.0 std\nb v2.0.0 net,std\nb v2.0.0 net,std (*)\nc v1.0.0 ";
        assert!(apart("a v1.0.0 std\n\nb v2.0.0 net,std (*)", tests).is_empty());
        let found = apart("a v1.0.0 std\nb v2.0.0 std", tests);
        assert!(found.len() == 1 && found[0].starts_with("`b v2.0.0 std` is built once more"), "{found:?}");
    }
}
