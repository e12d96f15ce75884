// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {PartitionLib} from "contracts/libraries/PartitionLib.sol";
import {Life} from "contracts/types/Life.sol";
import {Ledger, PartitionId} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";
import {VaultBase} from "contracts/VaultBase.sol";

/// @title A twin of the vault with one fault, on the same storage; whatever is not broken is the real vault's
contract BrokenVault is VaultBase {
    using PartitionLib for Ledger;

    enum Fault {
        None,
        SpendForgetsToDebit,
        SyncCreditsTwice,
        SpendIgnoresTheCaps,
        ReserveFalls,
        DeadPaysTheCaller,
        AnyoneRotatesTheKey,
        SoldKeySpends,
        FinaliseKeepsAUnit,
        DeathNeedsUsdc,
        PushesToWhoeverHolds,
        LockIsIgnored
    }

    address private immutable REAL;
    Fault private immutable FAULT;

    constructor(Suite memory suite_, address real, Fault fault) VaultBase(suite_) {
        (REAL, FAULT) = (real, fault);
    }

    fallback() external payable {
        _asReal();
    }

    receive() external payable {}

    function spend(PartitionId partition, address payee, uint256 amount) external returns (uint256) {
        if (FAULT == Fault.SpendForgetsToDebit) {
            _asLivingKey();
            _pay(payee, amount);
        } else if (FAULT == Fault.SpendIgnoresTheCaps) {
            _asLivingKey();
            _vault.credits.store(partition, _vault.credits.load(partition) - amount);
            _pay(payee, amount);
        } else if (FAULT == Fault.SoldKeySpends) {
            (address key, Life life) = ILineageRegistry(LINEAGE).vitalOf(_vault.agentId);
            require(msg.sender == key && life == Life.Alive);
            _debit(partition, amount);
            _pay(payee, amount);
        } else {
            _asReal();
        }
        return 0;
    }

    function sync() external returns (uint256 amount) {
        if (FAULT != Fault.SyncCreditsTwice) _asReal();
        amount = _usdcBalance() - _accounted();
        _credit(2 * amount);
    }

    function raiseReserve(PartitionId to, uint256 amount) external {
        if (FAULT != Fault.ReserveFalls) _asReal();
        _vault.books.reserve -= uint64(amount);
        _vault.credits.store(to, _vault.credits.load(to) + amount);
    }

    function withdrawCapital(uint256 amount) external {
        if (FAULT != Fault.LockIsIgnored) _asReal();
        _vault.books.capital -= uint64(amount);
        _pay(_asOwner(), amount);
    }

    function claim(address asset) external returns (uint256 amount) {
        if (FAULT != Fault.DeadPaysTheCaller && FAULT != Fault.LockIsIgnored) _asReal();
        if (FAULT == Fault.LockIsIgnored) _asOwner();
        amount = SafeTransferLib.balanceOf(asset, address(this));
        SafeTransferLib.safeTransfer(asset, msg.sender, amount);
    }

    function rotateKey(address newKey) external {
        if (FAULT != Fault.AnyoneRotatesTheKey) _asReal();
        ILineageRegistry(LINEAGE).setKey(_vault.agentId, newKey);
    }

    function finalise() external {
        if (FAULT == Fault.PushesToWhoeverHolds && _isDead()) {
            return SafeTransferLib.safeTransfer(USDC, _owner(), _usdcBalance());
        }
        if (FAULT == Fault.FinaliseKeepsAUnit) SafeTransferLib.safeTransfer(USDC, address(0xdead), 1);
        if (FAULT == Fault.DeathNeedsUsdc) SafeTransferLib.safeTransfer(USDC, _owner(), 1);
        _asReal();
    }

    function _isDead() private view returns (bool) {
        (, Life life) = ILineageRegistry(LINEAGE).vitalOf(_vault.agentId);
        return life == Life.Dead;
    }

    /// @dev Does not come back.
    function _asReal() private {
        address real = REAL;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), real, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @title A twin of the registry of lives whose rows, states and ticks can be bent
contract BrokenLineage {
    address private immutable REAL;

    constructor(address real) {
        REAL = real;
    }

    fallback() external {
        address real = REAL;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), real, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    /// @dev The mappings of the registry, in order of declaration.
    function _slot(uint256 mappingAt, uint256 agentId) private pure returns (bytes32) {
        return keccak256(abi.encode(agentId, mappingAt));
    }

    function _bend(bytes32 slot, uint256 shift, uint256 mask, uint256 value) private {
        assembly {
            sstore(slot, or(and(sload(slot), not(shl(shift, mask))), shl(shift, value)))
        }
    }

    /// @notice Dead, and alive again.
    function resurrect(uint256 agentId) external {
        _bend(_slot(1, agentId), 160, 0xff, uint256(Life.Alive));
    }

    /// @notice The tick is 1 again.
    function turnBack(uint256 agentId) external {
        _bend(_slot(2, agentId), 0, type(uint40).max, 1);
    }

    /// @notice The last tick there is.
    function outrun(uint256 agentId) external {
        _bend(_slot(2, agentId), 0, type(uint40).max, type(uint40).max);
    }

    /// @notice Another generation than it was born with.
    function promote(uint256 agentId) external {
        _bend(_slot(0, agentId), 192, type(uint16).max, 7);
    }

    /// @notice `heir` becomes the successor of somebody it does not descend from.
    function adopt(uint256 agentId, uint256 heir) external {
        _bend(_slot(4, agentId), 0, type(uint256).max, heir + 1);
    }
}
