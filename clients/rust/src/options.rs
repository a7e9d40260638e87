use std::time::Duration;

use crate::errors::Error;
use crate::tls::TlsFiles;

/// The deadline of a call without one, retries included.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of a request and of a message that comes back; it is the server's default.
pub const DEFAULT_MAX_MESSAGE_BYTES: usize = 64 << 20;

/// How to connect to a planner.
#[derive(Clone, Debug)]
pub struct Options {
    /// The files of TLS. `None`: no TLS, see [`Options::insecure`].
    pub tls: Option<TlsFiles>,
    /// The deadline of a call, retries included. For a forecast it counts until the result.
    pub timeout: Duration,
    /// The most bytes of a request and of a message that comes back.
    pub max_message_bytes: usize,
    /// Names the program, in front of this library's name.
    pub user_agent: String,
}

impl Options {
    /// TLS with these files; without any, `TlsFiles::default()`, the authorities of the operating system.
    #[must_use]
    pub fn tls(files: TlsFiles) -> Self {
        Self { tls: Some(files), ..Self::insecure() }
    }

    /// No TLS, for a planner on the same machine: requests and plans hold pod templates, and those hold secrets.
    #[must_use]
    pub fn insecure() -> Self {
        Self { tls: None, timeout: DEFAULT_TIMEOUT, max_message_bytes: DEFAULT_MAX_MESSAGE_BYTES, user_agent: String::new() }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.timeout.is_zero() {
            return Err(Error::option("the timeout is 0, must be positive"));
        }
        if self.max_message_bytes == 0 {
            return Err(Error::option("the limit of messages is 0 bytes, must be positive"));
        }
        match &self.tls {
            Some(files) if files.certificate.is_some() != files.key.is_some() => {
                Err(Error::option("a client certificate needs both a certificate file and a key file"))
            }
            _ => Ok(()),
        }
    }
}

/// Reads where a planner is, `planner.example.com:7450` or `dns:///planner:7450`: the address as a URL has it.
pub(crate) fn authority(address: &str) -> Result<&str, Error> {
    let wrong = || Error::option(&format!("the address {address:?} is not HOST:PORT"));
    let authority = address.strip_prefix("dns:///").unwrap_or(address);
    let (host, port) = authority.rsplit_once(':').ok_or_else(wrong)?;
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_host = !bare.is_empty() && !bare.contains('/') && (bare != host || !bare.contains(':'));
    if is_host && port.parse::<u16>().is_ok() { Ok(authority) } else { Err(wrong()) }
}
