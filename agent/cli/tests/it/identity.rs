//! A Golem as clients of ERC-8004 meet it, and the pool it is born into, on a real chain.

use serde_json::{Value, json};
use x402_types::util::Base64Bytes;

use crate::bardo::text;
use crate::town::Town;

const RUN: [&str; 5] = ["golem", "run", "ada", "--speed", "1000000"];
/// Kinds of service that the standard names; clients fail at others.
const KINDS: [&str; 7] = ["web", "A2A", "MCP", "OASF", "ENS", "DID", "email"];

impl Town {
    /// The registration file as anybody reads it, letter by letter.
    fn file(&self, agent: &str) -> String {
        let said = self.cast(&["call", &self.part("identity_registry"), "tokenURI(uint256)(string)", agent]);
        let packed = said.trim().trim_matches('"').strip_prefix("data:application/json;base64,").expect("carried");
        let bytes = Base64Bytes::from(packed.as_bytes()).decode().expect("base64");
        String::from_utf8(bytes).expect("text")
    }

    /// The same, held against the rules of registration-v1.
    fn registration(&self, agent: &str) -> Value {
        let file = self.file(agent);
        let said: Value = serde_json::from_str(&file).unwrap_or_else(|error| panic!("{error}: {file}"));
        assert_eq!(said["type"], "https://eips.ethereum.org/EIPS/eip-8004#registration-v1");
        for name in ["name", "description", "image"] {
            assert!(said[name].as_str().is_some_and(|text| !text.is_empty()), "{name}: {said}");
        }
        for service in said["services"].as_array().expect("a list") {
            assert!(service["name"].as_str().is_some_and(|name| KINDS.contains(&name)), "{service}");
            assert!(service["endpoint"].as_str().is_some_and(|endpoint| !endpoint.is_empty()), "{service}");
        }
        for name in ["active", "x402Support"] {
            assert!(said[name].is_boolean(), "{name}: {said}");
        }
        assert_eq!(said["supportedTrust"], json!([]), "nothing is claimed that the chain has not");
        let chain = self.chain()["chain_id"].as_u64().expect("a number");
        let registry = format!("eip155:{chain}:{}", self.part("identity_registry").to_lowercase());
        let id: u64 = agent.parse().expect("a number");
        assert_eq!(said["registrations"], json!([{ "agentId": id, "agentRegistry": registry }]));
        assert!(said["golem"]["vault"].as_str().is_some_and(|vault| vault.starts_with("eip155:")), "{said}");
        assert!(!file.contains("phase") && !file.contains("\"mortality\""), "nothing goes stale by itself: {file}");
        if said["active"] == true {
            assert_eq!(file.matches("\"active\":true ").count(), 1, "the epitaph has its room: {file}");
        }
        said
    }

    /// The wallet of the identity as anybody reads it.
    fn wallet(&self, agent: &str) -> String {
        let said = self.cast(&["call", &self.part("identity_registry"), "getAgentWallet(uint256)(address)", agent]);
        said.trim().to_lowercase()
    }
}

fn lower(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no address: {value}")).to_lowercase()
}

/// L-013: linked from its first day, unlinked and linked by its owner, and never with a key that is powerless.
#[test]
fn l_013_a_golem_is_linked_with_its_key_from_its_first_day() {
    const NOBODY: &str = "0x0000000000000000000000000000000000000000";
    let town = Town::build("40");
    let born = town.json(&["golem", "create", "ada", "--credits", "50"]);
    assert_eq!((lower(&born["wallet"]), town.wallet("0")), (lower(&born["key"]), lower(&born["key"])));
    assert_eq!(town.json(&["owner", "wallet", "ada"])["linked"], true);
    assert_eq!(lower(&town.json(&["golem", "status", "ada"])["chain"]["wallet"]), lower(&born["key"]));
    town.refuses(&["owner", "wallet", "ada", "--unlink", "--devnet-account", "stranger 1"], &["NotAuthorized"]);
    assert_eq!(town.json(&["owner", "wallet", "ada", "--unlink"])["linked"], false);
    assert_eq!(town.wallet("0"), NOBODY);
    town.refuses(&["owner", "wallet", "ada", "--unlink"], &["no wallet"]);
    // An owner who wants no link gets none by a rotation.
    let rotated = town.json(&["owner", "rotate-key", "ada"]);
    assert_eq!((&rotated["wallet"], town.wallet("0").as_str()), (&Value::Null, NOBODY));
    assert_eq!(town.json(&["owner", "wallet", "ada", "--link"])["linked"], true);
    assert_eq!(town.wallet("0"), lower(&rotated["key"]));
    let again = town.json(&["owner", "rotate-key", "ada"]);
    assert_ne!(again["key"], rotated["key"]);
    assert_eq!((town.wallet("0"), lower(&again["wallet"])), (lower(&again["key"]), lower(&again["key"])));
    let old = town.path(".bardo/golems/ada/key.replaced-2.json");
    let old = ["owner", "wallet", "ada", "--link", "--key-file", old.to_str().expect("text")];
    town.refuses(&old, &["the key given is", "--key-file"]);
    // A sale ends the link; whoever takes over gets a key of his own, linked, and his file will say when it is dead.
    let (seller, buyer) = (town.account("owner", "address"), town.account("stranger 1", "address"));
    let identity = town.part("identity_registry");
    town.cast_send("owner", &identity, "transferFrom(address,address,uint256)", &[&seller, &buyer, "0"]);
    town.json(&["golem", "fund", "ada", "--amount", "1"]);
    assert_eq!(town.wallet("0"), NOBODY);
    let shown = town.json(&["owner", "profile", "ada", "--show"]);
    assert_eq!((&shown["wallet"], &shown["epitaph"]), (&Value::Null, &json!(false)), "{shown}");
    let as_buyer = ["--devnet-account", "stranger 1"];
    let taken = town.json(&[&["owner", "accept", "ada"], &as_buyer[..]].concat());
    assert_ne!(taken["key"], again["key"]);
    assert_eq!(town.wallet("0"), lower(&taken["key"]));
    assert_eq!(town.json(&["owner", "profile", "ada", "--show"])["epitaph"], true);
    // A key that is held elsewhere cannot sign here: the link falls, and how to make it anew is told.
    let elsewhere = town.account("stranger 3", "address");
    let away = town.run(&[&["owner", "rotate-key", "ada", "--to", &elsewhere, "--yes"], &as_buyer[..]].concat());
    assert!(text(&away.stdout).contains("no longer linked"), "{}{}", text(&away.stdout), text(&away.stderr));
    assert_eq!(town.wallet("0"), NOBODY);
}

/// L-012, I-315: what the owner says is in a file that clients which know the standard alone can read; what he does not name stays.
#[test]
fn l_012_an_owner_describes_his_golem_and_every_client_reads_it() {
    let town = Town::build("40");
    town.json(&["golem", "create", "ada", "--credits", "50"]);
    let newborn = town.file("0");
    assert_eq!(town.registration("0")["services"], json!([]), "nothing is served yet");
    std::fs::write(town.path("ada.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").expect("written");
    let described = ["owner", "profile", "ada", "--description", "Trades \"WETH\"\\ and sleeps"];
    town.json(&[&described[..], &["--mcp", "https://golem.example/mcp"]].concat());
    let said = town.registration("0");
    assert_eq!((&said["description"], &said["name"]), (&json!("Trades \"WETH\"\\ and sleeps"), &json!("ada")));
    // The picture that was drawn on chain is still drawn there.
    assert_eq!(said["image"], serde_json::from_str::<Value>(&newborn).expect("JSON")["image"]);
    town.json(&["owner", "profile", "ada", "--image", "ada.svg", "--web", "https://golem.example"]);
    advertised(&town);
    let said = town.registration("0");
    assert_eq!(said["description"], "Trades \"WETH\"\\ and sleeps", "what was not named stays");
    let services = json!([
        { "name": "MCP", "endpoint": "https://golem.example/mcp" },
        { "name": "web", "endpoint": "https://golem.example" },
        { "name": "A2A", "endpoint": "http://127.0.0.1:4029/.well-known/agent-card.json", "version": "1.0" },
    ]);
    assert_eq!(said["services"], services);
    assert!(said["image"].as_str().expect("text").starts_with("data:image/svg+xml;base64,PHN2Zy"), "{said}");
    let shown = town.json(&["owner", "profile", "ada", "--show"]);
    assert_eq!(
        (&shown["active"], &shown["epitaph"], &shown["services"][1]["name"]),
        (&json!(true), &json!(true), &json!("web"))
    );
    assert!(text(&town.run(&["owner", "profile", "ada"]).stdout).contains("golem.example/mcp"));
    refused(&town);
    // Taken back, it is the file of its birth to the last letter.
    town.json(&["owner", "advertise", "ada", "--off"]);
    town.json(&["owner", "profile", "ada", "--description", "", "--image", "", "--web", "", "--mcp", ""]);
    assert_eq!(town.file("0"), newborn);
}

/// R-034: the stall's word in the file keeps what the owner said, and a profile keeps the stall's.
fn advertised(town: &Town) {
    let config = town.path(".bardo/golems/ada/golem.toml");
    std::fs::write(&config, "[feed]\nlisten = \"127.0.0.1:4029\"\nfacilitator = \"http://127.0.0.1:9\"\n")
        .expect("written");
    let before = town.registration("0");
    town.json(&["owner", "advertise", "ada"]);
    let mut expected = before;
    expected["x402Support"] = true.into();
    expected["golem"]["x402"] = "http://127.0.0.1:4029".into();
    let card =
        json!({ "name": "A2A", "endpoint": "http://127.0.0.1:4029/.well-known/agent-card.json", "version": "1.0" });
    expected["services"].as_array_mut().expect("a list").push(card);
    assert_eq!(town.registration("0"), expected);
    town.json(&["owner", "profile", "ada", "--a2a", "https://golem.example/card.json"]);
    town.json(&["owner", "profile", "ada", "--a2a", ""]);
    assert_eq!(town.registration("0"), expected);
    assert_eq!(town.json(&["golem", "status", "ada"])["chain"]["x402"], "http://127.0.0.1:4029");
}

fn refused(town: &Town) {
    let before = town.file("0");
    let long = "x".repeat(1_025);
    town.refuses(&["owner", "profile", "ada", "--description", &long], &["1025 bytes", "shorten it to 1024"]);
    town.refuses(&["owner", "profile", "ada", "--web", "golem.example"], &["web", "https://"]);
    town.refuses(&["owner", "profile", "ada", "--image", "nowhere.png"], &["neither an address", "nor a file"]);
    let stranger = ["owner", "profile", "ada", "--description", "mine", "--devnet-account", "stranger 1"];
    town.refuses(&stranger, &["NotAuthorized", "owns the identity token"]);
    assert_eq!(town.file("0"), before);
    // What this command does not know is lost by nobody's accident.
    let own = format!("data:application/json;base64,{}", Base64Bytes::encode(r#"{"name":"ada","licence":"MIT"}"#));
    let identity = town.part("identity_registry");
    town.cast_send("owner", &identity, "setAgentURI(uint256,string)", &["0", &own]);
    town.json(&["golem", "fund", "ada", "--amount", "1"]);
    town.refuses(&["owner", "profile", "ada", "--web", "https://golem.example"], &["licence", "--anew"]);
    let packed = format!("data:application/json;base64,{}", Base64Bytes::encode(&before));
    town.cast_send("owner", &identity, "setAgentURI(uint256,string)", &["0", &packed]);
    town.json(&["golem", "fund", "ada", "--amount", "1"]);
    assert_eq!(town.file("0"), before);
}

/// L-014, I-312: one that settles its own death leaves its file saying so, by its own key and without its owner; every other word
/// stays.
#[test]
fn l_014_a_golem_that_settles_leaves_its_file_saying_so() {
    let town = Town::build("40");
    let born = town.json(&["golem", "create", "ada", "--credits", "50", "--gas", "0.01"]);
    assert_eq!(born["epitaph"], true);
    town.json(&["owner", "profile", "ada", "--description", "mortal"]);
    let mut expected = town.registration("0");
    assert!(town.run(&[&RUN[..], &["--ticks", "2"]].concat()).status.success());
    assert_eq!(town.registration("0"), expected, "alive, it is left alone");
    town.json(&["golem", "kill", "ada", "--reason", "of a test", "--yes"]);
    let lived = town.does(&RUN);
    assert!(text(&lived.stdout).contains("says that it is dead"), "{}{}", text(&lived.stdout), text(&lived.stderr));
    expected["active"] = false.into();
    assert_eq!(town.registration("0"), expected);
    // Once is enough, and the owner can still say more.
    let again = town.run(&RUN);
    assert!(again.status.success() && !text(&again.stdout).contains("says that it is dead"), "{}", text(&again.stdout));
    town.json(&["grave", "retire", "ada"]);
    let said = town.registration("0");
    assert_eq!((&said["description"], &said["golem"]["cause"]), (&json!("mortal"), &json!("OwnerKill")), "{said}");
    assert_ne!(said["image"], expected["image"], "the drawn picture has closed its eyes");
}

/// L-014: whoever finalises leaves the file saying so, a stranger too; where the owner let nobody, nobody does.
#[test]
fn l_014_whoever_finalises_leaves_the_file_saying_so() {
    let town = Town::build("900");
    for (name, wish) in [("ada", &[][..]), ("bea", &["--no-epitaph"][..])] {
        town.json(&[&["golem", "create", name, "--credits", "50"], wish].concat());
        town.json(&["golem", "kill", name, "--reason", "of a test", "--revoke", "--yes"]);
    }
    // Other business brings the blocks in which the deadlines pass.
    town.json(&["golem", "create", "cleo", "--credits", "50"]);
    let stranger = ["--yes", "--devnet-account", "stranger 2"];
    let ended = town.json(&[&["grave", "finalise", "ada"], &stranger[..]].concat());
    assert_eq!((&ended["life"], &ended["epitaph_written"]), (&json!("dead"), &json!(true)), "{ended}");
    let ended = town.json(&[&["grave", "finalise", "bea"], &stranger[..]].concat());
    assert_eq!((&ended["life"], &ended["epitaph_written"]), (&json!("dead"), &json!(false)), "{ended}");
    assert_eq!((&town.registration("0")["active"], &town.registration("1")["active"]), (&json!(false), &json!(true)));
    // Allowed late is allowed; then anybody's next look at it suffices.
    assert_eq!(town.json(&["owner", "profile", "bea", "--epitaph"])["epitaph"], true);
    assert_eq!(town.json(&["owner", "profile", "bea", "--no-epitaph"])["epitaph"], false);
    // Blocks a quarter of an hour apart take no proof of five minutes; the birth is none the worse for it.
    assert_eq!(town.json(&["owner", "wallet", "cleo"])["linked"], false);
    town.refuses(&["owner", "wallet", "cleo", "--link"], &["five minutes", "--block-seconds"]);
}

/// V-011: what is no pool, forgets or is too shallow is refused before money moves, with what mends it.
#[test]
fn v_011_a_pool_is_looked_at_before_money_moves() {
    let town = Town::build("40");
    let (usdc, weth, factory) = (town.part("usdc"), town.part("weth"), town.part("v3_factory"));
    let purse = || town.cast(&["call", &usdc, "balanceOf(address)(uint256)", &town.account("owner", "address")]);
    let before = purse();
    let nowhere = "0x00000000000000000000000000000000000000aa";
    let create = |pool: &str| ["golem", "create", "bea", "--credits", "50", "--pool", pool].map(str::to_owned);
    let refuses = |pool: &str, words: &[&str]| {
        let create = create(pool);
        town.refuses(&create.each_ref().map(String::as_str), words);
        let dry: Vec<&str> = create.iter().map(String::as_str).chain(["--dry"]).collect();
        town.refuses(&dry, words);
    };
    refuses(nowhere, &["no contract stands", "getPool"]);
    refuses(&usdc, &["not a pool of this venue", "Nothing was sent"]);
    assert_eq!(purse(), before);
    assert!(!town.path(".bardo/golems/bea/key.json").exists(), "not even a key was made");

    // A pool that somebody opened and nobody trades in: it keeps one observation.
    town.json(&["golem", "create", "ada", "--credits", "50", "--capital", "100"]);
    let turn = || drop(town.json(&["golem", "fund", "ada", "--amount", "1"]));
    town.cast_send("stranger 1", &factory, "createPool(address,address,uint24)", &[&usdc, &weth, "10000"]);
    turn();
    let pool = town.cast(&["call", &factory, "getPool(address,address,uint24)(address)", &usdc, &weth, "10000"]);
    let pool = pool.trim();
    refuses(pool, &["window", "nobody has given this pool a price"]);
    let price = town.cast(&["call", &town.part("pool"), "slot0()(uint160,int24,uint16,uint16,uint16,uint8,bool)"]);
    let price = price.split_whitespace().next().expect("a number").to_owned();
    town.cast_send("stranger 1", pool, "initialize(uint160)", &[&price]);
    turn();
    refuses(pool, &["do not reach back", "increaseObservationCardinalityNext(uint16)"]);
    town.refuses(&["owner", "pools", "add", "ada", pool], &["do not reach back", "--anyway"]);
    town.json(&["owner", "pools", "add", "ada", pool, "--anyway"]);
    let report = |of: &str| {
        let listed = town.json(&["owner", "pools", "list", "ada"]);
        let lines = listed.as_array().expect("a list").clone();
        lines.iter().find(|line| lower(&line["subject"]) == of.to_lowercase()).expect("listed")["report"].clone()
    };
    let own = report(&town.part("pool"));
    assert!(own["depth_usdc_micros"].as_u64() > Some(50_000_000_000) && own["forgets"] == false, "{own}");
    let other = report(pool);
    assert_eq!((&other["observations"], &other["forgets"]), (&json!(1), &json!(true)), "{other}");
    let shown = town.run(&["owner", "pools", "list", "ada"]);
    assert!(
        text(&shown.stdout).contains("deep") && text(&shown.stdout).contains("remembers"),
        "{}",
        text(&shown.stdout)
    );
    assert!(text(&shown.stdout).contains("cast send"), "{}", text(&shown.stdout));

    // As the remedy says.
    let wanted = other["wanted_observations"].to_string();
    town.cast_send("stranger 1", pool, "increaseObservationCardinalityNext(uint16)", &[&wanted]);
    turn();
    assert_eq!(report(pool)["forgets"], false);
    town.does(&["golem", "run", "ada", "--speed", "1000000", "--ticks", "60"]);
    refuses(pool, &["below the minimum", "deeper pool"]);
    let own = report(&town.part("pool"));
    assert_eq!(own["refusal"], Value::Null, "{own}");
}
