//! The control of a life on paper: it cannot die until its owner says so, and both are held against each other.

use std::path::Path;

use serde_json::Value;

use crate::bardo::{does, run, text};

/// Chance kills within some hundred ticks.
const FRAIL: &str = "[mortality.stochastic]\nbase_hazard_rate = 0.0001\nage_hazard_coefficient = 0.001\nmax_hazard_rate = 0.01\naging_rate = 0.01\n";

fn lived(dir: &Path, words: &[&str]) -> Vec<Value> {
    let done = does(dir, &[&["golem", "paper"], words, &["--prices", "swing.csv", "--json"]].concat());
    text(&done.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn told(events: &[Value], name: &str) -> Vec<u64> {
    events.iter().filter(|event| event["name"] == name).filter_map(|event| event["tick"].as_u64()).collect()
}

fn json(dir: &Path, words: &[&str]) -> Value {
    let said = run(dir, &[words, &["--json"]].concat());
    serde_json::from_slice(&said.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&said.stderr)))
}

/// M-233, M-235, M-236, M-238, M-241: on the same prices one dies by chance and its control lives on, telling when it would have; both
/// are shown by the same measures. From its owner's word on the control can die, and does; nobody who can die becomes a control.
#[test]
fn m_233_a_control_lives_on_where_its_twin_dies() {
    let dir = tempfile::tempdir().expect("a folder");
    let row = |row: u64| format!("{},{}\n", 1_767_225_600 + 3_600 * row, 3_000 + row / 3 % 12);
    let prices: String = (0..2_000).map(row).collect();
    std::fs::write(dir.path().join("swing.csv"), format!("time,price\n{prices}")).expect("written");
    for name in ["eve", "twin"] {
        let folder = dir.path().join(".bardo/golems").join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("golem.toml"), FRAIL).expect("written");
    }
    let died = told(&lived(dir.path(), &["eve"]), "golem.death_trigger");
    assert_eq!(died.len(), 1, "by chance");
    let control = lived(dir.path(), &["twin", "--immortal", "--ticks", "600"]);
    let would = told(&control, "golem.immortal_would_have_died");
    assert!(told(&control, "golem.death_trigger").is_empty() && !would.is_empty(), "M-236: {would:?}");

    let beside = json(dir.path(), &["golem", "life", "twin", "--beside", "eve"]);
    assert_eq!((&beside[0]["mode"], &beside[1]["mode"]), (&"immortal".into(), &"mortal".into()), "{beside}");
    assert_eq!((&beside[0]["ticks"], &beside[1]["ticks"]), (&600.into(), &died[0].into()), "{beside}");
    assert_eq!(beside[1]["end"], "died of stochastic");
    assert_eq!(beside[0]["end"], format!("would have died of stochastic at tick {}", would[0]));
    let shown = text(&run(dir.path(), &["golem", "life", "twin", "--beside", "eve"]).stdout);
    assert!(shown.contains("ticks to understand again") && shown.contains("no sample"), "{shown}");
    let life = json(dir.path(), &["golem", "life", "twin"]);
    assert_eq!(life["would_have_died"][0], format!("of stochastic at tick {}", would[0]));

    let wrong = [
        (["eve", "--immortal"], "was born mortal"),
        (["eve", "--mortal"], "can die already"),
        (["new", "--mortal"], "not born"),
    ];
    for (words, why) in wrong {
        let refused = run(dir.path(), &[&["golem", "paper"], &words[..], &["--prices", "swing.csv"]].concat());
        assert!(!refused.status.success() && text(&refused.stderr).contains(why), "{}", text(&refused.stderr));
    }
    let ended = lived(dir.path(), &["twin", "--mortal"]);
    let (mortal, died) = (told(&ended, "golem.became_mortal"), told(&ended, "golem.death_trigger"));
    assert_eq!((mortal, died.len()), (vec![601], 1), "M-241");
}
