// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title verifyOutcome against a tree built here, level by level (L-025)
contract MerkleFuzzTest is Test {
    LineageRegistry private _registry;

    function setUp() public {
        Suite memory none;
        _registry = new LineageRegistry(none);
    }

    function _pair(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return uint256(a) < uint256(b) ? keccak256(bytes.concat(a, b)) : keccak256(bytes.concat(b, a));
    }

    /// @dev Over the hashes of the leaves, in sorted pairs; an odd one out moves up as it is. Answers the root and the path
    /// of `index`.
    function _tree(bytes32[] memory leaves, uint256 index) private pure returns (bytes32 root, bytes32[] memory proof) {
        bytes32[] memory level = new bytes32[](leaves.length);
        for (uint256 i; i < leaves.length; ++i) {
            level[i] = keccak256(bytes.concat(leaves[i]));
        }
        bytes32[] memory path = new bytes32[](16);
        uint256 steps;
        while (level.length > 1) {
            uint256 sibling = index ^ 1;
            if (sibling < level.length) path[steps++] = level[sibling];
            bytes32[] memory up = new bytes32[]((level.length + 1) / 2);
            for (uint256 i; i < up.length; ++i) {
                up[i] = 2 * i + 1 < level.length ? _pair(level[2 * i], level[2 * i + 1]) : level[2 * i];
            }
            (level, index) = (up, index / 2);
        }
        root = level[0];
        proof = new bytes32[](steps);
        for (uint256 i; i < steps; ++i) {
            proof[i] = path[i];
        }
    }

    function _leaves(bytes32 seed, uint256 count) private pure returns (bytes32[] memory leaves) {
        leaves = new bytes32[](count);
        for (uint256 i; i < count; ++i) {
            leaves[i] = keccak256(abi.encode(seed, i));
        }
    }

    function testFuzz_verifyOutcome_knowsEveryLeaf(bytes32 seed, uint8 countSeed, uint8 indexSeed) public view {
        uint256 count = uint256(countSeed) % 64 + 1;
        bytes32[] memory leaves = _leaves(seed, count);
        (bytes32 root, bytes32[] memory proof) = _tree(leaves, indexSeed % count);
        assertTrue(_registry.verifyOutcome(root, leaves[indexSeed % count], proof));
    }

    /// @dev A foreign leaf, a bent path, a path cut short and a foreign root prove nothing.
    function testFuzz_verifyOutcome_knowsNothingElse(bytes32 seed, uint8 countSeed, uint8 indexSeed, bytes32 other)
        public
        view
    {
        uint256 count = uint256(countSeed) % 62 + 2;
        bytes32[] memory leaves = _leaves(seed, count);
        uint256 index = indexSeed % count;
        (bytes32 root, bytes32[] memory proof) = _tree(leaves, index);
        vm.assume(other != leaves[index] && other != root);
        assertFalse(_registry.verifyOutcome(root, other, proof), "a foreign leaf");
        assertFalse(_registry.verifyOutcome(other, leaves[index], proof), "a foreign root");
        bytes32[] memory short = new bytes32[](proof.length - 1);
        for (uint256 i; i < short.length; ++i) {
            short[i] = proof[i];
        }
        assertFalse(_registry.verifyOutcome(root, leaves[index], short), "a path cut short");
        proof[indexSeed % proof.length] ^= bytes32(uint256(1));
        assertFalse(_registry.verifyOutcome(root, leaves[index], proof), "a bent path");
    }

    /// @dev No inner node passes as a record: neither the root without a path, nor the node above a leaf with the rest of
    /// its path, nor the hash of a leaf with all of it.
    function testFuzz_verifyOutcome_noInnerNodeIsALeaf(bytes32 seed, uint8 depthSeed, uint8 indexSeed) public view {
        uint256 count = 2 ** (uint256(depthSeed) % 5 + 1);
        bytes32[] memory leaves = _leaves(seed, count);
        uint256 index = indexSeed % count;
        (bytes32 root, bytes32[] memory proof) = _tree(leaves, index);
        assertFalse(_registry.verifyOutcome(root, root, new bytes32[](0)), "the root");
        bytes32 hashed = keccak256(bytes.concat(leaves[index]));
        assertFalse(_registry.verifyOutcome(root, hashed, proof), "the hash of a leaf");
        bytes32[] memory above = new bytes32[](proof.length - 1);
        for (uint256 i; i < above.length; ++i) {
            above[i] = proof[i + 1];
        }
        assertFalse(_registry.verifyOutcome(root, _pair(hashed, proof[0]), above), "the node above a leaf");
    }

    function testFuzz_verifyOutcome_aTreeOfOneIsTheHashOfItsLeaf(bytes32 leaf, bytes32 root) public view {
        bytes32[] memory none = new bytes32[](0);
        assertFalse(_registry.verifyOutcome(root, leaf, none));
        assertFalse(_registry.verifyOutcome(leaf, leaf, none));
        assertTrue(_registry.verifyOutcome(keccak256(bytes.concat(leaf)), leaf, none));
    }
}
