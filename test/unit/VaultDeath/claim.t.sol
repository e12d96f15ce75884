// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Life} from "contracts/types/Life.sol";
import {USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {MockToken} from "test/mocks/MockToken.sol";
import {UnitTest} from "test/unit/UnitTest.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @title claim, claimNft and the sweep of hostile tokens (T-005, T-006, T-031, V-010, V-033)
contract ClaimTest is UnitTest {
    MockToken internal token;

    function setUp() public override {
        super.setUp();
        token = new MockToken();
    }

    function _die() private {
        _kill();
        _settle();
    }

    function test_claim_lateAndUnlistedTokensForEver() public {
        _die();
        token.mint(address(vault), 5e18);
        vm.warp(block.timestamp + 3650 days);
        vm.expectEmit(address(vault));
        emit IVaultDeath.Claimed(address(token), OWNER, 0, 5e18);
        vm.prank(OWNER);
        assertEq(vault.claim(address(token)), 5e18);
        assertEq(token.balanceOf(OWNER), 5e18);
    }

    function test_claim_nativeCoin() public {
        _die();
        vm.deal(address(vault), 1 ether);
        uint256 before = OWNER.balance;
        vm.expectEmit(address(vault));
        emit IVaultDeath.Claimed(address(0), OWNER, 0, 1 ether);
        vm.prank(OWNER);
        assertEq(vault.claim(address(0)), 1 ether);
        assertEq(OWNER.balance, before + 1 ether);
    }

    function test_claim_revertsOnNothing() public {
        _die();
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vm.prank(OWNER);
        vault.claim(address(token));
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vm.prank(OWNER);
        vault.claim(address(0));
    }

    /// @dev V-033: after Dead the vault pays nobody but the owner of that moment.
    function test_claim_onlyByTheOwnerAndOnlyDead() public {
        token.mint(address(vault), 1e18);
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dead));
        vm.prank(OWNER);
        vault.claim(address(token));
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dead));
        vm.prank(OWNER);
        vault.claimNft(address(manager), 1);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Dead));
        vm.prank(OWNER);
        vault.claim(address(token));
        _settle();
        address[4] memory callers = [KEY, GUARDIAN, PAYEE, STRANGER];
        for (uint256 i; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, callers[i], OWNER));
            vm.prank(callers[i]);
            vault.claim(address(token));
        }
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, OWNER, BUYER));
        vm.prank(OWNER);
        vault.claim(address(token));
        vm.prank(BUYER);
        vault.claim(address(token));
        assertEq(token.balanceOf(BUYER), 1e18);
    }

    function test_claim_revertsWhenTheTokenRefusesAndMayBeTriedAgain() public {
        _die();
        token.mint(address(vault), 1e18);
        token.setMood(MockToken.Mood.Reverts);
        vm.expectRevert(SafeTransferLib.TransferFailed.selector);
        vm.prank(OWNER);
        vault.claim(address(token));
        token.setMood(MockToken.Mood.Good);
        vm.prank(OWNER);
        assertEq(vault.claim(address(token)), 1e18);
    }

    function test_claimNft_ofAnyCollection() public {
        _die();
        vm.prank(STRANGER);
        uint256 other = identity.register();
        vm.prank(STRANGER);
        identity.transferFrom(STRANGER, address(vault), other);
        vm.expectEmit(address(vault));
        emit IVaultDeath.Claimed(address(identity), OWNER, other, 1);
        vm.prank(OWNER);
        vault.claimNft(address(identity), other);
        assertEq(identity.ownerOf(other), OWNER);
    }

    function test_claimNft_onlyByTheOwner() public {
        _die();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, KEY, OWNER));
        vm.prank(KEY);
        vault.claimNft(address(identity), 0);
    }

    /* HOSTILE TOKENS AMONG THE HOLDINGS */

    /// @dev The Golem holds the token beside WETH; then the token turns.
    function _hold(MockToken.Mood mood) private {
        IVenuePool made = _createPool(address(token), 1e18, 100e6);
        token.mint(address(this), 10_000e18);
        usdc.mint(address(this), 1_000_000e6);
        _addLiquidity(address(token), 10_000e18, 1_000_000e6);
        _pass(1 hours);
        _list(address(token), USE_TOKEN, address(made));
        _list(address(made), USE_POOL, address(0));
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(made), address(usdc), address(token), 50e6, 0, block.timestamp));
        _buy(50e6);
        token.setMood(mood);
        _kill();
    }

    function _strands(MockToken.Mood mood) private {
        _hold(mood);
        uint256 held = token.balanceOf(address(vault));
        vm.expectEmit(address(vault));
        emit IVaultDeath.Stranded(address(token), OWNER, 0, held);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        assertEq(usdc.balanceOf(address(vault)), 0, "the others are pushed all the same");
        assertEq(weth.balanceOf(address(vault)), 0);
        token.setMood(MockToken.Mood.Good);
        vm.prank(OWNER);
        assertEq(vault.claim(address(token)), held);
    }

    function test_settle_tokenThatReverts() public {
        _strands(MockToken.Mood.Reverts);
    }

    function test_settle_tokenThatAnswersFalse() public {
        _strands(MockToken.Mood.AnswersFalse);
    }

    function test_settle_tokenThatLies() public {
        _strands(MockToken.Mood.LiesTrue);
    }

    function test_settle_tokenThatBurnsAllGas() public {
        _strands(MockToken.Mood.BurnsGas);
    }

    function test_settle_tokenThatReturnsABomb() public {
        _strands(MockToken.Mood.ReturnsBomb);
    }

    function test_settle_tokenThatTakesAFeeIsSwept() public {
        _hold(MockToken.Mood.TakesFee);
        uint256 held = token.balanceOf(address(vault));
        _settle();
        assertEq(token.balanceOf(OWNER), held - held / 100);
        assertEq(token.balanceOf(address(vault)), 0);
    }

    /// @dev A balance that cannot be read is nothing to push; it is named (T-005) and waits for the token's better days.
    function test_settle_tokenThatHidesItsBalance() public {
        _hold(MockToken.Mood.HidesBalance);
        vm.expectEmit(address(vault));
        emit IVaultDeath.Stranded(address(token), OWNER, 0, 0);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        token.setMood(MockToken.Mood.Good);
        uint256 held = token.balanceOf(address(vault));
        assertGt(held, 0);
        vm.prank(OWNER);
        assertEq(vault.claim(address(token)), held);
    }

    function test_settle_tokenThatSelfDestructed() public {
        _hold(MockToken.Mood.Good);
        vm.etch(address(token), "");
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        assertEq(weth.balanceOf(address(vault)), 0);
    }
}
