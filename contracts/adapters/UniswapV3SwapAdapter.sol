// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {ISwapAdapter} from "contracts/interfaces/IAdapters.sol";
import {IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";
import {SuiteBound} from "contracts/SuiteBound.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title Swaps with a Uniswap V3 pool
/// @dev Speaks to the pool and not to a router: one contract less to trust, and no approval at all, since the pool asks
/// for payment while it is being called. Prices are the vault's business; here only the pool's genuineness is checked.
contract UniswapV3SwapAdapter is SuiteBound, ReentrancyGuardTransient, ISwapAdapter {
    /* CONSTANTS */

    /// @dev The ends of the venue's price range, exclusive: a swap without a limit of its own.
    uint160 private constant LOWEST = 4_295_128_740;
    uint160 private constant HIGHEST = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;

    /* STORAGE */

    /// @dev The pool that may call back, for the length of one swap.
    address private transient _pool;

    constructor(Suite memory suite_) SuiteBound(suite_) {}

    /// @inheritdoc ISwapAdapter
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn)
        external
        nonReentrant
        returns (uint256 amountOut)
    {
        TwapLib.requireGenuine(UNISWAP_FACTORY, pool, tokenIn, tokenOut);
        bool zeroForOne = tokenIn < tokenOut;
        _pool = pool;
        (int256 amount0, int256 amount1) = IUniswapV3Pool(pool)
            .swap(msg.sender, zeroForOne, int256(amountIn), zeroForOne ? LOWEST : HIGHEST, abi.encode(tokenIn));
        _pool = address(0);
        (int256 taken, int256 given) = zeroForOne ? (amount0, amount1) : (amount1, amount0);
        if (taken != int256(amountIn)) revert PartialFill(uint256(taken), amountIn);
        return uint256(-given);
    }

    /// @notice The pool asks for what it is owed.
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        if (msg.sender != _pool) revert NotPool(msg.sender, _pool);
        SafeTransferLib.safeTransfer(abi.decode(data, (address)), msg.sender, uint256(amount0 > 0 ? amount0 : amount1));
    }

    /* PREFLIGHT */

    /// @inheritdoc ISwapAdapter
    function preflight(address pool, address token, uint32 window, uint64 minDepth)
        external
        view
        returns (PoolReport memory report)
    {
        if (pool.code.length == 0) {
            report.refusal = "no contract stands at this address";
            return report;
        }
        if (!_isGenuine(pool, token)) {
            report.refusal = "not a pool of this venue with this token and USDC";
            return report;
        }
        uint16 index;
        (,, index, report.observations, report.observationsNext,,) = IUniswapV3Pool(pool).slot0();
        report.coveredSeconds = _coveredSeconds(pool, index, report.observations);
        (bool covered, int256 tick, uint256 liquidity) = TwapLib.tryMean(pool, window);
        if (!covered) {
            report.refusal = "its observations do not reach back over the window";
            return report;
        }
        report.depth = TwapLib.depthOf(liquidity, tick, USDC < token);
        if (report.depth < minDepth) report.refusal = "its depth in USDC is below the minimum";
    }

    /// @dev Never reverts, whatever stands at the address.
    function _isGenuine(address pool, address token) private view returns (bool) {
        try IUniswapV3Pool(pool).fee() returns (uint24 fee) {
            return IUniswapV3Factory(UNISWAP_FACTORY).getPool(token, USDC, fee) == pool;
        } catch {
            return false;
        }
    }

    /// @dev How far back the oldest observation lies: the slot after the newest, or the first while that was never written.
    function _coveredSeconds(address pool, uint256 index, uint256 cardinality) private view returns (uint256) {
        if (cardinality == 0) return 0;
        (uint32 at,,, bool known) = IUniswapV3Pool(pool).observations((index + 1) % cardinality);
        if (!known) (at,,,) = IUniswapV3Pool(pool).observations(0);
        unchecked {
            return uint32(block.timestamp) - at;
        }
    }

    /// @dev Transient storage on every chain: the suite targets Cancun.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
