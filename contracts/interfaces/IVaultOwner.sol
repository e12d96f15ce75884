// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Listing, Policy} from "contracts/types/Money.sol";

/// @title The vault: birth and the owner's acts (L-002, L-006, L-007, V-004, V-016)
interface IVaultOwner is IVaultRules {
    /// @notice A vault began, with these books. The bound owner is zero when the owner had no part in the birth.
    event Initialised(
        uint256 indexed agentId,
        address indexed boundOwner,
        address guardian,
        uint256 credits,
        uint256 reserve,
        uint256 capital,
        bool ownPolicy
    );
    /// @notice Capital came in, and the high-water mark rose with it.
    event CapitalFunded(address indexed from, uint256 amount, uint256 highWater);
    /// @notice Capital went to the owner, and the high-water mark fell with it.
    event CapitalWithdrawn(address indexed to, uint256 amount, uint256 highWater);
    /// @notice The owner chose other numbers.
    event PolicySet(Policy policy);
    /// @notice The owner listed or delisted a subject, in the epoch of the last `Accepted` (0 before any).
    event ListingSet(address indexed subject, uint8 uses, address pricedBy);
    /// @notice The owner chose another guardian; zero for none.
    event GuardianSet(address guardian);
    /// @notice The owner bound key, guardian, lists and policy to himself. A new epoch means the old lists are void; `policy`
    /// is the hash of the one in force from now on.
    event Accepted(address indexed owner, address guardian, uint256 epoch, bytes32 policy);
    /// @notice The owner gave up, until then, to take anything out or to change policy and lists.
    event LockSet(address indexed owner, uint256 until);
    /// @notice No spending, no trading and no silence until then.
    event HibernationBegan(uint256 until);
    /// @notice Hibernation ended early.
    event Woken();

    /// @notice Only the birth contract initialises, once.
    error NotInitialiser(address caller);
    /// @notice Credits at birth must exceed the reserve they have to carry.
    error CreditsTooLow(uint256 credits, uint256 minimum);
    /// @notice Not that much USDC capital.
    error CapitalExceeded(uint256 amount, uint256 capital);
    /// @notice Hibernation ends in the future, within 90 days.
    error HibernationOutOfRange(uint256 until, uint256 min, uint256 max);
    /// @notice A lock ends after the one that stands, within 30 days.
    error LockOutOfRange(uint256 until, uint256 min, uint256 max);
    /// @notice The policy in force is not the one that was named.
    error PolicyMismatch(bytes32 found, bytes32 named);

    /// @notice Called by the birth contract in the transaction of the birth.
    /// @param authorisation The funder's, when he funds by EIP-3009; `from` zero when the USDC is already here.
    /// @param ownerSpoke Whether the owner called, signed or gave a mandate; else nothing is bound until he accepts.
    function initialise(
        uint256 agentId,
        IBirth.Order calldata order,
        Authorisation calldata authorisation,
        bool ownerSpoke
    ) external;

    /// @notice Adds the owner's USDC to the capital.
    function fundCapital(uint256 amount) external;
    /// @notice Pays USDC capital to the owner.
    function withdrawCapital(uint256 amount) external;
    /// @notice Replaces the key; zero revokes it. By the owner, at any time.
    function rotateKey(address newKey) external;
    /// @notice Replaces the guardian; zero for none. By the bound owner.
    function setGuardian(address newGuardian) external;
    /// @notice Replaces the policy. By the owner, while Alive.
    function setPolicy(Policy calldata newPolicy) external;
    /// @notice Lists or delists up to 64 subjects. By the bound owner, while Alive.
    function setListings(Listing[] calldata listings) external;
    /// @notice The new owner takes over, after a sale or a gift. Whatever he does not name falls away.
    /// @param newKey The key from now on; to keep the present one he names it, zero revokes it.
    /// @param newGuardian The guardian from now on, zero for none.
    /// @param keepLists Whether the lists made before stay valid.
    /// @param keepPolicy The `policyHash` of the present policy to keep it; zero returns to the template.
    function accept(address newKey, address newGuardian, bool keepLists, bytes32 keepPolicy) external;
    /// @notice Gives a buyer something to hold on to: until `until` (at most 30 days ahead, only ever longer) no owner takes
    /// anything out, a death pushes nothing, and policy and lists stand. Killing still works. By the owner, while Alive.
    function lock(uint256 until) external;
    /// @notice Sleeps until `until`. By the owner.
    function hibernate(uint256 until) external;
    /// @notice Ends the sleep. By the owner.
    function wake() external;
}
