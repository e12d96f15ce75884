//! `bardo mind grimoire export` and `import`: knowledge as JSON lines that prove themselves.

use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure};
use golem_grimoire::entry::Method;
use golem_grimoire::gate::Admission;
use golem_grimoire::ingest::Ingested;
use golem_grimoire::provenance::Provenance;
use golem_ports::{Arrived, Filter, Vector};
use golem_runtime::recompute;
use golem_store::{Claimed, Import, Reader, SqliteStore};
use golem_view::{ArrivalLine, ArrivalsPicture, FileWritten, table_of};

use super::list::Sieve;
use super::whose::{Whose, standing};
use crate::golem::home::Folder;
use crate::golem::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    whose: Whose,
    #[command(flatten)]
    sieve: Sieve,
    /// The file; standard output when left out.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// With each entry's vector and the model that made it; whoever imports it computes it again (G-178).
    #[arg(long)]
    vectors: bool,
    /// Say in JSON how many were written, when a file is.
    #[arg(long, requires = "out")]
    json: bool,
}

impl ExportArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        ensure!(
            self.sieve.regime.is_none() && !self.sieve.questions,
            "an export is chosen by --kind, --status, --domain and --tag"
        );
        let (folder, reader) = self.whose.reader()?;
        let filter = self.sieve.filter();
        let Some(path) = &self.out else {
            self.write(&reader, &filter, &mut std::io::stdout().lock())?;
            return Ok(ExitCode::SUCCESS);
        };
        ensure!(!path.exists(), "{} is already there; name another file", path.display());
        let mut file = std::fs::File::create_new(path).wrap_err_with(|| format!("cannot write {}", path.display()))?;
        let entries = self.write(&reader, &filter, &mut file)?;
        let words = format!("{entries} entries of {} in {}", folder.name(), path.display());
        let (golem, file, entries) = (folder.name().to_owned(), path.clone(), Some(entries));
        Ok(screen::done(self.json, &FileWritten { golem, file, entries, tick: None, certificate: None }, &words))
    }

    fn write(&self, reader: &Reader, filter: &Filter, to: &mut impl Write) -> Result<u64> {
        let written =
            if self.vectors { reader.export_with_vectors(filter, to) } else { reader.export_entries(filter, to) };
        Ok(written?)
    }
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    #[command(flatten)]
    whose: Whose,
    /// JSON lines, as `export` writes them.
    file: PathBuf,
    /// By which way they came; it decides what they are worth on arrival: clade, marketplace, inheritance,
    /// predecessor_archive, public_pool.
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

/// G-178. Computes the vectors of an import again with the Golem's own model; answers what was not possible, in words.
/// Whatever it is, no foreign vector is kept.
async fn check_vectors(folder: &Folder, read: &mut Import) -> Result<Option<String>> {
    let claimed = read.claimed.iter().filter(|claimed| matches!(claimed, Claimed::Unchecked(_))).count();
    if claimed == 0 {
        return Ok(None);
    }
    let dropped = |why: String| {
        Ok(Some(format!(
            "{claimed} lines bring a vector that could not be checked: {why}. Those vectors were dropped."
        )))
    };
    let settings = folder.settings()?;
    if settings.embedder.is_none() {
        return dropped(format!("embedder.kind of {} is none", folder.config().display()));
    }
    let embedder = match settings.embedder.open().await {
        Ok(Some(embedder)) => embedder,
        Ok(None) => return dropped("there is no embedder".to_owned()),
        Err(error) => return dropped(error.to_string()),
    };
    let texts: Vec<(&str, &Vector)> = read
        .drafts
        .iter()
        .zip(&read.claimed)
        .filter_map(|(draft, claimed)| match claimed {
            Claimed::Unchecked(vector) => Some((draft.content.as_str(), vector.as_ref())),
            Claimed::Nothing | Claimed::Checked(_) => None,
        })
        .collect();
    let likeness = match recompute(&embedder, &texts).await {
        Ok(likeness) => likeness,
        Err(error) => return dropped(error.to_string()),
    };
    let open = read.claimed.iter_mut().filter(|claimed| matches!(claimed, Claimed::Unchecked(_)));
    for (claimed, cosine) in open.zip(likeness) {
        *claimed = Claimed::Checked(cosine);
    }
    Ok(None)
}

impl ImportArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let folder = self.whose.stopped("import")?;
        let path = self.file.display();
        let file = std::fs::File::open(&self.file).wrap_err_with(|| format!("cannot read {path}"))?;
        let mut read = Import::read(&mut BufReader::new(file)).wrap_err_with(|| format!("{path} is refused"))?;
        let (now, golem) = {
            let reader = look::reader(&folder)?;
            (standing(&reader)?.0, *reader.golem())
        };
        ensure!(read.golem != golem, "{path} is what {} itself wrote; it learns nothing from it", folder.name());
        let unchecked = check_vectors(&folder, &mut read).await?;
        let lines = read.drafts.len();
        let mut store = SqliteStore::open(&folder.store(), Some(&golem))?;
        let came = store.import(read, self.way, now)?;
        // What waited from an earlier hour comes first and is not of this file.
        let earlier = came.len().saturating_sub(lines);
        let fates: Vec<ArrivalLine> =
            (2..).zip(came.into_iter().skip(earlier)).map(|(line, arrived)| fate(line, arrived)).collect();
        Ok(self.tell(folder.name(), fates, unchecked))
    }

    fn tell(&self, name: &str, lines: Vec<ArrivalLine>, unchecked: Option<String>) -> ExitCode {
        let count = |word: &str| lines.iter().filter(|line| line.fate == word).count();
        let picture = ArrivalsPicture {
            golem: name.to_owned(),
            way: self.way.name(),
            candidates: count("candidate"),
            merged: count("merged"),
            known: count("known"),
            quarantined: count("quarantined"),
            waiting: count("waiting"),
            refused: count("refused"),
            vectors: unchecked,
            lines,
        };
        screen::draw_by(self.json, &picture, |picture| {
            let ArrivalsPicture { candidates, merged, refused, vectors, lines, .. } = picture;
            screen::show(&table_of(&format!("What {name} made of {}", self.file.display()), lines));
            if let Some(unchecked) = vectors {
                println!("\n{unchecked}");
            }
            println!(
                "\n{} let in as candidates, {refused} refused. No candidate is used in a decision.",
                candidates + merged
            );
        })
    }
}

fn fate(line: usize, arrived: Arrived) -> ArrivalLine {
    let told = |entry, fate, why| ArrivalLine { line, entry, fate, why };
    match arrived {
        Arrived::Waiting => told(None, "waiting", Some("this hour is full; it waits in the store".to_owned())),
        Arrived::Judged { id, ingested, .. } => match ingested {
            Ingested::TurnedAway(reason) => told(None, "refused", Some(reason.to_string())),
            Ingested::Judged(Admission::Admitted(candidate)) => {
                let is_testable = matches!(candidate.knowledge().draft.method, Method::Told(_));
                let why = if is_testable {
                    "its own episodes will confirm or contradict it"
                } else {
                    "nothing in it can be tested; it stays a candidate and fades"
                };
                told(Some(id), "candidate", Some(why.to_owned()))
            }
            Ingested::Judged(Admission::Merged(other)) => told(Some(other), "merged", None),
            Ingested::Judged(Admission::Known(other)) => told(Some(other), "known", None),
            Ingested::Judged(Admission::Quarantined(_)) => {
                told(None, "quarantined", Some("it contradicts what is well known; the Curator looks at it".to_owned()))
            }
            Ingested::Judged(Admission::Rejected(why)) => told(None, "refused", Some(why.to_string())),
        },
    }
}
