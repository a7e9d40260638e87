package invariants

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What spec and annotations of a set ask for.

// FinalizerDrain keeps a set that is deleted until it is drained.
const FinalizerDrain = "setplan.io/drain"

func (r *reading) start() int { return int(r.spec.Ordinals.Start) }

func (r *reading) inRange(ordinal int) bool {
	return slices.Contains(r.wanted(), ordinal)
}

func (r *reading) parallel() bool { return r.spec.PodManagementPolicy == "Parallel" }

func (r *reading) partition() int {
	if r.spec.UpdateStrategy.RollingUpdate == nil {
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
	if policy == "" && behavior != setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 {
		policy = "NeverReady"
	}
	return policy
}

func (r *reading) mark() string { return r.set.Name + "/" + string(r.set.UID) }

// drainTemplates are the names under which a drain pod template is found.
var drainTemplates = []string{"setplan.io/drain-pod-template", "statefulsets.kubernetes.io/drainer-pod-template",
	"statefulsets.kubernetes.io/scaledown-pod-template"}

func (r *reading) drains() bool {
	return slices.ContainsFunc(drainTemplates, func(name string) bool { return r.set.Annotations[name] != "" })
}

func (r *reading) drainsOnDelete() bool {
	value := r.set.Annotations[adapters.AnnotationDrainOnDelete]
	return r.drains() && value != "" && value != "false"
}

// emptied reports whether the set is deleted and drained first.
func (r *reading) emptied() bool {
	return r.set.DeletionTimestamp != nil && r.keptForDrain()
}

func (r *reading) keptForDrain() bool { return slices.Contains(r.set.Finalizers, FinalizerDrain) }

func (r *reading) takesLeftovers() bool {
	return r.set.Annotations[adapters.AnnotationDrainLeftovers] == "true"
}

// believed reports whether the success of a drain pod means anything: with a proof asked for, each container has handed its
// token back; else nobody was stopping the pod.
func (r *reading) believed(pod *corev1.Pod) bool {
	if r.set.Annotations[adapters.AnnotationDrainProof] != "" {
		return handedBack(pod)
	}
	return !sim.Disrupted(pod)
}

// isDrainPodOf tells a drain pod, which nobody controls, by the mark that it bears.
func isDrainPodOf(object sim.Object, set *sim.Set) bool {
	return object.GetAnnotations()[adapters.AnnotationDrainSet] == set.Name+"/"+string(set.UID)
}

// claimOf finds the template, the ordinal and the pod that a claim is for, if it is one of the set's. Another set may read the
// same name in another way: a-b-c-0 is the claim a of set b-c and the claim a-b of set c.
func (r *reading) claimOf(claim string) (ordinal int, ours bool) {
	for _, template := range r.spec.ClaimTemplateNames() {
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

// sharedWith names another set that calls a claim its own.
func (r *reading) sharedWith(claim string) string {
	for _, name := range r.state.Names(sim.KindSet) {
		if other := read(r.state, name); other != nil && name != r.set.Name && other.isClaim(claim) {
			return name
		}
	}
	return ""
}

// refersTo returns the reference of an object to an owner of that kind and name, whatever its uid; nil without one.
func refersTo(object sim.Object, kind, name string) *metav1.OwnerReference {
	for _, ref := range object.GetOwnerReferences() {
		if ref.Kind == kind && ref.Name == name {
			return &ref
		}
	}
	return nil
}
