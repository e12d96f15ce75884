use golem_primitives::{Ppm, Usdc};
use proptest::prelude::*;

use super::*;
use crate::makers::{CAPITAL, holds_for, in_hour, look};
use crate::observable::Observable;

/// Lives through prices, one a minute from midnight of a made-up day, with `hour` set by the test.
fn trips(rule: &Rule, prices: &[(f64, i64)], gas: Usdc) -> (Account, Vec<Trip>, Vec<ForgoneEntry>) {
    let mut account = Account::new(Ppm::of(500_000), Manner::Hold);
    let (mut trips, mut forgone) = (Vec::new(), Vec::new());
    for (at, (price, hour)) in prices.iter().enumerate() {
        let look = Look { gas, ..look(at as u64, *price) };
        let mut seen = Seen::default();
        seen.set(Observable::Hour, *hour);
        let turn = account.look(rule, &AccountSight { look: &look, seen: &seen, capital: CAPITAL });
        trips.extend(turn.trip);
        forgone.extend(turn.forgone);
    }
    (account, trips, forgone)
}

/// P-022, P-030.
#[test]
fn p_022_p_030_a_trip_is_filled_at_the_looks_after_those_that_decided_and_pays_everything() {
    let rule = holds_for("dawn", in_hour(0), 50, 2);
    // Decides at 100, is filled at 110; since = 2 at 121, filled at 132.
    let path = [(100.0, 0), (110.0, 5), (115.0, 5), (121.0, 5), (132.0, 5), (50.0, 5)];
    let (account, trips, _) = trips(&rule, &path, Usdc::from_micros(500_000));
    assert_eq!(trips.len(), 1);
    let trip = trips[0];
    assert_eq!(trip.looks, 3);
    assert!((trip.gross - 0.2).abs() < 1e-12);
    // A stake of 500: two fees of 0.05% and two gas of 0.1%.
    let net = 1.2 * 0.9995 * 0.9995 - 1.0 - 0.002;
    assert!((trip.observation.net - net).abs() < 1e-12, "{trip:?}");
    assert!((account.mean_exposure() - 3.0 / 6.0).abs() < 1e-12);
}

#[test]
fn p_033_the_passive_return_is_that_of_the_mean_exposure_before_over_the_time_since_the_exit_before() {
    let rule = holds_for("dawn", in_hour(0), 50, 1);
    let path = [(100.0, 0), (100.0, 5), (100.0, 5), (100.0, 5), (100.0, 0), (150.0, 5), (150.0, 5), (150.0, 5)];
    let (_, trips, _) = trips(&rule, &path, Usdc::ZERO);
    assert_eq!(trips.len(), 2);
    assert_eq!(trips[0].observation.passive, 0.0);
    // In at two of the first three looks; from 100 at the exit to 150 at the next one.
    assert!((trips[1].observation.passive - 2.0 / 3.0 * 0.5).abs() < 1e-12, "{trips:?}");
    assert!(trips[1].gross.abs() < 1e-12);
}

#[test]
fn p_021_an_entry_that_cannot_pay_its_way_is_forgone_with_both_numbers() {
    let rule = holds_for("dawn", in_hour(0), 50, 2);
    // Gas both ways: 4 USDC on a stake of 500 is 0.8%; the rule expects 0.5%.
    let (account, trips, forgone) = trips(&rule, &[(100.0, 0), (100.0, 5), (100.0, 5)], Usdc::whole(2));
    assert_eq!(forgone, [ForgoneEntry { expected_ppm: 5_000, cost_ppm: 9_000, caution_ppm: ONCE }]);
    assert!(trips.is_empty() && !account.is_awake());
}

#[test]
fn the_words_of_an_account_speak_of_its_own_entry() {
    let rule = holds_for("dawn", in_hour(0), 50, 100);
    let (account, ..) = trips(&rule, &[(90.0, 0), (100.0, 5), (120.0, 5), (108.0, 5)], Usdc::ZERO);
    let stance = account.stance(Usdc::whole(108));
    assert_eq!(stance, Stance { held: 500_000, since: 2, gain: 80_000, fall: -100_000 });
}

proptest! {
    /// P-003. A change is the same number whether it is worked out in a short word or has to be in a long one.
    #[test]
    fn p_003_a_change_is_worked_out_exactly_at_every_price(
        from in prop_oneof![0_u64..10_000_000_000, any::<u64>()],
        to in prop_oneof![0_u64..10_000_000_000, any::<u64>()],
    ) {
        let base = i128::from(from.max(1));
        let wide = (i128::from(to) - base) * 1_000_000 / base;
        let found = change_ppm(Usdc::from_micros(from), Usdc::from_micros(to));
        prop_assert_eq!(found, i64::try_from(wide).unwrap_or(i64::MAX));
    }
}
