// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {PartitionId} from "contracts/types/Money.sol";

/// @title Refusals shared by every subject of the vault
interface IVaultRules {
    /// @notice An EIP-3009 authorisation to this vault. `from` zero: the USDC is already here.
    struct Authorisation {
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice The caller is not the owner of the identity token now.
    error NotOwner(address caller, address owner);
    /// @notice The caller is neither the key nor the owner.
    error NotKeyOrOwner(address caller, address key, address owner);
    /// @notice The token was sold; key, guardian and lists wait for the new owner's `accept` (L-006).
    error OwnerChanged(address boundOwner, address owner);
    /// @notice The identity registry does not answer; nobody can act as the owner until it does.
    error OwnerUnknown(uint256 agentId);
    /// @notice The owner has put the Golem to sleep until then (L-007).
    error Hibernating(uint256 until, uint256 time);
    /// @notice The owner has locked the vault until then: nothing of it reaches an owner, and policy and lists stand (V-018).
    error Locked(uint256 until, uint256 time);
    /// @notice Zero is not an amount.
    error ZeroAmount();
    /// @notice Zero is not an address anyone can act from.
    error ZeroAddress();
    /// @notice The subject is not listed for this use (a sum of `USE_*` bits).
    error NotListed(address subject, uint8 use);
    /// @notice `legacy` is spent only in Dying and is never a donor (M-032).
    error LegacyProtected();
    /// @notice A single payment above the policy's cap.
    error CallCapExceeded(uint256 amount, uint256 cap);
    /// @notice The partition holds less than that.
    error PartitionExceeded(PartitionId partition, uint256 amount, uint256 balance);
    /// @notice The partition's day would pay more than it may.
    error DayCapExceeded(PartitionId partition, uint256 spentAfter, uint256 cap);
    /// @notice The vault would owe more than it holds.
    error Unbacked(uint256 balance, uint256 accounted);
    /// @notice A module of the vault was called by itself instead of through a vault.
    error NotDelegated();
    /// @notice A list is as long as it may be.
    error ListFull(uint256 length, uint256 max);
    /// @notice `field` (its name in `Policy`) must lie in [min, max].
    error PolicyOutOfRange(bytes32 field, uint256 value, uint256 min, uint256 max);
}
