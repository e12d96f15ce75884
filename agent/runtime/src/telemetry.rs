//! Events as they happen: a line each in a file, a count each in the metrics, and whoever listens.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

use golem_core::life::Life;
use golem_core::record::{Event, TickInput};
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
    /// Whose.
    pub golem: GolemId,
    /// The tick.
    pub tick: Tick,
    /// The time of the pass.
    pub time: UtcTime,
    /// M-171. Its name.
    pub name: String,
    /// What happened.
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

    /// Events into a file too. A line that a crash cut short is removed; lines are never written twice.
    ///
    /// # Errors
    /// [`RuntimeError::File`] when it cannot be opened.
    pub fn with_file(mut self, path: &Path) -> Result<Self, RuntimeError> {
        let failed = |source| RuntimeError::File { what: path.display().to_string(), source };
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(failed)?;
        let (mut whole, mut last) = (0u64, 0u64);
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).map_err(failed)? > 0 {
            let Ok(event) = serde_json::from_slice::<Place>(&line) else { break };
            if line.last() != Some(&b'\n') {
                break;
            }
            whole += line.len() as u64;
            last = event.seq;
            line.clear();
        }
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
        input: (Tick, UtcTime),
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
            tracing::debug!(target: "golem", golem = %golem, tick = input.0.get(), name, "event");
            // M-170. Nobody pays for writing what nobody reads.
            if self.file.is_none() && self.listeners.receiver_count() == 0 {
                continue;
            }
            let line = EventLine {
                seq,
                index,
                golem: *golem,
                tick: input.0,
                time: input.1,
                name: name.to_owned(),
                data: event.clone(),
            };
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
    pub(crate) fn murmur(&mut self, at: (Tick, UtcTime), golem: &GolemId, events: impl IntoIterator<Item = Event>) {
        for data in events {
            self.metrics.count(golem, &data);
            let name = data.telemetry_name().to_owned();
            let (seq, index) = (self.last_seq, u32::MAX);
            let line = EventLine { seq, index, golem: *golem, tick: at.0, time: at.1, name, data };
            let _ = self.listeners.send(Arc::new(line));
        }
    }

    /// Shows where a life stands.
    pub(crate) fn show(&self, life: &Life, input: &TickInput) {
        self.metrics.show(life, input);
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

/// As much of a line as is needed to know where the file ends.
#[derive(Deserialize)]
struct Place {
    seq: u64,
}
