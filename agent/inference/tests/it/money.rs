//! What a question may cost, and what it did.

use golem_inference::{Format, MOST_PROMPT_BYTES};
use golem_ports::{Charge, Inference, InferenceFault, Metering, Request};
use golem_primitives::Usdc;
use serde_json::{Value, json};

use crate::server::Turn;
use crate::world::{GOOD_COST, World, anthropic, good, plain_question};

/// a budget one micro below the maximum is refused before anything is sent; the maximum itself passes.
#[tokio::test]
async fn r_031_a_budget_below_the_maximum_is_refused_before_anything_is_sent() {
    let world = World::new(Format::Anthropic, [Turn::ok(anthropic(&good()))]).await;
    let most = world.models.quote(&plain_question()).expect("a price");
    let bytes = plain_question().prompt.system.len() + plain_question().prompt.user.len();
    assert!(most.micros() > bytes as u64 + 200 * 5, "every byte may be a token: {most}");
    let short = Request { budget: most.saturating_sub(Usdc::from_micros(1)), ..plain_question() };
    let error = world.models.ask(&short).await.expect_err("too dear");
    assert_eq!(error.fault, InferenceFault::OverBudget { most, budget: short.budget });
    assert_eq!((error.charge, error.may_retry()), (Charge::None, false));
    assert!(world.server.asked().is_empty(), "nothing was sent");
    let answer = world.models.ask(&Request { budget: most, ..plain_question() }).await.expect("an answer");
    assert!(answer.cost <= most);
}

/// R-031, M-021: an ordinary deliberation fits what a call of its tier may cost, though every byte counts as a token, and
/// really costs about what M-021 says.
#[tokio::test]
async fn m_021_an_ordinary_deliberation_fits_its_tiers_bound() {
    let world = World::new(Format::Anthropic, [Turn::ok(anthropic(&good()))]).await;
    let budget = golem_core::means::call_budget(golem_core::record::Tier::T1);
    let most = world.models.quote(&plain_question()).expect("a price");
    assert!(most <= budget, "{most} of {budget}");
    let answer = world.models.ask(&Request { budget, ..plain_question() }).await.expect("an answer");
    assert!(answer.cost <= Usdc::from_micros(2_000), "{}", answer.cost);
}

/// usage that is missing or cannot be is charged at the maximum, and it is told.
#[tokio::test]
async fn r_031_usage_that_cannot_be_is_charged_at_the_maximum_and_told() {
    for (usage, metering) in [
        (Value::Null, Metering::Missing),
        (json!({}), Metering::Missing),
        (json!({ "input_tokens": 0, "output_tokens": 60 }), Metering::Absurd),
        (json!({ "input_tokens": -5, "output_tokens": 60 }), Metering::Absurd),
        (json!({ "input_tokens": 1_200, "output_tokens": 201 }), Metering::Absurd),
        (json!({ "input_tokens": 9_000_000_000_u64, "output_tokens": 1 }), Metering::Absurd),
    ] {
        let mut body = anthropic(&good());
        body["usage"] = usage.clone();
        let world = World::new(Format::Anthropic, [Turn::ok(body)]).await;
        let most = world.models.quote(&plain_question()).expect("a price");
        let answer = world.models.ask(&plain_question()).await.expect("an answer");
        assert_eq!((answer.cost, answer.metering), (most, metering), "{usage}");
    }
}

/// a model on this machine costs nothing, and needs no budget.
#[tokio::test]
async fn r_031_a_local_model_costs_nothing() {
    let world = World::with(Format::Anthropic, [Turn::ok(anthropic(&good()))], |tier| golem_inference::TierSettings {
        key_env: None,
        input_price: None,
        output_price: None,
        cached_price: None,
        ..tier
    })
    .await;
    let free = Request { budget: Usdc::ZERO, ..plain_question() };
    assert_eq!(world.models.ask(&free).await.expect("an answer").cost, Usdc::ZERO);
    assert_eq!(world.server.asked()[0].header("x-api-key"), None);
}

/// no repair without the means for it; what the first answer cost is told.
#[tokio::test]
async fn r_031_a_repair_the_budget_does_not_bear_is_not_made() {
    let unfit = anthropic(&json!({ "choice": 9, "rationale": "x" }));
    let world = World::new(Format::Anthropic, [Turn::ok(unfit), Turn::ok(anthropic(&good()))]).await;
    let most = world.models.quote(&plain_question()).expect("a price");
    let error = world.models.ask(&Request { budget: most, ..plain_question() }).await.expect_err("unfit");
    assert!(matches!(error.fault, InferenceFault::Unfit { .. }), "{error}");
    assert_eq!(error.charge, Charge::Known(GOOD_COST));
    assert_eq!(world.server.asked().len(), 1);
}

/// an answer that ended at its bound, or that the model declined, is none, and is paid by its numbers.
#[tokio::test]
async fn r_031_answers_that_are_none_are_charged_by_what_is_known() {
    for (stop, fault) in [
        ("max_tokens", InferenceFault::Unfinished { bound: 200 }),
        ("refusal", InferenceFault::Declined { reason: "refusal" }),
    ] {
        let mut body = anthropic(&good());
        body["stop_reason"] = stop.into();
        let world = World::new(Format::Anthropic, [Turn::ok(body)]).await;
        let error = world.models.ask(&plain_question()).await.expect_err(stop);
        assert_eq!((error.fault.clone(), error.charge), (fault, Charge::Known(GOOD_COST)));
        assert!(!error.may_retry() && world.server.asked().len() == 1);
    }
    for (finish, refusal) in [("length", None), ("content_filter", None), ("stop", Some("I cannot help with that."))] {
        let mut body = crate::world::openai(&good().to_string());
        body["choices"][0]["finish_reason"] = finish.into();
        body["choices"][0]["message"]["refusal"] = refusal.into();
        let world = World::new(Format::OpenAi, [Turn::ok(body)]).await;
        let error = world.models.ask(&plain_question()).await.expect_err(finish);
        assert_eq!(error.charge, Charge::Known(Usdc::from_micros(840)), "{error}");
    }
}

/// What no provider should get is refused before it is sent: too long a prompt, no room for an answer.
#[tokio::test]
async fn r_031_questions_out_of_bounds_are_not_sent() {
    let world = World::new(Format::OpenAi, []).await;
    let mut long = plain_question();
    long.prompt.user = "x".repeat(MOST_PROMPT_BYTES + 1);
    for request in [long, Request { max_output_tokens: 0, ..plain_question() }] {
        let error = world.models.ask(&request).await.expect_err("out of bounds");
        assert!(matches!(error.fault, InferenceFault::BadRequest { .. }), "{error}");
    }
    assert!(world.server.asked().is_empty());
}
