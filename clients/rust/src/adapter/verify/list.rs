//! All checks in order: a later one may rely on those before it. docs/adapter.md has the same names and words.

use super::names::{CLAIM, POD, REVISION};
use super::subject::Subject;
use super::{Verdict, changes, claims, images, manifests, own, pods, resizes, target, updates};

/// One line of the list.
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// What it asks for.
    pub words: &'static str,
    pub(super) about: fn(&Subject<'_>) -> bool,
    pub(super) fault: fn(&Subject<'_>) -> Verdict,
}

fn on(s: &Subject<'_>, operations: &[&str]) -> bool {
    operations.contains(&s.operation)
}

fn creates(s: &Subject<'_>) -> bool {
    on(s, &target::CREATES)
}

fn makes(s: &Subject<'_>) -> bool {
    on(s, &["createPod", "createRevision"])
}

/// The checks of docs/adapter.md, in its words and its order.
pub static CHECKS: [Check; 50] = [
    // What is written to.
    Check { name: "operation", words: "the operation is known", about: |_| true, fault: target::operation_fault },
    Check {
        name: "kind",
        words: "the target's kind is the one that the operation is for",
        about: |_| true,
        fault: target::kind_fault,
    },
    Check { name: "namespace", words: "the target is in the set's namespace", about: |_| true, fault: target::namespace_fault },
    Check {
        name: "name",
        words: "the target's name is a DNS subdomain: no slash, no `..`",
        about: |_| true,
        fault: target::name_fault,
    },
    Check {
        name: "must-not-exist",
        words: "a create says that nothing of the name may exist",
        about: creates,
        fault: target::create_fault,
    },
    Check {
        name: "uid",
        words: "every other write names the uid that the snapshot shows for the target; UpdateStatus and SetFinalizer that of this set",
        about: |s| !creates(s),
        fault: target::uid_fault,
    },
    Check {
        name: "version",
        words: "a resource version is the one that the snapshot shows; PatchPod, UpdatePod, ResizePod, SetClaimOwners, PatchClaim, RenumberRevision, UpdateStatus, DeleteClaim, a change of `drain-set` on a claim and one of `in-place-update` on a pod name one",
        about: |s| !creates(s),
        fault: target::version_fault,
    },
    Check {
        name: "manifest",
        words: "a manifest is JSON of at most 3 MiB and 200 levels, and no key stands twice in an object",
        about: creates,
        fault: manifests::manifest_fault,
    },
    Check {
        name: "alone",
        words: "with the scope `DRAIN_ONLY`: nothing but notes of a drain, drain pods, drained claims, references that are taken off claims under a drain template, and the finalizer; pods of the set only while it is emptied",
        about: target::alone,
        fault: target::alone_fault,
    },
    // Whose it is.
    Check {
        name: "own-pod",
        words: "a pod that is deleted, evicted or changed is controlled by the set, or nobody's with the labels and the name of a set that is not being deleted; one that is deleted may be a drain pod of the set",
        about: |s| !creates(s) && s.kind == POD,
        fault: own::pod_own_fault,
    },
    Check {
        name: "own-revision",
        words: "a revision that is changed or deleted has labels that the selector matches and no other controller",
        about: |s| !creates(s) && s.kind == REVISION,
        fault: own::revision_own_fault,
    },
    Check {
        name: "own-claim",
        words: "a claim has the name of a claim template (the set's own, or an object of another name in the data of a revision of the set under `claim-templates`, or in the annotation of that name if the set's pod template has a volume for it that is bound to a claim of the same name and not only read), the set and an ordinal",
        about: |s| s.kind == CLAIM,
        fault: claims::claim_own_fault,
    },
    Check {
        name: "orphan",
        words: "what is adopted has the set's labels (a pod its name too), nobody controls it, it is no drain pod and not being deleted",
        about: |s| on(s, &["adoptPod", "adoptRevision"]),
        fault: own::orphan_fault,
    },
    Check {
        name: "adopter",
        words: "the owner that is added is this set, as the controller",
        about: |s| on(s, &["adoptPod", "adoptRevision"]),
        fault: own::adopter_fault,
    },
    Check {
        name: "live-set",
        words: "the set is not being deleted, and the stage of an adoption has requires_live_set",
        about: |s| on(s, &["adoptPod", "adoptRevision"]),
        fault: own::live_fault,
    },
    Check {
        name: "release",
        words: "a pod is released from this set only, and only if its labels or its name are not the set's any more",
        about: |s| on(s, &["releasePod"]),
        fault: own::release_fault,
    },
    // What is changed.
    Check {
        name: "pod-labels",
        words: "PatchPod sets the labels of the pod's own identity and no others",
        about: |s| on(s, &["patchPod"]),
        fault: own::pod_labels_fault,
    },
    Check {
        name: "pod-volumes",
        words: "PatchPod binds volumes of the claim templates to the claims of the pod's own ordinal",
        about: |s| on(s, &["patchPod"]),
        fault: own::pod_volumes_fault,
    },
    Check {
        name: "pod-update",
        words: "UpdatePod is for a pod in the range of a set that asks for it by `in-place` and is not being deleted. The pod's revision is the one that its `in-place-update` names, or otherwise its label. The action relabels, and sets controller-revision-hash; or it starts, and sets `in-place-update` to a text that names another revision than the pod's `in-place-update` does; or it notes, and sets a text that names the same; or it finishes, and sets `{}`. A revision that it relabels or starts for is in the snapshot or made by the plan, and it sets and removes exactly the labels and annotations in which that one's template differs from that of the pod's revision, none of them a label of the identity or another key under `setplan.io/`; the two differ in nothing else but, where it starts, in images and in cpu and memory of containers and of sidecars, which the second one still asks for. A note and a finish set and remove nothing more, but for the label of a finish",
        about: |s| on(s, &["updatePod"]),
        fault: updates::pod_update_fault,
    },
    Check {
        name: "pod-images",
        words: "images change only by a start, of a pod whose containers the snapshot shows: each list has all of them, in order, with the template's image where the templates differ and otherwise their own, and is left out only where nothing of it differs. What a start or a note sets is an object with `at`, a time in seconds, `containers`, `revision` and, of a note alone, `seen`, which is true. Of a container whose image changes, `containers` has `id` and `image` as the snapshot shows them; if the pod's `in-place-update` has it already, also `good`, which is that one's or otherwise its `id` and `image`, and perhaps `open`, which is true. Of others it has what the pod's has, and a note may have of these what the snapshot shows, with `good`. A pod that is on its way is not relabelled, and its finish sets the label to the revision that it was on its way to, or leaves the label out where it is that",
        about: |s| on(s, &["updatePod"]),
        fault: images::pod_images_fault,
    },
    Check {
        name: "pod-resources",
        words: "what a start notes under `resize`, by container, is the limits and requests of cpu and memory in which the templates differ, as the snapshot shows them in the pod's spec, or empty, beside what the pod's `in-place-update` has there; `restarts`, which is true, is there if a `resizePolicy` asks for a restart for one of them, and otherwise at most where it was. A note leaves both as they are. Of what the pod's `in-place-update` has under `resize`, a finish finds in the pod's spec what the revision asks for, or something that is not what is noted there",
        about: |s| on(s, &["updatePod"]),
        fault: resizes::pod_resources_fault,
    },
    Check {
        name: "pod-resize",
        words: "ResizePod is for a pod in the range of a set that asks for it by `in-place` and is not being deleted, which is on its way to a revision that the snapshot has or the plan makes, and whose containers the snapshot shows: each list has all of them, in order, or is empty. It sets at least one limit or request, each of which the pod's `in-place-update` has under `resize`, with what the snapshot shows in the pod's spec, and sets it to what the revision's template asks for in a container or a sidecar; a request that it does not have is the limit",
        about: |s| on(s, &["resizePod"]),
        fault: resizes::pod_resize_fault,
    },
    Check {
        name: "pod-notes",
        words: "of a pod's annotations `drain-request` is set and removed, `drain-answer` is removed, and no other is touched; but `in-place-update` is set by itself to `{}` where it is not there, on a pod in the range of a set that asks for it by `in-place` and is not being deleted",
        about: |s| on(s, &["patchAnnotations"]) && s.kind == POD,
        fault: own::pod_notes_fault,
    },
    Check {
        name: "claim-notes",
        words: "of a claim's annotations `drain-set`, `drain-attempts` and `drain-begun` are set and removed, and no other is touched",
        about: |s| on(s, &["patchAnnotations"]) && s.kind == CLAIM,
        fault: claims::claim_notes_fault,
    },
    Check {
        name: "mark",
        words: "a claim that another set has marked is left alone; a new mark is this set's, under a drain template, for an ordinal that the policy covers: in the range (unless the set is emptied), with a replica, with a marked claim, or with `drain-leftovers`",
        about: |s| on(s, &["patchAnnotations"]) && s.kind == CLAIM,
        fault: claims::mark_fault,
    },
    Check {
        name: "drain-begun",
        words: "attempts are counted only on claims of an ordinal outside the range, of a set that is emptied, or of a drain that was begun",
        about: |s| on(s, &["patchAnnotations"]) && s.kind == CLAIM,
        fault: claims::begun_fault,
    },
    Check {
        name: "owners-kept",
        words: "SetClaimOwners leaves every owner as it is that is neither the set's name nor that of the claim's pod",
        about: |s| on(s, &["setClaimOwners"]),
        fault: claims::owners_kept_fault,
    },
    Check {
        name: "owners-added",
        words: "a claim refers to this set only where whenDeleted is Delete (and no `drain-on-delete`), and to its pod, by the uid in the snapshot, only where whenScaled is Delete, no drain template is there and the ordinal is outside the range",
        about: |s| on(s, &["setClaimOwners"]),
        fault: claims::owners_added_fault,
    },
    Check {
        name: "drained",
        words: "D1 again: a claim is deleted under a drain template, if it bears the set's mark and a drain pod of the set lists its uid, has drained (D4) and is not being deleted, and no other set calls claims as this one does",
        about: |s| on(s, &["deleteClaim"]),
        fault: claims::drained_fault,
    },
    Check {
        name: "claim-change",
        words: "PatchClaim is for an ordinal in the range of a set that asks for it and is not being deleted, and for a claim that nobody else controls and that no other set calls so; what it asks for is what the claim template with its patch in `claim-templates`, or the template that is added there, asks for, labels and annotations are the template's without the selector's, and beside them only `claim-request` with that text, `claim-changed` with a time and `claim-metadata` with at most 13 digits and small letters are set",
        about: |s| on(s, &["patchClaim"]),
        fault: changes::claim_change_fault,
    },
    Check {
        name: "in-use",
        words: "a revision that is deleted is not the current one, and no pod of the set has it",
        about: |s| on(s, &["deleteRevision"]),
        fault: own::in_use_fault,
    },
    Check {
        name: "generation",
        words: "UpdateStatus has a status, and observes no generation that there is not yet",
        about: |s| on(s, &["updateStatus"]),
        fault: own::generation_fault,
    },
    Check {
        name: "finalizer",
        words: "the finalizer is `setplan.io/drain`, and is added only to a set with a drain template and `drain-on-delete` that is not being deleted",
        about: |s| on(s, &["setFinalizer"]),
        fault: own::finalizer_fault,
    },
    Check {
        name: "undrained",
        words: "under a drain template a replica is deleted or evicted, and the finalizer added, only if no claim of the set that has not been drained refers to that pod or to the set, or an earlier action has taken the reference off",
        about: own::takes_claims,
        fault: own::undrained_fault,
    },
    // What is made.
    Check {
        name: "object",
        words: "a manifest has the target's kind and name, the set's namespace, and no field beside spec (of a revision data and revision)",
        about: creates,
        fault: manifests::object_fault,
    },
    Check {
        name: "metadata",
        words: "metadata holds labels, annotations, owners, a generateName of the set's name, the template's finalizers, and nothing else",
        about: makes,
        fault: manifests::metadata_fault,
    },
    Check {
        name: "owner",
        words: "the only owner is this set as the controller; of a drain pod this set without controller, or nobody while the set is emptied",
        about: makes,
        fault: manifests::owner_fault,
    },
    Check {
        name: "labels",
        words: "labels are the template's and the object's identity (pod-name, pod-index, controller-revision-hash; of a revision its hash); a drain pod's are not matched by the selector",
        about: makes,
        fault: manifests::labels_fault,
    },
    Check {
        name: "annotations",
        words: "annotations are the template's; of a drain pod also `drain-set` and `drain-claims`; of a revision they are the set's",
        about: makes,
        fault: manifests::annotations_fault,
    },
    Check {
        name: "pod-wanted",
        words: "a replica's ordinal is in the range of a set that is not being deleted; a drain pod's is outside it, or its drain was begun, or the set is emptied",
        about: |s| on(s, &["createPod"]),
        fault: pods::pod_wanted_fault,
    },
    Check {
        name: "pod-revision",
        words: "a replica's controller-revision-hash names a revision that the snapshot has or the plan makes",
        about: |s| on(s, &["createPod"]) && !s.is_drain(),
        fault: pods::pod_revision_fault,
    },
    Check {
        name: "drain-claims",
        words: "a drain pod is for an ordinal that the policy covers, and lists uids of claims of that ordinal that are not being deleted nor another set's, and no other set calls claims as this one does",
        about: |s| s.is_drain(),
        fault: pods::drain_claims_fault,
    },
    Check {
        name: "spec",
        words: "every field of a pod's spec is the template's: of the set, of the revision that it names, or of its drain (a drain pod's restartPolicy is OnFailure where the template has none, and with `drain-proof` each of its containers has SETPLAN_DRAIN_TOKEN in its environment, last)",
        about: |s| on(s, &["createPod"]),
        fault: pods::spec_fault,
    },
    Check {
        name: "address",
        words: "hostname is the pod's name, subdomain the set's service",
        about: |s| on(s, &["createPod"]),
        fault: pods::address_fault,
    },
    Check {
        name: "volumes",
        words: "volumes are the claims of the ordinal, in the order of the claim templates, without those that the data of the pod's revision has as null under `setplan.io/claim-templates` and with those, in the order of their names, that it has there as objects, and then the template's others; a drain pod's are without those that are removed or added and whose claim is not there",
        about: |s| on(s, &["createPod"]),
        fault: pods::volumes_fault,
    },
    Check {
        name: "claim-wanted",
        words: "a claim is made for an ordinal in the range of a set that is not being deleted",
        about: |s| on(s, &["createClaim"]),
        fault: claims::claim_wanted_fault,
    },
    Check {
        name: "claim",
        words: "a claim is its template, with or without its patch in `claim-templates`; or the template that is added there, or in the data of the newest revision that has one of the name; with the selector's labels, under a drain template with `drain-set`, and where claims follow their templates with `claim-request` and `claim-metadata`",
        about: |s| on(s, &["createClaim"]),
        fault: manifests::claim_manifest_fault,
    },
    Check {
        name: "revision-name",
        words: "a revision's name is the set's, a dash and more",
        about: |s| on(s, &["createRevision"]),
        fault: manifests::revision_name_fault,
    },
    Check {
        name: "revision-data",
        words: "the data of a revision that is made or renumbered is the set's template as a patch that replaces it; beside `spec` it may have `setplan.io/claim-templates` with null for claim templates that the set's annotation has as null, or the newest revision's data; and with objects, where a revision is made only those that the annotation has for names that the set has no claim template of, or the data of the newest revision that has one of the name",
        about: |s| on(s, &["createRevision", "renumberRevision"]),
        fault: manifests::revision_data_fault,
    },
    Check {
        name: "revision-number",
        words: "its number is the next one after the set's other revisions",
        about: |s| on(s, &["createRevision", "renumberRevision"]),
        fault: own::number_fault,
    },
];
