// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Life} from "contracts/types/Life.sol";
import {Listing, PartitionId, Policy} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title lock, lockedUntil: what a buyer may hold on to (V-018, T-005, T-030)
contract LockTest is UnitTest {
    uint256 private until;

    function setUp() public override {
        super.setUp();
        until = block.timestamp + 10 days;
    }

    function _lock(uint256 end) private {
        vm.prank(OWNER);
        vault.lock(end);
    }

    function _locked() private view returns (bytes memory) {
        return abi.encodeWithSelector(IVaultRules.Locked.selector, until, vm.getBlockTimestamp());
    }

    /* HOW LONG */

    function test_lock_acceptsThirtyDaysAndNotASecondMore() public {
        uint256 now_ = block.timestamp;
        assertEq(vault.lockedUntil(), 0, "nothing is locked from birth");
        uint256 latest = now_ + 30 days;
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.LockOutOfRange.selector, latest + 1, now_ + 1, latest));
        _lock(latest + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.LockOutOfRange.selector, now_, now_ + 1, latest));
        _lock(now_);
        _lock(now_ + 1);
        vm.expectEmit(address(vault));
        emit IVaultOwner.LockSet(OWNER, latest);
        _lock(latest);
        assertEq(vault.lockedUntil(), latest);
    }

    /// @dev A buyer may rely on the end that he read.
    function test_lock_onlyEverGetsLonger() public {
        uint256 now_ = block.timestamp;
        _lock(until);
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.LockOutOfRange.selector, until, until + 1, now_ + 30 days));
        _lock(until);
        _lock(until + 1);
        vm.warp(until + 2);
        _lock(until + 3);
        assertEq(vault.lockedUntil(), until + 3, "once over, it begins anew");
    }

    function test_lock_onlyByTheOwnerOfALivingGolem() public {
        address[3] memory callers = [KEY, GUARDIAN, STRANGER];
        for (uint256 i; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, callers[i], OWNER));
            vm.prank(callers[i]);
            vault.lock(until);
        }
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _lock(until);
    }

    /* WHAT IT STOPS */

    function _assertStopped(address owner) private {
        Policy memory policy = _template();
        Listing[] memory lists = _lists();
        bytes memory locked = _locked();
        vm.startPrank(owner);
        vm.expectRevert(locked);
        vault.withdrawCapital(1);
        vm.expectRevert(locked);
        vault.setPolicy(policy);
        vm.expectRevert(locked);
        vault.setListings(lists);
        vm.stopPrank();
    }

    function test_lock_stopsWithdrawalsPolicyAndListsToTheSecond() public {
        _lock(until);
        _assertStopped(OWNER);
        vm.warp(until - 1);
        _assertStopped(OWNER);
        vm.warp(until);
        vm.startPrank(OWNER);
        vault.withdrawCapital(1);
        vault.setPolicy(_template());
        vault.setListings(_lists());
        vm.stopPrank();
        assertEq(vault.books().capital, 1_000e6 - 1);
    }

    /// @dev Neither a sale nor an acceptance lifts it.
    function test_lock_holdsForTheBuyerToo() public {
        _lock(until);
        _sell();
        vm.prank(BUYER);
        vault.accept(KEY, address(0), true, 0);
        _assertStopped(BUYER);
    }

    function test_lock_leavesLifeAsItIs() public {
        _lock(until);
        usdc.mint(OWNER, 100e6);
        vm.startPrank(OWNER);
        usdc.approve(address(vault), type(uint256).max);
        vault.topUp(10e6);
        vault.fundCapital(10e6);
        vault.setGuardian(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.Locked.selector, until, block.timestamp));
        vault.raiseReserve(PartitionId.Llm, 1);
        vault.hibernate(block.timestamp + 1);
        vault.wake();
        vault.rotateKey(KEY);
        vm.stopPrank();
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        _buy(10e6);
        assertEq(vault.books().deployed, 10e6);
        _kill();
        assertEq(vault.life(), "dying", "killing still works");
    }

    /* AFTER DEATH */

    function test_lock_aDeathPushesNothingUntilItsEnd() public {
        _buy(100e6);
        uint256 before = usdc.balanceOf(OWNER);
        _lock(until);
        _kill();
        vm.expectEmit(address(vault));
        emit IVaultDeath.SweepPaused(1, 0);
        _settle();
        vm.expectRevert(_locked());
        vm.prank(OWNER);
        vault.claim(address(usdc));
        vm.expectRevert(_locked());
        vm.prank(OWNER);
        vault.claimNft(address(manager), 1);
        vm.warp(until - 1);
        vm.prank(OWNER);
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), before, "not even to the owner who calls");

        vm.warp(until);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), before + 1_000e6, "T-030");
        assertGt(weth.balanceOf(OWNER), 0);
    }

    function test_lock_claimsPassAtItsEnd() public {
        _lock(until);
        _kill();
        _settle();
        vm.warp(until);
        vm.prank(OWNER);
        assertEq(vault.claim(address(usdc)), 1_100e6);
    }

    /// @dev The token is what the buyer pays for, no part of what the vault holds.
    function test_lock_doesNotHoldTheGolemsOwnToken() public {
        _lock(until);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, address(vault), golem);
        vm.prank(OWNER);
        vault.claimNft(address(identity), golem);
        assertEq(identity.ownerOf(golem), OWNER);
    }
}
