// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IPositionAdapter, ISwapAdapter} from "contracts/interfaces/IAdapters.sol";
import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Listing, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {AuditTest} from "./AuditTest.sol";
import {MockToken} from "test/mocks/MockToken.sol";
import {ReEnteringToken} from "test/mocks/ReEnteringToken.sol";
import {IErc20, IVenuePool} from "test/utils/Venue.sol";

/// @title The audit, the venue: dust, re-entry, depth, pools that forget, orders that wait (issue 18, points 5, 7, 12,
/// 13)
contract AuditVenueTest is AuditTest {
    uint64 internal constant MIN_DEPTH = 50_000e6;

    /* 5: DUST AND RE-ENTRY */

    /// @dev Goal of a stranger: one unit in the shared adapter, and no vault can open one-sided liquidity any more.
    function test_dust_doesNotStopOneSidedLiquidity() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _bendSpot(0);
        _pass(1 minutes);
        for (uint256 i; i < 4; ++i) {
            uint256 state = vm.snapshotState();
            // Dust of the one, of the other, of both; a position of the one, of the other.
            if (i != 1) usdc.mint(suite.positionAdapter, 1);
            if (i != 0) _mintWeth(suite.positionAdapter, 1);
            _assertMints(_oneSided(i == 3 ? address(weth) : address(usdc)), i);
            vm.revertToState(state);
        }
    }

    /// @dev The same for a position that is there already, and for tokens that were sent on purpose: nobody is paid by
    /// them.
    function test_dust_doesNotStopAnIncrease() public {
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _bendSpot(0);
        _pass(1 minutes);
        uint256 id = _mintOneSided();
        usdc.mint(suite.positionAdapter, 7);
        _mintWeth(suite.positionAdapter, 1);
        _nextBlock();
        bool usdcFirst = address(usdc) < address(weth);
        (bool ok,) = _try(
            KEY,
            address(vault),
            abi.encodeCall(vault.increasePosition, (id, usdcFirst ? 20e6 : 0, usdcFirst ? 0 : 20e6, 0, 0))
        );
        assertTrue(ok, "a unit of dust stops an increase");
        _assertConserved(vault);
    }

    /// @dev Adapters pay out what the caller sent and the venue left, never everything here.
    function test_adapter_neverPaysEverythingHere() public {
        _giveBirth();
        usdc.mint(suite.positionAdapter, 50e6);
        _mintWeth(suite.positionAdapter, 1 ether);
        // A stranger with a position of his own, one-sided and tiny.
        usdc.mint(STRANGER, 1e6);
        vm.prank(STRANGER);
        usdc.transfer(suite.positionAdapter, 1e6);
        IVaultLiquidity.MintOrder memory order = _oneSided(address(usdc));
        bool usdcFirst = address(usdc) < address(weth);
        IPositionAdapter.Deposit memory deposit =
            IPositionAdapter.Deposit(pool.token0(), pool.token1(), usdcFirst ? 1e6 : 0, usdcFirst ? 0 : 1e6, 0, 0);
        _try(
            STRANGER,
            suite.positionAdapter,
            abi.encodeCall(IPositionAdapter.mint, (deposit, FEE, order.tickLower, order.tickUpper))
        );
        assertEq(weth.balanceOf(STRANGER), 0, "the adapter paid out WETH that nobody had sent in this call");
        assertLe(usdc.balanceOf(STRANGER), 1e6, "the adapter paid out USDC that nobody had sent in this call");
    }

    /// @dev Goal of a listed token: be paid with the vault's USDC while it lies in the adapter.
    function test_reEnteringToken_getsNothing() public {
        ReEnteringToken token = new ReEnteringToken(suite.positionAdapter);
        token.mint(address(this), 2_000 ether);
        IVenuePool at = _pricedPool(address(token), 1e18, 3_000e6, 500 ether, 1_500_000e6);
        _bear(address(token), at);
        (bool ok,) = _try(KEY, address(vault), _swapCall(address(at), address(usdc), address(token), 90e6));
        assertTrue(ok, "the token was not bought");
        _pass(1 hours);
        _armToken(token, at);

        // Only the token is taken by the position; the USDC sent along lies in the adapter meanwhile.
        (IVaultLiquidity.MintOrder memory order, bool tokenFirst) = _ofTokenAlone(token, at, SPACING);
        if (tokenFirst) order.amount1 = 85e6;
        else order.amount0 = 85e6;
        uint256 before = usdc.balanceOf(address(vault));
        _try(KEY, address(vault), abi.encodeCall(vault.mintPosition, (order)));
        assertEq(usdc.balanceOf(address(token)), 0, "a token that re-entered the adapter was paid");
        assertEq(usdc.balanceOf(address(vault)), before, "USDC left the vault without a position taking it");
        assertFalse(token.landed(), "the adapter was entered again");
        _assertConserved(vault);
    }

    /// @dev In between, the token will open a position in a pool of its own, since the first is locked.
    function _armToken(ReEnteringToken token, IVenuePool at) private {
        (uint160 spot,,,,,,) = at.slot0();
        IVenuePool(factory.createPool(address(token), address(usdc), 500)).initialize(spot);
        (IVaultLiquidity.MintOrder memory order,) = _ofTokenAlone(token, at, 10);
        token.arm(
            IPositionAdapter.Deposit(at.token0(), at.token1(), order.amount0 / 2, order.amount1 / 2, 0, 0),
            500,
            order.tickLower,
            order.tickUpper
        );
    }

    /// @dev A tenth of what the vault holds of the token, in the range beside the price that takes only that.
    function _ofTokenAlone(ReEnteringToken token, IVenuePool at, int24 spacing)
        private
        view
        returns (IVaultLiquidity.MintOrder memory order, bool tokenFirst)
    {
        tokenFirst = address(token) < address(usdc);
        (, int24 tick,,,,,) = at.slot0();
        order.pool = address(at);
        (order.tickLower, order.tickUpper) = _beside(tick, spacing, tokenFirst);
        uint256 amount = token.balanceOf(address(vault)) / 10;
        if (tokenFirst) order.amount0 = amount;
        else order.amount1 = amount;
    }

    /* 7: DEPTH IN USDC */

    /// @dev 50 M USDC on one side against a token of 8 decimals at 100,000 USDC: as deep as it gets.
    function test_depth_aDeepPoolOfFewDecimalsIsAccepted() public {
        MockToken token = new MockToken();
        token.mint(address(this), 1_000e8);
        IVenuePool at = _pricedPool(address(token), 1e8, 100_000e6, 500e8, 50_000_000e6);
        _bear(address(token), at);
        (bool ok,) = _try(KEY, address(vault), _swapCall(address(at), address(usdc), address(token), 50e6));
        assertTrue(ok, "a pool of 100 M USDC is refused for its token's decimals");
    }

    /// @dev 8 USDC in all against a token of which a billion costs one: nobody's price.
    function test_depth_aShallowPoolOfACheapTokenIsRefused() public {
        MockToken token = new MockToken();
        token.mint(address(this), 10e9 * 1e18);
        IVenuePool at = IVenuePool(factory.createPool(address(token), address(usdc), FEE));
        // 1e21 raw units of the token for one of USDC.
        uint256 root = FixedPointMathLib.sqrt(uint256(1e21) << 160) << 16;
        at.initialize(uint160(address(token) < address(usdc) ? (1 << 192) / root : root));
        at.increaseObservationCardinalityNext(200);
        _addLiquidity(address(token), 4e9 * 1e18, 4e6);
        _pass(1 hours);
        _bear(address(token), at);
        _assertRefused(
            KEY,
            address(vault),
            _swapCall(address(at), address(usdc), address(token), 0.002e6),
            "DepthTooLow(address,uint256,uint256)"
        );
    }

    /// @dev The measure is the USDC side: just under the minimum is refused, just above is not.
    function test_depth_isMeasuredInUsdc() public {
        uint256[2] memory sides = [uint256(49_000e6), 51_000e6];
        for (uint256 i; i < 2; ++i) {
            MockToken token = new MockToken();
            token.mint(address(this), 1_000_000 ether);
            IVenuePool at = _pricedPool(address(token), 1 ether, 2e6, sides[i] * 1 ether / 2e6, sides[i]);
            IBirth.Order memory order = _orderWith(address(token), at);
            order.nonce = i;
            _giveBirth(order);
            (bool ok,) = _try(KEY, address(vault), _swapCall(address(at), address(usdc), address(token), 50e6));
            assertEq(ok, i == 1, i == 0 ? "a pool of 49,000 USDC is trusted" : "a pool of 51,000 USDC is refused");
        }
    }

    /* 12: A POOL THAT FORGETS */

    /// @dev What a stranger's few cheap swaps do to a pool with few observations, the preflight has said beforehand.
    function test_preflight_saysWhyAPoolIsRefused() public {
        ISwapAdapter.PoolReport memory report = _preflight(address(pool), address(weth), 30 minutes);
        assertEq(report.refusal, "", "a good pool is refused");
        assertApproxEqRel(report.depth, 1_500_000e6, 0.01e18, "depth");
        assertGe(report.coveredSeconds, 30 minutes, "covered");
        assertEq(report.observationsNext, 200, "observations to come");

        // Too shallow, too young, no pool at all.
        MockToken token = new MockToken();
        token.mint(address(this), 1_000 ether);
        IVenuePool at = _pricedPool(address(token), 1 ether, 1e6, 100 ether, 100e6);
        report = _preflight(address(at), address(token), 30 minutes);
        assertGt(bytes(report.refusal).length, 0, "a shallow pool passes");
        assertApproxEqRel(report.depth, 100e6, 0.01e18, "depth of the shallow");
        report = _preflight(address(at), address(token), 1 days);
        assertGt(bytes(report.refusal).length, 0, "a young pool passes");
        report = _preflight(STRANGER, address(token), 30 minutes);
        assertGt(bytes(report.refusal).length, 0, "a wallet passes for a pool");
        report = _preflight(address(pool), address(token), 30 minutes);
        assertGt(bytes(report.refusal).length, 0, "a pool of another token passes");
    }

    /// @dev A pool that keeps few observations is deep and old, and a stranger with a little gas makes it forget. The
    /// preflight names the number beforehand, and the reason afterwards.
    function test_preflight_showsAPoolThatForgets() public {
        MockToken token = new MockToken();
        token.mint(address(this), 1_000 ether);
        IVenuePool at = _forgetfulPool(address(token));
        assertEq(_preflight(address(at), address(token), 30 minutes).observations, 1, "observations");
        _bear(address(token), at);
        swapAsTrader(at, address(usdc), 100e6);
        _nextBlock();
        assertEq(
            _preflight(address(at), address(token), 30 minutes).refusal,
            "its observations do not reach back over the window",
            "a pool that forgot passes"
        );
        _assertRefused(
            KEY,
            address(vault),
            _swapCall(address(at), address(usdc), address(token), 50e6),
            "WindowNotCovered(address,uint256)"
        );
    }

    /* 13: ORDERS THAT WAIT, ALL OF IT */

    /// @dev An order that lay in somebody's mempool for an hour is not carried out.
    function test_swap_hasADeadline() public {
        _giveBirth();
        IVaultTrading.SwapOrder memory order =
            IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 50e6, 0, block.timestamp - 1);
        bytes memory late = abi.encodeCall(vault.swap, (order));
        _assertRefused(KEY, address(vault), late, "DeadlinePassed(uint256,uint256)");
        order.deadline = block.timestamp;
        (bool ok,) = _try(KEY, address(vault), abi.encodeCall(vault.swap, (order)));
        assertTrue(ok, "an order on its last second is refused");
    }

    function test_refuel_hasADeadline() public {
        _giveBirth();
        bytes memory late = abi.encodeCall(vault.refuel, (address(pool), 5e6, 0, block.timestamp - 1));
        _assertRefused(KEY, address(vault), late, "DeadlinePassed(uint256,uint256)");
        bytes memory timely = abi.encodeCall(vault.refuel, (address(pool), 5e6, 0, block.timestamp));
        (bool ok,) = _try(KEY, address(vault), timely);
        assertTrue(ok, "an order on its last second is refused");
    }

    /// @dev "All of it" can be said, also after a stranger added a speck.
    function test_decrease_allOfItCanBeSaid() public {
        _giveBirth();
        uint256 id = _mintOneSided();
        _nextBlock();
        bytes memory all = abi.encodeCall(vault.decreasePosition, (id, type(uint128).max, 0, 0));
        (bool ok,) = _try(KEY, address(vault), all);
        assertTrue(ok, "all of a position cannot be said");
        assertEq(vault.positions().length, 0, "the position was not left");
    }

    /* TOOLS */

    function _assertMints(IVaultLiquidity.MintOrder memory order, uint256 which) private {
        (bool ok,) = _try(KEY, address(vault), abi.encodeCall(vault.mintPosition, (order)));
        assertTrue(ok, string.concat("a unit of dust stops a one-sided position, case ", vm.toString(which)));
        _assertConserved(vault);
    }

    function _mintOneSided() private returns (uint256) {
        IVaultLiquidity.MintOrder memory order = _oneSided(address(usdc));
        vm.prank(KEY);
        return vault.mintPosition(order);
    }

    /// @dev A position of one of the pool's tokens alone, in the range beside the price.
    function _oneSided(address token) private view returns (IVaultLiquidity.MintOrder memory) {
        (, int24 tick,,,,,) = pool.slot0();
        address other = token == address(usdc) ? address(weth) : address(usdc);
        bool first = token < other;
        (int24 lower, int24 upper) = _beside(tick, SPACING, first);
        uint256 amount = token == address(usdc) ? 30e6 : 0.01 ether;
        return IVaultLiquidity.MintOrder(address(pool), lower, upper, first ? amount : 0, first ? 0 : amount, 0, 0);
    }

    /// @dev The range next to `tick` that takes only the first token (above it) or only the second (below).
    function _beside(int24 tick, int24 spacing, bool first) private pure returns (int24 lower, int24 upper) {
        int24 edge = tick / spacing * spacing;
        if (tick < 0 && tick % spacing != 0) edge -= spacing;
        return first ? (edge + spacing, edge + 2 * spacing) : (edge - spacing, edge);
    }

    /// @dev A pool of `token` and USDC with this much on either side, an hour old.
    function _pricedPool(address token, uint256 unit, uint256 price, uint256 ofToken, uint256 ofUsdc)
        private
        returns (IVenuePool at)
    {
        at = _createPool(token, unit, price);
        _addLiquidity(token, ofToken, ofUsdc);
        _pass(1 hours);
    }

    /// @dev The same, 200,000 USDC deep, with the one observation every pool begins with.
    function _forgetfulPool(address token) private returns (IVenuePool at) {
        at = IVenuePool(factory.createPool(token, address(usdc), FEE));
        at.initialize(fairSpot);
        if ((address(weth) < address(usdc)) != (token < address(usdc))) {
            // The other way round: the same price needs the inverse root.
            at = IVenuePool(factory.createPool(token, address(usdc), 500));
            at.initialize(uint160((uint256(1) << 192) / fairSpot));
        }
        IErc20(token).approve(address(manager), type(uint256).max);
        usdc.approve(address(manager), type(uint256).max);
        bool tokenFirst = token < address(usdc);
        _mintFull(at, tokenFirst ? 66 ether : 200_000e6, tokenFirst ? 200_000e6 : 66 ether);
        _pass(2 hours);
    }

    function _mintFull(IVenuePool at, uint256 amount0, uint256 amount1) private {
        bytes memory call_ = abi.encodeWithSignature(
            "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))",
            at.token0(),
            at.token1(),
            at.fee(),
            FULL_LOWER,
            FULL_UPPER,
            amount0,
            amount1,
            0,
            0,
            address(this),
            block.timestamp
        );
        (bool ok,) = address(manager).call(call_);
        assertTrue(ok, "no liquidity");
    }

    function _orderWith(address token, IVenuePool at) private view returns (IBirth.Order memory order) {
        order = _order();
        order.listings = new Listing[](2);
        order.listings[0] = Listing(token, USE_TOKEN, address(at));
        order.listings[1] = Listing(address(at), USE_POOL, address(0));
    }

    function _bear(address token, IVenuePool at) private {
        _giveBirth(_orderWith(token, at));
    }

    function _preflight(address at, address token, uint32 window)
        private
        view
        returns (ISwapAdapter.PoolReport memory)
    {
        return ISwapAdapter(suite.swapAdapter).preflight(at, token, window, MIN_DEPTH);
    }
}
