// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IUsdc} from "contracts/interfaces/IUsdc.sol";

/// @title USDC by signature
/// @dev 65 bytes are split into v, r, s, which every version of USDC takes; any other length is a contract wallet's and
/// goes whole to the newer form.
library UsdcLib {
    /// @notice Tries a permit to this contract and says nothing about failing: somebody may have brought the same
    /// signature first, and then the allowance is there all the same (L-004, V-005).
    function tryPermit(address usdc, address from, uint256 value, uint256 deadline, bytes calldata signature) internal {
        if (signature.length == 65) {
            (uint8 v, bytes32 r, bytes32 s) = _split(signature);
            try IUsdc(usdc).permit(from, address(this), value, deadline, v, r, s) {} catch {}
        } else {
            try IUsdc(usdc).permit(from, address(this), value, deadline, signature) {} catch {}
        }
    }

    /// @notice Pulls an EIP-3009 authorisation made out to this contract.
    /// @dev The receiving form: nobody but this contract can use the authorisation, so nobody can land it elsewhere.
    function receiveAuthorised(
        address usdc,
        address from,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) internal {
        if (signature.length == 65) {
            (uint8 v, bytes32 r, bytes32 s) = _split(signature);
            IUsdc(usdc).receiveWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, v, r, s);
        } else {
            IUsdc(usdc).receiveWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, signature);
        }
    }

    function _split(bytes calldata signature) private pure returns (uint8 v, bytes32 r, bytes32 s) {
        return (uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    }
}
