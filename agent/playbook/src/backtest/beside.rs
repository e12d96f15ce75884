//! P-081. What anybody could have done instead.

use golem_primitives::{Ppm, Usdc};

use super::purse::Purse;
use super::{Path, RunKind};
use crate::look::Look;
use crate::range::side_of_pool;
use crate::rule::Manner;

const HALF: Ppm = Ppm::of(500_000);
/// How far half and half may drift before it is put right.
const DRIFT: Ppm = Ppm::of(50_000);

/// Walks a path with the share a strategy wants at each look, if it wants another than it has.
fn walk(looks: &[Look], capital: Usdc, wants: impl Fn(Ppm, bool) -> Option<Ppm>) -> (Path, Purse) {
    let mut purse = Purse::new(capital, 1);
    let mut path = Path::with_room(looks.len());
    let mut pending = None;
    for (at, look) in looks.iter().enumerate() {
        purse.see(0, look.price);
        if let Some(to) = pending.take() {
            purse.fill(0, to, Manner::Hold, look);
        }
        let (value, held) = (purse.value(), purse.held(0));
        path.push(value, held);
        pending = wants(held.ratio_of(value), at == 0);
    }
    (path, purse)
}

pub(super) fn all(looks: &[Look], capital: Usdc) -> [(RunKind, &'static str, (Path, Purse)); 4] {
    let balanced = |share: Ppm, is_first: bool| {
        let drift = share.saturating_sub(HALF).max(HALF.saturating_sub(share));
        (is_first || drift > DRIFT).then_some(HALF)
    };
    [
        (RunKind::Cash, "cash", walk(looks, capital, |_, _| None)),
        (RunKind::Token, "the token", walk(looks, capital, |_, is_first| is_first.then_some(Ppm::ONE))),
        (RunKind::HalfAndHalf, "half and half", walk(looks, capital, balanced)),
        (RunKind::FullRange, "full-range liquidity", full_range(looks, capital)),
    ]
}

/// Liquidity over all prices of a constant product: half is swapped at the second look, from there the worth follows the
/// root of the price, and fees come by the share of the volume. They are kept in cash. Where volume or depth is unknown there
/// are none.
fn full_range(looks: &[Look], capital: Usdc) -> (Path, Purse) {
    let mut purse = Purse::new(capital, 1);
    let mut path = Path::with_room(looks.len());
    let (mut put_in, mut earned) = (None, 0.0_f64);
    for (at, look) in looks.iter().enumerate() {
        purse.see(0, look.price);
        if at == 1 {
            purse.fill(0, HALF, Manner::Hold, look);
            put_in = Some((purse.value().micros() as f64, look.price.micros() as f64));
        }
        let worth = match put_in {
            Some((worth, price)) => worth * libm::sqrt(look.price.micros() as f64 / price),
            None => capital.micros() as f64,
        };
        if put_in.is_some() && at > 1 {
            earned += fees(look, worth, capital);
        }
        let value = Usdc::from_micros((worth + earned) as u64);
        let held = if put_in.is_some() { Usdc::from_micros((worth / 2.0) as u64) } else { Usdc::ZERO };
        path.push(value, held);
    }
    (path, purse)
}

/// What liquidity of this worth earned of the volume since the look before.
fn fees(look: &Look, worth: f64, capital: Usdc) -> f64 {
    if look.impact_ppm == 0 {
        return 0.0;
    }
    let side = side_of_pool(look, capital);
    let paid = look.volume.micros() as f64 * f64::from(look.fee_ppm) / 1e6;
    paid * worth / (2.0 * side + worth)
}
