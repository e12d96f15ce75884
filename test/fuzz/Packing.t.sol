// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {ListingLib} from "contracts/libraries/ListingLib.sol";
import {PulseLib} from "contracts/libraries/PulseLib.sol";
import {Phase, Pulse} from "contracts/types/Life.sol";

/// @title The two words packed by hand, read digit by digit
contract PackingFuzzTest is Test {
    /// @dev The fields as L-025 and the registry bound them: vitality up to a million, an id + 1 below 2^32, time in 40 bits.
    function _pulse(
        uint40 tick,
        uint8 phaseSeed,
        uint24 vitality,
        uint40[3] memory times,
        uint32 beatBlock,
        uint8 rollStride,
        uint32 predecessor
    ) private pure returns (Pulse memory) {
        return Pulse({
            tick: tick,
            phase: Phase(phaseSeed % 5),
            vitality: vitality % 1_000_001,
            beatAt: times[0],
            beatBlock: beatBlock,
            rollStride: rollStride,
            noticeAt: times[1],
            diedAt: times[2],
            predecessor: predecessor
        });
    }

    /// @dev Takes the fields off the word from the low end; a field that overlaps another, or leaves a gap, shows.
    function _assertDigits(uint256 word, Pulse memory p) private pure {
        uint256[9] memory values = [
            uint256(p.tick),
            uint256(p.phase),
            p.vitality,
            p.beatAt,
            p.beatBlock,
            p.rollStride,
            p.noticeAt,
            p.diedAt,
            p.predecessor
        ];
        uint8[9] memory widths = [40, 4, 20, 40, 32, 8, 40, 40, 32];
        for (uint256 i; i < 9; ++i) {
            assertEq(word % 2 ** widths[i], values[i]);
            word /= 2 ** widths[i];
        }
        assertEq(word, 0, "bits beyond the last field");
    }

    function testFuzz_pulse_isItsFieldsInOrder(
        uint40 tick,
        uint8 phaseSeed,
        uint24 vitality,
        uint40[3] memory times,
        uint32 beatBlock,
        uint8 rollStride,
        uint32 predecessor
    ) public pure {
        Pulse memory pulse = _pulse(tick, phaseSeed, vitality, times, beatBlock, rollStride, predecessor);
        uint256 word = PulseLib.pack(pulse);
        _assertDigits(word, pulse);
        assertEq(keccak256(abi.encode(PulseLib.unpack(word))), keccak256(abi.encode(pulse)));
    }

    /// @dev L-025, T-001: a beat writes tick, phase, vitality, time, block and stride, clears the notice, leaves the rest,
    /// whatever stood there.
    function testFuzz_beaten_isTheFieldwiseBeat(
        uint256 old,
        uint40 tick,
        uint8 phaseSeed,
        uint24 vitality,
        uint8 rollStride,
        uint40 time,
        uint64 number
    ) public {
        vm.warp(time);
        vm.roll(number);
        // A block's number is kept modulo 2^32: at two seconds a block that is 272 years.
        Pulse memory expected = _pulse(
            tick,
            phaseSeed,
            vitality,
            [time, 0, uint40(old / 2 ** 184)],
            uint32(number % 2 ** 32),
            rollStride,
            uint32(old / 2 ** 224)
        );
        _assertDigits(PulseLib.beaten(old, tick, expected.phase, expected.vitality, rollStride), expected);
    }

    /// @dev L-032: one tick a second since the last beat and one more, whatever else the word says.
    function testFuzz_latestTick_isOneASecondAndOne(uint256 word, uint40 wait) public {
        uint256 beatAt = word / 2 ** 64 % 2 ** 40;
        vm.warp(beatAt + wait);
        assertEq(PulseLib.latestTick(word), word % 2 ** 40 + wait + 1);
    }

    /// @dev L-006: a listing is worth its uses in its own epoch and nothing in any other.
    function testFuzz_listing_isWorthItsUsesInItsEpochAlone(address pool, uint16 epoch, uint8 uses, uint16 other)
        public
        pure
    {
        uint256 word = ListingLib.pack(pool, epoch, uses);
        assertEq(ListingLib.pricedBy(word), pool);
        assertEq(ListingLib.usesIn(word, epoch), uses);
        assertEq(ListingLib.usesIn(word, other), other == epoch ? uses : 0);
    }

    function test_listing_theUnwrittenIsWorthNothing() public pure {
        assertEq(ListingLib.usesIn(0, 0), 0);
    }
}
