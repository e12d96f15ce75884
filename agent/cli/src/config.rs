//! `bardo config`: every key of `golem.toml`, and whether a file is one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr};
use golem_mortality::config::Hosting;
use golem_settings::{KeyChange, KeyDescription};
use golem_view::{ChangedKey, CheckedFile, KeyLine, Picture};

use crate::golem::settings::{Judged, Settings, describe};
use crate::screen;

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List every key with its default, what is allowed and what it does.
    #[command(after_help = "Example: bardo config keys reserve")]
    Keys(KeysArguments),
    /// Read a golem.toml and say everything that is wrong with it, or what it changes.
    #[command(after_help = "Example: bardo config check golem.toml")]
    Check(CheckArguments),
    /// Print a golem.toml in which every key has its default and says what it does.
    #[command(after_help = "Example: bardo config init > golem.toml")]
    Init,
}

#[derive(Debug, Args)]
pub(crate) struct KeysArguments {
    /// Show only keys whose name or meaning holds this text.
    filter: Option<String>,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The file.
    file: PathBuf,
    /// Judge it as the configuration of a paper Golem without a vault.
    #[arg(long)]
    self_hosted: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl ConfigCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Keys(arguments) => keys(&arguments),
            Self::Check(arguments) => check(&arguments),
            Self::Init => {
                print!("{}", template());
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn keys(arguments: &KeysArguments) -> Result<ExitCode> {
    let wanted = |row: &KeyDescription| {
        let filter = arguments.filter.as_deref().unwrap_or_default().to_lowercase();
        row.key.contains(&filter) || row.meaning.to_lowercase().contains(&filter)
    };
    let line = |row: KeyDescription| KeyLine {
        key: row.key,
        default: row.default,
        allowed: row.allowed,
        meaning: row.meaning,
        requirement: row.id,
    };
    let lines: Vec<_> = describe().into_iter().filter(wanted).map(line).collect();
    Ok(screen::draw_all(arguments.json, "Keys of golem.toml", &lines, "No key has that in its name or meaning."))
}

fn check(arguments: &CheckArguments) -> Result<ExitCode> {
    let path = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file).wrap_err_with(|| format!("cannot read {path}"))?;
    let hosting = if arguments.self_hosted { Hosting::SelfHosted } else { Hosting::Hosted };
    let Judged { mistakes, changes, .. } = Settings::judge(&text, hosting);
    let change = |KeyChange { key, usual, value }| ChangedKey { key, usual, value };
    let changed = if mistakes.is_empty() { changes.into_iter().map(change).collect() } else { Vec::new() };
    let checked = CheckedFile { valid: mistakes.is_empty(), errors: mistakes, changed };
    if arguments.json {
        screen::tell(&checked.object());
    } else if checked.valid {
        let nothing = format!("{path} is valid and changes nothing.");
        screen::show_all(&format!("{path} is valid and changes"), &checked.changed, &nothing);
    } else {
        eprintln!("{path} has {} mistake(s):", checked.errors.len());
        checked.errors.iter().for_each(|mistake| eprintln!("  {mistake}"));
    }
    Ok(if checked.valid { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tables that are there only when an owner writes them: what their keys begin with, one of them, and what it is for.
const SKETCHES: [(&str, &str, &str); 2] = [
    (
        "x402.sources.NAME.",
        "x402.sources.eth-price",
        "Data to buy over x402 from a host of x402.hosts, one table a source; without any, nothing is bought.",
    ),
    (
        "inference.TIER.",
        "inference.t1",
        "Models to ask before a risky entry; without any, rules decide. [inference.t2] and .t3 take the same keys.",
    ),
];

/// A file of all defaults, each key commented out so that a later default is not frozen by accident.
fn template() -> String {
    let mut text = String::from("# golem.toml: every key with its default. Take the # away from what you change.\n");
    let mut section = String::new();
    let rows = describe();
    let is_sketched = |row: &KeyDescription| SKETCHES.iter().any(|(begin, ..)| row.key.starts_with(begin));
    for row in rows.iter().filter(|row| !is_sketched(row)) {
        let (table, key) = row.key.rsplit_once('.').unwrap_or(("", &row.key));
        if table != section {
            text.push_str(&format!("\n[{table}]\n"));
            section = table.to_owned();
        }
        let default = literal(&row.default);
        text.push_str(&format!("# {} It is {}.\n# {key} = {default}\n", row.meaning, row.allowed));
    }
    for (begin, name, meaning) in SKETCHES {
        text.push_str(&format!("\n# {meaning}\n#  [{name}]\n"));
        for row in rows.iter().filter(|row| row.key.starts_with(begin)) {
            let default = if row.default.is_empty() { String::new() } else { format!(" ({})", row.default) };
            text.push_str(&format!(
                "#  {}: {}{default} It is {}.\n",
                &row.key[begin.len()..],
                row.meaning,
                row.allowed
            ));
        }
    }
    text
}

/// A default as TOML writes it: numbers, truth values and lists bare, money without its unit, words quoted.
fn literal(shown: &str) -> String {
    let bare = shown.trim_end_matches(" USDC");
    let is_bare = bare.parse::<f64>().is_ok() || matches!(bare, "true" | "false") || bare.starts_with(['[', '"']);
    if is_bare { bare.to_owned() } else { format!("\"{bare}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The template with every key written.
    fn written() -> String {
        let keys: Vec<String> =
            describe().iter().map(|row| row.key.rsplit('.').next().expect("a key has a name").to_owned()).collect();
        let is_key = |line: &str| {
            let name = line.trim_start_matches("# ").split(" = ").next().unwrap_or_default();
            line.starts_with("# ") && line.contains(" = ") && keys.iter().any(|key| key == name)
        };
        let lines = template();
        lines.lines().map(|line| if is_key(line) { &line[2..] } else { line }).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_template_with_every_key_written_is_the_default() {
        let text = written();
        let Judged { mistakes, changes, .. } = Settings::judge(&text, Hosting::Hosted);
        assert_eq!((mistakes, changes), (Vec::new(), Vec::new()), "{text}");
    }
}
