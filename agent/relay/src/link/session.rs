//! One connection to the relay, from its greeting to its end.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use alloy::primitives::Address;
use futures_util::{SinkExt as _, StreamExt as _};
use golem_inheritance::clade::delta::TTL;
use golem_inheritance::clade::link::BreakerState;
use golem_inheritance::guard::MOST_FRAME_BYTES;
use golem_inheritance::pheromone::gathered;
use golem_ports::CladeError;
use golem_primitives::UtcTime;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::words::{Outgoing, Taken, WaitingSign, Words};
use super::{Line, LinkSettings, Place, Sensed, VaultKey};
use crate::frame::{Frame, MOST_SEQ, SIGNATURE_BYTES, Statement, statements};
use crate::gate::{Gate, Sight};
use crate::message::{PAGE, RefusalReason, RelayRefusal, Said, Told, read_delivery};
use crate::trust::{self, TrustError};

/// How long a connection and a greeting may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long nothing at all may be heard: the relay asks after us three times in it.
const IDLE: Duration = Duration::from_secs(60);
/// I-112. How often what was heard at once is held against the log.
const RECONCILE: Duration = Duration::from_secs(300);
/// When a page that could not be checked or kept is asked for again.
const SPOILT: Duration = Duration::from_secs(10);
/// How long a refused word waits at least, and at most.
const LEAST_WAIT: u64 = 1;
const MOST_WAIT: u64 = 3_600;

/// Who carries.
pub(super) struct Carrier {
    pub(super) line: Arc<Line>,
    pub(super) gate: Arc<Gate>,
    pub(super) key: Arc<dyn VaultKey>,
    pub(super) relay: String,
    pub(super) settings: LinkSettings,
}

/// Why a connection ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum End {
    #[error("{0:?} is no relay's address; it begins with ws:// or wss://")]
    Address(String),
    #[error("the relay does not answer: {0}")]
    Unreachable(String),
    #[error(
        "the relay's certificate is not trusted: {0}; it must bear the name that the relay is called by, and come from an authority of \
         this machine or from the one under `ca` of [clade]"
    )]
    Untrusted(String),
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error("the relay calls itself {0}: another one answers at this address")]
    Another(String),
    #[error("the relay refuses: {0}")]
    Refused(RelayRefusal),
    #[error("the key did not sign: {0}")]
    Unsigned(String),
    #[error("the relay says what no relay says")]
    Strange,
    #[error("the connection ended")]
    Gone,
    #[error(transparent)]
    Words(#[from] CladeError),
}

fn unreachable(error: impl std::fmt::Display) -> End {
    End::Unreachable(error.to_string())
}

/// Why no secure connection came about: a relay that nobody vouches for is told from one that is away.
fn insecure(error: std::io::Error) -> End {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(why)) => End::Untrusted(why.to_string()),
        _ => unreachable(error),
    }
}

/// An address in its parts.
struct Target {
    is_secure: bool,
    host: String,
    port: u16,
    /// The name the relay goes by.
    name: String,
}

impl Target {
    fn of(relay: &str) -> Option<Self> {
        let (is_secure, rest) = match relay.strip_prefix("wss://") {
            Some(rest) => (true, rest),
            None => (false, relay.strip_prefix("ws://")?),
        };
        let name = rest.trim_end_matches('/');
        if name.is_empty() || name.contains(['/', '@', '?', '#']) {
            return None;
        }
        let is_bare = |host: &str| !host.contains(':') || (host.starts_with('[') && host.ends_with(']'));
        let (host, port) = match name.rsplit_once(':') {
            Some((host, port)) if is_bare(host) => (host, port.parse().ok()?),
            _ if is_bare(name) => (name, if is_secure { 443 } else { 80 }),
            _ => return None,
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        Some(Self { is_secure, host: host.to_owned(), port, name: name.to_owned() })
    }
}

impl Carrier {
    /// Connects and carries until the connection ends. `stood` when the relay had let us in.
    pub(super) async fn session(&self, stood: &mut bool) -> End {
        let Some(target) = Target::of(&self.relay) else { return End::Address(self.relay.clone()) };
        match self.connect(&target, stood).await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    async fn connect(&self, target: &Target, stood: &mut bool) -> Result<std::convert::Infallible, End> {
        let late = |_| unreachable("no answer in time");
        let tcp = timeout(CONNECT, TcpStream::connect((target.host.as_str(), target.port)));
        let tcp = tcp.await.map_err(late)?.map_err(unreachable)?;
        tcp.set_nodelay(true).map_err(unreachable)?;
        if !target.is_secure {
            return self.speak(target, tcp, stood).await;
        }
        let config = trust::config(self.settings.ca.as_deref())?;
        let name = rustls::pki_types::ServerName::try_from(target.host.clone()).map_err(unreachable)?;
        let secure = tokio_rustls::TlsConnector::from(Arc::new(config)).connect(name, tcp);
        let secure = timeout(CONNECT, secure).await.map_err(late)?.map_err(insecure)?;
        self.speak(target, secure, stood).await
    }

    async fn speak<S: AsyncRead + AsyncWrite + Unpin + Send>(
        &self,
        target: &Target,
        stream: S,
        stood: &mut bool,
    ) -> Result<std::convert::Infallible, End> {
        let most = Some(MOST_FRAME_BYTES + 4_096);
        let config = WebSocketConfig::default()
            .read_buffer_size(4_096)
            .write_buffer_size(0)
            .max_write_buffer_size(4 << 20)
            .max_message_size(most)
            .max_frame_size(most);
        let url = format!("ws://{}/", target.name);
        let shaken = tokio_tungstenite::client_async_with_config(url, stream, Some(config));
        let late = |_| unreachable("no answer in time");
        let (mut socket, _) = timeout(CONNECT, shaken).await.map_err(late)?.map_err(unreachable)?;
        let (log, last_seq, siblings) = timeout(CONNECT, self.greet(target, &mut socket)).await.map_err(late)??;
        let own = self.gate.standing(self.settings.vault, self.now(), Sight::Now).await.map_err(End::Refused)?;
        *stood = true;
        tracing::info!(relay = %self.relay, siblings, "linked to the Clade");
        self.line.siblings.store(i64::from(siblings), Ordering::Relaxed);
        let now = self.now();
        let met = move |words: &Words| {
            words.stand(BreakerState::Closed, None, now)?;
            words.meet(&log, last_seq)
        };
        let cursor = self.line.words.aside(met).await?;
        let mut talk = Talk {
            carrier: self,
            socket,
            owner: own.owner,
            cursor,
            pulling: None,
            flying: None,
            asked: VecDeque::new(),
            breathed: UtcTime::EPOCH,
            quiet_until: UtcTime::EPOCH,
            rest_until: None,
            reconcile_at: Instant::now() + RECONCILE,
        };
        talk.carry().await
    }

    /// Who we are, by the relay's number and under the name we called.
    async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        target: &Target,
        socket: &mut WebSocketStream<S>,
    ) -> Result<(String, u64, u32), End> {
        let Told::Challenge { nonce, relay } = hear(socket).await? else { return Err(End::Strange) };
        if relay != target.name {
            return Err(End::Another(relay));
        }
        let (vault, at) = (self.settings.vault, self.now().seconds());
        let signature = self.sign(Statement::Hello(statements::Hello { vault, relay, nonce, at })).await?;
        let hello = Said::Hello { vault, at, signature: signature.to_vec().into() };
        socket.send(Message::Text(hello.text().into())).await.map_err(|_| End::Gone)?;
        match hear(socket).await? {
            Told::Ready { log, last_seq, siblings, .. } => Ok((log, last_seq, siblings)),
            Told::Refused(refused) => Err(End::Refused(refused)),
            _ => Err(End::Strange),
        }
    }

    async fn sign(&self, statement: Statement) -> Result<[u8; SIGNATURE_BYTES], End> {
        self.key.sign(statement).await.map_err(End::Unsigned)
    }

    fn now(&self) -> UtcTime {
        (self.settings.clock)()
    }
}

/// The next text of a relay.
async fn hear<S: AsyncRead + AsyncWrite + Unpin>(socket: &mut WebSocketStream<S>) -> Result<Told, End> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => return Told::read(&text).map_err(|_| End::Strange),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Binary(_))) => return Err(End::Strange),
            _ => return Err(End::Gone),
        }
    }
}

/// What the relay was asked and did not answer yet; it answers in the order in which it was asked.
enum Question {
    /// For a page of words.
    Page,
    /// I-323. To take this sign.
    Sign(i64),
    /// I-326. What is in the air there.
    Air(Place),
}

/// A page that is on its way.
struct Pulling {
    /// Something of it could not be checked or kept: it is read again.
    is_spoilt: bool,
}

/// A connection that stands.
struct Talk<'a, S> {
    carrier: &'a Carrier,
    socket: WebSocketStream<S>,
    owner: Address,
    cursor: u64,
    pulling: Option<Pulling>,
    /// The one word that was sent and not answered.
    flying: Option<Outgoing>,
    asked: VecDeque<Question>,
    /// When the air was last asked for: once a second at most, however fast a life ticks.
    breathed: UtcTime,
    /// Until when no sign is left and no air is asked for.
    quiet_until: UtcTime,
    /// Until when nothing is sent.
    rest_until: Option<Instant>,
    reconcile_at: Instant,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Talk<'_, S> {
    async fn carry(&mut self) -> Result<std::convert::Infallible, End> {
        self.pull().await?;
        let mut heard = Instant::now();
        let carrier = self.carrier;
        loop {
            self.send_next().await?;
            self.leave_next().await?;
            self.breathe().await?;
            let rest = self.rest_until.unwrap_or(heard + IDLE);
            tokio::select! {
                biased;
                message = self.socket.next() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Binary(bytes))) => self.word(&bytes).await?,
                        Some(Ok(Message::Text(text))) => self.told(&text).await?,
                        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(End::Gone),
                    }
                }
                () = carrier.line.said.notified() => {}
                () = sleep_until(rest), if self.rest_until.is_some() => self.rest_until = None,
                () = sleep_until(self.reconcile_at) => self.pull().await?,
                () = sleep_until(heard + IDLE) => return Err(End::Gone),
            }
        }
    }

    async fn say(&mut self, said: &Said) -> Result<(), End> {
        self.socket.send(Message::Text(said.text().into())).await.map_err(|_| End::Gone)
    }

    /// I-108, I-112. Asks for what stands behind the last place that was read, a page at a time.
    async fn pull(&mut self) -> Result<(), End> {
        self.reconcile_at = Instant::now() + RECONCILE;
        if self.pulling.is_some() {
            return Ok(());
        }
        self.pulling = Some(Pulling { is_spoilt: false });
        self.ask(Question::Page, &Said::Pull { after: self.cursor, most: PAGE }).await
    }

    async fn ask(&mut self, question: Question, said: &Said) -> Result<(), End> {
        self.asked.push_back(question);
        self.say(said).await
    }

    /// I-323. Leaves the next sign, one at a time.
    async fn leave_next(&mut self) -> Result<(), End> {
        let is_leaving = self.asked.iter().any(|question| matches!(question, Question::Sign(_)));
        let now = self.carrier.now();
        if is_leaving || now < self.quiet_until {
            return Ok(());
        }
        let next = self.carrier.line.words.aside(move |words| words.next_sign(now)).await?;
        let Some(WaitingSign { id, sign }) = next else { return Ok(()) };
        let leave = Said::Leave {
            class: sign.class.name().to_owned(),
            intensity_ppm: sign.intensity.get(),
            domain: sign.domain.name().to_owned(),
            regime: sign.regime.map(|regime| regime.name().to_owned()),
        };
        self.ask(Question::Sign(id), &leave).await
    }

    /// I-326. Asks what is in the air where the life is, when it wants to know.
    async fn breathe(&mut self) -> Result<(), End> {
        let now = self.carrier.now();
        let is_asking = self.asked.iter().any(|question| matches!(question, Question::Air(_)));
        if is_asking || now < self.quiet_until || now == self.breathed {
            return Ok(());
        }
        let Some(place) = self.carrier.line.breath().asks.take() else { return Ok(()) };
        self.breathed = now;
        let domains = place.domains.iter().map(|domain| domain.name().to_owned()).collect();
        let regime = place.regime.map(|regime| regime.name().to_owned());
        self.ask(Question::Air(place), &Said::Sense { domains, regime }).await
    }

    /// I-326. What the relay tells of the air. What is no sign is left out, and of the rest the strongest of each kind is kept.
    fn sensed(&self, place: Place, told: &[crate::message::Sensed]) {
        let scents = gathered(told.iter().filter_map(crate::message::Sensed::scent), &place.domains);
        self.carrier.line.breath().sensed = Some(Sensed { place, at: self.carrier.now(), scents });
    }

    /// Sends the next word, one at a time: what is refused for now must not be overtaken by its own followers.
    async fn send_next(&mut self) -> Result<(), End> {
        if self.flying.is_some() || self.rest_until.is_some() {
            return Ok(());
        }
        let Some(next) = self.carrier.line.words.aside(|words| words.next()).await? else { return Ok(()) };
        let mut frame = Frame {
            vault: self.carrier.settings.vault,
            seq: next.seq,
            at: self.carrier.now(),
            kind: next.kind,
            signature: [0; SIGNATURE_BYTES],
            body: next.body.clone(),
        };
        frame.signature = self.carrier.sign(frame.statement()).await?;
        self.flying = Some(next);
        self.socket.send(Message::Binary(frame.encode().into())).await.map_err(|_| End::Gone)
    }

    async fn told(&mut self, text: &str) -> Result<(), End> {
        match Told::read(text).map_err(|_| End::Strange)? {
            Told::Stored { seq, .. } => {
                // A relay that confirms what was not sent is not believed.
                let Some(done) = self.flying.take_if(|flying| flying.seq == seq) else { return Err(End::Strange) };
                self.carrier.line.words.aside(move |words| words.done(done.id)).await?;
            }
            Told::Refused(refused) => self.refused(refused).await?,
            Told::Page { through, more } => self.page(through, more).await?,
            Told::Behind => self.pull().await?,
            Told::Siblings { count } => self.carrier.line.siblings.store(i64::from(count), Ordering::Relaxed),
            Told::Left => {
                let Some(Question::Sign(id)) = self.asked.pop_front() else { return Err(End::Strange) };
                self.carrier.line.words.aside(move |words| words.left(id)).await?;
            }
            Told::Scents { scents } => {
                let Some(Question::Air(place)) = self.asked.pop_front() else { return Err(End::Strange) };
                self.sensed(place, &scents);
            }
            Told::Challenge { .. } | Told::Ready { .. } => return Err(End::Strange),
        }
        Ok(())
    }

    async fn refused(&mut self, refused: RelayRefusal) -> Result<(), End> {
        let words = &self.carrier.line.words;
        let Some(flying) = self.flying.take_if(|flying| flying.seq == refused.seq) else {
            return self.unanswered(refused).await;
        };
        match refused.reason {
            RefusalReason::Forked | RefusalReason::Replayed => {
                words.aside(move |words| words.renumber(flying.id)).await?
            }
            RefusalReason::TooLarge | RefusalReason::Malformed => {
                tracing::error!(%refused, kind = ?flying.kind, "a word is refused for good and dropped");
                words.aside(move |words| words.done(flying.id)).await?;
            }
            reason if reason.may_retry() => {
                tracing::info!(%refused, "a word waits");
                let wait = Duration::from_secs(refused.retry_after.clamp(LEAST_WAIT, MOST_WAIT));
                self.rest_until = Some(Instant::now() + wait);
            }
            _ => return Err(End::Refused(refused)),
        }
        Ok(())
    }

    /// A refusal of the link or of a question, not of a word.
    async fn unanswered(&mut self, refused: RelayRefusal) -> Result<(), End> {
        let may_wait = matches!(refused.reason, RefusalReason::TooMany | RefusalReason::Blind | RefusalReason::Full);
        let wait = Duration::from_secs(refused.retry_after.clamp(LEAST_WAIT, MOST_WAIT));
        match self.asked.pop_front() {
            Some(Question::Page) if may_wait => {
                self.pulling = None;
                self.reconcile_at = Instant::now() + wait;
            }
            // Words do not wait for it, and the same sign is worth another try.
            Some(Question::Sign(_) | Question::Air(_)) if may_wait => {
                self.quiet_until = UtcTime::from_seconds(self.carrier.now().seconds() + wait.as_secs());
            }
            // A relay that knows no such sign knows the words all the same.
            Some(Question::Sign(id)) if refused.reason == RefusalReason::Malformed => {
                tracing::warn!(%refused, "a sign is refused for good and dropped");
                self.carrier.line.words.aside(move |words| words.left(id)).await?;
            }
            Some(Question::Air(_)) if refused.reason == RefusalReason::Malformed => {
                tracing::warn!(%refused, "the relay does not say what is in the air");
            }
            _ => return Err(End::Refused(refused)),
        }
        Ok(())
    }

    async fn page(&mut self, through: u64, more: bool) -> Result<(), End> {
        let Some(Question::Page) = self.asked.pop_front() else { return Err(End::Strange) };
        let Some(pulled) = self.pulling.take() else { return Err(End::Strange) };
        if through > MOST_SEQ || (more && through <= self.cursor) {
            return Err(End::Strange);
        }
        if pulled.is_spoilt {
            self.reconcile_at = Instant::now() + SPOILT;
            return Ok(());
        }
        if through > self.cursor {
            self.cursor = through;
            let now = self.carrier.now();
            self.carrier.line.words.aside(move |words| words.read_to(through, now)).await?;
        }
        if more { self.pull().await } else { Ok(()) }
    }

    /// A sibling's word, or what a relay gives out for one.
    async fn word(&mut self, bytes: &[u8]) -> Result<(), End> {
        let frame = match read_delivery(bytes) {
            Ok((_, frame)) => frame,
            Err(error) => {
                tracing::warn!(%error, "the relay sent what is no frame");
                return Ok(());
            }
        };
        let now = self.carrier.now();
        let from = frame.vault;
        // What is too old is not told by an honest relay; it is how an old word would be told again.
        if from == self.carrier.settings.vault || now.since(frame.at) > TTL {
            return Ok(());
        }
        match self.carrier.gate.attest(&frame, self.owner, now).await {
            Ok(()) => {}
            Err(refused) if refused.reason == RefusalReason::Blind => {
                self.spoil();
                return Ok(());
            }
            Err(refused) => {
                tracing::warn!(%from, %refused, "the relay sent a word that is no sibling's");
                return Ok(());
            }
        }
        match self.carrier.line.words.aside(move |words| words.hear(&frame)).await? {
            Taken::New | Taken::Again => {}
            Taken::Equivocal => {
                tracing::warn!(%from, "a sibling said two things under one number; the second is dropped")
            }
            Taken::NoRoom => self.spoil(),
        }
        Ok(())
    }

    fn spoil(&mut self) {
        if let Some(pulling) = &mut self.pulling {
            pulling.is_spoilt = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-101: addresses of relays, and what is none.
    #[test]
    fn i_101_a_relays_address_is_understood_or_refused() {
        for (given, name, host, port) in [
            ("wss://styx.bardo.run", "styx.bardo.run", "styx.bardo.run", 443),
            ("ws://127.0.0.1:4200/", "127.0.0.1:4200", "127.0.0.1", 4_200),
            ("ws://[::1]:4200", "[::1]:4200", "::1", 4_200),
            ("wss://[::1]", "[::1]", "::1", 443),
        ] {
            let target = Target::of(given).expect(given);
            assert_eq!((target.name.as_str(), target.host.as_str(), target.port), (name, host, port));
        }
        for wrong in ["", "styx.bardo.run", "http://a", "ws://", "ws://a:b", "ws://a:70000", "ws://a/b", "ws://u@a"] {
            assert!(Target::of(wrong).is_none(), "{wrong}");
        }
    }
}
