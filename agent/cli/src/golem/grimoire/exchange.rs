//! `bardo golem grimoire export` and `import`: knowledge as JSON lines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure, eyre};
use golem_grimoire::entry::Draft;
use golem_grimoire::gate::Admission;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::{Arrival, Ingested};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::status::Entry;
use golem_ports::{Arrived, Arriving, Memory as _};
use golem_primitives::GolemId;
use golem_store::SqliteStore;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::list::Sieve;
use super::{Whose, look, standing};
use crate::screen;

/// The words at the head of every line, by which a reader knows what it reads.
const FORMAT: &str = "bardo-grimoire-1";
/// Entries offered at once: what an hour takes from one source (G-174).
const MOST: usize = 100;

/// One entry on its way. What it was worth and where it comes from are its sender's words; nobody believes them.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    format: String,
    id: EntryId,
    golem: GolemId,
    confidence: String,
    draft: Draft,
}

/// What `export` takes.
#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    whose: Whose,
    #[command(flatten)]
    sieve: Sieve,
    /// The file; standard output when left out.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write at most this many, newest first.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    limit: usize,
    /// Say in JSON how many were written, when a file is.
    #[arg(long)]
    json: bool,
}

impl ExportArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let grimoire = reader.grimoire()?;
        let mut kept: Vec<&Entry> = grimoire.entries().filter(|entry| self.sieve.keeps(entry)).collect();
        kept.reverse();
        let known = kept.into_iter().filter_map(Entry::knowledge).take(self.limit);
        let lines = known.map(|known| {
            let mut draft = known.draft.clone();
            draft.original_confidence = known.confidence;
            let (format, confidence) = (FORMAT.to_owned(), known.confidence.get().to_string());
            serde_json::to_string(&Line { format, id: known.id, golem: *reader.golem(), confidence, draft })
        });
        let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        match &self.out {
            None => std::io::stdout().write_all(text.as_bytes())?,
            Some(path) => {
                ensure!(!path.exists(), "{} is already there; name another file", path.display());
                std::fs::write(path, text).wrap_err_with(|| format!("cannot write {}", path.display()))?;
                if self.json {
                    println!("{}", json!({ "golem": folder.name(), "entries": lines.len(), "file": path }));
                } else {
                    println!("{} entries of {} in {}", lines.len(), folder.name(), path.display());
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What `import` takes.
#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    #[command(flatten)]
    whose: Whose,
    /// JSON lines, as `export` writes them.
    file: PathBuf,
    /// By which way they came; it decides what they are worth on arrival: clade, marketplace, inheritance,
    /// predecessor_archive, shared_query, public_pool, web.
    #[arg(long, default_value = "public_pool", value_parser = way)]
    way: Provenance,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

fn way(word: &str) -> Result<Provenance, String> {
    match Provenance::from_name(word) {
        Some(way) if !way.is_own() => Ok(way),
        Some(_) => Err("what is imported is not its own; name the way it came by".to_owned()),
        None => {
            let known: Vec<&str> = Provenance::ALL.iter().filter(|way| !way.is_own()).map(|way| way.name()).collect();
            Err(format!("{word:?} is none of {}", known.join(", ")))
        }
    }
}

/// What became of a line.
#[derive(Debug, Serialize)]
struct Fate {
    line: usize,
    entry: Option<EntryId>,
    fate: &'static str,
    why: Option<String>,
}

impl ImportArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.whose.stopped("import")?;
        let read = self.read()?;
        let (now, golem) = {
            let reader = look::reader(&folder)?;
            let (standing, _) = standing(&reader)?;
            (Moment::new(standing.tick, standing.at), *reader.golem())
        };
        let mut store = SqliteStore::open(&folder.store(), Some(&golem))?;
        let (mut fates, arriving): (Vec<Fate>, Vec<(usize, Arriving)>) = self.sort(read, &golem);
        for page in arriving.chunks(MOST) {
            let came = store.ingest(page.iter().map(|(_, arriving)| arriving.clone()).collect(), now)?;
            // What waited from an earlier hour comes first and is not of this file.
            let own = came.into_iter().rev().take(page.len()).collect::<Vec<_>>().into_iter().rev();
            fates.extend(page.iter().zip(own).map(|((line, _), arrived)| fate(*line, arrived)));
        }
        fates.sort_by_key(|fate| fate.line);
        self.tell(folder.name(), &fates)
    }

    /// Every line, or why it is none.
    fn read(&self) -> Result<Vec<(usize, Result<Line, String>)>> {
        let file = std::fs::File::open(&self.file).wrap_err_with(|| format!("cannot read {}", self.file.display()))?;
        let mut read = Vec::new();
        for (number, text) in (1..).zip(BufReader::new(file).lines()) {
            let text = text.wrap_err_with(|| format!("{} line {number} is no text", self.file.display()))?;
            if text.trim().is_empty() {
                continue;
            }
            let line = serde_json::from_str::<Line>(&text).map_err(|error| format!("it is no entry: {error}"));
            let line = line.and_then(|line| match line.format.as_str() {
                FORMAT => Ok(line),
                other => Err(format!("its format is {other:?}, this program reads {FORMAT:?}")),
            });
            read.push((number, line));
        }
        if read.is_empty() {
            bail!("{} holds nothing; export writes one entry a line", self.file.display());
        }
        Ok(read)
    }

    /// What may stand at the gate, and what is refused before.
    fn sort(&self, read: Vec<(usize, Result<Line, String>)>, golem: &GolemId) -> (Vec<Fate>, Vec<(usize, Arriving)>) {
        let (mut refused, mut arriving) = (Vec::new(), Vec::new());
        for (number, line) in read {
            let checked = line.and_then(|line| {
                line.draft.check().map_err(|error| error.to_string())?;
                if line.golem == *golem { Err("it comes from this Golem itself".to_owned()) } else { Ok(line) }
            });
            match checked {
                Ok(line) => {
                    let arrival = Arrival {
                        draft: line.draft,
                        way: self.way,
                        sender: line.golem,
                        claimed_cosine: None,
                        is_anomalous: false,
                        on_chain: None,
                    };
                    arriving.push((number, Arriving { arrival, nearest: None }));
                }
                Err(why) => refused.push(Fate { line: number, entry: None, fate: "refused", why: Some(why) }),
            }
        }
        (refused, arriving)
    }

    fn tell(&self, name: &str, fates: &[Fate]) -> Result<ExitCode> {
        let count = |word: &str| fates.iter().filter(|fate| fate.fate == word).count();
        let (let_in, refused) = (count("candidate") + count("merged"), count("refused"));
        if self.json {
            let told = json!({ "golem": name, "way": self.way.name(), "candidates": count("candidate"), "merged": count("merged"),
                "known": count("known"), "quarantined": count("quarantined"), "waiting": count("waiting"), "refused": refused, "lines": fates });
            println!("{}", serde_json::to_string_pretty(&told)?);
        } else {
            let rows: Vec<_> = fates
                .iter()
                .map(|fate| {
                    let entry = fate.entry.map_or_else(|| "-".to_owned(), |id| id.to_string());
                    vec![
                        format!("line {}", fate.line),
                        fate.fate.to_owned(),
                        entry,
                        fate.why.clone().unwrap_or_default(),
                    ]
                })
                .collect();
            screen::table(&format!("What {name} made of {}", self.file.display()), &rows);
            println!(
                "\n{let_in} let in as candidates, {refused} refused. A candidate is used once its own experience confirms it."
            );
        }
        let is_all_refused = refused == fates.len();
        if is_all_refused && !self.json {
            return Err(eyre!("every line of {} was refused; the reasons stand above", self.file.display()));
        }
        Ok(if is_all_refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

fn fate(line: usize, arrived: Arrived) -> Fate {
    let told = |entry, fate, why| Fate { line, entry, fate, why };
    match arrived {
        Arrived::Waiting => told(None, "waiting", Some("this hour is full; it waits in the store (G-174)".to_owned())),
        Arrived::Judged { id, ingested, .. } => match ingested {
            Ingested::TurnedAway(reason) => told(None, "refused", Some(reason.to_string())),
            Ingested::Judged(Admission::Admitted(_)) => told(Some(id), "candidate", None),
            Ingested::Judged(Admission::Merged(other)) => told(Some(other), "merged", None),
            Ingested::Judged(Admission::Known(other)) => told(Some(other), "known", None),
            Ingested::Judged(Admission::Quarantined(_)) => {
                told(None, "quarantined", Some("it contradicts what is well known; the Curator looks at it".to_owned()))
            }
            Ingested::Judged(Admission::Rejected(why)) => told(None, "refused", Some(why.to_string())),
        },
    }
}
