//! Many Golems in one process, some of which cannot begin.

use crate::bardo::text;
use crate::town::Town;

/// a sealed key that cannot be read, or settings with mistakes, keep one Golem from living and no other.
#[test]
fn r_004_who_cannot_begin_is_told_and_the_others_live() {
    let town = Town::build("40");
    for name in ["ada", "bob", "eve"] {
        town.json(&["golem", "create", name, "--credits", "50", "--gas", "0.01"]);
    }
    std::fs::write(town.path(".bardo/golems/ada/golem.toml"), "[golem]\nstrategy = 7\n").expect("written");
    std::fs::write(town.path(".bardo/golems/eve/key.json"), "{}").expect("written");
    let said = town.run(&["golem", "run", "--all", "--speed", "1000000", "--ticks", "3"]);
    let (told, complaints) = (text(&said.stdout), text(&said.stderr));
    assert_eq!(said.status.code(), Some(1), "{told}{complaints}");
    for words in ["ada cannot begin", "eve cannot begin", "2 of 3 could not begin"] {
        assert!(complaints.contains(words), "{words}: {complaints}");
    }
    assert_eq!(town.json(&["golem", "status", "bob"])["memory"]["tick"], 3, "{complaints}");
    town.refuses(&["golem", "run", "ada", "eve", "--ticks", "3"], &["none of 2 could begin"]);
}
