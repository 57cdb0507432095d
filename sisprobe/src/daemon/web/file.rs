//! The form of the file. A key that is not here is an error: what it asks for would not be done.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub(super) tls_server_config: Option<Tls>,
    /// bcrypt hashes by user.
    pub(super) basic_auth_users: Option<BTreeMap<String, String>>,
}

#[derive(Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Tls {
    pub(super) cert_file: Option<PathBuf>,
    pub(super) key_file: Option<PathBuf>,
    pub(super) client_auth_type: ClientAuth,
    pub(super) client_ca_file: Option<PathBuf>,
    pub(super) min_version: Option<Version>,
    pub(super) max_version: Option<Version>,
}

impl Tls {
    /// Whether it says nothing, which asks for no TLS.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether clients need a certificate, in the words of Go's crypto/tls.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
pub(super) enum ClientAuth {
    #[default]
    NoClientCert,
    VerifyClientCertIfGiven,
    RequireAndVerifyClientCert,
}

/// A version of TLS; rustls has no older ones.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    #[serde(rename = "TLS12")]
    Tls12,
    #[serde(rename = "TLS13")]
    Tls13,
}
