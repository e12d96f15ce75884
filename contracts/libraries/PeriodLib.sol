// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";

import {DaySpent, PartitionId} from "contracts/types/Money.sol";

/// @title Fixed UTC days and what they may spend (V-006)
/// @dev A day is [n * 86,400, (n + 1) * 86,400): a spend in its last second is its own, the next one the next day's.
/// Fixed days are why V-031 speaks of two days' caps: any 24 hours touch at most two of them.
library PeriodLib {
    using SafeCastLib for uint256;

    uint256 internal constant BPS = 10_000;

    /// @notice The number of the day that `time` lies in.
    function dayOf(uint256 time) internal pure returns (uint64) {
        return uint64(time / 1 days);
    }

    /// @notice What a partition may pay in a day that it began with `atStart` and in which it has `untouched` (its
    /// balance now, plus what it already spent today): max(share of the start, min(untouched, floor)), rounded down.
    function dayCapDown(uint256 shareBps, uint256 dayFloor, uint256 atStart, uint256 untouched)
        internal
        pure
        returns (uint256)
    {
        return FixedPointMathLib.max(atStart * shareBps / BPS, FixedPointMathLib.min(untouched, dayFloor));
    }

    function load(DaySpent storage spent, PartitionId partition) internal view returns (uint256) {
        if (partition == PartitionId.Llm) return spent.llm;
        if (partition == PartitionId.Gas) return spent.gas;
        if (partition == PartitionId.Data) return spent.data;
        return 0;
    }

    function store(DaySpent storage spent, PartitionId partition, uint256 amount) internal {
        uint64 value = amount.toUint64();
        if (partition == PartitionId.Llm) spent.llm = value;
        else if (partition == PartitionId.Gas) spent.gas = value;
        else if (partition == PartitionId.Data) spent.data = value;
    }
}
