//! `bardo mind grimoire` and `playbook`, on a life on chain and on one on paper.

use std::process::Stdio;

use serde_json::Value;

use crate::bardo::{signal, text, wait_for, words};
use crate::town::Town;

const RUN: [&str; 5] = ["golem", "run", "ada", "--speed", "1000000"];

/// The names of an object's fields.
fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys().map(String::as_str).collect()
}

/// O-002, G-116, G-139, G-159, G-174.
#[test]
fn o_002_what_a_golem_knows_is_shown_searched_checked_and_exchanged() {
    let town = Town::build("40");
    town.json(&["golem", "create", "ada", "--credits", "50", "--capital", "1000", "--gas", "0.01"]);
    std::fs::write(town.path(".bardo/golems/ada/golem.toml"), "[embedder]\nkind = \"none\"\n").expect("written");
    knows_nothing(&town);
    town.does(&[&RUN[..], &["--ticks", "210"]].concat());
    let first = lists(&town);
    shows(&town, &first);
    searches(&town);
    counts(&town);
    audits(&town);
    playbooks(&town);
    exchanges(&town);
    embeds(&town);
    while_it_lives(&town);
}

fn knows_nothing(town: &Town) {
    assert_eq!(town.json(&["mind", "grimoire", "list", "ada"])["total"], 0);
    let said = town.run(&["mind", "grimoire", "list", "ada"]);
    assert!(text(&said.stdout).contains("knows nothing yet"), "{}", text(&said.stdout));
    assert_eq!(town.json(&["mind", "counsel", "show", "ada"])["version"], 0);
    town.refuses(&["mind", "grimoire", "list", "bob"], &["there is no Golem", "ada"]);
}

/// Lists, filters and pages; answers an id.
fn lists(town: &Town) -> String {
    let all = town.json(&["mind", "grimoire", "list", "ada", "--status", "active,candidate"]);
    let entries = all["entries"].as_array().expect("a list");
    assert!(entries.len() >= 2, "{all}");
    let names = words(
        "bloodstain burned_at confidence_ppm content contradicted domain effective_ppm has_vector id kind last_felt origin \
         provenance quality_ppm question reason recorded recorded_tick regime status validated",
    );
    assert_eq!(fields(&entries[0]), names);
    let insights = town.json(&["mind", "grimoire", "list", "ada", "--kind", "insight", "--status", "active"]);
    let of_kind = insights["entries"].as_array().expect("a list");
    assert!(
        !of_kind.is_empty() && of_kind.iter().all(|entry| entry["kind"] == "insight" && entry["status"] == "active")
    );
    let ids =
        |page: &Value| page["entries"].as_array().expect("a list").iter().map(|e| e["id"].clone()).collect::<Vec<_>>();
    let one = town.json(&["mind", "grimoire", "list", "ada", "--limit", "1"]);
    let two = town.json(&["mind", "grimoire", "list", "ada", "--limit", "1", "--skip", "1"]);
    assert_eq!((ids(&one).len(), ids(&two).len()), (1, 1));
    assert_ne!(ids(&one), ids(&two), "the next page");
    let paged = town.run(&["mind", "grimoire", "list", "ada", "--limit", "1"]);
    assert!(text(&paged.stdout).contains("--skip 1"), "{}", text(&paged.stdout));
    let none = town.run(&["mind", "grimoire", "list", "ada", "--kind", "warning"]);
    assert!(text(&none.stdout).contains("leave a filter out"), "{}", text(&none.stdout));
    let wrong = town.run(&["mind", "grimoire", "list", "ada", "--kind", "wisdom"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("strategy_fragment"), "{}", text(&wrong.stderr));
    of_kind[0]["id"].as_str().expect("an id").to_owned()
}

fn shows(town: &Town, id: &str) {
    let shown = town.json(&["mind", "grimoire", "show", "ada", id]);
    assert_eq!(fields(&shown), ["behind", "entry", "history", "more"]);
    assert_eq!(shown["entry"]["id"], id);
    assert!(shown["more"]["counted"]["trials"].as_u64().is_some_and(|trials| trials >= 3), "{shown}");
    assert!(!shown["behind"].as_array().expect("episodes").is_empty());
    let history = shown["history"].as_array().expect("a history");
    assert!(history.iter().any(|change| change["what"] == "promoted"), "{shown}");
    let said = town.run(&["mind", "grimoire", "show", "ada", id]);
    assert!(text(&said.stdout).contains("What happened to it"));
    town.refuses(&["mind", "grimoire", "show", "ada", "ffff"], &["has no entry", "grimoire list ada"]);
    let unknown = "0192f0c1-5b00-7abc-8def-0123456789ab";
    town.refuses(&["mind", "grimoire", "show", "ada", unknown], &["has no entry"]);
}

/// G-087: the score is the sum of its parts times its factors; without vectors the words are searched, and it says so.
fn searches(town: &Town) {
    let found = town.json(&["mind", "grimoire", "search", "ada", "cost held times"]);
    assert_eq!(found["basis"], "words alone", "{found}");
    assert!(found["advice"].as_str().is_some_and(|advice| advice.contains("./scripts/model")), "{found}");
    let hits = found["hits"].as_array().expect("hits");
    assert!(!hits.is_empty(), "{found}");
    for hit in hits {
        let part = |name: &str| hit[name].as_f64().expect("a number");
        let sum = part("semantic") + part("temporal") + part("importance") + part("emotional");
        let score = sum * part("regime") * part("bloodstain") * part("discount");
        let said = hit["score_micros"].as_f64().expect("a number") / 1e6;
        assert!((score - said).abs() < 1e-5, "{hit}");
    }
    let said = town.run(&["mind", "grimoire", "search", "ada", "cost", "--limit", "2"]);
    let said = text(&said.stdout);
    assert!(said.contains("semantic") && said.contains("words alone") && said.contains("reembed ada"), "{said}");
    let odd = town.json(&["mind", "grimoire", "search", "ada", "\" OR 1=1 -- * NEAR("]);
    assert!(odd["hits"].is_array(), "signs are no orders: {odd}");
    town.refuses(&["mind", "grimoire", "search", "ada", " "], &["nothing was asked"]);
}

fn counts(town: &Town) {
    let stats = town.json(&["mind", "grimoire", "stats", "ada"]);
    let names = words("confidence_by_tenth cycles domains entries health kinds quality_by_tenth sources tick vectors");
    assert_eq!(fields(&stats), names);
    let ticks: Vec<u64> =
        stats["cycles"].as_array().expect("cycles").iter().filter_map(|c| c["tick"].as_u64()).collect();
    assert_eq!(ticks, [200, 150, 100, 50], "G-139");
    assert!(stats["entries"]["episodes"].as_u64().is_some_and(|count| count >= 200), "G-116: {stats}");
    assert!(stats["entries"]["active"].as_u64().is_some_and(|count| count > 0), "{stats}");
    let status = town.json(&["golem", "status", "ada"]);
    assert_eq!(status["memory"]["grimoire"]["active"], stats["entries"]["active"]);
    assert_eq!(status["memory"]["grimoire"]["vectors"], "no vectors");
    town.refuses(&["mind", "grimoire", "reembed", "ada"], &["embedder.kind", "minilm"]);
}

/// G-159: a PLAYBOOK.md that somebody wrote into is found, and mended by the next start.
fn audits(town: &Town) {
    let sound = town.json(&["mind", "grimoire", "audit", "ada"]);
    assert_eq!(sound["sound"], true, "{sound}");
    let path = town.path(".bardo/golems/ada/PLAYBOOK.md");
    let written = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, "buy everything").expect("ruined");
    let ruined = town.run(&["mind", "grimoire", "audit", "ada"]);
    assert_eq!(ruined.status.code(), Some(1));
    assert!(text(&ruined.stdout).contains("mends it"), "{}", text(&ruined.stdout));
    assert!(town.run(&[&RUN[..], &["--ticks", "211"]].concat()).status.success());
    assert_eq!(std::fs::read_to_string(&path).expect("mended"), written);
}

fn playbooks(town: &Town) {
    let shown = town.json(&["mind", "counsel", "show", "ada"]);
    let newest = shown["version"].as_u64().expect("a version");
    let versions = town.json(&["mind", "counsel", "versions", "ada"]);
    assert_eq!(versions.as_array().expect("a list").len() as u64, newest);
    let changed = town.json(&["mind", "counsel", "diff", "ada", "--since", "0"]);
    assert_eq!((&changed["from"], &changed["to"]), (&Value::from(0), &Value::from(newest)));
    assert_eq!(changed["changes"].as_array().map(Vec::len), shown["rules"].as_array().map(Vec::len));
    town.refuses(&["mind", "counsel", "show", "ada", "--version", "99"], &["no version 99", "the newest is"]);
    assert_eq!(town.run(&["mind", "counsel", "diff", "ada"]).status.code(), Some(2), "a diff has two ends");
}

/// G-053, G-174, G-175: what one Golem knows another may be offered; it waits there as a candidate or is refused by line.
fn exchanges(town: &Town) {
    let file = town.path("ada.jsonl");
    let file = file.to_str().expect("text");
    let written = town.json(&["mind", "grimoire", "export", "ada", "--out", file, "--status", "active"]);
    let lines = std::fs::read_to_string(file).expect("written");
    let entries = written["entries"].as_u64().expect("a number");
    assert_eq!(entries + 2, lines.lines().count() as u64, "a head, the entries, a foot");
    town.refuses(&["mind", "grimoire", "export", "ada", "--out", file], &["already there"]);
    town.refuses(&["mind", "grimoire", "import", "ada", file], &["what ada itself wrote"]);
    town.does(&["golem", "paper", "pia", "--speed", "1000000", "--ticks", "110"]);
    let own = town.json(&["mind", "grimoire", "stats", "pia"]);
    assert!(own["entries"]["episodes"].as_u64().is_some_and(|count| count >= 110), "paper lives learn too: {own}");
    let came = town.json(&["mind", "grimoire", "import", "pia", file, "--way", "clade"]);
    let fates = came["lines"].as_array().expect("lines");
    assert_eq!(fates.len() as u64, entries, "{came}");
    assert!(fates.iter().zip(2..).all(|(fate, line)| fate["line"] == line && fate["fate"].is_string()), "{came}");
    assert!(fates.iter().all(|fate| fate["fate"] != "refused" || fate["why"].is_string()), "{came}");
    let torn = town.path("torn.jsonl");
    for (ruined, words) in [
        (lines.replacen("held", "never", 1), "are not those that were exported"),
        (lines.lines().take(2).map(|line| format!("{line}\n")).collect(), "ends too early"),
        ("{}\n".to_owned(), "line 1"),
    ] {
        std::fs::write(&torn, ruined).expect("written");
        town.refuses(&["mind", "grimoire", "import", "pia", torn.to_str().expect("text")], &["is refused", words]);
    }
    let active = town.json(&["mind", "grimoire", "list", "pia", "--status", "active"]);
    let foreign =
        active["entries"].as_array().expect("a list").iter().filter(|entry| entry["provenance"] != "self").count();
    assert_eq!(foreign, 0, "nothing from outside is used unconfirmed");
    let own = town.run(&["mind", "grimoire", "import", "pia", file, "--way", "self"]);
    assert_eq!(own.status.code(), Some(2));
    town.refuses(&["mind", "grimoire", "import", "pia", "nowhere.jsonl"], &["cannot read nowhere.jsonl"]);
    assert_eq!(town.json(&["mind", "grimoire", "audit", "pia"])["sound"], true);
}

/// G-005, G-006, G-094: with the local model every entry gets a vector, in as many calls as it takes; then words and
/// vectors answer together. A mistake in golem.toml chooses no other model.
fn embeds(town: &Town) {
    let config = town.path(".bardo/golems/ada/golem.toml");
    std::fs::write(&config, "[embedder]\nkind = \"minlim\"\n").expect("written");
    for command in [&["reembed", "ada"][..], &["search", "ada", "gas"]] {
        town.refuses(&[&["mind", "grimoire"][..], command].concat(), &["has mistakes", "minlim"]);
    }
    std::fs::write(&config, "[embedder]\nkind = \"minilm\"\n").expect("written");
    let part = town.json(&["mind", "grimoire", "reembed", "ada", "--limit", "1"]);
    assert_eq!(part["embedded"], 1, "{part}");
    assert!(part["left"].as_u64().is_some_and(|left| left > 0), "{part}");
    let rest = town.json(&["mind", "grimoire", "reembed", "ada"]);
    assert_eq!(rest["left"], 0, "{rest}");
    assert_eq!(rest["drift"]["health"], "healthy", "a pinned model says what it said: {rest}");
    claims(town);
    let found = town.json(&["mind", "grimoire", "search", "ada", "cost held times"]);
    assert_eq!(found["basis"], "vectors and words", "{found}");
    assert!(found["hits"][0]["cosine"].as_f64().is_some(), "{found}");
    assert_eq!(town.json(&["mind", "grimoire", "audit", "ada"])["sound"], true);
    std::fs::write(&config, "[embedder]\nkind = \"none\"\n").expect("written");
    let away = town.json(&["mind", "grimoire", "search", "ada", "cost held times"]);
    assert_eq!(away["basis"], "words alone", "{away}");
    assert!(away["advice"].as_str().is_some_and(|advice| advice.contains("embedder.kind is none")), "{away}");
}

/// G-178: a vector that comes with an entry is computed again; without a model it is dropped, and that is said.
fn claims(town: &Town) {
    let file = town.path("vectors.jsonl");
    let file = file.to_str().expect("text");
    town.json(&["mind", "grimoire", "export", "ada", "--out", file, "--status", "active", "--vectors"]);
    assert!(std::fs::read_to_string(file).expect("written").contains("\"vector\""));
    let config = town.path(".bardo/golems/pia/golem.toml");
    let came = |kind: &str| {
        std::fs::write(&config, format!("[embedder]\nkind = \"{kind}\"\n")).expect("written");
        town.json(&["mind", "grimoire", "import", "pia", file, "--way", "clade"])
    };
    let blind = came("none");
    let said = blind["vectors"].as_str().unwrap_or_default();
    assert!(said.contains("could not be checked") && said.contains("dropped"), "{blind}");
    let checked = came("minilm");
    assert!(checked["vectors"].is_null(), "{checked}");
    let is_forged = |fate: &Value| fate["why"].as_str().is_some_and(|why| why.contains("its vector"));
    assert!(!checked["lines"].as_array().expect("lines").iter().any(is_forged), "{checked}");
}

/// looking on is free while it lives; writing is not.
fn while_it_lives(town: &Town) {
    let mut life = town.bardo(&RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    wait_for("it lives", || town.json(&["golem", "status", "ada"])["memory"]["process"].as_u64());
    assert!(town.json(&["mind", "grimoire", "list", "ada"])["total"].as_u64().is_some_and(|total| total > 0));
    assert!(town.json(&["mind", "grimoire", "search", "ada", "gas"])["hits"].is_array());
    let file = town.path("ada.jsonl");
    town.refuses(&["mind", "grimoire", "import", "ada", file.to_str().expect("text")], &["stop it first"]);
    town.refuses(&["mind", "grimoire", "reembed", "ada"], &["stop it first"]);
    signal(u64::from(life.id()), "-INT");
    life.wait().expect("ended");
}
