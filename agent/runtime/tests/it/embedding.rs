//! Models that change, move or lie: one takes another's place whole, drift is told, and a stranger's vector is computed
//! again.

use std::sync::atomic::Ordering;

use golem_ports::drift::{Health, REFERENCE_TEXTS, Reference};
use golem_ports::{EmbeddingState, Memory, Vector};
use golem_primitives::{Ppm, UtcTime};
use golem_runtime::{known_health, recompute, vouch};

use crate::fake::{BIRTH, Home, Lived, born, live, reopen, resume, swinging};
use crate::mind::{Toy, employ};

fn state(runtime: &Lived) -> EmbeddingState {
    runtime.store().embedding_state().expect("read")
}

/// What is searched with a model of that name, whatever is near.
fn finds(runtime: &Lived, toy: &Toy) -> bool {
    let question = Vector { model: toy.model.clone(), values: vec![1.0, 0.0, 0.0] };
    let every = golem_ports::Filter {
        statuses: golem_grimoire::status::Status::ALL.iter().copied().collect(),
        ..golem_ports::Filter::default()
    };
    runtime.store().reader().nearest(&question, 3, &every).is_ok_and(|near| !near.is_empty())
}

/// G-006: in the middle of a life another model is chosen. Until it has a vector of every living entry the old one is
/// searched, over a restart too; then it takes over whole, nothing of the old one is left, and what is learnt later has
/// vectors of the new one alone.
#[tokio::test]
async fn g_006_the_next_model_takes_over_whole_in_the_middle_of_a_life() {
    let (home, mut runtime) = Home::on(swinging());
    let (old, new) = (Toy::new("old"), Toy::new("new"));
    employ(&mut runtime, &old);
    live(&mut runtime, 110).await;
    assert!(finds(&runtime, &old) && state(&runtime).next.is_none());
    // One text it cannot read is enough: a model with a gap takes nobody's place.
    new.chokes.store(true, Ordering::Relaxed);
    employ(&mut runtime, &new);
    live(&mut runtime, 10).await;
    let halfway = state(&runtime);
    let (active, next) = (halfway.active.expect("the old one"), halfway.next.expect("the new one"));
    assert_eq!((&active.model, &next.model), (&old.model, &new.model));
    assert!(next.done > 0 && next.done < next.total, "{next:?}");
    assert!(finds(&runtime, &old) && !finds(&runtime, &new));
    drop(runtime);
    let mut runtime = home.again();
    assert_eq!(state(&runtime).next, Some(next), "what was done is not done again");
    new.chokes.store(false, Ordering::Relaxed);
    employ(&mut runtime, &new);
    live(&mut runtime, 5).await;
    let after = state(&runtime);
    assert_eq!((after.active.map(|active| active.model), after.next), (Some(new.model.clone()), None));
    assert!(finds(&runtime, &new) && !finds(&runtime, &old));
    live(&mut runtime, 60).await;
    let later = state(&runtime);
    assert!(later.active.is_some_and(|active| active.done == active.total) && later.next.is_none());
}

/// G-006: drift is told where an owner looks: a model that moves is 1 in the metrics and goes on, one that was exchanged
/// under its name is 2 and adds nothing.
#[tokio::test]
async fn g_006_drift_is_told_in_the_metrics() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = swinging();
    let toy = Toy::new("toy");
    let mut runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &chain);
    employ(&mut runtime, &toy);
    live(&mut runtime, 110).await;
    let level = |runtime: &Lived| {
        let text = runtime.telemetry().metrics().encode();
        let line = text.lines().find(|line| line.starts_with("golem_embedder_drift{")).expect("told").to_owned();
        line.rsplit(' ').next().map(str::to_owned).expect("a number")
    };
    assert_eq!(level(&runtime), "0");
    let week = 7 * 24 * 3_600 / 20;
    for (change, told) in [(&toy.moves, "1"), (&toy.is_other, "2")] {
        drop(runtime);
        change.store(true, Ordering::Relaxed);
        chain.blocks.fetch_add(week, Ordering::Relaxed);
        runtime = resume(dir.path(), "ada", reopen(dir.path(), "ada"), &chain);
        employ(&mut runtime, &toy);
        live(&mut runtime, 4).await;
        assert_eq!(level(&runtime), told);
        live(&mut runtime, 60).await;
        let wanting = runtime.store().unembedded(&toy.model, 99).expect("read");
        assert_eq!(wanting.is_empty(), told == "1", "{wanting:?}");
    }
}

/// G-006: the first words of a model are kept and vouch for nothing yet; later ones are held against them, what was found
/// is known for a week, and the first words are never renewed.
#[tokio::test]
async fn g_006_a_model_is_held_against_its_first_words() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut store = born(dir.path(), "ada");
    let toy = Toy::new("toy");
    let day = |days: u64| UtcTime::from_seconds(BIRTH + days * 86_400);
    assert_eq!(known_health(&store, &toy.model, day(0)).expect("read"), None);
    let found = vouch(&mut store, Reference::take(&toy).await.expect("said"), day(0)).expect("kept");
    assert_eq!((found.before, found.health), (None, Health::Healthy));
    assert_eq!(known_health(&store, &toy.model, day(6)).expect("read"), Some(Health::Healthy));
    assert_eq!(known_health(&store, &toy.model, day(7)).expect("read"), None, "a week has passed");
    toy.moves.store(true, Ordering::Relaxed);
    for (at, before) in [(7, Health::Healthy), (14, Health::Warn)] {
        let found = vouch(&mut store, Reference::take(&toy).await.expect("said"), day(at)).expect("kept");
        assert_eq!((found.before, found.health), (Some(before), Health::Warn), "{}", found.detail);
    }
    toy.is_other.store(true, Ordering::Relaxed);
    let found = vouch(&mut store, Reference::take(&toy).await.expect("said"), day(21)).expect("kept");
    assert_eq!(found.health, Health::StopWrites, "{}", found.detail);
    assert_eq!(known_health(&store, &toy.model, day(22)).expect("read"), Some(Health::StopWrites));
}

/// G-178, I-073: a claimed vector is computed again. An honest one is like its text, a forged one is not, one of another
/// model or length is like none, and a failing model says nothing of any.
#[tokio::test]
async fn g_178_a_claimed_vector_is_computed_again() {
    let toy = Toy::new("toy");
    let of = |toy: &Toy, values: Vec<f32>| Vector { model: toy.model.clone(), values };
    let honest = of(&toy, vec![2.0, 0.0, 0.0]);
    let near = of(&toy, vec![0.9, 0.0, (1.0f32 - 0.81).sqrt()]);
    let forged = of(&toy, vec![0.0, 1.0, 0.0]);
    let opposite = of(&toy, vec![-1.0, 0.0, 0.0]);
    let short = of(&toy, vec![1.0]);
    let nothing = of(&toy, vec![0.0; 3]);
    let foreign = of(&Toy::new("other"), vec![1.0, 0.0, 0.0]);
    let text = "even";
    let claimed = [&honest, &near, &forged, &opposite, &short, &nothing, &foreign].map(|vector| (text, vector));
    let found = recompute(&toy, &claimed).await.expect("computed");
    assert_eq!(found[0], Ppm::ONE);
    assert!(found[1] > Ppm::of(899_000) && found[1] < Ppm::of(901_000), "{:?}", found[1]);
    assert_eq!(found[2..], [Ppm::ZERO; 5]);
    let many = vec![(text, &honest); 40];
    assert_eq!(recompute(&toy, &many).await.expect("computed"), vec![Ppm::ONE; 40]);
    assert!(REFERENCE_TEXTS.len() > 16, "batches are told from the reference texts by their length");
    assert_eq!(recompute(&toy, &[]).await.expect("nothing to do"), vec![]);
}
