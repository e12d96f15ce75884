//! What a successor is founded on: its settings, its charter and what it would inherit.

use std::collections::BTreeMap;

use eyre::{Result, WrapErr, bail};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::playbook::Playbook;
use golem_inheritance::heir::Heir;
use golem_inheritance::summon::{Preview, preview};
use golem_primitives::{Address, Ppm, Tick};
use golem_runtime::{LegacyBundle, inherit};

use super::heirship::Charter;
use super::sole::write_whole;
use super::subject::Subject;
use super::trace::TOLD;
use super::{Folder, Settings};

/// Everything that is known before a birth.
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) config: String,
    pub(crate) settings: Settings,
    /// `None` where nothing could be proved and nothing is taken over.
    pub(crate) left: Option<LegacyBundle>,
    pub(crate) charter: Charter,
    pub(crate) before: Charter,
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

/// The predecessor's last PLAYBOOK as a document; one that died before it had a rule has an empty one.
pub(crate) fn playbook_of(left: &LegacyBundle) -> Result<Playbook> {
    let text = &left.testament.testament.playbook;
    if text.is_empty() { Ok(Playbook::default()) } else { Ok(text.parse()?) }
}

/// The pool and the host of the predecessor; of one from elsewhere the deployment's pool and nobody.
pub(crate) fn place_of(subject: &Subject) -> Result<(Address, Option<Address>)> {
    match (&subject.local, subject.chain.deployment.pool) {
        (Some((_, birth)), _) => Ok((birth.pool, birth.host)),
        (None, Some(pool)) => Ok((pool, None)),
        (None, None) => bail!("this deployment names no pool; bring the predecessor's folder here"),
    }
}

/// Writes what a successor lives by before it is born: a certificate makes a folder a Golem.
pub(crate) fn found(folder: &Folder, config: &str, charter: &Charter) -> Result<()> {
    write_whole(&folder.config(), config.as_bytes())?;
    write_whole(&folder.charter(), charter.text().as_bytes())
}

/// The settings and the charter of a successor with these values changed.
pub(crate) fn prepare(
    subject: &Subject,
    left: Option<LegacyBundle>,
    name: String,
    values: &[(&str, String)],
    takes_genome: bool,
) -> Result<Prepared> {
    let was = config_of(subject)?;
    // How it traded its testament knows: golem.toml can be edited at any time, and a life is lived as it was born.
    let lived = left.as_ref().map(|left| {
        let strategy = left.testament.strategy.clone().map(|strategy| ("strategy", strategy));
        let stake = left.testament.stake.map(|stake| ("stake", stake.as_f64().to_string()));
        strategy.into_iter().chain(stake).collect::<Vec<_>>()
    });
    let was = with_values(&was, &lived.unwrap_or_default())?;
    let config = with_values(&was, values)?;
    let (mut old, settings) = (Settings::read(&was, false)?, Settings::read(&config, false)?);
    // I-210: with few rules one line more or less decides, and a stake that is nearly the same is no other life.
    if is_near(old.trader.stake, settings.trader.stake) {
        old.trader.stake = settings.trader.stake;
    }
    // I-290: who takes nothing over is compared by what both have, or rules that are left behind would make any two differ.
    let (before, charter) = match left.as_ref().filter(|_| takes_genome) {
        Some(left) => {
            let playbook = playbook_of(left)
                .wrap_err("the predecessor's PLAYBOOK cannot be read, so nobody can say how alike they are")?;
            (Charter::of_dead(&old, &playbook), Charter::of_heir(&settings, left, &playbook))
        }
        None => (Charter::of_settings(&old), Charter::of_settings(&settings)),
    };
    Ok(Prepared { name, config, settings, left, charter, before })
}

/// Whether two stakes differ by less than a quarter of the larger.
fn is_near(one: Ppm, other: Ppm) -> bool {
    let (less, more) = (one.get().min(other.get()), one.get().max(other.get()));
    u64::from(more - less) * 4 < u64::from(more)
}

impl Prepared {
    /// I-267, I-271. What would be inherited: the inheritance itself, not kept. And how much of it is told by the testament
    /// beside the genome.
    pub(crate) fn preview(&self, poisoned: &BTreeMap<EntryId, String>) -> (Preview, usize) {
        let Some(left) = &self.left else { return (Preview::default(), 0) };
        let generation = left.kin.generation.saturating_add(1);
        let heir = Heir { golem: left.golem, lineage: left.kin.lineage, generation };
        let now = Moment::new(Tick::new(0), left.testament.written);
        let (candidates, heritage) = inherit(left, &heir, true, poisoned, now);
        let before: BTreeMap<_, _> = heritage.entries.iter().map(|handed| (handed.id, handed.bequeathed)).collect();
        let told = heritage.entries.iter().filter(|handed| handed.fate == TOLD).count();
        (preview(&candidates, &before, &left.golem, generation), told)
    }
}

/// `ada` has `ada-1`, which has `ada-2`.
pub(crate) fn next_name(name: &str, generation: u32) -> String {
    let stem =
        name.rsplit_once('-').filter(|(_, last)| last.bytes().all(|byte| byte.is_ascii_digit()) && !last.is_empty());
    let stem: String = stem.map_or(name, |(stem, _)| stem).chars().take(24).collect();
    format!("{stem}-{generation}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-210: a hair more or less at stake is the same stake.
    #[test]
    fn i_210_a_stake_that_is_nearly_the_same_is_no_difference() {
        for (one, other, near) in [
            (50_000, 50_000, true),
            (50_000, 60_000, true),
            (60_000, 50_000, true),
            (45_000, 60_000, false),
            (50_000, 30_000, false),
            (0, 1, false),
        ] {
            assert_eq!(is_near(Ppm::of(one), Ppm::of(other)), near, "{one} {other}");
        }
    }
}
