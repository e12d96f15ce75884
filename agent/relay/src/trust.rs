//! Who vouches for a relay behind TLS: the authorities that this machine trusts, or one of the owner's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;

/// Why nobody can vouch for a relay.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrustError {
    #[error("{path:?}, which `ca` of [clade] names, cannot be read: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error(
        "{path:?}, which `ca` of [clade] names, holds no certificate of an authority in PEM, or one that cannot be read"
    )]
    Nothing { path: PathBuf },
    #[error("this machine cannot make secure connections: {0}")]
    Machine(#[from] rustls::Error),
}

/// How a relay is known behind TLS. An owner who names an authority trusts that one and nobody else. Its file is read at each
/// connection, so that a renewed one counts without a restart, and a missing one stops no life.
pub(crate) fn config(ca: Option<&Path>) -> Result<ClientConfig, TrustError> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let Some(path) = ca else { return Ok(config.with_platform_verifier()?.with_no_client_auth()) };
    let nothing = || TrustError::Nothing { path: path.to_owned() };
    let pem = std::fs::read(path).map_err(|source| TrustError::Unreadable { path: path.to_owned(), source })?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        roots.add(certificate.map_err(|_| nothing())?).map_err(|_| nothing())?;
    }
    if roots.is_empty() {
        return Err(nothing());
    }
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
