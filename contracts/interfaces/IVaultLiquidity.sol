// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";

/// @title The vault: liquidity within bounds (V-011, V-012, V-015)
/// @dev Who may and when as in `IVaultTrading`; adding raises exposure, taking back lowers it.
interface IVaultLiquidity is IVaultRules {
    /// @notice A new position in a listed pool.
    struct MintOrder {
        address pool;
        int24 tickLower;
        int24 tickUpper;
        uint256 amount0;
        uint256 amount1;
        uint256 min0;
        uint256 min1;
    }

    /// @notice Liquidity was added to a position, new or old.
    event LiquidityAdded(
        uint256 indexed tokenId,
        address indexed pool,
        uint256 amount0,
        uint256 amount1,
        uint256 value,
        uint256 lossBooked,
        uint256 capital,
        uint256 deployed
    );
    /// @notice Liquidity and fees came back. `closed` when the position left the list.
    event LiquidityRemoved(
        uint256 indexed tokenId,
        uint128 liquidity,
        uint256 amount0,
        uint256 amount1,
        bool closed,
        uint256 capital,
        uint256 deployed
    );
    /// @notice The pool's spot price stands too far from the trusted one, in basis points.
    error SpotTooFar(address pool, uint256 deviationBps, uint256 maxBps);
    /// @notice The vault holds no such position.
    error UnknownPosition(uint256 tokenId);
    /// @notice The position has less liquidity than that.
    error LiquidityExceeded(uint256 tokenId, uint256 liquidity, uint256 available);

    /// @notice Opens a position while the pool's spot price is near the trusted one.
    function mintPosition(MintOrder calldata order) external returns (uint256 tokenId);
    /// @notice Adds to a position, under the same condition.
    function increasePosition(uint256 tokenId, uint256 amount0, uint256 amount1, uint256 min0, uint256 min1) external;
    /// @notice Takes liquidity and all fees back to the vault, under the same condition; 0 takes only the fees,
    /// 2^128 - 1 all there is. A position without liquidity leaves the list.
    function decreasePosition(uint256 tokenId, uint128 liquidity, uint256 min0, uint256 min1) external;
}
