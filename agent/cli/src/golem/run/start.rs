//! The beginning of a life in this process, which may have to wait for its endpoints or for room on its disk.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use eyre::Result;
use golem_chain::{Deployment, Signer};
use golem_runtime::{GolemStanding, Metrics, begin_with_room};
use tokio::sync::watch;

use super::{Aside, RunArguments, complain_of, herald};
use crate::golem::clade;
use crate::golem::clade::RelayChoice;
use crate::golem::connect::{ChainChoice, Connected};
use crate::golem::feed::{Beside, keep};
use crate::golem::home::{BirthCertificate, Folder};
use crate::golem::launch::{Launched, launch, remedy};
use crate::golem::pace::Pace;
use crate::relay::{Guest, keep_backups};

/// The chains of a fleet. Everybody uses the endpoints of his own folder; those who name the same share a connection.
#[derive(Debug, Default)]
pub(super) struct Chains(Mutex<Vec<(ChainChoice, Deployment, Connected)>>);

impl Chains {
    pub(super) async fn of(&self, choice: ChainChoice, suite: &Deployment) -> Result<Connected> {
        if let Some(chain) = self.known(&choice, suite) {
            return Ok(chain);
        }
        // Nobody waits for another's endpoints; whoever was faster with the same ones is joined.
        let chain = choice.connect_as(Some(suite)).await?;
        Ok(self.known(&choice, suite).unwrap_or_else(|| {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push((choice, suite.clone(), chain.clone()));
            chain
        }))
    }

    fn known(&self, choice: &ChainChoice, suite: &Deployment) -> Option<Connected> {
        let chains = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        chains.iter().find(|(other, its, _)| other == choice && its == suite).map(|(.., chain)| chain.clone())
    }
}

/// What all lives of a fleet have in common.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared {
    pub(super) chains: Arc<Chains>,
    pub(super) counts: Arc<Metrics>,
    /// Who tells of the lives.
    pub(super) heralds: Arc<Aside>,
}

/// A life that is to begin. Whatever may change while it waits is read again at each try.
pub(super) struct Start {
    pub(super) arguments: RunArguments,
    pub(super) folder: Folder,
    pub(super) birth: BirthCertificate,
    /// The key of this machine; a signer elsewhere is asked when the life begins.
    pub(super) key: Option<Signer>,
    pub(super) shared: Shared,
}

impl Start {
    /// Whether another has already named the chain this one will ask for.
    pub(super) fn names_the_chain_of(&self, other: &Self) -> bool {
        let choice = |start: &Self| start.arguments.choice_of(&start.folder).ok();
        self.birth.deployment == other.birth.deployment && choice(self) == choice(other)
    }

    /// The life, ready to run, with who tells of it.
    pub(super) async fn take_up(&self) -> Result<Launched<Pace>> {
        let Self { folder, birth, shared, .. } = self;
        let settings = &folder.settings()?;
        let key = match &self.key {
            Some(key) => key.clone(),
            None => self.arguments.key(folder, birth).await?,
        };
        let chain = &self.arguments.chain_of(folder, birth, &shared.chains).await?;
        let pace = Pace::of(chain, self.arguments.speed, settings.block).await?;
        let counts = shared.counts.clone();
        let mut runtime = launch(folder, birth, settings, chain, key.clone(), pace, counts.clone()).await?;
        // I-101. Who names no relay hears those of its owner in this process.
        let embedded = self.arguments.relay.map(|address| format!("ws://{address}"));
        if let Some(url) = settings.relay.clone().or(embedded) {
            let relay = RelayChoice { url, ca: settings.ca.clone() };
            let through = runtime.life().kinship().map_or(0, |kinship| kinship.through);
            let link = clade::link(folder, birth, chain, key.clone(), relay.clone(), through)?;
            runtime.join(Box::new(link));
            if let Some(archive) = settings.archive {
                let (folder, birth, chain, key) = (folder.clone(), birth.clone(), chain.clone(), key.clone());
                let guest = Guest { folder, birth, archive: Some(archive), chain, key, relay };
                tokio::spawn(keep_backups(guest, runtime.telemetry().listen()));
            }
        }
        if let Some(herald) = herald(folder, birth, settings, chain, &runtime) {
            shared.heralds.take(herald);
        }
        if let Some(choice) = settings.feed.clone() {
            let (folder, chain, birth) = (folder.clone(), chain.clone(), birth.clone());
            // It ends with the life it stands beside.
            keep(Beside { folder, birth, choice, chain, key, counts }, &runtime);
        }
        Ok(self.arguments.prepare(folder, runtime))
    }

    /// The same as soon as it can be; told to stop before, it never begins. What fails otherwise is told and
    /// counted.
    pub(super) async fn when_it_can(
        self: Arc<Self>,
        stop: watch::Receiver<bool>,
        absent: Arc<AtomicUsize>,
    ) -> Option<Launched<Pace>> {
        match begin_with_room(&self.birth.golem(), stop, remedy, || self.take_up()).await? {
            Ok(runtime) => Some(runtime),
            Err(error) => {
                self.shared.counts.stands(self.folder.name(), GolemStanding::Failed);
                complain_of(&self.folder, error);
                absent.fetch_add(1, Ordering::Relaxed);
                None
            }
        }
    }
}
