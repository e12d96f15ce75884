//! Entries on their way to other Golems and from them: lines of JSON that say what they are and where they end.

use std::io::{BufRead, Write};

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Draft;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::Arrival;
use golem_grimoire::provenance::{MODEL, Provenance};
use golem_grimoire::status::Entry;
use golem_ports::{Arrived, Arriving, Filter, Memory, StoreError};
use golem_primitives::{B256, GolemId, keccak256};
use serde::{Deserialize, Serialize};

use super::carried::{Carried, Claimed};
use crate::error::{At, failed};
use crate::reader::Reader;
use crate::store::SqliteStore;

/// What the first line says it is.
const FORMAT: &str = "bardo-grimoire";
/// The newest version of the lines this code reads and the one it writes.
const VERSION: u32 = 1;
/// The longest line that is read: a statement with everything around it is far below.
const MOST_BYTES: u64 = 256 << 10;
/// The most lines that are read.
const MOST_LINES: usize = 1_000_000;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    golem: GolemId,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    id: EntryId,
    status: String,
    confidence: Confidence,
    validated: u32,
    contradicted: u32,
    draft: Draft,
    /// G-178. Its vector, when its sender gives one away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vector: Option<Carried>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    entries: u64,
    hash: B256,
}

/// Entries of another Golem, read whole and proved.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    pub golem: GolemId,
    /// What they say, with what they were worth there, undecayed (G-056).
    pub drafts: Vec<Draft>,
    /// G-178. What each of them says its vector is, and what became of that. None of these vectors is ever searched.
    pub claimed: Vec<Claimed>,
}

/// Why lines are no export; nothing was taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct ImportError {
    /// Which, from 1.
    pub line: u64,
    pub reason: ImportReason,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportReason {
    /// The first line is not that of an export.
    #[error("this is no export of a Grimoire; write one with `bardo grimoire export`")]
    Foreign,
    #[error("it has version {found}, this program reads up to {VERSION}; use the newer program")]
    Newer { found: u32 },
    /// G-142. Its Golem has the name of what a model supposes here.
    #[error("its Golem is called `{MODEL}`, as what a model supposes is here; rename it and export it again")]
    Reserved,
    /// It ends before its last line.
    #[error("it ends too early; copy the whole file")]
    Truncated,
    #[error("this is no entry: {detail}; export it again")]
    Malformed { detail: String },
    /// The last line does not fit the others.
    #[error("its lines are not those that were exported; export it again")]
    Altered,
    #[error("this is longer than any export; nothing beyond it was read")]
    TooLong,
    #[error("it cannot be read: {detail}")]
    Unreadable { detail: String },
}

impl Reader {
    /// Writes the entries a filter lets in, one a line; answers how many.
    pub fn export_entries(&self, filter: &Filter, to: &mut impl Write) -> Result<u64, StoreError> {
        self.export_these(&self.list(filter, None, usize::MAX)?, usize::MAX, to)
    }

    /// The same with each entry's vector and the model that made it, so that whoever takes them in can hold it against
    /// their own (G-178).
    pub fn export_with_vectors(&self, filter: &Filter, to: &mut impl Write) -> Result<u64, StoreError> {
        let these = self.list(filter, None, usize::MAX)?;
        let model = self.active_model()?.map(|(_, model)| model);
        self.export_lines(&these, usize::MAX, to, |id| self.carried(model.as_ref(), id))
    }

    /// Writes these entries in their order, one a line, and leaves out those for which less than `room` bytes of lines
    /// are left; answers how many were written.
    pub fn export_these(&self, these: &[Entry], room: usize, to: &mut impl Write) -> Result<u64, StoreError> {
        self.export_lines(these, room, to, |_| Ok(None))
    }

    fn export_lines(
        &self,
        these: &[Entry],
        mut room: usize,
        to: &mut impl Write,
        vector: impl Fn(EntryId) -> Result<Option<Carried>, StoreError>,
    ) -> Result<u64, StoreError> {
        let header = Header { format: FORMAT.to_owned(), version: VERSION, golem: self.golem };
        let mut sum = Sum::default();
        self.write_line(&self.line(&header)?, &mut sum, to)?;
        let mut entries = 0;
        for entry in these {
            let Some(known) = entry.knowledge() else { continue };
            let line = self.line(&Line {
                id: known.id,
                status: entry.status().name().to_owned(),
                confidence: known.confidence,
                validated: known.validated,
                contradicted: known.contradicted,
                draft: known.draft.clone(),
                vector: vector(known.id)?,
            })?;
            let Some(left) = room.checked_sub(line.len()) else { continue };
            room = left;
            self.write_line(&line, &mut sum, to)?;
            entries += 1;
        }
        let footer = Footer { entries, hash: sum.0 };
        self.write_line(&self.line(&footer)?, &mut Sum::default(), to)?;
        Ok(entries)
    }

    fn line(&self, line: &impl Serialize) -> Result<String, StoreError> {
        serde_json::to_string(line).map_err(|error| failed(&self.path, error.to_string()))
    }

    fn write_line(&self, line: &str, sum: &mut Sum, to: &mut impl Write) -> Result<(), StoreError> {
        sum.add(line);
        writeln!(to, "{line}").at(&self.path)
    }
}

/// The hash of lines, each chained to those before it.
#[derive(Debug, Default)]
struct Sum(B256);

impl Sum {
    fn add(&mut self, line: &str) {
        self.0 = keccak256([self.0.as_slice(), line.as_bytes()].concat());
    }
}

/// One line, without its end; `None` at the end of all.
fn next_line(from: &mut impl BufRead, line: u64) -> Result<Option<String>, ImportError> {
    let unreadable = |detail: String| ImportError { line, reason: ImportReason::Unreadable { detail } };
    let mut bytes = Vec::new();
    let read = std::io::Read::take(&mut *from, MOST_BYTES).read_until(b'\n', &mut bytes);
    read.map_err(|error| unreadable(error.to_string()))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    match bytes.pop() {
        Some(b'\n') => {}
        _ if bytes.len() as u64 + 1 >= MOST_BYTES => return Err(ImportError { line, reason: ImportReason::TooLong }),
        // A line without its end was cut off.
        _ => return Err(ImportError { line, reason: ImportReason::Truncated }),
    }
    String::from_utf8(bytes).map(Some).map_err(|error| unreadable(error.to_string()))
}

impl Import {
    /// Reads an export whole. Nothing of one that does not prove itself is believed.
    pub fn read(from: &mut impl BufRead) -> Result<Self, ImportError> {
        let foreign = ImportError { line: 1, reason: ImportReason::Foreign };
        let first = next_line(from, 1)?.ok_or_else(|| foreign.clone())?;
        let header: Header = serde_json::from_str(&first).map_err(|_| foreign.clone())?;
        if header.format != FORMAT {
            return Err(foreign);
        }
        if header.version > VERSION {
            return Err(ImportError { line: 1, reason: ImportReason::Newer { found: header.version } });
        }
        if header.golem.as_str() == MODEL {
            return Err(ImportError { line: 1, reason: ImportReason::Reserved });
        }
        let mut sum = Sum::default();
        sum.add(&first);
        let (mut drafts, mut claimed) = (Vec::new(), Vec::new());
        for line in 2.. {
            let fail = |reason| ImportError { line, reason };
            let Some(text) = next_line(from, line)? else { return Err(fail(ImportReason::Truncated)) };
            if let Ok(footer) = serde_json::from_str::<Footer>(&text) {
                let fits = footer.hash == sum.0 && footer.entries == drafts.len() as u64;
                let is_last = next_line(from, line + 1)?.is_none();
                return if fits && is_last {
                    Ok(Self { golem: header.golem, drafts, claimed })
                } else {
                    Err(fail(ImportReason::Altered))
                };
            }
            if drafts.len() >= MOST_LINES {
                return Err(fail(ImportReason::TooLong));
            }
            let malformed = |detail: String| fail(ImportReason::Malformed { detail });
            let read: Line = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
            read.draft.check().map_err(|error| malformed(error.to_string()))?;
            sum.add(&text);
            claimed.push(read.vector.map_or(Claimed::Nothing, Claimed::from));
            drafts.push(Draft { original_confidence: read.confidence, ..read.draft });
        }
        Err(foreign)
    }
}

impl SqliteStore {
    /// G-175. Takes an export in by the way it came: everything stands at the gate, and what is let in is a candidate.
    /// What was found of its vectors stands with it (G-178); one that nobody looked at counts for nothing and is dropped.
    pub fn import(&mut self, import: Import, way: Provenance, now: Moment) -> Result<Vec<Arrived>, StoreError> {
        let sender = import.golem;
        let cosines = import.claimed.iter().map(Claimed::cosine).chain(std::iter::repeat(None));
        let arriving = import.drafts.into_iter().zip(cosines).map(|(draft, claimed_cosine)| Arriving {
            arrival: Arrival { draft, way, sender, is_left: false, claimed_cosine, on_chain: None },
            nearest: None,
        });
        self.ingest(arriving.collect(), now)
    }
}
