// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {Listing, PartitionId, USE_PAYEE_LLM} from "contracts/types/Money.sol";
import {Phase} from "contracts/types/Life.sol";

import {BaseTest} from "test/BaseTest.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";
import {CircleUsdc} from "test/utils/CircleUsdc.sol";

/// @title V-040 as whole transactions
/// @dev Isolated: every outermost call is a transaction of its own, with cold storage and 21,000.
/// forge-config: default.isolate = true
contract GasBoundsTest is BaseTest, CircleUsdc {
    /// @dev Circle's own, because its proxy and block list are part of what a user pays.
    function _deployUsdc() internal override returns (MockUsdc) {
        return MockUsdc(_deployCircleUsdc());
    }

    function test_gas_register() public {
        vm.prank(STRANGER);
        identity.register();
        vm.prank(BUYER);
        identity.register();
        vm.snapshotGasLastCall("V-040", "register()");
        vm.prank(EXECUTOR);
        identity.register("ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3o");
        vm.snapshotGasLastCall("V-040", "register(53-byte URI)");
    }

    function test_gas_birth() public {
        vm.prank(STRANGER);
        identity.register();
        // With the digest of its playbook, which costs a slot (T-022); without it a birth is cheaper.
        IBirth.Order memory order = _order();
        order.playbookDigest = keccak256("playbook");
        _giveBirth(order);
        vm.snapshotGasLastCall("V-040", "birth, generation 0, default policy");
        order.nonce = 1;
        order.listings = new Listing[](10);
        for (uint160 i; i < 10; ++i) {
            order.listings[i] =
                Listing(address(0xbeef0000000000000000000000000000000000 + i), USE_PAYEE_LLM, address(0));
        }
        _giveBirth(order);
        vm.snapshotGasLastCall("V-040", "birth with 10 list entries");
    }

    /// @dev As a Golem beats: with the root of its outcomes and the stride of the rolls to come.
    function _beatAnnouncing(uint64 tick) private {
        vm.prank(KEY);
        lineage.beat(golem, tick, Phase.Stable, 800_000, keccak256("outcomes"), 3, "", 20);
    }

    function test_gas_life() public {
        _giveBirth();
        _beatAnnouncing(1);
        vm.snapshotGasLastCall("V-040", "first beat");
        _pass(1 hours);
        _beatAnnouncing(2);
        vm.snapshotGasLastCall("V-040", "beat");
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.snapshotGasLastCall("V-040", "spend, first of the day");
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.snapshotGasLastCall("V-040", "spend");
        _kill();
        vm.snapshotGasLastCall("V-040", "kill");
        _settle();
        vm.snapshotGasLastCall("V-040", "settle without positions");
    }
}
