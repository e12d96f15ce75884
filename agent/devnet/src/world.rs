//! Everything that stands on the devnet, deployed from published artifacts in a fixed order.

use alloy::primitives::aliases::{I24, U24};
use alloy::primitives::{Address, B256, Bytes, U256, address, b256, keccak256};
use alloy::sol_types::{SolCall, SolValue};
use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

use crate::accounts::{Account, Accounts};
use crate::artifacts::{Artifacts, paths};
use crate::bindings::{Erc20, FiatToken, INonfungiblePositionManager as Positions, IUniswapV3Factory, IUniswapV3Pool};
use crate::blocks::Blocks;
use crate::error::DevnetError;
use crate::node::Node;
use crate::price::sqrt_price_x96;
use crate::sender::{Call, Sender, receipt};
use crate::suite::Suite;

/// Multicall3 stands here on every chain.
const MULTICALL3: Address = address!("0xcA11bde05977b3631167028862bE2a173976CA11");
/// Hash of the code that stands there.
const MULTICALL3_CODE_HASH: B256 = b256!("0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891");
/// The deterministic deployer stands here on every chain; anvil brings it.
const CREATE2_DEPLOYER: Address = address!("0x4e59b44847b379578588920cA78FbF26c0B4956C");
/// The fee tier of the pool the market lives in: 0.05%.
pub(crate) const POOL_FEE: u32 = 500;
/// The widest range whose ends are multiples of that tier's tick spacing of 10.
const FULL_RANGE: i32 = 887_270;
/// Observations the pool keeps: more than half an hour of blocks of two seconds.
const CARDINALITY: u16 = 2_000;
/// Growing them all at once would not fit a block.
const CARDINALITY_STEP: u16 = 500;
/// What a world's blocks cost while it is built.
const BUILD_BASE_FEE: u64 = 10_000_000;
/// Seconds between the blocks of the build.
const BUILD_SECONDS: u64 = 2;
/// WETH in the position that stays when liquidity is thin, and in the one that leaves.
const STAYING_WETH: u64 = 500;
const LEAVING_WETH: u64 = 4_500;
/// The market's own stock, far beyond any trade.
const MARKET_WETH: u64 = 5_000_000;
pub(crate) const MARKET_USDC: Usdc = Usdc::from_micros(100_000_000_000 * Usdc::UNIT);
/// What everyone else gets.
pub(crate) const PURSE_USDC: Usdc = Usdc::whole(1_000_000);
/// Far in the future, as a deadline that never passes.
const NEVER: U256 = U256::from_limbs([1 << 48, 0, 0, 0]);

/// Where everything stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// Circle's USDC (the proxy).
    pub usdc: Address,
    /// Wrapped ether.
    pub weth: Address,
    /// Uniswap V3's factory.
    pub v3_factory: Address,
    /// Its position manager.
    pub position_manager: Address,
    /// Its first router; not every public chain has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub swap_router: Option<Address>,
    /// Its second router.
    pub swap_router_02: Address,
    /// Its quoter.
    pub quoter_v2: Address,
    /// The USDC/WETH pool of the 0.05% tier.
    pub pool: Address,
    /// Multicall3.
    pub multicall3: Address,
    /// The CREATE2 deployer.
    pub create2_deployer: Address,
    /// The contract suite.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub suite: Option<Suite>,
    /// The maker's position that leaves when liquidity turns thin; none on a fork of a public chain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub maker: Option<Maker>,
}

/// The position that comes and goes with the depth of the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Maker {
    /// Its token.
    pub token_id: u64,
    /// Its liquidity when it stands.
    pub liquidity: u128,
}

impl World {
    /// Whether WETH is the pool's first token.
    #[must_use]
    pub fn weth_is_token0(&self) -> bool {
        self.weth < self.usdc
    }

    /// Each part by name, for tables.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Address)> {
        let router = self.swap_router.map(|address| ("Uniswap V3 SwapRouter", address));
        [
            ("USDC", self.usdc),
            ("WETH9", self.weth),
            ("Uniswap V3 factory", self.v3_factory),
            ("Uniswap V3 positions", self.position_manager),
            ("Uniswap V3 SwapRouter02", self.swap_router_02),
            ("Uniswap V3 QuoterV2", self.quoter_v2),
            ("USDC/WETH 0.05% pool", self.pool),
            ("Multicall3", self.multicall3),
            ("CREATE2 deployer", self.create2_deployer),
        ]
        .into_iter()
        .chain(router)
        .chain(self.suite.into_iter().flat_map(|suite| suite.parts().collect::<Vec<_>>()))
    }

    /// Where a devnet's world stands: the deployer's nonces decide it, so it is the same on every devnet.
    #[must_use]
    pub fn of_devnet(pool: Address) -> Self {
        let deployer = Accounts::default().deployer.address;
        let at = |nonce| deployer.create(nonce);
        Self {
            weth: at(0),
            usdc: at(3),
            v3_factory: at(4),
            position_manager: at(7),
            swap_router: Some(at(8)),
            swap_router_02: at(9),
            quoter_v2: at(10),
            pool,
            multicall3: MULTICALL3,
            create2_deployer: CREATE2_DEPLOYER,
            suite: None,
            maker: None,
        }
    }

    /// What stands on a public chain, from the published deployments of Circle and Uniswap; the pool is asked for.
    #[must_use]
    pub fn of_public_chain(chain_id: u64) -> Option<Self> {
        let base = Self {
            usdc: address!("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
            weth: address!("0x4200000000000000000000000000000000000006"),
            v3_factory: address!("0x33128a8fC17869897dcE68Ed026d694621f6FDfD"),
            position_manager: address!("0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1"),
            swap_router: None,
            swap_router_02: address!("0x2626664c2603336E57B271c5C0b26F421741e481"),
            quoter_v2: address!("0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a"),
            pool: Address::ZERO,
            multicall3: MULTICALL3,
            create2_deployer: CREATE2_DEPLOYER,
            suite: None,
            maker: None,
        };
        match chain_id {
            8453 => Some(base),
            84532 => Some(Self {
                usdc: address!("0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
                v3_factory: address!("0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24"),
                position_manager: address!("0x27F971cb582BF9E50F397e4d29a5C7A34f11faA2"),
                swap_router_02: address!("0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4"),
                quoter_v2: address!("0xC5290058841028F1614F3A6F0F5816cAd0df5E27"),
                ..base
            }),
            _ => None,
        }
    }
}

/// One hand that sends, mines and checks, step by step.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub(crate) node: &'a mut Node,
    pub(crate) blocks: &'a mut Blocks,
    pub(crate) chain_id: u64,
}

impl Builder<'_> {
    pub(crate) async fn sender(&mut self, account: &Account) -> Result<Sender, DevnetError> {
        Sender::new(self.node, account, self.chain_id).await
    }

    pub(crate) async fn run(&mut self, sender: &mut Sender, call: Call) -> Result<Option<Address>, DevnetError> {
        let tx = sender.submit(self.node, &call).await?;
        self.blocks.mine(self.node, BUILD_SECONDS, BUILD_BASE_FEE).await?;
        Ok(receipt(self.node, call.step, tx).await?.contract_address)
    }

    async fn create(&mut self, sender: &mut Sender, step: &'static str, code: Bytes) -> Result<Address, DevnetError> {
        let made = self.run(sender, Call::create(step, code)).await?;
        made.ok_or_else(|| DevnetError::Unreadable { what: step.to_owned(), detail: "no contract address".to_owned() })
    }

    /// Gives every account ether.
    pub(crate) async fn fund(&mut self, accounts: &Accounts) -> Result<(), DevnetError> {
        for account in accounts.all() {
            let ether = if account.role == accounts.market.role { 2 * MARKET_WETH } else { 10_000 };
            let params = (account.address, weth(ether));
            self.node.request::<_, serde_json::Value>("anvil_setBalance", params).await?;
        }
        Ok(())
    }

    /// Deploys the whole world. The order of the deployer's transactions is part of the format: addresses follow it.
    pub(crate) async fn build(
        &mut self,
        accounts: &Accounts,
        artifacts: &Artifacts,
        price: Usdc,
    ) -> Result<World, DevnetError> {
        self.fund(accounts).await?;
        let mut deployer = self.sender(&accounts.deployer).await?;
        let by = &mut deployer;
        let weth = self.create(by, "deploying WETH9", artifacts.creation_code(paths::WETH9, &[], &[])?).await?;
        let usdc = self.deploy_usdc(by, artifacts).await?;
        let code = artifacts.creation_code(paths::V3_FACTORY, &[], &[])?;
        let v3_factory = self.create(by, "deploying the Uniswap V3 factory", code).await?;
        let position_manager = self.deploy_positions(by, artifacts, v3_factory, weth).await?;
        let code = artifacts.creation_code(paths::SWAP_ROUTER, &(v3_factory, weth).abi_encode_params(), &[])?;
        let swap_router = self.create(by, "deploying SwapRouter", code).await?;
        let arguments = (Address::ZERO, v3_factory, position_manager, weth);
        let code = artifacts.creation_code(paths::SWAP_ROUTER_02, &arguments.abi_encode_params(), &[])?;
        let swap_router_02 = self.create(by, "deploying SwapRouter02", code).await?;
        let code = artifacts.creation_code(paths::QUOTER_V2, &(v3_factory, weth).abi_encode_params(), &[])?;
        let quoter_v2 = self.create(by, "deploying QuoterV2", code).await?;
        self.place_multicall3(artifacts).await?;

        let mut world = World {
            usdc,
            weth,
            v3_factory,
            position_manager,
            swap_router: Some(swap_router),
            swap_router_02,
            quoter_v2,
            pool: Address::ZERO,
            multicall3: MULTICALL3,
            create2_deployer: CREATE2_DEPLOYER,
            suite: None,
            maker: None,
        };
        world.suite = Some(self.deploy_suite(by, artifacts, &world, None).await?);
        self.initialise_usdc(accounts, usdc).await?;
        self.open_pool(accounts, &mut world, price).await?;
        Ok(world)
    }

    async fn deploy_usdc(&mut self, by: &mut Sender, artifacts: &Artifacts) -> Result<Address, DevnetError> {
        let code = artifacts.creation_code(paths::SIGNATURE_CHECKER, &[], &[])?;
        let checker = self.create(by, "deploying USDC's signature checker", code).await?;
        let code = artifacts.creation_code(paths::FIAT_TOKEN, &[], &[("SignatureChecker", checker)])?;
        let logic = self.create(by, "deploying USDC's logic", code).await?;
        let code = artifacts.creation_code(paths::FIAT_TOKEN_PROXY, &(logic,).abi_encode_params(), &[])?;
        self.create(by, "deploying USDC", code).await
    }

    async fn deploy_positions(
        &mut self,
        by: &mut Sender,
        artifacts: &Artifacts,
        factory: Address,
        weth: Address,
    ) -> Result<Address, DevnetError> {
        let code = artifacts.creation_code(paths::NFT_DESCRIPTOR, &[], &[])?;
        let library = self.create(by, "deploying NFTDescriptor", code).await?;
        let mut label = B256::ZERO;
        label[..3].copy_from_slice(b"ETH");
        let code = artifacts.creation_code(
            paths::POSITION_DESCRIPTOR,
            &(weth, label).abi_encode_params(),
            &[("NFTDescriptor", library)],
        )?;
        let descriptor = self.create(by, "deploying the position descriptor", code).await?;
        let code =
            artifacts.creation_code(paths::POSITION_MANAGER, &(factory, weth, descriptor).abi_encode_params(), &[])?;
        self.create(by, "deploying the position manager", code).await
    }

    /// Multicall3 belongs at its canonical address, which only its author's key could create: its published code is
    /// checked against the hash every chain shows, and put there.
    async fn place_multicall3(&mut self, artifacts: &Artifacts) -> Result<(), DevnetError> {
        let code = artifacts.multicall3()?;
        if keccak256(&code) != MULTICALL3_CODE_HASH {
            let detail = format!("code hash {}, not the canonical {MULTICALL3_CODE_HASH}", keccak256(&code));
            return Err(DevnetError::Artifact { path: paths::PREINSTALLS.into(), detail });
        }
        self.node.request::<_, serde_json::Value>("anvil_setCode", (MULTICALL3, code)).await?;
        Ok(())
    }

    /// As Circle set it up: version 2.2, the issuer in every office, everyone given some.
    async fn initialise_usdc(&mut self, accounts: &Accounts, usdc: Address) -> Result<(), DevnetError> {
        let mut issuer = self.sender(&accounts.issuer).await?;
        let office = issuer.address();
        let coin = || "USD Coin".to_owned();
        let mut calls = vec![
            FiatToken::initializeCall {
                tokenName: coin(),
                tokenSymbol: "USDC".to_owned(),
                tokenCurrency: "USD".to_owned(),
                tokenDecimals: 6,
                newMasterMinter: office,
                newPauser: office,
                newBlacklister: office,
                newOwner: office,
            }
            .abi_encode(),
            FiatToken::initializeV2Call { newName: coin() }.abi_encode(),
            FiatToken::initializeV2_1Call { lostAndFound: office }.abi_encode(),
            FiatToken::initializeV2_2Call { accountsToBlacklist: vec![], newSymbol: "USDC".to_owned() }.abi_encode(),
            FiatToken::configureMinterCall { minter: office, minterAllowedAmount: U256::MAX >> 8 }.abi_encode(),
        ];
        for account in accounts.all() {
            let amount = if account.role == accounts.market.role { MARKET_USDC } else { PURSE_USDC };
            calls.push(FiatToken::mintCall { to: account.address, amount: U256::from(amount.micros()) }.abi_encode());
        }
        for data in calls {
            self.run(&mut issuer, Call::to("initialising USDC", usdc, data)).await?;
        }
        Ok(())
    }

    /// The pool at `price`, with a memory of half an hour and the maker's two positions.
    async fn open_pool(&mut self, accounts: &Accounts, world: &mut World, price: Usdc) -> Result<(), DevnetError> {
        let mut market = self.sender(&accounts.market).await?;
        let by = &mut market;
        let (token0, token1) = order(world);
        let data = Positions::createAndInitializePoolIfNecessaryCall {
            token0,
            token1,
            fee: U24::from(POOL_FEE),
            sqrtPriceX96: sqrt_price_x96(price, world.weth_is_token0()),
        };
        let call = Call::to("opening the pool", world.position_manager, data.abi_encode()).with_gas(8_000_000);
        self.run(by, call).await?;
        world.pool = find_pool(self.node, world).await?;
        for step in (1..=CARDINALITY / CARDINALITY_STEP).map(|n| n * CARDINALITY_STEP) {
            let data = IUniswapV3Pool::increaseObservationCardinalityNextCall { observationCardinalityNext: step };
            let call = Call::to("growing the pool's memory", world.pool, data.abi_encode()).with_gas(14_000_000);
            self.run(by, call).await?;
        }
        self.stock_market(by, world).await?;
        for amount in [STAYING_WETH, LEAVING_WETH] {
            self.run(
                by,
                Call::to("adding liquidity", world.position_manager, mint(world, by.address(), amount, price)),
            )
            .await?;
        }
        let leaving = 2;
        let liquidity = position_liquidity(self.node, world, leaving).await?;
        world.maker = Some(Maker { token_id: leaving, liquidity });
        Ok(())
    }

    /// Wraps the market's ether and lets the routers take from it.
    pub(crate) async fn stock_market(&mut self, by: &mut Sender, world: &World) -> Result<(), DevnetError> {
        let deposit = Call::to("wrapping ether", world.weth, Erc20::depositCall {}.abi_encode());
        self.run(by, deposit.with_value(weth(MARKET_WETH))).await?;
        for token in [world.weth, world.usdc] {
            for spender in [world.position_manager, world.swap_router_02] {
                let data = Erc20::approveCall { spender, value: U256::MAX }.abi_encode();
                self.run(by, Call::to("approving the venue", token, data)).await?;
            }
        }
        Ok(())
    }
}

fn weth(whole: u64) -> U256 {
    U256::from(whole) * U256::from(1_000_000_000_000_000_000_u64)
}

fn order(world: &World) -> (Address, Address) {
    if world.weth_is_token0() { (world.weth, world.usdc) } else { (world.usdc, world.weth) }
}

/// Amounts of the pool's two tokens for some WETH and USDC.
pub(crate) fn amounts(world: &World, weth: U256, usdc: U256) -> (U256, U256) {
    if world.weth_is_token0() { (weth, usdc) } else { (usdc, weth) }
}

fn mint(world: &World, recipient: Address, whole: u64, price: Usdc) -> Vec<u8> {
    let (token0, token1) = order(world);
    let usdc = U256::from(price.micros()) * U256::from(whole);
    let (amount0, amount1) = amounts(world, weth(whole), usdc);
    Positions::mintCall {
        params: Positions::MintParams {
            token0,
            token1,
            fee: U24::from(POOL_FEE),
            tickLower: I24::try_from(-FULL_RANGE).expect("a tick"),
            tickUpper: I24::try_from(FULL_RANGE).expect("a tick"),
            amount0Desired: amount0,
            amount1Desired: amount1,
            amount0Min: U256::ZERO,
            amount1Min: U256::ZERO,
            recipient,
            deadline: NEVER,
        },
    }
    .abi_encode()
}

/// Takes the maker's whole position out of the pool.
pub(crate) fn withdraw_liquidity(maker: Maker, recipient: Address) -> Vec<u8> {
    let token_id = U256::from(maker.token_id);
    let decrease = Positions::decreaseLiquidityCall {
        params: Positions::DecreaseLiquidityParams {
            tokenId: token_id,
            liquidity: maker.liquidity,
            amount0Min: U256::ZERO,
            amount1Min: U256::ZERO,
            deadline: NEVER,
        },
    };
    let collect = Positions::collectCall {
        params: Positions::CollectParams { tokenId: token_id, recipient, amount0Max: u128::MAX, amount1Max: u128::MAX },
    };
    Positions::multicallCall { data: vec![decrease.abi_encode().into(), collect.abi_encode().into()] }.abi_encode()
}

/// Puts the maker's position back with at least `amount0` and `amount1` on offer.
pub(crate) fn restore_liquidity(maker: Maker, amount0: U256, amount1: U256) -> Vec<u8> {
    Positions::increaseLiquidityCall {
        params: Positions::IncreaseLiquidityParams {
            tokenId: U256::from(maker.token_id),
            amount0Desired: amount0,
            amount1Desired: amount1,
            amount0Min: U256::ZERO,
            amount1Min: U256::ZERO,
            deadline: NEVER,
        },
    }
    .abi_encode()
}

pub(crate) async fn position_liquidity(node: &Node, world: &World, token_id: u64) -> Result<u128, DevnetError> {
    let manager = Positions::new(world.position_manager, node.provider());
    let position = manager.positions(U256::from(token_id)).call().await.map_err(unreadable("positions"))?;
    Ok(position.liquidity)
}

pub(crate) async fn find_pool(node: &Node, world: &World) -> Result<Address, DevnetError> {
    let factory = IUniswapV3Factory::new(world.v3_factory, node.provider());
    factory.getPool(world.usdc, world.weth, U24::from(POOL_FEE)).call().await.map_err(unreadable("getPool"))
}

pub(crate) fn unreadable(what: &'static str) -> impl FnOnce(alloy::contract::Error) -> DevnetError {
    move |error| DevnetError::Unreadable { what: what.to_owned(), detail: error.to_string() }
}

/// What the fingerprint of a cached world covers besides artifacts and settings: change it when the build changes.
pub(crate) fn build_recipe() -> Vec<u8> {
    const REVISION: u64 = 2;
    (REVISION, STAYING_WETH, LEAVING_WETH, MARKET_WETH, u64::from(CARDINALITY), BUILD_BASE_FEE, BUILD_SECONDS)
        .abi_encode()
}
