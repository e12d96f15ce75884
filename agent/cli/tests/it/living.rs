//! A life that is lived, looked at, proved, saved, watched and killed, with real processes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::mpsc;

use serde_json::Value;

use crate::bardo::{does, run, signal, text, wait_for};
use crate::town::Town;

const RUN: [&str; 5] = ["golem", "run", "ada", "--speed", "1000000"];

/// Takes posts and hands their bodies on. The first post is turned away, so that a delivery has to be tried again.
fn listen() -> (String, mpsc::Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook/s3cr3tS3cr3tS3cr3t?token=hidden", listener.local_addr().expect("bound"));
    let (send, heard) = mpsc::channel();
    std::thread::spawn(move || {
        let mut is_first = true;
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            let mut reader = BufReader::new(stream);
            let (mut length, mut line) = (0, String::new());
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a number");
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            let status = if is_first { "500 Not Now" } else { "200 OK" };
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            reader.into_inner().write_all(answer.as_bytes()).expect("answered");
            if !is_first {
                let _ = send.send(serde_json::from_slice(&body).expect("JSON"));
            }
            is_first = false;
        }
    });
    (url, heard)
}

/// O-002, O-004, O-005, O-006, R-002, R-024, R-025, M-206.
#[test]
fn o_006_a_life_is_lived_watched_proved_saved_and_ended() {
    let town = Town::build("40");
    let born = town.json(&["golem", "create", "ada", "--credits", "50", "--capital", "1000", "--gas", "0.01"]);
    let (url, heard) = listen();
    let hook = town.path("hook");
    std::fs::write(&hook, format!("#!/bin/sh\ncat >> {}\necho >> {0}\n", town.path("hooked").display()))
        .expect("written");
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    town.refuses(&["watchdog", "ada", "--test"], &["nobody is told", "[alerts]"]);
    let toml = format!("[alerts]\nwebhook = \"{url}\"\ncommand = \"{}\"\n", hook.display());
    std::fs::write(town.path(".bardo/golems/ada/golem.toml"), toml).expect("written");

    refusals(&town);
    let watched = town.run(&["watchdog", "ada", "--once"]);
    assert_eq!(watched.status.code(), Some(0), "{}{}", text(&watched.stdout), text(&watched.stderr));
    lives(&town);
    let tried = town.run(&["watchdog", "ada", "--test"]);
    let said = text(&tried.stdout);
    assert_eq!((tried.status.code(), said.matches("was told").count()), (Some(0), 2), "{said}");
    looks(&town);
    saves(&town);
    watches(&town);
    dies(&town, born["vault"].as_str().expect("a vault"));

    let alerts: Vec<Value> = heard.try_iter().collect();
    let kinds: Vec<&str> = alerts.iter().map(|alert| alert["kind"].as_str().expect("a kind")).collect();
    for kind in ["born", "test", "dying", "dead"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    assert!(alerts.iter().all(|alert| alert["golem"] == "ada" && alert["vault"].is_string()));
    // M-206: of the dead the hash of the testament, its advice and the last balance. M-203: the archive has it as it was.
    let dead = alerts.iter().find(|alert| alert["kind"] == "dead").expect("told");
    let archive =
        std::fs::read_dir(town.path(".bardo/archive")).expect("laid down").next().expect("one").expect("read");
    let bytes = std::fs::read(archive.path().join("testament.json")).expect("written");
    let testament: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(dead["left"]["testament"], golem_primitives::keccak256(&bytes).to_string());
    assert_eq!(dead["left"]["balance"], testament["left"]);
    assert_eq!(dead["left"]["recommendation"], testament["testament"]["recommendation"]);
    assert!(alerts.iter().filter(|alert| alert["kind"] != "dead").all(|alert| alert["left"].is_null()));
    let hooked = std::fs::read_to_string(town.path("hooked")).expect("the command was run");
    assert!(
        hooked.lines().any(|line| serde_json::from_str::<Value>(line).is_ok_and(|alert| alert["kind"] == "dead")),
        "{hooked}"
    );
}

/// The main ways in which a life cannot begin.
fn refusals(town: &Town) {
    let wrong = town.path("wrong");
    let said = town.bardo(&RUN).env("BARDO_KEY_PASSWORD_FILE", &wrong).output().expect("runs");
    assert_eq!(said.status.code(), Some(1));
    assert!(text(&said.stderr).contains("the password does not open"), "{}", text(&said.stderr));
    let url = town.url().to_owned();
    let other = |change: &dyn Fn(&mut Value), words: &[&str]| {
        let mut chain = town.chain().clone();
        change(&mut chain);
        let file = town.path("deployment.json");
        std::fs::write(&file, chain.to_string()).expect("written");
        town.refuses(&["owner", "wake", "0", "--rpc", &url, "--deployment", file.to_str().expect("text")], words);
    };
    other(&|chain| chain["chain_id"] = 8_453.into(), &["chain", "8453"]);
    other(
        &|chain| chain["world"]["suite"]["lineage_registry"] = "0x00000000000000000000000000000000000000aa".into(),
        &["the suite on this chain is not the one this program knows"],
    );
    town.refuses(
        &["owner", "wake", "0", "--rpc", "http://127.0.0.1:9", "--deployment", "nowhere.json"],
        &["nowhere.json"],
    );
    town.refuses(&["golem", "run", "ada", "--speed", "0"], &["a speed"]);
    let usage = town.run(&["golem", "kill", "ada"]);
    assert_eq!(usage.status.code(), Some(2), "a kill has a reason");
}

/// R-021, O-002: one process lives it; others look on and are kept from living it too.
fn lives(town: &Town) {
    let mut life = town.bardo(&RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    wait_for("it has lived some ticks", || {
        let status = town.json(&["golem", "status", "ada"]);
        (status["memory"]["tick"].as_u64()? >= 5).then_some(())
    });
    let status = town.json(&["golem", "status", "ada"]);
    assert_eq!(status["memory"]["process"], life.id());
    town.refuses(&RUN, &["in use by process", "two processes must never live one life"]);
    town.refuses(&["memory", "restore", "ada"], &["no snapshot"]);
    let snapshot = town.json(&["memory", "snapshot", "ada"]);
    assert!(
        snapshot["file"]
            .as_str()
            .is_some_and(|file| std::path::Path::new(file).is_absolute() || town.path(file).exists()),
        "{snapshot}"
    );
    signal(u64::from(life.id()), "-INT");
    assert_eq!(life.wait().expect("ended").code(), Some(130), "interrupted");
    let more = town.does(&[&RUN[..], &["--ticks", "240", "--json"]].concat());
    assert!(!text(&more.stderr).contains("s3cr3t"), "{}", text(&more.stderr));
}

/// O-002: one page tells the life, by what happened in it and by nothing else.
fn story(town: &Town, events: &str) {
    let happened: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |name: &str| happened.iter().filter(|event| event["name"] == name).collect::<Vec<_>>();
    let page = town.json(&["golem", "life", "ada"]);
    let last = of("golem.curator_cycle_complete")
        .last()
        .map_or(Value::Null, |event| event["data"]["curated"]["active"].clone());
    assert_eq!(page["learnt"]["active_entries"], last, "{page}");
    assert_eq!(page["tried"]["staged"], of("golem.rule_staged").len(), "{page}");
    let said_a_direction = |event: &&&Value| {
        let resolved = &event["data"]["prediction_resolved"];
        let said = resolved["verdict"]["measured"]["predicted_ppm"].as_i64();
        resolved["prediction"]["claim"].get("price_move").is_some() && said.is_some_and(|said| said != 0)
    };
    assert!(!of("golem.prediction_resolved").is_empty());
    let judged = of("golem.prediction_resolved").iter().filter(said_a_direction).count();
    assert_eq!(page["wrong"]["claims_judged"], judged, "{page}");
    let told = town.run(&["golem", "life", "ada"]);
    for section in
        ["so far", "what it tried", "what it learnt", "what it dreamt", "what it felt", "what it was wrong about"]
    {
        assert!(text(&told.stdout).contains(section), "{section}: {}", text(&told.stdout));
    }
}

/// O-005, R-002: everything that looks and proves.
fn looks(town: &Town) {
    let listed = town.json(&["golem", "list"]);
    assert_eq!((&listed[0]["name"], &listed[0]["life"]), (&Value::from("ada"), &Value::from("alive")));
    let events = town.run(&["golem", "events", "ada", "--from", "1", "--json"]);
    let first: Value = serde_json::from_str(text(&events.stdout).lines().next().expect("an event")).expect("JSON");
    assert_eq!(first["id"], 1);
    story(town, &text(&events.stdout));
    let mut follow =
        town.bardo(&["golem", "events", "ada", "--follow", "--json"]).stdout(Stdio::piped()).spawn().expect("starts");
    let pid = u64::from(follow.id());
    let mut lines = BufReader::new(follow.stdout.take().expect("piped")).lines();
    assert!(lines.next().is_some_and(|line| line.is_ok()));
    signal(pid, "-INT");
    assert_eq!(follow.wait().expect("ended").code(), Some(130));
    let trades = town.run(&["golem", "trades", "ada", "--csv"]);
    assert!(
        text(&trades.stdout).starts_with(
            "time,tick,order,pool,result,moved_usdc,amount_token_units,symbol,decimals,cost_basis_usdc,gain_usdc"
        ),
        "{}",
        text(&trades.stdout)
    );
    let rows = text(&trades.stdout).lines().filter(|line| line.contains(",landed,")).count();
    assert!(rows > 0, "this market gives occasion to trade: {}", text(&trades.stdout));
    let replay = town.json(&["memory", "replay", "ada"]);
    assert_eq!((&replay["holds"], &replay["snapshot"]["agrees"]), (&Value::Bool(true), &Value::Bool(true)), "{replay}");
    assert!(replay["compared"].as_u64().expect("a number") >= 480);
    let verified = town.json(&["memory", "verify", "ada"]);
    assert_eq!(verified["holds"], true, "{verified}");
    let outcomes = verified["checks"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|check| check["name"] == "outcomes")
        .expect("checked");
    let words = format!("{rows} of {rows} made again");
    assert!(outcomes["detail"].as_str().expect("words").contains(&words), "{outcomes}");
    let lineage = town.json(&["line", "lineage", "0", "--verify"]);
    assert_eq!(lineage["holds"], true, "{lineage}");
}

/// a life on paper is recorded and lived again like any other.
#[test]
fn r_002_a_life_on_paper_is_lived_again() {
    let town = Town::build("40");
    town.does(&["golem", "paper", "pip", "--ticks", "5", "--speed", "1000000", "--json"]);
    assert_eq!(town.json(&["memory", "replay", "pip"])["holds"], true);
    assert!(town.run(&["golem", "events", "pip"]).status.success());
    town.refuses(&["golem", "fund", "pip", "--amount", "1"], &["lives on paper"]);
    town.refuses(&["golem", "create", "pip"], &["already a Golem named pip, on paper"]);
}

/// The account at the end of a life on paper.
fn account(town: &Town, ticks: &str) -> Value {
    let begin = ["golem", "paper", "rue", "--playbook", "range-liquidity", "--credits", "30", "--capital", "1000"];
    let more = ["--host-per-tick", "0.02", "--ticks", ticks, "--speed", "1000000", "--json"];
    let lived = town.does(&[&begin[..], &more[..]].concat());
    let said = text(&lived.stdout);
    let last: Value = serde_json::from_str(said.lines().last().expect("an account")).expect("JSON");
    last["paper"].clone()
}

/// on paper liquidity is worth what went into it, gas and rent are paid, the same commands tell of it, and it goes on
/// where it stopped.
#[test]
fn r_013_a_life_on_paper_is_the_chain_without_sending() {
    let town = Town::build("40");
    let first = account(&town, "60");
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value} is no amount"));
    let worth = number(&first["worth_usdc_micros"]);
    assert!((985_000_000..1_015_000_000).contains(&worth), "1,000 USDC are worth {worth} micro-USDC: {first}");
    assert!(number(&first["gas_usdc_micros"]) > 0 && number(&first["host_paid_usdc_micros"]) >= 250_000, "{first}");
    assert!(number(&first["credits_usdc_micros"]) < 29_400_000, "what it pays is missing: {first}");

    let list = town.json(&["golem", "list"]);
    let line = &list[0];
    assert_eq!(
        (&line["name"], &line["vault"], &line["life"], &line["tick"]),
        (&Value::from("rue"), &Value::from("on paper"), &Value::from("alive"), &Value::from(60)),
        "{list}"
    );
    let shown = town.run(&["golem", "list"]);
    assert!(text(&shown.stdout).contains("on paper"), "{}", text(&shown.stdout));
    let status = town.json(&["golem", "status", "rue"]);
    assert_eq!((&status["paper"], &status["chain"]["life"]), (&Value::Bool(true), &Value::from("alive")), "{status}");
    let positions = status["memory"]["hand"]["positions"].as_array().expect("a list");
    assert!(!positions.is_empty(), "it provides: {status}");
    let gas: u128 = status["chain"]["spent_gas_wei"].as_str().expect("wei").parse().expect("a number");
    assert!(gas > 0 && status["chain"]["host_paid_usdc_micros"] == first["host_paid_usdc_micros"], "{status}");
    let words = town.run(&["golem", "status", "rue", "--full"]);
    assert!(
        text(&words.stdout).contains("on paper") && text(&words.stdout).contains("liquidity"),
        "{}",
        text(&words.stdout)
    );
    let trades = town.json(&["golem", "trades", "rue"]);
    let landed = trades.as_array().expect("a list").iter().filter(|trade| trade["result"] == "landed");
    let orders: Vec<&str> = landed.map(|trade| trade["order"].as_str().expect("a word")).collect();
    assert!(orders.contains(&"provide"), "{trades}");
    assert!(trades.as_array().expect("a list").iter().all(|trade| trade["tx"].is_null()), "nothing was sent: {trades}");

    let second = account(&town, "75");
    assert_eq!((number(&first["tick"]), number(&second["tick"])), (60, 75));
    assert!(number(&second["host_paid_usdc_micros"]) > number(&first["host_paid_usdc_micros"]), "{second}");
    let again = town.json(&["golem", "trades", "rue"]);
    assert!(again.as_array().expect("a list").starts_with(trades.as_array().expect("a list")), "what was is kept");
    assert_eq!(town.json(&["memory", "replay", "rue"])["holds"], true);
}

/// P-057, R-013: a life on paper begins in several pools of a chain, as `create --also` has them; it sees all of them, goes on in
/// them without naming them again, and takes no others.
#[test]
fn p_057_a_life_on_paper_begins_in_several_pools() {
    let town = Town::build("40");
    let live = |ticks: &str, more: &[&str]| {
        let begin = ["golem", "paper", "pia", "--ticks", ticks, "--speed", "1000000", "--json"];
        town.run(&[&begin[..], more].concat())
    };
    let refuses = |more: &[&str], words: &str| {
        let said = live("3", more);
        assert!(!said.status.success() && text(&said.stderr).contains(words), "{more:?}: {}", text(&said.stderr));
    };
    refuses(&["--also", "nowhere"], "knows no pool nowhere");
    let book = "# Ember\n\n### dips\n- in: ember-3000\n- when: move(16) < 0%\n- do: hold 50%\n- until: since >= 8\n- expects: +2% within 8\n";
    std::fs::write(town.path("ember.md"), book).expect("written");
    refuses(&["--playbook", "ember.md"], "name it with --also ember-3000");
    let lived = live("3", &["--playbook", "ember.md", "--also", "ember-3000", "--also", "weth-3000"]);
    assert!(lived.status.success(), "what was refused before left nothing behind: {}", text(&lived.stderr));
    let status = town.json(&["golem", "status", "pia"]);
    let names = |pools: &Value, key: &str| -> Vec<String> {
        let pools = pools.as_array().expect("a list").iter();
        pools.map(|pool| pool[key].as_str().expect("a name").to_owned()).collect()
    };
    let expected = ["weth-500", "ember-3000", "weth-3000"];
    assert_eq!(names(&status["chain"]["pools"], "name"), expected, "{status}");
    assert_eq!(names(&status["memory"]["hand"]["pools"], "pool"), expected, "{status}");
    let last = text(&lived.stdout);
    let account: Value = serde_json::from_str(last.lines().last().expect("an account")).expect("JSON");
    assert_eq!(names(&account["paper"]["tokens"], "pool"), ["weth-500", "ember-3000"], "two tokens: {account}");
    assert_eq!(names(&account["paper"]["tokens"], "symbol"), ["WETH", "EMBR"], "{account}");
    let decimals = |token: usize| account["paper"]["tokens"][token]["decimals"].as_u64();
    assert_eq!([0, 1].map(decimals), [Some(18), Some(8)], "each by its own: {account}");

    refuses(&["--also", "ember-3000"], "it lives on paper beside weth-500=");
    let more = live("6", &[]);
    assert!(more.status.success(), "{}", text(&more.stderr));
    assert_eq!(town.json(&["golem", "status", "pia"])["memory"]["tick"], 6);
    assert_eq!(town.json(&["memory", "replay", "pia"])["holds"], true);
}

/// Prices that swing by two percent in forty hours, from one hour to another.
pub(crate) fn hourly(hours: std::ops::Range<u64>) -> String {
    let row = |hour: u64| {
        let swing = (hour as f64 * std::f64::consts::TAU / 40.0).sin();
        format!("{},{:.2},{}\n", 1_700_000_000 + hour * 3_600, 3_000.0 * (1.0 + 0.02 * swing), 500_000 + hour)
    };
    hours.map(row).collect()
}

/// R-014, P-083: a book is lived through prices of the past without a chain: every row is a tick, costs are paid, the same
/// commands tell of it; where the file ends it stops, goes on when there is more, and takes no other file for the same.
#[test]
fn r_014_a_life_on_paper_goes_through_prices_of_the_past() {
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| dir.path().join(name);
    let book = "# Impatient\n\n### again\n- when: move(16) < 0%\n- do: hold 100%\n- until: since >= 8\n- expects: +2% within 8\n";
    std::fs::write(at("mine.md"), book).expect("written");
    let header = "time,price,volume\n";
    std::fs::write(at("eth.csv"), format!("{header}{}", hourly(0..400))).expect("written");
    let live = |file: &str| {
        let begin = ["golem", "paper", "eve", "--playbook", "mine.md", "--credits", "40", "--capital", "1000"];
        run(
            dir.path(),
            &[&begin[..], &["--host-per-tick", "0.02", "--liquidity", "5000000", "--prices", file, "--json"]].concat(),
        )
    };
    let told = |args: &[&str]| {
        let said = does(dir.path(), &[args, &["--json"]].concat());
        serde_json::from_slice::<Value>(&said.stdout).expect("JSON")
    };
    let lived = live("eth.csv");
    assert!(lived.status.success(), "{}", text(&lived.stderr));
    let account = text(&lived.stdout);
    let account: Value = serde_json::from_str(account.lines().last().expect("an account")).expect("JSON");
    let number = |name: &str| account["paper"][name].as_u64().unwrap_or_else(|| panic!("{name}: {account}"));
    assert!((390..=400).contains(&number("tick")), "a row is a tick: {account}");
    assert!(number("gas_usdc_micros") > 0 && number("host_paid_usdc_micros") > 0, "{account}");
    let trades = told(&["golem", "trades", "eve"]);
    let orders: Vec<&str> =
        trades.as_array().expect("a list").iter().filter_map(|trade| trade["order"].as_str()).collect();
    assert!(orders.contains(&"buy") && orders.contains(&"sell"), "{trades}");
    assert_eq!(told(&["golem", "list"])[0]["vault"], "on paper");
    assert_eq!(told(&["memory", "replay", "eve"])["holds"], true);
    // At its end; then with more rows; then with a file that is another.
    let ended = live("eth.csv");
    assert!(!ended.status.success() && text(&ended.stderr).contains("lived through all"), "{}", text(&ended.stderr));
    std::fs::write(at("eth.csv"), format!("{header}{}", hourly(0..450))).expect("written");
    let more = live("eth.csv");
    assert!(more.status.success(), "{}", text(&more.stderr));
    assert!(told(&["golem", "status", "eve"])["memory"]["tick"].as_u64() > Some(440), "it went on");
    std::fs::write(at("other.csv"), format!("{header}{}", hourly(7..450))).expect("written");
    let other = live("other.csv");
    assert!(!other.status.success() && text(&other.stderr).contains("another market"), "{}", text(&other.stderr));
    std::fs::write(at("none.csv"), "time,volume\n1,2\n").expect("written");
    assert!(text(&live("none.csv").stderr).contains("no header names a price"));
}

/// P-057, R-014: a life on paper goes through a file of prices for each of its pools: it trades in each by the rules that speak of
/// it, at the fee of that pool and at times that all files have, with one vault and every token told; and goes on with the same
/// files alone.
#[test]
fn p_057_a_life_on_paper_goes_through_prices_of_several_pools() {
    let dir = tempfile::tempdir().expect("a folder");
    let rule = |name: &str, pool: &str| {
        format!(
            "### {name}\n- in: {pool}\n- when: move(16) < 0%\n- do: hold 40%\n- until: since >= 8\n- expects: +8% within 8\n\n"
        )
    };
    let book = format!("# Two pools\n\n{}{}", rule("ether", "weth-500"), rule("coals", "ember-3000"));
    std::fs::write(dir.path().join("mine.md"), book).expect("written");
    let write = |name: &str, hours: std::ops::Range<u64>, price: f64, period: f64| {
        let row = |hour: u64| {
            let swing = (hour as f64 * std::f64::consts::TAU / period).sin();
            format!("{},{:.4},{}\n", 1_700_000_000 + hour * 3_600, price * (1.0 + 0.05 * swing), 500_000)
        };
        let rows: String = hours.map(row).collect();
        std::fs::write(dir.path().join(name), format!("time,price,volume\n{rows}")).expect("written");
    };
    write("eth.csv", 0..400, 3_000.0, 40.0);
    write("ember.csv", 10..420, 200.0, 30.0);
    let live = |files: &[&str]| {
        let begin = ["golem", "paper", "eve", "--playbook", "mine.md", "--credits", "60", "--capital", "1000"];
        let more = ["--host-per-tick", "0.02", "--liquidity", "5000000", "--json"];
        let is_given = files.iter().any(|file| file.starts_with("ember-3000="));
        let fee: &[&str] = if is_given { &["--fee", "ember-3000=0.3%"] } else { &[] };
        let files: Vec<&str> = files.iter().flat_map(|file| ["--prices", *file]).collect();
        run(dir.path(), &[&begin[..], &more[..], fee, &files].concat())
    };
    let told = |args: &[&str]| {
        let said = does(dir.path(), &[args, &["--json"]].concat());
        serde_json::from_slice::<Value>(&said.stdout).expect("JSON")
    };
    let refuses = |files: &[&str], words: &str| {
        let said = live(files);
        assert!(!said.status.success() && text(&said.stderr).contains(words), "{files:?}: {}", text(&said.stderr));
    };
    refuses(&["weth-500=eth.csv"], "name it with --prices ember-3000=FILE.csv");
    refuses(&["eth.csv", "ember.csv"], "each needs a name");
    let both = ["weth-500=eth.csv", "ember-3000=ember.csv"];
    let lived = live(&both);
    assert!(lived.status.success(), "{}", text(&lived.stderr));
    let said = text(&lived.stdout);
    let account: Value = serde_json::from_str(said.lines().last().expect("an account")).expect("JSON");
    let paper = &account["paper"];
    assert!((380..=390).contains(&paper["tick"].as_u64().expect("a tick")), "rows 10 to 399 are in both: {account}");
    let tokens = paper["tokens"].as_array().expect("a list");
    assert_eq!(tokens.iter().map(|token| &token["pool"]).collect::<Vec<_>>(), ["weth-500", "ember-3000"], "{account}");
    let micros = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value} is no amount: {account}"));
    let worth =
        tokens.iter().fold(micros(&paper["idle_usdc_micros"]), |sum, token| sum + micros(&token["worth_usdc_micros"]));
    assert!(worth.abs_diff(micros(&paper["worth_usdc_micros"])) <= 2, "all of it is told: {account}");

    let trades = told(&["golem", "trades", "eve"]);
    for pool in ["weth-500", "ember-3000"] {
        let of_pool = trades.as_array().expect("a list").iter().filter(|trade| trade["pool"] == pool);
        let landed: Vec<&Value> = of_pool.filter(|trade| trade["result"] == "landed").collect();
        for order in ["buy", "sell"] {
            assert!(landed.iter().any(|trade| trade["order"] == order), "{order} in {pool}: {trades}");
        }
    }
    let status = told(&["golem", "status", "eve"]);
    assert_eq!(status["chain"]["pools"].as_array().map(Vec::len), Some(2), "{status}");
    assert_eq!(status["chain"]["tokens"].as_array().map(Vec::len), Some(2), "{status}");
    assert_eq!(told(&["memory", "replay", "eve"])["holds"], true);

    refuses(&["weth-500=eth.csv"], "another market");
    refuses(&both, "lived through all");
    write("eth.csv", 0..420, 3_000.0, 40.0);
    let more = live(&both);
    assert!(more.status.success(), "{}", text(&more.stderr));
    assert!(told(&["golem", "status", "eve"])["memory"]["tick"].as_u64() > Some(395), "it went on");
}

/// R-025, P-057: there and back again, also on another machine and with its owner's word about its pools; damaged and foreign
/// copies are refused.
fn saves(town: &Town) {
    std::fs::write(town.path(".bardo/golems/ada/pools.json"), "[]").expect("written");
    let before = town.json(&["memory", "replay", "ada"])["hash"].clone();
    let snapshot = town.json(&["memory", "snapshot", "ada"])["file"].as_str().expect("a file").to_owned();
    let restored = town.json(&["memory", "restore", "ada", "--from", &snapshot]);
    assert!(restored["replaced"].is_string(), "{restored}");
    assert_eq!(town.json(&["memory", "replay", "ada"])["hash"], before);
    town.refuses(&["memory", "restore", "ada", "--from", "password"], &["password"]);
    town.json(&["memory", "export", "ada", "ada.sqlite"]);
    town.refuses(&["memory", "export", "ada", "ada.sqlite"], &["already there"]);
    town.refuses(
        &["memory", "import", "ada.sqlite", "--key", ".bardo/golems/ada/key.json"],
        &["already a Golem named ada"],
    );
    let elsewhere = ["--home", "elsewhere"];
    let key = ["--key", ".bardo/golems/ada/key.json"];
    town.json(&[&["memory", "import", "ada.sqlite"], &elsewhere[..], &key[..]].concat());
    assert_eq!(town.json(&[&["memory", "replay", "ada"], &elsewhere[..]].concat())["hash"], before);
    let said = std::fs::read_to_string(town.path("elsewhere/golems/ada/pools.json")).expect("it came along");
    assert_eq!(said, "[]");
    let mut bytes = std::fs::read(town.path("ada.sqlite")).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(town.path("ada.sqlite"), bytes).expect("damaged");
    town.refuses(&["memory", "import", "ada.sqlite", "--as", "eve"], &["damaged"]);
}

/// O-006: exit codes for cron.
fn watches(town: &Town) {
    let low = town.run(&["watchdog", "ada", "--once", "--json", "--low-gas-beats", "4000000000"]);
    assert_eq!(low.status.code(), Some(3));
    let line: Value = serde_json::from_slice(&low.stdout).expect("JSON");
    assert_eq!(line["wrong"], serde_json::json!(["low_gas"]), "{line}");
    let silent = town.run(&["watchdog", "--agent", "0", "--once", "--json", "--missed-beat", "1s"]);
    assert_eq!(silent.status.code(), Some(3));
    assert!(text(&silent.stdout).contains("missed_beat"));
    let blind = town.run(&["watchdog", "ada", "--once", "--json", "--chain-dir", "nowhere"]);
    assert_eq!(blind.status.code(), Some(3));
    assert!(text(&blind.stdout).contains("blind"), "{}", text(&blind.stdout));
    town.refuses(&["watchdog", "--home", "nowhere", "--once"], &["nobody to watch"]);
    let report = town.run(&["doctor", "--report"]);
    assert!(
        !text(&report.stdout).contains("s3cr3t") && !text(&report.stdout).contains("token=hidden"),
        "{}",
        text(&report.stdout)
    );
    assert!(text(&report.stdout).contains("ada: memory"));
}

/// T-001, O-005: a kill by a plain transaction is seen, died of, settled, told and proved; a changed testament is not
/// believed.
fn dies(town: &Town, vault: &str) {
    town.cast_send("owner", vault, "kill(string)", &["it was time"]);
    // Somebody's business brings the block that takes it.
    town.json(&["golem", "fund", "ada", "--gas", "0.0001"]);
    let status = town.json(&["golem", "status", "ada"]);
    assert_eq!((&status["chain"]["life"], &status["memory"]["life"]), (&Value::from("dying"), &Value::from("alive")));
    town.does(&[&RUN[..], &["--json"]].concat());
    let status = town.json(&["golem", "status", "ada"]);
    assert_eq!(
        (&status["chain"]["life"], &status["memory"]["life"]),
        (&Value::from("dead"), &Value::from("dead")),
        "{status}"
    );
    // Retiring it also brings the blocks that confirm its death.
    town.json(&["grave", "retire", "ada"]);
    let graves = town.json(&["grave", "list"]);
    assert_eq!(
        (&graves[0]["name"], &graves[0]["reason"]),
        (&Value::from("ada"), &Value::from("it was time")),
        "{graves}"
    );
    let testament = town.run(&["grave", "testament", "ada"]);
    assert!(
        testament.status.success() && text(&testament.stdout).contains("the same hash"),
        "{}",
        text(&testament.stdout)
    );
    let verified = town.json(&["memory", "verify", "ada"]);
    assert_eq!(verified["holds"], true, "{verified}");
    let path = town.path(".bardo/golems/ada/testament.json");
    let mut bytes = std::fs::read(&path).expect("there");
    bytes.push(b' ');
    std::fs::write(&path, bytes).expect("changed");
    let doubted = town.run(&["line", "lineage", "ada", "--verify"]);
    assert_eq!(doubted.status.code(), Some(1));
    assert!(text(&doubted.stdout).contains("✗"), "{}", text(&doubted.stdout));
}
