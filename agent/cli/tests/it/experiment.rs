//! `bardo experiment`.

use crate::bardo::{run, text};

const FILE: &str = r#"
name = "toy"
programme = "toys"
question = "Do slow learners know more?"
not_shown = "anything else."
[primary]
measure = "code"
arm = "slow"
less = "fast"
[seeds]
first = 100
count = 4
training_first = 1
training_count = 3
[size]
smallest_effect = 0.02
pilot_deviation = 0.02
family = 1
power = 0.168
[march]
dimensions = 10
members = 12
periods = 12
organisations = 2
[[march.arms]]
name = "fast"
socialisation = 0.9
learning = 0.5
turnover = 0.0
turbulence = 0.0
[[march.arms]]
name = "slow"
socialisation = 0.1
learning = 0.5
turnover = 0.0
turbulence = 0.0
"#;

/// O-003: an experiment is registered, sized, run, resumed and judged by commands, and a changed registration is refused.
#[test]
fn o_003_an_experiment_is_registered_run_and_judged() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("toy.toml"), FILE).expect("written");
    let bardo = |arguments: &[&str]| run(dir.path(), &[&["experiment"], arguments, &["--folder", "."]].concat());
    let pilot = bardo(&["pilot", "toy"]);
    assert!(text(&pilot.stdout).contains("deviation of the pairs"), "{}", text(&pilot.stderr));
    assert!(!dir.path().join("toy.rows.jsonl").exists(), "a pilot keeps nothing");

    let ran = bardo(&["run", "toy", "--threads", "2"]);
    assert!(text(&ran.stdout).contains("4 of 4 seeds lived"), "{}", text(&ran.stderr));
    let rows = std::fs::read_to_string(dir.path().join("toy.rows.jsonl")).expect("rows");
    assert_eq!(rows.lines().count(), 1 + 8);
    let cut: String = rows.lines().take(4).map(|line| line.to_owned() + "\n").collect();
    std::fs::write(dir.path().join("toy.rows.jsonl"), cut).expect("written");
    assert!(text(&bardo(&["list"]).stdout).contains("1 of 4 seeds, not finished"));
    bardo(&["run", "toy", "--threads", "1"]);
    let measured = |rows: &str| -> Vec<String> {
        rows.lines().map(|line| line.split(",\"cpu_ms\"").next().unwrap_or_default().to_owned()).collect()
    };
    let again = std::fs::read_to_string(dir.path().join("toy.rows.jsonl")).expect("rows");
    assert_eq!(measured(&again), measured(&rows), "a killed run goes on to the same digits");

    let page = text(&bardo(&["report", "toy", "--svg", "toy.svg"]).stdout);
    assert!(page.contains("Do slow learners know more?") && page.contains("4 of 4 seeds"), "{page}");
    assert!(std::fs::read_to_string(dir.path().join("toy.svg")).expect("a plot").starts_with("<svg"));
    bardo(&["report", "toy", "--html", "toy.html"]);
    let html = std::fs::read_to_string(dir.path().join("toy.html")).expect("a page");
    assert!(html.contains("<b>Do slow learners know more?</b>") && html.contains("<svg"), "{html}");
    let own = html.replace("http://www.w3.org/2000/svg", "");
    assert!(
        ["<script", "http:", "https:", "src=", "href="].iter().all(|word| !own.contains(word)),
        "of its own: {own}"
    );
    let json = bardo(&["report", "toy", "--json"]);
    let finding: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(finding["registered"], 4);

    std::fs::write(dir.path().join("toy.toml"), FILE.replace("periods = 12", "periods = 13")).expect("written");
    for arguments in [&["run", "toy"][..], &["report", "toy"]] {
        let refused = bardo(arguments);
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).contains("changed after rows were made"), "{}", text(&refused.stderr));
    }
    assert!(text(&bardo(&["run", "nothing"]).stderr).contains("bardo experiment list"));
}
