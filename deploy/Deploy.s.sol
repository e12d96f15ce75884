// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Script} from "forge-std/Script.sol";

import {SuiteDeployer} from "contracts/SuiteDeployer.sol";
import {Suite} from "contracts/types/Suite.sol";

import {ChainConfig, SuiteBuilder} from "./SuiteBuilder.sol";

/// @title Deploys the suite on anvil, Base Sepolia or Base
/// @notice `forge script deploy/Deploy.s.sol --rpc-url <url> --broadcast --private-key <key>`
/// @dev Reads deploy/config/<chain id>.json, or the file named by `BARDO_CONFIG` (a devnet learns its addresses only at
/// run time). Writes deploy/addresses/<chain id>.json, or the file named by `BARDO_ADDRESSES`.
contract Deploy is Script, SuiteBuilder {
    /// @dev The CREATE2 deployer that stands on every chain at the same address.
    address private constant CREATE2_DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;

    function run() external returns (Suite memory suite) {
        ChainConfig memory config = _readConfig();
        vm.startBroadcast();
        (, address by,) = vm.readCallers();
        SuiteDeployer deployer = _deployer();
        suite = deploySuite(deployer, by, config);
        vm.stopBroadcast();
        _write(suite, address(deployer), by);
    }

    function _deployer() private returns (SuiteDeployer) {
        bytes memory code = type(SuiteDeployer).creationCode;
        address expected = vm.computeCreate2Address(0, keccak256(code), CREATE2_DEPLOYER);
        if (expected.code.length == 0) {
            (bool ok,) = CREATE2_DEPLOYER.call(bytes.concat(bytes32(0), code));
            require(ok && expected.code.length != 0, "the CREATE2 deployer is missing on this chain");
        }
        return SuiteDeployer(expected);
    }

    function _readConfig() private view returns (ChainConfig memory config) {
        string memory path =
            vm.envOr("BARDO_CONFIG", string.concat("deploy/config/", vm.toString(block.chainid), ".json"));
        string memory json = vm.readFile(path);
        config.usdc = vm.parseJsonAddress(json, ".usdc");
        config.weth = vm.parseJsonAddress(json, ".weth");
        config.uniswapFactory = vm.parseJsonAddress(json, ".uniswapFactory");
        config.positionManager = vm.parseJsonAddress(json, ".positionManager");
        config.identityRegistry = vm.parseJsonAddress(json, ".identityRegistry");
        require(config.usdc.code.length != 0, "usdc of the config is no contract on this chain");
        require(config.weth.code.length != 0, "weth of the config is no contract on this chain");
        require(config.uniswapFactory.code.length != 0, "uniswapFactory of the config is no contract on this chain");
        require(config.positionManager.code.length != 0, "positionManager of the config is no contract on this chain");
        require(
            config.identityRegistry == address(0) || config.identityRegistry.code.length != 0,
            "identityRegistry of the config is no contract on this chain"
        );
    }

    function _write(Suite memory suite, address deployer, address by) private {
        string memory o = "suite";
        vm.serializeUint(o, "chainId", block.chainid);
        vm.serializeUint(o, "block", block.number);
        vm.serializeAddress(o, "deployedBy", by);
        vm.serializeAddress(o, "suiteDeployer", deployer);
        vm.serializeAddress(o, "identityRegistry", suite.identity);
        vm.serializeAddress(o, "lineageRegistry", suite.lineage);
        vm.serializeAddress(o, "birth", suite.birth);
        vm.serializeAddress(o, "succession", suite.succession);
        vm.serializeAddress(o, "vault", suite.vault);
        vm.serializeAddress(o, "vaultOwner", suite.owning);
        vm.serializeAddress(o, "vaultTrading", suite.trading);
        vm.serializeAddress(o, "vaultLiquidity", suite.liquidity);
        vm.serializeAddress(o, "vaultDeath", suite.death);
        vm.serializeAddress(o, "swapAdapter", suite.swapAdapter);
        vm.serializeAddress(o, "positionAdapter", suite.positionAdapter);
        vm.serializeAddress(o, "epitaph", suite.epitaph);
        vm.serializeAddress(o, "usdc", suite.usdc);
        vm.serializeAddress(o, "weth", suite.weth);
        vm.serializeAddress(o, "uniswapFactory", suite.uniswapFactory);
        string memory json = vm.serializeAddress(o, "positionManager", suite.positionManager);
        vm.writeJson(
            json, vm.envOr("BARDO_ADDRESSES", string.concat("deploy/addresses/", vm.toString(block.chainid), ".json"))
        );
    }
}
