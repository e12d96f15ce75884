//! What was made beside holding, from looks and deposits alone.

use golem_core::record::{ChainLife, Observation, TickInput};
use golem_primitives::{Usdc, UtcTime};
use golem_view::{Gain, Holding, HoldingPicture, Witness};

use crate::venue::Venue;

/// A token that doubles at the tenth look, before somebody who never trades.
fn doubling() -> Venue {
    Venue {
        price: |pass| if pass < 10 { 3_000_000_000 } else { 6_000_000_000 },
        log: Some(|_| [0; 4]),
        ..Venue::new("never")
    }
}

fn holding(venue: &Venue) -> Witness<HoldingPicture> {
    let mut holding = Holding::default();
    for input in &venue.journal {
        let _ = holding.see(input);
    }
    holding.picture(venue.life.trader().expect("a hand").ledger())
}

/// The owner's word on the capital, as vault and log tell it.
fn give(venue: &mut Venue, micros: i64) {
    let moved = |usdc: Usdc| Usdc::from_micros(usdc.micros().saturating_add_signed(micros));
    (venue.vault.idle, venue.vault.capital) = (moved(venue.vault.idle), moved(venue.vault.capital));
    venue.capital_moved = micros;
}

/// O-010: what is put in buys the token at the price of its look; what holding made is told beside what trading did, and who
/// never trades is behind by it and by what living cost.
#[test]
fn o_010_profit_is_held_against_what_the_same_money_would_have_made() {
    let mut venue = doubling();
    venue.run(5);
    give(&mut venue, 300_000_000);
    venue.run(10);
    give(&mut venue, -100_000_000);
    venue.run(5);
    let Witness::Tells(told) = holding(&venue) else { panic!("known") };
    assert_eq!((told.price_then, told.price_now), (Usdc::whole(3_000), Usdc::whole(6_000)));
    assert_eq!(told.put_in, Gain(1_200_000_000), "1000, 300 more, 100 less");
    assert_eq!((told.equity, told.marked), (Usdc::whole(1_200), Gain(0)), "it never traded");
    // 1300 bought at 3000 are 2600 at 6000, of which 100 were taken out; a unit or two go by rounding down.
    assert!((told.held_worth.0 - 2_500_000_000).abs() <= 2, "{:?}", told.held_worth);
    assert_eq!(told.held_made.0, told.held_worth.0 - told.put_in.0);
    let ledger = venue.life.trader().expect("a hand").ledger();
    let costs = (ledger.gas().micros() + ledger.upkeep.micros()) as i64;
    assert_eq!(told.after_everything, Gain(-costs));
    assert_eq!(told.ahead, Gain(-costs - told.held_made.0));
}

/// O-010: where the vault's log cannot be read back nothing is made up.
#[test]
fn o_010_a_log_that_cannot_be_read_back_leaves_it_unknown() {
    let mut venue = doubling();
    venue.run(5);
    venue.owner_speaks = true;
    venue.run(1);
    let Witness::Fails(why) = holding(&venue) else { panic!("a number was made up") };
    assert!(why.contains("could not be read back"), "{why}");
}

/// O-010: before the first look there is nothing to tell.
#[test]
fn o_010_before_the_first_look_nothing_is_told() {
    let mut venue = doubling();
    venue.is_blind = true;
    venue.run(3);
    assert!(matches!(holding(&venue), Witness::Fails(why) if why.contains("not looked")));
}

/// O-010: a death that is settled paid its owner before the chain calls it dead; that is no loss of everything.
#[test]
fn o_010_what_a_settled_death_paid_out_is_no_loss() {
    let mut venue = doubling();
    venue.run(5);
    let mut holding = Holding::default();
    let worths: Vec<_> = venue.journal.iter().filter_map(|input| holding.see(input)).collect();
    assert_eq!(worths.last().map(|seen| seen.equity), Some(Usdc::whole(1_000)));
    let before = holding;
    let looked = |input: &&TickInput| input.observations.iter().any(|one| matches!(one, Observation::Sight(_)));
    let mut paid_out = venue.journal.iter().rfind(looked).expect("a look").clone();
    for observation in &mut paid_out.observations {
        if let Observation::Sight(sight) = observation
            && let Some(vault) = &mut sight.vault
        {
            vault.life = ChainLife::Dying { order: None, deadline: UtcTime::EPOCH };
            (vault.idle, vault.capital) = (Usdc::ZERO, Usdc::ZERO);
        }
    }
    assert_eq!((holding.see(&paid_out), holding), (None, before));
}
