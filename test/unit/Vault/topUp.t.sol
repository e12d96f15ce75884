// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {Ledger, PartitionId, Split} from "contracts/types/Money.sol";

import {ContractWallet} from "test/mocks/Actors.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";
import {OddUsdc} from "test/mocks/OddUsdc.sol";
import {UnitTest} from "test/unit/UnitTest.sol";

/// @title topUp, topUpWithPermit, topUpWithAuthorisation, sync (V-003, V-005, V-010)
contract TopUpTest is UnitTest {
    function setUp() public override {
        super.setUp();
        usdc.mint(STRANGER, 1_000e6);
        vm.prank(STRANGER);
        usdc.approve(address(vault), type(uint256).max);
    }

    function _assertCredits(uint256 llm, uint256 gas, uint256 data, uint256 legacy) private view {
        Ledger memory credits = vault.credits();
        assertEq(credits.llm, llm, "llm");
        assertEq(credits.gas, gas, "gas");
        assertEq(credits.data, data, "data");
        assertEq(credits.legacy, legacy, "legacy");
        _assertConserved(vault);
    }

    /* APPROVE AND CALL */

    function test_topUp_byAnyoneFollowsTheBirthSplit() public {
        vm.expectEmit(address(vault));
        emit IVaultMoney.ToppedUp(STRANGER, 10e6, Split.Birth);
        vm.prank(STRANGER);
        vault.topUp(10e6);
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
        assertEq(vault.books().reserve, 2e6, "a top-up leaves the reserve");
        assertEq(vault.unallocated(), 0);
    }

    /// @dev V-004: what the shares leave over goes to llm; nothing is lost.
    function test_topUp_givesDustToLlm() public {
        vm.prank(STRANGER);
        vault.topUp(1_000_003);
        _assertCredits(58.8e6 + 600_003, 24.5e6 + 250_000, 14.7e6 + 150_000, 0);
    }

    function test_topUp_followsTheDecliningSplit() public {
        _beat(1, Phase.Declining);
        vm.prank(KEY);
        vault.resplit(Split.Declining);
        vm.expectEmit(address(vault));
        emit IVaultMoney.ToppedUp(STRANGER, 100e6, Split.Declining);
        vm.prank(STRANGER);
        vault.topUp(100e6);
        _assertCredits(29.4e6 + 30e6, 14.7e6 + 15e6, 4.9e6 + 5e6, 49e6 + 50e6);
    }

    function test_topUp_followsTheTerminalSplit() public {
        _beat(1, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        vm.prank(STRANGER);
        vault.topUp(100e6);
        _assertCredits(0, 0, 0, 198e6);
    }

    function test_topUp_acceptsExactlyOneUsdc() public {
        vm.prank(STRANGER);
        vault.topUp(1e6);
        assertEq(vault.accounted(), 1_101e6);
    }

    function test_topUp_revertsOneUnitBelowOneUsdc() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 999_999, 1e6));
        vm.prank(STRANGER);
        vault.topUp(999_999);
    }

    function test_topUp_revertsWhileDyingAndDead() public {
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(STRANGER);
        vault.topUp(10e6);
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Alive));
        vm.prank(STRANGER);
        vault.topUp(10e6);
    }

    function test_topUp_revertsWithoutAllowance() public {
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(PAYEE);
        vault.topUp(1e6);
        assertEq(vault.accounted(), 1_100e6, "nothing is credited");
    }

    function test_topUp_revertsWhileUsdcIsPaused() public {
        usdc.setPaused(true);
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(STRANGER);
        vault.topUp(1e6);
    }

    function test_topUp_passesAfterASaleAndInSleep() public {
        _hibernate(1 days);
        _sell();
        vm.prank(STRANGER);
        vault.topUp(1e6);
        assertEq(vault.accounted(), 1_101e6);
    }

    function test_topUp_revertsAboveWhatAPartitionCanHold() public {
        uint256 amount = uint256(type(uint64).max) * 2;
        vm.expectRevert(abi.encodeWithSignature("Overflow()"));
        vm.prank(STRANGER);
        vault.topUp(amount);
    }

    /* PERMIT */

    function _permit(uint256 amount, uint256 deadline) private view returns (bytes memory) {
        return _sign(OWNER_SK, usdc.permitDigest(OWNER, address(vault), amount, deadline));
    }

    function test_topUpWithPermit_usesThePermit() public {
        bytes memory signature = _permit(10e6, block.timestamp);
        vm.expectEmit(address(vault));
        emit IVaultMoney.ToppedUp(OWNER, 10e6, Split.Birth);
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, block.timestamp, signature);
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
        assertEq(usdc.allowance(OWNER, address(vault)), 0);
    }

    function test_topUpWithPermit_survivesSomebodyBringingThePermitFirst() public {
        bytes memory signature = _permit(10e6, block.timestamp);
        vm.prank(STRANGER);
        usdc.permit(OWNER, address(vault), 10e6, block.timestamp, signature);
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, block.timestamp, signature);
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
    }

    function test_topUpWithPermit_expiredPermitLeavesItToTheAllowance() public {
        uint256 deadline = block.timestamp - 1;
        bytes memory signature = _permit(10e6, deadline);
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, deadline, signature);

        vm.prank(OWNER);
        usdc.approve(address(vault), 10e6);
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, deadline, signature);
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
    }

    function test_topUpWithPermit_revertsForAPermitOfAnotherChain() public {
        uint256 here = block.chainid;
        vm.chainId(here + 1);
        bytes memory signature = _permit(10e6, block.timestamp);
        vm.chainId(here);
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, block.timestamp, signature);
    }

    function test_topUpWithPermit_takesAContractWalletsSignature() public {
        ContractWallet wallet = new ContractWallet(true, true);
        usdc.mint(address(wallet), 10e6);
        wallet.sign(usdc.permitDigest(address(wallet), address(vault), 10e6, block.timestamp));
        wallet.act(
            address(vault), abi.encodeCall(IVaultMoney.topUpWithPermit, (10e6, block.timestamp, wallet.SIGNATURE()))
        );
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
    }

    function test_topUpWithPermit_badContractSignatureLeavesItToTheAllowance() public {
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, block.timestamp, "short");
    }

    /* EIP-3009 */

    function test_topUpWithAuthorisation_broughtByAnyone() public {
        IVaultRules.Authorisation memory a = _authorisation(10e6, "one");
        vm.expectEmit(address(vault));
        emit IVaultMoney.ToppedUp(OWNER, 10e6, Split.Birth);
        vm.prank(STRANGER);
        vault.topUpWithAuthorisation(a);
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
    }

    function test_topUpWithAuthorisation_revertsWhenReused() public {
        IVaultRules.Authorisation memory a = _authorisation(10e6, "one");
        vault.topUpWithAuthorisation(a);
        vm.expectRevert(abi.encodeWithSelector(MockUsdc.AuthorizationUsed.selector, OWNER, bytes32("one")));
        vault.topUpWithAuthorisation(a);
        assertEq(vault.accounted(), 1_110e6, "credited once");
    }

    function test_topUpWithAuthorisation_revertsAtItsEnd() public {
        IVaultRules.Authorisation memory a = _authorisation(10e6, "one");
        vm.warp(a.validBefore);
        vm.expectRevert(MockUsdc.AuthorizationExpired.selector);
        vault.topUpWithAuthorisation(a);
        vm.warp(a.validBefore - 1);
        vault.topUpWithAuthorisation(a);
        assertEq(vault.accounted(), 1_110e6);
    }

    function test_topUpWithAuthorisation_revertsBeforeItsBeginning() public {
        IVaultRules.Authorisation memory a = _authorisation(10e6, "one");
        a.validAfter = block.timestamp;
        vm.expectRevert(MockUsdc.AuthorizationNotYetValid.selector);
        vault.topUpWithAuthorisation(a);
    }

    function test_topUpWithAuthorisation_revertsWhenMadeOutToAnotherVault() public {
        IVaultRules.Authorisation memory a = _authorisation(10e6, "one");
        a.signature = _sign(OWNER_SK, usdc.receiveDigest(OWNER, STRANGER, 10e6, 0, a.validBefore, "one"));
        vm.expectRevert(MockUsdc.BadSignature.selector);
        vault.topUpWithAuthorisation(a);
    }

    function test_topUpWithAuthorisation_revertsForAnotherChain() public {
        uint256 here = block.chainid;
        vm.chainId(here + 1);
        IVaultRules.Authorisation memory a = _authorisation(10e6, "one");
        vm.chainId(here);
        vm.expectRevert(MockUsdc.BadSignature.selector);
        vault.topUpWithAuthorisation(a);
    }

    function test_topUpWithAuthorisation_revertsBelowTheMinimumAndAfterDeath() public {
        IVaultRules.Authorisation memory a = _authorisation(999_999, "one");
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 999_999, 1e6));
        vault.topUpWithAuthorisation(a);
        a = _authorisation(1e6, "one");
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vault.topUpWithAuthorisation(a);
    }

    function test_topUpWithAuthorisation_takesAContractWalletsSignature() public {
        ContractWallet wallet = new ContractWallet(true, true);
        usdc.mint(address(wallet), 10e6);
        IVaultRules.Authorisation memory a =
            IVaultRules.Authorisation(address(wallet), 10e6, 0, block.timestamp + 1, "one", wallet.SIGNATURE());
        wallet.sign(usdc.receiveDigest(address(wallet), address(vault), 10e6, 0, block.timestamp + 1, "one"));
        vault.topUpWithAuthorisation(a);
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
    }

    /* TRANSFER AND SYNC */

    function test_sync_allocatesADirectTransfer() public {
        vm.prank(STRANGER);
        usdc.transfer(address(vault), 10e6);
        assertEq(vault.unallocated(), 10e6, "V-003: unallocated until sync");
        _assertCredits(58.8e6, 24.5e6, 14.7e6, 0);

        vm.expectEmit(address(vault));
        emit IVaultMoney.ToppedUp(address(0), 10e6, Split.Birth);
        vm.prank(PAYEE);
        assertEq(vault.sync(), 10e6);
        _assertCredits(64.8e6, 27e6, 16.2e6, 0);
        assertEq(vault.unallocated(), 0);
    }

    function test_sync_acceptsExactlyOneUsdcAndRefusesOneUnitLess() public {
        usdc.mint(address(vault), 999_999);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 999_999, 1e6));
        vault.sync();
        usdc.mint(address(vault), 1);
        assertEq(vault.sync(), 1e6);
    }

    function test_sync_revertsWithNothingToAllocate() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 0, 1e6));
        vault.sync();
    }

    function test_sync_revertsWhileDying() public {
        usdc.mint(address(vault), 5e6);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vault.sync();
    }

    /* NATIVE COIN */

    function test_receive_refusesNativeCoinFromAnyoneButWeth() public {
        vm.deal(STRANGER, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.NativeRefused.selector, STRANGER));
        vm.prank(STRANGER);
        (bool ok,) = address(vault).call{value: 1 ether}("");
        ok;
        assertEq(address(vault).balance, 0);
    }
}

/// @title Funding with a USDC that misbehaves (V-010)
contract TopUpOddUsdcTest is UnitTest {
    function _deployUsdc() internal override returns (MockUsdc) {
        return new OddUsdc();
    }

    function setUp() public override {
        super.setUp();
        vm.prank(OWNER);
        usdc.approve(address(vault), type(uint256).max);
    }

    function test_topUp_revertsWhenUsdcTakesAFee() public {
        OddUsdc(address(usdc)).setFee(1);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.Unbacked.selector, 1_110e6 - 1, 1_110e6));
        vm.prank(OWNER);
        vault.topUp(10e6);
        _assertConserved(vault);
    }

    function test_fundCapital_revertsWhenUsdcTakesAFee() public {
        OddUsdc(address(usdc)).setFee(1);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.Unbacked.selector, 1_110e6 - 1, 1_110e6));
        vm.prank(OWNER);
        vault.fundCapital(10e6);
    }

    function test_topUp_revertsWhenUsdcAnswersFalse() public {
        OddUsdc(address(usdc)).setAnswersFalse(true);
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        vault.topUp(10e6);
        assertEq(vault.accounted(), 1_100e6);
    }

    function test_spend_revertsWhenUsdcAnswersFalse() public {
        OddUsdc(address(usdc)).setAnswersFalse(true);
        vm.expectRevert(SafeTransferLib.TransferFailed.selector);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(vault.accounted(), 1_100e6);
    }

    /// @dev A transfer that calls back finds every door of the vault closed.
    function test_topUp_cannotBeReentered() public {
        usdc.mint(address(vault), 5e6);
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(IVaultMoney.sync, ());
        calls[1] = abi.encodeCall(IVaultMoney.topUp, (1e6));
        calls[2] = abi.encodeCall(IVaultMoney.harvest, ());
        for (uint256 i; i < calls.length; ++i) {
            OddUsdc(address(usdc)).setCallback(address(vault), calls[i]);
            // The transfer's own refusal hides the guard's; without the guard `sync` would pass.
            vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
            vm.prank(OWNER);
            vault.topUp(10e6);
        }
        assertEq(vault.unallocated(), 5e6);
    }
}
