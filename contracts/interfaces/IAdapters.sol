// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @title A venue for swaps, as the vault sees it
/// @notice An adapter owns nothing between calls: the caller sends what is to be sold first, and all that comes out
/// goes to the caller.
interface ISwapAdapter {
    /// @notice The pool did not take all of it, because it ran out of liquidity.
    error PartialFill(uint256 taken, uint256 amountIn);
    /// @notice Only the pool being swapped with may ask for payment.
    error NotPool(address caller, address pool);

    /// @notice Sells exactly `amountIn`, already sent here, and sends what comes out to the caller.
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn)
        external
        returns (uint256 amountOut);
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
