//! Every handle an owner has on a Golem, on a real chain.

use serde_json::Value;

use crate::bardo::{text, words};
use crate::town::Town;

/// O-002, O-004: each handle is used and refused once; every answer is JSON, every refusal says what to do.
#[test]
fn o_002_an_owner_holds_a_golem_by_every_handle() {
    // A quarter of an hour a block: deadlines pass while the commands of this test bring blocks.
    let town = Town::build("900");
    let nameless = town.run(&["golem", "create"]);
    assert_eq!(nameless.status.code(), Some(2), "nobody is at the terminal to be asked");
    let ada = ["golem", "create", "ada", "--credits", "50", "--capital", "100"];
    let foreseen = town.json(&[&ada[..], &["--show-address"]].concat());
    let drawn = town.run(&[&ada[..], &["--show-address"]].concat());
    assert!(text(&drawn.stdout).contains('█'), "{}", text(&drawn.stdout));
    let born = town.json(&ada);
    assert_eq!(foreseen["vault"].as_str().map(str::to_lowercase), born["vault"].as_str().map(str::to_lowercase));
    let (vault, agent) = (born["vault"].as_str().expect("a vault").to_owned(), "0");
    money(&town, &vault);
    rules(&town);
    lists(&town);
    mandates(&town);
    keys(&town, &born);
    deaths(&town, agent, &vault);
}

/// M-050: too little is refused with what would do; credits and capital go in, capital comes out again.
fn money(town: &Town, vault: &str) {
    town.refuses(&["golem", "create", "eve", "--credits", "5"], &["25 USDC", "recommended", "reserve", "a day"]);
    town.refuses(&["golem", "create", "ada"], &["already", "another name"]);
    town.refuses(&["golem", "status", "adda"], &["did you mean ada?"]);
    let before = town.json(&["golem", "status", "ada"]);
    assert_eq!(before["chain"]["life"], "alive");
    assert_eq!(before["memory"]["life"], "alive");
    let funded = town.json(&["golem", "fund", "ada", "--amount", "10"]);
    assert!(funded["tx"].is_string() && funded["amount_usdc_micros"] == 10_000_000, "{funded}");
    let after = town.json(&["golem", "status", vault]);
    let credits = |status: &Value| {
        let part = |part| status["chain"]["credits_usdc_micros"][part].as_u64().expect("an amount");
        ["llm", "gas", "data"].map(part).iter().sum::<u64>()
    };
    assert_eq!(credits(&after) - credits(&before), 10_000_000);
    town.json(&["golem", "fund", "ada", "--amount", "20", "--capital"]);
    town.json(&["golem", "fund", "0", "--gas", "0.001"]);
    let shown = town.json(&["golem", "fund", "ada", "--show-address", "--amount", "5"]);
    assert!(shown["uri"].as_str().expect("a link").ends_with("&uint256=5000000"), "{shown}");
    let drawn = town.run(&["golem", "fund", "ada", "--show-address"]);
    assert!(text(&drawn.stdout).contains('█') && text(&drawn.stdout).contains("At least 1 USDC"));
    town.json(&["golem", "withdraw", "ada", "--amount", "15"]);
    town.refuses(&["golem", "withdraw", "ada", "--amount", "10000"], &["CapitalExceeded", "at most"]);
    town.refuses(&["grave", "claim", "ada"], &["refused"]);
    // An owner without USDC: the key of another Golem, which has gas and nothing else.
    let keystore = town.path(".bardo/golems/ada/key.json");
    let keystore = keystore.to_str().expect("text");
    let password = town.path("password");
    let wallet = ["--keystore", keystore, "--password-file", password.to_str().expect("text")];
    town.refuses(&[&["golem", "fund", "ada", "--amount", "1"], &wallet[..]].concat(), &["needs", "send"]);
    let wrong = town.path("wrong");
    let wallet = ["--keystore", keystore, "--password-file", wrong.to_str().expect("text")];
    town.refuses(&[&["owner", "wake", "ada"], &wallet[..]].concat(), &["the password does not open"]);
}

fn rules(town: &Town) {
    let shown = town.json(&["owner", "policy", "show", "ada"]);
    assert_eq!(shown["policy"]["trade_bps"], 1_000);
    let set = town.json(&["owner", "policy", "set", "ada", "trade_bps=500", "slippage_bps=50", "--yes"]);
    assert_eq!(set["changes"].as_array().expect("a list").len(), 2);
    assert!(
        set["worst_after_usdc_micros"]["total"].as_u64() <= set["worst_before_usdc_micros"]["total"].as_u64(),
        "{set}"
    );
    assert_eq!(town.json(&["owner", "policy", "show", "0"])["policy"]["trade_bps"], 500);
    town.refuses(&["owner", "policy", "set", "ada", "trade_bps=400"], &["--yes"]);
    town.refuses(&["owner", "policy", "set", "ada", "trad_bps=400", "--yes"], &["trade_bps?"]);
    town.refuses(&["owner", "policy", "set", "ada", "trade_bps=20000", "--yes"], &["PolicyOutOfRange", "bounds"]);
    let stopped = town.does(&["owner", "stop-entries", "ada", "--take-idle", "--yes"]);
    assert!(text(&stopped.stdout).contains("day_loss_bps=200"), "{}", text(&stopped.stdout));
    let status = town.json(&["golem", "status", "ada"]);
    assert_eq!(status["chain"]["capital_usdc_micros"], 0, "the idle capital is out");
    let slept = town.json(&["owner", "hibernate", "ada", "--for", "3d"]);
    assert!(slept["until"].is_string());
    assert!(town.json(&["golem", "status", "ada"])["chain"]["hibernated_until"].is_string());
    town.json(&["owner", "wake", "ada"]);
    town.refuses(&["owner", "hibernate", "ada", "--for", "200d"], &["HibernationOutOfRange", "90 days"]);
    town.json(&["owner", "guardian", "set", "ada", &town.account("guardian", "address")]);
    town.refuses(
        &["owner", "guardian", "trip", "ada", "--reason", "x", "--yes"],
        &["NotGuardian", "guardian's wallet"],
    );
    town.refuses(&["owner", "split", "ada"], &["ResplitRefused", "as at birth already"]);
    town.refuses(&["grave", "notice", "ada"], &["NotSilent", "silence limit"]);
    town.refuses(&["grave", "kill-silent", "ada", "--yes"], &["refused"]);
}

fn lists(town: &Town) {
    let payee = town.account("stranger 1", "address");
    assert_eq!(town.json(&["owner", "payees", "list", "ada"]).as_array().expect("a list").len(), 0);
    town.json(&["owner", "payees", "add", "ada", &payee, "--from", "llm,data"]);
    let listed = town.json(&["owner", "payees", "list", "ada"]);
    assert_eq!(listed[0]["for"], "llm, data", "{listed}");
    town.refuses(&["owner", "payees", "add", "ada", &payee, "--from", "llm,data"], &["already"]);
    town.json(&["owner", "payees", "remove", "ada", &payee]);
    let pools = town.json(&["owner", "pools", "list", "ada"]);
    assert_eq!(pools.as_array().expect("a list").len(), 2, "the pool and its token: {pools}");
    let pool =
        pools.as_array().expect("a list").iter().find(|line| line["for"] == "pool").expect("the pool")["subject"]
            .clone();
    let pool = pool.as_str().expect("an address");
    town.json(&["owner", "pools", "remove", "ada", pool]);
    assert_eq!(town.json(&["owner", "pools", "list", "ada"]).as_array().expect("a list").len(), 1);
    town.json(&["owner", "pools", "add", "ada", pool]);
}

fn mandates(town: &Town) {
    let executor = town.account("stranger 2", "address");
    let commit = format!("line mandate commit ada --budget 30 --executor {executor} --escrow 40 --for 30d");
    let made = town.json(&words(&commit));
    let id = made["mandate"].as_str().expect("an id").to_owned();
    assert_eq!(town.json(&["line", "mandate", "add", &id, "--amount", "5"])["escrow_usdc_micros"], 45_000_000);
    assert_eq!(town.json(&["line", "mandate", "withdraw", &id, "--amount", "15"])["escrow_usdc_micros"], 30_000_000);
    assert_eq!(town.json(&["line", "mandate", "show", &id])["escrow_usdc_micros"], 30_000_000);
    let nothing = format!("0x{}", "11".repeat(32));
    town.refuses(&["line", "mandate", "show", &nothing], &["there is no mandate"]);
}

/// L-002, R-024: the old key is kept aside, the new one is on record, and no key is ever printed.
fn keys(town: &Town, born: &Value) {
    let rotated = town.json(&["owner", "rotate-key", "ada"]);
    assert_ne!(rotated["key"], born["key"]);
    let certificate: Value =
        serde_json::from_slice(&std::fs::read(town.path(".bardo/golems/ada/birth.json")).expect("there"))
            .expect("JSON");
    assert_eq!(certificate["key"], rotated["key"]);
    assert!(town.path(".bardo/golems/ada/key.replaced-1.json").exists());
    assert_eq!(town.json(&["golem", "status", "ada"])["chain"]["key"], rotated["key"]);
    let key = rotated["key"].as_str().expect("an address");
    let kept = ["owner", "accept", "ada", "--keep-key", key, "--yes"];
    town.refuses(&[&kept[..], &["--devnet-account", "stranger 1"]].concat(), &["belongs to"]);
    let doctor = town.run(&["doctor", "--json"]);
    let found: Vec<Value> = serde_json::from_slice(&doctor.stdout).expect("JSON");
    for subject in ["rpc", "suite", "ada: key", "ada: memory", "ada: gas", "ada: owner", "ada: golem.toml"] {
        let finding =
            found.iter().find(|finding| finding["what"] == subject).unwrap_or_else(|| panic!("{subject}: {found:?}"));
        assert_eq!(finding["ok"], true, "{finding}");
    }
    std::fs::set_permissions(
        town.path(".bardo/golems/ada/key.json"),
        std::os::unix::fs::PermissionsExt::from_mode(0o644),
    )
    .expect("set");
    let sick = town.run(&["doctor"]);
    assert_eq!(sick.status.code(), Some(1));
    assert!(text(&sick.stdout).contains("chmod 600"), "{}", text(&sick.stdout));
    std::fs::write(town.path(".bardo/golems/ada/key.json"), "").expect("emptied");
    town.refuses(&["golem", "run", "ada", "--ticks", "1"], &["is empty", "backup"]);
}

/// T-001, M-287: a kill needs no folder, and a word more than its name; what is not settled is finalised after the deadline; the dead are shown and retired.
fn deaths(town: &Town, agent: &str, vault: &str) {
    town.refuses(&["grave", "finalise", agent, "--yes"], &["refused"]);
    town.refuses(&["grave", "retire", "ada"], &["alive"]);
    town.refuses(&["golem", "kill", "ada", "--reason", "enough"], &["--yes"]);
    town.refuses(
        &["golem", "kill", "ada", "--reason", "mine", "--yes", "--devnet-account", "stranger 1"],
        &["NotOwner", "use the wallet"],
    );
    std::fs::remove_dir_all(town.path(".bardo/golems/ada")).expect("gone");
    let killed = town.json(&["golem", "kill", vault, "--reason", "its files are lost", "--revoke", "--yes"]);
    assert_eq!((&killed["revoked"], &killed["agent"]), (&Value::Bool(true), &Value::from(agent)));
    assert_eq!(town.json(&["golem", "status", agent])["chain"]["life"], "dying");
    let watched = town.run(&["watchdog", "--agent", agent, "--once", "--json"]);
    assert_eq!(watched.status.code(), Some(3), "{}", text(&watched.stderr));
    assert!(text(&watched.stdout).contains("dying"));
    // Other business brings the blocks in which the deadline passes.
    let bea = town.json(&["golem", "create", "bea", "--credits", "50"]);
    let ended = town.json(&["grave", "finalise", agent, "--yes"]);
    assert_eq!(ended["life"].as_str().map(str::to_lowercase).as_deref(), Some("dead"), "{ended}");
    town.refuses(&["grave", "retire", agent], &["--as NAME"]);
    town.json(&["grave", "retire", agent, "--as", "ada"]);
    let graves = town.json(&["grave", "list"]);
    assert_eq!(
        (&graves[0]["agent"], &graves[0]["reason"]),
        (&Value::from(agent), &Value::from("its files are lost")),
        "{graves}"
    );
    town.refuses(&["grave", "testament", agent], &["no testament"]);
    town.refuses(&["golem", "kill", agent, "--reason", "again", "--yes"], &["WrongLife", "bardo golem status"]);
    town.refuses(&["golem", "status", "99"], &["no Golem has the id 99"]);
    // What comes to the dead is the owner's.
    let usdc = town.part("usdc");
    town.cast_send("owner", &usdc, "transfer(address,uint256)", &[vault, "3000000"]);
    town.json(&["golem", "fund", "bea", "--amount", "1"]);
    assert_eq!(town.json(&["grave", "claim", agent])["amount_smallest_units"], "3000000");
    assert_eq!(bea["lineage"], "1", "{bea}");
    sale(town, "1");
}

/// L-006, T-001: a Golem that was sold obeys its buyer once he has taken it over, and his guardian may end it.
fn sale(town: &Town, agent: &str) {
    let (seller, buyer, guardian) =
        (town.account("owner", "address"), town.account("stranger 1", "address"), town.account("guardian", "address"));
    // V-018: what a buyer reads before he pays cannot change behind his back.
    town.refuses(&["owner", "lock", agent, "--days", "7"], &["--yes"]);
    town.json(&["owner", "lock", agent, "--days", "7", "--yes"]);
    assert!(town.json(&["golem", "status", agent])["chain"]["locked_until"].is_string());
    let read = town.json(&["owner", "policy", "show", agent]);
    assert!(read["locked_until"].is_string() && read["policy_hash"].is_string(), "{read}");
    town.refuses(&["owner", "lock", agent, "--days", "2", "--yes"], &["LockOutOfRange", "only ever grows"]);
    town.refuses(&["owner", "policy", "set", agent, "trade_bps=900", "--yes"], &["Locked", "wait until"]);
    let identity = town.part("identity_registry");
    town.cast_send("owner", &identity, "transferFrom(address,address,uint256)", &[&seller, &buyer, agent]);
    let payee = town.account("stranger 3", "address");
    town.json(&["golem", "fund", agent, "--amount", "1"]);
    let as_buyer = ["--devnet-account", "stranger 1"];
    let strange = [&["owner", "accept", agent, "--keep-key", &payee, "--yes"][..], &as_buyer].concat();
    town.refuses(&strange, &["look again at who holds it"]);
    let hash = read["policy_hash"].as_str().expect("a hash");
    let accepted = ["owner", "accept", agent, "--key", &payee, "--guardian", &guardian, "--keep-policy", hash];
    let accepted = town.json(&[&accepted[..], &as_buyer].concat());
    assert_eq!((&accepted["lists_kept"], &accepted["policy_kept"]), (&Value::Bool(false), &Value::from(hash)));
    assert_eq!(
        town.json(&["owner", "pools", "list", agent]).as_array().expect("a list").len(),
        0,
        "the seller's lists are gone"
    );
    town.refuses(&["golem", "kill", agent, "--reason", "mine once", "--yes"], &["NotOwner"]);
    town.json(&["owner", "guardian", "trip", agent, "--reason", "the drill", "--yes", "--devnet-account", "guardian"]);
    assert_eq!(town.json(&["golem", "status", agent])["chain"]["life"], "dying");
}
