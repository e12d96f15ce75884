// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {
    Ledger,
    PartitionId,
    Policy,
    Split,
    USE_PAYEE_DATA,
    USE_PAYEE_GAS,
    USE_PAYEE_LEGACY,
    USE_PAYEE_LLM
} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title spend (V-006, V-007, V-010, V-031, V-034, L-001, L-006, L-007)
contract SpendTest is UnitTest {
    uint256 private constant LLM_DAY = 11.76e6;
    uint256 private constant GAS_DAY = 7.35e6;
    uint256 private constant DATA_DAY = 3.675e6;

    function _spend(PartitionId partition, uint256 amount) private returns (uint256) {
        vm.prank(KEY);
        return vault.spend(partition, PAYEE, amount);
    }

    function _dayCap(PartitionId partition, uint256 spentAfter, uint256 cap) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IVaultRules.DayCapExceeded.selector, partition, spentAfter, cap);
    }

    /* WHAT IT DOES */

    function test_spend_paysAListedPayee() public {
        vm.expectEmit(address(vault));
        emit IVaultMoney.Spent(PartitionId.Llm, PAYEE, 3e6, LLM_DAY - 3e6);
        assertEq(_spend(PartitionId.Llm, 3e6), LLM_DAY - 3e6);
        assertEq(vault.credits().llm, 55.8e6);
        assertEq(vault.credits().gas, 24.5e6, "only the named partition pays");
        assertEq(usdc.balanceOf(PAYEE), 4e6);
        _assertConserved(vault);
    }

    function test_spend_neverTouchesTheReserve() public {
        _spend(PartitionId.Llm, 10e6);
        _spend(PartitionId.Gas, GAS_DAY);
        _spend(PartitionId.Data, DATA_DAY);
        assertEq(vault.books().reserve, 2e6, "V-032");
        assertEq(vault.books().capital, 1_000e6, "V-002: credits and capital do not mix");
    }

    /* CAPS */

    function test_spend_revertsAboveCallCapByOneUnit() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.CallCapExceeded.selector, 10e6 + 1, 10e6));
        _spend(PartitionId.Llm, 10e6 + 1);
        assertEq(_spend(PartitionId.Llm, 10e6), LLM_DAY - 10e6);
    }

    function test_spend_revertsAboveLlmDayCapByOneUnit() public {
        _spend(PartitionId.Llm, 10e6);
        vm.expectRevert(_dayCap(PartitionId.Llm, LLM_DAY + 1, LLM_DAY));
        _spend(PartitionId.Llm, 1.76e6 + 1);
        assertEq(_spend(PartitionId.Llm, 1.76e6), 0);
        vm.expectRevert(_dayCap(PartitionId.Llm, LLM_DAY + 1, LLM_DAY));
        _spend(PartitionId.Llm, 1);
    }

    function test_spend_revertsAboveGasDayCapByOneUnit() public {
        vm.expectRevert(_dayCap(PartitionId.Gas, GAS_DAY + 1, GAS_DAY));
        _spend(PartitionId.Gas, GAS_DAY + 1);
        assertEq(_spend(PartitionId.Gas, GAS_DAY), 0);
    }

    function test_spend_revertsAboveDataDayCapByOneUnit() public {
        vm.expectRevert(_dayCap(PartitionId.Data, DATA_DAY + 1, DATA_DAY));
        _spend(PartitionId.Data, DATA_DAY + 1);
        assertEq(_spend(PartitionId.Data, DATA_DAY), 0);
    }

    /// @dev The share is of the day's start: what comes in during the day raises nothing until midnight.
    function test_spend_topUpOfTheDayDoesNotRaiseTheCap() public {
        usdc.mint(address(vault), 100e6);
        vault.sync();
        _spend(PartitionId.Llm, 10e6);
        vm.expectRevert(_dayCap(PartitionId.Llm, LLM_DAY + 1, LLM_DAY));
        _spend(PartitionId.Llm, 1.76e6 + 1);
        vm.warp(_midnight());
        // 58.8 + 60 - 10 = 108.8, of which a fifth.
        assertEq(_spend(PartitionId.Llm, 10e6), 21.76e6 - 10e6);
    }

    function test_spend_countsUtcDaysToTheSecond() public {
        _spend(PartitionId.Llm, 10e6);
        _spend(PartitionId.Llm, 1.76e6);
        vm.warp(_midnight() - 1);
        assertEq(block.timestamp % 1 days, 1 days - 1);
        vm.expectRevert(_dayCap(PartitionId.Llm, LLM_DAY + 1, LLM_DAY));
        _spend(PartitionId.Llm, 1);
        vm.warp(block.timestamp + 1);
        // A fifth of 47.04.
        vm.expectRevert(_dayCap(PartitionId.Llm, 9.408e6 + 1, 9.408e6));
        _spend(PartitionId.Llm, 9.408e6 + 1);
        assertEq(_spend(PartitionId.Llm, 9.408e6), 0);
    }

    /// @dev V-006: max(share, min(balance, 0.50)). Of 2 USDC, llm holds 1.02 and a fifth of it is 0.204.
    function test_spend_dayFloorOfHalfAUsdc() public {
        IBirth.Order memory order = _order();
        order.listings = _lists();
        order.credits = 2e6;
        _giveBirth(order);
        assertEq(vault.credits().llm, 1.02e6);
        vm.expectRevert(_dayCap(PartitionId.Llm, 500_001, 500_000));
        _spend(PartitionId.Llm, 500_001);
        assertEq(_spend(PartitionId.Llm, 300_000), 200_000);
        vm.expectRevert(_dayCap(PartitionId.Llm, 500_001, 500_000));
        _spend(PartitionId.Llm, 200_001);
        assertEq(_spend(PartitionId.Llm, 200_000), 0);
    }

    /// @dev Below the floor a partition may pay all it has, and not a unit more.
    function test_spend_revertsAboveTheBalanceByOneUnit() public {
        IBirth.Order memory order = _order();
        order.listings = _lists();
        order.credits = 1e6;
        _giveBirth(order);
        assertEq(vault.credits().data, 105_000);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultRules.PartitionExceeded.selector, PartitionId.Data, 105_001, 105_000)
        );
        _spend(PartitionId.Data, 105_001);
        assertEq(_spend(PartitionId.Data, 105_000), 0);
        assertEq(vault.credits().data, 0);
    }

    function test_spend_followsAPolicyOfOnesOwn() public {
        Policy memory policy = _template();
        policy.callCap = 5e6;
        policy.llmDayBps = 10_000;
        policy.gasDayBps = 100;
        policy.dataDayBps = 0;
        policy.dayFloor = 0;
        policy.floatCap = 1e6;
        _setPolicy(policy);

        vm.expectRevert(abi.encodeWithSelector(IVaultRules.CallCapExceeded.selector, 5e6 + 1, 5e6));
        _spend(PartitionId.Llm, 5e6 + 1);
        assertEq(_spend(PartitionId.Llm, 5e6), 53.8e6);
        vm.expectRevert(_dayCap(PartitionId.Gas, 245_001, 245_000));
        _spend(PartitionId.Gas, 245_001);
        assertEq(_spend(PartitionId.Gas, 245_000), 0);
        vm.expectRevert(_dayCap(PartitionId.Data, 1, 0));
        _spend(PartitionId.Data, 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.FloatCapExceeded.selector, 1e6 + 1, 1e6));
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, KEY, 1e6 + 1);
    }

    /* FLOAT */

    function test_spend_floatUpToItsCapAndNotAUnitMore() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.FloatCapExceeded.selector, 2e6 + 1, 2e6));
        vm.prank(KEY);
        vault.spend(PartitionId.Data, KEY, 2e6 + 1);
        vm.expectEmit(address(vault));
        emit IVaultMoney.Spent(PartitionId.Data, KEY, 2e6, DATA_DAY - 2e6);
        vm.prank(KEY);
        vault.spend(PartitionId.Data, KEY, 2e6);
        assertEq(usdc.balanceOf(KEY), 2e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.FloatCapExceeded.selector, 2e6 + 1, 2e6));
        vm.prank(KEY);
        vault.spend(PartitionId.Data, KEY, 1);
    }

    function test_spend_floatCountsWhatTheKeyAlreadyHolds() public {
        usdc.mint(KEY, 1.5e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.FloatCapExceeded.selector, 2e6 + 1, 2e6));
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, KEY, 0.5e6 + 1);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, KEY, 0.5e6);
        assertEq(usdc.balanceOf(KEY), 2e6);
    }

    function test_spend_listingTheKeyDoesNotLiftItsFloatCap() public {
        _list(KEY, USE_PAYEE_LLM, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.FloatCapExceeded.selector, 5e6, 2e6));
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, KEY, 5e6);
    }

    /* PAYEES */

    function test_spend_revertsToAnUnlistedPayee() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, STRANGER, USE_PAYEE_LLM));
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, STRANGER, 1e6);
    }

    function test_spend_revertsToAPayeeListedForAnotherPartition() public {
        _list(STRANGER, USE_PAYEE_LLM, address(0));
        vm.startPrank(KEY);
        vault.spend(PartitionId.Llm, STRANGER, 1e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, STRANGER, USE_PAYEE_GAS));
        vault.spend(PartitionId.Gas, STRANGER, 1e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, STRANGER, USE_PAYEE_DATA));
        vault.spend(PartitionId.Data, STRANGER, 1e6);
    }

    function test_spend_revertsToADelistedPayee() public {
        _list(PAYEE, 0, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, PAYEE, USE_PAYEE_LLM));
        _spend(PartitionId.Llm, 1e6);
    }

    function test_spend_legacyIsProtectedEvenForItsOwnPayee() public {
        _beat(1, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, PAYEE, USE_PAYEE_LEGACY));
        _spend(PartitionId.Legacy, 1e6);
        _list(PAYEE, USE_PAYEE_LEGACY, address(0));
        vm.expectRevert(IVaultRules.LegacyProtected.selector);
        _spend(PartitionId.Legacy, 1e6);
        vm.expectRevert(IVaultRules.LegacyProtected.selector);
        vm.prank(KEY);
        vault.spend(PartitionId.Legacy, KEY, 1e6);
    }

    function test_spend_revertsOnZero() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _spend(PartitionId.Llm, 0);
    }

    /// @dev V-010: a blocked payee costs nothing but the payment.
    function test_spend_blockedPayeeDebitsNothing() public {
        usdc.setBlocked(PAYEE, true);
        vm.expectRevert(SafeTransferLib.TransferFailed.selector);
        _spend(PartitionId.Llm, 1e6);
        assertEq(vault.credits().llm, 58.8e6);
        (Ledger memory spent,,) = vault.today();
        assertEq(spent.llm, 0);
        _assertConserved(vault);
    }

    /* ROLES */

    function test_spend_revertsForEveryoneButTheKey() public {
        address[4] memory callers = [OWNER, GUARDIAN, PAYEE, STRANGER];
        for (uint256 i; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, callers[i], KEY));
            vm.prank(callers[i]);
            vault.spend(PartitionId.Llm, PAYEE, 1e6);
        }
    }

    function test_spend_rotatedKeyIsPowerlessInTheSameBlock() public {
        address fresh = makeAddr("FRESH");
        vm.prank(OWNER);
        vault.rotateKey(fresh);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, fresh));
        _spend(PartitionId.Llm, 1e6);
        vm.prank(fresh);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
    }

    function test_spend_revertsAfterASaleUntilAccepted() public {
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER));
        _spend(PartitionId.Llm, 1e6);
        vm.prank(BUYER);
        vault.accept(address(0), address(0), true, 0);
        _spend(PartitionId.Llm, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
    }

    function test_spend_revertsWhenTheRegistryDoesNotAnswer() public {
        vm.mockCallRevert(suite.identity, abi.encodeWithSignature("ownerOf(uint256)", golem), "down");
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerUnknown.selector, golem));
        _spend(PartitionId.Llm, 1e6);
    }

    function test_spend_revertsInHibernationToTheSecond() public {
        _hibernate(1 hours);
        uint256 until = vault.hibernatedUntil();
        vm.warp(until - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.Hibernating.selector, until, until - 1));
        _spend(PartitionId.Llm, 1e6);
        vm.warp(until);
        _spend(PartitionId.Llm, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
    }

    function test_spend_revertsWhileDyingAndDead() public {
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _spend(PartitionId.Llm, 1e6);
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Alive));
        _spend(PartitionId.Llm, 1e6);
    }

    /* TODAY */

    function test_today_showsSpentCapAndLeft() public {
        (Ledger memory spent, Ledger memory cap, Ledger memory left) = vault.today();
        assertEq(spent.llm, 0);
        assertEq(cap.llm, LLM_DAY);
        assertEq(cap.gas, GAS_DAY);
        assertEq(cap.data, DATA_DAY);
        assertEq(left.llm, LLM_DAY);
        assertEq(cap.legacy, 0, "legacy has no day");
        _spend(PartitionId.Llm, 3e6);
        _spend(PartitionId.Gas, 1e6);
        _spend(PartitionId.Data, 2e6);
        (spent, cap, left) = vault.today();
        assertEq(spent.llm, 3e6);
        assertEq(spent.gas, 1e6);
        assertEq(spent.data, 2e6);
        assertEq(cap.llm, LLM_DAY);
        assertEq(left.gas, GAS_DAY - 1e6);
        assertEq(left.data, DATA_DAY - 2e6);

        vm.warp(_midnight());
        (spent, cap, left) = vault.today();
        assertEq(spent.llm, 0, "a new day before its first call");
        assertEq(cap.llm, 11.16e6);
        assertEq(left.llm, 11.16e6);
    }
}
