//! Lives that dream: when they do, what goes on meanwhile, and what wakes them.

use golem_core::dreaming::law::budget::{CORE_CYCLE, Target};
use golem_core::dreaming::law::integration::journal::{CycleEnding, EngineLabel};
use golem_core::dreaming::law::law::DreamLaw;
use golem_core::dreaming::law::words::{DreamPhase, ScheduleMode};
use golem_core::dreams::LifeDreams;
use golem_core::life::{Body, Life};
use golem_core::record::{
    Command, CostSource, CycleId, DreamCounts, DreamEvent, DreamTerms, DreamTier, DreamTrigger, Dreamt, Effect,
    EffectKind, Event, Observation, Outcome, OutcomeResult, Partitions, Phase, Recollection, Rest, StreamEvent, Temper,
    Turn, Wake, WakeSource,
};
use golem_core::step::step;
use golem_daimon::personality::{Disposition, Personality};
use golem_mortality::event::LawEvent;
use golem_primitives::{Ppm, Tick, Usdc};
use proptest::prelude::*;

use crate::temper::whole;
use crate::venue::{Venue, beats, opens, swing};

/// Dreams that are on: a tier, and by whom it is decided when.
pub(crate) fn terms(tier: DreamTier, mode: ScheduleMode) -> DreamTerms {
    let mut law = DreamLaw { enabled: true, tier, ..DreamLaw::default() };
    law.schedule.mode = mode;
    DreamTerms::new(&law, [None; 3], "ETH")
}

/// Memory that is full enough for every phase.
pub(crate) fn full(is_window_open: bool) -> Recollection {
    Recollection { episodes: 1_000, unreplayed: 0, is_window_open, ..Recollection::default() }
}

fn dreamer(tier: DreamTier, mode: ScheduleMode, is_window_open: bool) -> Venue {
    let (dreams, recalls) = (Some(terms(tier, mode)), Some(full(is_window_open)));
    Venue { dreams, recalls, ..Venue::new("mean-reversion") }
}

/// A full dreamer whose window is open, asleep.
pub(crate) fn asleep() -> Venue {
    let mut venue = dreamer(DreamTier::Hardened, ScheduleMode::Owner, false);
    venue.run(40);
    venue.recalls = Some(full(true));
    venue.run_until_asleep();
    assert!(matches!(venue.life.body(), Body::Dreaming(_)), "D-187");
    venue
}

pub(crate) fn record(effect: &Effect, ending: CycleEnding) -> Dreamt {
    let EffectKind::Dream { cycle, trigger, tier } = effect.kind else { panic!("no dream") };
    Dreamt {
        cycle,
        trigger,
        tier,
        engine: EngineLabel::Rules,
        ending,
        calls: 0,
        wasted: Usdc::ZERO,
        duration_ticks: 3,
        counts: DreamCounts { replayed: 5, admitted: 1, ..DreamCounts::default() },
        rules: Vec::new(),
        playbook_version: None,
        quality: Some(Ppm::of(500_000)),
        mood: None,
    }
}

/// Ends every dream that is dreamt, for so much.
pub(crate) fn end(venue: &mut Venue, cost: impl Fn(&Effect) -> Usdc) {
    for effect in std::mem::take(&mut venue.dreaming) {
        let result = OutcomeResult::Dreamt(Box::new(record(&effect, CycleEnding::Complete)));
        venue.waiting.push(Outcome { effect: effect.id, cost: Some((CostSource::Dream, cost(&effect))), result });
    }
}

fn dreams_of(venue: &Venue) -> Vec<(DreamTrigger, Usdc)> {
    each!(&venue.effects, Effect { kind: EffectKind::Dream { trigger, .. }, budget, .. } => (*trigger, *budget))
}

/// By what the dream that it dreams was told to end.
fn woken(venue: &Venue) -> Option<WakeSource> {
    venue.life.dreams()?.sleeper()?.wake.as_ref().map(|wake| wake.source)
}

/// One that fell asleep over a position.
fn asleep_over_a_position(mut venue: Venue) -> Venue {
    venue.run_until_it_holds();
    venue.tick();
    venue.recalls = Some(full(true));
    venue.run_until_asleep();
    assert!(venue.vault.held > 0, "it fell asleep over a position");
    venue
}

fn leaves(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Trade(order) if !order.raises_exposure())
}

/// D-215, R-002: who is told of nothing is written as ever; who is told that dreams are off does exactly the same.
#[test]
fn d_215_dreams_that_are_off_change_nothing() {
    let mut plain = Venue::new("mean-reversion");
    let mut off = dreamer(DreamTier::Hardened, ScheduleMode::Hybrid, true);
    if let Some(terms) = &mut off.dreams {
        terms.law.enabled = false;
    }
    plain.run(200);
    off.run(200);
    assert_eq!((&plain.effects, &plain.events), (&off.effects, &off.events));
    assert!(plain.life.has_heard_of_dreams(&off.life.dreams().expect("told").terms.clone()), "off is what it knew");
    off.command(Command::Sleep);
    assert!(matches!(off.life.body(), Body::Dreaming(_)), "and a command is obeyed as it was");
}

/// D-215, D-017: whoever turns dreams off over a sleeping Golem has it awake in the same pass: it reports and gets out of
/// what falls as before, whether or not its dream ever ends.
#[test]
fn d_215_turned_off_in_a_dream_it_is_awake_at_once() {
    let mut venue = asleep_over_a_position(dreamer(DreamTier::Hardened, ScheduleMode::Owner, false));
    let mut off = terms(DreamTier::Hardened, ScheduleMode::Owner);
    off.law.enabled = false;
    venue.dreams = Some(off);
    venue.tick();
    assert!(matches!(venue.life.body(), Body::Active(_)));
    assert_eq!(woken(&venue), Some(WakeSource::Owner), "its dream is told to end");
    let before = venue.wanted(leaves);
    venue.price = |pass| swing(30).saturating_sub(pass * 2_000_000);
    venue.run(20);
    assert!(venue.wanted(leaves) > before, "it got out");
    end(&mut venue, |_| Usdc::ZERO);
    venue.run(2);
    assert!(matches!(venue.life.body(), Body::Active(_)) && venue.life.dreams().expect("told").sleeper().is_none());
}

/// M-135, D-012: dreams take the phase's share of what thinking had this month, however many they are.
#[test]
fn m_135_all_dreams_of_a_month_share_one_tenth() {
    let mut venue = dreamer(DreamTier::Hardened, ScheduleMode::Owner, false);
    venue.vault.credits = Partitions::observed([2, 5, 3, 0].map(Usdc::whole));
    venue.run(40);
    venue.recalls = Some(full(true));
    let mut granted = Usdc::ZERO;
    for _ in 0..60 {
        granted = granted.max(venue.dreaming.iter().map(|effect| effect.budget).sum());
        end(&mut venue, |effect| effect.budget);
        venue.tick();
    }
    let spent = venue.life.dreams().expect("a dreamer").state.ledger.month;
    assert!(!granted.is_zero(), "it dreams");
    assert!(spent <= Usdc::from_micros(200_000), "{spent} of 2 USDC");
}

/// D-016, D-017, D-185, D-226: an open window puts a full dreamer to sleep; with its outcome it is awake, and while the
/// window and the money last it dreams again.
#[test]
fn d_017_a_window_suspends_the_heartbeat_until_the_dream_is_over() {
    let mut venue = asleep();
    let (trigger, grant) = dreams_of(&venue)[0];
    assert_eq!((trigger, grant), (DreamTrigger::Window, Usdc::from_micros(500_000)));
    assert!(venue.life.dreams().expect("a dreamer").is_suspended());
    let said = venue.events.len();
    venue.run(10);
    let registered = |event: &Event| matches!(event, Event::PredictionRegistered(_));
    assert!(!venue.events[said..].iter().any(registered), "D-192: no probes");
    assert_eq!(dreams_of(&venue).len(), 1, "one at a time");
    end(&mut venue, |_| Usdc::from_micros(120_000));
    venue.tick();
    let state = &venue.life.dreams().expect("a dreamer").state;
    assert_eq!(state.ledger.month, Usdc::from_micros(120_000));
    let stream = |like: fn(&StreamEvent) -> bool| {
        venue.events.iter().any(|event| matches!(event, Event::DreamStream(told) if like(told)))
    };
    assert!(stream(|told| matches!(told, StreamEvent::DreamComplete { insights_found: 1, .. })), "D-226");
    assert!(venue.events.contains(&Event::Woke));
    assert_eq!(dreams_of(&venue).len(), 2, "the window is still open");
}

/// D-225: how a dream ended is told in its numbers, each under its own name.
#[test]
fn d_225_a_dream_that_came_through_is_told_in_its_numbers() {
    let mut venue = asleep();
    let effect = venue.dreaming.pop().expect("a dream");
    let counts = DreamCounts {
        replayed: 7,
        counterfactuals: 6,
        hypotheses: 5,
        threats: 4,
        depotentiated: 3,
        admitted: 2,
        refused: 8,
        edits: 1,
    };
    let dreamt = Dreamt { counts, ..record(&effect, CycleEnding::Complete) };
    let cycle_id = dreamt.cycle;
    let result = OutcomeResult::Dreamt(Box::new(dreamt));
    venue.waiting.push(Outcome { effect: effect.id, cost: None, result });
    venue.tick();
    let told = each!(&venue.events, Event::Dream(told) => &**told);
    let told = each!(told, complete @ DreamEvent::DreamComplete { .. } => complete);
    let expected = DreamEvent::DreamComplete {
        cycle_id,
        episodes_replayed: 7,
        counterfactuals_generated: 6,
        insights_crystallized: 2,
        heuristics_proposed: 0,
        episodes_depotentiated: 3,
        playbook_edits: 1,
    };
    assert_eq!(told, [&expected]);
}

/// D-017, D-192: a dream stops no stop-loss. Nothing is entered, and what falls is left as if awake; reports and rent go on.
#[test]
fn d_192_a_stop_loss_fires_in_a_dream() {
    let mut venue = dreamer(DreamTier::Hardened, ScheduleMode::Owner, false);
    // Wakes by nothing but the owner.
    if let Some(terms) = &mut venue.dreams {
        terms.law.wake.enabled = false;
    }
    let mut venue = asleep_over_a_position(venue);
    // From here on the price only falls.
    venue.price = |pass| swing(30).saturating_sub(pass * 2_000_000);
    let (before, buys) = (venue.wanted(leaves), venue.wanted(opens));
    venue.run(20);
    assert!(matches!(venue.life.body(), Body::Dreaming(_)), "still dreaming");
    assert!(venue.wanted(leaves) > before && venue.vault.held == 0, "it got out");
    assert_eq!(venue.wanted(opens), buys, "and entered nothing");
}

/// L-025, D-017: a dreaming Golem goes on reporting.
#[test]
fn d_017_reports_go_on_in_a_dream() {
    let mut venue = asleep();
    let before = venue.wanted(beats);
    // Six hours go by between two looks.
    venue.pass += 540;
    venue.tick();
    assert!(matches!(venue.life.body(), Body::Dreaming(_)));
    assert_eq!(venue.wanted(beats), before + 1);
}

/// D-011: a lightweight dream runs behind a waking Golem, which trades meanwhile.
#[test]
fn d_011_a_lightweight_dream_suspends_nothing() {
    let mut venue = dreamer(DreamTier::Core, ScheduleMode::Hybrid, false);
    venue.run(60);
    let (trigger, grant) = dreams_of(&venue)[0];
    assert_eq!((trigger, grant), (DreamTrigger::Interval, CORE_CYCLE));
    assert!(matches!(venue.life.body(), Body::Active(_)));
    let before = venue.wanted(opens);
    venue.run(40);
    assert!(venue.wanted(opens) > before, "it trades on");
    end(&mut venue, |_| Usdc::ZERO);
    venue.run(2);
    assert!(venue.life.dreams().expect("a dreamer").sleeper().is_none());
}

/// D-019, DG-23: an owner's word goes through the gate and is answered, with a dream or with what stands against it.
#[test]
fn d_019_an_owner_who_asks_for_a_dream_is_answered() {
    let mut venue = dreamer(DreamTier::Hardened, ScheduleMode::Autonomous, false);
    venue.recalls = Some(Recollection { episodes: 3, ..Recollection::default() });
    venue.run(30);
    venue.command(Command::Sleep);
    venue.tick_rest();
    assert!(matches!(venue.life.body(), Body::Active(_)), "no command goes past the gate");
    let refused = |event: &Event| matches!(event, Event::Dream(told) if matches!(&**told, DreamEvent::DreamRefused { trigger: DreamTrigger::Owner, because } if !because.is_empty()));
    assert_eq!(venue.told(refused), 1);
    venue.recalls = Some(full(false));
    // A trade on its way is one of the four preconditions (D-026): asked until nothing is.
    for _ in 0..20 {
        if !venue.dreaming.is_empty() {
            break;
        }
        venue.command(Command::Sleep);
        venue.tick_rest();
    }
    assert_eq!(dreams_of(&venue).last().map(|(trigger, _)| *trigger), Some(DreamTrigger::Owner));
    assert!(matches!(venue.life.body(), Body::Dreaming(_)));
    venue.command(Command::Wake);
    assert_eq!(woken(&venue), Some(WakeSource::Owner), "D-193");
    assert!(matches!(venue.life.body(), Body::Active(_)), "awake at once");
    venue.tick_rest();
    venue.command(Command::Sleep);
    venue.tick_rest();
    assert!(venue.events.contains(&Event::DreamDeclined { why: Rest::NotWaking }), "its last dream is not yet over");
}

/// D-193: a sibling's critical alert wakes; what came first is the reason.
#[test]
fn d_193_an_alert_wakes_and_the_first_reason_stays() {
    let mut venue = asleep();
    let effect = venue.dreaming[0].id;
    venue.pass += 1;
    let wake = |source, reason: &str| {
        let at = venue.now();
        Observation::Roused(Box::new(Wake { source, reason: reason.to_owned(), at }))
    };
    let long = "x".repeat(10_000);
    let seen = vec![venue.see(), wake(WakeSource::CladeAlert, &long), wake(WakeSource::Owner, "later")];
    venue.pass_turn(Turn::Deciding, seen);
    let told = venue.life.dreams().and_then(|dreams| dreams.wake_of(effect)).expect("woken");
    assert_eq!((told.source, told.reason.len()), (WakeSource::CladeAlert, 160), "what others say is bounded");
    assert!(matches!(venue.life.body(), Body::Active(_)));
    assert_eq!(venue.told(|event| matches!(event, Event::DreamRoused(_))), 1);
}

/// D-194, D-196: ETH moving by a tenth within five minutes wakes, in the look that shows it; a little less does not.
#[test]
fn d_194_the_market_wakes_by_the_owners_threshold() {
    for wakes in [false, true] {
        let mut venue = asleep();
        // Past the edge of sleep, where 5% wake (C29).
        venue.run(4);
        venue.price = if wakes { |pass| swing(pass) * 88 / 100 } else { |pass| swing(pass) * 92 / 100 };
        venue.tick();
        assert_eq!(woken(&venue), wakes.then_some(WakeSource::Market));
    }
}

/// D-194, D-237: a fall is seen over all of the owner's time, however many looks that is: a tenth within a day wakes though
/// it takes more looks than are kept.
#[test]
fn d_194_a_slow_fall_wakes_too() {
    let mut venue = dreamer(DreamTier::Hardened, ScheduleMode::Owner, false);
    if let Some(terms) = &mut venue.dreams {
        terms.law.wake.thresholds[0].within = std::time::Duration::from_secs(86_400);
    }
    venue.price = |_| 3_000_000_000;
    venue.run(40);
    venue.recalls = Some(full(true));
    venue.run_until_asleep();
    venue.price = |pass| 3_000_000_000 - pass.saturating_sub(41).min(110) * 4_500_000;
    let fell = venue.pass;
    venue.run_until(|venue| !venue.life.dreams().is_some_and(LifeDreams::is_suspended));
    let looks = venue.pass - fell;
    assert_eq!(woken(&venue), Some(WakeSource::Market), "after {looks} looks");
    assert!(looks > 64, "{looks}");
}

/// D-067, C29: at the edge of sleep five percent are enough.
#[test]
fn d_067_the_edge_of_sleep_wakes_sooner() {
    let mut venue = asleep();
    venue.price = |pass| swing(pass) * 94 / 100;
    venue.tick();
    assert_eq!(woken(&venue), Some(WakeSource::Alarm));
}

/// D-190: death takes a dreamer at once, tells its dream to end, and waits for nobody.
#[test]
fn d_190_death_waits_for_no_dream() {
    let mut venue = asleep();
    let effect = venue.dreaming[0].id;
    venue.kill("enough");
    venue.tick();
    assert!(!venue.life.is_alive());
    let wake = venue.life.dreams().and_then(|dreams| dreams.wake_of(effect));
    assert_eq!(wake.map(|wake| wake.source), Some(WakeSource::Death));
    venue.run_until_dead(200);
    assert_eq!(venue.dreaming.len(), 1, "it was never answered");
    let dying = |event: &Event| matches!(event, Event::DreamStream(told) if matches!(**told, StreamEvent::ModeChange { mode: golem_core::dreaming::law::words::GolemMode::Dying, .. }));
    assert_eq!(venue.told(dying), 1, "D-226");
}

/// D-175, D-199: a dream that death cut off is paid and told.
#[test]
fn d_175_a_dream_that_death_cut_off_is_paid() {
    let mut venue = asleep();
    venue.kill("enough");
    venue.tick();
    let effect = venue.dreaming.pop().expect("a dream");
    let at = venue.now();
    let wake = Wake { source: WakeSource::Death, reason: "death has begun".to_owned(), at };
    let result =
        OutcomeResult::Dreamt(Box::new(record(&effect, CycleEnding::Interrupted { phase: DreamPhase::Nrem, wake })));
    let cost = Some((CostSource::Dream, Usdc::from_micros(40_000)));
    venue.waiting.push(Outcome { effect: effect.id, cost, result });
    venue.run_until_dead(200);
    let state = &venue.life.dreams().expect("a dreamer").state;
    assert_eq!(state.ledger.month, Usdc::from_micros(40_000));
    assert!(venue.events.iter().any(|event| matches!(event, Event::Dreamt { .. })));
}

/// A dream nobody answers for is told to end, and the Golem lives on at once.
#[test]
fn d_197_a_dream_that_takes_too_long_is_over_for_the_life() {
    let mut venue = asleep();
    let aimed = Target::of(venue.phase()).ticks.1;
    venue.run(2 * aimed - 1);
    assert!(matches!(venue.life.body(), Body::Dreaming(_)), "twice what it aims at is a dream's");
    venue.run(3);
    assert!(matches!(venue.life.body(), Body::Active(_)));
    assert_eq!(woken(&venue), Some(WakeSource::Alarm));
    assert_eq!(dreams_of(&venue).len(), 1, "a second one waits until the first is over");
}

/// D-024: who has little left to think with does not dream, and is told so once.
#[test]
fn d_024_a_poor_partition_suppresses_dreams() {
    let mut venue = dreamer(DreamTier::Core, ScheduleMode::Hybrid, false);
    venue.set_credits([1_000_000, 30_000_000, 15_000_000, 0]);
    venue.run(160);
    assert_eq!(dreams_of(&venue), []);
    let refused =
        |event: &Event| matches!(event, Event::Dream(told) if matches!(**told, DreamEvent::DreamRefused { .. }));
    assert!(venue.events.iter().any(refused), "DG-23");
}

/// Falls into Terminal that were told.
fn falls(venue: &Venue) -> usize {
    let mortal = each!(&venue.events, Event::Mortality(told) => told);
    mortal.iter().filter(|told| matches!(told, LawEvent::PhaseTransition { to_phase: Phase::Terminal, .. })).count()
}

/// Takes nearly everything from a Golem and lets it live on until it is Terminal, and no longer.
fn impoverish(venue: &mut Venue) {
    venue.set_credits([600_000, 20_000, 20_000, 0]);
    for _ in 0..200 {
        if venue.phase() == Phase::Terminal {
            break;
        }
        venue.tick();
    }
    assert_eq!((venue.life.is_alive(), venue.phase()), (true, Phase::Terminal));
}

/// What the dreams on the edge into Terminal may cost, one for each.
fn last_dreams(venue: &Venue) -> Vec<Usdc> {
    each!(dreams_of(venue), (DreamTrigger::Emergency, budget) => budget)
}

/// D-020, C3: on the edge into Terminal one dream is dreamt, by rules and for nothing, through the one function; who falls
/// again has had it, and the effect of lives that do not dream is not wanted.
#[test]
fn d_020_terminal_brings_one_last_dream() {
    let mut venue = dreamer(DreamTier::Core, ScheduleMode::Owner, false);
    venue.run(40);
    let rich = venue.vault.credits;
    for fall in 1..=2 {
        impoverish(&mut venue);
        assert_eq!(falls(&venue), fall, "it is Terminal, and was told so once");
        for _ in 0..20 {
            end(&mut venue, |_| Usdc::ZERO);
            venue.tick();
        }
        assert!(venue.life.is_alive());
        assert_eq!(last_dreams(&venue), [Usdc::ZERO], "once, however often it falls");
        venue.vault.credits = rich;
        venue.run(20);
        assert!(venue.phase() > Phase::Terminal, "fed, it lives on");
    }
    assert_eq!(venue.wanted(|kind| matches!(kind, EffectKind::EmergencyDream)), 0);
}

/// M-009: of two that lived the same one has next to nothing left. How near its end is reaches what it remembers, what it is told
/// of itself, which model it may ask, what it enters, what it reports, what it gives away, what it dreams and what it feels.
#[test]
fn m_009_how_near_its_end_is_reaches_every_room() {
    let raised = || {
        let temper = Temper { suffering: None, ..whole(Personality::plain(Disposition::Eros)) };
        let mut venue = Venue { temper: Some(temper), ..dreamer(DreamTier::Core, ScheduleMode::Owner, false) };
        venue.run(41);
        venue
    };
    let (mut rich, mut poor) = (raised(), raised());
    assert_eq!(rich.life.hash(), poor.life.hash(), "so far they lived the same");
    impoverish(&mut poor);
    let entered = poor.wanted(opens);
    for venue in [&mut rich, &mut poor] {
        venue.run_until(|venue| venue.life.tick() >= Tick::new(50));
    }
    assert!(rich.life.vitals().phase() >= Phase::Stable, "{}", rich.life.vitals().phase());
    let curated = |venue: &Venue| venue.wanted(|kind| *kind == EffectKind::Curate);
    assert_eq!((curated(&rich), curated(&poor)), (1, 0), "memory");
    let words = |venue: &Venue| venue.life.state_words().expect("it feels");
    let named = format!("({})", Phase::Terminal);
    assert!(words(&poor).contains(&named) && !words(&rich).contains(&named), "context: {}", words(&poor));
    let ceiling = |venue: &Venue| venue.life.vitals().posture().ceiling;
    assert!(ceiling(&poor) < ceiling(&rich), "inference");
    assert_eq!(poor.vault.reported_phase, Phase::Terminal, "identity");
    assert!(rich.vault.reported_phase > Phase::Terminal, "identity");
    assert!(poor.life.sharing().threshold < rich.life.sharing().threshold, "coordination");
    assert_eq!((last_dreams(&rich).len(), last_dreams(&poor).len()), (0, 1), "dreams");
    let mood = |venue: &Venue| venue.life.affect().expect("it feels").own_mood();
    assert_ne!(mood(&rich), mood(&poor), "affect");
    poor.run(30);
    assert_eq!(poor.wanted(opens), entered, "safety: it enters nothing any more");
    let before = rich.wanted(opens);
    rich.run(600);
    assert!(rich.wanted(opens) > before, "and who is far from its end does");
}

/// whoever is Terminal dreams the one dream of its edge and no other, though a window is open and its owner asks; what
/// it dreamt when it became so is told to end in that pass, and in the next it is awake.
#[test]
fn a_118_terminal_dreams_no_more() {
    let mut venue = asleep();
    let effect = venue.dreaming[0].id;
    impoverish(&mut venue);
    let wake = venue.life.dreams().and_then(|dreams| dreams.wake_of(effect)).cloned();
    assert_eq!(wake.map(|wake| wake.source), Some(WakeSource::Death), "its dream is told to end");
    venue.tick();
    assert!(!matches!(venue.life.body(), Body::Dreaming(_)), "and it is awake");
    for _ in 0..40 {
        end(&mut venue, |_| Usdc::ZERO);
        venue.command(Command::Sleep);
        venue.tick_rest();
        venue.tick();
    }
    assert_eq!((venue.life.is_alive(), venue.phase()), (true, Phase::Terminal));
    let dreams = dreams_of(&venue);
    assert_eq!(dreams[0].0, DreamTrigger::Window);
    assert_eq!(dreams[1..], [(DreamTrigger::Emergency, Usdc::ZERO)]);
}

/// a death trigger in a dream ends it in the pass that sees it, and no other is dreamt.
#[test]
fn a_118_a_death_trigger_ends_a_dream_at_once() {
    let mut venue = asleep();
    let said = venue.events.len();
    venue.kill("enough");
    venue.pass += 1;
    venue.pass_turn(Turn::Deciding, vec![venue.see()]);
    assert!(!venue.life.is_alive(), "in one pass");
    let roused = |event: &&Event| matches!(event, Event::DreamRoused(wake) if wake.source == WakeSource::Death);
    assert_eq!(venue.events[said..].iter().filter(roused).count(), 1);
    end(&mut venue, |_| Usdc::ZERO);
    venue.run_until_dead(200);
    assert_eq!(dreams_of(&venue).len(), 1);
}

impl Venue {
    /// The end of a tick whose first half a command was.
    fn tick_rest(&mut self) {
        if self.life.next_pass().1 == Turn::Sleeping {
            self.end_tick();
        }
    }
}

/// What a test does with a dreamer between two ticks.
#[derive(Debug, Clone, Copy)]
enum Doing {
    Tick,
    End(u64),
    Fall,
    Window(bool),
    Urge(u32),
    Ask,
    Wake,
    Turn(bool),
}

fn doing() -> impl Strategy<Value = Doing> {
    prop_oneof![
        8 => Just(Doing::Tick),
        4 => (0u64..=600_000).prop_map(Doing::End),
        1 => Just(Doing::Fall),
        2 => any::<bool>().prop_map(Doing::Window),
        2 => (0u32..=1_000_000).prop_map(Doing::Urge),
        1 => Just(Doing::Ask),
        1 => Just(Doing::Wake),
        1 => any::<bool>().prop_map(Doing::Turn),
    ]
}

fn act(venue: &mut Venue, doing: Doing) {
    match doing {
        Doing::Tick => {}
        Doing::End(micros) => end(venue, |effect| Usdc::from_micros(micros).min(effect.budget)),
        Doing::Fall => venue.price = |pass| swing(pass) * 80 / 100,
        Doing::Window(is_window_open) => venue.recalls = Some(Recollection { is_window_open, ..full(false) }),
        Doing::Urge(surprise) => {
            let surprises = vec![Ppm::of(surprise); 20];
            let arousal = Ppm::of(surprise);
            venue.recalls = Some(Recollection { unreplayed: 900, surprises, arousal, ..full(false) });
        }
        // With dreams off it is the older word, which puts it to sleep at once (D-215).
        Doing::Ask if !venue.life.dreams().is_some_and(LifeDreams::is_on) => {}
        Doing::Ask => {
            venue.command(Command::Sleep);
            venue.tick_rest();
        }
        Doing::Wake => {
            venue.command(Command::Wake);
            venue.tick_rest();
        }
        Doing::Turn(is_on) => {
            let told = venue.life.dreams().map(|dreams| dreams.terms.clone());
            venue.dreams = venue.dreams.take().or(told).map(|mut terms| {
                terms.law.enabled = is_on;
                terms
            });
        }
    }
    venue.tick();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// D-015, D-199: whatever happens in whatever order, there is never a second dream, what was granted and paid stays
    /// within the month, and a body sleeps only over a dream.
    #[test]
    fn d_199_dreams_are_one_at_a_time_and_within_the_month(
        acts in prop::collection::vec(doing(), 40..160),
        is_full in any::<bool>(),
        month in 100_000u64..3_000_000,
    ) {
        let tier = if is_full { DreamTier::Hardened } else { DreamTier::Core };
        let mut venue = dreamer(tier, ScheduleMode::Hybrid, false);
        if let Some(terms) = &mut venue.dreams {
            terms.law.caps.per_month = Usdc::from_micros(month);
        }
        let mut paid = Usdc::ZERO;
        for doing in acts {
            act(&mut venue, doing);
            prop_assert!(venue.dreaming.len() <= 1, "never two");
            if matches!(venue.life.body(), Body::Dreaming(_)) {
                prop_assert!(venue.life.dreams().is_some_and(|dreams| dreams.is_suspended()));
            }
            paid = venue.life.dreams().map_or(Usdc::ZERO, |dreams| dreams.state.ledger.month);
            let open: Usdc = venue.dreaming.iter().map(|effect| effect.budget).sum();
            prop_assert!(paid.saturating_add(open) <= Usdc::from_micros(month), "{paid} and {open} of {month}");
        }
        prop_assert!(paid <= Usdc::from_micros(month));
    }

    /// R-002, D-193: a dreaming life cut at any pass and taken up from its snapshot ends in the same hash.
    #[test]
    fn d_193_a_dreamer_cut_at_any_pass_ends_the_same(acts in prop::collection::vec(doing(), 20..60), cut in 0usize..200) {
        let mut venue = dreamer(DreamTier::Hardened, ScheduleMode::Hybrid, true);
        let born = venue.life.clone();
        acts.into_iter().for_each(|doing| act(&mut venue, doing));
        let mut life = born;
        for (at, input) in venue.journal.iter().enumerate() {
            if at == cut % venue.journal.len() {
                life = Life::from_snapshot(&life.to_snapshot()).expect("a life");
            }
            life = step(life, input).life;
        }
        prop_assert_eq!(life.hash(), venue.life.hash());
    }
}

/// D-019: a cycle has a number of its own, counted in the life.
#[test]
fn d_188_cycles_are_counted_in_the_life() {
    let mut venue = dreamer(DreamTier::Core, ScheduleMode::Owner, false);
    for _ in 0..200 {
        end(&mut venue, |_| Usdc::ZERO);
        venue.tick();
    }
    let cycles = each!(venue.kinds(), EffectKind::Dream { cycle, .. } => cycle);
    assert_eq!(cycles, (1..=4).map(CycleId).collect::<Vec<_>>());
}
