//! Whether a model is to be believed: one's own against what it said first (G-006), and a stranger's vector against one's
//! own model (G-178).

use golem_ports::drift::{CHECK_EVERY, Health, Reference, distance};
use golem_ports::{Embedder, EmbedderError, EmbeddingModel, EmbeddingPurpose, Memory, Store, StoreError, Vector};
use golem_primitives::{Ppm, UtcTime};
use serde::{Deserialize, Serialize};

use crate::notes;

const BATCH: usize = 16;

/// G-006. What is kept of a model in the store: what it said first, and what was found when it was last looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Vouched {
    vectors: Vec<Vec<f32>>,
    checked: UtcTime,
    health: Health,
}

/// What holding a model against what it said first has found.
#[derive(Debug, Clone, PartialEq)]
pub struct DriftFound {
    /// What was found the time before; `None` the first time, when there is nothing to hold it against.
    pub before: Option<Health>,
    /// What may be done with it now.
    pub health: Health,
    /// How far it has moved, in words.
    pub detail: String,
}

/// Under which name the store knows what a model said first.
fn note_of(model: &EmbeddingModel) -> String {
    format!("drift of {}/{}/{}/{}", model.name, model.version, model.preprocessing, model.dimensions)
}

/// G-006. What was found of a model when it was last looked at; `None` when a week has passed since, or it never was.
pub fn known_health<S: Store>(store: &S, model: &EmbeddingModel, now: UtcTime) -> Result<Option<Health>, StoreError> {
    let fresh = vouched(store, model)?.filter(|vouched| now.since(vouched.checked) < CHECK_EVERY);
    Ok(fresh.map(|vouched| vouched.health))
}

/// G-006. Whether a model was ever looked at; from then on it is each week.
pub(crate) fn is_vouched<S: Store>(store: &S, model: &EmbeddingModel) -> Result<bool, StoreError> {
    vouched(store, model).map(|vouched| vouched.is_some())
}

fn vouched<S: Store>(store: &S, model: &EmbeddingModel) -> Result<Option<Vouched>, StoreError> {
    notes::read(store, &note_of(model))
}

/// G-006. Holds what a model says of the reference texts against what it said first, which is kept when there is none yet.
/// What is found is on disk before it is told, and it is told when it changes.
pub fn vouch<S: Memory>(store: &mut S, spoke: Reference, now: UtcTime) -> Result<DriftFound, StoreError> {
    let model = spoke.model.clone();
    let note = note_of(&model);
    // What cannot be read is as good as nothing and is taken anew.
    let Some(known): Option<Vouched> = notes::read(store, &note)? else {
        let first = Vouched { vectors: spoke.vectors, checked: now, health: Health::Healthy };
        notes::keep(store, &note, &first)?;
        return Ok(DriftFound { before: None, health: Health::Healthy, detail: "its first words are kept".to_owned() });
    };
    let reference = Reference { model: model.clone(), vectors: known.vectors };
    let (health, detail) = match reference.drift(&spoke) {
        Ok(drift) => (drift.health(), format!("mean distance {:.4}, the worst {:.4}", drift.mean, drift.worst)),
        Err(error) => (Health::StopWrites, error.to_string()),
    };
    notes::keep(store, &note, &Vouched { vectors: reference.vectors, checked: now, health })?;
    if health != known.health {
        match health {
            Health::Healthy => tracing::info!(%model, detail, "the model says again what it said"),
            Health::Warn => tracing::warn!(%model, detail, "the model moves; watch it, or choose a pinned one"),
            Health::StopWrites => {
                tracing::error!(%model, detail, "this is another model under the same name; no vector of it is kept");
            }
        }
    }
    Ok(DriftFound { before: Some(known.health), health, detail })
}

/// G-178. How alike each claimed vector is to the one that this Golem's own model makes of the text, in their order. One
/// of another model is like none: vectors of two models say nothing about each other (G-006), and I-073 refuses both the
/// forged and the foreign.
///
/// # Errors
/// [`EmbedderError`] of the embedder; then nothing is known of any of them.
pub async fn recompute<E: Embedder>(embedder: &E, claimed: &[(&str, &Vector)]) -> Result<Vec<Ppm>, EmbedderError> {
    let mut likeness = Vec::with_capacity(claimed.len());
    for batch in claimed.chunks(BATCH) {
        let texts: Vec<&str> = batch.iter().map(|(text, _)| *text).collect();
        let own = embedder.embed(&texts, EmbeddingPurpose::Entry).await?;
        likeness.extend(batch.iter().zip(&own).map(|((_, theirs), own)| {
            let apart = (theirs.model == *embedder.model()).then(|| distance(&theirs.values, own)).flatten();
            apart.map_or(Ppm::ZERO, |apart| Ppm::round(1.0 - apart))
        }));
    }
    Ok(likeness)
}
