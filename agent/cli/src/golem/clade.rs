//! A Golem's end of the wire to its siblings: its key, its file of words, its relay.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eyre::{Result, WrapErr};
use golem_chain::{Deployment, Endpoints, OnChainRegister, Signer};
use golem_relay::{
    CladeLink, Gate, Later, LinkSettings, Realm, SIGNATURE_BYTES, Statement, VaultKey, link as link_life, wall_clock,
};

use super::connect::Connected;
use super::home::{BirthCertificate, Folder};

/// How long the newest block is taken for the newest.
pub(crate) const BLOCK: Duration = Duration::from_secs(1);

/// The file of words in a Golem's folder.
pub(crate) const WORDS_FILE: &str = "clade.sqlite";

pub(crate) const fn realm(deployment: &Deployment) -> Realm {
    Realm { chain: deployment.chain_id, lineage: deployment.lineage }
}

/// Who may speak, by the chain.
pub(crate) fn gate(endpoints: &Endpoints, deployment: &Deployment) -> Gate {
    let register = OnChainRegister::new(endpoints.clone(), deployment.clone());
    Gate::new(Arc::new(register), realm(deployment), BLOCK)
}

/// I-101. The relay a Golem speaks through, and how it is known behind TLS.
#[derive(Debug, Clone)]
pub(crate) struct RelayChoice {
    pub(crate) url: String,
    /// A file in PEM of the one authority that vouches for it; none for those of this machine.
    pub(crate) ca: Option<PathBuf>,
}

/// A Golem's key, as far as words go.
pub(crate) struct WordKey {
    signer: Signer,
    realm: Realm,
}

impl WordKey {
    pub(crate) const fn new(signer: Signer, deployment: &Deployment) -> Self {
        Self { signer, realm: realm(deployment) }
    }
}

impl VaultKey for WordKey {
    fn sign(&self, statement: Statement) -> Later<'_, Result<[u8; SIGNATURE_BYTES], String>> {
        Box::pin(async move {
            let domain = self.realm.domain();
            let signed = match &statement {
                Statement::Hello(hello) => self.signer.sign_typed(hello, &domain).await,
                Statement::Word(word) => self.signer.sign_typed(word, &domain).await,
                Statement::Request(request) => self.signer.sign_typed(request, &domain).await,
            };
            signed.map(|signature| signature.as_bytes()).map_err(|error| error.to_string())
        })
    }
}

/// I-100 to I-114. Links a Golem to its Clade. While the relay is away its words wait in its folder.
pub(crate) fn link(
    folder: &Folder,
    birth: &BirthCertificate,
    chain: &Connected,
    key: Signer,
    relay: RelayChoice,
    through: u64,
) -> Result<CladeLink> {
    let (vault, file, clock) = (birth.vault, folder.path().join(WORDS_FILE), wall_clock());
    let settings = LinkSettings { vault, relay: Some(relay.url), ca: relay.ca, file, through, clock };
    let key = Arc::new(WordKey::new(key, &chain.deployment));
    let linked = link_life(settings, Arc::new(gate(&chain.endpoints, &chain.deployment)), key);
    linked.wrap_err_with(|| format!("the words of the Golem at {vault} cannot be kept"))
}
