//! The parts of an adapter in any cluster: what it does with a plan, by the rules of SPEC.md, and what it checks before.
//!
//! [`Loop`] is one pass over a set: gate, snapshot, plan, verification, stages. It works with a [`Source`] that reads and an [`Executor`]
//! that writes; `setplan::kube`, with the feature `kube`, has both for Kubernetes. [`verify`] has the checks of a plan.

mod apply;
mod gate;
mod outcomes;
mod passes;
mod types;
pub mod verify;

pub use passes::{Loop, Options, PassError};
pub use types::{
    ActionResult, Executor, Key, Observer, Planner, SetIdentity, Silent, Source, SourceError, Write, neighbours_of, policy_of,
};
