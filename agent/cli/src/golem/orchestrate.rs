//! `bardo line succession`: the eight steps from a death to the next life, by a mandate on chain (I-280 to I-293).
//!
//! Where it stands is a file in the dead Golem's folder, written after each step; going on is starting again. What a step
//! does is safe to repeat: the chain gives a dead Golem one successor and no second.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, bail, ensure};
use golem_chain::OwnerDesk;
use golem_inheritance::lineage::Descent;
use golem_inheritance::succession::machine::{
    Halt, State, SuccessionOutcome, SuccessionStep, SuccessionTerms, Want, next,
};
use golem_inheritance::succession::schedule::CycleAttempt;
use golem_inheritance::succession::{Premises, SuccessionHost};
use golem_mortality::mode::Mode;
use golem_primitives::{B256, LineageId, U256};
use golem_view::{AsKept, Shown as _, SuccessionPicture};
use serde::{Deserialize, Serialize};

use super::birth::Newborn;
use super::connect::Wallet;
use super::create::parse_ether;
use super::founding::{config_of, next_name};
use super::heirship;
use super::home::{Folder, read_json, write_whole};
use super::mandate::{self, Terms};
use super::pace::wall_clock;
use super::run::tell_owner;
use super::settings::Settings;
use super::subject::{Subject, Which};
use super::succession_lock::SuccessionLock;
use crate::alerts::Kind;
use crate::screen;

mod record;
mod said;
mod steps;

use record::{record, record_failure};
pub(crate) use said::{give_capital, standing_words};
use said::{is_first_failure, next_line, words};

/// What can be done with a succession.
#[derive(Debug, Subcommand)]
pub(crate) enum SuccessionCommand {
    /// Bring a successor about by the mandate of its line, from wherever the last try ended. It is born with the mandate's
    /// credits and no capital.
    #[command(after_help = "Example: bardo line succession run ada")]
    Run(RunArguments),
    /// Show where it stands.
    #[command(after_help = "Example: bardo line succession status ada --json")]
    Status(LookArguments),
    /// End it; a successor can still be summoned by hand.
    #[command(after_help = "Example: bardo line succession cancel ada")]
    Cancel(LookArguments),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(super) which: Which,
    #[command(flatten)]
    pub(super) wallet: Wallet,
    /// A file whose first line is the password of the successor's key.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    pub(super) key_password_file: Option<PathBuf>,
    /// Native coin for the successor's key, in ether.
    #[arg(long, default_value = "0.002", value_name = "ETH", value_parser = parse_ether)]
    pub(super) gas: u128,
    /// Do not wait for the next attempt of a step that failed; say when it comes and stop.
    #[arg(long)]
    pub(super) once: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    pub(super) json: bool,
}

/// What `succession status` and `succession cancel` take.
#[derive(Debug, Args)]
pub(crate) struct LookArguments {
    #[command(flatten)]
    which: Which,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// I-289. Where a succession stands, as its file says.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Standing {
    state: State,
    mandate: B256,
    /// What the successor will be called.
    name: String,
    /// Settings that follow the testament.
    followed: BTreeSet<String>,
    /// What the chain said of the birth, once it did.
    born: Option<Newborn>,
    /// I-365. What was compared at the gate: that and nothing else is born.
    #[serde(default)]
    founded: Option<Founded>,
}

/// What a successor was compared by, kept until it is born.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Founded {
    config: String,
    book: String,
    takes_genome: bool,
}

fn file_of(folder: &Folder) -> PathBuf {
    folder.path().join("succession.json")
}

impl Standing {
    fn read(folder: &Folder) -> Result<Option<Self>> {
        let path = file_of(folder);
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path, "succession").map(Some)
    }

    /// Whole or not at all, before the next step begins.
    fn write(&self, folder: &Folder) -> Result<()> {
        write_whole(&file_of(folder), &serde_json::to_vec_pretty(self)?)
    }
}

/// A step that could not be done: for now, or for good.
enum Failed {
    ForNow(eyre::Report),
    ForGood(eyre::Report),
}

/// Everything the steps share.
struct Orchestration<'a> {
    arguments: &'a RunArguments,
    subject: &'a Subject,
    dead: &'a Folder,
    desk: OwnerDesk,
    terms: Terms,
    settings: Settings,
}

impl SuccessionCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Run(arguments) => arguments.run().await,
            Self::Status(arguments) => arguments.show().await,
            Self::Cancel(arguments) => arguments.cancel().await,
        }
    }
}

impl LookArguments {
    async fn show(&self) -> Result<ExitCode> {
        let folder = self.which.folder()?;
        let Some(standing) = Standing::read(&folder)? else { bail!("no succession of {} has begun", folder.name()) };
        Ok(screen::draw_by(self.json, &AsKept::of(&standing), |_| {
            println!("{}: {}", folder.name(), words(&standing.state));
            if let Some(line) = next_line(&standing, folder.name()) {
                println!("{line}");
            }
        }))
    }

    async fn cancel(&self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let (folder, _) = subject.folder()?.clone();
        let _lock = SuccessionLock::of(&folder)?;
        let Some(mut standing) = Standing::read(&folder)? else {
            bail!("no succession of {} has begun", folder.name())
        };
        // Credits lie in the vault of one that was born: it is finished, not given up.
        let known = subject.chain.onlooker()?.golem(subject.agent).await?;
        let is_ours = known.successor != U256::MAX && !standing.state.is_over();
        ensure!(
            standing.born.is_none() && !is_ours,
            "{}'s successor was born already; `bardo line succession run {0}` takes it up",
            folder.name()
        );
        let heir = Descent { lineage: LineageId(0), generation: 0 };
        let course = SuccessionTerms { law: folder.settings()?.succession.law, heir };
        standing.state = next(standing.state, SuccessionOutcome::CancelledByOwner, &course, wall_clock()).0;
        standing.write(&folder)?;
        record(&folder, &standing.state, &words(&standing.state), wall_clock());
        println!("{}: {}", folder.name(), words(&standing.state));
        Ok(ExitCode::SUCCESS)
    }
}

impl RunArguments {
    async fn run(&self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let (dead, _) = subject.folder()?.clone();
        let settings = Settings::read(&config_of(&subject)?)?;
        let _lock = SuccessionLock::of(&dead)?;
        let known_standing = Standing::read(&dead)?;
        if let Some(standing) = known_standing.as_ref().filter(|standing| standing.state.is_over()) {
            println!("{}: {}", subject.name, words(&standing.state));
            if let Some(line) = next_line(standing, &subject.name).filter(|_| !self.json) {
                println!("{line}");
            }
            return Ok(ExitCode::SUCCESS);
        }
        let begun = known_standing.as_ref().map(|standing| standing.mandate);
        let terms = mandate::find(&self.which.home, &subject, begun).await?;
        let desk = subject.chain.desk(self.wallet.signer(&subject.chain).await?)?;
        let known = desk.golem(subject.agent).await?;
        let mut standing = match known_standing {
            // What was halted for a reason that may be gone is tried again, because somebody asks for it.
            Some(standing) => Standing { state: standing.state.again(), ..standing },
            None => {
                let premises = Premises {
                    is_settled: known.life.eq_ignore_ascii_case("dead"),
                    has_mandate: terms.is_some(),
                    has_successor: known.successor != U256::MAX,
                    mode: Mode::Hosted,
                    host: SuccessionHost::OwnerHost,
                };
                settings.succession.law.may_begin(&premises)?;
                let generation = u32::try_from(known.generation.saturating_to::<u64>()).unwrap_or(u32::MAX);
                Standing {
                    state: State::BEGIN,
                    mandate: terms.as_ref().map(|terms| terms.mandate).unwrap_or_default(),
                    name: next_name(&subject.name, generation.saturating_add(1)),
                    followed: BTreeSet::new(),
                    born: None,
                    founded: None,
                }
            }
        };
        let Some(terms) = terms else { bail!("the terms of mandate {} are not on this machine", standing.mandate) };
        ensure!(terms.mandate == standing.mandate, "this succession began by mandate {}", standing.mandate);
        standing.write(&dead)?;
        let orchestration = Orchestration { arguments: self, subject: &subject, dead: &dead, desk, terms, settings };
        orchestration.take_up(&mut standing).await?;
        orchestration.drive(&mut standing).await?;
        orchestration.tell(&standing)
    }

    /// Begins, or goes on with, the succession of one that died in this process, and tells what kept it from that. Answers
    /// whether a successor lives.
    pub(super) async fn begin(&self) -> bool {
        match self.run().await {
            Ok(code) => code == ExitCode::SUCCESS,
            Err(error) => {
                let name = &self.which.golem;
                let told = format!("{name} is not succeeded by itself; `bardo line succession run {name}` tries again");
                let words = format!("{told}: {error:#}");
                screen::complain(&error.wrap_err(told));
                if let Ok(folder) = self.which.folder() {
                    record_failure(&folder, &words, wall_clock());
                    notify(&folder, words).await;
                }
                false
            }
        }
    }
}

/// I-284. Tells the owner on every channel that is configured.
async fn notify(dead: &Folder, words: String) {
    tracing::warn!(golem = dead.name(), words, "the succession stopped");
    tell_owner(dead, Kind::Succession, wall_clock(), words).await;
}

impl Orchestration<'_> {
    fn course(&self) -> SuccessionTerms {
        let law = golem_inheritance::succession::SuccessionLaw {
            budget: self.terms.plan.budget,
            ..self.settings.succession.law
        };
        let generation = self.terms.generation_after;
        SuccessionTerms { law, heir: Descent { lineage: self.terms.plan.lineage, generation } }
    }

    /// I-289. One that was halted, or given up, after its child was born goes on with the child.
    async fn take_up(&self, standing: &mut Standing) -> Result<()> {
        if matches!(standing.state, State::Halted { .. }) && self.own_child(standing).await?.is_some() {
            standing.state = State::Running { step: SuccessionStep::Register, attempt: CycleAttempt::FIRST };
            standing.write(self.dead)?;
        }
        Ok(())
    }

    async fn drive(&self, standing: &mut Standing) -> Result<()> {
        let course = self.course();
        loop {
            let (outcome, why) = match standing.state {
                State::Running { step, .. } => self.outcome(step, standing).await,
                State::Waiting { until, .. } => {
                    let left = until.since(wall_clock());
                    if self.arguments.once && !left.is_zero() {
                        return Ok(());
                    }
                    tokio::time::sleep(left).await;
                    (SuccessionOutcome::Woke, None)
                }
                State::Halted { .. } | State::Done { .. } | State::Cancelled(_) => return Ok(()),
            };
            let (state, wants) = next(standing.state, outcome, &course, wall_clock());
            standing.state = state;
            standing.write(self.dead)?;
            record(self.dead, &state, &words(&state), wall_clock());
            if wants.contains(&Want::ReleaseCompute) {
                self.release(standing).await?;
            }
            let is_halted = wants.iter().any(|want| matches!(want, Want::NotifyOwner(_)));
            if is_halted || is_first_failure(&state) {
                let next = next_line(standing, &self.subject.name).unwrap_or_default();
                let why = why.map_or_else(String::new, |why| format!(" ({why})"));
                notify(self.dead, format!("{}{why}; {next}", words(&standing.state))).await;
            }
        }
    }

    /// What came of a step, and in words why it failed.
    async fn outcome(&self, step: SuccessionStep, standing: &mut Standing) -> (SuccessionOutcome, Option<String>) {
        if !self.arguments.json {
            eprintln!("{step}");
        }
        let done = match self.others_child(standing).await {
            Ok(Some(successor)) => Ok(SuccessionOutcome::Summoned { successor }),
            Ok(None) => self.perform(step, standing).await,
            // I-285: a chain that cannot be asked is asked again.
            Err(error) => Err(Failed::ForNow(error)),
        };
        let (outcome, error, words) = match done {
            Ok(outcome) => return (outcome, None),
            Err(Failed::ForNow(error)) => (SuccessionOutcome::FailedForNow, error, "failed for now"),
            Err(Failed::ForGood(error)) => (SuccessionOutcome::FailedForGood, error, "cannot be done"),
        };
        let why = format!("{error:#}");
        screen::complain(&error.wrap_err(format!("step {step} {words}")));
        (outcome, Some(why))
    }

    fn tell(&self, standing: &Standing) -> Result<ExitCode> {
        let is_done = matches!(standing.state, State::Done { .. });
        let mut diff: Vec<String> = Vec::new();
        if let State::Halted { why: Halt::Gate(_), .. } = standing.state {
            let prepared = self.prepared(&mut standing.clone())?;
            diff = heirship::diff(&prepared.book.book, &prepared.before);
        }
        if self.arguments.json {
            let (succession, words) = (AsKept::of(standing), words(&standing.state));
            // One line, as `golem run --json` tells everything.
            println!("{}", SuccessionPicture { succession, words, diff }.json());
        } else {
            println!("{}: {}", self.subject.name, words(&standing.state));
            diff.iter().for_each(|line| println!("  {}", screen::harmless(line)));
            if let Some(line) = next_line(standing, &self.subject.name) {
                println!("{line}");
            }
        }
        Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
