package sim

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
)

// FinalizerDrain keeps a set that is deleted until it is drained.
const FinalizerDrain = "setplan.io/drain"

// DataIsDrained: an adapter deletes a claim only if it has seen a drain pod of this very claim succeed, and the claim is
// marked as that set's. Whatever else takes a claim away is not us.
func DataIsDrained(c *Check) error {
	if c.View == nil || c.Event.Kind != KindClaim || !c.deletes() {
		return nil
	}
	claim := c.View.Claim(c.Event.Name)
	if claim == nil || claim.UID != c.Event.Old.GetUID() {
		return fmt.Errorf("the adapter has not seen this claim")
	}
	mark := claim.Annotations[adapters.AnnotationDrainSet]
	if mark == "" {
		return fmt.Errorf("it is not marked")
	}
	for _, name := range c.View.Names(KindPod) {
		pod := c.View.Pod(name)
		drained := strings.Split(pod.Annotations[adapters.AnnotationDrainClaims], ",")
		if pod.Annotations[adapters.AnnotationDrainSet] == mark && pod.Status.Phase == corev1.PodSucceeded && c.believed(pod) &&
			slices.Contains(drained, string(claim.UID)) && slices.Contains(claimsOf(pod), claim.Name) {
			return nil
		}
	}
	return fmt.Errorf("no drain pod that succeeded has drained it")
}

// believed tells whether the success of a drain pod means anything: with a proof asked for, each container has handed its
// token back; else nobody was stopping the pod.
func (c *Check) believed(pod *corev1.Pod) bool {
	if set := c.View.Set(c.Set); set != nil && set.Annotations[adapters.AnnotationDrainProof] != "" {
		return handedBack(pod)
	}
	return !disrupted(pod)
}

// DrainsInOrder: under OrderedReady nothing of a lower ordinal outside the range is touched, neither its replica nor its
// data, while a higher one has a replica, a drain pod or marked data. A replica that has ended may go out of turn.
func DrainsInOrder(c *Check) error {
	r, ordinal := c.podWrite()
	if r == nil || r.parallel() || !r.drains() || r.inRange(ordinal) && !r.emptied() {
		return nil
	}
	begins := c.Event.Verb == "create" && c.ofDrainPod()
	condemns := c.deletes() && r.pods[ordinal] != nil && !hasEnded(r.pods[ordinal])
	if !begins && !condemns {
		return nil
	}
	for _, above := range r.withData() {
		if above > ordinal && (r.emptied() || !r.inRange(above)) {
			return fmt.Errorf("ordinal %d is higher and not drained", above)
		}
	}
	return nil
}

// OnlyMarkedIsDrained: a drain pod is made only on claims that bear the set's mark, so that what was left behind before
// there was a policy, or belongs to another set, is never drained.
func OnlyMarkedIsDrained(c *Check) error {
	r, _ := c.podWrite()
	if r == nil || c.Event.Verb != "create" || !c.ofDrainPod() {
		return nil
	}
	for _, name := range claimsOf(c.Event.New.(*corev1.Pod)) {
		if claim := c.View.Claim(name); r.isClaim(name) && (claim == nil || claim.Annotations[adapters.AnnotationDrainSet] != r.mark()) {
			return fmt.Errorf("claim %s is not marked", name)
		}
	}
	return nil
}

// ofDrainPod tells whether a write is about a drain pod.
func (c *Check) ofDrainPod() bool {
	object := c.Event.New
	if object == nil {
		object = c.Event.Old
	}
	return object.GetAnnotations()[adapters.AnnotationDrainSet] != ""
}

func (r *reading) mark() string { return r.set.Name + "/" + string(r.set.UID) }

func (r *reading) drains() bool { return r.set.Annotations[adapters.AnnotationDrainTemplate] != "" }

// leavingCurrent counts what a policy may keep waiting outside the range at the current revision, and what therefore has no
// part in where the pods of the range come back.
func (r *reading) leavingCurrent() int {
	leaving := 0
	for ordinal, pod := range r.pods {
		if r.mayKeepWaiting() && !r.inRange(ordinal) && pod.DeletionTimestamp == nil && revisionOf(pod) == r.currentRevision() {
			leaving++
		}
	}
	return leaving
}

func (r *reading) mayKeepWaiting() bool {
	return r.drains() || r.set.Annotations[adapters.AnnotationDrainAsk] != ""
}

func (r *reading) drainsOnDelete() bool {
	value := r.set.Annotations[adapters.AnnotationDrainOnDelete]
	return r.drains() && value != "" && value != "false"
}

// emptied tells whether the set is deleted and drained first.
func (r *reading) emptied() bool {
	return r.set.DeletionTimestamp != nil && r.keptForDrain()
}

func (r *reading) keptForDrain() bool { return slices.Contains(r.set.Finalizers, FinalizerDrain) }

func (r *reading) takesLeftovers() bool {
	return r.set.Annotations[adapters.AnnotationDrainLeftovers] == "true"
}

func (r *reading) isClaim(name string) bool {
	return slices.ContainsFunc(r.spec.claimTemplateNames(), func(template string) bool {
		_, ours := ordinalOf(strings.TrimPrefix(name, template+"-"), r.set.Name)
		return ours
	})
}

// withData lists the ordinals that have a replica, a drain pod, or a marked claim that is not going.
func (r *reading) withData() []int {
	var ordinals []int
	for ordinal, pod := range r.pods {
		if r.selects(pod) {
			ordinals = append(ordinals, ordinal)
		}
	}
	for _, name := range r.state.Names(KindPod) {
		if ordinal, ok := ordinalOf(name, r.set.Name); ok && r.state.Pod(name).Annotations[adapters.AnnotationDrainSet] == r.mark() {
			ordinals = append(ordinals, ordinal)
		}
	}
	for _, template := range r.spec.claimTemplateNames() {
		for _, name := range r.state.Names(KindClaim) {
			claim := r.state.Claim(name)
			ordinal, ok := ordinalOf(strings.TrimPrefix(name, template+"-"), r.set.Name)
			if ok && claim.DeletionTimestamp == nil && claim.Annotations[adapters.AnnotationDrainSet] == r.mark() {
				ordinals = append(ordinals, ordinal)
			}
		}
	}
	return ordinals
}
