// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {TwapLib} from "contracts/libraries/TwapLib.sol";
import {Life} from "contracts/types/Life.sol";
import {Listing, Policy} from "contracts/types/Money.sol";

import {BaseTest} from "test/BaseTest.sol";

/// @title The stage of the unit room: one living Golem, and the words its tests share
/// @dev The Golem has 100 USDC of credits (reserve 2, llm 58.8, gas 24.5, data 14.7) and 1,000 of capital.
abstract contract UnitTest is BaseTest {
    function setUp() public virtual override {
        super.setUp();
        _giveBirth();
    }

    /* TIME */

    /// @dev The first second of the next UTC day.
    function _midnight() internal view returns (uint256) {
        return (block.timestamp / 1 days + 1) * 1 days;
    }

    /* POLICY AND LISTS */

    function _template() internal pure returns (Policy memory) {
        return PolicyLib.template();
    }

    function _setPolicy(Policy memory policy) internal {
        vm.prank(OWNER);
        vault.setPolicy(policy);
    }

    /// @dev Trades as large as one likes, so that a test can be about something else.
    function _freeTrading() internal {
        Policy memory policy = _template();
        policy.tradeBps = 10_000;
        policy.dayTradeBps = 50_000;
        policy.dayLossBps = 10_000;
        _setPolicy(policy);
    }

    function _list(address subject, uint8 uses, address pricedBy) internal {
        Listing[] memory lists = new Listing[](1);
        lists[0] = Listing(subject, uses, pricedBy);
        vm.prank(OWNER);
        vault.setListings(lists);
    }

    /* ROLES */

    function _sell() internal {
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
    }

    function _hibernate(uint256 time) internal {
        uint256 until = block.timestamp + time;
        vm.prank(OWNER);
        vault.hibernate(until);
    }

    function _finalise() internal {
        _pass(1 hours);
        vm.prank(STRANGER);
        vault.finalise();
    }

    /* SIGNATURES */

    function _sign(uint256 sk, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(sk, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev OWNER's authorisation of `value` to the vault, good for an hour.
    function _authorisation(uint256 value, bytes32 nonce) internal view returns (IVaultRules.Authorisation memory a) {
        a.from = OWNER;
        a.value = value;
        a.validBefore = block.timestamp + 1 hours;
        a.nonce = nonce;
        a.signature = _sign(OWNER_SK, usdc.receiveDigest(OWNER, address(vault), value, 0, a.validBefore, nonce));
    }

    /* TRADING */

    function _swap(address tokenIn, address tokenOut, uint256 amountIn) internal returns (uint256) {
        vm.prank(KEY);
        return vault.swap(IVaultTrading.SwapOrder(address(pool), tokenIn, tokenOut, amountIn, 0, block.timestamp));
    }

    function _buy(uint256 amount) internal returns (uint256) {
        return _swap(address(usdc), address(weth), amount);
    }

    /// @dev Full-range order of WETH and USDC in the pool's order of tokens.
    function _mintOrder(uint256 wethAmount, uint256 usdcAmount)
        internal
        view
        returns (IVaultLiquidity.MintOrder memory order)
    {
        bool wethFirst = address(weth) < address(usdc);
        order.pool = address(pool);
        order.tickLower = FULL_LOWER;
        order.tickUpper = FULL_UPPER;
        (order.amount0, order.amount1) = wethFirst ? (wethAmount, usdcAmount) : (usdcAmount, wethAmount);
    }

    function _mint(uint256 wethAmount, uint256 usdcAmount) internal returns (uint256 tokenId) {
        IVaultLiquidity.MintOrder memory order = _mintOrder(wethAmount, usdcAmount);
        vm.prank(KEY);
        return vault.mintPosition(order);
    }

    function _liquidityOf(uint256 tokenId) internal view returns (uint128 liquidity) {
        liquidity = manager.positions(tokenId).liquidity;
    }

    /// @dev The mean tick the vault prices WETH by.
    function _wethTick() internal view returns (int256) {
        return TwapLib.meanTick(address(factory), address(pool), address(weth), address(usdc), 30 minutes, 1e15);
    }

    /// @dev Profit in USDC capital: buys, the price rises and stays, sells all of it.
    function _earn() internal {
        _freeTrading();
        _buy(500e6);
        swapAsTrader(pool, address(usdc), 60_000e6);
        _pass(2 hours);
        uint256 held = weth.balanceOf(address(vault));
        _swap(address(weth), address(usdc), held);
    }

    /* LIVES */

    function _wrongLife(Life life, Life needed) internal view returns (bytes memory) {
        return abi.encodeWithSignature("WrongLife(uint256,uint8,uint8)", golem, life, needed);
    }
}
