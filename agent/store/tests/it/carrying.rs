//! G-178: a vector that comes with an entry is a claim, and nothing but a claim.

use golem_grimoire::event::{GrimoireEvent, IngestStage};
use golem_grimoire::ingest::{Ingested, TurnedAway};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::shelf::Change;
use golem_ports::{Arrived, Filter, Memory};
use golem_primitives::Ppm;
use golem_store::{Claimed, Import};

use crate::mind::{active, at, id, land_changes, model};
use crate::world::{Lived, fresh, now};

/// An export of three entries, two of them with their vectors.
fn exported() -> Import {
    let Lived { folder: _folder, mut world, .. } = fresh();
    let said =
        [("a", "Gas falls 4 gwei at night"), ("b", "Spreads widen by 9 bps"), ("c", "Pools of 5 bps drain first")];
    let changes: Vec<Change> = said.iter().flat_map(|(name, said)| active(name, said)).collect();
    land_changes(&mut world.store, 50, &changes, None).expect("landed");
    let vectors = [(id("a"), vec![3.0, 0.0, 4.0]), (id("b"), vec![0.0, 1.0, 0.0])];
    world.store.keep_vectors(&model("small", 3), &vectors, now(51)).expect("kept");
    let mut lines = Vec::new();
    assert_eq!(world.store.reader().export_with_vectors(&Filter::default(), &mut lines).expect("written"), 3);
    let read = Import::read(&mut &lines[..]).expect("it proves itself");
    let mut plain = Vec::new();
    world.store.reader().export_entries(&Filter::default(), &mut plain).expect("written");
    assert!(!String::from_utf8(plain).expect("text").contains("vector"), "nobody gives vectors away unasked");
    read
}

/// G-178: the vector of a line comes with the model that made it; a line without one claims nothing.
#[test]
fn g_178_a_line_carries_its_vector_and_its_model() {
    let read = exported();
    assert_eq!(read.claimed.len(), read.drafts.len());
    let claimed = |word: &str| {
        let place = read.drafts.iter().position(|draft| draft.content.contains(word)).expect("there");
        read.claimed[place].clone()
    };
    let Claimed::Unchecked(vector) = claimed("Gas") else { panic!("{:?}", claimed("Gas")) };
    assert_eq!((vector.model.clone(), vector.values.clone()), (model("small", 3), vec![0.6, 0.0, 0.8]));
    assert_eq!(claimed("Pools"), Claimed::Nothing);
    assert_eq!((Claimed::Nothing.cosine(), Claimed::Unchecked(vector).cosine()), (None, None));
}

/// G-178, I-073: what was computed again must be more alike than 0.85; at the bound it is refused, and told by its stage.
/// What nobody computed again stands at the gate without its vector.
#[test]
fn g_178_an_unlike_vector_is_refused_and_an_unchecked_one_is_dropped() {
    for (found, is_refused) in
        [(Some(Ppm::of(850_001)), false), (Some(Ppm::of(850_000)), true), (Some(Ppm::ZERO), true), (None, false)]
    {
        let mut read = exported();
        for claimed in &mut read.claimed {
            if let (Claimed::Unchecked(_), Some(cosine)) = (&*claimed, found) {
                *claimed = Claimed::Checked(cosine);
            }
        }
        let Lived { folder: _folder, world: mut heir, .. } = fresh();
        let arrived = heir.store.import(read, Provenance::Inheritance, at(9)).expect("landed");
        let refused = arrived.iter().filter(|one| {
            matches!(
                one,
                Arrived::Judged {
                    ingested: Ingested::TurnedAway(TurnedAway::Embedding),
                    event: GrimoireEvent::IngestResult { stage: IngestStage::Embedding, is_accepted: false, .. },
                    ..
                }
            )
        });
        assert_eq!(refused.count(), if is_refused { 2 } else { 0 }, "{found:?}");
        let known = heir.store.shelf().expect("readable").grimoire.entries().count();
        assert_eq!(known, if is_refused { 1 } else { 3 }, "{found:?}");
        let state = heir.store.embedding_state().expect("readable");
        assert_eq!((state.active, state.next), (None, None), "no foreign vector is searched: {found:?}");
    }
}
