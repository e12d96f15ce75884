// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";

/// @title Prices from ticks
/// @dev No library of ours to import has this (the venue's own is under another licence), so it is written from the
/// definition: the factors are round(2^128 / 1.0001^(2^i / 2)), and the square root of the price at a tick is the
/// product of the factors of its set bits. Tests compare it with the venue over the whole range.
library TickLib {
    int256 internal constant MAX_TICK = 887_272;

    /// @notice sqrt(1.0001^tick) * 2^96, rounded up.
    function sqrtPriceUp(int256 tick) internal pure returns (uint256) {
        uint256 bits = uint256(tick < 0 ? -tick : tick);
        if (bits > uint256(MAX_TICK)) revert IVaultTrading.TickOutOfRange(tick, MAX_TICK);
        uint256 ratio = 1 << 128;
        // Factors are below 2^128 and the running ratio is at most 2^128, so no product leaves 256 bits.
        unchecked {
            if (bits & 0x1 != 0) ratio = ratio * 0xfffcb933bd6fad37aa2d162d1a594001 >> 128;
            if (bits & 0x2 != 0) ratio = ratio * 0xfff97272373d413259a46990580e213a >> 128;
            if (bits & 0x4 != 0) ratio = ratio * 0xfff2e50f5f656932ef12357cf3c7fdcc >> 128;
            if (bits & 0x8 != 0) ratio = ratio * 0xffe5caca7e10e4e61c3624eaa0941cd0 >> 128;
            if (bits & 0x10 != 0) ratio = ratio * 0xffcb9843d60f6159c9db58835c926644 >> 128;
            if (bits & 0x20 != 0) ratio = ratio * 0xff973b41fa98c081472e6896dfb254c0 >> 128;
            if (bits & 0x40 != 0) ratio = ratio * 0xff2ea16466c96a3843ec78b326b52861 >> 128;
            if (bits & 0x80 != 0) ratio = ratio * 0xfe5dee046a99a2a811c461f1969c3053 >> 128;
            if (bits & 0x100 != 0) ratio = ratio * 0xfcbe86c7900a88aedcffc83b479aa3a4 >> 128;
            if (bits & 0x200 != 0) ratio = ratio * 0xf987a7253ac413176f2b074cf7815e54 >> 128;
            if (bits & 0x400 != 0) ratio = ratio * 0xf3392b0822b70005940c7a398e4b70f3 >> 128;
            if (bits & 0x800 != 0) ratio = ratio * 0xe7159475a2c29b7443b29c7fa6e889d9 >> 128;
            if (bits & 0x1000 != 0) ratio = ratio * 0xd097f3bdfd2022b8845ad8f792aa5825 >> 128;
            if (bits & 0x2000 != 0) ratio = ratio * 0xa9f746462d870fdf8a65dc1f90e061e5 >> 128;
            if (bits & 0x4000 != 0) ratio = ratio * 0x70d869a156d2a1b890bb3df62baf32f7 >> 128;
            if (bits & 0x8000 != 0) ratio = ratio * 0x31be135f97d08fd981231505542fcfa6 >> 128;
            if (bits & 0x10000 != 0) ratio = ratio * 0x9aa508b5b7a84e1c677de54f3e99bc9 >> 128;
            if (bits & 0x20000 != 0) ratio = ratio * 0x5d6af8dedb81196699c329225ee604 >> 128;
            if (bits & 0x40000 != 0) ratio = ratio * 0x2216e584f5fa1ea926041bedfe98 >> 128;
            if (bits & 0x80000 != 0) ratio = ratio * 0x48a170391f7dc42444e8fa2 >> 128;
        }
        if (tick > 0) ratio = type(uint256).max / ratio;
        return FixedPointMathLib.divUp(ratio, 1 << 32);
    }

    /// @notice `amount` * 1.0001^tick, rounded down.
    function convertDown(uint256 amount, int256 tick) internal pure returns (uint256) {
        uint256 sqrtPrice = sqrtPriceUp(tick);
        return
            FixedPointMathLib.fullMulDiv(FixedPointMathLib.fullMulDiv(amount, sqrtPrice, 1 << 96), sqrtPrice, 1 << 96);
    }

    /// @notice How far the price of `sqrtPrice` (times 2^96) stands from the price at `tick`, in basis points, rounded up.
    function deviationBpsUp(uint256 sqrtPrice, int256 tick) internal pure returns (uint256) {
        uint256 mean = sqrtPriceUp(tick);
        (uint256 high, uint256 low) = sqrtPrice > mean ? (sqrtPrice, mean) : (mean, sqrtPrice);
        if (low == 0) return type(uint256).max;
        // Saturates: a pool at the end of its range is as good as infinitely far.
        uint256 root = FixedPointMathLib.fullMulDivUp(high, 1e18, low);
        if (root > 1e24) return type(uint256).max;
        return FixedPointMathLib.divUp(root * root - 1e36, 1e32);
    }
}
