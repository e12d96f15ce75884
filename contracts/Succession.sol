// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {EIP712} from "solady/utils/EIP712.sol";
import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {SettlementLib} from "contracts/libraries/SettlementLib.sol";
import {SuiteBound} from "contracts/SuiteBound.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title Succession by mandate
/// @dev A mandate is kept as the hash of its terms and one slot of standing; whoever uses it brings the terms along.
///
/// Why a leaked key cannot multiply: it can end its Golem, but a successor needs an executor that is no key of the
/// lineage, a key named or signed by the owner beforehand, a predecessor that lived a day, and a day between births. Its
/// price is therefore at most one budget a day, into a vault that the same owner owns.
contract Succession is SuiteBound, EIP712, ReentrancyGuardTransient, ISuccession {
    using SafeCastLib for uint256;

    /* CONSTANTS */

    bytes32 private constant SUCCESSOR_KEY_TYPEHASH =
        keccak256("SuccessorKey(bytes32 mandate,uint256 predecessor,address key)");
    uint256 private constant PAUSE = 24 hours;
    uint256 private constant MIN_LIFE = 1 days;
    uint256 private constant MAX_SUCCESSORS = 64;
    uint256 private constant MIN_BUDGET = 1e6;

    /* STORAGE */

    mapping(bytes32 mandateId => Standing) private _standings;

    constructor(Suite memory suite_) SuiteBound(suite_) {}

    /* ESCROW */

    /// @inheritdoc ISuccession
    function commit(Mandate calldata mandate, uint256 amount) external nonReentrant returns (bytes32 mandateId) {
        _within("successors", mandate.successors, 1, MAX_SUCCESSORS);
        _within("budget", mandate.budget, MIN_BUDGET, type(uint64).max);
        _within("expiry", mandate.expiry, block.timestamp, type(uint48).max);
        _within("executor", uint160(mandate.executor), 1, type(uint160).max);
        // No keys: the owner will sign each. Some: one for every successor.
        if (mandate.keys.length != 0) {
            _within("keys", mandate.keys.length, mandate.successors, mandate.successors);
        }
        mandateId = mandateIdOf(msg.sender, mandate);
        if (_standings[mandateId].committer != address(0)) revert MandateExists(mandateId);
        _standings[mandateId].committer = msg.sender;
        emit Committed(mandateId, msg.sender, mandate);
        if (amount != 0) _addEscrow(mandateId, amount);
    }

    /// @inheritdoc ISuccession
    function addEscrow(bytes32 mandateId, uint256 amount) external nonReentrant {
        if (_standings[mandateId].committer == address(0)) revert UnknownMandate(mandateId);
        _addEscrow(mandateId, amount);
    }

    /// @inheritdoc ISuccession
    function withdrawEscrow(bytes32 mandateId, uint256 amount) external nonReentrant {
        Standing storage standing = _standings[mandateId];
        if (msg.sender != standing.committer) revert NotCommitter(msg.sender, standing.committer);
        if (amount > standing.escrow) revert EscrowTooLow(standing.escrow, amount);
        standing.escrow = (standing.escrow - amount).toUint64();
        emit EscrowWithdrawn(mandateId, amount, standing.escrow);
        SafeTransferLib.safeTransfer(USDC, msg.sender, amount);
    }

    function _addEscrow(bytes32 mandateId, uint256 amount) private {
        Standing storage standing = _standings[mandateId];
        standing.escrow = (standing.escrow + amount).toUint64();
        emit EscrowAdded(mandateId, msg.sender, amount, standing.escrow);
        // Escrows share one balance: one that is not all there would be paid out of another's.
        uint256 before = SafeTransferLib.balanceOf(USDC, address(this));
        SafeTransferLib.safeTransferFrom(USDC, msg.sender, address(this), amount);
        uint256 arrived = SafeTransferLib.balanceOf(USDC, address(this)) - before;
        if (arrived < amount) revert EscrowUnbacked(arrived, amount);
    }

    /* SUCCESSION */

    /// @inheritdoc ISuccession
    function succeed(address committer, Mandate calldata mandate, Succeeding calldata succeeding)
        external
        nonReentrant
        returns (uint256 agentId, address vault)
    {
        bytes32 mandateId = mandateIdOf(committer, mandate);
        Standing memory standing = _standings[mandateId];
        if (standing.committer == address(0)) revert UnknownMandate(mandateId);
        _requireStanding(mandate, standing);
        _requirePredecessor(committer, mandate, succeeding.predecessor);
        _requireTerms(mandateId, committer, mandate, standing, succeeding);

        standing.escrow = (standing.escrow - mandate.budget).toUint64();
        standing.born += 1;
        standing.lastBirthAt = uint48(block.timestamp);
        _standings[mandateId] = standing;

        SafeTransferLib.safeApprove(USDC, BIRTH, mandate.budget);
        (agentId, vault) = _birth(committer, mandate, succeeding);
        emit Succeeded(mandateId, succeeding.predecessor, agentId, vault, standing.escrow);
    }

    /// @dev T-021: who, when and how often.
    function _requireStanding(Mandate calldata mandate, Standing memory standing) private view {
        if (msg.sender != mandate.executor) revert NotExecutor(msg.sender, mandate.executor);
        if (block.timestamp > mandate.expiry) revert MandateExpired(block.timestamp, mandate.expiry);
        if (standing.born >= mandate.successors) revert MandateSpent(standing.born, mandate.successors);
        uint256 allowedAt = standing.lastBirthAt + PAUSE;
        if (standing.born != 0 && block.timestamp < allowedAt) revert TooSoon(block.timestamp, allowedAt);
        if (standing.escrow < mandate.budget) revert EscrowTooLow(standing.escrow, mandate.budget);
    }

    /// @dev T-021: a dead one of the lineage that lived a day, still the committer's, with its testament or a day cold.
    function _requirePredecessor(address committer, Mandate calldata mandate, uint256 predecessor) private view {
        ILineageRegistry.GolemView memory dead = ILineageRegistry(LINEAGE).golem(predecessor);
        if (dead.died == 0) revert PredecessorNotDead(predecessor);
        if (dead.lineage != mandate.lineage) revert ForeignLineage(predecessor, dead.lineage, mandate.lineage);
        address owner = SettlementLib.tryOwnerOf(IDENTITY, predecessor);
        if (owner != committer) revert CommitterNotOwner(committer, owner);
        uint256 lived = dead.died - dead.born;
        if (lived < MIN_LIFE) revert LivedTooShort(lived, MIN_LIFE);
        if (dead.testamentHash == 0 && block.timestamp < dead.died + PAUSE) {
            revert TooSoon(block.timestamp, dead.died + PAUSE);
        }
    }

    /// @dev T-021: with these keys, this policy and these lists only, by somebody who is no key of the lineage.
    function _requireTerms(
        bytes32 mandateId,
        address committer,
        Mandate calldata mandate,
        Standing memory standing,
        Succeeding calldata succeeding
    ) private view {
        bytes32 found = PolicyLib.hashOf(succeeding.policy);
        if (found != mandate.policyHash) revert PolicyMismatch(found, mandate.policyHash);
        found = keccak256(abi.encode(succeeding.listings));
        if (found != mandate.listsHash) revert ListsMismatch(found, mandate.listsHash);

        if (mandate.keys.length != 0) {
            address named = mandate.keys[standing.born];
            if (succeeding.key != named) revert KeyMismatch(succeeding.key, named);
        } else {
            bytes32 digest = successorKeyDigest(mandateId, succeeding.predecessor, succeeding.key);
            if (!SignatureCheckerLib.isValidSignatureNowCalldata(committer, digest, succeeding.keySignature)) {
                revert KeyMismatch(succeeding.key, address(0));
            }
        }
        if (msg.sender == succeeding.key) revert ExecutorIsKey(msg.sender, succeeding.predecessor);
        _requireNoKeyOfLineage(succeeding.predecessor);
    }

    /// @dev Bounded: the predecessor and its 63 nearest ancestors. Older keys died with Golems long settled.
    function _requireNoKeyOfLineage(uint256 predecessor) private view {
        (address key,) = ILineageRegistry(LINEAGE).vitalOf(predecessor);
        if (msg.sender == key) revert ExecutorIsKey(msg.sender, predecessor);
        uint256[] memory ids = ILineageRegistry(LINEAGE).ancestors(predecessor, MAX_SUCCESSORS - 1);
        for (uint256 i; i < ids.length; ++i) {
            (key,) = ILineageRegistry(LINEAGE).vitalOf(ids[i]);
            if (msg.sender == key) revert ExecutorIsKey(msg.sender, ids[i]);
        }
    }

    function _birth(address committer, Mandate calldata mandate, Succeeding calldata succeeding)
        private
        returns (uint256 agentId, address vault)
    {
        IBirth.Order memory order;
        order.owner = committer;
        order.funder = address(this);
        order.key = succeeding.key;
        order.guardian = mandate.guardian;
        order.policy = succeeding.policy;
        order.listings = succeeding.listings;
        order.predecessor = succeeding.predecessor;
        order.nonce = succeeding.nonce;
        order.credits = mandate.budget;
        order.playbookDigest = succeeding.playbookDigest;
        order.name = succeeding.name;
        order.agentURI = succeeding.agentURI;
        IBirth.Funding memory funding;
        return IBirth(BIRTH).birth(order, funding);
    }

    /* VIEWS */

    /// @inheritdoc ISuccession
    function mandateIdOf(address committer, Mandate calldata mandate) public pure returns (bytes32) {
        return keccak256(abi.encode(committer, mandate));
    }

    /// @inheritdoc ISuccession
    function standingOf(bytes32 mandateId) external view returns (Standing memory) {
        return _standings[mandateId];
    }

    /// @inheritdoc ISuccession
    function successorKeyDigest(bytes32 mandateId, uint256 predecessor, address key) public view returns (bytes32) {
        return _hashTypedData(keccak256(abi.encode(SUCCESSOR_KEY_TYPEHASH, mandateId, predecessor, key)));
    }

    function _within(bytes32 field, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max) revert MandateOutOfRange(field, value, min, max);
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("BardoSuccession", "1");
    }

    /// @dev Transient storage on every chain: the suite targets Cancun.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
