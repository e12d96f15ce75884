//! The pool's positions: what is put in, taken out and put back.

use alloy::primitives::aliases::{I24, U24};
use alloy::primitives::{Address, U256};
use alloy::sol_types::SolCall;
use golem_primitives::{Decimals, Usdc};

use super::{Maker, POOL_FEE, World};
use crate::bindings::{INonfungiblePositionManager as Positions, IUniswapV3Factory};
use crate::error::DevnetError;
use crate::node::Node;
use crate::price::Pairing;

/// The widest range there is; its ends are drawn in to multiples of a tier's tick spacing.
const FULL_RANGE: i32 = 887_272;
/// Far in the future, as a deadline that never passes.
const NEVER: U256 = U256::from_limbs([1 << 48, 0, 0, 0]);

/// Whole tokens in their smallest unit.
pub(super) fn units(whole: u64, decimals: Decimals) -> U256 {
    U256::from(whole) * U256::from(decimals.unit())
}

/// A pool's token beside USDC, and its tier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tier {
    pub(super) token: Address,
    pub(super) decimals: Decimals,
    pub(super) fee: u32,
    pub(super) spacing: i32,
}

impl Tier {
    pub(super) fn pairing(&self, world: &World) -> Pairing {
        Pairing { token_is_first: self.token < world.usdc, decimals: self.decimals }
    }

    pub(super) fn order(&self, world: &World) -> (Address, Address) {
        if self.pairing(world).token_is_first { (self.token, world.usdc) } else { (world.usdc, self.token) }
    }
}

pub(super) fn mint(world: &World, tier: &Tier, recipient: Address, whole: u64, price: Usdc) -> Vec<u8> {
    let (token0, token1) = tier.order(world);
    let usdc = U256::from(price.micros()) * U256::from(whole);
    let token = units(whole, tier.decimals);
    let (amount0, amount1) = if tier.pairing(world).token_is_first { (token, usdc) } else { (usdc, token) };
    let end = FULL_RANGE / tier.spacing * tier.spacing;
    Positions::mintCall {
        params: Positions::MintParams {
            token0,
            token1,
            fee: U24::from(tier.fee),
            tickLower: I24::try_from(-end).expect("a tick"),
            tickUpper: I24::try_from(end).expect("a tick"),
            amount0Desired: amount0,
            amount1Desired: amount1,
            amount0Min: U256::ZERO,
            amount1Min: U256::ZERO,
            recipient,
            deadline: NEVER,
        },
    }
    .abi_encode()
}

/// Takes the maker's whole position out of the pool.
pub(crate) fn withdraw_liquidity(maker: Maker, recipient: Address) -> Vec<u8> {
    let token_id = U256::from(maker.token_id);
    let decrease = Positions::decreaseLiquidityCall {
        params: Positions::DecreaseLiquidityParams {
            tokenId: token_id,
            liquidity: maker.liquidity,
            amount0Min: U256::ZERO,
            amount1Min: U256::ZERO,
            deadline: NEVER,
        },
    };
    let collect = Positions::collectCall {
        params: Positions::CollectParams { tokenId: token_id, recipient, amount0Max: u128::MAX, amount1Max: u128::MAX },
    };
    Positions::multicallCall { data: vec![decrease.abi_encode().into(), collect.abi_encode().into()] }.abi_encode()
}

/// Puts the maker's position back with at least `amount0` and `amount1` on offer.
pub(crate) fn restore_liquidity(maker: Maker, amount0: U256, amount1: U256) -> Vec<u8> {
    Positions::increaseLiquidityCall {
        params: Positions::IncreaseLiquidityParams {
            tokenId: U256::from(maker.token_id),
            amount0Desired: amount0,
            amount1Desired: amount1,
            amount0Min: U256::ZERO,
            amount1Min: U256::ZERO,
            deadline: NEVER,
        },
    }
    .abi_encode()
}

pub(crate) async fn position_liquidity(node: &Node, world: &World, token_id: u64) -> Result<u128, DevnetError> {
    let manager = Positions::new(world.position_manager, node.provider());
    let position = manager.positions(U256::from(token_id)).call().await.map_err(unreadable("positions"))?;
    Ok(position.liquidity)
}

pub(crate) async fn find_pool(node: &Node, world: &World) -> Result<Address, DevnetError> {
    pool_at(node, world, world.weth, POOL_FEE).await
}

/// The pool of USDC and a token at a fee; nothing's address where there is none.
pub(super) async fn pool_at(node: &Node, world: &World, token: Address, fee: u32) -> Result<Address, DevnetError> {
    let factory = IUniswapV3Factory::new(world.v3_factory, node.provider());
    factory.getPool(world.usdc, token, U24::from(fee)).call().await.map_err(unreadable("getPool"))
}

pub(crate) fn unreadable(what: &'static str) -> impl FnOnce(alloy::contract::Error) -> DevnetError {
    move |error| DevnetError::Unreadable { what: what.to_owned(), detail: error.to_string() }
}
