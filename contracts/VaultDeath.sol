// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {NameLib} from "contracts/libraries/NameLib.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {RollLib} from "contracts/libraries/RollLib.sol";
import {SettlementLib} from "contracts/libraries/SettlementLib.sol";
import {Cause, Life, Pulse} from "contracts/types/Life.sol";
import {Books, Holding, Ledger, Policy, Position, USE_PAYEE_ANY} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultModule} from "contracts/VaultModule.sol";

/// @title A Golem's vault: death (T-001..T-007)
/// @dev No step from Alive to Dead calls anything that could refuse: beginning to die touches the registry of the suite and
/// nothing else, and ending it closes the books before the first asset is pushed, each push bounded (T-006).
contract VaultDeath is VaultModule, IVaultDeath {
    using SafeCastLib for uint256;
    using PartitionLib for Books;
    using PartitionLib for Ledger;

    /* CONSTANTS */

    uint256 private constant MAX_REASON = 256;
    /// @dev T-002: llm + gas + data at or below this is starvation.
    uint256 private constant STARVED = 0.1e6;
    uint256 private constant NOTICE_PERIOD = 24 hours;
    /// @dev Enough to read the owner with its full gas and to record the death after it.
    uint256 private constant MIN_DEATH_GAS = 250_000;

    constructor(Suite memory suite_) VaultModule(suite_) {}

    /* FIVE CAUSES */

    /// @inheritdoc IVaultDeath
    function kill(string calldata reason) external onlyDelegated {
        _asOwner();
        _beginDying(Cause.OwnerKill, reason);
    }

    /// @inheritdoc IVaultDeath
    function killAndRevoke(string calldata reason) external onlyDelegated {
        _asOwner();
        _beginDying(Cause.OwnerKill, reason);
        _registry().setKey(_vault.agentId, address(0));
    }

    /// @inheritdoc IVaultDeath
    function dieEconomic() external onlyDelegated {
        _asMortalKey();
        Ledger memory credits_ = _vault.credits;
        uint256 spendable = credits_.spendable();
        if (spendable > STARVED) revert NotStarved(spendable, STARVED);
        _beginDying(Cause.Economic, "");
    }

    /// @inheritdoc IVaultDeath
    function dieSenescent(string calldata evidence) external onlyDelegated {
        _asMortalKey();
        _beginDying(Cause.EpistemicSenescence, evidence);
    }

    /// @inheritdoc IVaultDeath
    function dieStochastic(uint64 tick, uint64 hazard, uint64 roll, uint256 blockNumber) external onlyDelegated {
        _asMortalKey();
        uint64 max = _policy().hazardMax;
        if (hazard > max) revert HazardTooHigh(hazard, max);
        if (roll >= hazard) revert RollSurvived(roll, hazard);
        if (blockNumber >= block.number) revert BlockNotPast(blockNumber, block.number);

        // T-002: a death never reverts for the age of its proof; it is then marked as not verified.
        bytes32 blockHash = RollLib.hashOf(blockNumber);
        if (blockHash != 0) {
            uint64 recomputed = RollLib.rollOf(address(this), tick, blockHash);
            if (roll != recomputed) revert RollMismatch(roll, recomputed);
        }
        bool verified = blockHash != 0 && _isAnnounced(tick, blockNumber);
        emit RollRecorded(tick, hazard, roll, blockNumber, verified);
        _beginDying(Cause.Stochastic, "");
    }

    /// @dev Whether the last beat gave this tick this block, before anybody knew its hash. Whoever may choose the pair
    /// afterwards finds one that kills.
    function _isAnnounced(uint64 tick, uint256 blockNumber) private view returns (bool) {
        Pulse memory pulse = _registry().pulseOf(_vault.agentId);
        return pulse.rollStride != 0 && tick > pulse.tick
            && blockNumber == pulse.beatBlock + (uint256(tick) - pulse.tick) * pulse.rollStride;
    }

    /// @inheritdoc IVaultDeath
    function trip(string calldata trigger) external onlyDelegated {
        address guardian_ = _vault.guardian;
        if (msg.sender != guardian_) revert NotGuardian(msg.sender, guardian_);
        _requireBound();
        _beginDying(Cause.KillSwitch, trigger);
    }

    /// @inheritdoc IVaultDeath
    function notice() external onlyDelegated {
        _requireAlive();
        (uint256 silentAt, uint256 noticeAt) = _silence();
        if (block.timestamp <= silentAt) revert NotSilent(block.timestamp, silentAt);
        // Posting again would put off the kill, so a notice of the same silence stands.
        if (noticeAt > silentAt) revert NoticeStands(noticeAt);
        _registry().postNotice(_vault.agentId, msg.sender, block.timestamp + NOTICE_PERIOD);
    }

    /// @inheritdoc IVaultDeath
    function killSilent() external onlyDelegated {
        (uint256 silentAt, uint256 noticeAt) = _silence();
        if (noticeAt == 0 || noticeAt <= silentAt) revert NoNotice();
        if (block.timestamp < noticeAt + NOTICE_PERIOD) revert TooEarly(block.timestamp, noticeAt + NOTICE_PERIOD);
        _beginDying(Cause.KillSwitch, "silence");
    }

    /// @dev When the present silence passed its limit, and the notice that stands. Sleep is not silence: hibernation
    /// counts as a beat at its end, and while it lasts that end lies ahead.
    function _silence() private view returns (uint256 silentAt, uint256 noticeAt) {
        Pulse memory pulse = _registry().pulseOf(_vault.agentId);
        uint256 heard = FixedPointMathLib.max(pulse.beatAt, _vault.hibernatedUntil);
        return (heard + _policy().silenceLimit, pulse.noticeAt);
    }

    /// @dev The caller must be the key while the owner who set it owns the token. Asleep or not: death needs no waking.
    function _asMortalKey() private view {
        (address key,) = _registry().vitalOf(_vault.agentId);
        if (msg.sender != key) revert ILineageRegistry.NotKey(msg.sender, key);
        _requireBound();
    }

    function _beginDying(Cause cause, string memory reason) private {
        if (bytes(reason).length > MAX_REASON) revert ReasonTooLong(bytes(reason).length, MAX_REASON);
        uint256 grace = _policy().grace;
        _registry().beginDying(_vault.agentId, cause, msg.sender, grace, reason);
        emit DeathBegan(NameLib.nameOf(cause), msg.sender, block.timestamp + grace, reason);
    }

    /* DYING */

    /// @inheritdoc IVaultDeath
    function spendDying(address payee, uint256 amount) external onlyDelegated nonReentrant {
        (address key, Life life, Cause cause,) = _registry().stateOf(_vault.agentId);
        _requireLife(life, Life.Dying);
        if (msg.sender != key) revert ILineageRegistry.NotKey(msg.sender, key);
        _requireBound();
        if (amount == 0) revert ZeroAmount();
        if (payee == key) revert NoFloatInDying();
        _requireListed(payee, USE_PAYEE_ANY);

        // T-003: after a kill the reserve alone pays, since the owner did not choose this death's expenses.
        bool killed = cause == Cause.OwnerKill || cause == Cause.KillSwitch;
        uint256 legacy = killed ? 0 : _vault.credits.legacy;
        uint256 reserve = _vault.books.reserve;
        uint256 spent = _vault.spentDying;
        uint256 budget = FixedPointMathLib.min(_policy().deathBudget, legacy + reserve + spent);
        if (spent + amount > budget) revert DeathBudgetExceeded(spent + amount, budget);

        uint256 fromLegacy = FixedPointMathLib.min(legacy, amount);
        if (fromLegacy != 0) _vault.credits.legacy = (legacy - fromLegacy).toUint64();
        _vault.books.reserve = (reserve - (amount - fromLegacy)).toUint64();
        _vault.spentDying = (spent + amount).toUint64();
        emit SpentDying(payee, fromLegacy, amount - fromLegacy, spent + amount);
        _pay(payee, amount);
    }

    /* DEAD */

    /// @inheritdoc IVaultDeath
    function settle(ILineageRegistry.Testament calldata testament, ILineageRegistry.Stain calldata stain)
        external
        onlyDelegated
        nonReentrant
    {
        // L-006: not `_requireBound`. The seller's key may still end what the seller's Golem was; nothing goes to him.
        (address key, Life life, Cause cause,) = _registry().stateOf(_vault.agentId);
        _requireLife(life, Life.Dying);
        if (msg.sender != key) revert ILineageRegistry.NotKey(msg.sender, key);
        address owner_ = _ownerAtDeath(type(uint256).max);
        _registry().recordDeath(_vault.agentId, owner_, testament, stain);
        _closeBooks();
        emit DeathEnded(NameLib.nameOf(cause), owner_, testament.hash);
        _sweep(owner_, type(uint256).max);
    }

    /// @inheritdoc IVaultDeath
    function finalise() external onlyDelegated nonReentrant {
        _finalise(type(uint256).max);
    }

    /// @inheritdoc IVaultDeath
    function finalisePart(uint256 items) external onlyDelegated nonReentrant {
        _finalise(items);
    }

    function _finalise(uint256 items) private {
        (, Life life, Cause cause, uint256 deadline) = _registry().stateOf(_vault.agentId);
        address owner_ = _ownerAtDeath(items);
        if (life != Life.Dead) {
            _requireLife(life, Life.Dying);
            if (block.timestamp < deadline) revert TooEarly(block.timestamp, deadline);
            ILineageRegistry.Testament memory none;
            ILineageRegistry.Stain memory unknown;
            _registry().recordDeath(_vault.agentId, owner_, none, unknown);
            _closeBooks();
            emit DeathEnded(NameLib.nameOf(cause), owner_, 0);
        }
        _sweep(owner_, items);
    }

    /// @inheritdoc IVaultDeath
    function claim(address asset) external onlyDelegated nonReentrant returns (uint256 amount) {
        address owner_ = _asHeir();
        if (asset == address(0)) {
            amount = address(this).balance;
            if (amount == 0) revert ZeroAmount();
            SafeTransferLib.safeTransferETH(owner_, amount);
        } else {
            amount = SafeTransferLib.balanceOf(asset, address(this));
            if (amount == 0) revert ZeroAmount();
            SafeTransferLib.safeTransfer(asset, owner_, amount);
        }
        emit Claimed(asset, owner_, 0, amount);
    }

    /// @inheritdoc IVaultDeath
    function claimNft(address collection, uint256 id) external onlyDelegated nonReentrant {
        // The Golem's own token is none of its assets: whoever sent it here by mistake takes it back at any time.
        address owner_ = collection == IDENTITY && id == _vault.agentId ? _asOwner() : _asHeir();
        IERC721(collection).transferFrom(address(this), owner_, id);
        emit Claimed(collection, owner_, id, 1);
    }

    /// @inheritdoc IVaultDeath
    function attachTestament(ILineageRegistry.Testament calldata testament) external onlyDelegated {
        address owner_ = _owner();
        if (msg.sender != owner_) {
            (address key,) = _registry().vitalOf(_vault.agentId);
            if (msg.sender != key) revert NotKeyOrOwner(msg.sender, key, owner_);
            _requireBound();
        }
        _registry().attachTestament(_vault.agentId, testament);
    }

    /// @inheritdoc IVaultDeath
    function spentDying() external view returns (uint256) {
        return _vault.spentDying;
    }

    /// @dev V-033: after Dead the vault pays nobody but him who owns the token then.
    function _asHeir() private view returns (address owner_) {
        (, Life life) = _registry().vitalOf(_vault.agentId);
        _requireLife(life, Life.Dead);
        _requireUnlocked();
        return _asOwner();
    }

    /// @dev The last act on the books, before the first push: from here on all that the vault holds is the owner's.
    function _closeBooks() private {
        Ledger memory credits_ = _vault.credits;
        Books memory books_ = _vault.books;
        _vault.credits.clear();
        _vault.books.clear();
        emit BooksClosed(credits_.total(), books_.reserve, books_.capital);
    }

    /// @dev T-005. Pushes USDC, then up to `items` tokens and positions, last of each list first. What refuses leaves the
    /// list too: it is named in `Stranded` and waits for `claim`. Where nothing may be pushed all of it waits.
    function _sweep(address owner_, uint256 items) private {
        (uint256 holdingsLeft, uint256 positionsLeft) = _listLengths();
        bool pushes = _mayPushTo(owner_);
        if (pushes) {
            _pushCoin(USDC, owner_);
            for (; holdingsLeft != 0 && items != 0; --items) {
                address token = _vault.holdings[--holdingsLeft].token;
                _vault.holdings.pop();
                _pushCoin(token, owner_);
            }
            for (; positionsLeft != 0 && items != 0; --items) {
                uint256 id = _vault.positions[--positionsLeft].tokenId;
                _vault.positions.pop();
                if (SettlementLib.tryPushNft(POSITION_MANAGER, owner_, id)) {
                    emit Swept(POSITION_MANAGER, owner_, id, 1);
                } else {
                    emit Stranded(POSITION_MANAGER, owner_, id, 1);
                }
            }
        }
        if (holdingsLeft + positionsLeft != 0 || !pushes) emit SweepPaused(holdingsLeft, positionsLeft);
    }

    /// @dev The holder of the token may be an escrow, a loan, an auction or a bridge, which could never give back what it
    /// is pushed. So a push goes only to an owner who has spoken to this vault: the bound one, or him who calls.
    function _mayPushTo(address owner_) private view returns (bool) {
        return owner_ != address(0) && (owner_ == _vault.boundOwner || owner_ == msg.sender) && !_isLocked();
    }

    /// @dev Every position has a token that is not USDC, and that token a holding: the flag covers both lists.
    function _listLengths() private view returns (uint256 holdings_, uint256 positions_) {
        if (_vault.everHeld) return (_vault.holdings.length, _vault.positions.length);
    }

    function _pushCoin(address token, address owner_) private {
        uint256 amount = SettlementLib.tryBalanceOf(token, address(this));
        if (amount == 0) {
            // L-024: a line that leaves the list is named, also when nothing was found or the balance could not be read.
            if (token != USDC) emit Stranded(token, owner_, 0, 0);
            return;
        }
        // A token that answers true and moves nothing is stranded all the same. USDC is known not to.
        bool pushed = SettlementLib.tryPush(token, owner_, amount)
            && (token == USDC || SettlementLib.tryBalanceOf(token, address(this)) < amount);
        if (pushed) emit Swept(token, owner_, 0, amount);
        else emit Stranded(token, owner_, 0, amount);
    }

    /// @dev Zero when the registry does not answer. The gas for all that follows has to be there, or the caller could
    /// starve this read or a push into failing (EIP-150); then nothing happens at all.
    function _ownerAtDeath(uint256 items) private view returns (address) {
        (uint256 holdings_, uint256 positions_) = _listLengths();
        uint256 pushes = FixedPointMathLib.min(items, holdings_ + positions_) + 1;
        uint256 needed = MIN_DEATH_GAS + SettlementLib.gasFor(pushes);
        if (gasleft() < needed) revert TooLittleGas(gasleft(), needed);
        return _behind(SettlementLib.tryOwnerOf(IDENTITY, _vault.agentId));
    }
}
