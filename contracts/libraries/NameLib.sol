// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Cause, Life, Phase} from "contracts/types/Life.sol";
import {Split} from "contracts/types/Money.sol";

/// @title The words a person reads on an explorer (L-023)
library NameLib {
    function nameOf(Life life) internal pure returns (string memory) {
        if (life == Life.Alive) return "alive";
        if (life == Life.Dying) return "dying";
        if (life == Life.Dead) return "dead";
        return "unborn";
    }

    function nameOf(Phase phase) internal pure returns (string memory) {
        if (phase == Phase.Thriving) return "Thriving";
        if (phase == Phase.Stable) return "Stable";
        if (phase == Phase.Conservation) return "Conservation";
        if (phase == Phase.Declining) return "Declining";
        return "Terminal";
    }

    function nameOf(Split split) internal pure returns (string memory) {
        if (split == Split.Birth) return "birth";
        if (split == Split.Declining) return "declining";
        return "terminal";
    }

    function nameOf(Cause cause) internal pure returns (string memory) {
        if (cause == Cause.Economic) return "Economic";
        if (cause == Cause.EpistemicSenescence) return "EpistemicSenescence";
        if (cause == Cause.Stochastic) return "Stochastic";
        if (cause == Cause.OwnerKill) return "OwnerKill";
        if (cause == Cause.KillSwitch) return "KillSwitch";
        return "none";
    }
}
