// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {UniswapV3PositionAdapter} from "contracts/adapters/UniswapV3PositionAdapter.sol";
import {UniswapV3SwapAdapter} from "contracts/adapters/UniswapV3SwapAdapter.sol";
import {Birth} from "contracts/Birth.sol";
import {Epitaph} from "contracts/Epitaph.sol";
import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Succession} from "contracts/Succession.sol";
import {SuiteDeployer} from "contracts/SuiteDeployer.sol";
import {Suite} from "contracts/types/Suite.sol";
import {Vault} from "contracts/Vault.sol";
import {VaultDeath} from "contracts/VaultDeath.sol";
import {VaultLiquidity} from "contracts/VaultLiquidity.sol";
import {VaultOwner} from "contracts/VaultOwner.sol";
import {VaultTrading} from "contracts/VaultTrading.sol";

/// @notice What a chain brings along. A zero `identityRegistry` means: deploy ours.
struct ChainConfig {
    address usdc;
    address weth;
    address uniswapFactory;
    address positionManager;
    address identityRegistry;
}

/// @title Deploys the suite: the same steps for the script and for the tests
/// @dev Salts are the contracts' names with the version. All addresses follow from (SuiteDeployer, caller, salt), so the
/// order does not matter to the contracts; it is fixed for the reader's sake.
abstract contract SuiteBuilder {
    string private constant VERSION = "bardo.1.";

    /// @notice The addresses the suite will have, deployed by `by` through `deployer`.
    function predictSuite(SuiteDeployer deployer, address by, ChainConfig memory config)
        internal
        view
        returns (Suite memory suite)
    {
        suite.identity = config.identityRegistry == address(0)
            ? deployer.addressOf(by, _saltOf("IdentityRegistry"))
            : config.identityRegistry;
        suite.lineage = deployer.addressOf(by, _saltOf("LineageRegistry"));
        suite.birth = deployer.addressOf(by, _saltOf("Birth"));
        suite.succession = deployer.addressOf(by, _saltOf("Succession"));
        suite.vault = deployer.addressOf(by, _saltOf("Vault"));
        suite.owning = deployer.addressOf(by, _saltOf("VaultOwner"));
        suite.trading = deployer.addressOf(by, _saltOf("VaultTrading"));
        suite.liquidity = deployer.addressOf(by, _saltOf("VaultLiquidity"));
        suite.death = deployer.addressOf(by, _saltOf("VaultDeath"));
        suite.swapAdapter = deployer.addressOf(by, _saltOf("UniswapV3SwapAdapter"));
        suite.positionAdapter = deployer.addressOf(by, _saltOf("UniswapV3PositionAdapter"));
        suite.epitaph = deployer.addressOf(by, _saltOf("Epitaph"));
        suite.usdc = config.usdc;
        suite.weth = config.weth;
        suite.uniswapFactory = config.uniswapFactory;
        suite.positionManager = config.positionManager;
    }

    /// @notice Deploys what is not there yet; running it again changes nothing.
    function deploySuite(SuiteDeployer deployer, address by, ChainConfig memory config)
        internal
        returns (Suite memory suite)
    {
        suite = predictSuite(deployer, by, config);
        bytes memory args = abi.encode(suite);
        if (config.identityRegistry == address(0)) {
            _deploy(deployer, suite.identity, "IdentityRegistry", type(IdentityRegistry).creationCode);
        }
        _deploy(deployer, suite.lineage, "LineageRegistry", bytes.concat(type(LineageRegistry).creationCode, args));
        _deploy(
            deployer,
            suite.swapAdapter,
            "UniswapV3SwapAdapter",
            bytes.concat(type(UniswapV3SwapAdapter).creationCode, args)
        );
        _deploy(
            deployer,
            suite.positionAdapter,
            "UniswapV3PositionAdapter",
            bytes.concat(type(UniswapV3PositionAdapter).creationCode, args)
        );
        _deploy(deployer, suite.owning, "VaultOwner", bytes.concat(type(VaultOwner).creationCode, args));
        _deploy(deployer, suite.trading, "VaultTrading", bytes.concat(type(VaultTrading).creationCode, args));
        _deploy(deployer, suite.liquidity, "VaultLiquidity", bytes.concat(type(VaultLiquidity).creationCode, args));
        _deploy(deployer, suite.death, "VaultDeath", bytes.concat(type(VaultDeath).creationCode, args));
        _deploy(deployer, suite.vault, "Vault", bytes.concat(type(Vault).creationCode, args));
        _deploy(deployer, suite.birth, "Birth", bytes.concat(type(Birth).creationCode, args));
        _deploy(deployer, suite.succession, "Succession", bytes.concat(type(Succession).creationCode, args));
        _deploy(deployer, suite.epitaph, "Epitaph", bytes.concat(type(Epitaph).creationCode, args));
    }

    function _deploy(SuiteDeployer deployer, address expected, string memory name, bytes memory creationCode) private {
        if (expected.code.length != 0) return;
        address deployed = deployer.deploy(_saltOf(name), creationCode);
        require(deployed == expected, string.concat("deployed elsewhere: ", name));
    }

    function _saltOf(string memory name) private pure returns (bytes32) {
        return keccak256(bytes(string.concat(VERSION, name)));
    }
}
