//! How alike two entries are: by a model where one is there, by what they claim and say where none is (I-243, I-250).

use std::collections::BTreeMap;

use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::novelty::cosine;
use golem_ports::{Embedder as _, EmbeddingPurpose};
use golem_primitives::Ppm;

use crate::golem::settings::Settings;

/// Texts given to the embedder at once.
const EMBEDDED_AT_ONCE: usize = 32;
/// What two entries are alike by that claim the same of the same in other words: the owner is asked.
const SAME_CLAIM: Ppm = Ppm::of(930_000);

/// Entries as they can be compared.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    vectors: BTreeMap<String, Vec<f32>>,
}

impl Likeness {
    /// Of texts, by the embedder of these settings. Without one, words and claims are compared.
    pub(super) async fn of<'a>(texts: impl Iterator<Item = &'a str>, settings: Option<&Settings>) -> Self {
        let texts: Vec<&str> = texts.collect();
        let Some(settings) = settings.filter(|settings| !settings.embedder.is_none()) else { return Self::default() };
        let Ok(Some(embedder)) = settings.embedder.open().await else { return Self::default() };
        let mut vectors = BTreeMap::new();
        for page in texts.chunks(EMBEDDED_AT_ONCE) {
            let Ok(placed) = embedder.embed(page, EmbeddingPurpose::Entry).await else { return Self::default() };
            vectors.extend(page.iter().map(|text| (*text).to_owned()).zip(placed));
        }
        Self { vectors }
    }

    /// How alike two are. Different types are never the same, and what says the opposite is no double.
    pub(super) fn between(&self, a: &GenomeEntry, b: &GenomeEntry) -> Ppm {
        if a.body.kind() != b.body.kind() || a.regime != b.regime {
            return Ppm::ZERO;
        }
        if a.content == b.content {
            return Ppm::ONE;
        }
        let claims = match (&a.claim, &b.claim) {
            (Some(one), Some(other)) if one.contradicts(other) => return Ppm::ZERO,
            (Some(one), Some(other)) if one.is_about(other) => SAME_CLAIM,
            _ => Ppm::ZERO,
        };
        let measured = match (self.vectors.get(&a.content), self.vectors.get(&b.content)) {
            (Some(one), Some(other)) => cosine(one, other).map_or(Ppm::ZERO, Ppm::round),
            _ => Ppm::ZERO,
        };
        measured.max(claims)
    }
}
