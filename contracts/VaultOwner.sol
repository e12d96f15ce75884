// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {ListingLib} from "contracts/libraries/ListingLib.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {UsdcLib} from "contracts/libraries/UsdcLib.sol";
import {Books, Listing, Policy, Split, USE_TOKEN} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultModule} from "contracts/VaultModule.sol";

/// @title A Golem's vault: birth and the owner's acts (L-002, L-006, L-007, V-004, V-016, V-018)
contract VaultOwner is VaultModule, IVaultOwner {
    using SafeCastLib for uint256;

    /* CONSTANTS */

    uint256 private constant MIN_CREDITS = 1e6;
    uint256 private constant MAX_LISTINGS = 64;
    uint256 private constant MAX_HIBERNATION = 90 days;
    uint256 private constant MAX_LOCK = 30 days;

    constructor(Suite memory suite_) VaultModule(suite_) {}

    /* BIRTH */

    /// @inheritdoc IVaultOwner
    function initialise(
        uint256 agentId_,
        IBirth.Order calldata order,
        Authorisation calldata authorisation,
        bool ownerSpoke
    ) external onlyDelegated {
        if (msg.sender != BIRTH || _vault.initialised) {
            revert NotInitialiser(msg.sender);
        }
        // V-004: credits must carry the reserve and leave something to live on.
        uint256 reserve = PartitionLib.reserveUp(order.credits, 0);
        if (order.credits < MIN_CREDITS) revert CreditsTooLow(order.credits, MIN_CREDITS);

        _vault.initialised = true;
        _vault.agentId = agentId_.toUint32();
        // L-006: in the name of somebody who has not spoken nothing is bound, so that no gift comes with a stranger's key.
        address bound = ownerSpoke ? order.owner : address(0);
        _vault.boundOwner = bound;
        if (order.guardian != address(0)) _vault.guardian = order.guardian;
        _vault.credits = PartitionLib.cut(order.credits - reserve, Split.Birth);
        uint64 capital = order.capital.toUint64();
        _vault.books = Books(reserve.toUint64(), capital, capital, 0);
        emit Initialised(
            agentId_, bound, order.guardian, order.credits, reserve, order.capital, order.policy.length != 0
        );
        if (order.policy.length != 0) _setPolicy(order.policy[0]);
        _setListings(order.listings);

        if (authorisation.from != address(0)) _receiveAuthorised(authorisation);
        _requireBacked();
    }

    /* CAPITAL */

    /// @inheritdoc IVaultOwner
    function fundCapital(uint256 amount) external onlyDelegated nonReentrant {
        _requireAlive();
        address owner_ = _asOwner();
        if (amount == 0) revert ZeroAmount();
        Books memory books_ = _vault.books;
        books_.capital = (books_.capital + amount).toUint64();
        books_.highWater = (books_.highWater + amount).toUint64();
        _vault.books = books_;
        emit CapitalFunded(owner_, amount, books_.highWater);
        SafeTransferLib.safeTransferFrom(USDC, owner_, address(this), amount);
        _requireBacked();
    }

    /// @inheritdoc IVaultOwner
    function withdrawCapital(uint256 amount) external onlyDelegated nonReentrant {
        _requireAlive();
        _requireUnlocked();
        address owner_ = _asOwner();
        if (amount == 0) revert ZeroAmount();
        Books memory books_ = _vault.books;
        if (amount > books_.capital) revert CapitalExceeded(amount, books_.capital);
        books_.capital = (books_.capital - amount).toUint64();
        books_.highWater = FixedPointMathLib.zeroFloorSub(books_.highWater, amount).toUint64();
        _vault.books = books_;
        // The day's trades are measured by what is left, not by what the day began with.
        uint256 basis = FixedPointMathLib.zeroFloorSub(_vault.traded.basis, amount);
        _vault.traded.basis = basis.toUint64();
        emit CapitalWithdrawn(owner_, amount, books_.highWater);
        _pay(owner_, amount);
    }

    /* ROLES AND POLICY */

    /// @inheritdoc IVaultOwner
    function rotateKey(address newKey) external onlyDelegated {
        _asOwner();
        _registry().setKey(_vault.agentId, newKey);
    }

    /// @inheritdoc IVaultOwner
    function setGuardian(address newGuardian) external onlyDelegated {
        _asOwner();
        _requireBound();
        _vault.guardian = newGuardian;
        emit GuardianSet(newGuardian);
    }

    /// @inheritdoc IVaultOwner
    function setPolicy(Policy calldata newPolicy) external onlyDelegated {
        _requireAlive();
        _requireUnlocked();
        _asOwner();
        _setPolicy(newPolicy);
    }

    /// @inheritdoc IVaultOwner
    function setListings(Listing[] calldata listings) external onlyDelegated {
        _requireAlive();
        _requireUnlocked();
        _asOwner();
        _requireBound();
        _setListings(listings);
    }

    /// @inheritdoc IVaultOwner
    function accept(address newKey, address newGuardian, bool keepLists, bytes32 keepPolicy) external onlyDelegated {
        address owner_ = _asOwner();
        bytes32 policyHash_ = _policyHash();
        if (keepPolicy == 0) {
            _vault.ownPolicy = false;
            policyHash_ = PolicyLib.TEMPLATE;
        } else if (keepPolicy != policyHash_) {
            revert PolicyMismatch(policyHash_, keepPolicy);
        }
        _vault.boundOwner = owner_;
        _vault.guardian = newGuardian;
        if (!keepLists) _vault.epoch += 1;
        emit Accepted(owner_, newGuardian, _vault.epoch, policyHash_);
        _registry().setKey(_vault.agentId, newKey);
    }

    /// @inheritdoc IVaultOwner
    function lock(uint256 until) external onlyDelegated {
        _requireAlive();
        address owner_ = _asOwner();
        // Only longer: a buyer may rely on the end that he read.
        uint256 earliest = FixedPointMathLib.max(_vault.lockedUntil, block.timestamp) + 1;
        uint256 latest = block.timestamp + MAX_LOCK;
        if (until < earliest || until > latest) revert LockOutOfRange(until, earliest, latest);
        _vault.everLocked = true;
        _vault.lockedUntil = uint48(until);
        emit LockSet(owner_, until);
    }

    /// @inheritdoc IVaultOwner
    function hibernate(uint256 until) external onlyDelegated {
        _requireAlive();
        _asOwner();
        uint256 latest = block.timestamp + MAX_HIBERNATION;
        if (until <= block.timestamp || until > latest) {
            revert HibernationOutOfRange(until, block.timestamp + 1, latest);
        }
        _vault.hibernated = true;
        _vault.hibernatedUntil = uint48(until);
        emit HibernationBegan(until);
    }

    /// @inheritdoc IVaultOwner
    function wake() external onlyDelegated {
        _asOwner();
        _vault.hibernated = false;
        // Silence is counted from the waking, so the agent has its whole limit to come back.
        if (_vault.hibernatedUntil > block.timestamp) _vault.hibernatedUntil = uint48(block.timestamp);
        emit Woken();
    }

    function _setPolicy(Policy calldata newPolicy) private {
        PolicyLib.check(newPolicy);
        _vault.ownPolicy = true;
        _vault.policy = newPolicy;
        emit PolicySet(newPolicy);
    }

    function _setListings(Listing[] calldata listings) private {
        if (listings.length > MAX_LISTINGS) revert ListFull(listings.length, MAX_LISTINGS);
        uint16 epoch_ = _vault.epoch;
        for (uint256 i; i < listings.length; ++i) {
            (address subject, uint8 uses, address pricedBy) =
                (listings[i].subject, listings[i].uses, listings[i].pricedBy);
            // A token without a pool to price it could be bought and never sold.
            if (subject == address(0) || (uses & USE_TOKEN != 0 && pricedBy == address(0))) revert ZeroAddress();
            _vault.listed[subject] = ListingLib.pack(pricedBy, epoch_, uses);
            emit ListingSet(subject, uses, pricedBy);
        }
    }
}
