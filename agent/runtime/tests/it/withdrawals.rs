//! What a reorganisation took back is heard of, whatever dies when.

use golem_core::record::{Event, Observation};
use golem_ports::Store as _;
use golem_primitives::EffectId;

use crate::fake::{FakeChain, Home, Lived, live, reopen, resume};

/// The passes that carried the news, and those that carried an outcome, of one effect.
fn carried(runtime: &Lived, effect: EffectId) -> (Vec<u64>, Vec<u64>) {
    let journal = runtime.store().journal(1, 10_000).expect("read");
    let is_news = |seen: &Observation| matches!(seen, Observation::Withdrawn { effect: of, .. } if *of == effect);
    let (mut news, mut outcomes) = (Vec::new(), Vec::new());
    for entry in &journal {
        if entry.input.observations.iter().any(is_news) {
            news.push(entry.seq);
        }
        if entry.input.outcomes.iter().any(|outcome| outcome.effect == effect) {
            outcomes.push(entry.seq);
        }
    }
    (news, outcomes)
}

/// a process that ends after the store opened an effect again and before the life heard of it drives nothing
/// on its next start before it has told it; then it lands again, once.
#[tokio::test]
async fn r_022_what_was_taken_back_is_told_although_the_process_died_between() {
    let chain = FakeChain::default();
    chain.set(|script| script.is_unreported = true);
    let (home, mut runtime) = Home::on(chain);
    live(&mut runtime, 12).await;
    let effect = {
        let script = home.chain.script.lock().expect("free");
        script.driven.iter().find(|(_, name)| *name == "beat").expect("it reported").0
    };
    let (_, landed) = carried(&runtime, effect);
    assert_eq!(landed.len(), 1, "it had landed");
    let at = home.chain.blocks.load(std::sync::atomic::Ordering::Relaxed);
    home.chain.set(|script| (script.withdrawn, script.panics_at) = (vec![effect], Some(at)));
    let died = tokio::spawn(async move { runtime.tick().await.map(|_| ()) }).await;
    assert!(died.is_err_and(|end| end.is_panic()), "the process ended while it looked");
    home.chain.set(|script| {
        script.panics_at = None;
        script.driven.clear();
    });
    let store = reopen(home.path(), "ada");
    assert!(store.open_effects().expect("read").iter().any(|open| open.effect.id == effect), "it is open again");
    let mut runtime = resume(home.path(), "ada", store, &home.chain);
    live(&mut runtime, 4).await;
    let (news, outcomes) = carried(&runtime, effect);
    assert_eq!((news.len(), outcomes.len()), (1, 2), "told once, landed once more");
    assert!(landed[0] < news[0] && news[0] < outcomes[1], "told before it landed again");
    let events = runtime.store().reader().events(0, 10_000).expect("read");
    assert!(!events.iter().any(|told| matches!(told.event, Event::OutcomeUnknown { .. })));
}
