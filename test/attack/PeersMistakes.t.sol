// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {RollLib} from "contracts/libraries/RollLib.sol";
import {Phase} from "contracts/types/Life.sol";
import {Ledger, PartitionId, Policy} from "contracts/types/Money.sol";

import {AttackTest} from "./AttackTest.sol";

/// @title What other projects got wrong, asked of this one
/// @dev Each test names the mistake as it was published: inheritable mandates that multiply by depth, unknown ids that
/// read as active, a lease flag that did nothing, a metabolism that was free to whoever beat often, a draw that could be
/// ground, a reserve rule that denied nothing, ABI strings without a function, address tables for the wrong chain.
contract PeersMistakesTest is AttackTest {
    uint256 internal constant BUDGET = 20e6;

    ISuccession.Mandate internal mandate;

    /// @dev Mistake 1: a lineage of depth three spent three times the root's cap. Here all that a mandate ever gives is
    /// its escrow, however deep the line, and what its Golems spend comes out of that.
    function test_peers_depthNeverMultipliesTheRootsMoney() public {
        _giveBirth();
        _commit(3, block.timestamp + 365 days);
        uint256 root = usdc.balanceOf(address(succession));
        uint256 spent;
        for (uint256 i; i < 3; ++i) {
            _liveADayAndDie();
            spent += _succeedAndDrain();
        }
        assertEq(lineage.golem(golem).generation, 3);
        assertLe(spent, root);
        _liveADayAndDie();
        ISuccession.Succeeding memory succeeding = _succeeding();
        vm.prank(EXECUTOR);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.MandateSpent.selector, 3, 3));
        succession.succeed(OWNER, mandate, succeeding);
    }

    /// @dev Mistake 2: a parent kept its whole cap after allocating all of it. Here the escrow falls by each budget, and
    /// a predecessor is dead and holds nothing when its successor is born.
    function test_peers_whatIsAllocatedIsGoneFromTheGiver() public {
        _giveBirth();
        _commit(2, block.timestamp + 365 days);
        bytes32 id = succession.mandateIdOf(OWNER, mandate);
        assertEq(succession.standingOf(id).escrow, 2 * BUDGET);
        _liveADayAndDie();
        assertEq(vault.accounted() + usdc.balanceOf(address(vault)), 0);
        IVault parent = vault;
        _succeedAndDrain();
        assertEq(succession.standingOf(id).escrow, BUDGET);
        assertEq(usdc.balanceOf(address(succession)), BUDGET);
        vm.prank(KEY);
        vm.expectPartialRevert(ILineageRegistry.WrongLife.selector);
        parent.spend(PartitionId.Llm, PAYEE, 1);
    }

    /// @dev Mistake 3: `isActive(999)` was true.
    function test_peers_unknownIdsAreNotAlive(uint256 unknown) public {
        _giveBirth();
        vm.assume(unknown != golem);
        assertFalse(lineage.isAlive(999));
        assertFalse(lineage.isAlive(unknown));
        assertEq(lineage.lifeOf(unknown), "unborn");
        assertEq(lineage.causeOf(unknown), "none");
        assertEq(lineage.vaultOf(unknown), address(0));
        assertEq(lineage.ancestors(unknown, 10).length, 0);
        assertEq(lineage.descendants(unknown, 10).length, 0);
        (bool exists,,,,) = lineage.lineage(unknown);
        assertFalse(exists);
    }

    /// @dev Mistake 4: an expired or frozen parent could still spawn.
    function test_peers_expiredAndLivingParentsHaveNoChildren() public {
        _giveBirth();
        _commit(2, block.timestamp + 3 days);
        IBirth.Order memory order = _order();
        order.predecessor = golem;
        order.playbookDigest = "new";
        IBirth.Funding memory funding;
        vm.prank(OWNER);
        vm.expectPartialRevert(ILineageRegistry.WrongLife.selector);
        births.birth(order, funding);
        ISuccession.Succeeding memory succeeding = _succeeding();
        vm.prank(EXECUTOR);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.PredecessorNotDead.selector, golem));
        succession.succeed(OWNER, mandate, succeeding);
        _kill();
        vm.prank(EXECUTOR);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.PredecessorNotDead.selector, golem));
        succession.succeed(OWNER, mandate, succeeding);
        vm.prank(OWNER);
        vm.expectPartialRevert(ILineageRegistry.WrongLife.selector);
        births.birth(order, funding);
        _settle();
        vm.warp(mandate.expiry + 1);
        vm.prank(EXECUTOR);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.MandateExpired.selector, mandate.expiry + 1, mandate.expiry));
        succession.succeed(OWNER, mandate, succeeding);
    }

    /// @dev Mistake 5: a lease flag that changed nothing. Ours are sleep and the bound owner: each stops the key at
    /// once, and lifting it gives exactly that back.
    function test_peers_everyFlagChangesWhatHappens() public {
        _giveBirth();
        uint256 state = vm.snapshotState();
        vm.prank(OWNER);
        vault.hibernate(block.timestamp + 1 days);
        vm.prank(KEY);
        vm.expectPartialRevert(IVaultRules.Hibernating.selector);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.warp(block.timestamp + 1 days);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.revertToState(state);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        vm.prank(KEY);
        vm.expectPartialRevert(IVaultRules.OwnerChanged.selector);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.prank(BUYER);
        vault.accept(KEY, address(0), true, 0);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
    }

    /// @dev Mistake 6: cost was counted in whole days since the last beat, so beating often lived for free. Here no
    /// bill hangs on a beat: caps and books are the same however often the Golem beats.
    function test_peers_beatingFasterChangesNoBill() public {
        _giveBirth();
        uint256 state = vm.snapshotState();
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 5e6);
        vm.warp(block.timestamp + 6 hours);
        (Ledger memory spent, Ledger memory cap, Ledger memory left) = vault.today();
        bytes32 slow = keccak256(abi.encode(spent, cap, left, vault.credits(), vault.books()));
        vm.revertToState(state);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 5e6);
        for (uint64 i = 1; i <= 36; ++i) {
            vm.warp(block.timestamp + 10 minutes);
            _beat(i, Phase.Stable);
        }
        (spent, cap, left) = vault.today();
        assertEq(keccak256(abi.encode(spent, cap, left, vault.credits(), vault.books())), slow);
    }

    /// @dev Mistake 9: the death draw was keccak(id, tick), so an id could be ground that never died. Here the draw
    /// takes the hash of a block that does not exist when the vault gets its address, so for whatever nonce an owner
    /// picks, each tick is drawn afresh, and no draw can be made in advance.
    function test_peers_nobodyPicksAnIdThatEscapesTheDraw(uint256 nonce, uint64 tick, bytes32 hash) public {
        IBirth.Order memory order = _order();
        order.nonce = nonce;
        address ground = births.vaultAddress(order);
        vm.assume(hash != keccak256("other"));
        assertNotEq(RollLib.rollOf(ground, tick, hash), RollLib.rollOf(ground, tick, keccak256("other")));
        _giveBirth(order);
        uint64 hazard = vault.policy().hazardMax;
        vm.startPrank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.BlockNotPast.selector, block.number, block.number));
        vault.dieStochastic(tick, hazard, 0, block.number);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.BlockNotPast.selector, block.number + 5, block.number));
        vault.dieStochastic(tick, hazard, 0, block.number + 5);
        vm.stopPrank();
    }

    /// @dev Mistake 10: a reserve rule that always said yes. Here it denies the last unit, to key, owner and stranger.
    function test_peers_theReserveDeniesTheLastUnit() public {
        IBirth.Order memory order = _order();
        order.listings = _lists();
        order.policy = new Policy[](1);
        order.policy[0] = PolicyLib.template();
        order.policy[0].callCap = 1e12;
        order.policy[0].llmDayBps = 10_000;
        order.policy[0].gasDayBps = 10_000;
        order.policy[0].dataDayBps = 10_000;
        _giveBirth(order);
        _drainToday();
        vm.startPrank(OWNER);
        vault.withdrawCapital(1_000e6);
        assertEq(usdc.balanceOf(address(vault)), 2e6);
        for (uint256 i; i < 3; ++i) {
            vm.startPrank(KEY);
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.PartitionExceeded.selector, PartitionId(i), 1, 0));
            vault.spend(PartitionId(i), PAYEE, 1);
            vm.stopPrank();
        }
        vm.startPrank(OWNER);
        vm.expectRevert();
        vault.withdrawCapital(1);
        vm.expectRevert();
        vault.claim(address(usdc));
        vm.stopPrank();
        vm.expectRevert();
        vault.sync();
        assertEq(vault.books().reserve, 2e6);
    }

    /// @dev Mistake 13: three functions in a client's ABI strings did not exist. Every selector of the committed ABIs
    /// is in the code of the contract deployed for it, and the standard's selectors are in the identity registry's.
    function test_peers_everySelectorOfTheAbiIsDeployed() public view {
        _assertSelectors("IVault", suite.vault);
        _assertSelectors("IBirth", suite.birth);
        _assertSelectors("ISuccession", suite.succession);
        _assertSelectors("ILineageRegistry", suite.lineage);
        _assertSelectors("IIdentityRegistry", suite.identity);
        bytes4[12] memory standard = [
            bytes4(0x1aa3a008),
            0xf2c298be,
            0x8ea42286,
            0xcb4799f2,
            0x466648da,
            0x0af28bd3,
            0xc87b56dd,
            0x00339509,
            0x2d1ef5ae,
            0x3fddcf19,
            0xd95e72be,
            0x0d8e6e2c
        ];
        for (uint256 i; i < standard.length; ++i) {
            assertTrue(_dispatches(suite.identity.code, standard[i]), vm.toString(abi.encodePacked(standard[i])));
        }
        // What a stranger types into a terminal is one of them.
        assertTrue(_dispatches(suite.vault.code, bytes4(keccak256("kill(string)"))));
        assertFalse(_dispatches(suite.vault.code, bytes4(keccak256("execute(address,uint256,bytes)"))));
    }

    /// @dev Mistake 14: a testnet's registry address on mainnet. The table is held against the canonical addresses, and
    /// against itself: no chain shares with another what differs by chain.
    function test_peers_addressTablePerChain() public view {
        string memory base = vm.readFile("deploy/config/8453.json");
        string memory sepolia = vm.readFile("deploy/config/84532.json");
        _assertAddress(base, ".identityRegistry", 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432);
        _assertAddress(sepolia, ".identityRegistry", 0x8004A818BFB912233c491871b3d84c89A494BD9e);
        _assertAddress(base, ".usdc", 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
        _assertAddress(sepolia, ".usdc", 0x036CbD53842c5426634e7929541eC2318f3dCF7e);
        _assertAddress(base, ".weth", 0x4200000000000000000000000000000000000006);
        _assertAddress(sepolia, ".weth", 0x4200000000000000000000000000000000000006);
        string[3] memory differing = [".usdc", ".uniswapFactory", ".positionManager"];
        for (uint256 i; i < 3; ++i) {
            assertNotEq(vm.parseJsonAddress(base, differing[i]), vm.parseJsonAddress(sepolia, differing[i]));
            assertNotEq(vm.parseJsonAddress(base, differing[i]), address(0));
            // Written as EIP-55 wants it, so that a typing mistake shows.
            assertEq(vm.parseJsonString(base, differing[i]), vm.toString(vm.parseJsonAddress(base, differing[i])));
            assertEq(vm.parseJsonString(sepolia, differing[i]), vm.toString(vm.parseJsonAddress(sepolia, differing[i])));
        }
    }

    /* TOOLS */

    function _assertAddress(string memory json, string memory field, address expected) private pure {
        assertEq(vm.parseJsonString(json, field), vm.toString(expected));
    }

    function _assertSelectors(string memory name, address deployed) private view {
        string memory artifact = vm.readFile(string.concat("out/", name, ".sol/", name, ".json"));
        string[] memory functions = vm.parseJsonKeys(artifact, ".methodIdentifiers");
        assertGt(functions.length, 3);
        for (uint256 i; i < functions.length; ++i) {
            assertTrue(
                _dispatches(deployed.code, bytes4(keccak256(bytes(functions[i])))),
                string.concat(name, " has no ", functions[i])
            );
        }
    }

    /// @dev Whether the dispatcher compares with `selector`: PUSH4 selector, or PUSH3 where its first byte is zero.
    function _dispatches(bytes memory code, bytes4 selector) private pure returns (bool) {
        bytes memory pushed = uint32(selector) < 0x01000000
            ? abi.encodePacked(hex"62", uint24(uint32(selector)))
            : abi.encodePacked(hex"63", selector);
        for (uint256 i; i + pushed.length <= code.length; ++i) {
            uint256 j;
            while (j < pushed.length && code[i + j] == pushed[j]) ++j;
            if (j == pushed.length) return true;
        }
        return false;
    }

    function _commit(uint256 successors, uint256 expiry) private {
        mandate.lineage = golem;
        mandate.budget = BUDGET;
        mandate.successors = successors;
        mandate.expiry = expiry;
        mandate.executor = EXECUTOR;
        mandate.policyHash = PolicyLib.TEMPLATE;
        mandate.listsHash = keccak256(abi.encode(_lists()));
        for (uint256 i; i < successors; ++i) {
            mandate.keys.push(KEY);
        }
        vm.startPrank(OWNER);
        usdc.approve(address(succession), type(uint256).max);
        succession.commit(mandate, BUDGET * successors);
        vm.stopPrank();
    }

    function _succeeding() private view returns (ISuccession.Succeeding memory s) {
        s.predecessor = golem;
        s.key = KEY;
        s.policy = new Policy[](0);
        s.listings = _lists();
        s.playbookDigest = keccak256(abi.encode("playbook of the successor of", golem));
        s.agentURI = "ipfs://x";
    }

    function _liveADayAndDie() private {
        _pass(1 days);
        _kill();
        _settle();
    }

    function _succeedAndDrain() private returns (uint256 spent) {
        ISuccession.Succeeding memory succeeding = _succeeding();
        vm.prank(EXECUTOR);
        (uint256 next, address at) = succession.succeed(OWNER, mandate, succeeding);
        (golem, vault) = (next, IVault(at));
        uint256 before = usdc.balanceOf(PAYEE);
        _drainToday();
        return usdc.balanceOf(PAYEE) - before;
    }
}
