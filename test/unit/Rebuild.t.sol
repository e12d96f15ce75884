// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Test.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {NameLib} from "contracts/libraries/NameLib.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {PeriodLib} from "contracts/libraries/PeriodLib.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {Cause, Life, NO_GOLEM, Phase} from "contracts/types/Life.sol";
import {
    Books,
    DayTraded,
    Holding,
    Ledger,
    PartitionId,
    Policy,
    Position,
    Split,
    USE_PAYEE_ANY
} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title An indexer that has nothing but logs (with the time of their block) and knows everything (L-022, L-024)
abstract contract Indexer is UnitTest {
    using PartitionLib for Ledger;

    struct Row {
        uint256 lineage;
        uint256 generation;
        uint256 predecessor;
        uint256 successor;
        uint256 born;
        uint256 died;
        uint256 deadline;
        uint256 ticks;
        uint256 vitality;
        uint256 lastBeat;
        uint256 noticedAt;
        Life life;
        Phase phase;
        Cause cause;
        bytes32 testament;
        bytes32 genome;
        bytes32 digest;
        address vault;
        address key;
    }

    struct Till {
        uint256 agentId;
        address boundOwner;
        address guardian;
        uint256 epoch;
        uint256 hibernatedUntil;
        uint256 spentDying;
        Split split;
        Policy policy;
        Ledger credits;
        Books books;
        uint256 day;
        Ledger dayStart;
        Ledger spent;
        DayTraded traded;
        Holding[] holdings;
        Position[] positions;
    }

    struct Line {
        uint8 uses;
        address pricedBy;
    }

    uint256[] internal ids;
    mapping(uint256 id => Row) internal rows;
    mapping(address vault => Till) internal tills;
    mapping(address vault => mapping(uint256 epoch => mapping(address => Line))) internal lines;
    mapping(uint256 id => address) internal owners;
    mapping(uint256 id => address) internal wallets;
    mapping(uint256 id => string) internal uris;
    mapping(bytes32 => ISuccession.Standing) internal standings;
    address[] internal subjects;
    bytes32[] internal mandates;

    /// @dev Reads what was logged since the last call; all of it happened in this block's time.
    function _absorb() internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter == suite.identity) _onIdentity(logs[i]);
            else if (logs[i].emitter == suite.lineage) _onLineage(logs[i]);
            else if (logs[i].emitter == suite.succession) _onSuccession(logs[i]);
            else if (_isVault(logs[i].emitter)) _onVault(logs[i], tills[logs[i].emitter]);
        }
    }

    /// @dev A vault is what a `Born` has named; it stands before the vault's own first log.
    function _isVault(address emitter) private view returns (bool) {
        for (uint256 i; i < ids.length; ++i) {
            if (rows[ids[i]].vault == emitter) return true;
        }
        return false;
    }

    function _uint(bytes32 topic) private pure returns (uint256) {
        return uint256(topic);
    }

    function _address(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }

    /* IDENTITY */

    function _onIdentity(Vm.Log memory log) private {
        bytes32 what = log.topics[0];
        if (what == keccak256("Transfer(address,address,uint256)")) {
            owners[_uint(log.topics[3])] = _address(log.topics[2]);
        } else if (what == IIdentityRegistry.Registered.selector) {
            uris[_uint(log.topics[1])] = abi.decode(log.data, (string));
        } else if (what == IIdentityRegistry.URIUpdated.selector) {
            uris[_uint(log.topics[1])] = abi.decode(log.data, (string));
        } else if (what == IIdentityRegistry.MetadataSet.selector) {
            (string memory key, bytes memory value) = abi.decode(log.data, (string, bytes));
            if (keccak256(bytes(key)) == keccak256("agentWallet")) {
                wallets[_uint(log.topics[1])] = value.length == 0 ? address(0) : address(bytes20(value));
            }
        }
    }

    /* LINEAGE */

    function _onLineage(Vm.Log memory log) private {
        bytes32 what = log.topics[0];
        uint256 id = _uint(log.topics[1]);
        Row storage row = rows[id];
        if (what == ILineageRegistry.Born.selector) {
            ids.push(id);
            (row.generation, row.predecessor, row.vault, row.key, row.digest) =
                abi.decode(log.data, (uint256, uint256, address, address, bytes32));
            row.lineage = _uint(log.topics[2]);
            row.successor = NO_GOLEM;
            row.born = block.timestamp;
            row.lastBeat = block.timestamp;
            row.vitality = 1_000_000;
            row.life = Life.Alive;
            if (row.predecessor != NO_GOLEM) rows[row.predecessor].successor = id;
        } else if (what == ILineageRegistry.Beaten.selector) {
            (row.ticks, row.phase, row.vitality,,,) =
                abi.decode(log.data, (uint256, Phase, uint256, bytes32, uint256, bytes));
            row.lastBeat = block.timestamp;
            row.noticedAt = 0;
        } else if (what == ILineageRegistry.KeyRotated.selector) {
            (, row.key) = abi.decode(log.data, (address, address));
        } else if (what == ILineageRegistry.NoticePosted.selector) {
            row.noticedAt = block.timestamp;
        } else if (what == ILineageRegistry.DyingBegan.selector) {
            (row.deadline,) = abi.decode(log.data, (uint256, string));
            row.life = Life.Dying;
            row.cause = Cause(_uint(log.topics[2]));
        } else if (what == ILineageRegistry.TestamentRecorded.selector) {
            row.testament = log.topics[2];
            bytes32 digest;
            (, row.genome, digest,) = abi.decode(log.data, (string, bytes32, bytes32, bool));
            if (digest != 0) row.digest = digest;
        } else if (what == ILineageRegistry.Died.selector) {
            (, row.ticks,) = abi.decode(log.data, (uint256, uint256, bytes32));
            row.life = Life.Dead;
            row.died = block.timestamp;
            row.noticedAt = 0;
        }
    }

    /* MANDATES */

    function _onSuccession(Vm.Log memory log) private {
        bytes32 what = log.topics[0];
        ISuccession.Standing storage standing = standings[log.topics[1]];
        if (what == ISuccession.Committed.selector) {
            mandates.push(log.topics[1]);
            standing.committer = _address(log.topics[2]);
        } else if (what == ISuccession.EscrowAdded.selector || what == ISuccession.EscrowWithdrawn.selector) {
            (, uint256 escrow) = abi.decode(log.data, (uint256, uint256));
            standing.escrow = uint64(escrow);
        } else if (what == ISuccession.Succeeded.selector) {
            (, uint256 escrow) = abi.decode(log.data, (address, uint256));
            standing.escrow = uint64(escrow);
            standing.born += 1;
            standing.lastBirthAt = uint48(block.timestamp);
        }
    }

    /* VAULTS */

    function _onVault(Vm.Log memory log, Till storage till) private {
        bool known = _onCredits(log, till) || _onCapital(log, till) || _onRoles(log, till) || _onDeath(log, till);
        assertTrue(known, "every event of a vault has a reader");
    }

    function _beginDay(Till storage till) private {
        uint256 day = block.timestamp / 1 days;
        if (till.day == day) return;
        till.day = day;
        till.dayStart = till.credits;
        till.spent = Ledger(0, 0, 0, 0);
    }

    function _move(Till storage till, PartitionId partition, int256 by) private {
        till.credits.store(partition, uint256(int256(till.credits.load(partition)) + by));
    }

    function _onCredits(Vm.Log memory log, Till storage till) private returns (bool) {
        bytes32 what = log.topics[0];
        if (what == IVaultMoney.ToppedUp.selector) {
            _beginDay(till);
            (uint256 amount, Split split) = abi.decode(log.data, (uint256, Split));
            Ledger memory credits = till.credits;
            till.credits = credits.add(amount, split);
        } else if (what == IVaultMoney.Spent.selector) {
            _beginDay(till);
            PartitionId partition = PartitionId(_uint(log.topics[1]));
            (uint256 amount,) = abi.decode(log.data, (uint256, uint256));
            _move(till, partition, -int256(amount));
            till.spent.store(partition, till.spent.load(partition) + amount);
        } else if (what == IVaultMoney.Rebalanced.selector) {
            _beginDay(till);
            int256 amount = int256(abi.decode(log.data, (uint256)));
            _move(till, PartitionId(_uint(log.topics[1])), -amount);
            _move(till, PartitionId(_uint(log.topics[2])), amount);
        } else if (what == IVaultMoney.Resplit.selector) {
            _beginDay(till);
            till.split = Split(_uint(log.topics[1]));
            till.credits = abi.decode(log.data, (Ledger));
        } else if (what == IVaultMoney.ReserveRaised.selector) {
            _beginDay(till);
            (uint256 amount, uint256 reserve) = abi.decode(log.data, (uint256, uint256));
            _move(till, PartitionId(_uint(log.topics[1])), -int256(amount));
            till.books.reserve = uint64(reserve);
        } else if (what == IVaultMoney.Harvested.selector) {
            _beginDay(till);
            (, uint256 toCredits, uint256 mark, Split split) = abi.decode(log.data, (uint256, uint256, uint256, Split));
            Ledger memory credits = till.credits;
            till.credits = credits.add(toCredits, split);
            till.books.capital -= uint64(toCredits);
            till.books.highWater = uint64(mark);
        } else if (what == IVaultTrading.Refuelled.selector) {
            _beginDay(till);
            (uint256 amount,,) = abi.decode(log.data, (uint256, uint256, uint256));
            _move(till, PartitionId.Gas, -int256(amount));
            till.spent.gas += uint64(amount);
        } else {
            return false;
        }
        return true;
    }

    function _countTrade(Till storage till, uint256 value, uint256 loss) private {
        if (rows[till.agentId].life != Life.Alive) return;
        uint64 day = uint64(block.timestamp / 1 days);
        if (till.traded.day != day) {
            till.traded = DayTraded(0, 0, till.books.capital + till.books.deployed, day);
        }
        till.traded.volume += uint64(value);
        till.traded.loss += uint64(loss);
    }

    function _onCapital(Vm.Log memory log, Till storage till) private returns (bool) {
        bytes32 what = log.topics[0];
        uint256 capital;
        uint256 deployed;
        if (what == IVaultOwner.CapitalFunded.selector) {
            (capital, deployed) = abi.decode(log.data, (uint256, uint256));
            till.books.capital += uint64(capital);
            till.books.highWater = uint64(deployed);
            return true;
        } else if (what == IVaultOwner.CapitalWithdrawn.selector) {
            (capital, deployed) = abi.decode(log.data, (uint256, uint256));
            till.books.capital -= uint64(capital);
            till.books.highWater = uint64(deployed);
            till.traded.basis = uint64(FixedPointMathLib.zeroFloorSub(till.traded.basis, capital));
            return true;
        } else if (what == IVaultTrading.Swapped.selector) {
            uint256 valueIn;
            uint256 valueOut;
            (,, valueIn, valueOut, capital, deployed) =
                abi.decode(log.data, (uint256, uint256, uint256, uint256, uint256, uint256));
            _countTrade(till, valueIn, FixedPointMathLib.zeroFloorSub(valueIn, valueOut));
        } else if (what == IVaultLiquidity.LiquidityAdded.selector) {
            uint256 value;
            uint256 loss;
            (,, value, loss, capital, deployed) =
                abi.decode(log.data, (uint256, uint256, uint256, uint256, uint256, uint256));
            _countTrade(till, value, loss);
        } else if (what == IVaultLiquidity.LiquidityRemoved.selector) {
            bool closed;
            (,,, closed, capital, deployed) = abi.decode(log.data, (uint128, uint256, uint256, bool, uint256, uint256));
            if (closed) _removePosition(till, _uint(log.topics[1]));
        } else if (what == IVaultTrading.Booked.selector) {
            (uint256 book, uint256 tied) = abi.decode(log.data, (uint256, uint256));
            if (log.topics[1] == 0) _bookPosition(till, _uint(log.topics[2]), book);
            else _bookHolding(till, _address(log.topics[1]), book, tied);
            return true;
        } else if (what == IVaultTrading.Pruned.selector) {
            uint256 i = _findHolding(till, _address(log.topics[1]));
            till.holdings[i] = till.holdings[till.holdings.length - 1];
            till.holdings.pop();
            return true;
        } else {
            return false;
        }
        till.books.capital = uint64(capital);
        till.books.deployed = uint64(deployed);
        return true;
    }

    function _findHolding(Till storage till, address token) private view returns (uint256 i) {
        while (i < till.holdings.length && till.holdings[i].token != token) ++i;
    }

    function _bookHolding(Till storage till, address token, uint256 book, uint256 tied) private {
        uint256 i = _findHolding(till, token);
        if (i == till.holdings.length) till.holdings.push();
        till.holdings[i] = Holding(token, uint64(book), uint8(tied));
    }

    function _bookPosition(Till storage till, uint256 tokenId, uint256 book) private {
        uint256 i;
        while (i < till.positions.length && till.positions[i].tokenId != tokenId) ++i;
        if (i == till.positions.length) till.positions.push();
        till.positions[i] = Position(uint128(tokenId), uint64(book));
    }

    function _removePosition(Till storage till, uint256 tokenId) private {
        uint256 i;
        while (till.positions[i].tokenId != tokenId) ++i;
        till.positions[i] = till.positions[till.positions.length - 1];
        till.positions.pop();
    }

    function _onRoles(Vm.Log memory log, Till storage till) private returns (bool) {
        bytes32 what = log.topics[0];
        if (what == IVaultOwner.Initialised.selector) {
            till.agentId = _uint(log.topics[1]);
            till.boundOwner = _address(log.topics[2]);
            till.policy = PolicyLib.template();
            uint256 credits;
            uint256 reserve;
            uint256 capital;
            (till.guardian, credits, reserve, capital,) =
                abi.decode(log.data, (address, uint256, uint256, uint256, bool));
            till.credits = PartitionLib.cut(credits - reserve, Split.Birth);
            till.books = Books(uint64(reserve), uint64(capital), uint64(capital), 0);
        } else if (what == IVaultOwner.PolicySet.selector) {
            till.policy = abi.decode(log.data, (Policy));
        } else if (what == IVaultOwner.ListingSet.selector) {
            (uint8 uses, address pricedBy) = abi.decode(log.data, (uint8, address));
            address subject = _address(log.topics[1]);
            lines[log.emitter][till.epoch][subject] = Line(uses, uses == 0 ? address(0) : pricedBy);
            subjects.push(subject);
        } else if (what == IVaultOwner.GuardianSet.selector) {
            till.guardian = abi.decode(log.data, (address));
        } else if (what == IVaultOwner.Accepted.selector) {
            till.boundOwner = _address(log.topics[1]);
            (till.guardian, till.epoch) = abi.decode(log.data, (address, uint256));
        } else if (what == IVaultOwner.HibernationBegan.selector) {
            till.hibernatedUntil = abi.decode(log.data, (uint256));
        } else if (what == IVaultOwner.Woken.selector) {
            till.hibernatedUntil = FixedPointMathLib.min(till.hibernatedUntil, block.timestamp);
        } else {
            return false;
        }
        return true;
    }

    function _onDeath(Vm.Log memory log, Till storage till) private returns (bool) {
        bytes32 what = log.topics[0];
        if (what == IVaultDeath.SpentDying.selector) {
            uint256 fromLegacy;
            uint256 fromReserve;
            (fromLegacy, fromReserve, till.spentDying) = abi.decode(log.data, (uint256, uint256, uint256));
            till.credits.legacy -= uint64(fromLegacy);
            till.books.reserve -= uint64(fromReserve);
        } else if (what == IVaultDeath.BooksClosed.selector) {
            till.credits = Ledger(0, 0, 0, 0);
            till.books = Books(0, 0, 0, 0);
        } else if (what == IVaultDeath.Swept.selector || what == IVaultDeath.Stranded.selector) {
            address asset = _address(log.topics[1]);
            if (asset == address(manager)) till.positions.pop();
            else if (asset != address(usdc)) till.holdings.pop();
        } else {
            return what == IVaultDeath.RollRecorded.selector || what == IVaultDeath.SweepPaused.selector
                || what == IVaultDeath.Claimed.selector;
        }
        return true;
    }

    /* COMPARING */

    function _compare() internal {
        _absorb();
        for (uint256 i; i < ids.length; ++i) {
            _compareRow(ids[i]);
            _compareTill(IVault(rows[ids[i]].vault));
            assertEq(identity.ownerOf(ids[i]), owners[ids[i]], "owner");
            assertEq(identity.getAgentWallet(ids[i]), wallets[ids[i]], "wallet");
            assertEq(identity.tokenURI(ids[i]), uris[ids[i]], "file");
        }
        for (uint256 i; i < mandates.length; ++i) {
            assertEq(
                keccak256(abi.encode(succession.standingOf(mandates[i]))),
                keccak256(abi.encode(standings[mandates[i]])),
                "mandate"
            );
        }
    }

    function _compareRow(uint256 id) private view {
        Row storage row = rows[id];
        ILineageRegistry.GolemView memory g;
        g.life = NameLib.nameOf(row.life);
        g.phase = NameLib.nameOf(row.phase);
        g.cause = NameLib.nameOf(row.cause);
        g.agentId = id;
        g.lineage = row.lineage;
        g.generation = row.generation;
        g.predecessor = row.predecessor;
        g.successor = row.successor;
        g.born = row.born;
        g.died = row.died;
        g.dyingDeadline = row.deadline;
        g.ticks = row.ticks;
        g.vitalityPpm = row.vitality;
        g.lastBeat = row.lastBeat;
        g.noticedAt = row.noticedAt;
        g.testamentHash = row.testament;
        g.genomeRoot = row.genome;
        g.playbookDigest = row.digest;
        g.vault = row.vault;
        g.key = row.key;
        assertEq(abi.encode(lineage.golem(id)), abi.encode(g), "row");
    }

    function _compareTill(IVault which) private view {
        Till storage till = tills[address(which)];
        assertEq(abi.encode(which.credits()), abi.encode(till.credits), "partitions");
        assertEq(abi.encode(which.books()), abi.encode(till.books), "books");
        assertEq(abi.encode(which.policy()), abi.encode(till.policy), "policy");
        assertEq(abi.encode(which.holdings()), abi.encode(till.holdings), "holdings");
        assertEq(abi.encode(which.positions()), abi.encode(till.positions), "positions");
        assertEq(which.agentId(), till.agentId, "agent id");
        assertEq(uint8(which.split()), uint8(till.split), "split");
        assertEq(which.boundOwner(), till.boundOwner, "bound owner");
        assertEq(which.guardian(), till.guardian, "guardian");
        assertEq(which.epoch(), till.epoch, "epoch");
        assertEq(which.hibernatedUntil(), till.hibernatedUntil, "sleep");
        assertEq(which.spentDying(), till.spentDying, "spent in dying");
        for (uint256 i; i < subjects.length; ++i) {
            Line memory line = lines[address(which)][till.epoch][subjects[i]];
            (uint8 uses, address pricedBy) = which.listingOf(subjects[i]);
            assertEq(uses, line.uses, "uses");
            assertEq(pricedBy, line.pricedBy, "priced by");
        }
        _compareDay(which, till);
    }

    function _compareDay(IVault which, Till storage till) private view {
        bool begun = till.day == block.timestamp / 1 days;
        (Ledger memory spent, Ledger memory cap,) = which.today();
        Ledger memory none;
        assertEq(abi.encode(spent), abi.encode(begun ? till.spent : none), "spent today");
        uint64 start = begun ? till.dayStart.llm : till.credits.llm;
        uint64 untouched = till.credits.llm + spent.llm;
        assertEq(
            cap.llm, PeriodLib.dayCapDown(till.policy.llmDayBps, till.policy.dayFloor, start, untouched), "cap today"
        );
        if (till.traded.day == block.timestamp / 1 days) {
            assertEq(abi.encode(which.tradedToday()), abi.encode(till.traded), "traded today");
        }
    }
}

/// @title A busy history over two Golems and a successor, rebuilt from logs alone (L-024)
contract RebuildTest is Indexer {
    IVault private first;
    uint256 private firstId;

    function setUp() public override {
        super.setUp();
    }

    function _record() private {
        // The stage's own Golem was born before anyone listened; the history begins with new ones.
        vm.recordLogs();
    }

    function _born(uint256 nonce, bool ownPolicy) private {
        IBirth.Order memory order = _order();
        order.nonce = nonce;
        order.listings = _lists();
        order.guardian = GUARDIAN;
        order.agentURI = "";
        if (ownPolicy) {
            order.policy = new Policy[](1);
            order.policy[0] = _template();
            order.policy[0].tradeBps = 10_000;
            order.policy[0].dayTradeBps = 50_000;
            order.policy[0].dayLossBps = 5_000;
        }
        _giveBirth(order);
        vm.prank(OWNER);
        usdc.approve(address(vault), type(uint256).max);
        _compare();
    }

    function _liveCredits() private {
        _beat(10, Phase.Stable);
        vm.prank(OWNER);
        vault.topUp(20_000_003);
        usdc.mint(address(vault), 7e6);
        vault.sync();
        vm.startPrank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 3e6);
        vault.spend(PartitionId.Data, KEY, 1e6);
        vault.rebalance(PartitionId.Llm, PartitionId.Gas, 5e6);
        vault.refuel(address(pool), 2e6, 0, block.timestamp);
        vault.raiseReserve(PartitionId.Data, 1e6);
        vm.stopPrank();
        _compare();
        _pass(26 hours);
        vm.prank(KEY);
        vault.spend(PartitionId.Gas, PAYEE, 1e6);
        _compare();
    }

    function _liveTrading() private {
        _buy(100e6);
        uint256 id = _mint(0.005 ether, 15e6);
        bool wethFirst = address(weth) < address(usdc);
        vm.prank(KEY);
        vault.increasePosition(id, wethFirst ? 0.001 ether : 3e6, wethFirst ? 3e6 : 0.001 ether, 0, 0);
        _mint(0.005 ether, 15e6);
        _compare();
        uint128 liquidity = _liquidityOf(id);
        vm.startPrank(KEY);
        vault.decreasePosition(id, liquidity / 2, 0, 0);
        vault.decreasePosition(id, liquidity - liquidity / 2, 0, 0);
        vm.stopPrank();
        _compare();
        vm.startPrank(OWNER);
        vault.fundCapital(11e6);
        vault.withdrawCapital(100e6);
        vm.stopPrank();
        _compare();
    }

    function _liveRoles() private {
        address fresh = makeAddr("FRESH");
        vm.startPrank(OWNER);
        vault.setPolicy(_template());
        vault.setGuardian(fresh);
        vault.hibernate(block.timestamp + 10 days);
        vm.stopPrank();
        _list(STRANGER, 1, address(0));
        _compare();
        _pass(1 days);
        vm.prank(OWNER);
        vault.wake();
        _list(PAYEE, 0, address(0));
        _compare();
        vm.prank(OWNER);
        vault.rotateKey(fresh);
        _compare();
        vm.prank(OWNER);
        vault.rotateKey(KEY);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        _compare();
        vm.startPrank(BUYER);
        vault.accept(address(0), GUARDIAN, false, 0);
        vault.setListings(_lists());
        vm.stopPrank();
        _compare();
        vm.prank(BUYER);
        identity.transferFrom(BUYER, OWNER, golem);
        vm.prank(OWNER);
        vault.accept(KEY, GUARDIAN, true, 0);
        _compare();
    }

    function test_rebuild_everythingFromLogsAlone() public {
        _record();
        _born(1, false);
        (first, firstId) = (vault, golem);
        _born(2, true);
        (uint256 secondId, IVault second) = (golem, vault);

        (golem, vault) = (firstId, first);
        _liveCredits();
        _liveTrading();
        _liveRoles();

        // The second earns, harvests, prunes, goes silent and is finalised in parts.
        (golem, vault) = (secondId, second);
        _buy(500e6);
        _mint(0.001 ether, 3e6);
        swapAsTrader(pool, address(usdc), 60_000e6);
        _pass(2 hours);
        uint256 held = weth.balanceOf(address(vault));
        _swap(address(weth), address(usdc), held);
        _compare();
        vm.prank(OWNER);
        vault.harvest();
        _beat(50, Phase.Declining);
        vm.prank(KEY);
        vault.resplit(Split.Declining);
        _compare();
        vm.warp(block.timestamp + 7 days + 1);
        vault.notice();
        _compare();
        vm.warp(block.timestamp + 1 days);
        vault.killSilent();
        _compare();
        vm.prank(KEY);
        vault.spendDying(PAYEE, 0.7e6);
        _compare();
        _pass(1 hours);
        vault.finalisePart(0);
        _compare();
        vault.finalisePart(1);
        _compare();
        vault.finalise();
        _compare();
        vm.prank(OWNER);
        vault.attachTestament(_testament());
        vm.deal(address(vault), 1);
        vm.prank(OWNER);
        vault.claim(address(0));
        _compare();

        // The first dies by its own word and is succeeded by mandate.
        (golem, vault) = (firstId, first);
        _beat(2_500, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        vm.prank(KEY);
        vault.dieSenescent("");
        vm.prank(KEY);
        vault.spendDying(PAYEE, 0.4e6);
        _compare();
        _settle();
        _compare();
        _succeed();
        assertEq(ids.length, 3);
        assertEq(rows[firstId].successor, ids[2]);
        assertGt(rows[secondId].died, 0);
    }

    function _succeed() private {
        vm.startPrank(OWNER);
        usdc.approve(address(succession), type(uint256).max);
        ISuccession.Mandate memory mandate;
        mandate.lineage = golem;
        mandate.budget = 20e6;
        mandate.successors = 1;
        mandate.expiry = block.timestamp + 1 days;
        mandate.executor = EXECUTOR;
        mandate.policyHash = PolicyLib.TEMPLATE;
        ISuccession.Succeeding memory s;
        mandate.listsHash = keccak256(abi.encode(s.listings));
        mandate.keys = new address[](1);
        mandate.keys[0] = makeAddr("HEIR");
        bytes32 id = succession.commit(mandate, 10e6);
        succession.addEscrow(id, 20e6);
        succession.withdrawEscrow(id, 3e6);
        vm.stopPrank();
        _compare();
        s.predecessor = golem;
        s.key = mandate.keys[0];
        s.playbookDigest = "diverged";
        s.name = "Ada II";
        vm.prank(EXECUTOR);
        succession.succeed(OWNER, mandate, s);
        _compare();
    }
}
