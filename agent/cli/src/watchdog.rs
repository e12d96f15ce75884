//! `bardo watchdog`: alerts from the chain alone, also when the machine a Golem lives on is down (O-006).

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use eyre::{Result, bail};
use golem_chain::OwnerDesk;
use golem_primitives::{AgentId, UtcTime};
use golem_view::{AsKept, Seconds, Shown as _, WatchedPicture, table_of};

use crate::alerts::{Alert, Courier, Kind, Receivers, WebhookFormat, Whom, alert, try_receivers};
use crate::chain::Stopping;
use crate::golem::connect::{ChainChoice, Connected};
use crate::golem::home::Home;
use crate::golem::pace::wall_clock;
use crate::golem::rules::parse_span;
use crate::screen;

/// Gas of a report, and how much over the base fee is offered for it.
const BEAT_GAS: u128 = 70_000;
const FEE_ROOM: u128 = 2;
/// Exit code when something is wrong.
const WRONG: u8 = 3;
#[derive(Debug, Args)]
#[command(
    after_help = "Example: bardo watchdog ada --webhook https://hooks.example.org/T0/B1\n         bardo watchdog --agent 12 --once   (for cron)\n         bardo watchdog ada --test\nWith --once: exit code 0 all is well, 3 something is wrong, 1 it could not be asked."
)]
pub(crate) struct WatchdogArguments {
    /// Golems of this machine; all of them when nobody is named.
    #[arg(value_name = "GOLEM")]
    golems: Vec<String>,
    /// Golems of other machines, by agent id.
    #[arg(long = "agent", value_name = "ID", value_delimiter = ',')]
    agents: Vec<AgentId>,
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// Send a test alert to whoever would be told, say what each answered, and end.
    #[arg(long, conflicts_with_all = ["once", "json"])]
    test: bool,
    /// Look once and end.
    #[arg(long)]
    once: bool,
    /// Between two looks, such as 60s.
    #[arg(long, default_value = "60s", value_parser = parse_span, value_name = "SPAN")]
    every: Duration,
    /// Where alerts are posted, in the shape of Telegram, Discord, Slack or ntfy by its address and as JSON otherwise; else as
    /// golem.toml says.
    #[arg(long, env = "BARDO_WEBHOOK", value_name = "URL")]
    webhook: Option<String>,
    /// What is run for each alert, its JSON on standard input; else as golem.toml says.
    #[arg(long, value_name = "PROGRAM")]
    command: Option<String>,
    /// Reports the key's gas must cover.
    #[arg(long, value_name = "N")]
    low_gas_beats: Option<u64>,
    /// Silence on chain that is too long, such as 7h.
    #[arg(long, value_parser = parse_span, value_name = "SPAN")]
    missed_beat: Option<Duration>,
    /// One JSON object for each look at a Golem.
    #[arg(long)]
    json: bool,
}

/// One Golem under watch.
#[derive(Debug)]
struct Watched {
    whom: Whom,
    agent: AgentId,
    bounds: Bounds,
    phase: Option<String>,
    /// What was wrong at the last look: told once, and again only after it was well.
    wrong: BTreeSet<Kind>,
}

impl Watched {
    /// What is wrong with it, before anything was seen of it.
    fn picture(&self, error: Option<String>) -> WatchedPicture {
        let blind = [Kind::Blind];
        let wrong: Vec<&Kind> = if error.is_some() { blind.iter().collect() } else { self.wrong.iter().collect() };
        WatchedPicture {
            golem: self.whom.golem.clone(),
            agent: self.agent,
            time: None,
            life: None,
            phase: None,
            ticks: None,
            silent: None,
            beats_left: None,
            wrong: wrong.into_iter().map(AsKept::of).collect(),
            error,
        }
    }
}

/// Everybody under watch, where they live, and who is told.
#[derive(Debug)]
struct Watch {
    golems: Vec<Watched>,
    chain: ChainChoice,
    receivers: Receivers,
}

/// O-006. Whether somebody would be told, tried before it matters.
async fn try_all(receivers: &Receivers, golems: &[Watched]) -> Result<ExitCode> {
    if receivers.is_empty() {
        bail!(
            "nobody is told: set `webhook` or `command` under [alerts] in golem.toml, or give --webhook or --command"
        );
    }
    let mut is_told = true;
    for watched in golems {
        let text = "a test: whoever reads this is told of its phases, alarms and death".to_owned();
        let test = alert(Kind::Test, &watched.whom, wall_clock(), None, text);
        for (to, told) in try_receivers(receivers, &test).await {
            is_told &= told.is_ok();
            let came = told.map_or_else(|why| format!("was not told: {why}"), |()| "was told".to_owned());
            println!("{:<12} {to} {came}", watched.whom.golem);
        }
    }
    Ok(if is_told { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
}

/// What is too little and too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) low_gas_beats: u64,
    pub(crate) missed_beat: Duration,
}

/// What the chain shows of a Golem.
#[derive(Debug)]
pub(crate) struct Sighted {
    pub(crate) time: UtcTime,
    pub(crate) life: String,
    pub(crate) phase: String,
    pub(crate) ticks: u64,
    pub(crate) silent: Duration,
    pub(crate) beats_left: u64,
    pub(crate) is_asleep: bool,
}

impl Sighted {
    pub(crate) async fn look(chain: &Connected, desk: &OwnerDesk, agent: AgentId) -> Result<Self> {
        let head = chain.endpoints.head().await?;
        let golem = desk.golem(agent).await?;
        let purse = desk.purse(golem.key).await?;
        let asleep = desk.books(golem.vault).await?.hibernated_until.is_some_and(|until| until > head.time);
        let beat_wei = head.base_fee.max(1).saturating_mul(FEE_ROOM * BEAT_GAS);
        Ok(Self {
            time: head.time,
            life: golem.life.to_lowercase(),
            phase: golem.phase,
            ticks: golem.ticks.saturating_to(),
            silent: head.time.since(UtcTime::from_seconds(golem.lastBeat.saturating_to())),
            beats_left: u64::try_from(purse.wei / beat_wei).unwrap_or(u64::MAX),
            is_asleep: asleep,
        })
    }

    /// Everything that is wrong with it.
    pub(crate) fn wrong(&self, bounds: &Bounds) -> Vec<(Kind, String)> {
        match self.life.as_str() {
            "dead" => return vec![(Kind::Dead, "it is dead".to_owned())],
            "dying" => return vec![(Kind::Dying, "its death has begun".to_owned())],
            _ => {}
        }
        let mut wrong = Vec::new();
        if self.beats_left < bounds.low_gas_beats {
            wrong.push((Kind::LowGas, format!("its key can pay for {} more reports", self.beats_left)));
        }
        if self.silent > bounds.missed_beat && !self.is_asleep {
            wrong.push((Kind::MissedBeat, format!("nothing was heard of it for {} h", self.silent.as_secs() / 3_600)));
        }
        wrong
    }
}

impl WatchdogArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let mut stopping = Stopping::listen()?;
        let Watch { mut golems, chain, receivers } = self.whom()?;
        if golems.is_empty() {
            bail!("nobody to watch: name a Golem of this machine, or others with --agent ID");
        }
        if self.test {
            return try_all(&receivers, &golems).await;
        }
        let courier = Courier::start(receivers);
        let code = loop {
            let Round { lines, alerts, is_wrong } = look(&chain, &mut golems).await;
            self.show(&lines);
            for alert in alerts {
                if !self.json {
                    println!("{}  {:<12} {:?}: {}", alert.time, alert.whom.golem, alert.kind, alert.text);
                }
                if let Some(courier) = &courier {
                    courier.take(alert);
                }
            }
            if self.once {
                break if is_wrong { ExitCode::from(WRONG) } else { ExitCode::SUCCESS };
            }
            tokio::select! {
                biased;
                () = stopping.asked() => break ExitCode::from(130),
                () = tokio::time::sleep(self.every) => {}
            }
        };
        if let Some(courier) = courier {
            courier.close().await;
        }
        Ok(code)
    }

    /// Whom to watch, where, and who is told.
    fn whom(&self) -> Result<Watch> {
        let folders = if self.golems.is_empty() && self.agents.is_empty() {
            self.home.all()?
        } else {
            self.golems.iter().map(|name| self.home.find(name)).collect::<Result<_>>()?
        };
        let mut choice = self.chain.clone();
        let (webhook, command) = (self.webhook.clone(), self.command.clone());
        if let Some(flaw) = webhook.as_deref().and_then(|url| WebhookFormat::Auto.flaw(url)) {
            bail!("--webhook: {flaw}");
        }
        let mut receivers = Receivers { webhook, format: WebhookFormat::Auto, command };
        let usual = crate::golem::settings::Settings::read("")?;
        let mut watched = Vec::new();
        for folder in &folders {
            let (birth, settings) = (folder.birth()?, folder.settings()?);
            choice = choice.or(&settings.rpc, settings.deployment.as_ref());
            receivers = receivers.or(&settings.receivers);
            let whom = Whom {
                golem: birth.name.clone(),
                agent: birth.agent.to_string(),
                vault: Some(birth.vault),
                chain_id: Some(birth.deployment.chain_id),
            };
            watched.push(self.watch(whom, birth.agent, settings.low_gas_beats, settings.missed_beat));
        }
        for agent in &self.agents {
            let whom = Whom { golem: format!("agent {agent}"), agent: agent.to_string(), vault: None, chain_id: None };
            watched.push(self.watch(whom, *agent, usual.low_gas_beats, usual.missed_beat));
        }
        Ok(Watch { golems: watched, chain: choice, receivers })
    }

    fn watch(&self, whom: Whom, agent: AgentId, beats: u64, silence: Duration) -> Watched {
        let bounds = Bounds {
            low_gas_beats: self.low_gas_beats.unwrap_or(beats),
            missed_beat: self.missed_beat.unwrap_or(silence),
        };
        Watched { whom, agent, bounds, phase: None, wrong: BTreeSet::new() }
    }

    fn show(&self, lines: &[WatchedPicture]) {
        if self.json {
            // One line for each look.
            lines.iter().for_each(|line| println!("{}", line.json()));
        } else if self.once {
            screen::show(&table_of("By the chain alone", lines));
        }
    }
}

/// One look at everybody.
struct Round {
    lines: Vec<WatchedPicture>,
    alerts: Vec<Alert>,
    is_wrong: bool,
}

async fn look(choice: &ChainChoice, watched: &mut [Watched]) -> Round {
    let (mut lines, mut alerts, mut is_wrong) = (Vec::new(), Vec::new(), false);
    let sighted = see(choice, watched).await;
    for golem in watched.iter_mut() {
        match sighted.get(&golem.agent) {
            Some(Ok(sight)) => {
                let wrong = sight.wrong(&golem.bounds);
                is_wrong |= !wrong.is_empty();
                if golem.phase.as_ref().is_some_and(|phase| *phase != sight.phase) {
                    let text = format!("{} -> {}", golem.phase.as_deref().unwrap_or_default(), sight.phase);
                    alerts.push(alert(Kind::PhaseChange, &golem.whom, sight.time, Some(sight.ticks), text));
                }
                golem.phase = Some(sight.phase.clone());
                for (kind, text) in wrong.iter().filter(|(kind, _)| !golem.wrong.contains(kind)) {
                    alerts.push(alert(*kind, &golem.whom, sight.time, Some(sight.ticks), text.clone()));
                }
                golem.wrong = wrong.iter().map(|(kind, _)| *kind).collect();
                lines.push(WatchedPicture {
                    time: Some(sight.time),
                    life: Some(sight.life.clone()),
                    phase: Some(sight.phase.clone()),
                    ticks: Some(sight.ticks),
                    silent: Some(Seconds(sight.silent.as_secs())),
                    beats_left: Some(sight.beats_left),
                    ..golem.picture(None)
                });
            }
            other => {
                is_wrong = true;
                let why = match other {
                    Some(Err(error)) => format!("{error:#}"),
                    _ => "it was not looked at".to_owned(),
                };
                if golem.wrong.insert(Kind::Blind) {
                    // A look that saw nothing knows this machine's own time alone.
                    alerts.push(alert(Kind::Blind, &golem.whom, wall_clock(), None, why.clone()));
                }
                lines.push(golem.picture(Some(why)));
            }
        }
    }
    Round { lines, alerts, is_wrong }
}

/// What the chain shows of each; a chain that does not answer is the same for all.
async fn see(choice: &ChainChoice, watched: &[Watched]) -> BTreeMap<AgentId, Result<Sighted>> {
    let chain = choice.connect().await;
    let mut sighted = BTreeMap::new();
    for golem in watched {
        let sight = match &chain {
            Err(error) => Err(eyre::eyre!("{error:#}")),
            Ok(chain) => match chain.onlooker() {
                Ok(desk) => Sighted::look(chain, &desk, golem.agent).await,
                Err(error) => Err(error),
            },
        };
        sighted.insert(golem.agent, sight);
    }
    sighted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-006: gas and silence have their bounds, sleep excuses silence, and the dying are only dying.
    #[test]
    fn o_006_what_is_wrong_follows_from_the_bounds() {
        let bounds = Bounds { low_gas_beats: 60, missed_beat: Duration::from_secs(7 * 3_600) };
        let well = || Sighted {
            time: UtcTime::EPOCH,
            life: "alive".into(),
            phase: "Stable".into(),
            ticks: 1,
            silent: Duration::from_secs(7 * 3_600),
            beats_left: 60,
            is_asleep: false,
        };
        let kinds = |sight: &Sighted| sight.wrong(&bounds).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
        assert_eq!(kinds(&well()), []);
        assert_eq!(kinds(&Sighted { beats_left: 59, ..well() }), [Kind::LowGas]);
        let silent = Duration::from_secs(7 * 3_600 + 1);
        assert_eq!(kinds(&Sighted { silent, ..well() }), [Kind::MissedBeat]);
        assert_eq!(kinds(&Sighted { silent, is_asleep: true, ..well() }), []);
        assert_eq!(kinds(&Sighted { silent, life: "dying".into(), ..well() }), [Kind::Dying]);
        assert_eq!(kinds(&Sighted { life: "dead".into(), ..well() }), [Kind::Dead]);
    }
}
