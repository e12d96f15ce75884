//! Events as they happen: a line each in a file, a count each in the metrics, and whoever listens.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

use golem_core::record::Event;
use golem_edge::files;
use golem_grimoire::id::Moment;
use golem_primitives::{GolemId, Tick, UtcTime};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::error::RuntimeError;
use crate::metrics::Metrics;

/// M-172. Events a slow listener may lag behind before the oldest are gone for it.
const RING: usize = 10_000;

/// One event, as a line of the file and as listeners hear it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventLine {
    /// The place of its pass in the journal.
    pub seq: u64,
    /// Its place in the pass.
    pub index: u32,
    pub golem: GolemId,
    pub tick: Tick,
    pub time: UtcTime,
    /// M-171. Its name.
    pub name: String,
    pub data: Event,
}

/// Where events go.
#[derive(Debug)]
pub struct Telemetry {
    file: Option<File>,
    last_seq: u64,
    metrics: Arc<Metrics>,
    listeners: broadcast::Sender<Arc<EventLine>>,
}

impl Telemetry {
    /// Events into metrics and listeners alone.
    #[must_use]
    pub fn new(metrics: Arc<Metrics>) -> Self {
        let (listeners, _) = broadcast::channel(RING);
        Self { file: None, last_seq: 0, metrics, listeners }
    }

    /// Events into a file too, as far as it is a plain one. A line that a crash cut short is removed; lines are never written twice.
    pub fn with_file(mut self, path: &Path) -> Result<Self, RuntimeError> {
        let failed = |source| RuntimeError::File { what: path.display().to_string(), source };
        let opened = files::open(path, OpenOptions::new().create(true).read(true).append(true));
        let mut file = opened.map_err(|error| failed(error.into()))?;
        let (whole, last) = end(&mut file).map_err(failed)?;
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        (self.file, self.last_seq) = (Some(file), last);
        Ok(self)
    }

    /// Hears every event from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<Arc<EventLine>> {
        self.listeners.subscribe()
    }

    /// The counts.
    #[must_use]
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// Tells what a pass brought; a pass that was told before is not told again.
    pub(crate) fn tell(
        &mut self,
        seq: u64,
        tick: Tick,
        time: UtcTime,
        golem: &GolemId,
        events: &[Event],
    ) -> Result<(), RuntimeError> {
        if seq <= self.last_seq {
            return Ok(());
        }
        self.last_seq = seq;
        let mut text = Vec::new();
        for (index, event) in (0u32..).zip(events) {
            self.metrics.count(golem, event);
            let name = event.telemetry_name();
            tracing::debug!(target: "golem", golem = %golem, tick = tick.get(), name, "event");
            // M-170. Nobody pays for writing what nobody reads.
            if self.file.is_none() && self.listeners.receiver_count() == 0 {
                continue;
            }
            let line = EventLine { seq, index, golem: *golem, tick, time, name: name.to_owned(), data: event.clone() };
            serde_json::to_writer(&mut text, &line).expect("plain data");
            text.push(b'\n');
            let _ = self.listeners.send(Arc::new(line));
        }
        if let Some(file) = &mut self.file {
            append(file, &text)
                .map_err(|source| RuntimeError::File { what: "the file of events".to_owned(), source })?;
        }
        Ok(())
    }

    /// D-226. Tells what happens between two passes, such as a dream on its way: to the metrics and whoever listens. It is
    /// not journaled and so in no file.
    pub(crate) fn murmur(&mut self, at: Moment, golem: &GolemId, events: impl IntoIterator<Item = Event>) {
        for data in events {
            self.metrics.count(golem, &data);
            let name = data.telemetry_name().to_owned();
            let (seq, index) = (self.last_seq, u32::MAX);
            let line = EventLine { seq, index, golem: *golem, tick: at.tick, time: at.at, name, data };
            let _ = self.listeners.send(Arc::new(line));
        }
    }
}

/// Whole or not at all: half a line would hide every later one from whoever reads the file to its last whole line.
fn append(file: &mut File, text: &[u8]) -> std::io::Result<()> {
    let before = file.metadata()?.len();
    file.write_all(text).inspect_err(|_| {
        // A disk that is full can still be given something back.
        if let Err(error) = file.set_len(before) {
            tracing::error!(%error, "half a line stays in the file of events");
        }
    })
}

/// Where the last whole line ends, and the pass it is of. Looked for from the end, so that an old file costs no more than a
/// young one, and one that is no file of events is not read for ever.
fn end(file: &mut File) -> std::io::Result<(u64, u64)> {
    let length = file.metadata()?.len();
    let mut reach = FIRST_REACH.min(length);
    loop {
        let start = length - reach;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        std::io::Read::by_ref(file).take(reach).read_to_end(&mut bytes)?;
        let mut rest = &bytes[..];
        while let Some(end) = rest.iter().rposition(|byte| *byte == b'\n') {
            let before = rest[..end].iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
            let Some(begin) = before.or((start == 0).then_some(0)) else { break };
            if let Ok(event) = serde_json::from_slice::<Place>(&rest[begin..end]) {
                return Ok((start + end as u64 + 1, event.seq));
            }
            rest = &rest[..end];
        }
        if start == 0 {
            return Ok((0, 0));
        }
        if reach >= LAST_REACH {
            let why = format!("none of its last {reach} bytes is an event; move it away");
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, why));
        }
        reach = (reach * 8).min(LAST_REACH).min(length);
    }
}

/// How far back the last whole line is looked for, first and at most.
const FIRST_REACH: u64 = 64 << 10;
const LAST_REACH: u64 = 16 << 20;

/// As much of a line as is needed to know where the file ends.
#[derive(Deserialize)]
struct Place {
    seq: u64,
}
