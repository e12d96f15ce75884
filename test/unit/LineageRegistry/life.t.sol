// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {Cause, Life, NO_GOLEM, Phase, Pulse} from "contracts/types/Life.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title beat and what only births and vaults may write (L-003, L-020, L-021, L-025, L-030, L-031, L-032, T-022, V-035)
contract LifeUnitTest is UnitTest {
    function _at(uint64 tick, Phase phase, uint32 vitality, bytes memory rolls) private {
        vm.prank(KEY);
        lineage.beat(golem, tick, phase, vitality, keccak256("root"), 7, rolls, 20);
    }

    /* BEAT */

    function test_beat_leavesTickPhaseVitalityAndTime() public {
        _pass(1 hours);
        bytes memory rolls = abi.encodePacked(uint64(11), uint64(1_000), uint64(12), uint64(1_001));
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Beaten(golem, 12, Phase.Conservation, 420_000, keccak256("root"), 7, rolls, 20);
        _at(12, Phase.Conservation, 420_000, rolls);
        Pulse memory pulse = lineage.pulseOf(golem);
        assertEq(pulse.tick, 12);
        assertEq(uint8(pulse.phase), uint8(Phase.Conservation));
        assertEq(pulse.vitality, 420_000);
        assertEq(pulse.beatAt, block.timestamp);
        assertEq(pulse.beatBlock, block.number);
        assertEq(pulse.rollStride, 20);
        assertEq(pulse.diedAt, 0);
        assertEq(pulse.predecessor, 0);
    }

    /// @dev L-032.
    function test_beat_ticksStrictlyIncrease() public {
        vm.warp(block.timestamp + 5);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TickNotAfter.selector, 0, 0));
        _at(0, Phase.Stable, 0, "");
        _at(5, Phase.Stable, 0, "");
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TickNotAfter.selector, 5, 5));
        _at(5, Phase.Stable, 0, "");
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TickNotAfter.selector, 4, 5));
        _at(4, Phase.Stable, 0, "");
        _at(6, Phase.Stable, 0, "");
        assertEq(lineage.golem(golem).ticks, 6);
    }

    /// @dev L-025: one tick for each second since the last beat, and one more. A key that lies leaves the next one ticks.
    function test_beat_tickAtMostOneASecondAndOneMore() public {
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TickTooFar.selector, 2, 1));
        _at(2, Phase.Stable, 0, "");
        _at(1, Phase.Stable, 0, "");
        vm.warp(block.timestamp + 100);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TickTooFar.selector, 103, 102));
        _at(103, Phase.Stable, 0, "");
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TickTooFar.selector, type(uint64).max, 102));
        _at(type(uint64).max, Phase.Stable, 0, "");
        _at(102, Phase.Stable, 0, "");
        // In the same second there is room for one more, also for another key.
        vm.prank(OWNER);
        vault.rotateKey(STRANGER);
        vm.prank(STRANGER);
        lineage.beat(golem, 103, Phase.Stable, 0, 0, 0, "", 0);
        assertEq(lineage.golem(golem).ticks, 103);
    }

    /// @dev A beat replaces the announcement of the one before it, with its own or with none.
    function test_beat_announcesAnew() public {
        _at(1, Phase.Stable, 0, "");
        assertEq(lineage.pulseOf(golem).rollStride, 20);
        vm.roll(block.number + 9);
        vm.prank(KEY);
        lineage.beat(golem, 2, Phase.Terminal, 1_000_000, 0, 0, "", 255);
        Pulse memory pulse = lineage.pulseOf(golem);
        assertEq(pulse.rollStride, 255);
        assertEq(pulse.beatBlock, block.number);
        assertEq(pulse.vitality, 1_000_000, "no neighbour in the slot is touched");
        assertEq(uint8(pulse.phase), uint8(Phase.Terminal));
        vm.prank(KEY);
        lineage.beat(golem, 3, Phase.Stable, 0, 0, 0, "", 0);
        assertEq(lineage.pulseOf(golem).rollStride, 0);
    }

    function test_birth_announcesNoRolls() public view {
        Pulse memory pulse = lineage.pulseOf(golem);
        assertEq(pulse.rollStride, 0);
        assertEq(pulse.beatBlock, block.number);
    }

    function test_beat_vitalityUpToOneMillion() public {
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.VitalityTooHigh.selector, 1_000_001, 1_000_000));
        _at(1, Phase.Stable, 1_000_001, "");
        _at(1, Phase.Stable, 1_000_000, "");
        assertEq(lineage.golem(golem).vitalityPpm, 1_000_000);
    }

    function test_beat_rollsInWholeRecords() public {
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TornRolls.selector, 17));
        _at(1, Phase.Stable, 0, new bytes(17));
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TornRolls.selector, 15));
        _at(1, Phase.Stable, 0, new bytes(15));
        _at(1, Phase.Stable, 0, new bytes(32));
        assertEq(lineage.golem(golem).ticks, 1);
    }

    function test_beat_onlyByTheKeyOfTheLiving() public {
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, OWNER, KEY));
        vm.prank(OWNER);
        lineage.beat(golem, 1, Phase.Stable, 0, 0, 0, "", 0);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.WrongLife.selector, 999, Life.Unborn, Life.Alive));
        vm.prank(KEY);
        lineage.beat(999, 1, Phase.Stable, 0, 0, 0, "", 0);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _at(1, Phase.Stable, 0, "");
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Alive));
        _at(1, Phase.Stable, 0, "");
    }

    function test_beat_passesAfterASaleAndInSleep() public {
        _hibernate(1 days);
        _sell();
        _at(1, Phase.Stable, 0, "");
        assertEq(lineage.golem(golem).ticks, 1);
    }

    /* BIRTHS ARE BIRTH'S */

    function test_recordBirth_onlyByTheBirthContract() public {
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotBirth.selector, STRANGER, address(births)));
        vm.prank(STRANGER);
        lineage.recordBirth(5, STRANGER, STRANGER, STRANGER, NO_GOLEM, 0);
    }

    function _record(uint256 id, uint256 predecessor, bytes32 digest) private returns (uint256, uint256) {
        vm.prank(address(births));
        return lineage.recordBirth(id, address(uint160(0x1000 + id)), KEY, OWNER, predecessor, digest);
    }

    function test_recordBirth_generationZeroFoundsItsLineage() public {
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Born(7, 7, OWNER, 0, NO_GOLEM, address(uint160(0x1007)), KEY, "digest");
        (uint256 id, uint256 generation) = _record(7, NO_GOLEM, "digest");
        assertEq(id, 7);
        assertEq(generation, 0);
        assertEq(lineage.vaultOf(7), address(uint160(0x1007)));
        Pulse memory pulse = lineage.pulseOf(7);
        assertEq(pulse.beatAt, block.timestamp);
        assertEq(pulse.vitality, 1_000_000);
        assertEq(lineage.phaseOf(7), "Thriving");
    }

    function test_recordBirth_anIdIsBornOnce() public {
        vm.expectRevert(_wrongLife(Life.Alive, Life.Unborn));
        _record(golem, NO_GOLEM, 0);
        _kill();
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Unborn));
        _record(golem, NO_GOLEM, 0);
    }

    function test_recordBirth_idsFitThirtyTwoBits() public {
        uint256 max = type(uint32).max;
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TooLarge.selector, max, max - 1));
        _record(max, NO_GOLEM, 0);
        _record(max - 1, NO_GOLEM, 0);
        assertTrue(lineage.isAlive(max - 1));
    }

    /// @dev Ends a life that was recorded here, as its vault would.
    function _end(uint256 id, bytes32 digest) private {
        vm.startPrank(address(uint160(0x1000 + id)));
        lineage.beginDying(id, Cause.Stochastic, KEY, 1 hours, "");
        ILineageRegistry.Testament memory testament = _testament();
        testament.playbookDigest = digest;
        lineage.recordDeath(id, OWNER, testament, _stain());
        vm.stopPrank();
    }

    /// @dev I-310, I-311, I-318, M-277: the registry counts the generation and knows the line, whoever is born into it.
    function test_recordBirth_successorIsOneGenerationOn() public {
        _record(7, NO_GOLEM, 0);
        _end(7, "a");
        (uint256 id, uint256 generation) = _record(8, 7, "b");
        assertEq(id, 7);
        assertEq(generation, 1);
        assertEq(lineage.successorOf(7), 8);
        assertEq(lineage.golem(8).predecessor, 7);
        _end(8, "b");
        (id, generation) = _record(9, 8, "c");
        assertEq(id, 7, "L-030");
        assertEq(generation, 2);
    }

    function test_recordBirth_revertsForALivingDyingOrUnbornPredecessor() public {
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dead));
        _record(7, golem, "b");
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Dead));
        _record(7, golem, "b");
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.WrongLife.selector, 999, Life.Unborn, Life.Dead));
        _record(7, 999, "b");
    }

    function test_recordBirth_revertsForASecondSuccessor() public {
        _kill();
        _settle();
        _record(7, golem, "b");
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.AlreadySucceeded.selector, golem, 7));
        _record(8, golem, "c");
    }

    /// @dev T-022.
    function test_recordBirth_revertsForAnUndivergedPlaybook() public {
        _kill();
        _settle();
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.PlaybookNotDiverged.selector, keccak256("playbook")));
        _record(7, golem, keccak256("playbook"));
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.PlaybookNotDiverged.selector, 0));
        _record(7, golem, 0);
        _record(7, golem, keccak256("another"));
        assertTrue(lineage.isAlive(7));
    }

    /// @dev T-022: one finalised without testament, or whose testament names no playbook, had the one it was born with.
    function test_recordBirth_withoutTestamentThePlaybookOfBirthIsThePredecessors() public {
        _record(7, NO_GOLEM, "a");
        assertEq(lineage.golem(7).playbookDigest, "a");
        ILineageRegistry.Testament memory none;
        vm.startPrank(address(uint160(0x1007)));
        lineage.beginDying(7, Cause.OwnerKill, OWNER, 1 hours, "");
        lineage.recordDeath(7, OWNER, none, _stain());
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.PlaybookNotDiverged.selector, bytes32("a")));
        _record(8, 7, "a");
        _record(8, 7, "b");
        _end(8, 0);
        assertEq(lineage.golem(8).testamentHash, _testament().hash);
        assertEq(lineage.golem(8).playbookDigest, "b");
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.PlaybookNotDiverged.selector, bytes32("b")));
        _record(9, 8, "b");
        _record(9, 8, "c");
        _end(9, "d");
        assertEq(lineage.golem(9).playbookDigest, "d", "a testament's playbook replaces that of birth");
        _record(10, 9, "c");
        assertTrue(lineage.isAlive(10));
    }

    /* DEATHS ARE THE VAULT'S */

    function test_vaultOnly_everyWriterRefusesStrangersAndOtherVaults() public {
        address other = address(vault);
        uint256 first = golem;
        IBirth.Order memory order = _order();
        order.nonce = 1;
        _giveBirth(order);
        address mine = address(vault);
        bytes memory refused = abi.encodeWithSelector(ILineageRegistry.NotVaultOf.selector, golem, other, mine);
        vm.startPrank(other);
        vm.expectRevert(refused);
        lineage.setKey(golem, other);
        vm.expectRevert(refused);
        lineage.postNotice(golem, other, 0);
        vm.expectRevert(refused);
        lineage.beginDying(golem, Cause.OwnerKill, other, 0, "");
        vm.expectRevert(refused);
        lineage.recordDeath(golem, other, _testament(), _stain());
        vm.expectRevert(refused);
        lineage.attachTestament(golem, _testament());
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotVaultOf.selector, 999, STRANGER, address(0)));
        vm.prank(STRANGER);
        lineage.setKey(999, STRANGER);
        assertTrue(lineage.isAlive(first) && lineage.isAlive(golem));
    }

    /// @dev L-003, L-031: each step needs the one before it, and none goes back.
    function test_life_goesOneWay() public {
        vm.startPrank(address(vault));
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dying));
        lineage.recordDeath(golem, OWNER, _testament(), _stain());
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dead));
        lineage.attachTestament(golem, _testament());
        lineage.beginDying(golem, Cause.Economic, KEY, 0, "");
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        lineage.beginDying(golem, Cause.OwnerKill, KEY, 0, "");
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        lineage.postNotice(golem, KEY, 0);
        lineage.recordDeath(golem, OWNER, _testament(), _stain());
        vm.expectRevert(_wrongLife(Life.Dead, Life.Dying));
        lineage.recordDeath(golem, OWNER, _testament(), _stain());
        vm.expectRevert(_wrongLife(Life.Dead, Life.Alive));
        lineage.beginDying(golem, Cause.OwnerKill, KEY, 0, "");
        vm.stopPrank();
        assertEq(lineage.causeOf(golem), "Economic");
    }
}
