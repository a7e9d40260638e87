package verify

var (
	makes      = both(creates, not(on(createClaim)))
	aDrain     = both(on(createPod), (*subject).isDrain)
	notes      = on(patchAnnotations)
	setsOwners = on(setClaimOwners)
)

// list has all checks in order: a later one may rely on those before it.
var list = []check{
	// What is written to.
	{"kind", "the operation is known, and the target's kind is the one that it is for", every, kindFault},
	{"namespace", "the target is in the set's namespace", every, namespaceFault},
	{"name", "the target's name is a DNS subdomain: no slash, no `..`", every, nameFault},
	{"must-not-exist", "a create says that nothing of the name may exist", creates, createFault},
	{"uid", "every other write names the uid that the snapshot shows for the target; UpdateStatus and SetFinalizer that of this set", changes, uidFault},
	{"version", "a resource version is the one that the snapshot shows; PatchPod, UpdatePod, ResizePod, SetClaimOwners, PatchClaim, RenumberRevision, UpdateStatus, DeleteClaim and a change of `drain-set` on a claim name one", changes, versionFault},
	{"manifest", "a manifest is JSON of at most 3 MiB, 200 levels and 110,000 values, and no key stands twice in an object", creates, manifestFault},
	{"alone", "with the scope `DRAIN_ONLY`: nothing but notes of a drain, drain pods, drained claims, references that are taken off claims under a drain template, and the finalizer; pods of the set only while it is emptied", alone, aloneFault},

	// Whose it is.
	{"own-pod", "a pod that is deleted, evicted or changed is controlled by the set, or nobody's with the labels and the name of a set that is not being deleted; one that is deleted may be a drain pod of the set", both(changes, about(kindPod)), podOwnFault},
	{"own-revision", "a revision that is changed or deleted has labels that the selector matches and no other controller", both(changes, about(kindRevision)), revisionOwnFault},
	{"own-claim", "a claim has the name of a claim template (the set's own, or an object of another name in the data of a revision of the set under `claim-templates`, or in the annotation of that name if the set's pod template has a volume for it that is bound to a claim of the same name and not only read), the set and an ordinal", about(kindClaim), claimOwnFault},
	{"orphan", "what is adopted has the set's labels (a pod its name too), nobody controls it, it is no drain pod and not being deleted; nor is the set, and the stage has requires_live_set", on(adoptPod, adoptRevision), orphanFault},
	{"adopter", "the owner that is added is this set, as the controller; the one that ReleasePod takes off is this set", on(adoptPod, adoptRevision, releasePod), adopterFault},

	// What is changed.
	{"pod-labels", "PatchPod sets the labels of the pod's own identity and no others, and binds volumes of the claim templates to the claims of the pod's own ordinal", on(patchPod), podPatchFault},
	{"in-place", "UpdatePod and ResizePod are for a set that asks for it by `in-place`. An image is the one that the snapshot shows of the container, or one that a template has for it; limits and requests are what a template asks for in that container, and a request that it does not have is the limit. A template is the set's, or that of a revision of the set. A label or an annotation that is set is one of a template, one that is removed is in a template and not in another, and none is a label of the identity or a key under `setplan.io/`; but controller-revision-hash is set to anything, and `in-place-update` to at most 2 KiB and 2 KiB for each container", on(updatePod, resizePod), inPlaceFault},
	{"notes", "PatchAnnotations sets and removes, of a pod, `drain-request` (a number, a dash and at most 13 digits and small letters) and `in-place-update` (`{}`), and removes `drain-answer`; of a claim, `drain-set`, `drain-attempts` (a number) and `drain-begun` (a time). It touches no other", notes, notesFault},
	{"mark", "a claim that another set has marked is left alone; a new mark is this set's, under a drain template, for an ordinal that the policy covers: in the range (unless the set is emptied), with a replica, with a marked claim, or with `drain-leftovers`. Attempts are counted only on claims of an ordinal outside the range, of a set that is emptied, or of a drain that was begun", both(notes, about(kindClaim)), markFault},
	{"owners-kept", "SetClaimOwners leaves every owner as it is that is neither the set nor a pod of it, by name or by uid", setsOwners, ownersKeptFault},
	{"owners-added", "a claim is given this set only where whenDeleted is Delete (and no `drain-on-delete`), and its pod, by the uid in the snapshot, only where whenScaled is Delete, no drain template is there and the ordinal is outside the range; a set that is being deleted gets no claim, and nobody gets one that no pod has", setsOwners, ownersAddedFault},
	{"drained", "D1 again: a claim is deleted under a drain template, if it bears the set's mark and a drain pod of the set lists its uid, has drained (D4) and is not being deleted, and no other set calls claims as this one does", on(deleteClaim), drainedFault},
	{"undrained", "under a drain template a replica is deleted or evicted, and the finalizer added, only if no claim of the set that has not been drained refers to that pod or to the set, or an earlier action has taken the reference off", takesClaims, undrainedFault},
	{"claim-change", "PatchClaim is for a claim that nobody else controls and that no other set calls so. What it asks for is what the claim template with its patch in `claim-templates`, or the template that is added there, asks for; labels and annotations are the template's without the selector's, and beside them only `claim-request` with that text, `claim-changed` with a time, and `claim-metadata` with at most 13 digits and small letters are set", on(patchClaim), claimChangeFault},
	{"status", "UpdateStatus has a status. Each condition is `Reconciling`, `Blocked`, `Repairing` or `Draining`, once, `True` or `False`, with a reason of at most 64 letters and a message of at most 1,024 bytes. It names revisions that a replica may have, or what it names already; the update revision may also be the set's name, a dash and at most 10 digits and small letters, and the current one the same where there was none, or the set is being deleted", on(updateStatus), statusFault},
	{"finalizer", "the finalizer is `setplan.io/drain`, and is added only to a set with a drain template and `drain-on-delete` that is not being deleted", on(setFinalizer), finalizerFault},

	// What is made.
	{"object", "a manifest has the target's kind and name, the set's namespace, and no field beside spec (of a revision data and revision)", creates, objectFault},
	{"made", "a replica and a claim are made for an ordinal in the range; a revision's name is the set's, a dash and at most 10 digits and small letters", creates, madeFault},
	{"metadata", "metadata holds labels, annotations, owners, a generateName of the set's name, the template's finalizers, and nothing else", makes, metadataFault},
	{"owner", "the only owner is this set as the controller; of a drain pod this set without controller, or nobody while the set is emptied", makes, ownerFault},
	{"labels", "labels are the template's and the object's identity (pod-name, pod-index, controller-revision-hash; of a revision its hash); a drain pod's are not matched by the selector", makes, labelsFault},
	{"annotations", "annotations are the template's; of a drain pod also `drain-set` and `drain-claims`; of a revision they are the set's", makes, annotationsFault},
	{"drain-claims", "a drain pod is for an ordinal outside the range, or whose drain was begun, or of a set that is emptied, and that the policy covers. It lists uids of claims of that ordinal that are not being deleted nor another set's, and no other set calls claims as this one does", aDrain, drainedClaimsFault},
	{"spec", "every field of a pod's spec is the template's: of the set, of the revision that it names, or of its drain (a drain pod's restartPolicy is OnFailure where the template has none, and with `drain-proof` each of its containers has SETPLAN_DRAIN_TOKEN in its environment, last); hostname is the pod's name, subdomain the set's service", on(createPod), specFault},
	{"volumes", "volumes are the claims of the ordinal, in the order of the claim templates, without those that the data of the pod's revision has as null under `setplan.io/claim-templates` and with those, in the order of their names, that it has there as objects, and then the template's others; a drain pod's are without those that are removed or added and whose claim is not there", on(createPod), volumesFault},
	{"claim", "a claim is its template, with or without its patch in `claim-templates`; or the template that is added there, or in the data of the newest revision that has one of the name; with the selector's labels, under a drain template with `drain-set`, and where claims follow their templates with `claim-request` and `claim-metadata`", on(createClaim), claimManifestFault},
	{"revision-data", "the data of a revision that is made or renumbered is the set's template as a patch that replaces it; beside `spec` it may have `setplan.io/claim-templates` with null for claim templates that the set's annotation has as null, or the newest revision's data; and with objects, where a revision is made only those that the annotation has for names that the set has no claim template of, or the data of the newest revision that has one of the name. A plan makes one revision; its data is written as every planner writes JSON, and no revision of the set has the same bytes", on(createRevision, renumberRevision), revisionDataFault},
}
