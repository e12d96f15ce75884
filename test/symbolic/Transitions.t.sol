// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {VaultDeath} from "contracts/VaultDeath.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Cause, Life, NO_GOLEM, Phase} from "contracts/types/Life.sol";
import {Books, DaySpent, Ledger, PartitionId, Split, USE_PAYEE_ANY} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {Vault} from "contracts/Vault.sol";
import {VaultOwner} from "contracts/VaultOwner.sol";
import {VaultTrading} from "contracts/VaultTrading.sol";

import {ListingLib} from "contracts/libraries/ListingLib.sol";

/// @dev The smallest token that moves what it says.
contract PlainUsdc {
    mapping(address account => uint256) public balanceOf;

    function set(address account, uint256 amount) external {
        balanceOf[account] = amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// @dev Everybody's token is the owner's.
contract PlainIdentity {
    address private immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    function ownerOf(uint256) external view returns (address) {
        return OWNER;
    }
}

/// @dev The real vault, whose books can be put into any state first.
contract OpenVault is Vault {
    constructor(Suite memory suite_) Vault(suite_) {}

    function put(address owner, Ledger memory credits_, Books memory books_, Split split_) external {
        _vault.agentId = 1;
        _vault.boundOwner = owner;
        _vault.credits = credits_;
        _vault.books = books_;
        _vault.split = split_;
    }

    function putDay(DaySpent memory spent, Ledger memory start) external {
        _vault.spent = spent;
        _vault.dayStart = start;
    }

    function putLock(uint48 until) external {
        _vault.everLocked = true;
        _vault.lockedUntil = until;
    }

    function list(address payee) external {
        _vault.listed[payee] = ListingLib.pack(address(0), 0, USE_PAYEE_ANY);
    }
}

/// @title Single transitions of the real contracts, from any books, by anybody
contract TransitionsSymbolicTest is Test {
    address private constant OWNER = address(0xa11ce);
    address private constant KEY = address(0xb0b);
    address private constant PAYEE = address(0xca11);
    uint256 private constant ID = 1;

    PlainUsdc private _usdc;
    LineageRegistry private _lineage;
    OpenVault private _vault;

    function setUp() public {
        vm.warp(1_750_000_000);
        _usdc = new PlainUsdc();
        Suite memory suite;
        suite.identity = address(new PlainIdentity(OWNER));
        suite.usdc = address(_usdc);
        suite.birth = address(this);
        _lineage = new LineageRegistry(suite);
        suite.lineage = address(_lineage);
        suite.owning = address(new VaultOwner(suite));
        suite.trading = address(new VaultTrading(suite));
        suite.death = address(new VaultDeath(suite));
        _vault = new OpenVault(suite);
        _lineage.recordBirth(ID, address(_vault), KEY, OWNER, NO_GOLEM, 0);
        _vault.list(PAYEE);
    }

    /* STATES */

    /// @dev Any books, any split, any surplus that was sent directly.
    function _anyBooks(Ledger memory credits, Books memory books, uint8 split, uint64 surplus) private {
        _vault.put(OWNER, credits, books, Split(split % 3));
        _usdc.set(address(_vault), _vault.accounted() + surplus);
    }

    function _phase(uint8 phase) private {
        vm.prank(KEY);
        _lineage.beat(ID, 1, Phase(phase % 5), 0, 0, 0, "", 0);
    }

    function _dying() private {
        vm.prank(address(_vault));
        _lineage.beginDying(ID, Cause.OwnerKill, OWNER, 0, "");
    }

    function _dead() private {
        _dying();
        ILineageRegistry.Testament memory testament;
        ILineageRegistry.Stain memory stain;
        vm.prank(address(_vault));
        _lineage.recordDeath(ID, OWNER, testament, stain);
    }

    function _life() private view returns (Life life) {
        (, life) = _lineage.vitalOf(ID);
    }

    function _call(address caller, bytes memory data) private returns (bool ok) {
        vm.prank(caller);
        (ok,) = address(_vault).call(data);
    }

    /// @dev V-003 to the unit, and the surplus where it was.
    function _assertConserved() private view {
        assert(_usdc.balanceOf(address(_vault)) == _vault.accounted() + _vault.unallocated());
    }

    /* V-030 AND V-032: EVERY MOVE OF MONEY BY KEY AND OWNER */

    /// @dev A spend takes its amount from its partition, from the balance and from nothing else.
    function check_V030_aSpendTakesExactlyItself(
        Ledger memory credits,
        Books memory books,
        uint64 surplus,
        uint8 partition,
        uint64 amount
    ) public {
        _anyBooks(credits, books, 0, surplus);
        uint256 balance = _usdc.balanceOf(address(_vault));
        uint256 accounted = _vault.accounted();
        bool ok = _call(KEY, abi.encodeCall(_vault.spend, (PartitionId(partition % 4), PAYEE, amount)));
        if (!ok) {
            assert(_vault.accounted() == accounted && _usdc.balanceOf(address(_vault)) == balance);
            return;
        }
        assert(partition % 4 != uint8(PartitionId.Legacy));
        assert(_vault.accounted() == accounted - amount);
        assert(_usdc.balanceOf(address(_vault)) == balance - amount);
        assert(_usdc.balanceOf(PAYEE) == amount);
        assert(_vault.credits().legacy == credits.legacy);
        assert(_vault.books().reserve == books.reserve && _vault.books().capital == books.capital);
    }

    function testFuzz_V030_aSpendTakesExactlyItself(
        Ledger memory credits,
        Books memory books,
        uint64 surplus,
        uint8 partition,
        uint64 amount
    ) public {
        check_V030_aSpendTakesExactlyItself(credits, books, surplus, partition, amount);
    }

    /// @dev V-032: whatever key or owner move inside the vault, the balance stays and the reserve does not fall. That the
    /// books stay whole where money is cut by shares is proved of the library.
    function check_V032_movesWithinKeepTheReserve(
        Ledger memory credits,
        Books memory books,
        uint8 split,
        uint64 surplus,
        uint8 phase,
        uint8 which,
        uint64 amount
    ) public {
        _anyBooks(credits, books, split, surplus);
        _phase(phase);
        uint256 balance = _usdc.balanceOf(address(_vault));
        which %= 8;
        bool ok = _call(which == 1 || which == 4 ? OWNER : KEY, _moving(which, amount));
        assert(_usdc.balanceOf(address(_vault)) == balance);
        assert(_vault.books().reserve == uint256(books.reserve) + (ok && (which == 4 || which == 7) ? amount : 0));
    }

    function testFuzz_V032_movesWithinKeepTheReserve(
        Ledger memory credits,
        Books memory books,
        uint8 split,
        uint64 surplus,
        uint8 phase,
        uint8 which,
        uint64 amount
    ) public {
        check_V032_movesWithinKeepTheReserve(credits, books, split, surplus, phase, which, amount);
        _assertConserved();
        if (which % 8 != 6) assert(_vault.unallocated() == surplus);
    }

    /// @dev V-030: what moves between partitions and into the reserve leaves the sum of the books as it was.
    function check_V030_movesBetweenPartitionsKeepTheSum(
        Ledger memory credits,
        Books memory books,
        bool reserves,
        uint64 amount
    ) public {
        _anyBooks(credits, books, 0, 0);
        uint256 accounted = _vault.accounted();
        // The owner's, because the key's is bounded (V-007).
        _call(reserves ? OWNER : KEY, _moving(reserves ? 4 : 0, amount));
        assert(_vault.accounted() == accounted);
        assert(_vault.unallocated() == 0);
    }

    function testFuzz_V030_movesBetweenPartitionsKeepTheSum(
        Ledger memory credits,
        Books memory books,
        bool reserves,
        uint64 amount
    ) public {
        check_V030_movesBetweenPartitionsKeepTheSum(credits, books, reserves, amount);
    }

    function _moving(uint8 which, uint64 amount) private view returns (bytes memory) {
        if (which == 0) return abi.encodeCall(_vault.rebalance, (PartitionId.Llm, PartitionId.Data, amount));
        if (which == 1) return abi.encodeCall(_vault.resplit, (Split.Birth));
        if (which == 2) return abi.encodeCall(_vault.resplit, (Split.Declining));
        if (which == 3) return abi.encodeCall(_vault.resplit, (Split.Terminal));
        if (which == 4 || which == 7) return abi.encodeCall(_vault.raiseReserve, (PartitionId.Gas, amount));
        if (which == 5) return abi.encodeCall(_vault.harvest, ());
        return abi.encodeCall(_vault.sync, ());
    }

    /// @dev V-016, V-030, V-032: the owner's capital comes and goes beside credits and reserve.
    function check_V032_capitalMovesBesideTheReserve(
        Ledger memory credits,
        Books memory books,
        uint64 surplus,
        bool comes,
        uint64 amount
    ) public {
        _anyBooks(credits, books, 0, surplus);
        _usdc.set(OWNER, amount);
        uint256 unallocated = _vault.unallocated();
        bytes memory data =
            comes ? abi.encodeCall(_vault.fundCapital, (amount)) : abi.encodeCall(_vault.withdrawCapital, (amount));
        bool ok = _call(OWNER, data);
        assert(_vault.books().reserve == books.reserve);
        assert(_vault.unallocated() == unallocated);
        if (ok && comes) assert(_vault.books().capital == uint256(books.capital) + amount);
        if (ok && !comes) assert(_vault.books().capital == books.capital - amount);
        _assertConserved();
    }

    function testFuzz_V032_capitalMovesBesideTheReserve(
        Ledger memory credits,
        Books memory books,
        uint64 surplus,
        bool comes,
        uint64 amount
    ) public {
        check_V032_capitalMovesBesideTheReserve(credits, books, surplus, comes, amount);
    }

    /* V-033: THE DEAD */

    /// @dev After Dead nobody but the owner moves a unit, by any of the calls that pay.
    function check_V033_theDeadPayNobodyElse(address caller, uint64 balance, uint8 which, uint64 amount) public {
        vm.assume(caller != OWNER && caller != address(_vault));
        _deadWith(balance);
        bool ok = _call(caller, _paying(which, amount));
        assert(!ok);
        assert(_usdc.balanceOf(address(_vault)) == balance);
    }

    function testFuzz_V033_theDeadPayNobodyElse(address caller, uint64 balance, uint8 which, uint64 amount) public {
        check_V033_theDeadPayNobodyElse(caller, balance, which, amount);
    }

    /// @dev And the key, while it lives in memory, is such a nobody; the owner gets it all at once.
    function check_V033_theDeadPayTheOwnerEverything(uint64 balance) public {
        vm.assume(balance != 0);
        _deadWith(balance);
        assert(!_call(KEY, _paying(5, 1)));
        assert(_call(OWNER, _paying(5, 1)));
        assert(_usdc.balanceOf(OWNER) == balance);
        assert(_usdc.balanceOf(address(_vault)) == 0);
    }

    function testFuzz_V033_theDeadPayTheOwnerEverything(uint64 balance) public {
        check_V033_theDeadPayTheOwnerEverything(balance == 0 ? 1 : balance);
    }

    function _deadWith(uint64 balance) private {
        Ledger memory credits;
        Books memory books;
        _vault.put(OWNER, credits, books, Split.Birth);
        _dead();
        _usdc.set(address(_vault), balance);
    }

    function _paying(uint8 which, uint64 amount) private view returns (bytes memory) {
        which %= 6;
        if (which == 0) return abi.encodeCall(_vault.spend, (PartitionId.Llm, PAYEE, amount));
        if (which == 1) return abi.encodeCall(_vault.withdrawCapital, (amount));
        if (which == 2) return abi.encodeCall(_vault.spendDying, (PAYEE, amount));
        if (which == 3) return abi.encodeCall(_vault.sync, ());
        if (which == 4) return abi.encodeCall(_vault.topUp, (amount));
        return abi.encodeCall(IVaultDeath.claim, (address(_usdc)));
    }

    /* L-030 AND L-031: THE REGISTRY */

    /// @dev L-031, L-030: in any state, any call by the vault, the key or anybody moves life forward or not at all, and
    /// leaves the row as it was born.
    function check_L031_lifeOnlyMovesForward(uint8 stage, uint8 which, address caller, uint64 number) public {
        if (stage % 3 == 1) _dying();
        if (stage % 3 == 2) _dead();
        Life before = _life();
        bytes32 row = _row(ID);
        vm.prank(caller);
        (bool ok,) = address(_lineage).call(_writing(which, number));
        Life later = _life();
        assert(later >= before && later != Life.Unborn);
        assert(_row(ID) == row);
        if (ok) assert(caller == address(_vault) || caller == KEY || caller == address(this));
        // One step at a time, and only by the vault.
        if (later != before) assert(caller == address(_vault) && uint8(later) == uint8(before) + 1);
    }

    function testFuzz_L031_lifeOnlyMovesForward(uint8 stage, uint8 which, uint8 who, uint64 number) public {
        address caller = who % 4 == 0 ? KEY : who % 4 == 1 ? OWNER : who % 4 == 2 ? address(_vault) : address(this);
        check_L031_lifeOnlyMovesForward(stage, which, caller, number);
    }

    function _writing(uint8 which, uint64 number) private view returns (bytes memory) {
        ILineageRegistry.Testament memory testament;
        testament.hash = bytes32(uint256(number));
        testament.ticksLived = number;
        ILineageRegistry.Stain memory stain;
        which %= 7;
        if (which == 0) return abi.encodeCall(_lineage.beat, (ID, number, Phase.Stable, 1, 0, 0, "", uint8(number)));
        if (which == 1) return abi.encodeCall(_lineage.setKey, (ID, address(uint160(number))));
        if (which == 2) return abi.encodeCall(_lineage.postNotice, (ID, OWNER, number));
        if (which == 3) return abi.encodeCall(_lineage.beginDying, (ID, Cause.Stochastic, OWNER, number, ""));
        if (which == 4) return abi.encodeCall(_lineage.recordDeath, (ID, OWNER, testament, stain));
        if (which == 5) return abi.encodeCall(_lineage.attachTestament, (ID, testament));
        return abi.encodeCall(_lineage.recordBirth, (ID, address(_vault), KEY, OWNER, NO_GOLEM, 0));
    }

    /// @dev The first slot of the registry's first mapping: vault, lineage, generation, birth.
    function _row(uint256 id) private view returns (bytes32) {
        return vm.load(address(_lineage), keccak256(abi.encode(id, uint256(0))));
    }

    /// @dev L-030, L-021: a successor is one generation on in the same lineage; a living predecessor has none, and a dead
    /// one never a second.
    function check_L030_aSuccessorIsOneOnInTheSameLine(uint32 heir, uint32 second, uint8 stage, bytes32 digest) public {
        vm.assume(heir != ID && second != ID && second != heir);
        vm.assume(heir < type(uint32).max && second < type(uint32).max);
        if (stage % 3 == 1) _dying();
        if (stage % 3 == 2) _dead();
        bytes32 row = _row(ID);
        try _lineage.recordBirth(heir, address(0x5), KEY, OWNER, ID, digest) returns (
            uint256 line, uint256 generation
        ) {
            assert(stage % 3 == 2);
            assert(digest != 0);
            assert(line == ID && generation == 1);
            assert(_lineage.successorOf(ID) == heir);
        } catch {
            assert(stage % 3 != 2 || digest == 0);
            assert(_lineage.successorOf(ID) == NO_GOLEM);
            return;
        }
        assert(_row(ID) == row);
        try _lineage.recordBirth(second, address(0x6), KEY, OWNER, ID, digest) {
            assert(false);
        } catch {}
        assert(_lineage.successorOf(ID) == heir);
    }

    function testFuzz_L030_aSuccessorIsOneOnInTheSameLine(uint16 heir, uint16 second, uint8 stage, bytes32 digest)
        public
    {
        check_L030_aSuccessorIsOneOnInTheSameLine(uint32(heir) + 2, uint32(second) + 70_000, stage, digest);
    }

    function _tryBeat(uint256 tick) private returns (bool ok) {
        vm.prank(KEY);
        (ok,) = address(_lineage).call(abi.encodeCall(_lineage.beat, (ID, uint64(tick), Phase.Stable, 1, 0, 0, "", 0)));
    }

    /// @dev L-032: whatever tick is beaten, the one that stands is greater than the one before, or nothing changed; and it
    /// is no further than a tick for each second that passed and one more.
    function check_L032_ticksStrictlyIncrease(uint64 first, uint64 second, uint32 before, uint32 between) public {
        vm.warp(block.timestamp + before);
        bool ok = _tryBeat(first);
        uint256 stood = _lineage.pulseOf(ID).tick;
        assert(stood == (ok ? first : 0));
        assert(ok == (first > 0 && first <= uint256(before) + 1));
        // Time runs from the last beat, or from the birth when there was none.
        uint256 since = ok ? between : uint256(before) + between;
        vm.warp(block.timestamp + between);
        ok = _tryBeat(second);
        uint256 stands = _lineage.pulseOf(ID).tick;
        assert(stands == (ok ? second : stood));
        assert(ok == (second > stood && second <= stood + since + 1));
    }

    function testFuzz_L032_ticksStrictlyIncrease(uint64 first, uint64 second, uint32 before, uint32 between) public {
        check_L032_ticksStrictlyIncrease(first, second, before, between);
    }

    function testFuzz_L032_ticksNearTheEdge(uint8 first, uint8 second, uint8 before, uint8 between) public {
        check_L032_ticksStrictlyIncrease(first, second, before, between);
    }

    /// @dev L-032: no beat, however it lies, leaves the next key less than a tick a second from then on.
    function check_L032_noBeatLeavesLessThanATickASecond(uint64 lie, uint32 before, uint32 wait, uint32 count) public {
        vm.assume(count > 0 && count <= wait);
        vm.warp(block.timestamp + before);
        _tryBeat(lie);
        uint256 stood = _lineage.pulseOf(ID).tick;
        vm.warp(block.timestamp + wait);
        assert(_tryBeat(stood + count));
        assert(_lineage.pulseOf(ID).tick == stood + count);
    }

    function testFuzz_L032_noBeatLeavesLessThanATickASecond(uint64 lie, uint32 before, uint32 wait, uint32 count)
        public
    {
        wait = wait == 0 ? 1 : wait;
        check_L032_noBeatLeavesLessThanATickASecond(lie, before, wait, count % wait + 1);
    }

    /* L-006: A VAULT THAT NOBODY HAS SPOKEN FOR */

    /// @dev Bound to nobody, or to another than owns the token now: the key moves no unit by any call that pays or trades,
    /// alive or dying, whoever it names as payee and whatever is listed.
    function check_L006_anUnboundVaultPaysNoKey(
        address bound,
        Ledger memory credits,
        Books memory books,
        bool dying,
        uint8 which,
        uint64 amount
    ) public {
        vm.assume(bound != OWNER);
        _anyBooks(credits, books, 0, 0);
        _vault.put(bound, credits, books, Split.Birth);
        if (dying) _dying();
        uint256 balance = _usdc.balanceOf(address(_vault));
        bool ok = _call(KEY, _byKey(which, amount));
        assert(!ok);
        assert(_usdc.balanceOf(address(_vault)) == balance);
        assert(_usdc.balanceOf(KEY) == 0 && _usdc.balanceOf(PAYEE) == 0);
    }

    function testFuzz_L006_anUnboundVaultPaysNoKey(
        bool sold,
        Ledger memory credits,
        Books memory books,
        bool dying,
        uint8 which,
        uint64 amount
    ) public {
        check_L006_anUnboundVaultPaysNoKey(sold ? PAYEE : address(0), credits, books, dying, which, amount);
    }

    /// @dev Everything a key may do but beat and settle, in the form that reaches the money soonest.
    function _byKey(uint8 which, uint64 amount) private view returns (bytes memory) {
        which %= 10;
        if (which == 0) return abi.encodeCall(_vault.spend, (PartitionId.Llm, PAYEE, amount));
        if (which == 1) return abi.encodeCall(_vault.spend, (PartitionId.Data, KEY, amount));
        if (which == 2) return abi.encodeCall(_vault.spendDying, (PAYEE, amount));
        if (which == 3) return abi.encodeCall(_vault.harvest, ());
        if (which == 4) return abi.encodeCall(_vault.refuel, (PAYEE, amount, 0, block.timestamp));
        if (which == 5) return abi.encodeCall(_vault.swap, (_order(amount)));
        if (which == 6) return abi.encodeCall(_vault.rebalance, (PartitionId.Llm, PartitionId.Gas, amount));
        if (which == 7) return abi.encodeCall(_vault.raiseReserve, (PartitionId.Llm, amount));
        if (which == 8) return abi.encodeCall(_vault.dieSenescent, (""));
        return abi.encodeCall(_vault.withdrawCapital, (amount));
    }

    function _order(uint64 amount) private view returns (IVaultTrading.SwapOrder memory) {
        return IVaultTrading.SwapOrder(PAYEE, address(_usdc), PAYEE, amount, 0, block.timestamp);
    }

    /* V-018: A LOCKED VAULT */

    /// @dev While the lock stands no call by anybody brings the owner a unit, alive, dying or dead; and no call by him
    /// shortens it.
    function check_V018_aLockedVaultPaysNoOwner(
        Ledger memory credits,
        Books memory books,
        uint8 stage,
        uint8 which,
        bool byOwner,
        uint64 amount,
        uint32 left
    ) public {
        vm.assume(left > 0);
        uint256 until = block.timestamp + left;
        _anyBooks(credits, books, 0, 0);
        _vault.putLock(uint48(until));
        if (stage % 3 == 1) _dying();
        if (stage % 3 == 2) _dead();
        _call(byOwner ? OWNER : KEY, _toOwner(which, amount));
        assert(_usdc.balanceOf(OWNER) == 0);
        assert(_vault.lockedUntil() >= until);
    }

    function testFuzz_V018_aLockedVaultPaysNoOwner(
        Ledger memory credits,
        Books memory books,
        uint8 stage,
        uint8 which,
        bool byOwner,
        uint64 amount,
        uint32 left
    ) public {
        check_V018_aLockedVaultPaysNoOwner(credits, books, stage, which, byOwner, amount, left == 0 ? 1 : left);
    }

    /// @dev And in the second it ends the same calls pay, of the living, the dying and the dead: the lock, and nothing else,
    /// held them.
    function check_V018_anEndedLockPays(uint64 balance, uint64 amount, uint8 stage) public {
        vm.assume(amount > 0 && amount <= balance);
        Ledger memory credits;
        Books memory books = Books(0, balance, balance, 0);
        _anyBooks(credits, books, 0, 0);
        _vault.putLock(uint48(block.timestamp));
        stage %= 3;
        if (stage == 1) _dying();
        if (stage == 2) _dead();
        bool ok = _call(OWNER, _toOwner(stage == 0 ? 0 : stage == 1 ? 3 : 1, amount));
        // With too little gas a finalise does nothing at all (T-006), and to the prover gas is any number.
        if (!ok) assert(stage == 1 && _usdc.balanceOf(OWNER) == 0);
        else assert(_usdc.balanceOf(OWNER) == (stage == 0 ? amount : balance));
    }

    function testFuzz_V018_anEndedLockPays(uint64 balance, uint64 amount, uint8 stage) public {
        balance = balance == 0 ? 1 : balance;
        check_V018_anEndedLockPays(balance, amount % balance + (amount % balance == 0 ? 1 : 0), stage);
        assert(_usdc.balanceOf(OWNER) != 0);
    }

    function _toOwner(uint8 which, uint64 amount) private view returns (bytes memory) {
        ILineageRegistry.Testament memory testament;
        ILineageRegistry.Stain memory stain;
        which %= 7;
        if (which == 0) return abi.encodeCall(_vault.withdrawCapital, (amount));
        if (which == 1) return abi.encodeCall(IVaultDeath.claim, (address(_usdc)));
        if (which == 2) return abi.encodeCall(IVaultDeath.settle, (testament, stain));
        if (which == 3) return abi.encodeCall(IVaultDeath.finalise, ());
        if (which == 4) return abi.encodeCall(IVaultDeath.finalisePart, (amount));
        if (which == 5) return abi.encodeCall(_vault.lock, (block.timestamp + amount));
        return abi.encodeCall(_vault.kill, (""));
    }
}
