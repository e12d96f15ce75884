// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {PulseLib} from "contracts/libraries/PulseLib.sol";
import {Phase, Pulse} from "contracts/types/Life.sol";
import {Ledger, PartitionId, Split} from "contracts/types/Money.sol";

/// @title The arithmetic of the partitions, for every input
/// @dev `check_*` is what halmos proves; the `testFuzz_*` beside each runs the same words as a fuzz test.
contract LibrariesSymbolicTest {
    using PartitionLib for Ledger;

    /// @dev V-030, V-004, V-009: a cut adds up to what was cut, whatever the amount and the split.
    function check_V030_aCutLosesNothing(uint64 amount, uint8 split) public pure {
        Ledger memory part = PartitionLib.cut(amount, Split(split % 3));
        assert(uint256(part.llm) + part.gas + part.data + part.legacy == amount);
        assert(part.total() == amount);
        if (split % 3 == 0) assert(part.legacy == 0);
        if (split % 3 == 2) assert(part.legacy == amount);
    }

    function testFuzz_V030_aCutLosesNothing(uint64 amount, uint8 split) public pure {
        check_V030_aCutLosesNothing(amount, split);
    }

    /// @dev V-030: a top-up is the ledger plus its cut, part by part, and nothing of the ledger is lost. With the check
    /// above this is conservation.
    function check_V030_aTopUpAddsItself(Ledger memory ledger, uint64 amount, uint8 split) public pure {
        Ledger memory part = PartitionLib.cut(amount, Split(split % 3));
        Ledger memory sum = ledger.add(amount, Split(split % 3));
        assert(sum.llm == uint256(ledger.llm) + part.llm);
        assert(sum.gas == uint256(ledger.gas) + part.gas);
        assert(sum.data == uint256(ledger.data) + part.data);
        assert(sum.legacy == uint256(ledger.legacy) + part.legacy);
    }

    function testFuzz_V030_aTopUpAddsItself(uint56 a, uint56 b, uint56 c, uint56 d, uint56 amount, uint8 split)
        public
        pure
    {
        check_V030_aTopUpAddsItself(Ledger(a, b, c, d), amount, split);
    }

    /// @dev V-030: writing one partition leaves the other three.
    function check_V030_aPartitionIsItsOwn(Ledger memory ledger, uint8 partition, uint8 other, uint64 amount)
        public
        pure
    {
        PartitionId written = PartitionId(partition % 4);
        PartitionId read = PartitionId(other % 4);
        uint256 before = ledger.get(read);
        ledger.set(written, amount);
        assert(ledger.get(read) == (read == written ? amount : before));
    }

    function testFuzz_V030_aPartitionIsItsOwn(Ledger memory ledger, uint8 partition, uint8 other, uint64 amount)
        public
        pure
    {
        check_V030_aPartitionIsItsOwn(ledger, partition, other, amount);
    }

    /// @dev V-004: the reserve is never below 0.30 nor below the settlement estimate. (The fiftieth is in the fuzz room:
    /// a solver does not get through that division.)
    function check_V032_theReserveAtBirthCoversItsFloor(uint64 credits, uint8 positions) public pure {
        uint256 reserve = PartitionLib.reserveUp(credits, positions);
        assert(reserve >= 0.3e6);
        assert(reserve >= 0.22e6 + 0.02e6 * uint256(positions));
    }

    function testFuzz_V032_theReserveAtBirthCoversItsFloor(uint64 credits, uint8 positions) public pure {
        check_V032_theReserveAtBirthCoversItsFloor(credits, positions);
    }

    /// @dev L-030, L-032: a beat touches neither the predecessor nor the time of death, writes what it was given with its own
    /// time and block, and clears the notice.
    function check_L030_aBeatLeavesTheRow(uint256 word, uint40 tick, uint8 phase, uint24 vitality, uint8 rollStride)
        public
        view
    {
        uint256 beaten = PulseLib.beaten(word, tick, Phase(phase % 5), vitality & 0xfffff, rollStride);
        assert(beaten >> 184 == word >> 184);
        Pulse memory pulse = PulseLib.unpack(beaten);
        assert(pulse.tick == tick && pulse.phase == Phase(phase % 5) && pulse.vitality == vitality & 0xfffff);
        assert(pulse.beatAt == block.timestamp && pulse.beatBlock == block.number);
        assert(pulse.rollStride == rollStride && pulse.noticeAt == 0);
    }

    function testFuzz_L030_aBeatLeavesTheRow(uint256 word, uint40 tick, uint8 phase, uint24 vitality, uint8 rollStride)
        public
        view
    {
        check_L030_aBeatLeavesTheRow(word, tick, phase, vitality, rollStride);
    }

    /// @dev L-030: what is packed comes out as it went in, field by field, within what the registry lets in.
    function check_L030_aPulseComesOutAsItWentIn(
        uint40 tick,
        uint8 phase,
        uint24 vitality,
        uint40 beatAt,
        uint32 beatBlock,
        uint8 rollStride,
        uint40 noticeAt,
        uint40 diedAt,
        uint32 predecessor
    ) public pure {
        Pulse memory p = PulseLib.unpack(
            PulseLib.pack(
                Pulse({
                    tick: tick,
                    phase: Phase(phase % 5),
                    vitality: vitality & 0xfffff,
                    beatAt: beatAt,
                    beatBlock: beatBlock,
                    rollStride: rollStride,
                    noticeAt: noticeAt,
                    diedAt: diedAt,
                    predecessor: predecessor
                })
            )
        );
        assert(p.tick == tick && p.phase == Phase(phase % 5) && p.vitality == vitality & 0xfffff);
        assert(p.beatAt == beatAt && p.beatBlock == beatBlock && p.rollStride == rollStride);
        assert(p.noticeAt == noticeAt && p.diedAt == diedAt && p.predecessor == predecessor);
    }

    function testFuzz_L030_aPulseComesOutAsItWentIn(
        uint40 tick,
        uint8 phase,
        uint24 vitality,
        uint40 beatAt,
        uint32 beatBlock,
        uint8 rollStride,
        uint40 noticeAt,
        uint40 diedAt,
        uint32 predecessor
    ) public pure {
        check_L030_aPulseComesOutAsItWentIn(
            tick, phase, vitality, beatAt, beatBlock, rollStride, noticeAt, diedAt, predecessor
        );
    }
}
