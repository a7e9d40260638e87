use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// PEM files for TLS, and for mutual TLS with a certificate of the client's own.
///
/// They are looked at before each call. When one has changed, calls that begin from then on use a new connection, and those under way
/// end on the old one: a rotated certificate needs no restart.
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

/// Which versions of the files are there: a change of a file changes it, a symbolic link that moves on included.
pub(crate) type Stamp = Vec<Option<(SystemTime, u64, u64)>>;

impl TlsFiles {
    /// Reads the files. Error: one cannot be read, or is not what it should be, for example in the middle of a replacement.
    pub(crate) fn read(&self) -> io::Result<Content> {
        Ok(Content {
            ca: pem(self.ca.as_deref(), "CERTIFICATE")?,
            certificate: pem(self.certificate.as_deref(), "CERTIFICATE")?,
            key: pem(self.key.as_deref(), "PRIVATE KEY")?,
        })
    }

    /// A file is missing while it is replaced; the connection that is there goes on.
    pub(crate) fn stamp(&self) -> Stamp {
        [&self.ca, &self.certificate, &self.key].into_iter().map(|file| file.as_deref().and_then(stamp_of)).collect()
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

fn stamp_of(file: &Path) -> Option<(SystemTime, u64, u64)> {
    let status = fs::metadata(file).ok()?;
    Some((status.modified().ok()?, inode(&status), status.len()))
}

#[cfg(unix)]
fn inode(status: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(status)
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
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
