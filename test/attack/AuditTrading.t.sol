// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {Life} from "contracts/types/Life.sol";
import {DayTraded} from "contracts/types/Money.sol";

import {AuditTest} from "./AuditTest.sol";
import {IErc20} from "test/utils/Venue.sol";

/// @title The audit, prices: what a leaked key makes of a mean that lags behind the market (issue 18, point 2)
/// @dev The market moves; the mean of thirty minutes follows slowly, that of one minute within a minute. For the
/// length of one transaction the attacker bends the pool to wherever the vault still takes the price for good, trades
/// there against himself, and lets it go; then he waits until the next minute has room. Losses are reckoned at the
/// price after the move, and must not exceed what `worstLoss` said before it.
///
/// Prices are parts per million of the fair price.
contract AuditTradingTest is AuditTest {
    uint256 internal constant PPM = 1_000_000;
    /// @dev How far a price may be bent so that, with the pool's fee of 30 bps, it comes just under the slippage of
    /// 100.
    uint256 internal constant BEND = 66;

    /// @dev Two days' volume after the move; a declared death; two days' volume and a death; a day's volume before the
    /// move, a day's after it, and a death.
    enum Plan {
        Alive,
        Dying,
        AliveThenDying,
        Everything
    }

    /// @dev How long after the move the attack begins: in its block, in the next, half a minute, one or ten later.
    uint256[5] internal delays = [uint256(0), 2, 30, 60, 600];
    uint256[6] internal moves = [uint256(100), 200, 500, 1_000, 2_000, 3_000];

    struct Worst {
        uint256 lost;
        uint256 bound;
        string name;
    }

    Worst internal worst;
    uint256 internal market;

    /* THE MATRIX */

    function test_lag_aliveMarketRises() public {
        _matrix(Plan.Alive, true, false);
    }

    function test_lag_aliveMarketFalls() public {
        _matrix(Plan.Alive, false, false);
    }

    function test_lag_dyingMarketRises() public {
        _matrix(Plan.Dying, true, false);
    }

    function test_lag_dyingMarketFalls() public {
        _matrix(Plan.Dying, false, false);
    }

    function test_lag_aliveThenDyingMarketRises() public {
        _matrix(Plan.AliveThenDying, true, false);
    }

    function test_lag_aliveThenDyingMarketFalls() public {
        _matrix(Plan.AliveThenDying, false, false);
    }

    function test_lag_everythingMarketRises() public {
        _matrix(Plan.Everything, true, false);
    }

    function test_lag_everythingMarketFalls() public {
        _matrix(Plan.Everything, false, false);
    }

    /// @dev The sequencer stood still for an hour; the market did not, and lands in the first block after it.
    function test_lag_aliveAfterAPause() public {
        _matrix(Plan.Alive, true, true);
        _matrix(Plan.Alive, false, true);
    }

    function test_lag_dyingAfterAPause() public {
        _matrix(Plan.Dying, true, true);
        _matrix(Plan.Dying, false, true);
    }

    function test_lag_everythingAfterAPause() public {
        _matrix(Plan.Everything, true, true);
        _matrix(Plan.Everything, false, true);
    }

    /* A MARKET THAT CLIMBS */

    /// @dev No jump but a slope: the market rises or falls by 30 % over two to sixty minutes, and every minute the
    /// attacker trades at the price of a minute before. Each trade is reckoned at the market of its moment.
    function test_lag_marketThatClimbs() public {
        vm.pauseGasMetering();
        // A pool that is traded in every block needs an observation for each block of the window.
        pool.increaseObservationCardinalityNext(1_000);
        uint256[4] memory lengths = [uint256(2), 5, 10, 60];
        for (uint256 i; i < 8; ++i) {
            uint256 state = vm.snapshotState();
            uint256 lost = _climb(i % 2 == 0, lengths[i / 2] * 30);
            uint256 bound = stated.trading;
            vm.revertToState(state);
            string memory way = i % 2 == 0 ? "+30% over " : "-30% over ";
            _note(string.concat(way, vm.toString(lengths[i / 2]), " minutes"), lost, bound);
        }
        _assertWorst();
    }

    /// @dev Alive while the day has room, then dying.
    function _climb(bool rises, uint256 blocks) private returns (uint256 lost) {
        _begin(rises, 400);
        _quietHour();
        uint256 last;
        for (uint256 i = 1; i <= blocks; ++i) {
            market = rises ? PPM + 300_000 * i / blocks : PPM - 300_000 * i / blocks;
            _bendTo(market);
            if (i == 1 || block.timestamp >= last + 60) {
                uint256 before = _wealthNow();
                if (_stab()) {
                    last = block.timestamp;
                } else if (!_dying()) {
                    vm.prank(KEY);
                    vault.dieSenescent("");
                }
                lost += FixedPointMathLib.zeroFloorSub(before, _wealthNow());
            }
            _nextBlock();
        }
    }

    /* LIQUIDITY */

    /// @dev The same by liquidity: a position at the old price, all of it in what rose, which the attacker then buys
    /// out.
    function test_lag_liquidityAtTheOldPrice() public {
        vm.pauseGasMetering();
        for (uint256 i; i < delays.length; ++i) {
            for (uint256 j; j < moves.length; ++j) {
                uint256 state = vm.snapshotState();
                _begin(true, 400 + delays[i]);
                _quietHour();
                _move(PPM + moves[j] * 100, delays[i]);
                uint256 before = _wealthNow();
                for (uint256 day; day < 2; ++day) {
                    for (uint256 k; k < 6; ++k) {
                        bool any;
                        while (_mintAtTheOldPrice()) any = true;
                        _nextMinute();
                        if (!any) break;
                    }
                    if (day == 0) _lastSecond();
                    _nextBlock();
                }
                uint256 lost = _reckon(before);
                uint256 bound = stated.trading;
                vm.revertToState(state);
                _note(string.concat("liquidity ", _nameOf(moves[j], true, delays[i], false)), lost, bound);
            }
        }
        _assertWorst();
    }

    /* OWNER */

    /// @dev The market fell by a tenth. The mean still says the old price, and nobody will ever pay that: the owner may
    /// sell at the market, all at once, and the key may not.
    function test_owner_sellsAtTheMarketWhileTheMeanLags() public {
        _begin(true, 400);
        _kill();
        _nextBlock();
        _move(PPM - 100_000, 60);
        uint256 all = weth.balanceOf(address(vault));
        (bool ok,) = _try(KEY, address(vault), _swapCall(address(pool), address(weth), address(usdc), all));
        assertFalse(ok, "the key sold everything at once, a tenth under the mean");
        (ok,) = _try(OWNER, address(vault), _swapCall(address(pool), address(weth), address(usdc), all));
        assertTrue(ok, "the owner cannot sell at the market");
        assertEq(weth.balanceOf(address(vault)), 0, "not everything was sold");
    }

    /// @dev Somebody bends the pool in front of the owner's sale: within one block it does not help him.
    function test_owner_isNotSandwichedInOneBlock() public {
        _begin(true, 400);
        _kill();
        _nextBlock();
        _bendTo(PPM - 20_000);
        uint256 all = weth.balanceOf(address(vault));
        (bool ok,) = _try(OWNER, address(vault), _swapCall(address(pool), address(weth), address(usdc), all));
        assertFalse(ok, "the owner sold at a price bent in the same block");
    }

    /// @dev However many trades, those less than a minute apart move at most a tenth of the capital; alive, dying, and
    /// from the one into the other.
    function test_key_tradesATenthOfTheCapitalPerMinute() public {
        _begin(true, 400);
        uint256 held = weth.balanceOf(address(vault));
        for (uint256 i; i < 20; ++i) {
            if (i == 10) {
                vm.prank(KEY);
                vault.dieSenescent("");
            }
            uint256 amount = i % 2 == 0 ? 0.02 ether : 0.005 ether;
            _try(KEY, address(vault), _swapCall(address(pool), address(weth), address(usdc), amount));
            _bendTo(PPM);
            _nextBlock();
        }
        uint256 sold = (held - weth.balanceOf(address(vault))) * FAIR / 1 ether;
        assertGt(sold, 80e6, "the key cannot sell at all");
        assertLe(sold, 100e6, "the key sold more than a tenth of the capital in one minute");
        _nextMinute();
        (bool ok,) = _try(KEY, address(vault), _swapCall(address(pool), address(weth), address(usdc), 0.02 ether));
        assertTrue(ok, "a minute later there is no room again");
    }

    /* THE ATTACK */

    function _matrix(Plan plan, bool rises, bool pause) private {
        vm.pauseGasMetering();
        uint256 start = vm.snapshotState();
        uint256 lostBefore = _beforeTheMove(plan, rises, pause);
        uint256 bound = stated.trading;
        for (uint256 i; i < delays.length; ++i) {
            for (uint256 j; j < moves.length; ++j) {
                uint256 state = vm.snapshotState();
                _move(rises ? PPM + moves[j] * 100 : PPM - moves[j] * 100, delays[i]);
                uint256 lost = lostBefore + _attack(plan);
                vm.revertToStateAndDelete(state);
                _note(string.concat(_nameOf(plan), " ", _nameOf(moves[j], rises, delays[i], pause)), lost, bound);
            }
        }
        _assertWorst();
        vm.revertToStateAndDelete(start);
    }

    /// @dev What is lost before the move is reckoned at the price before it.
    function _beforeTheMove(Plan plan, bool rises, bool pause) private returns (uint256 lost) {
        // A sale at death needs something to sell; buying on the way down needs USDC.
        _begin(rises || plan == Plan.Dying, 1_000);
        if (plan == Plan.Everything) {
            uint256 start = _wealthNow();
            _burst(6);
            _lastSecond();
            _nextBlock();
            lost = start - _wealthNow();
        }
        if (!pause) {
            _quietHour();
            return lost;
        }
        vm.warp(block.timestamp + 1 hours);
        vm.roll(block.number + 1);
    }

    function _attack(Plan plan) private returns (uint256) {
        uint256 before = _wealthNow();
        if (plan != Plan.Dying) _burst(6);
        if (plan == Plan.Alive || plan == Plan.AliveThenDying) {
            _lastSecond();
            _nextBlock();
            _burst(6);
        }
        if (plan != Plan.Alive) {
            vm.prank(KEY);
            vault.dieSenescent("");
            _burst(14);
        }
        return _reckon(before);
    }

    /// @dev A Golem, with nine tenths of its capital in WETH if wanted, so long before a midnight.
    function _begin(bool invested, uint256 untilMidnight) private {
        _giveBirth();
        for (uint256 i; invested && i < 9; ++i) {
            if (i == 5) _pass(1 days);
            _swapAsKey(address(usdc), 98e6);
            _bendTo(PPM);
            _nextMinute();
        }
        _pass(1 days);
        _lastSecond();
        // An hour earlier too, so that a pause ends before the same midnight.
        vm.warp(block.timestamp - untilMidnight - 1 hours);
        market = PPM;
        _arm();
    }

    /// @dev An hour with trades in it, at the fair price.
    function _quietHour() private {
        for (uint256 i; i < 4; ++i) {
            vm.warp(block.timestamp + 15 minutes - 1);
            vm.roll(block.number + 450);
            _bendTo(i % 2 == 0 ? PPM + 300 : PPM);
        }
        _nextBlock();
    }

    /// @dev The market moves in one block. `delay` 0: the attacker is in that same block.
    function _move(uint256 to, uint256 delay) private {
        market = to;
        _bendTo(market);
        if (delay == 0) return;
        vm.warp(block.timestamp + delay);
        vm.roll(block.number + delay / 2);
    }

    /// @dev Minute after minute, as much as each allows at once, until two in a row allow nothing.
    function _burst(uint256 minutes_) private {
        uint256 barren;
        for (uint256 i; i < minutes_ && barren < 2; ++i) {
            barren = _stab() ? 0 : barren + 1;
            _nextMinute();
        }
    }

    function _nextMinute() private {
        vm.warp(block.timestamp + 60);
        vm.roll(block.number + 30);
    }

    /// @dev One trade at the worst price the vault takes: what rose is sold, what fell is bought; when there is nothing
    /// left of it, the other way. False when no trade passes any more.
    function _stab() private returns (bool) {
        if (_dying()) return _stabWays(true);
        bool sell = market == PPM ? vault.books().deployed > vault.books().capital : market > PPM;
        return _stabWays(sell) || _stabWays(!sell);
    }

    /// @dev At the old price, the two means and the market, the most greedy first; at nothing better than the market.
    function _stabWays(bool sell) private returns (bool) {
        DayTraded memory traded = vault.tradedToday();
        uint256 most = uint256(traded.basis) * 98 / 1_000;
        if (!_dying()) {
            most = FixedPointMathLib.min(most, FixedPointMathLib.zeroFloorSub(traded.basis / 2, traded.volume));
        }
        if (!(market > PPM == sell) || market == PPM) return _stabAt(sell, market, most);
        return _stabAt(sell, PPM, most) || _stabAt(sell, _meanPpm(30 minutes), most)
            || _stabAt(sell, _meanPpm(1 minutes), most) || _stabAt(sell, market, most);
    }

    /// @dev Sells (or buys) for `value` USDC with the pool bent to just within the slippage of `price`, again and again
    /// until it is refused.
    function _stabAt(bool sell, uint256 price, uint256 value) private returns (bool any) {
        while (_trade(sell, price, value)) any = true;
        _bendTo(market);
    }

    function _trade(bool sell, uint256 price, uint256 value) private returns (bool ok) {
        uint256 held = sell ? weth.balanceOf(address(vault)) * FAIR / 1 ether * price / PPM : vault.books().capital;
        value = FixedPointMathLib.min(value, held);
        if (value < 1e6) return false;
        uint256 bend = BEND - 20_000 * value / 1_500_000e6 - 1;
        _bendTo(sell ? price * (10_000 - bend) / 10_000 : price * 10_000 / (10_000 - bend));
        uint256 amount =
            sell ? FixedPointMathLib.min(value * 1 ether / FAIR * PPM / price, weth.balanceOf(address(vault))) : value;
        (address from, address to) = sell ? (address(weth), address(usdc)) : (address(usdc), address(weth));
        (ok,) = _try(KEY, address(vault), _swapCall(address(pool), from, to, amount));
    }

    /// @dev Bends the pool back to the mean and opens a position of WETH alone in the very next range, which the
    /// market's price then lies beyond.
    function _mintAtTheOldPrice() private returns (bool ok) {
        uint256 amount = FixedPointMathLib.min(
            uint256(vault.tradedToday().basis) / 10 * 0.98e18 / FAIR * PPM / _meanPpm(1 minutes),
            weth.balanceOf(address(vault))
        );
        if (amount < 1e15 || vault.positions().length == 16) return false;
        uint256[4] memory prices = [PPM, _meanPpm(30 minutes), _meanPpm(1 minutes), market];
        for (uint256 i; i < 4 && !ok; ++i) {
            _bendTo(prices[i] * 9_910 / 10_000);
            (, int24 tick,,,,,) = pool.slot0();
            int24 edge = tick / SPACING * SPACING;
            if (tick < 0 && tick % SPACING != 0) edge -= SPACING;
            bool wethFirst = address(weth) < address(usdc);
            (int24 lower, int24 upper) = wethFirst ? (edge + SPACING, edge + 2 * SPACING) : (edge - SPACING, edge);
            IVaultLiquidity.MintOrder memory order = IVaultLiquidity.MintOrder(
                address(pool), lower, upper, wethFirst ? amount : 0, wethFirst ? 0 : amount, 0, 0
            );
            (ok,) = _try(KEY, address(vault), abi.encodeCall(vault.mintPosition, (order)));
            _bendTo(market);
        }
    }

    /* RECKONING */

    /// @dev The owner ends it at the market's price and takes what there is; what is missing was lost.
    function _reckon(uint256 before) private returns (uint256) {
        _bendTo(market);
        _nextBlock();
        uint256 positions = vault.positions().length;
        for (uint256 i; i < positions; ++i) {
            // The mean has to have caught up for the vault's own way out; the owner has the patience.
            if (i == 0) _pass(2 hours);
            uint256 id = vault.positions()[0].tokenId;
            uint128 liquidity = manager.positions(id).liquidity;
            vm.prank(KEY);
            vault.decreasePosition(id, liquidity, 0, 0);
        }
        if (!_dying()) {
            vm.prank(OWNER);
            vault.killAndRevoke("the key leaked");
        }
        vm.warp(lineage.golem(golem).dyingDeadline);
        vm.prank(STRANGER);
        vault.finalise();
        return FixedPointMathLib.zeroFloorSub(before, _wealthNow());
    }

    function _wealthNow() private view returns (uint256) {
        uint256 coins = weth.balanceOf(address(vault)) + weth.balanceOf(OWNER);
        return usdc.balanceOf(address(vault)) + usdc.balanceOf(OWNER) + coins * FAIR / 1 ether * market / PPM;
    }

    /// @dev Keeps the worst, and says every case that breaks the figure.
    function _note(string memory name, uint256 lost, uint256 bound) private {
        if (lost > bound) emit log_named_decimal_uint(name, lost, 6);
        if (lost >= worst.lost) worst = Worst(lost, bound, name);
    }

    function _assertWorst() private {
        Worst memory found = worst;
        delete worst;
        _assertLoss(string.concat("lagging market: ", found.name), found.lost, found.bound);
    }

    function _nameOf(Plan plan) private pure returns (string memory) {
        if (plan == Plan.Alive) return "alive";
        if (plan == Plan.Dying) return "dying";
        return plan == Plan.AliveThenDying ? "alive, then dying" : "everything";
    }

    function _nameOf(uint256 bps, bool rises, uint256 delay, bool pause) private pure returns (string memory) {
        return string.concat(
            rises ? "+" : "-",
            vm.toString(bps / 100),
            "%, ",
            vm.toString(delay),
            " s after the move",
            pause ? ", after a pause" : ""
        );
    }

    /* PRICES */

    function _dying() private view returns (bool) {
        (, Life life) = lineage.vitalOf(golem);
        return life == Life.Dying;
    }

    /// @dev Moves the pool to so many parts per million of the fair price, in one swap.
    function _bendTo(uint256 ppm) private {
        uint256 root = FixedPointMathLib.sqrt(ppm * 1e30);
        bool wethFirst = address(weth) < address(usdc);
        uint256 target = wethFirst ? fairSpot * root / 1e18 : uint256(fairSpot) * 1e18 / root;
        uint160 spot = _spot();
        if (target == spot) return;
        bool zeroForOne = target < spot;
        address tokenIn = zeroForOne ? pool.token0() : pool.token1();
        int256 all = int256(IErc20(tokenIn).balanceOf(address(this)));
        pool.swap(address(this), zeroForOne, all, uint160(target), abi.encode(tokenIn));
    }

    /// @dev What the mean of so many seconds says now.
    function _meanPpm(uint32 window) private view returns (uint256) {
        uint32[] memory agos = new uint32[](2);
        agos[0] = window;
        (int56[] memory ticks,) = pool.observe(agos);
        uint256 root = TickLib.sqrtPriceUp((ticks[1] - ticks[0]) / int56(uint56(window))) * 1e18 / fairSpot;
        uint256 ppm = root * root / 1e30;
        return address(weth) < address(usdc) ? ppm : 1e12 / ppm;
    }
}
