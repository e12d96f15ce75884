//! The owner's numbers and lists, in words that a file can hold and every contract understands.

use alloy::primitives::{Address, B256, keccak256};
use alloy::sol_types::SolValue;
use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

use crate::bindings::birth::IBirth;
use crate::bindings::succession::ISuccession;
use crate::bindings::vault::{IVault, IVaultMoney};
use crate::price::usdc;

/// How a birth or a mandate names the default policy.
const TEMPLATE_NAME: &str = "bardo.policy.1";

/// The numbers an owner may choose. Amounts in USDC units, shares in basis points, times in seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Most that one spend may pay.
    pub call_cap: Usdc,
    /// Most USDC the key's wallet may hold after a float payment.
    pub float_cap: Usdc,
    /// What a partition may pay a day even where its share is less.
    pub day_floor: Usdc,
    /// Most that the whole of Dying may spend.
    pub death_budget: Usdc,
    /// Share of `llm` a day may spend.
    pub llm_day_bps: u16,
    /// Share of `gas` a day may spend.
    pub gas_day_bps: u16,
    /// Share of `data` a day may spend.
    pub data_day_bps: u16,
    /// Most of the capital that the trades of one minute may move.
    pub trade_bps: u16,
    /// Most of the capital a day's trades may move.
    pub day_trade_bps: u16,
    /// Loss after which a day only lowers exposure.
    pub day_loss_bps: u16,
    /// Furthest a trade may stand from the trusted price.
    pub slippage_bps: u16,
    /// Share of realised profit a harvest moves to credits.
    pub harvest_bps: u16,
    /// Seconds the TWAP covers.
    pub twap_window: u32,
    /// Seconds between two rebalances.
    pub rebalance_cooldown: u32,
    /// Seconds without a beat after which anyone may post notice.
    pub silence_limit: u32,
    /// Seconds between the beginning of Dying and the first finalise.
    pub grace: u32,
    /// Least depth of a reference pool over the window: its USDC, were its liquidity spread over all prices.
    pub min_depth: Usdc,
    /// Largest hazard a stochastic death may claim, in units of 2^-64.
    pub hazard_max: u64,
}

impl Default for Policy {
    /// The template of the contracts.
    fn default() -> Self {
        Self {
            call_cap: Usdc::whole(10),
            float_cap: Usdc::whole(2),
            day_floor: Usdc::from_micros(500_000),
            death_budget: Usdc::whole(1),
            llm_day_bps: 2_000,
            gas_day_bps: 3_000,
            data_day_bps: 2_500,
            trade_bps: 1_000,
            day_trade_bps: 5_000,
            day_loss_bps: 200,
            slippage_bps: 100,
            harvest_bps: 5_000,
            twap_window: 1_800,
            rebalance_cooldown: 1_200,
            silence_limit: 7 * 86_400,
            grace: 3_600,
            min_depth: Usdc::whole(50_000),
            hazard_max: 18_446_744_073_709_551,
        }
    }
}

impl Policy {
    /// How a birth's address and a mandate name a policy; `None` is the template, which is named and not copied.
    #[must_use]
    pub fn hash_of(policy: Option<&Self>) -> B256 {
        policy.map_or_else(|| keccak256(TEMPLATE_NAME), |policy| keccak256(IVault::Policy::from(policy).abi_encode()))
    }
}

macro_rules! in_every_abi {
    ($($abi:ty),+) => {$(
        impl From<&Policy> for $abi {
            fn from(policy: &Policy) -> Self {
                Self {
                    callCap: policy.call_cap.micros(),
                    floatCap: policy.float_cap.micros(),
                    dayFloor: policy.day_floor.micros(),
                    deathBudget: policy.death_budget.micros(),
                    llmDayBps: policy.llm_day_bps,
                    gasDayBps: policy.gas_day_bps,
                    dataDayBps: policy.data_day_bps,
                    tradeBps: policy.trade_bps,
                    dayTradeBps: policy.day_trade_bps,
                    dayLossBps: policy.day_loss_bps,
                    slippageBps: policy.slippage_bps,
                    harvestBps: policy.harvest_bps,
                    twapWindow: policy.twap_window,
                    rebalanceCooldown: policy.rebalance_cooldown,
                    silenceLimit: policy.silence_limit,
                    grace: policy.grace,
                    minDepth: policy.min_depth.micros(),
                    hazardMax: policy.hazard_max,
                }
            }
        }
    )+};
}
in_every_abi!(IVault::Policy, IBirth::Policy, ISuccession::Policy);

impl From<IVault::Policy> for Policy {
    fn from(policy: IVault::Policy) -> Self {
        Self {
            call_cap: Usdc::from_micros(policy.callCap),
            float_cap: Usdc::from_micros(policy.floatCap),
            day_floor: Usdc::from_micros(policy.dayFloor),
            death_budget: Usdc::from_micros(policy.deathBudget),
            llm_day_bps: policy.llmDayBps,
            gas_day_bps: policy.gasDayBps,
            data_day_bps: policy.dataDayBps,
            trade_bps: policy.tradeBps,
            day_trade_bps: policy.dayTradeBps,
            day_loss_bps: policy.dayLossBps,
            slippage_bps: policy.slippageBps,
            harvest_bps: policy.harvestBps,
            twap_window: policy.twapWindow,
            rebalance_cooldown: policy.rebalanceCooldown,
            silence_limit: policy.silenceLimit,
            grace: policy.grace,
            min_depth: Usdc::from_micros(policy.minDepth),
            hazard_max: policy.hazardMax,
        }
    }
}

/// What a subject is listed for: a sum of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses(pub u8);

impl Uses {
    /// Nothing: takes it off the list.
    pub const NONE: Self = Self(0);
    /// May be paid from `llm`.
    pub const PAYEE_LLM: Self = Self(1);
    /// May be paid from `gas`.
    pub const PAYEE_GAS: Self = Self(2);
    /// May be paid from `data`.
    pub const PAYEE_DATA: Self = Self(4);
    /// May be paid from `legacy`.
    pub const PAYEE_LEGACY: Self = Self(8);
    /// May be traded in.
    pub const POOL: Self = Self(16);
    /// May be held.
    pub const TOKEN: Self = Self(32);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is in it.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// One line of the owner's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    pub subject: Address,
    pub uses: Uses,
    /// For a token, the pool of it and USDC whose TWAP prices it.
    #[serde(default)]
    pub priced_by: Option<Address>,
}

impl Listing {
    /// Somebody who may be paid.
    #[must_use]
    pub const fn payee(subject: Address, uses: Uses) -> Self {
        Self { subject, uses, priced_by: None }
    }

    /// A pool to trade in.
    #[must_use]
    pub const fn pool(subject: Address) -> Self {
        Self { subject, uses: Uses::POOL, priced_by: None }
    }

    /// A token to hold, priced by a pool of it and USDC.
    #[must_use]
    pub const fn token(subject: Address, priced_by: Address) -> Self {
        Self { subject, uses: Uses::TOKEN, priced_by: Some(priced_by) }
    }

    /// How a birth's address and a mandate name a list.
    #[must_use]
    pub fn hash_of(listings: &[Self]) -> B256 {
        let abi: Vec<IVault::Listing> = listings.iter().map(Into::into).collect();
        keccak256(abi.abi_encode())
    }
}

macro_rules! listing_in_every_abi {
    ($($abi:ty),+) => {$(
        impl From<&Listing> for $abi {
            fn from(listing: &Listing) -> Self {
                let priced_by = listing.priced_by.unwrap_or_default();
                Self { subject: listing.subject, uses: listing.uses.0, pricedBy: priced_by }
            }
        }
    )+};
}
listing_in_every_abi!(IVault::Listing, IBirth::Listing, ISuccession::Listing);

/// What a leaked key can cost in any 24 hours from now (V-031).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorstLoss {
    pub spending: Usdc,
    /// In the key's wallet.
    pub float: Usdc,
    /// By trading at the worst price allowed, and by a market that jumps 30 % within the minute traded in.
    pub trading: Usdc,
    pub dying: Usdc,
    pub total: Usdc,
}

impl From<IVaultMoney::WorstLoss> for WorstLoss {
    fn from(loss: IVaultMoney::WorstLoss) -> Self {
        Self {
            spending: usdc(loss.spending),
            float: usdc(loss.float),
            trading: usdc(loss.trading),
            dying: usdc(loss.dying),
            total: usdc(loss.total),
        }
    }
}
