// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "solady/tokens/ERC20.sol";

/// @title A token that an owner listed in good faith and that turned on him (V-010)
contract TrojanToken is ERC20 {
    enum Mood {
        Honest,
        TakesFee,
        AnswersFalse,
        MovesNothing,
        Lies,
        ReEnters,
        Reverts,
        BurnsGas,
        Bombs
    }

    Mood public mood;
    /// @notice Whom it calls back while armed, and with what.
    address public victim;
    bytes[] private _calls;
    /// @notice How many of its calls back got through.
    uint256 public reEntered;

    function name() public pure override returns (string memory) {
        return "Trojan";
    }

    function symbol() public pure override returns (string memory) {
        return "HORSE";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setMood(Mood newMood) external {
        mood = newMood;
    }

    /// @notice While armed, every transfer tries all of `calls` on `newVictim`.
    function arm(address newVictim, bytes[] calldata calls) external {
        victim = newVictim;
        delete _calls;
        for (uint256 i; i < calls.length; ++i) {
            _calls.push(calls[i]);
        }
    }

    function disarm() external {
        victim = address(0);
    }

    function balanceOf(address account) public view override returns (uint256) {
        if (mood == Mood.Lies) return uint256(keccak256(abi.encode(account, gasleft()))) >> 128;
        if (mood == Mood.BurnsGas) while (true) {}
        return super.balanceOf(account);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spendAllowance(from, msg.sender, amount);
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (mood == Mood.Reverts) revert InsufficientBalance();
        if (mood == Mood.BurnsGas) while (true) {}
        if (mood == Mood.Bombs) {
            assembly {
                return(0, 100000)
            }
        }
        if (mood == Mood.ReEnters) _reEnter();
        if (mood == Mood.MovesNothing) return true;
        if (mood == Mood.TakesFee) {
            _burn(from, amount / 10);
            amount -= amount / 10;
        }
        _transfer(from, to, amount);
        return mood != Mood.AnswersFalse;
    }

    function _reEnter() private {
        if (victim == address(0)) return;
        for (uint256 i; i < _calls.length; ++i) {
            (bool ok,) = victim.call(_calls[i]);
            if (ok) ++reEntered;
        }
    }
}
