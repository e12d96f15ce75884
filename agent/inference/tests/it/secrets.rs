//! The key stands in one header and nowhere else.

use std::io::Write;
use std::sync::{Arc, Mutex};

use golem_inference::{Format, TierSettings, survey};
use golem_ports::Inference;

use crate::server::Turn;
use crate::world::{CANARY, World, anthropic, env, good, openai, plain_question, tier};

/// Everything that is ever logged, at every level.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// whatever goes well or wrong, in either format, no error, picture, log or address holds the key; a provider
/// that repeats it, whole or in part, is not repeated.
#[tokio::test]
async fn r_024_the_key_is_in_no_error_picture_or_log() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // For the whole process: what the other tests make it log, with the same key, is looked through too.
    tracing::subscriber::set_global_default(subscriber).expect("nobody else listens");

    let echo = |status, words: String| {
        Turn::Say(
            status,
            &[],
            serde_json::json!({ "error": { "type": "authentication_error", "message": words } }).to_string(),
        )
    };
    let mut seen = String::new();
    for format in [Format::Anthropic, Format::OpenAi] {
        let fine = if format == Format::Anthropic { anthropic(&good()) } else { openai(&good().to_string()) };
        for turn in [
            Turn::ok(fine.clone()),
            echo(401, format!("invalid x-api-key {CANARY}")),
            echo(400, format!("Incorrect API key provided: {}****{}", &CANARY[..8], &CANARY[22..])),
            echo(403, format!("key …{} is blocked", &CANARY[10..])),
            Turn::fail(503),
            Turn::HangUp,
            Turn::Cut(CANARY.to_owned()),
            Turn::Flood,
            Turn::Say(200, &[], CANARY.to_owned()),
            Turn::Say(302, &[("location", "http://127.0.0.1:1/")], String::new()),
        ] {
            let world = World::new(format, [turn]).await;
            let came = world.models.ask(&plain_question()).await;
            seen.push_str(&format!("{came:?} {:?}\n", world.models));
            if let Err(error) = came {
                seen.push_str(&format!("{error} {error:#?}\n"));
            }
            for asked in world.server.asked() {
                assert_eq!(asked.head.matches(CANARY).count(), 1, "one header: {}", asked.head);
                assert!(!asked.line().contains(CANARY) && !asked.body.to_string().contains(CANARY));
            }
        }
        let down = World::new(format, [echo(401, CANARY.to_owned())]).await;
        let settings = golem_inference::InferenceSettings {
            t1: Some(tier(format, &down.server.url())),
            t2: Some(TierSettings { base_url: Some(format!("https://me:{CANARY}@example.org")), ..tier(format, "x") }),
            ..golem_inference::InferenceSettings::default()
        };
        let report = survey::survey(&settings, env, survey::Day::default()).await;
        seen.push_str(&format!("{report:?}"));
        seen.extend(report.tiers.iter().map(|tier| tier.state.to_string()));
    }
    let logged = String::from_utf8_lossy(&log.0.lock().expect("not poisoned")).into_owned();
    assert!(logged.contains("a model answered"), "something was logged");
    for (what, text) in [("an error or a picture", &seen), ("a log", &logged)] {
        for piece in [CANARY, &CANARY[..12], &CANARY[12..]] {
            assert!(!text.contains(piece), "{piece} is in {what}");
        }
    }
    assert!(seen.contains("repeat the key and are not shown"));
}
