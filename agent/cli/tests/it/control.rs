//! The control of a life on paper: it cannot die until its owner says so, and both are held against each other.

use serde_json::Value;

use crate::bardo::{run, text};

fn lived(dir: &std::path::Path, words: &[&str]) -> Vec<Value> {
    let paper = ["--prices", "swing.csv", "--credits", "3", "--host-per-tick", "0.05", "--json"];
    let done = run(dir, &[&["golem", "paper"], words, &paper].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn told(events: &[Value], name: &str) -> Vec<u64> {
    events.iter().filter(|event| event["name"] == name).filter_map(|event| event["tick"].as_u64()).collect()
}

/// M-233, M-235, M-236, M-238, M-241: on the same prices one starves and its control lives on, telling when it would have; both are
/// shown by the same measures. From its owner's word on the control can die, and does; nobody who can die becomes a control.
#[test]
fn m_233_a_control_lives_on_where_its_twin_dies() {
    let dir = tempfile::tempdir().expect("a folder");
    let prices: String = (0..400).map(|row: u32| format!("{}\n", 3_000 + row / 3 % 12)).collect();
    std::fs::write(dir.path().join("swing.csv"), format!("price\n{prices}")).expect("written");
    let mortal = lived(dir.path(), &["eve"]);
    let died = told(&mortal, "golem.death_trigger");
    assert_eq!(died.len(), 1, "it starves");
    let control = lived(dir.path(), &["twin", "--immortal", "--ticks", "200"]);
    let would = told(&control, "golem.immortal_would_have_died");
    assert_eq!((told(&control, "golem.death_trigger"), would.first()), (Vec::new(), died.first()), "M-236");
    let beside = run(dir.path(), &["golem", "life", "twin", "--beside", "eve", "--json"]);
    let beside: Value = serde_json::from_slice(&beside.stdout).expect("JSON");
    assert_eq!((&beside[0]["mode"], &beside[1]["mode"]), (&"immortal".into(), &"hosted".into()), "{beside}");
    assert_eq!((&beside[0]["ticks"], &beside[1]["ticks"]), (&200.into(), &died[0].into()), "{beside}");
    let end = |life: usize| beside[life]["end"].as_str().expect("an end").to_owned();
    assert_eq!(end(0), format!("would have {} at tick {}", end(1), died[0]));
    let shown = text(&run(dir.path(), &["golem", "life", "twin", "--beside", "eve"]).stdout);
    assert!(shown.contains("ticks to understand again") && shown.contains("no sample"), "{shown}");
    let life: Value =
        serde_json::from_slice(&run(dir.path(), &["golem", "life", "twin", "--json"]).stdout).expect("JSON");
    assert!(life["would_have_died"][0].as_str().is_some_and(|when| when.contains("at tick")), "{life}");
    for (words, why) in [
        (["eve", "--immortal"], "was born mortal"),
        (["eve", "--mortal"], "can die already"),
        (["new", "--mortal"], "not born"),
    ] {
        let refused = run(dir.path(), &[&["golem", "paper"], &words[..], &["--prices", "swing.csv"]].concat());
        assert!(!refused.status.success() && text(&refused.stderr).contains(why), "{}", text(&refused.stderr));
    }
    let ended = lived(dir.path(), &["twin", "--mortal"]);
    assert_eq!(told(&ended, "golem.became_mortal").len(), 1, "M-241");
    assert!(told(&ended, "golem.death_trigger").first() <= Some(&203), "what its clocks said holds now");
}
