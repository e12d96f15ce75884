// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Life} from "contracts/types/Life.sol";
import {Listing, Policy, USE_PAYEE_GAS, USE_PAYEE_LLM, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title setPolicy, setListings (V-006, V-011, T-001, T-003)
contract PolicyTest is UnitTest {
    uint64 private constant MILLION = 1_000_000e6;
    uint64 private constant ONE_IN_TEN = uint64(uint256(2 ** 64) / 10);

    /// @dev The catalogue's numbers, one by one.
    function test_policy_templateHasTheCataloguesNumbers() public view {
        Policy memory p = vault.policy();
        assertEq(p.llmDayBps, 2_000);
        assertEq(p.gasDayBps, 3_000);
        assertEq(p.dataDayBps, 2_500);
        assertEq(p.dayFloor, 0.5e6);
        assertEq(p.deathBudget, 1e6);
        assertEq(p.tradeBps, 1_000);
        assertEq(p.dayTradeBps, 5_000);
        assertEq(p.dayLossBps, 200);
        assertEq(p.slippageBps, 100);
        assertEq(p.harvestBps, 5_000);
        assertEq(p.twapWindow, 30 minutes);
        assertEq(p.rebalanceCooldown, 30 * 40);
        assertEq(p.silenceLimit, 7 days);
        assertEq(p.grace, 60 minutes);
        assertEq(p.hazardMax, uint64(uint256(2 ** 64) / 1000));
        assertEq(p.minDepth, 50_000e6);
        assertGt(p.callCap, 0);
        assertGt(p.floatCap, 0);
    }

    function test_setPolicy_replacesTheTemplate() public {
        Policy memory p = _template();
        p.callCap = 1;
        p.grace = 24 hours;
        vm.expectEmit(address(vault));
        emit IVaultOwner.PolicySet(p);
        _setPolicy(p);
        assertEq(keccak256(abi.encode(vault.policy())), keccak256(abi.encode(p)));
    }

    function test_setPolicy_onlyByTheOwnerOfALivingGolem() public {
        Policy memory p = _template();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, KEY, OWNER));
        vm.prank(KEY);
        vault.setPolicy(p);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.setPolicy(p);
    }

    /// @dev One field out of range by one unit at each end.
    function _refuses(Policy memory p, bytes32 field, uint256 value, uint256 min, uint256 max) private {
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.PolicyOutOfRange.selector, field, value, min, max));
        _setPolicy(p);
    }

    /// @dev A slipped decimal: amounts end at a million USDC.
    function test_setPolicy_refusesAmountsAboveAMillion() public {
        Policy memory p = _template();
        p.callCap = MILLION + 1;
        _refuses(p, "callCap", MILLION + 1, 1, MILLION);
        p = _template();
        p.floatCap = MILLION + 1;
        _refuses(p, "floatCap", MILLION + 1, 0, MILLION);
        p = _template();
        p.dayFloor = MILLION + 1;
        _refuses(p, "dayFloor", MILLION + 1, 0, MILLION);
        p = _template();
        p.deathBudget = MILLION + 1;
        _refuses(p, "deathBudget", MILLION + 1, 0, MILLION);
    }

    function test_setPolicy_refusesSharesAboveTheWhole() public {
        Policy memory p = _template();
        p.callCap = 0;
        _refuses(p, "callCap", 0, 1, MILLION);
        p = _template();
        p.llmDayBps = 10_001;
        _refuses(p, "llmDayBps", 10_001, 0, 10_000);
        p = _template();
        p.gasDayBps = 10_001;
        _refuses(p, "gasDayBps", 10_001, 0, 10_000);
        p = _template();
        p.dataDayBps = 10_001;
        _refuses(p, "dataDayBps", 10_001, 0, 10_000);
        p = _template();
        p.tradeBps = 10_001;
        _refuses(p, "tradeBps", 10_001, 0, 10_000);
        p = _template();
        p.dayTradeBps = 50_001;
        _refuses(p, "dayTradeBps", 50_001, 0, 50_000);
        p = _template();
        p.dayLossBps = 10_001;
        _refuses(p, "dayLossBps", 10_001, 0, 10_000);
        p = _template();
        p.harvestBps = 10_001;
        _refuses(p, "harvestBps", 10_001, 0, 10_000);
    }

    function test_setPolicy_refusesEveryRangeOneUnitOutside() public {
        Policy memory p = _template();
        p.slippageBps = 0;
        _refuses(p, "slippageBps", 0, 1, 1_000);
        p.slippageBps = 1_001;
        _refuses(p, "slippageBps", 1_001, 1, 1_000);
        p = _template();
        p.twapWindow = 5 minutes - 1;
        _refuses(p, "twapWindow", 5 minutes - 1, 5 minutes, 1 days);
        p.twapWindow = 1 days + 1;
        _refuses(p, "twapWindow", 1 days + 1, 5 minutes, 1 days);
        p = _template();
        p.rebalanceCooldown = 59;
        _refuses(p, "rebalanceCooldown", 59, 60, 30 days);
        p.rebalanceCooldown = 30 days + 1;
        _refuses(p, "rebalanceCooldown", 30 days + 1, 60, 30 days);
        p = _template();
        p.silenceLimit = 3 days - 1;
        _refuses(p, "silenceLimit", 3 days - 1, 3 days, 90 days);
        p.silenceLimit = 90 days + 1;
        _refuses(p, "silenceLimit", 90 days + 1, 3 days, 90 days);
        p = _template();
        p.grace = 30 minutes - 1;
        _refuses(p, "grace", 30 minutes - 1, 30 minutes, 24 hours);
        p.grace = 24 hours + 1;
        _refuses(p, "grace", 24 hours + 1, 30 minutes, 24 hours);
        p = _template();
        p.minDepth = 1_000e6 - 1;
        _refuses(p, "minDepth", 1_000e6 - 1, 1_000e6, type(uint64).max);
        p = _template();
        p.hazardMax = 0;
        _refuses(p, "hazardMax", 0, 1, ONE_IN_TEN);
        p.hazardMax = ONE_IN_TEN + 1;
        _refuses(p, "hazardMax", ONE_IN_TEN + 1, 1, ONE_IN_TEN);
    }

    function test_setPolicy_acceptsEveryRangeAtItsEnds() public {
        Policy memory p = Policy({
            callCap: 1,
            floatCap: 0,
            dayFloor: 0,
            deathBudget: 0,
            llmDayBps: 0,
            gasDayBps: 0,
            dataDayBps: 0,
            tradeBps: 0,
            dayTradeBps: 0,
            dayLossBps: 0,
            slippageBps: 1,
            harvestBps: 0,
            twapWindow: 5 minutes,
            rebalanceCooldown: 1 minutes,
            silenceLimit: 3 days,
            grace: 30 minutes,
            minDepth: 1_000e6,
            hazardMax: 1
        });
        _setPolicy(p);
        assertEq(keccak256(abi.encode(vault.policy())), keccak256(abi.encode(p)));
        p = Policy({
            callCap: MILLION,
            floatCap: MILLION,
            dayFloor: MILLION,
            deathBudget: MILLION,
            llmDayBps: 10_000,
            gasDayBps: 10_000,
            dataDayBps: 10_000,
            tradeBps: 10_000,
            dayTradeBps: 50_000,
            dayLossBps: 10_000,
            slippageBps: 1_000,
            harvestBps: 10_000,
            twapWindow: 1 days,
            rebalanceCooldown: 30 days,
            silenceLimit: 90 days,
            grace: 24 hours,
            minDepth: type(uint64).max,
            hazardMax: ONE_IN_TEN
        });
        _setPolicy(p);
        assertEq(keccak256(abi.encode(vault.policy())), keccak256(abi.encode(p)));
    }

    function test_birth_withAPolicyOfOnesOwnIsCheckedAndStored() public {
        IBirth.Order memory order = _order();
        order.nonce = 1;
        order.policy = new Policy[](1);
        order.policy[0] = _template();
        order.policy[0].grace = 1;
        IBirth.Funding memory funding;
        vm.expectRevert(
            abi.encodeWithSelector(IVaultRules.PolicyOutOfRange.selector, bytes32("grace"), 1, 30 minutes, 24 hours)
        );
        vm.prank(OWNER);
        births.birth(order, funding);
        order.policy[0].grace = 45 minutes;
        _giveBirth(order);
        assertEq(vault.policy().grace, 45 minutes);
    }

    /* LISTS */

    function test_setListings_listsAndDelists() public {
        vm.expectEmit(address(vault));
        emit IVaultOwner.ListingSet(STRANGER, USE_PAYEE_LLM | USE_PAYEE_GAS, address(0));
        _list(STRANGER, USE_PAYEE_LLM | USE_PAYEE_GAS, address(0));
        (uint8 uses, address pricedBy) = vault.listingOf(STRANGER);
        assertEq(uses, USE_PAYEE_LLM | USE_PAYEE_GAS);
        assertEq(pricedBy, address(0));
        vm.expectEmit(address(vault));
        emit IVaultOwner.ListingSet(STRANGER, 0, address(0));
        _list(STRANGER, 0, address(0));
        (uses,) = vault.listingOf(STRANGER);
        assertEq(uses, 0);
        (uses, pricedBy) = vault.listingOf(address(weth));
        assertEq(uses, USE_TOKEN);
        assertEq(pricedBy, address(pool));
    }

    function test_setListings_refusesZeroSubjectsAndUnpricedTokens() public {
        Listing[] memory lists = new Listing[](1);
        lists[0] = Listing(address(0), USE_PAYEE_LLM, address(0));
        vm.expectRevert(IVaultRules.ZeroAddress.selector);
        vm.prank(OWNER);
        vault.setListings(lists);
        lists[0] = Listing(STRANGER, USE_TOKEN, address(0));
        vm.expectRevert(IVaultRules.ZeroAddress.selector);
        vm.prank(OWNER);
        vault.setListings(lists);
    }

    function _lines(uint256 count) private pure returns (Listing[] memory lists) {
        lists = new Listing[](count);
        for (uint160 i; i < count; ++i) {
            lists[i] = Listing(address(0xbeef + i), USE_POOL, address(0));
        }
    }

    function test_setListings_takesSixtyFourLinesAndNotOneMore() public {
        Listing[] memory lists = _lines(65);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.ListFull.selector, 65, 64));
        vm.prank(OWNER);
        vault.setListings(lists);
        lists = _lines(64);
        vm.prank(OWNER);
        vault.setListings(lists);
        (uint8 uses,) = vault.listingOf(address(uint160(0xbeef + 63)));
        assertEq(uses, USE_POOL);
    }

    function test_setListings_onlyByTheBoundOwnerOfALivingGolem() public {
        Listing[] memory lists = _lines(1);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, KEY, OWNER));
        vm.prank(KEY);
        vault.setListings(lists);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.setListings(lists);
    }
}
