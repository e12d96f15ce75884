//! Deaths and births that are cut off, and what follows by itself.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::bardo::{signal, text, words};
use crate::line::{DAY, TICKS, die, editions, live, swinging};
use crate::town::Town;

/// Runs until it says a line that is looked for, kills it there, and answers with the line.
pub(crate) fn kill_when(
    town: &Town,
    arguments: &[&str],
    on_stdout: bool,
    is_it: impl Fn(&str) -> bool,
) -> Option<String> {
    let mut bardo = town.bardo(arguments);
    bardo.stdout(if on_stdout { Stdio::piped() } else { Stdio::null() });
    bardo.stderr(if on_stdout { Stdio::null() } else { Stdio::piped() });
    let mut process = bardo.spawn().expect("starts");
    let stream: Box<dyn std::io::Read> = if on_stdout {
        Box::new(process.stdout.take().expect("piped"))
    } else {
        Box::new(process.stderr.take().expect("piped"))
    };
    let said = BufReader::new(stream).lines().map_while(Result::ok).find(|line| is_it(line));
    if said.is_some() {
        signal(u64::from(process.id()), "-KILL");
    }
    let _ = process.wait();
    said
}

fn kill_at(town: &Town, arguments: &[&str], word: &str, on_stdout: bool) -> bool {
    kill_when(town, arguments, on_stdout, |line| line.contains(word)).is_some()
}

fn chronicle(town: &Town, name: &str) -> Value {
    // Somebody's business brings the blocks that confirm.
    town.json(&["golem", "fund", name, "--gas", "0.0001"]);
    let line = town.json(&["line", "lineage", name, "--verify"]);
    assert_eq!(line["holds"], true, "{}", line["checks"]);
    line
}

/// M-178, M-182, T-004, R-021, L-004: killed as each of the four phases of its death begins, a Golem settles once and
/// leaves one bundle; killed as it is made, sent and landed, a successor by hand is one successor.
#[test]
fn m_178_a_death_killed_in_each_phase_and_a_birth_killed_in_each_step() {
    let town = Town::build("40");
    town.json(&["golem", "create", "ada", "--credits", "50", "--capital", "1000", "--gas", "0.02"]);
    live(&town, "ada", "40");
    town.json(&["golem", "kill", "ada", "--reason", "its time had come", "--yes"]);
    let run = ["golem", "run", "ada", "--speed", "1000000", "--json"];
    for phase in ["acceptance_entered", "settlement_started", "life_review_started", "legacy_started"] {
        assert!(kill_at(&town, &run, phase, true), "{phase} is entered once, and was killed there");
    }
    town.does(&run);
    town.json(&["grave", "retire", "ada"]);
    town.does(&["grave", "testament", "ada", "--verify"]);
    let testament = std::fs::read(town.path(".bardo/golems/ada/testament.json")).expect("written");

    let give = words("line successor ada --budget 50 --playbook momentum --inherit-grimoire --gas 0.01 --yes");
    for step in ["would take it", "sent as", "in block", "confirmed"] {
        let was_said = kill_at(&town, &give, step, false);
        let is_born = town.path(".bardo/golems/ada-1/birth.json").exists();
        assert!(was_said || is_born, "it says {step:?}, or an earlier try was found and finished");
        if is_born {
            break;
        }
    }
    if !town.path(".bardo/golems/ada-1/birth.json").exists() {
        town.does(&give);
    }
    let line = chronicle(&town, "ada-1");
    assert_eq!(line["members"].as_array().expect("members").len(), 2, "one successor, not two");
    assert_eq!(testament, std::fs::read(town.path(".bardo/golems/ada/testament.json")).expect("there"));
    let second = town.run(&["line", "successor", "ada", "--playbook", "momentum", "--name", "second", "--yes"]);
    assert!(!second.status.success());
}

/// T-004, T-021, I-009, I-211, I-269: one that others finalised before it could settle has its testament attached by the same
/// `run`, and can be inherited from; one without any testament is succeeded by its configuration alone.
#[test]
fn t_004_a_death_that_others_finalised_is_still_inherited() {
    let town = Town::build("40");
    for name in ["ada", "bea"] {
        town.json(&["golem", "create", name, "--credits", "50", "--capital", "1000", "--gas", "0.02"]);
        live(&town, name, "20");
    }
    town.json(&["golem", "kill", "ada", "--reason", "away", "--yes"]);
    town.json(&["golem", "kill", "bea", "--reason", "away", "--revoke", "--yes"]);
    // Its machine is away for more than the hour of grace; somebody lives on and brings the time about.
    town.json(&["golem", "create", "eve", "--credits", "50", "--capital", "1000", "--gas", "0.02"]);
    live(&town, "eve", "120");
    for name in ["ada", "bea"] {
        town.does(&["grave", "finalise", name, "--yes"]);
    }
    town.does(&["golem", "run", "ada", "--speed", "1000000", "--json"]);
    town.json(&["grave", "retire", "ada"]);
    town.does(&["grave", "testament", "ada", "--verify"]);
    let heir = ["--budget", "50", "--playbook", "momentum", "--inherit-grimoire", "--gas", "0.01", "--yes"];
    elsewhere(&town, &heir);

    // Of the other nothing was ever written here, and its key is powerless.
    town.refuses(&[&["line", "successor", "bea"], &heir[..]].concat(), &["--no-inherit"]);
    let same = ["line", "successor", "bea", "--budget", "50", "--no-inherit", "--gas", "0.01", "--yes"];
    let refused = town.run(&same);
    assert_eq!(refused.status.code(), Some(1), "I-290: the same configuration again is refused");
    // I-211, I-269: only a person who insists passes the gate with the same life again.
    let born = town.json(&[&same[..], &["--force-similarity"]].concat());
    assert_eq!(born["generation"], 1, "{born}");
    town.json(&["golem", "status", "bea-1"]);
}

/// I-116, I-010, I-269: of a Golem whose machine is lost nothing but its bundle is needed; another home takes it in and raises
/// a successor that has what it left and lives.
fn elsewhere(town: &Town, heir: &[&str]) {
    let (file, home) = (town.path("ada.bardo"), town.path("elsewhere"));
    let (file, home) = (file.to_str().expect("text"), ["--home", home.to_str().expect("text")]);
    let exported = town.json(&["line", "bundle", "export", "ada", file]);
    let entries = exported["entries"].as_u64().expect("a count");
    let kept = town.json(&[&["line", "bundle", "import", file], &home[..]].concat());
    let ada = kept["agent"].as_str().expect("an agent");
    assert!(kept["next"].as_str().is_some_and(|next| next.starts_with(&format!("bardo line successor {ada} "))));
    let born = town.json(&[&["line", "successor", ada, "--name", "phoenix"], heir, &home].concat());
    assert_eq!((&born["generation"], &born["name"]), (&1.into(), &"phoenix".into()), "{born}");
    let heritage = town.json(&[&["line", "heritage", "phoenix"], &home[..]].concat());
    let crossed = heritage["entries"].as_array().expect("entries").iter().filter(|entry| entry["fate"] != "told");
    assert_eq!(crossed.count() as u64, entries, "{heritage}");
    town.does(&[&["golem", "run", "phoenix", "--speed", "1000000", "--ticks", "5", "--json"], &home[..]].concat());
    town.refuses(&[&["line", "successor", "ada", "--name", "second"], heir].concat(), &[]);
}

fn slow(town: &Town, name: &str, more: &str) {
    let config = town.path(&format!(".bardo/golems/{name}/golem.toml"));
    let before = std::fs::read_to_string(&config).expect("there");
    let slower = before.replace("[golem]\n", "[golem]\ntick_seconds = 300\n");
    let hook = town.path("hook");
    std::fs::write(&hook, format!("#!/bin/sh\ncat >> {}\necho >> {0}\n", town.path("hooked").display()))
        .expect("written");
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    let alerts = format!("[alerts]\ncommand = \"{}\"\n", hook.display());
    std::fs::write(&config, format!("{slower}\n{alerts}[succession]\nauto = true\nbudget_usdc = 50\n{more}"))
        .expect("written");
}

/// I-280 to I-292, I-211, I-284, I-285, I-287, I-365: where its owner wants it and a mandate stands, `run` itself brings a
/// successor about when its Golem is dead, tries again by itself what failed and tells its owner; one that would be the same again is not born, and the owner is told by alert, by `run`,
/// and by `status`.
#[test]
fn i_280_a_run_brings_the_successor_about_and_tells_when_it_cannot() {
    let dir = tempfile::tempdir().expect("a folder");
    let town = Town::with(&["--paced", "--seed", "7", "--block-seconds", "300", "--market", &swinging(dir.path())]);
    let executor = town.account("stranger 3", "address");
    let raise = |name: &str, strategy: &str, ticks: &str, more: &str| {
        let create = ["golem", "create", name, "--credits", "50", "--capital", "2000", "--gas", "0.02"];
        town.json(&[&create[..], &["--playbook", strategy]].concat());
        slow(&town, name, more);
        live(&town, name, ticks);
        let terms = ["--budget", "50", "--executor", &executor, "--prepare-keys", "--escrow", "50"];
        town.json(&[&["line", "mandate", "commit", name], &terms[..]].concat());
        town.json(&["golem", "kill", name, "--reason", "its time had come", "--yes"]);
    };
    let signed = ["--speed", "1000000", "--devnet-account", "stranger 3"];
    // Who follows a trend loses where the market swings, and its testament advises otherwise.
    raise("ada", "momentum", DAY, "");
    // Its executor cannot pay gas, which somebody mends as soon as it is told.
    town.purse(&executor, "0x0");
    let mut run = town.bardo(&[&["golem", "run", "ada"], &signed[..]].concat());
    let mut run = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut said = BufReader::new(run.stderr.take().expect("piped")).lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("step fund failed for now")), "it cannot pay");
    town.purse(&executor, "0x8ac7230489e80000");
    said.for_each(drop);
    assert!(run.wait().expect("ends").success(), "the same process tries again");
    let hooked = std::fs::read_to_string(town.path("hooked")).expect("told");
    assert!(hooked.contains("next attempt is due") && hooked.contains("send it some native coin"), "{hooked}");
    let line = chronicle(&town, "ada-1");
    assert_eq!(line["members"].as_array().expect("members").len(), 2);
    let status = town.json(&["golem", "status", "ada"]);
    assert!(status["memory"]["succession"].as_str().is_some_and(|words| words.starts_with("done")), "{status}");
    // Nothing of its own was taken over: the same life again.
    // A short one is enough for the gate to find them alike.
    raise("bea", "mean-reversion", "60", "inherit_grimoire = false\n");
    let end = town.does(&[&["golem", "run", "bea"], &signed[..]].concat());
    let said = text(&end.stdout);
    assert!(said.contains("halted") && said.contains("bardo line successor bea"), "{said}{}", text(&end.stderr));
    assert!(!town.path(".bardo/golems/bea-1/birth.json").exists());
    let status = town.json(&["golem", "status", "bea"]);
    assert!(status["memory"]["succession"].as_str().is_some_and(|words| words.starts_with("halted")), "{status}");
    let hooked = std::fs::read_to_string(town.path("hooked")).expect("told");
    assert!(hooked.contains("\"succession\"") && hooked.contains("alike"), "{hooked}");
    let events = std::fs::read_to_string(town.path(".bardo/golems/bea/succession.jsonl")).expect("written");
    let last: Value = serde_json::from_str(events.lines().last().expect("an event")).expect("JSON");
    assert!(last["name"] == "succession.halted" && last["words"].as_str().is_some_and(|words| words.contains("alike")));
    let again = town.run(&["line", "succession", "run", "bea", "--once"]);
    assert!(!again.status.success(), "asking again passes no gate");
    let listed = town.json(&["line", "mandate", "list"]);
    assert_eq!(listed.as_array().expect("a list").len(), 2, "{listed}");
}

/// A market that swings around one price for a life, and then drifts in a slow wide wave that never comes back in time:
/// still no trend and not wild, so the same rules are asked, and fail.
fn turning(dir: &std::path::Path) -> String {
    const SWING: [i64; 12] = [0, 12, 20, 24, 20, 12, 0, -12, -20, -24, -20, -12];
    const TURN: usize = 400;
    let before = SWING.iter().cycle().flat_map(|offset| [3_000 + offset; 2]).take(TURN);
    let wave = (1i64..9_000).map(|at| {
        // Down by 0.9 a block for 300 blocks, then up; every other block lies above, the next below.
        let place = at % 600;
        let depth = if place < 300 { place } else { 600 - place };
        3_000 - depth * 9 / 10 + if at % 2 == 0 { -2 } else { 2 }
    });
    let lines: Vec<String> = before.chain(wave).map(|price| price.to_string()).collect();
    let file = dir.join("turn.csv");
    std::fs::write(&file, format!("price\n{}\n", lines.join("\n"))).expect("written");
    format!("csv:{}", file.display())
}

/// I-005, I-205, I-362, G-070: what held in one life and fails in the next is refuted there, what still holds is confirmed;
/// `lineage --verify` traces both, entry by entry, with what each was worth in each generation.
#[test]
fn i_205_an_inherited_heuristic_that_fails_is_refuted_and_traced() {
    let dir = tempfile::tempdir().expect("a folder");
    let town = Town::with(&["--paced", "--seed", "7", "--block-seconds", "40", "--market", &turning(dir.path())]);
    editions(&town);
    let create = ["golem", "create", "ada", "--credits", "50", "--capital", "2000", "--gas", "0.02"];
    town.json(&[&create[..], &["--playbook", "first.md"]].concat());
    live(&town, "ada", TICKS);
    die(&town, "ada");
    town.json(&words(
        "line successor ada --budget 50 --inherit-grimoire --playbook second.md --capital 2000 --gas 0.02 --yes",
    ));
    let heritage = town.json(&["line", "heritage", "ada-1"]);
    let of_kind = |kind: &str| -> Vec<String> {
        let entries = heritage["entries"].as_array().expect("entries").iter();
        let mine = entries.filter(|entry| entry["kind"] == kind && entry["status"] == "candidate");
        mine.map(|entry| entry["entry"].as_str().expect("an id").to_owned()).collect()
    };
    let rules = of_kind("heuristic");
    assert!(!rules.is_empty(), "{heritage}");
    live(&town, "ada-1", TICKS);
    let line = chronicle(&town, "ada-1");
    let stops = |id: &str| {
        let traces = line["entries"].as_array().expect("entries");
        let trace = traces.iter().find(|trace| trace["entry"] == id).expect("traced");
        let stops = trace["stops"].as_array().expect("stops");
        assert_eq!(stops.len(), 2, "{trace}");
        (stops[0].clone(), stops[1].clone())
    };
    let ppm = |value: &Value| value.as_u64().expect("a share");
    for rule in &rules {
        let (own, heirs) = stops(rule);
        assert_eq!(own["fate"], "active", "it was in force in the first life: {own}");
        assert_eq!(ppm(&heirs["arrived_ppm"]), ppm(&own["left_ppm"]) * 85 / 100, "I-160: {heirs}");
        assert_eq!((&heirs["fate"], &heirs["left_ppm"]), (&"burned: contradicted".into(), &Value::Null), "{heirs}");
    }
    let insights = of_kind("insight");
    let confirmed = insights.iter().map(|id| stops(id).1).filter(|stop| {
        stop["fate"] == "active" && ppm(&stop["validated"]) > 0 && ppm(&stop["left_ppm"]) > ppm(&stop["arrived_ppm"])
    });
    assert!(confirmed.count() > 0, "what still holds is confirmed: {}", line["entries"]);
    let shown = town.run(&["line", "lineage", "ada-1", "--verify"]);
    assert!(text(&shown.stdout).contains("burned: contradicted"), "{}", text(&shown.stdout));
}
