// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Life} from "contracts/types/Life.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title fundCapital, withdrawCapital (V-002, V-016)
contract OwnerCapitalTest is UnitTest {
    function setUp() public override {
        super.setUp();
        vm.prank(OWNER);
        usdc.approve(address(vault), type(uint256).max);
    }

    function test_fundCapital_raisesCapitalAndHighWaterAlike() public {
        vm.expectEmit(address(vault));
        emit IVaultOwner.CapitalFunded(OWNER, 50e6, 1_050e6);
        vm.prank(OWNER);
        vault.fundCapital(50e6);
        assertEq(vault.books().capital, 1_050e6);
        assertEq(vault.books().highWater, 1_050e6);
        assertEq(vault.credits().llm, 58.8e6, "V-002: credits are untouched");
        _assertConserved(vault);
    }

    function test_fundCapital_acceptsAsLittleAsOneUnit() public {
        vm.prank(OWNER);
        vault.fundCapital(1);
        assertEq(vault.books().capital, 1_000e6 + 1);
    }

    function test_fundCapital_refusals() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vm.prank(OWNER);
        vault.fundCapital(0);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, KEY, OWNER));
        vm.prank(KEY);
        vault.fundCapital(1e6);
        usdc.setBlocked(OWNER, true);
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        vault.fundCapital(1e6);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.fundCapital(1e6);
    }

    /// @dev M-287: of the living too.
    function test_withdrawCapital_paysTheOwnerAndLowersTheMark() public {
        uint256 before = usdc.balanceOf(OWNER);
        vm.expectEmit(address(vault));
        emit IVaultOwner.CapitalWithdrawn(OWNER, 400e6, 600e6);
        vm.prank(OWNER);
        vault.withdrawCapital(400e6);
        assertEq(usdc.balanceOf(OWNER), before + 400e6);
        assertEq(vault.books().capital, 600e6);
        assertEq(vault.books().highWater, 600e6);
        _assertConserved(vault);
    }

    function test_withdrawCapital_revertsAboveTheCapitalByOneUnit() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.CapitalExceeded.selector, 1_000e6 + 1, 1_000e6));
        vm.prank(OWNER);
        vault.withdrawCapital(1_000e6 + 1);
        vm.prank(OWNER);
        vault.withdrawCapital(1_000e6);
        assertEq(vault.books().capital, 0);
        assertEq(vault.accounted(), 100e6, "credits and reserve stay");
    }

    /// @dev The day is measured by what is left, so that taking capital out tightens the day's bounds at once.
    function test_withdrawCapital_lowersTheMeasureOfTheDay() public {
        _buy(100e6);
        assertEq(vault.tradedToday().basis, 1_000e6);
        vm.prank(OWNER);
        vault.withdrawCapital(900e6);
        assertEq(vault.tradedToday().basis, 100e6);
        assertEq(vault.books().highWater, 100e6);
    }

    function test_withdrawCapital_refusals() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vm.prank(OWNER);
        vault.withdrawCapital(0);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, KEY, OWNER));
        vm.prank(KEY);
        vault.withdrawCapital(1e6);
        usdc.setBlocked(OWNER, true);
        vm.expectRevert(SafeTransferLib.TransferFailed.selector);
        vm.prank(OWNER);
        vault.withdrawCapital(1e6);
        assertEq(vault.books().capital, 1_000e6, "V-010");
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.withdrawCapital(1e6);
    }

    /// @dev L-001: whoever has the token now, and nobody by ERC-721's other rights.
    function test_withdrawCapital_byTheBuyerAtOnceAndNeverByOperators() public {
        vm.startPrank(OWNER);
        identity.approve(STRANGER, golem);
        identity.setApprovalForAll(PAYEE, true);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, STRANGER, OWNER));
        vm.prank(STRANGER);
        vault.withdrawCapital(1e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, PAYEE, OWNER));
        vm.prank(PAYEE);
        vault.withdrawCapital(1e6);

        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, OWNER, BUYER));
        vm.prank(OWNER);
        vault.withdrawCapital(1e6);
        vm.prank(BUYER);
        vault.withdrawCapital(1e6);
        assertEq(usdc.balanceOf(BUYER), 1e6);
    }
}
