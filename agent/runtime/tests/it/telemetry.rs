//! events as lines, counts and listeners.

use std::io::Write as _;

use golem_runtime::EventLine;

use crate::fake::{FakeChain, born, reopen, resume};

fn lines(dir: &std::path::Path) -> Vec<EventLine> {
    let text = std::fs::read_to_string(dir.join("ada.jsonl")).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

/// R-050, M-171: every event is one line with its catalogue's name; a line a crash tore is cut, none is written twice.
#[tokio::test]
async fn r_050_each_event_is_told_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    let mut runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &chain);
    for _ in 0..5 {
        runtime.tick().await.expect("lives");
    }
    drop(runtime);
    let before = lines(dir.path());
    assert!(before.iter().any(|line| line.name == "golem.vitality_update"));
    assert!(before.iter().all(|line| line.name == line.data.telemetry_name()));
    let mut file = std::fs::OpenOptions::new().append(true).open(dir.path().join("ada.jsonl")).expect("opens");
    file.write_all(b"{\"seq\":9,\"ind").expect("torn");
    drop(file);
    let mut runtime = resume(dir.path(), "ada", reopen(dir.path(), "ada"), &chain);
    assert_eq!(lines(dir.path()), before, "replayed passes are not told again");
    runtime.tick().await.expect("lives");
    let after = lines(dir.path());
    assert_eq!(after[..before.len()], before[..]);
    assert!(after.len() > before.len());
    let places: std::collections::BTreeSet<_> = after.iter().map(|line| (line.seq, line.index)).collect();
    assert_eq!(places.len(), after.len(), "each has its place");
}

/// the metrics say where a life stands, in the format Prometheus reads.
#[tokio::test]
async fn r_050_metrics_show_the_life() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    let mut runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &chain);
    for _ in 0..3 {
        runtime.tick().await.expect("lives");
    }
    let text = runtime.telemetry().metrics().encode();
    for line in [
        "golem_tick{golem=\"ada\"} 3",
        "golem_alive{golem=\"ada\"} 1",
        "golem_blind{golem=\"ada\"} 0",
        "golem_credits_usdc{golem=\"ada\",partition=\"gas\"} 12.0",
        "golem_events_total{name=\"golem.vitality_update\"} 3",
        "golem_tick_own_seconds_count 3",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}
