//! From a plan to a folder that holds a Golem.

use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{
    BirthPlan, Born, Deployment, DeskProgress, Keystore, ListedPool, Listing, LocalKey, OwnerDesk, PasswordStrength,
    Policy, PoolBeside, PoolStay, Signer,
};
use golem_core::life::Life;
use golem_core::record::ELSEWHERE;
use golem_core::trader::Foundation;
use golem_mortality::config::Hosting;
use golem_primitives::{Address, AgentId, LineageId, PoolName, Usdc, UtcTime};
use golem_store::SqliteStore;
use serde::{Deserialize, Serialize};

use super::book::BookText;
use super::connect::Connected;
use super::heirship::{Heirship, space};
use super::home::{BirthCertificate, Folder};
use super::identity;
use super::lists::PAYEE;
use super::settings::Settings;

/// Everything a birth needs, whoever asks for it.
#[derive(Debug)]
pub(crate) struct BirthRequest {
    pub(crate) name: String,
    pub(crate) credits: Usdc,
    pub(crate) capital: Usdc,
    pub(crate) guardian: Option<Address>,
    pub(crate) pool: Address,
    /// P-057. The pools it trades in beside it.
    pub(crate) elsewhere: Vec<PoolBeside>,
    pub(crate) host: Option<Address>,
    pub(crate) gas_wei: u128,
    pub(crate) key_password: golem_chain::Secret,
    pub(crate) strength: PasswordStrength,
    /// A key of one's own; a new one is drawn when left out.
    pub(crate) key: Option<LocalKey>,
    /// P-009. The book it is founded on.
    pub(crate) book: BookText,
    pub(crate) heir: Option<Heirship>,
    /// L-014. Whether its registration file may say by itself that it is dead.
    pub(crate) epitaph: bool,
}

impl BirthRequest {
    /// Its key: given, or made by an earlier try, or made now.
    pub(super) fn own_key(&self, folder: &Folder) -> Result<LocalKey> {
        own_key(folder, self.key.as_ref(), &self.key_password, self.strength)
    }
}

/// Where a key is worth nothing it is sealed lightly: scrypt at its full strength takes a second and 256 MiB.
pub(crate) fn strength(chain: &Connected) -> PasswordStrength {
    if chain.devnet.is_some() { PasswordStrength::Test } else { PasswordStrength::default() }
}

/// L-004. The birth of an earlier try that was cut off before its certificate was written.
pub(super) async fn earlier_birth(
    folder: &Folder,
    chain: &Connected,
    desk: &OwnerDesk,
    request: &BirthRequest,
) -> Result<Option<Born>> {
    let key = request.own_key(folder)?;
    chain.bury().await?;
    let found = desk.find_birth(&plan(request, chain, desk, key.address())).await?;
    if let Some(born) = &found {
        eprintln!("{} was born already, in block {}; its folder is finished now", request.name, born.receipt.block);
    }
    Ok(found)
}

/// Makes the key, gives birth or takes the birth of an earlier try, writes the certificate and the first page of the
/// life; then links the key and lets its epitaph be written, without which it lives too. A birth that fails leaves a sealed
/// key and settings and nothing else; the same command then starts over.
pub(crate) async fn give_birth(
    folder: &Folder,
    chain: &Connected,
    desk: &OwnerDesk,
    request: BirthRequest,
    earlier: Option<Born>,
    settings: &Settings,
    report: &mut (dyn FnMut(DeskProgress) + Send),
) -> Result<BirthCertificate> {
    let key = request.own_key(folder)?;
    let epitaph = request.epitaph;
    let plan = plan(&request, chain, desk, key.address());
    let born = match earlier {
        Some(born) => born,
        None => desk.birth(&plan, report).await?,
    };
    let born = Newborn { key: key.address(), owner: desk.address(), ..Newborn::of(&born) };
    let birth = finish_birth(folder, chain, desk, request, born, settings, report).await?;
    identity::introduce(desk, chain, &birth, &Signer::Local(key), epitaph, report).await;
    Ok(birth)
}

/// What the chain said of a birth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Newborn {
    pub(crate) agent: AgentId,
    pub(crate) lineage: LineageId,
    pub(crate) generation: u64,
    pub(crate) vault: Address,
    pub(crate) key: Address,
    pub(crate) owner: Address,
    pub(crate) credits: Usdc,
    pub(crate) capital: Usdc,
    pub(crate) block: u64,
}

impl Newborn {
    pub(crate) const fn of(born: &Born) -> Self {
        Self {
            agent: born.agent,
            lineage: born.lineage,
            generation: born.generation,
            vault: born.vault,
            key: born.key,
            owner: born.owner,
            credits: born.credits,
            capital: born.capital,
            block: born.receipt.block,
        }
    }
}

/// Makes a folder a Golem once the chain has one: the first page of the life, what it inherits, the certificate, gas.
pub(crate) async fn finish_birth(
    folder: &Folder,
    chain: &Connected,
    desk: &OwnerDesk,
    request: BirthRequest,
    born: Newborn,
    settings: &Settings,
    report: &mut (dyn FnMut(DeskProgress) + Send),
) -> Result<BirthCertificate> {
    let time = block_time(chain, born.block).await?;
    let birth = BirthCertificate {
        name: request.name.clone(),
        agent: born.agent,
        lineage: born.lineage,
        generation: born.generation,
        vault: born.vault,
        key: born.key,
        owner: born.owner,
        pool: request.pool,
        home_pool: chain.deployment.name_of(request.pool),
        elsewhere: request.elsewhere.clone(),
        host: request.host,
        born: time,
        block: born.block,
        credits: born.credits,
        capital: born.capital,
        deployment: chain.deployment.clone(),
    };
    let foundation = Foundation {
        line: request.heir.as_ref().map(Heirship::line).unwrap_or_default(),
        home: birth.home_pool,
        elsewhere: birth.elsewhere.iter().take(ELSEWHERE).map(|beside| beside.name).collect(),
        ..request.book.clone().foundation(settings.founding)
    };
    let law = settings.law.law(Hosting::Hosted).wrap_err("the law of golem.toml is none")?.on_chain();
    let life = Life::birth(birth.golem(), law, birth.credits, 0, time)?.with_trader(settings.trader, foundation);
    let mut store = if folder.store().exists() {
        // Of an earlier try; a memory of somebody else is refused.
        SqliteStore::open(&folder.store(), Some(&birth.golem()))?
    } else {
        SqliteStore::create(&folder.store(), &birth.golem(), &life)?
    };
    if let Some(heir) = &request.heir {
        let space = space(heir.left.as_ref().filter(|_| heir.takes_genome), &request.book.book, settings).await;
        heir.take_over(&mut store, &birth, &space)?;
    }
    drop(store);
    // A folder with a certificate is a whole Golem; gas for its key can also be sent later.
    folder.certify(&birth)?;
    fuel(desk, birth.key, request.gas_wei, report)
        .await
        .wrap_err("it is born, but its key got no gas: send some with `bardo golem fund NAME --gas`")?;
    Ok(birth)
}

/// Lets a key have as much native coin; what it has already is not sent again.
pub(crate) async fn fuel(
    desk: &OwnerDesk,
    key: Address,
    wei: u128,
    report: &mut (dyn FnMut(DeskProgress) + Send),
) -> Result<()> {
    let missing = wei.saturating_sub(desk.purse(key).await?.wei);
    if missing > 0 {
        desk.send_gas(key, missing, report).await?;
    }
    Ok(())
}

/// Its key: given, or made by an earlier try, or made now.
pub(super) fn own_key(
    folder: &Folder,
    given: Option<&LocalKey>,
    password: &golem_chain::Secret,
    strength: PasswordStrength,
) -> Result<LocalKey> {
    std::fs::create_dir_all(folder.path()).wrap_err_with(|| format!("cannot make {}", folder.path().display()))?;
    Ok(match given {
        _ if folder.key().exists() => Keystore::open(&folder.key())?.unlock(password)?,
        Some(key) => {
            Keystore::store(&folder.key(), key, password, strength)?;
            key.clone()
        }
        None => Keystore::create(&folder.key(), password, strength)?.1,
    })
}

pub(super) fn plan(request: &BirthRequest, chain: &Connected, desk: &OwnerDesk, key: Address) -> BirthPlan {
    BirthPlan {
        guardian: request.guardian,
        listings: listings(request.pool, &request.elsewhere, request.host, &chain.deployment),
        capital: request.capital,
        predecessor: request.heir.as_ref().map(|heir| heir.predecessor),
        playbook_digest: request.book.digest(&request.name, request.heir.as_ref().map(|heir| heir.predecessor)),
        ..BirthPlan::new(desk.address(), key, request.name.clone(), request.credits)
    }
}

/// V-011. Refuses a pool in which the newborn could not trade, before money moves: what is no pool, too shallow, or forgets.
/// What only time mends is told, and is no refusal.
pub(super) async fn require_pool(desk: &OwnerDesk, pool: Address, quiet: bool) -> Result<()> {
    let report = desk.preflight(pool, Some(desk.deployment().weth), &Policy::default()).await?;
    let remedy = report.remedy().unwrap_or_default();
    ensure!(
        report.is_fit(),
        "the pool {pool} is refused: {}; {remedy}. Nothing was sent; --pool ADDRESS names another",
        report.refusal.unwrap_or_default()
    );
    if !remedy.is_empty() && !quiet {
        eprintln!("the pool {pool}: {remedy}");
    }
    Ok(())
}

/// P-057, V-011, V-006. What an owner's lists hold at birth: the pools and what may be held by way of them, each token priced by
/// the first pool that trades it, and the host for what it may be paid from.
pub(super) fn listings(
    home: Address,
    elsewhere: &[PoolBeside],
    host: Option<Address>,
    deployment: &Deployment,
) -> Vec<Listing> {
    let mut listings = vec![Listing::pool(home), Listing::token(deployment.weth, home)];
    let mut tokens = vec![deployment.weth];
    for beside in elsewhere {
        listings.push(Listing::pool(beside.address));
        if !tokens.contains(&beside.token) {
            tokens.push(beside.token);
            listings.push(Listing::token(beside.token, beside.address));
        }
    }
    listings.extend(host.map(|host| Listing::payee(host, PAYEE)));
    listings
}

/// P-057. A pool as a person says it: by a name the deployment knows, or by a name and its address.
pub(super) fn named_pool(deployment: &Deployment, said: &str) -> Result<ListedPool> {
    if let Some((name, address)) = said.split_once('=') {
        let address = address.parse().wrap_err_with(|| format!("{address} is no address of a pool"))?;
        return Ok(ListedPool { name: name.parse()?, address });
    }
    let name: PoolName = said.parse()?;
    let known: Vec<&str> = deployment.pools.keys().map(PoolName::as_str).collect();
    let Some(address) = deployment.pools.get(&name) else {
        bail!(
            "this deployment knows no pool {name}; it knows {}; any other is named NAME=ADDRESS",
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        );
    };
    Ok(ListedPool { name, address: *address })
}

/// P-057. A pool that is named beside the home pool. One in which nobody could trade is refused before money moves.
pub(super) async fn pool_beside(desk: &OwnerDesk, said: &str) -> Result<PoolBeside> {
    let ListedPool { name, address } = named_pool(desk.deployment(), said)?;
    let report = desk.preflight(address, None, &Policy::default()).await?;
    ensure!(
        report.is_fit(),
        "the pool {name} is refused: {}; {}. Nothing was sent",
        report.refusal.clone().unwrap_or_default(),
        report.remedy().unwrap_or_default()
    );
    Ok(PoolBeside { name, address, token: report.token, stay: PoolStay::Stays })
}

async fn block_time(chain: &Connected, number: u64) -> Result<UtcTime> {
    #[derive(Debug, serde::Deserialize)]
    struct Block {
        timestamp: String,
    }
    let block: Option<Block> =
        chain.endpoints.request("eth_getBlockByNumber", serde_json::json!([format!("{number:#x}"), false])).await?;
    let text = block.map(|block| block.timestamp).unwrap_or_default();
    let seconds = u64::from_str_radix(text.trim_start_matches("0x"), 16).wrap_err("the birth's block has no time")?;
    Ok(UtcTime::from_seconds(seconds))
}
