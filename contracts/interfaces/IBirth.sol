// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Listing, Policy} from "contracts/types/Money.sol";

/// @title Birth: one transaction from nothing to a living Golem (L-004, L-005, L-012, L-013)
interface IBirth {
    /// @notice How the USDC comes: by allowance, by EIP-2612 permit (tried, then the allowance decides), or by EIP-3009.
    enum FundingKind {
        Allowance,
        Permit,
        Authorisation
    }

    /// @notice Everything a Golem is born with.
    /// @param owner Who will own the identity token.
    /// @param funder Whose USDC it is. The caller himself, unless he brings the funder's EIP-3009 authorisation.
    /// @param key The Golem's hot key.
    /// @param guardian Who may trip the kill switch; zero for nobody.
    /// @param policy Empty for the default template, or one policy.
    /// @param listings The owner's list, at most 64 lines.
    /// @param predecessor Agent id, or `NO_GOLEM` (2^256 - 1) for a generation 0.
    /// @param nonce Any number; with the fields above it makes the address of the vault.
    /// @param credits USDC for partitions and reserve, at least 1 USDC.
    /// @param capital USDC for the strategy, may be 0.
    /// @param playbookDigest For a successor: must differ from its predecessor's.
    /// @param name Name in the registration file.
    /// @param agentURI A registration file of one's own; empty to have one built on chain.
    struct Order {
        address owner;
        address funder;
        address key;
        address guardian;
        Policy[] policy;
        Listing[] listings;
        uint256 predecessor;
        uint256 nonce;
        uint256 credits;
        uint256 capital;
        bytes32 playbookDigest;
        string name;
        string agentURI;
    }

    /// @notice A way to reach a Golem, of a kind the standard knows: web, MCP, A2A, email, ...
    struct Service {
        string name;
        string endpoint;
        string version;
    }

    /// @notice What the owner says of his Golem; what the chain knows is added to it.
    /// @param description Empty for a sentence that fits every Golem.
    /// @param image Empty for a picture drawn on chain.
    /// @param x402 Whether it sells over HTTP 402.
    struct Profile {
        string name;
        string description;
        string image;
        Service[] services;
        bool x402;
    }

    /// @notice The funder's signature, where one is needed.
    /// @param validAfter EIP-3009 only.
    /// @param validBefore EIP-3009's end, or the permit's deadline.
    struct Funding {
        FundingKind kind;
        uint256 validAfter;
        uint256 validBefore;
        bytes signature;
    }

    /// @notice Without a signature only the funder himself may spend his USDC.
    error NotFunder(address caller, address funder);
    /// @notice A successor is born to the owner of its predecessor, at his own word.
    error NotPredecessorOwner(uint256 predecessor, address claimed, address owner);
    /// @notice A party to the birth that must be somebody is the zero address.
    error ZeroParty();
    /// @notice None or one.
    error TooManyPolicies(uint256 length);
    /// @notice This order was born already; another needs another nonce.
    error AlreadyBorn(address vault);
    /// @notice The identity registry does not know the predecessor.
    error PredecessorUnknown(uint256 predecessor);

    /// @notice Gives birth, or leaves nothing behind.
    /// @return agentId The identity, already the owner's.
    /// @return vault The Golem's vault, at `vaultAddress(order)`.
    function birth(Order calldata order, Funding calldata funding) external returns (uint256 agentId, address vault);
    /// @notice Where the vault of this order will stand, however much it is funded with.
    function vaultAddress(Order calldata order) external view returns (address vault);
    /// @notice keccak256 of all of the order, this chain and this contract: the nonce an EIP-3009 authorisation needs,
    /// made out to `vaultAddress(order)` over credits + capital.
    function birthHash(Order calldata order) external view returns (bytes32 hash);
    /// @notice The registration file of a Golem as it is now, `active: false` with the cause once it is dead, ready for
    /// `setAgentURI`.
    function registrationFile(uint256 agentId, Profile calldata profile) external view returns (string memory file);
}
