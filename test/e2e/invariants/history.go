// Package invariants holds a recorded history of the API server's watch events to the invariants of package law.
//
// It knows only what the store held: not who wrote, nor what they had seen. So it leaves out what is about that, such as
// whose pod an adapter may delete, who may write the owners of a claim, and who takes a drain pod away. It is for histories
// in which nobody but the controller deletes pods, and in which pods that became ready stay so: what a person takes away
// cannot be told from what the controller did.
package invariants

import (
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/test/invariants/law"
)

// Change is one state of one object as the API server announced it.
type Change struct {
	Version int64
	Deleted bool
	Object  *unstructured.Unstructured
	// At is when the change was seen, so not before it happened.
	At time.Time
}

// Violation is a change that must not happen.
type Violation struct {
	Invariant string
	Version   int64
	What      string
}

func (v Violation) String() string { return fmt.Sprintf("%d: %s: %s", v.Version, v.Invariant, v.What) }

// Check goes through a history in the order of the store and returns what was wrong in it, the state at its end
// included, which must be a state of rest.
func Check(history []Change) ([]Violation, error) {
	var violations []Violation
	w := newWorld()
	var end time.Time
	for _, c := range history {
		s, err := w.step(c)
		if err != nil {
			return nil, err
		}
		if check := w.check(s); check != nil {
			for i := range law.OnWrite {
				if err := law.OnWrite[i].Holds(check); err != nil {
					violations = append(violations, Violation{law.OnWrite[i].Name, c.Version, c.Object.GetName() + ": " + err.Error()})
				}
			}
		}
		w.apply(s)
		end = c.At
	}
	return append(violations, w.restBroken(end)...), nil
}

// step is a change, decoded: one of the objects is set.
type step struct {
	deleted  bool
	at       time.Time
	set      *appsv1.StatefulSet
	pod      *corev1.Pod
	claim    *corev1.PersistentVolumeClaim
	revision *appsv1.ControllerRevision
	// created is a pod that was not there, or not with this uid; going one whose deletion was asked for just now.
	created, going bool
}

// world is what the store holds, by name.
type world struct {
	sets      map[string]*appsv1.StatefulSet
	pods      map[string]*corev1.Pod
	claims    map[string]*corev1.PersistentVolumeClaim
	revisions map[string]*appsv1.ControllerRevision
	data      map[types.UID][]byte // of every revision that there ever was
	wasReady  map[types.UID]bool   // the pods that have been ready
	drained   map[string]string    // claims, by uid: the set for which a drain pod has drained them
}

func newWorld() *world {
	return &world{
		sets: map[string]*appsv1.StatefulSet{}, pods: map[string]*corev1.Pod{},
		claims: map[string]*corev1.PersistentVolumeClaim{}, revisions: map[string]*appsv1.ControllerRevision{},
		data: map[types.UID][]byte{}, wasReady: map[types.UID]bool{}, drained: map[string]string{},
	}
}

func (w *world) step(c Change) (step, error) {
	s := step{deleted: c.Deleted, at: c.At}
	var into any
	switch kind := c.Object.GetKind(); kind {
	case "StatefulSet":
		s.set = &appsv1.StatefulSet{}
		into = s.set
	case "Pod":
		s.pod = &corev1.Pod{}
		into = s.pod
	case "PersistentVolumeClaim":
		s.claim = &corev1.PersistentVolumeClaim{}
		into = s.claim
	case "ControllerRevision":
		s.revision = &appsv1.ControllerRevision{}
		into = s.revision
	default:
		return s, fmt.Errorf("no invariant is about a %s", kind)
	}
	body, err := json.Marshal(c.Object)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return s, fmt.Errorf("%s %s: %w", c.Object.GetKind(), c.Object.GetName(), err)
	}
	if s.pod != nil {
		before := w.pods[s.pod.Name]
		s.created = !s.deleted && (before == nil || before.UID != s.pod.UID)
		s.going = before != nil && before.DeletionTimestamp == nil && (s.deleted || s.pod.DeletionTimestamp != nil)
	}
	return s, nil
}

func (w *world) apply(s step) {
	switch {
	case s.set != nil:
		put(w.sets, s.set, s.deleted)
	case s.pod != nil:
		put(w.pods, s.pod, s.deleted)
		w.wasReady[s.pod.UID] = w.wasReady[s.pod.UID] || isReady(s.pod)
		if !s.deleted {
			w.noteDrain(s.pod)
		}
	case s.claim != nil:
		put(w.claims, s.claim, s.deleted)
	default:
		put(w.revisions, s.revision, s.deleted)
		w.data[s.revision.UID] = s.revision.Data.Raw
	}
}

func put[T metav1.Object](objects map[string]T, object T, deleted bool) {
	if deleted {
		delete(objects, object.GetName())
	} else {
		objects[object.GetName()] = object
	}
}
