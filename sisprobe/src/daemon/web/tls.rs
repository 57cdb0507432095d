//! From the file to rustls.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio_rustls::rustls::{
    RootCertStore, ServerConfig, SupportedProtocolVersion,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    server::{NoClientAuth, WebPkiClientVerifier, danger::ClientCertVerifier},
    version::{TLS12, TLS13},
};

use super::{
    WebConfigError,
    file::{ClientAuth, Tls, Version},
};

/// What `tls` asks for; paths are relative to `folder`.
pub(super) fn config(tls: &Tls, folder: &Path) -> Result<Arc<ServerConfig>, WebConfigError> {
    let named = |path: &Option<PathBuf>, key| match path {
        Some(path) => Ok(folder.join(path)),
        None => Err(WebConfigError::Tls(format!("{key} is missing"))),
    };
    let (cert, key) = (
        named(&tls.cert_file, "cert_file")?,
        named(&tls.key_file, "key_file")?,
    );
    let chain = certificates(&cert)?;
    let private = PrivateKeyDer::from_pem_file(&key).map_err(|error| not_read(&key, &error))?;
    let refused = |error: &dyn std::fmt::Display| {
        WebConfigError::Tls(format!(
            "{} with {}: {error}",
            cert.display(),
            key.display()
        ))
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&versions(tls)?)
        .map_err(|error| refused(&error))?
        .with_client_cert_verifier(verifier(tls, folder)?)
        .with_single_cert(chain, private)
        .map_err(|error| refused(&error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// The certificates of a file, of which there must be one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, WebConfigError> {
    let found = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| not_read(path, &error))?;
    if found.is_empty() {
        return Err(not_read(path, &"it has no certificate"));
    }
    Ok(found)
}

fn not_read(path: &Path, error: &dyn std::fmt::Display) -> WebConfigError {
    WebConfigError::Tls(format!("tried to read {}: {error}", path.display()))
}

fn versions(tls: &Tls) -> Result<Vec<&'static SupportedProtocolVersion>, WebConfigError> {
    let least = tls.min_version.unwrap_or(Version::Tls12);
    let most = tls.max_version.unwrap_or(Version::Tls13);
    let all = [(Version::Tls12, &TLS12), (Version::Tls13, &TLS13)];
    let chosen = all
        .into_iter()
        .filter(|(one, _)| (least..=most).contains(one));
    let chosen: Vec<_> = chosen.map(|(_, version)| version).collect();
    if chosen.is_empty() {
        return Err(WebConfigError::Tls(
            "min_version is above max_version".into(),
        ));
    }
    Ok(chosen)
}

/// Who checks the certificates of clients.
fn verifier(tls: &Tls, folder: &Path) -> Result<Arc<dyn ClientCertVerifier>, WebConfigError> {
    let path = match (tls.client_auth_type, &tls.client_ca_file) {
        (ClientAuth::NoClientCert, None) => return Ok(Arc::new(NoClientAuth)),
        (ClientAuth::NoClientCert, Some(_)) => {
            return Err(WebConfigError::Tls(
                "client_ca_file is of no use without client_auth_type \
                 RequireAndVerifyClientCert or VerifyClientCertIfGiven"
                    .into(),
            ));
        }
        (_, None) => {
            return Err(WebConfigError::Tls(
                "client_auth_type needs a client_ca_file to check certificates by".into(),
            ));
        }
        (_, Some(path)) => folder.join(path),
    };
    let mut roots = RootCertStore::empty();
    for certificate in certificates(&path)? {
        roots
            .add(certificate)
            .map_err(|error| not_read(&path, &error))?;
    }
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::new(default_provider()));
    let verifier = match tls.client_auth_type {
        ClientAuth::VerifyClientCertIfGiven => verifier.allow_unauthenticated(),
        ClientAuth::NoClientCert | ClientAuth::RequireAndVerifyClientCert => verifier,
    };
    verifier.build().map_err(|error| not_read(&path, &error))
}
