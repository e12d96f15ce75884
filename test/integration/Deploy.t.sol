// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {Suite} from "contracts/types/Suite.sol";

import {Deploy} from "../../deploy/Deploy.s.sol";

import {BaseTest} from "test/BaseTest.sol";

/// @title The deploy script, from a config to a file of addresses
contract DeployTest is BaseTest {
    function test_deploy_writesWhatItDeployed() public {
        string memory config = string.concat(
            '{"usdc":"',
            vm.toString(address(usdc)),
            '","weth":"',
            vm.toString(address(weth)),
            '","uniswapFactory":"',
            vm.toString(address(factory)),
            '","positionManager":"',
            vm.toString(address(manager)),
            '","identityRegistry":"0x0000000000000000000000000000000000000000"}'
        );
        vm.writeFile("cache/deploy-config.json", config);
        vm.setEnv("BARDO_CONFIG", "cache/deploy-config.json");
        vm.setEnv("BARDO_ADDRESSES", "cache/deploy-addresses.json");
        Deploy script = new Deploy();
        Suite memory made = script.run();
        string memory json = vm.readFile("cache/deploy-addresses.json");
        assertEq(vm.parseJsonAddress(json, ".birth"), made.birth);
        assertEq(vm.parseJsonAddress(json, ".vaultOwner"), made.owning);
        assertGt(made.succession.code.length, 0);
        assertGt(made.liquidity.code.length, 0);
        assertGt(made.epitaph.code.length, 0);
        Suite memory again = script.run();
        assertEq(keccak256(abi.encode(made)), keccak256(abi.encode(again)));

        vm.prank(OWNER);
        usdc.approve(made.birth, type(uint256).max);
        IBirth.Funding memory funding;
        vm.prank(OWNER);
        (, address at) = IBirth(made.birth).birth(_order(), funding);
        assertEq(usdc.balanceOf(at), 1_100e6);
    }
}
