//! From a folder to a life that runs.

use std::sync::Arc;

use eyre::{Report, Result, WrapErr, ensure};
use golem_chain::{DeploymentError, EndpointError, HandSettings, OnChain, PostingError, Signer, SignerError, Stands};
use golem_ports::ChainError;
use golem_primitives::{GolemId, Tick};
use golem_runtime::{CladeChoice, Metrics, Remedy, Runtime, RuntimeError, RuntimeSettings, Telemetry, beat_contents};
use golem_store::SqliteStore;

use super::connect::Connected;
use super::home::{BirthCertificate, Folder};
use super::settings::Settings;
use super::{data, models};

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
    let mut store = SqliteStore::open(&folder.store(), Some(&birth.golem())).map_err(RuntimeError::from)?;
    let till = settings.data.is_some().then(|| store.till()).transpose().map_err(RuntimeError::from)?;
    let hand = OnChain::take_up(
        chain.endpoints.clone(),
        key.clone(),
        birth.deployment.clone(),
        &folder.posting(birth)?,
        hand_settings(chain),
    )
    .await
    .wrap_err("the Golem cannot take up its place on chain")?;
    let known = known_to(&store)?;
    let stands = hand.reckon(&mut store, known).await.map_err(RuntimeError::Unsafe)?;
    if let Stands::TakenOver { unknown, reported } = stands {
        eprintln!(
            "{} goes on from an older memory: {unknown} transactions of its key and what it told the chain up to tick \
             {reported} are not in it; its books begin again, and what it had wanted and not signed is not done",
            folder.name()
        );
    }
    metrics.introduce(&birth.golem(), folder.name());
    let telemetry = Telemetry::new(metrics).with_file(&folder.events())?;
    let runtime = RuntimeSettings {
        dir: folder.path().to_path_buf(),
        tick: settings.tick,
        venue: birth.venue(),
        grimoire: settings.grimoire,
        kin: birth.kin(),
        temper: settings.temper.temper(&birth.golem(), &settings.law, &birth.venue()),
        dreams: settings.dreams.clone(),
        archive: Some(folder.archive(birth)),
        clade: among_siblings(folder, settings)?,
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

/// I-122. What its owner decided about its siblings; one that lives on this machine may be named by its name. Without
/// its folder nobody knows whom a name means: its owner is told at the start, and no life is kept from living by it.
fn among_siblings(folder: &Folder, settings: &Settings) -> Result<CladeChoice> {
    let mut choice = CladeChoice { signs: settings.pheromones, ..CladeChoice::default() };
    for name in &settings.excluded {
        if name.starts_with("0x") {
            choice.excluded.insert(GolemId::new(&name.to_ascii_lowercase())?);
            continue;
        }
        let why = match folder.home().map(|home| home.find(name).and_then(|sibling| sibling.birth())) {
            Some(Ok(birth)) => {
                choice.excluded.insert(birth.golem());
                continue;
            }
            Some(Err(error)) => format!("{error:#}"),
            None => "it stands in no home".to_owned(),
        };
        eprintln!(
            "{}: `exclude` of [clade] names {name}, which keeps nobody's words away: {why}; write the address of its vault, or \
             take it out; it lives on",
            folder.name()
        );
    }
    Ok(choice)
}

/// The newest tick a memory has lived, or told the chain of: one that was taken over tells later ticks than it lives.
pub(super) fn known_to(store: &SqliteStore) -> Result<Tick> {
    let last = store.reader().last_pass().map_err(RuntimeError::from)?.map_or(0, |(seq, _)| seq);
    let lived = store.reader().journal(last, 1).map_err(RuntimeError::from)?.first().map(|entry| entry.input.tick);
    let told = beat_contents(store)?.last().map(|beat| beat.tick);
    Ok(lived.max(told).unwrap_or(Tick::ZERO))
}

/// What may be done about a life that cannot be taken up: a full disk, endpoints and a signer that do not
/// answer are waited for, everything else is for somebody to mend.
pub(crate) fn remedy(error: &Report) -> Remedy {
    if is_unanswered(error) {
        return Remedy::BeginAgain;
    }
    error.downcast_ref().map_or(Remedy::Nothing, RuntimeError::remedy)
}

/// Whether somebody elsewhere did not answer, who may later.
pub(crate) fn is_unanswered(error: &Report) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<EndpointError>().is_some_and(EndpointError::may_retry)
            || cause.downcast_ref::<SignerError>().is_some_and(SignerError::may_retry)
            || matches!(cause.downcast_ref(), Some(DeploymentError::Endpoint(error)) if error.may_retry())
            || matches!(cause.downcast_ref(), Some(PostingError::Blind(_)))
            || matches!(cause.downcast_ref(), Some(ChainError::Blind(_)))
    })
}

/// R-010, V-011. A permit stands for a minute and an order for ten; on a local L2 with long blocks, for as many as a trade takes
/// to be confirmed.
fn hand_settings(chain: &Connected) -> HandSettings {
    let usual = HandSettings::default();
    let block = chain.devnet.as_ref().map_or(0, |devnet| devnet.block_seconds);
    let (permit_seconds, order_seconds) = (usual.permit_seconds.max(4 * block), usual.order_seconds.max(4 * block));
    HandSettings { permit_seconds, order_seconds, ..usual }
}

#[cfg(test)]
mod tests {
    use golem_ports::StoreError;

    use super::*;

    /// a disk without room and an endpoint that does not answer are waited for at a start as in a life; what
    /// nobody lets us write, what another lives and what is on another chain is told at once.
    #[test]
    fn r_021_only_what_may_pass_is_waited_for() {
        let (path, detail) = (std::path::PathBuf::from("life.sqlite"), "not yours".to_owned());
        let full = RuntimeError::from(StoreError::DiskFull { path: path.clone() });
        let barred = RuntimeError::from(StoreError::Unwritable { path: path.clone(), detail });
        let held = RuntimeError::from(StoreError::InUse { path, pid: 1 });
        let report = |error: RuntimeError| Err::<(), _>(error).wrap_err("ada cannot begin").expect_err("an error");
        assert_eq!(remedy(&report(full)), Remedy::BeginAgain);
        assert_eq!([barred, held].map(|error| remedy(&report(error))), [Remedy::Nothing; 2]);
        assert_eq!(remedy(&eyre::eyre!("the chain is another")), Remedy::Nothing);
        let silent = || EndpointError::Unreachable { method: "eth_chainId", failures: Vec::new() };
        let foreign = EndpointError::WrongChain { url: "http://a".to_owned(), found: 1, expected: 2 };
        assert_eq!(remedy(&Report::new(silent()).wrap_err("the chain does not answer")), Remedy::BeginAgain);
        assert_eq!(remedy(&Report::new(DeploymentError::Endpoint(silent())).wrap_err("no suite")), Remedy::BeginAgain);
        assert_eq!(remedy(&Report::new(foreign).wrap_err("the chain does not answer")), Remedy::Nothing);
        let kind = std::io::ErrorKind::StorageFull.into();
        assert_eq!(remedy(&report(RuntimeError::File { what: "events".to_owned(), source: kind })), Remedy::BeginAgain);
    }
}
