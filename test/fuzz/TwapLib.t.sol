// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";

import {Venue} from "test/utils/Venue.sol";

/// @title TwapLib against a model of a mean tick, of a harmonic mean of liquidity and of what that is in USDC (V-011)
contract TwapLibFuzzTest is Test {
    address private constant POOL = address(0x7001);
    address private constant FACTORY = address(0xfac7);
    address private constant LOW = address(0x1000);
    address private constant HIGH = address(0x2000);

    function setUp() public {
        vm.etch(POOL, hex"00");
        vm.etch(FACTORY, hex"00");
        vm.mockCall(POOL, abi.encodeCall(IUniswapV3Pool.fee, ()), abi.encode(uint24(3000)));
        vm.mockCall(FACTORY, abi.encodeCall(IUniswapV3Factory.getPool, (LOW, HIGH, 3000)), abi.encode(POOL));
        vm.mockCall(FACTORY, abi.encodeCall(IUniswapV3Factory.getPool, (HIGH, LOW, 3000)), abi.encode(POOL));
    }

    /* THE MEAN */

    function _observe(uint32 window, int56 then, int56 now_, uint160 perThen, uint160 perNow) private {
        uint32[] memory agos = new uint32[](2);
        agos[0] = window;
        int56[] memory ticks = new int56[](2);
        (ticks[0], ticks[1]) = (then, now_);
        uint160[] memory per = new uint160[](2);
        (per[0], per[1]) = (perThen, perNow);
        vm.mockCall(POOL, abi.encodeCall(IUniswapV3Pool.observe, (agos)), abi.encode(ticks, per));
    }

    function meanOutside(address token, address usdc, uint32 window, uint256 minDepth) external view returns (int256) {
        return TwapLib.meanTick(POOL, token, usdc, window, minDepth);
    }

    /// @dev The greatest whole tick at or below the mean, found by its definition and not by division.
    function _assertFloor(int256 tick, int256 delta, int256 window) private pure {
        assertLe(tick * window, delta);
        assertLt(delta, (tick + 1) * window);
    }

    /// @dev Accumulators may wrap; only their difference counts. The other direction is the same tick, negated.
    function testFuzz_meanTick_isTheFloorOfTheMean(int56 start, int24 mean, uint32 rest, uint32 window) public {
        window = uint32(bound(window, 5 minutes, 1 days));
        mean = int24(bound(mean, -887_272, 887_271));
        int256 delta = int256(mean) * int256(uint256(window)) + int256(uint256(rest) % window);
        int56 end;
        unchecked {
            end = start + int56(delta);
        }
        _observe(window, start, end, 0, 1);
        int256 tick = this.meanOutside(LOW, HIGH, window, 0);
        _assertFloor(tick, delta, int256(uint256(window)));
        assertEq(tick, mean);
        assertEq(this.meanOutside(HIGH, LOW, window, 0), -tick, "priced the other way round");
    }

    /// @dev Liquidity is seconds * 2^128 / seconds per liquidity, also across a wrap of the accumulator. At tick 0 a unit of
    /// it is a unit of either token. A pool with less than the least, or with none, prices nothing.
    function testFuzz_meanTick_refusesThinPools(
        uint160 start,
        uint160 per,
        uint64 minDepth,
        uint32 window,
        bool usdcLow
    ) public {
        window = uint32(bound(window, 5 minutes, 1 days));
        minDepth = uint64(bound(minDepth, 1, type(uint64).max));
        uint160 end;
        unchecked {
            end = start + per;
        }
        _observe(window, 0, 0, start, end);
        uint256 liquidity = per == 0 ? 0 : uint256(window) * 2 ** 128 / per;
        if (liquidity < minDepth) {
            vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DepthTooLow.selector, POOL, liquidity, minDepth));
        }
        (address token, address usdc) = usdcLow ? (HIGH, LOW) : (LOW, HIGH);
        assertEq(this.meanOutside(token, usdc, window, minDepth), 0);
    }

    function testFuzz_meanTick_refusesPoolsThatDoNotReachBack(uint32 window) public {
        uint32[] memory agos = new uint32[](2);
        agos[0] = window;
        vm.mockCallRevert(POOL, abi.encodeCall(IUniswapV3Pool.observe, (agos)), "OLD");
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.WindowNotCovered.selector, POOL, window));
        this.meanOutside(LOW, HIGH, window, 1);
    }

    /* THE LAST MINUTE */

    function minuteOutside(address token, address usdc, uint256 minDepth) external view returns (int256, int256) {
        return TwapLib.lastMinute(POOL, token, usdc, minDepth);
    }

    /// @dev A minute whose thirds had these sums, from `start` on, with `per` seconds per liquidity in all of it.
    function _observeThirds(int56 start, int56[3] memory sums, uint160 per) private {
        int56 end;
        int56[] memory ticks = new int56[](4);
        ticks[0] = start;
        unchecked {
            for (uint256 i; i < 3; ++i) {
                ticks[i + 1] = ticks[i] + sums[i];
            }
            end = ticks[3];
        }
        uint32[] memory agos = new uint32[](4);
        (agos[0], agos[1], agos[2]) = (60, 40, 20);
        vm.mockCall(POOL, abi.encodeCall(IUniswapV3Pool.observe, (agos)), abi.encode(ticks, new uint160[](4)));
        _observe(60, start, end, 0, per);
    }

    /// @dev Every third counts by itself: no price that was absurd for a while drags the range away from the others.
    function testFuzz_lastMinute_spansItsThirds(int56 start, int24[3] memory means, uint8[3] memory rests) public {
        int56[3] memory sums;
        for (uint256 i; i < 3; ++i) {
            means[i] = int24(bound(means[i], -887_272, 887_271));
            sums[i] = int56(means[i]) * 20 + int56(uint56(rests[i] % 20));
        }
        _observeThirds(start, sums, 1);
        (int256 low, int256 high) = this.minuteOutside(LOW, HIGH, 0);
        bool lowSeen;
        bool highSeen;
        for (uint256 i; i < 3; ++i) {
            assertLe(low, means[i]);
            assertGe(high, means[i]);
            lowSeen = lowSeen || low == means[i];
            highSeen = highSeen || high == means[i];
        }
        assertTrue(lowSeen && highSeen, "an end where no third was");
        (int256 otherLow, int256 otherHigh) = this.minuteOutside(HIGH, LOW, 0);
        assertEq(otherLow, -high, "priced the other way round");
        assertEq(otherHigh, -low, "priced the other way round");
    }

    /// @dev What was thin of late, or does not reach back a minute, prices nothing.
    function testFuzz_lastMinute_refusesWhatWasThinOfLate(uint160 per, uint64 minDepth) public {
        minDepth = uint64(bound(minDepth, 1, type(uint64).max));
        int56[3] memory still;
        _observeThirds(0, still, per);
        uint256 liquidity = per == 0 ? 0 : uint256(60) * 2 ** 128 / per;
        if (liquidity < minDepth) {
            vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DepthTooLow.selector, POOL, liquidity, minDepth));
        }
        this.minuteOutside(LOW, HIGH, minDepth);
        uint32[] memory agos = new uint32[](2);
        agos[0] = 60;
        vm.mockCallRevert(POOL, abi.encodeCall(IUniswapV3Pool.observe, (agos)), "OLD");
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.WindowNotCovered.selector, POOL, 60));
        this.minuteOutside(LOW, HIGH, 0);
    }

    /* DEPTH */

    /// @dev The whole product, by halves of 128 bits as one multiplies on paper.
    function _product(uint256 a, uint256 b) private pure returns (uint256 high, uint256 low) {
        unchecked {
            (uint256 a1, uint256 a0) = (a >> 128, uint256(uint128(a)));
            (uint256 b1, uint256 b0) = (b >> 128, uint256(uint128(b)));
            uint256 middle = (a0 * b0 >> 128) + uint128(a1 * b0) + uint128(a0 * b1);
            low = a * b;
            high = a1 * b1 + (a1 * b0 >> 128) + (a0 * b1 >> 128) + (middle >> 128);
        }
    }

    function _notAbove(uint256 a, uint256 b, uint256 c, uint256 d) private pure returns (bool) {
        (uint256 h1, uint256 l1) = _product(a, b);
        (uint256 h2, uint256 l2) = _product(c, d);
        return h1 != h2 ? h1 < h2 : l1 <= l2;
    }

    /// @dev Exactly liquidity * sqrt(price), or liquidity / sqrt(price) where USDC comes first, rounded down; for every tick
    /// and every liquidity that a window can answer it answers.
    function testFuzz_depthOf_isTheProductRoundedDown(uint256 liquidity, int256 tick, bool usdcFirst) public pure {
        liquidity = bound(liquidity, 0, uint256(1 days) << 128);
        tick = bound(tick, -887_272, 887_272);
        uint256 root = TickLib.sqrtPriceUp(tick);
        (uint256 times, uint256 by) = usdcFirst ? (uint256(2 ** 96), root) : (root, uint256(2 ** 96));
        uint256 depth = TwapLib.depthOf(liquidity, tick, usdcFirst);
        assertTrue(_notAbove(depth, by, liquidity, times), "more than there is");
        assertFalse(_notAbove(depth + 1, by, liquidity, times), "less than there is");
    }

    /// @dev A pool that holds so much of a token and so many USDC over its whole range has that many USDC of depth, whatever
    /// the token's decimals, price and place: within the two ticks that a price is rounded to.
    function testFuzz_depthOf_isTheUsdcOfAPoolOverAllPrices(
        uint256 inUsdc,
        uint256 priceMicro,
        uint8 decimalsSeed,
        bool usdcFirst
    ) public pure {
        uint256 decimals = [6, 8, 18][decimalsSeed % 3];
        // From a thousand to a hundred billion USDC of depth; a token of a hundred-thousandth of a dollar to ten million.
        inUsdc = bound(inUsdc, 1_000e6, 100_000_000_000e6);
        priceMicro = bound(priceMicro, 10, 10_000_000e6);
        uint256 inToken = FixedPointMathLib.fullMulDiv(inUsdc, 10 ** decimals, priceMicro);
        // Enough units that the price is not lost in their rounding.
        vm.assume(inToken > 100_000);
        uint256 liquidity = FixedPointMathLib.sqrt(inToken * inUsdc);
        (uint256 amount0, uint256 amount1) = usdcFirst ? (inUsdc, inToken) : (inToken, inUsdc);
        int256 tick = _tickOf(FixedPointMathLib.fullMulDiv(amount1, 1e36, amount0));
        assertApproxEqRel(TwapLib.depthOf(liquidity, tick, usdcFirst), inUsdc, 0.0002e18);
    }

    /// @dev By the logarithm, from a price times 1e36.
    function _tickOf(uint256 price) private pure returns (int256) {
        int256 log = FixedPointMathLib.lnWad(int256(price)) - FixedPointMathLib.lnWad(1e36);
        return log * 1e18 / FixedPointMathLib.lnWad(1.0001e18) / 1e18;
    }

    /* WHOSE POOL */

    /// @dev A pool of one's own making is not the factory's.
    function testFuzz_requireGenuine_refusesOtherPools(address other, bool hasCode) public {
        assumeNotForgeAddress(other);
        vm.assume(other != POOL && other != FACTORY && uint160(other) > 0xffff && other.code.length == 0);
        if (hasCode) {
            vm.etch(other, hex"00");
            vm.mockCall(other, abi.encodeCall(IUniswapV3Pool.fee, ()), abi.encode(uint24(3000)));
        }
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.NotVenuePool.selector, other, LOW, HIGH));
        this.genuineOutside(other);
    }

    function genuineOutside(address pool) external view {
        TwapLib.requireGenuine(FACTORY, pool, LOW, HIGH);
    }
}

/// @title The same questions of the real venue: what it answers is what was seen there
contract TwapLibVenueTest is Venue {
    function setUp() public {
        vm.warp(1_750_000_000);
        vm.roll(1000);
        _deployVenue();
    }

    function _tick() private view returns (int256) {
        (, int24 tick,,,,,) = pool.slot0();
        return tick;
    }

    function _floor(int256 sum, int256 time) private pure returns (int256 mean) {
        mean = sum / time;
        if (mean * time > sum) --mean;
    }

    /// @dev Any trades, any number in a second, any seconds apart: the mean is the sum over the seconds of where each found
    /// the pool, of the last minute and of the last half hour, whatever this second did.
    /// forge-config: deep.fuzz.runs = 2000
    function testFuzz_meanTick_isTheMeanOfWhatWasSeen(uint256 seed, bool long) public {
        uint256 window = long ? 30 minutes : 1 minutes;
        // Where it stood, and for how long.
        int256[] memory stood = new int256[](14);
        uint256[] memory time = new uint256[](14);
        (stood[0], time[0]) = (_tick(), 1 hours);
        for (uint256 i = 1; i < 13; ++i) {
            uint256 r = uint256(keccak256(abi.encode(seed, i)));
            (stood[i], time[i]) = (_tick(), r & 1 == 0 ? 0 : 1 + (r >> 8) % (window / 2));
            vm.warp(block.timestamp + time[i]);
            if (r & 2 == 0) swapAsTrader(pool, address(usdc), 1 + (r >> 64) % 200_000e6);
            else swapAsTrader(pool, address(weth), 1 + (r >> 64) % 60 ether);
        }
        int256 sum;
        uint256 left = window;
        for (uint256 i = 13; i > 0; --i) {
            uint256 part = time[i - 1] < left ? time[i - 1] : left;
            sum += stood[i - 1] * int256(part);
            left -= part;
        }
        int256 mean = _floor(sum, int256(window));
        assertEq(
            TwapLib.meanTick(address(pool), address(weth), address(usdc), uint32(window), 0),
            address(weth) < address(usdc) ? mean : -mean
        );
        if (!long) _assertThirds(stood, time);
    }

    /// @dev Second by second from now back: twenty, twenty and twenty.
    function _assertThirds(int256[] memory stood, uint256[] memory time) private view {
        (int256 low, int256 high) = (type(int256).max, type(int256).min);
        uint256 segment = 13;
        uint256 left;
        for (uint256 third; third < 3; ++third) {
            int256 sum;
            for (uint256 s; s < 20; ++s) {
                while (left == 0) left = time[--segment];
                sum += stood[segment];
                --left;
            }
            int256 mean = _floor(sum, 20);
            if (address(weth) > address(usdc)) mean = -mean;
            if (mean < low) low = mean;
            if (mean > high) high = mean;
        }
        (int256 foundLow, int256 foundHigh) = TwapLib.lastMinute(address(pool), address(weth), address(usdc), 0);
        assertEq(foundLow, low);
        assertEq(foundHigh, high);
    }

    /// @dev The venue's pool has 1.5 M USDC over all prices; an hour later that is its depth.
    function test_depth_isWhatThePoolHolds() public view {
        (bool covered, int256 tick, uint256 liquidity) = TwapLib.tryMean(address(pool), 30 minutes);
        assertTrue(covered);
        assertApproxEqRel(
            TwapLib.depthOf(liquidity, tick, address(usdc) < address(weth)), usdc.balanceOf(address(pool)), 0.0002e18
        );
    }
}
