// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {SafeCastLib} from "solady/utils/SafeCastLib.sol";

import {Books, Ledger, PartitionId, Split} from "contracts/types/Money.sol";

/// @title Arithmetic of the four partitions and of the reserve (V-002, V-004, V-009)
/// @dev Pure, so that it can be fuzzed and proved alone. Amounts in USDC units. Nothing here rounds money away: what
/// shares leave over goes to `llm`.
library PartitionLib {
    using SafeCastLib for uint256;

    uint256 internal constant BPS = 10_000;
    /// @dev M-037: the floor of the reserve, its share of the credits, and the settlement estimate.
    uint256 internal constant RESERVE_FLOOR = 0.3e6;
    uint256 internal constant RESERVE_BPS = 200;
    uint256 internal constant SETTLEMENT_PER_POSITION = 0.02e6;
    uint256 internal constant SETTLEMENT_BASE = 0.22e6;

    function get(Ledger memory ledger, PartitionId partition) internal pure returns (uint256) {
        if (partition == PartitionId.Llm) return ledger.llm;
        if (partition == PartitionId.Gas) return ledger.gas;
        if (partition == PartitionId.Data) return ledger.data;
        return ledger.legacy;
    }

    function set(Ledger memory ledger, PartitionId partition, uint256 amount) internal pure {
        uint64 value = amount.toUint64();
        if (partition == PartitionId.Llm) ledger.llm = value;
        else if (partition == PartitionId.Gas) ledger.gas = value;
        else if (partition == PartitionId.Data) ledger.data = value;
        else ledger.legacy = value;
    }

    /// @notice One partition straight from storage: one read instead of the four of a copy.
    function load(Ledger storage ledger, PartitionId partition) internal view returns (uint256) {
        if (partition == PartitionId.Llm) return ledger.llm;
        if (partition == PartitionId.Gas) return ledger.gas;
        if (partition == PartitionId.Data) return ledger.data;
        return ledger.legacy;
    }

    /// @notice One partition straight to storage.
    function store(Ledger storage ledger, PartitionId partition, uint256 amount) internal {
        uint64 value = amount.toUint64();
        if (partition == PartitionId.Llm) ledger.llm = value;
        else if (partition == PartitionId.Gas) ledger.gas = value;
        else if (partition == PartitionId.Data) ledger.data = value;
        else ledger.legacy = value;
    }

    /// @notice Empties the slot at once; `delete` would write each field by itself.
    function clear(Ledger storage ledger) internal {
        assembly ("memory-safe") {
            sstore(ledger.slot, 0)
        }
    }

    /// @notice The same for the books.
    function clear(Books storage books) internal {
        assembly ("memory-safe") {
            sstore(books.slot, 0)
        }
    }

    /// @notice Everything in the four partitions.
    function total(Ledger memory ledger) internal pure returns (uint256) {
        return spendable(ledger) + ledger.legacy;
    }

    /// @notice What the living may spend: all but `legacy` (M-032).
    function spendable(Ledger memory ledger) internal pure returns (uint256) {
        return uint256(ledger.llm) + ledger.gas + ledger.data;
    }

    /// @notice `amount` cut by the shares of `split`; the four parts add up to `amount` exactly.
    function cut(uint256 amount, Split split) internal pure returns (Ledger memory part) {
        if (split == Split.Terminal) {
            part.legacy = amount.toUint64();
            return part;
        }
        bool early = split == Split.Birth;
        part.gas = (amount * (early ? 2_500 : 1_500) / BPS).toUint64();
        part.data = (amount * (early ? 1_500 : 500) / BPS).toUint64();
        part.legacy = (amount * (early ? 0 : 5_000) / BPS).toUint64();
        // V-004: dust goes to llm, by taking what the others left.
        part.llm = (amount - part.gas - part.data - part.legacy).toUint64();
    }

    /// @notice `ledger` with `amount` added by the shares of `split`.
    function add(Ledger memory ledger, uint256 amount, Split split) internal pure returns (Ledger memory) {
        Ledger memory part = cut(amount, split);
        return Ledger({
            llm: (uint256(ledger.llm) + part.llm).toUint64(),
            gas: (uint256(ledger.gas) + part.gas).toUint64(),
            data: (uint256(ledger.data) + part.data).toUint64(),
            legacy: (uint256(ledger.legacy) + part.legacy).toUint64()
        });
    }

    /// @notice The reserve due on `credits` with `positions` open: max(0.30, 2 %, settlement estimate), rounded up.
    function reserveUp(uint256 credits, uint256 positions) internal pure returns (uint256) {
        uint256 share = FixedPointMathLib.mulDivUp(credits, RESERVE_BPS, BPS);
        uint256 settlement = SETTLEMENT_PER_POSITION * positions + SETTLEMENT_BASE;
        return FixedPointMathLib.max(FixedPointMathLib.max(RESERVE_FLOOR, share), settlement);
    }
}
