//! What a store keeps of the law's data, and what the law takes back from it.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::emotion::Pad;
use golem_grimoire::entry::Method;
use golem_grimoire::finding::Finding;
use golem_grimoire::gate::Neighbour;
use golem_grimoire::id::{EntryId, EntryIdError};
use golem_grimoire::ingest::{Arrival, Customs, Ingested, TurnedAway, reading};
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::recall::{Found, Query, RecallLaw, recall};
use golem_grimoire::regime::RegimeBelief;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::{Ppm, Tick};

use crate::make::{GOOD, add_active, draft, golem, id, key, moment};

/// G-021: the bits of an id come back, and other bits are none.
#[test]
fn g_021_an_id_is_its_bits() {
    let name = id("a");
    assert_eq!(EntryId::from_be_bytes(name.to_be_bytes()), Ok(name));
    assert_eq!(EntryId::from_be_bytes([0; 16]), Err(EntryIdError::WrongVersion { version: 0 }));
}

/// G-041: a mood comes back from its millionths, and none beyond one is a mood.
#[test]
fn g_041_a_mood_is_its_millionths() {
    let mood = Pad::round(-0.5, 1.0, 0.25);
    assert_eq!(Pad::try_from(<[i32; 3]>::from(mood)), Ok(mood));
    assert!(Pad::try_from([0, 1_000_001, 0]).is_err() && Pad::try_from([i32::MIN, 0, 0]).is_err());
}

/// G-178: customs that are told what was refused go on where others stopped.
#[test]
fn g_178_customs_remember_what_they_are_told() {
    let arrival = || Arrival {
        draft: draft(Kind::Insight, Provenance::Clade),
        way: Provenance::Clade,
        sender: golem(),
        claimed_cosine: Some(Ppm::of(850_000)),
        is_left: false,
        on_chain: None,
    };
    let mut times = Vec::new();
    for expected in [TurnedAway::Embedding, TurnedAway::Embedding, TurnedAway::Embedding, TurnedAway::SeenBefore] {
        let mut customs = Customs::remembering(times.clone());
        let (ingested, _) = customs.ingest(id("x"), arrival(), &GOOD, moment(1, 0.0));
        assert_eq!(ingested, Ingested::TurnedAway(expected));
        times = customs.refusals().collect();
    }
    assert_eq!(times, [(Customs::pattern(&arrival().draft), 4)]);
}

/// G-108, G-175: what an arrival's sender counted is compared with one's own, and never counted as one's own.
#[test]
fn g_175_an_arrival_is_read_against_ones_own_findings() {
    let finding = |held| Finding { key: key("a"), regime: None, trials: 40, held, earned: None };
    let mut own = draft(Kind::Insight, Provenance::Own);
    own.method = Method::Rules(finding(39));
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "own", own, moment(1, 0.0));
    let mut theirs = draft(Kind::Insight, Provenance::Clade);
    theirs.original_confidence = Confidence::of(200_000);
    let near = Neighbour { id: id("own"), cosine: Ppm::of(700_000) };
    let read = reading(&grimoire, &theirs, Some(near), moment(2, 7.0));
    assert_eq!((read.contradicts, read.factual, read.known), (None, Ppm::of(200_000), 1));
    assert_eq!((read.nearest, read.recency), (Some(near), Ppm::of(500_000)));
    theirs.method = Method::Rules(finding(1));
    assert_eq!(reading(&grimoire, &theirs, None, moment(2, 0.0)).contradicts, Some(Confidence::of(700_000)));
}

/// G-098, G-087: a person may have any entry explained; the reason is the one a decision would have got.
#[test]
fn g_087_an_entry_is_explained_alike_to_everyone() {
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "own", draft(Kind::Insight, Provenance::Own), moment(1, 0.0));
    let query = Query { limit: 1, mood: None, belief: RegimeBelief::unknown(), tick: Tick::new(9) };
    let law = RecallLaw::default();
    let decided = recall(&grimoire, &law, &query, &[Found { id: id("own"), cosine: 0.4 }]);
    let known = grimoire.get(id("own")).and_then(|entry| entry.knowledge()).expect("alive");
    assert_eq!(decided[0].explanation, query.explain(&law, known, 0.4));
}
