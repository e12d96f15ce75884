// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @title The least that an allowance per period needs: what a spend-permission contract does, without its wallet
/// @dev The yardstick of the gas table. One permission, kept by hash, with an allowance for each period; a spend reads
/// the permission and the period's use, writes the use, moves the token. It has no payee list, no partitions, no
/// daily share, no owner to be read live, so a real one costs more: the published figures of a well-known one are
/// 82,033 within a period and 99,801 for the first of a period.
contract PeriodAllowance {
    struct Permission {
        address account;
        address spender;
        address token;
        uint160 allowance;
        uint48 start;
        uint48 end;
        uint48 period;
    }

    struct Usage {
        uint48 start;
        uint48 end;
        uint160 spent;
    }

    mapping(bytes32 id => bool) public approved;
    mapping(bytes32 id => bool) public revoked;
    mapping(bytes32 id => Usage) public usage;

    event Approved(bytes32 indexed id, Permission permission);
    event Used(bytes32 indexed id, address indexed account, address indexed spender, Usage usage);

    error NotSpender(address caller);
    error NotApproved(bytes32 id);
    error OutsidePermission(uint256 time);
    error AllowanceExceeded(uint256 spent, uint256 allowance);

    function approve(Permission calldata p) external {
        if (msg.sender != p.account) revert NotSpender(msg.sender);
        bytes32 id = keccak256(abi.encode(p));
        approved[id] = true;
        emit Approved(id, p);
    }

    function spend(Permission calldata p, uint160 amount) external {
        if (msg.sender != p.spender) revert NotSpender(msg.sender);
        bytes32 id = keccak256(abi.encode(p));
        if (!approved[id] || revoked[id]) revert NotApproved(id);
        if (block.timestamp < p.start || block.timestamp >= p.end) revert OutsidePermission(block.timestamp);
        Usage memory current = usage[id];
        if (block.timestamp >= current.end) {
            uint48 start = p.start + uint48((block.timestamp - p.start) / p.period * p.period);
            current = Usage(start, start + p.period, 0);
        }
        current.spent += amount;
        if (current.spent > p.allowance) revert AllowanceExceeded(current.spent, p.allowance);
        usage[id] = current;
        emit Used(id, p.account, p.spender, current);
        SafeTransferLib.safeTransferFrom(p.token, p.account, p.spender, amount);
    }
}
