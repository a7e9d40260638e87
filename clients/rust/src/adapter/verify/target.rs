//! The checks of an action's target and preconditions.

use super::json::quote;
use super::names::{CLAIM, POD, REVISION, is_name};
use super::subject::Subject;
use super::under_way::marks_pod;
use super::{Verdict, must};
use crate::v1::Scope;

/// The operations that make something.
pub(super) const CREATES: [&str; 3] = ["createPod", "createClaim", "createRevision"];

// An action that would do harm on an old view names the version that was seen.
const NEEDS_VERSION: [&str; 8] =
    ["patchPod", "updatePod", "resizePod", "setClaimOwners", "patchClaim", "renumberRevision", "updateStatus", "deleteClaim"];

/// Lists the kinds that an operation is for; `None` for an operation that we have no checks for.
fn kinds<'a>(s: &Subject<'a>) -> Option<Vec<&'a str>> {
    Some(match s.operation {
        "createPod" | "deletePod" | "evictPod" | "patchPod" | "updatePod" | "resizePod" | "adoptPod" | "releasePod" => vec![POD],
        "createClaim" | "setClaimOwners" | "deleteClaim" | "patchClaim" => vec![CLAIM],
        "createRevision" | "renumberRevision" | "adoptRevision" | "deleteRevision" => vec![REVISION],
        "patchAnnotations" => vec![POD, CLAIM],
        "updateStatus" | "setFinalizer" => vec![&s.set().kind],
        _ => return None,
    })
}

pub(super) fn operation_fault(s: &Subject<'_>) -> Verdict {
    must(kinds(s).is_some(), "this adapter has no checks for it")
}

pub(super) fn kind_fault(s: &Subject<'_>) -> Verdict {
    must(kinds(s).is_some_and(|kinds| kinds.contains(&s.kind)), "the operation is not for this kind")
}

pub(super) fn namespace_fault(s: &Subject<'_>) -> Verdict {
    let ours = &s.set().namespace;
    if s.namespace == ours { Ok(()) } else { Err(format!("the target is in namespace {}, the set in {ours}", quote(s.namespace))) }
}

pub(super) fn name_fault(s: &Subject<'_>) -> Verdict {
    must(is_name(s.name), "the target's name is not a DNS name")
}

pub(super) fn create_fault(s: &Subject<'_>) -> Verdict {
    let says =
        s.action.precondition.as_ref().is_some_and(|precondition| precondition.must_not_exist && precondition.uid.is_empty());
    must(says, "a create must require that no object of the name exists")
}

/// Refuses an action that changes an object and does not name the uid that the snapshot shows.
pub(super) fn uid_fault(s: &Subject<'_>) -> Verdict {
    let (uid, _) = seen(s);
    let named = s.action.precondition.as_ref().map_or("", |precondition| &precondition.uid);
    must(!uid.is_empty(), "the snapshot has no such object")?;
    must(!named.is_empty(), "the action names no uid")?;
    must(named == uid, "the snapshot shows another uid")
}

pub(super) fn version_fault(s: &Subject<'_>) -> Verdict {
    let version = s.action.precondition.as_ref().map_or("", |precondition| &precondition.resource_version);
    if version.is_empty() {
        let needed = NEEDS_VERSION.contains(&s.operation) || s.marks_claim() || marks_pod(s);
        return must(!needed, "the action names no resource version");
    }
    must(version == seen(s).1, "the snapshot shows another resource version")
}

/// Returns the target's uid and version in the snapshot.
fn seen<'a>(s: &Subject<'a>) -> (&'a str, &'a str) {
    let set = s.set();
    if s.kind == set.kind && s.name == set.name {
        return (&set.uid, &set.resource_version);
    }
    match s.kind {
        POD => (&s.pod().uid, &s.pod().resource_version),
        CLAIM => (&s.claim().uid, &s.claim().resource_version),
        REVISION => (&s.revision().uid, &s.revision().resource_version),
        _ => ("", ""),
    }
}

/// Reports whether another controller runs the set. A scope that we do not know is no wider.
pub(super) fn alone(s: &Subject<'_>) -> bool {
    s.view.snapshot.policy.as_ref().is_some_and(|policy| policy.scope > i32::from(Scope::WholeSet))
}

/// Refuses what is not part of a drain.
pub(super) fn alone_fault(s: &Subject<'_>) -> Verdict {
    let view = s.view;
    let is_drain = match s.operation {
        "patchAnnotations" => !marks_pod(s),
        "deleteClaim" | "setFinalizer" => true,
        "setClaimOwners" => view.draining() && s.only_releases(),
        "createPod" => s.is_drain(),
        "deletePod" => view.drain_pod(s.pod()) || view.emptying(),
        _ => false,
    };
    must(is_drain, "another controller runs the set, and this is not part of a drain")
}
