//! `bardo golem list`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_chain::PaperView;
use serde_json::{Value, json};

use super::look;
use super::{Folder, Home};
use crate::screen;

/// What `list` takes.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    home: Home,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

impl ListArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let lines: Vec<Value> = self.home.everybody()?.iter().map(line).collect();
        if self.json {
            println!("{}", serde_json::to_string_pretty(&lines)?);
            return Ok(ExitCode::SUCCESS);
        }
        if lines.is_empty() {
            println!("There is no Golem here; raise one with `bardo golem create NAME`.");
            return Ok(ExitCode::SUCCESS);
        }
        let columns = ["name", "agent", "vault", "chain", "life", "phase", "tick", "process"];
        let mut rows = vec![columns.map(str::to_owned).to_vec()];
        let text = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| if value.is_null() { "-".to_owned() } else { value.to_string() }, str::to_owned)
        };
        rows.extend(lines.iter().map(|line| columns.iter().map(|column| text(&line[*column])).collect()));
        screen::table("Golems of this machine", &rows);
        Ok(ExitCode::SUCCESS)
    }
}

/// One Golem; what cannot be read is said in its own line and keeps no other from being shown.
fn line(folder: &Folder) -> Value {
    let mut line = json!({ "name": folder.name(), "process": look::holder(folder) });
    let mut put =
        |key: &str, value: Value| drop(line.as_object_mut().expect("an object").insert(key.to_owned(), value));
    match folder.birth() {
        Err(_) if folder.is_on_paper() => {
            put("vault", "on paper".into());
            match PaperView::read(&folder.paper()) {
                Ok(paper) => put("chain", paper.chain.into()),
                Err(error) => put("error", format!("{:#}", eyre::Report::new(error)).into()),
            }
        }
        Ok(birth) => {
            put("agent", birth.agent.to_string().into());
            put("vault", birth.vault.to_string().into());
            put("chain", birth.deployment.chain_id.into());
        }
        Err(error) => put("error", format!("{error:#}").into()),
    }
    match look::reader(folder).and_then(|reader| look::life(&reader)) {
        Ok(life) => {
            put("life", look::standing(&life).into());
            put("phase", life.vitals().phase().to_string().into());
            put("tick", life.tick().get().into());
        }
        Err(error) => {
            put("life", "unreadable".into());
            put("error", format!("{error:#}").into());
        }
    }
    line
}
