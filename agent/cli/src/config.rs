//! `bardo config`: every key of `golem.toml`, and whether a file is one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr};
use golem_mortality::config::{Config, Hosting, KeyDescription};

use crate::golem::{Settings, TABLES, describe};
use crate::screen;

/// What `config` takes.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List every key with its default, its range and what it does.
    #[command(after_help = "Example: bardo config keys reserve")]
    Keys(KeysArguments),
    /// Read a golem.toml and say everything that is wrong with it, or what it changes.
    #[command(after_help = "Example: bardo config check golem.toml")]
    Check(CheckArguments),
    /// Print a golem.toml in which every key has its default and says what it does.
    #[command(after_help = "Example: bardo config init > golem.toml")]
    Init,
}

/// What `keys` takes.
#[derive(Debug, Args)]
pub(crate) struct KeysArguments {
    /// Show only keys whose name or meaning holds this text.
    filter: Option<String>,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

/// What `check` takes.
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

/// The law's keys and the owner's other choices.
fn all_keys() -> impl Iterator<Item = KeyDescription> {
    describe().chain(Config::describe())
}

fn keys(arguments: &KeysArguments) -> Result<ExitCode> {
    let wanted = |row: &KeyDescription| {
        let filter = arguments.filter.as_deref().unwrap_or_default().to_lowercase();
        row.key.contains(&filter) || row.meaning.to_lowercase().contains(&filter)
    };
    let rows: Vec<_> = all_keys().filter(wanted).collect();
    if arguments.json {
        let list: Vec<_> = rows
            .iter()
            .map(|r| serde_json::json!({ "key": r.key, "default": r.default, "range": r.bounds, "meaning": r.meaning, "requirement": r.id }))
            .collect();
        println!("{}", serde_json::to_string_pretty(&list)?);
    } else {
        let cells: Vec<_> = rows
            .iter()
            .map(|r| vec![r.key.clone(), r.default.clone(), r.bounds.clone(), r.meaning.to_owned()])
            .collect();
        screen::table("golem.toml: key, default, range, meaning", &cells);
    }
    Ok(ExitCode::SUCCESS)
}

fn check(arguments: &CheckArguments) -> Result<ExitCode> {
    let path = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file).wrap_err_with(|| format!("cannot read {path}"))?;
    let hosting = if arguments.self_hosted { Hosting::SelfHosted } else { Hosting::Hosted };
    let config = match judge(&text, arguments.self_hosted, hosting) {
        Ok(config) => config,
        Err(errors) => {
            if arguments.json {
                println!("{}", serde_json::json!({ "valid": false, "errors": errors }));
            } else {
                eprintln!("{path} has {} mistake(s):", errors.len());
                errors.iter().for_each(|error| eprintln!("  {error}"));
            }
            return Ok(ExitCode::FAILURE);
        }
    };
    let default = Config::default_for(hosting);
    let changed: Vec<(String, String, String)> = Config::describe()
        .into_iter()
        .filter_map(|row| {
            let (value, usual) = (config.value(&row.key)?, default.value(&row.key)?);
            (value != usual).then_some((row.key, usual, value))
        })
        .chain(Settings::chosen(&text))
        .collect();
    if arguments.json {
        let changed: serde_json::Map<_, _> =
            changed.into_iter().map(|(key, _, value)| (key, serde_json::Value::from(value))).collect();
        println!("{}", serde_json::json!({ "valid": true, "changed": changed }));
    } else if changed.is_empty() {
        println!("{path} is valid and changes nothing.");
    } else {
        let rows: Vec<_> =
            changed.into_iter().map(|(key, usual, value)| vec![key, format!("{usual} -> {value}")]).collect();
        screen::table(&format!("{path} is valid and changes"), &rows);
    }
    Ok(ExitCode::SUCCESS)
}

/// The law of a file, or every mistake in all of its tables.
fn judge(text: &str, is_self_hosted: bool, hosting: Hosting) -> Result<Config, Vec<String>> {
    let others = Settings::mistakes(text, is_self_hosted);
    match Config::read(text, hosting, &TABLES) {
        Ok(config) if others.is_empty() => Ok(config),
        Ok(_) => Err(others),
        Err(errors) => Err(errors.iter().map(ToString::to_string).chain(others).collect()),
    }
}

/// What the keys of a source begin with.
const SOURCE: &str = "x402.sources.NAME.";

/// A file of all defaults, each key commented out so that a later default is not frozen by accident.
fn template() -> String {
    let mut text = String::from("# golem.toml: every key with its default. Take the # away from what you change.\n");
    let mut section = String::new();
    // A table of a model is there only when one is chosen: its keys stand below, as a sketch.
    let (models, others): (Vec<_>, Vec<_>) = all_keys().partition(|row| row.key.starts_with("inference."));
    let (sources, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|row| row.key.starts_with(SOURCE));
    for row in others {
        let (table, key) = row.key.rsplit_once('.').unwrap_or(("", &row.key));
        if table != section {
            text.push_str(&format!("\n[{table}]\n"));
            section = table.to_owned();
        }
        let default = literal(&row.default);
        text.push_str(&format!("# {} Range: {}.\n# {key} = {default}\n", row.meaning, row.bounds));
    }
    text.push_str(
        "\n# Data to buy over x402 from a host of x402.hosts, one table a source; without any, nothing is bought.\n",
    );
    text.push_str("#  [x402.sources.eth-price]\n");
    for row in &sources {
        let default = if row.default.is_empty() { String::new() } else { format!(" ({})", row.default) };
        text.push_str(&format!("#  {}: {}{default} Range: {}.\n", &row.key[SOURCE.len()..], row.meaning, row.bounds));
    }
    text.push_str("\n# Models to ask before a risky entry; without any, rules decide. [inference.t2] and .t3 take the same keys.\n");
    text.push_str("#  [inference.t1]\n");
    for row in models.iter().filter(|row| row.key.starts_with("inference.t1.")) {
        let default = if row.default.is_empty() { String::new() } else { format!(" ({})", row.default) };
        text.push_str(&format!("#  {}: {}{default}\n", row.key.trim_start_matches("inference.t1."), row.meaning));
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
            all_keys().map(|row| row.key.rsplit('.').next().expect("a key has a name").to_owned()).collect();
        let is_key = |line: &str| {
            let name = line.trim_start_matches("# ").split(" = ").next().unwrap_or_default();
            line.starts_with("# ") && line.contains(" = ") && keys.iter().any(|key| key == name)
        };
        let lines = template();
        lines.lines().map(|line| if is_key(line) { &line[2..] } else { line }).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_template_with_every_key_written_is_the_default() {
        let text: String = written().lines().filter(|line| !line.ends_with("\"none\"")).collect::<Vec<_>>().join("\n");
        let config =
            Config::read(&text, Hosting::Hosted, &TABLES).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        assert_eq!(config, Config::default());
        assert_eq!(Settings::mistakes(&text, false), Vec::<String>::new(), "{text}");
        assert_eq!(Settings::chosen(&text), Vec::new());
    }
}
