//! What dreams suppose: kept in the journal, told in the testament, taken up by the heir.

use std::collections::BTreeMap;

use golem_dreams::inputs::InheritedHypothesis;
use golem_dreams::integration::journal::CycleEnding;
use golem_dreams::rem::hypothesis::DreamOrigin;
use golem_dreams::words::{DreamTier, DreamTrigger};
use golem_ports::Store as _;
use golem_primitives::Usdc;
use golem_runtime::{HERITAGE_NOTE, Heritage, OwnerWord, inherit};
use tempfile::TempDir;

use crate::departed::{at_birth, bundle, die, heir, testament};
use crate::dreaming::{Manner, Muse, asleep, grown, law, until_dreamt};
use crate::fake::reopen;

/// D-020, D-021, D-206, D-247: the dream at the edge of Terminal goes into the testament and what a dream supposed goes with it;
/// the heir keeps both from its birth, its first whole dream supposes them, and the next is told of them as of its own.
#[tokio::test]
async fn d_020_the_last_dream_reaches_the_testament_and_the_heirs_first() {
    const SAID: &str = "gas leads the price by an hour";
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let muse = Muse::new(Manner::Says(SAID));
    let mut runtime = asleep(dir.path(), reopen(dir.path(), "ada"), &chain, law(DreamTier::Hardened), Some(&muse));
    OwnerWord::Dream.leave(dir.path()).expect("left");
    until_dreamt(&mut runtime, 1).await;
    let supposed = runtime.store().reader().last_dreams(1).expect("readable").remove(0).entry.hypotheses;
    assert!(!supposed.is_empty() && supposed.iter().all(|one| one.description.starts_with(SAID)), "{supposed:?}");
    chain.set(|script| script.is_spent = true);
    until_dreamt(&mut runtime, 2).await;
    let last = runtime.store().reader().last_dreams(9).expect("readable").remove(0);
    assert_eq!(
        (last.entry.trigger, &last.entry.ending, last.cost),
        (DreamTrigger::Emergency, &CycleEnding::Complete, Usdc::ZERO)
    );
    let untried = runtime.store().reader().untried().expect("readable");
    let (_, dreamt) = untried.split_at(untried.len() - supposed.len());
    let as_left = |one: &golem_dreams::rem::hypothesis::Hypothesis| (one.description.clone(), one.minimum_test.clone());
    let texts: Vec<_> = dreamt.iter().map(|one| (one.text.clone(), one.criterion.clone())).collect();
    assert_eq!(texts, supposed.iter().map(as_left).collect::<Vec<_>>());
    die(&mut runtime, &chain).await;
    let file = testament(dir.path());
    let told = file.testament.sections.untested.iter().filter(|one| one.entry.is_none());
    let told: Vec<InheritedHypothesis> = told
        .inspect(|one| assert!(one.is_dreamt, "I-056"))
        .map(|one| InheritedHypothesis { text: one.statement.clone(), criterion: one.validation.clone() })
        .collect();
    assert_eq!(told, untried[..untried.len().min(10)]);
    let markdown = std::fs::read_to_string(dir.path().join("testament.md")).expect("written");
    assert!(told.iter().all(|one| markdown.contains(&one.text)), "{markdown}");

    let left = bundle(dir.path());
    let (heir, now) = (heir(), at_birth(&left));
    let (_, heritage) = inherit(&left, &heir, &BTreeMap::new(), now);
    assert_eq!(heritage.hypotheses[..told.len()], told);
    assert!(Heritage::without_genome(&left, &heir).hypotheses.is_empty(), "who takes nothing gets none");
    take_up(&heritage).await;
}

/// An heir with that heritage dreams twice.
async fn take_up(heritage: &Heritage) {
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let mut store = reopen(dir.path(), "ada");
    store.set_note(HERITAGE_NOTE, &heritage.to_note()).expect("noted");
    let mut runtime = asleep(dir.path(), store, &chain, law(DreamTier::Hardened), None);
    for dreams in 1..=2 {
        OwnerWord::Dream.leave(dir.path()).expect("left");
        until_dreamt(&mut runtime, dreams).await;
        let reader = runtime.store().reader();
        let dream = reader.last_dreams(1).expect("readable").remove(0);
        assert_eq!(dream.entry.ending, CycleEnding::Complete);
        let frozen = reader.dreaming(dream.effect).expect("readable").expect("kept").slumber.frozen;
        let first = &heritage.hypotheses[0];
        if dreams == 1 {
            assert_eq!(frozen.heirlooms, heritage.hypotheses);
            let taken = &dream.entry.hypotheses[0];
            assert_eq!((&taken.description, taken.source), (&first.text, DreamOrigin::Predecessor));
        } else {
            assert!(frozen.heirlooms.is_empty());
            assert_eq!(frozen.supposed[0], first.text);
        }
    }
}
