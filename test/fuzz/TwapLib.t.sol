// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";

/// @title TwapLib against a model of a mean tick and a harmonic mean of liquidity (V-011)
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

    function _observe(uint32 window, int56 then, int56 now_, uint160 perThen, uint160 perNow) private {
        uint32[] memory agos = new uint32[](2);
        agos[0] = window;
        int56[] memory ticks = new int56[](2);
        (ticks[0], ticks[1]) = (then, now_);
        uint160[] memory per = new uint160[](2);
        (per[0], per[1]) = (perThen, perNow);
        vm.mockCall(POOL, abi.encodeCall(IUniswapV3Pool.observe, (agos)), abi.encode(ticks, per));
    }

    function meanOutside(address token, address usdc, uint32 window, uint128 minDepth) external view returns (int256) {
        return TwapLib.meanTick(FACTORY, POOL, token, usdc, window, minDepth);
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
        int256 tick = this.meanOutside(LOW, HIGH, window, 1);
        _assertFloor(tick, delta, int256(uint256(window)));
        assertEq(tick, mean);
        assertEq(this.meanOutside(HIGH, LOW, window, 1), -tick, "priced the other way round");
    }

    /// @dev Liquidity is seconds * 2^128 / seconds per liquidity, also across a wrap of the accumulator; a pool with
    /// less than the least, or with none, prices nothing.
    function testFuzz_meanTick_refusesThinPools(uint160 start, uint160 per, uint128 minDepth, uint32 window) public {
        window = uint32(bound(window, 5 minutes, 1 days));
        minDepth = uint128(bound(minDepth, 1, type(uint128).max));
        uint160 end;
        unchecked {
            end = start + per;
        }
        _observe(window, 0, 0, start, end);
        uint256 liquidity = per == 0 ? 0 : uint256(window) * 2 ** 128 / per;
        if (liquidity < minDepth) {
            vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DepthTooLow.selector, POOL, liquidity, minDepth));
        }
        assertEq(this.meanOutside(LOW, HIGH, window, minDepth), 0);
    }

    function testFuzz_meanTick_refusesPoolsThatDoNotReachBack(uint32 window) public {
        uint32[] memory agos = new uint32[](2);
        agos[0] = window;
        vm.mockCallRevert(POOL, abi.encodeCall(IUniswapV3Pool.observe, (agos)), "OLD");
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.WindowNotCovered.selector, POOL, window));
        this.meanOutside(LOW, HIGH, window, 1);
    }

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
