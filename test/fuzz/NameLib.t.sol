// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {NameLib} from "contracts/libraries/NameLib.sol";
import {Cause, Life, Phase} from "contracts/types/Life.sol";

/// @title NameLib against the words of L-003, T-001 and the catalogue, in the order of their numbers (L-023)
contract NameLibFuzzTest is Test {
    function test_nameOf_isTheWordOfItsNumber() public pure {
        string[4] memory lives = ["unborn", "alive", "dying", "dead"];
        string[5] memory phases = ["Thriving", "Stable", "Conservation", "Declining", "Terminal"];
        string[6] memory causes = ["none", "Economic", "EpistemicSenescence", "Stochastic", "OwnerKill", "KillSwitch"];
        assertEq(uint8(type(Life).max), 3);
        assertEq(uint8(type(Phase).max), 4);
        assertEq(uint8(type(Cause).max), 5, "T-001: five causes and the absence of one");
        for (uint8 i; i < 4; ++i) {
            assertEq(NameLib.nameOf(Life(i)), lives[i]);
        }
        for (uint8 i; i < 5; ++i) {
            assertEq(NameLib.nameOf(Phase(i)), phases[i]);
        }
        for (uint8 i; i < 6; ++i) {
            assertEq(NameLib.nameOf(Cause(i)), causes[i]);
        }
    }
}
