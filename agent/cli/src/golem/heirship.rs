//! Whom a newborn succeeds, what it is founded on, and whether it would be the same again (I-210 to I-212).

use std::collections::BTreeMap;

use eyre::{Result, WrapErr};
use golem_chain::Endpoints;
use golem_core::trader::TriedIn;
use golem_grimoire::entry::EmbeddingMark;
use golem_grimoire::id::{EntryId, Moment};
use golem_inheritance::heir::Heir;
use golem_inheritance::individuation::Distance;
use golem_inheritance::ingest::claims::ChainAnswer;
use golem_inheritance::novelty::{Space, Vector, cosine};
use golem_playbook::{Book, Difference, Rule};
use golem_ports::{Embedder as _, EmbeddingPurpose, Store as _};
use golem_primitives::{AgentId, Tick};
use golem_runtime::{
    DEFAULTS_NOTE, Defaults, HERITAGE_NOTE, Heritage, LegacyBundle, inherit_in, texts_of, transactions_named,
};
use golem_store::SqliteStore;
use serde_json::Value;

use super::home::BirthCertificate;
use super::settings::Settings;
use super::settings::words::Measure;

/// Transactions the chain is asked about for one birth.
const MOST_ASKED: usize = 4_096;
/// Texts given to the embedder at once.
const EMBEDDED_AT_ONCE: usize = 32;

/// What a birth takes over.
#[derive(Debug)]
pub(crate) struct Heirship {
    pub(crate) predecessor: AgentId,
    /// What the dead left; proved before it came here. `None` where nothing could be proved and nothing is taken over.
    pub(crate) left: Option<LegacyBundle>,
    pub(crate) takes_genome: bool,
    /// Entries that were found to lie, with layer and reason.
    pub(crate) poisoned: BTreeMap<EntryId, String>,
}

impl Heirship {
    /// P-046. What its line tried, for an heir that takes it over.
    pub(crate) fn line(&self) -> Vec<TriedIn> {
        self.left.as_ref().filter(|_| self.takes_genome).map(|left| left.hands.clone()).unwrap_or_default()
    }

    /// I-005. Lands what is taken over in a newborn's store, once: candidates, and the record of where they come from.
    pub(crate) fn take_over(&self, store: &mut SqliteStore, birth: &BirthCertificate, space: &Space) -> Result<()> {
        let Some(left) = &self.left else { return Ok(()) };
        let generation = u32::try_from(birth.generation).unwrap_or(u32::MAX);
        let heir = Heir { golem: birth.golem(), lineage: birth.lineage, generation };
        let now = Moment::new(Tick::new(0), birth.born);
        let (candidates, heritage) = if self.takes_genome {
            inherit_in(space, left, &heir, &self.poisoned, now)
        } else {
            (Vec::new(), Heritage::without_genome(left, &heir))
        };
        let refusals: Vec<_> = if self.takes_genome { left.immune.table().collect() } else { Vec::new() };
        store
            .adopt(&candidates, &refusals, HERITAGE_NOTE, &heritage.to_note(), now)
            .wrap_err("what it inherits could not be written; the same command goes on from here")?;
        if self.takes_genome && store.note(DEFAULTS_NOTE)?.is_none() {
            store.set_note(DEFAULTS_NOTE, &Defaults::proposed(left, birth.lineage, now).to_note())?;
        }
        Ok(())
    }
}

/// I-050, I-053. The heir's own space: every text it is handed, measured from the rules of its book, which is what it
/// has before it inherits. Empty without a model: then all is new, and what the dead was surest of comes first.
pub(crate) async fn space(left: Option<&LegacyBundle>, book: &Book, settings: &Settings) -> Space {
    let Some(left) = left.filter(|_| !settings.embedder.is_none()) else { return Space::default() };
    match placed(left, book, settings).await {
        Ok(space) => space,
        Err(error) => {
            tracing::warn!("{error:#}; what is inherited is tried in the order of confidence (`bardo doctor`)");
            Space::default()
        }
    }
}

async fn placed(left: &LegacyBundle, book: &Book, settings: &Settings) -> Result<Space> {
    let Some(embedder) = settings.embedder.open().await? else { return Ok(Space::default()) };
    let model = embedder.model();
    let mark = EmbeddingMark {
        model: model.name.clone(),
        version: model.version.clone(),
        preprocessing: model.preprocessing,
        at: left.testament.written,
    };
    let texts: Vec<String> = texts_of(left).into_iter().collect();
    let known: Vec<String> = book.rules.iter().map(Rule::in_words).collect();
    let mut vectors = Vec::new();
    let all: Vec<&str> = texts.iter().chain(&known).map(String::as_str).collect();
    for page in all.chunks(EMBEDDED_AT_ONCE) {
        vectors.extend(embedder.embed(page, EmbeddingPurpose::Entry).await?);
    }
    let mut placed = vectors.into_iter().map(|values| Vector { mark: mark.clone(), values });
    let texts: BTreeMap<String, Vector> = texts.into_iter().zip(placed.by_ref()).collect();
    Ok(Space::new(texts, placed.collect()))
}

/// I-283. What differs between two books: rules that are gone with a minus, new ones with a plus.
pub(crate) fn diff(heir: &Book, dead: &Book) -> Vec<String> {
    let difference = Difference::between(dead, heir);
    let line = |sign: char, rule: &&Rule| format!("{sign} {}: {}", rule.name, rule.in_words());
    let gone = difference.only_first.iter().map(|rule| line('-', rule));
    gone.chain(difference.only_second.iter().map(|rule| line('+', rule))).collect()
}

/// I-201, I-210, I-212. How far two PLAYBOOKs lie apart, by the measure that was chosen; `None` when it could not be taken.
pub(crate) async fn distance(heir: &Book, dead: &Book, settings: &Settings) -> Option<Distance> {
    match settings.succession.measure {
        Measure::Rules => Distance::new(Difference::between(heir, dead).distance().as_f64()),
        Measure::Embedding => match by_vectors(heir, dead, settings).await {
            Ok(distance) => distance,
            Err(error) => {
                eprintln!("the PLAYBOOKs cannot be embedded: {error:#}");
                None
            }
        },
    }
}

async fn by_vectors(heir: &Book, dead: &Book, settings: &Settings) -> Result<Option<Distance>> {
    let Some(embedder) = settings.embedder.open().await? else { return Ok(None) };
    let (own, other) = (heir.to_string(), dead.to_string());
    let vectors = embedder.embed(&[&own, &other], EmbeddingPurpose::Entry).await?;
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
