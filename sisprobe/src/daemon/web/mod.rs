//! `--web.config.file`: TLS and passwords, in the form that Prometheus's exporters share
//! (exporter-toolkit, docs/web-configuration.md).

mod auth;
mod file;
mod tls;

#[cfg(test)]
mod tests;

use std::{io, path::Path, sync::Arc};

use thiserror::Error;
use tokio_rustls::rustls::ServerConfig;

pub(super) use self::auth::guarded;
use self::{auth::Users, file::File};

/// How connections are secured; by default not at all.
#[derive(Default)]
pub struct WebConfig {
    pub(super) tls: Option<Arc<ServerConfig>>,
    pub(super) users: Option<Arc<Users>>,
}

/// What is wrong with a web configuration.
#[derive(Debug, Error)]
pub enum WebConfigError {
    /// A file cannot be read.
    #[error("tried to read {path}; the answer was: {error}")]
    Read {
        /// Its path.
        path: String,
        /// What the kernel answered.
        error: io::Error,
    },
    /// Not YAML, or a key that means nothing here.
    #[error("{path} is no web configuration that sisprobe knows: {error}")]
    Malformed {
        /// Its path.
        path: String,
        /// Where, and what is known.
        error: serde_yaml_ng::Error,
    },
    /// A certificate or a key that does not serve, or settings that contradict each other.
    #[error("tls_server_config: {0}")]
    Tls(String),
    /// No bcrypt hash.
    ///
    /// What stands there is not told: it may be a password.
    #[error(
        "basic_auth_users: what stands for {user:?} is no bcrypt hash. 'htpasswd -nB USER' makes \
         one"
    )]
    Hash {
        /// Whose.
        user: String,
    },
}

impl WebConfig {
    /// Reads the file, and the certificates that it names; paths are relative to its folder.
    ///
    /// # Errors
    ///
    /// Whatever would make it serve otherwise than the file says.
    pub fn read(path: &Path) -> Result<Self, WebConfigError> {
        let named = || path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| WebConfigError::Read {
            path: named(),
            error,
        })?;
        // Of an empty file YAML makes a null.
        let file: Option<File> =
            serde_yaml_ng::from_str(&text).map_err(|error| WebConfigError::Malformed {
                path: named(),
                error,
            })?;
        let file = file.unwrap_or_default();
        let folder = path.parent().unwrap_or(Path::new(""));
        let tls = file.tls_server_config.filter(|tls| !tls.is_empty());
        let users = file.basic_auth_users.filter(|users| !users.is_empty());
        Ok(Self {
            tls: tls.map(|tls| tls::config(&tls, folder)).transpose()?,
            users: users.map(Users::new).transpose()?.map(Arc::new),
        })
    }
}
