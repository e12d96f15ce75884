//! `bardo mind dream`, on a life on chain.

use serde_json::Value;

use crate::bardo::text;
use crate::town::Town;

const RUN: [&str; 5] = ["golem", "run", "ada", "--speed", "1000000"];

/// O-002, D-014, D-019, D-162, D-168, D-188, D-230, D-240, DG-23: a new Golem dreams by rules in sight of its owner; what it dreamt and what it needs
/// is shown to people and machines; a word is left for a Golem that does not run and heard when it does.
#[test]
fn d_019_dreams_are_shown_and_asked_for() {
    let town = Town::build("40");
    let created = town.run(&["golem", "create", "ada", "--credits", "50", "--capital", "1000", "--gas", "0.01"]);
    assert!(text(&created.stdout).contains("tier core dreams by rules and costs nothing"), "D-240");
    let config = std::fs::read_to_string(town.path(".bardo/golems/ada/golem.toml")).expect("a file");
    assert!(config.contains("[dreams]\nenabled = true\ntier = \"core\""), "{config}");
    let table = "[embedder]\nkind = \"none\"\n[dreams]\nenabled = true\ninterval_ticks = 10\n";
    std::fs::write(town.path(".bardo/golems/ada/golem.toml"), table).expect("written");
    town.refuses(&["mind", "dream", "status", "ada"], &["does not dream", "enabled = true", "costs nothing"]);
    let examined = town.run(&["doctor"]);
    assert!(text(&examined.stdout).contains("tier core dreams by rules and costs nothing"), "D-240");
    let said = town.run(&["mind", "dream", "journal", "ada"]);
    assert!(text(&said.stdout).contains("has not dreamt yet"), "{}", text(&said.stdout));
    town.does(&[&RUN[..], &["--ticks", "2"]].concat());
    let left = town.json(&["mind", "dream", "now", "ada"]);
    assert_eq!((&left["said"], &left["is_running"], &left["answer"]), (&"dream".into(), &false.into(), &Value::Null));
    let lived = town.does(&[&RUN[..], &["--ticks", "225"]].concat());
    let told = text(&lived.stdout);
    assert!(told.contains("episodes are too few for a dream"), "DG-23: {told}");
    assert!(told.contains("is over, whole"), "{told}");
    let status = town.json(&["mind", "dream", "status", "ada"]);
    assert_eq!((&status["tier"], &status["schedule"]), (&"core".into(), &"hybrid".into()));
    assert!(status["cycles"].as_u64().is_some_and(|cycles| cycles > 0), "{status}");
    let dreams = town.json(&["mind", "dream", "journal", "ada", "--last", "1"]);
    let dream = &dreams.as_array().expect("a list")[0];
    assert_eq!((&dream["entry"]["engine"], &dream["entry"]["ending"]), (&"rules".into(), &"complete".into()));
    assert!(status["came_to"]["staged"].is_u64(), "D-172: {status}");
    let book = town.json(&["golem", "playbook", "show", "ada"]);
    let founding = book["rules"][0]["name"].as_str().expect("a rule").to_owned();
    town.refuses(&["golem", "playbook", "approve", "ada", &founding], &["not a candidate"]);
    town.refuses(&["golem", "playbook", "reject", "ada", "nobody's"], &["tries no rule called", "playbook show"]);
    assert_eq!(
        (&status["a_month_least_usdc_micros"], &status["a_month_most_usdc_micros"]),
        (&0.into(), &0.into()),
        "D-240: {status}"
    );
    for command in ["status", "journal"] {
        let shown = town.run(&["mind", "dream", command, "ada"]);
        assert!(shown.status.success(), "{command}: {}", text(&shown.stderr));
        let is_money_told = command != "status" || text(&shown.stdout).contains("15.00 USDC");
        assert!(is_money_told, "{}", text(&shown.stdout));
    }
}
