//! `bardo golem heritage`: what was handed down to a Golem, and what its own life made of it.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail};
use golem_grimoire::shelf::Grimoire;
use golem_runtime::{HERITAGE_NOTE, Handed, Heritage};
use golem_store::Reader;
use serde_json::{Value, json};

use super::{Home, look};
use crate::screen;

/// What `heritage` takes.
#[derive(Debug, Args)]
pub(crate) struct HeritageArguments {
    /// The Golem: its name, agent id or vault.
    golem: String,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// The record a newborn's store keeps of what it was handed; `None` for a first generation.
pub(crate) fn of(reader: &Reader) -> Result<Option<Heritage>> {
    let Some(text) = reader.note(HERITAGE_NOTE)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).wrap_err("the record of what was inherited cannot be read")
}

/// One entry from the predecessor's word to the heir's own.
fn line(handed: &Handed, grimoire: &Grimoire) -> Value {
    let known = grimoire.get(handed.id);
    let now = known.and_then(|entry| entry.knowledge());
    json!({
        "entry": handed.id, "bequeathed_ppm": handed.bequeathed.get().get(),
        "arrived_ppm": handed.arrived.map(|worth| worth.get().get()), "fate": handed.fate,
        "status": known.map(|entry| entry.status().name()), "confidence_ppm": now.map(|known| known.confidence.get().get()),
        "generation": now.map(|known| known.draft.source.generation), "type": now.map(|known| known.kind().name()),
        "validated": now.map(|known| known.validated), "contradicted": now.map(|known| known.contradicted),
        "says": now.map(|known| known.draft.content.clone()),
    })
}

impl HeritageArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.home.find(&self.golem)?;
        let reader = look::reader(&folder)?;
        let Some(heritage) = of(&reader)? else {
            bail!("{} is the first of its line; it inherited nothing", folder.name())
        };
        let grimoire = reader.grimoire()?;
        let lines: Vec<Value> = heritage.entries.iter().map(|handed| line(handed, &grimoire)).collect();
        if self.json {
            let told = json!({ "golem": folder.name(), "predecessor": heritage.predecessor, "generation": heritage.generation,
                "testament": heritage.testament, "bundle": heritage.bundle, "entries": lines,
                "hypotheses": heritage.hypotheses });
            println!("{}", serde_json::to_string_pretty(&told)?);
            return Ok(ExitCode::SUCCESS);
        }
        let text = |value: &Value| match value {
            Value::Null => "-".to_owned(),
            Value::String(text) => screen::harmless(text),
            other => other.to_string(),
        };
        let columns = [
            "entry",
            "bequeathed_ppm",
            "arrived_ppm",
            "fate",
            "status",
            "confidence_ppm",
            "validated",
            "contradicted",
            "says",
        ];
        let mut rows = vec![columns.map(str::to_owned).to_vec()];
        rows.extend(lines.iter().map(|line| columns.iter().map(|column| text(&line[*column])).collect()));
        screen::table(
            &format!("What {} inherited of {}, in the order of validation", folder.name(), heritage.predecessor),
            &rows,
        );
        Ok(ExitCode::SUCCESS)
    }
}
