//! The checks of ownership and adoption, and of what is changed at pods, revisions and the set.

use super::json::{Json, quote};
use super::names::{DRAIN_ANSWER, DRAIN_REQUEST, FINALIZER, LABEL_POD_INDEX, LABEL_POD_NAME, ordinal_in, trailing_digits};
use super::subject::Subject;
use super::under_way::{UnderWay, mark_fault, marks_pod};
use super::{Verdict, must};
use crate::v1::action::Operation;

pub(super) fn pod_own_fault(s: &Subject<'_>) -> Verdict {
    let may_be = s.view.member(s.pod()) || (s.operation == "deletePod" && s.view.drain_pod(s.pod()));
    must(may_be, "the pod is not the set's")
}

/// Releases only a pod that the set controls and that no longer matches.
pub(super) fn release_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::ReleasePod(body)) = &s.action.operation else { return Ok(()) };
    must(body.owner_uid == s.set().uid, "another owner than the set would be removed")?;
    must(s.view.ours(s.pod()), "the set does not control the pod")?;
    let canonical = ordinal_in(&s.pod().name, &s.set().name).is_some();
    must(!(canonical && s.view.matches(s.pod())), "the pod has the set's labels and name")
}

/// Adopts only an object that nobody controls and that is not being deleted.
pub(super) fn orphan_fault(s: &Subject<'_>) -> Verdict {
    let (view, pod, revision) = (s.view, s.pod(), s.revision());
    if s.operation == "adoptPod" {
        let may = view.orphan(pod) && view.member(pod) && !view.drain_pod(pod) && pod.deletion_unix_ms == 0;
        return must(may, "the pod is not one that the set may adopt");
    }
    must(view.orphan(revision) && view.own_revision(revision), "the revision is not one that the set may adopt")
}

pub(super) fn adopter_fault(s: &Subject<'_>) -> Verdict {
    let owner = match &s.action.operation {
        Some(Operation::AdoptPod(body)) => body.owner.as_ref(),
        Some(Operation::AdoptRevision(body)) => body.owner.as_ref(),
        _ => None,
    };
    must(owner == Some(&s.view.owner()), "the new owner is not this set as its controller")
}

/// Refuses an adoption of a set that may be gone: the garbage collector would delete the object with its new owner.
pub(super) fn live_fault(s: &Subject<'_>) -> Verdict {
    must(!s.view.deleting(), "the set is being deleted")?;
    must(s.stage.requires_live_set, "the stage does not require the live set")
}

pub(super) fn revision_own_fault(s: &Subject<'_>) -> Verdict {
    must(s.view.own_revision(s.revision()), "the revision is not the set's")
}

/// Keeps a revision of a pod, and one at which pods come back.
pub(super) fn in_use_fault(s: &Subject<'_>) -> Verdict {
    let view = s.view;
    let current = s.set().status.as_ref().map_or("", |status| status.current_revision());
    must(s.name != current, "it is the set's current revision")?;
    for pod in &view.snapshot.pods {
        let adoptable = !(view.orphan(pod) && pod.deletion_unix_ms != 0); // otherwise it is not adopted any more
        let has = view.revision_name(pod) == s.name || UnderWay::of(view, pod).revision() == s.name;
        if adoptable && has && view.member(pod) && view.matches(pod) {
            return Err(format!("pod {} has it", pod.name));
        }
    }
    Ok(())
}

pub(super) fn pod_labels_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::PatchPod(body)) = &s.action.operation else { return Ok(()) };
    let name = s.pod().name.as_str();
    for (key, value) in &body.labels {
        let is_identity = (key == LABEL_POD_NAME && value == name) || (key == LABEL_POD_INDEX && value == trailing_digits(name));
        if !is_identity {
            return Err(format!("the label {} is not part of the pod's identity", quote(key)));
        }
    }
    Ok(())
}

pub(super) fn pod_volumes_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::PatchPod(body)) = &s.action.operation else { return Ok(()) };
    for binding in &body.claims {
        let volume = &binding.volume;
        if !s.view.claim_names.contains(volume) || binding.claim != format!("{volume}-{}", s.pod().name) {
            return Err(format!("the volume {} would not be bound to the claim of its ordinal", quote(volume)));
        }
    }
    Ok(())
}

/// Lets the question of a drain be asked or withdrawn, whose answer is the pod's, and a pod be marked for updates of its images.
pub(super) fn pod_notes_fault(s: &Subject<'_>) -> Verdict {
    if marks_pod(s) {
        return mark_fault(s);
    }
    if let Some(key) = s.patch().set.keys().find(|key| *key != DRAIN_REQUEST) {
        return Err(format!("the annotation {} is not the planner's to set on a pod", quote(key)));
    }
    match s.patch().remove.iter().find(|key| *key != DRAIN_REQUEST && *key != DRAIN_ANSWER) {
        Some(key) => Err(format!("the annotation {} is not the planner's to remove from a pod", quote(key))),
        None => Ok(()),
    }
}

pub(super) fn generation_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::UpdateStatus(body)) = &s.action.operation else { return Ok(()) };
    let Some(status) = &body.status else { return Err("there is no status".to_owned()) };
    must(status.observed_generation() <= s.set().generation, "the observed generation is newer than the set's")
}

pub(super) fn finalizer_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::SetFinalizer(body)) = &s.action.operation else { return Ok(()) };
    must(body.finalizer == FINALIZER, "the finalizer is not the planner's")?;
    let asked = !s.view.deleting() && s.view.draining() && s.view.policy.on_delete;
    must(!body.present || asked, "the set does not ask to be kept until it is drained")
}

/// Gives the newest revision the next number, and leaves none out.
pub(super) fn number_fault(s: &Subject<'_>) -> Verdict {
    let own = s.view.snapshot.revisions.iter().filter(|revision| s.view.own_revision(revision));
    let following = (1 + own.map(|revision| i128::from(revision.number)).max().unwrap_or(0).max(0)).to_string();
    let number = match (&s.action.operation, s.manifest.get(&["revision"])) {
        (Some(Operation::RenumberRevision(body)), _) => body.number.to_string(),
        (_, Json::Number(text)) => text.clone(),
        _ => "0".to_owned(),
    };
    if number == following { Ok(()) } else { Err(format!("the number is {}, the next one is {following}", quote(&number))) }
}

/// Reports whether an action deletes an owner under a drain template, or allows its deletion.
pub(super) fn takes_claims(s: &Subject<'_>) -> bool {
    let adds = matches!(&s.action.operation, Some(Operation::SetFinalizer(body)) if body.present);
    s.view.draining() && (s.operation == "deletePod" || s.operation == "evictPod" || adds)
}

pub(super) fn undrained_fault(s: &Subject<'_>) -> Verdict {
    let owner = if s.operation == "setFinalizer" { &s.set().uid } else { &s.pod().uid };
    match s.view.undrained(owner) {
        Some(claim) => Err(format!("the claim {} has not been drained and would be deleted with it", quote(&claim.name))),
        None => Ok(()),
    }
}
