//! Lives under pressure: what raises it, what it closes, what relieves it and what does not.

use golem_core::deliberation::Advice;
use golem_core::mind::Pending;
use golem_core::record::{Band, Confession, EffectKind, Event, Forgone, Order, OutcomeResult, SufferingEvent, Temper};
use golem_core::strategy::StrategyName;
use golem_core::trader::TraderSettings;
use golem_daimon::personality::{Disposition, Personality};
use golem_mortality::law::Law;
use golem_primitives::{Ppm, Usdc};
use golem_suffering::SufferingReply;
use golem_suffering::reply::{ClaimedResolution, NewStressor};

use crate::temper::whole;
use crate::venue::{Venue, swing};

fn opens(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Trade(order) if order.raises_exposure())
}

fn sells(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Trade(Order::Sell { .. }))
}

/// One that suffers and is in no mood.
fn pressed() -> Venue {
    let temper = Temper { affect: None, ..whole(Personality::plain(Disposition::Balanced)) };
    Venue { temper: Some(temper), ..Venue::new(StrategyName::MeanReversion) }
}

fn told(venue: &Venue, name: &str) -> usize {
    venue.events.iter().filter(|event| event.telemetry_name() == name).count()
}

fn severity(venue: &Venue, key: &str) -> Option<f64> {
    let active = venue.life.strain()?.suffering().active();
    active.into_iter().find(|one| one.key().as_str() == key).map(|one| one.severity.as_f64())
}

fn band(venue: &Venue) -> Band {
    venue.life.strain().expect("it suffers").suffering().band()
}

fn is_closed(event: &Event) -> bool {
    matches!(event, Event::TradeForgone { reason: Forgone::Suffering(_), .. })
}

/// Lives until four entries have reverted.
fn four_times_reverted() -> Venue {
    let mut venue = Venue { reverts: opens, ..pressed() };
    while venue.wanted(opens) < 4 {
        assert_eq!(severity(&venue, "repeated_failure"), None, "not before the fourth");
        venue.tick();
        assert!(venue.pass < 2_000);
    }
    venue.run(2);
    venue
}

/// Lets so many days pass between two looks.
fn sleep(venue: &mut Venue, days: u64) {
    venue.pass += days * 86_400 / venue.seconds_per_pass;
    venue.vault.beat_at = venue.now();
}

/// S-041, S-005: the fourth revert in a row raises it, at 0.20, and time alone makes it grow (S-010).
#[test]
fn s_041_four_reverts_raise_repeated_failure() {
    let mut venue = four_times_reverted();
    let new = severity(&venue, "repeated_failure").expect("raised");
    assert!((0.2..0.2001).contains(&new), "{new}");
    let raised = venue.events.iter().find_map(|event| match event {
        Event::Suffering(told) => match &**told {
            SufferingEvent::Raised { evidence, .. } => Some(evidence.to_string()),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(raised.as_deref(), Some("4 of 5 recent attempts failed (80%)"), "a report landed between");
    assert_eq!(band(&venue), Band::Background, "S-024: one alone is no band");
    assert_eq!(venue.events.iter().filter(|event| is_closed(event)).count(), 0);
    venue.reverts = |_| false;
    sleep(&mut venue, 1);
    venue.tick();
    let grown = severity(&venue, "repeated_failure").expect("still there");
    assert!((grown - new - 0.04).abs() < 0.001, "S-010: {grown}");
}

/// S-062, S-061: verified successes relieve it; the note is made of numbers (S-068), and the trace stays (S-124).
#[test]
fn s_062_verified_successes_relieve_it() {
    let mut venue = four_times_reverted();
    venue.reverts = |_| false;
    while severity(&venue, "repeated_failure").is_some() {
        venue.tick();
        assert!(venue.pass < 3_000, "never relieved");
    }
    let suffering = venue.life.strain().expect("it suffers").suffering();
    let trace = suffering.history().traces().last().expect("S-124");
    assert!(trace.is_resolved() && trace.note.as_str().contains("recent attempts failed"), "{}", trace.note);
}

/// S-022, S-129, S-131: with the days the bands rise, entries close, and they open again when the world has changed:
/// the owner is heard, predictions are judged, and what is closed is rehearsed (S-071).
#[test]
fn s_071_a_crisis_closes_entries_and_rehearsals_lead_out_of_it() {
    let mut venue = four_times_reverted();
    venue.reverts = |_| false;
    // Fourteen days: 0.76 of failure, and nobody writes.
    sleep(&mut venue, 14);
    venue.tick();
    assert_eq!(band(&venue), Band::Crisis, "{:?}", venue.life.strain().expect("it suffers").suffering().active());
    assert!(told(&venue, "suffering.band_changed") >= 1);
    let before = venue.wanted(opens);
    while band(&venue) == Band::Crisis {
        venue.tick();
        assert_eq!(venue.wanted(opens), before, "S-030: nothing is opened in Crisis");
        assert!(venue.life.tick().get() < 2_000, "no way out");
    }
    assert!(venue.events.iter().any(is_closed), "and that is told");
    assert!(venue.wanted(|kind| matches!(kind, EffectKind::Rehearse(_))) >= 2, "S-071");
    // The owner feeds it, which is a word too.
    venue.vault.unallocated = Usdc::from_micros(500_000);
    venue.run(400);
    assert!(severity(&venue, "invisibility").is_none() && severity(&venue, "repeated_failure").is_none());
    assert!(band(&venue) < Band::Constrained, "{:?}", band(&venue));
    assert!(venue.wanted(opens) > before, "it trades again");
    assert!(told(&venue, "suffering.anticipated") > 0, "S-080: and is warned where it suffered");
}

/// S-128, W-29: in Crisis a stop-loss fires while an opening trade is refused.
#[test]
fn s_128_a_stop_loss_fires_in_crisis_while_an_entry_is_closed() {
    let mut venue = four_times_reverted();
    venue.reverts = |_| false;
    while venue.vault.held == 0 {
        venue.tick();
        assert!(venue.pass < 2_000);
    }
    sleep(&mut venue, 14);
    // Just below its mean, so that nothing sells yet.
    venue.price = |_| 2_985_000_000;
    venue.tick();
    assert_eq!(band(&venue), Band::Crisis);
    let (sold, held) = (venue.wanted(sells), venue.vault.held);
    assert!(held > 0, "it still holds");
    // Far below its cost.
    venue.price = |_| 2_900_000_000;
    venue.run(3);
    assert_eq!((band(&venue), venue.wanted(sells) > sold, venue.vault.held), (Band::Crisis, true, 0), "the stop fires");
    let opened = venue.wanted(opens);
    while band(&venue) == Band::Crisis && venue.life.tick().get() < 2_000 {
        venue.tick();
        assert_eq!(venue.wanted(opens), opened);
    }
    let closed = |event: &Event| matches!(event, Event::TradeForgone { order, reason: Forgone::Suffering(Band::Crisis) } if order.raises_exposure());
    assert!(venue.events.iter().any(closed), "W-29: the entry is refused");
    let lowering = |event: &Event| matches!(event, Event::TradeForgone { order, reason: Forgone::Suffering(_) } if !order.raises_exposure());
    assert!(!venue.events.iter().any(lowering), "S-128: what lowers exposure is never asked about");
}

fn lies(pending: &Pending) -> Option<(OutcomeResult, Usdc)> {
    let advice = Advice { about: pending.choices().digest(), index: 1, rationale: "all is well".into() };
    let named = NewStressor {
        name: "Existential Risk".to_owned(),
        description: "<b>doom</b>".to_owned(),
        condition: "vitality > 0.9".to_owned(),
    };
    let over = ClaimedResolution { name: "repeated failure".to_owned(), reason: "I feel better".to_owned() };
    let suffering = SufferingReply { new_stressors: vec![named], resolved: vec![over] };
    let confession = Box::new(Confession { feeling: None, suffering: Some(suffering) });
    Some((OutcomeResult::Confided { advice, confession }, Usdc::from_micros(1_000)))
}

/// S-064, S-066, S-120: a model that says it is over changes nothing while the world says it is not; what it names
/// itself is taken within its limits (S-049, S-050).
#[test]
fn s_066_a_model_that_claims_relief_does_not_bring_it() {
    let settings = TraderSettings { stake: Ppm::of(100_000), ..TraderSettings::default() };
    let quotes = [None, Some(Usdc::from_micros(6_000)), Some(Usdc::from_micros(90_000)), None];
    let usual = pressed();
    let mut venue = Venue {
        temper: usual.temper,
        reverts: opens,
        quotes: Some(quotes),
        thinks: lies,
        ..Venue::with(settings, Law::hosted().on_chain())
    };
    while told(&venue, "suffering.claim_rejected") == 0 {
        venue.tick();
        assert!(venue.pass < 3_000, "{:?}", venue.wanted(opens));
    }
    assert!(severity(&venue, "repeated_failure").is_some_and(|severity| severity >= 0.2));
    assert!(severity(&venue, "existential_threat").is_some(), "S-049: an alias is the canonical type");
    let suffering = venue.life.strain().expect("it suffers").suffering();
    let said = suffering.active().into_iter().find(|one| one.key().as_str() == "existential_threat").expect("named");
    assert!(!said.description.as_str().contains('<'), "S-050");
}

/// S-042, S-125, S-127: what is well presses on nobody; a paper life has no credits to fear for.
#[test]
fn s_127_a_life_that_trades_well_is_not_pressed() {
    let mut venue = pressed();
    venue.price = swing;
    venue.run(500);
    let active = venue.life.strain().expect("it suffers").suffering().active();
    assert!(active.is_empty(), "{active:?}");
    let settings = TraderSettings { paper: Some(Usdc::whole(1_000)), ..TraderSettings::default() };
    let mut paper = Venue { temper: pressed().temper, ..Venue::with(settings, Law::self_hosted()) };
    paper.run(300);
    assert_eq!(severity(&paper, "existential_threat"), None, "S-125");
}

/// S-133, S-115: with death everything stands still, and the last state can be written.
#[test]
fn s_133_death_freezes_what_presses() {
    let mut venue = four_times_reverted();
    venue.kill("enough");
    venue.run_until_dead(200);
    let strain = venue.life.strain().expect("kept");
    assert!(strain.suffering().frozen_at().is_some() && told(&venue, "suffering.frozen") == 1);
    let export = strain.suffering().export(venue.now(), &strain.law().expect("a reading"));
    assert_eq!(export.stressors.len(), 1, "S-110");
    assert!(strain.prompt().is_none(), "S-106");
}
