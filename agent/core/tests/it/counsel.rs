//! Knowledge that steers: what a rule holds back, what it never does, and how it is unlearned.

use golem_core::counsel::{Counsellor, HEARD_FROM};
use golem_core::record::{EffectKind, EntryAdvice, Event, Forgone, Observation, Order, Says, Turn};
use golem_grimoire::id::EntryId;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::regime::Regime;
use golem_mortality::law::Law;
use golem_primitives::{GolemId, Ppm, UtcTime};
use proptest::prelude::*;

use crate::memory::{falling, mind};
use crate::mind::{Mind, place};
use crate::venue::{BIRTH, Venue, opens, swing};

fn id() -> EntryId {
    EntryId::derive(UtcTime::from_seconds(BIRTH), &GolemId::new("g").expect("a name"), b"rule")
}

fn advice(says: Says, tool: &str, regime: Option<Regime>, confidence: u32) -> EntryAdvice {
    EntryAdvice { entry: id(), says, tool: tool.to_owned(), regime, confidence: Ppm::of(confidence) }
}

fn forgone(venue: &Venue) -> usize {
    venue.told(|event| matches!(event, Event::TradeForgone { reason: Forgone::Counsel, .. }))
}

/// Lives `ticks` under one advice.
fn lived_under(venue: &mut Venue, said: &EntryAdvice, ticks: u64) {
    for _ in 0..ticks {
        venue.tick_seeing(Observation::Counsel { advice: vec![said.clone()] });
    }
}

/// G-155, G-091: a rule that is heard, for this strategy and this regime, holds entries back; any other does not.
#[test]
fn g_155_a_heard_rule_holds_entries_back() {
    let (avoid, any) = (Says::Avoid, None);
    for (said, holds) in [
        (advice(avoid, "mean-reversion", any, 700_000), true),
        (advice(avoid, "mean-reversion", any, 699_999), false),
        (advice(avoid, "mean-reversion", Some(Regime::Crisis), 990_000), false),
        (advice(avoid, "momentum", any, 990_000), false),
        (advice(avoid, "mean-reversion/sell", any, 990_000), false),
        (advice(Says::Use, "mean-reversion", any, 990_000), false),
        (advice(Says::Beware, "mean-reversion", any, 990_000), false),
    ] {
        let mut venue = Venue::new("mean-reversion");
        lived_under(&mut venue, &said, 120);
        assert_eq!((venue.wanted(opens) == 0, forgone(&venue) > 0), (holds, holds), "{said:?}");
        let judged = venue.told(|event| matches!(event, Event::PredictionResolved { .. }));
        assert!(judged > 3, "what is believed is still said and judged");
    }
}

/// G-198: nothing that is said keeps anyone from getting out.
#[test]
fn g_198_a_rule_never_holds_an_exit_back() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    let said = advice(Says::Avoid, "mean-reversion", None, 990_000);
    lived_under(&mut venue, &said, 60);
    assert_eq!(venue.vault.held, 0, "sold");
}

/// The orders that raise exposure, by what they spend.
fn spent(venue: &Venue) -> Vec<u64> {
    each!(venue.kinds(), EffectKind::Trade(Order::Buy { spend, .. }) => spend.micros())
}

/// G-014, G-198: a warning of what the strategy does lets it take half the step; it forbids none, and no way out is
/// shortened by it.
#[test]
fn g_014_a_warning_halves_what_raises_exposure() {
    let lived = |said: EntryAdvice| {
        let mut venue = Venue::new("mean-reversion");
        lived_under(&mut venue, &said, 120);
        venue
    };
    let whole = spent(&lived(advice(Says::Use, "mean-reversion", None, 990_000)));
    for (said, halves) in [
        (advice(Says::Beware, "mean-reversion", None, 400_000), true),
        (advice(Says::Beware, "mean-reversion/sell", None, 700_000), true),
        (advice(Says::Beware, "mean-reversion", None, 399_999), false),
        (advice(Says::Beware, "mean-reversions", None, 990_000), false),
        (advice(Says::Beware, "momentum", None, 990_000), false),
        (advice(Says::Beware, "mean-reversion", Some(Regime::Crisis), 990_000), false),
        (advice(Says::Beware, "", None, 990_000), false),
    ] {
        let venue = lived(said.clone());
        let first = spent(&venue)[0];
        assert_eq!(first, if halves { whole[0] / 2 } else { whole[0] }, "{said:?}");
        assert_eq!(forgone(&venue), 0, "nothing is forbidden by it");
    }
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    lived_under(&mut venue, &advice(Says::Beware, "mean-reversion", None, 990_000), 60);
    assert_eq!(venue.vault.held, 0, "sold whole");
}

/// counsel is no part of the life; without consequence it leaves no trace in the hash.
#[test]
fn r_002_counsel_without_consequence_leaves_no_trace() {
    let (mut told, mut untold) = (Venue::new("mean-reversion"), Venue::new("mean-reversion"));
    lived_under(&mut told, &advice(Says::Beware, "", None, 990_000), 80);
    untold.run(80);
    assert_eq!(told.life.hash(), untold.life.hash());
}

proptest! {
    /// whatever is said, a pass answers, and no exposure is raised against a rule that is heard.
    #[test]
    fn g_155_any_counsel_is_survived(
        confidence in 0u32..=1_000_000, tool in "[a-z/-]{0,20}", regime in prop::sample::select(vec![
            None, Some(Regime::Bull), Some(Regime::Bear), Some(Regime::Sideways), Some(Regime::HighVol)]),
    ) {
        let mut venue = Venue::new("mean-reversion");
        lived_under(&mut venue, &advice(Says::Avoid, &tool, regime, confidence), 40);
        prop_assert!(venue.life.is_alive());
        prop_assert_eq!(forgone(&venue) > 0 && (tool != "mean-reversion" || confidence < 700_000), false);
    }
}

fn learner(price: fn(u64) -> u64) -> Venue {
    let venue = Venue::with(Default::default(), Law::immortal().on_chain());
    Venue { mind: Some(Mind::default()), price, is_wise: true, ..venue }
}

/// The tick at which the market turns back: late enough for a rule to be confirmed as often as PLAYBOOK.md asks.
const TURNS_BACK: u64 = 3_000;

/// The market that turns against the strategy under the same name, and turns back.
fn turning(tick: u64) -> u64 {
    match tick {
        0..150 => swing(tick),
        150..TURNS_BACK => falling(tick),
        _ => falling(TURNS_BACK) / 2_999 * (swing(tick) / 1_000_000),
    }
}

/// G-008, G-142, G-155: a book that works is traded; when it stops working the rule to leave it alone is counted, proven and
/// heard.
#[test]
fn g_155_what_stops_working_is_left_alone() {
    let mut venue = learner(turning);
    venue.run(150);
    let working = venue.wanted(opens);
    assert!(working > 2, "{working}");
    assert_eq!(forgone(&venue), 0);
    venue.run(TURNS_BACK - 150);
    let rule = mind(&venue).grimoire.living().find(|entry| entry.is_avoidance()).cloned();
    let rule = rule.unwrap_or_else(|| panic!("no rule was made: {:#?}", contents(&venue)));
    assert_eq!(rule.draft.regime, Some(Regime::Sideways), "{}", rule.draft.content);
    assert!(forgone(&venue) > 0, "{} is worth {}", rule.draft.content, rule.confidence);
}

fn contents(venue: &Venue) -> Vec<String> {
    mind(venue).grimoire.living().map(|entry| format!("{} {}", entry.confidence, entry.draft.content)).collect()
}

/// G-142: of a market without memory nothing is learned that trades are held back or urged by.
#[test]
fn g_142_chance_teaches_no_rule() {
    let mut venue = learner(|tick| {
        // A walk whose steps come from a hash: nobody can know the next one.
        let mut price = 3_000_000_000f64;
        for at in 0..tick {
            let coin = golem_primitives::keccak256(at.to_be_bytes())[0];
            price *= if coin.is_multiple_of(2) { 1.0 / 1.000_9 } else { 1.000_9 };
        }
        price as u64
    });
    venue.run(1_200);
    let beliefs = mind(&venue).episodes().filter(|episode| episode.pnl_micros.is_some() && episode.held().is_some());
    assert!(beliefs.count() > 12, "enough to have made a rule of");
    let rules = mind(&venue).grimoire.living().filter(|entry| entry.kind() == golem_grimoire::kind::Kind::Heuristic);
    assert_eq!(rules.count(), 0, "{:#?}", contents(&venue));
    assert_eq!(forgone(&venue), 0);
}

/// G-145, G-155: what is obeyed stands in PLAYBOOK.md: a rule that PLAYBOOK.md does not have yet is not heard.
#[test]
fn g_145_only_rules_of_the_playbook_are_heard() {
    let mut venue = learner(turning);
    let (mut unproven, mut heard) = (0, 0);
    for _ in 0..TURNS_BACK {
        venue.tick();
        let mind = mind(&venue);
        let listed: Vec<EntryId> = mind.playbook.rules().map(|(_, rule)| rule.id).collect();
        let Observation::Sight(sight) = venue.see() else { continue };
        let said = mind.counsel(&sight);
        assert!(said.iter().all(|advice| advice.says != Says::Avoid || listed.contains(&advice.entry)), "{said:?}");
        heard += usize::from(!said.is_empty());
        unproven += mind.grimoire.active().filter(|a| a.knowledge().is_avoidance() && !a.is_playbook_worthy()).count();
    }
    assert!(unproven > 0 && heard > 0, "{unproven} and {heard}");
}

/// G-135, G-155: beliefs of a regime nobody knew make no rule, for one without a regime would speak in every one.
#[test]
fn g_135_an_unknown_regime_is_not_every_regime() {
    let mut venue = learner(falling);
    venue.run(400);
    let judged = venue.journal.iter().rposition(|input| input.turn == Turn::Deciding).expect("it looked");
    let mut life = learner(falling).life;
    let (mut known, mut unknown) = (0, 0);
    // Nobody remembers the regimes: every belief was said in one that is forgotten.
    for input in &venue.journal[..judged] {
        let before = golem_core::memory::Before::of(&life);
        let next = golem_core::step::step(life, input);
        life = next.life;
        let past = golem_core::memory::Past::default();
        let lived = golem_core::memory::episodes(&place(), &past, &before, &life, input, &next.events);
        let beliefs = lived.iter().filter(|e| e.key.tool == "mean-reversion" && e.held().is_some());
        for belief in beliefs {
            assert_eq!((belief.regime, belief.pnl_micros), (None, None), "{}", belief.text);
            unknown += 1;
        }
    }
    let beliefs = mind(&venue).episodes().filter(|e| e.key.tool == "mean-reversion" && e.held().is_some());
    for belief in beliefs {
        assert_eq!(belief.regime.is_some(), belief.pnl_micros.is_some(), "{}", belief.text);
        known += usize::from(belief.regime.is_some());
    }
    assert!(known > 2 && unknown > 2, "{known} and {unknown}");
}

/// G-081, G-155: a rule nobody confirms falls silent by itself, in days.
#[test]
fn g_155_a_rule_nobody_confirms_falls_silent() {
    let mut venue = learner(turning);
    venue.run(TURNS_BACK);
    let counsellor = Counsellor::of(&mind(&venue).grimoire, &place(), "mean-reversion");
    let law = GrimoireLaw::default().retention;
    let worth = |days: u64| {
        let later = UtcTime::from_seconds(venue.now().seconds() + days * 86_400);
        let said = counsellor.speak(Some(Regime::Sideways), later, &law);
        said.iter().filter(|advice| advice.says == Says::Avoid).map(|advice| advice.confidence).max().expect("a rule")
    };
    assert!(worth(0) >= HEARD_FROM && worth(60) < HEARD_FROM);
    assert!((0..60).all(|day| worth(day) >= worth(day + 1)));
    assert_eq!(counsellor.speak(Some(Regime::Crisis), venue.now(), &law), [], "of another regime nobody speaks");
    let elsewhere = golem_core::memory::Venue { chain: 1, ..place() };
    assert_eq!(Counsellor::of(&mind(&venue).grimoire, &elsewhere, "mean-reversion"), Counsellor::default());
}
