// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {CREATE3} from "solady/utils/CREATE3.sol";

import {SuiteBound} from "contracts/SuiteBound.sol";
import {SuiteDeployer} from "contracts/SuiteDeployer.sol";
import {Suite} from "contracts/types/Suite.sol";

import {BaseTest} from "test/BaseTest.sol";
import {MockToken} from "test/mocks/MockToken.sol";

/// @title deploy, addressOf, and the addresses every contract of the suite was given (L-002, L-010)
contract SuiteDeployerTest is BaseTest {
    function test_deploy_atTheAddressKnownBeforehand() public {
        address expected = deployer.addressOf(STRANGER, "salt");
        assertEq(expected.code.length, 0);
        vm.expectEmit(address(deployer));
        emit SuiteDeployer.Deployed(STRANGER, "salt", expected);
        vm.prank(STRANGER);
        assertEq(deployer.deploy("salt", type(MockToken).creationCode), expected);
        assertEq(MockToken(expected).symbol(), "TKN");
    }

    function test_deploy_theSaltIsTheCallersOwn() public {
        assertTrue(deployer.addressOf(STRANGER, "salt") != deployer.addressOf(BUYER, "salt"));
        vm.prank(STRANGER);
        deployer.deploy("salt", type(MockToken).creationCode);
        vm.prank(BUYER);
        assertEq(deployer.deploy("salt", type(MockToken).creationCode), deployer.addressOf(BUYER, "salt"), "not taken");
    }

    function test_deploy_revertsTwiceOrWhenTheConstructorDoes() public {
        vm.startPrank(STRANGER);
        deployer.deploy("salt", type(MockToken).creationCode);
        vm.expectRevert(CREATE3.DeploymentFailed.selector);
        deployer.deploy("salt", type(MockToken).creationCode);
        vm.expectRevert(CREATE3.DeploymentFailed.selector);
        deployer.deploy("other", hex"5f5ffd");
        vm.expectRevert(CREATE3.DeploymentFailed.selector);
        deployer.deploy("third", "");
        vm.stopPrank();
    }

    /// @dev One struct for all: no two neighbours are wired to different suites.
    function test_suite_isTheSameEverywhere() public view {
        bytes32 expected = keccak256(abi.encode(suite));
        address[11] memory all = [
            suite.lineage,
            suite.birth,
            suite.succession,
            suite.vault,
            suite.owning,
            suite.trading,
            suite.liquidity,
            suite.death,
            suite.swapAdapter,
            suite.positionAdapter,
            suite.epitaph
        ];
        for (uint256 i; i < all.length; ++i) {
            assertEq(keccak256(abi.encode(SuiteBound(all[i]).suite())), expected);
        }
    }

    /// @dev L-002: no admin, no upgrade, no pause; no such door answers on any contract of ours.
    function test_suite_hasNoAdminDoors() public {
        address[12] memory all = [
            suite.identity,
            suite.lineage,
            suite.birth,
            suite.succession,
            suite.vault,
            suite.owning,
            suite.trading,
            suite.liquidity,
            suite.death,
            suite.swapAdapter,
            suite.positionAdapter,
            suite.epitaph
        ];
        string[6] memory doors = [
            "pause()",
            "upgradeTo(address)",
            "upgradeToAndCall(address,bytes)",
            "transferOwnership(address)",
            "setAdmin(address)",
            "execute(address,bytes)"
        ];
        for (uint256 i; i < all.length; ++i) {
            for (uint256 j; j < doors.length; ++j) {
                vm.prank(DEPLOYER);
                (bool ok,) = all[i].call(abi.encodePacked(bytes4(keccak256(bytes(doors[j]))), new bytes(96)));
                assertFalse(ok);
            }
        }
    }
}
