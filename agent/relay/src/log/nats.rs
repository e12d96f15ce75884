//! The log beyond one machine: eight streams of NATS JetStream, shared by any number of relays that keep nothing.
//!
//! An owner's frames are all in the stream that his address hashes to, each vault's under a subject of its own. That a
//! vault's numbers go up is checked by the server itself: whoever appends says which frame he believes to be the last.
//! What is stored is told to every relay (`republish`), and whoever was away reads batches straight from the stream: no
//! Golem costs the cluster anything but its frames.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alloy::primitives::{Address, B256, keccak256};
use async_nats::jetstream::context::{Context, ContextBuilder, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{self, DiscardPolicy, Republish, Stream};
use async_nats::jetstream::{ErrorCode, kv, object_store};
use async_nats::{Client, ConnectOptions, Message, ServerAddr};
use axum::body::Bytes;
use futures_util::StreamExt as _;
use golem_inheritance::clade::delta::TTL;
use golem_primitives::UtcTime;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::{Filing, Fresh, Later, LeftScent, Log, LogEntry, LogError, Page, is_kept, settle};
use crate::frame::Frame;
use crate::message::{PAGE, PAGE_BYTES};
use crate::scents::SCENT_TTL;

/// Streams there are. A stream for every owner would cost each server memory and time for owners who sleep.
const SHARDS: u8 = 8;
/// How long an answer of the cluster may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a stream may take to be made, by a cluster that has just met.
const MAKING: Duration = Duration::from_secs(20);
/// Header of a stored frame: when the relay took it.
const STORED_AT: &str = "Styx-At";
/// Where scents are laid.
const SCENTS: &str = "STYX_SCENTS";
/// Tails that are remembered; a vault's last frame is read again when it was forgotten.
const TAILS: usize = 65_536;

/// How a cluster keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NatsSettings {
    /// On how many of its servers everything stands.
    pub replicas: usize,
    /// Frames of one vault at most; the next one is refused and its sender keeps it.
    pub frames_per_vault: i64,
    /// Bytes of one of the eight streams at most.
    pub stream_bytes: i64,
}

impl Default for NatsSettings {
    fn default() -> Self {
        Self { replicas: 1, frames_per_vault: 16_384, stream_bytes: 8 << 30 }
    }
}

/// The last frame of a vault.
#[derive(Debug, Clone, Copy, Default)]
struct Tail {
    place: u64,
    seq: u64,
    content: B256,
}

/// A log in a cluster of NATS servers.
pub struct NatsLog {
    client: Client,
    context: Context,
    shards: Vec<Stream>,
    tails: Mutex<HashMap<(Address, Address), Tail>>,
    name: String,
    salt: Vec<u8>,
    archive: object_store::ObjectStore,
}

impl std::fmt::Debug for NatsLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NatsLog").field("name", &self.name).finish_non_exhaustive()
    }
}

impl NatsLog {
    /// Connects, and makes what the relay stands on where it is not there yet. `urls` are addresses of servers of one cluster, with
    /// commas between them: one that answers is enough, and the others are learnt from it.
    ///
    /// # Errors
    /// [`LogError::Address`] for what is no address, [`LogError::Away`] when nobody answers, or when the cluster cannot keep so many
    /// copies.
    pub async fn connect(urls: &str, settings: NatsSettings) -> Result<Self, LogError> {
        let (servers, options) = reach(urls)?;
        let options = options
            .name("bardo relay")
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .reconnect_delay_callback(|attempts| Duration::from_millis(100 * attempts.min(20) as u64));
        let client = options.connect(servers).await.map_err(LogError::away)?;
        let context = ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE).build(client.clone());
        let mut shards = Vec::new();
        for shard in 0..SHARDS {
            make(|| context.create_or_update_stream(shard_config(shard, settings))).await?;
            shards.push(make(|| context.get_stream(stream_name(shard))).await?);
        }
        make(|| context.create_or_update_stream(scent_config(settings))).await?;
        let bucket = kv::Config {
            bucket: "STYX".to_owned(),
            history: 1,
            num_replicas: settings.replicas,
            ..kv::Config::default()
        };
        let facts = make(|| context.create_key_value(bucket.clone())).await?;
        let name = alloy::hex::encode(once(&facts, "name").await?);
        let salt = once(&facts, "salt").await?;
        let objects = object_store::Config {
            bucket: "STYX_ARCHIVE".to_owned(),
            num_replicas: settings.replicas,
            ..object_store::Config::default()
        };
        let archive = make(|| context.create_object_store(objects.clone())).await?;
        Ok(Self { client, context, shards, tails: Mutex::default(), name, salt, archive })
    }

    /// Where archives are laid.
    pub(crate) const fn objects(&self) -> &object_store::ObjectStore {
        &self.archive
    }

    fn tail_known(&self, owner: Address, vault: Address) -> Option<Tail> {
        self.tails.lock().unwrap_or_else(PoisonError::into_inner).get(&(owner, vault)).copied()
    }

    fn note_tail(&self, owner: Address, vault: Address, tail: Option<Tail>) {
        let mut tails = self.tails.lock().unwrap_or_else(PoisonError::into_inner);
        if tails.len() >= TAILS {
            tails.clear();
        }
        match tail {
            Some(tail) => drop(tails.insert((owner, vault), tail)),
            None => drop(tails.remove(&(owner, vault))),
        }
    }

    /// The last frame of a vault, as the stream's leader has it.
    async fn tail(&self, owner: Address, vault: Address) -> Result<Tail, LogError> {
        if let Some(tail) = self.tail_known(owner, vault) {
            return Ok(tail);
        }
        let stream = &self.shards[usize::from(shard_of(owner))];
        let asked = stream.get_last_raw_message_by_subject(&subject(owner, &format!("{vault:x}"))).await;
        let tail = match asked {
            Ok(found) => {
                let frame = Frame::decode(&found.payload).map_err(LogError::away)?;
                Tail { place: found.sequence, seq: frame.seq, content: frame.content() }
            }
            Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => Tail::default(),
            Err(error) => return Err(leaderless(error)),
        };
        self.note_tail(owner, vault, Some(tail));
        Ok(tail)
    }

    async fn put(&self, owner: Address, frame: &Frame, now: UtcTime) -> Result<Filing, LogError> {
        // Another relay may have appended between the look and the try; twice is chance, more is a flood.
        const TRIES: usize = 4;
        let (payload, content) = (Bytes::from(frame.encode()), frame.content());
        let subject = subject(owner, &format!("{:x}", frame.vault));
        for _ in 0..TRIES {
            let tail = self.tail(owner, frame.vault).await?;
            if frame.seq == tail.seq {
                return settle(tail.place, tail.content, frame);
            }
            if frame.seq < tail.seq {
                return self.settle_older(owner, frame, tail.seq, now).await;
            }
            // A frame that comes twice is refused by its place, so the servers need not remember what they were sent.
            let message = PublishMessage::build()
                .payload(payload.clone())
                .header(STORED_AT, now.seconds().to_string())
                .expected_last_subject_sequence(tail.place);
            let sent = self.context.send_publish(subject.clone(), message).await;
            let acked = match sent {
                Ok(ack) => ack.await,
                Err(error) => Err(error),
            };
            match acked {
                Ok(ack) => {
                    let tail = Tail { place: ack.sequence, seq: frame.seq, content };
                    self.note_tail(owner, frame.vault, Some(tail));
                    return Ok(Filing { place: ack.sequence, is_again: false });
                }
                Err(error) => {
                    self.note_tail(owner, frame.vault, None);
                    match error.kind() {
                        PublishErrorKind::WrongLastSequence => {}
                        PublishErrorKind::Other if is_full(&error) => return Err(LogError::Full),
                        PublishErrorKind::StreamNotFound | PublishErrorKind::TimedOut => return Err(leaderless(error)),
                        _ => return Err(LogError::away(error)),
                    }
                }
            }
        }
        Err(LogError::away("other relays append for the same vault"))
    }

    /// A number below the last: the same word again, another word, or one from before all that is kept.
    async fn settle_older(&self, owner: Address, frame: &Frame, last: u64, now: UtcTime) -> Result<Filing, LogError> {
        let own = subject(owner, &format!("{:x}", frame.vault));
        let mut place = 0;
        loop {
            let page = self.batch(shard_of(owner), &own, place, PAGE).await?;
            for message in &page.messages {
                let found = Frame::decode(&message.payload).map_err(LogError::away)?;
                if found.seq == frame.seq && is_kept(stored_at(message), now) {
                    return settle(sequence(message)?, found.content(), frame);
                }
            }
            match page.messages.last() {
                Some(message) if page.more => place = sequence(message)?,
                _ => return Err(LogError::Replayed { seq: frame.seq, last }),
            }
        }
    }

    async fn batch(&self, shard: u8, filter: &str, after: u64, most: u16) -> Result<Batch, LogError> {
        read_batch(&self.client, &stream_name(shard), filter, after, most).await
    }
}

/// Messages of a stream, in order.
struct Batch {
    messages: Vec<Message>,
    more: bool,
}

/// One request, many answers: the server sends them one behind the other and then says that it was all.
async fn read_batch(client: &Client, stream: &str, filter: &str, after: u64, most: u16) -> Result<Batch, LogError> {
    let inbox = client.new_inbox();
    let mut answers = client.subscribe(inbox.clone()).await.map_err(LogError::away)?;
    let asked = serde_json::json!({
        "batch": most, "max_bytes": PAGE_BYTES, "seq": after.saturating_add(1), "next_by_subj": filter
    });
    client
        .publish_with_reply(format!("$JS.API.DIRECT.GET.{stream}"), inbox, asked.to_string().into())
        .await
        .map_err(LogError::away)?;
    let mut messages = Vec::new();
    loop {
        let told = timeout(PATIENCE, answers.next()).await.map_err(|_| LogError::away("no answer in time"))?;
        let message = told.ok_or_else(|| LogError::away("the connection ended"))?;
        match message.status.map(|status| status.as_u16()) {
            None => messages.push(message),
            Some(404) => return Ok(Batch { messages, more: false }),
            Some(204) => {
                let pending = header(&message, "Nats-Num-Pending").and_then(|text| text.parse::<u64>().ok());
                return Ok(Batch { messages, more: pending.unwrap_or_default() > 0 });
            }
            Some(status) => return Err(LogError::away(format!("the stream answered {status}"))),
        }
    }
}

fn header<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    message.headers.as_ref()?.get(name).map(async_nats::HeaderValue::as_str)
}

fn sequence(message: &Message) -> Result<u64, LogError> {
    let said = header(message, "Nats-Sequence").and_then(|text| text.parse().ok());
    said.ok_or_else(|| LogError::away("a message came without its place"))
}

fn stored_at(message: &Message) -> UtcTime {
    let said = header(message, STORED_AT).and_then(|text| text.parse().ok());
    UtcTime::from_seconds(said.unwrap_or_default())
}

/// Nobody confirmed: what that is about, in the words of whoever keeps the servers. The client's own speak of a stream that was not
/// found, and of nothing but time.
fn leaderless(error: impl std::fmt::Display) -> LogError {
    LogError::away(format!(
        "{error}; most of the servers that keep it must be there and have chosen one that leads, look at their /healthz"
    ))
}

/// Where the servers stand, and the word that lets a relay in. The client makes nothing of what stands before an `@`, and of servers that
/// it learns of it knows the place alone: so the word counts for the whole cluster, and is taken out of addresses, which logs show.
fn reach(urls: &str) -> Result<(Vec<ServerAddr>, ConnectOptions), LogError> {
    let (mut servers, mut options) = (Vec::new(), ConnectOptions::new());
    for url in urls.split(',').map(str::trim) {
        let server: ServerAddr = url.parse().map_err(|_| LogError::Address)?;
        // A sign of a web address within the word would make a host of its first half, which then everybody is asked for.
        let mut bare = server.clone().into_inner();
        let ends_there = matches!(bare.path(), "" | "/") && bare.query().is_none() && bare.fragment().is_none();
        if server.host().is_empty() || !ends_there || bare.username().contains('%') {
            return Err(LogError::Address);
        }
        options = match (server.username(), server.password()) {
            (Some(user), Some(password)) => options.user_and_password(user.to_owned(), password.to_owned()),
            (Some(token), None) => options.token(token.to_owned()),
            (None, _) => options,
        };
        bare.set_username("").and_then(|()| bare.set_password(None)).map_err(|()| LogError::Address)?;
        servers.push(ServerAddr::from_url(bare).map_err(|_| LogError::Address)?);
    }
    Ok((servers, options))
}

/// What the server says when a stream or a subject has no room.
fn is_full(error: &async_nats::jetstream::context::PublishError) -> bool {
    let told =
        std::error::Error::source(error).and_then(|source| source.downcast_ref::<async_nats::jetstream::Error>());
    told.is_some_and(|told| told.error_code() == ErrorCode::STREAM_STORE_FAILED)
}

fn shard_of(owner: Address) -> u8 {
    keccak256(owner)[0] % SHARDS
}

fn stream_name(shard: u8) -> String {
    format!("STYX_{shard}")
}

fn subject(owner: Address, vault: &str) -> String {
    format!("styx.{}.{owner:x}.{vault}", shard_of(owner))
}

fn shard_config(shard: u8, settings: NatsSettings) -> stream::Config {
    stream::Config {
        name: stream_name(shard),
        subjects: vec![format!("styx.{shard}.>")],
        max_age: TTL,
        max_bytes: settings.stream_bytes,
        max_messages_per_subject: settings.frames_per_vault,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        num_replicas: settings.replicas,
        allow_direct: true,
        republish: Some(Republish {
            source: format!("styx.{shard}.>"),
            destination: format!("live.styx.{shard}.>"),
            headers_only: false,
        }),
        ..stream::Config::default()
    }
}

fn scent_config(settings: NatsSettings) -> stream::Config {
    stream::Config {
        name: SCENTS.to_owned(),
        subjects: vec!["styx.scent".to_owned()],
        max_age: SCENT_TTL,
        num_replicas: settings.replicas,
        allow_direct: true,
        republish: Some(Republish {
            source: "styx.scent".to_owned(),
            destination: "live.scent".to_owned(),
            headers_only: false,
        }),
        ..stream::Config::default()
    }
}

/// Tries until it is made: a cluster that has just met has no leader for a moment.
async fn make<T, E, F>(mut attempt: impl FnMut() -> F) -> Result<T, LogError>
where
    F: Future<Output = Result<T, E>>,
    E: std::fmt::Display,
{
    let began = tokio::time::Instant::now();
    loop {
        match attempt().await {
            Ok(made) => return Ok(made),
            Err(error) if began.elapsed() > MAKING => return Err(LogError::away(error)),
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Thirty-two random bytes that whoever comes first decides.
async fn once(facts: &kv::Store, key: &str) -> Result<Vec<u8>, LogError> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|_| LogError::away("the operating system gave no randomness"))?;
    let _ = facts.create(key, random.to_vec().into()).await;
    let found = make(|| facts.get(key)).await?;
    found.map(|bytes| bytes.to_vec()).ok_or_else(|| LogError::away(format!("the cluster has no {key}")))
}

impl Log for NatsLog {
    fn name(&self) -> &str {
        &self.name
    }

    fn append<'a>(&'a self, owner: Address, frame: &'a Frame, now: UtcTime) -> Later<'a, Result<Filing, LogError>> {
        Box::pin(self.put(owner, frame, now))
    }

    fn after(&self, owner: Address, place: u64, most: u16, now: UtcTime) -> Later<'_, Result<Page, LogError>> {
        Box::pin(async move {
            let batch = self.batch(shard_of(owner), &subject(owner, "*"), place, most).await?;
            let mut page = Page { entries: Vec::with_capacity(batch.messages.len()), more: batch.more };
            for message in batch.messages.iter().filter(|message| is_kept(stored_at(message), now)) {
                page.entries.push(entry(message)?);
            }
            // A page of nothing but the old is no end.
            if page.entries.is_empty() && batch.more {
                let last = batch.messages.last().map(sequence).transpose()?.unwrap_or(place);
                return self.after(owner, last, most, now).await;
            }
            Ok(page)
        })
    }

    fn last(&self, owner: Address, vault: Address) -> Later<'_, Result<(u64, u64), LogError>> {
        Box::pin(async move {
            let stream = &self.shards[usize::from(shard_of(owner))];
            let place = match stream.get_last_raw_message_by_subject(&subject(owner, "*")).await {
                Ok(found) => found.sequence,
                Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => 0,
                Err(error) => return Err(LogError::away(error)),
            };
            Ok((place, self.tail(owner, vault).await?.seq))
        })
    }

    fn leave<'a>(&'a self, scent: &'a LeftScent) -> Later<'a, Result<(), LogError>> {
        Box::pin(async move {
            let text = serde_json::to_string(scent).expect("plain data");
            let sent = self.context.publish("styx.scent", text.into()).await.map_err(LogError::away)?;
            sent.await.map(drop).map_err(LogError::away)
        })
    }

    fn scents(&self) -> Later<'_, Result<Vec<LeftScent>, LogError>> {
        Box::pin(async move {
            let (mut scents, mut place) = (Vec::new(), 0);
            loop {
                let batch = read_batch(&self.client, SCENTS, "styx.scent", place, PAGE).await?;
                scents.extend(batch.messages.iter().filter_map(|one| serde_json::from_slice(&one.payload).ok()));
                match batch.messages.last() {
                    Some(message) if batch.more => place = sequence(message)?,
                    _ => return Ok(scents),
                }
            }
        })
    }

    fn salt(&self) -> &[u8] {
        &self.salt
    }

    fn fresh(&self) -> Later<'_, Result<mpsc::Receiver<Fresh>, LogError>> {
        Box::pin(async move {
            let mut live = self.client.subscribe("live.>").await.map_err(LogError::away)?;
            // The server knows of the subscription before anybody is told that it stands.
            self.client.flush().await.map_err(LogError::away)?;
            let (told, listener) = mpsc::channel(1_024);
            tokio::spawn(async move {
                while let Some(message) = live.next().await {
                    let fresh = if message.subject.as_str() == "live.scent" {
                        serde_json::from_slice(&message.payload).ok().map(|scent| Fresh::Scent(Box::new(scent)))
                    } else {
                        owner_of(&message).and_then(|owner| Some(Fresh::Frame(owner, entry(&message).ok()?)))
                    };
                    if let Some(fresh) = fresh
                        && told.send(fresh).await.is_err()
                    {
                        break;
                    }
                }
            });
            Ok(listener)
        })
    }

    /// The servers forget by themselves.
    fn sweep(&self, _now: UtcTime) -> Later<'_, Result<(), LogError>> {
        Box::pin(async { Ok(()) })
    }
}

fn owner_of(message: &Message) -> Option<Address> {
    message.subject.split('.').nth(3)?.parse().ok()
}

fn entry(message: &Message) -> Result<LogEntry, LogError> {
    let frame: Arc<[u8]> = message.payload.as_ref().into();
    let vault = frame.get(1..21).ok_or_else(|| LogError::away("a stored message is no frame"))?;
    Ok(LogEntry { place: sequence(message)?, vault: Address::from_slice(vault), frame })
}
