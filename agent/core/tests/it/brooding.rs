//! A life whose only cost is thinking: when that kills it, and by which law it usually does not.

use golem_core::deliberation::ModelAdvice;
use golem_core::mind::Pending;
use golem_core::record::{CauseKind, OutcomeResult, Partition, Phase};
use golem_core::trader::{Foundation, TraderSettings};
use golem_core::window::ENOUGH;
use golem_mortality::law::Law;
use golem_mortality::vitality::VitalityLaw;
use golem_playbook::promotion::Founding;
use golem_primitives::{Ppm, Usdc};
use proptest::prelude::*;

use crate::venue::{Venue, asks};

/// T-002.
const FLOOR: u64 = 100_000;
/// V-006. The host's bill.
const BILL: u64 = 250_000;
/// From one question to the next when each is answered with staying: its rule wakes at every third look.
const EVERY: u64 = 3;

/// It wants to buy whenever it has just sold, for two looks; what it may lose at most is so much that it does not rest.
const IMPATIENT: &str = "# Impatient\n\n### again\n- when: move(16) < 0%\n- do: hold 100%\n- until: since >= 1 and hour >= 0\n\
                         - expects: +0.14% within 5\n";

/// A market that falls a little each tick: the dip is wanted at every look.
fn slide(tick: u64) -> u64 {
    3_000_000_000 - tick * 100_000
}

/// Stays, at a price that stands in the list of prices: the least an answer here can cost is a micro.
fn stays<const MICROS: u64>(pending: &Pending) -> Option<(OutcomeResult, Usdc)> {
    let advice = ModelAdvice { about: pending.choices.digest(), index: 0, rationale: "it goes on falling".into() };
    Some((OutcomeResult::Advised { advice }, Usdc::from_micros(MICROS)))
}

/// What an owner may choose: no rent, gas and data locked in the reserve, and a shape of vitality.
fn brooder(llm: u64, thinks: fn(&Pending) -> Option<(OutcomeResult, Usdc)>, quote: u64, law: Law) -> Venue {
    let settings = TraderSettings { stake: Ppm::of(100_000), host_per_tick: Usdc::ZERO };
    let foundation = Foundation {
        name: "impatient".parse().expect("a name"),
        book: IMPATIENT.parse().expect("a book"),
        founding: Founding::Trust,
        ..Foundation::shipped("momentum").expect("it ships")
    };
    let quotes = Some([None, Some(Usdc::from_micros(quote)), None, None]);
    let mut venue = Venue { price: slide, quotes, thinks, ..Venue::on(foundation, settings, law) };
    venue.set_credits([llm, 0, 0, 0]);
    venue
}

/// The Golem of the venue was born with fifty, and this is about its last one: hence the steepness.
fn unflinching() -> Law {
    let vitality = VitalityLaw {
        economic_centre: 0.000_1,
        economic_steepness: 50_000.0,
        epistemic_centre: 0.01,
        epistemic_steepness: 50.0,
        ..VitalityLaw::DEFAULT
    };
    Law { vitality, ..Law::hosted().on_chain() }
}

fn asked(venue: &Venue) -> u64 {
    venue.wanted(asks) as u64
}

/// The tick of death by the arithmetic alone; `None` when what is left stays above the floor for good. Nobody thinks on
/// credit: a question is asked only while what is left, less what is owed, covers its quote.
fn doom(llm: u64, cost: u64, quote: u64) -> Option<u64> {
    let (mut left, mut owed, mut asked) = (llm, 0, 0);
    while left > FLOOR {
        if left.saturating_sub(owed) < quote {
            return None;
        }
        asked += 1;
        owed += cost;
        if owed >= BILL.min(left) {
            left -= owed.min(left);
            owed = 0;
        }
    }
    Some(ENOUGH as u64 + EVERY * (asked - 1) + 2)
}

/// M-013, M-149, T-002, R-031: thinking alone starves it, at the tick the price of a thought gives beforehand.
#[test]
fn m_149_thinking_alone_starves_at_the_tick_foretold() {
    for (llm, thinks, cost) in [
        (340_000, stays::<5_050> as fn(&Pending) -> _, 5_050),
        (349_999, stays::<9_000>, 9_000),
        (600_000, stays::<7_300>, 7_300),
        (260_000, stays::<2_500>, 2_500),
    ] {
        let mut venue = brooder(llm, thinks, 9_000, unflinching());
        let doom = doom(llm, cost, 9_000).expect("it is enough");
        venue.run_until_dead(doom + 40);
        let death = venue.life.death().expect("dead");
        assert_eq!((death.cause.kind(), death.tick.get()), (CauseKind::Economic, doom), "{llm} at {cost}");
        assert_eq!(asked(&venue), (doom - 2 - ENOUGH as u64) / EVERY + 1);
    }
}

/// M-028, R-031: nobody thinks on credit. Where the bill cannot be reached out of what the partition holds, thinking ends
/// and the life goes on.
#[test]
fn m_028_nobody_thinks_on_credit() {
    let mut venue = brooder(160_000, stays::<5_000>, 9_000, unflinching());
    assert_eq!(doom(160_000, 5_000, 9_000), None);
    venue.run(400);
    assert!(venue.life.is_alive());
    let owed = venue.trader().owed.micros();
    assert!(owed <= 160_000 && owed + 9_000 > 160_000 - 5_000, "{owed}");
    assert_eq!(venue.vault.credits.get(Partition::Llm).micros(), 160_000);
}

/// M-128..M-136: by the usual shape of vitality poverty ends thinking before thinking ends the life: below Stable nothing
/// is opened, and so nobody is asked.
#[test]
fn m_136_by_default_poverty_stops_the_thinking_first() {
    let mut venue = brooder(20_000_000, stays::<9_000>, 9_000, Law::hosted().on_chain());
    venue.run(100);
    assert!(asked(&venue) > 0);
    venue.set_credits([5_000_000, 0, 0, 0]);
    venue.run(10);
    let before = asked(&venue);
    venue.run(300);
    assert!(venue.phase() < Phase::Stable && venue.life.is_alive());
    assert_eq!(asked(&venue), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// M-149, M-028: for every partition and price, it dies at the tick foretold or, where the arithmetic says so, not at
    /// all.
    #[test]
    fn m_149_the_tick_is_the_arithmetics(llm in 110_000u64..700_000, which in 0usize..4) {
        let (thinks, cost): (fn(&Pending) -> _, u64) = [
            (stays::<3_000> as fn(&Pending) -> _, 3_000),
            (stays::<4_444>, 4_444),
            (stays::<8_000>, 8_000),
            (stays::<10_000>, 10_000),
        ][which];
        let mut venue = brooder(llm, thinks, 10_000, unflinching());
        match doom(llm, cost, 10_000) {
            Some(doom) => {
                venue.run_until_dead(doom + 40);
                prop_assert_eq!(venue.life.death().expect("dead").tick.get(), doom);
            }
            None => {
                venue.run(1_200);
                prop_assert!(venue.life.is_alive());
            }
        }
    }
}
