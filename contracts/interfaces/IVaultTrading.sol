// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Phase} from "contracts/types/Life.sol";

/// @title The vault: trading within bounds (V-008, V-011, V-012, V-015)
/// @dev While Alive: by the bound key. In Dying: by the bound key or the owner, and only what lowers exposure, without the
/// caps of a day, because everything has to be closed. What the key's sales then lose has one bound for all of Dying: the
/// slippage on the capital at cost (V-031). The owner answers to the mean of the last minute alone.
interface IVaultTrading is IVaultRules {
    /// @notice A swap of an exact amount through a listed pool, until a time.
    struct SwapOrder {
        address pool;
        address tokenIn;
        address tokenOut;
        uint256 amountIn;
        uint256 minOut;
        uint256 deadline;
    }

    /// @notice A swap happened. Values are USDC, what was given at the dearer and what came
    /// at the cheaper end of the trusted price; capital and deployed as they stand after it.
    event Swapped(
        address indexed pool,
        address indexed tokenIn,
        address indexed tokenOut,
        uint256 amountIn,
        uint256 amountOut,
        uint256 valueIn,
        uint256 valueOut,
        uint256 capital,
        uint256 deployed
    );
    /// @notice The key was given native coin for `amountIn` of the gas partition.
    event Refuelled(address indexed key, uint256 amountIn, uint256 native, uint256 left);
    /// @notice What a holding or a position is booked at, whenever that changes. `token` zero: the position `id`.
    event Booked(address indexed token, uint256 indexed id, uint256 book, uint256 positions);
    /// @notice An empty line left the list of holdings.
    event Pruned(address indexed token);

    /// @notice In Conservation or worse nothing raises exposure (V-012).
    error ExposureFrozen(Phase phase);
    /// @notice The day, or Dying, has lost its measure. Until the next day only exposure-lowering calls pass; in Dying the
    /// owner alone sells on.
    error DayLossReached(uint256 loss, uint256 bound);
    /// @notice The trades of this minute are larger than one minute's share of the capital; a minute later there is room again.
    error TradeTooLarge(uint256 volumeAfter, uint256 bound);
    /// @notice The day's trades larger than their share of the capital.
    error DayVolumeExceeded(uint256 volumeAfter, uint256 bound);
    /// @notice What came out is worth less, at the trusted price, than the policy allows.
    error BelowTrustedPrice(uint256 valueOut, uint256 minimum);
    /// @notice The order came too late.
    error DeadlinePassed(uint256 deadline, uint256 time);
    /// @notice What came out is less than the order wanted.
    error BelowMinOut(uint256 amountOut, uint256 minOut);
    /// @notice Not that much of the token here.
    error HoldingExceeded(address token, uint256 amount, uint256 balance);
    /// @notice A token into itself is no swap.
    error SameToken(address token);
    /// @notice A holding that still has a cost above dust or a position cannot leave the list.
    error StillHeld(address token, uint256 book, uint256 positions);
    /// @notice The key does not take native coin.
    error RefuelRefused(address key);
    /// @notice The pool is not the venue's pool of these two tokens.
    error NotVenuePool(address pool, address tokenA, address tokenB);
    /// @notice The pool's observations do not reach back over the window.
    error WindowNotCovered(address pool, uint256 window);
    /// @notice The pool's depth over the window, in USDC, is below the policy's minimum.
    error DepthTooLow(address pool, uint256 depth, uint256 minimum);
    /// @notice A tick outside the venue's range.
    error TickOutOfRange(int256 tick, int256 max);

    /// @notice Swaps at a price within the policy's distance of the trusted one. Into USDC lowers exposure; all else raises it.
    function swap(SwapOrder calldata order) external returns (uint256 amountOut);
    /// @notice Buys native coin for the key from the gas partition, at a price near the trusted one. By the bound key.
    function refuel(address pool, uint256 amountIn, uint256 minOut, uint256 deadline) external returns (uint256 native);
    /// @notice Frees the line of a holding that has no position and a cost of at most 0.01 USDC, which is written off. By
    /// the key or the owner.
    function prune(address token) external;
}
