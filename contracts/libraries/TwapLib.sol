// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";

/// @title What a reference pool of a token and USDC says of the token's price (V-011)
/// @dev Any failure is a typed refusal: a trade without a trustworthy price does not happen. Ticks are answered as the
/// token priced in USDC, in raw units of both, whichever of them the pool names first.
library TwapLib {
    /// @dev How long a move of the market stays unseen, and how long trades count together for it.
    uint32 internal constant MINUTE = 60;
    uint32 private constant THIRD = 20;

    /// @notice The mean tick over the last `window` seconds, rounded toward the lower price of the pool's own direction.
    /// Refuses a pool that forgot so much, or was not deep enough.
    function meanTick(address pool, address token, address usdc, uint32 window, uint256 minDepth)
        internal
        view
        returns (int256)
    {
        (bool covered, int256 tick, uint256 liquidity) = tryMean(pool, window);
        if (!covered) revert IVaultTrading.WindowNotCovered(pool, window);
        uint256 depth = depthOf(liquidity, tick, usdc < token);
        if (depth < minDepth) revert IVaultTrading.DepthTooLow(pool, depth, minDepth);
        return _directed(tick, token, usdc);
    }

    /// @notice The lowest and the highest of the means of the last minute's three thirds.
    /// @dev By thirds, because a mean can be dragged anywhere by a price that is absurd for a block: he who would hide a move
    /// has to bend every third.
    function lastMinute(address pool, address token, address usdc, uint256 minDepth)
        internal
        view
        returns (int256 low, int256 high)
    {
        // Refuses what was too thin of late: there the thirds would be cheap to bend.
        meanTick(pool, token, usdc, MINUTE, minDepth);
        uint32[] memory secondsAgos = new uint32[](4);
        (secondsAgos[0], secondsAgos[1], secondsAgos[2]) = (MINUTE, 2 * THIRD, THIRD);
        (int56[] memory ticks,) = IUniswapV3Pool(pool).observe(secondsAgos);
        (low, high) = (type(int256).max, type(int256).min);
        for (uint256 i; i < 3; ++i) {
            int256 tick = _directed(_meanDown(ticks[i], ticks[i + 1], THIRD), token, usdc);
            if (tick < low) low = tick;
            if (tick > high) high = tick;
        }
    }

    /// @notice The pool's own mean tick and harmonic-mean liquidity over the window; not covered when it cannot say.
    function tryMean(address pool, uint32 window) internal view returns (bool covered, int256 tick, uint256 liquidity) {
        uint32[] memory secondsAgos = new uint32[](2);
        secondsAgos[0] = window;
        try IUniswapV3Pool(pool).observe(secondsAgos) returns (
            int56[] memory ticks, uint160[] memory secondsPerLiquidity
        ) {
            uint256 perLiquidity;
            // The accumulator is defined modulo its width; its difference is what counts.
            unchecked {
                perLiquidity = uint160(secondsPerLiquidity[1] - secondsPerLiquidity[0]);
            }
            liquidity = perLiquidity == 0 ? 0 : (uint256(window) << 128) / perLiquidity;
            tick = _meanDown(ticks[0], ticks[1], window);
            covered = true;
        } catch {}
    }

    /// @notice Liquidity in USDC: what the pool would hold of it, were the liquidity spread over all prices. Moving the
    /// price by a hundredth takes about a two-hundredth of it, whatever the other token's decimals and worth.
    function depthOf(uint256 liquidity, int256 tick, bool usdcFirst) internal pure returns (uint256) {
        uint256 sqrtPrice = TickLib.sqrtPriceUp(tick);
        return usdcFirst
            ? FixedPointMathLib.fullMulDiv(liquidity, 1 << 96, sqrtPrice)
            : FixedPointMathLib.fullMulDiv(liquidity, sqrtPrice, 1 << 96);
    }

    /// @notice Reverts unless `pool` is the factory's pool of the two tokens.
    function requireGenuine(address factory, address pool, address tokenA, address tokenB) internal view {
        if (!isGenuine(factory, pool, tokenA, tokenB)) revert IVaultTrading.NotVenuePool(pool, tokenA, tokenB);
    }

    /// @notice Whether `pool` is the factory's pool of the two tokens. A contract without a fee reverts.
    function isGenuine(address factory, address pool, address tokenA, address tokenB) internal view returns (bool) {
        return
            pool.code.length != 0
                && IUniswapV3Factory(factory).getPool(tokenA, tokenB, IUniswapV3Pool(pool).fee()) == pool;
    }

    function _meanDown(int56 before, int56 after_, uint32 window) private pure returns (int256 tick) {
        int256 delta;
        // Defined modulo its width, too.
        unchecked {
            delta = int256(int56(after_ - before));
        }
        tick = delta / int256(uint256(window));
        // Solidity rounds toward zero; the venue's mean rounds down.
        if (delta < 0 && delta % int256(uint256(window)) != 0) --tick;
    }

    /// @dev A pool prices its token0 in token1.
    function _directed(int256 tick, address token, address usdc) private pure returns (int256) {
        return token < usdc ? tick : -tick;
    }
}
