//! Trips of an account that provides, each worked out by hand with forty digits.

use super::*;
use crate::account::{Account, Trip};
use crate::look::Look;
use crate::makers::{CAPITAL, holds_for, in_hour, look};
use crate::observable::{Observable, Seen, Stance};
use crate::rule::{Action, Rule};

/// Provides half of the capital around the price for so many looks.
fn provides(width: u32, looks: i64) -> Rule {
    let action = Action::Provide { width: Ppm::of(width), share: Ppm::of(500_000) };
    Rule { action, expects: None, ..holds_for("range", in_hour(0), 50, looks) }
}

/// Lives through prices; it wakes at the first look alone.
fn lived(rule: &Rule, prices: &[f64], terms: &Look) -> (Account, Vec<Trip>, Vec<Stance>) {
    let mut account = Account::of(&rule.action).expect("it provides");
    let (mut trips, mut stances) = (Vec::new(), Vec::new());
    for (at, price) in prices.iter().enumerate() {
        let Look { time, price, twap, .. } = look(at as u64, *price);
        let look = Look { time, price, twap, ..*terms };
        let mut seen = Seen::default();
        seen.set(Observable::Hour, if at == 0 { 0 } else { 5 });
        trips.extend(account.look(rule, &AccountSight { look: &look, seen: &seen, capital: CAPITAL }).trip);
        stances.push(account.stance(price));
    }
    (account, trips, stances)
}

fn free() -> Look {
    Look { fee_ppm: 0, ..look(0, 1.0) }
}

#[track_caller]
fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() < 1e-9, "{got}, not {wanted}");
}

#[test]
fn p_004_p_030_without_costs_a_trip_up_and_back_brings_nothing_and_one_up_less_than_half() {
    // Decided at 100, placed at 100 from 90.91 to 110; ended at 104, filled at 100 again, or at 104.
    let (_, back, _) = lived(&provides(100_000, 2), &[100.0, 100.0, 104.0, 104.0, 100.0], &free());
    close(back[0].observation.net, 0.0);
    let (_, up, stances) = lived(&provides(100_000, 2), &[100.0, 100.0, 104.0, 104.0, 104.0], &free());
    close(up[0].observation.net, 0.015786244265331);
    close(up[0].gross, 0.015786244);
    assert_eq!(up[0].looks, 3);
    assert_eq!(stances[3], Stance { held: 500_000, since: 2, gain: 15_786, fall: 0 });
    // Below the range it is the token alone.
    let (account, _, stances) = lived(&provides(100_000, 9), &[100.0, 100.0, 104.0, 90.0], &free());
    assert_eq!(stances[3].gain, -78_036);
    assert_eq!(stances[3].fall, -92_364, "from 507.89 to 460.98");
    // A half, 0.2983 and all of it, at three of four looks.
    close(account.mean_exposure(), (0.5 + 0.298303150910263 + 1.0) / 4.0);
}

#[test]
fn p_022_p_030_fees_are_earned_until_the_look_of_the_exit_and_half_is_swapped_both_ways() {
    let terms = Look { fee_ppm: 3_000, impact_ppm: 1_000, volume: Usdc::whole(10_000), ..look(0, 1.0) };
    let (_, trips, _) = lived(&provides(100_000, 1), &[100.0; 4], &terms);
    // In: 250 swapped at 0.3% and a quarter of 0.1%; 0.15994 of fees at each of two looks; out: 249.19 swapped.
    close(trips[0].observation.net, -0.002603712144912);
    let (_, unknown, _) = lived(&provides(100_000, 1), &[100.0; 4], &Look { impact_ppm: 0, ..terms });
    assert!(unknown[0].observation.net < -0.0029, "nothing is earned of what is unknown: {unknown:?}");
}

#[test]
fn p_004_p_022_what_the_price_has_left_is_placed_anew_a_look_later_and_pays_for_it() {
    let terms = Look { fee_ppm: 500, gas: Usdc::from_micros(500_000), ..look(0, 1.0) };
    // Placed at 100 from 96.15 to 104; left at 90; placed anew at 90; ended and filled at 92. Gas of two acts, three and two.
    let (account, trips, stances) = lived(&provides(40_000, 3), &[100.0, 100.0, 90.0, 90.0, 92.0, 92.0], &terms);
    assert_eq!(stances[2].gain, -91_065);
    close(trips[0].observation.net, -0.091382056141570);
    // A half; the token alone; half again but for what the swap cost; 0.2218 at 92.
    let (anew, beside) = (454.240_093_010_076_3, 0.001_261_746_250_479_5 * 90.0);
    let share = ((anew - 0.125 - beside) / 2.0 + beside) / anew;
    let entered = 249.875 / 499.875;
    let left = 454.228_650_172_619_5 / 454.353_650_172_619_5;
    close(account.mean_exposure(), (entered + left + share + 0.221_825_850_666_508) / 6.0);
}

#[test]
fn p_022_above_the_range_there_is_nothing_to_sell_and_no_gas_for_it() {
    let terms = Look { fee_ppm: 500, gas: Usdc::from_micros(500_000), ..look(0, 1.0) };
    let (_, trips, _) = lived(&provides(40_000, 1), &[100.0, 100.0, 100.0, 110.0], &terms);
    close(trips[0].observation.net, 0.006647000383599);
}

#[test]
fn p_021_an_entry_swaps_half_and_pays_the_gas_of_four_acts() {
    let stake = |amount| crate::cost::Stake {
        amount,
        capital: CAPITAL,
        manner: crate::rule::Manner::Provide { width: Ppm::of(40_000) },
    };
    let look = Look { impact_ppm: 1_000, gas: Usdc::from_micros(100_000), ..look(0, 100.0) };
    // 0.05% of fee and 0.025% of impact on a half, both ways; 0.40 of gas on 500.
    assert_eq!(stake(Usdc::whole(500)).round_trip_ppm(&look), 500 + 250 + 800);
    assert_eq!(stake(Usdc::ZERO).round_trip_ppm(&look), i64::MAX);
    let cost = stake(Usdc::whole(500)).cost(&look);
    assert_eq!((cost.fee.micros(), cost.impact.micros(), cost.gas.micros()), (125_000, 62_500, 200_000));
}
