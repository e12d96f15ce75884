// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {PeriodLib} from "contracts/libraries/PeriodLib.sol";
import {SettlementLib} from "contracts/libraries/SettlementLib.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";
import {DaySpent, Ledger, PartitionId} from "contracts/types/Money.sol";

/// @dev A pool whose accumulators are whatever a test wants.
contract AccumulatorPool {
    int56 private immutable _delta;
    uint160 private immutable _perLiquidity;

    constructor(int56 delta, uint160 perLiquidity) {
        (_delta, _perLiquidity) = (delta, perLiquidity);
    }

    function fee() external pure returns (uint24) {
        return 3000;
    }

    /// @dev The factory, too: every pair's pool is this one.
    function getPool(address, address, uint24) external view returns (address) {
        return address(this);
    }

    function observe(uint32[] calldata) external view returns (int56[] memory ticks, uint160[] memory perLiquidity) {
        ticks = new int56[](2);
        perLiquidity = new uint160[](2);
        (ticks[1], perLiquidity[1]) = (_delta, _perLiquidity);
    }
}

/// @title The corners of the libraries that no whole call reaches (V-002, V-006, V-011, T-006)
contract LibrariesTest is Test {
    Ledger private _ledger;
    DaySpent private _spent;

    /* PARTITIONS AND DAYS */

    function test_ledger_everyPartitionHasItsOwnPlace() public {
        Ledger memory memo;
        for (uint256 i; i < 4; ++i) {
            PartitionLib.store(_ledger, PartitionId(i), 10 + i);
            PartitionLib.set(memo, PartitionId(i), 20 + i);
        }
        for (uint256 i; i < 4; ++i) {
            assertEq(PartitionLib.load(_ledger, PartitionId(i)), 10 + i);
            assertEq(PartitionLib.get(memo, PartitionId(i)), 20 + i);
        }
        assertEq(PartitionLib.total(memo), 86);
        assertEq(PartitionLib.spendable(memo), 63);
        PartitionLib.clear(_ledger);
        assertEq(PartitionLib.load(_ledger, PartitionId.Legacy), 0);
    }

    function test_daySpent_legacyHasNoDay() public {
        for (uint256 i; i < 4; ++i) {
            PeriodLib.store(_spent, PartitionId(i), 10 + i);
        }
        assertEq(PeriodLib.load(_spent, PartitionId.Llm), 10);
        assertEq(PeriodLib.load(_spent, PartitionId.Gas), 11);
        assertEq(PeriodLib.load(_spent, PartitionId.Data), 12);
        assertEq(PeriodLib.load(_spent, PartitionId.Legacy), 0);
        assertEq(_spent.day, 0, "the day is not a partition");
    }

    function test_dayOf_changesAtMidnight() public pure {
        assertEq(PeriodLib.dayOf(86_399), 0);
        assertEq(PeriodLib.dayOf(86_400), 1);
    }

    function test_reserveUp_settlementEstimateGrowsWithPositions() public pure {
        assertEq(PartitionLib.reserveUp(1e6, 4), 0.3e6, "0.22 + 4 x 0.02 is the floor itself");
        assertEq(PartitionLib.reserveUp(1e6, 16), 0.54e6);
        assertEq(PartitionLib.reserveUp(100e6, 16), 2e6);
    }

    /* TICKS */

    function sqrtPrice(int256 tick) external pure returns (uint256) {
        return TickLib.sqrtPriceUp(tick);
    }

    function test_sqrtPriceUp_atBothEndsOfTheVenuesRange() public {
        // The venue's MIN_SQRT_RATIO and MAX_SQRT_RATIO.
        assertEq(TickLib.sqrtPriceUp(-887_272), 4_295_128_739);
        assertEq(TickLib.sqrtPriceUp(887_272), 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342);
        assertEq(TickLib.sqrtPriceUp(0), 1 << 96);
        // Every bit at once.
        assertGt(TickLib.sqrtPriceUp(524_287), TickLib.sqrtPriceUp(524_286));
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.TickOutOfRange.selector, 887_273, 887_272));
        this.sqrtPrice(887_273);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.TickOutOfRange.selector, -887_273, 887_272));
        this.sqrtPrice(-887_273);
    }

    function test_deviationBpsUp_saturates() public pure {
        assertEq(TickLib.deviationBpsUp(1 << 96, 0), 0);
        assertEq(TickLib.deviationBpsUp(0, 0), type(uint256).max, "a pool without a price is infinitely far");
        assertEq(TickLib.deviationBpsUp(4_295_128_739, 887_272), type(uint256).max);
        // 1.01 of the price, from either side: 1%, rounded up.
        assertEq(TickLib.deviationBpsUp(uint256(1005e15) * (1 << 96) / 1e18, 0), 101);
        assertEq(TickLib.deviationBpsUp(uint256(1 << 96) * 1e18 / 1005e15, 0), 101);
    }

    /* TWAP */

    function meanTick(AccumulatorPool pool, address token, address usdc) external view returns (int256) {
        return TwapLib.meanTick(address(pool), address(pool), token, usdc, 300, 1);
    }

    /// @dev The venue rounds a mean down, also below zero; the other direction is its mirror.
    function test_meanTick_roundsDownInThePoolsDirection() public {
        (address low, address high) = (address(1), address(2));
        AccumulatorPool pool = new AccumulatorPool(-301, 1 << 64);
        assertEq(this.meanTick(pool, low, high), -2);
        assertEq(this.meanTick(pool, high, low), 2);
        pool = new AccumulatorPool(-300, 1 << 64);
        assertEq(this.meanTick(pool, low, high), -1, "a whole mean stays");
        pool = new AccumulatorPool(301, 1 << 64);
        assertEq(this.meanTick(pool, low, high), 1);
    }

    function test_meanTick_noTimePerLiquidityIsNoLiquidity() public {
        AccumulatorPool pool = new AccumulatorPool(0, 0);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DepthTooLow.selector, address(pool), 0, 1));
        this.meanTick(pool, address(1), address(2));
    }

    /* SETTLEMENT */

    function test_try_nothingStandsThere() public {
        address nobody = makeAddr("nobody");
        assertEq(SettlementLib.tryOwnerOf(nobody, 1), address(0));
        assertEq(SettlementLib.tryBalanceOf(nobody, address(this)), 0);
        assertFalse(SettlementLib.tryPush(nobody, address(this), 1));
        assertFalse(SettlementLib.tryPushNft(nobody, address(this), 1));
    }
}
