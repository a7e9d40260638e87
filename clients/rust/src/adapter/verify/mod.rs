//! Checks every action of a plan against the snapshot of the request, before the action is sent (SPEC.md, A20).
//!
//! A planner may be far away and serve many clusters, so its answer is input from outside. The checks decide nothing: they refuse what
//! no honest planner would plan for this set, and leave order, time and choice to the planner. [`CHECKS`] is the list of
//! docs/adapter.md, in its words and its order.

mod changes;
mod claims;
mod images;
pub(crate) mod json;
mod list;
mod manifests;
mod names;
mod own;
mod pods;
mod policy;
mod proof;
mod quantity;
mod range;
mod resizes;
mod resources;
mod subject;
mod target;
mod under_way;
mod updates;
mod verifier;
mod view;
mod yaml;

pub use list::{CHECKS, Check};
pub use subject::Subject;
pub use verifier::{Refusal, Verifier};

/// What a check says: why an action is refused, or nothing.
pub type Verdict = Result<(), String>;

/// Lists the names that the annotation of claim templates has, JSON or YAML, and that are not removed.
pub(crate) fn named_in(text: &[u8]) -> std::collections::BTreeSet<String> {
    let said = policy::read_template(text);
    said.members().iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| name.clone()).collect()
}

fn must(holds: bool, why: &str) -> Verdict {
    if holds { Ok(()) } else { Err(why.to_owned()) }
}
