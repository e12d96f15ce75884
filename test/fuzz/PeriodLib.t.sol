// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {PeriodLib} from "contracts/libraries/PeriodLib.sol";
import {DaySpent, PartitionId} from "contracts/types/Money.sol";

/// @title PeriodLib against a model written from V-006
contract PeriodLibFuzzTest is Test {
    using PeriodLib for DaySpent;

    DaySpent private _spent;

    /// @dev A day holds its first second and not the next day's.
    function testFuzz_dayOf_holdsItsSecondsAndNoOthers(uint48 time) public pure {
        uint256 day = PeriodLib.dayOf(time);
        assertLe(day * 86_400, time);
        assertLt(time, (day + 1) * 86_400);
    }

    function test_dayOf_turnsAtMidnightUtc() public pure {
        assertEq(PeriodLib.dayOf(0), 0);
        assertEq(PeriodLib.dayOf(86_399), 0);
        assertEq(PeriodLib.dayOf(86_400), 1);
    }

    /// @dev V-006: max(share of the day's start, min(balance, 0.50)), written without `max` or `min`.
    function testFuzz_dayCapDown_agreesWithTheModel(uint16 shareBps, uint64 dayFloor, uint64 atStart, uint128 untouched)
        public
        pure
    {
        shareBps %= 10_001;
        uint256 share = (uint256(atStart) * shareBps - (uint256(atStart) * shareBps) % 10_000) / 10_000;
        uint256 floor = untouched < dayFloor ? untouched : dayFloor;
        uint256 expected = share;
        if (floor > expected) expected = floor;
        uint256 cap = PeriodLib.dayCapDown(shareBps, dayFloor, atStart, untouched);
        assertEq(cap, expected);
        if (untouched >= atStart) assertLe(cap, untouched, "a day's cap above all that the day had");
    }

    function test_dayCapDown_numbersOfTheCatalogue() public pure {
        assertEq(PeriodLib.dayCapDown(2_000, 0.5e6, 58.8e6, 58.8e6), 11.76e6);
        assertEq(PeriodLib.dayCapDown(3_000, 0.5e6, 24.5e6, 24.5e6), 7.35e6);
        assertEq(PeriodLib.dayCapDown(2_500, 0.5e6, 14.7e6, 14.7e6), 3.675e6);
        assertEq(PeriodLib.dayCapDown(2_000, 0.5e6, 1e6, 1e6), 0.5e6);
        assertEq(PeriodLib.dayCapDown(2_000, 0.5e6, 0.3e6, 0.3e6), 0.3e6);
    }

    /// @dev Legacy has no day: nothing is kept for it and nothing of the others moves.
    function testFuzz_storeAndLoad_touchOnePartition(DaySpent memory spent, uint8 partitionSeed, uint64 amount) public {
        _spent = spent;
        PartitionId partition = PartitionId(partitionSeed % 4);
        uint256[4] memory expected = [uint256(spent.llm), spent.gas, spent.data, 0];
        if (partition != PartitionId.Legacy) expected[uint8(partition)] = amount;
        _spent.store(partition, amount);
        for (uint256 i; i < 4; ++i) {
            assertEq(_spent.load(PartitionId(i)), expected[i]);
        }
        assertEq(_spent.day, spent.day, "the day's number moved");
    }
}
