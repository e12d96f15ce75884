// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Listing, USE_PAYEE_LLM} from "contracts/types/Money.sol";

import {AttackTest} from "./AttackTest.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";

/// @title Births and signatures in the open: copied orders, taken addresses, replays (L-004, L-005, V-005)
contract FrontRunBirthTest is AttackTest {
    uint256 internal before;

    function setUp() public override {
        super.setUp();
        before = usdc.balanceOf(OWNER);
    }

    /// @dev Goal: the victim's USDC for an order of his own making, by naming the victim as the funder.
    function test_frontRunner_cannotNameTheVictimAsFunder() public {
        IBirth.Order memory order = _order();
        order.owner = STRANGER;
        order.key = STRANGER;
        IBirth.Funding memory funding;
        vm.startPrank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotFunder.selector, STRANGER, OWNER));
        births.birth(order, funding);
        // A permit seen in the open is used up, and gives the stranger nothing.
        funding.kind = IBirth.FundingKind.Permit;
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotFunder.selector, STRANGER, OWNER));
        births.birth(order, funding);
        vm.stopPrank();
        _assertLoss("victim named as funder", before - usdc.balanceOf(OWNER), 0);
    }

    /// @dev Goal: land a vault of his own on the address that the victim already sent USDC to.
    function test_frontRunner_cannotTakeTheAddress() public {
        IBirth.Order memory order = _order();
        address promised = births.vaultAddress(order);
        vm.prank(OWNER);
        usdc.transfer(promised, 50e6);
        // Whatever decides who rules the vault moves it to another address.
        IBirth.Order memory copy = _order();
        copy.funder = STRANGER;
        assertNotEq(births.vaultAddress(copy), promised);
        copy = _order();
        copy.owner = STRANGER;
        assertNotEq(births.vaultAddress(copy), promised);
        copy = _order();
        copy.key = STRANGER;
        assertNotEq(births.vaultAddress(copy), promised);
        copy = _order();
        copy.guardian = STRANGER;
        assertNotEq(births.vaultAddress(copy), promised);
        copy = _order();
        copy.listings = new Listing[](1);
        copy.listings[0] = Listing(STRANGER, USE_PAYEE_LLM, address(0));
        assertNotEq(births.vaultAddress(copy), promised);
        _giveBirth(order);
        assertEq(address(vault), promised);
        assertEq(vault.unallocated(), 50e6);
        _assertLoss("taken address", before - usdc.balanceOf(OWNER) - usdc.balanceOf(promised), 0);
    }

    /// @dev Goal: the victim's next token. Ids move on, and the birth takes the id that is there.
    function test_frontRunner_cannotTakeTheToken() public {
        vm.prank(STRANGER);
        uint256 taken = identity.register("ipfs://mine");
        _giveBirth(_order());
        assertEq(golem, taken + 1);
        assertEq(identity.ownerOf(golem), OWNER);
        assertEq(lineage.lifeOf(taken), "unborn");
    }

    /// @dev Goal: bend an order that travels with an EIP-3009 authorisation. Any change is another birth hash.
    function test_frontRunner_cannotBendASignedOrder() public {
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding = _authorise(order);
        for (uint256 i; i < 7; ++i) {
            IBirth.Order memory bent = _order();
            if (i == 0) bent.owner = STRANGER;
            if (i == 1) bent.key = STRANGER;
            if (i == 2) bent.guardian = STRANGER;
            if (i == 3) (bent.credits, bent.capital) = (1_000e6, 100e6);
            if (i == 4) bent.name = "Eve";
            if (i == 5) bent.agentURI = "ipfs://mine";
            if (i == 6) bent.playbookDigest = "mine";
            vm.prank(STRANGER);
            vm.expectRevert(MockUsdc.BadSignature.selector);
            births.birth(bent, funding);
        }
        // Sent as it is, it is the victim's own birth, at the stranger's expense.
        vm.prank(STRANGER);
        (uint256 id, address at) = births.birth(order, funding);
        assertEq(identity.ownerOf(id), OWNER);
        assertEq(usdc.balanceOf(at), 1_100e6);
        vm.prank(STRANGER);
        vm.expectRevert();
        births.birth(order, funding);
        _assertLoss("bent order", before - usdc.balanceOf(OWNER) - usdc.balanceOf(at), 0);
    }

    /// @dev Goal: the same birth again on another chain, where the suite has the same addresses.
    function test_replay_onAnotherChainIsRefused() public {
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding = _authorise(order);
        bytes32 here = births.birthHash(order);
        vm.chainId(8453);
        assertNotEq(births.birthHash(order), here);
        vm.prank(STRANGER);
        vm.expectRevert(MockUsdc.BadSignature.selector);
        births.birth(order, funding);
        _assertLoss("birth replayed on another chain", before - usdc.balanceOf(OWNER), 0);
    }

    /// @dev Goal: a top-up's authorisation twice, at another vault, or on another chain.
    function test_replay_ofATopUpIsRefused() public {
        _giveBirth();
        IVaultRules.Authorisation memory a;
        a.from = OWNER;
        a.value = 10e6;
        a.validBefore = block.timestamp + 1 hours;
        a.nonce = keccak256("top-up");
        a.signature = _sign(usdc.receiveDigest(OWNER, address(vault), a.value, 0, a.validBefore, a.nonce));
        IVault first = vault;
        IBirth.Order memory order = _order();
        order.nonce = 1;
        (, IVault second) = _giveBirth(order);
        uint256 held = usdc.balanceOf(OWNER);
        vm.startPrank(STRANGER);
        vm.expectRevert(MockUsdc.BadSignature.selector);
        second.topUpWithAuthorisation(a);
        vm.chainId(8453);
        vm.expectRevert(MockUsdc.BadSignature.selector);
        first.topUpWithAuthorisation(a);
        vm.chainId(31_337);
        // The token's plain form cannot be used by anybody but the payee.
        vm.expectRevert(MockUsdc.CallerNotPayee.selector);
        usdc.receiveWithAuthorization(OWNER, address(first), a.value, 0, a.validBefore, a.nonce, a.signature);
        first.topUpWithAuthorisation(a);
        vm.expectRevert(abi.encodeWithSelector(MockUsdc.AuthorizationUsed.selector, OWNER, a.nonce));
        first.topUpWithAuthorisation(a);
        vm.stopPrank();
        _assertLoss("replayed top-up", held - usdc.balanceOf(OWNER) - 10e6, 0);
        _assertConserved(first);
    }

    /// @dev Goal: make a permit birth or top-up fail by using the permit first. The allowance it made decides.
    function test_frontRunner_usesUpThePermitInVain() public {
        _giveBirth();
        uint256 deadline = block.timestamp + 1 hours;
        bytes memory signature = _sign(usdc.permitDigest(OWNER, address(vault), 10e6, deadline));
        vm.prank(STRANGER);
        usdc.permit(OWNER, address(vault), 10e6, deadline, signature);
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, deadline, signature);
        assertEq(usdc.allowance(OWNER, address(vault)), 0);
        // And an allowance to a vault is nobody's but the one who gave it.
        vm.prank(OWNER);
        usdc.approve(address(vault), 1_000e6);
        uint256 held = usdc.balanceOf(OWNER);
        vm.prank(STRANGER);
        vm.expectRevert();
        vault.topUp(10e6);
        vm.prank(STRANGER);
        vm.expectRevert();
        vault.fundCapital(10e6);
        _assertLoss("permit used first", held - usdc.balanceOf(OWNER), 0);
    }

    /// @dev Goal: initialise a vault, or the implementation, over its maker's head.
    function test_frontRunner_cannotInitialise() public {
        _giveBirth();
        IBirth.Order memory order = _order();
        order.owner = STRANGER;
        IVaultRules.Authorisation memory none;
        vm.startPrank(STRANGER);
        vm.expectRevert();
        vault.initialise(golem, order, none, true);
        vm.expectRevert();
        IVault(suite.vault).initialise(golem, order, none, true);
        vm.expectRevert();
        IVault(suite.owning).initialise(golem, order, none, true);
        vm.expectRevert(IVaultRules.NotDelegated.selector);
        IVault(suite.death).kill("module");
        vm.expectRevert(IVaultRules.NotDelegated.selector);
        IVault(suite.trading).prune(address(weth));
        vm.stopPrank();
        assertEq(vault.owner(), OWNER);
    }

    function _authorise(IBirth.Order memory order) private view returns (IBirth.Funding memory funding) {
        funding.kind = IBirth.FundingKind.Authorisation;
        funding.validBefore = block.timestamp + 1 hours;
        funding.signature = _sign(
            usdc.receiveDigest(
                OWNER, births.vaultAddress(order), 1_100e6, 0, funding.validBefore, births.birthHash(order)
            )
        );
    }

    function _sign(bytes32 digest) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_SK, digest);
        return abi.encodePacked(r, s, v);
    }
}
