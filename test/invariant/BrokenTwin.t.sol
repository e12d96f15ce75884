// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Phase} from "contracts/types/Life.sol";
import {PartitionId} from "contracts/types/Money.sol";
import {Vault} from "contracts/Vault.sol";

import {LawsWorld} from "test/invariant/Laws.t.sol";
import {Witness} from "test/invariant/Witness.sol";
import {BrokenLineage, BrokenVault} from "test/mocks/BrokenVault.sol";

/// @title The laws are no rubber stamp: each says no to a twin that breaks it, and yes to the same story without the fault
contract BrokenTwinTest is LawsWorld {
    Witness private _witness;

    function setUp() public override {
        super.setUp();
        _giveBirth();
        _witness = new Witness(world);
        _witness.born(golem, vault, 100e6, 1_000e6);
    }

    /// @dev Puts the twin where every vault delegates to.
    function _install(BrokenVault.Fault fault) private {
        address real = address(new Vault(suite));
        vm.etch(suite.vault, address(new BrokenVault(suite, real, fault)).code);
    }

    function _installLineage() private returns (BrokenLineage) {
        vm.etch(suite.lineage, address(new BrokenLineage(address(new LineageRegistry(suite)))).code);
        return BrokenLineage(suite.lineage);
    }

    function _allHold() private returns (bool) {
        _witness.observe();
        return _witness.conserves(golem) && _witness.booksAddUp(golem) && _witness.withinFigure(golem)
            && _witness.chainsAreSimple() && !_witness.leaked() && !_witness.reserveFell()
            && !_witness.deadPaidAnother() && !_witness.rowChanged() && !_witness.lifeWentBack()
            && !_witness.tickWentBack() && _witness.refuses(golem, STRANGER, false)
            && _witness.ownerGetsEverything(golem) && _witness.deathPasses(golem, 0, false)
            && _witness.honestKeyBeats(golem) && _newLawsHold();
    }

    function _newLawsHold() private view returns (bool) {
        return !_witness.pushedToAnother() && !_witness.lockedPaid() && _witness.adaptersHoldOnlyDust()
            && _witness.hasNothing(address(world.escrow)) && _witness.hasNothing(address(world.relay))
            && _witness.hasNothing(world.giver.payee);
    }

    /* STORIES, the same for the twin and for the real one */

    function _spend(uint256 amount) private {
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, amount);
        _witness.spent(golem, amount);
    }

    function _sendAndSync() private {
        usdc.mint(address(vault), 2e6);
        _witness.sent(golem, 2e6);
        vault.sync();
        _witness.synced(golem);
    }

    function _raiseReserve() private {
        vm.prank(OWNER);
        vault.raiseReserve(PartitionId.Llm, 1e6);
        _witness.reserveRaised(golem, 1e6);
    }

    /// @dev It dies while an escrow holds the token: everything waits.
    function _dieInEscrow() private {
        vm.prank(OWNER);
        identity.transferFrom(OWNER, address(world.escrow), golem);
        _witness.observe();
        _pass(7 days + 1);
        vault.notice();
        _pass(24 hours);
        vault.killSilent();
        _pass(1 hours);
        vault.finalise();
        _witness.died(golem);
        _witness.observe();
    }

    function _lock() private {
        vm.prank(OWNER);
        vault.lock(block.timestamp + 1 days);
    }

    function _withdraw() private {
        vm.prank(OWNER);
        vault.withdrawCapital(1e6);
        _witness.withdrawn(golem, 1e6);
        _witness.observe();
    }

    /// @dev A Golem in OWNER's name by somebody else, with his key and his payee.
    function _gift() private {
        IBirth.Order memory order = _order();
        (order.funder, order.key) = (world.giver.self, world.giver.key);
        order.listings = _lists();
        order.listings[0].subject = world.giver.payee;
        usdc.mint(world.giver.self, 1_100e6);
        vm.prank(world.giver.self);
        usdc.approve(address(births), 1_100e6);
        _giveBirth(order);
        _witness.born(golem, vault, 100e6, 1_000e6);
    }

    function _dieAndReceive() private {
        _kill();
        _pass(1 hours);
        vault.finalise();
        _witness.died(golem);
        usdc.mint(address(vault), 5e6);
        _witness.observe();
    }

    function test_control_withoutAFaultEveryLawHolds() public {
        _install(BrokenVault.Fault.None);
        _installLineage();
        _witness.beginWindow(golem);
        assertTrue(_allHold());
        _spend(3e6);
        _sendAndSync();
        _raiseReserve();
        _pass(1 minutes);
        _beat(5, Phase.Stable);
        assertTrue(_allHold());
        _lock();
        assertTrue(_allHold());
        _pass(1 days);
        _withdraw();
        assertTrue(_allHold());
        _dieAndReceive();
        vm.prank(OWNER);
        vault.claim(address(usdc));
        assertTrue(_allHold());
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        assertTrue(_witness.refuses(golem, KEY, true));
    }

    function test_control_aDeathInEscrowWaitsForTheLaterOwner() public {
        _install(BrokenVault.Fault.None);
        _dieInEscrow();
        assertTrue(_allHold());
        assertEq(usdc.balanceOf(address(vault)), 1_100e6);
        world.escrow.release(address(identity), BUYER, golem);
        _witness.observe();
        _witness.acting(BUYER);
        vm.prank(BUYER);
        vault.finalise();
        assertEq(usdc.balanceOf(BUYER), 1_100e6);
        assertTrue(_allHold());
    }

    function test_control_aGiftIsTheReceivers() public {
        _install(BrokenVault.Fault.None);
        _gift();
        assertTrue(_witness.refuses(golem, world.giver.key, true));
        assertTrue(_witness.hasNothing(world.giver.payee));
        vm.prank(OWNER);
        vault.accept(KEY, GUARDIAN, false, 0);
        assertTrue(_witness.refuses(golem, world.giver.key, false));
        assertTrue(_allHold());
    }

    /* V */

    function test_V011_catchesAnAdapterThatKeepsAUnit() public {
        assertTrue(_witness.adaptersHoldOnlyDust());
        usdc.mint(suite.swapAdapter, 7);
        _witness.dusted(suite.swapAdapter, address(usdc), 7);
        assertTrue(_witness.adaptersHoldOnlyDust(), "a stranger's dust is nobody's fault");
        vm.prank(address(vault));
        usdc.transfer(suite.positionAdapter, 1);
        assertFalse(_witness.adaptersHoldOnlyDust());
    }

    function test_V018_catchesALockThatPaysTheOwner() public {
        _install(BrokenVault.Fault.LockIsIgnored);
        _withdraw();
        assertFalse(_witness.lockedPaid(), "nothing was locked");
        _lock();
        _withdraw();
        assertTrue(_witness.lockedPaid());
    }

    function test_V018_catchesALockThatPaysAClaim() public {
        _install(BrokenVault.Fault.LockIsIgnored);
        _lock();
        _dieAndReceive();
        assertFalse(_witness.lockedPaid());
        _witness.acting(OWNER);
        vm.prank(OWNER);
        vault.claim(address(usdc));
        _witness.observe();
        assertTrue(_witness.lockedPaid());
    }

    function test_V030_catchesASpendThatForgetsToDebit() public {
        _install(BrokenVault.Fault.SpendForgetsToDebit);
        assertTrue(_witness.conserves(golem));
        _spend(1e6);
        assertFalse(_witness.conserves(golem));
    }

    function test_V030_catchesASyncThatCreditsTwice() public {
        _install(BrokenVault.Fault.SyncCreditsTwice);
        _sendAndSync();
        assertFalse(_witness.conserves(golem));
    }

    function test_V031_catchesAKeyWithoutCaps() public {
        // Without capital, so that the figure has no room for trades.
        IBirth.Order memory order = _order();
        (order.nonce, order.capital, order.listings) = (9, 0, _lists());
        _giveBirth(order);
        _witness.born(golem, vault, 100e6, 0);
        _install(BrokenVault.Fault.SpendIgnoresTheCaps);
        _witness.beginWindow(golem);
        (, uint256 figure,,) = _witness.windows(golem);
        _spend(58.8e6);
        vm.startPrank(KEY);
        vault.spend(PartitionId.Gas, PAYEE, 24.5e6);
        vault.spend(PartitionId.Data, PAYEE, 14.7e6);
        vm.stopPrank();
        _witness.spent(golem, 39.2e6);
        assertGt(98e6, figure);
        assertFalse(_witness.withinFigure(golem));
    }

    function test_V031_catchesMoneyThatLeavesByNoKnownWay() public {
        vm.prank(address(vault));
        usdc.transfer(STRANGER, 1);
        _witness.observe();
        assertTrue(_witness.leaked());
    }

    function test_V032_catchesAReserveThatFalls() public {
        _install(BrokenVault.Fault.ReserveFalls);
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 1);
        _witness.observe();
        assertTrue(_witness.reserveFell());
        assertFalse(_witness.conserves(golem), "and the ghost ledger disagrees");
    }

    function test_V033_catchesADeadVaultThatPaysTheKey() public {
        _install(BrokenVault.Fault.DeadPaysTheCaller);
        _dieAndReceive();
        assertFalse(_witness.deadPaidAnother());
        assertFalse(_witness.refuses(golem, KEY, false), "V-035 sees it too");
        usdc.mint(address(vault), 5e6);
        _witness.observe();
        vm.prank(KEY);
        vault.claim(address(usdc));
        _witness.observe();
        assertTrue(_witness.deadPaidAnother());
    }

    function test_V034_catchesASoldKeyThatSpends() public {
        _install(BrokenVault.Fault.SoldKeySpends);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        assertFalse(_witness.refuses(golem, KEY, true));
    }

    /// @dev L-006: the same fault in a Golem that nobody has spoken for, once its owner put something into it.
    function test_L006_catchesAGiftThatPaysTheGiver() public {
        _gift();
        _install(BrokenVault.Fault.SoldKeySpends);
        assertFalse(_witness.refuses(golem, world.giver.key, true));
        vm.prank(world.giver.key);
        vault.spend(PartitionId.Llm, world.giver.payee, 1e6);
        assertFalse(_witness.hasNothing(world.giver.payee));
    }

    function test_V034_catchesARotatedKeyThatComesBack() public {
        vm.prank(OWNER);
        vault.rotateKey(EXECUTOR);
        assertTrue(_witness.refuses(golem, KEY, false));
        _install(BrokenVault.Fault.AnyoneRotatesTheKey);
        assertFalse(_witness.refuses(golem, KEY, false));
    }

    function test_V035_catchesAnOutsiderWithPower() public {
        _install(BrokenVault.Fault.AnyoneRotatesTheKey);
        assertFalse(_witness.refuses(golem, STRANGER, false));
    }

    /* L */

    function test_L030_catchesARowThatChanges() public {
        BrokenLineage twin = _installLineage();
        twin.promote(golem);
        _witness.observe();
        assertTrue(_witness.rowChanged());
        assertFalse(_witness.chainsAreSimple());
    }

    function test_L030_catchesAKnotInTheChain() public {
        uint256 first = golem;
        IBirth.Order memory order = _order();
        order.nonce = 9;
        _giveBirth(order);
        _witness.born(golem, vault, 100e6, 1_000e6);
        assertTrue(_witness.chainsAreSimple());
        _installLineage().adopt(first, golem);
        assertFalse(_witness.chainsAreSimple());
    }

    function test_L031_catchesAResurrection() public {
        _dieAndReceive();
        BrokenLineage twin = _installLineage();
        twin.resurrect(golem);
        _witness.observe();
        assertTrue(_witness.lifeWentBack());
    }

    function test_L032_catchesATickThatTurnsBack() public {
        _pass(1 minutes);
        _beat(50, Phase.Stable);
        _witness.observe();
        _installLineage().turnBack(golem);
        _witness.observe();
        assertTrue(_witness.tickWentBack());
    }

    function test_L032_catchesABeatThatEndsAllBeats() public {
        assertTrue(_witness.honestKeyBeats(golem));
        _installLineage().outrun(golem);
        assertFalse(_witness.honestKeyBeats(golem));
    }

    /* T */

    function test_T005_catchesAPushToAnEscrow() public {
        _install(BrokenVault.Fault.PushesToWhoeverHolds);
        _dieInEscrow();
        assertFalse(_witness.pushedToAnother());
        vault.finalise();
        _witness.observe();
        assertTrue(_witness.pushedToAnother());
        assertFalse(_witness.hasNothing(address(world.escrow)));
        assertFalse(_witness.deadPaidAnother(), "V-033 alone does not see it: the escrow owns the token");
    }

    /// @dev A buyer who has not spoken, and does not call, is such a holder too.
    function test_T005_catchesAPushToOneWhoHasNotSpoken() public {
        _install(BrokenVault.Fault.PushesToWhoeverHolds);
        _dieInEscrow();
        world.escrow.release(address(identity), BUYER, golem);
        _witness.observe();
        vault.finalise();
        _witness.observe();
        assertTrue(_witness.pushedToAnother());
    }

    function test_T030_catchesAUnitKeptBack() public {
        _install(BrokenVault.Fault.FinaliseKeepsAUnit);
        assertFalse(_witness.ownerGetsEverything(golem));
    }

    function test_T031_catchesADeathThatNeedsUsdc() public {
        assertTrue(_witness.deathPasses(golem, 0, false));
        _install(BrokenVault.Fault.DeathNeedsUsdc);
        assertFalse(_witness.deathPasses(golem, 0, false));
    }
}
