// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Life, NO_GOLEM, Phase} from "contracts/types/Life.sol";
import {Listing, PartitionId, Split, USE_PAYEE_LLM, USE_POOL} from "contracts/types/Money.sol";

import {ContractWallet} from "test/mocks/Actors.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";
import {UnitTest} from "test/unit/UnitTest.sol";

/// @title Bad input: each a typed error or a defined result (L-003, L-004, L-005, L-021, L-023, V-005, V-010, T-006)
contract BadInputTest is UnitTest {
    /* ZERO AMOUNTS */

    function test_zeroAmounts_areRefusedByName() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 0, 1e6));
        vault.topUp(0);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 0, 1e6));
        vault.topUpWithPermit(0, block.timestamp, "");
        IVaultRules.Authorisation memory nothing;
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 0, 1e6));
        vault.topUpWithAuthorisation(nothing);
        vm.expectRevert(abi.encodeWithSelector(IVaultMoney.BelowMinimum.selector, 0, 1e6));
        vault.sync();
        vm.startPrank(KEY);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vault.spend(PartitionId.Llm, PAYEE, 0);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vault.rebalance(PartitionId.Llm, PartitionId.Gas, 0);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vault.raiseReserve(PartitionId.Llm, 0);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vault.refuel(address(pool), 0, 0, block.timestamp);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 0, 0, block.timestamp));
        vm.stopPrank();
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _mint(0, 0);
        vm.startPrank(OWNER);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vault.fundCapital(0);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vault.withdrawCapital(0);
        vm.stopPrank();
        _kill();
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vm.prank(KEY);
        vault.spendDying(PAYEE, 0);
        _settle();
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        vm.prank(OWNER);
        vault.claim(address(usdc));
    }

    /// @dev No money moves, so nothing is refused: the escrow is what it was.
    function test_zeroAmounts_ofEscrowChangeNothing() public {
        ISuccession.Mandate memory mandate;
        mandate.budget = 1e6;
        mandate.successors = 1;
        mandate.expiry = block.timestamp;
        mandate.executor = EXECUTOR;
        vm.startPrank(OWNER);
        bytes32 id = succession.commit(mandate, 0);
        succession.addEscrow(id, 0);
        succession.withdrawEscrow(id, 0);
        vm.stopPrank();
        assertEq(succession.standingOf(id).escrow, 0);
    }

    function test_zeroTick_isNotAfterZero() public {
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TickNotAfter.selector, 0, 0));
        _beat(0, Phase.Stable);
    }

    /* ZERO ADDRESSES */

    function test_zeroAddresses() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, address(0), USE_PAYEE_LLM));
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, address(0), 1e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, address(0), USE_POOL));
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(0), address(usdc), address(weth), 1e6, 0, block.timestamp));
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, address(0), USE_POOL));
        vm.prank(KEY);
        vault.refuel(address(0), 1e6, 0, block.timestamp);
        Listing[] memory lists = new Listing[](1);
        vm.expectRevert(IVaultRules.ZeroAddress.selector);
        vm.prank(OWNER);
        vault.setListings(lists);
    }

    /// @dev A revoked key is the zero address; nobody can call from there, so nobody is the key.
    function test_zeroKey_isNobody() public {
        vm.prank(OWNER);
        vault.rotateKey(address(0));
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, address(0)));
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, address(0)));
        _beat(1, Phase.Stable);
    }

    /* UNKNOWN IDS */

    function test_unknownIds_areUnbornNeverAlive() public view {
        uint256[3] memory unknown = [uint256(999), NO_GOLEM, uint256(type(uint32).max)];
        for (uint256 i; i < unknown.length; ++i) {
            assertFalse(lineage.isAlive(unknown[i]));
            assertEq(lineage.lifeOf(unknown[i]), "unborn");
            assertEq(lineage.phaseOf(unknown[i]), "unborn");
            assertEq(lineage.causeOf(unknown[i]), "none");
            assertEq(lineage.golem(unknown[i]).life, "unborn");
            assertEq(lineage.successorOf(unknown[i]), NO_GOLEM);
            assertEq(lineage.ancestors(unknown[i], 300).length, 0);
            assertEq(lineage.vaultOf(unknown[i]), address(0));
        }
    }

    /// @dev The implementation behind the vaults is no vault: its id is one that is never born.
    function test_implementation_isNobodysVault() public {
        IVault bare = IVault(suite.vault);
        uint256 id = bare.agentId();
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.WrongLife.selector, id, Life.Unborn, Life.Alive));
        bare.sync();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerUnknown.selector, id));
        bare.owner();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerUnknown.selector, id));
        bare.kill("");
        assertEq(lineage.lifeOf(id), "unborn");
    }

    /* SIGNATURES */

    function test_reusedAuthorisation_creditsOnce() public {
        IVaultRules.Authorisation memory a = _authorisation(5e6, "n");
        vault.topUpWithAuthorisation(a);
        vm.expectRevert(abi.encodeWithSelector(MockUsdc.AuthorizationUsed.selector, OWNER, bytes32("n")));
        vault.topUpWithAuthorisation(a);
        assertEq(vault.accounted(), 1_105e6);
    }

    /// @dev A birth's authorisation is spent with the birth; the same order again is the same vault.
    function test_reusedBirthAuthorisation_givesNoSecondBirth() public {
        IBirth.Order memory order = _order();
        order.nonce = 5;
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Authorisation;
        funding.validBefore = block.timestamp + 1;
        address at = births.vaultAddress(order);
        funding.signature =
            _sign(OWNER_SK, usdc.receiveDigest(OWNER, at, 1_100e6, 0, funding.validBefore, births.birthHash(order)));
        births.birth(order, funding);
        vm.expectRevert(abi.encodeWithSelector(IBirth.AlreadyBorn.selector, at));
        births.birth(order, funding);
        assertEq(identity.balanceOf(OWNER), 2);
    }

    function test_expiredPermit_leavesItToTheAllowance() public {
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        vault.topUpWithPermit(5e6, block.timestamp - 1, new bytes(65));
    }

    function test_wrongChainId_signsNothingHere() public {
        uint256 here = block.chainid;
        vm.chainId(8453);
        IVaultRules.Authorisation memory a = _authorisation(5e6, "n");
        bytes32 digest = succession.successorKeyDigest("m", golem, KEY);
        bytes32 hash = births.birthHash(_order());
        vm.chainId(here);
        vm.expectRevert(MockUsdc.BadSignature.selector);
        vault.topUpWithAuthorisation(a);
        assertTrue(succession.successorKeyDigest("m", golem, KEY) != digest);
        assertTrue(births.birthHash(_order()) != hash);
    }

    /* PREDECESSORS */

    function _heir(address owner) private view returns (IBirth.Order memory order) {
        order = _order();
        order.owner = owner;
        order.funder = owner;
        order.predecessor = golem;
        order.playbookDigest = "diverged";
        order.nonce = 9;
    }

    function test_foreignPredecessor_isRefused() public {
        _kill();
        _settle();
        IBirth.Order memory order = _heir(STRANGER);
        IBirth.Funding memory funding;
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotPredecessorOwner.selector, golem, STRANGER, OWNER));
        vm.prank(STRANGER);
        births.birth(order, funding);
    }

    /// @dev An identity that is no Golem has nobody to succeed.
    function test_predecessorThatIsNoGolem_isRefused() public {
        vm.prank(OWNER);
        uint256 plain = identity.register();
        IBirth.Order memory order = _heir(OWNER);
        order.predecessor = plain;
        IBirth.Funding memory funding;
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.WrongLife.selector, plain, Life.Unborn, Life.Dead));
        vm.prank(OWNER);
        births.birth(order, funding);
    }

    function test_doubleSuccessor_isRefused() public {
        _kill();
        _settle();
        uint256 first = golem;
        IBirth.Order memory order = _heir(OWNER);
        _giveBirth(order);
        order.nonce = 10;
        IBirth.Funding memory funding;
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.AlreadySucceeded.selector, first, golem));
        vm.prank(OWNER);
        births.birth(order, funding);
    }

    /* ODD PARTIES */

    /// @dev A key may be a contract: it beats, spends and settles like any other.
    function test_contractKey_livesAndDies() public {
        ContractWallet wallet = new ContractWallet(true, true);
        IBirth.Order memory order = _order();
        order.key = address(wallet);
        order.nonce = 3;
        order.listings = _lists();
        _giveBirth(order);
        wallet.act(
            suite.lineage, abi.encodeCall(ILineageRegistry.beat, (golem, 1, Phase.Stable, 1, bytes32(0), uint32(0), ""))
        );
        wallet.act(address(vault), abi.encodeCall(IVaultMoney.spend, (PartitionId.Llm, PAYEE, 1e6)));
        wallet.act(address(vault), abi.encodeCall(IVaultTrading.refuel, (address(pool), 1e6, 0)));
        assertGt(address(wallet).balance, 0);
        wallet.act(address(vault), abi.encodeCall(IVaultDeath.dieSenescent, ("")));
        wallet.act(address(vault), abi.encodeCall(IVaultDeath.settle, (_testament(), _stain())));
        assertEq(lineage.lifeOf(golem), "dead");
    }

    /// @dev An owner that refuses ERC-721 gets the token all the same, and everything at death, NFTs included.
    function test_ownerThatRefusesNfts_isBornToAndPaid() public {
        ContractWallet wallet = new ContractWallet(false, false);
        IBirth.Order memory order = _order();
        order.owner = address(wallet);
        order.nonce = 4;
        order.listings = _lists();
        _giveBirth(order);
        assertEq(identity.ownerOf(golem), address(wallet));
        _buy(100e6);
        uint256 id = _mint(0.01 ether, 30e6);
        wallet.act(address(vault), abi.encodeCall(IVaultDeath.kill, ("")));
        _settle();
        (, bytes memory answer) = address(manager).staticcall(abi.encodeWithSignature("ownerOf(uint256)", id));
        assertEq(abi.decode(answer, (address)), address(wallet));
        assertEq(usdc.balanceOf(address(vault)), 0);
        assertEq(usdc.balanceOf(address(wallet)), 970e6, "1,100 less what was bought and provided");
    }

    /// @dev Native coin that the owner cannot take stays for a better owner; nothing else waits for it.
    function test_ownerThatRefusesNativeCoin_keepsItAsAClaim() public {
        ContractWallet wallet = new ContractWallet(false, false);
        IBirth.Order memory order = _order();
        order.owner = address(wallet);
        order.nonce = 4;
        _giveBirth(order);
        wallet.act(address(vault), abi.encodeCall(IVaultDeath.kill, ("")));
        vm.deal(address(vault), 1 ether);
        _settle();
        vm.expectRevert(SafeTransferLib.ETHTransferFailed.selector);
        wallet.act(address(vault), abi.encodeCall(IVaultDeath.claim, (address(0))));
        wallet.act(
            suite.identity,
            abi.encodeWithSignature("transferFrom(address,address,uint256)", address(wallet), BUYER, golem)
        );
        vm.prank(BUYER);
        assertEq(vault.claim(address(0)), 1 ether);
    }

    /// @dev An owner that USDC blocks: the death passes, the money waits, and he claims where he is not blocked.
    function test_blockedOwner_diesAndClaimsElsewhere() public {
        usdc.setBlocked(OWNER, true);
        _kill();
        _finalise();
        assertEq(lineage.lifeOf(golem), "dead");
        vm.expectRevert(SafeTransferLib.TransferFailed.selector);
        vm.prank(OWNER);
        vault.claim(address(usdc));
        _sell();
        vm.prank(BUYER);
        assertEq(vault.claim(address(usdc)), 1_100e6);
    }

    /// @dev A birth whose funder USDC blocks leaves nothing behind.
    function test_blockedFunder_isNotBornTo() public {
        usdc.setBlocked(OWNER, true);
        IBirth.Order memory order = _order();
        order.nonce = 6;
        IBirth.Funding memory funding;
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        births.birth(order, funding);
        assertEq(births.vaultAddress(order).code.length, 0);
        assertEq(identity.balanceOf(OWNER), 1);
    }

    /// @dev An enum beyond its names never reaches the code.
    function test_unknownEnumValues_areRefused() public {
        vm.startPrank(KEY);
        (bool ok,) = address(vault).call(abi.encodeWithSignature("spend(uint8,address,uint256)", 4, PAYEE, 1));
        assertFalse(ok);
        (ok,) = address(vault).call(abi.encodeWithSignature("resplit(uint8)", 3));
        assertFalse(ok);
        (ok,) = suite.lineage
            .call(
                abi.encodeWithSignature(
                    "beat(uint256,uint64,uint8,uint32,bytes32,uint32,bytes)", golem, 1, 5, 0, bytes32(0), 0, ""
                )
            );
        assertFalse(ok);
        vm.stopPrank();
        assertEq(lineage.golem(golem).ticks, 0);
    }

    function test_unknownSelector_isRefused() public {
        (bool ok,) = address(vault).call(abi.encodeWithSignature("sweepAll(address)", STRANGER));
        assertFalse(ok);
    }
}
