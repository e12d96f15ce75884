//! One `golem.toml`, out of which each table takes its own keys.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::SettingError;
use crate::kind::{RawValue, Setting};
use crate::table::{SettingsTable, ValueRefusal};

/// How alike a written and a valid key must be for the valid one to be suggested.
const LIKENESS: f64 = 0.6;

/// A file that was read as TOML and not yet understood.
#[derive(Debug, Default)]
pub struct SettingsFile {
    entries: Vec<Entry>,
    /// The tables at the top, with their lines.
    tops: Vec<(String, usize)>,
    keys: Vec<&'static str>,
    sections: Vec<&'static str>,
    aliases: Vec<(&'static str, &'static str)>,
    retired: Vec<(&'static str, &'static str)>,
    errors: Vec<SettingError>,
}

/// One value of the file.
#[derive(Debug)]
struct Entry {
    key: String,
    line: usize,
    value: Written,
    is_taken: bool,
}

#[derive(Debug)]
enum Written {
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<String>),
    /// A table without a key.
    Empty,
    Other(&'static str),
}

impl Written {
    fn raw(&self) -> RawValue<'_> {
        match self {
            Self::Bool(value) => RawValue::Bool(*value),
            Self::Number(digits) => RawValue::Number(digits),
            Self::Text(text) => RawValue::Text(text),
            Self::List(items) => RawValue::List(items),
            Self::Empty => RawValue::Other("a table"),
            Self::Other(kind) => RawValue::Other(kind),
        }
    }
}

impl SettingsFile {
    /// Reads a text as TOML.
    pub fn parse(text: &str) -> Result<Self, SettingError> {
        let document = DeTable::parse(text).map_err(|error| SettingError::Syntax {
            line: error.span().map_or(1, |span| line_of(text, span.start)),
            message: error.message().to_owned(),
        })?;
        let (mut entries, mut tops) = (Vec::new(), Vec::new());
        for (name, value) in document.get_ref() {
            tops.push((name.get_ref().to_string(), line_of(text, name.span().start)));
            collect(text, name.get_ref(), value, &mut entries);
        }
        entries.sort_by_key(|entry| entry.line);
        Ok(Self { entries, tops, ..Self::default() })
    }

    /// Takes short names for keys, each with its key, and answers keys that people will try and that are none with why.
    pub fn accept(
        &mut self,
        aliases: &'static [(&'static str, &'static str)],
        retired: &'static [(&'static str, &'static str)],
    ) {
        self.aliases.extend(aliases);
        self.retired.extend(retired);
    }

    /// A value that decides how the rest is read; whoever has the key takes it again.
    #[must_use]
    pub fn peek<T: Setting>(&self, key: &str) -> Option<T> {
        self.entries.iter().find(|entry| entry.key == key).and_then(|entry| T::read(entry.value.raw()))
    }

    /// Takes the keys of a table into it. What was written and does not fit is a mistake, and leaves the value as it was.
    pub fn fill<T: SettingsTable>(&mut self, table: &mut T) {
        self.know::<T>();
        let written: Vec<String> = self.entries.iter().map(|entry| entry.key.clone()).collect();
        for entry in self.entries.iter_mut().filter(|entry| !entry.is_taken) {
            let alias = self.aliases.iter().find(|(alias, _)| *alias == entry.key);
            if let Some(&(alias, key)) = alias
                && T::KEYS.contains(&key)
                && written.iter().any(|other| other == key)
            {
                entry.is_taken = true;
                self.errors.push(SettingError::Twice { line: entry.line, alias, key });
                continue;
            }
            let key = alias.map_or_else(|| entry.key.clone(), |(_, key)| (*key).to_owned());
            take(table, &key, &key, entry, &mut self.errors);
        }
    }

    /// Takes every table of a kind that an owner may write several of, by name: those under `x402.sources` when the path
    /// of its section is `x402.sources.NAME`.
    ///
    /// # Panics
    /// When a table of several has more than one section: whoever wrote the table made a mistake.
    pub fn each<T: SettingsTable>(&mut self) -> BTreeMap<String, T> {
        let [section] = T::SECTIONS else { panic!("a table of several has one section") };
        let (above, _) = section.rsplit_once('.').unwrap_or(("", section));
        self.know::<T>();
        let mut found: BTreeMap<String, T> = BTreeMap::new();
        for entry in self.entries.iter_mut().filter(|entry| !entry.is_taken) {
            let Some(below) = entry.key.strip_prefix(above).and_then(|rest| rest.strip_prefix('.')) else { continue };
            let (name, key) = match below.split_once('.') {
                Some((name, key)) => (name.to_owned(), format!("{section}.{key}")),
                None if matches!(entry.value, Written::Empty) => (below.to_owned(), (*section).to_owned()),
                None => continue,
            };
            let written = entry.key.clone();
            take(found.entry(name).or_default(), &key, &written, entry, &mut self.errors);
        }
        found
    }

    /// Everything that is wrong, in the order of the file. What no table took is.
    #[must_use]
    pub fn finish(mut self) -> Vec<SettingError> {
        let is_top = |known: &[&str], top: &str| known.iter().any(|path| path.split('.').next() == Some(top));
        for (top, line) in &self.tops {
            if !is_top(&self.sections, top) {
                let tops = self.sections.iter().filter_map(|path| path.split('.').next());
                let nearest = nearest(top, tops);
                self.errors.push(SettingError::UnknownKey { line: *line, key: top.clone(), nearest });
            }
        }
        for entry in self.entries.iter().filter(|entry| !entry.is_taken) {
            let top = entry.key.split('.').next().unwrap_or_default();
            if is_top(&self.sections, top) {
                self.errors.push(self.unknown(entry));
            }
        }
        self.errors.sort_by_key(SettingError::line);
        self.errors
    }

    fn know<T: SettingsTable>(&mut self) {
        self.keys.extend(T::KEYS);
        self.sections.extend(T::SECTIONS);
    }

    fn unknown(&self, entry: &Entry) -> SettingError {
        let (line, key) = (entry.line, entry.key.clone());
        if let Some((_, reason)) = self.retired.iter().find(|(retired, _)| *retired == key) {
            return SettingError::Retired { line, key, reason };
        }
        let aliases = self.aliases.iter().map(|(alias, _)| *alias);
        // The table it stands in is no other word for it.
        let is_own = |path: &&str| key.strip_prefix(*path).is_some_and(|rest| rest.starts_with('.'));
        let sections = self.sections.iter().copied().filter(|path| !is_own(path));
        let nearest = nearest(&key, self.keys.iter().copied().chain(sections).chain(aliases));
        SettingError::UnknownKey { line, key, nearest }
    }
}

/// Gives an entry to a table under that key, if it has it; `shown` is what the key is called where it is wrong.
fn take<T: SettingsTable>(table: &mut T, key: &str, shown: &str, entry: &mut Entry, errors: &mut Vec<SettingError>) {
    let line = entry.line;
    if T::SECTIONS.contains(&key) {
        entry.is_taken = true;
        if !matches!(entry.value, Written::Empty) {
            let found = entry.value.raw().to_string();
            errors.push(SettingError::WrongKind { line, key: shown.to_owned(), found, expected: "a table of keys" });
        }
        return;
    }
    // A table where a value belongs is refused as that value.
    let above = T::KEYS.iter().find(|known| key.strip_prefix(**known).is_some_and(|rest| rest.starts_with('.')));
    let (key, shown, raw) =
        above.map_or_else(|| (key, shown, entry.value.raw()), |known| (*known, *known, RawValue::Other("a table")));
    let Some(set) = table.set(key, raw) else { return };
    let (key, found) = (shown.to_owned(), raw.to_string());
    entry.is_taken = true;
    match set {
        Ok(()) => {}
        Err(ValueRefusal::Kind { expected }) => errors.push(SettingError::WrongKind { line, key, found, expected }),
        Err(ValueRefusal::Value { allowed }) => errors.push(SettingError::NotAllowed { line, key, found, allowed }),
    }
}

/// Every value below a path with its whole key.
fn collect(text: &str, path: &str, value: &Spanned<DeValue<'_>>, entries: &mut Vec<Entry>) {
    let written = match value.get_ref() {
        DeValue::Table(table) if !table.is_empty() => {
            for (name, value) in table {
                collect(text, &format!("{path}.{}", name.get_ref()), value, entries);
            }
            return;
        }
        DeValue::Table(_) => Written::Empty,
        DeValue::Array(items) => {
            let plain: Option<Vec<String>> = items.iter().map(|item| scalar(item.get_ref())).collect();
            plain.map_or(Written::Other("a list of tables or lists"), Written::List)
        }
        DeValue::Datetime(_) => Written::Other("a date"),
        DeValue::Boolean(value) => Written::Bool(*value),
        DeValue::String(text) => Written::Text(text.to_string()),
        number => scalar(number).map_or(Written::Other("an integer that is too large"), Written::Number),
    };
    entries.push(Entry {
        key: path.to_owned(),
        line: line_of(text, value.span().start),
        value: written,
        is_taken: false,
    });
}

/// A plain value as it was written; a whole number in decimal digits.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(value) => Some(value.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// The most alike of the valid keys, if any is alike; of equals the first. A key of the same name in another section is
/// more alike than any of another name: it was put in the wrong place.
fn nearest<'a>(written: &str, valid: impl Iterator<Item = &'a str>) -> Option<String> {
    let last = |key: &str| key.rsplit('.').next().map(str::to_owned);
    let mut best: Option<(f64, &str)> = None;
    for key in valid {
        let misplaced = if last(written) == last(key) { 1.0 } else { 0.0 };
        let (own, other) = without_top(written, key);
        let likeness = misplaced + strsim::normalized_damerau_levenshtein(own, other);
        if likeness >= LIKENESS && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, key));
        }
    }
    best.map(|(_, key)| key.to_owned())
}

/// Two keys without the table both begin with, which makes no two of them alike.
fn without_top<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str) {
    match (one.split_once('.'), other.split_once('.')) {
        (Some((top, own)), Some((same, others))) if top == same => (own, others),
        _ => (one, other),
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}
