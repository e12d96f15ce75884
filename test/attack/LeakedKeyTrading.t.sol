// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Listing, USE_POOL} from "contracts/types/Money.sol";

import {AttackTest} from "./AttackTest.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @dev A pool that the venue's factory never made, at whatever price its maker likes.
contract FakePool {
    address public token0;
    address public token1;
    uint24 public constant fee = 3000;

    constructor(address a, address b) {
        (token0, token1) = a < b ? (a, b) : (b, a);
    }

    function swap(address, bool, int256, uint160, bytes calldata data) external returns (int256, int256) {
        (bool ok,) =
            msg.sender.call(abi.encodeWithSignature("uniswapV3SwapCallback(int256,int256,bytes)", int256(1), 0, data));
        require(ok);
        return (1, 0);
    }
}

/// @title A leaked key against the capital: own pools, bent prices, sandwiches, the sale at death (V-011, V-031)
contract LeakedKeyTradingTest is AttackTest {
    /// @dev The price impact that, with the pool's fee of 30 bps, comes just under the slippage of 100 bps.
    int256 internal constant BEND = 68;

    /// @dev Goal: trade with a pool of his own making, genuine or not, at a price of his own.
    function test_leakedKey_tradesInPoolsOfHisOwn() public {
        _giveBirth();
        _arm();
        address own = factory.createPool(address(weth), address(usdc), 500);
        IVenuePool(own).initialize(fairSpot / 2);
        address fake = address(new FakePool(address(weth), address(usdc)));
        address[2] memory pools = [own, fake];
        for (uint256 i; i < 2; ++i) {
            vm.startPrank(KEY);
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, pools[i], USE_POOL));
            vault.swap(IVaultTrading.SwapOrder(pools[i], address(usdc), address(weth), 50e6, 0, block.timestamp));
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, pools[i], USE_POOL));
            vault.mintPosition(IVaultLiquidity.MintOrder(pools[i], FULL_LOWER, FULL_UPPER, 50e6, 50e6, 0, 0));
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, pools[i], USE_POOL));
            vault.refuel(pools[i], 5e6, 0, block.timestamp);
            vm.stopPrank();
        }
        _assertLoss("pools of his own", _loss(), 0);
    }

    /// @dev Goal: the difference between the TWAP and the furthest price, on as much volume as two days allow.
    function test_leakedKey_sandwichesHisOwnTrades() public {
        _giveBirth();
        _lateEvening();
        _arm();
        _churn();
        _pass(10 minutes);
        _churn();
        vm.prank(KEY);
        vm.expectRevert();
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 90e6, 0, block.timestamp));
        _assertLoss("sandwiching own trades", _loss(), stated.trading);
    }

    /// @dev Goal: a worse price than the slippage. The vault refuses the trade, whatever minimum the key asks for.
    function test_leakedKey_cannotTradeBeyondTheSlippage() public {
        _giveBirth();
        _arm();
        _bendSpot(75);
        vm.prank(KEY);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 90e6, 0, block.timestamp));
        _assertLoss("beyond the slippage", _loss(), 0);
    }

    /// @dev Goal: provide liquidity at a bent price, all of it between spot and TWAP, and take the way back himself. In
    /// a listed pool with little liquidity and the smallest fee, where it costs him least.
    function test_leakedKey_mintsLiquidityAtABentPrice() public {
        IVenuePool thin = _thinPool();
        _giveBirth();
        Listing[] memory more = new Listing[](1);
        more[0] = Listing(address(thin), USE_POOL, address(0));
        vm.prank(OWNER);
        vault.setListings(more);
        _lateEvening();
        _arm();
        for (uint256 day; day < 2; ++day) {
            for (uint256 i; i < 5; ++i) {
                _pass(1 minutes);
                _mintBetweenTwapAndSpot(thin, 98, vault.tradedToday().basis / 10);
            }
            _pass(10 minutes);
        }
        assertEq(vault.positions().length, 10);
        uint256 loss = _loss();
        assertGt(loss, 3e6);
        _assertLoss("liquidity at a bent price", loss, stated.trading);
    }

    /// @dev Goal: the same at a price bent further. Refused, and so is taking liquidity out.
    function test_leakedKey_cannotTouchLiquidityBeyondTheBound() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _pass(1 minutes);
        vm.prank(KEY);
        uint256 id = vault.mintPosition(_fullRange(0.005 ether, 15e6));
        _arm();
        _bendSpot(300);
        IVaultLiquidity.MintOrder memory order = _fullRange(0.005 ether, 15e6);
        vm.startPrank(KEY);
        vm.expectPartialRevert(IVaultLiquidity.SpotTooFar.selector);
        vault.mintPosition(order);
        vm.expectPartialRevert(IVaultLiquidity.SpotTooFar.selector);
        vault.increasePosition(id, 1e6, 1e6, 0, 0);
        vm.expectPartialRevert(IVaultLiquidity.SpotTooFar.selector);
        vault.decreasePosition(id, 0, 0, 0);
        vm.stopPrank();
        _assertLoss("liquidity beyond the bound", _loss(), 0);
    }

    /// @dev Goal: take liquidity out at a bent price. A position bought on the way is worth no less at the TWAP.
    function test_leakedKey_takesLiquidityOutAtABentPrice() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _pass(1 minutes);
        vm.prank(KEY);
        uint256 id = vault.mintPosition(_fullRange(0.015 ether, 45e6));
        // Closed at the fair price it is worth this much.
        uint128 liquidity = manager.positions(id).liquidity;
        uint256 state = vm.snapshotState();
        vm.prank(KEY);
        vault.decreasePosition(id, liquidity, 0, 0);
        uint256 fair = _wealthOf(address(vault));
        vm.revertToState(state);
        _bendSpot(98);
        vm.prank(KEY);
        vault.decreasePosition(id, liquidity, 0, 0);
        _bendSpot(0);
        uint256 bent = _wealthOf(address(vault));
        _assertLoss("taking liquidity out at a bent price", bent < fair ? fair - bent : 0, 0);
    }

    /// @dev Goal: two days of churning, then declare a death, in which size is not capped, and sell everything at the
    /// worst price. The sale at death has a bound of its own in the stated figure.
    function test_leakedKey_churnsThenDiesAndSellsEverything() public {
        _giveBirth();
        _deployNinety();
        _lateEvening();
        _arm();
        _churn();
        _pass(10 minutes);
        _churn();
        vm.prank(KEY);
        vault.dieSenescent("");
        _sellOut(BEND - 8);
        assertEq(weth.balanceOf(address(vault)), 0);
        _assertLoss("churn, die, sell everything", _loss(), stated.trading);
    }

    /// @dev Goal: the same with tokens that are worth ten times their cost, on which a percent is ten. What the bound
    /// does not let him sell goes to the owner in kind.
    function test_leakedKey_cannotSellAWinnerCheaplyAtDeath() public {
        _giveBirth();
        _deployNinety();
        // A gift of the same token has no cost at all, and is sold like the rest.
        _mintWeth(address(vault), 3 ether);
        _arm();
        vm.prank(KEY);
        vault.dieSenescent("");
        bool refused;
        for (uint256 i; i < 40 && !refused; ++i) {
            _pass(1 minutes);
            _bendSpot(-BEND);
            vm.prank(KEY);
            try vault.swap(
                IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), 0.033 ether, 0, block.timestamp)
            ) {}
            catch (bytes memory why) {
                assertEq(bytes4(why), IVaultTrading.DayLossReached.selector);
                refused = true;
            }
            _bendSpot(0);
        }
        assertTrue(refused);
        assertGt(weth.balanceOf(address(vault)), 2 ether);
        _assertLoss("selling a winner at death", _loss(), stated.trading);
    }

    /// @dev The owner himself may sell at death what the key may not.
    function test_owner_sellsTheRestAtDeath() public {
        _giveBirth();
        _deployNinety();
        _mintWeth(address(vault), 3 ether);
        _kill();
        uint256 held = weth.balanceOf(address(vault));
        vm.prank(OWNER);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), held, 0, block.timestamp));
        assertEq(weth.balanceOf(address(vault)), 0);
        _assertConserved(vault);
    }

    /// @dev Goal: raise the measure first. The figure is at cost; a gain that is realised raises the capital, and with
    /// it the next day's volume and what a harvest may move. The figure rises with it and holds from there.
    function test_leakedKey_realisesAGainThenUsesIt() public {
        _giveBirth();
        _deployNinety();
        _mintWeth(address(vault), 0.2 ether);
        uint256 atCost = vault.worstLoss().total;
        _lateEvening();
        for (uint256 i; i < 5; ++i) {
            _pass(1 minutes);
            _swapAsKey(address(weth), 0.03 ether);
            _bendSpot(0);
        }
        _arm();
        assertGt(stated.total, atCost);
        _drainToday();
        _pass(10 minutes);
        _drainToday();
        _churn();
        _assertLoss("a gain realised first", _loss(), stated.total);
    }

    /// @dev Goal: everything the figure is made of, within 24 hours.
    function test_leakedKey_doesItAllAtOnce() public {
        _giveBirth();
        _deployNinety();
        _lateEvening();
        _arm();
        _drainToday();
        _churn();
        _pass(10 minutes);
        _drainToday();
        _churn();
        vm.startPrank(KEY);
        vault.dieSenescent("");
        vault.spendDying(PAYEE, 1e6);
        vm.stopPrank();
        _sellOut(BEND - 8);
        _assertLoss("everything at once", _loss(), stated.total);
    }

    /* TOOLS */

    /// @dev Buys and sells by turns at the worst price until the day's volume is used up.
    function _churn() private {
        for (uint256 i; i < 20; ++i) {
            uint256 basis = vault.tradedToday().basis;
            uint256 room = basis / 2 - vault.tradedToday().volume;
            uint256 size = room < basis / 10 ? room : basis / 10;
            if (size < 1e6) return;
            bool buy = vault.books().capital >= size && i % 2 == 0;
            uint256 held = weth.balanceOf(address(vault));
            if (buy) {
                _sandwich(address(usdc), size, BEND);
            } else {
                uint256 amount = size * 0.99e18 / FAIR;
                _sandwich(address(weth), amount < held ? amount : held, BEND);
            }
        }
    }

    /// @dev Early enough for a day's trades, a minute apart, and late enough for the next day's within the hour.
    function _lateEvening() private {
        vm.warp(block.timestamp / 1 days * 1 days + 1 days - 10 minutes);
    }

    /// @dev Sells all of the WETH, as much in a minute as a minute may.
    function _sellOut(int256 bps) private {
        uint256 part = uint256(vault.tradedToday().basis) * 0.099e18 / FAIR;
        for (uint256 held = weth.balanceOf(address(vault)); held != 0; held = weth.balanceOf(address(vault))) {
            _sandwich(address(weth), held < part ? held : part, bps);
        }
    }

    /// @dev Two honest days that put nine tenths of the capital into WETH; ends on a fresh day's noon.
    function _deployNinety() private {
        for (uint256 i; i < 9; ++i) {
            if (i == 5) _pass(1 days);
            _pass(1 minutes);
            _swapAsKey(address(usdc), 98e6);
            _bendSpot(0);
        }
        _pass(1 days);
    }

    /// @dev The same pair at 5 bps, at the fair price, with a little of somebody's liquidity.
    function _thinPool() private returns (IVenuePool thin) {
        thin = IVenuePool(factory.createPool(address(weth), address(usdc), 500));
        thin.initialize(fairSpot);
        weth.approve(address(manager), type(uint256).max);
        usdc.approve(address(manager), type(uint256).max);
        bool wethFirst = address(weth) < address(usdc);
        manager.mint(
            IPositionManager.MintParams({
                token0: thin.token0(),
                token1: thin.token1(),
                fee: 500,
                tickLower: FULL_LOWER,
                tickUpper: FULL_UPPER,
                amount0Desired: wethFirst ? 1 ether : 3_000e6,
                amount1Desired: wethFirst ? 3_000e6 : 1 ether,
                amount0Min: 0,
                amount1Min: 0,
                recipient: address(this),
                deadline: block.timestamp
            })
        );
    }

    /// @dev A position all in USDC just under a spot bent above the fair price; the price then returns through it.
    function _mintBetweenTwapAndSpot(IVenuePool at, int256 bps, uint256 amount) private {
        _bendSpotOf(at, bps);
        bool wethFirst = address(weth) < address(usdc);
        (, int24 tick,,,,,) = at.slot0();
        int24 edge = tick / 10 * 10;
        if (tick < 0 && tick % 10 != 0) edge -= 10;
        // In USDC alone: below the spot where USDC is token1, above it where it is token0.
        (int24 lower, int24 upper) = wethFirst ? (edge - 10, edge) : (edge + 10, edge + 20);
        vm.prank(KEY);
        vault.mintPosition(
            IVaultLiquidity.MintOrder(address(at), lower, upper, wethFirst ? 0 : amount, wethFirst ? amount : 0, 0, 0)
        );
        _bendSpotOf(at, 0);
    }

    function _fullRange(uint256 ofWeth, uint256 ofUsdc) private view returns (IVaultLiquidity.MintOrder memory) {
        bool wethFirst = address(weth) < address(usdc);
        return IVaultLiquidity.MintOrder(
            address(pool), FULL_LOWER, FULL_UPPER, wethFirst ? ofWeth : ofUsdc, wethFirst ? ofUsdc : ofWeth, 0, 0
        );
    }
}
