//! Where a Golem may trade: `pools`. What its vault lists bounds it; what its roster says it follows at its next look.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, bail, ensure};
use golem_chain::{ListedPool, Listing, PoolBeside, PoolReport, PoolStay, Roster, Uses, VaultHolding};
use golem_primitives::{Address, PoolName, Usdc};
use golem_view::{ListedPicture, PoolLeaves, PoolLine, PoolListed, PoolPicture, Seconds, Shown as _};

use super::birth::named_pool;
use super::home::{BirthCertificate, Folder};
use super::lists::{ListArguments, NOBODY, lines, words};
use super::subject::{Act, Which};
use crate::screen;

/// V-015. A cost as small as this is written off.
const DUST: Usdc = Usdc::from_micros(10_000);
#[derive(Debug, Subcommand)]
pub(crate) enum PoolsCommand {
    /// Show where it may trade and what it may hold: how deep each pool is, how far it remembers, and what its vault would
    /// refuse it for.
    #[command(after_help = "Example: bardo owner pools list ada")]
    List(ListArguments),
    /// Let it trade in a pool, and hold the token that this pool prices. A living Golem takes it up at its next look, beside at
    /// most two others and its home pool, with the rules of its founding book that name it or no pool. A pool that its vault
    /// would refuse is not listed: one that is too shallow, or forgets too soon.
    #[command(
        after_help = "Example: bardo owner pools add ada ember-3000\nExample: bardo owner pools add ada mine=0x...\n\nA longer memory: cast send POOL \"increaseObservationCardinalityNext(uint16)\" 901"
    )]
    Add(AddPoolArguments),
    /// Let it leave a pool: from its next look on it enters nothing there and sells what it holds there. Nothing is sent; `pools
    /// remove` then takes the pool off its vault's list.
    #[command(after_help = "Example: bardo owner pools leave ada ember-3000")]
    Leave(LeaveArguments),
    /// Let it trade in a pool no longer. Also exits through it are refused then, even in its death: what is held there is sold
    /// first (`pools leave`), or through another pool of its token. Liquidity can still be withdrawn.
    #[command(after_help = "Example: bardo owner pools remove ada ember-3000")]
    Remove(RemovePoolArguments),
}

#[derive(Debug, Args)]
pub(crate) struct AddPoolArguments {
    #[command(flatten)]
    act: Act,
    /// The pool. By an address alone it is listed and not taken up: rules and orders call a pool by its name.
    #[arg(value_name = "NAME|NAME=ADDRESS|ADDRESS")]
    subject: String,
    /// A token it may hold, priced by this pool of it and USDC; the pool's own where it is taken up.
    #[arg(long, value_name = "ADDRESS")]
    token: Option<Address>,
    /// List it although the vault would refuse to trade there.
    #[arg(long)]
    anyway: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LeaveArguments {
    #[command(flatten)]
    which: Which,
    /// The pool.
    #[arg(value_name = "NAME|ADDRESS")]
    subject: String,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RemovePoolArguments {
    #[command(flatten)]
    act: Act,
    /// The pool.
    #[arg(value_name = "NAME|ADDRESS")]
    subject: String,
    /// Take it off the list although what is held there could not be sold then.
    #[arg(long)]
    anyway: bool,
}

impl PoolsCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => show(&arguments).await,
            Self::Add(arguments) => add(&arguments).await,
            Self::Leave(arguments) => leave(&arguments),
            Self::Remove(arguments) => remove(&arguments).await,
        }
    }
}

/// A Golem of this machine with the pools it trades in.
struct Local<'a> {
    folder: &'a Folder,
    birth: &'a BirthCertificate,
    roster: Roster,
}

impl<'a> Local<'a> {
    fn of(folder: &'a Folder, birth: &'a BirthCertificate) -> Result<Self> {
        Ok(Self { folder, birth, roster: folder.roster(birth)? })
    }

    /// A pool it trades in, by name or address: the home pool too.
    fn pool(&self, said: &str) -> Option<ListedPool> {
        let home = ListedPool { name: self.birth.home_pool, address: self.birth.pool };
        let beside = self.roster.pools.iter().map(|pool| ListedPool { name: pool.name, address: pool.address });
        let is_it = |pool: &ListedPool| pool.name.as_str() == said || said.parse() == Ok(pool.address);
        std::iter::once(home).chain(beside).find(is_it)
    }

    fn token(&self, pool: Address) -> Option<Address> {
        if pool == self.birth.pool {
            return Some(self.birth.deployment.weth);
        }
        self.roster.pools.iter().find(|known| known.address == pool).map(|known| known.token)
    }

    /// Whether something is held that could be sold through this pool alone.
    fn holds(&self, pool: Address, held: &[VaultHolding]) -> bool {
        let Some(token) = self.token(pool) else { return false };
        let others = self.roster.current().filter(|known| known.stay == PoolStay::Stays).map(|known| known.address);
        let mut others = others.chain([self.birth.pool]).filter(|known| *known != pool);
        let is_held = |held: &VaultHolding| held.token == token && (held.cost > DUST || held.positions > 0);
        held.iter().any(is_held) && !others.any(|other| self.token(other) == Some(token))
    }

    /// Keeps what was said; it is heard at the next look.
    fn keep(&self) -> Result<()> {
        Ok(self.roster.keep(&self.folder.roster_file())?)
    }

    /// When that is.
    fn when(&self) -> Result<String> {
        Ok(format!("at its next look, within {} seconds while it runs", self.folder.settings()?.tick.as_secs()))
    }
}

async fn add(arguments: &AddPoolArguments) -> Result<ExitCode> {
    let acting = arguments.act.open().await?;
    let deployment = acting.desk.deployment();
    let by_address = arguments.subject.parse::<Address>().ok();
    let known = |address: Address| deployment.pools.iter().find(|(_, known)| **known == address).map(|(name, _)| *name);
    let said = by_address.map_or_else(|| named_pool(deployment, &arguments.subject).map(Some), |_| Ok(None))?;
    let name: Option<PoolName> = said.map(|pool| pool.name).or_else(|| by_address.and_then(known));
    let Some(address) = by_address.or_else(|| said.map(|pool| pool.address)) else { bail!("which pool?") };
    let policy = acting.desk.policy(acting.vault()).await?;
    let report = acting.desk.preflight(address, arguments.token, &policy).await?;
    judge(&report, arguments.anyway)?;
    let local = acting.subject.local.as_ref().map(|(folder, birth)| Local::of(folder, birth)).transpose()?;
    let mut taken_up = None;
    if let (Some(name), Some(mut local)) = (name, local)
        && address != local.birth.pool
    {
        ensure!(name != local.birth.home_pool, "its home pool is called {name}; call this one otherwise: NAME=ADDRESS");
        let held = acting.desk.holdings(acting.vault()).await?;
        let before = Local { roster: local.roster.clone(), ..local };
        let new = PoolBeside { name, address, token: report.token, stay: PoolStay::Stays };
        local.roster.open(new, |pool| before.holds(pool.address, &held))?;
        taken_up = Some(local);
    }
    let mut lines = Vec::new();
    let pool = acting.desk.listing_of(acting.vault(), address).await?;
    if !pool.uses.has(Uses::POOL) {
        lines.push(Listing { uses: pool.uses.and(Uses::POOL), ..pool });
    }
    let token = arguments.token.or_else(|| taken_up.as_ref().map(|_| report.token));
    if let Some(token) = token {
        let is_listed = acting.desk.listing_of(acting.vault(), token).await?.uses.has(Uses::TOKEN);
        // One that is listed keeps the pool that prices it, unless its owner names it.
        lines.extend((!is_listed || arguments.token.is_some()).then(|| Listing::token(token, address)));
    }
    let receipt = match lines.as_slice() {
        [] => None,
        lines => Some(acting.desk.set_listings(acting.vault(), lines, &mut acting.report()).await?),
    };
    let who = &acting.subject.name;
    let words = match &taken_up {
        Some(local) => {
            local.keep()?;
            let name = name.map_or_else(String::new, |name| name.to_string());
            format!(
                "{who} may trade in {address} and takes it up {}: the rules of its founding book that name {name} or no pool \
                 are tried there. Others are proposed with `bardo golem playbook propose {who} FILE`.",
                local.when()?
            )
        }
        None if name.is_none() => format!(
            "{who} may trade in {address}, and does not take it up: say it by a name, `bardo owner pools add {who} \
             NAME={address}`."
        ),
        None if acting.subject.local.is_none() => format!(
            "{who} may trade in {address}. It does not live on this machine: where it does, the same command lets it take the \
             pool up."
        ),
        None => format!("{who} may trade in {address}, its home pool."),
    };
    let about = PoolListed { pool: address, token, report: told(&report) };
    Ok(acting.told(receipt.as_ref(), &words, &about))
}

fn leave(arguments: &LeaveArguments) -> Result<ExitCode> {
    let folder = arguments.which.folder()?;
    let birth = folder.birth()?;
    let mut local = Local::of(&folder, &birth)?;
    let pool = local.pool(&arguments.subject);
    ensure!(
        pool.is_none_or(|pool| pool.address != birth.pool),
        "its home pool cannot be left: what it understands is of that market; `bardo golem kill` ends the life"
    );
    let Some(pool) = pool.filter(|pool| local.roster.leave(pool.name)) else {
        let names: Vec<&str> = local.roster.current().map(|pool| pool.name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        bail!("{} does not trade in {}; beside its home pool it trades in {names}", birth.name, arguments.subject);
    };
    local.keep()?;
    let (who, name) = (&birth.name, pool.name);
    if arguments.json {
        screen::tell(&PoolLeaves { pool: pool.address, name: name.to_string() }.json());
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{who} leaves {name}: {} it enters nothing there and sells what it holds there, as fast as its vault lets it. Then \
         `bardo owner pools remove {who} {name}` takes it off its vault's list.",
        local.when()?
    );
    Ok(ExitCode::SUCCESS)
}

async fn remove(arguments: &RemovePoolArguments) -> Result<ExitCode> {
    let acting = arguments.act.open().await?;
    let who = &acting.subject.name;
    let mut local = acting.subject.local.as_ref().map(|(folder, birth)| Local::of(folder, birth)).transpose()?;
    let pool = local.as_ref().and_then(|local| local.pool(&arguments.subject));
    let address = match (pool, arguments.subject.parse::<Address>()) {
        (Some(pool), _) => pool.address,
        (None, Ok(address)) => address,
        (None, Err(_)) => named_pool(acting.desk.deployment(), &arguments.subject)?.address,
    };
    let before = acting.desk.listing_of(acting.vault(), address).await?;
    let after = Listing { uses: Uses(before.uses.0 & !Uses::POOL.0), ..before };
    ensure!(after != before, "{address} is no pool that {who} may trade in");
    let held = acting.desk.holdings(acting.vault()).await?;
    let is_held = local.as_ref().is_some_and(|local| local.holds(address, &held));
    ensure!(
        !is_held || arguments.anyway,
        "{who} holds what can be sold through {address} alone; off the list its vault would swap nothing through it, not even \
         in its death, and it would go to its owner in kind. `bardo owner pools leave {who} {}` lets it be sold first. Nothing \
         was changed; --anyway takes it off all the same",
        arguments.subject
    );
    let receipt = acting.desk.set_listings(acting.vault(), &[after], &mut acting.report()).await?;
    let mut words = format!("{who} may trade in {address} no more.");
    if let (Some(local), Some(pool)) = (&mut local, pool)
        && local.roster.leave(pool.name)
    {
        local.keep()?;
        words.push_str(&match is_held {
            true => {
                " What it holds there waits until the pool is listed again, or goes to its owner in kind.".to_owned()
            }
            false => format!(" It leaves {} {}.", pool.name, local.when()?),
        });
    }
    Ok(acting.done(&receipt, &words, &ListedPicture { subject: address, uses: after.uses.0 }))
}

/// V-011. Refuses a pool in which its vault would not trade, unless its owner insists; what is wrong is told either way.
fn judge(report: &PoolReport, anyway: bool) -> Result<()> {
    let remedy = report.remedy().unwrap_or_default();
    match &report.refusal {
        Some(refusal) if !anyway && !report.is_fit() => bail!(
            "the vault would refuse {}: {refusal}; {remedy}. Nothing was changed; --anyway lists it all the same",
            report.pool
        ),
        Some(refusal) => eprintln!("{}: {refusal}; {remedy}", report.pool),
        None if !remedy.is_empty() => eprintln!("{}: {remedy}", report.pool),
        None => {}
    }
    Ok(())
}

fn told(report: &PoolReport) -> PoolPicture {
    PoolPicture {
        token: report.token,
        refusal: report.refusal.clone(),
        remedy: report.remedy(),
        depth: report.depth,
        least_depth: report.least_depth,
        covered: Seconds(report.covered_seconds),
        window: Seconds(report.window.into()),
        observations: report.observations,
        observations_next: report.observations_next,
        wanted_observations: report.wanted_observations(),
        forgets: report.can_be_made_to_forget(),
    }
}

/// V-011. Each pool with what it is worth as the source of a price.
async fn show(arguments: &ListArguments) -> Result<ExitCode> {
    let subject = arguments.which.find().await?;
    let lines = lines(&subject, Uses::POOL.and(Uses::TOKEN)).await?;
    let desk = subject.chain.onlooker()?;
    let policy = desk.policy(subject.vault).await?;
    let mut pictures = Vec::new();
    for (address, (uses, priced_by)) in &lines {
        let mut report = None;
        if Uses(*uses).has(Uses::POOL) {
            let priced = lines.iter().find(|(_, (_, priced_by))| priced_by == address).map(|(token, _)| *token);
            report = Some(told(&desk.preflight(*address, priced, &policy).await?));
        }
        pictures.push(PoolLine {
            subject: *address,
            uses: *uses,
            r#for: words(Uses(*uses)),
            priced_by: Some(*priced_by).filter(|pool| !pool.is_zero()),
            report,
        });
    }
    screen::draw_all(arguments.json, "Pools and tokens", &pictures, NOBODY);
    for PoolLine { subject, report, .. } in pictures.iter().filter(|_| !arguments.json) {
        let Some(PoolPicture { refusal, remedy, .. }) = report else { continue };
        if refusal.is_some() || remedy.is_some() {
            let wrong = [refusal, remedy].into_iter().flatten().cloned().collect::<Vec<_>>().join("; ");
            println!("\n{subject}: {wrong}");
        }
    }
    Ok(ExitCode::SUCCESS)
}
