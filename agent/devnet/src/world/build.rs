//! How a world is built: each part deployed from its published artifact, in a fixed order.

use alloy::primitives::aliases::U24;
use alloy::primitives::{Address, B256, Bytes, U256, b256, keccak256};
use alloy::sol_types::{SolCall, SolValue};
use golem_primitives::{Decimals, Usdc};

use super::position::{Tier, mint, pool_at, position_liquidity, units};
use super::{
    CREATE2_DEPLOYER, EMBER_POOL, HOME_POOL, MARKET_USDC, MULTICALL3, Maker, POOL_FEE, PURSE_USDC, TIER_FEE, TIER_POOL,
    World, WorldPool,
};
use crate::accounts::{Accounts, FundedAccount};
use crate::artifacts::{Artifacts, paths};
use crate::bindings::{Erc20, FiatToken, INonfungiblePositionManager as Positions, IUniswapV3Pool};
use crate::blocks::Blocks;
use crate::error::DevnetError;
use crate::node::Node;
use crate::sender::{Call, Sender, receipt};

/// Hash of the code that stands there.
const MULTICALL3_CODE_HASH: B256 = b256!("0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891");
/// What a pool must remember: the window a vault's mean price is of (V-011).
const REMEMBERED_SECONDS: u64 = 1_800;
/// Observations beyond those: somebody may trade in blocks that come closer than the market's.
const SPARE_OBSERVATIONS: u64 = 16;
/// Growing them all at once would not fit a block.
const CARDINALITY_STEP: u16 = 500;
/// The deployer's transaction that made USDC's logic.
const USDC_LOGIC_NONCE: u64 = 2;
/// What a world's blocks cost while it is built.
const BUILD_BASE_FEE: u64 = 10_000_000;
/// Seconds between the blocks of the build.
const BUILD_SECONDS: u64 = 2;
/// WETH in the position that stays when liquidity is thin, and in the one that leaves.
const STAYING_WETH: u64 = 500;
const LEAVING_WETH: u64 = 4_500;
/// The market's own stock, far beyond any trade.
const MARKET_WETH: u64 = 5_000_000;
/// P-057. WETH in the pool of the other fee tier, and what the second token has in its own; neither comes and goes.
const TIER_WETH: u64 = 1_000;
const EMBER_UNITS: u64 = 20_000;
/// What the market has of the second token.
const MARKET_EMBER: u64 = 100_000_000;
/// Its decimals: other than WETH's, so that whoever trades here counts each token by its own.
const EMBER_DECIMALS: u8 = 8;
/// The ticks of both tiers.
const HOME_SPACING: i32 = 10;
const TIER_SPACING: i32 = 60;
/// What one of the second token costs when its pool opens.
pub(crate) const EMBER_PRICE: Usdc = Usdc::whole(200);

/// One hand that sends, mines and checks, step by step.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub(crate) node: &'a mut Node,
    pub(crate) blocks: &'a mut Blocks,
    pub(crate) chain_id: u64,
    /// Seconds from block to block, later.
    pub(crate) block_seconds: u64,
}

/// Observations a pool keeps: what it must remember where every block trades, and no more. Each is a word of storage, and anvil
/// hashes all storage anew for every block: with two thousand a pool that was more than half of what it computed.
fn cardinality(block_seconds: u64) -> u16 {
    let wanted = REMEMBERED_SECONDS.div_ceil(block_seconds.max(1)) + SPARE_OBSERVATIONS;
    u16::try_from(wanted).unwrap_or(u16::MAX)
}

impl Builder<'_> {
    pub(crate) async fn sender(&mut self, account: &FundedAccount) -> Result<Sender, DevnetError> {
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
            let params = (account.address, units(ether, Decimals::ETHER));
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
            pools: Vec::new(),
            multicall3: MULTICALL3,
            create2_deployer: CREATE2_DEPLOYER,
            suite: None,
            maker: None,
        };
        world.suite = Some(self.deploy_suite(by, artifacts, &world, None).await?);
        self.initialise_usdc(accounts, usdc).await?;
        self.open_pool(accounts, &mut world, price).await?;
        let ember = self.deploy_ember(by, accounts, artifacts).await?;
        self.open_beside(accounts, &mut world, ember, price).await?;
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

    /// P-057. A second token with eight decimals: Circle's published code once more, under another name.
    async fn deploy_ember(
        &mut self,
        by: &mut Sender,
        accounts: &Accounts,
        artifacts: &Artifacts,
    ) -> Result<Address, DevnetError> {
        let logic = by.address().create(USDC_LOGIC_NONCE);
        let code = artifacts.creation_code(paths::FIAT_TOKEN_PROXY, &(logic,).abi_encode_params(), &[])?;
        let ember = self.create(by, "deploying the second token", code).await?;
        let mut issuer = self.sender(&accounts.issuer).await?;
        let office = issuer.address();
        let calls = [
            FiatToken::initializeCall {
                tokenName: "Ember".to_owned(),
                tokenSymbol: "EMBR".to_owned(),
                tokenCurrency: "EMBR".to_owned(),
                tokenDecimals: EMBER_DECIMALS,
                newMasterMinter: office,
                newPauser: office,
                newBlacklister: office,
                newOwner: office,
            }
            .abi_encode(),
            FiatToken::configureMinterCall { minter: office, minterAllowedAmount: U256::MAX >> 8 }.abi_encode(),
            FiatToken::mintCall { to: accounts.market.address, amount: units(MARKET_EMBER, ember_decimals()) }
                .abi_encode(),
        ];
        for data in calls {
            self.run(&mut issuer, Call::to("initialising the second token", ember, data)).await?;
        }
        Ok(ember)
    }

    /// P-057. Another fee tier of the pair and the second token's pool, each with a memory and the market's liquidity.
    async fn open_beside(
        &mut self,
        accounts: &Accounts,
        world: &mut World,
        ember: Address,
        price: Usdc,
    ) -> Result<(), DevnetError> {
        let mut market = self.sender(&accounts.market).await?;
        let by = &mut market;
        for spender in [world.position_manager, world.swap_router_02] {
            let data = Erc20::approveCall { spender, value: U256::MAX }.abi_encode();
            self.run(by, Call::to("approving the venue", ember, data)).await?;
        }
        let beside = [
            (TIER_POOL, world.weth, Decimals::ETHER, price, TIER_WETH),
            (EMBER_POOL, ember, ember_decimals(), EMBER_PRICE, EMBER_UNITS),
        ];
        for (name, token, decimals, price, amount) in beside {
            let tier = Tier { token, decimals, fee: TIER_FEE, spacing: TIER_SPACING };
            let address = self.open_tier(by, world, &tier, price).await?;
            let data = mint(world, &tier, by.address(), amount, price);
            self.run(by, Call::to("adding liquidity", world.position_manager, data)).await?;
            let name = name.parse().expect("a pool's name");
            world.pools.push(WorldPool { name, address, token, decimals, fee_ppm: TIER_FEE });
        }
        Ok(())
    }

    /// The pool of a tier at `price`, with a memory of half an hour.
    async fn open_tier(
        &mut self,
        by: &mut Sender,
        world: &World,
        tier: &Tier,
        price: Usdc,
    ) -> Result<Address, DevnetError> {
        let (token0, token1) = tier.order(world);
        let data = Positions::createAndInitializePoolIfNecessaryCall {
            token0,
            token1,
            fee: U24::from(tier.fee),
            sqrtPriceX96: tier.pairing(world).root_price(price),
        };
        let call = Call::to("opening the pool", world.position_manager, data.abi_encode()).with_gas(8_000_000);
        self.run(by, call).await?;
        let pool = pool_at(self.node, world, tier.token, tier.fee).await?;
        let wanted = cardinality(self.block_seconds);
        for step in (1..=wanted.div_ceil(CARDINALITY_STEP)).map(|n| (n * CARDINALITY_STEP).min(wanted)) {
            let data = IUniswapV3Pool::increaseObservationCardinalityNextCall { observationCardinalityNext: step };
            let call = Call::to("growing the pool's memory", pool, data.abi_encode()).with_gas(14_000_000);
            self.run(by, call).await?;
        }
        Ok(pool)
    }

    /// The pool at `price`, with a memory of half an hour and the maker's two positions.
    async fn open_pool(&mut self, accounts: &Accounts, world: &mut World, price: Usdc) -> Result<(), DevnetError> {
        let mut market = self.sender(&accounts.market).await?;
        let by = &mut market;
        let decimals = Decimals::ETHER;
        let tier = Tier { token: world.weth, decimals, fee: POOL_FEE, spacing: HOME_SPACING };
        world.pool = self.open_tier(by, world, &tier, price).await?;
        let name = HOME_POOL.parse().expect("a pool's name");
        world.pools.push(WorldPool { name, address: world.pool, token: world.weth, decimals, fee_ppm: POOL_FEE });
        self.stock_market(by, world).await?;
        for amount in [STAYING_WETH, LEAVING_WETH] {
            self.run(
                by,
                Call::to("adding liquidity", world.position_manager, mint(world, &tier, by.address(), amount, price)),
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
        self.run(by, deposit.with_value(units(MARKET_WETH, Decimals::ETHER))).await?;
        for token in [world.weth, world.usdc] {
            for spender in [world.position_manager, world.swap_router_02] {
                let data = Erc20::approveCall { spender, value: U256::MAX }.abi_encode();
                self.run(by, Call::to("approving the venue", token, data)).await?;
            }
        }
        Ok(())
    }
}

fn ember_decimals() -> Decimals {
    Decimals::new(EMBER_DECIMALS).expect("they are few")
}

/// What the fingerprint of a cached world covers besides artifacts and settings: change it when the build changes.
pub(crate) fn build_recipe() -> Vec<u8> {
    const REVISION: u64 = 6;
    (
        REVISION,
        TIER_WETH,
        EMBER_UNITS,
        u64::from(EMBER_DECIMALS),
        MARKET_EMBER,
        STAYING_WETH,
        LEAVING_WETH,
        MARKET_WETH,
        REMEMBERED_SECONDS,
        SPARE_OBSERVATIONS,
        BUILD_BASE_FEE,
        BUILD_SECONDS,
    )
        .abi_encode()
}
