// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Suite} from "contracts/types/Suite.sol";
import {VaultBase} from "contracts/VaultBase.sol";

/// @title A module of the vault: runs only by delegatecall from a vault, on the vault's storage
abstract contract VaultModule is VaultBase {
    /* IMMUTABLES */

    address private immutable SELF;

    constructor(Suite memory suite_) VaultBase(suite_) {
        SELF = address(this);
    }

    modifier onlyDelegated() {
        if (address(this) == SELF) revert NotDelegated();
        _;
    }
}
