// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {ListingLib} from "contracts/libraries/ListingLib.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {PeriodLib} from "contracts/libraries/PeriodLib.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {UsdcLib} from "contracts/libraries/UsdcLib.sol";
import {SuiteBound} from "contracts/SuiteBound.sol";
import {Life} from "contracts/types/Life.sol";
import {
    Books,
    DaySpent,
    DayTraded,
    Holding,
    Ledger,
    PartitionId,
    Policy,
    Position,
    Split
} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title What the vault and its modules share: one storage, the roles, the debit
/// @dev The vault is more than one contract may hold (24,576 bytes), so its subjects live in five: `Vault` (credits,
/// views) and the modules `VaultOwner`, `VaultTrading`, `VaultLiquidity` and `VaultDeath`. All inherit this storage and
/// nothing else that stores. The vault reaches the modules by `delegatecall` to immutable addresses deployed with the suite
/// (V-001); there is no other delegatecall, and no function takes a target and calldata (V-013).
abstract contract VaultBase is SuiteBound, ReentrancyGuardTransient, IVaultRules {
    using SafeCastLib for uint256;
    using ListingLib for uint256;
    using PartitionLib for Ledger;
    using PeriodLib for DaySpent;

    /* STORAGE */

    /// @dev Slot by slot; a living Golem with the default policy touches slots 0 to 4 in a spend.
    struct VaultState {
        // Slot 0: who. `agentId` is stored, not an immutable argument, because the address is fixed before the id is.
        // The bound owner is zero until an owner has spoken for this vault (L-006).
        address boundOwner;
        uint32 agentId;
        uint16 epoch;
        Split split;
        bool initialised;
        bool ownPolicy;
        bool hibernated;
        // Whether any holding or position was ever opened: spares the death of one that never traded two cold reads.
        bool everHeld;
        // Whether a lock was ever set: spares everybody else a cold read of its end.
        bool everLocked;
        // Slot 1: credits. Slot 2: what the day took. Slot 3: what the day began with. Slot 4: reserve and capital.
        Ledger credits;
        DaySpent spent;
        Ledger dayStart;
        Books books;
        // Slot 5.
        address guardian;
        uint48 hibernatedUntil;
        uint48 rebalancedAt;
        // Slot 6.
        DayTraded traded;
        // Slots 7 to 9, only with a policy of one's own.
        Policy policy;
        // Slots 10, 11 and 12: the lists.
        /// @dev Packed by ListingLib.
        mapping(address subject => uint256) listed;
        Holding[] holdings;
        Position[] positions;
        // Slot 13: what Dying has spent, what its sales have lost, the capital that is measured by, and what was traded
        // since there was last a minute without a trade.
        uint64 spentDying;
        uint64 lostClosing;
        uint64 closingBasis;
        uint64 minuteVolume;
        // Slot 14.
        uint48 lockedUntil;
    }

    VaultState internal _vault;

    constructor(Suite memory suite_) SuiteBound(suite_) {}

    /* ROLES */

    /// @dev L-001. Reverts when nobody can be said to be the owner. Unbounded, unlike a death's read: whoever acts here
    /// pays for it, and a refusal harms nobody.
    function _owner() internal view returns (address) {
        return _ownerOf(_vault.agentId);
    }

    function _ownerOf(uint256 id) private view returns (address) {
        try IERC721(IDENTITY).ownerOf(id) returns (address holder) {
            address owner_ = _behind(holder);
            if (owner_ == address(0)) revert OwnerUnknown(id);
            return owner_;
        } catch {
            revert OwnerUnknown(id);
        }
    }

    /// @dev A token that was sent to its own vault is held for the bound owner: nobody else could bring it back.
    function _behind(address holder) internal view returns (address) {
        return holder == address(this) ? _vault.boundOwner : holder;
    }

    /// @dev The caller must own the token now.
    function _asOwner() internal view returns (address owner_) {
        owner_ = _owner();
        if (msg.sender != owner_) revert NotOwner(msg.sender, owner_);
    }

    /// @dev L-006. Key, guardian and lists count only while he who set them owns the token.
    function _requireBound() internal view {
        address owner_ = _owner();
        if (owner_ != _vault.boundOwner) revert OwnerChanged(_vault.boundOwner, owner_);
    }

    /// @dev The caller must be the key of an awake, living Golem whose owner set it. Slot 0 is read before the calls, in
    /// one go, because this is on the path of every spend.
    function _asLivingKey() internal view returns (address key) {
        (uint256 id, address bound, bool hibernated) = (_vault.agentId, _vault.boundOwner, _vault.hibernated);
        Life life;
        (key, life) = _registry().vitalOf(id);
        if (life != Life.Alive) revert ILineageRegistry.WrongLife(id, life, Life.Alive);
        if (msg.sender != key) revert ILineageRegistry.NotKey(msg.sender, key);
        address owner_ = _ownerOf(id);
        if (owner_ != bound) revert OwnerChanged(bound, owner_);
        if (hibernated) _requireAwake();
    }

    /// @dev The caller must be the owner of a living Golem, or its key as above.
    function _asLivingKeyOrOwner() internal view {
        (address key, Life life) = _registry().vitalOf(_vault.agentId);
        _requireLife(life, Life.Alive);
        address owner_ = _owner();
        if (msg.sender == owner_) return;
        if (msg.sender != key) revert NotKeyOrOwner(msg.sender, key, owner_);
        _requireBound();
        _requireAwake();
    }

    function _requireAlive() internal view {
        (, Life life) = _registry().vitalOf(_vault.agentId);
        _requireLife(life, Life.Alive);
    }

    function _requireLife(Life life, Life needed) internal view {
        if (life != needed) revert ILineageRegistry.WrongLife(_vault.agentId, life, needed);
    }

    /// @dev The flag spares the awake a cold read of the date.
    function _requireAwake() internal view {
        if (_vault.hibernated && block.timestamp < _vault.hibernatedUntil) {
            revert Hibernating(_vault.hibernatedUntil, block.timestamp);
        }
    }

    function _registry() internal view returns (ILineageRegistry) {
        return ILineageRegistry(LINEAGE);
    }

    /* LOCK */

    /// @dev While the owner has locked the vault nothing of it reaches him, whoever he sells to (V-018).
    function _requireUnlocked() internal view {
        if (_isLocked()) revert Locked(_vault.lockedUntil, block.timestamp);
    }

    function _isLocked() internal view returns (bool) {
        return _vault.everLocked && block.timestamp < _vault.lockedUntil;
    }

    /* POLICY AND LISTS */

    function _policy() internal view returns (Policy memory) {
        return _vault.ownPolicy ? _vault.policy : PolicyLib.template();
    }

    /// @dev The name of the policy in force, as births, mandates and `accept` say it.
    function _policyHash() internal view returns (bytes32) {
        return _vault.ownPolicy ? keccak256(abi.encode(_vault.policy)) : PolicyLib.TEMPLATE;
    }

    /// @dev Reverts unless `subject` is listed for one of these uses in the present epoch.
    function _requireListed(address subject, uint8 anyOf) internal view returns (address pricedBy) {
        uint256 word = _vault.listed[subject];
        if (word.usesIn(_vault.epoch) & anyOf == 0) revert NotListed(subject, anyOf);
        return word.pricedBy();
    }

    /* CREDITS */

    /// @dev The bounds of a spend, without carrying the whole policy through the hot path.
    function _spendingBounds(PartitionId partition)
        internal
        view
        returns (uint256 callCap, uint256 dayFloor, uint256 shareBps)
    {
        if (_vault.ownPolicy) {
            Policy storage own = _vault.policy;
            shareBps = partition == PartitionId.Llm
                ? own.llmDayBps
                : partition == PartitionId.Gas ? own.gasDayBps : own.dataDayBps;
            return (own.callCap, own.dayFloor, shareBps);
        }
        shareBps = partition == PartitionId.Llm
            ? PolicyLib.LLM_DAY_BPS
            : partition == PartitionId.Gas ? PolicyLib.GAS_DAY_BPS : PolicyLib.DATA_DAY_BPS;
        return (PolicyLib.CALL_CAP, PolicyLib.DAY_FLOOR, shareBps);
    }

    /// @dev V-006. Takes `amount` from a partition under the caps of the call and of the day.
    /// @return left What the day still allows.
    function _debit(PartitionId partition, uint256 amount) internal returns (uint256 left) {
        if (amount == 0) revert ZeroAmount();
        if (partition == PartitionId.Legacy) revert LegacyProtected();
        (uint256 callCap, uint256 dayFloor, uint256 shareBps) = _spendingBounds(partition);
        if (amount > callCap) revert CallCapExceeded(amount, callCap);
        uint256 balance = _vault.credits.load(partition);
        if (amount > balance) revert PartitionExceeded(partition, amount, balance);

        _beginDay();
        uint256 before = _vault.spent.load(partition);
        uint256 cap = PeriodLib.dayCapDown(shareBps, dayFloor, _vault.dayStart.load(partition), balance + before);
        if (before + amount > cap) revert DayCapExceeded(partition, before + amount, cap);

        _vault.spent.store(partition, before + amount);
        _vault.credits.store(partition, balance - amount);
        return cap - before - amount;
    }

    /// @dev Adds to the credits by the present split. The day is begun first, so that its caps are measured by what
    /// was there before.
    function _credit(uint256 amount) internal returns (Split split_) {
        _beginDay();
        split_ = _vault.split;
        Ledger memory credits_ = _vault.credits;
        _vault.credits = credits_.add(amount, split_);
    }

    /// @dev Begins the UTC day if nobody has: remembers what the partitions hold, forgets what yesterday spent. Called
    /// before every change of the partitions, so "the day's start" is what it says.
    function _beginDay() internal {
        uint64 day = PeriodLib.dayOf(block.timestamp);
        if (_vault.spent.day == day) return;
        _vault.spent = DaySpent(0, 0, 0, day);
        _vault.dayStart = _vault.credits;
    }

    /* USDC */

    /// @dev V-003. All that the vault accounts for.
    function _accounted() internal view returns (uint256) {
        Ledger memory credits_ = _vault.credits;
        Books memory books_ = _vault.books;
        return credits_.total() + books_.reserve + books_.capital;
    }

    function _usdcBalance() internal view returns (uint256) {
        return SafeTransferLib.balanceOf(USDC, address(this));
    }

    /// @dev Asked after money was said to have come in.
    function _requireBacked() internal view {
        uint256 balance = _usdcBalance();
        uint256 accounted_ = _accounted();
        if (balance < accounted_) revert Unbacked(balance, accounted_);
    }

    function _receiveAuthorised(Authorisation calldata a) internal {
        UsdcLib.receiveAuthorised(USDC, a.from, a.value, a.validAfter, a.validBefore, a.nonce, a.signature);
    }

    /// @dev The one place where a living or dying vault pays USDC out of its books.
    function _pay(address to, uint256 amount) internal {
        SafeTransferLib.safeTransfer(USDC, to, amount);
    }

    /// @dev Transient storage on every chain: the suite targets Cancun.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
