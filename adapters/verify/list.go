package verify

var (
	aPod       = on(createPod)
	aReplica   = both(aPod, not((*subject).isDrain))
	aDrain     = both(aPod, (*subject).isDrain)
	aClaim     = on(createClaim)
	aRevision  = on(createRevision)
	podNotes   = both(on(patchAnnotations), about(kindPod))
	claimNotes = both(on(patchAnnotations), about(kindClaim))
	setsOwners = on(setClaimOwners)
	unread     = not((*subject).fits) // a pod that is like one before, but for its name, was read with that one
)

// list has all checks in order: a later one may rely on those before it.
var list = []check{
	// What is written to.
	{"operation", "the operation is known", every, operationFault},
	{"kind", "the target's kind is the one that the operation is for", every, kindFault},
	{"namespace", "the target is in the set's namespace", every, namespaceFault},
	{"name", "the target's name is a DNS subdomain: no slash, no `..`", every, nameFault},
	{"times", "a plan asks one operation of an object twice at most", every, timesFault},
	{"must-not-exist", "a create says that nothing of the name may exist", creates, createFault},
	{"uid", "every other write names the uid that the snapshot shows for the target; UpdateStatus and SetFinalizer that of this set", changes, uidFault},
	{"version", "a resource version is the one that the snapshot shows; PatchPod, UpdatePod, ResizePod, SetClaimOwners, PatchClaim, RenumberRevision, UpdateStatus, DeleteClaim, a change of `drain-set` on a claim and one of `in-place-update` on a pod name one", changes, versionFault},
	{"manifest", "a manifest is JSON of at most 3 MiB, 200 levels and 110,000 values, and no key stands twice in an object", both(creates, unread), manifestFault},
	{"alone", "with the scope `DRAIN_ONLY`: nothing but notes of a drain, drain pods, drained claims, references that are taken off claims under a drain template, and the finalizer; pods of the set only while it is emptied", alone, aloneFault},

	// Whose it is.
	{"own-pod", "a pod that is deleted, evicted or changed is controlled by the set, or nobody's with the labels and the name of a set that is not being deleted; one that is deleted may be a drain pod of the set", both(changes, about(kindPod)), podOwnFault},
	{"own-revision", "a revision that is changed or deleted has labels that the selector matches and no other controller", both(changes, about(kindRevision)), revisionOwnFault},
	{"own-claim", "a claim has the name of a claim template (the set's own, or an object of another name in the data of a revision of the set under `claim-templates`, or in the annotation of that name if the set's pod template has a volume for it that is bound to a claim of the same name and not only read), the set and an ordinal", about(kindClaim), claimOwnFault},
	{"orphan", "what is adopted has the set's labels (a pod its name too), nobody controls it, it is no drain pod and not being deleted", on(adoptPod, adoptRevision), orphanFault},
	{"adopter", "the owner that is added is this set, as the controller", on(adoptPod, adoptRevision), adopterFault},
	{"live-set", "the set is not being deleted, and the stage of an adoption has requires_live_set", on(adoptPod, adoptRevision), liveFault},
	{"release", "a pod is released from this set only, and only if its labels or its name are not the set's any more", on(releasePod), releaseFault},

	// What is changed.
	{"pod-labels", "PatchPod sets the labels of the pod's own identity and no others", on(patchPod), podLabelsFault},
	{"pod-volumes", "PatchPod binds volumes of the claim templates to the claims of the pod's own ordinal", on(patchPod), podVolumesFault},
	{"pod-update", "UpdatePod is for a pod in the range of a set that asks for it by `in-place` and is not being deleted. Its target is the revision that the text names which it sets as `in-place-update`; without one, or with `{}`, the revision that it sets as controller-revision-hash, or that the pod has there. The target is one that a replica may name, with the claim templates of the revision that the pod has: the one that its own `in-place-update` names, by the pod's uid, or else its label. Labels and annotations that are set are those of the target's template, removed ones are in the template that the pod has and not in the target's, and none is a label of the identity, or another key under `setplan.io/`", on(updatePod), podUpdateFault},
	{"pod-images", "a list of images has all containers that the snapshot shows of the pod, in order, each with the image that is shown or the one of the target's template. Each container of the target's template then has its image there, unless the template that the pod has says the same", on(updatePod), podImagesFault},
	{"pod-record", "what is set as `in-place-update` is `{}`, or an object with `at`, a time in seconds, `containers`, perhaps `resize`, `restarts` and `seen`, which are true, `revision`, and `uid`, which is the pod's; of at most 2 KiB and 2 KiB for each container, written as every planner writes JSON: keys in order, and no white space. Of a container that the snapshot shows of the pod `containers` has `id` and `image`, perhaps with `good`, which has both again, and `open`, which is true; `resize` has limits and requests of cpu and memory. One of them is not empty", on(updatePod), podRecordFault},
	{"pod-resize", "ResizePod is for a pod in the range of a set that asks for it by `in-place` and is not being deleted. Each list has all containers that the snapshot shows of the pod, in order, or is empty, and each limit and request is what the template that the pod has asks for in that container; a request that it does not have is the limit", on(resizePod), podResizeFault},
	{"pod-notes", "of a pod's annotations `drain-request` is set, to a number, a dash and at most 13 digits and small letters, and removed, `drain-answer` is removed, and no other is touched; but `in-place-update` is set by itself to `{}` where it is not there, on a pod in the range of a set that asks for it by `in-place` and is not being deleted", podNotes, podNotesFault},
	{"claim-notes", "of a claim's annotations `drain-set`, `drain-attempts` and `drain-begun` are set and removed, and no other is touched; attempts are a number, and begun is when a drain pod of the snapshot was created", claimNotes, claimNotesFault},
	{"mark", "a claim that another set has marked is left alone; a new mark is this set's, under a drain template, for an ordinal that the policy covers: in the range (unless the set is emptied), with a replica, with a marked claim, or with `drain-leftovers`", claimNotes, markFault},
	{"drain-begun", "attempts are counted only on claims of an ordinal outside the range, of a set that is emptied, or of a drain that was begun", claimNotes, begunFault},
	{"owners-kept", "SetClaimOwners leaves every owner as it is that is neither the set's name nor that of the claim's pod", setsOwners, ownersKeptFault},
	{"owners-added", "a claim refers to this set only where whenDeleted is Delete (and no `drain-on-delete`), and to its pod, by the uid in the snapshot, only where whenScaled is Delete, no drain template is there and the ordinal is outside the range; a set that is being deleted gets no claim, and nobody gets one that no pod has", setsOwners, ownersAddedFault},
	{"drained", "D1 again: a claim is deleted under a drain template, if it bears the set's mark and a drain pod of the set lists its uid, has drained (D4) and is not being deleted, and no other set calls claims as this one does", on(deleteClaim), drainedFault},
	{"claim-change", "PatchClaim is for an ordinal in the range of a set that asks for it and is not being deleted, and for a claim that nobody else controls and that no other set calls so; what it asks for is what the claim template with its patch in `claim-templates`, or the template that is added there, asks for, labels and annotations are the template's without the selector's, and beside them only `claim-request` with that text, together with the request unless the claim asks for as much or has the note, `claim-changed` with a time, together with a request or a class, and `claim-metadata` with at most 13 digits and small letters are set", on(patchClaim), claimChangeFault},
	{"in-use", "a revision that is deleted is not the current one, and no pod of the set has it", on(deleteRevision), inUseFault},
	{"generation", "UpdateStatus has a status, and observes no generation that there is not yet", on(updateStatus), generationFault},
	{"conditions", "each condition of a status is `Reconciling`, `Blocked`, `Repairing` or `Draining`, once, `True` or `False`, with a reason of at most 64 letters and a message of at most 1,024 bytes", on(updateStatus), conditionsFault},
	{"counters", "no counter of a status is farther from zero than the number of the snapshot's pods and one, unless all are as they were; the collision count is at least what it was, and at most the number of the snapshot's revisions larger", on(updateStatus), countersFault},
	{"status-revisions", "the status names revisions that a replica may name, or what it names already; it does not take the current one away; the update revision may also be the set's name, a dash and at most 10 digits and small letters, and the current one the same where there was none, or the set is being deleted", on(updateStatus), statusRevisionsFault},
	{"finalizer", "the finalizer is `setplan.io/drain`, and is added only to a set with a drain template and `drain-on-delete` that is not being deleted", on(setFinalizer), finalizerFault},
	{"undrained", "under a drain template a replica is deleted or evicted, and the finalizer added, only if no claim of the set that has not been drained refers to that pod or to the set, or an earlier action has taken the reference off", takesClaims, undrainedFault},

	// What is made.
	{"object", "a manifest has the target's kind and name, the set's namespace, and no field beside spec (of a revision data and revision)", both(creates, unread), objectFault},
	{"metadata", "metadata holds labels, annotations, owners, a generateName of the set's name, the template's finalizers, and nothing else", both(on(createPod, createRevision), unread), metadataFault},
	{"owner", "the only owner is this set as the controller; of a drain pod this set without controller, or nobody while the set is emptied", both(on(createPod, createRevision), unread), ownerFault},
	{"labels", "labels are the template's and the object's identity (pod-name, pod-index, controller-revision-hash; of a revision its hash); a drain pod's are not matched by the selector", both(on(createPod, createRevision), unread), labelsFault},
	{"annotations", "annotations are the template's; of a drain pod also `drain-set` and `drain-claims`; of a revision they are the set's", both(on(createPod, createRevision), unread), annotationsFault},
	{"pod-wanted", "a replica's ordinal is in the range of a set that is not being deleted; a drain pod's is outside it, or its drain was begun, or the set is emptied", aPod, podWantedFault},
	{"pod-revision", "a replica's controller-revision-hash names a revision of the set, one of somebody else with the data that one of the set would have, or one that the plan makes", both(aReplica, unread), podRevisionFault},
	{"drain-claims", "a drain pod is for an ordinal that the policy covers, and lists uids of claims of that ordinal that are not being deleted nor another set's, and no other set calls claims as this one does", aDrain, drainedClaimsFault},
	{"spec", "every field of a pod's spec is the template's: of the set, of the revision that it names, or of its drain (a drain pod's restartPolicy is OnFailure where the template has none, and with `drain-proof` each of its containers has SETPLAN_DRAIN_TOKEN in its environment, last)", both(aPod, unread), specFault},
	{"address", "hostname is the pod's name, subdomain the set's service", both(aPod, unread), addressFault},
	{"volumes", "volumes are the claims of the ordinal, in the order of the claim templates, without those that the data of the pod's revision has as null under `setplan.io/claim-templates` and with those, in the order of their names, that it has there as objects, and then the template's others; a drain pod's are without those that are removed or added and whose claim is not there", both(aPod, unread), volumesFault},
	{"claim-wanted", "a claim is made for an ordinal in the range of a set that is not being deleted", aClaim, claimWantedFault},
	{"claim", "a claim is its template, with or without its patch in `claim-templates`; or the template that is added there, or in the data of the newest revision that has one of the name; with the selector's labels, under a drain template with `drain-set`, and where claims follow their templates with `claim-request` and `claim-metadata`", both(aClaim, unread), claimManifestFault},
	{"revision-name", "a revision's name is the set's, a dash and at most 10 digits and small letters", aRevision, revisionNameFault},
	{"revision-data", "the data of a revision that is made or renumbered is the set's template as a patch that replaces it; beside `spec` it may have `setplan.io/claim-templates` with null for claim templates that the set's annotation has as null, or the newest revision's data; and with objects, where a revision is made only those that the annotation has for names that the set has no claim template of, or the data of the newest revision that has one of the name", on(createRevision, renumberRevision), revisionDataFault},
	{"revision-number", "its number is the next one after the set's other revisions", on(createRevision, renumberRevision), numberFault},
	{"revision-once", "a plan makes or renumbers one revision; the data of one that it makes is written as every planner writes JSON, and no revision of the set has the same bytes", on(createRevision, renumberRevision), onceFault},
}
