// Package world describes one set at one moment, in the types of the Kubernetes API, and generates such worlds from a seed.
// Both sides of the oracle read the same world and never change it.
package world

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// World is what a controller's caches have about one set, and how the API answers one of its requests.
type World struct {
	Now time.Time
	// Gate is whether the feature gate MaxUnavailableStatefulSet is on. It is process-wide: see SetGate.
	Gate      bool
	Set       *appsv1.StatefulSet
	Pods      []*corev1.Pod
	Claims    []*corev1.PersistentVolumeClaim
	Revisions []*appsv1.ControllerRevision
	// Born counts the objects created since the world began.
	Born int
	// Fault is one request that the API refuses; nil refuses none.
	Fault *Fault
}

// Fault names a request by operation and object, not by its number: requests of one batch come in any order.
type Fault struct {
	Op   Op     `json:"op"`
	Name string `json:"name"`
	// Reason is the reason of the API's answer, such as "InternalError" or "NotFound".
	Reason string `json:"reason"`
}

// Hits reports whether the fault applies to a request.
func (f *Fault) Hits(op Op, name string) bool { return f != nil && f.Op == op && f.Name == name }

// Op is what a request does.
type Op string

// The requests that a pass may send.
const (
	CreatePod      Op = "create pod"
	UpdatePod      Op = "update pod"
	DeletePod      Op = "delete pod"
	OwnPod         Op = "own pod" // adopt or release
	CreateClaim    Op = "create claim"
	UpdateClaim    Op = "update claim"
	CreateRevision Op = "create revision"
	UpdateRevision Op = "update revision"
	OwnRevision    Op = "own revision"
	DeleteRevision Op = "delete revision"
	UpdateStatus   Op = "update status"
)

// Write is one request as both sides record it.
type Write struct {
	Op   Op
	Name string
	// Body is the object after the write, in a canonical form; empty for a deletion.
	Body string
	// Refused is the reason of the API's refusal.
	Refused string
}

// Same reports whether two sides sent the same request.
func (w Write) Same(other Write) bool {
	return w.Op == other.Op && w.Name == other.Name && w.Body == other.Body
}

// Clone copies a world deeply.
func (w *World) Clone() *World {
	out := &World{Now: w.Now, Gate: w.Gate, Born: w.Born, Set: w.Set.DeepCopy()}
	for _, pod := range w.Pods {
		out.Pods = append(out.Pods, pod.DeepCopy())
	}
	for _, claim := range w.Claims {
		out.Claims = append(out.Claims, claim.DeepCopy())
	}
	for _, revision := range w.Revisions {
		out.Revisions = append(out.Revisions, revision.DeepCopy())
	}
	if w.Fault != nil {
		fault := *w.Fault
		out.Fault = &fault
	}
	return out
}

// Pod returns the pod with a name, or nil.
func (w *World) Pod(name string) *corev1.Pod { return named(w.Pods, name) }

// Claim returns the claim with a name, or nil.
func (w *World) Claim(name string) *corev1.PersistentVolumeClaim { return named(w.Claims, name) }

// Revision returns the revision with a name, or nil.
func (w *World) Revision(name string) *appsv1.ControllerRevision { return named(w.Revisions, name) }

func named[T interface{ GetName() string }](list []T, name string) T {
	for _, item := range list {
		if item.GetName() == name {
			return item
		}
	}
	var none T
	return none
}
