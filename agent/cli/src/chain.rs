//! `bardo chain`: the local L2 up, down, and where everything stands.

use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_devnet::market::MarketKind;
use golem_devnet::{
    Accounts, Block, Devnet, DevnetError, DevnetSettings, Facilitator, Fork, FundedAccount, Keeper, Running, is_free,
    running, stop_running,
};
use golem_primitives::UtcTime;
use golem_view::{
    AccountLine, AddressesPicture, AsKept, ContractLine, LocalChainPicture, Picture as _, Seconds, StoppedChain,
    table_of,
};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, MissedTickBehavior};

use crate::golem::pace::wall_clock;
use crate::screen::{self, Progress};

/// How long a detached devnet may take to answer.
const DETACH_LIMIT: Duration = Duration::from_secs(60);

/// How far a chain may be ahead of the clock by which payments for it are signed.
const AHEAD_SECONDS: u64 = 120;

/// Where a devnet keeps its files.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// Folder of the devnet: its lock, log and saved chains.
    #[arg(long, env = "BARDO_CHAIN_DIR", default_value = ".bardo/chain", value_name = "DIR")]
    dir: PathBuf,
}

/// The local L2.
#[derive(Debug, Subcommand)]
pub(crate) enum ChainCommand {
    /// Start a local L2 and let its market live until Ctrl-C (or `bardo chain down`).
    #[command(after_help = "Example: bardo chain up --market volatile --seed 7 --speed 10")]
    Up(UpArguments),
    /// Stop the local L2; the chain is saved for `up --resume`.
    #[command(after_help = "Example: bardo chain down")]
    Down(DownArguments),
    /// Show where everything stands on the running local L2, and who has which key.
    #[command(after_help = "Example: bardo chain addresses --json")]
    Addresses(AddressesArguments),
}

#[derive(Debug, Args)]
pub(crate) struct UpArguments {
    #[command(flatten)]
    place: Place,
    /// Port of the RPC; a free one when left out.
    #[arg(long)]
    port: Option<u16>,
    /// Chain id; ids of public chains are refused, so that a devnet signature is worthless elsewhere.
    #[arg(long)]
    chain_id: Option<u64>,
    /// Seed of the market; equal seeds give equal block hashes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// mixed, trend-up, trend-down, range, volatile, still, or csv:FILE with a `price` column.
    #[arg(long, default_value_t = MarketKind::Mixed)]
    market: MarketKind,
    /// Seconds of chain time between blocks.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    block_seconds: u64,
    /// How many times faster than the wall clock chain time runs.
    #[arg(long, default_value_t = 1.0, value_parser = parse_speed)]
    speed: f64,
    /// Produce blocks only when a Golem that runs at speed asks for them, not by the clock.
    #[arg(long, conflicts_with_all = ["speed", "blocks"])]
    paced: bool,
    /// Time of the first block.
    #[arg(long, value_name = "RFC3339")]
    genesis: Option<UtcTime>,
    /// Start as a fork of the chain at this RPC: another devnet, Base or Base Sepolia.
    #[arg(long, value_name = "URL", conflicts_with_all = ["resume", "genesis"])]
    fork: Option<String>,
    /// The block to fork at; the newest when left out.
    #[arg(long, requires = "fork")]
    fork_block: Option<u64>,
    /// Build the world anew instead of loading a saved one.
    #[arg(long, conflicts_with = "resume")]
    fresh: bool,
    /// Go on where the last devnet of this folder stopped.
    #[arg(long)]
    resume: bool,
    /// Hold a facilitator for HTTP 402 beside it, on this port or on a free one, so that a Golem can be fed and sell
    /// here. Buyers sign by this machine's clock, so the chain's time is brought to it first.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", conflicts_with_all = ["paced", "speed"])]
    facilitator: Option<u16>,
    /// Run in the background; stop it with `bardo chain down`.
    #[arg(long)]
    detach: bool,
    /// Stop after this many blocks.
    #[arg(long, conflicts_with = "detach")]
    blocks: Option<u64>,
    /// One JSON object a block on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DownArguments {
    #[command(flatten)]
    place: Place,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AddressesArguments {
    #[command(flatten)]
    place: Place,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

fn parse_speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed.is_finite() && (0.01..=100_000.0).contains(&speed) => Ok(speed),
        _ => Err("a number from 0.01 to 100000".to_owned()),
    }
}

impl ChainCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Up(arguments) if arguments.detach => detach(&arguments).await,
            Self::Up(arguments) => up(arguments).await,
            Self::Down(arguments) => down(&arguments).await,
            Self::Addresses(arguments) => addresses(&arguments),
        }
    }
}

impl UpArguments {
    fn settings(&self) -> DevnetSettings {
        let mut settings = DevnetSettings::new(&self.place.dir);
        settings.port = self.port;
        settings.chain_id = self.chain_id.unwrap_or(settings.chain_id);
        settings.seed = self.seed;
        settings.market = self.market.clone();
        settings.block_seconds = self.block_seconds;
        settings.genesis = self.genesis.unwrap_or(settings.genesis);
        settings.fork = self.fork.clone().map(|url| Fork { url, block: self.fork_block });
        settings.cache = !self.fresh;
        settings.resume = self.resume;
        settings
    }
}

async fn up(arguments: UpArguments) -> Result<ExitCode> {
    let mut stopping = Stopping::listen()?;
    let progress = Progress::new(arguments.json);
    let mut show = |stage| progress.show(stage);
    let (net, _facilitator) = tokio::select! {
        biased;
        () = stopping.asked() => return Ok(ExitCode::from(130)),
        raised = raise(&arguments, &mut show) => raised?,
    };
    if !arguments.json {
        show_running(&net.running());
        println!("\nStop with Ctrl-C, or `bardo chain down` from another terminal.\n");
    }
    let mut keeper = Keeper::open(net).await?;
    let outcome = live(&mut keeper, &arguments, &mut stopping).await;
    let mut net = keeper.close();
    if !arguments.json {
        screen::end_line();
    }
    // A fork hangs on the chain it came from, so only a chain of our own can be taken up again.
    let saved = if outcome.is_ok() && arguments.fork.is_none() { net.save().await } else { Ok(()) };
    net.stop().await?;
    outcome?;
    saved?;
    Ok(ExitCode::SUCCESS)
}

/// Starts the chain, and a facilitator beside it when one is wanted; it ends when dropped.
async fn raise(
    arguments: &UpArguments,
    show: &mut dyn FnMut(golem_devnet::StartStage),
) -> Result<(Devnet, Option<Facilitator>)> {
    let mut net = Devnet::up(arguments.settings(), show).await?;
    let Some(port) = arguments.facilitator else { return Ok((net, None)) };
    let clock = wall_clock();
    let ahead = net.catch_up(clock).await?.seconds().saturating_sub(clock.seconds());
    ensure!(
        ahead < AHEAD_SECONDS,
        "this chain is {ahead} s ahead of the clock, so that no payment would be valid on it; leave --resume out"
    );
    let facilitator = Facilitator::open_at(net.rpc_url(), port).await?;
    net.announce_facilitator(facilitator.url())?;
    Ok((net, Some(facilitator)))
}

/// Produces blocks at the pace asked for, and for those who ask, until told to stop.
async fn live(keeper: &mut Keeper, arguments: &UpArguments, stopping: &mut Stopping) -> Result<(), DevnetError> {
    let mut pace = tokio::time::interval(Duration::from_secs_f64(arguments.block_seconds as f64 / arguments.speed));
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut left = arguments.blocks.unwrap_or(u64::MAX);
    let mut saves = arguments.fork.is_none().then(Saves::begin);
    while left > 0 {
        tokio::select! {
            biased;
            () = stopping.asked() => break,
            request = keeper.next() => {
                if let Some(block) = keeper.answer(request).await? {
                    show_block(&block, arguments.json);
                    if let Some(saves) = &mut saves {
                        saves.after(block.number, keeper.net()).await;
                    }
                }
                continue;
            }
            _ = pace.tick(), if !arguments.paced => {}
        }
        let block = keeper.net().advance().await?;
        left -= 1;
        show_block(&block, arguments.json);
        if let Some(saves) = &mut saves {
            saves.after(block.number, keeper.net()).await;
        }
    }
    Ok(())
}

/// A chain that is killed outright goes on from where it was last saved: now and then, and so seldom that saving, which
/// takes longer the longer the chain is, costs it a twentieth of its time at most.
struct Saves {
    last: Instant,
    took: Duration,
    /// The block of the last one; of a chain that has just begun its first.
    block: Option<u64>,
}

impl Saves {
    /// The fewest blocks between two.
    const BLOCKS: u64 = 30;
    const SHARE: u32 = 20;

    fn begin() -> Self {
        Self { last: Instant::now(), took: Duration::ZERO, block: None }
    }

    async fn after(&mut self, block: u64, net: &mut Devnet) {
        let since = block.saturating_sub(*self.block.get_or_insert(block));
        if since < Self::BLOCKS || self.last.elapsed() < self.took * Self::SHARE {
            return;
        }
        let began = Instant::now();
        // A full disk is no reason to end a chain; one whose anvil died says so with its next block.
        if let Err(error) = net.save().await {
            eprintln!("the chain was not saved: {error}");
        }
        (self.last, self.took, self.block) = (Instant::now(), began.elapsed(), Some(block));
    }
}

fn show_block(block: &Block, json: bool) {
    if json {
        println!("{}", serde_json::to_string(block).expect("plain data"));
    } else {
        screen::redraw(&screen::block_line(block));
    }
}

/// Ctrl-C, or a request to end.
pub(crate) struct Stopping {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Stopping {
    pub(crate) fn listen() -> Result<Self> {
        let open = |kind| signal(kind).wrap_err("cannot listen for signals");
        Ok(Self { interrupt: open(SignalKind::interrupt())?, terminate: open(SignalKind::terminate())? })
    }

    pub(crate) async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Starts the same command in the background and waits until it answers.
async fn detach(arguments: &UpArguments) -> Result<ExitCode> {
    let dir = &arguments.place.dir;
    // Whoever runs already would be taken for the one that was started.
    is_free(&arguments.settings())?;
    std::fs::create_dir_all(dir).wrap_err_with(|| format!("cannot make the folder {}", dir.display()))?;
    let log_path = dir.join("chain.log");
    let log = std::fs::File::create(&log_path).wrap_err_with(|| format!("cannot write {}", log_path.display()))?;
    let mut own: Vec<_> = std::env::args_os().skip(1).filter(|argument| argument != "--detach").collect();
    if !arguments.json {
        own.push("--json".into());
    }
    let mut child = tokio::process::Command::new(std::env::current_exe().wrap_err("cannot find this program")?)
        .args(own)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .process_group(0)
        .spawn()
        .wrap_err("cannot start in the background")?;
    let deadline = Instant::now() + DETACH_LIMIT;
    loop {
        if let Some(status) = child.try_wait().wrap_err("cannot watch the background process")? {
            let said = std::fs::read_to_string(&log_path).unwrap_or_default();
            bail!("the devnet ended at once ({status}):\n{}", said.trim());
        }
        let is_whole = |running: &Running| arguments.facilitator.is_none() || running.facilitator.is_some();
        if let Some(running) = running(dir).ok().filter(is_whole) {
            return Ok(screen::draw_by(arguments.json, &AsKept::of(&running), |_| {
                show_running(&running);
                println!("\nStop with `bardo chain down`.");
            }));
        }
        ensure!(
            Instant::now() < deadline,
            "the devnet did not answer within {DETACH_LIMIT:?}; see {}",
            log_path.display()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn down(arguments: &DownArguments) -> Result<ExitCode> {
    let pid = stop_running(&arguments.place.dir).await?;
    let words = format!("Stopped (process {pid}). Go on later with `bardo chain up --resume` and the same settings.");
    Ok(screen::done(arguments.json, &StoppedChain { stopped_pid: pid }, &words))
}

fn addresses(arguments: &AddressesArguments) -> Result<ExitCode> {
    let running = running(&arguments.place.dir)?;
    let line = |account: &FundedAccount| AccountLine {
        role: account.role.clone(),
        address: account.address,
        key: account.key.to_string(),
    };
    let accounts = Accounts::default().all().map(line).collect();
    let picture = AddressesPicture { chain: AsKept::of(&running), accounts };
    Ok(screen::draw_by(arguments.json, &picture, |picture| {
        show_running(&running);
        screen::show(&table_of("Accounts (devnet keys: public, worthless elsewhere)", &picture.accounts));
    }))
}

/// The chain and its parts as tables.
pub(crate) fn show_running(running: &Running) {
    let chain = LocalChainPicture {
        rpc_url: running.rpc_url.clone(),
        chain_id: running.chain_id,
        market: running.market.clone(),
        seed: running.seed,
        block: Seconds(running.block_seconds),
        facilitator: running.facilitator.clone(),
    };
    screen::show(&chain.known("Local L2"));
    let parts: Vec<_> = running.world.parts().map(|(name, address)| ContractLine { name, address }).collect();
    screen::show(&table_of("Contracts", &parts));
}
