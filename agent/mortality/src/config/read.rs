//! From the text of `golem.toml` to a configuration, or to everything that is wrong with it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::setting::{Raw, Refusal, Setting};
use super::{Config, ConfigError, Hosting, Profile};

/// The table of this law in the file.
const ROOT: &str = "mortality";

/// M-299. Short names directly under `[mortality]`.
const ALIASES: [(&str, &str); 3] = [
    ("mortality.death_reserve_usdc", "mortality.economic.death_reserve_floor_usdc"),
    ("mortality.staleness_threshold", "mortality.epistemic.senescence_threshold"),
    ("mortality.staleness_window", "mortality.epistemic.recovery_grace_period"),
];

/// Keys of older drafts that people will try, with why they are gone.
const RETIRED: [(&str, &str); 8] = [
    ("mortality.max_age", "no Golem has a fixed greatest age; fitness and hazard age it"),
    ("mortality.hayflick_limit", "no Golem has a fixed greatest age; fitness and hazard age it"),
    ("mortality.demurrage.interval", "retention is computed when knowledge is read, not at intervals"),
    ("mortality.demurrage.rate", "retention is computed from half-lives when knowledge is read"),
    ("mortality.policy_cage", "neither phase nor owner loosens the PolicyCage; it is law on chain"),
    (
        "mortality.stochastic.roll_inputs",
        "the roll is made of the Golem's name, the tick and a block, for everybody to check",
    ),
    ("mortality.thanatopsis.cancellable", "a death that has begun cannot be stopped"),
    ("mortality.economic.auto_feed", "nobody feeds a Golem automatically"),
];

/// How alike a written and a valid key must be for the valid one to be suggested.
const LIKENESS: f64 = 0.6;

impl Config {
    /// Reads `golem.toml`. Tables named in `others` belong to other laws and are left alone; every other key must be one
    /// of this table's.
    ///
    /// # Errors
    /// Every [`ConfigError`] of the text in the order of the file, and every invariant the result would break.
    pub fn read(text: &str, hosting: Hosting, others: &[&str]) -> Result<Self, Vec<ConfigError>> {
        let document = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            vec![ConfigError::Syntax { line, message: error.message().to_owned() }]
        })?;

        let mut keys = Vec::new();
        let mut errors = Vec::new();
        for (name, value) in document.get_ref() {
            let name_text = name.get_ref().as_ref();
            if name_text == ROOT {
                collect(ROOT, value, &mut keys);
            } else if !others.contains(&name_text) {
                let nearest = nearest(name_text, others.iter().copied().chain([ROOT]));
                let line = line_of(text, name.span().start);
                errors.push(ConfigError::UnknownKey { line, key: name_text.to_owned(), nearest });
            }
        }
        keys.sort_by_key(|(_, value)| value.span().start);

        let mut config = Self::default_for(hosting);
        if let Some((_, value)) = keys.iter().find(|(key, _)| key == "mortality.profile")
            && let Some(profile) = with_raw(value, Profile::read)
        {
            profile.apply(&mut config);
        }
        for (key, value) in &keys {
            let line = line_of(text, value.span().start);
            if let Err(error) = config.take(key, value, line, &keys) {
                errors.push(error);
            }
        }
        errors.extend(config.broken_invariants(hosting));
        if errors.is_empty() { Ok(config) } else { Err(errors) }
    }

    fn take(&mut self, written: &str, value: &Value<'_>, line: usize, all: &[Key<'_>]) -> Result<(), ConfigError> {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == written);
        if let Some(&(alias, key)) = alias
            && all.iter().any(|(other, _)| other == key)
        {
            return Err(ConfigError::Twice { line, alias, key });
        }
        let key = alias.map_or(written, |(_, key)| key);
        match with_raw(value, |raw| self.set(key, raw).map(|result| (result, raw.to_string()))) {
            Some((Ok(()), _)) => Ok(()),
            Some((Err(Refusal::Kind { expected }), found)) => {
                Err(ConfigError::WrongKind { line, key: written.to_owned(), found, expected })
            }
            Some((Err(Refusal::OutOfRange { bounds }), found)) => {
                Err(ConfigError::OutOfRange { line, key: key.to_owned(), found, bounds })
            }
            None if Self::SECTIONS.contains(&written) => {
                let found = with_raw(value, |raw| raw.to_string());
                Err(ConfigError::WrongKind { line, key: written.to_owned(), found, expected: "a table of keys" })
            }
            None => Err(unknown(written, line)),
        }
    }
}

type Value<'a> = Spanned<DeValue<'a>>;
type Key<'a> = (String, &'a Value<'a>);

/// Every value below `path` with its whole key. A table that should be a value, or the reverse, becomes a key that is
/// then refused by its kind or name.
fn collect<'a>(path: &str, value: &'a Value<'a>, keys: &mut Vec<Key<'a>>) {
    match value.get_ref() {
        // An empty table of a valid section says nothing; of any other it is a mistake to report.
        DeValue::Table(table)
            if !Config::KEYS.contains(&path) && (!table.is_empty() || Config::SECTIONS.contains(&path)) =>
        {
            for (name, value) in table {
                collect(&format!("{path}.{}", name.get_ref()), value, keys);
            }
        }
        _ => keys.push((path.to_owned(), value)),
    }
}

fn unknown(key: &str, line: usize) -> ConfigError {
    if let Some((_, reason)) = RETIRED.iter().find(|(retired, _)| *retired == key) {
        return ConfigError::Retired { line, key: key.to_owned(), reason };
    }
    let valid = Config::KEYS.iter().chain(Config::SECTIONS).copied().chain(ALIASES.iter().map(|(alias, _)| *alias));
    ConfigError::UnknownKey { line, key: key.to_owned(), nearest: nearest(key, valid) }
}

/// A key without what every key begins with, which makes none of them alike.
fn own(key: &str) -> &str {
    key.strip_prefix("mortality.").unwrap_or(key)
}

/// The name of a key in its section.
fn last(key: &str) -> Option<&str> {
    key.rsplit('.').next()
}

/// The most alike of the valid keys, if any is alike; of equals the first. A key of the same name in another section is
/// more alike than any of another name: it was put in the wrong place.
fn nearest<'a>(written: &str, valid: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut best: Option<(f64, &str)> = None;
    for key in valid {
        let misplaced = if last(written) == last(key) { 1.0 } else { 0.0 };
        let likeness = misplaced + strsim::normalized_damerau_levenshtein(own(written), own(key));
        if likeness >= LIKENESS && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, key));
        }
    }
    best.map(|(_, key)| key.to_owned())
}

fn with_raw<R>(value: &Value<'_>, take: impl FnOnce(Raw<'_>) -> R) -> R {
    match value.get_ref() {
        DeValue::Boolean(value) => take(Raw::Bool(*value)),
        DeValue::String(text) => take(Raw::Text(text)),
        DeValue::Float(number) => take(Raw::Number(number.as_str())),
        DeValue::Integer(number) if number.radix() == 10 => take(Raw::Number(number.as_str())),
        DeValue::Integer(number) => match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(value) => take(Raw::Number(&value.to_string())),
            Err(_) => take(Raw::Other("an integer that is too large")),
        },
        DeValue::Datetime(_) => take(Raw::Other("a date")),
        DeValue::Array(_) => take(Raw::Other("a list")),
        DeValue::Table(_) => take(Raw::Other("a table")),
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}
