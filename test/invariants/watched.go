package invariants

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// Change is one state of one object as announced by an API server's watch.
type Change struct {
	Version int64
	Deleted bool
	Object  *unstructured.Unstructured
	// At is when the change was seen, not when it happened.
	At time.Time
}

// Violation is a change that must not happen.
type Violation struct {
	Invariant string
	Version   int64
	What      string
}

func (v Violation) String() string { return fmt.Sprintf("%d: %s: %s", v.Version, v.Invariant, v.What) }

// History checks the watch of a namespace, in the order of the store, against the invariants. It must end in a state of rest. It
// returns the violations.
//
// It knows only the content of the store, not who wrote, nor what they had seen. So it leaves out invariants about that: whose pods an
// adapter may delete, who may write the owners of a claim, who deletes a drain pod, and whether a replica waits for a drain (the
// built-in controller beside a draining adapter does not wait). In its histories only controllers may delete pods, and pods that
// became ready must stay ready: a person's deletion would look like a violation.
func History(history []Change) ([]Violation, error) {
	var violations []Violation
	w := newWatched()
	for _, change := range history {
		event, err := w.event(change)
		if err != nil {
			return nil, err
		}
		if check := w.check(event); check != nil {
			for i := range law.OnWrite {
				if err := law.OnWrite[i].Holds(check); err != nil {
					violations = append(violations, Violation{law.OnWrite[i].Name, change.Version, event.Name + ": " + err.Error()})
				}
			}
		}
		w.learn(event)
	}
	return append(violations, w.atRest()...), nil
}

// watched is the content of the store, and what the store no longer shows.
type watched struct {
	viewer
	state sim.State
	marks map[types.UID]string // of claims that a drain pod has drained: the pod's mark
	now   time.Time
}

// slack is the precision that times lose in the API, which has seconds.
const slack = time.Second

func newWatched() *watched {
	return &watched{state: sim.NewState(), marks: map[types.UID]string{}, viewer: viewer{
		behavior: setplanv1.Behavior_BEHAVIOR_SETPLAN, wasReady: map[types.UID]bool{}, drained: map[types.UID]bool{}, slack: slack}}
}

// event converts a change to an event of the simulated cluster.
func (w *watched) event(c Change) (sim.Event, error) {
	body, err := json.Marshal(c.Object)
	if err != nil {
		return sim.Event{}, err
	}
	object, err := sim.ParseObject(body)
	if err != nil {
		return sim.Event{}, fmt.Errorf("%s %s: %w", c.Object.GetKind(), c.Object.GetName(), err)
	}
	w.now = c.At
	event := sim.Event{Verb: "update", Kind: c.Object.GetKind(), Name: object.GetName(), Old: w.state.Get(c.Object.GetKind(), object.GetName()), New: object}
	switch known := event.Old != nil && event.Old.GetUID() == object.GetUID(); {
	case c.Deleted:
		event.Verb, event.New = "remove", nil
		if !known {
			event.Old = object
		}
	case !known:
		event.Verb, event.Old = "create", nil
	case event.Old.GetDeletionTimestamp() == nil && object.GetDeletionTimestamp() != nil:
		event.Verb = "delete"
	}
	return event, nil
}

// begins reports whether a write is the first deletion of an object.
func begins(event sim.Event) bool { return deletes(event) && event.Old.GetDeletionTimestamp() == nil }

// check returns the view of a write for the invariants; nil if no set is concerned, or if its author cannot be known.
func (w *watched) check(event sim.Event) *law.Check {
	switch {
	case event.Kind == sim.KindPod && event.Verb == "create":
		// It was decided on before it was created, so what was available by then counts.
		at := event.New.GetCreationTimestamp().Time
		if mark := event.New.GetAnnotations()[adapters.AnnotationDrainSet]; mark != "" {
			name, _, _ := strings.Cut(mark, "/")
			if r := read(w.state, name); r != nil && r.mark() == mark {
				return &law.Check{Seen: w.show(r, at), Write: r.podWrite(event)}
			}
		}
		if r := w.controlling(event.New); r != nil {
			return &law.Check{Seen: w.show(r, at), Write: r.podWrite(event)}
		}
	case event.Kind == sim.KindPod && begins(event):
		if r := w.controlling(event.Old); r != nil {
			check := &law.Check{Seen: w.show(r, w.now), Write: r.podWrite(event)}
			check.Truth, check.Write.Unsigned, check.Write.Evicted = check.Seen, true, wasEvicted(event.Old.(*corev1.Pod))
			return check
		}
	case event.Kind == sim.KindClaim && begins(event):
		return w.claimGoes(event.Old.(*corev1.PersistentVolumeClaim))
	case event.Kind == sim.KindRevision && !deletes(event):
		return &law.Check{Seen: w.siblings(event.New), Write: revisionWrite(event)}
	}
	return nil
}

// wasEvicted reports whether the API server has noted an eviction of a pod, which it does before it deletes the pod.
func wasEvicted(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == "EvictionByEvictionAPI"
	})
}

// controlling returns the set that controls an object; nil if there is none, or if it is being deleted: the garbage collector deletes the
// pods of such a set in any order.
func (w *watched) controlling(object sim.Object) *reading {
	owner := metav1.GetControllerOf(object)
	if owner == nil {
		return nil
	}
	r := read(w.state, owner.Name)
	if r == nil || r.set.UID != owner.UID || r.set.DeletionTimestamp != nil {
		return nil
	}
	return r
}

// show makes the view of a set. Pods are updated to the newest revision, because the writer may not have seen the newest template. An
// adapter writes the steps of a stage side by side.
func (w *watched) show(r *reading, at time.Time) *law.Set {
	s := w.viewer.show(r, at)
	s.SideBySide, s.Current, s.Update = s.Budget, s.Named, ""
	newest := int64(0)
	for _, revision := range w.siblings(r.set).Revisions {
		if revision.Number > newest {
			newest, s.Update = revision.Number, revision.Name
		}
	}
	return s
}

// siblings makes a view with only the revisions of a set, or of the set that controls a revision; nil if nobody does.
func (w *watched) siblings(object sim.Object) *law.Set {
	uid := object.GetUID()
	if _, ok := object.(*appsv1.ControllerRevision); ok {
		owner := metav1.GetControllerOf(object)
		if owner == nil {
			return nil
		}
		uid = owner.UID
	}
	s := &law.Set{}
	for _, name := range w.state.Names(sim.KindRevision) {
		revision := w.state.Revision(name)
		if owner := metav1.GetControllerOf(revision); owner != nil && owner.UID == uid {
			s.Revisions = append(s.Revisions, law.Revision{Name: name, Number: revision.Revision})
		}
	}
	return s
}

// claimGoes checks marked claims only: anybody may delete an unmarked one. The set may be gone.
func (w *watched) claimGoes(claim *corev1.PersistentVolumeClaim) *law.Check {
	mark := claim.Annotations[adapters.AnnotationDrainSet]
	if mark == "" {
		return nil
	}
	k := law.Claim{Name: claim.Name, Exists: true, Mark: law.Ours, Empty: w.marks[claim.UID] == mark}
	return &law.Check{Truth: &law.Set{Gone: true, Places: []law.Place{{Claims: []law.Claim{k}}}},
		Write: law.Write{Op: law.CollectClaim, Claim: k, Promised: true}}
}

// learn applies a write.
func (w *watched) learn(event sim.Event) {
	w.state.Apply(event)
	pod, ok := event.New.(*corev1.Pod)
	if !ok {
		return
	}
	w.wasReady[pod.UID] = w.wasReady[pod.UID] || sim.IsReady(pod)
	w.noteDrain(pod)
	for uid := range w.marks {
		w.drained[uid] = w.marks[uid] != ""
	}
}

// noteDrain remembers from a pod which claims it has drained, or has used again. What a pod says while it is being deleted is no proof.
// The garbage collector may delete a drain pod before its claims.
func (w *watched) noteDrain(pod *corev1.Pod) {
	mark := pod.Annotations[adapters.AnnotationDrainSet]
	switch {
	case pod.Status.Phase == corev1.PodSucceeded && pod.DeletionTimestamp == nil && mark != "":
		for uid := range strings.SplitSeq(pod.Annotations[adapters.AnnotationDrainClaims], ",") {
			w.marks[types.UID(uid)] = mark
		}
	case pod.Status.Phase != corev1.PodSucceeded:
		for _, name := range sim.ClaimsOf(pod) {
			if claim := w.state.Claim(name); claim != nil {
				w.marks[claim.UID] = ""
			}
		}
	}
}

// atRest checks the sets at the end of a history against the invariant of rest that does not depend on pods becoming ready.
func (w *watched) atRest() []Violation {
	var violations []Violation
	i := slices.IndexFunc(law.AtRest, func(i law.RestInvariant) bool { return i.Name == law.ClaimsAreAsWanted })
	for _, name := range w.state.Names(sim.KindSet) {
		r := read(w.state, name)
		if r == nil || r.set.DeletionTimestamp != nil {
			continue
		}
		if err := law.AtRest[i].Holds(w.show(r, w.now)); err != nil {
			violations = append(violations, Violation{Invariant: law.ClaimsAreAsWanted, What: name + ": " + err.Error()})
		}
	}
	return violations
}
