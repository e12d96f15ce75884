// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Phase} from "contracts/types/Life.sol";
import {Listing, PartitionId, Policy, Split, USE_PAYEE_LLM} from "contracts/types/Money.sol";

import {AttackTest} from "./AttackTest.sol";

/// @title After a sale: the seller's key, the seller's guardian, and the buyer himself (L-001, L-006, V-034)
contract SaleTest is AttackTest {
    function setUp() public override {
        super.setUp();
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        wealthBefore = _wealthOf(address(vault)) + _wealthOf(BUYER);
    }

    /// @dev Goal of the seller: take what the key could take yesterday. It can beat, and settle what the buyer ends.
    function test_seller_keyIsPowerlessUntilAccept() public {
        bytes memory refusal = abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER);
        vm.startPrank(KEY);
        vm.expectRevert(refusal);
        vault.spend(PartitionId.Llm, PAYEE, 1);
        vm.expectRevert(refusal);
        vault.spend(PartitionId.Llm, KEY, 1);
        vm.expectRevert(refusal);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), 1e15, 0, block.timestamp));
        vm.expectRevert(refusal);
        vault.refuel(address(pool), 1e6, 0, block.timestamp);
        vm.expectRevert(refusal);
        vault.rebalance(PartitionId.Llm, PartitionId.Gas, 1e6);
        vm.expectRevert(refusal);
        vault.resplit(Split.Declining);
        vm.expectRevert(refusal);
        vault.raiseReserve(PartitionId.Llm, 1e6);
        vm.expectRevert(refusal);
        vault.harvest();
        vm.expectRevert(refusal);
        vault.prune(address(weth));
        vm.expectRevert(refusal);
        vault.dieSenescent("spite");
        vm.stopPrank();
        vm.prank(GUARDIAN);
        vm.expectRevert(refusal);
        vault.trip("spite");
        _beat(1, Phase.Terminal);
        _assertLoss("seller's key after a sale", _loss(), 0);
    }

    /// @dev Goal of the seller: spend or sell in the death that the buyer begins. All he can do is end it, to the buyer.
    function test_seller_keyCanOnlySettleTheBuyersKill() public {
        vm.prank(BUYER);
        vault.kill("mine now");
        bytes memory refusal = abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER);
        vm.startPrank(KEY);
        vm.expectRevert(refusal);
        vault.spendDying(PAYEE, 1);
        vm.expectRevert(refusal);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), 1e15, 0, block.timestamp));
        vault.settle(_testament(), _stain());
        vm.stopPrank();
        assertEq(lineage.lifeOf(golem), "dead");
        // The buyer has not spoken to the vault: nothing is pushed, and all of it waits for him.
        assertEq(usdc.balanceOf(address(vault)), 1_010e6);
        vm.prank(BUYER);
        vault.finalise();
        assertEq(usdc.balanceOf(address(vault)), 0);
        _assertLoss("seller's key settles", _loss(), 0);
    }

    /// @dev Goal of the seller: act as the owner he was.
    function test_seller_isNoOwnerAnyMore() public {
        Listing[] memory lists = new Listing[](1);
        lists[0] = Listing(OWNER, USE_PAYEE_LLM, address(0));
        Policy memory policy = vault.policy();
        bytes memory refusal = abi.encodeWithSelector(IVaultRules.NotOwner.selector, OWNER, BUYER);
        vm.startPrank(OWNER);
        vm.expectRevert(refusal);
        vault.withdrawCapital(1e6);
        vm.expectRevert(refusal);
        vault.setListings(lists);
        vm.expectRevert(refusal);
        vault.setPolicy(policy);
        vm.expectRevert(refusal);
        vault.rotateKey(OWNER);
        vm.expectRevert(refusal);
        vault.accept(OWNER, OWNER, true, 0);
        vm.expectRevert(refusal);
        vault.hibernate(block.timestamp + 1 days);
        vm.expectRevert(refusal);
        vault.kill("spite");
        vm.stopPrank();
        _assertLoss("seller as owner", _loss(), 0);
    }

    /// @dev Goal of the seller: leave his lists behind. A buyer who does not keep them meets none of them.
    function test_seller_listsFallWithTheSale() public {
        vm.prank(BUYER);
        vault.accept(KEY, address(0), false, 0);
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, PAYEE, USE_PAYEE_LLM));
        vault.spend(PartitionId.Llm, PAYEE, 1);
        vm.prank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotGuardian.selector, GUARDIAN, address(0)));
        vault.trip("spite");
        _assertLoss("seller's lists", _loss(), 0);
    }

    /// @dev Goal of an operator or an approved address: the vault. The token's helpers have no role here (L-001).
    function test_operator_hasNoRole() public {
        vm.startPrank(BUYER);
        identity.setApprovalForAll(STRANGER, true);
        identity.approve(EXECUTOR, golem);
        vm.stopPrank();
        address[2] memory helpers = [STRANGER, EXECUTOR];
        for (uint256 i; i < 2; ++i) {
            vm.startPrank(helpers[i]);
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, helpers[i], BUYER));
            vault.kill("not mine");
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, helpers[i], BUYER));
            vault.withdrawCapital(1);
            vm.stopPrank();
        }
        _assertLoss("operators", _loss(), 0);
    }

    /// @dev Goal of the buyer: the seller's money. Neither the allowance the seller left to the vault nor his next
    /// birth is the buyer's to use, and a Golem sold back is whole.
    function test_buyer_getsNothingButTheGolem() public {
        vm.prank(OWNER);
        usdc.approve(address(vault), type(uint256).max);
        uint256 held = usdc.balanceOf(OWNER);
        uint256 inVault = usdc.balanceOf(address(vault));
        vm.startPrank(BUYER);
        vm.expectRevert();
        vault.fundCapital(100e6);
        vm.expectRevert();
        vault.topUp(100e6);
        identity.transferFrom(BUYER, OWNER, golem);
        vm.expectRevert();
        vault.withdrawCapital(1);
        vm.stopPrank();
        assertEq(usdc.balanceOf(address(vault)), inVault);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        _assertLoss("buyer griefs the seller", held - usdc.balanceOf(OWNER), 0);
    }
}
