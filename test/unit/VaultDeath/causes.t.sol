// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {BlockHashLib} from "solady/utils/BlockHashLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {RollLib} from "contracts/libraries/RollLib.sol";
import {Cause, Life, Phase} from "contracts/types/Life.sol";
import {PartitionId, Policy, Split} from "contracts/types/Money.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title The five causes: kill, killAndRevoke, dieEconomic, dieSenescent, dieStochastic, trip (T-001, T-002, T-003)
contract CausesTest is UnitTest {
    function _notKey(address caller) private view returns (bytes memory) {
        return abi.encodeWithSelector(ILineageRegistry.NotKey.selector, caller, KEY);
    }

    function _long(uint256 length) private pure returns (string memory) {
        bytes memory text = new bytes(length);
        for (uint256 i; i < length; ++i) {
            text[i] = "x";
        }
        return string(text);
    }

    function _expectDying(Cause cause, address by, string memory reason) private {
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.DyingBegan(golem, cause, by, block.timestamp + 1 hours, reason);
    }

    /* OWNER */

    function test_kill_beginsDyingInItsOwnBlock() public {
        _expectDying(Cause.OwnerKill, OWNER, "enough");
        _kill();
        (address key, Life life, Cause cause, uint256 deadline) = lineage.stateOf(golem);
        assertEq(key, KEY);
        assertEq(uint8(life), uint8(Life.Dying));
        assertEq(uint8(cause), uint8(Cause.OwnerKill));
        assertEq(deadline, block.timestamp + 1 hours);
        assertFalse(lineage.isAlive(golem));
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 1);
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _buy(1e6);
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _beat(1, Phase.Stable);
    }

    function test_kill_reasonUpToTwoHundredFiftySixBytes() public {
        string memory reason = _long(257);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.ReasonTooLong.selector, 257, 256));
        vm.prank(OWNER);
        vault.kill(reason);
        reason = _long(256);
        _expectDying(Cause.OwnerKill, OWNER, reason);
        vm.prank(OWNER);
        vault.kill(reason);
        assertEq(lineage.lifeOf(golem), "dying");
    }

    function test_kill_withoutAReasonAndInHibernation() public {
        _hibernate(90 days);
        vm.prank(OWNER);
        vault.kill("");
        assertEq(lineage.causeOf(golem), "OwnerKill");
    }

    function test_kill_onlyByTheOwnerAndOnce() public {
        address[3] memory callers = [KEY, GUARDIAN, STRANGER];
        for (uint256 i; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, callers[i], OWNER));
            vm.prank(callers[i]);
            vault.kill("");
            vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, callers[i], OWNER));
            vm.prank(callers[i]);
            vault.killAndRevoke("");
        }
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(OWNER);
        vault.kill("twice");
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Alive));
        vm.prank(OWNER);
        vault.kill("thrice");
    }

    function test_kill_followsTheGraceOfThePolicy() public {
        Policy memory policy = _template();
        policy.grace = 24 hours;
        _setPolicy(policy);
        _kill();
        (,,, uint256 deadline) = lineage.stateOf(golem);
        assertEq(deadline, block.timestamp + 24 hours);
    }

    function test_killAndRevoke_stripsTheKeyInTheSameCall() public {
        _expectDying(Cause.OwnerKill, OWNER, "leaked");
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.KeyRotated(golem, KEY, address(0));
        vm.prank(OWNER);
        vault.killAndRevoke("leaked");
        bytes memory refused = abi.encodeWithSelector(ILineageRegistry.NotKey.selector, KEY, address(0));
        vm.expectRevert(refused);
        vm.prank(KEY);
        vault.spendDying(PAYEE, 1);
        vm.expectRevert(refused);
        _settle();
    }

    /* ECONOMIC */

    /// @dev A Golem of 1 USDC has llm 0.42, gas 0.175, data 0.105 above its reserve.
    function _starve(uint256 left) private {
        IBirth.Order memory order = _order();
        order.listings = _lists();
        order.credits = 1e6;
        _giveBirth(order);
        vm.startPrank(KEY);
        vault.spend(PartitionId.Llm, PAYEE, 420_000);
        vault.spend(PartitionId.Data, PAYEE, 105_000);
        vault.spend(PartitionId.Gas, PAYEE, 175_000 - left);
        vm.stopPrank();
    }

    function test_dieEconomic_atTheFloorOfTenCents() public {
        _starve(100_000);
        _expectDying(Cause.Economic, KEY, "");
        vm.prank(KEY);
        vault.dieEconomic();
        assertEq(lineage.causeOf(golem), "Economic");
    }

    function test_dieEconomic_revertsOneUnitAboveTheFloor() public {
        _starve(100_001);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotStarved.selector, 100_001, 100_000));
        vm.prank(KEY);
        vault.dieEconomic();
    }

    /// @dev T-002: legacy and unallocated do not count.
    function test_dieEconomic_ignoresLegacyAndUnallocated() public {
        _beat(1, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        usdc.mint(address(vault), 50e6);
        vm.prank(KEY);
        vault.dieEconomic();
        assertEq(lineage.causeOf(golem), "Economic");
    }

    function test_dieEconomic_onlyByTheKey() public {
        vm.expectRevert(_notKey(OWNER));
        vm.prank(OWNER);
        vault.dieEconomic();
    }

    function test_dieEconomic_revertsOnceDying() public {
        _starve(0);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(KEY);
        vault.dieEconomic();
    }

    /* SENESCENCE */

    function test_dieSenescent_namesItsEvidence() public {
        _expectDying(Cause.EpistemicSenescence, KEY, "ipfs://evidence");
        vm.prank(KEY);
        vault.dieSenescent("ipfs://evidence");
        assertEq(lineage.causeOf(golem), "EpistemicSenescence");
    }

    function test_dieSenescent_refusals() public {
        vm.expectRevert(_notKey(STRANGER));
        vm.prank(STRANGER);
        vault.dieSenescent("");
        string memory evidence = _long(257);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.ReasonTooLong.selector, 257, 256));
        vm.prank(KEY);
        vault.dieSenescent(evidence);
    }

    /* STOCHASTIC */

    uint64 private constant HAZARD_MAX = 18_446_744_073_709_551;

    /// @dev Finds the first tick whose roll at `blockNumber` is lost. A policy with the greatest hazard makes that soon.
    function _lost(uint256 blockNumber, uint64 hazard) private view returns (uint64 tick, uint64 roll) {
        bytes32 hash = RollLib.hashOf(blockNumber);
        for (tick = 1;; ++tick) {
            roll = RollLib.rollOf(address(vault), tick, hash);
            if (roll < hazard) return (tick, roll);
        }
    }

    function test_dieStochastic_recomputesTheRoll() public {
        uint256 at = block.number - 1;
        (uint64 tick, uint64 roll) = _lost(at, HAZARD_MAX);
        vm.expectEmit(address(vault));
        emit IVaultDeath.RollRecorded(tick, HAZARD_MAX, roll, at, true);
        _expectDying(Cause.Stochastic, KEY, "");
        vm.prank(KEY);
        vault.dieStochastic(tick, HAZARD_MAX, roll, at);
        assertEq(lineage.causeOf(golem), "Stochastic");
    }

    /// @dev The roll as T-002 writes it: keccak of the lowercase 0x-hex address, the tick as u64, the block hash.
    function test_dieStochastic_rollIsTheCatalogues() public view {
        bytes32 hash = blockhash(block.number - 1);
        bytes memory text = bytes(vm.toLowercase(vm.toString(address(vault))));
        assertEq(text.length, 42);
        bytes32 digest = keccak256(bytes.concat(text, bytes8(uint64(7)), hash));
        assertEq(RollLib.rollOf(address(vault), 7, hash), uint64(uint256(digest) >> 192));
    }

    function test_dieStochastic_revertsAboveTheMaximumHazardByOne() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.HazardTooHigh.selector, HAZARD_MAX + 1, HAZARD_MAX));
        vm.prank(KEY);
        vault.dieStochastic(1, HAZARD_MAX + 1, 0, block.number - 1);
    }

    function test_dieStochastic_rollEqualToTheHazardSurvives() public {
        uint256 at = block.number - 1;
        (uint64 tick, uint64 roll) = _lost(at, HAZARD_MAX);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.RollSurvived.selector, roll, roll));
        vm.prank(KEY);
        vault.dieStochastic(tick, roll, roll, at);
        vm.prank(KEY);
        vault.dieStochastic(tick, roll + 1, roll, at);
        assertEq(lineage.lifeOf(golem), "dying");
    }

    function test_dieStochastic_revertsForAnotherRoll() public {
        uint256 at = block.number - 1;
        uint64 real = RollLib.rollOf(address(vault), 5, blockhash(at));
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.RollMismatch.selector, 3, real));
        vm.prank(KEY);
        vault.dieStochastic(5, HAZARD_MAX, 3, at);
    }

    function test_dieStochastic_revertsForABlockThatIsNotPast() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.BlockNotPast.selector, block.number, block.number));
        vm.prank(KEY);
        vault.dieStochastic(1, 2, 1, block.number);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.BlockNotPast.selector, block.number + 1, block.number));
        vm.prank(KEY);
        vault.dieStochastic(1, 2, 1, block.number + 1);
    }

    /// @dev T-002: a death never reverts for the age of its proof.
    function test_dieStochastic_oldBlockIsAcceptedUnverified() public {
        vm.roll(block.number + 10_000);
        uint256 at = block.number - 257;
        vm.expectEmit(address(vault));
        emit IVaultDeath.RollRecorded(9, 2, 1, at, false);
        vm.prank(KEY);
        vault.dieStochastic(9, 2, 1, at);
        assertEq(lineage.causeOf(golem), "Stochastic");
    }

    function test_dieStochastic_oldBlockIsReadFromTheHistoryContract() public {
        vm.roll(block.number + 10_000);
        uint256 at = block.number - 300;
        bytes32 hash = keccak256("history");
        vm.etch(BlockHashLib.HISTORY_STORAGE_ADDRESS, hex"01");
        vm.mockCall(BlockHashLib.HISTORY_STORAGE_ADDRESS, abi.encode(at), abi.encode(hash));
        uint64 real = RollLib.rollOf(address(vault), 9, hash);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.RollMismatch.selector, 1, real));
        vm.prank(KEY);
        vault.dieStochastic(9, 2, 1, at);
    }

    function test_dieStochastic_onlyByTheKey() public {
        vm.expectRevert(_notKey(GUARDIAN));
        vm.prank(GUARDIAN);
        vault.dieStochastic(1, 2, 1, 1);
    }

    /* KILL SWITCH */

    function test_trip_byTheGuardian() public {
        _expectDying(Cause.KillSwitch, GUARDIAN, "drawdown");
        vm.prank(GUARDIAN);
        vault.trip("drawdown");
        assertEq(lineage.causeOf(golem), "KillSwitch");
    }

    function test_trip_refusals() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotGuardian.selector, OWNER, GUARDIAN));
        vm.prank(OWNER);
        vault.trip("");
        string memory trigger = _long(257);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.ReasonTooLong.selector, 257, 256));
        vm.prank(GUARDIAN);
        vault.trip(trigger);
        _kill();
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        vm.prank(GUARDIAN);
        vault.trip("");
    }

    /// @dev L-002: the guardian may trip the kill switch and nothing else.
    function test_trip_isAllTheGuardianMayDo() public {
        vm.startPrank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotKeyOrOwner.selector, GUARDIAN, KEY, OWNER));
        vault.raiseReserve(PartitionId.Llm, 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotOwner.selector, GUARDIAN, OWNER));
        vault.rotateKey(GUARDIAN);
        vault.trip("");
        vm.expectRevert(_notKey(GUARDIAN));
        vault.settle(_testament(), _stain());
    }

    function test_trip_nobodyWhereThereIsNoGuardian() public {
        IBirth.Order memory order = _order();
        order.nonce = 1;
        _giveBirth(order);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotGuardian.selector, GUARDIAN, address(0)));
        vm.prank(GUARDIAN);
        vault.trip("");
    }
}

/// @title notice, killSilent (T-001, L-007)
contract SilenceTest is UnitTest {
    function _notice() private {
        vm.prank(STRANGER);
        vault.notice();
    }

    function _killSilent() private {
        vm.prank(STRANGER);
        vault.killSilent();
    }

    /// @dev Noticed in the first second after the limit.
    function _silent() private returns (uint256 noticeAt) {
        vm.warp(block.timestamp + 7 days + 1);
        noticeAt = block.timestamp;
        _notice();
    }

    function test_notice_onlyAfterTheLimitToTheSecond() public {
        uint256 born = block.timestamp;
        vm.warp(born + 7 days);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotSilent.selector, born + 7 days, born + 7 days));
        _notice();
        vm.warp(born + 7 days + 1);
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.NoticePosted(golem, STRANGER, born, block.timestamp + 24 hours);
        _notice();
        assertEq(lineage.golem(golem).noticedAt, block.timestamp);
    }

    function test_notice_doesNotPutOffTheKill() public {
        uint256 noticeAt = _silent();
        vm.warp(noticeAt + 23 hours);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NoticeStands.selector, noticeAt));
        _notice();
    }

    function test_notice_revertsUnlessAlive() public {
        _kill();
        vm.warp(block.timestamp + 8 days);
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _notice();
    }

    function test_killSilent_aDayAfterTheNoticeToTheSecond() public {
        uint256 noticeAt = _silent();
        vm.warp(noticeAt + 24 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.TooEarly.selector, block.timestamp, noticeAt + 24 hours));
        _killSilent();
        vm.warp(noticeAt + 24 hours);
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.DyingBegan(golem, Cause.KillSwitch, STRANGER, block.timestamp + 1 hours, "silence");
        _killSilent();
        assertEq(lineage.causeOf(golem), "KillSwitch");
    }

    function test_killSilent_revertsWithoutNotice() public {
        vm.warp(block.timestamp + 60 days);
        vm.expectRevert(IVaultDeath.NoNotice.selector);
        _killSilent();
    }

    function test_killSilent_beatClearsTheNotice() public {
        uint256 noticeAt = _silent();
        vm.warp(noticeAt + 24 hours - 1);
        _beat(1, Phase.Stable);
        assertEq(lineage.golem(golem).noticedAt, 0);
        vm.warp(noticeAt + 24 hours);
        vm.expectRevert(IVaultDeath.NoNotice.selector);
        _killSilent();
        assertTrue(lineage.isAlive(golem));
    }

    function test_killSilent_passesAfterASale() public {
        _sell();
        uint256 noticeAt = _silent();
        vm.warp(noticeAt + 24 hours);
        _killSilent();
        assertEq(lineage.lifeOf(golem), "dying");
    }

    function test_killSilent_passesWhenTheIdentityRegistryIsDown() public {
        vm.mockCallRevert(suite.identity, abi.encodeWithSignature("ownerOf(uint256)", golem), "down");
        uint256 noticeAt = _silent();
        vm.warp(noticeAt + 24 hours);
        _killSilent();
        assertEq(lineage.lifeOf(golem), "dying", "T-006");
    }

    function test_killSilent_revertsOnceDying() public {
        uint256 noticeAt = _silent();
        _kill();
        vm.warp(noticeAt + 24 hours);
        vm.expectRevert(_wrongLife(Life.Dying, Life.Alive));
        _killSilent();
    }

    /// @dev L-007: sleep is not silence; the limit runs from its end.
    function test_notice_hibernationSuspendsSilence() public {
        _hibernate(90 days);
        uint256 until = vault.hibernatedUntil();
        vm.warp(until - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotSilent.selector, until - 1, until + 7 days));
        _notice();
        vm.warp(until + 7 days);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotSilent.selector, until + 7 days, until + 7 days));
        _notice();
        vm.warp(until + 7 days + 1);
        _notice();
        assertEq(lineage.golem(golem).noticedAt, block.timestamp);
    }

    function test_killSilent_hibernationVoidsAStandingNotice() public {
        uint256 noticeAt = _silent();
        vm.warp(noticeAt + 1 hours);
        _hibernate(1 days);
        vm.warp(noticeAt + 24 hours);
        vm.expectRevert(IVaultDeath.NoNotice.selector);
        _killSilent();
        // A new silence needs a new notice.
        vm.warp(noticeAt + 40 days);
        _notice();
        assertEq(lineage.golem(golem).noticedAt, noticeAt + 40 days);
    }

    function test_notice_afterWakingTheWholeLimitRunsAgain() public {
        _hibernate(90 days);
        vm.warp(block.timestamp + 30 days);
        vm.prank(OWNER);
        vault.wake();
        uint256 woken = block.timestamp;
        vm.warp(woken + 7 days);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotSilent.selector, woken + 7 days, woken + 7 days));
        _notice();
        vm.warp(woken + 7 days + 1);
        _notice();
        assertEq(lineage.golem(golem).noticedAt, block.timestamp);
    }

    function test_notice_followsTheLimitOfThePolicy() public {
        Policy memory policy = _template();
        policy.silenceLimit = 3 days;
        _setPolicy(policy);
        uint256 born = block.timestamp;
        vm.warp(born + 3 days);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.NotSilent.selector, born + 3 days, born + 3 days));
        _notice();
        vm.warp(born + 3 days + 1);
        _notice();
        assertEq(lineage.golem(golem).noticedAt, block.timestamp);
    }

    /// @dev A longer limit chosen after the notice takes the notice's ground away.
    function test_killSilent_longerLimitVoidsTheNotice() public {
        uint256 noticeAt = _silent();
        Policy memory policy = _template();
        policy.silenceLimit = 90 days;
        _setPolicy(policy);
        vm.warp(noticeAt + 2 days);
        vm.expectRevert(IVaultDeath.NoNotice.selector);
        _killSilent();
    }
}
