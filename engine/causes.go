package engine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// The sentences of causes are here and in causes_drain.go, apart from the steps that plan the actions.

// The causes whose sentence is always the same.
var (
	causePodFailed      = Cause{CausePodFailed, "The pod has failed and is recreated."}
	causePodSucceeded   = Cause{CausePodSucceeded, "The pod has succeeded, but pods of a set must keep running, so it is recreated."}
	causeScaledDown     = Cause{CauseScaledDown, "The pod's ordinal is outside the range."}
	causeIdentity       = Cause{CauseIdentity, "The pod's identity labels are missing or wrong."}
	causeStorage        = Cause{CauseStorage, "The pod does not use the claims of its ordinal."}
	causeOrphanPod      = Cause{CauseOrphanMatches, "The pod matches the selector and the set's name and has no controller, so the set adopts it."}
	causeOrphanRevision = Cause{CauseOrphanMatches, "The revision matches the selector and has no controller, so the set adopts it."}
	causeNoLongerOurs   = Cause{CauseMatchesNoLonger, "The pod no longer matches the set's selector or name, so the set releases it."}
	causeNewTemplate    = Cause{CauseNewTemplate, "No revision has this pod template yet."}
	causeNewClaims      = Cause{CauseNewTemplate, "No revision has this pod template with these claim templates yet."}
	causeRollback       = Cause{CauseRollback, "Rollback: this older revision has the pod template, so it becomes the newest one."}
	causeForeignOwner   = Cause{CauseRetentionForeignController, "Another object owns the claim too, so the set's owner references are removed."}
	causeClaimKept      = Cause{CauseRetention, "The set is being deleted, and the retention policy keeps the claim, so the set and its pod no longer own it."}
	causeSharedClaim    = Cause{CauseRetention, "Another set also uses the claim, so neither set owns it."}
)

func causeOrdinalMissing(ordinal int32, revision string) Cause {
	return Cause{CauseOrdinalMissing, "Ordinal " + strconv.Itoa(int(ordinal)) + " has no pod; one is created at revision " + short(revision) + "."}
}

func causeClaimNeeded(pod string) Cause {
	return Cause{CauseClaimMissing, "Pod " + pod + " needs the claim."}
}

func causeClaimUnused(pod string) Cause {
	return Cause{CauseClaimMissing, "Pod " + pod + " should use the claim."}
}

func causePendingWithoutClaim(pod string) Cause {
	return Cause{CauseClaimMissingForPendingPod, "Pod " + pod + " is pending and its claim does not exist."}
}

func causeRetention(s *Set) Cause {
	return Cause{CauseRetention, fmt.Sprintf("The claim's owners do not match the retention policy: whenScaled %s, whenDeleted %s.",
		orRetain(s.WhenScaled), orRetain(s.WhenDeleted))}
}

func orRetain(policy string) string {
	if policy == "Delete" {
		return policy
	}
	return "Retain"
}

func causeOutdated(p *Pod, update string) Cause {
	return Cause{CauseOutdated, fmt.Sprintf("The pod is at revision %s and is recreated at %s.", orNone(p.Revision), short(update))}
}

func causeInPlace(p *Pod, revision string) Cause {
	return Cause{CauseOutdated, fmt.Sprintf("The pod is at revision %s, and %s differs only in labels and annotations, so the pod is updated in place.", orNone(p.Revision), short(revision))}
}

// causeStart is for the write that brings a pod on its way. at is where the pod is, or is on its way to.
func causeStart(at string, underWay bool, d *difference, revision string) Cause {
	where := "The pod is at revision " + orNone(at)
	if underWay {
		where = "The pod is being updated in place to revision " + short(at)
	}
	where += ", and " + short(revision)
	switch {
	case len(d.images)+len(d.resources) == 0:
		return Cause{CauseOutdated, where + " has the same images, so the pod is updated in place."}
	case len(d.images) == 0 && d.startsForResources:
		return Cause{CauseOutdated, where + " differs in resources: the pod gets them in place, and containers restart."}
	case len(d.images) == 0:
		return Cause{CauseOutdated, where + " differs in resources: the pod gets them in place, without a restart."}
	}
	names := slices.Sorted(maps.Keys(d.images))
	which := "container " + short(names[0]) + " restarts"
	if len(names) > 1 {
		which = "container " + short(names[0]) + " and " + moreOf(len(names)-1, "container") + " restart"
	}
	return Cause{CauseOutdated, where + " differs in " + whatOf(d) + ": " + which + " in place."}
}

// whatOf says what of containers changes.
func whatOf(d *difference) string {
	switch {
	case len(d.resources) == 0:
		return "images"
	case len(d.images) == 0:
		return "resources"
	}
	return "images and resources"
}

// causeMark is for the write before that.
func causeMark(p *Pod, d *difference, revision string) Cause {
	return Cause{CauseOutdated, "The pod is at revision " + orNone(p.Revision) + ", and " + short(revision) + " differs in " + whatOf(d) + ": it is annotated first, so that the adapter reports its containers."}
}

// causeResize is for the write of resources.
func causeResize(revision string, starts bool) Cause {
	how := " without a restart"
	if starts {
		how = ", and containers restart"
	}
	return Cause{CauseOutdated, "The pod is being updated in place to revision " + short(revision) + ": it gets the new resources" + how + "."}
}

// causeResizeRefused is for the deletion of a pod.
func causeResizeRefused(revision string) Cause {
	return Cause{CauseOutdated, "The pod's node refuses the resources of revision " + short(revision) + ", so the pod is recreated."}
}

// causeArrived is for the label of the revision.
func causeArrived(revision string, images, resources bool) Cause {
	runs := "runs the images"
	switch {
	case images && resources:
		runs = "runs the images and has the resources"
	case resources:
		runs = "has the resources"
	}
	return Cause{CauseOutdated, "The pod " + runs + " of revision " + short(revision) + ", so it gets the label of that revision."}
}

func causeNoted(revision string) Cause {
	return Cause{CauseOutdated, "Image names and ids do not show whether the pod runs the images of revision " + short(revision) + ". Its containers are recorded: if they keep running, they count as updated."}
}

func causeChosen(revision string) Cause {
	return Cause{CauseChosen, "The pod's annotation " + annotationRecreate + " asks for it to be recreated; it comes back at revision " + short(revision) + "."}
}

func causeFileSystem(revision string) Cause {
	return Cause{CauseFileSystemResize, "A volume of the pod has grown, and its file system grows only when the pod is recreated; the pod comes back at revision " + short(revision) + "."}
}

// causeClaimTemplate says what of a claim changes.
func causeClaimTemplate(l *claimLook, want *claimWant) Cause {
	why := "The claim lacks labels or annotations of its template."
	switch {
	case l.now && (l.grows || l.lowers):
		why = fmt.Sprintf("The claim requests %s, and its template requests %s.", short(l.is.Request), short(want.request))
	case l.now:
		why = fmt.Sprintf("The claim has the volume attributes class %s, and its template has %s.", orNone(l.is.AttributesClass), short(want.class))
	}
	return Cause{CauseClaimTemplate, why}
}

func causeRepair(why string) Cause { return Cause{CauseRepair, why} }

// whyRepair says what is wrong with a pod that is to be repaired.
func whyRepair(at string, neverReady bool, comesBackAt string) string {
	state := "is not ready"
	if neverReady {
		state = "has never been ready"
	}
	return fmt.Sprintf("The pod %s at revision %s and would be recreated at %s.", state, orNone(at), short(comesBackAt))
}

func causeHistoryLimit(old, limit int) Cause {
	return Cause{CauseHistoryLimit, fmt.Sprintf("%s unused; revisionHistoryLimit is %d.", are(old, "revision"), limit)}
}

// causeStatus gives the counters.
func causeStatus(st *Status) Cause {
	return Cause{CauseStatusChanged, fmt.Sprintf("%s, %d ready, %d available, %d current, %d updated.",
		plural(int(st.Replicas), "pod"), st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas)}
}
