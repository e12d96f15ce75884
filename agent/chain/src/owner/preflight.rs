//! Whether a pool can be trusted with a token's price, asked before money moves (V-011).

use alloy::primitives::Address;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::policy::Policy;
use crate::bindings::{ISwapAdapter, IUniswapV3Pool};
use crate::price::usdc;

/// Blocks over which the time of one is measured.
const MEASURED_BLOCKS: u64 = 100;

/// What a pool is worth as the source of a token's price, as the suite itself judges it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolReport {
    pub pool: Address,
    pub token: Address,
    /// Why the vault would refuse it now, in the contract's words.
    pub refusal: Option<String>,
    /// USDC it would hold over the window, were its liquidity spread over all prices.
    pub depth: Usdc,
    pub least_depth: Usdc,
    /// How far back it remembers, in seconds.
    pub covered_seconds: u64,
    pub window: u32,
    /// Observations it keeps, one for each block that trades.
    pub observations: u16,
    /// Observations it will keep, once it has grown to what was paid for.
    pub observations_next: u16,
    pub block_seconds: u64,
}

/// What that means for an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoolStanding {
    Sound,
    /// It is refused today and will be taken once it has traded for the length of the window.
    Young,
    /// It keeps too few observations to cover the window when every block trades.
    Forgetful,
    /// It was never given a price.
    Unopened,
    /// It is too shallow: moving its price costs too little.
    Shallow,
    NoPool,
}

impl PoolReport {
    /// Observations that cover the window when every block trades.
    #[must_use]
    pub fn wanted_observations(&self) -> u16 {
        let blocks = u64::from(self.window).div_ceil(self.block_seconds.max(1));
        u16::try_from(blocks + 1).unwrap_or(u16::MAX)
    }

    /// Whether whoever trades a little in every block makes it forget the window.
    #[must_use]
    pub fn can_be_made_to_forget(&self) -> bool {
        self.observations.max(self.observations_next) < self.wanted_observations()
    }

    /// What to think of it.
    #[must_use]
    pub fn standing(&self) -> PoolStanding {
        match self.refusal {
            None => PoolStanding::Sound,
            // It answered nothing: whatever stands there is no pool of these two tokens.
            Some(_) if self.observations == 0 && self.observations_next == 0 && self.covered_seconds == 0 => {
                match self.refusal.as_deref() {
                    Some(words) if words.contains("window") => PoolStanding::Unopened,
                    _ => PoolStanding::NoPool,
                }
            }
            Some(_) if self.covered_seconds >= u64::from(self.window) => PoolStanding::Shallow,
            Some(_) if self.can_be_made_to_forget() => PoolStanding::Forgetful,
            Some(_) => PoolStanding::Young,
        }
    }

    /// Whether it may be listed: it is sound, or will be by waiting alone.
    #[must_use]
    pub fn is_fit(&self) -> bool {
        matches!(self.standing(), PoolStanding::Sound | PoolStanding::Young)
    }

    /// How anybody gives it a longer memory.
    #[must_use]
    pub fn grow(&self) -> String {
        let (pool, wanted) = (self.pool, self.wanted_observations());
        format!("cast send {pool} \"increaseObservationCardinalityNext(uint16)\" {wanted}")
    }

    /// What to do about it; `None` when there is nothing to do.
    #[must_use]
    pub fn remedy(&self) -> Option<String> {
        let left = u64::from(self.window).saturating_sub(self.covered_seconds);
        match self.standing() {
            PoolStanding::Sound if self.can_be_made_to_forget() => Some(format!(
                "it keeps {} observations, and {} are needed to cover {} s when every block of {} s trades: a stranger could \
                 make it forget cheaply, and the vault would refuse to trade. Anybody can mend that, once and for good: {}",
                self.observations,
                self.wanted_observations(),
                self.window,
                self.block_seconds,
                self.grow()
            )),
            PoolStanding::Sound => None,
            PoolStanding::Young => Some(format!(
                "it remembers {} s of the {} s that are wanted and keeps enough; the vault trades there in about {} minutes",
                self.covered_seconds,
                self.window,
                left.div_ceil(60)
            )),
            PoolStanding::Forgetful => Some(format!(
                "it keeps {} observations, {} are needed; give it more and wait {} minutes: {}",
                self.observations,
                self.wanted_observations(),
                u64::from(self.window).div_ceil(60),
                self.grow()
            )),
            PoolStanding::Unopened => {
                Some("nobody has given this pool a price yet; choose one that is traded in".into())
            }
            PoolStanding::Shallow => Some(format!(
                "it has {} of depth, {} is the least; choose a deeper pool, such as one of another fee",
                self.depth, self.least_depth
            )),
            PoolStanding::NoPool => {
                Some("check the address and the chain; the factory's getPool(token, usdc, fee) names the pools".into())
            }
        }
    }
}

impl OwnerDesk {
    /// What the suite thinks of `pool` as the source of the price of `token`, under `policy`. Without a token: of the other
    /// one that the pool has beside USDC.
    pub fn preflight<'a>(
        &'a self,
        pool: Address,
        token: Option<Address>,
        policy: &'a Policy,
    ) -> BoxFuture<'a, Result<PoolReport, DeskError>> {
        async move {
            let token = match token {
                Some(token) => token,
                None => self.other_token(pool).await?,
            };
            let (window, least_depth) = (policy.twap_window, policy.min_depth);
            let call = ISwapAdapter::preflightCall { pool, token, window, minDepth: least_depth.micros() };
            let said = self.read(self.deployment.swap_adapter, call).await?;
            Ok(PoolReport {
                pool,
                token,
                refusal: Some(said.refusal).filter(|words| !words.is_empty()),
                depth: usdc(said.depth),
                least_depth,
                covered_seconds: said.coveredSeconds.saturating_to(),
                window,
                observations: said.observations,
                observations_next: said.observationsNext,
                block_seconds: self.block_seconds().await?,
            })
        }
        .boxed()
    }

    /// What a pool has beside USDC; wrapped ether where nobody answers.
    async fn other_token(&self, pool: Address) -> Result<Address, DeskError> {
        let answers = |answer: Result<Address, DeskError>| match answer {
            Ok(token) => Ok(Some(token)),
            Err(DeskError::Unreadable { .. } | DeskError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        };
        let first = answers(self.read(pool, IUniswapV3Pool::token0Call {}).await)?;
        let second = answers(self.read(pool, IUniswapV3Pool::token1Call {}).await)?;
        let usdc = self.deployment.usdc;
        Ok(first.into_iter().chain(second).find(|token| *token != usdc).unwrap_or(self.deployment.weth))
    }

    /// Seconds between two blocks, of late; at least one.
    async fn block_seconds(&self) -> Result<u64, DeskError> {
        let head = self.endpoints.head().await?;
        let blocks = head.number.min(MEASURED_BLOCKS);
        if blocks == 0 {
            return Ok(1);
        }
        let earlier = self.endpoints.block(head.number - blocks).await?.map_or(head.time, |block| block.time);
        Ok((head.time.seconds().saturating_sub(earlier.seconds()) / blocks).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(refusal: &str, covered: u64, kept: u16, next: u16) -> PoolReport {
        PoolReport {
            pool: Address::repeat_byte(7),
            token: Address::repeat_byte(8),
            refusal: Some(refusal.to_owned()).filter(|words| !words.is_empty()),
            depth: Usdc::whole(9),
            least_depth: Usdc::whole(50_000),
            covered_seconds: covered,
            window: 1_800,
            observations: kept,
            observations_next: next,
            block_seconds: 2,
        }
    }

    /// V-011: what time alone mends, what somebody has to pay for, and what nobody can mend are told apart.
    #[test]
    fn v_011_each_refusal_has_its_remedy() {
        const WINDOW: &str = "its observations do not reach back over the window";
        for (report, standing, words) in [
            (report("", 4_000, 901, 901), PoolStanding::Sound, ""),
            (report("", 4_000, 1, 1), PoolStanding::Sound, "901 are needed"),
            (report(WINDOW, 40, 1, 2_000), PoolStanding::Young, "in about 30 minutes"),
            (report(WINDOW, 40, 1, 900), PoolStanding::Forgetful, "increaseObservationCardinalityNext(uint16)\" 901"),
            (report(WINDOW, 0, 0, 0), PoolStanding::Unopened, "a price"),
            (report("its depth in USDC is below the minimum", 4_000, 1, 1), PoolStanding::Shallow, "9.00 USDC"),
            (report("no contract stands at this address", 0, 0, 0), PoolStanding::NoPool, "getPool"),
        ] {
            assert_eq!(report.standing(), standing, "{report:?}");
            let remedy = report.remedy().unwrap_or_default();
            assert!(remedy.contains(words) && remedy.is_empty() == words.is_empty(), "{remedy}");
        }
        let slow = PoolReport { block_seconds: 900, ..report("", 4_000, 3, 3) };
        assert!(!slow.can_be_made_to_forget());
        assert_eq!(PoolReport { block_seconds: 1, window: 86_400, ..slow }.wanted_observations(), u16::MAX);
    }
}
