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
        r = new Range[](18);
        r[0] = Range("callCap", p.callCap, 1, 1e12);
        r[1] = Range("floatCap", p.floatCap, 0, 1e12);
        r[2] = Range("dayFloor", p.dayFloor, 0, 1e12);
        r[3] = Range("deathBudget", p.deathBudget, 0, 1e12);
        r[4] = Range("llmDayBps", p.llmDayBps, 0, 10_000);
        r[5] = Range("gasDayBps", p.gasDayBps, 0, 10_000);
        r[6] = Range("dataDayBps", p.dataDayBps, 0, 10_000);
        r[7] = Range("tradeBps", p.tradeBps, 0, 10_000);
        r[8] = Range("dayTradeBps", p.dayTradeBps, 0, 50_000);
        r[9] = Range("dayLossBps", p.dayLossBps, 0, 10_000);
        r[10] = Range("slippageBps", p.slippageBps, 1, 1_000);
        r[11] = Range("harvestBps", p.harvestBps, 0, 10_000);
        r[12] = Range("twapWindow", p.twapWindow, 300, 86_400);
        r[13] = Range("rebalanceCooldown", p.rebalanceCooldown, 60, 2_592_000);
        r[14] = Range("silenceLimit", p.silenceLimit, 259_200, 7_776_000);
        r[15] = Range("grace", p.grace, 1_800, 86_400);
        r[16] = Range("minDepth", p.minDepth, 1e9, 2 ** 64 - 1);
        // A hundredth in units of 2^-64, rounded down.
        r[17] = Range("hazardMax", p.hazardMax, 1, uint256(2 ** 64) / 10);
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

    /// @dev Every number at and beside each end of its range, the others as in the template. An end that its type cannot
    /// pass has no outside.
    function test_check_eachNumberAtItsEdges() public {
        for (uint256 field; field < 18; ++field) {
            Range memory r = _ranges(PolicyLib.template())[field];
            _assertField(field, r.min, true);
            _assertField(field, r.max, true);
            if (r.min != 0) _assertField(field, r.min - 1, false);
            if (r.max != type(uint64).max) _assertField(field, r.max + 1, false);
        }
    }

    function _assertField(uint256 field, uint256 value, bool passes) private {
        Policy memory policy = PolicyLib.template();
        _put(policy, field, value);
        Range memory r = _ranges(policy)[field];
        assertEq(r.value, value, "the field does not hold its own end");
        if (!passes) {
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.PolicyOutOfRange.selector, r.field, value, r.min, r.max));
        }
        this.checkOutside(policy);
    }

    /// @dev One number anywhere, the others as in the template.
    function testFuzz_check_oneNumberAnywhere(uint8 fieldSeed, uint64 value) public {
        Policy memory policy = PolicyLib.template();
        _put(policy, fieldSeed % 18, value);
        _assertAgrees(policy);
    }

    function _put(Policy memory p, uint256 field, uint256 value) private pure {
        if (field == 0) p.callCap = uint64(value);
        if (field == 1) p.floatCap = uint64(value);
        if (field == 2) p.dayFloor = uint64(value);
        if (field == 3) p.deathBudget = uint64(value);
        if (field == 4) p.llmDayBps = uint16(value);
        if (field == 5) p.gasDayBps = uint16(value);
        if (field == 6) p.dataDayBps = uint16(value);
        if (field == 7) p.tradeBps = uint16(value);
        if (field == 8) p.dayTradeBps = uint16(value);
        if (field == 9) p.dayLossBps = uint16(value);
        if (field == 10) p.slippageBps = uint16(value);
        if (field == 11) p.harvestBps = uint16(value);
        if (field == 12) p.twapWindow = uint32(value);
        if (field == 13) p.rebalanceCooldown = uint32(value);
        if (field == 14) p.silenceLimit = uint32(value);
        if (field == 15) p.grace = uint32(value);
        if (field == 16) p.minDepth = uint64(value);
        if (field == 17) p.hazardMax = uint64(value);
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
        assertEq(p.minDepth, 50_000_000_000);
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
