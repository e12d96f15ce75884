// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IPositionAdapter} from "contracts/interfaces/IAdapters.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {SuiteBound} from "contracts/SuiteBound.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title Liquidity in Uniswap V3 through its position manager
/// @dev The position belongs to the caller from its first moment. Approvals to the manager are exact and zeroed after
/// (V-011). What goes back is what was deposited less what the manager took, never what happens to lie here; and nobody
/// enters twice, so no token that calls back finds another's deposit.
contract UniswapV3PositionAdapter is SuiteBound, ReentrancyGuardTransient, IPositionAdapter {
    constructor(Suite memory suite_) SuiteBound(suite_) {}

    /// @inheritdoc IPositionAdapter
    function mint(Deposit calldata deposit, uint24 fee, int24 tickLower, int24 tickUpper)
        external
        nonReentrant
        returns (uint256 tokenId)
    {
        _approve(deposit);
        IPositionManager.MintParams memory params;
        params.token0 = deposit.token0;
        params.token1 = deposit.token1;
        params.fee = fee;
        params.tickLower = tickLower;
        params.tickUpper = tickUpper;
        params.amount0Desired = deposit.amount0;
        params.amount1Desired = deposit.amount1;
        params.amount0Min = deposit.min0;
        params.amount1Min = deposit.min1;
        params.recipient = msg.sender;
        params.deadline = block.timestamp;
        uint256 taken0;
        uint256 taken1;
        (tokenId,, taken0, taken1) = IPositionManager(POSITION_MANAGER).mint(params);
        _return(deposit, taken0, taken1);
    }

    /// @inheritdoc IPositionAdapter
    function increase(uint256 tokenId, Deposit calldata deposit) external nonReentrant {
        _requireOwner(tokenId);
        _approve(deposit);
        (, uint256 taken0, uint256 taken1) = IPositionManager(POSITION_MANAGER)
            .increaseLiquidity(
                IPositionManager.IncreaseLiquidityParams(
                    tokenId, deposit.amount0, deposit.amount1, deposit.min0, deposit.min1, block.timestamp
                )
            );
        _return(deposit, taken0, taken1);
    }

    /// @inheritdoc IPositionAdapter
    function decrease(uint256 tokenId, uint128 liquidity, uint256 min0, uint256 min1) external nonReentrant {
        // The caller's approval is live during this call: only the owner himself may use it.
        _requireOwner(tokenId);
        if (liquidity != 0) {
            IPositionManager(POSITION_MANAGER)
                .decreaseLiquidity(
                    IPositionManager.DecreaseLiquidityParams(tokenId, liquidity, min0, min1, block.timestamp)
                );
        }
        IPositionManager(POSITION_MANAGER)
            .collect(IPositionManager.CollectParams(tokenId, msg.sender, type(uint128).max, type(uint128).max));
    }

    function _requireOwner(uint256 tokenId) private view {
        address owner = IERC721(POSITION_MANAGER).ownerOf(tokenId);
        if (msg.sender != owner) revert NotPositionOwner(tokenId, msg.sender, owner);
    }

    function _approve(Deposit calldata deposit) private {
        SafeTransferLib.safeApproveWithRetry(deposit.token0, POSITION_MANAGER, deposit.amount0);
        SafeTransferLib.safeApproveWithRetry(deposit.token1, POSITION_MANAGER, deposit.amount1);
    }

    function _return(Deposit calldata deposit, uint256 taken0, uint256 taken1) private {
        SafeTransferLib.safeApprove(deposit.token0, POSITION_MANAGER, 0);
        SafeTransferLib.safeApprove(deposit.token1, POSITION_MANAGER, 0);
        _returnOne(deposit.token0, deposit.amount0 - taken0);
        _returnOne(deposit.token1, deposit.amount1 - taken1);
    }

    function _returnOne(address token, uint256 amount) private {
        if (amount != 0) SafeTransferLib.safeTransfer(token, msg.sender, amount);
    }

    /// @dev Transient storage on every chain: the suite targets Cancun.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
