// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {UniswapV3PositionAdapter} from "contracts/adapters/UniswapV3PositionAdapter.sol";
import {UniswapV3SwapAdapter} from "contracts/adapters/UniswapV3SwapAdapter.sol";
import {IPositionAdapter, ISwapAdapter} from "contracts/interfaces/IAdapters.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";

import {MockToken} from "test/mocks/MockToken.sol";
import {UnitTest} from "test/unit/UnitTest.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @title The two adapters by themselves (V-011, V-013)
contract AdaptersTest is UnitTest {
    UniswapV3SwapAdapter internal swaps;
    UniswapV3PositionAdapter internal liquidity;

    function setUp() public override {
        super.setUp();
        swaps = UniswapV3SwapAdapter(suite.swapAdapter);
        liquidity = UniswapV3PositionAdapter(suite.positionAdapter);
    }

    /* SWAPS */

    function test_swap_paysTheCallerBothWays() public {
        usdc.mint(address(swaps), 3_000e6);
        vm.prank(STRANGER);
        uint256 got = swaps.swap(address(pool), address(usdc), address(weth), 3_000e6);
        assertEq(weth.balanceOf(STRANGER), got);
        assertGt(got, 0.99 ether);
        vm.prank(STRANGER);
        weth.transfer(address(swaps), got);
        vm.prank(STRANGER);
        uint256 back = swaps.swap(address(pool), address(weth), address(usdc), got);
        assertEq(usdc.balanceOf(STRANGER), back);
        assertEq(usdc.balanceOf(address(swaps)), 0);
    }

    function test_swap_revertsForAPoolThatIsNotTheVenues() public {
        vm.expectRevert(
            abi.encodeWithSelector(IVaultTrading.NotVenuePool.selector, STRANGER, address(usdc), address(weth))
        );
        swaps.swap(STRANGER, address(usdc), address(weth), 1);
    }

    /// @dev A pool that runs out takes only part; the adapter refuses rather than keep the rest.
    function test_swap_revertsOnAPartialFill() public {
        MockToken token = new MockToken();
        IVenuePool made = _createPool(address(token), 1e18, 100e6);
        token.mint(address(this), 10e18);
        usdc.mint(address(this), 1_000e6);
        token.approve(address(manager), type(uint256).max);
        usdc.approve(address(manager), type(uint256).max);
        bool tokenFirst = address(token) < address(usdc);
        (, int24 tick,,,,,) = made.slot0();
        int24 base = tick / SPACING * SPACING;
        IPositionManager.MintParams memory params;
        (params.token0, params.token1) = tokenFirst ? (address(token), address(usdc)) : (address(usdc), address(token));
        params.fee = FEE;
        (params.tickLower, params.tickUpper) = (base - 10 * SPACING, base + 10 * SPACING);
        (params.amount0Desired, params.amount1Desired) =
            tokenFirst ? (uint256(10e18), uint256(1_000e6)) : (uint256(1_000e6), uint256(10e18));
        params.recipient = address(this);
        params.deadline = block.timestamp;
        manager.mint(params);

        uint256 amount = 1_000_000e6;
        usdc.mint(address(swaps), amount);
        vm.expectPartialRevert(ISwapAdapter.PartialFill.selector);
        swaps.swap(address(made), address(usdc), address(token), amount);
        assertEq(usdc.balanceOf(address(swaps)), amount, "all is undone");
    }

    function test_callback_onlyByThePoolOfTheMoment() public {
        usdc.mint(address(swaps), 1e6);
        vm.expectRevert(abi.encodeWithSelector(ISwapAdapter.NotPool.selector, STRANGER, address(0)));
        vm.prank(STRANGER);
        swaps.uniswapV3SwapCallback(1e6, 0, abi.encode(address(usdc)));
        vm.expectRevert(abi.encodeWithSelector(ISwapAdapter.NotPool.selector, address(pool), address(0)));
        vm.prank(address(pool));
        swaps.uniswapV3SwapCallback(1e6, 0, abi.encode(address(usdc)));
    }

    /* LIQUIDITY */

    function _deposit() private returns (IPositionAdapter.Deposit memory deposit) {
        _mintWeth(address(liquidity), 1 ether);
        usdc.mint(address(liquidity), 4_000e6);
        bool wethFirst = address(weth) < address(usdc);
        (deposit.token0, deposit.token1) = wethFirst ? (address(weth), address(usdc)) : (address(usdc), address(weth));
        (deposit.amount0, deposit.amount1) =
            wethFirst ? (uint256(1 ether), uint256(4_000e6)) : (uint256(4_000e6), uint256(1 ether));
    }

    function test_position_belongsToTheCallerAndTheRestReturns() public {
        IPositionAdapter.Deposit memory deposit = _deposit();
        vm.prank(STRANGER);
        uint256 id = liquidity.mint(deposit, FEE, FULL_LOWER, FULL_UPPER);
        (bool ok, bytes memory owner) = address(manager).staticcall(abi.encodeWithSignature("ownerOf(uint256)", id));
        assertTrue(ok);
        assertEq(abi.decode(owner, (address)), STRANGER);
        assertApproxEqAbs(usdc.balanceOf(STRANGER), 1_000e6, 1e6, "what was not taken");
        assertEq(usdc.balanceOf(address(liquidity)), 0);
        assertEq(weth.balanceOf(address(liquidity)), 0);
        assertEq(usdc.allowance(address(liquidity), address(manager)), 0);

        deposit = _deposit();
        uint128 before = _liquidityOf(id);
        vm.prank(STRANGER);
        liquidity.increase(id, deposit);
        assertApproxEqAbs(_liquidityOf(id), 2 * before, before / 1000);

        vm.startPrank(STRANGER);
        manager.approve(address(liquidity), id);
        liquidity.decrease(id, _liquidityOf(id), 0, 0);
        vm.stopPrank();
        assertEq(_liquidityOf(id), 0);
        assertApproxEqAbs(usdc.balanceOf(STRANGER), 8_000e6, 2);
    }

    function test_position_onlyItsOwnerMayTouchIt() public {
        IPositionAdapter.Deposit memory deposit = _deposit();
        vm.prank(STRANGER);
        uint256 id = liquidity.mint(deposit, FEE, FULL_LOWER, FULL_UPPER);
        deposit = _deposit();
        bytes memory refused =
            abi.encodeWithSelector(IPositionAdapter.NotPositionOwner.selector, id, address(this), STRANGER);
        vm.expectRevert(refused);
        liquidity.increase(id, deposit);
        vm.expectRevert(refused);
        liquidity.decrease(id, 1, 0, 0);
        // Not even while the owner's approval stands.
        vm.prank(STRANGER);
        manager.approve(address(liquidity), id);
        vm.expectRevert(refused);
        liquidity.decrease(id, 1, 0, 0);
    }

    function test_position_leastAmountsAreAsked() public {
        IPositionAdapter.Deposit memory deposit = _deposit();
        (deposit.min0, deposit.min1) = (deposit.amount0, deposit.amount1);
        vm.expectRevert("Price slippage check");
        liquidity.mint(deposit, FEE, FULL_LOWER, FULL_UPPER);
    }
}
