// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVault} from "contracts/interfaces/IVault.sol";

import {BaseTest} from "test/BaseTest.sol";
import {Escrow, Relay} from "test/invariant/Actors.sol";
import {Handler} from "test/invariant/Handler.sol";
import {Giver, Witness, World} from "test/invariant/Witness.sol";
import {TrojanToken} from "test/mocks/TrojanToken.sol";
import {IVenuePool} from "test/utils/Venue.sol";

/// @title The world of the histories: the suite, the venue, and a token listed in good faith that turns hostile
abstract contract LawsWorld is BaseTest {
    World internal world;

    function setUp() public virtual override {
        super.setUp();
        TrojanToken token = new TrojanToken();
        IVenuePool tokenPool = _createPool(address(token), 1e18, 1e6);
        token.mint(address(this), 1_000_000e18);
        usdc.mint(address(this), 1_000_000e6);
        _addLiquidity(address(token), 1_000_000e18, 1_000_000e6);
        _pass(1 hours);
        Giver memory giver = Giver(makeAddr("GIVER"), makeAddr("GIVER'S KEY"), makeAddr("GIVER'S PAYEE"));
        world = World(usdc, weth, pool, token, tokenPool, suite, new Escrow(), new Relay(), giver);
    }
}

/// @title The laws of section 8, asked of a handler's world as it stands
abstract contract Laws is LawsWorld {
    Handler internal handler;
    Witness internal witness;

    function setUp() public virtual override {
        super.setUp();
        handler = new Handler(world);
        witness = handler.witness();
    }

    function _everyLawHolds() internal {
        _L006_aGiftBringsTheGiverNothing();
        _V011_adaptersHoldNothingOfAnyVaults();
        _V018_aLockedVaultPaysNoOwner();
        _V030_everyVaultHoldsWhatItsBooksSay();
        _V031_aLeakedKeyCostsNoMoreThanStated();
        _V032_theReserveNeverFallsWhileAlive();
        _V033_theDeadPayNobodyButTheOwner();
        _V034_formerKeysArePowerless();
        _V035_outsidersChangeNothing();
        _L030_lineageIsASetOfSimpleChains();
        _L031_lifeMovesForward();
        _L032_ticksStrictlyIncrease();
        _T005_noPushReachesAStranger();
        _T020_everyEscrowIsThere();
        _T030_theOwnerCanAlwaysLeave();
        _T031_aDeathNeverReverts();
    }

    /// @dev L-006: whoever raises a Golem in another's name, with his own key and lists, never has anything from it.
    function _L006_aGiftBringsTheGiverNothing() private view {
        assertFalse(handler.giverGotThrough(), "L-006: the giver's word counted");
        assertTrue(witness.hasNothing(world.giver.self), "L-006: the giver was paid");
        assertTrue(witness.hasNothing(world.giver.key), "L-006: the giver's key was paid");
        assertTrue(witness.hasNothing(world.giver.payee), "L-006: the giver's payee was paid");
    }

    function _V011_adaptersHoldNothingOfAnyVaults() private view {
        assertTrue(witness.adaptersHoldOnlyDust(), "V-011: an adapter kept something");
    }

    function _V018_aLockedVaultPaysNoOwner() private view {
        assertFalse(witness.lockedPaid(), "V-018: a locked vault paid an owner");
        assertFalse(handler.lockedGotThrough(), "V-018: an owner got through a lock");
    }

    /// @dev V-030 (V-003): conservation, exactly, for every vault.
    function _V030_everyVaultHoldsWhatItsBooksSay() private view {
        for (uint256 i; i < witness.count(); ++i) {
            assertTrue(witness.conserves(witness.ids(i)), "V-030: the books do not balance");
            assertTrue(witness.booksAddUp(witness.ids(i)), "V-015: the deployed do not add up");
        }
    }

    /// @dev V-031: no way out but the five, each within its caps, and all of them within the stated figure.
    function _V031_aLeakedKeyCostsNoMoreThanStated() private view {
        assertFalse(witness.leaked(), "V-031: USDC left by no known way");
        assertFalse(handler.overspent(), "V-031: a cap was passed");
        assertFalse(handler.overReserved(), "V-007: the key locked away more than is due");
        for (uint256 i; i < witness.count(); ++i) {
            assertTrue(witness.withinFigure(witness.ids(i)), "V-031: the key took more than the figure");
        }
    }

    function _V032_theReserveNeverFallsWhileAlive() private view {
        assertFalse(witness.reserveFell(), "V-032");
    }

    function _V033_theDeadPayNobodyButTheOwner() private view {
        assertFalse(witness.deadPaidAnother(), "V-033");
    }

    function _V034_formerKeysArePowerless() private view {
        assertFalse(handler.rotatedKeyGotThrough(), "V-034: a rotated key got through");
        assertFalse(handler.unboundKeyGotThrough(), "V-034: a sold key got through");
    }

    function _V035_outsidersChangeNothing() private view {
        assertFalse(handler.outsiderGotThrough(), "V-035: an outsider got through");
        assertEq(world.token.reEntered(), 0, "V-010: a token re-entered");
        assertTrue(witness.hasNothing(address(world.relay)), "V-010: a token was paid for calling back");
    }

    function _L030_lineageIsASetOfSimpleChains() private view {
        assertFalse(witness.rowChanged(), "L-030: a row changed");
        assertFalse(handler.secondSuccessorBorn(), "L-030: a second successor");
        assertTrue(witness.chainsAreSimple(), "L-030: a knot in a chain");
    }

    function _L031_lifeMovesForward() private view {
        assertFalse(witness.lifeWentBack(), "L-031");
    }

    /// @dev L-032: forward, by no more than there was time for, and so that one second later there is always a next.
    function _L032_ticksStrictlyIncrease() private {
        assertFalse(witness.tickWentBack() || handler.staleTickBeaten(), "L-032: a tick went back");
        assertFalse(handler.farTickBeaten(), "L-032: a tick that cannot have passed");
        for (uint256 i; i < witness.count(); ++i) {
            assertTrue(witness.honestKeyBeats(witness.ids(i)), "L-032: a beat ended all beats");
        }
    }

    /// @dev T-005: a death pushes to the bound owner or to the owner who calls, and to nobody who holds the token in trust.
    function _T005_noPushReachesAStranger() private view {
        assertFalse(witness.pushedToAnother(), "T-005: a push to one who had not spoken");
        assertTrue(witness.hasNothing(address(world.escrow)), "T-005: a push to an escrow");
    }

    /// @dev T-020: escrows share one balance, so the sum of them is what lies there, neither more nor less.
    function _T020_everyEscrowIsThere() private view {
        assertEq(handler.escrowed(), world.usdc.balanceOf(world.suite.succession), "T-020: escrow without backing");
    }

    /// @dev T-030: one Golem after the other, each history leaves every one of them many times.
    function _T030_theOwnerCanAlwaysLeave() private {
        assertFalse(handler.strandedForWantOfGas(), "T-006: stranded for want of gas");
        uint256 id = witness.ids(handler.turn() % witness.count());
        assertTrue(witness.ownerGetsEverything(id), "T-030: something did not reach the owner");
    }

    function _T031_aDeathNeverReverts() private {
        uint256 turn = handler.turn();
        uint256 id = witness.ids((turn + 1) % witness.count());
        assertTrue(witness.deathPasses(id, turn, turn % 2 == 0), "T-031: a death was held up");
    }
}

/// @title The laws over histories
/// @dev After every call of every history. What a call may do is the handler's business; what must never be so is above.
contract LawsInvariantTest is Laws {
    function setUp() public override {
        super.setUp();
        targetContract(address(handler));
        bytes4[] memory callback = new bytes4[](1);
        callback[0] = Handler.uniswapV3SwapCallback.selector;
        excludeSelector(FuzzSelector(address(handler), callback));
    }

    /// @dev One campaign for all: the seed is fixed, so a campaign for each would only walk the same histories again.
    function invariant_everyLawHoldsAfterEveryCall() public {
        _everyLawHolds();
    }
}
