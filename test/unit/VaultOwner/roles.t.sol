// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {Listing, PartitionId, Split, USE_PAYEE_LLM, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title rotateKey, setGuardian, accept, hibernate, wake, initialise (L-001, L-002, L-006, L-007, V-034, V-035)
contract RolesTest is UnitTest {
    address internal FRESH = makeAddr("FRESH");

    function _notOwner(address caller, address owner) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IVaultRules.NotOwner.selector, caller, owner);
    }

    function _ownerChanged() private view returns (bytes memory) {
        return abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER);
    }

    /* KEY */

    function test_rotateKey_replacesTheKey() public {
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.KeyRotated(golem, KEY, FRESH);
        vm.prank(OWNER);
        vault.rotateKey(FRESH);
        (address key,) = lineage.vitalOf(golem);
        assertEq(key, FRESH);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, FRESH));
        _beat(1, Phase.Stable);
    }

    function test_rotateKey_zeroRevokes() public {
        vm.prank(OWNER);
        vault.rotateKey(address(0));
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, address(0)));
        _beat(1, Phase.Stable);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, address(0)));
        vm.prank(KEY);
        vault.dieSenescent("");
    }

    function test_rotateKey_atAnyTimeOfLife() public {
        _kill();
        vm.prank(OWNER);
        vault.rotateKey(FRESH);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, FRESH));
        _settle();
        vm.prank(FRESH);
        vault.settle(_testament(), _stain());
        assertEq(lineage.lifeOf(golem), "dead");
        vm.prank(OWNER);
        vault.rotateKey(address(0));
        assertEq(lineage.golem(golem).key, address(0));
    }

    function test_rotateKey_onlyByTheOwner() public {
        vm.expectRevert(_notOwner(KEY, OWNER));
        vm.prank(KEY);
        vault.rotateKey(KEY);
        vm.prank(OWNER);
        identity.approve(STRANGER, golem);
        vm.expectRevert(_notOwner(STRANGER, OWNER));
        vm.prank(STRANGER);
        vault.rotateKey(STRANGER);
    }

    /// @dev Before `accept` the buyer's new key is his word, but lists and guardian stay the seller's: nothing passes.
    function test_rotateKey_byTheBuyerDoesNotBindTheLists() public {
        _sell();
        vm.prank(BUYER);
        vault.rotateKey(FRESH);
        vm.expectRevert(_ownerChanged());
        vm.prank(FRESH);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
    }

    /* GUARDIAN */

    function test_setGuardian_replacesAndRemoves() public {
        vm.expectEmit(address(vault));
        emit IVaultOwner.GuardianSet(FRESH);
        vm.prank(OWNER);
        vault.setGuardian(FRESH);
        assertEq(vault.guardian(), FRESH);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotGuardian.selector, GUARDIAN, FRESH));
        vm.prank(GUARDIAN);
        vault.trip("late");
        vm.prank(OWNER);
        vault.setGuardian(address(0));
        assertEq(vault.guardian(), address(0));
    }

    function test_setGuardian_onlyByTheBoundOwner() public {
        vm.expectRevert(_notOwner(GUARDIAN, OWNER));
        vm.prank(GUARDIAN);
        vault.setGuardian(GUARDIAN);
        _sell();
        vm.expectRevert(_ownerChanged());
        vm.prank(BUYER);
        vault.setGuardian(FRESH);
    }

    /* SALE */

    function test_sale_sellsTheVaultWithTheToken() public {
        _sell();
        assertEq(vault.owner(), BUYER, "L-001: read live");
        assertEq(vault.boundOwner(), OWNER);
        vm.expectRevert(_notOwner(OWNER, BUYER));
        vm.prank(OWNER);
        vault.kill("seller's regret");
    }

    /// @dev L-006, V-034: beats and settlement pass, everything else of key and guardian waits.
    function test_sale_freezesKeyGuardianAndLists() public {
        _sell();
        vm.startPrank(KEY);
        vm.expectRevert(_ownerChanged());
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.expectRevert(_ownerChanged());
        vault.refuel(address(pool), 1e6, 0, block.timestamp);
        vm.expectRevert(_ownerChanged());
        vault.rebalance(PartitionId.Llm, PartitionId.Gas, 1);
        vm.expectRevert(_ownerChanged());
        vault.harvest();
        vm.expectRevert(_ownerChanged());
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.expectRevert(_ownerChanged());
        vault.prune(address(weth));
        vm.expectRevert(_ownerChanged());
        vault.dieSenescent("");
        vm.expectRevert(_ownerChanged());
        vault.dieStochastic(1, 2, 1, 1);
        vm.expectRevert(_ownerChanged());
        vault.dieEconomic();
        vm.stopPrank();
        vm.expectRevert(_ownerChanged());
        _buy(1e6);
        vm.expectRevert(_ownerChanged());
        vm.prank(GUARDIAN);
        vault.trip("sold");
        vm.expectRevert(_ownerChanged());
        vm.prank(BUYER);
        vault.setListings(new Listing[](0));

        _beat(1, Phase.Terminal);
        vm.expectRevert(_ownerChanged());
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        vm.prank(BUYER);
        vault.kill("bought to end it");
        vm.expectRevert(_ownerChanged());
        vm.prank(KEY);
        vault.spendDying(PAYEE, 1);
        _settle();
        assertEq(usdc.balanceOf(BUYER), 1_100e6, "settlement passes and pays the buyer");
    }

    function test_accept_bindsKeyAndGuardianAndKeepsTheLists() public {
        _sell();
        vm.expectEmit(address(vault));
        emit IVaultOwner.Accepted(BUYER, FRESH, 0);
        vm.prank(BUYER);
        vault.accept(address(0), FRESH, true, 0);
        assertEq(vault.boundOwner(), BUYER);
        assertEq(vault.guardian(), FRESH);
        assertEq(vault.epoch(), 0);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
        vm.prank(FRESH);
        vault.trip("the new guardian");
        assertEq(lineage.causeOf(golem), "KillSwitch");
    }

    function test_accept_withANewKeyAndVoidLists() public {
        _sell();
        vm.expectEmit(address(vault));
        emit IVaultOwner.Accepted(BUYER, address(0), 1);
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.KeyRotated(golem, KEY, FRESH);
        vm.prank(BUYER);
        vault.accept(FRESH, address(0), false, 0);
        assertEq(vault.epoch(), 1);
        assertEq(vault.guardian(), address(0));
        (uint8 uses, address pricedBy) = vault.listingOf(address(weth));
        assertEq(uses, 0, "the seller's lists are void");
        assertEq(pricedBy, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, PAYEE, USE_PAYEE_LLM));
        vm.prank(FRESH);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);

        vm.prank(BUYER);
        vault.setListings(_lists());
        vm.prank(FRESH);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
    }

    function test_accept_onlyByTheOwner() public {
        _sell();
        vm.expectRevert(_notOwner(OWNER, BUYER));
        vm.prank(OWNER);
        vault.accept(address(0), address(0), true, 0);
    }

    /// @dev A token that comes home is bound as before: nothing was changed meanwhile.
    function test_sale_undoneByTheTokensReturn() public {
        _sell();
        vm.prank(BUYER);
        identity.transferFrom(BUYER, OWNER, golem);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
    }

    /* SLEEP */

    function test_hibernate_acceptsNinetyDaysAndNotASecondMore() public {
        uint256 now_ = block.timestamp;
        uint256 latest = now_ + 90 days;
        vm.expectRevert(
            abi.encodeWithSelector(IVaultOwner.HibernationOutOfRange.selector, latest + 1, now_ + 1, latest)
        );
        vm.prank(OWNER);
        vault.hibernate(latest + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.HibernationOutOfRange.selector, now_, now_ + 1, latest));
        vm.prank(OWNER);
        vault.hibernate(now_);
        vm.prank(OWNER);
        vault.hibernate(now_ + 1);
        vm.expectEmit(address(vault));
        emit IVaultOwner.HibernationBegan(latest);
        vm.prank(OWNER);
        vault.hibernate(latest);
        assertEq(vault.hibernatedUntil(), latest);
    }

    /// @dev L-007: no spending, no trading; beats, top-ups and deaths pass.
    function test_hibernate_stopsTheKeyButNotLife() public {
        _hibernate(1 days);
        bytes memory asleep =
            abi.encodeWithSelector(IVaultRules.Hibernating.selector, block.timestamp + 1 days, block.timestamp);
        vm.startPrank(KEY);
        vm.expectRevert(asleep);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.expectRevert(asleep);
        vault.refuel(address(pool), 1e6, 0, block.timestamp);
        vm.expectRevert(asleep);
        vault.harvest();
        vm.expectRevert(asleep);
        vault.rebalance(PartitionId.Llm, PartitionId.Gas, 1);
        vm.stopPrank();
        vm.expectRevert(asleep);
        _buy(1e6);
        _beat(1, Phase.Stable);
        vm.prank(KEY);
        vault.dieSenescent("");
        assertEq(lineage.lifeOf(golem), "dying", "death needs no waking");
    }

    function test_wake_endsTheSleep() public {
        _hibernate(10 days);
        _pass(1 days);
        vm.expectEmit(address(vault));
        emit IVaultOwner.Woken();
        vm.prank(OWNER);
        vault.wake();
        assertEq(vault.hibernatedUntil(), block.timestamp);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
    }

    function test_wake_afterTheSleepLeavesItsEndInPlace() public {
        _hibernate(1 days);
        uint256 until = vault.hibernatedUntil();
        _pass(2 days);
        vm.prank(OWNER);
        vault.wake();
        assertEq(vault.hibernatedUntil(), until);
    }

    function test_hibernateAndWake_onlyByTheOwnerAndHibernateOnlyAlive() public {
        uint256 until = block.timestamp + 1 days;
        vm.expectRevert(_notOwner(KEY, OWNER));
        vm.prank(KEY);
        vault.hibernate(until);
        vm.expectRevert(_notOwner(KEY, OWNER));
        vm.prank(KEY);
        vault.wake();
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.hibernate(until);
    }

    /* INITIALISE AND MODULES */

    function test_initialise_onlyByBirthAndOnce() public {
        IBirth.Order memory order = _order();
        IVaultRules.Authorisation memory none;
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.NotInitialiser.selector, STRANGER));
        vm.prank(STRANGER);
        vault.initialise(7, order, none);
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.NotInitialiser.selector, address(births)));
        vm.prank(address(births));
        vault.initialise(7, order, none);
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.NotInitialiser.selector, address(births)));
        vm.prank(address(births));
        IVaultOwner(suite.vault).initialise(7, order, none);
    }

    /// @dev V-001: a module acts only for a vault; called by itself it refuses every act.
    function test_modules_refuseToActByThemselves() public {
        bytes memory refused = abi.encodeWithSelector(IVaultRules.NotDelegated.selector);
        bytes[] memory calls = new bytes[](10);
        IBirth.Order memory order = _order();
        IVaultRules.Authorisation memory none;
        calls[0] = abi.encodeCall(IVaultOwner.initialise, (7, order, none));
        calls[1] = abi.encodeCall(IVaultOwner.fundCapital, (1));
        calls[2] = abi.encodeCall(IVaultOwner.withdrawCapital, (1));
        calls[3] = abi.encodeCall(IVaultOwner.rotateKey, (FRESH));
        calls[4] = abi.encodeCall(IVaultOwner.setGuardian, (FRESH));
        calls[5] = abi.encodeCall(IVaultOwner.setPolicy, (_template()));
        calls[6] = abi.encodeCall(IVaultOwner.setListings, (_lists()));
        calls[7] = abi.encodeCall(IVaultOwner.accept, (FRESH, FRESH, true));
        calls[8] = abi.encodeCall(IVaultOwner.hibernate, (block.timestamp + 1));
        calls[9] = abi.encodeCall(IVaultOwner.wake, ());
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory answer) = suite.owning.call(calls[i]);
            assertFalse(ok);
            assertEq(answer, refused);
        }
    }
}
