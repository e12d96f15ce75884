// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {CREATE3} from "solady/utils/CREATE3.sol";

/// @title Deploys the suite at addresses known beforehand
/// @dev The contracts of the suite hold one another as immutables, in circles (the registry knows who gives birth, the
/// vault knows the registry, who gives birth knows the vault). CREATE2 cannot close such a circle, because an address
/// would depend on itself; CREATE3 derives it from the deployer and a salt. The salt carries the caller, so nobody can
/// take another's addresses. Holds nothing, has no owner, and no contract of the suite ever calls it.
contract SuiteDeployer {
    event Deployed(address indexed by, bytes32 indexed salt, address deployed);

    /// @notice Deploys `creationCode` at `addressOf(msg.sender, salt)`.
    /// @dev Reverts when something already stands there, or when the constructor reverts.
    function deploy(bytes32 salt, bytes calldata creationCode) external returns (address deployed) {
        deployed = CREATE3.deployDeterministic(creationCode, _salt(msg.sender, salt));
        emit Deployed(msg.sender, salt, deployed);
    }

    /// @notice Where `deploy(salt, ...)` by `by` puts its contract.
    function addressOf(address by, bytes32 salt) external view returns (address) {
        return CREATE3.predictDeterministicAddress(_salt(by, salt));
    }

    function _salt(address by, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(by, salt));
    }
}
