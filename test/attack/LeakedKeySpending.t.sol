// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {Phase} from "contracts/types/Life.sol";
import {Ledger, PartitionId, Policy, Split} from "contracts/types/Money.sol";

import {AttackTest} from "./AttackTest.sol";

/// @title A leaked key against the credits: caps, float, rebalancing, phases (V-006, V-009, V-017, V-031)
contract LeakedKeySpendingTest is AttackTest {
    address internal constant COLD = address(0xc01d);

    /// @dev Goal: two days' caps a second apart. Noticed at once, the owner loses what the figure says and no more.
    function test_leakedKey_drainsBothSidesOfMidnight() public {
        _giveBirth();
        _lastSecond();
        _arm();
        _drainToday();
        vm.warp(block.timestamp + 1);
        _drainToday();
        _assertLoss("day boundary", _loss(), stated.spending);
    }

    /// @dev Goal: more than a day's cap within one day, by waiting for the same second of the same day.
    function test_leakedKey_cannotDrainOneDayTwice() public {
        _giveBirth();
        _arm();
        (, Ledger memory cap,) = vault.today();
        _drainToday();
        _lastSecond();
        _drainToday();
        uint256 loss = _loss();
        assertEq(loss, uint256(cap.llm) + cap.gas + cap.data);
        _assertLoss("one day twice", loss, stated.spending);
    }

    /// @dev Goal: carry everything into the partition with the largest daily share before midnight (V-017).
    function test_leakedKey_rebalancesIntoTheLargestCap() public {
        _giveBirth();
        _arm();
        uint256 cooldown = vault.policy().rebalanceCooldown;
        uint256 midnight = block.timestamp / 1 days * 1 days + 1 days;
        for (bool llm = true; block.timestamp + cooldown < midnight; llm = !llm) {
            PartitionId donor = llm ? PartitionId.Llm : PartitionId.Data;
            uint256 half = (llm ? vault.credits().llm : vault.credits().data) / 2;
            if (half != 0) {
                vm.prank(KEY);
                vault.rebalance(donor, PartitionId.Gas, half);
            }
            vm.warp(block.timestamp + cooldown);
        }
        _lastSecond();
        _drainToday();
        vm.warp(block.timestamp + 1);
        _drainToday();
        _assertLoss("rebalance to concentrate caps", _loss(), stated.spending);
    }

    /// @dev Goal: use the floor of partitions that were empty when the figure was read. A policy whose floors weigh
    /// more than its shares makes it worth the while.
    function test_leakedKey_fillsEmptyPartitionsForTheirFloor() public {
        IBirth.Order memory order = _order();
        order.listings = _lists();
        order.policy = new Policy[](1);
        order.policy[0] = _policyOfFloors();
        _giveBirth(order);
        _emptyAllButGas();
        _arm();
        (,, Ledger memory left) = vault.today();
        assertEq(left.llm + left.data, 0);
        for (uint256 day; day < 2; ++day) {
            for (uint256 i; i < 3; i += 2) {
                vm.prank(KEY);
                vault.rebalance(PartitionId.Gas, PartitionId(i), 5e6);
                vm.warp(block.timestamp + 1 hours);
            }
            if (day == 0) {
                _drainToday();
                for (uint256 i; i < 3; i += 2) {
                    vm.prank(KEY);
                    vault.rebalance(PartitionId.Gas, PartitionId(i), 5e6);
                    vm.warp(block.timestamp + 1 hours);
                }
                _lastSecond();
                vm.warp(block.timestamp + 1);
            }
            _drainToday();
        }
        _assertLoss("floors of empty partitions", _loss(), stated.spending);
    }

    /// @dev Goal: drain the float by moving it on to a cold wallet and asking again.
    function test_leakedKey_drainsTheFloatAgainAndAgain() public {
        _giveBirth();
        _lastSecond();
        _arm();
        for (uint256 day; day < 2; ++day) {
            for (uint256 i; i < 3; ++i) {
                for (uint256 left = _leftToday(i); left != 0; left = _leftToday(i)) {
                    uint256 amount = left < 2e6 ? left : 2e6;
                    vm.startPrank(KEY);
                    vault.spend(PartitionId(i), KEY, amount);
                    usdc.transfer(COLD, amount);
                    vm.stopPrank();
                }
            }
            vm.warp(block.timestamp + 1);
        }
        // The float comes out of the same daily caps, so nothing is gained by it.
        _assertLoss("float draining", _loss(), stated.spending + stated.float);
    }

    /// @dev Goal: buy gas for himself with the whole gas partition, at a bent price too.
    function test_leakedKey_refuelsHimself() public {
        _giveBirth();
        _lastSecond();
        _arm();
        for (uint256 day; day < 2; ++day) {
            uint256 left = _leftToday(1);
            _bendSpot(69);
            vm.prank(KEY);
            vault.refuel(address(pool), left, 0, block.timestamp);
            _bendSpot(0);
            vm.warp(block.timestamp + 1);
        }
        _assertLoss("refuelling himself", _loss(), stated.spending);
    }

    /// @dev Goal: have a stranger's gift counted into tomorrow's caps before midnight.
    function test_leakedKey_syncsAGiftBeforeMidnight() public {
        _giveBirth();
        usdc.mint(address(vault), 500e6);
        _lastSecond();
        _arm();
        vault.sync();
        _drainToday();
        vm.warp(block.timestamp + 1);
        _drainToday();
        _assertLoss("sync before midnight", _loss(), stated.spending);
    }

    /// @dev Goal: turn credits into legacy and legacy into a death's expenses (V-009, T-003).
    function test_leakedKey_goesTerminalAndSpendsTheLegacy() public {
        _giveBirth();
        _arm();
        _beat(1, Phase.Terminal);
        vm.startPrank(KEY);
        vault.resplit(Split.Terminal);
        assertEq(vault.credits().legacy, 98e6);
        vault.dieEconomic();
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NoFloatInDying.selector));
        vault.spendDying(KEY, 1);
        vault.spendDying(PAYEE, 1e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.DeathBudgetExceeded.selector, 1e6 + 1, 1e6));
        vault.spendDying(PAYEE, 1);
        vm.stopPrank();
        uint256 loss = _loss();
        assertEq(loss, 1e6);
        _assertLoss("Terminal then legacy", loss, stated.dying);
    }

    /// @dev Goal: after the owner's kill, at least the legacy. The reserve alone pays then, within the death budget.
    function test_leakedKey_afterAKillGetsTheReserveAtMost() public {
        IBirth.Order memory order = _order();
        order.credits = 20e6;
        order.listings = _lists();
        _giveBirth(order);
        _arm();
        _beat(1, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        _kill();
        vm.startPrank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.DeathBudgetExceeded.selector, 0.4e6 + 1, 0.4e6));
        vault.spendDying(PAYEE, 0.4e6 + 1);
        vault.spendDying(PAYEE, 0.4e6);
        vm.stopPrank();
        _assertLoss("reserve after a kill", _loss(), stated.dying);
    }

    /// @dev Goal: lock the credits away in the reserve, out of spite. The owner's way out is the kill (V-007).
    function test_leakedKey_locksEverythingInTheReserve() public {
        _giveBirth();
        _arm();
        vm.startPrank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.ReserveBeyondDue.selector, 2e6 + 1, 2e6));
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.expectPartialRevert(IVaultDeath.NotStarved.selector);
        vault.dieEconomic();
        vault.dieSenescent("");
        vault.spendDying(PAYEE, 1e6);
        vm.stopPrank();
        _assertLoss("credits locked in the reserve", _loss(), stated.dying);
    }

    /// @dev Goal: pay somebody nobody listed, or the legacy of the living, or one unit of the reserve.
    function test_leakedKey_cannotPayAStrangerNorTheReserve() public {
        _giveBirth();
        _arm();
        vm.startPrank(KEY);
        vm.expectRevert();
        vault.spend(PartitionId.Llm, COLD, 1);
        vm.expectRevert();
        vault.spend(PartitionId.Legacy, PAYEE, 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.FloatCapExceeded.selector, 2e6 + 1, 2e6));
        vault.spend(PartitionId.Llm, KEY, 2e6 + 1);
        vm.stopPrank();
        assertEq(vault.books().reserve, 2e6);
        _assertLoss("strangers and the reserve", _loss(), 0);
    }

    /// @dev Goal: act in the block in which the owner rotates the key (L-002, V-034).
    function test_rotatedKey_isPowerlessInTheSameBlock() public {
        _giveBirth();
        _arm();
        vm.prank(OWNER);
        vault.rotateKey(makeAddr("NEW KEY"));
        vm.startPrank(KEY);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, makeAddr("NEW KEY")));
        vault.spend(PartitionId.Llm, PAYEE, 1);
        vm.expectRevert();
        lineage.beat(golem, 1, Phase.Stable, 1, 0, 0, "", 0);
        vm.expectRevert();
        vault.dieSenescent("");
        vm.expectRevert();
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.stopPrank();
        _assertLoss("rotated key", _loss(), 0);
    }

    /// @dev Shares of 5 % and a floor of 5 USDC: the floors decide.
    function _policyOfFloors() private pure returns (Policy memory policy) {
        policy = PolicyLib.template();
        policy.llmDayBps = 500;
        policy.gasDayBps = 500;
        policy.dataDayBps = 500;
        policy.dayFloor = 5e6;
        policy.rebalanceCooldown = 1 minutes;
    }

    /// @dev A day on which the key moved all but dust to gas and used up that day's gas; it ends before noon.
    function _emptyAllButGas() private {
        vm.warp(block.timestamp / 1 days * 1 days + 1 days + 1);
        for (uint256 i; i < 60; ++i) {
            PartitionId donor = i % 2 == 0 ? PartitionId.Llm : PartitionId.Data;
            uint256 half = (i % 2 == 0 ? vault.credits().llm : vault.credits().data) / 2;
            vm.warp(block.timestamp + 1 minutes);
            if (half == 0) continue;
            vm.prank(KEY);
            vault.rebalance(donor, PartitionId.Gas, half);
        }
        vm.warp(block.timestamp / 1 days * 1 days + 1 days + 1);
        _drainToday();
    }
}
