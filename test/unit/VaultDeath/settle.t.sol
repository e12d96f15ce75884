// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {Cause, Life, Phase} from "contracts/types/Life.sol";
import {PartitionId, Policy, Split, USE_PAYEE_ANY, USE_PAYEE_LEGACY} from "contracts/types/Money.sol";

import {ContractWallet} from "test/mocks/Actors.sol";
import {UnitTest} from "test/unit/UnitTest.sol";

/// @title spendDying (T-003)
contract SpendDyingTest is UnitTest {
    function _spendDying(uint256 amount) private {
        vm.prank(KEY);
        vault.spendDying(PAYEE, amount);
    }

    function _senescent() private {
        vm.prank(KEY);
        vault.dieSenescent("");
    }

    /// @dev Legacy 98, reserve 2, a death of the Golem's own.
    function _withLegacy() private {
        _beat(1, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
        _senescent();
    }

    function test_spendDying_paysFromLegacyFirst() public {
        _withLegacy();
        vm.expectEmit(address(vault));
        emit IVaultDeath.SpentDying(PAYEE, 0.6e6, 0, 0.6e6);
        _spendDying(0.6e6);
        assertEq(vault.credits().legacy, 97.4e6);
        assertEq(vault.books().reserve, 2e6);
        assertEq(vault.spentDying(), 0.6e6);
        assertEq(usdc.balanceOf(PAYEE), 1.6e6);
        _assertConserved(vault);
    }

    function test_spendDying_revertsAboveTheDeathBudgetByOneUnit() public {
        _withLegacy();
        _spendDying(0.6e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.DeathBudgetExceeded.selector, 1e6 + 1, 1e6));
        _spendDying(0.4e6 + 1);
        _spendDying(0.4e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.DeathBudgetExceeded.selector, 1e6 + 1, 1e6));
        _spendDying(1);
    }

    /// @dev min(reserve + legacy, budget): with a budget of 150 the 100 that are there bind.
    function test_spendDying_revertsAboveReserveAndLegacyByOneUnit() public {
        Policy memory policy = _template();
        policy.deathBudget = 150e6;
        _setPolicy(policy);
        _withLegacy();
        _spendDying(1e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.DeathBudgetExceeded.selector, 100e6 + 1, 100e6));
        _spendDying(99e6 + 1);
        vm.expectEmit(address(vault));
        emit IVaultDeath.SpentDying(PAYEE, 97e6, 2e6, 100e6);
        _spendDying(99e6);
        assertEq(vault.credits().legacy, 0);
        assertEq(vault.books().reserve, 0);
        _assertConserved(vault);
    }

    function _reserveOnly() private {
        vm.expectEmit(address(vault));
        emit IVaultDeath.SpentDying(PAYEE, 0, 2e6, 2e6);
        _spendDying(2e6);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.DeathBudgetExceeded.selector, 2e6 + 1, 2e6));
        _spendDying(1);
        assertEq(vault.credits().legacy, 98e6, "legacy is the owner's after a kill");
    }

    function _generousTerminal() private {
        Policy memory policy = _template();
        policy.deathBudget = 150e6;
        _setPolicy(policy);
        _beat(1, Phase.Terminal);
        vm.prank(KEY);
        vault.resplit(Split.Terminal);
    }

    function test_spendDying_onlyTheReserveAfterOwnerKill() public {
        _generousTerminal();
        _kill();
        _reserveOnly();
    }

    function test_spendDying_onlyTheReserveAfterKillSwitch() public {
        _generousTerminal();
        vm.prank(GUARDIAN);
        vault.trip("");
        _reserveOnly();
    }

    function test_spendDying_refusals() public {
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dying));
        _spendDying(1);
        _senescent();
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, OWNER, KEY));
        vm.prank(OWNER);
        vault.spendDying(PAYEE, 1);
        vm.expectRevert(IVaultRules.ZeroAmount.selector);
        _spendDying(0);
        vm.expectRevert(IVaultDeath.NoFloatInDying.selector);
        vm.prank(KEY);
        vault.spendDying(KEY, 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotListed.selector, STRANGER, USE_PAYEE_ANY));
        vm.prank(KEY);
        vault.spendDying(STRANGER, 1);
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Dying));
        _spendDying(1);
    }

    function test_spendDying_toAPayeeListedForLegacyAlone() public {
        _list(STRANGER, USE_PAYEE_LEGACY, address(0));
        _senescent();
        vm.prank(KEY);
        vault.spendDying(STRANGER, 1e6);
        assertEq(usdc.balanceOf(STRANGER), 1e6);
        assertEq(vault.books().reserve, 1e6);
    }

    /// @dev Also after the deadline, as long as nobody has finalised.
    function test_spendDying_stillPassesAfterTheDeadline() public {
        _senescent();
        _pass(2 hours);
        _spendDying(1e6);
        assertEq(vault.spentDying(), 1e6);
    }
}

/// @title settle, finalise, attachTestament (T-003, T-004, T-005, T-006, T-007, L-003, L-022, T-030, V-033)
contract SettleTest is UnitTest {
    /// @dev T-007, I-313, M-287: a death is told with owner, cause, generation and ticks, and the owner has what was left.
    function test_settle_recordsTheTestamentAndPaysTheOwner() public {
        _pass(1 hours);
        _beat(1_500, Phase.Declining);
        _pass(10 minutes);
        _kill();
        uint256 before = usdc.balanceOf(OWNER);
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.TestamentRecorded(
            golem, keccak256("testament"), "ipfs://testament", keccak256("genome"), keccak256("playbook"), false
        );
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Died(golem, OWNER, Cause.OwnerKill, 0, 2_000, keccak256("testament"));
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Bloodstain(golem, Cause.OwnerKill, "crash", 12e6, keccak256("evidence"));
        vm.expectEmit(address(vault));
        emit IVaultDeath.BooksClosed(98e6, 2e6, 1_000e6);
        vm.expectEmit(address(vault));
        emit IVaultDeath.DeathEnded("OwnerKill", OWNER, keccak256("testament"));
        vm.expectEmit(address(vault));
        emit IVaultDeath.Swept(address(usdc), OWNER, 0, 1_100e6);
        _settle();

        assertEq(usdc.balanceOf(OWNER), before + 1_100e6);
        assertEq(usdc.balanceOf(address(vault)), 0);
        assertEq(vault.accounted(), 0);
        ILineageRegistry.GolemView memory dead = lineage.golem(golem);
        assertEq(dead.life, "dead");
        assertEq(dead.cause, "OwnerKill");
        assertEq(dead.died, block.timestamp);
        assertEq(dead.ticks, 2_000);
        assertEq(dead.testamentHash, keccak256("testament"));
        assertEq(dead.genomeRoot, keccak256("genome"));
        assertEq(dead.playbookDigest, keccak256("playbook"));
        assertEq(dead.dyingDeadline, block.timestamp + 1 hours, "the deadline it had");
    }

    /// @dev A figure below what was beaten would be a lie; the higher one stands.
    function test_settle_ticksLivedNeverFallBelowTheLastBeat() public {
        _pass(2 hours);
        _beat(5_000, Phase.Stable);
        _kill();
        _settle();
        assertEq(lineage.golem(golem).ticks, 5_000);
    }

    /// @dev One tick a second since the last beat and one more: a higher figure is cut, since refusing it would hold up a
    /// death.
    function test_settle_ticksLivedAreAtMostWhatTheTimeAllows() public {
        vm.warp(block.timestamp + 1_000);
        _beat(300, Phase.Stable);
        vm.warp(block.timestamp + 50);
        _kill();
        uint256 snapshot = vm.snapshotState();
        _settleWith(type(uint64).max);
        assertEq(lineage.golem(golem).ticks, 351);
        vm.revertToState(snapshot);
        _settleWith(352);
        assertEq(lineage.golem(golem).ticks, 351);
        vm.revertToState(snapshot);
        _settleWith(351);
        assertEq(lineage.golem(golem).ticks, 351);
        vm.revertToState(snapshot);
        _settleWith(340);
        assertEq(lineage.golem(golem).ticks, 340);
        vm.revertToState(snapshot);
        _settleWith(299);
        assertEq(lineage.golem(golem).ticks, 300);
    }

    function _settleWith(uint64 ticksLived) private {
        ILineageRegistry.Testament memory testament = _testament();
        testament.ticksLived = ticksLived;
        vm.prank(KEY);
        vault.settle(testament, _stain());
    }

    function test_settle_alsoAfterTheDeadlineUntilFinalised() public {
        _kill();
        _pass(30 days);
        _settle();
        assertEq(lineage.recordedTestament(golem), keccak256("testament"));
    }

    function test_settle_refusals() public {
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dying));
        _settle();
        _kill();
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.NotKey.selector, OWNER, KEY));
        vm.prank(OWNER);
        vault.settle(_testament(), _stain());
        _settle();
        vm.expectRevert(_wrongLife(Life.Dead, Life.Dying));
        _settle();
    }

    function test_settle_withoutATestamentLeavesRoomForOne() public {
        _kill();
        ILineageRegistry.Testament memory none;
        vm.prank(KEY);
        vault.settle(none, _stain());
        assertEq(lineage.recordedTestament(golem), 0);
        vm.prank(KEY);
        vault.attachTestament(_testament());
        assertEq(lineage.recordedTestament(golem), keccak256("testament"));
    }

    function test_settle_pushesTokensAndPositionsInKind() public {
        _buy(100e6);
        _pass(1 minutes);
        uint256 id = _mint(0.01 ether, 30e6);
        uint256 held = weth.balanceOf(address(vault));
        uint256 cash = usdc.balanceOf(address(vault));
        _kill();
        vm.expectEmit(address(vault));
        emit IVaultDeath.Swept(address(usdc), OWNER, 0, cash);
        vm.expectEmit(address(vault));
        emit IVaultDeath.Swept(address(weth), OWNER, 0, held);
        vm.expectEmit(address(vault));
        emit IVaultDeath.Swept(address(manager), OWNER, id, 1);
        _settle();
        assertEq(weth.balanceOf(OWNER), held);
        assertEq(_ownerOfPosition(id), OWNER);
        assertEq(vault.holdings().length, 0);
        assertEq(vault.positions().length, 0);
    }

    function _ownerOfPosition(uint256 id) private view returns (address) {
        (, bytes memory answer) = address(manager).staticcall(abi.encodeWithSignature("ownerOf(uint256)", id));
        return abi.decode(answer, (address));
    }

    function test_settle_alsoPaysWhatWasNeverAllocated() public {
        usdc.mint(address(vault), 7);
        uint256 before = usdc.balanceOf(OWNER);
        _kill();
        _settle();
        assertEq(usdc.balanceOf(OWNER), before + 1_100e6 + 7);
    }

    /* FINALISE */

    function test_finalise_byAnyoneAtTheDeadlineToTheSecond() public {
        _kill();
        uint256 deadline = block.timestamp + 1 hours;
        vm.warp(deadline - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultDeath.TooEarly.selector, deadline - 1, deadline));
        vm.prank(STRANGER);
        vault.finalise();
        vm.warp(deadline);
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Died(golem, OWNER, Cause.OwnerKill, 0, 0, 0);
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Bloodstain(golem, Cause.OwnerKill, 0, 0, 0);
        vm.expectEmit(address(vault));
        emit IVaultDeath.BooksClosed(98e6, 2e6, 1_000e6);
        vm.expectEmit(address(vault));
        emit IVaultDeath.DeathEnded("OwnerKill", OWNER, 0);
        vm.expectEmit(address(vault));
        emit IVaultDeath.Swept(address(usdc), OWNER, 0, 1_100e6);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(lineage.lifeOf(golem), "dead");
        vm.expectRevert(_wrongLife(Life.Dead, Life.Dying));
        _settle();
    }

    function test_finalise_revertsWhileAlive() public {
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dying));
        vault.finalise();
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dying));
        vault.finalisePart(0);
    }

    function test_finalise_inParts() public {
        _buy(100e6);
        _pass(1 minutes);
        uint256 id = _mint(0.01 ether, 30e6);
        _kill();
        _pass(1 hours);
        vm.expectEmit(address(vault));
        emit IVaultDeath.SweepPaused(1, 1);
        vault.finalisePart(0);
        assertEq(usdc.balanceOf(address(vault)), 0, "USDC goes with every part");
        assertEq(lineage.lifeOf(golem), "dead");
        vm.expectEmit(address(vault));
        emit IVaultDeath.SweepPaused(0, 1);
        vault.finalisePart(1);
        assertGt(weth.balanceOf(OWNER), 0);
        vault.finalisePart(1);
        assertEq(_ownerOfPosition(id), OWNER);
        // Once more does no harm and nothing.
        vm.recordLogs();
        vault.finalise();
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_finalise_onceDeadPushesWhatCameLate() public {
        _kill();
        _finalise();
        usdc.mint(address(vault), 3e6);
        uint256 before = usdc.balanceOf(OWNER);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), before + 3e6);
    }

    /// @dev With less gas a push could fail for want of it, so nothing happens at all.
    function test_finalise_revertsWithTooLittleGas() public {
        _kill();
        _pass(1 hours);
        (bool ok, bytes memory answer) = address(vault).call{gas: 400_000}(abi.encodeWithSignature("finalise()"));
        assertFalse(ok);
        assertEq(bytes4(answer), IVaultDeath.TooLittleGas.selector);
        assertEq(lineage.lifeOf(golem), "dying");
    }

    /* TO WHOM (T-005) */

    /// @dev An escrow holds the token while the Golem dies: it gets nothing, and nothing is lost for him it gives it to.
    function _heldByAnEscrow() private returns (address escrow) {
        escrow = address(new ContractWallet(true, true));
        _buy(100e6);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, escrow, golem);
    }

    function test_settle_pushesNothingToAHolderWhoNeverSpoke() public {
        address escrow = _heldByAnEscrow();
        uint256 cash = usdc.balanceOf(address(vault));
        ContractWallet(payable(escrow)).act(address(vault), abi.encodeCall(IVaultDeath.kill, ("")));
        vm.expectEmit(address(vault));
        emit IVaultDeath.DeathEnded("OwnerKill", escrow, keccak256("testament"));
        vm.expectEmit(address(vault));
        emit IVaultDeath.SweepPaused(1, 0);
        _settle();
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(usdc.balanceOf(escrow), 0);
        assertEq(usdc.balanceOf(address(vault)), cash);
        // It gives the token on; the buyer calls, and it reaches him.
        ContractWallet(payable(escrow))
            .act(suite.identity, abi.encodeWithSignature("transferFrom(address,address,uint256)", escrow, BUYER, golem));
        vm.expectEmit(address(vault));
        emit IVaultDeath.Swept(address(usdc), BUYER, 0, cash);
        vm.prank(BUYER);
        vault.finalise();
        assertGt(weth.balanceOf(BUYER), 0);
    }

    /// @dev A token that comes home is with the bound owner again: anyone's call reaches him.
    function test_finalise_aTokenThatCameBackFromAnEscrow() public {
        address escrow = _heldByAnEscrow();
        uint256 before = usdc.balanceOf(OWNER);
        vm.warp(block.timestamp + 7 days + 1);
        vault.notice();
        vm.warp(block.timestamp + 1 days);
        vault.killSilent();
        vm.warp(block.timestamp + 1 hours);
        vault.finalise();
        assertEq(usdc.balanceOf(escrow), 0, "silence gets nobody there either");
        ContractWallet(payable(escrow))
            .act(suite.identity, abi.encodeWithSignature("transferFrom(address,address,uint256)", escrow, OWNER, golem));
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), before + 1_000e6);
    }

    /// @dev The owner's own call is his word, bound or not; a part at a time too.
    function test_finalise_byAnUnboundOwnerReachesHim() public {
        address escrow = _heldByAnEscrow();
        vm.prank(escrow);
        identity.transferFrom(escrow, BUYER, golem);
        vm.prank(BUYER);
        vault.kill("");
        _pass(1 hours);
        vm.expectEmit(address(vault));
        emit IVaultDeath.SweepPaused(1, 0);
        vm.prank(BUYER);
        vault.finalisePart(0);
        assertEq(usdc.balanceOf(BUYER), 1_000e6);
        vm.prank(BUYER);
        vault.finalisePart(1);
        assertGt(weth.balanceOf(BUYER), 0);
    }

    /// @dev A token sent to its own vault is the bound owner's: death pays him.
    function test_settle_ofAGolemThatHoldsItsOwnToken() public {
        vm.prank(OWNER);
        identity.transferFrom(OWNER, address(vault), golem);
        assertEq(vault.owner(), OWNER);
        uint256 before = usdc.balanceOf(OWNER);
        _kill();
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Died(golem, OWNER, Cause.OwnerKill, 0, 1, keccak256("testament"));
        _settle();
        assertEq(usdc.balanceOf(OWNER), before + 1_100e6);
    }

    /* NOTHING BLOCKS A DEATH (T-006) */

    function test_settle_blockedOwnerLeavesAClaim() public {
        usdc.setBlocked(OWNER, true);
        _kill();
        vm.expectEmit(address(vault));
        emit IVaultDeath.Stranded(address(usdc), OWNER, 0, 1_100e6);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        // The owner may sell the token to an address that is not blocked, or wait.
        _sell();
        vm.prank(BUYER);
        assertEq(vault.claim(address(usdc)), 1_100e6);
        assertEq(usdc.balanceOf(BUYER), 1_100e6);
    }

    function test_settle_pausedUsdcLeavesAClaim() public {
        _kill();
        usdc.setPaused(true);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        usdc.setPaused(false);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(usdc.balanceOf(address(vault)), 0, "anyone may push again");
    }

    function test_settle_unreadableOwnerLeavesEverythingForLater() public {
        _buy(100e6);
        _pass(1 minutes);
        _kill();
        bytes memory ask = abi.encodeWithSignature("ownerOf(uint256)", golem);
        vm.mockCallRevert(suite.identity, ask, "down");
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.Died(golem, address(0), Cause.OwnerKill, 0, 61, keccak256("testament"));
        vm.expectEmit(address(vault));
        emit IVaultDeath.DeathEnded("OwnerKill", address(0), keccak256("testament"));
        vm.expectEmit(address(vault));
        emit IVaultDeath.SweepPaused(1, 0);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        vm.clearMockedCalls();
        vault.finalise();
        assertGt(weth.balanceOf(OWNER), 0);
        assertEq(usdc.balanceOf(address(vault)), 0);
    }

    function test_settle_registryWithoutCodeLeavesEverythingForLater() public {
        _kill();
        bytes memory code = suite.identity.code;
        vm.etch(suite.identity, "");
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        vm.etch(suite.identity, code);
        vm.prank(OWNER);
        assertEq(vault.claim(address(usdc)), 1_100e6);
    }

    function test_settle_positionManagerThatRefusesLeavesAClaim() public {
        _buy(100e6);
        _pass(1 minutes);
        uint256 id = _mint(0.01 ether, 30e6);
        _kill();
        vm.mockCallRevert(
            address(manager), abi.encodeWithSignature("transferFrom(address,address,uint256)", vault, OWNER, id), "down"
        );
        vm.expectEmit(address(vault));
        emit IVaultDeath.Stranded(address(manager), OWNER, id, 1);
        _settle();
        vm.clearMockedCalls();
        vm.expectEmit(address(vault));
        emit IVaultDeath.Claimed(address(manager), OWNER, id, 1);
        vm.prank(OWNER);
        vault.claimNft(address(manager), id);
        assertEq(_ownerOfPosition(id), OWNER);
    }

    function test_settle_positionManagerWithoutCodeLeavesAClaim() public {
        _buy(100e6);
        _pass(1 minutes);
        uint256 id = _mint(0.01 ether, 30e6);
        _kill();
        vm.etch(address(manager), "");
        vm.expectEmit(address(vault));
        emit IVaultDeath.Stranded(address(manager), OWNER, id, 1);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
    }

    /* LATE TESTAMENT */

    function test_attachTestament_onceAndMarkedLate() public {
        _kill();
        _finalise();
        vm.expectEmit(suite.lineage);
        emit ILineageRegistry.TestamentRecorded(
            golem, keccak256("testament"), "ipfs://testament", keccak256("genome"), keccak256("playbook"), true
        );
        vm.prank(OWNER);
        vault.attachTestament(_testament());
        vm.expectRevert(
            abi.encodeWithSelector(ILineageRegistry.TestamentExists.selector, golem, keccak256("testament"))
        );
        vm.prank(OWNER);
        vault.attachTestament(_testament());
    }

    function test_attachTestament_byTheKeyWhileBound() public {
        _kill();
        _finalise();
        uint256 snapshot = vm.snapshotState();
        vm.prank(KEY);
        vault.attachTestament(_testament());
        assertEq(lineage.recordedTestament(golem), keccak256("testament"));
        vm.revertToState(snapshot);
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.OwnerChanged.selector, OWNER, BUYER));
        vm.prank(KEY);
        vault.attachTestament(_testament());
    }

    function test_attachTestament_refusals() public {
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dead));
        vm.prank(OWNER);
        vault.attachTestament(_testament());
        _kill();
        _finalise();
        vm.expectRevert(abi.encodeWithSelector(IVaultRules.NotKeyOrOwner.selector, STRANGER, KEY, OWNER));
        vm.prank(STRANGER);
        vault.attachTestament(_testament());
        ILineageRegistry.Testament memory none;
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.TestamentMissing.selector, golem));
        vm.prank(OWNER);
        vault.attachTestament(none);
    }

    /* MODULE */

    function test_module_refusesToActByItself() public {
        bytes[] memory calls = new bytes[](15);
        calls[0] = abi.encodeCall(IVaultDeath.kill, (""));
        calls[1] = abi.encodeCall(IVaultDeath.killAndRevoke, (""));
        calls[2] = abi.encodeCall(IVaultDeath.dieEconomic, ());
        calls[3] = abi.encodeCall(IVaultDeath.dieSenescent, (""));
        calls[4] = abi.encodeCall(IVaultDeath.dieStochastic, (1, 1, 1, 1));
        calls[5] = abi.encodeCall(IVaultDeath.trip, (""));
        calls[6] = abi.encodeCall(IVaultDeath.notice, ());
        calls[7] = abi.encodeCall(IVaultDeath.killSilent, ());
        calls[8] = abi.encodeCall(IVaultDeath.spendDying, (PAYEE, 1));
        calls[9] = abi.encodeCall(IVaultDeath.settle, (_testament(), _stain()));
        calls[10] = abi.encodeWithSignature("finalise()");
        calls[11] = abi.encodeWithSignature("finalisePart(uint256)", 1);
        calls[12] = abi.encodeCall(IVaultDeath.claim, (address(usdc)));
        calls[13] = abi.encodeCall(IVaultDeath.claimNft, (address(manager), 1));
        calls[14] = abi.encodeCall(IVaultDeath.attachTestament, (_testament()));
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory answer) = suite.death.call(calls[i]);
            assertFalse(ok);
            assertEq(answer, abi.encodeWithSelector(IVaultRules.NotDelegated.selector));
        }
        assertEq(IVaultDeath(suite.death).spentDying(), 0);
    }
}
