//! The beginning of a life in this process, which may have to wait for room on its disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use eyre::Result;
use golem_chain::Signer;
use golem_runtime::{Metrics, begin_with_room};
use tokio::sync::watch;

use super::{Aside, RunArguments, complain_of, herald};
use crate::golem::feed::{Beside, keep};
use crate::golem::pace::Pace;
use crate::golem::{BirthCertificate, Connected, Folder, Launched, Settings, launch, remedy};

/// A life that is to begin: everything it needs but room on its disk.
pub(super) struct Start {
    pub(super) arguments: RunArguments,
    pub(super) folder: Folder,
    pub(super) birth: BirthCertificate,
    pub(super) settings: Settings,
    pub(super) chain: Connected,
    pub(super) key: Signer,
    pub(super) counts: Arc<Metrics>,
    /// Who tells of the lives.
    pub(super) heralds: Arc<Aside>,
}

impl Start {
    /// The life, ready to run, with who tells of it.
    pub(super) async fn take_up(&self) -> Result<Launched<Pace>> {
        let Self { folder, birth, settings, chain, key, counts, .. } = self;
        let pace = Pace::of(chain, self.arguments.speed, settings.block).await?;
        let runtime = launch(folder, birth, settings, chain, key.clone(), pace, counts.clone()).await?;
        if let Some(herald) = herald(folder, birth, settings, chain, &runtime) {
            self.heralds.take(herald);
        }
        if let Some(choice) = settings.feed.clone() {
            let (folder, chain) = (folder.clone(), chain.clone());
            let (birth, key, counts) = (birth.clone(), key.clone(), counts.clone());
            // It ends with the life it stands beside.
            keep(Beside { folder, birth, choice, chain, key, counts }, &runtime);
        }
        Ok(self.arguments.prepare(folder, runtime))
    }

    /// The same when there is room; told to stop before, it never begins. What fails otherwise is told and counted.
    pub(super) async fn with_room(
        self,
        stop: watch::Receiver<bool>,
        absent: Arc<AtomicUsize>,
    ) -> Option<Launched<Pace>> {
        match begin_with_room(&self.birth.golem(), stop, remedy, || self.take_up()).await? {
            Ok(runtime) => Some(runtime),
            Err(error) => {
                complain_of(&self.folder, error);
                absent.fetch_add(1, Ordering::Relaxed);
                None
            }
        }
    }
}
