// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {Phase} from "contracts/types/Life.sol";
import {Ledger, Listing, PartitionId, Policy, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {AttackTest} from "./AttackTest.sol";
import {HostileToken} from "test/mocks/HostileToken.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @title Strangers with time to waste: dust, silence, little gas, full lists (V-005, V-015, T-001, T-005, T-006)
contract GriefingTest is AttackTest {
    /* DUST */

    /// @dev Goal: spam the books with dust. Below 1 USDC nothing is booked; above it the spammer pays for the Golem.
    function test_dust_ofUsdcIsRefusedOrAGift() public {
        _giveBirth();
        _arm();
        (, Ledger memory capBefore,) = vault.today();
        usdc.mint(STRANGER, 100e6);
        vm.startPrank(STRANGER);
        usdc.approve(address(vault), type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 1e6 - 1, 1e6));
        vault.topUp(1e6 - 1);
        usdc.transfer(address(vault), 1e6 - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 1e6 - 1, 1e6));
        vault.sync();
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 0, 1e6));
        vault.topUp(0);
        for (uint256 i; i < 20; ++i) {
            vault.topUp(1e6);
        }
        vm.stopPrank();
        // Gifts do not lift the caps of a day that has begun.
        (, Ledger memory capAfter,) = vault.today();
        assertEq(abi.encode(capAfter), abi.encode(capBefore));
        _assertConserved(vault);
        _assertLoss("dust of USDC", _loss(), 0);
    }

    /// @dev Goal: keep a token's line from ever being freed, by leaving dust before each sale of all of it.
    function test_dust_ofAListedTokenDoesNotKeepItsLine() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _arm();
        uint256 all = weth.balanceOf(address(vault));
        _mintWeth(address(vault), 1e9);
        _pass(1 minutes);
        _swapAsKey(address(weth), all);
        assertEq(vault.holdings().length, 1);
        assertGt(vault.holdings()[0].book, 0);
        vm.prank(KEY);
        vault.prune(address(weth));
        assertEq(vault.holdings().length, 0);
        assertEq(vault.books().deployed, 0);
        _assertConserved(vault);
        // Freeing the line is no way to lose anything: the dust is still the owner's.
        _kill();
        _settle();
        vm.prank(OWNER);
        assertEq(vault.claim(address(weth)), 1e9);
    }

    /// @dev Goal: a line that is worth something, written off.
    function test_dust_isTheOnlyThingWrittenOff() public {
        _giveBirth();
        _swapAsKey(address(usdc), 0.011e6);
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.StillHeld.selector, address(weth), 0.011e6, 0));
        vault.prune(address(weth));
    }

    /// @dev Goal: fill the lists with tokens and positions sent in. Only what an adapter bought or minted is listed.
    function test_dust_ofTokensAndNftsNeverEntersTheLists() public {
        _giveBirth();
        HostileToken junk = new HostileToken();
        junk.mint(address(vault), 1e18);
        uint256 id = _addLiquidity(address(weth), 1 ether, 3_000e6);
        IERC721(address(manager)).transferFrom(address(this), address(vault), id);
        vm.expectRevert();
        IERC721(address(manager)).safeTransferFrom(address(vault), address(vault), id);
        (bool sent,) = address(vault).call{value: 1 ether}("");
        assertFalse(sent);
        assertEq(vault.holdings().length + vault.positions().length, 0);
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultLiquidity.UnknownPosition.selector, id));
        vault.decreasePosition(id, 1, 0, 0);
        vm.deal(address(vault), 2 ether);
        _kill();
        _settle();
        vm.startPrank(OWNER);
        assertEq(vault.claim(address(junk)), 1e18);
        vault.claimNft(address(manager), id);
        assertEq(vault.claim(address(0)), 2 ether);
        vm.stopPrank();
        assertEq(IERC721(address(manager)).ownerOf(id), OWNER);
        assertEq(OWNER.balance, 2 ether);
    }

    /// @dev Goal: keep a position from being closed by adding a speck of liquidity before each close. It is a gift, and
    /// the next close takes it too.
    function test_dust_ofLiquidityIsClosedNext() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _pass(1 minutes);
        bool wethFirst = address(weth) < address(usdc);
        vm.prank(KEY);
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
        uint128 seen = manager.positions(id).liquidity;
        usdc.approve(address(manager), type(uint256).max);
        weth.approve(address(manager), type(uint256).max);
        manager.increaseLiquidity(IPositionManager.IncreaseLiquidityParams(id, 1e9, 1e9, 0, 0, block.timestamp));
        uint128 now_ = manager.positions(id).liquidity;
        assertGt(now_, seen);
        vm.startPrank(KEY);
        vault.decreasePosition(id, seen, 0, 0);
        assertEq(vault.positions().length, 1);
        vault.decreasePosition(id, now_ - seen, 0, 0);
        vm.stopPrank();
        assertEq(vault.positions().length, 0);
        _assertConserved(vault);
    }

    /* SILENCE */

    /// @dev Goal: kill a Golem that beats. A false notice is refused, a true one falls with the next beat.
    function test_silence_falseNoticeIsRefused() public {
        _giveBirth();
        uint256 silentAt = block.timestamp + 7 days;
        vm.startPrank(STRANGER);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotSilent.selector, block.timestamp, silentAt));
        vault.notice();
        vm.expectRevert(IVaultDeath.NoNotice.selector);
        vault.killSilent();
        vm.warp(silentAt);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotSilent.selector, silentAt, silentAt));
        vault.notice();
        vm.warp(silentAt + 1);
        vault.notice();
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.TooEarly.selector, block.timestamp, silentAt + 1 + 1 days));
        vault.killSilent();
        vm.stopPrank();
        vm.warp(block.timestamp + 1 days - 1);
        _beat(1, Phase.Stable);
        vm.warp(block.timestamp + 1);
        vm.prank(STRANGER);
        vm.expectRevert(IVaultDeath.NoNotice.selector);
        vault.killSilent();
        assertTrue(lineage.isAlive(golem));
    }

    /// @dev Goal: put off a silence kill for ever by posting notice again and again, or use a notice of an old silence.
    function test_silence_noticeNeitherRenewsNorOutlivesItsSilence() public {
        _giveBirth();
        vm.warp(block.timestamp + 7 days + 1);
        uint256 postedAt = block.timestamp;
        vault.notice();
        vm.warp(block.timestamp + 23 hours);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NoticeStands.selector, postedAt));
        vault.notice();
        // The owner wakes the agent by putting it to sleep: that is no silence, and the old notice is void after it.
        vm.prank(OWNER);
        vault.hibernate(block.timestamp + 30 days);
        vm.warp(block.timestamp + 30 days + 1);
        vm.expectRevert(IVaultDeath.NoNotice.selector);
        vault.killSilent();
        assertTrue(lineage.isAlive(golem));
    }

    /* LITTLE GAS */

    /// @dev Goal: finalise with so little gas that reads and pushes fail and the owner has to come and fetch (EIP-150).
    /// Whatever gas he brings, either nothing happens or everything has arrived.
    function test_finalise_withAnyGasDoesAllOrNothing() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _kill();
        _pass(1 hours);
        uint256 due = usdc.balanceOf(address(vault));
        uint256 dueWeth = weth.balanceOf(address(vault));
        uint256 held = usdc.balanceOf(OWNER);
        uint256 done;
        for (uint256 gas_ = 30_000; gas_ < 2_500_000; gas_ += 15_000) {
            uint256 state = vm.snapshotState();
            vm.prank(STRANGER);
            (bool ok,) = address(vault).call{gas: gas_}(abi.encodeWithSignature("finalise()"));
            if (ok) {
                ++done;
                assertEq(lineage.lifeOf(golem), "dead");
                assertEq(usdc.balanceOf(OWNER), held + due, "USDC stayed behind for want of gas");
                assertEq(weth.balanceOf(OWNER), dueWeth, "WETH stayed behind for want of gas");
            } else {
                assertEq(lineage.lifeOf(golem), "dying");
            }
            vm.revertToState(state);
        }
        assertGt(done, 50);
    }

    /// @dev The same goal with the key's own settle.
    function test_settle_withAnyGasDoesAllOrNothing() public {
        _giveBirth();
        _kill();
        uint256 due = usdc.balanceOf(address(vault));
        uint256 held = usdc.balanceOf(OWNER);
        for (uint256 gas_ = 30_000; gas_ < 1_500_000; gas_ += 15_000) {
            uint256 state = vm.snapshotState();
            vm.prank(KEY);
            (bool ok,) = address(vault).call{gas: gas_}(abi.encodeCall(IVaultDeath.settle, (_testament(), _stain())));
            if (ok) assertEq(usdc.balanceOf(OWNER), held + due);
            else assertEq(lineage.lifeOf(golem), "dying");
            vm.revertToState(state);
        }
    }

    /// @dev Goal: leave a sweep half done for good, by asking for no item at all. Anyone goes on from there.
    function test_finalise_inPartsIsContinuedByAnyone() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _kill();
        _pass(1 hours);
        uint256 dueWeth = weth.balanceOf(address(vault));
        vm.prank(STRANGER);
        vault.finalisePart(0);
        assertEq(lineage.lifeOf(golem), "dead");
        assertEq(usdc.balanceOf(address(vault)), 0);
        assertEq(weth.balanceOf(address(vault)), dueWeth);
        vault.finalise();
        assertEq(weth.balanceOf(OWNER), dueWeth);
    }

    /* FULL LISTS */

    /// @dev Goal: lists so full that a death does not fit into a block. Eight tokens and sixteen positions settle in
    /// one call below half a block, and in parts in much less (V-015, T-006).
    function test_fullLists_dieInOneCallOrInParts() public {
        HostileToken[7] memory tokens = _fillTheLists();
        assertEq(vault.holdings().length, 8);
        assertEq(vault.positions().length, 16);
        vm.startPrank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.ListFull.selector, 16, 16));
        vault.mintPosition(_speck());
        vm.stopPrank();
        _kill();
        _pass(1 hours);

        uint256 state = vm.snapshotState();
        uint256 gas_ = gasleft();
        vault.finalise();
        gas_ -= gasleft();
        assertLt(gas_, 15_000_000);
        assertEq(usdc.balanceOf(address(vault)), 0);
        for (uint256 i; i < 7; ++i) {
            assertEq(tokens[i].balanceOf(address(vault)), 0);
        }
        assertEq(IERC721(address(manager)).balanceOf(OWNER), 16);
        vm.revertToState(state);

        for (uint256 i; i < 24; ++i) {
            vault.finalisePart{gas: 2_000_000}(1);
        }
        assertEq(vault.holdings().length + vault.positions().length, 0);
        assertEq(IERC721(address(manager)).balanceOf(OWNER), 16);
    }

    /// @dev Goal: the same with every token turned against its holder. The death passes, USDC and positions arrive,
    /// and what refuses waits for a claim (T-005, T-031).
    function test_fullLists_ofHostileTokensStillDie() public {
        HostileToken[7] memory tokens = _fillTheLists();
        tokens[0].turn(HostileToken.Mood.Lie);
        tokens[1].turn(HostileToken.Mood.False);
        tokens[2].turn(HostileToken.Mood.Revert);
        tokens[3].turn(HostileToken.Mood.Burn);
        tokens[4].turn(HostileToken.Mood.Bomb);
        tokens[5].turn(HostileToken.Mood.Reenter);
        tokens[5].aim(address(vault), abi.encodeWithSignature("finalise()"));
        tokens[5].aim(address(vault), abi.encodeWithSignature("claim(address)", address(usdc)));
        tokens[6].turn(HostileToken.Mood.Fee);
        uint256 due = usdc.balanceOf(address(vault));
        uint256 held = usdc.balanceOf(OWNER);
        _kill();
        vm.prank(KEY);
        vault.settle{gas: 15_000_000}(_testament(), _stain());
        assertEq(lineage.lifeOf(golem), "dead");
        assertEq(usdc.balanceOf(OWNER), held + due);
        assertEq(IERC721(address(manager)).balanceOf(OWNER), 16);
        assertEq(tokens[5].landed(), 0);
        uint256 waiting = tokens[2].balanceOf(address(vault));
        assertGt(waiting, 0);
        tokens[2].turn(HostileToken.Mood.Honest);
        vm.prank(OWNER);
        assertEq(vault.claim(address(tokens[2])), waiting);
    }

    /// @dev Eight tokens bought and sixteen positions minted, under a policy that allows a day of it.
    function _fillTheLists() private returns (HostileToken[7] memory tokens) {
        Listing[] memory lists = new Listing[](17);
        Listing[] memory basic = _lists();
        for (uint256 i; i < 3; ++i) {
            lists[i] = basic[i];
        }
        IVenuePool[7] memory pools;
        for (uint256 i; i < 7; ++i) {
            tokens[i] = new HostileToken();
            tokens[i].mint(address(this), 1_000 ether);
            pools[i] = _createPool(address(tokens[i]), 1e18, 3_000e6);
            _addLiquidity(address(tokens[i]), 500 ether, 1_500_000e6);
            lists[3 + 2 * i] = Listing(address(tokens[i]), USE_TOKEN, address(pools[i]));
            lists[4 + 2 * i] = Listing(address(pools[i]), USE_POOL, address(0));
        }
        _pass(1 hours);
        IBirth.Order memory order = _order();
        order.listings = lists;
        order.policy = new Policy[](1);
        order.policy[0] = PolicyLib.template();
        order.policy[0].dayTradeBps = 50_000;
        _giveBirth(order);
        _swapAsKey(address(usdc), 90e6);
        for (uint256 i; i < 7; ++i) {
            _pass(1 minutes);
            vm.prank(KEY);
            vault.swap(
                IVaultTrading.SwapOrder(address(pools[i]), address(usdc), address(tokens[i]), 50e6, 0, block.timestamp)
            );
        }
        for (uint256 i; i < 16; ++i) {
            _pass(1 minutes);
            vm.prank(KEY);
            vault.mintPosition(_speck());
        }
    }

    function _speck() private view returns (IVaultLiquidity.MintOrder memory) {
        bool wethFirst = address(weth) < address(usdc);
        return IVaultLiquidity.MintOrder(
            address(pool), FULL_LOWER, FULL_UPPER, wethFirst ? 0.001 ether : 3e6, wethFirst ? 3e6 : 0.001 ether, 0, 0
        );
    }
}
