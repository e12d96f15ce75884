// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

import {Birth} from "contracts/Birth.sol";
import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IPositionManager} from "contracts/interfaces/IUniswapV3.sol";
import {IVault} from "contracts/interfaces/IVault.sol";
import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";
import {LineageRegistry} from "contracts/LineageRegistry.sol";
import {Succession} from "contracts/Succession.sol";
import {SuiteDeployer} from "contracts/SuiteDeployer.sol";
import {Phase} from "contracts/types/Life.sol";
import {Listing, PartitionId, USE_POOL, USE_TOKEN} from "contracts/types/Money.sol";

import {ChainConfig} from "../../deploy/SuiteBuilder.sol";

import {BaseTest} from "test/BaseTest.sol";
import {ContractWallet} from "test/mocks/Actors.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";
import {CircleUsdc} from "test/utils/CircleUsdc.sol";
import {IVenueFactory, IVenuePool, IWeth9} from "test/utils/Venue.sol";

/// @dev The offices of Circle's token, whoever holds them on the chain at hand.
interface ICircleOffices {
    function blacklister() external view returns (address);
    function pauser() external view returns (address);
    function blacklist(address account) external;
    function unBlacklist(address account) external;
    function pause() external;
    function unpause() external;
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function nonces(address owner) external view returns (uint256);
}

/// @title Whole lives with Circle's USDC and the real Uniswap V3
/// @dev On the chain at `BARDO_RPC`, described by the file at `BARDO_CONFIG` as for the deploy script, when that is set
/// (`scripts/test-fork` does it with an anvil of its own); else in the test, from the published artifacts. Nothing here
/// knows a price: amounts of WETH follow from what the pool gives.
contract RealWorldTest is BaseTest, CircleUsdc {
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    ICircleOffices internal circle;

    function setUp() public override {
        string memory rpc = vm.envOr("BARDO_RPC", string(""));
        if (bytes(rpc).length == 0) super.setUp();
        else _setUpOn(rpc);
        circle = ICircleOffices(address(usdc));
    }

    function _deployUsdc() internal override returns (MockUsdc) {
        return MockUsdc(_deployCircleUsdc());
    }

    /* FUNDING BY SIGNATURE */

    /// @dev L-004, V-005 against the token's own EIP-3009 and EIP-2612.
    function test_world_birthAndTopUpBySignature() public {
        IBirth.Order memory order = _order();
        IBirth.Funding memory funding;
        funding.kind = IBirth.FundingKind.Authorisation;
        funding.validBefore = block.timestamp + 1 hours;
        funding.signature = _sign(
            abi.encode(
                RECEIVE_TYPEHASH,
                OWNER,
                births.vaultAddress(order),
                1_100e6,
                0,
                funding.validBefore,
                births.birthHash(order)
            )
        );
        vm.prank(STRANGER);
        (golem,) = births.birth(order, funding);
        vault = _vaultOf(golem);
        assertEq(usdc.balanceOf(address(vault)), 1_100e6);
        assertEq(identity.ownerOf(golem), OWNER);

        uint256 deadline = block.timestamp + 1 hours;
        bytes memory permit =
            _sign(abi.encode(PERMIT_TYPEHASH, OWNER, address(vault), 10e6, circle.nonces(OWNER), deadline));
        vm.prank(OWNER);
        vault.topUpWithPermit(10e6, deadline, permit);
        assertEq(vault.accounted(), 1_110e6);
        _assertConserved(vault);
    }

    /* WHOLE LIVES */

    /// @dev V-008, V-011, V-015, T-004: everything a strategy does, then a settle with a position open.
    function test_world_tradesProvidesRefuelsAndSettles() public {
        _giveBirth();
        uint256 got = _buy(90e6);
        _assertNear(got, 90e6, 100);

        uint256 native = KEY.balance;
        vm.prank(KEY);
        vault.refuel(address(pool), 5e6, 0, block.timestamp);
        assertGt(KEY.balance, native);
        assertEq(vault.credits().gas, 19.5e6);

        uint256 id = _provide(got / 3, 40e6);
        uint128 minted = _liquidityOf(id);
        vm.prank(KEY);
        vault.increasePosition(id, _amount0(got / 10, 15e6), _amount1(got / 10, 15e6), 0, 0);
        uint128 raised = _liquidityOf(id);
        assertGt(raised, minted);
        // Somebody trades, and the position earns.
        _trade(address(usdc), 20_000e6);
        _trade(address(weth), got * 200);
        _pass(1 hours);
        vm.startPrank(KEY);
        vault.decreasePosition(id, 0, 0, 0);
        vault.decreasePosition(id, raised / 2, 0, 0);
        vm.stopPrank();
        assertEq(_liquidityOf(id), raised - raised / 2);
        _sell(weth.balanceOf(address(vault)) / 2);
        _assertConserved(vault);
        assertEq(vault.books().deployed, uint256(vault.holdings()[0].book) + vault.positions()[0].book);

        _beat(100, Phase.Declining);
        _kill();
        uint256 held = usdc.balanceOf(OWNER);
        uint256 due = usdc.balanceOf(address(vault));
        uint256 dueWeth = weth.balanceOf(address(vault));
        _settle();
        assertEq(usdc.balanceOf(OWNER), held + due);
        assertEq(weth.balanceOf(OWNER), dueWeth);
        assertEq(IERC721(address(manager)).ownerOf(id), OWNER);
        assertEq(vault.positions().length + vault.holdings().length, 0);
        assertEq(lineage.lifeOf(golem), "dead");
    }

    /// @dev T-003: in Dying the key closes toward USDC and nothing else.
    function test_world_closesPositionsWhileDying() public {
        _giveBirth();
        uint256 got = _buy(90e6);
        uint256 id = _provide(got / 2, 60e6);
        vm.prank(KEY);
        vault.dieSenescent("no skill left");
        vm.startPrank(KEY);
        vm.expectRevert();
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 1e6, 0, block.timestamp));
        vm.expectRevert();
        vault.increasePosition(id, 1, 1, 0, 0);
        vault.decreasePosition(id, type(uint128).max, 0, 0);
        vm.stopPrank();
        _sell(weth.balanceOf(address(vault)));
        assertEq(vault.positions().length, 0);
        uint256 held = usdc.balanceOf(OWNER);
        _settle();
        // Two crossings of a pool of at most 30 bps, on 90 of 1,100 USDC.
        assertGt(usdc.balanceOf(OWNER), held + 1_099e6);
        assertEq(weth.balanceOf(address(vault)), 0);
    }

    /// @dev V-014: a gain, sold, moves half of itself to the credits, and the mark rises.
    function test_world_harvestsARealisedGain() public {
        _giveBirth();
        for (uint256 i; i < 4; ++i) {
            _buy(95e6);
        }
        uint256 got = weth.balanceOf(address(vault));
        vm.prank(KEY);
        vm.expectRevert();
        vault.harvest();
        // The market rises by a third or so and stays there.
        _trade(address(usdc), usdc.balanceOf(address(pool)) * 16 / 100);
        _pass(1 days);
        for (uint256 i; i < 6; ++i) {
            if (i == 3) _pass(1 days);
            _sell(got / 6);
        }
        uint256 capital = vault.books().capital;
        assertGt(capital, 1_050e6);
        uint256 creditsBefore = vault.accounted() - capital;
        vm.prank(KEY);
        uint256 moved = vault.harvest();
        assertEq(moved, (capital - 1_000e6) / 2);
        assertEq(vault.books().highWater, capital - moved);
        assertEq(vault.accounted() - vault.books().capital, creditsBefore + moved);
        _assertConserved(vault);
    }

    /* BOUNDS */

    /// @dev V-011: a bent pool trades neither way, and gives back nothing, until it is straight again.
    function test_world_twapBoundsHold() public {
        _giveBirth();
        uint256 got = _buy(90e6);
        uint256 id = _provide(got / 3, 40e6);
        uint256 state = vm.snapshotState();
        _trade(address(usdc), usdc.balanceOf(address(pool)) * 3 / 100);
        vm.startPrank(KEY);
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 50e6, 0, block.timestamp));
        vm.expectPartialRevert(IVaultTrading.BelowTrustedPrice.selector);
        vault.refuel(address(pool), 5e6, 0, block.timestamp);
        vm.expectPartialRevert(IVaultLiquidity.SpotTooFar.selector);
        vault.increasePosition(id, _amount0(got / 10, 15e6), _amount1(got / 10, 15e6), 0, 0);
        vm.expectPartialRevert(IVaultLiquidity.SpotTooFar.selector);
        vault.decreasePosition(id, 1, 0, 0);
        vm.stopPrank();
        vm.revertToState(state);
        // When the hour has passed at the new price, the TWAP has followed.
        _trade(address(usdc), usdc.balanceOf(address(pool)) * 3 / 100);
        _pass(1 hours);
        _buy(50e6);
        _assertConserved(vault);
    }

    /// @dev V-011: a reference pool without a past, or without depth, prices nothing.
    function test_world_youngAndShallowPoolsPriceNothing() public {
        uint24 fee = pool.fee() == 10_000 ? 3_000 : 10_000;
        address other = factory.getPool(address(weth), address(usdc), fee);
        if (other == address(0)) other = factory.createPool(address(weth), address(usdc), fee);
        IVenuePool young = IVenuePool(other);
        (uint160 spot,,,,,,) = pool.slot0();
        (uint160 set,,,,,,) = young.slot0();
        if (set == 0) young.initialize(spot);
        IBirth.Order memory order = _order();
        order.listings = new Listing[](2);
        order.listings[0] = Listing(address(weth), USE_TOKEN, other);
        order.listings[1] = Listing(address(pool), USE_POOL, address(0));
        _giveBirth(order);
        vm.prank(KEY);
        vm.expectRevert(abi.encodeWithSelector(IVaultTrading.WindowNotCovered.selector, other, 30 minutes));
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 50e6, 0, block.timestamp));
        _pass(1 hours);
        vm.prank(KEY);
        vm.expectPartialRevert(IVaultTrading.DepthTooLow.selector);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), 50e6, 0, block.timestamp));
    }

    /* DEATHS OTHERS FINISH */

    /// @dev T-004, T-005: finalise moves everything in kind, and what it moved is worth something to a stranger's tools.
    function test_world_finalisesInKind() public {
        _giveBirth();
        uint256 got = _buy(90e6);
        uint256 id = _provide(got / 2, 60e6);
        _kill();
        _pass(1 hours);
        uint256 held = usdc.balanceOf(OWNER);
        uint256 due = usdc.balanceOf(address(vault));
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(usdc.balanceOf(OWNER), held + due);
        assertEq(IERC721(address(manager)).ownerOf(id), OWNER);
        uint128 liquidity = _liquidityOf(id);
        vm.startPrank(OWNER);
        manager.decreaseLiquidity(IPositionManager.DecreaseLiquidityParams(id, liquidity, 0, 0, block.timestamp));
        manager.collect(IPositionManager.CollectParams(id, OWNER, type(uint128).max, type(uint128).max));
        vm.stopPrank();
        assertGt(usdc.balanceOf(OWNER), held + due + 30e6);
    }

    /// @dev T-005: an escrow that holds the token at the death gets neither USDC nor WETH nor the position; he who has the
    /// token afterwards gets all of it by one call.
    function test_world_whatDiesInEscrowWaitsForTheBuyer() public {
        _giveBirth();
        uint256 got = _buy(90e6);
        uint256 id = _provide(got / 2, 60e6);
        ContractWallet escrow = new ContractWallet(true, true);
        vm.prank(OWNER);
        identity.transferFrom(OWNER, address(escrow), golem);
        _pass(7 days + 1);
        vault.notice();
        _pass(1 days);
        vault.killSilent();
        _pass(1 hours);
        uint256 due = usdc.balanceOf(address(vault));
        uint256 dueWeth = weth.balanceOf(address(vault));
        vm.expectEmit(address(vault));
        emit IVaultDeath.SweepPaused(1, 1);
        vm.prank(STRANGER);
        vault.finalise();
        assertEq(lineage.lifeOf(golem), "dead");
        assertEq(usdc.balanceOf(address(escrow)) + weth.balanceOf(address(escrow)), 0);
        assertEq(IERC721(address(manager)).ownerOf(id), address(vault));

        escrow.act(address(identity), abi.encodeCall(IERC721.transferFrom, (address(escrow), BUYER, golem)));
        vm.prank(BUYER);
        vault.finalise();
        assertEq(usdc.balanceOf(BUYER), due);
        assertEq(weth.balanceOf(BUYER), dueWeth);
        assertEq(IERC721(address(manager)).ownerOf(id), BUYER);
    }

    /// @dev T-005, T-006: USDC blocks the owner, then is paused; the death passes and the claim waits for him.
    function test_world_blockedAndPausedUsdcWaitAsClaims() public {
        _giveBirth();
        vm.prank(circle.blacklister());
        circle.blacklist(OWNER);
        _kill();
        vm.expectEmit(address(vault));
        emit IVaultDeath.Stranded(address(usdc), OWNER, 0, 1_100e6);
        _settle();
        assertEq(lineage.lifeOf(golem), "dead");
        vm.prank(circle.blacklister());
        circle.unBlacklist(OWNER);
        vm.prank(circle.pauser());
        circle.pause();
        vault.finalise();
        assertEq(usdc.balanceOf(address(vault)), 1_100e6);
        vm.prank(OWNER);
        vm.expectRevert();
        vault.claim(address(usdc));
        vm.prank(circle.pauser());
        circle.unpause();
        vm.prank(OWNER);
        assertEq(vault.claim(address(usdc)), 1_100e6);
        // Late USDC too, for ever.
        deal(address(usdc), address(vault), 7e6);
        vm.prank(OWNER);
        assertEq(vault.claim(address(usdc)), 7e6);
    }

    /// @dev V-010: a payee that USDC blocks is refused, and nothing is debited.
    function test_world_blockedPayeeCostsNothing() public {
        _giveBirth();
        vm.prank(circle.blacklister());
        circle.blacklist(PAYEE);
        vm.prank(KEY);
        vm.expectRevert();
        vault.spend(PartitionId.Llm, PAYEE, 1e6);
        assertEq(vault.credits().llm, 58.8e6);
        _assertConserved(vault);
    }

    /* TOOLS */

    function _setUpOn(string memory rpc) private {
        vm.createSelectFork(rpc);
        string memory json = vm.readFile(vm.envString("BARDO_CONFIG"));
        usdc = MockUsdc(vm.parseJsonAddress(json, ".usdc"));
        weth = IWeth9(vm.parseJsonAddress(json, ".weth"));
        factory = IVenueFactory(vm.parseJsonAddress(json, ".uniswapFactory"));
        manager = IPositionManager(vm.parseJsonAddress(json, ".positionManager"));
        // The deeper of the two usual pools.
        IVenuePool low = IVenuePool(factory.getPool(address(weth), address(usdc), 500));
        pool = IVenuePool(factory.getPool(address(weth), address(usdc), 3_000));
        if (address(pool) == address(0) || (address(low) != address(0) && low.liquidity() > pool.liquidity())) {
            pool = low;
        }
        (OWNER, OWNER_SK) = makeAddrAndKey("OWNER");
        (KEY, KEY_SK) = makeAddrAndKey("KEY");
        deployer = new SuiteDeployer();
        vm.startPrank(DEPLOYER);
        suite = deploySuite(
            deployer,
            DEPLOYER,
            ChainConfig(address(usdc), address(weth), address(factory), address(manager), address(0))
        );
        vm.stopPrank();
        identity = IdentityRegistry(suite.identity);
        lineage = LineageRegistry(suite.lineage);
        births = Birth(suite.birth);
        succession = Succession(suite.succession);
        deal(address(usdc), OWNER, 100_000e6);
        vm.prank(OWNER);
        usdc.approve(address(births), type(uint256).max);
    }

    function _vaultOf(uint256 id) private view returns (IVault) {
        return IVault(lineage.vaultOf(id));
    }

    function _sign(bytes memory message) private view returns (bytes memory) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", circle.DOMAIN_SEPARATOR(), keccak256(message)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_SK, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev A minute after the last trade, as the other two: closer ones count together (V-011).
    function _buy(uint256 amount) private returns (uint256 got) {
        _pass(1 minutes);
        vm.prank(KEY);
        return
            vault.swap(IVaultTrading.SwapOrder(address(pool), address(usdc), address(weth), amount, 0, block.timestamp));
    }

    function _sell(uint256 amount) private {
        _pass(1 minutes);
        vm.prank(KEY);
        vault.swap(IVaultTrading.SwapOrder(address(pool), address(weth), address(usdc), amount, 0, block.timestamp));
    }

    function _provide(uint256 ofWeth, uint256 ofUsdc) private returns (uint256 id) {
        _pass(1 minutes);
        vm.prank(KEY);
        return vault.mintPosition(
            IVaultLiquidity.MintOrder(
                address(pool), FULL_LOWER, FULL_UPPER, _amount0(ofWeth, ofUsdc), _amount1(ofWeth, ofUsdc), 0, 0
            )
        );
    }

    function _amount0(uint256 ofWeth, uint256 ofUsdc) private view returns (uint256) {
        return address(weth) < address(usdc) ? ofWeth : ofUsdc;
    }

    function _amount1(uint256 ofWeth, uint256 ofUsdc) private view returns (uint256) {
        return address(weth) < address(usdc) ? ofUsdc : ofWeth;
    }

    function _liquidityOf(uint256 id) private view returns (uint128 liquidity) {
        liquidity = manager.positions(id).liquidity;
    }

    /// @dev Somebody else's trade, with coins from nowhere.
    function _trade(address tokenIn, uint256 amountIn) private {
        if (tokenIn == address(usdc)) {
            deal(tokenIn, address(this), amountIn);
        } else {
            vm.deal(address(this), amountIn);
            weth.deposit{value: amountIn}();
        }
        bool zeroForOne = tokenIn == pool.token0();
        pool.swap(
            address(this),
            zeroForOne,
            int256(amountIn),
            zeroForOne
                ? uint160(4_295_128_740)
                : uint160(1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341),
            abi.encode(tokenIn)
        );
    }

    /// @dev `got` WETH cost `spent` USDC at no worse than `bps` from the pool's spot.
    function _assertNear(uint256 got, uint256 spent, uint256 bps) private view {
        (uint160 spot,,,,,,) = pool.slot0();
        uint256 price = uint256(spot) * spot >> 96;
        uint256 worth = address(weth) < address(usdc) ? (got * price) >> 96 : (got << 96) / price;
        assertApproxEqRel(worth, spent, bps * 1e14);
    }
}
