// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {Books, Ledger, PartitionId, Split} from "contracts/types/Money.sol";

/// @title PartitionLib against a model written from V-002, V-004, V-009 and M-037, in whole percent and plain numbers
contract PartitionLibFuzzTest is Test {
    using PartitionLib for Ledger;
    using PartitionLib for Books;

    Ledger private _ledger;
    Books private _books;

    /// @dev Shares of llm, gas, data, legacy in percent, as the catalogue prints them.
    function _percent(Split split) private pure returns (uint256[4] memory) {
        if (split == Split.Birth) return [uint256(60), 25, 15, 0];
        if (split == Split.Declining) return [uint256(30), 15, 5, 50];
        return [uint256(0), 0, 0, 100];
    }

    /// @dev Every part rounded down, and the dust given to llm, which even at 0 % has none to take.
    function _model(uint256 amount, Split split) private pure returns (uint256[4] memory part) {
        uint256[4] memory percent = _percent(split);
        uint256 rest = amount;
        for (uint256 i; i < 4; ++i) {
            part[i] = amount * percent[i] / 100;
            rest -= part[i];
        }
        part[0] += rest;
    }

    function _array(Ledger memory ledger) private pure returns (uint256[4] memory) {
        return [uint256(ledger.llm), ledger.gas, ledger.data, ledger.legacy];
    }

    /// @dev V-004, V-009, V-030.
    function testFuzz_cut_agreesWithTheModelAndLosesNothing(uint64 amount, uint8 splitSeed) public pure {
        Split split = Split(splitSeed % 3);
        Ledger memory part = PartitionLib.cut(amount, split);
        uint256[4] memory expected = _model(amount, split);
        uint256[4] memory got = _array(part);
        for (uint256 i; i < 4; ++i) {
            assertEq(got[i], expected[i], "a part differs from the model");
        }
        assertEq(part.total(), amount, "V-030: a cut lost or made money");
        assertEq(part.spendable() + part.legacy, amount);
    }

    function testFuzz_cut_refusesWhatDoesNotFit(uint256 amount, uint8 splitSeed) public {
        amount = bound(amount, 2 ** 64 * 4, type(uint128).max);
        vm.expectRevert();
        this.cutOutside(amount, Split(splitSeed % 3));
    }

    function cutOutside(uint256 amount, Split split) external pure returns (Ledger memory) {
        return PartitionLib.cut(amount, split);
    }

    /// @dev V-005: a top-up follows the split, and what was there stays.
    function testFuzz_add_isTheLedgerPlusTheCut(Ledger memory ledger, uint64 amount, uint8 splitSeed) public {
        Split split = Split(splitSeed % 3);
        uint256[4] memory before = _array(ledger);
        uint256[4] memory part = _model(amount, split);
        bool fits = true;
        for (uint256 i; i < 4; ++i) {
            if (before[i] + part[i] > type(uint64).max) fits = false;
        }
        if (!fits) {
            vm.expectRevert();
            this.addOutside(ledger, amount, split);
            return;
        }
        Ledger memory sum = this.addOutside(ledger, amount, split);
        uint256[4] memory got = _array(sum);
        for (uint256 i; i < 4; ++i) {
            assertEq(got[i], before[i] + part[i]);
        }
        assertEq(sum.total(), ledger.total() + amount, "V-030: a top-up lost or made money");
    }

    function addOutside(Ledger memory ledger, uint256 amount, Split split) external pure returns (Ledger memory) {
        return ledger.add(amount, split);
    }

    /// @dev V-004, M-037: max(0.30, 2 %, 0.02 per position + 0.02 + 0.15 + 0.05), rounded against the spender.
    function testFuzz_reserveUp_isTheGreatestOfThree(uint64 credits, uint8 positions) public pure {
        uint256 twoPercent = (uint256(credits) * 2 + 99) / 100;
        uint256 settlement = 20_000 * uint256(positions) + 20_000 + 150_000 + 50_000;
        uint256 expected = 300_000;
        if (twoPercent > expected) expected = twoPercent;
        if (settlement > expected) expected = settlement;
        assertEq(PartitionLib.reserveUp(credits, positions), expected);
    }

    function test_reserveUp_numbersOfTheCatalogue() public pure {
        assertEq(PartitionLib.reserveUp(1e6, 0), 0.3e6);
        assertEq(PartitionLib.reserveUp(15e6, 0), 0.3e6);
        assertEq(PartitionLib.reserveUp(15e6 + 1, 0), 300_001);
        assertEq(PartitionLib.reserveUp(100e6, 0), 2e6);
        assertEq(PartitionLib.reserveUp(1e6, 4), 0.3e6);
        assertEq(PartitionLib.reserveUp(1e6, 5), 0.32e6);
    }

    /// @dev Each partition is its own: writing one changes that one.
    function testFuzz_setAndStore_touchOnePartition(Ledger memory ledger, uint8 partitionSeed, uint64 amount) public {
        PartitionId partition = PartitionId(partitionSeed % 4);
        uint256[4] memory expected = _array(ledger);
        for (uint256 i; i < 4; ++i) {
            assertEq(ledger.get(PartitionId(i)), expected[i]);
        }
        _ledger = ledger;
        expected[uint8(partition)] = amount;
        ledger.set(partition, amount);
        _ledger.store(partition, amount);
        for (uint256 i; i < 4; ++i) {
            assertEq(_array(ledger)[i], expected[i], "in memory");
            assertEq(_ledger.load(PartitionId(i)), expected[i], "in storage");
        }
    }

    function testFuzz_store_refusesWhatDoesNotFit(uint8 partitionSeed, uint256 amount) public {
        amount = bound(amount, uint256(type(uint64).max) + 1, type(uint256).max);
        vm.expectRevert();
        this.storeOutside(PartitionId(partitionSeed % 4), amount);
        vm.expectRevert();
        this.setOutside(PartitionId(partitionSeed % 4), amount);
    }

    function storeOutside(PartitionId partition, uint256 amount) external {
        _ledger.store(partition, amount);
    }

    function setOutside(PartitionId partition, uint256 amount) external pure {
        Ledger memory ledger;
        ledger.set(partition, amount);
    }

    /// @dev `clear` empties its own slot and not its neighbour's.
    function testFuzz_clear_emptiesExactlyOneSlot(Ledger memory ledger, Books memory books) public {
        (_ledger, _books) = (ledger, books);
        _ledger.clear();
        Ledger memory emptied = _ledger;
        assertEq(emptied.total(), 0);
        assertEq(keccak256(abi.encode(_books)), keccak256(abi.encode(books)), "the neighbour changed");
        _ledger = ledger;
        _books.clear();
        assertEq(uint256(_books.reserve) + _books.capital + _books.highWater + _books.deployed, 0);
        assertEq(keccak256(abi.encode(_ledger)), keccak256(abi.encode(ledger)), "the neighbour changed");
    }
}
