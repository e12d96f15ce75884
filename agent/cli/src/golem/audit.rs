//! `bardo memory audit`: everything that is kept of a Golem on this machine, against what was written.

use std::process::ExitCode;

use eyre::{Result, eyre};
use golem_chain::Keystore;
use golem_primitives::keccak256;
use golem_runtime::TESTAMENT_NOTE;
use golem_store::{Reader, insurance};
use golem_view::{AuditPicture, FindingPicture, Shown as _, table_of};

use super::bundle::layers;
use super::grimoire;
use super::grimoire::TableArguments;
use super::home::Folder;
use super::replay;
use crate::screen;

struct Findings<'a> {
    folder: &'a Folder,
    all: Vec<FindingPicture>,
}

impl Findings<'_> {
    /// Notes what came of a look; `remedy` is for what is wrong.
    fn note(&mut self, what: impl Into<String>, found: Result<String>, remedy: impl Into<String>) {
        let (is_sound, detail) = found.map_or_else(|error| (false, format!("{error:#}")), |detail| (true, detail));
        self.all.push(FindingPicture::new(what, is_sound, detail, remedy));
    }

    fn memory(&mut self, reader: &Reader, json: bool) -> Result<()> {
        let name = self.folder.name();
        let back = format!(
            "`bardo memory restore {name}` goes back to the newest sound snapshot; `bardo memory restore {name} --as-is` \
             goes on with what is there"
        );
        let sound = |said: &str| Ok(said.to_owned());
        self.note("pages", reader.check().map_err(Into::into).and_then(|()| sound("every page and index")), &back);
        let rows = match reader.damaged()? {
            tables if tables.is_empty() => sound("every row is what was written"),
            tables => Err(eyre!("the rows of {} are not what was written", tables.join(", "))),
        };
        self.note("rows", rows, &back);
        let progress = screen::Wait::new(json, "living it again");
        let lived = replay::lived_again(reader);
        self.note("journal", lived.and_then(|(ok, told)| if ok { Ok(told) } else { Err(eyre!(told)) }), &back);
        progress.end();
        let flaws = grimoire::flaws(self.folder, reader).and_then(|flaws| match flaws.as_slice() {
            [] => sound("every law that can be checked in it holds"),
            flaws => Err(eyre!(
                "{}",
                flaws.iter().map(|flaw| format!("{}: {}", flaw.law, flaw.detail)).collect::<Vec<_>>().join("; ")
            )),
        });
        self.note("Grimoire and PLAYBOOK.md", flaws, format!("starting it mends PLAYBOOK.md; otherwise {back}"));
        Ok(())
    }

    /// Every copy, each on its own: one that is damaged must not be the one that is needed.
    fn copies(&mut self) -> Result<()> {
        for insured in insurance::list(&insurance::folder_of(&self.folder.store()))? {
            let file = insured.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let found = insurance::verify(&insured.path, None).map(|(_, tick)| format!("sealed at tick {tick}"));
            let remedy = format!(
                "remove {}; `bardo memory snapshot {}` makes a new one",
                insured.path.display(),
                self.folder.name()
            );
            self.note(format!("copy {file}"), found.map_err(Into::into), remedy);
        }
        Ok(())
    }

    /// What lies beside the memory.
    fn files(&mut self, reader: Option<&Reader>) {
        let (folder, name) = (self.folder, self.folder.name());
        let birth = folder.birth();
        // A life on paper has none.
        if folder.path().join("birth.json").exists() {
            let found =
                birth.as_ref().map(|birth| format!("agent {}", birth.agent)).map_err(|error| eyre!("{error:#}"));
            self.note("certificate", found, "copy birth.json from an export of this Golem (`bardo memory export`)");
        }
        let settings = folder.settings().map(|_| "golem.toml is understood".to_owned());
        self.note("settings", settings, "mend what is named; `bardo config keys` lists every key");
        if folder.key().exists() {
            let key = Keystore::open(&folder.key()).map_err(eyre::Report::from).and_then(|keystore| {
                let wanted = birth.as_ref().ok().map(|birth| birth.key);
                match (keystore.address(), wanted) {
                    (Some(found), Some(wanted)) if found != wanted => {
                        Err(eyre!("it is the key of {found}, not of {wanted}"))
                    }
                    _ => Ok("sealed; only its password shows that it opens".to_owned()),
                }
            });
            self.note(
                "key",
                key,
                format!("put a copy of it back, or give it a new one: `bardo owner rotate-key {name}`"),
            );
        }
        if folder.testament().exists() {
            let testament =
                reader.ok_or_else(|| eyre!("nothing to hold it against")).and_then(|reader| will(folder, reader));
            self.note(
                "testament",
                testament,
                format!("`bardo grave testament {name} --verify` holds it against the chain"),
            );
        }
        if folder.bundle().exists() {
            let left = layers::read(&folder.bundle()).map(|_| "every part is what its digest says".to_owned());
            let remedy = "import another copy of it: the archive and the library keep one (`bardo line bundle import`)";
            self.note("bundle", left, remedy);
        }
    }
}

/// The testament in the folder against what the memory says was written.
fn will(folder: &Folder, reader: &Reader) -> Result<String> {
    let bytes = std::fs::read(folder.testament())?;
    let note = reader.note(TESTAMENT_NOTE)?.ok_or_else(|| eyre!("the memory knows of none"))?;
    let written: golem_ports::SettledTestament = serde_json::from_str(&note)?;
    match keccak256(&bytes) {
        hash if hash == written.hash => Ok(format!("its hash is {hash}")),
        hash => Err(eyre!("its hash is {hash}, {} was written", written.hash)),
    }
}

pub(super) fn run(arguments: &TableArguments) -> Result<ExitCode> {
    let folder = arguments.whose.folder()?;
    let mut findings = Findings { folder: &folder, all: Vec::new() };
    let reader = super::look::reader(&folder);
    match &reader {
        // A part that cannot be read at all must not hide the others.
        Ok(reader) => {
            if let Err(error) = findings.memory(reader, arguments.json) {
                findings.note("memory", Err(error), format!("`bardo memory restore {}`", folder.name()));
            }
        }
        Err(error) => {
            findings.note("memory", Err(eyre!("{error:#}")), format!("`bardo memory restore {}`", folder.name()))
        }
    }
    findings.copies()?;
    findings.files(reader.as_ref().ok());
    let sound = FindingPicture::all_ok(&findings.all);
    if arguments.json {
        screen::tell(&AuditPicture { golem: folder.name().to_owned(), sound, found: findings.all }.json());
    } else {
        screen::show(&table_of(&format!("What is kept of {}", folder.name()), &findings.all));
        for FindingPicture { what, remedy, .. } in findings.all.iter().filter(|one| !one.ok.0) {
            println!("\n{what}: {}", remedy.as_deref().unwrap_or_default());
        }
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
