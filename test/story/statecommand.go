package story

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/sim"
)

// quorumCommand: "quorum web [off]". The pods of the set are ready only while a majority of them runs.
func (r *Runner) quorumCommand(c Command) {
	r.world.Quorum(c.arg(0), !slices.Contains(c.Args, "off"))
}

// blinkCommand: "blink web". No pod of the set is ready, until its kubelet looks.
func (r *Runner) blinkCommand(c Command) { r.world.Blink(c.arg(0)) }

// stateCommand: "state". Everything that exists.
func (r *Runner) stateCommand(Command) {
	state := r.world.State()
	for _, name := range state.Names(sim.KindSet) {
		s := state.Set(name).Status
		r.say("set %s: %d pods, %d ready, %d available, %d current, %d updated; current %s, update %s%s", name, s.Replicas,
			s.ReadyReplicas, s.AvailableReplicas, s.CurrentReplicas, s.UpdatedReplicas, s.CurrentRevision, s.UpdateRevision,
			suffix(state.Set(name)))
	}
	for _, name := range state.Names(sim.KindRevision) {
		revision := state.Revision(name)
		r.say("revision %s: number %d%s", name, revision.Revision, suffix(revision))
	}
	for _, name := range state.Names(sim.KindPod) {
		pod := state.Pod(name)
		r.say("pod %s: %s, %s at %s%s", name, word(pod), image(pod)+resources(pod), pod.Labels["controller-revision-hash"], suffix(pod))
	}
	for _, name := range state.Names(sim.KindClaim) {
		claim := state.Claim(name)
		r.say("claim %s: %s%s%s", name, claim.Status.Phase, mark(claim), suffix(claim))
	}
}

func word(pod *corev1.Pod) string {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
			return "Ready"
		}
	}
	return string(pod.Status.Phase)
}

// mark returns which set's drain policy covers a claim.
func mark(claim *corev1.PersistentVolumeClaim) string {
	if set := claim.Annotations[adapters.AnnotationDrainSet]; set != "" {
		return ", marked " + set
	}
	return ""
}

func image(pod *corev1.Pod) string { return pod.Spec.Containers[0].Image }

// suffix returns who owns an object, and whether it is being deleted.
func suffix(object sim.Object) string {
	var text strings.Builder
	for _, ref := range object.GetOwnerReferences() {
		role := "owned"
		if ref.Controller != nil && *ref.Controller {
			role = "controlled"
		}
		fmt.Fprintf(&text, ", %s by %s %s (%s)", role, ref.Kind, ref.Name, ref.UID)
	}
	if object.GetDeletionTimestamp() != nil {
		text.WriteString(", terminating")
	}
	return text.String()
}

// historyCommand: "history [pods|claims|...] [by=a]". Prints the writes since the last history.
func (r *Runner) historyCommand(c Command) {
	events := r.world.History()
	for _, event := range events[r.shown:] {
		if len(c.Args) > 0 && event.Kind != kindWord(c.Args[0]) || c.Options["by"] != "" && c.Options["by"] != event.Actor {
			continue
		}
		r.say("%s %s %s %s", event.Actor, event.Verb, event.Kind, event.Name)
	}
	r.shown = len(events)
}

func cutOwner(text string) (kind, name string) {
	kind, name, found := strings.Cut(text, "/")
	if !found {
		panic(usageError("an owner is Kind/name, not " + text))
	}
	return kind, name
}
