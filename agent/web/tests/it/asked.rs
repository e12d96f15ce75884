//! What may be asked, and how a refusal is told.

use golem_primitives::Usdc;
use golem_web::{BookWanted, Question, UndertakingKind, UndertakingWanted, WalletAnswer, WantedKind};

use crate::wire::Server;

/// O-011: each address asks its question, and what is missing, wrong or away is told in words with its own status.
#[tokio::test]
async fn o_011_addresses_are_questions_and_refusals_have_words() {
    let server = Server::start().await;
    for what in [
        "portrait", "history", "claims", "playbook", "grimoire", "dreams", "mind", "market", "clade", "costs",
        "lineage",
    ] {
        let answer = server.get(&format!("/api/golems/ada/{what}")).await;
        assert_eq!(answer.status(), 200, "{what}: {}", answer.0);
    }
    for (path, status, words) in [
        ("/api/golems/nobody/portrait", 404, "there is nobody"),
        ("/api/golems/ada/chain", 502, "the chain sleeps"),
        ("/api/golems/ada/secrets", 404, "nothing is told of"),
        ("/api/golems/ada/why?tick=soon", 422, "tick"),
        ("/api/golems/ada/why?password=1", 422, "password"),
        ("/api/golems/ada/blocks/last", 422, "no number"),
        ("/api/golems/ada/transactions/0x12", 422, "64 hexadecimal"),
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status(), status, "{path}: {}", answer.0);
        assert!(answer.0.contains(words), "{path}: {}", answer.0);
    }
    let answer = server.get("/api/golems/ada/grimoire?words=does+it+hold&status=active&skip=50").await;
    assert_eq!(answer.status(), 200);
    let asked = server.parrot.asked.lock().expect("whole").last().cloned().expect("asked");
    let wanted = Question::Grimoire {
        golem: "ada".to_owned(),
        words: Some("does it hold".to_owned()),
        status: Some("active".to_owned()),
        skip: 50,
    };
    assert_eq!(asked, wanted);
}

/// O-011: an act is read whole or refused in words; nothing that is no amount becomes one.
#[tokio::test]
async fn o_011_an_act_is_read_whole_or_refused() {
    let server = Server::start().await;
    let (host, bearer) = (server.at.to_string(), format!("Bearer {}", server.token()));
    let headers = [("host", host.as_str()), ("authorization", bearer.as_str()), ("content-type", "application/json")];
    let from = "0x1111111111111111111111111111111111111111";
    let post = async |body: String| server.ask("POST /api/golems/ada/acts", &headers, &body).await;
    let kill = post(format!(r#"{{"act":"kill","from":"{from}","reason":"<b>enough</b>"}}"#)).await;
    assert_eq!(kill.status(), 200, "{}", kill.0);
    let fund = post(format!(r#"{{"act":"fund","from":"{from}","amount":"12.5","into_capital":true}}"#)).await;
    assert_eq!(fund.status(), 200, "{}", fund.0);
    let kinds: Vec<WantedKind> = server
        .parrot
        .asked
        .lock()
        .expect("whole")
        .iter()
        .filter_map(|asked| match asked {
            Question::Act { wanted, .. } => Some(wanted.kind.clone()),
            _ => None,
        })
        .collect();
    let amount = "12.50".parse().expect("an amount");
    let reason = "<b>enough</b>".to_owned();
    assert_eq!(kinds, [WantedKind::Kill { reason, revoke: false }, WantedKind::Fund { amount, into_capital: true }]);
    for (body, words) in [
        (format!(r#"{{"act":"fund","from":"{from}","amount":"-3"}}"#), "no amount"),
        (format!(r#"{{"act":"fund","from":"{from}","amount":"0"}}"#), "above zero"),
        (format!(r#"{{"act":"withdraw","from":"{from}","amount":"1e9"}}"#), "no amount"),
        (r#"{"act":"kill","from":"me","reason":"x"}"#.to_owned(), "error"),
        (format!(r#"{{"act":"mint","from":"{from}"}}"#), "mint"),
        ("{".to_owned(), "error"),
    ] {
        let answer = post(body.clone()).await;
        assert_eq!(answer.status(), 422, "{body}: {}", answer.0);
        assert!(answer.0.contains(words), "{body}: {}", answer.0);
    }
    let large = post(format!(r#"{{"act":"kill","from":"{from}","reason":"{}"}}"#, "x".repeat(20_000))).await;
    assert_eq!(large.status(), 422, "{}", large.0);
}

/// O-011: an undertaking is read whole or refused in words, and so is what a wallet answers.
#[tokio::test]
async fn o_011_an_undertaking_is_read_whole_or_refused() {
    let server = Server::start().await;
    let (host, bearer) = (server.at.to_string(), format!("Bearer {}", server.token()));
    let headers = [("host", host.as_str()), ("authorization", bearer.as_str()), ("content-type", "application/json")];
    let from = "0x1111111111111111111111111111111111111111";
    let post = async |path: &str, body: &str| {
        let body = body.replace("FROM", from);
        server.ask(&format!("POST /api/undertaking{path}"), &headers, &body).await
    };
    let last = || server.parrot.asked.lock().expect("whole").pop();
    let birth = r#"{"undertaking":"birth","from":"FROM","name":"bea","credits":"","capital":"500","playbook":"momentum","book":" "}"#;
    assert_eq!(post("", birth).await.status(), 200);
    let begins = |playbook| {
        let kind =
            UndertakingKind::Birth { name: "bea".to_owned(), credits: None, capital: Usdc::whole(500), playbook };
        Some(Question::Begin(UndertakingWanted { from: from.parse().expect("one"), kind }))
    };
    assert_eq!(last(), begins(BookWanted::Founding("momentum".to_owned())));
    let long = "a book of many rules\n".repeat(12_000);
    let written = birth.replace("\" \"", &serde_json::to_string(&long).expect("a text"));
    assert_eq!(post("", &written).await.status(), 200, "a book of 250 kB is heard");
    assert_eq!(last(), begins(BookWanted::Written(long)), "it takes the place of the named one, as it was written");
    assert_eq!(server.get("/api/undertaking").await.status(), 200);
    assert_eq!(last(), Some(Question::Undertaking));
    let hash = "0x".to_owned() + &"ab".repeat(32);
    assert_eq!(post("/3", &format!(r#"{{"sent":"{hash}"}}"#)).await.status(), 200);
    let sent = WalletAnswer::Sent(hash.parse().expect("a hash"));
    assert_eq!(last(), Some(Question::Answer { number: 3, answer: sent }));
    for (path, body, words) in [
        (
            "",
            r#"{"undertaking":"birth","from":"FROM","name":"bea","credits":"0","capital":"","playbook":"","book":""}"#,
            "above zero",
        ),
        (
            "",
            r#"{"undertaking":"birth","from":"FROM","name":"bea","credits":"","capital":"x","playbook":"hold","book":""}"#,
            "no amount",
        ),
        (
            "",
            r#"{"undertaking":"birth","from":"FROM","name":"b","credits":"","capital":"","playbook":"","book":""}"#,
            "book",
        ),
        ("", r#"{"undertaking":"link","from":"FROM"}"#, "golem"),
        ("", r#"{"undertaking":"link","from":"FROM","golem":"ada","key":"0x1"}"#, "key"),
        ("", r#"{"undertaking":"policy","from":"FROM","golem":"ada"}"#, "policy"),
        ("/x", r#"{"refused":"no"}"#, "x"),
        ("/3", r#"{"sent":"0x12"}"#, "error"),
        ("/3", "{}", "error"),
    ] {
        let answer = post(path, body).await;
        assert_eq!(answer.status(), 422, "{body}: {}", answer.0);
        assert!(answer.0.contains(words), "{body}: {}", answer.0);
        assert_eq!(last(), None, "{body}");
    }
}
