// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @title A listing in one word
/// @dev From the lowest bit: the pool that prices it 160, epoch 16, uses 8. Packed by hand, because the compiler writes a
/// packed struct field by field and a list entry has to stay below its bound (V-040).
library ListingLib {
    function pack(address pool, uint16 epoch, uint8 uses) internal pure returns (uint256) {
        return uint256(uint160(pool)) | uint256(epoch) << 160 | uint256(uses) << 176;
    }

    /// @notice What a listing is worth in `epoch`: nothing when it was made in another (L-006).
    function usesIn(uint256 word, uint16 epoch) internal pure returns (uint8) {
        return uint16(word >> 160) == epoch ? uint8(word >> 176) : 0;
    }

    function pricedBy(uint256 word) internal pure returns (address) {
        return address(uint160(word));
    }
}
