use golem_daimon::chain::EmotionReply;
use golem_daimon::event::DaimonEvent;
use golem_daimon::personality::{Disposition, Personality};
use golem_daimon::watch::Alert;
use golem_daimon::{AppraisalModel, Daimon, DaimonLaw, MoodInput, Pad, Trigger};
use golem_primitives::Bps;

use crate::life::{RULES, moment};

const LOSS: Trigger = Trigger::TradeLoss { loss: Bps::saturating(800) };

fn born() -> Daimon {
    Daimon::born(Personality::plain(Disposition::Balanced))
}

fn chain() -> DaimonLaw {
    DaimonLaw { model: AppraisalModel::ChainOfEmotion, ..RULES }
}

fn reply(pleasure: f64) -> EmotionReply {
    EmotionReply {
        pleasure,
        arousal: 0.6,
        dominance: -0.2,
        primary: "fear".into(),
        intensity: "intense".into(),
        trigger: "trade_loss".into(),
        control: "low".into(),
        value: "high".into(),
    }
}

fn divergence(events: &[DaimonEvent]) -> Option<String> {
    events.iter().find_map(|event| match event {
        DaimonEvent::Appraisal { divergence, .. } => divergence.clone(),
        _ => None,
    })
}

/// rules when no model was asked, the model's words when it was, about the event it names.
#[test]
fn a_040_the_chain_is_hybrid() {
    let felt = |reply: Option<Option<&EmotionReply>>, law: &DaimonLaw| {
        let triggers = [Trigger::RegimeShift, LOSS];
        let lived = born().live(law, &MoodInput { reply, ..moment(1, &triggers) });
        lived.felt.iter().find(|felt| felt.trigger == LOSS.kind()).expect("the loss").feeling.pad
    };
    let rule = Pad::thousandths(-500, 700, -300);
    let said = reply(-0.1);
    assert_eq!(felt(None, &chain()), rule, "a tick of rules");
    assert_eq!(felt(Some(Some(&said)), &chain()), Pad::thousandths(-100, 600, -200));
    assert_eq!(felt(Some(Some(&said)), &RULES), rule, "rule-based asks nobody");
}

/// an answer that comes a tick later is judged by the event's own tick, and the mood is then what it
/// were had the model been heard at once.
#[test]
fn a_040_an_answer_that_comes_later_is_about_what_was_felt() {
    let said = reply(-0.1);
    let (mut at_once, mut later) = (born(), born());
    at_once.appraise(&chain(), &MoodInput { reply: Some(Some(&said)), ..moment(1, &[LOSS]) });
    later.appraise(&chain(), &moment(1, &[LOSS]));
    let mood = |daimon: &Daimon| daimon.own_mood(&chain());
    assert_ne!(mood(&at_once), mood(&later));
    let lived = later.appraise(&chain(), &MoodInput { reply: Some(Some(&said)), ..moment(2, &[]) });
    assert_eq!(divergence(&lived.events), None, "{:?}", lived.events);
    let told = lived.events.iter().find_map(|event| match event {
        DaimonEvent::Appraisal { felt, .. } => Some(felt.feeling.pad),
        _ => None,
    });
    assert_eq!(told, Some(Pad::thousandths(-100, 600, -200)), "what the model says, not the rule");
    assert_eq!(mood(&later), mood(&at_once));
    let joy = EmotionReply { pleasure: -0.1, primary: "joy".into(), trigger: "trade_profit".into(), ..said.clone() };
    let lived = later.appraise(&chain(), &MoodInput { reply: Some(Some(&joy)), ..moment(2, &[]) });
    assert!(divergence(&lived.events).is_some(), "A-041: no such event");
    assert_eq!(mood(&later), mood(&at_once), "and the rule stands");
    let lived = later.appraise(&chain(), &MoodInput { reply: Some(Some(&said)), ..moment(40, &[]) });
    assert!(lived.events.is_empty(), "nobody speaks of it any more");
}

/// an answer nobody can read is logged and the rule stands.
#[test]
fn a_042_divergence_is_logged() {
    let lived = born().live(&chain(), &MoodInput { reply: Some(None), ..moment(1, &[LOSS]) });
    assert_eq!(lived.felt[0].feeling.pad, Pad::thousandths(-500, 700, -300));
    assert!(divergence(&lived.events).is_some_and(|why| why.contains("no readable appraisal")));
}

/// a model that is overridden too often is asked no longer, and the owner hears of it once.
#[test]
fn a_043_an_unreliable_model_is_switched_off() {
    let mut daimon = born();
    let wild = reply(1.0);
    let mut told = 0;
    for tick in 1..=60 {
        let lived = daimon.live(&chain(), &MoodInput { reply: Some(Some(&wild)), ..moment(tick, &[LOSS]) });
        told += lived.events.iter().filter(|event| **event == DaimonEvent::Alert(Alert::ModelSwitchedOff)).count();
        assert_eq!(divergence(&lived.events).is_some(), tick <= 20, "{tick}");
    }
    assert_eq!(told, 1);
}
