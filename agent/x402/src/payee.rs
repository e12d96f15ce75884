//! The payee: a small server that takes a feed from anyone and sells what the owner allows.
//!
//! Money goes straight to the vault, by a plain EIP-3009 transfer that a facilitator verifies and settles; `sync` then
//! allocates it (V-005). Settlement comes before the good, and one payment header is one sale however often it is shown.

pub(crate) mod a2a;
mod gate;
mod pages;
mod replay;
mod sale;
mod till;
mod wares;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use golem_edge::server::{ServerLimits, serve};
use golem_primitives::Usdc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use gate::Counter;
pub use till::TillError;
pub use wares::{Good, SetOnSale, Taken, Wares};

use crate::fetch::Fetch;
use crate::host::HostError;
use sale::Shop;
use till::Till;

/// What the field's clients pay without being told to pay more. The vault allocates from 1 USDC on (V-005): what is less
/// waits there until more has come.
pub const LEAST_FEED: Usdc = Usdc::from_micros(100_000);
/// The longest answer of a facilitator that is read.
const TILL_BYTES: usize = 64 * 1024;
/// How long a facilitator may take; a settlement waits for its block.
const TILL_PATIENCE: Duration = Duration::from_secs(60);
/// A connection stands as long as the longest settlement takes.
const LIMITS: ServerLimits = ServerLimits { connections: 128, patience: Duration::from_secs(240) };

/// What things cost; `None` is not sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceList {
    /// The least and the most a feed may be.
    pub feed: Option<(Usdc, Usdc)>,
    pub insights: Option<Usdc>,
    pub bundle: Option<Usdc>,
}

impl Default for PriceList {
    fn default() -> Self {
        Self { feed: Some((LEAST_FEED, Usdc::whole(1_000))), insights: None, bundle: None }
    }
}

/// What a payee is opened with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayeeSettings {
    /// Where it listens. Loopback unless the owner says otherwise.
    pub listen: SocketAddr,
    /// What others call it, when that is not where it listens.
    pub public_url: Option<String>,
    /// Who verifies and settles.
    pub facilitator: String,
    /// What is sold, and for how much.
    pub prices: PriceList,
    pub name: String,
    /// Its place in the identity registry, as `eip155:chain:registry/agent`.
    pub agent: Option<String>,
}

impl PayeeSettings {
    /// The defaults: loopback, any feed from 0.10 to 1,000 USDC, nothing sold.
    pub fn new(facilitator: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 4021)),
            public_url: None,
            facilitator: facilitator.into(),
            prices: PriceList::default(),
            name: name.into(),
            agent: None,
        }
    }

    /// What others call it.
    pub fn url(&self) -> Result<String, PayeeError> {
        public_base(self.public_url.as_deref(), self.listen)
    }

    /// Whether a payee can be opened with this, as far as that is known without opening one.
    pub fn check(&self) -> Result<(), PayeeError> {
        check_prices(&self.prices)?;
        self.till()?;
        self.url().map(drop)
    }

    /// Asks the facilitator which versions of the protocol it settles on a chain, whether or not a payee is open.
    ///
    /// # Errors
    /// [`PayeeError::Till`] when it does not answer, [`PayeeError::Unsupported`] when there is none.
    pub async fn settled_versions(&self, chain_id: u64) -> Result<Vec<u64>, PayeeError> {
        settled_versions(&self.till()?, &gate::networks(chain_id)).await
    }

    fn till(&self) -> Result<Till, PayeeError> {
        let fetch =
            Fetch::new(TILL_PATIENCE, TILL_BYTES).map_err(|error| PayeeError::Https { why: error.to_string() })?;
        Till::new(&self.facilitator, fetch).map_err(PayeeError::Facilitator)
    }
}

async fn settled_versions(till: &Till, networks: &[String]) -> Result<Vec<u64>, PayeeError> {
    let versions = till.versions(networks).await?;
    if versions.is_empty() {
        return Err(PayeeError::Unsupported { network: networks.join(", ") });
    }
    Ok(versions)
}

/// Why there is no payee.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PayeeError {
    #[error("cannot listen on {address}: {why}; name another address in `feed.listen`")]
    Listen { address: SocketAddr, why: String },
    #[error("`feed.facilitator` cannot be used")]
    Facilitator(#[source] HostError),
    #[error("{url:?} is no address others could call; write `feed.public_url` as https://host")]
    PublicUrl { url: String },
    #[error("{path} cannot be sold for {price}: {why}; change `feed.prices`")]
    Price { path: &'static str, price: Usdc, why: &'static str },
    #[error("this machine cannot ask over https: {why}")]
    Https { why: String },
    #[error(transparent)]
    Till(#[from] TillError),
    #[error("the facilitator settles no exact payments on {network}; name one that does in `feed.facilitator`")]
    Unsupported { network: String },
}

impl PayeeError {
    /// Whether trying again may help.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::Till(error) => error.may_retry(),
            Self::Listen { .. } => true,
            _ => false,
        }
    }
}

/// An open payee. Dropping it closes the door; a sale that has begun is still settled.
#[derive(Debug)]
pub struct Payee {
    address: SocketAddr,
    shop: Arc<Shop>,
    serving: JoinHandle<()>,
}

impl Payee {
    /// Opens one.
    pub async fn open(settings: PayeeSettings, counter: Counter, wares: Arc<dyn Wares>) -> Result<Self, PayeeError> {
        check_prices(&settings.prices)?;
        let till = settings.till()?;
        let address = settings.listen;
        let refused = |error: std::io::Error| PayeeError::Listen { address, why: error.to_string() };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let base = public_base(settings.public_url.as_deref(), address)?;
        let shop = Arc::new(Shop::new(settings, counter, base, till, wares));
        let serving = tokio::spawn(serve(listener, pages::routes(Arc::clone(&shop)), LIMITS));
        Ok(Self { address, shop, serving })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What others call it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.shop.base
    }

    /// Asks the facilitator which versions of the protocol it settles here.
    ///
    /// # Errors
    /// [`PayeeError::Till`] when it does not answer, [`PayeeError::Unsupported`] when there is none.
    pub async fn check(&self) -> Result<Vec<u64>, PayeeError> {
        settled_versions(&self.shop.till, &gate::networks(self.shop.counter.chain_id)).await
    }
}

impl Drop for Payee {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn check_prices(prices: &PriceList) -> Result<(), PayeeError> {
    let wrong = |good: Good, price, why| Err(PayeeError::Price { path: good.path(), price, why });
    for (good, price) in [(Good::Insights, prices.insights), (Good::Bundle, prices.bundle)] {
        if price == Some(Usdc::ZERO) {
            return wrong(good, Usdc::ZERO, "nothing is given away here");
        }
    }
    match prices.feed {
        Some((least, _)) if least < LEAST_FEED => wrong(Good::Feed, least, "a feed is at least 0.10 USDC"),
        Some((least, most)) if most < least => wrong(Good::Feed, most, "the most is below the least"),
        _ => Ok(()),
    }
}

fn public_base(url: Option<&str>, address: SocketAddr) -> Result<String, PayeeError> {
    let Some(url) = url else { return Ok(format!("http://{address}")) };
    let wrong = || PayeeError::PublicUrl { url: crate::host::short(url) };
    let parsed = reqwest::Url::parse(url).map_err(|_| wrong())?;
    if !matches!(parsed.scheme(), "http" | "https") || parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(wrong());
    }
    Ok(url.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R-034, V-005: prices that cannot be taken are refused when the payee opens, not when somebody pays.
    #[test]
    fn r_034_prices_that_cannot_be_taken_are_refused() {
        let base = PriceList::default();
        for (prices, fits) in [
            (base, true),
            (PriceList { feed: None, ..base }, true),
            (PriceList { insights: Some(Usdc::from_micros(1)), ..base }, true),
            (PriceList { insights: Some(Usdc::ZERO), ..base }, false),
            (PriceList { bundle: Some(Usdc::ZERO), ..base }, false),
            (PriceList { feed: Some((Usdc::from_micros(99_999), Usdc::whole(5))), ..base }, false),
            (PriceList { feed: Some((Usdc::whole(5), Usdc::whole(4))), ..base }, false),
        ] {
            assert_eq!(check_prices(&prices).is_ok(), fits, "{prices:?}");
        }
    }

    #[test]
    fn r_034_what_others_call_it_is_an_address() {
        let here = SocketAddr::from(([127, 0, 0, 1], 7));
        for (url, expected) in [
            (None, Some("http://127.0.0.1:7")),
            (Some("https://golem.example/ada/"), Some("https://golem.example/ada")),
            (Some("golem.example"), None),
            (Some("ftp://golem.example"), None),
            (Some("https://golem.example/?a=1"), None),
        ] {
            assert_eq!(public_base(url, here).ok().as_deref(), expected, "{url:?}");
        }
    }
}
