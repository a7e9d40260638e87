package inplace

import (
	"fmt"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

// The blocks about pods that change in place.

func blockInvalidInPlace(s *model.Set, of policy.Asked) model.Block {
	const known = "Recreate, InPlaceIfPossible or InPlaceOnly"
	return state.About(s, model.BlockInvalidPolicy, model.Attention, state.MustBe(state.Subject(of), of.Text, known)+" Until this is fixed, InPlaceOnly applies.",
		"Set it to "+known+", or remove it.")
}

// BlockNotInPlace names the first field that requires a new pod. at is the revision that the pod has the spec of.
func BlockNotInPlace(p *model.Pod, at string, d *podtemplate.Difference, of policy.Asked, revision string) model.Block {
	stays, why := "at revision "+prose.OrNone(at), "it differs from revision "+prose.Short(revision)+" in "+prose.Short(d.Field)+", which requires a new pod"
	switch {
	case d.Unread:
		stays, why = "as it is", "what its containers run is not known, because the adapter does not report it or the pod's annotation "+AnnotationUpdate+" cannot be read or was written for another pod"
	case d == RefusedDifference:
		stays, why = "as it is", "it cannot get the resources of revision "+prose.Short(revision)+" without a restart, because the API server would refuse them or its kubelet would never confirm them"
	case d.Unknown:
		why = "how it differs from revision " + prose.Short(revision) + " is not known, because one of the two revisions is missing or cannot be read"
	}
	return model.Block{Code: model.BlockUpdateNotInPlace, Severity: model.Attention, Kind: model.KindPod, Name: p.Name,
		Message: "The pod stays " + stays + ": " + why + ", and " + of.Name + " is InPlaceOnly.",
		Remedy: "Revert the change, set " + state.ObjectOf(of) + " to InPlaceIfPossible, or recreate this pod: " +
			Recreation(p.Name)}
}

// BlockNoRecord quotes a record that counts for nothing, and says of how many others the same is true.
func BlockNoRecord(p *model.Pod, more int, fromTemplate bool) model.Block {
	why := "it was not written for this pod"
	if fromTemplate {
		why = "it comes from the pod template"
	}
	b := model.Block{Code: model.BlockUpdateNotInPlace, Severity: model.Info, Kind: model.KindPod, Name: p.Name,
		Message: fmt.Sprintf("The pod's annotation %s is %q and has no effect: %s.", AnnotationUpdate, prose.Short(p.Annotations.Values[AnnotationUpdate]), why)}
	if more > 0 {
		b.Message += prose.SameHolds(more, "pod")
	}
	return b
}

// BlockOnItsWay says what a pod waits for whose images or resources change in place.
func BlockOnItsWay(p *model.Pod, revision string, l *look, images bool) model.Block {
	container := "container " + prose.Short(l.First)
	var why string
	switch {
	case l.Proven && images:
		why = "it runs the new images but is not ready yet"
	case l.Proven:
		why = "it has the new resources but is not ready"
	case l.lacking != "" && l.First == "":
		why = "container " + prose.Short(l.lacking) + " does not have the new resources yet"
	case l.resizing && l.First == "":
		why = "its kubelet is still applying the new resources"
	case l.First == "" && !images:
		why = "its kubelet has not seen the new resources yet"
	case l.First == "":
		why = "its kubelet has not seen the new images yet"
	case l.state == runsOther:
		why = container + " has the image of revision " + prose.Short(p.Revision) + " again, which no plan has written"
	case l.state == runsNot && l.reason != "":
		why = container + " is not running: " + prose.Short(l.reason)
	case l.state == runsNot:
		why = container + " is not running yet"
	case l.state == runsOld:
		why = container + " has not restarted yet"
	case l.state == runsLater:
		why = "its kubelet may still start another image in " + container
	default:
		why = container + " has restarted, but nothing shows yet whether it runs the new image"
	}
	b := state.Waiting(model.BlockUpdateWaitsForPod, p, time.Time{}, "The pod is being updated in place to revision "+prose.Short(revision)+": "+why+".", "")
	switch b.NotBefore = l.Again; {
	case l.state == runsOther:
		b.Remedy = "Set the image of revision " + prose.Short(revision) + " in the pod, or recreate it: " + Recreation(p.Name)
	case l.Again.IsZero():
		b.Remedy = "If this lasts, check the pod's events and logs: " + prose.Kubectl("describe", "pod", p.Name)
	}
	return b
}

func blockInvalidResizePolicy(s *model.Set, of policy.Asked) model.Block {
	const known = "Wait, Recreate, Keep, or a duration of at most 30 days such as 10m"
	return state.About(s, model.BlockInvalidPolicy, model.Attention, state.MustBe(state.Subject(of), of.Text, known)+" Until this is fixed, Wait applies.",
		"Set it to "+known+", or remove it.")
}

// BlockResizeRefused says that a node does not give a pod its resources, and what becomes of it.
func BlockResizeRefused(p *model.Pod, revision string, r *refusal) model.Block {
	refused, mend := "has no room for the new resources now", "Make room on the node, or "
	switch {
	case r.code == model.BlockResizeInfeasible:
		refused = "can never provide the new resources"
	case r.said == p.Containers.ResizeInProgress:
		refused, mend = "has failed to apply the new resources", "Find out why on the node, or "
	}
	b := state.Waiting(r.code, p, r.since, "The pod is being updated in place to revision "+prose.Short(revision)+", but its node "+refused+".", "")
	if r.code == model.BlockResizeInfeasible {
		b.Severity = model.Attention
	}
	if r.said.Message != "" {
		who := "kubelet"
		if !r.Again.IsZero() {
			who = "API server"
		}
		b.Message += " The " + who + " says: " + prose.Answer(r.said.Message)
		if !strings.HasSuffix(b.Message, ".") {
			b.Message += "."
		}
	}
	takeBack := "revert the change, or set " + state.ObjectOf(r.policy.of) + " to "
	switch {
	case r.policy.recreates:
		b.Message += " It is recreated when its turn comes."
		if r.policy.after > 0 {
			b.NotBefore = r.Due
		}
		b.Remedy = "To keep it, " + takeBack + "Wait."
	case r.policy.keeps:
		b.Message += " The update of the other pods does not wait for it."
		b.Remedy = mend + takeBack + "Wait to make them wait."
	default:
		b.Message += " The update waits for it."
		b.Remedy = mend + "revert the change, or recreate this pod: " + Recreation(p.Name)
	}
	return b
}

// Recreation has a pod recreated, within the budget.
func Recreation(pod string) string {
	return prose.Kubectl("annotate", "pod", pod, state.AnnotationRecreate+"=true", "--overwrite")
}
