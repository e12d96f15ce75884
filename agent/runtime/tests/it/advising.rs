//! A life that asks: once, beside its ticks, and never twice across a restart.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use golem_core::deliberation::ModelAdvice;
use golem_core::record::{CostSource, Course, Deliberated, EffectKind, Event, Observation, OutcomeResult};
use golem_ports::{Advised, Charge, ChoiceQuestion, InferenceError, InferenceFault, Store as _, Thinker};
use golem_primitives::Usdc;
use golem_runtime::{Adviser, EventLine, RuntimeSettings};
use tokio::sync::broadcast;

use crate::fake::{Lived, arranged, bold, live, outcomes, relived, reopen, resume, swinging, told, venue};

const QUOTES: [Option<Usdc>; 4] = [None, Some(Usdc::from_micros(6_000)), None, None];
const COST: Usdc = Usdc::from_micros(1_234);

/// What a thinker behind the port does.
#[derive(Debug, Clone, Copy)]
enum Manner {
    Advises(u8),
    Fails(Charge),
    Hangs,
    Panics,
}

#[derive(Debug, Clone)]
struct Script {
    manner: Manner,
    asked: Arc<AtomicUsize>,
}

impl Script {
    fn new(manner: Manner) -> Self {
        Self { manner, asked: Arc::default() }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Thinker for Script {
    fn quotes(&self) -> [Option<Usdc>; 4] {
        QUOTES
    }

    async fn think(&self, question: &ChoiceQuestion) -> Result<Advised, InferenceError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match self.manner {
            Manner::Advises(index) => {
                let about = question.choices.digest();
                Ok(Advised {
                    advice: ModelAdvice { about, index, rationale: "so it is".into() },
                    cost: COST,
                    confession: None,
                })
            }
            Manner::Fails(charge) => {
                Err(InferenceError { fault: InferenceFault::Cut { provider: "script".to_owned() }, charge })
            }
            Manner::Hangs => std::future::pending().await,
            Manner::Panics => panic!("as the script says"),
        }
    }
}

fn hired(runtime: &mut Lived, manner: Manner) -> Script {
    let script = Script::new(manner);
    runtime.consult(Adviser::hire(script.clone()));
    script
}

fn deliberated(events: &mut broadcast::Receiver<Arc<EventLine>>) -> Vec<Deliberated> {
    each!(told(events), Event::Deliberated(told) => *told)
}

const fn asks(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Deliberate { .. })
}

/// R-002, M-139, R-032: advice comes beside the ticks, is journaled with its cost, and the life replays with it.
#[tokio::test]
async fn r_002_an_answer_is_recorded_input() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = swinging();
    let mut runtime = resume(dir.path(), "ada", bold(dir.path()), &chain);
    let script = hired(&mut runtime, Manner::Advises(0));
    let mut events = runtime.telemetry().listen();
    live(&mut runtime, 150).await;
    let told = deliberated(&mut events);
    assert!(told.len() >= 2 && script.asked() >= told.len(), "{} asked, {told:?}", script.asked());
    assert!(told.iter().all(|told| told.course == Course::Stay && told.cost == COST));
    let known = outcomes(runtime.store(), asks);
    assert!(known.iter().all(|known| known.cost == Some((CostSource::Inference, COST))), "{known:?}");
    assert_eq!(known.len(), script.asked());
    let hash = runtime.life().hash();
    let again = relived(runtime.store());
    assert_eq!((again.life.hash(), again.compared), (hash, 300));
    let metrics = runtime.telemetry().metrics().encode();
    let line = format!("golem_events_total{{golem=\"ada\",name=\"golem.deliberated\"}} {}", told.len());
    assert!(metrics.contains(&line), "{metrics}");
    assert!(metrics.contains("golem_deliberation_cost_usdc_total{golem=\"ada\",tier=\"T1\"}"), "{metrics}");
}

/// a process that ends while a question is on its way books its whole budget and asks nobody again.
#[tokio::test]
async fn r_021_a_question_cut_off_is_booked_whole_and_not_asked_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = swinging();
    let mut runtime = resume(dir.path(), "ada", bold(dir.path()), &chain);
    let silent = hired(&mut runtime, Manner::Hangs);
    while silent.asked() == 0 {
        live(&mut runtime, 1).await;
    }
    let open = runtime.open_effects().iter().find(|open| asks(&open.effect.kind)).expect("it is on its way");
    let promised = open.effect.budget;
    drop(runtime);
    let mut runtime = resume(dir.path(), "ada", reopen(dir.path(), "ada"), &chain);
    let again = hired(&mut runtime, Manner::Advises(1));
    live(&mut runtime, 1).await;
    assert_eq!(again.asked(), 0, "what was asked is not asked again");
    let known = outcomes(runtime.store(), asks);
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].cost, Some((CostSource::Inference, promised)));
    assert!(matches!(&known[0].result, OutcomeResult::Refused { reason } if reason.contains("budget is booked")));
    live(&mut runtime, 100).await;
    assert!(again.asked() > 0, "the next occasion is a new question");
}

/// a failure books what may have been charged, and a thinker that dies books the budget; neither stops a life.
#[tokio::test]
async fn r_031_failures_book_what_nobody_can_rule_out() {
    let may = Usdc::from_micros(4_321);
    for (manner, booked) in [
        (Manner::Fails(Charge::AtMost(may)), Some(may)),
        (Manner::Fails(Charge::None), None),
        (Manner::Panics, Some(Usdc::from_micros(10_000))),
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        let mut runtime = resume(dir.path(), "ada", bold(dir.path()), &swinging());
        let script = hired(&mut runtime, manner);
        live(&mut runtime, 60).await;
        let known = outcomes(runtime.store(), asks);
        assert!(script.asked() > 0 && runtime.life().is_alive(), "{manner:?}");
        assert_eq!(known[0].cost, booked.map(|cost| (CostSource::Inference, cost)), "{manner:?}");
    }
}

/// without a model the journal is that of a life that knows none; with one it says so from then on, and
/// says again when it is gone.
#[tokio::test]
async fn r_030_faculties_are_told_when_they_change_and_never_without() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = swinging();
    let mut runtime = resume(dir.path(), "ada", bold(dir.path()), &chain);
    live(&mut runtime, 3).await;
    assert!(runtime.life().mind().is_none());
    hired(&mut runtime, Manner::Advises(1));
    live(&mut runtime, 3).await;
    assert_eq!(runtime.life().mind().map(|mind| mind.quotes), Some(QUOTES));
    drop(runtime);
    let mut runtime = resume(dir.path(), "ada", reopen(dir.path(), "ada"), &chain);
    live(&mut runtime, 3).await;
    assert_eq!(runtime.life().mind().map(|mind| mind.quotes), Some([None; 4]));
}

/// G-002, R-002, R-020: a life that remembers what it was advised asks less, is told so once, and neither a restart nor a
/// replay changes what it does.
#[tokio::test]
async fn g_002_a_life_that_remembers_asks_less() {
    let lived = async |decision_ticks: u64, cuts: u64| {
        let dir = tempfile::tempdir().expect("a folder");
        let chain = swinging();
        drop(bold(dir.path()));
        let script = Script::new(Manner::Advises(1));
        let (mut asked, mut hash) = (0, None);
        for _ in 0..cuts {
            let mut settings = RuntimeSettings::new(dir.path(), venue());
            settings.grimoire.decision_ticks = decision_ticks;
            let mut runtime = arranged("ada", reopen(dir.path(), "ada"), &chain, settings);
            runtime.consult(Adviser::hire(script.clone()));
            live(&mut runtime, 160 / cuts).await;
            (asked, hash) = (script.asked(), Some(runtime.life().hash()));
        }
        let store = reopen(dir.path(), "ada");
        assert_eq!(Some(relived(&store).life.hash()), hash);
        let terms = store.journal(1, 10_000).expect("read").into_iter().flat_map(|entry| entry.input.observations);
        (asked, terms.filter(|seen| matches!(seen, Observation::Precedents { .. })).count())
    };
    let (forgetting, remembering, cut) = (lived(0, 1).await, lived(200, 1).await, lived(200, 4).await);
    assert!(remembering.0 < forgetting.0, "{remembering:?} and {forgetting:?}");
    assert_eq!((forgetting.1, remembering.1, cut.1), (0, 1, 1));
    assert!(cut.0 < forgetting.0, "a restart forgets nothing: {cut:?}");
}
