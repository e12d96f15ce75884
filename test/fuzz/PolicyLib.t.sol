// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {Policy} from "contracts/types/Money.sol";

/// @title PolicyLib against a table of ranges
contract PolicyLibFuzzTest is Test {
    struct Range {
        bytes32 field;
        uint256 value;
        uint256 min;
        uint256 max;
    }

    /// @dev Range by range as the interface of `Policy` and T-001, T-003 state them.
    function _ranges(Policy memory p) private pure returns (Range[] memory r) {
        r = new Range[](15);
        r[0] = Range("callCap", p.callCap, 1, 2 ** 64 - 1);
        r[1] = Range("llmDayBps", p.llmDayBps, 0, 10_000);
        r[2] = Range("gasDayBps", p.gasDayBps, 0, 10_000);
        r[3] = Range("dataDayBps", p.dataDayBps, 0, 10_000);
        r[4] = Range("tradeBps", p.tradeBps, 0, 10_000);
        r[5] = Range("dayTradeBps", p.dayTradeBps, 0, 50_000);
        r[6] = Range("dayLossBps", p.dayLossBps, 0, 10_000);
        r[7] = Range("slippageBps", p.slippageBps, 1, 1_000);
        r[8] = Range("harvestBps", p.harvestBps, 0, 10_000);
        r[9] = Range("twapWindow", p.twapWindow, 300, 86_400);
        r[10] = Range("rebalanceCooldown", p.rebalanceCooldown, 60, 2_592_000);
        r[11] = Range("silenceLimit", p.silenceLimit, 259_200, 7_776_000);
        r[12] = Range("grace", p.grace, 1_800, 86_400);
        r[13] = Range("minDepth", p.minDepth, 1, 2 ** 128 - 1);
        r[14] = Range("hazardMax", p.hazardMax, 1, 2 ** 64 - 1);
    }

    function _assertAgrees(Policy memory policy) private {
        Range[] memory ranges = _ranges(policy);
        for (uint256 i; i < ranges.length; ++i) {
            Range memory r = ranges[i];
            if (r.value < r.min || r.value > r.max) {
                vm.expectRevert(
                    abi.encodeWithSelector(IVaultRules.PolicyOutOfRange.selector, r.field, r.value, r.min, r.max)
                );
                break;
            }
        }
        this.checkOutside(policy);
    }

    function checkOutside(Policy memory policy) external pure {
        PolicyLib.check(policy);
    }

    function testFuzz_check_agreesWithTheTable(Policy memory policy) public {
        _assertAgrees(policy);
    }

    /// @dev One number at a time at and beside each end of its range, the others as in the template.
    function testFuzz_check_eachNumberAtItsEdges(uint8 fieldSeed, uint8 edgeSeed, uint64 inside) public {
        Policy memory policy = PolicyLib.template();
        Range memory r = _ranges(policy)[fieldSeed % 15];
        uint256 edge = edgeSeed % 5;
        uint256 value = edge == 0
            ? r.min
            : edge == 1 ? r.max : edge == 2 ? r.min - (r.min == 0 ? 0 : 1) : edge == 3 ? r.max + 1 : inside;
        _put(policy, fieldSeed % 15, value);
        _assertAgrees(policy);
    }

    function _put(Policy memory p, uint256 field, uint256 value) private pure {
        if (field == 0) p.callCap = uint64(value);
        if (field == 1) p.llmDayBps = uint16(value);
        if (field == 2) p.gasDayBps = uint16(value);
        if (field == 3) p.dataDayBps = uint16(value);
        if (field == 4) p.tradeBps = uint16(value);
        if (field == 5) p.dayTradeBps = uint16(value);
        if (field == 6) p.dayLossBps = uint16(value);
        if (field == 7) p.slippageBps = uint16(value);
        if (field == 8) p.harvestBps = uint16(value);
        if (field == 9) p.twapWindow = uint32(value);
        if (field == 10) p.rebalanceCooldown = uint32(value);
        if (field == 11) p.silenceLimit = uint32(value);
        if (field == 12) p.grace = uint32(value);
        if (field == 13) p.minDepth = uint128(value);
        if (field == 14) p.hazardMax = uint64(value);
    }

    /// @dev V-006, V-011, V-014, V-017, T-001..T-003: the defaults, number by number.
    function test_template_isTheCatalogue() public {
        Policy memory p = PolicyLib.template();
        _assertAgrees(p);
        assertEq(p.llmDayBps, 2_000);
        assertEq(p.gasDayBps, 3_000);
        assertEq(p.dataDayBps, 2_500);
        assertEq(p.dayFloor, 500_000);
        assertEq(p.deathBudget, 1_000_000);
        assertEq(p.tradeBps, 1_000);
        assertEq(p.dayTradeBps, 5_000);
        assertEq(p.dayLossBps, 200);
        assertEq(p.slippageBps, 100);
        assertEq(p.harvestBps, 5_000);
        assertEq(p.twapWindow, 1_800);
        assertEq(p.rebalanceCooldown, 1_200);
        assertEq(p.silenceLimit, 604_800);
        assertEq(p.grace, 3_600);
        assertEq(p.callCap, 10_000_000);
        assertEq(p.floatCap, 2_000_000);
        // 0.001 in units of 2^-64, as a fraction of integers.
        assertLe(uint256(p.hazardMax) * 1_000, 2 ** 64);
        assertGt((uint256(p.hazardMax) + 1) * 1_000, 2 ** 64);
    }

    /// @dev T-021: no two policies share a name, and the template has its own.
    function testFuzz_hashOf_tellsPoliciesApart(Policy memory a, Policy memory b) public pure {
        Policy[] memory none = new Policy[](0);
        Policy[] memory one = new Policy[](1);
        Policy[] memory two = new Policy[](1);
        (one[0], two[0]) = (a, b);
        assertEq(PolicyLib.hashOf(none), keccak256("bardo.policy.1"));
        bool same = keccak256(abi.encode(a)) == keccak256(abi.encode(b));
        assertEq(PolicyLib.hashOf(one) == PolicyLib.hashOf(two), same);
        assertTrue(PolicyLib.hashOf(one) != PolicyLib.hashOf(none));
    }
}
