//! What goes wrong says so and leaves no process behind.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use golem_devnet::market::MarketKind;
use golem_devnet::{Devnet, DevnetError, DevnetSettings, Fork, check_chain_id};

use crate::support::{is_alive, still, up};

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !done() {
        assert!(Instant::now() < deadline, "{what} within ten seconds");
        // Whoever is waited for needs the core.
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let error = up(|s| s.port = Some(port)).await.err().expect("taken");
    assert!(matches!(error, DevnetError::PortTaken { port: p } if p == port), "{error}");
    assert!(error.to_string().contains("--port"));
}

#[tokio::test]
async fn a_killed_anvil_is_reported_as_such() {
    let mut net = still().await;
    let pid = net.devnet.anvil_pid();
    std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).status().expect("ran");
    wait_until("anvil ends", || !is_alive(pid));
    let error = net.devnet.advance().await.expect_err("gone");
    assert!(matches!(error, DevnetError::NodeDied { .. }), "{error}");
}

#[tokio::test]
async fn a_dropped_devnet_and_a_stopped_one_leave_no_process() {
    let net = still().await;
    let pid = net.devnet.anvil_pid();
    assert!(is_alive(pid));
    drop(net);
    wait_until("the dropped anvil ends", || !is_alive(pid));

    let net = still().await;
    let pid = net.devnet.anvil_pid();
    net.devnet.stop().await.expect("stopped");
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn a_second_devnet_in_the_same_folder_is_refused() {
    let net = still().await;
    let error = Devnet::up(DevnetSettings::new(net.dir.path()), &mut |_| {}).await.expect_err("held");
    assert!(matches!(error, DevnetError::AlreadyRunning { .. }), "{error}");
    assert!(error.to_string().contains(net.devnet.rpc_url()), "{error}");
}

#[tokio::test]
async fn a_stale_or_torn_saved_state_is_refused_on_resume_and_rebuilt_from_the_cache() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut settings = DevnetSettings::new(dir.path());
    settings.market = MarketKind::Still;
    settings.resume = true;
    let error = Devnet::up(settings.clone(), &mut |_| {}).await.expect_err("nothing saved");
    assert!(matches!(error, DevnetError::StaleState { .. }), "{error}");

    settings.resume = false;
    let mut net = Devnet::up(settings.clone(), &mut |_| {}).await.expect("up");
    net.save().await.expect("saved");
    net.stop().await.expect("stopped");

    settings.resume = true;
    settings.seed += 1;
    let error = Devnet::up(settings.clone(), &mut |_| {}).await.expect_err("other settings").to_string();
    assert!(error.contains("other settings") && error.contains("without --resume"), "{error}");

    settings.seed -= 1;
    for entry in std::fs::read_dir(dir.path()).expect("listed") {
        let path = entry.expect("listed").path();
        if path.to_string_lossy().ends_with(".state.json") {
            let bytes = std::fs::read(&path).expect("read");
            std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("torn");
        }
    }
    let error = Devnet::up(settings.clone(), &mut |_| {}).await.expect_err("torn").to_string();
    assert!(error.contains("torn"), "{error}");

    settings.resume = false;
    let net = Devnet::up(settings, &mut |_| {}).await.expect("a torn cache is built again");
    net.stop().await.expect("stopped");
}

#[test]
fn a_public_chains_id_is_refused_by_name() {
    for (chain_id, name) in
        [(1, "mainnet"), (8453, "base"), (84532, "base-sepolia"), (10, "optimism"), (42161, "arbitrum")]
    {
        let error = check_chain_id(chain_id).expect_err(name).to_string();
        assert!(error.contains(name), "{error}");
    }
    for chain_id in [763_088, 31_337, 1_337] {
        check_chain_id(chain_id).expect("nobody's");
    }
}

#[tokio::test]
async fn a_fork_of_nothing_says_what_is_missing() {
    let nobody = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = nobody.local_addr().expect("bound").port();
    drop(nobody);
    let fork = |url: String| move |s: &mut DevnetSettings| s.fork = Some(Fork { url, block: None });
    let error = up(fork(format!("http://127.0.0.1:{port}"))).await.err().expect("nobody there");
    assert!(matches!(error, DevnetError::Rpc { .. }), "{error}");
    let error = up(fork("not a url".to_owned())).await.err().expect("no url");
    assert!(error.to_string().contains("not a url"), "{error}");
}
