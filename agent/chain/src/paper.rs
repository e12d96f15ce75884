//! The chain as a Golem on paper has it: it sees the market, asks what a trade would bring, and sends nothing.

use alloy::primitives::aliases::U24;
use alloy::primitives::{Address, B256, U160, U256};
use alloy::sol_types::SolCall;
use golem_core::record::{Fill, Moved, Order, Outcome, OutcomeResult, Sight};
use golem_ports::{Act, Attempts, Blindness, Chain, ChainError, Errand, Progress};
use golem_primitives::{EffectId, Tick, Usdc};

use crate::bindings::IQuoterV2;
use crate::deployment::Deployment;
use crate::drive::done;
use crate::endpoints::Endpoints;
use crate::fill::{pool_at, trade_of};
use crate::node::{At, Call, Node};
use crate::place::{Pool, PostingError, find_pool};
use crate::preview::words;
use crate::price::{amounts_of, liquidity_for};
use crate::reading::{DEFAULT_WINDOW, read_market};
use crate::reorg::newest_at_depth;
use crate::sight::{block_ref, market};

/// No key, no gas, no vault.
#[derive(Debug)]
pub struct OnPaper {
    node: Node,
    deployment: Deployment,
    pool: Pool,
}

impl OnPaper {
    /// Sits down before a pool of USDC and one token.
    ///
    /// # Errors
    /// [`PostingError`] with what to change.
    pub async fn sit_down(endpoints: Endpoints, deployment: Deployment, pool: Address) -> Result<Self, PostingError> {
        let node = Node::new(endpoints);
        let at = At::from(node.head().await?);
        let pool = find_pool(&node, &deployment, pool, &at).await?;
        Ok(Self { node, deployment, pool })
    }

    /// What a trade would change: USDC in micros, and the token.
    async fn trial(&self, order: &Order, at: &At) -> Result<OutcomeResult, Blindness> {
        let (usdc, token) = (self.deployment.usdc, self.pool.token);
        let refused = |reason: String| Ok(OutcomeResult::Refused { reason });
        match *order {
            Order::Buy { spend, least } => {
                let out = match self.quote(usdc, token, U256::from(spend.micros()), at).await? {
                    Ok(out) => out,
                    Err(reason) => return refused(reason),
                };
                if out < least {
                    return refused(format!("it would bring {out}, less than {least}"));
                }
                Ok(simulated(-i128::from(spend.micros()), i128::try_from(out).unwrap_or(i128::MAX)))
            }
            Order::Sell { amount, least } => {
                let out = match self.quote(token, usdc, U256::from(amount), at).await? {
                    Ok(out) => out,
                    Err(reason) => return refused(reason),
                };
                if out < u128::from(least.micros()) {
                    return refused(format!("it would bring {} micro-USDC, less than {least}", out));
                }
                let sold = i128::try_from(amount).unwrap_or(i128::MAX);
                Ok(simulated(i128::try_from(out).unwrap_or(i128::MAX), -sold))
            }
            Order::Provide { lower, upper, usdc, token } => {
                let now = read_market(&self.node, self.deployment.multicall3, &self.pool, DEFAULT_WINDOW, at).await?;
                let quote = self.pool.quote;
                let (most0, most1) = quote.ordered(token, u128::from(usdc.micros()));
                let liquidity = liquidity_for(most0, most1, now.root, lower, upper);
                if liquidity == 0 {
                    return refused("the range takes none of it".to_owned());
                }
                let (taken0, taken1) = amounts_of(liquidity, now.root, lower, upper);
                let (token, usdc) = quote.ordered(taken0, taken1);
                let negative = |amount: u128| -i128::try_from(amount).unwrap_or(i128::MAX);
                Ok(simulated(negative(usdc), negative(token)))
            }
            Order::Withdraw { position, .. } => refused(format!("on paper there is no position {position}")),
        }
    }

    async fn quote(
        &self,
        token_in: Address,
        token_out: Address,
        amount: U256,
        at: &At,
    ) -> Result<Result<u128, String>, Blindness> {
        let Some(quoter) = self.deployment.quoter else {
            return Ok(Err("no quoter is known on this chain".to_owned()));
        };
        let params = IQuoterV2::QuoteExactInputSingleParams {
            tokenIn: token_in,
            tokenOut: token_out,
            amountIn: amount,
            fee: U24::from(self.pool.fee_ppm),
            sqrtPriceLimitX96: U160::ZERO,
        };
        let data = IQuoterV2::quoteExactInputSingleCall { params }.abi_encode().into();
        let said = match self.node.call(&Call { from: Address::ZERO, to: quoter, data }, at).await? {
            Ok(said) => said,
            Err(revert) => return Ok(Err(words(&revert))),
        };
        let quoted = IQuoterV2::quoteExactInputSingleCall::abi_decode_returns(&said)
            .map_err(|_| Blindness { why: "the quoter answered in no known form".to_owned() })?;
        Ok(Ok(quoted.amountOut.saturating_to()))
    }
}

fn simulated(usdc: i128, token: i128) -> OutcomeResult {
    let usdc_micros = i64::try_from(usdc).unwrap_or(if usdc < 0 { i64::MIN } else { i64::MAX });
    OutcomeResult::Simulated(Box::new(Moved { usdc_micros, token, ..Moved::default() }))
}

impl Chain for OnPaper {
    async fn sense(&self) -> Result<Sight, Blindness> {
        let at = At::from(self.node.head().await?);
        let now = read_market(&self.node, self.deployment.multicall3, &self.pool, DEFAULT_WINDOW, &at).await?;
        Ok(Sight { block: block_ref(&at), market: market(&self.pool, &now, &at, now.fair()), vault: None })
    }

    async fn roll_block(&self, _: Tick) -> Result<(u64, B256), Blindness> {
        let head = self.node.head().await?;
        let number = newest_at_depth(head.number, self.deployment.confirmations);
        let block = self.node.block(number).await?;
        let block = block.ok_or_else(|| Blindness { why: format!("block {number} is below the head and missing") })?;
        Ok((number, block.hash))
    }

    async fn drive(&self, errand: &Errand, _attempts: &mut (dyn Attempts + Send)) -> Result<Progress, ChainError> {
        let result = match &errand.act {
            Act::Trade(order) | Act::Rehearse(order) => {
                let at = At::from(self.node.head().await?);
                self.trial(order, &at).await?
            }
            _ => OutcomeResult::Done,
        };
        Ok(done(errand, None::<Usdc>, result))
    }

    /// On paper a trade is made where it is asked about: at the newest block, for no gas.
    async fn fill(
        &self,
        errand: &Errand,
        outcome: &Outcome,
        _attempts: &mut (dyn Attempts + Send),
    ) -> Result<Option<Fill>, ChainError> {
        let (Some(order), OutcomeResult::Simulated(moved)) = (trade_of(errand), &outcome.result) else {
            return Ok(None);
        };
        let at = At::from(self.node.head().await?);
        let Some((now, pool)) = pool_at(&self.node, self.deployment.multicall3, &self.pool, &at).await else {
            return Ok(None);
        };
        Ok(Some(Fill {
            effect: errand.effect,
            order,
            tick: errand.tick,
            block: at.number,
            at: at.time,
            usdc_micros: moved.usdc_micros,
            token: moved.token,
            price: now.price,
            gas: Some(Usdc::ZERO),
            pool: Some(pool),
        }))
    }

    async fn withdrawn(&self, _attempts: &mut (dyn Attempts + Send)) -> Result<Vec<EffectId>, ChainError> {
        Ok(Vec::new())
    }
}
