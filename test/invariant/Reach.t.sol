// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";

import {Handler} from "test/invariant/Handler.sol";
import {LawsWorld} from "test/invariant/Laws.t.sol";

/// @title The histories reach what the laws are about
/// @dev A guard that never lets anything pass would make every law hold. Here the same handler is driven by a fixed
/// sequence, and every action has to have happened.
contract ReachTest is LawsWorld {
    Handler private _handler;

    uint256 private constant LIVES = 18;
    uint256 private constant STEPS = 200;

    function setUp() public override {
        super.setUp();
        _handler = new Handler(world);
    }

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

    function test_handler_everyActionHappens() public {
        string[] memory names = _names();
        uint256[] memory sum = new uint256[](names.length);
        uint256 clean = vm.snapshotState();
        for (uint256 life; life < LIVES; ++life) {
            for (uint256 step; step < STEPS; ++step) {
                _act(uint256(keccak256(abi.encode(life, step))));
            }
            for (uint256 i; i < names.length; ++i) {
                sum[i] += _handler.done(names[i]);
            }
            vm.revertToState(clean);
        }
        for (uint256 i; i < names.length; ++i) {
            assertGt(sum[i], 0, string.concat("never happened: ", names[i]));
        }
    }

    function _act(uint256 r) private {
        (uint256 a, uint256 b) = (r >> 64, uint256(keccak256(abi.encode(r))));
        uint256 which = r % 39;
        if (which < 18) _money(which, a, b);
        else _life(which, a, b);
    }

    function _money(uint256 which, uint256 a, uint256 b) private {
        if (which == 0) _handler.topUpNoRevert(a, b);
        if (which == 1) _handler.transferDirectNoRevert(a, b);
        if (which == 2) _handler.syncNoRevert(a);
        if (which == 3) _handler.fundCapitalNoRevert(a, b);
        if (which == 4) _handler.withdrawCapitalNoRevert(a, b);
        if (which == 5) _handler.spendNoRevert(a, b);
        if (which == 6) _handler.overspend(a, b);
        if (which == 7) _handler.rebalanceNoRevert(a, b);
        if (which == 8) _declineAndRise(a);
        if (which == 9) _handler.raiseReserveNoRevert(a, b);
        if (which == 10) _handler.harvestNoRevert(a);
        if (which == 11 || which == 12) _handler.swap(a, b);
        if (which == 13) _addTwice(a, b);
        if (which == 14) _handler.removeLiquidity(a, b);
        if (which == 15) _handler.refuel(a, b);
        if (which == 16) _handler.marketMovesNoRevert(a, b);
        if (which == 17) _handler.donateToAdaptersNoRevert(a);
    }

    /// @dev V-009: the same Golem reports Declining, sets legacy aside, reports Stable, and its owner takes it back.
    function _declineAndRise(uint256 a) private {
        uint256 count = _handler.witness().count();
        uint256 index = a % count;
        _handler.beatNoRevert(_seedOf(3, index, count), a);
        _handler.resplitNoRevert(index);
        if (a & 1 == 0) return;
        _handler.beatNoRevert(_seedOf(1, index, count), a);
        _handler.resplitNoRevert(index);
    }

    /// @dev After two hours without a trade, so that spot is the mean: a purchase, a position, more for it, some back.
    function _addTwice(uint256 a, uint256 b) private {
        uint256 count = _handler.witness().count();
        uint256 buy = 512 + 4_096 + 16;
        _handler.passTimeNoRevert(7_201);
        _handler.swap(buy - buy % count + a % count, 50e6);
        _handler.addLiquidity(a % count, b);
        _handler.addLiquidity(a % count, b >> 1);
        _handler.removeLiquidity(a, b);
    }

    /// @dev T-005: something reaches the vault, and its owner takes it if it is dead. Whatever the weather was, it clears.
    function _claimLate(uint256 a, uint256 b) private {
        _handler.usdcChangesNoRevert(1);
        _handler.transferDirectNoRevert(a, b);
        _handler.claimNoRevert(a);
    }

    /// @dev V-014: a token is bought, more of it arrives from nowhere, all is sold, and the profit is harvested.
    function _windfall(uint256 a) private {
        uint256 count = _handler.witness().count();
        uint256 sell = _seedOf(0, a % count, count);
        uint256 buy = 512 + 4_096 + 16;
        _handler.swap(buy - buy % count + a % count, 1e6);
        for (uint256 i; i < 4; ++i) {
            _handler.tokensArriveNoRevert(a % count);
            _handler.swap(sell, 0);
        }
        _handler.harvestNoRevert(a % count);
    }

    /// @dev A seed that the handler does not pass over, with each road as likely as the other.
    function _deathOf(uint256 a) private view returns (uint256) {
        uint256 count = _handler.witness().count();
        uint256 road = (a >> 1) % 6;
        uint256 seed = (road << 16) + (((3 - road % 3) % 3) << 8) + 16;
        return seed - seed % count + a % count;
    }

    /// @dev A seed that the handler reads as this Golem, with this phase where it is asked for one.
    function _seedOf(uint256 phase, uint256 index, uint256 count) private pure returns (uint256) {
        uint256 seed = (phase << 10) + 16;
        return seed - seed % count + index;
    }

    function _life(uint256 which, uint256 a, uint256 b) private {
        if (which == 18) _handler.beatNoRevert(a, b);
        if (which == 19) _handler.beatBackwards(a, b);
        if (which == 20 || which == 21) _handler.passTimeNoRevert(a);
        if (which == 22) _handler.sellOrAcceptNoRevert(a);
        if (which == 23) _handler.ownerRulesNoRevert(a);
        if (which == 24) _handler.usdcChangesNoRevert(a);
        if (which == 25) _handler.tokenTurnsNoRevert(a);
        if (which == 26) _handler.dieNoRevert(a & 1 == 0 ? a : _deathOf(a));
        if (which == 27) _handler.silenceNoRevert(a);
        if (which == 28) _handler.spendDyingNoRevert(a, b);
        if (which == 29) _handler.overspendDying(a);
        if (which == 30) _handler.settleNoRevert(a);
        if (which == 31) _handler.finaliseNoRevert(a, b);
        if (which == 32) _claimLate(a, b);
        if (which == 33) _handler.succeedNoRevert(a);
        if (which == 34) _handler.succeedByMandate(a);
        if (which == 37) _handler.leakedKeyDrainsNoRevert(a);
        if (which == 36) _windfall(a);
        if (which == 35) _handler.formerKeysTryEverything(a);
        if (which == 38) _handler.escrowNoRevert(a, b);
    }

    /// @dev V-035: of every function of the vault that changes anything, an outsider tries all but those anyone may use.
    function test_outsider_triesEveryFunctionOfTheAbi() public view {
        string memory artifact = vm.readFile("out/IVault.sol/IVault.json");
        string[] memory signatures = vm.parseJsonKeys(artifact, ".methodIdentifiers");
        (, bytes[] memory calls) = _handler.witness().attempts(0, STRANGER);
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
        assertEq(tried, 32, "the ABI changed: is the new function anyone's?");
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
            || s == IVaultMoney.listingOf.selector || s == IVaultMoney.epoch.selector;
    }
}
