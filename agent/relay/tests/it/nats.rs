//! A nats-server of one's own, held by a pipe: it ends when the test ends, however it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
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
    name: String,
    port: u16,
    health: u16,
    /// What else stands in its file.
    more: String,
    process: Option<(Child, u32)>,
    dir: TempDir,
}

/// A port that nobody listens at, below those that the system gives to whoever calls out: a server that is killed finds it free when it
/// comes back.
fn free() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = std::process::id().wrapping_mul(61).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = 16_000 + u16::try_from(number % 16_000).expect("small");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

impl Nats {
    pub(crate) fn up() -> Self {
        let mut nats = Self::at("n1", "sync_interval: always", "");
        nats.start();
        nats
    }

    fn at(name: &str, keeps: &str, more: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let (port, health) = (free(), free());
        let store = dir.path().join("js");
        let more = format!(
            "jetstream {{ store_dir: \"{}\", max_mem: 64MB, max_file: 200GB, {keeps} }}\n{more}",
            store.display()
        );
        Self { name: name.to_owned(), port, health, more, process: None, dir }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts it again where it was, and waits until it answers.
    pub(crate) fn start(&mut self) {
        self.launch();
        self.wait();
    }

    /// Starts it and waits for nothing: one of a cluster is well once the others are there.
    pub(crate) fn launch(&mut self) {
        let config = self.dir.path().join("nats.conf");
        let Self { name, port, health, more, .. } = self;
        let text = format!(
            "server_name: {name}\nlisten: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{health}\"\nmax_payload: 1114112\n{more}"
        );
        std::fs::write(&config, text).expect("written");
        self.process = Some(spawn(&program(), &config));
    }

    fn wait(&self) {
        let began = Instant::now();
        while !is_healthy(self.health) {
            assert!(began.elapsed() < Duration::from_secs(60), "nats-server does not answer");
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

/// The word that lets a relay in, as `deploy/nats` has one.
pub(crate) const TOKEN: &str = "4c5be1";

/// Three servers that are one cluster, as `deploy/nats` has them.
pub(crate) struct Cluster {
    pub(crate) nodes: [Nats; 3],
}

impl Cluster {
    pub(crate) fn up() -> Self {
        let routes = [free(), free(), free()];
        let all = routes.map(|port| format!("\"nats://127.0.0.1:{port}\"")).join(", ");
        let node = |at: usize| {
            let more = format!(
                "cluster {{ name: styx, listen: \"127.0.0.1:{}\", routes: [{all}] }}\nauthorization {{ token: \"{TOKEN}\" }}\n",
                routes[at]
            );
            // The usual interval: three servers are not killed at once here.
            Nats::at(&format!("n{at}"), "sync_interval: 2m", &more)
        };
        let mut cluster = Self { nodes: [node(0), node(1), node(2)] };
        cluster.nodes.iter_mut().for_each(Nats::launch);
        cluster.nodes.iter().for_each(Nats::wait);
        cluster
    }

    /// The address of one, with the word in it.
    pub(crate) fn url(&self, at: usize) -> String {
        format!("nats://{TOKEN}@127.0.0.1:{}", self.nodes[at].port)
    }

    /// All three, as a relay is told them.
    pub(crate) fn urls(&self) -> String {
        [0, 1, 2].map(|at| self.url(at)).join(",")
    }

    /// Which of them has that name.
    pub(crate) fn place(&self, name: &str) -> usize {
        self.nodes.iter().position(|node| node.name == name).expect("one of the three")
    }
}
