//! Whom a newborn succeeds, what it is founded on, and whether it would be the same again (I-210 to I-212).

use std::collections::{BTreeMap, BTreeSet};

use eyre::{Result, WrapErr};
use golem_chain::Endpoints;
use golem_grimoire::entry::EmbeddingMark;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::playbook::{Playbook, Section};
use golem_inheritance::heir::Heir;
use golem_inheritance::individuation::Distance;
use golem_inheritance::ingest::claims::ChainAnswer;
use golem_inheritance::novelty::{Space, Vector, cosine};
use golem_inheritance::toxic::Antidote;
use golem_ports::{Embedder as _, Purpose, Store as _};
use golem_primitives::{AgentId, B256, Ppm, Tick, keccak256};
use golem_runtime::{DEFAULTS_NOTE, Defaults, HERITAGE_NOTE, LegacyBundle, inherit_in, texts_of, transactions_named};
use golem_store::SqliteStore;
use serde_json::Value;

use super::succession::Measure;
use super::{BirthCertificate, Settings};

/// Transactions the chain is asked about for one birth.
const MOST_ASKED: usize = 4_096;
/// Texts given to the embedder at once.
const EMBEDDED_AT_ONCE: usize = 32;

/// What a birth takes over.
#[derive(Debug)]
pub(crate) struct Heirship {
    /// Whom it succeeds.
    pub(crate) predecessor: AgentId,
    /// The digest of its charter, which the chain records and holds against the predecessor's PLAYBOOK.
    pub(crate) charter: B256,
    /// What the dead left; proved before it came here. `None` where nothing could be proved and nothing is taken over.
    pub(crate) left: Option<LegacyBundle>,
    /// Whether it takes the genome in.
    pub(crate) takes_genome: bool,
    /// Entries that were found to lie, with layer and reason.
    pub(crate) poisoned: BTreeMap<EntryId, String>,
}

impl Heirship {
    /// I-005. Lands what is taken over in a newborn's store, once: candidates, and the record of where they come from.
    pub(crate) fn take_over(&self, store: &mut SqliteStore, birth: &BirthCertificate, space: &Space) -> Result<()> {
        let Some(left) = &self.left else { return Ok(()) };
        let generation = u32::try_from(birth.generation).unwrap_or(u32::MAX);
        let heir = Heir { golem: birth.golem(), lineage: birth.lineage, generation };
        let now = Moment::new(Tick::new(0), birth.born);
        let (candidates, heritage) = inherit_in(space, left, &heir, self.takes_genome, &self.poisoned, now);
        let refusals: Vec<_> = if self.takes_genome { left.immune.table().collect() } else { Vec::new() };
        store
            .adopt(&candidates, &refusals, (HERITAGE_NOTE, &heritage.to_note()), now)
            .wrap_err("what it inherits could not be written; the same command goes on from here")?;
        if self.takes_genome && store.note(DEFAULTS_NOTE)?.is_none() {
            store.set_note(DEFAULTS_NOTE, &Defaults::proposed(left, birth.lineage, now).to_note())?;
        }
        Ok(())
    }
}

/// I-050, I-053. The heir's own space: every text it is handed, measured from the lines of its charter, which is what it
/// has before it inherits. Empty without a model: then all is new, and what the dead was surest of comes first.
pub(crate) async fn space(left: Option<&LegacyBundle>, charter: &str, settings: &Settings) -> Space {
    let Some(left) = left.filter(|_| !settings.embedder.is_none()) else { return Space::default() };
    match placed(left, charter, settings).await {
        Ok(space) => space,
        Err(error) => {
            tracing::warn!("{error:#}; what is inherited is tried in the order of confidence (`bardo doctor`)");
            Space::default()
        }
    }
}

async fn placed(left: &LegacyBundle, charter: &str, settings: &Settings) -> Result<Space> {
    let Some(embedder) = settings.embedder.open().await? else { return Ok(Space::default()) };
    let model = embedder.model();
    let mark = EmbeddingMark {
        model: model.name.clone(),
        version: model.version.clone(),
        preprocessing: model.preprocessing,
        at: left.testament.written,
    };
    let texts: Vec<String> = texts_of(left).into_iter().collect();
    let known: Vec<&str> = charter.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let mut vectors = Vec::new();
    let all: Vec<&str> = texts.iter().map(String::as_str).chain(known).collect();
    for page in all.chunks(EMBEDDED_AT_ONCE) {
        vectors.extend(embedder.embed(page, Purpose::Entry).await?);
    }
    let mut placed = vectors.into_iter().map(|values| Vector { mark: mark.clone(), values });
    let texts: BTreeMap<String, Vector> = texts.into_iter().zip(placed.by_ref()).collect();
    Ok(Space::new(texts, placed.collect()))
}

/// What a life is founded on, line by line: how it trades, and the rules it acts by or shall prove.
///
/// I-210 and C-06 compare PLAYBOOKs, and a newborn has none: rules come to it as reference and are in force once its own
/// life has confirmed them (I-008, I-362). Its own, empty, would always differ and its predecessor's never, so neither
/// says whether the same life is lived again. What does is how it will trade and which of the rules it takes up, and that
/// is its charter; at its death, when it has a PLAYBOOK, that one is measured against the one it was handed (I-200).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Charter {
    lines: BTreeSet<String>,
}

impl Charter {
    /// Of a life that was: its settings and every rule of its last PLAYBOOK.
    pub(crate) fn of_dead(settings: &Settings, playbook: &Playbook) -> Self {
        let rules = playbook.rules().map(|(_, rule)| rule_line(&rule.key()));
        Self { lines: settings_lines(settings).chain(rules).collect() }
    }

    /// I-290. Of a life from which nothing is taken over: how it traded alone.
    pub(crate) fn of_settings(settings: &Settings) -> Self {
        Self { lines: settings_lines(settings).collect() }
    }

    /// The lines, to be kept and read again.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.iter().cloned().collect()
    }

    /// The charter of such lines.
    pub(crate) fn of_lines(lines: &[String]) -> Self {
        Self { lines: lines.iter().cloned().collect() }
    }

    /// Of a life to be: its settings, and of the predecessor's rules those it takes over: for every strategy or for its
    /// own, and not those that an autopsy would leave out or turn round.
    pub(crate) fn of_heir(settings: &Settings, left: &LegacyBundle, playbook: &Playbook) -> Self {
        let mut lines: BTreeSet<String> = settings_lines(settings).collect();
        let own = settings.trader.strategy.to_string();
        let refused: BTreeSet<EntryId> = left
            .bequest
            .entries
            .iter()
            .filter(|entry| matches!(entry.antidote, Some(Antidote::Discard | Antidote::Invert)))
            .map(|entry| entry.id)
            .collect();
        let is_for_it = |section: &Section| match section {
            Section::Global => true,
            Section::Strategy(name) => *name == own,
        };
        let taken = playbook.rules().filter(|(section, rule)| is_for_it(section) && !refused.contains(&rule.id));
        lines.extend(taken.map(|(_, rule)| rule_line(&rule.key())));
        Self { lines }
    }

    /// The document.
    pub(crate) fn text(&self) -> String {
        let mut text = "# CHARTER\n\n".to_owned();
        self.lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
        text
    }

    /// What the chain records of it. The name and the time belong to it, so that no two lives have the same.
    pub(crate) fn digest(&self, name: &str, predecessor: AgentId) -> B256 {
        keccak256(format!("{}\n{name} after {predecessor}\n", self.text()))
    }

    /// I-201. The share of lines in which two differ: it needs no model.
    fn by_lines(&self, other: &Self) -> Option<Distance> {
        let all = self.lines.union(&other.lines).count().max(1);
        let common = self.lines.intersection(&other.lines).count();
        Distance::new(1.0 - common as f64 / all as f64)
    }

    /// I-283. What differs: gone lines with a minus, new ones with a plus.
    pub(crate) fn diff(&self, before: &Self) -> Vec<String> {
        let gone = before.lines.difference(&self.lines).map(|line| format!("- {line}"));
        let new = self.lines.difference(&before.lines).map(|line| format!("+ {line}"));
        gone.chain(new).collect()
    }
}

fn rule_line((when, act): &(String, String)) -> String {
    format!("when {when}: {act}")
}

fn settings_lines(settings: &Settings) -> impl Iterator<Item = String> {
    let percent = |share: Ppm| (share.get() + 5_000) / 10_000;
    [format!("trade by {}", settings.trader.strategy), format!("stake {}% of capital", percent(settings.trader.stake))]
        .into_iter()
}

/// I-201, I-212. How far two charters lie apart, by the measure that was chosen; `None` when it could not be taken.
pub(crate) async fn distance(heir: &Charter, dead: &Charter, settings: &Settings) -> Option<Distance> {
    match settings.succession.measure {
        Measure::Rules => heir.by_lines(dead),
        Measure::Embedding => match by_vectors(heir, dead, settings).await {
            Ok(distance) => distance,
            Err(error) => {
                eprintln!("the charters cannot be embedded: {error:#}");
                None
            }
        },
    }
}

async fn by_vectors(heir: &Charter, dead: &Charter, settings: &Settings) -> Result<Option<Distance>> {
    let Some(embedder) = settings.embedder.open().await? else { return Ok(None) };
    let (own, other) = (heir.text(), dead.text());
    let vectors = embedder.embed(&[&own, &other], Purpose::Entry).await?;
    let [own, other] = vectors.as_slice() else { return Ok(None) };
    Ok(cosine(own, other).and_then(|cosine| Distance::new(1.0 - cosine)))
}

/// I-076. Entries of a bundle that the chain shows to lie. A chain that cannot be read refutes nothing.
pub(crate) async fn poisoned(left: &LegacyBundle, endpoints: &Endpoints) -> BTreeMap<EntryId, String> {
    let mut known = BTreeMap::new();
    for hash in transactions_named(left).into_iter().take(MOST_ASKED) {
        let found: Result<Option<Value>, _> =
            endpoints.request("eth_getTransactionByHash", serde_json::json!([hash])).await;
        known.extend(match found {
            Ok(Some(_)) => Some((hash, ChainAnswer::True)),
            Ok(None) => Some((hash, ChainAnswer::False)),
            Err(_) => None,
        });
    }
    golem_runtime::poisoned(left, &known)
}
