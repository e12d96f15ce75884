//! Whole copies of a life and the way back: `snapshot`, `restore`, `export`, `import`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::Keystore;
use golem_store::insurance;
use golem_view::{BroughtHere, ByteCount, FileWritten, RestoredPicture, SnapshotLine, TakenAsIs};

use super::grimoire::Whose;
use super::home::{BirthCertificate, Folder, Home};
use super::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct SnapshotArguments {
    #[command(flatten)]
    whose: Whose,
    /// Only show the snapshots there are.
    #[arg(long)]
    list: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    #[command(flatten)]
    whose: Whose,
    /// The copy to go back to; the newest sound snapshot when left out.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Go on from the memory that lies there: a copy whose original is stopped for good, one that is older than the chain,
    /// or one whose rows are damaged. What the chain knows beyond it is taken up when it runs.
    #[arg(long, conflicts_with = "from")]
    as_is: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    whose: Whose,
    /// The file to write; its certificate and its configuration are written beside it.
    file: PathBuf,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The file `export` wrote, with the certificate beside it.
    file: PathBuf,
    #[command(flatten)]
    home: Home,
    /// Its sealed key, copied from the old machine. Without one, its owner gives it a new key with `rotate-key`.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Another name on this machine.
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// A file that travels with an export.
fn companion(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

impl SnapshotArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.whose.folder()?;
        let place = insurance::folder_of(&folder.store());
        if self.list {
            return self.show(&place);
        }
        let reader = look::reader(&folder)?;
        std::fs::create_dir_all(&place).wrap_err_with(|| format!("cannot make {}", place.display()))?;
        let progress = screen::Wait::new(self.json, "copying and sealing");
        // The pass is in its name: two of one tick are two, and none is written over.
        let path = place.join(format!("asked-{}.sqlite", reader.counts()?.committed));
        if !path.exists() {
            reader.export(&path)?;
        }
        let (_, tick) = insurance::verify(&path, Some(reader.golem()))?;
        progress.end();
        let words = format!(
            "A sealed snapshot of tick {tick} lies in {}.\nBack to it: bardo memory restore {} --from {0}",
            path.display(),
            folder.name()
        );
        let golem = folder.name().to_owned();
        let written = FileWritten { golem, file: path, entries: None, tick: Some(tick), certificate: None };
        Ok(screen::done(self.json, &written, &words))
    }

    fn show(&self, place: &Path) -> Result<ExitCode> {
        let line = |insured: golem_store::Insured| {
            let (tick, error) = match insured.contents {
                Ok((_, tick)) => (Some(tick), None),
                Err(error) => (None, Some(error.to_string())),
            };
            SnapshotLine { file: insured.path, size: ByteCount(insured.bytes), tick, error }
        };
        let all = insurance::list(place)?.into_iter().map(line).collect();
        Ok(screen::draw_all(self.json, "Snapshots", &all, "There is no snapshot."))
    }
}

impl RestoreArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.whose.born()?;
        let birth = folder.birth()?;
        if self.as_is {
            return self.accept(&folder, &birth);
        }
        let from = match &self.from {
            Some(file) => file.clone(),
            None => newest(&folder, &birth)?,
        };
        let done = insurance::restore(&from, &folder.store(), &birth.golem())?;
        let golem = folder.name().to_owned();
        let back = RestoredPicture { golem, from, tick: done.tick, pass: done.seq, replaced: done.replaced };
        Ok(screen::draw_by(self.json, &back, |RestoredPicture { golem, tick, pass, replaced, .. }| {
            println!("{golem} is back at tick {tick} (pass {pass}).");
            if let Some(aside) = replaced {
                println!("What was there lies in {}.", aside.display());
            }
            println!("What it did on chain since stays done; it will see that when it looks: bardo golem run {golem}");
        }))
    }

    /// The owner's word for the memory that lies there.
    fn accept(&self, folder: &Folder, birth: &BirthCertificate) -> Result<ExitCode> {
        let damaged = insurance::accept(&folder.store(), &birth.golem())?;
        let taken = TakenAsIs { golem: folder.name().to_owned(), damaged };
        Ok(screen::draw_by(self.json, &taken, |TakenAsIs { golem, damaged }| {
            println!("{golem} goes on from the memory that lies in {}.", folder.store().display());
            if !damaged.is_empty() {
                println!("Not what was written, and taken as it is: the rows of {}.", damaged.join(", "));
            }
            println!("Nobody else may live it. What it did on chain since is taken up: bardo golem run {golem}");
        }))
    }
}

/// The newest snapshot that proves itself.
fn newest(folder: &Folder, birth: &BirthCertificate) -> Result<PathBuf> {
    let place = insurance::folder_of(&folder.store());
    let mut told = Vec::new();
    for insured in insurance::list(&place)? {
        match insurance::verify(&insured.path, Some(&birth.golem())) {
            Ok(_) => return Ok(insured.path),
            Err(error) => told.push(error.to_string()),
        }
    }
    if told.is_empty() {
        bail!("there is no snapshot in {}; name a copy with --from FILE", place.display());
    }
    bail!("no snapshot can be used; name another copy with --from FILE:\n  {}", told.join("\n  "))
}

impl ExportArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.whose.born()?;
        let birth = folder.birth()?;
        let reader = look::reader(&folder)?;
        let progress = screen::Wait::new(self.json, "copying and sealing");
        reader.export(&self.file)?;
        let certificate = companion(&self.file, ".birth.json");
        std::fs::write(&certificate, serde_json::to_string_pretty(&birth)?)
            .wrap_err_with(|| format!("cannot write {}", certificate.display()))?;
        for Beside { here, there } in beside(&folder, &self.file) {
            copy_if_there(&here, &there)?;
        }
        progress.end();
        let words = format!(
            "The memory of {} is in {file}, its certificate beside it. No key is in either.\n\
             On the new machine: bardo memory import {file} --key KEY\n\
             KEY is a copy of {} (sealed with its password); without it, rotate the key there.\n\
             Stop it here for good first: two processes must never live one life.",
            folder.name(),
            folder.key().display(),
            file = self.file.display()
        );
        let (golem, certificate) = (folder.name().to_owned(), Some(certificate));
        let written = FileWritten { golem, file: self.file, entries: None, tick: None, certificate };
        Ok(screen::done(self.json, &written, &words))
    }
}

impl ImportArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let certificate = companion(&self.file, ".birth.json");
        let text = std::fs::read_to_string(&certificate).wrap_err_with(|| {
            format!(
                "cannot read {}; `bardo memory export` writes it beside the memory, copy both",
                certificate.display()
            )
        })?;
        let mut birth: BirthCertificate = serde_json::from_str(&text)
            .wrap_err_with(|| format!("{} is no birth certificate", certificate.display()))?;
        // The memory is proved before anything is written.
        insurance::verify(&self.file, Some(&birth.golem()))?;
        if let Some(name) = self.name {
            birth.name = name;
        }
        let folder = self.home.new_folder(&birth.name)?;
        if let Some(key) = &self.key {
            let keystore = Keystore::open(key)?;
            ensure!(
                keystore.address().is_none_or(|address| address == birth.key),
                "{} is the key of {}, {} was born with {}; after a rotation use the new one",
                key.display(),
                keystore.address().unwrap_or_default(),
                birth.name,
                birth.key
            );
        }
        std::fs::create_dir_all(folder.path()).wrap_err_with(|| format!("cannot make {}", folder.path().display()))?;
        let done = insurance::restore(&self.file, &folder.store(), &birth.golem())?;
        if let Some(key) = &self.key {
            copy_private(key, &folder.key())?;
        }
        for Beside { here, there } in beside(&folder, &self.file) {
            copy_if_there(&there, &here)?;
        }
        folder.certify(&birth)?;
        let (tick, has_key) = (done.tick, self.key.is_some());
        let next = if has_key {
            format!("Let it live on: bardo golem run {}", birth.name)
        } else {
            format!(
                "It has no key here. Copy the old machine's key.json to {}, or give it a new one: bardo owner rotate-key {}",
                folder.key().display(),
                birth.name
            )
        };
        let words = format!("{} is here, at tick {tick}.\n{next}", birth.name);
        let here = BroughtHere { golem: birth.name, tick, folder: folder.path().to_owned(), has_key };
        Ok(screen::done(self.json, &here, &words))
    }
}

/// What its owner said to a Golem, in its folder and beside an exported memory.
struct Beside {
    here: PathBuf,
    there: PathBuf,
}

/// His choices, and his word about its pools: a token keeps its place in the books by it (P-057).
fn beside(folder: &Folder, file: &Path) -> [Beside; 2] {
    [
        Beside { here: folder.config(), there: companion(file, ".golem.toml") },
        Beside { here: folder.roster_file(), there: companion(file, ".pools.json") },
    ]
}

fn copy_if_there(from: &Path, to: &Path) -> Result<()> {
    if from.exists() {
        std::fs::copy(from, to).wrap_err_with(|| format!("cannot write {}", to.display()))?;
    }
    Ok(())
}

/// Copies a sealed key for its owner's eyes alone.
fn copy_private(from: &Path, to: &Path) -> Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let bytes = std::fs::read(from).wrap_err_with(|| format!("cannot read {}", from.display()))?;
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
        .wrap_err_with(|| format!("cannot write {}", to.display()))?;
    file.write_all(&bytes).and_then(|()| file.sync_all()).wrap_err_with(|| format!("cannot write {}", to.display()))
}
