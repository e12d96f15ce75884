// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Phase, Pulse} from "contracts/types/Life.sol";

/// @title A pulse in one word
/// @dev The compiler writes a packed struct field by field, a warm store for each. A beat writes the whole slot at once
/// instead (V-040).
library PulseLib {
    /// @dev From the lowest bit: tick 40, phase 8, vitality 24, beatAt 48, noticeAt 48, diedAt 48, predecessor 40.
    function pack(Pulse memory pulse) internal pure returns (uint256) {
        return uint256(pulse.tick) | uint256(uint8(pulse.phase)) << 40 | uint256(pulse.vitality) << 48
            | uint256(pulse.beatAt) << 72 | uint256(pulse.noticeAt) << 120 | uint256(pulse.diedAt) << 168
            | uint256(pulse.predecessor) << 216;
    }

    /// @notice `word` after a beat: tick, phase, vitality and time are new, a notice is cleared, the rest stays.
    function beaten(uint256 word, uint256 tick, Phase phase, uint256 vitality, uint256 time)
        internal
        pure
        returns (uint256)
    {
        return (word >> 168 << 168) | tick | uint256(uint8(phase)) << 40 | vitality << 48 | time << 72;
    }

    function unpack(uint256 word) internal pure returns (Pulse memory pulse) {
        pulse.tick = uint40(word);
        pulse.phase = Phase(uint8(word >> 40));
        pulse.vitality = uint24(word >> 48);
        pulse.beatAt = uint48(word >> 72);
        pulse.noticeAt = uint48(word >> 120);
        pulse.diedAt = uint48(word >> 168);
        pulse.predecessor = uint40(word >> 216);
    }
}
