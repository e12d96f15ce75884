//! Which chain is meant, and who signs.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{
    Deployment, DeskPatience, EndpointSettings, Endpoints, ExternalSigner, Keystore, LocalKey, OwnerDesk, Secret,
    Signer,
};
use golem_devnet::{Accounts, Control, DevnetError, Running, running};
use golem_primitives::{Address, UtcTime};
use tokio::task::JoinHandle;

use crate::clerk;

/// The chain.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct ChainChoice {
    /// An RPC endpoint; several may be named, and the healthy ones are used. Left out: the local L2 that runs.
    #[arg(long = "rpc", env = "BARDO_RPC", hide_env_values = true, value_name = "URL", value_delimiter = ',')]
    rpc: Vec<String>,
    /// Addresses of the suite on that chain, as the deploy script writes them.
    #[arg(long, env = "BARDO_DEPLOYMENT", value_name = "FILE", requires = "rpc")]
    deployment: Option<PathBuf>,
    /// Folder of the local L2.
    #[arg(long, env = "BARDO_CHAIN_DIR", default_value = ".bardo/chain", value_name = "DIR")]
    chain_dir: PathBuf,
}

/// A chain that answers and has the suite on it.
#[derive(Debug, Clone)]
pub(crate) struct Connected {
    pub(crate) endpoints: Endpoints,
    pub(crate) deployment: Deployment,
    /// The local L2 behind it, when it is one.
    pub(crate) devnet: Option<Running>,
    bringer: Arc<Mutex<Option<Bringer>>>,
}

/// Brings blocks to a local L2 that waits to be asked, for as long as an owner waits for his transaction.
#[derive(Debug)]
struct Bringer(JoinHandle<()>);

impl Drop for Bringer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Bringer {
    /// A block when something waits for one, and two behind it for its confirmation: how many there are follows from the
    /// transactions and not from the clock, so that equal commands give equal chains.
    fn start(control: Control, endpoints: Endpoints) -> Self {
        const LOOK: Duration = Duration::from_millis(20);
        Self(tokio::spawn(async move {
            let (mut behind, mut seen) = (0, None);
            loop {
                let pool: Result<PoolStatus, _> = endpoints.request("txpool_status", ()).await;
                let waits = pool.is_ok_and(|pool| pool.pending != "0x0");
                // What came between that look and a block is in the block, and wants its confirmation all the same.
                if let Ok(block) = endpoints.request::<_, Newest>("eth_getBlockByNumber", ("latest", true)).await
                    && seen.replace(block.hash.clone()).is_some_and(|last| last != block.hash)
                    && block.has_anybody()
                {
                    behind = CONFIRMING;
                }
                if waits || behind > 0 {
                    match bring(&control).await {
                        Ok(()) => behind = if waits { CONFIRMING } else { behind - 1 },
                        // A busy chain may miss a question; whoever waits for his transaction must not wait for ever.
                        Err(error) => tracing::debug!(%error, "no block came, asking again"),
                    }
                }
                tokio::time::sleep(LOOK).await;
            }
        }))
    }
}

/// One block more than there is.
async fn bring(control: &Control) -> Result<(), DevnetError> {
    let head = control.advance_past(UtcTime::EPOCH).await?;
    control.advance_past(head.time).await.map(drop)
}

/// Blocks behind the one that took a transaction.
const CONFIRMING: u32 = 2;

#[derive(Debug, serde::Deserialize)]
struct Newest {
    hash: String,
    transactions: Vec<Included>,
}

#[derive(Debug, serde::Deserialize)]
struct Included {
    from: Address,
}

impl Newest {
    /// Whether a transaction of somebody else than the market is in it.
    fn has_anybody(&self) -> bool {
        let market = Accounts::default().market.address;
        self.transactions.iter().any(|included| included.from != market)
    }
}

#[derive(Debug, serde::Deserialize)]
struct PoolStatus {
    pending: String,
}

impl ChainChoice {
    /// The same choice as it is said on a command line.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let named = |name: &str, value: &OsStr| {
            let mut word = OsString::from(name);
            word.push(value);
            word
        };
        let rpc = self.rpc.iter().map(|url| named("--rpc=", OsStr::new(url)));
        let deployment = self.deployment.iter().map(|path| named("--deployment=", path.as_os_str()));
        rpc.chain(deployment).chain([named("--chain-dir=", self.chain_dir.as_os_str())]).collect()
    }

    pub(crate) const fn local(chain_dir: PathBuf) -> Self {
        Self { rpc: Vec::new(), deployment: None, chain_dir }
    }

    pub(crate) const fn is_named(&self) -> bool {
        !self.rpc.is_empty()
    }

    /// Takes what was not chosen here from what a Golem was born with.
    pub(crate) fn or(mut self, rpc: &[String], deployment: Option<&PathBuf>) -> Self {
        if self.rpc.is_empty() {
            self.rpc = rpc.to_vec();
            self.deployment = deployment.cloned();
        }
        self
    }

    pub(crate) async fn connect(&self) -> Result<Connected> {
        self.connect_as(None).await
    }

    /// Connects to the chain of a suite that is known already, as from a birth certificate.
    pub(crate) async fn connect_as(&self, known: Option<&Deployment>) -> Result<Connected> {
        let devnet = running(&self.chain_dir).ok();
        let (urls, text) = match (&self.rpc[..], &devnet) {
            ([], Some(devnet)) => (vec![devnet.rpc_url.clone()], serde_json::to_string(devnet).expect("plain data")),
            ([], None) => bail!(
                "no chain to talk to: start a local L2 with `bardo chain up --detach`, or name one with --rpc and --deployment"
            ),
            (urls, _) if self.deployment.is_none() && known.is_some() => (urls.to_vec(), String::new()),
            (urls, _) => (urls.to_vec(), self.deployment_text(devnet.as_ref())?),
        };
        let deployment = match known.filter(|_| text.is_empty()) {
            Some(known) => known.clone(),
            None => Deployment::from_json(&text).wrap_err("the addresses of the suite cannot be read")?,
        };
        let is_local = devnet.as_ref().is_some_and(|devnet| devnet.chain_id == deployment.chain_id);
        // A local L2 has its own calendar.
        let usual = if is_local { EndpointSettings::devnet() } else { EndpointSettings::default() };
        let settings = EndpointSettings { chain_id: Some(deployment.chain_id), ..usual };
        let endpoints = Endpoints::connect(&urls, settings).await.wrap_err("the chain does not answer")?;
        deployment.check(&endpoints).await.wrap_err("the suite on this chain is not the one this program knows")?;
        let devnet = devnet.filter(|_| is_local);
        Ok(Connected { endpoints, deployment, devnet, bringer: Arc::default() })
    }

    fn deployment_text(&self, devnet: Option<&Running>) -> Result<String> {
        match (&self.deployment, devnet) {
            (Some(path), _) => {
                std::fs::read_to_string(path).wrap_err_with(|| format!("cannot read {}", path.display()))
            }
            (None, Some(devnet)) => Ok(serde_json::to_string(devnet).expect("plain data")),
            (None, None) => bail!("--rpc needs --deployment FILE: the addresses of the suite on that chain"),
        }
    }
}

impl Connected {
    /// The way to ask for blocks, on a local L2 alone.
    pub(crate) fn control(&self) -> Option<Control> {
        self.devnet.as_ref().and_then(|devnet| devnet.control).map(Control::There)
    }

    /// A desk that only looks: its wallet is made for the moment and owns nothing.
    pub(crate) fn onlooker(&self) -> Result<OwnerDesk> {
        let nobody = Signer::Local(LocalKey::random()?);
        Ok(OwnerDesk::new(self.endpoints.clone(), nobody, self.deployment.clone())?)
    }

    /// Brings the blocks that bury what an earlier process sent and nobody waits for any more, on a local L2 that waits to be
    /// asked. As many each time, so that equal commands give equal chains.
    pub(crate) async fn bury(&self) -> Result<()> {
        let Some(control) = self.control() else { return Ok(()) };
        for _ in 0..=CONFIRMING {
            bring(&control).await?;
        }
        Ok(())
    }

    /// From here on nobody but a life at its own pace brings blocks.
    pub(crate) fn stop_bringing(&self) {
        self.bringer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// A desk for an owner; while it stands, a local L2 that waits to be asked gets the blocks his transactions need.
    pub(crate) fn desk(&self, signer: Signer) -> Result<OwnerDesk> {
        let desk = OwnerDesk::new(self.endpoints.clone(), signer, self.deployment.clone())?;
        if self.devnet.is_none() {
            return Ok(desk);
        }
        if let Some(control) = self.control() {
            let mut bringer = self.bringer.lock().unwrap_or_else(PoisonError::into_inner);
            bringer.get_or_insert_with(|| Bringer::start(control, self.endpoints.clone()));
        }
        Ok(desk.with_patience(DeskPatience { poll: Duration::from_millis(50), ..DeskPatience::default() }))
    }
}

/// Who signs for the owner.
#[derive(Debug, Clone, Args)]
pub(crate) struct Wallet {
    /// The owner's keystore (Web3 Secret Storage).
    #[arg(long, env = "BARDO_OWNER_KEYSTORE", value_name = "FILE")]
    keystore: Option<PathBuf>,
    /// A file whose first line is the keystore's password; asked for when left out.
    #[arg(long, env = "BARDO_OWNER_PASSWORD_FILE", value_name = "FILE", requires = "keystore")]
    password_file: Option<PathBuf>,
    /// An external signer (web3signer, clef) that holds the owner's key.
    #[arg(
        long,
        env = "BARDO_OWNER_SIGNER",
        hide_env_values = true,
        value_name = "URL",
        conflicts_with = "keystore",
        requires = "owner"
    )]
    signer: Option<String>,
    /// The owner's address, for an external signer.
    #[arg(long, env = "BARDO_OWNER", value_name = "ADDRESS")]
    owner: Option<Address>,
    /// On the local L2: sign as one of its public accounts (owner, guardian, "stranger 1" ...).
    #[arg(long, value_name = "ROLE", conflicts_with_all = ["keystore", "signer"])]
    devnet_account: Option<String>,
}

impl Wallet {
    pub(crate) async fn signer(&self, chain: &Connected) -> Result<Signer> {
        if let Some(wallet) = clerk::wallet() {
            return Ok(wallet);
        }
        if let Some(path) = &self.keystore {
            return Ok(Signer::Local(unlock(path, self.password_file.as_ref(), "the owner's keystore")?));
        }
        if let (Some(url), Some(owner)) = (&self.signer, self.owner) {
            return Ok(Signer::External(ExternalSigner::connect(url, owner).await?));
        }
        ensure!(
            chain.devnet.is_some(),
            "nobody to sign: name a wallet with --keystore FILE, or --signer URL and --owner ADDRESS"
        );
        // The accounts of a local L2 are printed by `bardo chain addresses`: worth nothing elsewhere.
        let role = self.devnet_account.as_deref().unwrap_or("owner");
        let accounts = Accounts::default();
        let known: Vec<&str> = accounts.all().map(|account| account.role.as_str()).collect();
        let Some(account) = accounts.all().find(|account| account.role == role) else {
            bail!("the local L2 has no account {role:?}; it has {}", known.join(", "));
        };
        Ok(Signer::Local(LocalKey::from_hex(&Secret::new(account.key.to_string()))?))
    }
}

/// Opens a keystore with the password of a file, of the environment, or of the person at the terminal.
pub(crate) fn unlock(path: &Path, password_file: Option<&PathBuf>, what: &str) -> Result<LocalKey> {
    let keystore = Keystore::open(path)?;
    let password = password(password_file, &format!("Password of {what} {}: ", path.display()))?;
    Ok(keystore.unlock(&password)?)
}

/// A password, never echoed and never an argument.
pub(crate) fn password(file: Option<&PathBuf>, prompt: &str) -> Result<Secret> {
    if let Some(path) = file {
        let text = std::fs::read_to_string(path)
            .wrap_err_with(|| format!("cannot read the password file {}", path.display()))?;
        return Ok(Secret::new(text.lines().next().unwrap_or_default().to_owned()));
    }
    ensure!(
        clerk::wallet().is_none(),
        "a Golem's own key is sealed with a password: start `bardo web` with --key-password-file FILE"
    );
    ensure!(
        std::io::stdin().is_terminal(),
        "a password is needed and nobody is at the terminal: name a file with --password-file"
    );
    typed(prompt)
}

/// The password of the key that is or will be sealed at `key`. A typing error would lock a new one for ever, so that a
/// person types it twice.
pub(crate) fn key_password(key: &Path, file: Option<&PathBuf>, prompt: &str) -> Result<Secret> {
    let first = password(file, prompt)?;
    ensure!(!first.is_empty(), "the key's password must not be empty");
    if file.is_none() && !key.exists() {
        let again = typed("The same once more: ")?;
        ensure!(again == first, "these were two different passwords; nothing was done");
    }
    Ok(first)
}

fn typed(prompt: &str) -> Result<Secret> {
    eprint!("{prompt}");
    std::io::stderr().flush()?;
    Ok(Secret::new(rpassword::read_password().wrap_err("the password could not be read")?))
}
