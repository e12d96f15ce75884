// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {MerkleProofLib} from "solady/utils/MerkleProofLib.sol";

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {NameLib} from "contracts/libraries/NameLib.sol";
import {PulseLib} from "contracts/libraries/PulseLib.sol";
import {SuiteBound} from "contracts/SuiteBound.sol";
import {Cause, Life, NO_GOLEM, Phase, Pulse} from "contracts/types/Life.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title The registry of lives
/// @dev The state of a life and its key stand here and not in the vault, because a beat is the most frequent call of
/// all and a vault is a proxy: here it costs two slots and an event (V-040). A vault reads both in one call.
///
/// Slots of a Golem: row (immutable after birth), vital (key, state), pulse (beat), and three hashes written at death, of
/// which the playbook's is known from birth when the order gives it.
contract LineageRegistry is SuiteBound, ILineageRegistry {
    using PulseLib for Pulse;
    using PulseLib for uint256;

    /* CONSTANTS */

    uint256 private constant MAX_WALK = 256;
    uint256 private constant PPM = 1_000_000;

    /* STORAGE */

    struct Row {
        address vault;
        uint32 lineage;
        uint16 generation;
        uint48 bornAt;
    }

    struct Vital {
        address key;
        Life life;
        Cause cause;
        uint48 deadline;
    }

    struct Remains {
        bytes32 testamentHash;
        bytes32 genomeRoot;
        bytes32 playbookDigest;
    }

    mapping(uint256 agentId => Row) private _rows;
    mapping(uint256 agentId => Vital) private _vitals;
    /// @dev `Pulse`, packed by PulseLib.
    mapping(uint256 agentId => uint256) private _pulses;
    mapping(uint256 agentId => Remains) private _remains;
    /// @dev Successor's id + 1.
    mapping(uint256 agentId => uint256) private _successors;

    constructor(Suite memory suite_) SuiteBound(suite_) {}

    modifier onlyVaultOf(uint256 agentId) {
        address vault = _rows[agentId].vault;
        if (msg.sender != vault) revert NotVaultOf(agentId, msg.sender, vault);
        _;
    }

    /* BIRTH */

    /// @inheritdoc ILineageRegistry
    function recordBirth(
        uint256 agentId,
        address vault,
        address key,
        address owner,
        uint256 predecessor,
        bytes32 playbookDigest
    ) external returns (uint256 lineageId, uint256 generation) {
        if (msg.sender != BIRTH) revert NotBirth(msg.sender, BIRTH);
        // An id is 32 bits here so that a row is one slot; the registries count up from 0.
        if (agentId >= type(uint32).max) revert TooLarge(agentId, type(uint32).max - 1);
        if (_vitals[agentId].life != Life.Unborn) revert WrongLife(agentId, _vitals[agentId].life, Life.Unborn);

        lineageId = agentId;
        if (predecessor != NO_GOLEM) (lineageId, generation) = _succeed(agentId, predecessor, playbookDigest);

        _rows[agentId] = Row(vault, uint32(lineageId), uint16(generation), uint48(block.timestamp));
        _vitals[agentId] = Vital(key, Life.Alive, Cause.None, 0);
        Pulse memory pulse = Pulse({
            tick: 0,
            phase: Phase.Thriving,
            vitality: uint24(PPM),
            beatAt: uint48(block.timestamp),
            beatBlock: uint32(block.number),
            rollStride: 0,
            noticeAt: 0,
            diedAt: 0,
            // Wraps NO_GOLEM to 0; any other predecessor exists, so it is below 2^32.
            predecessor: predecessor == NO_GOLEM ? 0 : uint40(predecessor + 1)
        });
        _pulses[agentId] = pulse.pack();
        // Kept so that one who dies without testament still has a playbook to differ from (T-022).
        if (playbookDigest != 0) _remains[agentId].playbookDigest = playbookDigest;
        emit Born(agentId, lineageId, owner, generation, predecessor, vault, key, playbookDigest);
    }

    /// @dev L-021. Whether the caller may succeed is the birth contract's question; whether it is possible is ours.
    function _succeed(uint256 agentId, uint256 predecessor, bytes32 playbookDigest)
        private
        returns (uint256 lineageId, uint256 generation)
    {
        Life life = _vitals[predecessor].life;
        if (life != Life.Dead) revert WrongLife(predecessor, life, Life.Dead);
        if (_successors[predecessor] != 0) revert AlreadySucceeded(predecessor, _successors[predecessor] - 1);
        if (playbookDigest == 0 || playbookDigest == _remains[predecessor].playbookDigest) {
            revert PlaybookNotDiverged(playbookDigest);
        }
        Row storage row = _rows[predecessor];
        lineageId = row.lineage;
        generation = uint256(row.generation) + 1;
        if (generation > type(uint16).max) revert TooLarge(generation, type(uint16).max);
        _successors[predecessor] = agentId + 1;
    }

    /* LIFE */

    /// @inheritdoc ILineageRegistry
    function beat(
        uint256 agentId,
        uint64 tick,
        Phase phase,
        uint32 vitality,
        bytes32 outcomeRoot,
        uint32 outcomes,
        bytes calldata rolls,
        uint8 rollStride
    ) external {
        Vital storage vital = _vitals[agentId];
        if (vital.life != Life.Alive) revert WrongLife(agentId, vital.life, Life.Alive);
        if (msg.sender != vital.key) revert NotKey(msg.sender, vital.key);
        uint256 word = _pulses[agentId];
        if (tick <= uint40(word)) revert TickNotAfter(tick, uint40(word));
        uint256 latest = word.latestTick();
        if (tick > latest) revert TickTooFar(tick, latest);
        if (vitality > PPM) revert VitalityTooHigh(vitality, PPM);
        if (rolls.length % 16 != 0) revert TornRolls(rolls.length);

        _pulses[agentId] = word.beaten(tick, phase, vitality, rollStride);
        emit Beaten(agentId, tick, phase, vitality, outcomeRoot, outcomes, rolls, rollStride);
    }

    /// @inheritdoc ILineageRegistry
    function setKey(uint256 agentId, address newKey) external onlyVaultOf(agentId) {
        Vital storage vital = _vitals[agentId];
        address oldKey = vital.key;
        vital.key = newKey;
        emit KeyRotated(agentId, oldKey, newKey);
    }

    /// @inheritdoc ILineageRegistry
    function postNotice(uint256 agentId, address by, uint256 killableAt) external onlyVaultOf(agentId) {
        _requireLife(agentId, Life.Alive);
        Pulse memory pulse = _pulses[agentId].unpack();
        pulse.noticeAt = uint48(block.timestamp);
        _pulses[agentId] = pulse.pack();
        emit NoticePosted(agentId, by, pulse.beatAt, killableAt);
    }

    /* DEATH */

    /// @inheritdoc ILineageRegistry
    function beginDying(uint256 agentId, Cause cause, address by, uint256 grace, string calldata reason)
        external
        onlyVaultOf(agentId)
    {
        _requireLife(agentId, Life.Alive);
        Vital storage vital = _vitals[agentId];
        uint256 deadline = block.timestamp + grace;
        vital.life = Life.Dying;
        vital.cause = cause;
        vital.deadline = uint48(deadline);
        emit DyingBegan(agentId, cause, by, deadline, reason);
    }

    /// @inheritdoc ILineageRegistry
    function recordDeath(uint256 agentId, address owner, Testament calldata testament, Stain calldata stain)
        external
        onlyVaultOf(agentId)
    {
        _requireLife(agentId, Life.Dying);
        Vital storage vital = _vitals[agentId];
        Cause cause = vital.cause;
        vital.life = Life.Dead;

        uint256 word = _pulses[agentId];
        Pulse memory pulse = word.unpack();
        // A lower figure than was beaten would be a lie, and so would one beyond the time that has passed. Refusing it
        // would hold up a death, so the nearest that can be true stands.
        if (testament.ticksLived > pulse.tick) {
            uint256 latest = word.latestTick();
            pulse.tick = uint40(testament.ticksLived < latest ? testament.ticksLived : latest);
        }
        pulse.diedAt = uint48(block.timestamp);
        pulse.noticeAt = 0;
        _pulses[agentId] = pulse.pack();

        if (testament.hash != 0) _record(agentId, testament, false);
        emit Died(agentId, owner, cause, _rows[agentId].generation, pulse.tick, testament.hash);
        emit Bloodstain(agentId, cause, stain.regime, stain.loss, stain.evidence);
    }

    /// @inheritdoc ILineageRegistry
    function attachTestament(uint256 agentId, Testament calldata testament) external onlyVaultOf(agentId) {
        _requireLife(agentId, Life.Dead);
        bytes32 known = _remains[agentId].testamentHash;
        if (known != 0) revert TestamentExists(agentId, known);
        if (testament.hash == 0) revert TestamentMissing(agentId);
        _record(agentId, testament, true);
    }

    function _record(uint256 agentId, Testament calldata testament, bool late) private {
        Remains storage remains = _remains[agentId];
        remains.testamentHash = testament.hash;
        remains.genomeRoot = testament.genomeRoot;
        if (testament.playbookDigest != 0) remains.playbookDigest = testament.playbookDigest;
        emit TestamentRecorded(
            agentId, testament.hash, testament.uri, testament.genomeRoot, testament.playbookDigest, late
        );
    }

    function _requireLife(uint256 agentId, Life needed) private view {
        Life life = _vitals[agentId].life;
        if (life != needed) revert WrongLife(agentId, life, needed);
    }

    /* VIEWS FOR CONTRACTS */

    /// @inheritdoc ILineageRegistry
    function vitalOf(uint256 agentId) external view returns (address key, Life life) {
        Vital storage vital = _vitals[agentId];
        return (vital.key, vital.life);
    }

    /// @inheritdoc ILineageRegistry
    function stateOf(uint256 agentId) external view returns (address key, Life life, Cause cause, uint256 deadline) {
        Vital storage vital = _vitals[agentId];
        return (vital.key, vital.life, vital.cause, vital.deadline);
    }

    /// @inheritdoc ILineageRegistry
    function pulseOf(uint256 agentId) external view returns (Pulse memory) {
        return _pulses[agentId].unpack();
    }

    /// @inheritdoc ILineageRegistry
    function vaultOf(uint256 agentId) external view returns (address) {
        return _rows[agentId].vault;
    }

    /// @inheritdoc ILineageRegistry
    function recordedTestament(uint256 agentId) external view returns (bytes32) {
        return _remains[agentId].testamentHash;
    }

    /* VIEWS FOR PEOPLE */

    /// @inheritdoc ILineageRegistry
    function isAlive(uint256 agentId) external view returns (bool) {
        return _vitals[agentId].life == Life.Alive;
    }

    /// @inheritdoc ILineageRegistry
    function lifeOf(uint256 agentId) public view returns (string memory) {
        return NameLib.nameOf(_vitals[agentId].life);
    }

    /// @inheritdoc ILineageRegistry
    function phaseOf(uint256 agentId) public view returns (string memory) {
        return _vitals[agentId].life == Life.Unborn
            ? NameLib.nameOf(Life.Unborn)
            : NameLib.nameOf(_pulses[agentId].unpack().phase);
    }

    /// @inheritdoc ILineageRegistry
    function causeOf(uint256 agentId) public view returns (string memory) {
        return NameLib.nameOf(_vitals[agentId].cause);
    }

    /// @inheritdoc ILineageRegistry
    function golem(uint256 agentId) external view returns (GolemView memory view_) {
        Row storage row = _rows[agentId];
        Pulse memory pulse = _pulses[agentId].unpack();
        Remains storage remains = _remains[agentId];
        view_.life = lifeOf(agentId);
        view_.phase = phaseOf(agentId);
        view_.cause = causeOf(agentId);
        view_.agentId = agentId;
        view_.lineage = row.lineage;
        view_.generation = row.generation;
        view_.predecessor = _predecessorOf(agentId);
        view_.successor = successorOf(agentId);
        view_.born = row.bornAt;
        view_.died = pulse.diedAt;
        view_.dyingDeadline = _vitals[agentId].deadline;
        view_.ticks = pulse.tick;
        view_.vitalityPpm = pulse.vitality;
        view_.lastBeat = pulse.beatAt;
        view_.noticedAt = pulse.noticeAt;
        view_.testamentHash = remains.testamentHash;
        view_.genomeRoot = remains.genomeRoot;
        view_.playbookDigest = remains.playbookDigest;
        view_.vault = row.vault;
        view_.key = _vitals[agentId].key;
    }

    /// @inheritdoc ILineageRegistry
    function successorOf(uint256 agentId) public view returns (uint256) {
        uint256 next = _successors[agentId];
        return next == 0 ? NO_GOLEM : next - 1;
    }

    /// @inheritdoc ILineageRegistry
    function ancestors(uint256 agentId, uint256 n) external view returns (uint256[] memory ids) {
        return _walk(agentId, n, _predecessorOf);
    }

    /// @inheritdoc ILineageRegistry
    function descendants(uint256 agentId, uint256 n) external view returns (uint256[] memory ids) {
        return _walk(agentId, n, successorOf);
    }

    /// @inheritdoc ILineageRegistry
    function lineage(uint256 lineageId)
        external
        view
        returns (bool exists, uint256 founder, uint256 newest, uint256 members, bool complete)
    {
        // A successor's id is a Golem but founds nothing.
        if (_vitals[lineageId].life == Life.Unborn || _rows[lineageId].generation != 0) return (false, 0, 0, 0, false);
        newest = lineageId;
        for (members = 1; members <= MAX_WALK; ++members) {
            uint256 next = successorOf(newest);
            if (next == NO_GOLEM) return (true, lineageId, newest, members, true);
            newest = next;
        }
        return (true, lineageId, newest, members, false);
    }

    /// @inheritdoc ILineageRegistry
    function verifyOutcome(bytes32 root, bytes32 leaf, bytes32[] calldata proof) external pure returns (bool) {
        // Hashed once more than an inner node is, so that none of those passes as a leaf.
        return MerkleProofLib.verifyCalldata(proof, root, keccak256(abi.encode(leaf)));
    }

    function _predecessorOf(uint256 agentId) private view returns (uint256) {
        uint256 before = _pulses[agentId].unpack().predecessor;
        return before == 0 ? NO_GOLEM : before - 1;
    }

    function _walk(uint256 agentId, uint256 n, function(uint256) view returns (uint256) step)
        private
        view
        returns (uint256[] memory ids)
    {
        uint256[] memory found = new uint256[](n < MAX_WALK ? n : MAX_WALK);
        uint256 count;
        for (uint256 at = step(agentId); at != NO_GOLEM && count < found.length; at = step(at)) {
            found[count++] = at;
        }
        ids = new uint256[](count);
        for (uint256 i; i < count; ++i) {
            ids[i] = found[i];
        }
    }
}
