//! Setplan for Rust: ask a planner what a `StatefulSet` needs next, and carry it out.
//!
//! - [`Client`] asks the planner; [`Error`] is what a call can fail with.
//! - [`snapshot`] turns objects, as the API server sent them, into a request.
//! - `adapter`, a feature, has the parts of an adapter: the loop that carries out plans, and the checks of a plan.
//! - `kube`, a feature, has Kubernetes for it: caches, an executor, events, a queue, leader election.
//! - [`v1`] has the messages of the contract.

#[cfg(feature = "adapter")]
pub mod adapter;
mod channels;
mod client;
mod codec;
mod durations;
mod errors;
#[cfg(feature = "kube")]
pub mod kube;
mod rawjson;
mod settings;
pub mod snapshot;
mod tls;
pub mod v1;

pub use client::{Answer, Client};
pub use errors::{Error, Kind, Violation};
pub use settings::{DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_TIMEOUT, Options, Security, capabilities};
pub use tls::TlsFiles;
