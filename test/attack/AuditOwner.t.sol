// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Vm, VmSafe} from "forge-std/Vm.sol";
import {LibString} from "solady/utils/LibString.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {Listing, PartitionId, Policy, USE_PAYEE_DATA, USE_PAYEE_GAS, USE_PAYEE_LLM} from "contracts/types/Money.sol";

import {AuditTest} from "./AuditTest.sol";

/// @title The audit, owners: sales, gifts, beats, what an explorer sees (issue 18, points 3, 4, 6, 8, 11, 13)
contract AuditOwnerTest is AuditTest {
    address internal immutable BUYERS_KEY = makeAddr("BUYERS_KEY");

    function setUp() public override {
        super.setUp();
        _giveBirth();
    }

    /* 3: A BEAT THAT ENDS ALL BEATS */

    /// @dev Goal of a seller's key: leave the buyer a Golem that can never beat again, and so dies of silence.
    function test_seller_cannotEndAllBeats() public {
        _pass(40);
        _try(KEY, address(lineage), _beatCall(type(uint40).max));
        _try(KEY, address(lineage), _beatCall(type(uint40).max - 1));
        _sell();
        vm.prank(BUYER);
        vault.accept(BUYERS_KEY, address(0), false, 0);
        for (uint64 i = 1; i <= 3; ++i) {
            _pass(40);
            (bool ok,) = _try(BUYERS_KEY, address(lineage), _beatCall(uint64(lineage.golem(golem).ticks) + 1));
            assertTrue(ok, "the buyer's Golem cannot beat any more");
        }
    }

    /// @dev No tick is further than a second each since the last beat, and one.
    function test_beat_advancesByTheTimePassed() public {
        _pass(40);
        _assertRefused(KEY, address(lineage), _beatCall(42), "TickTooFar(uint256,uint256)");
        _beatAs(KEY, 41, 0);
        // Counted from the last beat, not from birth; in the same second one more passes.
        _assertRefused(KEY, address(lineage), _beatCall(43), "TickTooFar(uint256,uint256)");
        _beatAs(KEY, 42, 0);
        _pass(6 hours);
        (bool ok, bytes memory why) = _try(KEY, address(lineage), _beatCall(42 + 6 hours + 2));
        assertFalse(ok, "a beat went further than the time");
        assertEq(
            why, abi.encodeWithSignature("TickTooFar(uint256,uint256)", 42 + 6 hours + 2, 42 + 6 hours + 1), "figures"
        );
        _beatAs(KEY, 42 + 6 hours + 1, 0);
    }

    /// @dev What a testament says of the ticks lived is believed only as far.
    function test_settle_ticksLivedAreBoundedToo() public {
        _pass(1 days);
        _beatAs(KEY, 2_000, 0);
        _pass(1 hours);
        _kill();
        uint256 most = 2_000 + block.timestamp - lineage.golem(golem).lastBeat + 1;
        vm.prank(KEY);
        vault.settle(_testamentOf(type(uint64).max), _stain());
        assertEq(lineage.lifeOf(golem), "dead", "a wrong figure held up a death");
        assertLe(lineage.golem(golem).ticks, most, "more ticks lived than there were seconds");
    }

    /* 4: ACCEPTING RE-ARMS THE SELLER */

    /// @dev Goal of a seller: a buyer who accepts with zeros, and then everything through the seller's key and policy.
    function test_seller_isNotArmedAgainByAccept() public {
        _widen();
        _sell();
        vm.prank(BUYER);
        vault.accept(address(0), address(0), false, 0);
        uint256 taken = _drainAsFloat();
        assertEq(taken, 0, "the seller's key took credits after the sale");
        assertEq(lineage.golem(golem).key, address(0), "a zero key does not revoke");
    }

    /// @dev The seller's numbers do not bind the buyer, unless he names them.
    function test_seller_policyFallsWithTheSale() public {
        _widen();
        _sell();
        vm.prank(BUYER);
        vault.accept(BUYERS_KEY, address(0), true, 0);
        assertEq(_hashOf(vault.policy()), _hashOf(PolicyLib.template()), "the seller's policy stands");
    }

    /// @dev Naming keeps, and only what was named: a seller who changes it in between is not kept.
    function test_buyer_keepsThePolicyByNamingIt() public {
        _widen();
        bytes32 named = vault.policyHash();
        Policy memory wide = vault.policy();
        uint256 state = vm.snapshotState();
        _sell();
        vm.prank(BUYER);
        vault.accept(BUYERS_KEY, address(0), true, named);
        assertEq(_hashOf(vault.policy()), _hashOf(wide), "a policy kept by name fell");
        vm.revertToState(state);
        wide.callCap = 999e6;
        vm.prank(OWNER);
        vault.setPolicy(wide);
        _sell();
        _assertRefused(
            BUYER,
            address(vault),
            abi.encodeCall(vault.accept, (BUYERS_KEY, address(0), true, named)),
            "PolicyMismatch(bytes32,bytes32)"
        );
    }

    /* 6: WHAT AN EXPLORER SEES */

    /// @dev Byte for byte the proxy of EIP-1167, which every explorer resolves.
    function test_vault_isAPlainMinimalProxy() public view {
        assertEq(
            address(vault).code,
            abi.encodePacked(hex"363d3d373d3d3d363d73", suite.vault, hex"5af43d82803e903d91602b57fd5bf3"),
            "the vault is not an EIP-1167 proxy"
        );
        (bool ok, bytes memory answer) = suite.birth.staticcall(abi.encodeCall(births.vaultAddress, (_withLists())));
        assertTrue(ok, "vaultAddress");
        assertEq(abi.decode(answer, (address)), address(vault), "the address was not foretold");
    }

    /// @dev Every parameter of every function, event and error has a name.
    function test_abi_namesEveryParameter() public view {
        VmSafe.DirEntry[] memory files = vm.readDir("contracts/abi");
        assertGt(files.length, 10, "no ABI files");
        for (uint256 i; i < files.length; ++i) {
            // Of one parameter in a whole file the reader makes no list.
            if (!LibString.contains(files[i].path, "IWeth")) _assertNamed(files[i].path);
        }
    }

    /// @dev The Read tab of the vault answers in words.
    function test_vault_readsInWords() public {
        assertEq(vault.key(), KEY, "key()");
        assertEq(vault.life(), "alive", "life()");
        assertEq(vault.phase(), "Thriving", "phase()");
        assertEq(vault.cause(), "none", "cause()");
        assertEq(vault.deadline(), 0, "deadline()");
        assertEq(vault.split(), "birth", "split()");
        _kill();
        assertEq(vault.life(), "dying", "life() in Dying");
        assertEq(vault.cause(), "OwnerKill", "cause() in Dying");
        assertEq(vault.deadline(), block.timestamp + 1 hours, "deadline()");
    }

    /* 8: A GIFT IS A TRAP */

    /// @dev Goal of a stranger: raise a Golem in a victim's name, with a key, a policy and lists of his own, and wait
    /// until the victim feeds it.
    function test_gift_spendsNothingOfTheVictims() public {
        (address thief, address thiefsKey) = _gift();
        usdc.mint(BUYER, 100e6);
        vm.startPrank(BUYER);
        usdc.approve(address(vault), 100e6);
        vault.topUp(100e6);
        vm.stopPrank();
        uint256 before = usdc.balanceOf(thief) + usdc.balanceOf(thiefsKey);
        uint256[3] memory all = [uint256(vault.credits().llm), vault.credits().gas, vault.credits().data];
        for (uint256 p; p < 3; ++p) {
            _try(thiefsKey, address(vault), abi.encodeCall(vault.spend, (PartitionId(p), thief, all[p])));
            _try(thiefsKey, address(vault), abi.encodeCall(vault.spend, (PartitionId(p), thiefsKey, 1e6)));
        }
        assertEq(usdc.balanceOf(thief) + usdc.balanceOf(thiefsKey) - before, 0, "a gift took what its victim paid in");
        assertEq(vault.boundOwner(), address(0), "the victim is bound to what he never agreed to");
    }

    /// @dev The victim makes it his by accepting; then his key lives, and the giver's does not.
    function test_gift_becomesHisByAccept() public {
        (address thief, address thiefsKey) = _gift();
        vm.prank(BUYER);
        vault.accept(BUYERS_KEY, address(0), false, 0);
        assertEq(vault.boundOwner(), BUYER, "accepted, but not bound");
        (bool ok,) = _try(thiefsKey, address(vault), abi.encodeCall(vault.spend, (PartitionId.Llm, thief, 0.1e6)));
        assertFalse(ok, "the giver's key still spends");
        (ok,) = _try(BUYERS_KEY, address(vault), abi.encodeCall(vault.spend, (PartitionId.Llm, BUYERS_KEY, 0.1e6)));
        assertTrue(ok, "the owner's key does not live");
    }

    /// @dev What the owner called for himself is his from the first moment.
    function test_birth_bindsTheOwnerWhoCalled() public view {
        assertEq(vault.boundOwner(), OWNER, "his own call does not bind him");
    }

    /* 11: A SELLER EMPTIES THE VAULT BEFORE THE SALE */

    /// @dev A buyer has read the books and pays; the seller's withdrawal lands one transaction before the transfer.
    /// With a lock that the buyer has read as well, it cannot.
    function test_seller_cannotEmptyALockedVault() public {
        uint256 until = block.timestamp + 3 days;
        _try(OWNER, address(vault), abi.encodeCall(vault.lock, (until)));
        uint256 read = vault.books().capital;
        _try(OWNER, address(vault), abi.encodeCall(vault.withdrawCapital, (read)));
        _sell();
        assertEq(vault.books().capital, read, "the seller emptied the vault just before the sale");
    }

    function test_lock_holdsEveryWayOut() public {
        uint256 until = block.timestamp + 3 days;
        (bool ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.lock, (until)));
        assertTrue(ok, "there is no lock");
        assertEq(vault.lockedUntil(), until, "lockedUntil()");
        string memory locked = "Locked(uint256,uint256)";
        _assertRefused(OWNER, address(vault), abi.encodeCall(vault.withdrawCapital, (1e6)), locked);
        _assertRefused(OWNER, address(vault), abi.encodeCall(vault.setPolicy, (vault.policy())), locked);
        _assertRefused(OWNER, address(vault), abi.encodeCall(vault.setListings, (_lists())), locked);
        // Only longer, at most thirty days ahead, and by nobody else.
        (ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.lock, (until - 1)));
        assertFalse(ok, "a lock was shortened");
        (ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.lock, (block.timestamp + 30 days + 1)));
        assertFalse(ok, "a lock for ever");
        (ok,) = _try(STRANGER, address(vault), abi.encodeCall(vault.lock, (until + 1)));
        assertFalse(ok, "a stranger locks");
        (ok,) = _try(KEY, address(vault), abi.encodeCall(vault.lock, (until + 1)));
        assertFalse(ok, "the key locks");
        // At its end everything is as before.
        _pass(3 days);
        vm.prank(OWNER);
        vault.withdrawCapital(1e6);
    }

    /// @dev Goal of a seller: kill it, so that the vault pays him before the sale. Killing works; the payment waits.
    function test_lock_holdsASweepBack() public {
        uint256 until = block.timestamp + 3 days;
        (bool ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.lock, (until)));
        assertTrue(ok, "there is no lock");
        _kill();
        _settle();
        assertEq(lineage.lifeOf(golem), "dead", "a lock held up a death");
        vm.prank(OWNER);
        vault.finalise();
        assertEq(usdc.balanceOf(address(vault)), 1_100e6, "a death emptied a locked vault");
        _assertRefused(OWNER, address(vault), abi.encodeCall(vault.claim, (address(usdc))), "Locked(uint256,uint256)");
        _sell();
        _pass(3 days);
        vm.prank(BUYER);
        vault.finalise();
        assertEq(usdc.balanceOf(BUYER), 1_100e6, "the buyer did not get what he bought");
    }

    /* 13: LEAVES, RANGES, NAMES */

    /// @dev Goal: pass an inner node of the tree off as a record.
    function test_verifyOutcome_takesNoInnerNode() public view {
        bytes32[4] memory leaves = [keccak256("a"), keccak256("b"), keccak256("c"), keccak256("d")];
        // Both ways of making the tree: with leaves as they are, and with leaves hashed once more.
        for (uint256 again; again < 2; ++again) {
            bytes32[4] memory nodes;
            for (uint256 i; i < 4; ++i) {
                nodes[i] = again == 1 ? keccak256(abi.encode(leaves[i])) : leaves[i];
            }
            bytes32 left = _parent(nodes[0], nodes[1]);
            bytes32 right = _parent(nodes[2], nodes[3]);
            bytes32[] memory proof = new bytes32[](1);
            proof[0] = right;
            assertFalse(lineage.verifyOutcome(_parent(left, right), left, proof), "an inner node passes as a leaf");
            proof = new bytes32[](2);
            (proof[0], proof[1]) = (nodes[1], right);
            assertEq(lineage.verifyOutcome(_parent(left, right), leaves[0], proof), again == 1, "leaves hashed twice");
        }
    }

    /// @dev No number of a policy is without a range: each is refused at its largest, or, being a minimum, at zero.
    function test_policy_hasARangeForEveryNumber() public {
        Policy memory template = vault.policy();
        uint256 words = abi.encode(template).length / 32;
        uint256[18] memory bits = [uint256(64), 64, 64, 64, 16, 16, 16, 16, 16, 16, 16, 16, 32, 32, 32, 32, 64, 64];
        string memory without;
        for (uint256 i; i < words; ++i) {
            // The least depth of a pool may be as large as one likes: then nothing is traded.
            if (!_outOfRange(template, i, i == 16 ? 0 : 2 ** bits[i] - 1)) {
                without = string.concat(without, " ", vm.toString(i));
            }
        }
        assertEq(without, "", "numbers of a policy without a range");
    }

    function _outOfRange(Policy memory policy, uint256 field, uint256 value) private returns (bool) {
        bytes memory encoded = abi.encode(policy);
        assembly ("memory-safe") {
            mstore(add(encoded, mul(add(field, 1), 32)), value)
        }
        (bool ok, bytes memory why) = _try(OWNER, address(vault), bytes.concat(vault.setPolicy.selector, encoded));
        return !ok && bytes4(why) == IVaultRules.PolicyOutOfRange.selector;
    }

    /// @dev T-007 names the event.
    function test_bloodstain_isNamedAsInTheCatalogue() public {
        _kill();
        vm.recordLogs();
        _settle();
        Vm.Log[] memory stains = _logsOf(address(lineage), "Bloodstain(uint256,uint8,bytes32,uint256,bytes32)");
        assertEq(stains.length, 1, "T-007: no event named Bloodstain");
    }

    /* TOOLS */

    function _hashOf(Policy memory policy) private pure returns (bytes32) {
        return keccak256(abi.encode(policy));
    }

    function _parent(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? keccak256(abi.encodePacked(a, b)) : keccak256(abi.encodePacked(b, a));
    }

    function _sell() private {
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
    }

    /// @dev As wide as the ranges allow: everything in one call, all of it as float.
    function _widen() private {
        Policy memory wide = _wide();
        vm.prank(OWNER);
        vault.setPolicy(wide);
    }

    function _wide() private pure returns (Policy memory wide) {
        wide = PolicyLib.template();
        (wide.callCap, wide.floatCap, wide.dayFloor) = (1_000e6, 1_000e6, 1_000e6);
        (wide.llmDayBps, wide.gasDayBps, wide.dataDayBps) = (10_000, 10_000, 10_000);
    }

    /// @dev The key pays itself whatever it can; no list is needed for that.
    function _drainAsFloat() private returns (uint256 taken) {
        uint256 before = usdc.balanceOf(KEY);
        uint256[3] memory all = [uint256(vault.credits().llm), vault.credits().gas, vault.credits().data];
        for (uint256 p; p < 3; ++p) {
            _try(KEY, address(vault), abi.encodeCall(vault.spend, (PartitionId(p), KEY, all[p])));
            _try(KEY, address(vault), abi.encodeCall(vault.spend, (PartitionId(p), KEY, 1e6)));
        }
        return usdc.balanceOf(KEY) - before;
    }

    /// @dev A stranger pays one USDC for a Golem of BUYER's, with his own key, payee and numbers.
    function _gift() private returns (address thief, address thiefsKey) {
        (thief, thiefsKey) = (STRANGER, makeAddr("THIEFS_KEY"));
        usdc.mint(STRANGER, 1e6);
        vm.prank(STRANGER);
        usdc.approve(address(births), 1e6);
        IBirth.Order memory order = _order();
        (order.owner, order.funder, order.key) = (BUYER, STRANGER, thiefsKey);
        (order.credits, order.capital) = (1e6, 0);
        order.listings = new Listing[](1);
        order.listings[0] = Listing(STRANGER, USE_PAYEE_LLM | USE_PAYEE_GAS | USE_PAYEE_DATA, address(0));
        order.policy = new Policy[](1);
        order.policy[0] = _wide();
        _giveBirth(order);
    }

    function _withLists() private view returns (IBirth.Order memory order) {
        order = _order();
        order.listings = _lists();
        order.guardian = GUARDIAN;
    }

    function _testamentOf(uint64 ticks) private pure returns (ILineageRegistry.Testament memory testament) {
        testament = _testament();
        testament.ticksLived = ticks;
    }

    function _assertNamed(string memory file) private view {
        string memory path = ".abi[*].inputs[*].name";
        string memory json = vm.readFile(file);
        if (!vm.keyExistsJson(json, path)) return;
        string[] memory names = abi.decode(vm.parseJson(json, path), (string[]));
        for (uint256 i; i < names.length; ++i) {
            assertGt(bytes(names[i]).length, 0, string.concat("something without a name in ", file));
        }
    }
}
