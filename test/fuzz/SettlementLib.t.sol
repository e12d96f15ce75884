// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {SettlementLib} from "contracts/libraries/SettlementLib.sol";

/// @title Answers anything to anything: any word, any length, a revert, all the gas, or a bomb of return data
contract Oracle {
    enum Manner {
        Answer,
        Revert,
        Burn,
        Bomb,
        RevertBomb
    }

    Manner private immutable MANNER;
    bytes32 private immutable WORD;
    uint256 private immutable LENGTH;

    constructor(Manner manner, bytes32 word, uint256 length) {
        (MANNER, WORD, LENGTH) = (manner, word, length);
    }

    fallback() external payable {
        (Manner manner, bytes32 word, uint256 length) = (MANNER, WORD, LENGTH);
        if (manner == Manner.Burn) while (true) {}
        bool bomb = manner == Manner.Bomb || manner == Manner.RevertBomb;
        assembly {
            mstore(0, word)
            if bomb { length := 20000 }
            if or(eq(manner, 1), eq(manner, 4)) { revert(0, length) }
            return(0, length)
        }
    }
}

/// @title SettlementLib against a model of what an honest answer is (T-005, T-006, V-010)
/// @dev T-031: whatever the other side does, these calls come back, within their gas, with a plain yes or no.
contract SettlementLibFuzzTest is Test {
    uint256 private constant ROOM = 500_000;

    function _oracle(uint8 mannerSeed, bytes32 word, uint8 length)
        private
        returns (address made, Oracle.Manner manner, uint256 answered)
    {
        manner = Oracle.Manner(mannerSeed % 5);
        answered = manner == Oracle.Manner.Bomb ? 20_000 : length;
        made = address(new Oracle(manner, word, length));
    }

    /// @dev A word is an answer of a word or more; anything else is "cannot be read", which is zero.
    function testFuzz_tryReads_areTheWordOrZero(uint8 mannerSeed, bytes32 word, uint8 length, uint256 id) public {
        (address at, Oracle.Manner manner, uint256 answered) = _oracle(mannerSeed, word, length);
        bool honest = (manner == Oracle.Manner.Answer || manner == Oracle.Manner.Bomb) && answered >= 32;
        uint256 expected = honest ? uint256(word) : 0;
        uint256 gasBefore = gasleft();
        assertEq(SettlementLib.tryBalanceOf(at, address(this)), expected);
        assertEq(SettlementLib.tryOwnerOf(at, id), address(uint160(expected)));
        assertLt(gasBefore - gasleft(), ROOM, "T-005: unbounded");
    }

    /// @dev Pushed: nothing was answered, or true. A revert, false, half a word, or any other word is a refusal.
    function testFuzz_tryPush_isYesForNothingOrTrueAlone(uint8 mannerSeed, uint8 wordSeed, uint8 length, uint256 amount)
        public
    {
        bytes32 word = wordSeed % 3 == 0 ? bytes32(uint256(1)) : wordSeed % 3 == 1 ? bytes32(0) : bytes32(uint256(2));
        (address at, Oracle.Manner manner, uint256 answered) = _oracle(mannerSeed, word, length);
        bool came = manner == Oracle.Manner.Answer || manner == Oracle.Manner.Bomb;
        bool expected = came && (answered == 0 || (answered >= 32 && word == bytes32(uint256(1))));
        uint256 gasBefore = gasleft();
        assertEq(SettlementLib.tryPush(at, address(0xbeef), amount), expected);
        assertLt(gasBefore - gasleft(), ROOM, "T-005: unbounded");
    }

    function testFuzz_tryPushNft_isYesUnlessRefused(uint8 mannerSeed, bytes32 word, uint8 length) public {
        (address at, Oracle.Manner manner,) = _oracle(mannerSeed, word, length);
        bool expected = manner == Oracle.Manner.Answer || manner == Oracle.Manner.Bomb;
        uint256 gasBefore = gasleft();
        assertEq(SettlementLib.tryPushNft(at, address(0xbeef), 7), expected);
        assertLt(gasBefore - gasleft(), ROOM, "T-005: unbounded");
    }

    /// @dev Where there is no contract there is nothing to push and nothing to read.
    function testFuzz_withoutCode_everythingIsNo(address nobody, uint256 amount) public {
        assumeNotForgeAddress(nobody);
        vm.assume(nobody.code.length == 0 && uint160(nobody) > 0xffff);
        assertFalse(SettlementLib.tryPush(nobody, address(1), amount));
        assertFalse(SettlementLib.tryPushNft(nobody, address(1), amount));
        assertEq(SettlementLib.tryBalanceOf(nobody, address(1)), 0);
        assertEq(SettlementLib.tryOwnerOf(nobody, amount), address(0));
    }

    /// @dev T-006: with `gasFor(n)` in hand, n pushes and their reads each get the whole of their gas.
    function testFuzz_gasFor_coversEveryPush(uint8 n) public pure {
        uint256 pushes = uint256(n) % 25;
        uint256 one = SettlementLib.PUSH_GAS + 2 * SettlementLib.READ_GAS;
        // A call may pass on at most 63/64 of what is left, so to pass g on one needs g * 64 / 63.
        // What is for the books around a push is not for the push.
        uint256 forCalls = SettlementLib.gasFor(pushes) - pushes * SettlementLib.BOOK_GAS;
        assertGe(forCalls * 63, pushes * one * 64 - pushes * 63);
        assertEq(SettlementLib.gasFor(pushes + 1) - SettlementLib.gasFor(pushes), SettlementLib.gasFor(1));
    }
}
