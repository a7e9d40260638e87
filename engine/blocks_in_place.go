package engine

import (
	"strings"
	"time"
)

// The blocks about pods that change in place.

func blockInvalidInPlace(s *Set, of asked) Block {
	const known = "Recreate, InPlaceIfPossible or InPlaceOnly"
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, known)+" Until this is fixed it is taken for InPlaceOnly.",
		"Set it to "+known+", or remove it.")
}

// blockNotInPlace names the first field that takes another pod. at is the revision that the pod has the spec of.
func blockNotInPlace(p *Pod, at string, d *difference, of asked, revision string) Block {
	stays, why := "at revision "+orNone(at), "it differs from revision "+short(revision)+" in "+short(d.field)+", which takes another pod"
	switch {
	case d.unread:
		stays, why = "as it is", "what runs in it is not known, because the adapter does not show it, or the pod's annotation "+annotationUpdate+" cannot be read"
	case d == refusedDifference:
		stays, why = "as it is", "it cannot get the resources of revision "+short(revision)+" while it runs, because the API server would refuse them, or its kubelet would never say that it has them"
	case d.unknown:
		why = "what it lacks of revision " + short(revision) + " is not known, because one of the two is not there or cannot be read"
	}
	return Block{Code: BlockUpdateNotInPlace, Severity: Attention, Kind: KindPod, Name: p.Name,
		Message: "The pod stays " + stays + ": " + why + ", and " + of.name + " is InPlaceOnly.",
		Remedy: "Take the change back, or set " + objectOf(of) + " to InPlaceIfPossible, or have this pod recreated: " +
			recreation(p.Name)}
}

// blockOnItsWay says what a pod waits for whose images or resources change in place.
func blockOnItsWay(p *Pod, revision string, l *look, images bool) Block {
	container := "container " + short(l.first)
	var why string
	switch {
	case l.proven && images:
		why = "it runs the images, and is not ready yet"
	case l.proven:
		why = "it has its resources, and is not ready"
	case l.lacking != "" && l.first == "":
		why = "container " + short(l.lacking) + " does not have its resources yet"
	case l.resizing && l.first == "":
		why = "its kubelet is still about to give it its resources"
	case l.first == "" && !images:
		why = "its kubelet does not know of its resources yet"
	case l.first == "":
		why = "its kubelet does not know of the images yet"
	case l.state == runsOther:
		why = container + " has the image of revision " + short(p.Revision) + " again, and no plan has written that"
	case l.state == runsNot && l.reason != "":
		why = container + " does not run: " + short(l.reason)
	case l.state == runsNot:
		why = container + " does not run yet"
	case l.state == runsOld:
		why = container + " has not started anew yet"
	case l.state == runsLater:
		why = "its kubelet may still start other images in " + container
	default:
		why = container + " has started anew, and nothing tells yet whether with the new image"
	}
	b := waiting(BlockUpdateWaitsForPod, p, time.Time{}, "The pod is on its way to revision "+short(revision)+": "+why+".", "")
	switch b.NotBefore = l.again; {
	case l.state == runsOther:
		b.Remedy = "Set the image of revision " + short(revision) + " in the pod, or have it recreated: " + recreation(p.Name)
	case l.again.IsZero():
		b.Remedy = "If that lasts, check the pod's events and logs: " + kubectl("describe", "pod", p.Name)
	}
	return b
}

func blockInvalidResizePolicy(s *Set, of asked) Block {
	const known = "Wait, Recreate, Keep, or a duration of at most 30 days such as 10m"
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, known)+" Until this is fixed it is taken for Wait.",
		"Set it to "+known+", or remove it.")
}

// blockResizeRefused says that a node does not give a pod its resources, and what becomes of it.
func blockResizeRefused(p *Pod, revision string, r *refusal) Block {
	refused, mend := "has no room for its resources now", "Make room on the node, or "
	switch {
	case r.code == BlockResizeInfeasible:
		refused = "can never give it its resources"
	case r.said == p.Containers.ResizeInProgress:
		refused, mend = "has failed to give it its resources", "See on the node why, or "
	}
	b := waiting(r.code, p, r.since, "The pod is on its way to revision "+short(revision)+", and its node "+refused+".", "")
	if r.code == BlockResizeInfeasible {
		b.Severity = Attention
	}
	if r.said.Message != "" {
		b.Message += " The kubelet says: " + shortMessage(r.said.Message)
		if !strings.HasSuffix(b.Message, ".") {
			b.Message += "."
		}
	}
	takeBack := "take the change back, or set " + objectOf(r.policy.of) + " to "
	switch {
	case r.policy.recreates:
		b.Message += " It is recreated in its turn."
		if r.policy.after > 0 {
			b.NotBefore = r.due
		}
		b.Remedy = "To keep it, " + takeBack + "Wait."
	case r.policy.keeps:
		b.Message += " The others go on without it."
		b.Remedy = mend + takeBack + "Wait, and they wait for it."
	default:
		b.Message += " It waits."
		b.Remedy = mend + "take the change back, or have this pod recreated: " + recreation(p.Name)
	}
	return b
}
