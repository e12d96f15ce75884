//! The agent's own books beside the vault's.

use golem_core::record::{
    Effect, EffectKind, Event, Forgone, Inflows, Observation, Outcome, OutcomeResult, Partition, Turn,
};
use golem_mortality::event::LawEvent;
use golem_primitives::Usdc;

use crate::trading::charged;
use crate::venue::{Venue, beats, is_trade, no_inflows, opens, pays, withdrawn};

/// A life whose books are kept; nothing comes from outside.
fn kept() -> Venue {
    Venue { log: Some(|_| [0; 4]), ..charged(20_000) }
}

fn alarms(venue: &Venue) -> Vec<(Partition, Usdc, Usdc)> {
    each!(&venue.events, Event::LedgerDiffers { partition, ours, chain } => (*partition, *ours, *chain))
}

fn lose(venue: &mut Venue, partition: Partition, micros: u64) {
    add(venue, partition, -i64::try_from(micros).expect("little"));
}

fn add(venue: &mut Venue, partition: Partition, micros: i64) {
    venue.move_credits(Partition::ALL.map(|part| if part == partition { micros } else { 0 }));
}

fn rent(effect: &Effect) -> (Partition, u64) {
    let EffectKind::PayHost { partition, amount } = effect.kind else { panic!("{effect:?}") };
    (partition, amount.micros())
}

/// V-003: a life that pays its host, trades and reports has the vault's own numbers, to the last unit.
#[test]
fn v_003_an_honest_life_never_alarms() {
    let mut venue = kept();
    venue.run(600);
    assert!(venue.wanted(pays) > 0);
    assert!(venue.wanted(is_trade) > 10);
    assert_eq!(alarms(&venue), []);
    assert!(venue.life.books().is_some());
}

fn capital_alarms(venue: &Venue) -> Vec<(Usdc, Usdc)> {
    each!(&venue.events, Event::CapitalDiffers { ours, chain } => (*ours, *chain))
}

/// V-014: what a life that trades says of its profit is what its vault's books moved by; what its owner puts in is none; and
/// one unit more or less is told to him, once, while exits and payments go on.
#[test]
fn v_014_the_ledger_is_held_against_the_vault() {
    let mut venue = kept();
    venue.run(600);
    let trips = *venue.trader().ledger().earned();
    assert!(trips.closed > 3 && trips.won + trips.lost == trips.closed, "{trips:?}");
    (venue.vault.idle, venue.capital_moved) = (venue.vault.idle.saturating_add(Usdc::whole(50)), 50_000_000);
    venue.run(40);
    assert_eq!(capital_alarms(&venue), []);
    let paid = venue.wanted(pays);
    venue.vault.idle = venue.vault.idle.saturating_sub(Usdc::from_micros(1));
    venue.run(200);
    let told = capital_alarms(&venue);
    assert!(matches!(told[..], [(ours, chain)] if ours == chain.saturating_add(Usdc::from_micros(1))), "{told:?}");
    assert!(venue.wanted(pays) > paid);
}

/// V-003: one unit that nobody here spent is an alarm, told once; so is one unit that nobody gave.
#[test]
fn v_003_one_unit_is_an_alarm_and_told_once() {
    let mut venue = kept();
    venue.run(5);
    let before = venue.vault.credits.get(Partition::Data);
    lose(&mut venue, Partition::Data, 1);
    venue.run(40);
    assert_eq!(alarms(&venue), [(Partition::Data, before, before.saturating_sub(Usdc::from_micros(1)))]);
    venue.events.clear();
    lose(&mut venue, Partition::Gas, 7);
    venue.run(40);
    assert_eq!(alarms(&venue).len(), 1, "another difference is another alarm");
    let mut fed = kept();
    fed.log = Some(|at| if at == 6 { [1, 0, 0, 0] } else { [0; 4] });
    fed.run(20);
    assert!(matches!(alarms(&fed)[..], [(Partition::Llm, ..)]), "the log tells of what the vault has not got");
}

/// V-003: what moves no credits may stay open for as long as it likes; a theft behind it is told all the same.
#[test]
fn v_003_what_moves_no_credits_hides_no_theft() {
    let mut venue = kept();
    let curates = |kind: &EffectKind| *kind == EffectKind::Curate;
    venue.run_until(|venue| venue.wanted(curates) > 0);
    // The Curator never answers.
    let curates = venue.last(curates).id;
    venue.waiting.retain(|outcome| outcome.effect != curates);
    lose(&mut venue, Partition::Data, 1);
    venue.run(40);
    assert!(matches!(alarms(&venue)[..], [(Partition::Data, ..)]), "{:?}", alarms(&venue));
}

/// V-003: what was on its way when the books were opened is waited for before they begin, and alarms nobody.
#[test]
fn v_003_books_begin_behind_what_was_open_before_them() {
    let mut venue = kept();
    let log = venue.log.take();
    loop {
        venue.pass += 1;
        venue.pass_turn(Turn::Deciding, vec![venue.see()]);
        if venue.wanted(pays) > 0 {
            break;
        }
        venue.pass_turn(Turn::Sleeping, Vec::new());
    }
    // The rent is wanted and not yet paid.
    let effect = venue.first(pays);
    let (partition, amount) = rent(&effect);
    let at = venue.waiting.iter().position(|outcome| outcome.effect == effect.id).expect("just wanted");
    let paid = venue.waiting.remove(at);
    venue.pass_turn(Turn::Sleeping, Vec::new());
    add(&mut venue, partition, amount as i64);
    venue.log = log;
    venue.run(10);
    lose(&mut venue, partition, amount);
    venue.run(3);
    venue.waiting.push(paid);
    venue.run(40);
    assert_eq!(alarms(&venue), []);
}

/// What is fed, in micro-USDC.
const FED: [i64; 4] = [600_000, 250_000, 150_000, 0];

/// V-003, M-047: what is fed is known by the vault's log and alarms nobody.
#[test]
fn m_047_feeding_is_known_from_the_log() {
    let mut venue = kept();
    venue.log = Some(|at| if at == 6 { FED } else { [0; 4] });
    venue.run(5);
    venue.move_credits(FED);
    venue.run(40);
    assert_eq!(alarms(&venue), []);
}

/// M-046, M-047: what was given and what was earned reach the law from the vault's log: a gift is told and is no income, a
/// harvest is income. Counted once, whatever is told again.
#[test]
fn m_046_a_hosted_life_lives_on_what_it_earns() {
    let feed = |earns: fn(u64) -> u64| {
        let mut venue = kept();
        venue.log = Some(|at| if at == 6 { FED } else { [0; 4] });
        venue.earns = earns;
        venue.run(5);
        venue.move_credits(FED);
        venue.run(10);
        venue
    };
    let told = |venue: &Venue| each!(&venue.events, Event::Mortality(LawEvent::Funded { amount }) => *amount);
    let (given, earned) = (feed(|_| 0), feed(|at| if at == 6 { 1_000_000 } else { 0 }));
    assert_eq!(told(&given), [Usdc::whole(1)]);
    assert_eq!(told(&earned), []);
    for venue in [&given, &earned] {
        assert_eq!(venue.life.vitals().economic().lifetime_funded(), Usdc::whole(51));
        assert_eq!(alarms(venue), []);
    }
    assert!(!given.life.vitals().sustainability().is_sustainable(), "a gift is no income");
    assert!(earned.life.vitals().sustainability().is_sustainable(), "15 ticks burn less than a whole USDC");
}

/// R-022, V-003: while own spending is open, or was taken back, nothing is compared; an outcome that is refused moves nothing.
#[test]
fn r_022_nothing_is_compared_while_own_spending_is_open() {
    let mut venue = kept();
    venue.refuses = pays;
    venue.run(80);
    let before = venue.wanted(pays);
    assert!(before > 0);
    assert_eq!(alarms(&venue), []);
    venue.refuses = |_| false;
    venue.run_until(|venue| venue.wanted(pays) > before);
    venue.run(2);
    let effect = venue.last(pays);
    let (partition, amount) = rent(&effect);
    // The block that paid the host is gone: the money is back, and the effect open again.
    add(&mut venue, partition, amount as i64);
    venue.pass += 1;
    let after = venue.life.books().and_then(|books| books.settled_to);
    let log = Inflows { after, ..no_inflows(venue.pass) };
    let seen = vec![withdrawn(&effect), venue.see(), Observation::Inflows(Box::new(log))];
    venue.pass_turn(Turn::Deciding, seen);
    venue.pass_turn(Turn::Sleeping, Vec::new());
    venue.run(3);
    assert_eq!(alarms(&venue), []);
    lose(&mut venue, partition, amount);
    venue.waiting.push(Outcome { effect: effect.id, cost: None, result: OutcomeResult::Done });
    venue.run(30);
    assert_eq!(alarms(&venue), []);
}

/// V-003, R-021: while the books differ nobody is paid and nothing is entered; what is held is left and reports go on. When
/// the difference is explained, what is owed is paid.
#[test]
fn r_021_while_the_books_differ_nothing_is_paid_or_entered() {
    let mut venue = kept();
    venue.run(100);
    assert!(venue.wanted(pays) > 0 && venue.wanted(opens) > 0);
    lose(&mut venue, Partition::Llm, 7);
    // What was on its way comes to its end first; nothing is compared before.
    venue.run(5);
    assert_eq!(alarms(&venue).len(), 1);
    assert!(venue.events.contains(&Event::PaymentsPaused));
    venue.effects.clear();
    venue.run(600);
    let is_held = |event: &Event| matches!(event, Event::TradeForgone { reason: Forgone::LedgerDiffers, .. });
    assert!(venue.events.iter().any(is_held), "it says what waits, and why");
    assert_eq!((venue.wanted(pays), venue.wanted(opens)), (0, 0));
    assert!(venue.wanted(beats) > 0, "it reports");
    assert!(venue.vault.held == 0 && venue.life.is_alive(), "it got out");

    add(&mut venue, Partition::Llm, 7);
    venue.run(60);
    assert!(venue.wanted(pays) > 0 && venue.wanted(opens) > 0, "it goes on");
    assert!(venue.events.contains(&Event::PaymentsResumed));
    assert_eq!(alarms(&venue).len(), 1);
}

/// R-022, V-003: a payment that was told as refused and landed after all is booked once; nothing comes back that was never
/// taken.
#[test]
fn r_022_a_refusal_that_is_taken_back_was_never_booked() {
    let mut venue = kept();
    venue.refuses = pays;
    venue.run_until(|venue| venue.wanted(pays) > 0);
    venue.run(1);
    venue.refuses = |_| false;
    let effect = venue.last(pays);
    let (partition, amount) = rent(&effect);
    assert!(!venue.waiting.iter().any(|outcome| outcome.effect == effect.id), "it was told");
    let withdrawn = Observation::Withdrawn { effect: effect.id, kind: effect.kind, was_refused: true };
    venue.pass += 1;
    venue.pass_turn(Turn::Deciding, vec![withdrawn, venue.see()]);
    venue.pass_turn(Turn::Sleeping, Vec::new());
    lose(&mut venue, partition, amount);
    venue.waiting.push(Outcome { effect: effect.id, cost: None, result: OutcomeResult::Done });
    venue.run(40);
    assert_eq!(alarms(&venue), []);
}
