//! A birth that was cut off before it was written down.

use crate::town::Town;

/// L-004: after a crash between the birth and its certificate the same command finds the birth and finishes the folder,
/// also when the purse would not suffice for a second one.
#[test]
fn l_004_a_birth_that_was_cut_off_is_finished_by_the_same_command() {
    let town = Town::build("40");
    let create = ["golem", "create", "ada", "--credits", "600000", "--capital", "1000", "--gas", "0.01"];
    let born = town.json(&create);
    let folder = |name: &str| town.path(".bardo/golems/ada").join(name);
    // Cut off before the certificate, and once before the memory as well.
    for lost in [&["birth.json"][..], &["birth.json", "life.sqlite", "life.sqlite-wal", "life.sqlite-shm"]] {
        for name in lost.iter().filter(|name| folder(name).exists()) {
            std::fs::remove_file(folder(name)).expect("removed");
        }
        assert_eq!(town.json(&create), born);
    }
    town.refuses(&create, &["there is already a Golem named ada"]);
    let ran = town.run(&["golem", "run", "ada", "--speed", "1000000", "--ticks", "2"]);
    assert!(ran.status.success(), "{}", crate::bardo::text(&ran.stderr));
    // Somebody else's plan with that key is another birth, and for that the purse has to suffice.
    std::fs::remove_file(folder("birth.json")).expect("removed");
    let mut other = create.to_vec();
    other.extend(["--guardian", "0x00000000000000000000000000000000000000aa"]);
    town.refuses(&other, &["the owner's wallet holds"]);
}
