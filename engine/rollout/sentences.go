package rollout

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

// The blocks about the ranks of pods, by which a set is updated.

func blockInvalidRank(s *model.Set, of policy.Asked) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, state.MustBe(state.Subject(of), of.Text, aRank)+" Until this is fixed, no pod is updated.",
		"Set it to "+aRank+", or remove it.")
}

// BlockLeaderUnclear says why it is not known which pod is updated last. A leader may be lacking for a while when some pod is unavailable;
// while all are available, somebody has to act.
func BlockLeaderUnclear(s *model.Set, of ranking, l *Leadership, unavailable bool) model.Block {
	why := "no pod has " + of.leads()
	switch {
	case l.odd != nil:
		text, _ := l.odd.Label(of.Key)
		why = fmt.Sprintf("label %s of pod %s is %q, which is not a number", prose.Short(of.Key), prose.Short(l.odd.Name), prose.Short(text))
	case l.Leader == nil && l.nearly != nil:
		why += ", but pod " + prose.Short(l.nearly.Name) + " has the label " + prose.Short(l.near)
	case l.Leader != nil:
		why = "pods " + prose.Short(l.Leader.Name) + " and " + prose.Short(l.second.Name) + " are both leaders by label " + prose.Short(of.Key)
	}
	severity := model.Attention
	if unavailable {
		severity = model.Wait
	}
	return state.About(s, model.BlockLeaderUnclear, severity, "The leader is updated last, but it is not known which pod leads: "+why+". The update waits.",
		of.remedy()+", or correct "+of.of.Name+".")
}

// leads says what a leader has.
func (r ranking) leads() string {
	if r.value == "" {
		return "a number above 0 in its label " + prose.Short(r.Key)
	}
	return "the label " + prose.Short(r.of.Text)
}

// remedy says how the leader becomes known.
func (r ranking) remedy() string {
	if r.value == "" {
		return "Set label " + prose.Short(r.Key) + " of the leader's pod to the highest number, at least 1"
	}
	return "Set the label " + prose.Short(r.of.Text) + " on the leader's pod and on no other pod"
}

// BlockNotChosen quotes an annotation that does not choose the pod, and says of how many others the same is true.
func BlockNotChosen(p *model.Pod, more int) model.Block {
	text := p.Annotations.Get(state.AnnotationRecreate)
	b := model.Block{Code: model.BlockRecreateWaits, Severity: model.Info, Kind: model.KindPod, Name: p.Name,
		Message: fmt.Sprintf("The pod's annotation %s is %q and has no effect: only %q does.", state.AnnotationRecreate, prose.Short(text), state.RecreateWanted)}
	if text == state.RecreateWanted {
		b.Message = fmt.Sprintf("The pod's annotation %s is %q and has no effect: it comes from the pod template, so a new pod would have it too.", state.AnnotationRecreate, text)
	}
	if more > 0 {
		b.Message += prose.SameHolds(more, "pod")
	}
	return b
}

// BlockRecreateWaitsInOrder is about a chosen pod of an OrderedReady set; other is the first of those that are unavailable.
func BlockRecreateWaitsInOrder(p *model.Pod, other string) model.Block {
	return model.Block{Code: model.BlockRecreateWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: "The pod is waiting to be recreated: the set is OrderedReady, and pod " + other + " is not available.",
		Remedy:  "Check that pod: " + prose.Kubectl("describe", "pod", other)}
}

// BlockLeaderWaits names another pod that is not available, and one that somebody may have meant to lead.
func BlockLeaderWaits(of ranking, l *Leadership, other string) model.Block {
	b := model.Block{Code: model.BlockLeaderWaits, Severity: model.Wait, Kind: model.KindPod, Name: l.Leader.Name,
		Message: "The leader is updated last, once every other pod is available. Pod " + other + " is not.",
		Remedy:  "Check that pod: " + prose.Kubectl("describe", "pod", other)}
	if l.nearly != nil {
		b.Message += " Pod " + prose.Short(l.nearly.Name) + " has the label " + prose.Short(l.near) + ", which is not " + prose.Short(of.of.Text) + "."
	}
	return b
}

// The blocks about the limit of a scale-up.

func blockInvalidScaleUpLimit(s *model.Set, of policy.Asked) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, state.MustBe(state.Subject(of), of.Text, aShare)+" Until this is fixed, 1 applies.",
		"Set it to "+aShare+", or remove it.")
}

// BlockScaleUpLimited names the first of the pods that wait.
func BlockScaleUpLimited(up ScaleUp, limit int, of policy.Asked) model.Block {
	message := fmt.Sprintf("The pod is created once others are ready: %s allows %s at a time.", of.Name, prose.Plural(limit, "unready pod"))
	if up.Held > 1 {
		message += prose.SameHolds(up.Held-1, "pod")
	}
	return model.Block{Code: model.BlockScaleUpLimited, Severity: model.Wait, Kind: model.KindPod, Name: up.first, Message: message}
}

// BlockGate is about a pod that is not deleted, or not the last one that is updated, until somebody agrees. annotation is of the pod; of is what
// the set asks for.
func BlockGate(p *model.Pod, annotation string, of policy.Asked, revision string) model.Block {
	message := "The pod is updated once " + WhoAgrees(of) + "."
	if annotation == policy.After {
		message = "The pod has been updated. The next pod is updated once " + WhoAgrees(of) + "."
	}
	switch text := p.Annotations.Get(annotation); text {
	case "":
	case revision:
		message += " The annotation " + annotation + " of the pod comes from its template and does not count."
	default:
		message += " The annotation " + annotation + " of the pod is " + strconv.Quote(prose.Short(text)) + " and does not count: it must be " + strconv.Quote(revision) + "."
	}
	return model.Block{Code: model.BlockUpdateGated, Severity: model.Wait, Kind: model.KindPod, Name: p.Name, Message: message, AsksFor: model.KeyValue{Key: annotation, Value: revision},
		Remedy: "To approve, annotate the pod: " + prose.Kubectl("annotate", "pod", p.Name, annotation+"="+revision, "--overwrite")}
}

// BlockRepairHeldUntil is about a pod that is repaired once a hold lets it go; why says what is wrong with it.
func BlockRepairHeldUntil(p *model.Pod, until, why string) model.Block {
	return state.Waiting(model.BlockRepairWaits, p, p.CreatedAt, why+" It is replaced once "+until+".", "")
}

// WhoAgrees is about a gate. A text of several lines becomes one, and a blank one names nobody.
func WhoAgrees(a policy.Asked) string {
	who := strings.Join(strings.Fields(prose.Short(a.Text)), " ")
	if who == "" {
		who = "someone"
	}
	return who + " approves (" + a.Name + ")"
}

// The blocks about disruption budgets.

func blockInvalidBudgets(s *model.Set, of policy.Asked) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, state.MustBe(state.Subject(of), of.Text, aBudgetPolicy)+" Until this is fixed, Respect applies.",
		"Set it to "+aBudgetPolicy+", or remove it.")
}

const aBudgetPolicy = "Respect or Ignore"

const aRank = "the key of a label whose values are numbers, or the leader's label as KEY=VALUE"

const aShare = "a number of pods (at least 1) or a percentage"
