//! Tests of the client, the snapshots and the parts of an adapter, in one program: each program is linked for itself.

#[cfg(feature = "kube")]
mod apis;
mod authority;
#[cfg(feature = "kube")]
mod caches;
mod client;
#[cfg(feature = "kube")]
mod clusters;
#[cfg(feature = "kube")]
mod controller;
#[cfg(feature = "kube")]
mod executor;
mod fakes;
#[cfg(feature = "kube")]
mod history;
#[cfg(feature = "kube")]
mod lease;
#[cfg(feature = "kube")]
mod pages;
#[cfg(feature = "adapter")]
mod passes;
mod proto;
#[cfg(feature = "kube")]
mod queue;
mod servers;
mod vector;
mod vectors;
#[cfg(feature = "adapter")]
mod verify;
