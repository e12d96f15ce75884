use golem_core::record::Tier;
use golem_ports::{Prompt, PromptId, Schema, SchemaField, Thinking};
use golem_primitives::{B256, EffectId, PoolName, Usdc};
use proptest::prelude::*;

use super::*;

fn request() -> Request {
    Request {
        tier: Tier::T1,
        purpose: Thinking::Deliberation,
        prompt: Prompt {
            id: PromptId { name: "deliberate", version: 1 },
            system: "Be brief.".to_owned(),
            user: "Which?".to_owned(),
        },
        schema: Schema::Object(vec![SchemaField {
            name: "choice",
            meaning: "The number.",
            schema: Schema::Index { count: 2 },
        }]),
        max_output_tokens: 50,
        budget: Usdc::whole(1),
        idempotency: EffectId(B256::ZERO),
        temperature: None,
        within: None,
    }
}

fn written(format: Format, form: Form, complaint: Option<&str>) -> Value {
    let request = request();
    let question = Question {
        model: "a-model",
        request: &request,
        form,
        max_tokens: 50,
        complaint,
        effort: complaint.map(|_| Effort::Low),
        says_completion_tokens: false,
        folds_system: false,
        temperature: None,
    };
    serde_json::from_slice(&format.body(&question)).expect("JSON")
}

/// R-030, R-032: what goes out, in each format and form.
#[test]
fn r_030_questions_are_written_as_the_providers_document_them() {
    insta::assert_json_snapshot!("anthropic_tool", written(Format::Anthropic, Form::Tool, None));
    insta::assert_json_snapshot!("anthropic_schema", written(Format::Anthropic, Form::Schema, None));
    let again = written(Format::Anthropic, Form::Schema, Some("x"));
    assert_eq!(
        (&again["output_config"]["effort"], &again["output_config"]["format"]["type"]),
        (&json!("low"), &json!("json_schema"))
    );
    insta::assert_json_snapshot!("openai_schema", written(Format::OpenAi, Form::Schema, None));
    insta::assert_json_snapshot!(
        "openai_json_repair",
        written(Format::OpenAi, Form::Json, Some("it lacks \"choice\""))
    );
}

fn anthropic(stop: &str, content: Value, usage: Value) -> Result<Reply, &'static str> {
    let body = json!({ "type": "message", "model": "m", "content": content, "stop_reason": stop, "usage": usage });
    Format::Anthropic.read(body.to_string().as_bytes())
}

fn openai(finish: &str, message: Value, usage: Value) -> Result<Reply, &'static str> {
    let body = json!({ "model": "m", "choices": [{ "message": message, "finish_reason": finish }], "usage": usage });
    Format::OpenAi.read(body.to_string().as_bytes())
}

/// R-031: both formats count cached tokens once, and what is no count is told apart from what is missing.
#[test]
fn r_031_usage_is_read_in_both_formats() {
    let tokens = |input, output, cached| Counted::Tokens(Usage { input, output, cached });
    for (usage, counted) in [
        (json!({ "input_tokens": 10, "output_tokens": 5 }), tokens(10, 5, 0)),
        (json!({ "input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 90 }), tokens(10, 5, 90)),
        (
            json!({ "input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 7, "cache_read_input_tokens": null }),
            tokens(17, 5, 0),
        ),
        (json!({ "input_tokens": -10, "output_tokens": 5 }), Counted::Absurd),
        (json!({ "input_tokens": 1.5, "output_tokens": 5 }), Counted::Absurd),
        (json!({ "input_tokens": "10", "output_tokens": 5 }), Counted::Absurd),
        (json!({ "input_tokens": 10 }), Counted::Missing),
        (Value::Null, Counted::Missing),
    ] {
        assert_eq!(anthropic("end_turn", json!([]), usage.clone()).expect("read").counted, counted, "{usage}");
    }
    for (usage, counted) in [
        (json!({ "prompt_tokens": 100, "completion_tokens": 5 }), tokens(100, 5, 0)),
        (
            json!({ "prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": { "cached_tokens": 90 } }),
            tokens(10, 5, 90),
        ),
        (
            json!({ "prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": { "cached_tokens": 101 } }),
            Counted::Absurd,
        ),
        (json!({ "prompt_tokens": 100, "completion_tokens": -5 }), Counted::Absurd),
        (json!({ "total_tokens": 105 }), Counted::Missing),
        (json!("none"), Counted::Missing),
    ] {
        assert_eq!(openai("stop", json!({ "content": "x" }), usage.clone()).expect("read").counted, counted, "{usage}");
    }
}

/// R-032: an ending that is no end is told, in both formats; an unknown one is refused.
#[test]
fn r_032_every_stop_reason_has_its_meaning() {
    for (stop, ending) in [
        ("tool_use", Ok(Ending::Whole)),
        ("end_turn", Ok(Ending::Whole)),
        ("max_tokens", Ok(Ending::Length)),
        ("model_context_window_exceeded", Ok(Ending::Length)),
        ("refusal", Ok(Ending::Declined("refusal"))),
        ("pause_turn", Ok(Ending::Declined("pause_turn"))),
        ("whatever", Err("its stop_reason is unknown")),
    ] {
        assert_eq!(anthropic(stop, json!([]), Value::Null).map(|reply| reply.ending), ending, "{stop}");
    }
    for (finish, message, ending) in [
        ("stop", json!({ "content": "{}" }), Ok(Ending::Whole)),
        ("stop", json!({ "content": null, "refusal": "no" }), Ok(Ending::Declined("refusal"))),
        ("length", json!({ "content": "{" }), Ok(Ending::Length)),
        ("content_filter", json!({ "content": "" }), Ok(Ending::Declined("content_filter"))),
        ("whatever", json!({ "content": "" }), Err("its finish_reason is unknown")),
    ] {
        assert_eq!(openai(finish, message, Value::Null).map(|reply| reply.ending), ending, "{finish}");
    }
}

/// The tool's input goes before text, thoughts are not read, and a fence around JSON is taken off.
#[test]
fn what_was_said_is_found() {
    let thought = json!({ "type": "thinking", "thinking": "{\"choice\": 1}" });
    let call = json!({ "type": "tool_use", "name": "deliberate", "input": { "choice": 0 } });
    let both = json!([thought, { "type": "text", "text": "I choose 1" }, call]);
    assert_eq!(anthropic("tool_use", both, Value::Null).expect("read").said, Said::Json(json!({ "choice": 0 })));
    assert_eq!(anthropic("end_turn", json!([thought]), Value::Null).expect("read").said, Said::Nothing);
    for (text, parsed) in [
        ("{\"choice\":1}", Some(json!({ "choice": 1 }))),
        ("```json\n{\"choice\":1}\n```", Some(json!({ "choice": 1 }))),
        ("Sure! {\"choice\":1}", None),
        ("{\"choice\":1} {\"choice\":0}", None),
        ("", None),
    ] {
        assert_eq!(parse(text), parsed, "{text}");
    }
}

/// A provider's error is told in its own words, cleaned, and without what it repeats of the request.
#[test]
fn errors_are_read_from_every_format() {
    let anthropic = json!({ "type": "error", "error": { "type": "not_found_error", "message": "model: x\u{1b}[31m" } });
    assert_eq!(error_words(anthropic.to_string().as_bytes()), "not_found_error: model: x[31m");
    let openai = json!({ "error": { "message": "Invalid 'response_format'", "type": "invalid_request_error" } });
    assert_eq!(error_words(openai.to_string().as_bytes()), "invalid_request_error: Invalid 'response_format'");
    let fields =
        json!({ "detail": [{ "loc": ["body", "max_tokens"], "msg": "not permitted", "input": { "tools": [] } }] });
    assert_eq!(error_words(fields.to_string().as_bytes()), "max_tokens: not permitted");
    let listed = json!([{ "error": { "code": 400, "message": "no", "param": "temperature" } }]);
    assert_eq!(error_words(listed.to_string().as_bytes()), "no: temperature");
    assert_eq!(error_words(b"<html>"), "");
    assert_eq!(error_words(br#"{"error":"model not found"}"#), "model not found");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u8..9).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,24}".prop_map(Value::from),
        Just(json!("0x000000000000000000000000000000000000dEaD")),
    ];
    let key =
        prop_oneof![Just("choice".to_owned()), Just("rationale".to_owned()), Just("content".to_owned()), "[a-z_]{1,8}"];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// R-032: no body, however strange, does more than be read or refused.
    #[test]
    fn r_032_no_body_breaks_the_reading(body in any_json(), bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        for format in [Format::Anthropic, Format::OpenAi] {
            let _ = format.read(body.to_string().as_bytes());
            let _ = format.read(&bytes);
        }
    }

    /// R-032: whatever a model says, what is done is one of the permitted actions exactly as it was offered, or nothing.
    #[test]
    fn r_032_whatever_a_model_says_only_what_was_permitted_is_done(
        said in prop_oneof![
            any_json(),
            (any_json(), any_json()).prop_map(|(choice, rationale)| json!({ "choice": choice, "rationale": rationale })),
            (0u8..12, ".{0,40}").prop_map(|(choice, rationale)| json!({ "choice": choice, "rationale": rationale })),
            (0u8..4, any_json()).prop_map(|(choice, more)| json!({ "choice": choice, "rationale": "so", "amount": more })),
        ],
    ) {
        use golem_core::deliberation::{PreviewedOrder, Choices, Preview, choose};
        use golem_core::record::Course;
        use golem_core::record::{Order, Phase};
        let preview = Preview { value_micros: 1, gas: Usdc::ZERO, would_revert: false };
        let orders = [
            Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(5), least: 7 },
            Order::Sell { pool: PoolName::HOME, amount: 9, least: Usdc::whole(1) },
        ];
        let choices = Choices::permitted(&orders.map(|order| PreviewedOrder { order, preview }), Phase::Stable);
        let deliberate = crate::prompts::Deliberate {
            tick: golem_primitives::Tick::new(1), phase: Phase::Stable, vitality: golem_primitives::Ppm::ONE,
            surprise: golem_primitives::Ppm::ONE, uncertainty: golem_primitives::Ppm::ONE, choices: &choices,
            market: &[], memories: &[], peers: &[],
        };
        if let Ok(json) = crate::schema::check(&deliberate.schema(), &said) {
            let answer = golem_ports::Thought {
                json, usage: Usage::default(), cost: Usdc::ZERO, metering: golem_ports::Metering::Reported,
                model: String::new(), prompt_version: PromptId { name: "deliberate", version: 1 }, repaired: false,
            };
            let advice = answer.advice(choices.digest()).expect("what fits the schema is an advice");
            prop_assert!(advice.index < choices.count());
            prop_assert!(advice.rationale.as_str().chars().all(|c| !c.is_control()));
            if let Course::Act(order) = choose(&choices, &advice, Phase::Stable) {
                prop_assert!(orders.contains(&order));
            }
        }
    }
}
