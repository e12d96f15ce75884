// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";

/// @title Time-weighted prices of a reference pool (V-011)
/// @dev Any failure is a typed refusal: a trade without a trustworthy price does not happen.
library TwapLib {
    /// @notice The mean tick of `token` priced in `usdc`, in raw units of both, rounded toward the lower price of the
    /// pool's own direction.
    function meanTick(address factory, address pool, address token, address usdc, uint32 window, uint128 minLiquidity)
        internal
        view
        returns (int256 tick)
    {
        requireGenuine(factory, pool, token, usdc);
        uint32[] memory secondsAgos = new uint32[](2);
        secondsAgos[0] = window;
        try IUniswapV3Pool(pool).observe(secondsAgos) returns (
            int56[] memory ticks, uint160[] memory secondsPerLiquidity
        ) {
            uint256 perLiquidity;
            int256 delta;
            // Both accumulators are defined modulo their width; their differences are what counts.
            unchecked {
                perLiquidity = uint160(secondsPerLiquidity[1] - secondsPerLiquidity[0]);
                delta = int256(int56(ticks[1] - ticks[0]));
            }
            uint256 liquidity = perLiquidity == 0 ? 0 : (uint256(window) << 128) / perLiquidity;
            if (liquidity < minLiquidity) revert IVaultTrading.LiquidityTooLow(pool, liquidity, minLiquidity);
            tick = delta / int256(uint256(window));
            // Solidity rounds toward zero; the venue's mean rounds down.
            if (delta < 0 && delta % int256(uint256(window)) != 0) --tick;
        } catch {
            revert IVaultTrading.WindowNotCovered(pool, window);
        }
        // A pool prices its token0 in token1.
        return token < usdc ? tick : -tick;
    }

    /// @notice Reverts unless `pool` is the factory's pool of the two tokens.
    function requireGenuine(address factory, address pool, address tokenA, address tokenB) internal view {
        if (pool.code.length == 0) revert IVaultTrading.NotVenuePool(pool, tokenA, tokenB);
        uint24 fee = IUniswapV3Pool(pool).fee();
        if (IUniswapV3Factory(factory).getPool(tokenA, tokenB, fee) != pool) {
            revert IVaultTrading.NotVenuePool(pool, tokenA, tokenB);
        }
    }
}
