//! Golems that are fed and that sell, on a real chain with a real facilitator, to the field's own client.

use std::fs::File;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use golem_devnet::{Accounts, find_tool};
use golem_primitives::{Usdc, UtcTime};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::Value;
use tokio::runtime::Runtime;
use x402_chain_eip155::V2Eip155ExactClient;
use x402_reqwest::{ReqwestWithPayments as _, ReqwestWithPaymentsBuild as _, X402Client};
use x402_types::util::Base64Bytes;

use crate::bardo::{Beside, run, signal, text, wait_for, words};
use crate::market::sells_a_set;
use crate::town::Town;

/// A Golem's stall, and those who come to it.
pub(crate) struct Market<'a> {
    pub(crate) town: &'a Town,
    port: u16,
    tokio: Runtime,
}

impl<'a> Market<'a> {
    fn at(town: &'a Town) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
        let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { town, port: free.port(), tokio }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What the owner of ada writes into her golem.toml.
    fn choose(&self, facilitator: &str, golem: &str) {
        let toml = format!(
            "[golem]\n{golem}\n[embedder]\nkind = \"none\"\n[feed]\nlisten = \"127.0.0.1:{}\"\nfacilitator = \"{facilitator}\"\nprices = {{ feed = [1, 500], insights = 0.05, bundle = 0.25 }}\n",
            self.port
        );
        std::fs::write(self.town.path(".bardo/golems/ada/golem.toml"), toml).expect("written");
    }

    /// Ada's life in another process; what it says on standard error goes to `told`.
    fn live(&self) -> Beside {
        let told = File::create(self.town.path("told")).expect("a file");
        let mut life = self.town.bardo(&["golem", "run", "ada", "--metrics", "127.0.0.1:0"]);
        let life = Beside(life.stdout(Stdio::null()).stderr(told).spawn().expect("starts"));
        wait_for("the stall opens", || self.told().contains("takes a feed at").then_some(()));
        life
    }

    fn told(&self) -> String {
        std::fs::read_to_string(self.town.path("told")).unwrap_or_default()
    }

    fn is_open(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok()
    }

    fn get(&self, url: &str) -> (StatusCode, String) {
        self.tokio.block_on(async {
            let said = Client::new().get(url).send().await.expect("answered");
            (said.status(), said.text().await.expect("whole"))
        })
    }

    /// A stranger pays whatever is asked, as any x402 client does.
    fn pay(&self, method: Method, path: &str) -> Response {
        let signer = Arc::new(Accounts::default().strangers[2].signer());
        let client = Client::new().with_payments(X402Client::new().register(V2Eip155ExactClient::new(signer))).build();
        self.tokio.block_on(client.request(method, self.url(path)).send()).expect("answered")
    }

    pub(crate) fn status(&self) -> Value {
        self.town.json(&["golem", "status", "ada"])
    }

    fn finding(&self, subject: &str) -> Value {
        let said = self.town.run(&["doctor", "--json"]);
        let findings: Vec<Value> = serde_json::from_slice(&said.stdout).expect("JSON");
        findings.into_iter().find(|finding| finding["what"] == subject).unwrap_or_else(|| panic!("no {subject}"))
    }
}

pub(crate) fn usdc(value: &Value) -> Usdc {
    Usdc::from_micros(value.as_u64().unwrap_or_else(|| panic!("no amount: {value}")))
}

fn credits(status: &Value) -> u64 {
    ["llm", "gas", "data", "legacy"]
        .iter()
        .map(|part| usdc(&status["chain"]["credits_usdc_micros"][part]).micros())
        .sum()
}

/// R-034, V-005, M-047, L-012: a stranger feeds a running Golem; its vault and its projected life grow; the registration
/// file says where; once it is killed the stall is closed, and a dead one does not open it again.
#[test]
fn r_034_a_running_golem_is_fed_by_a_stranger_and_a_dead_one_refuses() {
    let town = Town::with(&["--facilitator", "--seed", "7", "--block-seconds", "1"]);
    let facilitator = town.chain()["facilitator"].as_str().expect("announced").to_owned();
    let host = town.account("stranger 1", "address");
    let create = format!("golem create ada --credits 50 --gas 0.01 --host {host} --host-per-tick 0.01");
    town.json(&words(&create));
    let market = Market::at(&town);
    market.choose(&facilitator, "tick_seconds = 2");
    let mut life = market.live();
    let before = wait_for("a projected life", || {
        let status = market.status();
        (status["memory"]["clocks"]["credits_last_ticks"].as_u64().is_some()
            && status["memory"]["tick"].as_u64() >= Some(3))
        .then_some(status)
    });
    fed(&market, &before);
    advertised(&market);
    refuses_when_dead(&market, &mut life.0);
}

fn fed(market: &Market<'_>, before: &Value) {
    for page in ["/health", "/?lang=en"] {
        assert_eq!(market.get(&market.url(page)).0, StatusCode::OK, "{page}");
    }
    let (status, said) = market.get(&market.url("/insights"));
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "it has learnt nothing yet: {said}");
    assert_eq!(market.pay(Method::POST, "/feed?amount=100").status(), StatusCode::OK);
    let last = |status: &Value| status["memory"]["clocks"]["credits_last_ticks"].as_u64();
    let spendable = |status: &Value| usdc(&status["memory"]["credits_usdc_micros"]["spendable"]);
    let after = wait_for("the feed is allocated and felt", || {
        let status = market.status();
        (spendable(&status) > spendable(before).saturating_add(Usdc::whole(90))).then_some(status)
    });
    assert!(credits(&after) > credits(before) + 90_000_000, "{after}");
    assert!(last(&after) > last(before).map(|ticks| ticks * 2), "{:?} {:?}", last(before), last(&after));
    assert_eq!(after["feed"]["sold"]["feed"]["count"], 1, "{}", after["feed"]);
    assert_eq!(after["feed"]["prices_usdc_micros"]["insights"], 50_000, "{}", after["feed"]);
    let told = market.told();
    let metrics = told.lines().find_map(|line| line.strip_prefix("metrics at ")).expect("metrics are served");
    let (_, counts) = market.get(metrics);
    for (name, value) in [("golem_sales_total{", "1"), ("golem_income_usdc_total{", "100.0")] {
        let line = counts.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {counts}"));
        assert!(line.ends_with(&format!("{{golem=\"ada\",good=\"feed\"}} {value}")), "{line}");
    }
    assert!(told.contains("fed with"), "{told}");
}

fn advertised(market: &Market<'_>) {
    let at = market.url("");
    assert_eq!(market.status()["chain"]["x402"], Value::Null);
    let told = market.town.json(&["owner", "advertise", "ada"]);
    assert_eq!((&told["x402_support"], &told["endpoint"]), (&Value::from(true), &Value::from(at.as_str())));
    assert_eq!(market.status()["chain"]["x402"], at.as_str());
    let file = registration(market.town);
    assert_eq!(file["x402Support"], true, "{file}");
    let card = serde_json::json!([{ "name": "A2A", "endpoint": format!("{at}/.well-known/agent-card.json"), "version": "1.0" }]);
    assert_eq!((&file["golem"]["x402"], &file["services"]), (&Value::from(at.as_str()), &card));
    assert!(file["golem"]["vault"].is_string() && file["active"] == true, "the rest stays: {file}");
    for subject in ["ada: facilitator", "ada: feed", "ada: registration"] {
        let finding = market.finding(subject);
        assert_eq!(finding["ok"], true, "{finding}");
    }
    assert_eq!(market.town.json(&["owner", "advertise", "ada", "--off"])["x402_support"], false);
    assert_eq!(market.status()["chain"]["x402"], Value::Null);
}

/// The registration file of agent 0 as anybody reads it.
fn registration(town: &Town) -> Value {
    let cast = find_tool("cast").expect("set up").path;
    let asked = ["call", "--rpc-url", town.url(), &town.part("identity_registry"), "tokenURI(uint256)(string)", "0"];
    let said = Command::new(cast).args(asked).output().expect("runs");
    let said = text(&said.stdout);
    let packed = said.trim().trim_matches('"').strip_prefix("data:application/json;base64,").expect("carried");
    let json = Base64Bytes::from(packed.as_bytes()).decode().expect("base64");
    serde_json::from_slice(&json).expect("JSON")
}

fn refuses_when_dead(market: &Market<'_>, life: &mut Child) {
    market.town.json(&["golem", "kill", "ada", "--reason", "of a test", "--yes"]);
    wait_for("the stall closes", || (!market.is_open()).then_some(()));
    assert!(life.try_wait().expect("watched").is_none(), "it closes when the dying begins, not when it is over");
    assert!(life.wait().expect("ended").success(), "{}", market.told());
    assert_eq!(market.status()["chain"]["life"], "dead");
    let again = market.town.run(&["golem", "run", "ada"]);
    assert!(text(&again.stderr).contains("takes and sells nothing"), "{}", text(&again.stderr));
    assert!(!market.is_open());
    market.town.refuses(&["owner", "advertise", "ada"], &["ada is dead"]);
}

/// R-034, G-120, G-172, G-177, I-240: what a Golem has learnt by living is sold to a stranger, by itself and as a set of its
/// owner's library, and to nobody while no facilitator answers; neither that nor a taken port disturbs the life.
#[test]
fn r_034_what_a_golem_has_learnt_is_sold_and_its_life_goes_on_without_a_facilitator() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    let genesis = UtcTime::from_seconds(now - 20_000).to_string();
    let chain = ["--genesis", &genesis, "--seed", "7", "--block-seconds", "2"];
    let mut town = Town::with(&[&chain[..], &["--paced"]].concat());
    town.json(&["golem", "create", "ada", "--credits", "50", "--capital", "1000", "--gas", "0.02"]);
    lives_unpaid(&town);
    assert!(run(&town.path(""), &["chain", "down"]).status.success());
    town.raise(&[&chain[..], &["--resume", "--facilitator"]].concat());
    let facilitator = town.chain()["facilitator"].as_str().expect("announced").to_owned();
    let market = Market::at(&town);
    market.choose(&facilitator, "");
    let mut life = market.live();
    sells(&market);
    sells_a_set(&market);
    signal(u64::from(life.0.id()), "-INT");
    life.0.wait().expect("ended");
    assert!(!market.is_open(), "closed with the life");
}

/// Learns by living, with a facilitator that is not there, then with a port that is taken.
fn lives_unpaid(town: &Town) {
    let market = Market::at(town);
    market.choose("http://127.0.0.1:9", "tick_seconds = 4");
    let lived = town.run(&["golem", "run", "ada", "--speed", "1000000", "--ticks", "160"]);
    let told = text(&lived.stderr);
    assert!(lived.status.success() && told.contains("cannot be paid yet"), "{told}");
    let sick = market.finding("ada: facilitator");
    assert_eq!(sick["ok"], false, "{sick}");
    let taken = TcpListener::bind(("127.0.0.1", market.port)).expect("it was let go");
    let lived = town.run(&["golem", "run", "ada", "--speed", "1000000", "--ticks", "200"]);
    let told = text(&lived.stderr);
    assert!(lived.status.success() && told.contains("takes no feed") && told.contains("feed.listen"), "{told}");
    drop(taken);
}

fn sells(market: &Market<'_>) {
    let sold = market.pay(Method::GET, "/insights");
    assert_eq!(sold.status(), StatusCode::OK);
    let insights = market.tokio.block_on(sold.text()).expect("whole");
    let lines: Vec<Value> = insights.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let entries = &lines[1..lines.len() - 1];
    assert_eq!((lines[0]["format"].as_str(), lines[0]["version"].as_u64()), (Some("bardo-grimoire"), Some(1)));
    assert!(!entries.is_empty(), "{insights}");
    for entry in entries {
        let known = market.town.json(&["mind", "grimoire", "show", "ada", entry["id"].as_str().expect("an id")]);
        let known = &known["entry"];
        assert_eq!((&known["kind"], &known["status"]), (&Value::from("insight"), &Value::from("active")), "{known}");
        assert_eq!(known["provenance"], "self");
        let worth = known["confidence_ppm"].as_f64().expect("a share") / 1e6;
        assert!(worth >= 0.6, "{known}");
    }
    let sold = market.pay(Method::GET, "/bundle");
    assert_eq!(sold.status(), StatusCode::OK);
    let bundle = market.tokio.block_on(sold.text()).expect("whole");
    let (head, rest) = bundle.split_once('\n').expect("lines");
    let head: Value = serde_json::from_str(head).expect("JSON");
    assert_eq!(head["format"], "bardo-bundle");
    assert!(rest.lines().count() >= insights.lines().count() && !bundle.contains("\"episode\""), "{bundle}");
    // What was sold is an export another Golem can be offered.
    std::fs::write(market.town.path("sold.jsonl"), rest).expect("written");
    market.town.refuses(&["mind", "grimoire", "import", "ada", "sold.jsonl"], &["stop it first"]);
    let status = market.status();
    assert_eq!(status["feed"]["sold"]["insights"]["count"], 1, "{}", status["feed"]);
    assert_eq!(usdc(&status["chain"]["unallocated_usdc_micros"]), Usdc::from_micros(300_000), "paid into the vault");
}
