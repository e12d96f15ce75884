// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {CommonBase} from "forge-std/Base.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IPositionAdapter} from "contracts/interfaces/IAdapters.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Cause, Life, NO_GOLEM, Phase, Pulse} from "contracts/types/Life.sol";
import {Books, Holding, Ledger, Listing, PartitionId, Policy, Position, Split} from "contracts/types/Money.sol";
import {Suite} from "contracts/types/Suite.sol";

import {Escrow, Relay} from "test/invariant/Actors.sol";
import {TrojanToken} from "test/mocks/TrojanToken.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";
import {IErc20, IVenuePool, IWeth9} from "test/utils/Venue.sol";

interface INft {
    function ownerOf(uint256 id) external view returns (address);
    function balanceOf(address account) external view returns (uint256);
}

/// @notice What the histories are played with.
struct World {
    MockUsdc usdc;
    IWeth9 weth;
    IVenuePool pool;
    TrojanToken token;
    IVenuePool tokenPool;
    Suite suite;
    Escrow escrow;
    Relay relay;
    Giver giver;
}

/// @notice Somebody who raises Golems in others' names: with his money, his key, and himself as payee.
struct Giver {
    address self;
    address key;
    address payee;
}

/// @title Watches every vault between two calls and says which law still holds
/// @dev The laws of section 8 as functions that answer yes or no. Nothing here is asked of the handler but what it meant
/// to do; all else is read from the chain. The same functions judge the broken twin, where each has to say no.
contract Witness is CommonBase {
    struct Seen {
        Life life;
        uint256 tick;
        uint256 reserve;
        uint256 usdc;
        uint256 weth;
        uint256 nfts;
        address owner;
        uint256 ownerUsdc;
        uint256 ownerWeth;
        bytes32 row;
    }

    /// @notice 24 hours in which a key may have leaked: what the vault said it could cost, and what it did cost. The figure
    /// has room for one move of the market within a minute; `run` is the run of trades whose loss to one is counted.
    struct Window {
        uint256 until;
        uint256 figure;
        uint256 lost;
        uint256 run;
    }

    address internal constant NOBODY = address(0xdeadbeef);
    /// @dev Who owns a token after whoever held it in trust.
    address internal constant LATER = address(0x1a7e5);

    World private _w;
    LineageRegistry private _lineage;
    IdentityRegistry private _identity;

    uint256[] public ids;
    mapping(uint256 agentId => IVault) public vaultOf;
    mapping(uint256 agentId => Seen) private _seen;
    mapping(uint256 agentId => Window) public windows;
    /// @notice The ghost ledger: what each part of the books has to be, by what was done.
    mapping(uint256 agentId => uint256) public unallocated;
    mapping(uint256 agentId => uint256) public credits;
    mapping(uint256 agentId => uint256) public reserve;
    mapping(uint256 agentId => uint256) public capital;
    /// @notice What strangers left in the adapters.
    mapping(address adapter => mapping(address token => uint256)) public dust;
    /// @dev What the call under way may take out of a vault, and who makes it.
    mapping(uint256 agentId => uint256) private _mayLeave;
    address private _actor;
    /// @dev Trades less than a minute apart are one run, named by the time of its first.
    mapping(uint256 agentId => uint256) private _tradedAt;
    mapping(uint256 agentId => uint256) private _run;

    bool public leaked;
    bool public reserveFell;
    bool public deadPaidAnother;
    bool public pushedToAnother;
    bool public lockedPaid;
    bool public rowChanged;
    bool public lifeWentBack;
    bool public tickWentBack;

    constructor(World memory w) {
        _w = w;
        _lineage = LineageRegistry(w.suite.lineage);
        _identity = IdentityRegistry(w.suite.identity);
    }

    function count() external view returns (uint256) {
        return ids.length;
    }

    /* THE GHOST LEDGER */

    function born(uint256 id, IVault vault, uint256 credits_, uint256 capital_) external {
        ids.push(id);
        vaultOf[id] = vault;
        // V-004, M-037, said once more: max(0.30, 2 %), with no position open.
        uint256 locked = (credits_ * 2 + 99) / 100;
        if (locked < 0.3e6) locked = 0.3e6;
        credits[id] = credits_ - locked;
        reserve[id] = locked;
        capital[id] = capital_;
        _seen[id].row = _rowOf(id);
        _remember(id);
    }

    function sent(uint256 id, uint256 amount) external {
        unallocated[id] += amount;
        windows[id].figure += amount;
    }

    function synced(uint256 id) external {
        credits[id] += unallocated[id];
        unallocated[id] = 0;
    }

    function toppedUp(uint256 id, uint256 amount) external {
        credits[id] += amount;
        windows[id].figure += amount;
    }

    function spent(uint256 id, uint256 amount) external {
        credits[id] -= amount;
        _left(id, amount);
    }

    function spentDying(uint256 id, uint256 fromLegacy, uint256 fromReserve) external {
        credits[id] -= fromLegacy;
        reserve[id] -= fromReserve;
        _left(id, fromLegacy + fromReserve);
    }

    function _left(uint256 id, uint256 amount) private {
        _mayLeave[id] += amount;
        if (block.timestamp < windows[id].until) windows[id].lost += amount;
    }

    function reserveRaised(uint256 id, uint256 amount) external {
        credits[id] -= amount;
        reserve[id] += amount;
    }

    function harvested(uint256 id, uint256 amount) external {
        capital[id] -= amount;
        credits[id] += amount;
        // Profit made within the window is money nobody knew of when the figure was given.
        windows[id].figure += amount;
    }

    function funded(uint256 id, uint256 amount) external {
        capital[id] += amount;
        windows[id].figure += amount;
    }

    function withdrawn(uint256 id, uint256 amount) external {
        capital[id] -= amount;
        _mayLeave[id] += amount;
        if (_isLocked(id)) lockedPaid = true;
    }

    /// @notice The USDC capital is what the vault has now beside the rest; `mayLeave` of it could go out.
    function moved(uint256 id, uint256 mayLeave) public {
        uint256 others = credits[id] + reserve[id] + unallocated[id];
        uint256 balance = _w.usdc.balanceOf(address(vaultOf[id]));
        capital[id] = balance > others ? balance - others : 0;
        _mayLeave[id] += mayLeave;
    }

    /// @notice The key traded: `loss` of it within the trusted price, `beyond` because the market was no longer there.
    function traded(uint256 id, uint256 mayLeave, uint256 loss, uint256 beyond) external {
        moved(id, mayLeave);
        if (block.timestamp >= _tradedAt[id] + 1 minutes) _run[id] = block.timestamp;
        _tradedAt[id] = block.timestamp;
        Window storage window = windows[id];
        if (block.timestamp >= window.until) return;
        window.lost += loss;
        if (beyond == 0) return;
        if (window.run == 0) window.run = _run[id];
        if (window.run == _run[id]) window.lost += beyond;
    }

    function dusted(address adapter, address token, uint256 amount) external {
        dust[adapter][token] += amount;
    }

    /// @notice Who makes the call under way, where that matters.
    function acting(address actor) external {
        _actor = actor;
    }

    function died(uint256 id) external {
        (unallocated[id], credits[id], reserve[id], capital[id]) = (0, 0, 0, 0);
        windows[id].until = 0;
    }

    /// @notice From now on for 24 hours the key is taken to be leaked, unless such a time runs already.
    function beginWindow(uint256 id) external {
        if (block.timestamp < windows[id].until) return;
        (address key, Life life) = _lineage.vitalOf(id);
        if (life != Life.Alive) return;
        IVaultMoney.WorstLoss memory worst = vaultOf[id].worstLoss();
        // Its float is lost the moment it leaks, as far as the vault gave it any.
        uint256 float = _w.usdc.balanceOf(key);
        windows[id] = Window(block.timestamp + 24 hours, worst.total, float < worst.float ? float : worst.float, 0);
    }

    /// @notice The owner changed what the figure rests on; a new one is due.
    function endWindow(uint256 id) external {
        windows[id].until = 0;
    }

    /* BETWEEN TWO CALLS */

    /// @notice Compares every Golem with what it was, and remembers what it is.
    function observe() external {
        for (uint256 i; i < ids.length; ++i) {
            _observe(ids[i]);
        }
        _actor = address(0);
    }

    function _observe(uint256 id) private {
        Seen memory was = _seen[id];
        IVault vault = vaultOf[id];
        (, Life life) = _lineage.vitalOf(id);
        uint256 usdcNow = _w.usdc.balanceOf(address(vault));

        // L-031
        if (life < was.life || life == Life.Unborn) lifeWentBack = true;
        // L-032: also after death, where the ticks lived stand for ever.
        if (_lineage.pulseOf(id).tick < was.tick) tickWentBack = true;
        // L-030
        if (_rowOf(id) != was.row) rowChanged = true;
        // V-032
        if (life == Life.Alive && vault.books().reserve < was.reserve) reserveFell = true;
        // V-031
        uint256 gone = was.usdc > usdcNow ? was.usdc - usdcNow : 0;
        if (life != Life.Dead && gone > _mayLeave[id]) leaked = true;
        _mayLeave[id] = 0;
        if (life == Life.Dead) _observeDead(id, was, gone);
        _remember(id);
    }

    /// @dev V-033, V-018, T-005: what leaves the dead reaches the owner; one who has spoken to the vault, or who calls; and
    /// not while it is locked.
    function _observeDead(uint256 id, Seen memory was, uint256 gone) private {
        address vault = address(vaultOf[id]);
        address owner = ownerOf(id);
        uint256 wethNow = _w.weth.balanceOf(vault);
        uint256 goneWeth = was.weth > wethNow ? was.weth - wethNow : 0;
        bool goneNfts = INft(_w.suite.positionManager).balanceOf(vault) < was.nfts;
        bool hisUsdc = _w.usdc.balanceOf(owner) >= was.ownerUsdc + gone;
        bool hisWeth = _w.weth.balanceOf(owner) >= was.ownerWeth + goneWeth;
        if (owner != was.owner) (hisUsdc, hisWeth) = (gone == 0, goneWeth == 0);
        if ((gone != 0 && !hisUsdc) || (goneWeth != 0 && !hisWeth)) deadPaidAnother = true;

        if (gone == 0 && goneWeth == 0 && !goneNfts) return;
        if (owner != vaultOf[id].boundOwner() && owner != _actor) pushedToAnother = true;
        if (_isLocked(id)) lockedPaid = true;
    }

    function _remember(uint256 id) private {
        Seen storage seen = _seen[id];
        IVault vault = vaultOf[id];
        (, seen.life) = _lineage.vitalOf(id);
        seen.tick = _lineage.pulseOf(id).tick;
        seen.reserve = vault.books().reserve;
        seen.usdc = _w.usdc.balanceOf(address(vault));
        seen.weth = _w.weth.balanceOf(address(vault));
        seen.nfts = INft(_w.suite.positionManager).balanceOf(address(vault));
        seen.owner = ownerOf(id);
        seen.ownerUsdc = _w.usdc.balanceOf(seen.owner);
        seen.ownerWeth = _w.weth.balanceOf(seen.owner);
    }

    /// @notice L-001: who owns the token; the bound owner when it was sent to its own vault.
    function ownerOf(uint256 id) public view returns (address holder) {
        holder = _identity.ownerOf(id);
        if (holder == address(vaultOf[id])) holder = vaultOf[id].boundOwner();
    }

    function _isLocked(uint256 id) private view returns (bool) {
        return vaultOf[id].lockedUntil() > block.timestamp;
    }

    function _rowOf(uint256 id) private view returns (bytes32) {
        ILineageRegistry.GolemView memory g = _lineage.golem(id);
        return keccak256(abi.encode(g.lineage, g.generation, g.predecessor, g.born, g.vault));
    }

    /* LAWS THAT A LOOK DECIDES */

    /// @notice V-030 (V-003), to the unit, part by part: the books are the ghost ledger, and the balance is their sum.
    function conserves(uint256 id) public view returns (bool) {
        IVault vault = vaultOf[id];
        uint256 balance = _w.usdc.balanceOf(address(vault));
        Ledger memory c = vault.credits();
        Books memory b = vault.books();
        uint256 sum = uint256(c.llm) + c.gas + c.data + c.legacy + b.reserve + b.capital;
        if (balance != sum + vault.unallocated() || sum != vault.accounted()) return false;
        (, Life life) = _lineage.vitalOf(id);
        if (life == Life.Dead) return sum == 0;
        return sum - b.reserve - b.capital == credits[id] && b.reserve == reserve[id] && b.capital == capital[id]
            && vault.unallocated() == unallocated[id];
    }

    /// @notice V-015 with it: what is deployed is booked line by line, and the lists are no longer than they may be.
    function booksAddUp(uint256 id) public view returns (bool) {
        IVault vault = vaultOf[id];
        Holding[] memory holdings = vault.holdings();
        Position[] memory positions = vault.positions();
        uint256 sum;
        for (uint256 i; i < holdings.length; ++i) {
            sum += holdings[i].book;
        }
        for (uint256 i; i < positions.length; ++i) {
            sum += positions[i].book;
        }
        (, Life life) = _lineage.vitalOf(id);
        return holdings.length <= 8 && positions.length <= 16 && (life == Life.Dead || sum == vault.books().deployed);
    }

    /// @notice V-031: a leaked key has cost no more than the policy view said beforehand.
    function withinFigure(uint256 id) public view returns (bool) {
        return block.timestamp >= windows[id].until || windows[id].lost <= windows[id].figure;
    }

    /// @notice L-030: every successor is its predecessor's, one generation on, in the same lineage, and nobody else's.
    function chainsAreSimple() public view returns (bool) {
        for (uint256 i; i < ids.length; ++i) {
            ILineageRegistry.GolemView memory g = _lineage.golem(ids[i]);
            if (g.predecessor == NO_GOLEM) {
                if (g.generation != 0 || g.lineage != g.agentId) return false;
            } else {
                ILineageRegistry.GolemView memory p = _lineage.golem(g.predecessor);
                bool linked = p.successor == g.agentId && p.generation + 1 == g.generation && p.lineage == g.lineage;
                if (!linked || p.died == 0) return false;
            }
            if (g.successor != NO_GOLEM && _lineage.golem(g.successor).predecessor != g.agentId) return false;
        }
        return true;
    }

    /// @notice V-011: an adapter holds what strangers left there and nothing of any vault's.
    function adaptersHoldOnlyDust() public view returns (bool) {
        return _holdsOnlyDust(_w.suite.swapAdapter) && _holdsOnlyDust(_w.suite.positionAdapter);
    }

    function _holdsOnlyDust(address adapter) private view returns (bool) {
        return _w.usdc.balanceOf(adapter) == dust[adapter][address(_w.usdc)]
            && _w.weth.balanceOf(adapter) == dust[adapter][address(_w.weth)]
            && INft(_w.suite.positionManager).balanceOf(adapter) == 0;
    }

    /// @notice T-005, L-006, V-010: nothing ever reached an escrow, him who gives to rob, or a token that calls back.
    function hasNothing(address account) public view returns (bool) {
        return _w.usdc.balanceOf(account) == 0 && _w.weth.balanceOf(account) == 0 && account.balance == 0
            && INft(_w.suite.positionManager).balanceOf(account) == 0;
    }

    /* V-034 AND V-035: WHAT OUTSIDERS CANNOT DO */

    /// @notice Tries, as `caller`, every call of the suite that somebody's role is needed for, on Golem `id`.
    /// @param mayBeat A key after a sale keeps its beat and its settle (L-006), and nothing else.
    /// @return True when each that had to be was refused.
    function refuses(uint256 id, address caller, bool mayBeat) public returns (bool) {
        (address[] memory targets, bytes[] memory calls) = attempts(id, caller);
        for (uint256 i; i < calls.length; ++i) {
            bytes4 selector = bytes4(calls[i]);
            if (mayBeat && (selector == ILineageRegistry.beat.selector || selector == IVaultDeath.settle.selector)) {
                continue;
            }
            vm.prank(caller);
            (bool ok,) = targets[i].call(calls[i]);
            if (ok) return false;
        }
        return true;
    }

    /// @notice The calls of `refuses`: on the vault all but topping up, sync, notice, silence kill and finalise, in the
    /// form most likely to pass.
    function attempts(uint256 id, address caller) public view returns (address[] memory targets, bytes[] memory calls) {
        calls = new bytes[](56);
        targets = new address[](56);
        uint256 n = _vaultCalls(calls, id, caller);
        for (uint256 i; i < n; ++i) {
            targets[i] = address(vaultOf[id]);
        }
        n = _suiteCalls(targets, calls, n, id, caller);
        assembly {
            mstore(targets, n)
            mstore(calls, n)
        }
    }

    function _vaultCalls(bytes[] memory c, uint256 id, address caller) private view returns (uint256 n) {
        IBirth.Order memory order;
        order.owner = caller;
        order.credits = 1e6;
        IVaultRules.Authorisation memory none;
        c[n++] = abi.encodeCall(IVaultOwner.initialise, (id, order, none, true));
        c[n++] = abi.encodeCall(IVaultMoney.spend, (PartitionId.Llm, caller, 1));
        c[n++] = abi.encodeCall(IVaultMoney.rebalance, (PartitionId.Llm, PartitionId.Gas, 1));
        c[n++] = abi.encodeCall(IVaultMoney.resplit, (Split.Birth));
        c[n++] = abi.encodeCall(IVaultMoney.resplit, (Split.Declining));
        c[n++] = abi.encodeCall(IVaultMoney.resplit, (Split.Terminal));
        c[n++] = abi.encodeCall(IVaultMoney.raiseReserve, (PartitionId.Llm, 1));
        c[n++] = abi.encodeCall(IVaultMoney.harvest, ());
        c[n++] = abi.encodeCall(IVaultOwner.fundCapital, (1));
        c[n++] = abi.encodeCall(IVaultOwner.withdrawCapital, (1));
        c[n++] = abi.encodeCall(IVaultOwner.rotateKey, (caller));
        c[n++] = abi.encodeCall(IVaultOwner.setGuardian, (caller));
        c[n++] = abi.encodeCall(IVaultOwner.setPolicy, (vaultOf[id].policy()));
        c[n++] = abi.encodeCall(IVaultOwner.setListings, (new Listing[](0)));
        c[n++] = abi.encodeCall(IVaultOwner.accept, (caller, caller, true, vaultOf[id].policyHash()));
        c[n++] = abi.encodeCall(IVaultOwner.lock, (block.timestamp + 30 days));
        c[n++] = abi.encodeCall(IVaultOwner.hibernate, (block.timestamp + 1 days));
        c[n++] = abi.encodeCall(IVaultOwner.wake, ());
        return _tradeAndDeathCalls(c, n, id);
    }

    function _tradeAndDeathCalls(bytes[] memory c, uint256 n, uint256 id) private view returns (uint256) {
        address pool = address(_w.pool);
        (address usdc, address weth) = (address(_w.usdc), address(_w.weth));
        Position[] memory positions = vaultOf[id].positions();
        uint256 tokenId = positions.length == 0 ? 0 : positions[0].tokenId;
        IVaultLiquidity.MintOrder memory mintOrder = IVaultLiquidity.MintOrder(pool, -887_220, 887_220, 1, 1, 0, 0);
        c[n++] =
            abi.encodeCall(IVaultTrading.swap, (IVaultTrading.SwapOrder(pool, usdc, weth, 1e6, 0, block.timestamp)));
        c[n++] =
            abi.encodeCall(IVaultTrading.swap, (IVaultTrading.SwapOrder(pool, weth, usdc, 1e14, 0, block.timestamp)));
        c[n++] = abi.encodeCall(IVaultLiquidity.mintPosition, (mintOrder));
        c[n++] = abi.encodeCall(IVaultLiquidity.increasePosition, (tokenId, 1, 1, 0, 0));
        c[n++] = abi.encodeCall(IVaultLiquidity.decreasePosition, (tokenId, 1, 0, 0));
        c[n++] = abi.encodeCall(IVaultTrading.refuel, (pool, 1e4, 0, block.timestamp));
        c[n++] = abi.encodeCall(IVaultTrading.prune, (weth));
        c[n++] = abi.encodeCall(IVaultDeath.kill, ("x"));
        c[n++] = abi.encodeCall(IVaultDeath.killAndRevoke, ("x"));
        c[n++] = abi.encodeCall(IVaultDeath.dieEconomic, ());
        c[n++] = abi.encodeCall(IVaultDeath.dieSenescent, ("x"));
        c[n++] = abi.encodeCall(IVaultDeath.dieStochastic, (1, 1, 0, 0));
        c[n++] = abi.encodeCall(IVaultDeath.trip, ("x"));
        c[n++] = abi.encodeCall(IVaultDeath.spendDying, (address(this), 1));
        ILineageRegistry.Stain memory stain;
        c[n++] = abi.encodeCall(IVaultDeath.settle, (_testament(), stain));
        c[n++] = abi.encodeCall(IVaultDeath.claim, (usdc));
        c[n++] = abi.encodeCall(IVaultDeath.claimNft, (_w.suite.positionManager, tokenId));
        c[n++] = abi.encodeCall(IVaultDeath.claimNft, (_w.suite.identity, id));
        c[n++] = abi.encodeCall(IVaultDeath.attachTestament, (_testament()));
        return n;
    }

    function _suiteCalls(address[] memory t, bytes[] memory c, uint256 n, uint256 id, address caller)
        private
        view
        returns (uint256)
    {
        uint256 first = n;
        uint64 tick = uint64(_lineage.pulseOf(id).tick) + 1;
        address vault = address(vaultOf[id]);
        ILineageRegistry.Stain memory stain;
        c[n++] = abi.encodeCall(ILineageRegistry.beat, (id, tick, Phase.Thriving, 1, 0, 0, "", 0));
        c[n++] = abi.encodeCall(ILineageRegistry.recordBirth, (id + 1_000, vault, caller, caller, NO_GOLEM, 0));
        c[n++] = abi.encodeCall(ILineageRegistry.setKey, (id, caller));
        c[n++] = abi.encodeCall(ILineageRegistry.postNotice, (id, caller, 0));
        c[n++] = abi.encodeCall(ILineageRegistry.beginDying, (id, Cause.Economic, caller, 0, ""));
        c[n++] = abi.encodeCall(ILineageRegistry.recordDeath, (id, caller, _testament(), stain));
        c[n++] = abi.encodeCall(ILineageRegistry.attachTestament, (id, _testament()));
        for (uint256 i = first; i < n; ++i) {
            t[i] = address(_lineage);
        }
        // The modules and the implementation by themselves, and a birth that would inherit.
        t[n] = _w.suite.owning;
        c[n++] = abi.encodeCall(IVaultOwner.rotateKey, (caller));
        t[n] = _w.suite.death;
        c[n++] = abi.encodeCall(IVaultDeath.kill, ("x"));
        t[n] = _w.suite.trading;
        c[n++] = abi.encodeCall(IVaultTrading.prune, (address(_w.weth)));
        t[n] = _w.suite.liquidity;
        c[n++] = abi.encodeCall(IVaultLiquidity.decreasePosition, (0, 0, 0, 0));
        t[n] = _w.suite.vault;
        c[n++] = abi.encodeCall(IVaultOwner.accept, (caller, caller, false, bytes32(0)));
        IBirth.Order memory order;
        (order.owner, order.funder, order.key, order.predecessor) = (caller, caller, caller, id);
        order.playbookDigest = keccak256("stolen");
        IBirth.Funding memory funding;
        t[n] = _w.suite.birth;
        c[n++] = abi.encodeCall(IBirth.birth, (order, funding));
        t[n] = _w.suite.positionAdapter;
        Position[] memory positions = vaultOf[id].positions();
        c[n++] = abi.encodeCall(IPositionAdapter.decrease, (positions.length == 0 ? 0 : positions[0].tokenId, 1, 0, 0));
        return n;
    }

    function _testament() private pure returns (ILineageRegistry.Testament memory) {
        return ILineageRegistry.Testament(keccak256("t"), "", keccak256("g"), keccak256("p"), 1);
    }

    /* T-030 AND T-031: THE WAY OUT, TRIED ON A SNAPSHOT */

    /// @notice L-032: whatever the last beat said, one second later an honest key beats, and in that second once more.
    function honestKeyBeats(uint256 id) public returns (bool answer) {
        (address key, Life life) = _lineage.vitalOf(id);
        if (life != Life.Alive || key == address(0)) return true;
        uint256 time = block.timestamp;
        vm.warp(time + 1);
        // Undone by its own revert: asked of every Golem after every call, where a snapshot each would take minutes.
        try this.tryBeats(id, key) {}
        catch (bytes memory said) {
            answer = bytes4(said) == Beaten.selector;
        }
        vm.warp(time);
    }

    error Beaten();

    /// @notice Reverts in any case, with `Beaten` when both beats passed.
    function tryBeats(uint256 id, address key) external {
        uint64 tick = _lineage.pulseOf(id).tick;
        for (uint64 next = tick + 1; next <= tick + 2; ++next) {
            vm.prank(key);
            _lineage.beat(id, next, Phase.Stable, 1, 0, 0, "", 20);
            require(_lineage.pulseOf(id).tick == next);
        }
        revert Beaten();
    }

    /// @notice T-030: from here, the owner has everything after the grace, or the lock he set, and one call: anybody's when he
    /// is the bound owner, his own when he is not. What a paused USDC or a block on his address holds back is his by one
    /// claim once that ends. Whoever holds the token in trust gives it back first.
    function ownerGetsEverything(uint256 id) public returns (bool answer) {
        uint256 clean = vm.snapshotState();
        if (_identity.ownerOf(id) == address(_w.escrow)) _w.escrow.release(address(_identity), LATER, id);
        answer = _leave(id, ownerOf(id));
        vm.revertToState(clean);
    }

    function _leave(uint256 id, address owner) private returns (bool) {
        IVault vault = vaultOf[id];
        if (_lifeOf(id) == Life.Alive) {
            vm.prank(owner);
            if (!_try(address(vault), abi.encodeCall(IVaultDeath.kill, ("enough")))) return false;
        }
        uint256 inUsdc = _w.usdc.balanceOf(address(vault)) + _w.usdc.balanceOf(owner);
        uint256 inWeth = _w.weth.balanceOf(address(vault)) + _w.weth.balanceOf(owner);
        Position[] memory positions = vault.positions();
        _waitToLeave(id);
        vm.prank(vault.boundOwner() == owner ? NOBODY : owner);
        if (!_try(address(vault), abi.encodeCall(IVaultDeath.finalise, ()))) return false;
        if (_lifeOf(id) != Life.Dead) return false;
        // What was held back, or came after the death, is claimed.
        if (_w.usdc.paused()) _w.usdc.setPaused(false);
        if (_w.usdc.isBlocked(owner)) _w.usdc.setBlocked(owner, false);
        if (!_claim(vault, owner, address(_w.usdc)) || !_claim(vault, owner, address(_w.weth))) return false;
        for (uint256 i; i < positions.length; ++i) {
            if (INft(_w.suite.positionManager).ownerOf(positions[i].tokenId) != owner) return false;
        }
        return _w.usdc.balanceOf(owner) == inUsdc && _w.weth.balanceOf(owner) == inWeth
            && _w.usdc.balanceOf(address(vault)) == 0 && _w.weth.balanceOf(address(vault)) == 0
            && vault.holdings().length == 0 && vault.positions().length == 0;
    }

    function _waitToLeave(uint256 id) private {
        (, Life life,, uint256 at) = _lineage.stateOf(id);
        if (life == Life.Dead || vaultOf[id].lockedUntil() > at) at = vaultOf[id].lockedUntil();
        if (block.timestamp < at) vm.warp(at);
    }

    function _claim(IVault vault, address owner, address asset) private returns (bool) {
        if (IErc20(asset).balanceOf(address(vault)) == 0) return true;
        vm.prank(owner);
        return _try(address(vault), abi.encodeCall(IVaultDeath.claim, (asset)));
    }

    /// @notice T-031: with every venue, every token and the identity registry gone mad at once, a death still passes.
    /// @param bySettle Ended by the key's settle, or by anybody's finalise.
    function deathPasses(uint256 id, uint256 road, bool bySettle) public returns (bool answer) {
        uint256 clean = vm.snapshotState();
        answer = _die(id, road, bySettle);
        vm.revertToState(clean);
    }

    function _die(uint256 id, uint256 road, bool bySettle) private returns (bool) {
        _w.usdc.setPaused(true);
        _w.token.setMood(TrojanToken.Mood.BurnsGas);
        vm.etch(_w.suite.positionManager, hex"fe");
        vm.etch(address(_w.pool), hex"fe");
        vm.etch(address(_w.tokenPool), hex"fe");
        if (_lifeOf(id) == Life.Alive && !_beginDying(id, road)) return false;
        // From Dying on not even the owner needs to be known.
        vm.etch(_w.suite.identity, hex"fe");
        if (_lifeOf(id) == Life.Dead) return true;
        IVault vault = vaultOf[id];
        (address key,,, uint256 deadline) = _lineage.stateOf(id);
        ILineageRegistry.Stain memory stain;
        if (bySettle && key != address(0)) {
            vm.prank(key);
            if (!_try(address(vault), abi.encodeCall(IVaultDeath.settle, (_testament(), stain)))) return false;
        } else {
            if (block.timestamp < deadline) vm.warp(deadline);
            vm.prank(NOBODY);
            if (!_try(address(vault), abi.encodeCall(IVaultDeath.finalise, ()))) return false;
        }
        return _lifeOf(id) == Life.Dead;
    }

    /// @dev By the owner, by the guardian, by the key, or by silence; where a role stands empty, by the owner, and where he is
    /// one who cannot call, by silence.
    function _beginDying(uint256 id, uint256 road) private returns (bool) {
        IVault vault = vaultOf[id];
        address owner = ownerOf(id);
        bool bound = vault.boundOwner() == owner;
        (address key,) = _lineage.vitalOf(id);
        if (road % 4 == 1 && bound && vault.guardian() != address(0)) {
            vm.prank(vault.guardian());
            return _try(address(vault), abi.encodeCall(IVaultDeath.trip, ("x")));
        }
        if (road % 4 == 2 && bound && key != address(0)) {
            vm.prank(key);
            return _try(address(vault), abi.encodeCall(IVaultDeath.dieSenescent, ("x")));
        }
        if (road % 4 == 3 || owner == address(_w.escrow)) {
            uint256 heard = _lineage.pulseOf(id).beatAt;
            if (vault.hibernatedUntil() > heard) heard = vault.hibernatedUntil();
            uint256 silent = heard + vault.policy().silenceLimit + 1;
            if (block.timestamp < silent) vm.warp(silent);
            // A notice of this silence may stand already.
            _try(address(vault), abi.encodeCall(IVaultDeath.notice, ()));
            vm.warp(block.timestamp + 24 hours);
            return _try(address(vault), abi.encodeCall(IVaultDeath.killSilent, ()));
        }
        vm.prank(owner);
        return _try(address(vault), abi.encodeCall(IVaultDeath.kill, ("x")));
    }

    function _lifeOf(uint256 id) private view returns (Life life) {
        (, life) = _lineage.vitalOf(id);
    }

    function _try(address target, bytes memory data) private returns (bool ok) {
        (ok,) = target.call(data);
    }
}
