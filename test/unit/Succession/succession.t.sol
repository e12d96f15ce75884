// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {Policy} from "contracts/types/Money.sol";

import {MockUsdc} from "test/mocks/MockUsdc.sol";
import {OddUsdc} from "test/mocks/OddUsdc.sol";
import {UnitTest} from "test/unit/UnitTest.sol";

/// @title commit, addEscrow, withdrawEscrow, succeed (T-020, T-021, T-022, L-021)
contract SuccessionTest is UnitTest {
    address internal NEXT_KEY = makeAddr("NEXT_KEY");
    address internal THIRD_KEY = makeAddr("THIRD_KEY");
    uint256 internal first;

    function setUp() public override {
        super.setUp();
        first = golem;
        vm.prank(OWNER);
        usdc.approve(address(succession), type(uint256).max);
    }

    function _mandate() private view returns (ISuccession.Mandate memory mandate) {
        mandate.lineage = first;
        mandate.budget = 50e6;
        mandate.successors = 2;
        mandate.expiry = block.timestamp + 30 days;
        mandate.executor = EXECUTOR;
        mandate.policyHash = PolicyLib.TEMPLATE;
        mandate.listsHash = keccak256(abi.encode(_lists()));
        mandate.guardian = GUARDIAN;
        mandate.keys = new address[](2);
        mandate.keys[0] = NEXT_KEY;
        mandate.keys[1] = THIRD_KEY;
    }

    function _commit(ISuccession.Mandate memory mandate, uint256 amount) private returns (bytes32) {
        vm.prank(OWNER);
        return succession.commit(mandate, amount);
    }

    function _succeeding() private view returns (ISuccession.Succeeding memory s) {
        s.predecessor = first;
        s.key = NEXT_KEY;
        s.listings = _lists();
        s.playbookDigest = "diverged";
        s.name = "Ada II";
        s.agentURI = "ipfs://ada2";
    }

    function _succeed(ISuccession.Mandate memory mandate, ISuccession.Succeeding memory s)
        private
        returns (uint256, address)
    {
        vm.prank(EXECUTOR);
        return succession.succeed(OWNER, mandate, s);
    }

    /// @dev A day of life, then a settled death.
    function _die() private {
        vm.warp(block.timestamp + 1 days);
        _kill();
        _settle();
    }

    /* COMMIT AND ESCROW */

    function test_commit_recordsTheTermsAndTheEscrow() public {
        ISuccession.Mandate memory mandate = _mandate();
        bytes32 id = keccak256(abi.encode(OWNER, mandate));
        assertEq(succession.mandateIdOf(OWNER, mandate), id);
        vm.expectEmit(address(succession));
        emit ISuccession.Committed(id, OWNER, mandate);
        vm.expectEmit(address(succession));
        emit ISuccession.EscrowAdded(id, OWNER, 120e6, 120e6);
        assertEq(_commit(mandate, 120e6), id);
        ISuccession.Standing memory standing = succession.standingOf(id);
        assertEq(standing.committer, OWNER);
        assertEq(standing.escrow, 120e6);
        assertEq(standing.born, 0);
        assertEq(usdc.balanceOf(address(succession)), 120e6);
    }

    function test_commit_withoutEscrowAndNotTwice() public {
        ISuccession.Mandate memory mandate = _mandate();
        bytes32 id = _commit(mandate, 0);
        assertEq(succession.standingOf(id).escrow, 0);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.MandateExists.selector, id));
        _commit(mandate, 0);
        mandate.nonce = 1;
        assertTrue(_commit(mandate, 0) != id);
    }

    function _refuses(ISuccession.Mandate memory mandate, bytes32 field, uint256 value, uint256 min, uint256 max)
        private
    {
        vm.expectRevert(abi.encodeWithSelector(ISuccession.MandateOutOfRange.selector, field, value, min, max));
        _commit(mandate, 0);
    }

    function test_commit_refusesTermsThatCouldNeverServe() public {
        ISuccession.Mandate memory mandate = _mandate();
        mandate.successors = 0;
        _refuses(mandate, "successors", 0, 1, 64);
        mandate.successors = 65;
        _refuses(mandate, "successors", 65, 1, 64);
        mandate = _mandate();
        mandate.budget = 1e6 - 1;
        _refuses(mandate, "budget", 1e6 - 1, 1e6, type(uint64).max);
        mandate.budget = uint256(type(uint64).max) + 1;
        _refuses(mandate, "budget", mandate.budget, 1e6, type(uint64).max);
        mandate = _mandate();
        mandate.expiry = block.timestamp - 1;
        _refuses(mandate, "expiry", block.timestamp - 1, block.timestamp, type(uint48).max);
        mandate.expiry = uint256(type(uint48).max) + 1;
        _refuses(mandate, "expiry", mandate.expiry, block.timestamp, type(uint48).max);
        mandate = _mandate();
        mandate.executor = address(0);
        _refuses(mandate, "executor", 0, 1, type(uint160).max);
        mandate = _mandate();
        mandate.keys = new address[](1);
        _refuses(mandate, "keys", 1, 2, 2);
        mandate.keys = new address[](3);
        _refuses(mandate, "keys", 3, 2, 2);
    }

    function test_commit_revertsWithoutAllowance() public {
        ISuccession.Mandate memory mandate = _mandate();
        vm.expectRevert(SafeTransferLib.TransferFromFailed.selector);
        vm.prank(STRANGER);
        succession.commit(mandate, 1e6);
        assertEq(succession.standingOf(succession.mandateIdOf(STRANGER, mandate)).committer, address(0));
    }

    function test_addEscrow_byAnyone() public {
        bytes32 id = _commit(_mandate(), 0);
        usdc.mint(STRANGER, 5e6);
        vm.startPrank(STRANGER);
        usdc.approve(address(succession), 5e6);
        vm.expectEmit(address(succession));
        emit ISuccession.EscrowAdded(id, STRANGER, 5e6, 5e6);
        succession.addEscrow(id, 5e6);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.UnknownMandate.selector, bytes32("none")));
        succession.addEscrow("none", 1);
        vm.stopPrank();
    }

    function test_withdrawEscrow_byTheCommitterAtAnyTime() public {
        bytes32 id = _commit(_mandate(), 100e6);
        uint256 before = usdc.balanceOf(OWNER);
        vm.expectEmit(address(succession));
        emit ISuccession.EscrowWithdrawn(id, 40e6, 60e6);
        vm.prank(OWNER);
        succession.withdrawEscrow(id, 40e6);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.EscrowTooLow.selector, 60e6, 60e6 + 1));
        vm.prank(OWNER);
        succession.withdrawEscrow(id, 60e6 + 1);
        // Sold, expired: it is still his.
        _sell();
        vm.warp(block.timestamp + 365 days);
        vm.prank(OWNER);
        succession.withdrawEscrow(id, 60e6);
        assertEq(usdc.balanceOf(OWNER), before + 100e6);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.NotCommitter.selector, BUYER, OWNER));
        vm.prank(BUYER);
        succession.withdrawEscrow(id, 0);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.NotCommitter.selector, OWNER, address(0)));
        vm.prank(OWNER);
        succession.withdrawEscrow("none", 0);
    }

    /* SUCCEED */

    function test_succeed_givesBirthToTheCommittersSuccessor() public {
        ISuccession.Mandate memory mandate = _mandate();
        bytes32 id = _commit(mandate, 120e6);
        _die();
        ISuccession.Succeeding memory s = _succeeding();
        vm.expectEmit(true, true, true, false, address(succession));
        emit ISuccession.Succeeded(id, first, first + 1, address(0), 70e6);
        (uint256 made, address at) = _succeed(mandate, s);
        assertEq(made, first + 1);
        assertEq(identity.ownerOf(made), OWNER, "minted to the committer");
        assertEq(lineage.successorOf(first), made);
        IVault next = IVault(at);
        assertEq(next.guardian(), GUARDIAN);
        assertEq(next.boundOwner(), OWNER, "L-006: he spoke by his mandate");
        assertEq(next.accounted(), 50e6);
        assertEq(next.books().reserve, 1e6);
        (address key,) = lineage.vitalOf(made);
        assertEq(key, NEXT_KEY);
        (uint8 uses,) = next.listingOf(PAYEE);
        assertEq(uses, 7);
        ISuccession.Standing memory standing = succession.standingOf(id);
        assertEq(standing.escrow, 70e6);
        assertEq(standing.born, 1);
        assertEq(standing.lastBirthAt, block.timestamp);
        assertEq(usdc.allowance(address(succession), address(births)), 0, "exactly the budget");
    }

    function test_succeed_withAPolicyOfOnesOwn() public {
        ISuccession.Mandate memory mandate = _mandate();
        ISuccession.Succeeding memory s = _succeeding();
        s.policy = new Policy[](1);
        s.policy[0] = _template();
        s.policy[0].grace = 2 hours;
        mandate.policyHash = keccak256(abi.encode(s.policy[0]));
        _commit(mandate, 50e6);
        _die();
        (, address at) = _succeed(mandate, s);
        assertEq(IVault(at).policy().grace, 2 hours);
    }

    function test_succeed_withAKeyTheOwnerSigned() public {
        ISuccession.Mandate memory mandate = _mandate();
        mandate.keys = new address[](0);
        bytes32 id = _commit(mandate, 50e6);
        _die();
        ISuccession.Succeeding memory s = _succeeding();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.KeyMismatch.selector, NEXT_KEY, address(0)));
        _succeed(mandate, s);
        s.keySignature = _sign(OWNER_SK, succession.successorKeyDigest(id, first, THIRD_KEY));
        vm.expectRevert(abi.encodeWithSelector(ISuccession.KeyMismatch.selector, NEXT_KEY, address(0)));
        _succeed(mandate, s);
        s.keySignature = _sign(OWNER_SK, succession.successorKeyDigest(id, first, NEXT_KEY));
        (uint256 made,) = _succeed(mandate, s);
        assertTrue(lineage.isAlive(made));
    }

    /// @dev The digest is EIP-712, written out as a wallet shows it.
    function test_successorKeyDigest_isEip712() public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("BardoSuccession"),
                keccak256("1"),
                block.chainid,
                address(succession)
            )
        );
        bytes32 what = keccak256(
            abi.encode(
                keccak256("SuccessorKey(bytes32 mandate,uint256 predecessor,address key)"),
                bytes32("m"),
                uint256(7),
                NEXT_KEY
            )
        );
        assertEq(succession.successorKeyDigest("m", 7, NEXT_KEY), keccak256(abi.encodePacked(hex"1901", domain, what)));
    }

    function test_succeed_onlyByTheExecutorAndForAKnownMandate() public {
        ISuccession.Mandate memory mandate = _mandate();
        ISuccession.Succeeding memory s = _succeeding();
        bytes32 id = succession.mandateIdOf(OWNER, mandate);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.UnknownMandate.selector, id));
        _succeed(mandate, s);
        _commit(mandate, 50e6);
        _die();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.NotExecutor.selector, STRANGER, EXECUTOR));
        vm.prank(STRANGER);
        succession.succeed(OWNER, mandate, s);
    }

    function test_succeed_untilTheExpiryToTheSecond() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6);
        _die();
        ISuccession.Succeeding memory s = _succeeding();
        vm.warp(mandate.expiry + 1);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.MandateExpired.selector, mandate.expiry + 1, mandate.expiry));
        _succeed(mandate, s);
        vm.warp(mandate.expiry);
        (uint256 made,) = _succeed(mandate, s);
        assertTrue(lineage.isAlive(made));
    }

    function test_succeed_revertsWithoutEnoughEscrow() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6 - 1);
        _die();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.EscrowTooLow.selector, 50e6 - 1, 50e6));
        _succeed(mandate, _succeeding());
    }

    function test_succeed_revertsForALivingOrDyingPredecessor() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.PredecessorNotDead.selector, first));
        _succeed(mandate, _succeeding());
        _kill();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.PredecessorNotDead.selector, first));
        _succeed(mandate, _succeeding());
    }

    function test_succeed_revertsForAForeignLineage() public {
        ISuccession.Mandate memory mandate = _mandate();
        mandate.lineage = 77;
        _commit(mandate, 50e6);
        _die();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.ForeignLineage.selector, first, first, 77));
        _succeed(mandate, _succeeding());
    }

    function test_succeed_revertsOnceTheTokenIsSold() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6);
        _die();
        _sell();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.CommitterNotOwner.selector, OWNER, BUYER));
        _succeed(mandate, _succeeding());
    }

    function test_succeed_revertsForALifeUnderADayByASecond() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6);
        vm.warp(block.timestamp + 1 days - 1);
        _kill();
        _settle();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.LivedTooShort.selector, 1 days - 1, 1 days));
        _succeed(mandate, _succeeding());
    }

    /// @dev T-021: with its testament at once, without it a day after the death.
    function test_succeed_withoutATestamentADayLaterToTheSecond() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6);
        vm.warp(block.timestamp + 1 days);
        _kill();
        _finalise();
        uint256 died = block.timestamp;
        vm.warp(died + 1 days - 1);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.TooSoon.selector, died + 1 days - 1, died + 1 days));
        _succeed(mandate, _succeeding());
        uint256 snapshot = vm.snapshotState();
        vm.prank(OWNER);
        vault.attachTestament(_testament());
        _succeed(mandate, _succeeding());
        vm.revertToState(snapshot);
        vm.warp(died + 1 days);
        (uint256 made,) = _succeed(mandate, _succeeding());
        assertTrue(lineage.isAlive(made));
    }

    function test_succeed_revertsForOtherTerms() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6);
        _die();
        ISuccession.Succeeding memory s = _succeeding();
        s.policy = new Policy[](1);
        s.policy[0] = _template();
        vm.expectRevert(
            abi.encodeWithSelector(
                ISuccession.PolicyMismatch.selector, keccak256(abi.encode(s.policy[0])), PolicyLib.TEMPLATE
            )
        );
        _succeed(mandate, s);
        s = _succeeding();
        s.listings[0].subject = STRANGER;
        vm.expectRevert(
            abi.encodeWithSelector(
                ISuccession.ListsMismatch.selector, keccak256(abi.encode(s.listings)), mandate.listsHash
            )
        );
        _succeed(mandate, s);
        s = _succeeding();
        s.key = THIRD_KEY;
        vm.expectRevert(abi.encodeWithSelector(ISuccession.KeyMismatch.selector, THIRD_KEY, NEXT_KEY));
        _succeed(mandate, s);
        s = _succeeding();
        s.playbookDigest = keccak256("playbook");
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.PlaybookNotDiverged.selector, keccak256("playbook")));
        _succeed(mandate, s);
        // A mandate with any other word is another mandate.
        mandate.budget += 1;
        bytes32 other = succession.mandateIdOf(OWNER, mandate);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.UnknownMandate.selector, other));
        _succeed(mandate, _succeeding());
    }

    function test_succeed_theExecutorIsNeverAKey() public {
        ISuccession.Mandate memory mandate = _mandate();
        mandate.executor = NEXT_KEY;
        _commit(mandate, 50e6);
        ISuccession.Mandate memory leaked = _mandate();
        leaked.executor = KEY;
        _commit(leaked, 50e6);
        _die();
        ISuccession.Succeeding memory s = _succeeding();
        vm.expectRevert(abi.encodeWithSelector(ISuccession.ExecutorIsKey.selector, NEXT_KEY, first));
        vm.prank(NEXT_KEY);
        succession.succeed(OWNER, mandate, s);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.ExecutorIsKey.selector, KEY, first));
        vm.prank(KEY);
        succession.succeed(OWNER, leaked, s);
    }

    /// @dev Lives the successor for a day and ends it, so that the mandate may serve again.
    function _endSuccessor(uint256 made) private {
        vm.warp(block.timestamp + 1 days);
        vault = IVault(lineage.vaultOf(made));
        vm.prank(OWNER);
        vault.kill("");
        vm.prank(NEXT_KEY);
        vault.settle(_testament(), _stain());
    }

    function test_succeed_anAncestorsKeyIsRefusedToo() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 50e6);
        ISuccession.Mandate memory leaked = _mandate();
        leaked.executor = KEY;
        leaked.keys[0] = THIRD_KEY;
        _commit(leaked, 50e6);
        _die();
        (uint256 made,) = _succeed(mandate, _succeeding());
        _endSuccessor(made);
        ISuccession.Succeeding memory s = _succeeding();
        s.predecessor = made;
        s.key = THIRD_KEY;
        vm.expectRevert(abi.encodeWithSelector(ISuccession.ExecutorIsKey.selector, KEY, first));
        vm.prank(KEY);
        succession.succeed(OWNER, leaked, s);
    }

    function test_succeed_onceForAPredecessorAndOnlyAsOftenAsMandated() public {
        ISuccession.Mandate memory mandate = _mandate();
        _commit(mandate, 200e6);
        _die();
        (uint256 made,) = _succeed(mandate, _succeeding());
        ISuccession.Succeeding memory s = _succeeding();
        s.key = THIRD_KEY;
        s.nonce = 1;
        uint256 allowedAt = block.timestamp + 1 days;
        vm.warp(allowedAt - 1);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.TooSoon.selector, allowedAt - 1, allowedAt));
        _succeed(mandate, s);
        vm.warp(allowedAt);
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.AlreadySucceeded.selector, first, made));
        _succeed(mandate, s);

        _endSuccessor(made);
        s.predecessor = made;
        (uint256 third,) = _succeed(mandate, s);
        assertEq(lineage.golem(third).generation, 2);
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.MandateSpent.selector, 2, 2));
        _succeed(mandate, s);
    }

    /// @dev A key that the mandate names is zero: nobody is born without one.
    function test_succeed_revertsForAZeroKey() public {
        ISuccession.Mandate memory mandate = _mandate();
        mandate.keys = new address[](2);
        _commit(mandate, 50e6);
        _die();
        ISuccession.Succeeding memory s = _succeeding();
        s.key = address(0);
        vm.expectRevert(IBirth.ZeroParty.selector);
        _succeed(mandate, s);
        assertEq(usdc.balanceOf(address(succession)), 50e6, "the escrow is untouched");
    }
}

/// @title Escrow with a USDC that misbehaves (T-020)
contract SuccessionOddUsdcTest is UnitTest {
    function _deployUsdc() internal override returns (MockUsdc) {
        return new OddUsdc();
    }

    function _mandate(uint256 nonce) private view returns (ISuccession.Mandate memory mandate) {
        mandate.lineage = golem;
        mandate.budget = 50e6;
        mandate.successors = 1;
        mandate.expiry = block.timestamp + 30 days;
        mandate.executor = EXECUTOR;
        mandate.nonce = nonce;
    }

    /// @dev All escrows lie in one balance: what did not arrive would be paid out of another's.
    function test_commit_revertsWhenUsdcTakesAFee() public {
        vm.startPrank(OWNER);
        usdc.approve(address(succession), type(uint256).max);
        bytes32 id = succession.commit(_mandate(0), 50e6);
        OddUsdc(address(usdc)).setFee(1);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.EscrowUnbacked.selector, 50e6 - 1, 50e6));
        succession.commit(_mandate(1), 50e6);
        vm.expectRevert(abi.encodeWithSelector(ISuccession.EscrowUnbacked.selector, 50e6 - 1, 50e6));
        succession.addEscrow(id, 50e6);
        vm.stopPrank();
        assertEq(succession.standingOf(id).escrow, 50e6);
        assertEq(usdc.balanceOf(address(succession)), 50e6);
    }
}
