//! I-230 to I-234, I-240, R-033: one owner sells a set of his library, another buys it over x402 with a real facilitator, and
//! those who stand between them get nothing by it.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::bardo::{text, wait_for};
use crate::feeding::{Market, usdc};
use crate::town::Town;

const HOME: [&str; 2] = ["--home", ".other"];
const WALLET: [&str; 2] = ["--devnet-account", "stranger 4"];

/// Somebody between a stall and its buyers, who changes the listing or the goods.
struct Between {
    url: String,
    end: Option<oneshot::Sender<()>>,
}

type Change = fn(String) -> String;

#[derive(Clone)]
struct Way {
    stall: String,
    listing: Change,
    goods: Change,
}

impl Drop for Between {
    fn drop(&mut self) {
        let _ = self.end.take().map(|end| end.send(()));
    }
}

impl Between {
    fn open(stall: String, listing: Change, goods: Change) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address: SocketAddr = listener.local_addr().expect("an address");
        listener.set_nonblocking(true).expect("a socket");
        let (end, ended) = oneshot::channel::<()>();
        let routes = Router::new().fallback(pass_on).with_state(Way { stall, listing, goods });
        std::thread::spawn(move || {
            let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            tokio.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a socket");
                let serving = axum::serve(listener, routes).with_graceful_shutdown(async {
                    let _ = ended.await;
                });
                serving.await.expect("serves");
            });
        });
        Self { url: format!("http://{address}"), end: Some(end) }
    }
}

async fn pass_on(
    State(way): State<Way>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> (StatusCode, HeaderMap, Bytes) {
    let mut asking = reqwest::Client::new().get(format!("{}{uri}", way.stall));
    if let Some(payment) = headers.get("payment-signature") {
        asking = asking.header("payment-signature", payment);
    }
    let answer = asking.send().await.expect("answered");
    let status = answer.status();
    let mut told = HeaderMap::new();
    for name in ["payment-required", "payment-response", "content-type"] {
        if let Some(value) = answer.headers().get(name) {
            told.insert(name, value.clone());
        }
    }
    let body = answer.text().await.expect("whole");
    let change = if uri.path() == "/library" { way.listing } else { way.goods };
    let body = if status == StatusCode::OK { change(body) } else { body };
    (status, told, body.into())
}

fn as_it_is(body: String) -> String {
    body
}

fn edited(body: &str, edit: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(body).expect("JSON");
    edit(&mut value);
    value.to_string()
}

fn buy<'a>(url: &'a str, at_most: &'a str) -> Vec<&'a str> {
    [&["grave", "library", "buy", url, "calm", "--at-most", at_most, "--yes"][..], &HOME, &WALLET].concat()
}

/// Ada's owner publishes what she proved; a second owner sees the evidence for nothing, pays once, and has it as a stranger's.
pub(crate) fn sells_a_set(market: &Market<'_>) {
    let town = market.town;
    let stall = market.url("");
    let exported = town.json(&["grave", "library", "export", "ada"]);
    let kept: Vec<&str> =
        exported.as_array().expect("a list").iter().filter_map(|line| line["entry"].as_str()).collect();
    assert!(!kept.is_empty(), "{exported}");
    let bundle = ["grave", "library", "bundle", "create", "calm", "--purpose", "for quiet markets"];
    town.json(&[&bundle[..], &kept].concat());
    let sold = town.json(&["grave", "library", "publish", "calm", "--on", "ada", "--price", "0.05"]);
    assert_eq!(
        (&sold["price_usdc_micros"], sold["entries"].as_u64()),
        (&json!(50_000), Some(kept.len() as u64)),
        "{sold}"
    );
    let listed = wait_for("the set is listed", || {
        let listed = town.json(&["grave", "library", "market", &stall]);
        listed[0].is_object().then_some(listed)
    });
    let (ada, evidence) =
        (market.status()["vault"].as_str().expect("a vault").to_lowercase(), &listed[0]["entries"][0]);
    assert_eq!((&listed[0]["name"], &listed[0]["hash"]), (&json!("calm"), &sold["hash"]), "{listed}");
    assert_eq!((&evidence["origin"], &evidence["origin_generation"]), (&json!(ada), &json!(0)), "I-232: {evidence}");
    assert!(evidence["confidence_ppm"].as_u64() >= Some(500_000) && evidence["trials"].is_u64(), "{evidence}");
    let says = exported[0]["says"].as_str().expect("text");
    assert!(!listed.to_string().contains(says), "the words are what is sold");
    strangers_between(market, &stall);
    town.refuses(&buy(&stall, "0.04"), &["costs 0.05", "at most"]);
    let before = usdc(&market.status()["chain"]["unallocated_usdc_micros"]).micros();
    let bought = town.json(&buy(&stall, "0.05"));
    assert_eq!((&bought["paid_usdc_micros"], &bought["seller"]), (&json!(50_000), &json!(ada)), "{bought}");
    assert!(bought["tx"].is_string(), "settled by a real facilitator: {bought}");
    let again = town.json(&buy(&stall, "0.05"));
    assert_eq!(again["lines"][0]["fate"], "kept already", "{again}");
    let paid = usdc(&market.status()["chain"]["unallocated_usdc_micros"]).micros() - before;
    assert_eq!(paid, 50_000, "bought twice, paid once");
    kept_as_a_strangers(town, &ada, kept[0], bought["bundle"].as_str().expect("a bundle"));
    town.json(&["grave", "library", "withdraw", "calm", "--on", "ada"]);
    wait_for("the set is withdrawn", || {
        let listed = town.json(&["grave", "library", "market", &stall]);
        (listed.as_array().map(Vec::len) == Some(0)).then_some(())
    });
}

/// I-030, I-233, G-053: what was bought is worth 0.3, is whose it was, and is a candidate with whoever is given it.
fn kept_as_a_strangers(town: &Town, ada: &str, id: &str, bundle: &str) {
    let shown = town.json(&[&["grave", "library", "show", id][..], &HOME].concat());
    assert_eq!((&shown["channel"], &shown["worth_ppm"]), (&json!("marketplace_purchase"), &json!(300_000)), "{shown}");
    assert_eq!((&shown["origin"], &shown["hop"]), (&json!(ada), &json!(ada)), "{shown}");
    let credit = town.json(&[&["grave", "library", "credit"][..], &HOME].concat());
    assert_eq!((&credit[0]["origin"], &credit[0]["golem_tenths"]), (&json!(ada), &json!(0)), "nothing is proven yet");
    let create = ["golem", "create", "bea", "--credits", "50", "--gas", "0.01"];
    town.json(&[&create[..], &HOME, &WALLET].concat());
    let sell = ["grave", "library", "publish", bundle, "--on", "bea", "--price", "1"];
    town.refuses(&[&sell[..], &HOME].concat(), &["was bought", "not yours to sell"]);
    let given = town.json(&[&["grave", "library", "equip", "bea", "--bundle", bundle][..], &HOME].concat());
    let candidates: Vec<&Value> =
        given.as_array().expect("a list").iter().filter(|line| line["fate"] == "candidate").collect();
    assert!(!candidates.is_empty(), "{given}");
    assert_eq!(candidates[0]["worth_ppm"], 300_000, "{given}");
    let listed = town.json(&[&["mind", "grimoire", "list", "bea"][..], &HOME].concat());
    let own = listed["entries"][0]["id"].as_str().expect("an entry");
    let entry = town.json(&[&["mind", "grimoire", "show", "bea", own][..], &HOME].concat());
    let entry = &entry["entry"];
    assert_eq!((&entry["status"], &entry["provenance"]), (&json!("candidate"), &json!("marketplace")), "{entry}");
    assert_eq!(entry["origin"], ada, "I-233");
}

/// I-240: a price that rose, other bytes, other evidence, floods and a payee nobody knows: each is refused with its reason,
/// nothing is taken in, and what was paid is written down with what came.
fn strangers_between(market: &Market<'_>, stall: &str) {
    let town = market.town;
    let vault = || usdc(&market.status()["chain"]["unallocated_usdc_micros"]).micros();
    let before = vault();
    let flood: Change = |body| {
        edited(&body, |told| {
            let one = told["sets"][0].clone();
            told["sets"] = vec![one; 33].into();
        })
    };
    let long: Change = |_| "a".repeat(5 << 20);
    let cheaper: Change = |body| edited(&body, |told| told["sets"][0]["price"] = json!(1_000));
    let nobody: Change =
        |body| edited(&body, |told| told["vault"] = json!("0x00000000000000000000000000000000000000aa"));
    let more: Change = |body| edited(&body, |told| told["sets"][0]["evidence"]["more"] = json!(1));
    for (listing, words) in [
        (flood, "33 sets"),
        (long, "longer than"),
        (cheaper, "nothing was signed"),
        (nobody, "nobody the registry knows"),
        (more, "lists nothing that can be read"),
    ] {
        let between = Between::open(stall.to_owned(), listing, as_it_is);
        town.refuses(&buy(&between.url, "0.05"), &[words]);
    }
    assert_eq!(vault(), before, "nobody was paid");
    let other_words: Change = |body| body.replacen("held", "lost", 1);
    let better: Change =
        |body| edited(&body, |told| told["sets"][0]["evidence"]["entries"][0]["proved_by"] = json!(99));
    let mut paid = before;
    for (listing, goods, words) in
        [(as_it_is as Change, other_words, "was listed and paid for"), (better, as_it_is, "not what was listed")]
    {
        let between = Between::open(stall.to_owned(), listing, goods);
        town.refuses(&buy(&between.url, "0.05"), &["gave something else", words]);
        paid += 50_000;
        assert_eq!(vault(), paid, "the money is gone, once");
        town.refuses(&buy(&between.url, "0.05"), &["gave something else"]);
        assert_eq!(vault(), paid, "asked again it pays nothing");
    }
    let book = std::fs::read_to_string(town.path(".other/library/purchases.json")).expect("written down");
    let book: Value = serde_json::from_str(&book).expect("JSON");
    let (rows, barred) = (book["payments"].as_array().expect("rows"), book["barred"].as_object().expect("hosts"));
    assert_eq!((rows.len(), barred.len()), (2, 2), "{book}");
    for row in rows {
        let came = town.path(&format!(".other/library/purchases/{}.json", row["nonce"].as_str().expect("a name")));
        assert!(came.exists(), "what came is kept to be shown");
    }
    let kept = town.run(&[&["grave", "library", "list", "--json"][..], &HOME].concat());
    assert_eq!(text(&kept.stdout).trim(), "[]", "nothing of it is in the library");
}

/// A market in which a small push is always followed by a rise, and the book of somebody who buys such pushes. What a look is worth
/// stands for three blocks, since a tick has three.
fn pushes(town_dir: &std::path::Path) -> String {
    const PUSH: [u32; 11] = [3_000, 3_000, 3_000, 3_000, 3_000, 2_988, 2_988, 3_072, 3_072, 3_072, 3_072];
    let looks = std::iter::repeat_n(3_000, 16).chain(PUSH.repeat(20));
    let rows: String = looks.flat_map(|price| [price; 3]).map(|price| format!("{price}\n")).collect();
    let file = town_dir.join("pushes.csv");
    std::fs::write(&file, format!("price\n{rows}")).expect("written");
    format!("csv:{}", file.display())
}

const BOOK: &str = "# Pushes\n\n### small-push\n- when: gap <= -0.29% and gap >= -0.45%\n- do: hold 100%\n\
                    - until: since >= 2 or gain <= -0.1%\n- expects: +1.5% within 3\n\
                    - because: one sale pushes the price away, and others bring it back\n- asks: for how long will they?\n";

/// I-230, I-249, P-032: `publish --rules-of` puts the rules that a Golem has shown to pay into the set, with what they have shown and
/// whose they are, each once; of a Golem whose rules have shown nothing none are sold.
#[test]
fn i_249_a_set_is_sold_with_the_rules_that_a_golem_has_shown_to_pay() {
    let dir = tempfile::tempdir().expect("a folder");
    let town = Town::with(&["--paced", "--seed", "7", "--block-seconds", "200", "--market", &pushes(dir.path())]);
    std::fs::write(town.path("pushes.md"), BOOK).expect("written");
    for name in ["ada", "bea"] {
        let create = ["golem", "create", name, "--credits", "50", "--capital", "4000", "--gas", "0.02"];
        town.json(&[&create[..], &["--playbook", "pushes.md"]].concat());
        let toml = "[golem]\nplaybook = \"pushes.md\"\ntick_seconds = 600\n[embedder]\nkind = \"none\"\n\
                    [feed]\nlisten = \"127.0.0.1:0\"\nfacilitator = \"http://127.0.0.1:9\"\n";
        std::fs::write(town.path(&format!(".bardo/golems/{name}/golem.toml")), toml).expect("written");
    }
    town.does(&["golem", "run", "ada", "--speed", "1000000", "--ticks", "70", "--json"]);
    let exported = town.json(&["grave", "library", "export", "ada"]);
    let kept: Vec<&str> =
        exported.as_array().expect("a list").iter().filter_map(|line| line["entry"].as_str()).collect();
    town.json(&[&["grave", "library", "bundle", "create", "pushes", "--purpose", "small pushes"][..], &kept].concat());

    let publish = ["grave", "library", "publish", "pushes", "--on", "ada", "--price", "0.05"];
    assert_eq!(town.json(&publish)["rules"], 0, "nobody's, where nobody is named");
    let of_bea = [&publish[..], &["--rules-of", "bea"]].concat();
    town.refuses(&of_bea, &["bea has no rule of its own", "shown that it pays"]);
    // Named twice it is the same Golem, and sells its rules once.
    let sold = town.json(&[&publish[..], &["--rules-of", "ada", "--rules-of", "ada"]].concat());
    assert_eq!((&sold["rules"], sold["entries"].as_u64()), (&json!(1), Some(kept.len() as u64)), "{sold}");

    let file = std::fs::read_to_string(town.path(".bardo/golems/ada/published/pushes.json")).expect("on the stall");
    let file: Value = serde_json::from_str(&file).expect("JSON");
    let set: Value = serde_json::from_str(file["set"].as_str().expect("a set")).expect("JSON");
    let rule = &set["rules"][0];
    let book = town.json(&["golem", "playbook", "show", "ada"]);
    assert_eq!(rule["text"], book["rules"][0]["text"], "byte for byte as it is lived by");
    let evidence = &rule["evidence"];
    assert_eq!(evidence["trips"], book["rules"][0]["trips"], "{evidence}");
    assert!(evidence["trips"].as_u64() >= Some(3) && evidence["evidence"].as_u64() >= Some(20), "P-032: {evidence}");
    assert!(evidence["mean_ppm"].as_i64() > Some(0) && evidence["looks"] == 70, "{evidence}");
    let vault = town.json(&["golem", "status", "ada"])["vault"].as_str().expect("a vault").to_lowercase();
    assert_eq!(
        (&evidence["attribution"]["origin"], &evidence["attribution"]["origin_generation"]),
        (&json!(vault), &json!(0))
    );
}
