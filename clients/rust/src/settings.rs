use std::time::Duration;

use crate::errors::Error;
use crate::tls::TlsFiles;
use crate::v1::{Capability, PlanRequest};

/// The deadline of a call without one, retries included.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// Bounds a request and a response, in bytes; it is the server's default.
pub const DEFAULT_MAX_MESSAGE_BYTES: usize = 64 << 20;

/// How the connection is protected.
#[derive(Clone, Debug)]
pub enum Security {
    /// By TLS, with these files.
    Tls(TlsFiles),
    /// Without TLS, for a planner on the same machine: snapshots and plans hold pod templates, and those hold secrets.
    Insecure,
}

/// How a client connects.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the connection is protected.
    pub security: Security,
    /// The deadline of a call, retries included.
    pub timeout: Duration,
    /// Bounds a request and a plan, in bytes.
    pub max_message_bytes: usize,
    /// Names the program, in front of this library's name.
    pub user_agent: String,
}

impl Options {
    /// TLS with these files; without any, `TlsFiles::default()`, the authorities of the operating system.
    #[must_use]
    pub fn tls(files: TlsFiles) -> Self {
        Self::with(Security::Tls(files))
    }

    /// Without TLS, for a planner on the same machine.
    #[must_use]
    pub fn insecure() -> Self {
        Self::with(Security::Insecure)
    }

    fn with(security: Security) -> Self {
        Self { security, timeout: DEFAULT_TIMEOUT, max_message_bytes: DEFAULT_MAX_MESSAGE_BYTES, user_agent: String::new() }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.timeout.is_zero() {
            return Err(Error::option("the timeout is 0, must be positive"));
        }
        if self.max_message_bytes == 0 {
            return Err(Error::option("the limit of messages is 0 bytes, must be positive"));
        }
        match &self.security {
            Security::Tls(files) if files.certificate.is_some() != files.key.is_some() => {
                Err(Error::option("a client certificate needs both a certificate file and a key file"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn agent(&self) -> String {
        format!("{} setplan-rust/{}", self.user_agent, env!("CARGO_PKG_VERSION")).trim_start().to_owned()
    }
}

/// Where a planner is: `planner.example.com:7450` or `dns:///planner:7450`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    /// Name or address, as certificates have it.
    pub host: String,
    pub port: u16,
}

impl Target {
    pub fn parse(target: &str) -> Result<Self, Error> {
        let wrong = || Error::option(&format!("the target {target:?} is not HOST:PORT"));
        let address = target.strip_prefix("dns:///").unwrap_or(target);
        let (host, port) = address.rsplit_once(':').ok_or_else(wrong)?;
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        if bare.is_empty() || bare.contains('/') || (bare == host && bare.contains(':')) {
            return Err(wrong());
        }
        Ok(Self { host: bare.to_owned(), port: port.parse().map_err(|_| wrong())? })
    }

    /// The name and port as an address has them.
    pub fn authority(&self) -> String {
        if self.host.contains(':') { format!("[{}]:{}", self.host, self.port) } else { format!("{}:{}", self.host, self.port) }
    }
}

/// Lists every operation that this build of the contract knows, ascending.
#[must_use]
pub fn capabilities() -> Vec<Capability> {
    (1..).map_while(|number| Capability::try_from(number).ok()).collect()
}

/// Gives a request that lists no capabilities those of this build (C5).
pub(crate) fn with_capabilities(mut request: PlanRequest) -> PlanRequest {
    if request.capabilities.is_empty() {
        request.capabilities = capabilities().into_iter().map(i32::from).collect();
    }
    request
}
