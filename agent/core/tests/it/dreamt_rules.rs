//! What dreams make of rules: searched in the record, rehearsed, turned round, and judged by waking looks.

use std::collections::BTreeMap;

use golem_core::dreaming::law::integration::journal::CycleEnding;
use golem_core::dreaming::law::urgency::threshold;
use golem_core::dreaming::law::words::{DreamPhase, ScheduleMode};
use golem_core::record::{
    DreamTier, Event, Outcome, OutcomeResult, Phase, PoolAccess, Searcher, TokenReading, Wake, WakeSource,
};
use golem_core::trader::{Foundation, TraderSettings};
use golem_mortality::law::Law;
use golem_playbook::promotion::{Founding, Standing};
use golem_primitives::{Denomination, Ppm};

use crate::dreams::{asleep, full, record, terms};
use crate::venue::{Beside, Venue, dips};

/// A Golem with one rule that never wakes, in a market that dips and comes back, which has seen enough of it to find that.
/// It dreams when it is told to; with `beside`, in two pools of the kind.
fn ready_to_search(beside: bool) -> Venue {
    let book =
        "# Idle\n\n### never\n- when: move(16) > 90%\n- do: hold 50%\n- until: since >= 9\n- expects: +1% within 9\n";
    let mut on = Foundation::new("idle".parse().expect("a name"), book.parse().expect("a book"), Founding::Paper);
    let other = "other".parse().expect("a name");
    on.elsewhere.extend(beside.then_some(other));
    let mut venue = Venue::on(on, TraderSettings::default(), Law::immortal().on_chain());
    venue.price = dips;
    if beside {
        venue.beside = vec![Beside {
            pool: other,
            token: 1,
            access: PoolAccess::Open,
            denomination: Denomination::default(),
            price: |tick| dips(tick + 48) / 15,
        }];
        venue.vault.others.push(TokenReading::default());
    }
    venue.run(2_400);
    venue.dreams = Some(terms(DreamTier::Hardened, ScheduleMode::Owner));
    venue.recalls = Some(full(true));
    venue
}

/// Falls asleep and ends its dream like this.
fn dream(venue: &mut Venue, ending: CycleEnding) {
    venue.run_until_asleep();
    for effect in std::mem::take(&mut venue.dreaming) {
        let result = OutcomeResult::Dreamt(Box::new(record(&effect, ending.clone())));
        venue.waiting.push(Outcome { effect: effect.id, cost: None, result });
    }
    venue.run(2);
}

/// Lives on for so long, and then through a whole dream.
fn dreamt_after(mut venue: Venue, ticks: u64, tier: DreamTier) -> Venue {
    venue.run(ticks);
    venue.dreams = Some(terms(tier, ScheduleMode::Owner));
    venue.recalls = Some(full(true));
    dream(&mut venue, CycleEnding::Complete);
    venue
}

/// G-186, D-171, D-172, D-229: what a dream says of itself counts until waking looks judged what it had tried: a rule that comes to
/// move money raises it, one that its own trips refute lowers it, each heard once, and with it moves the score that opens the next.
/// Until a rule is admitted, from seven tenths on, a finished trip moves how far it is believed by a tenth up or a twentieth down, and
/// nothing else does.
#[test]
fn d_171_what_came_true_moves_the_next_dream() {
    let mut venue = ready_to_search(false);
    dream(&mut venue, CycleEnding::Complete);
    let dreams = |venue: &Venue| venue.life.dreams().expect("told of dreams").clone();
    let staged = dreams(&venue).came_to.staged;
    assert!(staged > 0, "{:?}", searches(&venue));
    assert_eq!(dreams(&venue).quality, Some(Ppm::of(500_000)), "what it says of itself");
    let believed = |venue: &Venue| {
        let dreamt = venue.hand().tried().iter().filter(|tried| tried.is_dreamt());
        let rows = dreamt.filter_map(|tried| Some((tried.number(), (tried.trips(), tried.confidence()?))));
        rows.collect::<BTreeMap<_, _>>()
    };
    let mut seen = believed(&venue);
    for _ in 0..3_000 {
        venue.tick();
        let after = believed(&venue);
        for (number, (trips, sure)) in &after {
            let undecided = seen.get(number).filter(|(_, was)| !was.is_admitted() && !was.is_refuted());
            let Some((trips_before, was)) = undecided else { continue };
            let moved = i16::from(sure.hundredths()) - i16::from(was.hundredths());
            let moves: &[i16] = if trips == trips_before { &[0] } else { &[10, -5] };
            assert!(moves.contains(&moved), "G-186: rule {number}, trip {trips}: {was:?} became {sure:?}");
            assert!(!sure.is_admitted() || sure.hundredths() >= 70, "G-186: {sure:?}");
        }
        seen = after;
    }
    let (now, came) = (dreams(&venue), dreams(&venue).came_to);
    assert!(came.validated > 0 && came.staged == staged, "{came:?}");
    let outcome = |event: &Event| if let Event::Rule(told) = event { told.dream_outcome() } else { None };
    let told = |wanted| venue.told(|event| outcome(event) == Some(wanted)) as u32;
    assert_eq!((came.validated, came.refuted), (told(true), told(false)), "each heard once");
    let expected = 500_000 + 100_000 * came.validated - 50_000 * came.refuted;
    assert_eq!(now.quality, Some(Ppm::of(expected.min(1_000_000))));
    assert!(threshold(&now.law().schedule, Phase::Thriving, now.quality) < now.law().schedule.autonomous_threshold);
}

fn searches(venue: &Venue) -> Vec<(Searcher, u32)> {
    each!(&venue.events, Event::BookSearched { by, staged } => (*by, *staged))
}

/// P-070, P-071: a record too short to be searched is not searched, and its owner is not told of nothing after each dream.
#[test]
fn p_070_a_young_life_dreams_without_a_search() {
    let mut venue = asleep();
    dream(&mut venue, CycleEnding::Complete);
    dream(&mut venue, CycleEnding::Complete);
    assert_eq!(searches(&venue), []);
    assert!(!venue.events.iter().any(|event| matches!(event, Event::BookRehearsed { .. })));
}

/// P-070: a dream that came through goes over the record and stages what it finds, as candidates that move nothing; one that
/// was cut off finds nothing, and another soon after would see what the last one saw.
#[test]
fn p_070_a_dream_finds_rules_in_the_record() {
    let mut venue = ready_to_search(false);
    let tried = |venue: &Venue| venue.hand().tried().iter().map(|tried| tried.standing()).collect::<Vec<_>>();
    let wake = Wake { source: WakeSource::Owner, reason: "now".to_owned(), at: venue.now() };
    dream(&mut venue, CycleEnding::Interrupted { phase: DreamPhase::Rem, wake });
    assert_eq!((searches(&venue), tried(&venue).len()), (vec![], 1));
    dream(&mut venue, CycleEnding::Complete);
    let [(Searcher::Dream, staged @ 1..=3)] = searches(&venue)[..] else { panic!("{:?}", searches(&venue)) };
    assert_eq!(tried(&venue).len(), 1 + staged as usize);
    assert!(tried(&venue).iter().all(|standing| *standing <= Standing::Paper), "{:?}", tried(&venue));
    dream(&mut venue, CycleEnding::Complete);
    assert_eq!(searches(&venue).len(), 1, "it has seen nothing new");
    venue.run(1_000);
    dream(&mut venue, CycleEnding::Complete);
    assert_eq!(searches(&venue).len(), 2, "a thousand looks later it goes over them again");
}

/// P-071, D-128: a full dream rehearses threats with the rules that move money, and a guard that is worth its price is tried as a
/// candidate nobody obeys; a lightweight one does not, and nothing is guarded where nothing is at risk.
#[test]
fn p_071_a_full_dream_stages_a_guard_for_what_moves_money() {
    let rehearsed = |tier: DreamTier, founding: Founding| {
        let book = "# Holds\n\n### stay\n- when: hour >= 0\n- do: hold 100%\n- until: since >= 900\n- expects: +5% within 900\n";
        let on = Foundation::new("holds".parse().expect("a name"), book.parse().expect("a book"), founding);
        let mut venue = Venue::on(on, TraderSettings::default(), Law::immortal().on_chain());
        // Calm but for one crash of twelve percent that stays.
        venue.price = |tick| {
            let noise = (tick.wrapping_mul(2_654_435_761) % 1_000) as f64 / 1e6;
            let fallen = tick.saturating_sub(1_500).min(8) as f64 * 0.015;
            (3_000_000_000.0 * (1.0 + noise - fallen)) as u64
        };
        let venue = dreamt_after(venue, 2_400, tier);
        let guards = each!(&venue.events, Event::BookRehearsed { guards } => *guards);
        let tried = venue.hand().tried().iter().filter(|tried| tried.rule.action.is_guard());
        (guards.first().copied(), tried.map(|tried| tried.standing()).collect::<Vec<_>>())
    };
    assert_eq!(rehearsed(DreamTier::Hardened, Founding::Trust), (Some(1), vec![Standing::Paper]));
    assert_eq!(rehearsed(DreamTier::Hardened, Founding::Paper), (Some(0), vec![]));
    assert_eq!(rehearsed(DreamTier::Core, Founding::Trust), (None, vec![]));
}

/// P-072, D-115: a full dream rewrites the rules there are, and what the record speaks for is tried as a candidate; a lightweight one
/// imagines nothing.
#[test]
fn p_072_a_full_dream_turns_a_rule_round() {
    let imagined = |tier: DreamTier| {
        let book = "# Sinks\n\n### sinks\n- when: move(16) <= -0.6%\n- do: hold 60%\n- until: since >= 30\n- expects: +5% within 900\n";
        let on = Foundation::new("sinks".parse().expect("a name"), book.parse().expect("a book"), Founding::Paper);
        let mut venue = Venue::on(on, TraderSettings::default(), Law::immortal().on_chain());
        // What rises goes on for long, and so does what falls.
        venue.price = |tick| {
            let way = (tick % 200).min(200 - tick % 200);
            let noise = (tick.wrapping_mul(2_654_435_761) % 1_000) as f64 / 1e6;
            (3_000_000_000.0 * libm::pow(1.0008, way as f64) * (1.0 + noise)) as u64
        };
        let venue = dreamt_after(venue, 3_000, tier);
        let turned = venue.hand().tried().iter().find(|tried| tried.rule.name == "sinks-turned");
        turned.map(|tried| tried.standing())
    };
    assert_eq!(imagined(DreamTier::Hardened), Some(Standing::Paper));
    assert_eq!(imagined(DreamTier::Core), None);
}

/// P-070, P-057: three rules a dream in all pools together, and the pool that had to wait is the first another time.
#[test]
fn p_070_a_dream_stages_three_rules_in_all_pools_together() {
    let mut venue = ready_to_search(true);
    let tried = |venue: &Venue| {
        let trader = venue.trader();
        trader.hands().map(|(_, hand)| hand.tried().len() - 1).collect::<Vec<_>>()
    };
    for most in [3, 6] {
        dream(&mut venue, CycleEnding::Complete);
        assert!(tried(&venue).iter().sum::<usize>() <= most, "{:?}", tried(&venue));
        venue.run(1_000);
    }
    assert!(tried(&venue).iter().all(|found| *found > 0), "both were gone over: {:?}", tried(&venue));
}
