package engine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The sentences of causes are here and in causes_drain.go, apart from the steps that plan the actions.

// The causes whose sentence is always the same.
var (
	causePodFailed      = model.Cause{Code: model.CausePodFailed, Message: "The pod has failed and is recreated."}
	causePodSucceeded   = model.Cause{Code: model.CausePodSucceeded, Message: "The pod has succeeded, but pods of a set must keep running, so it is recreated."}
	causeScaledDown     = model.Cause{Code: model.CauseScaledDown, Message: "The pod's ordinal is outside the range."}
	causeIdentity       = model.Cause{Code: model.CauseIdentity, Message: "The pod's identity labels are missing or wrong."}
	causeStorage        = model.Cause{Code: model.CauseStorage, Message: "The pod does not use the claims of its ordinal."}
	causeOrphanPod      = model.Cause{Code: model.CauseOrphanMatches, Message: "The pod matches the selector and the set's name and has no controller, so the set adopts it."}
	causeOrphanRevision = model.Cause{Code: model.CauseOrphanMatches, Message: "The revision matches the selector and has no controller, so the set adopts it."}
	causeNoLongerOurs   = model.Cause{Code: model.CauseMatchesNoLonger, Message: "The pod no longer matches the set's selector or name, so the set releases it."}
	causeNewTemplate    = model.Cause{Code: model.CauseNewTemplate, Message: "No revision has this pod template yet."}
	causeNewClaims      = model.Cause{Code: model.CauseNewTemplate, Message: "No revision has this pod template with these claim templates yet."}
	causeRollback       = model.Cause{Code: model.CauseRollback, Message: "Rollback: this older revision has the pod template, so it becomes the newest one."}
	causeForeignOwner   = model.Cause{Code: model.CauseRetentionForeignController, Message: "Another object owns the claim too, so the set's owner references are removed."}
	causeClaimKept      = model.Cause{Code: model.CauseRetention, Message: "The set is being deleted, and the retention policy keeps the claim, so the set and its pod no longer own it."}
	causeSharedClaim    = model.Cause{Code: model.CauseRetention, Message: "Another set also uses the claim, so neither set owns it."}
)

func causeOrdinalMissing(ordinal int32, revision string) model.Cause {
	return model.Cause{Code: model.CauseOrdinalMissing, Message: "Ordinal " + strconv.Itoa(int(ordinal)) + " has no pod; one is created at revision " + prose.Short(revision) + "."}
}

func causeClaimNeeded(pod string) model.Cause {
	return model.Cause{Code: model.CauseClaimMissing, Message: "Pod " + pod + " needs the claim."}
}

func causeClaimUnused(pod string) model.Cause {
	return model.Cause{Code: model.CauseClaimMissing, Message: "Pod " + pod + " should use the claim."}
}

func causePendingWithoutClaim(pod string) model.Cause {
	return model.Cause{Code: model.CauseClaimMissingForPendingPod, Message: "Pod " + pod + " is pending and its claim does not exist."}
}

func causeRetention(s *model.Set) model.Cause {
	return model.Cause{Code: model.CauseRetention, Message: fmt.Sprintf("The claim's owners do not match the retention policy: whenScaled %s, whenDeleted %s.",
		orRetain(s.WhenScaled), orRetain(s.WhenDeleted))}
}

func orRetain(policy string) string {
	if policy == "Delete" {
		return policy
	}
	return "Retain"
}

func causeOutdated(p *model.Pod, update string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: fmt.Sprintf("The pod is at revision %s and is recreated at %s.", prose.OrNone(p.Revision), prose.Short(update))}
}

func causeInPlace(p *model.Pod, revision string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: fmt.Sprintf("The pod is at revision %s, and %s differs only in labels and annotations, so the pod is updated in place.", prose.OrNone(p.Revision), prose.Short(revision))}
}

// causeStart is for the write that brings a pod on its way. at is where the pod is, or is on its way to.
func causeStart(at string, underWay bool, d *difference, revision string) model.Cause {
	where := "The pod is at revision " + prose.OrNone(at)
	if underWay {
		where = "The pod is being updated in place to revision " + prose.Short(at)
	}
	where += ", and " + prose.Short(revision)
	switch {
	case len(d.images)+len(d.resources) == 0:
		return model.Cause{Code: model.CauseOutdated, Message: where + " has the same images, so the pod is updated in place."}
	case len(d.images) == 0 && d.startsForResources:
		return model.Cause{Code: model.CauseOutdated, Message: where + " differs in resources: the pod gets them in place, and containers restart."}
	case len(d.images) == 0:
		return model.Cause{Code: model.CauseOutdated, Message: where + " differs in resources: the pod gets them in place, without a restart."}
	}
	names := slices.Sorted(maps.Keys(d.images))
	which := "container " + prose.Short(names[0]) + " restarts"
	if len(names) > 1 {
		which = "container " + prose.Short(names[0]) + " and " + prose.MoreOf(len(names)-1, "container") + " restart"
	}
	return model.Cause{Code: model.CauseOutdated, Message: where + " differs in " + whatOf(d) + ": " + which + " in place."}
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
func causeMark(p *model.Pod, d *difference, revision string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: "The pod is at revision " + prose.OrNone(p.Revision) + ", and " + prose.Short(revision) + " differs in " + whatOf(d) + ": it is annotated first, so that the adapter reports its containers."}
}

// causeResize is for the write of resources.
func causeResize(revision string, starts bool) model.Cause {
	how := " without a restart"
	if starts {
		how = ", and containers restart"
	}
	return model.Cause{Code: model.CauseOutdated, Message: "The pod is being updated in place to revision " + prose.Short(revision) + ": it gets the new resources" + how + "."}
}

// causeResizeRefused is for the deletion of a pod.
func causeResizeRefused(revision string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: "The pod's node refuses the resources of revision " + prose.Short(revision) + ", so the pod is recreated."}
}

// causeArrived is for the label of the revision.
func causeArrived(revision string, images, resources bool) model.Cause {
	runs := "runs the images"
	switch {
	case images && resources:
		runs = "runs the images and has the resources"
	case resources:
		runs = "has the resources"
	}
	return model.Cause{Code: model.CauseOutdated, Message: "The pod " + runs + " of revision " + prose.Short(revision) + ", so it gets the label of that revision."}
}

func causeNoted(revision string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: "Image names and ids do not show whether the pod runs the images of revision " + prose.Short(revision) + ". Its containers are recorded: if they keep running, they count as updated."}
}

func causeChosen(revision string) model.Cause {
	return model.Cause{Code: model.CauseChosen, Message: "The pod's annotation " + annotationRecreate + " asks for it to be recreated; it comes back at revision " + prose.Short(revision) + "."}
}

func causeFileSystem(revision string) model.Cause {
	return model.Cause{Code: model.CauseFileSystemResize, Message: "A volume of the pod has grown, and its file system grows only when the pod is recreated; the pod comes back at revision " + prose.Short(revision) + "."}
}

// causeClaimTemplate says what of a claim changes.
func causeClaimTemplate(l *claimLook, want *claimWant) model.Cause {
	why := "The claim lacks labels or annotations of its template."
	switch {
	case l.now && (l.grows || l.lowers):
		why = fmt.Sprintf("The claim requests %s, and its template requests %s.", prose.Short(l.is.Request), prose.Short(want.request))
	case l.now:
		why = fmt.Sprintf("The claim has the volume attributes class %s, and its template has %s.", prose.OrNone(l.is.AttributesClass), prose.Short(want.class))
	}
	return model.Cause{Code: model.CauseClaimTemplate, Message: why}
}

func causeRepair(why string) model.Cause { return model.Cause{Code: model.CauseRepair, Message: why} }

// whyRepair says what is wrong with a pod that is to be repaired.
func whyRepair(at string, neverReady bool, comesBackAt string) string {
	state := "is not ready"
	if neverReady {
		state = "has never been ready"
	}
	return fmt.Sprintf("The pod %s at revision %s and would be recreated at %s.", state, prose.OrNone(at), prose.Short(comesBackAt))
}

func causeHistoryLimit(old, limit int) model.Cause {
	return model.Cause{Code: model.CauseHistoryLimit, Message: fmt.Sprintf("%s unused; revisionHistoryLimit is %d.", prose.Are(old, "revision"), limit)}
}

// causeStatus gives the counters.
func causeStatus(st *model.Status) model.Cause {
	return model.Cause{Code: model.CauseStatusChanged, Message: fmt.Sprintf("%s, %d ready, %d available, %d current, %d updated.",
		prose.Plural(int(st.Replicas), "pod"), st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas)}
}
