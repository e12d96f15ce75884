//! A nats-server of one's own, held by a pipe: it ends when the test ends, however it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Says the program's number, waits for the pipe to close, and ends it.
const LEASH: &str = r#""$@" </dev/null >/dev/null 2>&1 & child=$!; echo "$child"; read -r _; kill -9 "$child""#;

/// The program that scripts/setup found or fetched.
fn program() -> PathBuf {
    let told = std::env::var_os("BARDO_NATS").map(PathBuf::from);
    told.expect("BARDO_NATS names no nats-server: run `. scripts/setup` first")
}

/// One server that keeps what it was told on disk before it says so.
pub(crate) struct Nats {
    port: u16,
    health: u16,
    process: Option<(Child, u32)>,
    dir: TempDir,
}

fn free() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).and_then(|one| one.local_addr()).expect("a free port").port()
}

impl Nats {
    pub(crate) fn up() -> Self {
        let mut nats =
            Self { port: free(), health: free(), process: None, dir: tempfile::tempdir().expect("a folder") };
        nats.start();
        nats
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts it again where it was.
    pub(crate) fn start(&mut self) {
        let config = self.dir.path().join("nats.conf");
        let store = self.dir.path().join("js");
        let text = format!(
            "server_name: n1\nlisten: \"127.0.0.1:{}\"\nhttp: \"127.0.0.1:{}\"\nmax_payload: 1114112\n\
             jetstream {{ store_dir: \"{}\", max_mem: 64MB, max_file: 200GB, sync_interval: always }}\n",
            self.port,
            self.health,
            store.display()
        );
        std::fs::write(&config, text).expect("written");
        self.process = Some(spawn(&program(), &config));
        let began = Instant::now();
        while !is_healthy(self.health) {
            assert!(began.elapsed() < Duration::from_secs(20), "nats-server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// kill -9.
    pub(crate) fn kill(&mut self) {
        let (mut leash, pid) = self.process.take().expect("it runs");
        let killed = Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill");
        assert!(killed.success());
        drop(leash.stdin.take());
        let _ = leash.wait();
    }
}

fn spawn(program: &Path, config: &Path) -> (Child, u32) {
    let mut leash = Command::new("sh")
        .args(["-c", LEASH, "leash"])
        .arg(program)
        .arg("-c")
        .arg(config)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server");
    let mut line = String::new();
    BufReader::new(leash.stdout.take().expect("piped")).read_line(&mut line).expect("its number");
    let pid = line.trim().parse().expect("a number");
    (leash, pid)
}

fn is_healthy(port: u16) -> bool {
    let Ok(mut stream) = std::net::TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut answer = String::new();
    let asked = stream.write_all(b"GET /healthz HTTP/1.0\r\n\r\n");
    asked.and_then(|()| stream.read_to_string(&mut answer)).is_ok() && answer.contains("\"ok\"")
}

impl Drop for Nats {
    fn drop(&mut self) {
        if let Some((mut leash, _)) = self.process.take() {
            drop(leash.stdin.take());
            let _ = leash.wait();
        }
    }
}
