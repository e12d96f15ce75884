//! A server on a free port, and as much of HTTP as a stranger speaks.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use golem_edge::server::{ServerLimits, serve};
use golem_view::picture;
use golem_web::{Answering, Bookmark, Doorkeeper, GolemSource, Hearing, News, Question, Refused, Token, Told, routes};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

picture! {
    /// What the made-up source says.
    pub(crate) struct Word { said: String }
}

/// Remembers what it was asked, and stands after a pass that the test chooses.
pub(crate) struct Parrot {
    pub(crate) asked: Mutex<Vec<Question>>,
    pub(crate) pass: Mutex<u64>,
    pub(crate) of: Mutex<String>,
}

impl GolemSource for Parrot {
    fn answer(&self, question: Question) -> Answering {
        let answer = match &question {
            Question::Fleet => Ok(Told::of(&Word { said: "<script>everybody</script>".to_owned() })),
            Question::Portrait(golem) if golem == "nobody" => Err(Refused::Missing("there is nobody".to_owned())),
            Question::Chain(_) => Err(Refused::Away("the chain sleeps".to_owned())),
            _ => Ok(Told::of(&Word { said: format!("{question:?}") })),
        };
        self.asked.lock().expect("whole").push(question);
        Box::pin(async { answer })
    }

    /// As a store does: near marks get what is new, others are told to begin again.
    fn news(&self, _: Option<String>, since: Option<Bookmark>) -> Hearing {
        let mark = Bookmark { of: self.of.lock().expect("whole").clone(), pass: *self.pass.lock().expect("whole") };
        let told = Told::of(&Word { said: format!("pass {}", mark.pass) });
        let news = match since {
            Some(since) if since == mark => News::Nothing,
            Some(since) if since.of != mark.of || since.pass > mark.pass || mark.pass - since.pass > 100 => {
                News::Afresh { mark }
            }
            _ => News::Since { mark, told },
        };
        Box::pin(async { Ok(news) })
    }
}

pub(crate) struct Server {
    pub(crate) at: SocketAddr,
    pub(crate) parrot: Arc<Parrot>,
    address: String,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let at = listener.local_addr().expect("an address");
        let guard = Doorkeeper::new(at, Token::of([7; 32]));
        let address = guard.address();
        let parrot =
            Arc::new(Parrot { asked: Mutex::default(), pass: Mutex::new(10), of: Mutex::new("0xada".to_owned()) });
        let limits = ServerLimits { connections: 8, patience: Duration::from_secs(60) };
        let task = tokio::spawn(serve(listener, routes(parrot.clone(), guard), limits));
        Self { at, parrot, address, task }
    }

    pub(crate) fn token(&self) -> &str {
        self.address.rsplit('#').next().expect("a token")
    }

    /// Sends a request with these headers and reads the whole answer.
    pub(crate) async fn ask(&self, first: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = self.open(first, headers, body).await;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.expect("an answer");
        Answer(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) async fn open(&self, first: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.at).await.expect("connects");
        let mut text = format!("{first} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        headers.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\r\n")));
        text.push_str(&format!("\r\n{body}"));
        stream.write_all(text.as_bytes()).await.expect("sent");
        stream
    }

    /// As the page asks.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        let (host, bearer) = (self.at.to_string(), format!("Bearer {}", self.token()));
        self.ask(&format!("GET {path}"), &[("host", &host), ("authorization", &bearer)], "").await
    }
}

pub(crate) struct Answer(pub(crate) String);

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        self.0.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("no status: {}", self.0))
    }
}
