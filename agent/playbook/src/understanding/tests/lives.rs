//! P-065, P-066. Whole lives in markets by seed, through the epistemic clock that real lives die by.

#![allow(clippy::print_stdout, reason = "the shares and their interval are what is shown")]

use golem_mortality::epistemic::clock::{EpistemicClock, EpistemicFacts, EpistemicLaw};
use golem_primitives::Tick;

use super::markets::{Break, Kind, Market};
use super::*;

const LIFE: u64 = 20_000;
/// Looks after which a belief about the price is judged.
const HOLDING: u64 = 48;

/// What became of a life's understanding.
#[derive(Debug, Clone, Copy, Default)]
struct Fate {
    /// The first look at which it was senescent.
    senescent: Option<u64>,
    /// Mean of R² over the looks at which there was one.
    mean: f64,
    lowest: f64,
    last: f64,
}

/// Lives through a market. From `frozen_from` on nothing is learnt: after each look it knows again what it knew then.
fn live(market: &mut Market, looks: u64, frozen_from: Option<u64>) -> Fate {
    let law = EpistemicLaw::default();
    let mut clock = EpistemicClock::default();
    let mut understanding = Understanding::default();
    let mut prices = Ring::<f64, 64>::new();
    let mut frozen = None;
    let mut fate = Fate { lowest: 1.0, ..Fate::default() };
    let (mut scores, mut outlook) = (0u32, (0.0, 0.0));
    for look in 1..=looks {
        let seen = market.next();
        let price = seen.price.micros() as f64;
        prices.push(price);
        let looked = understanding.look(&seen);
        let mut pairs: ArrayVec<Pair, 8> = looked.judged.iter().filter_map(|judged| judged.pair).collect();
        if look.is_multiple_of(HOLDING) {
            // What the shipped mean reversion believes, near enough: half of the way back to the mean.
            let (from, expected) = outlook;
            if from > 0.0 {
                pairs.extend(understanding.price(expected, price / from - 1.0, HOLDING));
            }
            let mean = prices.iter().sum::<f64>() / prices.len() as f64;
            outlook = (price, 0.5 * (mean / price - 1.0));
        }
        if frozen_from.is_some_and(|from| look >= from) {
            assert!(understanding.take_up(frozen.get_or_insert(*understanding.learnt())));
        }
        let facts = EpistemicFacts { pairs: &pairs, ..EpistemicFacts::default() };
        let score = clock.tick(&law, Tick::new(look), &facts).score;
        if let Some(score) = score {
            scores += 1;
            fate.mean += score.get();
        }
        fate.lowest = fate.lowest.min(clock.fitness().get());
        if clock.senescence().is_senescent() && fate.senescent.is_none() {
            fate.senescent = Some(look);
        }
    }
    fate.mean /= f64::from(scores.max(1));
    fate.last = clock.fitness().get();
    fate
}

/// Lives in each market: in all three together enough that none of them senescent is under 5 in 100, nineteen times in twenty.
fn lives() -> u64 {
    if std::env::var_os("BARDO_DEEP").is_some() { 200 } else { 21 }
}

/// The largest share that makes so few of so many as likely as one in twenty (Clopper and Pearson).
fn at_most(found: u64, of: u64) -> f64 {
    let likelihood = |share: f64| {
        let mut term = libm::pow(1.0 - share, of as f64);
        (0..=found).fold(0.0, |sum, k| {
            let now = term;
            term *= (of - k) as f64 / (k + 1) as f64 * share / (1.0 - share);
            sum + now
        })
    };
    let (mut low, mut high) = (0.0, 1.0 - 1e-9);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if likelihood(middle) > 0.05 { low = middle } else { high = middle }
    }
    high
}

/// P-065: who learns does not grow senile in a market that stays what it is.
#[test]
fn p_065_fewer_than_5_in_100_learners_are_senescent_in_20_000_looks() {
    let mut senescent = 0;
    for kind in Kind::ALL {
        let fates: Vec<Fate> = (0..lives()).map(|seed| live(&mut Market::new(kind, seed, None), LIFE, None)).collect();
        let here = fates.iter().filter(|fate| fate.senescent.is_some()).count() as u64;
        let mean = fates.iter().map(|fate| fate.mean).sum::<f64>() / fates.len() as f64;
        let lowest = fates.iter().map(|fate| fate.lowest).fold(1.0, f64::min);
        let told = format!("{kind:?}: {here} of {} senescent, R² {mean:.2}, lowest fitness {lowest:.2}", lives());
        println!("{told}");
        assert!(mean > 0.45, "an understanding worth the name: {told}");
        senescent += here;
    }
    let (of, most) = (3 * lives(), at_most(senescent, 3 * lives()));
    println!("{senescent} of {of}: with 95 in 100 no more than {most:.3}");
    assert!(most < 0.05, "{senescent} of {of}: {most:.3}");
}

/// P-066: the market breaks at look 8,000. Who cannot learn any more is senescent; who learns is fit again.
#[test]
fn p_066_a_break_ages_those_who_cannot_learn_and_learners_recover() {
    const AT: u64 = 8_000;
    let breaks = Some(Break { at: AT, volatility: 3.0, gas: 5.0 });
    for kind in Kind::ALL {
        let of = lives() / 2 + 2;
        let aged = (0..of).filter(|seed| {
            let fate = live(&mut Market::new(kind, *seed, breaks), AT + 3_000, Some(AT));
            fate.senescent.is_some_and(|look| look >= AT)
        });
        let aged = aged.count() as u64;
        let learners: Vec<Fate> =
            (0..of).map(|seed| live(&mut Market::new(kind, seed, breaks), AT + 3_000, None)).collect();
        let senescent = learners.iter().filter(|fate| fate.senescent.is_some()).count() as u64;
        let recovered = learners.iter().filter(|fate| fate.last >= 0.45).count() as u64;
        let told = format!("{kind:?}: frozen {aged} of {of}; learners {senescent} senescent, {recovered} fit again");
        println!("{told}");
        assert!(aged * 100 >= 90 * of, "{told}");
        assert!(recovered * 2 > of, "{told}");
    }
}
