// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {BlockHashLib} from "solady/utils/BlockHashLib.sol";
import {LibString} from "solady/utils/LibString.sol";

/// @title The death roll, as anyone can recompute it (M-096, R-003, T-002)
library RollLib {
    /// @notice First eight bytes, big-endian, of keccak256(lowercase 0x-hex of the vault, tick as u64, block hash).
    function rollOf(address vault, uint64 tick, bytes32 blockHash) internal pure returns (uint64) {
        return uint64(bytes8(keccak256(abi.encodePacked(LibString.toHexString(vault), tick, blockHash))));
    }

    /// @notice The hash of a past block: by the opcode, else by EIP-2935, else zero.
    function hashOf(uint256 blockNumber) internal view returns (bytes32) {
        // Without the system contract its address is empty and answers nothing; a call with no code succeeds.
        if (block.number > blockNumber + 256 && BlockHashLib.HISTORY_STORAGE_ADDRESS.code.length == 0) return 0;
        return BlockHashLib.blockHash(blockNumber);
    }
}
