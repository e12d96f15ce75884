//! The pool a life of a trial trades in: what its liquidity earns and what gas costs follow from where its price went.

use golem_core::record::{MarketReading, PoolAccess};
use golem_primitives::{Denomination, PoolName, U256, Usdc};

/// Liquidity of the pool, the same in every tick.
pub(crate) const LIQUIDITY: u128 = 1_000_000_000_000_000_000;
/// What gas costs in a market that moves as much as it usually does.
const USUAL_GAS_WEI: f64 = 10_000_000.0;
/// Share of the way that gas goes in a tick towards what the market asks, as a full block raises it on chain.
const GAS_PACE: f64 = 1.0 / 8.0;
/// Share of the way that the usual move goes towards the newest.
const USUAL_PACE: f64 = 1.0 / 128.0;

/// A pool with the token first.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    fee_ppm: u32,
    root: Option<f64>,
    fee_growth: [U256; 2],
    gas_wei: f64,
    usual_move: f64,
}

impl Pool {
    pub(crate) const fn new(fee_ppm: u32) -> Self {
        Self { fee_ppm, root: None, fee_growth: [U256::ZERO; 2], gas_wei: USUAL_GAS_WEI, usual_move: 0.0 }
    }

    /// The pool once its price is this. Who moved it there paid the fee: a rise in USDC, a fall in the token.
    pub(crate) fn at(&mut self, price: Usdc) -> MarketReading {
        let root = libm::sqrt(price.micros().max(1) as f64 / 1e18);
        if let Some(before) = self.root.replace(root) {
            let fee = f64::from(self.fee_ppm) / 1e6;
            let (place, swapped) = if root > before { (1, root - before) } else { (0, 1.0 / root - 1.0 / before) };
            self.fee_growth[place] = self.fee_growth[place].wrapping_add(fixed(fee * swapped));
            self.busy(libm::fabs(root / before - 1.0));
        }
        MarketReading {
            price,
            pool: PoolName::HOME,
            token: 0,
            access: PoolAccess::Open,
            denomination: Denomination::default(),
            twap: Some(price),
            pool_tick: 0,
            tick_spacing: 10,
            token_is_first: true,
            liquidity: LIQUIDITY,
            fee_ppm: self.fee_ppm,
            base_fee_wei: self.gas_wei as u64,
            ether: price,
            fee_growth: self.fee_growth,
        }
    }

    /// Gas follows how busy the market is: twice the usual move, some 40% dearer in time.
    fn busy(&mut self, moved: f64) {
        self.usual_move += (moved - self.usual_move) * if self.usual_move > 0.0 { USUAL_PACE } else { 1.0 };
        let ratio = if self.usual_move > 0.0 { (moved / self.usual_move).clamp(0.1, 10.0) } else { 1.0 };
        self.gas_wei += (USUAL_GAS_WEI * libm::sqrt(ratio) - self.gas_wei) * GAS_PACE;
    }
}

/// A number with 128 bits behind the point, as a pool counts; a float has 53 bits, so the lowest are nothing.
fn fixed(value: f64) -> U256 {
    U256::from((value.max(0.0) * (1u128 << 80) as f64) as u128) << 48
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-061: what is read of the pool as volume is what moving its price takes, both ways.
    #[test]
    fn p_061_volume_is_what_moved_the_price() {
        let mut pool = Pool::new(500);
        let [before, up, down] = [3_000, 3_003, 3_000].map(|price| pool.at(Usdc::whole(price)));
        // 1e18 of liquidity between the roots of 3,000 and 3,003: 1e18 * (root 3,003e6 - root 3,000e6) / 1e9.
        let wanted = 27_379.0;
        for volume in [up.volume_since(&before), down.volume_since(&up)] {
            let usdc = volume.micros() as f64 / 1e6;
            assert!((usdc / wanted - 1.0).abs() < 0.002, "{usdc}");
        }
        let wild = pool.at(Usdc::whole(3_030));
        assert!(wild.base_fee_wei > down.base_fee_wei, "who moves it ten times as far makes gas dearer");
    }
}
