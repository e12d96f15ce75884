//! A real facilitator for HTTP 402 beside the chain: it verifies, pays the gas and settles, for anyone here.

use std::collections::HashMap;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use alloy::primitives::{Address, Bytes, U256, address};
use alloy::providers::{Provider, RootProvider};
use alloy::rpc::client::RpcClient;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use x402_chain_eip155::chain::config::{Eip155ChainConfig, Eip155ChainConfigInner};
use x402_chain_eip155::chain::{Eip155ChainProvider, Eip155ChainReference, Eip155MetaTransactionProvider};
use x402_chain_eip155::{V1Eip155Exact, V2Eip155Exact};
use x402_facilitator_local::{FacilitatorLocal, handlers};
use x402_types::chain::{ChainId, ChainProviderOps, ChainRegistry, FromConfig};
use x402_types::scheme::{
    SchemeBlueprints, SchemeConfig, SchemeRegistry, X402SchemeFacilitator, X402SchemeFacilitatorBuilder, X402SchemeId,
};

use crate::accounts::FundedAccount;
use crate::devnet::check_chain_id;
use crate::error::DevnetError;

/// Contracts of other payment methods the facilitator insists on. A payment by EIP-3009 of a plain key calls none of
/// them, so that here code which only fails stands there.
const INSISTED_ON: [Address; 3] = [
    address!("0xdAcD51A54883eb67D95FAEb2BBfdC4a9a6BD2a3B"),
    address!("0x000000000022D473030F116dDEE9F6B43aC78BA3"),
    address!("0x402085c248EeA27D92E8b30b2C58ed07f9E20001"),
];
/// The opcode that always fails.
const INVALID: [u8; 1] = [0xfe];
/// How often a receipt is asked for. Seven seconds, the library's own, would answer "not confirmed" to who has paid.
const POLL: Duration = Duration::from_millis(50);
/// How long a receipt is waited for.
const RECEIPT_SECONDS: u64 = 30;

/// A facilitator on the loopback address. It ends when dropped.
#[derive(Debug)]
pub struct Facilitator {
    address: SocketAddr,
    account: FundedAccount,
    serving: JoinHandle<()>,
}

impl Facilitator {
    /// Opens one for the devnet behind `rpc_url`, with an account and gas of its own.
    ///
    /// # Errors
    /// [`DevnetError`] for a public chain, or when the chain or the port refuses.
    pub async fn open(rpc_url: &str) -> Result<Self, DevnetError> {
        Self::open_at(rpc_url, 0).await
    }

    /// The same on a port of one's choice; 0 is any free one.
    ///
    /// # Errors
    /// [`DevnetError`] for a public chain, or when the chain or the port refuses.
    pub fn open_at(rpc_url: &str, port: u16) -> BoxFuture<'_, Result<Self, DevnetError>> {
        async move {
            let url = rpc_url.parse().map_err(|error| unusable(format!("{rpc_url}: {error}")))?;
            let chain = RootProvider::<alloy::network::Ethereum>::new(RpcClient::new_http(url));
            let chain_id = chain.get_chain_id().await.map_err(DevnetError::rpc("eth_chainId"))?;
            check_chain_id(chain_id)?;
            let account = FundedAccount::derive("facilitator");
            prepare(&chain, account.address).await?;
            let registry = registry(rpc_url, chain_id, &account).await.map_err(|error| unusable(error.to_string()))?;
            let routes = handlers::routes().with_state(Arc::new(FacilitatorLocal::new(registry)));
            let refused = |error: std::io::Error| unusable(error.to_string());
            let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(refused)?;
            let address = listener.local_addr().map_err(refused)?;
            let serving = tokio::spawn(async move {
                if let Err(error) = axum::serve(listener, routes).await {
                    tracing::warn!(%error, "the facilitator ended");
                }
            });
            Ok(Self { address, account, serving })
        }
        .boxed()
    }

    /// Where it answers.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Who pays its gas.
    #[must_use]
    pub const fn account(&self) -> &FundedAccount {
        &self.account
    }
}

impl Drop for Facilitator {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn prepare(chain: &RootProvider, account: Address) -> Result<(), DevnetError> {
    for address in INSISTED_ON {
        if chain.get_code_at(address).await.map_err(DevnetError::rpc("eth_getCode"))?.is_empty() {
            let params = (address, Bytes::from_static(&INVALID));
            let set = chain.raw_request::<_, Value>("anvil_setCode".into(), params).await;
            set.map_err(DevnetError::rpc("anvil_setCode"))?;
        }
    }
    let gas = U256::from(10_000) * U256::from(10).pow(U256::from(18));
    let given = chain.raw_request::<_, Value>("anvil_setBalance".into(), (account, gas)).await;
    given.map(drop).map_err(DevnetError::rpc("anvil_setBalance"))
}

async fn registry(rpc_url: &str, chain_id: u64, account: &FundedAccount) -> Result<SchemeRegistry, Box<dyn Error>> {
    let inner: Eip155ChainConfigInner = serde_json::from_value(json!({
        "eip1559": true,
        "flashblocks": false,
        "signers": [account.key],
        "rpc": [{ "http": rpc_url }],
        "receipt_timeout_secs": RECEIPT_SECONDS,
    }))?;
    let config = Eip155ChainConfig { chain_reference: Eip155ChainReference::new(chain_id), inner };
    let provider = Eip155ChainProvider::from_config(&config).await?;
    provider.inner().client().set_poll_interval(POLL);
    let chain = Chain(Arc::new(provider));
    let chains = ChainRegistry::new(HashMap::from([(chain.chain_id(), chain)]));
    let schemes = SchemeBlueprints::new().and_register(Exact(V1Eip155Exact)).and_register(Exact(V2Eip155Exact));
    let wanted: Vec<SchemeConfig> = serde_json::from_value(json!([
        { "id": "v1-eip155-exact", "chains": "eip155:*" },
        { "id": "v2-eip155-exact", "chains": "eip155:*" },
    ]))?;
    Ok(SchemeRegistry::build(chains, schemes, &wanted))
}

fn unusable(detail: String) -> DevnetError {
    DevnetError::Unreadable { what: "opening the facilitator".to_owned(), detail }
}

/// A chain that several schemes share.
struct Chain(Arc<Eip155ChainProvider>);

impl ChainProviderOps for Chain {
    fn signer_addresses(&self) -> Vec<String> {
        self.0.signer_addresses()
    }

    fn chain_id(&self) -> ChainId {
        self.0.chain_id()
    }
}

/// A scheme on a shared chain.
struct Exact<S>(S);

impl<S: X402SchemeId> X402SchemeId for Exact<S> {
    fn x402_version(&self) -> u8 {
        self.0.x402_version()
    }

    fn namespace(&self) -> &str {
        self.0.namespace()
    }

    fn scheme(&self) -> &str {
        self.0.scheme()
    }
}

impl<S: X402SchemeFacilitatorBuilder<Arc<Eip155ChainProvider>>> X402SchemeFacilitatorBuilder<&Chain> for Exact<S> {
    fn build(&self, chain: &Chain, config: Option<Value>) -> Result<Box<dyn X402SchemeFacilitator>, Box<dyn Error>> {
        self.0.build(Arc::clone(&chain.0), config)
    }
}
