//! The stall beside a life: opened with it, closed when it dies or stops, and never in its way.

use std::sync::Arc;
use std::time::Duration;

use eyre::{Result, WrapErr};
use golem_chain::{KeyFloat, Signer};
use golem_core::record::{DaimonEvent, Event, SufferingEvent};
use golem_mortality::event::LawEvent;
use golem_ports::{Float as _, TickSource};
use golem_runtime::{EventLine, LifeStage, Metrics};
use golem_x402::{Counter, Payee};
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use super::choice::FeedChoice;
use super::stall::Stall;
use crate::golem::connect::Connected;
use crate::golem::home::{BirthCertificate, Folder};
use crate::golem::launch::Launched;

/// Between two looks at what its owner publishes.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Between two tries to open.
const TRY_EVERY: Duration = Duration::from_secs(30);

/// What a stall is kept with.
pub(crate) struct Beside {
    pub(crate) folder: Folder,
    pub(crate) birth: BirthCertificate,
    pub(crate) choice: FeedChoice,
    pub(crate) chain: Connected,
    pub(crate) key: Signer,
    pub(crate) counts: Arc<Metrics>,
}

/// What an event means for a stall.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    Nothing,
    Restock,
    Close,
}

/// Keeps a stall open for as long as the Golem lives in this process.
pub(crate) fn keep<T: TickSource>(beside: Beside, runtime: &Launched<T>) -> Option<JoinHandle<()>> {
    if !runtime.life().is_alive() {
        eprintln!("{} is dying or dead: it takes and sells nothing", beside.folder.name());
        return None;
    }
    let mut events = runtime.telemetry().listen();
    let mut stage = runtime.stage();
    let stall = Arc::new(Stall::new(beside.folder.clone(), beside.birth.golem(), beside.counts.clone()));
    Some(tokio::spawn(async move {
        let mut payee = None;
        let mut tries = tokio::time::interval(TRY_EVERY);
        tries.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        stall.restock().await;
        stall.restock_sets().await;
        loop {
            let word = tokio::select! {
                biased;
                // Its own word comes with the event; the stage is heard also by a listener that lags, or by none.
                changed = stage.changed() => match changed {
                    Ok(()) if *stage.borrow_and_update() == LifeStage::Dying => Word::Close,
                    Ok(()) => Word::Nothing,
                    Err(_) => Word::Close,
                },
                heard = events.recv() => match heard {
                    Ok(line) => word(&line),
                    Err(RecvError::Lagged(_)) => Word::Restock,
                    Err(RecvError::Closed) => Word::Close,
                },
                _ = looks.tick() => {
                    stall.restock_sets().await;
                    Word::Nothing
                }
                _ = tries.tick(), if payee.is_none() => {
                    payee = beside.open(&stall).await;
                    Word::Nothing
                }
            };
            match word {
                Word::Nothing => {}
                Word::Restock => stall.restock().await,
                Word::Close => break,
            }
        }
        stall.close();
        drop(payee);
    }))
}

fn word(line: &EventLine) -> Word {
    match &line.data {
        Event::DyingStage(_) | Event::DeathConcluded => Word::Close,
        Event::Curated(_) | Event::Mortality(LawEvent::PhaseTransition { .. }) => Word::Restock,
        // A-077, S-129. What moves a mood moves what is given away, and a band may close it.
        Event::Daimon(told) if matches!(**told, DaimonEvent::MoodUpdate { .. } | DaimonEvent::GriefBegan { .. }) => {
            Word::Restock
        }
        Event::Suffering(told) if matches!(**told, SufferingEvent::BandChanged { .. }) => Word::Restock,
        _ => Word::Nothing,
    }
}

impl Beside {
    /// Opens, or tells why not. A facilitator that does not answer is told too: until it does, whoever pays is asked to
    /// come back, and nothing is taken.
    async fn open(&self, stall: &Arc<Stall>) -> Option<Payee> {
        let name = self.folder.name();
        let payee = match self.try_open(stall).await {
            Ok(payee) => payee,
            Err(error) => {
                eprintln!("{name} takes no feed: {error:#}; it lives on, and this is tried again");
                return None;
            }
        };
        eprintln!("{name} takes a feed at {}", payee.url());
        // Asked apart: a facilitator that keeps one waiting must not keep a stall from being closed.
        let (name, settings) = (name.to_owned(), self.choice.settings(None));
        let chain_id = self.birth.deployment.chain_id;
        tokio::spawn(async move {
            if let Err(error) = settings.settled_versions(chain_id).await {
                eprintln!("{name} cannot be paid yet: {:#}; it lives on", eyre::Report::new(error));
            }
        });
        Some(payee)
    }

    async fn try_open(&self, stall: &Arc<Stall>) -> Result<Payee> {
        let float = KeyFloat::open(self.chain.endpoints.clone(), self.key.clone(), &self.birth.deployment).await;
        let float = float.wrap_err("the chain's USDC cannot be read")?;
        let counter = Counter::of(float.place(), self.birth.vault);
        Ok(Payee::open(self.choice.settings(Some(&self.birth)), counter, stall.clone()).await?)
    }
}
