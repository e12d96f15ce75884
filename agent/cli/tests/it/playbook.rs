//! `bardo playbook`.

use std::io::Write;
use std::process::Stdio;

use crate::bardo::{command, run, text};

const WRONG: &str = "# Mine

### dip
- when: z(50) <= -1.25 and vool(64) <= 0.09%
- do: hold 120%
- expects: +1% within 40
- because: it came back
";

#[test]
fn p_005_check_tells_every_mistake_with_line_and_column_and_the_nearest_word() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("wrong.md"), WRONG).expect("written");
    let new = run(dir.path(), &["playbook", "new", "momentum"]);
    std::fs::write(dir.path().join("right.md"), &new.stdout).expect("written");

    let checked = run(dir.path(), &["playbook", "check", "right.md", "wrong.md", "nowhere.md"]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(text(&checked.stdout).contains("right.md: \"Momentum\", 1 rule(s)"), "{}", text(&checked.stdout));
    let said = text(&checked.stderr);
    let places: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("wrong.md:")).collect();
    assert_eq!(places.len(), 4, "{said}");
    assert!(places[0].starts_with("3:1: rule `dip` has no `until`"), "{said}");
    assert!(places[1].starts_with("4:11: ") && places[1].contains("did you mean `z(64)`?"), "{said}");
    assert!(places[2].starts_with("4:28: ") && places[2].contains("did you mean `vol(64)`?"), "{said}");
    assert!(places[3].starts_with("5:12: ") && places[3].contains("100%"), "{said}");
    assert!(said.contains("nowhere.md"), "a file that is not there does not hide the others: {said}");

    let json = run(dir.path(), &["playbook", "check", "--json", "right.md", "wrong.md"]);
    let reports: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((&reports[0]["valid"], &reports[1]["valid"]), (&true.into(), &false.into()));
    assert_eq!((&reports[1]["mistakes"][1]["line"], &reports[1]["mistakes"][1]["column"]), (&4.into(), &11.into()));
}

#[test]
fn p_007_check_warns_of_a_rule_without_a_reason_and_reads_the_standard_input() {
    let dir = tempfile::tempdir().expect("a folder");
    let founding = text(&run(dir.path(), &["playbook", "new", "mean-reversion"]).stdout);
    let bare: String = founding
        .lines()
        .filter(|line| !line.starts_with("- because") && !line.starts_with("- asks"))
        .fold(String::new(), |text, line| text + line + "\n");
    let mut check = command(dir.path())
        .args(["playbook", "check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    check.stdin.take().expect("piped").write_all(bare.as_bytes()).expect("written");
    let checked = check.wait_with_output().expect("ends");
    assert!(checked.status.success(), "a warning is no mistake");
    assert!(
        text(&checked.stderr).starts_with("-:5:1: warning: rule `dip` says neither why"),
        "{}",
        text(&checked.stderr)
    );

    std::fs::write(dir.path().join("latin.md"), b"# Mine\n\n### caf\xe9\n").expect("written");
    let latin = run(dir.path(), &["playbook", "check", "latin.md"]);
    assert_eq!(latin.status.code(), Some(1));
    assert!(text(&latin.stderr).contains("latin.md:3: this is no UTF-8"), "{}", text(&latin.stderr));
}

#[test]
fn p_008_founding_books_are_shown_in_words_and_compared() {
    let dir = tempfile::tempdir().expect("a folder");
    let shown = run(dir.path(), &["playbook", "show", "mean-reversion"]);
    assert!(
        text(&shown.stdout).contains("at least 1.25 deviations below its mean of 64 looks"),
        "{}",
        text(&shown.stdout)
    );
    let unknown = run(dir.path(), &["playbook", "show", "martingale"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("range-liquidity"), "{}", text(&unknown.stderr));

    let founding = text(&run(dir.path(), &["playbook", "new", "mean-reversion"]).stdout);
    std::fs::write(dir.path().join("near.md"), founding.replace("-1.25", "-1.3")).expect("written");
    std::fs::write(dir.path().join("far.md"), founding.replace("-1.25", "-2")).expect("written");
    let distance = |other: &str| {
        let diff = run(dir.path(), &["playbook", "diff", "mean-reversion", other, "--json"]);
        serde_json::from_slice::<serde_json::Value>(&diff.stdout).expect("JSON")["distance_ppm"].as_u64()
    };
    assert_eq!(distance("near.md"), Some(0), "P-010: within a tenth is the same");
    assert_eq!(distance("far.md"), Some(1_000_000));
    let diff = text(&run(dir.path(), &["playbook", "diff", "mean-reversion", "far.md"]).stdout);
    assert!(diff.contains("- when: z(64) <= -2") && diff.contains("2 of 2 rule(s) differ"), "{diff}");
}

#[test]
fn p_003_words_lists_every_observable() {
    let dir = tempfile::tempdir().expect("a folder");
    let listed = run(dir.path(), &["playbook", "words", "--json"]);
    let words: Vec<serde_json::Value> = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert!(words.iter().any(|word| word["word"] == "volrank" && word["spans"] == true));
    let vol = text(&run(dir.path(), &["playbook", "words", "vol"]).stdout);
    assert!(vol.contains("vol(w)") && !vol.contains("weekday"), "{vol}");
}
