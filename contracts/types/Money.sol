// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @dev V-002. The reserve is not a partition one can name in a spend.
enum PartitionId {
    Llm,
    Gas,
    Data,
    Legacy
}

/// @dev V-004, V-009. Which shares a top-up follows: 60/25/15/0, 30/15/5/50 or 0/0/0/100.
enum Split {
    Birth,
    Declining,
    Terminal
}

/// @notice Four amounts of USDC in one slot. 2^64 micro-USDC is eighteen trillion dollars.
struct Ledger {
    uint64 llm;
    uint64 gas;
    uint64 data;
    uint64 legacy;
}

/// @notice What the day (UTC, `timestamp / 1 days`) has already taken from each partition.
struct DaySpent {
    uint64 llm;
    uint64 gas;
    uint64 data;
    uint64 day;
}

/// @notice The reserve and the capital side of the books, in one slot.
/// @param reserve Locked for the death (V-007).
/// @param capital USDC the strategy may trade.
/// @param highWater USDC capital above which profit is realised (V-014).
/// @param deployed Cost, in USDC, of what the capital holds in tokens and positions.
struct Books {
    uint64 reserve;
    uint64 capital;
    uint64 highWater;
    uint64 deployed;
}

/// @notice What the day has traded and lost, the capital both are measured by, and the time of the last trade.
struct DayTraded {
    uint64 volume;
    uint64 loss;
    uint64 basis;
    uint32 day;
    uint32 lastAt;
}

/// @notice The numbers an owner may choose; everything else is fixed. Amounts in USDC units, shares in basis points.
/// @param callCap Most that one spend may pay.
/// @param floatCap Most USDC the key's wallet may hold after a float payment.
/// @param dayFloor A partition may pay min(balance, dayFloor) a day even where its share of the day is less.
/// @param deathBudget Most that the whole of Dying may spend.
/// @param llmDayBps Share of `llm` at the day's start that the day may spend; `gasDayBps`, `dataDayBps` alike.
/// @param tradeBps Most of the capital that the trades of one minute may move; `dayTradeBps` for a day.
/// @param dayLossBps Loss against the trusted price, of capital, after which a day only lowers exposure.
/// @param slippageBps Furthest a trade, or a pool's spot price, may stand from the trusted price.
/// @param harvestBps The share of realised profit that a harvest moves to credits.
/// @param twapWindow Seconds the TWAP covers.
/// @param rebalanceCooldown Seconds between two rebalances (30 ticks of 40 s).
/// @param silenceLimit Seconds without a beat after which anyone may post notice.
/// @param grace Seconds between the beginning of Dying and the first finalise.
/// @param minDepth Least depth of a reference pool over the window: its USDC, were its liquidity spread over all prices.
/// @param hazardMax Largest hazard a stochastic death may claim, in units of 2^-64.
struct Policy {
    uint64 callCap;
    uint64 floatCap;
    uint64 dayFloor;
    uint64 deathBudget;
    uint16 llmDayBps;
    uint16 gasDayBps;
    uint16 dataDayBps;
    uint16 tradeBps;
    uint16 dayTradeBps;
    uint16 dayLossBps;
    uint16 slippageBps;
    uint16 harvestBps;
    uint32 twapWindow;
    uint32 rebalanceCooldown;
    uint32 silenceLimit;
    uint32 grace;
    uint64 minDepth;
    uint64 hazardMax;
}

/// @notice One line of the owner's list.
/// @param subject The payee, pool or token.
/// @param uses What it is listed for, a sum of the `USE_*` bits; 0 delists it.
/// @param pricedBy For a token, the Uniswap V3 pool of it and USDC whose TWAP prices it; else zero.
struct Listing {
    address subject;
    uint8 uses;
    address pricedBy;
}

uint8 constant USE_PAYEE_LLM = 1;
uint8 constant USE_PAYEE_GAS = 2;
uint8 constant USE_PAYEE_DATA = 4;
uint8 constant USE_PAYEE_LEGACY = 8;
uint8 constant USE_POOL = 16;
uint8 constant USE_TOKEN = 32;
/// @dev Any of the four payee bits: a payee known to the owner for something.
uint8 constant USE_PAYEE_ANY = 15;

/// @notice A token the capital holds. The amount is the vault's balance; `book` is what it cost.
/// @param positions How many liquidity positions pay out in this token.
struct Holding {
    address token;
    uint64 book;
    uint8 positions;
}

/// @notice A liquidity position an adapter minted for this vault.
struct Position {
    uint128 tokenId;
    uint64 book;
}
