//! The chain without sending: a Golem on paper has a pretended vault beside the real market.
//!
//! It sees what one on chain sees, its calls are those of [`crate::acts`], and they are refused, counted and told as the
//! contracts would (`paper/vault.rs`, `paper/trading.rs`). What is permitted at a block lands in the next that is looked at,
//! at that block's pool, and takes that block's gas from the key's pretended coin. Nothing is signed and nothing sent.

mod account;
mod gas;
mod life;
mod money;
mod past;
mod trading;
mod vault;
mod world;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use alloy::primitives::{B256, Bytes, U256};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_core::record::{ELSEWHERE, Fill, Inflows, Outcome, OutcomeResult, RefusalClass, Sight};
use golem_ports::{Act, Attempts, Blindness, Chain, ChainError, Errand, Progress};
use golem_primitives::{EffectId, Tick, Usdc};

use crate::acts::{Plan, plan};
use crate::deployment::Deployment;
use crate::drive::{done, first_fees, refused};
use crate::endpoints::Endpoints;
use crate::fill::{fill, pool_at, trade_of, traded};
use crate::inflows::Changes;
use crate::node::{At, Call, Node, Simulation, TxReceipt};
use crate::on_chain::{HandSettings, lock};
use crate::place::{ListedPool, Place, PostingError, find_beside, find_pool};
use crate::preview::{PermitRecord, predict, rehearsed, waits_for_room, with_room, words};
use crate::price::value_of_wei;
use crate::reorg::newest_at_depth;
use crate::rolls::RollSchedule;
use crate::sight::{Believed, sight};
use crate::verify::{confirmed, unless_already, verification};

use account::{Account, Flight, Landed, Verdict};
pub use account::{PaperError, PaperMarket, PaperPool, PaperPurse, PaperToken, PaperView};
pub use past::{PastMarket, PastPool, PastPrice};
use vault::{HOST, KEY, VAULT};
use world::{Needs, RangeEnd, World, look};

/// What it looks at: a chain, or a history that was recorded.
#[derive(Debug)]
enum Market {
    Now(Node),
    Past(Arc<PastMarket>),
}

impl Market {
    async fn head(&self) -> Result<At, Blindness> {
        match self {
            Self::Now(node) => Ok(At::from(node.head().await?)),
            Self::Past(past) => Ok(past.head()),
        }
    }

    async fn block(&self, number: u64) -> Result<Option<At>, Blindness> {
        match self {
            Self::Now(node) => node.block(number).await,
            Self::Past(past) => Ok(past.block(number)),
        }
    }

    async fn look<'a>(&self, place: &'a Place, at: At, needs: &Needs) -> Result<World<'a>, Blindness> {
        match self {
            Self::Now(node) => look(node, place, at, needs).await,
            Self::Past(past) => Ok(past.look(place, at, needs)),
        }
    }
}

/// A hand and an eye on the chain that send nothing.
#[derive(Debug)]
pub struct OnPaper {
    market: Market,
    place: Place,
    settings: HandSettings,
    file: PathBuf,
    account: Mutex<Account>,
}

impl OnPaper {
    /// Sits down before pools of USDC and one token each, with the pretended vault of `file`; `purse` begins one where there is
    /// none yet. P-057: a life trades in the pools it began with.
    pub fn sit_down<'a>(
        endpoints: Endpoints,
        deployment: Deployment,
        home: ListedPool,
        beside: &'a [ListedPool],
        file: &'a Path,
        purse: Option<PaperPurse>,
    ) -> BoxFuture<'a, Result<Self, PaperError>> {
        async move {
            let node = Node::new(endpoints);
            let at = At::from(node.head().await.map_err(PostingError::from)?);
            let place = sit(&node, deployment, home, beside, &at).await?;
            Self::open(Market::Now(node), place, &at, file, purse)
        }
        .boxed()
    }

    /// The same before a market of the past. A life goes on at the row it has seen last.
    pub fn look_back(past: Arc<PastMarket>, file: &Path, purse: Option<PaperPurse>) -> Result<Self, PaperError> {
        let (at, place) = (past.head(), past.place(HOST));
        let paper = Self::open(Market::Past(past.clone()), place, &at, file, purse)?;
        past.go_on_from(lock(&paper.account).block);
        Ok(paper)
    }

    fn open(market: Market, place: Place, at: &At, file: &Path, purse: Option<PaperPurse>) -> Result<Self, PaperError> {
        let settings = HandSettings::default();
        let here = PaperMarket::from(&place);
        let account = match (file.exists(), purse) {
            (true, _) => Account::read(file)?,
            (false, None) => return Err(PaperError::Missing { path: file.to_owned() }),
            (false, Some(purse)) if purse.credits < Usdc::whole(1) => {
                return Err(PaperError::Poor { credits: purse.credits });
            }
            (false, Some(purse)) => {
                let account = Account::begin(here.clone(), purse, at.number, at.time);
                account
                    .keep(file)
                    .map_err(|error| PaperError::Unreadable { path: file.to_owned(), why: error.to_string() })?;
                account
            }
        };
        if !account.market.is(&here) {
            let is_past = matches!(market, Market::Past(_));
            if account.market.chain == 0 || is_past {
                return Err(PaperError::OtherPrices);
            }
            return Err(PaperError::Elsewhere { market: account.market });
        }
        Ok(Self { market, place, settings, file: file.to_owned(), account: Mutex::new(account) })
    }

    /// What its pretended vault shows.
    pub fn view(&self) -> Result<PaperView, PaperError> {
        PaperView::read(&self.file)
    }

    /// Holds a memory against the pretended vault: one that ends before the vault's newest errand is an old copy.
    pub fn reckon(&self, known: Tick) -> Result<(), ChainError> {
        let reported = lock(&self.account).newest;
        if reported > known { Err(ChainError::Outdated { reported, known }) } else { Ok(()) }
    }

    /// The newest block, with everything in it that waited for it.
    fn advance(&self) -> BoxFuture<'_, Result<(Account, World<'_>), ChainError>> {
        async move {
            let at = self.market.head().await?;
            let before = lock(&self.account).clone();
            let mut account = before.clone();
            let waiting = account.flight.clone().filter(|flight| flight.block < at.number);
            let call = waiting.as_ref().map(call_of);
            let world = self.look(at, &account, call.as_ref()).await?;
            if at.number > account.block {
                account.vault.accrue(&world);
                (account.block, account.time) = (at.number, at.time);
            }
            if let (Some(flight), Some(call)) = (waiting, call) {
                account.flight = None;
                land(&mut account, flight, &call, &world, &self.settings);
            }
            if account != before {
                self.keep(&account)?;
            }
            Ok((account, world))
        }
        .boxed()
    }

    async fn look(&self, at: At, account: &Account, call: Option<&Call>) -> Result<World<'_>, Blindness> {
        let ends =
            account.vault.positions.iter().flat_map(|position| {
                [position.lower, position.upper].map(|tick| RangeEnd { pool: position.pool, tick })
            });
        let needs = Needs::of_ends(ends);
        let needs = match call {
            Some(call) => needs.and(call, &self.place),
            None => needs,
        };
        self.market.look(&self.place, at, &needs).await
    }

    fn keep(&self, account: &Account) -> Result<(), ChainError> {
        account.keep(&self.file)?;
        *lock(&self.account) = account.clone();
        Ok(())
    }

    fn step<'a>(&'a self, errand: &'a Errand) -> BoxFuture<'a, Result<Progress, ChainError>> {
        async move {
            let (mut account, world) = self.advance().await?;
            let reading = account.vault.reading(&world);
            if let Some(landed) = account.landed(errand.effect) {
                return Ok(done(errand, Some(landed.cost), self.told(errand, landed, &reading)));
            }
            if matches!(errand.act, Act::DrawFloat { .. }) {
                return Ok(refused(
                    errand,
                    "on paper nothing can be bought, so nothing is drawn to buy with".to_owned(),
                ));
            }
            let rehearses = matches!(errand.act, Act::Rehearse(_));
            // One at a time, as a key sends.
            if account.flight.is_some() && !rehearses {
                return Ok(Progress::Pending);
            }
            let call = match plan(&errand.act, &self.place, &reading) {
                Plan::Already => return Ok(done(errand, None, OutcomeResult::Done)),
                Plan::Never(reason) => return Ok(refused(errand, reason)),
                Plan::Call { to, data } => Call { from: KEY, to, data },
            };
            let world = self.look(world.at, &account, Some(&call)).await?;
            let gas_used = gas::units(&call, &account.vault, &world);
            let simulation = match account.vault.clone().execute(&call, &world) {
                Ok(logs) => Simulation { returned: Bytes::new(), logs: Some(logs), gas_used },
                Err(revert) if !rehearses && waits_for_room(&revert, &reading) => return Ok(Progress::Pending),
                Err(revert) => return Ok(refused(errand, words(&revert))),
            };
            if let Act::Rehearse(order) = &errand.act {
                return Ok(done(errand, None, rehearsed(order, &simulation, &self.place, &reading)));
            }
            let gas_limit = with_room(gas_used);
            if let Err(reason) = first_fees(&self.settings, errand.budget, gas_limit, &reading) {
                return Ok(refused(errand, reason));
            }
            let order = trade_of(errand);
            let prediction = predict(order.as_ref(), &simulation, &self.place, &reading);
            let record = PermitRecord {
                prediction,
                gas_limit,
                ..PermitRecord::recovered(&call, order.as_ref(), &self.place, &reading)
            };
            let (effect, tick, block) = (errand.effect, errand.tick, world.at.number);
            account.flight = Some(Flight { effect, tick, order, to: call.to, data: call.data, block, record });
            account.newest = account.newest.max(tick);
            self.keep(&account)?;
            Ok(Progress::Pending)
        }
        .boxed()
    }

    /// What came of an errand, judged as one on chain is.
    fn told(&self, errand: &Errand, landed: &Landed, reading: &crate::reading::Reading) -> OutcomeResult {
        match &landed.verdict {
            Verdict::Trade(record) => OutcomeResult::Verified(record.clone()),
            Verdict::Said(logs) => confirmed(&errand.act, &self.place, logs),
            Verdict::Reverted(why) => {
                unless_already(&errand.act, &self.place, reading, RefusalClass::Reverted.say(why))
            }
        }
    }
}

fn call_of(flight: &Flight) -> Call {
    Call { from: KEY, to: flight.to, data: flight.data.clone() }
}

/// Lands what waited, in the block of `world`, and pays its gas whether it succeeded or not.
fn land(account: &mut Account, flight: Flight, call: &Call, world: &World<'_>, settings: &HandSettings) {
    let gas_used = gas::units(call, &account.vault, world);
    let price = world.at.base_fee.saturating_add(settings.tip_wei);
    let wei = price.saturating_mul(u128::from(gas_used)).saturating_add(world.parent_wei);
    let tried = account.vault.execute(call, world);
    account.vault.key_wei = account.vault.key_wei.saturating_sub(wei);
    account.vault.gas_wei = account.vault.gas_wei.saturating_add(wei);
    let after = account.vault.reading(world);
    let logs = tried.clone().unwrap_or_default();
    account.note(world.at.number, &logs);
    let native = flight.record.native;
    let verdict = match (flight.order, tried) {
        (Some(order), tried) => {
            let receipt = TxReceipt::pretended(tried.is_ok(), &world.at, gas_used, logs);
            let act = Act::Trade(order);
            let errand = Errand { effect: flight.effect, tick: flight.tick, act, budget: Usdc::ZERO };
            let record = verification(&errand, &order, flight.record, &receipt, world.place, &after);
            Verdict::Trade(Box::new(record))
        }
        (None, Ok(logs)) => Verdict::Said(logs),
        (None, Err(revert)) => Verdict::Reverted(words(&revert)),
    };
    let cost = value_of_wei(wei, native);
    account.land(Landed { effect: flight.effect, tick: flight.tick, block: world.at.number, cost, verdict });
}

/// Its place: the pools it was shown, and the deployment's own to price gas by where the home pool cannot.
async fn sit(
    node: &Node,
    deployment: Deployment,
    home: ListedPool,
    beside: &[ListedPool],
    at: &At,
) -> Result<Place, PostingError> {
    if beside.len() > ELSEWHERE {
        return Err(PostingError::Pools { why: format!("{} pools are named", beside.len()) });
    }
    let pool = find_pool(node, &deployment, home, at).await?;
    let elsewhere = find_beside(node, &deployment, beside, &pool, at).await?;
    let gas_pool = match deployment.pool {
        _ if pool.token == deployment.weth => pool,
        Some(address) => {
            find_pool(node, &deployment, ListedPool { name: deployment.name_of(address), address }, at).await?
        }
        None => pool,
    };
    if gas_pool.token != deployment.weth {
        let (pool, usdc) = (home.address, deployment.usdc);
        return Err(PostingError::NotThePool { pool, usdc, wanted: "wrapped native coin, to price gas by" });
    }
    let (host, order_seconds) = (Some(HOST), HandSettings::default().order_seconds);
    Ok(Place { deployment, vault: VAULT, agent: U256::ZERO, pool, elsewhere, gas_pool, host, order_seconds })
}

/// A store that fails to one that only looks.
fn unseen(error: ChainError) -> Blindness {
    match error {
        ChainError::Blind(blind) => blind,
        other => {
            let source = std::error::Error::source(&other).map_or_else(String::new, |source| format!(": {source}"));
            Blindness { why: format!("{other}{source}") }
        }
    }
}

impl Chain for OnPaper {
    async fn sense(&self) -> Result<Sight, Blindness> {
        let (account, world) = self.advance().await.map_err(unseen)?;
        let reading = account.vault.reading(&world);
        sight(&reading, &self.place, KEY, Believed { life: account.vault.life, order: None })
    }

    async fn roll_block(&self, tick: Tick) -> Result<(u64, B256), Blindness> {
        let head = self.market.head().await?;
        let newest = newest_at_depth(head.number, self.place.deployment.confirmations);
        let pulse = lock(&self.account).vault.pulse;
        let schedule = RollSchedule { tick: Tick::new(pulse.tick), block: pulse.beat_block, stride: pulse.stride };
        let number = schedule.block_of(tick).filter(|number| *number < newest).unwrap_or(newest);
        let block = self.market.block(number).await?;
        let block = block.ok_or_else(|| Blindness { why: format!("block {number} is below the head and missing") })?;
        Ok((number, block.hash))
    }

    async fn drive(&self, errand: &Errand, _attempts: &mut (dyn Attempts + Send)) -> Result<Progress, ChainError> {
        self.step(errand).await
    }

    /// Nobody takes back what nobody sent.
    async fn withdrawn(&self, _attempts: &mut (dyn Attempts + Send)) -> Result<Vec<EffectId>, ChainError> {
        Ok(Vec::new())
    }

    async fn inflows(&self, after: Option<u64>, at: u64) -> Result<Option<Inflows>, Blindness> {
        let account = lock(&self.account);
        let after = after.filter(|after| *after >= account.logs_from);
        let settled_to = at.max(after.unwrap_or(at));
        let behind = after.unwrap_or(settled_to);
        let told = account.logs.iter().filter(|(block, _)| *block > behind && *block <= settled_to);
        let changes = Changes::of(told.map(|(_, log)| log));
        Ok(Some(changes.inflows(at, after, settled_to)))
    }

    async fn fill(
        &self,
        errand: &Errand,
        outcome: &Outcome,
        _attempts: &mut (dyn Attempts + Send),
    ) -> Result<Option<Fill>, ChainError> {
        let Some((order, _)) = traded(errand, outcome) else { return Ok(None) };
        let landed = lock(&self.account).landed(errand.effect).map(|landed| landed.block);
        let Some(block) = landed else { return Ok(None) };
        let before = self.market.block(block.saturating_sub(1)).await?;
        let (Some(at), Some(before)) = (self.market.block(block).await?, before) else { return Ok(None) };
        let venue = self.place.pool_of(order.pool()).unwrap_or(&self.place.pool);
        let seen = match &self.market {
            Market::Now(node) => pool_at(node, self.place.deployment.multicall3, venue, &before).await,
            Market::Past(past) => Some(past.recorded(&before, venue.name)),
        };
        Ok(seen.and_then(|(now, pool)| fill(errand, outcome, &at, venue, now, pool)))
    }
}
