//! How a trade came about: its amounts from its own logs, and the pool as it stood before it.

use alloy::primitives::aliases::I24;
use alloy::primitives::{Address, U256};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_core::record::{Fill, MOST_POOL_TICKS, Moved, Order, Outcome, OutcomeResult, PoolReading};
use golem_ports::{Act, AttemptState, Attempts, Blindness, ChainError, Errand};

use crate::batch::Batch;
use crate::bindings::IUniswapV3Pool;
use crate::node::{At, Node};
use crate::on_chain::OnChain;
use crate::place::Pool;
use crate::price::MAX_TICK;
use crate::reading::{DEFAULT_WINDOW, PoolReading as PoolNow, read_market};

/// Words of the bitmap that are read on either side of the price: 256 spacings each.
const WORDS: i32 = 1;

/// The part of a pool's ticks that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Range {
    ends: (i32, i32),
    ticks: Vec<i32>,
}

/// The word of the bitmap a tick lies in, as the pool counts them.
const fn word_of(tick: i32, spacing: i32) -> i32 {
    tick.div_euclid(spacing) >> 8
}

/// Which ticks are initialised in these words, at most so many, the nearest to the price. The ends are drawn in to what
/// was kept, so that nothing behind them is taken for empty.
fn initialised(words: &[(i32, U256)], spacing: i32, price_tick: i32, most: usize) -> Range {
    let (Some((first, _)), Some((last, _))) = (words.first(), words.last()) else {
        return Range { ends: (price_tick, price_tick), ticks: Vec::new() };
    };
    let at = |word: i32, bit: i32| word.saturating_mul(256).saturating_add(bit).saturating_mul(spacing);
    let mut ends = (at(*first, 0).max(-MAX_TICK), at(last + 1, 0).min(MAX_TICK));
    let set = words
        .iter()
        .flat_map(|(word, bits)| (0..256i32).filter(|bit| bits.bit(*bit as usize)).map(|bit| at(*word, bit)));
    let mut ticks: Vec<i32> = set.filter(|tick| (ends.0..=ends.1).contains(tick)).collect();
    ticks.sort_by_key(|tick| (tick.abs_diff(price_tick), *tick));
    for beyond in ticks.split_off(ticks.len().min(most)) {
        // The end is the nearest tick that was left out: what changes there is not known.
        if beyond <= price_tick { ends.0 = ends.0.max(beyond) } else { ends.1 = ends.1.min(beyond) }
    }
    ticks.retain(|tick| (ends.0..=ends.1).contains(tick));
    ticks.sort_unstable();
    Range { ends, ticks }
}

/// A pool with the ticks around its price, at one block.
async fn read_pool(node: &Node, multicall: Address, pool: &Pool, at: &At) -> Result<(PoolNow, PoolReading), Blindness> {
    let now = read_market(node, multicall, pool, DEFAULT_WINDOW, at).await?;
    let middle = word_of(now.tick, pool.tick_spacing);
    let mut batch = Batch::default();
    let asked: Vec<_> = (middle - WORDS..=middle + WORDS)
        .filter_map(|word| Some((word, i16::try_from(word).ok()?)))
        .map(|(word, position)| {
            (word, batch.add(pool.address, &IUniswapV3Pool::tickBitmapCall { wordPosition: position }))
        })
        .collect();
    let said = batch.ask(node, multicall, at).await?;
    let words =
        asked.into_iter().map(|(word, slot)| Ok((word, said.get(slot)?))).collect::<Result<Vec<_>, Blindness>>()?;
    let range = initialised(&words, pool.tick_spacing, now.tick, MOST_POOL_TICKS);
    let mut batch = Batch::default();
    let asked: Vec<_> = range
        .ticks
        .iter()
        .filter_map(|tick| Some((*tick, I24::try_from(*tick).ok()?)))
        .map(|(tick, name)| (tick, batch.add(pool.address, &IUniswapV3Pool::ticksCall { tick: name })))
        .collect();
    let said = batch.ask(node, multicall, at).await?;
    let ticks = asked.into_iter().map(|(tick, slot)| Ok((tick, said.get(slot)?.liquidityNet)));
    let reading = PoolReading {
        sqrt_price: U256::from(now.root),
        tick: now.tick,
        liquidity: now.liquidity,
        fee_ppm: pool.fee_ppm,
        ends: range.ends,
        ticks: ticks.collect::<Result<Vec<_>, Blindness>>()?,
        token_is_first: pool.quote.token_is_first,
    };
    Ok((now, reading))
}

/// A pool that cannot be read any more is left out; the amounts stand by themselves.
pub(crate) async fn pool_at(node: &Node, multicall: Address, pool: &Pool, at: &At) -> Option<(PoolNow, PoolReading)> {
    match read_pool(node, multicall, pool, at).await {
        Ok(read) => Some(read),
        Err(blind) => {
            tracing::warn!(block = at.number, %blind, "the pool of a trade could not be recorded");
            None
        }
    }
}

/// The trade an errand is of.
pub(crate) const fn trade_of(errand: &Errand) -> Option<Order> {
    match errand.act {
        Act::Trade(order) => Some(order),
        _ => None,
    }
}

/// A trade that landed and succeeded, and what it moved by its own record.
pub(crate) fn traded<'a>(errand: &Errand, outcome: &'a Outcome) -> Option<(Order, &'a Moved)> {
    match &outcome.result {
        OutcomeResult::Verified(record) if record.receipt.success => Some((trade_of(errand)?, &record.receipt.moved)),
        _ => None,
    }
}

/// D-110. How a trade came about that landed in the block `at`, where its pool stood so in the block before.
pub(crate) fn fill(
    errand: &Errand,
    outcome: &Outcome,
    at: &At,
    venue: &Pool,
    now: PoolNow,
    pool: PoolReading,
) -> Option<Fill> {
    let (order, moved) = traded(errand, outcome)?;
    Some(Fill {
        effect: errand.effect,
        order,
        tick: errand.tick,
        block: at.number,
        at: at.time,
        usdc_micros: moved.usdc_micros,
        token: moved.token,
        decimals: venue.quote.decimals,
        price: now.price,
        gas: outcome.cost.map(|(_, cost)| cost),
        pool: Some(pool),
    })
}

impl OnChain {
    pub(crate) fn read_fill<'a>(
        &'a self,
        errand: &'a Errand,
        outcome: &'a Outcome,
        attempts: &'a mut (dyn Attempts + Send),
    ) -> BoxFuture<'a, Result<Option<Fill>, ChainError>> {
        async move {
            let Some((order, _)) = traded(errand, outcome) else { return Ok(None) };
            let landed = attempts.of(errand.effect)?.into_iter().find_map(|attempt| match attempt.state {
                AttemptState::Landed { block, hash } => Some((block, hash)),
                _ => None,
            });
            let Some((block, hash)) = landed else { return Ok(None) };
            let before = self.node.block(block.saturating_sub(1)).await?;
            let (Some(at), Some(before)) = (self.node.block(block).await?, before) else { return Ok(None) };
            // A block that took its place tells of another market.
            if at.hash != hash {
                return Ok(None);
            }
            let place = &self.place();
            let venue = place.pool_of(order.pool()).unwrap_or(&place.pool);
            let seen = pool_at(&self.node, place.deployment.multicall3, venue, &before).await;
            Ok(seen.and_then(|(now, pool)| fill(errand, outcome, &at, venue, now, pool)))
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(set: &[(i32, usize)]) -> Vec<(i32, U256)> {
        let bits = |word: i32| {
            set.iter().filter(|(at, _)| *at == word).fold(U256::ZERO, |bits, (_, bit)| bits | (U256::from(1) << *bit))
        };
        [-1, 0, 1].map(|word| (word, bits(word))).to_vec()
    }

    /// D-110: the bitmap names its ticks by word and bit, below zero too.
    #[test]
    fn d_110_a_bitmap_names_its_ticks() {
        assert_eq!([word_of(0, 10), word_of(-1, 10), word_of(2_559, 10), word_of(2_560, 10)], [0, -1, 0, 1]);
        let range = initialised(&words(&[(-1, 255), (0, 0), (1, 3)]), 10, 5, 128);
        assert_eq!(range, Range { ends: (-2_560, 5_120), ticks: vec![-10, 0, 2_590] });
    }

    /// D-110: what is left out for want of room draws the ends in, so that a swap that goes there is refused, not guessed.
    #[test]
    fn d_110_what_is_left_out_is_not_taken_for_empty() {
        let all = [(0, 1), (0, 2), (0, 3), (0, 200)];
        let range = initialised(&words(&all), 1, 2, 2);
        assert_eq!(range, Range { ends: (-256, 3), ticks: vec![1, 2] });
        let below = initialised(&words(&all), 1, 100, 1);
        assert_eq!(below, Range { ends: (2, 200), ticks: vec![3] });
        assert_eq!(initialised(&[], 10, 7, 4), Range { ends: (7, 7), ticks: Vec::new() });
    }
}
