// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IPositionAdapter, ISwapAdapter} from "contracts/interfaces/IAdapters.sol";
import {IPositionManager, IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {IWeth} from "contracts/interfaces/IWeth.sol";
import {PeriodLib} from "contracts/libraries/PeriodLib.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {Books, DayTraded, Holding, PartitionId, Policy, Position, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultBase} from "contracts/VaultBase.sol";

/// @title A Golem's vault: trading within bounds (V-008, V-011..V-015)
/// @dev A module: runs only by delegatecall from a vault, on the vault's storage.
///
/// Sizes are measured by cost, not by price: `capital + deployed` is what the strategy has put in, so no pool can make
/// a trade look smaller than it is. Prices come from the TWAP of each token's reference pool and bound every trade.
contract VaultTrading is VaultBase, IVaultTrading {
    using SafeCastLib for uint256;

    /* CONSTANTS */

    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_HOLDINGS = 8;
    uint256 private constant MAX_POSITIONS = 16;
    /// @dev A cost this small is written off when its line is freed: anyone can leave a token's dust here before a sale
    /// of all of it, and dust cannot be sold within the slippage.
    uint256 private constant DUST = 0.01e6;

    /* IMMUTABLES */

    address private immutable SELF;

    constructor(Suite memory suite_) VaultBase(suite_) {
        SELF = address(this);
    }

    modifier onlyDelegated() {
        if (address(this) == SELF) revert NotDelegated();
        _;
    }

    /* SWAPS */

    /// @inheritdoc IVaultTrading
    function swap(SwapOrder calldata order) external onlyDelegated nonReentrant returns (uint256 amountOut) {
        if (order.amountIn == 0) revert ZeroAmount();
        if (order.tokenIn == order.tokenOut) revert SameToken(order.tokenIn);
        Policy memory policy_ = _policy();
        bool alive = _asTrader(policy_, order.tokenOut != USDC);
        _requireListed(order.pool, USE_POOL);
        int256 tickIn = _tickOf(policy_, order.tokenIn);
        int256 tickOut = _tickOf(policy_, order.tokenOut);

        uint256 valueIn = _valueUp(order.amountIn, tickIn);
        uint256 cost = _release(order.tokenIn, order.amountIn);
        amountOut = _swap(order.pool, order.tokenIn, order.tokenOut, order.amountIn);
        if (amountOut < order.minOut) revert BelowMinOut(amountOut, order.minOut);
        uint256 valueOut = TickLib.convertDown(amountOut, tickOut);
        _requireNearTwap(policy_, valueIn, valueOut);

        _acquire(order.tokenOut, amountOut, cost);
        uint256 loss = FixedPointMathLib.zeroFloorSub(valueIn, valueOut);
        if (alive) _countTrade(policy_, valueIn, loss);
        else _countClosing(policy_, loss);
        Books memory books_ = _vault.books;
        emit Swapped(
            order.pool,
            order.tokenIn,
            order.tokenOut,
            order.amountIn,
            amountOut,
            valueIn,
            valueOut,
            books_.capital,
            books_.deployed
        );
    }

    /// @inheritdoc IVaultTrading
    function refuel(address pool, uint256 amountIn, uint256 minOut)
        external
        onlyDelegated
        nonReentrant
        returns (uint256 native)
    {
        address key = _asLivingKey();
        Policy memory policy_ = _policy();
        _requireListed(pool, USE_POOL);
        int256 tick = _tickOf(policy_, WETH);
        uint256 left = _debit(PartitionId.Gas, amountIn);

        native = _swap(pool, USDC, WETH, amountIn);
        if (native < minOut) revert BelowMinOut(native, minOut);
        _requireNearTwap(policy_, amountIn, TickLib.convertDown(native, tick));
        emit Refuelled(key, amountIn, native, left);
        IWeth(WETH).withdraw(native);
        (bool ok,) = key.call{value: native}("");
        if (!ok) revert RefuelRefused(key);
    }

    /// @dev Sells through the adapter; what came out is what the balance says, so a token with a fee cannot lie.
    function _swap(address pool, address tokenIn, address tokenOut, uint256 amountIn) private returns (uint256) {
        uint256 before = SafeTransferLib.balanceOf(tokenOut, address(this));
        SafeTransferLib.safeTransfer(tokenIn, SWAP_ADAPTER, amountIn);
        ISwapAdapter(SWAP_ADAPTER).swap(pool, tokenIn, tokenOut, amountIn);
        return SafeTransferLib.balanceOf(tokenOut, address(this)) - before;
    }

    /* LIQUIDITY */

    /// @inheritdoc IVaultTrading
    function mintPosition(MintOrder calldata order) external onlyDelegated nonReentrant returns (uint256 tokenId) {
        uint256 count = _vault.positions.length;
        if (count >= MAX_POSITIONS) revert ListFull(count, MAX_POSITIONS);
        Policy memory policy_ = _policy();
        _asTrader(policy_, true);
        _requireListed(order.pool, USE_POOL);
        Pair memory pair = _pairOf(policy_, order.pool);

        IPositionAdapter.Deposit memory deposit =
            IPositionAdapter.Deposit(pair.token0, pair.token1, order.amount0, order.amount1, order.min0, order.min1);
        _send(deposit);
        tokenId = IPositionAdapter(POSITION_ADAPTER)
            .mint(deposit, IUniswapV3Pool(order.pool).fee(), order.tickLower, order.tickUpper);
        _vault.positions.push(Position(tokenId.toUint128(), 0));
        _tieHolding(pair.token0, true);
        _tieHolding(pair.token1, true);
        _bookAdded(policy_, pair, count);
    }

    /// @inheritdoc IVaultTrading
    function increasePosition(uint256 tokenId, uint256 amount0, uint256 amount1, uint256 min0, uint256 min1)
        external
        onlyDelegated
        nonReentrant
    {
        Policy memory policy_ = _policy();
        _asTrader(policy_, true);
        uint256 index = _indexOf(tokenId);
        (address pool,) = _poolOf(tokenId);
        _requireListed(pool, USE_POOL);
        Pair memory pair = _pairOf(policy_, pool);

        IPositionAdapter.Deposit memory deposit =
            IPositionAdapter.Deposit(pair.token0, pair.token1, amount0, amount1, min0, min1);
        _send(deposit);
        IPositionAdapter(POSITION_ADAPTER).increase(tokenId, deposit);
        _bookAdded(policy_, pair, index);
    }

    /// @inheritdoc IVaultTrading
    function decreasePosition(uint256 tokenId, uint128 liquidity, uint256 min0, uint256 min1)
        external
        onlyDelegated
        nonReentrant
    {
        Policy memory policy_ = _policy();
        _asTrader(policy_, false);
        uint256 index = _indexOf(tokenId);
        (address pool, uint128 available) = _poolOf(tokenId);
        if (liquidity > available) revert LiquidityExceeded(tokenId, liquidity, available);
        Pair memory pair = _pairOf(policy_, pool);

        IPositionManager(POSITION_MANAGER).approve(POSITION_ADAPTER, tokenId);
        IPositionAdapter(POSITION_ADAPTER).decrease(tokenId, liquidity, min0, min1);
        IPositionManager(POSITION_MANAGER).approve(address(0), tokenId);
        _bookRemoved(pair, index, liquidity, available);
    }

    /// @dev A pool's two tokens with their TWAP prices and the vault's balances before the call, and the distance of
    /// the pool's spot price from the TWAP.
    struct Pair {
        address pool;
        address token0;
        address token1;
        int256 tick0;
        int256 tick1;
        uint256 before0;
        uint256 before1;
        uint256 deviationBps;
    }

    /// @dev V-011. A bent spot price would let the pool's other side take the difference when it springs back.
    function _pairOf(Policy memory policy_, address pool) private view returns (Pair memory pair) {
        pair.pool = pool;
        pair.token0 = IUniswapV3Pool(pool).token0();
        pair.token1 = IUniswapV3Pool(pool).token1();
        TwapLib.requireGenuine(UNISWAP_FACTORY, pool, pair.token0, pair.token1);
        pair.tick0 = _tickOf(policy_, pair.token0);
        pair.tick1 = _tickOf(policy_, pair.token1);
        (uint160 spot,,,,,,) = IUniswapV3Pool(pool).slot0();
        // Both ticks price in USDC, so their difference prices token0 in token1, as the pool does.
        pair.deviationBps = TickLib.deviationBpsUp(spot, pair.tick0 - pair.tick1);
        if (pair.deviationBps > policy_.slippageBps) {
            revert SpotTooFar(pool, pair.deviationBps, policy_.slippageBps);
        }
        (pair.before0, pair.before1) = _balances(pair);
    }

    function _poolOf(uint256 tokenId) private view returns (address pool, uint128 liquidity) {
        IPositionManager.PositionData memory data = IPositionManager(POSITION_MANAGER).positions(tokenId);
        pool = IUniswapV3Factory(UNISWAP_FACTORY).getPool(data.token0, data.token1, data.fee);
        liquidity = data.liquidity;
    }

    /// @dev Checks what the capital has before sending it to the position adapter.
    function _send(IPositionAdapter.Deposit memory deposit) private {
        if (deposit.amount0 == 0 && deposit.amount1 == 0) revert ZeroAmount();
        _sendOne(deposit.token0, deposit.amount0);
        _sendOne(deposit.token1, deposit.amount1);
    }

    function _sendOne(address token, uint256 amount) private {
        if (amount == 0) return;
        // The vault's USDC is mostly not capital.
        uint256 held = token == USDC ? _vault.books.capital : SafeTransferLib.balanceOf(token, address(this));
        if (amount > held) revert HoldingExceeded(token, amount, held);
        SafeTransferLib.safeTransfer(token, POSITION_ADAPTER, amount);
    }

    /// @dev Moves what the position took from the books of its tokens to its own, and counts it as a trade that lost
    /// the distance between spot and TWAP: the most that adding at that price can cost when the price returns.
    function _bookAdded(Policy memory policy_, Pair memory pair, uint256 index) private {
        (uint256 used0, uint256 used1) = _balances(pair);
        (used0, used1) = (pair.before0 - used0, pair.before1 - used1);
        uint256 cost = _releaseFrom(pair.token0, used0, pair.before0) + _releaseFrom(pair.token1, used1, pair.before1);
        uint256 value = _valueUp(used0, pair.tick0) + _valueUp(used1, pair.tick1);
        uint256 loss = FixedPointMathLib.mulDivUp(value, pair.deviationBps, BPS);
        _countTrade(policy_, value, loss);

        Position storage position = _vault.positions[index];
        position.book = (position.book + cost).toUint64();
        Books memory books_ = _vault.books;
        books_.deployed = (books_.deployed + cost).toUint64();
        _vault.books = books_;
        emit Booked(address(0), position.tokenId, position.book, 0);
        emit LiquidityAdded(position.tokenId, pair.pool, used0, used1, value, loss, books_.capital, books_.deployed);
    }

    /// @dev The mirror of it: the removed share of the position's cost is first covered by the USDC that came back;
    /// what remains goes to the tokens that came back, by value. Nothing came back for it: the loss is realised.
    function _bookRemoved(Pair memory pair, uint256 index, uint128 liquidity, uint128 available) private {
        (uint256 got0, uint256 got1) = _balances(pair);
        (got0, got1) = (got0 - pair.before0, got1 - pair.before1);
        Position memory position = _vault.positions[index];
        bool closed = liquidity == available;
        uint256 cost = closed ? position.book : uint256(position.book) * liquidity / available;
        position.book = (position.book - cost).toUint64();
        Books memory books_ = _vault.books;
        books_.deployed = (books_.deployed - cost).toUint64();
        _vault.books = books_;

        _acquireBoth(pair, got0, got1, cost);

        if (closed) {
            _tieHolding(pair.token0, false);
            _tieHolding(pair.token1, false);
            _vault.positions[index] = _vault.positions[_vault.positions.length - 1];
            _vault.positions.pop();
        } else {
            _vault.positions[index] = position;
        }
        books_ = _vault.books;
        emit Booked(address(0), position.tokenId, position.book, 0);
        emit LiquidityRemoved(position.tokenId, liquidity, got0, got1, closed, books_.capital, books_.deployed);
    }

    function _acquireBoth(Pair memory pair, uint256 got0, uint256 got1, uint256 cost) private {
        uint256 value0 = pair.token0 == USDC ? 0 : TickLib.convertDown(got0, pair.tick0);
        uint256 value1 = pair.token1 == USDC ? 0 : TickLib.convertDown(got1, pair.tick1);
        uint256 inUsdc = pair.token0 == USDC ? got0 : pair.token1 == USDC ? got1 : 0;
        uint256 rest = FixedPointMathLib.zeroFloorSub(cost, inUsdc);
        uint256 cost0 = value0 == 0 ? 0 : FixedPointMathLib.fullMulDiv(rest, value0, value0 + value1);
        _acquire(pair.token0, got0, cost0);
        _acquire(pair.token1, got1, value1 == 0 ? 0 : rest - cost0);
    }

    function _indexOf(uint256 tokenId) private view returns (uint256 index) {
        uint256 count = _vault.positions.length;
        for (; index < count; ++index) {
            if (_vault.positions[index].tokenId == tokenId) return index;
        }
        revert UnknownPosition(tokenId);
    }

    function _balances(Pair memory pair) private view returns (uint256, uint256) {
        return
            (
                SafeTransferLib.balanceOf(pair.token0, address(this)),
                SafeTransferLib.balanceOf(pair.token1, address(this))
            );
    }

    /* BOUNDS */

    /// @dev Who may trade, and whether it may raise exposure. Alive: the key. Dying: key or owner, lowering only. Fixes
    /// the capital that the day, or the whole of Dying, is measured by, before anything moves.
    function _asTrader(Policy memory policy_, bool raises) private returns (bool alive) {
        (address key, Life life) = _registry().vitalOf(_vault.agentId);
        _vault.traded = _tradedToday();
        if (life == Life.Dying && !raises) {
            if (_vault.closingBasis == 0) _vault.closingBasis = _vault.traded.basis;
            address owner_ = _owner();
            if (msg.sender == owner_) return false;
            if (msg.sender != key) revert NotKeyOrOwner(msg.sender, key, owner_);
            _requireBound();
            return false;
        }
        _asLivingKey();
        if (raises) {
            Phase phase = _registry().pulseOf(_vault.agentId).phase;
            if (phase >= Phase.Conservation) revert ExposureFrozen(phase);
            DayTraded memory traded = _tradedToday();
            uint256 bound = uint256(traded.basis) * policy_.dayLossBps / BPS;
            if (traded.loss != 0 && traded.loss >= bound) revert DayLossReached(traded.loss, bound);
        }
        return true;
    }

    /// @dev Counts a trade of `value` against the size of one, the day's volume and the day's loss.
    function _countTrade(Policy memory policy_, uint256 value, uint256 loss) private {
        DayTraded memory traded = _tradedToday();
        uint256 bound = uint256(traded.basis) * policy_.tradeBps / BPS;
        if (value > bound) revert TradeTooLarge(value, bound);
        uint256 volume = traded.volume + value;
        bound = uint256(traded.basis) * policy_.dayTradeBps / BPS;
        if (volume > bound) revert DayVolumeExceeded(volume, bound);
        traded.volume = volume.toUint64();
        traded.loss = (traded.loss + loss).toUint64();
        _vault.traded = traded;
    }

    /// @dev V-031. In Dying size is not capped, because everything has to be closed; but what the key's sales lose
    /// against the TWAP, all together, is: at most the slippage on the capital at cost. The rest goes to the owner in
    /// kind, or is sold by him.
    function _countClosing(Policy memory policy_, uint256 loss) private {
        uint256 lost = _vault.lostClosing + loss;
        uint256 bound = uint256(_vault.closingBasis) * policy_.slippageBps / BPS;
        if (lost > bound && msg.sender != _owner()) revert DayLossReached(lost, bound);
        _vault.lostClosing = lost.toUint64();
    }

    /// @dev The first trade of a day fixes the capital that the day is measured by.
    function _tradedToday() private view returns (DayTraded memory traded) {
        traded = _vault.traded;
        uint64 day = PeriodLib.dayOf(block.timestamp);
        if (traded.day == day) return traded;
        Books memory books_ = _vault.books;
        return DayTraded(0, 0, (uint256(books_.capital) + books_.deployed).toUint64(), day);
    }

    function _requireNearTwap(Policy memory policy_, uint256 valueIn, uint256 valueOut) private pure {
        uint256 minimum = FixedPointMathLib.mulDivUp(valueIn, BPS - policy_.slippageBps, BPS);
        if (valueOut < minimum) revert BelowTwap(valueOut, minimum);
    }

    /// @dev The mean tick of a listed token in USDC; 0 for USDC itself.
    function _tickOf(Policy memory policy_, address token) private view returns (int256) {
        if (token == USDC) return 0;
        address pricedBy = _requireListed(token, USE_TOKEN);
        return TwapLib.meanTick(UNISWAP_FACTORY, pricedBy, token, USDC, policy_.twapWindow, policy_.minLiquidity);
    }

    /// @dev Rounded up by one unit where a price is involved, so that no amount is too small to count.
    function _valueUp(uint256 amount, int256 tick) private pure returns (uint256) {
        if (amount == 0 || tick == 0) return amount;
        return TickLib.convertDown(amount, tick) + 1;
    }

    /* BOOKS */

    /// @inheritdoc IVaultTrading
    function prune(address token) external onlyDelegated {
        _asLivingKeyOrOwner();
        (uint256 index, bool found) = _findHolding(token);
        if (!found) revert NotListed(token, USE_TOKEN);
        Holding memory holding = _vault.holdings[index];
        if (holding.book > DUST || holding.positions != 0) revert StillHeld(token, holding.book, holding.positions);
        if (holding.book != 0) {
            _vault.books.deployed -= holding.book;
            emit Booked(token, 0, 0, 0);
        }
        _vault.holdings[index] = _vault.holdings[_vault.holdings.length - 1];
        _vault.holdings.pop();
        emit Pruned(token);
    }

    /// @dev Takes `amount` out of the capital's books and answers what it cost.
    function _release(address token, uint256 amount) private returns (uint256 cost) {
        return _releaseFrom(token, amount, SafeTransferLib.balanceOf(token, address(this)));
    }

    function _releaseFrom(address token, uint256 amount, uint256 balance) private returns (uint256 cost) {
        Books memory books_ = _vault.books;
        if (token == USDC) {
            if (amount > books_.capital) revert HoldingExceeded(USDC, amount, books_.capital);
            books_.capital = (books_.capital - amount).toUint64();
            _vault.books = books_;
            return amount;
        }
        if (amount == 0) return 0;
        (uint256 index, bool found) = _findHolding(token);
        if (!found || amount > balance) revert HoldingExceeded(token, amount, found ? balance : 0);
        Holding memory holding = _vault.holdings[index];
        cost = FixedPointMathLib.fullMulDiv(holding.book, amount, balance);
        holding.book = (holding.book - cost).toUint64();
        _vault.holdings[index] = holding;
        books_.deployed = (books_.deployed - cost).toUint64();
        _vault.books = books_;
        emit Booked(token, 0, holding.book, holding.positions);
    }

    /// @dev Adds `amount` to the capital's books: USDC at its worth, a token at `cost`.
    function _acquire(address token, uint256 amount, uint256 cost) private {
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
        emit Booked(token, 0, holding.book, holding.positions);
    }

    /// @dev Keeps the line of a token as long as a position may pay out in it, so that closing never meets a full list.
    function _tieHolding(address token, bool tie) private {
        if (token == USDC) return;
        uint256 index = _openHolding(token);
        Holding memory holding = _vault.holdings[index];
        holding.positions = tie ? holding.positions + 1 : holding.positions - 1;
        _vault.holdings[index] = holding;
        emit Booked(token, 0, holding.book, holding.positions);
    }

    function _openHolding(address token) private returns (uint256 index) {
        bool found;
        (index, found) = _findHolding(token);
        if (found) return index;
        if (index >= MAX_HOLDINGS) revert ListFull(index, MAX_HOLDINGS);
        _vault.everHeld = true;
        _vault.holdings.push(Holding(token, 0, 0));
    }

    /// @dev The index of the line, or the length of the list.
    function _findHolding(address token) private view returns (uint256 index, bool found) {
        uint256 count = _vault.holdings.length;
        for (; index < count; ++index) {
            if (_vault.holdings[index].token == token) return (index, true);
        }
    }
}
