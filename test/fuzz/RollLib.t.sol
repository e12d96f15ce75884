// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {RollLib} from "contracts/libraries/RollLib.sol";

/// @title RollLib against a model that takes any id and any hash, pinned by the vectors of M-096
contract RollLibFuzzTest is Test {
    address private constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;

    /// @dev M-096 with R-003: byte by byte, the first eight of them read as a big-endian number.
    function _model(bytes memory id, uint64 tick, bytes memory blockHash) private pure returns (uint64 roll) {
        bytes memory input = new bytes(id.length + 8 + blockHash.length);
        for (uint256 i; i < id.length; ++i) {
            input[i] = id[i];
        }
        for (uint256 i; i < 8; ++i) {
            input[id.length + i] = bytes1(uint8(tick >> (56 - 8 * i)));
        }
        for (uint256 i; i < blockHash.length; ++i) {
            input[id.length + 8 + i] = blockHash[i];
        }
        bytes32 digest = keccak256(input);
        for (uint256 i; i < 8; ++i) {
            roll = roll * 256 + uint8(digest[i]);
        }
    }

    function _lowercaseHex(address account) private pure returns (bytes memory text) {
        text = "0x0000000000000000000000000000000000000000";
        for (uint256 i; i < 40; ++i) {
            uint256 nibble = (uint256(uint160(account)) >> (156 - 4 * i)) & 15;
            text[2 + i] = bytes1(uint8(nibble < 10 ? 48 + nibble : 87 + nibble));
        }
    }

    /// @dev W-63..W-68: the model is the catalogue's, with the empty hash.
    function test_model_vectorsOfTheCatalogue() public pure {
        assertEq(_model("golem-0001", 0, ""), 0xadf230275f092c85);
        assertEq(_model("golem-0001", 1, ""), 0x113fd4a3e8ffee8d);
        assertEq(_model("golem-0001", 2, ""), 0x13d76ae59822c0ec);
        assertEq(_model("golem-0001", 874, ""), 0x001d77000060d165);
        assertEq(_model("golem-0001", 1000, ""), 0x4c75264441437b7b);
        assertEq(_model("golem-0001", 3756, ""), 0x0017dea8d7e78dc8);
    }

    /// @dev Computed outside, with a vault address as id and a block hash appended.
    function test_rollOf_vectorsWithABlockHash() public pure {
        address vault = 0xabCDeF0123456789AbcdEf0123456789aBCDEF01;
        assertEq(RollLib.rollOf(vault, 874, keccak256("block")), 0x7c77713745c51594);
        assertEq(RollLib.rollOf(vault, 0, bytes32(0)), 0xf9fe3a355516b5ea);
        assertEq(RollLib.rollOf(address(0), type(uint64).max, bytes32(type(uint256).max)), 0x8d90582cc1a583a7);
    }

    function testFuzz_rollOf_agreesWithTheModel(address vault, uint64 tick, bytes32 blockHash) public pure {
        assertEq(
            RollLib.rollOf(vault, tick, blockHash), _model(_lowercaseHex(vault), tick, abi.encodePacked(blockHash))
        );
    }

    /// @dev T-002: by the opcode in the last 256 blocks.
    function testFuzz_hashOf_isTheOpcodesWhileItReaches(uint256 back) public {
        vm.roll(1_000_000);
        back = bound(back, 1, 256);
        bytes32 expected = keccak256(abi.encode(back));
        vm.setBlockhash(block.number - back, expected);
        assertEq(RollLib.hashOf(block.number - back), expected);
    }

    /// @dev T-002: beyond them by EIP-2935 where the chain has it, else "not known", which is zero.
    function testFuzz_hashOf_isTheHistoryContractsBeyond(uint256 back, bytes32 remembered) public {
        vm.roll(1_000_000);
        back = bound(back, 257, 8_191);
        vm.etch(HISTORY, "");
        assertEq(RollLib.hashOf(block.number - back), 0, "a chain without the history contract");
        vm.etch(HISTORY, hex"00");
        vm.mockCall(HISTORY, abi.encode(block.number - back), abi.encode(remembered));
        assertEq(RollLib.hashOf(block.number - back), remembered);
    }

    function testFuzz_hashOf_neverRevertsForThePast(uint256 number, uint256 now_) public {
        now_ = bound(now_, 1, type(uint64).max);
        number = bound(number, 0, now_ - 1);
        vm.roll(now_);
        vm.etch(HISTORY, "");
        RollLib.hashOf(number);
        assertLt(number, block.number);
    }
}
