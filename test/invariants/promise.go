package invariants

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// promises remember what the cluster does not show at one moment: which claims have been drained, and which owners were deleted when
// nobody had reason to expect that data would be deleted with them. After that it must not be (DataIsDrained).
//
// A set with drain-on-delete may be deleted once it has the finalizer of the drain, unless the last plan says that a claim
// is not protected (DRAIN_UNPROTECTED). An earlier deletion has not waited for the policy to be carried out. A pod of a set
// with a drain policy may be deleted or lost once its claims are marked, unless the last plan says so.
type promises struct {
	drained map[types.UID]bool // claims of which a drain pod has succeeded
	warned  map[types.UID]bool // sets of which the last plan says that a claim is not protected
	given   map[types.UID]bool // sets and pods that were deleted when they might be
	byHand  map[types.UID]bool // owners that a user has put on a claim
}

func newPromises() *promises {
	return &promises{drained: map[types.UID]bool{}, warned: map[types.UID]bool{}, given: map[types.UID]bool{},
		byHand: map[types.UID]bool{}}
}

// others may delete a pod although a block warns that a claim would be deleted with it. An adapter, whose own plan warns, may not.
var others = []string{"user", "gc", "kubelet"}

// learn looks at a write before the invariants do.
func (p *promises) learn(before sim.State, event sim.Event) {
	if pod, ok := event.New.(*corev1.Pod); ok && pod.Status.Phase == corev1.PodSucceeded {
		for uid := range strings.SplitSeq(pod.Annotations[adapters.AnnotationDrainClaims], ",") {
			p.drained[types.UID(uid)] = true
		}
	}
	if event.Kind == sim.KindClaim && event.Actor == "user" && event.New != nil {
		for _, ref := range event.New.GetOwnerReferences() {
			p.byHand[ref.UID] = p.byHand[ref.UID] || event.Old == nil || refersTo(event.Old, ref.Kind, ref.Name) == nil
		}
	}
	if event.Verb != "delete" && event.Verb != "remove" || event.Old.GetDeletionTimestamp() != nil {
		return
	}
	switch event.Kind {
	case sim.KindSet:
		r := read(before, event.Name)
		p.given[event.Old.GetUID()] = r != nil && r.drainsOnDelete() && r.keptForDrain() && !p.warned[r.set.UID]
	case sim.KindPod:
		name, _ := setOf(event.Name)
		r := read(before, name)
		p.given[event.Old.GetUID()] = r != nil && r.drains() && sim.ControlledBy(event.Old, r.set) &&
			(!slices.Contains(others, event.Actor) || !p.warned[r.set.UID] && r.hasMarked(event.Old))
	}
}

// hasMarked reports whether every claim that would be deleted with the pod is marked: the policy may be younger than that reference.
func (r *reading) hasMarked(pod sim.Object) bool {
	for _, name := range r.state.Names(sim.KindClaim) {
		claim := r.state.Claim(name)
		for _, ref := range claim.OwnerReferences {
			if ref.UID == pod.GetUID() && r.markOf(claim) != law.Ours {
				return false
			}
		}
	}
	return true
}

// read notes what a plan says.
func (p *promises) read(request *setplanv1.PlanRequest, plan *setplanv1.Plan) {
	uid := types.UID(request.GetSnapshot().GetSet().GetUid())
	p.warned[uid] = slices.ContainsFunc(plan.GetBlocks(), func(block *setplanv1.Block) bool {
		return block.GetCode() == setplanv1.BlockCode_BLOCK_CODE_DRAIN_UNPROTECTED
	})
}
