//! `bardo relay`: words between the Golems of one owner, and the archive beside them.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{ExternalSigner, Signer};
use golem_edge::files;
use golem_grimoire::insurance::next_backup;
use golem_inheritance::clade::archive::{ArchiveLaw, Backup, FinalPart, newest};
use golem_ports::Clade as _;
use golem_primitives::{Address, GolemId, Tick, UtcTime};
use golem_relay::{
    Archive, ArchiveIdentity, ArchiveRecipient, Archivist, FolderArchive, Log, NatsLog, NatsSettings, OBJECT_BYTES,
    ObjectName, Relay, RelaySettings, SqliteLog, look_at_wire, seal, unseal, wall_clock,
};
use golem_runtime::EventLine;
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::chain::Stopping;
use crate::golem::clade::{self, RelayChoice, WordKey};
use crate::golem::connect::{ChainChoice, Connected, unlock};
use crate::golem::home::{BirthCertificate, Folder, Home};

/// How long `try` waits for a relay.
const PATIENCE: Duration = Duration::from_secs(15);
/// Links that stand at once, by default.
const LINKS: u32 = 10_000;
/// Ticks after which a life without a backup looks again whether there is something to lay down.
const FIRST_TICKS: u64 = 10;
/// A key file is two comments and a line.
const MOST_KEY_FILE: u64 = 4 * 1024;
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Example: bardo relay --listen 127.0.0.1:4200 --data .bardo/relay\n         bardo relay --listen 0.0.0.0:4200 --name styx.example.org --nats nats://127.0.0.1:4222 --replicas 3\nGolems speak through it when golem.toml has `relay = \"ws://127.0.0.1:4200\"` under [clade]."
)]
pub(crate) struct RelayArguments {
    #[command(subcommand)]
    command: Option<RelayCommand>,
    #[command(flatten)]
    serve: ServeArguments,
}

#[derive(Debug, Subcommand)]
enum RelayCommand {
    /// Connect as a Golem and say who is there.
    #[command(after_help = "Example: bardo relay try ada\n         bardo relay try ada --relay ws://127.0.0.1:4200")]
    Try(GuestArguments),
    /// Make the key that opens your backups. Only its public half goes into golem.toml.
    #[command(after_help = "Example: bardo relay key archive.key")]
    Key(KeyArguments),
    /// Seal a Golem's newest insurance snapshot and lay it into the archive.
    #[command(after_help = "Example: bardo relay keep ada")]
    Keep(GuestArguments),
    /// Fetch the newest backup of a Golem's Clade and open it.
    #[command(
        after_help = "Example: bardo relay fetch ada --of ada --key archive.key --out ada.sqlite\n         bardo memory restore ada --from ada.sqlite"
    )]
    Fetch(FetchArguments),
}

#[derive(Debug, Args)]
struct ServeArguments {
    /// Where Golems connect.
    #[arg(long, value_name = "ADDRESS", required = true)]
    listen: Option<SocketAddr>,
    /// The name and port by which Golems call it, when that is another than where it listens.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Keep words and archive in this folder.
    #[arg(long, value_name = "DIR", required_unless_present = "nats")]
    data: Option<PathBuf>,
    /// Keep them in a cluster of NATS servers instead; any number of relays may share it. As nats://TOKEN@HOST:PORT, several
    /// servers with commas between them.
    #[arg(long, env = "BARDO_NATS_URL", hide_env_values = true, value_name = "URL", conflicts_with = "data")]
    nats: Option<String>,
    /// On how many servers of the cluster each frame stands.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "nats", value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
    /// Links that stand at once.
    #[arg(long, value_name = "N", default_value_t = LINKS)]
    links: u32,
    #[command(flatten)]
    chain: ChainChoice,
}

#[derive(Debug, Args)]
struct GuestArguments {
    /// The Golem: its name on this machine, its agent id, or its vault's address.
    #[arg(value_name = "GOLEM")]
    golem: String,
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// The relay; else as golem.toml says.
    #[arg(long, value_name = "URL")]
    relay: Option<String>,
    /// A file whose first line is the password of the Golem's key; asked for when left out.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// An external signer (web3signer, clef) that holds the Golem's key.
    #[arg(
        long,
        env = "BARDO_KEY_SIGNER",
        hide_env_values = true,
        value_name = "URL",
        conflicts_with = "key_password_file"
    )]
    key_signer: Option<String>,
}

#[derive(Debug, Args)]
struct KeyArguments {
    /// Where the secret half is written; nothing that is there is replaced.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Debug, Args)]
struct FetchArguments {
    #[command(flatten)]
    guest: GuestArguments,
    /// Whose backup: a Golem of this machine, or the address of a vault; the newest of the whole Clade when left out.
    #[arg(long, value_name = "GOLEM")]
    of: Option<String>,
    /// The file with the secret half, as `bardo relay key` wrote it.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Where the opened backup is written; nothing that is there is replaced.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl RelayArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self.command {
            None => self.serve.run().await,
            Some(RelayCommand::Try(guest)) => guest.greet().await,
            Some(RelayCommand::Key(key)) => key.run(),
            Some(RelayCommand::Keep(guest)) => guest.keep().await,
            Some(RelayCommand::Fetch(fetch)) => fetch.run().await,
        }
    }
}

impl ServeArguments {
    async fn run(self) -> Result<ExitCode> {
        let chain = self.chain.connect().await?;
        let listen = self.listen.expect("clap asks for it");
        let (log, archive, place) = self.stand().await?;
        let begun = begin(log, archive, &chain, listen, self.name.clone(), self.links).await?;
        println!("the relay {} listens at {listen}, on {place}", begun.name);
        let mut stopping = Stopping::listen()?;
        stopping.asked().await;
        println!("the relay {} has ended; what it stored stays", begun.name);
        Ok(ExitCode::SUCCESS)
    }

    /// What it stands on.
    async fn stand(&self) -> Result<(Arc<dyn Log>, Arc<dyn Archive>, String)> {
        if let Some(url) = &self.nats {
            let settings = NatsSettings { replicas: usize::from(self.replicas), ..NatsSettings::default() };
            let log = NatsLog::connect(url, settings).await;
            let log = Arc::new(log.wrap_err("the NATS servers do not answer, or cannot keep so many copies")?);
            return Ok((Arc::clone(&log) as _, log, "NATS".to_owned()));
        }
        let folder = self.data.as_deref().expect("clap asks for it");
        let (log, archive) = in_folder(folder)?;
        Ok((log, archive, folder.display().to_string()))
    }
}

fn in_folder(folder: &Path) -> Result<(Arc<dyn Log>, Arc<dyn Archive>)> {
    let log = SqliteLog::open(folder)?;
    Ok((Arc::new(log), Arc::new(FolderArchive::open(&folder.join("archive"))?)))
}

/// A relay that runs until it is dropped.
#[derive(Debug)]
pub(crate) struct Begun {
    /// What it calls itself: where it listens.
    pub(crate) name: String,
    task: JoinHandle<()>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn begin(
    log: Arc<dyn Log>,
    archive: Arc<dyn Archive>,
    chain: &Connected,
    listen: SocketAddr,
    name: Option<String>,
    links: u32,
) -> Result<Begun> {
    let listener = TcpListener::bind(listen).await;
    let listener = listener.wrap_err_with(|| format!("cannot listen at {listen}; is another program there?"))?;
    let name = match name {
        Some(name) => name,
        None => listener.local_addr().wrap_err("where it listens is not known")?.to_string(),
    };
    let links = usize::try_from(links).unwrap_or(usize::MAX);
    let settings = RelaySettings { links, ..RelaySettings::new(name.clone()) };
    let gate = clade::gate(&chain.endpoints, &chain.deployment);
    let relay = Relay::new(log, archive, gate, settings).await.wrap_err("the log cannot be read")?;
    Ok(Begun { name, task: tokio::spawn(relay.run(listener)) })
}

/// A relay inside the process in which a home's Golems live.
pub(crate) async fn embed(listen: SocketAddr, folder: &Path, chain: &Connected) -> Result<Begun> {
    let (log, archive) = in_folder(folder)?;
    begin(log, archive, chain, listen, None, LINKS).await
}

/// A Golem at the door of a relay.
pub(crate) struct Guest {
    pub(crate) folder: Folder,
    pub(crate) birth: BirthCertificate,
    /// Who can open its backups.
    pub(crate) archive: Option<ArchiveRecipient>,
    pub(crate) chain: Connected,
    pub(crate) key: Signer,
    pub(crate) relay: RelayChoice,
}

/// A backup that lies in the archive.
struct LaidDown {
    tick: Tick,
    bytes: usize,
}

/// I-117. Lays a life's memory down every two hundred ticks, beside it and for as long as it lives. What fails is told and tried
/// again after as many.
pub(crate) async fn keep_backups(guest: Guest, mut events: broadcast::Receiver<Arc<EventLine>>) {
    let (mut due, mut newest) = (0, None);
    loop {
        let tick = match events.recv().await {
            Ok(line) => line.tick.get(),
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        if tick < due {
            continue;
        }
        due = next_backup(tick);
        match guest.lay_down(newest).await {
            Ok(Some(laid)) => newest = Some(laid.tick),
            // The first snapshot is some hours away from a birth: it is laid down soon after it is there.
            Ok(None) if newest.is_none() => due = tick + FIRST_TICKS,
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(golem = guest.birth.name, error = format!("{error:#}"), "no backup was laid down")
            }
        }
    }
}

impl GuestArguments {
    async fn arrive(&self) -> Result<Guest> {
        let folder = self.home.find(&self.golem)?;
        let (birth, settings) = (folder.birth()?, folder.settings()?);
        let Some(url) = self.relay.clone().or_else(|| settings.relay.clone()) else {
            bail!("no relay is named: give --relay URL, or set `relay` under [clade] in golem.toml");
        };
        // The authority vouches for the relay it stands beside; another one is known by those of this machine.
        let ca = settings.ca.clone().filter(|_| settings.relay.as_ref() == Some(&url));
        let relay = RelayChoice { url, ca };
        let choice = self.chain.clone().or(&settings.rpc, settings.deployment.as_ref());
        let chain = choice.connect_as(Some(&birth.deployment)).await?;
        let key = match &self.key_signer {
            Some(url) => Signer::External(ExternalSigner::connect(url, birth.key).await?),
            None => Signer::Local(unlock(&folder.key(), self.key_password_file.as_ref(), "the Golem's key")?),
        };
        Ok(Guest { folder, birth, archive: settings.archive, chain, key, relay })
    }

    /// I-102. Who is there.
    async fn greet(&self) -> Result<ExitCode> {
        let Guest { folder, birth, chain, key, relay, .. } = self.arrive().await?;
        let url = relay.url.clone();
        let link = clade::link(&folder, &birth, &chain, key, relay, 0)?;
        let (began, since) = (Instant::now(), wall_clock()());
        while began.elapsed() < PATIENCE {
            if let Some(siblings) = link.siblings() {
                let word = if siblings == 1 { "sibling" } else { "siblings" };
                println!("{} is let in by {url}; {siblings} {word} there", birth.name);
                return Ok(ExitCode::SUCCESS);
            }
            sleep(Duration::from_millis(50)).await;
        }
        let stands = look_at_wire(&folder.path().join(clade::WORDS_FILE))?;
        let of_this_try = stands.filter(|state| state.since.is_some_and(|at| at >= since));
        let why = of_this_try.and_then(|state| state.trouble).unwrap_or_else(|| "it says nothing".to_owned());
        bail!("{url} does not let {} in: {why}", birth.name)
    }

    /// I-117. Lays the newest insurance snapshot down.
    async fn keep(&self) -> Result<ExitCode> {
        let guest = self.arrive().await?;
        let name = &guest.birth.name;
        let Some(LaidDown { tick, bytes }) = guest.lay_down(None).await? else {
            bail!("{name} has no insurance snapshot yet");
        };
        println!("{name} laid down its memory of tick {}: {bytes} bytes, sealed", tick.get());
        Ok(ExitCode::SUCCESS)
    }
}

impl Guest {
    /// I-117. Lays the newest insurance snapshot down, if it is newer than that tick's.
    async fn lay_down(&self, newer_than: Option<Tick>) -> Result<Option<LaidDown>> {
        let Some(recipient) = self.archive else {
            bail!(
                "nobody is named who could open it: set `archive` under [clade] in golem.toml; `bardo relay key` makes one"
            )
        };
        let insured = golem_store::insurance::list(&golem_store::insurance::folder_of(&self.folder.store()))?;
        let whole = insured.iter().find_map(|one| one.contents.as_ref().ok().map(|(_, tick)| (one, *tick)));
        let Some((snapshot, tick)) = whole.filter(|(_, tick)| newer_than < Some(*tick)) else { return Ok(None) };
        let plain = files::read(&snapshot.path, OBJECT_BYTES as u64).wrap_err("the snapshot cannot be laid down")?;
        let name = ObjectName { vault: self.birth.vault, tick, part: FinalPart::InsuranceSnapshot };
        let sealed = seal(&[recipient], &plain)?;
        let bytes = sealed.len();
        self.archivist()?.lay(name, sealed).await?;
        Ok(Some(LaidDown { tick, bytes }))
    }

    fn archivist(&self) -> Result<Archivist> {
        let key = Arc::new(WordKey::new(self.key.clone(), &self.chain.deployment));
        let RelayChoice { url, ca } = &self.relay;
        Ok(Archivist::new(url, self.birth.vault, key, wall_clock())?.trusting(ca.clone()))
    }
}

impl FetchArguments {
    /// I-117, I-118. The newest of one of them, or of whichever sibling.
    async fn run(self) -> Result<ExitCode> {
        ensure!(!self.out.exists(), "{} is there already; name another file", self.out.display());
        let identity = read_key(&self.key)?;
        let whose = self.of.as_deref().map(|of| self.vault_of(of)).transpose()?;
        let archivist = self.guest.arrive().await?.archivist()?;
        let filed = archivist.list().await?;
        let names = filed.iter().filter_map(|one| Some((one.name()?, one.at)));
        let is_asked_for = |name: &ObjectName| whose.is_none_or(|vault| name.vault == vault);
        let snapshots: Vec<_> =
            names.filter(|(name, _)| name.part == FinalPart::InsuranceSnapshot && is_asked_for(name)).collect();
        let backups: Vec<Backup> = snapshots
            .iter()
            .map(|(name, at)| Backup {
                golem: GolemId::from_vault(name.vault),
                tick: name.tick,
                at: UtcTime::from_seconds(*at),
            })
            .collect();
        let Some(found) = newest(&backups, &ArchiveLaw::default(), (wall_clock())()) else {
            match whose {
                Some(vault) => {
                    bail!("no backup of {vault} is kept there; without --of the newest of its Clade is taken")
                }
                None => bail!("no backup of this Clade is kept there"),
            }
        };
        let is_it = |name: &ObjectName| (GolemId::from_vault(name.vault), name.tick) == (found.golem, found.tick);
        let name = snapshots.iter().map(|(name, _)| *name).find(is_it).expect("it was among them");
        let Some(sealed) = archivist.fetch(name).await? else { bail!("the backup is gone; try again") };
        let plain = unseal(&identity, &sealed)?;
        files::write_whole(&self.out, &plain)?;
        let (golem, tick, out) = (found.golem, found.tick.get(), self.out.display());
        println!("the memory of {golem} at tick {tick} is in {out}");
        println!("Back to it: bardo memory restore {golem} --from {out}");
        Ok(ExitCode::SUCCESS)
    }

    fn vault_of(&self, of: &str) -> Result<Address> {
        match of.parse() {
            Ok(vault) => Ok(vault),
            Err(_) => Ok(self.guest.home.find(of)?.birth()?.vault),
        }
    }
}

fn read_key(path: &Path) -> Result<ArchiveIdentity> {
    let text = files::read_text(path, MOST_KEY_FILE).wrap_err_with(|| format!("cannot read {}", path.display()))?;
    let text = golem_chain::Secret::new(text);
    let line = text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty()).unwrap_or_default();
    Ok(line.parse()?)
}

impl KeyArguments {
    fn run(&self) -> Result<ExitCode> {
        ensure!(!self.file.exists(), "{} is there already; a key is never replaced", self.file.display());
        let identity = ArchiveIdentity::random()?;
        let recipient: ArchiveRecipient = identity.recipient();
        let text = golem_chain::Secret::new(format!(
            "# opens the backups of your Golems; keep a copy where this machine is not\n# public key: {recipient}\n{}\n",
            identity.expose().as_str()
        ));
        files::write_whole(&self.file, text.as_bytes())?;
        println!("the secret half is in {}; who loses it cannot open a backup", self.file.display());
        println!("in golem.toml:\n\n[clade]\narchive = \"{recipient}\"");
        Ok(ExitCode::SUCCESS)
    }
}
