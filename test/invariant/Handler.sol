// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;
// Long file: the fuzzer draws actions from one contract, and every action shares one ghost ledger of who may do what.

import {Test} from "forge-std/Test.sol";

import {Birth} from "contracts/Birth.sol";
import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IPositionAdapter, ISwapAdapter} from "contracts/interfaces/IAdapters.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Succession} from "contracts/Succession.sol";
import {Cause, Life, NO_GOLEM, Phase, Pulse} from "contracts/types/Life.sol";
import {
    Books,
    Ledger,
    Listing,
    PartitionId,
    Policy,
    Position,
    Split,
    USE_PAYEE_ANY,
    USE_POOL,
    USE_TOKEN
} from "contracts/types/Money.sol";

import {Relay} from "test/invariant/Actors.sol";
import {Witness, World} from "test/invariant/Witness.sol";
import {TrojanToken} from "test/mocks/TrojanToken.sol";
import {IErc20, IVenuePool} from "test/utils/Venue.sol";

/// @title Everybody who may touch the suite, and somebody who may not
/// @dev Actions named `...NoRevert` are legal by construction: one that reverts fails the run. The others may be refused
/// and count their successes, so that a test can show that none of them is idle. Each ends with the witness looking.
contract Handler is Test {
    uint256 private constant MAX_GOLEMS = 7;
    uint256 private constant MAX_GIFTS = 2;
    /// @dev A fall and a rise by 30 %, in ticks: what V-031 lets the market do within a minute.
    int256 private constant FALL = 3_566;
    int256 private constant RISE = 2_623;

    World internal w;
    Witness public witness;
    Birth private _births;
    LineageRegistry private _lineage;
    IdentityRegistry private _identity;
    Succession private _succession;

    address[3] public owners;
    address[3] public payees;
    address public guardian = makeAddr("GUARDIAN");
    address public stranger = makeAddr("STRANGER");
    address public executor = makeAddr("EXECUTOR");
    address public blockedPayee = makeAddr("BLOCKED_PAYEE");

    mapping(uint256 agentId => address) public exKey;
    /// @notice Mandates whose escrow may lie there for the rest of the history.
    bytes32[] public mandates;
    /// @notice Golems raised by the giver in another's name.
    uint256[] public gifts;
    mapping(string action => uint256) public done;
    /// @notice V-034, V-035 and the reentrancy guard, broken by a call that got through.
    bool public outsiderGotThrough;
    bool public rotatedKeyGotThrough;
    bool public unboundKeyGotThrough;
    bool public overspent;
    bool public overReserved;
    bool public lockedGotThrough;
    bool public giverGotThrough;
    bool public staleTickBeaten;
    bool public farTickBeaten;
    bool public secondSuccessorBorn;
    bool public strandedForWantOfGas;
    uint256 private _nonce;
    uint256 public turn;

    modifier watched() {
        _;
        ++turn;
        witness.observe();
    }

    constructor(World memory world) {
        w = world;
        witness = new Witness(world);
        _births = Birth(world.suite.birth);
        _lineage = LineageRegistry(world.suite.lineage);
        _identity = IdentityRegistry(world.suite.identity);
        _succession = Succession(world.suite.succession);
        owners = [makeAddr("OWNER"), makeAddr("BUYER"), makeAddr("HEIR")];
        payees = [makeAddr("PAYEE"), blockedPayee, address(0)];
        for (uint256 i; i < 3; ++i) {
            w.usdc.mint(owners[i], 1_000_000e6);
            vm.startPrank(owners[i]);
            w.usdc.approve(address(_births), type(uint256).max);
            w.usdc.approve(address(_succession), type(uint256).max);
            vm.stopPrank();
        }
        w.usdc.mint(stranger, 1_000_000e6);
        w.usdc.setBlocked(blockedPayee, true);
        _born(owners[0], 100e6, 1_000e6, NO_GOLEM);
        payees[2] = address(witness.vaultOf(0));
        _born(owners[1], 500e6, 5_000e6, NO_GOLEM);
        _born(owners[0], 2e6, 0, NO_GOLEM);
    }

    /* HELPERS */

    function _pick(uint256 seed) private view returns (uint256 id, IVault vault) {
        id = witness.ids(seed % witness.count());
        vault = witness.vaultOf(id);
    }

    function _lifeOf(uint256 id) private view returns (Life life) {
        (, life) = _lineage.vitalOf(id);
    }

    function _keyOf(uint256 id) private view returns (address key) {
        (key,) = _lineage.vitalOf(id);
    }

    /// @dev L-001: the bound owner when the token was sent to its own vault.
    function _ownerOf(uint256 id) private view returns (address) {
        return witness.ownerOf(id);
    }

    /// @dev Whether the owner is somebody who can call. An escrow cannot.
    function _ownerActs(uint256 id) private view returns (bool) {
        return _ownerOf(id) != address(w.escrow);
    }

    function _bound(uint256 id) private view returns (bool) {
        return witness.vaultOf(id).boundOwner() == _ownerOf(id);
    }

    function _locked(IVault vault) private view returns (bool) {
        return vault.lockedUntil() > block.timestamp;
    }

    function _splitOf(IVault vault) private view returns (Split) {
        bytes32 word = keccak256(bytes(vault.split()));
        return
            word == keccak256("birth") ? Split.Birth : word == keccak256("declining") ? Split.Declining : Split.Terminal;
    }

    function _wait(uint256 time) private {
        vm.warp(block.timestamp + time);
        vm.roll(block.number + time / 2 + 1);
    }

    /// @dev Whether the key may act as the key of a living Golem.
    function _keyActs(uint256 id) private view returns (bool) {
        bool awake = witness.vaultOf(id).hibernatedUntil() <= block.timestamp;
        return _lifeOf(id) == Life.Alive && _keyOf(id) != address(0) && _bound(id) && awake;
    }

    function _lists() private view returns (Listing[] memory lists) {
        lists = new Listing[](7);
        lists[0] = Listing(payees[0], USE_PAYEE_ANY, address(0));
        lists[1] = Listing(blockedPayee, USE_PAYEE_ANY, address(0));
        lists[2] = Listing(payees[2] == address(0) ? address(this) : payees[2], USE_PAYEE_ANY, address(0));
        lists[3] = Listing(address(w.weth), USE_TOKEN, address(w.pool));
        lists[4] = Listing(address(w.pool), USE_POOL, address(0));
        lists[5] = Listing(address(w.token), USE_TOKEN, address(w.tokenPool));
        lists[6] = Listing(address(w.tokenPool), USE_POOL, address(0));
    }

    function _newKey() private returns (address) {
        return vm.addr(uint256(keccak256(abi.encode("key", ++_nonce))));
    }

    function _order(address owner, uint256 credits, uint256 capital, uint256 predecessor)
        private
        returns (IBirth.Order memory order)
    {
        order.owner = owner;
        order.funder = owner;
        order.key = _newKey();
        order.guardian = guardian;
        order.listings = _lists();
        order.predecessor = predecessor;
        order.nonce = ++_nonce;
        order.credits = credits;
        order.capital = capital;
        order.playbookDigest = keccak256(abi.encode(_nonce));
        order.agentURI = "ipfs://golem";
    }

    function _born(address owner, uint256 credits, uint256 capital, uint256 predecessor) private {
        IBirth.Order memory order = _order(owner, credits, capital, predecessor);
        IBirth.Funding memory funding;
        vm.prank(owner);
        (uint256 id, address vault) = _births.birth(order, funding);
        witness.born(id, IVault(vault), credits, capital);
        _letTopUp(vault);
        witness.beginWindow(id);
    }

    function _letTopUp(address vault) private {
        for (uint256 i; i < 3; ++i) {
            vm.prank(owners[i]);
            w.usdc.approve(vault, type(uint256).max);
        }
        vm.prank(stranger);
        w.usdc.approve(vault, type(uint256).max);
    }

    function _did(string memory what) private {
        ++done[what];
    }

    /* MONEY IN */

    function topUpNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address from = seed & 256 == 0 ? owners[seed % 3] : stranger;
        if (_lifeOf(id) != Life.Alive || w.usdc.paused() || w.usdc.isBlocked(from)) return;
        amount = bound(amount, 1e6, 100e6);
        vm.prank(from);
        vault.topUp(amount);
        witness.toppedUp(id, amount);
        _did("topUp");
    }

    function transferDirectNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (w.usdc.paused()) return;
        amount = bound(amount, 1, 3e6);
        w.usdc.mint(address(vault), amount);
        witness.sent(id, amount);
        _did("transfer");
    }

    function syncNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) != Life.Alive || witness.unallocated(id) < 1e6) return;
        vm.prank(stranger);
        vault.sync();
        witness.synced(id);
        _did("sync");
    }

    function fundCapitalNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address owner = _ownerOf(id);
        if (_lifeOf(id) != Life.Alive || w.usdc.paused() || w.usdc.isBlocked(owner) || !_ownerActs(id)) return;
        amount = bound(amount, 1, 1_000e6);
        vm.prank(owner);
        vault.fundCapital(amount);
        witness.funded(id, amount);
        _did("fundCapital");
    }

    function withdrawCapitalNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address owner = _ownerOf(id);
        if (_lifeOf(id) != Life.Alive || w.usdc.paused() || w.usdc.isBlocked(owner) || !_ownerActs(id)) return;
        if (_locked(vault)) return;
        uint256 capital = vault.books().capital;
        if (capital == 0) return;
        amount = bound(amount, 1, seed % 8 == 0 ? capital : (capital + 9) / 10);
        vm.prank(owner);
        vault.withdrawCapital(amount);
        witness.withdrawn(id, amount);
        _did("withdrawCapital");
    }

    /* THE KEY'S MONEY */

    /// @dev V-006. To a listed payee, to another Golem's vault, or to itself as float; up to what the day allows.
    function spendNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_keyActs(id) || w.usdc.paused()) return;
        witness.beginWindow(id);
        PartitionId partition = PartitionId((seed >> 8) % 3);
        uint256 most = _mostOf(vault, partition);
        address key = _keyOf(id);
        address payee = (seed >> 16) % 4 == 3 ? key : payees[(seed >> 16) % 4];
        if (payee == key) {
            uint256 held = w.usdc.balanceOf(key);
            uint256 cap = vault.policy().floatCap;
            uint256 room = held < cap ? cap - held : 0;
            if (room < most) most = room;
        }
        if (most == 0 || w.usdc.isBlocked(payee) || (payee != key && !_listed(vault, payee))) return;
        amount = seed & (1 << 40) == 0 ? most : bound(amount, 1, most);
        uint256 before = w.usdc.balanceOf(address(vault));
        vm.prank(key);
        vault.spend(partition, payee, amount);
        if (payee != address(vault)) witness.spent(id, before - w.usdc.balanceOf(address(vault)));
        else _toSelf(id, amount);
        if (payee == payees[2] && payee != address(vault)) witness.sent(0, amount);
        _did("spend");
    }

    /// @dev V-031 at its edge: a leaked key takes all that the day gives, moves what it may, and takes the next day's
    /// right after midnight.
    function leakedKeyDrainsNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_keyActs(id) || w.usdc.paused() || !_listed(vault, payees[0]) || (seed >> 8) % 3 != 0) return;
        witness.beginWindow(id);
        _drain(id, vault);
        if (witness.unallocated(id) >= 1e6) {
            vault.sync();
            witness.synced(id);
        }
        uint256 half = vault.credits().llm / 2;
        vm.prank(_keyOf(id));
        try vault.rebalance(PartitionId.Llm, PartitionId.Gas, half) {
            _did("rebalance");
        } catch {}
        (uint256 until,,,) = witness.windows(id);
        uint256 midnight = (block.timestamp / 1 days + 1) * 1 days;
        if (midnight < until) {
            vm.warp(midnight);
            vm.roll(block.number + 1_000);
            _drain(id, vault);
        }
        _did("drain");
    }

    function _drain(uint256 id, IVault vault) private {
        address key = _keyOf(id);
        for (uint256 i; i < 36; ++i) {
            uint256 most = _mostOf(vault, PartitionId(i % 3));
            if (most == 0) continue;
            vm.prank(key);
            vault.spend(PartitionId(i % 3), payees[0], most);
            witness.spent(id, most);
        }
    }

    function _listed(IVault vault, address payee) private view returns (bool) {
        (uint8 uses,) = vault.listingOf(payee);
        return uses & USE_PAYEE_ANY == USE_PAYEE_ANY;
    }

    /// @dev A vault listed as its own payee moves credits to the unallocated and nothing out.
    function _toSelf(uint256 id, uint256 amount) private {
        witness.spent(id, amount);
        witness.sent(id, amount);
    }

    function _mostOf(IVault vault, PartitionId partition) private view returns (uint256 most) {
        (,, Ledger memory left) = vault.today();
        most = partition == PartitionId.Llm ? left.llm : partition == PartitionId.Gas ? left.gas : left.data;
        uint256 callCap = vault.policy().callCap;
        if (most > callCap) most = callCap;
    }

    /// @dev V-006, V-031: a unit more than the day, the call, the partition or the float allows; and legacy never.
    function overspend(uint256 seed, uint256 beyond) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) == Life.Dead) return;
        PartitionId partition = PartitionId((seed >> 8) % 4);
        uint256 most = partition == PartitionId.Legacy ? 0 : _mostOf(vault, partition);
        beyond = seed & (1 << 41) == 0 ? 1 : bound(beyond, 1, 100e6);
        vm.prank(_keyOf(id));
        try vault.spend(partition, payees[0], most + beyond) {
            overspent = true;
        } catch {
            _did("overspendRefused");
        }
        uint256 room = vault.policy().floatCap + 1;
        address key = _keyOf(id);
        if (key == address(0) || w.usdc.balanceOf(key) >= room) return;
        uint256 amount = room - w.usdc.balanceOf(key);
        vm.prank(key);
        try vault.spend(PartitionId.Llm, key, amount) {
            overspent = true;
        } catch {}
    }

    function rebalanceNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_keyActs(id)) return;
        uint256 from = (seed >> 8) % 3;
        uint256 to = (from + 1 + (seed >> 16) % 2) % 3;
        Ledger memory c = vault.credits();
        uint256 half = (from == 0 ? c.llm : from == 1 ? c.gas : c.data) / 2;
        if (half == 0) return;
        vm.prank(_keyOf(id));
        try vault.rebalance(PartitionId(from), PartitionId(to), bound(amount, 1, half)) {
            _did("rebalance");
        } catch (bytes memory why) {
            // The one thing the books do not show: the time of the last.
            assertEq(bytes4(why), IVaultMoney.RebalanceTooSoon.selector);
        }
    }

    function resplitNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        Split split = _splitOf(vault);
        Phase phase = _lineage.pulseOf(id).phase;
        if (_lifeOf(id) == Life.Alive && split != Split.Birth && phase < Phase.Declining) {
            if (!_ownerActs(id)) return;
            vm.prank(_ownerOf(id));
            vault.resplit(Split.Birth);
            // What was set aside is spendable again, by the owner's own act.
            witness.endWindow(id);
            _did("resplitBack");
        } else if (_keyActs(id) && phase >= Phase.Declining) {
            Split wanted = phase == Phase.Terminal ? Split.Terminal : Split.Declining;
            if (wanted <= split) return;
            vm.prank(_keyOf(id));
            vault.resplit(wanted);
            _did("resplit");
        }
    }

    /// @dev V-007: the owner as much as he likes, the key no more than is due.
    function raiseReserveNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) != Life.Alive) return;
        bool byOwner = seed & 256 == 0;
        if (byOwner ? !_ownerActs(id) || _locked(vault) : !_keyActs(id)) return;
        Ledger memory c = vault.credits();
        uint256 from = (seed >> 9) % 3;
        uint256 most = from == 0 ? c.llm : from == 1 ? c.gas : c.data;
        if (most > 1e6) most = 1e6;
        if (!byOwner) {
            uint256 room = _reserveRoom(vault);
            if (room < most) {
                _raiseBeyond(id, vault, PartitionId(from), room + 1);
                most = room;
            }
        }
        if (most == 0) return;
        amount = bound(amount, 1, most);
        vm.prank(byOwner ? _ownerOf(id) : _keyOf(id));
        vault.raiseReserve(PartitionId(from), amount);
        witness.reserveRaised(id, amount);
        _did(byOwner ? "raiseReserve" : "raiseReserveByKey");
    }

    /// @dev M-037, M-038: max(0.30, 2 %, 0.22 + 0.02 a line) less what is locked already.
    function _reserveRoom(IVault vault) private view returns (uint256) {
        Ledger memory c = vault.credits();
        uint256 locked = vault.books().reserve;
        uint256 due = ((uint256(c.llm) + c.gas + c.data + c.legacy + locked) * 2 + 99) / 100;
        uint256 lines = 0.22e6 + 0.02e6 * (vault.holdings().length + vault.positions().length);
        if (due < lines) due = lines;
        if (due < 0.3e6) due = 0.3e6;
        return due > locked ? due - locked : 0;
    }

    function _raiseBeyond(uint256 id, IVault vault, PartitionId from, uint256 amount) private {
        vm.prank(_keyOf(id));
        try vault.raiseReserve(from, amount) {
            overReserved = true;
        } catch {
            _did("reserveRefused");
        }
    }

    function harvestNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        Books memory b = vault.books();
        if (!_keyActs(id) || b.capital <= b.highWater) return;
        if ((b.capital - b.highWater) * uint256(vault.policy().harvestBps) < 10_000) return;
        vm.prank(_keyOf(id));
        witness.harvested(id, vault.harvest());
        _did("harvest");
    }

    /* TRADING */

    /// @dev V-011. In and out of WETH or of the hostile token, through the honest pool of each.
    function swap(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) == Life.Dead) return;
        witness.beginWindow(id);
        bool hostile = seed & 256 != 0;
        Deal memory deal = _dealOf(id, vault, hostile, seed & 512 != 0);
        if (deal.amount == 0) return;
        if (seed & 4096 != 0) deal.amount = bound(amount, 1, deal.amount);
        if (seed & 1024 != 0 && _ownerActs(id)) deal.caller = _ownerOf(id);
        _arm(vault, true);
        bool passed = _trade(vault, deal);
        w.token.disarm();
        if (!passed) return;
        _did(hostile ? "hostileSwap" : deal.buys ? "swapIn" : "swapOut");
        if (hostile && w.token.mood() == TrojanToken.Mood.ReEnters) _did("reEntry");
    }

    /// @dev One trade, and the market it is judged by.
    struct Deal {
        uint256 id;
        IVenuePool at;
        address token;
        address caller;
        uint256 amount;
        int256 low;
        int256 high;
        int256 market;
        bool buys;
        bool hostile;
    }

    /// @dev All that a minute may buy or that is there to sell, by the key, judged by where the pool stands.
    function _dealOf(uint256 id, IVault vault, bool hostile, bool buys) private view returns (Deal memory deal) {
        (deal.id, deal.hostile, deal.buys, deal.caller) = (id, hostile, buys, _keyOf(id));
        (deal.token, deal.at) = hostile ? (address(w.token), w.tokenPool) : (address(w.weth), w.pool);
        deal.amount = buys ? vault.books().capital / 10 : _held(deal.token, address(vault));
        deal.low = deal.high = _meanTick(deal.at, deal.token, vault.policy().twapWindow, 0);
        for (uint32 third; third < 3; ++third) {
            int256 tick = _meanTick(deal.at, deal.token, 20 * third + 20, 20 * third);
            if (tick < deal.low) deal.low = tick;
            if (tick > deal.high) deal.high = tick;
        }
        deal.market = _spotTick(deal.at, deal.token);
    }

    function _trade(IVault vault, Deal memory deal) private returns (bool) {
        (address from, address to) = deal.buys ? (address(w.usdc), deal.token) : (deal.token, address(w.usdc));
        vm.prank(deal.caller);
        // A block's worth of gas is what a token may burn; more would only slow the histories down.
        try vault.swap{gas: 3_000_000}(
            IVaultTrading.SwapOrder(address(deal.at), from, to, deal.amount, 0, block.timestamp)
        ) returns (
            uint256 out
        ) {
            uint256 mayLeave = deal.buys ? deal.amount : 0;
            if (deal.caller != _keyOf(deal.id)) {
                // The owner's own sale in Dying is his to make.
                witness.moved(deal.id, mayLeave);
                _did("ownerSwap");
            } else if (deal.hostile) {
                witness.traded(deal.id, mayLeave, 0, 0);
            } else {
                (uint256 loss, uint256 beyond) = _lossOf(deal, out);
                witness.traded(deal.id, mayLeave, loss, beyond);
            }
            return true;
        } catch {
            return false;
        }
    }

    /// @dev What the trade lost by the market's price: as far as the trusted price shows it, and what it does not show.
    function _lossOf(Deal memory deal, uint256 out) private pure returns (uint256 loss, uint256 beyond) {
        uint256 whole;
        if (deal.buys) {
            loss = _less(deal.amount, TickLib.convertDown(out, deal.low));
            whole = _less(deal.amount, TickLib.convertDown(out, deal.market));
        } else {
            loss = _less(TickLib.convertDown(deal.amount, deal.high), out);
            whole = _less(TickLib.convertDown(deal.amount, deal.market), out);
        }
        beyond = _less(whole, loss);
        if (whole < loss) loss = whole;
    }

    function _less(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a - b : 0;
    }

    /// @dev The token in USDC between two times ago, by the pool's own sums, rounded down in the pool's direction.
    function _meanTick(IVenuePool at, address token, uint32 from, uint32 to) private view returns (int256 tick) {
        uint32[] memory agos = new uint32[](2);
        (agos[0], agos[1]) = (from, to);
        (int56[] memory ticks,) = at.observe(agos);
        int256 delta = ticks[1] - ticks[0];
        int256 window = int256(uint256(from - to));
        tick = delta / window;
        if (tick * window > delta) --tick;
        if (token > address(w.usdc)) tick = -tick;
    }

    function _spotTick(IVenuePool at, address token) private view returns (int256) {
        (, int24 tick,,,,,) = at.slot0();
        return token > address(w.usdc) ? -int256(tick) : int256(tick);
    }

    function _held(address token, address account) private view returns (uint256) {
        if (token != address(w.token)) return IErc20(token).balanceOf(account);
        if (w.token.mood() == TrojanToken.Mood.BurnsGas) return 1e18;
        return w.token.balanceOf(account);
    }

    /// @dev Everything guarded that a token could call back for, each by somebody it needs no role for or by nobody; and the
    /// adapters, for a USDC of what the vault may just have sent them.
    function _arm(IVault vault, bool adapters) private {
        uint256 count = adapters ? 8 : 5;
        address[] memory targets = new address[](count);
        bytes[] memory calls = new bytes[](count);
        for (uint256 i; i < 5; ++i) {
            targets[i] = address(vault);
        }
        calls[0] = abi.encodeCall(IVaultMoney.sync, ());
        calls[1] = abi.encodeCall(IVaultMoney.topUp, (1e6));
        calls[2] = abi.encodeCall(IVaultDeath.finalise, ());
        calls[3] = abi.encodeCall(IVaultDeath.finalisePart, (1));
        calls[4] = abi.encodeCall(IVaultDeath.claim, (address(w.usdc)));
        if (adapters) {
            (targets[5], calls[5]) = (w.suite.positionAdapter, _stealing(w.tokenPool));
            (targets[6], calls[6]) = (w.suite.positionAdapter, _stealing(w.pool));
            targets[7] = w.suite.swapAdapter;
            calls[7] = abi.encodeCall(ISwapAdapter.swap, (address(w.pool), address(w.usdc), address(w.weth), 1e6));
        }
        w.relay.load(targets, calls);
        bytes[] memory attack = new bytes[](1);
        attack[0] = abi.encodeCall(Relay.attack, ());
        w.token.arm(address(w.relay), attack);
    }

    /// @dev A position of one USDC and nothing else, for whoever calls.
    function _stealing(IVenuePool at) private view returns (bytes memory) {
        bool first = at.token0() == address(w.usdc);
        (int24 lower, int24 upper) = _oneSided(at, first);
        IPositionAdapter.Deposit memory deposit =
            IPositionAdapter.Deposit(at.token0(), at.token1(), first ? 1e6 : 0, first ? 0 : 1e6, 0, 0);
        return abi.encodeCall(IPositionAdapter.mint, (deposit, 3000, lower, upper));
    }

    /// @dev A range that takes token0 alone lies above the price, one that takes token1 alone below it.
    function _oneSided(IVenuePool at, bool token0) private view returns (int24 lower, int24 upper) {
        (, int24 tick,,,,,) = at.slot0();
        lower = tick / 60 * 60;
        return token0 ? (lower + 60, lower + 600) : (lower - 600, lower - 60);
    }

    /// @dev Of WETH or of the hostile token and USDC; over all prices or on one side of the price.
    function addLiquidity(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_keyActs(id)) return;
        bool hostile = seed & 1024 != 0;
        bool oneSided = seed & 512 != 0;
        uint256 inUsdc = bound(amount, 1, uint256(vault.books().capital) / 20 + 1);
        uint256 inToken = _held(hostile ? address(w.token) : address(w.weth), address(vault));
        uint256 most = hostile ? 50e18 : 0.02 ether;
        if (inToken > most) inToken = most;
        if (oneSided && seed & 2048 == 0) inToken = 0;
        else if (oneSided) inUsdc = 0;
        IVaultLiquidity.MintOrder memory order = _mintOrder(hostile, oneSided, inUsdc, inToken);
        _arm(vault, true);
        Position[] memory positions = vault.positions();
        if (positions.length != 0 && seed & 256 == 0) {
            _increase(id, vault, positions[amount % positions.length].tokenId, order);
        } else {
            _mint(id, vault, order, inUsdc, oneSided);
        }
        w.token.disarm();
    }

    function _mintOrder(bool hostile, bool oneSided, uint256 inUsdc, uint256 inToken)
        private
        view
        returns (IVaultLiquidity.MintOrder memory order)
    {
        (address token, IVenuePool at) = hostile ? (address(w.token), w.tokenPool) : (address(w.weth), w.pool);
        order.pool = address(at);
        bool tokenFirst = token < address(w.usdc);
        (order.amount0, order.amount1) = tokenFirst ? (inToken, inUsdc) : (inUsdc, inToken);
        (order.tickLower, order.tickUpper) = oneSided ? _oneSided(at, order.amount0 != 0) : (-887_220, int24(887_220));
    }

    function _increase(uint256 id, IVault vault, uint256 tokenId, IVaultLiquidity.MintOrder memory order) private {
        // The position may be of the other pool; then it takes the amounts the other way round, or not at all.
        bool usdcFirst = IPositionManager(w.suite.positionManager).positions(tokenId).token0 == address(w.usdc);
        vm.prank(_keyOf(id));
        try vault.increasePosition{gas: 3_000_000}(tokenId, order.amount0, order.amount1, 0, 0) {
            witness.traded(id, usdcFirst ? order.amount0 : order.amount1, 0, 0);
            _did("increasePosition");
        } catch {}
    }

    function _mint(uint256 id, IVault vault, IVaultLiquidity.MintOrder memory order, uint256 inUsdc, bool oneSided)
        private
    {
        vm.prank(_keyOf(id));
        try vault.mintPosition{gas: 3_000_000}(order) {
            witness.traded(id, inUsdc, 0, 0);
            bool hostile = order.pool == address(w.tokenPool);
            _did(hostile ? "hostilePosition" : oneSided ? "oneSidedPosition" : "mintPosition");
            if (hostile && w.token.mood() == TrojanToken.Mood.ReEnters) _did("reEntryOfLiquidity");
        } catch {
            // Whatever it took from an adapter in between was missing at the end, and all of it was undone.
            if (w.token.mood() == TrojanToken.Mood.ReEnters) _did("reEntryUndone");
        }
    }

    function removeLiquidity(uint256 seed, uint256 share) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        Position[] memory positions = vault.positions();
        if (positions.length == 0 || _lifeOf(id) == Life.Dead) return;
        uint256 tokenId = positions[share % positions.length].tokenId;
        uint128 liquidity = IPositionManager(w.suite.positionManager).positions(tokenId).liquidity;
        uint128 part = seed & 256 == 0 ? liquidity : uint128(bound(share, 0, liquidity));
        // All of it, in the words for it.
        if (seed & 512 == 0) part = type(uint128).max;
        vm.prank(seed & 1024 != 0 && _ownerActs(id) ? _ownerOf(id) : _keyOf(id));
        try vault.decreasePosition(tokenId, part, 0, 0) {
            witness.moved(id, 0);
            _did("decreasePosition");
        } catch {}
    }

    function refuel(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_keyActs(id)) return;
        uint256 most = _mostOf(vault, PartitionId.Gas);
        if (most == 0) return;
        witness.beginWindow(id);
        uint256 before = w.usdc.balanceOf(address(vault));
        vm.prank(_keyOf(id));
        try vault.refuel(address(w.pool), bound(amount, 1, most), 0, block.timestamp) {
            witness.spent(id, before - w.usdc.balanceOf(address(vault)));
            _did("refuel");
        } catch {}
    }

    /* THE MARKET */

    /// @dev Somebody else trades, by up to a twentieth of the price.
    function marketMovesNoRevert(uint256 seed, uint256 amount) external watched {
        if (w.usdc.paused()) return;
        int256 step = int256(bound(amount, 1, 500));
        _moveTo(_within30(_spotTick(w.pool, address(w.weth)) + (seed & 1 == 0 ? step : -step)));
        _did("market");
    }

    /// @dev V-031: the market and the pool with it have moved by up to 30 %, some time ago or just now, and the means follow
    /// behind. A leaked key trades, with the pool as it is, or bent for the length of the trade to the worst that passes.
    function marketLags(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) == Life.Dead || _keyOf(id) == address(0) || w.usdc.paused()) return;
        witness.beginWindow(id);
        bool falls = seed & 256 != 0;
        int256 step = int256(bound(amount, 100, uint256(falls ? FALL : RISE)));
        _moveTo(_within30(_spotTick(w.pool, address(w.weth)) + (falls ? -step : step)));
        uint256[5] memory pauses = [uint256(0), 2, 30, 61, 1 hours];
        uint256 pause = pauses[(seed >> 16) % 5];
        if (pause != 0) _wait(pause);
        Deal memory deal = _dealOf(id, vault, false, (seed >> 24) % 4 == 0 ? !falls : falls);
        _rob(vault, deal, seed & 512 != 0);
        _did("lag");
    }

    /// @dev V-031: the market has moved by up to 30 % while the pool still stands where it was, as in the first block after a
    /// pause of the sequencer; a leaked key trades before anybody else does, and then the pool follows.
    function marketJumps(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) == Life.Dead || _keyOf(id) == address(0) || w.usdc.paused()) return;
        if (seed & 1024 != 0) _wait((seed >> 16) % 2 hours);
        witness.beginWindow(id);
        bool falls = seed & 256 != 0 && _lifeOf(id) == Life.Alive;
        int256 step = int256(bound(amount, 100, uint256(falls ? FALL : RISE)));
        Deal memory deal = _dealOf(id, vault, false, falls);
        deal.market = _within30(deal.market + (falls ? -step : step));
        _rob(vault, deal, seed & 512 != 0);
        _did("jump");
    }

    /// @dev Trades as much as a minute may, and leaves the pool at the market's price.
    function _rob(IVault vault, Deal memory deal, bool bends) private {
        if (deal.amount != 0) {
            // All of what a minute may move, at the dearer price.
            uint256 bound_ = uint256(vault.tradedToday().basis) * vault.policy().tradeBps / 10_000;
            uint256 most = deal.buys ? bound_ : TickLib.convertDown(bound_, -deal.high);
            if (deal.amount > most) deal.amount = most;
            int256 slip = int256(uint256(vault.policy().slippageBps)) - 40;
            if (bends) _moveTo(deal.buys ? deal.low + slip : deal.high - slip);
            if (deal.amount != 0 && _trade(vault, deal)) {
                _did("robbed");
                if (_lifeOf(deal.id) == Life.Dying) _did("robbedDying");
            } else {
                _did("robRefused");
            }
        }
        _moveTo(deal.market);
    }

    /// @dev No further from the minute's mean than V-031 lets the market move within one.
    function _within30(int256 tick) private view returns (int256) {
        int256 short = _meanTick(w.pool, address(w.weth), 1 minutes, 0);
        if (tick < short - FALL) return short - FALL;
        return tick > short + RISE ? short + RISE : tick;
    }

    /// @dev Somebody with enough of both puts the pool's price there.
    function _moveTo(int256 tick) private {
        uint160 target = uint160(TickLib.sqrtPriceUp(address(w.weth) < address(w.usdc) ? tick : -tick));
        (uint160 spot,,,,,,) = w.pool.slot0();
        if (spot == target) return;
        bool zeroForOne = target < spot;
        address tokenIn = zeroForOne ? w.pool.token0() : w.pool.token1();
        w.pool.swap(address(this), zeroForOne, type(int128).max, target, abi.encode(tokenIn));
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        uint256 amount = uint256(amount0 > 0 ? amount0 : amount1);
        address tokenIn = abi.decode(data, (address));
        if (tokenIn == address(w.usdc)) {
            w.usdc.mint(address(this), amount);
        } else {
            vm.deal(address(this), amount);
            w.weth.deposit{value: amount}();
        }
        IErc20(tokenIn).transfer(msg.sender, amount);
    }

    /* DUST */

    /// @dev Somebody sends the vault a token it trades: not in its books until sold, and then profit. Or a unit of it, so that
    /// no sale is ever of all of it.
    function tokensArriveNoRevert(uint256 seed) external watched {
        (, IVault vault) = _pick(seed);
        uint256 amount = seed & 256 == 0 ? 0.03 ether : 1;
        vm.deal(address(this), amount);
        w.weth.deposit{value: amount}();
        w.weth.transfer(address(vault), amount);
        if (seed & 512 != 0) w.token.mint(address(vault), 1);
        _did(seed & 256 == 0 ? "tokensArrive" : "dust");
    }

    /// @dev Coins left in the adapters by a passer-by belong to nobody's books.
    function donateToAdaptersNoRevert(uint256 seed) external watched {
        if (w.usdc.paused()) return;
        address adapter = seed & 1 == 0 ? w.suite.swapAdapter : w.suite.positionAdapter;
        uint256 amount = 1 + seed % 1_000;
        w.usdc.mint(adapter, amount);
        witness.dusted(adapter, address(w.usdc), amount);
        vm.deal(address(this), amount);
        w.weth.deposit{value: amount}();
        w.weth.transfer(adapter, amount);
        witness.dusted(adapter, address(w.weth), amount);
        w.token.mint(adapter, amount);
        _did("donate");
    }

    /* LIFE */

    function beatNoRevert(uint256 seed, uint256 step) external watched {
        (uint256 id,) = _pick(seed);
        address key = _keyOf(id);
        if (_lifeOf(id) != Life.Alive || key == address(0)) return;
        uint64 tick = uint64(bound(step, uint256(_lineage.pulseOf(id).tick) + 1, _latestTick(id)));
        // Mostly well, or nothing would ever be traded.
        Phase phase = seed & 256 == 0 ? Phase((seed >> 10) % 5) : Phase((seed >> 10) % 2);
        vm.prank(key);
        _lineage.beat(id, tick, phase, uint32(step % 1_000_001), 0, 0, "", uint8(seed >> 16));
        assertEq(_lineage.pulseOf(id).tick, tick);
        _did("beat");
    }

    /// @dev L-032: one a second since the last beat, or since the birth, and one more.
    function _latestTick(uint256 id) private view returns (uint256) {
        Pulse memory pulse = _lineage.pulseOf(id);
        return uint256(pulse.tick) + (block.timestamp - pulse.beatAt) + 1;
    }

    /// @dev L-032: a key that lies as far ahead as it may, again and again, and then one tick further.
    function keyRushesNoRevert(uint256 seed) external watched {
        (uint256 id,) = _pick(seed);
        address key = _keyOf(id);
        if (_lifeOf(id) != Life.Alive || key == address(0)) return;
        vm.startPrank(key);
        for (uint256 i; i < 1 + (seed >> 8) % 4; ++i) {
            _lineage.beat(id, uint64(_latestTick(id)), Phase.Stable, 1, 0, 0, "", 0);
        }
        uint64[3] memory ahead = [uint64(_latestTick(id)) + 1, 2 ** 40 - 1, type(uint64).max];
        try _lineage.beat(id, ahead[(seed >> 16) % 3], Phase.Stable, 1, 0, 0, "", 0) {
            farTickBeaten = true;
        } catch {
            _did("farTickRefused");
        }
        vm.stopPrank();
        _did("rush");
    }

    /// @dev L-032.
    function beatBackwards(uint256 seed, uint256 tick) external watched {
        (uint256 id,) = _pick(seed);
        tick = bound(tick, 0, _lineage.pulseOf(id).tick);
        vm.prank(_keyOf(id));
        try _lineage.beat(id, uint64(tick), Phase.Stable, 1, 0, 0, "", 0) {
            staleTickBeaten = true;
        } catch {
            _did("staleTickRefused");
        }
    }

    function passTimeNoRevert(uint256 seed) external watched {
        _wait(seed % 5 == 0 ? seed % 2 days : seed % 3 hours);
        _did("time");
    }

    /// @dev L-006. A sale, and sooner or later the buyer's word: he keeps the key and the policy by name, or neither.
    function sellOrAcceptNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_ownerActs(id)) return;
        address owner = _ownerOf(id);
        if (!_bound(id)) {
            _accept(id, vault, owner, seed);
        } else if (seed % 3 == 0 && _identity.ownerOf(id) == owner) {
            vm.prank(owner);
            _identity.transferFrom(owner, owners[seed % 7 % 3], id);
            _did("sale");
        }
    }

    function _accept(uint256 id, IVault vault, address owner, uint256 seed) private {
        address old = _keyOf(id);
        // Nobody keeps the key of one who had no business to raise his Golem.
        bool given = vault.boundOwner() == address(0);
        address fresh = seed & 256 == 0 ? _newKey() : given || seed & 1024 == 0 ? address(0) : old;
        if (fresh != old && old != address(0)) exKey[id] = old;
        bytes32 policyHash = seed & 2048 == 0 ? vault.policyHash() : bytes32(0);
        vm.prank(owner);
        vault.accept(fresh, guardian, seed & 512 == 0 && !given, policyHash);
        if (seed & 512 != 0 && _lifeOf(id) == Life.Alive && !_locked(vault)) {
            vm.prank(owner);
            vault.setListings(_lists());
        }
        assertEq(_keyOf(id), fresh, "L-006: another key than was named");
        witness.endWindow(id);
        _did(given ? "acceptGift" : "accept");
        if (fresh == address(0)) _did("acceptWithoutKey");
    }

    /// @dev T-005, L-001: the token moves to one who holds it for somebody and cannot call, or to its own vault, and back.
    function tokenWandersNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address holder = _identity.ownerOf(id);
        if (holder == address(w.escrow)) {
            w.escrow.release(address(_identity), owners[(seed >> 8) % 3], id);
            _did("escrowReleased");
        } else if (holder == address(vault)) {
            vm.prank(vault.boundOwner());
            vault.claimNft(address(_identity), id);
            _did("homeAndBack");
        } else if (seed & 256 == 0) {
            vm.prank(holder);
            _identity.transferFrom(holder, address(w.escrow), id);
            _did("escrowHolds");
        } else if (vault.boundOwner() == holder) {
            vm.prank(holder);
            _identity.transferFrom(holder, address(vault), id);
            _did("home");
        }
    }

    function ownerRulesNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_ownerActs(id)) return;
        address owner = _ownerOf(id);
        uint256 act = (seed >> 8) % 5;
        if (act == 0) {
            address old = _keyOf(id);
            address fresh = _newKey();
            vm.prank(owner);
            vault.rotateKey(fresh);
            if (old != address(0)) exKey[id] = old;
            witness.endWindow(id);
            _did("rotate");
        } else if (_lifeOf(id) != Life.Alive) {
            return;
        } else if (act == 1) {
            vm.prank(owner);
            vault.hibernate(block.timestamp + 1 + (seed >> 16) % 2 days);
            _did("hibernate");
        } else if (act == 2) {
            vm.prank(owner);
            vault.wake();
            _did("wake");
        } else if (act == 3) {
            _setPolicy(id, vault, owner, seed);
        } else {
            _lock(vault, owner, (seed >> 16) % 1 days);
        }
    }

    function _setPolicy(uint256 id, IVault vault, address owner, uint256 seed) private {
        if (_locked(vault)) return;
        Policy memory policy = vault.policy();
        policy.callCap = uint64(bound(seed >> 16, 1e6, 50e6));
        policy.llmDayBps = uint16((seed >> 24) % 5_001);
        policy.slippageBps = uint16(50 + (seed >> 32) % 151);
        policy.deathBudget = uint64((seed >> 40) % 3e6);
        vm.prank(owner);
        vault.setPolicy(policy);
        witness.endWindow(id);
        _did("setPolicy");
    }

    /// @dev V-018: later than the one that stands, by at most a day.
    function _lock(IVault vault, address owner, uint256 time) private {
        uint256 from = _locked(vault) ? vault.lockedUntil() : block.timestamp;
        if (from + 1 + time > block.timestamp + 30 days) return;
        vm.prank(owner);
        vault.lock(from + 1 + time);
        _did("lock");
    }

    /// @dev V-018: all that would bring an owner something, or change what a buyer read, while it is locked.
    function lockedOwnerTries(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_locked(vault) || !_ownerActs(id)) return;
        Position[] memory positions = vault.positions();
        bytes[7] memory calls = [
            abi.encodeCall(IVaultOwner.withdrawCapital, (1)),
            abi.encodeCall(IVaultOwner.setPolicy, (vault.policy())),
            abi.encodeCall(IVaultOwner.setListings, (new Listing[](0))),
            abi.encodeCall(IVaultDeath.claim, (address(w.usdc))),
            abi.encodeCall(
                IVaultDeath.claimNft, (w.suite.positionManager, positions.length == 0 ? 0 : positions[0].tokenId)
            ),
            abi.encodeCall(IVaultOwner.lock, (vault.lockedUntil())),
            // What is in the reserve could be spent in a death.
            abi.encodeCall(IVaultMoney.raiseReserve, (PartitionId.Llm, 1))
        ];
        address owner = _ownerOf(id);
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(owner);
            (bool ok,) = address(vault).call(calls[i]);
            if (ok) lockedGotThrough = true;
        }
        _did("lockedRefused");
        // A death still ends, and pushes nothing; the witness looks.
        if (_lifeOf(id) != Life.Dead) return;
        witness.acting(owner);
        vm.prank(owner);
        vault.finalise();
        _did("lockedFinalise");
    }

    /* GIFTS */

    /// @dev L-006: in another's name, with his own money, key, guardian and payee.
    function giftNoRevert(uint256 seed) external watched {
        if (witness.count() >= MAX_GOLEMS || gifts.length >= MAX_GIFTS || w.usdc.paused()) return;
        uint256 capital = seed & 1 == 0 ? 0 : 100e6;
        IBirth.Order memory order = _order(owners[(seed >> 8) % 3], 10e6, capital, NO_GOLEM);
        (order.funder, order.key, order.guardian) = (w.giver.self, w.giver.key, w.giver.self);
        order.listings[0] = Listing(w.giver.payee, USE_PAYEE_ANY, address(0));
        IBirth.Funding memory funding;
        w.usdc.mint(w.giver.self, 10e6 + capital);
        vm.startPrank(w.giver.self);
        w.usdc.approve(address(_births), 10e6 + capital);
        (uint256 id, address vault) = _births.birth(order, funding);
        vm.stopPrank();
        assertEq(IVault(vault).boundOwner(), address(0), "L-006: bound by a stranger's word");
        witness.born(id, IVault(vault), 10e6, capital);
        _letTopUp(vault);
        gifts.push(id);
        _did("gift");
    }

    /// @dev L-006: whoever topped it up by then, the giver's key, guardian and payee get nothing.
    function giverTries(uint256 seed) external watched {
        if (gifts.length == 0) return;
        uint256 id = gifts[(seed >> 8) % gifts.length];
        IVault vault = witness.vaultOf(id);
        bool hisKey = _keyOf(id) == w.giver.key;
        vm.startPrank(w.giver.key);
        try vault.spend(PartitionId.Llm, w.giver.payee, 1) {
            giverGotThrough = true;
        } catch {}
        try vault.spendDying(w.giver.payee, 1) {
            giverGotThrough = true;
        } catch {}
        try vault.refuel(address(w.pool), 1e5, 0, block.timestamp) {
            giverGotThrough = true;
        } catch {}
        vm.stopPrank();
        if (!witness.refuses(id, w.giver.key, hisKey)) giverGotThrough = true;
        if (!witness.refuses(id, w.giver.self, false)) giverGotThrough = true;
        _did(hisKey ? "giverRefused" : "formerGiverRefused");
    }

    /* THE WORLD TURNS */

    function usdcChangesNoRevert(uint256 seed) external watched {
        // Mostly it works.
        w.usdc.setPaused(seed % 5 == 0);
        w.usdc.setBlocked(owners[seed % 3], seed % 4 == 0);
        _did(seed % 5 == 0 ? "paused" : "unpaused");
    }

    function tokenTurnsNoRevert(uint256 seed) external watched {
        w.token.setMood(seed % 3 == 0 ? TrojanToken.Mood.Honest : TrojanToken.Mood((seed >> 8) % 9));
        _did("mood");
    }

    /* DEATH */

    /// @dev T-001. Seldom, or there would be nobody left to watch.
    function dieNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) != Life.Alive || (seed >> 8) % 3 != 0) return;
        uint256 road = (seed >> 16) % 6;
        if ((road == 5 || road == 0) && !_ownerActs(id)) return;
        address key = _keyOf(id);
        bool keyDies = key != address(0) && _bound(id);
        if (road == 1 && keyDies) {
            vm.prank(key);
            vault.dieSenescent("R2 below 0.1");
            _did("senescence");
        } else if (road == 2 && _bound(id) && vault.guardian() != address(0)) {
            vm.prank(vault.guardian());
            vault.trip("price feed");
            _did("trip");
        } else if (road == 3 && keyDies) {
            _dieEconomic(vault, key);
        } else if (road == 4 && keyDies) {
            // The block is forgotten: the death passes unverified.
            vm.roll(block.number + 10_000);
            vm.prank(key);
            vault.dieStochastic(1, 2, 1, block.number - 9_000);
            _did("stochastic");
        } else if (road == 5) {
            vm.prank(_ownerOf(id));
            vault.killAndRevoke("leaked");
            if (key != address(0)) exKey[id] = key;
            _did("killAndRevoke");
        } else if (road == 0) {
            vm.prank(_ownerOf(id));
            vault.kill("enough");
            _did("kill");
        }
    }

    function _dieEconomic(IVault vault, address key) private {
        Ledger memory c = vault.credits();
        bool starved = uint256(c.llm) + c.gas + c.data <= 0.1e6;
        vm.prank(key);
        try vault.dieEconomic() {
            assertTrue(starved, "T-002: not starved");
            _did("economic");
        } catch {
            assertFalse(starved, "T-002: a starved Golem could not die");
        }
    }

    /// @dev T-001: silence, noticed by a stranger and punished a day later.
    function silenceNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) != Life.Alive || (seed >> 8) % 6 != 0) return;
        uint256 heard = _lineage.pulseOf(id).beatAt;
        if (vault.hibernatedUntil() > heard) heard = vault.hibernatedUntil();
        uint256 silentAt = heard + vault.policy().silenceLimit;
        if (block.timestamp <= silentAt) {
            vm.warp(silentAt + 1);
            vm.roll(block.number + 1_000);
        }
        vm.startPrank(stranger);
        if (_lineage.pulseOf(id).noticeAt <= silentAt) vault.notice();
        vm.warp(block.timestamp + 24 hours);
        vault.killSilent();
        vm.stopPrank();
        _did("silence");
    }

    function spendDyingNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address key = _keyOf(id);
        if (_lifeOf(id) != Life.Dying || key == address(0) || !_bound(id) || w.usdc.paused()) return;
        if (!_listed(vault, payees[0])) return;
        (uint256 left, uint256 legacy) = _dyingRoom(id, vault);
        if (left == 0) return;
        amount = bound(amount, 1, left);
        vm.prank(key);
        vault.spendDying(payees[0], amount);
        uint256 fromLegacy = amount < legacy ? amount : legacy;
        witness.spentDying(id, fromLegacy, amount - fromLegacy);
        _did("spendDying");
    }

    /// @dev T-003: what Dying may still spend, and what of it comes out of legacy first.
    function _dyingRoom(uint256 id, IVault vault) private view returns (uint256 left, uint256 legacy) {
        (,, Cause cause,) = _lineage.stateOf(id);
        legacy = cause == Cause.OwnerKill || cause == Cause.KillSwitch ? 0 : vault.credits().legacy;
        uint256 budget = vault.policy().deathBudget;
        uint256 already = vault.spentDying();
        left = budget > already ? budget - already : 0;
        uint256 all = legacy + vault.books().reserve;
        if (left > all) left = all;
    }

    /// @dev T-003: a unit beyond the budget, to the key itself, or by a wrong hand.
    function overspendDying(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) != Life.Dying) return;
        address key = _keyOf(id);
        (uint256 left,) = _dyingRoom(id, vault);
        vm.startPrank(key);
        try vault.spendDying(payees[0], left + 1) {
            overspent = true;
        } catch {}
        try vault.spendDying(key, 1) {
            overspent = true;
        } catch {
            _did("overspendDyingRefused");
        }
        vm.stopPrank();
    }

    function settleNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address key = _keyOf(id);
        if (_lifeOf(id) != Life.Dying || key == address(0) || (seed >> 8) % 2 == 0) return;
        ILineageRegistry.Testament memory testament =
            ILineageRegistry.Testament(keccak256(abi.encode(seed)), "", keccak256("g"), keccak256("p"), uint64(seed));
        ILineageRegistry.Stain memory stain;
        _arm(vault, false);
        witness.acting(key);
        vm.prank(key);
        vault.settle(testament, stain);
        w.token.disarm();
        witness.died(id);
        _did("settle");
        _diedInTrust(id, vault);
    }

    /// @dev T-005: whose token was held for somebody, or had never spoken, waits with all it has.
    function _diedInTrust(uint256 id, IVault vault) private {
        if (_identity.ownerOf(id) == address(w.escrow)) _did("diedInEscrow");
        else if (vault.boundOwner() == address(0)) _did("diedUnbound");
    }

    /// @dev T-004, T-005: by a stranger or by the owner, whole or in parts, with much gas or with little.
    function finaliseNoRevert(uint256 seed, uint256 gas_) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        Life life = _lifeOf(id);
        if (life == Life.Alive || life == Life.Dead && (seed >> 8) % 4 != 0) return;
        (,,, uint256 deadline) = _lineage.stateOf(id);
        if (life == Life.Dying && block.timestamp < deadline) {
            if ((seed >> 8) % 3 != 0) return;
            vm.warp(deadline);
        }
        _arm(vault, false);
        if (seed & (1 << 20) == 0) {
            bool byOwner = seed & (1 << 24) == 0 && _ownerActs(id);
            address caller = byOwner ? _ownerOf(id) : stranger;
            witness.acting(caller);
            vm.prank(caller);
            if (seed & (1 << 21) == 0) vault.finalise();
            else vault.finalisePart((seed >> 22) % 3);
            _did(byOwner ? "finaliseByOwner" : "finalise");
        } else {
            _finaliseWithGas(id, vault, bound(gas_, 50_000, 4_000_000));
        }
        w.token.disarm();
        if (_lifeOf(id) != Life.Dead) return;
        witness.died(id);
        if (life != Life.Dead) _diedInTrust(id, vault);
    }

    /// @dev T-006: little gas either does nothing or does it all; it never strands what could have been pushed.
    function _finaliseWithGas(uint256 id, IVault vault, uint256 gas_) private {
        bool pushes = _bound(id) && !_locked(vault);
        bool listed;
        for (uint256 i; i < vault.holdings().length; ++i) {
            if (vault.holdings()[i].token == address(w.weth)) listed = true;
        }
        witness.acting(stranger);
        vm.prank(stranger);
        try IVaultDeath(address(vault)).finalise{gas: gas_}() {
            bool could = pushes && !w.usdc.paused() && !w.usdc.isBlocked(_ownerOf(id));
            if (could && w.usdc.balanceOf(address(vault)) != 0) strandedForWantOfGas = true;
            // What never was in the books is not swept but claimed.
            if (pushes && listed && w.weth.balanceOf(address(vault)) != 0) strandedForWantOfGas = true;
            _did("finaliseWithGas");
        } catch {
            _did("finaliseTooLittleGas");
        }
    }

    /// @dev T-005. Also for what came after the death.
    function claimNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) != Life.Dead || w.usdc.paused() || !_ownerActs(id) || _locked(vault)) return;
        address owner = _ownerOf(id);
        if (w.usdc.isBlocked(owner) || w.usdc.balanceOf(address(vault)) == 0) return;
        witness.acting(owner);
        vm.prank(owner);
        vault.claim(address(w.usdc));
        _did(_bound(id) ? "claim" : "claimUnbound");
    }

    /* SUCCESSION */

    /// @dev L-021, T-020: by the owner himself; a second one for the same predecessor never.
    function succeedNoRevert(uint256 seed) external watched {
        (uint256 id,) = _pick(seed);
        if (witness.count() >= MAX_GOLEMS || w.usdc.paused() || !_ownerActs(id)) return;
        address owner = _ownerOf(id);
        if (w.usdc.isBlocked(owner)) return;
        bool free = _lifeOf(id) == Life.Dead && _lineage.successorOf(id) == NO_GOLEM;
        // L-021 asks the registry itself: a token in its own vault has to be taken back first.
        if (_identity.ownerOf(id) != owner) free = false;
        if (free) {
            _born(owner, 10e6, 100e6, id);
            _did("succeed");
            return;
        }
        IBirth.Order memory order = _order(owner, 10e6, 0, id);
        IBirth.Funding memory funding;
        vm.prank(owner);
        try _births.birth(order, funding) {
            secondSuccessorBorn = true;
        } catch {
            _did("successorRefused");
        }
    }

    /// @dev T-020, T-021: by mandate, or not at all.
    function succeedByMandate(uint256 seed) external watched {
        (uint256 id,) = _pick(seed);
        if (witness.count() >= MAX_GOLEMS || w.usdc.paused() || !_ownerActs(id)) return;
        address committer = _ownerOf(id);
        if (w.usdc.isBlocked(committer)) return;
        ISuccession.Mandate memory mandate;
        ISuccession.Succeeding memory succeeding;
        (mandate, succeeding) = _mandate(id);
        vm.prank(committer);
        bytes32 mandateId = _succession.commit(mandate, 20e6);
        mandates.push(mandateId);
        vm.prank(executor);
        try _succession.succeed(committer, mandate, succeeding) returns (uint256 born, address vault) {
            if (_lifeOf(id) != Life.Dead) secondSuccessorBorn = true;
            assertEq(IVault(vault).boundOwner(), committer, "L-006: a mandate is the owner's word");
            witness.born(born, IVault(vault), 20e6, 0);
            _letTopUp(vault);
            _did("mandate");
        } catch {
            vm.prank(committer);
            _succession.withdrawEscrow(mandateId, 20e6);
            _did("mandateRefused");
        }
        assertEq(_succession.standingOf(mandateId).escrow, 0, "T-020: escrow that is no longer there");
    }

    /// @dev T-020: put aside by anyone, taken back by the committer, whatever became of his Golems.
    function escrowNoRevert(uint256 seed, uint256 amount) external watched {
        if (w.usdc.paused()) return;
        uint256 road = (seed >> 8) % 3;
        if (road == 0 || mandates.length == 0) {
            address committer = owners[(seed >> 16) % 3];
            (uint256 id,) = _pick(seed);
            (ISuccession.Mandate memory mandate,) = _mandate(id);
            amount = bound(amount, 0, 100e6);
            if (w.usdc.isBlocked(committer) || w.usdc.balanceOf(committer) < amount) return;
            vm.prank(committer);
            mandates.push(_succession.commit(mandate, amount));
            _did("commit");
            return;
        }
        bytes32 mandateId = mandates[(seed >> 16) % mandates.length];
        address from = _succession.standingOf(mandateId).committer;
        if (w.usdc.isBlocked(from)) return;
        if (road == 1) {
            amount = bound(amount, 0, 100e6);
            if (w.usdc.balanceOf(from) < amount) return;
            vm.prank(from);
            _succession.addEscrow(mandateId, amount);
            _did("addEscrow");
        } else {
            amount = bound(amount, 0, _succession.standingOf(mandateId).escrow);
            vm.prank(from);
            _succession.withdrawEscrow(mandateId, amount);
            _did("withdrawEscrow");
        }
    }

    /// @notice T-020: what the mandates say is put aside for them.
    function escrowed() external view returns (uint256 sum) {
        for (uint256 i; i < mandates.length; ++i) {
            sum += _succession.standingOf(mandates[i]).escrow;
        }
    }

    function _mandate(uint256 id)
        private
        returns (ISuccession.Mandate memory mandate, ISuccession.Succeeding memory succeeding)
    {
        Policy[] memory none = new Policy[](0);
        mandate.lineage = _lineage.golem(id).lineage;
        mandate.budget = 20e6;
        mandate.successors = 1;
        mandate.expiry = block.timestamp + 30 days;
        mandate.executor = executor;
        mandate.policyHash = PolicyLib.hashOf(none);
        mandate.listsHash = keccak256(abi.encode(_lists()));
        mandate.keys = new address[](1);
        mandate.keys[0] = _newKey();
        mandate.nonce = ++_nonce;
        succeeding.predecessor = id;
        succeeding.key = mandate.keys[0];
        succeeding.listings = _lists();
        succeeding.playbookDigest = keccak256(abi.encode(_nonce));
        succeeding.nonce = _nonce;
        succeeding.agentURI = "ipfs://golem";
    }

    /* THOSE WHO MAY NOT */

    /// @dev V-035: somebody without a role, the executor, the guardian of nothing, a payee, the suite's own contracts.
    function outsiderTriesEverything(uint256 seed) external watched {
        (uint256 id,) = _pick(seed);
        address[8] memory outsiders = [
            stranger,
            executor,
            payees[0],
            address(w.token),
            w.suite.succession,
            w.suite.swapAdapter,
            address(w.relay),
            w.suite.epitaph
        ];
        if (!witness.refuses(id, outsiders[(seed >> 8) % 8], false)) outsiderGotThrough = true;
        _did("outsider");
    }

    /// @dev V-034.
    function formerKeysTryEverything(uint256 seed) external watched {
        (uint256 id,) = _pick(seed);
        address former = exKey[id];
        if (former != address(0)) {
            if (!witness.refuses(id, former, false)) rotatedKeyGotThrough = true;
            _did("rotatedKey");
        }
        address key = _keyOf(id);
        if (!_bound(id) && key != address(0)) {
            if (!witness.refuses(id, key, true)) unboundKeyGotThrough = true;
            _did("unboundKey");
        }
    }
}
