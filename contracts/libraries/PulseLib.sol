// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Phase, Pulse} from "contracts/types/Life.sol";

/// @title A pulse in one word
/// @dev The compiler writes a packed struct field by field, a warm store for each. A beat writes the whole slot at once
/// instead (V-040).
library PulseLib {
    /// @dev From the lowest bit: tick 40, phase 4, vitality 20, beatAt 40, beatBlock 32, rollStride 8, noticeAt 40, diedAt
    /// 40, predecessor 32. Seconds fit 40 bits for 34,000 years, an agent id + 1 fits 32 by `recordBirth`.
    function pack(Pulse memory pulse) internal pure returns (uint256) {
        return uint256(pulse.tick) | uint256(uint8(pulse.phase)) << 40 | uint256(pulse.vitality) << 44
            | uint256(pulse.beatAt) << 64 | uint256(pulse.beatBlock) << 104 | uint256(pulse.rollStride) << 136
            | uint256(pulse.noticeAt) << 144 | uint256(pulse.diedAt) << 184 | uint256(pulse.predecessor) << 224;
    }

    /// @notice `word` after a beat: what the beat says, its time and block are new, a notice is cleared, the rest stays.
    function beaten(uint256 word, uint256 tick, Phase phase, uint256 vitality, uint256 rollStride)
        internal
        view
        returns (uint256)
    {
        return (word >> 184 << 184) | tick | uint256(uint8(phase)) << 40 | vitality << 44 | block.timestamp << 64
            | uint256(uint32(block.number)) << 104 | rollStride << 136;
    }

    function unpack(uint256 word) internal pure returns (Pulse memory pulse) {
        pulse.tick = uint40(word);
        pulse.phase = Phase(uint8(word >> 40) & 0xf);
        pulse.vitality = uint24(word >> 44) & 0xfffff;
        pulse.beatAt = uint40(word >> 64);
        pulse.beatBlock = uint32(word >> 104);
        pulse.rollStride = uint8(word >> 136);
        pulse.noticeAt = uint40(word >> 144);
        pulse.diedAt = uint40(word >> 184);
        pulse.predecessor = uint32(word >> 224);
    }

    /// @notice The latest tick that a beat or a death may claim now: a Golem ticks at most once a second, so a key that
    /// lies cannot leave the next one without ticks.
    function latestTick(uint256 word) internal view returns (uint256) {
        return uint40(word) + (block.timestamp - uint40(word >> 64)) + 1;
    }
}
