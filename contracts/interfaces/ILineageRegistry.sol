// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Cause, Life, Phase, Pulse} from "contracts/types/Life.sol";

/// @title Who lived, from whom, how they are and how they ended (L-020..L-025, T-001..T-007)
/// @notice Rows are written by births, beats by keys, deaths by the vault of the Golem concerned, and by nobody else.
interface ILineageRegistry {
    /// @notice What the dead leave, as fixed by their last act.
    /// @param hash keccak256 of the testament's JSON bytes; zero when there was none.
    /// @param uri Where the testament lies; kept in the event only.
    /// @param genomeRoot Merkle root of the genome passed on.
    /// @param playbookDigest Digest of PLAYBOOK.md at death; a successor's must differ (T-022). Zero: as it was at birth.
    /// @param ticksLived Never recorded below the last tick beaten.
    struct Testament {
        bytes32 hash;
        string uri;
        bytes32 genomeRoot;
        bytes32 playbookDigest;
        uint64 ticksLived;
    }

    /// @notice The market conditions of a death, as a warning to the living (T-007).
    /// @param regime Short name of the market regime, in ASCII.
    /// @param loss USDC units lost over the life, as the agent reckons it.
    /// @param evidence Hash of what proves it.
    struct Stain {
        bytes32 regime;
        uint256 loss;
        bytes32 evidence;
    }

    /// @notice One Golem in the words of a screen.
    struct GolemView {
        string life;
        string phase;
        string cause;
        uint256 agentId;
        uint256 lineage;
        uint256 generation;
        uint256 predecessor;
        uint256 successor;
        uint256 born;
        uint256 died;
        uint256 dyingDeadline;
        uint256 ticks;
        uint256 vitalityPpm;
        uint256 lastBeat;
        uint256 noticedAt;
        bytes32 testamentHash;
        bytes32 genomeRoot;
        bytes32 playbookDigest;
        address vault;
        address key;
    }

    /// @notice A Golem was born. `predecessor` is `NO_GOLEM` for a generation 0.
    event Born(
        uint256 indexed agentId,
        uint256 indexed lineage,
        address indexed owner,
        uint256 generation,
        uint256 predecessor,
        address vault,
        address key,
        bytes32 playbookDigest
    );
    /// @notice A Golem lived until `tick`. `rolls` holds 16 bytes for each death roll since the last beat that did not follow
    /// the blocks which that beat announced: its tick and its block (0: none), both u64 big-endian. `rollStride` announces the
    /// blocks to come.
    event Beaten(
        uint256 indexed agentId,
        uint256 tick,
        Phase phase,
        uint256 vitality,
        bytes32 outcomeRoot,
        uint256 outcomes,
        bytes rolls,
        uint256 rollStride
    );
    /// @notice The key changed; the old one is powerless from this block on. Zero: there is none.
    event KeyRotated(uint256 indexed agentId, address oldKey, address newKey);
    /// @notice Silence was noticed; a beat clears it.
    event NoticePosted(uint256 indexed agentId, address indexed by, uint256 lastBeat, uint256 killableAt);
    /// @notice Death has begun. `reason` is the owner's reason or the kill switch's trigger.
    event DyingBegan(uint256 indexed agentId, Cause indexed cause, address indexed by, uint256 deadline, string reason);
    /// @notice A testament was recorded; `late` when it was attached after a finalise.
    event TestamentRecorded(
        uint256 indexed agentId,
        bytes32 indexed testamentHash,
        string uri,
        bytes32 genomeRoot,
        bytes32 playbookDigest,
        bool late
    );
    /// @notice A Golem is dead. `owner` is zero when the identity registry could not be read.
    event Died(
        uint256 indexed agentId,
        address indexed owner,
        Cause indexed cause,
        uint256 generation,
        uint256 ticksLived,
        bytes32 testamentHash
    );
    /// @notice What killed it, for those who still live.
    event Bloodstain(
        uint256 indexed agentId, Cause indexed cause, bytes32 indexed regime, uint256 loss, bytes32 evidence
    );

    /// @notice Only the birth contract of the suite writes rows.
    error NotBirth(address caller, address birth);
    /// @notice Only the vault of the Golem may say this.
    error NotVaultOf(uint256 agentId, address caller, address vault);
    /// @notice Only the current key may beat.
    error NotKey(address caller, address key);
    /// @notice The Golem is not in the state this call needs.
    error WrongLife(uint256 agentId, Life life, Life needed);
    /// @notice Ticks strictly increase (L-032).
    error TickNotAfter(uint256 tick, uint256 last);
    /// @notice A tick cannot have passed yet: at most one a second since the last beat.
    error TickTooFar(uint256 tick, uint256 latest);
    /// @notice An id or generation outgrew its place in storage.
    error TooLarge(uint256 value, uint256 max);
    /// @notice Vitality is parts per million.
    error VitalityTooHigh(uint256 vitality, uint256 max);
    /// @notice `rolls` must hold whole records of 16 bytes.
    error TornRolls(uint256 length);
    /// @notice The predecessor already has a successor.
    error AlreadySucceeded(uint256 predecessor, uint256 successor);
    /// @notice A successor's playbook must differ from its predecessor's, and exist (T-022).
    error PlaybookNotDiverged(bytes32 playbookDigest);
    /// @notice The testament was given already.
    error TestamentExists(uint256 agentId, bytes32 testamentHash);
    /// @notice A testament needs a hash.
    error TestamentMissing(uint256 agentId);

    /// @notice Writes the row of a newborn. Only by the birth contract.
    /// @dev L-020, L-021. The lineage of a generation 0 is its own agent id, so a lineage is found without an index.
    function recordBirth(
        uint256 agentId,
        address vault,
        address key,
        address owner,
        uint256 predecessor,
        bytes32 playbookDigest
    ) external returns (uint256 lineage, uint256 generation);

    /// @notice Says "I live": by the key, at least every 6 hours and at each phase change (L-025).
    /// @param tick Above the last one, by at most one for each second since then.
    /// @param outcomeRoot Merkle root of the OutcomeVerification records since the last beat.
    /// @param outcomes How many records the root covers.
    /// @param rolls 16 bytes for each death roll since the last beat that did not follow what it announced: tick u64, block u64
    /// (0: none). What has no record followed it. The tick of a beat itself rolls later and belongs to the next.
    /// @param rollStride Announces the rolls to come: tick T rolls with block (this one) + (T - tick) * rollStride. 0: none.
    function beat(
        uint256 agentId,
        uint64 tick,
        Phase phase,
        uint32 vitality,
        bytes32 outcomeRoot,
        uint32 outcomes,
        bytes calldata rolls,
        uint8 rollStride
    ) external;

    /// @notice Replaces the key. Only by the vault.
    function setKey(uint256 agentId, address newKey) external;
    /// @notice Marks the silence. Only by the vault.
    function postNotice(uint256 agentId, address by, uint256 killableAt) external;
    /// @notice Alive becomes Dying. Only by the vault.
    function beginDying(uint256 agentId, Cause cause, address by, uint256 grace, string calldata reason) external;
    /// @notice Dying becomes Dead. Only by the vault.
    function recordDeath(uint256 agentId, address owner, Testament calldata testament, Stain calldata stain) external;
    /// @notice Gives a testament to the dead who left none, once. Only by the vault.
    function attachTestament(uint256 agentId, Testament calldata testament) external;

    /// @notice The key and the state of life, in one read.
    function vitalOf(uint256 agentId) external view returns (address key, Life life);
    /// @notice The key, state, cause and the deadline that Dying has, or had.
    function stateOf(uint256 agentId) external view returns (address key, Life life, Cause cause, uint256 deadline);
    /// @notice The last beat and what shares its slot.
    function pulseOf(uint256 agentId) external view returns (Pulse memory);
    /// @notice The vault of a Golem, zero when unborn.
    function vaultOf(uint256 agentId) external view returns (address);
    /// @notice The testament hash of the dead, zero when there is none.
    function recordedTestament(uint256 agentId) external view returns (bytes32);

    /// @notice False for every id that is not a living Golem, unknown ones included.
    function isAlive(uint256 agentId) external view returns (bool);
    /// @notice "unborn", "alive", "dying" or "dead".
    function lifeOf(uint256 agentId) external view returns (string memory);
    /// @notice The phase last reported, by name; "unborn" for an unknown id.
    function phaseOf(uint256 agentId) external view returns (string memory);
    /// @notice The cause of death by name, "none" while there is none.
    function causeOf(uint256 agentId) external view returns (string memory);
    /// @notice Everything about one Golem.
    function golem(uint256 agentId) external view returns (GolemView memory);
    /// @notice The one that came after, `NO_GOLEM` when none did.
    function successorOf(uint256 agentId) external view returns (uint256);
    /// @notice Up to `n` (at most 256) predecessors, nearest first.
    function ancestors(uint256 agentId, uint256 n) external view returns (uint256[] memory ids);
    /// @notice Up to `n` (at most 256) successors, nearest first.
    function descendants(uint256 agentId, uint256 n) external view returns (uint256[] memory ids);
    /// @notice The founder of a lineage, its newest member and how many there are; all 0 and false when unknown.
    /// @dev Walks at most 256 generations; `complete` is false when the chain is longer.
    function lineage(uint256 lineageId)
        external
        view
        returns (bool exists, uint256 founder, uint256 newest, uint256 members, bool complete);
    /// @notice Whether the record hash `leaf` is among those of `root`: keccak256 tree with sorted pairs over the hashes of
    /// the record hashes.
    function verifyOutcome(bytes32 root, bytes32 leaf, bytes32[] calldata proof) external pure returns (bool);
}
