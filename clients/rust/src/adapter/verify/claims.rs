//! The checks of changes to claims, which hold the data.

use super::json::quote;
use super::names::{DRAIN_ATTEMPTS, DRAIN_BEGUN, DRAIN_SET};
use super::subject::Subject;
use super::{Verdict, must};
use crate::v1::OwnerReference;

const NOTES: [&str; 3] = [DRAIN_SET, DRAIN_ATTEMPTS, DRAIN_BEGUN];

pub(super) fn claim_own_fault(s: &Subject<'_>) -> Verdict {
    must(s.ordinal().is_some(), "the name is not one of the set's claims'")
}

pub(super) fn claim_wanted_fault(s: &Subject<'_>) -> Verdict {
    let wanted = !s.view.deleting() && s.ordinal().is_some_and(|ordinal| s.view.range.has(ordinal));
    must(wanted, "no ordinal of the range has this claim")
}

/// Applies rule D1: a claim is deleted only after a drain pod of that very claim has succeeded.
pub(super) fn drained_fault(s: &Subject<'_>) -> Verdict {
    must(s.view.draining(), "the set has no drain policy")?;
    must(s.mark_of(s.claim()) == s.view.mark, "the claim does not carry the set's mark")?;
    must(!s.view.shared(), "another set uses the same claim name")?;
    let mut drained = s.view.drained_by(s.claim());
    must(drained.any(|pod| pod.deletion_unix_ms == 0), "no drain pod of the claim has succeeded")
}

pub(super) fn owners_kept_fault(s: &Subject<'_>) -> Verdict {
    let kept = s.others_of(s.view.owners(s.claim())) == s.others_of(s.owners());
    must(kept, "an owner that is neither the set nor the claim's pod would change")
}

/// Lets only those references be added that the retention policy asks for: a claim is deleted with its owners.
pub(super) fn owners_added_fault(s: &Subject<'_>) -> Verdict {
    let now = s.view.owners(s.claim());
    for owner in s.owners() {
        let to_set = s.refers_to_set(owner);
        let to_pod = s.refers_to_pod(owner);
        if !to_set && now.contains(owner) {
            continue; // it was there before
        }
        must(!s.our_uid(owner) || to_set || to_pod, "the reference is to the set or a pod of it, by another name")?;
        if to_set {
            set_owner_fault(s, owner)?;
        }
        if to_pod {
            pod_owner_fault(s, owner)?;
        }
    }
    Ok(())
}

fn set_owner_fault(s: &Subject<'_>, owner: &OwnerReference) -> Verdict {
    let deletes = s.set().claim_retention.as_ref().is_some_and(|retention| retention.when_deleted == "Delete");
    let wanted = deletes && !(s.view.draining() && s.view.policy.on_delete);
    must(wanted, "the claim would be deleted with the set, against whenDeleted or the drain policy")?;
    must(s.view.owner() == *owner, "the reference is to another set")
}

fn pod_owner_fault(s: &Subject<'_>, owner: &OwnerReference) -> Verdict {
    let outside = s.ordinal().is_some_and(|ordinal| !s.view.range.has(ordinal));
    let deletes = s.set().claim_retention.as_ref().is_some_and(|retention| retention.when_scaled == "Delete");
    let wanted = deletes && !s.view.draining() && outside;
    must(wanted, "the claim would be deleted with its pod, against whenScaled or the drain policy")?;
    let ours = s.view.pods.get(owner.name.as_str()).is_some_and(|pod| {
        let reference = OwnerReference {
            api_version: "v1".to_owned(),
            kind: "Pod".to_owned(),
            name: pod.name.clone(),
            uid: pod.uid.clone(),
            controller: true,
            block_owner_deletion: true,
        };
        s.view.member(pod) && reference == *owner
    });
    must(ours, "the reference is to a pod that is not the set's")
}

pub(super) fn claim_notes_fault(s: &Subject<'_>) -> Verdict {
    let mut keys = s.patch().set.keys().chain(&s.patch().remove);
    match keys.find(|key| !NOTES.contains(&key.as_str())) {
        Some(key) => Err(format!("the annotation {} is not the planner's", quote(key))),
        None => Ok(()),
    }
}

/// Lets a claim be marked for this set, under its policy, and not be taken from another set.
pub(super) fn mark_fault(s: &Subject<'_>) -> Verdict {
    let has = s.mark_of(s.claim());
    must(has.is_empty() || s.view.is_of_same_name(has), "the claim is marked for another set")?;
    let Some(mark) = s.patch().set.get(DRAIN_SET) else { return Ok(()) };
    must(*mark == s.view.mark && s.view.draining(), "the mark is not what the set's drain policy makes")?;
    let covered = s.ordinal().is_some_and(|ordinal| s.covers(ordinal));
    must(covered, "the claim was outside the range before the policy could cover it")
}

/// Lets a drain begin only for an ordinal outside the range. One that has begun may go on if the ordinal comes back.
pub(super) fn begun_fault(s: &Subject<'_>) -> Verdict {
    let may = !s.patch().set.contains_key(DRAIN_ATTEMPTS) || s.ordinal().is_some_and(|ordinal| s.may_drain(ordinal));
    must(may, "the ordinal is in the range, and no drain of it was begun")
}
