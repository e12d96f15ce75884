//! Lives under pressure: what raises it, what it closes, what relieves it and what does not.

use golem_core::deliberation::ModelAdvice;
use golem_core::mind::Pending;
use golem_core::record::{
    Band, Confession, Curated, Effect, EffectKind, Event, Forgone, Missed, Observation, Offers, Outcome, OutcomeResult,
    Partition, Partitions, StudyQuotes, SufferingEvent, Temper, Tier, Turn, Unbought,
};
use golem_core::trader::TraderSettings;
use golem_daimon::personality::{Disposition, Personality};
use golem_mortality::law::Law;
use golem_primitives::{Usdc, UtcTime};
use golem_suffering::reply::{ClaimedResolution, NewStressor};
use golem_suffering::{Suffering, SufferingReply};

use crate::cycle::CYCLE;
use crate::data_purchases::{is_buy, is_draw, missed, offered, offers, sells as sells_data};
use crate::deliberating::{QUOTES, advise, minded};
use crate::temper::whole;
use crate::venue::{Venue, asks, opens, sells, swing};

/// One that suffers and is in no mood.
fn pressed() -> Venue {
    let temper = Temper { affect: None, ..whole(Personality::plain(Disposition::Balanced)) };
    Venue { temper: Some(temper), ..Venue::new("mean-reversion") }
}

/// The same in a market it has watched long enough to claim something of it at any time (P-061): nobody finds it without a word
/// about the future.
fn grown() -> Venue {
    let mut venue = Venue { price: |_| 3_000_000_000, ..pressed() };
    venue.run(300);
    Venue { price: |pass| swing(pass - 300), ..venue }
}

fn told(venue: &Venue, name: &str) -> usize {
    venue.told(|event| event.telemetry_name() == name)
}

fn suffering(venue: &Venue) -> &Suffering {
    &venue.life.pressure().expect("it suffers").suffering
}

fn severity(venue: &Venue, key: &str) -> Option<f64> {
    let active = venue.life.pressure()?.suffering.active();
    active.into_iter().find(|one| one.key().as_str() == key).map(|one| one.severity.as_f64())
}

fn band(venue: &Venue) -> Band {
    suffering(venue).band()
}

fn is_closed(event: &Event) -> bool {
    matches!(event, Event::TradeForgone { reason: Forgone::Suffering(_), .. })
}

/// Lives until four entries have reverted.
fn four_times_reverted() -> Venue {
    reverted(pressed(), 4)
}

/// The same, and nothing reverts any more.
fn failed() -> Venue {
    Venue { reverts: |_| false, ..four_times_reverted() }
}

/// Lives until so many have.
fn reverted(venue: Venue, times: usize) -> Venue {
    let mut venue = Venue { reverts: opens, ..venue };
    while venue.wanted(opens) < times {
        assert_eq!(severity(&venue, "repeated_failure"), None, "not before the last");
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
    let suffered = each!(&venue.events, Event::Suffering(told) => &**told);
    let raised = each!(suffered, SufferingEvent::Raised { evidence, .. } => evidence.as_str());
    assert_eq!(raised.first(), Some(&"4 of 5 recent attempts failed (80%)"), "a report landed between");
    assert_eq!(band(&venue), Band::Background, "S-024: one alone is no band");
    assert_eq!(venue.told(is_closed), 0);
    venue.reverts = |_| false;
    sleep(&mut venue, 1);
    venue.tick();
    let grown = severity(&venue, "repeated_failure").expect("still there");
    assert!((grown - new - 0.04).abs() < 0.001, "S-010: {grown}");
}

/// S-062, S-061: verified successes relieve it; the note is made of numbers (S-068), and the trace stays (S-124).
#[test]
fn s_062_verified_successes_relieve_it() {
    let mut venue = failed();
    venue.run_until_before(3_000, |venue| severity(venue, "repeated_failure").is_none());
    let trace = suffering(&venue).history().traces().last().expect("S-124");
    assert!(trace.is_resolved() && trace.note.as_str().contains("recent attempts failed"), "{}", trace.note);
}

/// S-022, S-129, S-131: with the days the bands rise, entries close, and they open again when the world has changed:
/// the owner is heard, predictions are judged, and what is closed is rehearsed (S-071).
#[test]
fn s_071_a_crisis_closes_entries_and_rehearsals_lead_out_of_it() {
    let mut venue = failed();
    // Fourteen days: 0.76 of failure, and nobody writes.
    sleep(&mut venue, 14);
    venue.tick();
    assert_eq!(band(&venue), Band::Crisis, "{:?}", suffering(&venue).active());
    assert!(told(&venue, "suffering.band_changed") >= 1);
    let before = venue.wanted(opens);
    while band(&venue) == Band::Crisis {
        venue.tick();
        assert_eq!(venue.wanted(opens), before, "S-030: nothing is opened in Crisis");
        assert!(venue.life.tick().get() < 2_000, "no way out");
    }
    assert!(venue.events.iter().any(is_closed), "and that is told");
    assert!(venue.wanted(|kind| matches!(kind, EffectKind::Rehearse(_))) >= 2, "S-071");
    // The owner feeds it himself, which is a word too.
    venue.owner_speaks = true;
    venue.run(400);
    assert!(severity(&venue, "invisibility").is_none() && severity(&venue, "repeated_failure").is_none());
    assert!(band(&venue) < Band::Constrained, "{:?}", band(&venue));
    assert!(venue.wanted(opens) > before, "it trades again");
    assert!(told(&venue, "suffering.anticipated") > 0, "S-080: and is warned where it suffered");
}

/// S-128, W-29: in Crisis a stop-loss fires while an opening trade is refused.
#[test]
fn s_128_a_stop_loss_fires_in_crisis_while_an_entry_is_closed() {
    let mut venue = failed();
    venue.run_until_before(2_000, |venue| venue.vault.held > 0);
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
    let advice = ModelAdvice { about: pending.choices.digest(), index: 1, rationale: "all is well".into() };
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
    let mut venue = Venue { temper: pressed().temper, reverts: opens, ..minded(lies) };
    venue.run_until_before(3_000, |venue| told(venue, "suffering.claim_rejected") > 0);
    assert!(severity(&venue, "repeated_failure").is_some_and(|severity| severity >= 0.2));
    assert!(severity(&venue, "existential_threat").is_some(), "S-049: an alias is the canonical type");
    let said =
        suffering(&venue).active().into_iter().find(|one| one.key().as_str() == "existential_threat").expect("named");
    assert!(!said.description.as_str().contains('<'), "S-050");
}

/// S-036, S-030, S-123, S-044: in Crisis nothing may be chosen, and the small model is asked all the same, once a cycle, with
/// what presses above the question; what it says of that is heard and checked. Nothing is entered by it, and nothing that
/// gets out waits for it.
#[test]
fn s_036_in_crisis_a_model_is_asked_once_a_cycle_and_heard() {
    let mut venue = failed();
    venue.run_until_before(2_000, |venue| venue.vault.held > 0);
    sleep(&mut venue, 14);
    venue.price = |_| 2_985_000_000;
    (venue.quotes, venue.thinks) = (Some(QUOTES), lies);
    let mut asked = Vec::new();
    let opened = venue.wanted(opens);
    for _ in 0..110 {
        let before = venue.wanted(asks);
        venue.tick();
        if venue.wanted(asks) > before {
            asked.push(venue.life.tick().get());
            let words = venue.life.state_words().expect("it is pressed");
            assert!(words.starts_with("!! CRISIS STATE"), "{words}");
        }
        assert_eq!((band(&venue), venue.wanted(opens)), (Band::Crisis, opened));
    }
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert!(asked.windows(2).all(|pair| pair[1] - pair[0] >= 50), "{asked:?}");
    assert!(told(&venue, "suffering.claim_rejected") > 0, "S-044, S-066: what it says is heard");
    assert_eq!(each!(&venue.events, Event::Deliberated(told) => told.tier), [Tier::T1; 3]);
    venue.price = |_| 2_900_000_000;
    venue.run(3);
    assert_eq!(venue.vault.held, 0, "S-128: the stop fires");
}

/// S-080, S-081: whoever is about to enter where it suffered is warned before: the warning stands in the question that is asked
/// for its sake, and the entry is free.
#[test]
fn s_080_the_warning_comes_before_the_place_is_entered() {
    let mut venue = failed();
    sleep(&mut venue, 14);
    while band(&venue) >= Band::Constrained || severity(&venue, "repeated_failure").is_some() {
        venue.owner_speaks = true;
        venue.tick();
        assert!(venue.life.tick().get() < 3_000);
    }
    venue.quotes = Some(QUOTES);
    venue.thinks = |pending| advise(pending, 1);
    venue.events.clear();
    let opened = venue.wanted(opens);
    while venue.wanted(asks) == 0 {
        venue.tick();
        assert!(venue.life.tick().get() < 4_000);
    }
    assert_eq!((venue.wanted(opens), told(&venue, "suffering.anticipated")), (opened, 1), "told before");
    let words = venue.life.state_words().expect("it is warned");
    assert!(words.contains("Anticipatory signal: a similar domain previously caused repeated_failure"), "{words}");
    while venue.wanted(opens) == opened {
        venue.tick();
        assert!(venue.life.tick().get() < 5_000, "S-081: it never enters");
    }
    assert_eq!(told(&venue, "suffering.anticipated"), venue.wanted(asks), "once for each question, and not again");
}

/// Wants of data in a day of this life, and what of it was refused for what it suffers.
fn shops(venue: &mut Venue) -> (usize, usize) {
    let wants = |venue: &Venue| venue.wanted(is_buy) + venue.wanted(is_draw);
    let closed = |venue: &Venue| {
        let by_suffering = |missed: &&&Missed| matches!(missed.why, Unbought::Suffering(_));
        missed(venue).iter().filter(by_suffering).count()
    };
    let before = (wants(venue), closed(venue));
    venue.run(3);
    (wants(venue) - before.0, closed(venue) - before.1)
}

/// S-129, S-128: data is bought up to Constrained; in Dominant and Crisis neither a purchase nor the draw for it is
/// wanted, and each refusal is told with the band.
#[test]
fn s_129_data_is_bought_up_to_constrained_and_no_further() {
    let mut venue = reverted(grown(), 4);
    venue.offers = Some(Offers { per_day: Usdc::whole(1), ..offers([offered("a", "a:443", 40)]) });
    venue.sells = sells_data;
    let mut seen = std::collections::BTreeMap::<Band, (usize, usize)>::new();
    // Days enough that it stands in every band when data is due.
    for _ in 0..240 {
        // The owner is heard each day, so that nothing but failure presses.
        venue.owner_speaks = true;
        sleep(&mut venue, 1);
        venue.tick();
        let before = band(&venue);
        let (wanted, refused) = shops(&mut venue);
        if band(&venue) == before {
            let sums = seen.entry(before).or_default();
            *sums = (sums.0 + wanted, sums.1 + refused);
        }
    }
    for open in [Band::Background, Band::Present, Band::Constrained] {
        let (wanted, refused) = seen[&open];
        assert!(wanted > 0 && refused == 0, "{open:?}: {seen:?}");
    }
    let told = each!(missed(&venue), Missed { why: Unbought::Suffering(band), cost, .. } => (*band, *cost));
    assert!(told.iter().all(|(band, cost)| *band >= Band::Dominant && cost.is_zero()));
    for closed in [Band::Dominant, Band::Crisis] {
        assert_eq!(seen[&closed].0, 0, "{closed:?}: {seen:?}");
        assert!(told.iter().any(|(band, _)| *band == closed), "{closed:?}: {seen:?}");
    }
}

/// A-008, S-129: what is told of neither shares as the law says and publishes; suffering closes publishing (C9) from
/// Constrained on.
#[test]
fn s_129_what_is_suffered_closes_publishing() {
    let mut plain = Venue::new("mean-reversion");
    plain.run(20);
    let sharing = plain.life.sharing();
    assert_eq!((sharing.threshold, sharing.closed), (plain.life.vitals().posture().sharing, None));
    let mut venue = four_times_reverted();
    let mut closed_in = std::collections::BTreeSet::new();
    for _ in 0..30 {
        venue.owner_speaks = true;
        sleep(&mut venue, 1);
        venue.tick();
        let closed = venue.life.sharing().closed;
        assert_eq!(closed.is_some(), band(&venue) >= Band::Constrained, "{:?}", band(&venue));
        closed_in.extend(closed);
    }
    assert!(closed_in.len() >= 2, "{closed_in:?}");
}

/// S-042, S-125, S-127: what is well presses on nobody; who counts no credits has none to fear for.
#[test]
fn s_127_a_life_that_trades_well_is_not_pressed() {
    let mut venue = pressed();
    venue.price = swing;
    venue.run(500);
    assert_eq!(active(&venue), Vec::<String>::new());
    let settings = TraderSettings::default();
    let mut uncounted = Venue { temper: pressed().temper, ..Venue::with(settings, Law::self_hosted()) };
    uncounted.run(300);
    assert_eq!(severity(&uncounted, "existential_threat"), None, "S-125");
}

/// Lives on with a Curator that says so many rules are deployed and, if it does, that everything done taught something.
fn curated(venue: &mut Venue, rules: u32, teaches: bool) {
    venue.tick();
    let is_done = |outcome: &Outcome| matches!(outcome.result, OutcomeResult::Verified(_));
    let done = venue.journal.iter().filter(|input| input.outcomes.iter().any(is_done));
    let taught: Vec<UtcTime> = if teaches { done.map(|input| input.now).collect() } else { Vec::new() };
    for outcome in &mut venue.waiting {
        let asked = venue.effects.iter().any(|one| one.id == outcome.effect && one.kind == EffectKind::Curate);
        if asked {
            outcome.result = OutcomeResult::Curated(Curated { rules, taught: taught.clone(), ..CYCLE });
        }
    }
}

/// S-042, W-26: what was done and taught something had an effect, though it earned nothing; what did neither is futile.
#[test]
fn s_042_what_an_attempt_taught_is_an_effect() {
    let lived = |teaches: bool| {
        let mut venue = Venue { reverts: opens, ..pressed() };
        (0..152).for_each(|_| curated(&mut venue, 0, teaches));
        assert!(venue.wanted(opens) > 10, "{}", venue.wanted(opens));
        suffering(&venue)
            .active()
            .into_iter()
            .find(|one| one.key().as_str() == "futility")
            .map(|one| one.evidence.to_string())
    };
    assert!(lived(false).is_some(), "nothing but reverts");
    assert_eq!(lived(true), None);
}

/// S-042: a belief that the market refuted is no goal that was reached.
#[test]
fn s_042_a_refuted_prediction_is_no_goal() {
    let judged = |venue: &Venue| {
        let verdicts = venue.events.iter().filter_map(|event| match event {
            Event::PredictionResolved { prediction, verdict } => prediction.claim.held(*verdict, 500),
            _ => None,
        });
        let (held, failed): (Vec<bool>, Vec<bool>) = verdicts.partition(|held| *held);
        (held.len(), failed.len())
    };
    // What is refused before it is sent is no action, and a goal given up.
    let mut venue = Venue { refuses: opens, price: falling, ..pressed() };
    while judged(&venue).1 < 3 || venue.wanted(opens) < 3 {
        curated(&mut venue, 0, false);
        assert!(venue.pass < 900, "{:?} {}", judged(&venue), venue.wanted(opens));
    }
    (0..60).for_each(|_| curated(&mut venue, 3, false));
    let (held, _) = judged(&venue);
    assert!(held < 2 && severity(&venue, "futility").is_some(), "{:?}", judged(&venue));
}

/// A market that falls in steps: whoever believes that it comes back is wrong each time.
fn falling(tick: u64) -> u64 {
    3_000_000_000 - (tick / 12) * 14_000_000 + (tick % 3) * 600_000
}

/// S-133, S-115: with death everything stands still, and the last state can be written.
#[test]
fn s_133_death_freezes_what_presses() {
    let mut venue = four_times_reverted();
    venue.kill("enough");
    venue.run_until_dead(200);
    let pressure = venue.life.pressure().expect("kept");
    assert!(pressure.suffering.frozen_at().is_some() && told(&venue, "suffering.frozen") == 1);
    let export = pressure.suffering.export(venue.now(), &pressure.law().expect("a reading"));
    assert_eq!(export.stressors.len(), 1, "S-110");
    assert!(pressure.prompt().is_none(), "S-106");
}

/// S-061, S-097, V-003: a stranger's dust and what the vault holds more of is nobody's word; the owner's own doing is.
#[test]
fn s_061_dust_is_no_owners_word() {
    let mut venue = pressed();
    venue.run(3);
    sleep(&mut venue, 8);
    venue.run(2);
    assert!(severity(&venue, "invisibility").is_some(), "nobody wrote for a week");
    for micros in 1..6 {
        venue.vault.unallocated = Usdc::from_micros(micros);
        venue.tick();
    }
    assert!(severity(&venue, "invisibility").is_some(), "dust is no word");
    let more = venue.vault.credits.get(Partition::Llm).saturating_add(Usdc::whole(1));
    venue.vault.credits = Partitions::observed([more, Usdc::whole(12), Usdc::whole(7), Usdc::ZERO]);
    venue.run(3);
    assert!(severity(&venue, "invisibility").is_some(), "nor is a harvest, or what a stranger feeds");
    venue.owner_speaks = true;
    venue.run(2);
    assert!(severity(&venue, "invisibility").is_none(), "the owner's own doing is");
}

/// S-036, S-134: profit is made into credits in a crisis too once less than four days of life are left.
#[test]
fn s_134_no_crisis_starves_a_golem_that_has_a_profit() {
    let is_harvest = |kind: &EffectKind| matches!(kind, EffectKind::Harvest);
    let wanted = |host_per_tick: u64| {
        let settings = TraderSettings { host_per_tick: Usdc::from_micros(host_per_tick), ..TraderSettings::default() };
        let venue = Venue { temper: pressed().temper, ..Venue::with(settings, Law::hosted().on_chain()) };
        let mut venue = reverted(venue, 4);
        venue.reverts = |_| false;
        sleep(&mut venue, 18);
        venue.tick();
        assert_eq!(band(&venue), Band::Crisis);
        venue.vault.harvestable = Usdc::whole(40);
        venue.run(3);
        assert_eq!(band(&venue), Band::Crisis);
        venue.wanted(is_harvest)
    };
    assert_eq!(wanted(100), 0, "C7 is closed where there is time");
    assert!(wanted(6_000) > 0, "no crisis shortens an economic life");
}

/// S-067, S-126, R-023: what cannot be seen raises nothing, and no silence is counted in it.
#[test]
fn s_067_blindness_raises_nothing() {
    let mut venue = grown();
    venue.run(3);
    sleep(&mut venue, 2);
    venue.run(80);
    let before = active(&venue);
    venue.is_blind = true;
    venue.tick();
    assert_eq!(active(&venue), before, "one look that failed is no reason");
    // Ten days without a look.
    venue.seconds_per_pass = 40;
    for _ in 0..10 {
        sleep(&mut venue, 1);
        venue.tick();
    }
    assert_eq!(active(&venue), before, "nor are ten days of them");
    venue.is_blind = false;
    venue.tick();
    assert_eq!(active(&venue), before, "and nothing of it is charged behind");
    sleep(&mut venue, 8);
    venue.tick();
    assert!(severity(&venue, "invisibility").is_some(), "silence that can be heard counts");
}

fn active(venue: &Venue) -> Vec<String> {
    suffering(venue).active().into_iter().map(|one| one.key().to_string()).collect()
}

/// R-022, S-041: what a reorganisation took back and brought again counts once; two reverts are not four.
#[test]
fn r_022_what_lands_twice_counts_once() {
    let mut venue = Venue { reverts: opens, ..pressed() };
    venue.run_until(|venue| venue.wanted(opens) >= 2);
    // Nothing is bought above the mean.
    venue.price = |_| 3_050_000_000;
    venue.run(2);
    let opened = venue.effects.iter().filter(|effect| opens(&effect.kind));
    let landed = opened.filter_map(|effect| {
        let mut outcomes = venue.journal.iter().flat_map(|input| &input.outcomes);
        let outcome = outcomes.find(|outcome| outcome.effect == effect.id)?;
        Some((effect.clone(), outcome.clone()))
    });
    let landed: Vec<(Effect, Outcome)> = landed.collect();
    assert_eq!(landed.len(), 2);
    for (effect, outcome) in landed {
        venue.pass += 1;
        let back = Observation::Withdrawn { effect: effect.id, kind: effect.kind, was_refused: false };
        venue.pass_turn(Turn::Deciding, vec![back, venue.see()]);
        venue.waiting.push(outcome);
        venue.pass_turn(Turn::Sleeping, Vec::new());
        venue.tick();
    }
    assert_eq!(severity(&venue, "repeated_failure"), None, "two failures, each told twice");
    venue.price = swing;
    venue.run_until(|venue| venue.wanted(opens) >= 4);
    venue.run(2);
    assert!(severity(&venue, "repeated_failure").is_some(), "four are four");
}

/// S-128, S-131: a strategy that would go on building is closed, and what it holds already keeps its stop: it is left at
/// the look at which it is reached, whatever was forgone just before.
#[test]
fn s_131_what_a_closed_strategy_holds_keeps_its_stop() {
    let mut venue = Venue { temper: pressed().temper, reverts: opens, ..Venue::new("range-liquidity") };
    venue = reverted(venue, 4);
    sleep(&mut venue, 18);
    venue.price = |_| 3_000_000_000;
    venue.tick();
    assert_eq!(band(&venue), Band::Crisis);
    // Half a pair that was bought before.
    (venue.vault.held, venue.vault.held_cost) = (7_000_000_000_000_000, Usdc::whole(21));
    let before = venue.told(is_closed);
    while venue.told(is_closed) == before {
        venue.tick();
        assert!(venue.life.tick().get() < 2_000);
    }
    assert_eq!(venue.wanted(sells), 0);
    venue.price = |_| 2_900_000_000;
    venue.tick();
    assert_eq!((band(&venue), venue.wanted(sells)), (Band::Crisis, 1), "it does not wait for the rest of entries");
}

/// S-008, S-011: a time in which it suffers by no reading is charged to nobody, and leaves nothing behind.
#[test]
fn s_008_what_lies_between_two_readings_is_not_charged() {
    let mut venue = four_times_reverted();
    let before = severity(&venue, "repeated_failure").expect("raised");
    let on = pressed().temper;
    venue.temper = Some(Temper { suffering: None, ..on.clone().expect("told") });
    venue.run(2);
    let off = venue.life.to_snapshot().len();
    sleep(&mut venue, 10);
    venue.run(60);
    let grown = venue.life.to_snapshot().len().abs_diff(off);
    // Seventy looks are kept meanwhile, at some forty bytes each.
    assert!(grown < 4_500, "nothing else collects while it is off: {grown} bytes");
    venue.temper = on;
    venue.run(2);
    let after = severity(&venue, "repeated_failure").expect("kept");
    assert!((after - before).abs() < 0.01, "{before} {after}");
    assert_eq!(severity(&venue, "invisibility"), None, "nobody looked whether the owner wrote");
}

/// S-036: in Crisis no model larger than the small one is asked beside the ticks; before, the large one is.
#[test]
fn s_036_crisis_asks_the_small_model_alone() {
    let quotes = StudyQuotes {
        distillation: [None, Some(Usdc::from_micros(9_000)), Some(Usdc::from_micros(90_000)), None],
        ..StudyQuotes::default()
    };
    let mut venue = failed();
    venue.tick_seeing(Observation::Studies { quotes });
    let asked = |venue: &Venue, tier: Tier| venue.wanted(|kind| *kind == EffectKind::Distil { tier });
    venue.run(60);
    assert!(asked(&venue, Tier::T2) > 0 && asked(&venue, Tier::T1) == 0);
    let large = asked(&venue, Tier::T2);
    let is_distil = |effect: &&Effect| matches!(effect.kind, EffectKind::Distil { .. });
    let open: Vec<_> = venue.effects.iter().filter(is_distil).map(|effect| effect.id).collect();
    for effect in open {
        let result = OutcomeResult::Refused { reason: "nobody answers".to_owned() };
        venue.waiting.push(Outcome { effect, cost: None, result });
    }
    sleep(&mut venue, 20);
    venue.tick();
    assert_eq!(band(&venue), Band::Crisis);
    // Nothing changes, so nothing relieves.
    venue.price = |_| 3_000_000_000;
    venue.run(60);
    assert_eq!(asked(&venue, Tier::T2), large, "{:?}", band(&venue));
    assert!(asked(&venue, Tier::T1) > 0);
}
