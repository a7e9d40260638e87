use std::path::{Path, PathBuf};
use std::{fs, io};

use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// PEM files for TLS, and for mutual TLS with a certificate of the client's own.
///
/// They are read before each call. When one has changed, calls that begin from then on use a new connection, and those under way end on the
/// old one: a rotated certificate needs no restart.
#[derive(Clone, Debug, Default)]
pub struct TlsFiles {
    /// The authorities for the server's certificate; without it those of the operating system.
    pub ca: Option<PathBuf>,
    /// The client's certificate, for a server that asks for one. Both or neither with `key`.
    pub certificate: Option<PathBuf>,
    /// The key of the client's certificate.
    pub key: Option<PathBuf>,
}

/// What the files hold.
#[derive(Clone, PartialEq)]
pub(crate) struct Content {
    ca: Option<Vec<u8>>,
    certificate: Option<Vec<u8>>,
    key: Option<Vec<u8>>,
}

impl TlsFiles {
    /// Reads the files. Error: one cannot be read or used, for example in the middle of a replacement.
    pub(crate) fn read(&self) -> io::Result<Content> {
        Ok(Content {
            ca: pem(self.ca.as_deref(), "CERTIFICATE")?,
            certificate: pem(self.certificate.as_deref(), "CERTIFICATE")?,
            key: pem(self.key.as_deref(), "PRIVATE KEY")?,
        })
    }
}

impl Content {
    pub(crate) fn config(&self) -> ClientTlsConfig {
        let config = match &self.ca {
            Some(ca) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca)),
            None => ClientTlsConfig::new().with_native_roots(),
        };
        match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => config.identity(Identity::from_pem(certificate, key)),
            _ => config,
        }
    }
}

fn pem(file: Option<&Path>, what: &str) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = file else { return Ok(None) };
    let shown = file.display();
    let content = fs::read(file).map_err(|error| io::Error::new(error.kind(), format!("{shown}: {error}")))?;
    let has = String::from_utf8_lossy(&content).lines().any(|line| line.starts_with("-----BEGIN ") && line.contains(what));
    if !has {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{shown} holds no {}", what.to_lowercase())));
    }
    Ok(Some(content))
}
