// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {ListingLib} from "contracts/libraries/ListingLib.sol";
import {NameLib} from "contracts/libraries/NameLib.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {PeriodLib} from "contracts/libraries/PeriodLib.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {UsdcLib} from "contracts/libraries/UsdcLib.sol";
import {Life, Phase} from "contracts/types/Life.sol";
import {
    Books,
    DayTraded,
    Holding,
    Ledger,
    Listing,
    PartitionId,
    Policy,
    Position,
    Split
} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultBase} from "contracts/VaultBase.sol";

/// @title A Golem's vault: credits and what is read of it
/// @dev The implementation behind every vault, a minimal proxy (V-001). The owner's acts, swaps, liquidity and death are
/// the subjects of four modules with this same storage; the last four sections forward to them by name, so that the whole
/// vault has one ABI at one address and no selector is forwarded that is not written here. The forwarding is the only
/// assembly.
contract Vault is VaultBase, IVault {
    using SafeCastLib for uint256;
    using PartitionLib for Ledger;

    /* CONSTANTS */

    uint256 private constant BPS = 10_000;
    uint256 private constant MIN_TOP_UP = 1e6;
    /// @dev V-031. How far the market may move within the minutes that a thief of the key trades in, before `worstLoss` is not
    /// the worst: the trusted price sees a move a minute later.
    uint256 private constant JUMP_BPS = 3_000;

    /// @dev The implementation itself can never be a vault: it is taken, and by an id that is never born.
    constructor(Suite memory suite_) VaultBase(suite_) {
        _vault.initialised = true;
        _vault.agentId = type(uint32).max;
    }

    /// @dev Native coin comes from unwrapping in `refuel` only; elsewhere it would just wait for a death.
    receive() external payable {
        if (msg.sender != WETH) revert NativeRefused(msg.sender);
    }

    /* FUNDING */

    /// @inheritdoc IVaultMoney
    function topUp(uint256 amount) public nonReentrant {
        _requireAlive();
        _topUp(msg.sender, amount);
        SafeTransferLib.safeTransferFrom(USDC, msg.sender, address(this), amount);
        _requireBacked();
    }

    /// @inheritdoc IVaultMoney
    function topUpWithPermit(uint256 amount, uint256 deadline, bytes calldata signature) external {
        UsdcLib.tryPermit(USDC, msg.sender, amount, deadline, signature);
        topUp(amount);
    }

    /// @inheritdoc IVaultMoney
    function topUpWithAuthorisation(Authorisation calldata authorisation) external nonReentrant {
        _requireAlive();
        _topUp(authorisation.from, authorisation.value);
        _receiveAuthorised(authorisation);
        _requireBacked();
    }

    /// @inheritdoc IVaultMoney
    function sync() external nonReentrant returns (uint256 amount) {
        _requireAlive();
        amount = unallocated();
        _topUp(address(0), amount);
    }

    function _topUp(address from, uint256 amount) private {
        if (amount < MIN_TOP_UP) revert BelowMinimum(amount, MIN_TOP_UP);
        emit ToppedUp(from, amount, _credit(amount));
    }

    /* SPENDING */

    /// @inheritdoc IVaultMoney
    function spend(PartitionId partition, address payee, uint256 amount) external nonReentrant returns (uint256 left) {
        address key = _asLivingKey();
        // The key's own wallet is float even where somebody listed it, so listing cannot lift the float cap.
        if (payee == key) {
            uint256 held = SafeTransferLib.balanceOf(USDC, key) + amount;
            uint256 cap = _vault.ownPolicy ? _vault.policy.floatCap : PolicyLib.FLOAT_CAP;
            if (held > cap) revert FloatCapExceeded(held, cap);
        } else {
            // The use bits of payees are numbered as the partitions are.
            _requireListed(payee, uint8(1 << uint8(partition)));
        }
        left = _debit(partition, amount);
        emit Spent(partition, payee, amount, left);
        _pay(payee, amount);
    }

    /// @inheritdoc IVaultMoney
    function rebalance(PartitionId from, PartitionId to, uint256 amount) external nonReentrant {
        _asLivingKey();
        if (amount == 0) revert ZeroAmount();
        if (from == to) revert SamePartition(from);
        if (from == PartitionId.Legacy || to == PartitionId.Legacy) revert LegacyProtected();
        uint256 allowedAt = uint256(_vault.rebalancedAt) + _policy().rebalanceCooldown;
        if (block.timestamp < allowedAt) revert RebalanceTooSoon(block.timestamp, allowedAt);

        Ledger memory credits_ = _vault.credits;
        uint256 donor = credits_.get(from);
        if (amount > donor / 2) revert RebalanceTooLarge(amount, donor / 2);
        _beginDay();
        credits_.set(from, donor - amount);
        credits_.set(to, credits_.get(to) + amount);
        _vault.credits = credits_;
        _vault.rebalancedAt = uint48(block.timestamp);
        emit Rebalanced(from, to, amount);
    }

    /// @inheritdoc IVaultMoney
    function resplit(Split wanted) external nonReentrant {
        Split current = _vault.split;
        Phase phase = _registry().pulseOf(_vault.agentId).phase;
        bool allowed;
        if (wanted == Split.Birth) {
            _requireAlive();
            _asOwner();
            allowed = current != Split.Birth && phase < Phase.Declining;
        } else {
            _asLivingKey();
            // Only toward legacy: the key never takes back what it has set aside (M-032).
            Phase needed = wanted == Split.Declining ? Phase.Declining : Phase.Terminal;
            allowed = wanted > current && phase >= needed;
        }
        if (!allowed) revert ResplitRefused(current, wanted, phase);

        Ledger memory credits_ = _vault.credits;
        _beginDay();
        credits_ = PartitionLib.cut(credits_.total(), wanted);
        _vault.credits = credits_;
        _vault.split = wanted;
        emit Resplit(wanted, credits_);
    }

    /// @inheritdoc IVaultMoney
    function raiseReserve(PartitionId from, uint256 amount) external nonReentrant {
        _asLivingKeyOrOwner();
        if (amount == 0) revert ZeroAmount();
        if (from == PartitionId.Legacy) revert LegacyProtected();
        Ledger memory credits_ = _vault.credits;
        uint256 balance = credits_.get(from);
        if (amount > balance) revert PartitionExceeded(from, amount, balance);
        uint256 reserve = _vault.books.reserve + amount;
        // T-002: a key that could lock away everything would choose hunger for its death.
        if (msg.sender != _owner()) _requireDue(credits_, reserve);
        // V-018: what is in the reserve can be spent in a death, at once.
        else _requireUnlocked();
        _beginDay();
        credits_.set(from, balance - amount);
        _vault.credits = credits_;
        _vault.books.reserve = reserve.toUint64();
        emit ReserveRaised(from, amount, reserve);
    }

    /// @dev The most that the law asks for with so many things to settle (M-037, M-038).
    function _requireDue(Ledger memory credits_, uint256 reserveAfter) private view {
        uint256 lines = _vault.holdings.length + _vault.positions.length;
        uint256 due = PartitionLib.reserveUp(credits_.total() + _vault.books.reserve, lines);
        if (reserveAfter > due) revert ReserveBeyondDue(reserveAfter, due);
    }

    /* CAPITAL */

    /// @inheritdoc IVaultMoney
    function harvest() external nonReentrant returns (uint256 toCredits) {
        _asLivingKeyOrOwner();
        uint256 profit;
        Books memory books_ = _vault.books;
        (profit, toCredits) = _harvestable(books_);
        if (toCredits == 0) revert NoProfit(books_.capital, books_.highWater);
        books_.capital = (books_.capital - toCredits).toUint64();
        books_.highWater = books_.capital;
        _vault.books = books_;
        emit Harvested(profit, toCredits, books_.highWater, _credit(toCredits));
    }

    function _harvestable(Books memory books_) private view returns (uint256 profit, uint256 toCredits) {
        profit = FixedPointMathLib.zeroFloorSub(books_.capital, books_.highWater);
        toCredits = profit * _policy().harvestBps / BPS;
    }

    /* VIEWS */

    /// @inheritdoc IVaultMoney
    function agentId() external view returns (uint256) {
        return _vault.agentId;
    }

    /// @inheritdoc IVaultMoney
    function owner() external view returns (address) {
        return _owner();
    }

    /// @inheritdoc IVaultMoney
    function key() external view returns (address key_) {
        (key_,) = _registry().vitalOf(_vault.agentId);
    }

    /// @inheritdoc IVaultMoney
    function life() external view returns (string memory) {
        return _registry().lifeOf(_vault.agentId);
    }

    /// @inheritdoc IVaultMoney
    function phase() external view returns (string memory) {
        return _registry().phaseOf(_vault.agentId);
    }

    /// @inheritdoc IVaultMoney
    function cause() external view returns (string memory) {
        return _registry().causeOf(_vault.agentId);
    }

    /// @inheritdoc IVaultMoney
    function deadline() external view returns (uint256 deadline_) {
        (,,, deadline_) = _registry().stateOf(_vault.agentId);
    }

    /// @inheritdoc IVaultMoney
    function lockedUntil() external view returns (uint256) {
        return _vault.lockedUntil;
    }

    /// @inheritdoc IVaultMoney
    function boundOwner() external view returns (address) {
        return _vault.boundOwner;
    }

    /// @inheritdoc IVaultMoney
    function guardian() external view returns (address) {
        return _vault.guardian;
    }

    /// @inheritdoc IVaultMoney
    function hibernatedUntil() external view returns (uint256) {
        return _vault.hibernatedUntil;
    }

    /// @inheritdoc IVaultMoney
    function policy() external view returns (Policy memory) {
        return _policy();
    }

    /// @inheritdoc IVaultMoney
    function policyHash() external view returns (bytes32) {
        return _policyHash();
    }

    /// @inheritdoc IVaultMoney
    function credits() external view returns (Ledger memory) {
        return _vault.credits;
    }

    /// @inheritdoc IVaultMoney
    function books() external view returns (Books memory) {
        return _vault.books;
    }

    /// @inheritdoc IVaultMoney
    function split() external view returns (string memory) {
        return NameLib.nameOf(_vault.split);
    }

    /// @inheritdoc IVaultMoney
    function accounted() external view returns (uint256) {
        return _accounted();
    }

    /// @inheritdoc IVaultMoney
    function unallocated() public view returns (uint256) {
        return FixedPointMathLib.zeroFloorSub(_usdcBalance(), _accounted());
    }

    /// @inheritdoc IVaultMoney
    function today() public view returns (Ledger memory spent, Ledger memory cap, Ledger memory left) {
        Ledger memory credits_ = _vault.credits;
        bool begun = _vault.spent.day == PeriodLib.dayOf(block.timestamp);
        Ledger memory start = begun ? _vault.dayStart : credits_;
        for (uint256 i; i < 3; ++i) {
            PartitionId partition = PartitionId(i);
            uint256 taken = begun ? PeriodLib.load(_vault.spent, partition) : 0;
            uint256 balance = credits_.get(partition);
            (, uint256 dayFloor, uint256 shareBps) = _spendingBounds(partition);
            uint256 most = PeriodLib.dayCapDown(shareBps, dayFloor, start.get(partition), balance + taken);
            spent.set(partition, taken);
            cap.set(partition, most);
            left.set(partition, FixedPointMathLib.min(balance, FixedPointMathLib.zeroFloorSub(most, taken)));
        }
    }

    /// @inheritdoc IVaultMoney
    function tradedToday() external view returns (DayTraded memory traded) {
        traded = _vault.traded;
        uint32 day = uint32(PeriodLib.dayOf(block.timestamp));
        if (traded.day != day) {
            Books memory books_ = _vault.books;
            traded = DayTraded(0, 0, (uint256(books_.capital) + books_.deployed).toUint64(), day, traded.lastAt);
        }
    }

    /// @inheritdoc IVaultMoney
    function listingOf(address subject) external view returns (uint8 uses, address pricedBy) {
        uint256 word = _vault.listed[subject];
        uses = ListingLib.usesIn(word, _vault.epoch);
        if (uses != 0) pricedBy = ListingLib.pricedBy(word);
    }

    /// @inheritdoc IVaultMoney
    function epoch() external view returns (uint256) {
        return _vault.epoch;
    }

    /// @inheritdoc IVaultMoney
    function holdings() external view returns (Holding[] memory) {
        return _vault.holdings;
    }

    /// @inheritdoc IVaultMoney
    function positions() external view returns (Position[] memory) {
        return _vault.positions;
    }

    /// @inheritdoc IVaultMoney
    function worstLoss() external view returns (WorstLoss memory worst) {
        Policy memory policy_ = _policy();
        Books memory books_ = _vault.books;
        worst.spending = _worstSpending(policy_, books_);
        worst.float = policy_.floatCap;
        worst.trading = _worstTrading(policy_, books_);
        worst.dying = FixedPointMathLib.min(policy_.deathBudget, _vault.credits.total() + books_.reserve);
        worst.total = worst.spending + worst.float + worst.trading + worst.dying;
    }

    function _worstSpending(Policy memory policy_, Books memory books_) private view returns (uint256) {
        (Ledger memory spent, Ledger memory cap,) = today();
        // What today may still pay if a rebalance fills each partition up to its floor.
        uint256 left;
        for (uint256 i; i < 3; ++i) {
            uint256 most = FixedPointMathLib.max(cap.get(PartitionId(i)), policy_.dayFloor);
            left += FixedPointMathLib.zeroFloorSub(most, spent.get(PartitionId(i)));
        }
        (, uint256 fromProfit) = _harvestable(books_);
        uint256 all = _vault.credits.spendable() + unallocated() + fromProfit;
        // Tomorrow's caps, whatever moved between the partitions before midnight: the largest share of everything, or
        // the floor of each, and each partition may be at the one or at the other.
        uint256 share =
            FixedPointMathLib.max(policy_.llmDayBps, FixedPointMathLib.max(policy_.gasDayBps, policy_.dataDayBps));
        uint256 tomorrow = FixedPointMathLib.divUp(all * share, BPS) + 3 * uint256(policy_.dayFloor);
        return FixedPointMathLib.min(all, left + tomorrow);
    }

    /// @dev Every trade counts toward the day's volume and none is worse than the slippage; two days, as for the caps. A
    /// death declared by the key adds the sale of everything, which may lose the slippage on all of it once. And what one
    /// minute trades may meet a market that jumped within it.
    function _worstTrading(Policy memory policy_, Books memory books_) private view returns (uint256) {
        uint256 equity = FixedPointMathLib.max(uint256(books_.capital) + books_.deployed, _vault.traded.basis);
        uint256 volume = FixedPointMathLib.divUp(equity * policy_.dayTradeBps, BPS);
        uint256 slipped = FixedPointMathLib.divUp((2 * volume + equity) * policy_.slippageBps, BPS);
        uint256 jumped = FixedPointMathLib.divUp(equity * policy_.tradeBps * JUMP_BPS, BPS * BPS);
        return FixedPointMathLib.min(equity, slipped + jumped);
    }

    /* BIRTH AND THE OWNER'S ACTS, in VaultOwner */

    /// @inheritdoc IVaultOwner
    function initialise(
        uint256 agentId_,
        IBirth.Order calldata order,
        Authorisation calldata authorisation,
        bool ownerSpoke
    ) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function fundCapital(uint256 amount) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function withdrawCapital(uint256 amount) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function rotateKey(address newKey) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function setGuardian(address newGuardian) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function setPolicy(Policy calldata newPolicy) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function setListings(Listing[] calldata listings) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function accept(address newKey, address newGuardian, bool keepLists, bytes32 keepPolicy) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function lock(uint256 until) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function hibernate(uint256 until) external {
        _forward(OWNING);
    }

    /// @inheritdoc IVaultOwner
    function wake() external {
        _forward(OWNING);
    }

    /* TRADING, in VaultTrading */

    /// @inheritdoc IVaultTrading
    function swap(SwapOrder calldata order) external returns (uint256 amountOut) {
        _forward(TRADING);
    }

    /// @inheritdoc IVaultTrading
    function refuel(address pool, uint256 amountIn, uint256 minOut, uint256 deadline_)
        external
        returns (uint256 native)
    {
        _forward(TRADING);
    }

    /// @inheritdoc IVaultTrading
    function prune(address token) external {
        _forward(TRADING);
    }

    /* LIQUIDITY, in VaultLiquidity */

    /// @inheritdoc IVaultLiquidity
    function mintPosition(MintOrder calldata order) external returns (uint256 tokenId) {
        _forward(LIQUIDITY);
    }

    /// @inheritdoc IVaultLiquidity
    function increasePosition(uint256 tokenId, uint256 amount0, uint256 amount1, uint256 min0, uint256 min1) external {
        _forward(LIQUIDITY);
    }

    /// @inheritdoc IVaultLiquidity
    function decreasePosition(uint256 tokenId, uint128 liquidity, uint256 min0, uint256 min1) external {
        _forward(LIQUIDITY);
    }

    /* DEATH, in VaultDeath */

    /// @inheritdoc IVaultDeath
    function kill(string calldata reason) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function killAndRevoke(string calldata reason) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function dieEconomic() external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function dieSenescent(string calldata evidence) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function dieStochastic(uint64 tick, uint64 hazard, uint64 roll, uint256 blockNumber) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function trip(string calldata trigger) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function notice() external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function killSilent() external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function spendDying(address payee, uint256 amount) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function settle(ILineageRegistry.Testament calldata testament, ILineageRegistry.Stain calldata stain) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function finalise() external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function finalisePart(uint256 items) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function claim(address asset) external returns (uint256 amount) {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function claimNft(address collection, uint256 id) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function attachTestament(ILineageRegistry.Testament calldata testament) external {
        _forward(DEATH);
    }

    /// @inheritdoc IVaultDeath
    function spentDying() external view returns (uint256) {
        return _vault.spentDying;
    }

    /// @dev Runs the call as it came in a module of the suite, on this vault's storage, and answers as it answers.
    function _forward(address module) private {
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, 0, calldatasize())
            let ok := delegatecall(gas(), module, free, calldatasize(), 0, 0)
            returndatacopy(free, 0, returndatasize())
            if iszero(ok) { revert(free, returndatasize()) }
            return(free, returndatasize())
        }
    }
}
