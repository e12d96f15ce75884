// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";

import {Laws} from "test/invariant/Laws.t.sol";

/// @title The histories reach what the laws are about
/// @dev A guard that never lets anything pass would make every law hold. Here the same handler is driven by a fixed
/// sequence, and every action has to have happened. The laws are asked at the end of each life, since here are the
/// meetings that a draw seldom makes.
contract ReachTest is Laws {
    uint256 private constant LIVES = 10;
    uint256 private constant STEPS = 200;
    uint256 private constant STORIES = 16;
    uint256 private constant SCENES = 40;

    function _names() private pure returns (string[] memory names) {
        string[52] memory all = [
            "topUp",
            "transfer",
            "sync",
            "fundCapital",
            "withdrawCapital",
            "spend",
            "overspendRefused",
            "rebalance",
            "resplit",
            "resplitBack",
            "raiseReserve",
            "harvest",
            "swapIn",
            "swapOut",
            "hostileSwap",
            "mintPosition",
            "increasePosition",
            "decreasePosition",
            "refuel",
            "market",
            "donate",
            "beat",
            "staleTickRefused",
            "time",
            "sale",
            "accept",
            "rotate",
            "hibernate",
            "wake",
            "setPolicy",
            "paused",
            "unpaused",
            "mood",
            "kill",
            "killAndRevoke",
            "senescence",
            "stochastic",
            "trip",
            "silence",
            "spendDying",
            "overspendDyingRefused",
            "settle",
            "finalise",
            "finaliseWithGas",
            "claim",
            "succeed",
            "mandate",
            "tokensArrive",
            "drain",
            "commit",
            "addEscrow",
            "withdrawEscrow"
        ];
        names = new string[](all.length);
        for (uint256 i; i < all.length; ++i) {
            names[i] = all[i];
        }
    }

    function _newcomersNames() private pure returns (string[] memory names) {
        string[33] memory all = [
            "raiseReserveByKey",
            "reserveRefused",
            "ownerSwap",
            "oneSidedPosition",
            "hostilePosition",
            "reEntry",
            "reEntryOfLiquidity",
            "lag",
            "jump",
            "robbed",
            "robbedDying",
            "robRefused",
            "dust",
            "rush",
            "farTickRefused",
            "acceptWithoutKey",
            "acceptGift",
            "escrowHolds",
            "escrowReleased",
            "home",
            "homeAndBack",
            "lock",
            "lockedRefused",
            "lockedFinalise",
            "gift",
            "giverRefused",
            "formerGiverRefused",
            "diedInEscrow",
            "diedUnbound",
            "finaliseByOwner",
            "claimUnbound",
            "finaliseTooLittleGas",
            "reEntryUndone"
        ];
        names = new string[](all.length);
        for (uint256 i; i < all.length; ++i) {
            names[i] = all[i];
        }
    }

    function test_handler_everyActionHappens() public {
        string[] memory names = _names();
        uint256[] memory sum = new uint256[](names.length);
        uint256 clean = vm.snapshotState();
        for (uint256 life; life < LIVES; ++life) {
            for (uint256 step; step < STEPS; ++step) {
                _act(uint256(keccak256(abi.encode(life, step))));
            }
            _endLife(names, sum, clean);
        }
        _assertAll(names, sum);
    }

    /// @dev The escrow, the giver, the sender of dust, the token that calls back and the market that lags: each comes to
    /// where the laws could fail.
    function test_handler_everyNewcomerActs() public {
        string[] memory names = _newcomersNames();
        uint256[] memory sum = new uint256[](names.length);
        uint256 clean = vm.snapshotState();
        for (uint256 story; story < STORIES; ++story) {
            for (uint256 scene; scene < SCENES; ++scene) {
                uint256 r = uint256(keccak256(abi.encode("story", story, scene)));
                _newcomers(r % 16, r >> 64, uint256(keccak256(abi.encode(r))));
            }
            _endLife(names, sum, clean);
        }
        _assertAll(names, sum);
    }

    function _endLife(string[] memory names, uint256[] memory sum, uint256 clean) private {
        for (uint256 i; i < names.length; ++i) {
            sum[i] += handler.done(names[i]);
        }
        _everyLawHolds();
        vm.revertToState(clean);
    }

    function _assertAll(string[] memory names, uint256[] memory sum) private pure {
        for (uint256 i; i < names.length; ++i) {
            assertGt(sum[i], 0, string.concat("never happened: ", names[i]));
        }
    }

    /// @dev T-003: a Golem that has set legacy aside dies by each hand and by its own; what it then spends, and out of
    /// what, is as the witness reckons, and the budget is one for all its payments.
    function test_dying_spendsOneBudgetAndLegacyOnlyWhenNotKilled() public {
        uint256 clean = vm.snapshotState();
        for (uint256 road; road < 3; ++road) {
            handler.passTimeNoRevert(61);
            handler.beatNoRevert(_seedOf(3, 0, 3), 1);
            handler.resplitNoRevert(0);
            assertGt(witness.vaultOf(0).credits().legacy, 0.4e6);
            handler.dieNoRevert(_deathBy(road));
            _spendTwice(0, uint256(keccak256(abi.encode(road))));
            assertEq(handler.done("spendDying"), 2);
            assertEq(handler.done("overspendDyingRefused"), 1);
            _everyLawHolds();
            vm.revertToState(clean);
        }
    }

    function _act(uint256 r) private {
        (uint256 a, uint256 b) = (r >> 64, uint256(keccak256(abi.encode(r))));
        uint256 which = r % 39;
        if (which < 18) _money(which, a, b);
        else _life(which, a, b);
    }

    function _money(uint256 which, uint256 a, uint256 b) private {
        if (which == 0) handler.topUpNoRevert(a, b);
        if (which == 1) handler.transferDirectNoRevert(a, b);
        if (which == 2) handler.syncNoRevert(a);
        if (which == 3) handler.fundCapitalNoRevert(a, b);
        if (which == 4) handler.withdrawCapitalNoRevert(a, b);
        if (which == 5) handler.spendNoRevert(a, b);
        if (which == 6) handler.overspend(a, b);
        if (which == 7) handler.rebalanceNoRevert(a, b);
        if (which == 8) _declineAndRise(a);
        if (which == 9) handler.raiseReserveNoRevert(a, b);
        if (which == 10) handler.harvestNoRevert(a);
        if (which == 11 || which == 12) handler.swap(a, b);
        if (which == 13) _addTwice(a, b);
        if (which == 14) handler.removeLiquidity(a, b);
        if (which == 15) handler.refuel(a, b);
        if (which == 16) handler.marketMovesNoRevert(a, b);
        if (which == 17) handler.donateToAdaptersNoRevert(a);
    }

    /// @dev V-009: the same Golem reports Declining, sets legacy aside, reports Stable, and its owner takes it back.
    function _declineAndRise(uint256 a) private {
        uint256 count = witness.count();
        uint256 index = a % count;
        handler.beatNoRevert(_seedOf(3, index, count), a);
        handler.resplitNoRevert(index);
        if (a & 1 == 0) return;
        handler.beatNoRevert(_seedOf(1, index, count), a);
        handler.resplitNoRevert(index);
    }

    /// @dev After two hours without a trade, so that spot is the mean: a purchase, a position, more for it, some back.
    function _addTwice(uint256 a, uint256 b) private {
        uint256 count = witness.count();
        uint256 buy = 512 + 4_096 + 16;
        handler.usdcChangesNoRevert(1);
        handler.passTimeNoRevert(7_201);
        handler.beatNoRevert(_seedOf(1, a % count, count), 0);
        handler.swap(buy - buy % count + a % count, 50e6);
        handler.passTimeNoRevert(61);
        // With dust in the adapters, and on one side of the price as well as on both.
        handler.donateToAdaptersNoRevert(1);
        uint256 sided = a & 1 == 0 ? 0 : 512 + (a & 2) * 1_024;
        handler.addLiquidity(_seedAt(256 + sided, a % count, count), b);
        handler.passTimeNoRevert(61);
        handler.addLiquidity(_seedAt(sided, a % count, count), b >> 1);
        handler.removeLiquidity(a, b);
    }

    /* THE NEWCOMERS */

    function _newcomers(uint256 which, uint256 a, uint256 b) private {
        if (which == 0) _tradeHostile(a, b);
        if (which == 1) _dieInTrust(a, b);
        if (which == 2) _receiveGift(a, b);
        if (which == 3) _robDying(a, b);
        if (which == 4) _dieLocked(a, b);
        if (which == 5) _lockAway(a, b);
        if (which == 6) handler.marketLags(a, b);
        if (which == 7) handler.marketJumps(a, b);
        if (which == 8) handler.keyRushesNoRevert(a);
        if (which == 9) handler.tokenWandersNoRevert(a);
        if (which == 10) handler.tokensArriveNoRevert(a);
        if (which == 11) _addTwice(a, b);
        if (which == 12) handler.sellOrAcceptNoRevert(a);
        if (which == 13) handler.giverTries(a);
        if (which == 14) handler.ownerRulesNoRevert(a);
        if (which == 15) handler.formerKeysTryEverything(a);
    }

    /// @dev V-010: the hostile token is bought while it behaves, then sold or put into a position while it calls back.
    function _tradeHostile(uint256 a, uint256 b) private {
        uint256 count = witness.count();
        handler.usdcChangesNoRevert(1);
        handler.tokenTurnsNoRevert(3);
        handler.passTimeNoRevert(7_201);
        handler.beatNoRevert(_seedOf(1, a % count, count), 0);
        handler.swap(_seedAt(256 + 512 + 4_096, a % count, count), 50e6);
        handler.passTimeNoRevert(61);
        if (a & 256 == 0) handler.tokenTurnsNoRevert(_seedMood(5));
        // Alone, or with USDC that lies in the adapter while the token moves.
        if (a & 512 == 0) handler.addLiquidity(_seedAt(256 + 512 + 1_024 + 2_048, a % count, count), b);
        else if (a & 1_024 == 0) handler.addLiquidity(_seedAt(256 + 1_024, a % count, count), b);
        else handler.swap(_seedAt(256 + 4_096, a % count, count), b % 1e18);
    }

    /// @dev A seed that turns the hostile token to this mood.
    function _seedMood(uint256 mood) private pure returns (uint256 seed) {
        seed = mood << 8;
        while (seed % 3 == 0) ++seed;
    }

    /// @dev T-005: it dies in an escrow's hands; then it is given back, and its owner takes what waited.
    function _dieInTrust(uint256 a, uint256 b) private {
        uint256 count = witness.count();
        uint256 index = a % count;
        handler.usdcChangesNoRevert(1);
        handler.tokenWandersNoRevert(_seedAt(0, index, count));
        handler.silenceNoRevert(_seedAt(0, index, count));
        handler.finaliseNoRevert(_seedAt(a & 256 == 0 ? BY_STRANGER : WITH_GAS, index, count), b);
        handler.tokenWandersNoRevert(_seedAt(((a >> 10) % 3) << 8, index, count));
        if (a & 512 == 0) handler.claimNoRevert(index);
        else handler.finaliseNoRevert(_seedAt(0, index, count), b);
    }

    /// @dev V-018: it dies while it is locked; its owner tries what he may not, waits, and has it all.
    function _dieLocked(uint256 a, uint256 b) private {
        uint256 count = witness.count();
        uint256 index = a % count;
        handler.usdcChangesNoRevert(1);
        // The fifth of the owner's acts, for some 80,000 seconds.
        handler.ownerRulesNoRevert(_seedAt((80_000 << 16) + (4 << 8), index, count));
        handler.lockedOwnerTries(index);
        handler.dieNoRevert(_deathBy(0) + index);
        handler.finaliseNoRevert(_seedAt(a & 256 == 0 ? BY_STRANGER : 0, index, count), b);
        handler.lockedOwnerTries(index);
        handler.passTimeNoRevert(90_000);
        handler.finaliseNoRevert(_seedAt(0, index, count), b);
    }

    /// @dev V-007: after a top-up more is due, and the key locks that away and no more.
    function _lockAway(uint256 a, uint256 b) private {
        uint256 count = witness.count();
        handler.usdcChangesNoRevert(1);
        handler.topUpNoRevert(_seedAt(256, a % count, count), 100e6);
        for (uint256 i; i < 3; ++i) {
            handler.raiseReserveNoRevert(_seedAt(256, a % count, count), 1e6);
        }
        handler.raiseReserveNoRevert(_seedAt(256, a % count, count), b);
    }

    /// @dev L-006: a gift, a top-up by its receiver, all that the giver may try, a word or a death.
    function _receiveGift(uint256 a, uint256 b) private {
        handler.usdcChangesNoRevert(1);
        uint256 before = witness.count();
        handler.giftNoRevert(a);
        uint256 count = witness.count();
        if (count == before) return handler.giverTries(a);
        handler.topUpNoRevert(_seedAt(256, before, count), b);
        handler.giverTries(a);
        if (a & 16 == 0) {
            handler.sellOrAcceptNoRevert(_seedAt(a & 0xf00, before, count));
            handler.giverTries(a);
        } else {
            handler.silenceNoRevert(_seedAt(0, before, count));
            handler.finaliseNoRevert(_seedAt(BY_STRANGER, before, count), b);
            handler.claimNoRevert(before);
        }
    }

    /// @dev V-031: dying, with something to sell, while the market moves; the key robs and the owner sells too.
    function _robDying(uint256 a, uint256 b) private {
        uint256 count = witness.count();
        uint256 index = a % count;
        handler.usdcChangesNoRevert(1);
        handler.passTimeNoRevert(7_201);
        handler.swap(_seedAt(512, index, count), 0);
        handler.dieNoRevert(_deathBy(1) + index);
        handler.passTimeNoRevert(61);
        handler.marketJumps(_seedAt(a & 0x200, index, count), b);
        handler.passTimeNoRevert(61);
        handler.marketLags(_seedAt((a & 0x200) + (a & 0x70000), index, count), b);
        handler.passTimeNoRevert(61);
        handler.swap(_seedAt(1_024, index, count), 0);
    }

    /// @dev What the handler's finalise reads as: now, in one go, by a stranger; and with as little gas as it likes.
    uint256 private constant BY_STRANGER = (1 << 24) + (8 << 8);
    uint256 private constant WITH_GAS = (1 << 24) + (1 << 20) + (4 << 8);

    /// @dev These bits, and this Golem. What the handler reads in the lowest eight bits alone is left to chance.
    function _seedAt(uint256 bits, uint256 index, uint256 count) private pure returns (uint256 seed) {
        seed = bits;
        while (seed % count != index) ++seed;
    }

    /// @dev T-003: a little, a little more, and then one unit too many, of the same dying Golem.
    function _spendTwice(uint256 a, uint256 b) private {
        handler.spendDyingNoRevert(a, 1 + b % 0.2e6);
        handler.spendDyingNoRevert(a, 1 + (b >> 64) % 0.2e6);
        handler.overspendDying(a);
    }

    /// @dev T-005: something reaches the vault, and its owner takes it if it is dead. Whatever the weather was, it clears.
    function _claimLate(uint256 a, uint256 b) private {
        handler.usdcChangesNoRevert(1);
        handler.transferDirectNoRevert(a, b);
        handler.claimNoRevert(a);
    }

    /// @dev V-014: a token is bought, more of it arrives from nowhere, all is sold, and the profit is harvested.
    function _windfall(uint256 a) private {
        uint256 count = witness.count();
        uint256 sell = _seedOf(0, a % count, count);
        uint256 buy = 512 + 4_096 + 16;
        handler.swap(buy - buy % count + a % count, 1e6);
        for (uint256 i; i < 4; ++i) {
            handler.tokensArriveNoRevert(a % count);
            handler.swap(sell, 0);
        }
        handler.harvestNoRevert(a % count);
    }

    /// @dev A seed that the handler does not pass over, with each road as likely as the other.
    function _deathOf(uint256 a) private view returns (uint256) {
        uint256 count = witness.count();
        return _deathBy((a >> 1) % 6) + a % count;
    }

    /// @dev The death of the first Golem by that road.
    function _deathBy(uint256 road) private view returns (uint256) {
        uint256 seed = (road << 16) + (((3 - road % 3) % 3) << 8) + 16;
        return seed - seed % witness.count();
    }

    /// @dev A seed that the handler reads as this Golem, with this phase where it is asked for one.
    function _seedOf(uint256 phase, uint256 index, uint256 count) private pure returns (uint256) {
        uint256 seed = (phase << 10) + 16;
        return seed - seed % count + index;
    }

    function _life(uint256 which, uint256 a, uint256 b) private {
        if (which == 18) handler.beatNoRevert(a, b);
        if (which == 19) handler.beatBackwards(a, b);
        if (which == 20 || which == 21) handler.passTimeNoRevert(a);
        if (which == 22) handler.sellOrAcceptNoRevert(a);
        if (which == 23) handler.ownerRulesNoRevert(a);
        if (which == 24) handler.usdcChangesNoRevert(a);
        if (which == 25) handler.tokenTurnsNoRevert(a);
        if (which == 26) handler.dieNoRevert(a & 1 == 0 ? a : _deathOf(a));
        if (which == 27) handler.silenceNoRevert(a);
        if (which == 28) _spendTwice(a, b);
        if (which == 29) handler.overspendDying(a);
        if (which == 30) handler.settleNoRevert(a);
        if (which == 31) handler.finaliseNoRevert(a, b);
        if (which == 32) _claimLate(a, b);
        if (which == 33) handler.succeedNoRevert(a);
        if (which == 34) handler.succeedByMandate(a);
        if (which == 37) handler.leakedKeyDrainsNoRevert(a);
        if (which == 36) _windfall(a);
        if (which == 35) handler.formerKeysTryEverything(a);
        if (which == 38) handler.escrowNoRevert(a, b);
    }

    /// @dev V-035: of every function of the vault that changes anything, an outsider tries all but those anyone may use.
    function test_outsider_triesEveryFunctionOfTheAbi() public view {
        string memory artifact =
            vm.readFile(string.concat(vm.envOr("FOUNDRY_OUT", string("out")), "/IVault.sol/IVault.json"));
        string[] memory signatures = vm.parseJsonKeys(artifact, ".methodIdentifiers");
        (, bytes[] memory calls) = witness.attempts(0, STRANGER);
        uint256 tried;
        for (uint256 i; i < signatures.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(signatures[i])));
            if (_isView(selector) || _isForAnyone(signatures[i])) continue;
            bool found;
            for (uint256 j; j < calls.length; ++j) {
                if (bytes4(calls[j]) == selector) found = true;
            }
            assertTrue(found, string.concat("no outsider tries ", signatures[i]));
            ++tried;
        }
        assertEq(tried, 33, "the ABI changed: is the new function anyone's?");
    }

    function _isForAnyone(string memory signature) private pure returns (bool) {
        bytes4 s = bytes4(keccak256(bytes(signature)));
        return s == IVaultMoney.topUp.selector || s == IVaultMoney.topUpWithPermit.selector
            || s == IVaultMoney.topUpWithAuthorisation.selector || s == IVaultMoney.sync.selector
            || s == IVaultDeath.notice.selector || s == IVaultDeath.killSilent.selector
            || s == IVaultDeath.finalise.selector || s == IVaultDeath.finalisePart.selector;
    }

    function _isView(bytes4 s) private pure returns (bool) {
        return _isRoleView(s) || s == IVaultMoney.credits.selector || s == IVaultMoney.books.selector
            || s == IVaultMoney.split.selector || s == IVaultMoney.accounted.selector
            || s == IVaultMoney.unallocated.selector || s == IVaultMoney.today.selector
            || s == IVaultMoney.tradedToday.selector || s == IVaultMoney.worstLoss.selector
            || s == IVaultMoney.holdings.selector || s == IVaultMoney.positions.selector
            || s == IVaultDeath.spentDying.selector;
    }

    function _isRoleView(bytes4 s) private pure returns (bool) {
        return s == IVaultMoney.agentId.selector || s == IVaultMoney.owner.selector
            || s == IVaultMoney.boundOwner.selector || s == IVaultMoney.guardian.selector
            || s == IVaultMoney.hibernatedUntil.selector || s == IVaultMoney.policy.selector
            || s == IVaultMoney.listingOf.selector || s == IVaultMoney.epoch.selector || s == IVaultMoney.key.selector
            || s == IVaultMoney.life.selector || s == IVaultMoney.phase.selector || s == IVaultMoney.cause.selector
            || s == IVaultMoney.deadline.selector || s == IVaultMoney.lockedUntil.selector
            || s == IVaultMoney.policyHash.selector;
    }
}
