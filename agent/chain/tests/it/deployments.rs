//! Whether what stands on a chain is the suite.

use alloy::primitives::Address;
use golem_chain::{Deployment, DeploymentError, EndpointSettings, Endpoints};
use serde_json::json;

use crate::fake_rpc::FakeRpc;
use crate::town::Town;

#[tokio::test(flavor = "multi_thread")]
async fn a_deployment_is_checked_part_by_part() {
    let town = Town::up().await;
    let here = &town.here;
    here.check(&town.endpoints).await.expect("the suite");

    let elsewhere = Deployment { chain_id: 8453, ..here.clone() };
    let error = elsewhere.check(&town.endpoints).await.expect_err("another chain");
    assert!(matches!(error, DeploymentError::WrongChain { expected: 8453, .. }), "{error}");

    let nobody = Address::repeat_byte(0xee);
    let missing = Deployment { succession: nobody, ..here.clone() };
    let error = missing.check(&town.endpoints).await.expect_err("nothing there");
    assert!(matches!(error, DeploymentError::Missing { part: "Succession", address, .. } if address == nobody));
    assert!(error.to_string().contains("bardo chain deploy"), "{error}");

    let swapped = Deployment { birth: here.succession, succession: here.birth, ..here.clone() };
    let error = swapped.check(&town.endpoints).await.expect_err("another version");
    assert!(matches!(error, DeploymentError::OtherVersion { .. }), "{error}");
    // Something that is no part of any suite.
    let foreign = Deployment { lineage: here.weth, ..here.clone() };
    let error = foreign.check(&town.endpoints).await.expect_err("another contract");
    assert!(matches!(error, DeploymentError::OtherVersion { part: "LineageRegistry", .. }), "{error}");
    let coin = Deployment { usdc: here.weth, ..here.clone() };
    assert!(coin.check(&town.endpoints).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deployment_is_read_from_every_kind_of_file() {
    let town = Town::up().await;
    let here = &town.here;
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("763088.json");
    // As `deploy/Deploy.s.sol` writes it.
    let written = json!({
        "chainId": here.chain_id, "block": 0, "deployedBy": Address::ZERO, "suiteDeployer": Address::ZERO,
        "identityRegistry": here.identity, "lineageRegistry": here.lineage, "birth": here.birth,
        "succession": here.succession, "vault": here.vault, "vaultOwner": here.vault_owner,
        "vaultTrading": here.vault_trading, "vaultLiquidity": here.vault_liquidity,
        "vaultDeath": here.vault_death, "swapAdapter": here.swap_adapter, "positionAdapter": here.position_adapter,
        "epitaph": here.epitaph, "usdc": here.usdc, "weth": here.weth, "uniswapFactory": here.uniswap_factory, "positionManager": here.position_manager,
    });
    std::fs::write(&path, written.to_string()).expect("written");
    let read = Deployment::load(&path).expect("read");
    assert_eq!(read, Deployment { quoter: None, pool: None, pools: Default::default(), ..here.clone() });
    read.check(&town.endpoints).await.expect("the same suite");

    let kept = serde_json::to_string(here).expect("plain data");
    assert_eq!(&Deployment::from_json(&kept).expect("read"), here);

    for text in ["", "{}", "[1]", "{\"chainId\": 1}", "{\"world\": {}}"] {
        std::fs::write(&path, text).expect("written");
        let error = Deployment::load(&path).expect_err(text);
        assert!(matches!(&error, DeploymentError::Unreadable { path: told, .. } if *told == path), "{text}: {error}");
    }
    let error = Deployment::load(&dir.path().join("none.json")).expect_err("missing");
    assert!(matches!(error, DeploymentError::File { .. }));
    let mut bare = serde_json::to_value(town.net.devnet.running()).expect("plain data");
    bare["world"]["suite"] = json!(null);
    let error = Deployment::from_json(&bare.to_string()).expect_err("no suite");
    assert!(matches!(error, DeploymentError::NoSuite { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deployment_that_cannot_be_seen_is_not_called_missing() {
    let town = Town::up().await;
    let node = FakeRpc::with_head(5, 0).await;
    let settings = EndpointSettings { rounds: 1, ..EndpointSettings::devnet() };
    let endpoints = Endpoints::connect(std::slice::from_ref(&node.url), settings).await.expect("connected");
    let here = Deployment { chain_id: 7, ..town.here.clone() };
    let error = here.check(&endpoints).await.expect_err("no eth_getCode");
    assert!(matches!(error, DeploymentError::Endpoint(_)), "{error}");
}
