// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {UniswapV3PositionAdapter} from "contracts/adapters/UniswapV3PositionAdapter.sol";
import {UniswapV3SwapAdapter} from "contracts/adapters/UniswapV3SwapAdapter.sol";
import {IPositionAdapter, ISwapAdapter} from "contracts/interfaces/IAdapters.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";

import {MockToken} from "test/mocks/MockToken.sol";
import {TrojanToken} from "test/mocks/TrojanToken.sol";
import {UnitTest} from "test/unit/UnitTest.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @dev Answers every question with the same bytes.
contract Answering {
    bytes private _answer;

    constructor(bytes memory answer) {
        _answer = answer;
    }

    fallback() external {
        bytes memory answer = _answer;
        assembly ("memory-safe") {
            return(add(answer, 0x20), mload(answer))
        }
    }
}

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

    /// @dev A token that calls back while it is being paid finds the adapter closed.
    function test_swap_cannotBeReentered() public {
        (TrojanToken token, IVenuePool made) = _trojan();
        token.mint(address(swaps), 2e18);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(ISwapAdapter.swap, (address(made), address(token), address(usdc), 1e18));
        token.arm(address(swaps), calls);
        token.setMood(TrojanToken.Mood.ReEnters);
        vm.prank(STRANGER);
        uint256 got = swaps.swap(address(made), address(token), address(usdc), 1e18);
        assertEq(token.reEntered(), 0);
        assertEq(usdc.balanceOf(STRANGER), got);
        assertEq(usdc.balanceOf(address(token)), 0);
        assertEq(token.balanceOf(address(swaps)), 1e18, "another's is left alone");
    }

    /// @dev 1,000 of a token that will turn, at 100 USDC each.
    function _trojan() private returns (TrojanToken token, IVenuePool made) {
        token = new TrojanToken();
        made = _createPool(address(token), 1e18, 100e6);
        token.mint(address(this), 1_000e18);
        usdc.mint(address(this), 100_000e6);
        _addLiquidity(address(token), 1_000e18, 100_000e6);
    }

    /* PREFLIGHT */

    string private constant NO_CONTRACT = "no contract stands at this address";
    string private constant NO_POOL = "not a pool of this venue with this token and USDC";
    string private constant FORGETS = "its observations do not reach back over the window";
    string private constant SHALLOW = "its depth in USDC is below the minimum";

    function _assertRefused(address at, address token, string memory why) private view {
        ISwapAdapter.PoolReport memory report = swaps.preflight(at, token, 30 minutes, 50_000e6);
        assertEq(report.refusal, why);
    }

    function test_preflight_ofAGoodPool() public view {
        ISwapAdapter.PoolReport memory report = swaps.preflight(address(pool), address(weth), 30 minutes, 50_000e6);
        assertEq(report.refusal, "");
        assertApproxEqRel(report.depth, 1_500_000e6, 1e15);
        (,, uint16 index, uint16 kept, uint16 next,,) = pool.slot0();
        assertEq(report.observations, kept);
        assertEq(report.observationsNext, next);
        (uint32 oldest,,,) = pool.observations(0);
        assertEq(report.coveredSeconds, block.timestamp - oldest);
        assertLt(index, kept);
    }

    /// @dev While the ring is not full it reaches back to its first place.
    function test_preflight_ofARingThatIsNotFullYet() public {
        (uint32 oldest,,,) = pool.observations(0);
        for (uint256 i; i < 2; ++i) {
            swapAsTrader(pool, address(usdc), 10_000e6);
            vm.warp(block.timestamp + 10);
        }
        ISwapAdapter.PoolReport memory report = swaps.preflight(address(pool), address(weth), 30 minutes, 50_000e6);
        assertEq(report.refusal, "");
        assertEq(report.observations, 200);
        assertEq(report.coveredSeconds, block.timestamp - oldest);
    }

    /// @dev Depth is the same USDC whichever of the two tokens the pool names first.
    function test_preflight_depthInBothOrdersOfTheTokens() public {
        bool below;
        bool above;
        while (!below || !above) {
            MockToken token = new MockToken();
            if (address(token) < address(usdc)) below = true;
            else above = true;
            IVenuePool made = _createPool(address(token), 1e18, 100e6);
            token.mint(address(this), 1_000e18);
            usdc.mint(address(this), 100_000e6);
            _addLiquidity(address(token), 1_000e18, 100_000e6);
            vm.warp(block.timestamp + 1 hours);
            ISwapAdapter.PoolReport memory report = swaps.preflight(address(made), address(token), 30 minutes, 50_000e6);
            assertApproxEqRel(report.depth, 100_000e6, 1e15);
            assertEq(report.refusal, "");
        }
    }

    function test_preflight_saysWhatStandsThere() public {
        _assertRefused(STRANGER, address(weth), NO_CONTRACT);
        _assertRefused(address(0), address(weth), NO_CONTRACT);
        _assertRefused(address(usdc), address(weth), NO_POOL);
        _assertRefused(address(vault), address(weth), NO_POOL);
        // A genuine pool, but of other tokens.
        (TrojanToken token, IVenuePool made) = _trojan();
        _assertRefused(address(made), address(weth), NO_POOL);
        _assertRefused(address(pool), address(token), NO_POOL);
        // One that says it were a pool.
        Answering liar = new Answering(abi.encode(uint256(3000)));
        _assertRefused(address(liar), address(weth), NO_POOL);
    }

    /// @dev Whatever stands at the address, the answer is words.
    function test_preflight_neverReverts() public {
        Answering nothing = new Answering("");
        _assertRefused(address(nothing), address(weth), NO_POOL);
        Answering garbage = new Answering(abi.encode(type(uint256).max));
        _assertRefused(address(garbage), address(weth), NO_POOL);
        Answering torn = new Answering(hex"0bb8");
        _assertRefused(address(torn), address(weth), NO_POOL);
    }

    /// @dev A window of no seconds is none: there is no mean of it.
    function test_preflight_ofNoWindowDoesNotRevertEither() public view {
        ISwapAdapter.PoolReport memory report = swaps.preflight(address(pool), address(weth), 0, 0);
        assertEq(report.refusal, FORGETS);
    }

    function test_preflight_ofAPoolThatIsTooYoung() public {
        (TrojanToken token, IVenuePool made) = _trojan();
        vm.warp(block.timestamp + 30 minutes - 1);
        ISwapAdapter.PoolReport memory report = swaps.preflight(address(made), address(token), 30 minutes, 50_000e6);
        assertEq(report.refusal, FORGETS);
        assertEq(report.coveredSeconds, 30 minutes - 1);
        assertEq(report.depth, 0);
        vm.warp(block.timestamp + 1);
        report = swaps.preflight(address(made), address(token), 30 minutes, 50_000e6);
        assertEq(report.refusal, "");
        assertEq(report.coveredSeconds, 30 minutes);
    }

    /// @dev A pool that was made and never given a price.
    function test_preflight_ofAPoolWithoutAPrice() public {
        MockToken token = new MockToken();
        address made = factory.createPool(address(token), address(usdc), FEE);
        ISwapAdapter.PoolReport memory report = swaps.preflight(made, address(token), 30 minutes, 50_000e6);
        assertEq(report.refusal, FORGETS);
        assertEq(report.observations, 0);
        assertEq(report.coveredSeconds, 0);
    }

    function test_preflight_ofAShallowPool() public {
        ISwapAdapter.PoolReport memory report = swaps.preflight(address(pool), address(weth), 30 minutes, 0);
        uint64 depth = uint64(report.depth);
        assertEq(swaps.preflight(address(pool), address(weth), 30 minutes, depth).refusal, "");
        report = swaps.preflight(address(pool), address(weth), 30 minutes, depth + 1);
        assertEq(report.refusal, SHALLOW);
        assertEq(report.depth, depth, "it says how deep it is");
    }

    /// @dev V-011: with few places a stranger who trades in every block makes a pool forget. The report says how far back
    /// it reaches and how many places it has.
    function test_preflight_ofAPoolThatForgets() public {
        MockToken token = new MockToken();
        IVenuePool made = IVenuePool(factory.createPool(address(token), address(usdc), FEE));
        (uint256 amount0, uint256 amount1) =
            address(token) < address(usdc) ? (uint256(1e18), uint256(100e6)) : (uint256(100e6), uint256(1e18));
        made.initialize(uint160(FixedPointMathLib.sqrt((amount1 << 192) / amount0)));
        made.increaseObservationCardinalityNext(3);
        token.mint(address(this), 2_000e18);
        usdc.mint(address(this), 100_000e6);
        _addLiquidity(address(token), 1_000e18, 100_000e6);
        vm.warp(block.timestamp + 1 hours);
        assertEq(swaps.preflight(address(made), address(token), 30 minutes, 0).refusal, "");
        // Each in a time of its own and large enough to move the price by a tick.
        for (uint256 i; i < 4; ++i) {
            vm.warp(block.timestamp + 10);
            swapAsTrader(made, address(usdc), 1_000e6);
        }
        ISwapAdapter.PoolReport memory report = swaps.preflight(address(made), address(token), 30 minutes, 0);
        assertEq(report.refusal, FORGETS);
        assertEq(report.observations, 3);
        assertEq(report.coveredSeconds, 20, "the three newest notes");
        made.increaseObservationCardinalityNext(300);
        report = swaps.preflight(address(made), address(token), 30 minutes, 0);
        assertEq(report.observations, 3);
        assertEq(report.observationsNext, 300, "what was paid for and not yet grown into");
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

    /// @dev What lies there is nobody's deposit: exactly the rest of one's own comes back, also beside dust.
    function test_position_returnsExactlyTheRestOfTheDeposit() public {
        IPositionAdapter.Deposit memory deposit = _deposit();
        usdc.mint(address(liquidity), 7);
        _mintWeth(address(liquidity), 9);
        vm.prank(STRANGER);
        uint256 id = liquidity.mint(deposit, FEE, FULL_LOWER, FULL_UPPER);
        assertEq(usdc.balanceOf(address(liquidity)), 7);
        assertEq(weth.balanceOf(address(liquidity)), 9);
        deposit = _deposit();
        vm.prank(STRANGER);
        liquidity.increase(id, deposit);
        assertEq(usdc.balanceOf(address(liquidity)), 7);
        assertEq(weth.balanceOf(address(liquidity)), 9);
        (, bytes memory allowed) = address(weth)
            .staticcall(abi.encodeWithSignature("allowance(address,address)", address(liquidity), address(manager)));
        assertEq(abi.decode(allowed, (uint256)), 0);
        assertEq(usdc.allowance(address(liquidity), address(manager)), 0);
    }

    /// @dev A unit of dust of the token that is not deposited used to stop every one-sided position.
    function test_position_dustOfTheOtherTokenDoesNotStopAOneSidedOne() public {
        _mintWeth(address(liquidity), 1);
        usdc.mint(address(liquidity), 30e6);
        bool wethFirst = address(weth) < address(usdc);
        IPositionAdapter.Deposit memory deposit;
        (deposit.token0, deposit.token1) = wethFirst ? (address(weth), address(usdc)) : (address(usdc), address(weth));
        (deposit.amount0, deposit.amount1) = wethFirst ? (uint256(0), uint256(30e6)) : (uint256(30e6), uint256(0));
        (, int24 tick,,,,,) = pool.slot0();
        int24 base = tick / SPACING * SPACING;
        (int24 lower, int24 upper) =
            wethFirst ? (base - 10 * SPACING, base - 2 * SPACING) : (base + 2 * SPACING, base + 12 * SPACING);
        vm.prank(STRANGER);
        uint256 id = liquidity.mint(deposit, FEE, lower, upper);
        assertGt(_liquidityOf(id), 0);
        assertEq(weth.balanceOf(address(liquidity)), 1, "the dust is still there");
        usdc.mint(address(liquidity), 30e6);
        vm.prank(STRANGER);
        liquidity.increase(id, deposit);
        assertEq(weth.balanceOf(address(liquidity)), 1);
    }

    /// @dev A token that calls back while it is pulled finds every door closed, so it takes no part of the deposit.
    function test_position_cannotBeReentered() public {
        (TrojanToken token,) = _trojan();
        bool tokenFirst = address(token) < address(usdc);
        IPositionAdapter.Deposit memory deposit;
        (deposit.token0, deposit.token1) =
            tokenFirst ? (address(token), address(usdc)) : (address(usdc), address(token));
        (deposit.amount0, deposit.amount1) =
            tokenFirst ? (uint256(1e18), uint256(200e6)) : (uint256(200e6), uint256(1e18));
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(IPositionAdapter.mint, (deposit, FEE, FULL_LOWER, FULL_UPPER));
        calls[1] = abi.encodeCall(IPositionAdapter.increase, (1, deposit));
        calls[2] = abi.encodeCall(IPositionAdapter.decrease, (1, 0, 0, 0));
        token.arm(address(liquidity), calls);
        token.setMood(TrojanToken.Mood.ReEnters);
        token.mint(address(liquidity), 1e18);
        usdc.mint(address(liquidity), 200e6);
        vm.prank(STRANGER);
        uint256 id = liquidity.mint(deposit, FEE, FULL_LOWER, FULL_UPPER);
        assertEq(token.reEntered(), 0);
        assertApproxEqAbs(usdc.balanceOf(STRANGER), 100e6, 1e6, "the rest is the depositor's");

        vm.startPrank(STRANGER);
        manager.approve(address(liquidity), id);
        liquidity.decrease(id, _liquidityOf(id), 0, 0);
        vm.stopPrank();
        assertEq(token.reEntered(), 0);
        assertEq(usdc.balanceOf(address(token)), 0);
    }

    /// @dev No liquidity is fees alone; the position stays.
    function test_position_decreaseByNothingCollects() public {
        IPositionAdapter.Deposit memory deposit = _deposit();
        vm.prank(STRANGER);
        uint256 id = liquidity.mint(deposit, FEE, FULL_LOWER, FULL_UPPER);
        swapAsTrader(pool, address(usdc), 1_000_000e6);
        uint256 before = usdc.balanceOf(STRANGER);
        vm.startPrank(STRANGER);
        manager.approve(address(liquidity), id);
        liquidity.decrease(id, 0, 0, 0);
        vm.stopPrank();
        assertGt(usdc.balanceOf(STRANGER), before);
        assertGt(_liquidityOf(id), 0);
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
