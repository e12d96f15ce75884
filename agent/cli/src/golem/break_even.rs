//! P-023. At what capital a life earns what it costs.

use golem_playbook::Book;
use golem_playbook::rule::Action;
use golem_primitives::{Ppm, Usdc};

/// What going in and out again costs where nobody has looked at a pool yet, in millionths: a fee of a twentieth of a percent
/// both ways and as much again for gas and the curve.
const USUAL_ROUND_TRIP_PPM: i64 = 2_000;

/// The capital from which a book pays this much a day, if the best of its rules keeps its promise without a pause at its whole
/// stake: the least there can be. `None` for a book that promises nothing beyond its costs.
pub(crate) fn promised(book: &Book, stake: Ppm, daily: Usdc, looks_a_day: u64) -> Option<Usdc> {
    let a_day = |rule: &golem_playbook::Rule| {
        let (Action::Hold { share } | Action::Provide { share, .. }) = rule.action else { return None };
        let expects = rule.expects?;
        let net = (expects.return_ppm - USUAL_ROUND_TRIP_PPM) as f64 / 1e6;
        let trips = looks_a_day as f64 / f64::from(expects.within.max(1));
        Some(net * trips * share.as_f64() * stake.as_f64())
    };
    capital_for(daily, book.rules.iter().filter_map(a_day).fold(0.0, f64::max))
}

fn capital_for(daily: Usdc, share_a_day: f64) -> Option<Usdc> {
    // `as` keeps what is too large within the range.
    (share_a_day > 0.0).then(|| Usdc::from_micros((daily.micros() as f64 / share_a_day) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-023: 0.3% net in 200 looks at 2,160 a day on a tenth of the capital are 0.324% a day: 0.324 USDC a day need 100 USDC.
    #[test]
    fn p_023_a_book_breaks_even_where_its_best_promise_pays_the_rent() {
        let book = Book::founding("mean-reversion").expect("it ships");
        let least =
            promised(&book, Ppm::of(100_000), Usdc::from_micros(324_000), 2_160).expect("it promises something");
        assert!(least.micros().abs_diff(100_000_000) < 10, "{least}");
        let mut idle = book.clone();
        idle.rules.iter_mut().for_each(|rule| rule.expects = None);
        assert_eq!(promised(&idle, Ppm::of(100_000), Usdc::whole(1), 2_160), None);
    }
}
