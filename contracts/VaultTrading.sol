// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {ISwapAdapter} from "contracts/interfaces/IAdapters.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {IWeth} from "contracts/interfaces/IWeth.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {Books, Holding, PartitionId, Policy, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultCapital} from "contracts/VaultCapital.sol";

/// @title A Golem's vault: swaps within bounds (V-008, V-011, V-012, V-015)
contract VaultTrading is VaultCapital, IVaultTrading {
    /* CONSTANTS */

    /// @dev A cost this small is written off when its line is freed: anyone can leave a token's dust here before a sale
    /// of all of it, and dust cannot be sold within the slippage.
    uint256 private constant DUST = 0.01e6;

    constructor(Suite memory suite_) VaultCapital(suite_) {}

    /* SWAPS */

    /// @inheritdoc IVaultTrading
    function swap(SwapOrder calldata order) external onlyDelegated nonReentrant returns (uint256 amountOut) {
        _requireInTime(order.deadline);
        if (order.amountIn == 0) revert ZeroAmount();
        if (order.tokenIn == order.tokenOut) revert SameToken(order.tokenIn);
        Policy memory policy_ = _policy();
        Trader trader = _asTrader(policy_, order.tokenOut != USDC);
        _requireListed(order.pool, USE_POOL);
        int256 dearest = _quoteOf(policy_, trader, order.tokenIn).high;
        int256 cheapest = _quoteOf(policy_, trader, order.tokenOut).low;

        uint256 valueIn = _valueUp(order.amountIn, dearest);
        uint256 cost = _release(order.tokenIn, order.amountIn);
        amountOut = _swap(order.pool, order.tokenIn, order.tokenOut, order.amountIn);
        if (amountOut < order.minOut) revert BelowMinOut(amountOut, order.minOut);
        uint256 valueOut = TickLib.convertDown(amountOut, cheapest);
        _requireNear(policy_, valueIn, valueOut);

        _acquire(order.tokenOut, amountOut, cost);
        _countTrade(policy_, trader, valueIn, FixedPointMathLib.zeroFloorSub(valueIn, valueOut));
        _tell(order, amountOut, valueIn, valueOut);
    }

    /// @inheritdoc IVaultTrading
    function refuel(address pool, uint256 amountIn, uint256 minOut, uint256 deadline)
        external
        onlyDelegated
        nonReentrant
        returns (uint256 native)
    {
        _requireInTime(deadline);
        address key = _asLivingKey();
        Policy memory policy_ = _policy();
        _requireListed(pool, USE_POOL);
        int256 cheapest = _quoteOf(policy_, Trader.Key, WETH).low;
        uint256 left = _debit(PartitionId.Gas, amountIn);

        native = _swap(pool, USDC, WETH, amountIn);
        if (native < minOut) revert BelowMinOut(native, minOut);
        _requireNear(policy_, amountIn, TickLib.convertDown(native, cheapest));
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

    function _tell(SwapOrder calldata order, uint256 amountOut, uint256 valueIn, uint256 valueOut) private {
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

    /* LINES */

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
}
