// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Phase} from "contracts/types/Life.sol";
import {Ledger, Policy, Split} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title What a person reads on the vault's own Read tab, in words (V-001, L-023)
contract WordsTest is UnitTest {
    function test_words_ofALivingGolem() public {
        assertEq(vault.agentId(), golem);
        assertEq(vault.owner(), OWNER);
        assertEq(vault.key(), KEY);
        assertEq(vault.life(), "alive");
        assertEq(vault.phase(), "Thriving");
        assertEq(vault.cause(), "none");
        assertEq(vault.split(), "birth");
        assertEq(vault.deadline(), 0);
        assertEq(vault.lockedUntil(), 0);
        assertEq(vault.policyHash(), keccak256("bardo.policy.1"));
        vm.prank(OWNER);
        vault.rotateKey(address(0));
        assertEq(vault.key(), address(0));
    }

    function test_words_followTheLife() public {
        string[5] memory phases = ["Thriving", "Stable", "Conservation", "Declining", "Terminal"];
        for (uint64 i; i < 5; ++i) {
            _beat(i + 1, Phase(i));
            assertEq(vault.phase(), phases[i]);
        }
        _kill();
        assertEq(vault.life(), "dying");
        assertEq(vault.cause(), "OwnerKill");
        uint256 deadline = block.timestamp + 1 hours;
        assertEq(vault.deadline(), deadline);
        _settle();
        assertEq(vault.life(), "dead");
        assertEq(vault.deadline(), deadline, "the one it had");
        assertEq(vault.phase(), "Terminal");
    }

    function test_split_inWords() public {
        _beat(1, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Declining);
        assertEq(vault.split(), "declining");
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        assertEq(vault.split(), "terminal");
    }

    /// @dev With a policy of one's own the day's shares are its own, in every partition.
    function test_today_followsAPolicyOfOnesOwn() public {
        Policy memory policy = _template();
        (policy.llmDayBps, policy.gasDayBps, policy.dataDayBps) = (1_000, 2_000, 5_000);
        _setPolicy(policy);
        (,, Ledger memory left) = vault.today();
        assertEq(left.llm, 5.88e6);
        assertEq(left.gas, 4.9e6);
        assertEq(left.data, 7.35e6);
    }
}
