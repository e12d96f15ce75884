// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IPositionManager, IUniswapV3Factory, IUniswapV3Pool} from "contracts/interfaces/IUniswapV3.sol";

import {MockUsdc} from "test/mocks/MockUsdc.sol";

interface IVenueFactory is IUniswapV3Factory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address);
}

interface IVenuePool is IUniswapV3Pool {
    function initialize(uint160 sqrtPriceX96) external;
    function increaseObservationCardinalityNext(uint16 next) external;
    function liquidity() external view returns (uint128);
}

interface IErc20 {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

interface IWeth9 is IErc20 {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @title The real venue in a test: WETH9 and Uniswap V3 from their published artifacts, USDC from the mocks
/// @dev A swap by a third party goes through `swapAsTrader`, which answers the pool's callback itself.
abstract contract Venue is Test {
    uint24 internal constant FEE = 3000;
    int24 internal constant SPACING = 60;
    int24 internal constant FULL_LOWER = -887_220;
    int24 internal constant FULL_UPPER = 887_220;

    MockUsdc internal usdc;
    IWeth9 internal weth;
    IVenueFactory internal factory;
    IPositionManager internal manager;
    IVenuePool internal pool;

    /// @dev One pool of WETH and USDC at 3,000 with 500 WETH + 1.5 M USDC over the whole range, an hour old.
    function _deployVenue() internal {
        usdc = _deployUsdc();
        weth = IWeth9(vm.deployCode("node_modules/canonical-weth/build/contracts/WETH9.json"));
        factory = IVenueFactory(
            vm.deployCode(
                "node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json"
            )
        );
        manager = IPositionManager(
            vm.deployCode(
                "node_modules/@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
                abi.encode(factory, weth, address(0))
            )
        );
        vm.label(address(usdc), "USDC");
        vm.label(address(weth), "WETH");
        vm.label(address(manager), "PositionManager");
        pool = _createPool(address(weth), 1e18, 3000e6);
        _mintWeth(address(this), 500 ether);
        usdc.mint(address(this), 1_500_000e6);
        _addLiquidity(address(weth), 500 ether, 1_500_000e6);
        vm.warp(block.timestamp + 1 hours);
        vm.roll(block.number + 300);
    }

    /// @dev The mock unless a test wants another.
    function _deployUsdc() internal virtual returns (MockUsdc) {
        return new MockUsdc();
    }

    /// @dev A pool of `token` and USDC where `tokenAmount` is worth `usdcAmount`.
    function _createPool(address token, uint256 tokenAmount, uint256 usdcAmount) internal returns (IVenuePool made) {
        made = IVenuePool(factory.createPool(token, address(usdc), FEE));
        (uint256 amount0, uint256 amount1) =
            token < address(usdc) ? (tokenAmount, usdcAmount) : (usdcAmount, tokenAmount);
        made.initialize(uint160(FixedPointMathLib.sqrt((amount1 << 192) / amount0)));
        made.increaseObservationCardinalityNext(200);
        vm.label(address(made), "Pool");
    }

    /// @dev Adds full-range liquidity from this contract's balances.
    function _addLiquidity(address token, uint256 tokenAmount, uint256 usdcAmount) internal returns (uint256 tokenId) {
        IErc20(token).approve(address(manager), type(uint256).max);
        usdc.approve(address(manager), type(uint256).max);
        bool tokenFirst = token < address(usdc);
        IPositionManager.MintParams memory params = IPositionManager.MintParams({
            token0: tokenFirst ? token : address(usdc),
            token1: tokenFirst ? address(usdc) : token,
            fee: FEE,
            tickLower: FULL_LOWER,
            tickUpper: FULL_UPPER,
            amount0Desired: tokenFirst ? tokenAmount : usdcAmount,
            amount1Desired: tokenFirst ? usdcAmount : tokenAmount,
            amount0Min: 0,
            amount1Min: 0,
            recipient: address(this),
            deadline: block.timestamp
        });
        (tokenId,,,) = manager.mint(params);
    }

    function _mintWeth(address to, uint256 amount) internal {
        vm.deal(address(this), address(this).balance + amount);
        weth.deposit{value: amount}();
        if (to != address(this)) weth.transfer(to, amount);
    }

    /// @dev Sells `amountIn` of `tokenIn` (minted here first) into `at`, moving its price.
    function swapAsTrader(IVenuePool at, address tokenIn, uint256 amountIn) internal returns (uint256 amountOut) {
        if (tokenIn == address(usdc)) usdc.mint(address(this), amountIn);
        else if (tokenIn == address(weth)) _mintWeth(address(this), amountIn);
        bool zeroForOne = tokenIn == at.token0();
        (int256 amount0, int256 amount1) = at.swap(
            address(this),
            zeroForOne,
            int256(amountIn),
            zeroForOne
                ? uint160(4_295_128_740)
                : uint160(1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341),
            abi.encode(tokenIn)
        );
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        IErc20(abi.decode(data, (address))).transfer(msg.sender, uint256(amount0 > 0 ? amount0 : amount1));
    }
}
