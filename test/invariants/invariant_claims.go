package invariants

import (
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// ClaimsBeforePods: a pod is created only after its claims exist, and none of them is going away or belongs to an
// earlier pod of that name that was scaled away.
func ClaimsBeforePods(c *Check) error {
	r, _ := c.podWrite()
	if r == nil || c.Event.Verb != "create" {
		return nil
	}
	for _, template := range r.spec.ClaimTemplateNames() {
		name := template + "-" + c.Event.Name
		claim := c.View.Claim(name)
		switch {
		case claim == nil:
			return fmt.Errorf("claim %s does not exist", name)
		case claim.DeletionTimestamp != nil:
			return fmt.Errorf("claim %s is going away", name)
		case r.whenScaled() == "Delete" && refersTo(claim, sim.KindPod, c.Event.Name) != nil:
			return fmt.Errorf("claim %s belongs to an earlier pod of that name", name)
		}
	}
	return nil
}

// ClaimsFollowRetention: an adapter that writes a claim's owners leaves those of others alone and makes ours equal to the
// table of the retention policy. With a drain policy the table has no row by which the garbage collector deletes what is
// to be drained.
func ClaimsFollowRetention(c *Check) error {
	if c.View == nil || c.Event.Kind != sim.KindClaim || c.deletes() {
		return nil
	}
	claim := c.Event.New.(*corev1.PersistentVolumeClaim)
	r, ordinal, pod := c.claimOfSet(claim.Name)
	if r == nil || c.Event.Verb == "create" || sameOwners(c.Event.Old, claim) {
		return nil
	}
	before, after := r.foreignOwners(c.Event.Old, pod), r.foreignOwners(claim, pod)
	if !reflect.DeepEqual(before, after) {
		return fmt.Errorf("owners that are not ours have changed from %v to %v", before, after)
	}
	set, ofPod := refersTo(claim, sim.KindSet, r.set.Name), refersTo(claim, sim.KindPod, pod)
	for _, ref := range []*metav1.OwnerReference{set, ofPod} {
		if ref != nil && (ref.Controller == nil || !*ref.Controller) {
			return fmt.Errorf("the reference to %s %s is no controller reference", ref.Kind, ref.Name)
		}
	}
	wantPod := r.whenScaled() == "Delete" && !r.inRange(ordinal) && !r.drains()
	wantSet := r.whenDeleted() == "Delete" && !wantPod && !r.drainsOnDelete() && !r.keptForDrain()
	if foreign := r.managedByOthers(after); foreign && (wantSet || wantPod) {
		wantSet, wantPod = false, false
	}
	if (set != nil) != wantSet || (ofPod != nil) != wantPod {
		return fmt.Errorf("owned by the set: %t instead of %t, by the pod: %t instead of %t", set != nil, wantSet, ofPod != nil, wantPod)
	}
	return nil
}

// WantedClaimsStay: an adapter deletes no pod with which the garbage collector would delete a claim that the retention policy keeps,
// whatever the cause (rule WantedClaimsStay). The release of such a claim comes first, and the adapter must know that it went well.
func WantedClaimsStay(c *Check) error {
	r, ordinal := c.podWrite()
	if r == nil || !c.deletes() || c.Behavior == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 || r.pods[ordinal] == nil {
		return nil
	}
	if r.whenScaled() == "Delete" && !r.inRange(ordinal) && !r.drains() {
		return nil // the policy asks for it
	}
	pod := r.pods[ordinal]
	for _, template := range r.spec.ClaimTemplateNames() {
		claim := c.View.Claim(template + "-" + pod.Name)
		if claim == nil || claim.DeletionTimestamp != nil || c.Promises.drained[claim.UID] {
			continue
		}
		if ref := refersTo(claim, sim.KindPod, pod.Name); ref != nil && ref.UID == pod.UID {
			return fmt.Errorf("claim %s goes with it, and is to stay", claim.Name)
		}
	}
	return nil
}

func sameOwners(a, b sim.Object) bool {
	return reflect.DeepEqual(a.GetOwnerReferences(), b.GetOwnerReferences())
}

// claimOfSet finds the set that the adapter writes for, and the ordinal and the pod that a claim is for. Another set may
// read the same name in another way: a-b-c-0 is the claim a of set b-c and the claim a-b of set c.
func (c *Check) claimOfSet(claim string) (*reading, int, string) {
	r := read(c.View.State, c.Set)
	if r == nil {
		return nil, 0, ""
	}
	for _, template := range r.spec.ClaimTemplateNames() {
		pod, ok := strings.CutPrefix(claim, template+"-")
		if ordinal, canonical := ordinalOf(pod, c.Set); ok && canonical {
			return r, ordinal, pod
		}
	}
	return nil, 0, ""
}

func (r *reading) whenScaled() string {
	if r.spec.Retention == nil {
		return "Retain"
	}
	return r.spec.Retention.WhenScaled
}

func (r *reading) whenDeleted() string {
	if r.spec.Retention == nil {
		return "Retain"
	}
	return r.spec.Retention.WhenDeleted
}

// foreignOwners lists the owners of a claim that are neither the set nor the pod, by name.
func (r *reading) foreignOwners(claim sim.Object, pod string) []metav1.OwnerReference {
	foreign := []metav1.OwnerReference{}
	for _, ref := range claim.GetOwnerReferences() {
		if (ref.Kind != sim.KindSet || ref.Name != r.set.Name) && (ref.Kind != sim.KindPod || ref.Name != pod) {
			foreign = append(foreign, ref)
		}
	}
	return foreign
}

func (r *reading) managedByOthers(foreign []metav1.OwnerReference) bool {
	for _, ref := range foreign {
		if ref.Controller != nil && *ref.Controller {
			return true
		}
	}
	return false
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
