// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {ListingLib} from "contracts/libraries/ListingLib.sol";
import {PulseLib} from "contracts/libraries/PulseLib.sol";
import {Phase, Pulse} from "contracts/types/Life.sol";

/// @title The two words packed by hand against the compiler's own packing
contract PackingFuzzTest is Test {
    /// @dev The compiler packs in order of declaration from the lowest bit, as the library says it does.
    Pulse private _stored;

    function _word() private view returns (uint256 word) {
        assembly {
            word := sload(_stored.slot)
        }
    }

    function testFuzz_pulse_isTheCompilersPacking(
        uint40 tick,
        uint8 phaseSeed,
        uint24 vitality,
        uint48 beatAt,
        uint48 noticeAt,
        uint48 diedAt,
        uint40 predecessor
    ) public {
        Pulse memory pulse = Pulse(tick, Phase(phaseSeed % 5), vitality, beatAt, noticeAt, diedAt, predecessor);
        _stored = pulse;
        uint256 word = PulseLib.pack(pulse);
        assertEq(word, _word());
        assertEq(keccak256(abi.encode(PulseLib.unpack(word))), keccak256(abi.encode(pulse)));
    }

    /// @dev L-025, T-001: a beat writes tick, phase, vitality and time, clears the notice, and leaves the rest.
    function testFuzz_beaten_isTheFieldwiseBeat(
        uint40 oldTick,
        uint48 noticeAt,
        uint48 diedAt,
        uint40 predecessor,
        uint40 tick,
        uint8 phaseSeed,
        uint24 vitality,
        uint48 time
    ) public pure {
        Pulse memory pulse = Pulse(oldTick, Phase.Terminal, 999_999, 1, noticeAt, diedAt, predecessor);
        uint256 beaten = PulseLib.beaten(PulseLib.pack(pulse), tick, Phase(phaseSeed % 5), vitality, time);
        (pulse.tick, pulse.phase, pulse.vitality, pulse.beatAt) = (tick, Phase(phaseSeed % 5), vitality, time);
        pulse.noticeAt = 0;
        assertEq(beaten, PulseLib.pack(pulse));
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
