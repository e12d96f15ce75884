// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Holds a token for somebody, as a sale, a loan or a bridge does, and can do nothing else with what is pushed to it
contract Escrow {
    function release(address collection, address to, uint256 id) external {
        IERC721(collection).transferFrom(address(this), to, id);
    }
}

/// @title Whom a hostile token calls while it is moved: tries everything it was loaded with, on whomever
/// @dev Reverts when nothing landed, so the token counts a call that got through and no other. Whatever it steals it keeps.
contract Relay {
    address[] private _targets;
    bytes[] private _calls;

    error NothingLanded(uint256 tried);

    function load(address[] calldata targets, bytes[] calldata calls) external {
        delete _targets;
        delete _calls;
        for (uint256 i; i < calls.length; ++i) {
            _targets.push(targets[i]);
            _calls.push(calls[i]);
        }
    }

    function attack() external {
        bool landed;
        for (uint256 i; i < _calls.length; ++i) {
            (bool ok,) = _targets[i].call(_calls[i]);
            landed = landed || ok;
        }
        if (!landed) revert NothingLanded(_calls.length);
    }
}
