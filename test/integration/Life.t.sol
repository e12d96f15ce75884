// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Life, NO_GOLEM, Phase} from "contracts/types/Life.sol";
import {PartitionId} from "contracts/types/Money.sol";

import {BaseTest} from "test/BaseTest.sol";

/// @title One life from birth to successor, on the real venue
contract LifeTest is BaseTest {
    function test_life_birthToSuccessor() public {
        _giveBirth();
        assertEq(identity.ownerOf(golem), OWNER);
        assertEq(identity.getAgentWallet(golem), address(0));
        assertEq(lineage.lifeOf(golem), "alive");
        assertEq(vault.books().reserve, 2e6);
        assertEq(vault.credits().llm, 58.8e6);
        assertEq(vault.credits().gas, 24.5e6);
        assertEq(vault.credits().data, 14.7e6);
        _assertConserved(vault);

        _beat(1, Phase.Stable);
        assertEq(lineage.phaseOf(golem), "Stable");

        vm.prank(OWNER);
        usdc.approve(address(vault), type(uint256).max);
        vm.prank(OWNER);
        vault.topUp(10e6);
        usdc.mint(address(vault), 5e6);
        assertEq(vault.sync(), 5e6);

        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 3e6);
        assertEq(usdc.balanceOf(PAYEE), 4e6);
        vm.prank(KEY);
        vault.spend(PartitionId.Data, KEY, 1e6);
        assertEq(usdc.balanceOf(KEY), 1e6);

        // Two days' caps of some 113 USDC of credits, float, death budget, and 50 for the trades of 1,000 of capital.
        uint256 worst = vault.worstLoss().total;
        assertLt(worst, 120e6);
        assertEq(vault.worstLoss().trading, 50e6);

        vm.startPrank(KEY);
        uint256 got =
            vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 90e6, 0, block.timestamp));
        assertGt(got, 0.0295 ether);
        vault.refuel(address(pool), 5e6, 0, block.timestamp);
        assertGt(KEY.balance, 0.0016 ether);
        // A minute apart, or they count together (V-011).
        _pass(1 minutes);
        bool wethFirst = address(weth) < address(usdc);
        uint256 id = vault.mintPosition(
            IVaultLiquidity.MintOrder(
                address(pool),
                FULL_LOWER,
                FULL_UPPER,
                wethFirst ? 0.01 ether : 30e6,
                wethFirst ? 30e6 : 0.01 ether,
                0,
                0
            )
        );
        uint128 liquidity = manager.positions(id).liquidity;
        vault.increasePosition(id, wethFirst ? 0.001 ether : 3e6, wethFirst ? 3e6 : 0.001 ether, 0, 0);
        vault.decreasePosition(id, liquidity / 2, 0, 0);
        vault.decreasePosition(id, 0, 0, 0);
        _pass(1 minutes);
        uint256 held = weth.balanceOf(address(vault));
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), held / 2, 0, block.timestamp));
        vm.stopPrank();
        _assertConserved(vault);
        assertEq(vault.holdings().length, 1);
        assertEq(vault.positions().length, 1);
        assertEq(
            vault.books().deployed,
            uint256(vault.holdings()[0].book) + vault.positions()[0].book,
            "books of the deployed"
        );

        _pass(2 days);
        _beat(2_000, Phase.Thriving);
        _kill();
        assertEq(lineage.lifeOf(golem), "dying");
        vm.prank(KEY);
        vm.expectRevert();
        vault.spend(PartitionId.Llm, PAYEE, 1e6);

        vm.startPrank(KEY);
        vault.spendDying(PAYEE, 0.5e6);
        vault.decreasePosition(id, type(uint128).max, 0, 0);
        held = weth.balanceOf(address(vault));
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), held / 2, 0, block.timestamp));
        vm.stopPrank();

        uint256 before = usdc.balanceOf(OWNER);
        uint256 inVault = usdc.balanceOf(address(vault));
        held = weth.balanceOf(address(vault));
        _settle();
        assertEq(usdc.balanceOf(OWNER), before + inVault);
        assertEq(weth.balanceOf(OWNER), held);
        assertEq(usdc.balanceOf(address(vault)), 0);
        assertEq(lineage.causeOf(golem), "OwnerKill");

        uint256 first = golem;
        IBirth.Order memory order = _order();
        order.predecessor = first;
        order.playbookDigest = keccak256("another playbook");
        order.agentURI = "";
        _giveBirth(order);
        assertEq(lineage.successorOf(first), golem);
        assertEq(lineage.golem(golem).generation, 1);
        assertEq(lineage.golem(golem).lineage, first);
        assertGt(bytes(identity.tokenURI(golem)).length, 900);
    }

    function test_life_finalisedByStranger() public {
        _giveBirth();
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 90e6, 0, block.timestamp));
        _kill();
        _pass(1 hours);
        uint256 held = weth.balanceOf(address(vault));
        uint256 inVault = usdc.balanceOf(address(vault));
        uint256 before = usdc.balanceOf(OWNER);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(weth.balanceOf(OWNER), held);
        assertEq(usdc.balanceOf(OWNER), before + inVault);
        vm.prank(OWNER);
        vault.attachTestament(_testament());
        assertEq(lineage.recordedTestament(golem), keccak256("testament"));
    }
}
