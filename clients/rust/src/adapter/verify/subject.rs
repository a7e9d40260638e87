//! One action with its target in the snapshot.

use std::sync::LazyLock;

use super::json::{Json, differing, parse};
use super::names::{CLAIM, DRAIN_ATTEMPTS, DRAIN_SET, LABEL_REVISION, is_member_at, is_same_ordinal, ordinal_in, trailing_digits};
use super::view::SetView;
use crate::v1::action::Operation;
use crate::v1::{Action, Claim, OwnerReference, PatchAnnotations, Pod, Revision, Stage, StatefulSet};

static NO_POD: LazyLock<Pod> = LazyLock::new(Pod::default);
static NO_CLAIM: LazyLock<Claim> = LazyLock::new(Claim::default);
static NO_REVISION: LazyLock<Revision> = LazyLock::new(Revision::default);
static NO_PATCH: LazyLock<PatchAnnotations> = LazyLock::new(PatchAnnotations::default);

/// Fields of a pod that are not the template's: its address, and volumes, which have their own check.
pub(super) const OWN_SPEC: [&str; 3] = ["hostname", "subdomain", "volumes"];

/// What a check looks at.
pub struct Subject<'a> {
    pub(super) view: &'a SetView<'a>,
    pub(super) stage: &'a Stage,
    pub(super) action: &'a Action,
    pub(super) operation: &'static str,
    pub(super) name: &'a str,
    pub(super) kind: &'a str,
    pub(super) namespace: &'a str,
    /// The manifest of a create; null for other operations, and where it cannot be read.
    pub(super) manifest: Json,
    /// Why the manifest cannot be read.
    pub(super) unreadable: Option<String>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(view: &'a SetView<'a>, stage: &'a Stage, action: &'a Action) -> Self {
        let text = match &action.operation {
            Some(Operation::CreatePod(body)) => Some(&body.manifest),
            Some(Operation::CreateClaim(body)) => Some(&body.manifest),
            Some(Operation::CreateRevision(body)) => Some(&body.manifest),
            _ => None,
        };
        let (manifest, unreadable) = match text.map(|text| parse(text, true)) {
            Some(Ok(manifest)) => (manifest, None),
            Some(Err(why)) => (Json::Null, Some(why)),
            None => (Json::Null, None),
        };
        let target = action.target.as_ref();
        Self {
            view,
            stage,
            action,
            operation: action.name(),
            name: target.map_or("", |target| &target.name),
            kind: target.map_or("", |target| &target.kind),
            namespace: target.map_or("", |target| &target.namespace),
            manifest,
            unreadable,
        }
    }

    pub(super) fn set(&self) -> &'a StatefulSet {
        &self.view.set
    }

    pub(super) fn pod(&self) -> &'a Pod {
        self.view.pods.get(self.name).copied().unwrap_or(&NO_POD)
    }

    pub(super) fn claim(&self) -> &'a Claim {
        self.view.claims.get(self.name).copied().unwrap_or(&NO_CLAIM)
    }

    pub(super) fn revision(&self) -> &'a Revision {
        self.view.revisions.get(self.name).copied().unwrap_or(&NO_REVISION)
    }

    pub(super) fn patch(&self) -> &'a PatchAnnotations {
        if let Some(Operation::PatchAnnotations(body)) = &self.action.operation { body } else { &NO_PATCH }
    }

    /// The wanted owners of a claim.
    pub(super) fn owners(&self) -> &'a [OwnerReference] {
        if let Some(Operation::SetClaimOwners(body)) = &self.action.operation { &body.owners } else { &[] }
    }

    /// The manifest is a drain pod's: it has the mark and no controller.
    pub(super) fn is_drain(&self) -> bool {
        if self.operation != "createPod" || !self.view.draining() {
            return false;
        }
        let metadata = self.manifest.get(&["metadata"]);
        let is_controller = |owner: &Json| *owner.get(&["controller"]) == Json::Bool(true);
        let controlled = metadata.get(&["ownerReferences"]).items().iter().any(is_controller);
        metadata.get(&["annotations", DRAIN_SET]).is(&self.view.mark) && !controlled
    }

    /// What a created object must agree with.
    ///
    /// A replica agrees with the set's template if its revision stores that, and otherwise with the revision. The newest revision
    /// stores it, in the planner's sense, which knows more of equal texts than these checks; but for one case: the template's revision
    /// may be there under its name and not be the set's, so that the newest is an older one.
    pub(super) fn template(&self) -> &Json {
        let view = self.view;
        if self.operation == "createRevision" {
            return &view.template;
        }
        if self.is_drain() {
            return &view.policy.template;
        }
        let name = self.revision_label();
        let Some(stored) = view.stored(name).filter(|_| !view.made.contains(name)) else { return &view.template };
        if view.made.is_empty() && view.newest().is_some_and(|newest| newest.name == name) {
            let differs = differing(self.manifest.get(&["spec"]), stored.get(&["spec"]), &OWN_SPEC).is_some();
            if *stored == view.template || differs {
                return &view.template;
            }
        }
        stored
    }

    pub(super) fn revision_label(&self) -> &str {
        self.manifest.get(&["metadata", "labels", LABEL_REVISION]).text().unwrap_or_default()
    }

    pub(super) fn refers_to_set(&self, owner: &OwnerReference) -> bool {
        let set = self.set();
        owner.api_version == set.api_version && owner.kind == set.kind && owner.name == set.name
    }

    /// Reports whether a reference is to the pod of the claim's ordinal, with or without leading zeros.
    pub(super) fn refers_to_pod(&self, owner: &OwnerReference) -> bool {
        let is_ordinal = |ordinal| is_member_at(&owner.name, &self.set().name, ordinal);
        owner.api_version == "v1" && owner.kind == "Pod" && self.view.claim_ordinal(self.name).is_some_and(is_ordinal)
    }

    /// Reports whether a reference has the uid of the set or a pod of it. Such a reference may be removed, whatever its name.
    pub(super) fn our_uid(&self, owner: &OwnerReference) -> bool {
        owner.uid == self.set().uid || (owner.kind == "Pod" && self.view.pod_uids.contains(owner.uid.as_str()))
    }

    /// Leaves out the references to the set's name and to the name of the claim's pod, whatever their uid.
    pub(super) fn others_of<'b>(&self, owners: &'b [OwnerReference]) -> Vec<&'b OwnerReference> {
        let is_ours = |owner: &OwnerReference| self.refers_to_set(owner) || self.refers_to_pod(owner) || self.our_uid(owner);
        owners.iter().filter(|owner| !is_ours(owner)).collect()
    }

    /// The action adds no owner.
    pub(super) fn only_releases(&self) -> bool {
        let now = self.view.owners(self.claim());
        self.owners().iter().all(|owner| now.contains(owner))
    }

    /// The action changes the mark that says whose drain covers a claim.
    pub(super) fn marks_claim(&self) -> bool {
        let PatchAnnotations { set, remove } = self.patch();
        let touches = set.contains_key(DRAIN_SET) || remove.iter().any(|key| key == DRAIN_SET);
        self.kind == CLAIM && self.view.claims.contains_key(self.name) && touches
    }

    pub(super) fn mark_of(&self, claim: &Claim) -> &'a str {
        self.view.notes(claim).get(DRAIN_SET).map_or("", String::as_str)
    }

    /// Reports whether the drain policy covers an ordinal.
    ///
    /// It is in the range, has a replica or a marked claim, or the policy includes leftovers.
    pub(super) fn covers(&self, ordinal: i32) -> bool {
        let view = self.view;
        if view.policy.leftovers || (view.range.has(ordinal) && !view.emptying()) {
            return true;
        }
        let marked = |claim: &Claim| self.mark_of(claim) == view.mark && claim.deletion_unix_ms == 0;
        let replica = |pod: &Pod| is_same_ordinal(trailing_digits(&pod.name), ordinal) && view.member(pod);
        view.claims_of(ordinal).iter().any(|claim| marked(claim)) || view.snapshot.pods.iter().any(replica)
    }

    /// Reports whether an ordinal may be drained, or could be when its drain began.
    pub(super) fn may_drain(&self, ordinal: i32) -> bool {
        let view = self.view;
        if !view.draining() {
            return false;
        }
        if !view.range.has(ordinal) || view.emptying() {
            return true;
        }
        let name = format!("{}-{ordinal}", self.set().name);
        let begun = |claim: &Claim| self.mark_of(claim) == view.mark && view.notes(claim).contains_key(DRAIN_ATTEMPTS);
        view.pods.get(name.as_str()).is_some_and(|pod| view.drain_pod(pod))
            || view.claims_of(ordinal).iter().any(|claim| begun(claim))
    }

    /// The ordinal of the target, a pod or a claim.
    pub(super) fn ordinal(&self) -> Option<i32> {
        if self.kind == CLAIM { self.view.claim_ordinal(self.name) } else { ordinal_in(self.name, &self.set().name) }
    }
}
