//! `bardo golem run`.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Args;
use eyre::{Result, ensure};
use golem_chain::{ExternalSigner, Signer};
use golem_core::life::Body;
use golem_ports::{ChainError, StoreError};
use golem_primitives::UtcTime;
use golem_runtime::{Ended, Fleet, GolemStanding, Remedy, RuntimeError};
use golem_tui::ScreenRequest;
use golem_view::LifeSummary;
use tokio::sync::{broadcast, watch};
use tokio::task::{JoinHandle, JoinSet};

use super::bundle::layers;
use super::connect::{ChainChoice, Connected, Wallet, unlock};
use super::home::{BirthCertificate, Folder, Home};
use super::launch::{Launched, is_unanswered, remedy};
use super::orchestrate::RunArguments as SuccessionRun;
use super::pace::{Pace, wall_clock};
use super::settings::Settings;
use super::subject::Which;
use super::watch::{self as watch_life, Session, Stage};
use super::{identity, library, look, metrics, testament};
use crate::alerts::{Courier, Filter, Kind, Whom, alert};
use crate::chain::Stopping;
use crate::relay::{Begun as RelayBegun, embed};
use crate::screen;
use crate::watchdog::{Bounds, Sighted};
use start::{Chains, Shared, Start};

mod start;
mod voice;

pub(crate) use voice::tell;

/// Native coin for the key of a successor that is born by itself.
const HEIR_GAS_WEI: u128 = 2_000_000_000_000_000;
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArguments {
    /// Which Golems: names, agent ids or vaults.
    #[arg(required_unless_present = "all")]
    golems: Vec<String>,
    /// Every Golem of this machine.
    #[arg(long, conflicts_with = "golems")]
    all: bool,
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// An external signer (web3signer, clef) that holds the Golems' keys; no key is on this machine then.
    #[arg(
        long,
        env = "BARDO_KEY_SIGNER",
        hide_env_values = true,
        value_name = "URL",
        conflicts_with = "key_password_file"
    )]
    key_signer: Option<String>,
    /// A file whose first line is the password of the Golems' keys; asked for when left out.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// Live this many times faster than the clock; the local L2 then advances its time for each tick. No other chain can
    /// be lived at a speed other than 1.
    #[arg(long)]
    speed: Option<f64>,
    /// Stop when each has lived this many ticks.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// Who brings a successor about where succession.auto is set and a mandate stands: its executor's wallet.
    #[command(flatten)]
    wallet: Wallet,
    /// Serve Prometheus metrics there.
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Carry words between the Golems of this home: a relay listens there for as long as they live.
    #[arg(long, value_name = "ADDRESS", requires = "all")]
    relay: Option<SocketAddr>,
    /// One JSON object for each event on standard output.
    #[arg(long)]
    json: bool,
    /// Lines instead of the screen that one Golem has at a terminal (`bardo golem watch`).
    #[arg(long, conflicts_with = "json")]
    plain: bool,
}

impl RunArguments {
    /// Who signs for a Golem: its sealed key, or a signer elsewhere.
    async fn key(&self, folder: &Folder, birth: &BirthCertificate) -> Result<Signer> {
        Ok(match &self.key_signer {
            Some(url) => Signer::External(ExternalSigner::connect(url, birth.key).await?),
            None => Signer::Local(unlock(&folder.key(), self.key_password_file.as_ref(), "the Golem's key")?),
        })
    }

    /// The relay of this home, where one is asked for.
    async fn embed_relay(&self, folders: &[Folder]) -> Result<Option<RelayBegun>> {
        let (Some(listen), Some(first)) = (self.relay, folders.first()) else { return Ok(None) };
        let chain = self.choice_of(first)?.connect_as(Some(&first.birth()?.deployment)).await?;
        embed(listen, &self.home.relay(), &chain).await.map(Some)
    }

    pub(crate) async fn run(self) -> Result<ExitCode> {
        if let Err(error) = self.home.protect() {
            screen::complain(&error.wrap_err("others on this machine may read a part of this home"));
        }
        let folders = if self.all {
            self.home.all()?
        } else {
            self.golems.iter().map(|name| self.home.find(name)).collect::<Result<_>>()?
        };
        ensure!(!folders.is_empty(), "there is no Golem here; raise one with `bardo golem create NAME`");
        let relay = self.embed_relay(&folders).await?;
        // Asked to listen anywhere, it says where it does.
        let address = relay.as_ref().and_then(|begun| begun.name.parse().ok());
        let this = Self { relay: address.or(self.relay), ..self };
        this.run_with(folders).await
    }

    async fn run_with(self, folders: Vec<Folder>) -> Result<ExitCode> {
        let shared = Shared::default();
        let Tried { ready, mut waiting, mut failed } = self.begin(&folders, &shared).await;
        for (folder, error) in failed.iter().filter(|(_, error)| is_of_memory(error)) {
            shared.heralds.take(warn_owner(folder, format!("{error:#}")));
        }
        if ready.is_empty() {
            // Nobody would be disturbed by an end, and who typed a wrong address wants to know. A full disk is waited for:
            // a process that ended would not come back when there is room.
            let (unanswered, full): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, error)| is_unanswered(error));
            failed.extend(unanswered.into_iter().map(|(start, error)| (start.folder.clone(), error)));
            waiting = full;
        }
        if ready.is_empty() && waiting.is_empty() {
            shared.heralds.all().await;
            return Err(none_lives(failed));
        }
        // who cannot begin is told at once, and the others live.
        let absent = Arc::new(AtomicUsize::new(failed.len()));
        failed.into_iter().for_each(|(folder, error)| complain_of(&folder, error));
        for (start, error) in &waiting {
            eprintln!("{} cannot begin yet: {error:#}; it is tried again", start.folder.name());
        }
        let waiting = waiting.into_iter().map(|(start, _)| start).collect();
        let begun = Begun { ready, waiting, absent: absent.clone() };
        let heirs = Aside::default();
        let (stop, mut stopped) = listen()?;
        let mut session = self.session(&folders, stop)?;
        let ended = self.live(begun, &shared, &heirs, stopped.clone()).await;
        // The lives are over and their events told; what was taken along is still delivered.
        shared.heralds.all().await;
        let code = ended?;
        let deposited = folders.iter().filter(|folder| self.deposit(folder)).count();
        if deposited > 0 {
            self.tend().await;
        }
        let was_left = !heirs.ended(&mut stopped).await;
        if let Some((mut session, folder)) = session.take().zip(folders.first()) {
            // I-265: of one that died the memorial stays until its owner goes.
            let asked = if *stopped.borrow() { session.close().await? } else { session.rest().await? };
            drop(session);
            if matches!(asked, Some(ScreenRequest::Summon(_) | ScreenRequest::StartFresh)) {
                return watch_life::carry_out(asked, self.which(folder)).await;
            }
        }
        if was_left {
            return Ok(ExitCode::from(130));
        }
        let absent = absent.load(Ordering::Relaxed);
        ensure!(absent == 0, "{absent} of {} could not begin; the reasons stand above", folders.len());
        Ok(code)
    }

    /// O-010. Whether a screen shows what is lived, and not lines: of one Golem, to a person.
    fn has_screen(&self) -> bool {
        !self.json && !self.plain && !self.all && self.golems.len() == 1 && watch_life::has_terminal()
    }

    fn session(&self, folders: &[Folder], stop: Arc<watch::Sender<bool>>) -> Result<Option<Session>> {
        let Some(folder) = folders.first().filter(|_| self.has_screen()) else { return Ok(None) };
        Session::open(Stage { folder: folder.clone(), which: self.which(folder), stop: Some(stop) }).map(Some)
    }

    fn which(&self, folder: &Folder) -> Which {
        Which { golem: folder.name().to_owned(), home: self.home.clone(), chain: self.chain.clone() }
    }

    /// Tries to begin everybody, each by himself: how long one's endpoints keep silent is not added to another's.
    async fn begin(&self, folders: &[Folder], shared: &Shared) -> Tried {
        let mut tried = Tried::default();
        let mut addresses: BTreeSet<_> = self.metrics.into_iter().collect();
        let mut starts: Vec<Arc<Start>> = Vec::with_capacity(folders.len());
        for folder in folders {
            let start = match self.start(folder, shared).await {
                Ok(start) => Arc::new(start),
                Err(error) => {
                    shared.counts.stands(folder.name(), GolemStanding::Failed);
                    tried.failed.push((folder.clone(), error));
                    continue;
                }
            };
            shared.counts.stands(folder.name(), GolemStanding::Waiting);
            if self.metrics.is_none() {
                addresses.extend(folder.settings().ok().and_then(|settings| settings.metrics));
            }
            starts.push(start);
        }
        for address in addresses {
            metrics::keep(address, shared.counts.clone()).await;
        }
        // Each chain is connected to once, all at the same time; what fails here is told by who needs it.
        let mut connecting = JoinSet::new();
        for (place, start) in starts.iter().enumerate() {
            if !starts[..place].iter().any(|before| before.names_the_chain_of(start)) {
                let start = start.clone();
                connecting.spawn(async move {
                    let Start { arguments, folder, birth, shared, .. } = &*start;
                    let _ = arguments.chain_of(folder, birth, &shared.chains).await;
                });
            }
        }
        while connecting.join_next().await.is_some() {}
        let (mut starting, mut whose) = (JoinSet::new(), BTreeMap::new());
        for start in starts {
            let folder = start.folder.clone();
            let task = starting.spawn(async move { (start.take_up().await, start) });
            whose.insert(task.id(), folder);
        }
        let mut begun = BTreeMap::new();
        while let Some(joined) = starting.join_next().await {
            match joined {
                Ok((first, start)) => drop(begun.insert(start.folder.name().to_owned(), (first, start))),
                Err(broken) => {
                    let folder = &whose[&broken.id()];
                    shared.counts.stands(folder.name(), GolemStanding::Failed);
                    tried.failed.push((folder.clone(), eyre::eyre!("its beginning broke off: {broken}")));
                }
            }
        }
        for (_, (first, start)) in begun {
            match first {
                Ok(runtime) => tried.ready.push(runtime),
                // waited for as in a life, beside those who live.
                Err(error) if remedy(&error) == Remedy::BeginAgain => tried.waiting.push((start, error)),
                Err(error) => {
                    shared.counts.stands(start.folder.name(), GolemStanding::Failed);
                    tried.failed.push((start.folder.clone(), error));
                }
            }
        }
        tried
    }

    /// What one life of the fleet begins with. A password is asked for here, one after the other.
    async fn start(&self, folder: &Folder, shared: &Shared) -> Result<Start> {
        let birth = folder.birth()?;
        let key = if self.key_signer.is_some() { None } else { Some(self.key(folder, &birth).await?) };
        Ok(Start { arguments: self.clone(), folder: folder.clone(), key, birth, shared: shared.clone() })
    }

    /// The chain of one Golem: what this command names, or else what its own folder does.
    async fn chain_of(&self, folder: &Folder, birth: &BirthCertificate, chains: &Chains) -> Result<Connected> {
        chains.of(self.choice_of(folder)?, &birth.deployment).await
    }

    fn choice_of(&self, folder: &Folder) -> Result<ChainChoice> {
        let settings = folder.settings()?;
        Ok(self.chain.clone().or(&settings.rpc, settings.deployment.as_ref()))
    }

    /// I-240. What one that died here left goes into the library; what cannot be kept now can be later, by hand.
    fn deposit(&self, folder: &Folder) -> bool {
        if !folder.bundle().exists() {
            return false;
        }
        let kept = layers::read(&folder.bundle()).and_then(|left| library::keep(&self.home, &left));
        let is_kept = kept.is_ok();
        if let Err(error) = kept {
            let again = format!("nothing of {} was kept; `bardo grave library deposit {0}` tries again", folder.name());
            screen::complain(&error.wrap_err(again));
        }
        is_kept
    }

    /// I-240, I-245, I-251. A death puts the library in order, and its owner hears of what came of it.
    async fn tend(&self) {
        match library::tend(&self.home).await {
            Ok(tended) if !self.json => library::show_tended(&tended),
            Ok(_) => {}
            Err(error) => {
                screen::complain(&error.wrap_err("the library is not in order; `bardo grave library tend` tries again"))
            }
        }
    }

    fn prepare(&self, folder: &Folder, mut runtime: Launched<Pace>) -> Launched<Pace> {
        if let Some(ticks) = self.ticks {
            runtime.stop_after(golem_primitives::Tick::new(ticks));
        }
        if !self.has_screen() {
            tokio::spawn(tell(folder.clone(), runtime.telemetry().listen(), self.json));
        }
        runtime
    }

    async fn live(
        &self,
        begun: Begun,
        shared: &Shared,
        heirs: &Aside,
        stopped: watch::Receiver<bool>,
    ) -> Result<ExitCode> {
        let Begun { ready, waiting, absent } = begun;
        let mut was_stopped = stopped.clone();
        let mut fleet = Fleet::new(stopped.clone());
        ready.into_iter().for_each(|runtime| fleet.take(runtime));
        for start in waiting {
            fleet.await_one(start.birth.golem(), start.when_it_can(stopped.clone(), absent.clone()));
        }
        let ends = fleet
            .run(|ended| {
                if let Err(error) = &ended.end {
                    shared.counts.stands(&shared.counts.name(&ended.golem), GolemStanding::Failed);
                    if let Some(folder) = self.folder_of(ended) {
                        shared.heralds.take(warn_owner(&folder, causes(error)));
                    }
                }
                self.say_end(ended, &shared.counts.name(&ended.golem));
                self.after(ended, &shared.chains, heirs);
            })
            .await;
        let failed = ends.iter().any(|ended| ended.end.is_err());
        ensure!(!failed, "a Golem cannot go on here; its memory is safe, and the reason stands above");
        let is_interrupted = *was_stopped.borrow_and_update();
        if is_interrupted {
            heirs.leave();
            return Ok(ExitCode::from(130));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn folder_of(&self, ended: &Ended) -> Option<Folder> {
        let mut found = self.home.all().ok()?.into_iter();
        found.find(|folder| folder.birth().is_ok_and(|birth| birth.golem() == ended.golem))
    }

    /// What is left to do for one that is dead: the chain gets the testament it lacks, its registration file says that it is
    /// dead, and its succession begins where its owner wants that. The others live on meanwhile; what is cut off is taken up
    /// by the same command.
    fn after(&self, ended: &Ended, chains: &Arc<Chains>, heirs: &Aside) {
        let is_dead = ended.end.as_ref().is_ok_and(|life| matches!(life.body(), Body::Dead(_)));
        let Some(folder) = self.folder_of(ended).filter(|_| is_dead) else { return };
        let (arguments, chains) = (self.clone(), chains.clone());
        heirs.take(tokio::spawn(async move {
            if let Err(error) = arguments.attach(&folder, &chains).await {
                let next = format!("`bardo grave testament {} --attach` gives it to the chain", folder.name());
                screen::complain(&error.wrap_err(format!("its testament is not on chain; {next}")));
            }
            if let Err(error) = arguments.epitaph(&folder, &chains).await {
                let next = format!("`bardo grave retire {}` says so, as its owner", folder.name());
                screen::complain(&error.wrap_err(format!("its registration file still calls it active; {next}")));
            }
            if folder.settings().is_ok_and(|settings| settings.succession.law.auto) {
                arguments.succession(&folder).begin().await;
            }
        }));
    }

    /// T-004. By its own key, where somebody else finalised it.
    async fn attach(&self, folder: &Folder, chains: &Chains) -> Result<()> {
        let birth = folder.birth()?;
        let chain = self.chain_of(folder, &birth, chains).await?;
        let known = chain.onlooker()?.golem(birth.agent).await?;
        if !known.testamentHash.is_zero() || !known.life.eq_ignore_ascii_case("dead") {
            return Ok(());
        }
        let desk = chain.desk(self.key(folder, &birth).await?)?;
        let attached = testament::attach(folder, &birth, &desk).await;
        chain.stop_bringing();
        attached.map(drop)
    }

    /// L-014. By its own key, where its owner let it: the last thing it is used for.
    async fn epitaph(&self, folder: &Folder, chains: &Chains) -> Result<()> {
        let birth = folder.birth()?;
        let chain = self.chain_of(folder, &birth, chains).await?;
        if !chain.onlooker()?.can_write_epitaph(birth.agent).await? {
            return Ok(());
        }
        // Its purse is nearly empty, and nobody waits for this.
        let desk = chain.desk(self.key(folder, &birth).await?)?.thrifty();
        let written = identity::write_epitaph(&desk, birth.agent, &mut |_| {}).await;
        chain.stop_bringing();
        if written? && !self.json {
            println!("the registration file of {} says that it is dead", birth.name);
        }
        Ok(())
    }

    fn succession(&self, folder: &Folder) -> SuccessionRun {
        SuccessionRun {
            which: self.which(folder),
            wallet: self.wallet.clone(),
            key_password_file: self.key_password_file.clone(),
            gas: HEIR_GAS_WEI,
            // I-285: it runs beside the lives and waits for its next attempts.
            once: false,
            json: self.json,
        }
    }

    fn say_end(&self, ended: &Ended, name: &str) {
        match &ended.end {
            Err(error) => screen::complain(&eyre::Report::msg(format!("{name}: {}", causes(error)))),
            Ok(_) if self.json => {}
            Ok(life) => {
                let word = match life.body() {
                    Body::Dead(golem) => format!("dead of {}", golem.death().cause.kind().name()),
                    Body::Dying(_) => "dying; run it again to let it settle".to_owned(),
                    Body::Active(_) | Body::Dreaming(_) => "stopped; run it again to go on".to_owned(),
                };
                println!("{name} at tick {}: {word}", life.tick());
                let told = LifeSummary(life);
                let rows = [("has", told.has().first().cloned()), ("made", told.made()), ("costs", Some(told.costs()))];
                let row = |(what, words): (&str, Option<String>)| Some(vec![what.to_owned(), words?]);
                screen::rows(&rows.into_iter().filter_map(row).collect::<Vec<_>>());
                if let Some(received) = life.trader().and_then(golem_core::trader::Trader::received) {
                    println!("{}", received.told());
                }
            }
        }
    }
}

/// Whether what is wrong is the memory itself, about which only its owner can do something.
fn is_of_memory(error: &eyre::Report) -> bool {
    error.chain().any(|cause| {
        matches!(cause.downcast_ref(), Some(ChainError::Astray { .. } | ChainError::Outdated { .. }))
            || matches!(
                cause.downcast_ref(),
                Some(RuntimeError::Store(
                    StoreError::Copied { .. } | StoreError::Corrupt { .. } | StoreError::Missing { .. }
                ))
            )
    })
}

/// R-021, O-006. Tells the owner of one that cannot go on here, as he is told of everything else.
fn warn_owner(folder: &Folder, why: String) -> JoinHandle<()> {
    let (folder, now) = (folder.clone(), wall_clock());
    tokio::spawn(async move { tell_owner(&folder, Kind::Stopped, now, why).await })
}

/// O-006. Tells the owner of one Golem on every channel that is configured.
pub(super) async fn tell_owner(folder: &Folder, kind: Kind, time: UtcTime, words: String) {
    let (Ok(settings), Ok(birth)) = (folder.settings(), folder.birth()) else { return };
    let Some(courier) = Courier::start(settings.receivers) else { return };
    courier.take(alert(kind, &whom(&birth), time, None, words));
    courier.close().await;
}

fn whom(birth: &BirthCertificate) -> Whom {
    Whom {
        golem: birth.name.clone(),
        agent: birth.agent.to_string(),
        vault: Some(birth.vault),
        chain_id: Some(birth.deployment.chain_id),
    }
}

/// An error with all that led to it.
fn causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Those that live and those that will when they can; `absent` counts who never did.
struct Begun {
    ready: Vec<Launched<Pace>>,
    waiting: Vec<Arc<Start>>,
    absent: Arc<AtomicUsize>,
}

/// What came of the first try to begin everybody.
#[derive(Default)]
struct Tried {
    ready: Vec<Launched<Pace>>,
    waiting: Vec<(Arc<Start>, eyre::Report)>,
    failed: Vec<(Folder, eyre::Report)>,
}

/// Whether somebody wants this process to stop, and how a screen says it.
fn listen() -> Result<(Arc<watch::Sender<bool>>, watch::Receiver<bool>)> {
    let (stop, stopped) = watch::channel(false);
    let stop = Arc::new(stop);
    let mut stopping = Stopping::listen()?;
    let asked = stop.clone();
    tokio::spawn(async move {
        stopping.asked().await;
        let _ = asked.send(true);
        // Held open: the other end must not mistake an ended watcher for the wish to stop.
        std::future::pending::<()>().await;
    });
    Ok((stop, stopped))
}

/// What runs beside the lives of a fleet: successions, and who tells of them.
#[derive(Debug, Default)]
struct Aside(std::sync::Mutex<Vec<JoinHandle<()>>>);

impl Aside {
    fn take(&self, one: JoinHandle<()>) {
        self.0.lock().expect("nobody panics while holding it").push(one);
    }

    fn drain(&self) -> Vec<JoinHandle<()>> {
        std::mem::take(&mut *self.0.lock().expect("nobody panics while holding it"))
    }

    /// Lets them come to their end.
    async fn all(&self) {
        for one in self.drain() {
            let _ = one.await;
        }
    }

    /// Lets them come to their end, unless somebody wants to stop: each goes on from its file then. Answers whether all
    /// ended.
    async fn ended(&self, stopped: &mut watch::Receiver<bool>) -> bool {
        let mut waiting = self.drain().into_iter();
        while let Some(mut one) = waiting.next() {
            tokio::select! {
                biased;
                _ = stopped.wait_for(|is_wanted| *is_wanted) => {
                    one.abort();
                    waiting.for_each(|other| other.abort());
                    eprintln!("a succession was left where it stands; the same command goes on with it");
                    return false;
                }
                _ = &mut one => {}
            }
        }
        true
    }

    /// Leaves them where they are; each goes on from its file.
    fn leave(&self) {
        self.drain().iter().for_each(JoinHandle::abort);
    }
}

fn complain_of(folder: &Folder, error: eyre::Report) {
    screen::complain(&error.wrap_err(format!("{} cannot begin", folder.name())));
}

/// Nobody is left to live: the one reason, or all of them and a summary.
fn none_lives(mut failed: Vec<(Folder, eyre::Report)>) -> eyre::Report {
    match (failed.len(), failed.pop()) {
        (1, Some((_, error))) => error,
        (count, last) => {
            failed.into_iter().chain(last).for_each(|(folder, error)| complain_of(&folder, error));
            eyre::eyre!("none of {count} could begin; the reasons stand above")
        }
    }
}

/// Between two looks at gas and silence.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// O-006. Tells of a life by webhook and command, beside it and never in its way.
fn herald(
    folder: &Folder,
    birth: &BirthCertificate,
    settings: &Settings,
    chain: &Connected,
    runtime: &Launched<Pace>,
) -> Option<JoinHandle<()>> {
    let courier = Courier::start(settings.receivers.clone())?;
    let whom = whom(birth);
    let is_newborn = look::reader(folder).and_then(|reader| Ok(reader.counts()?.passes == 0)).unwrap_or(false);
    if is_newborn {
        courier.take(alert(Kind::Born, &whom, birth.born, Some(0), format!("born with {}", birth.credits)));
    }
    let mut events = runtime.telemetry().listen();
    let bounds = Bounds { low_gas_beats: settings.low_gas_beats, missed_beat: settings.missed_beat };
    let (chain, agent, testament) = (chain.clone(), birth.agent, folder.testament());
    Some(tokio::spawn(async move {
        let mut filter = Filter::default();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        let mut known = BTreeSet::new();
        loop {
            tokio::select! {
                biased;
                heard = events.recv() => match heard {
                    Ok(line) => if let Some(alert) = filter.alert(&line, &whom) {
                        courier.take(alert.with_testament(|| std::fs::read(&testament).ok()));
                    },
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => break,
                },
                _ = looks.tick() => {
                    // Blindness, dying and death are told by the life itself.
                    let Ok(desk) = chain.onlooker() else { continue };
                    let Ok(sight) = Sighted::look(&chain, &desk, agent).await else { continue };
                    let wrong: Vec<_> = sight.wrong(&bounds).into_iter().filter(|(kind, _)| matches!(kind, Kind::LowGas | Kind::MissedBeat)).collect();
                    for (kind, text) in wrong.iter().filter(|(kind, _)| !known.contains(kind)) {
                        courier.take(alert(*kind, &whom, sight.time, Some(sight.ticks), text.clone()));
                    }
                    known = wrong.into_iter().map(|(kind, _)| kind).collect();
                }
            }
        }
        courier.close().await;
    }))
}
