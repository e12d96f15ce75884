//! Every word against what a person would work out from the last looks alone.

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;
use crate::observable::Stance;

const STAKE: Usdc = Usdc::from_micros(50_000_000);

/// A look at a price, everything else ordinary.
fn look_at(price: u64) -> Look {
    Look {
        time: 1_700_000_000,
        price: Usdc::from_micros(price),
        twap: Usdc::from_micros(price),
        impact_ppm: 100,
        fee_ppm: 500,
        volume: Usdc::ZERO,
        gas: Usdc::from_micros(10_000),
    }
}

/// How a path goes.
#[derive(Debug, Clone, Copy)]
enum Path {
    Walk,
    Still,
    Line,
    Jumps,
    Huge,
    Anything,
}

fn next_price(path: Path, price: u64, chance: &mut ChaCha8Rng) -> u64 {
    let step = chance.next_u64();
    match path {
        Path::Walk => (price as u128 * u128::from(998_500 + step % 3_001) / 1_000_000) as u64,
        Path::Still => price,
        Path::Line => price.saturating_add(1_000),
        Path::Jumps if step.is_multiple_of(40) => price / 3 + step % (4 * price.min(1 << 50) + 9),
        Path::Jumps => price,
        Path::Huge => u64::MAX - step % 1_000,
        Path::Anything => step >> (step % 64),
    }
}

fn walk(path: Path, looks: usize, seed: u64) -> Vec<Look> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut price = 3_000_000_000;
    (0..looks)
        .map(|at| {
            price = next_price(path, price, &mut chance);
            let mut look = look_at(price);
            look.time += 12 * at as u64;
            look.volume = Usdc::from_micros(chance.next_u64() % 7 * 1_000_000_007);
            look.gas = Usdc::from_micros(chance.next_u64() % 400);
            look
        })
        .collect()
}

fn watched(looks: &[Look]) -> Watch {
    let mut watch = Watch::default();
    for look in looks {
        watch.look(look, STAKE);
    }
    watch
}

fn seen(watch: &Watch, word: Observable) -> Option<i64> {
    watch.seen().get(word, &Stance::default())
}

fn prices(looks: &[Look]) -> Vec<i128> {
    looks.iter().map(|look| i128::from(look.price.micros().clamp(1, HIGHEST))).collect()
}

fn nearest(value: f64) -> i64 {
    value.clamp(-MOST, MOST).round() as i64
}

/// Returns in billionths between neighbours.
fn returns(prices: &[i128]) -> Vec<i128> {
    prices.windows(2).map(|pair| ((pair[1] - pair[0]) * 1_000_000_000 / pair[0]).min(1_000_000_000_000_000)).collect()
}

fn naive_vol(prices: &[i128]) -> i64 {
    let returns = returns(prices);
    let count = returns.len() as i128;
    let (sum, squares) = (returns.iter().sum::<i128>(), returns.iter().map(|r| r * r).sum::<i128>());
    nearest(sums::wide(count * squares - sum * sum).sqrt() * (1.0 / (count * 1_000) as f64))
}

/// Everything a span says, from its looks alone.
fn naive(looks: &[Look], span: Span) -> [Option<i64>; 5] {
    let Some(from) = looks.len().checked_sub(span.looks()) else { return [None; 5] };
    let prices = prices(&looks[from..]);
    let count = prices.len() as i128;
    let (newest, oldest) = (prices[prices.len() - 1], prices[0]);
    let sum: i128 = prices.iter().sum();
    let scatter = count * prices.iter().map(|p| p * p).sum::<i128>() - sum * sum;
    let by_scatter = 1.0 / sums::wide(scatter).sqrt();
    let z = if scatter == 0 { 0.0 } else { (count * newest - sum) as f64 * by_scatter * 1e6 };
    let places: i128 = (0..count).sum();
    let places_scatter = (count * (0..count).map(|x| x * x).sum::<i128>() - places * places) as f64;
    let placed: i128 = (0..count).zip(&prices).map(|(x, p)| x * p).sum();
    let along = sums::wide(count * placed - places * sum) * by_scatter * (1.0 / places_scatter.sqrt());
    let error = (1.0 - along * along).max(f64::MIN_POSITIVE).sqrt();
    let trend = if scatter == 0 { 0.0 } else { along * ((count - 2) as f64).sqrt() / error * 1e6 };
    let (high, low) = (prices.iter().max().expect("some"), prices.iter().min().expect("some"));
    let by = |part: i128, whole: i128| nearest(part as f64 / whole as f64 * 1e6);
    [
        Some(nearest(z)),
        Some(by(newest - oldest, oldest)),
        Some(naive_vol(&prices)),
        Some(nearest((high - low) as f64 * (1.0 / newest as f64) * 1e6)),
        Some(nearest(trend.clamp(-1e9, 1e9))),
    ]
}

fn said(watch: &Watch, span: Span) -> [Option<i64>; 5] {
    [Observable::Z, Observable::Move, Observable::Vol, Observable::Range, Observable::Trend]
        .map(|word| seen(watch, word(span)))
}

fn naive_rank(looks: &[Look], span: Span) -> Option<i64> {
    let values = 4 * span.looks();
    let from = (looks.len() + 1).checked_sub(values + span.looks())?;
    let prices = prices(&looks[from..]);
    let steps: Vec<usize> = prices.windows(span.looks()).map(|window| rank::step_of(naive_vol(window))).collect();
    let mine = *steps.last()?;
    let (below, same) =
        (steps.iter().filter(|step| **step < mine).count(), steps.iter().filter(|step| **step == mine).count());
    Some(nearest((2 * below + same) as f64 * 1e6 / (2 * values) as f64))
}

fn naive_gas(looks: &[Look]) -> Option<i64> {
    let mut last: Vec<u64> = looks[looks.len().checked_sub(255)?..].iter().map(|look| look.gas.micros()).collect();
    let newest = *last.last()?;
    last.sort_unstable();
    Some(nearest(newest as f64 / last[127] as f64 * 1e6))
}

fn naive_fees(looks: &[Look], span: Span) -> Option<i64> {
    let span = &looks[looks.len().checked_sub(span.looks())?..];
    let each = |look: &Look| u128::from(look.volume.micros()) * 500 * 100 / (2 * u128::from(STAKE.micros()));
    let sum: u128 = span.iter().map(each).sum();
    (sum > 0).then(|| nearest(sum as f64 / 1e6))
}

fn paths() -> impl Strategy<Value = Path> {
    prop::sample::select(vec![Path::Walk, Path::Still, Path::Line, Path::Jumps, Path::Huge, Path::Anything])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn p_003_a_kept_value_is_the_one_worked_out_from_the_last_looks(
        path in paths(), seed: u64, looks in 1_usize..2_600,
    ) {
        let looks = walk(path, looks, seed);
        let watch = watched(&looks);
        for span in Span::ALL {
            prop_assert_eq!(said(&watch, span), naive(&looks, span), "{:?} of {:?}", span, path);
            prop_assert_eq!(seen(&watch, Observable::Fees(span)), naive_fees(&looks, span));
        }
        for span in [Span::L16, Span::L64, Span::L256] {
            prop_assert_eq!(seen(&watch, Observable::VolRank(span)), naive_rank(&looks, span), "{:?}", path);
        }
        prop_assert_eq!(seen(&watch, Observable::Gas), naive_gas(&looks));
    }

    /// P-056, P-076. A watch that takes up the newest rows says at every later look what the one says that saw them all.
    #[test]
    fn p_076_a_watch_goes_on_from_its_newest_rows(
        path in paths(), seed: u64, seen in 1_usize..2 * MEMORY + 1_500, after in 0_usize..1_100,
    ) {
        let looks = walk(path, seen + after, seed);
        let mut lived = watched(&looks[..seen]);
        let rows: Vec<Row> = looks[..seen].iter().map(|look| Row { look: *look, capital: STAKE }).collect();
        let newest = &rows[seen.saturating_sub(MEMORY + 7)..];
        let mut again = Watch::resume(WordSet::ALL, newest.iter());
        prop_assert_eq!(again.seen(), lived.seen());
        for look in &looks[seen..] {
            prop_assert_eq!(again.look(look, STAKE), lived.look(look, STAKE));
        }
    }

    /// P-003. A watch of some words says of them what a watch of all says, and of the others nothing.
    #[test]
    fn p_003_a_word_is_the_same_whatever_else_is_asked(
        path in paths(), seed: u64, looks in 1_usize..MEMORY + 300,
        words in proptest::sample::subsequence(Observable::all().collect::<Vec<_>>(), 0..4),
    ) {
        let looks = walk(path, looks, seed);
        let asked = words.iter().copied().map(WordSet::of).fold(WordSet::NONE, WordSet::with);
        let (mut some, mut all) = (Watch::of(asked), Watch::default());
        for look in &looks {
            let (some, all) = (some.look(look, STAKE), all.look(look, STAKE));
            for word in Observable::all().filter(|word| word.place().is_some()) {
                let wanted = all.get(word, &Stance::default()).filter(|_| asked.has_all_of(WordSet::of(word)));
                prop_assert_eq!(some.get(word, &Stance::default()), wanted, "{:?} of {:?}", word, words);
            }
        }
    }

    #[test]
    fn p_003_no_look_is_too_strange(fields: [u64; 6], small: [u32; 2], stake: u64, times in 1_usize..40) {
        let [time, price, twap, volume, gas, other] = fields;
        let look = Look {
            time,
            price: Usdc::from_micros(price),
            twap: Usdc::from_micros(twap),
            impact_ppm: small[0],
            fee_ppm: small[1],
            volume: Usdc::from_micros(volume),
            gas: Usdc::from_micros(gas),
        };
        let mut watch = Watch::default();
        for at in 0..times {
            let price = if at % 2 == 0 { price } else { other };
            watch.look(&Look { price: Usdc::from_micros(price), ..look }, Usdc::from_micros(stake));
        }
        prop_assert!(seen(&watch, Observable::Hour).is_some_and(|hour| (0..24).contains(&hour)));
        prop_assert!(seen(&watch, Observable::Weekday).is_some_and(|day| (1..=7).contains(&day)));
    }
}

/// The formulas of a textbook in floats, far from any trick of ours.
#[test]
fn p_003_values_are_what_a_textbook_says() {
    let looks = walk(Path::Walk, 300, 11);
    let watch = watched(&looks);
    let prices: Vec<f64> = looks[300 - 64..].iter().map(|look| look.price.micros() as f64).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let deviation = |values: &[f64]| {
        let middle = mean(values);
        mean(&values.iter().map(|value| (value - middle) * (value - middle)).collect::<Vec<_>>()).sqrt()
    };
    let close = |word, wanted: f64| {
        let got = seen(&watch, word).expect("full") as f64 / 1e6;
        assert!((got - wanted).abs() < 2e-6, "{word:?}: {got} against {wanted}");
    };
    close(Observable::Z(Span::L64), (prices[63] - mean(&prices)) / deviation(&prices));
    let returns: Vec<f64> = prices.windows(2).map(|pair| pair[1] / pair[0] - 1.0).collect();
    close(Observable::Vol(Span::L64), deviation(&returns));
    let (x, y) = (mean(&(0..64).map(f64::from).collect::<Vec<_>>()), mean(&prices));
    let across: f64 = (0..64).map(|at| (f64::from(at) - x) * (f64::from(at) - x)).sum();
    let slope = (0..64).zip(&prices).map(|(at, p)| (f64::from(at) - x) * (p - y)).sum::<f64>() / across;
    let left = |(at, p): (i32, &f64)| (p - y - slope * (f64::from(at) - x)) * (p - y - slope * (f64::from(at) - x));
    let error = ((0..64).zip(&prices).map(left).sum::<f64>() / 62.0 / across).sqrt();
    close(Observable::Trend(Span::L64), slope / error);
}

#[test]
fn p_003_a_span_that_is_not_full_says_nothing() {
    let looks = walk(Path::Walk, MEMORY, 3);
    for span in Span::ALL {
        let full = span.looks();
        assert_eq!(said(&watched(&looks[..full - 1]), span), [None; 5]);
        assert!(said(&watched(&looks[..full]), span).iter().all(Option::is_some));
        assert_eq!(seen(&watched(&looks[..5 * full - 2]), Observable::VolRank(span)), None);
        assert!(seen(&watched(&looks[..5 * full - 1]), Observable::VolRank(span)).is_some());
    }
    assert_eq!(seen(&watched(&looks[..254]), Observable::Gas), None);
    assert!(seen(&watched(&looks[..255]), Observable::Gas).is_some());
}

#[test]
fn p_003_what_is_said_depends_on_the_last_looks_alone() {
    let looks = walk(Path::Jumps, 3 * MEMORY, 5);
    assert_eq!(watched(&looks).seen(), watched(&looks[2 * MEMORY..]).seen());
    let span = Span::L1024;
    assert_eq!(seen(&watched(&looks), Observable::VolRank(span)), naive_rank(&looks, span));
}

#[test]
fn p_003_a_still_market_is_at_its_mean_and_goes_nowhere() {
    let watch = watched(&walk(Path::Still, 400, 1));
    assert_eq!(said(&watch, Span::L64), [Some(0); 5]);
    assert_eq!(seen(&watch, Observable::VolRank(Span::L64)), Some(500_000), "all alike: in the middle");
}

/// P-020. Rent is no part of a look and is charged by who lives.
#[test]
fn p_020_a_round_trip_costs_fee_impact_and_gas_both_ways() {
    let look = Look { gas: Usdc::from_micros(5_000), ..look_at(3_000_000_000) };
    assert_eq!(round_trip(&look, STAKE), Some(2 * (500 + 100) + 200));
    assert_eq!(
        round_trip(&look, Usdc::from_micros(5_000_000)),
        Some(2 * (500 + 100) + 2_000),
        "a small stake pays more"
    );
    assert_eq!(round_trip(&look, Usdc::ZERO), None);
    let mut watch = Watch::default();
    assert_eq!(watch.look(&look, STAKE).get(Observable::Cost, &Stance::default()), Some(1_400));
}

#[test]
fn p_003_the_words_of_one_look() {
    // 14 November 2023, 22:13 UTC: a Tuesday.
    let look = Look { twap: Usdc::from_micros(2_000_000_000), ..look_at(2_010_000_000) };
    let watch = watched(&[look]);
    assert_eq!(seen(&watch, Observable::Gap), Some(5_000));
    assert_eq!(seen(&watch, Observable::Depth), Some(100));
    assert_eq!(seen(&watch, Observable::Hour), Some(22));
    assert_eq!(seen(&watch, Observable::Weekday), Some(2));
    let nobody = watched(&[look, Look { twap: Usdc::ZERO, ..look }]);
    assert_eq!(seen(&nobody, Observable::Gap), None);
}

/// M-085: the regime is the fifth of its own past in which the volatility of 64 looks stands.
#[test]
fn m_085_the_regime_is_a_fifth_of_the_past() {
    let watch = watched(&walk(Path::Jumps, 2_000, 5));
    let rank = seen(&watch, Observable::VolRank(Span::L64)).expect("long enough");
    assert_eq!(seen(&watch, Observable::Regime), Some(1 + (rank * 5 / 1_000_000).min(4)));
    let calm = watched(&walk(Path::Still, 400, 1));
    assert_eq!(seen(&calm, Observable::Regime), Some(3), "all alike: in the middle");
    assert_eq!([0, 199_999, 200_000, 999_999, 1_000_000].map(quintile), [1, 1, 2, 5, 5]);
}
