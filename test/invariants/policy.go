package invariants

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// What a set's spec and annotations ask for.

// FinalizerDrain keeps a deleted set until it is drained.
const FinalizerDrain = "setplan.io/drain"

func (r *reading) start() int { return int(r.spec.Ordinals.Start) }

func (r *reading) inRange(ordinal int) bool {
	return slices.Contains(r.wanted(), ordinal)
}

func (r *reading) parallel() bool { return r.spec.PodManagementPolicy == "Parallel" }

func (r *reading) recreates() bool { return r.spec.UpdateStrategy.Type == "Recreate" }

func (r *reading) partition() int {
	if r.spec.UpdateStrategy.RollingUpdate == nil || r.recreates() {
		return 0
	}
	return int(r.spec.UpdateStrategy.RollingUpdate.Partition)
}

func (r *reading) budget() int {
	rolling := r.spec.UpdateStrategy.RollingUpdate
	if rolling == nil || rolling.MaxUnavailable == nil {
		return 1
	}
	if percent, ok := strings.CutSuffix(rolling.MaxUnavailable.StrVal, "%"); ok {
		share, err := strconv.Atoi(percent)
		if err != nil {
			return 0 // a malformed budget allows nothing
		}
		return max(1, share*r.replicas/100)
	}
	return max(1, int(rolling.MaxUnavailable.IntVal))
}

func (r *reading) repairPolicy(behavior setplanv1.Behavior) string {
	policy := r.set.Annotations[adapters.AnnotationRepair]
	if policy == "" && behavior <= setplanv1.Behavior_BEHAVIOR_SETPLAN {
		policy = "NeverReady"
	}
	return policy
}

func (r *reading) mark() string { return r.set.Name + "/" + string(r.set.UID) }

// drainTemplates are the annotations that may hold a drain pod template.
var drainTemplates = []string{"setplan.io/drain-pod-template", "statefulsets.kubernetes.io/drainer-pod-template",
	"statefulsets.kubernetes.io/scaledown-pod-template"}

func (r *reading) drains() bool {
	return slices.ContainsFunc(drainTemplates, func(name string) bool { return r.set.Annotations[name] != "" })
}

func (r *reading) drainsOnDelete() bool {
	value := r.set.Annotations[adapters.AnnotationDrainOnDelete]
	return r.drains() && value != "" && value != "false"
}

// emptied reports whether the set is drained for its deletion.
func (r *reading) emptied() bool {
	return r.set.DeletionTimestamp != nil && r.keptForDrain()
}

func (r *reading) keptForDrain() bool { return slices.Contains(r.set.Finalizers, FinalizerDrain) }

func (r *reading) takesLeftovers() bool {
	return r.set.Annotations[adapters.AnnotationDrainLeftovers] == "true"
}

// believed reports whether a drain pod's success counts: if a proof is required, each container has handed back its token; otherwise the
// pod was not being stopped.
func (r *reading) believed(pod *corev1.Pod) bool {
	if r.set.Annotations[adapters.AnnotationDrainProof] != "" {
		return handedBack(pod)
	}
	return !sim.Disrupted(pod)
}

// isDrainPodOf recognises a drain pod by its mark and the lack of a controller.
func isDrainPodOf(object sim.Object, set *sim.Set) bool {
	return object.GetAnnotations()[adapters.AnnotationDrainSet] == set.Name+"/"+string(set.UID)
}

// claimOf returns a claim's ordinal, if the name is one of the set's. Another set may read the same name differently: a-b-c-0 is the
// claim a of set b-c and the claim a-b of set c.
func (r *reading) claimOf(claim string) (ordinal int, ours bool) {
	for _, template := range r.templateNames() {
		pod, ok := strings.CutPrefix(claim, template+"-")
		if ordinal, canonical := ordinalOf(pod, r.set.Name); ok && canonical {
			return ordinal, true
		}
	}
	return -1, false
}

func (r *reading) isClaim(name string) bool {
	_, ours := r.claimOf(name)
	return ours
}

// sharedWith names another set that uses the same claim name.
func (r *reading) sharedWith(claim string) string {
	for _, name := range r.state.Names(sim.KindSet) {
		if other := read(r.state, name); other != nil && name != r.set.Name && other.isClaim(claim) {
			return name
		}
	}
	return ""
}

// refersTo returns an object's reference to an owner of that kind and name, whatever its uid; nil if there is none.
func refersTo(object sim.Object, kind, name string) *metav1.OwnerReference {
	for _, ref := range object.GetOwnerReferences() {
		if ref.Kind == kind && ref.Name == name {
			return &ref
		}
	}
	return nil
}
