package engine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

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

func causeChosen(revision string) model.Cause {
	return model.Cause{Code: model.CauseChosen, Message: "The pod's annotation " + state.AnnotationRecreate + " asks for it to be recreated; it comes back at revision " + prose.Short(revision) + "."}
}

func causeClaimNeeded(pod string) model.Cause {
	return model.Cause{Code: model.CauseClaimMissing, Message: "Pod " + pod + " needs the claim."}
}

func causeClaimUnused(pod string) model.Cause {
	return model.Cause{Code: model.CauseClaimMissing, Message: "Pod " + pod + " should use the claim."}
}

func causeFileSystem(revision string) model.Cause {
	return model.Cause{Code: model.CauseFileSystemResize, Message: "A volume of the pod has grown, and its file system grows only when the pod is recreated; the pod comes back at revision " + prose.Short(revision) + "."}
}

var causeIdentity = model.Cause{Code: model.CauseIdentity, Message: "The pod's identity labels are missing or wrong."}

func causeInPlace(p *model.Pod, revision string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: fmt.Sprintf("The pod is at revision %s, and %s differs only in labels and annotations, so the pod is updated in place.", prose.OrNone(p.Revision), prose.Short(revision))}
}

// causeMark is for the write before that.
func causeMark(p *model.Pod, d *podtemplate.Difference, revision string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: "The pod is at revision " + prose.OrNone(p.Revision) + ", and " + prose.Short(revision) + " differs in " + whatOf(d) + ": it is annotated first, so that the adapter reports its containers."}
}

var causeNewClaims = model.Cause{Code: model.CauseNewTemplate, Message: "No revision has this pod template with these claim templates yet."}

var causeNewTemplate = model.Cause{Code: model.CauseNewTemplate, Message: "No revision has this pod template yet."}

var causeNoLongerOurs = model.Cause{Code: model.CauseMatchesNoLonger, Message: "The pod no longer matches the set's selector or name, so the set releases it."}

func causeNoted(revision string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: "Image names and ids do not show whether the pod runs the images of revision " + prose.Short(revision) + ". Its containers are recorded: if they keep running, they count as updated."}
}

func causeOrdinalMissing(ordinal int32, revision string) model.Cause {
	return model.Cause{Code: model.CauseOrdinalMissing, Message: "Ordinal " + strconv.Itoa(int(ordinal)) + " has no pod; one is created at revision " + prose.Short(revision) + "."}
}

var causeOrphanPod = model.Cause{Code: model.CauseOrphanMatches, Message: "The pod matches the selector and the set's name and has no controller, so the set adopts it."}

var causeOrphanRevision = model.Cause{Code: model.CauseOrphanMatches, Message: "The revision matches the selector and has no controller, so the set adopts it."}

func causeOutdated(p *model.Pod, update string) model.Cause {
	return model.Cause{Code: model.CauseOutdated, Message: fmt.Sprintf("The pod is at revision %s and is recreated at %s.", prose.OrNone(p.Revision), prose.Short(update))}
}

func causePendingWithoutClaim(pod string) model.Cause {
	return model.Cause{Code: model.CauseClaimMissingForPendingPod, Message: "Pod " + pod + " is pending and its claim does not exist."}
}

// The causes whose sentence is always the same.
var causePodFailed = model.Cause{Code: model.CausePodFailed, Message: "The pod has failed and is recreated."}

var causePodSucceeded = model.Cause{Code: model.CausePodSucceeded, Message: "The pod has succeeded, but pods of a set must keep running, so it is recreated."}

func causeRepair(why string) model.Cause { return model.Cause{Code: model.CauseRepair, Message: why} }

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

var causeRollback = model.Cause{Code: model.CauseRollback, Message: "Rollback: this older revision has the pod template, so it becomes the newest one."}

var causeScaledDown = model.Cause{Code: model.CauseScaledDown, Message: "The pod's ordinal is outside the range."}

// causeStart is for the write that brings a pod on its way. at is where the pod is, or is on its way to.
func causeStart(at string, underWay bool, d *podtemplate.Difference, revision string) model.Cause {
	where := "The pod is at revision " + prose.OrNone(at)
	if underWay {
		where = "The pod is being updated in place to revision " + prose.Short(at)
	}
	where += ", and " + prose.Short(revision)
	switch {
	case len(d.Images)+len(d.Resources) == 0:
		return model.Cause{Code: model.CauseOutdated, Message: where + " has the same images, so the pod is updated in place."}
	case len(d.Images) == 0 && d.StartsForResources:
		return model.Cause{Code: model.CauseOutdated, Message: where + " differs in resources: the pod gets them in place, and containers restart."}
	case len(d.Images) == 0:
		return model.Cause{Code: model.CauseOutdated, Message: where + " differs in resources: the pod gets them in place, without a restart."}
	}
	names := slices.Sorted(maps.Keys(d.Images))
	which := "container " + prose.Short(names[0]) + " restarts"
	if len(names) > 1 {
		which = "container " + prose.Short(names[0]) + " and " + prose.MoreOf(len(names)-1, "container") + " restart"
	}
	return model.Cause{Code: model.CauseOutdated, Message: where + " differs in " + whatOf(d) + ": " + which + " in place."}
}

var causeStorage = model.Cause{Code: model.CauseStorage, Message: "The pod does not use the claims of its ordinal."}

// whyRepair says what is wrong with a pod that is to be repaired.
func whyRepair(at string, neverReady bool, comesBackAt string) string {
	state := "is not ready"
	if neverReady {
		state = "has never been ready"
	}
	return fmt.Sprintf("The pod %s at revision %s and would be recreated at %s.", state, prose.OrNone(at), prose.Short(comesBackAt))
}

// whatOf says what of containers changes.
func whatOf(d *podtemplate.Difference) string {
	switch {
	case len(d.Resources) == 0:
		return "images"
	case len(d.Images) == 0:
		return "resources"
	}
	return "images and resources"
}
