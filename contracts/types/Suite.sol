// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @notice Every address a contract of the suite may know, fixed when it is deployed.
/// @dev Addresses come from `SuiteDeployer`, which derives them from salts alone, so they are known before any of the
/// contracts exists and each of them can hold all the others as immutables.
struct Suite {
    address identity;
    address lineage;
    address birth;
    address succession;
    address vault;
    address owning;
    address trading;
    address liquidity;
    address death;
    address swapAdapter;
    address positionAdapter;
    address epitaph;
    address usdc;
    address weth;
    address uniswapFactory;
    address positionManager;
}
