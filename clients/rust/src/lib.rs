//! Setplan for Rust: ask a planner what a `StatefulSet` needs next, why it waits, and what an edit would do.
//!
//! - [`Planner`] asks; [`Error`] is why a call failed.
//! - [`v1`] has the messages of the contract. A request is made of [`Objects`](v1::Objects), which are JSON as the API server sent it, or of a
//!   [`Snapshot`](v1::Snapshot).

mod codec;
mod connection;
mod errors;
mod options;
mod planner;
mod tls;
pub mod v1;

pub use errors::{Error, Kind, Violation};
pub use options::{DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_TIMEOUT, Options};
pub use planner::{Forecast, Planner};
pub use tls::TlsFiles;
