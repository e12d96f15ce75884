//! `bardo sim`.

use crate::bardo::{does, run, text};

#[test]
fn r_052_a_seed_is_a_population_with_a_table_a_report_and_plots() {
    //
    let dir = tempfile::tempdir().expect("a folder");
    let arguments = ["sim", "--golems", "6", "--ticks", "400", "--cohort", "200", "--seed", "7"];
    let table = does(dir.path(), &arguments);
    let said = text(&table.stdout);
    assert!(said.contains("mortal") && said.contains("epistemic fitness"), "{said}");
    assert_eq!(said, text(&run(dir.path(), &arguments).stdout), "the same seed tells the same");

    let json = run(dir.path(), &[&arguments[..], &["--json", "--plot", "lives.svg"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(report["settings"]["seed"], 7);
    assert_eq!(report["dimensions"].as_array().expect("a list").len(), 6);
    let plot = std::fs::read_to_string(dir.path().join("lives.svg")).expect("written");
    assert!(plot.starts_with("<svg") && plot.contains("Gompertz"));
}

#[test]
fn what_cannot_be_simulated_says_why() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("bad.toml"), "[mortality.stochastic]\nbeta = 7\n").expect("written");
    // (arguments, exit code, a part of the message)
    let cases: [(&[&str], i32, &str); 6] = [
        (&["sim", "--golems", "0"], 1, "at least one Golem"),
        (&["sim", "--golems", "100001"], 1, "100000"),
        (&["sim", "--funding", "0.1", "--golems", "1", "--ticks", "1"], 1, "born"),
        (&["sim", "--blindness", "101%"], 2, "between 0 and 1"),
        (&["sim", "--config", "bad.toml"], 1, "bad.toml"),
        (&["sim", "--plot", "nowhere/x.svg"], 1, "nowhere/x.svg"),
    ];
    for (arguments, code, says) in cases {
        let said = run(dir.path(), arguments);
        assert_eq!(said.status.code(), Some(code), "{arguments:?}: {}", text(&said.stderr));
        assert!(text(&said.stderr).contains(says), "{arguments:?}: {}", text(&said.stderr));
    }
}
