//! Alerts (O-006): to a webhook in the shape its receiver takes, to a command as JSON on its standard input. None of them ever
//! disturbs a life.

mod webhook;

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use golem_chain::redact_url;
use golem_core::record::{EffectRefusal, Event, Forgone, Unbought};
use golem_edge::client;
use golem_inheritance::testament::Recommendation;
use golem_primitives::{Address, B256, Usdc, UtcTime, keccak256};
use golem_runtime::{EventLine, TestamentFile};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use webhook::Posted;
pub(crate) use webhook::WebhookFormat;

/// Alerts that may wait for a slow receiver; more are told in the log alone.
const WAITING: usize = 64;
/// How often one delivery is tried.
const TRIES: u32 = 4;
/// Before the second try; doubles with each.
const BACKOFF: Duration = Duration::from_millis(500);
/// For one try.
const PATIENCE: Duration = Duration::from_secs(5);
/// For what still waits when a process ends.
const LAST_CALL: Duration = Duration::from_secs(20);

/// What an alert is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// It lives for the first time.
    Born,
    PhaseChange,
    /// Its key can soon pay for no report.
    LowGas,
    /// Nothing was heard of it on chain for too long.
    MissedBeat,
    /// It wanted to spend and may not.
    CapHit,
    /// Its death has begun.
    Dying,
    Dead,
    /// The chain cannot be seen.
    Blind,
    /// Somebody took its money and served nothing, or its wallet holds less than it should.
    Cheated,
    /// Its vault holds something else than its own books say.
    LedgerDiffers,
    /// S-022, S-097, A-056. What presses on it, or moves it, wants the owner's eye.
    Distress,
    /// I-122. A sibling keeps telling it what does not hold.
    Diverging,
    /// I-284. Its succession stopped, or could not begin.
    Succession,
    /// It cannot go on here, and somebody has to look.
    Stopped,
    /// Its owner tries whether he would be told.
    Test,
}

/// Whom it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Whom {
    pub(crate) golem: String,
    pub(crate) agent: String,
    pub(crate) vault: Option<Address>,
    pub(crate) chain_id: Option<u64>,
}

/// One alert; the body of the webhook and the standard input of the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Alert {
    pub(crate) kind: Kind,
    #[serde(flatten)]
    pub(crate) whom: Whom,
    pub(crate) time: String,
    pub(crate) tick: Option<u64>,
    pub(crate) text: String,
    /// M-206. Of the dead: what they left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) left: Option<Box<Left>>,
}

/// M-206. What a dead Golem left, for those who decide what comes next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Left {
    /// The hash of its testament, as the chain records it.
    testament: B256,
    /// What it advises; none of an immortal.
    recommendation: Option<Recommendation>,
    /// Its last balance, the reserve included.
    balance: Usdc,
    /// What its round trips came to; none of one that had no hand.
    earned: Option<golem_runtime::Earned>,
    /// M-191. What stood to go to its owner when the testament was written, and why anything of it was left in kind.
    estate: Option<golem_runtime::Estate>,
}

impl Left {
    /// What a testament says of it; `None` for bytes that are none.
    pub(crate) fn of(testament: &[u8]) -> Option<Self> {
        let file: TestamentFile = serde_json::from_slice(testament).ok()?;
        let recommendation = file.testament.recommendation;
        Some(Self {
            testament: keccak256(testament),
            recommendation,
            balance: file.left,
            earned: file.earned,
            estate: file.estate,
        })
    }
}

impl Alert {
    /// M-206. The same, of the dead with what they left.
    pub(crate) fn with_testament(mut self, read: impl FnOnce() -> Option<Vec<u8>>) -> Self {
        if self.kind == Kind::Dead {
            self.left = read().and_then(|bytes| Left::of(&bytes)).map(Box::new);
        }
        self
    }
}

/// Who is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Receivers {
    pub(crate) webhook: Option<String>,
    pub(crate) format: WebhookFormat,
    pub(crate) command: Option<String>,
}

impl Receivers {
    pub(crate) const fn is_empty(&self) -> bool {
        self.webhook.is_none() && self.command.is_none()
    }

    /// The same, with what these do not say from others. A format is that of its webhook.
    pub(crate) fn or(self, others: &Self) -> Self {
        let format = if self.webhook.is_some() { self.format } else { others.format };
        let webhook = self.webhook.or_else(|| others.webhook.clone());
        Self { webhook, format, command: self.command.or_else(|| others.command.clone()) }
    }
}

/// Tells everybody once and says what came of it, each by a name without secrets.
pub(crate) async fn try_receivers(receivers: &Receivers, alert: &Alert) -> Vec<(String, Result<(), String>)> {
    let mut told = Vec::new();
    if let Some(url) = &receivers.webhook {
        told.push((redact_url(url), post(url, &receivers.format.posted(url, alert)).await));
    }
    if let Some(program) = &receivers.command {
        let body = serde_json::to_string(alert).expect("plain data");
        told.push((program.clone(), hand_over(program, &body).await));
    }
    told
}

/// Takes alerts along and delivers them in its own time.
#[derive(Debug)]
pub(crate) struct Courier {
    queue: mpsc::Sender<Alert>,
    worker: JoinHandle<()>,
}

impl Courier {
    /// Starts one; `None` when nobody wants to hear.
    pub(crate) fn start(receivers: Receivers) -> Option<Self> {
        if receivers.is_empty() {
            return None;
        }
        let Receivers { webhook, format, command } = receivers;
        let (queue, mut alerts) = mpsc::channel::<Alert>(WAITING);
        let worker = tokio::spawn(async move {
            while let Some(alert) = alerts.recv().await {
                let body = serde_json::to_string(&alert).expect("plain data");
                if let Some(url) = &webhook {
                    let posted = format.posted(url, &alert);
                    deliver(&redact_url(url), || post(url, &posted)).await;
                }
                if let Some(program) = &command {
                    deliver(program, || hand_over(program, &body)).await;
                }
            }
        });
        Some(Self { queue, worker })
    }

    /// Takes an alert along; never waits.
    pub(crate) fn take(&self, alert: Alert) {
        if let Err(error) = self.queue.try_send(alert) {
            tracing::warn!(%error, "an alert could not be taken along");
        }
    }

    /// Delivers what still waits, within bounds.
    pub(crate) async fn close(self) {
        drop(self.queue);
        if tokio::time::timeout(LAST_CALL, self.worker).await.is_err() {
            tracing::warn!("some alerts could not be delivered before the end");
        }
    }
}

/// Tries a bounded number of times, then lets it be.
async fn deliver<F: Future<Output = Result<(), String>>>(to: &str, send: impl Fn() -> F) {
    for attempt in 0..TRIES {
        if attempt > 0 {
            tokio::time::sleep(BACKOFF * 2_u32.pow(attempt - 1)).await;
        }
        match send().await {
            Ok(()) => return,
            Err(why) => tracing::warn!(to, attempt = attempt + 1, of = TRIES, why, "an alert was not delivered"),
        }
    }
}

async fn post(url: &str, what: &Posted) -> Result<(), String> {
    // The URL may hold a secret, so no error shows it.
    let say = |error: reqwest::Error| error.without_url().to_string();
    let mut posted = client::client().map_err(say)?.post(url).header("content-type", what.content_type);
    for (name, value) in &what.headers {
        posted = posted.header(*name, value);
    }
    let answer = posted.body(what.body.clone()).timeout(PATIENCE).send().await.map_err(say)?;
    if answer.status().is_success() { Ok(()) } else { Err(format!("it answered {}", answer.status())) }
}

/// Runs a program as it is named, without a shell, with the alert on its standard input.
async fn hand_over(program: &str, body: &str) -> Result<(), String> {
    let say = |error: std::io::Error| error.to_string();
    let mut child = tokio::process::Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(say)?;
    if let Some(mut input) = child.stdin.take() {
        // A program that does not read has still been run.
        let _ = input.write_all(body.as_bytes()).await;
    }
    let ended = tokio::time::timeout(PATIENCE, child.wait()).await.map_err(|_| "it did not end in time".to_owned())?;
    let status = ended.map_err(say)?;
    if status.success() { Ok(()) } else { Err(format!("it ended with {status}")) }
}

/// What of a life's events is worth an alert. What happens at every tick is told once a day.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    told: BTreeSet<(Kind, u64)>,
    /// What the owner received, told with the death.
    received: Option<String>,
}

impl Filter {
    pub(crate) fn alert(&mut self, line: &EventLine, whom: &Whom) -> Option<Alert> {
        use golem_mortality::event::LawEvent;
        let daily = |kind: Kind| Some((kind, true));
        let (kind, once_a_day, text) = match &line.data {
            Event::Mortality(LawEvent::PhaseTransition { from_phase, to_phase, composite, .. }) => {
                (Kind::PhaseChange, false, format!("{from_phase} -> {to_phase} (vitality {composite})"))
            }
            Event::Mortality(LawEvent::DeathTrigger { cause, .. }) => {
                (Kind::Dying, false, format!("its death has begun: {}", cause.name()))
            }
            Event::OwnerReceived(received) => {
                self.received = Some(received.told());
                return None;
            }
            Event::DeathConcluded => {
                let received = self.received.take();
                let told = received.unwrap_or_else(|| "somebody else settled it; see its estate".to_owned());
                (Kind::Dead, false, format!("dead, settled on chain; {told}"))
            }
            Event::WentBlind => {
                (Kind::Blind, false, "the chain cannot be seen; nothing is done until it can".to_owned())
            }
            Event::LedgerDiffers { partition, ours, chain } => {
                let text = format!(
                    "{partition:?} holds {chain} on chain and {ours} by its own books; look who else has its key. Nobody \
                     is paid and nothing is entered until they agree or its key is replaced"
                );
                (Kind::LedgerDiffers, false, text)
            }
            Event::CapitalDiffers { ours, chain } => {
                let text = format!(
                    "its capital is {chain} by the vault's books and {ours} by its own ledger; somebody else moved it, or \
                     what it says of its profit is wrong"
                );
                (Kind::LedgerDiffers, false, text)
            }
            Event::SiblingDiverges { golem, checks, refuted } => {
                let text = format!(
                    "{refuted} of {checks} things that its sibling {golem} said do not hold here; `exclude` under [clade] in \
                     golem.toml keeps its words away"
                );
                (Kind::Diverging, false, text)
            }
            Event::Unbought(missed) => match missed.why {
                Unbought::Cheated { until } => {
                    let text = format!("{} took {} and served nothing; barred until {until}", missed.host, missed.cost);
                    (Kind::Cheated, false, text)
                }
                Unbought::FloatShort { short } => {
                    let text =
                        format!("the key's wallet lacks {short} that nobody here paid; look who else has its key");
                    (Kind::Cheated, true, text)
                }
                _ => return None,
            },
            other => {
                let (kind, text) = match other {
                    Event::EffectRefused { reason: EffectRefusal::DailyCap { partition }, .. } => {
                        (daily(Kind::CapHit), format!("{partition:?} may spend no more today"))
                    }
                    Event::BudgetBreached { cost, budget, .. } => {
                        (daily(Kind::CapHit), format!("an effect cost {cost}, {budget} was allowed"))
                    }
                    Event::TradeForgone { reason: Forgone::Gas, .. } => {
                        (daily(Kind::LowGas), "a trade was forgone for want of gas".to_owned())
                    }
                    Event::Suffering(told) => (daily(Kind::Distress), crate::screen::distress_words(told)?),
                    _ => (None, String::new()),
                };
                let (kind, daily) = kind?;
                (kind, daily, text)
            }
        };
        if once_a_day && !self.told.insert((kind, line.time.day())) {
            return None;
        }
        Some(alert(kind, whom, line.time, Some(line.tick.get()), text))
    }
}

pub(crate) fn alert(kind: Kind, whom: &Whom, time: UtcTime, tick: Option<u64>, text: String) -> Alert {
    Alert { kind, whom: whom.clone(), time: time.to_string(), tick, text, left: None }
}

#[cfg(test)]
mod tests {
    use golem_core::record::{EffectKind, Missed, Partition, Received, SourceName};
    use golem_primitives::{GolemId, Tick, Usdc};

    use super::*;

    fn line(data: Event, seconds: u64) -> EventLine {
        let golem = GolemId::new("ada").expect("a name");
        EventLine {
            seq: 1,
            index: 0,
            golem,
            tick: Tick::new(9),
            time: UtcTime::from_seconds(seconds),
            name: String::new(),
            data,
        }
    }

    /// O-006: each kind is told; what repeats is told once a day.
    #[test]
    fn o_006_events_become_alerts_and_caps_are_told_once_a_day() {
        let whom = Whom { golem: "ada".into(), agent: "1".into(), vault: None, chain_id: None };
        let mut filter = Filter::default();
        let cap = || Event::EffectRefused {
            kind: EffectKind::Curate,
            reason: EffectRefusal::DailyCap { partition: Partition::Llm },
        };
        assert_eq!(filter.alert(&line(cap(), 10), &whom).expect("told").kind, Kind::CapHit);
        assert_eq!(filter.alert(&line(cap(), 20), &whom), None);
        assert_eq!(filter.alert(&line(cap(), 86_400), &whom).expect("another day").kind, Kind::CapHit);
        assert_eq!(filter.alert(&line(Event::WentBlind, 5), &whom).expect("told").kind, Kind::Blind);
        assert_eq!(filter.alert(&line(Event::WentBlind, 6), &whom).expect("told again").kind, Kind::Blind);
        let received = Received { usdc: Usdc::whole(12), is_whole: true, ..Received::default() };
        assert_eq!(filter.alert(&line(Event::OwnerReceived(Box::new(received)), 7), &whom), None);
        let dead = filter.alert(&line(Event::DeathConcluded, 7), &whom).expect("told");
        assert!(dead.kind == Kind::Dead && dead.text.contains("received 12.00 USDC"), "T-004: {}", dead.text);
        assert_eq!(filter.alert(&line(Event::SawAgain, 8), &whom), None);
        let (ours, chain) = (Usdc::whole(2), Usdc::whole(1));
        let differs = Event::LedgerDiffers { partition: Partition::Data, ours, chain };
        let told = filter.alert(&line(differs, 9), &whom).expect("told");
        assert!(told.kind == Kind::LedgerDiffers && told.text.contains("who else has its key"), "{told:?}");
        let missed = |why: Unbought| {
            let source = SourceName::new("eth").expect("a name");
            Event::Unbought(Box::new(Missed { source, host: "x:443".to_owned(), cost: ours, why }))
        };
        let cheated = missed(Unbought::Cheated { until: UtcTime::from_seconds(86_400) });
        let told = filter.alert(&line(cheated, 9), &whom).expect("told");
        assert!(told.kind == Kind::Cheated && told.text.starts_with("x:443 took"), "{told:?}");
        assert_eq!(filter.alert(&line(missed(Unbought::Refused), 9), &whom), None);
    }
}
