// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Life, NO_GOLEM} from "contracts/types/Life.sol";
import {Books, Ledger, Listing, PartitionId, Policy, USE_PAYEE_LLM} from "contracts/types/Money.sol";

import {BaseTest} from "test/BaseTest.sol";
import {ContractWallet} from "test/mocks/Actors.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";

/// @title birth, vaultAddress, birthHash (L-001, L-004, L-005, L-006, L-013, L-020, L-021, V-001, V-004)
contract BirthTest is BaseTest {
    function _birth(address caller, IBirth.Order memory order) private returns (uint256, address) {
        IBirth.Funding memory funding;
        vm.prank(caller);
        return births.birth(order, funding);
    }

    function _sign(bytes32 digest) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_SK, digest);
        return abi.encodePacked(r, s, v);
    }

    function _authorised(IBirth.Order memory order) private view returns (IBirth.Funding memory funding) {
        funding.kind = IBirth.FundingKind.Authorisation;
        funding.validBefore = block.timestamp + 1 hours;
        funding.signature = _sign(
            usdc.receiveDigest(
                order.funder,
                births.vaultAddress(order),
                order.credits + order.capital,
                0,
                funding.validBefore,
                births.birthHash(order)
            )
        );
    }

    /// @dev L-005: no token, no vault, no USDC moved.
    function _assertNothing(IBirth.Order memory order) private view {
        assertEq(identity.balanceOf(OWNER), 0, "no token");
        assertEq(births.vaultAddress(order).code.length, 0, "no vault");
        assertEq(usdc.balanceOf(OWNER), 100_000e6, "no USDC moved");
        assertEq(usdc.balanceOf(births.vaultAddress(order)), 0);
        assertEq(lineage.lifeOf(0), "unborn");
    }

    /* WHAT IT DOES */

    function test_birth_doesEverythingInOneTransaction() public {
        IBirth.Order memory order = _order();
        order.listings = _lists();
        order.guardian = GUARDIAN;
        address expected = births.vaultAddress(order);
        bytes memory packed = abi.encodePacked(uint32(0), uint16(0), type(uint40).max, expected);

        vm.expectEmit(suite.identity);
        emit IIdentityRegistry.Registered(0, order.agentURI, address(births));
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Born(0, 0, OWNER, 0, NO_GOLEM, expected, KEY, 0);
        vm.expectEmit(suite.identity);
        emit IIdentityRegistry.MetadataSet(0, "golem", "golem", packed);
        vm.expectEmit(expected);
        emit IVaultOwner.Initialised(0, OWNER, GUARDIAN, 100e6, 2e6, 1_000e6, false);
        vm.expectEmit(expected);
        emit IVaultOwner.ListingSet(PAYEE, 7, address(0));
        (uint256 id, IVault made) = _giveBirth(order);

        assertEq(id, 0, "ids start at 0");
        assertEq(address(made), expected, "L-004: known beforehand");
        assertEq(identity.ownerOf(id), OWNER);
        assertEq(identity.tokenURI(id), order.agentURI);
        assertEq(identity.getMetadata(id, "golem"), packed);
        assertEq(packed.length, 31);
        assertEq(identity.getAgentWallet(id), address(0), "L-013: never points at a contract of ours");
        assertEq(made.agentId(), id);
        assertEq(made.owner(), OWNER);
        assertEq(made.boundOwner(), OWNER);
        assertEq(made.guardian(), GUARDIAN);
        Books memory books = made.books();
        assertEq(books.reserve, 2e6);
        assertEq(books.capital, 1_000e6);
        assertEq(books.highWater, 1_000e6);
        assertEq(books.deployed, 0);
        Ledger memory credits = made.credits();
        assertEq(credits.llm, 58.8e6);
        assertEq(credits.gas, 24.5e6);
        assertEq(credits.data, 14.7e6);
        assertEq(credits.legacy, 0);
        assertEq(usdc.balanceOf(expected), 1_100e6);
        _assertConserved(made);
    }

    /// @dev L-001: the suite holds no approval over the token after birth.
    function test_birth_leavesNoApprovalOverTheToken() public {
        _giveBirth(_order());
        assertEq(identity.getApproved(golem), address(0));
        address[4] memory ours = [suite.birth, suite.lineage, suite.succession, address(vault)];
        for (uint256 i; i < ours.length; ++i) {
            assertFalse(identity.isApprovedForAll(OWNER, ours[i]));
            assertFalse(identity.isAuthorizedOrOwner(ours[i], golem));
        }
        assertEq(usdc.allowance(suite.birth, address(vault)), 0);
    }

    /// @dev V-004: reserve = max(0.30, 2% of credits, estimate 0.22), rounded up; dust goes to llm.
    function test_birth_reserveIsTheGreatestOfThree() public {
        IBirth.Order memory order = _order();
        order.credits = 1e6;
        _giveBirth(order);
        assertEq(vault.books().reserve, 300_000);
        order.credits = 15e6;
        order.nonce = 1;
        _giveBirth(order);
        assertEq(vault.books().reserve, 300_000, "2% of 15 is the floor itself");
        order.credits = 15e6 + 1;
        order.nonce = 2;
        _giveBirth(order);
        assertEq(vault.books().reserve, 300_001, "rounded up");
        Ledger memory credits = vault.credits();
        // 14,700,000 by 25% and 15%, the rest to llm.
        assertEq(credits.gas, 3_675_000);
        assertEq(credits.data, 2_205_000);
        assertEq(credits.llm, 8_820_000);
        order.credits = 10_000_003;
        order.nonce = 3;
        _giveBirth(order);
        credits = vault.credits();
        assertEq(credits.gas, 2_425_000);
        assertEq(credits.data, 1_455_000);
        assertEq(credits.llm, 5_820_003, "the dust");
    }

    function test_birth_withoutCapitalGuardianOrLists() public {
        IBirth.Order memory order = _order();
        order.capital = 0;
        _giveBirth(order);
        assertEq(vault.books().capital, 0);
        assertEq(vault.guardian(), address(0));
        assertEq(vault.accounted(), 100e6);
    }

    function test_birth_ofTwoGolemsDoesNotMixTheirMoney() public {
        (, IVault first) = _giveBirth(_order());
        IBirth.Order memory order = _order();
        order.nonce = 1;
        (, IVault second) = _giveBirth(order);
        assertTrue(first != second, "V-001");
        assertEq(usdc.balanceOf(address(first)), 1_100e6);
        assertEq(usdc.balanceOf(address(second)), 1_100e6);
    }

    /* ADDRESS AND HASH */

    /// @dev L-004: salt = keccak(owner, funder, key, guardian, policy hash, lists hash, predecessor, nonce).
    function test_vaultAddress_dependsOnEveryoneWhoRules() public view {
        IBirth.Order memory order = _order();
        address base = births.vaultAddress(order);
        order.owner = STRANGER;
        assertTrue(births.vaultAddress(order) != base, "owner");
        order = _order();
        order.funder = STRANGER;
        assertTrue(births.vaultAddress(order) != base, "funder");
        order = _order();
        order.key = STRANGER;
        assertTrue(births.vaultAddress(order) != base, "key");
        order = _order();
        order.guardian = STRANGER;
        assertTrue(births.vaultAddress(order) != base, "guardian");
        order = _order();
        order.policy = new Policy[](1);
        assertTrue(births.vaultAddress(order) != base, "policy");
        order = _order();
        order.listings = _lists();
        assertTrue(births.vaultAddress(order) != base, "lists");
        order = _order();
        order.predecessor = 0;
        assertTrue(births.vaultAddress(order) != base, "predecessor");
        order = _order();
        order.nonce = 1;
        assertTrue(births.vaultAddress(order) != base, "nonce");
        order = _order();
        (order.credits, order.capital, order.name, order.agentURI, order.playbookDigest) = (5e6, 0, "Bo", "", "digest");
        assertEq(births.vaultAddress(order), base, "however much it is funded with");
    }

    function test_birthHash_coversAllOfTheOrderAndTheChain() public {
        IBirth.Order memory order = _order();
        bytes32 base = births.birthHash(order);
        order.credits += 1;
        assertTrue(births.birthHash(order) != base, "credits");
        order = _order();
        order.capital += 1;
        assertTrue(births.birthHash(order) != base, "capital");
        order = _order();
        order.playbookDigest = "x";
        assertTrue(births.birthHash(order) != base, "digest");
        order = _order();
        order.name = "Bo";
        assertTrue(births.birthHash(order) != base, "name");
        order = _order();
        order.agentURI = "";
        assertTrue(births.birthHash(order) != base, "URI");
        order = _order();
        order.nonce = 1;
        assertTrue(births.birthHash(order) != base, "salt");
        vm.chainId(block.chainid + 1);
        assertTrue(births.birthHash(_order()) != base, "chain");
    }

    function test_birth_revertsForAnOrderAlreadyBorn() public {
        _giveBirth(_order());
        vm.expectRevert(abi.encodeWithSelector(IBirth.AlreadyBorn.selector, address(vault)));
        _birth(OWNER, _order());
    }

    function test_birth_usdcSentAheadIsUnallocated() public {
        IBirth.Order memory order = _order();
        usdc.mint(births.vaultAddress(order), 5e6);
        _giveBirth(order);
        assertEq(vault.unallocated(), 5e6);
        assertEq(vault.sync(), 5e6);
    }

    /* FUNDING */

    function test_birth_onlyTheFunderSpendsHisAllowance() public {
        IBirth.Order memory order = _order();
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotFunder.selector, STRANGER, OWNER));
        _birth(STRANGER, order);
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Permit;
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotFunder.selector, STRANGER, OWNER));
        vm.prank(STRANGER);
        births.birth(order, funding);
        _assertNothing(order);
    }

    function test_birth_revertsWithoutAllowanceOrBalance() public {
        vm.prank(OWNER);
        usdc.approve(address(births), 1_100e6 - 1);
        IBirth.Order memory order = _order();
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        _birth(OWNER, order);
        _assertNothing(order);
    }

    function test_birth_byPermit() public {
        vm.prank(OWNER);
        usdc.approve(address(births), 0);
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Permit;
        funding.validBefore = block.timestamp;
        funding.signature = _sign(usdc.permitDigest(OWNER, address(births), 1_100e6, block.timestamp));
        // Somebody brings the same signature first: the allowance decides.
        uint256 snapshot = vm.snapshotState();
        usdc.permit(OWNER, address(births), 1_100e6, block.timestamp, funding.signature);
        vm.prank(OWNER);
        births.birth(order, funding);
        assertEq(usdc.balanceOf(births.vaultAddress(order)), 1_100e6);
        vm.revertToState(snapshot);
        vm.prank(OWNER);
        births.birth(order, funding);
        assertEq(usdc.balanceOf(births.vaultAddress(order)), 1_100e6);
    }

    function test_birth_expiredPermitWithoutAllowanceLeavesNothing() public {
        vm.prank(OWNER);
        usdc.approve(address(births), 0);
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Permit;
        funding.validBefore = block.timestamp - 1;
        funding.signature = _sign(usdc.permitDigest(OWNER, address(births), 1_100e6, block.timestamp - 1));
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(OWNER);
        births.birth(order, funding);
        _assertNothing(order);
    }

    function test_birth_byAuthorisationBroughtByAnyone() public {
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding = _authorised(order);
        vm.prank(STRANGER);
        (uint256 id, address made) = births.birth(order, funding);
        assertEq(identity.ownerOf(id), OWNER);
        assertEq(usdc.balanceOf(made), 1_100e6);
        assertTrue(usdc.authorizationState(OWNER, births.birthHash(order)));
    }

    /// @dev L-004: the nonce is the birth's hash, so the signature serves no other birth.
    function test_birth_authorisationServesNoOtherOrder() public {
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding = _authorised(order);
        order.name = "Mallory's";
        vm.expectRevert(MockUsdc.BadSignature.selector);
        vm.prank(STRANGER);
        births.birth(order, funding);
        order = _order();
        order.key = STRANGER;
        vm.expectRevert(MockUsdc.BadSignature.selector);
        vm.prank(STRANGER);
        births.birth(order, funding);
        _assertNothing(order);
    }

    function test_birth_authorisationOfAnotherChainOrExpired() public {
        IBirth.Order memory order = _order();
        uint256 here = block.chainid;
        vm.chainId(here + 1);
        IBirth.Funding memory funding = _authorised(order);
        vm.chainId(here);
        vm.expectRevert(MockUsdc.BadSignature.selector);
        births.birth(order, funding);
        funding = _authorised(order);
        vm.warp(funding.validBefore);
        vm.expectRevert(MockUsdc.AuthorizationExpired.selector);
        births.birth(order, funding);
        _assertNothing(order);
    }

    function test_birth_byAContractWalletsAuthorisation() public {
        ContractWallet wallet = new ContractWallet(false, false);
        usdc.mint(address(wallet), 1_100e6);
        IBirth.Order memory order = _order();
        order.funder = address(wallet);
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Authorisation;
        funding.validBefore = block.timestamp + 1;
        funding.signature = wallet.SIGNATURE();
        wallet.sign(
            usdc.receiveDigest(
                address(wallet), births.vaultAddress(order), 1_100e6, 0, funding.validBefore, births.birthHash(order)
            )
        );
        (uint256 id, address made) = births.birth(order, funding);
        assertEq(identity.ownerOf(id), OWNER);
        assertEq(IVault(made).boundOwner(), address(0), "L-006: the funder signed, not the owner");
    }

    /// @dev V-001: EIP-1167 to the letter, the pattern explorers resolve.
    function test_birth_theVaultIsAPlainMinimalProxy() public {
        _giveBirth(_order());
        assertEq(
            address(vault).code,
            abi.encodePacked(hex"363d3d373d3d3d363d73", suite.vault, hex"5af43d82803e903d91602b57fd5bf3")
        );
    }

    /* WHO HAS SPOKEN (L-006) */

    /// @dev STRANGER raises a Golem in OWNER's name, with a key, a guardian and lists of his own.
    function _gift() private {
        IBirth.Order memory order = _order();
        order.funder = STRANGER;
        order.listings = _lists();
        order.guardian = GUARDIAN;
        usdc.mint(STRANGER, 1_100e6);
        vm.prank(STRANGER);
        usdc.approve(address(births), type(uint256).max);
        address expected = births.vaultAddress(order);
        vm.expectEmit(expected);
        emit IVaultOwner.Initialised(0, address(0), GUARDIAN, 100e6, 2e6, 1_000e6, false);
        _giveBirth(order);
    }

    function test_birth_aGiftIsBoundToNobody() public {
        _gift();
        assertEq(vault.boundOwner(), address(0));
        assertEq(vault.owner(), OWNER);
        bytes memory unbound = abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, address(0), OWNER);
        vm.startPrank(KEY);
        vm.expectRevert(unbound);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        vm.expectRevert(unbound);
        vault.refuel(address(pool), 1e6, 0, block.timestamp);
        vm.expectRevert(unbound);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 1e6, 0, block.timestamp));
        vm.expectRevert(unbound);
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.expectRevert(unbound);
        vault.dieSenescent("");
        vm.stopPrank();
        vm.expectRevert(unbound);
        vm.prank(GUARDIAN);
        vault.trip("");
        vm.expectRevert(unbound);
        vm.prank(OWNER);
        vault.setGuardian(OWNER);
        vm.expectRevert(unbound);
        vm.prank(OWNER);
        vault.setListings(_lists());
    }

    /// @dev What the victim tops up stays his: the giver's key has no hand in it.
    function test_birth_aGiftIsTheOwnersToEndAndToAccept() public {
        _gift();
        vm.startPrank(OWNER);
        usdc.approve(address(vault), type(uint256).max);
        vault.topUp(100e6);
        vm.stopPrank();
        uint256 snapshot = vm.snapshotState();
        vm.prank(OWNER);
        vault.kill("a trap");
        _settle();
        assertEq(usdc.balanceOf(address(vault)), 1_200e6, "T-005: he has not spoken to it, so it waits");
        vm.prank(OWNER);
        assertEq(vault.claim(address(usdc)), 1_200e6);

        vm.revertToState(snapshot);
        address fresh = makeAddr("FRESH");
        vm.prank(OWNER);
        vault.accept(fresh, address(0), true, 0);
        assertEq(vault.boundOwner(), OWNER);
        vm.prank(fresh);
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(usdc.balanceOf(PAYEE), 2e6);
    }

    function test_birth_boundByTheOwnersCallOrSignature() public {
        _giveBirth(_order());
        assertEq(vault.boundOwner(), OWNER, "he called");
        IBirth.Order memory order = _order();
        order.nonce = 1;
        IBirth.Funding memory funding = _authorised(order);
        vm.prank(STRANGER);
        (, address made) = births.birth(order, funding);
        assertEq(IVault(made).boundOwner(), OWNER, "he signed");
    }

    /* REFUSALS */

    function test_birth_refusesZeroParties() public {
        IBirth.Order memory order = _order();
        order.owner = address(0);
        vm.expectRevert(IBirth.ZeroParty.selector);
        _birth(OWNER, order);
        order = _order();
        order.key = address(0);
        vm.expectRevert(IBirth.ZeroParty.selector);
        _birth(OWNER, order);
    }

    /// @dev Nobody's authorisation would make "the USDC is already here" true for whoever comes, at a split of his own.
    function test_birth_refusesAFunderThatIsNobody() public {
        IBirth.Order memory order = _order();
        order.funder = address(0);
        usdc.mint(births.vaultAddress(order), 1_100e6);
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Authorisation;
        vm.expectRevert(IBirth.ZeroParty.selector);
        vm.prank(STRANGER);
        births.birth(order, funding);
    }

    function test_birth_refusesTwoPolicies() public {
        IBirth.Order memory order = _order();
        order.policy = new Policy[](2);
        vm.expectRevert(abi.encodeWithSelector(IBirth.TooManyPolicies.selector, 2));
        _birth(OWNER, order);
    }

    function test_birth_refusesCreditsBelowOneUsdcByOneUnit() public {
        IBirth.Order memory order = _order();
        order.credits = 999_999;
        vm.expectRevert(abi.encodeWithSelector(IVaultOwner.CreditsTooLow.selector, 999_999, 1e6));
        _birth(OWNER, order);
        _assertNothing(order);
    }

    function test_birth_refusesSixtyFiveLines() public {
        IBirth.Order memory order = _order();
        order.listings = new Listing[](65);
        for (uint160 i; i < 65; ++i) {
            order.listings[i] = Listing(address(0xbeef + i), USE_PAYEE_LLM, address(0));
        }
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.ListFull.selector, 65, 64));
        _birth(OWNER, order);
        _assertNothing(order);
    }

    function test_birth_refusesCapitalBeyondTheBooks() public {
        IBirth.Order memory order = _order();
        order.capital = uint256(type(uint64).max) + 1;
        usdc.mint(OWNER, order.capital + order.credits);
        vm.expectRevert(abi.encodeWithSignature("Overflow()"));
        _birth(OWNER, order);
    }

    /// @dev L-005: a registry that refuses takes the whole birth with it.
    function test_birth_withoutIdentityThereIsNoBirth() public {
        IBirth.Order memory order = _order();
        vm.mockCallRevert(suite.identity, abi.encodeWithSignature("register(string)", order.agentURI), "full");
        vm.expectRevert(bytes("full"));
        _birth(OWNER, order);
        vm.clearMockedCalls();
        _assertNothing(order);
    }

    /* SUCCESSORS */

    function _dead() private returns (uint256 first) {
        _giveBirth();
        first = golem;
        _kill();
        _settle();
    }

    function _heir(uint256 predecessor) private view returns (IBirth.Order memory order) {
        order = _order();
        order.predecessor = predecessor;
        order.playbookDigest = "diverged";
    }

    function test_birth_ofASuccessorByTheOwner() public {
        uint256 first = _dead();
        IBirth.Order memory order = _heir(first);
        address at = births.vaultAddress(order);
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Born(first + 1, first, OWNER, 1, first, at, KEY, "diverged");
        _giveBirth(order);
        assertEq(identity.getMetadata(golem, "golem"), abi.encodePacked(uint32(first), uint16(1), uint40(first), at));
    }

    function test_birth_ofASuccessorByTheOwnersAuthorisation() public {
        uint256 first = _dead();
        IBirth.Order memory order = _heir(first);
        IBirth.Funding memory funding = _authorised(order);
        vm.prank(STRANGER);
        births.birth(order, funding);
        assertEq(lineage.successorOf(first), first + 1);
    }

    function test_birth_refusesAForeignPredecessor() public {
        uint256 first = _dead();
        usdc.mint(STRANGER, 2_000e6);
        vm.prank(STRANGER);
        usdc.approve(address(births), type(uint256).max);
        IBirth.Order memory order = _heir(first);
        // To himself, though the predecessor is another's.
        order.owner = STRANGER;
        order.funder = STRANGER;
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotPredecessorOwner.selector, first, STRANGER, OWNER));
        _birth(STRANGER, order);
        // To its owner, but without his word.
        order.owner = OWNER;
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotPredecessorOwner.selector, first, STRANGER, OWNER));
        _birth(STRANGER, order);
        // Paid and signed by a stranger.
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Authorisation;
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotPredecessorOwner.selector, first, STRANGER, OWNER));
        vm.prank(STRANGER);
        births.birth(order, funding);
    }

    function test_birth_refusesAnUnknownLivingOrTwiceSucceededPredecessor() public {
        IBirth.Order memory order = _heir(999);
        vm.expectRevert(abi.encodeWithSelector(IBirth.PredecessorUnknown.selector, 999));
        _birth(OWNER, order);
        _giveBirth();
        uint256 first = golem;
        order = _heir(first);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.WrongLife.selector, first, Life.Alive, Life.Dead));
        _birth(OWNER, order);
        _kill();
        _settle();
        _giveBirth(order);
        order.nonce = 1;
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.AlreadySucceeded.selector, first, golem));
        _birth(OWNER, order);
    }

    /// @dev The seller of a dead Golem's token sells its succession with it.
    function test_birth_ofASuccessorBelongsToTheBuyer() public {
        uint256 first = _dead();
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, first);
        IBirth.Order memory order = _heir(first);
        vm.expectRevert(abi.encodeWithSelector(IBirth.NotPredecessorOwner.selector, first, OWNER, BUYER));
        _birth(OWNER, order);
        usdc.mint(BUYER, 2_000e6);
        vm.prank(BUYER);
        usdc.approve(address(births), type(uint256).max);
        order.owner = BUYER;
        order.funder = BUYER;
        _giveBirth(order);
        assertEq(identity.ownerOf(golem), BUYER);
    }

    /* TOKENS SENT TO THE BIRTH CONTRACT */

    function test_onERC721Received_refusesTokensThatAreNotNewborn() public {
        vm.startPrank(STRANGER);
        uint256 id = identity.register();
        vm.expectRevert(abi.encodeWithSignature("ERC721InvalidReceiver(address)", address(births)));
        identity.safeTransferFrom(STRANGER, address(births), id);
        vm.stopPrank();
        assertEq(births.onERC721Received(STRANGER, address(0), 0, ""), bytes4(0), "nor from another collection");
    }
}
