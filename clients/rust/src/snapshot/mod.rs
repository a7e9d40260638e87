//! Kubernetes objects, as the API server sent them, turned into the contract's [`Snapshot`](crate::v1::Snapshot).
//!
//! It decides nothing and asks no API: a snapshot says what the objects say, as snapshot.proto defines it. An [`Object`] keeps the JSON
//! text of an answer of the API server, so that templates and the data of revisions are sent as they stand (SPEC.md, A1).
//!
//! ```no_run
//! # fn snapshot(set: &[u8], pods: &[u8], claims: &[u8], revisions: &[u8], sets: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
//! use setplan::snapshot::{Object, Objects, items, of};
//! use setplan::v1::{Coverage, PlanRequest};
//!
//! let objects = Objects {
//!     set: Object::parse(set)?,
//!     pods: items(pods)?,
//!     claims: items(claims)?,
//!     revisions: items(revisions)?,
//!     other_sets: items(sets)?,
//! };
//! let coverage = Coverage { pods: true, claims: true, revisions: true, ..Coverage::default() };
//! let request = PlanRequest { snapshot: Some(of(&objects, coverage, std::time::SystemTime::now())?), ..PlanRequest::default() };
//! # Ok(())
//! # }
//! ```

mod condition;
mod containers;
mod list;
mod membership;
mod object;
mod pod;
mod resources;
mod set;
mod small;
mod tables;

pub use list::{Objects, items, of};
#[cfg(feature = "kube")]
pub(crate) use membership::revisions;
pub use membership::{claim_templates, controls, neighbours, ordinal_of};
pub use object::{Malformed, Metadata, Object, Owner};
