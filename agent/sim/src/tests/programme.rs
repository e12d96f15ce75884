use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::*;

const FILE: &str = r#"
name = "toy"
programme = "toys"
question = "Does it?"
not_shown = "anything else."
[primary]
measure = "code"
arm = "slow"
less = "fast"
[[secondary]]
measure = "members"
arm = "slow"
less = "fast"
[[checks]]
measure = "replaced"
arm = "slow"
above = 0.5
[seeds]
first = 100
count = 6
training_first = 1
training_count = 5
[size]
smallest_effect = 0.02
pilot_deviation = 0.02
family = 1
power = 0.462
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
turnover = 0.1
turbulence = 0.0
"#;

fn file() -> ExperimentFile {
    read(FILE).expect("sound")
}

/// With the power that follows, so that a test may change anything else.
fn read(text: &str) -> Result<ExperimentFile, ExperimentFileError> {
    match ExperimentFile::read(text) {
        Err(ExperimentFileError::Power { computed, .. }) => {
            ExperimentFile::read(&text.replace("power = 0.462", &format!("power = {computed:.4}")))
        }
        other => other,
    }
}

fn clock() -> u64 {
    0
}

fn lived(file: &ExperimentFile, seeds: &BTreeSet<u64>, threads: usize, most: usize) -> Results {
    let mut results = Results::default();
    run(file, seeds, &[], Budget { threads, clock }, |lived| {
        results.add(lived.expect("a toy can always be lived"));
        if results.rows.len() >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    results
}

fn all(file: &ExperimentFile) -> BTreeSet<u64> {
    file.trial_seeds().collect()
}

/// Rows of two arms that differ by these amounts, and how many were replaced.
fn rows(differences: &[f64], replaced: f64) -> Results {
    let mut results = Results::default();
    for (seed, difference) in (100..).zip(differences) {
        let row = |arm: &str, code: f64| SeedRow {
            seed,
            arm: arm.to_owned(),
            measures: [("code", code), ("members", 0.0), ("replaced", replaced)]
                .map(|(name, value)| (name.to_owned(), value))
                .into(),
            cpu_ms: 0,
        };
        results.add(vec![row("fast", 0.5), row("slow", 0.5 + difference)]);
    }
    results
}

fn verdict(differences: &[f64], replaced: f64) -> TrialVerdict {
    judge(&[(&file(), &rows(differences, replaced))]).findings[0].verdict
}

/// R-002: the same rows on one thread and on three, at once and after a run that was cut off in the middle of a line.
#[test]
fn r_002_a_run_that_was_killed_goes_on_to_the_same_digits() {
    let file = file();
    let whole = lived(&file, &all(&file), 3, usize::MAX);
    assert_eq!(whole, lived(&file, &all(&file), 1, usize::MAX));
    let part = lived(&file, &all(&file), 1, 4);
    assert!(part.rows.len() < whole.rows.len());
    let text = part.text(&file);
    // The last line loses its end, so its seed is not whole.
    let mut again = Results::read(&text[..text.len() - 20], &file).expect("its own rows");
    assert_eq!(again.rows.len(), part.rows.len() - 2);
    let left: BTreeSet<u64> = all(&file).into_iter().filter(|seed| !again.has(*seed)).collect();
    for row in lived(&file, &left, 2, usize::MAX).rows.chunks(2) {
        again.add(row.to_vec());
    }
    assert_eq!(again.text(&file), whole.text(&file));
}

/// What was said before a run cannot be changed after it.
#[test]
fn rows_of_another_registration_are_refused() {
    let file = file();
    let text = lived(&file, &all(&file), 1, usize::MAX).text(&file);
    for (from, to) in [
        ("arm = \"slow\"\nless", "arm = \"fast\"\nless"),
        ("count = 6", "count = 7"),
        ("0.02\npilot", "0.01\npilot"),
        ("turnover = 0.1", "turnover = 0.2"),
    ] {
        assert!(FILE.contains(from));
        let changed = read(&FILE.replacen(from, to, 1)).expect("sound in itself");
        let refused = Results::read(&text, &changed).expect_err(to);
        assert!(
            matches!(refused, RowsFileError::Changed { .. }) && refused.to_string().contains("changed after"),
            "{refused}"
        );
    }
    let reworded = FILE.replace("\n[", "\n\n# a remark\n[");
    assert!(Results::read(&text, &read(&reworded).expect("sound")).is_ok(), "layout and remarks change nothing");
    assert!(matches!(Results::read("{}\n{}\n", &file), Err(RowsFileError::Corrupt { line: 1, .. })));
}

/// Seeds that were tuned on are not tried on, the power is what the figures make it, and names must be of something.
#[test]
fn a_file_that_registers_nothing_says_why() {
    let cases = [
        ("first = 100", "first = 3", "tuned on and tried on"),
        ("training_count = 5", "training_count = 150", "tuned on and tried on"),
        ("power = 0.462", "power = 0.95", "size.power says"),
        ("less = \"fast\"", "less = \"nobody\"", "exactly one arm"),
        ("name = \"slow\"", "name = \"fast\"", "exactly one arm"),
        ("measure = \"code\"", "measure = \"luck\"", "known are code, members, replaced"),
        ("count = 6", "count = 1", "at least two seeds"),
        ("periods = 12", "periods = 0", "march.periods"),
        ("[march]", "[werfel]", "cannot be read"),
        ("question =", "quest =", "cannot be read"),
    ];
    for (from, to, says) in cases {
        assert!(FILE.contains(from), "{from}");
        let said = ExperimentFile::read(&FILE.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(said.contains(says), "{to}: {said}");
    }
}

/// The verdict follows from the rows: a difference, none that matters, neither, and nothing where the arms were not what they are called.
#[test]
fn the_verdict_is_computed() {
    let up = [0.10, 0.12, 0.11, 0.09, 0.10, 0.12];
    let down = up.map(|one| -one);
    let none = [0.001, -0.001, 0.002, 0.0, -0.002, 0.001];
    let wide = [0.2, -0.2, 0.15, -0.1, 0.1, -0.12];
    assert_eq!(verdict(&up, 1.0), TrialVerdict::More);
    assert_eq!(verdict(&down, 1.0), TrialVerdict::Less);
    assert_eq!(verdict(&none, 1.0), TrialVerdict::NoneThatMatters);
    assert_eq!(verdict(&wide, 1.0), TrialVerdict::CannotTell);
    assert_eq!(verdict(&up, 0.2), TrialVerdict::NotTested, "nobody was replaced");
    assert_eq!(verdict(&none, 0.2), TrialVerdict::NotTested, "and no difference is nothing found either");
    assert_eq!(verdict(&up[..4], 1.0), TrialVerdict::Unfinished);
}

/// Holm over the programme: what is shown alone is not shown among twenty, and experiments that were not run count.
#[test]
fn a_programme_is_corrected_as_a_whole() {
    let some = [0.10, 0.02, 0.05, 0.12, 0.01, 0.08];
    let alone = file();
    let one = judge(&[(&alone, &rows(&some, 1.0))]);
    assert_eq!(one.findings[0].verdict, TrialVerdict::More);
    let among = read(&FILE.replace("family = 1", "family = 20")).expect("sound");
    let many = judge(&[(&among, &rows(&some, 1.0)), (&among, &Results::default())]);
    assert_eq!(many.findings[0].verdict, TrialVerdict::CannotTell);
    let p = one.findings[0].corrected_p;
    assert!((many.findings[0].corrected_p - 20.0 * p).abs() < 1e-12);
    assert_eq!(many.findings[1].verdict, TrialVerdict::Unfinished);
}

/// The page says question, arms, endpoint, checks, power and what is not shown; the plot is one.
#[test]
fn a_page_says_everything_that_was_registered() {
    let file = file();
    let results = rows(&[0.10, 0.12, 0.11, 0.09, 0.10, 0.12], 1.0);
    let programme = judge(&[(&file, &results)]);
    let page = page(&file, &results, &programme.findings[0]);
    for part in [
        "Does it?",
        "**More**: 0.107 [0.094, 0.119]",
        "power 0.4",
        "replaced of slow above 0.5: 1.00 (holds)",
        "Not shown: anything else.",
        "bardo experiment run toy",
        "| code:",
        "members of slow less fast",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let plot = plot(&file, &programme.findings[0]);
    assert!(plot.starts_with("<svg") && plot.contains("slow less fast") && plot.trim_end().ends_with("</svg>"));
}

/// An arm in the middle has more only where it has more than both others, and where it has less than one it has less.
#[test]
fn the_weaker_of_two_differences_decides() {
    let text = FILE
        .replacen("less = \"fast\"", "less = \"fast\"\nand_less = \"high\"", 1)
        .replace("count = 6", "count = 8")
        + "[[march.arms]]\nname = \"high\"\nsocialisation = 0.1\nlearning = 0.5\nturnover = 0.5\nturbulence = 0.0\n";
    let file = read(&text).expect("sound");
    let noise = [0.01, -0.01, 0.02, 0.0, -0.02, 0.01, 0.005, -0.005];
    let found = |fast: f64, high: f64| {
        let mut results = Results::default();
        for (seed, noise) in (100..).zip(noise) {
            let row = |arm: &str, code: f64| SeedRow {
                seed,
                arm: arm.to_owned(),
                measures: [("code", code), ("members", 0.0), ("replaced", 1.0)]
                    .map(|(name, value)| (name.to_owned(), value))
                    .into(),
                cpu_ms: 0,
            };
            results.add(vec![row("fast", 0.5 - fast), row("slow", 0.5 + noise), row("high", 0.5 - high)]);
        }
        let finding = judge(&[(&file, &results)]).findings.remove(0);
        (finding.verdict, finding.primary.endpoint.less, finding.corrected_p, finding.primary.test.expect("pairs").p)
    };
    let (verdict, weaker, corrected, alone) = found(0.1, 0.2);
    assert_eq!((verdict, weaker.as_str()), (TrialVerdict::More, "fast"));
    assert_eq!(corrected, alone, "more than both is as unlikely as more than the nearer");
    let (verdict, weaker, corrected, alone) = found(-0.05, 0.2);
    assert_eq!((verdict, weaker.as_str()), (TrialVerdict::Less, "fast"));
    assert_eq!(corrected, 2.0 * alone, "less than either had two chances");
    let (verdict, weaker, ..) = found(0.2, 0.0);
    assert_eq!((verdict, weaker.as_str()), (TrialVerdict::NoneThatMatters, "high"));
    assert!(read(&text.replace("and_less = \"high\"", "and_less = \"nobody\"")).is_err(), "of an arm that is there");
}

const CLADE: &str = r#"
name = "clade"
programme = "toys"
question = "Does it?"
not_shown = "anything else."
[primary]
measure = "growth"
arm = "turned"
less = "none"
[seeds]
first = 100
count = 3
training_first = 1
training_count = 2
[size]
smallest_effect = 5.0
pilot_deviation = 5.0
family = 1
power = 0.162
[lines]
lines = 3
capital = 1000
host_micros = 100
death_acts = 8
interregnum = 30
mean_life = 6000
[lines.world]
looks = 6000
crashes = 0.3
gas_regimes = true
[lines.world.edge]
gain = 1.5
over = 30
depth = 1.5
epoch = 9000
pause = 3000
[[lines.arms]]
name = "none"
shares = true
[[lines.arms]]
name = "turned"
shares = true
death = "oldest"
heir = "blank"
review = 1500
"#;

/// R-002: a Clade comes to the same digits on one thread and on three.
#[test]
fn r_002_a_clade_is_the_same_on_any_number_of_threads() {
    let file = match ExperimentFile::read(CLADE) {
        Err(ExperimentFileError::Power { computed, .. }) => {
            ExperimentFile::read(&CLADE.replace("power = 0.162", &format!("power = {computed:.4}")))
        }
        other => other,
    };
    let file = file.expect("sound");
    let one = lived(&file, &all(&file), 1, usize::MAX);
    assert_eq!(one, lived(&file, &all(&file), 3, usize::MAX));
    assert!(one.of("turned", "deaths").all(|deaths| deaths == 3.0));
    for none in ["review = 0", "review = 100000000"] {
        let said = ExperimentFile::read(&CLADE.replace("review = 1500", none)).expect_err(none).to_string();
        assert!(said.contains("lines.arms.review"), "{said}");
    }
}

/// What was registered before is what it was: every committed registration has rows of its own.
#[test]
fn committed_registrations_are_those_of_their_rows() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/experiments");
    let mut read_so_far = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of experiments") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a registration");
        let file = ExperimentFile::read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // One that was registered and not run yet has none.
        let Ok(rows) = std::fs::read_to_string(path.with_extension("rows.jsonl")) else { continue };
        let results = Results::read(&rows, &file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(results.rows.len() as u64, file.seeds.count * file.arms().len() as u64, "{}", path.display());
        read_so_far += 1;
    }
    assert!(read_so_far >= 14, "{read_so_far}");
}
