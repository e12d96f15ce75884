// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;
// Long file: every bound of a swap is tried from both sides on one stage, and refuelling shares the bounds.

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {DayTraded, PartitionId, Policy, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {ContractWallet} from "test/mocks/Actors.sol";
import {MockToken} from "test/mocks/MockToken.sol";
import {UnitTest} from "test/unit/UnitTest.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @title swap (V-011, V-012, V-013, V-015)
contract SwapTest is UnitTest {
    function _sellAll() private returns (uint256) {
        uint256 held = weth.balanceOf(address(vault));
        return _swap(address(weth), address(usdc), held);
    }

    function _notListed(address subject, uint8 use) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IVaultRules.NotListed.selector, subject, use);
    }

    /// @dev What the pool would give now, without giving it.
    function _quote(address tokenIn, uint256 amountIn) private returns (uint256 amountOut) {
        uint256 snapshot = vm.snapshotState();
        amountOut = swapAsTrader(pool, tokenIn, amountIn);
        vm.revertToState(snapshot);
    }

    /* WHAT IT DOES */

    function test_swap_buysAndBooksAtCost() public {
        uint256 quoted = _quote(address(usdc), 100e6);
        uint256 valueOut = TickLib.convertDown(quoted, _wethTick());
        vm.expectEmit(address(vault));
        emit IVaultTrading.Booked(address(weth), 0, 100e6, 0);
        vm.expectEmit(address(vault));
        emit IVaultTrading.Swapped(
            address(pool), address(usdc), address(weth), 100e6, quoted, 100e6, valueOut, 900e6, 100e6
        );
        assertEq(_buy(100e6), quoted);
        assertEq(weth.balanceOf(address(vault)), quoted);
        assertEq(vault.books().capital, 900e6);
        assertEq(vault.books().deployed, 100e6);
        assertEq(vault.holdings().length, 1);
        assertEq(vault.holdings()[0].token, address(weth));
        assertEq(vault.holdings()[0].book, 100e6);
        DayTraded memory traded = vault.tradedToday();
        assertEq(traded.volume, 100e6);
        assertEq(traded.loss, 100e6 - valueOut);
        assertEq(traded.basis, 1_000e6);
        _assertConserved(vault);
    }

    function test_swap_sellsAHalfAndReleasesHalfTheCost() public {
        uint256 held = _buy(100e6);
        _pass(1 minutes);
        uint256 quoted = _quote(address(weth), held / 2);
        (int256 dearer,) = _wethEnds();
        uint256 valueIn = TickLib.convertDown(held / 2, dearer) + 1;
        uint256 cost = 100e6 * (held / 2) / held;
        vm.expectEmit(address(vault));
        emit IVaultTrading.Booked(address(weth), 0, 100e6 - cost, 0);
        vm.expectEmit(address(vault));
        emit IVaultTrading.Swapped(
            address(pool), address(weth), address(usdc), held / 2, quoted, valueIn, quoted, 900e6 + quoted, 100e6 - cost
        );
        _swap(address(weth), address(usdc), held / 2);
        assertEq(vault.books().capital, 900e6 + quoted);
        _assertConserved(vault);
    }

    function test_swap_leavesNoApprovalAndNothingInTheAdapter() public {
        _buy(100e6);
        _pass(1 minutes);
        _sellAll();
        assertEq(usdc.allowance(address(vault), suite.swapAdapter), 0);
        assertEq(usdc.allowance(suite.swapAdapter, address(pool)), 0);
        assertEq(usdc.balanceOf(suite.swapAdapter), 0);
        assertEq(weth.balanceOf(suite.swapAdapter), 0);
    }

    /* SIZE */

    function test_swap_revertsAboveATenthOfTheCapitalByOneUnit() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.TradeTooLarge.selector, 100e6 + 1, 100e6));
        _buy(100e6 + 1);
        _buy(100e6);
        assertEq(vault.tradedToday().volume, 100e6);
    }

    /// @dev Trades less than a minute apart count together, from the first of them on.
    function test_swap_aMinutesTradesCountTogether() public {
        _buy(60e6);
        vm.warp(block.timestamp + 59);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.TradeTooLarge.selector, 100e6 + 1, 100e6));
        _buy(40e6 + 1);
        _buy(40e6);
        assertEq(vault.tradedToday().lastAt, block.timestamp);
        // A minute after the first, but not after the last.
        vm.warp(block.timestamp + 59);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.TradeTooLarge.selector, 101e6, 100e6));
        _buy(1e6);
        vm.warp(block.timestamp + 1);
        _buy(100e6);
        assertEq(vault.tradedToday().volume, 200e6);
    }

    /// @dev Into a token and out of it again counts twice: churning is what the bound is for.
    function test_swap_lowersExposureWithinTheMinutesBoundToo() public {
        uint256 held = _buy(100e6);
        vm.expectPartialRevert(IVaultTrading.TradeTooLarge.selector);
        _swap(address(weth), address(usdc), held / 100);
    }

    function test_swap_revertsAboveHalfTheCapitalADayByOneUnit() public {
        for (uint256 i; i < 4; ++i) {
            _buy(100e6);
            _pass(1 minutes);
        }
        _buy(99e6);
        _pass(1 minutes);
        bytes memory refused = abi.encodeWithSelector(IVaultTrading.DayVolumeExceeded.selector, 500e6 + 1, 500e6);
        vm.expectRevert(refused);
        _buy(1e6 + 1);
        vm.warp(_midnight() - 1);
        vm.expectRevert(refused);
        _buy(1e6 + 1);
        _buy(1e6);
        vm.warp(block.timestamp + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.TradeTooLarge.selector, 100e6 + 1, 100e6));
        _buy(99e6 + 1);
        _buy(99e6);
        assertEq(vault.tradedToday().volume, 99e6, "a new day; the minute goes on");
        assertEq(vault.tradedToday().basis, 1_000e6, "cost, not price, is the measure");
    }

    /// @dev Before the first trade of a day the view already says what the day will be measured by.
    function test_tradedToday_beforeTheFirstTradeOfADay() public {
        _buy(100e6);
        vm.warp(_midnight());
        DayTraded memory traded = vault.tradedToday();
        assertEq(traded.volume, 0);
        assertEq(traded.loss, 0);
        assertEq(traded.basis, 1_000e6);
        assertEq(traded.day, block.timestamp / 1 days);
    }

    function test_swap_revertsAboveTheUsdcCapital() public {
        _freeTrading();
        vm.expectRevert(
            abi.encodeWithSelector(IVaultTrading.HoldingExceeded.selector, address(usdc), 1_000e6 + 1, 1_000e6)
        );
        _buy(1_000e6 + 1);
        assertEq(vault.credits().llm, 58.8e6, "V-002: credits are no capital");
    }

    function test_swap_revertsAboveTheHolding() public {
        uint256 held = _buy(100e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.HoldingExceeded.selector, address(weth), held + 1, held));
        _swap(address(weth), address(usdc), held + 1);
    }

    /// @dev What the capital never bought is not its to sell.
    function test_swap_revertsForATokenThatWasOnlySentHere() public {
        _mintWeth(address(vault), 1 ether);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.HoldingExceeded.selector, address(weth), 1, 0));
        _swap(address(weth), address(usdc), 1);
    }

    /* PRICE */

    function test_swap_revertsBelowTheOrdersMinimumByOneUnit() public {
        uint256 quoted = _quote(address(usdc), 50e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.BelowMinOut.selector, quoted, quoted + 1));
        vm.prank(KEY);
        vault.swap(
            IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 50e6, quoted + 1, block.timestamp)
        );
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 50e6, quoted, block.timestamp));
        assertEq(weth.balanceOf(address(vault)), quoted);
    }

    function test_swap_revertsBelowTheTwapByMoreThanAHundredth() public {
        swapAsTrader(pool, address(usdc), 60_000e6);
        uint256 quoted = _quote(address(usdc), 100e6);
        uint256 valueOut = TickLib.convertDown(quoted, _wethTick());
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.BelowTrustedPrice.selector, valueOut, 99e6));
        _buy(100e6);
    }

    /// @dev The bound is inclusive: a policy that allows exactly what the pool gives lets the trade pass.
    function test_swap_passesAtTheExactDistanceFromTheTwap() public {
        swapAsTrader(pool, address(usdc), 15_000e6);
        uint256 quoted = _quote(address(usdc), 100e6);
        uint256 valueOut = TickLib.convertDown(quoted, _wethTick());
        // The greatest minimum, in whole basis points, that is still met.
        uint256 bps = FixedPointMathLib.divUp((100e6 - valueOut) * 10_000, 100e6);
        assertGt(bps, 100, "further than the template allows");
        Policy memory policy = _template();
        policy.slippageBps = uint16(bps - 1);
        _setPolicy(policy);
        uint256 minimum = FixedPointMathLib.mulDivUp(100e6, 10_000 - (bps - 1), 10_000);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.BelowTrustedPrice.selector, valueOut, minimum));
        _buy(100e6);
        policy.slippageBps = uint16(bps);
        _setPolicy(policy);
        _buy(100e6);
        assertEq(vault.tradedToday().loss, 100e6 - valueOut);
    }

    function test_swap_revertsWhenTheWindowIsNotCovered() public {
        MockToken token = new MockToken();
        IVenuePool made = _createPool(address(token), 1e18, 100e6);
        token.mint(address(this), 10_000e18);
        usdc.mint(address(this), 1_000_000e6);
        _addLiquidity(address(token), 10_000e18, 1_000_000e6);
        _list(address(token), USE_TOKEN, address(made));
        _list(address(made), USE_POOL, address(0));
        uint256 made_ = block.timestamp;
        IVaultTrading.SwapOrder memory order =
            IVaultTrading.SwapOrder(address(made), address(usdc), address(token), 50e6, 0, made_ + 30 minutes);
        vm.warp(made_ + 30 minutes - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.WindowNotCovered.selector, address(made), 30 minutes));
        vm.prank(KEY);
        vault.swap(order);
        vm.warp(block.timestamp + 1);
        vm.prank(KEY);
        vault.swap(order);
        assertGt(token.balanceOf(address(vault)), 0);
    }

    function test_swap_revertsWhenTheReferencePoolIsTooThin() public {
        uint256 depth = FixedPointMathLib.min(_depth(1 minutes), _depth(30 minutes));
        assertApproxEqRel(depth, 1_500_000e6, 1e15, "over the whole range, depth is the USDC in the pool");
        Policy memory policy = _template();
        policy.minDepth = type(uint64).max;
        _setPolicy(policy);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultTrading.DepthTooLow.selector, address(pool), depth, type(uint64).max)
        );
        _buy(1e6);
        policy.minDepth = uint64(depth) + 1;
        _setPolicy(policy);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DepthTooLow.selector, address(pool), depth, depth + 1));
        _buy(1e6);
        policy.minDepth = uint64(depth);
        _setPolicy(policy);
        _buy(1e6);
        assertEq(vault.books().deployed, 1e6);
    }

    /// @dev The pool's harmonic-mean liquidity in USDC, at its mean price.
    function _depth(uint32 window) private view returns (uint256) {
        uint32[] memory agos = new uint32[](2);
        agos[0] = window;
        (, uint160[] memory perLiquidity) = pool.observe(agos);
        uint256 liquidity = (uint256(window) << 128) / (perLiquidity[1] - perLiquidity[0]);
        bool wethFirst = address(weth) < address(usdc);
        int256 mean = TwapLib.meanTick(address(pool), address(weth), address(usdc), window, 0);
        uint256 root = TickLib.sqrtPriceUp(wethFirst ? mean : -mean);
        return wethFirst
            ? FixedPointMathLib.fullMulDiv(liquidity, root, 1 << 96)
            : FixedPointMathLib.fullMulDiv(liquidity, 1 << 96, root);
    }

    /// @dev A pool's depth is dollars, whatever the token's decimals and worth: one of 8 decimals with a million USDC is
    /// trusted, one of 18 with eight USDC and a mountain of its token is not.
    function test_swap_depthDoesNotDependOnTheTokensUnit() public {
        MockToken coin = new MockToken();
        IVenuePool deep = _createPool(address(coin), 1e8, 60_000e6);
        coin.mint(address(this), 20e8);
        usdc.mint(address(this), 1_200_008e6);
        _addLiquidity(address(coin), 20e8, 1_200_000e6);
        MockToken cheap = new MockToken();
        IVenuePool shallow = _createPool(address(cheap), 1e18, 1);
        cheap.mint(address(this), 8_000_000e18);
        _addLiquidity(address(cheap), 8_000_000e18, 8e6);
        _list(address(coin), USE_TOKEN, address(deep));
        _list(address(deep), USE_POOL, address(0));
        _list(address(cheap), USE_TOKEN, address(shallow));
        _list(address(shallow), USE_POOL, address(0));
        _pass(1 hours);
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(deep), address(usdc), address(coin), 60e6, 0, block.timestamp));
        assertGt(coin.balanceOf(address(vault)), 0);
        vm.expectPartialRevert(IVaultTrading.DepthTooLow.selector);
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(shallow), address(usdc), address(cheap), 1e6, 0, block.timestamp));
    }

    function test_swap_untilItsDeadlineToTheSecond() public {
        uint256 deadline = block.timestamp + 60;
        IVaultTrading.SwapOrder memory order =
            IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 1e6, 0, deadline);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DeadlinePassed.selector, deadline, deadline + 1));
        vm.prank(KEY);
        vault.swap(order);
        vm.warp(deadline);
        vm.prank(KEY);
        vault.swap(order);
        assertEq(vault.books().deployed, 1e6);
    }

    /* LISTS */

    function test_swap_revertsThroughAnUnlistedPool() public {
        _list(address(pool), 0, address(0));
        vm.expectRevert(_notListed(address(pool), USE_POOL));
        _buy(1e6);
    }

    function test_swap_revertsForAnUnlistedToken() public {
        _list(address(weth), 0, address(0));
        vm.expectRevert(_notListed(address(weth), USE_TOKEN));
        _buy(1e6);
    }

    /// @dev A listed pool that the venue did not make, or that trades other tokens, is refused.
    function test_swap_revertsForAPoolThatIsNotTheVenues() public {
        _list(STRANGER, USE_POOL, address(0));
        IVaultTrading.SwapOrder memory order =
            IVaultTrading.SwapOrder(STRANGER, address(usdc), address(weth), 1e6, 0, block.timestamp);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultTrading.NotVenuePool.selector, STRANGER, address(usdc), address(weth))
        );
        vm.prank(KEY);
        vault.swap(order);

        MockToken token = new MockToken();
        IVenuePool made = _createPool(address(token), 1e18, 100e6);
        _list(address(made), USE_POOL, address(0));
        order.pool = address(made);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultTrading.NotVenuePool.selector, address(made), address(usdc), address(weth))
        );
        vm.prank(KEY);
        vault.swap(order);
    }

    function test_swap_revertsWhenATokensReferenceIsNotItsPool() public {
        MockToken token = new MockToken();
        _list(address(token), USE_TOKEN, address(pool));
        vm.expectRevert(
            abi.encodeWithSelector(IVaultTrading.NotVenuePool.selector, address(pool), address(token), address(usdc))
        );
        _swap(address(usdc), address(token), 1e6);
    }

    function test_swap_refusesZeroAndATokenIntoItself() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _buy(0);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.SameToken.selector, address(weth)));
        _swap(address(weth), address(weth), 1);
    }

    /* PHASE AND LOSS */

    function test_swap_conservationOrWorseOnlyLowersExposure() public {
        uint256 held = _buy(100e6);
        _pass(1 minutes);
        Phase[3] memory frozen = [Phase.Conservation, Phase.Declining, Phase.Terminal];
        for (uint64 i; i < 3; ++i) {
            _beat(i + 1, frozen[i]);
            vm.expectRevert(abi.encodeWithSelector(IVaultTrading.ExposureFrozen.selector, frozen[i]));
            _buy(1e6);
            _swap(address(weth), address(usdc), held / 4);
        }
        _beat(4, Phase.Stable);
        _buy(1e6);
        assertGt(vault.books().deployed, 0);
    }

    /// @dev The template's day cannot lose 2% by 50% of volume at 1%, so the bound is shown with a tighter one.
    function test_swap_afterTheDaysLossOnlyLowersExposureUntilMidnight() public {
        Policy memory policy = _template();
        policy.dayLossBps = 2;
        _setPolicy(policy);
        _buy(100e6);
        _pass(1 minutes);
        uint256 loss = vault.tradedToday().loss;
        assertGe(loss, 0.2e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DayLossReached.selector, loss, 0.2e6));
        _buy(1e6);
        _swap(address(weth), address(usdc), 1e15);
        assertGt(vault.tradedToday().loss, loss, "lowering counts but passes");
        vm.warp(_midnight() - 1);
        loss = vault.tradedToday().loss;
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DayLossReached.selector, loss, 0.2e6));
        _buy(1e6);
        vm.warp(block.timestamp + 1);
        _buy(1e6);
        assertLt(vault.tradedToday().loss, 0.2e6);
    }

    function test_swap_lossExactlyAtTheBoundStopsTheDay() public {
        Policy memory policy = _template();
        policy.dayLossBps = 0;
        _setPolicy(policy);
        _buy(1e6);
        uint256 loss = vault.tradedToday().loss;
        assertGt(loss, 0);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DayLossReached.selector, loss, 0));
        _buy(1e6);
    }

    /* ROLES */

    function test_swap_whileAliveOnlyByTheKey() public {
        IVaultTrading.SwapOrder memory order =
            IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 1e6, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, OWNER, KEY));
        vm.prank(OWNER);
        vault.swap(order);
    }

    function _ownerSells(uint256 amount) private returns (uint256) {
        vm.prank(OWNER);
        return
            vault.swap(IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), amount, 0, block.timestamp));
    }

    /// @dev T-003: in Dying key and owner close toward USDC, beyond the day's caps: the key a minute's share at a time,
    /// the owner all of it at once.
    function test_swap_inDyingOnlyTowardUsdcAndBeyondTheDay() public {
        for (uint256 i; i < 5; ++i) {
            _buy(100e6);
            _pass(1 minutes);
        }
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _buy(1e6);
        uint256 held = weth.balanceOf(address(vault));
        uint256 volume = vault.tradedToday().volume;
        assertEq(volume, 500e6, "the day has no room");
        vm.expectPartialRevert(IVaultTrading.TradeTooLarge.selector);
        _swap(address(weth), address(usdc), held / 4);
        _swap(address(weth), address(usdc), held / 6);
        vm.expectPartialRevert(IVaultTrading.TradeTooLarge.selector);
        _swap(address(weth), address(usdc), held / 6);
        _pass(1 minutes);
        _swap(address(weth), address(usdc), held / 6);
        _ownerSells(weth.balanceOf(address(vault)));
        assertEq(weth.balanceOf(address(vault)), 0);
        assertEq(vault.tradedToday().volume, volume, "a closing sale is no part of the day");
        assertEq(vault.books().deployed, 0);
        _assertConserved(vault);
    }

    /// @dev What was traded while Alive counts in the minute of the death.
    function test_swap_inDyingTheMinuteGoesOn() public {
        uint256 held = _buy(100e6);
        _kill();
        vm.expectPartialRevert(IVaultTrading.TradeTooLarge.selector);
        _swap(address(weth), address(usdc), held / 100);
        _pass(1 minutes);
        _swap(address(weth), address(usdc), held / 2);
        assertGt(vault.books().capital, 900e6);
    }

    /// @dev V-031: all that the key's closing sales lose together is at most the slippage on the capital at cost. The owner
    /// goes on.
    function test_swap_inDyingTheKeysLossesHaveOneBound() public {
        Policy memory policy = _template();
        (policy.tradeBps, policy.dayTradeBps, policy.slippageBps) = (10_000, 50_000, 50);
        _setPolicy(policy);
        uint256 held = _buy(900e6);
        // The price doubles and stays, so that there is twice as much to sell as it cost.
        swapAsTrader(pool, address(usdc), 621_000e6);
        _pass(2 hours);
        _kill();
        _swap(address(weth), address(usdc), held / 2);
        _pass(1 minutes);
        vm.expectPartialRevert(IVaultTrading.DayLossReached.selector);
        _swap(address(weth), address(usdc), held / 2);
        _ownerSells(weth.balanceOf(address(vault)));
        assertEq(weth.balanceOf(address(vault)), 0);
    }

    /// @dev V-011: a move that the long mean has not seen. The key sells at the dearer end, which is the long mean after a
    /// fall: it waits. The owner answers to the last minute alone, and not to that while it has not seen the fall either.
    function test_swap_inDyingAfterAFallTheKeyWaitsAndTheOwnerDoesNot() public {
        uint256 held = _buy(100e6);
        _pass(1 minutes);
        _kill();
        swapAsTrader(pool, address(weth), 30 ether);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        _ownerSells(held);
        _pass(1 minutes);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        _swap(address(weth), address(usdc), held);
        _ownerSells(held);
        assertEq(weth.balanceOf(address(vault)), 0);
    }

    /// @dev V-011: after a rise, bending the pool back to the mean that lags sells nothing: what the vault gives counts at
    /// the last minute's price.
    function test_swap_bendingThePoolBackToTheLaggingMeanSellsNothing() public {
        uint256 held = _buy(100e6);
        swapAsTrader(pool, address(usdc), 75_000e6);
        _pass(2 minutes);
        (int256 dearer, int256 cheaper) = _wethEnds();
        assertGt(dearer - cheaper, 500, "the means differ by more than 5%");
        assertEq(dearer, _wethShort());
        swapAsTrader(pool, address(weth), 24.4 ether);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        _swap(address(weth), address(usdc), held);
        _kill();
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        _swap(address(weth), address(usdc), held);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        _ownerSells(held);
    }

    /// @dev The mirror: after a rise what the vault gets counts at the mean of before, so nobody buys into it.
    function test_swap_afterARiseNothingIsBoughtUntilTheMeanHasSeenIt() public {
        swapAsTrader(pool, address(usdc), 75_000e6);
        _pass(2 minutes);
        uint256 quoted = _quote(address(usdc), 100e6);
        uint256 valueOut = TickLib.convertDown(quoted, _wethTick());
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.BelowTrustedPrice.selector, valueOut, 99e6));
        _buy(100e6);
        _pass(30 minutes);
        _buy(100e6);
        assertEq(vault.books().deployed, 100e6);
    }

    /// @dev V-011: the depth of the last minute counts too; whoever takes his liquidity out takes the trust with it. The
    /// owner of a dying Golem sells where he finds a price.
    function test_swap_revertsWhenTheLastMinuteWasThin() public {
        uint256 held = _buy(10e6);
        // Venue minted the first position to this contract: nearly all there is.
        uint128 liquidity = _liquidityOf(1);
        manager.decreaseLiquidity(
            IPositionManager.DecreaseLiquidityParams(1, liquidity - liquidity / 100, 0, 0, block.timestamp)
        );
        _pass(1 minutes);
        bytes memory thin =
            abi.encodeWithSelector(IVaultTrading.DepthTooLow.selector, address(pool), _depth(1 minutes), 50_000e6);
        assertGt(_depth(30 minutes), 50_000e6, "the window does not show it yet");
        vm.expectRevert(thin);
        _buy(1e6);
        _kill();
        vm.expectRevert(thin);
        _swap(address(weth), address(usdc), held);
        _ownerSells(held);
        assertEq(weth.balanceOf(address(vault)), 0);
    }

    function test_swap_inDyingKeepsThePriceBound() public {
        uint256 held = _buy(100e6);
        _pass(1 minutes);
        _kill();
        swapAsTrader(pool, address(weth), 30 ether);
        uint256 quoted = _quote(address(weth), held);
        (int256 dearer,) = _wethEnds();
        uint256 valueIn = TickLib.convertDown(held, dearer) + 1;
        vm.expectRevert(
            abi.encodeWithSelector(
                IVaultTrading.BelowTrustedPrice.selector, quoted, FixedPointMathLib.mulDivUp(valueIn, 9_900, 10_000)
            )
        );
        _swap(address(weth), address(usdc), held);
    }

    function test_swap_inDyingRefusesStrangersAndTheSellersKey() public {
        _buy(100e6);
        _kill();
        IVaultTrading.SwapOrder memory order =
            IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), 1e15, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotKeyOrOwner.selector, STRANGER, KEY, OWNER));
        vm.prank(STRANGER);
        vault.swap(order);
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER));
        vm.prank(KEY);
        vault.swap(order);
    }

    function test_swap_revertsWhenDead() public {
        _kill();
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Alive));
        _swap(address(weth), address(usdc), 1);
    }

    /* HOLDINGS */

    function _newToken() private returns (MockToken token, IVenuePool made) {
        token = new MockToken();
        made = _createPool(address(token), 1e18, 100e6);
        token.mint(address(this), 1_000e18);
        usdc.mint(address(this), 100_000e6);
        _addLiquidity(address(token), 1_000e18, 100_000e6);
        _list(address(token), USE_TOKEN, address(made));
        _list(address(made), USE_POOL, address(0));
    }

    /// @dev V-015: at most 8 tokens; selling all of one and pruning it makes room.
    function test_swap_revertsForANinthToken() public {
        _freeTrading();
        address[] memory tokens = new address[](9);
        address[] memory pools = new address[](9);
        for (uint256 i; i < 9; ++i) {
            (MockToken token, IVenuePool made) = _newToken();
            (tokens[i], pools[i]) = (address(token), address(made));
        }
        _pass(1 hours);
        for (uint256 i; i < 8; ++i) {
            vm.prank(KEY);
            vault.swap(IVaultTrading.SwapOrder(pools[i], address(usdc), tokens[i], 10e6, 0, block.timestamp));
        }
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.ListFull.selector, 8, 8));
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(pools[8], address(usdc), tokens[8], 10e6, 0, block.timestamp));

        uint256 held = MockToken(tokens[2]).balanceOf(address(vault));
        vm.startPrank(KEY);
        vault.swap(IVaultTrading.SwapOrder(pools[2], tokens[2], address(usdc), held, 0, block.timestamp));
        vm.expectEmit(address(vault));
        emit IVaultTrading.Pruned(tokens[2]);
        vault.prune(tokens[2]);
        vault.swap(IVaultTrading.SwapOrder(pools[8], address(usdc), tokens[8], 10e6, 0, block.timestamp));
        vm.stopPrank();
        assertEq(vault.holdings().length, 8);
        assertEq(vault.books().deployed, 80e6);
    }

    function test_swap_tokenThatTakesAFeeIsMeasuredByWhatArrives() public {
        _freeTrading();
        (MockToken token, IVenuePool made) = _newToken();
        _pass(1 hours);
        token.setMood(MockToken.Mood.TakesFee);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(made), address(usdc), address(token), 10e6, 0, block.timestamp));
        _assertConserved(vault);
    }

    /* PRUNE */

    function test_prune_refusals() public {
        vm.expectRevert(_notListed(address(weth), USE_TOKEN));
        vm.prank(KEY);
        vault.prune(address(weth));
        _buy(100e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.StillHeld.selector, address(weth), 100e6, 0));
        vm.prank(OWNER);
        vault.prune(address(weth));
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotKeyOrOwner.selector, STRANGER, KEY, OWNER));
        vm.prank(STRANGER);
        vault.prune(address(weth));
        _pass(1 minutes);
        _sellAll();
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.prune(address(weth));
    }

    /// @dev Anyone can leave dust of a token here before all of it is sold; up to a cent of cost is written off with it.
    function test_prune_writesTheCostOfDustOff() public {
        uint256 held = _buy(100e6);
        _mintWeth(address(vault), held / 5_000);
        _pass(1 minutes);
        uint256 snapshot = vm.snapshotState();
        _swap(address(weth), address(usdc), held);
        uint256 left = vault.holdings()[0].book;
        assertGt(left, 0.01e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.StillHeld.selector, address(weth), left, 0));
        vm.prank(KEY);
        vault.prune(address(weth));

        vm.revertToState(snapshot);
        _swap(address(weth), address(usdc), held + held / 10_000);
        left = vault.holdings()[0].book;
        assertGt(left, 0);
        assertLe(left, 0.01e6);
        vm.expectEmit(address(vault));
        emit IVaultTrading.Booked(address(weth), 0, 0, 0);
        vm.expectEmit(address(vault));
        emit IVaultTrading.Pruned(address(weth));
        vm.prank(KEY);
        vault.prune(address(weth));
        assertEq(vault.books().deployed, 0);
        assertEq(vault.holdings().length, 0);
    }

    function test_prune_byTheOwner() public {
        _buy(100e6);
        _pass(1 minutes);
        _sellAll();
        assertEq(vault.holdings().length, 1, "an empty line waits");
        vm.prank(OWNER);
        vault.prune(address(weth));
        assertEq(vault.holdings().length, 0);
    }
}

/// @title refuel (V-008)
contract RefuelTest is UnitTest {
    function _refuel(uint256 amount, uint256 minOut) private returns (uint256) {
        vm.prank(KEY);
        return vault.refuel(address(pool), amount, minOut, block.timestamp);
    }

    function test_refuel_paysTheKeyNativeCoinFromTheGasPartition() public {
        uint256 snapshot = vm.snapshotState();
        uint256 quoted = swapAsTrader(pool, address(usdc), 5e6);
        vm.revertToState(snapshot);
        vm.expectEmit(address(vault));
        emit IVaultTrading.Refuelled(KEY, 5e6, quoted, 2.35e6);
        assertEq(_refuel(5e6, quoted), quoted);
        assertEq(KEY.balance, quoted);
        assertEq(vault.credits().gas, 19.5e6);
        assertEq(address(vault).balance, 0);
        assertEq(weth.balanceOf(address(vault)), 0);
        assertEq(vault.books().capital, 1_000e6);
        _assertConserved(vault);
    }

    function test_refuel_underTheCapsOfTheGasPartition() public {
        vm.expectRevert(
            abi.encodeWithSelector(IVaultRules.DayCapExceeded.selector, PartitionId.Gas, 7.35e6 + 1, 7.35e6)
        );
        _refuel(7.35e6 + 1, 0);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.CallCapExceeded.selector, 10e6 + 1, 10e6));
        _refuel(10e6 + 1, 0);
        vm.prank(KEY);
        vault.spend(PartitionId.Gas, PAYEE, 7e6);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultRules.DayCapExceeded.selector, PartitionId.Gas, 7.35e6 + 1, 7.35e6)
        );
        _refuel(0.35e6 + 1, 0);
        _refuel(0.35e6, 0);
        assertGt(KEY.balance, 0);
    }

    function test_refuel_boundedByTheTwapAndTheOrder() public {
        vm.expectPartialRevert(IVaultTrading.BelowMinOut.selector);
        _refuel(5e6, 1 ether);
        swapAsTrader(pool, address(usdc), 60_000e6);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        _refuel(5e6, 0);
        assertEq(vault.credits().gas, 24.5e6);
    }

    function test_refuel_untilItsDeadlineToTheSecond() public {
        uint256 deadline = block.timestamp + 60;
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.DeadlinePassed.selector, deadline, deadline + 1));
        vm.prank(KEY);
        vault.refuel(address(pool), 1e6, 0, deadline);
        vm.warp(deadline);
        vm.prank(KEY);
        vault.refuel(address(pool), 1e6, 0, deadline);
        assertGt(KEY.balance, 0);
    }

    function test_refuel_refusals() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _refuel(0, 0);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, OWNER, KEY));
        vm.prank(OWNER);
        vault.refuel(address(pool), 1e6, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, STRANGER, USE_POOL));
        vm.prank(KEY);
        vault.refuel(STRANGER, 1e6, 0, block.timestamp);
        _list(address(weth), 0, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, address(weth), USE_TOKEN));
        _refuel(1e6, 0);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _refuel(1e6, 0);
    }

    function test_refuel_keyThatTakesNoNativeCoin() public {
        ContractWallet wallet = new ContractWallet(false, false);
        vm.prank(OWNER);
        vault.rotateKey(address(wallet));
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.RefuelRefused.selector, address(wallet)));
        wallet.act(address(vault), abi.encodeCall(IVaultTrading.refuel, (address(pool), 1e6, 0, block.timestamp)));
        assertEq(vault.credits().gas, 24.5e6);
    }

    function test_refuel_passesInEveryPhase() public {
        _beat(1, Phase.Terminal);
        _refuel(1e6, 0);
        assertGt(KEY.balance, 0);
    }

    function test_module_refusesToActByItself() public {
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(
            IVaultTrading.swap,
            (IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 1e6, 0, block.timestamp))
        );
        calls[1] = abi.encodeCall(IVaultTrading.refuel, (address(pool), 1e6, 0, block.timestamp));
        calls[2] = abi.encodeCall(IVaultTrading.prune, (address(weth)));
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory answer) = suite.trading.call(calls[i]);
            assertFalse(ok);
            assertEq(answer, abi.encodeWithSelector(IVaultRules.NotDelegated.selector));
        }
    }
}
