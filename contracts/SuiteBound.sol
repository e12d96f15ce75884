// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Suite} from "contracts/types/Suite.sol";

/// @title The addresses of the suite as immutables
/// @dev There is no setter, so "no admin, no upgrade" (L-002) is visible here. One struct serves every constructor, so
/// a deployment cannot wire two contracts of a suite to different neighbours without it showing in the arguments.
abstract contract SuiteBound {
    /* IMMUTABLES */

    address internal immutable IDENTITY;
    address internal immutable LINEAGE;
    address internal immutable BIRTH;
    address internal immutable SUCCESSION;
    address internal immutable VAULT;
    address internal immutable OWNING;
    address internal immutable TRADING;
    address internal immutable LIQUIDITY;
    address internal immutable DEATH;
    address internal immutable SWAP_ADAPTER;
    address internal immutable POSITION_ADAPTER;
    address internal immutable EPITAPH;
    address internal immutable USDC;
    address internal immutable WETH;
    address internal immutable UNISWAP_FACTORY;
    address internal immutable POSITION_MANAGER;

    constructor(Suite memory suite_) {
        IDENTITY = suite_.identity;
        LINEAGE = suite_.lineage;
        BIRTH = suite_.birth;
        SUCCESSION = suite_.succession;
        VAULT = suite_.vault;
        OWNING = suite_.owning;
        TRADING = suite_.trading;
        LIQUIDITY = suite_.liquidity;
        DEATH = suite_.death;
        SWAP_ADAPTER = suite_.swapAdapter;
        POSITION_ADAPTER = suite_.positionAdapter;
        EPITAPH = suite_.epitaph;
        USDC = suite_.usdc;
        WETH = suite_.weth;
        UNISWAP_FACTORY = suite_.uniswapFactory;
        POSITION_MANAGER = suite_.positionManager;
    }

    /// @notice The addresses this contract was deployed with.
    function suite() external view returns (Suite memory) {
        return Suite(
            IDENTITY,
            LINEAGE,
            BIRTH,
            SUCCESSION,
            VAULT,
            OWNING,
            TRADING,
            LIQUIDITY,
            DEATH,
            SWAP_ADAPTER,
            POSITION_ADAPTER,
            EPITAPH,
            USDC,
            WETH,
            UNISWAP_FACTORY,
            POSITION_MANAGER
        );
    }
}
