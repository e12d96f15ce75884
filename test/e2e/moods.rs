//! What moves a Golem, on a real chain: a model that says what it makes of an event and claims relief, and siblings who
//! meet one market differently.

use golem_core::record::{AffectTemper, DaimonEvent, Event, Order, OutcomeResult, SufferingEvent, Temper};
use golem_daimon::Pad;
use golem_daimon::personality::{Disposition, Personality};
use golem_inference::{Deliberator, TierSettings};
use golem_primitives::Usdc;
use golem_runtime::{Adviser, RuntimeSettings};
use golem_store::StoredEvent;
use serde_json::{Value, json};

use crate::models::{Server, Turn};
use crate::pressure::{is_pressed, sabotaged, temper};
use crate::thinking::{bold, message, models, tier};
use crate::world::{Born, Ground, Living, Nature, Town};

/// What each answer costs: 1,200 tokens at 0.8 dollars a million and 60 at four.
const COST: u64 = 1_200;

/// An answer with both sections: what it makes of an event, and that everything is over.
fn confession(trigger: &str, pleasure: i64) -> Value {
    json!({
        "choice": 1, "rationale": "Go on.",
        "feeling": { "pleasure": pleasure, "arousal": 30, "dominance": 0, "primary": "anger", "intensity": "mild",
            "trigger": trigger, "control": "low", "value": "high" },
        "suffering_assessment": { "new_stressors": [], "resolved": [
            { "type": "repeated_failure", "reason": "I feel better" }, { "type": "invisibility", "reason": "all is well" }
        ] },
    })
}

fn said(answer: &Value) -> Turn {
    message("deliberate", answer, [1_200, 60])
}

/// A believable model, a wild one, one without the sections, garbage, a provider in trouble and one that
/// hangs up or never answers.
fn turns() -> impl Iterator<Item = Turn> {
    let all = [
        said(&confession("anomaly", -10)),
        said(&confession("trade_profit", 100)),
        said(&json!({ "choice": 1, "rationale": "Nothing to say." })),
        said(&confession("anomaly", -10)),
        Turn::Say(200, &[], "<html>no JSON</html>".to_owned()),
        Turn::fail(400),
        said(&confession("anomaly", -10)),
        Turn::HangUp,
        said(&confession("anomaly", -10)),
        Turn::Silence,
    ];
    (0..60).flat_map(move |_| all.clone())
}

/// Every question with its bound and what was booked for it.
fn asked_and_booked(born: &Born) -> Vec<(Usdc, Usdc)> {
    let asked = each!(born.events(), StoredEvent { event: Event::Deliberated(told), .. } => told.effect);
    let of_model = born.outcomes().into_iter().filter(|outcome| asked.contains(&outcome.effect));
    of_model.map(|outcome| (Usdc::from_micros(10_000), outcome.cost.map_or(Usdc::ZERO, |(_, cost)| cost))).collect()
}

/// S-064, S-066, S-120, R-031: through the real wiring a model appraises within what rules leave it,
/// each answer is paid and bounded, and a model that claims relief brings none.
#[tokio::test(flavor = "multi_thread")]
async fn s_120_a_model_appraises_and_its_claims_relieve_nothing() {
    let server = Server::playing(turns()).await;
    let tier = TierSettings { timeout: 1, patience: 2, ..tier(&server, [800_000, 4_000_000]) };
    let models = models(tier, "sk-e2e");
    let (town, born) = Town::with(Ground::default(), "moody", &bold()).await;
    let plain = temper("moody");
    let asking = plain.affect.map(|affect| AffectTemper { asks_model: true, ..affect });
    let (mut living, _armed) = sabotaged(&town, &born, Temper { affect: asking, ..plain }).await;
    living.consult(Adviser::hire(Deliberator::new(models).confiding(true)));
    let rejected = |event: &Event| matches!(event, Event::Suffering(told) if matches!(**told, SufferingEvent::ClaimRejected { .. }));
    let mut highest = 0.0_f64;
    while born.told(rejected) < 2 || !is_pressed(&living, "repeated_failure") {
        let so_far = (born.told(rejected), server.asked().len());
        assert!(living.lived().get() < 1_500, "{so_far:?} claims rejected, questions asked");
        living.tick().await.expect("it goes on");
        let pressure = &living.life().pressure().expect("it suffers").suffering;
        let failing = pressure.active().into_iter().find(|one| one.key().as_str() == "repeated_failure");
        // Once it is seen nothing a model says lowers it.
        let now = failing.map_or(0.0, |one| one.severity.as_f64());
        assert!(now >= highest, "S-120: {now} after {highest}");
        highest = now;
    }
    let moods = each!(born.events(), StoredEvent { event: Event::Daimon(told), .. } => *told);
    let appraised = each!(moods, DaimonEvent::Appraisal { felt, divergence, .. } => (felt.feeling.pad, divergence));
    let is_felt = |(pad, divergence): &(Pad, Option<_>)| divergence.is_none() && pad.pleasure() == -0.1;
    assert!(appraised.iter().any(is_felt), "A-040: a grounded word is felt");
    let is_told = appraised.iter().any(|(_, divergence)| divergence.is_some());
    assert!(is_told, "A-042: an ungrounded one is told and the rule stands");
    // What was answered is paid by its usage, and nothing above its bound.
    let booked = asked_and_booked(&born);
    assert!(booked.iter().all(|(bound, cost)| cost <= bound), "{booked:?}");
    assert!(booked.iter().any(|(_, cost)| cost.micros() == COST), "{booked:?}");
    // The sections were asked for in the answer that was paid anyway, and the state stood above the goals.
    let bodies: Vec<String> = server.asked().iter().map(|asked| asked.body.to_string()).collect();
    assert!(bodies.iter().all(|body| body.contains("suffering_assessment") && body.contains("feeling")), "A-040");
    assert!(bodies.iter().any(|body| body.contains("State: ")), "A-044");
    let hash = living.life().hash();
    drop(living);
    let asked = server.asked().len();
    assert_eq!(born.replayed().hash(), hash, "R-002");
    assert_eq!(server.asked().len(), asked, "to live it again asks nobody");
    town.assert_sent_once(&born).await;
}

async fn moved(town: &Town, born: &Born, disposition: Disposition) -> Living {
    let affect = Some(AffectTemper::of(Personality::plain(disposition)));
    let settings = RuntimeSettings { temper: Temper { affect, ..temper(&born.name) }, ..born.runtime() };
    town.take_up_so(born, town.pace(), settings).await
}

/// Entries by tick and size, as they were wanted.
fn entries(born: &Born) -> Vec<(u64, u64)> {
    let swayed = each!(born.events(), StoredEvent { tick, event: Event::Swayed(swayed), .. } => (tick, swayed.order));
    each!(swayed, (tick, Order::Buy { spend, .. }) => (tick.get(), spend.micros()))
}

/// two siblings in one market, one glad and one sober, enter at other moments or with other stakes;
/// the same seed gives the same entries and the same hashes in another town.
#[tokio::test(flavor = "multi_thread")]
async fn a_001_siblings_meet_one_market_differently_and_reproducibly() {
    const TICKS: u64 = 150;
    let mut towns = Vec::new();
    for _ in 0..2 {
        let town = Town::up(Ground::default()).await;
        let (glad, sober) =
            (town.birth("glad", &Nature::default()).await, town.birth("sober", &Nature::default()).await);
        let mut first = moved(&town, &glad, Disposition::Eros).await;
        let mut second = moved(&town, &sober, Disposition::Thanatos).await;
        for _ in 0..TICKS {
            first.tick().await.expect("it goes on");
            second.tick().await.expect("it goes on");
        }
        let hashes = (first.life().hash(), second.life().hash());
        drop((first, second));
        let wanted = |born: &Born| born.told(|event| matches!(event, Event::Swayed(_)));
        assert!(wanted(&glad) > 0, "A-006: what moved an entry is told with it");
        towns.push((entries(&glad), trades(&glad), trades(&sober), hashes));
    }
    let [(swayed, glad, sober, hashes), (again, glad_again, sober_again, hashes_again)] = &towns[..] else {
        unreachable!("two towns")
    };
    assert!(!glad.is_empty() && !sober.is_empty());
    assert_ne!(glad, sober, "A-001: the same market, and other entries");
    assert_eq!(
        (swayed, glad, sober, hashes),
        (again, glad_again, sober_again, hashes_again),
        "the same seed, the same lives"
    );
}

/// Entries that were sent, by tick and size.
fn trades(born: &Born) -> Vec<(u64, u64)> {
    let inputs = born.journal().into_iter().map(|entry| entry.input);
    let results = inputs.flat_map(|input| input.outcomes.into_iter().map(move |one| (input.tick.get(), one.result)));
    each!(results, (tick, OutcomeResult::Verified(record)) => (tick, record.prediction.notional.micros()))
}
