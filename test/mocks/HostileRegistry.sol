// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

import {IdentityRegistry} from "contracts/IdentityRegistry.sol";

/// @title An identity registry whose upgrade went wrong (L-010)
contract HostileRegistry is IdentityRegistry {
    enum Mood {
        Honest,
        Revert,
        Burn,
        Bomb,
        Empty
    }

    Mood public mood;

    function turn(Mood mood_) external {
        mood = mood_;
    }

    function ownerOf(uint256 id) public view override(ERC721, IERC721) returns (address) {
        Mood mood_ = mood;
        if (mood_ == Mood.Revert) revert("upgraded");
        if (mood_ == Mood.Burn) {
            assembly {
                invalid()
            }
        }
        if (mood_ == Mood.Bomb) {
            assembly {
                return(0, 1000000)
            }
        }
        if (mood_ == Mood.Empty) {
            assembly {
                return(0, 0)
            }
        }
        return super.ownerOf(id);
    }
}
