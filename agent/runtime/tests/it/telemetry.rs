//! events as lines, counts and listeners.

use std::io::Write as _;

use golem_runtime::{EventLine, GolemStanding};

use crate::fake::{FakeChain, Home, id};

fn lines(dir: &std::path::Path) -> Vec<EventLine> {
    let text = std::fs::read_to_string(dir.join("ada.jsonl")).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

/// R-050, M-171: every event is one line with its catalogue's name; a line a crash tore is cut, none is written twice.
#[tokio::test]
async fn r_050_each_event_is_told_once() {
    let (home, mut runtime) = Home::on(FakeChain::default());
    for _ in 0..5 {
        runtime.tick().await.expect("lives");
    }
    drop(runtime);
    let before = lines(home.path());
    assert!(before.iter().any(|line| line.name == "golem.vitality_update"));
    assert!(before.iter().all(|line| line.name == line.data.telemetry_name()));
    let mut file = std::fs::OpenOptions::new().append(true).open(home.path().join("ada.jsonl")).expect("opens");
    file.write_all(b"{\"seq\":9,\"ind").expect("torn");
    drop(file);
    let mut runtime = home.again();
    assert_eq!(lines(home.path()), before, "replayed passes are not told again");
    runtime.tick().await.expect("lives");
    let after = lines(home.path());
    assert_eq!(after[..before.len()], before[..]);
    assert!(after.len() > before.len());
    let places: std::collections::BTreeSet<_> = after.iter().map(|line| (line.seq, line.index)).collect();
    assert_eq!(places.len(), after.len(), "each has its place");
}

/// the metrics say where a life stands, in the format Prometheus reads.
#[tokio::test]
async fn r_050_metrics_show_the_life() {
    let (_home, mut runtime) = Home::on(FakeChain::default());
    for _ in 0..3 {
        runtime.tick().await.expect("lives");
    }
    let text = runtime.telemetry().metrics().encode();
    for line in [
        "golem_tick{golem=\"ada\"} 3",
        "golem_alive{golem=\"ada\"} 1",
        "golem_blind{golem=\"ada\"} 0",
        "golem_credits_usdc{golem=\"ada\",partition=\"gas\"} 12.0",
        "golem_events_total{golem=\"ada\",name=\"golem.vitality_update\"} 3",
        "golem_tick_own_seconds_count{golem=\"ada\"} 3",
        "golem_up{golem=\"ada\"} 1",
        "golem_price_usdc{golem=\"ada\"} 300",
        "golem_equity_usdc{golem=\"ada\"} ",
        "golem_capital_usdc{golem=\"ada\"} ",
        "golem_profit_usdc{golem=\"ada\",part=\"unrealised\"} 0.0",
        "golem_profit_usdc{golem=\"ada\",part=\"harvestable\"} 0.0",
        "golem_cost_usdc_per_day{golem=\"ada\"} ",
        "golem_days_left{golem=\"ada\"} ",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}

/// a Golem is told by the name people gave it, and its id stands beside it once; what cannot see is not well.
#[tokio::test]
async fn r_050_a_golem_is_told_by_its_name() {
    let (home, mut runtime) = Home::on(FakeChain::default());
    let metrics = runtime.telemetry().metrics().clone();
    metrics.introduce(&id("ada"), "countess");
    metrics.stands("bob", GolemStanding::Waiting);
    runtime.tick().await.expect("lives");
    let text = metrics.encode();
    assert!(text.contains("golem_info{golem=\"countess\",id=\"ada\"} 1"), "{text}");
    assert!(text.contains("golem_up{golem=\"bob\"} 0"), "{text}");
    assert!(!text.contains("golem=\"ada\""), "{text}");
    let known = [("bob".to_owned(), GolemStanding::Waiting), ("countess".to_owned(), GolemStanding::Alive)];
    assert_eq!(metrics.standings(), known.into());
    home.chain.set(|script| script.is_gone = true);
    runtime.tick().await.expect("blindness is no failure");
    assert_eq!(metrics.standings()["countess"], GolemStanding::Blind);
}
