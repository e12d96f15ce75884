//! The contract suite on the devnet: the same contracts, salts and order as `deploy/SuiteBuilder.sol`.

use std::path::PathBuf;

use alloy::primitives::{Address, B256, Bytes, hex, keccak256};
use alloy::providers::Provider;
use alloy::sol;
use alloy::sol_types::{SolCall, SolValue};
use serde::{Deserialize, Serialize};

use crate::artifacts::{Artifacts, digest_of};
use crate::error::DevnetError;
use crate::sender::{Call, Sender};
use crate::world::{Builder, World, unreadable};

sol! {
    #[sol(rpc)]
    #[derive(Debug)]
    interface ISuiteDeployer {
        function deploy(bytes32 salt, bytes creationCode) external returns (address deployed);
        function addressOf(address by, bytes32 salt) external view returns (address);
    }

    /// The constructor argument of every contract of the suite.
    #[derive(Debug)]
    struct SuiteArguments {
        address identity;
        address lineage;
        address birth;
        address succession;
        address vault;
        address owning;
        address trading;
        address liquidity;
        address death;
        address swapAdapter;
        address positionAdapter;
        address epitaph;
        address usdc;
        address weth;
        address uniswapFactory;
        address positionManager;
    }
}

/// What the salts of a version begin with.
const VERSION: &str = "bardo.1.";
/// Gas for the largest contract of the suite.
const DEPLOY_GAS: u64 = 14_000_000;

/// Where the suite stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// Deploys the others at addresses known beforehand.
    pub suite_deployer: Address,
    /// ERC-8004 identity registry: ours, or the canonical one where the forked chain has it.
    pub identity_registry: Address,
    /// Lives, generations, beats, deaths.
    pub lineage_registry: Address,
    pub birth: Address,
    /// Holds mandates and their escrow.
    pub succession: Address,
    /// The implementation behind every vault.
    pub vault: Address,
    /// Its owner's module.
    pub vault_owner: Address,
    /// Its trading module.
    pub vault_trading: Address,
    /// Its liquidity module.
    pub vault_liquidity: Address,
    /// Its death module.
    pub vault_death: Address,
    /// Swaps on Uniswap V3.
    pub swap_adapter: Address,
    /// Liquidity on Uniswap V3.
    pub position_adapter: Address,
    /// Says in a dead Golem's registration file that it is dead.
    pub epitaph: Address,
}

impl Suite {
    /// Each part by name, for tables.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Address)> {
        [
            ("IdentityRegistry (ERC-8004)", self.identity_registry),
            ("LineageRegistry", self.lineage_registry),
            ("Birth", self.birth),
            ("Succession", self.succession),
            ("Vault (implementation)", self.vault),
            ("VaultOwner", self.vault_owner),
            ("VaultTrading", self.vault_trading),
            ("VaultLiquidity", self.vault_liquidity),
            ("VaultDeath", self.vault_death),
            ("UniswapV3SwapAdapter", self.swap_adapter),
            ("UniswapV3PositionAdapter", self.position_adapter),
            ("Epitaph", self.epitaph),
            ("SuiteDeployer", self.suite_deployer),
        ]
        .into_iter()
    }
}

/// The canonical ERC-8004 identity registry of a public chain (L-010).
pub(crate) fn canonical_identity(chain_id: u64) -> Option<Address> {
    match chain_id {
        8453 => Some(Address::new(hex!("8004A169FB4a3325136EB29fA0ceB6D2e539a432"))),
        84532 => Some(Address::new(hex!("8004A818BFB912233c491871b3d84c89A494BD9e"))),
        _ => None,
    }
}

impl Builder<'_> {
    /// Deploys what of the suite is not there yet, so that a fork of a devnet keeps its own.
    pub(crate) async fn deploy_suite(
        &mut self,
        by: &mut Sender,
        artifacts: &Artifacts,
        world: &World,
        identity: Option<Address>,
    ) -> Result<Suite, DevnetError> {
        let suite_deployer = self.place_suite_deployer(by, artifacts, world).await?;
        let predictor = ISuiteDeployer::new(suite_deployer, self.node.provider().clone());
        let predict = async |name: &str| {
            predictor.addressOf(by.address(), salt(name)).call().await.map_err(unreadable("addressOf"))
        };
        let suite = Suite {
            suite_deployer,
            identity_registry: match identity {
                Some(canonical) => canonical,
                None => predict("IdentityRegistry").await?,
            },
            lineage_registry: predict("LineageRegistry").await?,
            birth: predict("Birth").await?,
            succession: predict("Succession").await?,
            vault: predict("Vault").await?,
            vault_owner: predict("VaultOwner").await?,
            vault_trading: predict("VaultTrading").await?,
            vault_liquidity: predict("VaultLiquidity").await?,
            vault_death: predict("VaultDeath").await?,
            swap_adapter: predict("UniswapV3SwapAdapter").await?,
            position_adapter: predict("UniswapV3PositionAdapter").await?,
            epitaph: predict("Epitaph").await?,
        };
        let arguments = arguments(&suite, world).abi_encode();
        let steps: [(&'static str, Address, &[u8]); 12] = [
            ("IdentityRegistry", suite.identity_registry, &[]),
            ("LineageRegistry", suite.lineage_registry, &arguments),
            ("UniswapV3SwapAdapter", suite.swap_adapter, &arguments),
            ("UniswapV3PositionAdapter", suite.position_adapter, &arguments),
            ("VaultOwner", suite.vault_owner, &arguments),
            ("VaultTrading", suite.vault_trading, &arguments),
            ("VaultLiquidity", suite.vault_liquidity, &arguments),
            ("VaultDeath", suite.vault_death, &arguments),
            ("Vault", suite.vault, &arguments),
            ("Birth", suite.birth, &arguments),
            ("Succession", suite.succession, &arguments),
            ("Epitaph", suite.epitaph, &arguments),
        ];
        for (name, expected, arguments) in steps {
            if self.has_code(expected).await? {
                continue;
            }
            let code = artifacts.suite_code(name, arguments)?;
            let data = ISuiteDeployer::deployCall { salt: salt(name), creationCode: code }.abi_encode();
            self.run(by, Call::to("deploying the suite", suite_deployer, data).with_gas(DEPLOY_GAS)).await?;
            if !self.has_code(expected).await? {
                let detail = format!("{name} does not stand at {expected}");
                return Err(DevnetError::Unreadable { what: "deploying the suite".to_owned(), detail });
            }
        }
        Ok(suite)
    }

    /// The suite's deployer through the CREATE2 deployer, as the script puts it.
    async fn place_suite_deployer(
        &mut self,
        by: &mut Sender,
        artifacts: &Artifacts,
        world: &World,
    ) -> Result<Address, DevnetError> {
        let code = artifacts.suite_code("SuiteDeployer", &[])?;
        let address = world.create2_deployer.create2(B256::ZERO, keccak256(&code));
        if !self.has_code(address).await? {
            let data = [B256::ZERO.as_slice(), &code].concat();
            self.run(by, Call::to("deploying the suite's deployer", world.create2_deployer, data)).await?;
        }
        Ok(address)
    }

    async fn has_code(&mut self, address: Address) -> Result<bool, DevnetError> {
        let code = self.node.provider().get_code_at(address).await.map_err(DevnetError::rpc("eth_getCode"))?;
        Ok(!code.is_empty())
    }
}

fn salt(name: &str) -> B256 {
    keccak256(format!("{VERSION}{name}"))
}

fn arguments(suite: &Suite, world: &World) -> SuiteArguments {
    SuiteArguments {
        identity: suite.identity_registry,
        lineage: suite.lineage_registry,
        birth: suite.birth,
        succession: suite.succession,
        vault: suite.vault,
        owning: suite.vault_owner,
        trading: suite.vault_trading,
        liquidity: suite.vault_liquidity,
        death: suite.vault_death,
        swapAdapter: suite.swap_adapter,
        positionAdapter: suite.position_adapter,
        epitaph: suite.epitaph,
        usdc: world.usdc,
        weth: world.weth,
        uniswapFactory: world.v3_factory,
        positionManager: world.position_manager,
    }
}

/// The contracts whose creation code is read from `contracts/abi`.
const CONTRACTS: [&str; 13] = [
    "SuiteDeployer",
    "IdentityRegistry",
    "LineageRegistry",
    "UniswapV3SwapAdapter",
    "UniswapV3PositionAdapter",
    "VaultOwner",
    "VaultTrading",
    "VaultLiquidity",
    "VaultDeath",
    "Vault",
    "Birth",
    "Succession",
    "Epitaph",
];

impl Artifacts {
    /// Creation code of a contract of the suite, from the committed ABI files.
    fn suite_code(&self, name: &str, arguments: &[u8]) -> Result<Bytes, DevnetError> {
        #[derive(Deserialize)]
        struct AbiFile {
            bytecode: String,
        }
        let unusable = |detail: String| DevnetError::Artifact { path: self.suite_path(name), detail };
        let file: AbiFile =
            serde_json::from_slice(&self.suite_file(name)?).map_err(|error| unusable(error.to_string()))?;
        let mut code = hex::decode(file.bytecode).map_err(|error| unusable(error.to_string()))?;
        code.extend_from_slice(arguments);
        Ok(code.into())
    }

    fn suite_path(&self, name: &str) -> PathBuf {
        self.root().join("contracts/abi").join(format!("{name}.json"))
    }

    fn suite_file(&self, name: &str) -> Result<Vec<u8>, DevnetError> {
        let path = self.suite_path(name);
        std::fs::read(&path).map_err(|error| DevnetError::Artifact { path, detail: error.to_string() })
    }

    /// A hash over the files that the suite's creation code is read from.
    pub(crate) fn suite_fingerprint(&self) -> Result<B256, DevnetError> {
        let mut hashes = Vec::with_capacity(CONTRACTS.len() * 32);
        for name in CONTRACTS {
            hashes.extend_from_slice(digest_of(&self.suite_file(name)?).as_slice());
        }
        Ok(digest_of(&hashes))
    }
}
