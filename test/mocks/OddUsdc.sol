// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {MockUsdc} from "test/mocks/MockUsdc.sol";

/// @title USDC as it is not and might become: takes a fee, answers false, calls back
contract OddUsdc is MockUsdc {
    uint256 public fee;
    bool public answersFalse;
    address public calledBack;
    bytes public callback;

    function setFee(uint256 fee_) external {
        fee = fee_;
    }

    function setAnswersFalse(bool answersFalse_) external {
        answersFalse = answersFalse_;
    }

    /// @dev Every transfer calls `target` first and passes its refusal on.
    function setCallback(address target, bytes calldata data) external {
        (calledBack, callback) = (target, data);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (answersFalse) return false;
        _callBack();
        super.transfer(to, amount);
        if (fee != 0) _burn(to, fee);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (answersFalse) return false;
        _callBack();
        super.transferFrom(from, to, amount);
        if (fee != 0) _burn(to, fee);
        return true;
    }

    function _callBack() private {
        if (calledBack == address(0)) return;
        (bool ok, bytes memory answer) = calledBack.call(callback);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}
