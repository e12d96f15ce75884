//! What a file says, and every way in which it can be wrong.

use std::collections::BTreeMap;

use golem_primitives::{Ppm, Usdc};
use golem_settings::{Allowed, SettingError, SettingsFile, SettingsTable, settings};
use proptest::prelude::*;

settings! {
    /// A garden.
    pub Garden;
    /// When it is watered.
    "garden" watering: Watering {
        hours: u64 = 6, Allowed::Within(1, 24), "X-001", "Hours between two waterings.";
        budget: Usdc = Usdc::from_micros(250_000), Allowed::Any, "X-002", "What water may cost.";
        hose: String = "short".to_owned(), Allowed::Such { is: |hose| ["short", "long"].contains(&hose.as_str()), words: "short or long" }, "X-003", "Which hose.";
        friends: Vec<String> = Vec::new(), Allowed::Any, "X-004", "Who helps.";
    }
    /// What grows.
    "garden.beds" beds: Beds {
        shade: Ppm = Ppm::of(500_000), Allowed::Within(Ppm::ZERO, Ppm::ONE), "X-005", "How much lies in the shade.";
    }
}

settings! {
    /// A plant.
    pub Plant;
    /// What it needs.
    "garden.plants.NAME" plant: PlantKeys {
        depth: u64 = 3, Allowed::Within(1, 9), "X-006", "How deep it is set.";
        price: Option<Usdc> = None, Allowed::Any, "X-007", "What it costs.";
    }
}

/// What was read, and what is wrong.
fn read(text: &str) -> (Garden, BTreeMap<String, Plant>, Vec<String>) {
    let mut file = match SettingsFile::parse(text) {
        Ok(file) => file,
        Err(error) => return (Garden::default(), BTreeMap::new(), vec![error.to_string()]),
    };
    file.accept(&[("garden.thirst", "garden.hours")], &[("garden.gnomes", "they frighten the birds")]);
    let mut garden = Garden::default();
    file.fill(&mut garden);
    let plants = file.each::<Plant>();
    (garden, plants, file.finish().iter().map(SettingError::to_string).collect())
}

/// O-003: what is written is read, by its digits; tables of several by their names; the rest is the default.
#[test]
fn o_003_every_kind_is_read_where_it_stands() {
    let text = "[garden]\nthirst = 0x0C\nbudget = \"$1.5\"\nhose = \"long\"\nfriends = [\"ada\", \"bob\"]\nbeds.shade = \"25%\"\n\
                [garden.plants.rose]\ndepth = 5\nprice = 2.000001\n[garden.plants.fern]\n";
    let (garden, plants, wrong) = read(text);
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!((garden.watering.hours, garden.watering.budget), (12, Usdc::from_micros(1_500_000)));
    assert_eq!((garden.watering.hose.as_str(), garden.watering.friends.len()), ("long", 2));
    assert_eq!(garden.beds.shade, Ppm::of(250_000));
    assert_eq!((plants["rose"].plant.depth, plants["rose"].plant.price), (5, Some(Usdc::from_micros(2_000_001))));
    assert_eq!((plants.len(), plants["fern"].clone()), (2, Plant::default()), "an empty table is there, and as usual");
    let changed: Vec<String> = garden.changes(&Garden::default()).into_iter().map(|change| change.key).collect();
    assert_eq!(changed, Garden::KEYS, "all of them were changed");
}

/// O-003: every mistake is told with its line and what to write, in the order of the file; a wrong value changes nothing.
#[test]
fn o_003_every_mistake_is_told_with_its_line() {
    for (text, told) in [
        ("[garden]\nhours = 25", "line 2: `garden.hours` is 25; it must be 1 to 24"),
        ("[garden]\nthirst = 25", "line 2: `garden.hours` is 25; it must be 1 to 24"),
        ("[garden]\nhours = \"six\"", "line 2: `garden.hours` is \"six\"; write a whole number of zero or more"),
        ("[garden]\nhours = { a = 1 }", "line 2: `garden.hours` is a table; write a whole number of zero or more"),
        ("[garden]\nhours = {}", "line 2: `garden.hours` is a table; write a whole number of zero or more"),
        ("[[garden.hours]]\n", "is a list of tables or lists; write a whole number"),
        ("[garden]\nhose = \"wet\"", "line 2: `garden.hose` is \"wet\"; it must be short or long"),
        ("[garden]\nbeds = 3", "line 2: `garden.beds` is 3; write a table of keys"),
        ("garden = 3", "line 1: `garden` is 3; write a table of keys"),
        ("[garden]\nhuors = 3", "line 2: there is no key `garden.huors`; did you mean `garden.hours`?"),
        ("[garden]\nshade = 0.2", "line 2: there is no key `garden.shade`; did you mean `garden.beds.shade`?"),
        ("[graden]\nhours = 3", "line 1: there is no key `graden`; did you mean `garden`?"),
        ("[garden]\nq = 3", "line 2: there is no key `garden.q`; `bardo config keys` lists them all"),
        ("[garden]\ngnomes = 3", "line 2: `garden.gnomes` is not a setting: they frighten the birds"),
        (
            "[garden]\nthirst = 3\nhours = 3",
            "line 2: `garden.thirst` is another name of `garden.hours`; write only one",
        ),
        ("[garden.plants.rose]\ndepth = 0", "line 2: `garden.plants.rose.depth` is 0; it must be 1 to 9"),
        ("[garden.plants.rose]\ndeep = 1", "line 2: there is no key `garden.plants.rose.deep`"),
        ("[garden]\nhours = = 3", "line 2: "),
        ("[garden]\nbudget = 0.1234567", "line 2: `garden.budget` is 0.1234567; write an amount of USDC"),
        ("[garden]\nhours = 0xFFFFFFFFFFFFFFFFF", "is an integer that is too large; write a whole number"),
    ] {
        let (garden, _, wrong) = read(text);
        assert!(matches!(&wrong[..], [one] if one.contains(told)), "{text}: {wrong:?}");
        let is_twice = text.contains("thirst = 3");
        assert_eq!(garden == Garden::default(), !is_twice, "{text}");
    }
    let (_, _, all) = read("[garden]\nhose = \"wet\"\nhours = 0\n[weather]\nx = 1\n");
    let lines: Vec<&str> = all.iter().map(|wrong| &wrong[..6]).collect();
    assert_eq!(lines, ["line 2", "line 3", "line 4"]);
}

/// what may be a key pasted into the wrong place is not repeated.
#[test]
fn r_024_a_long_text_is_not_repeated() {
    let secret = "sk-ant-0123456789abcdefghij";
    for key in ["hose", "hours", "budget"] {
        let (_, _, wrong) = read(&format!("[garden]\n{key} = \"{secret}\"\n"));
        assert!(wrong.len() == 1 && !wrong[0].contains("0123"), "{wrong:?}");
    }
}

proptest! {
    /// O-003: no text makes it panic, and what it takes lies within what is allowed.
    #[test]
    fn o_003_no_text_is_too_much(text in "\\PC{0,120}", hours in any::<i32>()) {
        let _ = read(&text);
        let _ = read(&format!("[garden]\n{text}"));
        let (garden, _, wrong) = read(&format!("[garden]\nhours = {hours}\n"));
        prop_assert_eq!(wrong.is_empty(), (1..=24).contains(&hours));
        prop_assert!((1..=24).contains(&garden.watering.hours));
    }
}
