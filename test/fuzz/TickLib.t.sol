// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";

import {IVenueFactory, IVenuePool} from "test/utils/Venue.sol";

/// @title TickLib against the venue's own deployed arithmetic, its published ends, and the exponential
contract TickLibFuzzTest is Test {
    int256 private constant MAX = 887_272;
    /// @dev TickMath.MIN_SQRT_RATIO and MAX_SQRT_RATIO of the venue.
    uint256 private constant MIN_SQRT = 4_295_128_739;
    uint256 private constant MAX_SQRT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342;

    IVenuePool private _at;
    IVenuePool private _below;

    function setUp() public {
        IVenueFactory factory = IVenueFactory(
            vm.deployCode(
                "node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json"
            )
        );
        _at = IVenuePool(factory.createPool(address(1), address(2), 3000));
        _below = IVenuePool(factory.createPool(address(1), address(3), 3000));
    }

    function test_sqrtPriceUp_endsOfTheVenue() public pure {
        assertEq(TickLib.sqrtPriceUp(0), 2 ** 96);
        assertEq(TickLib.sqrtPriceUp(-MAX), MIN_SQRT);
        assertEq(TickLib.sqrtPriceUp(MAX), MAX_SQRT);
        assertEq(TickLib.sqrtPriceUp(-MAX + 1), 4_295_343_490);
        assertEq(TickLib.sqrtPriceUp(MAX - 1), 1_461_373_636_630_004_318_706_518_188_784_493_106_690_254_656_249);
    }

    /// @dev The venue says of a price which tick it lies in: the first price of tick n is n's and the one before it is
    /// not. That fixes the number exactly, for every tick.
    function testFuzz_sqrtPriceUp_isTheVenuesFirstPriceOfTheTick(int256 tick) public {
        tick = bound(tick, -MAX + 1, MAX - 1);
        _assertFirstPrice(tick);
    }

    /// @dev Every power of two by itself, on both sides: one wrong factor cannot hide.
    function test_sqrtPriceUp_everyFactorByItself() public {
        for (uint256 i; i < 20; ++i) {
            int256 tick = int256(1 << i);
            if (tick >= MAX) tick = MAX - 1;
            uint256 clean = vm.snapshotState();
            _assertFirstPrice(tick);
            vm.revertToState(clean);
            _assertFirstPrice(-tick);
            vm.revertToState(clean);
        }
    }

    function _assertFirstPrice(int256 tick) private {
        uint256 price = TickLib.sqrtPriceUp(tick);
        _at.initialize(uint160(price));
        _below.initialize(uint160(price - 1));
        (, int24 at,,,,,) = _at.slot0();
        (, int24 below,,,,,) = _below.slot0();
        assertEq(at, tick, "the venue puts the price elsewhere");
        assertEq(below, tick - 1, "the price is not the tick's first");
    }

    function testFuzz_sqrtPriceUp_rises(int256 tick) public pure {
        tick = bound(tick, -MAX, MAX - 1);
        assertLt(TickLib.sqrtPriceUp(tick), TickLib.sqrtPriceUp(tick + 1));
    }

    function testFuzz_sqrtPriceUp_refusesTicksOffTheRange(int256 tick) public {
        tick = tick < 0 ? bound(tick, type(int256).min + 1, -MAX - 1) : bound(tick, MAX + 1, type(int256).max);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.TickOutOfRange.selector, tick, MAX));
        this.sqrtPriceOutside(tick);
    }

    function sqrtPriceOutside(int256 tick) external pure returns (uint256) {
        return TickLib.sqrtPriceUp(tick);
    }

    /// @dev amount * e^(tick * ln 1.0001), by another library's exponential; good to a billionth where it has digits.
    function testFuzz_convertDown_isTheExponential(int256 tick, uint64 amount) public pure {
        tick = bound(tick, -200_000, 200_000);
        uint256 whole = uint256(amount) * 1e18;
        // ln(1.0001) in 1e-36: 9.9995000333308335333166680951131 * 10^-5.
        int256 exponent = tick * 99_995_000_333_308_335_333_166_680_951 / 1e15;
        uint256 price = uint256(FixedPointMathLib.expWad(exponent));
        uint256 expected = FixedPointMathLib.fullMulDiv(whole, price, 1e18);
        // expWad answers in 1e-18 steps, so small prices are compared in those steps.
        uint256 slack = expected / 1e9 + whole / 1e18 * 2 + 2;
        assertApproxEqAbs(TickLib.convertDown(whole, tick), expected, slack);
    }

    /// @dev Rounds down, and by less than the price of one unit plus one.
    function testFuzz_convertDown_roundsDownByLessThanAUnit(int256 tick, uint96 amount) public pure {
        tick = bound(tick, -400_000, 400_000);
        uint256 root = TickLib.sqrtPriceUp(tick);
        uint256 exact = FixedPointMathLib.fullMulDiv(root * (uint256(amount) % 2 ** 64), root, 2 ** 192);
        uint256 got = TickLib.convertDown(uint256(amount) % 2 ** 64, tick);
        assertLe(got, exact);
        assertLe(exact - got, (root >> 96) + 1);
    }

    function testFuzz_convertDown_moreIsWorthNoLess(int256 tick, uint64 amount, uint64 more) public pure {
        tick = bound(tick, -MAX, 400_000);
        assertLe(TickLib.convertDown(amount, tick), TickLib.convertDown(uint256(amount) + more, tick));
    }

    /// @dev V-011. (high / low)^2 - 1 in basis points, against plain integers: the answer b is the least whole number
    /// for which high^2 * 10,000 <= low^2 * (10,000 + b).
    function testFuzz_deviationBpsUp_isTheLeastBoundThatHolds(int256 tick, uint256 offBps, bool above) public pure {
        tick = bound(tick, -200_000, 200_000);
        offBps = bound(offBps, 0, 5_000);
        uint256 mean = TickLib.sqrtPriceUp(tick);
        uint256 spot = above ? mean + mean * offBps / 10_000 : mean - mean * offBps / 10_000;
        (uint256 high, uint256 low) = above ? (spot, mean) : (mean, spot);
        uint256 got = TickLib.deviationBpsUp(spot, tick);
        // Down to 101 bits, so that the squares fit.
        uint256 shift = FixedPointMathLib.log2(high) > 100 ? FixedPointMathLib.log2(high) - 100 : 0;
        (uint256 h, uint256 l) = (high >> shift, low >> shift);
        assertGe((l + 1) * (l + 1) * (10_000 + got), h * h * 10_000, "spot is further than said");
        if (got > 0) {
            assertLe(l * l * (10_000 + got - 1), (h + 1) * (h + 1) * 10_000, "spot is nearer than said");
        }
        if (spot == mean) assertEq(got, 0);
    }

    function test_deviationBpsUp_saturates() public pure {
        assertEq(TickLib.deviationBpsUp(0, 0), type(uint256).max);
        assertEq(TickLib.deviationBpsUp(MAX_SQRT, -MAX), type(uint256).max);
        assertEq(TickLib.deviationBpsUp(2 ** 96, 0), 0);
        // One in 2^96 is not nothing.
        assertEq(TickLib.deviationBpsUp(2 ** 96 + 1, 0), 1);
        // A root of 1.005 is a price of 1.010025: 100.25 basis points, rounded up.
        assertEq(TickLib.deviationBpsUp(uint256(2 ** 96) * 1_005 / 1_000, 0), 101);
    }
}
