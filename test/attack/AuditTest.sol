// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Phase} from "contracts/types/Life.sol";

import {AttackTest} from "./AttackTest.sol";

/// @title The room of the audit: seventeen proofs of concept that worked, each told as what should have happened
/// @dev `_try` answers instead of reverting: most tests here care about what an attacker ends with, not how he was
/// refused.
abstract contract AuditTest is AttackTest {
    /* CALLS */

    function _beatAs(address by, uint64 tick, uint8 rollStride) internal {
        vm.prank(by);
        lineage.beat(golem, tick, Phase.Stable, 800_000, keccak256("outcomes"), 3, "", rollStride);
    }

    function _beatCall(uint64 tick) internal view returns (bytes memory) {
        return abi.encodeCall(lineage.beat, (golem, tick, Phase.Stable, 800_000, 0, 0, "", 0));
    }

    function _swapCall(address at, address tokenIn, address tokenOut, uint256 amountIn)
        internal
        view
        returns (bytes memory)
    {
        IVaultTrading.SwapOrder memory order =
            IVaultTrading.SwapOrder(at, tokenIn, tokenOut, amountIn, 0, block.timestamp);
        return abi.encodeCall(vault.swap, (order));
    }

    /* TOOLS */

    /// @dev Calls as `by` and answers whether it went through, and with what.
    function _try(address by, address target, bytes memory data) internal returns (bool ok, bytes memory answer) {
        vm.prank(by);
        (ok, answer) = target.call(data);
    }

    /// @dev A call that must be refused, by the error of this name.
    function _assertRefused(address by, address target, bytes memory data, string memory errorSignature) internal {
        (bool ok, bytes memory why) = _try(by, target, data);
        assertFalse(ok, string.concat("went through, though it should be refused by ", errorSignature));
        assertEq(
            bytes32(bytes4(why)),
            bytes32(bytes4(keccak256(bytes(errorSignature)))),
            string.concat("was refused, but not by ", errorSignature)
        );
    }

    /// @dev The logs since `vm.recordLogs` of one contract and one event.
    function _logsOf(address emitter, string memory signature) internal returns (Vm.Log[] memory found) {
        return _filter(vm.getRecordedLogs(), emitter, signature);
    }

    function _filter(Vm.Log[] memory logs, address emitter, string memory signature)
        internal
        pure
        returns (Vm.Log[] memory found)
    {
        bytes32 topic = keccak256(bytes(signature));
        uint256 count;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter == emitter && logs[i].topics[0] == topic) logs[count++] = logs[i];
        }
        found = new Vm.Log[](count);
        for (uint256 i; i < count; ++i) {
            found[i] = logs[i];
        }
    }

    /// @dev One block later, two seconds on.
    function _nextBlock() internal {
        vm.warp(block.timestamp + 2);
        vm.roll(block.number + 1);
    }

    /// @dev Somebody whose seven days of silence and day of notice are over.
    function _killBySilence() internal {
        _pass(7 days + 1);
        vm.startPrank(STRANGER);
        vault.notice();
        _pass(24 hours);
        vault.killSilent();
        vm.stopPrank();
    }
}
