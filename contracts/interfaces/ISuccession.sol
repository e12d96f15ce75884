// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Listing, Policy} from "contracts/types/Money.sol";

/// @title Succession by mandate (T-020..T-022)
/// @notice An owner commits, while he can, to what shall be born when his Golem dies, and puts the USDC aside.
interface ISuccession {
    /// @notice What the owner commits to.
    /// @param lineage The lineage whose dead may be succeeded.
    /// @param budget USDC credits of each successor.
    /// @param successors How many may be born.
    /// @param expiry Last second at which one may be born.
    /// @param executor Who may bring the birth about; never a key of the lineage.
    /// @param policyHash keccak256 of the policy, or the template's name hash.
    /// @param listsHash keccak256 of the abi-encoded listings.
    /// @param guardian The successors' guardian; zero for none.
    /// @param keys The keys of the successors in order of birth; empty when the owner will sign each.
    /// @param nonce Any number, to tell two equal mandates apart.
    struct Mandate {
        uint256 lineage;
        uint256 budget;
        uint256 successors;
        uint256 expiry;
        address executor;
        bytes32 policyHash;
        bytes32 listsHash;
        address guardian;
        address[] keys;
        uint256 nonce;
    }

    /// @notice What only the moment of birth knows.
    /// @param key The successor's key: the next one of the mandate, or one the owner signed.
    /// @param keySignature The owner's EIP-712 `SuccessorKey(bytes32 mandate,uint256 predecessor,address key)`, where
    /// the mandate names no keys.
    /// @param nonce For the address of the vault.
    struct Succeeding {
        uint256 predecessor;
        address key;
        bytes keySignature;
        Policy[] policy;
        Listing[] listings;
        bytes32 playbookDigest;
        uint256 nonce;
        string name;
        string agentURI;
    }

    /// @notice Where a mandate stands.
    struct Standing {
        address committer;
        uint64 escrow;
        uint16 born;
        uint48 lastBirthAt;
    }

    /// @notice A mandate was made, with all of its terms.
    event Committed(bytes32 indexed mandateId, address indexed committer, Mandate mandate);
    /// @notice USDC was put aside for it.
    event EscrowAdded(bytes32 indexed mandateId, address indexed from, uint256 amount, uint256 escrow);
    /// @notice The committer took USDC back.
    event EscrowWithdrawn(bytes32 indexed mandateId, uint256 amount, uint256 escrow);
    /// @notice A successor was born by mandate.
    event Succeeded(
        bytes32 indexed mandateId, uint256 indexed predecessor, uint256 indexed successor, address vault, uint256 escrow
    );

    /// @notice No mandate of this committer and these terms.
    error UnknownMandate(bytes32 mandateId);
    /// @notice The same mandate was made already.
    error MandateExists(bytes32 mandateId);
    /// @notice Terms that could never serve: `field` must lie in [min, max].
    error MandateOutOfRange(bytes32 field, uint256 value, uint256 min, uint256 max);
    /// @notice Only the mandate's executor.
    error NotExecutor(address caller, address executor);
    /// @notice Only the committer.
    error NotCommitter(address caller, address committer);
    /// @notice The executor is, or was at its death, the key of a Golem of this lineage, or the successor's own.
    error ExecutorIsKey(address executor, uint256 agentId);
    /// @notice The mandate has run out.
    error MandateExpired(uint256 time, uint256 expiry);
    /// @notice All its successors are born.
    error MandateSpent(uint256 born, uint256 successors);
    /// @notice The predecessor is of another lineage.
    error ForeignLineage(uint256 predecessor, uint256 lineage, uint256 mandated);
    /// @notice The predecessor is not dead.
    error PredecessorNotDead(uint256 predecessor);
    /// @notice The committer no longer owns the predecessor.
    error CommitterNotOwner(address committer, address owner);
    /// @notice Not before then: a day after the last birth by this mandate, or after the death of one without testament.
    error TooSoon(uint256 time, uint256 allowedAt);
    /// @notice The predecessor lived for less than a day.
    error LivedTooShort(uint256 lived, uint256 minimum);
    /// @notice Another policy than the mandate's.
    error PolicyMismatch(bytes32 policyHash, bytes32 mandated);
    /// @notice Other lists than the mandate's.
    error ListsMismatch(bytes32 listsHash, bytes32 mandated);
    /// @notice Not the key the mandate names for this successor, or not signed by the owner.
    error KeyMismatch(address key, address mandated);
    /// @notice Less is put aside than the amount needed.
    error EscrowTooLow(uint256 escrow, uint256 needed);
    /// @notice Less arrived than was put aside.
    error EscrowUnbacked(uint256 arrived, uint256 amount);

    /// @notice Makes a mandate and puts `amount` of the caller's USDC aside for it.
    function commit(Mandate calldata mandate, uint256 amount) external returns (bytes32 mandateId);
    /// @notice Puts more aside.
    function addEscrow(bytes32 mandateId, uint256 amount) external;
    /// @notice Takes USDC back to the committer, at any time. A mandate without escrow gives no birth.
    function withdrawEscrow(bytes32 mandateId, uint256 amount) external;
    /// @notice Brings about the birth of a successor to the committer. By the executor.
    function succeed(address committer, Mandate calldata mandate, Succeeding calldata succeeding)
        external
        returns (uint256 agentId, address vault);

    /// @notice The id of a committer's mandate.
    function mandateIdOf(address committer, Mandate calldata mandate) external pure returns (bytes32);
    /// @notice Where it stands; all zero when unknown.
    function standingOf(bytes32 mandateId) external view returns (Standing memory);
    /// @notice What the owner signs for a key that the mandate does not name.
    function successorKeyDigest(bytes32 mandateId, uint256 predecessor, address key) external view returns (bytes32);
}
