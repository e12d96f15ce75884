// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {PeriodLib} from "contracts/libraries/PeriodLib.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {Books, DayTraded, Holding, Policy, USE_TOKEN} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultModule} from "contracts/VaultModule.sol";

/// @title What swaps and liquidity share: who may trade, at which price, how much, and the capital's books (V-011..V-015)
/// @dev Sizes are measured by cost, not by price: `capital + deployed` is what the strategy has put in, so no pool can make
/// a trade look smaller than it is.
///
/// The trusted price of a token is a range, from its reference pool alone: over the mean of the policy's window and the means
/// of the last minute's thirds. None can be bent for one transaction. The long one lags behind the market, so that whoever
/// waits for a move could sell at the price of before; the short ones have caught up after a minute, and hiding a move from
/// all of them takes a minute of paying everybody who trades there. What the vault gives counts at the dearest end and what
/// it gets at the cheapest, so a trade has to be good at all of them. What none has seen is a move of the last seconds: that
/// is why the trades of one minute have a bound of their own.
abstract contract VaultCapital is VaultModule {
    using SafeCastLib for uint256;

    /* CONSTANTS */

    uint256 internal constant BPS = 10_000;
    uint256 private constant MAX_HOLDINGS = 8;

    constructor(Suite memory suite_) VaultModule(suite_) {}

    /* BOUNDS */

    /// @dev On whose word a call trades, and so by which bounds.
    enum Trader {
        /// The key of a living Golem: price, minute, day and phase.
        Key,
        /// The key of a dying one: price, minute, and what all its sales may lose; only lowering exposure.
        DyingKey,
        /// The owner of a dying one: the mean of the last minute alone; only lowering exposure.
        DyingOwner
    }

    /// @dev The trusted price of a token in USDC, as ticks.
    struct Quote {
        int256 low;
        int256 high;
    }

    /// @dev Who may trade, and whether it may raise exposure. Fixes the capital that the day, or the whole of Dying, is
    /// measured by, before anything moves.
    function _asTrader(Policy memory policy_, bool raises) internal returns (Trader) {
        (address key, Life life) = _registry().vitalOf(_vault.agentId);
        DayTraded memory traded = _tradedToday();
        _vault.traded = traded;
        if (life == Life.Dying && !raises) {
            if (_vault.closingBasis == 0) _vault.closingBasis = traded.basis;
            address owner_ = _owner();
            if (msg.sender == owner_) return Trader.DyingOwner;
            if (msg.sender != key) revert NotKeyOrOwner(msg.sender, key, owner_);
            _requireBound();
            return Trader.DyingKey;
        }
        _asLivingKey();
        if (raises) {
            Phase phase = _registry().pulseOf(_vault.agentId).phase;
            if (phase >= Phase.Conservation) revert IVaultTrading.ExposureFrozen(phase);
            uint256 bound = uint256(traded.basis) * policy_.dayLossBps / BPS;
            if (traded.loss != 0 && traded.loss >= bound) revert IVaultTrading.DayLossReached(traded.loss, bound);
        }
        return Trader.Key;
    }

    /// @dev Counts a trade of `value` against what its minute, its day or Dying may trade and lose. The owner's own sales
    /// count nothing: they are his to make.
    function _countTrade(Policy memory policy_, Trader trader, uint256 value, uint256 loss) internal {
        if (trader == Trader.DyingOwner) return;
        DayTraded memory traded = _vault.traded;
        uint256 basis = trader == Trader.Key ? traded.basis : _vault.closingBasis;
        _countMinute(traded, value, basis * policy_.tradeBps / BPS);
        if (trader == Trader.Key) {
            uint256 volume = traded.volume + value;
            uint256 bound = basis * policy_.dayTradeBps / BPS;
            if (volume > bound) revert IVaultTrading.DayVolumeExceeded(volume, bound);
            traded.volume = volume.toUint64();
            traded.loss = (traded.loss + loss).toUint64();
        } else {
            // V-031. In Dying everything has to be closed, so there is no bound for a day; but all that the key's sales
            // lose together is at most the slippage on the capital at cost. The rest goes to the owner in kind, or is sold
            // by him.
            uint256 lost = _vault.lostClosing + loss;
            uint256 bound = basis * policy_.slippageBps / BPS;
            if (lost > bound) revert IVaultTrading.DayLossReached(lost, bound);
            _vault.lostClosing = lost.toUint64();
        }
        _vault.traded = traded;
    }

    /// @dev Trades less than a minute apart count together, Alive and Dying alike, so no minute has more than the bound.
    function _countMinute(DayTraded memory traded, uint256 value, uint256 bound) private {
        uint256 volume = block.timestamp < uint256(traded.lastAt) + TwapLib.MINUTE ? _vault.minuteVolume + value : value;
        if (volume > bound) revert IVaultTrading.TradeTooLarge(volume, bound);
        traded.lastAt = uint32(block.timestamp);
        _vault.minuteVolume = volume.toUint64();
    }

    /// @dev The first trade of a day fixes the capital that the day is measured by.
    function _tradedToday() private view returns (DayTraded memory traded) {
        traded = _vault.traded;
        uint32 day = uint32(PeriodLib.dayOf(block.timestamp));
        if (traded.day == day) return traded;
        Books memory books_ = _vault.books;
        return DayTraded(0, 0, (uint256(books_.capital) + books_.deployed).toUint64(), day, traded.lastAt);
    }

    /// @dev Reverts unless the deadline of an order lies ahead.
    function _requireInTime(uint256 deadline) internal view {
        if (block.timestamp > deadline) revert IVaultTrading.DeadlinePassed(deadline, block.timestamp);
    }

    function _requireNear(Policy memory policy_, uint256 valueIn, uint256 valueOut) internal pure {
        uint256 minimum = FixedPointMathLib.mulDivUp(valueIn, BPS - policy_.slippageBps, BPS);
        if (valueOut < minimum) revert IVaultTrading.BelowTrustedPrice(valueOut, minimum);
    }

    /// @dev The trusted price of a listed token; 0 for USDC itself. For the owner of a dying Golem the long mean does not
    /// count: in a fall he would have to wait for it, and he answers to nobody.
    function _quoteOf(Policy memory policy_, Trader trader, address token) internal view returns (Quote memory quote) {
        if (token == USDC) return quote;
        address pricedBy = _requireListed(token, USE_TOKEN);
        TwapLib.requireGenuine(UNISWAP_FACTORY, pricedBy, token, USDC);
        if (trader == Trader.DyingOwner) {
            int256 short = TwapLib.meanTick(pricedBy, token, USDC, TwapLib.MINUTE, 0);
            return Quote(short, short);
        }
        int256 long = TwapLib.meanTick(pricedBy, token, USDC, policy_.twapWindow, policy_.minDepth);
        (quote.low, quote.high) = TwapLib.lastMinute(pricedBy, token, USDC, policy_.minDepth);
        if (long < quote.low) quote.low = long;
        if (long > quote.high) quote.high = long;
    }

    /// @dev Rounded up by one unit where a price is involved, so that no amount is too small to count.
    function _valueUp(uint256 amount, int256 tick) internal pure returns (uint256) {
        if (amount == 0 || tick == 0) return amount;
        return TickLib.convertDown(amount, tick) + 1;
    }

    /* BOOKS */

    /// @dev Takes `amount` out of the capital's books and answers what it cost.
    function _release(address token, uint256 amount) internal returns (uint256 cost) {
        return _releaseFrom(token, amount, SafeTransferLib.balanceOf(token, address(this)));
    }

    function _releaseFrom(address token, uint256 amount, uint256 balance) internal returns (uint256 cost) {
        Books memory books_ = _vault.books;
        if (token == USDC) {
            if (amount > books_.capital) revert IVaultTrading.HoldingExceeded(USDC, amount, books_.capital);
            books_.capital = (books_.capital - amount).toUint64();
            _vault.books = books_;
            return amount;
        }
        if (amount == 0) return 0;
        (uint256 index, bool found) = _findHolding(token);
        if (!found || amount > balance) revert IVaultTrading.HoldingExceeded(token, amount, found ? balance : 0);
        Holding memory holding = _vault.holdings[index];
        cost = FixedPointMathLib.fullMulDiv(holding.book, amount, balance);
        holding.book = (holding.book - cost).toUint64();
        _vault.holdings[index] = holding;
        books_.deployed = (books_.deployed - cost).toUint64();
        _vault.books = books_;
        emit IVaultTrading.Booked(token, 0, holding.book, holding.positions);
    }

    /// @dev Adds `amount` to the capital's books: USDC at its worth, a token at `cost`.
    function _acquire(address token, uint256 amount, uint256 cost) internal {
        Books memory books_ = _vault.books;
        if (token == USDC) {
            books_.capital = (books_.capital + amount).toUint64();
            _vault.books = books_;
            return;
        }
        uint256 index = _openHolding(token);
        Holding memory holding = _vault.holdings[index];
        holding.book = (holding.book + cost).toUint64();
        _vault.holdings[index] = holding;
        books_.deployed = (books_.deployed + cost).toUint64();
        _vault.books = books_;
        emit IVaultTrading.Booked(token, 0, holding.book, holding.positions);
    }

    /// @dev Keeps the line of a token as long as a position may pay out in it, so that closing never meets a full list.
    function _tieHolding(address token, bool tie) internal {
        if (token == USDC) return;
        uint256 index = _openHolding(token);
        Holding memory holding = _vault.holdings[index];
        holding.positions = tie ? holding.positions + 1 : holding.positions - 1;
        _vault.holdings[index] = holding;
        emit IVaultTrading.Booked(token, 0, holding.book, holding.positions);
    }

    function _openHolding(address token) internal returns (uint256 index) {
        bool found;
        (index, found) = _findHolding(token);
        if (found) return index;
        if (index >= MAX_HOLDINGS) revert ListFull(index, MAX_HOLDINGS);
        _vault.everHeld = true;
        _vault.holdings.push(Holding(token, 0, 0));
    }

    /// @dev The index of the line, or the length of the list.
    function _findHolding(address token) internal view returns (uint256 index, bool found) {
        uint256 count = _vault.holdings.length;
        for (; index < count; ++index) {
            if (_vault.holdings[index].token == token) return (index, true);
        }
    }
}
