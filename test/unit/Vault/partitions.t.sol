// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {Ledger, PartitionId, Policy, Split} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title rebalance, resplit, raiseReserve (V-007, V-009, V-017, V-032)
contract PartitionsTest is UnitTest {
    function _rebalance(PartitionId from, PartitionId to, uint256 amount) private {
        vm.prank(KEY);
        vault.rebalance(from, to, amount);
    }

    function _resplit(Split wanted) private {
        vm.prank(KEY);
        vault.resplit(wanted);
    }

    function _assertCredits(uint256 llm, uint256 gas, uint256 data, uint256 legacy) private view {
        Ledger memory credits = vault.credits();
        assertEq(credits.llm, llm, "llm");
        assertEq(credits.gas, gas, "gas");
        assertEq(credits.data, data, "data");
        assertEq(credits.legacy, legacy, "legacy");
        _assertConserved(vault);
    }

    /* REBALANCE */

    function test_rebalance_movesHalfOfTheDonor() public {
        vm.expectEmit(address(vault));
        emit IVaultMoney.Rebalanced(PartitionId.Gas, PartitionId.Data, 12.25e6);
        _rebalance(PartitionId.Gas, PartitionId.Data, 12.25e6);
        _assertCredits(58.8e6, 12.25e6, 26.95e6, 0);
    }

    function test_rebalance_revertsAboveHalfByOneUnit() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.RebalanceTooLarge.selector, 12.25e6 + 1, 12.25e6));
        _rebalance(PartitionId.Gas, PartitionId.Llm, 12.25e6 + 1);
    }

    /// @dev V-017: once per 30 ticks of 40 s.
    function test_rebalance_revertsBeforeTheCooldownToTheSecond() public {
        _rebalance(PartitionId.Llm, PartitionId.Data, 1e6);
        uint256 allowedAt = block.timestamp + 1_200;
        vm.warp(allowedAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.RebalanceTooSoon.selector, allowedAt - 1, allowedAt));
        _rebalance(PartitionId.Llm, PartitionId.Data, 1e6);
        vm.warp(allowedAt);
        _rebalance(PartitionId.Llm, PartitionId.Data, 1e6);
        _assertCredits(56.8e6, 24.5e6, 16.7e6, 0);
    }

    function test_rebalance_doesNotRaiseTheDayCap() public {
        _rebalance(PartitionId.Llm, PartitionId.Data, 29.4e6);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultRules.DayCapExceeded.selector, PartitionId.Data, 3.675e6 + 1, 3.675e6)
        );
        vm.prank(KEY);
        vault.spend(PartitionId.Data, PAYEE, 3.675e6 + 1);
    }

    function test_rebalance_refusesLegacyAtBothEnds() public {
        vm.expectRevert(IVaultRules.LegacyProtected.selector);
        _rebalance(PartitionId.Legacy, PartitionId.Llm, 1);
        vm.expectRevert(IVaultRules.LegacyProtected.selector);
        _rebalance(PartitionId.Llm, PartitionId.Legacy, 1);
    }

    function test_rebalance_refusesZeroAndItself() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _rebalance(PartitionId.Llm, PartitionId.Gas, 0);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.SamePartition.selector, PartitionId.Gas));
        _rebalance(PartitionId.Gas, PartitionId.Gas, 1);
    }

    function test_rebalance_onlyByTheLivingBoundKey() public {
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, OWNER, KEY));
        vm.prank(OWNER);
        vault.rebalance(PartitionId.Llm, PartitionId.Gas, 1);
        uint256 snapshot = vm.snapshotState();
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER));
        _rebalance(PartitionId.Llm, PartitionId.Gas, 1);
        vm.revertToState(snapshot);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _rebalance(PartitionId.Llm, PartitionId.Gas, 1);
    }

    /* RESPLIT */

    function test_resplit_keyToDecliningWhenItReportsDeclining() public {
        _beat(1, Phase.Declining);
        vm.expectEmit(address(vault));
        emit IVaultMoney.Resplit(Split.Declining, Ledger(29.4e6, 14.7e6, 4.9e6, 49e6));
        _resplit(Split.Declining);
        _assertCredits(29.4e6, 14.7e6, 4.9e6, 49e6);
        assertEq(vault.split(), "declining");
        assertEq(vault.books().reserve, 2e6);
    }

    function test_resplit_keyToTerminalPutsAllIntoLegacy() public {
        _beat(1, Phase.Terminal);
        vm.expectEmit(address(vault));
        emit IVaultMoney.Resplit(Split.Terminal, Ledger(0, 0, 0, 98e6));
        _resplit(Split.Terminal);
        _assertCredits(0, 0, 0, 98e6);
    }

    function test_resplit_decliningIsReachedFromTerminalPhaseToo() public {
        _beat(1, Phase.Terminal);
        _resplit(Split.Declining);
        _resplit(Split.Terminal);
        _assertCredits(0, 0, 0, 98e6);
    }

    function test_resplit_revertsWhenThePhaseIsTooGood() public {
        _beat(1, Phase.Conservation);
        vm.expectRevert(
            abi.encodeWithSelector(
                IVaultMoney.ResplitRefused.selector, Split.Birth, Split.Declining, Phase.Conservation
            )
        );
        _resplit(Split.Declining);
        _beat(2, Phase.Declining);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultMoney.ResplitRefused.selector, Split.Birth, Split.Terminal, Phase.Declining)
        );
        _resplit(Split.Terminal);
    }

    /// @dev M-032: the key never takes back what it has set aside, and never cuts twice.
    function test_resplit_keyOnlyGoesTowardLegacy() public {
        _beat(1, Phase.Terminal);
        _resplit(Split.Terminal);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultMoney.ResplitRefused.selector, Split.Terminal, Split.Declining, Phase.Terminal)
        );
        _resplit(Split.Declining);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultMoney.ResplitRefused.selector, Split.Terminal, Split.Terminal, Phase.Terminal)
        );
        _resplit(Split.Terminal);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, KEY, OWNER));
        _resplit(Split.Birth);
    }

    function test_resplit_ownerBackToBirthSharesOnceThePhaseHasRisen() public {
        _beat(1, Phase.Declining);
        _resplit(Split.Declining);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultMoney.ResplitRefused.selector, Split.Declining, Split.Birth, Phase.Declining)
        );
        vm.prank(OWNER);
        vault.resplit(Split.Birth);

        _beat(2, Phase.Conservation);
        vm.expectEmit(address(vault));
        emit IVaultMoney.Resplit(Split.Birth, Ledger(58.8e6, 24.5e6, 14.7e6, 0));
        vm.prank(OWNER);
        vault.resplit(Split.Birth);
        _assertCredits(58.8e6, 24.5e6, 14.7e6, 0);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultMoney.ResplitRefused.selector, Split.Birth, Split.Birth, Phase.Conservation)
        );
        vm.prank(OWNER);
        vault.resplit(Split.Birth);
    }

    function test_resplit_ownerMayNotCutTowardLegacy() public {
        _beat(1, Phase.Terminal);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, OWNER, KEY));
        vm.prank(OWNER);
        vault.resplit(Split.Terminal);
    }

    /// @dev The day's caps stay those of the day's start, so cutting to and fro buys the key nothing.
    function test_resplit_keepsWhatTheDayHasSpent() public {
        vm.prank(KEY);
        vault.spend(PartitionId.Gas, PAYEE, 7.35e6);
        _beat(1, Phase.Declining);
        _resplit(Split.Declining);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultRules.DayCapExceeded.selector, PartitionId.Gas, 7.35e6 + 1, 7.35e6)
        );
        vm.prank(KEY);
        vault.spend(PartitionId.Gas, PAYEE, 1);
    }

    function test_resplit_revertsUnlessAlive() public {
        _beat(1, Phase.Terminal);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _resplit(Split.Terminal);
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.resplit(Split.Birth);
    }

    /* RESERVE */

    function test_raiseReserve_byTheOwnerWithoutBound() public {
        vm.expectEmit(address(vault));
        emit IVaultMoney.ReserveRaised(PartitionId.Llm, 8.8e6, 10.8e6);
        vm.prank(OWNER);
        vault.raiseReserve(PartitionId.Llm, 8.8e6);
        vm.expectEmit(address(vault));
        emit IVaultMoney.ReserveRaised(PartitionId.Data, 14.7e6, 25.5e6);
        vm.prank(OWNER);
        vault.raiseReserve(PartitionId.Data, 14.7e6);
        _assertCredits(50e6, 24.5e6, 0, 0);
        assertEq(vault.books().reserve, 25.5e6);
    }

    /// @dev V-007: 2% of all credits, and the reserve counts among them. At birth that is already there.
    function test_raiseReserve_byTheKeyUpToItsShareOfTheCredits() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.ReserveBeyondDue.selector, 2e6 + 1, 2e6));
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.startPrank(OWNER);
        usdc.approve(address(vault), 100e6);
        vault.topUp(100e6);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.ReserveBeyondDue.selector, 4e6 + 1, 4e6));
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 2e6 + 1);
        vm.expectEmit(address(vault));
        emit IVaultMoney.ReserveRaised(PartitionId.Llm, 2e6, 4e6);
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 2e6);
        assertEq(vault.books().reserve, 4e6);
    }

    /// @dev M-037: 0.22 + 0.02 for each holding and each position, where that is more than the floor of 0.30.
    function test_raiseReserve_byTheKeyUpToWhatItsPositionsCostToSettle() public {
        IBirth.Order memory order = _order();
        order.credits = 1e6;
        order.listings = _lists();
        _giveBirth(order);
        _freeTrading();
        _buy(100e6);
        for (uint256 i; i < 4; ++i) {
            _mint(0.001 ether, 3e6);
        }
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.ReserveBeyondDue.selector, 0.32e6 + 1, 0.32e6));
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 0.02e6 + 1);
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 0.02e6);
        assertEq(vault.books().reserve, 0.32e6);
    }

    /// @dev T-002: so hunger is no choice of the key's.
    function test_raiseReserve_doesNotStarveTheGolem() public {
        vm.expectPartialRevert(IVaultMoney.ReserveBeyondDue.selector);
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 58.8e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotStarved.selector, 98e6, 0.1e6));
        vm.prank(KEY);
        vault.dieEconomic();
    }

    function test_raiseReserve_revertsAboveThePartitionByOneUnit() public {
        vm.expectRevert(
            abi.encodeWithSelector(IVaultRules.PartitionExceeded.selector, PartitionId.Gas, 24.5e6 + 1, 24.5e6)
        );
        vm.prank(OWNER);
        vault.raiseReserve(PartitionId.Gas, 24.5e6 + 1);
    }

    function test_raiseReserve_refusesZeroAndLegacy() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 0);
        vm.expectRevert(IVaultRules.LegacyProtected.selector);
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Legacy, 1);
    }

    function test_raiseReserve_revertsForStrangersAndUnboundOrSleepingKeys() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotKeyOrOwner.selector, STRANGER, KEY, OWNER));
        vm.prank(STRANGER);
        vault.raiseReserve(PartitionId.Llm, 1);

        uint256 snapshot = vm.snapshotState();
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER));
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.revertToState(snapshot);

        _hibernate(1 days);
        uint256 until = block.timestamp + 1 days;
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.Hibernating.selector, until, block.timestamp));
        vm.prank(KEY);
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.prank(OWNER);
        vault.raiseReserve(PartitionId.Llm, 1);
        assertEq(vault.books().reserve, 2e6 + 1, "the owner may, also in sleep");
    }

    function test_raiseReserve_revertsUnlessAlive() public {
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.raiseReserve(PartitionId.Llm, 1);
    }

    /// @dev V-007: no act of owner or key while Alive lowers the reserve.
    function test_reserve_neverFallsWhileAlive() public {
        _beat(1, Phase.Terminal);
        _resplit(Split.Terminal);
        _beat(2, Phase.Stable);
        vm.startPrank(OWNER);
        vault.resplit(Split.Birth);
        vault.withdrawCapital(1_000e6);
        vm.expectRevert(abi.encodeWithSignature("CapitalExceeded(uint256,uint256)", 1, 0));
        vault.withdrawCapital(1);
        vm.stopPrank();
        vm.startPrank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 10e6);
        vault.rebalance(PartitionId.Llm, PartitionId.Gas, 1e6);
        vm.stopPrank();
        assertEq(vault.books().reserve, 2e6, "V-007");
    }
}

/// @title harvest, fundCapital, withdrawCapital and the worst loss (V-002, V-014, V-016, V-031)
contract CapitalTest is UnitTest {
    function test_harvest_movesHalfOfTheRealisedProfit() public {
        _earn();
        uint256 capital = vault.books().capital;
        assertGt(capital, 1_000e6);
        uint256 profit = capital - 1_000e6;
        uint256 share = profit / 2;
        uint256 before = vault.credits().llm;

        vm.expectEmit(address(vault));
        emit IVaultMoney.Harvested(profit, share, capital - share, Split.Birth);
        vm.prank(KEY);
        assertEq(vault.harvest(), share);
        assertEq(vault.books().capital, capital - share);
        assertEq(vault.books().highWater, capital - share);
        assertEq(vault.credits().llm - before, share - share / 4 - share * 15 / 100, "60% and the dust");
        _assertConserved(vault);

        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.NoProfit.selector, capital - share, capital - share));
        vm.prank(OWNER);
        vault.harvest();
    }

    function test_harvest_byTheOwnerWithAShareOfHisOwn() public {
        _earn();
        Policy memory policy = vault.policy();
        policy.harvestBps = 10_000;
        _setPolicy(policy);
        uint256 profit = vault.books().capital - 1_000e6;
        vm.prank(OWNER);
        assertEq(vault.harvest(), profit);
        assertEq(vault.books().capital, 1_000e6);
    }

    /// @dev V-014: losses never move the other way, and what is held in tokens counts nothing until sold.
    function test_harvest_revertsWithoutProfit() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.NoProfit.selector, 1_000e6, 1_000e6));
        vm.prank(KEY);
        vault.harvest();
        _buy(100e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.NoProfit.selector, 900e6, 1_000e6));
        vm.prank(KEY);
        vault.harvest();
    }

    function test_harvest_roles() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotKeyOrOwner.selector, STRANGER, KEY, OWNER));
        vm.prank(STRANGER);
        vault.harvest();
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER));
        vm.prank(KEY);
        vault.harvest();
    }

    function test_harvest_revertsUnlessAlive() public {
        _earn();
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.harvest();
    }

    /* V-031 */

    /// @dev The view says in USDC what a leaked key can cost: caps of today and tomorrow, float, trading, death.
    function test_worstLoss_saysItsPartsInUsdc() public view {
        IVaultMoney.WorstLoss memory worst = vault.worstLoss();
        // Today 11.76 + 7.35 + 3.675; tomorrow at most 30% of 98 + 3 x 0.5.
        assertEq(worst.spending, 22.785e6 + 29.4e6 + 1.5e6);
        assertEq(worst.float, 2e6);
        // Twice 50% of 1,000 at 1%, all of it once at 1% when the key declares a death and sells, and a move of 30% on
        // the 10% that one minute may trade.
        assertEq(worst.trading, 20e6 + 30e6);
        assertEq(worst.dying, 1e6);
        assertEq(worst.total, 106.685e6);
    }

    function test_worstLoss_neverSaysMoreTradingThanThereIs() public {
        Policy memory policy = _template();
        policy.tradeBps = 10_000;
        policy.dayTradeBps = 50_000;
        policy.slippageBps = 1_000;
        _setPolicy(policy);
        assertEq(vault.worstLoss().trading, 1_000e6);
    }

    function test_worstLoss_neverSaysMoreSpendingThanThereIs() public {
        Policy memory policy = _template();
        policy.llmDayBps = 10_000;
        policy.gasDayBps = 10_000;
        policy.dataDayBps = 10_000;
        _setPolicy(policy);
        assertEq(vault.worstLoss().spending, 98e6);
        usdc.mint(address(vault), 7e6);
        assertEq(vault.worstLoss().spending, 105e6, "what anyone can sync counts");
    }

    function test_worstLoss_fallsByWhatTheDayHasSpent() public {
        uint256 before = vault.worstLoss().total;
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 10e6);
        assertEq(vault.worstLoss().total, before - 10e6 - 3e6);
    }
}
