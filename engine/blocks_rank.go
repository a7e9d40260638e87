package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The blocks about the ranks of pods, by which a set is updated.

func blockInvalidRank(s *model.Set, of asked) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, mustBe(subject(of), of.text, aRank)+" Until this is fixed, no pod is updated.",
		"Set it to "+aRank+", or remove it.")
}

// blockLeaderUnclear says why it is not known which pod is updated last. A leader may be lacking for a while when some pod is unavailable;
// while all are available, somebody has to act.
func blockLeaderUnclear(s *model.Set, of ranking, l *leadership, unavailable bool) model.Block {
	why := "no pod has " + of.leads()
	switch {
	case l.odd != nil:
		text, _ := l.odd.Label(of.key)
		why = fmt.Sprintf("label %s of pod %s is %q, which is not a number", prose.Short(of.key), prose.Short(l.odd.Name), prose.Short(text))
	case l.leader == nil && l.nearly != nil:
		why += ", but pod " + prose.Short(l.nearly.Name) + " has the label " + prose.Short(l.near)
	case l.leader != nil:
		why = "pods " + prose.Short(l.leader.Name) + " and " + prose.Short(l.second.Name) + " are both leaders by label " + prose.Short(of.key)
	}
	severity := model.Attention
	if unavailable {
		severity = model.Wait
	}
	return about(s, model.BlockLeaderUnclear, severity, "The leader is updated last, but it is not known which pod leads: "+why+". The update waits.",
		of.remedy()+", or correct "+of.of.name+".")
}

// leads says what a leader has.
func (r ranking) leads() string {
	if r.value == "" {
		return "a number above 0 in its label " + prose.Short(r.key)
	}
	return "the label " + prose.Short(r.of.text)
}

// remedy says how the leader becomes known.
func (r ranking) remedy() string {
	if r.value == "" {
		return "Set label " + prose.Short(r.key) + " of the leader's pod to the highest number, at least 1"
	}
	return "Set the label " + prose.Short(r.of.text) + " on the leader's pod and on no other pod"
}

// blockRecreateWaits is about a chosen pod; other is the first of those that are unavailable besides.
func blockRecreateWaits(p *model.Pod, other string, s spent, budget int, leads bool) model.Block {
	b := model.Block{Code: model.BlockRecreateWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: "The pod is waiting to be recreated: " + s.words("other pod") + allows(budget),
		Remedy:  "Check the pods that are not available, such as " + other + "."}
	if leads {
		b.Message = "The pod is waiting to be recreated: it is the leader, so every other pod must be available, and " + other + " is not."
	}
	return b
}

// blockNotChosen quotes an annotation that does not choose the pod, and says of how many others the same is true.
func blockNotChosen(p *model.Pod, more int) model.Block {
	text := p.Annotations.Get(annotationRecreate)
	b := model.Block{Code: model.BlockRecreateWaits, Severity: model.Info, Kind: model.KindPod, Name: p.Name,
		Message: fmt.Sprintf("The pod's annotation %s is %q and has no effect: only %q does.", annotationRecreate, prose.Short(text), recreateWanted)}
	if text == recreateWanted {
		b.Message = fmt.Sprintf("The pod's annotation %s is %q and has no effect: it comes from the pod template, so a new pod would have it too.", annotationRecreate, text)
	}
	if more > 0 {
		b.Message += prose.SameHolds(more, "pod")
	}
	return b
}

// blockRecreateWaitsInOrder is about a chosen pod of an OrderedReady set; other is the first of those that are unavailable.
func blockRecreateWaitsInOrder(p *model.Pod, other string) model.Block {
	return model.Block{Code: model.BlockRecreateWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: "The pod is waiting to be recreated: the set is OrderedReady, and pod " + other + " is not available.",
		Remedy:  "Check that pod: " + prose.Kubectl("describe", "pod", other)}
}

// blockLeaderWaits names another pod that is not available, and one that somebody may have meant to lead.
func blockLeaderWaits(of ranking, l *leadership, other string) model.Block {
	b := model.Block{Code: model.BlockLeaderWaits, Severity: model.Wait, Kind: model.KindPod, Name: l.leader.Name,
		Message: "The leader is updated last, once every other pod is available. Pod " + other + " is not.",
		Remedy:  "Check that pod: " + prose.Kubectl("describe", "pod", other)}
	if l.nearly != nil {
		b.Message += " Pod " + prose.Short(l.nearly.Name) + " has the label " + prose.Short(l.near) + ", which is not " + prose.Short(of.of.text) + "."
	}
	return b
}
