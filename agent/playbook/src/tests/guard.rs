use super::*;
use crate::look::Look;
use crate::makers::{CAPITAL, guard, in_hour, look};
use crate::observable::{Observable, Seen};

/// Each look: price, whether the guard's condition holds, what the book wants.
fn saved(action: Action, path: &[(f64, bool, u32)]) -> Vec<f64> {
    saved_at(Usdc::ZERO, action, path)
}

fn saved_at(gas: Usdc, action: Action, path: &[(f64, bool, u32)]) -> Vec<f64> {
    let rule = guard("careful", in_hour(0), action);
    let mut account = GuardAccount::default();
    let mut before = Ppm::ZERO;
    let mut found = Vec::new();
    for (at, (price, awake, percent)) in path.iter().enumerate() {
        let look = Look { fee_ppm: 1_000, gas, ..look(at as u64, *price) };
        let mut seen = Seen::default();
        seen.set(Observable::Hour, if *awake { 0 } else { 5 });
        let sight = AccountSight { look: &look, seen: &seen, capital: CAPITAL };
        account.look(&rule, &sight, &Stance::default());
        let now = Ppm::of(percent * 10_000);
        found.extend(account.follow(&rule, &sight, &Wanted { now, before, is_tightened: false }));
        before = now;
    }
    found
}

#[track_caller]
fn check(action: Action, path: &[(f64, bool, u32)], wanted: f64) {
    let found = saved(action, path);
    assert!(found.len() == 1 && (found[0] - wanted).abs() < 1e-9, "{found:?}, not {wanted}");
}

/// P-034. 100 to 80 between the fills saves a fifth.
#[test]
fn p_034_a_guard_is_held_against_not_obeying_it() {
    let none = Action::AtMost { share: Ppm::ZERO };
    // Sold early and bought back: two sides more.
    let cut = [(99.0, false, 60), (99.0, true, 60), (100.0, true, 60), (90.0, false, 60), (80.0, false, 60)];
    check(none.clone(), &cut, 0.2 - 0.002);
    // Sold early and never bought back: the same number of sides.
    let early = [(99.0, false, 60), (99.0, true, 60), (100.0, true, 60), (90.0, true, 0), (80.0, true, 0)];
    check(none, &early, 0.2);
    // Never bought: two sides fewer.
    let never = [(99.0, true, 0), (99.0, true, 60), (100.0, true, 60), (90.0, true, 0), (80.0, true, 0)];
    check(Action::NoEntries, &never, 0.2 + 0.002);
    // The same when the price rises is a loss.
    let dear = [(99.0, true, 0), (99.0, true, 60), (100.0, true, 60), (110.0, true, 0), (110.0, true, 0)];
    check(Action::NoEntries, &dear, -0.1 + 0.002);
}

/// P-034. The exit that obeying spares is one of what the book wanted, and is paid for when it wants nothing any more: gas by a
/// stake of nothing would be a saving without bounds.
#[test]
fn p_034_the_gas_that_obeying_spares_is_that_of_what_was_wanted() {
    let never = [(99.0, true, 0), (99.0, true, 60), (100.0, true, 60), (90.0, true, 0), (80.0, true, 0)];
    let found = saved_at(CAPITAL.share_down(Ppm::of(600)), Action::NoEntries, &never);
    // Two sides fewer, each of a thousandth to the pool and, of six tenths of the capital, a thousandth of gas.
    assert!(found.len() == 1 && (found[0] - 0.204).abs() < 1e-9, "{found:?}");
}

#[test]
fn p_034_a_guard_that_takes_nothing_away_is_not_observed() {
    let path = [(99.0, false, 60), (99.0, true, 60), (100.0, true, 60), (90.0, false, 60), (80.0, false, 60)];
    assert!(saved(Action::NoEntries, &path).is_empty(), "who holds already is not kept from entering");
    assert!(saved(Action::AtMost { share: Ppm::of(700_000) }, &path).is_empty());
}

#[test]
fn a_wait_binds_for_as_many_looks_as_it_says() {
    let rule = guard("patient", in_hour(0), Action::Wait { looks: 3 });
    let mut account = GuardAccount::default();
    let binds: Vec<bool> = [5, 0, 5, 5, 5, 5]
        .into_iter()
        .map(|hour| {
            let look = look(0, 100.0);
            let mut seen = Seen::default();
            seen.set(Observable::Hour, hour);
            account.look(&rule, &AccountSight { look: &look, seen: &seen, capital: CAPITAL }, &Stance::default())
        })
        .collect();
    assert_eq!(binds, [false, true, true, true, false, false]);
}
