//! `bardo mind suffering`: what presses on a Golem, what would ease it, and what it closes.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure, eyre};
use golem_core::life::Life;
use golem_core::strain::Strain;
use golem_suffering::Suffering;
use golem_suffering::action::{Goal, GoalClass};
use golem_suffering::domain::Domain;
use golem_suffering::export::Export;
use golem_suffering::prompt::bar;
use serde_json::{Value, json};

use super::grimoire::Whose;
use super::look;
use crate::screen;

/// What `suffering` takes.
#[derive(Debug, Args)]
pub(crate) struct SufferingArguments {
    #[command(flatten)]
    whose: Whose,
    /// A JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Write everything that is and was suffered into a new file, with its checksum.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    export: Option<PathBuf>,
}

impl SufferingArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let strain = life.strain().ok_or_else(|| {
            eyre!(
                "{} does not suffer; write `profile = \"hardened\"` under [suffering] of its golem.toml and let it live",
                folder.name()
            )
        })?;
        let export = exported(&life, strain);
        match self.export {
            Some(path) => write(&path, &export)?,
            None if self.json => {
                println!("{}", serde_json::to_string_pretty(&picture(folder.name(), &life, strain, &export)?)?)
            }
            None => show(folder.name(), &life, strain, &export),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// S-110. The whole, as of its last tick.
fn exported(life: &Life, strain: &Strain) -> Export {
    let law = strain.law().unwrap_or_default();
    strain.suffering().export(life.vitals().vitality().last_computed, &law)
}

/// S-111. Beside it, flushed, renamed; what is there already is not overwritten.
fn write(path: &std::path::Path, export: &Export) -> Result<()> {
    ensure!(!path.exists(), "{} exists; choose another file", path.display());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = || -> std::io::Result<()> {
        let file = std::fs::File::create(&beside)?;
        serde_json::to_writer_pretty(&file, export).map_err(std::io::Error::other)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    written().wrap_err_with(|| format!("cannot write {}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

/// S-021. Which classes of goals a band leaves open, where the Golem is in no particular place.
fn closed(suffering: &Suffering) -> Vec<&'static str> {
    let is_closed = |class: &&GoalClass| !suffering.judge(&Goal::new(**class, Domain::default())).is_open();
    GoalClass::ALL.iter().filter(is_closed).map(|class| class.name()).collect()
}

fn picture(name: &str, life: &Life, strain: &Strain, export: &Export) -> Result<Value> {
    let suffering = strain.suffering();
    let mut picture = serde_json::to_value(export)?;
    if let Value::Object(fields) = &mut picture {
        fields.insert("golem".to_owned(), json!(name));
        fields.insert("life".to_owned(), json!(look::standing(life)));
        fields.insert("tick".to_owned(), json!(life.tick()));
        fields.insert("profile".to_owned(), json!(strain.law().map(|law| law.profile.name())));
        fields.insert("closed".to_owned(), json!(closed(suffering)));
        fields.insert("crisis_cycles".to_owned(), json!(suffering.crisis().cycles()));
        fields.insert("prompt".to_owned(), json!(strain.prompt()));
    }
    Ok(picture)
}

/// S-145. Functional state; no claim of feeling.
fn show(name: &str, life: &Life, strain: &Strain, export: &Export) {
    let suffering = strain.suffering();
    let law = strain.law().unwrap_or_default();
    let list = |names: Vec<&str>| if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    let mut rows = vec![
        vec!["load".to_owned(), suffering.status(&law)],
        vec!["reading".to_owned(), strain.law().map_or("off", |law| law.profile.name()).to_owned()],
        vec!["closed".to_owned(), list(closed(suffering))],
    ];
    if let Some(at) = suffering.frozen_at() {
        rows.push(vec!["frozen".to_owned(), format!("since {at}: death has begun, nothing moves any more")]);
    }
    if suffering.crisis().cycles() > 0 {
        rows.push(vec!["crisis".to_owned(), format!("{} cycles in a row", suffering.crisis().cycles())]);
    }
    screen::table(&format!("{name}, {} at tick {}", look::standing(life), life.tick()), &rows);
    let active: Vec<Vec<String>> = suffering
        .active()
        .into_iter()
        .flat_map(|one| {
            let first = vec![
                one.key().to_string(),
                format!("{} {}", bar(one.severity), one.severity),
                format!("{} {}", one.description, one.evidence),
            ];
            [first, vec![String::new(), "eases when".to_owned(), one.condition.text.to_string()]]
        })
        .collect();
    if !active.is_empty() {
        screen::table("what presses", &active);
    }
    let over: Vec<Vec<String>> = export
        .resolved_history
        .iter()
        .rev()
        .take(10)
        .map(|row| {
            vec![
                row.name.clone(),
                format!("peak {:.2}", row.peak_severity),
                row.closure.map_or("", |closure| closure.name()).to_owned(),
                row.resolution_note.clone().unwrap_or_default(),
            ]
        })
        .collect();
    if !over.is_empty() {
        screen::table("what is over", &over);
    }
}
