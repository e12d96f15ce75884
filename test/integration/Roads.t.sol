// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {RollLib} from "contracts/libraries/RollLib.sol";
import {NO_GOLEM, Phase} from "contracts/types/Life.sol";
import {Listing, PartitionId, Policy, Split} from "contracts/types/Money.sol";

import {BaseTest} from "test/BaseTest.sol";

/// @title The less travelled roads through a life, each once
contract RoadsTest is BaseTest {
    function test_birth_byAuthorisationOfAnotherCaller() public {
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Authorisation;
        funding.validBefore = block.timestamp + 1 hours;
        bytes32 digest = usdc.receiveDigest(
            OWNER, births.vaultAddress(order), 1_100e6, 0, funding.validBefore, births.birthHash(order)
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_SK, digest);
        funding.signature = abi.encodePacked(r, s, v);
        vm.prank(STRANGER);
        (uint256 id, address at) = births.birth(order, funding);
        assertEq(identity.ownerOf(id), OWNER);
        assertEq(usdc.balanceOf(at), 1_100e6);
        vm.prank(STRANGER);
        vm.expectRevert();
        births.birth(order, funding);
    }

    function test_sale_bindsUntilAccept() public {
        _giveBirth();
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER));
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        _beat(1, Phase.Stable);
        bytes32 named = vault.policyHash();
        vm.prank(BUYER);
        vault.accept(KEY, address(0), true, named);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.prank(BUYER);
        vault.accept(KEY, address(0), false, 0);
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, PAYEE, uint8(1)));
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.prank(BUYER);
        vault.killAndRevoke("bought to end");
        vm.prank(KEY);
        vm.expectRevert();
        vault.settle(_testament(), _stain());
        _pass(1 hours);
        vault.finalise();
        assertGt(usdc.balanceOf(BUYER), 1_000e6);
    }

    /// @dev L-006: what the buyer does not name falls away, the seller's key and policy too.
    function test_sale_keepsWhatTheBuyerNames() public {
        _giveBirth();
        Policy memory wide = PolicyLib.template();
        wide.callCap = 1_000e6;
        vm.prank(OWNER);
        vault.setPolicy(wide);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        vm.startPrank(BUYER);
        vm.expectRevert(
            abi.encodeWithSelector(IVaultOwner.PolicyMismatch.selector, keccak256(abi.encode(wide)), PolicyLib.TEMPLATE)
        );
        vault.accept(KEY, address(0), true, PolicyLib.TEMPLATE);
        vault.accept(address(0), address(0), false, 0);
        vm.stopPrank();
        assertEq(vault.key(), address(0));
        assertEq(vault.policy().callCap, 10e6);
        vm.prank(KEY);
        vm.expectRevert();
        vault.spend(PartitionId.Llm, KEY, 1);
    }

    /// @dev V-018: the seller cannot empty what he sells, nor can the buyer before the lock ends.
    function test_sale_lockedUntilItIsOver() public {
        _giveBirth();
        uint256 until = block.timestamp + 1 days;
        vm.startPrank(OWNER);
        vault.lock(until);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.Locked.selector, until, block.timestamp));
        vault.withdrawCapital(1);
        identity.transferFrom(OWNER, BUYER, golem);
        vm.stopPrank();
        vm.startPrank(BUYER);
        vault.accept(KEY, address(0), false, 0);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.Locked.selector, until, block.timestamp));
        vault.withdrawCapital(1);
        _pass(1 days);
        vault.withdrawCapital(1_000e6);
        vm.stopPrank();
        assertEq(usdc.balanceOf(BUYER), 1_000e6);
    }

    /// @dev L-006: a stranger's gift comes without the stranger's key.
    function test_gift_isNobodysUntilAccepted() public {
        usdc.mint(STRANGER, 1_100e6);
        vm.prank(STRANGER);
        usdc.approve(address(births), 1_100e6);
        IBirth.Order memory order = _order();
        order.funder = STRANGER;
        order.listings = _lists();
        _giveBirth(order);
        assertEq(identity.ownerOf(golem), OWNER);
        assertEq(vault.boundOwner(), address(0));
        vm.startPrank(OWNER);
        usdc.approve(address(vault), 100e6);
        vault.topUp(100e6);
        vm.stopPrank();
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, address(0), OWNER));
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        _kill();
        _settle();
        assertEq(usdc.balanceOf(address(vault)), 1_200e6, "it waits for one who has spoken");
        uint256 before = usdc.balanceOf(OWNER);
        vm.prank(OWNER);
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), before + 1_200e6);
    }

    /// @dev L-001: a token sent to its own vault by mistake is still its owner's.
    function test_token_inItsOwnVault() public {
        _giveBirth();
        vm.prank(OWNER);
        identity.transferFrom(OWNER, address(vault), golem);
        assertEq(vault.owner(), OWNER);
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        _kill();
        _settle();
        assertEq(usdc.balanceOf(OWNER), 100_000e6 - 1e6);
        vm.prank(OWNER);
        vault.claimNft(address(identity), golem);
        assertEq(identity.ownerOf(golem), OWNER);
    }

    function test_silence_killsAfterNotice() public {
        _giveBirth();
        vm.expectRevert();
        vault.notice();
        _pass(7 days + 1);
        vm.prank(STRANGER);
        vault.notice();
        _pass(12 hours);
        _beat(1, Phase.Stable);
        _pass(12 hours);
        vm.expectRevert();
        vault.killSilent();
        _pass(7 days + 1);
        vault.notice();
        _pass(24 hours);
        vm.prank(STRANGER);
        vault.killSilent();
        assertEq(lineage.causeOf(golem), "KillSwitch");
    }

    function test_stochastic_checksTheRoll() public {
        _giveBirth();
        uint256 at = block.number - 1;
        vm.setBlockhash(at, keccak256("a block"));
        uint64 hazard = PolicyLib.template().hazardMax;
        uint64 tick = 1;
        while (RollLib.rollOf(address(vault), tick, blockhash(at)) >= hazard) ++tick;
        uint64 roll = RollLib.rollOf(address(vault), tick, blockhash(at));
        vm.startPrank(KEY);
        vm.expectRevert();
        vault.dieStochastic(tick, hazard, roll - 1, at);
        vault.dieStochastic(tick, hazard, roll, at);
        vm.stopPrank();
        assertEq(lineage.causeOf(golem), "Stochastic");
    }

    /// @dev T-002: verified, because the beat before had given the tick its block.
    function test_stochastic_announcedIsVerified() public {
        _giveBirth();
        _pass(1 minutes);
        vm.prank(KEY);
        lineage.beat(golem, 10, Phase.Stable, 800_000, 0, 0, "", 2);
        uint256 at = block.number + 3 * 2;
        vm.roll(at + 1);
        Policy memory open = PolicyLib.template();
        open.hazardMax = uint64(uint256(2 ** 64) / 100);
        vm.prank(OWNER);
        vault.setPolicy(open);
        uint256 salt;
        uint64 roll;
        do {
            vm.setBlockhash(at, keccak256(abi.encode(++salt)));
            roll = RollLib.rollOf(address(vault), 13, blockhash(at));
        } while (roll >= open.hazardMax);
        vm.expectEmit(address(vault));
        emit IVaultDeath.RollRecorded(13, open.hazardMax, roll, at, true);
        vm.prank(KEY);
        vault.dieStochastic(13, open.hazardMax, roll, at);
        assertEq(vault.cause(), "Stochastic");
    }

    function test_terminal_thenLegacyCostsTheDeathBudget() public {
        _giveBirth();
        _beat(1, Phase.Terminal);
        vm.startPrank(KEY);
        vault.resplit(Split.Terminal);
        vault.dieEconomic();
        vault.spendDying(PAYEE, 1e6);
        vm.expectRevert();
        vault.spendDying(PAYEE, 1);
        vm.stopPrank();
        _settle();
        assertEq(usdc.balanceOf(OWNER), 100_000e6 - 1e6);
    }

    function test_blockedOwner_claimsLater() public {
        _giveBirth();
        _kill();
        usdc.setBlocked(OWNER, true);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        usdc.setBlocked(OWNER, false);
        vm.prank(OWNER);
        assertEq(vault.claim(address(usdc)), 1_100e6);
    }

    function test_revertingRegistry_doesNotStopADeath() public {
        _giveBirth();
        _kill();
        vm.mockCallRevert(address(identity), abi.encodeWithSignature("ownerOf(uint256)", golem), "gone");
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        vm.clearMockedCalls();
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), 100_000e6);
    }

    function test_mandate_givesOneSuccessor() public {
        _giveBirth();
        ISuccession.Mandate memory m;
        m.lineage = golem;
        m.budget = 50e6;
        m.successors = 2;
        m.expiry = block.timestamp + 60 days;
        m.executor = EXECUTOR;
        m.policyHash = PolicyLib.TEMPLATE;
        m.listsHash = keccak256(abi.encode(_lists()));
        m.keys = new address[](2);
        m.keys[0] = makeAddr("KEY 1");
        m.keys[1] = makeAddr("KEY 2");
        vm.startPrank(OWNER);
        usdc.approve(address(succession), type(uint256).max);
        bytes32 id = succession.commit(m, 100e6);
        vm.stopPrank();

        ISuccession.Succeeding memory s;
        s.predecessor = golem;
        s.key = m.keys[0];
        s.listings = _lists();
        s.playbookDigest = keccak256("new");
        s.agentURI = "ipfs://x";
        vm.prank(EXECUTOR);
        vm.expectRevert();
        succession.succeed(OWNER, m, s);
        _pass(1 days);
        _kill();
        _settle();
        vm.prank(EXECUTOR);
        (uint256 next, address at) = succession.succeed(OWNER, m, s);
        assertEq(identity.ownerOf(next), OWNER);
        assertEq(usdc.balanceOf(at), 50e6);
        assertEq(succession.standingOf(id).escrow, 50e6);
        vm.prank(EXECUTOR);
        vm.expectRevert();
        succession.succeed(OWNER, m, s);
        vm.prank(OWNER);
        succession.withdrawEscrow(id, 50e6);
    }

    function test_file_isReadable() public {
        IBirth.Order memory order = _order();
        order.agentURI = "";
        order.name = 'Ada "the first"';
        _giveBirth(order);
        _kill();
        _settle();
        IBirth.Profile memory profile;
        profile.name = order.name;
        vm.writeFile("cache/registration.txt", births.registrationFile(golem, profile));
    }
}
