// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @title A venue for swaps, as the vault sees it
/// @notice An adapter owns nothing between calls: the caller sends what is to be sold first, and all that comes out
/// goes to the caller.
interface ISwapAdapter {
    /// @notice What a pool is worth as the source of a token's price.
    /// @param refusal Why the vault would refuse it, in words; empty when it would not.
    /// @param depth Its USDC over the window, were its liquidity spread over all prices.
    /// @param coveredSeconds How far back its observations reach.
    /// @param observations How many it keeps. One is written for every block that trades, so a stranger who trades a little in
    /// each block makes a pool forget all that is older than so many blocks.
    /// @param observationsNext How many it will keep, once the ring has grown to what was paid for.
    struct PoolReport {
        string refusal;
        uint256 depth;
        uint256 coveredSeconds;
        uint16 observations;
        uint16 observationsNext;
    }

    /// @notice The pool did not take all of it, because it ran out of liquidity.
    error PartialFill(uint256 taken, uint256 amountIn);
    /// @notice Only the pool being swapped with may ask for payment.
    error NotPool(address caller, address pool);

    /// @notice Sells exactly `amountIn`, already sent here, and sends what comes out to the caller.
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn)
        external
        returns (uint256 amountOut);

    /// @notice Says, before money moves, whether `pool` can price `token` in USDC over `window` seconds with at least
    /// `minDepth` USDC of depth, and if not, why. Never reverts.
    function preflight(address pool, address token, uint32 window, uint64 minDepth)
        external
        view
        returns (PoolReport memory report);
}

/// @title A venue for liquidity, as the vault sees it
interface IPositionAdapter {
    /// @notice The position is not the caller's.
    error NotPositionOwner(uint256 tokenId, address caller, address owner);

    /// @notice Two amounts, already sent to the adapter, and the least of each that a position must take.
    struct Deposit {
        address token0;
        address token1;
        uint256 amount0;
        uint256 amount1;
        uint256 min0;
        uint256 min1;
    }

    /// @notice Opens a position owned by the caller; what it does not take goes back to the caller.
    function mint(Deposit calldata deposit, uint24 fee, int24 tickLower, int24 tickUpper)
        external
        returns (uint256 tokenId);

    /// @notice Adds to a position of the caller's; what it does not take goes back to the caller.
    function increase(uint256 tokenId, Deposit calldata deposit) external;

    /// @notice Takes liquidity and all fees of the caller's position to the caller, who has approved this adapter for it.
    function decrease(uint256 tokenId, uint128 liquidity, uint256 min0, uint256 min1) external;
}
