// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Birth} from "contracts/Birth.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Phase} from "contracts/types/Life.sol";
import {Listing, PartitionId, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {ChainConfig} from "../../deploy/SuiteBuilder.sol";

import {AttackTest} from "./AttackTest.sol";
import {HostileRegistry} from "test/mocks/HostileRegistry.sol";
import {HostileToken} from "test/mocks/HostileToken.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @dev An owner that refuses everything sent to it, hooks included.
contract RefusingOwner {
    function act(address target, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory answer) = target.call(data);
        require(ok, "refused");
        return answer;
    }
}

/// @title A hostile world: tokens, venue, USDC, owner and identity registry (V-010, T-005, T-006, T-031)
contract HostileTest is AttackTest {
    HostileToken internal token;
    IVenuePool internal tokenPool;

    /* TOKENS */

    /// @dev Goal of a token: enter the vault again while it trades.
    function test_hostileToken_cannotReenterATrade() public {
        _listHostileToken();
        token.turn(HostileToken.Mood.Reenter);
        token.aim(address(vault), abi.encodeCall(vault.sync, ()));
        token.aim(address(vault), abi.encodeCall(vault.topUp, (1e6)));
        token.aim(address(vault), abi.encodeCall(vault.harvest, ()));
        token.aim(address(vault), abi.encodeWithSignature("finalise()"));
        token.aim(address(vault), abi.encodeCall(vault.spend, (PartitionId.Llm, PAYEE, 1e6)));
        token.aim(suite.swapAdapter, abi.encodeWithSignature("swap(address,address,address,uint256)"));
        usdc.mint(address(vault), 5e6);
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(tokenPool), address(usdc), address(token), 90e6, 0, block.timestamp));
        uint256 all = token.balanceOf(address(vault));
        _pass(1 minutes);
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(tokenPool), address(token), address(usdc), all, 0, block.timestamp));
        assertEq(token.landed(), 0);
        _assertConserved(vault);
        _assertLoss("re-entrant token", _loss(), stated.trading);
    }

    /// @dev Goal of a token: take a fee, answer false, lie or revert, so that the books say more than is there.
    function test_hostileToken_neverUnbalancesTheBooks() public {
        _listHostileToken();
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(tokenPool), address(usdc), address(token), 50e6, 0, block.timestamp));
        for (uint256 i = 1; i < 7; ++i) {
            token.turn(HostileToken.Mood(i));
            vm.startPrank(KEY);
            vm.expectRevert();
            vault.swap{gas: 3_000_000}(
                IVaultTrading.SwapOrder(address(tokenPool), address(usdc), address(token), 10e6, 0, block.timestamp)
            );
            vm.expectRevert();
            vault.swap{gas: 3_000_000}(
                IVaultTrading.SwapOrder(address(tokenPool), address(token), address(usdc), 1e15, 0, block.timestamp)
            );
            vm.stopPrank();
            _assertConserved(vault);
        }
        // The token is lost, which the owner chose to hold; the rest is not.
        uint256 cost = vault.books().deployed;
        _assertLoss("fee, false, lying, reverting token", _loss(), cost);
    }

    /* VENUE */

    /// @dev Goal of a venue: hold a life by stopping. No trade passes; spending, beating, dying do.
    function test_pausedVenue_stopsTradesAndNothingElse() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _arm();
        uint256 dueWeth = weth.balanceOf(address(vault));
        bytes memory poolCode = address(pool).code;
        vm.etch(address(pool), hex"fe");
        vm.etch(address(manager), hex"fe");
        vm.startPrank(KEY);
        vm.expectRevert();
        vault.swap{gas: 3_000_000}(
            IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), 1e15, 0, block.timestamp)
        );
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.stopPrank();
        _beat(1, Phase.Stable);
        _kill();
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        assertEq(weth.balanceOf(OWNER), dueWeth);
        vm.etch(address(pool), poolCode);
        _assertLoss("paused venue", _loss(), 1e6 + stated.trading);
    }

    /* USDC */

    /// @dev Goal of a paused USDC: hold a death. It passes; the money arrives when USDC moves again, for anyone's call.
    function test_pausedUsdc_delaysNothingButItself() public {
        _giveBirth();
        usdc.setPaused(true);
        vm.prank(KEY);
        vm.expectRevert();
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        _assertConserved(vault);
        _kill();
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        usdc.setPaused(false);
        uint256 held = usdc.balanceOf(OWNER);
        vm.prank(STRANGER);
        vault.finalise();
        _assertLoss("paused USDC", held + 1_100e6 - usdc.balanceOf(OWNER), 0);
    }

    /// @dev Goal of a block list: an owner who can never be paid, or a payee who holds up a spend.
    function test_blockedOwner_diesAndClaimsByAnotherAddress() public {
        _giveBirth();
        usdc.setBlocked(PAYEE, true);
        vm.prank(KEY);
        vm.expectRevert();
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(vault.credits().llm, 58.8e6);
        usdc.setBlocked(OWNER, true);
        _kill();
        vm.expectEmit(address(vault));
        emit IVaultDeath.Stranded(address(usdc), OWNER, 0, 1_100e6);
        _settle();
        // The token is his claim, and it moves.
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        vm.prank(BUYER);
        vault.claim(address(usdc));
        _assertLoss("blocked owner", 1_100e6 - usdc.balanceOf(BUYER), 0);
    }

    /// @dev Goal of a blocked vault: a death that never ends.
    function test_blockedVault_stillDies() public {
        _giveBirth();
        usdc.setBlocked(address(vault), true);
        _kill();
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        usdc.setBlocked(address(vault), false);
        uint256 held = usdc.balanceOf(OWNER);
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), held + 1_100e6);
    }

    /* OWNER AND REGISTRY */

    /// @dev Goal of an owner contract: refuse the token, or its assets, and hang the birth or the death.
    function test_refusingOwner_isBornToAndPaid() public {
        RefusingOwner refusing = new RefusingOwner();
        IBirth.Order memory order = _order();
        order.owner = address(refusing);
        order.listings = _lists();
        _giveBirth(order);
        // Born to it by somebody else, so it has to speak first.
        refusing.act(address(vault), abi.encodeCall(vault.accept, (KEY, address(0), true, bytes32(0))));
        _swapAsKey(address(usdc), 90e6);
        vm.deal(address(vault), 1 ether);
        refusing.act(address(vault), abi.encodeWithSignature("kill(string)", "by contract"));
        _settle();
        assertEq(usdc.balanceOf(address(refusing)), 1_010e6);
        assertEq(weth.balanceOf(address(vault)), 0);
        // Native coin alone needs a receiver that takes it, and waits until the token is with one.
        vm.expectRevert("refused");
        refusing.act(address(vault), abi.encodeWithSignature("claim(address)", address(0)));
        refusing.act(
            address(identity),
            abi.encodeWithSignature("transferFrom(address,address,uint256)", address(refusing), BUYER, golem)
        );
        vm.prank(BUYER);
        assertEq(vault.claim(address(0)), 1 ether);
    }

    /// @dev Goal of a broken registry: nobody is the owner, so nobody may end it. The key settles and anyone finalises
    /// all the same; everything waits until the registry answers (T-006).
    function test_brokenRegistry_neverHoldsADeath() public {
        HostileRegistry registry = _deployOnHostileRegistry();
        uint256 loss;
        for (uint256 i = 1; i < 5; ++i) {
            uint256 state = vm.snapshotState();
            _kill();
            registry.turn(HostileRegistry.Mood(i));
            vm.prank(KEY);
            vault.settle{gas: 5_000_000}(_testament(), _stain());
            assertEq(lineage.lifeOf(golem), "dead");
            assertEq(usdc.balanceOf(address(vault)), 1_100e6);
            registry.turn(HostileRegistry.Mood.Honest);
            uint256 held = usdc.balanceOf(OWNER);
            vm.prank(STRANGER);
            vault.finalise();
            loss += held + 1_100e6 - usdc.balanceOf(OWNER);
            vm.revertToState(state);
        }
        _assertLoss("broken registry", loss, 0);
    }

    /// @dev Goal of the same registry: keep a Golem alive whose owner cannot be read. Silence needs no owner.
    function test_brokenRegistry_doesNotStopSilence() public {
        HostileRegistry registry = _deployOnHostileRegistry();
        for (uint256 i = 1; i < 5; ++i) {
            uint256 state = vm.snapshotState();
            registry.turn(HostileRegistry.Mood(i));
            vm.prank(KEY);
            vm.expectRevert();
            vault.spend{gas: 1_000_000}(PartitionId.Llm, PAYEE, 1e6);
            vm.warp(block.timestamp + 7 days + 1);
            vault.notice{gas: 1_000_000}();
            vm.warp(block.timestamp + 24 hours);
            vault.killSilent{gas: 1_000_000}();
            vm.warp(block.timestamp + 1 hours);
            vault.finalise{gas: 5_000_000}();
            assertEq(lineage.lifeOf(golem), "dead");
            assertEq(usdc.balanceOf(address(vault)), 1_100e6);
            vm.revertToState(state);
        }
    }

    /// @dev Goal of a key that is a contract: refuse or re-enter when it is refuelled.
    function test_refusingKey_losesNothingByRefuelling() public {
        RefusingOwner refusing = new RefusingOwner();
        IBirth.Order memory order = _order();
        order.key = address(refusing);
        order.listings = _lists();
        _giveBirth(order);
        vm.expectRevert("refused");
        refusing.act(address(vault), abi.encodeCall(vault.refuel, (address(pool), 5e6, 0, block.timestamp)));
        assertEq(vault.credits().gas, 24.5e6);
        _assertConserved(vault);
    }

    /* TOOLS */

    function _listHostileToken() private {
        token = new HostileToken();
        token.mint(address(this), 1_000 ether);
        tokenPool = _createPool(address(token), 1e18, 3_000e6);
        _addLiquidity(address(token), 500 ether, 1_500_000e6);
        _pass(1 hours);
        IBirth.Order memory order = _order();
        order.listings = new Listing[](2);
        order.listings[0] = Listing(address(token), USE_TOKEN, address(tokenPool));
        order.listings[1] = Listing(address(tokenPool), USE_POOL, address(0));
        _giveBirth(order);
        _arm();
    }

    function _deployOnHostileRegistry() private returns (HostileRegistry registry) {
        registry = new HostileRegistry();
        vm.startPrank(STRANGER);
        suite = deploySuite(
            deployer,
            STRANGER,
            ChainConfig(address(usdc), address(weth), address(factory), address(manager), address(registry))
        );
        vm.stopPrank();
        identity = registry;
        lineage = LineageRegistry(suite.lineage);
        births = Birth(suite.birth);
        vm.prank(OWNER);
        usdc.approve(address(births), type(uint256).max);
        _giveBirth();
    }
}
