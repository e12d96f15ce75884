// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {RollLib} from "contracts/libraries/RollLib.sol";
import {Phase} from "contracts/types/Life.sol";
import {Policy} from "contracts/types/Money.sol";

import {AttackTest} from "./AttackTest.sol";

/// @title A leaked key against the mandate: can one key multiply what it costs? (T-002, T-020, T-021)
contract LeakedKeyMandateTest is AttackTest {
    uint256 internal constant BUDGET = 20e6;

    ISuccession.Mandate internal mandate;
    bytes32 internal mandateId;

    /// @dev Goal: die at once, every time, so that the mandate pours its whole escrow into vaults that the same leaked
    /// key drains. The executor here is honest and obliging, and the owner made the mistake of naming one key for all.
    function test_leakedKey_loopsTheMandate() public {
        _giveBirth();
        _commit(KEY, 3);
        uint256 escrowed = usdc.balanceOf(address(succession));
        _arm();
        uint256 drained = _drainAndDie();
        // A death on the first day buys no successor (T-021).
        ISuccession.Succeeding memory succeeding = _succeeding(golem, KEY);
        vm.prank(EXECUTOR);
        vm.expectPartialRevert(ISuccession.LivedTooShort.selector);
        succession.succeed(OWNER, mandate, succeeding);
        assertEq(usdc.balanceOf(address(succession)), escrowed, "a death on the first day moved escrow");
        _assertLoss("mandate loop, dying at once", drained, stated.total);
    }

    /// @dev Goal: the same, patiently. Each successor costs at most its own figure, at most one a day is born, and the
    /// owner ends it whenever he looks, with the escrow that is left.
    function test_leakedKey_loopsTheMandatePatiently() public {
        _giveBirth();
        _commit(KEY, 3);
        uint256 bound;
        uint256 drained;
        for (uint256 i; i < 3; ++i) {
            _pass(1 days);
            _beat(1, Phase.Stable);
            bound += vault.worstLoss().total;
            uint256 before = usdc.balanceOf(PAYEE);
            _drainAndDie();
            drained += usdc.balanceOf(PAYEE) - before;
            ISuccession.Succeeding memory succeeding = _succeeding(golem, KEY);
            vm.prank(EXECUTOR);
            (uint256 next, address at) = succession.succeed(OWNER, mandate, succeeding);
            assertEq(identity.ownerOf(next), OWNER);
            (golem, vault) = (next, IVault(at));
        }
        _assertLoss("mandate loop, a life a day", drained, bound);
        vm.prank(OWNER);
        vault.killAndRevoke("seen");
        vm.warp(lineage.golem(golem).dyingDeadline);
        vault.finalise();
        assertEq(usdc.balanceOf(address(vault)), 0);
    }

    /// @dev Goal: bring about the succession himself, for himself, or twice.
    function test_leakedKey_isNoExecutor() public {
        _giveBirth();
        _commit(makeAddr("HEIR KEY"), 2);
        _pass(1 days);
        _arm();
        _drainAndDie();
        address heir = makeAddr("HEIR KEY");
        vm.startPrank(KEY);
        vm.expectPartialRevert(ISuccession.NotExecutor.selector);
        succession.succeed(OWNER, mandate, _succeeding(golem, heir));
        vm.stopPrank();
        vm.startPrank(EXECUTOR);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.KeyMismatch.selector, KEY, heir));
        succession.succeed(OWNER, mandate, _succeeding(golem, KEY));
        succession.succeed(OWNER, mandate, _succeeding(golem, heir));
        vm.expectPartialRevert(ISuccession.TooSoon.selector);
        succession.succeed(OWNER, mandate, _succeeding(golem, heir));
        vm.warp(block.timestamp + 1 days);
        ISuccession.Succeeding memory again = _succeeding(golem, heir);
        again.nonce = 1;
        vm.expectPartialRevert(ILineageRegistry.AlreadySucceeded.selector);
        succession.succeed(OWNER, mandate, again);
        vm.stopPrank();
        assertEq(usdc.balanceOf(address(succession)), BUDGET);
    }

    /// @dev Goal: use a key as executor that the owner mistook for a stranger's.
    function test_leakedKey_namedAsExecutorIsRefused() public {
        _giveBirth();
        mandate.executor = KEY;
        _commit(makeAddr("HEIR KEY"), 1);
        _pass(1 days);
        _drainAndDie();
        ISuccession.Succeeding memory succeeding = _succeeding(golem, makeAddr("HEIR KEY"));
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.ExecutorIsKey.selector, KEY, golem));
        succession.succeed(OWNER, mandate, succeeding);
    }

    /// @dev Goal: keep the escrow of an owner who has sold the dead, or use what is left when he withdrew.
    function test_mandate_diesWithTheSaleAndTheWithdrawal() public {
        _giveBirth();
        _commit(makeAddr("HEIR KEY"), 1);
        _pass(1 days);
        _drainAndDie();
        ISuccession.Succeeding memory succeeding = _succeeding(golem, makeAddr("HEIR KEY"));
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        vm.prank(EXECUTOR);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.CommitterNotOwner.selector, OWNER, BUYER));
        succession.succeed(OWNER, mandate, succeeding);
        vm.prank(BUYER);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.NotCommitter.selector, BUYER, OWNER));
        succession.withdrawEscrow(mandateId, 1);
        uint256 before = usdc.balanceOf(OWNER);
        vm.prank(OWNER);
        succession.withdrawEscrow(mandateId, BUDGET);
        _assertLoss("mandate after a sale", before + BUDGET - usdc.balanceOf(OWNER), 0);
    }

    /// @dev Goal: a death by chance that chance did not decree. A wrong roll is refused while the chain can tell.
    function test_leakedKey_cannotForgeARoll() public {
        _giveBirth();
        uint64 hazard = vault.policy().hazardMax;
        uint256 at = block.number - 1;
        uint64 true_ = RollLib.rollOf(address(vault), 7, blockhash(at));
        vm.startPrank(KEY);
        vm.expectPartialRevert(IVaultDeath.HazardTooHigh.selector);
        vault.dieStochastic(7, hazard + 1, 0, at);
        vm.expectPartialRevert(IVaultDeath.RollMismatch.selector);
        vault.dieStochastic(7, hazard, 0, at);
        vm.expectPartialRevert(IVaultDeath.BlockNotPast.selector);
        vault.dieStochastic(7, hazard, 0, block.number);
        if (true_ >= hazard) {
            vm.expectRevert(abi.encodeWithSelector(IVaultDeath.RollSurvived.selector, true_, hazard));
            vault.dieStochastic(7, hazard, true_, at);
        }
        vm.stopPrank();
        assertTrue(lineage.isAlive(golem));
    }

    /* TOOLS */

    /// @dev Takes what the day allows, then declares a death and settles it in the same block.
    function _drainAndDie() private returns (uint256 drained) {
        uint256 before = usdc.balanceOf(PAYEE);
        _drainToday();
        vm.startPrank(KEY);
        vault.dieSenescent("as if");
        vault.spendDying(PAYEE, vault.books().reserve < 1e6 ? vault.books().reserve : 1e6);
        vm.stopPrank();
        _settle();
        return usdc.balanceOf(PAYEE) - before;
    }

    function _commit(address key, uint256 successors) private {
        mandate.lineage = golem;
        mandate.budget = BUDGET;
        mandate.successors = successors;
        mandate.expiry = block.timestamp + 365 days;
        if (mandate.executor == address(0)) mandate.executor = EXECUTOR;
        mandate.policyHash = PolicyLib.TEMPLATE;
        mandate.listsHash = keccak256(abi.encode(_lists()));
        for (uint256 i; i < successors; ++i) {
            mandate.keys.push(key);
        }
        vm.startPrank(OWNER);
        usdc.approve(address(succession), type(uint256).max);
        mandateId = succession.commit(mandate, BUDGET * successors);
        vm.stopPrank();
    }

    function _succeeding(uint256 predecessor, address key) private view returns (ISuccession.Succeeding memory s) {
        s.predecessor = predecessor;
        s.key = key;
        s.policy = new Policy[](0);
        s.listings = _lists();
        s.playbookDigest = keccak256(abi.encode("playbook of the successor of", predecessor));
        s.agentURI = "ipfs://x";
    }
}
