//! The page's server as a browser asks it: the real program before real lives.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::bardo::{command, run};
use crate::town::Town;
use crate::watching::paper;

/// `bardo web` on a free port; goes down with the test.
struct Page {
    child: Child,
    at: String,
    token: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page {
    fn serve(mut web: Command) -> Self {
        let mut child = web
            .args(["web", "--port", "0", "--json"])
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .expect("starts");
        let mut said = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut said).expect("it says where");
        let told: Value = serde_json::from_str(&said).expect("JSON");
        let address = told["address"].as_str().expect("an address").strip_prefix("http://").expect("http");
        let (at, token) = address.split_once("/#").expect("a token");
        Self { child, at: at.to_owned(), token: token.to_owned() }
    }

    /// Asks as the page does; answers the status and what was told.
    fn ask(&self, first: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.at).expect("connects");
        let text = format!(
            "{first} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\ncontent-type: \
             application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.at,
            self.token,
            body.len()
        );
        stream.write_all(text.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        let (_, told) = answer.split_once("\r\n\r\n").expect("a body");
        (status, serde_json::from_str(told).unwrap_or_else(|error| panic!("{first}: {error}: {told}")))
    }

    fn get(&self, path: &str) -> Value {
        let (status, told) = self.ask(&format!("GET /api/{path}"), "");
        assert_eq!(status, 200, "{path}: {told}");
        told
    }
}

/// O-011: every page tells a life as the commands of that name tell it.
#[test]
fn o_011_every_page_tells_what_the_commands_tell() {
    let dir = tempfile::tempdir().expect("a folder");
    paper(dir.path(), 160, "40", "0.02");
    let page = Page::serve(command(dir.path()));
    let said = |words: &[&str]| -> Value {
        let said = run(dir.path(), &[words, &["--json"]].concat());
        serde_json::from_slice(&said.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}"))
    };
    let (status, portrait) = (said(&["golem", "status", "eve"]), page.get("golems/eve/portrait"));
    assert_eq!(portrait["life"], status["memory"]);
    assert_eq!((&portrait["paper"], &portrait["place"]), (&true.into(), &"on paper".into()));
    assert_eq!(page.get("golems/eve/chain")["status"], status["chain"]);
    let fleet = page.get("fleet");
    assert_eq!((&fleet["golems"][0]["name"], &fleet["golems"][0]["tick"]), (&"eve".into(), &status["memory"]["tick"]));

    let mut trades = said(&["golem", "trades", "eve"]).as_array().cloned().expect("a list");
    trades.reverse();
    assert!(!trades.is_empty());
    assert_eq!(page.get("golems/eve/trades"), Value::Array(trades.clone()));
    assert_eq!(page.get("golems/eve/market")["trades"], Value::Array(trades));
    assert_eq!(
        page.get("golems/eve/market")["sensed"],
        Value::Array(Vec::new()),
        "O-012: on paper nobody leaves signs"
    );
    assert_eq!(page.get("golems/eve/clade")["siblings"], Value::Array(Vec::new()));
    assert_eq!(page.get("golems/eve/why?tick=90"), said(&["golem", "why", "eve", "90"]));
    assert_eq!(page.get("golems/eve/mind")["mood"], said(&["mind", "mood", "eve"]));
    assert_eq!(page.get("golems/eve/mind")["suffering"], said(&["mind", "suffering", "eve"]));
    assert_eq!(page.get("golems/eve/grimoire"), said(&["mind", "grimoire", "list", "eve"]));
    assert_eq!(page.get("golems/eve/dreams")["dreaming"], said(&["mind", "dream", "status", "eve"]));

    let book = page.get("golems/eve/playbook");
    assert_eq!(book["book"], said(&["golem", "playbook", "show", "eve"]));
    let (rule, curve) = (&book["book"]["rules"][0], &book["curves"][0]["evidence_micros"]["last"]);
    let last = curve.as_array().and_then(|places| places.last()).and_then(Value::as_f64).expect("a curve") / 1e6;
    let now = rule["evidence"].as_f64().expect("a number");
    assert!((last - now).abs() < 1e-5, "lived again it comes to the same: {last} and {now}");
    assert_eq!(book["steps"][0]["rule"], "again", "{book}");

    let history = page.get("golems/eve/history");
    let tick = status["memory"]["tick"].as_u64().expect("a tick");
    for key in ["vitality_ppm", "equity_usdc_micros", "price_usdc_micros", "time_seconds"] {
        let places = |part: &str| history[key][part].as_array().cloned().unwrap_or_else(|| panic!("{key} {part}"));
        assert_eq!(places("from_tick").len(), places("last").len(), "{key}");
        // It looks first and ages behind: the newest look may be of a tick that is not lived to its end.
        let newest = places("from_tick").last().and_then(Value::as_u64).expect("a place");
        assert!((tick..=tick + 1).contains(&newest), "{key} ends at {newest} of {tick}");
    }
    assert_eq!(history["phases"].as_array().and_then(|all| all.last()).map(|last| &last["to"]), Some(&tick.into()));
    let worth = history["equity_usdc_micros"]["last"].as_array().and_then(|all| all.last()).cloned();
    assert_eq!(worth, Some(status["memory"]["holding"]["equity_usdc_micros"].clone()));

    let claims = page.get("golems/eve/claims");
    let judged = claims["claims"].as_array().expect("a list");
    assert!(judged.iter().any(|claim| claim["about"] == "price_move" && claim["came"].is_number()), "{claims}");
    let costs = page.get("golems/eve/costs");
    assert_eq!(costs["profit"], status["memory"]["hand"]["profit"]);
    assert_eq!(page.get("golems/eve/lineage")["members"], Value::Array(Vec::new()), "who lives on paper has no line");
}

/// O-011: who or what is not there is told in words, and never as something else.
#[test]
fn o_011_what_is_not_there_is_told_in_words() {
    let dir = tempfile::tempdir().expect("a folder");
    paper(dir.path(), 40, "40", "0.02");
    let page = Page::serve(command(dir.path()));
    let from = "0x1111111111111111111111111111111111111111";
    let kill = format!(r#"{{"act":"kill","from":"{from}","reason":"enough"}}"#);
    for (first, body, status, words) in [
        ("GET /api/golems/nobody/portrait", "", 404, "no Golem"),
        ("GET /api/golems/..%2f..%2fetc/portrait", "", 404, "no Golem"),
        ("GET /api/golems/eve/why?tick=99999", "", 404, "has lived ticks"),
        ("GET /api/golems/eve/entries/0192", "", 404, "no entry"),
        ("GET /api/golems/eve/grimoire?status=lost", "", 422, "none of"),
        ("GET /api/golems/eve/explorer", "", 422, "lives on paper"),
        ("POST /api/golems/eve/acts", kill.as_str(), 422, "lives on paper"),
    ] {
        let (code, told) = page.ask(first, body);
        assert_eq!(code, status, "{first}: {told}");
        assert!(told["error"].as_str().is_some_and(|error| error.contains(words)), "{first}: {told}");
    }
}

/// O-011, O-013: a chain is explored by name, and an owner's act is prepared as his own wallet will sign it: tried as his account,
/// refused for anybody else, and what is then sent lands.
#[test]
fn o_013_a_chain_is_explored_and_an_act_prepared() {
    let town = Town::build("40");
    town.json(&["golem", "create", "ada", "--credits", "50", "--capital", "500", "--gas", "0.02"]);
    let page = Page::serve(town.bardo(&[]));
    let explorer = page.get("golems/ada/explorer");
    assert_eq!((&explorer["chain"], &explorer["link"]), (&"local L2".into(), &Value::Null));
    let born = explorer["said"].as_array().and_then(|said| said.iter().find(|event| event["said"]["name"] == "Born"));
    let born = born.unwrap_or_else(|| panic!("no birth: {explorer}"));
    assert_eq!(born["by"]["name"], "lineage registry");
    let tx = page.get(&format!("golems/ada/transactions/{}", born["tx"].as_str().expect("a hash")));
    assert_eq!((&tx["call"]["name"], &tx["succeeded"]), (&"birth".into(), &true.into()), "{tx}");
    let block = page.get(&format!("golems/ada/blocks/{}", born["block"]));
    assert!(
        block["transactions"].as_array().is_some_and(|all| all.iter().any(|one| one["hash"] == tx["hash"])),
        "{block}"
    );
    assert_eq!(page.get("golems/ada/chain")["profile"]["name"], "ada");
    assert_eq!(page.get("golems/ada/chronicle?verify=true")["holds"], true);

    let act = |role: &str, more: &str| {
        page.ask("POST /api/golems/ada/acts", &format!(r#"{{"from":"{}",{more}}}"#, town.account(role, "address")))
    };
    let (status, told) = act("stranger 1", r#""act":"kill","reason":"mine now""#);
    assert_eq!(status, 422, "{told}");
    let (status, told) = act("owner", r#""act":"kill","reason":"  ""#);
    assert!(status == 422 && told["error"].as_str().is_some_and(|error| error.contains("a reason")), "{told}");
    let (status, told) = act("owner", r#""act":"fund","amount":"25""#);
    let names: Vec<&str> = told["transactions"]
        .as_array()
        .map_or_else(Vec::new, |all| all.iter().filter_map(|one| one["call"]["name"].as_str()).collect());
    assert_eq!((status, names), (200, vec!["approve", "topUp"]), "{told}");
    let (status, told) = act("owner", r#""act":"kill","reason":"from the page""#);
    assert_eq!((status, &told["transactions"][0]["call"]["name"]), (200, &"kill".into()), "{told}");
    let (to, data) = (told["transactions"][0]["to"].as_str(), told["transactions"][0]["data"].as_str());
    town.cast(&["send", "--private-key", &town.account("owner", "key"), to.expect("a vault"), data.expect("a call")]);
    assert_eq!(page.get("golems/ada/chain")["status"]["life"], "dying");
}
