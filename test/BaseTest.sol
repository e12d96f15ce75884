// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Birth} from "contracts/Birth.sol";
import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Succession} from "contracts/Succession.sol";
import {SuiteDeployer} from "contracts/SuiteDeployer.sol";
import {Life, NO_GOLEM, Phase} from "contracts/types/Life.sol";
import {
    Books,
    Ledger,
    Listing,
    PartitionId,
    Policy,
    Split,
    USE_PAYEE_DATA,
    USE_PAYEE_GAS,
    USE_PAYEE_LEGACY,
    USE_PAYEE_LLM,
    USE_POOL,
    USE_TOKEN
} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";

import {ChainConfig, SuiteBuilder} from "../deploy/SuiteBuilder.sol";

import {Venue} from "test/utils/Venue.sol";

/// @title The stage of every test: the suite deployed as the script deploys it, a real venue, and named actors
abstract contract BaseTest is Venue, SuiteBuilder {
    address internal OWNER;
    uint256 internal OWNER_SK;
    address internal KEY;
    uint256 internal KEY_SK;
    address internal GUARDIAN = makeAddr("GUARDIAN");
    address internal PAYEE = makeAddr("PAYEE");
    address internal BUYER = makeAddr("BUYER");
    address internal STRANGER = makeAddr("STRANGER");
    address internal EXECUTOR = makeAddr("EXECUTOR");
    address internal DEPLOYER = makeAddr("DEPLOYER");

    SuiteDeployer internal deployer;
    Suite internal suite;
    IdentityRegistry internal identity;
    LineageRegistry internal lineage;
    Birth internal births;
    Succession internal succession;

    /// @dev The Golem most tests are about; `_giveBirth` sets both.
    uint256 internal golem;
    IVault internal vault;

    function setUp() public virtual {
        // A day's noon, so that tests cross midnight only when they mean to.
        vm.warp(1_750_000_000 / 1 days * 1 days + 11 hours);
        vm.roll(1000);
        (OWNER, OWNER_SK) = makeAddrAndKey("OWNER");
        (KEY, KEY_SK) = makeAddrAndKey("KEY");
        _deployVenue();
        deployer = new SuiteDeployer();
        vm.startPrank(DEPLOYER);
        suite = deploySuite(
            deployer,
            DEPLOYER,
            ChainConfig(address(usdc), address(weth), address(factory), address(manager), address(0))
        );
        vm.stopPrank();
        identity = IdentityRegistry(suite.identity);
        lineage = LineageRegistry(suite.lineage);
        births = Birth(suite.birth);
        succession = Succession(suite.succession);
        vm.label(suite.vault, "VaultImplementation");
        vm.label(suite.trading, "VaultTrading");
        vm.label(suite.death, "VaultDeath");

        usdc.mint(OWNER, 100_000e6);
        usdc.mint(PAYEE, 1e6);
        vm.prank(OWNER);
        usdc.approve(address(births), type(uint256).max);
    }

    /* BIRTHS */

    /// @dev A generation 0 with the default policy: 100 USDC of credits, 1,000 of capital, no guardian, no lists.
    function _order() internal view returns (IBirth.Order memory order) {
        order.owner = OWNER;
        order.funder = OWNER;
        order.key = KEY;
        order.predecessor = NO_GOLEM;
        order.credits = 100e6;
        order.capital = 1_000e6;
        order.name = "Ada";
        order.agentURI = "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3o";
    }

    /// @dev PAYEE for llm, gas and data; WETH priced by the pool; the pool to trade in.
    function _lists() internal view returns (Listing[] memory lists) {
        lists = new Listing[](3);
        lists[0] = Listing(PAYEE, USE_PAYEE_LLM | USE_PAYEE_GAS | USE_PAYEE_DATA, address(0));
        lists[1] = Listing(address(weth), USE_TOKEN, address(pool));
        lists[2] = Listing(address(pool), USE_POOL, address(0));
    }

    function _giveBirth(IBirth.Order memory order) internal returns (uint256 agentId, IVault made) {
        IBirth.Funding memory funding;
        vm.prank(order.funder);
        address at;
        (agentId, at) = births.birth(order, funding);
        made = IVault(at);
        (golem, vault) = (agentId, made);
    }

    /// @dev The Golem of most tests: `_order` with `_lists` and a guardian.
    function _giveBirth() internal returns (uint256 agentId, IVault made) {
        IBirth.Order memory order = _order();
        order.listings = _lists();
        order.guardian = GUARDIAN;
        return _giveBirth(order);
    }

    /* LIFE AND DEATH */

    function _beat(uint64 tick, Phase phase) internal {
        vm.prank(KEY);
        lineage.beat(golem, tick, phase, 800_000, keccak256("outcomes"), 3, "", 0);
    }

    function _testament() internal pure returns (ILineageRegistry.Testament memory) {
        return ILineageRegistry.Testament({
            hash: keccak256("testament"),
            uri: "ipfs://testament",
            genomeRoot: keccak256("genome"),
            playbookDigest: keccak256("playbook"),
            ticksLived: 2_000
        });
    }

    function _stain() internal pure returns (ILineageRegistry.Stain memory) {
        return ILineageRegistry.Stain({regime: "crash", loss: 12e6, evidence: keccak256("evidence")});
    }

    function _kill() internal {
        vm.prank(OWNER);
        vault.kill("enough");
    }

    function _settle() internal {
        vm.prank(KEY);
        vault.settle(_testament(), _stain());
    }

    /// @dev Time with blocks, so that observations and block hashes move along.
    function _pass(uint256 time) internal {
        vm.warp(block.timestamp + time);
        vm.roll(block.number + time / 2 + 1);
    }

    /* LAWS */

    /// @dev V-003: what the vault holds is what it accounts for and what is unallocated.
    function _assertConserved(IVault which) internal view {
        assertEq(
            usdc.balanceOf(address(which)), which.accounted() + which.unallocated(), "V-003: the books do not balance"
        );
    }
}
