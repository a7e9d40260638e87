package invariants

import (
	"bytes"
	"maps"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// deletes reports whether a write deletes or removes the object; without finalizers it is removed at once.
func deletes(event sim.Event) bool { return event.Verb == "delete" || event.Verb == "remove" }

// write makes the view of an adapter's write for a set; false if it only finished a deletion.
func (v *viewer) write(r *reading, event sim.Event) (law.Write, bool) {
	switch event.Kind {
	case sim.KindPod:
		return r.podWrite(event), true
	case sim.KindClaim:
		if deletes(event) && event.Old.GetDeletionTimestamp() != nil {
			return law.Write{}, false
		}
		return v.claimWrite(r, event), true
	case sim.KindRevision:
		w := revisionWrite(event)
		w.Strange = r.isStrange(event)
		return w, true
	}
	return setWrite(event), true
}

func (r *reading) podWrite(event sim.Event) law.Write {
	w := law.Write{Op: law.ChangePod, Ordinal: -1, Strange: r.isStrange(event)}
	if ordinal, ok := ordinalOf(event.Name, r.set.Name); ok {
		w.Ordinal = ordinal
	}
	pod, _ := event.New.(*corev1.Pod)
	if pod == nil {
		pod = event.Old.(*corev1.Pod)
	}
	ofDrain := pod.Annotations[adapters.AnnotationDrainSet] != ""
	switch {
	case event.Verb == "create" && ofDrain:
		w.Op, w.Claims = law.CreateDrainPod, slices.DeleteFunc(sim.ClaimsOf(pod), func(name string) bool { return !r.isClaim(name) })
	case event.Verb == "create":
		w.Op, w.Revision, w.Claims = law.CreatePod, revisionOf(pod), append([]string{}, sim.ClaimsOf(pod)...)
	case deletes(event) && ofDrain:
		w.Op = law.DeleteDrainPod
	case deletes(event):
		w.Op = law.DeletePod
	default:
		r.podChange(&w, event.Old.(*corev1.Pod), pod)
	}
	return w
}

// podChange notes to which revision a pod is changed. It is said to be at one by its label, or because nothing is under way any more.
func (r *reading) podChange(w *law.Write, before, after *corev1.Pod) {
	from, to := underWay(before), underWay(after)
	w.Restarts = !maps.Equal(images(before), images(after))
	w.Resized = r.resized(before, after)
	w.Relabelled = revisionOf(before) != revisionOf(after) || from != "" && to == ""
	if w.Relabelled {
		w.Revision = revisionOf(after)
		was, _ := noteOf(before)
		w.Unproven = unlike(after, r.state.Revision(w.Revision), was)
	}
	images, noted := w.Restarts, note{}
	if w.Sent = to != "" && to != from; w.Sent || w.Restarts {
		w.Revision = revisionAt(after)
		noted, _ = noteOf(after)
		w.Restarts = w.Restarts || noted.Restarts
	}
	if w.Relabelled || w.Sent || w.Restarts {
		w.Differs = differs(r.state.Revision(revisionAt(before)), r.state.Revision(w.Revision), images, noted)
	}
}

func (v *viewer) claimWrite(r *reading, event sim.Event) law.Write {
	w := law.Write{Op: law.ChangeClaim, Claim: law.Claim{Name: event.Name}}
	w.Ordinal, _ = r.claimOf(event.Name)
	switch {
	case event.Verb == "create":
		w.Op = law.CreateClaim
	case deletes(event):
		w.Op = law.DeleteClaim
		if seen := r.state.Claim(event.Name); seen == nil || seen.UID != event.Old.GetUID() {
			w.Ordinal = -1 // another claim of that name
		}
	case !reflect.DeepEqual(event.Old.GetOwnerReferences(), event.New.GetOwnerReferences()):
		w.Op = law.SetClaimOwners
		if w.Ordinal >= 0 {
			pod := r.podName(w.Ordinal)
			w.Claim = v.claim(r, event.New.(*corev1.PersistentVolumeClaim), pod)
			w.Intruded = !reflect.DeepEqual(r.foreignOwners(event.Old, pod), r.foreignOwners(event.New, pod))
		}
	default:
		before, after := event.Old.(*corev1.PersistentVolumeClaim), event.New.(*corev1.PersistentVolumeClaim)
		w.Twice = asksTwice(before, after)
	}
	return w
}

func revisionWrite(event sim.Event) law.Write {
	w := law.Write{Op: law.ChangeRevision, Revision: event.Name}
	if deletes(event) {
		w.Op = law.DeleteRevision
		return w
	}
	after := event.New.(*appsv1.ControllerRevision)
	w.Number = after.Revision
	if event.Old == nil {
		w.Op = law.CreateRevision
		return w
	}
	before := event.Old.(*appsv1.ControllerRevision)
	w.Before, w.DataChanged = before.Revision, !bytes.Equal(before.Data.Raw, after.Data.Raw)
	if w.Number != w.Before {
		w.Op = law.RenumberRevision
	}
	return w
}

func setWrite(event sim.Event) law.Write {
	w := law.Write{Op: law.UpdateStatus}
	has := func(o sim.Object) bool { return o != nil && slices.Contains(o.GetFinalizers(), FinalizerDrain) }
	switch before, after := has(event.Old), has(event.New); {
	case after && !before:
		w.Op = law.AddFinalizer
	case before && !after:
		w.Op = law.RemoveFinalizer
	}
	return w
}

// isStrange reports whether a pod or a revision was not the set's, and is not being adopted.
func (r *reading) isStrange(event sim.Event) bool {
	if event.Old == nil {
		return false
	}
	seen := r.state.Get(event.Kind, event.Name)
	switch {
	case seen == nil:
		return true
	case sim.ControlledBy(seen, r.set), deletes(event) && isDrainPodOf(seen, r.set):
		return false
	}
	return deletes(event) || metav1.GetControllerOf(seen) != nil || !sim.ControlledBy(event.New, r.set)
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
