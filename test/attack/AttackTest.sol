// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Life} from "contracts/types/Life.sol";
import {Ledger, PartitionId, Position} from "contracts/types/Money.sol";

import {BaseTest} from "test/BaseTest.sol";
import {IErc20, IVenuePool} from "test/utils/Venue.sol";

/// @title The room of attacks: what does the worst day cost?
/// @dev Every test here is an attacker with a goal. It reads the figure that `worstLoss` states, lets him do his worst,
/// then lets the owner take everything back and counts what is missing, in USDC at the price before the attack. The
/// loss must not exceed the figure (V-031), and each loss is kept in `snapshots/attacks.json`.
///
/// The attacker holds the Golem's key and everything that the key can reach: PAYEE is his accomplice, he has as much
/// USDC and WETH as he likes, and he moves the pool as he likes within a block.
abstract contract AttackTest is BaseTest {
    /// @dev What a WETH is worth where no attacker is at work.
    uint256 internal constant FAIR = 3_000e6;

    IVaultMoney.WorstLoss internal stated;
    uint256 internal wealthBefore;
    uint160 internal fairSpot;

    function setUp() public virtual override {
        super.setUp();
        fairSpot = _spot();
        usdc.mint(address(this), 100_000_000e6);
        _mintWeth(address(this), 100_000 ether);
    }

    /* THE RECKONING */

    /// @dev Reads the stated figure; the attack begins here.
    function _arm() internal {
        stated = vault.worstLoss();
        wealthBefore = _wealthOf(address(vault)) + _wealthOf(OWNER);
    }

    /// @dev The owner ends it: kills, has a stranger finalise, closes what he got in kind. What is missing is the loss.
    function _loss() internal returns (uint256) {
        _bendSpot(0);
        Position[] memory open = vault.positions();
        address owner_ = identity.ownerOf(golem);
        (, Life life) = lineage.vitalOf(golem);
        if (life == Life.Alive) {
            vm.prank(owner_);
            vault.killAndRevoke("the key leaked");
        }
        if (life != Life.Dead) {
            vm.warp(lineage.golem(golem).dyingDeadline);
            vm.prank(STRANGER);
            vault.finalise();
        }
        for (uint256 i; i < open.length; ++i) {
            _closeAsOwner(owner_, open[i].tokenId);
        }
        return FixedPointMathLib.zeroFloorSub(wealthBefore, _wealthOf(owner_) + _wealthOf(address(vault)));
    }

    /// @dev Keeps the loss under its name and holds it against a bound.
    function _assertLoss(string memory name, uint256 loss, uint256 bound) internal {
        vm.snapshotValue("attacks", string.concat(name, ": lost"), loss);
        vm.snapshotValue("attacks", string.concat(name, ": bound"), bound);
        assertLe(loss, bound, string.concat("V-031: more was lost than stated by ", name));
    }

    function _wealthOf(address account) internal view returns (uint256) {
        return usdc.balanceOf(account) + weth.balanceOf(account) * FAIR / 1 ether;
    }

    function _closeAsOwner(address owner_, uint256 tokenId) private {
        uint128 liquidity = manager.positions(tokenId).liquidity;
        vm.startPrank(owner_);
        if (liquidity != 0) {
            manager.decreaseLiquidity(
                IPositionManager.DecreaseLiquidityParams(tokenId, liquidity, 0, 0, block.timestamp)
            );
        }
        manager.collect(IPositionManager.CollectParams(tokenId, owner_, type(uint128).max, type(uint128).max));
        vm.stopPrank();
    }

    /* THE ATTACKER'S TOOLS */

    /// @dev The last second of the present day.
    function _lastSecond() internal {
        vm.warp(block.timestamp / 1 days * 1 days + 1 days - 1);
    }

    /// @dev Spends to the accomplice whatever the day still allows, in calls as large as they may be.
    function _drainToday() internal {
        for (uint256 i; i < 3; ++i) {
            PartitionId from = PartitionId(i);
            uint256 callCap = vault.policy().callCap;
            for (uint256 left = _leftToday(i); left != 0; left = _leftToday(i)) {
                vm.prank(KEY);
                vault.spend(from, PAYEE, left < callCap ? left : callCap);
            }
        }
    }

    function _leftToday(uint256 partition) internal view returns (uint256) {
        (,, Ledger memory left) = vault.today();
        return partition == 0 ? left.llm : partition == 1 ? left.gas : left.data;
    }

    function _spot() internal view returns (uint160 spot) {
        (spot,,,,,,) = pool.slot0();
    }

    /// @dev Moves the pool's spot price of WETH to `bps` above (below, if negative) the fair price, in one swap.
    function _bendSpot(int256 bps) internal {
        _bendSpotOf(pool, bps);
    }

    function _bendSpotOf(IVenuePool at, int256 bps) internal {
        uint256 root = FixedPointMathLib.sqrt(uint256(10_000 + bps) * 1e32);
        bool wethFirst = address(weth) < address(usdc);
        uint256 target = wethFirst ? fairSpot * root / 1e18 : uint256(fairSpot) * 1e18 / root;
        (uint160 spot,,,,,,) = at.slot0();
        if (target == spot) return;
        bool zeroForOne = target < spot;
        address tokenIn = zeroForOne ? at.token0() : at.token1();
        at.swap(
            address(this),
            zeroForOne,
            int256(IErc20(tokenIn).balanceOf(address(this))),
            uint160(target),
            abi.encode(tokenIn)
        );
    }

    /// @dev The key's own trade, sandwiched so that the vault gets `bps` less than the fair price before fees. A minute after
    /// the last one, since the trades of a minute count together.
    function _sandwich(address tokenIn, uint256 amountIn, int256 bps) internal {
        _pass(1 minutes);
        _bendSpot(tokenIn == address(usdc) ? bps : -bps);
        _swapAsKey(tokenIn, amountIn);
        _bendSpot(0);
    }

    function _swapAsKey(address tokenIn, uint256 amountIn) internal {
        address tokenOut = tokenIn == address(usdc) ? address(weth) : address(usdc);
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(pool), tokenIn, tokenOut, amountIn, 0, block.timestamp));
    }
}
