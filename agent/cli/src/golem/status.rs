//! `bardo golem status`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_chain::{PaperPool, PaperToken, PaperView};
use golem_core::life::Life;
use golem_core::record::PoolAccess;
use golem_primitives::{Address, AgentId, Denomination, Ppm, UtcTime};
use golem_store::Reader;
use golem_view::words::money;
use golem_view::{
    ChainCredits, ChainPicture, CountsPicture, FeedPicture, HoldingPicture, LifePicture, LifeSummary,
    OpenEffectPicture, PaperGiven, PaperPoolPicture, PaperTokenPicture, PaymentPicture, Picture as _, PositionPicture,
    PurchasesPicture, Seconds, Shown as _, StatusPicture, TokenUnits, TradedPool, Wei, Witness, table_of,
};

use super::connect::Connected;
use super::home::Folder;
use super::look;
use super::subject::Which;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    which: Which,
    /// Everything, by its memory and by the chain, in tables.
    #[arg(long)]
    full: bool,
    /// A JSON object with everything; each number's unit stands in its key.
    #[arg(long)]
    json: bool,
}

/// A Golem as two witnesses tell it. One that does not answer is part of the picture, not the end of it.
struct Seen {
    name: String,
    /// Its id and vault; none on paper.
    born: Option<(AgentId, Address)>,
    memory: Option<Result<Remembered>>,
    chain: Result<ChainPicture>,
    feed: Option<FeedPicture>,
}

impl StatusArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let seen = self.look().await?;
        if self.json {
            screen::tell(&seen.picture().json());
            return Ok(ExitCode::SUCCESS);
        }
        let name = &seen.name;
        match seen.born {
            Some((agent, vault)) => println!("{name} (agent {agent}, vault {vault})\n"),
            None => println!("{name} (on paper: nothing is sent, and nobody is paid)\n"),
        }
        match &seen.memory {
            Some(Ok(here)) => screen::rows(&here.words(name)),
            Some(Err(error)) => println!("  Its memory: {error:#}"),
            None => {}
        }
        let place = if seen.born.is_some() { "chain" } else { "on paper" };
        match &seen.chain {
            Ok(chain) => screen::rows(&chain.summary(name, place)),
            Err(error) => screen::rows(&[vec![place.to_owned(), format!("does not answer: {error:#}")]]),
        }
        if self.full {
            seen.tables();
        } else {
            println!("\nbardo golem status {name} --full shows the rest, bardo golem trades {name} every trade.");
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn look(&self) -> Result<Seen> {
        let local = self.which.home.find_memory(&self.which.golem).ok();
        let memory = local.as_ref().map(Remembered::read);
        if let Some(folder) = local.as_ref().filter(|folder| folder.is_on_paper()) {
            let name = folder.name().to_owned();
            return Ok(Seen { name, born: None, memory, chain: on_paper(folder), feed: None });
        }
        let (name, agent, vault, chain) = match &local {
            Some(folder) => {
                let birth = folder.birth()?;
                let chain = self.which.chain_of(folder, &birth).await;
                (birth.name.clone(), birth.agent, birth.vault, chain)
            }
            None => {
                let subject = self.which.find().await?;
                (subject.name, subject.agent, subject.vault, Ok(subject.chain))
            }
        };
        let chain = match chain {
            Ok(chain) => on_chain(&chain, agent, vault).await,
            Err(error) => Err(error),
        };
        let feed = local.as_ref().and_then(|folder| Some(folder.settings().ok()?.feed?.picture(folder)));
        Ok(Seen { name, born: Some((agent, vault)), memory, chain, feed })
    }
}

impl Seen {
    fn picture(&self) -> StatusPicture {
        StatusPicture {
            golem: self.name.clone(),
            agent: self.born.map(|(agent, _)| agent),
            vault: self.born.map(|(_, vault)| vault),
            paper: self.born.is_none(),
            memory: self.memory.as_ref().map(|memory| Witness::of(memory.as_ref().map(|here| here.picture.clone()))),
            chain: Witness::of(self.chain.as_ref().cloned()),
            feed: self.feed.clone(),
        }
    }

    fn tables(&self) {
        if let Some(Ok(here)) = &self.memory {
            here.tables();
        }
        if let Some(feed) = &self.feed {
            screen::show(&feed.told("Takes and sells over x402"));
        }
        if let Ok(chain) = &self.chain {
            let heading = if self.born.is_some() { "On chain" } else { "On paper" };
            let mut table = chain.table(heading);
            // What a chain, or paper, does not have is not told.
            table.rows.retain(|row| row.last().is_some_and(|words| words != "-"));
            screen::show(&table);
            screen::show_some("The pools it began with", &chain.pools);
            screen::show(&chain.credits.table("Credits in its vault"));
        }
    }
}

/// What its own memory says.
struct Remembered {
    life: Life,
    /// The word that lets it live.
    command: &'static str,
    picture: LifePicture,
}

impl Remembered {
    fn read(folder: &Folder) -> Result<Self> {
        let reader = look::reader(folder)?;
        let life = look::life(&reader)?;
        let holding = look::holding(&reader)?;
        let trader = life.trader();
        let picture = LifePicture {
            grimoire: Some(super::grimoire::one_line(&reader)?),
            holding: trader.map(|trader| holding.picture(trader.ledger())),
            ..remembered(folder, &reader, &life)?
        };
        let command = if folder.is_on_paper() { "paper" } else { "run" };
        Ok(Self { life, command, picture })
    }
    /// The screen a person leaves open.
    fn words(&self, name: &str) -> Vec<Vec<String>> {
        let told = LifeSummary(&self.life);
        let process = self.picture.process.map_or_else(
            || format!("nobody lives it here now: bardo golem {} {name}", self.command),
            |process| format!("process {process} lives it"),
        );
        let standing = if self.life.is_alive() { format!("{}; {process}", told.standing()) } else { told.standing() };
        let mut rows = vec![vec!["is".to_owned(), standing]];
        for (place, has) in told.has().into_iter().enumerate() {
            rows.push(vec![if place == 0 { "has" } else { "" }.to_owned(), has]);
        }
        let pools = self.picture.hand.iter().filter(|hand| hand.pools.len() > 1).flat_map(|hand| &hand.pools);
        rows.extend(pools.map(|pool| vec!["trades in".to_owned(), pool_words(pool)]));
        let positions = self.picture.hand.iter().flat_map(|hand| &hand.positions);
        rows.extend(positions.map(|position| vec!["holds".to_owned(), position_words(position)]));
        rows.extend(told.made().map(|made| vec!["made".to_owned(), made]));
        rows.extend(self.picture.holding.iter().map(|holding| vec!["beside".to_owned(), holding_words(holding)]));
        rows.push(vec!["costs".to_owned(), told.costs()]);
        rows.push(vec!["waits".to_owned(), told.waits(name)]);
        rows.extend(self.picture.succession.iter().map(|words| vec!["succession".to_owned(), words.clone()]));
        rows
    }

    fn tables(&self) {
        let LifePicture { clocks, credits, hand, understanding, purchases, grimoire, open_effects, .. } = &self.picture;
        screen::show(&self.picture.table("By its memory"));
        screen::show(&clocks.table("Its clocks"));
        screen::show(&credits.table("Its credits"));
        if let Some(hand) = hand {
            screen::show(&hand.table("Its hand"));
            screen::show(&hand.profit.table("What it made"));
            if let Some(Witness::Tells(holding)) = &self.picture.holding {
                screen::show(&holding.table("Beside holding the token"));
            }
            screen::show(&table_of("Its pools", &hand.pools));
            screen::show_some("Its liquidity", &hand.positions);
        }
        if let Some(grimoire) = grimoire {
            screen::show(&grimoire.table("What it knows"));
        }
        screen::show_some("What it understands of its market", understanding);
        if let Some(purchases) = purchases {
            screen::show(&purchases.table("Buys data"));
            screen::show_some("Last payments", &purchases.last);
        }
        screen::show_some("On their way", open_effects);
    }
}

/// A life with what lies beside it in its store; what takes its time to find out is left to who needs it.
pub(crate) fn remembered(folder: &Folder, reader: &Reader, life: &Life) -> Result<LifePicture> {
    let counts = reader.counts()?;
    let open = reader.open_effects()?.into_iter().map(|open| OpenEffectPicture {
        effect: open.effect.id.to_string(),
        tick: open.tick,
        kind: look::kind_words(&open.effect.kind),
        budget: open.effect.budget,
    });
    Ok(LifePicture {
        process: look::holder(folder),
        succession: super::orchestrate::standing_words(folder),
        purchases: purchases(life, reader)?,
        open_effects: open.collect(),
        counts: Some(CountsPicture {
            passes: counts.committed,
            events: counts.events,
            transactions: counts.attempts,
            outcomes: counts.outcomes,
        }),
        ..LifePicture::of(life)
    })
}

/// Whether its owner would have done better by doing nothing.
fn holding_words(holding: &Witness<HoldingPicture>) -> String {
    match holding {
        Witness::Fails(why) => format!("holding the token: not known, {why}"),
        Witness::Tells(told) => format!(
            "holding the token, which would have made {}: its capital made {} at the prices of now, {} after everything",
            told.held_made.words(),
            told.marked.words(),
            told.after_everything.words()
        ),
    }
}

/// What is bought, for how much, and the last payments; nothing where no source was named.
fn purchases(life: &Life, reader: &Reader) -> Result<Option<PurchasesPicture>> {
    const SHOWN: u32 = 5;
    let Some(data_purchases) = life.data_purchases() else { return Ok(None) };
    let last = reader.last_payments(SHOWN)?.into_iter().map(|payment| PaymentPicture {
        host: payment.host.to_string(),
        amount: payment.authorisation.amount,
        state: format!("{:?}", payment.state).to_lowercase(),
    });
    Ok(Some(PurchasesPicture {
        sources: data_purchases.offers.sources.iter().map(|offered| offered.name.as_str().to_owned()).collect(),
        spent_today: data_purchases.spent_today(),
        per_day: data_purchases.offers.per_day,
        float: data_purchases.float(),
        on_its_way: data_purchases.is_buying(),
        last: last.collect(),
    }))
}

/// P-057. One of several pools in a line.
fn pool_words(pool: &TradedPool) -> String {
    let price = pool.price.map_or_else(|| "not seen yet".to_owned(), |price| format!("at {}", money(price)));
    let leads = pool.leads.as_ref().map_or_else(|| "nobody leads".to_owned(), |rule| format!("{rule} leads"));
    let shut = pool.access.as_deref().filter(|access| *access != PoolAccess::Open.to_string());
    let shut = shut.map_or_else(String::new, |access| format!(" ({access})"));
    format!("{}{shut} {price}: {} at work, {leads}", pool.pool, money(pool.at_work))
}

fn position_words(position: &PositionPicture) -> String {
    format!(
        "liquidity {} in {}: {} and {}, with {} of fees, between the pool's ticks {} and {}",
        position.id,
        position.pool,
        money(position.worth),
        position.held.words(),
        money(position.fees),
        position.lower_pool_tick,
        position.upper_pool_tick
    )
}

fn paper_pool(pool: &PaperPool) -> PaperPoolPicture {
    let Denomination { symbol, decimals } = pool.denomination;
    PaperPoolPicture {
        name: pool.name.to_string(),
        address: pool.address,
        token: pool.token,
        symbol: symbol.to_string(),
        decimals: decimals.get(),
    }
}

fn paper_token(token: &PaperToken) -> PaperTokenPicture {
    let denomination = token.denomination;
    PaperTokenPicture {
        token: token.token,
        symbol: denomination.symbol.to_string(),
        decimals: denomination.decimals.get(),
        held: TokenUnits { amount: token.held, denomination },
        cost: token.cost,
    }
}

/// What its pretended vault says, in the words of the chain.
pub(crate) fn on_paper(folder: &Folder) -> Result<ChainPicture> {
    let paper = PaperView::read(&folder.paper())?;
    let [llm, gas, data, legacy] = paper.credits.map(|(_, usdc)| usdc);
    Ok(ChainPicture {
        life: paper.life.to_owned(),
        cause: None,
        block: paper.block,
        time: paper.time,
        chain_id: Some(paper.market.chain),
        owner: None,
        bound_owner: None,
        key: None,
        key_gas: Wei(paper.key_wei),
        spent_gas: Some(Wei(paper.gas_wei)),
        host_paid: Some(paper.host_paid),
        given: Some(PaperGiven { credits: paper.given.credits, capital: paper.given.capital }),
        pools: paper.market.pools().map(paper_pool).collect(),
        tokens: paper.tokens.iter().map(paper_token).collect(),
        phase: paper.phase,
        vitality: Ppm::of(paper.vitality_ppm),
        ticks: paper.ticks,
        last_beat: paper.last_beat,
        silent: Seconds(paper.time.since(paper.last_beat).as_secs()),
        noticed: None,
        deadline: paper.deadline,
        testament: None,
        credits: ChainCredits { llm, gas, data, legacy },
        reserve: paper.reserve,
        capital: paper.capital,
        deployed: paper.deployed,
        unallocated: None,
        guardian: None,
        wallet: None,
        x402: None,
        locked_until: None,
        hibernated_until: None,
    })
}

pub(crate) async fn on_chain(chain: &Connected, agent: AgentId, vault: Address) -> Result<ChainPicture> {
    let desk = chain.onlooker()?;
    let golem = desk.golem(agent).await?;
    let books = desk.books(vault).await?;
    let head = chain.endpoints.head().await?;
    let last_beat = UtcTime::from_seconds(golem.lastBeat.saturating_to());
    let purse = desk.purse(golem.key).await?;
    let moment = |seconds: u64| (seconds > 0).then(|| UtcTime::from_seconds(seconds));
    let to_come = |until: Option<UtcTime>| until.filter(|until| *until > head.time);
    let somebody = |address: Address| Some(address).filter(|address| !address.is_zero());
    let [llm, gas, data, legacy] = books.credits;
    Ok(ChainPicture {
        life: golem.life.to_lowercase(),
        cause: Some(golem.cause).filter(|cause| !cause.is_empty()),
        block: head.number,
        time: head.time,
        chain_id: Some(chain.deployment.chain_id),
        owner: somebody(desk.owner_of(agent).await?),
        bound_owner: books.bound_owner,
        key: somebody(golem.key),
        key_gas: Wei(purse.wei),
        spent_gas: None,
        host_paid: None,
        given: None,
        pools: Vec::new(),
        tokens: Vec::new(),
        phase: golem.phase.to_string(),
        vitality: Ppm::of(golem.vitalityPpm.saturating_to()),
        ticks: golem.ticks.saturating_to(),
        last_beat,
        silent: Seconds(head.time.since(last_beat).as_secs()),
        noticed: moment(golem.noticedAt.saturating_to()),
        deadline: moment(golem.dyingDeadline.saturating_to()),
        testament: Some(golem.testamentHash).filter(|hash| !hash.is_zero()),
        credits: ChainCredits { llm, gas, data, legacy },
        reserve: books.reserve,
        capital: books.capital,
        deployed: books.deployed,
        unallocated: Some(books.unallocated),
        guardian: books.guardian,
        wallet: desk.agent_wallet(agent).await?,
        x402: advertised(&desk, agent).await,
        locked_until: to_come(books.locked_until),
        hibernated_until: to_come(books.hibernated_until),
    })
}

/// L-012. Where its registration file says that it takes x402; a file that is kept elsewhere says nothing here.
async fn advertised(desk: &golem_chain::OwnerDesk, agent: AgentId) -> Option<String> {
    golem_x402::advertised(&desk.agent_uri(agent).await.ok()?).ok()?
}
