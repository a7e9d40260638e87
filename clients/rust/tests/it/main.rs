//! Tests of the client, the snapshots and the parts of an adapter, in one program: each program is linked for itself.

mod authority;
mod client;
#[cfg(feature = "kube")]
mod clusters;
mod fakes;
#[cfg(feature = "kube")]
mod pages;
mod proto;
mod servers;
mod vector;
mod vectors;
