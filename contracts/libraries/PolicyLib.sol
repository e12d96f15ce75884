// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Policy} from "contracts/types/Money.sol";

/// @title The default policy and the range of every number in one
/// @dev The default is code, so a Golem refers to it by one bit and pays nothing to copy it (V-040).
library PolicyLib {
    /// @dev Stands for the default in a birth's salt and in a mandate, where a policy of one's own has its keccak.
    bytes32 internal constant TEMPLATE = keccak256("bardo.policy.1");

    uint64 internal constant CALL_CAP = 10e6;
    uint64 internal constant FLOAT_CAP = 2e6;
    uint64 internal constant DAY_FLOOR = 0.5e6;
    uint16 internal constant LLM_DAY_BPS = 2_000;
    uint16 internal constant GAS_DAY_BPS = 3_000;
    uint16 internal constant DATA_DAY_BPS = 2_500;

    /// @notice The numbers of the catalogue (V-006, V-011, V-014, V-017, T-001..T-003, M-093).
    function template() internal pure returns (Policy memory) {
        return Policy({
            callCap: CALL_CAP,
            floatCap: FLOAT_CAP,
            dayFloor: DAY_FLOOR,
            deathBudget: 1e6,
            llmDayBps: LLM_DAY_BPS,
            gasDayBps: GAS_DAY_BPS,
            dataDayBps: DATA_DAY_BPS,
            tradeBps: 1_000,
            dayTradeBps: 5_000,
            dayLossBps: 200,
            slippageBps: 100,
            harvestBps: 5_000,
            twapWindow: 30 minutes,
            rebalanceCooldown: 30 * 40 seconds,
            silenceLimit: 7 days,
            grace: 60 minutes,
            minDepth: 50_000e6,
            // 1e-3 * 2^64, rounded down.
            hazardMax: 18_446_744_073_709_551
        });
    }

    /// @notice How a birth or a mandate names a policy: none given means the template.
    function hashOf(Policy[] memory policy) internal pure returns (bytes32) {
        return policy.length == 0 ? TEMPLATE : keccak256(abi.encode(policy[0]));
    }

    /// @notice Reverts unless every number is in its range.
    function check(Policy memory policy) internal pure {
        // Amounts end at a million USDC: far beyond any use, and a slipped decimal is refused.
        _within("callCap", policy.callCap, 1, 1e12);
        _within("floatCap", policy.floatCap, 0, 1e12);
        _within("dayFloor", policy.dayFloor, 0, 1e12);
        _within("deathBudget", policy.deathBudget, 0, 1e12);
        _within("llmDayBps", policy.llmDayBps, 0, 10_000);
        _within("gasDayBps", policy.gasDayBps, 0, 10_000);
        _within("dataDayBps", policy.dataDayBps, 0, 10_000);
        _within("tradeBps", policy.tradeBps, 0, 10_000);
        _within("dayTradeBps", policy.dayTradeBps, 0, 50_000);
        _within("dayLossBps", policy.dayLossBps, 0, 10_000);
        _within("slippageBps", policy.slippageBps, 1, 1_000);
        _within("harvestBps", policy.harvestBps, 0, 10_000);
        // A window under five minutes is a price one block can bend.
        _within("twapWindow", policy.twapWindow, 5 minutes, 1 days);
        _within("rebalanceCooldown", policy.rebalanceCooldown, 1 minutes, 30 days);
        _within("silenceLimit", policy.silenceLimit, 3 days, 90 days);
        _within("grace", policy.grace, 30 minutes, 24 hours);
        // Below a thousand USDC of depth anyone can bend a price for the length of a window.
        _within("minDepth", policy.minDepth, 1_000e6, type(uint64).max);
        // One in ten a tick; more is no hazard but a date.
        _within("hazardMax", policy.hazardMax, 1, 1_844_674_407_370_955_161);
    }

    function _within(bytes32 field, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max) revert IVaultRules.PolicyOutOfRange(field, value, min, max);
    }
}
