//! From a folder to a life that runs.

use std::sync::Arc;

use eyre::{Result, WrapErr, ensure};
use golem_chain::{HandSettings, OnChain, Signer};
use golem_runtime::{Metrics, Runtime, RuntimeSettings, Telemetry};
use golem_store::SqliteStore;

use super::{BirthCertificate, Connected, Folder, Settings, data, models};

/// A life with everything it is lived with.
pub(crate) type Launched<T> = Runtime<OnChain, SqliteStore, T>;

/// Takes up the life of a folder: its store, its key, its place on chain.
pub(crate) async fn launch<T: golem_ports::TickSource>(
    folder: &Folder,
    birth: &BirthCertificate,
    settings: &Settings,
    chain: &Connected,
    key: Signer,
    ticks: T,
    metrics: Arc<Metrics>,
) -> Result<Launched<T>> {
    ensure!(
        key.address() == birth.key,
        "the key in {} is {}, the Golem was born with {}; after a rotation import the new key",
        folder.key().display(),
        key.address(),
        birth.key
    );
    ensure!(
        chain.deployment.chain_id == birth.deployment.chain_id,
        "{} lives on chain {}, this is chain {}",
        birth.name,
        birth.deployment.chain_id,
        chain.deployment.chain_id
    );
    // The store first: a second process must not get as far as the chain.
    let store = SqliteStore::open(&folder.store(), Some(&birth.golem()))?;
    let till = settings.data.is_some().then(|| store.till()).transpose()?;
    let hand = OnChain::take_up(
        chain.endpoints.clone(),
        key.clone(),
        birth.deployment.clone(),
        &birth.posting(),
        hand_settings(chain),
    )
    .await
    .wrap_err("the Golem cannot take up its place on chain")?;
    let telemetry = Telemetry::new(metrics).with_file(&folder.events())?;
    let runtime = RuntimeSettings {
        dir: folder.path().to_path_buf(),
        tick: settings.tick,
        venue: birth.venue(),
        grimoire: settings.grimoire,
        kin: birth.kin(),
        temper: settings.temper.temper(&birth.golem(), &settings.law, true, &birth.venue()),
        dreams: settings.dreams.clone(),
        archive: Some(folder.archive(birth)),
    };
    let mut runtime = Runtime::resume(hand, store, ticks, runtime, telemetry)?;
    runtime.employ(settings.embedder.scribe());
    if let Some(adviser) = models::adviser(&settings.inference, settings.temper.wants_model()).await {
        runtime.consult(adviser);
    }
    if let (Some(choice), Some(till), true) = (&settings.data, till, runtime.life().is_alive())
        && let Some(shopper) = data::shopper(choice, till, birth, chain, key).await
    {
        runtime.provide(shopper);
    }
    Ok(runtime)
}

/// A permit stands for a minute; on a local L2 with long blocks, for as many as a trade takes to be confirmed.
fn hand_settings(chain: &Connected) -> HandSettings {
    let usual = HandSettings::default();
    let block = chain.devnet.as_ref().map_or(0, |devnet| devnet.block_seconds);
    HandSettings { permit_seconds: usual.permit_seconds.max(4 * block), ..usual }
}
