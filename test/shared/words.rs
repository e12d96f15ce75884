//! A Golem's key, as far as words between siblings go.

use golem_chain::Signer;
use golem_relay::{Later, Realm, SIGNATURE_BYTES, Statement, VaultKey};

/// A key that signs words in one realm.
pub(crate) struct Key {
    pub(crate) signer: Signer,
    pub(crate) realm: Realm,
}

impl VaultKey for Key {
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
