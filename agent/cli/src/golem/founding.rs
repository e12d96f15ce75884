//! What a successor is founded on: its settings, its book and what it would inherit.

use std::collections::BTreeMap;
use std::path::Path;

use eyre::{Result, WrapErr, bail};
use golem_chain::PoolBeside;
use golem_grimoire::id::{EntryId, Moment};
use golem_inheritance::heir::Heir;
use golem_inheritance::summon::{HeirPreview, preview};
use golem_playbook::Book;
use golem_primitives::{Address, Tick};
use golem_runtime::{LegacyBundle, inherit};

use super::book::{BookChoice, BookText};
use super::home::{Folder, write_whole};
use super::inherited_entries::TOLD;
use super::settings::Settings;
use super::subject::Subject;

/// Everything that is known before a birth.
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) config: String,
    pub(crate) settings: Settings,
    /// `None` where nothing could be proved and nothing is taken over.
    pub(crate) left: Option<LegacyBundle>,
    pub(crate) book: BookText,
    /// The book its predecessor acted by at its end.
    pub(crate) before: Book,
}

/// What the dead lived by; the defaults when its folder is not here.
pub(crate) fn config_of(subject: &Subject) -> Result<String> {
    match &subject.local {
        Some((folder, _)) if folder.config().exists() => std::fs::read_to_string(folder.config())
            .wrap_err_with(|| format!("cannot read {}", folder.config().display())),
        _ => Ok(String::new()),
    }
}

/// A golem.toml with other values for keys of `[golem]`; everything else stays as the owner wrote it.
pub(crate) fn with_values(text: &str, values: &[(&str, String)]) -> Result<String> {
    let mut table: toml::Table = text.parse().wrap_err("the predecessor's golem.toml cannot be read")?;
    let golem = table.entry("golem").or_insert_with(|| toml::Value::Table(toml::Table::new()));
    let Some(golem) = golem.as_table_mut() else { bail!("[golem] of the predecessor's golem.toml is no table") };
    for (key, value) in values {
        let value = value.parse::<f64>().map_or_else(|_| toml::Value::String(value.clone()), toml::Value::Float);
        golem.insert((*key).to_owned(), value);
    }
    toml::to_string(&table).wrap_err("the successor's golem.toml cannot be written")
}

/// Where a successor trades and whom it pays, as its predecessor did.
pub(crate) struct Inherited {
    pub(crate) pool: Address,
    /// P-057. The pools beside it that it stayed in.
    pub(crate) elsewhere: Vec<PoolBeside>,
    pub(crate) host: Option<Address>,
}

/// The pools and the host of the predecessor; of one from elsewhere the deployment's pool and nobody.
pub(crate) fn place_of(subject: &Subject) -> Result<Inherited> {
    match (&subject.local, subject.chain.deployment.pool) {
        (Some((folder, birth)), _) => {
            Ok(Inherited { pool: birth.pool, elsewhere: folder.pools(birth)?, host: birth.host })
        }
        (None, Some(pool)) => Ok(Inherited { pool, elsewhere: Vec::new(), host: None }),
        (None, None) => bail!("this deployment names no pool; bring the predecessor's folder here"),
    }
}

/// Writes what a successor lives by before it is born: a certificate makes a folder a Golem.
pub(crate) fn found(folder: &Folder, config: &str, book: &BookText) -> Result<()> {
    write_whole(&folder.config(), config.as_bytes())?;
    write_whole(&folder.founding(), book.text.as_bytes())
}

/// The settings and the book of a successor with these values changed.
pub(crate) fn prepare(
    subject: &Subject,
    left: Option<LegacyBundle>,
    name: String,
    values: &[(&str, String)],
    playbook: Option<&BookChoice>,
) -> Result<Prepared> {
    let was = config_of(subject)?;
    // What it staked its testament knows: golem.toml can be edited at any time, and a life is lived as it was born.
    let staked = left.as_ref().and_then(|left| left.testament.stake);
    let staked: Vec<_> = staked.map(|stake| ("stake", stake.as_f64().to_string())).into_iter().collect();
    let was = with_values(&was, &staked)?;
    let mut values = values.to_vec();
    values.extend(playbook.map(|book| ("playbook", book.to_string())));
    let config = with_values(&was, &values)?;
    let settings = Settings::read(&config)?;
    let before = before(subject, left.as_ref())?;
    let book = match playbook {
        Some(choice) => choice.read(Path::new(""))?,
        None => before.clone(),
    };
    Ok(Prepared { name, config, settings, left, book, before: before.book })
}

/// The book a predecessor acted by: as its testament says, or where there is none the one it was founded on.
fn before(subject: &Subject, left: Option<&LegacyBundle>) -> Result<BookText> {
    if let Some(text) = left.and_then(|left| left.testament.book.clone()) {
        return BookText::parse(text, "the predecessor's testament");
    }
    match &subject.local {
        Some((folder, _)) if folder.founding().exists() => BookText::of(folder),
        _ => Settings::read("")?.playbook.read(Path::new("")),
    }
}

impl Prepared {
    /// I-267, I-271. What would be inherited: the inheritance itself, not kept. And how much of it is told by the testament
    /// beside the genome.
    pub(crate) fn preview(&self, poisoned: &BTreeMap<EntryId, String>) -> (HeirPreview, usize) {
        let Some(left) = &self.left else { return (HeirPreview::default(), 0) };
        let (heir, now) = foreseen(left);
        let (candidates, heritage) = inherit(left, &heir, poisoned, now);
        let before: BTreeMap<_, _> = heritage.entries.iter().map(|handed| (handed.id, handed.bequeathed)).collect();
        let told = heritage.entries.iter().filter(|handed| handed.fate == TOLD).count();
        (preview(&candidates, &before, &left.golem, heir.generation), told)
    }
}

/// Who would inherit, and when, as far as that is known before a birth.
pub(crate) fn foreseen(left: &LegacyBundle) -> (Heir, Moment) {
    let generation = left.kin.generation.saturating_add(1);
    let heir = Heir { golem: left.golem, lineage: left.kin.lineage, generation };
    (heir, Moment::new(Tick::new(0), left.testament.written))
}

/// `ada` has `ada-1`, which has `ada-2`.
pub(crate) fn next_name(name: &str, generation: u32) -> String {
    let stem =
        name.rsplit_once('-').filter(|(_, last)| last.bytes().all(|byte| byte.is_ascii_digit()) && !last.is_empty());
    let stem: String = stem.map_or(name, |(stem, _)| stem).chars().take(24).collect();
    format!("{stem}-{generation}")
}
