package faults

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/invariants"
	"github.com/setplan/setplan/test/sim"
)

// Ending describes a state so that two lives can be compared: without times, uids, resource versions and generations, and with the ranks
// of revisions instead of their numbers.
func Ending(world *sim.World) string {
	var text strings.Builder
	state := world.State()
	for _, name := range state.Names(sim.KindSet) {
		s := state.Set(name).Status
		fmt.Fprintf(&text, "  set %s: %d pods, %d ready, %d available, %d current at %s, %d updated at %s%s\n", name, s.Replicas,
			s.ReadyReplicas, s.AvailableReplicas, s.CurrentReplicas, s.CurrentRevision, s.UpdatedReplicas, s.UpdateRevision,
			owners(state, state.Set(name)))
	}
	for _, name := range state.Names(sim.KindPod) {
		pod := state.Pod(name)
		fmt.Fprintf(&text, "  pod %s: %s, ready %t, %s at %s%s\n", name, pod.Status.Phase, ready(pod), pod.Spec.Containers[0].Image,
			pod.Labels[appsv1.ControllerRevisionHashLabelKey], owners(state, pod))
	}
	for _, name := range state.Names(sim.KindClaim) {
		fmt.Fprintf(&text, "  claim %s: %s, asks for %s, has %s%s%s\n", name, state.Claim(name).Status.Phase,
			state.Claim(name).Spec.Resources.Requests.Storage(), state.Claim(name).Status.Capacity.Storage(), mark(state, state.Claim(name)), owners(state, state.Claim(name)))
	}
	revisions := state.Names(sim.KindRevision)
	slices.SortStableFunc(revisions, func(a, b string) int { return int(state.Revision(a).Revision - state.Revision(b).Revision) })
	for _, name := range revisions {
		fmt.Fprintf(&text, "  revision %s%s\n", name, owners(state, state.Revision(name)))
	}
	return text.String()
}

func ready(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// mark names the set whose drain policy covers a claim.
func mark(state sim.State, claim sim.Object) string {
	marked := claim.GetAnnotations()[adapters.AnnotationDrainSet]
	name, uid, _ := strings.Cut(marked, "/")
	switch set := state.Set(name); {
	case marked == "":
		return ""
	case set == nil || string(set.UID) != uid:
		return ", marked for " + name + " (gone)"
	}
	return ", marked for " + name
}

// owners names the owners of an object, also those that are gone, and says whether it is being deleted.
func owners(state sim.State, object sim.Object) string {
	var text strings.Builder
	for _, ref := range object.GetOwnerReferences() {
		fmt.Fprintf(&text, ", of %s %s", ref.Kind, ref.Name)
		if owner := state.Get(ref.Kind, ref.Name); owner == nil || owner.GetUID() != ref.UID {
			text.WriteString(" (gone)")
		}
		if !metav1.IsControlledBy(object, &metav1.ObjectMeta{UID: ref.UID}) {
			text.WriteString(" (not its controller)")
		}
	}
	if slices.Contains(object.GetFinalizers(), invariants.FinalizerDrain) {
		text.WriteString(", drained before it goes")
	}
	if object.GetDeletionTimestamp() != nil {
		text.WriteString(", going")
	}
	return text.String()
}
