//! What a person can get wrong: each time a clear word with the next step, and nothing lost.

use golem_chain::{EndpointSettings, Endpoints};
use serde_json::{Value, json};

use crate::world::{Ground, Nature, Town};

/// What is wrong with a deployment's file.
type Change<'a> = Box<dyn Fn(&mut Value) + 'a>;

/// another chain, a suite that is not there, one that is another, and nobody at all.
#[tokio::test(flavor = "multi_thread")]
async fn r_011_a_wrong_chain_or_suite_is_refused_with_its_reason() {
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
    let before = born.hashes();
    let url = town.running.rpc_url.clone();
    let here = serde_json::to_value(&town.running).expect("plain data");
    let nowhere = json!("0x00000000000000000000000000000000000bad00");
    let cases: [(&str, Change<'_>, &[&str]); 3] = [
        ("another chain", Box::new(|file| file["chain_id"] = json!(31_337)), &["31337", "763088"]),
        (
            "no suite",
            Box::new(|file| file["world"]["suite"]["lineage_registry"] = nowhere.clone()),
            &["the suite on this chain"],
        ),
        (
            "another suite",
            Box::new(|file| file["world"]["suite"]["lineage_registry"] = file["world"]["usdc"].clone()),
            &["the suite on this chain"],
        ),
    ];
    for (what, change, words) in cases {
        let mut file = here.clone();
        change(&mut file);
        let path = town.path().join("deployment.json");
        std::fs::write(&path, file.to_string()).expect("written");
        let path = path.display().to_string();
        let (well, told) =
            town.says(&["golem", "run", "ada", "--ticks", "1", "--rpc", &url, "--deployment", &path]).await;
        assert!(!well, "{what}");
        assert!(words.iter().all(|word| told.contains(word)), "{what}: {told}");
        assert!(!told.contains("panicked"), "{what}: {told}");
    }
    let (well, told) = town.says(&["golem", "run", "ada", "--ticks", "1", "--rpc", "http://127.0.0.1:1"]).await;
    assert!(!well && told.contains("the chain does not answer"), "{told}");
    assert_eq!(born.hashes(), before, "nothing was written");
}

/// a head that is not of this machine's day is no sight of the chain, and the difference is told in seconds.
#[tokio::test(flavor = "multi_thread")]
async fn r_023_a_skewed_clock_is_seen_and_told() {
    let town = Town::up(Ground::default()).await;
    let url = [town.running.rpc_url.clone()];
    let lenient = Endpoints::connect(&url, EndpointSettings::devnet()).await.expect("connected");
    let head = lenient.head().await.expect("a head");
    let skew = lenient.skew().expect("known after a look");
    assert_eq!(skew.block, head.time);
    assert!(skew.seconds.unsigned_abs() > 90, "the devnet's calendar is its own: {skew:?}");
    let strict = Endpoints::connect(&url, EndpointSettings::default()).await.expect("connected");
    let told = strict.head().await.expect_err("of another day").to_string();
    assert!(told.contains("old") || told.contains("future") || told.contains("clock"), "{told}");
}
