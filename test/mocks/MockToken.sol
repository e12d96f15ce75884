// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "solady/tokens/ERC20.sol";

/// @title A token with eighteen decimals that behaves until it is told not to
contract MockToken is ERC20 {
    enum Mood {
        Good,
        Reverts,
        AnswersFalse,
        LiesTrue,
        TakesFee,
        BurnsGas,
        ReturnsBomb,
        HidesBalance
    }

    Mood public mood;
    uint256 private _sink;

    function setMood(Mood mood_) external {
        mood = mood_;
    }

    function name() public pure override returns (string memory) {
        return "Token";
    }

    function symbol() public pure override returns (string memory) {
        return "TKN";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function balanceOf(address account) public view override returns (uint256) {
        require(mood != Mood.HidesBalance, "hidden");
        return super.balanceOf(account);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (mood == Mood.Reverts) revert("no");
        if (mood == Mood.AnswersFalse) return false;
        if (mood == Mood.LiesTrue) return true;
        if (mood == Mood.BurnsGas) {
            while (true) ++_sink;
        }
        if (mood == Mood.ReturnsBomb) {
            assembly ("memory-safe") {
                revert(0, 1000000)
            }
        }
        super.transfer(to, amount);
        if (mood == Mood.TakesFee) _burn(to, amount / 100);
        return true;
    }

    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }
}
