//! Kubernetes for the adapter kit: caches, an executor, events, a queue, leader election, with the credentials of the kube crate.
//!
//! [`Api`] is one cluster. [`read()`] reads one set with everything of it, for programs that only look. [`Source`] keeps caches,
//! [`Executor`] writes, [`Events`] tells people, [`Queue`] has the sets that something is to be done for, and [`Lease`] says which process
//! may write; `examples/controller.rs` is a controller made of them. It runs sets of `apps/v1`.
//!
//! Of the kube crate it uses the configuration and the connection. Its watchers and calls give Rust's types, in which unknown fields are
//! gone, and SPEC.md A1 and A12 ask for the bytes.

mod api;
mod cache;
mod events;
mod executor;
mod guard;
mod lease;
mod queue;
mod read;
mod rounds;
mod source;
mod term;

pub use api::{Api, ApiError, CLAIMS, EVENTS, LEASES, PODS, REVISIONS, Resource, SETS};
pub use cache::Cache;
pub use events::Events;
pub use executor::{CAPABILITIES, Executor};
pub use kube::Client;
pub use lease::{Lease, LeaseLost};
pub use queue::Queue;
pub use read::read;
pub use source::Source;
