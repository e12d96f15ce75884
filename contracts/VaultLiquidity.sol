// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IPositionAdapter} from "contracts/interfaces/IAdapters.sol";
import {IPositionManager, IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";
import {Books, Policy, Position, USE_POOL} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultCapital} from "contracts/VaultCapital.sol";

/// @title A Golem's vault: liquidity within bounds (V-011, V-012, V-015)
contract VaultLiquidity is VaultCapital, IVaultLiquidity {
    using SafeCastLib for uint256;

    /* CONSTANTS */

    uint256 private constant MAX_POSITIONS = 16;

    constructor(Suite memory suite_) VaultCapital(suite_) {}

    /* LIQUIDITY */

    /// @inheritdoc IVaultLiquidity
    function mintPosition(MintOrder calldata order) external onlyDelegated nonReentrant returns (uint256 tokenId) {
        uint256 count = _vault.positions.length;
        if (count >= MAX_POSITIONS) revert ListFull(count, MAX_POSITIONS);
        Policy memory policy_ = _policy();
        Trader trader = _asTrader(policy_, true);
        _requireListed(order.pool, USE_POOL);
        Pair memory pair = _pairOf(policy_, trader, order.pool);

        IPositionAdapter.Deposit memory deposit =
            IPositionAdapter.Deposit(pair.token0, pair.token1, order.amount0, order.amount1, order.min0, order.min1);
        _send(deposit);
        tokenId = IPositionAdapter(POSITION_ADAPTER)
            .mint(deposit, IUniswapV3Pool(order.pool).fee(), order.tickLower, order.tickUpper);
        _vault.positions.push(Position(tokenId.toUint128(), 0));
        _tieHolding(pair.token0, true);
        _tieHolding(pair.token1, true);
        _bookAdded(policy_, trader, pair, count);
    }

    /// @inheritdoc IVaultLiquidity
    function increasePosition(uint256 tokenId, uint256 amount0, uint256 amount1, uint256 min0, uint256 min1)
        external
        onlyDelegated
        nonReentrant
    {
        Policy memory policy_ = _policy();
        Trader trader = _asTrader(policy_, true);
        uint256 index = _indexOf(tokenId);
        (address pool,) = _poolOf(tokenId);
        _requireListed(pool, USE_POOL);
        Pair memory pair = _pairOf(policy_, trader, pool);

        IPositionAdapter.Deposit memory deposit =
            IPositionAdapter.Deposit(pair.token0, pair.token1, amount0, amount1, min0, min1);
        _send(deposit);
        IPositionAdapter(POSITION_ADAPTER).increase(tokenId, deposit);
        _bookAdded(policy_, trader, pair, index);
    }

    /// @inheritdoc IVaultLiquidity
    function decreasePosition(uint256 tokenId, uint128 liquidity, uint256 min0, uint256 min1)
        external
        onlyDelegated
        nonReentrant
    {
        Policy memory policy_ = _policy();
        Trader trader = _asTrader(policy_, false);
        uint256 index = _indexOf(tokenId);
        (address pool, uint128 available) = _poolOf(tokenId);
        // "All of it", whatever that is by the time this is mined.
        if (liquidity == type(uint128).max) liquidity = available;
        if (liquidity > available) revert LiquidityExceeded(tokenId, liquidity, available);
        Pair memory pair = _pairOf(policy_, trader, pool);

        IPositionManager(POSITION_MANAGER).approve(POSITION_ADAPTER, tokenId);
        IPositionAdapter(POSITION_ADAPTER).decrease(tokenId, liquidity, min0, min1);
        IPositionManager(POSITION_MANAGER).approve(address(0), tokenId);
        _bookRemoved(pair, index, liquidity, available);
    }

    /// @dev A pool's two tokens with their trusted prices and the vault's balances before the call, and the distance of
    /// the pool's spot price from the further end of those.
    struct Pair {
        address pool;
        address token0;
        address token1;
        Quote quote0;
        Quote quote1;
        uint256 before0;
        uint256 before1;
        uint256 deviationBps;
    }

    /// @dev V-011. A bent spot price would let the pool's other side take the difference when it springs back. The owner of a
    /// dying Golem is free of that bound: what he takes out is never worth less at the true price, and he bounds it himself.
    function _pairOf(Policy memory policy_, Trader trader, address pool) private view returns (Pair memory pair) {
        pair.pool = pool;
        pair.token0 = IUniswapV3Pool(pool).token0();
        pair.token1 = IUniswapV3Pool(pool).token1();
        TwapLib.requireGenuine(UNISWAP_FACTORY, pool, pair.token0, pair.token1);
        pair.quote0 = _quoteOf(policy_, trader, pair.token0);
        pair.quote1 = _quoteOf(policy_, trader, pair.token1);
        (uint160 spot,,,,,,) = IUniswapV3Pool(pool).slot0();
        // Both price in USDC, so their difference prices token0 in token1, as the pool does; the ends are furthest apart.
        pair.deviationBps = FixedPointMathLib.max(
            TickLib.deviationBpsUp(spot, pair.quote0.low - pair.quote1.high),
            TickLib.deviationBpsUp(spot, pair.quote0.high - pair.quote1.low)
        );
        if (pair.deviationBps > policy_.slippageBps && trader != Trader.DyingOwner) {
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
        if (amount > held) revert IVaultTrading.HoldingExceeded(token, amount, held);
        SafeTransferLib.safeTransfer(token, POSITION_ADAPTER, amount);
    }

    /// @dev Moves what the position took from the books of its tokens to its own, and counts it as a trade that lost
    /// the distance between spot and trusted price: the most that adding at that price can cost when the price returns.
    function _bookAdded(Policy memory policy_, Trader trader, Pair memory pair, uint256 index) private {
        (uint256 used0, uint256 used1) = _balances(pair);
        (used0, used1) = (pair.before0 - used0, pair.before1 - used1);
        uint256 cost = _releaseFrom(pair.token0, used0, pair.before0) + _releaseFrom(pair.token1, used1, pair.before1);
        uint256 value = _valueUp(used0, pair.quote0.high) + _valueUp(used1, pair.quote1.high);
        uint256 loss = FixedPointMathLib.mulDivUp(value, pair.deviationBps, BPS);
        _countTrade(policy_, trader, value, loss);

        Position storage position = _vault.positions[index];
        position.book = (position.book + cost).toUint64();
        Books memory books_ = _vault.books;
        books_.deployed = (books_.deployed + cost).toUint64();
        _vault.books = books_;
        emit IVaultTrading.Booked(address(0), position.tokenId, position.book, 0);
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
        emit IVaultTrading.Booked(address(0), position.tokenId, position.book, 0);
        emit LiquidityRemoved(position.tokenId, liquidity, got0, got1, closed, books_.capital, books_.deployed);
    }

    function _acquireBoth(Pair memory pair, uint256 got0, uint256 got1, uint256 cost) private {
        uint256 value0 = pair.token0 == USDC ? 0 : TickLib.convertDown(got0, pair.quote0.low);
        uint256 value1 = pair.token1 == USDC ? 0 : TickLib.convertDown(got1, pair.quote1.low);
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
}
