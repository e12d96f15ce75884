// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;
// Long file: the fuzzer draws actions from one contract, and every action shares one ghost ledger of who may do what.

import {Test} from "forge-std/Test.sol";

import {Birth} from "contracts/Birth.sol";
import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {ISuccession} from "contracts/interfaces/ISuccession.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {TickLib} from "contracts/libraries/TickLib.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Succession} from "contracts/Succession.sol";
import {Cause, Life, NO_GOLEM, Phase} from "contracts/types/Life.sol";
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

import {TrojanToken} from "test/mocks/TrojanToken.sol";
import {IErc20, IVenuePool} from "test/utils/Venue.sol";
import {Witness, World} from "test/invariant/Witness.sol";

/// @title Everybody who may touch the suite, and somebody who may not
/// @dev Actions named `...NoRevert` are legal by construction: one that reverts fails the run. The others may be refused
/// and count their successes, so that a test can show that none of them is idle. Each ends with the witness looking.
contract Handler is Test {
    uint256 private constant MAX_GOLEMS = 6;

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
    mapping(string action => uint256) public done;
    /// @notice V-034, V-035 and the reentrancy guard, broken by a call that got through.
    bool public outsiderGotThrough;
    bool public rotatedKeyGotThrough;
    bool public unboundKeyGotThrough;
    bool public overspent;
    bool public staleTickBeaten;
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

    function _bound(uint256 id) private view returns (bool) {
        return witness.vaultOf(id).boundOwner() == _identity.ownerOf(id);
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
        for (uint256 i; i < 3; ++i) {
            vm.prank(owners[i]);
            w.usdc.approve(vault, type(uint256).max);
        }
        vm.prank(stranger);
        w.usdc.approve(vault, type(uint256).max);
        witness.beginWindow(id);
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
        address owner = _identity.ownerOf(id);
        if (_lifeOf(id) != Life.Alive || w.usdc.paused() || w.usdc.isBlocked(owner)) return;
        amount = bound(amount, 1, 1_000e6);
        vm.prank(owner);
        vault.fundCapital(amount);
        witness.funded(id, amount);
        _did("fundCapital");
    }

    function withdrawCapitalNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address owner = _identity.ownerOf(id);
        if (_lifeOf(id) != Life.Alive || w.usdc.paused() || w.usdc.isBlocked(owner)) return;
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
        (uint256 until,,) = witness.windows(id);
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
        Split split = vault.split();
        Phase phase = _lineage.pulseOf(id).phase;
        if (_lifeOf(id) == Life.Alive && split != Split.Birth && phase < Phase.Declining) {
            vm.prank(_identity.ownerOf(id));
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

    function raiseReserveNoRevert(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (_lifeOf(id) != Life.Alive) return;
        bool byOwner = seed & 256 == 0;
        if (!byOwner && !_keyActs(id)) return;
        Ledger memory c = vault.credits();
        uint256 from = (seed >> 9) % 3;
        uint256 balance = from == 0 ? c.llm : from == 1 ? c.gas : c.data;
        if (balance == 0) return;
        amount = bound(amount, 1, balance < 1e6 ? balance : 1e6);
        vm.prank(byOwner ? _identity.ownerOf(id) : _keyOf(id));
        vault.raiseReserve(PartitionId(from), amount);
        witness.reserveRaised(id, amount);
        _did("raiseReserve");
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
        bool buys = seed & 512 != 0;
        (address token, IVenuePool at) = hostile ? (address(w.token), w.tokenPool) : (address(w.weth), w.pool);
        uint256 most = buys ? vault.books().capital / 10 : _held(token, address(vault));
        if (most == 0) return;
        amount = seed & 4096 == 0 ? most : bound(amount, 1, most);
        IVaultTrading.SwapOrder memory order = buys
            ? IVaultTrading.SwapOrder(address(at), address(w.usdc), token, amount, 0, block.timestamp)
            : IVaultTrading.SwapOrder(address(at), token, address(w.usdc), amount, 0, block.timestamp);
        _arm(vault);
        address caller = seed & 1024 == 0 ? _keyOf(id) : _identity.ownerOf(id);
        vm.prank(caller);
        // A block's worth of gas is what a token may burn; more would only slow the histories down.
        try vault.swap{gas: 3_000_000}(order) returns (uint256 out) {
            uint256 loss = _loss(at, token, buys, amount, out);
            witness.traded(id, buys ? amount : 0, hostile ? 0 : loss);
            _did(hostile ? "hostileSwap" : buys ? "swapIn" : "swapOut");
        } catch {}
        w.token.disarm();
    }

    /// @dev By the pool's own mean of the half hour.
    function _loss(IVenuePool at, address token, bool buys, uint256 amountIn, uint256 out)
        private
        view
        returns (uint256)
    {
        uint32[] memory agos = new uint32[](2);
        agos[0] = 1_800;
        (int56[] memory ticks,) = at.observe(agos);
        int256 tick = (ticks[1] - ticks[0]) / 1_800;
        if (token > address(w.usdc)) tick = -tick;
        uint256 value = TickLib.convertDown(buys ? out : amountIn, tick);
        (uint256 given, uint256 got) = buys ? (amountIn, value) : (value, out);
        return given > got ? given - got : 0;
    }

    function _held(address token, address account) private view returns (uint256) {
        if (token != address(w.token)) return IErc20(token).balanceOf(account);
        if (w.token.mood() == TrojanToken.Mood.BurnsGas) return 1e18;
        return w.token.balanceOf(account);
    }

    /// @dev Everything guarded that a token could call back for, each by somebody it needs no role for or by nobody.
    function _arm(IVault vault) private {
        bytes[] memory calls = new bytes[](5);
        calls[0] = abi.encodeCall(IVaultMoney.sync, ());
        calls[1] = abi.encodeCall(IVaultMoney.topUp, (1e6));
        calls[2] = abi.encodeCall(IVaultDeath.finalise, ());
        calls[3] = abi.encodeCall(IVaultDeath.finalisePart, (1));
        calls[4] = abi.encodeCall(IVaultDeath.claim, (address(w.usdc)));
        w.token.arm(address(vault), calls);
    }

    function addLiquidity(uint256 seed, uint256 amount) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        if (!_keyActs(id)) return;
        uint256 inUsdc = bound(amount, 1, uint256(vault.books().capital) / 20 + 1);
        uint256 inWeth = w.weth.balanceOf(address(vault));
        if (inWeth > 0.1 ether) inWeth = 0.1 ether;
        bool wethFirst = address(w.weth) < address(w.usdc);
        (uint256 a0, uint256 a1) = wethFirst ? (inWeth, inUsdc) : (inUsdc, inWeth);
        Position[] memory positions = vault.positions();
        vm.prank(_keyOf(id));
        if (positions.length != 0 && seed & 256 == 0) {
            try vault.increasePosition(positions[0].tokenId, a0, a1, 0, 0) {
                witness.traded(id, inUsdc, 0);
                _did("increasePosition");
            } catch {}
            return;
        }
        try vault.mintPosition(IVaultLiquidity.MintOrder(address(w.pool), -887_220, 887_220, a0, a1, 0, 0)) {
            witness.traded(id, inUsdc, 0);
            _did("mintPosition");
        } catch {}
    }

    function removeLiquidity(uint256 seed, uint256 share) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        Position[] memory positions = vault.positions();
        if (positions.length == 0 || _lifeOf(id) == Life.Dead) return;
        uint256 tokenId = positions[share % positions.length].tokenId;
        uint128 liquidity = IPositionManager(w.suite.positionManager).positions(tokenId).liquidity;
        uint128 part = seed & 256 == 0 ? liquidity : uint128(bound(share, 0, liquidity));
        vm.prank(_keyOf(id));
        try vault.decreasePosition(tokenId, part, 0, 0) {
            witness.traded(id, 0, 0);
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
        try vault.refuel(address(w.pool), bound(amount, 1, most), 0) {
            witness.spent(id, before - w.usdc.balanceOf(address(vault)), block.timestamp);
            _did("refuel");
        } catch {}
    }

    /// @dev Somebody else trades, by up to a fortieth of the pool.
    function marketMovesNoRevert(uint256 seed, uint256 amount) external watched {
        if (w.usdc.paused()) return;
        bool up = seed & 1 == 0;
        if (up) {
            amount = bound(amount, 1e6, 40_000e6);
            w.usdc.mint(address(this), amount);
        } else {
            amount = bound(amount, 1e15, 13 ether);
            vm.deal(address(this), amount);
            w.weth.deposit{value: amount}();
        }
        address tokenIn = up ? address(w.usdc) : address(w.weth);
        bool zeroForOne = tokenIn == w.pool.token0();
        uint160 limit = zeroForOne
            ? uint160(4_295_128_740)
            : uint160(1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341);
        w.pool.swap(address(this), zeroForOne, int256(amount), limit, abi.encode(tokenIn));
        _did("market");
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        IErc20(abi.decode(data, (address))).transfer(msg.sender, uint256(amount0 > 0 ? amount0 : amount1));
    }

    /// @dev Somebody sends the vault a token it trades: not in its books until sold, and then profit.
    function tokensArriveNoRevert(uint256 seed) external watched {
        (, IVault vault) = _pick(seed);
        vm.deal(address(this), 0.03 ether);
        w.weth.deposit{value: 0.03 ether}();
        w.weth.transfer(address(vault), 0.03 ether);
        _did("tokensArrive");
    }

    /// @dev Coins left in the adapters by a passer-by belong to nobody's books.
    function donateToAdaptersNoRevert(uint256 seed) external watched {
        if (w.usdc.paused()) return;
        w.usdc.mint(seed & 1 == 0 ? w.suite.swapAdapter : w.suite.positionAdapter, seed % 1_000);
        _did("donate");
    }

    /* LIFE */

    function beatNoRevert(uint256 seed, uint256 step) external watched {
        (uint256 id,) = _pick(seed);
        address key = _keyOf(id);
        if (_lifeOf(id) != Life.Alive || key == address(0)) return;
        uint256 last = _lineage.pulseOf(id).tick;
        uint64 tick = uint64(last + bound(step, 1, 1_000));
        // Mostly well, or nothing would ever be traded.
        Phase phase = seed & 256 == 0 ? Phase((seed >> 10) % 5) : Phase((seed >> 10) % 2);
        vm.prank(key);
        _lineage.beat(id, tick, phase, uint32(step % 1_000_001), 0, 0, "", 0);
        assertEq(_lineage.pulseOf(id).tick, tick);
        _did("beat");
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
        uint256 time = seed % 5 == 0 ? seed % 2 days : seed % 3 hours;
        vm.warp(block.timestamp + time);
        vm.roll(block.number + time / 2 + 1);
        _did("time");
    }

    /// @dev L-006. A sale, and sooner or later the buyer's word.
    function sellOrAcceptNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address owner = _identity.ownerOf(id);
        if (!_bound(id)) {
            bool rotates = seed & 256 == 0;
            if (rotates) exKey[id] = _keyOf(id);
            address newKey = rotates ? _newKey() : address(0);
            vm.prank(owner);
            vault.accept(newKey, guardian, seed & 512 == 0, 0);
            if (seed & 512 != 0 && _lifeOf(id) == Life.Alive) {
                vm.prank(owner);
                vault.setListings(_lists());
            }
            witness.endWindow(id);
            _did("accept");
        } else if (seed % 3 == 0) {
            vm.prank(owner);
            _identity.transferFrom(owner, owners[seed % 7 % 3], id);
            _did("sale");
        }
    }

    function ownerRulesNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address owner = _identity.ownerOf(id);
        uint256 act = (seed >> 8) % 4;
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
        } else {
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
            vm.prank(_identity.ownerOf(id));
            vault.killAndRevoke("leaked");
            if (key != address(0)) exKey[id] = key;
            _did("killAndRevoke");
        } else if (road == 0) {
            vm.prank(_identity.ownerOf(id));
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
        _arm(vault);
        vm.prank(key);
        vault.settle(testament, stain);
        w.token.disarm();
        witness.died(id);
        _did("settle");
    }

    /// @dev T-004, T-005: by a stranger, whole or in parts, with much gas or with little.
    function finaliseNoRevert(uint256 seed, uint256 gas_) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        Life life = _lifeOf(id);
        if (life == Life.Alive || life == Life.Dead && (seed >> 8) % 4 != 0) return;
        (,,, uint256 deadline) = _lineage.stateOf(id);
        if (life == Life.Dying && block.timestamp < deadline) {
            if ((seed >> 8) % 3 != 0) return;
            vm.warp(deadline);
        }
        _arm(vault);
        if (seed & (1 << 20) == 0) {
            vm.prank(stranger);
            if (seed & (1 << 21) == 0) vault.finalise();
            else vault.finalisePart((seed >> 22) % 3);
            _did("finalise");
        } else {
            _finaliseWithGas(id, vault, bound(gas_, 50_000, 4_000_000));
        }
        w.token.disarm();
        if (_lifeOf(id) == Life.Dead) witness.died(id);
    }

    /// @dev T-006: little gas either does nothing or does it all; it never strands what could have been pushed.
    function _finaliseWithGas(uint256 id, IVault vault, uint256 gas_) private {
        address owner = _identity.ownerOf(id);
        bool listed;
        for (uint256 i; i < vault.holdings().length; ++i) {
            if (vault.holdings()[i].token == address(w.weth)) listed = true;
        }
        vm.prank(stranger);
        try IVaultDeath(address(vault)).finalise{gas: gas_}() {
            bool could = !w.usdc.paused() && !w.usdc.isBlocked(owner);
            if (could && w.usdc.balanceOf(address(vault)) != 0) strandedForWantOfGas = true;
            // What never was in the books is not swept but claimed.
            if (listed && w.weth.balanceOf(address(vault)) != 0) strandedForWantOfGas = true;
            _did("finaliseWithGas");
        } catch {
            _did("finaliseTooLittleGas");
        }
    }

    /// @dev T-005. Also for what came after the death.
    function claimNoRevert(uint256 seed) external watched {
        (uint256 id, IVault vault) = _pick(seed);
        address owner = _identity.ownerOf(id);
        if (_lifeOf(id) != Life.Dead || w.usdc.paused() || w.usdc.isBlocked(owner)) return;
        if (w.usdc.balanceOf(address(vault)) == 0) return;
        vm.prank(owner);
        vault.claim(address(w.usdc));
        _did("claim");
    }

    /* SUCCESSION */

    /// @dev L-021, T-020: by the owner himself; a second one for the same predecessor never.
    function succeedNoRevert(uint256 seed) external watched {
        (uint256 id,) = _pick(seed);
        if (witness.count() >= MAX_GOLEMS || w.usdc.paused()) return;
        address owner = _identity.ownerOf(id);
        if (w.usdc.isBlocked(owner)) return;
        bool free = _lifeOf(id) == Life.Dead && _lineage.successorOf(id) == NO_GOLEM;
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
        if (witness.count() >= MAX_GOLEMS || w.usdc.paused()) return;
        address committer = _identity.ownerOf(id);
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
            witness.born(born, IVault(vault), 20e6, 0);
            vm.prank(stranger);
            w.usdc.approve(vault, type(uint256).max);
            for (uint256 i; i < 3; ++i) {
                vm.prank(owners[i]);
                w.usdc.approve(vault, type(uint256).max);
            }
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
        address[6] memory outsiders =
            [stranger, executor, payees[0], address(w.token), w.suite.succession, w.suite.swapAdapter];
        if (!witness.refuses(id, outsiders[(seed >> 8) % 6], false)) outsiderGotThrough = true;
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
