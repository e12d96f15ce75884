// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {Books, Holding, Policy, Position, USE_POOL} from "contracts/types/Money.sol";

import {MockToken} from "test/mocks/MockToken.sol";
import {UnitTest} from "test/unit/UnitTest.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @title mintPosition, increasePosition, decreasePosition (V-011, V-012, V-015)
contract PositionsTest is UnitTest {
    bool private wethFirst;

    function setUp() public override {
        super.setUp();
        wethFirst = address(weth) < address(usdc);
        _buy(100e6);
    }

    function _increase(uint256 id, uint256 wethAmount, uint256 usdcAmount) private {
        (uint256 a, uint256 b) = wethFirst ? (wethAmount, usdcAmount) : (usdcAmount, wethAmount);
        vm.prank(KEY);
        vault.increasePosition(id, a, b, 0, 0);
    }

    function _decrease(uint256 id, uint128 liquidity) private {
        vm.prank(KEY);
        vault.decreasePosition(id, liquidity, 0, 0);
    }

    function _deviation() private view returns (uint256) {
        (uint160 spot,,,,,,) = pool.slot0();
        int256 tick = _wethTick();
        return TickLib.deviationBpsUp(spot, wethFirst ? tick : -tick);
    }

    /// @dev The books of the deployed are the sum of their lines.
    function _assertBooks() private view {
        uint256 sum;
        Holding[] memory held = vault.holdings();
        for (uint256 i; i < held.length; ++i) {
            sum += held[i].book;
        }
        Position[] memory open = vault.positions();
        for (uint256 i; i < open.length; ++i) {
            sum += open[i].book;
        }
        assertEq(vault.books().deployed, sum, "deployed");
        _assertConserved(vault);
    }

    /* MINT */

    function test_mintPosition_opensBooksAndLists() public {
        uint256 usdcBefore = usdc.balanceOf(address(vault));
        uint256 wethBefore = weth.balanceOf(address(vault));
        uint256 bookBefore = vault.holdings()[0].book;
        vm.recordLogs();
        uint256 id = _mint(0.01 ether, 30e6);
        uint256 usedUsdc = usdcBefore - usdc.balanceOf(address(vault));
        uint256 usedWeth = wethBefore - weth.balanceOf(address(vault));
        assertGt(usedUsdc, 29e6);
        assertGt(usedWeth, 0.009 ether);

        Position[] memory open = vault.positions();
        assertEq(open.length, 1);
        assertEq(open[0].tokenId, id);
        uint256 wethCost = bookBefore * usedWeth / wethBefore;
        assertEq(open[0].book, usedUsdc + wethCost, "at cost");
        assertEq(vault.holdings()[0].positions, 1, "the line is tied");
        (, bytes memory owner) = address(manager).staticcall(abi.encodeWithSignature("ownerOf(uint256)", id));
        assertEq(abi.decode(owner, (address)), address(vault), "V-011: the recipient is the vault");
        _assertBooks();
    }

    function test_mintPosition_emitsWhatItUsedAndBooked() public {
        uint256 snapshot = vm.snapshotState();
        uint256 id = _mint(0.01 ether, 30e6);
        Books memory after_ = vault.books();
        uint256 usedUsdc = 900e6 - after_.capital;
        uint256 wethLeft = weth.balanceOf(address(vault));
        vm.revertToState(snapshot);
        uint256 usedWeth = weth.balanceOf(address(vault)) - wethLeft;
        uint256 value = usedUsdc + TickLib.convertDown(usedWeth, _wethTick()) + 1;
        uint256 loss = FixedPointMathLib.mulDivUp(value, _deviation(), 10_000);
        uint256 lossBefore = vault.tradedToday().loss;

        vm.expectEmit(address(vault));
        emit IVaultLiquidity.LiquidityAdded(
            id,
            address(pool),
            wethFirst ? usedWeth : usedUsdc,
            wethFirst ? usedUsdc : usedWeth,
            value,
            loss,
            after_.capital,
            after_.deployed
        );
        _mint(0.01 ether, 30e6);
        assertEq(vault.tradedToday().volume, 100e6 + value);
        assertEq(vault.tradedToday().loss, lossBefore + loss);
    }

    function test_mintPosition_leavesNoApprovalAndNothingInTheAdapter() public {
        _mint(0.01 ether, 30e6);
        assertEq(usdc.allowance(suite.positionAdapter, address(manager)), 0);
        assertEq(usdc.balanceOf(suite.positionAdapter), 0);
        assertEq(weth.balanceOf(suite.positionAdapter), 0);
    }

    function test_mintPosition_sizeIsATrade() public {
        _freeTrading();
        _buy(300e6);
        Policy memory policy = _template();
        _setPolicy(policy);
        vm.expectPartialRevert(IVaultTrading.TradeTooLarge.selector);
        _mint(0.05 ether, 150e6);
    }

    function test_mintPosition_revertsAboveWhatIsHeld() public {
        uint256 held = weth.balanceOf(address(vault));
        IVaultLiquidity.MintOrder memory order = _mintOrder(held + 1, 1e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.HoldingExceeded.selector, address(weth), held + 1, held));
        vm.prank(KEY);
        vault.mintPosition(order);
        order = _mintOrder(1, 900e6 + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.HoldingExceeded.selector, address(usdc), 900e6 + 1, 900e6));
        vm.prank(KEY);
        vault.mintPosition(order);
    }

    function test_mintPosition_revertsOnTwoZeroes() public {
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _mint(0, 0);
    }

    function test_mintPosition_oneSidedIsAllowed() public {
        (, int24 tick,,,,,) = pool.slot0();
        IVaultLiquidity.MintOrder memory order = _mintOrder(0, 30e6);
        // All USDC: a range on its side of the price.
        int24 base = tick / SPACING * SPACING;
        (order.tickLower, order.tickUpper) =
            wethFirst ? (base - 10 * SPACING, base - SPACING) : (base + 2 * SPACING, base + 12 * SPACING);
        vm.prank(KEY);
        vault.mintPosition(order);
        assertApproxEqAbs(vault.positions()[0].book, 30e6, 1);
        _assertBooks();
    }

    function test_mintPosition_revertsWhileTheSpotIsBent() public {
        swapAsTrader(pool, address(usdc), 60_000e6);
        uint256 deviation = _deviation();
        assertGt(deviation, 100);
        vm.expectRevert(abi.encodeWithSelector(IVaultLiquidity.SpotTooFar.selector, address(pool), deviation, 100));
        _mint(0.01 ether, 30e6);
        Policy memory policy = _template();
        policy.slippageBps = uint16(deviation - 1);
        _setPolicy(policy);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultLiquidity.SpotTooFar.selector, address(pool), deviation, deviation - 1)
        );
        _mint(0.01 ether, 30e6);
        policy.slippageBps = uint16(deviation);
        _setPolicy(policy);
        _mint(0.01 ether, 30e6);
        assertEq(vault.positions().length, 1, "at the bound it passes");
    }

    function test_mintPosition_takesSixteenAndNotOneMore() public {
        _freeTrading();
        for (uint256 i; i < 16; ++i) {
            _mint(0.001 ether, 3e6);
        }
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.ListFull.selector, 16, 16));
        _mint(0.001 ether, 3e6);
        assertEq(vault.holdings()[0].positions, 16);
        _assertBooks();
        // Closing one makes room for one.
        uint256 id = vault.positions()[3].tokenId;
        _decrease(id, _liquidityOf(id));
        _mint(0.001 ether, 3e6);
        assertEq(vault.positions().length, 16);
    }

    function test_mintPosition_refusals() public {
        IVaultLiquidity.MintOrder memory order = _mintOrder(0.01 ether, 30e6);
        vm.expectRevert(abi.encodeWithSignature("NotKey(address,address)", OWNER, KEY));
        vm.prank(OWNER);
        vault.mintPosition(order);
        _beat(1, Phase.Conservation);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.ExposureFrozen.selector, Phase.Conservation));
        vm.prank(KEY);
        vault.mintPosition(order);
        _beat(2, Phase.Stable);
        _list(address(pool), 0, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, address(pool), USE_POOL));
        vm.prank(KEY);
        vault.mintPosition(order);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(KEY);
        vault.mintPosition(order);
    }

    /* INCREASE */

    function test_increasePosition_addsToTheBook() public {
        uint256 id = _mint(0.01 ether, 30e6);
        uint256 before = vault.positions()[0].book;
        uint128 liquidity = _liquidityOf(id);
        _increase(id, 0.001 ether, 3e6);
        assertGt(vault.positions()[0].book, before + 5e6);
        assertGt(_liquidityOf(id), liquidity);
        assertEq(vault.positions().length, 1);
        _assertBooks();
    }

    function test_increasePosition_refusals() public {
        uint256 id = _mint(0.01 ether, 30e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultLiquidity.UnknownPosition.selector, id + 1));
        _increase(id + 1, 1, 1);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _increase(id, 0, 0);
        _beat(1, Phase.Terminal);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.ExposureFrozen.selector, Phase.Terminal));
        _increase(id, 0.001 ether, 3e6);
        _beat(2, Phase.Stable);
        uint256 snapshot = vm.snapshotState();
        _list(address(pool), 0, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, address(pool), USE_POOL));
        _increase(id, 0.001 ether, 3e6);
        vm.revertToState(snapshot);
        swapAsTrader(pool, address(usdc), 60_000e6);
        uint256 deviation = _deviation();
        vm.expectRevert(abi.encodeWithSelector(IVaultLiquidity.SpotTooFar.selector, address(pool), deviation, 100));
        _increase(id, 0.001 ether, 3e6);
    }

    /// @dev V-015: only ids an adapter minted. One that was sent here is not the capital's to touch.
    function test_increasePosition_foreignIdIsUnknown() public {
        _mintWeth(address(this), 1 ether);
        usdc.mint(address(this), 3_000e6);
        uint256 id = _addLiquidity(address(weth), 1 ether, 3_000e6);
        (bool ok,) = address(manager)
            .call(abi.encodeWithSignature("transferFrom(address,address,uint256)", address(this), address(vault), id));
        assertTrue(ok);
        vm.expectRevert(abi.encodeWithSelector(IVaultLiquidity.UnknownPosition.selector, id));
        _increase(id, 1, 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultLiquidity.UnknownPosition.selector, id));
        _decrease(id, 1);
    }

    /* DECREASE */

    function test_decreasePosition_halfReleasesHalfTheBook() public {
        uint256 id = _mint(0.01 ether, 30e6);
        uint256 book = vault.positions()[0].book;
        uint128 liquidity = _liquidityOf(id);
        _decrease(id, liquidity / 2);
        assertEq(vault.positions()[0].book, book - book * (liquidity / 2) / liquidity);
        assertEq(_liquidityOf(id), liquidity - liquidity / 2);
        assertEq(vault.holdings()[0].positions, 1);
        _assertBooks();
        address operator = manager.positions(id).operator;
        assertEq(operator, address(0), "V-011: the approval is gone");
    }

    function test_decreasePosition_allClosesAndUntiesTheLine() public {
        uint256 id = _mint(0.01 ether, 30e6);
        uint128 liquidity = _liquidityOf(id);
        uint256 snapshot = vm.snapshotState();
        uint256 usdcBefore = usdc.balanceOf(address(vault));
        uint256 wethBefore = weth.balanceOf(address(vault));
        _decrease(id, liquidity);
        uint256 gotUsdc = usdc.balanceOf(address(vault)) - usdcBefore;
        uint256 gotWeth = weth.balanceOf(address(vault)) - wethBefore;
        Books memory books = vault.books();
        assertEq(vault.positions().length, 0);
        assertEq(vault.holdings()[0].positions, 0);
        _assertBooks();
        vm.revertToState(snapshot);

        vm.expectEmit(address(vault));
        emit IVaultTrading.Booked(address(0), id, 0, 0);
        vm.expectEmit(address(vault));
        emit IVaultLiquidity.LiquidityRemoved(
            id,
            liquidity,
            wethFirst ? gotWeth : gotUsdc,
            wethFirst ? gotUsdc : gotWeth,
            true,
            books.capital,
            books.deployed
        );
        _decrease(id, liquidity);
    }

    function test_decreasePosition_zeroTakesOnlyTheFeesAsProfit() public {
        uint256 id = _mint(0.01 ether, 30e6);
        uint256 book = vault.positions()[0].book;
        uint256 capital = vault.books().capital;
        for (uint256 i; i < 4; ++i) {
            swapAsTrader(pool, address(usdc), 100_000e6);
            swapAsTrader(pool, address(weth), 33.3 ether);
        }
        _pass(1 hours);
        _decrease(id, 0);
        assertGt(vault.books().capital, capital, "fees in USDC are capital");
        assertEq(vault.positions()[0].book, book, "the position keeps its cost");
        _assertBooks();
    }

    function test_decreasePosition_revertsAboveTheLiquidityByOne() public {
        uint256 id = _mint(0.01 ether, 30e6);
        uint128 liquidity = _liquidityOf(id);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultLiquidity.LiquidityExceeded.selector, id, uint256(liquidity) + 1, liquidity)
        );
        _decrease(id, liquidity + 1);
    }

    function test_decreasePosition_revertsWhileTheSpotIsBent() public {
        uint256 id = _mint(0.01 ether, 30e6);
        swapAsTrader(pool, address(weth), 30 ether);
        uint256 deviation = _deviation();
        vm.expectRevert(abi.encodeWithSelector(IVaultLiquidity.SpotTooFar.selector, address(pool), deviation, 100));
        _decrease(id, 1);
    }

    /// @dev V-012, T-003: lowering exposure passes in every phase, after delisting the pool, and in Dying by the owner.
    function test_decreasePosition_passesInTerminalAndInDying() public {
        uint256 id = _mint(0.01 ether, 30e6);
        _beat(1, Phase.Terminal);
        _list(address(pool), 0, address(0));
        uint128 liquidity = _liquidityOf(id);
        _decrease(id, liquidity / 4);
        _kill();
        _decrease(id, liquidity / 4);
        uint128 rest = _liquidityOf(id);
        vm.prank(OWNER);
        vault.decreasePosition(id, rest, 0, 0);
        assertEq(vault.positions().length, 0);
        _assertBooks();
    }

    /// @dev The USDC that comes back covers the cost first; what is above it is profit, what is missing stays with the
    /// token that came back.
    function test_decreasePosition_keepsTheCostOfWhatIsNotYetRecovered() public {
        uint256 id = _mint(0.01 ether, 30e6);
        uint256 book = vault.positions()[0].book;
        uint256 heldBook = vault.holdings()[0].book;
        uint256 capital = vault.books().capital;
        _decrease(id, _liquidityOf(id));
        uint256 got = vault.books().capital - capital;
        assertEq(vault.holdings()[0].book, heldBook + book - got);
        _assertBooks();
    }

    /// @dev A position that comes back all in USDC leaves no cost behind.
    function test_decreasePosition_allInUsdcRealisesTheRest() public {
        (, int24 tick,,,,,) = pool.slot0();
        IVaultLiquidity.MintOrder memory order = _mintOrder(0, 30e6);
        int24 base = tick / SPACING * SPACING;
        (order.tickLower, order.tickUpper) =
            wethFirst ? (base - 10 * SPACING, base - SPACING) : (base + 2 * SPACING, base + 12 * SPACING);
        vm.prank(KEY);
        uint256 id = vault.mintPosition(order);
        uint256 heldBook = vault.holdings()[0].book;
        _decrease(id, _liquidityOf(id));
        assertEq(vault.holdings()[0].book, heldBook);
        assertEq(vault.books().deployed, heldBook);
        _assertBooks();
    }

    /// @dev V-015: a line with a position cannot be pruned, so a full list never stops a closing.
    function test_prune_revertsWhileAPositionMayPayOutInTheToken() public {
        uint256 id = _mint(0.01 ether, 30e6);
        uint256 held = weth.balanceOf(address(vault));
        _swap(address(weth), address(usdc), held);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.StillHeld.selector, address(weth), 0, 1));
        vm.prank(KEY);
        vault.prune(address(weth));
        _decrease(id, _liquidityOf(id));
        assertEq(vault.positions().length, 0);
    }

    /// @dev A pool of two tokens, neither of them USDC: each priced by its own reference pool.
    function test_position_inAPoolWithoutUsdc() public {
        _freeTrading();
        MockToken token = new MockToken();
        IVenuePool reference_ = _createPool(address(token), 1e18, 100e6);
        token.mint(address(this), 20_000e18);
        usdc.mint(address(this), 1_000_000e6);
        _addLiquidity(address(token), 10_000e18, 1_000_000e6);
        IVenuePool cross = IVenuePool(factory.createPool(address(token), address(weth), FEE));
        // 1 WETH = 30 tokens.
        bool tokenFirst = address(token) < address(weth);
        (uint256 a0, uint256 a1) = tokenFirst ? (uint256(30), uint256(1)) : (uint256(1), uint256(30));
        cross.initialize(uint160(FixedPointMathLib.sqrt((a1 << 192) / a0)));
        _pass(1 hours);
        _list(address(token), 32, address(reference_));
        _list(address(reference_), USE_POOL, address(0));
        _list(address(cross), USE_POOL, address(0));
        vm.prank(KEY);
        vault.swap(
            IVaultTrading.SwapOrder(address(reference_), address(usdc), address(token), 100e6, 0, block.timestamp)
        );

        uint256 tokens = token.balanceOf(address(vault)) / 2;
        uint256 wethAmount = tokens / 30;
        IVaultLiquidity.MintOrder memory order;
        order.pool = address(cross);
        (order.tickLower, order.tickUpper) = (FULL_LOWER, FULL_UPPER);
        (order.amount0, order.amount1) = tokenFirst ? (tokens, wethAmount) : (wethAmount, tokens);
        vm.prank(KEY);
        uint256 id = vault.mintPosition(order);
        _assertBooks();
        uint256 deployed = vault.books().deployed;
        _decrease(id, _liquidityOf(id) / 3);
        _assertBooks();
        _decrease(id, _liquidityOf(id));
        assertEq(vault.books().deployed, deployed, "no USDC came back, so no cost is recovered");
        _assertBooks();
    }
}
