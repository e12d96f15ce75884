//! A life that is told things, and finds out for itself.

use std::path::Path;

use golem_grimoire::entry::{Draft, Knowledge, Method};
use golem_grimoire::finding::Finding;
use golem_grimoire::gate::Admission;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::{Ingested, TurnedAway};
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::status::{Entry, Status};
use golem_ports::{Arrived, Filter, Memory as _};
use golem_primitives::{Tick, UtcTime};
use golem_store::{Import, SqliteStore};

use crate::fake::{BIRTH, Lived, born, live, reopen, resume, swinging};

/// What another life in the same market came to know, as it exports it.
async fn export_of_another(dir: &Path) -> Import {
    let mut bea = resume(dir, "bea", born(dir, "bea"), &swinging());
    live(&mut bea, 152).await;
    let mut lines = Vec::new();
    bea.store().reader().export_entries(&Filter::default(), &mut lines).expect("exported");
    Import::read(&mut lines.as_slice()).expect("it proves itself")
}

/// The draft of an insight that something counted holds, and one of the opposite in the same words.
fn true_and_false(import: &Import) -> (Draft, Draft) {
    let is_sure = |draft: &&Draft| {
        let counted = draft.counted().is_some_and(|found| found.trials >= 5 && found.held == found.trials);
        draft.body.kind() == Kind::Insight && draft.question.is_none() && counted
    };
    let right = import.drafts.iter().find(is_sure).expect("something always holds").clone();
    let found = right.counted().expect("counted").clone();
    let turned = Finding { held: found.trials - found.held, earned: None, ..found };
    let wrong = Draft { content: turned.statement(), method: Method::Rules(turned), ..right.clone() };
    (right, wrong)
}

fn admitted(arrived: &Arrived) -> EntryId {
    match arrived {
        Arrived::Judged { id, ingested: Ingested::Judged(Admission::Admitted(_)), .. } => *id,
        other => panic!("not let in: {other:?}"),
    }
}

fn entry(runtime: &Lived, id: EntryId) -> Entry {
    runtime.store().entry(id).expect("read").expect("there")
}

fn at_birth() -> Moment {
    Moment::new(Tick::new(0), UtcTime::from_seconds(BIRTH))
}

/// G-053, G-070, G-175, I-362: a Golem takes in what another life exported. What is true of its own market becomes active
/// by its own episodes; what is false goes and does not come in again; what nobody can test stays what it was.
#[tokio::test]
async fn g_175_a_life_confirms_and_refutes_what_it_was_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let import = export_of_another(dir.path()).await;
    let sender = import.golem;
    let (right, wrong) = true_and_false(&import);
    let words = Draft { content: "this market is kind to the patient".into(), ..right.clone() };
    let told = |drafts: Vec<Draft>| Import { golem: sender, drafts };
    let mut store = born(dir.path(), "ada");
    let way = Provenance::Marketplace;
    let arrived = store.import(told(vec![right.clone(), wrong.clone(), words]), way, at_birth()).expect("taken in");
    let [true_one, false_one, text] = [0, 1, 2].map(|at| admitted(&arrived[at]));
    let mut ada = resume(dir.path(), "ada", store, &swinging());
    live(&mut ada, 49).await;
    for id in [true_one, false_one, text] {
        assert_eq!(entry(&ada, id).status(), Status::Candidate, "nothing was counted yet");
    }
    live(&mut ada, 153).await;
    let confirmed = entry(&ada, true_one);
    assert_eq!(confirmed.status(), Status::Active, "{confirmed:?}");
    let known = confirmed.knowledge().expect("there");
    assert!(known.validated >= 3 && known.contradicted == 0, "{known:?}");
    assert_eq!((known.draft.source.provenance, known.draft.source.origin), (way, sender));
    let gone = entry(&ada, false_one);
    assert_eq!(gone.status(), Status::Burned, "{gone:?}");
    assert_eq!(entry(&ada, text).status(), Status::Candidate, "nobody can say");
    drop(ada);

    // Told again after a restart, in other numbers and by another way, it is not even let in.
    let mut store = reopen(dir.path(), "ada");
    let found = wrong.counted().expect("counted").clone();
    let more = Finding { trials: found.trials + 30, ..found };
    let reworded = Draft { content: more.statement(), method: Method::Rules(more), ..wrong.clone() };
    let later = Moment::new(Tick::new(202), UtcTime::from_seconds(BIRTH + 10_000));
    let again = store.import(told(vec![wrong, reworded, right]), Provenance::Clade, later).expect("judged");
    let reasons = again.iter().map(|arrived| match arrived {
        Arrived::Judged { ingested, .. } => ingested.clone(),
        Arrived::Waiting => panic!("there is room"),
    });
    let reasons: Vec<Ingested> = reasons.collect();
    assert_eq!(reasons[0], Ingested::TurnedAway(TurnedAway::SeenBefore));
    assert_eq!(reasons[1], Ingested::TurnedAway(TurnedAway::Refuted));
    assert!(matches!(reasons[2], Ingested::Judged(Admission::Known(_))), "{:?}", reasons[2]);
}

/// G-010, G-175: a life cut off at every tenth tick confirms the same.
#[tokio::test]
async fn g_010_a_life_cut_off_confirms_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    let import = export_of_another(dir.path()).await;
    let knows = |store: &SqliteStore| -> Vec<Knowledge> {
        let grimoire = store.reader().grimoire().expect("read");
        grimoire.entries().filter_map(Entry::knowledge).cloned().collect()
    };
    let (whole_dir, cut_dir) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut lived = Vec::new();
    for (folder, cuts) in [(whole_dir.path(), 1), (cut_dir.path(), 11)] {
        let mut store = born(folder, "ada");
        store.import(import.clone(), Provenance::Clade, at_birth()).expect("taken in");
        drop(store);
        let chain = swinging();
        for _ in 0..cuts {
            let mut ada = resume(folder, "ada", reopen(folder, "ada"), &chain);
            live(&mut ada, 110 / cuts).await;
        }
        lived.push(knows(&reopen(folder, "ada")));
    }
    assert!(lived[0].iter().any(|known| matches!(known.draft.method, Method::Told(_)) && known.validated > 0));
    assert_eq!(lived[0], lived[1]);
}
