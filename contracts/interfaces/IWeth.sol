// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @title The one function of wrapped native coin that the suite calls
interface IWeth {
    function withdraw(uint256 amount) external;
}
