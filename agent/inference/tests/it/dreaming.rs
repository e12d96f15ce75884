//! A dream's questions over the wire: in both formats, and what becomes of each way a model can fail.

use std::time::Duration;

use golem_dreams::dream::{Ask, AskKind, Material, Said, SaidIdea};
use golem_dreams::number::Temperature;
use golem_dreams::rem::creative::CreativeMode;
use golem_dreams::rem::threat::ThreatKind;
use golem_dreams::words::{DreamPhase, Grade};
use golem_inference::{Deliberator, Format};
use golem_ports::{Charge, InferenceFault, Reverie, Thinker};
use golem_primitives::{B256, EffectId, Usdc};
use serde_json::{Value, json};

use crate::server::Turn;
use crate::world::{GOOD_COST, World, anthropic, openai};

fn reverie(kind: AskKind) -> Reverie {
    let material = Material { lines: vec!["keyword: gas".to_owned()], ..Material::default() };
    Reverie {
        name: EffectId(B256::repeat_byte(9)),
        ask: Ask {
            id: 3,
            phase: DreamPhase::Rem,
            kind,
            grade: Grade::T1,
            max_tokens: kind.max_tokens(),
            temperature: Temperature::thousandths(1_300),
            ceiling: Usdc::from_micros(20_000),
            within: None,
            material,
        },
        episodes: vec!["Bought the dip, lost.".to_owned()],
        known: vec!["Buy what fell two sigmas.".to_owned()],
        scene: "regime bear; volatility 4 of 5".to_owned(),
    }
}

/// Anthropic's answer in plain words, cut at its bound.
fn prose(text: &str, stop: &str) -> Value {
    let mut answer = anthropic(&json!({}));
    answer["content"] = json!([{ "type": "text", "text": text }]);
    answer["stop_reason"] = stop.into();
    answer
}

fn plain(text: &str, finish: &str) -> Value {
    let mut answer = openai(text);
    answer["choices"][0]["finish_reason"] = finish.into();
    answer
}

/// D-087, D-110, D-115, D-128, D-139, D-058: each kind goes out with its words and its closed shape and comes back as what
/// the dream knows, in both formats, at the provider's own count.
#[tokio::test]
async fn d_087_each_kind_goes_out_and_comes_back() {
    let claims = json!({ "claims": [{ "text": "Gas leads price.", "criterion": "gas x2", "failure": "it does not" }] });
    let idea = json!({ "scenario": "no pool", "strategy": "wait", "failure": "it stays", "test": "wait a tick",
        "rules": [{ "name": "wait", "when": "hour >= 0", "do": "hold 50%", "until": "since >= 9", "expects": "+1% within 9", "because": "it pays" }] });
    let said = [
        (AskKind::Observe, json!({ "relevance": 70, "coherence": 40 }), "dream_observe"),
        (AskKind::ReplayBatch, claims.clone(), "dream_replay"),
        (AskKind::OppositeMarket, claims, "dream_opposite"),
        (AskKind::Creative(CreativeMode::Exploratory), idea, "dream_create"),
        (AskKind::Threat(ThreatKind::GasWar), json!({ "narrative": "Gas rose." }), "dream_threat"),
    ];
    for format in [Format::Anthropic, Format::OpenAi] {
        let body = |said: &Value| if format == Format::OpenAi { openai(&said.to_string()) } else { anthropic(said) };
        let turns: Vec<_> = said.iter().map(|(_, said, _)| Turn::ok(body(said))).collect();
        let World { server, models, .. } = World::new(format, turns).await;
        let deliberator = Deliberator::new(models);
        for (kind, _, _) in &said {
            let mused = deliberator.muse(&reverie(*kind)).await.expect("an answer");
            assert!(!mused.cost.is_zero());
            let fits = matches!(
                (kind, &mused.said),
                (AskKind::Observe, Said::Judged { .. })
                    | (AskKind::ReplayBatch | AskKind::OppositeMarket, Said::Claims(_))
                    | (AskKind::Creative(_), Said::Idea(SaidIdea { rule: Some(_), .. }))
                    | (AskKind::Threat(_), Said::Narrative(_))
            );
            assert!(fits, "{kind:?}: {mused:?}");
        }
        for (asked, (_, _, name)) in server.asked().iter().zip(&said) {
            let words = asked.body.to_string();
            assert!(words.contains(name), "{name}: {words}");
            let told = asked.body["temperature"].as_f64().expect("a temperature");
            assert_eq!(told, if format == Format::OpenAi { 1.3 } else { 1.0 }, "its scale ends at one");
        }
    }
}

/// D-057, D-068: a partial is plain prose, at most eighty tokens, and one that breaks off there is what was wanted; the
/// cost is the provider's count.
#[tokio::test]
async fn d_057_a_partial_may_break_off_at_its_bound() {
    for (format, turn) in [
        (Format::Anthropic, prose("gas is a tide that", "max_tokens")),
        (Format::OpenAi, plain("gas is a tide that", "length")),
    ] {
        let World { server, models, .. } = World::new(format, [Turn::ok(turn)]).await;
        let mused = Deliberator::new(models).muse(&reverie(AskKind::DaliPartial { interrupt: 0, branch: 1 })).await;
        let mused = mused.expect("prose");
        let Said::Fragment { text, tokens, .. } = mused.said else { panic!("{mused:?}") };
        assert!(text == "gas is a tide that" && tokens <= 80);
        let body = &server.asked()[0].body;
        assert_eq!(body["max_tokens"], 80);
        assert!(body.get("tools").is_none() && body.get("response_format").is_none(), "{body}");
        if format == Format::Anthropic {
            assert_eq!(mused.cost, GOOD_COST, "R-031");
        }
    }
}

/// A way to fail: its name, what the provider does, whether that is its end, and whether anything may have been charged.
type Failure = (&'static str, Vec<Turn>, fn(&InferenceFault) -> bool, bool);

/// D-068, R-031: every way a model can fail, in either format.
fn failures(format: Format) -> [Failure; 9] {
    let unfit = json!({ "narrative": "x", "to": "0xdead" });
    let (declined, truncated, hostile) = match format {
        Format::Anthropic => (prose("no", "refusal"), prose("{", "max_tokens"), anthropic(&unfit)),
        _ => (plain("", "content_filter"), plain("{", "length"), openai(&unfit.to_string())),
    };
    [
        ("declined", vec![Turn::ok(declined)], |fault| matches!(fault, InferenceFault::Declined { .. }), true),
        ("truncated", vec![Turn::ok(truncated)], |fault| matches!(fault, InferenceFault::Unfinished { .. }), true),
        (
            "limited",
            vec![Turn::Say(429, &[("retry-after", "9999")], "{}".to_owned())],
            |fault| matches!(fault, InferenceFault::Limited { .. }),
            false,
        ),
        ("timed out", vec![Turn::Silence; 4], |fault| matches!(fault, InferenceFault::TimedOut { .. }), true),
        ("cut", vec![Turn::Cut("{".to_owned()); 4], |fault| matches!(fault, InferenceFault::Cut { .. }), true),
        ("unwell", vec![Turn::fail(500); 4], |fault| matches!(fault, InferenceFault::Unwell { .. }), false),
        ("turned away", vec![Turn::fail(401)], |fault| matches!(fault, InferenceFault::Refused { .. }), false),
        ("hostile", vec![Turn::ok(hostile); 2], |fault| matches!(fault, InferenceFault::Unfit { .. }), true),
        ("flood", vec![Turn::Flood], |fault| matches!(fault, InferenceFault::Oversized { .. }), true),
    ]
}

/// D-068, R-031: every way a model can fail has its typed end and its charge, in both formats; none of them is more than the
/// ceiling, and none repeats what was said.
#[tokio::test]
async fn d_068_each_failure_has_its_typed_end() {
    for format in [Format::Anthropic, Format::OpenAi] {
        for (name, turns, ends, is_charged) in failures(format) {
            let World { models, .. } = World::new(format, turns).await;
            let mut wanted = reverie(AskKind::Threat(ThreatKind::FlashCrash));
            if name == "timed out" {
                wanted.ask.within = Some(Duration::from_millis(20));
            }
            let error = Deliberator::new(models).muse(&wanted).await.expect_err(name);
            assert!(ends(&error.fault), "{name} in {format:?}: {error}");
            assert_eq!(!error.charge.booked().is_zero(), is_charged, "{name} in {format:?}: {error}");
            assert!(error.charge.booked() <= wanted.ask.ceiling, "{name} in {format:?}: {error}");
            assert!(!error.to_string().contains("dead"), "{name} in {format:?}: {error}");
        }
    }
}

/// D-177: the last thoughts are caught at once or lost, and what was sent and never counted is booked at its most.
#[tokio::test]
async fn d_177_a_last_thought_is_not_waited_for() {
    let World { models, .. } = World::new(Format::Anthropic, [Turn::Silence]).await;
    let mut wanted = reverie(AskKind::DaliPartial { interrupt: 0, branch: 0 });
    wanted.ask.within = Some(Duration::from_millis(20));
    let error = Deliberator::new(models).muse(&wanted).await.expect_err("nothing came");
    assert!(matches!(error.fault, InferenceFault::TimedOut { limit, .. } if limit <= Duration::from_millis(20)));
    assert!(matches!(error.charge, Charge::AtMost(most) if !most.is_zero()), "{error}");
}

/// D-177: last thoughts that were not caught say nothing of a provider's health: who asks it next is served.
#[tokio::test]
async fn d_177_haste_does_not_make_a_provider_rest() {
    let silence = std::iter::repeat_with(|| Turn::Silence).take(8);
    let story = Turn::ok(anthropic(&json!({ "narrative": "It fell." })));
    let World { models, .. } = World::new(Format::Anthropic, silence.chain([story])).await;
    let deliberator = Deliberator::new(models);
    let mut wanted = reverie(AskKind::DaliPartial { interrupt: 0, branch: 0 });
    wanted.ask.within = Some(Duration::from_millis(20));
    for _ in 0..8 {
        deliberator.muse(&wanted).await.expect_err("nothing came");
    }
    deliberator.muse(&reverie(AskKind::Threat(ThreatKind::GasWar))).await.expect("it is well");
}

/// D-054: a model that refuses to be told how freely is asked again without it, at once and from then on.
#[tokio::test]
async fn d_054_a_model_that_takes_no_temperature_is_asked_without() {
    let refusal = r#"{"error":{"message":"Unsupported value: 'temperature' does not support 1.3 with this model."}}"#;
    let story = || Turn::ok(openai(&json!({ "narrative": "It fell." }).to_string()));
    let turns = [Turn::Say(400, &[], refusal.to_owned()), story(), story()];
    let World { server, models, .. } = World::new(Format::OpenAi, turns).await;
    let deliberator = Deliberator::new(models);
    for _ in 0..2 {
        deliberator.muse(&reverie(AskKind::Threat(ThreatKind::GasWar))).await.expect("an answer");
    }
    let told: Vec<bool> = server.asked().iter().map(|asked| asked.body.get("temperature").is_some()).collect();
    assert_eq!(told, [true, false, false]);
}

/// D-126, R-030, R-031: what a grade costs at most is known before anything is asked and covers each of its questions; a
/// large model is used where there is one, and nobody is asked beyond a ceiling.
#[tokio::test]
async fn d_126_quotes_cover_every_question_of_their_grade() {
    let World { server, models, .. } = World::new(Format::Anthropic, []).await;
    let deliberator = Deliberator::new(models);
    let quotes = deliberator.dream_quotes().map(|quote| quote.expect("served"));
    assert_eq!(quotes[0], quotes[1], "rules or the cheapest: the small model");
    let mut wanted = reverie(AskKind::ReplayBatch);
    wanted.episodes = vec!["&".repeat(5_000); 40];
    wanted.ask.ceiling = quotes[1];
    let sent = deliberator.muse(&wanted).await.expect_err("the server says 418");
    assert!(matches!(sent.fault, InferenceFault::Refused { status: 418, .. }), "{sent}");
    wanted.ask.ceiling = Usdc::from_micros(10);
    let refused = deliberator.muse(&wanted).await.expect_err("too dear");
    assert!(matches!(refused.fault, InferenceFault::OverBudget { .. }), "{refused}");
    assert_eq!(server.asked().len(), 1, "it was not sent");
}
