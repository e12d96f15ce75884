// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {RollLib} from "contracts/libraries/RollLib.sol";
import {Ledger, PartitionId} from "contracts/types/Money.sol";

import {AuditTest} from "./AuditTest.sol";

/// @dev An escrow, a loan, an auction or a bridge: holds a token for somebody and gives it back. It knows nothing of
/// coins; what is sent to it stays there for good.
contract Escrow {
    function release(IERC721 collection, address to, uint256 id) external {
        collection.transferFrom(address(this), to, id);
    }
}

/// @title The audit, deaths: whom a sweep reaches, which cause is believed (issue 18, points 1, 6, 9, 10)
contract AuditDeathTest is AuditTest {
    Escrow internal escrow = new Escrow();
    uint256 internal ownedBefore;
    uint256 internal wethBefore;
    uint256 internal position;

    /// @dev 1,010 USDC, WETH for another 45 and a liquidity position.
    function setUp() public override {
        super.setUp();
        _giveBirth();
        _swapAsKey(address(usdc), 90e6);
        _pass(1 minutes);
        bool wethFirst = address(weth) < address(usdc);
        vm.prank(KEY);
        position = vault.mintPosition(
            IVaultLiquidity.MintOrder(
                address(pool),
                FULL_LOWER,
                FULL_UPPER,
                wethFirst ? 0.01 ether : 30e6,
                wethFirst ? 30e6 : 0.01 ether,
                0,
                0
            )
        );
        ownedBefore = usdc.balanceOf(address(vault));
        wethBefore = weth.balanceOf(address(vault));
    }

    /* 1: A STRANGER'S CONTRACT HOLDS THE TOKEN */

    function test_escrow_getsNothingWhenTheKeySettles() public {
        vm.prank(KEY);
        vault.dieSenescent("");
        _sendToEscrow();
        _settle();
        _assertEscrowHasNothing();
        escrow.release(identity, OWNER, golem);
        _assertOwnerTakesAll(OWNER);
    }

    function test_escrow_getsNothingWhenAStrangerFinalises() public {
        _kill();
        _sendToEscrow();
        _finaliseByStranger();
        _assertEscrowHasNothing();
        // Again and again: it stays.
        vm.startPrank(STRANGER);
        vault.finalise();
        vault.finalisePart(1);
        vm.stopPrank();
        _assertEscrowHasNothing();
        escrow.release(identity, OWNER, golem);
        _assertOwnerTakesAll(OWNER);
    }

    /// @dev Without any leaked key: the token lies in a long auction and nobody beats.
    function test_escrow_getsNothingBySilence() public {
        _sendToEscrow();
        _killBySilence();
        _finaliseByStranger();
        _assertEscrowHasNothing();
        // The auction ends: whoever won owns all of it, by his own call.
        escrow.release(identity, BUYER, golem);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(usdc.balanceOf(BUYER), 0, "a stranger pushed to somebody who never said he can take it");
        _assertOwnerTakesAll(BUYER);
    }

    /// @dev A stranger's call pushes to the bound owner while he owns the token, as it always did.
    function test_boundOwner_isPaidByAnybodysCall() public {
        _kill();
        _finaliseByStranger();
        assertEq(usdc.balanceOf(OWNER), 100_000e6 - 1_100e6 + ownedBefore, "the bound owner was not paid");
        assertEq(weth.balanceOf(OWNER), wethBefore, "the bound owner did not get the WETH");
        assertEq(IERC721(address(manager)).ownerOf(position), OWNER, "the bound owner did not get the position");
    }

    /// @dev The escrow sends it back to him who was bound all the time: anybody's call pays him again.
    function test_boundOwner_isPaidByAnybodyAfterTheTokenCameBack() public {
        _kill();
        _sendToEscrow();
        _finaliseByStranger();
        escrow.release(identity, OWNER, golem);
        vm.prank(STRANGER);
        vault.finalise();
        _assertAllPaidTo(OWNER);
    }

    /// @dev What waits can be claimed piece by piece as well.
    function test_escrow_whatWaitsCanBeClaimed() public {
        _kill();
        _sendToEscrow();
        _finaliseByStranger();
        escrow.release(identity, BUYER, golem);
        vm.startPrank(BUYER);
        assertEq(vault.claim(address(usdc)), ownedBefore, "USDC did not wait for the token's later owner");
        assertEq(vault.claim(address(weth)), wethBefore, "WETH did not wait for the token's later owner");
        vault.claimNft(address(manager), position);
        vm.stopPrank();
        assertEq(IERC721(address(manager)).ownerOf(position), BUYER);
    }

    /// @dev An owner who bought and never accepted is paid when he settles the matter himself, and not before.
    function test_buyer_isPaidByHisOwnFinalise() public {
        vm.prank(OWNER);
        identity.transferFrom(OWNER, BUYER, golem);
        vm.prank(BUYER);
        vault.kill("mine now");
        _settle();
        assertEq(usdc.balanceOf(BUYER), 0, "the seller's key pushed to an owner who is not bound");
        _assertOwnerTakesAll(BUYER);
    }

    /// @dev The event that says that the sweep waits.
    function test_escrow_theSweepSaysThatItWaits() public {
        _kill();
        _sendToEscrow();
        vm.recordLogs();
        _finaliseByStranger();
        Vm.Log[] memory paused = _logsOf(address(vault), "SweepPaused(uint256,uint256)");
        assertEq(paused.length, 1, "no SweepPaused, though everything waits");
        (uint256 holdings, uint256 positions) = abi.decode(paused[0].data, (uint256, uint256));
        assertEq(holdings, 1, "SweepPaused: holdings");
        assertEq(positions, 1, "SweepPaused: positions");
    }

    /* 9: THE TOKEN LIES IN ITS OWN VAULT */

    function test_ownVault_theBoundOwnerStillKillsAndIsPaid() public {
        _sendToItsVault();
        (bool ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.kill, ("a slip of the hand")));
        assertTrue(ok, "the bound owner cannot kill");
        _finaliseByStranger();
        _assertAllPaidTo(OWNER);
    }

    function test_ownVault_theBoundOwnerFinalisesAndClaims() public {
        _sendToItsVault();
        _killBySilence();
        _pass(1 hours);
        (bool ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.finalise, ()));
        assertTrue(ok, "the bound owner cannot finalise");
        _assertAllPaidTo(OWNER);
        usdc.mint(address(vault), 5e6);
        (ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.claim, (address(usdc))));
        assertTrue(ok, "the bound owner cannot claim");
    }

    /// @dev At any time, also alive: the token itself comes back.
    function test_ownVault_theTokenComesBack() public {
        _sendToItsVault();
        bytes memory back = abi.encodeCall(vault.claimNft, (address(identity), golem));
        (bool ok,) = _try(STRANGER, address(vault), back);
        assertFalse(ok, "a stranger took the token");
        (ok,) = _try(KEY, address(vault), back);
        assertFalse(ok, "the key took the token");
        (ok,) = _try(OWNER, address(vault), back);
        assertTrue(ok, "the token does not come back");
        assertEq(identity.ownerOf(golem), OWNER, "the token went elsewhere");
        // Nothing else leaves a living vault that way.
        _assertRefused(
            OWNER,
            address(vault),
            abi.encodeCall(vault.claimNft, (address(manager), position)),
            "WrongLife(uint256,uint8,uint8)"
        );
    }

    /// @dev And after Dead.
    function test_ownVault_theTokenComesBackFromTheDead() public {
        _kill();
        _sendToItsVault();
        _finaliseByStranger();
        (bool ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.claimNft, (address(identity), golem)));
        assertTrue(ok, "the token does not come back");
        assertEq(identity.ownerOf(golem), OWNER, "the token went elsewhere");
        _assertAllPaidTo(OWNER);
    }

    /// @dev A buyer who slipped before he accepted: nobody but he who was bound can be told from a stranger.
    function test_ownVault_isNoOneElses() public {
        _sendToItsVault();
        (bool ok,) = _try(STRANGER, address(vault), abi.encodeCall(vault.kill, ("mine")));
        assertFalse(ok, "a stranger is the owner");
        (ok,) = _try(BUYER, address(vault), abi.encodeCall(vault.withdrawCapital, (1e6)));
        assertFalse(ok, "a stranger withdraws");
        (ok,) = _try(OWNER, address(vault), abi.encodeCall(vault.withdrawCapital, (1e6)));
        assertTrue(ok, "the bound owner does not count as the owner");
    }

    /* 10: THE KEY CHOOSES ITS CAUSE */

    /// @dev Goal: a death by chance, "verified", on the day that suits the key. It looks for a tick that loses.
    function test_key_cannotGrindAVerifiedRoll() public {
        _beatAs(KEY, 1, 0);
        _pass(40);
        (uint64 tick, uint64 roll, uint256 at) = _grind();
        uint64 hazard = vault.policy().hazardMax;
        vm.recordLogs();
        vm.prank(KEY);
        vault.dieStochastic(tick, hazard, roll, at);
        assertFalse(_verified(), "a roll that the key looked for counts as verified");
    }

    /// @dev The same with a schedule announced: only what is on it is verified, and what is on it cannot be looked for.
    function test_key_cannotGrindBesideItsSchedule() public {
        _beatAs(KEY, 1, 20);
        _pass(40);
        (uint64 tick, uint64 roll, uint256 at) = _grind();
        uint64 hazard = vault.policy().hazardMax;
        vm.recordLogs();
        vm.prank(KEY);
        vault.dieStochastic(tick, hazard, roll, at);
        assertFalse(_verified(), "a roll beside the schedule counts as verified");
    }

    /// @dev What an earlier beat announced is verified: the tick's block was fixed before anybody knew its hash.
    function test_key_isBelievedOnItsSchedule() public {
        _beatAs(KEY, 1, 20);
        uint256 at = block.number + 4 * 20;
        vm.roll(at + 1);
        vm.warp(block.timestamp + 200);
        uint64 hazard = vault.policy().hazardMax;
        bytes32 fatal = keccak256("the hash that kills");
        while (RollLib.rollOf(address(vault), 5, fatal) >= hazard) {
            fatal = keccak256(abi.encode(fatal));
        }
        vm.setBlockhash(at, fatal);
        uint64 roll = RollLib.rollOf(address(vault), 5, fatal);
        vm.recordLogs();
        vm.prank(KEY);
        vault.dieStochastic(5, hazard, roll, at);
        assertTrue(_verified(), "a roll on its schedule does not count");
    }

    /// @dev A beat after the fact announces nothing: its own ticks come later than the block that is known.
    function test_key_cannotAnnounceWhatHasBeen() public {
        _pass(400);
        (uint64 tick, uint64 roll, uint256 at) = _grind();
        uint64 hazard = vault.policy().hazardMax;
        _try(KEY, address(lineage), _beatCall(tick - 1));
        _beatAs(KEY, uint64(lineage.golem(golem).ticks) + 1, 1);
        vm.recordLogs();
        vm.prank(KEY);
        vault.dieStochastic(tick, hazard, roll, at);
        assertFalse(_verified(), "a roll announced after its block counts as verified");
    }

    /// @dev Goal: hunger with 100 USDC in the vault, by locking it all away.
    function test_key_cannotStarveByRaisingTheReserve() public {
        Ledger memory credits = vault.credits();
        uint256[3] memory all = [uint256(credits.llm), credits.gas, credits.data];
        for (uint256 i; i < 3; ++i) {
            _try(KEY, address(vault), abi.encodeCall(vault.raiseReserve, (PartitionId(i), all[i])));
        }
        _assertRefused(
            KEY,
            address(vault),
            abi.encodeCall(vault.raiseReserve, (PartitionId.Llm, 1e6)),
            "ReserveBeyondDue(uint256,uint256)"
        );
        (bool ok,) = _try(KEY, address(vault), abi.encodeCall(vault.dieEconomic, ()));
        assertFalse(ok, "dead of hunger with 100 USDC in the vault");
        assertEq(lineage.causeOf(golem), "none", "a cause that is not true");
    }

    /// @dev The owner may lock away as much as he likes.
    function test_owner_raisesTheReserveAsHeLikes() public {
        vm.prank(OWNER);
        vault.raiseReserve(PartitionId.Llm, 50e6);
        assertEq(vault.books().reserve, 52e6, "the owner is bound where only the key should be");
    }

    /* 6: A DEATH IS SEEN AT THE VAULT */

    function test_death_isAnEventAtTheVault() public {
        vm.recordLogs();
        _kill();
        Vm.Log[] memory began = _logsOf(address(vault), "DeathBegan(string,address,uint256,string)");
        assertEq(began.length, 1, "no DeathBegan at the vault");
        assertEq(began[0].topics[1], bytes32(uint256(uint160(OWNER))), "DeathBegan: by");
        (string memory cause, uint256 deadline, string memory reason) =
            abi.decode(began[0].data, (string, uint256, string));
        assertEq(cause, lineage.causeOf(golem), "DeathBegan: cause");
        assertEq(deadline, block.timestamp + 1 hours, "DeathBegan: deadline");
        assertEq(reason, "enough", "DeathBegan: reason");

        vm.recordLogs();
        _settle();
        Vm.Log[] memory ended = _logsOf(address(vault), "DeathEnded(string,address,bytes32)");
        assertEq(ended.length, 1, "no DeathEnded at the vault");
        assertEq(ended[0].topics[1], bytes32(uint256(uint160(OWNER))), "DeathEnded: owner");
        bytes32 hash;
        (cause, hash) = abi.decode(ended[0].data, (string, bytes32));
        assertEq(cause, lineage.causeOf(golem), "DeathEnded: cause");
        assertEq(hash, keccak256("testament"), "DeathEnded: testament");
    }

    /* TOOLS */

    function _sendToEscrow() private {
        vm.prank(OWNER);
        identity.transferFrom(OWNER, address(escrow), golem);
    }

    function _sendToItsVault() private {
        vm.prank(OWNER);
        identity.transferFrom(OWNER, address(vault), golem);
    }

    function _finaliseByStranger() private {
        _pass(1 hours);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(lineage.lifeOf(golem), "dead", "the death was held up");
    }

    function _assertEscrowHasNothing() private view {
        assertEq(lineage.lifeOf(golem), "dead", "the death was held up");
        assertEq(usdc.balanceOf(address(escrow)), 0, "USDC went to a contract that merely held the token");
        assertEq(weth.balanceOf(address(escrow)), 0, "WETH went to a contract that merely held the token");
        assertEq(IERC721(address(manager)).ownerOf(position), address(vault), "the position left");
    }

    function _assertOwnerTakesAll(address owner_) private {
        uint256 held = usdc.balanceOf(owner_);
        vm.prank(owner_);
        vault.finalise();
        assertEq(usdc.balanceOf(owner_), held + ownedBefore, "not all USDC came back");
        assertEq(weth.balanceOf(owner_), wethBefore, "not all WETH came back");
        assertEq(IERC721(address(manager)).ownerOf(position), owner_, "the position did not come back");
    }

    function _assertAllPaidTo(address owner_) private view {
        assertEq(usdc.balanceOf(address(vault)), 0, "USDC stayed in the vault");
        assertEq(usdc.balanceOf(owner_), 100_000e6 - 1_100e6 + ownedBefore, "USDC went elsewhere");
        assertEq(weth.balanceOf(owner_), wethBefore, "WETH went elsewhere");
        assertEq(IERC721(address(manager)).ownerOf(position), owner_, "the position went elsewhere");
    }

    /// @dev A tick whose roll loses with the newest hash known.
    function _grind() private view returns (uint64 tick, uint64 roll, uint256 at) {
        at = block.number - 1;
        uint64 hazard = vault.policy().hazardMax;
        for (tick = 2;; ++tick) {
            roll = RollLib.rollOf(address(vault), tick, blockhash(at));
            if (roll < hazard) return (tick, roll, at);
        }
    }

    function _verified() private returns (bool verified) {
        Vm.Log[] memory found = _logsOf(address(vault), "RollRecorded(uint256,uint256,uint256,uint256,bool)");
        assertEq(found.length, 1, "no roll was recorded");
        (,,,, verified) = abi.decode(found[0].data, (uint256, uint256, uint256, uint256, bool));
    }
}
