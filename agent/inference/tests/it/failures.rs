//! Providers that fail, and what that costs.

use std::time::Duration;

use golem_core::record::Tier;
use golem_inference::{Format, TierSettings};
use golem_ports::{Charge, Inference, InferenceError, InferenceFault, Metering, Request, Thinking};
use serde_json::json;

use crate::server::{Server, Turn};
use crate::world::{GOOD_COST, World, anthropic, good, plain_question};

fn answered() -> Turn {
    Turn::ok(anthropic(&good()))
}

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// What comes of a question whose budget bears one call only.
async fn once(world: &World) -> InferenceError {
    let most = world.models.quote(&plain_question()).expect("a price");
    world.models.ask(&Request { budget: most, ..plain_question() }).await.expect_err("no answer")
}

/// R-031: a provider that asks to wait is waited for as long as it says, costs nothing, and answers.
#[tokio::test]
async fn r_031_retry_after_is_honoured() {
    let limited = Turn::Say(429, &[("retry-after", "7")], "{}".to_owned());
    let world = World::new(Format::Anthropic, [limited, answered()]).await;
    let answer = world.models.ask(&plain_question()).await.expect("an answer");
    assert_eq!((answer.cost, answer.metering), (GOOD_COST, Metering::Reported));
    assert_eq!(world.clock.waits(), [seconds(7)]);
}

/// A provider that asks to wait longer than there is time is not waited for, and is left alone until then.
#[tokio::test]
async fn a_wait_beyond_patience_is_refused_at_once() {
    let limited = Turn::Say(429, &[("retry-after", "3600")], "{}".to_owned());
    let world = World::new(Format::Anthropic, [limited, answered()]).await;
    let error = world.models.ask(&plain_question()).await.expect_err("too long");
    assert!(matches!(error.fault, InferenceFault::Limited { after, .. } if after == seconds(3_600)), "{error}");
    assert_eq!((error.charge, error.may_retry()), (Charge::None, true));
    let error = world.models.ask(&plain_question()).await.expect_err("still");
    assert!(matches!(error.fault, InferenceFault::Limited { .. }), "{error}");
    assert_eq!((world.server.asked().len(), world.clock.waits().len()), (1, 0));
    world.clock.pass(seconds(3_600));
    assert!(world.models.ask(&plain_question()).await.is_ok());
}

/// Trouble of the provider's own is tried again with growing pauses, and costs nothing.
#[tokio::test]
async fn trouble_is_tried_again_with_growing_pauses() {
    let world = World::new(Format::Anthropic, [Turn::fail(500), Turn::fail(529), Turn::fail(502), answered()]).await;
    assert_eq!(world.models.ask(&plain_question()).await.expect("an answer").cost, GOOD_COST);
    assert_eq!(world.clock.waits(), [250, 500, 1_000].map(Duration::from_millis));
}

/// Five failures in a row and a provider rests: nobody asks it. Then one may try, and an answer opens it again.
#[tokio::test]
async fn a_provider_that_keeps_failing_is_left_alone_for_a_while() {
    let turns = std::iter::repeat_n(Turn::fail(503), 5).chain([answered(), answered()]);
    let world = World::new(Format::Anthropic, turns).await;
    let error = world.models.ask(&plain_question()).await.expect_err("four times");
    assert!(matches!(error.fault, InferenceFault::Unwell { status: 503, .. }), "{error}");
    assert_eq!((error.charge, error.may_retry(), world.server.asked().len()), (Charge::None, true, 4));
    let error = world.models.ask(&plain_question()).await.expect_err("the fifth");
    assert!(matches!(error.fault, InferenceFault::Resting { failures: 5, .. }), "{error}");
    assert_eq!(world.server.asked().len(), 5, "then nobody asked");
    world.clock.pass(seconds(31));
    assert!(world.models.ask(&plain_question()).await.is_ok());
    assert!(world.models.ask(&plain_question()).await.is_ok());
}

/// Calls a minute are counted over all tiers of a provider; the next waits for its place.
#[tokio::test]
async fn calls_beyond_the_rate_wait_for_their_place() {
    let world =
        World::with(Format::Anthropic, [answered(), answered()], |tier| TierSettings { calls_per_minute: 1, ..tier })
            .await;
    assert!(world.models.ask(&plain_question()).await.is_ok());
    world.clock.pass(seconds(10));
    let last = Request { tier: Tier::T3, purpose: Thinking::DeathReflection, ..plain_question() };
    assert!(world.models.ask(&last).await.is_ok());
    assert_eq!(world.clock.waits(), [seconds(50)]);
}

/// R-031: no answer in time may have cost the maximum; without the means for another it is not asked again.
#[tokio::test]
async fn r_031_a_time_out_may_have_cost_the_maximum() {
    for turn in [Turn::Silence, Turn::Stall] {
        let world = World::with(Format::Anthropic, [turn.clone()], |tier| TierSettings { timeout: 1, ..tier }).await;
        let most = world.models.quote(&plain_question()).expect("a price");
        let error = once(&world).await;
        let is_late = matches!(error.fault, InferenceFault::TimedOut { limit, .. } if limit == seconds(1));
        assert!(is_late, "{turn:?}: {error}");
        assert_eq!((error.charge, error.may_retry()), (Charge::AtMost(most), true));
        assert_eq!(world.server.asked().len(), 1);
    }
}

/// R-031: an answer that breaks off may have cost the maximum; asked again, both are booked.
#[tokio::test]
async fn r_031_a_cut_answer_is_charged_and_booked_with_the_next() {
    for cut in [Turn::Cut(anthropic(&good()).to_string()), Turn::HangUp] {
        let world = World::new(Format::Anthropic, [cut.clone()]).await;
        let most = world.models.quote(&plain_question()).expect("a price");
        let error = once(&world).await;
        assert!(matches!(error.fault, InferenceFault::Cut { .. }), "{cut:?}: {error}");
        assert_eq!(error.charge, Charge::AtMost(most));

        let world = World::new(Format::Anthropic, [cut, answered()]).await;
        let answer = world.models.ask(&plain_question()).await.expect("an answer");
        assert_eq!((answer.cost, answer.metering), (most.saturating_add(GOOD_COST), Metering::Missing));
        let names: Vec<_> =
            world.server.asked().iter().map(|asked| asked.header("idempotency-key").map(str::to_owned)).collect();
        assert!(names[0].is_some() && names[0] == names[1], "the same question has the same name: {names:?}");
    }
}

/// A gateway that gave up does not know what happened behind it: that may have cost the maximum.
#[tokio::test]
async fn r_031_a_gateway_that_gave_up_may_have_cost_the_maximum() {
    let world = World::new(Format::Anthropic, [Turn::fail(504)]).await;
    let error = once(&world).await;
    assert!(matches!(error.charge, Charge::AtMost(_)), "{error}");
    assert!(matches!(error.fault, InferenceFault::Unwell { status: 504, .. }), "{error}");
}

/// Nobody there costs nothing and is tried again.
#[tokio::test]
async fn nobody_there_costs_nothing() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let world =
        World::with(Format::OpenAi, [], |tier| TierSettings { base_url: Some(format!("http://{gone}/v1")), ..tier })
            .await;
    let error = world.models.ask(&plain_question()).await.expect_err("nobody");
    assert!(matches!(error.fault, InferenceFault::Unreachable { .. }), "{error}");
    assert_eq!((error.charge, error.may_retry()), (Charge::None, true));
    assert_eq!(world.clock.waits().len(), 3);
}

/// More than is read is not read, whether it is announced or not.
#[tokio::test]
async fn an_answer_without_end_is_not_read_further() {
    for turn in [Turn::Flood, Turn::Threaten] {
        let world = World::new(Format::Anthropic, [turn.clone(), answered()]).await;
        let error = world.models.ask(&plain_question()).await.expect_err("too much");
        assert!(matches!(error.fault, InferenceFault::Oversized { .. }), "{turn:?}: {error}");
        assert!(matches!(error.charge, Charge::AtMost(_)), "{error}");
        assert_eq!(world.server.asked().len(), 1);
    }
}

/// What is no answer in the provider's format is refused, and may have cost the maximum.
#[tokio::test]
async fn what_is_no_format_is_refused() {
    for body in
        ["", "<html>busy</html>", "[]", "{}", r#"{"content":[]}"#, r#"{"content":"x","stop_reason":"end_turn"}"#]
    {
        let world = World::new(Format::Anthropic, [Turn::Say(200, &[], body.to_owned())]).await;
        let error = world.models.ask(&plain_question()).await.expect_err("no format");
        assert!(matches!(error.fault, InferenceFault::Malformed { .. }), "{body}: {error}");
        assert!(matches!(error.charge, Charge::AtMost(_)), "{error}");
    }
}

/// R-032: an answer that is no JSON, or empty, twice, is no answer; both calls are charged.
#[tokio::test]
async fn r_032_words_instead_of_json_are_refused_after_one_repair() {
    for content in ["I would buy!", "", "null", "{\"choice\": 1"] {
        let said = || Turn::ok(crate::world::openai(content));
        let world = World::new(Format::OpenAi, [said(), said(), said()]).await;
        let error = world.models.ask(&plain_question()).await.expect_err("no JSON");
        assert!(matches!(error.fault, InferenceFault::Unfit { .. }), "{content}: {error}");
        assert_eq!(error.charge.booked().micros(), 2 * 840);
        assert_eq!(world.server.asked().len(), 2, "one repair and no more");
    }
}

/// A wrong key, an unknown model or an empty account is told with what to do, once, and costs nothing.
#[tokio::test]
async fn refusals_are_told_and_not_repeated() {
    for (status, says) in
        [(401, "check the key"), (402, "no credit"), (404, "check model"), (400, "check the settings")]
    {
        let world = World::new(Format::Anthropic, [Turn::fail(status), answered()]).await;
        let error = world.models.ask(&plain_question()).await.expect_err("refused");
        assert!(error.to_string().contains(says) && error.to_string().contains("trouble"), "{error}");
        assert_eq!((error.charge, error.may_retry(), world.server.asked().len()), (Charge::None, false, 1));
    }
}

/// R-024: a redirect is not followed: the key would go to somebody nobody chose.
#[tokio::test]
async fn r_024_redirects_are_not_followed() {
    let elsewhere = Server::playing([answered()]).await;
    let location: &'static str = Box::leak(format!("{}/v1/messages", elsewhere.url()).into_boxed_str());
    let headers: &'static [(&str, &str)] = Box::leak(Box::new([("location", location)]));
    for status in [302, 307, 308] {
        let world = World::new(Format::Anthropic, [Turn::Say(status, headers, String::new())]).await;
        let error = world.models.ask(&plain_question()).await.expect_err("refused");
        assert!(error.to_string().contains("redirects are not followed"), "{error}");
    }
    assert!(elsewhere.asked().is_empty());
}

/// A proxy that only the environment names is not used: the same test passes in a process whose environment has a dead
/// one.
#[test]
fn a_proxy_of_the_environment_is_not_used() {
    let mut child = std::process::Command::new(std::env::current_exe().expect("this test"));
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(name, "http://127.0.0.1:1");
    }
    let told = child
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .args(["--exact", "answers::r_030_anthropic_answers"])
        .output();
    let told = told.expect("it ran");
    assert!(told.status.success() && String::from_utf8_lossy(&told.stdout).contains("1 passed"), "{told:?}");
}

/// A proxy is used when it is configured.
#[tokio::test]
async fn a_configured_proxy_is_used() {
    let proxy = Server::playing([answered()]).await;
    let world = World::with(Format::Anthropic, [], |tier| TierSettings {
        base_url: Some("http://models.invalid".to_owned()),
        allow_http: true,
        proxy: Some(proxy.url()),
        ..tier
    })
    .await;
    assert!(world.models.ask(&plain_question()).await.is_ok());
    assert_eq!(proxy.asked()[0].line(), "POST http://models.invalid/v1/messages HTTP/1.1");
    assert_eq!(json!(world.server.asked().len()), 0);
}
