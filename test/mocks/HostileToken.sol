// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "solady/tokens/ERC20.sol";

/// @title A token that an owner listed in good faith and that turned
/// @dev 18 decimals. `turn` chooses what its transfers do from then on.
contract HostileToken is ERC20 {
    enum Mood {
        Honest,
        Fee,
        Lie,
        False,
        Revert,
        Burn,
        Bomb,
        Reenter
    }

    Mood public mood;
    address public victim;
    bytes[] public calls;
    /// @dev How many of the calls back into the victim went through.
    uint256 public landed;

    function name() public pure override returns (string memory) {
        return "Hostile";
    }

    function symbol() public pure override returns (string memory) {
        return "HOST";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function turn(Mood mood_) external {
        mood = mood_;
    }

    function aim(address victim_, bytes calldata data) external {
        victim = victim_;
        calls.push(data);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        _act();
        if (mood == Mood.Lie) return true;
        if (mood == Mood.False) return false;
        if (mood == Mood.Fee) {
            _burn(msg.sender, amount / 10);
            amount -= amount / 10;
        }
        return super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _act();
        return super.transferFrom(from, to, amount);
    }

    function _act() private {
        if (mood == Mood.Revert) revert("no");
        if (mood == Mood.Burn) {
            assembly {
                invalid()
            }
        }
        if (mood == Mood.Bomb) {
            assembly {
                return(0, 1000000)
            }
        }
        if (mood == Mood.Reenter) {
            for (uint256 i; i < calls.length; ++i) {
                (bool ok,) = victim.call(calls[i]);
                if (ok) ++landed;
            }
        }
    }
}
