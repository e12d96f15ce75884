// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {Cause, Life, NO_GOLEM, Phase, Pulse} from "contracts/types/Life.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title Views a person can read on an explorer, and their bounds (L-020, L-022, L-023, L-025)
contract LineageViewsTest is UnitTest {
    /* WORDS */

    function test_lifeOf_inWords() public {
        assertEq(lineage.lifeOf(golem), "alive");
        assertTrue(lineage.isAlive(golem));
        _kill();
        assertEq(lineage.lifeOf(golem), "dying");
        assertFalse(lineage.isAlive(golem));
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        assertEq(lineage.lifeOf(999), "unborn");
        assertFalse(lineage.isAlive(999));
    }

    function test_phaseOf_inWords() public {
        string[5] memory names = ["Thriving", "Stable", "Conservation", "Declining", "Terminal"];
        for (uint64 i; i < 5; ++i) {
            _beat(i + 1, Phase(i));
            assertEq(lineage.phaseOf(golem), names[i]);
        }
        assertEq(lineage.phaseOf(999), "unborn");
    }

    function test_causeOf_inWords() public {
        assertEq(lineage.causeOf(golem), "none");
        assertEq(lineage.causeOf(999), "none");
        string[6] memory names = ["none", "Economic", "EpistemicSenescence", "Stochastic", "OwnerKill", "KillSwitch"];
        for (uint256 i = 1; i < 6; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(address(vault));
            lineage.beginDying(golem, Cause(i), KEY, 0, "");
            assertEq(lineage.causeOf(golem), names[i]);
            vm.revertToState(snapshot);
        }
    }

    /* ROWS */

    function test_golem_saysAllOfTheRow() public view {
        ILineageRegistry.GolemView memory g = lineage.golem(golem);
        assertEq(g.life, "alive");
        assertEq(g.phase, "Thriving");
        assertEq(g.cause, "none");
        assertEq(g.agentId, golem);
        assertEq(g.lineage, golem);
        assertEq(g.generation, 0);
        assertEq(g.predecessor, NO_GOLEM);
        assertEq(g.successor, NO_GOLEM);
        assertEq(g.born, block.timestamp);
        assertEq(g.died, 0);
        assertEq(g.dyingDeadline, 0);
        assertEq(g.ticks, 0);
        assertEq(g.vitalityPpm, 1_000_000);
        assertEq(g.lastBeat, block.timestamp);
        assertEq(g.noticedAt, 0);
        assertEq(g.testamentHash, 0);
        assertEq(g.vault, address(vault));
        assertEq(g.key, KEY);
        assertEq(lineage.vaultOf(golem), address(vault));
        assertEq(lineage.recordedTestament(golem), 0);
    }

    function test_views_ofAnUnknownIdSayUnborn() public view {
        ILineageRegistry.GolemView memory g = lineage.golem(999);
        assertEq(g.life, "unborn");
        assertEq(g.phase, "unborn");
        assertEq(g.cause, "none");
        assertEq(g.predecessor, NO_GOLEM);
        assertEq(g.successor, NO_GOLEM);
        assertEq(g.born, 0);
        assertEq(g.vault, address(0));
        assertEq(lineage.vaultOf(999), address(0));
        assertEq(lineage.recordedTestament(999), 0);
        assertEq(lineage.successorOf(999), NO_GOLEM);
        assertEq(lineage.ancestors(999, 10).length, 0);
        assertEq(lineage.descendants(999, 10).length, 0);
        (address key, Life life) = lineage.vitalOf(999);
        assertEq(key, address(0));
        assertEq(uint8(life), uint8(Life.Unborn));
        (, life,,) = lineage.stateOf(999);
        assertEq(uint8(life), uint8(Life.Unborn));
        assertEq(lineage.pulseOf(999).beatAt, 0);
        (bool exists, uint256 founder, uint256 newest, uint256 members, bool complete) = lineage.lineage(999);
        assertFalse(exists);
        assertEq(founder + newest + members, 0);
        assertFalse(complete);
    }

    /* CHAINS */

    /// @dev `count` generations after the founder `first`, recorded as births and vaults do.
    function _chain(uint256 first, uint256 count) private {
        for (uint256 i; i <= count; ++i) {
            uint256 id = first + i;
            address at = address(uint160(0x1000 + id));
            vm.prank(address(births));
            lineage.recordBirth(id, at, KEY, OWNER, i == 0 ? NO_GOLEM : id - 1, bytes32(id + 1));
            if (i == count) return;
            vm.startPrank(at);
            lineage.beginDying(id, Cause.Stochastic, KEY, 0, "");
            ILineageRegistry.Testament memory none;
            ILineageRegistry.Stain memory unknown;
            lineage.recordDeath(id, OWNER, none, unknown);
            vm.stopPrank();
        }
    }

    function test_ancestorsAndDescendants_nearestFirst() public {
        _chain(100, 4);
        uint256[] memory up = lineage.ancestors(104, 10);
        assertEq(up.length, 4);
        assertEq(up[0], 103);
        assertEq(up[3], 100);
        assertEq(lineage.ancestors(104, 2).length, 2);
        assertEq(lineage.ancestors(104, 2)[1], 102);
        assertEq(lineage.ancestors(104, 0).length, 0);
        uint256[] memory down = lineage.descendants(101, 10);
        assertEq(down.length, 3);
        assertEq(down[0], 102);
        assertEq(down[2], 104);
    }

    function test_lineage_saysFounderNewestAndCount() public {
        _chain(100, 4);
        (bool exists, uint256 founder, uint256 newest, uint256 members, bool complete) = lineage.lineage(100);
        assertTrue(exists);
        assertEq(founder, 100);
        assertEq(newest, 104);
        assertEq(members, 5);
        assertTrue(complete);
        (exists,,,,) = lineage.lineage(102);
        assertFalse(exists, "a successor founds nothing");
    }

    /// @dev L-023: bounded loops only. At the bound the answer is whole; one past it, it says that it is not.
    function test_walks_areBoundedAtTwoHundredFiftySix() public {
        _chain(1_000, 256);
        uint256 gasBefore = gasleft();
        uint256[] memory up = lineage.ancestors(1_256, type(uint256).max);
        assertLt(gasBefore - gasleft(), 5_000_000);
        assertEq(up.length, 256);
        assertEq(up[255], 1_000);
        assertEq(lineage.descendants(1_000, 1_000).length, 256);
        (,, uint256 newest, uint256 members, bool complete) = lineage.lineage(1_000);
        assertEq(newest, 1_256);
        assertEq(members, 257);
        assertFalse(complete, "it has not looked further");

        _chain(2_000, 255);
        (,, newest, members, complete) = lineage.lineage(2_000);
        assertEq(newest, 2_255);
        assertEq(members, 256);
        assertTrue(complete);
    }

    function test_recordBirth_generationsFitSixteenBits() public {
        _chain(100, 1);
        // The generation lies above vault and lineage in the row's slot; the mapping is the first of the registry.
        bytes32 slot = keccak256(abi.encode(uint256(100), uint256(0)));
        uint256 row = uint256(vm.load(suite.lineage, slot));
        vm.store(suite.lineage, slot, bytes32(row | uint256(type(uint16).max) << 192));
        assertEq(lineage.golem(100).generation, type(uint16).max, "the row was found");
        // 100 already has its successor: forget it.
        vm.store(suite.lineage, keccak256(abi.encode(uint256(100), uint256(4))), 0);
        vm.expectRevert(
            abi.encodeWithSelector(ILineageRegistry.TooLarge.selector, uint256(type(uint16).max) + 1, type(uint16).max)
        );
        vm.prank(address(births));
        lineage.recordBirth(150, STRANGER, KEY, OWNER, 100, "x");
    }

    /* OUTCOMES */

    function test_verifyOutcome_sortedPairTree() public view {
        bytes32 a = keccak256("a");
        bytes32 b = keccak256("b");
        bytes32 c = keccak256("c");
        bytes32 ab = a < b ? keccak256(bytes.concat(a, b)) : keccak256(bytes.concat(b, a));
        bytes32 root = ab < c ? keccak256(bytes.concat(ab, c)) : keccak256(bytes.concat(c, ab));
        bytes32[] memory proof = new bytes32[](2);
        (proof[0], proof[1]) = (b, c);
        assertTrue(lineage.verifyOutcome(root, a, proof));
        (proof[0], proof[1]) = (a, c);
        assertTrue(lineage.verifyOutcome(root, b, proof));
        assertFalse(lineage.verifyOutcome(root, keccak256("d"), proof));
        (proof[0], proof[1]) = (c, a);
        assertFalse(lineage.verifyOutcome(root, b, proof));
        assertTrue(lineage.verifyOutcome(a, a, new bytes32[](0)), "a single record is its own root");
        assertFalse(lineage.verifyOutcome(root, a, new bytes32[](0)));
    }

    function test_successor_showsInItsPredecessorsRow() public {
        _kill();
        _settle();
        uint256 first = golem;
        IBirth.Order memory order = _order();
        order.predecessor = first;
        order.playbookDigest = "other";
        _giveBirth(order);
        assertEq(lineage.golem(first).successor, golem);
        assertEq(lineage.golem(golem).predecessor, first);
        assertEq(lineage.golem(golem).generation, 1);
        assertEq(lineage.golem(golem).lineage, first);
        assertEq(lineage.pulseOf(golem).predecessor, first + 1);
    }
}
