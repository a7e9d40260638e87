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
	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
)

// Change is one state of one object as an API server announced it.
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

// History holds what the watch of an API server has told of a namespace, in the order of the store, to the invariants, its
// end included, which must be a state of rest. It returns what was wrong.
//
// It knows only what the store held: not who wrote, nor what they had seen. So it leaves out what is about that, such as
// whose pod an adapter may delete, who may write the owners of a claim, who takes a drain pod away, and whether a replica waits
// for a drain, which the built-in controller beside a draining adapter does not let it. It is for histories in which nobody but
// controllers deletes pods, and in which pods that became ready stay so: what a person takes away cannot be told from that.
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

// watched is what the store holds, and what it does not tell any more.
type watched struct {
	viewer
	state sim.State
	marks map[types.UID]string // of claims that a drain pod has drained: with whose mark
	now   time.Time
}

// slack is what times lose in the API, which has seconds.
const slack = time.Second

func newWatched() *watched {
	return &watched{state: sim.NewState(), marks: map[types.UID]string{}, viewer: viewer{
		behavior: setplanv1.Behavior_BEHAVIOR_SETPLAN, wasReady: map[types.UID]bool{}, drained: map[types.UID]bool{}, slack: slack}}
}

// event is a change in the terms of the simulated cluster.
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

// begins reports whether a write asks for the end of an object that nobody has asked for before.
func begins(event sim.Event) bool { return deletes(event) && event.Old.GetDeletionTimestamp() == nil }

// check shows a write to the invariants; nil where no set has a part in it, or nobody can tell whose doing it is.
func (w *watched) check(event sim.Event) *law.Check {
	switch {
	case event.Kind == sim.KindPod && event.Verb == "create":
		// It was decided on before it was made, so what counts is what was available by then.
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
			check.Truth, check.Write.Unsigned = check.Seen, true
			return check
		}
	case event.Kind == sim.KindClaim && begins(event):
		return w.claimGoes(event.Old.(*corev1.PersistentVolumeClaim))
	case event.Kind == sim.KindRevision && !deletes(event):
		return &law.Check{Seen: w.siblings(event.New), Write: revisionWrite(event)}
	}
	return nil
}

// controlling is the set that controls an object, nil where there is none or it is being deleted: the garbage collector takes
// the pods of such a set in any order.
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

// show makes the view of a set. Pods are updated to the newest revision: what the template says may be newer than what whoever
// writes had seen. An adapter writes the steps of a stage side by side.
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

// siblings is a view with the revisions of a set alone, or those of the set that has a revision; nil for one that nobody has.
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

// claimGoes is about marked claims only: what nobody has marked, anybody may have deleted. The set may be gone.
func (w *watched) claimGoes(claim *corev1.PersistentVolumeClaim) *law.Check {
	mark := claim.Annotations[adapters.AnnotationDrainSet]
	if mark == "" {
		return nil
	}
	k := law.Claim{Name: claim.Name, Exists: true, Mark: law.Ours, Empty: w.marks[claim.UID] == mark}
	return &law.Check{Truth: &law.Set{Gone: true, Places: []law.Place{{Claims: []law.Claim{k}}}},
		Write: law.Write{Op: law.CollectClaim, Claim: k, Promised: true}}
}

// learn makes a write true.
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

// noteDrain remembers what a pod says of the claims: that it has drained them, or that there is something to drain again. What
// a pod says once it is being deleted is no proof. The garbage collector may delete a drain pod before its claims go.
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

// atRest asks the sets at the end of a history for what does not depend on pods getting ready.
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
