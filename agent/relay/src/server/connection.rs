//! One link, from its greeting to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use alloy::primitives::{Address, B256};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use golem_inheritance::guard::{Access, check_frame};
use golem_primitives::UtcTime;
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::Shared;
use super::hub::Ear;
use crate::frame::{Frame, Statement, statements};
use crate::gate::{Caller, Sight};
use crate::log::LogError;
use crate::message::{PAGE, RefusalReason, RelayRefusal, Said, Told, delivery};
use crate::scents::{Breather, Leaving};

/// How long who connects may take to say who he is.
const HELLO: Duration = Duration::from_secs(5);
/// How often a link is asked whether it is there, and after how long without a sign it is gone.
const PING: Duration = Duration::from_secs(20);
const IDLE: Duration = Duration::from_secs(60);
/// Messages that wait for a slow reader, and how long one may wait.
const QUEUE: usize = 64;
const SEND: Duration = Duration::from_secs(10);
/// Refusals after which who sends nonsense is cut.
const PATIENCE: u32 = 20;

/// Who is at the other end.
struct Guest {
    vault: Address,
    owner: Address,
}

/// A link that stands.
struct Standing<'a> {
    shared: &'a Shared,
    guest: Guest,
    out: mpsc::Sender<Message>,
    /// Refusals that no honest sender meets.
    nonsense: u32,
}

/// Why a link ends.
enum End {
    /// With a word about it.
    Refused(RelayRefusal),
    Gone,
}

impl From<RelayRefusal> for End {
    fn from(refused: RelayRefusal) -> Self {
        Self::Refused(refused)
    }
}

/// Serves one link.
pub(super) async fn attend(shared: Arc<Shared>, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    let guest = match timeout(HELLO, greet(&shared, &mut sink, &mut stream)).await {
        Ok(Ok(guest)) => guest,
        Ok(Err(End::Refused(refused))) => {
            tracing::info!(%refused, "a link is refused");
            return part(&mut sink, refused).await;
        }
        Ok(Err(End::Gone)) => return,
        Err(_) => return part(&mut sink, RelayRefusal::new(RefusalReason::Malformed, "no greeting within 5 s")).await,
    };
    let (out, queue) = mpsc::channel(QUEUE);
    let (behind, replaced) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
    let ear = Ear { out: out.clone(), behind: Arc::clone(&behind), replaced: Arc::clone(&replaced) };
    let (owner, vault) = (guest.owner, guest.vault);
    let writer = tokio::spawn(write(sink, queue, behind));
    let mut standing = Standing { shared: &shared, guest, out, nonsense: 0 };
    let end = match shared.hub.join(owner, vault, ear) {
        Ok(seat) => {
            tracing::info!(%vault, %owner, "linked");
            let end = standing.serve(&mut stream, &replaced).await;
            shared.hub.leave(owner, vault, seat);
            end
        }
        Err(refused) => End::Refused(refused),
    };
    if let End::Refused(refused) = end {
        tracing::info!(%vault, %refused, "a link is cut");
        let code = if refused.reason == RefusalReason::TooLarge { close_code::SIZE } else { close_code::POLICY };
        let text = Message::Text(Told::Refused(refused).text().into());
        let close = Message::Close(Some(CloseFrame { code, reason: "refused".into() }));
        let _ = timeout(SEND, async {
            let _ = standing.out.send(text).await;
            let _ = standing.out.send(close).await;
        })
        .await;
    }
    drop(standing);
    let _ = timeout(SEND, writer).await;
}

async fn part(sink: &mut SplitSink<WebSocket, Message>, refused: RelayRefusal) {
    let close = CloseFrame { code: close_code::POLICY, reason: refused.reason.name().into() };
    let _ = timeout(SEND, async {
        sink.send(Message::Text(Told::Refused(refused).text().into())).await?;
        sink.send(Message::Close(Some(close))).await
    })
    .await;
}

/// A number that was never used, and a signature over it.
async fn greet(
    shared: &Shared,
    sink: &mut SplitSink<WebSocket, Message>,
    stream: &mut SplitStream<WebSocket>,
) -> Result<Guest, End> {
    let mut nonce = B256::ZERO;
    let blind = |_| RelayRefusal::new(RefusalReason::Blind, "the relay has no randomness");
    getrandom::fill(nonce.as_mut_slice()).map_err(blind)?;
    let relay = shared.settings.name.clone();
    let challenge = Told::Challenge { nonce, relay: relay.clone() };
    sink.send(Message::Text(challenge.text().into())).await.map_err(|_| End::Gone)?;
    let text = loop {
        match stream.next().await {
            Some(Ok(Message::Text(text))) => break text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Binary(_))) => {
                return Err(RelayRefusal::new(RefusalReason::Malformed, "say hello first").into());
            }
            _ => return Err(End::Gone),
        }
    };
    let Said::Hello { vault, at, signature } = Said::read(&text)? else {
        return Err(RelayRefusal::new(RefusalReason::Malformed, "say hello first").into());
    };
    let no_signature = |_| RelayRefusal::new(RefusalReason::Malformed, "a signature has 65 bytes");
    let signature = <[u8; 65]>::try_from(signature.as_ref()).map_err(no_signature)?;
    let statement = Statement::Hello(statements::Hello { vault, relay, nonce, at });
    let caller = Caller { vault, at: UtcTime::from_seconds(at), statement, signature: &signature };
    let enrolled = shared.gate.admit(caller, shared.now(), Sight::Now).await?;
    let (last_place, last_seq) = shared.log.last(enrolled.owner, vault).await.map_err(|error| refuse(&error))?;
    let siblings = shared.hub.siblings(enrolled.owner);
    let ready = Told::Ready { log: shared.log.name().to_owned(), last_place, last_seq, siblings };
    sink.send(Message::Text(ready.text().into())).await.map_err(|_| End::Gone)?;
    Ok(Guest { vault, owner: enrolled.owner })
}

/// Sends what waits; a reader who takes nothing for ten seconds is cut, and pulls when he comes back.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut queue: mpsc::Receiver<Message>, behind: Arc<AtomicBool>) {
    while let Some(message) = queue.recv().await {
        let is_end = matches!(message, Message::Close(_));
        if !matches!(timeout(SEND, sink.send(message)).await, Ok(Ok(()))) || is_end {
            return;
        }
        if behind.swap(false, Ordering::AcqRel) {
            let text = Message::Text(Told::Behind.text().into());
            if !matches!(timeout(SEND, sink.send(text)).await, Ok(Ok(()))) {
                return;
            }
        }
    }
}

fn refuse(error: &LogError) -> RelayRefusal {
    let reason = match error {
        LogError::Forked { .. } => RefusalReason::Forked,
        LogError::Replayed { .. } => RefusalReason::Replayed,
        LogError::Full => RefusalReason::Full,
        LogError::Away { .. } | LogError::Address => {
            tracing::warn!(%error, "a frame is not kept");
            let words = "the relay cannot reach its log; try again later";
            return RelayRefusal { retry_after: 5, ..RelayRefusal::new(RefusalReason::Blind, words) };
        }
    };
    RelayRefusal {
        retry_after: if *error == LogError::Full { 3_600 } else { 0 },
        ..RelayRefusal::new(reason, error.to_string())
    }
}

impl Standing<'_> {
    async fn serve(&mut self, stream: &mut SplitStream<WebSocket>, replaced: &Notify) -> End {
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pings.reset();
        let mut heard = Instant::now();
        loop {
            let next = tokio::select! {
                biased;
                () = replaced.notified() => {
                    return End::Refused(RelayRefusal::new(RefusalReason::Replaced, "a newer link of this vault stands"));
                }
                next = stream.next() => next,
                _ = pings.tick() => {
                    if heard.elapsed() > IDLE {
                        return End::Gone;
                    }
                    // A sale, a new key or a death is felt by links that only listen, too.
                    if let Err(refused) = self.still_stands().await {
                        return End::Refused(refused);
                    }
                    let _ = self.out.try_send(Message::Ping(axum::body::Bytes::new()));
                    continue;
                }
            };
            heard = Instant::now();
            let heard = match next {
                Some(Ok(Message::Binary(bytes))) => self.frame(&bytes).await,
                Some(Ok(Message::Text(text))) => self.said(&text).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => Err(End::Gone),
            };
            if let Err(end) = heard {
                return end;
            }
        }
    }

    async fn still_stands(&self) -> Result<(), RelayRefusal> {
        let enrolled = self.shared.gate.standing(self.guest.vault, self.shared.now(), Sight::Lately).await?;
        self.same_owner(enrolled.owner)
    }

    fn same_owner(&self, owner: Address) -> Result<(), RelayRefusal> {
        if owner == self.guest.owner {
            return Ok(());
        }
        Err(RelayRefusal::new(RefusalReason::OwnerChanged, "this vault has another owner now; connect again"))
    }

    async fn tell(&self, told: &Told) -> Result<(), End> {
        self.out.send(Message::Text(told.text().into())).await.map_err(|_| End::Gone)
    }

    /// Tells a refusal. Who goes on sending what no honest sender does is cut.
    async fn refused(&mut self, refused: RelayRefusal) -> Result<(), End> {
        let is_end = matches!(
            refused.reason,
            RefusalReason::Dead
                | RefusalReason::Unknown
                | RefusalReason::OwnerChanged
                | RefusalReason::TooLarge
                | RefusalReason::NotKey
        );
        if !refused.reason.may_retry() {
            self.nonsense += 1;
        }
        if is_end || self.nonsense > PATIENCE {
            return Err(End::Refused(refused));
        }
        self.tell(&Told::Refused(refused)).await
    }

    async fn frame(&mut self, bytes: &[u8]) -> Result<(), End> {
        match self.store(bytes).await {
            Ok((seq, place)) => self.tell(&Told::Stored { seq, place }).await,
            Err(refused) => self.refused(refused).await,
        }
    }

    async fn store(&mut self, bytes: &[u8]) -> Result<(u64, u64), RelayRefusal> {
        let now = self.shared.now();
        if let Err(refusal) = check_frame(bytes.len()) {
            return Err(RelayRefusal::new(RefusalReason::TooLarge, refusal.to_string()));
        }
        // Its number, before anything else is known, so that who is told no knows of what.
        let seq = bytes.get(21..29).and_then(|seq| seq.try_into().ok()).map_or(0, u64::from_be_bytes);
        self.shared.spend(self.guest.vault, Access::Write, now).map_err(|refused| refused.of(seq))?;
        let frame = Frame::decode(bytes)
            .map_err(|error| RelayRefusal::new(RefusalReason::Malformed, error.to_string()).of(seq))?;
        if frame.vault != self.guest.vault {
            return Err(RelayRefusal::new(RefusalReason::NotKey, "a link carries the words of its own vault").of(seq));
        }
        let statement = frame.statement();
        let caller = Caller { vault: frame.vault, at: frame.at, statement, signature: &frame.signature };
        let admitted = self.shared.gate.admit(caller, now, Sight::Lately).await;
        let enrolled = admitted.map_err(|refused| refused.of(seq))?;
        self.same_owner(enrolled.owner)?;
        let kept = self.shared.log.append(enrolled.owner, &frame, now).await;
        kept.map(|kept| (seq, kept.place)).map_err(|error| refuse(&error).of(seq))
    }

    async fn said(&mut self, text: &str) -> Result<(), End> {
        let now = self.shared.now();
        if let Err(refused) = self.shared.spend(self.guest.vault, Access::Read, now) {
            return self.refused(refused).await;
        }
        let said = match Said::read(text) {
            Ok(said) => said,
            Err(refused) => return self.refused(refused).await,
        };
        match said {
            Said::Hello { .. } => {
                self.refused(RelayRefusal::new(RefusalReason::Malformed, "hello was said already")).await
            }
            Said::Pull { after, most } => self.page(after, most.min(PAGE), now).await,
            Said::Leave { class, intensity_ppm, domain, regime } => {
                let leaving = Leaving { class: &class, intensity_ppm, domain: &domain, regime: regime.as_deref() };
                let left = self.shared.air().leave(&self.breather(), &leaving, now);
                match left {
                    Ok(left) => match self.shared.log.leave(&left).await {
                        Ok(()) => self.tell(&Told::Left).await,
                        Err(error) => self.refused(refuse(&error)).await,
                    },
                    Err(refused) => self.refused(refused).await,
                }
            }
            Said::Sense { domains, regime } => {
                let sensed = self.shared.air().sense(&self.breather(), &domains, regime.as_deref(), now);
                match sensed {
                    Ok(scents) => self.tell(&Told::Scents { scents }).await,
                    Err(refused) => self.refused(refused).await,
                }
            }
        }
    }

    /// I-323. Whose signs are left and sensed here.
    fn breather(&self) -> Breather<'_> {
        Breather { vault: self.guest.vault, owner: self.guest.owner, salt: self.shared.log.salt() }
    }

    /// I-103, I-112. What siblings said behind a place; never one's own words.
    async fn page(&mut self, after: u64, most: u16, now: UtcTime) -> Result<(), End> {
        let page = match self.shared.log.after(self.guest.owner, after, most, now).await {
            Ok(page) => page,
            Err(error) => return self.refused(refuse(&error)).await,
        };
        let through = page.entries.last().map_or(after, |entry| entry.place);
        for entry in page.entries.iter().filter(|entry| entry.vault != self.guest.vault) {
            let bytes = delivery(entry.place, &entry.frame);
            self.out.send(Message::Binary(bytes.into())).await.map_err(|_| End::Gone)?;
        }
        self.tell(&Told::Page { through, more: page.more }).await
    }
}
