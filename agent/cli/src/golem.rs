//! `bardo golem`, `owner`, `mind`, `line`, `grave` and `memory`: one Golem from birth to tombstone.

pub(crate) mod ancestry;
mod audit;
pub(crate) mod birth;
pub(crate) mod book;
mod break_even;
pub(crate) mod bundle;
pub(crate) mod clade;
pub(crate) mod connect;
pub(crate) mod counsel;
mod create;
pub(crate) mod data;
pub(crate) mod dream;
mod embedding;
pub(crate) mod ending;
mod events;
mod feed;
pub(crate) mod founding;
mod funds;
mod generations;
pub(crate) mod graves;
pub(crate) mod grimoire;
pub(crate) mod heirship;
mod heritage;
pub(crate) mod home;
pub(crate) mod identity;
pub(crate) mod inherited_entries;
mod keys;
pub(crate) mod launch;
mod library;
mod life;
pub(crate) mod list;
mod lists;
pub(crate) mod look;
mod mandate;
mod metrics;
mod models;
mod mood;
pub(crate) mod onlooker;
mod orchestrate;
pub(crate) mod pace;
mod paper;
pub(crate) mod playbook;
mod plot;
mod pools;
mod proof;
mod qr;
mod replay;
pub(crate) mod rules;
mod run;
mod safety;
mod seal;
pub(crate) mod settings;
pub(crate) mod siblings;
pub(crate) mod sleep;
pub(crate) mod status;
pub(crate) mod subject;
mod succession;
mod succession_lock;
mod successor;
mod suffering;
mod temper;
mod testament;
mod trades;
mod tried_first;
pub(crate) mod watch;
mod wizard;

use std::process::ExitCode;

use clap::Subcommand;
use eyre::Result;

use crate::chain::Stopping;

/// What can be done with a living Golem.
#[derive(Debug, Subcommand)]
pub(crate) enum GolemCommand {
    /// Raise a Golem: its key, its vault, its identity and its funds in one transaction.
    #[command(
        after_help = "Example: bardo golem create ada --credits 50 --capital 1000 --playbook mean-reversion\n         bardo golem create ada --capital 1000 --playbook mine.md\n\nWhat it asks ([inference]), buys ([x402]) and sells ([feed]) stands in its golem.toml; `bardo config init` shows every key."
    )]
    Create(create::CreateArguments),
    /// Live on paper: the chain without sending. It trades in the real market with a pretended vault, pays gas and host out
    /// of it, is bound by what a vault refuses, and dies like any other; nothing is ever sent.
    #[command(
        after_help = "Example: bardo golem paper ada --playbook momentum --capital 1000 --rpc https://... --deployment base.json\n         bardo golem paper eve --playbook mine.md --prices eth-hourly.csv\n         bardo golem paper eve-control --playbook mine.md --prices eth-hourly.csv --immortal"
    )]
    Paper(paper::PaperArguments),
    /// Live: sense, decide, act, reflect, sleep, until it is dead or you stop it.
    #[command(after_help = "Example: bardo golem run ada --metrics 127.0.0.1:9464")]
    Run(run::RunArguments),
    /// Show the Golems of this machine.
    #[command(visible_alias = "ps", after_help = "Example: bardo golem list --json")]
    List(list::ListArguments),
    /// Show where a life stands, by its own memory and by the chain; also while it runs.
    #[command(after_help = "Example: bardo golem status ada")]
    Status(status::StatusArguments),
    /// Watch a life on a screen: clocks, money, rules, mind and log, also while another process lives it; of the dead a
    /// memorial, from which a successor is summoned.
    #[command(
        after_help = "Example: bardo golem watch ada\n\nKeys: 1 to 5 or tab for its pages, ? for help, q to close."
    )]
    Watch(subject::Which),
    /// Tell a life so far on one page: what it tried, learnt, dreamt, felt and was wrong about.
    #[command(
        after_help = "Example: bardo golem life ada\n         bardo golem life ada --markdown > ada.md\n         bardo golem life eve --beside eve-control"
    )]
    Life(life::LifeArguments),
    /// Draw a life as one picture: capital beside holding with its trades, vitality and clocks with its phases.
    #[command(after_help = "Example: bardo golem plot ada --svg ada.svg --png ada.png")]
    Plot(plot::PlotArguments),
    /// Show what happened.
    #[command(visible_alias = "logs", after_help = "Example: bardo golem events ada --follow")]
    Events(events::EventsArguments),
    /// Show every trade with its cost basis, fees, gas and what was predicted.
    #[command(visible_alias = "pnl", after_help = "Example: bardo golem trades ada --csv > trades.csv")]
    Trades(trades::TradesArguments),
    /// Show its Clade: which siblings were heard, what came of each, what waits for the relay, and what is in the air.
    #[command(visible_alias = "siblings", after_help = "Example: bardo golem clade ada")]
    Clade(siblings::CladeArguments),
    /// Say why it decided as it did, now or at a tick: who was awake, who led, what took away, what could not pay.
    #[command(after_help = "Example: bardo golem why ada\n         bardo golem why ada 1200")]
    Why(playbook::WhyArguments),
    /// The book it acts by: every rule with what it has shown, proposals, and a search for new ones.
    #[command(subcommand)]
    Playbook(playbook::PlaybookCommand),
    /// Give it USDC to live on or to trade with, or gas for its key.
    #[command(visible_alias = "top-up", after_help = "Example: bardo golem fund ada --amount 25")]
    Fund(funds::FundArguments),
    /// Take USDC of its capital back.
    #[command(after_help = "Example: bardo golem withdraw ada --amount 100")]
    Withdraw(funds::WithdrawArguments),
    /// End its life, at any time while it lives, with or without its files.
    #[command(after_help = "Example: bardo golem kill ada --reason \"its book has run its course\"")]
    Kill(ending::KillArguments),
}

impl GolemCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        // A life stops in its own time, and a screen gives its terminal back; everything else ends at once.
        if matches!(self, Self::Run(_) | Self::Paper(_) | Self::Watch(_)) {
            return self.act().await;
        }
        let may_send = matches!(self, Self::Create(_) | Self::Fund(_) | Self::Withdraw(_) | Self::Kill(_));
        until_stopped(!may_send, self.act()).await
    }

    pub(crate) async fn act(self) -> Result<ExitCode> {
        match self {
            Self::Create(arguments) => arguments.run().await,
            Self::Paper(arguments) => arguments.run().await,
            Self::Run(arguments) => arguments.run().await,
            Self::List(arguments) => arguments.run(),
            Self::Status(arguments) => arguments.run().await,
            Self::Watch(which) => watch::run(which).await,
            Self::Life(arguments) => arguments.run(),
            Self::Plot(arguments) => arguments.run(),
            Self::Events(arguments) => arguments.run().await,
            Self::Trades(arguments) => arguments.run(),
            Self::Clade(arguments) => arguments.run(),
            Self::Why(arguments) => arguments.run(),
            Self::Playbook(command) => command.run(),
            Self::Fund(arguments) => arguments.run().await,
            Self::Withdraw(arguments) => arguments.run().await,
            Self::Kill(arguments) => arguments.run().await,
        }
    }
}

/// The owner's handles: what binds a vault and its key, and what others read of a Golem.
#[derive(Debug, Subcommand)]
pub(crate) enum OwnerCommand {
    /// Show or change the bounds its vault keeps, with what a leaked key could cost.
    #[command(subcommand)]
    Policy(rules::PolicyCommand),
    /// Let the vault refuse new entries while exits stay free: sets the policy's day_loss_bps to 0, behind which the
    /// first loss of a day ends all entries of that day. The vault has no stronger switch that leaves exits open.
    #[command(after_help = "Example: bardo owner stop-entries ada --take-idle --yes")]
    StopEntries(rules::StopArguments),
    /// Give a buyer something to hold on to: until then nobody takes anything out or changes policy and lists, whoever owns it.
    /// At most 30 days, only ever longer; a kill still works.
    #[command(
        after_help = "Example: bardo owner lock ada --days 7\n         bardo owner lock ada --until 2026-12-01T00:00:00Z"
    )]
    Lock(rules::LockArguments),
    /// Put it to sleep for up to 90 days: it neither trades nor spends.
    #[command(after_help = "Example: bardo owner hibernate ada --for 7d")]
    Hibernate(rules::HibernateArguments),
    /// End its sleep.
    #[command(after_help = "Example: bardo owner wake ada")]
    Wake(subject::Act),
    /// Cut its credits as at birth again: what it set aside as legacy when it declined pays for its life once more. The vault
    /// allows it when the Golem's newest beat says that it declines no longer; nobody but you can.
    #[command(after_help = "Example: bardo owner split ada")]
    Split(subject::Act),
    /// Name the guardian, or trip the kill switch as him.
    #[command(subcommand)]
    Guardian(rules::GuardianCommand),
    /// Whom it may pay.
    #[command(subcommand)]
    Payees(lists::PayeesCommand),
    /// Where it may trade and what it may hold.
    #[command(subcommand)]
    Pools(pools::PoolsCommand),
    /// Give it a new key; the old one is powerless in the same block and its file kept aside.
    #[command(after_help = "Example: bardo owner rotate-key ada")]
    RotateKey(keys::RotateArguments),
    /// Seal a model provider's key into its folder.
    #[command(after_help = "Example: bardo owner seal-key ada --key-env ANTHROPIC_API_KEY")]
    SealKey(seal::SealArguments),
    /// Take a Golem over after buying its token, or after it was raised in your name. Nothing is kept that you do not name: it
    /// gets the key you give it, no guardian, empty lists and the default policy.
    #[command(
        after_help = "Example: bardo owner accept 12 --key 0x71C7656EC7ab88b098defB751B7401B5f6d8976F\n         bardo owner accept 12 --keep-key 0x71C7656EC7ab88b098defB751B7401B5f6d8976F --keep-lists\n\nWhat stands now is shown by `bardo golem status` (key) and `bardo owner policy show` (policy and its hash)."
    )]
    Accept(keys::AcceptArguments),
    /// Show what others read of it in its ERC-8004 registration file, or say there what it is, what it looks like and where it
    /// can be reached. What is not named stays as it is.
    #[command(
        after_help = "Example: bardo owner profile ada\n         bardo owner profile ada --description \"Trades WETH by mean reversion\" --image ada.svg --mcp https://golem.example.org/mcp\n         bardo owner profile ada --web \"\" --epitaph"
    )]
    Profile(identity::ProfileArguments),
    /// Show the wallet its ERC-8004 identity is linked with, link its key, or take the link away.
    #[command(
        after_help = "Example: bardo owner wallet ada\n         bardo owner wallet ada --link\n         bardo owner wallet 12 --link --key-file key.json"
    )]
    Wallet(identity::WalletArguments),
    /// Say in its registration file that it takes x402, and where; or stop saying so.
    #[command(after_help = "Example: bardo owner advertise ada\n         bardo owner advertise ada --off")]
    Advertise(feed::AdvertiseArguments),
}

impl OwnerCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let only_looks = matches!(self, Self::SealKey(_));
        until_stopped(only_looks, self.act()).await
    }

    pub(crate) async fn act(self) -> Result<ExitCode> {
        match self {
            Self::Policy(command) => command.run().await,
            Self::StopEntries(arguments) => arguments.run().await,
            Self::Lock(arguments) => arguments.run().await,
            Self::Hibernate(arguments) => arguments.run().await,
            Self::Wake(act) => ending::wake(&act).await,
            Self::Split(act) => funds::split(&act).await,
            Self::Guardian(command) => command.run().await,
            Self::Payees(command) => command.run().await,
            Self::Pools(command) => command.run().await,
            Self::RotateKey(arguments) => arguments.run().await,
            Self::SealKey(arguments) => arguments.run(),
            Self::Accept(arguments) => arguments.run().await,
            Self::Profile(arguments) => arguments.run().await,
            Self::Wallet(arguments) => arguments.run().await,
            Self::Advertise(arguments) => arguments.run().await,
        }
    }
}

/// What a Golem knows, dreams, feels and suffers.
#[derive(Debug, Subcommand)]
pub(crate) enum MindCommand {
    /// What it knows: list, show, search, count, check, exchange.
    #[command(subcommand)]
    Grimoire(grimoire::GrimoireCommand),
    /// What its Curator counted and holds it back by, and how that changed.
    #[command(subcommand)]
    Counsel(counsel::CounselCommand),
    /// What it dreams: now, wake, status, journal.
    #[command(subcommand)]
    Dream(dream::DreamCommand),
    /// Show what moves it: mood, personality, what it felt of late, and what that does to its decisions.
    #[command(after_help = "Example: bardo mind mood ada --json")]
    Mood(mood::MoodArguments),
    /// Show what presses on it, why, what would ease it, and what it closes; or write the whole as one file.
    #[command(
        after_help = "Example: bardo mind suffering ada\n         bardo mind suffering ada --export ada-suffering.json"
    )]
    Suffering(suffering::SufferingArguments),
}

impl MindCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        until_stopped(true, self.act()).await
    }

    async fn act(self) -> Result<ExitCode> {
        match self {
            Self::Grimoire(command) => command.run().await,
            Self::Counsel(command) => command.run(),
            Self::Dream(command) => command.run().await,
            Self::Mood(arguments) => arguments.run(),
            Self::Suffering(arguments) => arguments.run(),
        }
    }
}

/// Who follows whom, and what is handed down.
#[derive(Debug, Subcommand)]
pub(crate) enum LineCommand {
    /// Summon a successor of a dead Golem: what it left is proved, previewed and taken over as candidates.
    #[command(
        after_help = "Example: bardo line successor ada --budget 50 --capital 1000 --inherit-grimoire --playbook momentum"
    )]
    Successor(successor::SuccessorArguments),
    /// A successor by itself, by the mandate on chain: eight steps that a crash cannot lose.
    #[command(subcommand)]
    Succession(orchestrate::SuccessionCommand),
    /// What shall be born when it dies, and the USDC put aside for it: credits alone, no capital.
    #[command(subcommand)]
    Mandate(mandate::MandateCommand),
    /// Show what a Golem inherited and what became of it, entry by entry.
    #[command(after_help = "Example: bardo line heritage ada-1")]
    Heritage(heritage::HeritageArguments),
    /// Show who came from whom, from the chain's logs alone, and prove it.
    #[command(after_help = "Example: bardo line lineage ada --verify")]
    Lineage(ancestry::LineageArguments),
    /// What a dead Golem leaves in one file: export, import, inspect, verify.
    #[command(subcommand)]
    Bundle(bundle::BundleCommand),
}

impl LineCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let only_looks = matches!(self, Self::Heritage(_) | Self::Lineage(_) | Self::Bundle(_));
        until_stopped(only_looks, self.act()).await
    }

    pub(crate) async fn act(self) -> Result<ExitCode> {
        match self {
            Self::Successor(arguments) => arguments.run().await,
            Self::Succession(command) => command.run().await,
            Self::Mandate(command) => command.run().await,
            Self::Heritage(arguments) => arguments.run(),
            Self::Lineage(arguments) => arguments.run().await,
            Self::Bundle(command) => command.run().await,
        }
    }
}

/// The dead, and those whose death others must finish.
#[derive(Debug, Subcommand)]
pub(crate) enum GraveCommand {
    /// Show the dead.
    #[command(after_help = "Example: bardo grave list")]
    List(graves::GraveyardArguments),
    /// Show what a Golem left, against what the chain recorded.
    #[command(after_help = "Example: bardo grave testament ada --verify")]
    Testament(testament::TestamentArguments),
    /// What you keep of the dead.
    #[command(subcommand)]
    Library(library::LibraryCommand),
    /// Say on chain that it has been silent beyond its limit; anyone may.
    #[command(after_help = "Example: bardo grave notice 12")]
    Notice(subject::Act),
    /// End a life that stayed silent for 24 hours after the notice; anyone may.
    #[command(after_help = "Example: bardo grave kill-silent 12 --yes")]
    KillSilent(subject::Act),
    /// End a death the Golem did not finish by its deadline; anyone may. Everything goes to the owner it is bound to, or to the
    /// owner who calls; for any other it waits until he calls this or `claim` himself.
    #[command(after_help = "Example: bardo grave finalise 12 --yes")]
    Finalise(ending::FinaliseArguments),
    /// Take what a dead Golem still holds: what a sweep left behind because its owner had not spoken to the vault yet, or
    /// because a token did not move. Its owner's wallet alone can.
    #[command(after_help = "Example: bardo grave claim ada --asset usdc")]
    Claim(funds::ClaimArguments),
    /// Say in the registration file of a dead Golem that it is no longer active, and why.
    #[command(after_help = "Example: bardo grave retire ada")]
    Retire(ending::RetireArguments),
}

impl GraveCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let only_looks = matches!(self, Self::List(_) | Self::Testament(_) | Self::Library(_));
        until_stopped(only_looks, self.act()).await
    }

    async fn act(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => arguments.run().await,
            Self::Testament(arguments) => arguments.run().await,
            Self::Library(command) => command.run().await,
            Self::Notice(act) => ending::notice(&act).await,
            Self::KillSilent(act) => ending::kill_silent(&act).await,
            Self::Finalise(arguments) => arguments.run().await,
            Self::Claim(arguments) => arguments.run().await,
            Self::Retire(arguments) => arguments.run().await,
        }
    }
}

/// What is kept of a life on this machine: proved, copied, taken elsewhere.
#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Live a recorded life again and compare every hash.
    #[command(after_help = "Example: bardo memory replay ada")]
    Replay(grimoire::TableArguments),
    /// Hold a life against the chain: every outcome, every root, every roll, and its lineage.
    #[command(after_help = "Example: bardo memory verify ada --rpc https://an-archive-node.example.org")]
    Verify(rules::ShowArguments),
    /// Look at everything that is kept of it on this machine: memory, journal, Grimoire, copies, key, testament and bundle. Says
    /// what is damaged and what to do; exit code 1 when anything is.
    #[command(after_help = "Example: bardo memory audit ada")]
    Audit(grimoire::TableArguments),
    /// Make a sealed copy of its memory now; also while it runs.
    #[command(after_help = "Example: bardo memory snapshot ada")]
    Snapshot(safety::SnapshotArguments),
    /// Go back to a snapshot; what was there is kept aside.
    #[command(after_help = "Example: bardo memory restore ada")]
    Restore(safety::RestoreArguments),
    /// Write its memory into one file for another machine; no key is in it.
    #[command(after_help = "Example: bardo memory export ada ada.sqlite")]
    Export(safety::ExportArguments),
    /// Take up a memory that another machine exported.
    #[command(after_help = "Example: bardo memory import ada.sqlite --key key.json")]
    Import(safety::ImportArguments),
}

impl MemoryCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        until_stopped(true, self.act()).await
    }

    async fn act(self) -> Result<ExitCode> {
        match self {
            Self::Replay(arguments) => replay::run(&arguments),
            Self::Verify(arguments) => arguments.verify().await,
            Self::Audit(arguments) => audit::run(&arguments),
            Self::Snapshot(arguments) => arguments.run(),
            Self::Restore(arguments) => arguments.run(),
            Self::Export(arguments) => arguments.run(),
            Self::Import(arguments) => arguments.run(),
        }
    }
}

/// Does what was asked until it is done or somebody stops it.
async fn until_stopped(only_looks: bool, act: impl Future<Output = Result<ExitCode>>) -> Result<ExitCode> {
    let mut stopping = Stopping::listen()?;
    tokio::select! {
        biased;
        () = stopping.asked() => {
            if !only_looks {
                eprintln!("interrupted; a transaction that was sent may still land");
            }
            Ok(ExitCode::from(130))
        }
        done = act => done,
    }
}
